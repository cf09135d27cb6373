//! What the scheduler's effects do, and what the server answers.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;

use crate::api::{
    Condition, Kind, Object, ObjectKey, PersistentVolume, PersistentVolumeClaim, Pod, PodCondition,
    ResourceClaim,
};
use crate::config::Gate;
use crate::framework::work::{Failure, FailureKind, Outcome};
use crate::scheduler::Effect;
use crate::snapshot::PodRef;

use super::store::resource_name;
use super::{Preempted, World};

impl World {
    /// Carries out an effect. Events and questions to extenders are not the server's business and count as done.
    pub(in crate::sim) fn perform(&mut self, effect: &Effect) -> Outcome {
        let result = match effect {
            Effect::Bind { pod, node, .. } => self.bind(pod, node),
            Effect::PatchPodStatus {
                pod,
                condition,
                nominated_node_name,
                ..
            } => self.patch_pod_status(pod, condition.as_ref(), nominated_node_name.as_deref()),
            Effect::DeletePod { pod, preemptor, .. } => self.evict(pod, preemptor),
            Effect::UpdateVolumes {
                volumes, claims, ..
            } => self.update_volumes(volumes, claims),
            Effect::UpdateResourceClaim { claim, .. } => self.update_resource_claim(claim),
            Effect::UnreserveResourceClaim { claim, pod, .. } => {
                self.unreserve_resource_claim(claim, pod)
            }
            _ => Ok(()),
        };
        match result {
            Ok(()) => Outcome::Done,
            Err(failure) => Outcome::Failed(failure),
        }
    }

    /// Binds a pod because an extender asked for it.
    pub(in crate::sim) fn bind_for_extender(&mut self, pod: &PodRef, node: &str) -> Outcome {
        match self.bind(pod, node) {
            Ok(()) => Outcome::Done,
            Err(failure) => Outcome::Failed(failure),
        }
    }

    /// The `binding` subresource: assigns the pod, says so in its conditions, clears its nomination.
    fn bind(&mut self, reference: &PodRef, node: &str) -> Result<(), Failure> {
        let now = self.wall_clock();
        let clears = self
            .gates()
            .enabled(Gate::ClearingNominatedNodeNameAfterBinding);
        let mut pod = self.pod_by_reference(reference)?;
        let refuse = |why: String| {
            let text = format!(
                "Operation cannot be fulfilled on pods/binding \"{}\": {why}",
                reference.name
            );
            Err(failure(FailureKind::Conflict, text))
        };
        if pod.metadata.is_terminating() {
            return refuse(format!(
                "pod {} is being deleted, cannot be assigned to a host",
                reference.name
            ));
        }
        if pod.is_assigned() {
            return refuse(format!(
                "pod {} is already assigned to node \"{}\"",
                reference.name, pod.spec.node_name
            ));
        }
        if !pod.spec.scheduling_gates.is_empty() {
            return refuse(format!(
                "pod {} has non-empty .spec.schedulingGates",
                reference.name
            ));
        }
        pod.spec.node_name = node.to_string();
        if clears {
            pod.status.nominated_node_name.clear();
        }
        let scheduled = PodCondition {
            type_: "PodScheduled".to_string(),
            status: "True".to_string(),
            observed_generation: pod.metadata.generation,
            ..Condition::default()
        };
        set_condition(&mut pod, &scheduled, now);
        self.write(pod.into());
        Ok(())
    }

    fn patch_pod_status(
        &mut self,
        reference: &PodRef,
        condition: Option<&PodCondition>,
        nominated: Option<&str>,
    ) -> Result<(), Failure> {
        let now = self.wall_clock();
        let before = self.pod_by_reference(reference)?;
        let mut pod = before.clone();
        if let Some(condition) = condition {
            set_condition(&mut pod, condition, now);
        }
        if let Some(node) = nominated {
            pod.status.nominated_node_name = node.to_string();
        }
        if pod != before {
            self.write(pod.into());
        }
        Ok(())
    }

    #[inline(never)]
    fn evict(&mut self, victim: &PodRef, preemptor: &PodRef) -> Result<(), Failure> {
        let pod = self.pod_by_reference(victim)?;
        let key = ObjectKey::new(Kind::Pod, &*victim.namespace, &*victim.name);
        self.preempted.push(Preempted {
            pod: victim.to_string(),
            uid: victim.uid.to_string(),
            by: preemptor.to_string(),
            node: pod.spec.node_name.clone(),
            at: self.now(),
        });
        self.delete(&key, None)
            .map_err(|_| failure(FailureKind::NotFound, not_found(&key)))
    }

    fn update_volumes(
        &mut self,
        volumes: &[Arc<PersistentVolume>],
        claims: &[Arc<PersistentVolumeClaim>],
    ) -> Result<(), Failure> {
        let volumes = volumes.iter().cloned().map(Object::PersistentVolume);
        let claims = claims.iter().cloned().map(Object::PersistentVolumeClaim);
        for object in volumes.chain(claims) {
            self.put_checked(object)?;
        }
        Ok(())
    }

    fn update_resource_claim(&mut self, claim: &Arc<ResourceClaim>) -> Result<(), Failure> {
        self.put_checked(Object::ResourceClaim(claim.clone()))
    }

    #[inline(never)]
    fn unreserve_resource_claim(
        &mut self,
        claim: &ResourceClaim,
        pod: &PodRef,
    ) -> Result<(), Failure> {
        let (namespace, name) = (&*claim.metadata.namespace, &*claim.metadata.name);
        let key = ObjectKey::new(Kind::ResourceClaim, namespace, name);
        let mut changed = match self.get(&key) {
            Some(Object::ResourceClaim(now)) if now.metadata.uid == claim.metadata.uid => {
                ResourceClaim::clone(now)
            }
            _ => return Err(failure(FailureKind::NotFound, not_found(&key))),
        };
        let users = &mut changed.status.reserved_for;
        let before = users.len();
        users.retain(|user| *user.uid != *pod.uid);
        if users.len() < before {
            self.write(changed.into());
        }
        Ok(())
    }

    /// Replaces an object that has not changed since the scheduler read it.
    fn put_checked(&mut self, object: Object) -> Result<(), Failure> {
        let key = object.key();
        let Some(current) = self.get(&key) else {
            return Err(failure(FailureKind::NotFound, not_found(&key)));
        };
        let (read, now) = (
            &object.metadata().resource_version,
            &current.metadata().resource_version,
        );
        if !read.is_empty() && read != now {
            let text = format!(
                "Operation cannot be fulfilled on {}: the object has been modified; please apply your changes to the \
                 latest version and try again",
                resource_name(&key)
            );
            return Err(failure(FailureKind::Conflict, text));
        }
        self.write(object);
        Ok(())
    }

    /// The pod as it is, if it is still the one that is meant.
    fn pod_by_reference(&self, reference: &PodRef) -> Result<Pod, Failure> {
        match self.pod(&reference.namespace, &reference.name) {
            Some(pod) if pod.metadata.uid == *reference.uid => Ok(Pod::clone(pod)),
            Some(pod) => Err(failure(
                FailureKind::Conflict,
                format!(
                    "Precondition failed: UID in precondition: {}, UID in object meta: {}",
                    reference.uid, pod.metadata.uid
                ),
            )),
            None => {
                let key = ObjectKey::new(Kind::Pod, &*reference.namespace, &*reference.name);
                Err(failure(FailureKind::NotFound, not_found(&key)))
            }
        }
    }
}

/// Sets the condition of its type. The time of its last change moves only when its status does.
pub(in crate::sim) fn set_condition(
    pod: &mut Pod,
    condition: &PodCondition,
    now: crate::api::Time,
) {
    let mut condition = condition.clone();
    let conditions = &mut pod.status.conditions;
    match conditions
        .iter_mut()
        .find(|present| present.type_ == condition.type_)
    {
        Some(present) => {
            condition.last_transition_time = if present.status == condition.status {
                present.last_transition_time
            } else {
                Some(condition.last_transition_time.unwrap_or(now))
            };
            *present = condition;
        }
        None => {
            condition.last_transition_time.get_or_insert(now);
            conditions.push(condition);
        }
    }
}

fn not_found(key: &ObjectKey) -> String {
    format!("{} not found", resource_name(key))
}

fn failure(kind: FailureKind, message: String) -> Failure {
    Failure { kind, message }
}
