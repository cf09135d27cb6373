//! A few pictures as they are, so that a change in what is said or drawn is a difference that someone reads.

use berth_core::picture::alt::alt;
use berth_core::picture::palette::Theme;
use berth_core::picture::scene::{Lang, View};
use berth_core::picture::svg::svg;
use berth_core::picture::{Film, Shot};
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
    let mut why = shot(&film, 20, Lang::En, View::Why);
    why.open = film.telling_cell(&why);
    why.truth = film.truth_at(why.moment, simulation("real/shop/cluster.yaml"));
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
