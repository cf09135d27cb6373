//! Cases of a plugin: a cluster, a pod, and what the plugin answers at each extension point.

use std::collections::BTreeMap;
use std::sync::Arc;

use berth_core::framework::cycle_state::CycleState;
use berth_core::framework::extension::{Plugin, Verdicts};
use berth_core::framework::status::Status;
use berth_core::node_set::NodeIndex;
use berth_core::snapshot::PodInfo;
use serde_json::{Map, Value, json};

use super::{read, unknown_keys};
use crate::setting::Setting;

/// Checks one case.
pub(super) fn check(plugin: &str, case: &Value) -> Result<(), String> {
    unknown_keys(case, CASE_KEYS)?;
    unknown_keys(&case["expect"], EXPECT_KEYS)?;
    let gates = read::gates(case)?;
    let plugin = read::plugin(plugin, &case["args"], gates)?;
    let nodes: Vec<_> = read::list(case, "nodes")?;
    let pods: Vec<_> = read::list(case, "existing_pods")?;
    let setting = Setting::new(&nodes, &pods, read::objects(case, "objects")?);
    let mut run = Run {
        plugin,
        pod: read::pod(case)?,
        state: CycleState::default(),
        answers: Map::new(),
        setting,
    };
    let name = case["name"].as_str().unwrap_or_default();
    let listed = score_nodes(case, &run.setting)?;
    if name.contains("-filter-") {
        run.filter()?;
    } else if name.contains("-score-") {
        run.pre_filter();
        run.score(&listed.unwrap_or_else(|| run.setting.snapshot.all().iter().collect()))?;
    } else if name.contains("-cycle-") {
        let feasible = run.filter()?;
        if let Some(nodes) = listed.or(feasible) {
            run.score(&nodes)?;
        }
    } else {
        return Err("  neither -filter- nor -score- nor -cycle-".to_owned());
    }
    run.compare(&case["expect"])
}

/// The nodes that the case wants scored.
fn score_nodes(case: &Value, setting: &Setting) -> Result<Option<Vec<NodeIndex>>, String> {
    if case["score_nodes"].is_null() {
        return Ok(None);
    }
    let names: Vec<String> = read::list(case, "score_nodes")?;
    let rows = names.iter().map(|name| {
        let row = setting.snapshot.row(name);
        row.ok_or_else(|| format!("  score_nodes: no node {name}"))
    });
    rows.collect::<Result<_, _>>().map(Some)
}

/// A case under way.
struct Run {
    plugin: Arc<dyn Plugin>,
    pod: PodInfo,
    setting: Setting,
    state: CycleState,
    /// In the form of `expect`.
    answers: Map<String, Value>,
}

impl Run {
    /// Whether Filter is to be asked.
    fn pre_filter(&mut self) -> bool {
        let Some(plugin) = self.plugin.as_pre_filter() else {
            return true;
        };
        let answer = plugin.pre_filter(&self.setting.cycle(), &mut self.state, &self.pod);
        self.answers
            .insert("prefilter".to_owned(), written(&answer.status));
        if let Some(nodes) = &answer.nodes {
            self.answers
                .insert("prefilter_nodes".to_owned(), json!(nodes));
        }
        answer.status.is_success()
    }

    /// Runs PreFilter and Filter; returns the feasible nodes unless PreFilter rejected the pod.
    fn filter(&mut self) -> Result<Option<Vec<NodeIndex>>, String> {
        let all: Vec<NodeIndex> = self.setting.snapshot.all().iter().collect();
        if !self.pre_filter() {
            let is_skipped = self.answers.get("prefilter") == Some(&json!("Skip"));
            return Ok(is_skipped.then_some(all));
        }
        let Some(plugin) = self.plugin.as_filter() else {
            return Ok(Some(all));
        };
        let cx = self.setting.cycle();
        let mut set = cx.snapshot.all();
        let mut verdicts = Verdicts::default();
        plugin.filter(&cx, &self.state, &self.pod, &mut set, &mut verdicts);
        let rejected: BTreeMap<NodeIndex, Status> = verdicts.drain().collect();
        let mut answers = Map::new();
        for node in all {
            let alone = plugin.filter_node(&cx, &self.state, &self.pod, node);
            let in_set = rejected.get(&node).cloned().unwrap_or_default();
            if alone != in_set || in_set.is_success() != set.contains(node) {
                return Err(format!("  the twins disagree: {alone:?}, {in_set:?}"));
            }
            answers.insert(cx.snapshot.name(node).to_string(), written(&in_set));
        }
        self.answers.insert("filter".to_owned(), answers.into());
        Ok(Some(set.iter().collect()))
    }

    fn score(&mut self, nodes: &[NodeIndex]) -> Result<(), String> {
        let cx = self.setting.cycle();
        if let Some(plugin) = self.plugin.as_pre_score() {
            let status = plugin.pre_score(&cx, &mut self.state, &self.pod, nodes);
            self.answers.insert("prescore".to_owned(), written(&status));
            if !status.is_success() {
                return Ok(());
            }
        }
        let Some(plugin) = self.plugin.as_score() else {
            return Ok(());
        };
        let mut column = vec![0; nodes.len()];
        let scored = plugin.score(&cx, &self.state, &self.pod, nodes, &mut column);
        scored.map_err(|error| format!("  score: {error}"))?;
        for (node, score) in nodes.iter().zip(&column) {
            let alone = plugin.score_node(&cx, &self.state, &self.pod, *node);
            if alone.as_ref() != Ok(score) {
                return Err(format!("  the twins disagree: {alone:?}, {score}"));
            }
        }
        let names = |column: &[i64]| -> Value {
            let names = nodes.iter().map(|node| cx.snapshot.name(*node).to_string());
            names
                .zip(column.iter().map(|score| json!(score)))
                .collect::<Map<_, _>>()
                .into()
        };
        self.answers.insert("score".to_owned(), names(&column));
        if plugin.has_normalize() {
            let done = plugin.normalize(&cx, &self.state, &self.pod, nodes, &mut column);
            done.map_err(|error| format!("  normalize: {error}"))?;
            self.answers.insert("normalized".to_owned(), names(&column));
        }
        Ok(())
    }

    /// What the case expects must be answered; where it expects nothing, nothing may be said that would change a decision.
    fn compare(&self, expect: &Value) -> Result<(), String> {
        let mut faults = String::new();
        for key in EXPECT_KEYS {
            let (expected, found) = (&expect[key], self.answers.get(*key).unwrap_or(&Value::Null));
            let is_narrowed = *key == "prefilter_nodes" && self.answers.contains_key(*key);
            if (!expected.is_null() || is_narrowed) && !agree(expected, found) {
                faults.push_str(&format!(
                    "  {key}: expected {expected}\n  {key}:    found {found}\n"
                ));
            }
        }
        if faults.is_empty() {
            Ok(())
        } else {
            Err(faults)
        }
    }
}

/// A status in the form of the vectors; reasons are sorted.
fn written(status: &Status) -> Value {
    if status.reasons.is_empty() && (status.is_success() || status.is_skip()) {
        return json!(status.code.name());
    }
    let mut reasons: Vec<String> = status.reasons.iter().map(ToString::to_string).collect();
    reasons.sort();
    json!({ "code": status.code.name(), "reasons": reasons })
}

/// Whether two answers are one; of a text that goes on with a validator's explanation only the beginning counts.
fn agree(expected: &Value, found: &Value) -> bool {
    match (expected, found) {
        (Value::Object(one), Value::Object(two)) => {
            one.len() == two.len()
                && one
                    .iter()
                    .all(|(key, value)| two.get(key).is_some_and(|other| agree(value, other)))
        }
        (Value::Array(one), Value::Array(two)) => {
            one.len() == two.len() && one.iter().zip(two).all(|(one, two)| agree(one, two))
        }
        (Value::String(one), Value::String(two)) => beginning(one) == beginning(two),
        (one, two) => one == two,
    }
}

fn beginning(text: &str) -> &str {
    text.find("Invalid").map_or(text, |end| &text[..end])
}

const CASE_KEYS: &[&str] = &[
    "name",
    "note",
    "tags",
    "nodes",
    "existing_pods",
    "pod",
    "objects",
    "args",
    "feature_gates",
    "score_nodes",
    "expect",
];

const EXPECT_KEYS: &[&str] = &[
    "prefilter",
    "prefilter_nodes",
    "filter",
    "prescore",
    "score",
    "normalized",
];
