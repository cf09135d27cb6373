//! Which nodes waste least storage, behind the gate `StorageCapacityScoring`.

use crate::framework::cycle_state::CycleState;
use crate::framework::extension::{CycleContext, PreScore, Score};
use crate::framework::status::{PluginError, Status};
use crate::node_set::NodeIndex;
use crate::num;
use crate::order::SortedMap;
use crate::plugins::volumes::{class_of_claim, class_of_volume, storage_request};
use crate::snapshot::PodInfo;

use super::VolumeBinding;
use super::claims::DelayedClaim;
use super::decision::Decision;
use super::filter::read;

/// What is requested of a class, and what there is. Units: bytes.
#[derive(Clone, Copy, Debug, Default)]
struct Use {
    requested: i64,
    capacity: i64,
}

impl PreScore for VolumeBinding {
    fn pre_score(
        &self,
        _cx: &CycleContext<'_>,
        _state: &mut CycleState,
        _pod: &PodInfo,
        _nodes: &[NodeIndex],
    ) -> Status {
        if self.curve.is_some() {
            Status::success()
        } else {
            Status::skip()
        }
    }
}

impl Score for VolumeBinding {
    fn score_node(
        &self,
        cx: &CycleContext<'_>,
        state: &CycleState,
        _pod: &PodInfo,
        node: NodeIndex,
    ) -> Result<i64, PluginError> {
        let (Some(curve), Some(claims)) = (&self.curve, read(state)) else {
            return Ok(0);
        };
        let Some(node) = &cx.snapshot.node(node).node else {
            return Ok(0);
        };
        let csi_node = cx.listers.csi_nodes.get("", &node.metadata.name);
        let Ok(decision) = claims.decide(node, csi_node.map(AsRef::as_ref)) else {
            return Ok(0);
        };
        let (mut sum, mut classes) = (0, 0);
        for Use {
            requested,
            capacity,
        } in uses(&decision).into_values()
        {
            let utilization = if capacity == 0 || requested > capacity {
                100
            } else {
                num::percent_of(requested, capacity)
            };
            sum += curve.at(utilization);
            classes += 1;
        }
        Ok(num::rounded_mean(sum, classes))
    }
}

/// Use by class: of the volumes that are taken, or else of the places where volumes are made.
///
/// Source: spec, plugins 8.6.
fn uses<'a>(decision: &'a Decision<'_>) -> SortedMap<&'a str, Use> {
    let requested = |delayed: &DelayedClaim| {
        storage_request(&delayed.claim).map_or(0, |request| request.value())
    };
    let mut uses: SortedMap<&str, Use> = SortedMap::new();
    for (delayed, volume) in &decision.bindings {
        let capacity = volume.spec.capacity.get("storage");
        let class = uses.entry(class_of_volume(volume)).or_default();
        class.requested += requested(delayed);
        class.capacity += capacity.map_or(0, |capacity| capacity.value());
    }
    if !decision.bindings.is_empty() {
        return uses;
    }
    for (delayed, provision) in &decision.provisions {
        let Some(place) = &provision.capacity else {
            continue;
        };
        let class = uses.entry(class_of_claim(&delayed.claim)).or_default();
        class.requested += requested(delayed);
        // Two volumes of one class share the place: its room counts once.
        class.capacity = place.capacity.map_or(0, |capacity| capacity.value());
    }
    uses
}
