use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use serde_json::{Value, json};

use super::NodeVolumeLimits;
use crate::api::{
    CSIDriver, CSINode, Node, Object, PersistentVolume, PersistentVolumeClaim, Pod, StorageClass,
    VolumeAttachment,
};
use crate::framework::cycle_state::CycleState;
use crate::framework::extension::{CycleContext, Filter, Verdicts};
use crate::framework::status::{Code, Status};
use crate::node_set::NodeIndex;
use crate::rng::{Rng, Seed};
use crate::snapshot::{Listers, NodeInfo, PluginMemory, PodInfo, Snapshot};
use crate::time::Timestamp;

fn read<T: serde::de::DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).expect("an object")
}

fn below(rng: &mut Rng, bound: u64) -> u64 {
    rng.below(bound)
}

/// A pod with up to three volumes of every kind that counts.
fn pod(rng: &mut Rng, name: &str) -> Arc<PodInfo> {
    let volumes: Vec<Value> = (0..below(rng, 4))
        .map(|place| {
            let number = below(rng, 6);
            let mut volume = match below(rng, 9) {
                0 => json!({"awsElasticBlockStore": {"volumeID": format!("vol-{number}")}}),
                1 => json!({"azureFile": {"shareName": "files"}}),
                2 => json!({"emptyDir": {}}),
                3 if below(rng, 3) == 0 => json!({"ephemeral": {}}),
                4 if below(rng, 6) == 0 => json!({"persistentVolumeClaim": {"claimName": ""}}),
                _ => json!({"persistentVolumeClaim": {"claimName": format!("claim-{number}")}}),
            };
            volume["name"] = json!(format!("v{place}"));
            volume
        })
        .collect();
    let pod: Pod = read(json!({
        "metadata": {"name": name, "namespace": "default", "uid": name},
        "spec": {"volumes": volumes},
    }));
    Arc::new(PodInfo::new(Arc::new(pod)))
}

fn insert(listers: &mut Listers, object: impl Into<Object>) {
    listers.insert(&object.into());
}

/// Claims of every kind: of a driver, of an old plugin, not bound, without a class, not there.
fn objects(rng: &mut Rng) -> Listers {
    let mut listers = Listers::default();
    for (class, provisioner) in [("csi", "ebs.csi.aws.com"), ("old", "kubernetes.io/aws-ebs")] {
        let class = json!({"metadata": {"name": class}, "provisioner": provisioner});
        insert(&mut listers, read::<StorageClass>(class));
    }
    let source = |number: u64, kind: u64| match kind {
        0 => json!({"csi": {"driver": "other.example.com", "volumeHandle": format!("h{number}")}}),
        1 => json!({"awsElasticBlockStore": {"volumeID": format!("vol-{number}")}}),
        2 => json!({"nfs": {}}),
        _ => json!({"csi": {"driver": "ebs.csi.aws.com", "volumeHandle": format!("vol-{number}")}}),
    };
    for number in 0..5 {
        let class = ["csi", "old", "none"][usize::try_from(below(rng, 3)).expect("small")];
        let mut claim = json!({
            "metadata": {"name": format!("claim-{number}"), "namespace": "default"},
            "spec": {"storageClassName": class},
        });
        if below(rng, 3) > 0 {
            claim["spec"]["volumeName"] = json!(format!("pv-{number}"));
        }
        insert(&mut listers, read::<PersistentVolumeClaim>(claim));
        if below(rng, 4) > 0 {
            let kind = below(rng, 5);
            let volume =
                json!({"metadata": {"name": format!("pv-{number}")}, "spec": source(number, kind)});
            insert(&mut listers, read::<PersistentVolume>(volume));
        }
    }
    for node in 0..4 {
        if below(rng, 4) > 0 {
            let mut driver = json!({"name": "ebs.csi.aws.com"});
            if below(rng, 5) > 0 {
                driver["allocatable"] = json!({"count": below(rng, 6)});
            }
            let csi_node = json!({"metadata": {"name": format!("node-{node}")}, "spec": {"drivers": [driver]}});
            insert(&mut listers, read::<CSINode>(csi_node));
        }
    }
    for number in 0..below(rng, 3) {
        let attachment = json!({
            "metadata": {"name": format!("attachment-{number}")},
            "spec": {
                "attacher": "ebs.csi.aws.com",
                "nodeName": format!("node-{}", below(rng, 4)),
                "source": {"persistentVolumeName": format!("pv-{}", below(rng, 5))},
            },
        });
        insert(&mut listers, read::<VolumeAttachment>(attachment));
    }
    listers
}

fn snapshot(rng: &mut Rng) -> Snapshot {
    let rows = (0..4).map(|number| {
        let node: Node = read(json!({"metadata": {"name": format!("node-{number}")}}));
        let mut info = NodeInfo::new(Arc::new(node));
        for place in 0..below(rng, 4) {
            info.add_pod(pod(rng, &format!("pod-{number}-{place}")));
        }
        Arc::new(info)
    });
    let rows = rows.collect();
    let mut snapshot = Snapshot::default();
    snapshot.set_rows(rows);
    snapshot
}

/// Every volume read in full, whatever the limits: spec, plugins 7, word by word.
fn plain(listers: &Listers, pod: &PodInfo, info: &NodeInfo) -> Code {
    use super::attachable::{Attached, Reading, attached_by};
    let csi_node = listers.csi_nodes.get("", info.name()).map(AsRef::as_ref);
    let mut new = Attached::new();
    if let Err(status) = attached_by(listers, &pod.pod, csi_node, Reading::Strict, &mut new) {
        return status.code;
    }
    let drivers = csi_node.into_iter().flat_map(|node| &node.spec.drivers);
    let limits: Vec<(&str, i64)> = drivers
        .filter_map(|driver| Some((driver.name.as_str(), super::count(driver)?)))
        .collect();
    if new.is_empty() || limits.is_empty() {
        return Code::Success;
    }
    let mut attached = Attached::new();
    for other in &info.pods {
        let read = attached_by(
            listers,
            &other.pod,
            csi_node,
            Reading::Lenient,
            &mut attached,
        );
        if let Err(status) = read {
            return status.code;
        }
    }
    new.retain(|name, _| !attached.contains_key(name));
    let is_over = limits.iter().any(|(driver, limit)| {
        let of = |volumes: &Attached| volumes.values().filter(|known| *known == driver).count();
        let on_the_way = super::attachments(listers).filter(|attachment| {
            attachment.node == info.name()
                && attachment.driver == *driver
                && !attached.contains_key(&attachment.name())
        });
        let count = of(&attached) + on_the_way.count() + of(&new);
        of(&new) > 0 && i64::try_from(count).expect("small") > *limit
    });
    if is_over {
        Code::Unschedulable
    } else {
        Code::Success
    }
}

#[test]
fn nodes_are_rejected_as_by_a_full_count() {
    let mut seen: Vec<Code> = Vec::new();
    for seed in 0..600 {
        let mut rng = Rng::new(Seed(seed));
        let (listers, snapshot) = (objects(&mut rng), snapshot(&mut rng));
        let pod = pod(&mut rng, "incoming");
        let memory = PluginMemory::default();
        let cx = CycleContext {
            now: Timestamp::default(),
            snapshot: &snapshot,
            listers: &listers,
            memory: &memory,
        };
        let plugin = NodeVolumeLimits {
            wants_drivers: false,
        };
        let state = CycleState::default();
        let mut set = snapshot.all();
        let mut verdicts = Verdicts::default();
        plugin.filter(&cx, &state, &pod, &mut set, &mut verdicts);
        let rejected: Vec<(NodeIndex, Status)> = verdicts.drain().collect();
        for (row, info) in snapshot.iter() {
            let in_set = rejected.iter().find(|(node, _)| *node == row);
            let in_set = in_set.map_or_else(Status::success, |(_, status)| status.clone());
            assert_eq!(
                plugin.filter_node(&cx, &state, &pod, row),
                in_set,
                "seed {seed}"
            );
            assert_eq!(in_set.code, plain(&listers, &pod, info), "seed {seed}");
            if !seen.contains(&in_set.code) {
                seen.push(in_set.code);
            }
        }
    }
    seen.sort_unstable();
    use Code::{Error, Success, Unschedulable, UnschedulableAndUnresolvable};
    assert_eq!(
        seen,
        [Success, Error, Unschedulable, UnschedulableAndUnresolvable]
    );
}

#[test]
fn a_driver_that_must_not_be_missed_keeps_pods_off_nodes_without_it() {
    let mut listers = Listers::default();
    let driver = json!({
        "metadata": {"name": "a.example.com"},
        "spec": {"preventPodSchedulingIfMissing": true},
    });
    insert(&mut listers, read::<CSIDriver>(driver));
    let volume = json!({
        "metadata": {"name": "pv"},
        "spec": {"csi": {"driver": "a.example.com", "volumeHandle": "h"}},
    });
    insert(&mut listers, read::<PersistentVolume>(volume));
    let claim = json!({
        "metadata": {"name": "c", "namespace": "default"},
        "spec": {"volumeName": "pv"},
    });
    insert(&mut listers, read::<PersistentVolumeClaim>(claim));
    let with =
        json!({"metadata": {"name": "with"}, "spec": {"drivers": [{"name": "a.example.com"}]}});
    insert(&mut listers, read::<CSINode>(with));
    let rows = ["with", "without"].map(|name| {
        let node: Node = read(json!({"metadata": {"name": name}}));
        Arc::new(NodeInfo::new(Arc::new(node)))
    });
    let mut snapshot = Snapshot::default();
    snapshot.set_rows(rows.into());
    let memory = PluginMemory::default();
    let cx = CycleContext {
        now: Timestamp::default(),
        snapshot: &snapshot,
        listers: &listers,
        memory: &memory,
    };
    let pod: Pod = read(json!({
        "metadata": {"name": "p", "namespace": "default"},
        "spec": {"volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "c"}}]},
    }));
    let pod = PodInfo::new(Arc::new(pod));
    let answers = |plugin: NodeVolumeLimits| -> Vec<String> {
        let state = CycleState::default();
        let rows = snapshot.all();
        let answers = rows
            .iter()
            .map(|row| plugin.filter_node(&cx, &state, &pod, row));
        answers.map(|status| status.message()).collect()
    };
    assert_eq!(
        answers(NodeVolumeLimits {
            wants_drivers: false
        }),
        ["", ""]
    );
    assert_eq!(
        answers(NodeVolumeLimits {
            wants_drivers: true
        }),
        ["", "a.example.com CSI driver is not installed on the node"]
    );
}
