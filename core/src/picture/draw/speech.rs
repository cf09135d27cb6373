//! What stands above the figure: the narrator, the question of the first screen, kube-scheduler's own message.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::order;
use crate::picture::measure;
use crate::picture::narrator::{before, narrate, question, rooms};
use crate::picture::palette::Token;
use crate::picture::px::{Point, Px, Rect, px};
use crate::picture::scene::{
    Caption, Form, Guess, Mark, Panel, Part, Piece, Role, Sentence, TextStyle, Underline, View,
};
use crate::picture::sentences::{Key, gate_link};

use super::brush::words;
use super::caption::{Setting, line_count, set};
use super::stage::Stage;

/// The panel above the figure, as wide as the figure.
pub(in crate::picture) fn caption(stage: &Stage<'_>, top: Px, width: Px) -> Caption {
    if stage.shot.view == View::Open
        && let Some((stopped, asked)) = question(stage)
    {
        return opening(stage, stopped, asked, top);
    }
    let mut panel = Panel::at(Rect::new(Px::ZERO, top, stage.shot.width, Px::ZERO));
    let margin = stage.margin();
    let is_story = stage.shot.view == View::Story || stage.shot.view == View::Open;
    let is_why = stage.shot.view == View::Why;
    let size = match (stage.form, stage.shot.view) {
        (_, View::Everything) => 17,
        _ if stage.is_in_hand() => 17,
        _ => 24,
    };
    let line = if is_why {
        width - margin.times(2)
    } else {
        narrator_width(stage)
    };
    let setting = Setting::narrator(stage.shot.lang, size, line);
    let said = short_enough(stage, setting);
    let before = (stage.form != Form::Phone && is_story)
        .then(|| before(stage))
        .flatten();
    let mut y = if stage.form == Form::Phone {
        px(8)
    } else {
        px(16)
    };
    if let Some(before) = &before {
        let soft = Setting::soft(14, stage.shot.width - margin.times(2));
        let at = Point::new(margin, y + px(14));
        panel.parts.push(set("caption/before", before, at, soft).0);
        y += px(22);
    } else if stage.form == Form::Wide && is_story {
        y += px(8);
    }
    let baseline = y + px(i32::from(size)).share(108, 100);
    let (part, lines) = set("caption/said", &said, Point::new(margin, baseline), setting);
    panel.parts.push(part);
    y += setting.leading.each(lines) + px(10);
    let message = is_why.then(|| message(stage)).flatten();
    if let Some(message) = &message {
        y += quoted(message, (margin, width), y, &mut panel);
    }
    panel.frame.h = match (stage.form, stage.shot.view) {
        (Form::Wide, View::Everything) => y.max(px(70)),
        (Form::Wide, View::Story) => y.max(px(128)),
        (Form::Phone, View::Story) => y + buttons(stage, DEPTH),
        _ => y,
    };
    Caption {
        before,
        said,
        message,
        guesses: Vec::new(),
        panel,
    }
}

/// Room for what the host of the picture lays below the narrator in a hand, if it does.
fn buttons(stage: &Stage<'_>, room: Px) -> Px {
    if stage.shot.has_controls && stage.is_in_hand() {
        room
    } else {
        Px::ZERO
    }
}

fn narrator_width(stage: &Stage<'_>) -> Px {
    let room = stage.shot.width - stage.margin().times(2);
    if stage.form == Form::Wide {
        room.min(px(1040))
    } else {
        room
    }
}

/// The longest form of the narrator's sentence that takes two lines; on a phone it may take more.
fn short_enough(stage: &Stage<'_>, setting: Setting) -> Sentence {
    let most = match (stage.form, stage.shot.view) {
        (Form::Phone, _) if stage.is_in_hand() => 5,
        (Form::Phone | Form::Narrow, _) | (_, View::Why) => 3,
        _ => 2,
    };
    let [longest, shorter @ ..] = rooms(stage.shot.lang);
    let mut said = narrate(stage, longest);
    for room in shorter {
        if line_count(&said, setting) <= most {
            break;
        }
        said = narrate(stage, room);
    }
    said
}

/// kube-scheduler's message with the reasons that the figure shows marked in it.
fn message(stage: &Stage<'_>) -> Option<Sentence> {
    let failure = stage.attempt.as_ref()?.failure?;
    let mut spans: Vec<(usize, usize, Underline, String)> = Vec::new();
    for (place, gate) in stage.sift.cuts() {
        let mut texts: Vec<(String, bool)> = Vec::new();
        for row in stage.sift.rejected_at(place) {
            if let Some(reason) = row.verdict.reason() {
                let is_taint = matches!(
                    reason,
                    crate::framework::reason::Reason::UntoleratedTaint { .. }
                );
                let text = reason.to_string();
                if !texts.iter().any(|(known, _)| *known == text) {
                    texts.push((text, is_taint));
                }
            }
        }
        for (text, is_taint) in texts {
            let Some(at) = failure.message.find(&text) else {
                continue;
            };
            let head = failure.message.get(..at).unwrap_or_default();
            let from = head.rfind([',', ':']).map_or(0, |comma| comma + 2);
            let underline = if is_taint {
                Underline::Taint
            } else {
                Underline::Rejected
            };
            spans.push((from, at + text.len(), underline, gate_link(&gate.name)));
        }
    }
    order::sort_by_key(&mut spans, |(from, ..)| *from);
    let mut pieces = Vec::new();
    let mut done = 0;
    for (from, to, underline, link) in spans {
        if from < done {
            continue;
        }
        push(&mut pieces, failure.message.get(done..from));
        if let Some(text) = failure.message.get(from..to) {
            pieces.push(Piece::Marked {
                text: text.to_string(),
                underline,
                link,
            });
        }
        done = to;
    }
    push(&mut pieces, failure.message.get(done..));
    Some(Sentence { pieces })
}

fn push(pieces: &mut Vec<Piece>, text: Option<&str>) {
    if let Some(text) = text.filter(|text| !text.is_empty()) {
        pieces.push(Piece::Text {
            text: text.to_string(),
        });
    }
}

/// Sets a quotation with a rule at its left; returns how high it is.
fn quoted(message: &Sentence, (margin, width): (Px, Px), y: Px, panel: &mut Panel) -> Px {
    let mut setting = Setting::soft(12, width - margin.times(2) - px(14));
    setting.style = TextStyle::mono(12);
    setting.leading = px(19);
    let at = Point::new(margin + px(14), y + px(14));
    let (part, lines) = set("caption/message", message, at, setting);
    let height = setting.leading.each(lines);
    let rule = Rect::new(margin, y, px(2), height + px(2));
    panel.parts.push(
        Part::new("caption/quote", Role::Note).with(Mark::rect(rule, Px::ZERO).filled(Token::Line)),
    );
    panel.parts.push(part);
    height + px(12)
}

/// The first screen: stopped at a failure, with a question.
fn opening(stage: &Stage<'_>, stopped: Sentence, asked: Sentence, top: Px) -> Caption {
    let margin = stage.margin();
    let room = stage.shot.width - margin.times(2);
    let is_phone = stage.form == Form::Phone;
    let mut panel = Panel::at(Rect::new(Px::ZERO, top, stage.shot.width, Px::ZERO));
    let soft = Setting::soft(14, room);
    let mut y = if is_phone { px(12) } else { px(20) };
    let at = Point::new(margin, y + px(13));
    let (part, lines) = set("caption/before", &stopped, at, soft);
    panel.parts.push(part);
    y += soft.leading.each(lines) + px(6);
    let size = if stage.is_in_hand() { 24 } else { 34 };
    let mut setting = Setting::narrator(stage.shot.lang, size, room);
    setting.leading = px(i32::from(size)).share(125, 100);
    let at = Point::new(margin, y + px(i32::from(size)).share(92, 100));
    let (part, lines) = set("caption/said", &asked, at, setting);
    panel.parts.push(part);
    let baseline = at.y;
    y += setting.leading.each(lines) + px(8);
    let guesses = guesses(stage);
    if !stage.shot.has_controls {
        y = guess_boxes(stage, &guesses, baseline, y, &mut panel);
    } else if stage.form != Form::Wide {
        y += if stage.is_in_hand() {
            GUESSES
        } else {
            GUESSES.half()
        };
    }
    panel.frame.h = if is_phone { y } else { y.max(px(120)) };
    Caption {
        before: Some(stopped),
        said: asked,
        message: None,
        guesses,
        panel,
    }
}

/// Three guesses in the order of the rules: what it is, and what it could have been.
fn guesses(stage: &Stage<'_>) -> Vec<Guess> {
    let right = stage.sift.cuts().last().map(|(_, gate)| gate.name.clone());
    let mut plugins: Vec<String> = stage
        .sift
        .cuts()
        .map(|(_, gate)| gate.name.clone())
        .collect();
    for plausible in [
        "NodeResourcesFit",
        "TaintToleration",
        "InterPodAffinity",
        "NodeAffinity",
    ] {
        if !plugins.iter().any(|plugin| plugin == plausible) {
            plugins.push(plausible.to_string());
        }
    }
    let mut chosen: Vec<String> = right.iter().cloned().collect();
    for plugin in plugins {
        if chosen.len() < 3 && !chosen.contains(&plugin) {
            chosen.push(plugin);
        }
    }
    let order = |name: &String| stage.sift.gates.iter().position(|gate| gate.name == *name);
    order::sort_by_key(&mut chosen, |name| (order(name), name.clone()));
    chosen
        .into_iter()
        .map(|plugin| Guess {
            text: stage.text(
                guess_key(&plugin, stage.form),
                &[("plugin", plugin.as_str().into())],
            ),
            is_right: Some(&plugin) == right.as_ref(),
            link: gate_link(&plugin),
        })
        .collect()
}

fn guess_key(plugin: &str, form: Form) -> Key {
    match plugin {
        "InterPodAffinity" if form == Form::Phone => Key::GNeighboursShort,
        "PodTopologySpread" if form == Form::Phone => Key::GSpreadShort,
        "NodeResourcesFit" => Key::GCpu,
        "TaintToleration" => Key::GTaint,
        "InterPodAffinity" => Key::GNeighbours,
        "NodeAffinity" => Key::GLabels,
        "PodTopologySpread" => Key::GSpread,
        "NodePorts" => Key::GPorts,
        "VolumeBinding" | "VolumeZone" | "VolumeRestrictions" | "NodeVolumeLimits" => Key::GVolumes,
        _ => Key::GOther,
    }
}

/// The guesses as boxes, for whoever has no buttons; returns where they end.
fn guess_boxes(stage: &Stage<'_>, guesses: &[Guess], baseline: Px, y: Px, panel: &mut Panel) -> Px {
    let style = TextStyle::sans(14);
    let mut texts: Vec<String> = guesses.iter().map(|guess| guess.text.clone()).collect();
    texts.push(stage.label(Key::QShow));
    let mut part = Part::new("caption/guesses", Role::Note);
    let asks = stage.label(Key::QGuess);
    if stage.form != Form::Wide {
        let columns = if stage.is_in_hand() { 2 } else { texts.len() };
        part.add(words(
            stage.margin(),
            y + px(11),
            asks,
            TextStyle::sans(12),
            Token::Soft,
        ));
        let y = y + px(22);
        let across = i32::try_from(columns).unwrap_or(1);
        let room = stage.shot.width - stage.margin().times(2) + px(6);
        let width = room.over(across) - px(6);
        for (place, text) in texts.iter().enumerate() {
            let column = i32::try_from(place % columns).unwrap_or(0);
            let x = stage.margin() + (width + px(6)).times(column);
            let top = y + px(50).each(place / columns);
            let at = Rect::new(x, top, width, px(44));
            add_box(&mut part, at, text, style, place + 1 == texts.len());
        }
        panel.parts.push(part);
        return y + px(50).each(texts.len().div_ceil(columns));
    }
    let mut x = stage.shot.width - px(40);
    for (place, text) in texts.iter().enumerate().rev() {
        let w = measure::width(text, &style) + px(28);
        x -= w;
        let at = Rect::new(x, baseline - px(28), w, px(40));
        add_box(&mut part, at, text, style, place + 1 == texts.len());
        x -= px(8);
    }
    part.add(words(
        x - px(4),
        baseline - px(3),
        asks,
        style.end(),
        Token::Soft,
    ));
    panel.parts.push(part);
    y
}

fn add_box(part: &mut Part, at: Rect, text: &str, style: TextStyle, is_solid: bool) {
    let (fill, ink) = if is_solid {
        (Token::Ink, Token::Paper)
    } else {
        (Token::Sheet, Token::Ink)
    };
    part.add(Mark::rect(at, px(8)).filled(fill).edged(Token::Line, px(1)));
    let text = measure::shortened(text, &style, at.w - px(16));
    let center = at.center();
    part.add(words(center.x, center.y + px(5), text, style.middle(), ink));
}

/// How high the choice between Story and Everything is.
const DEPTH: Px = px(44);
/// How high four guesses are in two rows, below a line that asks for them.
const GUESSES: Px = px(124);
