//! A node: where pods are placed.

use alloc::string::String;
use alloc::vec::Vec;

use super::meta::{Condition, ObjectMeta};
use super::resources::ResourceList;
use super::schema::objects;
use super::taint::Taint;

objects! {
    /// A node: where pods are placed.
    pub struct Node {
        /// Name and labels.
        pub metadata: ObjectMeta,
        /// What is wanted of it.
        pub spec: NodeSpec,
        /// What it is and has.
        pub status: NodeStatus,
    }

    /// What is wanted of a node.
    pub struct NodeSpec {
        /// Whether new pods are to stay off.
        pub unschedulable: bool,
        /// What keeps pods off.
        pub taints: Vec<Taint>,
        /// Which machine it is, as the provider calls it.
        #[name = "providerID"]
        pub provider_id: String,
    }

    /// What a node is and has.
    pub struct NodeStatus {
        /// What the machine has.
        pub capacity: ResourceList,
        /// What of it pods may use; placement goes by this.
        pub allocatable: ResourceList,
        /// One entry an aspect.
        pub conditions: Vec<Condition>,
        /// Images it has.
        pub images: Vec<ContainerImage>,
        /// Features it supports, sorted.
        pub declared_features: Vec<String>,
    }

    /// An image that a node has.
    pub struct ContainerImage {
        /// What it is called.
        pub names: Vec<String>,
        /// How large it is.
        pub size_bytes: i64,
    }
}

impl Node {
    /// Region and zone of the node from its labels, the older names first; empty when it has neither.
    #[must_use]
    pub fn zone_key(&self) -> String {
        let label = |names: [&str; 2]| {
            let mut values = names
                .iter()
                .filter_map(|name| self.metadata.labels.get(*name));
            values.next().map_or("", String::as_str)
        };
        let region = label([
            "failure-domain.beta.kubernetes.io/region",
            "topology.kubernetes.io/region",
        ]);
        let zone = label([
            "failure-domain.beta.kubernetes.io/zone",
            "topology.kubernetes.io/zone",
        ]);
        if region.is_empty() && zone.is_empty() {
            return String::new();
        }
        [region, ":\0:", zone].concat()
    }
}
