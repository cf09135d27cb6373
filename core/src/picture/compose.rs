//! One moment of a film as a scene.

use alloc::string::String;
use alloc::vec::Vec;

use super::draw::axis::thin;
use super::draw::axis_full::full;
use super::draw::caption::{Setting, line_count, set};
use super::draw::everything::everything;
use super::draw::fold::fold;
use super::draw::preempt;
use super::draw::stage::{Shot, Stage};
use super::draw::story::story;
use super::narrator::{before, narrate, rooms};
use super::palette::Token;
use super::px::{Point, Px, Rect, Size, px};
use super::scene::{Caption, Form, Header, Panel, Part, Role, Scene, Sentence, TextStyle, View};
use super::sentences::{Arg, Key};
use super::timeline::Film;

impl Film {
    /// Lays out a shot of this film.
    #[must_use]
    pub fn scene(&self, shot: &Shot) -> Scene {
        let stage = Stage::new(self, shot);
        let header = header(&stage);
        let caption = caption(&stage, header.panel.frame.bottom());
        let top = caption.panel.frame.bottom();
        let is_all = shot.view == View::Everything && stage.form != Form::Phone;
        let axis_height = if is_all { px(138) } else { px(84) };
        let room = shot.height - top - axis_height;
        let frame = Rect::new(Px::ZERO, top, shot.width, room);
        let figure = if is_all {
            everything(&stage, frame)
        } else if preempt::is_shown(&stage) {
            preempt::preempt(&stage, frame)
        } else if stage.is_folded() {
            fold(&stage, frame)
        } else {
            story(&stage, frame)
        };
        let bottom = figure.panel.frame.bottom();
        let axis_frame = Rect::new(Px::ZERO, bottom, shot.width, axis_height);
        let axis = if is_all {
            let from = if stage.form == Form::Wide {
                px(312)
            } else {
                px(40)
            };
            full(&stage, axis_frame, from, shot.width - px(40))
        } else {
            thin(&stage, axis_frame)
        };
        Scene {
            view: shot.view,
            form: stage.form,
            lang: shot.lang,
            size: Size {
                w: shot.width,
                h: axis.frame.bottom(),
            },
            moment: stage.still.moment,
            at: stage.still.at,
            twin: super::alt::twin(&stage, &caption.said),
            header,
            caption,
            figure: figure.panel,
            aside: None,
            axis,
            flight: figure.flight,
        }
    }
}

fn margin(form: Form) -> Px {
    match form {
        Form::Phone => px(16),
        _ => px(40),
    }
}

/// The scenario's name and its facts.
fn header(stage: &Stage<'_>) -> Header {
    let number = |n: usize| Arg::Number(i64::try_from(n).unwrap_or(i64::MAX));
    let nodes = stage.text(Key::HNodes, &[("n", number(stage.still.nodes().len()))]);
    let pods = stage.text(Key::HPods, &[("n", number(stage.still.pod_count()))]);
    let mut facts: Vec<String> = alloc::vec![nodes, pods];
    if let Some(attempt) = &stage.attempt {
        let name = attempt.profile.trim_end_matches("-scheduler");
        facts.push(stage.text(Key::HProfile, &[("name", name.into())]));
    }
    if let Some(seed) = stage.shot.seed {
        let seed = alloc::format!("{seed}");
        facts.push(stage.text(Key::HSeed, &[("n", seed.into())]));
    }
    let facts = facts.join(" · ");
    let width = stage.shot.width;
    let mut panel = Panel::at(Rect::new(Px::ZERO, Px::ZERO, width, px(56)));
    let x = margin(stage.form);
    let title = TextStyle::sans(14).bold();
    let title_width = super::measure::width(&stage.shot.title, &title);
    let mut part = Part::new("header", Role::Note).with(super::draw::brush::words(
        x,
        px(33),
        stage.shot.title.as_str(),
        title,
        Token::Ink,
    ));
    let gap = if title_width == Px::ZERO {
        Px::ZERO
    } else {
        px(12)
    };
    part.add(super::draw::brush::fitted(
        x + title_width + gap,
        px(33),
        &facts,
        TextStyle::sans(12),
        width - x.times(2) - title_width - gap,
        Token::Soft,
    ));
    part.add(super::draw::brush::level(Px::ZERO, width, Px(555)).edged(Token::Hair, px(1)));
    panel.parts.push(part);
    Header {
        title: stage.shot.title.clone(),
        facts,
        panel,
    }
}

/// The narrator with the soft line above.
fn caption(stage: &Stage<'_>, top: Px) -> Caption {
    let form = stage.form;
    let x = margin(form);
    let width = match form {
        Form::Wide => px(1040),
        _ => stage.shot.width - x.times(2),
    };
    let is_all = stage.shot.view == View::Everything;
    let size = if form == Form::Phone || is_all {
        17
    } else {
        24
    };
    let setting = Setting::narrator(stage.shot.lang, size, width);
    let said = short_enough(stage, setting);
    let before = (form != Form::Phone && !is_all)
        .then(|| before(stage))
        .flatten();
    let mut panel = Panel::at(Rect::new(Px::ZERO, top, stage.shot.width, Px::ZERO));
    let mut y = px(16);
    if let Some(before) = &before {
        let soft = Setting::soft(14, stage.shot.width - x.times(2));
        let (part, _) = set("caption/before", before, Point::new(x, y + px(14)), soft);
        panel.parts.push(part);
        y += px(22);
    } else if form == Form::Wide && !is_all {
        y += px(8);
    }
    let baseline = y + px(i32::from(size)).share(108, 100);
    let (part, lines) = set("caption/said", &said, Point::new(x, baseline), setting);
    panel.parts.push(part);
    y += setting.leading.each(lines) + px(10);
    panel.frame.h = match form {
        Form::Wide if is_all => y.max(px(70)),
        Form::Wide => y.max(px(128)),
        _ => y,
    };
    Caption {
        before,
        said,
        message: None,
        guesses: Vec::new(),
        panel,
    }
}

/// The longest form of the narrator's sentence that takes two lines; on a phone it may take more.
fn short_enough(stage: &Stage<'_>, setting: Setting) -> Sentence {
    let most = if stage.form == Form::Phone { 5 } else { 2 };
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
