//! How the simulated world behaves: `spec.simulation` of a scenario. Every value has a default.

use alloc::string::String;
use alloc::vec::Vec;

use crate::framework::trace::TieRule;
use crate::time::Span;

use super::faults::FaultRule;

/// How the simulated world behaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How long a bound pod takes until it runs.
    pub pod_start_delay: Span,
    /// How long a binding takes.
    pub bind_latency: Span,
    /// How the scheduler tells equal totals apart.
    pub ties: TieRule,
    /// What goes wrong.
    pub faults: Vec<FaultRule>,
    /// Whether a controller makes the claims of ephemeral volumes.
    pub makes_ephemeral_claims: bool,
    /// Whether pods begin to run at all. Benchmarks of the scheduler alone switch it off; documents cannot.
    pub runs_kubelet: bool,
    /// Whether extenders are reached and answer as `extenders` says. Tests switch it on; documents cannot, because what
    /// their extenders would say is not known.
    pub answers_extenders: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            pod_start_delay: Span::ZERO,
            bind_latency: Span::ZERO,
            ties: TieRule::default(),
            faults: Vec::new(),
            makes_ephemeral_claims: false,
            runs_kubelet: true,
            answers_extenders: false,
        }
    }
}

/// The rule of that name.
pub(super) fn tie_rule(name: &str) -> Option<TieRule> {
    match name {
        "search-order" => Some(TieRule::SearchOrder),
        "seeded" => Some(TieRule::Seeded),
        _ => None,
    }
}

/// The name of a rule.
pub(super) fn tie_rule_name(rule: TieRule) -> String {
    String::from(match rule {
        TieRule::SearchOrder => "search-order",
        TieRule::Seeded => "seeded",
    })
}
