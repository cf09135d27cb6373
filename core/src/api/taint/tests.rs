//! Which tolerations put up with which taints.

use super::{ComparisonOperators, Taint, Toleration, untolerated_hard_taint};

fn toleration(key: &str, operator: &str, value: &str, effect: &str) -> Toleration {
    Toleration {
        key: key.into(),
        operator: operator.into(),
        value: value.into(),
        effect: effect.into(),
        toleration_seconds: None,
    }
}

fn taint(key: &str, value: &str, effect: &str) -> Taint {
    Taint {
        value: value.into(),
        ..Taint::new(key, effect)
    }
}

#[test]
fn effect_key_and_value_must_agree_or_be_left_out() {
    let subject = taint("k", "v", "NoSchedule");
    let check = |t: Toleration, expected| {
        assert_eq!(
            t.tolerates(&subject, ComparisonOperators::Off),
            expected,
            "{t:?}"
        );
    };
    check(toleration("k", "", "v", "NoSchedule"), true);
    check(toleration("k", "Equal", "v", ""), true);
    check(toleration("k", "Equal", "", ""), false);
    check(toleration("k", "Exists", "other", ""), true);
    check(toleration("", "Exists", "", ""), true);
    check(toleration("", "Equal", "v", ""), true);
    check(toleration("k", "Exists", "", "NoExecute"), false);
    check(toleration("x", "Exists", "", ""), false);
    check(toleration("k", "exists", "", ""), false);
    check(toleration("k", "Gt", "v", ""), false);
}

#[test]
fn numbers_are_compared_when_the_gate_is_on() {
    let check = |found: &str, operator: &str, bound: &str, expected| {
        let t = toleration("k", operator, bound, "");
        let subject = taint("k", found, "NoSchedule");
        assert_eq!(
            t.tolerates(&subject, ComparisonOperators::On),
            expected,
            "{found} {operator} {bound}"
        );
        assert!(!t.tolerates(&subject, ComparisonOperators::Off));
    };
    check("5", "Gt", "4", true);
    check("4", "Gt", "4", false);
    check("-5", "Lt", "0", true);
    check("05", "Gt", "4", false);
    check("+5", "Gt", "4", false);
    check("5", "Gt", "-0", false);
    check("99999999999999999999", "Gt", "4", false);
    check("", "Lt", "4", false);
}

#[test]
fn the_first_hard_taint_that_is_not_tolerated_is_found() {
    let taints = [
        taint("soft", "", "PreferNoSchedule"),
        taint("a", "", "NoExecute"),
        taint("b", "", "NoSchedule"),
    ];
    let found = |tolerations: &[Toleration]| {
        untolerated_hard_taint(&taints, tolerations, ComparisonOperators::Off)
            .map(|taint| taint.key.as_str())
    };
    assert_eq!(found(&[]), Some("a"));
    assert_eq!(found(&[toleration("a", "Exists", "", "")]), Some("b"));
    assert_eq!(found(&[toleration("", "Exists", "", "")]), None);
}
