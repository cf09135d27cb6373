//! Clusters and cases on disk: how each is run, and how what came out is compared with what was recorded.

use std::fs;
use std::path::{Path, PathBuf};

use berth_core::api::decode::Text;
use berth_core::plugins;
use berth_core::sim::{
    self, Limits, Loaded, Report, ReportInput, Simulation, SourceText, load, load_configuration,
    load_events,
};
use berth_core::time::Span;
use serde_json::Value;

use crate::root;

/// A folder with a cluster, what happens to it, and what became of it.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
}

/// What came out of a folder.
#[derive(Debug)]
pub struct Outcome {
    /// What is wrong with the input, as a person reads it; the rest was run all the same.
    pub input_errors: Vec<String>,
    /// What is wrong with the configuration; nothing was run then.
    pub config_errors: Vec<String>,
    /// The run at its end.
    pub simulation: Option<Simulation>,
    /// Its report.
    pub report: Option<Report>,
}

impl Folder {
    /// The folders below `tests/<corpus>`, by name.
    ///
    /// # Panics
    ///
    /// When the corpus is not there.
    #[must_use]
    pub fn all(corpus: &str) -> Vec<Self> {
        let path = root().join("tests").join(corpus);
        let entries = fs::read_dir(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let mut folders: Vec<Self> = entries
            .map(|entry| entry.expect("the folder can be listed").path())
            .filter(|path| path.is_dir())
            .map(|path| Self { path })
            .collect();
        folders.sort_by(|one, two| one.path.cmp(&two.path));
        folders
    }

    /// What the folder is called.
    ///
    /// # Panics
    ///
    /// Never: folders of a corpus have names in ASCII.
    #[must_use]
    pub fn name(&self) -> &str {
        self.path
            .file_name()
            .and_then(|name| name.to_str())
            .expect("folders of a corpus have plain names")
    }

    /// A file of the folder as a document; null if it is not there.
    #[must_use]
    pub fn document(&self, file: &str) -> Value {
        let Some(bytes) = self.read(file) else {
            return Value::Null;
        };
        let text = Text::read(file, &bytes);
        let document = text.documents().next();
        document.map_or(Value::Null, |(_, value)| value.to_json())
    }

    /// Runs the cluster for `seconds`, going on with the rest where something is refused, as `kubectl apply` does.
    ///
    /// # Panics
    ///
    /// When the cluster's file is not there.
    #[must_use]
    pub fn run(&self, cluster: &str, seconds: f64) -> Outcome {
        let bytes = self
            .read(cluster)
            .unwrap_or_else(|| panic!("{}: no {cluster}", self.name()));
        let source = SourceText {
            name: cluster,
            bytes: &bytes,
        };
        let mut loaded = load(&[source]);
        if let Some(events) = self.read("events.yaml") {
            load_events(
                &mut loaded,
                SourceText {
                    name: "events.yaml",
                    bytes: &events,
                },
            );
        }
        #[expect(
            clippy::cast_possible_truncation,
            reason = "instants of cases have three digits behind the point at most"
        )]
        let until = Span::from_millis((seconds * 1000.0).round() as i64);
        loaded.scenario.until = Some(until);
        self.run_loaded(&loaded, source)
    }

    fn run_loaded(&self, loaded: &Loaded, source: SourceText<'_>) -> Outcome {
        let mut outcome = Outcome {
            input_errors: loaded.errors.iter().map(ToString::to_string).collect(),
            config_errors: Vec::new(),
            simulation: None,
            report: None,
        };
        let config = self.read("config.yaml");
        let configuration = config.as_deref().map(|bytes| {
            load_configuration(SourceText {
                name: "config.yaml",
                bytes,
            })
        });
        let registry = plugins::in_tree();
        let prepared = configuration.transpose().and_then(|configuration| {
            sim::prepare(
                loaded,
                configuration.as_ref(),
                Limits::COMMAND_LINE,
                &registry,
            )
        });
        match prepared {
            Err(errors) => {
                outcome.config_errors = errors.iter().map(ToString::to_string).collect();
            }
            Ok(prepared) => {
                let mut simulation = prepared.simulation;
                simulation.run(&mut ());
                let refused = sim::locate(simulation.refused(), &[source]);
                outcome
                    .input_errors
                    .extend(refused.iter().map(ToString::to_string));
                let input = ReportInput {
                    seed: loaded.scenario.seed,
                    warnings: prepared.warnings,
                };
                outcome.report = Some(Report::of(&simulation, input));
                outcome.simulation = Some(simulation);
            }
        }
        outcome
    }

    fn read(&self, file: &str) -> Option<Vec<u8>> {
        fs::read(self.path.join(file)).ok()
    }

    /// Where the folder lies.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Compares names that fail with those that are known to wait for something, and says which side is wrong.
///
/// # Panics
///
/// When a name fails that is not known to, or a known one passes.
pub fn check_waiting(failures: &[(String, Vec<String>)], waiting: &[&str]) {
    let mut faults = Vec::new();
    for (name, differences) in failures {
        if !waiting.contains(&name.as_str()) {
            faults.push(format!("{name}:\n    {}", differences.join("\n    ")));
        }
    }
    for name in waiting {
        if !failures.iter().any(|(failed, _)| failed == name) {
            faults.push(format!(
                "{name} passes now: take it off the list of those that wait"
            ));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
