//! What NodeResourcesFit, NodeResourcesBalancedAllocation and their predecessors count when they score a node.

use alloc::sync::Arc;
use alloc::vec::Vec;

use smallvec::SmallVec;

use crate::api::{ResourceClass, ResourceList};
use crate::config::ResourceSpec;
use crate::node_set::NodeIndex;
use crate::snapshot::{NodeInfo, Room, Snapshot};

/// The resources of a scoring strategy, made ready.
#[derive(Clone, Debug)]
pub(super) struct ScoredResources {
    list: Vec<ScoredResource>,
    basis: Basis,
}

/// What counts as in use of CPU and memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Basis {
    /// Requests, with a floor for containers that name none.
    NonZero,
    /// Requests as they are.
    Requested,
}

#[derive(Clone, Debug)]
struct ScoredResource {
    name: Arc<str>,
    counted: Counted,
    weight: i64,
}

/// Where a resource's numbers stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counted {
    Cpu,
    Memory,
    EphemeralStorage,
    Scalar,
    /// `pods` and names that no node counts: always left out.
    Nowhere,
}

/// What the incoming pod asks for, in the order of the resources.
pub(super) type Incoming = SmallVec<[i64; 4]>;

/// One resource of one node, the incoming pod not counted in.
///
/// Units: milli-cores for CPU, bytes, or whole units. `capacity` is 0 only from [`ScoredResources::all_on_node`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fill {
    /// In use.
    pub(super) used: i64,
    /// What the incoming pod adds.
    pub(super) incoming: i64,
    /// What there is in all.
    pub(super) capacity: i64,
    /// What the resource counts for.
    pub(super) weight: i64,
}

impl ScoredResources {
    /// Reads a strategy's list.
    pub(super) fn new(specs: &[ResourceSpec], basis: Basis) -> Self {
        let list = specs.iter().map(|spec| ScoredResource {
            name: Arc::from(spec.name.as_str()),
            counted: match ResourceClass::of(&spec.name) {
                ResourceClass::Cpu => Counted::Cpu,
                ResourceClass::Memory => Counted::Memory,
                ResourceClass::EphemeralStorage => Counted::EphemeralStorage,
                ResourceClass::Scalar => Counted::Scalar,
                ResourceClass::Pods | ResourceClass::Ignored => Counted::Nowhere,
            },
            weight: spec.weight,
        });
        Self {
            list: list.collect(),
            basis,
        }
    }

    /// What a pod with these requests asks of each.
    pub(super) fn incoming(&self, requests: &ResourceList) -> Incoming {
        let amounts = self.list.iter().map(|resource| {
            let quantity = requests.get(&*resource.name);
            quantity.map_or(0, |quantity| match resource.counted {
                Counted::Cpu => quantity.milli_value(),
                _ => quantity.value(),
            })
        });
        amounts.collect()
    }

    /// How full a node is, read from the node: the plain twin of [`Self::on_row`].
    ///
    /// Left out are resources that the node has none of, and scalars that the incoming pod does not ask for.
    pub(super) fn on_node<'a>(
        &'a self,
        info: &'a NodeInfo,
        incoming: &'a [i64],
    ) -> impl Iterator<Item = Fill> + 'a {
        self.pairs(incoming).filter_map(|(resource, incoming)| {
            if resource.counted == Counted::Scalar && incoming == 0 {
                return None;
            }
            let (used, capacity) = self.amounts(resource, info)?;
            fill(used, incoming, capacity, resource.weight)
        })
    }

    /// How full a node is, every resource of the list taken: what scores went by before Kubernetes 1.22.
    ///
    /// A resource that the node has none of has a capacity of 0.
    pub(super) fn all_on_node<'a>(
        &'a self,
        info: &'a NodeInfo,
        incoming: &'a [i64],
    ) -> impl Iterator<Item = Fill> + 'a {
        self.pairs(incoming).map(|(resource, incoming)| {
            let amounts = self.amounts(resource, info);
            let (used, capacity) = amounts.unwrap_or_default();
            Fill {
                used,
                incoming: if amounts.is_some() { incoming } else { 0 },
                capacity,
                weight: resource.weight,
            }
        })
    }

    /// What of a resource is in use on a node, and what there is; `None` for names that no node counts.
    fn amounts(&self, resource: &ScoredResource, info: &NodeInfo) -> Option<(i64, i64)> {
        Some(match (resource.counted, self.basis) {
            (Counted::Cpu, Basis::NonZero) => (
                info.non_zero_requested.milli_cpu,
                info.allocatable.milli_cpu,
            ),
            (Counted::Memory, Basis::NonZero) => {
                (info.non_zero_requested.memory, info.allocatable.memory)
            }
            (Counted::Nowhere, _) => return None,
            _ => (
                info.requested.amount(&resource.name),
                info.allocatable.amount(&resource.name),
            ),
        })
    }

    /// How full the node in a row is, read from the snapshot's columns.
    pub(super) fn on_row<'a>(
        &'a self,
        snapshot: &'a Snapshot,
        row: NodeIndex,
        incoming: &'a [i64],
    ) -> impl Iterator<Item = Fill> + 'a {
        let room = snapshot.columns().room(row);
        let (cpu, memory) = match self.basis {
            Basis::NonZero => (room.non_zero_milli_cpu, room.non_zero_memory),
            Basis::Requested => (room.requested_milli_cpu, room.requested_memory),
        };
        self.pairs(incoming)
            .filter_map(move |(resource, incoming)| {
                let (used, capacity) = match resource.counted {
                    Counted::Cpu => (cpu, room.allocatable_milli_cpu),
                    Counted::Memory => (memory, room.allocatable_memory),
                    Counted::EphemeralStorage => {
                        (room.requested_ephemeral, room.allocatable_ephemeral)
                    }
                    Counted::Scalar if incoming > 0 => {
                        let info = snapshot.node(row);
                        (
                            info.requested.scalar(&resource.name),
                            info.allocatable.scalar(&resource.name),
                        )
                    }
                    Counted::Scalar | Counted::Nowhere => return None,
                };
                fill(used, incoming, capacity, resource.weight)
            })
    }

    /// Fills a column with a score that goes by [`Self::on_row`] alone. A node whose numbers are those of the node before
    /// it gets the same score without asking, which is how it is with most nodes of most clusters.
    pub(super) fn score_rows(
        &self,
        snapshot: &Snapshot,
        nodes: &[NodeIndex],
        incoming: &[i64],
        column: &mut [i64],
        score: impl Fn(NodeIndex) -> i64,
    ) {
        let mut pairs = self.pairs(incoming);
        let reads_nodes =
            pairs.any(|(resource, incoming)| resource.counted == Counted::Scalar && incoming > 0);
        let mut before: Option<(&Room, i64)> = None;
        for (node, slot) in nodes.iter().zip(column) {
            let room = snapshot.columns().room(*node);
            *slot = match before {
                Some((known, known_score)) if known == room && !reads_nodes => known_score,
                _ => score(*node),
            };
            before = Some((room, *slot));
        }
    }

    fn pairs<'a>(
        &'a self,
        incoming: &'a [i64],
    ) -> impl Iterator<Item = (&'a ScoredResource, i64)> + 'a {
        self.list.iter().zip(incoming.iter().copied())
    }
}

impl Fill {
    /// In use once the incoming pod is there.
    pub(super) fn with_incoming(&self) -> i64 {
        self.used.saturating_add(self.incoming)
    }
}

fn fill(used: i64, incoming: i64, capacity: i64, weight: i64) -> Option<Fill> {
    (capacity != 0).then_some(Fill {
        used,
        incoming,
        capacity,
        weight,
    })
}

#[cfg(test)]
mod tests;
