//! Plugin vectors: inputs and right answers as data, and whether the core gives those answers.
//!
//! `tests/vectors/README.md` says what a case is. Each file is checked case by case; a case of a form that is not known
//! here is a disagreement, so that nothing is passed over in silence.

mod hints;
mod plugin;
mod quantity;
mod read;

use std::collections::BTreeMap;
use std::env;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::root;

/// What came of one folder of vectors.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// By the plugin's name, or by what else a file is about.
    pub counts: BTreeMap<String, Count>,
    /// One text a case that was not answered as it should be.
    pub disagreements: Vec<String>,
    /// Why cases were left out, with how many.
    pub waiting: BTreeMap<String, usize>,
}

/// How many cases were compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Those answered as they should be.
    pub agreed: usize,
    /// All that were compared.
    pub compared: usize,
}

/// Answers the cases of one file: for each its name, whom it counts for, and what was wrong.
type Checked = Vec<(String, String, Result<(), String>)>;

impl Report {
    /// Checks every `*.json` of a folder. `left_out` says why a file or a plugin cannot be checked yet.
    ///
    /// # Panics
    ///
    /// When the folder or a file in it cannot be read.
    #[must_use]
    pub fn of(folder: &Path, left_out: impl Fn(&str) -> Option<&'static str>) -> Self {
        let mut report = Self::default();
        let mut paths: Vec<PathBuf> = fs::read_dir(folder)
            .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
            .map(|entry| entry.expect("the folder can be listed").path())
            .filter(|path| {
                path.extension()
                    .is_some_and(|extension| extension == "json")
            })
            .collect();
        paths.sort();
        assert!(!paths.is_empty(), "{}: no vectors", folder.display());
        for path in paths {
            let text = fs::read_to_string(&path)
                .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let file: Value = serde_json::from_str(&text)
                .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            report.check_file(&path, &file, &left_out);
        }
        report
    }

    fn check_file(
        &mut self,
        path: &Path,
        file: &Value,
        left_out: &impl Fn(&str) -> Option<&'static str>,
    ) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let no_cases = Vec::new();
        let cases = file["cases"].as_array().unwrap_or(&no_cases);
        let about = file["plugin"].as_str().unwrap_or_default();
        let plugin_of = |case: &Value| match about {
            "*" => case["plugin"].as_str().unwrap_or_default().to_owned(),
            other => other.to_owned(),
        };
        let mut wanted = Vec::new();
        for case in cases {
            let plugin = plugin_of(case);
            match left_out(&plugin) {
                Some(why) => {
                    *self
                        .waiting
                        .entry(format!("{name}: {plugin}: {why}"))
                        .or_default() += 1
                }
                None => wanted.push((plugin, case)),
            }
        }
        if cases.is_empty() {
            self.disagreements.push(format!("{name}: no cases"));
        }
        let checked: Checked = wanted
            .into_iter()
            .map(|(plugin, case)| check_case(&name, about, plugin, case))
            .collect();
        for (case, counted_for, outcome) in checked {
            let count = self.counts.entry(counted_for).or_default();
            count.compared += 1;
            match outcome {
                Ok(()) => count.agreed += 1,
                Err(text) => self.disagreements.push(format!("{name}: {case}\n{text}")),
            }
        }
    }
}

fn check_case(
    file: &str,
    about: &str,
    plugin: String,
    case: &Value,
) -> (String, String, Result<(), String>) {
    let name = |key: &str| case[key].as_str().unwrap_or("(nameless)").to_owned();
    match (file, about) {
        ("quantity.json", _) => (
            name("input"),
            "quantities".to_owned(),
            quantity::check(case),
        ),
        (_, "*") => {
            let counted_for = format!("{plugin} hints");
            (name("name"), counted_for, hints::check(&plugin, case))
        }
        _ => {
            let outcome = plugin::check(&plugin, case);
            (name("name"), plugin, outcome)
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut total = Count::default();
        for (name, count) in &self.counts {
            writeln!(f, "{name:<40} {:>4} / {}", count.agreed, count.compared)?;
            total.agreed += count.agreed;
            total.compared += count.compared;
        }
        writeln!(f, "{:<40} {:>4} / {}", "all", total.agreed, total.compared)?;
        for (what, cases) in &self.waiting {
            writeln!(f, "waiting: {cases} cases of {what}")?;
        }
        Ok(())
    }
}

/// The folder that `BERTH_VECTORS` names, or the one of this repository.
#[must_use]
pub fn folder() -> PathBuf {
    env::var_os("BERTH_VECTORS").map_or_else(|| root().join("tests/vectors"), PathBuf::from)
}

/// Notes keys of `object` that are not in `known`.
fn unknown_keys(object: &Value, known: &[&str]) -> Result<(), String> {
    let Some(map) = object.as_object() else {
        return Err(format!("  not an object: {object}"));
    };
    let unknown: Vec<&str> = map
        .keys()
        .map(String::as_str)
        .filter(|key| !known.contains(key))
        .collect();
    if unknown.is_empty() {
        return Ok(());
    }
    Err(format!(
        "  a form of case that the checker does not know: {}",
        unknown.join(", ")
    ))
}
