//! Any of the objects that the scheduler knows, and how each is found.

use alloc::string::String;
use alloc::sync::Arc;
use core::fmt;

use serde::{Serialize, Serializer};

use super::claim::{DeviceClass, ResourceClaim, ResourceClaimTemplate, ResourceSlice};
use super::decode::{Read, Typed};
use super::meta::ObjectMeta;
use super::namespace::{ConfigMap, Namespace, Service};
use super::node::Node;
use super::pod::Pod;
use super::policy::{PodDisruptionBudget, PriorityClass};
use super::schema::Wire;
use super::storage::{
    CSIDriver, CSINode, CSIStorageCapacity, PersistentVolume, PersistentVolumeClaim, StorageClass,
    VolumeAttachment,
};
use super::workload::{
    CronJob, DaemonSet, Deployment, Job, PodGroup, ReplicaSet, ReplicationController, StatefulSet,
};

/// The one table of kinds: name and type, API group and version, whether it lives in a namespace, plural.
macro_rules! kinds {
    ($($kind:ident $version:literal $scope:ident $plural:literal,)*) => {
        /// A kind of object that the scheduler knows.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, serde::Deserialize)]
        #[expect(missing_docs, reason = "each is Kubernetes' kind of that name")]
        pub enum Kind { $($kind,)* }

        impl Kind {
            /// Every kind, in the order of the table.
            pub const ALL: &[Self] = &[$(Self::$kind,)*];

            /// Its name, such as `Pod`.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$kind => stringify!($kind),)* }
            }

            /// Its API group and version, such as `apps/v1`.
            #[must_use]
            pub const fn api_version(self) -> &'static str {
                match self { $(Self::$kind => $version,)* }
            }

            /// What many of it are called, such as `pods`.
            #[must_use]
            pub const fn plural(self) -> &'static str {
                match self { $(Self::$kind => $plural,)* }
            }

            /// Whether its objects live in a namespace.
            #[must_use]
            pub const fn is_namespaced(self) -> bool {
                match self { $(Self::$kind => kinds!(@is_namespaced $scope),)* }
            }
        }

        /// Any object that the scheduler knows. Cheap to clone.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[expect(missing_docs, reason = "each is Kubernetes' kind of that name")]
        pub enum Object { $($kind(Arc<$kind>),)* }

        impl Object {
            /// What kind it is.
            #[must_use]
            pub const fn kind(&self) -> Kind {
                match self { $(Self::$kind(_) => Kind::$kind,)* }
            }

            /// What every object carries.
            #[must_use]
            pub fn metadata(&self) -> &ObjectMeta {
                match self { $(Self::$kind(object) => &object.metadata,)* }
            }

            /// What every object carries, to be changed; an object shared with somebody else is copied first.
            pub fn metadata_mut(&mut self) -> &mut ObjectMeta {
                match self { $(Self::$kind(object) => &mut Arc::make_mut(object).metadata,)* }
            }

            /// An object of a kind with nothing in it.
            #[must_use]
            pub fn empty(kind: Kind) -> Self {
                match kind { $(Kind::$kind => Self::$kind(Arc::default()),)* }
            }

            fn wire(&self) -> &dyn Wire {
                match self { $(Self::$kind(object) => &**object,)* }
            }

            fn wire_mut(&mut self) -> &mut dyn Wire {
                match self { $(Self::$kind(object) => {
                    let object: &mut $kind = Arc::make_mut(object);
                    object
                })* }
            }
        }

        $(impl OfKind for $kind {
            fn of(object: &Object) -> Option<&Arc<Self>> {
                match object {
                    Object::$kind(object) => Some(object),
                    _ => None,
                }
            }
        })*

        $(impl From<Arc<$kind>> for Object {
            fn from(object: Arc<$kind>) -> Self {
                Self::$kind(object)
            }
        })*

        $(impl From<$kind> for Object {
            fn from(object: $kind) -> Self {
                Self::$kind(Arc::new(object))
            }
        })*
    };
    (@is_namespaced namespaced) => { true };
    (@is_namespaced cluster) => { false };
}

kinds! {
    Pod "v1" namespaced "pods",
    Node "v1" cluster "nodes",
    Namespace "v1" cluster "namespaces",
    Service "v1" namespaced "services",
    ConfigMap "v1" namespaced "configmaps",
    ReplicationController "v1" namespaced "replicationcontrollers",
    ReplicaSet "apps/v1" namespaced "replicasets",
    StatefulSet "apps/v1" namespaced "statefulsets",
    Deployment "apps/v1" namespaced "deployments",
    DaemonSet "apps/v1" namespaced "daemonsets",
    Job "batch/v1" namespaced "jobs",
    CronJob "batch/v1" namespaced "cronjobs",
    PriorityClass "scheduling.k8s.io/v1" cluster "priorityclasses",
    PodGroup "scheduling.k8s.io/v1alpha2" namespaced "podgroups",
    PodDisruptionBudget "policy/v1" namespaced "poddisruptionbudgets",
    PersistentVolume "v1" cluster "persistentvolumes",
    PersistentVolumeClaim "v1" namespaced "persistentvolumeclaims",
    StorageClass "storage.k8s.io/v1" cluster "storageclasses",
    CSINode "storage.k8s.io/v1" cluster "csinodes",
    CSIDriver "storage.k8s.io/v1" cluster "csidrivers",
    CSIStorageCapacity "storage.k8s.io/v1" namespaced "csistoragecapacities",
    VolumeAttachment "storage.k8s.io/v1" cluster "volumeattachments",
    ResourceClaim "resource.k8s.io/v1" namespaced "resourceclaims",
    ResourceClaimTemplate "resource.k8s.io/v1" namespaced "resourceclaimtemplates",
    ResourceSlice "resource.k8s.io/v1" cluster "resourceslices",
    DeviceClass "resource.k8s.io/v1" cluster "deviceclasses",
}

/// The type of one kind of objects.
pub trait OfKind: Sized {
    /// The object, if it is of this kind.
    fn of(object: &Object) -> Option<&Arc<Self>>;
}

impl Kind {
    /// The kind of that name, whatever the case of its letters; also by its plural.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        let named = |kind: &&Self| {
            kind.as_str().eq_ignore_ascii_case(name) || kind.plural().eq_ignore_ascii_case(name)
        };
        Self::ALL.iter().find(named).copied()
    }

    /// Its API group, empty for the core's.
    #[must_use]
    pub fn group(self) -> &'static str {
        self.api_version()
            .split_once('/')
            .map_or("", |(group, _)| group)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Object {
    /// Its API group and version.
    #[must_use]
    pub const fn api_version(&self) -> &'static str {
        self.kind().api_version()
    }

    /// How it is found.
    #[must_use]
    pub fn key(&self) -> ObjectKey {
        let metadata = self.metadata();
        ObjectKey::new(
            self.kind(),
            metadata.namespace.as_str(),
            metadata.name.as_str(),
        )
    }

    /// Reads an object of a known kind.
    ///
    /// Errors: the first value that is not what its field needs.
    pub(super) fn read(kind: Kind, from: Typed<'_, '_, '_>) -> Read<Self> {
        let mut object = Self::empty(kind);
        object.wire_mut().read(from)?;
        Ok(object)
    }

    /// The object as Kubernetes writes it.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        let mut value = self.wire().write();
        if let serde_json::Value::Object(fields) = &mut value {
            fields.insert("apiVersion".into(), self.api_version().into());
            fields.insert("kind".into(), self.kind().as_str().into());
        }
        value
    }
}

/// The object as Kubernetes writes it, fields by name.
impl Serialize for Object {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_json().serialize(serializer)
    }
}

/// How an object is found: kind, namespace, name; ordered in this order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, serde::Deserialize)]
pub struct ObjectKey {
    /// What kind it is.
    pub kind: Kind,
    /// Where it lives; empty for kinds without a namespace.
    pub namespace: String,
    /// What it is called there.
    pub name: String,
}

impl ObjectKey {
    /// The key of the object called `name` in `namespace`; kinds without a namespace drop it.
    #[must_use]
    pub fn new(kind: Kind, namespace: impl Into<String>, name: impl Into<String>) -> Self {
        let namespace = if kind.is_namespaced() {
            namespace.into()
        } else {
            String::new()
        };
        Self {
            kind,
            namespace,
            name: name.into(),
        }
    }
}

/// `Pod default/web-1`, `Node node-1`.
impl fmt::Display for ObjectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.namespace.is_empty() {
            write!(f, "{} {}", self.kind, self.name)
        } else {
            write!(f, "{} {}/{}", self.kind, self.namespace, self.name)
        }
    }
}

#[cfg(test)]
mod tests;
