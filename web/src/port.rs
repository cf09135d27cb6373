//! The way to the worker: starts it, sends messages, starts it anew after a cancel.

use core::cell::RefCell;
use std::rc::Rc;

use js_sys::{Array, Reflect, Uint8Array};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{Blob, MessageEvent, Worker};

use crate::protocol::{FromWorker, Target, ToWorker};
use crate::wire;

/// Takes what the worker tells.
pub type Receive = Rc<dyn Fn(Result<FromWorker, Silence>)>;

/// Why nothing is heard from the worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Silence {
    /// It died.
    Died,
    /// It is of another version than the page and speaks otherwise.
    OtherVersion,
}

/// A worker and what was asked of it.
pub struct Port {
    worker: Worker,
    receive: Receive,
    /// Kept for as long as the worker lives.
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_error: Closure<dyn FnMut(web_sys::Event)>,
    /// Whether a moment was asked for and has not come.
    is_waiting: bool,
    /// The moment that is wanted after it.
    wanted: Option<Target>,
}

impl Port {
    /// Starts the worker.
    #[must_use]
    pub fn open(receive: Receive) -> Option<Self> {
        let worker = Worker::new(WORKER).ok()?;
        let module = Reflect::get(&js_sys::global(), &JsValue::from_str(MODULE)).ok()?;
        worker.post_message(&module).ok()?;
        let on_message = {
            let receive = receive.clone();
            Closure::new(move |event: MessageEvent| {
                receive(wire::unpack(&event.data()).ok_or(Silence::OtherVersion));
            })
        };
        let on_error = {
            let receive = receive.clone();
            Closure::new(move |_: web_sys::Event| receive(Err(Silence::Died)))
        };
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        Some(Self {
            worker,
            receive,
            _on_message: on_message,
            _on_error: on_error,
            is_waiting: false,
            wanted: None,
        })
    }

    /// Sends a message.
    pub fn send(&self, message: &ToWorker) {
        if let Some(packed) = wire::pack(message) {
            self.post(&packed, &packed);
        }
    }

    /// Sends a message with a file beside it.
    pub fn send_blob(&self, message: &ToWorker, blob: &Blob) {
        if let Some(packed) = wire::pack(message) {
            self.post(&Array::of2(&packed, blob), &packed);
        }
    }

    fn post(&self, data: &JsValue, packed: &Uint8Array) {
        let handed_over = wire::handed_over(packed);
        // A worker that is gone has said so by its error.
        let _ = self.worker.post_message_with_transfer(data, &handed_over);
    }

    /// Asks for a moment; while one is on its way the next is kept, and steps add up.
    pub fn seek(&mut self, target: Target) {
        if self.is_waiting {
            self.wanted = Some(merged(self.wanted, target));
        } else {
            self.is_waiting = true;
            self.send(&ToWorker::Seek { target });
        }
    }

    /// To be called when a moment has come.
    pub fn arrived(&mut self) {
        self.is_waiting = false;
        if let Some(target) = self.wanted.take() {
            self.seek(target);
        }
    }

    /// Stops whatever the worker does, even in the middle of a text, by starting another one.
    pub fn restart(&mut self) {
        self.worker.terminate();
        if let Some(fresh) = Self::open(self.receive.clone()) {
            *self = fresh;
        }
    }
}

fn merged(before: Option<Target>, next: Target) -> Target {
    match (before, next) {
        (Some(Target::Event { by: one }), Target::Event { by: two }) => Target::Event {
            by: one.saturating_add(two),
        },
        (Some(Target::Cycle { by: one }), Target::Cycle { by: two }) => Target::Cycle {
            by: one.saturating_add(two),
        },
        _ => next,
    }
}

thread_local! {
    static PORT: RefCell<Option<Port>> = const { RefCell::new(None) };
}

/// Keeps the port of the page.
pub fn keep(port: Option<Port>) {
    PORT.with(|kept| *kept.borrow_mut() = port);
}

/// Does something with the port of the page, if it is open.
pub fn with(act: impl FnOnce(&mut Port)) {
    PORT.with(|kept| {
        if let Some(port) = kept.borrow_mut().as_mut() {
            act(port);
        }
    });
}

const WORKER: &str = "worker_boot.js";
/// Where `static/boot.js` leaves the compiled module that the worker runs.
const MODULE: &str = "workerModule";
