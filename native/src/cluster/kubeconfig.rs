//! Kubeconfigs: which files they are, and where in them it says what cannot be used.
//!
//! What a file says is wrong input, with its place. A file that cannot be read, or that another one names, is out of reach.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use berth_core::api::decode::{DecodeError, Text, Value};
use berth_core::api::{FieldPath, Located};
use berth_core::sim::InputError;
use kube::Config;
use kube::config::{KubeConfigOptions, Kubeconfig, KubeconfigError, LoadDataError};

use crate::error::Error;

/// The files that are read where none is named: those of the environment, else that of the home folder.
pub(super) fn usual_files() -> Vec<PathBuf> {
    let listed = env::var_os("KUBECONFIG").unwrap_or_default();
    let listed: Vec<PathBuf> = env::split_paths(&listed)
        .filter(|path| !path.as_os_str().is_empty())
        .collect();
    if !listed.is_empty() {
        // As client-go does: of a list, those count that exist.
        let there = listed.iter().filter(|path| path.exists()).cloned();
        let there: Vec<PathBuf> = there.collect();
        return if there.is_empty() { listed } else { there };
    }
    let home = env::home_dir().map(|home| home.join(".kube").join("config"));
    home.into_iter().collect()
}

/// What the files say together of a context; of the current one without a name.
///
/// # Errors
///
/// A file that cannot be read, and the first thing that cannot be used.
pub(super) async fn load(files: &[PathBuf], context: Option<&str>) -> Result<Config, Error> {
    let mut merged = Kubeconfig::default();
    for file in files {
        let read = Kubeconfig::read_from(file).and_then(|read| merged.merge(read));
        merged = read.map_err(|error| unreadable(file, error))?;
    }
    let wanted = Wanted::of(&merged, context);
    let options = KubeConfigOptions {
        context: context.map(str::to_owned),
        ..KubeConfigOptions::default()
    };
    let config = Config::from_custom_kubeconfig(merged, &options).await;
    let config = config.map_err(|error| wanted.refuse(files, error))?;
    match config.cluster_url.scheme_str() {
        Some("http" | "https") => Ok(config),
        _ => Err(wanted.refuse_server(files)),
    }
}

/// A file that is not there, or is no kubeconfig.
fn unreadable(file: &Path, error: KubeconfigError) -> Error {
    let name = file.display().to_string();
    match error {
        KubeconfigError::ReadConfig(error, _) if error.kind() != io::ErrorKind::InvalidData => {
            Error::File { name, error }
        }
        other => {
            let bytes = fs::read(file).unwrap_or_default();
            // Our own reader knows the place of what is no YAML.
            let text = Text::read(&name, &bytes);
            let first = text.errors().next();
            let first = first.map(|error| error.map(InputError::Unreadable));
            let problem = || in_words(&other, "a kubeconfig");
            Error::Input(vec![first.unwrap_or_else(|| {
                Located::in_source(name.as_str().into(), problem())
            })])
        }
    }
}

/// What is looked for in the files.
struct Wanted {
    /// Whether the files themselves say which context it is.
    is_current: bool,
    context: String,
    contexts: Vec<String>,
    cluster: String,
    clusters: Vec<String>,
    server: String,
}

impl Wanted {
    fn of(merged: &Kubeconfig, context: Option<&str>) -> Self {
        let current = merged.current_context.as_deref();
        let name = context.or(current).unwrap_or_default();
        let found = merged.contexts.iter().find(|found| found.name == name);
        let found = found.and_then(|found| found.context.as_ref());
        let cluster = found.map_or("", |found| found.cluster.as_str());
        let server = merged.clusters.iter().find(|found| found.name == cluster);
        let server = server.and_then(|server| server.cluster.as_ref()?.server.clone());
        let contexts = merged.contexts.iter().map(|found| found.name.clone());
        let clusters = merged.clusters.iter().map(|found| found.name.clone());
        Self {
            is_current: context.is_none(),
            context: name.to_owned(),
            contexts: contexts.collect(),
            cluster: cluster.to_owned(),
            clusters: clusters.collect(),
            server: server.unwrap_or_default(),
        }
    }

    /// What cannot be used, at its place.
    fn refuse(&self, files: &[PathBuf], error: KubeconfigError) -> Error {
        let fault = match error {
            KubeconfigError::CurrentContextNotSet => Located {
                path: FieldPath::of(&["current-context"]),
                ..at(files, |_| None, missing("a context, here or as --context"))
            },
            KubeconfigError::LoadContext(name) => {
                let expected = one_of("a context that there is", &self.contexts);
                let place = |root: Value<'_>| place_of_context(root).filter(|_| self.is_current);
                at(files, place, invalid(name, expected))
            }
            KubeconfigError::LoadClusterOfContext(name) => {
                let expected = one_of("a cluster that there is", &self.clusters);
                let place =
                    |root: Value<'_>| named(root, "contexts", &self.context, "context", "cluster");
                at(files, place, invalid(name, expected))
            }
            KubeconfigError::ParseClusterUrl(_) | KubeconfigError::MissingClusterUrl => {
                return self.refuse_server(files);
            }
            KubeconfigError::LoadCertificateAuthority(LoadDataError::ReadFile(error, path))
            | KubeconfigError::LoadClientCertificate(LoadDataError::ReadFile(error, path))
            | KubeconfigError::LoadClientKey(LoadDataError::ReadFile(error, path)) => {
                let name = path.display().to_string();
                return Error::File { name, error };
            }
            other => at(
                files,
                |_| None,
                in_words(&other, "a context that can be used"),
            ),
        };
        Error::Input(vec![fault])
    }

    /// A server that is no URL.
    fn refuse_server(&self, files: &[PathBuf]) -> Error {
        let server = |root: Value<'_>| named(root, "clusters", &self.cluster, "cluster", "server");
        let expected = "a URL such as https://10.0.0.1:6443".to_owned();
        let error = invalid(self.server.clone(), expected);
        Error::Input(vec![at(files, server, error)])
    }
}

/// A field with its line and column.
type Place = (FieldPath, u32, u32);

/// The error at the first place that is found in one of the files; at the first of them without one.
fn at(
    files: &[PathBuf],
    find: impl Fn(Value<'_>) -> Option<Place>,
    error: InputError,
) -> Located<InputError> {
    for file in files {
        let name = file.display().to_string();
        let bytes = fs::read(file).unwrap_or_default();
        let text = Text::read(&name, &bytes);
        let found = text.documents().find_map(|(_, root)| find(root));
        if let Some((path, line, column)) = found {
            let located = Located::in_source(Arc::from(name), error);
            return Located {
                path,
                line,
                column,
                ..located
            };
        }
    }
    let first = files.first().map(|file| file.display().to_string());
    Located::in_source(first.unwrap_or_default().into(), error)
}

fn place_of_context(root: Value<'_>) -> Option<Place> {
    let value = root.get("current-context")?;
    let path = FieldPath::of(&["current-context"]);
    Some((path, value.line(), value.column()))
}

/// A field of the entry of that name in one of the lists.
fn named(root: Value<'_>, list: &str, name: &str, what: &str, field: &str) -> Option<Place> {
    let entries = root.get(list)?.items().enumerate();
    let is_named =
        |entry: &Value<'_>| entry.get("name").and_then(|name| name.as_str()) == Some(name);
    let (index, entry) = entries.into_iter().find(|(_, entry)| is_named(entry))?;
    let value = entry.get(what)?.get(field)?;
    let path = FieldPath::of(&[list]).index(index).field(what).field(field);
    Some((path, value.line(), value.column()))
}

fn missing(expected: &'static str) -> InputError {
    InputError::Missing {
        expected: expected.into(),
    }
}

fn invalid(found: String, expected: String) -> InputError {
    InputError::Invalid {
        found,
        expected: expected.into(),
    }
}

/// `a context that there is: a, b`.
fn one_of(what: &str, names: &[String]) -> String {
    let names: Vec<&str> = names.iter().take(MAX_NAMES).map(String::as_str).collect();
    if names.is_empty() {
        return format!("{what}, and there is none");
    }
    format!("{what}, such as {}", names.join(", "))
}

/// An error of the library in one line.
fn in_words(error: &KubeconfigError, expected: &str) -> InputError {
    let text = error.to_string();
    let first = text.lines().next().unwrap_or_default();
    let problem = format!("{first}; expected {expected}");
    InputError::Unreadable(DecodeError::Syntax { problem })
}

/// More than anybody reads in one line.
const MAX_NAMES: usize = 10;
