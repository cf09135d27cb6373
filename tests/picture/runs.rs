//! Films of the clusters and cases that others' tests run, too.

use std::fs;
use std::path::PathBuf;

use berth_core::picture::Film;
use berth_core::plugins;
use berth_core::sim::{Limits, Loaded, Simulation, SourceText, load, load_events, prepare};
use berth_core::time::Span;
use berth_tests::root;

/// A file below `tests` as it is read, with the timeline beside it if there is one.
pub(crate) fn loaded(name: &str) -> Loaded {
    let path: PathBuf = root().join("tests").join(name);
    let read = |path: &PathBuf| fs::read(path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    let bytes = read(&path);
    let mut loaded = load(&[SourceText {
        name,
        bytes: &bytes,
    }]);
    let events = path.with_file_name("events.yaml");
    if events.exists() {
        let bytes = read(&events);
        load_events(
            &mut loaded,
            SourceText {
                name: "events.yaml",
                bytes: &bytes,
            },
        );
        loaded.scenario.until = Some(Span::from_secs(26));
    }
    loaded
}

/// A simulation of what was read.
pub(crate) fn simulation_of(loaded: &Loaded) -> Simulation {
    let registry = plugins::in_tree();
    let prepared = prepare(loaded, None, Limits::COMMAND_LINE, &registry);
    prepared.expect("the input is right").simulation
}

/// A simulation of a file below `tests`.
pub(crate) fn simulation(name: &str) -> Simulation {
    simulation_of(&loaded(name))
}

/// The film of a simulation to its end.
pub(crate) fn run(mut simulation: Simulation) -> Film {
    let mut film = Film::default();
    film.run(&mut simulation);
    film
}

/// The film of a run to its end.
pub(crate) fn film(name: &str) -> Film {
    run(simulation(name))
}

/// The examples that come with the page, by name.
pub(crate) fn gallery_names() -> Vec<String> {
    let folder = root().join("static/scenarios");
    let entries = fs::read_dir(&folder).expect("the gallery is there");
    let mut names: Vec<String> = entries
        .filter_map(|entry| Some(entry.ok()?.path().file_stem()?.to_str()?.to_owned()))
        .collect();
    names.sort();
    assert!(names.len() >= 8, "{names:?}");
    names
}

/// Their films.
pub(crate) fn gallery() -> impl Iterator<Item = (String, Film)> {
    gallery_names().into_iter().map(|name| {
        let film = film(&format!("../static/scenarios/{name}.yaml"));
        (name, film)
    })
}
