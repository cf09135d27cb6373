//! What tests of the simulation have in common: a run made of text.

use alloc::string::String;
use alloc::vec::Vec;

use super::{Limits, Loaded, Simulation, SourceText, load, prepare};
use crate::api::{Kind, Object, Pod};
use crate::plugins;

/// Reads a text that must be right.
pub(super) fn read(text: &str) -> Loaded {
    let loaded = load(&[SourceText {
        name: "test",
        bytes: text.as_bytes(),
    }]);
    assert!(loaded.errors.is_empty(), "{:?}", loaded.errors);
    loaded
}

/// A run that can start.
pub(super) fn simulation(text: &str) -> Simulation {
    let prepared = prepare(&read(text), None, Limits::PAGE, &plugins::in_tree());
    match prepared {
        Ok(prepared) => prepared.simulation,
        Err(errors) => panic!("{errors:?}"),
    }
}

/// A run at its end.
pub(super) fn finished(text: &str) -> Simulation {
    let mut simulation = simulation(text);
    simulation.run(&mut ());
    assert!(
        simulation.refused().is_empty(),
        "{:?}",
        simulation.refused()
    );
    simulation
}

/// The pods that are there, by name.
pub(super) fn pods(simulation: &Simulation) -> Vec<Pod> {
    let pods = simulation.world().list(Kind::Pod);
    pods.filter_map(|object| match object {
        Object::Pod(pod) => Some(Pod::clone(pod)),
        _ => None,
    })
    .collect()
}

/// The names of the pods that are there, and the nodes they are on.
pub(super) fn placements(simulation: &Simulation) -> Vec<(String, String)> {
    let pods = pods(simulation).into_iter();
    pods.map(|pod| (pod.metadata.name, pod.spec.node_name))
        .collect()
}

/// A node with room for ten pods, 4 cores and 8 GiB.
pub(super) const NODE: &str = r#"{"apiVersion":"v1","kind":"Node","metadata":{"name":"n1"},"status":{"allocatable":{"cpu":"4","memory":"8Gi","pods":"10"}}}"#;
