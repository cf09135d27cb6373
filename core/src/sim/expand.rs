//! From groups to objects: as many as are counted, each with its number and its zone.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use serde_json::{Map, Value};

use crate::api::decode::Origin;
use crate::api::{Kind, Located, Object};
use crate::order;

use super::error::{Fault, InputError};
use super::locate::Refusal;
use super::scenario::{Action, Content, Entry, Group, Limits, Scenario};

/// An object with the place that it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    /// The object.
    pub object: Object,
    /// Where it, or its template, stands.
    pub origin: Origin,
}

/// The objects of entries, in their order.
///
/// Errors: templates that are no objects, one for each.
pub fn expand(entries: &[Entry]) -> (Vec<Placed>, Vec<Refusal>) {
    let mut placed = Vec::new();
    let mut errors = Vec::new();
    for entry in entries {
        match &entry.content {
            Content::Object(object) => placed.push(Placed {
                object: object.clone(),
                origin: entry.origin.clone(),
            }),
            Content::Group(group) => {
                for number in 0..group.count {
                    match member(group, number) {
                        Ok(object) => placed.push(Placed {
                            object,
                            origin: entry.origin.clone(),
                        }),
                        Err(error) => {
                            errors.push(refusal(&entry.origin, error));
                            break;
                        }
                    }
                }
            }
        }
    }
    (placed, errors)
}

/// How many nodes, pods and timeline entries a scenario makes, against what it may make. Nothing is made for this.
///
/// Errors: the first of them that are too many, at the count or the object that goes over the limit.
pub fn check_limits(scenario: &Scenario, limits: Limits) -> Result<(), Located<InputError>> {
    let mut counts = Counts::default();
    scenario.objects.iter().for_each(|entry| counts.add(entry));
    for entry in &scenario.timeline {
        match &entry.action {
            Action::Apply(entries) => {
                for entry in entries {
                    counts.timeline = counts.timeline.saturating_add(size(entry));
                    counts.add(entry);
                }
            }
            _ => counts.timeline = counts.timeline.saturating_add(1),
        }
    }
    let checks = [
        ("nodes", counts.nodes, limits.nodes),
        ("pods", counts.pods, limits.pods),
        ("timeline entries", counts.timeline, limits.timeline),
    ];
    for (what, found, limit) in checks {
        if found > limit {
            return Err(over(scenario, InputError::TooMany { what, found, limit }));
        }
    }
    Ok(())
}

/// The error at the largest part of what is too many: that is what somebody has to make smaller.
#[inline(never)]
fn over(scenario: &Scenario, error: InputError) -> Located<InputError> {
    let InputError::TooMany { what, .. } = &error else {
        return Located::in_source(Arc::from(""), error);
    };
    let later = scenario
        .timeline
        .iter()
        .flat_map(|entry| match &entry.action {
            Action::Apply(entries) => entries.as_slice(),
            _ => &[],
        });
    let amount = |entry: &Entry| {
        let mut counts = Counts::default();
        counts.add(entry);
        match *what {
            "nodes" => counts.nodes,
            "pods" => counts.pods,
            _ => size(entry),
        }
    };
    let is_later = *what == "timeline entries";
    let objects = scenario.objects.iter().filter(|_| !is_later);
    let mut largest: Option<(u64, &Origin)> = None;
    for entry in objects.chain(later) {
        let place = match &entry.content {
            Content::Group(group) => group.count_place.as_ref(),
            Content::Object(_) => None,
        };
        let amount = amount(entry);
        if largest.is_none_or(|(most, _)| most < amount) {
            largest = Some((amount, place.unwrap_or(&entry.origin)));
        }
    }
    let origin = largest.map(|(_, origin)| origin);
    let Some(origin) = origin.or_else(|| scenario.timeline.first().map(|entry| &entry.origin))
    else {
        return Located::in_source(Arc::from(""), error);
    };
    Located {
        source: origin.source.clone(),
        line: origin.line,
        column: origin.column,
        path: origin.path.clone(),
        object: Box::default(),
        error,
    }
}

#[derive(Default)]
struct Counts {
    nodes: u64,
    pods: u64,
    timeline: u64,
}

impl Counts {
    fn add(&mut self, entry: &Entry) {
        let count = size(entry);
        let (kind, replicas) = match &entry.content {
            Content::Object(object) => (object.kind().as_str(), replicas_of(&spec_of(object))),
            Content::Group(group) => {
                let kind = group.template.get("kind").and_then(Value::as_str);
                (kind.unwrap_or_default(), replicas_of(&group.template))
            }
        };
        match kind {
            "Node" => self.nodes = self.nodes.saturating_add(count),
            "Pod" => self.pods = self.pods.saturating_add(count),
            "Deployment" | "ReplicaSet" | "StatefulSet" | "ReplicationController" | "Job" => {
                self.pods = self.pods.saturating_add(count.saturating_mul(replicas));
            }
            _ => {}
        }
    }
}

/// How many pods a controller's object asks for.
fn replicas_of(object: &Value) -> u64 {
    let spec = object.get("spec");
    let number = |name| spec.and_then(|spec| spec.get(name)).and_then(Value::as_u64);
    number("replicas")
        .or_else(|| number("parallelism"))
        .unwrap_or(1)
}

/// As much of an object as says how many pods it makes; pods and nodes themselves are not written out for this.
fn spec_of(object: &Object) -> Value {
    match object.kind() {
        Kind::Pod | Kind::Node => Value::Null,
        _ => object.to_json(),
    }
}

fn size(entry: &Entry) -> u64 {
    match &entry.content {
        Content::Object(_) => 1,
        Content::Group(group) => group.count,
    }
}

/// One object of a group.
#[inline(never)]
fn member(group: &Group, number: u64) -> Result<Object, Located<InputError>> {
    let digits = number.to_string();
    let mut value = substitute(&group.template, &digits);
    let metadata = value.as_object_mut().map(|object| {
        object
            .entry("metadata")
            .or_insert_with(|| Map::new().into())
    });
    if let Some(Value::Object(metadata)) = metadata {
        if !group.name.is_empty() {
            let name = group.name.replace(NUMBER, &digits);
            metadata.insert("name".to_string(), name.into());
        }
        let zones = group.zones.len() as u64;
        let zone = number
            .checked_rem(zones)
            .and_then(|place| group.zones.get(usize::try_from(place).ok()?));
        if let Some(zone) = zone {
            let labels = metadata
                .entry("labels")
                .or_insert_with(|| Map::new().into());
            if let Value::Object(labels) = labels {
                labels
                    .entry(ZONE_LABEL)
                    .or_insert_with(|| zone.as_str().into());
            }
        }
    }
    Object::from_value(&value).map_err(|error| error.map(InputError::Unreadable))
}

/// The template with its number written in.
fn substitute(value: &Value, digits: &str) -> Value {
    match value {
        Value::String(text) if text.contains(NUMBER) => text.replace(NUMBER, digits).into(),
        Value::Array(values) => values
            .iter()
            .map(|value| substitute(value, digits))
            .collect(),
        Value::Object(map) => {
            let pairs = map.iter();
            let pairs = pairs.map(|(key, value)| {
                let key: String = if key.contains(NUMBER) {
                    key.replace(NUMBER, digits)
                } else {
                    key.clone()
                };
                (key, substitute(value, digits))
            });
            order::collect::<Map<String, Value>, _>(pairs).into()
        }
        other => other.clone(),
    }
}

/// What is wrong with a template, at the template's place.
fn refusal(origin: &Origin, error: Located<InputError>) -> Refusal {
    Refusal {
        origin: origin.clone(),
        object: String::from(error.object),
        fault: Fault::new(error.path, error.error),
    }
}

const NUMBER: &str = "{i}";
const ZONE_LABEL: &str = "topology.kubernetes.io/zone";

#[cfg(test)]
mod tests;
