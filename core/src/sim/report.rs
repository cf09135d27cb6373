//! What came out of a run: one document for programs, the same for people.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::{Serialize, Serializer};

use crate::KUBERNETES_VERSION;
use crate::api::{Kind, Object, ObjectKey, Pod, RequestOptions, ResourceList, pod_requests};
use crate::config::Gate;
use crate::framework::trace::Place;
use crate::plugins::backed_by_devices;
use crate::rng::Seed;
use crate::scheduler::EventType;
use crate::snapshot::PodRef;
use crate::time::{Span, Timestamp};

use super::run::Simulation;
use super::scenario::Warning;

/// What a report says besides the run itself.
#[derive(Clone, Debug, Default)]
pub struct ReportInput {
    /// What the run's randomness started from.
    pub seed: Seed,
    /// What was found while the input was read.
    pub warnings: Vec<Warning>,
}

/// What came out of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// `berth/v1`.
    pub api_version: &'static str,
    /// `Report`.
    pub kind: &'static str,
    /// The version of Berth.
    pub engine: &'static str,
    /// The Kubernetes release whose scheduler it follows.
    pub kubernetes: &'static str,
    /// What the run's randomness started from.
    pub seed: u64,
    /// How much simulated time went by.
    pub simulated_seconds: Seconds,
    /// The fingerprint of all decisions.
    pub digest: String,
    /// Pods by namespace and name, those that are gone included.
    pub pods: Vec<PodReport>,
    /// Nodes by name.
    pub nodes: Vec<NodeReport>,
    /// Who had to leave for whom, by time.
    pub preempted: Vec<PreemptedReport>,
    /// Events by time, then in the order in which they were recorded.
    pub events: Vec<EventReport>,
    /// What was given and not used, and what a reader should know.
    pub warnings: Vec<Warning>,
}

/// A pod in a report.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PodReport {
    /// Its namespace.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// How it is.
    pub state: PodState,
    /// The node it is on.
    pub node: Option<String>,
    /// The node where room is being made for it.
    pub nominated_node: Option<String>,
    /// How often it was tried.
    pub attempts: u32,
    /// When it came.
    pub created_at: Seconds,
    /// When it was bound in this run.
    pub bound_at: Option<Seconds>,
    /// The text of the last `PodScheduled=False` condition.
    pub message: Option<String>,
    /// The plugins that rejected it.
    pub rejected_by: Vec<String>,
}

/// How a pod is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum PodState {
    /// It is on a node.
    Bound,
    /// It waits in activeQ.
    Active,
    /// It waits for the end of its backoff.
    Backoff,
    /// It waits for something to change.
    Unschedulable,
    /// A gate holds it.
    Gated,
    /// It waits for Permit.
    Waiting,
    /// It is being bound.
    Binding,
    /// It ended well.
    Succeeded,
    /// It ended badly.
    Failed,
    /// It had to leave for another pod.
    Preempted,
    /// It was deleted.
    Deleted,
    /// No profile has its schedulerName.
    Unmanaged,
}

/// A node in a report.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NodeReport {
    /// Its name.
    pub name: String,
    /// How many pods are on it.
    pub pods: usize,
    /// What it has for pods.
    pub allocatable: ResourceList,
    /// What its pods ask for.
    pub requested: ResourceList,
}

/// A pod that had to leave.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PreemptedReport {
    /// Who, `namespace/name`.
    pub pod: String,
    /// For whom.
    pub by: String,
    /// From where.
    pub node: String,
    /// When.
    pub at: Seconds,
}

/// An event in a report.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EventReport {
    /// When.
    pub at: Seconds,
    /// `Normal` or `Warning`.
    #[serde(rename = "type")]
    pub type_: EventType,
    /// Why, in one word.
    pub reason: &'static str,
    /// The pod, `namespace/name`.
    pub regarding: String,
    /// What happened.
    pub note: String,
}

/// A number of seconds, written with one digit behind the point at least and six at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Seconds(pub Span);

impl Seconds {
    fn at(at: Timestamp) -> Self {
        Self(at - Timestamp::ZERO)
    }
}

impl Serialize for Seconds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        crate::num::seconds(self.0).serialize(serializer)
    }
}

impl Report {
    /// The report of a run as it stands.
    #[must_use]
    pub fn of(simulation: &Simulation, input: ReportInput) -> Self {
        let mut warnings = input.warnings;
        warnings.extend(run_warnings(simulation));
        Self {
            api_version: "berth/v1",
            kind: "Report",
            engine: env!("CARGO_PKG_VERSION"),
            kubernetes: KUBERNETES_VERSION,
            seed: input.seed.0,
            simulated_seconds: Seconds::at(simulation.now()),
            digest: simulation.digest(),
            pods: pods(simulation),
            nodes: nodes(simulation),
            preempted: preempted(simulation),
            events: events(simulation),
            warnings,
        }
    }

    /// The report of one pod.
    #[must_use]
    pub fn pod(&self, namespace: &str, name: &str) -> Option<&PodReport> {
        self.pods
            .iter()
            .find(|pod| pod.namespace == namespace && pod.name == name)
    }
}

fn pods(simulation: &Simulation) -> Vec<PodReport> {
    let mut reports: BTreeMap<ObjectKey, PodReport> = BTreeMap::new();
    for (key, gone) in simulation.world().gone() {
        let state = if gone.was_preempted {
            PodState::Preempted
        } else {
            PodState::Deleted
        };
        let report = pod_report(simulation, key, &gone.pod, state);
        reports.insert(key.clone(), report);
    }
    for object in simulation.world().list(Kind::Pod) {
        let Object::Pod(pod) = object else { continue };
        let key = object.key();
        let report = pod_report(simulation, &key, pod, state_of(simulation, pod));
        reports.insert(key, report);
    }
    reports.into_values().collect()
}

fn pod_report(simulation: &Simulation, key: &ObjectKey, pod: &Pod, state: PodState) -> PodReport {
    let stats = simulation
        .pod_stats(key)
        .filter(|stats| stats.uid == pod.metadata.uid);
    let condition = pod
        .condition("PodScheduled")
        .filter(|condition| condition.status == "False");
    let waiting = simulation
        .scheduler()
        .queue()
        .get(&key.namespace, &key.name)
        .filter(|queued| *queued.pod.reference.uid == *pod.metadata.uid);
    let is_gone = matches!(state, PodState::Preempted | PodState::Deleted);
    let text = |text: &str| (!text.is_empty() && !is_gone).then(|| text.to_string());
    PodReport {
        namespace: key.namespace.clone(),
        name: key.name.clone(),
        state,
        node: text(&pod.spec.node_name),
        nominated_node: text(&pod.status.nominated_node_name),
        attempts: stats.map_or(0, |stats| stats.attempts),
        created_at: Seconds::at(stats.map_or(Timestamp::ZERO, |stats| stats.created_at)),
        bound_at: stats.and_then(|stats| stats.bound_at).map(Seconds::at),
        message: condition.and_then(|condition| text(&condition.message)),
        rejected_by: waiting.map_or_else(Vec::new, |queued| {
            let plugins = queued.rejector_plugins().into_iter();
            plugins.map(|plugin| plugin.to_string()).collect()
        }),
    }
}

/// How a pod that is there is.
fn state_of(simulation: &Simulation, pod: &Pod) -> PodState {
    match pod.status.phase.as_str() {
        "Succeeded" => return PodState::Succeeded,
        "Failed" => return PodState::Failed,
        _ => {}
    }
    if pod.is_assigned() {
        return PodState::Bound;
    }
    let scheduler = simulation.scheduler();
    if scheduler.profiles().get(&pod.spec.scheduler_name).is_none() {
        return PodState::Unmanaged;
    }
    let mut bindings = scheduler.bindings();
    if let Some((_, _, waits)) = bindings.find(|(uid, _, _)| ***uid == *pod.metadata.uid) {
        return if waits {
            PodState::Waiting
        } else {
            PodState::Binding
        };
    }
    match scheduler.queue().place_of(&PodRef::of(pod)) {
        Place::Active | Place::InFlight => PodState::Active,
        Place::Backoff | Place::ErrorBackoff => PodState::Backoff,
        Place::Gated => PodState::Gated,
        Place::Unschedulable | Place::Nowhere => PodState::Unschedulable,
    }
}

fn nodes(simulation: &Simulation) -> Vec<NodeReport> {
    let mut taken: BTreeMap<&str, (usize, ResourceList)> = BTreeMap::new();
    for object in simulation.world().list(Kind::Pod) {
        let Object::Pod(pod) = object else { continue };
        if !pod.is_assigned() || pod.is_finished() {
            continue;
        }
        let (count, sum) = taken.entry(pod.spec.node_name.as_str()).or_default();
        *count += 1;
        for (name, amount) in pod_requests(pod, RequestOptions::PLACED) {
            *sum.entry(name).or_default() += amount;
        }
    }
    let nodes = simulation.world().list(Kind::Node);
    nodes
        .filter_map(|object| match object {
            Object::Node(node) => Some(node),
            _ => None,
        })
        .map(|node| {
            let name = node.metadata.name.clone();
            let (pods, mut requested) = taken.remove(name.as_str()).unwrap_or_default();
            for name in ["cpu", "memory"] {
                requested.entry(name.to_string()).or_default();
            }
            NodeReport {
                name,
                pods,
                allocatable: node.status.allocatable.clone(),
                requested,
            }
        })
        .collect()
}

fn preempted(simulation: &Simulation) -> Vec<PreemptedReport> {
    let entries = simulation.world().preempted().iter();
    entries
        .map(|entry| PreemptedReport {
            pod: entry.pod.clone(),
            by: entry.by.clone(),
            node: entry.node.clone(),
            at: Seconds::at(entry.at),
        })
        .collect()
}

fn events(simulation: &Simulation) -> Vec<EventReport> {
    let events = simulation.events().iter();
    events
        .map(|event| EventReport {
            at: Seconds::at(event.at),
            type_: event.type_,
            reason: event.reason,
            regarding: event.regarding.clone(),
            note: event.note.clone(),
        })
        .collect()
}

/// What went wrong during the run, and what could not be done for pods.
fn run_warnings(simulation: &Simulation) -> Vec<Warning> {
    let refused = simulation.refused().iter();
    let mut warnings: Vec<Warning> = refused
        .map(|refusal| Warning {
            source: refusal.origin.place(),
            path: alloc::format!("{}: {}", refusal.object, refusal.fault.path),
            message: alloc::format!("refused: {}", refusal.fault.error),
        })
        .collect();
    let troubles = simulation.world().troubles().iter();
    warnings.extend(troubles.map(|trouble| Warning {
        source: trouble.source.clone(),
        path: trouble.object.clone(),
        message: trouble.what.clone(),
    }));
    warnings.extend(pod_warnings(simulation));
    let groups = simulation.world().list(Kind::PodGroup);
    warnings.extend(groups.map(|group| Warning {
        source: String::new(),
        path: group.key().to_string(),
        message: String::from(
            "gang scheduling is not built: pods of the group are placed one by one",
        ),
    }));
    warnings.extend(missing_classes(simulation));
    warnings
}

/// Claims without a volume whose class is not there: a dump that was made without its classes looks like that.
fn missing_classes(simulation: &Simulation) -> Vec<Warning> {
    let world = simulation.world();
    let mut warnings = Vec::new();
    for object in world.list(Kind::PersistentVolumeClaim) {
        let Object::PersistentVolumeClaim(claim) = object else {
            continue;
        };
        let Some(class) = claim.spec.storage_class_name.as_deref() else {
            continue;
        };
        let key = ObjectKey::new(Kind::StorageClass, "", class);
        if !class.is_empty() && claim.spec.volume_name.is_empty() && world.get(&key).is_none() {
            warnings.push(Warning {
                source: String::new(),
                path: object.key().to_string(),
                message: alloc::format!(
                    "spec.storageClassName: there is no StorageClass {class}, so pods that use the claim wait; was it left \
                     out of the dump?"
                ),
            });
        }
    }
    warnings
}

/// Pods on nodes that are not there, and pods that need devices, which this scheduler does not allocate yet: one warning a
/// kind, with the first such pod.
fn pod_warnings(simulation: &Simulation) -> Vec<Warning> {
    let scheduler = simulation.scheduler();
    let gates = simulation.world().gates();
    let has_extended_resources = gates.enabled(Gate::DRAExtendedResource);
    let mut found: BTreeMap<String, (String, usize)> = BTreeMap::new();
    for object in simulation.world().list(Kind::Pod) {
        let Object::Pod(pod) = object else { continue };
        let mut warn = |what: String| {
            let entry = found.entry(what);
            entry.or_insert_with(|| (object.key().to_string(), 0)).1 += 1;
        };
        let node = &pod.spec.node_name;
        let is_missing = |node| {
            simulation
                .world()
                .get(&ObjectKey::new(Kind::Node, "", node))
                .is_none()
        };
        if pod.is_assigned() && !pod.is_finished() && is_missing(node.as_str()) {
            warn(["spec.nodeName: there is no node ", node].concat());
        }
        if scheduler.profiles().get(&pod.spec.scheduler_name).is_none() {
            continue;
        }
        if !pod.spec.resource_claims.is_empty() && !pod.is_assigned() {
            warn(String::from(
                "spec.resourceClaims: DynamicResources allocates no devices yet: the pod waits until each claim is allocated",
            ));
        }
        if !has_extended_resources {
            continue;
        }
        for name in backed_by_devices(scheduler.listers(), pod) {
            warn(alloc::format!(
                "resources.requests.{name}: a DeviceClass stands for it, and DynamicResources allocates no devices yet: \
                 only nodes with {name} in status.allocatable are used"
            ));
        }
    }
    let warning = |(what, (first, count)): (String, (String, usize))| Warning {
        source: String::new(),
        path: first,
        message: if count == 1 {
            what
        } else {
            alloc::format!("{what} ({count} pods in all)")
        },
    };
    found.into_iter().map(warning).collect()
}
