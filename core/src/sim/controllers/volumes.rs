//! The controller of volumes and the provisioners behind it: claims meet volumes.
//!
//! A volume that names a claim and a claim that names a volume are bound to each other; so is what the scheduler has
//! brought together. A claim of a class that binds at once gets the smallest volume that will do, or a new one; one of a
//! class that waits for its first pod gets a new one as soon as the scheduler has chosen the node. Provisioners whose name
//! begins with `broken` do nothing, as do classes without one.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use crate::api::{
    CSIPersistentVolumeSource, Kind, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm,
    Object, ObjectKey, ObjectMeta, ObjectReference, PersistentVolume, PersistentVolumeClaim,
    Quantity, Selector, StorageClass, VolumeNodeAffinity,
};

use super::super::defaults::ephemeral_claim_name;
use super::super::world::World;
use super::pods;

pub(super) fn sync(world: &mut World) {
    let claims: Vec<Arc<PersistentVolumeClaim>> = world
        .list(Kind::PersistentVolumeClaim)
        .filter_map(|object| match object {
            Object::PersistentVolumeClaim(claim) => Some(claim.clone()),
            _ => None,
        })
        .collect();
    for claim in claims {
        sync_claim(world, &claim);
    }
    let volumes: Vec<Arc<PersistentVolume>> = volumes(world).cloned().collect();
    for volume in volumes {
        sync_volume(world, &volume);
    }
}

fn volumes(world: &World) -> impl Iterator<Item = &Arc<PersistentVolume>> {
    world
        .list(Kind::PersistentVolume)
        .filter_map(|object| match object {
            Object::PersistentVolume(volume) => Some(volume),
            _ => None,
        })
}

fn sync_claim(world: &mut World, claim: &Arc<PersistentVolumeClaim>) {
    if is_bound(claim) {
        // A volume that is missing is not lost before it was ever seen: the scheduler has words of its own for that.
        return;
    }
    if !claim.spec.volume_name.is_empty() {
        let named = volumes(world)
            .find(|volume| volume.metadata.name == claim.spec.volume_name)
            .cloned();
        if let Some(volume) = named.filter(|volume| is_free_for(volume, claim)) {
            bind(world, claim, &volume);
        }
        return;
    }
    let promised = volumes(world)
        .find(|volume| is_promised_to(volume, claim))
        .cloned();
    if let Some(volume) = promised {
        bind(world, claim, &volume);
        return;
    }
    let class = class_of(world, claim);
    let waits = class
        .as_ref()
        .is_some_and(|class| class.volume_binding_mode.as_deref() == Some("WaitForFirstConsumer"));
    let selected = claim.metadata.annotations.get(SELECTED_NODE).cloned();
    if waits && selected.is_none() {
        return;
    }
    if !waits && let Some(volume) = smallest_match(world, claim) {
        bind(world, claim, &volume);
        return;
    }
    if let Some(class) = class.filter(|class| can_provision(&class.provisioner)) {
        provision(world, claim, &class, selected.as_deref());
    }
}

fn sync_volume(world: &mut World, volume: &Arc<PersistentVolume>) {
    let phase = match &volume.spec.claim_ref {
        None => "Available",
        Some(reference) => {
            let key = ObjectKey::new(
                Kind::PersistentVolumeClaim,
                reference.namespace.as_str(),
                reference.name.as_str(),
            );
            match world.get(&key) {
                Some(Object::PersistentVolumeClaim(claim))
                    if claim.spec.volume_name == volume.metadata.name && is_bound(claim) =>
                {
                    "Bound"
                }
                Some(_) => return,
                // Only a reference with an identity says that the claim has been there.
                None if reference.uid.is_empty() => return,
                None => "Released",
            }
        }
    };
    let may_change = matches!(
        volume.status.phase.as_str(),
        "" | "Pending" | "Available" | "Bound"
    );
    if phase == "Released" && volume.spec.persistent_volume_reclaim_policy == "Delete" {
        let key = ObjectKey::new(Kind::PersistentVolume, "", volume.metadata.name.as_str());
        // It was listed a moment ago, so it is there.
        let _ = world.delete(&key, None);
    } else if may_change && volume.status.phase != phase {
        let mut volume = volume.clone();
        Arc::make_mut(&mut volume).status.phase = phase.to_string();
        world.write(Object::PersistentVolume(volume));
    }
}

fn is_bound(claim: &PersistentVolumeClaim) -> bool {
    !claim.spec.volume_name.is_empty()
        && claim.metadata.annotations.contains_key(BIND_COMPLETED)
        && claim.status.phase != "Pending"
}

/// Whether the volume names exactly this claim.
fn is_promised_to(volume: &PersistentVolume, claim: &PersistentVolumeClaim) -> bool {
    volume.spec.claim_ref.as_ref().is_some_and(|reference| {
        reference.namespace == claim.metadata.namespace
            && reference.name == claim.metadata.name
            && (reference.uid.is_empty() || reference.uid == claim.metadata.uid)
    })
}

fn is_free_for(volume: &PersistentVolume, claim: &PersistentVolumeClaim) -> bool {
    volume.spec.claim_ref.is_none() || is_promised_to(volume, claim)
}

/// The smallest volume that has everything the claim asks for; of equals the first by name.
#[inline(never)]
fn smallest_match(world: &World, claim: &PersistentVolumeClaim) -> Option<Arc<PersistentVolume>> {
    let wanted = storage(&claim.spec.resources.requests);
    let selector = match &claim.spec.selector {
        None => Selector::everything(),
        Some(selector) => Selector::compile(selector).ok()?,
    };
    let class = class_name(claim);
    let fits = |volume: &&Arc<PersistentVolume>| {
        let spec = &volume.spec;
        spec.claim_ref.is_none()
            && !volume.metadata.is_terminating()
            && volume.status.phase != "Released"
            && volume.status.phase != "Failed"
            && spec.storage_class_name == class
            && spec.volume_mode == claim.spec.volume_mode
            && storage(&spec.capacity) >= wanted
            && selector.matches(&volume.metadata.labels)
            && claim
                .spec
                .access_modes
                .iter()
                .all(|mode| spec.access_modes.contains(mode))
    };
    volumes(world)
        .filter(fits)
        .min_by_key(|volume| storage(&volume.spec.capacity))
        .cloned()
}

fn storage(list: &crate::api::ResourceList) -> Quantity {
    list.get("storage").copied().unwrap_or_default()
}

fn class_name(claim: &PersistentVolumeClaim) -> String {
    let annotated = claim
        .metadata
        .annotations
        .get("volume.beta.kubernetes.io/storage-class");
    annotated
        .cloned()
        .or_else(|| claim.spec.storage_class_name.clone())
        .unwrap_or_default()
}

fn class_of(world: &World, claim: &PersistentVolumeClaim) -> Option<Arc<StorageClass>> {
    match world.get(&ObjectKey::new(Kind::StorageClass, "", class_name(claim))) {
        Some(Object::StorageClass(class)) => Some(class.clone()),
        _ => None,
    }
}

fn can_provision(provisioner: &str) -> bool {
    !provisioner.is_empty()
        && provisioner != "kubernetes.io/no-provisioner"
        && !provisioner.starts_with("broken")
}

/// Volume and claim name each other, and say that they do.
fn bind(world: &mut World, claim: &Arc<PersistentVolumeClaim>, volume: &Arc<PersistentVolume>) {
    let mut volume = volume.clone();
    let changed = Arc::make_mut(&mut volume);
    if changed.spec.claim_ref.is_none() {
        changed
            .metadata
            .annotations
            .insert(BY_CONTROLLER.to_string(), "yes".to_string());
    }
    changed.spec.claim_ref = Some(reference_to(claim));
    changed.status.phase = "Bound".to_string();
    let capacity = changed.spec.capacity.clone();
    let mut claim = claim.clone();
    let bound = Arc::make_mut(&mut claim);
    if bound.spec.volume_name.is_empty() {
        bound.spec.volume_name = changed.metadata.name.clone();
        bound
            .metadata
            .annotations
            .insert(BY_CONTROLLER.to_string(), "yes".to_string());
    }
    bound
        .metadata
        .annotations
        .insert(BIND_COMPLETED.to_string(), "yes".to_string());
    bound.status.phase = "Bound".to_string();
    bound.status.access_modes = changed.spec.access_modes.clone();
    bound.status.capacity = capacity;
    world.write(Object::PersistentVolume(volume));
    world.write(Object::PersistentVolumeClaim(claim));
}

fn reference_to(claim: &PersistentVolumeClaim) -> ObjectReference {
    ObjectReference {
        api_version: "v1".to_string(),
        kind: "PersistentVolumeClaim".to_string(),
        namespace: claim.metadata.namespace.clone(),
        name: claim.metadata.name.clone(),
        uid: claim.metadata.uid.clone(),
        ..ObjectReference::default()
    }
}

/// Makes a volume for the claim, where the node is if the driver says where that is.
#[inline(never)]
fn provision(
    world: &mut World,
    claim: &Arc<PersistentVolumeClaim>,
    class: &StorageClass,
    node: Option<&str>,
) {
    let name = format!("pvc-{}", claim.metadata.uid);
    let mut volume = PersistentVolume {
        metadata: ObjectMeta::named(name.as_str()),
        ..PersistentVolume::default()
    };
    volume.metadata.annotations.insert(
        "pv.kubernetes.io/provisioned-by".to_string(),
        class.provisioner.clone(),
    );
    let spec = &mut volume.spec;
    spec.capacity.insert(
        "storage".to_string(),
        storage(&claim.spec.resources.requests),
    );
    spec.access_modes = claim.spec.access_modes.clone();
    spec.storage_class_name = class_name(claim);
    spec.volume_mode = claim.spec.volume_mode.clone();
    spec.persistent_volume_reclaim_policy = class
        .reclaim_policy
        .clone()
        .unwrap_or_else(|| "Delete".to_string());
    spec.claim_ref = Some(reference_to(claim));
    spec.csi = Some(CSIPersistentVolumeSource {
        driver: class.provisioner.clone(),
        volume_handle: name,
        ..CSIPersistentVolumeSource::default()
    });
    spec.node_affinity = node.and_then(|node| topology(world, &class.provisioner, node));
    match world.create(volume.into()) {
        Ok(()) => {
            let made = volumes(world)
                .find(|volume| is_promised_to(volume, claim))
                .cloned();
            if let Some(volume) = made {
                bind(world, claim, &volume);
            }
        }
        Err(faults) => {
            let claim = Object::PersistentVolumeClaim(claim.clone()).key();
            for fault in faults {
                world.note_trouble(
                    claim.to_string(),
                    format!("its volume is refused: {}: {}", fault.path, fault.error),
                );
            }
        }
    }
}

/// The nodes from which a driver's volume made for `node` can be reached: those that agree with it in the driver's keys.
fn topology(world: &World, driver: &str, node: &str) -> Option<VolumeNodeAffinity> {
    let Some(Object::CSINode(drivers)) = world.get(&ObjectKey::new(Kind::CSINode, "", node)) else {
        return None;
    };
    let driver = drivers
        .spec
        .drivers
        .iter()
        .find(|known| known.name == driver)?;
    let Some(Object::Node(node)) = world.get(&ObjectKey::new(Kind::Node, "", node)) else {
        return None;
    };
    let requirements: Vec<NodeSelectorRequirement> = driver
        .topology_keys
        .iter()
        .filter_map(|key| {
            Some(NodeSelectorRequirement {
                key: key.clone(),
                operator: "In".to_string(),
                values: vec![node.metadata.labels.get(key)?.clone()],
            })
        })
        .collect();
    (!requirements.is_empty()).then(|| VolumeNodeAffinity {
        required: Some(NodeSelector {
            node_selector_terms: vec![NodeSelectorTerm {
                match_expressions: requirements,
                ..NodeSelectorTerm::default()
            }],
        }),
    })
}

/// Makes the claims of a pod's ephemeral volumes.
#[inline(never)]
pub(super) fn make_claims(world: &mut World, key: &ObjectKey) {
    let Some(Object::Pod(pod)) = world.get(key).cloned() else {
        return;
    };
    for volume in &pod.spec.volumes {
        let template = volume
            .ephemeral
            .as_ref()
            .and_then(|ephemeral| ephemeral.volume_claim_template.as_ref());
        let Some(template) = template else { continue };
        let name = ephemeral_claim_name(&pod, &volume.name);
        let namespace = pod.metadata.namespace.as_str();
        let claim_key = ObjectKey::new(Kind::PersistentVolumeClaim, namespace, name.as_str());
        if world.get(&claim_key).is_some() {
            continue;
        }
        let mut claim = PersistentVolumeClaim {
            metadata: template.metadata.clone(),
            spec: template.spec.clone(),
            ..PersistentVolumeClaim::default()
        };
        claim.metadata.name = name;
        claim.metadata.namespace = namespace.to_string();
        claim
            .metadata
            .owner_references
            .push(pods::reference(Kind::Pod, &pod.metadata));
        if let Err(faults) = world.create(claim.into()) {
            for fault in faults {
                world.note_trouble(
                    key.to_string(),
                    format!("its claim is refused: {}: {}", fault.path, fault.error),
                );
            }
        }
    }
}

const SELECTED_NODE: &str = "volume.kubernetes.io/selected-node";
const BIND_COMPLETED: &str = "pv.kubernetes.io/bind-completed";
const BY_CONTROLLER: &str = "pv.kubernetes.io/bound-by-controller";
