//! The nodes that exist, by zone: in which order a snapshot lists them.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::Node;

use super::error::CacheError;

/// Names of nodes grouped by zone: kube-scheduler's `nodeTree`.
///
/// Zones stand in the order in which they first appeared, nodes of a zone in the order in which they came. A zone that
/// loses its last node is gone, and comes back at the end.
#[derive(Clone, Debug, Default)]
pub(super) struct NodeTree {
    zones: Vec<Zone>,
    len: usize,
}

#[derive(Clone, Debug)]
struct Zone {
    key: String,
    nodes: Vec<Arc<str>>,
    /// The same names again, to find out at once whether one is here.
    members: BTreeSet<Arc<str>>,
}

impl NodeTree {
    /// Adds a node to its zone; one that is already there stays in its place.
    pub(super) fn add(&mut self, node: &Node, name: &Arc<str>) {
        let key = node.zone_key();
        let zone = match self.zones.iter().position(|zone| zone.key == key) {
            Some(place) => self.zones.get_mut(place),
            None => {
                self.zones.push(Zone {
                    key,
                    nodes: Vec::new(),
                    members: BTreeSet::new(),
                });
                self.zones.last_mut()
            }
        };
        let zone = zone.expect("the zone was found or pushed");
        if zone.members.insert(name.clone()) {
            zone.nodes.push(name.clone());
            self.len += 1;
        }
    }

    /// Moves a node that changed its zone; does nothing when the zone is the same.
    pub(super) fn update(&mut self, old: &Node, new: &Node, name: &Arc<str>) {
        if old.zone_key() == new.zone_key() {
            return;
        }
        // That the old one is not there is no reason not to add the new one.
        let _ = self.remove(old);
        self.add(new, name);
    }

    /// Takes a node out of the zone that its labels name.
    pub(super) fn remove(&mut self, node: &Node) -> Result<(), CacheError> {
        let key = node.zone_key();
        let name = node.metadata.name.as_str();
        let place = self.zones.iter().position(|zone| zone.key == key);
        let Some((place, zone)) = place.and_then(|place| Some((place, self.zones.get_mut(place)?)))
        else {
            return Err(not_in_zone(name, key));
        };
        if !zone.members.remove(name) {
            return Err(not_in_zone(name, key));
        }
        zone.nodes.retain(|other| &**other != name);
        if zone.nodes.is_empty() {
            self.zones.remove(place);
        }
        self.len -= 1;
        Ok(())
    }

    /// How many names there are.
    pub(super) const fn len(&self) -> usize {
        self.len
    }

    /// The first node of every zone, then the second of every zone that has one, and so on.
    pub(super) fn list(&self) -> Vec<Arc<str>> {
        let mut names = Vec::with_capacity(self.len);
        let mut round = 0;
        while names.len() < self.len {
            let of_round = self.zones.iter().filter_map(|zone| zone.nodes.get(round));
            names.extend(of_round.cloned());
            round += 1;
        }
        names
    }
}

fn not_in_zone(name: &str, zone: String) -> CacheError {
    CacheError::NotInZone {
        node: String::from(name),
        zone,
    }
}

#[cfg(test)]
mod tests;
