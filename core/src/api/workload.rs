//! What makes pods, as far as simulated controllers and selectors need it, and groups of pods placed together.

use alloc::string::String;
use alloc::vec::Vec;

use super::meta::{Condition, ObjectMeta, StringMap, Time};
use super::pod::{PodResourceClaim, PodResourceClaimStatus, PodTemplateSpec};
use super::schema::{IntOrString, Opaque, objects};
use super::selector::LabelSelector;
use super::storage::PersistentVolumeClaim;

objects! {
    /// Keeps a number of pods, the oldest kind.
    pub struct ReplicationController {
        /// Its name.
        pub metadata: ObjectMeta,
        /// What is wanted.
        pub spec: ReplicationControllerSpec,
        /// What is.
        pub status: WorkloadStatus,
    }

    /// What a ReplicationController wants.
    pub struct ReplicationControllerSpec {
        /// How many pods; 1 if absent.
        pub replicas: Option<i32>,
        /// Which pods are its own; the template's labels if absent.
        pub selector: Option<StringMap>,
        /// How pods are made.
        pub template: Option<PodTemplateSpec>,
        /// For how long a pod must be ready to count.
        pub min_ready_seconds: i32,
    }

    /// Keeps a number of pods.
    pub struct ReplicaSet {
        /// Its name.
        pub metadata: ObjectMeta,
        /// What is wanted.
        pub spec: ReplicaSetSpec,
        /// What is.
        pub status: WorkloadStatus,
    }

    /// What a ReplicaSet wants.
    pub struct ReplicaSetSpec {
        /// How many pods; 1 if absent.
        pub replicas: Option<i32>,
        /// Which pods are its own.
        pub selector: Option<LabelSelector>,
        /// How pods are made.
        pub template: PodTemplateSpec,
        /// For how long a pod must be ready to count.
        pub min_ready_seconds: i32,
    }

    /// Keeps a number of pods and replaces them step by step.
    pub struct Deployment {
        /// Its name.
        pub metadata: ObjectMeta,
        /// What is wanted.
        pub spec: DeploymentSpec,
        /// What is.
        pub status: WorkloadStatus,
    }

    /// What a Deployment wants.
    pub struct DeploymentSpec {
        /// How many pods; 1 if absent.
        pub replicas: Option<i32>,
        /// Which pods are its own.
        pub selector: Option<LabelSelector>,
        /// How pods are made.
        pub template: PodTemplateSpec,
        /// How pods are replaced.
        pub strategy: DeploymentStrategy,
        /// For how long a pod must be ready to count.
        pub min_ready_seconds: i32,
        /// How many old ReplicaSets are kept.
        pub revision_history_limit: Option<i32>,
        /// Whether nothing is to be replaced now.
        pub paused: bool,
        /// When a replacement counts as failed.
        pub progress_deadline_seconds: Option<i32>,
    }

    /// How a Deployment replaces pods.
    pub struct DeploymentStrategy {
        /// `RollingUpdate` (also when empty) or `Recreate`.
        #[name = "type"]
        pub type_: String,
        /// How fast.
        pub rolling_update: Option<RollingUpdateDeployment>,
    }

    /// How fast a Deployment replaces pods.
    pub struct RollingUpdateDeployment {
        /// How many pods may be missing.
        pub max_unavailable: Option<IntOrString>,
        /// How many pods too many there may be.
        pub max_surge: Option<IntOrString>,
    }

    /// Keeps numbered pods, each with claims of its own.
    pub struct StatefulSet {
        /// Its name.
        pub metadata: ObjectMeta,
        /// What is wanted.
        pub spec: StatefulSetSpec,
        /// What is.
        pub status: WorkloadStatus,
    }

    /// What a StatefulSet wants.
    pub struct StatefulSetSpec {
        /// How many pods; 1 if absent.
        pub replicas: Option<i32>,
        /// Which pods are its own.
        pub selector: Option<LabelSelector>,
        /// How pods are made.
        pub template: PodTemplateSpec,
        /// How claims of a pod are made.
        pub volume_claim_templates: Vec<PersistentVolumeClaim>,
        /// The service under which the pods are reached.
        pub service_name: String,
        /// `OrderedReady` (also when empty) or `Parallel`.
        pub pod_management_policy: String,
        /// How pods are replaced.
        pub update_strategy: Option<Opaque>,
        /// How many old versions are kept.
        pub revision_history_limit: Option<i32>,
        /// For how long a pod must be ready to count.
        pub min_ready_seconds: i32,
        /// What happens to claims when pods go.
        pub persistent_volume_claim_retention_policy: Option<Opaque>,
        /// The number of the first pod.
        pub ordinals: Option<StatefulSetOrdinals>,
    }

    /// How the pods of a StatefulSet are numbered.
    pub struct StatefulSetOrdinals {
        /// The number of the first pod.
        pub start: i32,
    }

    /// Keeps a pod on every node that is meant.
    pub struct DaemonSet {
        /// Its name.
        pub metadata: ObjectMeta,
        /// What is wanted.
        pub spec: DaemonSetSpec,
        /// What is.
        pub status: DaemonSetStatus,
    }

    /// What a DaemonSet wants.
    pub struct DaemonSetSpec {
        /// Which pods are its own.
        pub selector: Option<LabelSelector>,
        /// How pods are made.
        pub template: PodTemplateSpec,
        /// How pods are replaced.
        pub update_strategy: Option<Opaque>,
        /// For how long a pod must be ready to count.
        pub min_ready_seconds: i32,
        /// How many old versions are kept.
        pub revision_history_limit: Option<i32>,
    }

    /// What a DaemonSet has reached.
    pub struct DaemonSetStatus {
        /// How many nodes run a pod of it.
        pub current_number_scheduled: i32,
        /// How many nodes should.
        pub desired_number_scheduled: i32,
        /// How many nodes run a pod of it and should not.
        pub number_misscheduled: i32,
        /// How many pods are ready.
        pub number_ready: i32,
        /// How many pods are available.
        pub number_available: i32,
        /// How many nodes lack an available pod.
        pub number_unavailable: i32,
        /// How many nodes run the newest pod.
        pub updated_number_scheduled: i32,
        /// The generation it speaks of.
        pub observed_generation: i64,
    }

    /// Runs pods until enough have succeeded.
    pub struct Job {
        /// Its name.
        pub metadata: ObjectMeta,
        /// What is wanted.
        pub spec: JobSpec,
        /// What is.
        pub status: JobStatus,
    }

    /// What a Job wants.
    pub struct JobSpec {
        /// How many pods at once; 1 if absent.
        pub parallelism: Option<i32>,
        /// How many must succeed.
        pub completions: Option<i32>,
        /// `NonIndexed` (also when absent) or `Indexed`.
        pub completion_mode: Option<String>,
        /// How often pods may fail.
        pub backoff_limit: Option<i32>,
        /// How long it may take.
        pub active_deadline_seconds: Option<i64>,
        /// When it goes after it has ended.
        pub ttl_seconds_after_finished: Option<i32>,
        /// Whether it stands still.
        pub suspend: Option<bool>,
        /// Whether the selector was chosen by hand.
        pub manual_selector: Option<bool>,
        /// Which pods are its own.
        pub selector: Option<LabelSelector>,
        /// How pods are made.
        pub template: PodTemplateSpec,
        /// What counts as a failure.
        pub pod_failure_policy: Option<Opaque>,
        /// What counts as success.
        pub success_policy: Option<Opaque>,
        /// When a pod that stops is replaced.
        pub pod_replacement_policy: Option<String>,
        /// How often pods of one number may fail.
        pub backoff_limit_per_index: Option<i32>,
        /// How many numbers may fail.
        pub max_failed_indexes: Option<i32>,
        /// Who manages it, if not the built-in controller.
        pub managed_by: Option<String>,
    }

    /// What a Job has reached.
    pub struct JobStatus {
        /// How many pods run or wait.
        pub active: i32,
        /// How many have succeeded.
        pub succeeded: i32,
        /// How many have failed.
        pub failed: i32,
        /// How many are ready.
        pub ready: Option<i32>,
        /// When it was started.
        pub start_time: Option<Time>,
        /// When it ended.
        pub completion_time: Option<Time>,
        /// The numbers that have succeeded.
        pub completed_indexes: String,
        /// One entry an aspect.
        pub conditions: Vec<Condition>,
    }

    /// Makes Jobs by the calendar. Read so that a dump can be loaded; nothing is made from it.
    pub struct CronJob {
        /// Its name.
        pub metadata: ObjectMeta,
        /// What is wanted.
        pub spec: CronJobSpec,
    }

    /// When and how a CronJob makes Jobs.
    pub struct CronJobSpec {
        /// When.
        pub schedule: String,
        /// Whether it stands still.
        pub suspend: Option<bool>,
        /// How Jobs are made.
        pub job_template: Opaque,
    }

    /// What a ReplicationController, ReplicaSet, Deployment or StatefulSet has reached.
    pub struct WorkloadStatus {
        /// How many pods there are.
        pub replicas: i32,
        /// How many are ready.
        pub ready_replicas: i32,
        /// How many are available.
        pub available_replicas: i32,
        /// How many are missing.
        pub unavailable_replicas: i32,
        /// How many are of the newest version.
        pub updated_replicas: i32,
        /// How many are of the current version.
        pub current_replicas: i32,
        /// How many have all labels of the template.
        pub fully_labeled_replicas: i32,
        /// The generation it speaks of.
        pub observed_generation: i64,
        /// The current version.
        pub current_revision: String,
        /// The newest version.
        pub update_revision: String,
        /// How often a name was taken.
        pub collision_count: Option<i32>,
        /// One entry an aspect.
        pub conditions: Vec<Condition>,
    }

    /// Pods that are placed together.
    pub struct PodGroup {
        /// Its name.
        pub metadata: ObjectMeta,
        /// What is wanted.
        pub spec: PodGroupSpec,
        /// What is.
        pub status: PodGroupStatus,
    }

    /// What a PodGroup wants.
    pub struct PodGroupSpec {
        /// The workload from which it was made.
        pub pod_group_template_ref: Option<Opaque>,
        /// Whether pods are placed one by one or all or none.
        pub scheduling_policy: PodGroupSchedulingPolicy,
        /// Where its pods must be with respect to each other.
        pub scheduling_constraints: Option<PodGroupSchedulingConstraints>,
        /// Devices its pods share.
        pub resource_claims: Vec<PodResourceClaim>,
        /// `Pod` or `PodGroup`: what is evicted at once.
        pub disruption_mode: Option<String>,
        /// Where its importance comes from.
        pub priority_class_name: String,
        /// Its importance.
        pub priority: Option<i32>,
    }

    /// Whether pods of a group are placed one by one (`basic`) or all or none (`gang`).
    pub struct PodGroupSchedulingPolicy {
        /// One by one.
        pub basic: Option<BasicSchedulingPolicy>,
        /// All or none.
        pub gang: Option<GangSchedulingPolicy>,
    }

    /// Pods are placed one by one.
    pub struct BasicSchedulingPolicy {}

    /// Pods are placed all or none.
    pub struct GangSchedulingPolicy {
        /// How many pods make the group complete.
        pub min_count: i32,
    }

    /// Where pods of a group must be with respect to each other.
    pub struct PodGroupSchedulingConstraints {
        /// In one domain of each.
        pub topology: Vec<TopologyConstraint>,
    }

    /// Pods must be in one domain.
    pub struct TopologyConstraint {
        /// The label whose values are the domains.
        pub key: String,
    }

    /// What a PodGroup has reached.
    pub struct PodGroupStatus {
        /// One entry an aspect.
        pub conditions: Vec<Condition>,
        /// The claims made from its templates.
        pub resource_claim_statuses: Vec<PodResourceClaimStatus>,
    }
}
