//! Which claims a pod has.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{Pod, ResourceClaim};
use crate::snapshot::Listers;

/// The claims of a pod in the order of its spec.
///
/// Errors: the first that is not there, not its own or about to go, in kube-scheduler's words.
/// Source: spec, plugins 12.2.
#[inline(never)]
pub(super) fn of_pod(listers: &Listers, pod: &Pod) -> Result<Vec<Arc<ResourceClaim>>, String> {
    let (namespace, pod_name) = (&*pod.metadata.namespace, &*pod.metadata.name);
    let say =
        |before: &str, name: &str, after: &str| Err([before, namespace, "/", name, after].concat());
    let mut claims = Vec::new();
    for entry in &pod.spec.resource_claims {
        let mut made = pod.status.resource_claim_statuses.iter();
        let is_made = entry.resource_claim_name.is_none();
        let name = if !is_made {
            &entry.resource_claim_name
        } else if entry.resource_claim_template_name.is_none() {
            let after = [
                "\", spec.resourceClaim \"",
                &entry.name,
                "\": none of the supported fields are set",
            ];
            return say("pod \"", pod_name, &after.concat());
        } else if let Some(made) = made.find(|made| made.name == entry.name) {
            &made.resource_claim_name
        } else {
            return say("pod \"", pod_name, "\": ResourceClaim not created yet");
        };
        // None was needed.
        let Some(name) = name else { continue };
        let Some(claim) = listers.resource_claims.get(namespace, name) else {
            return say("could not find ResourceClaim \"", name, "\"");
        };
        if claim.metadata.is_terminating() {
            return Err(["resourceclaim \"", name, "\" is being deleted"].concat());
        }
        if is_made && !claim.metadata.is_controlled_by(&pod.metadata.uid) {
            let after = [
                " was not created for Pod ",
                namespace,
                "/",
                pod_name,
                " (Pod is not owner)",
            ];
            return say("ResourceClaim ", name, &after.concat());
        }
        claims.push(claim.clone());
    }
    Ok(claims)
}
