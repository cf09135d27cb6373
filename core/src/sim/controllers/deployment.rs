//! Deployments: one ReplicaSet a template, and the step from an old one to a new one.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{
    Deployment, Kind, Object, ObjectKey, ObjectMeta, PodTemplateSpec, ReplicaSet, Rounding,
    WorkloadStatus,
};

use super::super::names;
use super::super::world::World;
use super::{pods, replica_set};

#[inline(never)]
pub(super) fn sync(world: &mut World, key: &ObjectKey) {
    let deployment = match world.get(key).cloned() {
        Some(Object::Deployment(deployment)) => deployment,
        None => return replica_set::collect(world, key),
        Some(_) => return,
    };
    if deployment.metadata.is_terminating() || deployment.spec.paused {
        return;
    }
    let sets = owned_sets(world, &deployment.metadata);
    let (new, old): (Vec<_>, Vec<_>) = sets
        .into_iter()
        .partition(|set| same_template(&set.spec.template, &deployment.spec.template));
    let wanted = pods::count(deployment.spec.replicas, 1);
    let Some(current) = new.into_iter().next() else {
        make_set(world, key, &deployment, &old, wanted);
        return;
    };
    if deployment.spec.strategy.type_ == "Recreate" {
        recreate(world, &current, &old, wanted);
    } else {
        roll(world, &deployment, &current, &old, wanted);
    }
    write_status(world, key);
}

/// The deployment's ReplicaSets, by name.
fn owned_sets(world: &World, owner: &ObjectMeta) -> Vec<Arc<ReplicaSet>> {
    let sets = world.list_in(Kind::ReplicaSet, &owner.namespace);
    sets.filter_map(|object| match object {
        Object::ReplicaSet(set) if set.metadata.is_controlled_by(&owner.uid) => Some(set.clone()),
        _ => None,
    })
    .collect()
}

/// Whether two templates differ in nothing but the label that a ReplicaSet adds.
fn same_template(one: &PodTemplateSpec, two: &PodTemplateSpec) -> bool {
    let plain = |template: &PodTemplateSpec| {
        let mut template = template.clone();
        template.metadata.labels.remove(HASH_LABEL);
        template
    };
    plain(one) == plain(two)
}

fn make_set(
    world: &mut World,
    key: &ObjectKey,
    deployment: &Deployment,
    old: &[Arc<ReplicaSet>],
    wanted: usize,
) {
    let hash = template_hash(deployment);
    let mut template = deployment.spec.template.clone();
    template
        .metadata
        .labels
        .insert(HASH_LABEL.into(), hash.clone());
    let mut selector = deployment.spec.selector.clone().unwrap_or_default();
    selector
        .match_labels
        .insert(HASH_LABEL.into(), hash.clone());
    let running: usize = old
        .iter()
        .map(|set| pods::count(set.spec.replicas, 1))
        .sum();
    let is_recreate = deployment.spec.strategy.type_ == "Recreate";
    let replicas = if running == 0 {
        wanted
    } else if is_recreate {
        0
    } else {
        (wanted + surge(deployment, wanted))
            .saturating_sub(running)
            .min(wanted)
    };
    let mut set = ReplicaSet {
        metadata: ObjectMeta {
            labels: template.metadata.labels.clone(),
            ..ObjectMeta::namespaced(
                deployment.metadata.namespace.as_str(),
                format!("{}-{hash}", deployment.metadata.name),
            )
        },
        ..ReplicaSet::default()
    };
    set.metadata
        .owner_references
        .push(pods::reference(Kind::Deployment, &deployment.metadata));
    set.spec.replicas = Some(pods::number(replicas));
    set.spec.selector = Some(selector);
    set.spec.template = template;
    set.spec.min_ready_seconds = deployment.spec.min_ready_seconds;
    if let Err(faults) = world.create(set.into()) {
        for fault in faults {
            world.note_trouble(
                key.to_string(),
                format!("its ReplicaSet is refused: {}: {}", fault.path, fault.error),
            );
        }
    }
}

fn template_hash(deployment: &Deployment) -> String {
    let template = serde_json::to_string(&deployment.spec.template).unwrap_or_default();
    let collisions = deployment.status.collision_count.unwrap_or(0);
    names::template_hash(&template, collisions)
}

fn surge(deployment: &Deployment, wanted: usize) -> usize {
    let rolling = deployment.spec.strategy.rolling_update.as_ref();
    let surge = rolling.and_then(|rolling| rolling.max_surge.as_ref());
    share(surge.and_then(|surge| surge.scaled(as_total(wanted), Rounding::Up)))
}

fn unavailable(deployment: &Deployment, wanted: usize) -> usize {
    let rolling = deployment.spec.strategy.rolling_update.as_ref();
    let missing = rolling.and_then(|rolling| rolling.max_unavailable.as_ref());
    let missing = share(missing.and_then(|m| m.scaled(as_total(wanted), Rounding::Down)));
    // Nothing could ever move if both were zero.
    if missing == 0 && surge(deployment, wanted) == 0 {
        1
    } else {
        missing
    }
}

fn share(number: Option<i64>) -> usize {
    number.map_or(0, |number| usize::try_from(number).unwrap_or(0))
}

fn as_total(wanted: usize) -> i64 {
    i64::try_from(wanted).unwrap_or(i64::MAX)
}

/// All old pods go first, then all new ones come.
fn recreate(world: &mut World, current: &Arc<ReplicaSet>, old: &[Arc<ReplicaSet>], wanted: usize) {
    let mut is_empty = true;
    for set in old {
        is_empty &= pods::owned(world, &set.metadata).is_empty();
        scale(world, set, 0);
    }
    if is_empty {
        scale(world, current, wanted);
    }
}

/// New pods come as far as the surge allows, old ones go as far as enough are ready.
fn roll(
    world: &mut World,
    deployment: &Deployment,
    current: &Arc<ReplicaSet>,
    old: &[Arc<ReplicaSet>],
    wanted: usize,
) {
    let replicas = |set: &ReplicaSet| pods::count(set.spec.replicas, 1);
    let others: usize = old.iter().map(|set| replicas(set)).sum();
    let now = replicas(current);
    let limit = wanted + surge(deployment, wanted);
    let target = if now > wanted {
        wanted
    } else {
        (limit.saturating_sub(others)).clamp(now, wanted.max(now))
    };
    scale(world, current, target);
    if others == 0 {
        return;
    }
    let ready = |set: &Arc<ReplicaSet>, world: &World| {
        let pods = pods::owned(world, &set.metadata);
        let ready = |pod: &&Arc<_>| pods::is_active(pod) && pods::is_ready(pod);
        pods.iter().filter(ready).count()
    };
    let least = wanted.saturating_sub(unavailable(deployment, wanted));
    let new_ready = ready(current, world);
    let mut spare =
        (new_ready + old.iter().map(|set| ready(set, world)).sum::<usize>()).saturating_sub(least);
    for set in old {
        let has = replicas(set);
        // Pods that are not ready are missed by nobody.
        let idle = has.saturating_sub(ready(set, world));
        let gone = (idle + spare).min(has);
        spare = spare.saturating_sub(gone.saturating_sub(idle));
        scale(world, set, has - gone);
    }
}

fn scale(world: &mut World, set: &Arc<ReplicaSet>, replicas: usize) {
    let replicas = Some(pods::number(replicas));
    if set.spec.replicas == replicas {
        return;
    }
    let mut set = set.clone();
    Arc::make_mut(&mut set).spec.replicas = replicas;
    world.write(Object::ReplicaSet(set));
}

fn write_status(world: &mut World, key: &ObjectKey) {
    let Some(Object::Deployment(deployment)) = world.get(key).cloned() else {
        return;
    };
    let sets = owned_sets(world, &deployment.metadata);
    let sum = |of: fn(&WorkloadStatus) -> i32| sets.iter().map(|set| of(&set.status)).sum::<i32>();
    let updated = sets
        .iter()
        .filter(|set| same_template(&set.spec.template, &deployment.spec.template))
        .map(|set| set.status.replicas)
        .sum();
    let available = sum(|status| status.available_replicas);
    let status = WorkloadStatus {
        replicas: sum(|status| status.replicas),
        ready_replicas: sum(|status| status.ready_replicas),
        available_replicas: available,
        unavailable_replicas: (deployment.spec.replicas.unwrap_or(1) - available).max(0),
        updated_replicas: updated,
        observed_generation: deployment.metadata.generation,
        ..deployment.status.clone()
    };
    if status != deployment.status {
        let mut deployment = deployment;
        Arc::make_mut(&mut deployment).status = status;
        world.write(Object::Deployment(deployment));
    }
}

const HASH_LABEL: &str = "pod-template-hash";
