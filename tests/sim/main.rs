//! Seeded simulation: clusters, arrivals, changes, losses and faults drawn from one number, checked after every input.
//!
//! `BERTH_SEEDS=10000 cargo test --profile checked --test sim` runs ten thousand; 64 run by default. A failing seed is
//! named, and `BERTH_SEED=N` runs it alone.

use std::collections::BTreeMap;
use std::env;

use berth_core::config::{Configuration, PluginSet};
use berth_core::framework::status::Code;
use berth_core::framework::trace::{MoveCause, Place, Record};
use berth_core::plugins;
use berth_core::sim::{Simulation, SourceText, load};
use berth_core::time::Timestamp;
use berth_tests::{checkers, seeds};

fn simulation(seed: u64, config: Configuration) -> Simulation {
    let text = serde_json::to_string(&seeds::scenario(seed)).expect("a document is text");
    let source = SourceText {
        name: "seed",
        bytes: text.as_bytes(),
    };
    let loaded = load(&[source]);
    assert!(loaded.errors.is_empty(), "seed {seed}: {:?}", loaded.errors);
    Simulation::new(&loaded.scenario, config, &plugins::in_tree())
        .expect("the configuration is right")
}

/// How often what happened in all runs: a simulation in which nothing happens proves nothing.
#[derive(Debug, Default)]
struct Tally(BTreeMap<&'static str, usize>);

impl Tally {
    fn count(&mut self, record: &Record) {
        let what = match record {
            Record::Bound { .. } => "bound",
            Record::Failed {
                code: Code::Error, ..
            } => "failed with an error",
            Record::Failed { .. } => "found no node",
            Record::Evicting { .. } => "evicted",
            Record::Forgotten { .. } => "forgotten",
            Record::Moved {
                cause:
                    MoveCause::Event {
                        was_in_flight: true,
                        ..
                    },
                ..
            } => "moved by an event during the attempt",
            Record::Moved {
                cause: MoveCause::Event { .. },
                ..
            } => "moved by an event",
            Record::Moved {
                cause: MoveCause::UnschedulableTimeout,
                ..
            } => "moved by the timeout",
            Record::Moved {
                to: Place::Gated, ..
            } => "gated",
            _ => return,
        };
        *self.0.entry(what).or_default() += 1;
    }
}

/// Runs a seed to its end; the first thing that is wrong, or the digest.
fn run(seed: u64, config: Configuration, tally: &mut Tally) -> Result<String, String> {
    let mut simulation = simulation(seed, config);
    let mut records: Vec<(Timestamp, Record)> = Vec::new();
    while let Some(step) = simulation.step(&mut records) {
        let faults = checkers::check(&simulation, &records);
        if !faults.is_empty() {
            let faults = faults.join("\n  ");
            return Err(format!(
                "seed {seed}, at {:?} after {:?}:\n  {faults}",
                step.at, step.input
            ));
        }
        records.iter().for_each(|(_, record)| tally.count(record));
        records.clear();
    }
    let lost = checkers::lost_pods(&simulation);
    if !lost.is_empty() {
        return Err(format!("seed {seed}, at the end:\n  {}", lost.join("\n  ")));
    }
    Ok(simulation.digest())
}

fn seeds_to_run() -> Vec<u64> {
    let number = |name: &str| {
        env::var(name)
            .ok()
            .and_then(|value| value.parse::<u64>().ok())
    };
    match number("BERTH_SEED") {
        Some(seed) => vec![seed],
        None => (0..number("BERTH_SEEDS").unwrap_or(64)).collect(),
    }
}

#[test]
fn every_seed_keeps_the_invariants_loses_nothing_and_repeats() {
    let mut tally = Tally::default();
    let failures: Vec<String> = seeds_to_run()
        .into_iter()
        .filter_map(|seed| {
            let first = run(seed, Configuration::default(), &mut tally);
            match first {
                Err(fault) => Some(fault),
                Ok(digest) if seed % 8 == 0 => {
                    let again = run(seed, Configuration::default(), &mut tally);
                    (again.as_ref() != Ok(&digest))
                        .then(|| format!("seed {seed} gave {digest}, then {again:?}"))
                }
                Ok(_) => None,
            }
        })
        .collect();
    eprintln!("{} seeds: {:?}", seeds_to_run().len(), tally.0);
    assert!(
        failures.is_empty(),
        "{} of {} seeds failed:\n{}",
        failures.len(),
        seeds_to_run().len(),
        failures
            .iter()
            .take(5)
            .cloned()
            .collect::<Vec<_>>()
            .join("\n")
    );
}

/// A scheduler that does not look at resources must be caught: otherwise the checkers see nothing.
#[test]
fn the_canary_is_caught() {
    let mut config = Configuration::default();
    config.profiles[0].plugins.filter = PluginSet {
        disabled: vec!["NodeResourcesFit".to_string()],
        ..PluginSet::default()
    };
    let caught = (0..16).find_map(|seed| run(seed, config.clone(), &mut Tally::default()).err());
    let fault = caught.expect("a scheduler that overfills nodes is noticed");
    assert!(fault.contains("over its allocatable"), "{fault}");
}
