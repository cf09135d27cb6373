//! Names, labels, annotations, owners.

use crate::api::names::{
    NameFault, dns_label_faults, dns_subdomain_faults, join_faults, label_value_faults,
    qualified_name_faults,
};
use crate::api::{Kind, Object, StringMap};

use super::super::error::{Faults, InputError};
use super::at::At;

pub(super) fn check(faults: &mut Faults, object: &Object) {
    let root = At::ROOT;
    let at = root.field("metadata");
    let metadata = object.metadata();
    if metadata.name.is_empty() && metadata.generate_name.is_empty() {
        at.field("name")
            .fault(faults, InputError::missing("a name, or generateName"));
    } else if !metadata.name.is_empty() {
        let rule = match object.kind() {
            Kind::Namespace | Kind::Service => dns_label_faults,
            _ => dns_subdomain_faults,
        };
        check_text(faults, &at.field("name"), &metadata.name, rule);
    }
    if object.kind().is_namespaced() {
        check_text(
            faults,
            &at.field("namespace"),
            &metadata.namespace,
            dns_label_faults,
        );
    }
    check_labels(faults, &at.field("labels"), &metadata.labels);
    check_annotations(faults, &at.field("annotations"), &metadata.annotations);
    for (index, finalizer) in metadata.finalizers.iter().enumerate() {
        let list = at.field("finalizers");
        check_text(faults, &list.index(index), finalizer, qualified_name_faults);
    }
    for (index, owner) in metadata.owner_references.iter().enumerate() {
        let list = at.field("ownerReferences");
        let at = list.index(index);
        let parts = [
            ("apiVersion", &owner.api_version),
            ("kind", &owner.kind),
            ("name", &owner.name),
            ("uid", &owner.uid),
        ];
        for (name, text) in parts {
            if text.is_empty() {
                at.field(name)
                    .fault(faults, InputError::missing("the owner's"));
            }
        }
    }
}

/// Labels of an object, or a selector written as a map.
pub(super) fn check_labels(faults: &mut Faults, at: &At<'_>, labels: &StringMap) {
    for (key, value) in labels {
        check_text(faults, &at.key(key), key, qualified_name_faults);
        check_text(faults, &at.key(key), value, label_value_faults);
    }
}

fn check_annotations(faults: &mut Faults, at: &At<'_>, annotations: &StringMap) {
    let mut size = 0;
    for (key, value) in annotations {
        size += key.len() + value.len();
        // Keys are compared in lower case, so capitals in the prefix are allowed here.
        check_text(
            faults,
            &at.key(key),
            &key.to_lowercase(),
            qualified_name_faults,
        );
    }
    if size > MAX_ANNOTATIONS {
        at.fault(
            faults,
            InputError::TooMany {
                what: "bytes",
                found: size as u64,
                limit: MAX_ANNOTATIONS as u64,
            },
        );
    }
}

/// Text that must have a form.
pub(super) fn check_text(
    faults: &mut Faults,
    at: &At<'_>,
    text: &str,
    rule: fn(&str) -> alloc::vec::Vec<NameFault>,
) {
    let found = rule(text);
    if !found.is_empty() {
        at.invalid(
            faults,
            text,
            ["another text: ", &join_faults(&found)].concat(),
        );
    }
}

const MAX_ANNOTATIONS: usize = 256 * 1024;
