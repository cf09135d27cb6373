//! Everything that can be wrong with a configuration, in the words of the real scheduler.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use super::{ExtensionPoint, Gate};

mod field;
mod policy;

pub use field::{DecodeProblem, FieldError, FieldErrorKind, Place};
pub use policy::PolicyError;

pub(super) use field::nearest_place;

/// Why a configuration is refused.
///
/// `Display` is upstream's text wherever upstream has one, so that a search for it finds the same answers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[expect(
    missing_docs,
    reason = "the fields are the blanks in the text of Display"
)]
pub enum ConfigError {
    /// Several things at once, each of them one of the others.
    Many(Vec<Self>),
    /// A value that breaks a rule.
    Field(FieldError),
    /// The text or the document cannot be understood.
    Decode(DecodeProblem),
    /// Something that upstream says without a path, where it was written.
    At {
        path: String,
        place: Option<Place>,
        error: Box<Self>,
    },

    /// `--feature-gates` has a name without `=bool`.
    GateWithoutValue { gate: String },
    /// `--feature-gates` has something else than a boolean.
    GateNotBool { gate: String, value: String },
    /// No such gate.
    UnknownGate { gate: String },
    /// The gate is no longer a choice.
    LockedGate { gate: Gate, on: bool },
    /// Berth has only the other behaviour.
    GateNotBuilt { gate: Gate, on: bool },
    /// A gate is on whose requirement is off.
    GateRequirementOff { gate: Gate, requirement: Gate },

    /// Two plugins would have one name.
    PluginAlreadyExists { plugin: String },
    /// There is nothing to unregister.
    NoSuchPlugin { plugin: String },
    /// Building the profiles failed.
    InitializingProfiles { error: Box<Self> },
    /// Building one profile failed.
    CreatingProfile {
        scheduler_name: String,
        error: Box<Self>,
    },
    /// A plugin refused its arguments.
    InitializingPlugin { plugin: String, error: Box<Self> },
    /// Building the extenders failed.
    BuildingExtenders { error: Box<Self> },
    /// A profile is nameless.
    SchedulerNameNeeded,
    /// A profile has no plugins.
    PluginsRequired { scheduler_name: String },
    /// Two profiles have one name.
    DuplicateProfile { scheduler_name: String },
    /// The queue can be sorted in one way only.
    DifferentQueueSort {
        scheduler_name: String,
        plugin: String,
        first: String,
    },
    /// The same with arguments.
    DifferentQueueSortArgs { scheduler_name: String },
    /// Nobody would schedule anything.
    NoProfile,
    /// A plugin has two entries in `pluginConfig`.
    RepeatedPluginConfig { plugin: String },
    /// A name that nobody registered.
    PluginDoesNotExist {
        point: ExtensionPoint,
        plugin: String,
    },
    /// The plugin does not implement the extension point it is enabled for.
    PluginDoesNotExtend {
        point: ExtensionPoint,
        plugin: String,
    },
    /// A plugin is enabled twice at one extension point.
    PluginAlreadyRegistered {
        point: ExtensionPoint,
        plugin: String,
    },
    /// Not exactly one plugin sorts the queue.
    QueueSortCount {
        scheduler_name: String,
        count: usize,
    },
    /// Nobody binds.
    BindNeeded { scheduler_name: String },
    /// More than one plugin makes placements.
    PlacementGenerateCount { scheduler_name: String },
    /// A Score or PlacementScore plugin has weight 0 after completion.
    NoWeight {
        point: ExtensionPoint,
        plugin: String,
    },
    /// The sum of the scores could exceed what an `i64` holds.
    ScoreOverflow { point: ExtensionPoint },
    /// A weight below zero, which upstream lets through.
    NegativeWeight {
        point: ExtensionPoint,
        plugin: String,
        weight: i32,
    },
    /// Extenders take resources off a plugin that has no entry.
    NoNodeResourcesFitArgs,
    /// The same, and the entry is of another kind.
    WrongNodeResourcesFitArgs { kind: String },
    /// A plugin was given the arguments of another one.
    WrongArgs {
        plugin: String,
        want: &'static str,
        got: String,
    },

    /// Something an old Policy, or the flags around it, got wrong.
    Policy(PolicyError),
}

impl ConfigError {
    /// One error for all of `errors`, which are at least one.
    pub fn many(mut errors: Vec<Self>) -> Self {
        match errors.pop() {
            Some(only) if errors.is_empty() => only,
            Some(last) => {
                errors.push(last);
                Self::Many(errors)
            }
            None => Self::Many(errors),
        }
    }

    /// Nothing when there are no `errors`, one error for all of them otherwise.
    pub fn check(errors: Vec<Self>) -> Result<(), Self> {
        if errors.is_empty() {
            Ok(())
        } else {
            Err(Self::many(errors))
        }
    }

    /// The errors this one is made of; itself when it is not [`Self::Many`].
    pub fn into_list(self) -> Vec<Self> {
        match self {
            Self::Many(errors) => errors,
            other => vec![other],
        }
    }

    /// This error as a reason why the profile `scheduler_name` could not be built.
    #[must_use]
    pub fn in_profile(self, scheduler_name: impl Into<String>) -> Self {
        Self::CreatingProfile {
            scheduler_name: scheduler_name.into(),
            error: Box::new(self),
        }
    }

    /// This error as a reason why `plugin` could not be built.
    #[must_use]
    pub fn in_plugin(self, plugin: impl Into<String>) -> Self {
        Self::InitializingPlugin {
            plugin: plugin.into(),
            error: Box::new(self),
        }
    }

    /// This error as a reason why no scheduler could be built.
    #[must_use]
    pub fn in_profiles(self) -> Self {
        Self::InitializingProfiles {
            error: Box::new(self),
        }
    }

    /// Says where each problem stands: `find` knows the place of a path that exists in the text.
    ///
    /// A path that does not exist, such as that of a missing field, takes the place of what would contain it.
    pub fn locate(&mut self, find: &dyn Fn(&str) -> Option<Place>) {
        match self {
            Self::Many(errors) => errors.iter_mut().for_each(|error| error.locate(find)),
            Self::Field(error) => error.place = nearest_place(&error.path, find),
            Self::Decode(problem) => problem.place = nearest_place(&problem.path, find),
            Self::At { path, place, .. } => *place = nearest_place(path, find),
            Self::InitializingProfiles { error }
            | Self::CreatingProfile { error, .. }
            | Self::InitializingPlugin { error, .. }
            | Self::BuildingExtenders { error }
            | Self::Policy(PolicyError::FromPolicy { error } | PolicyError::Invalid { error }) => {
                error.locate(find);
            }
            _ => {}
        }
    }

    /// `error`, which upstream would say without a path, at a path.
    pub(super) fn at(path: impl Into<String>, error: Self) -> Self {
        Self::At {
            path: path.into(),
            place: None,
            error: Box::new(error),
        }
    }

    pub(super) fn invalid(
        path: impl Into<String>,
        value: impl fmt::Display,
        detail: impl Into<String>,
    ) -> Self {
        Self::field(
            path,
            FieldErrorKind::Invalid {
                value: alloc::format!("{value}"),
                detail: detail.into(),
            },
        )
    }

    pub(super) fn required(path: impl Into<String>, detail: impl Into<String>) -> Self {
        let detail = detail.into();
        Self::field(path, FieldErrorKind::Required { detail })
    }

    pub(super) fn duplicate(path: impl Into<String>, value: impl fmt::Display) -> Self {
        let value = alloc::format!("{value}");
        Self::field(path, FieldErrorKind::Duplicate { value })
    }

    pub(super) fn forbidden(path: impl Into<String>, detail: impl Into<String>) -> Self {
        let detail = detail.into();
        Self::field(path, FieldErrorKind::Forbidden { detail })
    }

    pub(super) fn unsupported(
        path: impl Into<String>,
        value: impl Into<String>,
        supported: Vec<&'static str>,
    ) -> Self {
        let value = value.into();
        Self::field(path, FieldErrorKind::Unsupported { value, supported })
    }

    fn field(path: impl Into<String>, kind: FieldErrorKind) -> Self {
        Self::Field(FieldError {
            path: path.into(),
            place: None,
            kind,
        })
    }
}

impl fmt::Display for ConfigError {
    #[expect(clippy::too_many_lines, reason = "a table of texts, one arm an error")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Many(errors) => {
                f.write_str("[")?;
                for (i, error) in errors.iter().enumerate() {
                    let comma = if i == 0 { "" } else { ", " };
                    write!(f, "{comma}{error}")?;
                }
                f.write_str("]")
            }
            Self::Field(error) => error.fmt(f),
            Self::Decode(problem) => problem.fmt(f),
            Self::At { path, place, error } => {
                if let Some(place) = place {
                    write!(f, "{place}: ")?;
                }
                write!(f, "{path}: {error}")
            }
            Self::GateWithoutValue { gate } => write!(f, "missing bool value for {gate}"),
            Self::GateNotBool { gate, value } => write!(
                f,
                "invalid value of {gate}={value}, err: strconv.ParseBool: parsing \"{value}\": invalid syntax; \
                 expected true or false"
            ),
            Self::UnknownGate { gate } => write!(f, "unrecognized feature gate: {gate}"),
            Self::LockedGate { gate, on } => write!(
                f,
                "cannot set feature gate {gate} to {on}, feature is locked to {}",
                !on
            ),
            Self::GateNotBuilt { gate, on } => write!(
                f,
                "cannot set feature gate {gate} to {on}: Berth has only the behaviour of {gate}={}",
                !on
            ),
            Self::GateRequirementOff { gate, requirement } => write!(
                f,
                "{gate} is enabled, but depends on features that are disabled: [{requirement}]"
            ),
            Self::PluginAlreadyExists { plugin } => {
                write!(f, "a plugin named {plugin} already exists")
            }
            Self::NoSuchPlugin { plugin } => write!(f, "no plugin named {plugin} exists"),
            Self::InitializingProfiles { error } => write!(f, "initializing profiles: {error}"),
            Self::CreatingProfile {
                scheduler_name,
                error,
            } => write!(
                f,
                "creating profile for scheduler name {scheduler_name}: {error}"
            ),
            Self::InitializingPlugin { plugin, error } => {
                write!(f, "initializing plugin \"{plugin}\": {error}")
            }
            Self::BuildingExtenders { error } => write!(f, "couldn't build extenders: {error}"),
            Self::SchedulerNameNeeded => f.write_str("scheduler name is needed"),
            Self::PluginsRequired { scheduler_name } => write!(
                f,
                "plugins required for profile with scheduler name \"{scheduler_name}\""
            ),
            Self::DuplicateProfile { scheduler_name } => write!(
                f,
                "duplicate profile with scheduler name \"{scheduler_name}\""
            ),
            Self::DifferentQueueSort {
                scheduler_name,
                plugin,
                first,
            } => write!(
                f,
                "different queue sort plugins for profile \"{scheduler_name}\": \"{plugin}\", first: \"{first}\""
            ),
            Self::DifferentQueueSortArgs { scheduler_name } => write!(
                f,
                "different queue sort plugin args for profile \"{scheduler_name}\""
            ),
            Self::NoProfile => f.write_str("at least one profile is required"),
            Self::RepeatedPluginConfig { plugin } => {
                write!(f, "repeated config for plugin {plugin}")
            }
            Self::PluginDoesNotExist { point, plugin } => {
                write!(f, "{} \"{plugin}\" does not exist", point.kind())
            }
            Self::PluginDoesNotExtend { point, plugin } => {
                write!(
                    f,
                    "plugin \"{plugin}\" does not extend {} plugin",
                    point.kind()
                )
            }
            Self::PluginAlreadyRegistered { point, plugin } => write!(
                f,
                "plugin \"{plugin}\" already registered as \"{}\"",
                point.kind()
            ),
            Self::QueueSortCount {
                scheduler_name,
                count,
            } => write!(
                f,
                "only one queue sort plugin required for profile with scheduler name \"{scheduler_name}\", but got {count}"
            ),
            Self::BindNeeded { scheduler_name } => write!(
                f,
                "at least one bind plugin is needed for profile with scheduler name \"{scheduler_name}\""
            ),
            Self::PlacementGenerateCount { scheduler_name } => write!(
                f,
                "at most one placement generate plugin is allowed for profile with scheduler name \"{scheduler_name}\""
            ),
            Self::NoWeight { point, plugin } => write!(
                f,
                "{} plugin \"{plugin}\" is not configured with weight",
                score_words(*point)
            ),
            Self::ScoreOverflow { point } => write!(
                f,
                "{} plugins: total score of {point} plugins could overflow",
                score_words(*point)
            ),
            Self::NegativeWeight {
                point,
                plugin,
                weight,
            } => write!(
                f,
                "{} plugin \"{plugin}\" has weight {weight}; expected a positive number",
                score_words(*point)
            ),
            Self::NoNodeResourcesFitArgs => {
                f.write_str("can't find NodeResourcesFitArgs in plugin config")
            }
            Self::WrongNodeResourcesFitArgs { kind } => write!(
                f,
                "want args to be of type NodeResourcesFitArgs, got {kind}"
            ),
            Self::WrongArgs { plugin, want, got } => write!(
                f,
                "want args of plugin {plugin} to be of type {want}, got {got}"
            ),
            Self::Policy(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for ConfigError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::InitializingProfiles { error }
            | Self::CreatingProfile { error, .. }
            | Self::InitializingPlugin { error, .. }
            | Self::BuildingExtenders { error }
            | Self::At { error, .. }
            | Self::Policy(PolicyError::FromPolicy { error } | PolicyError::Invalid { error }) => {
                Some(error.as_ref())
            }
            _ => None,
        }
    }
}

/// How errors about weights begin.
const fn score_words(point: ExtensionPoint) -> &'static str {
    match point {
        ExtensionPoint::PlacementScore => "placement score",
        _ => "score",
    }
}
