//! `berth render`: one moment of a run as a picture, or as the text that stands for it.

use std::path::Path;

use berth_core::picture::alt::alt;
use berth_core::picture::palette::Theme;
use berth_core::picture::px::px;
use berth_core::picture::scene::{Extent, Lang, View};
use berth_core::picture::svg::svg;
use berth_core::picture::{Film, Fold, Opened, Shot};
use berth_core::time::{Span, Timestamp};

use crate::error::Error;

use super::input::{self, Request};
use super::output;

/// Print one moment of a run as a picture, or as its alternative text
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    berth render cluster.yaml --svg > picture.svg\n  \
    berth render cluster.yaml --svg --view why --pod api-7d9f --theme dark > why.svg\n  \
    berth render cluster.yaml --alt --at 4.2s")]
pub(crate) struct Arguments {
    /// Scenarios, or plain Kubernetes files; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    #[command(flatten)]
    form: Form,
    /// The instant to show, in simulated time; otherwise one that is worth it
    #[arg(long, value_name = "DUR", value_parser = input::parse_span, allow_hyphen_values = true, conflicts_with_all = ["cycle", "pod"])]
    at: Option<Span>,
    /// Show the end of this scheduling cycle
    #[arg(long, value_name = "N", conflicts_with = "pod")]
    cycle: Option<usize>,
    /// Show the last attempt of this pod that failed, or its last attempt; name or namespace/name
    #[arg(long, value_name = "POD")]
    pod: Option<String>,
    /// How much of the figure to unfold
    #[arg(long, value_enum, default_value_t)]
    view: ViewArgument,
    /// What to open in place: a group of nodes, or a cell as NODE/PLUGIN
    #[arg(long, value_name = "WHAT")]
    open: Option<String>,
    /// In the why view, show only what kube-scheduler evaluated; otherwise also, hatched, what every other rule says when
    /// Berth asks it
    #[arg(long)]
    scheduler_saw: bool,
    /// The colours
    #[arg(long, value_enum, default_value_t)]
    theme: ThemeArgument,
    /// The language
    #[arg(long, value_enum, default_value_t)]
    lang: LangArgument,
    /// The width of the canvas in pixels; below 700 it is laid out for a phone
    #[arg(long, value_name = "PX", default_value_t = 1440, value_parser = clap::value_parser!(i32).range(320..=4000))]
    width: i32,
    /// The height to lay out for; the picture is higher if it must be
    #[arg(long, value_name = "PX", value_parser = clap::value_parser!(i32).range(200..=10000))]
    height: Option<i32>,
    /// A KubeSchedulerConfiguration, or an old Policy, to use instead of the scenario's
    #[arg(long, value_name = "FILE")]
    config: Option<String>,
    /// A list of later changes, in the form of a scenario's timeline
    #[arg(long, value_name = "FILE")]
    events: Option<String>,
    /// What randomness starts from
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// When to stop, in simulated time; otherwise when nothing more can change, after 1h at the latest; 8760h at most
    #[arg(long, value_name = "DUR", value_parser = input::parse_until, allow_hyphen_values = true)]
    until: Option<Span>,
}

#[derive(clap::Args)]
#[group(required = true, multiple = false)]
struct Form {
    /// As an SVG picture that needs nothing else
    #[arg(long)]
    svg: bool,
    /// As text
    #[arg(long)]
    alt: bool,
    /// As the data that the page draws from
    #[arg(long, hide = true)]
    json: bool,
}

#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
enum ViewArgument {
    /// What happened, in as few marks as tell it
    #[default]
    Story,
    /// Every plugin, every number, the record
    Everything,
    /// As the story, with nodes folded by verdict
    Mid,
    /// Why a pod waits: every node by every rule
    Why,
    /// Stopped at a failure, with a question
    Open,
}

#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
enum ThemeArgument {
    #[default]
    Light,
    Dark,
}

#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
enum LangArgument {
    #[default]
    En,
    Zh,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Error> {
    let mut run = input::prepare(&Request {
        files: &arguments.files,
        captured: None,
        config: arguments.config.as_deref(),
        events: arguments.events.as_deref(),
        seed: arguments.seed,
        until: arguments.until,
    })?;
    let start = run.prepared.simulation.clone();
    let mut film = Film::default();
    film.run(&mut run.prepared.simulation);
    let mut shot = shot(arguments, &film, run.scenario.seed.0)?;
    if arguments.scheduler_saw && shot.view != View::Why {
        return Err(Error::Usage(String::from(
            "--scheduler-saw: only the why view has a cell for each rule and node; expected --view why with it",
        )));
    }
    if shot.view == View::Why {
        shot.truth = film.truth_at(shot.moment, start);
        if shot.open.is_none() {
            shot.open = film.telling_cell(&shot);
        }
    }
    check_opening(&film, &shot)?;
    let scene = film.scene(&shot);
    let theme = match arguments.theme {
        ThemeArgument::Light => Theme::Light,
        ThemeArgument::Dark => Theme::Dark,
    };
    if arguments.form.alt {
        output::print(&alt(&scene.twin))
    } else if arguments.form.json {
        output::print(&output::to_json(&scene))
    } else {
        output::print(&svg(&scene, theme))
    }?;
    output::print_warnings(&run.warnings(&run.prepared.simulation));
    run.check_refused()
}

/// Refuses to open what is not there at that moment, and says what is.
fn check_opening(film: &Film, shot: &Shot) -> Result<(), Error> {
    let Some(open) = &shot.open else {
        return Ok(());
    };
    let there = film.openings(shot);
    if there.contains(open) {
        return Ok(());
    }
    let name = match open {
        Opened::Group(id) | Opened::Whole(id) => id.clone(),
        Opened::Cell { node, plugin } => format!("{node}/{plugin}"),
    };
    let some = |names: &[String]| output::some(names.iter().map(String::as_str));
    Err(Error::Usage(format!(
        "--open {name}: there is nothing of that name at this moment; expected a group ({}), or NODE/PLUGIN with a node ({}) \
         and a plugin ({})",
        some(&there.groups),
        some(&there.nodes),
        some(&there.plugins)
    )))
}

fn shot(arguments: &Arguments, film: &Film, seed: u64) -> Result<Shot, Error> {
    let (view, fold) = match arguments.view {
        ViewArgument::Story => (View::Story, Fold::ByCount),
        ViewArgument::Everything => (View::Everything, Fold::ByCount),
        ViewArgument::Mid => (View::Story, Fold::Always),
        ViewArgument::Why => (View::Why, Fold::ByCount),
        ViewArgument::Open => (View::Open, Fold::ByCount),
    };
    let height = arguments
        .height
        .unwrap_or(if arguments.width < 700 { 844 } else { 900 });
    Ok(Shot {
        view,
        width: px(arguments.width),
        height: px(height),
        lang: match arguments.lang {
            LangArgument::En => Lang::En,
            LangArgument::Zh => Lang::Zh,
        },
        moment: moment(arguments, film, view)?,
        title: title(&arguments.files),
        seed: Some(seed),
        fold,
        extent: if arguments.scheduler_saw {
            Extent::SchedulerSaw
        } else {
            Extent::WholeTruth
        },
        open: arguments.open.as_deref().map(opened),
        ..Shot::default()
    })
}

/// The moment that was asked for, or one that is worth showing in the view.
fn moment(arguments: &Arguments, film: &Film, view: View) -> Result<usize, Error> {
    if let Some(at) = arguments.at {
        return Ok(film.moment_at(Timestamp::ZERO + at));
    }
    if let Some(number) = arguments.cycle {
        let cycle = number
            .checked_sub(1)
            .and_then(|place| film.cycles().get(place));
        return cycle.map(|cycle| cycle.end).ok_or_else(|| {
            Error::Usage(format!(
                "--cycle {number}: the run has {} cycles; expected a number from 1 on",
                film.cycles().len()
            ))
        });
    }
    if let Some(pod) = &arguments.pod {
        let is_known = film
            .cycles()
            .iter()
            .any(|cycle| *cycle.pod.name == **pod || cycle.pod.to_string() == *pod);
        if !is_known {
            return Err(Error::Usage(format!(
                "--pod {pod}: no pod of this name was tried; expected NAME or NAMESPACE/NAME"
            )));
        }
        return Ok(film.telling_moment(Some(pod)));
    }
    Ok(match view {
        View::Why | View::Open => film.telling_moment(None),
        _ => film
            .telling_placement()
            .unwrap_or_else(|| film.telling_moment(None)),
    })
}

/// `NODE/PLUGIN` is a cell; anything else a group.
fn opened(what: &str) -> Opened {
    match what.rsplit_once('/') {
        Some((node, plugin)) if !node.contains('/') => Opened::Cell {
            node: node.to_owned(),
            plugin: plugin.to_owned(),
        },
        _ => Opened::Group(what.to_owned()),
    }
}

/// The scenario's name: the file's, or its folder's where the file is called as all of its kind are.
fn title(files: &[String]) -> String {
    let Some(first) = files.first() else {
        return String::new();
    };
    let path = Path::new(first);
    let stem = |path: &Path| {
        path.file_stem()
            .map(|stem| stem.to_string_lossy().into_owned())
    };
    let name = stem(path).unwrap_or_default();
    if matches!(name.as_str(), "cluster" | "input" | "scenario") {
        return path.parent().and_then(stem).unwrap_or(name);
    }
    if name == "-" { String::new() } else { name }
}
