//! Volumes, claims and their classes.

use crate::api::{PersistentVolume, PersistentVolumeClaimSpec, StorageClass};

use super::super::error::{Faults, InputError};
use super::affinity::{check_label_selector, check_node_selector};
use super::at::At;
use super::resources::check_amount;

pub(super) fn check_volume(faults: &mut Faults, volume: &PersistentVolume) {
    let root = At::ROOT;
    let at = root.field("spec");
    check_modes(faults, &at, &volume.spec.access_modes);
    let capacity = at.field("capacity");
    match volume.spec.capacity.get("storage") {
        None => capacity
            .key("storage")
            .fault(faults, InputError::missing("how large the volume is")),
        Some(amount) => check_amount(faults, &capacity.key("storage"), "storage", *amount),
    }
    if let Some(nodes) = volume
        .spec
        .node_affinity
        .as_ref()
        .and_then(|affinity| affinity.required.as_ref())
    {
        check_node_selector(faults, &at.field("nodeAffinity.required"), nodes);
    }
    check_mode(faults, &at, volume.spec.volume_mode.as_deref());
}

pub(super) fn check_claim(faults: &mut Faults, at: &At<'_>, spec: &PersistentVolumeClaimSpec) {
    check_modes(faults, at, &spec.access_modes);
    let requests = at.field("resources.requests");
    let at_storage = requests.key("storage");
    match spec.resources.requests.get("storage") {
        None => at_storage.fault(faults, InputError::missing("how large the volume must be")),
        Some(amount) if amount.is_zero() => at_storage.invalid(faults, amount, "more than 0"),
        Some(amount) => check_amount(faults, &at_storage, "storage", *amount),
    }
    if let Some(selector) = &spec.selector {
        check_label_selector(faults, &at.field("selector"), selector);
    }
    check_mode(faults, at, spec.volume_mode.as_deref());
}

pub(super) fn check_class(faults: &mut Faults, class: &StorageClass) {
    let root = At::ROOT;
    if class.provisioner.is_empty() {
        root.field("provisioner").fault(
            faults,
            InputError::missing("who makes the volumes, such as kubernetes.io/no-provisioner"),
        );
    }
    if let Some(mode) = &class.volume_binding_mode {
        root.field("volumeBindingMode").one_of(
            faults,
            mode,
            &["Immediate", "WaitForFirstConsumer"],
        );
    }
    if let Some(policy) = &class.reclaim_policy {
        root.field("reclaimPolicy")
            .one_of(faults, policy, &["Delete", "Retain"]);
    }
}

fn check_modes(faults: &mut Faults, at: &At<'_>, modes: &[alloc::string::String]) {
    let at = at.field("accessModes");
    if modes.is_empty() {
        at.fault(faults, InputError::missing("at least one access mode"));
    }
    for (index, mode) in modes.iter().enumerate() {
        at.index(index).one_of(faults, mode, ACCESS_MODES);
    }
}

fn check_mode(faults: &mut Faults, at: &At<'_>, mode: Option<&str>) {
    if let Some(mode) = mode {
        at.field("volumeMode")
            .one_of(faults, mode, &["Filesystem", "Block"]);
    }
}

const ACCESS_MODES: &[&str] = &[
    "ReadWriteOnce",
    "ReadOnlyMany",
    "ReadWriteMany",
    "ReadWriteOncePod",
];
