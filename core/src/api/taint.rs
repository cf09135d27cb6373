//! What keeps pods off a node, and which pods put up with it.

use alloc::string::String;

use super::meta::Time;
use super::schema::objects;

objects! {
    /// What keeps pods off a node.
    pub struct Taint {
        /// What it is about.
        pub key: String,
        /// More about it.
        pub value: String,
        /// `NoSchedule`, `PreferNoSchedule` or `NoExecute`.
        pub effect: String,
        /// When it was put there.
        pub time_added: Option<Time>,
    }

    /// What a pod puts up with.
    pub struct Toleration {
        /// The taint's key; empty for any.
        pub key: String,
        /// `Equal` (also when empty), `Exists`, `Gt` or `Lt`.
        pub operator: String,
        /// What the taint's value is compared with.
        pub value: String,
        /// The taint's effect; empty for any.
        pub effect: String,
        /// For how long a running pod stays; placement does not look at it.
        pub toleration_seconds: Option<i64>,
    }
}

/// Whether tolerations may compare numbers.
///
/// Kubernetes: feature gate `TaintTolerationComparisonOperators`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ComparisonOperators {
    /// `Gt` and `Lt` tolerate nothing.
    #[default]
    Off,
    /// `Gt` and `Lt` compare the taint's value with the toleration's.
    On,
}

impl Taint {
    /// A taint without a value.
    #[must_use]
    pub fn new(key: &str, effect: &str) -> Self {
        Self {
            key: key.into(),
            effect: effect.into(),
            ..Self::default()
        }
    }

    /// Whether it keeps off every pod that does not tolerate it.
    #[must_use]
    pub fn is_hard(&self) -> bool {
        matches!(self.effect.as_str(), NO_SCHEDULE | NO_EXECUTE)
    }

    /// Whether one of the tolerations puts up with it.
    #[must_use]
    pub fn is_tolerated(&self, tolerations: &[Toleration], operators: ComparisonOperators) -> bool {
        tolerations
            .iter()
            .any(|toleration| toleration.tolerates(self, operators))
    }
}

impl Toleration {
    /// Whether it puts up with the taint.
    ///
    /// The combination of key and operator is not checked: an empty key with `Equal` compares values only.
    /// Source: spec, plugins 2.7.
    #[must_use]
    pub fn tolerates(&self, taint: &Taint, operators: ComparisonOperators) -> bool {
        let is_about = |wanted: &str, found: &str| wanted.is_empty() || wanted == found;
        if !is_about(&self.effect, &taint.effect) || !is_about(&self.key, &taint.key) {
            return false;
        }
        match self.operator.as_str() {
            "" | "Equal" => self.value == taint.value,
            "Exists" => true,
            "Gt" | "Lt" if operators == ComparisonOperators::On => {
                let numbers = (parse_strict(&taint.value), parse_strict(&self.value));
                let (Some(found), Some(bound)) = numbers else {
                    return false;
                };
                if self.operator == "Gt" {
                    found > bound
                } else {
                    found < bound
                }
            }
            _ => false,
        }
    }
}

/// The first taint, in the order of the list, that keeps off a pod with these tolerations.
#[must_use]
pub fn untolerated_hard_taint<'a>(
    taints: &'a [Taint],
    tolerations: &[Toleration],
    operators: ComparisonOperators,
) -> Option<&'a Taint> {
    taints
        .iter()
        .find(|taint| taint.is_hard() && !taint.is_tolerated(tolerations, operators))
}

/// A decimal integer without a plus sign and without leading zeros; zero has no sign.
fn parse_strict(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_canonical = match digits.as_bytes() {
        [b'0'] => text == "0",
        [first, rest @ ..] => (b'1'..=b'9').contains(first) && rest.iter().all(u8::is_ascii_digit),
        [] => false,
    };
    if is_canonical {
        text.parse().ok()
    } else {
        None
    }
}

/// New pods stay off.
pub const NO_SCHEDULE: &str = "NoSchedule";
/// New pods rather go elsewhere.
pub const PREFER_NO_SCHEDULE: &str = "PreferNoSchedule";
/// New pods stay off, and running ones leave.
pub const NO_EXECUTE: &str = "NoExecute";

#[cfg(test)]
mod tests;
