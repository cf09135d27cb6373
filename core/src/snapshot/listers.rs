//! The objects that plugins look up by name: what informers hold in kube-scheduler.
//!
//! These are live, not frozen with a snapshot: a lookup gives the newest object that was observed, as upstream.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::marker::PhantomData;

use crate::api::{
    CSIDriver, CSINode, CSIStorageCapacity, DeviceClass, Kind, Namespace, Node, Object, ObjectKey,
    OfKind, PersistentVolume, PersistentVolumeClaim, Pod, PodDisruptionBudget, PodGroup,
    ReplicaSet, ReplicationController, ResourceClaim, ResourceSlice, Service, StatefulSet,
    StorageClass, VolumeAttachment,
};
use crate::order::SortedMap;

/// The newest observed objects of one kind, by namespace and name. Cheap to clone: copied when first changed.
///
/// What is kept is the same for every kind, so that its code is there once.
#[derive(Clone, Debug)]
pub struct Store<T> {
    objects: Objects,
    kind: PhantomData<fn() -> T>,
}

/// Objects by namespace and name.
#[derive(Clone, Debug, Default)]
struct Objects {
    namespaces: Arc<BTreeMap<String, BTreeMap<String, Object>>>,
}

impl Objects {
    fn get(&self, namespace: &str, name: &str) -> Option<&Object> {
        self.namespaces.get(namespace)?.get(name)
    }

    fn insert(&mut self, object: Object) -> Option<Object> {
        let metadata = object.metadata();
        let (namespace, name) = (metadata.namespace.clone(), metadata.name.clone());
        Arc::make_mut(&mut self.namespaces)
            .entry(namespace)
            .or_default()
            .insert(name, object)
    }

    fn remove(&mut self, namespace: &str, name: &str) -> Option<Object> {
        let namespaces = Arc::make_mut(&mut self.namespaces);
        let objects = namespaces.get_mut(namespace)?;
        let removed = objects.remove(name);
        if objects.is_empty() {
            namespaces.remove(namespace);
        }
        removed
    }
}

impl<T> Default for Store<T> {
    fn default() -> Self {
        Self {
            objects: Objects::default(),
            kind: PhantomData,
        }
    }
}

impl<T: OfKind> Store<T> {
    /// The object with this name; cluster-wide kinds have the empty namespace.
    #[must_use]
    pub fn get(&self, namespace: &str, name: &str) -> Option<&Arc<T>> {
        self.objects.get(namespace, name).and_then(T::of)
    }

    /// Stores an object under the names in its metadata.
    pub fn insert(&mut self, object: Arc<T>)
    where
        Object: From<Arc<T>>,
    {
        self.objects.insert(object.into());
    }

    /// Every object, by namespace and name.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<T>> {
        let namespaces = self.objects.namespaces.values();
        namespaces.flat_map(BTreeMap::values).filter_map(T::of)
    }

    /// The objects of one namespace, by name.
    pub fn in_namespace(&self, namespace: &str) -> impl Iterator<Item = &Arc<T>> {
        let objects = self.objects.namespaces.get(namespace).into_iter();
        objects.flat_map(BTreeMap::values).filter_map(T::of)
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.objects.namespaces.is_empty()
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

/// The store of a kind, over one table of kind and field.
macro_rules! stores {
    ($( $kind:ident => $field:ident ),* $(,)?) => {
        fn store(&self, kind: Kind) -> Option<&Objects> {
            match kind {
                $( Kind::$kind => Some(&self.$field.objects), )*
                _ => None,
            }
        }

        fn store_mut(&mut self, kind: Kind) -> Option<&mut Objects> {
            match kind {
                $( Kind::$kind => Some(&mut self.$field.objects), )*
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

    /// Stores the object and returns the older version, if any. Kinds that no plugin reads are left out.
    pub fn insert(&mut self, object: &Object) -> Option<Object> {
        self.store_mut(object.kind())?.insert(object.clone())
    }

    /// Forgets the object and returns what was stored, if anything.
    pub fn remove(&mut self, key: &ObjectKey) -> Option<Object> {
        self.store_mut(key.kind)?.remove(&key.namespace, &key.name)
    }

    /// The newest version of an object of any kind.
    #[must_use]
    pub fn get(&self, key: &ObjectKey) -> Option<&Object> {
        self.store(key.kind)?.get(&key.namespace, &key.name)
    }

    /// The keys of all objects of one kind, by namespace and name.
    #[must_use]
    pub fn keys(&self, kind: Kind) -> Vec<ObjectKey> {
        let namespaces = self.store(kind).into_iter();
        let namespaces = namespaces.flat_map(|objects| objects.namespaces.values());
        namespaces
            .flat_map(BTreeMap::values)
            .map(Object::key)
            .collect()
    }

    /// The labels of a namespace; none when it is not known.
    #[must_use]
    pub fn namespace_labels(&self, namespace: &str) -> &SortedMap<String, String> {
        self.namespaces
            .get("", namespace)
            .map_or(&NO_LABELS, |found| &found.metadata.labels)
    }
}

static NO_LABELS: SortedMap<String, String> = SortedMap::new();
