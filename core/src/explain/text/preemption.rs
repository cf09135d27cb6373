//! What preemption looked at and why it chose as it did, line by line.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::api::Time;
use crate::explain::Preemption;
use crate::framework::trace::{Criterion, CriterionKind, DryRun};
use crate::snapshot::PodRef;

use super::{Key, Lang};

impl Lang {
    /// What came of a preemption: who leaves which node.
    #[must_use]
    pub fn preemption(self, preemption: &Preemption) -> String {
        match &preemption.chosen {
            Some(node) => self.say(
                Key::PreemptionChosen,
                &[("node", node), ("victims", &names(&preemption.victims))],
            ),
            None => self.template(Key::PreemptionNone).to_string(),
        }
    }

    /// What a dry run on one node found.
    #[must_use]
    pub fn dry_run(self, run: &DryRun) -> String {
        if let Some(status) = &run.rejected {
            let reason = status.message();
            return self.say(
                Key::CandidateNot,
                &[("node", &run.node), ("reason", &reason)],
            );
        }
        let mut line = self.say(
            Key::CandidateVictims,
            &[("node", &run.node), ("victims", &names(&run.victims))],
        );
        if !run.reprieved.is_empty() {
            line.push_str(&self.say(Key::CandidateSpared, &[("pods", &names(&run.reprieved))]));
        }
        if run.pdb_violations > 0 {
            let count = run.pdb_violations.to_string();
            line.push_str(&self.say(Key::CandidateViolations, &[("count", &count)]));
        }
        line
    }

    /// What a criterion made of the candidates that were still in, and whom it left.
    #[must_use]
    pub fn criterion(self, criterion: &Criterion) -> String {
        let name = self.template(match criterion.kind {
            CriterionKind::PdbViolations => Key::ByViolations,
            CriterionKind::HighestPriority => Key::ByHighestPriority,
            CriterionKind::PrioritySum => Key::ByPrioritySum,
            CriterionKind::VictimCount => Key::ByVictimCount,
            CriterionKind::StartTime => Key::ByStartTime,
            CriterionKind::First => Key::ByOrder,
        });
        let values: Vec<String> = criterion
            .values
            .iter()
            .map(|(node, value)| [node, " ", &self.value(criterion.kind, *value)].concat())
            .collect();
        let mut line = String::from(name);
        if !values.is_empty() {
            line.push_str(": ");
            line.push_str(&values.join(", "));
        }
        let key = match criterion.kept.as_slice() {
            [_] => Key::Decides,
            kept if kept.len() < criterion.values.len() => Key::Leaves,
            _ => return line,
        };
        line.push_str(&self.say(key, &[("nodes", &criterion.kept.join(", "))]));
        line
    }

    fn value(self, kind: CriterionKind, value: i64) -> String {
        match kind {
            CriterionKind::StartTime if value == i64::MAX => {
                self.template(Key::NotStarted).to_string()
            }
            CriterionKind::StartTime => Time::from_micros(value).to_string(),
            // kube-scheduler adds 2³¹ for each victim, so that each costs something.
            CriterionKind::PrioritySum => {
                let victims = (value + HALF_SHIFT) >> SHIFT;
                let sum = value - (victims << SHIFT);
                self.say(
                    Key::SumOver,
                    &[("sum", &sum.to_string()), ("count", &victims.to_string())],
                )
            }
            _ => value.to_string(),
        }
    }
}

fn names(pods: &[PodRef]) -> String {
    let names: Vec<String> = pods.iter().map(ToString::to_string).collect();
    names.join(", ")
}

/// Two to this power is what each victim costs besides its priority.
const SHIFT: i64 = 31;
const HALF_SHIFT: i64 = 1 << (SHIFT - 1);
