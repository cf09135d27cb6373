//! Which driver serves a volume that is written down in Kubernetes' own old form.
//!
//! Disks of the old in-tree plugins are served by CSI drivers. A node says so with its CSINode object; where it does, the
//! volume counts as the driver's, by the driver's name and the driver's name for the volume.

use alloc::string::String;
use alloc::vec::Vec;

use crate::api::{
    CSINode, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm, PersistentVolume,
    PersistentVolumeSpec, Volume,
};
use crate::order::{self, SortedSet};

use super::MIGRATED_PLUGINS;

/// An in-tree plugin that has become a driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::plugins) struct InTree {
    /// The plugin, as a provisioner and in the annotation of a CSINode.
    pub(in crate::plugins) plugin: &'static str,
    /// The driver.
    pub(in crate::plugins) driver: &'static str,
    /// The node label by which the driver knows zones.
    zone_key: Option<&'static str>,
    /// Whether the driver stands in wherever there is a CSINode.
    is_settled: bool,
}

/// A volume of a driver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::plugins) struct Migrated {
    /// The plugin it was written for.
    pub(in crate::plugins) in_tree: InTree,
    /// What the driver calls the volume.
    pub(in crate::plugins) handle: String,
}

impl InTree {
    /// The plugin that a provisioner's name means.
    pub(in crate::plugins) fn by_provisioner(name: &str) -> Option<Self> {
        ALL.into_iter().find(|known| known.plugin == name)
    }

    /// Whether volumes of the plugin count as the driver's on a node.
    ///
    /// Source: spec, plugins 7.
    pub(in crate::plugins) const fn is_active(self, csi_node: Option<&CSINode>) -> bool {
        csi_node.is_some() && self.is_settled
    }

    /// Whether the node has said that it handed the plugin over.
    pub(in crate::plugins) fn is_handed_over(self, csi_node: Option<&CSINode>) -> bool {
        let annotations = csi_node.map(|node| &node.metadata.annotations);
        let plugins = annotations.and_then(|annotations| annotations.get(MIGRATED_PLUGINS));
        self.is_settled
            && plugins.is_some_and(|plugins| plugins.split(',').any(|name| name == self.plugin))
    }
}

/// The driver's view of a volume that stands in a pod.
pub(in crate::plugins) fn inline(volume: &Volume) -> Option<Migrated> {
    if let Some(disk) = &volume.aws_elastic_block_store {
        return Some(migrated(AWS_EBS, ebs_handle(&disk.volume_id)));
    }
    if let Some(disk) = &volume.gce_persistent_disk {
        let handle = gce_handle(&disk.pd_name, &[]);
        return Some(migrated(GCE_PD, handle));
    }
    if let Some(disk) = &volume.azure_disk {
        return Some(migrated(AZURE_DISK, disk.disk_uri.clone()));
    }
    if let Some(disk) = &volume.cinder {
        return Some(migrated(CINDER, disk.volume_id.clone()));
    }
    if let Some(disk) = &volume.portworx_volume {
        return Some(migrated(PORTWORX, disk.volume_id.clone()));
    }
    if let Some(share) = &volume.azure_file {
        return Some(migrated(AZURE_FILE, share.share_name.clone()));
    }
    let disk = volume.vsphere_volume.as_ref()?;
    Some(migrated(VSPHERE, disk.volume_path.clone()))
}

/// The driver's view of a persistent volume.
pub(in crate::plugins) fn persistent(volume: &PersistentVolume) -> Option<Migrated> {
    let spec: &PersistentVolumeSpec = &volume.spec;
    if let Some(disk) = &spec.aws_elastic_block_store {
        return Some(migrated(AWS_EBS, ebs_handle(&disk.volume_id)));
    }
    if let Some(disk) = &spec.gce_persistent_disk {
        let handle = gce_handle(&disk.pd_name, &label_zones(volume, zone_keys(volume).0));
        return Some(migrated(GCE_PD, handle));
    }
    if let Some(disk) = &spec.azure_disk {
        return Some(migrated(AZURE_DISK, disk.disk_uri.clone()));
    }
    if let Some(disk) = &spec.cinder {
        return Some(migrated(CINDER, disk.volume_id.clone()));
    }
    if let Some(disk) = &spec.portworx_volume {
        return Some(migrated(PORTWORX, disk.volume_id.clone()));
    }
    if let Some(share) = &spec.azure_file {
        return Some(migrated(AZURE_FILE, share.share_name.clone()));
    }
    let disk = spec.vsphere_volume.as_ref()?;
    Some(migrated(VSPHERE, disk.volume_path.clone()))
}

const fn migrated(in_tree: InTree, handle: String) -> Migrated {
    Migrated { in_tree, handle }
}

/// The nodes from which the driver reaches a volume that was written for an in-tree plugin; `None` for all.
///
/// Zones become the driver's own label. Without zones in the affinity, those of the volume's labels are added to each
/// term. A region under its beta label gets its present one.
pub(in crate::plugins) fn required_nodes(
    volume: &PersistentVolume,
    in_tree: InTree,
) -> Option<NodeSelector> {
    let affinity = volume.spec.node_affinity.as_ref();
    let mut required = affinity.and_then(|affinity| affinity.required.clone());
    let Some(driver_key) = in_tree.zone_key else {
        return required;
    };
    let (zone_key, region_key) = zone_keys(volume);
    if names_values(required.as_ref(), zone_key) {
        rename(required.as_mut(), zone_key, driver_key);
    } else {
        let values = label_zones(volume, zone_key);
        if !values.is_empty() {
            let selector = required.get_or_insert_default();
            if selector.node_selector_terms.is_empty() {
                selector
                    .node_selector_terms
                    .push(NodeSelectorTerm::default());
            }
            for term in &mut selector.node_selector_terms {
                term.match_expressions.push(NodeSelectorRequirement {
                    key: String::from(driver_key),
                    operator: String::from("In"),
                    values: values.clone(),
                });
            }
        }
    }
    if region_key == REGION_BETA && names_values(required.as_ref(), REGION_BETA) {
        rename(required.as_mut(), REGION_BETA, REGION);
    }
    required
}

/// The labels under which a volume says its zone and region: those in its affinity before its own, present ones before
/// beta.
fn zone_keys(volume: &PersistentVolume) -> (&'static str, &'static str) {
    let affinity = volume.spec.node_affinity.as_ref();
    let required = affinity.and_then(|affinity| affinity.required.as_ref());
    let labels = &volume.metadata.labels;
    let is_beta = !names_values(required, ZONE)
        && (names_values(required, ZONE_BETA)
            || (!labels.contains_key(ZONE) && labels.contains_key(ZONE_BETA)));
    if is_beta {
        (ZONE_BETA, REGION_BETA)
    } else {
        (ZONE, REGION)
    }
}

fn label_zones(volume: &PersistentVolume, key: &str) -> Vec<String> {
    let label = volume.metadata.labels.get(key);
    let parts = label.into_iter().flat_map(|label| label.split("__"));
    let zones = parts.map(str::trim).filter(|zone| !zone.is_empty());
    let zones: SortedSet<&str> = order::collect(zones);
    zones.into_iter().map(String::from).collect()
}

fn names_values(selector: Option<&NodeSelector>, key: &str) -> bool {
    let terms = selector
        .into_iter()
        .flat_map(|selector| &selector.node_selector_terms);
    terms
        .flat_map(|term| &term.match_expressions)
        .any(|requirement| requirement.key == key && !requirement.values.is_empty())
}

fn rename(selector: Option<&mut NodeSelector>, from: &str, to: &str) {
    let Some(selector) = selector else { return };
    for term in &mut selector.node_selector_terms {
        for requirement in &mut term.match_expressions {
            if requirement.key == from {
                requirement.key = String::from(to);
            }
        }
    }
}

/// `aws://zone/vol-1` is `vol-1`.
fn ebs_handle(volume_id: &str) -> String {
    let path = volume_id.strip_prefix("aws://");
    let last = path.and_then(|path| path.rsplit('/').next());
    String::from(last.unwrap_or(volume_id))
}

/// A disk in one zone is named by it, one in several by their region, and one of which no zone is known by neither.
fn gce_handle(disk: &str, zones: &[String]) -> String {
    match zones {
        [] => ["projects/UNSPECIFIED/zones/UNSPECIFIED/disks/", disk].concat(),
        [zone] => ["projects/UNSPECIFIED/zones/", zone, "/disks/", disk].concat(),
        [zone, ..] => {
            let region = zone
                .rsplit_once('-')
                .map_or(zone.as_str(), |(region, _)| region);
            ["projects/UNSPECIFIED/regions/", region, "/disks/", disk].concat()
        }
    }
}

const ZONE: &str = "topology.kubernetes.io/zone";
const REGION: &str = "topology.kubernetes.io/region";
const ZONE_BETA: &str = "failure-domain.beta.kubernetes.io/zone";
const REGION_BETA: &str = "failure-domain.beta.kubernetes.io/region";

const AWS_EBS: InTree = InTree {
    plugin: "kubernetes.io/aws-ebs",
    driver: "ebs.csi.aws.com",
    zone_key: Some("topology.ebs.csi.aws.com/zone"),
    is_settled: true,
};
const GCE_PD: InTree = InTree {
    plugin: "kubernetes.io/gce-pd",
    driver: "pd.csi.storage.gke.io",
    zone_key: Some("topology.gke.io/zone"),
    is_settled: true,
};
const AZURE_DISK: InTree = InTree {
    plugin: "kubernetes.io/azure-disk",
    driver: "disk.csi.azure.com",
    zone_key: Some("topology.disk.csi.azure.com/zone"),
    is_settled: true,
};
const CINDER: InTree = InTree {
    plugin: "kubernetes.io/cinder",
    driver: "cinder.csi.openstack.org",
    zone_key: Some("topology.cinder.csi.openstack.org/zone"),
    is_settled: true,
};
const PORTWORX: InTree = InTree {
    plugin: "kubernetes.io/portworx-volume",
    driver: "pxd.portworx.com",
    zone_key: None,
    is_settled: true,
};
const AZURE_FILE: InTree = InTree {
    plugin: "kubernetes.io/azure-file",
    driver: "file.csi.azure.com",
    zone_key: None,
    is_settled: false,
};
const VSPHERE: InTree = InTree {
    plugin: "kubernetes.io/vsphere-volume",
    driver: "csi.vsphere.vmware.com",
    zone_key: None,
    is_settled: false,
};
const ALL: [InTree; 7] = [
    AWS_EBS, GCE_PD, AZURE_DISK, CINDER, PORTWORX, AZURE_FILE, VSPHERE,
];

#[cfg(test)]
mod tests;
