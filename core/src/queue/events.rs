//! What happened in the cluster, and which pods it moves.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{Object, Pod};
use crate::framework::cluster_event::{ActionType, ClusterEvent};
use crate::framework::status::PluginName;
use crate::framework::trace::{MoveCause, Observer, Place};
use crate::snapshot::{PodInfo, PodRef};

use super::SchedulingQueue;
use super::call::QueueCall;
use super::entries::SlotId;
use super::hints::{Happened, Strategy};
use super::in_flight::InFlightEvent;
use super::moves::{Origin, Step};
use super::queued_pod::QueuedPodInfo;

/// An event with its object before and after.
pub(super) type Trigger<'a> = Happened<'a>;

impl SchedulingQueue {
    /// Something happened: moves the pods in unschedulablePods that it could help, and keeps it for those in flight.
    /// `pre_check` narrows the pods that are moved.
    ///
    /// Cost: O(m log n) for the m pods whose rejectors registered the event; the others are not looked at.
    /// Source: spec, queue and cache 6.3.
    pub fn move_all_to_active_or_backoff_queue<O: Observer>(
        &mut self,
        call: &mut QueueCall<'_, O>,
        event: ClusterEvent,
        old: Option<&Object>,
        new: Option<&Object>,
        pre_check: Option<&dyn Fn(&PodInfo) -> bool>,
    ) {
        let mut slots = if event.is_wildcard() {
            self.unschedulable.ungated()
        } else {
            let plugins = self.hints.waiting_for(&event);
            if plugins.is_empty() {
                return;
            }
            self.unschedulable.waiting_for(&plugins)
        };
        if let Some(passes) = pre_check {
            slots.retain(|slot| passes(&self.entries.info(*slot).pod));
        }
        self.move_pods(call, &slots, &Trigger { event, old, new });
    }

    /// A pod got a node, or came with one.
    ///
    /// With hints off it moves only pods that another pod's coming can help: those rejected for their spread in its
    /// namespace, and those that want to be near it. Source: spec, queue and cache 11.1.
    pub fn assigned_pod_added<O: Observer>(&mut self, call: &mut QueueCall<'_, O>, pod: &Arc<Pod>) {
        let event = ClusterEvent::ASSIGNED_POD_ADD;
        let new = Object::Pod(pod.clone());
        self.move_for_assigned_pod(call, event, None, &new, pod);
    }

    /// A pod that has a node changed, in one of its properties.
    ///
    /// With hints off: as [`SchedulingQueue::assigned_pod_added`], but room that a pod gives back can help all.
    pub fn assigned_pod_updated<O: Observer>(
        &mut self,
        call: &mut QueueCall<'_, O>,
        old: &Arc<Pod>,
        new: &Arc<Pod>,
        event: ClusterEvent,
    ) {
        let before = Object::Pod(old.clone());
        let after = Object::Pod(new.clone());
        if event.action.intersects(ActionType::UPDATE_POD_SCALE_DOWN)
            && event.action != ActionType::UPDATE
        {
            let (before, after) = (Some(&before), Some(&after));
            self.move_all_to_active_or_backoff_queue(call, event, before, after, None);
        } else {
            self.move_for_assigned_pod(call, event, Some(&before), &after, new);
        }
    }

    /// Somebody asks for these pods to be tried now, backoff or not. Gated pods are asked about again and may stay; of
    /// pods in flight it is noted for their return.
    ///
    /// Source: spec, queue and cache 8.3.
    pub fn activate<O: Observer>(&mut self, call: &mut QueueCall<'_, O>, pods: &[PodRef]) {
        for pod in pods {
            if self.activate_one(call, pod) {
                continue;
            }
            if let Some(flying) = self.in_flight.get(&pod.uid) {
                let new = Object::Pod(flying.pod.pod.clone());
                let event = ClusterEvent::FORCE_ACTIVATE;
                self.keep_for_in_flight(
                    call,
                    &Trigger {
                        event,
                        old: None,
                        new: Some(&new),
                    },
                );
            }
            self.move_request_cycle = self.scheduling_cycle;
        }
    }

    /// Moves a waiting pod to activeQ; false when it is not waiting, is there already, or is gated.
    pub(super) fn activate_one<O: Observer>(
        &mut self,
        call: &mut QueueCall<'_, O>,
        pod: &PodRef,
    ) -> bool {
        let Some(slot) = self.entries.find(&pod.namespace, &pod.name) else {
            return false;
        };
        let entry = self.entries.at(slot);
        let origin = match entry.place {
            Place::Unschedulable | Place::Gated => Origin::Elsewhere,
            Place::Backoff | Place::ErrorBackoff => Origin::Backoff,
            Place::Active | Place::Nowhere | Place::InFlight => return false,
        };
        let info = entry.info.clone();
        let step = Step {
            event: ClusterEvent::FORCE_ACTIVATE,
            origin,
            cause: MoveCause::Activated,
        };
        self.move_to_active_q(call, slot, info, step) == Place::Active
    }

    /// Moves those of the pods that an event could help, and keeps it for the pods in flight.
    pub(super) fn move_pods<O: Observer>(
        &mut self,
        call: &mut QueueCall<'_, O>,
        slots: &[SlotId],
        trigger: &Trigger<'_>,
    ) {
        for slot in slots {
            self.move_pod(call, *slot, trigger);
        }
        self.move_request_cycle = self.scheduling_cycle;
        self.keep_for_in_flight(call, trigger);
    }

    /// Keeps an event if hints are on and a pod is in flight.
    pub(super) fn keep_for_in_flight<O: Observer>(
        &mut self,
        call: &mut QueueCall<'_, O>,
        trigger: &Trigger<'_>,
    ) {
        if !self.options.queueing_hints || self.in_flight.is_empty() {
            return;
        }
        self.in_flight.keep(InFlightEvent {
            event: trigger.event,
            old: trigger.old.cloned(),
            new: trigger.new.cloned(),
        });
        call.inflight_event(Some(&trigger.event), 1);
    }

    fn move_pod<O: Observer>(
        &mut self,
        call: &mut QueueCall<'_, O>,
        slot: SlotId,
        trigger: &Trigger<'_>,
    ) {
        let info = self.entries.at(slot).info.clone();
        if info.is_gated() && !self.concerns_gate(&info, &trigger.event) {
            return;
        }
        let verdict = self.hints.is_pod_worth_requeuing(call, &info, trigger);
        if verdict.strategy == Strategy::Skip {
            return;
        }
        let cause = if trigger.event == ClusterEvent::UNSCHEDULABLE_TIMEOUT {
            MoveCause::UnschedulableTimeout
        } else {
            MoveCause::Event {
                event: trigger.event,
                plugin: verdict.plugin,
                was_in_flight: false,
            }
        };
        let step = Step {
            event: trigger.event,
            origin: Origin::Elsewhere,
            cause,
        };
        self.requeue(call, slot, info, verdict.strategy, step);
    }

    /// Whether an event is one that the plugin which holds a pod waits for. The wildcard never is.
    fn concerns_gate(&self, info: &QueuedPodInfo, event: &ClusterEvent) -> bool {
        let waits = |plugin| self.hints.is_registered(plugin, event);
        !event.is_wildcard() && info.gating_plugin.is_some_and(waits)
    }

    fn move_for_assigned_pod<O: Observer>(
        &mut self,
        call: &mut QueueCall<'_, O>,
        event: ClusterEvent,
        old: Option<&Object>,
        new: &Object,
        pod: &Pod,
    ) {
        if self.options.queueing_hints {
            self.move_all_to_active_or_backoff_queue(call, event, old, Some(new), None);
            return;
        }
        if self.hints.waiting_for(&event).is_empty() {
            return;
        }
        let labels = call.listers.namespace_labels(&pod.metadata.namespace);
        let could_help = |info: &QueuedPodInfo| {
            let is_spread = info.unschedulable_plugins.contains(&POD_TOPOLOGY_SPREAD)
                && *info.pod.reference.namespace == *pod.metadata.namespace;
            let mut near = info.pod.affinity.required.iter();
            is_spread || near.any(|term| term.matches(pod, labels))
        };
        let slots: Vec<SlotId> = self
            .unschedulable
            .iter()
            .filter(|slot| could_help(self.entries.info(*slot)))
            .collect();
        let new = Some(new);
        self.move_pods(call, &slots, &Trigger { event, old, new });
    }
}

/// The plugin whose rejections another pod's coming can lift.
const POD_TOPOLOGY_SPREAD: PluginName = PluginName("PodTopologySpread");
