//! The simulated API server: objects with identities and versions, what it fills in and refuses, what it tells a watch.
//!
//! | File | Answers |
//! |---|---|
//! | `store` | where objects are kept |
//! | `admission` | what a new pod is given: its importance, its class of volumes |
//! | `write` | what create, replace, patch and delete do |
//! | `effects` | what the scheduler's effects do, and what the server answers |
//!
//! Every write leaves a change for the scheduler's watch and a note for the controllers; nobody is called back. Identities
//! and times are functions of the names and of the virtual clock, so that the same scenario makes the same objects.

mod admission;
mod effects;
mod store;
mod write;

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::mem;

use crate::api::{Kind, Object, ObjectKey, Pod, Time};
use crate::config::Gates;
use crate::scheduler::Change;
use crate::time::Timestamp;

use super::digest::Fnv;
use store::Store;

pub(super) use effects::set_condition;
pub use write::Subresource;

/// The simulated API server. A clone is a fork; objects are shared until one side changes them.
#[derive(Clone, Debug)]
pub struct World {
    store: Store,
    gates: Gates,
    /// What the virtual clock's zero is in the calendar.
    epoch: Time,
    now: Timestamp,
    version: u64,
    /// How often a name has been given away before.
    former: BTreeMap<ObjectKey, u32>,
    /// What the watch has not yet been told, in order.
    changes: Vec<Change>,
    /// What controllers have not yet looked at, in order; may name a thing twice.
    touched: Vec<Touched>,
    /// What a controller could not do, for people.
    troubles: Vec<Trouble>,
    /// When pods that are stopping are gone, with their identities.
    ends: BTreeMap<(Timestamp, ObjectKey), String>,
    /// The same the other way round.
    ending: BTreeMap<ObjectKey, Timestamp>,
    /// When pods that were bound begin to run.
    starts: BTreeMap<(Timestamp, ObjectKey), String>,
    /// Deletions so far of pods by the scheduler, oldest first.
    preempted: Vec<Preempted>,
    /// Pods that are no longer there, with how they ended.
    gone: BTreeMap<ObjectKey, Gone>,
}

/// Something that controllers should look at.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Touched {
    /// An object that controllers keep in order.
    Object(ObjectKey),
    /// The owner of an object that changed, by kind, namespace and name.
    Owner(ObjectKey),
}

/// A pod that the scheduler deleted to make room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preempted {
    /// Who had to leave, `namespace/name`.
    pub pod: String,
    /// Which pod of that name.
    pub uid: String,
    /// For whom, `namespace/name`.
    pub by: String,
    /// From where.
    pub node: String,
    /// When it was asked to leave.
    pub at: Timestamp,
}

/// Something that a controller could not do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// `file.yaml:12:5`, where somebody wrote what led to it; empty otherwise.
    pub source: String,
    /// The object that it was to do it for, `Deployment default/web`.
    pub object: String,
    /// What went wrong.
    pub what: String,
}

/// A pod that is no longer there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gone {
    /// The pod as it last was.
    pub pod: alloc::sync::Arc<Pod>,
    /// Whether the scheduler had deleted it.
    pub was_preempted: bool,
}

impl World {
    /// An empty cluster whose clock stands at zero, which is `epoch` in the calendar.
    #[must_use]
    pub fn new(gates: Gates, epoch: Time) -> Self {
        Self {
            store: Store::default(),
            gates,
            epoch,
            now: Timestamp::ZERO,
            version: 0,
            former: BTreeMap::new(),
            changes: Vec::new(),
            touched: Vec::new(),
            troubles: Vec::new(),
            ends: BTreeMap::new(),
            ending: BTreeMap::new(),
            starts: BTreeMap::new(),
            preempted: Vec::new(),
            gone: BTreeMap::new(),
        }
    }

    /// Sets the clock.
    pub(super) fn set_now(&mut self, now: Timestamp) {
        self.now = now;
    }

    /// The instant.
    #[must_use]
    pub const fn now(&self) -> Timestamp {
        self.now
    }

    /// The instant in the calendar, in whole seconds as the API writes it.
    #[must_use]
    pub fn wall_clock(&self) -> Time {
        let now = self.now.floor_to_second().as_micros();
        Time::from_micros(self.epoch.as_micros().saturating_add(now))
    }

    /// What the virtual clock's zero is in the calendar.
    #[must_use]
    pub const fn epoch(&self) -> Time {
        self.epoch
    }

    /// The gates that the server is run with.
    #[must_use]
    pub const fn gates(&self) -> Gates {
        self.gates
    }

    /// The object of that name.
    #[must_use]
    pub fn get(&self, key: &ObjectKey) -> Option<&Object> {
        self.store.get(key)
    }

    /// The pod of that name.
    #[must_use]
    pub fn pod(&self, namespace: &str, name: &str) -> Option<&alloc::sync::Arc<Pod>> {
        match self.store.find(Kind::Pod, namespace, name) {
            Some(Object::Pod(pod)) => Some(pod),
            _ => None,
        }
    }

    /// Objects of one kind by namespace and name.
    pub fn list(&self, kind: Kind) -> impl Iterator<Item = &Object> {
        self.store.list(kind)
    }

    /// Objects of one kind in one namespace, by name.
    pub(super) fn list_in(&self, kind: Kind, namespace: &str) -> impl Iterator<Item = &Object> {
        self.store.list_in(kind, namespace)
    }

    /// Pods that the scheduler deleted to make room, oldest first.
    #[must_use]
    pub fn preempted(&self) -> &[Preempted] {
        &self.preempted
    }

    /// Pods that are no longer there.
    #[must_use]
    pub const fn gone(&self) -> &BTreeMap<ObjectKey, Gone> {
        &self.gone
    }

    /// When something happens by itself next: a pod begins to run or is gone.
    #[must_use]
    pub fn next_event(&self) -> Option<Timestamp> {
        let first = |events: &BTreeMap<(Timestamp, ObjectKey), String>| {
            events.keys().next().map(|(at, _)| *at)
        };
        [first(&self.ends), first(&self.starts)]
            .into_iter()
            .flatten()
            .min()
    }

    /// What the watch has not yet been told.
    pub(super) fn take_changes(&mut self) -> Vec<Change> {
        mem::take(&mut self.changes)
    }

    /// Whether there is something that controllers have not yet looked at.
    pub(super) fn is_touched(&self) -> bool {
        !self.touched.is_empty()
    }

    /// What controllers have not yet looked at, in order.
    pub(super) fn take_touched(&mut self) -> Vec<Touched> {
        mem::take(&mut self.touched)
    }

    /// Notes what a controller could not do. Saying it twice says it once.
    pub(super) fn note_trouble(&mut self, object: String, what: String) {
        self.note_trouble_at(String::new(), object, what);
    }

    /// Notes what came of something that stands in a text.
    pub(super) fn note_trouble_at(&mut self, source: String, object: String, what: String) {
        let trouble = Trouble {
            source,
            object,
            what,
        };
        if !self.troubles.contains(&trouble) {
            self.troubles.push(trouble);
        }
    }

    /// Notes what is wrong with many objects alike with the first of them.
    pub(super) fn note_trouble_once(&mut self, key: &ObjectKey, what: String) {
        if !self.troubles.iter().any(|trouble| trouble.what == what) {
            self.note_trouble(key.to_string(), what);
        }
    }

    /// What controllers could not do, oldest first.
    #[must_use]
    pub fn troubles(&self) -> &[Trouble] {
        &self.troubles
    }

    /// A pod that is to begin to run now, with its identity.
    pub(super) fn take_due_start(&mut self) -> Option<(ObjectKey, String)> {
        take_due(&mut self.starts, self.now)
    }

    /// A pod whose grace period is over, with its identity.
    pub(super) fn take_due_end(&mut self) -> Option<(ObjectKey, String)> {
        let (key, uid) = take_due(&mut self.ends, self.now)?;
        self.ending.remove(&key);
        Some((key, uid))
    }

    /// Has a pod be gone at an instant, and not at the one that was set before.
    fn end_at(&mut self, at: Timestamp, key: &ObjectKey, uid: String) {
        self.forget_end(key);
        self.ends.insert((at, key.clone()), uid);
        self.ending.insert(key.clone(), at);
    }

    fn forget_end(&mut self, key: &ObjectKey) {
        if let Some(at) = self.ending.remove(key) {
            self.ends.remove(&(at, key.clone()));
        }
    }

    /// Has the kubelet start a pod later.
    pub(super) fn start_at(&mut self, at: Timestamp, key: ObjectKey, uid: String) {
        self.starts.insert((at, key), uid);
    }

    /// Stores an object, gives it its version, and tells the watch and the controllers.
    ///
    /// The caller has filled in and checked everything; a changed spec counts as a new generation.
    fn put(&mut self, mut object: Object) {
        let key = object.key();
        let old = self.store.get(&key).cloned();
        self.version += 1;
        let version = self.version.to_string();
        let has_new_spec = old
            .as_ref()
            .is_none_or(|old| !store::same_spec(old, &object));
        let metadata = object.metadata_mut();
        metadata.resource_version = version;
        if has_new_spec {
            metadata.generation = old.as_ref().map_or(1, |old| old.metadata().generation + 1);
        }
        self.tell_watch(old.as_ref(), Some(&object), &key);
        self.touch(old.as_ref(), &key);
        self.touch(Some(&object), &key);
        self.store.insert(&key, object);
    }

    /// Takes an object away and tells the watch and the controllers.
    fn drop_object(&mut self, key: &ObjectKey) {
        let Some(old) = self.store.remove(key) else {
            return;
        };
        self.version += 1;
        self.tell_watch(Some(&old), None, key);
        self.touch(Some(&old), key);
        *self.former.entry(key.clone()).or_default() += 1;
        if let Object::Pod(pod) = old {
            let mut victims = self.preempted.iter().rev();
            let was_preempted = victims.any(|entry| entry.uid == pod.metadata.uid);
            self.gone.insert(key.clone(), Gone { pod, was_preempted });
        }
    }

    /// Puts objects back as they were before changes that nobody has been told of, and has nobody told.
    pub(super) fn take_back(&mut self, before: Vec<(ObjectKey, Option<Object>)>) {
        // Names that were made up, and namespaces that came along, are known from the changes alone.
        for change in self.take_changes() {
            if let Change::Applied(object) = change {
                self.store.remove(&object.key());
            }
        }
        for (key, old) in before.into_iter().rev() {
            self.store.remove(&key);
            if let Some(old) = old {
                self.store.insert(&key, old);
            }
        }
    }

    /// The scheduler's watch selects pods that have not ended, so one that ends is gone for it.
    fn tell_watch(&mut self, old: Option<&Object>, new: Option<&Object>, key: &ObjectKey) {
        let is_seen = |object: &Object| match object {
            Object::Pod(pod) => !pod.is_finished(),
            _ => true,
        };
        match (old.is_some_and(is_seen), new.filter(|new| is_seen(new))) {
            (_, Some(new)) => self.changes.push(Change::Applied(new.clone())),
            (true, None) => self.changes.push(Change::Deleted(key.clone())),
            (false, None) => {}
        }
    }

    fn touch(&mut self, object: Option<&Object>, key: &ObjectKey) {
        let Some(object) = object else { return };
        self.touched.push(Touched::Object(key.clone()));
        if let Some(owner) = object.metadata().controller_owner()
            && let Some(kind) = Kind::by_name(&owner.kind)
        {
            let namespace = object.metadata().namespace.as_str();
            let owner = ObjectKey::new(kind, namespace, owner.name.as_str());
            self.touched.push(Touched::Owner(owner));
        }
    }

    /// An identity for a new object: the same for the same name and the same number of predecessors.
    fn uid_for(&self, key: &ObjectKey) -> String {
        let before = self.former.get(key).copied().unwrap_or(0);
        let hash = |salt: u8| {
            let mut fnv = Fnv::new();
            fnv.write(&[salt]);
            fnv.write_str(key.kind.as_str());
            fnv.write_str(&key.namespace);
            fnv.write_str(&key.name);
            fnv.write_u64(u64::from(before));
            fnv.finish()
        };
        let (high, low) = (hash(0), hash(1));
        format!(
            "{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}",
            high >> 32,
            (high >> 16) & 0xffff,
            high & 0xfff,
            0x8000 | ((low >> 48) & 0x3fff),
            low & 0xffff_ffff_ffff
        )
    }
}

fn take_due(
    events: &mut BTreeMap<(Timestamp, ObjectKey), String>,
    now: Timestamp,
) -> Option<(ObjectKey, String)> {
    let entry = events.first_entry()?;
    if entry.key().0 > now {
        return None;
    }
    let ((_, key), uid) = entry.remove_entry();
    Some((key, uid))
}

#[cfg(test)]
mod tests;
