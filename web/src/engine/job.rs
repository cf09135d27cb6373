//! How a text becomes a run, piece by piece, so that it can be stopped.

use std::sync::Arc;

use berth_core::api::Located;
use berth_core::framework::trace::Record;
use berth_core::picture::cast::Cast;
use berth_core::picture::timeline::Film;
use berth_core::plugins;
use berth_core::sim::{
    InputError, Limits, LinkView, Loaded, Prepared, Report, ReportInput, Scenario, Simulation,
    SourceText, Warning, load, locate, prepare,
};
use berth_core::time::Timestamp;

use crate::protocol::{FromWorker, RunFacts, Wrong};

use super::{moment, wrongs};

/// Where a text came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// A file, a paste or an example.
    File,
    /// The editor.
    Editor,
    /// A link.
    Link,
}

/// A run under way.
pub(super) struct Job {
    name: String,
    text: Option<Arc<str>>,
    source: Source,
    view: LinkView,
    scenario: Scenario,
    warnings: Vec<Warning>,
    simulation: Simulation,
    film: Film,
    /// Records between two inputs; kept for its memory.
    records: Vec<(Timestamp, Record)>,
}

/// A run that is over.
pub(super) struct Done {
    pub(super) scenario: Scenario,
    pub(super) film: Film,
    pub(super) facts: RunFacts,
    pub(super) text: Option<Arc<str>>,
    view: LinkView,
}

impl Job {
    /// Reads a text. What is wrong with it comes back as a message.
    pub(super) fn read(
        name: String,
        text: Arc<str>,
        source: Source,
        cast: Cast,
    ) -> Result<Self, FromWorker> {
        Self::read_with(name, text, source, cast, LinkView::default())
    }

    /// Reads a text of which a link says what to show.
    pub(super) fn read_with(
        name: String,
        text: Arc<str>,
        source: Source,
        cast: Cast,
        view: LinkView,
    ) -> Result<Self, FromWorker> {
        if text.contains('\0') {
            return Err(unfit(name, source, NO_TEXT));
        }
        let sources = [SourceText {
            name: &name,
            bytes: text.as_bytes(),
        }];
        let loaded = load(&sources);
        let refuse = |errors: &[Located<InputError>]| refused(errors, source);
        if !loaded.errors.is_empty() {
            return Err(refuse(&loaded.errors));
        }
        if loaded.scenario.objects.is_empty() && loaded.scenario.timeline.is_empty() {
            return Err(unfit(name, source, NOTHING));
        }
        let prepared = start(&loaded).map_err(|errors| refuse(&errors))?;
        let rejected = prepared.simulation.refused();
        if !rejected.is_empty() {
            return Err(refuse(&locate(rejected, &sources)));
        }
        let text = (text.len() <= LARGEST_EDITED).then_some(text);
        let mut job = Self::new(name, text, source, loaded.scenario, prepared, cast);
        job.view = view;
        Ok(job)
    }

    /// Takes the scenario of a link.
    pub(super) fn of(scenario: Scenario, view: LinkView) -> Result<Self, FromWorker> {
        let loaded = Loaded {
            scenario,
            ..Loaded::default()
        };
        let source = Source::Link;
        let prepared = start(&loaded).map_err(|errors| refused(&errors, source))?;
        let name = title_of(&loaded.scenario).unwrap_or_default();
        let mut job = Self::new(
            name,
            None,
            source,
            loaded.scenario,
            prepared,
            Cast::default(),
        );
        job.view = view;
        Ok(job)
    }

    fn new(
        name: String,
        text: Option<Arc<str>>,
        source: Source,
        scenario: Scenario,
        prepared: Prepared,
        cast: Cast,
    ) -> Self {
        Self {
            name,
            text,
            source,
            view: LinkView::default(),
            scenario,
            warnings: prepared.warnings,
            simulation: prepared.simulation,
            film: Film::with_cast(cast),
            records: Vec::new(),
        }
    }

    /// Gives the scheduler so many inputs at most; says whether the run is over.
    pub(super) fn go_on(&mut self, inputs: usize) -> bool {
        for _ in 0..inputs {
            let step = self.simulation.step(&mut self.records);
            let listers = self.simulation.scheduler().listers();
            for (at, record) in self.records.drain(..) {
                self.film.push(at, record, listers);
            }
            if step.is_none() {
                return true;
            }
        }
        self.film.settle_cast();
        false
    }

    /// Inputs so far; of how many nobody knows.
    pub(super) const fn progress(&self) -> (u64, u64) {
        (self.simulation.steps(), 0)
    }

    /// The pod that the link selects.
    fn selected_pod(&self) -> Option<String> {
        let selection = self.view.selection.as_deref()?;
        selection.strip_prefix("pod/").map(str::to_owned)
    }

    /// What came of the run.
    pub(super) fn finish(mut self) -> Result<Done, FromWorker> {
        self.film.settle_cast();
        let pod = self.selected_pod();
        let input = ReportInput {
            seed: self.scenario.seed,
            warnings: self.warnings,
        };
        let report = Report::of(&self.simulation, input);
        let found = report.warnings.len();
        let warnings = report
            .warnings
            .into_iter()
            .take(SHOWN)
            .map(|warning| Wrong {
                source: warning.source,
                path: warning.path.into(),
                message: warning.message.into(),
                ..Wrong::default()
            });
        let mut warnings: Vec<Wrong> = warnings.collect();
        warnings.extend(self.view.time.as_deref().and_then(no_moment));
        let beats = self.film.beats().iter();
        let facts = RunFacts {
            name: title_of(&self.scenario).unwrap_or_else(|| self.name.clone()),
            called: self.name,
            moments: moment::end(&self.film),
            end_micros: self.film.end().as_micros(),
            nodes: report.nodes.len(),
            pods: report.pods.len(),
            cycles: self.film.cycles().iter().map(|cycle| cycle.end).collect(),
            failures: beats
                .filter(|beat| beat.is_failure())
                .map(|beat| beat.to)
                .collect(),
            digest: report.digest,
            warnings,
            more_warnings: found.saturating_sub(SHOWN),
            is_edit: self.source == Source::Editor,
            is_editable: self.text.is_some() || self.source == Source::Link,
            view: self.view.view.clone(),
            pod,
        };
        Ok(Done {
            scenario: self.scenario,
            film: self.film,
            facts,
            text: self.text,
            view: self.view,
        })
    }
}

impl Done {
    /// The moment that is shown first: the link's, the one that was shown before an edit, the first failure, or the end.
    pub(super) fn first_moment(&self, kept: Option<usize>) -> usize {
        let end = moment::end(&self.film);
        if let Some(linked) = moment::linked(&self.film, &self.view) {
            return linked;
        }
        match kept.filter(|_| self.facts.is_edit) {
            Some(kept) => moment::near(&self.film, kept),
            None => self.facts.failures.first().copied().unwrap_or(end),
        }
    }
}

/// What a scenario calls itself, if it does.
fn title_of(scenario: &Scenario) -> Option<String> {
    let mut names = [&scenario.title, &scenario.name].into_iter();
    names.find(|name| !name.is_empty()).cloned()
}

pub(super) fn start(loaded: &Loaded) -> Result<Prepared, Vec<Located<InputError>>> {
    prepare(loaded, None, Limits::PAGE, &plugins::in_tree())
}

fn refused(errors: &[Located<InputError>], source: Source) -> FromWorker {
    let (errors, more) = wrongs(errors);
    FromWorker::Errors {
        errors,
        more,
        is_edit: source == Source::Editor,
    }
}

/// What is said of a link's moment that is none.
#[inline(never)]
fn no_moment(time: &str) -> Option<Wrong> {
    let is_one = moment::instant(time).is_some();
    (!is_one).then(|| Wrong {
        source: "link".to_owned(),
        path: format!("t={time}").into(),
        message: NO_MOMENT.to_owned().into(),
        ..Wrong::default()
    })
}

/// A file that is no cluster at all.
fn unfit(name: String, source: Source, message: &str) -> FromWorker {
    let wrong = Wrong {
        source: name,
        message: message.to_owned().into(),
        ..Wrong::default()
    };
    FromWorker::Errors {
        errors: vec![wrong],
        more: 0,
        is_edit: source == Source::Editor,
    }
}

const NO_MOMENT: &str = "no moment in seconds from 0, such as 4.2: ignored";
const NO_TEXT: &str = "this is no text; expected YAML or JSON";
const NOTHING: &str = "there is nothing in it; expected nodes and pods, as kubectl get nodes,pods -A -o yaml prints them";
/// A text field becomes slow with more.
const LARGEST_EDITED: usize = 1_000_000;
const SHOWN: usize = 200;
