//! `berth config`: checks a scheduler's configuration, and says an old one in today's words.

use core::cell::RefCell;
use core::fmt::Write as _;

use berth_core::api::decode::{Text, Value};
use berth_core::api::{FieldPath, Located};
use berth_core::config::legacy::{LegacyGates, Policy, PolicySource, Provider};
use berth_core::config::{
    ConfigError, Configuration, DEFAULT_SCHEDULER_NAME, ExtensionPoint, OlderVersions, PolicyError,
    ReadConfiguration, ReadOptions, check_text, to_v1,
};
use berth_core::framework::profiles::Profiles;
use berth_core::framework::runtime::{Framework, is_implemented};
use berth_core::plugins;
use berth_core::sim::{InputError, to_yaml};

use crate::error::Error;

use super::input::{File, read_policy};
use super::output;
use super::page::visible;

/// Check a KubeSchedulerConfiguration or a Policy, or say it in today's version
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    berth config check scheduler.yaml\n  \
    berth config convert policy.json > scheduler.yaml\n  \
    berth config convert --provider ClusterAutoscalerProvider")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Say everything that is wrong, with its line, or which plugins run at each extension point
    Check {
        /// A KubeSchedulerConfiguration, a Policy, or a ConfigMap with a Policy; - is standard input
        #[arg(value_name = "FILE")]
        file: String,
        /// Refuse older versions in kube-scheduler's words instead of converting them
        #[arg(long)]
        strict: bool,
    },
    /// Print the equivalent kubescheduler.config.k8s.io/v1 document, with notes on standard error
    Convert {
        /// A KubeSchedulerConfiguration of any version, a Policy, or a ConfigMap with a Policy; - is standard input
        #[arg(value_name = "FILE", required_unless_present = "provider")]
        file: Option<String>,
        /// An algorithm provider of 1.21 to go under the file: DefaultProvider or ClusterAutoscalerProvider
        #[arg(long, value_name = "NAME")]
        provider: Option<String>,
    },
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Error> {
    match &arguments.action {
        Action::Check { file, strict } => check(file, *strict),
        Action::Convert { file, provider } => convert(file.as_deref(), provider.as_deref()),
    }
}

fn check(name: &str, strict: bool) -> Result<(), Error> {
    let older = if strict {
        OlderVersions::Refuse
    } else {
        OlderVersions::Convert
    };
    let (read, profiles) = read_and_build(&File::read(name)?, older)?;
    let mut text = String::new();
    for note in &read.notes {
        let _ = writeln!(text, "note: {note}");
    }
    for framework in profiles.iter() {
        text.push_str(&plugin_table(framework));
    }
    output::print(&text)
}

/// The plugins of a profile at each extension point, in the order in which they run.
fn plugin_table(framework: &Framework) -> String {
    let mut text = format!("profile {}\n", framework.name());
    for point in POINTS {
        let names: Vec<String> = framework
            .names_at(point)
            .map(|name| match point {
                ExtensionPoint::Score => format!("{name} {}", framework.score_weight(name)),
                _ => name.to_string(),
            })
            .collect();
        let names = if names.is_empty() {
            "–".to_owned()
        } else {
            names.join(", ")
        };
        let _ = writeln!(text, "  {:<11} {names}", point.name());
    }
    text
}

/// The extension points in the order in which a pod meets them.
const POINTS: [ExtensionPoint; 12] = [
    ExtensionPoint::PreEnqueue,
    ExtensionPoint::QueueSort,
    ExtensionPoint::PreFilter,
    ExtensionPoint::Filter,
    ExtensionPoint::PostFilter,
    ExtensionPoint::PreScore,
    ExtensionPoint::Score,
    ExtensionPoint::Reserve,
    ExtensionPoint::Permit,
    ExtensionPoint::PreBind,
    ExtensionPoint::Bind,
    ExtensionPoint::PostBind,
];

fn convert(file: Option<&str>, provider: Option<&str>) -> Result<(), Error> {
    let mut read = match file {
        // What a scheduler would refuse is no better in today's words.
        Some(name) => read_and_build(&File::read(name)?, OlderVersions::Convert)?.0,
        None => ReadConfiguration::of(Configuration::default()),
    };
    if let Some(name) = provider {
        let provider = Provider::by_name(name).ok_or_else(|| {
            Error::Usage(format!(
                "algorithm provider \"{name}\" is not registered; expected DefaultProvider or ClusterAutoscalerProvider"
            ))
        })?;
        read.apply_provider(provider, LegacyGates::default());
    }
    let (document, notes) = to_v1(&read.configuration);
    for note in read.notes.iter().chain(&notes) {
        eprintln!("{}", visible(&format!("note: {note}")));
    }
    output::print(&to_yaml(&document))
}

/// Reads a configuration and builds its profiles, as a scheduler would.
fn read_and_build(
    file: &File,
    older: OlderVersions,
) -> Result<(ReadConfiguration, Profiles), Error> {
    let read = read(file, older)?;
    let mut config = read.configuration.clone();
    let built = config.apply_managed_resources();
    let built =
        built.and_then(|()| Profiles::new(&config.profiles, &plugins::in_tree(), &config.gates));
    let profiles = built.map_err(|error| at_profile(file, error))?;
    Ok((read, profiles))
}

/// What only building finds has no place of its own: it stands at the profile that cannot be built.
fn at_profile(file: &File, error: ConfigError) -> Error {
    let source = file.source();
    let text = Text::read(source.name, source.bytes);
    let name = scheduler_name(&error);
    let root = text.documents().next().map(|(_, root)| root);
    let profiles = root.and_then(|root| root.get("profiles"));
    let profiles = profiles.into_iter().flat_map(|list| list.items());
    let is_meant = |profile: &Value<'_>| {
        let own = profile.get("schedulerName");
        let own = own
            .and_then(|own| own.as_str())
            .unwrap_or(DEFAULT_SCHEDULER_NAME);
        name == Some(own)
    };
    let found = profiles
        .enumerate()
        .filter(|(_, profile)| is_meant(profile))
        .last();
    let (path, place) = match found {
        Some((index, profile)) => (FieldPath::of(&["profiles"]).index(index), Some(profile)),
        None => (FieldPath::root(), root),
    };
    Error::Input(vec![Located {
        source: text.source().clone(),
        line: place.map_or(1, |place| place.line()),
        column: place.map_or(1, |place| place.column()),
        path,
        object: Box::default(),
        error: InputError::Config(Box::new(error)),
    }])
}

/// The profile that an error is about.
fn scheduler_name(error: &ConfigError) -> Option<&str> {
    match error {
        ConfigError::InitializingProfiles { error } => scheduler_name(error),
        ConfigError::CreatingProfile { scheduler_name, .. }
        | ConfigError::DuplicateProfile { scheduler_name }
        | ConfigError::DifferentQueueSort { scheduler_name, .. }
        | ConfigError::DifferentQueueSortArgs { scheduler_name } => Some(scheduler_name),
        _ => None,
    }
}

/// Reads a configuration of any version with the Policy that it names, or a Policy, which stands for a whole configuration,
/// and looks for mistakes in its plugins, too.
fn read(file: &File, older: OlderVersions) -> Result<ReadConfiguration, Error> {
    let source = file.source();
    let options = ReadOptions {
        older,
        ..ReadOptions::default()
    };
    let (registry, gates) = (plugins::in_tree(), options.gates);
    let implements = |name: &str, point| is_implemented(&registry, &gates, name, point);
    // A Policy that cannot be reached is no mistake in the file that names it, and has an exit code of its own.
    let out_of_reach = RefCell::new(None);
    let find = |wanted: &PolicySource| {
        find_policy(source.name, wanted).map_err(|error| match error {
            Error::Config(error) => error,
            other => {
                let path = other.to_string();
                *out_of_reach.borrow_mut() = Some(other);
                ConfigError::Policy(PolicyError::MissingFile { path })
            }
        })
    };
    let read = check_text(source.name, source.bytes, options, &find, &implements);
    match out_of_reach.into_inner() {
        Some(error) => Err(error),
        None => Ok(read?),
    }
}

/// Finds the Policy that the configuration of that name points to.
fn find_policy(name: &str, wanted: &PolicySource) -> Result<Policy, Error> {
    match wanted {
        PolicySource::File { path } => read_policy(path),
        PolicySource::ConfigMap {
            namespace,
            name: map,
        } => Err(Error::Usage(format!(
            "{name}: algorithmSource.policy.configMap: {namespace}/{map} is in a cluster; expected the text of its key \
             policy.cfg in a file of its own"
        ))),
    }
}
