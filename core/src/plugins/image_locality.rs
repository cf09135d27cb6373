//! ImageLocality: a node that has the pod's images is the better node.

use alloc::borrow::Cow;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::Pod;
use crate::config::{ConfigError, Gates, PluginArgs};
use crate::framework::cycle_state::CycleState;
use crate::framework::extension::{CycleContext, Plugin, Score, Signature};
use crate::framework::status::{PluginError, PluginName};
use crate::node_set::NodeIndex;
use crate::num;
use crate::order::{self, SortedSet};
use crate::snapshot::{Listers, NodeInfo, PodInfo};

use super::sign;

/// Scores nodes by the bytes of the pod's images that they have, each image counting for as much as it is spread.
///
/// Source: spec, plugins 3.8; Kubernetes v1.36 `plugins/imagelocality/image_locality.go`.
#[derive(Clone, Copy, Debug)]
pub struct ImageLocality;

impl ImageLocality {
    /// The name under which it is configured.
    pub const NAME: PluginName = PluginName("ImageLocality");

    pub(super) fn build(_: &PluginArgs, _: &Gates) -> Result<Arc<dyn Plugin>, ConfigError> {
        Ok(Arc::new(Self))
    }
}

impl Plugin for ImageLocality {
    fn name(&self) -> PluginName {
        Self::NAME
    }

    fn sign(&self, _listers: &Listers, pod: &PodInfo) -> Signature {
        let containers = pod.pod.spec.all_containers();
        let names: SortedSet<Cow<'_, str>> =
            order::collect(containers.map(|container| canonical_name(&container.image)));
        sign::part("v1.Pod.Spec.CanonicalImageNames()", sign::written(&names))
    }

    fn as_score(&self) -> Option<&dyn Score> {
        Some(self)
    }
}

impl Score for ImageLocality {
    fn score_node(
        &self,
        cx: &CycleContext<'_>,
        _state: &CycleState,
        pod: &PodInfo,
        node: NodeIndex,
    ) -> Result<i64, PluginError> {
        let info = cx.snapshot.node(node);
        let sum = sum_of_images(info, &image_names(&pod.pod), cx.snapshot.len());
        Ok(score_of(sum, container_count(&pod.pod)))
    }

    /// Cost: O(nodes × images), nothing for nodes without images.
    fn score(
        &self,
        cx: &CycleContext<'_>,
        _state: &CycleState,
        pod: &PodInfo,
        nodes: &[NodeIndex],
        column: &mut [i64],
    ) -> Result<(), PluginError> {
        let names = image_names(&pod.pod);
        let (count, rows) = (container_count(&pod.pod), cx.snapshot.len());
        let without_images = score_of(0, count);
        let with_images = cx.snapshot.columns().images();
        for (node, slot) in nodes.iter().zip(column) {
            *slot = if with_images.contains(*node) {
                let info = cx.snapshot.node(*node);
                score_of(sum_of_images(info, &names, rows), count)
            } else {
                without_images
            };
        }
        Ok(())
    }
}

/// The names of the images of init containers, containers and image volumes, once for each that uses one.
fn image_names(pod: &Pod) -> Vec<Cow<'_, str>> {
    let containers = pod.spec.all_containers().map(|c| c.image.as_str());
    let volumes = pod.spec.volumes.iter();
    let volumes = volumes.filter_map(|volume| Some(volume.image.as_ref()?.reference.as_str()));
    containers.chain(volumes).map(canonical_name).collect()
}

/// How many containers share the upper limit.
///
/// QUIRK: image volumes are looked at but not counted, so a pod with them reaches the best score with fewer bytes.
fn container_count(pod: &Pod) -> i64 {
    i64::try_from(pod.spec.all_containers().count()).unwrap_or(i64::MAX)
}

/// Adds `:latest` to a name without tag or digest. No default registry is added.
fn canonical_name(image: &str) -> Cow<'_, str> {
    match (image.rfind(':'), image.rfind('/')) {
        (Some(colon), Some(slash)) if colon > slash => Cow::Borrowed(image),
        (Some(_), None) => Cow::Borrowed(image),
        _ => Cow::Owned([image, ":latest"].concat()),
    }
}

/// Bytes of the named images on the node, each scaled by the part of all nodes that has it.
fn sum_of_images(info: &NodeInfo, names: &[Cow<'_, str>], rows: usize) -> i64 {
    let states = names
        .iter()
        .filter_map(|name| info.image_states.get(name.as_ref()));
    states
        .map(|state| num::scaled(state.size_bytes, u64::from(state.nodes), rows as u64))
        .fold(0, i64::saturating_add)
}

/// From 0 below the lower limit to 100 above the upper one.
fn score_of(sum: i64, containers: i64) -> i64 {
    let upper = MAX_BYTES_A_CONTAINER.saturating_mul(containers);
    let sum = if sum < MIN_BYTES {
        MIN_BYTES
    } else {
        sum.min(upper)
    };
    // A pod without containers has an upper limit of 0: the difference below is negative, not 0.
    100 * (sum - MIN_BYTES) / (upper - MIN_BYTES)
}

/// 23 MiB: less than a small image is not worth a preference.
const MIN_BYTES: i64 = 23 * 1024 * 1024;
/// 1000 MiB for each container.
const MAX_BYTES_A_CONTAINER: i64 = 1000 * 1024 * 1024;

#[cfg(test)]
mod tests;
