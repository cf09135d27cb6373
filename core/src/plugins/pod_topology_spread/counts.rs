//! How many matching pods each domain has.

use alloc::vec::Vec;

use crate::api::Selector;
use crate::node_set::{NodeIndex, NodeSet};
use crate::snapshot::{Domain, Namespaces, PodInfo, Snapshot};

use super::eligible;

/// Matching pods by domain, with the least count at hand. Domains without pods are there too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DomainCounts {
    by_domain: Vec<i32>,
    domains: usize,
    least: i32,
    at_least: usize,
}

impl DomainCounts {
    /// No domain yet, with room for those of a column of this length.
    pub(super) fn with_room(domains: usize) -> Self {
        Self {
            by_domain: alloc::vec![ABSENT; domains],
            domains: 0,
            least: 0,
            at_least: 0,
        }
    }

    /// Makes the domain known. To be followed by [`Self::settle`].
    pub(super) fn enter(&mut self, domain: Domain) {
        let count = self.by_domain.get_mut(domain.as_usize());
        if let Some(count) = count.filter(|count| **count == ABSENT) {
            *count = 0;
            self.domains += 1;
        }
    }

    /// Counts pods in a known domain. To be followed by [`Self::settle`].
    pub(super) fn add(&mut self, domain: Domain, pods: u32) {
        if let Some(count) = self.by_domain.get_mut(domain.as_usize()) {
            *count = count.saturating_add_unsigned(pods);
        }
    }

    /// Looks for the least count.
    pub(super) fn settle(&mut self) {
        let known = || {
            let counts = self.by_domain.iter().copied();
            counts.filter(|count| *count != ABSENT)
        };
        self.least = known().min().unwrap_or(0);
        self.at_least = known().filter(|count| *count == self.least).count();
    }

    /// Counts one pod in (`1`) or off (`-1`), and keeps the least count right.
    ///
    /// Cost: constant, and a pass over the domains when the last one with the least count gains a pod.
    pub(super) fn change(&mut self, domain: Domain, by: i32) {
        let Some(slot) = self.by_domain.get_mut(domain.as_usize()) else {
            return;
        };
        if *slot == ABSENT {
            *slot = by;
            self.domains += 1;
            self.settle();
            return;
        }
        let (before, after) = (*slot, *slot + by);
        *slot = after;
        if after < self.least {
            self.least = after;
            self.at_least = 1;
        } else if after == self.least && before != after {
            self.at_least += 1;
        } else if before == self.least && before != after {
            self.at_least -= 1;
            if self.at_least == 0 {
                self.settle();
            }
        }
    }

    /// How many matching pods the domain has; 0 for one that is not known.
    pub(super) fn get(&self, domain: Domain) -> i32 {
        let count = self.by_domain.get(domain.as_usize()).copied();
        count.filter(|count| *count != ABSENT).unwrap_or(0)
    }

    /// The least count, or 0 when there are fewer than `min_domains` domains.
    pub(super) const fn minimum(&self, min_domains: usize) -> i32 {
        if self.domains < min_domains {
            0
        } else {
            self.least
        }
    }
}

/// Tells `add` of each row of `rows` that has pods of the namespace which the selector means, and of how many.
///
/// Pods that are being deleted do not count.
///
/// QUIRK: a selector that requires nothing counts no pod here, although it means every one. A constraint with an empty
/// selector therefore sees only the incoming pod itself.
/// Cost: one match for each kind of pod in the namespace, one step for each node that has a matching one.
/// Source: spec, plugins 10.3.
pub(super) fn for_each_count(
    snapshot: &Snapshot,
    namespace: &str,
    selector: &Selector,
    rows: Option<&NodeSet>,
    mut add: impl FnMut(NodeIndex, u32),
) {
    if !selector.has_requirements() {
        return;
    }
    snapshot.count_pods(
        Namespaces::These(&[namespace]),
        [selector],
        |pod| is_counted(pod, namespace, selector),
        |row, pods| {
            if eligible::contains(rows, row) {
                add(row, pods);
            }
        },
    );
}

/// Whether a pod that is placed counts for a selector. Selectors that require nothing are the caller's business.
pub(super) fn is_counted(pod: &PodInfo, namespace: &str, selector: &Selector) -> bool {
    let metadata = &pod.pod.metadata;
    metadata.namespace == namespace
        && !metadata.is_terminating()
        && selector.matches(&metadata.labels)
}

/// Stands for a domain that is not known. No count falls so low.
const ABSENT: i32 = i32::MIN;

#[cfg(test)]
mod tests;
