//! What stands beside the matrix: the pod, and the scores of a placement, its own or another's for comparison.

use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use crate::framework::trace::ScoreColumn;
use crate::picture::measure;
use crate::picture::palette::Token;
use crate::picture::px::{Px, Rect, px};
use crate::picture::scene::{Mark, Panel, Part, Piece, Role, Sentence, TextStyle};
use crate::picture::sentences::{Arg, Key, say, signed};
use crate::picture::timeline::{Attempt, PodFacts};

use super::advice::advice;
use super::brush::{fitted, level, words};
use super::caption::{Setting, set};
use super::pod::{body, code};
use super::stage::Stage;
use super::turn::lines_about;

/// Draws the column.
pub(in crate::picture) fn aside(stage: &Stage<'_>, frame: Rect) -> Panel {
    let mut panel = Panel::at(frame);
    let mut y = Px::ZERO;
    let (advice, end) = advice(stage, frame.w, y);
    let is_advised = !advice.is_empty();
    panel.parts.extend(advice);
    y = end;
    if let Some(facts) = stage.subject_facts().filter(|_| !is_advised) {
        let (part, end) = pod_part(stage, &facts, frame.w, y);
        panel.parts.push(part);
        y = end + px(28);
    }
    let own = stage
        .attempt
        .clone()
        .filter(|attempt| attempt.scores.is_some());
    let (attempt, is_own) = match own {
        Some(own) => (Some(own), true),
        None => (comparison(stage), false),
    };
    if let Some(attempt) = attempt {
        let (parts, end) = table(stage, &attempt, is_own, frame.w, y);
        panel.parts.extend(parts);
        y = end;
    }
    panel.frame.h = panel.frame.h.max(y);
    panel
}

/// The pod and what it asks for.
fn pod_part(stage: &Stage<'_>, facts: &PodFacts, width: Px, y: Px) -> (Part, Px) {
    let badge = stage.badge(facts);
    let at = Rect::new(Px::ZERO, y + px(4), px(88), px(52));
    let mut part = Part::new("turn", Role::Turn)
        .link(format!("pod/{}", facts.info.reference.uid))
        .labelled(facts.info.reference.to_string());
    part.marks.extend(body(&badge, at));
    part.add(code(&badge, at));
    let x = px(104);
    let mono = TextStyle::mono(12).bold();
    let name = measure::shortened(&facts.info.reference.name, &mono, width - x);
    let mut line = y + px(14);
    part.add(words(x, line, name, mono, Token::Ink));
    let style = TextStyle::sans(12);
    for says in lines_about(stage, facts) {
        for piece in measure::wrapped(&says, &style, width - x)
            .into_iter()
            .take(2)
        {
            line += px(16);
            part.add(words(x, line, piece, style, Token::Soft));
        }
    }
    (part, line.max(at.bottom()))
}

/// The nearest attempt that scored nodes and placed its pod: of the same workload if there is one.
fn comparison<'a>(stage: &Stage<'a>) -> Option<Attempt<'a>> {
    let here = stage.attempt.as_ref()?.place;
    let film = stage.film;
    let own = stage.subject_facts()?;
    let scored = |place: usize| {
        let attempt = film.attempt(place, usize::MAX)?;
        (attempt.scores.is_some() && attempt.choice.is_some()).then_some(attempt)
    };
    let is_kin = |place: &usize| {
        let span = film.cycles().get(*place);
        span.and_then(|span| span.facts.as_ref())
            .is_some_and(|facts| facts.workload.key == own.workload.key)
    };
    let before = (0..here).rev().take(200);
    let after = (here + 1..film.cycles().len()).take(200);
    before
        .clone()
        .filter(is_kin)
        .find_map(scored)
        .or_else(|| before.chain(after).find_map(scored))
}

fn table(
    stage: &Stage<'_>,
    attempt: &Attempt<'_>,
    is_own: bool,
    width: Px,
    y: Px,
) -> (Vec<Part>, Px) {
    let mut parts = Vec::new();
    let facts = stage
        .film
        .cycles()
        .get(attempt.place)
        .and_then(|span| span.facts.clone());
    let (Some(facts), Some(scores), Some((choice, _, _))) = (facts, attempt.scores, attempt.choice)
    else {
        return (parts, y);
    };
    let key = if is_own {
        Key::WScoresOf
    } else {
        Key::WComparison
    };
    let (head, mut line) = table_title(stage, key, &facts, width, y);
    parts.push(head);
    let place = scores.nodes.iter().position(|node| *node == choice.node);
    let value = |list: &[i64]| {
        place
            .and_then(|place| list.get(place))
            .copied()
            .unwrap_or(0)
    };
    let columns = [
        (width, Key::WWeighted),
        (width - px(74), Key::WWeight),
        (width - px(124), Key::WNormalized),
        (width - px(206), Key::WRaw),
    ];
    let style = TextStyle::sans(12);
    let mut top = Part::new("scores/head", Role::Legend);
    let on = [("node", stage.node_name(&choice.node).into())];
    let on = stage.text(Key::WOnNode, &on);
    top.add(fitted(
        Px::ZERO,
        line,
        &on,
        style,
        width - px(240),
        Token::Soft,
    ));
    for (x, key) in columns {
        top.add(words(x, line, stage.label(key), style.end(), Token::Soft));
    }
    top.add(level(Px::ZERO, width, line + px(8)).edged(Token::Line, px(1)));
    parts.push(top);
    let stops = columns.map(|(x, _)| x);
    for column in scores.columns {
        line += PITCH;
        let points = (value(&column.raw), value(&column.normalized));
        parts.push(table_row(column, points, stops, line));
    }
    line += PITCH;
    parts.push(total(stage, attempt, width, line));
    (parts, line + px(12))
}

/// A plugin's raw and normalised score, weighted.
fn table_row(column: &ScoreColumn, (raw, normal): (i64, i64), stops: [Px; 4], line: Px) -> Part {
    let style = TextStyle::sans(12);
    let [width, ..] = stops;
    let weighted = normal.saturating_mul(column.weight);
    let mut part = Part::new(format!("scores/{}", column.plugin), Role::Numbers);
    let name = column.plugin.0;
    let most = width - px(230);
    part.add(fitted(Px::ZERO, line, name, style, most, Token::Ink));
    let weight = format!("× {}", column.weight);
    let shown = [signed(weighted), weight, signed(normal), signed(raw)];
    for (x, text) in stops.into_iter().zip(shown) {
        part.add(words(x, line, text, style.end(), Token::Ink));
    }
    part.add(level(Px::ZERO, width, line + px(8)).edged(Token::Hair, px(1)));
    part.label = format!(
        "{}: {raw}, {normal} × {} = {weighted}",
        column.plugin, column.weight
    );
    part
}

/// What the table is about, and where its first line stands.
fn table_title(stage: &Stage<'_>, key: Key, facts: &PodFacts, width: Px, y: Px) -> (Part, Px) {
    let mut pieces = say(stage.shot.lang, key, &[], None);
    crate::picture::sentences::push_text(&mut pieces, " ");
    pieces.push(Piece::Chip {
        badge: stage.badge(facts),
    });
    pieces.push(Piece::Text {
        text: facts.short_name(),
    });
    let mut setting = Setting::narrator(stage.shot.lang, 17, width);
    setting.style = TextStyle::serif(17).bold();
    let at = crate::picture::px::Point::new(Px::ZERO, y + px(18));
    let (head, lines) = set("head/scores", &Sentence { pieces }, at, setting);
    (head, at.y + setting.leading.each(lines))
}

fn total(stage: &Stage<'_>, attempt: &Attempt<'_>, width: Px, y: Px) -> Part {
    let style = TextStyle::sans(12);
    let mut part = Part::new("scores/total", Role::Numbers);
    let label = stage.label(Key::ScoreTotal);
    part.add(words(Px::ZERO, y, label.as_str(), style.bold(), Token::Ink));
    let (Some(scores), Some((choice, _, _))) = (attempt.scores, attempt.choice) else {
        return part;
    };
    let others = scores.nodes.iter().zip(scores.totals);
    let best = others
        .filter(|(node, _)| **node != choice.node)
        .map(|(_, total)| *total)
        .max();
    if let Some(best) = best {
        let says = stage.text(Key::WOthersHave, &[("n", Arg::Number(best))]);
        let x = measure::width(&label, &style.bold()) + px(8);
        part.add(fitted(
            x,
            y,
            &format!("· {says}"),
            style,
            width - x - px(60),
            Token::Soft,
        ));
    }
    let mark: Mark = words(
        width,
        y,
        signed(choice.score),
        style.bold().end(),
        Token::Bound,
    );
    part.add(mark);
    part
}

/// From one row of the table to the next: close enough that the total is seen without scrolling beside two suggestions.
const PITCH: Px = px(22);
