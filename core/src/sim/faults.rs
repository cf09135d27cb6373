//! What goes wrong on purpose: effects that fail, take long, or are done although the answer is lost.
//!
//! A rule says which effects it is about, when, how often and what happens. Whether a rule with less than 100 percent
//! strikes is drawn from a generator of the simulation's own, so that the scheduler's draws stay what they are.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::framework::trace::Record;
use crate::framework::work::{Failure, FailureKind, Outcome};
use crate::rng::{Rng, Seed};
use crate::scheduler::Effect;
use crate::time::{Span, Timestamp};

/// One rule of `spec.simulation.faults`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultRule {
    /// Which effects it is about.
    pub effect: EffectKind,
    /// Only effects on this pod, `namespace/name` or `name`, each with an optional `*` at its end.
    pub pod: Option<String>,
    /// What happens.
    pub outcome: FaultOutcome,
    /// How often, in percent.
    pub percent: u8,
    /// How many times at most.
    pub times: Option<u32>,
    /// From when.
    pub from: Timestamp,
    /// Until when, exclusively.
    pub until: Timestamp,
    /// How much longer the effect takes.
    pub delay: Span,
}

impl Default for FaultRule {
    fn default() -> Self {
        Self {
            effect: EffectKind::Any,
            pod: None,
            outcome: FaultOutcome::None,
            percent: 100,
            times: None,
            from: Timestamp::ZERO,
            until: Timestamp::MAX,
            delay: Span::ZERO,
        }
    }
}

/// A kind of effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EffectKind {
    /// Every one that is awaited.
    Any,
    /// A binding.
    Bind,
    /// A patch of a pod's status.
    Status,
    /// A deletion of a victim.
    Delete,
    /// Writes of volumes and claims.
    Volumes,
    /// A write of a resource claim.
    ResourceClaim,
    /// A question to an extender.
    Extender,
}

/// What becomes of an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultOutcome {
    /// It is done; it may take longer.
    None,
    /// The server says that the object is not there.
    NotFound,
    /// The server says that somebody else was first.
    Conflict,
    /// The server refuses.
    Refused,
    /// The server is not reached.
    Unreachable,
    /// It is done, but the answer is lost.
    LostAnswer,
}

impl EffectKind {
    /// The names in documents, in the order of the kinds.
    pub(super) const NAMES: &'static [&'static str] = &[
        "any",
        "bind",
        "status",
        "delete",
        "volumes",
        "resourceClaim",
        "extender",
    ];
    const ALL: [Self; 7] = [
        Self::Any,
        Self::Bind,
        Self::Status,
        Self::Delete,
        Self::Volumes,
        Self::ResourceClaim,
        Self::Extender,
    ];

    pub(super) fn by_name(name: &str) -> Option<Self> {
        let place = Self::NAMES.iter().position(|known| *known == name)?;
        Self::ALL.get(place).copied()
    }

    pub(super) fn name(self) -> &'static str {
        let place = Self::ALL.iter().position(|known| *known == self);
        place
            .and_then(|place| Self::NAMES.get(place))
            .copied()
            .unwrap_or_default()
    }

    fn of(effect: &Effect) -> Option<Self> {
        Some(match effect {
            Effect::Bind { .. } => Self::Bind,
            Effect::PatchPodStatus { .. } => Self::Status,
            Effect::DeletePod { .. } => Self::Delete,
            Effect::UpdateVolumes { .. } => Self::Volumes,
            Effect::UpdateResourceClaim { .. } | Effect::UnreserveResourceClaim { .. } => {
                Self::ResourceClaim
            }
            Effect::AskExtender { .. } => Self::Extender,
            Effect::RecordEvent { .. } => return None,
        })
    }
}

impl FaultOutcome {
    /// The names in documents, in the order of the outcomes.
    pub(super) const NAMES: &'static [&'static str] = &[
        "slow",
        "notFound",
        "conflict",
        "refused",
        "unreachable",
        "lostAnswer",
    ];
    const ALL: [Self; 6] = [
        Self::None,
        Self::NotFound,
        Self::Conflict,
        Self::Refused,
        Self::Unreachable,
        Self::LostAnswer,
    ];

    pub(super) fn by_name(name: &str) -> Option<Self> {
        let place = Self::NAMES.iter().position(|known| *known == name)?;
        Self::ALL.get(place).copied()
    }

    pub(super) fn name(self) -> &'static str {
        let place = Self::ALL.iter().position(|known| *known == self);
        place
            .and_then(|place| Self::NAMES.get(place))
            .copied()
            .unwrap_or_default()
    }

    /// What the scheduler is told; nothing if the effect's own outcome counts.
    pub(super) fn failure(self, effect: &Effect) -> Option<Outcome> {
        let kind = match self {
            Self::None => return None,
            Self::NotFound => FailureKind::NotFound,
            Self::Conflict => FailureKind::Conflict,
            Self::Refused => FailureKind::Refused,
            Self::Unreachable | Self::LostAnswer => FailureKind::Unreachable,
        };
        let message = match self {
            Self::NotFound => "the server could not find the requested resource",
            Self::Conflict => {
                "Operation cannot be fulfilled: the object has been modified; please apply your changes to the latest \
                 version and try again"
            }
            Self::Refused => "Internal error occurred: injected",
            _ => match effect {
                Effect::AskExtender { .. } => "connect: connection refused",
                _ => "net/http: request canceled (Client.Timeout exceeded while awaiting headers)",
            },
        };
        Some(Outcome::Failed(Failure {
            kind,
            message: message.to_string(),
        }))
    }
}

/// The rules with what they have done so far. A clone goes on as its original would.
#[derive(Clone, Debug)]
pub(super) struct Faults {
    rules: Vec<FaultRule>,
    struck: Vec<u32>,
    rng: Rng,
}

/// What a fault does to one effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Strike {
    pub(super) outcome: FaultOutcome,
    pub(super) delay: Span,
}

impl Faults {
    pub(super) fn new(rules: Vec<FaultRule>, seed: Seed) -> Self {
        Self {
            struck: rules.iter().map(|_| 0).collect(),
            rules,
            // Another stream than the scheduler's, which starts from the seed itself.
            rng: Rng::new(Seed(seed.0 ^ STREAM)),
        }
    }

    /// What the first rule that strikes does to an effect; each draw is noted.
    pub(super) fn strike(
        &mut self,
        now: Timestamp,
        effect: &Effect,
        mut note: impl FnMut(Record),
    ) -> Option<Strike> {
        let kind = EffectKind::of(effect)?;
        for (rule, struck) in self.rules.iter().zip(&mut self.struck) {
            let is_meant = (rule.effect == EffectKind::Any || rule.effect == kind)
                && (rule.from..rule.until).contains(&now)
                && rule.times.is_none_or(|times| *struck < times)
                && rule.pod.as_ref().is_none_or(|pod| is_about(effect, pod));
            if !is_meant {
                continue;
            }
            if rule.percent < 100 {
                let value = self.rng.below(100);
                note(Record::Drawn {
                    purpose: "fault",
                    bound: 100,
                    value,
                });
                if value >= u64::from(rule.percent) {
                    continue;
                }
            }
            *struck += 1;
            return Some(Strike {
                outcome: rule.outcome,
                delay: rule.delay,
            });
        }
        None
    }
}

fn is_about(effect: &Effect, pattern: &str) -> bool {
    let (Effect::Bind { pod, .. }
    | Effect::PatchPodStatus { pod, .. }
    | Effect::DeletePod { pod, .. }
    | Effect::UnreserveResourceClaim { pod, .. }) = effect
    else {
        return false;
    };
    let name = if pattern.contains('/') {
        format!("{}/{}", pod.namespace, pod.name)
    } else {
        pod.name.to_string()
    };
    match pattern.strip_suffix('*') {
        Some(prefix) => name.starts_with(prefix),
        None => name == pattern,
    }
}

const STREAM: u64 = 0x0062_6572_7468_6661;
