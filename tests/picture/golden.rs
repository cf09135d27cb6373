//! A few pictures as they are, so that a change in what is said or drawn is a difference that someone reads.

use berth_core::picture::alt::alt;
use berth_core::picture::palette::{Theme, Token};
use berth_core::picture::px::px;
use berth_core::picture::scene::{
    Action, Extent, Lang, Mark, Part, Role, Scene, Segment, Shape, View,
};
use berth_core::picture::svg::svg;
use berth_core::picture::{Film, Opened, Shot};
use expect_test::expect_file;

use crate::runs::{film, simulation};

fn shot(film: &Film, cycle: usize, lang: Lang, view: View) -> Shot {
    Shot {
        moment: film.cycles()[cycle - 1].end,
        title: String::from("shop"),
        seed: Some(7),
        lang,
        view,
        ..Shot::default()
    }
}

fn check(text: &str, expected: expect_test::ExpectFile) {
    expected.assert_eq(text);
}

#[test]
fn the_shop_in_words() {
    let film = film("real/shop/cluster.yaml");
    let english = film.scene(&shot(&film, 40, Lang::En, View::Story));
    check(&alt(&english.twin), expect_file!["golden/shop-40.en.txt"]);
    let chinese = film.scene(&shot(&film, 40, Lang::Zh, View::Story));
    check(&alt(&chinese.twin), expect_file!["golden/shop-40.zh.txt"]);
    let failed = film.scene(&shot(&film, 20, Lang::En, View::Story));
    check(&alt(&failed.twin), expect_file!["golden/shop-20.en.txt"]);
}

#[test]
fn the_narrator_of_every_cycle() {
    let film = film("real/shop/cluster.yaml");
    for (lang, expected) in [
        (Lang::En, expect_file!["golden/shop-narrator.en.txt"]),
        (Lang::Zh, expect_file!["golden/shop-narrator.zh.txt"]),
    ] {
        let mut text = String::new();
        for cycle in film.cycles() {
            let scene = film.scene(&shot(&film, cycle.number, lang, View::Story));
            text.push_str(&format!("{}: {}\n", cycle.number, scene.twin.sentence));
        }
        expected.assert_eq(&text);
    }
}

#[test]
fn preemption_in_words() {
    let film = film("cases/pre-pick-fewest/manifests.yaml");
    let mut shot = Shot::default();
    shot.moment = film.preemptions()[0] + 1;
    shot.moment = film
        .beat_at(shot.moment)
        .map_or(shot.moment, |beat| beat.to);
    let scene = film.scene(&shot);
    check(
        &alt(&scene.twin),
        expect_file!["golden/pre-pick-fewest.en.txt"],
    );
}

/// The two pictures of the README: a pod that lands, and why another one waits.
#[test]
fn the_shop_as_a_picture() {
    let film = film("real/shop/cluster.yaml");
    let why = why_of_the_shop(&film, Lang::En);
    check(
        &svg(&film.scene(&why), Theme::Light),
        expect_file!["golden/shop-20-why.svg"],
    );
    let scene = film.scene(&shot(&film, 40, Lang::En, View::Story));
    check(
        &svg(&scene, Theme::Light),
        expect_file!["golden/shop-40.svg"],
    );
}

/// Why a pod waits, as it is shown from the beginning.
fn why_of_the_shop(film: &Film, lang: Lang) -> Shot {
    let mut why = shot(film, 20, lang, View::Why);
    why.open = film.telling_cell(&why);
    why.truth = film.truth_at(why.moment, simulation("real/shop/cluster.yaml"));
    why
}

#[test]
fn why_a_pod_waits_in_words() {
    let film = film("real/shop/cluster.yaml");
    let mut why = why_of_the_shop(&film, Lang::En);
    let english = alt(&film.scene(&why).twin);
    check(&english, expect_file!["golden/shop-20-why.en.txt"]);
    let chinese = film.scene(&why_of_the_shop(&film, Lang::Zh));
    check(
        &alt(&chinese.twin),
        expect_file!["golden/shop-20-why.zh.txt"],
    );
    why.extent = Extent::SchedulerSaw;
    let seen = alt(&film.scene(&why).twin);
    let added = "; evaluated by Berth only: NodeResourcesFit would let it pass, InterPodAffinity would let it pass";
    let expected = english
        .replace("every rule: Whole truth", "every rule: Scheduler saw")
        .replace(added, "; not run: NodeResourcesFit, InterPodAffinity");
    assert_eq!(seen, expected);
}

#[test]
fn what_berth_evaluated_in_addition_is_hatched_or_not_there() {
    let film = film("real/shop/cluster.yaml");
    let mut why = why_of_the_shop(&film, Lang::En);
    let cells = |shot: &Shot| -> (usize, usize) {
        let figure = film.scene(shot).figure;
        let verdicts = figure
            .parts
            .iter()
            .filter(|part| part.role == Role::Verdict);
        let count = |has: fn(&Mark) -> bool| {
            let cells = verdicts.clone();
            cells.filter(|part| part.marks.iter().any(has)).count()
        };
        let is_ring =
            |mark: &Mark| matches!(mark.shape, Shape::Circle { radius, .. } if radius == px(2));
        let is_hatched = |mark: &Mark| matches!(mark.fill, Some(Token::Hatch(_)));
        (count(is_hatched), count(is_ring))
    };
    // Three nodes have a taint, and two rules after that one have something to check.
    assert_eq!(cells(&why), (6, 0));
    why.extent = Extent::SchedulerSaw;
    assert_eq!(cells(&why), (0, 6));
}

#[test]
fn two_runs_give_one_picture() {
    let (one, two) = (
        film("real/shop/cluster.yaml"),
        film("real/shop/cluster.yaml"),
    );
    for cycle in [1, 20, 40, 54] {
        let scenes = [&one, &two].map(|film| film.scene(&shot(film, cycle, Lang::En, View::Story)));
        assert_eq!(scenes[0], scenes[1]);
    }
}

/// Ninety nodes that lack memory, opened as in a hand and as on a desk: three of them, then all.
#[test]
fn an_opened_group_in_words() {
    let film = film("../static/scenarios/fleet-120.yaml");
    let in_hand = |lang, open| Shot {
        moment: film.telling_moment(None),
        width: px(390),
        height: px(844),
        lang,
        open: Some(open),
        ..Shot::default()
    };
    let fit = || String::from("NodeResourcesFit");
    let twin = |lang| alt(&film.twin(&in_hand(lang, Opened::Group(fit()))));
    check(
        &twin(Lang::En),
        expect_file!["golden/fleet-120-open.en.txt"],
    );
    check(
        &twin(Lang::Zh),
        expect_file!["golden/fleet-120-open.zh.txt"],
    );
}

/// What is opened stands below its group and moves nothing above it; all of a group are as many as its rope has threads.
#[test]
fn an_opened_group_leaves_the_others_in_their_places() {
    let film = film("../static/scenarios/fleet-120.yaml");
    for width in [390, 1440] {
        let shot = |open| Shot {
            moment: film.telling_moment(None),
            width: px(width),
            height: px(if width < 700 { 844 } else { 900 }),
            open,
            ..Shot::default()
        };
        let scene = |open| film.scene(&shot(open));
        let closed = scene(None);
        let ids: Vec<String> = film.openings(&shot(None)).groups;
        assert_eq!(ids.len(), 3, "{ids:?}");
        for (place, id) in ids.iter().enumerate() {
            let count = closed_count(&closed, id);
            let open = scene(Some(Opened::Group(id.clone())));
            let whole = scene(Some(Opened::Whole(id.clone())));
            assert_eq!(nodes(&open).len(), 3, "{id} at {width}");
            assert_eq!(nodes(&whole).len(), count, "{id} at {width}");
            assert_eq!(nodes(&whole)[..3], nodes(&open)[..]);
            assert!(part(&open, &format!("open/{id}/more")).action.is_some());
            assert_eq!(part(&open, "turn").marks, part(&closed, "turn").marks);
            for other in &ids[..=place] {
                let id = format!("rope/{other}");
                assert_eq!(
                    part(&open, &id).marks,
                    part(&closed, &id).marks,
                    "{id} at {width}"
                );
            }
            let head = part(&open, &format!("group/{id}"));
            assert_eq!(head.action, Some(Action::Close));
            assert!(
                whole.figure.frame.h > open.figure.frame.h || width > 700,
                "{id} at {width}"
            );
        }
    }
}

/// How many threads the rope of a group has.
fn closed_count(scene: &Scene, id: &str) -> usize {
    let rope = part(scene, &format!("rope/{id}"));
    let paths = rope.marks.iter().map(|mark| match &mark.shape {
        Shape::Path { segments } => segments
            .iter()
            .filter(|segment| matches!(segment, Segment::Move(_)))
            .count(),
        _ => 0,
    });
    paths.sum()
}

fn nodes(scene: &Scene) -> Vec<&str> {
    let parts = scene.figure.parts.iter();
    parts
        .filter_map(|part| part.id.strip_prefix("node/"))
        .collect()
}

fn part<'a>(scene: &'a Scene, id: &str) -> &'a Part {
    let mut parts = scene.figure.parts.iter();
    let found = parts.find(|part| part.id == id);
    found.unwrap_or_else(|| panic!("there is no {id}"))
}
