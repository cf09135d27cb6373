//! What is said of texts that cannot be read. None may panic, hang or overflow the stack.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::api::decode::read_objects;

#[track_caller]
fn check(bytes: impl AsRef<[u8]>, expected: &[&str]) {
    let decoded = read_objects("f", bytes.as_ref());
    let errors: Vec<String> = decoded.errors.iter().map(ToString::to_string).collect();
    assert_eq!(errors, expected);
}

#[test]
fn nothing_and_what_is_not_text() {
    let empty = ["f: there is nothing in it; expected at least one object"];
    check("", &empty);
    check("\n# only a remark\n---\n", &empty);
    check(
        [0x7f, b'E', b'L', b'F', 0, 1],
        &["f:1:5: byte 4 is not text; expected YAML or JSON in UTF-8"],
    );
    check(
        [b'a', 0xff, 0xfe],
        &["f:1:2: byte 1 is not text; expected YAML or JSON in UTF-8"],
    );
    check(
        [b"a: 1\nb: \xc3\xa9".as_slice(), &[0xff]].concat(),
        &["f:2:5: byte 10 is not text; expected YAML or JSON in UTF-8"],
    );
}

#[test]
fn json_that_is_cut_or_broken() {
    let cut = "the text ends in the middle of a value; is it cut?";
    check(
        "{\"kind\": \"Pod\", \"metadata\": {\"na",
        &[&["f:1:30: ", cut].concat()],
    );
    check(
        "{\"kind\": \"Pod\" \"a\": 1}",
        &["f:1:16: '\"' cannot stand here; expected a comma or a closing brace"],
    );
    check(
        "{\"kind\": \"Pod\", \"metadata\": {\"name\": \"a\", \"name\": \"b\"}}",
        &["f:1:43: metadata.name: is there twice, first on line 1; expected each key once"],
    );
}

#[test]
fn deep_nesting_is_refused_before_the_stack_is_full() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let deep = [open.repeat(100_000), "1".to_string(), close.repeat(100_000)].concat();
        let decoded = read_objects("f", deep.as_bytes());
        assert_eq!(decoded.errors.len(), 1);
        let text = decoded.errors[0].to_string();
        assert!(
            text.ends_with("too many lists and maps in each other; expected at most 200"),
            "{text}"
        );
    }
}

#[test]
fn a_document_that_is_not_an_object() {
    check(
        "[1, {}]",
        &[
            "f:1:2: [0]: 1 is a number; expected an object with apiVersion and kind",
            "f:1:5: [1]: kind is missing; expected the object to say what it is, such as kind: Pod; or is the text cut?",
        ],
    );
    check(
        "{\"kind\": \"List\", \"items\": 5}",
        &["f:1:27: items: 5 is a number; expected a list of objects"],
    );
    check(
        "{\"kind\": \"ResourceSlice\", \"apiVersion\": \"resource.k8s.io/v1alpha3\"}",
        &[
            "f:1:41: apiVersion: ResourceSlice of resource.k8s.io/v1alpha3 is not supported; expected apiVersion resource.k8s.io/v1",
        ],
    );
}

/// What is said of a pod whose spec has the given field.
#[track_caller]
fn check_spec(field: &str, expected: &str) {
    let text = [
        "{\"kind\": \"Pod\", \"metadata\": {\"name\": \"a\"},\n\"spec\": {",
        field,
        "}}",
    ]
    .concat();
    check(text, &[&["f:2:", expected, " (Pod a)"].concat()]);
}

#[test]
fn values_of_the_wrong_type() {
    check_spec(
        r#""containers": [{"resources": {"requests": {"cpu": "1x"}}}]"#,
        "60: spec.containers[0].resources.requests.cpu: \"1x\" is not a quantity; expected a number with an optional \
         suffix such as 500m or 2",
    );
    check_spec(
        r#""overhead": {"example.com/gpu": true}"#,
        "42: spec.overhead[example.com/gpu]: true is a boolean; expected a quantity such as 500m or 2",
    );
    check_spec(
        r#""nodeName": 5"#,
        "22: spec.nodeName: 5 is a number; expected text in quotes",
    );
    check_spec(
        r#""nodeSelector": {"a": true}"#,
        "32: spec.nodeSelector.a: true is a boolean; expected text in quotes",
    );
    check_spec(
        r#""containers": {"a": 1}"#,
        "24: spec.containers: this is a map; expected a list",
    );
    check_spec(
        r#""containers": ["a"]"#,
        "25: spec.containers[0]: \"a\" is text; expected a map",
    );
    check_spec(
        r#""priority": 5.5"#,
        "22: spec.priority: 5.5 is a number; expected a whole number",
    );
    check_spec(
        r#""priority": 5000000000"#,
        "22: spec.priority: 5000000000 is out of range; expected a whole number from -2147483648 to 2147483647",
    );
    check_spec(
        r#""hostNetwork": "yes""#,
        "25: spec.hostNetwork: \"yes\" is text; expected true or false",
    );
}

#[test]
fn a_time_that_is_none() {
    check(
        "{\"kind\": \"Node\", \"metadata\": {\"creationTimestamp\": \"soon\"}}",
        &[
            "f:1:52: metadata.creationTimestamp: \"soon\" is not a time; expected RFC 3339 such as 2026-01-31T08:00:00Z \
           (Node without a name)",
        ],
    );
}

#[cfg(feature = "yaml")]
mod yaml {
    use super::{String, Vec, check, read_objects};

    #[test]
    fn an_error_in_one_document_leaves_the_others_alone() {
        let text = "kind: Pod\nmetadata: {name: a}\n---\nkind: [\n---\nkind: Pod\nmetadata: {name: b, name: c}\n---\nkind: Node\n";
        let decoded = read_objects("f", text.as_bytes());
        assert_eq!(decoded.objects.len(), 2);
        assert_eq!(decoded.errors.len(), 2);
    }

    #[test]
    fn yaml_that_is_cut_or_broken() {
        check(
            "kind: Pod\nmetadata:\n\tname: a\n",
            &["f:3:2: metadata: a tab cannot indent; expected spaces"],
        );
        check(
            "kind: Pod\nspec: {containers: [",
            &[
                "f:2:20: spec.containers: '[' is not closed; is its other half missing, or is the text cut?",
            ],
        );
        check(
            "kind: \"Pod",
            &[
                "f:1:7: kind: the text ends in the middle of a value; is a quote or bracket missing, or is it cut?",
            ],
        );
        check(
            "kind: Pod\nspec:\n  resources:\n    requests:\n      cpu: 1\n      cpu: 64\n",
            &[
                "f:6:7: spec.resources.requests.cpu: is there twice, first on line 5; expected each key once",
            ],
        );
        check(
            "name: {{ .Values.name }}\n",
            &[
                "f:1:8: name: a list or map cannot be a key; is this a template that was not filled in?",
            ],
        );
        check(
            "a: *nobody\n",
            &["f:1:4: a: an alias repeats nothing that is named before"],
        );
        check(
            "a: &x [*x]\n",
            &["f:1:8: a: an alias stands inside of what it repeats"],
        );
    }

    #[test]
    fn aliases_cannot_ask_for_terabytes() {
        let mut text = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for level in 1..12 {
            let aliases = alloc::format!("*a{}, ", level - 1).repeat(10);
            text.push_str(&alloc::format!("a{level}: &a{level} [{aliases}]\n"));
        }
        let decoded = read_objects("f", text.as_bytes());
        let errors: Vec<String> = decoded
            .errors
            .iter()
            .map(|error| alloc::format!("{}", error.error))
            .collect();
        assert_eq!(
            errors,
            ["aliases make the text too large; expected them to add at most 1000000 values"]
        );
    }

    #[test]
    fn deep_yaml_is_refused() {
        let mut text = String::new();
        for level in 0..100_000 {
            text.push_str(&" ".repeat(level % 2_000));
            text.push_str("a:\n");
        }
        assert_eq!(read_objects("f", text.as_bytes()).errors.len(), 1);
        let dashes = ["- ".repeat(100_000), String::from("x")].concat();
        let decoded = read_objects("f", dashes.as_bytes());
        assert_eq!(decoded.errors.len(), 1);
    }
}
