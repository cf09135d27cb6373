//! An opened cell of the matrix: from the pod's field through the rule to the verdict.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::explain::text::Lang as Explained;
use crate::explain::{Cell, Link, Saw, chain};
use crate::framework::reason::Reason;
use crate::framework::status::Status;
use crate::picture::measure;
use crate::picture::palette::Token;
use crate::picture::px::{Point, Px, Rect, px};
use crate::picture::scene::{Action, Form, Lang, Mark, Part, Role, Segment, TextStyle};
use crate::picture::sentences::{Arg, Key, amount, gate_link, node_link, sum};
use crate::picture::verdicts::{Row, Verdict};

use super::super::brush::{fitted, words};
use super::super::stage::{Opened, Stage};
use super::row::{cell_says, truth};
use super::{Layout, Line};

/// The opened chain below its row.
pub(super) fn opened_cell(
    stage: &Stage<'_>,
    layout: &Layout,
    line: &Line<'_>,
    top: Px,
) -> Option<Part> {
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

/// A row of an opened chain: what it is, the name, what it says, and whether it is the verdict.
pub(super) struct ChainRow {
    head: String,
    name: String,
    says: String,
    is_verdict: bool,
}

/// The chain of an opened cell.
pub(super) fn chain_rows(
    stage: &Stage<'_>,
    line: Option<&Line<'_>>,
    layout: &Layout,
) -> Vec<ChainRow> {
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
    let mut says = numbers(row, status).unwrap_or_default();
    if !says.is_empty() {
        says.push_str(match stage.shot.lang {
            Lang::En => ", ",
            Lang::Zh => "，",
        });
    }
    says.push_str(&stage.text(Key::VRejects, &args));
    rows.push(verdict(says));
    rows
}

/// What a rejection comes down to in numbers, where it has some: `1 > 0`.
fn numbers(row: &Row, status: &Status) -> Option<String> {
    Some(match status.reasons.first()? {
        Reason::TopologySpread {
            count,
            minimum,
            max_skew,
            ..
        } => format!("{count} − {minimum} > {max_skew}"),
        Reason::PodAffinity { .. } => String::from("0 < 1"),
        Reason::PodAntiAffinity { .. } | Reason::ExistingPodAntiAffinity { .. }
            if row.neighbours > 0 =>
        {
            format!("{} > 0", row.neighbours)
        }
        shortage => return sum(shortage, amount),
    })
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
