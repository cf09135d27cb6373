//! Random pods.

use berth_core::api::{
    Condition, Container, ContainerPort, ContainerRestartRule, ContainerStatus, ImageVolumeSource,
    ObjectMeta, OwnerReference, Pod, PodSpec, PodStatus, ResourceList, ResourceRequirements,
    Toleration, Volume,
};

use super::node::quantity;
use super::{
    Draw, EFFECTS, EXTENDED, IMAGES, LABEL_KEYS, LABEL_VALUES, NAMESPACES, REPLICA_SET, TAINT_KEYS,
    ZONE, ZONES,
};

impl Draw {
    /// A pod of that name, not on a node yet. Its UID is made from its name.
    pub fn pod(&mut self, name: &str) -> Pod {
        let namespace = self.word(NAMESPACES);
        let mut metadata = ObjectMeta::namespaced(namespace, name);
        metadata.uid = format!("uid-{name}");
        metadata.labels = self
            .some(3, |draw| (draw.word(LABEL_KEYS), draw.word(LABEL_VALUES)))
            .into_iter()
            .collect();
        let spec = self.pod_spec();
        let status = self.pod_status(&spec);
        let mut pod = Pod {
            metadata,
            spec,
            status,
        };
        if self.chance(30) {
            pod.metadata.owner_references.push(OwnerReference {
                api_version: "apps/v1".to_owned(),
                kind: "ReplicaSet".to_owned(),
                name: REPLICA_SET.to_owned(),
                controller: Some(true),
                ..OwnerReference::default()
            });
        }
        if self.chance(25) {
            self.add_volumes(&mut pod);
        }
        pod
    }

    fn pod_spec(&mut self) -> PodSpec {
        let count = if self.chance(5) {
            0
        } else {
            self.between(1, 3)
        };
        let mut spec = PodSpec {
            scheduler_name: "default-scheduler".to_owned(),
            containers: (0..count).map(|at| self.container(at, false)).collect(),
            priority: self.maybe(50, |draw| *draw.pick(&[-10, 0, 10, 1000])),
            tolerations: self.some(3, Self::toleration),
            topology_spread_constraints: if self.chance(25) {
                self.some(2, Self::spread_constraint)
            } else {
                Vec::new()
            },
            affinity: self.maybe(45, Self::affinity),
            host_network: self.chance(10),
            host_users: self.maybe(20, |draw| draw.chance(50)),
            volumes: self.some(1, Self::image_volume),
            ..PodSpec::default()
        };
        if self.chance(35) {
            let count = self.between(1, 3);
            spec.init_containers = (0..count).map(|at| self.container(at, true)).collect();
        }
        if self.chance(15) {
            spec.node_selector = [self.wanted_label()].into();
        }
        if self.chance(15) {
            spec.overhead = self.requests();
        }
        if self.chance(25) {
            spec.resources = Some(ResourceRequirements {
                requests: self.requests(),
                ..ResourceRequirements::default()
            });
        }
        spec
    }

    fn wanted_label(&mut self) -> (String, String) {
        if self.chance(60) {
            (ZONE.to_owned(), self.word(ZONES))
        } else {
            (self.word(LABEL_KEYS), self.word(LABEL_VALUES))
        }
    }

    fn container(&mut self, at: usize, is_init: bool) -> Container {
        let prefix = if is_init { "init" } else { "main" };
        Container {
            name: format!("{prefix}-{at}"),
            image: self.word(IMAGES),
            resources: ResourceRequirements {
                requests: self.requests(),
                ..ResourceRequirements::default()
            },
            ports: if self.chance(30) {
                self.some(2, Self::port)
            } else {
                Vec::new()
            },
            restart_policy: self.maybe(if is_init { 50 } else { 0 }, |_| "Always".to_owned()),
            restart_policy_rules: if self.chance(8) {
                vec![ContainerRestartRule {
                    action: "RestartAllContainers".to_owned(),
                    exit_codes: None,
                }]
            } else {
                Vec::new()
            },
        }
    }

    /// What a container asks for: nothing, 0, a little, or more than there can be.
    pub fn requests(&mut self) -> ResourceList {
        let mut list = ResourceList::new();
        let mut ask = |draw: &mut Self, name: &str, percent: u64, amounts: &[&str]| {
            if draw.chance(percent) {
                list.insert(name.to_owned(), quantity(&draw.word(amounts)));
            }
        };
        ask(self, "cpu", 60, &["0", "1n", "100m", "250m", "1", "1500m"]);
        ask(
            self,
            "memory",
            60,
            &["0", "1", "64Mi", "512Mi", "1Gi", "1500m"],
        );
        ask(self, "ephemeral-storage", 12, &["0", "100Mi", "2Gi"]);
        ask(self, "cpu", 1, &["9E"]);
        ask(self, "memory", 1, &["8E"]);
        for name in EXTENDED {
            ask(self, name, 8, &["0", "1", "2", "4Mi"]);
        }
        ask(self, "pods", 3, &["1"]);
        ask(self, "storage", 3, &["1Gi"]);
        list
    }

    fn port(&mut self) -> ContainerPort {
        let ports = [80, 443, 8080];
        ContainerPort {
            container_port: *self.pick(&ports),
            host_port: if self.chance(70) {
                *self.pick(&ports)
            } else {
                0
            },
            host_ip: self.word(&["", "", "0.0.0.0", "127.0.0.1", "::"]),
            protocol: self.word(&["", "TCP", "UDP"]),
            ..ContainerPort::default()
        }
    }

    fn toleration(&mut self) -> Toleration {
        let is_about_any_key = self.chance(15);
        Toleration {
            key: if is_about_any_key {
                String::new()
            } else {
                self.word(TAINT_KEYS)
            },
            operator: self.word(&["", "Equal", "Exists", "Exists", "Gt", "Lt", "Like"]),
            value: self.word(LABEL_VALUES),
            effect: if self.chance(40) {
                String::new()
            } else {
                self.word(EFFECTS)
            },
            toleration_seconds: None,
        }
    }

    fn image_volume(&mut self) -> Volume {
        let source = ImageVolumeSource {
            reference: self.word(IMAGES),
            ..ImageVolumeSource::default()
        };
        Volume {
            name: "files".to_owned(),
            image: Some(source),
            ..Volume::default()
        }
    }

    /// A status that may speak of a change of size under way.
    fn pod_status(&mut self, spec: &PodSpec) -> PodStatus {
        let mut status = PodStatus {
            phase: "Pending".to_owned(),
            ..PodStatus::default()
        };
        if self.chance(75) {
            return status;
        }
        status.container_statuses = self.container_statuses(&spec.containers);
        status.init_container_statuses = self.container_statuses(&spec.init_containers);
        if self.chance(40) {
            status.resources = Some(ResourceRequirements {
                requests: self.requests(),
                ..ResourceRequirements::default()
            });
            status.allocated_resources = self.requests();
        }
        if self.chance(40) {
            status.conditions.push(Condition {
                type_: "PodResizePending".to_owned(),
                status: "True".to_owned(),
                reason: self.word(&["Infeasible", "Deferred"]),
                ..Condition::default()
            });
        }
        status
    }

    fn container_statuses(&mut self, containers: &[Container]) -> Vec<ContainerStatus> {
        let statuses = containers.iter().map(|container| ContainerStatus {
            name: container.name.clone(),
            resources: self.maybe(70, |draw| ResourceRequirements {
                requests: draw.requests(),
                ..ResourceRequirements::default()
            }),
            allocated_resources: self.requests(),
        });
        statuses.collect()
    }
}
