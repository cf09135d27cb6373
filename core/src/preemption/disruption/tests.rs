//! Tests of which victims a budget would not let go.

use crate::api::{LabelSelector, LabelSelectorRequirement};
use crate::make::{DisruptionBudgetBuilder, PodBuilder, disruption_budget, pod, selector};
use crate::preemption::tests::names;

use super::*;

/// Which of `pods`, leaving in this order, violate a budget.
fn check(budgets: &[DisruptionBudgetBuilder], pods: &[PodBuilder], expected: &[&str]) {
    let mut listers = Listers::default();
    for budget in budgets {
        let budget = budget.clone().build();
        let store = &mut listers.pod_disruption_budgets;
        store.insert(budget.clone());
    }
    let pods: Vec<_> = pods
        .iter()
        .map(|pod| Arc::new(PodInfo::new(pod.clone().build())))
        .collect();
    let (violating, others) = Budgets::of(&listers).split(pods.clone());
    assert_eq!(names(&violating), expected);
    let rest = names(&pods)
        .into_iter()
        .filter(|name| !expected.contains(name));
    assert_eq!(names(&others), rest.collect::<Vec<_>>());
}

fn web(name: &str) -> PodBuilder {
    pod(name).label("app", "web")
}

fn budget(name: &str) -> DisruptionBudgetBuilder {
    disruption_budget(name).selects(selector("app", "web"))
}

#[test]
fn a_budget_lets_as_many_go_as_it_allows() {
    let pods = [web("a"), web("b"), web("c")];
    check(&[budget("x").allows(0)], &pods, &["a", "b", "c"]);
    check(&[budget("x").allows(1)], &pods, &["b", "c"]);
    check(&[budget("x").allows(3)], &pods, &[]);
    check(&[budget("x").allows(-1)], &pods, &["a", "b", "c"]);
    check(&[], &pods, &[]);
}

#[test]
fn a_budget_protects_pods_of_its_namespace_only() {
    let pods = [web("a").namespace("elsewhere")];
    check(&[budget("x")], &pods, &[]);
    check(&[budget("x").namespace("elsewhere")], &pods, &["a"]);
}

#[test]
fn an_empty_or_absent_or_wrong_selector_protects_nothing() {
    let pods = [web("a")];
    check(&[disruption_budget("absent")], &pods, &[]);
    let empty = disruption_budget("empty").selects(LabelSelector::default());
    check(&[empty], &pods, &[]);
    let wrong = LabelSelector {
        match_expressions: alloc::vec![LabelSelectorRequirement {
            key: "app".into(),
            operator: "Like".into(),
            values: alloc::vec!["web".into()],
        }],
        ..LabelSelector::default()
    };
    check(&[disruption_budget("wrong").selects(wrong)], &pods, &[]);
}

#[test]
fn a_pod_without_labels_has_no_budget() {
    let absent = LabelSelector {
        match_expressions: alloc::vec![LabelSelectorRequirement {
            key: "app".into(),
            operator: "DoesNotExist".into(),
            values: Vec::new(),
        }],
        ..LabelSelector::default()
    };
    let budget = disruption_budget("x").selects(absent);
    check(
        &[budget],
        &[pod("bare"), pod("labelled").label("tier", "x")],
        &["labelled"],
    );
}

#[test]
fn a_pod_whose_disruption_is_under_way_is_not_charged_again() {
    let pods = [web("a"), web("b"), web("c")];
    check(&[budget("x").allows(1).disrupted("a")], &pods, &["c"]);
}

#[test]
fn every_budget_of_a_pod_is_charged() {
    let both = [budget("none"), budget("one").allows(1)];
    let pods = [web("a").label("tier", "x"), web("b")];
    check(&both, &pods, &["a", "b"]);
    // The second budget selects by another label and is charged for a although the first is violated already.
    let other = disruption_budget("tier")
        .selects(selector("tier", "x"))
        .allows(1);
    let pods = [
        web("a").label("tier", "x"),
        pod("b").label("tier", "x"),
        pod("c").label("other", "x"),
    ];
    check(&[budget("none"), other], &pods, &["a", "b"]);
}
