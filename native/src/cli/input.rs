//! Files into runs: what every subcommand reads in the same way.

use std::fs;
use std::io::{self, Read};

use berth_core::api::Located;
use berth_core::config::legacy::Policy;
use berth_core::num::span_of_seconds;
use berth_core::plugins;
use berth_core::rng::Seed;
use berth_core::sim::{
    self, InputError, LATEST_END, Limits, Loaded, Prepared, Refusal, Report, ReportInput, Scenario,
    Simulation, SourceText, Warning, Written, load, load_configuration, load_events,
};
use berth_core::time::Span;

use crate::error::Error;

/// A file that was read.
#[derive(Clone)]
pub(crate) struct File {
    name: String,
    bytes: Vec<u8>,
}

impl File {
    /// Reads a file; `-` is standard input.
    pub(crate) fn read(name: &str) -> Result<Self, Error> {
        let read = || {
            if name == "-" {
                let mut bytes = Vec::new();
                io::stdin().read_to_end(&mut bytes)?;
                Ok(bytes)
            } else {
                fs::read(name)
            }
        };
        let bytes = read().map_err(|error| Error::File {
            name: name.to_owned(),
            error,
        })?;
        Ok(Self {
            name: name.to_owned(),
            bytes,
        })
    }

    /// A text that comes from elsewhere, with the name that errors begin with.
    #[cfg(feature = "cluster")]
    pub(crate) const fn of_text(name: String, bytes: Vec<u8>) -> Self {
        Self { name, bytes }
    }

    /// Its text with its name.
    pub(crate) fn source(&self) -> SourceText<'_> {
        SourceText {
            name: &self.name,
            bytes: &self.bytes,
        }
    }
}

/// What a run is made of, as the arguments say.
#[derive(Default)]
pub(crate) struct Request<'a> {
    pub(crate) files: &'a [String],
    /// What was captured from a cluster; before the files.
    pub(crate) captured: Option<File>,
    pub(crate) config: Option<&'a str>,
    pub(crate) events: Option<&'a str>,
    pub(crate) seed: Option<u64>,
    pub(crate) until: Option<Span>,
}

/// A run that can start, with the scenario and the texts it was read from.
pub(crate) struct Run {
    pub(crate) prepared: Prepared,
    pub(crate) scenario: Scenario,
    /// The names of all files that were read.
    pub(crate) names: Vec<String>,
    files: Vec<File>,
}

impl Run {
    /// What the API server refused so far, at its places.
    pub(crate) fn refused(&self) -> Vec<Located<InputError>> {
        self.locate(self.prepared.simulation.refused())
    }

    /// What was found in the input and in the course of a run from here to its end, without what was refused in it: that is
    /// said as what it is.
    pub(crate) fn warnings(&self, end: &Simulation) -> Vec<Warning> {
        let mut warnings = self.prepared.warnings.clone();
        let found = Report::of(end, ReportInput::default()).warnings;
        warnings.extend(found.into_iter().skip(end.refused().len()));
        warnings
    }

    fn locate(&self, refused: &[Refusal]) -> Vec<Located<InputError>> {
        let sources: Vec<_> = self.files.iter().map(File::source).collect();
        sim::locate(refused, &sources)
    }

    /// What the API server refused in the course of the run is wrong input, too, although the rest went on.
    pub(crate) fn check_refused(&self) -> Result<(), Error> {
        self.check(self.prepared.simulation.refused())
    }

    /// The same for a run that went on from this one.
    pub(crate) fn check(&self, refused: &[Refusal]) -> Result<(), Error> {
        if refused.is_empty() {
            return Ok(());
        }
        Err(Error::Input(self.locate(refused)))
    }
}

/// Reads everything and makes a run of it, or says everything that is wrong.
pub(crate) fn prepare(request: &Request<'_>) -> Result<Run, Error> {
    let mut names = request.files.to_vec();
    names.extend(
        [request.events, request.config]
            .into_iter()
            .flatten()
            .map(str::to_owned),
    );
    check_standard_input(&names)?;
    let mut files: Vec<File> = request.captured.clone().into_iter().collect();
    files.extend(read_all(request.files)?);
    let sources: Vec<_> = files.iter().map(File::source).collect();
    let mut loaded = load(&sources);
    if let Some(name) = request.events {
        let events = File::read(name)?;
        load_events(&mut loaded, events.source());
        files.push(events);
    }
    if let Some(seed) = request.seed {
        loaded.scenario.seed = Seed(seed);
    }
    if let Some(until) = request.until {
        loaded.scenario.until = Some(until);
    }
    let configuration = read_configuration(request.config, &mut names)?;
    if !loaded.errors.is_empty() {
        // What can be read may be wrong, too: say all of it at once.
        return Err(Error::Input(all_errors(&loaded, &files)));
    }
    let registry = plugins::in_tree();
    let prepared = sim::prepare(
        &loaded,
        configuration.as_ref(),
        Limits::COMMAND_LINE,
        &registry,
    )?;
    let run = Run {
        prepared,
        scenario: loaded.scenario,
        names,
        files,
    };
    run.check_refused()?;
    Ok(run)
}

fn check_standard_input(names: &[String]) -> Result<(), Error> {
    if names.iter().filter(|name| *name == "-").count() > 1 {
        return Err(Error::Usage(
            "standard input can be read once only; expected one -".to_owned(),
        ));
    }
    Ok(())
}

fn read_all(names: &[String]) -> Result<Vec<File>, Error> {
    names.iter().map(|name| File::read(name)).collect()
}

/// Reads a configuration, and the Policy that it points at, whose name goes to those of the files that were read.
fn read_configuration(
    name: Option<&str>,
    names: &mut Vec<String>,
) -> Result<Option<Written>, Error> {
    let Some(name) = name else { return Ok(None) };
    let file = File::read(name)?;
    let mut written = load_configuration(file.source())?;
    if let Some(path) = written.policy_file() {
        written.policy = Some(read_policy(&path)?);
        names.push(path);
    }
    Ok(Some(written))
}

/// Reads the Policy in a file that a configuration of the oldest version points at.
pub(crate) fn read_policy(path: &str) -> Result<Policy, Error> {
    let file = File::read(path)?;
    let source = file.source();
    Ok(Policy::read_text(source.name, source.bytes)?)
}

/// What cannot be read, and what the API server refuses of the rest.
fn all_errors(loaded: &Loaded, files: &[File]) -> Vec<Located<InputError>> {
    let mut errors = loaded.errors.clone();
    let registry = plugins::in_tree();
    if let Ok(prepared) = sim::prepare(loaded, None, Limits::COMMAND_LINE, &registry) {
        let sources: Vec<_> = files.iter().map(File::source).collect();
        errors.extend(sim::locate(prepared.simulation.refused(), &sources));
        errors.sort_by_key(|error| (error.source.clone(), error.line, error.column));
    }
    errors
}

/// Reads a duration as the command line and scenarios write it: `90s`, `1m30s`, or a number of seconds.
pub(crate) fn parse_span(text: &str) -> Result<Span, String> {
    let seconds = || text.parse().ok().and_then(span_of_seconds);
    let span = Span::parse(text).ok().or_else(seconds);
    span.filter(|span| !span.is_negative()).ok_or_else(|| {
        "expected a duration such as 1m30s, or a number of seconds, 0 or more".to_owned()
    })
}

/// Reads when a run is to end.
pub(crate) fn parse_until(text: &str) -> Result<Span, String> {
    let until = parse_span(text)?;
    if until > LATEST_END {
        return Err("expected at most 8760h, a year".to_owned());
    }
    Ok(until)
}
