//! What holds at every event of every example, whatever is shown of it.

use std::collections::BTreeSet;

use berth_core::picture::scene::{Lang, Panel, View};
use berth_core::picture::timeline::BeatKind;
use berth_core::picture::{Film, Shot};

use crate::runs::{film, gallery};

/// Examples with more events than this are looked at here and there.
const MOST_EVENTS: usize = 300;

/// A page that finds two parts under one name leaves one of them behind when the moment changes.
#[test]
fn every_part_has_a_name_of_its_own() {
    for (name, film) in gallery() {
        let wide = Shot::default();
        let small = Shot {
            width: berth_core::picture::px::px(390),
            height: berth_core::picture::px::px(844),
            ..Shot::default()
        };
        for event in film
            .beats()
            .iter()
            .step_by(stride(&film).max(film.beats().len() / 30))
        {
            for view in [View::Story, View::Everything, View::Why] {
                for form in [&wide, &small] {
                    let scene = film.scene(&Shot {
                        view,
                        moment: event.to,
                        ..form.clone()
                    });
                    let at = format!("{name} at {} in {view:?}, {} wide", event.to, form.width.0);
                    for panel in [Some(&scene.figure), scene.aside.as_ref(), Some(&scene.axis)] {
                        panel.into_iter().for_each(|panel| all_differ(panel, &at));
                    }
                }
            }
        }
    }
}

fn stride(film: &Film) -> usize {
    film.beats().len().div_ceil(MOST_EVENTS).max(1)
}

fn all_differ(panel: &Panel, at: &str) {
    let mut seen = BTreeSet::new();
    for part in &panel.parts {
        assert!(
            seen.insert(&part.id),
            "{at}: two parts are called {:?}",
            part.id
        );
    }
}

#[test]
fn the_narrator_knows_what_happened_at_every_event() {
    for (name, film) in gallery() {
        for event in film.beats().iter().step_by(stride(&film)) {
            let twin = |lang| {
                film.twin(&Shot {
                    lang,
                    moment: event.to,
                    ..Shot::default()
                })
            };
            let said = twin(Lang::En).sentence;
            let at = format!("{name} at {}, {:?}: {said}", event.to, event.kind);
            assert!(!said.contains("Nothing has happened"), "{at}");
            assert!(!said.contains('?') && !said.contains("{"), "{at}");
            assert!(!twin(Lang::Zh).sentence.contains('?'), "{at}");
            let chosen = event
                .cycle
                .and_then(|cycle| film.attempt(cycle, event.to))
                .is_some_and(|attempt| attempt.choice.is_some());
            assert!(!chosen || !said.contains("fits on no node"), "{at}");
        }
    }
}

/// A binding whose volumes take their time ends when other pods have had their turns.
#[test]
fn a_late_binding_is_told_of_its_own_pod() {
    let film = film("../static/scenarios/shop.yaml");
    let last = film.beats().last().expect("something happened");
    assert_eq!(last.kind, BeatKind::Bound);
    let said = |moment| {
        film.twin(&Shot {
            moment,
            ..Shot::default()
        })
        .sentence
    };
    assert_eq!(said(film.len()), "pg-1 is now on ip-10-0-1-15.");
    let mut of_pod = film.beats().iter().filter(|beat| {
        beat.pod.as_ref().is_some_and(|pod| &*pod.name == "pg-1")
            && beat.kind == BeatKind::Reserving
    });
    let reserved = of_pod.next().expect("its node is reserved");
    assert!(
        said(reserved.to).starts_with("pg-1 goes to ip-10-0-1-15."),
        "{}",
        said(reserved.to)
    );
}
