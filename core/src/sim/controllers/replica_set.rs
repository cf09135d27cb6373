//! ReplicaSets and ReplicationControllers: as many pods as are wanted.

use alloc::format;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{Kind, Object, ObjectKey, ObjectMeta, Pod, PodTemplateSpec, WorkloadStatus};
use crate::order;

use super::super::world::World;
use super::pods;

pub(super) fn sync(world: &mut World, key: &ObjectKey) {
    match world.get(key).cloned() {
        Some(Object::ReplicaSet(set)) => {
            if set.metadata.is_terminating() {
                return;
            }
            let wanted = pods::count(set.spec.replicas, 1);
            let active = keep(world, key, &set.metadata, &set.spec.template, wanted);
            let status = status_of(&active, &set.status, set.metadata.generation);
            if status != set.status {
                let mut set = set;
                Arc::make_mut(&mut set).status = status;
                world.write(Object::ReplicaSet(set));
            }
        }
        Some(Object::ReplicationController(set)) => {
            let Some(template) = &set.spec.template else {
                return;
            };
            let wanted = pods::count(set.spec.replicas, 1);
            keep(world, key, &set.metadata, template, wanted);
        }
        None => collect(world, key),
        Some(_) => {}
    }
}

/// Makes or gives up pods until as many are there as are wanted; returns those that are there.
fn keep(
    world: &mut World,
    key: &ObjectKey,
    owner: &ObjectMeta,
    template: &PodTemplateSpec,
    wanted: usize,
) -> Vec<Arc<Pod>> {
    let mut active = pods::owned(world, owner);
    let all = active.len();
    active.retain(|pod| pods::is_active(pod));
    if active.len() > wanted {
        order::sort_by(&mut active, pods::by_cost_of_loss);
        let surplus: Vec<_> = active.drain(..active.len() - wanted).collect();
        for pod in surplus {
            pods::delete(world, &pod);
        }
        return active;
    }
    let prefix = format!("{}-", owner.name);
    for place in active.len()..wanted {
        let name = pods::free_name(world, &owner.namespace, &prefix, all + place);
        let pod = pods::from_template(template, key.kind, owner, name.clone());
        if !pods::create(world, key, pod) {
            break;
        }
        active.extend(world.pod(&owner.namespace, &name).cloned());
    }
    active
}

pub(super) fn status_of(
    active: &[Arc<Pod>],
    before: &WorkloadStatus,
    generation: i64,
) -> WorkloadStatus {
    let ready = pods::number(active.iter().filter(|pod| pods::is_ready(pod)).count());
    WorkloadStatus {
        replicas: pods::number(active.len()),
        fully_labeled_replicas: pods::number(active.len()),
        ready_replicas: ready,
        available_replicas: ready,
        observed_generation: generation,
        ..before.clone()
    }
}

/// The garbage collector: pods whose owner is gone go, too.
pub(super) fn collect(world: &mut World, owner: &ObjectKey) {
    for kind in [Kind::ReplicaSet, Kind::Pod] {
        let orphans: Vec<Object> = world
            .list_in(kind, &owner.namespace)
            .filter(|object| {
                let reference = object.metadata().controller_owner();
                reference.is_some_and(|reference| {
                    reference.kind == owner.kind.as_str() && reference.name == owner.name
                })
            })
            .cloned()
            .collect();
        for orphan in orphans {
            // It was listed a moment ago, so it is there.
            let _ = world.delete(&orphan.key(), None);
        }
    }
}
