//! Where objects are kept: by kind, namespace and name, shared between forks until one of them changes.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::sync::Arc;

use crate::api::{Kind, Object, ObjectKey};

/// The objects of one namespace by name.
type Names = BTreeMap<Arc<str>, Object>;

/// Looking up needs no copy of a name, and a fork copies only the namespace that it changes.
#[derive(Clone, Debug, Default)]
pub(super) struct Store {
    kinds: BTreeMap<Kind, BTreeMap<Arc<str>, Arc<Names>>>,
}

impl Store {
    pub(super) fn get(&self, key: &ObjectKey) -> Option<&Object> {
        self.find(key.kind, &key.namespace, &key.name)
    }

    pub(super) fn find(&self, kind: Kind, namespace: &str, name: &str) -> Option<&Object> {
        self.kinds.get(&kind)?.get(namespace)?.get(name)
    }

    pub(super) fn insert(&mut self, key: &ObjectKey, object: Object) {
        let namespaces = self.kinds.entry(key.kind).or_default();
        if !namespaces.contains_key(key.namespace.as_str()) {
            namespaces.insert(Arc::from(key.namespace.as_str()), Arc::default());
        }
        let Some(names) = namespaces.get_mut(key.namespace.as_str()) else {
            return;
        };
        let names = Arc::make_mut(names);
        match names.get_mut(key.name.as_str()) {
            Some(slot) => *slot = object,
            None => {
                names.insert(Arc::from(key.name.as_str()), object);
            }
        }
    }

    pub(super) fn remove(&mut self, key: &ObjectKey) -> Option<Object> {
        let names = self.kinds.get_mut(&key.kind)?;
        let names = names.get_mut(key.namespace.as_str())?;
        Arc::make_mut(names).remove(key.name.as_str())
    }

    pub(super) fn list(&self, kind: Kind) -> impl Iterator<Item = &Object> {
        let namespaces = self.kinds.get(&kind).into_iter();
        namespaces
            .flat_map(BTreeMap::values)
            .flat_map(|names| names.values())
    }

    pub(super) fn list_in(&self, kind: Kind, namespace: &str) -> impl Iterator<Item = &Object> {
        let names = self.kinds.get(&kind);
        let names = names.and_then(|namespaces| namespaces.get(namespace));
        names.into_iter().flat_map(|names| names.values())
    }
}

/// Whether two versions of an object want the same: its generation counts changes of that.
pub(super) fn same_spec(old: &Object, new: &Object) -> bool {
    match (old, new) {
        (Object::Pod(old), Object::Pod(new)) => old.spec == new.spec,
        (Object::Node(old), Object::Node(new)) => old.spec == new.spec,
        (Object::ReplicaSet(old), Object::ReplicaSet(new)) => old.spec == new.spec,
        (Object::Deployment(old), Object::Deployment(new)) => old.spec == new.spec,
        (Object::StatefulSet(old), Object::StatefulSet(new)) => old.spec == new.spec,
        (Object::DaemonSet(old), Object::DaemonSet(new)) => old.spec == new.spec,
        (Object::Job(old), Object::Job(new)) => old.spec == new.spec,
        (Object::PodGroup(old), Object::PodGroup(new)) => old.spec == new.spec,
        (Object::PodDisruptionBudget(old), Object::PodDisruptionBudget(new)) => {
            old.spec == new.spec
        }
        _ => true,
    }
}

/// A name as it stands in an API path, for messages.
pub(super) fn resource_name(key: &ObjectKey) -> String {
    [key.kind.plural(), " \"", &key.name, "\""].concat()
}
