//! What a change of an object means to queue and cache.
//!
//! Source: spec, scheduling cycle 13. "Ours" is a pod whose `schedulerName` is one of the profiles; "assigned" one that
//! has a node. A pod that finished counts as gone: kube-scheduler's watch does not list it.

use alloc::string::ToString;
use alloc::sync::Arc;

use crate::api::{Kind, Node, Object, ObjectKey, Pod, ResourceList};
use crate::config::{Gate, Gates};
use crate::framework::cluster_event::{ActionType, ClusterEvent, EventResource};
use crate::framework::events_of;
use crate::framework::trace::{ChangeKind, MetricValue, Observer, Record};
use crate::snapshot::{NodeInfo, PodInfo};
use crate::time::Span;

use super::Scheduler;
use super::input::Change;
use super::known::Io;
use super::pre_check::is_admitted;

impl Scheduler {
    pub(super) fn observe<O: Observer>(&mut self, change: Change, io: &mut Io<'_, O>) {
        match change {
            Change::Applied(Object::Pod(pod)) if pod.is_finished() => {
                let key = ObjectKey::new(
                    Kind::Pod,
                    pod.metadata.namespace.as_str(),
                    pod.metadata.name.as_str(),
                );
                self.observe_deleted(&key, io);
            }
            Change::Applied(object) => self.observe_applied(object, io),
            Change::Deleted(key) => self.observe_deleted(&key, io),
        }
    }

    fn observe_applied<O: Observer>(&mut self, mut object: Object, io: &mut Io<'_, O>) {
        if let Object::Pod(pod) = &mut object {
            hide_disabled(pod, self.config.gates);
        }
        let before = self.known.listers.insert(&object);
        self.known.memory.volumes.observe(&object);
        match (before, object) {
            (Some(Object::Pod(old)), Object::Pod(new)) if old.metadata.uid != new.metadata.uid => {
                self.pod_deleted(&old, io);
                self.pod_added(new, io);
            }
            (Some(Object::Pod(old)), Object::Pod(new)) => self.pod_updated(&old, new, io),
            (_, Object::Pod(new)) => self.pod_added(new, io),
            (Some(Object::Node(old)), Object::Node(new)) => self.node_updated(&old, &new, io),
            (_, Object::Node(new)) => self.node_added(&new, io),
            (before, object) => {
                let action = before
                    .as_ref()
                    .map_or(ActionType::ADD, |_| ActionType::UPDATE);
                self.other_changed(action, before.as_ref(), Some(&object), io);
            }
        }
    }

    fn observe_deleted<O: Observer>(&mut self, key: &ObjectKey, io: &mut Io<'_, O>) {
        match self.known.listers.remove(key) {
            Some(Object::Pod(old)) => self.pod_deleted(&old, io),
            Some(Object::Node(old)) => self.node_deleted(&old, io),
            Some(old) => {
                self.known.memory.volumes.observe(&old);
                self.other_changed(ActionType::DELETE, Some(&old), None, io);
            }
            None => {}
        }
    }

    fn is_ours(&self, pod: &Pod) -> bool {
        self.known.profiles.get(&pod.spec.scheduler_name).is_some()
    }

    fn pod_added<O: Observer>(&mut self, pod: Arc<Pod>, io: &mut Io<'_, O>) {
        let object = Object::Pod(pod.clone());
        if pod.is_assigned() {
            note_observed(
                &object,
                ChangeKind::Added,
                &[ClusterEvent::ASSIGNED_POD_ADD],
                io,
            );
            self.assigned_pod_added(&pod, io);
        } else if self.is_ours(&pod) {
            note_observed(
                &object,
                ChangeKind::Added,
                &[ClusterEvent::UNSCHEDULABLE_POD_ADD],
                io,
            );
            note_handled(ClusterEvent::UNSCHEDULABLE_POD_ADD, io);
            self.queue.add(&mut self.known.queue_call(io), &pod);
        } else {
            note_observed(&object, ChangeKind::Added, &[], io);
        }
    }

    fn assigned_pod_added<O: Observer>(&mut self, pod: &Arc<Pod>, io: &mut Io<'_, O>) {
        if let Err(error) = self.cache.add_pod(pod.clone()) {
            trouble(&error, io);
        }
        note_handled(ClusterEvent::ASSIGNED_POD_ADD, io);
        self.queue
            .assigned_pod_added(&mut self.known.queue_call(io), pod);
    }

    fn pod_updated<O: Observer>(&mut self, old: &Arc<Pod>, new: Arc<Pod>, io: &mut Io<'_, O>) {
        let after = Object::Pod(new.clone());
        if old.is_assigned() {
            let events = events_of::pod_update(old, &new);
            note_observed(&after, ChangeKind::Updated, &events, io);
            if let Err(error) = self.cache.update_pod(old, new.clone()) {
                trouble(&error, io);
            }
            for event in events {
                note_handled(event, io);
                let mut call = self.known.queue_call(io);
                self.queue.assigned_pod_updated(&mut call, old, &new, event);
            }
            note_handled(ClusterEvent::ASSIGNED_POD_UPDATE, io);
        } else if new.is_assigned() {
            note_observed(
                &after,
                ChangeKind::Updated,
                &[ClusterEvent::ASSIGNED_POD_ADD],
                io,
            );
            self.assigned_pod_added(&new, io);
            if self.is_ours(old) {
                note_handled(UNSCHEDULABLE_POD_DELETE, io);
                self.queue.delete(&mut self.known.queue_call(io), old);
            }
        } else if self.is_ours(&new) {
            self.waiting_pod_updated(old, new, io);
        }
    }

    fn waiting_pod_updated<O: Observer>(
        &mut self,
        old: &Arc<Pod>,
        new: Arc<Pod>,
        io: &mut Io<'_, O>,
    ) {
        if old.metadata.resource_version == new.metadata.resource_version
            && !new.metadata.resource_version.is_empty()
        {
            return;
        }
        let (before, after) = (Object::Pod(old.clone()), Object::Pod(new.clone()));
        if self.cache.is_assumed_pod(&new.metadata.uid) {
            if new.is_terminating() && !old.is_terminating() {
                self.assumed_pod_deleted(&new, io);
            }
            return;
        }
        note_observed(
            &after,
            ChangeKind::Updated,
            &events_of::pod_update(old, &new),
            io,
        );
        note_handled(ClusterEvent::UNSCHEDULABLE_POD_UPDATE, io);
        self.queue
            .update(&mut self.known.queue_call(io), Some(old), &new);
        let nominated = &old.status.nominated_node_name;
        if !nominated.is_empty() && *nominated != new.status.nominated_node_name {
            self.publish_to_lower(old.priority(), &before, io);
        }
    }

    fn pod_deleted<O: Observer>(&mut self, old: &Arc<Pod>, io: &mut Io<'_, O>) {
        let object = Object::Pod(old.clone());
        if old.is_assigned() {
            note_observed(
                &object,
                ChangeKind::Deleted,
                &[ClusterEvent::ASSIGNED_POD_DELETE],
                io,
            );
            if let Err(error) = self.cache.remove_pod(old) {
                trouble(&error, io);
            }
            self.publish(ClusterEvent::ASSIGNED_POD_DELETE, Some(&object), None, io);
            return;
        }
        note_observed(&object, ChangeKind::Deleted, &[], io);
        if !self.is_ours(old) {
            return;
        }
        note_handled(UNSCHEDULABLE_POD_DELETE, io);
        self.queue.delete(&mut self.known.queue_call(io), old);
        if self.cache.is_assumed_pod(&old.metadata.uid) {
            self.assumed_pod_deleted(old, io);
        } else if !old.status.nominated_node_name.is_empty() {
            self.publish_to_lower(old.priority(), &object, io);
        }
    }

    /// A pod that is counted on a node but not bound yet goes: a waiting one is rejected and cleaned up by its binding,
    /// any other is taken off at once, and its binding will fail by itself.
    fn assumed_pod_deleted<O: Observer>(&mut self, pod: &Arc<Pod>, io: &mut Io<'_, O>) {
        let Some(assumed) = self.cache.get_pod(&pod.metadata.uid).cloned() else {
            return;
        };
        if self.reject_waiting_pod(&pod.metadata.uid, io) {
            return;
        }
        if let Err(error) = self.cache.forget_pod(&assumed.pod) {
            trouble(&error, io);
        }
        io.note(|| Record::Forgotten {
            pod: assumed.reference.clone(),
            node: Arc::from(assumed.pod.spec.node_name.as_str()),
        });
        let object = Object::Pod(assumed.pod.clone());
        self.move_pods(ClusterEvent::ASSIGNED_POD_DELETE, Some(&object), None, io);
    }

    fn node_added<O: Observer>(&mut self, node: &Arc<Node>, io: &mut Io<'_, O>) {
        let event = ClusterEvent::new(EventResource::Node, ActionType::ADD);
        let object = Object::Node(node.clone());
        note_observed(&object, ChangeKind::Added, &[event], io);
        let info = self.cache.add_node(node.clone());
        self.publish_of_node(event, None, &object, &info, io);
    }

    #[inline(never)]
    fn node_updated<O: Observer>(&mut self, old: &Arc<Node>, new: &Arc<Node>, io: &mut Io<'_, O>) {
        let (before, after) = (Object::Node(old.clone()), Object::Node(new.clone()));
        let events = events_of::node_update(old, new);
        note_observed(&after, ChangeKind::Updated, &events, io);
        let info = self.cache.update_node(old, new.clone());
        for event in events {
            self.publish_of_node(event, Some(&before), &after, &info, io);
        }
    }

    /// Tells the queue of an event of a node. Where plugins are not asked about it, only pods that the node could take
    /// are moved.
    fn publish_of_node<O: Observer>(
        &mut self,
        event: ClusterEvent,
        old: Option<&Object>,
        new: &Object,
        info: &NodeInfo,
        io: &mut Io<'_, O>,
    ) {
        note_handled(event, io);
        let check = |pod: &PodInfo| is_admitted(pod, info);
        let check: Option<&dyn Fn(&PodInfo) -> bool> = Some(&check);
        let check = check.filter(|_| !self.has_hints());
        let mut call = self.known.queue_call(io);
        self.queue
            .move_all_to_active_or_backoff_queue(&mut call, event, old, Some(new), check);
    }

    /// Whether plugins are asked about events; it is locked in 1.36.
    fn has_hints(&self) -> bool {
        self.config.gates.enabled(Gate::SchedulerQueueingHints)
    }

    /// The event goes out before the cache forgets the node, as upstream.
    fn node_deleted<O: Observer>(&mut self, old: &Arc<Node>, io: &mut Io<'_, O>) {
        let event = ClusterEvent::new(EventResource::Node, ActionType::DELETE);
        let object = Object::Node(old.clone());
        note_observed(&object, ChangeKind::Deleted, &[event], io);
        self.publish(event, Some(&object), None, io);
        if let Err(error) = self.cache.remove_node(old) {
            trouble(&error, io);
        }
    }

    fn other_changed<O: Observer>(
        &mut self,
        action: ActionType,
        old: Option<&Object>,
        new: Option<&Object>,
        io: &mut Io<'_, O>,
    ) {
        let Some(object) = new.or(old) else {
            return;
        };
        let Some(resource) = EventResource::of(object.kind()) else {
            return;
        };
        let event = ClusterEvent::new(resource, action);
        let change = match (old, new) {
            (None, _) => ChangeKind::Added,
            (_, None) => ChangeKind::Deleted,
            _ => ChangeKind::Updated,
        };
        note_observed(object, change, &[event], io);
        let is_idle = matches!(
            object,
            Object::StorageClass(class) if change == ChangeKind::Added
                && class.volume_binding_mode.as_deref() != Some("WaitForFirstConsumer")
        );
        // Plugins that are asked know by themselves which classes help.
        if self.has_hints() || !is_idle {
            self.publish(event, old, new, io);
        }
        self.objects_changed(io);
    }

    /// Tells the queue of an event that a delivery of the watch made.
    fn publish<O: Observer>(
        &mut self,
        event: ClusterEvent,
        old: Option<&Object>,
        new: Option<&Object>,
        io: &mut Io<'_, O>,
    ) {
        note_handled(event, io);
        self.move_pods(event, old, new, io);
    }

    /// Tells the queue of an event.
    pub(super) fn move_pods<O: Observer>(
        &mut self,
        event: ClusterEvent,
        old: Option<&Object>,
        new: Option<&Object>,
        io: &mut Io<'_, O>,
    ) {
        let mut call = self.known.queue_call(io);
        self.queue
            .move_all_to_active_or_backoff_queue(&mut call, event, old, new, None);
    }

    /// A nominated pod went or changed its mind: pods that it held back may move, those of at most its priority.
    fn publish_to_lower<O: Observer>(&mut self, priority: i32, old: &Object, io: &mut Io<'_, O>) {
        let is_lower = |pod: &PodInfo| pod.priority() <= priority;
        let mut call = self.known.queue_call(io);
        let event = ClusterEvent::ASSIGNED_POD_DELETE;
        self.queue.move_all_to_active_or_backoff_queue(
            &mut call,
            event,
            Some(old),
            None,
            Some(&is_lower),
        );
    }
}

/// Takes out of a pod what counts for nothing while its gate is off, for queue, cache and plugins alike.
fn hide_disabled(pod: &mut Arc<Pod>, gates: Gates) {
    let has_whole = gates.enabled(Gate::PodLevelResources);
    let has_status = has_whole && gates.enabled(Gate::InPlacePodLevelResourcesVerticalScaling);
    let status = &pod.status;
    let is_reported = status.resources.is_some() || !status.allocated_resources.is_empty();
    if !has_whole && pod.spec.resources.is_some() {
        Arc::make_mut(pod).spec.resources = None;
    }
    if !has_status && is_reported {
        let status = &mut Arc::make_mut(pod).status;
        status.resources = None;
        status.allocated_resources = ResourceList::default();
    }
}

/// The delivery of an event has been dealt with.
fn note_handled<O: Observer>(event: ClusterEvent, io: &mut Io<'_, O>) {
    if O::IS_COUNTING {
        let labels = [("event", &*event.label())];
        let time = MetricValue::Time(Span::ZERO);
        io.metric("event_handling_duration_seconds", &labels, time);
    }
}

/// A pod that waits was deleted: no plugin waits for it, and it only labels a metric.
const UNSCHEDULABLE_POD_DELETE: ClusterEvent =
    ClusterEvent::new(EventResource::UnschedulablePod, ActionType::DELETE);

fn trouble<O: Observer>(error: &dyn core::error::Error, io: &mut Io<'_, O>) {
    io.trouble(|| error.to_string());
}

fn note_observed<O: Observer>(
    object: &Object,
    change: ChangeKind,
    events: &[ClusterEvent],
    io: &mut Io<'_, O>,
) {
    io.note(|| Record::Observed {
        kind: object.kind().as_str(),
        namespace: Arc::from(object.metadata().namespace.as_str()),
        name: Arc::from(object.metadata().name.as_str()),
        events: events.to_vec(),
        change,
    });
}
