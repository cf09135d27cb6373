//! Random storage: claims, volumes, classes, and what nodes can attach.

use berth_core::api::{
    AWSElasticBlockStoreVolumeSource, CSINode, CSINodeDriver, CSINodeSpec,
    CSIPersistentVolumeSource, EphemeralVolumeSource, GCEPersistentDiskVolumeSource,
    ISCSIVolumeSource, NodeSelector, Object, ObjectMeta, ObjectReference, PersistentVolume,
    PersistentVolumeClaim, PersistentVolumeClaimVolumeSource, Pod, RBDVolumeSource, StorageClass,
    TopologySelectorLabelRequirement, TopologySelectorTerm, Volume, VolumeNodeAffinity,
    VolumeNodeResources,
};

use super::node::quantity;
use super::{Draw, NAMESPACES, ZONE, ZONES};

impl Draw {
    /// Classes, volumes and claims that fit each other now and then, and what each node can attach.
    pub(super) fn storage(&mut self, nodes: usize) -> Vec<Object> {
        let mut objects: Vec<Object> = CLASSES
            .iter()
            .filter_map(|name| {
                let class = self.storage_class(name);
                self.chance(85).then(|| Object::from(class))
            })
            .collect();
        for at in 0..VOLUMES {
            objects.push(Object::from(self.persistent_volume(at)));
        }
        for namespace in NAMESPACES {
            for name in CLAIMS {
                if self.chance(80) {
                    objects.push(Object::from(self.claim(namespace, name)));
                }
            }
        }
        for at in 0..nodes {
            if self.chance(80) {
                objects.push(Object::from(self.csi_node(&format!("node-{at}"))));
            }
        }
        objects
    }

    fn storage_class(&mut self, name: &str) -> StorageClass {
        let mode = if name == "later" {
            "WaitForFirstConsumer"
        } else {
            "Immediate"
        };
        StorageClass {
            metadata: ObjectMeta::named(name),
            provisioner: self.word(&[DRIVER, "kubernetes.io/no-provisioner"]),
            volume_binding_mode: Some(mode.to_owned()),
            allowed_topologies: if self.chance(30) {
                vec![TopologySelectorTerm {
                    match_label_expressions: vec![TopologySelectorLabelRequirement {
                        key: ZONE.to_owned(),
                        values: vec![self.word(ZONES)],
                    }],
                }]
            } else {
                Vec::new()
            },
            ..StorageClass::default()
        }
    }

    fn persistent_volume(&mut self, at: usize) -> PersistentVolume {
        let mut volume = PersistentVolume {
            metadata: ObjectMeta::named(format!("volume-{at}")),
            ..PersistentVolume::default()
        };
        if self.chance(40) {
            let zones = self.word(&["z1", "z2", "z1__z3"]);
            volume.metadata.labels.insert(ZONE.to_owned(), zones);
        }
        let spec = &mut volume.spec;
        spec.capacity = [("storage".to_owned(), quantity(&self.word(&["1Gi", "5Gi"])))].into();
        spec.access_modes = vec![self.word(ACCESS_MODES)];
        spec.storage_class_name = self.word(CLASSES);
        spec.node_affinity = self.maybe(35, |draw| VolumeNodeAffinity {
            required: Some(NodeSelector {
                node_selector_terms: vec![draw.readable_node_term()],
            }),
        });
        spec.csi = self.maybe(70, |_| CSIPersistentVolumeSource {
            driver: DRIVER.to_owned(),
            volume_handle: format!("handle-{at}"),
            ..CSIPersistentVolumeSource::default()
        });
        spec.claim_ref = self.maybe(25, |draw| ObjectReference {
            namespace: draw.word(NAMESPACES),
            name: draw.word(CLAIMS),
            ..ObjectReference::default()
        });
        volume
    }

    fn claim(&mut self, namespace: &str, name: &str) -> PersistentVolumeClaim {
        let mut claim = PersistentVolumeClaim {
            metadata: ObjectMeta::namespaced(namespace, name),
            ..PersistentVolumeClaim::default()
        };
        claim.metadata.uid = format!("uid-{namespace}-{name}");
        claim.spec.access_modes = vec![self.word(ACCESS_MODES)];
        claim.spec.storage_class_name = Some(self.word(CLASSES));
        let wanted = quantity(&self.word(&["1Gi", "2Gi"]));
        claim.spec.resources.requests = [("storage".to_owned(), wanted)].into();
        if self.chance(50) {
            // One more than there are: a claim may be bound to a volume that is gone.
            claim.spec.volume_name = format!("volume-{}", self.below(VOLUMES + 1));
            let bound = "pv.kubernetes.io/bind-completed".to_owned();
            claim.metadata.annotations.insert(bound, "yes".to_owned());
        }
        claim
    }

    fn csi_node(&mut self, name: &str) -> CSINode {
        CSINode {
            metadata: ObjectMeta::named(name),
            spec: CSINodeSpec {
                drivers: vec![CSINodeDriver {
                    name: DRIVER.to_owned(),
                    node_id: name.to_owned(),
                    allocatable: self.maybe(80, |draw| VolumeNodeResources {
                        count: Some(*draw.pick(&[0, 1, 2, 8])),
                    }),
                    ..CSINodeDriver::default()
                }],
            },
        }
    }

    /// Gives a pod volumes.
    pub fn add_volumes(&mut self, pod: &mut Pod) {
        let count = self.between(1, 2);
        for at in 0..count {
            let mut volume = match self.below(8) {
                0 => self.disk(),
                1 => Volume {
                    ephemeral: Some(EphemeralVolumeSource::default()),
                    ..Volume::default()
                },
                _ => Volume {
                    persistent_volume_claim: Some(PersistentVolumeClaimVolumeSource {
                        claim_name: self.word(CLAIMS),
                        read_only: self.chance(10),
                    }),
                    ..Volume::default()
                },
            };
            volume.name = format!("volume-{at}");
            pod.spec.volumes.push(volume);
        }
    }

    /// A disk that only one pod of a node, or of all nodes, may write to.
    fn disk(&mut self) -> Volume {
        let mut volume = Volume::default();
        let read_only = self.chance(30);
        match self.below(4) {
            0 => {
                volume.gce_persistent_disk = Some(GCEPersistentDiskVolumeSource {
                    pd_name: self.word(DISKS),
                    read_only,
                    ..GCEPersistentDiskVolumeSource::default()
                });
            }
            1 => {
                volume.aws_elastic_block_store = Some(AWSElasticBlockStoreVolumeSource {
                    volume_id: self.word(DISKS),
                    ..AWSElasticBlockStoreVolumeSource::default()
                });
            }
            2 => {
                volume.iscsi = Some(ISCSIVolumeSource {
                    iqn: self.word(DISKS),
                    read_only,
                    ..ISCSIVolumeSource::default()
                });
            }
            _ => {
                volume.rbd = Some(RBDVolumeSource {
                    monitors: self.some(2, |draw| draw.word(DISKS)),
                    image: self.word(DISKS),
                    pool: "pool".to_owned(),
                    read_only,
                    ..RBDVolumeSource::default()
                });
            }
        }
        volume
    }
}

const DRIVER: &str = "csi.example.com";
const CLASSES: &[&str] = &["now", "later"];
const CLAIMS: &[&str] = &["data", "logs", "cache"];
const DISKS: &[&str] = &["disk-a", "disk-b"];
const ACCESS_MODES: &[&str] = &[
    "ReadWriteOnce",
    "ReadWriteOnce",
    "ReadWriteMany",
    "ReadWriteOncePod",
];
const VOLUMES: usize = 6;
