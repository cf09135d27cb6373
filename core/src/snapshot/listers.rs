//! The objects that plugins look up by name: what informers hold in kube-scheduler.
//!
//! These are live, not frozen with a snapshot: a lookup gives the newest object that was observed, as upstream.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::sync::Arc;

use crate::api::{
    CSIDriver, CSINode, CSIStorageCapacity, DeviceClass, Kind, Namespace, Node, Object, ObjectKey,
    ObjectMeta, PersistentVolume, PersistentVolumeClaim, Pod, PodDisruptionBudget, PodGroup,
    ReplicaSet, ReplicationController, ResourceClaim, ResourceSlice, Service, StatefulSet,
    StorageClass, VolumeAttachment,
};

/// The newest observed objects of one kind, by namespace and name. Cheap to clone: copied when first changed.
#[derive(Clone, Debug)]
pub struct Store<T> {
    namespaces: Arc<BTreeMap<String, BTreeMap<String, Arc<T>>>>,
}

impl<T> Default for Store<T> {
    fn default() -> Self {
        Self {
            namespaces: Arc::default(),
        }
    }
}

impl<T> Store<T> {
    /// The object with this name; cluster-wide kinds have the empty namespace.
    #[must_use]
    pub fn get(&self, namespace: &str, name: &str) -> Option<&Arc<T>> {
        self.namespaces.get(namespace)?.get(name)
    }

    /// Stores an object under the names in its metadata and returns the one it replaced.
    pub fn insert(&mut self, metadata: &ObjectMeta, object: Arc<T>) -> Option<Arc<T>> {
        Arc::make_mut(&mut self.namespaces)
            .entry(metadata.namespace.clone())
            .or_default()
            .insert(metadata.name.clone(), object)
    }

    /// Forgets an object and returns it.
    pub fn remove(&mut self, namespace: &str, name: &str) -> Option<Arc<T>> {
        let namespaces = Arc::make_mut(&mut self.namespaces);
        let objects = namespaces.get_mut(namespace)?;
        let removed = objects.remove(name);
        if objects.is_empty() {
            namespaces.remove(namespace);
        }
        removed
    }

    /// Every object, by namespace and name.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<T>> {
        self.namespaces.values().flat_map(BTreeMap::values)
    }

    /// The objects of one namespace, by name.
    pub fn in_namespace(&self, namespace: &str) -> impl Iterator<Item = &Arc<T>> {
        self.namespaces
            .get(namespace)
            .into_iter()
            .flat_map(BTreeMap::values)
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.namespaces.is_empty()
    }
}

/// One store for each kind that a scheduler reads.
#[derive(Clone, Debug, Default)]
pub struct Listers {
    /// Pods, in every phase that was observed.
    pub pods: Store<Pod>,
    /// Nodes.
    pub nodes: Store<Node>,
    /// Namespaces.
    pub namespaces: Store<Namespace>,
    /// Services.
    pub services: Store<Service>,
    /// ReplicationControllers.
    pub replication_controllers: Store<ReplicationController>,
    /// ReplicaSets.
    pub replica_sets: Store<ReplicaSet>,
    /// StatefulSets.
    pub stateful_sets: Store<StatefulSet>,
    /// PodDisruptionBudgets.
    pub pod_disruption_budgets: Store<PodDisruptionBudget>,
    /// PersistentVolumes.
    pub persistent_volumes: Store<PersistentVolume>,
    /// PersistentVolumeClaims.
    pub persistent_volume_claims: Store<PersistentVolumeClaim>,
    /// StorageClasses.
    pub storage_classes: Store<StorageClass>,
    /// CSINodes.
    pub csi_nodes: Store<CSINode>,
    /// CSIDrivers.
    pub csi_drivers: Store<CSIDriver>,
    /// CSIStorageCapacities.
    pub csi_storage_capacities: Store<CSIStorageCapacity>,
    /// VolumeAttachments.
    pub volume_attachments: Store<VolumeAttachment>,
    /// ResourceClaims.
    pub resource_claims: Store<ResourceClaim>,
    /// ResourceSlices.
    pub resource_slices: Store<ResourceSlice>,
    /// DeviceClasses.
    pub device_classes: Store<DeviceClass>,
    /// PodGroups.
    pub pod_groups: Store<PodGroup>,
}

/// `insert` and `remove` over one table of kind and store.
macro_rules! stores {
    ($( $kind:ident => $field:ident ),* $(,)?) => {
        /// Stores the object and returns the older version, if any. Kinds that no plugin reads are left out.
        pub fn insert(&mut self, object: &Object) -> Option<Object> {
            match object {
                $( Object::$kind(value) => {
                    self.$field.insert(&value.metadata, value.clone()).map(Object::$kind)
                } )*
                _ => None,
            }
        }

        /// Forgets the object and returns what was stored, if anything.
        pub fn remove(&mut self, key: &ObjectKey) -> Option<Object> {
            match key.kind {
                $( Kind::$kind => self.$field.remove(&key.namespace, &key.name).map(Object::$kind), )*
                _ => None,
            }
        }

        /// The newest version of an object of any kind.
        #[must_use]
        pub fn get(&self, key: &ObjectKey) -> Option<Object> {
            match key.kind {
                $( Kind::$kind => self.$field.get(&key.namespace, &key.name).cloned().map(Object::$kind), )*
                _ => None,
            }
        }
    };
}

impl Listers {
    stores! {
        Pod => pods,
        Node => nodes,
        Namespace => namespaces,
        Service => services,
        ReplicationController => replication_controllers,
        ReplicaSet => replica_sets,
        StatefulSet => stateful_sets,
        PodDisruptionBudget => pod_disruption_budgets,
        PersistentVolume => persistent_volumes,
        PersistentVolumeClaim => persistent_volume_claims,
        StorageClass => storage_classes,
        CSINode => csi_nodes,
        CSIDriver => csi_drivers,
        CSIStorageCapacity => csi_storage_capacities,
        VolumeAttachment => volume_attachments,
        ResourceClaim => resource_claims,
        ResourceSlice => resource_slices,
        DeviceClass => device_classes,
        PodGroup => pod_groups,
    }

    /// The labels of a namespace; none when it is not known.
    #[must_use]
    pub fn namespace_labels(&self, namespace: &str) -> &BTreeMap<String, String> {
        self.namespaces
            .get("", namespace)
            .map_or(&NO_LABELS, |found| &found.metadata.labels)
    }
}

static NO_LABELS: BTreeMap<String, String> = BTreeMap::new();
