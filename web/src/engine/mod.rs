//! What the worker does: it reads, runs, remembers the run as a film, and answers with scenes.
//!
//! | File | Answers |
//! |---|---|
//! | `mod` | which message leads to what |
//! | `job` | how a text becomes a run, piece by piece, so that it can be stopped |
//! | `moment` | which moment a target is, and what kind it is |
//! | `amend` | a text with changes in the object that a pod comes from |
//! | `part` | where in the text the object stands that a moment is about |
//! | `examples` | which scenarios come with the page |
//! | `told` | what the core says of files, links and runs, in Chinese |
//! | `host` | how messages come and go in a worker |
//! | `rest` | how the part of the module that is fetched later is waited for |
//! | `rehearsal` | what a page asks first |
//!
//! All but `host` and `rest` are plain Rust and tested on the host.

mod amend;
mod examples;
mod host;
mod job;
mod moment;
mod part;
mod rehearsal;
mod rest;
mod told;

use std::sync::Arc;

use berth_core::explain::Truth;
use berth_core::picture::cast::Cast;
use berth_core::picture::px::px;
use berth_core::picture::scene::View;
use berth_core::picture::timeline::{Film, PodFacts};
use berth_core::picture::{Opened, Shot};
use berth_core::sim::{
    LinkView, Loaded, Scenario, ShareError, SourceText, decode_link, encode_link, load, to_yaml,
};
use berth_core::snapshot::PodRef;

use crate::protocol::{
    Frame, FromWorker, Open, Part, RunFacts, Said, Target, ToWorker, Work, Wrong,
};

use job::{Job, Source};

pub use host::{listen, rehearse};
pub use rest::need_rest;

/// The engine behind the page.
#[derive(Default)]
pub struct Engine {
    frame: Frame,
    run: Option<Run>,
    job: Option<Job>,
    /// The pod that the text on its way was changed for.
    changed_for: Option<PodRef>,
}

/// A run that can be shown.
struct Run {
    scenario: Scenario,
    film: Film,
    facts: RunFacts,
    /// The text it came from, if it is small enough to be edited.
    text: Option<Arc<str>>,
    moment: usize,
    /// What the rules that were not run in an attempt would have said, by its place.
    truth: Option<(usize, Truth)>,
}

impl Engine {
    /// What the worker says first.
    #[must_use]
    pub fn greet() -> FromWorker {
        FromWorker::Ready {
            examples: examples::list(),
        }
    }

    /// Takes a message and answers it as far as it can be answered at once.
    pub fn take(&mut self, message: ToWorker) -> Vec<FromWorker> {
        match message {
            ToWorker::Load { name, text } => self.begin(name, text.into(), Source::File),
            // The host puts the blob's text in place of this message.
            ToWorker::LoadBlob { .. } => Vec::new(),
            ToWorker::Example { name, fields } => match examples::text(&name) {
                Some(text) => self.begin_at(name, text, &fields),
                None => vec![bad_link(&ShareError::NotALink)],
            },
            ToWorker::Open { link } => self.open(&link),
            ToWorker::Edit { text } => {
                let name = self.run.as_ref().map(|run| run.facts.name.clone());
                self.begin(name.unwrap_or_default(), text.into(), Source::Editor)
            }
            ToWorker::Seek { target } => self.seek(target).into_iter().collect(),
            ToWorker::Show { frame } => {
                self.frame = frame;
                self.scene(false).into_iter().collect()
            }
            ToWorker::Share { base } => self.share(&base).into_iter().collect(),
            ToWorker::Write => self.write().into_iter().collect(),
            ToWorker::Apply { place } => self.apply(place).into_iter().collect(),
            ToWorker::Cancel => {
                self.job = None;
                vec![FromWorker::Cancelled]
            }
        }
    }

    fn begin(&mut self, name: String, text: Arc<str>, source: Source) -> Vec<FromWorker> {
        // What is wrong takes the place of what still runs, too.
        self.job = None;
        let cast = match (source, &self.run) {
            (Source::Editor, Some(run)) => run.film.cast().clone(),
            _ => Cast::default(),
        };
        match Job::read(name, text, source, cast) {
            Ok(job) => {
                self.job = Some(job);
                Vec::new()
            }
            Err(errors) => vec![errors],
        }
    }

    /// Opens an example at what a link says.
    fn begin_at(&mut self, name: String, text: &str, fields: &str) -> Vec<FromWorker> {
        self.job = None;
        let view = LinkView::of_fields(fields);
        match Job::read_with(name, text.into(), Source::File, Cast::default(), view) {
            Ok(job) => {
                self.job = Some(job);
                Vec::new()
            }
            Err(errors) => vec![errors],
        }
    }

    #[inline(never)]
    fn open(&mut self, link: &str) -> Vec<FromWorker> {
        self.job = None;
        match decode_link(link) {
            Ok((scenario, view)) => match Job::of(scenario, view) {
                Ok(job) => {
                    self.job = Some(job);
                    Vec::new()
                }
                Err(errors) => vec![errors],
            },
            Err(error) => vec![bad_link(&error)],
        }
    }

    /// Whether [`Engine::work`] has something to do.
    #[must_use]
    pub const fn is_working(&self) -> bool {
        self.job.is_some()
    }

    /// Does a piece of the work: so many inputs at most.
    pub fn work(&mut self, inputs: usize) -> Vec<FromWorker> {
        let Some(job) = &mut self.job else {
            return Vec::new();
        };
        if !job.go_on(inputs) {
            let (done, total) = job.progress();
            return vec![FromWorker::Progress {
                work: Work::Running,
                done,
                total,
            }];
        }
        match self.job.take() {
            Some(job) => self.finish(job),
            None => Vec::new(),
        }
    }

    fn finish(&mut self, job: Job) -> Vec<FromWorker> {
        let kept = self.run.as_ref().map(|run| run.moment);
        let done = match job.finish() {
            Ok(done) => done,
            Err(errors) => {
                self.changed_for = None;
                return vec![errors];
            }
        };
        let subject = self.changed_for.take().filter(|_| done.facts.is_edit);
        let attempt = subject.and_then(|pod| moment::last_attempt(&done.film, &pod));
        let first = attempt.unwrap_or_else(|| done.first_moment(kept));
        let facts = done.facts.clone();
        if let Some(view) = &facts.view {
            self.frame.view = crate::state::view_named(view);
        }
        if !facts.is_edit {
            self.frame.pod.clone_from(&facts.pod);
            let is_why = self.frame.view == View::Why;
            self.frame.open = is_why.then_some(Open::Telling);
        }
        self.run = Some(Run {
            scenario: done.scenario,
            film: done.film,
            facts: done.facts,
            text: done.text,
            moment: first,
            truth: None,
        });
        let loaded = FromWorker::Loaded {
            run: Box::new(facts),
        };
        core::iter::once(loaded).chain(self.scene(false)).collect()
    }

    fn seek(&mut self, target: Target) -> Option<FromWorker> {
        let run = self.run.as_mut()?;
        let next = moment::seek(&run.film, run.moment, target);
        let is_step = moment::is_step(&run.film, run.moment, next);
        run.moment = next;
        self.scene(is_step)
    }

    /// The scene of the moment.
    fn scene(&mut self, is_step: bool) -> Option<FromWorker> {
        if self.frame.width == 0 {
            return None;
        }
        if self.frame.view == View::Why {
            self.find_truth();
        }
        let run = self.run.as_ref()?;
        let frame = &self.frame;
        let mut shot = Shot {
            view: frame.view,
            width: px(frame.width),
            height: px(frame.height),
            lang: frame.lang,
            moment: self.shown_moment(run),
            title: examples::title(&run.facts.name, frame.lang),
            seed: Some(run.scenario.seed.0),
            extent: frame.extent,
            has_controls: true,
            ..Shot::default()
        };
        if frame.view == View::Why {
            shot.truth = run.truth.as_ref().map(|(_, truth)| truth.clone());
            shot.can_apply = self.can_apply(run, shot.moment);
        }
        shot.open = match &frame.open {
            Some(open) => opened(open, &run.film, &shot),
            None => None,
        };
        let mut now = moment::now(&run.film, run.moment);
        now.is_step = is_step;
        let scene = Box::new(run.film.scene(&shot));
        now.flies = scene.flight.is_some();
        Some(FromWorker::Scene { scene, now })
    }

    /// Goes through the run again up to the attempt that is shown, unless that was the last one asked about.
    #[inline(never)]
    fn find_truth(&mut self) -> Option<()> {
        let run = self.run.as_ref()?;
        let moment = self.shown_moment(run);
        let place = run.film.cycle_at(moment)?;
        if run.truth.as_ref().is_some_and(|(known, _)| *known == place) {
            return None;
        }
        let loaded = Loaded {
            scenario: run.scenario.clone(),
            ..Loaded::default()
        };
        let is_small = run.facts.nodes <= MOST_ASKED;
        let again = is_small.then(|| job::start(&loaded).ok()).flatten();
        let truth = again.and_then(|again| run.film.truth_at(moment, again.simulation));
        self.run.as_mut()?.truth = truth.map(|truth| (place, truth));
        Some(())
    }

    /// In View::Why the moment of the last failure of the pod that is asked about.
    fn shown_moment(&self, run: &Run) -> usize {
        let asked = self.frame.pod.as_deref();
        let failure = asked.and_then(|pod| moment::last_failure(&run.film, run.moment, pod));
        failure.unwrap_or(run.moment)
    }

    #[inline(never)]
    fn share(&self, base: &str) -> Option<FromWorker> {
        let run = self.run.as_ref()?;
        let now = moment::now(&run.film, run.moment);
        let view = LinkView {
            time: Some(moment::seconds(now.micros)),
            event: Some(moment::event(&run.film, run.moment).to_string()),
            selection: self.frame.pod.as_ref().map(|pod| format!("pod/{pod}")),
            view: Some(crate::state::view_name(self.frame.view).to_owned()),
        };
        let (link, message) = match encode_link(base, &run.scenario, &view) {
            Ok(link) => (Some(link), Said::default()),
            Err(error) => (None, error.to_string().into()),
        };
        Some(FromWorker::Link { link, message })
    }

    #[inline(never)]
    fn write(&self) -> Option<FromWorker> {
        let run = self.run.as_ref()?;
        let pod = match &self.frame.pod {
            Some(pod) => pod.split_once('/').and_then(|(namespace, name)| {
                let still = run.film.last();
                let now = still.pod_named(namespace, name)?;
                Some(now.facts.clone())
            }),
            None => subject(run, run.moment),
        };
        let (text, part) = text_of(run, pod.as_deref());
        Some(FromWorker::Text { text, part })
    }

    /// Whether a change of the pod of a moment can be written into the text. What came by a link is yet to be written, in a
    /// style that allows it.
    #[inline(never)]
    fn can_apply(&self, run: &Run, moment: usize) -> bool {
        let part = |text| part::find(text, &run.scenario, &*subject(run, moment)?);
        match &run.text {
            Some(text) => part(text).is_some(),
            None => run.facts.is_editable,
        }
    }

    /// Writes a suggested change into the text.
    #[inline(never)]
    fn apply(&mut self, place: usize) -> Option<FromWorker> {
        let run = self.run.as_ref()?;
        let moment = self.shown_moment(run);
        let (known, truth) = run.truth.as_ref()?;
        let cycle = run.film.cycles().get(*known)?;
        let suggestion = truth.advice.suggestions.get(place)?;
        let facts = subject(run, moment).filter(|_| run.film.cycle_at(moment) == Some(*known))?;
        let (old, part) = text_of(run, Some(&facts));
        let text = amend::changed(&old, &part?, &suggestion.changes)?;
        let subject = cycle.pod.clone();
        let pod = subject.to_string();
        self.changed_for = Some(subject);
        Some(FromWorker::Applied { old, text, pod })
    }
}

/// The pod of the attempt at a moment.
fn subject(run: &Run, moment: usize) -> Option<Arc<PodFacts>> {
    let place = run.film.cycle_at(moment)?;
    run.film.cycles().get(place)?.facts.clone()
}

/// The text as it can be edited, and where in it the object behind a pod stands.
#[inline(never)]
fn text_of(run: &Run, pod: Option<&PodFacts>) -> (String, Option<Part>) {
    let text = match &run.text {
        Some(text) => text.to_string(),
        None => to_yaml(&run.scenario.to_json()),
    };
    // What came by a link has been written just now.
    let scenario = run.text.is_none().then(|| {
        let bytes = text.as_bytes();
        load(&[SourceText { name: "", bytes }]).scenario
    });
    let scenario = scenario.as_ref().unwrap_or(&run.scenario);
    let part = pod.and_then(|pod| part::find(&text, scenario, pod));
    (text, part)
}

fn opened(open: &Open, film: &Film, shot: &Shot) -> Option<Opened> {
    match open {
        Open::Telling => film.telling_cell(shot),
        Open::Cell { node, plugin } => Some(Opened::Cell {
            node: node.clone(),
            plugin: plugin.clone(),
        }),
        Open::Group { group } => Some(Opened::Group(group.clone())),
        Open::Whole { group } => Some(Opened::Whole(group.clone())),
    }
}

fn bad_link(error: &ShareError) -> FromWorker {
    FromWorker::BadLink {
        message: error.to_string().into(),
    }
}

/// Errors at their places; of very many the first ones.
fn wrongs<E: core::fmt::Display>(errors: &[berth_core::api::Located<E>]) -> (Vec<Wrong>, usize) {
    let shown = errors.iter().take(SHOWN).map(|error| Wrong {
        source: error.source.to_string(),
        line: error.line,
        column: error.column,
        path: error.path.to_string().into(),
        message: error.error.to_string().into(),
    });
    (shown.collect(), errors.len().saturating_sub(SHOWN))
}

/// Up to so many nodes every rule is asked about each; more would keep a person waiting.
const MOST_ASKED: usize = 300;
/// Nobody reads more at once.
const SHOWN: usize = 100;

#[cfg(test)]
mod tests;
