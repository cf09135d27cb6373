//! Extenders of the simulated world: what one answers when nothing goes wrong.
//!
//! A real extender has a mind of its own, so documents cannot have one answered for: there, it is not reached. Tests of
//! the scheduler switch this one on. It refuses some nodes to some pods, scores the others and binds what it is given;
//! what it says of a pod and a node is a function of their names and never changes.

use alloc::string::{String, ToString};

use crate::framework::extender::{
    ExtenderCall, FilterAnswer, HostPriority, NodeVictims, PreemptAnswer,
};
use crate::framework::work::Outcome;
use crate::order::SortedMap;
use crate::snapshot::PodRef;

use super::digest::Fnv;

/// What the extender answers; `None` for a binding, which is the API server's to carry out.
#[must_use]
pub fn answer(call: &ExtenderCall) -> Option<Outcome> {
    match call {
        ExtenderCall::Filter { pod, nodes } => {
            let mut answer = FilterAnswer {
                nodes: Some(alloc::vec::Vec::new()),
                ..FilterAnswer::default()
            };
            for node in nodes {
                let name = node.to_string();
                match opinion(pod, node) % REFUSES_ONE_IN {
                    0 => {
                        let why = String::from("the extender has other plans");
                        answer.failed.insert(name, why);
                    }
                    1 => {
                        let why = String::from("the extender will never have it");
                        answer.failed_and_unresolvable.insert(name, why);
                    }
                    _ => answer.nodes.get_or_insert_default().push(name),
                }
            }
            Some(Outcome::Filtered(answer))
        }
        ExtenderCall::Prioritize { pod, nodes } => {
            let scores = nodes.iter().map(|node| HostPriority {
                host: node.to_string(),
                score: i64::from(opinion(pod, node).to_le_bytes()[7] % 11),
            });
            Some(Outcome::Prioritized(scores.collect()))
        }
        ExtenderCall::Preempt { pod, candidates } => {
            let left = candidates
                .iter()
                .filter(|(node, _)| opinion(pod, node) % REFUSES_ONE_IN > 1);
            let left: SortedMap<String, NodeVictims> = left
                .map(|(node, victims)| (node.to_string(), victims.clone()))
                .collect();
            Some(Outcome::Preempted(PreemptAnswer(left)))
        }
        ExtenderCall::Bind { .. } => None,
    }
}

/// A number that is the same for the same pod and node.
fn opinion(pod: &PodRef, node: &str) -> u64 {
    let mut fnv = Fnv::new();
    fnv.write_str(&pod.namespace);
    fnv.write_str(&pod.name);
    fnv.write_str(node);
    fnv.finish()
}

/// Out of so many nodes it refuses one for now and one for good.
const REFUSES_ONE_IN: u64 = 8;

#[cfg(test)]
mod tests;
