//! What is said of a change: what it is, where the pod then fits, what it costs, and what stands against it.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::explain::text::Lang as Explained;
use crate::explain::{Change, Cut, Suggestion, Whose};
use crate::framework::reason::Reason;
use crate::picture::scene::Lang;
use crate::picture::sentences::{Arg, Key, amount, cpu, short_resource};

use super::super::stage::Stage;

/// What a change is.
pub(in crate::picture) fn change(stage: &Stage<'_>, change: &Change) -> String {
    let text = |key: Key, name: &str, value: &str| stage.text(key, &[(name, value.into())]);
    match change {
        Change::Tolerate { key } => text(Key::WTolerate, "key", key),
        Change::Ask {
            resource,
            from,
            to,
            cuts,
        } => {
            let args = [
                ("resource", short_resource(resource).into()),
                ("from", amount(resource, *from).into()),
                ("to", amount(resource, *to).into()),
                ("names", whose(stage, cuts).into()),
            ];
            // A container that asks for all of it needs no name.
            let key = match cuts.as_slice() {
                [cut] if cut.from == *from && matches!(cut.whose, Whose::Container(_)) => {
                    Key::WAskLess
                }
                _ => Key::WAskLessOf,
            };
            stage.text(key, &args)
        }
        Change::AnyNode => stage.label(Key::WAnyNode),
        Change::NoHostPorts => stage.label(Key::WNoPorts),
        Change::PreferSpread { key } => text(Key::WPreferSpread, "key", key),
        Change::PreferApart { .. } => stage.label(Key::WPreferApart),
        Change::PreferNear { .. } => stage.label(Key::WPreferNear),
    }
}

/// Who is to ask for less.
fn whose(stage: &Stage<'_>, cuts: &[Cut]) -> String {
    let names = cuts.iter().map(|cut| match &cut.whose {
        Whose::Pod => stage.label(Key::WPodAsWhole),
        Whose::Container(name) => name.clone(),
        Whose::InitContainer(name) => {
            let args = [("name", name.as_str().into())];
            stage.text(Key::WInitContainer, &args)
        }
    });
    names.collect::<Vec<_>>().join(", ")
}

/// Where the pod then fits.
pub(in crate::picture) fn fits(stage: &Stage<'_>, suggestion: &Suggestion) -> String {
    let names = match suggestion.nodes.as_slice() {
        [first, rest @ ..] if rest.len() > 1 => {
            let n = Arg::Number(i64::try_from(rest.len()).unwrap_or(0));
            let first = stage.node_name(first).into();
            stage.text(Key::PluginAndMore, &[("plugin", first), ("n", n)])
        }
        few => {
            let few: Vec<&str> = few.iter().map(|name| stage.node_name(name)).collect();
            few.join(", ")
        }
    };
    stage.text(Key::WThenFits, &[("nodes", names.into())])
}

/// What the changes cost, one by one, as far as that can be said from the objects alone.
pub(in crate::picture) fn costs(stage: &Stage<'_>, suggestion: &Suggestion) -> Vec<String> {
    let changes = suggestion.changes.iter();
    changes
        .filter_map(|change| cost(stage, suggestion, change))
        .collect()
}

fn cost(stage: &Stage<'_>, suggestion: &Suggestion, change: &Change) -> Option<String> {
    let keyed = |key: Key, topology: &String| stage.text(key, &[("key", topology.as_str().into())]);
    Some(match change {
        Change::Tolerate { .. } => {
            let name = suggestion.nodes.first()?;
            let node = stage.still.node(name)?;
            let asked = stage.subject_facts()?.info.requests.milli_cpu;
            let args = [
                ("asked", Arg::from(cpu(asked))),
                ("all", cpu(node.allocatable.milli_cpu).into()),
                ("node", stage.node_name(name).into()),
            ];
            if asked == 0 {
                return None;
            }
            stage.text(Key::WCostRoom, &args)
        }
        Change::Ask {
            resource, from, to, ..
        } => {
            let args = [
                ("n", Arg::from(amount(resource, from - to))),
                ("resource", short_resource(resource).into()),
            ];
            stage.text(Key::WCostLess, &args)
        }
        Change::AnyNode => stage.label(Key::WCostLabels),
        Change::NoHostPorts => stage.label(Key::WCostPorts),
        Change::PreferSpread { key } => keyed(Key::WCostSpread, key),
        Change::PreferApart { key } => keyed(Key::WCostApart, key),
        Change::PreferNear { .. } => stage.label(Key::WCostNear),
    })
}

/// What stands against a change that does not do.
pub(in crate::picture) fn still(stage: &Stage<'_>, reason: &Reason) -> String {
    let explained = match stage.shot.lang {
        Lang::En => Explained::En,
        Lang::Zh => Explained::Zh,
    };
    let reason = explained.reason(reason);
    stage.text(Key::WStill, &[("reason", reason.into())])
}

/// A change as lines of the pod's text, each with its sign; the second is whether it is added.
pub(in crate::picture) fn code(change: &Change) -> Vec<(String, bool)> {
    let lines = change.lines().into_iter();
    lines
        .map(|(is_added, text)| {
            let sign = if is_added { '+' } else { '−' };
            (format!("{sign} {text}"), is_added)
        })
        .collect()
}
