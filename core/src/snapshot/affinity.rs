//! Terms of pod affinity and anti-affinity, parsed once.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{Pod, PodAffinityTerm, WeightedPodAffinityTerm};
use crate::api::{Selector, SelectorError};
use crate::order::SortedMap;

/// One required term of pod affinity or anti-affinity.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AffinityTerm {
    /// Which pods are meant.
    pub selector: Selector,
    /// The node label whose values are the domains.
    pub topology_key: Arc<str>,
    /// Namespaces named in the term, or the owner's where it names none and selects none.
    pub namespaces: Vec<String>,
    /// Namespaces selected by label; a term without one selects none.
    pub namespace_selector: Selector,
}

/// A preferred term and what it is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightedAffinityTerm {
    /// The term.
    pub term: AffinityTerm,
    /// 1 to 100; taken off for anti-affinity.
    pub weight: i32,
}

impl AffinityTerm {
    /// Whether the term means `pod`, whose namespace has the labels `namespace_labels`.
    ///
    /// Source: spec, InterPodAffinity 11.2.
    #[must_use]
    pub fn matches(&self, pod: &Pod, namespace_labels: &SortedMap<String, String>) -> bool {
        let is_in_scope = self.namespaces.contains(&pod.metadata.namespace)
            || self.namespace_selector.matches(namespace_labels);
        is_in_scope && self.selector.matches(&pod.metadata.labels)
    }

    fn compile(term: &PodAffinityTerm, owner: &Pod) -> Result<Self, SelectorError> {
        let namespaces = if term.namespaces.is_empty() && term.namespace_selector.is_none() {
            alloc::vec![owner.metadata.namespace.clone()]
        } else {
            term.namespaces.clone()
        };
        Ok(Self {
            selector: Selector::compile(term.label_selector.as_ref())?,
            topology_key: Arc::from(term.topology_key.as_str()),
            namespaces,
            namespace_selector: Selector::compile(term.namespace_selector.as_ref())?,
        })
    }
}

/// Every term of one pod. A list that does not parse is empty and leaves its error behind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AffinityTerms {
    /// Required affinity.
    pub required: Vec<AffinityTerm>,
    /// Required anti-affinity.
    pub required_anti: Vec<AffinityTerm>,
    /// Preferred affinity.
    pub preferred: Vec<WeightedAffinityTerm>,
    /// Preferred anti-affinity.
    pub preferred_anti: Vec<WeightedAffinityTerm>,
    /// The lists that did not parse, by the name that kube-scheduler's text gives them.
    pub errors: Vec<(&'static str, SelectorError)>,
}

impl AffinityTerms {
    /// Parses the terms of a pod.
    #[must_use]
    pub fn of(pod: &Pod) -> Self {
        let mut terms = Self::default();
        let Some(affinity) = &pod.spec.affinity else {
            return terms;
        };
        if let Some(near) = &affinity.pod_affinity {
            terms.required = terms.required_list(
                "requiredAffinityTerms",
                &near.required_during_scheduling_ignored_during_execution,
                pod,
            );
            terms.preferred = terms.preferred_list(
                "preferredAffinityTerms",
                &near.preferred_during_scheduling_ignored_during_execution,
                pod,
            );
        }
        if let Some(apart) = &affinity.pod_anti_affinity {
            terms.required_anti = terms.required_list(
                "requiredAntiAffinityTerms",
                &apart.required_during_scheduling_ignored_during_execution,
                pod,
            );
            terms.preferred_anti = terms.preferred_list(
                "preferredAntiAffinityTerms",
                &apart.preferred_during_scheduling_ignored_during_execution,
                pod,
            );
        }
        terms
    }

    /// Every term, required and preferred.
    pub fn all(&self) -> impl Iterator<Item = &AffinityTerm> {
        let preferred = self.preferred.iter().chain(&self.preferred_anti);
        let required = self.required.iter().chain(&self.required_anti);
        required.chain(preferred.map(|weighted| &weighted.term))
    }

    fn required_list(
        &mut self,
        list: &'static str,
        terms: &[PodAffinityTerm],
        owner: &Pod,
    ) -> Vec<AffinityTerm> {
        let compiled: Result<Vec<_>, _> = terms
            .iter()
            .map(|term| AffinityTerm::compile(term, owner))
            .collect();
        compiled.unwrap_or_else(|error| {
            self.errors.push((list, error));
            Vec::new()
        })
    }

    fn preferred_list(
        &mut self,
        list: &'static str,
        terms: &[WeightedPodAffinityTerm],
        owner: &Pod,
    ) -> Vec<WeightedAffinityTerm> {
        let compiled: Result<Vec<_>, _> = terms
            .iter()
            .map(|weighted| {
                Ok(WeightedAffinityTerm {
                    term: AffinityTerm::compile(&weighted.pod_affinity_term, owner)?,
                    weight: weighted.weight,
                })
            })
            .collect();
        compiled.unwrap_or_else(|error| {
            self.errors.push((list, error));
            Vec::new()
        })
    }
}
