//! Where objects are kept: by kind, namespace and name, shared between forks until one of them changes.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::sync::Arc;

use crate::api::{Kind, Object, ObjectKey};

/// Namespace and name.
type Names = (Arc<str>, Arc<str>);

#[derive(Clone, Debug, Default)]
pub(super) struct Store {
    kinds: BTreeMap<Kind, Arc<BTreeMap<Names, Object>>>,
}

impl Store {
    pub(super) fn get(&self, key: &ObjectKey) -> Option<&Object> {
        self.kinds.get(&key.kind)?.get(&names(key))
    }

    pub(super) fn insert(&mut self, key: ObjectKey, object: Object) {
        let kind = self.kinds.entry(key.kind).or_default();
        Arc::make_mut(kind).insert(names(&key), object);
    }

    pub(super) fn remove(&mut self, key: &ObjectKey) -> Option<Object> {
        let kind = self.kinds.get_mut(&key.kind)?;
        Arc::make_mut(kind).remove(&names(key))
    }

    pub(super) fn list(&self, kind: Kind) -> impl Iterator<Item = &Object> {
        self.kinds
            .get(&kind)
            .into_iter()
            .flat_map(|objects| objects.values())
    }

    pub(super) fn list_in<'a>(
        &'a self,
        kind: Kind,
        namespace: &'a str,
    ) -> impl Iterator<Item = &'a Object> {
        let start: Names = (Arc::from(namespace), Arc::from(""));
        self.kinds
            .get(&kind)
            .into_iter()
            .flat_map(move |objects| objects.range(start.clone()..))
            .take_while(move |((found, _), _)| **found == *namespace)
            .map(|(_, object)| object)
    }
}

fn names(key: &ObjectKey) -> Names {
    (
        Arc::from(key.namespace.as_str()),
        Arc::from(key.name.as_str()),
    )
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
