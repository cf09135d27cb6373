//! What kube-scheduler's plugins remember between cycles, as named state of the scheduler.
//!
//! A plugin itself never changes after it is built: if it did, a clone of a scheduler would share it and time travel
//! would lie. The runtime hands this to the few extension points that may change it.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::sync::Arc;

use crate::api::{Object, PersistentVolume, PersistentVolumeClaim};
use crate::order::SortedSet;

use super::listers::Listers;

/// State that plugins keep from one cycle to the next.
#[derive(Clone, Debug, Default)]
pub struct PluginMemory {
    /// VolumeBinding's overlays.
    pub volumes: AssumedVolumes,
    /// UIDs of pods whose preemption is under way, with the last victim still to be deleted once it is known.
    pub preempting: BTreeMap<Arc<str>, Option<LastVictim>>,
    /// UIDs of claims whose allocation is in flight (DynamicResources).
    pub claims_in_flight: SortedSet<Arc<str>>,
}

/// The victim whose deletion ends a preemption.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastVictim {
    /// `metadata.namespace`.
    pub namespace: Arc<str>,
    /// `metadata.name`.
    pub name: Arc<str>,
    /// `metadata.uid`.
    pub uid: Arc<str>,
}

/// Volumes and claims as VolumeBinding has decided them, above what was observed.
///
/// An assumed object replaces the observed one until a newer version is observed or it is restored.
/// Source: spec, VolumeBinding 8.5.
#[derive(Clone, Debug, Default)]
pub struct AssumedVolumes {
    volumes: BTreeMap<String, Arc<PersistentVolume>>,
    claims: BTreeMap<(String, String), Arc<PersistentVolumeClaim>>,
}

impl AssumedVolumes {
    /// The volume as decided, else as observed.
    #[must_use]
    pub fn volume<'a>(
        &'a self,
        listers: &'a Listers,
        name: &str,
    ) -> Option<&'a Arc<PersistentVolume>> {
        let observed = listers.persistent_volumes.get("", name)?;
        Some(self.volumes.get(name).unwrap_or(observed))
    }

    /// The claim as decided, else as observed.
    #[must_use]
    pub fn claim<'a>(
        &'a self,
        listers: &'a Listers,
        namespace: &str,
        name: &str,
    ) -> Option<&'a Arc<PersistentVolumeClaim>> {
        let observed = listers.persistent_volume_claims.get(namespace, name)?;
        let key = (String::from(namespace), String::from(name));
        Some(self.claims.get(&key).unwrap_or(observed))
    }

    /// Every volume as decided, else as observed, by name.
    pub fn iter_volumes<'a>(
        &'a self,
        listers: &'a Listers,
    ) -> impl Iterator<Item = &'a Arc<PersistentVolume>> {
        let observes_all = self.volumes.is_empty();
        listers.persistent_volumes.iter().map(move |observed| {
            let decided = || self.volumes.get(&observed.metadata.name);
            (!observes_all).then(decided).flatten().unwrap_or(observed)
        })
    }

    /// Drops what was decided of an object that has been observed anew or is gone.
    pub fn observe(&mut self, object: &Object) {
        let version = object.metadata().resource_version.as_str();
        match object {
            Object::PersistentVolume(volume) => {
                let name = volume.metadata.name.as_str();
                if self
                    .volumes
                    .get(name)
                    .is_some_and(|own| own.metadata.resource_version != version)
                {
                    self.restore_volume(name);
                }
            }
            Object::PersistentVolumeClaim(claim) => {
                let key = (
                    claim.metadata.namespace.clone(),
                    claim.metadata.name.clone(),
                );
                if self
                    .claims
                    .get(&key)
                    .is_some_and(|own| own.metadata.resource_version != version)
                {
                    self.claims.remove(&key);
                }
            }
            _ => {}
        }
    }

    /// Puts a decided volume over the observed one.
    pub fn assume_volume(&mut self, volume: Arc<PersistentVolume>) {
        self.volumes.insert(volume.metadata.name.clone(), volume);
    }

    /// Puts a decided claim over the observed one.
    #[inline(never)]
    pub fn assume_claim(&mut self, claim: Arc<PersistentVolumeClaim>) {
        let key = (
            claim.metadata.namespace.clone(),
            claim.metadata.name.clone(),
        );
        self.claims.insert(key, claim);
    }

    /// Goes back to the observed volume: its decision was undone, or a newer version was observed.
    pub fn restore_volume(&mut self, name: &str) {
        self.volumes.remove(name);
    }

    /// Goes back to the observed claim.
    pub fn restore_claim(&mut self, namespace: &str, name: &str) {
        self.claims
            .remove(&(String::from(namespace), String::from(name)));
    }
}
