//! What the volume plugins have in common: which claims a pod uses, what classes they have, what upstream says of them.

pub(super) mod migration;

use alloc::string::String;
use alloc::sync::Arc;

use crate::api::{Kind, Object, PersistentVolume, PersistentVolumeClaim, Pod, Quantity, Volume};
use crate::framework::reason::Reason;
use crate::framework::status::PluginError;

use super::hint::Versions;

/// One claim that a pod uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ClaimUse {
    /// The claim's name, in the pod's namespace.
    pub(super) name: String,
    /// Whether the claim is made for this pod alone.
    pub(super) is_ephemeral: bool,
}

/// The claim of a volume; `None` for a volume of another kind.
pub(super) fn claim_of(pod: &Pod, volume: &Volume) -> Option<ClaimUse> {
    if let Some(source) = &volume.persistent_volume_claim {
        return Some(ClaimUse {
            name: source.claim_name.clone(),
            is_ephemeral: false,
        });
    }
    volume.ephemeral.as_ref()?;
    Some(ClaimUse {
        name: [pod.metadata.name.as_str(), "-", &volume.name].concat(),
        is_ephemeral: true,
    })
}

/// The claims of a pod in the order of its volumes.
pub(super) fn claims_of(pod: &Pod) -> impl Iterator<Item = ClaimUse> {
    let volumes = pod.spec.volumes.iter();
    volumes.filter_map(|volume| claim_of(pod, volume))
}

/// The names of a pod's claims, those that are made for it left out.
pub(super) fn plain_claims(pod: &Pod) -> impl Iterator<Item = &str> {
    let sources = pod.spec.volumes.iter();
    sources.filter_map(|volume| Some(volume.persistent_volume_claim.as_ref()?.claim_name.as_str()))
}

/// Whether the pod uses the claim, by name or as one made for it.
pub(super) fn uses_claim(pod: &Pod, claim: &PersistentVolumeClaim) -> bool {
    pod.metadata.namespace == claim.metadata.namespace
        && claims_of(pod).any(|used| used.name == claim.metadata.name)
}

/// Whether a claim that is made for a pod was made for this one; otherwise the text that says so.
pub(super) fn check_owner(pod: &Pod, claim: &PersistentVolumeClaim) -> Result<(), String> {
    if claim.metadata.is_controlled_by(&pod.metadata.uid) {
        return Ok(());
    }
    Err([
        "PVC ",
        &claim.metadata.namespace,
        "/",
        &claim.metadata.name,
        " was not created for pod ",
        &pod.metadata.namespace,
        "/",
        &pod.metadata.name,
        " (pod is not owner)",
    ]
    .concat())
}

/// The class of a claim; empty for none. The annotation of old counts before the field.
pub(super) fn class_of_claim(claim: &PersistentVolumeClaim) -> &str {
    let of_old = claim.metadata.annotations.get(CLASS_ANNOTATION);
    let class = of_old.or(claim.spec.storage_class_name.as_ref());
    class.map_or("", String::as_str)
}

/// The class of a volume; empty for none.
pub(super) fn class_of_volume(volume: &PersistentVolume) -> &str {
    let of_old = volume.metadata.annotations.get(CLASS_ANNOTATION);
    of_old.unwrap_or(&volume.spec.storage_class_name)
}

/// How much storage a claim asks for, if it says so.
pub(super) fn storage_request(claim: &PersistentVolumeClaim) -> Option<&Quantity> {
    claim.spec.resources.requests.get("storage")
}

/// Whether the claim has its volume for good.
pub(super) fn is_bound(claim: &PersistentVolumeClaim) -> bool {
    let annotations = &claim.metadata.annotations;
    !claim.spec.volume_name.is_empty() && annotations.contains_key(BIND_COMPLETED)
}

/// Kubernetes' text for an object that is not there.
///
/// Source: spec, plugins 2.12.
pub(super) fn not_found(kind: Kind, name: &str) -> String {
    let kind = match kind {
        Kind::PersistentVolumeClaim => "persistentvolumeclaim",
        Kind::PersistentVolume => "persistentvolume",
        Kind::StorageClass => "storageclass.storage.k8s.io",
        Kind::Node => "node",
        Kind::Pod => "pod",
        other => other.as_str(),
    };
    [kind, " \"", name, "\" not found"].concat()
}

/// The same as a reason.
pub(super) fn not_found_reason(kind: Kind, name: &str) -> Reason {
    Reason::from(not_found(kind, name))
}

/// Upstream's text for a class that does not say when its volumes are bound.
pub(super) fn no_binding_mode(class: &str) -> String {
    ["VolumeBindingMode not set for StorageClass \"", class, "\""].concat()
}

/// The two versions of the object that an event is about, if it is of the kind that `pick` knows.
///
/// # Errors
///
/// The event is about something else.
pub(super) fn versions<'a, T>(
    old: Option<&'a Object>,
    new: Option<&'a Object>,
    pick: fn(&'a Object) -> Option<&'a Arc<T>>,
) -> Result<Versions<'a, T>, PluginError> {
    let known = |object: &'a Object| {
        pick(object).ok_or_else(|| PluginError::new("expected an object of another kind"))
    };
    Ok((old.map(known).transpose()?, new.map(known).transpose()?))
}

/// The claims that an event is about.
///
/// # Errors
///
/// The event is about something else.
pub(super) fn claim_versions<'a>(
    old: Option<&'a Object>,
    new: Option<&'a Object>,
) -> Result<Versions<'a, PersistentVolumeClaim>, PluginError> {
    versions(old, new, |object| match object {
        Object::PersistentVolumeClaim(claim) => Some(claim),
        _ => None,
    })
}

/// Where the class stood before it had a field.
const CLASS_ANNOTATION: &str = "volume.beta.kubernetes.io/storage-class";
/// A claim has it once its binding is complete.
pub(super) const BIND_COMPLETED: &str = "pv.kubernetes.io/bind-completed";
/// The node for which a claim's volume is to be made.
pub(super) const SELECTED_NODE: &str = "volume.kubernetes.io/selected-node";
/// A volume has it when a controller, not a person, gave it to its claim.
pub(super) const BOUND_BY_CONTROLLER: &str = "pv.kubernetes.io/bound-by-controller";
/// The in-tree plugins that a node has handed over to drivers, by commas.
pub(super) const MIGRATED_PLUGINS: &str = "storage.alpha.kubernetes.io/migrated-plugins";
/// Binding waits until a pod is placed.
pub(super) const WAIT_FOR_FIRST_CONSUMER: &str = "WaitForFirstConsumer";
