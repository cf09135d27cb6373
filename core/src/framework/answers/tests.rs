use alloc::vec::Vec;

use super::{Answers, Verdicts, rejection};
use crate::framework::reason::Reason;
use crate::framework::status::{PluginName, Status};
use crate::node_set::{NodeIndex, NodeSet};

const ONE: PluginName = PluginName("One");
const TWO: PluginName = PluginName("Two");

fn no(text: &str) -> Status {
    Status::unschedulable(Reason::from(text))
}

#[test]
fn answers_that_are_alike_are_kept_once_and_read_back_for_each_node() {
    let mut verdicts = Verdicts::default();
    for (row, text) in [(5, "full"), (1, "full"), (2, "taken"), (7, "full")] {
        verdicts.reject(NodeIndex(row), no(text));
    }
    assert_eq!(verdicts.statuses.len(), 3);
    let read: Vec<_> = verdicts.clone().drain().collect();
    let expected: Vec<_> = [(5, "full"), (1, "full"), (2, "taken"), (7, "full")]
        .map(|(row, text)| (NodeIndex(row), no(text)))
        .into();
    assert_eq!(read, expected);
    let answers = verdicts.into_answers(8);
    assert_eq!(answers.len(), 4);
    assert_eq!(answers.get(NodeIndex(2)), Some(&no("taken")));
    assert_eq!(answers.get(NodeIndex(0)), None);
    let rows: Vec<_> = answers.iter().map(|(row, _)| row.0).collect();
    assert_eq!(rows, [1, 2, 5, 7]);
    let tally: Vec<_> = answers.tally().map(|(_, times)| times).collect();
    assert_eq!(tally, [2, 1, 1]);
}

#[test]
fn a_set_is_narrowed_and_the_rest_rejected_alike() {
    let mut nodes = NodeSet::full(5);
    let mut verdicts = Verdicts::default();
    verdicts.reject(NodeIndex(9), no("full"));
    verdicts.retain(&mut nodes, |row| row.0 % 2 == 0, || no("odd"));
    verdicts.retain(&mut nodes, |_| true, || unreachable!("nobody is rejected"));
    let left: Vec<_> = nodes.iter().map(|row| row.0).collect();
    assert_eq!(left, [0, 2, 4]);
    let rejected: Vec<_> = verdicts.drain().collect();
    let expected = [(9, "full"), (1, "odd"), (3, "odd")];
    assert_eq!(
        rejected,
        expected.map(|(row, text)| (NodeIndex(row), no(text)))
    );
}

#[test]
fn plugins_that_say_the_same_are_told_apart() {
    let mut verdicts = Verdicts::default();
    verdicts.reject(NodeIndex(0), no("full"));
    verdicts.finish(|status| rejection(ONE, status));
    verdicts.reject(NodeIndex(1), no("full"));
    verdicts.reject(NodeIndex(2), no("full").by(ONE));
    verdicts.finish(|status| rejection(TWO, status));
    let plugins: Vec<_> = verdicts
        .rejected()
        .map(|(_, status)| status.plugin)
        .collect();
    assert_eq!(plugins, [Some(ONE), Some(TWO), Some(TWO)]);
}

#[test]
fn a_later_answer_replaces_the_earlier_one() {
    let mut answers = Answers::default();
    answers.set(NodeIndex(3), no("first"));
    answers.set(NodeIndex(3), no("second"));
    let mut other = Answers::default();
    assert_ne!(answers, other);
    other.set(NodeIndex(3), no("second"));
    assert_eq!(answers, other);
    assert_eq!(answers.tally().count(), 1);
}
