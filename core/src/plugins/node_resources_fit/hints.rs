//! Which events could make room for a pod that did not fit.

use crate::api::{DEVICE_CLASS_PREFIX, Object, Pod, pod_requests};
use crate::framework::cluster_event::QueueingHint;
use crate::framework::extension::QueueContext;
use crate::framework::status::PluginError;
use crate::plugins::hint::{self, queue_if};
use crate::snapshot::{NodeInfo, PodInfo, Resource};

use super::{FitState, Ignores, NodeResourcesFit};

type Hint = Result<QueueingHint, PluginError>;

impl NodeResourcesFit {
    /// A pod went, or asks for less.
    ///
    /// Source: spec, plugins 4.5 and queue 7.5.
    pub(super) fn pod_hint(
        &self,
        pod: &PodInfo,
        old: Option<&Object>,
        new: Option<&Object>,
    ) -> Hint {
        let (old, new) = hint::pods(old, new)?;
        let Some(old) = old else {
            return Ok(QueueingHint::Queue);
        };
        let Some(new) = new else {
            return Ok(queue_if(hint::had_place(old)));
        };
        if hint::is_same(pod, new) {
            return Ok(QueueingHint::Queue);
        }
        if old.spec.node_name.is_empty() {
            return Ok(QueueingHint::QueueSkip);
        }
        let wanted = self.request(&pod.pod);
        let placed = |pod: &Pod| Resource::from_list(&pod_requests(pod, self.placed_options));
        Ok(queue_if(has_more(&placed(old), &placed(new), &wanted)))
    }

    /// A node came, or has more to give.
    pub(super) fn node_hint(
        &self,
        cx: &QueueContext<'_>,
        pod: &PodInfo,
        old: Option<&Object>,
        new: Option<&Object>,
    ) -> Hint {
        let (old, new) = hint::nodes(old, new)?;
        let Some(new) = new else {
            return Ok(QueueingHint::QueueSkip);
        };
        let wanted = self.fit_state(cx.listers, &pod.pod);
        let empty = NodeInfo::new(new.clone());
        // QUIRK: resources that Filter ignores are not ignored here, so a pod that asks for one waits longer.
        if !self
            .problems(&wanted, &empty, Ignores::Nothing)
            .is_success()
        {
            return Ok(QueueingHint::QueueSkip);
        }
        let Some(old) = old else {
            return Ok(QueueingHint::Queue);
        };
        let before = Resource::from_list(&old.status.allocatable);
        Ok(queue_if(has_grown(&wanted, &before, &empty.allocatable)))
    }

    /// Devices stand for a resource that they did not stand for before.
    pub(super) fn device_class_hint(
        &self,
        pod: &PodInfo,
        old: Option<&Object>,
        new: Option<&Object>,
    ) -> Hint {
        let (old, new) = hint::device_classes(old, new)?;
        let Some(new) = new else {
            return Ok(QueueingHint::QueueSkip);
        };
        let wanted = self.request(&pod.pod);
        let name = new.spec.extended_resource_name.as_deref();
        if let Some(old) = old {
            if old.spec.extended_resource_name.as_deref() == name {
                return Ok(QueueingHint::QueueSkip);
            }
        } else {
            let implicit = [DEVICE_CLASS_PREFIX, &new.metadata.name].concat();
            if wanted.scalar(&implicit) > 0 {
                return Ok(QueueingHint::Queue);
            }
        }
        Ok(queue_if(name.is_some_and(|name| wanted.scalar(name) > 0)))
    }

    fn request(&self, pod: &Pod) -> Resource {
        Resource::from_list(&pod_requests(pod, self.options))
    }
}

/// Whether `one` has more than `other` of something that is wanted.
fn has_more(one: &Resource, other: &Resource, wanted: &Resource) -> bool {
    wanted.milli_cpu > 0 && one.milli_cpu > other.milli_cpu
        || wanted.memory > 0 && one.memory > other.memory
        || wanted.ephemeral_storage > 0 && one.ephemeral_storage > other.ephemeral_storage
        || wanted
            .scalars
            .iter()
            .any(|(name, amount)| *amount > 0 && one.scalar(name) > other.scalar(name))
}

/// Whether a node has more of something that is wanted, or devices stand for it there.
fn has_grown(wanted: &FitState, before: &Resource, after: &Resource) -> bool {
    let mut from_devices = wanted.from_devices.iter();
    after.allowed_pods > before.allowed_pods
        || has_more(after, before, &wanted.request)
        || from_devices.any(|name| wanted.request.scalar(name) > 0 && after.scalar(name) == 0)
}
