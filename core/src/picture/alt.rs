//! The scene as text: what stands for the figure where it cannot be seen. It is built from the same records.

mod why;

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::framework::trace::DryRun;
use crate::order::{self, SortedMap};

use super::draw::berths::room;
use super::draw::groups::{groups, opened_among};
use super::draw::lanes::lanes;
use super::draw::preempt::{read_out, shown};
use super::draw::stage::Stage;
use super::draw::turn::asks;
use super::scene::{Sentence, Twin, TwinSection, View};
use super::sentences::{Arg, Key, plain, signed};
use super::verdicts::{GateKind, Row};

/// The twin of a stage.
pub(in crate::picture) fn twin(stage: &Stage<'_>, said: &Sentence) -> Twin {
    let sections = [
        turn(stage),
        Some(queues(stage)),
        gates(stage),
        scores(stage),
        preemption(stage),
    ];
    let mut sections: Vec<TwinSection> = sections.into_iter().flatten().collect();
    if stage.shot.view == View::Why {
        sections.extend(why::sections(stage));
    }
    sections.push(nodes(stage));
    sections.extend(opened(stage));
    Twin {
        sentence: plain(&said.pieces),
        sections,
    }
}

/// A twin as lines.
#[must_use]
pub fn alt(twin: &Twin) -> String {
    let mut text = twin.sentence.clone();
    text.push('\n');
    for section in &twin.sections {
        text.push('\n');
        text.push_str(&section.heading);
        text.push('\n');
        for item in &section.items {
            text.push_str("- ");
            text.push_str(item);
            text.push('\n');
        }
    }
    text
}

fn section(stage: &Stage<'_>, heading: Key, items: Vec<String>) -> TwinSection {
    TwinSection {
        heading: stage.label(heading),
        items,
    }
}

fn number(count: usize) -> Arg {
    Arg::Number(i64::try_from(count).unwrap_or(i64::MAX))
}

fn turn(stage: &Stage<'_>) -> Option<TwinSection> {
    let facts = stage.subject_facts()?;
    let args = [
        ("name", Arg::from(facts.info.reference.to_string())),
        ("asks", asks(stage, &facts).into()),
    ];
    let item = stage.text(Key::XTurnPod, &args);
    Some(section(stage, Key::XTurn, alloc::vec![item]))
}

/// The queues with their pods, alike ones together.
fn queues(stage: &Stage<'_>) -> TwinSection {
    let items = lanes(stage, 2).into_iter().map(|lane| {
        let queue = Arg::from(stage.label(lane.lane.keys().0));
        let names: Vec<String> = lane
            .sections
            .iter()
            .flat_map(|section| &section.entries)
            .map(super::draw::lanes::Entry::name)
            .collect();
        let n = number(lane.count);
        if names.is_empty() {
            stage.text(Key::XQueue, &[("queue", queue), ("n", n)])
        } else {
            let names = names.join(", ").into();
            stage.text(
                Key::XQueueNames,
                &[("queue", queue), ("n", n), ("names", names)],
            )
        }
    });
    section(stage, Key::XQueues, items.collect())
}

/// The gates in order, each with `10 to 7` and whom it rejected.
fn gates(stage: &Stage<'_>) -> Option<TwinSection> {
    if !stage.sift.is_done {
        return None;
    }
    let mut items = Vec::new();
    for (place, gate) in stage.sift.gates.iter().enumerate() {
        let plugin = Arg::from(gate.name.as_str());
        items.push(match gate.kind {
            GateKind::Skipped => stage.text(Key::XGateSkipped, &[("plugin", plugin)]),
            _ if gate.cut == 0 => stage.text(
                Key::XGatePass,
                &[("plugin", plugin), ("n", number(gate.before))],
            ),
            _ => stage.text(
                Key::XGate,
                &[
                    ("plugin", plugin),
                    ("before", number(gate.before)),
                    ("after", number(gate.before - gate.cut)),
                    ("nodes", rejected(stage, place).into()),
                ],
            ),
        });
    }
    if stage.sift.not_asked() > 0 {
        let n = number(stage.sift.not_asked());
        items.push(stage.text(Key::XNotAsked, &[("n", n)]));
    }
    Some(section(stage, Key::XGates, items))
}

/// Whom a gate rejected: by name, or by group where there are many.
fn rejected(stage: &Stage<'_>, gate: usize) -> String {
    if stage.is_folded() {
        let groups = groups(stage);
        let of_gate = groups.iter().filter(|group| {
            let first = group.rows.first();
            first.is_some_and(|row| row.verdict.gate() == Some(gate))
        });
        let said: Vec<String> = of_gate
            .map(|group| match group.detail.as_str() {
                "" => group.title.clone(),
                detail => {
                    let args = [
                        ("node", Arg::from(group.title.as_str())),
                        ("reason", detail.into()),
                    ];
                    stage.text(Key::XRejected, &args)
                }
            })
            .collect();
        return said.join(", ");
    }
    let said: Vec<String> = stage
        .sift
        .rejected_at(gate)
        .map(|row| {
            let args = [
                ("node", Arg::from(stage.node_name(&row.node.name))),
                ("reason", stage.voice.detail(row).into()),
            ];
            stage.text(Key::XRejected, &args)
        })
        .collect();
    said.join(", ")
}

/// The scores, best first, with what they are made of, and the choice.
fn scores(stage: &Stage<'_>) -> Option<TwinSection> {
    let attempt = stage.attempt.as_ref()?;
    let (choice, _, _) = attempt.choice?;
    let mut items = Vec::new();
    if let Some(scores) = attempt.scores {
        let mut order: Vec<usize> = (0..scores.nodes.len()).collect();
        order::sort_by_key(&mut order, |place| {
            core::cmp::Reverse(scores.totals.get(*place).copied())
        });
        for place in order.into_iter().take(MOST_SCORES) {
            let at = |list: &[i64]| list.get(place).copied().unwrap_or(0);
            let parts: Vec<String> = scores
                .columns
                .iter()
                .map(|column| {
                    let args = [
                        ("plugin", Arg::from(column.plugin.0)),
                        ("weight", Arg::Number(column.weight)),
                        ("normalized", Arg::Number(at(&column.normalized))),
                        ("raw", Arg::Number(at(&column.raw))),
                    ];
                    stage.text(Key::XScorePart, &args)
                })
                .collect();
            let node = scores.nodes.get(place).map_or("", |node| &**node);
            let args = [
                ("node", Arg::from(stage.node_name(node))),
                ("total", signed(at(scores.totals)).into()),
                ("parts", parts.join(", ").into()),
            ];
            items.push(stage.text(Key::XScore, &args));
        }
        let more = scores.nodes.len().saturating_sub(MOST_SCORES);
        if more > 0 {
            items.push(stage.text(Key::MoreInGroup, &[("n", number(more))]));
        }
    }
    let node = Arg::from(stage.node_name(&choice.node));
    items.push(stage.text(Key::XChosen, &[("node", node)]));
    Some(section(stage, Key::XScores, items))
}

fn preemption(stage: &Stage<'_>) -> Option<TwinSection> {
    let found = stage.attempt.as_ref()?.preemption?;
    let mut items: Vec<String> = found
        .dry_runs
        .iter()
        .take(MOST_SCORES)
        .map(|run| dry_run(stage, run))
        .collect();
    for criterion in found.criteria {
        let values: Vec<String> = criterion
            .values
            .iter()
            .map(|(node, value)| {
                let value = shown(criterion, *value);
                [stage.node_name(node), " ", &value].concat()
            })
            .collect();
        let name = alloc::format!("{:?}", criterion.kind);
        let args = [
            ("criterion", Arg::from(name)),
            ("values", values.join(", ").into()),
        ];
        items.push(stage.text(Key::XCriterion, &args));
    }
    if let Some(node) = found.chosen {
        let node = Arg::from(stage.node_name(node));
        items.push(stage.text(Key::XChosen, &[("node", node)]));
    }
    Some(section(stage, Key::XPreemption, items))
}

fn dry_run(stage: &Stage<'_>, run: &DryRun) -> String {
    if run.victims.is_empty() {
        let node = Arg::from(stage.node_name(&run.node));
        return stage.text(Key::XDryRunNo, &[("node", node)]);
    }
    read_out(stage, run)
}

/// The nodes with what is on them; by zone where there are many.
fn nodes(stage: &Stage<'_>) -> TwinSection {
    let items: Vec<String> = if stage.is_folded() {
        let mut zones: SortedMap<&str, (usize, usize)> = SortedMap::new();
        for row in &stage.sift.rows {
            let pods = stage.by_node.get(&row.node.name).map_or(0, Vec::len);
            let (nodes, all) = zones.entry(&row.node.zone).or_default();
            *nodes += 1;
            *all += pods;
        }
        let said = zones.into_iter().map(|(zone, (nodes, pods))| {
            let name = if zone.is_empty() {
                stage.label(Key::NoZone)
            } else {
                zone.to_string()
            };
            let args = [
                ("node", Arg::from(name)),
                (
                    "room",
                    stage.text(Key::ZoneNodes, &[("n", number(nodes))]).into(),
                ),
                (
                    "pods",
                    stage.text(Key::HPods, &[("n", number(pods))]).into(),
                ),
            ];
            stage.text(Key::XNode, &args)
        });
        said.collect()
    } else {
        let rows = stage.sift.rows.iter();
        rows.map(|row| node(stage, row)).collect()
    };
    section(stage, Key::XNodes, items)
}

/// A node with its room and its pods.
fn node(stage: &Stage<'_>, row: &Row) -> String {
    let pods = stage.by_node.get(&row.node.name);
    let pods = pods.map_or(&[][..], Vec::as_slice);
    let names: Vec<String> = pods.iter().map(|pod| pod.facts.short_name()).collect();
    let names = if names.is_empty() {
        stage.label(Key::XNone)
    } else {
        names.join(", ")
    };
    let args = [
        ("node", Arg::from(stage.node_name(&row.node.name))),
        ("room", room(stage, &row.node, Key::NodeRoom).into()),
        ("pods", names.into()),
    ];
    stage.text(Key::XNode, &args)
}

/// The group that was opened: its nodes, nearest miss first, as far as they are shown.
#[inline(never)]
fn opened(stage: &Stage<'_>) -> Option<TwinSection> {
    if !stage.is_folded() || stage.is_dense() {
        return None;
    }
    let groups = groups(stage);
    let (place, shown) = opened_among(&groups, stage)?;
    let group = groups.get(place)?;
    let rows = group.rows.iter().take(shown);
    let mut items: Vec<String> = rows
        .map(|row| {
            let (node, reason) = (node(stage, row), stage.voice.detail(row));
            if reason.is_empty() {
                return node;
            }
            let args = [("node", Arg::from(node)), ("reason", reason.into())];
            stage.text(Key::XRejected, &args)
        })
        .collect();
    if group.rows.len() > shown {
        let n = number(group.rows.len() - shown);
        items.push(stage.text(Key::MoreInGroup, &[("n", n)]));
    }
    Some(TwinSection {
        heading: group.title.clone(),
        items,
    })
}

/// Up to this many scores and dry runs are read out.
const MOST_SCORES: usize = 12;
