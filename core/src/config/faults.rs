//! Everything that keeps the plugins of a profile from being built, each with its place.
//!
//! Building stops at the first mistake, in upstream's order and words and without a path. For people who write a file this
//! finds all of them, where they wrote them.
//!
//! Source: spec, A.5 stage 2 and scheduling-cycle 3.3.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::expand::{count_faults, expand_points, weigh};
use super::reader::index;
use super::{ConfigError, ExtensionPoint, PluginSet, Plugins, Profile, ReadConfiguration};

#[cfg(test)]
mod tests;

/// Says whether a plugin takes part in an extension point; `None` when there is no such plugin.
pub type Implements<'a> = &'a dyn Fn(&str, ExtensionPoint) -> Option<bool>;

/// The mistakes of all profiles in their plugins, with paths from the document's root.
pub(super) fn plugin_faults(
    read: &ReadConfiguration,
    implements: Implements<'_>,
) -> Vec<ConfigError> {
    let mut faults = Vec::new();
    for (place, profile) in read.configuration.profiles.iter().enumerate() {
        let path = format!("{}.plugins", index("profiles", place));
        let none = Plugins::default();
        let written = read.written_plugins.get(place).unwrap_or(&none);
        let before = faults.len();
        written_faults(written, &path, implements, &mut faults);
        // What is left is no single entry's fault, and a faulty entry may be why it is.
        if faults.len() == before {
            let errors = whole_faults(profile, implements);
            faults.extend(errors.into_iter().map(|error| {
                let path = whole_path(&error, &path);
                ConfigError::at(path, error)
            }));
        }
    }
    faults
}

/// The mistakes of single entries.
fn written_faults(
    written: &Plugins,
    path: &str,
    implements: Implements<'_>,
    faults: &mut Vec<ConfigError>,
) {
    for point in ExtensionPoint::ALL {
        let path = format!("{path}.{}", point.field());
        entry_faults(written.point(point), point, &path, faults, |name| {
            let plugin = name.to_string();
            match implements(name, point) {
                None => Some(ConfigError::PluginDoesNotExist { point, plugin }),
                Some(false) => Some(ConfigError::PluginDoesNotExtend { point, plugin }),
                Some(true) => None,
            }
        });
        let is_scored = point == ExtensionPoint::Score || point == ExtensionPoint::PlacementScore;
        for (place, entry) in written.point(point).enabled.iter().enumerate() {
            if is_scored && entry.weight < 0 {
                let (plugin, weight) = (entry.name.clone(), entry.weight);
                let error = ConfigError::NegativeWeight {
                    point,
                    plugin,
                    weight,
                };
                faults.push(ConfigError::at(
                    format!("{path}.enabled[{place}].weight"),
                    error,
                ));
            }
        }
    }
    let path = format!("{path}.multiPoint");
    entry_faults(&written.multi_point, FIRST, &path, faults, |name| {
        let known = implements(name, FIRST).is_some();
        (!known).then(|| ConfigError::PluginDoesNotExist {
            point: FIRST,
            plugin: name.to_string(),
        })
    });
}

/// The mistakes in one list: what `check` says of each name, and names that stand there twice.
fn entry_faults(
    set: &PluginSet,
    point: ExtensionPoint,
    path: &str,
    faults: &mut Vec<ConfigError>,
    check: impl Fn(&str) -> Option<ConfigError>,
) {
    for (place, entry) in set.enabled.iter().enumerate() {
        let path = format!("{path}.enabled[{place}].name");
        if let Some(error) = check(&entry.name) {
            faults.push(ConfigError::at(path, error));
            continue;
        }
        let mut before = set.enabled.iter().take(place);
        if before.any(|other| other.name == entry.name) {
            let plugin = entry.name.clone();
            faults.push(ConfigError::at(
                path,
                ConfigError::PluginAlreadyRegistered { point, plugin },
            ));
        }
    }
}

/// The mistakes of a profile whose entries are right each by itself.
fn whole_faults(profile: &Profile, implements: Implements<'_>) -> Vec<ConfigError> {
    match expand_points(&profile.plugins, &implements) {
        Err(error) => [error].into(),
        Ok(mut expanded) => {
            let mut faults = count_faults(profile, &expanded);
            faults.extend(weigh(&profile.plugins, &mut expanded).err());
            faults
        }
    }
}

/// Where a mistake is made that no single entry makes.
fn whole_path(error: &ConfigError, path: &str) -> String {
    match error {
        ConfigError::QueueSortCount { .. } => format!("{path}.queueSort"),
        ConfigError::BindNeeded { .. } => format!("{path}.bind"),
        ConfigError::ScoreOverflow { .. } => format!("{path}.score"),
        _ => path.to_string(),
    }
}

/// The point at which upstream walks `multiPoint` first.
const FIRST: ExtensionPoint = ExtensionPoint::PreFilter;
