//! What create, replace, patch and delete do.

use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec;

use serde_json::Value;

use crate::api::{
    Condition, Kind, Namespace, Object, ObjectKey, ObjectMeta, Pod, PodCondition, Time,
};
use crate::time::Span;

use super::super::error::{Fault, Faults, InputError};
use super::super::patch::strategic_merge;
use super::super::scenario::key_of;
use super::super::{defaults, validate};
use super::World;

/// Which part of an object a patch is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Subresource {
    /// All but the status.
    #[default]
    None,
    /// The status.
    Status,
    /// The amounts that a running pod asks for.
    Resize,
}

impl Subresource {
    /// The part of that name; the empty name is the object itself.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        match name {
            "" => Some(Self::None),
            "status" => Some(Self::Status),
            "resize" => Some(Self::Resize),
            _ => None,
        }
    }
}

impl World {
    /// Makes an object, or replaces the one of its name.
    ///
    /// Errors: everything that the API server would refuse; nothing is changed then.
    pub fn apply(&mut self, object: Object) -> Result<(), Faults> {
        if self.get(&key_of(&object)).is_some() {
            self.replace(object)
        } else {
            self.create(object)
        }
    }

    /// Makes an object.
    ///
    /// Errors: everything that the API server would refuse, also a name that is taken; nothing is changed then.
    pub fn create(&mut self, mut object: Object) -> Result<(), Faults> {
        defaults::apply(&mut object);
        self.name_generated(&mut object);
        let key = object.key();
        if self.get(&key).is_some() {
            let error = InputError::AlreadyExists {
                first: alloc::string::String::new(),
            };
            return Err(vec![Fault::of(&["metadata", "name"], error)]);
        }
        let mut faults = self.admit_new(&mut object);
        if let Object::Pod(pod) = &mut object {
            for what in defaults::dropped(pod, self.gates()) {
                self.note_trouble_once(&key, what);
            }
            defaults::prepare_new_pod(Arc::make_mut(pod), self.gates());
        }
        faults.extend(validate::check(&object, self.gates()));
        if !faults.is_empty() {
            return Err(faults);
        }
        self.make_namespace(&object);
        self.finish_new(&mut object, &key);
        self.put(object);
        Ok(())
    }

    /// Identity, times and first state of a new object. What a server printed keeps its own.
    fn finish_new(&mut self, object: &mut Object, key: &ObjectKey) {
        let now = self.wall_clock();
        let uid = self.uid_for(key);
        let metadata = object.metadata_mut();
        if metadata.uid.is_empty() {
            metadata.uid = uid;
        }
        metadata.creation_timestamp.get_or_insert(now);
        if let Object::Pod(pod) = object {
            let pod = Arc::make_mut(pod);
            if !pod.spec.scheduling_gates.is_empty() && pod.condition("PodScheduled").is_none() {
                pod.status.conditions.push(PodCondition {
                    type_: "PodScheduled".to_string(),
                    status: "False".to_string(),
                    reason: "SchedulingGated".to_string(),
                    message: "Scheduling is blocked due to non-empty scheduling gates".to_string(),
                    last_transition_time: Some(now),
                    ..Condition::default()
                });
            }
            if pod.metadata.is_terminating() {
                self.end_after_grace(key, pod);
            }
        }
    }

    fn name_generated(&self, object: &mut Object) {
        let metadata = object.metadata();
        if !metadata.name.is_empty() || metadata.generate_name.is_empty() {
            return;
        }
        let (kind, namespace) = (object.kind(), metadata.namespace.clone());
        let prefix = metadata.generate_name.clone();
        for attempt in 0_u32.. {
            let name = super::super::names::generated(&prefix, &[&attempt.to_string()]);
            let key = ObjectKey::new(kind, namespace.as_str(), name.as_str());
            if self.get(&key).is_none() {
                object.metadata_mut().name = name;
                return;
            }
        }
    }

    /// A namespace exists as soon as something lives in it.
    fn make_namespace(&mut self, object: &Object) {
        let namespace = &object.metadata().namespace;
        if namespace.is_empty() {
            return;
        }
        let key = ObjectKey::new(Kind::Namespace, "", namespace.as_str());
        if self.get(&key).is_some() {
            return;
        }
        let mut made = Object::from(Namespace {
            metadata: ObjectMeta::named(namespace.as_str()),
            ..Namespace::default()
        });
        defaults::apply(&mut made);
        self.finish_new(&mut made, &key);
        self.put(made);
    }

    fn replace(&mut self, mut object: Object) -> Result<(), Faults> {
        let key = key_of(&object);
        let Some(old) = self.get(&key).cloned() else {
            return self.create(object);
        };
        keep_status_unless_given(&mut object, &old);
        defaults::apply(&mut object);
        if let (Object::Pod(pod), Object::Pod(old)) = (&mut object, &old) {
            let pod = Arc::make_mut(pod);
            keep_assigned(pod, old);
            defaults::prepare_new_pod(pod, self.gates());
        }
        self.finish_update(object, &old)
    }

    /// Changes a part of an object by a strategic merge patch.
    ///
    /// Errors: no such object, a patch that cannot be applied, or everything that the API server would refuse; nothing is
    /// changed then.
    pub fn patch(
        &mut self,
        key: &ObjectKey,
        subresource: Subresource,
        patch: &Value,
        decode: impl FnOnce(Kind, &Value) -> Result<Object, Faults>,
    ) -> Result<(), Faults> {
        let Some(old) = self.get(key).cloned() else {
            let what = [&key.to_string(), " does not exist"].concat();
            return Err(vec![Fault::of(&[], InputError::NotFound { what })]);
        };
        let before = old.to_json();
        let mut after = before.clone();
        strategic_merge(&mut after, patch).map_err(|fault| vec![fault])?;
        if subresource == Subresource::None && after.get("status") != before.get("status") {
            let what = "a patch of the object leaves its status as it is, as in Kubernetes; patch it with `subresource: status`";
            self.note_trouble(key.to_string(), what.into());
        }
        keep_other_part(&mut after, &before, subresource);
        let mut object = decode(key.kind, &after)?;
        if object.key() != *key {
            return Err(vec![Fault::of(
                &["metadata", "name"],
                InputError::Immutable,
            )]);
        }
        if subresource == Subresource::Status {
            let faults = validate::check(&object, self.gates());
            if !faults.is_empty() {
                return Err(faults);
            }
            self.put(object);
            return Ok(());
        }
        defaults::apply(&mut object);
        if subresource == Subresource::Resize {
            let faults = validate::check(&object, self.gates());
            if !faults.is_empty() {
                return Err(faults);
            }
            self.put(object);
            return Ok(());
        }
        self.finish_update(object, &old)
    }

    fn finish_update(&mut self, mut object: Object, old: &Object) -> Result<(), Faults> {
        let kept = old.metadata().clone();
        let metadata = object.metadata_mut();
        metadata.uid = kept.uid;
        metadata.creation_timestamp = kept.creation_timestamp;
        metadata.generation = kept.generation;
        metadata.resource_version = kept.resource_version;
        metadata.deletion_timestamp = kept.deletion_timestamp;
        metadata.deletion_grace_period_seconds = kept.deletion_grace_period_seconds;
        let mut faults = validate::check(&object, self.gates());
        faults.extend(validate::check_update(old, &object));
        if !faults.is_empty() {
            return Err(faults);
        }
        let key = object.key();
        let may_go = object.metadata().is_terminating() && object.metadata().finalizers.is_empty();
        self.put(object);
        // The last finalizer went: what was held back by it alone goes now.
        if may_go && !self.ending.contains_key(&key) {
            self.drop_object(&key);
        }
        Ok(())
    }

    /// Writes an object as a controller, the kubelet or the scheduler has made it, without asking whether it may be so.
    pub(in crate::sim) fn write(&mut self, object: Object) {
        self.put(object);
    }

    /// Deletes an object: at once, or after its grace period if it is a pod on a node, or when its finalizers are gone.
    ///
    /// Errors: no such object.
    pub fn delete(&mut self, key: &ObjectKey, grace_seconds: Option<i64>) -> Result<(), Faults> {
        let Some(object) = self.get(key).cloned() else {
            let what = [&key.to_string(), " does not exist"].concat();
            return Err(vec![Fault::of(&[], InputError::NotFound { what })]);
        };
        let grace = match &object {
            Object::Pod(pod) => grace_of(pod, grace_seconds),
            _ => 0,
        };
        let has_finalizers = !object.metadata().finalizers.is_empty();
        if grace == 0 && !has_finalizers {
            self.forget_end(key);
            self.drop_object(key);
            return Ok(());
        }
        let now = self.wall_clock();
        let mut object = object;
        let metadata = object.metadata_mut();
        let is_shorter = metadata
            .deletion_grace_period_seconds
            .is_none_or(|before| grace < before);
        if metadata.is_terminating() && !is_shorter {
            return Ok(());
        }
        metadata.deletion_grace_period_seconds = Some(grace);
        metadata.deletion_timestamp = Some(add_seconds(now, grace));
        let uid = metadata.uid.clone();
        if grace > 0 {
            self.end_at(self.now() + Span::from_secs(grace), key, uid);
        } else {
            self.forget_end(key);
        }
        self.put(object);
        Ok(())
    }

    /// A pod that was printed while it was stopping goes on stopping.
    fn end_after_grace(&mut self, key: &ObjectKey, pod: &Pod) {
        if !pod.is_assigned() {
            return;
        }
        let grace = grace_of(pod, pod.metadata.deletion_grace_period_seconds);
        let uid = pod.metadata.uid.clone();
        self.end_at(self.now() + Span::from_secs(grace), key, uid);
    }

    /// The kubelet has stopped a pod: it goes, unless a finalizer holds it.
    pub(in crate::sim) fn stop(&mut self, key: &ObjectKey, uid: &str) {
        let Some(object) = self.get(key) else { return };
        let metadata = object.metadata();
        if metadata.uid == uid && metadata.finalizers.is_empty() {
            self.drop_object(key);
        }
    }
}

/// How long a pod that is deleted may take to stop, in seconds.
fn grace_of(pod: &Pod, asked: Option<i64>) -> i64 {
    if !pod.is_assigned() || pod.is_finished() {
        return 0;
    }
    asked
        .or(pod.spec.termination_grace_period_seconds)
        .unwrap_or(30)
        .max(0)
}

fn add_seconds(time: Time, seconds: i64) -> Time {
    let micros = Span::from_secs(seconds).as_micros();
    Time::from_micros(time.as_micros().saturating_add(micros))
}

/// What was decided about a pod since it was made stays, where the replacement says nothing of it.
fn keep_assigned(pod: &mut Pod, old: &Pod) {
    if pod.spec.node_name.is_empty() {
        pod.spec.node_name = old.spec.node_name.clone();
    }
    if pod.spec.priority.is_none() {
        pod.spec.priority = old.spec.priority;
    }
    if pod.spec.priority_class_name.is_empty() {
        pod.spec.priority_class_name = old.spec.priority_class_name.clone();
    }
    if pod.spec.preemption_policy.is_none() {
        pod.spec.preemption_policy = old.spec.preemption_policy.clone();
    }
    if pod.status.qos_class.is_empty() {
        pod.status.qos_class = old.status.qos_class.clone();
    }
}

/// A replacement without a status leaves the status as it is.
fn keep_status_unless_given(object: &mut Object, old: &Object) {
    macro_rules! keep {
        ($($kind:ident),*) => {
            match (object, old) {
                $((Object::$kind(new), Object::$kind(old)) if new.status == Default::default() => {
                    Arc::make_mut(new).status = old.status.clone();
                })*
                _ => {}
            }
        };
    }
    keep!(
        Pod,
        Node,
        Namespace,
        PersistentVolume,
        PersistentVolumeClaim,
        PodDisruptionBudget,
        ReplicaSet,
        Deployment,
        StatefulSet,
        DaemonSet,
        Job,
        ResourceClaim,
        PodGroup,
        VolumeAttachment
    );
}

/// A patch for the status changes nothing else, and one for the rest leaves the status alone.
fn keep_other_part(after: &mut Value, before: &Value, subresource: Subresource) {
    let (Value::Object(after), Value::Object(before)) = (after, before) else {
        return;
    };
    let kept: &[&str] = match subresource {
        Subresource::Status => &["spec", "metadata"],
        Subresource::None => &["status"],
        Subresource::Resize => &["status", "metadata"],
    };
    for field in kept {
        match before.get(*field) {
            Some(value) => after.insert((*field).to_string(), value.clone()),
            None => after.remove(*field),
        };
    }
}
