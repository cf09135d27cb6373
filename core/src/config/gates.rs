//! Which optional behaviours of Kubernetes 1.36 are switched on.
//!
//! Every gate of the real scheduler is known by name, so a command line written for it is understood. A gate that
//! Berth has only one behaviour for accepts that behaviour's value and refuses the other: a switch that does nothing
//! would be a lie. Gates are read when a plugin or a queue is built, never while a pod is scheduled.

mod table;

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use serde_json::Value;

use super::ConfigError;
use super::reader::{At, Reader};

use crate::order::SortedMap;

pub use table::Gate;

#[cfg(test)]
mod tests;

/// The state of every [`Gate`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Gates(u64);

/// How far along a gate is upstream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Off unless asked for; follows `AllAlpha`.
    Alpha,
    /// Follows `AllBeta`.
    Beta,
    /// Finished, still a choice.
    Stable,
    /// Finished, no longer a choice.
    Locked,
}

impl Gates {
    /// Reads the text of `--feature-gates`: `Name=bool` separated by commas, each name with an optional `kube:`.
    ///
    /// Errors: everything wrong with the text and with the resulting set, at once.
    /// Source: spec, C.2.
    pub fn parse(text: &str) -> Result<Self, ConfigError> {
        let mut settings: SortedMap<String, bool> = SortedMap::new();
        let mut errors = Vec::new();
        for item in text.split(',').map(str::trim).filter(|s| !s.is_empty()) {
            let item = item.strip_prefix("kube:").unwrap_or(item);
            let Some((name, value)) = item.split_once('=') else {
                let gate = item.to_string();
                errors.push(ConfigError::GateWithoutValue { gate });
                continue;
            };
            let (name, value) = (name.trim(), value.trim());
            match parse_bool(value) {
                Some(on) => {
                    settings.insert(name.to_string(), on);
                }
                None => errors.push(ConfigError::GateNotBool {
                    gate: name.to_string(),
                    value: value.to_string(),
                }),
            }
        }
        let settings = settings.iter().map(|(name, on)| (name.as_str(), *on));
        match (Self::from_settings(settings), errors.is_empty()) {
            (result, true) => result,
            (Ok(_), false) => Err(ConfigError::many(errors)),
            (Err(error), false) => {
                errors.extend(error.into_list());
                Err(ConfigError::many(errors))
            }
        }
    }

    /// Reads the gates of a scenario: an object of names with true or false.
    ///
    /// Errors: as of [`Self::from_settings`], and a value of another kind.
    pub fn read_value(value: &Value) -> Result<Self, ConfigError> {
        let mut reader = Reader::default();
        let at = At {
            value,
            path: String::new(),
        };
        let map = reader.map(&at);
        let read = |(name, at)| Some((name, reader.bool(Some(at))?));
        let settings: Vec<(&str, bool)> = map.into_iter().filter_map(read).collect();
        ConfigError::check(reader.close(Vec::new()).1)?;
        Self::from_settings(settings)
    }

    /// The defaults with `settings` laid over them; of two settings of one gate the later counts.
    ///
    /// `AllAlpha` and `AllBeta` set the gates of their stage that `settings` does not name.
    ///
    /// Errors: unknown gate, change of a locked gate, a value that Berth does not have, a gate on whose
    /// requirement is off; all of them at once.
    pub fn from_settings<'a>(
        settings: impl IntoIterator<Item = (&'a str, bool)>,
    ) -> Result<Self, ConfigError> {
        let mut errors = Vec::new();
        let mut named: SortedMap<Gate, bool> = SortedMap::new();
        let mut groups: Vec<(Stage, bool)> = Vec::new();
        for (name, on) in settings {
            match (name, Gate::from_name(name)) {
                ("AllAlpha", _) => groups.push((Stage::Alpha, on)),
                ("AllBeta", _) => groups.push((Stage::Beta, on)),
                (_, Some(gate)) => {
                    named.insert(gate, on);
                }
                (_, None) => errors.push(ConfigError::UnknownGate {
                    gate: name.to_string(),
                }),
            }
        }
        let mut gates = Self::default();
        for (stage, on) in groups {
            for gate in Gate::all().filter(|gate| gate.stage() == stage) {
                gates.set(gate, on);
            }
        }
        for (gate, on) in named {
            gates.set(gate, on);
        }
        errors.extend(gates.problems());
        ConfigError::check(errors)?;
        Ok(gates)
    }

    /// These gates with one of them set, without any check: for tests and for hosts that have checked already.
    #[must_use]
    pub fn with(mut self, gate: Gate, on: bool) -> Self {
        self.set(gate, on);
        self
    }

    fn set(&mut self, gate: Gate, on: bool) {
        if on {
            self.0 |= gate.bit();
        } else {
            self.0 &= !gate.bit();
        }
    }

    /// Whether `gate` is on.
    pub const fn enabled(self, gate: Gate) -> bool {
        self.0 & gate.bit() != 0
    }

    /// The gates whose state is not the default one, in the order of the table.
    pub fn changed(self) -> impl Iterator<Item = (Gate, bool)> {
        Gate::all()
            .map(move |gate| (gate, self.enabled(gate)))
            .filter(|(gate, on)| *on != gate.is_on_by_default())
    }

    fn problems(self) -> Vec<ConfigError> {
        let mut errors = Vec::new();
        for (gate, on) in self.changed() {
            if gate.stage() == Stage::Locked {
                errors.push(ConfigError::LockedGate { gate, on });
            } else if !gate.is_a_choice() {
                errors.push(ConfigError::GateNotBuilt { gate, on });
            }
        }
        for gate in Gate::all().filter(|gate| self.enabled(*gate)) {
            if let Some(requirement) = gate.requires().filter(|gate| !self.enabled(*gate)) {
                errors.push(ConfigError::GateRequirementOff { gate, requirement });
            }
        }
        errors
    }
}

impl Default for Gates {
    /// What Kubernetes 1.36 starts with.
    fn default() -> Self {
        Gate::all().fold(Self(0), |gates, gate| {
            gates.with(gate, gate.is_on_by_default())
        })
    }
}

impl fmt::Debug for Gates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Gates({self})")
    }
}

/// The changed gates in the form of `--feature-gates`.
impl fmt::Display for Gates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (gate, on)) in self.changed().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            write!(f, "{comma}{gate}={on}")?;
        }
        Ok(())
    }
}

/// The words that Go's `strconv.ParseBool` takes.
fn parse_bool(text: &str) -> Option<bool> {
    match text {
        "1" | "t" | "T" | "true" | "TRUE" | "True" => Some(true),
        "0" | "f" | "F" | "false" | "FALSE" | "False" => Some(false),
        _ => None,
    }
}
