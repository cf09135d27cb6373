//! Jobs: pods until enough of them have succeeded.

use alloc::format;
use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{Condition, Job, JobStatus, Kind, Object, ObjectKey, Pod};
use crate::order::{self, SortedSet};

use super::super::world::World;
use super::{pods, replica_set};

#[inline(never)]
pub(super) fn sync(world: &mut World, key: &ObjectKey) {
    let job = match world.get(key).cloned() {
        Some(Object::Job(job)) => job,
        None => return replica_set::collect(world, key),
        Some(_) => return,
    };
    let is_over = job
        .status
        .conditions
        .iter()
        .any(|c| matches!(c.type_.as_str(), "Complete" | "Failed") && c.status == "True");
    if job.metadata.is_terminating() || is_over || job.spec.managed_by.is_some() {
        return;
    }
    let owned = pods::owned(world, &job.metadata);
    let counts = Counts::of(&owned);
    let limit = pods::count(job.spec.backoff_limit, 6);
    if counts.failed > limit {
        return finish(world, &job, &counts, "Failed");
    }
    let is_done = match job.spec.completions {
        Some(wanted) => counts.succeeded >= pods::count(Some(wanted), 0),
        // A pile of work: one success says that it is used up.
        None => counts.succeeded > 0 && counts.active.is_empty(),
    };
    if is_done {
        return finish(world, &job, &counts, "Complete");
    }
    let wanted = wanted_now(&job, &counts);
    if counts.active.len() > wanted {
        let mut surplus = counts.active.clone();
        order::sort_by(&mut surplus, pods::by_cost_of_loss);
        for pod in surplus.iter().take(counts.active.len() - wanted) {
            pods::delete(world, pod);
        }
    } else {
        make(world, key, &job, &owned, wanted - counts.active.len());
    }
    write_status(world, &job, None);
}

/// The job's pods by how they are.
struct Counts {
    active: Vec<Arc<Pod>>,
    succeeded: usize,
    failed: usize,
}

impl Counts {
    fn of(owned: &[Arc<Pod>]) -> Self {
        let is_in = |phase: &'static str| move |pod: &&Arc<Pod>| pod.status.phase == phase;
        Self {
            active: owned
                .iter()
                .filter(|pod| pods::is_active(pod))
                .cloned()
                .collect(),
            succeeded: owned.iter().filter(is_in("Succeeded")).count(),
            failed: owned.iter().filter(is_in("Failed")).count(),
        }
    }
}

/// How many pods should be at work.
fn wanted_now(job: &Job, counts: &Counts) -> usize {
    if job.spec.suspend == Some(true) {
        return 0;
    }
    let parallelism = pods::count(job.spec.parallelism, 1);
    match job.spec.completions {
        Some(total) => {
            parallelism.min(pods::count(Some(total), 0).saturating_sub(counts.succeeded))
        }
        None if counts.succeeded > 0 => counts.active.len(),
        None => parallelism,
    }
}

fn make(world: &mut World, key: &ObjectKey, job: &Job, owned: &[Arc<Pod>], count: usize) {
    let is_indexed = job.spec.completion_mode.as_deref() == Some("Indexed");
    let mut taken: SortedSet<usize> = owned
        .iter()
        .filter(|pod| pod.status.phase != "Failed")
        .filter_map(|pod| pod.metadata.annotations.get(INDEX)?.parse().ok())
        .collect();
    for place in 0..count {
        let index = (0..).find(|index| !taken.contains(index)).unwrap_or(0);
        let prefix = if is_indexed {
            taken.insert(index);
            format!("{}-{index}-", job.metadata.name)
        } else {
            format!("{}-", job.metadata.name)
        };
        let namespace = job.metadata.namespace.as_str();
        let name = pods::free_name(world, namespace, &prefix, owned.len() + place);
        let mut pod = pods::from_template(&job.spec.template, Kind::Job, &job.metadata, name);
        let metadata = &mut pod.metadata;
        for prefix in ["batch.kubernetes.io/", ""] {
            metadata
                .labels
                .insert(format!("{prefix}job-name"), job.metadata.name.clone());
            metadata
                .labels
                .insert(format!("{prefix}controller-uid"), job.metadata.uid.clone());
        }
        if is_indexed {
            metadata
                .annotations
                .insert(INDEX.to_string(), index.to_string());
            metadata.labels.insert(INDEX.to_string(), index.to_string());
        }
        if !pods::create(world, key, pod) {
            return;
        }
    }
}

fn finish(world: &mut World, job: &Arc<Job>, counts: &Counts, how: &'static str) {
    for pod in &counts.active {
        pods::delete(world, pod);
    }
    write_status(world, job, Some(how));
}

fn write_status(world: &mut World, job: &Arc<Job>, ended: Option<&'static str>) {
    let counts = Counts::of(&pods::owned(world, &job.metadata));
    let now = world.wall_clock();
    let mut status = JobStatus {
        active: pods::number(counts.active.len()),
        succeeded: pods::number(counts.succeeded),
        failed: pods::number(counts.failed),
        ready: Some(pods::number(
            counts
                .active
                .iter()
                .filter(|pod| pods::is_ready(pod))
                .count(),
        )),
        ..job.status.clone()
    };
    status.start_time.get_or_insert(now);
    if let Some(how) = ended {
        status.conditions.push(Condition {
            type_: how.to_string(),
            status: "True".to_string(),
            last_transition_time: Some(now),
            ..Condition::default()
        });
        if how == "Complete" {
            status.completion_time = Some(now);
        }
    }
    if status != job.status {
        let mut job = job.clone();
        Arc::make_mut(&mut job).status = status;
        world.write(Object::Job(job));
    }
}

const INDEX: &str = "batch.kubernetes.io/job-completion-index";
