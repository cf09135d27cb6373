//! Which constraints hold for a pod.

use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{Pod, Requirement, Selector, SelectorError, TopologySpreadConstraint};
use crate::framework::status::PluginError;
use crate::plugins::owner_selector::owner_selector;
use crate::snapshot::Listers;

use super::PodTopologySpread;

/// What a constraint that cannot be met does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WhenUnsatisfiable {
    /// The node is refused.
    DoNotSchedule,
    /// The node is worth less.
    ScheduleAnyway,
}

impl WhenUnsatisfiable {
    const fn name(self) -> &'static str {
        match self {
            Self::DoNotSchedule => "DoNotSchedule",
            Self::ScheduleAnyway => "ScheduleAnyway",
        }
    }
}

/// A constraint made ready.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Constraint {
    /// The node label whose values are the domains.
    pub(super) topology_key: Arc<str>,
    /// By how many pods domains may differ.
    pub(super) max_skew: i32,
    /// With fewer domains than this, one without pods is imagined.
    pub(super) min_domains: usize,
    /// Which pods are counted.
    pub(super) selector: Selector,
    /// Whether nodes that the pod's node affinity excludes are left out.
    pub(super) honors_affinity: bool,
    /// Whether nodes with a hard taint that the pod does not tolerate are left out.
    pub(super) honors_taints: bool,
}

impl PodTopologySpread {
    /// The constraints of one kind that hold for a pod: its own if it has any of either kind, else the profile's.
    ///
    /// Source: spec, plugins 10.2.
    ///
    /// # Errors
    ///
    /// A selector of the pod cannot be read.
    pub(super) fn constraints(
        &self,
        listers: &Listers,
        pod: &Pod,
        kind: WhenUnsatisfiable,
    ) -> Result<Vec<Constraint>, PluginError> {
        let own = &pod.spec.topology_spread_constraints;
        let is_own = !own.is_empty();
        let written = if is_own { own } else { &self.defaults };
        let mut of_kind = written
            .iter()
            .filter(|constraint| constraint.when_unsatisfiable == kind.name())
            .peekable();
        if of_kind.peek().is_none() {
            return Ok(Vec::new());
        }
        if is_own {
            let compiled: Result<_, _> = of_kind
                .map(|constraint| self.compile_own(constraint, pod))
                .collect();
            return compiled.map_err(|error| unreadable(kind, &error));
        }
        let selector = owner_selector(listers, pod);
        if !selector.has_requirements() {
            return Ok(Vec::new());
        }
        Ok(of_kind
            .map(|constraint| ready(constraint, selector.clone()))
            .collect())
    }

    /// Whether a node must have the keys of all soft constraints to be scored.
    pub(super) const fn requires_all_keys(&self, pod: &Pod) -> bool {
        !pod.spec.topology_spread_constraints.is_empty() || !self.is_system_defaulted
    }

    fn compile_own(
        &self,
        written: &TopologySpreadConstraint,
        pod: &Pod,
    ) -> Result<Constraint, SelectorError> {
        let mut selector = Selector::compile(written.label_selector.as_ref())?;
        if self.reads_match_label_keys {
            for key in &written.match_label_keys {
                if let Some(value) = pod.metadata.labels.get(key) {
                    selector.add(Requirement::equals(key, value));
                }
            }
        }
        Ok(ready(written, selector))
    }
}

fn ready(written: &TopologySpreadConstraint, selector: Selector) -> Constraint {
    let min_domains = written.min_domains.unwrap_or(1);
    Constraint {
        topology_key: Arc::from(written.topology_key.as_str()),
        max_skew: written.max_skew,
        min_domains: usize::try_from(min_domains).unwrap_or(0),
        selector,
        honors_affinity: written.node_affinity_policy.as_deref() != Some("Ignore"),
        honors_taints: written.node_taints_policy.as_deref() == Some("Honor"),
    }
}

fn unreadable(kind: WhenUnsatisfiable, error: &SelectorError) -> PluginError {
    let kind = match kind {
        WhenUnsatisfiable::DoNotSchedule => "hard",
        WhenUnsatisfiable::ScheduleAnyway => "soft",
    };
    let parts = [
        "obtaining pod's ",
        kind,
        " topology spread constraints: ",
        &error.to_string(),
    ];
    PluginError::new(parts.concat())
}

/// What holds for pods that say nothing where the profile says nothing.
///
/// Source: spec, plugins 10.1.
pub(super) fn system_defaults() -> Vec<TopologySpreadConstraint> {
    let preferred = |max_skew, topology_key| TopologySpreadConstraint {
        max_skew,
        topology_key: String::from(topology_key),
        when_unsatisfiable: String::from(WhenUnsatisfiable::ScheduleAnyway.name()),
        ..TopologySpreadConstraint::default()
    };
    alloc::vec![
        preferred(3, super::score::HOSTNAME),
        preferred(5, "topology.kubernetes.io/zone"),
    ]
}
