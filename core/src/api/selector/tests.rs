//! What selectors match, and what they say when they cannot be read.

use alloc::string::{String, ToString};

use super::{
    LabelSelector, NodeMatcher, NodeSelector, PreferredNodes, RequiredNodeAffinity, Selector,
};
use crate::api::{Node, Pod, StringMap};

fn labels(pairs: &[(&str, &str)]) -> StringMap {
    pairs
        .iter()
        .map(|(key, value)| (key.to_string(), value.to_string()))
        .collect()
}

fn selector(json: &str) -> Result<Selector, String> {
    let written: LabelSelector = serde_json::from_str(json).unwrap();
    Selector::compile(&written).map_err(|error| error.to_string())
}

#[track_caller]
fn check(json: &str, pairs: &[(&str, &str)], expected: bool) {
    assert_eq!(
        selector(json).unwrap().matches(&labels(pairs)),
        expected,
        "{json} {pairs:?}"
    );
}

#[test]
fn all_requirements_must_hold() {
    check("{}", &[], true);
    check(
        r#"{"matchLabels": {"a": "1"}}"#,
        &[("a", "1"), ("b", "2")],
        true,
    );
    check(
        r#"{"matchLabels": {"a": "1", "b": "1"}}"#,
        &[("a", "1"), ("b", "2")],
        false,
    );
    let expression = |operator: &str, values: &str| {
        [
            "{\"matchExpressions\": [{\"key\": \"a\", \"operator\": \"",
            operator,
            "\", \"values\": ",
            values,
            "}]}",
        ]
        .concat()
    };
    check(&expression("In", r#"["2", "1"]"#), &[("a", "1")], true);
    check(&expression("In", r#"["2", "3"]"#), &[("a", "1")], false);
    check(&expression("In", r#"["2"]"#), &[], false);
    check(&expression("NotIn", r#"["2", "3"]"#), &[("a", "1")], true);
    check(&expression("NotIn", r#"["1"]"#), &[], true);
    check(&expression("NotIn", r#"["1"]"#), &[("a", "1")], false);
    check(&expression("Exists", "[]"), &[("a", "")], true);
    check(&expression("DoesNotExist", "null"), &[("a", "")], false);
}

#[test]
fn nothing_and_everything_are_opposites() {
    let nothing = Selector::compile(None).unwrap();
    assert!(!nothing.matches(&StringMap::new()) && nothing.is_nothing());
    assert!(!nothing.is_empty() && !nothing.has_requirements());
    let everything = Selector::compile(&LabelSelector::default()).unwrap();
    assert!(everything.matches(&StringMap::new()) && everything.is_empty());
    assert_eq!(everything, Selector::everything());
    let mut still_nothing = nothing.clone();
    still_nothing.extend(&Selector::from_labels(&labels(&[("a", "1")])));
    assert_eq!(still_nothing, nothing);
}

#[test]
fn what_cannot_be_a_selector_is_refused_in_the_words_of_kubernetes() {
    let error = |json: &str| selector(json).unwrap_err();
    assert_eq!(
        error(r#"{"matchExpressions": [{"key": "a", "operator": "in", "values": ["1"]}]}"#),
        "\"in\" is not a valid label selector operator"
    );
    assert_eq!(
        error(r#"{"matchExpressions": [{"key": "a", "operator": "Gt", "values": ["1"]}]}"#),
        "\"Gt\" is not a valid label selector operator"
    );
    assert_eq!(
        error(r#"{"matchExpressions": [{"key": "a", "operator": "In"}]}"#),
        "values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty"
    );
    assert_eq!(
        error(r#"{"matchExpressions": [{"key": "a", "operator": "Exists", "values": ["1"]}]}"#),
        "values: Invalid value: [\"1\"]: values set must be empty for exists and does not exist"
    );
    let text = error(r#"{"matchLabels": {"security": "{{.bad-value.}}"}}"#);
    assert!(
        text.starts_with(
            "values[0][security]: Invalid value: \"{{.bad-value.}}\": a valid label must"
        ),
        "{text}"
    );
}

fn node(name: &str, pairs: &[(&str, &str)]) -> Node {
    let mut node = Node::default();
    node.metadata.name = name.into();
    node.metadata.labels = labels(pairs);
    node
}

fn matcher(json: &str) -> NodeMatcher {
    let written: NodeSelector = serde_json::from_str(json).unwrap();
    NodeMatcher::lazy(&written)
}

#[test]
fn one_term_suffices_and_an_empty_one_matches_no_node() {
    let n = node("n", &[("cores", "16"), ("pool", "blue")]);
    let check = |json: &str, expected| assert_eq!(matcher(json).matches(&n), expected, "{json}");
    check(r#"{}"#, false);
    check(r#"{"nodeSelectorTerms": [{}]}"#, false);
    check(
        r#"{"nodeSelectorTerms": [{}, {"matchExpressions": [{"key": "pool", "operator": "In", "values": ["blue"]}]}]}"#,
        true,
    );
    let cores = |operator: &str, bound: &str| {
        ["{\"nodeSelectorTerms\": [{\"matchExpressions\": [{\"key\": \"cores\", \"operator\": \"", operator,
            "\", \"values\": [\"", bound, "\"]}]}]}"].concat()
    };
    check(&cores("Gt", "8"), true);
    check(&cores("Gt", "16"), false);
    check(&cores("Lt", "17"), true);
    // An operand must also be able to stand in a label, so it has no sign.
    check(&cores("Lt", "+17"), false);
    check(&cores("Lt", "x"), false);
    check(&cores("gt", "8"), false);
}

#[test]
fn fields_know_the_name_only() {
    let field = |key: &str, operator: &str, values: &str| {
        matcher(
            &[
                "{\"nodeSelectorTerms\": [{\"matchFields\": [{\"key\": \"",
                key,
                "\", \"operator\": \"",
                operator,
                "\", \"values\": ",
                values,
                "}]}]}",
            ]
            .concat(),
        )
    };
    let n = node("n", &[]);
    assert!(field("metadata.name", "In", r#"["n"]"#).matches(&n));
    assert!(!field("metadata.name", "NotIn", r#"["n"]"#).matches(&n));
    assert!(!field("metadata.uid", "In", r#"["n"]"#).matches(&n));
    assert!(field("metadata.uid", "NotIn", r#"["n"]"#).matches(&n));
    assert!(field("metadata.name", "In", r#"["x"]"#).matches_parts("", &StringMap::new()));
    let two = field("metadata.name", "In", r#"["n", "m"]"#);
    assert!(!two.matches(&n));
    assert_eq!(
        two.try_matches("n", &StringMap::new())
            .unwrap_err()
            .to_string(),
        "nodeSelectorTerms[0].matchFields[0].values: Invalid value: 2: must have one element"
    );
}

#[test]
fn an_unreadable_term_is_an_error_only_when_no_other_matches() {
    let m = matcher(
        r#"{"nodeSelectorTerms": [
            {"matchExpressions": [{"key": "a b", "operator": "Exists"}]},
            {"matchExpressions": [{"key": "pool", "operator": "Exists"}]}]}"#,
    );
    assert_eq!(m.try_matches("n", &labels(&[("pool", "")])), Ok(true));
    let text = m.try_matches("n", &labels(&[])).unwrap_err().to_string();
    assert!(
        text.starts_with(
            "nodeSelectorTerms[0].matchExpressions[0].key: Invalid value: \"a b\": name part"
        ),
        "{text}"
    );
    let strict = serde_json::from_str(
        r#"{"nodeSelectorTerms": [{"matchExpressions": [{"key": "a", "operator": "No"}]}]}"#,
    );
    assert_eq!(
        NodeMatcher::compile(&strict.unwrap())
            .unwrap_err()
            .to_string(),
        "nodeSelectorTerms[0].matchExpressions[0].operator: Unsupported value: \"No\": supported values: \
         \"DoesNotExist\", \"Exists\", \"Gt\", \"In\", \"Lt\", \"NotIn\""
    );
}

#[test]
fn preferences_add_up_and_weight_zero_is_not_even_checked() {
    let preferences = |json: &str| {
        PreferredNodes::compile(&serde_json::from_str::<alloc::vec::Vec<_>>(json).unwrap())
    };
    let some = preferences(
        r#"[{"weight": 10, "preference": {"matchExpressions": [{"key": "zone", "operator": "Exists"}]}},
            {"weight": 7, "preference": {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["d"]}]}},
            {"weight": 5, "preference": {}},
            {"weight": 0, "preference": {"matchExpressions": [{"key": "", "operator": ""}]}}]"#,
    )
    .unwrap();
    assert_eq!(some.score(&node("d", &[("zone", "z")])), 17);
    assert_eq!(some.score(&node("a", &[("zone", "z")])), 10);
    assert_eq!(some.score(&node("a", &[])), 0);
    let error = preferences(
        r#"[{"weight": 1, "preference": {"matchExpressions": [{"key": "a", "operator": "Gt", "values": ["x"]}]}}]"#,
    );
    assert_eq!(
        error.unwrap_err().to_string(),
        "[0].matchExpressions[0].values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators, the value must be an integer"
    );
}

#[test]
fn node_selector_and_affinity_must_both_hold() {
    let pod: Pod = serde_json::from_str(
        r#"{"spec": {"nodeSelector": {"pool": "blue"}, "affinity": {"nodeAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [
                {"matchExpressions": [{"key": "zone", "operator": "Exists"}]}]}}}}}"#,
    )
    .unwrap();
    let required = RequiredNodeAffinity::of(&pod);
    assert!(required.matches(&node("n", &[("pool", "blue"), ("zone", "a")])));
    assert!(!required.matches(&node("n", &[("pool", "blue")])));
    assert!(!required.matches(&node("n", &[("zone", "a")])));
    assert!(RequiredNodeAffinity::of(&Pod::default()).is_empty());
}
