//! What View::Why says beside the story: every node by every rule, the smallest changes that place the pod, and those that
//! were tried and do not.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::explain::Advice;
use crate::framework::status::Status;

use super::super::draw::advice::words;
use super::super::draw::groups::{Group, groups};
use super::super::draw::stage::Stage;
use super::super::draw::why::row::{not_run, truth};
use super::super::scene::{Lang, TwinSection};
use super::super::sentences::{Arg, Key};
use super::super::verdicts::{Row, Verdict};
use super::{number, section};

/// What the view says beside the story.
#[inline(never)]
pub(super) fn sections(stage: &Stage<'_>) -> Vec<TwinSection> {
    let sections = [matrix(stage), smallest(stage), dropped(stage)];
    sections.into_iter().flatten().collect()
}

/// Each node with the rule that rejected it and the rules that were not run, or what they say when Berth asks them.
fn matrix(stage: &Stage<'_>) -> Option<TwinSection> {
    if !stage.sift.is_done {
        return None;
    }
    let items: Vec<String> = if stage.is_folded() {
        groups(stage)
            .iter()
            .map(|group| of_group(stage, group))
            .collect()
    } else {
        let rows = stage.sift.rows.iter();
        rows.map(|row| line(stage, stage.node_name(&row.node.name), &[row]))
            .collect()
    };
    let extent = stage.label(if stage.shown_truth().is_some() {
        Key::WWholeTruth
    } else {
        Key::WSaw
    });
    let matrix = stage.label(Key::EveryNodeEveryRule);
    let heading = stage.text(
        Key::XMatrix,
        &[("matrix", matrix.into()), ("extent", extent.into())],
    );
    Some(TwinSection { heading, items })
}

fn of_group(stage: &Stage<'_>, group: &Group<'_>) -> String {
    match group.rows.as_slice() {
        [row] => line(stage, stage.node_name(&row.node.name), &[row]),
        rows if group.title.is_empty() => {
            let name = stage.text(Key::ZoneNodes, &[("n", number(rows.len()))]);
            line(stage, &name, rows)
        }
        rows => line(stage, &group.title, rows),
    }
}

/// A node, or nodes with one verdict.
fn line(stage: &Stage<'_>, name: &str, rows: &[&Row]) -> String {
    let Some(row) = rows.first() else {
        return String::new();
    };
    let node = ("node", Arg::from(name));
    let says = match &row.verdict {
        Verdict::Passed => stage.text(Key::XRowPassed, &[node]),
        Verdict::Rejected { gate, .. } => {
            let plugin = Arg::from(stage.sift.gate_name(*gate));
            stage.text(Key::XRowRejected, &[node, ("plugin", plugin)])
        }
        Verdict::NotAsked => stage.text(Key::XRowNotAsked, &[node]),
    };
    let mut unknown = Vec::new();
    let mut known = Vec::new();
    for gate in not_run(stage, row) {
        match in_addition(stage, rows, gate) {
            Some(says) => known.push(says),
            None => unknown.push(stage.sift.gate_name(gate).to_string()),
        }
    }
    let mut says = says;
    for (key, name, list) in [
        (Key::XRowNotRun, "plugins", unknown),
        (Key::XRowTruth, "says", known),
    ] {
        if !list.is_empty() {
            let list = Arg::from(list.join(", "));
            says = stage.text(key, &[("row", says.into()), (name, list)]);
        }
    }
    says
}

/// What a rule that was not run says of nodes; of many, of how many.
fn in_addition(stage: &Stage<'_>, rows: &[&Row], gate: usize) -> Option<String> {
    let said: Vec<bool> = rows
        .iter()
        .filter_map(|row| truth(stage, row, gate))
        .map(Status::is_success)
        .collect();
    let passing = said.iter().filter(|passes| **passes).count();
    let plugin = ("plugin", Arg::from(stage.sift.gate_name(gate)));
    let (n, m) = (("n", number(passing)), ("m", number(said.len())));
    Some(match said.as_slice() {
        [] => return None,
        _ if passing == said.len() => stage.text(Key::XWouldPass, &[plugin]),
        _ if passing == 0 => stage.text(Key::XWouldReject, &[plugin]),
        _ => stage.text(Key::XWouldPassOf, &[plugin, n, m]),
    })
}

fn advice<'a>(stage: &'a Stage<'_>) -> Option<&'a Advice> {
    stage.shot.truth.as_ref().map(|truth| &truth.advice)
}

/// The smallest changes, each with its lines, where the pod then fits, and what it costs.
fn smallest(stage: &Stage<'_>) -> Option<TwinSection> {
    let advice = advice(stage).filter(|advice| !advice.suggestions.is_empty())?;
    let items = advice.suggestions.iter().map(|suggestion| {
        let changes = suggestion.changes.iter().map(|change| {
            let lines = words::code(change).into_iter().map(|(line, _)| line);
            let lines: Vec<String> = lines.collect();
            [&words::change(stage, change), " (", &lines.join("; "), ")"].concat()
        });
        let mut said: Vec<String> = changes.collect();
        said.push(words::fits(stage, suggestion));
        said.extend(words::costs(stage, suggestion));
        said.join(stop(stage))
    });
    Some(section(stage, Key::WSmallest, items.collect()))
}

/// Changes that do not do, each with what still stands against it.
fn dropped(stage: &Stage<'_>) -> Option<TwinSection> {
    let advice = advice(stage).filter(|advice| !advice.dropped.is_empty())?;
    let items = advice.dropped.iter().map(|(change, reason)| {
        let what = words::change(stage, change);
        [&what, stop(stage), &words::still(stage, reason)].concat()
    });
    Some(section(stage, Key::WDropped, items.collect()))
}

/// What stands between sentences.
const fn stop(stage: &Stage<'_>) -> &'static str {
    match stage.shot.lang {
        Lang::En => ". ",
        Lang::Zh => "。",
    }
}
