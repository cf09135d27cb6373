//! The parts of a pod that plugins judge it by, under the names that kube-scheduler gives them.
//!
//! Two plugins that name the same part give it the same value. Only equality means anything, so what has no order is
//! sorted.
//!
//! Source: spec, plugins 1.2.

use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

use serde_json::Value;

use crate::api::{Pod, RequestOptions, pod_requests};
use crate::framework::extension::Signature;
use crate::order;
use crate::snapshot::{Listers, PodInfo, Resource};

use super::device_classes::DeviceClasses;

/// A plugin that looks at nothing in the pods it lets through.
pub(super) const fn nothing() -> Signature {
    Signature::Parts(Vec::new())
}

/// One part.
pub(super) fn part(name: &'static str, value: impl Into<Value>) -> Signature {
    Signature::Parts(vec![(name, value.into())])
}

/// The pod's tolerations, by key and then value.
pub(super) fn tolerations(pod: &Pod) -> Signature {
    let mut list = pod.spec.tolerations.clone();
    order::sort_by(&mut list, |one, two| {
        (&one.key, &one.value).cmp(&(&two.key, &two.value))
    });
    part("v1.Pod.Spec.Tolerations", written(&list))
}

/// What the pod asks for in all. None for a pod that wants a resource which devices stand for, when they may.
///
/// QUIRK: how many containers share the request is not part of it, though scores count a little for each that asks for
/// nothing.
pub(super) fn requests(
    listers: &Listers,
    pod: &Pod,
    options: RequestOptions,
    devices: DeviceBacked,
) -> Signature {
    let request = Resource::from_list(&pod_requests(pod, options));
    if devices == DeviceBacked::Refused && !listers.device_classes.is_empty() {
        let classes = DeviceClasses::of(listers);
        let mut scalars = request.scalars.iter();
        if scalars.any(|(name, amount)| *amount != 0 && classes.stand_for(name)) {
            return Signature::Refused;
        }
    }
    part(
        "v1.Pod.Spec.ContainerRequestsAndOverheads()",
        written(&request),
    )
}

/// Whether pods that want a resource which devices stand for may have a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DeviceBacked {
    /// No device stands for a resource: the gate for it is off.
    Unknown,
    /// They have none.
    Refused,
}

impl DeviceBacked {
    /// What holds while the gate for it is on, or off.
    pub(super) const fn when(is_on: bool) -> Self {
        if is_on { Self::Refused } else { Self::Unknown }
    }
}

/// Where the pod's volumes come from, sorted; those made of a ConfigMap or a Secret can be had everywhere.
pub(super) fn volume_sources(pod: &PodInfo) -> Signature {
    let volumes = pod.pod.spec.volumes.iter();
    let real = volumes.filter(|volume| volume.config_map.is_none() && volume.secret.is_none());
    let sources = real.map(|volume| {
        let mut source = written(volume);
        if let Value::Object(fields) = &mut source {
            fields.remove("name");
        }
        source
    });
    part(
        "v1.Pod.Spec.Volumes.NonSyntheticSources()",
        sorted(sources.collect()),
    )
}

/// A value as it is written in a document.
///
/// # Panics
///
/// Never for objects of the API: their maps have texts as keys.
pub(super) fn written(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).expect("an object of the API can be written")
}

/// A list without its order.
pub(super) fn sorted(mut list: Vec<Value>) -> Value {
    list.sort_by_cached_key(ToString::to_string);
    Value::Array(list)
}

#[cfg(test)]
mod tests;
