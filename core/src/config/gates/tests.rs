use alloc::string::ToString;

use super::{Gate, Gates, Stage};

#[track_caller]
fn refused(text: &str, expected: &str) {
    let error = Gates::parse(text).expect_err("this is refused");
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_gates_number_is_its_line() {
    assert_eq!(Gate::all().count(), Gate::COUNT);
    for (i, gate) in Gate::all().enumerate() {
        assert_eq!(gate as usize, i, "{gate}");
        assert_eq!(Gate::from_name(gate.name()), Some(gate));
        assert_eq!(alloc::format!("{gate:?}"), gate.name());
    }
}

#[test]
fn defaults_are_those_of_1_36() {
    let gates = Gates::default();
    assert!(gates.enabled(Gate::SchedulerAsyncPreemption));
    assert!(!gates.enabled(Gate::SchedulerAsyncAPICalls));
    assert!(!gates.enabled(Gate::DRADeviceTaintRules));
    assert!(gates.enabled(Gate::DRAPrioritizedList));
    assert!(!gates.enabled(Gate::GenericWorkload));
    for gate in Gate::all() {
        let is_alpha = gate.stage() == Stage::Alpha;
        assert!(!(is_alpha && gates.enabled(gate)), "{gate}");
        assert!(
            gate.stage() != Stage::Locked || gates.enabled(gate),
            "{gate}"
        );
    }
    assert_eq!(gates.changed().count(), 0);
}

#[test]
fn text_sets_gates() {
    let gates =
        Gates::parse("kube:StorageCapacityScoring=t, SchedulerPopFromBackoffQ=False,").unwrap();
    assert!(gates.enabled(Gate::StorageCapacityScoring));
    assert!(!gates.enabled(Gate::SchedulerPopFromBackoffQ));
    assert_eq!(
        gates.to_string(),
        "SchedulerPopFromBackoffQ=false,StorageCapacityScoring=true"
    );
    assert_eq!(Gates::parse(""), Ok(Gates::default()));
    assert_eq!(Gates::parse("SidecarContainers=true"), Ok(Gates::default()));
}

#[test]
fn a_default_value_is_taken_even_where_there_is_no_choice() {
    assert_eq!(
        Gates::parse("GenericWorkload=false,DRAPartitionableDevices=true"),
        Ok(Gates::default())
    );
}

#[test]
fn mistakes_are_named() {
    refused("Foo=true", "unrecognized feature gate: Foo");
    refused(
        "NodeDeclaredFeatures",
        "missing bool value for NodeDeclaredFeatures",
    );
    refused(
        "NodeDeclaredFeatures=yes",
        "invalid value of NodeDeclaredFeatures=yes, err: strconv.ParseBool: parsing \"yes\": invalid syntax; \
         expected true or false",
    );
    refused(
        "SidecarContainers=false",
        "cannot set feature gate SidecarContainers to false, feature is locked to true",
    );
    refused(
        "SchedulerAsyncAPICalls=true",
        "cannot set feature gate SchedulerAsyncAPICalls to true: Berth has only the behaviour of \
         SchedulerAsyncAPICalls=false",
    );
}

#[test]
fn a_gate_needs_its_requirement() {
    refused(
        "GangScheduling=true",
        "[cannot set feature gate GangScheduling to true: Berth has only the behaviour of GangScheduling=false, \
         GangScheduling is enabled, but depends on features that are disabled: [GenericWorkload]]",
    );
}

#[test]
fn every_mistake_is_reported_at_once() {
    refused(
        "A,B=1,C=x",
        "[missing bool value for A, invalid value of C=x, err: strconv.ParseBool: parsing \"x\": invalid syntax; \
         expected true or false, unrecognized feature gate: B]",
    );
}

#[test]
fn a_group_sets_what_is_not_named() {
    let gates = Gates::from_settings([("AllBeta", true)]);
    let text = gates.expect_err("not every beta gate is built").to_string();
    assert!(text.contains("CoordinatedLeaderElection"), "{text}");
    assert_eq!(
        Gates::from_settings([("AllAlpha", false)]),
        Ok(Gates::default())
    );
}

#[test]
fn a_scenario_names_gates_in_a_map() {
    let read = |value| Gates::read_value(&value).map_err(|error| error.to_string());
    let gates = read(serde_json::json!({"StorageCapacityScoring": true})).unwrap();
    assert!(gates.enabled(Gate::StorageCapacityScoring));
    assert_eq!(
        read(serde_json::json!({"StorageCapacityScoring": "yes"})).unwrap_err(),
        "StorageCapacityScoring: \"yes\" was found; expected true or false"
    );
    assert_eq!(
        read(serde_json::json!({"Nothing": true})).unwrap_err(),
        "unrecognized feature gate: Nothing"
    );
}
