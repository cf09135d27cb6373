//! From what was read to a run that can start: the configuration is read, limits are checked, objects are made.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use crate::api::decode::{DecodeError, Origin, Text, Value};
use crate::api::{FieldPath, Located, Object};
use crate::config::legacy::{Policy, PolicySource, policy_text};
use crate::config::{
    ConfigError, Configuration, ExtensionPoint, Gates, Header, Implements, OlderVersions, Place,
    PolicyError, ReadOptions, read_any, read_value,
};
use crate::framework::registry::Registry;
use crate::framework::runtime::is_implemented;
use crate::order;
use crate::time::Timestamp;

use super::error::InputError;
use super::expand::check_limits;
use super::locate::parse_path;
use super::run::{LONGEST, Simulation};
use super::scenario::{
    Content, Limits, Loaded, Scenario, SourceText, UNREAD, Warning, Written, named, place_of,
};

/// A run that can start, and what to know about it.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The run before its first step.
    pub simulation: Simulation,
    /// What was found in the input, the configuration's remarks included.
    pub warnings: Vec<Warning>,
}

/// Makes a run of what was read. `configuration` goes before the scenario's own.
///
/// # Errors
///
/// What is wrong with the configuration or the gates, and limits that are exceeded. Objects that the API server refuses
/// are no error here: [`Simulation::refused`] lists them.
pub fn prepare(
    loaded: &Loaded,
    configuration: Option<&Written>,
    limits: Limits,
    registry: &Registry,
) -> Result<Prepared, Vec<Located<InputError>>> {
    let scenario = &loaded.scenario;
    check_limits(scenario, limits).map_err(|error| vec![error])?;
    let written = configuration.or(scenario.configuration.as_ref());
    let mut warnings = loaded.warnings.clone();
    warnings.extend(unread_maps(scenario, written));
    let simulation =
        read_configuration(scenario, written, None, &mut warnings).and_then(|configuration| {
            Simulation::new(scenario, configuration, registry)
                .map_err(|error| refuse(error, written))
        });
    let simulation =
        simulation.map_err(|errors| in_full(scenario, written, registry).unwrap_or(errors))?;
    Ok(Prepared {
        simulation,
        warnings,
    })
}

/// All mistakes of a configuration that cannot be used, those in its plugins included, each where it stands. Building stops
/// at the first and does not say where.
fn in_full(
    scenario: &Scenario,
    written: Option<&Written>,
    registry: &Registry,
) -> Option<Vec<Located<InputError>>> {
    let settings = scenario.gates.iter().map(|(name, on)| (name.as_str(), *on));
    let gates = Gates::from_settings(settings).ok()?;
    let implements = |name: &str, point| {
        let is_counted = matches!(point, ExtensionPoint::QueueSort | ExtensionPoint::Bind);
        // Nobody can tell of a plugin that is not built without arguments of its own.
        is_implemented(registry, &gates, name, point)
            .or_else(|| registry.get(name).map(|_| !is_counted))
    };
    read_configuration(scenario, written, Some(&implements), &mut Vec::new()).err()
}

/// Reads a file with one KubeSchedulerConfiguration; what it says is read by [`prepare`].
///
/// # Errors
///
/// The file cannot be read, or holds something else than one document.
pub fn load_configuration(file: SourceText<'_>) -> Result<Written, Vec<Located<InputError>>> {
    let text = Text::read(file.name, file.bytes);
    let errors: Vec<_> = text
        .errors()
        .map(|error| error.map(InputError::Unreadable))
        .collect();
    if !errors.is_empty() {
        return Err(errors);
    }
    let documents: Vec<_> = text.documents().collect();
    match documents.as_slice() {
        [(number, root)] => Ok(Written::of(
            *root,
            Origin {
                source: text.source().clone(),
                document: *number,
                path: FieldPath::root(),
                line: root.line(),
                column: root.column(),
            },
        )),
        _ => {
            let error = InputError::Unreadable(DecodeError::Syntax {
                problem: "there are several documents; expected one KubeSchedulerConfiguration"
                    .to_string(),
            });
            Err(vec![Located::in_source(text.source().clone(), error)])
        }
    }
}

impl Written {
    /// The file that it points at for a Policy, if it does: whoever reads files puts what is there into
    /// [`Written::policy`].
    #[must_use]
    pub fn policy_file(&self) -> Option<String> {
        let read = read_value(&self.value, ReadOptions::default()).ok()?;
        match read.policy? {
            PolicySource::File { path } => Some(path),
            PolicySource::ConfigMap { .. } => None,
        }
    }

    /// A value with the places of everything in it.
    pub(super) fn of(value: Value<'_>, origin: Origin) -> Self {
        let mut places = BTreeMap::new();
        note_places(value, &FieldPath::root(), &mut places);
        Self {
            value: value.to_json(),
            origin,
            places: Arc::new(places),
            policy: None,
        }
    }
}

fn note_places(value: Value<'_>, path: &FieldPath, places: &mut BTreeMap<String, (u32, u32)>) {
    for (key, value) in value.pairs() {
        let path = path.clone().field(key.as_str().unwrap_or_default());
        places.insert(path.to_string(), (key.line(), key.column()));
        note_places(value, &path, places);
    }
    for (index, value) in value.items().enumerate() {
        let path = path.clone().index(index);
        places.insert(path.to_string(), (value.line(), value.column()));
        note_places(value, &path, places);
    }
}

fn read_configuration(
    scenario: &Scenario,
    written: Option<&Written>,
    implements: Option<Implements<'_>>,
    warnings: &mut Vec<Warning>,
) -> Result<Configuration, Vec<Located<InputError>>> {
    let settings = scenario.gates.iter().map(|(name, on)| (name.as_str(), *on));
    let gates = Gates::from_settings(settings).map_err(|error| {
        let origin = scenario.gates_place.clone();
        let errors = error.into_list().into_iter();
        let located = errors.map(|error| Located {
            source: origin
                .as_ref()
                .map_or_else(|| Arc::from(""), |o| o.source.clone()),
            line: origin.as_ref().map_or(0, |origin| origin.line),
            column: origin.as_ref().map_or(0, |origin| origin.column),
            path: FieldPath::of(&["spec", "featureGates"]),
            object: Box::default(),
            error: InputError::Config(Box::new(error)),
        });
        located.collect::<Vec<_>>()
    })?;
    warnings.extend(idle_gates(scenario, gates));
    warnings.extend(too_late(scenario));
    let Some(written) = written else {
        return Ok(Configuration::for_gates(gates));
    };
    let options = ReadOptions {
        gates,
        header: if written.origin.path.is_root() {
            Header::Required
        } else {
            Header::Optional
        },
        older: OlderVersions::Convert,
    };
    let find = |source: &PolicySource| find_policy(scenario, written, source);
    let read = read_any(&written.value, options, &find, implements);
    let read = read.map_err(|error| refuse(error, Some(written)))?;
    for note in read.notes {
        let place = written.places.get(&note.path);
        let (line, column) = place.copied().unwrap_or_default();
        let source = place_of(&written.origin.source, line, column);
        warnings.push(Warning {
            source,
            path: note.path.clone(),
            message: note.text.clone(),
        });
    }
    let mut configuration = read.configuration;
    configuration
        .apply_managed_resources()
        .map_err(|error| refuse(error, Some(written)))?;
    Ok(configuration)
}

/// The Policy that a configuration points at: the one that was read beside it, or a ConfigMap of the scenario.
fn find_policy(
    scenario: &Scenario,
    written: &Written,
    source: &PolicySource,
) -> Result<Policy, ConfigError> {
    if let Some(policy) = &written.policy {
        return Ok(policy.clone());
    }
    let (namespace, name) = match source {
        PolicySource::File { path } => {
            let path = path.clone();
            return Err(ConfigError::Policy(PolicyError::MissingFile { path }));
        }
        PolicySource::ConfigMap { namespace, name } => (namespace, name),
    };
    let map = scenario
        .objects
        .iter()
        .find_map(|entry| match &entry.content {
            Content::Object(Object::ConfigMap(map))
                if map.metadata.namespace == *namespace && map.metadata.name == *name =>
            {
                Some(map)
            }
            _ => None,
        });
    let map = map.ok_or_else(|| {
        ConfigError::Policy(PolicyError::CouldNotGet {
            namespace: namespace.clone(),
            name: name.clone(),
            what: String::from("it is not among the objects"),
        })
    })?;
    Policy::read_text("policy.cfg", policy_text(map)?.as_bytes())
}

/// ConfigMaps other than the one that the configuration names for its Policy.
fn unread_maps(scenario: &Scenario, written: Option<&Written>) -> Option<Warning> {
    let configuration = written.map(|written| written.value.to_string());
    let mut unread = scenario.objects.iter().filter_map(|entry| {
        let Content::Object(Object::ConfigMap(map)) = &entry.content else {
            return None;
        };
        let name = map.metadata.name.as_str();
        let quoted = alloc::format!("\"{name}\"");
        let is_named = configuration
            .as_ref()
            .is_some_and(|text| text.contains(&quoted));
        (!is_named).then_some((entry, name))
    });
    let (first, name) = unread.next()?;
    Some(Warning {
        source: first.origin.place(),
        path: named("ConfigMap", name, unread.count()),
        message: String::from(UNREAD),
    })
}

/// Gates that a scenario changes although they change nothing in it.
fn idle_gates(scenario: &Scenario, gates: Gates) -> Vec<Warning> {
    let mut warnings = Vec::new();
    for (gate, _) in gates.changed().filter(|(gate, _)| gate.is_of_endpoints()) {
        let place = scenario.gates_place.as_ref();
        warnings.push(Warning {
            source: place.map(Origin::place).unwrap_or_default(),
            path: alloc::format!("spec.featureGates.{gate}"),
            message: String::from("changes nothing here: a simulated scheduler has no endpoints"),
        });
    }
    warnings
}

/// Entries of the timeline that the run does not come to.
fn too_late(scenario: &Scenario) -> Option<Warning> {
    let until = Timestamp::ZERO + scenario.until.unwrap_or(LONGEST);
    let mut late = scenario.timeline.iter().filter(|entry| entry.at > until);
    let first = late.next()?;
    Some(Warning {
        source: first.origin.place(),
        path: alloc::format!("timeline at {}", first.at - Timestamp::ZERO),
        message: alloc::format!(
            "after the end of the run at {}, with {} more: they do not happen; `until` sets the end",
            until - Timestamp::ZERO,
            late.count()
        ),
    })
}

/// What is wrong with a configuration, at its places.
fn refuse(mut error: ConfigError, written: Option<&Written>) -> Vec<Located<InputError>> {
    let source = written.map_or_else(|| Arc::from(""), |written| written.origin.source.clone());
    if let Some(written) = written {
        let find = |path: &str| {
            let (line, column) = match written.places.get(path) {
                Some(place) => *place,
                None if path.is_empty() => (written.origin.line, written.origin.column),
                None => return None,
            };
            Some(Place {
                source: source.to_string(),
                line,
                column,
            })
        };
        error.locate(&find);
    }
    let errors = error.into_list().into_iter();
    let mut errors: Vec<_> = errors
        .map(|error| place_error(error, &source, written))
        .collect();
    order::sort_by_key(&mut errors, |error| (error.line, error.column));
    errors
}

/// An error whose place and path stand beside it, no longer in it.
fn place_error(
    mut error: ConfigError,
    source: &Arc<str>,
    written: Option<&Written>,
) -> Located<InputError> {
    let (place, path) = match &mut error {
        ConfigError::Decode(problem) => (problem.place.take(), core::mem::take(&mut problem.path)),
        ConfigError::Field(field) => (field.place.take(), core::mem::take(&mut field.path)),
        ConfigError::At { path, place, .. } => (place.take(), core::mem::take(path)),
        _ => (None, String::new()),
    };
    if let ConfigError::At { error: inner, .. } = error {
        error = *inner;
    }
    let inside = written.map_or_else(FieldPath::root, |written| written.origin.path.clone());
    let path = inside.join(&parse_path(&path));
    let (line, column) = match (place, written) {
        (Some(place), _) => (place.line, place.column),
        (None, Some(written)) => (written.origin.line, written.origin.column),
        (None, None) => (0, 0),
    };
    Located {
        source: source.clone(),
        line,
        column,
        path,
        object: Box::default(),
        error: InputError::Config(Box::new(error)),
    }
}
