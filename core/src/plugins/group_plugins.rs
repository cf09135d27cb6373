//! GangScheduling, TopologyPlacementGenerator and PodGroupPodsCount, as far as their gates let them go.
//!
//! A profile may name all three. The gates of pod groups cannot be switched on here, and while they are off the API
//! server drops the fields of a pod that these plugins look at: kube-scheduler's own have nothing to do then either.

use alloc::sync::Arc;

use crate::config::{ConfigError, Gates, PluginArgs};
use crate::framework::cluster_event::EventWithHint;
use crate::framework::cycle_state::CycleState;
use crate::framework::extension::{
    BindContext, Permit, Permitted, Plugin, PreEnqueue, QueueContext,
};
use crate::framework::status::{PluginName, Status};
use crate::snapshot::PodInfo;

/// A plugin of pod groups without any pod group.
///
/// Source: spec, plugins 13.2 to 13.4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupPlugin {
    /// Would let the pods of a gang start together.
    GangScheduling,
    /// Would offer the domains that a group may go to.
    TopologyPlacementGenerator,
    /// Would prefer the domain that takes most of a group.
    PodGroupPodsCount,
}

impl GroupPlugin {
    pub(super) const GANG_SCHEDULING: PluginName = PluginName("GangScheduling");
    pub(super) const TOPOLOGY_PLACEMENT_GENERATOR: PluginName =
        PluginName("TopologyPlacementGenerator");
    pub(super) const POD_GROUP_PODS_COUNT: PluginName = PluginName("PodGroupPodsCount");

    pub(super) fn gang_scheduling(
        _: &PluginArgs,
        _: &Gates,
    ) -> Result<Arc<dyn Plugin>, ConfigError> {
        Ok(Arc::new(Self::GangScheduling))
    }

    pub(super) fn topology_placement_generator(
        _: &PluginArgs,
        _: &Gates,
    ) -> Result<Arc<dyn Plugin>, ConfigError> {
        Ok(Arc::new(Self::TopologyPlacementGenerator))
    }

    pub(super) fn pod_group_pods_count(
        _: &PluginArgs,
        _: &Gates,
    ) -> Result<Arc<dyn Plugin>, ConfigError> {
        Ok(Arc::new(Self::PodGroupPodsCount))
    }

    fn is_gang(self) -> bool {
        self == Self::GangScheduling
    }
}

impl Plugin for GroupPlugin {
    fn name(&self) -> PluginName {
        match self {
            Self::GangScheduling => Self::GANG_SCHEDULING,
            Self::TopologyPlacementGenerator => Self::TOPOLOGY_PLACEMENT_GENERATOR,
            Self::PodGroupPodsCount => Self::POD_GROUP_PODS_COUNT,
        }
    }

    fn events(&self) -> Option<&[EventWithHint]> {
        Some(&[])
    }

    fn as_pre_enqueue(&self) -> Option<&dyn PreEnqueue> {
        self.is_gang().then_some(self)
    }

    fn as_permit(&self) -> Option<&dyn Permit> {
        self.is_gang().then_some(self)
    }
}

impl PreEnqueue for GroupPlugin {
    fn pre_enqueue(&self, _cx: &QueueContext<'_>, _pod: &PodInfo) -> Status {
        Status::success()
    }
}

impl Permit for GroupPlugin {
    fn permit(
        &self,
        _cx: &BindContext<'_>,
        _state: &mut CycleState,
        _pod: &PodInfo,
        _node: &str,
    ) -> Permitted {
        Permitted::default()
    }
}
