//! What is remembered of pods and events besides the objects themselves.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::api::{Kind, Object, ObjectKey};
use crate::scheduler::{Change, Effect, EventType};
use crate::time::Timestamp;

/// What is known of a pod besides the object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PodStats {
    /// Which pod of that name.
    pub uid: String,
    /// How often the scheduler tried it: its Scheduled and FailedScheduling events.
    pub attempts: u32,
    /// When it came.
    pub created_at: Timestamp,
    /// When it was bound in this run.
    pub bound_at: Option<Timestamp>,
}

/// An event with its instant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventRecord {
    /// When.
    pub at: Timestamp,
    /// How serious.
    pub type_: EventType,
    /// Why, in one word.
    pub reason: &'static str,
    /// The pod, `namespace/name`.
    pub regarding: String,
    /// What happened.
    pub note: String,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Stats {
    pods: BTreeMap<ObjectKey, PodStats>,
    events: Vec<EventRecord>,
}

impl Stats {
    pub(super) fn pod(&self, key: &ObjectKey) -> Option<&PodStats> {
        self.pods.get(key)
    }

    pub(super) fn events(&self) -> &[EventRecord] {
        &self.events
    }

    /// A pod that comes again under an old name begins anew.
    pub(super) fn observe(&mut self, change: &Change, now: Timestamp) {
        let Change::Applied(Object::Pod(pod)) = change else {
            return;
        };
        let key = Object::Pod(pod.clone()).key();
        let is_known = self
            .pods
            .get(&key)
            .is_some_and(|stats| stats.uid == pod.metadata.uid);
        if !is_known {
            let stats = PodStats {
                uid: pod.metadata.uid.clone(),
                attempts: 0,
                created_at: now,
                bound_at: None,
            };
            self.pods.insert(key, stats);
        }
    }

    /// A pod was bound.
    pub(super) fn bound(&mut self, key: &ObjectKey, now: Timestamp) {
        if let Some(stats) = self.pods.get_mut(key) {
            stats.bound_at = Some(now);
        }
    }

    pub(super) fn take_effect(&mut self, effect: &Effect, now: Timestamp) {
        let Effect::RecordEvent { event } = effect else {
            return;
        };
        let regarding = &event.regarding;
        if matches!(event.reason, "Scheduled" | "FailedScheduling") {
            let key = ObjectKey::new(Kind::Pod, &*regarding.namespace, &*regarding.name);
            if let Some(stats) = self.pods.get_mut(&key) {
                stats.attempts += 1;
            }
        }
        self.events.push(EventRecord {
            at: now,
            type_: event.type_,
            reason: event.reason,
            regarding: regarding.to_string(),
            note: event.note.clone(),
        });
    }
}
