//! Every number that the picture says is the trace's: the text twin of every attempt of every example is read and compared
//! with the records that it was made from, and the last one with the report.

mod told;

use std::collections::BTreeMap;

use berth_core::framework::trace::{Place, Record};
use berth_core::picture::scene::{Lang, Piece, Scene, Twin, View};
use berth_core::picture::sentences::plain;
use berth_core::picture::{Film, Shot};
use berth_core::sim::{Report, ReportInput};
use berth_core::time::Timestamp;

use crate::runs::{film, gallery_names, simulation};
use told::{counts_of, integers, section};

/// A run with its records, as they came.
struct Run {
    film: Film,
    records: Vec<(Timestamp, Record)>,
    report: Report,
}

fn run(name: &str) -> Run {
    let mut simulation = simulation(name);
    let mut film = Film::default();
    let mut all = Vec::new();
    let mut records: Vec<(Timestamp, Record)> = Vec::new();
    while simulation.step(&mut records).is_some() {
        for (at, record) in records.drain(..) {
            all.push((at, record.clone()));
            film.push(at, record, simulation.scheduler().listers());
        }
    }
    film.settle_cast();
    Run {
        film,
        records: all,
        report: Report::of(&simulation, ReportInput::default()),
    }
}

impl Run {
    /// The records of each attempt, up to the next one's.
    fn attempts(&self) -> Vec<&[(Timestamp, Record)]> {
        let starts = self.records.iter().enumerate();
        let starts =
            starts.filter(|(_, (_, record))| matches!(record, Record::CycleStarted { .. }));
        let mut starts: Vec<usize> = starts.map(|(place, _)| place).collect();
        starts.push(self.records.len());
        starts
            .windows(2)
            .map(|pair| &self.records[pair[0]..pair[1]])
            .collect()
    }

    /// How many pods activeQ, backoffQ, unschedulable and gated hold when each attempt is over, counted from moves alone.
    fn queues(&self) -> Vec<[usize; 4]> {
        let mut places: BTreeMap<&str, Place> = BTreeMap::new();
        let mut ends = self.film.cycles().iter().map(|cycle| cycle.end).peekable();
        let (mut moment, mut counted) = (0, Vec::new());
        for (_, record) in &self.records {
            if let Record::Moved { pod, to, .. } = record {
                places.insert(&pod.uid, *to);
            }
            moment += usize::from(!matches!(record, Record::Metric(_)));
            if ends.peek() != Some(&moment) || matches!(record, Record::Metric(_)) {
                continue;
            }
            ends.next();
            let count = |of: &[Place]| places.values().filter(|place| of.contains(place)).count();
            counted.push([
                count(&[Place::Active]),
                count(&[Place::Backoff, Place::ErrorBackoff]),
                count(&[Place::Unschedulable]),
                count(&[Place::Gated]),
            ]);
        }
        counted
    }
}

fn shot(moment: usize, lang: Lang) -> Shot {
    Shot {
        lang,
        moment,
        ..Shot::default()
    }
}

fn scene(film: &Film, moment: usize, lang: Lang) -> Scene {
    film.scene(&shot(moment, lang))
}

#[test]
fn the_twin_of_every_attempt_of_every_example_says_what_the_trace_says() {
    let mut attempts = 0;
    for name in gallery_names() {
        let run = run(&format!("../static/scenarios/{name}.yaml"));
        let all = run.attempts();
        let queues = run.queues();
        assert_eq!(
            (all.len(), queues.len()),
            (run.film.cycles().len(), all.len()),
            "{name}"
        );
        for (place, (records, cycle)) in all.iter().zip(run.film.cycles()).enumerate() {
            let what = format!("{name}, cycle {}", cycle.number);
            let english = run.film.twin(&shot(cycle.end, Lang::En));
            check_gates(&what, records, &english);
            check_scores(&what, records, &english);
            check_sentence(&what, records, &english.sentence);
            check_queues(&what, queues[place], &english);
            // Of a thousand attempts that differ in little every ninth is read in the other language, too.
            if all.len() < 500 || place % 9 == 0 {
                same_numbers(&what, &english, &run.film.twin(&shot(cycle.end, Lang::Zh)));
            }
            attempts += 1;
        }
        check_report(&name, &run);
    }
    eprintln!("{attempts} attempts read");
    assert!(attempts > 300, "{attempts}");
}

/// How many nodes come to each plugin and leave it, as the search recorded them.
fn check_gates(what: &str, records: &[(Timestamp, Record)], twin: &Twin) {
    let searched = records.iter().rev().find_map(|(_, record)| match record {
        Record::Searched {
            visits,
            plugins,
            skipped,
            ..
        } => Some((visits, plugins, skipped)),
        _ => None,
    });
    let Some((visits, plugins, skipped)) = searched else {
        return;
    };
    let items = section(twin, "Filter").unwrap_or_else(|| panic!("{what}: no section"));
    let mut left = visits.len();
    for plugin in plugins {
        let item = items
            .iter()
            .rev()
            .find(|item| item.split(' ').next() == Some(plugin.0))
            .unwrap_or_else(|| panic!("{what}: {} is not told: {items:?}", plugin.0));
        if skipped.contains(plugin) {
            assert!(item.contains("skipped"), "{what}: {item}");
            continue;
        }
        let by = |status: &berth_core::framework::status::Status| status.plugin == Some(*plugin);
        let cut = visits
            .iter()
            .filter(|visit| visit.rejected.as_ref().is_some_and(by))
            .count();
        assert_eq!(counts_of(item), (left, left - cut), "{what}: {item}");
        left -= cut;
    }
    let passed = visits
        .iter()
        .filter(|visit| visit.rejected.is_none())
        .count();
    assert_eq!(left, passed, "{what}");
}

/// Totals, weights, normalised and raw scores, and the choice.
fn check_scores(what: &str, records: &[(Timestamp, Record)], twin: &Twin) {
    let chosen = records.iter().find_map(|(_, record)| match record {
        Record::Chosen { choice, .. } => Some(choice),
        _ => None,
    });
    let items = section(twin, "Score").unwrap_or_default();
    let Some(choice) = chosen else {
        assert_eq!(items, Vec::<String>::new(), "{what}");
        return;
    };
    let last = items.last().map(String::as_str);
    assert_eq!(
        last,
        Some(format!("Chosen: {}", choice.node).as_str()),
        "{what}"
    );
    let scored = records.iter().find_map(|(_, record)| match record {
        Record::Scored {
            nodes,
            columns,
            totals,
            ..
        } => Some((nodes, columns, totals)),
        _ => None,
    });
    let Some((nodes, columns, totals)) = scored else {
        return;
    };
    for (place, (node, total)) in nodes.iter().zip(totals).enumerate() {
        let head = format!("{node} {total}: ");
        let Some(item) = items.iter().find_map(|item| item.strip_prefix(&head)) else {
            // Of very many the best are told.
            assert!(
                nodes.len() > 12 && *total <= choice.score,
                "{what}: {head} in {items:?}"
            );
            continue;
        };
        let told: Vec<i64> = item.split(", ").flat_map(integers).collect();
        let recorded = columns.iter();
        let recorded: Vec<i64> = recorded
            .flat_map(|column| [column.weight, column.normalized[place], column.raw[place]])
            .collect();
        assert_eq!(told, recorded, "{what}: {item}");
    }
}

/// The narrator's own numbers: a failure adds up to all nodes, a tie is as large and as high as the choice says.
fn check_sentence(what: &str, records: &[(Timestamp, Record)], sentence: &str) {
    if let Some((parts, all)) = sentence
        .rsplit_once(". ")
        .and_then(|(_, sum)| sum.split_once(" = all "))
    {
        let parts = integers(parts);
        let all = integers(all);
        assert_eq!(
            Some(&parts.iter().sum::<i64>()),
            all.first(),
            "{what}: {sentence}"
        );
        let asked = records.iter().find_map(|(_, record)| match record {
            Record::CycleStarted { nodes, .. } => i64::try_from(*nodes).ok(),
            _ => None,
        });
        assert_eq!(all.first().copied(), asked, "{what}: {sentence}");
    }
    if let Some((_, tie)) = sentence.split_once(" left tie at ") {
        let choice = records.iter().find_map(|(_, record)| match record {
            Record::Chosen { choice, .. } => Some(choice),
            _ => None,
        });
        let score = choice.map(|choice| choice.score);
        assert_eq!(integers(tie).first().copied(), score, "{what}: {sentence}");
        assert!(
            choice.is_some_and(|choice| choice.tied.len() > 1),
            "{what}: {sentence}"
        );
    }
}

/// Both languages say the same numbers in the same order, section by section.
fn same_numbers(what: &str, english: &Twin, chinese: &Twin) {
    assert_eq!(english.sections.len(), chinese.sections.len(), "{what}");
    for (one, two) in english.sections.iter().zip(&chinese.sections) {
        if ["Filter", "Score", "Preemption"].contains(&one.heading.as_str()) {
            let numbers = |items: &[String]| -> Vec<Vec<i64>> {
                items
                    .iter()
                    .map(|item| {
                        let mut numbers = integers(item);
                        numbers.sort_unstable();
                        numbers
                    })
                    .collect()
            };
            assert_eq!(
                numbers(&one.items),
                numbers(&two.items),
                "{what}: {} {}",
                one.heading,
                two.heading
            );
        }
    }
}

fn check_queues(what: &str, expected: [usize; 4], twin: &Twin) {
    let items = section(twin, "Queues").expect("queues are always told");
    let told = items.iter().map(|item| {
        let after = item.split(' ').nth(1).unwrap_or_default();
        after
            .trim_end_matches(':')
            .parse::<usize>()
            .unwrap_or(usize::MAX)
    });
    let told: Vec<usize> = told.collect();
    assert_eq!(told, expected, "{what}: {items:?}");
}

/// In the end every node holds as many pods as the report says, and the header as many nodes and pods.
fn check_report(name: &str, run: &Run) {
    let scene = scene(&run.film, run.film.len(), Lang::En);
    let facts = integers(&scene.header.facts);
    let nodes = i64::try_from(run.report.nodes.len()).unwrap_or(-1);
    assert_eq!(
        facts.first(),
        Some(&nodes),
        "{name}: {}",
        scene.header.facts
    );
    let items = section(&scene.twin, "Nodes").expect("nodes are always told");
    if items.len() != run.report.nodes.len() {
        // Many nodes are told by zone.
        let told: i64 = items
            .iter()
            .filter_map(|item| integers(item.rsplit("; ").next()?).first().copied())
            .sum();
        let placed: usize = run.report.nodes.iter().map(|node| node.pods).sum();
        assert_eq!(
            told,
            i64::try_from(placed).unwrap_or(-1),
            "{name}: {items:?}"
        );
        return;
    }
    for node in &run.report.nodes {
        let head = format!("{}: ", node.name);
        let item = items.iter().find(|item| item.starts_with(&head));
        let item = item.unwrap_or_else(|| panic!("{name}: {} is not told", node.name));
        let pods = item.rsplit("; ").next().unwrap_or_default();
        let count = if pods == "none" {
            0
        } else {
            pods.split(", ").count()
        };
        assert_eq!(count, node.pods, "{name}: {item}");
    }
}

#[test]
fn the_narrator_is_short_and_marks_little() {
    for name in [
        "real/shop/cluster.yaml",
        "real/mixed-150/cluster.yaml",
        "real/timeline-304/cluster.yaml",
    ] {
        let film = film(name);
        for beat in film.beats().iter().step_by(5) {
            let caption = scene(&film, beat.to, Lang::En).caption;
            let text = plain(&caption.said.pieces);
            assert!(text.chars().count() <= 240, "{name}: {text}");
            assert!(!text.contains("successfully"), "{text}");
            let marked = caption.said.pieces.iter();
            let marked = marked.filter(|piece| matches!(piece, Piece::Marked { .. }));
            assert!(marked.count() <= 3, "{name}: {text}");
        }
    }
}

#[test]
fn every_view_tells_the_same() {
    let film = film("real/shop/cluster.yaml");
    for cycle in film.cycles().iter().step_by(7) {
        let twins = [View::Story, View::Everything, View::Open].map(|view| {
            let shot = Shot {
                view,
                moment: cycle.end,
                ..Shot::default()
            };
            film.scene(&shot).twin.sections
        });
        assert_eq!(twins[0], twins[1], "cycle {}", cycle.number);
        assert_eq!(twins[0], twins[2], "cycle {}", cycle.number);
    }
}
