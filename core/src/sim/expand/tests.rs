//! Groups become objects.

use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use crate::api::Object;
use crate::sim::testing::read;
use crate::sim::{InputError, Limits, check_limits, expand};

#[test]
fn a_group_numbers_its_objects_and_deals_out_zones() {
    let loaded = read(
        r#"{"apiVersion":"berth/v1","kind":"Scenario","spec":{"objects":[
            {"group":{"count":4,"name":"node-{i}","zones":["a","b","c"]},
             "template":{"apiVersion":"v1","kind":"Node","metadata":{"labels":{"rack":"r{i}"}}}}]}}"#,
    );
    let (placed, refused) = expand(&loaded.scenario.objects);
    assert_eq!(refused, []);
    let described: Vec<_> = placed
        .iter()
        .map(|placed| {
            let metadata = placed.object.metadata();
            let zone = &metadata.labels["topology.kubernetes.io/zone"];
            format!("{} {} {zone}", metadata.name, metadata.labels["rack"])
        })
        .collect();
    assert_eq!(
        described,
        ["node-0 r0 a", "node-1 r1 b", "node-2 r2 c", "node-3 r3 a"]
    );
}

#[test]
fn a_template_keeps_its_own_zone() {
    let loaded = read(
        r#"{"group":{"count":1,"name":"n","zones":["a"]},"template":{"apiVersion":"v1","kind":"Node",
            "metadata":{"labels":{"topology.kubernetes.io/zone":"z"}}}}"#,
    );
    let (placed, _) = expand(&loaded.scenario.objects);
    let labels = &placed[0].object.metadata().labels;
    assert_eq!(labels["topology.kubernetes.io/zone"], "z");
}

#[test]
fn a_wrong_template_is_refused_once_at_its_place() {
    let loaded = read(
        r#"{"apiVersion":"berth/v1","kind":"Scenario","spec":{"objects":[
            {"group":{"count":3,"name":"p-{i}"},
             "template":{"apiVersion":"v1","kind":"Pod","spec":{"containers":1}}}]}}"#,
    );
    let (placed, refused) = expand(&loaded.scenario.objects);
    assert_eq!(placed, []);
    let [refusal] = refused.as_slice() else {
        panic!("{refused:?}")
    };
    assert_eq!(refusal.origin.line, 3);
    assert_eq!(refusal.fault.path.to_string(), "spec.containers");
}

#[test]
fn limits_count_what_groups_and_controllers_will_make() {
    let check = |objects: &str| {
        let text = format!(
            r#"{{"apiVersion":"berth/v1","kind":"Scenario","spec":{{"objects":[{objects}]}}}}"#
        );
        check_limits(&read(&text).scenario, Limits::PAGE).map_err(|error| error.error)
    };
    let node = r#""template":{"apiVersion":"v1","kind":"Node"}"#;
    assert_eq!(
        check(&format!(r#"{{"group":{{"count":5000}},{node}}}"#)),
        Ok(())
    );
    let too_many = |what, found, limit| Err(InputError::TooMany { what, found, limit });
    assert_eq!(
        check(&format!(r#"{{"group":{{"count":5001}},{node}}}"#)),
        too_many("nodes", 5_001, 5_000)
    );
    let deployment = r#"{"group":{"count":1000},"template":{"apiVersion":"apps/v1","kind":"Deployment","spec":{"replicas":51}}}"#;
    assert_eq!(check(deployment), too_many("pods", 51_000, 50_000));
    let huge = r#"{"group":{"count":18446744073709551615},"template":{"apiVersion":"apps/v1","kind":"Job","spec":{"parallelism":9}}}"#;
    assert_eq!(check(huge), too_many("pods", u64::MAX, 50_000));
}

#[test]
fn an_object_alone_is_itself() {
    let loaded = read(r#"{"apiVersion":"v1","kind":"Node","metadata":{"name":"{i}"}}"#);
    let (placed, _) = expand(&loaded.scenario.objects);
    assert!(matches!(&placed[0].object, Object::Node(node) if node.metadata.name == "{i}"));
}

#[test]
fn too_many_are_told_at_the_largest_count() {
    let place = |spec: &str| {
        let text =
            format!("{{\"apiVersion\":\"berth/v1\",\"kind\":\"Scenario\",\"spec\":{{\n{spec}}}}}");
        let error = check_limits(&read(&text).scenario, Limits::PAGE).unwrap_err();
        (error.line, error.path.to_string())
    };
    let group = |count: &str, kind: &str| {
        format!(
            r#"{{"group":{{"count":{count}}},"template":{{"apiVersion":"v1","kind":"{kind}"}}}}"#
        )
    };
    let (few, many) = (group("4000", "Node"), group("999999999", "Node"));
    assert_eq!(
        place(&format!("\"objects\":[\n{few},\n{many},\n{few}]")),
        (4, "spec.objects[1].group.count".to_string())
    );
    let later = group("20001", "Pod");
    assert_eq!(
        place(&format!(
            "\"objects\":[\n{few}],\n\"timeline\":[\n{{\"at\":1,\"apply\":\n{later}}}]"
        )),
        (6, "spec.timeline[0].apply.group.count".to_string())
    );
    let deployment = r#"{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d"},"spec":{"replicas":50001}}"#;
    assert_eq!(
        place(&format!("\"objects\":[\n{few},\n{deployment}]")),
        (4, "spec.objects[1]".to_string())
    );
}
