//! Volumes that outlive pods, who claims them, and what drivers can do.

use alloc::string::String;
use alloc::vec::Vec;

use super::meta::{Condition, ObjectMeta, ObjectReference, StringMap, Time};
use super::quantity::Quantity;
use super::resources::ResourceList;
use super::schema::{Opaque, objects};
use super::selector::{LabelSelector, NodeSelector};
use super::volume::{
    AWSElasticBlockStoreVolumeSource, AzureDiskVolumeSource, AzureFileVolumeSource,
    CinderVolumeSource, GCEPersistentDiskVolumeSource, ISCSIVolumeSource, PortworxVolumeSource,
    RBDVolumeSource, VsphereVirtualDiskVolumeSource,
};

objects! {
    /// A volume that outlives pods.
    pub struct PersistentVolume {
        /// Name, labels, annotations.
        pub metadata: ObjectMeta,
        /// What it is.
        pub spec: PersistentVolumeSpec,
        /// Whether it is free.
        pub status: PersistentVolumeStatus,
    }

    /// What a volume is.
    pub struct PersistentVolumeSpec {
        /// How large it is.
        pub capacity: ResourceList,
        /// How it can be used.
        pub access_modes: Vec<String>,
        /// The claim it belongs to.
        pub claim_ref: Option<ObjectReference>,
        /// Nodes from which it can be reached.
        pub node_affinity: Option<VolumeNodeAffinity>,
        /// Its class.
        pub storage_class_name: String,
        /// `Filesystem` (also when absent) or `Block`.
        pub volume_mode: Option<String>,
        /// What happens when its claim goes.
        pub persistent_volume_reclaim_policy: String,
        /// Its class of changeable attributes.
        pub volume_attributes_class_name: Option<String>,
        /// A volume of a driver.
        pub csi: Option<CSIPersistentVolumeSource>,
        /// A disk of Google Compute Engine.
        pub gce_persistent_disk: Option<GCEPersistentDiskVolumeSource>,
        /// A disk of Amazon.
        pub aws_elastic_block_store: Option<AWSElasticBlockStoreVolumeSource>,
        /// A Ceph block device.
        pub rbd: Option<RBDVolumeSource>,
        /// A disk over the network.
        pub iscsi: Option<ISCSIVolumeSource>,
        /// A disk of Azure.
        pub azure_disk: Option<AzureDiskVolumeSource>,
        /// A file share of Azure.
        pub azure_file: Option<AzureFileVolumeSource>,
        /// A disk of OpenStack.
        pub cinder: Option<CinderVolumeSource>,
        /// A disk of Portworx.
        pub portworx_volume: Option<PortworxVolumeSource>,
        /// A disk of vSphere.
        pub vsphere_volume: Option<VsphereVirtualDiskVolumeSource>,
        /// A folder of the node.
        pub host_path: Option<Opaque>,
        /// A disk of the node.
        pub local: Option<Opaque>,
        /// A share of a file server.
        pub nfs: Option<Opaque>,
        /// A Ceph file system.
        pub cephfs: Option<Opaque>,
        /// A disk over fibre channel.
        pub fc: Option<Opaque>,
        /// A volume of a driver of the older kind.
        pub flex_volume: Option<Opaque>,
        /// A volume of Flocker.
        pub flocker: Option<Opaque>,
        /// A volume of Gluster.
        pub glusterfs: Option<Opaque>,
        /// A disk of Photon.
        pub photon_persistent_disk: Option<Opaque>,
        /// A volume of Quobyte.
        pub quobyte: Option<Opaque>,
        /// A volume of ScaleIO.
        #[name = "scaleIO"]
        pub scale_io: Option<Opaque>,
        /// A volume of StorageOS.
        pub storageos: Option<Opaque>,
    }

    /// Nodes from which a volume can be reached.
    pub struct VolumeNodeAffinity {
        /// The nodes.
        pub required: Option<NodeSelector>,
    }

    /// A volume of a driver.
    pub struct CSIPersistentVolumeSource {
        /// The driver.
        pub driver: String,
        /// What the driver calls the volume.
        pub volume_handle: String,
        /// Whether it is only read.
        pub read_only: bool,
        /// The file system.
        pub fs_type: String,
        /// What the driver needs to know.
        pub volume_attributes: StringMap,
    }

    /// Whether a volume is free.
    pub struct PersistentVolumeStatus {
        /// `Pending`, `Available`, `Bound`, `Released` or `Failed`.
        pub phase: String,
        /// Why, in a sentence.
        pub message: String,
        /// Why, in one word.
        pub reason: String,
        /// When the phase last changed.
        pub last_phase_transition_time: Option<Time>,
    }

    /// Who wants a volume.
    pub struct PersistentVolumeClaim {
        /// Name, labels, annotations.
        pub metadata: ObjectMeta,
        /// What is wanted.
        pub spec: PersistentVolumeClaimSpec,
        /// What it got.
        pub status: PersistentVolumeClaimStatus,
    }

    /// What a claim wants.
    pub struct PersistentVolumeClaimSpec {
        /// How the volume is to be used.
        pub access_modes: Vec<String>,
        /// Which volumes will do; absent is any.
        pub selector: Option<LabelSelector>,
        /// How large it must be.
        pub resources: VolumeResourceRequirements,
        /// The volume it is bound to.
        pub volume_name: String,
        /// The class; empty text is no class, absent is the default one.
        pub storage_class_name: Option<String>,
        /// `Filesystem` (also when absent) or `Block`.
        pub volume_mode: Option<String>,
        /// Where its first content comes from.
        pub data_source: Option<Opaque>,
        /// Where its first content comes from, of any kind.
        pub data_source_ref: Option<Opaque>,
        /// The class of changeable attributes.
        pub volume_attributes_class_name: Option<String>,
    }

    /// How large a volume must be.
    pub struct VolumeResourceRequirements {
        /// At least.
        pub requests: ResourceList,
        /// At most.
        pub limits: ResourceList,
    }

    /// What a claim got.
    pub struct PersistentVolumeClaimStatus {
        /// `Pending`, `Bound` or `Lost`.
        pub phase: String,
        /// How the volume can be used.
        pub access_modes: Vec<String>,
        /// How large it is.
        pub capacity: ResourceList,
        /// One entry an aspect.
        pub conditions: Vec<Condition>,
    }

    /// A kind of volume.
    pub struct StorageClass {
        /// Its name and annotations.
        pub metadata: ObjectMeta,
        /// Who makes the volumes.
        pub provisioner: String,
        /// What the provisioner needs to know.
        pub parameters: StringMap,
        /// What happens to a volume when its claim goes.
        pub reclaim_policy: Option<String>,
        /// How volumes are mounted.
        pub mount_options: Vec<String>,
        /// Whether volumes can grow.
        pub allow_volume_expansion: Option<bool>,
        /// `Immediate` or `WaitForFirstConsumer`.
        pub volume_binding_mode: Option<String>,
        /// Where volumes can be made; empty is everywhere.
        pub allowed_topologies: Vec<TopologySelectorTerm>,
    }

    /// Where volumes can be made: every requirement must hold.
    pub struct TopologySelectorTerm {
        /// The requirements.
        pub match_label_expressions: Vec<TopologySelectorLabelRequirement>,
    }

    /// A label that a node must have with one of some values.
    pub struct TopologySelectorLabelRequirement {
        /// The label.
        pub key: String,
        /// The values.
        pub values: Vec<String>,
    }

    /// Which drivers a node has.
    pub struct CSINode {
        /// The node's name; annotations.
        pub metadata: ObjectMeta,
        /// The drivers.
        pub spec: CSINodeSpec,
    }

    /// Which drivers a node has.
    pub struct CSINodeSpec {
        /// The drivers.
        pub drivers: Vec<CSINodeDriver>,
    }

    /// A driver on a node.
    pub struct CSINodeDriver {
        /// The driver.
        pub name: String,
        /// What the driver calls the node.
        #[name = "nodeID"]
        pub node_id: String,
        /// Labels that say where the node is, for the driver.
        pub topology_keys: Vec<String>,
        /// How much it can do here.
        pub allocatable: Option<VolumeNodeResources>,
    }

    /// How many volumes a driver can attach to a node.
    pub struct VolumeNodeResources {
        /// How many; absent is any number.
        pub count: Option<i32>,
    }

    /// What a driver can do.
    pub struct CSIDriver {
        /// The driver's name.
        pub metadata: ObjectMeta,
        /// What it can do.
        pub spec: CSIDriverSpec,
    }

    /// What a driver can do.
    pub struct CSIDriverSpec {
        /// Whether volumes must be attached.
        pub attach_required: Option<bool>,
        /// Whether it is told about pods.
        pub pod_info_on_mount: Option<bool>,
        /// Whether it says how much room it has.
        pub storage_capacity: Option<bool>,
        /// Whether a pod must not go where the driver is missing.
        pub prevent_pod_scheduling_if_missing: Option<bool>,
        /// What volumes it serves: `Persistent`, `Ephemeral`.
        pub volume_lifecycle_modes: Vec<String>,
        /// How file ownership is set.
        pub fs_group_policy: Option<String>,
        /// How often limits of nodes are asked for.
        pub node_allocatable_update_period_seconds: Option<i64>,
    }

    /// How much room a driver has in one place. Its fields stand beside the metadata.
    pub struct CSIStorageCapacity {
        /// Its name.
        pub metadata: ObjectMeta,
        /// The place, by node labels; absent is nowhere.
        pub node_topology: Option<LabelSelector>,
        /// The class it is about.
        pub storage_class_name: String,
        /// How much room there is.
        pub capacity: Option<Quantity>,
        /// How large one volume can be.
        pub maximum_volume_size: Option<Quantity>,
    }

    /// A volume on its way to a node.
    pub struct VolumeAttachment {
        /// Its name.
        pub metadata: ObjectMeta,
        /// Which volume to which node.
        pub spec: VolumeAttachmentSpec,
        /// Whether it is there.
        pub status: VolumeAttachmentStatus,
    }

    /// Which volume goes to which node.
    pub struct VolumeAttachmentSpec {
        /// The driver.
        pub attacher: String,
        /// The volume.
        pub source: VolumeAttachmentSource,
        /// The node.
        pub node_name: String,
    }

    /// Which volume is attached.
    pub struct VolumeAttachmentSource {
        /// A persistent volume.
        pub persistent_volume_name: Option<String>,
        /// A volume of a pod.
        pub inline_volume_spec: Option<PersistentVolumeSpec>,
    }

    /// Whether a volume is attached.
    pub struct VolumeAttachmentStatus {
        /// Whether it is.
        pub attached: bool,
    }
}
