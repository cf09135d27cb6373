//! Texts are never cut off, never lie on each other, and nothing is drawn through or over them: on any canvas, in any view
//! and language. The page's own test does the same with a browser's fonts; this one looks at many more moments.

mod reach;

use std::collections::BTreeMap;

use berth_core::picture::px::{Px, px};
use berth_core::picture::scene::{Extent, Lang, Scene, View};
use berth_core::picture::{Film, Opened, Shot};

use crate::runs::{film, gallery, simulation};
use reach::faults_in;

const WIDTHS: [i32; 5] = [1440, 1024, 768, 390, 840];
const VIEWS: [View; 4] = [View::Story, View::Everything, View::Why, View::Open];

/// Every `stride`-th event of a film, on every canvas.
fn check(name: &str, film: &Film, stride: usize) {
    let beats: Vec<usize> = film.beats().iter().map(|beat| beat.to).collect();
    let mut faults: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut combination = 0;
    for moment in beats.iter().step_by(stride) {
        for lang in [Lang::En, Lang::Zh] {
            // Each moment on one canvas in each view: together they see all of them.
            for view in VIEWS {
                combination += 1;
                let width = WIDTHS[combination % WIDTHS.len()];
                let scene = shoot(film, *moment, view, width, lang);
                for fault in faults_of(&scene) {
                    let told = format!("{view:?} {width} {lang:?} @{moment}: {fault}");
                    faults.entry(kind_of(&fault)).or_default().push(told);
                }
            }
        }
    }
    let told = faults
        .values()
        .map(|alike| format!("{} like {}", alike.len(), alike[0]));
    let told: Vec<String> = told.collect();
    assert!(told.is_empty(), "{name}:\n{}", told.join("\n"));
}

/// What faults have in common that differ only in names and numbers.
fn kind_of(fault: &str) -> String {
    let mut kind = String::new();
    let mut is_quoted = false;
    for word in fault.split(' ') {
        let quotes = word.matches('"').count();
        if !is_quoted && quotes == 0 {
            kind.push_str(word.split('/').next().unwrap_or_default());
            kind.push(' ');
        }
        is_quoted ^= quotes % 2 == 1;
    }
    kind.retain(|c| !c.is_ascii_digit());
    kind
}

fn shot_of(moment: usize, view: View, width: i32, lang: Lang) -> Shot {
    Shot {
        view,
        width: px(width),
        height: px(if width < 700 { 844 } else { 900 }),
        lang,
        moment,
        ..Shot::default()
    }
}

/// As the page asks for it, and every third time as paper is.
fn shoot(film: &Film, moment: usize, view: View, width: i32, lang: Lang) -> Scene {
    let mut shot = Shot {
        title: String::from("shop"),
        seed: Some(7),
        has_controls: !moment.is_multiple_of(3),
        ..shot_of(moment, view, width, lang)
    };
    shot.open = match view {
        View::Why => film.telling_cell(&shot),
        _ => first_group(&film.scene(&shot)),
    };
    film.scene(&shot)
}

/// The first group of folded rows, to be opened.
fn first_group(scene: &Scene) -> Option<Opened> {
    use berth_core::picture::scene::Action;
    let actions = scene
        .figure
        .parts
        .iter()
        .filter_map(|part| part.action.as_ref());
    actions
        .filter_map(|action| match action {
            Action::OpenGroup { group } => Some(Opened::Group(group.clone())),
            _ => None,
        })
        .next()
}

fn faults_of(scene: &Scene) -> Vec<String> {
    let mut faults = Vec::new();
    let panels = [
        ("header", Some(&scene.header.panel)),
        ("caption", Some(&scene.caption.panel)),
        ("figure", Some(&scene.figure)),
        ("aside", scene.aside.as_ref()),
        ("axis", Some(&scene.axis)),
    ];
    for (name, panel) in panels {
        if let Some(panel) = panel {
            faults.extend(
                faults_in(panel)
                    .into_iter()
                    .map(|fault| format!("{name}: {fault}")),
            );
        }
    }
    if scene.size.w != scene.axis.frame.w.max(Px::ZERO) {
        faults.push(String::from("the axis is not as wide as the canvas"));
    }
    faults
}

#[test]
fn texts_of_the_shop_have_room() {
    check("shop", &film("real/shop/cluster.yaml"), 3);
}

#[test]
fn texts_beside_a_group_opened_whole_have_room() {
    let film = film("../static/scenarios/fleet-120.yaml");
    let moment = film.telling_moment(None);
    for (place, width) in WIDTHS.into_iter().enumerate() {
        for view in [View::Story, View::Everything] {
            let lang = [Lang::En, Lang::Zh][place % 2];
            let mut shot = shot_of(moment, view, width, lang);
            let Some(Opened::Group(group)) = first_group(&film.scene(&shot)) else {
                panic!("{width}: no group opens");
            };
            shot.open = Some(Opened::Whole(group));
            let faults = faults_of(&film.scene(&shot));
            assert!(faults.is_empty(), "{view:?} at {width}: {faults:?}");
        }
    }
}

#[test]
fn texts_of_suggested_changes_have_room() {
    for name in ["shop", "fleet-120", "three-queues", "spread-zones"] {
        let file = format!("../static/scenarios/{name}.yaml");
        let film = film(&file);
        let moment = film.telling_moment(None);
        let truth = film.truth_at(moment, simulation(&file));
        for (place, width) in WIDTHS.into_iter().enumerate() {
            let mut shot = Shot {
                view: View::Why,
                width: px(width),
                moment,
                lang: [Lang::En, Lang::Zh][place % 2],
                truth: truth.clone(),
                // As the page asks for it, and as paper is.
                has_controls: place != 1,
                can_apply: place != 1,
                ..Shot::default()
            };
            shot.open = film.telling_cell(&shot);
            for extent in [Extent::WholeTruth, Extent::SchedulerSaw] {
                shot.extent = extent;
                let faults = faults_of(&film.scene(&shot));
                assert!(faults.is_empty(), "{name} at {width}: {faults:?}");
            }
        }
    }
}

#[test]
fn texts_of_folded_clusters_have_room() {
    check("mixed-25", &film("real/mixed-25/cluster.yaml"), 11);
    check("mixed-150", &film("real/mixed-150/cluster.yaml"), 29);
}

#[test]
fn texts_of_timelines_have_room() {
    for number in [302, 303, 304, 308, 310, 318] {
        let name = format!("real/timeline-{number}/cluster.yaml");
        check(&name, &film(&name), 13);
    }
}

#[test]
fn texts_of_preemption_have_room() {
    for case in [
        "pre-fewest-victims",
        "pre-basic-grace",
        "pre-pdb-avoid",
        "pre-pdb-slots",
        "pre-affinity-to-victim",
        "pre-pick-fewest",
        "q-gated",
        "q-pop-from-backoff",
    ] {
        check(case, &film(&format!("cases/{case}/manifests.yaml")), 1);
    }
}

#[test]
fn texts_of_the_gallery_have_room() {
    for (name, film) in gallery() {
        // Many nodes take their time, and look alike.
        let looks = if film.last().nodes().len() > 300 {
            3
        } else {
            16
        };
        let stride = (film.beats().len() / looks).max(1);
        check(&name, &film, stride);
    }
}
