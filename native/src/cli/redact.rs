//! Other words for what tells whose cluster it is, so that a scenario can be shown to somebody else.
//!
//! The same word always becomes the same other word, wherever it stands, so what matched before matches afterwards. Names
//! that every cluster has stay, and so do words that are a part of Kubernetes' language.

use std::collections::BTreeMap;

use serde_json::Value;

/// Puts other words for names, label values and images, and leaves out annotations that decide nothing.
pub(super) fn redact(scenario: &mut Value) {
    let mut words = Words::default();
    if let Some(objects) = scenario["spec"]["objects"].as_array() {
        for object in objects {
            words.learn(object);
        }
    }
    scenario["metadata"]["name"] = "redacted".into();
    words.replace(&mut scenario["spec"]);
}

/// What becomes of which word.
#[derive(Default)]
struct Words {
    others: BTreeMap<String, String>,
    /// How many there are of each sort.
    counts: BTreeMap<&'static str, usize>,
}

impl Words {
    /// Takes in the names, label values and images of an object.
    fn learn(&mut self, object: &Value) {
        let metadata = &object["metadata"];
        let sort = match object["kind"].as_str() {
            Some("Pod") => "pod",
            Some("Node") => "node",
            Some("Namespace") => "namespace",
            _ => "object",
        };
        self.add(&metadata["name"], sort);
        self.add(&metadata["namespace"], "namespace");
        for owner in metadata["ownerReferences"].as_array().into_iter().flatten() {
            self.add(&owner["name"], "object");
        }
        let template = &object["spec"]["template"]["metadata"];
        for labels in [&metadata["labels"], &template["labels"]] {
            for (key, value) in labels.as_object().into_iter().flatten() {
                if !is_common_label(key) {
                    self.add(value, "value");
                }
            }
        }
        for containers in ["containers", "initContainers"] {
            for container in object["spec"][containers].as_array().into_iter().flatten() {
                self.add(&container["name"], "container");
                self.add(&container["image"], "image");
            }
        }
        for image in object["status"]["images"].as_array().into_iter().flatten() {
            for name in image["names"].as_array().into_iter().flatten() {
                self.add(name, "image");
            }
        }
    }

    fn add(&mut self, word: &Value, sort: &'static str) {
        let Some(word) = word.as_str() else { return };
        let is_language = word.is_empty()
            || KEPT.contains(&word)
            || word.starts_with("system-")
            || !word.bytes().any(|byte| byte.is_ascii_lowercase());
        if is_language || self.others.contains_key(word) {
            return;
        }
        let count = self.counts.entry(sort).or_default();
        *count += 1;
        self.others
            .insert(word.to_owned(), format!("{sort}-{count}"));
    }

    fn replace(&self, value: &mut Value) {
        match value {
            Value::String(text) => {
                if let Some(other) = self.others.get(text) {
                    text.clone_from(other);
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.replace(item)),
            Value::Object(fields) => {
                if let Some(Value::Object(annotations)) = fields.get_mut("annotations") {
                    annotations.retain(|key, _| decides(key));
                }
                for (key, field) in fields {
                    if !LANGUAGE.contains(&key.as_str()) {
                        self.replace(field);
                    }
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}

/// Labels whose values say nothing of whose cluster it is.
fn is_common_label(key: &str) -> bool {
    matches!(
        key,
        "kubernetes.io/os"
            | "kubernetes.io/arch"
            | "kubernetes.io/metadata.name"
            | "beta.kubernetes.io/os"
            | "beta.kubernetes.io/arch"
    ) || key.starts_with("node-role.kubernetes.io/")
}

/// Whether the scheduler looks at an annotation.
fn decides(key: &str) -> bool {
    [
        "pv.kubernetes.io/",
        "volume.kubernetes.io/",
        "volume.beta.kubernetes.io/",
        "storageclass.kubernetes.io/",
    ]
    .iter()
    .any(|prefix| key.starts_with(prefix))
}

/// Names that every cluster has, and words that mean something wherever they stand.
const KEPT: &[&str] = &[
    "default",
    "kube-system",
    "kube-public",
    "kube-node-lease",
    "kube-root-ca.crt",
    "kubernetes",
    "linux",
    "windows",
    "amd64",
    "arm64",
    "true",
    "false",
    "cpu",
    "memory",
    "pods",
    "ephemeral-storage",
    "default-scheduler",
];
/// Fields whose values are words of Kubernetes.
const LANGUAGE: &[&str] = &[
    "apiVersion",
    "kind",
    "type",
    "phase",
    "status",
    "operator",
    "effect",
    "topologyKey",
    "key",
];

#[cfg(test)]
mod tests;
