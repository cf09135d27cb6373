//! What the server's admission adds to a new object or refuses: importance of pods, the default class of claims.

use alloc::string::ToString;
use alloc::vec::Vec;

use crate::api::{Kind, Object, ObjectKey, PersistentVolumeClaim, Pod, PriorityClass};

use super::super::error::{Fault, Faults, InputError};
use super::super::validate::SYSTEM_CLASSES;
use super::World;

impl World {
    /// Admits a new object, or says why not.
    pub(super) fn admit_new(&self, object: &mut Object) -> Faults {
        match object {
            Object::Pod(pod) => self.admit_pod(alloc::sync::Arc::make_mut(pod)),
            Object::PersistentVolumeClaim(claim) => {
                self.admit_claim(alloc::sync::Arc::make_mut(claim));
                Vec::new()
            }
            Object::PriorityClass(class) => self.admit_class(class),
            _ => Vec::new(),
        }
    }

    /// The class gives the pod its value and its policy; without a class the global default does, without that the value
    /// is 0.
    fn admit_pod(&self, pod: &mut Pod) -> Faults {
        let class = match pod.spec.priority_class_name.as_str() {
            "" => self.default_class(),
            name => match self.priority_class(name) {
                Some(class) => Some(class),
                // A server printed it: the class is only missing from the file.
                None if pod.spec.priority.is_some() && !pod.metadata.uid.is_empty() => {
                    return Vec::new();
                }
                None => {
                    let what = ["no PriorityClass with name ", name, " was found"].concat();
                    return [Fault::of(
                        &["spec", "priorityClassName"],
                        InputError::NotFound { what },
                    )]
                    .into();
                }
            },
        };
        let (value, policy) = match &class {
            Some(class) => (class.value, class.preemption_policy.clone()),
            None => (0, None),
        };
        if let Some(given) = pod.spec.priority.filter(|given| *given != value) {
            let is_printed = !pod.metadata.uid.is_empty();
            if !is_printed {
                return [Fault::of(
                    &["spec", "priority"],
                    InputError::invalid(
                        given,
                        alloc::format!("{value}, which its class gives it, or nothing"),
                    ),
                )]
                .into();
            }
            return Vec::new();
        }
        pod.spec.priority = Some(value);
        if let Some(class) = class {
            pod.spec.priority_class_name = class.metadata.name;
        }
        let policy = policy.unwrap_or_else(|| "PreemptLowerPriority".to_string());
        match &pod.spec.preemption_policy {
            Some(given) if *given != policy && pod.metadata.uid.is_empty() => [Fault::of(
                &["spec", "preemptionPolicy"],
                InputError::invalid(
                    given,
                    alloc::format!("{policy}, which its class gives it, or nothing"),
                ),
            )]
            .into(),
            Some(_) => Vec::new(),
            None => {
                pod.spec.preemption_policy = Some(policy);
                Vec::new()
            }
        }
    }

    fn priority_class(&self, name: &str) -> Option<PriorityClass> {
        if let Some(Object::PriorityClass(class)) =
            self.get(&ObjectKey::new(Kind::PriorityClass, "", name))
        {
            return Some(PriorityClass::clone(class));
        }
        let (name, value) = SYSTEM_CLASSES.iter().find(|(known, _)| *known == name)?;
        let mut class = PriorityClass {
            value: *value,
            preemption_policy: Some("PreemptLowerPriority".to_string()),
            ..PriorityClass::default()
        };
        class.metadata.name = (*name).to_string();
        Some(class)
    }

    /// The class of pods without one. Of several the one with the lowest value counts, as in Kubernetes.
    fn default_class(&self) -> Option<PriorityClass> {
        let classes = self
            .list(Kind::PriorityClass)
            .filter_map(|object| match object {
                Object::PriorityClass(class) if class.global_default => Some(class),
                _ => None,
            });
        classes
            .min_by_key(|class| class.value)
            .map(|class| PriorityClass::clone(class))
    }

    fn admit_class(&self, class: &PriorityClass) -> Faults {
        if !class.global_default {
            return Vec::new();
        }
        match self.default_class() {
            Some(other) if other.metadata.name != class.metadata.name => [Fault::of(
                &["globalDefault"],
                InputError::forbidden(
                    "a second global default",
                    alloc::format!("one only, which {} is already", other.metadata.name),
                ),
            )]
            .into(),
            _ => Vec::new(),
        }
    }

    /// A claim that says nothing of its class gets the default one; of several the newest, then the first by name.
    fn admit_claim(&self, claim: &mut PersistentVolumeClaim) {
        let has_class = claim.spec.storage_class_name.is_some()
            || claim
                .metadata
                .annotations
                .contains_key("volume.beta.kubernetes.io/storage-class");
        if has_class || !claim.spec.volume_name.is_empty() {
            return;
        }
        let defaults = self.list(Kind::StorageClass).filter(|class| {
            let annotations = &class.metadata().annotations;
            let says = |key: &str| annotations.get(key).is_some_and(|value| value == "true");
            says("storageclass.kubernetes.io/is-default-class")
                || says("storageclass.beta.kubernetes.io/is-default-class")
        });
        // `max_by_key` takes the last of equals, so the order is turned round to get the first.
        let all: Vec<&Object> = defaults.collect();
        let newest = all
            .into_iter()
            .rev()
            .max_by_key(|class| class.metadata().creation_timestamp);
        if let Some(class) = newest {
            claim.spec.storage_class_name = Some(class.metadata().name.clone());
        }
    }
}
