//! Everything that can be wrong with a Policy and with how it was chosen.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::ConfigError;

/// What can be wrong with an old Policy or with how it was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[expect(
    missing_docs,
    reason = "the fields are the blanks in the text of Display"
)]
pub enum PolicyError {
    /// A priority's weight.
    Weight { priority: String },
    /// A predicate's argument does not have exactly one member.
    PredicateArguments { predicate: String, count: usize },
    /// A priority's argument has more than one member.
    PriorityArguments { priority: String, count: usize },
    /// A priority's argument has no member, or one is needed and missing.
    NoPriorityArguments { priority: String },
    /// No such predicate.
    PredicateNotFound { predicate: String },
    /// No such priority.
    PriorityNotFound { priority: String },
    /// There may be one priority of this kind.
    Redeclared {
        priority: String,
        kind: &'static str,
        from: String,
    },
    /// Priorities of this kind share one plugin and so one weight.
    DifferentWeight {
        kind: &'static str,
        priority: String,
        with: String,
    },
    /// A label is to be there and not to be there.
    LabelConflict {
        label: String,
        present: Vec<String>,
        absent: Vec<String>,
    },
    /// No such provider.
    ProviderNotRegistered { provider: String },
    /// The Policy cannot be applied.
    FromPolicy { error: Box<ConfigError> },
    /// The Policy cannot be understood.
    Invalid { error: Box<ConfigError> },
    /// There is no Policy file.
    MissingFile { path: String },
    /// The Policy file cannot be read.
    CouldNotRead { what: String },
    /// The ConfigMap cannot be fetched.
    CouldNotGet {
        namespace: String,
        name: String,
        what: String,
    },
    /// The ConfigMap has no Policy.
    MissingConfigMapKey,
    /// The configuration file chooses plugins and a Policy does too.
    PluginConfigAndPolicy,
}

impl fmt::Display for PolicyError {
    #[expect(clippy::too_many_lines, reason = "a table of texts, one arm an error")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Weight { priority } => write!(
                f,
                "priority {priority} should have a positive weight applied to it or it has overflown"
            ),
            Self::PredicateArguments { predicate, count } => write!(
                f,
                "exactly 1 predicate argument is required, numArgs: {count}, predicate: {predicate}"
            ),
            Self::PriorityArguments { priority, count } => write!(
                f,
                "exactly 1 priority argument is required, numArgs: {count}, priority: {priority}"
            ),
            Self::NoPriorityArguments { priority } => {
                write!(f, "no priority arguments set for priority {priority}")
            }
            Self::PredicateNotFound { predicate } => {
                write!(f, "predicate type not found for \"{predicate}\"")
            }
            Self::PriorityNotFound { priority } => {
                write!(f, "priority type not found for \"{priority}\"")
            }
            Self::Redeclared {
                priority,
                kind,
                from,
            } => write!(
                f,
                "priority \"{priority}\" redeclares custom priority \"{kind}\", from: \"{from}\""
            ),
            Self::DifferentWeight {
                kind,
                priority,
                with,
            } => write!(
                f,
                "{kind}  priority \"{priority}\" has a different weight with \"{with}\""
            ),
            Self::LabelConflict {
                label,
                present,
                absent,
            } => write!(
                f,
                "detecting at least one label (e.g., \"{label}\") that exist in both the present([{}]) and \
                 absent([{}]) label list",
                present.join(" "),
                absent.join(" ")
            ),
            Self::ProviderNotRegistered { provider } => write!(
                f,
                "couldn't create scheduler using provider \"{provider}\": algorithm provider \"{provider}\" is not \
                 registered; expected DefaultProvider or ClusterAutoscalerProvider"
            ),
            Self::FromPolicy { error } => {
                write!(f, "couldn't create scheduler from policy: {error}")
            }
            Self::Invalid { error } => write!(f, "invalid policy: {error}"),
            Self::MissingFile { path } => write!(f, "missing policy config file {path}"),
            Self::CouldNotRead { what } => write!(f, "couldn't read policy config: {what}"),
            Self::CouldNotGet {
                namespace,
                name,
                what,
            } => write!(
                f,
                "couldn't get policy config map {namespace}/{name}: {what}"
            ),
            Self::MissingConfigMapKey => {
                f.write_str("missing policy config map value at key \"policy.cfg\"")
            }
            Self::PluginConfigAndPolicy => {
                f.write_str("cannot set a Plugin config and Policy config")
            }
        }
    }
}
