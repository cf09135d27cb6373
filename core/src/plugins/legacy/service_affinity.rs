//! ServiceAffinity: pods of one service on nodes that agree in some labels, and spread over the values of others.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;

use smallvec::SmallVec;

use crate::api::{Pod, Selector};
use crate::config::{ConfigError, Gates, LegacyArgs, PluginArgs, ServiceAffinityArgs};
use crate::framework::cluster_event::{ActionType, EventResource, EventWithHint};
use crate::framework::cycle_state::{CycleState, StateKey};
use crate::framework::extension::{CycleContext, Filter, Plugin, PreFilter, PreFiltered, Score};
use crate::framework::reason::Reason;
use crate::framework::status::{PluginError, PluginName, Status};
use crate::node_set::NodeIndex;
use crate::num;
use crate::plugins::owner_selector::is_part_of;
use crate::snapshot::{Listers, NodeInfo, PodInfo, Snapshot};

use super::selector_spread::matching_pods;
use super::services::services_of;

/// Rejects nodes that differ from where the pod's kind already is and scores nodes by how few of its service they have.
///
/// Source: spec, configuration B.8; Kubernetes v1.21 `plugins/serviceaffinity/service_affinity.go`.
#[derive(Clone, Debug, Default)]
pub struct ServiceAffinity {
    args: ServiceAffinityArgs,
}

/// What PreFilter hands to Filter.
#[derive(Clone, Debug, Default)]
struct Kin {
    has_service: bool,
    /// Placed pods of the namespace that carry every label of the pod, in the order of the nodes.
    placed: Vec<Placed>,
}

/// A pod and where it is.
#[derive(Clone, Debug)]
struct Placed {
    uid: Arc<str>,
    node: Arc<str>,
}

/// Labels that a node must have, with their values.
type Pairs<'a> = SmallVec<[(&'a str, &'a str); 4]>;

impl ServiceAffinity {
    /// The name under which it is configured.
    pub const NAME: PluginName = PluginName("ServiceAffinity");

    pub(in crate::plugins) fn build(
        args: &PluginArgs,
        _: &Gates,
    ) -> Result<Arc<dyn Plugin>, ConfigError> {
        let args = match args {
            PluginArgs::Legacy(LegacyArgs::ServiceAffinity(args)) => args.clone(),
            _ => ServiceAffinityArgs::default(),
        };
        Ok(Arc::new(Self { args }))
    }

    /// The values that a node must have: the pod's own choice, and for the rest that of the first of its kind.
    ///
    /// Errors: that pod's node is not listed.
    fn wanted<'a>(
        &'a self,
        snapshot: &'a Snapshot,
        kin: &Kin,
        pod: &'a Pod,
        node: NodeIndex,
    ) -> Result<Pairs<'a>, Status> {
        let labels = self.args.affinity_labels.iter();
        let own = labels.clone().filter_map(|label| {
            let value = pod.spec.node_selector.get(label)?;
            Some((label.as_str(), value.as_str()))
        });
        let mut wanted: Pairs<'_> = own.collect();
        if wanted.len() >= labels.len() || !kin.has_service {
            return Ok(wanted);
        }
        let Some(first) = kin.first_seen_from(snapshot, node) else {
            return Ok(wanted);
        };
        let row = snapshot.row(&first.node);
        let row = row.ok_or_else(|| Status::error("node not found"))?;
        let example = snapshot.node(row);
        for label in labels {
            let is_set = wanted.iter().any(|(known, _)| known == label);
            if let (false, Some(value)) = (is_set, example.label(label)) {
                wanted.push((label, value));
            }
        }
        Ok(wanted)
    }
}

impl Kin {
    fn of(snapshot: &Snapshot, listers: &Listers, pod: &PodInfo) -> Self {
        let mut kin = Self {
            has_service: services_of(listers, &pod.pod).next().is_some(),
            placed: Vec::new(),
        };
        for (row, info) in snapshot.iter() {
            let like = info.pods.iter().filter(|other| is_like(pod, other));
            kin.placed.extend(like.map(|other| Placed {
                uid: other.reference.uid.clone(),
                node: snapshot.name(row).clone(),
            }));
        }
        kin
    }

    /// The first pod that is there when a node is looked at as it stands in the snapshot: its own pods may have been
    /// taken off for a question.
    fn first_seen_from(&self, snapshot: &Snapshot, node: NodeIndex) -> Option<&Placed> {
        let (name, info) = (snapshot.name(node), snapshot.node(node));
        self.placed.iter().find(|placed| {
            let mut pods = info.pods.iter();
            placed.node != *name || pods.any(|pod| pod.reference.uid == placed.uid)
        })
    }
}

/// Whether `other` is in the pod's namespace and carries every label of the pod.
fn is_like(pod: &PodInfo, other: &PodInfo) -> bool {
    other.reference.namespace == pod.reference.namespace
        && is_part_of(&pod.pod.metadata.labels, &other.pod.metadata.labels)
}

impl Plugin for ServiceAffinity {
    fn name(&self) -> PluginName {
        Self::NAME
    }

    fn events(&self) -> Option<&[EventWithHint]> {
        Some(&EVENTS)
    }

    fn as_pre_filter(&self) -> Option<&dyn PreFilter> {
        Some(self)
    }

    fn as_filter(&self) -> Option<&dyn Filter> {
        Some(self)
    }

    fn as_score(&self) -> Option<&dyn Score> {
        Some(self)
    }
}

impl PreFilter for ServiceAffinity {
    /// Skip without labels to agree in.
    fn pre_filter(
        &self,
        cx: &CycleContext<'_>,
        state: &mut CycleState,
        pod: &PodInfo,
    ) -> PreFiltered {
        if self.args.affinity_labels.is_empty() {
            return Status::skip().into();
        }
        state.write_until_chosen(STATE, Kin::of(cx.snapshot, cx.listers, pod));
        PreFiltered::default()
    }

    fn has_extensions(&self) -> bool {
        true
    }

    fn add_pod(
        &self,
        _cx: &CycleContext<'_>,
        state: &mut CycleState,
        pod: &PodInfo,
        added: &PodInfo,
        node: &NodeInfo,
    ) -> Status {
        if let Some(kin) = state.change::<Kin>(STATE)
            && is_like(pod, added)
        {
            kin.placed.push(Placed {
                uid: added.reference.uid.clone(),
                node: Arc::from(node.name()),
            });
        }
        Status::success()
    }

    fn remove_pod(
        &self,
        _cx: &CycleContext<'_>,
        state: &mut CycleState,
        _pod: &PodInfo,
        removed: &PodInfo,
        _node: &NodeInfo,
    ) -> Status {
        if let Some(kin) = state.change::<Kin>(STATE) {
            kin.placed
                .retain(|placed| placed.uid != removed.reference.uid);
        }
        Status::success()
    }
}

impl Filter for ServiceAffinity {
    fn filter_node(
        &self,
        cx: &CycleContext<'_>,
        state: &CycleState,
        pod: &PodInfo,
        node: NodeIndex,
    ) -> Status {
        if self.args.affinity_labels.is_empty() {
            return Status::success();
        }
        let kin = state.read::<Kin>(STATE).map_or_else(
            || Cow::Owned(Kin::of(cx.snapshot, cx.listers, pod)),
            Cow::Borrowed,
        );
        let wanted = match self.wanted(cx.snapshot, &kin, &pod.pod, node) {
            Ok(wanted) => wanted,
            Err(error) => return error,
        };
        let info = cx.snapshot.node(node);
        let mut wanted = wanted.iter();
        if wanted.all(|(label, value)| info.label(label) == Some(value)) {
            return Status::success();
        }
        Status::unschedulable(Reason::ServiceAffinity)
    }
}

impl Score for ServiceAffinity {
    /// How many pods of the pod's first service the node has.
    fn score_node(
        &self,
        cx: &CycleContext<'_>,
        _state: &CycleState,
        pod: &PodInfo,
        node: NodeIndex,
    ) -> Result<i64, PluginError> {
        let selector = first_service(cx.listers, &pod.pod);
        Ok(matching_pods(cx.snapshot.node(node), pod, &selector))
    }

    /// Cost: O(pods of the nodes); services are looked through once.
    fn score(
        &self,
        cx: &CycleContext<'_>,
        _state: &CycleState,
        pod: &PodInfo,
        nodes: &[NodeIndex],
        column: &mut [i64],
    ) -> Result<(), PluginError> {
        let selector = first_service(cx.listers, &pod.pod);
        for (node, slot) in nodes.iter().zip(column) {
            *slot = matching_pods(cx.snapshot.node(*node), pod, &selector);
        }
        Ok(())
    }

    fn has_normalize(&self) -> bool {
        true
    }

    /// For each label, how far the node's value is from having all pods; a node without the label gets nothing for it.
    fn normalize(
        &self,
        cx: &CycleContext<'_>,
        _state: &CycleState,
        _pod: &PodInfo,
        nodes: &[NodeIndex],
        column: &mut [i64],
    ) -> Result<(), PluginError> {
        let snapshot = cx.snapshot;
        let total: i64 = column.iter().sum();
        let labels = &self.args.anti_affinity_labels_preference;
        let counts: Vec<BTreeMap<&str, i64>> = labels
            .iter()
            .map(|label| {
                let mut counts = BTreeMap::new();
                for (node, count) in nodes.iter().zip(column.iter()) {
                    if let Some(value) = snapshot.node(*node).label(label) {
                        *counts.entry(value).or_default() += *count;
                    }
                }
                counts
            })
            .collect();
        for (node, slot) in nodes.iter().zip(column) {
            let by_label = labels.iter().zip(&counts).map(|(label, counts)| {
                let value = snapshot.node(*node).label(label)?;
                Some((counts.get(value).copied().unwrap_or(0), total))
            });
            let by_label: SmallVec<[Option<(i64, i64)>; 2]> = by_label.collect();
            *slot = num::service_spread(&by_label);
        }
        Ok(())
    }
}

/// What the pod's first service selects; everything when it has none.
fn first_service(listers: &Listers, pod: &Pod) -> Selector {
    let service = services_of(listers, pod).next();
    let selector = service.and_then(|service| service.spec.selector.as_ref());
    selector.map_or_else(Selector::everything, Selector::from_labels)
}

const STATE: StateKey = StateKey("PreFilterServiceAffinity");

/// Services are not among the objects that a pod can wait for; the flush after five minutes covers them.
const EVENTS: [EventWithHint; 2] = [
    EventWithHint::always(EventResource::Pod, ActionType::ALL),
    EventWithHint::always(EventResource::Node, ActionType::ALL),
];
