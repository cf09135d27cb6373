//! Where a pod's files come from.
//!
//! Sources that a plugin reads have their own struct; the others are kept as they came, by name.

use alloc::string::String;
use alloc::vec::Vec;

use super::meta::{ObjectMeta, StringMap};
use super::schema::{Opaque, objects};
use super::storage::PersistentVolumeClaimSpec;

objects! {
    /// Where files of a pod come from: a name and one source.
    pub struct Volume {
        /// Unique within the pod.
        pub name: String,
        /// A claim.
        pub persistent_volume_claim: Option<PersistentVolumeClaimVolumeSource>,
        /// A claim made for this pod.
        pub ephemeral: Option<EphemeralVolumeSource>,
        /// A volume of a driver, for this pod only.
        pub csi: Option<CSIVolumeSource>,
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
        /// Files of an image.
        pub image: Option<ImageVolumeSource>,
        /// Files made of a ConfigMap.
        pub config_map: Option<Opaque>,
        /// Files made of a Secret.
        pub secret: Option<Opaque>,
        /// A folder that lives as long as the pod.
        pub empty_dir: Option<Opaque>,
        /// A folder of the node.
        pub host_path: Option<Opaque>,
        /// A share of a file server.
        pub nfs: Option<Opaque>,
        /// Several sources in one folder.
        pub projected: Option<Opaque>,
        /// Facts about the pod.
        #[name = "downwardAPI"]
        pub downward_api: Option<Opaque>,
        /// A Ceph file system.
        pub cephfs: Option<Opaque>,
        /// A disk over fibre channel.
        pub fc: Option<Opaque>,
        /// A volume of a driver of the older kind.
        pub flex_volume: Option<Opaque>,
        /// A volume of Flocker.
        pub flocker: Option<Opaque>,
        /// A copy of a repository.
        pub git_repo: Option<Opaque>,
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

    /// A claim of the pod's namespace.
    pub struct PersistentVolumeClaimVolumeSource {
        /// The claim.
        pub claim_name: String,
        /// Whether it is only read.
        pub read_only: bool,
    }

    /// A claim made for one pod.
    pub struct EphemeralVolumeSource {
        /// How the claim is made.
        pub volume_claim_template: Option<PersistentVolumeClaimTemplate>,
    }

    /// How a claim is made.
    pub struct PersistentVolumeClaimTemplate {
        /// Labels and annotations of the claim.
        pub metadata: ObjectMeta,
        /// What it asks for.
        pub spec: PersistentVolumeClaimSpec,
    }

    /// A volume of a driver, for one pod.
    pub struct CSIVolumeSource {
        /// The driver.
        pub driver: String,
        /// Whether it is only read.
        pub read_only: Option<bool>,
        /// The file system.
        pub fs_type: Option<String>,
        /// What the driver needs to know.
        pub volume_attributes: StringMap,
        /// Where the driver finds its password.
        pub node_publish_secret_ref: Option<Opaque>,
    }

    /// A disk of Google Compute Engine.
    pub struct GCEPersistentDiskVolumeSource {
        /// The disk.
        pub pd_name: String,
        /// The file system.
        pub fs_type: String,
        /// The part of the disk.
        pub partition: i32,
        /// Whether it is only read.
        pub read_only: bool,
    }

    /// A disk of Amazon.
    pub struct AWSElasticBlockStoreVolumeSource {
        /// The disk.
        #[name = "volumeID"]
        pub volume_id: String,
        /// The file system.
        pub fs_type: String,
        /// The part of the disk.
        pub partition: i32,
        /// Whether it is only read.
        pub read_only: bool,
    }

    /// A Ceph block device.
    pub struct RBDVolumeSource {
        /// The servers that know it.
        pub monitors: Vec<String>,
        /// The device.
        pub image: String,
        /// The file system.
        pub fs_type: String,
        /// The pool; `rbd` if empty.
        pub pool: String,
        /// The user.
        pub user: String,
        /// Where the user's key is.
        pub keyring: String,
        /// Where the user's password is.
        pub secret_ref: Option<Opaque>,
        /// Whether it is only read.
        pub read_only: bool,
    }

    /// A disk over the network.
    pub struct ISCSIVolumeSource {
        /// The server.
        pub target_portal: String,
        /// The disk's name.
        pub iqn: String,
        /// The disk's number.
        pub lun: i32,
        /// The network interface.
        pub iscsi_interface: String,
        /// The file system.
        pub fs_type: String,
        /// Whether it is only read.
        pub read_only: bool,
        /// Further servers.
        pub portals: Vec<String>,
        /// Whether servers ask for a password when discovered.
        pub chap_auth_discovery: bool,
        /// Whether servers ask for a password.
        pub chap_auth_session: bool,
        /// Where the password is.
        pub secret_ref: Option<Opaque>,
        /// The name of this side.
        pub initiator_name: Option<String>,
    }

    /// A disk of Azure.
    pub struct AzureDiskVolumeSource {
        /// The disk's name.
        pub disk_name: String,
        /// Where it is.
        #[name = "diskURI"]
        pub disk_uri: String,
        /// How it is cached.
        pub caching_mode: Option<String>,
        /// The file system.
        pub fs_type: Option<String>,
        /// Whether it is only read.
        pub read_only: Option<bool>,
        /// `Shared`, `Dedicated` or `Managed`.
        pub kind: Option<String>,
    }

    /// A file share of Azure.
    pub struct AzureFileVolumeSource {
        /// Where the password is.
        pub secret_name: String,
        /// The namespace of the password, of a persistent volume.
        pub secret_namespace: Option<String>,
        /// The share.
        pub share_name: String,
        /// Whether it is only read.
        pub read_only: bool,
    }

    /// A disk of OpenStack.
    pub struct CinderVolumeSource {
        /// The disk.
        #[name = "volumeID"]
        pub volume_id: String,
        /// The file system.
        pub fs_type: String,
        /// Whether it is only read.
        pub read_only: bool,
        /// Where the password is.
        pub secret_ref: Option<Opaque>,
    }

    /// A disk of Portworx.
    pub struct PortworxVolumeSource {
        /// The disk.
        #[name = "volumeID"]
        pub volume_id: String,
        /// The file system.
        pub fs_type: String,
        /// Whether it is only read.
        pub read_only: bool,
    }

    /// A disk of vSphere.
    pub struct VsphereVirtualDiskVolumeSource {
        /// Where it is.
        pub volume_path: String,
        /// The file system.
        pub fs_type: String,
        /// The storage policy by name.
        pub storage_policy_name: String,
        /// The storage policy by identity.
        #[name = "storagePolicyID"]
        pub storage_policy_id: String,
    }

    /// Files of an image.
    pub struct ImageVolumeSource {
        /// The image.
        pub reference: String,
        /// When it is fetched.
        pub pull_policy: String,
    }
}
