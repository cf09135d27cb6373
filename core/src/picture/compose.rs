//! One moment of a film as a scene.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::explain::{Truth, suggest, whole_truth};
use crate::framework::extension::CycleContext;
use crate::scheduler::Scheduler;
use crate::sim::Simulation;
use crate::snapshot::PodInfo;

use super::draw::aside::aside;
use super::draw::axis::thin;
use super::draw::axis_full::full;
use super::draw::brush::{fitted, level, words};
use super::draw::density::density;
use super::draw::everything::everything;
use super::draw::fold::fold;
use super::draw::groups::groups;
use super::draw::phone::{phone, phone_axis, queues};
use super::draw::preempt;
use super::draw::speech::caption;
use super::draw::stage::{Opened, Openings, Shot, Stage};
use super::draw::story::{Figure, story};
use super::draw::why::{telling_cell, why};
use super::measure;
use super::palette::Token;
use super::px::{Px, Rect, Size, px};
use super::scene::{Caption, Form, Header, Panel, Part, Role, Scene, TextStyle, Twin, View};
use super::sentences::{Arg, Key};
use super::timeline::Film;

impl Film {
    /// Lays out a shot of this film.
    #[must_use]
    pub fn scene(&self, shot: &Shot) -> Scene {
        let stage = Stage::new(self, shot);
        let header = header(&stage);
        let top = header.panel.frame.bottom();
        if shot.view == View::Why {
            return scene_of_why(&stage, header);
        }
        let caption = caption(&stage, top, stage.shot.width);
        let top = caption.panel.frame.bottom();
        let axis_height = axis_height(&stage);
        let room = shot.height - top - axis_height;
        let frame = Rect::new(Px::ZERO, top, shot.width, room);
        let figure = figure(&stage, frame);
        let bottom = figure.panel.frame.bottom();
        let axis_frame = Rect::new(Px::ZERO, bottom, shot.width, axis_height);
        let axis = axis(&stage, axis_frame);
        finish(&stage, header, caption, figure, None, axis)
    }

    /// A shot of this film as text alone, without laying it out: what [`Scene::twin`] says.
    #[must_use]
    pub fn twin(&self, shot: &Shot) -> Twin {
        let stage = Stage::new(self, shot);
        let caption = caption(&stage, Px::ZERO, shot.width);
        super::alt::twin(&stage, &caption.said)
    }

    /// What the rules that were not run in the last attempt of `scheduler` would have said: for [`Shot::truth`], when the
    /// scheduler stands where the attempt at `place` in [`Film::cycles`] has just ended.
    #[must_use]
    pub fn truth(&self, place: usize, scheduler: &Scheduler) -> Option<Truth> {
        let span = self.cycles().get(place)?;
        let facts = span.facts.as_ref()?;
        let framework = scheduler.profiles().get(&facts.pod().spec.scheduler_name)?;
        let cx = CycleContext {
            now: span.at,
            snapshot: scheduler.snapshot(),
            listers: scheduler.listers(),
            memory: scheduler.plugin_memory(),
        };
        let mut pending = facts.pod().clone();
        pending.spec.node_name.clear();
        let mut truth = whole_truth(framework, &cx, &PodInfo::new(pending.clone().into()));
        truth.advice = suggest(framework, &cx, &pending);
        Some(truth)
    }

    /// The same for the attempt at a moment, with the run of this film gone through again up to it. `simulation` is as it was
    /// before the run.
    #[must_use]
    pub fn truth_at(&self, moment: usize, mut simulation: Simulation) -> Option<Truth> {
        let place = self.cycle_at(moment)?;
        let start = self.cycles().get(place)?.start;
        let mut again = Self::default();
        while again.len() <= start {
            again.step(&mut simulation)?;
        }
        self.truth(place, simulation.scheduler())
    }

    /// The cell of the matrix that tells most at a moment, for whoever opens [`View::Why`] without choosing one.
    #[must_use]
    pub fn telling_cell(&self, shot: &Shot) -> Option<Opened> {
        telling_cell(&Stage::new(self, shot))
    }

    /// What [`Shot::open`] can name at a moment.
    #[must_use]
    pub fn openings(&self, shot: &Shot) -> Openings {
        let stage = Stage::new(self, shot);
        let folded = groups(&stage)
            .into_iter()
            .filter(|group| !group.is_single());
        let rows = stage.sift.rows.iter();
        let gates = stage.sift.gates.iter();
        Openings {
            groups: folded.map(|group| group.id).collect(),
            nodes: rows.map(|row| row.node.name.to_string()).collect(),
            plugins: gates.map(|gate| gate.name.clone()).collect(),
        }
    }
}

fn axis_height(stage: &Stage<'_>) -> Px {
    match (stage.form, stage.shot.view) {
        (Form::Phone, _) => px(88),
        (_, View::Everything) => px(138),
        _ => px(84),
    }
}

/// The figure; where it is too narrow for a column of queues, they stand below it as four counts.
fn figure(stage: &Stage<'_>, frame: Rect) -> Figure {
    if stage.form == Form::Phone && !stage.is_dense() {
        return phone(stage, frame);
    }
    if stage.form == Form::Wide || stage.shot.view == View::Open {
        return wide_figure(stage, frame);
    }
    let strip = px(64);
    let mut figure = wide_figure(stage, Rect::new(frame.x, frame.y, frame.w, frame.h - strip));
    let y = figure.panel.frame.h + px(8);
    figure
        .panel
        .parts
        .extend(queues(stage, (stage.margin(), frame.w - stage.margin()), y));
    figure.panel.frame.h += strip;
    figure
}

fn wide_figure(stage: &Stage<'_>, frame: Rect) -> Figure {
    if stage.is_dense() {
        return density(stage, frame);
    }
    if preempt::is_shown(stage) {
        return preempt::preempt(stage, frame);
    }
    if stage.is_folded() {
        return fold(stage, frame);
    }
    match stage.shot.view {
        View::Everything => everything(stage, frame),
        _ => story(stage, frame),
    }
}

fn axis(stage: &Stage<'_>, frame: Rect) -> Panel {
    match (stage.form, stage.shot.view) {
        (Form::Phone, _) => phone_axis(stage, frame),
        (form, View::Everything) => {
            let from = if form == Form::Wide { px(312) } else { px(40) };
            full(stage, frame, from, frame.w - px(40))
        }
        _ => thin(stage, frame),
    }
}

/// The matrix with what stands beside it; without a time axis of its own on wide canvases.
#[inline(never)]
fn scene_of_why(stage: &Stage<'_>, header: Header) -> Scene {
    let shot = stage.shot;
    let is_beside = stage.form == Form::Wide;
    let main = if is_beside {
        (shot.width - px(488)).min(px(1200))
    } else {
        shot.width
    };
    let caption = caption(stage, header.panel.frame.bottom(), main);
    let top = caption.panel.frame.bottom();
    let room = shot.height - axis_height(stage) - top;
    let figure = why(stage, Rect::new(Px::ZERO, top, main, room));
    let margin = stage.margin();
    let beside = if is_beside {
        let y = header.panel.frame.bottom() + px(28);
        aside(
            stage,
            Rect::new(main + px(8), y, shot.width - main - px(48), Px::ZERO),
        )
    } else {
        let y = figure.frame.bottom() + px(12);
        aside(
            stage,
            Rect::new(margin, y, shot.width - margin.times(2), Px::ZERO),
        )
    };
    let axis_height = axis_height(stage);
    let end = figure.frame.bottom().max(beside.frame.bottom()) + px(12);
    let y = end.max(shot.height - axis_height);
    let frame = Rect::new(Px::ZERO, y, shot.width, axis_height);
    let axis = match stage.form {
        Form::Phone => phone_axis(stage, frame),
        _ => thin(stage, frame),
    };
    let figure = Figure {
        panel: figure,
        flight: None,
    };
    finish(stage, header, caption, figure, Some(beside), axis)
}

fn finish(
    stage: &Stage<'_>,
    header: Header,
    caption: Caption,
    figure: Figure,
    aside: Option<Panel>,
    axis: Panel,
) -> Scene {
    Scene {
        view: stage.shot.view,
        form: stage.form,
        lang: stage.shot.lang,
        size: Size {
            w: stage.shot.width,
            h: axis.frame.bottom(),
        },
        moment: stage.still.moment,
        at: stage.still.at,
        twin: super::alt::twin(stage, &caption.said),
        header,
        caption,
        figure: figure.panel,
        aside,
        axis,
        flight: figure.flight,
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
    let x = stage.margin();
    let title = TextStyle::sans(14).bold();
    let shown = measure::shortened(&stage.shot.title, &title, width.half());
    let title_width = measure::width(&shown, &title);
    let gap = if title_width == Px::ZERO {
        Px::ZERO
    } else {
        px(12)
    };
    let after = x + title_width + gap;
    panel.parts.push(
        Part::new("header", Role::Note)
            .with(words(x, px(33), shown, title, Token::Ink))
            .with(fitted(
                after,
                px(33),
                &facts,
                TextStyle::sans(12),
                width - x - after,
                Token::Soft,
            ))
            .with(level(Px::ZERO, width, Px(555)).edged(Token::Hair, px(1))),
    );
    Header {
        title: stage.shot.title.clone(),
        facts,
        panel,
    }
}
