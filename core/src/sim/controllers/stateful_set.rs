//! StatefulSets: numbered pods, each with claims of its own, one after another unless they may come at once.

use alloc::format;
use alloc::string::ToString;
use alloc::sync::Arc;

use crate::api::{
    Kind, Object, ObjectKey, PersistentVolumeClaim, PersistentVolumeClaimVolumeSource, Pod,
    StatefulSet, Volume, WorkloadStatus,
};
use crate::order::{self, SortedMap};

use super::super::world::World;
use super::{pods, replica_set};

pub(super) fn sync(world: &mut World, key: &ObjectKey) {
    let set = match world.get(key).cloned() {
        Some(Object::StatefulSet(set)) => set,
        None => return replica_set::collect(world, key),
        Some(_) => return,
    };
    if set.metadata.is_terminating() {
        return;
    }
    let wanted = pods::count(set.spec.replicas, 1);
    let start = set
        .spec
        .ordinals
        .as_ref()
        .map_or(0, |o| pods::count(Some(o.start), 0));
    let owned = pods::owned(world, &set.metadata).into_iter();
    let owned: SortedMap<usize, Arc<Pod>> =
        order::collect(owned.filter_map(|pod| Some((ordinal(&set, &pod)?, pod))));
    let is_parallel = set.spec.pod_management_policy == "Parallel";
    make_missing(world, key, &set, &owned, start..start + wanted, is_parallel);
    give_up(world, &owned, start..start + wanted, is_parallel);
    write_status(world, &set);
}

/// Makes the pods that are missing, lowest number first. In order, each waits until all before it are ready.
fn make_missing(
    world: &mut World,
    key: &ObjectKey,
    set: &StatefulSet,
    owned: &SortedMap<usize, Arc<Pod>>,
    numbers: core::ops::Range<usize>,
    is_parallel: bool,
) {
    for number in numbers {
        match owned.get(&number) {
            Some(pod) if pod.is_finished() && !pod.is_terminating() => {
                pods::delete(world, pod);
                if !is_parallel {
                    return;
                }
            }
            Some(pod) => {
                let is_well = pods::is_ready(pod) && !pod.is_terminating();
                if !is_well && !is_parallel {
                    return;
                }
            }
            None => {
                if !make(world, key, set, number) || !is_parallel {
                    return;
                }
            }
        }
    }
}

/// Gives up the pods that are too many, highest number first, one at a time unless they may go at once.
fn give_up(
    world: &mut World,
    owned: &SortedMap<usize, Arc<Pod>>,
    numbers: core::ops::Range<usize>,
    is_parallel: bool,
) {
    for (number, pod) in owned.iter().rev() {
        if numbers.contains(number) {
            continue;
        }
        if !pod.is_terminating() {
            pods::delete(world, pod);
        }
        if !is_parallel {
            return;
        }
    }
}

#[inline(never)]
fn make(world: &mut World, key: &ObjectKey, set: &StatefulSet, number: usize) -> bool {
    let name = format!("{}-{number}", set.metadata.name);
    let mut pod = pods::from_template(
        &set.spec.template,
        Kind::StatefulSet,
        &set.metadata,
        name.clone(),
    );
    let labels = &mut pod.metadata.labels;
    labels.insert(
        "statefulset.kubernetes.io/pod-name".to_string(),
        name.clone(),
    );
    labels.insert(
        "apps.kubernetes.io/pod-index".to_string(),
        number.to_string(),
    );
    pod.spec.hostname = name.clone();
    pod.spec.subdomain = set.spec.service_name.clone();
    for template in &set.spec.volume_claim_templates {
        let claim_name = format!("{}-{name}", template.metadata.name);
        make_claim(world, key, set, template, &claim_name);
        let volumes = &mut pod.spec.volumes;
        volumes.retain(|volume| volume.name != template.metadata.name);
        volumes.push(Volume {
            name: template.metadata.name.clone(),
            persistent_volume_claim: Some(PersistentVolumeClaimVolumeSource {
                claim_name,
                read_only: false,
            }),
            ..Volume::default()
        });
    }
    pods::create(world, key, pod)
}

/// A claim outlives its pod, so it may be there already.
fn make_claim(
    world: &mut World,
    key: &ObjectKey,
    set: &StatefulSet,
    template: &PersistentVolumeClaim,
    name: &str,
) {
    let namespace = set.metadata.namespace.as_str();
    let claim_key = ObjectKey::new(Kind::PersistentVolumeClaim, namespace, name);
    if world.get(&claim_key).is_some() {
        return;
    }
    let mut claim = template.clone();
    claim.metadata.name = name.to_string();
    claim.metadata.namespace = namespace.to_string();
    if let Some(selector) = &set.spec.selector {
        claim.metadata.labels.extend(selector.match_labels.clone());
    }
    if let Err(faults) = world.create(claim.into()) {
        for fault in faults {
            world.note_trouble(
                key.to_string(),
                format!(
                    "its claim {name} is refused: {}: {}",
                    fault.path, fault.error
                ),
            );
        }
    }
}

/// The number in a pod's name.
fn ordinal(set: &StatefulSet, pod: &Pod) -> Option<usize> {
    let rest: &str = pod.metadata.name.strip_prefix(set.metadata.name.as_str())?;
    rest.strip_prefix('-')?.parse().ok()
}

fn write_status(world: &mut World, set: &Arc<StatefulSet>) {
    let active: alloc::vec::Vec<Arc<Pod>> = pods::owned(world, &set.metadata)
        .into_iter()
        .filter(|pod| pods::is_active(pod))
        .collect();
    let status = WorkloadStatus {
        current_replicas: pods::number(active.len()),
        updated_replicas: pods::number(active.len()),
        fully_labeled_replicas: 0,
        ..replica_set::status_of(&active, &set.status, set.metadata.generation)
    };
    if status != set.status {
        let mut set = set.clone();
        Arc::make_mut(&mut set).status = status;
        world.write(Object::StatefulSet(set));
    }
}
