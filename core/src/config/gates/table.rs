//! The gates themselves, one line each.

use core::fmt;

use super::Stage;

/// A switch of Kubernetes 1.36 that its scheduler knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Gate {
    /// Events wake only the pods a plugin says they may help.
    SchedulerQueueingHints,
    /// Victims are deleted in the background while the preemptor waits.
    SchedulerAsyncPreemption,
    /// An empty active queue takes pods from the backoff queue.
    SchedulerPopFromBackoffQ,
    /// Status patches and bindings go through a dispatcher.
    SchedulerAsyncAPICalls,
    /// Identical consecutive pods share one ranking of nodes.
    OpportunisticBatching,
    /// A node is nominated before a binding that takes long.
    NominatedNodeNameForExpectation,
    /// The API server clears the nomination of a bound pod.
    ClearingNominatedNodeNameAfterBinding,
    /// Pods go only to nodes that declare the features they need.
    NodeDeclaredFeatures,
    /// Claims, slices and classes of devices.
    DynamicResourceAllocation,
    /// A claim lists alternatives in order of preference.
    DRAPrioritizedList,
    /// A claim may look at devices in use.
    DRAAdminAccess,
    /// Devices satisfy requests for extended resources.
    DRAExtendedResource,
    /// Claims share the capacity of a device.
    DRAConsumableCapacity,
    /// Devices repel claims.
    DRADeviceTaints,
    /// Binding waits until a device is ready.
    DRADeviceBindingConditions,
    /// Devices are parts of a whole that is counted once.
    DRAPartitionableDevices,
    /// Drivers report the state of allocated devices.
    DRAResourceClaimDeviceStatus,
    /// The search for devices on a node has a time limit.
    DRASchedulerFilterTimeout,
    /// Rules add taints to devices.
    DRADeviceTaintRules,
    /// Device attributes may be lists.
    DRAListTypeAttributes,
    /// Claims take from what the node offers.
    DRANodeAllocatableResources,
    /// Pod groups have claims.
    DRAWorkloadResourceClaims,
    /// Pod groups exist.
    GenericWorkload,
    /// A group starts as a whole.
    GangScheduling,
    /// A group stays in one domain.
    TopologyAwareWorkloadScheduling,
    /// Groups preempt and are preempted as a whole.
    WorkloadAwarePreemption,
    /// `spec.resources` of the pod counts.
    PodLevelResources,
    /// Resources of the pod may change while it runs.
    InPlacePodLevelResourcesVerticalScaling,
    /// Resources of a container may change while it runs.
    InPlacePodVerticalScaling,
    /// Init containers that keep running count with the others.
    SidecarContainers,
    /// Spread constraints take label values from the pod.
    MatchLabelKeysInPodTopologySpread,
    /// The API server writes those values into the selector.
    MatchLabelKeysInPodTopologySpreadSelectorMerge,
    /// Affinity terms take label values from the pod.
    MatchLabelKeysInPodAffinity,
    /// Constraints say whether affinity and taints decide which nodes count.
    NodeInclusionPolicyInPodTopologySpread,
    /// Gates keep a pod out of the queue.
    PodSchedulingReadiness,
    /// Claims name attributes of their volume.
    VolumeAttributesClass,
    /// Attach limits of a node may change.
    MutableCSINodeAllocatableCount,
    /// Conditions say which generation they speak of.
    PodObservedGenerationTracking,
    /// Tolerations may say Gt and Lt.
    TaintTolerationComparisonOperators,
    /// Nodes are scored by the storage they could provision.
    StorageCapacityScoring,
    /// Attach limits follow a node group that grows.
    VolumeLimitScaling,
    /// The control plane chooses the leader.
    CoordinatedLeaderElection,
    /// `/flagz` is served.
    ComponentFlagz,
    /// `/statusz` is served.
    ComponentStatusz,
    /// Metrics have native histograms.
    NativeHistograms,
    /// Log lines carry their context.
    ContextualLogging,
    /// Logging options of beta quality are accepted.
    LoggingBetaOptions,
    /// Logging options of alpha quality are accepted.
    LoggingAlphaOptions,
}

/// One line of the table.
struct Row {
    gate: Gate,
    name: &'static str,
    stage: Stage,
    on: bool,
    /// Whether Berth has both behaviours. A gate without a choice keeps its default.
    choice: bool,
    requires: Option<Gate>,
}

/// What Berth has both behaviours of, and what it only has the default of.
const BOTH: bool = true;
const ONE: bool = false;

const fn row(gate: Gate, name: &'static str, stage: Stage, on: bool, choice: bool) -> Row {
    let requires = match gate {
        Gate::GangScheduling | Gate::TopologyAwareWorkloadScheduling => Some(Gate::GenericWorkload),
        Gate::WorkloadAwarePreemption => Some(Gate::GangScheduling),
        _ => None,
    };
    Row {
        gate,
        name,
        stage,
        on,
        choice,
        requires,
    }
}

/// In the order of the enum, so that a gate's number is its line.
#[rustfmt::skip]
const TABLE: [Row; Gate::COUNT] = [
    row(Gate::SchedulerQueueingHints, "SchedulerQueueingHints", Stage::Locked, true, ONE),
    row(Gate::SchedulerAsyncPreemption, "SchedulerAsyncPreemption", Stage::Beta, true, BOTH),
    row(Gate::SchedulerPopFromBackoffQ, "SchedulerPopFromBackoffQ", Stage::Beta, true, BOTH),
    row(Gate::SchedulerAsyncAPICalls, "SchedulerAsyncAPICalls", Stage::Beta, false, ONE),
    row(Gate::OpportunisticBatching, "OpportunisticBatching", Stage::Beta, true, BOTH),
    row(Gate::NominatedNodeNameForExpectation, "NominatedNodeNameForExpectation", Stage::Beta, true, BOTH),
    row(Gate::ClearingNominatedNodeNameAfterBinding, "ClearingNominatedNodeNameAfterBinding", Stage::Beta, true, ONE),
    row(Gate::NodeDeclaredFeatures, "NodeDeclaredFeatures", Stage::Beta, true, BOTH),
    row(Gate::DynamicResourceAllocation, "DynamicResourceAllocation", Stage::Locked, true, ONE),
    row(Gate::DRAPrioritizedList, "DRAPrioritizedList", Stage::Stable, true, ONE),
    row(Gate::DRAAdminAccess, "DRAAdminAccess", Stage::Locked, true, ONE),
    row(Gate::DRAExtendedResource, "DRAExtendedResource", Stage::Beta, true, ONE),
    row(Gate::DRAConsumableCapacity, "DRAConsumableCapacity", Stage::Beta, true, ONE),
    row(Gate::DRADeviceTaints, "DRADeviceTaints", Stage::Beta, true, ONE),
    row(Gate::DRADeviceBindingConditions, "DRADeviceBindingConditions", Stage::Beta, true, ONE),
    row(Gate::DRAPartitionableDevices, "DRAPartitionableDevices", Stage::Beta, true, ONE),
    row(Gate::DRAResourceClaimDeviceStatus, "DRAResourceClaimDeviceStatus", Stage::Beta, true, ONE),
    row(Gate::DRASchedulerFilterTimeout, "DRASchedulerFilterTimeout", Stage::Beta, true, ONE),
    row(Gate::DRADeviceTaintRules, "DRADeviceTaintRules", Stage::Beta, false, ONE),
    row(Gate::DRAListTypeAttributes, "DRAListTypeAttributes", Stage::Alpha, false, ONE),
    row(Gate::DRANodeAllocatableResources, "DRANodeAllocatableResources", Stage::Alpha, false, ONE),
    row(Gate::DRAWorkloadResourceClaims, "DRAWorkloadResourceClaims", Stage::Alpha, false, ONE),
    row(Gate::GenericWorkload, "GenericWorkload", Stage::Alpha, false, ONE),
    row(Gate::GangScheduling, "GangScheduling", Stage::Alpha, false, ONE),
    row(Gate::TopologyAwareWorkloadScheduling, "TopologyAwareWorkloadScheduling", Stage::Alpha, false, ONE),
    row(Gate::WorkloadAwarePreemption, "WorkloadAwarePreemption", Stage::Alpha, false, ONE),
    row(Gate::PodLevelResources, "PodLevelResources", Stage::Beta, true, BOTH),
    row(Gate::InPlacePodLevelResourcesVerticalScaling, "InPlacePodLevelResourcesVerticalScaling", Stage::Beta, true, BOTH),
    row(Gate::InPlacePodVerticalScaling, "InPlacePodVerticalScaling", Stage::Locked, true, ONE),
    row(Gate::SidecarContainers, "SidecarContainers", Stage::Locked, true, ONE),
    row(Gate::MatchLabelKeysInPodTopologySpread, "MatchLabelKeysInPodTopologySpread", Stage::Beta, true, BOTH),
    row(Gate::MatchLabelKeysInPodTopologySpreadSelectorMerge, "MatchLabelKeysInPodTopologySpreadSelectorMerge", Stage::Beta, true, ONE),
    row(Gate::MatchLabelKeysInPodAffinity, "MatchLabelKeysInPodAffinity", Stage::Locked, true, ONE),
    row(Gate::NodeInclusionPolicyInPodTopologySpread, "NodeInclusionPolicyInPodTopologySpread", Stage::Locked, true, ONE),
    row(Gate::PodSchedulingReadiness, "PodSchedulingReadiness", Stage::Locked, true, ONE),
    row(Gate::VolumeAttributesClass, "VolumeAttributesClass", Stage::Locked, true, ONE),
    row(Gate::MutableCSINodeAllocatableCount, "MutableCSINodeAllocatableCount", Stage::Locked, true, ONE),
    row(Gate::PodObservedGenerationTracking, "PodObservedGenerationTracking", Stage::Locked, true, ONE),
    row(Gate::TaintTolerationComparisonOperators, "TaintTolerationComparisonOperators", Stage::Alpha, false, BOTH),
    row(Gate::StorageCapacityScoring, "StorageCapacityScoring", Stage::Alpha, false, BOTH),
    row(Gate::VolumeLimitScaling, "VolumeLimitScaling", Stage::Alpha, false, ONE),
    row(Gate::CoordinatedLeaderElection, "CoordinatedLeaderElection", Stage::Beta, false, ONE),
    row(Gate::ComponentFlagz, "ComponentFlagz", Stage::Beta, true, BOTH),
    row(Gate::ComponentStatusz, "ComponentStatusz", Stage::Beta, true, BOTH),
    row(Gate::NativeHistograms, "NativeHistograms", Stage::Alpha, false, ONE),
    row(Gate::ContextualLogging, "ContextualLogging", Stage::Beta, true, ONE),
    row(Gate::LoggingBetaOptions, "LoggingBetaOptions", Stage::Beta, true, ONE),
    row(Gate::LoggingAlphaOptions, "LoggingAlphaOptions", Stage::Alpha, false, ONE),
];

impl Gate {
    /// How many there are.
    pub const COUNT: usize = 48;

    /// Every gate, in the order of the table.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|row| row.gate)
    }

    /// The gate called `name`, if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        TABLE
            .iter()
            .find(|row| row.name == name)
            .map(|row| row.gate)
    }

    /// The name on a command line.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// How far along the gate is upstream.
    pub fn stage(self) -> Stage {
        self.row().stage
    }

    /// What Kubernetes 1.36 starts with.
    pub fn is_on_by_default(self) -> bool {
        self.row().on
    }

    /// Whether Berth has both behaviours and so takes both values.
    pub fn is_a_choice(self) -> bool {
        self.row().choice
    }

    /// Whether the gate is about an HTTP endpoint only, which nobody has who does not run in a cluster.
    #[must_use]
    pub const fn is_of_endpoints(self) -> bool {
        matches!(self, Self::ComponentFlagz | Self::ComponentStatusz)
    }

    /// The gate that must be on for this one to be.
    pub fn requires(self) -> Option<Self> {
        self.row().requires
    }

    pub(super) const fn bit(self) -> u64 {
        1 << self as u64
    }

    fn row(self) -> &'static Row {
        TABLE
            .iter()
            .find(|row| row.gate == self)
            .expect("a test holds that every gate has a line")
    }
}

impl fmt::Display for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
