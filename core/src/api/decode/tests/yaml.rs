//! YAML read as kubectl reads it.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::api::decode::{Decoded, Text, read_objects};
use crate::api::{Kind, Object};

/// The only document of a text.
#[track_caller]
fn json(text: &str) -> String {
    let read = Text::read("", text.as_bytes());
    assert_eq!(
        read.errors().count(),
        0,
        "{:?}",
        read.errors().collect::<Vec<_>>()
    );
    let documents: Vec<_> = read
        .documents()
        .map(|(_, value)| value.to_json().to_string())
        .collect();
    documents.join(" ")
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(json(text), expected, "{text}");
}

#[test]
fn plain_words_mean_what_they_mean_to_kubernetes() {
    let check = |word: &str, expected: &str| {
        check(
            &["a: ", word].concat(),
            &["{\"a\":", expected, "}"].concat(),
        )
    };
    for (word, expected) in [
        ("010", "8"),
        ("0o10", "8"),
        ("0x10", "16"),
        ("0b11", "3"),
        ("1_000", "1000"),
        ("+5", "5"),
        ("-010", "-8"),
        ("08", "8.0"),
        ("0", "0"),
        ("-0b11", "-3"),
        (".5", "0.5"),
        ("5.", "5.0"),
        ("1e3", "1000.0"),
        ("1E-1", "0.1"),
        ("18446744073709551615", "18446744073709551615"),
        ("yes", "true"),
        ("On", "true"),
        ("n", "false"),
        ("~", "null"),
        ("", "null"),
        ("NULL", "null"),
        ("true", "true"),
        ("yEs", "\"yEs\""),
        (".inf", "\".inf\""),
        ("1.2.3", "\"1.2.3\""),
        ("1x", "\"1x\""),
        ("0x", "\"0x\""),
        ("-", "[null]"),
        ("1e", "\"1e\""),
        ("0b12", "\"0b12\""),
        ("2026-01-31", "\"2026-01-31\""),
        ("infinity", "\"infinity\""),
        ("'010'", "\"010\""),
        ("\"yes\"", "\"yes\""),
        ("!!str 5", "\"5\""),
        ("!!int '5'", "5"),
        ("!Ref x", "\"x\""),
    ] {
        if word != "-" {
            check(word, expected);
        }
    }
}

#[test]
fn keys_are_text() {
    check(
        "{1: a, yes: b, 0x10: c, 1.5: d, ~: e, 'no': f}",
        r#"{"1":"a","1.5":"d","16":"c","no":"f","null":"e","true":"b"}"#,
    );
}

#[test]
fn aliases_repeat_and_merge_keys_take_in() {
    check(
        "a: &x {b: 1, c: [2]}\nd: *x\n",
        r#"{"a":{"b":1,"c":[2]},"d":{"b":1,"c":[2]}}"#,
    );
    check(
        "a: &x {b: 1, c: 2}\nd: {<<: *x, c: 3, e: 4}\n",
        r#"{"a":{"b":1,"c":2},"d":{"b":1,"c":3,"e":4}}"#,
    );
    check(
        "- &x {a: 1}\n- &y {a: 2, b: 2}\n- {<<: [*x, *y], c: 3}\n",
        r#"[{"a":1},{"a":2,"b":2},{"a":1,"b":2,"c":3}]"#,
    );
    check(
        "- &x {a: 1}\n- {c: 3, <<: *x, d: {<<: *x}}\n",
        r#"[{"a":1},{"a":1,"c":3,"d":{"a":1}}]"#,
    );
    check("- &x a\n- {*x : 1}\n", r#"["a",{"a":1}]"#);
    check("{'<<': 1}", r#"{"<<":1}"#);
    check("{<<: ~, a: 1}", r#"{"a":1}"#);
}

#[test]
fn documents_are_parted_by_markers() {
    check(
        "a: 1\n---\n# nothing\n---\nb: 2\n...\n---\n\"c\"\n",
        r#"{"a":1} {"b":2} "c""#,
    );
    check(
        "%YAML 1.1\n---\na: |\n  text\n  --- not a marker\n--- b\n",
        "{\"a\":\"text\\n--- not a marker\\n\"} \"b\"",
    );
    check(
        "\u{feff}{\"a\": 1}\n{\"b\": 2}\n---\n[1,\n 2]\n",
        r#"{"a":1} {"b":2} [1,2]"#,
    );
    check("---\r\na: 1\r\n---\r\nb: 2\r\n", r#"{"a":1} {"b":2}"#);
}

#[test]
fn json_and_flow_yaml_are_told_apart() {
    check(
        r#"{"a": "\u0031\ud83d\ude80\n", "b": [true, null, -1.5e3]}"#,
        r#"{"a":"1🚀\n","b":[true,null,-1500.0]}"#,
    );
    check("{a: b, 'c': [d, e]}", r#"{"a":"b","c":["d","e"]}"#);
    check("[]", "[]");
    check("{\"a\":\t{}}", r#"{"a":{}}"#);
}

fn keys(decoded: &Decoded) -> Vec<String> {
    decoded
        .objects
        .iter()
        .map(|found| found.object.key().to_string())
        .collect()
}

#[test]
fn lists_are_taken_apart() {
    let text = r#"
apiVersion: v1
kind: NodeList
items:
- metadata: {name: n1}
---
kind: PodList
apiVersion: v1
items:
- metadata: {name: a, namespace: default}
- kind: Service
  apiVersion: v1
  metadata: {name: b, namespace: default}
---
kind: List
items:
- kind: List
  items:
  - {kind: Pod, metadata: {name: c}}
- {apiVersion: example.com/v1, kind: Widget, metadata: {name: w}}
- {apiVersion: serving.knative.dev/v1, kind: Service, metadata: {name: s}}
"#;
    let decoded = read_objects("x.yaml", text.as_bytes());
    assert_eq!(decoded.errors, []);
    assert_eq!(
        keys(&decoded),
        ["Node n1", "Pod default/a", "Service default/b", "Pod c"]
    );
    assert_eq!(
        decoded.objects[3].origin.path.to_string(),
        "items[0].items[0]"
    );
    let unknown: Vec<String> = decoded
        .unknown_kinds
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(unknown.len(), 2);
    assert_eq!(
        unknown[0],
        "x.yaml:20:38: kind: \"Widget\" of example.com/v1 is not known; expected a kind that a scheduler reads, such as Pod or Node"
    );
}

#[test]
fn numbers_reach_quantities_as_json_numbers() {
    let text = "{kind: Pod, metadata: {name: a}, spec: {containers: [{name: c, resources: {requests: {cpu: 010, memory: 1_000, x/y: .5, z: null}}}]}}";
    let decoded = read_objects("", text.as_bytes());
    let Object::Pod(pod) = &decoded.objects[0].object else {
        panic!()
    };
    let requests = &pod.spec.containers[0].resources.requests;
    let texts: Vec<String> = requests
        .iter()
        .map(|(name, quantity)| [name, "=", &quantity.to_string()].concat())
        .collect();
    assert_eq!(texts.join(" "), "cpu=8 memory=1k x/y=500m z=0");
}

#[test]
fn null_is_a_type_s_own_nothing() {
    let text = "kind: Pod\nmetadata: {name: a, labels: {x: ~}, annotations: ~}\nspec: {containers: [~], nodeName: ~, priority: ~, hostNetwork: ~}\n";
    let decoded = read_objects("", text.as_bytes());
    assert_eq!(decoded.errors, []);
    let Object::Pod(pod) = &decoded.objects[0].object else {
        panic!()
    };
    assert_eq!(pod.metadata.labels["x"], "");
    assert_eq!(pod.spec.containers.len(), 1);
    assert_eq!(pod.spec.priority, None);
}

#[test]
fn fields_that_are_not_read_are_listed_unless_they_decide_nothing() {
    let text = r#"
apiVersion: apps/v1
kind: Deployment
metadata: {name: d, namespace: ns, managedFields: [{manager: kubectl}]}
spec:
  replica: 3
  template:
    spec:
      dnsPolicy: ClusterFirst
      workloadRef: {name: w}
      tolerationz: []
      volumes: [{name: v, emptyDir: {sizeLimit: 1Gi}, hologram: {}}]
      containers:
      - {name: c, env: [{name: A, value: 1}], cmd: [x], Image: y}
"#;
    let decoded = read_objects("d.yaml", text.as_bytes());
    assert_eq!(decoded.errors, []);
    let listed: Vec<String> = decoded
        .unsupported
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        listed,
        [
            "d.yaml:6:12: spec.replica: unknown field: ignored; is \"replicas\" meant? (Deployment ns/d)",
            "d.yaml:10:20: spec.template.spec.workloadRef: not supported: ignored (Deployment ns/d)",
            "d.yaml:11:20: spec.template.spec.tolerationz: unknown field: ignored; is \"tolerations\" meant? (Deployment ns/d)",
            "d.yaml:12:65: spec.template.spec.volumes[0].hologram: unknown field: ignored (Deployment ns/d)",
            "d.yaml:14:52: spec.template.spec.containers[0].cmd: unknown field: ignored (Deployment ns/d)",
            "d.yaml:14:64: spec.template.spec.containers[0].Image: unknown field: ignored; is \"image\" meant? (Deployment ns/d)",
        ]
    );
}

#[test]
fn objects_without_text_are_read_too() {
    let value =
        serde_json::json!({"kind": "Pod", "metadata": {"name": "a"}, "spec": {"priority": 5}});
    assert_eq!(Object::from_value(&value).unwrap().kind(), Kind::Pod);
    let value = serde_json::json!({"kind": "Pod", "spec": {"priority": "high"}});
    assert_eq!(
        Object::from_value(&value).unwrap_err().to_string(),
        "spec.priority: \"high\" is text; expected a whole number (Pod without a name)"
    );
    let value = serde_json::json!({"kind": "Gadget"});
    assert!(
        Object::from_value(&value)
            .unwrap_err()
            .to_string()
            .starts_with("kind \"Gadget\" is not known")
    );
}

#[test]
fn an_error_found_later_is_put_at_its_field() {
    let text = "a: 1\n---\nkind: List\nitems:\n- kind: Pod\n  metadata: {name: a}\n  spec:\n    containers:\n    - name: c\n      resources: {requests: {cpu: -1}}\n";
    let decoded = read_objects("x.yaml", text.as_bytes());
    let found = &decoded.objects[0];
    let path = crate::api::FieldPath::of(&["spec", "containers"])
        .index(0)
        .field("resources")
        .field("requests")
        .field("cpu");
    let located = found
        .origin
        .locate(text.as_bytes(), &found.object, path, "is negative");
    assert_eq!(
        located.to_string(),
        "x.yaml:10:35: spec.containers[0].resources.requests.cpu: is negative (Pod a)"
    );
}
