//! What the scheduler's effects are as requests, and what the answers mean.
//!
//! Only what is named in an effect is written: objects that were read into lean types lack fields, so they go back as
//! patches that say what changed, on condition that the object is still the one that was read.

use core::time::Duration;
use std::sync::Arc;

use berth_core::api::{
    Kind, ObjectMeta, PersistentVolume, PersistentVolumeClaim, Pod, PodCondition, ResourceClaim,
};
use berth_core::framework::work::{Failure, FailureKind, Outcome};
use berth_core::snapshot::PodRef;
use serde::de::IgnoredAny;
use serde_json::{Map, Value, json};

use super::client::{Call, CallError, Client};
use super::resources::object_at;
use super::rights;
use super::time::now_in_seconds;

/// Creates the `binding` subresource. It is tried once: a second try is the scheduler's decision.
///
/// Source: spec, F.2 and F.5.
pub(super) async fn bind(client: &Client, pod: &PodRef, node: &str) -> Outcome {
    let path = format!("{}/binding", pod_path(pod));
    let body = json!({
        "apiVersion": "v1",
        "kind": "Binding",
        "metadata": {"namespace": &*pod.namespace, "name": &*pod.name, "uid": &*pod.uid},
        "target": {"kind": "Node", "name": node},
    });
    let answer = client.call::<IgnoredAny>(&Call::post(path, &body)).await;
    outcome(answer, "create", "", "pods/binding")
}

/// What a status patch is made of.
pub(crate) struct StatusPatch {
    /// The pod.
    pub(crate) pod: PodRef,
    /// The condition to set, of its type.
    pub(crate) condition: Option<PodCondition>,
    /// `None` leaves it alone, the empty name clears it.
    pub(crate) nominated_node_name: Option<Arc<str>>,
    /// The pod as last observed: the time of its last change moves only when the condition's status does.
    pub(crate) observed: Option<Arc<Pod>>,
}

/// Patches a pod's status, up to four times where that may help.
///
/// Source: spec, F.5.
pub(super) async fn patch_status(client: &Client, patch: &StatusPatch) -> Outcome {
    let path = format!("{}/status", pod_path(&patch.pod));
    let call = Call::strategic_merge_patch(path, &status_patch(patch));
    let mut pause = FIRST_PAUSE;
    let mut tries = 1;
    loop {
        match client.call::<IgnoredAny>(&call).await {
            Err(error) if error.is_passing() && tries < STATUS_TRIES => {
                tokio::time::sleep(pause).await;
                pause *= 5;
                tries += 1;
            }
            answer => return outcome(answer, "patch", "", "pods/status"),
        }
    }
}

fn status_patch(patch: &StatusPatch) -> Value {
    let mut status = Map::new();
    if let Some(condition) = &patch.condition {
        let before = patch
            .observed
            .as_ref()
            .and_then(|pod| pod.condition(&condition.type_))
            .filter(|before| before.status == condition.status)
            .and_then(|before| before.last_transition_time);
        let mut written = condition.clone();
        written.last_transition_time = Some(before.unwrap_or_else(now_in_seconds));
        status.insert("conditions".to_owned(), json!([written]));
    }
    if let Some(node) = &patch.nominated_node_name {
        let value = if node.is_empty() {
            Value::Null
        } else {
            json!(&**node)
        };
        status.insert("nominatedNodeName".to_owned(), value);
    }
    json!({"metadata": {"uid": &*patch.pod.uid}, "status": status})
}

/// Deletes a pod with its own grace period, if it is still the same one.
pub(super) async fn delete_pod(client: &Client, pod: &PodRef) -> Outcome {
    let body = json!({
        "apiVersion": "v1",
        "kind": "DeleteOptions",
        "preconditions": {"uid": &*pod.uid},
    });
    let call = Call::delete(pod_path(pod), &body);
    match client.call::<IgnoredAny>(&call).await {
        // Another pod has the name: the one that was meant is gone.
        Err(error) if error.code() == Some(409) => failed(FailureKind::NotFound, error.to_string()),
        answer => outcome(answer, "delete", "", "pods"),
    }
}

/// Writes volumes and claims, one after another, until one fails.
pub(super) async fn update_volumes(
    client: &Client,
    volumes: &[Arc<PersistentVolume>],
    claims: &[Arc<PersistentVolumeClaim>],
) -> Outcome {
    for volume in volumes {
        let (call, kind) = (volume_call(volume), Kind::PersistentVolume);
        match outcome(
            client.call::<IgnoredAny>(&call).await,
            "patch",
            "",
            kind.plural(),
        ) {
            Outcome::Done => {}
            other => return other,
        }
    }
    for claim in claims {
        let (call, kind) = (claim_call(claim), Kind::PersistentVolumeClaim);
        match outcome(
            client.call::<IgnoredAny>(&call).await,
            "patch",
            "",
            kind.plural(),
        ) {
            Outcome::Done => {}
            other => return other,
        }
    }
    Outcome::Done
}

/// The volume's claim and who gave it.
fn volume_call(volume: &PersistentVolume) -> Call {
    let path = object_at(Kind::PersistentVolume, "", &volume.metadata.name);
    let body = json!({
        "metadata": annotated(&volume.metadata),
        "spec": {"claimRef": volume.spec.claim_ref},
    });
    Call::merge_patch(path, &body)
}

/// The claim's node.
fn claim_call(claim: &PersistentVolumeClaim) -> Call {
    let metadata = &claim.metadata;
    let path = object_at(
        Kind::PersistentVolumeClaim,
        &metadata.namespace,
        &metadata.name,
    );
    Call::merge_patch(path, &json!({"metadata": annotated(metadata)}))
}

/// The annotations, on condition that the object is as it was read.
fn annotated(metadata: &ObjectMeta) -> Value {
    json!({
        "uid": metadata.uid,
        "resourceVersion": metadata.resource_version,
        "annotations": metadata.annotations,
    })
}

/// Enters the last of a claim's users among those that the server knows, whoever else is entered meanwhile.
///
/// Only the users are written: nothing else has been decided, and devices that were read into a lean type would go back
/// as others than were given.
/// Source: spec, F.2 and F.5.
pub(super) async fn update_resource_claim(client: &Client, claim: &ResourceClaim) -> Outcome {
    let metadata = &claim.metadata;
    let path = object_at(Kind::ResourceClaim, &metadata.namespace, &metadata.name);
    let (group, plural) = (Kind::ResourceClaim.group(), Kind::ResourceClaim.plural());
    let Some(user) = claim.status.reserved_for.last() else {
        return Outcome::Done;
    };
    let mut current = claim.clone();
    for tries in 1.. {
        let body = json!({
            "metadata": {"uid": metadata.uid, "resourceVersion": current.metadata.resource_version},
            "status": {"reservedFor": current.status.reserved_for},
        });
        let call = Call::merge_patch(format!("{path}/status"), &body);
        match client.call::<IgnoredAny>(&call).await {
            Err(error) if error.code() == Some(409) && tries < CLAIM_TRIES => {}
            answer => return outcome(answer, "patch", group, "resourceclaims/status"),
        }
        tokio::time::sleep(FIRST_PAUSE).await;
        current = match client.call(&Call::get(path.clone())).await {
            Ok(current) => current,
            // Unlike an answer to a write, it leaves nothing done.
            Err(error @ CallError::Unreadable(_)) => {
                return failed(FailureKind::Unreachable, error.to_string());
            }
            Err(error) => return outcome::<IgnoredAny>(Err(error), "get", group, plural),
        };
        let name = &metadata.name;
        if current.metadata.uid != metadata.uid || current.metadata.is_terminating() {
            let text = format!("claim {name} got deleted in the meantime");
            return failed(FailureKind::NotFound, text);
        }
        if current.status.allocation != claim.status.allocation {
            let text = format!("claim {name} got allocated elsewhere in the meantime");
            return failed(FailureKind::Conflict, text);
        }
        let users = &mut current.status.reserved_for;
        if !users.iter().any(|known| known.uid == user.uid) {
            users.push(user.clone());
        }
    }
    Outcome::Done
}

/// Takes a pod out of a claim's users, whoever else is among them.
///
/// Source: spec, F.2.
pub(super) async fn unreserve_resource_claim(
    client: &Client,
    claim: &ResourceClaim,
    pod: &PodRef,
) -> Outcome {
    let metadata = &claim.metadata;
    let path = object_at(Kind::ResourceClaim, &metadata.namespace, &metadata.name);
    let body = json!({
        "metadata": {"uid": metadata.uid},
        "status": {"reservedFor": [{"$patch": "delete", "uid": &*pod.uid}]},
    });
    let call = Call::strategic_merge_patch(format!("{path}/status"), &body);
    let answer = client.call::<IgnoredAny>(&call).await;
    let group = Kind::ResourceClaim.group();
    outcome(answer, "patch", group, "resourceclaims/status")
}

/// What an answer is for the scheduler.
fn outcome<T>(answer: Result<T, CallError>, verb: &str, group: &str, resource: &str) -> Outcome {
    let error = match answer {
        // The server did it; that its answer cannot be read changes nothing.
        Ok(_) | Err(CallError::Unreadable(_)) => return Outcome::Done,
        Err(error) => error,
    };
    let kind = match error.code() {
        Some(404) => FailureKind::NotFound,
        Some(409) => FailureKind::Conflict,
        Some(429 | 500..=599) | None => FailureKind::Unreachable,
        Some(_) => FailureKind::Refused,
    };
    if let Some(text) = rights::missing_on(&error, verb, group, resource) {
        tracing::error!("{text}");
    }
    failed(kind, error.to_string())
}

const fn failed(kind: FailureKind, message: String) -> Outcome {
    Outcome::Failed(Failure { kind, message })
}

fn pod_path(pod: &PodRef) -> String {
    object_at(Kind::Pod, &pod.namespace, &pod.name)
}

const STATUS_TRIES: u32 = 4;
const CLAIM_TRIES: u32 = 5;
const FIRST_PAUSE: Duration = Duration::from_millis(10);
