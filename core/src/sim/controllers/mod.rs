//! The controllers of a cluster, small: what makes pods and keeps their number, and what binds volumes.
//!
//! They see only the simulated API server. A controller looks at an object when the object, one of its own, or something
//! it depends on changed, and does everything that is to be done at once: there is no work queue with delays. The order
//! in which things changed is the order in which they are looked at.

mod daemon_set;
mod deployment;
mod job;
mod pods;
mod replica_set;
mod stateful_set;
mod volumes;

use alloc::collections::BTreeSet;
use alloc::string::ToString;
use alloc::vec::Vec;

use crate::api::{Kind, ObjectKey};

use super::settings::Settings;
use super::world::{Touched, World};

/// Lets every controller do what is to be done, until nothing is.
pub(super) fn sync(world: &mut World, settings: &Settings) {
    for _ in 0..MAX_ROUNDS {
        let touched = world.take_touched();
        if touched.is_empty() {
            return;
        }
        let mut seen = BTreeSet::new();
        let mut wants_volumes = false;
        let mut owners: Vec<ObjectKey> = Vec::new();
        for entry in touched {
            let key = match entry {
                Touched::Object(key) => key,
                // An owner that nobody ever saw is missing from a dump; what it owns stays.
                Touched::Owner(key) if world.get(&key).is_none() => continue,
                Touched::Owner(key) => key,
            };
            match key.kind {
                Kind::Node => {
                    let sets = world.list(Kind::DaemonSet).map(|set| set.key());
                    owners.extend(sets.filter(|key| seen.insert(key.clone())));
                }
                Kind::PersistentVolume | Kind::PersistentVolumeClaim | Kind::StorageClass => {
                    wants_volumes = true;
                }
                Kind::Pod if settings.makes_ephemeral_claims => volumes::make_claims(world, &key),
                Kind::Deployment
                | Kind::ReplicaSet
                | Kind::ReplicationController
                | Kind::StatefulSet
                | Kind::DaemonSet
                | Kind::Job
                    if seen.insert(key.clone()) =>
                {
                    owners.push(key);
                }
                _ => {}
            }
        }
        for owner in owners {
            sync_owner(world, &owner);
        }
        if wants_volumes {
            volumes::sync(world);
        }
    }
    // What never comes to rest would keep the run at this instant for ever.
    if let Some(entry) = world.take_touched().into_iter().next() {
        let (Touched::Object(key) | Touched::Owner(key)) = entry;
        let what = "its controller finds something to do again and again; it is left alone until something else changes";
        world.note_trouble(key.to_string(), what.into());
    }
}

fn sync_owner(world: &mut World, key: &ObjectKey) {
    match key.kind {
        Kind::Deployment => deployment::sync(world, key),
        Kind::ReplicaSet | Kind::ReplicationController => replica_set::sync(world, key),
        Kind::StatefulSet => stateful_set::sync(world, key),
        Kind::DaemonSet => daemon_set::sync(world, key),
        Kind::Job => job::sync(world, key),
        _ => {}
    }
}

/// More rounds than any chain of owners is long: Deployment, ReplicaSet, pod, and back up.
const MAX_ROUNDS: usize = 64;

#[cfg(test)]
mod tests;
