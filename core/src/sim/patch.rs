//! Strategic merge patches, as the API server applies them to the kinds that Berth knows.
//!
//! An object is merged field by field; a list is replaced, unless Kubernetes' schema gives it a merge key: then its
//! elements are merged by that key. `null` deletes a field, `$patch: delete` an object or an element, `$patch: replace`
//! switches merging off. The order of a merged list is the old one, new elements last.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::{Map, Value};

use crate::api::FieldPath;
use crate::order;

use super::error::{Fault, InputError};

/// Applies `patch` to `target`.
///
/// Errors: a directive that does not exist, or an element of a merged list without its key; `target` may have been
/// changed in part then, so callers patch a copy.
pub fn strategic_merge(target: &mut Value, patch: &Value) -> Result<(), Fault> {
    merge_value(target, patch, Place::root())
}

/// Where the merge stands: the path for messages, and the names of the last two fields for the schema.
#[derive(Clone)]
struct Place {
    path: FieldPath,
    parent: String,
    field: String,
}

impl Place {
    fn root() -> Self {
        Self {
            path: FieldPath::root(),
            parent: String::new(),
            field: String::new(),
        }
    }

    fn child(&self, name: &str) -> Self {
        Self {
            path: self.path.clone().field(name),
            parent: self.field.clone(),
            field: name.to_owned(),
        }
    }

    /// An element of the list here; its fields have the list's name as parent.
    fn element(&self, index: usize) -> Self {
        Self {
            path: self.path.clone().index(index),
            ..self.clone()
        }
    }

    fn refuse(&self, found: &str, expected: &'static str) -> Fault {
        Fault::new(self.path.clone(), InputError::invalid(found, expected))
    }
}

/// How a list of the schema is merged.
enum ListRule {
    Replace,
    ByKey(&'static str),
    AsSet,
}

/// The merge keys of Kubernetes' schema (`patchMergeKey`), for the fields that a scheduler's objects have.
///
/// Lists that are not named here are replaced as a whole; taints and tolerations are among them.
fn list_rule(place: &Place) -> ListRule {
    match (place.parent.as_str(), place.field.as_str()) {
        ("metadata", "finalizers") => ListRule::AsSet,
        ("metadata", "ownerReferences") | ("status", "reservedFor") => ListRule::ByKey("uid"),
        ("status", "conditions" | "addresses") => ListRule::ByKey("type"),
        ("status", "podIPs" | "hostIPs") => ListRule::ByKey("ip"),
        ("status", "resourceClaimStatuses") => ListRule::ByKey("name"),
        (
            "spec",
            "containers"
            | "initContainers"
            | "ephemeralContainers"
            | "volumes"
            | "schedulingGates"
            | "resourceClaims"
            | "imagePullSecrets",
        )
        | (_, "env") => ListRule::ByKey("name"),
        ("spec", "hostAliases") => ListRule::ByKey("ip"),
        ("spec", "topologySpreadConstraints") => ListRule::ByKey("topologyKey"),
        ("containers" | "initContainers" | "ephemeralContainers", "ports") => {
            ListRule::ByKey("containerPort")
        }
        ("spec", "ports") => ListRule::ByKey("port"),
        (_, "volumeMounts") => ListRule::ByKey("mountPath"),
        (_, "volumeDevices") => ListRule::ByKey("devicePath"),
        _ => ListRule::Replace,
    }
}

fn merge_value(target: &mut Value, patch: &Value, place: Place) -> Result<(), Fault> {
    match (target, patch) {
        (Value::Object(old), Value::Object(new)) => merge_object(old, new, place),
        (Value::Array(old), Value::Array(new)) => merge_list(old, new, &place),
        (slot, new) => {
            *slot = without_directives(new);
            Ok(())
        }
    }
}

fn merge_object(
    old: &mut Map<String, Value>,
    new: &Map<String, Value>,
    place: Place,
) -> Result<(), Fault> {
    match new.get(PATCH) {
        None => {}
        Some(Value::String(word)) if word == "merge" => {}
        Some(Value::String(word)) if word == "replace" => {
            *old = strip(new);
            return Ok(());
        }
        Some(Value::String(word)) if word == "delete" => {
            old.clear();
            return Ok(());
        }
        Some(other) => {
            return Err(place
                .child(PATCH)
                .refuse(&text_of(other), "merge, replace or delete"));
        }
    }
    for (name, value) in new {
        if name == PATCH || name.starts_with("$setElementOrder/") {
            continue;
        }
        if name == RETAIN_KEYS {
            let keep: Vec<&str> = strings(value);
            old.retain(|key, _| keep.contains(&key.as_str()));
            continue;
        }
        if let Some(list) = name.strip_prefix("$deleteFromPrimitiveList/") {
            if let (Some(Value::Array(values)), Value::Array(gone)) = (old.get_mut(list), value) {
                values.retain(|value| !gone.contains(value));
            }
            continue;
        }
        if value.is_null() {
            old.remove(name);
            continue;
        }
        let at = place.child(name);
        match old.get_mut(name) {
            Some(slot) if !slot.is_null() => merge_value(slot, value, at)?,
            _ => {
                old.insert(name.clone(), without_directives(value));
            }
        }
    }
    Ok(())
}

fn merge_list(old: &mut Vec<Value>, new: &[Value], place: &Place) -> Result<(), Fault> {
    let key = match list_rule(place) {
        ListRule::Replace => {
            *old = new.iter().map(without_directives).collect();
            return Ok(());
        }
        ListRule::AsSet => {
            for value in new {
                if !old.contains(value) {
                    old.push(value.clone());
                }
            }
            return Ok(());
        }
        ListRule::ByKey(key) => key,
    };
    let replaces = |value: &Value| value.get(PATCH).and_then(Value::as_str) == Some("replace");
    if new.iter().any(replaces) {
        let elements = new
            .iter()
            .filter(|value| !replaces(value) || value.get(key).is_some());
        *old = elements.map(without_directives).collect();
        return Ok(());
    }
    for (index, element) in new.iter().enumerate() {
        let at = place.element(index);
        let Some(name) = element.get(key) else {
            return Err(Fault::new(
                at.path,
                InputError::Missing {
                    expected: format!("`{key}`, which says which element is meant").into(),
                },
            ));
        };
        if element.get(PATCH).and_then(Value::as_str) == Some("delete") {
            old.retain(|present| present.get(key) != Some(name));
            continue;
        }
        match old
            .iter_mut()
            .find(|present| present.get(key) == Some(name))
        {
            Some(present) => merge_value(present, element, at)?,
            None => old.push(without_directives(element)),
        }
    }
    Ok(())
}

/// A value that goes in where nothing was: nothing to merge with, so directives and nulls have done their work.
fn without_directives(value: &Value) -> Value {
    match value {
        Value::Object(map) => Value::Object(strip(map)),
        Value::Array(values) => {
            let deletes =
                |value: &&Value| value.get(PATCH).and_then(Value::as_str) == Some("delete");
            let kept = values.iter().filter(|value| !deletes(value));
            Value::Array(kept.map(without_directives).collect())
        }
        other => other.clone(),
    }
}

fn strip(map: &Map<String, Value>) -> Map<String, Value> {
    let kept = map
        .iter()
        .filter(|(name, value)| !name.starts_with('$') && !value.is_null());
    order::collect(kept.map(|(name, value)| (name.clone(), without_directives(value))))
}

fn strings(value: &Value) -> Vec<&str> {
    value
        .as_array()
        .map(|values| values.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default()
}

fn text_of(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), ToOwned::to_owned)
}

const PATCH: &str = "$patch";
const RETAIN_KEYS: &str = "$retainKeys";

#[cfg(test)]
mod tests;
