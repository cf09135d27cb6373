use alloc::string::String;
use alloc::vec::Vec;

use serde_json::{Value, json};

use super::{InTree, Migrated, inline, persistent, required_nodes};
use crate::api::{CSINode, PersistentVolume, Volume};

fn volume(value: Value) -> PersistentVolume {
    serde_json::from_value(value).expect("a volume")
}

fn csi_node(annotation: &str) -> CSINode {
    let node = json!({
        "metadata": {
            "name": "node-1",
            "annotations": {"storage.alpha.kubernetes.io/migrated-plugins": annotation},
        },
    });
    serde_json::from_value(node).expect("a CSINode")
}

/// What a driver calls the disk.
#[track_caller]
fn check_handle(migrated: Option<Migrated>, driver: &str, handle: &str) {
    let migrated = migrated.expect("the disk has a driver");
    assert_eq!(
        (migrated.in_tree.driver, &*migrated.handle),
        (driver, handle)
    );
}

#[test]
fn disks_have_the_name_that_their_driver_gives_them() {
    let ebs = |id: &str| volume(json!({"spec": {"awsElasticBlockStore": {"volumeID": id}}}));
    check_handle(persistent(&ebs("vol-1")), "ebs.csi.aws.com", "vol-1");
    check_handle(
        persistent(&ebs("aws://z/vol-1")),
        "ebs.csi.aws.com",
        "vol-1",
    );
    check_handle(persistent(&ebs("aws:///vol-1")), "ebs.csi.aws.com", "vol-1");
    let gce = |zones: &str| {
        volume(json!({
            "metadata": {"labels": {"topology.kubernetes.io/zone": zones}},
            "spec": {"gcePersistentDisk": {"pdName": "d"}},
        }))
    };
    let driver = "pd.csi.storage.gke.io";
    check_handle(
        persistent(&gce("r-a")),
        driver,
        "projects/UNSPECIFIED/zones/r-a/disks/d",
    );
    check_handle(
        persistent(&gce("r-a__r-b")),
        driver,
        "projects/UNSPECIFIED/regions/r/disks/d",
    );
    let inside: Volume =
        serde_json::from_value(json!({"gcePersistentDisk": {"pdName": "d"}})).expect("a volume");
    check_handle(
        inline(&inside),
        driver,
        "projects/UNSPECIFIED/zones/UNSPECIFIED/disks/d",
    );
}

#[test]
fn a_driver_stands_in_where_the_node_has_one_or_says_so() {
    let ebs = InTree::by_provisioner("kubernetes.io/aws-ebs").expect("known");
    let files = InTree::by_provisioner("kubernetes.io/azure-file").expect("known");
    let silent = csi_node("");
    let outspoken = csi_node("kubernetes.io/gce-pd,kubernetes.io/aws-ebs,kubernetes.io/azure-file");
    assert!(!ebs.is_active(None));
    assert!(ebs.is_active(Some(&silent)));
    assert!(!files.is_active(Some(&silent)));
    assert!(!ebs.is_handed_over(Some(&silent)));
    assert!(ebs.is_handed_over(Some(&outspoken)));
    assert!(!files.is_handed_over(Some(&outspoken)));
    assert_eq!(InTree::by_provisioner("ebs.csi.aws.com"), None);
}

/// `key in [values]` of every requirement of every term.
fn requirements(value: Value) -> Vec<String> {
    let volume = volume(value);
    let in_tree = persistent(&volume).expect("the disk has a driver").in_tree;
    let required = required_nodes(&volume, in_tree);
    let terms = required
        .iter()
        .flat_map(|required| &required.node_selector_terms);
    let requirements = terms.flat_map(|term| &term.match_expressions);
    requirements
        .map(|requirement| alloc::format!("{} in {:?}", requirement.key, requirement.values))
        .collect()
}

#[test]
fn zones_become_the_drivers_own() {
    let affinity = |key: &str| {
        json!({"required": {"nodeSelectorTerms": [{"matchExpressions": [
            {"key": key, "operator": "In", "values": ["z1"]},
            {"key": "failure-domain.beta.kubernetes.io/region", "operator": "In", "values": ["r"]},
        ]}]}})
    };
    let disk = json!({"pdName": "d"});
    let beta = "failure-domain.beta.kubernetes.io/zone";
    assert_eq!(
        requirements(json!({"spec": {"gcePersistentDisk": disk, "nodeAffinity": affinity(beta)}})),
        [
            "topology.gke.io/zone in [\"z1\"]",
            "topology.kubernetes.io/region in [\"r\"]"
        ]
    );
    let present = "topology.kubernetes.io/zone";
    assert_eq!(
        requirements(
            json!({"spec": {"gcePersistentDisk": disk, "nodeAffinity": affinity(present)}})
        ),
        [
            "topology.gke.io/zone in [\"z1\"]",
            "failure-domain.beta.kubernetes.io/region in [\"r\"]"
        ]
    );
    let labels = json!({"labels": {"topology.kubernetes.io/zone": "z2__z1"}});
    assert_eq!(
        requirements(json!({"metadata": labels, "spec": {"gcePersistentDisk": disk}})),
        ["topology.gke.io/zone in [\"z1\", \"z2\"]"]
    );
    assert!(requirements(json!({"spec": {"gcePersistentDisk": disk}})).is_empty());
}
