//! Changes written into the object that a pod comes from, as it stands in a text: the pod itself, what holds its template,
//! or a group of either.
//!
//! Nothing but what the changes are about is touched, so fields that nobody here knows stay as they are.

use alloc::string::String;

use serde_json::Value;

use crate::api::{Pod, PodSpec};

use super::change::Change;

/// The object with the changes in the pod's spec that it holds; nothing if it holds none, or one that cannot be read.
#[must_use]
pub fn amended(object: &Value, changes: &[Change]) -> Option<Value> {
    let mut object = object.clone();
    let place = spec_of(&object)?;
    let spec = object.pointer_mut(&place)?;
    let mut pod = Pod {
        spec: serde_json::from_value::<PodSpec>(spec.clone()).ok()?,
        ..Pod::default()
    };
    let before = serde_json::to_value(&pod.spec).ok()?;
    for change in changes {
        change.apply(&mut pod);
    }
    let after = serde_json::to_value(&pod.spec).ok()?;
    merge(spec, &before, &after);
    Some(object)
}

/// Where the pod's spec stands, as a JSON pointer.
fn spec_of(object: &Value) -> Option<String> {
    let kind = |object: &Value| object.get("kind").and_then(Value::as_str).map(String::from);
    let (mut place, inner) = if object.get("group").is_some() {
        (String::from("/template"), object.get("template")?)
    } else {
        (String::new(), object)
    };
    place.push_str(match kind(inner)?.as_str() {
        "Pod" => "/spec",
        "CronJob" => "/spec/jobTemplate/spec/template/spec",
        _ => "/spec/template/spec",
    });
    object.pointer(&place).map(|_| place)
}

/// Brings into a value what differs between two others.
fn merge(value: &mut Value, before: &Value, after: &Value) {
    if before == after {
        return;
    }
    match (value, before, after) {
        (Value::Object(own), Value::Object(old), Value::Object(new)) => {
            for key in old.keys().filter(|key| !new.contains_key(*key)) {
                own.remove(key);
            }
            for (key, after) in new {
                let before = old.get(key).unwrap_or(&Value::Null);
                match own.get_mut(key) {
                    Some(own) => merge(own, before, after),
                    None => {
                        own.insert(key.clone(), after.clone());
                    }
                }
            }
        }
        (Value::Array(own), Value::Array(old), Value::Array(new))
            if own.len() == old.len() && new.len() >= old.len() =>
        {
            let (alike, added) = new.split_at(old.len());
            for ((own, before), after) in own.iter_mut().zip(old).zip(alike) {
                merge(own, before, after);
            }
            own.extend(added.iter().cloned());
        }
        (own, _, after) => *own = after.clone(),
    }
}

#[cfg(test)]
mod tests;
