//! Preemption: a second try on paper. On each candidate every pod of lower priority is lifted out and put back if it can
//! be; who cannot is a victim. Then criteria are applied, one after another, until one candidate is left.
//!
//! | File | Answers |
//! |---|---|
//! | `columns` | where the columns stand, what they are called, and how many are left in each |
//! | `first_try` | why no node took the pod as it is |
//! | `paper` | who is lifted out on a node, and who is put back |
//! | `criteria` | on which node that costs least |
//! | `promise` | the nodes as they are, and what is promised of the chosen one |

mod columns;
mod criteria;
mod first_try;
mod paper;
mod promise;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::framework::trace::DryRun;
use crate::order;
use crate::picture::px::{Point, Px, Rect, px};
use crate::picture::scene::{Form, Panel};
use crate::picture::sentences::Key;
use crate::picture::timeline::{Phase, Preemption};

use super::stage::Stage;
use super::story::Figure;
use super::turn::{TURN, links, turn};
use super::waiting::waiting;

use columns::{Columns, counts, headings};
use criteria::{criteria, criteria_lines, criterion_name, value_of};
use first_try::first_try;
use paper::on_paper;
use promise::{berth_of, more};

pub(in crate::picture) use criteria::shown;
pub(in crate::picture) use paper::read_out;

/// Whether the figure shows preemption: a node was found, and the attempt has come that far.
pub(in crate::picture) fn is_shown(stage: &Stage<'_>) -> bool {
    stage.form != Form::Phone && found(stage).is_some()
}

/// What preemption found, if it found a node and the attempt has come that far.
fn found<'a>(stage: &'a Stage<'_>) -> Option<Preemption<'a>> {
    let attempt = stage.attempt.as_ref()?;
    let found = attempt.preemption?;
    (attempt.phase >= Phase::Preempting && found.chosen.is_some()).then_some(found)
}

/// What the second try said of a node, in a few words: who must go, or why the node is dearer; where there is no room for
/// the try itself. The second is whether the node was chosen.
pub(in crate::picture) fn verdict_on(stage: &Stage<'_>, node: &str) -> Option<(String, bool)> {
    let found = found(stage)?;
    let run = found.dry_runs.iter().find(|run| *run.node == *node)?;
    if found.chosen == Some(&run.node) {
        let names: Vec<&str> = run.victims.iter().map(|pod| &*pod.name).collect();
        let args = [("names", first_of(&names).into())];
        return Some((stage.text(Key::PMustGo, &args), true));
    }
    if !is_candidate(run) {
        let key = if run.lower.is_empty() {
            Key::PNobodyLower
        } else {
            Key::PNotHelped
        };
        return Some((stage.label(key), false));
    }
    let dropped = found.criteria.iter().find(|criterion| {
        value_of(criterion, node).is_some() && !criterion.kept.iter().any(|kept| **kept == *node)
    })?;
    let value = shown(dropped, value_of(dropped, node)?);
    let name = stage.label(criterion_name(dropped.kind));
    let args = [("criterion", name.into()), ("value", value.into())];
    Some((stage.text(Key::PDearer, &args), false))
}

/// One node of the figure.
struct Node<'a> {
    run: &'a DryRun,
    y: Px,
    is_chosen: bool,
}

/// Draws the figure into a frame.
pub(in crate::picture) fn preempt(stage: &Stage<'_>, frame: Rect) -> Figure {
    let mut panel = Panel::at(frame);
    let Some(found) = found(stage) else {
        return Figure {
            panel,
            flight: None,
        };
    };
    let columns = Columns::new(stage, frame.w);
    let nodes = nodes(stage, &found, frame.h);
    let middle = match (nodes.first(), nodes.last()) {
        (Some(first), Some(last)) => first.y + (last.y - first.y).half(),
        _ => px(300),
    };
    let bottom = nodes.last().map_or(px(300), |node| node.y + px(112));
    panel.frame.h = frame.h.max(bottom + px(30));
    panel.parts.extend(headings(stage, &columns));
    let column = columns
        .waiting
        .map(|(from, to)| waiting(stage, from, to, panel.frame.h));
    let anchors = column.as_ref().map(|column| column.anchors.clone());
    panel
        .parts
        .extend(column.map(|column| column.parts).unwrap_or_default());
    panel.parts.extend(counts(stage, &columns, &found, bottom));
    panel
        .parts
        .extend(criteria_lines(stage, &columns, &found, &nodes));
    let start = Point::new(columns.turn + px(4) + TURN.0, middle);
    for node in &nodes {
        panel.parts.extend(first_try(stage, &columns, node, start));
        panel.parts.extend(on_paper(stage, &columns, node));
        panel.parts.extend(criteria(stage, &columns, &found, node));
        panel.parts.extend(berth_of(stage, &columns, node));
    }
    let left_out = found.dry_runs.len() - nodes.len();
    panel.parts.extend(more(stage, &columns, left_out, bottom));
    let x = columns.turn + px(4);
    panel.parts.extend(turn(stage, x, middle, px(112)));
    if let Some((_, to)) = columns.waiting {
        let anchors = anchors.unwrap_or_default();
        panel
            .parts
            .extend(links(stage, &anchors, to, Point::new(x, middle)));
    }
    Figure {
        panel,
        flight: None,
    }
}

/// The nodes that have a row: the chosen one and the first others, as many as fit.
fn nodes<'a>(stage: &Stage<'_>, found: &Preemption<'a>, height: Px) -> Vec<Node<'a>> {
    let is_chosen = |run: &DryRun| found.chosen == Some(&run.node);
    let mut runs: Vec<&DryRun> = found.dry_runs.iter().filter(|run| is_chosen(run)).collect();
    let candidates = |run: &&DryRun| !is_chosen(run) && is_candidate(run);
    runs.extend(found.dry_runs.iter().filter(candidates));
    runs.extend(
        found
            .dry_runs
            .iter()
            .filter(|run| !is_chosen(run) && !is_candidate(run)),
    );
    runs.truncate(MOST_ROWS);
    let order = |run: &DryRun| {
        stage
            .sift
            .rows
            .iter()
            .position(|row| row.node.name == run.node)
    };
    order::sort_by_key(&mut runs, |run| order(run));
    let pitch = (height - px(250) - PROMISE)
        .over(i32::try_from(runs.len().max(2) - 1).unwrap_or(1))
        .min(px(126))
        .max(px(104));
    let mut y = px(178);
    let mut nodes = Vec::new();
    for run in runs {
        let is_chosen = is_chosen(run);
        nodes.push(Node { run, y, is_chosen });
        y += if is_chosen { pitch + PROMISE } else { pitch };
    }
    nodes
}

fn is_candidate(run: &DryRun) -> bool {
    run.rejected.is_none() && !run.victims.is_empty()
}

/// The first name, and how many more there are.
fn first_of(names: &[&str]) -> String {
    match names {
        [one] => (*one).to_string(),
        [first, rest @ ..] => format!("{first} +{}", rest.len()),
        [] => String::new(),
    }
}

/// The chosen node and this many others have rows.
const MOST_ROWS: usize = 4;
/// The promise below the chosen node's berth takes so much more.
const PROMISE: Px = px(26);
