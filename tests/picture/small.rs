//! The small figures of the gallery: what a scenario looks like at the moment it opens at, in one line of text.
//!
//! The page draws them from the lines, which are few bytes. They are taken from the runs themselves; `UPDATE_EXPECT=1`
//! writes them anew, and the difference is there to be read.

use core::fmt::Write as _;
use std::collections::BTreeMap;

use berth_core::picture::Film;
use berth_core::picture::palette::Hue;
use berth_core::picture::timeline::Still;
use berth_core::picture::verdicts::{Row, Sift, Verdict};
use berth_tests::root;
use expect_test::expect_file;

use crate::runs::gallery;

/// More nodes are drawn as groups with one verdict.
const MOST_ROWS: usize = 12;
/// So many units is the widest node wide.
const WIDEST: i64 = 60;

#[test]
fn the_gallery_draws_each_scenario_as_it_opens() {
    let mut lines = String::new();
    for (name, film) in gallery() {
        writeln!(lines, "{name} {}", figure(&film)).expect("a text takes everything");
    }
    expect_file![root().join("web/src/engine/figures.txt")].assert_eq(&lines);
}

/// The pod in its turn, then each node or group of nodes: how many if not one, its verdict, its width, and what is on it.
fn figure(film: &Film) -> String {
    let failures = film.beats().iter().find(|beat| beat.is_failure());
    let end = film.beats().last().map_or(film.len(), |beat| beat.to);
    let moment = failures.map_or(end, |beat| beat.to);
    let still = film.at(moment);
    let place = film.cycle_at(moment).expect("some pod had its turn");
    let attempt = film.attempt(place, moment).expect("it is there");
    let sift = Sift::of(&still, Some(&attempt));
    let chosen = attempt.choice.map(|(choice, _, _)| choice.node.clone());
    let subject = still.pod(&attempt.pod.uid).expect("it is still there");
    let badge = film.cast().badge(&subject.facts.workload);
    let mut line = format!("{}{}", hue(badge.hue), badge.code);
    // Gates that cut nothing have no place in a small figure.
    let cutting: Vec<usize> = (0..sift.gates.len())
        .filter(|gate| {
            sift.rows
                .iter()
                .any(|row| row.verdict.gate() == Some(*gate))
        })
        .collect();
    let verdict = |row: &Row| match row.verdict {
        _ if Some(&row.node.name) == chosen.as_ref() => '*',
        Verdict::NotAsked => '-',
        Verdict::Passed => '.',
        Verdict::Rejected { gate, .. } => {
            let place = cutting.iter().position(|cutting| *cutting == gate);
            char::from(b'A' + u8::try_from(place.expect("it cuts")).expect("few gates"))
        }
    };
    if sift.rows.len() > MOST_ROWS {
        groups(&mut line, &still, &sift, verdict);
    } else {
        rows(&mut line, film, &still, &sift, verdict);
    }
    line
}

fn rows(
    line: &mut String,
    film: &Film,
    still: &Still,
    sift: &Sift,
    verdict: impl Fn(&Row) -> char,
) {
    let nodes = sift.rows.iter();
    let widest = nodes.map(|row| row.node.allocatable.milli_cpu).max();
    let widest = widest.expect("there are nodes");
    let by_node = still.by_node();
    for row in &sift.rows {
        let width = row.node.allocatable.milli_cpu * WIDEST / widest;
        write!(line, " {}{width}", verdict(row)).expect("a text takes everything");
        for pod in by_node.get(&row.node.name).into_iter().flatten() {
            let badge = film.cast().badge(&pod.facts.workload);
            let width = (pod.milli_cpu() * WIDEST / widest).max(1);
            write!(line, "{}{width}", hue(badge.hue)).expect("a text takes everything");
        }
    }
}

/// Nodes with one verdict as one: those that passed first, then the last gate's first. What of them is taken is one piece.
fn groups(line: &mut String, still: &Still, sift: &Sift, verdict: impl Fn(&Row) -> char) {
    let by_node = still.by_node();
    let mut groups: BTreeMap<char, (usize, i64, i64)> = BTreeMap::new();
    for row in &sift.rows {
        let pods = by_node.get(&row.node.name).into_iter().flatten();
        let taken: i64 = pods.map(|pod| pod.milli_cpu()).sum();
        let group = groups.entry(verdict(row)).or_default();
        *group = (
            group.0 + 1,
            group.1 + taken,
            group.2 + row.node.allocatable.milli_cpu,
        );
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by_key(|(verdict, _)| match verdict {
        '*' => 0,
        '.' => 1,
        '-' => u32::MAX,
        gate => 1000 - u32::from(*gate),
    });
    for (verdict, (count, taken, given)) in groups {
        let share = taken * WIDEST / given;
        write!(line, " {count}x{verdict}{WIDEST}z{share}").expect("a text takes everything");
    }
}

/// A workload's hue as a letter; `s` for what belongs to the system.
fn hue(hue: Hue) -> char {
    match hue {
        Hue::Workload(hue) => char::from(b'a' + hue),
        Hue::System => 's',
    }
}
