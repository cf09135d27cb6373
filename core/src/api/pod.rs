//! A pod: what is to be placed.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::affinity::{Affinity, TopologySpreadConstraint};
use super::meta::{Condition, ObjectMeta, StringMap, Time};
use super::resources::{ResourceList, ResourceRequirements};
use super::schema::objects;
use super::taint::Toleration;
use super::volume::Volume;

objects! {
    /// A pod: what is to be placed.
    pub struct Pod {
        /// Name, labels, owners.
        pub metadata: ObjectMeta,
        /// What is wanted.
        pub spec: PodSpec,
        /// What is.
        pub status: PodStatus,
    }

    /// What a pod wants.
    pub struct PodSpec {
        /// The node it is assigned to, empty while pending.
        pub node_name: String,
        /// Whose business its placement is.
        pub scheduler_name: String,
        /// What runs side by side.
        pub containers: Vec<Container>,
        /// What runs before, one after another; restartable ones go on running.
        pub init_containers: Vec<Container>,
        /// Labels that its node must have.
        pub node_selector: StringMap,
        /// What it wants or does not want near it.
        pub affinity: Option<Affinity>,
        /// Taints that it puts up with.
        pub tolerations: Vec<Toleration>,
        /// How evenly pods like it are to be spread.
        pub topology_spread_constraints: Vec<TopologySpreadConstraint>,
        /// Its importance; set at admission from the class.
        pub priority: Option<i32>,
        /// Where its importance comes from.
        pub priority_class_name: String,
        /// `PreemptLowerPriority` or `Never`.
        pub preemption_policy: Option<String>,
        /// What must be removed before it may be tried.
        pub scheduling_gates: Vec<PodSchedulingGate>,
        /// The group it is to be placed with.
        pub scheduling_group: Option<PodSchedulingGroup>,
        /// What the runtime takes on top of the containers.
        pub overhead: ResourceList,
        /// Requests of the pod as a whole.
        pub resources: Option<ResourceRequirements>,
        /// Devices it uses.
        pub resource_claims: Vec<PodResourceClaim>,
        /// Storage it uses.
        pub volumes: Vec<Volume>,
        /// Whether it uses the node's network.
        pub host_network: bool,
        /// Whether it shares the node's users; true if absent.
        pub host_users: Option<bool>,
        /// `Always`, `OnFailure` or `Never`.
        pub restart_policy: String,
        /// How long it may take to stop.
        pub termination_grace_period_seconds: Option<i64>,
        /// How long it may run.
        pub active_deadline_seconds: Option<i64>,
        /// Which container runtime is to run it.
        pub runtime_class_name: Option<String>,
        /// The operating system it is for.
        pub os: Option<PodOs>,
        /// Its host name, if not its own name.
        pub hostname: String,
        /// The domain below which its host name stands.
        pub subdomain: String,
    }

    /// The operating system a pod is for.
    pub struct PodOs {
        /// `linux` or `windows`.
        pub name: String,
    }

    /// One process and what it uses.
    pub struct Container {
        /// Unique within the pod.
        pub name: String,
        /// What to run.
        pub image: String,
        /// What it asks for and may use.
        pub resources: ResourceRequirements,
        /// Where it listens.
        pub ports: Vec<ContainerPort>,
        /// `Always` makes an init container go on running beside the others.
        pub restart_policy: Option<String>,
        /// What to do for which exit code.
        pub restart_policy_rules: Vec<ContainerRestartRule>,
    }

    /// Where a container listens.
    pub struct ContainerPort {
        /// What the port is called.
        pub name: String,
        /// The port inside the pod.
        pub container_port: i32,
        /// The port taken on the node; 0 is none.
        pub host_port: i32,
        /// The address of the node on which it is taken; empty is all.
        #[name = "hostIP"]
        pub host_ip: String,
        /// `TCP`, `UDP` or `SCTP`; empty is `TCP`.
        pub protocol: String,
    }

    /// What to do when a container ends in a certain way.
    pub struct ContainerRestartRule {
        /// `Restart` or `RestartAllContainers`.
        pub action: String,
        /// Which exit codes it is about.
        pub exit_codes: Option<ContainerRestartRuleOnExitCodes>,
    }

    /// Which exit codes a rule is about.
    pub struct ContainerRestartRuleOnExitCodes {
        /// `In` or `NotIn`.
        pub operator: String,
        /// The codes.
        pub values: Vec<i32>,
    }

    /// Something that must be removed before the pod may be tried.
    pub struct PodSchedulingGate {
        /// Who put it there, by convention.
        pub name: String,
    }

    /// The group a pod is to be placed with.
    pub struct PodSchedulingGroup {
        /// A PodGroup of the pod's namespace.
        pub pod_group_name: Option<String>,
    }

    /// Devices that a pod uses.
    pub struct PodResourceClaim {
        /// What containers call it.
        pub name: String,
        /// An existing claim.
        pub resource_claim_name: Option<String>,
        /// A template from which a claim is made for this pod.
        pub resource_claim_template_name: Option<String>,
    }

    /// What a pod is.
    pub struct PodStatus {
        /// `Pending`, `Running`, `Succeeded`, `Failed` or `Unknown`.
        pub phase: String,
        /// One entry an aspect.
        pub conditions: Vec<PodCondition>,
        /// Where room is being made for it.
        pub nominated_node_name: String,
        /// Why it is in its phase, in one word.
        pub reason: String,
        /// Why it is in its phase, in a sentence.
        pub message: String,
        /// When its node accepted it.
        pub start_time: Option<Time>,
        /// `Guaranteed`, `Burstable` or `BestEffort`.
        pub qos_class: String,
        /// What its containers are.
        pub container_statuses: Vec<ContainerStatus>,
        /// What its init containers are.
        pub init_container_statuses: Vec<ContainerStatus>,
        /// What is in force for the pod as a whole.
        pub resources: Option<ResourceRequirements>,
        /// What the node has granted to the pod as a whole.
        pub allocated_resources: ResourceList,
        /// How far a change of size has got.
        pub resize: String,
        /// The claims made from its templates.
        pub resource_claim_statuses: Vec<PodResourceClaimStatus>,
        /// The claim made for its extended resources.
        pub extended_resource_claim_status: Option<PodExtendedResourceClaimStatus>,
        /// What its claims take of the node's own resources.
        pub node_allocatable_resource_claim_statuses: Vec<NodeAllocatableResourceClaimStatus>,
        /// The generation it speaks of.
        pub observed_generation: i64,
    }

    /// What a container is.
    pub struct ContainerStatus {
        /// Which container.
        pub name: String,
        /// What is in force.
        pub resources: Option<ResourceRequirements>,
        /// What the node has granted.
        pub allocated_resources: ResourceList,
    }

    /// The claim made from a template.
    pub struct PodResourceClaimStatus {
        /// The entry of `spec.resourceClaims`.
        pub name: String,
        /// The claim; none if no claim was needed.
        pub resource_claim_name: Option<String>,
    }

    /// The claim made for a pod's extended resources.
    pub struct PodExtendedResourceClaimStatus {
        /// Which request of the claim is for which container.
        pub request_mappings: Vec<ContainerExtendedResourceRequest>,
        /// The claim.
        pub resource_claim_name: String,
    }

    /// Which request of a claim is for which container.
    pub struct ContainerExtendedResourceRequest {
        /// The container.
        pub container_name: String,
        /// The resource it asks for.
        pub resource_name: String,
        /// The request in the claim.
        pub request_name: String,
    }

    /// What a claim takes of the node's own resources.
    pub struct NodeAllocatableResourceClaimStatus {
        /// The claim.
        pub resource_claim_name: String,
        /// The containers that use it.
        pub containers: Vec<String>,
        /// What it takes.
        pub resources: ResourceList,
    }

    /// How pods of a controller are made.
    pub struct PodTemplateSpec {
        /// Labels, annotations and finalizers of the pods.
        pub metadata: ObjectMeta,
        /// What the pods want.
        pub spec: PodSpec,
    }
}

/// One aspect of a pod's state.
pub type PodCondition = Condition;

impl Pod {
    /// The importance of the pod; one without a class counts as 0.
    #[must_use]
    pub fn priority(&self) -> i32 {
        self.spec.priority.unwrap_or(0)
    }

    /// `namespace/name`.
    #[must_use]
    pub fn full_name(&self) -> String {
        format!("{}/{}", self.metadata.namespace, self.metadata.name)
    }

    /// Whether it is assigned to a node.
    #[must_use]
    pub const fn is_assigned(&self) -> bool {
        !self.spec.node_name.is_empty()
    }

    /// Whether its deletion was asked for.
    #[must_use]
    pub const fn is_terminating(&self) -> bool {
        self.metadata.is_terminating()
    }

    /// Whether it has ended for good.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        matches!(self.status.phase.as_str(), "Succeeded" | "Failed")
    }

    /// The condition of the given type.
    #[must_use]
    pub fn condition(&self, type_: &str) -> Option<&PodCondition> {
        self.status
            .conditions
            .iter()
            .find(|condition| condition.type_ == type_)
    }
}

impl Container {
    /// Whether an init container goes on running beside the main ones.
    #[must_use]
    pub fn is_restartable(&self) -> bool {
        self.restart_policy.as_deref() == Some("Always")
    }
}

impl PodSpec {
    /// Init containers followed by main ones.
    pub fn all_containers(&self) -> impl Iterator<Item = &Container> {
        self.init_containers.iter().chain(&self.containers)
    }
}
