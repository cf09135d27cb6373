//! What must hold after every input, whatever happened before.
//!
//! A checker looks from outside: it reads the scheduler, the simulated world and the records of the last step, and says
//! in words what is wrong.

use std::collections::BTreeMap;

use berth_core::api::{Kind, Object};
use berth_core::framework::extender::ExtenderCall;
use berth_core::framework::trace::Record;
use berth_core::scheduler::Scheduler;
use berth_core::sim::{Simulation, extender_answer};
use berth_core::snapshot::{NodeInfo, PodInfo, PodRef, Resource, Snapshot};
use berth_core::time::Timestamp;

/// Everything that is wrong after a step whose records are `records`.
#[must_use]
pub fn check(simulation: &Simulation, records: &[(Timestamp, Record)]) -> Vec<String> {
    let scheduler = simulation.scheduler();
    let mut faults = one_place_a_pod(scheduler);
    faults.extend(cache_is_what_was_observed(scheduler));
    faults.extend(placements_fit(scheduler, records));
    faults.extend(records_name_what_exists(simulation, records));
    faults
}

/// A pod is in at most one queue, and in none while it is being bound.
fn one_place_a_pod(scheduler: &Scheduler) -> Vec<String> {
    let queue = scheduler.queue();
    let profiles = scheduler.profiles();
    let mut places: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    let mut add = |pod: &PodRef, place: &'static str| {
        places
            .entry(format!("{pod} ({})", pod.uid))
            .or_default()
            .push(place);
    };
    queue
        .active_q(profiles)
        .iter()
        .for_each(|pod| add(&pod.pod.reference, "activeQ"));
    queue
        .backoff_q(profiles)
        .iter()
        .for_each(|pod| add(&pod.pod.reference, "backoffQ"));
    queue
        .error_backoff_q()
        .iter()
        .for_each(|pod| add(&pod.pod.reference, "error backoffQ"));
    queue
        .unschedulable_pods()
        .for_each(|pod| add(&pod.pod.reference, "unschedulablePods"));
    queue.in_flight_pods().for_each(|pod| add(pod, "in flight"));
    let twice = places.into_iter().filter(|(_, places)| places.len() > 1);
    twice
        .map(|(pod, places)| format!("{pod} is in {}", places.join(" and in ")))
        .collect()
}

/// The cache holds the assigned pods that were observed and those that are assumed, and nothing else.
fn cache_is_what_was_observed(scheduler: &Scheduler) -> Vec<String> {
    let differences = scheduler.cache().compare(scheduler.listers());
    differences
        .iter()
        .map(|difference| format!("the cache differs: {difference:?}"))
        .collect()
}

/// What was just placed fits where it was placed: no node is over its allocatable by our doing.
fn placements_fit(scheduler: &Scheduler, records: &[(Timestamp, Record)]) -> Vec<String> {
    let mut faults = Vec::new();
    for (_, record) in records {
        let Record::Assumed { pod, node } = record else {
            continue;
        };
        let mut snapshot = Snapshot::default();
        if scheduler
            .cache()
            .clone()
            .update_snapshot(&mut snapshot)
            .is_err()
        {
            faults.push("the cache cannot be copied".to_string());
            continue;
        }
        let Some(row) = snapshot.row(node) else {
            continue;
        };
        let info = snapshot.node(row);
        if !info.pods.iter().any(|other| other.reference.uid == pod.uid) {
            continue;
        }
        let counted = (&info.requested, info.pods.len());
        let real = real_requests(info);
        let mut is_over = is_over(counted, &info.allocatable)
            // QUIRK: a pod that is resized while it waits is counted by its old size until it is bound.
            && is_over((&real, info.pods.len()), &info.allocatable);
        if !began_in_this_step(records, pod) {
            // It waited for an extender: what counts is the node as the attempt saw it.
            is_over &= was_over_when_seen(scheduler, pod, node);
        }
        if is_over {
            faults.push(format!(
                "{pod} takes {node} over its allocatable: {:?} of {:?}",
                info.requested, info.allocatable
            ));
        }
    }
    faults
}

fn is_over((asked, pods): (&Resource, usize), given: &Resource) -> bool {
    asked.milli_cpu > given.milli_cpu
        || asked.memory > given.memory
        || i64::try_from(pods).unwrap_or(i64::MAX) > given.allowed_pods
}

/// What the pods of a node ask for as they are now.
fn real_requests(info: &NodeInfo) -> Resource {
    let mut sum = Resource::default();
    for pod in &info.pods {
        sum.add(&PodInfo::new(pod.pod.clone()).requests);
    }
    sum
}

fn began_in_this_step(records: &[(Timestamp, Record)], pod: &PodRef) -> bool {
    let mut records = records.iter();
    records.any(
        |(_, record)| matches!(record, Record::CycleStarted { pod: began, .. } if began == pod),
    )
}

/// Whether the pod did not fit on the node as it stands in the snapshot of the attempt.
fn was_over_when_seen(scheduler: &Scheduler, pod: &PodRef, node: &str) -> bool {
    let snapshot = scheduler.snapshot();
    let (Some(row), Some(placed)) = (snapshot.row(node), scheduler.cache().get_pod(&pod.uid))
    else {
        return true;
    };
    let info = snapshot.node(row);
    let mut asked = info.requested.clone();
    asked.add(&PodInfo::new(placed.pod.clone()).requests);
    is_over((&asked, info.pods.len() + 1), &info.allocatable)
}

/// Records name pods and nodes that are there, or were.
fn records_name_what_exists(
    simulation: &Simulation,
    records: &[(Timestamp, Record)],
) -> Vec<String> {
    let mut faults = Vec::new();
    for (_, record) in records {
        let Record::Chosen { pod, choice, .. } = record else {
            continue;
        };
        let snapshot = simulation.scheduler().snapshot();
        if snapshot.row(&choice.node).is_none() {
            faults.push(format!(
                "{pod} was given {}, which the attempt did not see",
                choice.node
            ));
        }
        if !choice.tied.contains(&choice.node) {
            faults.push(format!(
                "{pod} was given {}, which is not among the best",
                choice.node
            ));
        }
    }
    faults
}

/// After the end: pods that wait although a scheduler that sees the cluster for the first time would place them.
#[must_use]
pub fn lost_pods(simulation: &Simulation) -> Vec<String> {
    let scheduler = simulation.scheduler();
    let mut lost = Vec::new();
    for object in simulation.world().list(Kind::Pod) {
        let Object::Pod(pod) = object else {
            continue;
        };
        let is_waiting =
            !pod.is_assigned() && !pod.is_terminating() && pod.spec.scheduling_gates.is_empty();
        if !is_waiting || pod.is_finished() {
            continue;
        }
        if let Some(node) = fresh_choice(simulation, &PodRef::of(pod)) {
            let place = scheduler.queue().place_of(&PodRef::of(pod));
            lost.push(format!(
                "{} waits in {place:?} although {node} would take it",
                PodRef::of(pod)
            ));
        }
    }
    lost
}

/// The node that a new scheduler gives the pod when it is the only one that waits.
///
/// QUIRK: a pod whose nominated node an extender refuses keeps its nomination, because preemption finds that nobody need
/// leave, which is an error. So where there are extenders, pods with a nomination wait beside it.
fn fresh_choice(simulation: &Simulation, wanted: &PodRef) -> Option<String> {
    use berth_core::framework::trace::TieRule;
    use berth_core::plugins;
    use berth_core::rng::Seed;
    use berth_core::scheduler::{Change, Input};

    let config = simulation.scheduler().configuration().clone();
    let has_extenders = !config.extenders.is_empty();
    let mut fresh = Scheduler::new(config, &plugins::in_tree(), Seed(0)).ok()?;
    fresh.set_tie_rule(TieRule::SearchOrder);
    let world = simulation.world();
    let kinds = Kind::ALL.iter().filter(|kind| **kind != Kind::Pod);
    let others = kinds.flat_map(|kind| world.list(*kind));
    let pods = world.list(Kind::Pod).filter(|object| match object {
        Object::Pod(pod) => {
            let is_promised = has_extenders && !pod.status.nominated_node_name.is_empty();
            pod.is_assigned() || is_promised || *pod.metadata.uid == *wanted.uid
        }
        _ => false,
    });
    let objects: Vec<Object> = others.chain(pods).cloned().collect();
    for object in objects {
        let input = Input::Observe(Change::Applied(object));
        let effects = fresh.handle(Timestamp::ZERO, input, &mut ());
        assert!(effects.is_empty(), "observing has no effect");
    }
    while fresh.has_work() {
        let bound = one_attempt(&mut fresh);
        if let Some((_, node)) = bound.filter(|(pod, _)| pod.uid == wanted.uid) {
            return Some(node);
        }
    }
    None
}

/// Lets the scheduler try one pod, and answers for extenders; what it would bind where.
fn one_attempt(fresh: &mut Scheduler) -> Option<(PodRef, String)> {
    use berth_core::scheduler::{Effect, Input};

    let mut effects = fresh.handle(Timestamp::ZERO, Input::ScheduleOne, &mut ());
    loop {
        let bound = effects.iter().find_map(|effect| match effect {
            Effect::Bind { pod, node, .. }
            | Effect::AskExtender {
                call: ExtenderCall::Bind { pod, node },
                ..
            } => Some((pod.clone(), node.to_string())),
            _ => None,
        });
        if bound.is_some() {
            return bound;
        }
        // Extenders are asked one after another, or all at once about scores.
        let asked: Vec<_> = effects
            .iter()
            .filter_map(|effect| match effect {
                Effect::AskExtender { ticket, call, .. } => Some((*ticket, extender_answer(call)?)),
                _ => None,
            })
            .collect();
        if asked.is_empty() {
            return None;
        }
        effects = asked
            .into_iter()
            .flat_map(|(ticket, outcome)| {
                let input = Input::Settle { ticket, outcome };
                fresh.handle(Timestamp::ZERO, input, &mut ())
            })
            .collect();
    }
}
