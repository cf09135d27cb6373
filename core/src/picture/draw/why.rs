//! Why a pod waits: every node by every rule. A cell opens below its row to the chain from the pod's field through the
//! rule to the verdict.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::explain::text::Lang as Explained;
use crate::explain::{Cell, Link, Saw, chain};
use crate::framework::status::Status;
use crate::picture::measure;
use crate::picture::palette::{Hatched, Token};
use crate::picture::px::{Point, Px, Rect, px};
use crate::picture::scene::{Action, Form, Lang, Mark, Panel, Part, Role, Segment, TextStyle};
use crate::picture::sentences::{Arg, Key, gate_link, node_link};
use crate::picture::verdicts::{GateKind, Row, Verdict};

use super::brush::{cross, fitted, level, upright, words};
use super::groups::groups;
use super::pod::{block, chip_width};
use super::stage::{Opened, Stage};

/// What the matrix is drawn from: lines of nodes, each with its verdicts.
struct Line<'a> {
    /// The node's name, or how many nodes.
    name: String,
    /// The node, or one of a group.
    row: &'a Row,
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
}

/// Draws the matrix into a frame of this width.
pub(in crate::picture) fn why(stage: &Stage<'_>, frame: Rect) -> Panel {
    let mut panel = Panel::at(frame);
    let layout = layout(stage, frame.w);
    panel.parts.extend(head(stage, &layout));
    let head_to = if layout.form == Form::Phone {
        px(82)
    } else {
        HEAD
    };
    let mut y = head_to + px(128);
    let (lines, opened) = lines(stage, &layout, &mut y);
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
    panel.parts.push(legend(stage, &layout, y + px(12)));
    panel.frame.h = y + px(36);
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

fn head(stage: &Stage<'_>, layout: &Layout) -> Vec<Part> {
    let x = if layout.form == Form::Phone {
        px(16)
    } else {
        px(40)
    };
    let title = stage.label(Key::EveryNodeEveryRule);
    let style = TextStyle::serif(17).bold();
    let mut part = Part::new("head/matrix", Role::Heading)
        .labelled(title.clone())
        .with(words(x, px(30), title.as_str(), style, Token::Ink));
    let says = if stage.shot.truth.is_some() {
        stage.label(Key::WHatched)
    } else {
        stage.label(Key::WSchedulerSaw)
    };
    let after = x + measure::width(&title, &style) + px(16);
    let small = TextStyle::sans(12);
    if layout.form == Form::Phone {
        for (place, line) in measure::wrapped(&says, &small, layout.right - x)
            .into_iter()
            .take(2)
            .enumerate()
        {
            part.add(words(
                x,
                px(50) + px(16).each(place),
                line,
                small,
                Token::Soft,
            ));
        }
    } else {
        part.add(fitted(
            after,
            px(30),
            &says,
            small,
            layout.right - after,
            Token::Soft,
        ));
    }
    alloc::vec![part]
}

/// The names of the rules, turned: bold where they cut, soft where they had nothing to check.
fn gate_names(stage: &Stage<'_>, layout: &Layout, y: Px) -> Vec<Part> {
    let turn = if layout.form == Form::Phone { -76 } else { -48 };
    let mut parts = Vec::new();
    for (place, gate) in stage.whole.gates.iter().enumerate() {
        let Some(x) = layout.gates.get(place).copied() else {
            continue;
        };
        if layout.form == Form::Phone && gate.kind == GateKind::Skipped {
            continue;
        }
        let style = TextStyle::sans(12).turned(turn).bold_if(gate.cut > 0);
        let token = if gate.kind == GateKind::Skipped {
            Token::Soft
        } else {
            Token::Ink
        };
        let name = measure::shortened(&gate.name, &style, px(118));
        parts.push(
            Part::new(format!("gate/{}", gate.name), Role::Gate)
                .link(gate_link(&gate.name))
                .stepped(place)
                .labelled(super::gates::gate_says(stage, gate))
                .with(words(x - px(1), y, name, style, token)),
        );
    }
    if layout.form == Form::Phone {
        parts.extend(skipped_runs(stage, layout, y));
    }
    parts
}

/// On a phone, runs of rules that had nothing to check share one name: `5 skipped`.
fn skipped_runs(stage: &Stage<'_>, layout: &Layout, y: Px) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut run: Vec<Px> = Vec::new();
    let mut flush = |run: &mut Vec<Px>| {
        if let (Some(first), Some(last)) = (run.first(), run.last()) {
            let n = Arg::Number(i64::try_from(run.len()).unwrap_or(0));
            let says = stage.text(Key::WSkippedCount, &[("n", n)]);
            let middle = *first + (*last - *first).half();
            let style = TextStyle::sans(12).turned(-76);
            parts.push(
                Part::new(format!("gate/skipped/{}", first.0), Role::Note)
                    .with(words(middle, y, says, style, Token::Soft))
                    .with(
                        level(*first - px(4), *last + px(4), y + px(6)).edged(Token::Soft, px(1)),
                    ),
            );
        }
        run.clear();
    };
    for (gate, x) in stage.whole.gates.iter().zip(&layout.gates) {
        if gate.kind == GateKind::Skipped {
            run.push(*x);
        } else {
            flush(&mut run);
        }
    }
    flush(&mut run);
    parts
}

fn gate_lines(stage: &Stage<'_>, layout: &Layout, lines: &[Line<'_>]) -> Vec<Part> {
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else {
        return Vec::new();
    };
    let mut part = Part::new("gates/lines", Role::Note);
    for (gate, x) in stage.whole.gates.iter().zip(&layout.gates) {
        if gate.cut > 0 {
            let line = upright(*x, first.y - px(20), last.y + px(16));
            part.add(line.edged(Token::Unsched, px(1)).faded(25));
        }
    }
    alloc::vec![part]
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
        *y += px(28);
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
        Some(Opened::Cell { node, .. }) => *node == *line.row.node.name || *node == line.id,
        _ => false,
    }
}

/// The parts of a line: ground, name, thread, states, reason.
fn line_parts(stage: &Stage<'_>, layout: &Layout, line: &Line<'_>) -> Vec<Part> {
    let y = line.y;
    let is_open = is_opened(stage, line);
    let is_chosen = stage.chosen() == Some(&line.row.node.name);
    let link = node_link(&line.row.node.name);
    let mut part = Part::new(format!("row/{}", line.id), Role::Berth)
        .link(link.clone())
        .labelled(format!("{} {}", line.name, stage.voice.detail(line.row)));
    if let Some(gate) = line.row.verdict.gate() {
        let name = stage
            .sift
            .gates
            .get(gate)
            .map_or("", |gate| gate.name.as_str());
        part.links.push(gate_link(name));
    }
    if is_open {
        let left = layout.names - px(12);
        let ground = Rect::new(left, y - px(14), layout.right - left, px(28));
        part.add(Mark::rect(ground, px(6)).filled(Token::RejectWash));
    }
    let style = TextStyle::mono(12).bold_if(is_open || is_chosen);
    let room = if layout.form == Form::Phone {
        px(100)
    } else {
        px(98)
    };
    let name = measure::shortened(&line.name, &style, room);
    if let (Some(zone), true) = (&line.zone, layout.form != Form::Phone) {
        part.add(fitted(
            px(40),
            y + px(4),
            zone,
            TextStyle::sans(12),
            px(78),
            Token::Soft,
        ));
    }
    part.add(words(layout.names, y + px(4), name, style, Token::Ink));
    part.add(thread(stage, layout, line));
    if let (Some(facts), true) = (stage.subject_facts(), layout.form != Form::Phone) {
        let badge = stage.badge(&facts);
        let at = Rect::new(layout.chip, y - px(8), chip_width(&badge) - px(3), px(16));
        part.marks.extend(block(&badge, at));
    }
    let mut parts = alloc::vec![part];
    parts.extend(state_parts(stage, layout, line));
    if layout.form != Form::Phone {
        parts.extend(reason_part(stage, layout, line, is_open));
    }
    parts
}

fn thread(stage: &Stage<'_>, layout: &Layout, line: &Line<'_>) -> Mark {
    let end = match &line.row.verdict {
        Verdict::Rejected { gate, .. } => {
            layout.gates.get(*gate).map_or(layout.chip, |x| *x - px(9))
        }
        Verdict::Passed => layout.gates.last().copied().unwrap_or(layout.chip) + px(14),
        Verdict::NotAsked => layout.chip,
    };
    let from = if layout.form == Form::Phone {
        layout.names + px(100)
    } else {
        layout.chip
    };
    let token = if stage.chosen() == Some(&line.row.node.name) {
        Token::Bound
    } else {
        Token::Soft
    };
    level(from, end.max(from), line.y)
        .edged(token, Px(15))
        .faded(35)
}

/// A cell for each rule: passed, rejected, skipped, not run, and hatched what was asked in addition.
fn state_parts(stage: &Stage<'_>, layout: &Layout, line: &Line<'_>) -> Vec<Part> {
    let mut parts = Vec::new();
    for (place, gate) in stage.sift.gates.iter().enumerate() {
        let Some(x) = layout.gates.get(place).copied() else {
            continue;
        };
        let at = Point::new(x, line.y);
        let mut part = Part::new(format!("cell/{}/{}", line.id, gate.name), Role::Verdict)
            .link(gate_link(&gate.name))
            .link(node_link(&line.row.node.name))
            .stepped(place)
            .labelled(cell_says(stage, line.row, place))
            .does(Action::OpenCell {
                node: line.row.node.name.to_string(),
                plugin: gate.name.clone(),
            });
        let ground = if is_opened(stage, line) {
            Token::RejectWash
        } else {
            Token::Paper
        };
        part.marks
            .extend(cell_marks(stage, line.row, place, at, ground));
        if is_opened_at(stage, line, &gate.name) {
            let frame = Rect::around(at, px(28), px(28));
            part.add(Mark::rect(frame, px(6)).edged(Token::Ink, px(2)));
        }
        parts.push(part);
    }
    parts
}

fn is_opened_at(stage: &Stage<'_>, line: &Line<'_>, plugin: &str) -> bool {
    is_opened(stage, line)
        && matches!(&stage.shot.open, Some(Opened::Cell { plugin: open, .. }) if open == plugin)
}

fn cell_marks(stage: &Stage<'_>, row: &Row, gate: usize, at: Point, ground: Token) -> Vec<Mark> {
    let Some(info) = stage.sift.gates.get(gate) else {
        return Vec::new();
    };
    if let Some(status) = truth(stage, row, gate) {
        return if status.is_success() {
            alloc::vec![
                Mark::circle(at, Px(48))
                    .filled(Token::Paper)
                    .edged(Token::Bound, Px(14)),
                Mark::circle(at, Px(48))
                    .filled(Token::Hatch(Hatched::Bound))
                    .edged(Token::Bound, Px(14)),
            ]
        } else {
            let square = Rect::around(at, px(12), px(12));
            alloc::vec![
                Mark::rect(square, px(3)).filled(Token::Paper),
                Mark::rect(square, px(3))
                    .filled(Token::Hatch(Hatched::Unsched))
                    .edged(Token::Unsched, Px(14)),
            ]
        };
    }
    if row.verdict.gate() == Some(gate) {
        return cross(at, px(14), Token::Unsched, Token::Sheet).into();
    }
    super::everything::state_marks(row, gate, info.kind, at, ground)
}

/// What a rule that was not run says of a node, if it was asked in addition.
fn truth<'a>(stage: &'a Stage<'_>, row: &Row, gate: usize) -> Option<&'a Status> {
    let truth = stage.shot.truth.as_ref()?;
    let info = stage.sift.gates.get(gate)?;
    let was_run = match row.verdict.gate() {
        Some(by) => gate <= by,
        None => row.verdict == Verdict::Passed,
    };
    if was_run || info.kind == GateKind::Skipped {
        return None;
    }
    let plugin = truth.plugins.iter().find(|plugin| plugin.0 == info.name)?;
    truth.status(&row.node.name, *plugin)
}

fn cell_says(stage: &Stage<'_>, row: &Row, gate: usize) -> String {
    let Some(info) = stage.sift.gates.get(gate) else {
        return String::new();
    };
    let plugin = Arg::from(info.name.as_str());
    if let Some(status) = truth(stage, row, gate) {
        let key = if status.is_success() {
            Key::WWouldPass
        } else {
            Key::WWouldReject
        };
        return format!("{}: {}", info.name, stage.label(key));
    }
    match row.verdict.gate() {
        _ if info.kind == GateKind::Skipped => stage.text(Key::VSkipped, &[("plugin", plugin)]),
        Some(by) if by == gate => format!("{}: {}", info.name, stage.voice.detail(row)),
        Some(by) if by < gate => {
            let by = stage
                .sift
                .gates
                .get(by)
                .map_or("", |gate| gate.name.as_str());
            stage.text(Key::VNotRun, &[("plugin", plugin), ("by", by.into())])
        }
        None if row.verdict == Verdict::NotAsked => stage.label(Key::WNotRun),
        _ => stage.text(Key::VPasses, &[("plugin", plugin)]),
    }
}

/// The reason at the right, with the neighbour's chip if it is about one.
fn reason_part(stage: &Stage<'_>, layout: &Layout, line: &Line<'_>, is_open: bool) -> Option<Part> {
    let gate = line.row.verdict.gate();
    let mut part =
        Part::new(format!("reason/{}", line.id), Role::Reason).link(node_link(&line.row.node.name));
    let y = line.y + px(4);
    let mut x = layout.reasons;
    let style = TextStyle::sans(12).bold_if(is_open);
    let token = if is_open { Token::Ink } else { Token::Soft };
    let Some(gate) = gate else {
        let says = match (&line.row.verdict, stage.chosen()) {
            (Verdict::Passed, Some(chosen)) if *chosen == line.row.node.name => {
                stage.label(Key::WChosen)
            }
            (Verdict::Passed, _) => stage.label(Key::WFits),
            _ => stage.label(Key::WNotRun),
        };
        part.add(fitted(x, y, &says, style, layout.right - x, token));
        return Some(part);
    };
    let name = stage
        .sift
        .gates
        .get(gate)
        .map_or("", |gate| gate.name.as_str());
    part.links.push(gate_link(name));
    let says = match (&line.row.neighbour, line.is_group) {
        (Some(pod), false) => {
            let badge = stage.badge(&pod.facts);
            let w = chip_width(&badge) - px(5);
            part.marks
                .extend(block(&badge, Rect::new(x, line.y - px(8), w, px(16))));
            x += w + px(6);
            let name = format!("…-{}", pod.facts.last_name());
            stage.text(Key::LNeighbour, &[("name", name.into())])
        }
        _ => stage.voice.label(line.row),
    };
    part.add(fitted(x, y, &says, style, layout.right - x, token));
    Some(part)
}

/// A row of an opened chain: what it is, the name, what it says, and whether it is the verdict.
struct ChainRow {
    head: String,
    name: String,
    says: String,
    is_verdict: bool,
}

/// The chain of an opened cell.
fn chain_rows(stage: &Stage<'_>, line: Option<&Line<'_>>, layout: &Layout) -> Vec<ChainRow> {
    let (Some(line), Some(Opened::Cell { plugin, .. })) = (line, &stage.shot.open) else {
        return Vec::new();
    };
    let Some(gate) = stage
        .sift
        .gates
        .iter()
        .position(|gate| gate.name == *plugin)
    else {
        return Vec::new();
    };
    let mut rows = chain_of(stage, line.row, gate);
    if layout.form == Form::Phone {
        rows = wrapped_rows(rows, layout);
    }
    rows
}

fn wrapped_rows(rows: Vec<ChainRow>, layout: &Layout) -> Vec<ChainRow> {
    let style = TextStyle::mono(12);
    let width = layout.right - px(16) - px(12) - px(76) - px(12);
    let mut wrapped = Vec::new();
    for row in rows {
        let text = if row.name.is_empty() {
            row.says
        } else {
            format!("{}: {}", row.name, row.says)
        };
        for (place, piece) in broken(&text, &style, width).into_iter().enumerate() {
            wrapped.push(ChainRow {
                head: if place == 0 {
                    row.head.clone()
                } else {
                    String::new()
                },
                name: String::new(),
                says: piece,
                is_verdict: row.is_verdict,
            });
        }
    }
    wrapped
}

/// Lines of a text, broken within words that are too long.
fn broken(text: &str, style: &TextStyle, width: Px) -> Vec<String> {
    let mut lines = Vec::new();
    for line in measure::wrapped(text, style, width) {
        let mut rest = line.as_str();
        while measure::width(rest, style) > width {
            let fits = rest
                .char_indices()
                .map(|(at, _)| at)
                .take_while(|at| {
                    measure::width(rest.get(..*at).unwrap_or_default(), style) <= width
                })
                .last()
                .unwrap_or(0);
            if fits == 0 {
                break;
            }
            let (head, tail) = rest.split_at(fits);
            lines.push(String::from(head));
            rest = tail;
        }
        lines.push(String::from(rest));
    }
    lines
}

/// From the pod's field through the rule to the verdict.
fn chain_of(stage: &Stage<'_>, row: &Row, gate: usize) -> Vec<ChainRow> {
    let Some(info) = stage.sift.gates.get(gate) else {
        return Vec::new();
    };
    let status = match &row.verdict {
        Verdict::Rejected { gate: by, status } if *by == gate => Some(status),
        _ => truth(stage, row, gate).filter(|status| !status.is_success()),
    };
    let verdict = |says: String| ChainRow {
        head: stage.label(Key::WVerdict),
        name: String::new(),
        says,
        is_verdict: true,
    };
    let Some(status) = status else {
        return alloc::vec![verdict(cell_says(stage, row, gate))];
    };
    let links = links_of(stage, row, status);
    let explained = match stage.shot.lang {
        Lang::En => Explained::En,
        Lang::Zh => Explained::Zh,
    };
    let subject = stage.subject_facts();
    let mut rows = Vec::new();
    for link in &links {
        let name = subject
            .as_ref()
            .map_or_else(String::new, |facts| facts.short_name());
        let of_pod = link.pod.iter().map(|fact| explained.fact(fact));
        rows.extend(fact_rows(&stage.label(Key::WPod), &name, of_pod));
        let node = stage.node_name(&row.node.name);
        let of_node = link.node.iter().map(|fact| explained.fact(fact));
        rows.extend(fact_rows(&stage.label(Key::WNode), node, of_node));
        rows.extend(neighbour_row(stage, row));
        rows.push(ChainRow {
            head: stage.label(Key::WRule),
            name: String::new(),
            says: explained.link(link),
            is_verdict: false,
        });
    }
    let args = [
        ("plugin", Arg::from(info.name.as_str())),
        ("text", status.message().into()),
    ];
    rows.push(verdict(stage.text(Key::VRejects, &args)));
    rows
}

/// Facts about one thing, which the first of them names.
fn fact_rows(
    head: &str,
    name: &str,
    facts: impl Iterator<Item = String>,
) -> impl Iterator<Item = ChainRow> {
    facts.enumerate().map(move |(place, says)| ChainRow {
        head: if place == 0 { head } else { "" }.to_string(),
        name: if place == 0 { name } else { "" }.to_string(),
        says,
        is_verdict: false,
    })
}

fn neighbour_row(stage: &Stage<'_>, row: &Row) -> Option<ChainRow> {
    let pod = row.neighbour.as_ref()?;
    let labels = pod.facts.pod().metadata.labels.iter();
    let labels: Vec<String> = labels
        .filter(|(key, _)| *key != "pod-template-hash")
        .map(|(key, value)| format!("{key}={value}"))
        .take(3)
        .collect();
    Some(ChainRow {
        head: stage.label(Key::WPodsThere),
        name: pod.facts.short_name(),
        says: format!("{} ({})", labels.join(", "), pod.reference().namespace),
        is_verdict: false,
    })
}

/// The links of one status, with the fields beside them.
fn links_of(stage: &Stage<'_>, row: &Row, status: &Status) -> Vec<Link> {
    let Some(facts) = stage.subject_facts() else {
        return Vec::new();
    };
    let cell = Cell {
        saw: Saw::Rejected {
            status: status.clone(),
        },
        truth: None,
    };
    let line = crate::explain::Row {
        node: row.node.name.clone(),
        cells: alloc::vec![cell],
        with_nominated: row.with_nominated,
    };
    chain(facts.pod(), Some(&row.node.node), &line)
}

/// The opened chain below its row.
fn opened_cell(stage: &Stage<'_>, layout: &Layout, line: &Line<'_>, top: Px) -> Option<Part> {
    let Some(Opened::Cell { plugin, .. }) = &stage.shot.open else {
        return None;
    };
    let rows = chain_rows(stage, Some(line), layout);
    let is_phone = layout.form == Form::Phone;
    let left = layout.names;
    let pitch = if is_phone { px(18) } else { px(22) };
    let title = if is_phone { px(22) } else { Px::ZERO };
    let height = pitch.each(rows.len()) + px(16) + title;
    let frame = Rect::new(left, top, layout.right - left, height);
    let gate = stage
        .sift
        .gates
        .iter()
        .position(|gate| gate.name == *plugin)?;
    let x = layout.gates.get(gate).copied().unwrap_or(left);
    let mut part = Part::new("chain", Role::Chain)
        .link(gate_link(plugin))
        .link(node_link(&line.row.node.name))
        .does(Action::Close)
        .labelled(
            rows.iter()
                .map(|row| row.says.as_str())
                .collect::<Vec<_>>()
                .join("; "),
        );
    part.add(callout(frame, (!is_phone).then_some(x)));
    if is_phone {
        let says = format!("{} × {plugin}", stage.node_name(&line.row.node.name));
        let style = TextStyle::mono(12).bold();
        let most = frame.w - px(24);
        part.add(fitted(
            left + px(12),
            top + px(22),
            &says,
            style,
            most,
            Token::Ink,
        ));
    }
    for (place, row) in rows.iter().enumerate() {
        let y = top + title + px(22) + pitch.each(place);
        add_row(&mut part, row, (left, frame.right()), y, is_phone);
    }
    Some(part)
}

/// A box with a nose that points up to the opened cell.
fn callout(frame: Rect, nose: Option<Px>) -> Mark {
    let p = Point::new;
    let mut segments = alloc::vec![Segment::Move(p(frame.x, frame.y))];
    if let Some(x) = nose {
        segments.push(Segment::Line(p(x - px(14), frame.y)));
        segments.push(Segment::Line(p(x, frame.y - px(6))));
        segments.push(Segment::Line(p(x + px(14), frame.y)));
    }
    segments.push(Segment::Line(p(frame.right(), frame.y)));
    segments.push(Segment::Line(p(frame.right(), frame.bottom())));
    segments.push(Segment::Line(p(frame.x, frame.bottom())));
    segments.push(Segment::Close);
    Mark::path(segments)
        .filled(Token::Sheet)
        .edged(Token::Line, px(1))
}

fn add_row(part: &mut Part, row: &ChainRow, (left, right): (Px, Px), y: Px, is_phone: bool) {
    let soft = TextStyle::sans(12).bold_if(row.is_verdict);
    part.add(words(
        left + px(16),
        y,
        row.head.as_str(),
        soft,
        Token::Soft,
    ));
    let names = left + if is_phone { px(88) } else { px(92) };
    if row.is_verdict {
        let style = TextStyle::sans(12).bold();
        part.add(fitted(
            names,
            y,
            &row.says,
            style,
            right - names - px(10),
            Token::Unsched,
        ));
        return;
    }
    let mono = TextStyle::mono(12);
    let mut x = names;
    if !row.name.is_empty() && !is_phone {
        let name = measure::shortened(&row.name, &mono, px(116));
        part.add(words(names, y, name, mono, Token::Ink));
        x = names + px(124);
    } else if row.head.is_empty() && !is_phone {
        x = names + px(124);
    }
    let is_prose = row.name.is_empty() && !row.head.is_empty() && !is_phone;
    let style = if is_prose { TextStyle::sans(12) } else { mono };
    part.add(fitted(
        x,
        y,
        &row.says,
        style,
        right - x - px(10),
        Token::Ink,
    ));
}

/// What the signs mean.
fn legend(stage: &Stage<'_>, layout: &Layout, y: Px) -> Part {
    let style = TextStyle::sans(12);
    let mut part = Part::new("matrix/legend", Role::Legend);
    let left = if layout.form == Form::Phone {
        px(16)
    } else {
        px(40)
    };
    let mut at = Point::new(left, y);
    let center = Point::new(Px::ZERO, Px::ZERO);
    let mut signs: Vec<(Vec<Mark>, Key)> = alloc::vec![
        (
            alloc::vec![Mark::circle(center, Px(45)).filled(Token::Bound)],
            Key::WPassed
        ),
        (
            cross(center, px(14), Token::Unsched, Token::Sheet).into(),
            Key::WRejected
        ),
        (
            alloc::vec![
                Mark::rect(Rect::around(center, px(8), px(2)), Px::ZERO).filled(Token::Soft)
            ],
            Key::WSkipped
        ),
        (
            alloc::vec![Mark::circle(center, px(2)).edged(Token::Soft, px(1))],
            Key::WNotRun
        ),
    ];
    if stage.shot.truth.is_some() {
        signs.push((
            alloc::vec![
                Mark::circle(center, Px(48))
                    .filled(Token::Hatch(Hatched::Bound))
                    .edged(Token::Bound, Px(14))
            ],
            Key::WWouldPass,
        ));
    }
    let also = stage.sift.rows.iter().any(|row| {
        let gates = 0..stage.sift.gates.len();
        gates
            .filter_map(|gate| truth(stage, row, gate))
            .any(|status| !status.is_success())
    });
    if also {
        signs.push((
            alloc::vec![
                Mark::rect(Rect::around(center, px(12), px(12)), px(3))
                    .filled(Token::Hatch(Hatched::Unsched))
                    .edged(Token::Unsched, Px(14))
            ],
            Key::WWouldReject,
        ));
    }
    for (marks, key) in signs {
        let says = stage.label(key);
        let width = measure::width(&says, &style) + px(36);
        if at.x + width > layout.right && at.x > left {
            at = Point::new(left, at.y + px(18));
        }
        for mark in marks {
            part.add(super::axis::moved(mark, at.x + px(8), at.y - px(4)));
        }
        part.add(words(at.x + px(22), at.y, says, style, Token::Soft));
        at.x += width;
    }
    part
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

/// From the top of the panel to the first name.
const HEAD: Px = px(24);
