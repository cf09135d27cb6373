//! The smallest changes that are named beside a waiting pod are enough: each is made to the pod in the cluster's own
//! objects, the changed cluster is run from its beginning, and the pod's first attempt places it where it was said to fit.

use std::sync::Arc;

use berth_core::api::{Object, Pod};
use berth_core::explain::{Advice, Change, Whose};
use berth_core::picture::Film;
use berth_core::sim::{Action, Content, Entry, Loaded, SourceText, load};

use crate::runs::{gallery_names, loaded, run, simulation_of};

/// A pod's first attempt, and what was found beside it.
struct Case {
    namespace: String,
    pod: String,
    chosen: Option<Arc<str>>,
    advice: Advice,
}

/// The first attempt of every pod, those that room was made for by preemption left out.
fn cases(film: &Film, loaded: &Loaded) -> Vec<Case> {
    let mut simulation = simulation_of(loaded);
    let mut again = Film::default();
    let mut cases = Vec::new();
    let mut seen = Vec::new();
    for (place, span) in film.cycles().iter().enumerate() {
        let attempt = film.attempt(place, usize::MAX).expect("it was tried");
        let is_first = !seen.contains(&span.pod.uid);
        seen.push(span.pod.uid.clone());
        while again.len() <= span.start && again.step(&mut simulation).is_some() {}
        let was_asked = !attempt.pre_filter.is_empty() || attempt.search.is_some();
        if !is_first || !was_asked {
            continue;
        }
        let truth = film.truth(place, simulation.scheduler());
        cases.push(Case {
            namespace: span.pod.namespace.to_string(),
            pod: span.pod.name.to_string(),
            chosen: attempt.choice.map(|(choice, _, _)| choice.node.clone()),
            advice: truth.expect("the profile is there").advice,
        });
    }
    cases
}

fn entries(loaded: &mut Loaded) -> impl Iterator<Item = &mut Entry> {
    let scenario = &mut loaded.scenario;
    let later = scenario.timeline.iter_mut();
    let later = later.filter_map(|entry| match &mut entry.action {
        Action::Apply(entries) => Some(entries),
        _ => None,
    });
    scenario.objects.iter_mut().chain(later.flatten())
}

/// The pod of a case among the objects; none if a controller makes it.
fn object<'a>(loaded: &'a mut Loaded, case: &Case) -> Option<&'a mut Pod> {
    entries(loaded).find_map(|entry| match &mut entry.content {
        Content::Object(Object::Pod(pod))
            if pod.metadata.name == case.pod && pod.metadata.namespace == case.namespace =>
        {
            Some(Arc::make_mut(pod))
        }
        _ => None,
    })
}

/// Where the pod's first attempt places it when its object is changed; none if it has no object of its own.
fn placed(name: &str, case: &Case, changes: &[Change]) -> Option<Option<Arc<str>>> {
    let mut loaded = loaded(name);
    let pod = object(&mut loaded, case)?;
    for change in changes {
        change.apply(pod);
    }
    let film = run(simulation_of(&loaded));
    let is_it = |pod: &berth_core::snapshot::PodRef| {
        *pod.name == *case.pod && *pod.namespace == *case.namespace
    };
    let place = film.cycles().iter().position(|span| is_it(&span.pod))?;
    let attempt = film.attempt(place, usize::MAX)?;
    Some(attempt.choice.map(|(choice, _, _)| choice.node.clone()))
}

#[test]
fn a_change_that_is_suggested_places_the_pod_when_the_changed_cluster_is_run() {
    let mut names: Vec<String> = gallery_names();
    names.retain(|name| name != "fleet-1000");
    let names = names
        .into_iter()
        .map(|name| format!("../static/scenarios/{name}.yaml"));
    let mut tried = 0;
    let mut kinds = Vec::new();
    for name in names.chain([String::from("real/shop/cluster.yaml")]) {
        let loaded = loaded(&name);
        let film = run(simulation_of(&loaded));
        for case in cases(&film, &loaded) {
            if case.chosen.is_some() {
                assert_eq!(case.advice, Advice::default(), "{name}: {} fits", case.pod);
                continue;
            }
            for suggestion in &case.advice.suggestions {
                let Some(node) = placed(&name, &case, &suggestion.changes) else {
                    continue;
                };
                let told = format!("{name}: {} with {:?}", case.pod, suggestion.changes);
                let node = node.unwrap_or_else(|| panic!("{told} is placed nowhere"));
                assert!(suggestion.nodes.contains(&node), "{told} is on {node}");
                tried += 1;
                for kind in suggestion.changes.iter().map(core::mem::discriminant) {
                    if !kinds.contains(&kind) {
                        kinds.push(kind);
                    }
                }
            }
        }
    }
    let kinds = kinds.len();
    assert!(tried >= 8 && kinds >= 3, "{tried} tried, {kinds} kinds");
}

#[test]
fn a_change_that_was_dropped_does_not_do() {
    let name = "real/shop/cluster.yaml";
    let loaded = loaded(name);
    let film = run(simulation_of(&loaded));
    let mut tried = 0;
    for case in cases(&film, &loaded) {
        for (change, reason) in &case.advice.dropped {
            if let Some(node) = placed(name, &case, core::slice::from_ref(change)) {
                assert_eq!(node, None, "{} with {change:?}, not {reason}", case.pod);
                tried += 1;
            }
        }
    }
    assert!(tried >= 1);
}

#[test]
fn asking_less_is_said_of_the_container_that_decides_and_places_the_pod() {
    let cases = [
        // An init container is larger than all that run together.
        (
            "containers: [{name: main, image: main, resources: {requests: {cpu: 100m}}}], \
             initContainers: [{name: setup, image: main, resources: {requests: {cpu: '3'}}}]",
            Whose::InitContainer(String::from("setup")),
        ),
        // Two containers, of which one can bear it.
        (
            "containers: [{name: main, image: main, resources: {requests: {cpu: 500m}}}, \
             {name: large, image: main, resources: {requests: {cpu: '2'}}}]",
            Whose::Container(String::from("large")),
        ),
    ];
    for (spec, whose) in cases {
        let text = format!(
            "{{apiVersion: v1, kind: Node, metadata: {{name: node-1}}, status: {{allocatable: {{cpu: '2', memory: 4Gi, pods: '9'}}}}}}\n\
             ---\n{{apiVersion: v1, kind: Pod, metadata: {{name: pod-1, namespace: default}}, spec: {{{spec}}}}}\n"
        );
        let source = SourceText {
            name: "two.yaml",
            bytes: text.as_bytes(),
        };
        let mut read = load(&[source]);
        assert!(read.errors.is_empty(), "{:?}", read.errors);
        let found = cases_of(&read);
        let [suggestion] = found.advice.suggestions.as_slice() else {
            panic!("{:?}", found.advice);
        };
        let [Change::Ask { to, cuts, .. }] = suggestion.changes.as_slice() else {
            panic!("{suggestion:?}");
        };
        assert_eq!((*to, cuts.len()), (2000, 1));
        assert_eq!(cuts[0].whose, whose);
        let pod = object(&mut read, &found).expect("it is an object of its own");
        suggestion.changes[0].apply(pod);
        assert!(cases_of(&read).chosen.is_some(), "{suggestion:?}");
    }
}

/// The first attempt of the only pod.
fn cases_of(loaded: &Loaded) -> Case {
    let film = run(simulation_of(loaded));
    cases(&film, loaded).remove(0)
}
