//! The examples that come with the page: each can be run, tells what its text says, and ends as the table says.
//!
//! `UPDATE_EXPECT=1` writes the table anew; the difference is there to be read.

use core::fmt::Write as _;
use std::collections::BTreeMap;
use std::fs;

use berth_core::api::Kind;
use berth_core::plugins;
use berth_core::sim::{
    Limits, Loaded, PodReport, PodState, Report, ReportInput, Seconds, Simulation, SourceText,
    load, prepare,
};
use berth_tests::root;
use expect_test::expect_file;

/// A file of the gallery.
struct Example {
    name: String,
    text: String,
}

impl Example {
    /// All of them, by name.
    fn all() -> Vec<Self> {
        let folder = root().join("static/scenarios");
        let entries = fs::read_dir(&folder).expect("the gallery is there");
        let mut examples: Vec<Self> = entries
            .map(|entry| {
                let path = entry.expect("the folder can be listed").path();
                let name = path.file_stem().and_then(|name| name.to_str());
                Self {
                    name: name.expect("plain names").to_owned(),
                    text: fs::read_to_string(&path).expect("a text"),
                }
            })
            .collect();
        examples.sort_by(|one, two| one.name.cmp(&two.name));
        examples
    }

    fn load(&self) -> Loaded {
        load(&[SourceText {
            name: &self.name,
            bytes: self.text.as_bytes(),
        }])
    }

    /// The run before its first step. Nothing may be wrong, not even a little.
    fn simulation(&self) -> Simulation {
        let loaded = self.load();
        assert_eq!(loaded.errors.len(), 0, "{}: {:?}", self.name, loaded.errors);
        let prepared = prepare(&loaded, None, Limits::PAGE, &plugins::in_tree());
        let prepared = prepared.unwrap_or_else(|errors| panic!("{}: {errors:?}", self.name));
        assert_eq!(prepared.warnings, [], "{}", self.name);
        assert_eq!(
            prepared.simulation.refused().len(),
            0,
            "{}: {:?}",
            self.name,
            prepared.simulation.refused()
        );
        prepared.simulation
    }

    fn run(&self) -> Report {
        let mut simulation = self.simulation();
        simulation.run(&mut ());
        assert_eq!(simulation.refused().len(), 0, "{}", self.name);
        Report::of(&simulation, ReportInput::default())
    }
}

#[test]
fn every_example_ends_as_the_table_says() {
    let mut table = String::from(
        "How each scenario in static/scenarios ends: pods that were tried, where and when they were bound, and what the\n\
         others wait for. Pods of one workload that fare alike are counted together where there are many.\n",
    );
    for example in Example::all() {
        let report = example.run();
        assert_eq!(report.warnings, [], "{}", example.name);
        outcome(&mut table, &example.name, &report);
    }
    expect_file![root().join("tests/scenarios/outcomes.txt")].assert_eq(&table);
}

#[test]
fn every_example_begins_with_a_question_and_two_lines_about_it() {
    for example in Example::all() {
        let scenario = example.load().scenario;
        let name = &example.name;
        assert_eq!(scenario.name, *name, "its name is that of its file");
        assert!((3..=40).contains(&scenario.title.len()), "{name}: title");
        let lines: Vec<&str> = scenario.description.lines().collect();
        assert_eq!(lines.len(), 3, "{name}: {lines:?}");
        assert!(lines[0].ends_with('?'), "{name}: {}", lines[0]);
        let questions = scenario.description.matches('?').count();
        assert_eq!(questions, 1, "{name}: one question");
        for line in lines {
            assert!(line.len() <= 140, "{name}: a long line: {line}");
        }
    }
}

#[test]
fn an_example_is_small_unless_it_is_about_size() {
    for example in Example::all() {
        let simulation = example.simulation();
        let nodes = simulation.world().list(Kind::Node).count();
        let most = if example.name.starts_with("fleet-") {
            5_000
        } else {
            25
        };
        assert!(nodes <= most, "{}: {nodes} nodes", example.name);
    }
}

#[test]
fn an_example_that_is_run_again_decides_the_same() {
    for example in Example::all() {
        if !example.name.starts_with("fleet-") {
            assert_eq!(
                example.run().digest,
                example.run().digest,
                "{}",
                example.name
            );
        }
    }
}

/// The scenario's part of the table.
fn outcome(table: &mut String, name: &str, report: &Report) {
    let seconds = &report.simulated_seconds;
    let seconds = serde_json::to_string(seconds).expect("a number");
    writeln!(table, "\n{name}, {seconds} s").expect("a string takes every write");
    let tried: Vec<&PodReport> = report
        .pods
        .iter()
        .filter(|pod| pod.attempts > 0 || pod.state != PodState::Bound)
        .collect();
    let key = |pod: &PodReport| {
        if tried.len() > MANY {
            of_workload(pod)
        } else {
            format!("{}/{}", pod.namespace, pod.name)
        }
    };
    let mut rows: BTreeMap<(String, String), usize> = BTreeMap::new();
    for pod in &tried {
        let fate = if tried.len() > MANY {
            fate_in_brief(pod)
        } else {
            fate(pod, report)
        };
        *rows.entry((key(pod), fate)).or_default() += 1;
    }
    for ((who, fate), count) in rows {
        let who = if count > 1 || tried.len() > MANY {
            format!("{who} ×{count}")
        } else {
            who
        };
        writeln!(table, "  {who}: {fate}").expect("a string takes every write");
    }
}

/// What became of a pod.
fn fate(pod: &PodReport, report: &Report) -> String {
    let seconds = |value: &Seconds| serde_json::to_string(value).expect("a number");
    let full_name = format!("{}/{}", pod.namespace, pod.name);
    let left = report.preempted.iter().find(|gone| gone.pod == full_name);
    if let Some(left) = left {
        return format!(
            "had to leave {} for {}, asked at {} s",
            left.node,
            left.by,
            seconds(&left.at)
        );
    }
    match (&pod.node, &pod.bound_at) {
        (Some(node), Some(at)) => {
            let tries = match pod.attempts {
                1 => String::new(),
                many => format!(", attempt {many}"),
            };
            format!("{node} at {} s{tries}", seconds(at))
        }
        _ => fate_in_brief(pod),
    }
}

/// The same without where and when.
fn fate_in_brief(pod: &PodReport) -> String {
    match (&pod.state, &pod.message) {
        (PodState::Bound | PodState::Deleted, _) | (_, None) => format!("{:?}", pod.state),
        (state, Some(message)) => format!("{state:?}: {message}"),
    }
}

/// The pod's name without what tells it from its siblings: a number, or what a Deployment puts behind its own name.
fn of_workload(pod: &PodReport) -> String {
    let parts: Vec<&str> = pod.name.split('-').collect();
    let is_number = |part: &&&str| part.len() < 5 && part.bytes().all(|b| b.is_ascii_digit());
    let behind = if parts.last().filter(is_number).is_some() {
        1
    } else {
        2
    };
    let kept = parts.len().saturating_sub(behind).max(1);
    format!("{}/{}", pod.namespace, parts[..kept].join("-"))
}

/// So many pods are shown one by one.
const MANY: usize = 60;
