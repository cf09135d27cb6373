//! The sentences in English.

use super::Key;

/// The template of a key.
#[expect(clippy::too_many_lines, reason = "a table, one line a sentence")]
pub(super) const fn template(key: Key) -> &'static str {
    match key {
        Key::Text => "{text}",
        Key::NodeUnschedulable => {
            "the node is cordoned, and the pod does not tolerate node.kubernetes.io/unschedulable:NoSchedule"
        }
        Key::NodeNameMismatch => "the pod names another node in spec.nodeName",
        Key::UntoleratedTaint => {
            "the node has the taint {taint}, which no toleration of the pod matches"
        }
        Key::NodeAffinityMismatch => {
            "the node's labels do not meet the pod's node selector or required node affinity"
        }
        Key::EnforcedNodeAffinityMismatch => {
            "the node's labels do not meet the node affinity that the profile adds"
        }
        Key::NodeAffinityConflict => "no node can meet all of the pod's required node affinity",
        Key::PortsTaken => "a host port that the pod wants is taken on the node",
        Key::TooManyPods => "{pods} of the {allowed} pods that the node takes are there",
        Key::Insufficient => {
            "the pod asks for {requested} {resource}, and {free} is left: {allocatable} less {used} that other pods ask for"
        }
        Key::NeverEnough => {
            "the pod asks for {requested} {resource}, and the node has {allocatable} in all"
        }
        Key::DiskConflict => "a disk that the pod wants is in use by another pod on the node",
        Key::ReadWriteOncePodConflict => {
            "a claim of the pod may be used by one pod only, and another pod uses it"
        }
        Key::MaxVolumeCount => "the driver cannot attach as many volumes to the node",
        Key::UnboundImmediateClaims => {
            "a claim of the pod is of a class that binds at once, and is not bound yet"
        }
        Key::VolumeNodeAffinity => "a volume of the pod cannot be reached from the node",
        Key::NoMatchingVolume => "no volume for a claim of the pod can be had on the node",
        Key::NotEnoughStorage => "the driver has not enough room left for the node",
        Key::VolumeNotFound => "a claim of the pod is bound to a volume that does not exist",
        Key::VolumeZoneMismatch => "a volume of the pod is in another zone",
        Key::TopologySpread => {
            "with the pod its domain of {key} would have {count} matching pods, {skew} more than the emptiest with {minimum}; {max} more are allowed"
        }
        Key::TopologySpreadMissingLabel => {
            "the node has no label {key}, over which the pod is to be spread"
        }
        Key::PodAffinity => "no pod that this one must be near to is in the same {key}",
        Key::PodAntiAffinity => "a pod that this one must be away from is in the same {key}",
        Key::ExistingPodAntiAffinity => {
            "a pod in the same {key} must be away from pods like this one"
        }
        Key::MissingFeatures => "the node does not have the features that the pod needs",
        Key::NodeLabelPresence => {
            "the node has, or lacks, a label that the configuration forbids or demands"
        }
        Key::ServiceAffinity => "the node is not where the other pods of the pod's service are",
        Key::NotInPreFilterSet => {
            "the node is not among those that {plugins} allowed before the search"
        }
        Key::EmptyPreFilterSet => "{plugins} left no node to search",
        Key::SchedulingGates => "the pod waits for its gates: {gates}",
        Key::NoVictims => "no pod on the node is less important",
        Key::PreemptionNotHelpful => "removing pods would not help here",
        Key::NoClaimsToDeallocate => "the pod has no device claims that could be given back",
        Key::NoNodes => "there are no nodes",
        Key::RejectedBefore => "{plugin} had rejected the node before",
        Key::EnoughFound => "enough feasible nodes had been found",
        Key::OutsideOfPreFilter => "{plugins} had left the node out before the search",
        Key::PodRejected => "{plugin} had rejected the pod before the search",
        Key::OnlyNominated => "only the nominated node was asked",
        Key::NoSearch => "the attempt did not come to a search",
        Key::Nowhere => "outside of the queue",
        Key::Active => "activeQ",
        Key::Backoff => "backoffQ",
        Key::ErrorBackoff => "backoffQ after an error",
        Key::Unschedulable => "unschedulablePods",
        Key::Gated => "gated",
        Key::InFlight => "in flight",
        Key::Created => "it was created",
        Key::Updated => "it was changed ({event})",
        Key::Deleted => "it was deleted, or somebody bound it",
        Key::Popped => "its turn came",
        Key::PoppedFromBackoff => {
            "its turn came before its backoff was over, because activeQ was empty"
        }
        Key::AttemptFailed => "the attempt failed, and nothing that happened meanwhile could help",
        Key::AttemptErred => "the attempt ended with an error, and the pod is tried again",
        Key::GatedBy => "{plugin} holds it",
        Key::Event => "{event} could help",
        Key::EventOf => "{plugin} said that {event} could help",
        Key::EventInFlight => "{event} came during the attempt and could help",
        Key::EventOfInFlight => {
            "{event} came during the attempt, and {plugin} said that it could help"
        }
        Key::UpdatedOf => "it was changed ({event}), and {plugin} said that it could help",
        Key::BackoffComplete => "its backoff was over",
        Key::UnschedulableTimeout => "it had waited as long as a pod may",
        Key::Activated => "somebody asked for it to be tried",
        Key::Done => "it has its node, or is not to have one",
        Key::Passed => "passed",
        Key::Rejected => "rejected",
        Key::Skipped => "nothing to do for this pod",
        Key::NotRunWord => "not run",
        Key::WouldPass => "would pass",
        Key::WouldReject => "would reject",
        Key::NoAttempt => "the scheduler has not tried {pod}",
        Key::AttemptAt => "{pod}: attempt {number} at {at}, nodes: {nodes}",
        Key::BoundTo => "placed on {node}",
        Key::FailedWith => "not placed: {message}",
        Key::ScoresHeading => "scores: normalised × weight (raw)",
        Key::ChosenOf => "{node} was chosen with {score}, out of {count} with that score: {tied}",
        Key::ChosenAlone => "{node} was chosen with {score}",
        Key::PreemptionIn => "preemption in attempt {number} at {at}",
        Key::PreemptionChosen => "room is made on {node}: {victims} must leave",
        Key::PreemptionNone => "no set of less important pods makes room",
        Key::CandidatesHeading => "nodes tried, in order",
        Key::CandidateVictims => "{node}: {victims} would have to leave",
        Key::CandidateSpared => "; {pods} could stay",
        Key::CandidateViolations => {
            "; departures that a PodDisruptionBudget does not allow: {count}"
        }
        Key::CandidateNot => "{node}: {reason}",
        Key::CriteriaHeading => "which of them, by one criterion after another",
        Key::OnlyCandidate => "{node} is the only one",
        Key::ByViolations => "fewest departures that a PodDisruptionBudget does not allow",
        Key::ByHighestPriority => "lowest priority of the most important victim",
        Key::ByPrioritySum => "smallest sum of priorities, each victim counted too",
        Key::ByVictimCount => "fewest victims",
        Key::ByStartTime => "latest start of the most important victims",
        Key::ByOrder => "the first one tried",
        Key::Decides => "; this decides for {nodes}",
        Key::Leaves => "; this leaves {nodes}",
        Key::SumOver => "{sum} over {count}",
        Key::NotStarted => "not started",
        Key::Terminating => "the pod is being deleted, so it is not tried any more",
        Key::PodDeleted => "{pod} was deleted at {at}",
        Key::PodPreempted => "{pod} had to leave {node} for {by} at {at}",
        Key::PodUnmanaged => {
            "no profile is called {name}, as spec.schedulerName has it, so the pod is left to another scheduler; profiles: {profiles}"
        }
        Key::NodeNotAsked => "{node} was not there in this attempt",
        Key::BackoffUntil => "backed off through {at}",
        Key::WhyNot => "why not {node}",
        Key::NothingAgainst => "nothing stands against {node}",
        Key::FoundInAddition => "(the scheduler did not look at this)",
        Key::MovesHeading => "moves in the queue",
        Key::NodesHeading => "what each plugin said of each node",
        Key::Total => "total",
        Key::PodSays => "the pod",
        Key::NodeSays => "the node",
        Key::NotSet => "not set",
        Key::PodsOnNode => "pods on the node",
        Key::RequestedByPods => "asked for by pods on the node",
        Key::MatchingInDomain => "matching pods in its domain, this one counted",
        Key::MatchingInEmptiest => "matching pods in the emptiest domain",
        Key::StillPending => "{pod} stays pending",
        Key::Legend => {
            "+ passed   x rejected   - nothing to do for this pod   . not run   (+) (x) what it would have said"
        }
    }
}
