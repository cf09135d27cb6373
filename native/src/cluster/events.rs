//! Events: what the scheduler tells people, without ever waiting for it.
//!
//! Events that are alike join a series: the first is created, the second makes it a series, further ones are only counted
//! here and written now and then. When events come faster than they can be written, the newest are dropped.
//!
//! Source: spec, F.3.

use core::time::Duration;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use berth_core::scheduler::{EventType, PodEvent};
use serde::de::IgnoredAny;
use serde_json::Value;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::JoinSet;
use tracing::{debug, warn};

use super::client::{Call, CallError, Client};
use super::rights;
use super::time::now;

mod form;

use form::Form;

/// An event with the version of the pod it is about.
pub(crate) struct Told {
    pub(crate) event: PodEvent,
    pub(crate) resource_version: String,
}

/// Where events are handed in.
#[derive(Clone)]
pub(crate) struct EventSink(Sender<Told>);

impl EventSink {
    /// Takes an event, or drops it when too many wait.
    pub(crate) fn tell(&self, told: Told) {
        if self.0.try_send(told).is_err() {
            debug!("an event is dropped: too many wait to be written");
        }
    }
}

/// Writes events to the API server.
pub(super) struct Recorder {
    client: Client,
    host: String,
    inbox: Receiver<Told>,
    series: HashMap<Key, Series>,
    writes: JoinSet<Written>,
    next_number: u64,
    form: Form,
}

/// What makes events alike; the text is not part of it.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    uid: Arc<str>,
    resource_version: String,
    related: Option<Arc<str>>,
    is_warning: bool,
    reason: &'static str,
    action: &'static str,
    controller: Arc<str>,
}

/// Events that are alike.
struct Series {
    path: String,
    /// The event that was created, for the case that somebody deletes it.
    first: Value,
    count: u32,
    written_count: u32,
    last_seen: Instant,
    last_written: Instant,
    is_being_written: bool,
}

/// A write that came to its end.
struct Written {
    key: Option<Key>,
    count: u32,
}

impl Recorder {
    /// A recorder and where its events are handed in.
    pub(super) fn new(client: Client, host: String) -> (Self, EventSink) {
        let (sender, inbox) = channel(MOST_WAITING);
        let recorder = Self {
            client,
            host,
            inbox,
            series: HashMap::new(),
            writes: JoinSet::new(),
            next_number: 0,
            form: Form::Events,
        };
        (recorder, EventSink(sender))
    }

    /// Writes until no event can come any more and all are written.
    pub(super) async fn run(mut self) {
        self.form = Form::served(&self.client).await;
        let mut is_open = true;
        let mut rounds = tokio::time::interval(ROUND);
        while is_open || !self.writes.is_empty() {
            let has_room = self.writes.len() < MOST_WRITES;
            tokio::select! {
                told = self.inbox.recv(), if is_open && has_room => match told {
                    Some(told) => self.accept(told),
                    None => is_open = false,
                },
                Some(written) = self.writes.join_next() => {
                    if let Ok(written) = written {
                        self.finish(written);
                    }
                }
                _ = rounds.tick() => self.write_old_series(),
            }
        }
    }

    fn accept(&mut self, told: Told) {
        let key = Key {
            uid: told.event.regarding.uid.clone(),
            resource_version: told.resource_version.clone(),
            related: told
                .event
                .related
                .as_ref()
                .map(|related| related.uid.clone()),
            is_warning: told.event.type_ == EventType::Warning,
            reason: told.event.reason,
            action: told.event.action,
            controller: told.event.reporting_controller.clone(),
        };
        if let Some(series) = self.series.get_mut(&key) {
            series.count += 1;
            series.last_seen = Instant::now();
            if series.count == 2 {
                self.write_series(&key);
            }
            return;
        }
        self.next_number += 1;
        let name = event_name(&told.event.regarding.name, self.next_number);
        let form = self.form;
        let collection = form.collection(&told.event.regarding.namespace);
        let event = form.document(&told, &name, &self.host);
        let call = Call::post(collection.clone(), &event);
        // A pod is scheduled once: nothing can follow that is like it.
        let is_single = told.event.reason == "Scheduled";
        let client = self.client.clone();
        let key = (!is_single).then_some(key);
        if let Some(key) = &key {
            let series = Series {
                path: format!("{collection}/{name}"),
                first: event,
                count: 1,
                written_count: 1,
                last_seen: Instant::now(),
                last_written: Instant::now(),
                is_being_written: true,
            };
            self.series.insert(key.clone(), series);
        }
        self.writes.spawn(async move {
            write(&client, &call, "create", form).await;
            Written { key, count: 1 }
        });
    }

    /// Writes how often something has happened, unless a write is under way.
    fn write_series(&mut self, key: &Key) {
        let Some(series) = self.series.get_mut(key) else {
            return;
        };
        if series.is_being_written || series.count == series.written_count {
            return;
        }
        series.is_being_written = true;
        series.last_written = Instant::now();
        let count = series.count;
        let form = self.form;
        let state = form.repeated(count);
        let patch = Call::merge_patch(series.path.clone(), &state);
        let mut whole = series.first.clone();
        if let (Some(whole), Value::Object(state)) = (whole.as_object_mut(), state) {
            whole.extend(state);
        }
        let collection = series
            .path
            .rsplit_once('/')
            .map_or("", |(collection, _)| collection);
        let create = Call::post(collection.to_owned(), &whole);
        let (client, key) = (self.client.clone(), Some(key.clone()));
        self.writes.spawn(async move {
            if write(&client, &patch, "patch", form).await == Some(404) {
                write(&client, &create, "create", form).await;
            }
            Written { key, count }
        });
    }

    fn finish(&mut self, written: Written) {
        let Some(key) = written.key else { return };
        let Some(series) = self.series.get_mut(&key) else {
            return;
        };
        series.is_being_written = false;
        series.written_count = written.count;
        // The second of its kind came while the first was being created.
        if written.count == 1 && series.count > 1 {
            self.write_series(&key);
        }
    }

    /// Writes what has long not been written, and forgets what has long not happened.
    fn write_old_series(&mut self) {
        let mut due: Vec<Key> = Vec::new();
        self.series.retain(|key, series| {
            let is_idle = series.last_seen.elapsed() >= IDLE;
            let is_written = series.count == series.written_count;
            if !is_written && (is_idle || series.last_written.elapsed() >= REFRESH) {
                due.push(key.clone());
            }
            !(is_idle && is_written && !series.is_being_written)
        });
        for key in due {
            self.write_series(&key);
        }
    }
}

/// Writes an event: again after a pause when the server cannot be reached, once when it says no. The status of a refusal.
async fn write(client: &Client, call: &Call, verb: &str, form: Form) -> Option<u16> {
    for _ in 0..TRIES {
        match client.call::<IgnoredAny>(call).await {
            Ok(_) | Err(CallError::Unreadable(_)) => return None,
            Err(error) if matches!(error.code(), None | Some(429 | 500..=599)) => {
                debug!(%error, "an event is not written yet");
                tokio::time::sleep(BETWEEN_TRIES).await;
            }
            Err(error) => {
                match rights::missing_on(&error, verb, form.group(), "events") {
                    Some(text) => tracing::error!("{text}"),
                    None => debug!(%error, "an event is not written"),
                }
                return error.code();
            }
        }
    }
    warn!("an event is not written after {TRIES} tries");
    None
}

/// A name that no other event of the object has: nanoseconds, of which the clock gives micros and a counter the rest.
fn event_name(object: &str, number: u64) -> String {
    let micros = u64::try_from(now().as_micros()).unwrap_or_default();
    let nanos = micros.saturating_mul(1000).saturating_add(number % 1000);
    format!("{object}.{nanos:x}")
}

/// Events that may wait.
const MOST_WAITING: usize = 1000;
/// Writes under way at once.
const MOST_WRITES: usize = 32;
const TRIES: u32 = 12;
const BETWEEN_TRIES: Duration = Duration::from_secs(10);
/// How often a series is written while it goes on.
const REFRESH: Duration = Duration::from_secs(30 * 60);
/// After how long without another event a series is over.
const IDLE: Duration = Duration::from_secs(6 * 60);
/// How often old series are looked for.
const ROUND: Duration = Duration::from_secs(60);
