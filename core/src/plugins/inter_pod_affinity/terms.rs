//! Which pods the terms of the incoming pod mean.

use alloc::vec::Vec;

use crate::api::Pod;
use crate::node_set::NodeIndex;
use crate::snapshot::affinity::AffinityTerm;
use crate::snapshot::{Listers, Namespaces, Snapshot};

use super::NO_LABELS;

/// A term of the incoming pod, the namespaces that it selects added to those that it names.
///
/// QUIRK: a selector of namespaces is afterwards still asked about a namespace without labels, so one that only excludes
/// (`NotIn`, `DoesNotExist`) means pods of every namespace.
/// Source: spec, plugins 11.2.
pub(super) fn resolved(term: &AffinityTerm, listers: &Listers) -> AffinityTerm {
    let mut term = term.clone();
    let selector = &term.namespace_selector;
    if selector.is_empty() || selector.is_nothing() {
        return term;
    }
    let selected = listers
        .namespaces
        .iter()
        .map(|namespace| &namespace.metadata);
    let selected = selected.filter(|metadata| selector.matches(&metadata.labels));
    term.namespaces
        .extend(selected.map(|metadata| metadata.name.clone()));
    term
}

/// The same for a list.
pub(super) fn resolved_all(terms: &[AffinityTerm], listers: &Listers) -> Vec<AffinityTerm> {
    terms.iter().map(|term| resolved(term, listers)).collect()
}

/// Whether a resolved term of the incoming pod means `other`.
pub(super) fn means(term: &AffinityTerm, other: &Pod) -> bool {
    term.matches(other, &NO_LABELS)
}

/// Whether every resolved term means `other`; no terms mean nobody.
pub(super) fn all_mean(terms: &[AffinityTerm], other: &Pod) -> bool {
    !terms.is_empty() && terms.iter().all(|term| means(term, other))
}

/// Tells `add` of each node with pods that the list means, and of how many.
///
/// Cost: one match for each kind of pod in the namespaces that count, one step for each node with a matching one.
pub(super) fn for_each_meant(
    snapshot: &Snapshot,
    terms: &[AffinityTerm],
    add: impl FnMut(NodeIndex, u32),
) {
    let Some(first) = terms.first() else { return };
    let mut names: Vec<&str> = first.namespaces.iter().map(|name| &**name).collect();
    names.sort_unstable();
    names.dedup();
    let namespaces = if first.namespace_selector.matches(&NO_LABELS) {
        Namespaces::All
    } else {
        Namespaces::These(&names)
    };
    let selectors = terms.iter().map(|term| &term.selector);
    snapshot.count_pods(namespaces, selectors, |pod| all_mean(terms, &pod.pod), add);
}
