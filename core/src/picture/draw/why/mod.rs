//! Why a pod waits: every node by every rule. A cell opens below its row to the chain from the pod's field through the
//! rule to the verdict.
//!
//! | File | Answers |
//! |---|---|
//! | `heads` | the names of the rules, and what the signs mean |
//! | `row` | what each rule said of a node |
//! | `cell` | an opened cell |

mod cell;
mod heads;
pub(in crate::picture) mod row;

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::picture::px::{Px, Rect, px};
use crate::picture::scene::{Form, Panel};
use crate::picture::sentences::{Arg, Key};
use crate::picture::verdicts::{GateKind, Row};

use super::groups::groups;
use super::stage::{Opened, Stage};

use cell::{chain_rows, opened_cell};
use heads::{gate_lines, gate_names, head, legend};
use row::line_parts;

/// What the matrix is drawn from: lines of nodes, each with its verdicts.
struct Line<'a> {
    /// The node's name, or how many nodes.
    name: String,
    /// The node, or one of a group.
    row: &'a Row,
    /// The node, or all of a group.
    rows: Vec<&'a Row>,
    /// The zone, at its first line.
    zone: Option<String>,
    /// Where it stands.
    y: Px,
    /// Its id.
    id: String,
    /// Whether it stands for several nodes.
    is_group: bool,
}

/// Where the columns of the matrix stand.
struct Layout {
    form: Form,
    names: Px,
    chip: Px,
    gates: Vec<Px>,
    reasons: Px,
    right: Px,
    /// From one row to the next.
    pitch: Px,
}

/// Draws the matrix into a frame of this width; rows stand closer where that lets the meaning of the signs be seen, too.
pub(in crate::picture) fn why(stage: &Stage<'_>, frame: Rect) -> Panel {
    let mut panel = Panel::at(frame);
    let mut layout = layout(stage, frame.w);
    panel.parts.extend(head(stage, &layout));
    let head_to = if layout.form == Form::Phone {
        px(92)
    } else {
        HEAD
    };
    let first = head_to + px(128);
    let mut y = first;
    let (mut rows, mut opened) = lines(stage, &layout, &mut y);
    let over = y + LEGEND + px(12) - frame.h;
    if layout.form != Form::Phone && over > Px::ZERO {
        let count = i32::try_from(rows.len()).unwrap_or(1).max(1);
        let less = px((over.0 + 10 * count - 1) / (10 * count));
        layout.pitch = (layout.pitch - less).max(px(22));
        y = first;
        (rows, opened) = lines(stage, &layout, &mut y);
    }
    let lines = rows;
    panel
        .parts
        .extend(gate_names(stage, &layout, head_to + px(106)));
    panel.parts.extend(gate_lines(stage, &layout, &lines));
    for line in &lines {
        panel.parts.extend(line_parts(stage, &layout, line));
    }
    if let Some((line, top)) = opened.and_then(|(place, top)| Some((lines.get(place)?, top))) {
        panel.parts.extend(opened_cell(stage, &layout, line, top));
    }
    panel.parts.push(legend(stage, &layout, &lines, y + px(8)));
    panel.frame.h = y + LEGEND;
    panel
}

fn layout(stage: &Stage<'_>, width: Px) -> Layout {
    let is_phone = stage.form == Form::Phone;
    let margin = if is_phone { px(16) } else { px(40) };
    let right = width - margin;
    let names = if is_phone { margin } else { margin + px(84) };
    let chip = names + px(102);
    let gates_from = if is_phone {
        names + px(110)
    } else {
        chip + px(64)
    };
    let reasons = if is_phone { right } else { right - px(164) };
    let gates_to = if is_phone {
        right - px(10)
    } else {
        reasons - px(28)
    };
    Layout {
        form: stage.form,
        names,
        chip,
        gates: places(stage, gates_from, gates_to),
        reasons,
        right,
        pitch: px(28),
    }
}

/// Places of the gates: those that ran get more room.
fn places(stage: &Stage<'_>, from: Px, to: Px) -> Vec<Px> {
    let weight = |kind: GateKind| {
        if kind == GateKind::Skipped {
            24_i64
        } else {
            62
        }
    };
    let gates = &stage.whole.gates;
    let mut at = 0_i64;
    let mut before = None;
    let mut offsets = Vec::new();
    for gate in gates {
        let own = weight(gate.kind);
        at += before.map_or(0, |before: i64| (before + own) / 2);
        before = Some(own);
        offsets.push(at);
    }
    let total = at.max(1);
    let most = px(i32::try_from(total).unwrap_or(i32::MAX).min(3000));
    let span = (to - from).min(most);
    offsets
        .into_iter()
        .map(|offset| from + span.share(offset, total))
        .collect()
}

/// The lines from top to bottom, and which one is opened with where its chain begins.
fn lines<'a>(
    stage: &'a Stage<'_>,
    layout: &Layout,
    y: &mut Px,
) -> (Vec<Line<'a>>, Option<(usize, Px)>) {
    let mut lines: Vec<Line<'_>> = Vec::new();
    let mut opened = None;
    let is_phone = layout.form == Form::Phone;
    let mut push = |line: Line<'a>, y: &mut Px, lines: &mut Vec<Line<'a>>| {
        let is_open = is_opened(stage, &line);
        lines.push(line);
        *y += layout.pitch;
        if is_open && opened.is_none() {
            let rows = chain_rows(stage, lines.last(), layout).len();
            if is_phone {
                opened = Some((lines.len() - 1, Px::ZERO));
            } else {
                opened = Some((lines.len() - 1, *y - px(8)));
                *y += px(22).each(rows) + px(26);
            }
        }
    };
    if stage.is_folded() {
        for group in groups(stage) {
            let Some(row) = group.rows.first() else {
                continue;
            };
            let line = Line {
                name: if group.rows.len() == 1 {
                    stage.node_name(&row.node.name).to_string()
                } else {
                    let n = Arg::Number(i64::try_from(group.rows.len()).unwrap_or(0));
                    stage.text(Key::ZoneNodes, &[("n", n)])
                },
                row,
                rows: group.rows.clone(),
                zone: None,
                y: *y,
                id: group.id.clone(),
                is_group: group.rows.len() > 1,
            };
            push(line, y, &mut lines);
        }
    } else {
        let mut zone: Option<&str> = None;
        for row in &stage.sift.rows {
            let is_new = zone != Some(row.node.zone.as_str());
            if is_new && zone.is_some() {
                *y += px(10);
            }
            zone = Some(&row.node.zone);
            let line = Line {
                name: stage.node_name(&row.node.name).to_string(),
                row,
                rows: alloc::vec![row],
                zone: is_new.then(|| row.node.zone.clone()),
                y: *y,
                id: row.node.name.to_string(),
                is_group: false,
            };
            push(line, y, &mut lines);
        }
    }
    if let (true, Some((place, _))) = (is_phone, opened) {
        let rows = chain_rows(stage, lines.get(place), layout).len();
        opened = Some((place, *y));
        *y += px(18).each(rows) + px(40);
    }
    (lines, opened)
}

fn is_opened(stage: &Stage<'_>, line: &Line<'_>) -> bool {
    match &stage.shot.open {
        Some(Opened::Cell { node, .. }) => {
            *node == line.id || line.rows.iter().any(|row| *node == *row.node.name)
        }
        _ => false,
    }
}

/// The cell that tells most: the first node that the last cutting gate rejected.
pub(in crate::picture) fn telling_cell(stage: &Stage<'_>) -> Option<Opened> {
    let (gate, info) = stage.sift.cuts().last()?;
    let row = stage.sift.rejected_at(gate).next()?;
    Some(Opened::Cell {
        node: row.node.name.to_string(),
        plugin: info.name.clone(),
    })
}

/// What the signs mean takes so much below the rows.
const LEGEND: Px = px(28);
/// From the top of the panel to the first name.
const HEAD: Px = px(28);
