//! How messages come and go in a worker, and how long work is broken into pieces between them.

use core::cell::{Cell, RefCell};
use std::rc::Rc;

use gloo_timers::callback::Timeout;
use js_sys::{Array, Reflect, Uint8Array};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{Blob, DedicatedWorkerGlobalScope, MessageEvent};

use super::{Engine, rehearsal, rest, told};
use crate::protocol::{FromWorker, ToWorker, Work, Wrong};
use crate::wire;

/// The worker's side: listens for as long as the worker lives.
pub fn listen() {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    let host = Host {
        scope: scope.clone(),
        engine: Rc::default(),
        opened: Rc::default(),
    };
    host.tell(&Engine::greet());
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        host.receive(&event.data());
    });
    scope.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    // The worker listens until it ends.
    on_message.forget();
}

/// Takes one of the messages that a page sends first, as if it came from a page, and says how many of them there are.
pub fn rehearse(message: usize) -> usize {
    let messages = rehearsal::messages();
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    let packed = messages.get(message).and_then(wire::pack);
    if let (Some(packed), Some(listener)) = (packed, scope.onmessage()) {
        let event = js_sys::Object::new();
        // A new object takes every field.
        let _ = Reflect::set(&event, &JsValue::from_str("data"), &packed);
        // What goes wrong here stops the build, as nothing is told.
        let _ = listener.call1(&scope, &event);
    }
    messages.len()
}

#[derive(Clone)]
struct Host {
    scope: DedicatedWorkerGlobalScope,
    engine: Rc<RefCell<Engine>>,
    /// How often something was opened or cancelled: what is still read from before is not wanted any more.
    opened: Rc<Cell<u32>>,
}

impl Host {
    fn receive(&self, data: &JsValue) {
        let pair = data.dyn_ref::<Array>();
        let message = match pair {
            Some(pair) => wire::unpack(&pair.get(0)),
            None => wire::unpack(data),
        };
        let blob = pair.and_then(|pair| pair.get(1).dyn_into::<Blob>().ok());
        if message.as_ref().is_some_and(ToWorker::is_another) {
            self.opened.set(self.opened.get().wrapping_add(1));
        }
        match (message, blob) {
            (Some(ToWorker::LoadBlob { name }), Some(blob)) => self.read(name, &blob),
            (Some(message), _) => self.answer(message),
            // A page of another version has found so in the first message that it got.
            (None, _) => {}
        }
    }

    fn answer(&self, message: ToWorker) {
        let was_working = self.engine.borrow().is_working();
        let answers = self.engine.borrow_mut().take(message);
        answers.iter().for_each(|answer| self.tell(answer));
        if self.engine.borrow().is_working() && !was_working {
            self.clone().work_later();
        }
    }

    /// Reads a file piece by piece and says how far it is.
    fn read(&self, name: String, blob: &Blob) {
        let reading = Reading {
            host: self.clone(),
            name,
            blob: blob.clone(),
            bytes: Rc::default(),
            number: self.opened.get(),
        };
        reading.next(0.0);
    }

    /// Works for a piece, then lets messages in.
    fn work_later(self) {
        let later = Timeout::new(0, move || {
            let began = now_ms();
            loop {
                let answers = self.engine.borrow_mut().work(PIECE);
                let is_over = !self.engine.borrow().is_working();
                let is_long = now_ms() - began > LONGEST_MS;
                if is_over || is_long {
                    answers.iter().for_each(|answer| self.tell(answer));
                }
                if is_over {
                    return;
                }
                if is_long {
                    return self.work_later();
                }
            }
        });
        later.forget();
    }

    fn tell(&self, message: &FromWorker) {
        if told::is_told(message) {
            self.tell_in_both(message.clone());
        } else {
            self.send(message);
        }
    }

    /// Tells what quotes the core in both languages.
    #[inline(never)]
    fn tell_in_both(&self, mut message: FromWorker) {
        told::translate(&mut message, &rest::told_in_chinese());
        self.send(&message);
    }

    fn send(&self, message: &FromWorker) {
        if let Some(packed) = wire::pack(message) {
            let handed_over = wire::handed_over(&packed);
            // A page that is gone hears nothing.
            let _ = self.scope.post_message_with_transfer(&packed, &handed_over);
        }
    }
}

/// A file on its way in.
#[derive(Clone)]
struct Reading {
    host: Host,
    name: String,
    blob: Blob,
    bytes: Rc<RefCell<Vec<u8>>>,
    /// The host's `opened` when it began.
    number: u32,
}

impl Reading {
    fn next(self, from: f64) {
        if !self.is_wanted() {
            return;
        }
        let total = self.blob.size();
        self.host.tell(&FromWorker::Progress {
            work: Work::Reading,
            done: from as u64,
            total: total as u64,
        });
        if from >= total {
            return self.done();
        }
        let to = (from + SLICE).min(total);
        let Ok(slice) = self.blob.slice_with_f64_and_f64(from, to) else {
            return self.lost();
        };
        let promise = slice.array_buffer();
        let then = Reflect::get(&promise, &JsValue::from_str("then")).ok();
        let Some(then) = then.and_then(|then| then.dyn_into::<js_sys::Function>().ok()) else {
            return self.lost();
        };
        let reading = self.clone();
        let lost = Closure::once_into_js(move |_: JsValue| reading.lost());
        let got = Closure::once_into_js(move |buffer: JsValue| {
            let piece = Uint8Array::new(&buffer).to_vec();
            self.bytes.borrow_mut().extend(piece);
            self.next(to);
        });
        // A promise takes both.
        let _ = then.call2(&promise, &got, &lost);
    }

    /// A file that is gone leaves the page as it was.
    fn lost(self) {
        if self.is_wanted() {
            let wrong = Wrong {
                source: self.name,
                message: UNREADABLE.to_owned().into(),
                ..Wrong::default()
            };
            self.host.tell(&FromWorker::Errors {
                errors: vec![wrong],
                more: 0,
                is_edit: false,
            });
        }
    }

    /// Whether nothing else was asked for since.
    fn is_wanted(&self) -> bool {
        self.host.opened.get() == self.number
    }

    fn done(self) {
        let bytes = core::mem::take(&mut *self.bytes.borrow_mut());
        let text = String::from_utf8(bytes)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        self.host.answer(ToWorker::Load {
            name: self.name,
            text,
        });
    }
}

fn now_ms() -> f64 {
    js_sys::Date::now()
}

const UNREADABLE: &str = "the file cannot be read; was it moved or deleted?";
/// So many inputs between two looks at the clock.
const PIECE: usize = 64;
/// Messages wait no longer than this.
const LONGEST_MS: f64 = 60.0;
/// So much of a file is read at once.
const SLICE: f64 = 4_000_000.0;
