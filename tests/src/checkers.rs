//! What must hold after every input, whatever happened before.
//!
//! A checker looks from outside: it reads the scheduler, the simulated world and the records of the last step, and says
//! in words what is wrong.

use std::collections::BTreeMap;

use berth_core::api::{Kind, Object};
use berth_core::framework::trace::Record;
use berth_core::scheduler::Scheduler;
use berth_core::sim::Simulation;
use berth_core::snapshot::{PodRef, Snapshot};
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
        let (asked, given) = (&info.requested, &info.allocatable);
        let is_over = asked.milli_cpu > given.milli_cpu
            || asked.memory > given.memory
            || i64::try_from(info.pods.len()).unwrap_or(i64::MAX) > given.allowed_pods;
        if is_over {
            faults.push(format!(
                "{pod} takes {node} over its allocatable: {asked:?} of {given:?}"
            ));
        }
    }
    faults
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
fn fresh_choice(simulation: &Simulation, wanted: &PodRef) -> Option<String> {
    use berth_core::framework::trace::TieRule;
    use berth_core::plugins;
    use berth_core::rng::Seed;
    use berth_core::scheduler::{Change, Effect, Input};

    let config = simulation.scheduler().configuration().clone();
    let mut fresh = Scheduler::new(config, &plugins::in_tree(), Seed(0)).ok()?;
    fresh.set_tie_rule(TieRule::SearchOrder);
    let world = simulation.world();
    let kinds = Kind::ALL.iter().filter(|kind| **kind != Kind::Pod);
    let others = kinds.flat_map(|kind| world.list(*kind));
    let pods = world.list(Kind::Pod).filter(|object| match object {
        Object::Pod(pod) => pod.is_assigned() || *pod.metadata.uid == *wanted.uid,
        _ => false,
    });
    let objects: Vec<Object> = others.chain(pods).cloned().collect();
    for object in objects {
        let effects = fresh.handle(
            Timestamp::ZERO,
            Input::Observe(Change::Applied(object)),
            &mut (),
        );
        assert!(effects.is_empty(), "observing has no effect");
    }
    if !fresh.has_work() {
        return None;
    }
    let effects = fresh.handle(Timestamp::ZERO, Input::ScheduleOne, &mut ());
    effects.iter().find_map(|effect| match effect {
        Effect::Bind { node, .. } => Some(node.to_string()),
        _ => None,
    })
}
