//! What stands in the table for a plugin that is not built yet.
//!
//! It implements the points that the plugin will have, so that a profile may place it there, and decides nothing: it
//! rejects no pod and no node, scores none and waits for no event. Each function here goes away with its line in
//! [`NOT_BUILT_YET`](super::NOT_BUILT_YET).

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::config::ExtensionPoint as Point;
use crate::config::{ConfigError, Gates, PluginArgs};
use crate::framework::cluster_event::EventWithHint;
use crate::framework::cycle_state::CycleState;
use crate::framework::extension::{
    BindContext, Candidate, CycleContext, Filter, Permit, Permitted, Plugin, PostFilter,
    PostFilterStep, PostFiltered, PreBind, PreBindStep, PreEnqueue, PreFilter, PreFiltered,
    PreFlight, PreScore, QueueContext, Reserve, Score,
};
use crate::framework::handle::Handle;
use crate::framework::status::{Code, NodeStatuses, PluginError, PluginName, Status};
use crate::framework::work::Outcome;
use crate::node_set::NodeIndex;
use crate::snapshot::{PluginMemory, PodInfo};

/// A name with its points.
struct Placeholder {
    name: PluginName,
    points: &'static [Point],
}

type Built = Result<Arc<dyn Plugin>, ConfigError>;

fn placeholder(name: &'static str, points: &'static [Point]) -> Built {
    Ok(Arc::new(Placeholder {
        name: PluginName(name),
        points,
    }))
}

/// One function a missing plugin, with the points of the plugin.
macro_rules! missing {
    ($( $function:ident: $name:literal at $( $point:ident )* );* $(;)?) => {
        $(
            #[doc = concat!($name, ", which is not built yet.")]
            pub(super) fn $function(_: &PluginArgs, _: &Gates) -> Built {
                placeholder($name, &[$( Point::$point ),*])
            }
        )*
    };
}

missing! {
    gang_scheduling: "GangScheduling" at PreEnqueue Permit;
    topology_placement_generator: "TopologyPlacementGenerator" at PlacementGenerate;
    pod_group_pods_count: "PodGroupPodsCount" at PlacementScore;
}

/// The plugin itself at the points that it has.
macro_rules! at_points {
    ($( $method:ident: $point:ident ),* $(,)?) => {
        $(
            fn $method(&self) -> Option<&dyn $point> {
                self.points.contains(&Point::$point).then_some(self as _)
            }
        )*
    };
}

impl Plugin for Placeholder {
    fn name(&self) -> PluginName {
        self.name
    }

    fn events(&self) -> Option<&[EventWithHint]> {
        Some(&[])
    }

    at_points! {
        as_pre_enqueue: PreEnqueue, as_pre_filter: PreFilter, as_filter: Filter, as_post_filter: PostFilter,
        as_pre_score: PreScore, as_score: Score, as_reserve: Reserve, as_permit: Permit, as_pre_bind: PreBind,
    }
}

impl PreEnqueue for Placeholder {
    fn pre_enqueue(&self, _: &QueueContext<'_>, _: &PodInfo) -> Status {
        Status::success()
    }
}

impl PreFilter for Placeholder {
    fn pre_filter(&self, _: &CycleContext<'_>, _: &mut CycleState, _: &PodInfo) -> PreFiltered {
        PreFiltered::from(Status::skip())
    }
}

impl Filter for Placeholder {
    fn filter_node(
        &self,
        _: &CycleContext<'_>,
        _: &CycleState,
        _: &PodInfo,
        _: NodeIndex,
    ) -> Status {
        Status::success()
    }
}

impl PostFilter for Placeholder {
    fn post_filter(
        &self,
        _: &mut Handle<'_>,
        _: &CycleState,
        _: &PodInfo,
        _: &NodeStatuses,
    ) -> PostFilterStep {
        PostFilterStep::Done(PostFiltered {
            status: Status {
                code: Code::Unschedulable,
                ..Status::default()
            },
            ..PostFiltered::default()
        })
    }

    fn choose(&self, _: &mut Handle<'_>, _: &PodInfo, _: Vec<Candidate>) -> PostFilterStep {
        PostFilterStep::Done(PostFiltered::default())
    }
}

impl PreScore for Placeholder {
    fn pre_score(
        &self,
        _: &CycleContext<'_>,
        _: &mut CycleState,
        _: &PodInfo,
        _: &[NodeIndex],
    ) -> Status {
        Status::skip()
    }
}

impl Score for Placeholder {
    fn score_node(
        &self,
        _: &CycleContext<'_>,
        _: &CycleState,
        _: &PodInfo,
        _: NodeIndex,
    ) -> Result<i64, PluginError> {
        Ok(0)
    }
}

impl Reserve for Placeholder {
    fn reserve(
        &self,
        _: &BindContext<'_>,
        _: &mut PluginMemory,
        _: &mut CycleState,
        _: &PodInfo,
        _: &str,
    ) -> Status {
        Status::success()
    }

    fn unreserve(
        &self,
        _: &BindContext<'_>,
        _: &mut PluginMemory,
        _: &mut CycleState,
        _: &PodInfo,
        _: &str,
    ) {
    }
}

impl Permit for Placeholder {
    fn permit(&self, _: &BindContext<'_>, _: &mut CycleState, _: &PodInfo, _: &str) -> Permitted {
        Permitted::default()
    }
}

impl PreBind for Placeholder {
    fn pre_flight(&self, _: &BindContext<'_>, _: &CycleState, _: &PodInfo, _: &str) -> PreFlight {
        PreFlight {
            status: Status::skip(),
            allow_parallel: false,
        }
    }

    fn pre_bind(
        &self,
        _: &BindContext<'_>,
        _: &mut PluginMemory,
        _: &mut CycleState,
        _: &PodInfo,
        _: &str,
    ) -> PreBindStep {
        PreBindStep::Done(Status::success())
    }

    fn resume(
        &self,
        _: &BindContext<'_>,
        _: &mut PluginMemory,
        _: &mut CycleState,
        _: &PodInfo,
        _: &str,
        _: Option<&Outcome>,
    ) -> PreBindStep {
        PreBindStep::Done(Status::success())
    }
}
