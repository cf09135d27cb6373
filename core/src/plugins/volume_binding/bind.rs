//! What is written for the chosen node, and when it is done.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{Kind, ObjectReference, PersistentVolume, PersistentVolumeClaim, StringMap};
use crate::framework::cycle_state::CycleState;
use crate::framework::extension::{BindContext, PreBind, PreBindStep, PreFlight, Reserve};
use crate::framework::status::Status;
use crate::framework::work::{Outcome, Work};
use crate::plugins::volumes::{BOUND_BY_CONTROLLER, SELECTED_NODE, is_bound, not_found};
use crate::snapshot::memory::AssumedVolumes;
use crate::snapshot::{Listers, PluginMemory, PodInfo};
use crate::time::{Span, Timestamp};

use super::claims::{Claims, Reach};
use super::matching::is_promised_to;
use super::{RESERVED, VolumeBinding};

/// What Reserve decided.
#[derive(Clone, Debug, Default)]
struct Reserved {
    /// Volumes as they are to be, each with the claim that takes it.
    bindings: Vec<(Arc<PersistentVolume>, Arc<PersistentVolumeClaim>)>,
    /// Claims as they are to be, for which volumes are made.
    provisions: Vec<Arc<PersistentVolumeClaim>>,
    /// When binding is given up; set when it begins.
    deadline: Option<Timestamp>,
}

impl Reserved {
    fn has_nothing_to_do(&self) -> bool {
        self.bindings.is_empty() && self.provisions.is_empty()
    }

    /// Puts what was decided over what was observed.
    fn assume(&self, volumes: &mut AssumedVolumes) {
        for (volume, _) in &self.bindings {
            volumes.assume_volume(volume.clone());
        }
        for claim in &self.provisions {
            volumes.assume_claim(claim.clone());
        }
    }

    /// Goes back to what was observed.
    fn restore(&self, volumes: &mut AssumedVolumes) {
        for (volume, _) in &self.bindings {
            volumes.restore_volume(&volume.metadata.name);
        }
        for claim in &self.provisions {
            volumes.restore_claim(&claim.metadata.namespace, &claim.metadata.name);
        }
    }
}

impl Reserve for VolumeBinding {
    /// Source: spec, plugins 8.5.
    fn reserve(
        &self,
        cx: &BindContext<'_>,
        memory: &mut PluginMemory,
        state: &mut CycleState,
        pod: &PodInfo,
        node: &str,
    ) -> Status {
        let reserved = match decide(cx.listers, &memory.volumes, pod, node) {
            Ok(reserved) => reserved,
            Err(status) => return status,
        };
        reserved.assume(&mut memory.volumes);
        state.write(RESERVED, reserved);
        Status::success()
    }

    fn unreserve(
        &self,
        _cx: &BindContext<'_>,
        memory: &mut PluginMemory,
        state: &mut CycleState,
        _pod: &PodInfo,
        _node: &str,
    ) -> Vec<Work> {
        if let Some(reserved) = state.read::<Reserved>(RESERVED) {
            reserved.restore(&mut memory.volumes);
        }
        state.write(RESERVED, Reserved::default());
        Vec::new()
    }
}

/// Decides again for the node that was chosen.
fn decide(
    listers: &Listers,
    volumes: &AssumedVolumes,
    pod: &PodInfo,
    node: &str,
) -> Result<Reserved, Status> {
    let claims = Claims::of(listers, volumes, &pod.pod)?;
    if claims.are_all_bound() {
        return Ok(Reserved::default());
    }
    let Some(object) = listers.nodes.get("", node) else {
        return Err(Status::error(not_found(Kind::Node, node)));
    };
    let csi_node = listers.csi_nodes.get("", node);
    let decision = claims.decide(object, csi_node.map(AsRef::as_ref))?;
    let bindings = decision.bindings.iter();
    let provisions = decision.provisions.iter();
    Ok(Reserved {
        bindings: bindings
            .map(|(delayed, volume)| (given_to(volume, &delayed.claim), delayed.claim.clone()))
            .collect(),
        provisions: provisions
            .map(|(delayed, _)| made_for(&delayed.claim, node))
            .collect(),
        deadline: None,
    })
}

/// The volume with a reference to the claim.
fn given_to(
    volume: &Arc<PersistentVolume>,
    claim: &PersistentVolumeClaim,
) -> Arc<PersistentVolume> {
    let mut given = PersistentVolume::clone(volume);
    let metadata = &claim.metadata;
    let is_complete = given.spec.claim_ref.as_ref().is_some_and(|reference| {
        (&reference.namespace, &reference.name, &reference.uid)
            == (&metadata.namespace, &metadata.name, &metadata.uid)
    });
    if !is_complete {
        given.spec.claim_ref = Some(ObjectReference {
            api_version: String::from(Kind::PersistentVolumeClaim.api_version()),
            kind: String::from(Kind::PersistentVolumeClaim.as_str()),
            namespace: metadata.namespace.clone(),
            name: metadata.name.clone(),
            uid: metadata.uid.clone(),
            resource_version: metadata.resource_version.clone(),
        });
    }
    if !is_promised_to(volume, claim) {
        let annotations = &mut given.metadata.annotations;
        annotations
            .entry(String::from(BOUND_BY_CONTROLLER))
            .or_insert_with(|| String::from("yes"));
    }
    Arc::new(given)
}

/// The claim with the node for which its volume is to be made.
fn made_for(claim: &PersistentVolumeClaim, node: &str) -> Arc<PersistentVolumeClaim> {
    let mut made = claim.clone();
    let annotations = &mut made.metadata.annotations;
    annotations.insert(String::from(SELECTED_NODE), String::from(node));
    Arc::new(made)
}

impl PreBind for VolumeBinding {
    fn pre_flight(
        &self,
        _cx: &BindContext<'_>,
        state: &CycleState,
        _pod: &PodInfo,
        node: &str,
    ) -> PreFlight {
        let status = match state.read::<Reserved>(RESERVED) {
            None => Status::error(["no pod volume found for node \"", node, "\""].concat()),
            Some(reserved) if reserved.has_nothing_to_do() => Status::skip(),
            Some(_) => Status::success(),
        };
        PreFlight {
            status,
            allow_parallel: true,
        }
    }

    fn pre_bind(
        &self,
        cx: &BindContext<'_>,
        _memory: &mut PluginMemory,
        state: &mut CycleState,
        _pod: &PodInfo,
        node: &str,
    ) -> PreBindStep {
        let Some(reserved) = state.change::<Reserved>(RESERVED) else {
            let text = ["no pod volume found for node \"", node, "\""].concat();
            return PreBindStep::Done(Status::error(text));
        };
        if reserved.has_nothing_to_do() {
            return PreBindStep::Done(Status::success());
        }
        reserved.deadline = Some(cx.now + self.bind_timeout);
        let volumes = reserved.bindings.iter().map(|(volume, _)| volume.clone());
        PreBindStep::Work(Work::UpdateVolumes {
            volumes: volumes.collect(),
            claims: reserved.provisions.clone(),
        })
    }

    /// Looks whether everything is bound: after the write, each second, and whenever an object changed.
    fn resume(
        &self,
        cx: &BindContext<'_>,
        memory: &mut PluginMemory,
        state: &mut CycleState,
        pod: &PodInfo,
        node: &str,
        outcome: Option<&Outcome>,
    ) -> PreBindStep {
        if let Some(Outcome::Failed(failure)) = outcome {
            return PreBindStep::Done(Status::error(failure.message.as_str()));
        }
        let Some(reserved) = state.read::<Reserved>(RESERVED) else {
            return PreBindStep::Done(Status::success());
        };
        let fail =
            |text: &str| PreBindStep::Done(Status::error(["binding volumes: ", text].concat()));
        match reserved.check(cx.listers, pod, node) {
            Err(text) => fail(&text),
            Ok(Progress::Bound) => {
                // From now on the objects say themselves what was decided.
                reserved.restore(&mut memory.volumes);
                PreBindStep::Done(Status::success())
            }
            Ok(Progress::UnderWay) => {
                let deadline = reserved.deadline.unwrap_or(cx.now);
                if cx.now >= deadline {
                    return fail("context deadline exceeded");
                }
                PreBindStep::WaitUntil(deadline.min(cx.now + Span::from_secs(1)))
            }
        }
    }
}

/// How far a binding has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    UnderWay,
    Bound,
}

impl Reserved {
    /// Whether every claim has got its volume.
    ///
    /// An object that is still as it was before the write is awaited, not judged.
    ///
    /// # Errors
    ///
    /// It cannot come to a good end any more, in upstream's words.
    fn check(&self, listers: &Listers, pod: &PodInfo, node: &str) -> Result<Progress, String> {
        let reference = &pod.reference;
        let Some(object) = listers.nodes.get("", node) else {
            let cause = not_found(Kind::Node, node);
            return Err(["failed to get node \"", node, "\": ", &cause].concat());
        };
        if listers
            .pods
            .get(&reference.namespace, &reference.name)
            .is_none()
        {
            let cause = not_found(Kind::Pod, &reference.name);
            return Err(["pod does not exist any more: ", &cause].concat());
        }
        let place = Place {
            listers,
            node,
            labels: &object.metadata.labels,
        };
        for (written, claim) in &self.bindings {
            if place.check_binding(written, claim)? == Progress::UnderWay {
                return Ok(Progress::UnderWay);
            }
        }
        for written in &self.provisions {
            if place.check_provision(written)? == Progress::UnderWay {
                return Ok(Progress::UnderWay);
            }
        }
        Ok(Progress::Bound)
    }
}

/// The node to whose volumes everything must come.
struct Place<'a> {
    listers: &'a Listers,
    node: &'a str,
    labels: &'a StringMap,
}

impl Place<'_> {
    fn check_binding(
        &self,
        written: &PersistentVolume,
        claim: &PersistentVolumeClaim,
    ) -> Result<Progress, String> {
        let name = written.metadata.name.as_str();
        let volume = self.listers.persistent_volumes.get("", name);
        let cause = || not_found(Kind::PersistentVolume, name);
        let volume = volume.ok_or_else(|| ["failed to check binding: ", &cause()].concat())?;
        let claim = self.claim(claim, "failed to check binding: ")?;
        if volume.metadata.resource_version == written.metadata.resource_version && !is_bound(claim)
        {
            return Ok(Progress::UnderWay);
        }
        self.check_reach(volume)?;
        let given = volume.spec.claim_ref.as_ref();
        if given.is_none_or(|given| given.uid.is_empty()) {
            return Err(["ClaimRef got reset for pv \"", name, "\""].concat());
        }
        Ok(progress(claim))
    }

    #[inline(never)]
    fn check_provision(&self, written: &PersistentVolumeClaim) -> Result<Progress, String> {
        let claim = self.claim(written, "failed to check provisioning pvc: ")?;
        let name = claim.metadata.name.as_str();
        if claim.metadata.resource_version == written.metadata.resource_version && !is_bound(claim)
        {
            return Ok(Progress::UnderWay);
        }
        if claim.metadata.annotations.is_empty() {
            return Err(["selectedNode annotation reset for PVC \"", name, "\""].concat());
        }
        let selected = claim.metadata.annotations.get(SELECTED_NODE);
        if selected.is_none_or(|selected| selected != self.node) {
            return Err(["provisioning failed for PVC \"", name, "\""].concat());
        }
        if !claim.spec.volume_name.is_empty() {
            let volumes = &self.listers.persistent_volumes;
            // The claim may be seen before its new volume is.
            let Some(volume) = volumes.get("", &claim.spec.volume_name) else {
                return Ok(Progress::UnderWay);
            };
            self.check_reach(volume)?;
        }
        Ok(progress(claim))
    }

    fn claim(
        &self,
        claim: &PersistentVolumeClaim,
        what: &str,
    ) -> Result<&Arc<PersistentVolumeClaim>, String> {
        let (namespace, name) = (&claim.metadata.namespace, &claim.metadata.name);
        let found = self.listers.persistent_volume_claims.get(namespace, name);
        found.ok_or_else(|| [what, &not_found(Kind::PersistentVolumeClaim, name)].concat())
    }

    fn check_reach(&self, volume: &PersistentVolume) -> Result<(), String> {
        let csi_node = self.listers.csi_nodes.get("", self.node);
        if Reach::of(volume).includes(self.labels, csi_node.map(AsRef::as_ref)) {
            return Ok(());
        }
        let name = volume.metadata.name.as_str();
        let middle = "\" node affinity doesn't match node \"";
        Err([
            "pv \"",
            name,
            middle,
            self.node,
            "\": no matching NodeSelectorTerms",
        ]
        .concat())
    }
}

fn progress(claim: &PersistentVolumeClaim) -> Progress {
    if is_bound(claim) {
        Progress::Bound
    } else {
        Progress::UnderWay
    }
}
