//! The example plugin in a cluster: a scenario that names it, run by the simulator.

use berth_core::plugins;
use berth_core::sim::{Limits, PodState, Report, ReportInput, SourceText, load, prepare};
use berth_example_plugin::register;

const SCENARIO: &str = r#"
apiVersion: berth/v1
kind: Scenario
metadata: {name: racks}
spec:
  schedulerConfiguration:
    apiVersion: kubescheduler.config.k8s.io/v1
    kind: KubeSchedulerConfiguration
    profiles:
      - schedulerName: default-scheduler
        plugins:
          multiPoint:
            enabled: [{name: RackAware, weight: 10}]
        pluginConfig:
          - name: RackAware
            args: {racks: [r1, r2], preferLabel: example.com/free-slots}
  objects:
    - {kind: Node, apiVersion: v1, metadata: {name: few, labels: {example.com/rack: r1, example.com/free-slots: "2"}},
       status: {allocatable: {cpu: "2", memory: 4Gi, pods: "110"}}}
    - {kind: Node, apiVersion: v1, metadata: {name: many, labels: {example.com/rack: r2, example.com/free-slots: "9"}},
       status: {allocatable: {cpu: "2", memory: 4Gi, pods: "110"}}}
    - {kind: Node, apiVersion: v1, metadata: {name: elsewhere, labels: {example.com/rack: r3, example.com/free-slots: "50"}},
       status: {allocatable: {cpu: "8", memory: 32Gi, pods: "110"}}}
    - group: {count: 3, name: "web-{i}"}
      template: {kind: Pod, apiVersion: v1, spec: {containers: [{name: web, image: web:1,
        resources: {requests: {cpu: 1500m}}}]}}
  timeline:
    - {at: 10s, patch: {kind: Node, name: elsewhere, patch: {metadata: {labels: {example.com/rack: r1}}}}}
"#;

fn run() -> Report {
    let loaded = load(&[SourceText {
        name: "racks.yaml",
        bytes: SCENARIO.as_bytes(),
    }]);
    assert_eq!(loaded.errors.len(), 0, "{:?}", loaded.errors);
    let mut registry = plugins::in_tree();
    register(&mut registry).expect("the name is free");
    let prepared = prepare(&loaded, None, Limits::PAGE, &registry);
    let mut simulation = prepared.expect("the scenario can be run").simulation;
    simulation.run(&mut ());
    Report::of(&simulation, ReportInput::default())
}

#[test]
fn a_plugin_from_outside_decides_in_a_simulated_cluster() {
    let report = run();
    let placed: Vec<_> = report
        .pods
        .iter()
        .map(|pod| (pod.name.as_str(), pod.node.as_deref(), pod.attempts))
        .collect();
    // The most free slots first. The third pod waits until the label changes, which the hint lets through.
    assert_eq!(
        placed,
        [
            ("web-0", Some("many"), 1),
            ("web-1", Some("few"), 1),
            ("web-2", Some("elsewhere"), 2),
        ]
    );
    assert!(report.pods.iter().all(|pod| pod.state == PodState::Bound));
    let waited = &report
        .events
        .iter()
        .find(|event| event.reason == "FailedScheduling");
    let note = &waited.expect("the third pod waited").note;
    assert!(
        note.starts_with(
            "0/3 nodes are available: 1 node(s) were not in an allowed rack, 2 Insufficient cpu."
        ),
        "{note}"
    );
    assert_eq!(run().digest, report.digest);
}
