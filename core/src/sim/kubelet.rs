//! The kubelets of all nodes: a bound pod begins to run after a while, a deleted one stops after its grace period.

use alloc::string::ToString;
use alloc::sync::Arc;

use crate::api::{Condition, Object, ObjectKey, Pod, PodCondition};
use crate::time::Span;

use super::world::{World, set_condition};

/// Has a pod that was just bound begin to run after `delay`.
pub(super) fn pod_bound(world: &mut World, key: &ObjectKey, delay: Span) {
    let Some(Object::Pod(pod)) = world.get(key) else {
        return;
    };
    let uid = pod.metadata.uid.clone();
    let at = world.now() + delay;
    world.start_at(at, key.clone(), uid);
}

/// Does what is due now. Says whether there was something.
pub(super) fn run_due(world: &mut World) -> bool {
    if let Some((key, uid)) = world.take_due_start() {
        start(world, &key, &uid);
        return true;
    }
    if let Some((key, uid)) = world.take_due_end() {
        world.stop(&key, &uid);
        return true;
    }
    false
}

fn start(world: &mut World, key: &ObjectKey, uid: &str) {
    let now = world.wall_clock();
    let Some(Object::Pod(pod)) = world.get(key) else {
        return;
    };
    if pod.metadata.uid != uid || pod.status.phase != "Pending" {
        return;
    }
    let mut pod = Pod::clone(pod);
    pod.status.phase = "Running".to_string();
    pod.status.start_time.get_or_insert(now);
    for type_ in ["Initialized", "Ready", "ContainersReady"] {
        let condition = PodCondition {
            type_: type_.to_string(),
            status: "True".to_string(),
            observed_generation: pod.metadata.generation,
            ..Condition::default()
        };
        set_condition(&mut pod, &condition, now);
    }
    world.write(Object::Pod(Arc::new(pod)));
}
