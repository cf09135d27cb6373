//! Which resources of the API server are read, and where they are.

use berth_core::api::Kind;
use berth_core::config::{
    Configuration, DefaultingType, Gate, PluginArgs, PodTopologySpreadArgs, Profile,
};

/// What to watch for a configuration: each kind once, in the order of the spec.
///
/// Source: spec, F.1; only what an enabled plugin asks for is watched.
pub(super) fn watched(configuration: &Configuration) -> Vec<Kind> {
    let mut kinds = vec![Kind::Pod, Kind::Node, Kind::Namespace];
    if configuration.profiles.iter().any(looks_at_owners) {
        kinds.extend([
            Kind::Service,
            Kind::ReplicationController,
            Kind::ReplicaSet,
            Kind::StatefulSet,
        ]);
    }
    kinds.extend([
        Kind::PersistentVolume,
        Kind::PersistentVolumeClaim,
        Kind::StorageClass,
        Kind::CSINode,
        Kind::CSIDriver,
        Kind::CSIStorageCapacity,
        Kind::VolumeAttachment,
        Kind::PodDisruptionBudget,
        Kind::ResourceClaim,
        Kind::ResourceSlice,
        Kind::DeviceClass,
    ]);
    if configuration.gates.enabled(Gate::GenericWorkload) {
        kinds.push(Kind::PodGroup);
    }
    kinds
}

/// Whether a plugin of the profile asks which pods belong together because of what made them.
fn looks_at_owners(profile: &Profile) -> bool {
    let spreads = match profile.args("PodTopologySpread") {
        Some(PluginArgs::PodTopologySpread(PodTopologySpreadArgs {
            defaulting_type,
            default_constraints,
            ..
        })) => *defaulting_type == DefaultingType::System || !default_constraints.is_empty(),
        _ => false,
    };
    let is_legacy =
        |entry: &berth_core::config::PluginConfig| matches!(entry.args, PluginArgs::Legacy(_));
    spreads || profile.plugin_config.iter().any(is_legacy)
}

/// Where the objects of a kind are listed, in all namespaces.
pub(super) fn collection(kind: Kind) -> String {
    format!("{}/{}", root(kind), kind.plural())
}

/// Where the object of that name is; kinds without a namespace have the empty one.
pub(super) fn object_at(kind: Kind, namespace: &str, name: &str) -> String {
    format!("{}/{name}", collection_in(kind, namespace))
}

/// Where the objects of one namespace are.
pub(super) fn collection_in(kind: Kind, namespace: &str) -> String {
    let (root, plural) = (root(kind), kind.plural());
    if kind.is_namespaced() {
        format!("{root}/namespaces/{namespace}/{plural}")
    } else {
        format!("{root}/{plural}")
    }
}

fn root(kind: Kind) -> String {
    let version = kind.api_version();
    if version.contains('/') {
        format!("/apis/{version}")
    } else {
        format!("/api/{version}")
    }
}

/// Which of the objects matter: a pod that has ended is gone for the scheduler.
pub(super) const fn selector(kind: Kind) -> &'static str {
    match kind {
        Kind::Pod => "fieldSelector=status.phase%21%3DSucceeded%2Cstatus.phase%21%3DFailed",
        _ => "",
    }
}
