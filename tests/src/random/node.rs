//! Random nodes.

use berth_core::api::{
    ContainerImage, Node, NodeSpec, NodeStatus, ObjectMeta, Quantity, ResourceList, Taint,
};

use super::{
    Draw, EFFECTS, EXTENDED, FEATURES, HOSTNAME, IMAGES, LABEL_KEYS, LABEL_VALUES, TAINT_KEYS,
    ZONE, ZONES,
};

impl Draw {
    /// A node of that name.
    pub fn node(&mut self, name: &str) -> Node {
        let mut metadata = ObjectMeta::named(name);
        metadata.labels = self
            .some(3, |draw| (draw.word(LABEL_KEYS), draw.word(LABEL_VALUES)))
            .into_iter()
            .collect();
        if self.chance(95) {
            metadata.labels.insert(HOSTNAME.to_owned(), name.to_owned());
        }
        if self.chance(80) {
            metadata.labels.insert(ZONE.to_owned(), self.word(ZONES));
        }
        let spec = NodeSpec {
            unschedulable: self.chance(15),
            taints: if self.chance(40) {
                self.some(3, Self::taint)
            } else {
                Vec::new()
            },
            ..NodeSpec::default()
        };
        let status = NodeStatus {
            allocatable: self.allocatable(),
            images: self.some(3, Self::node_image),
            declared_features: self.some(2, |draw| draw.word(FEATURES)),
            ..NodeStatus::default()
        };
        Node {
            metadata,
            spec,
            status,
        }
    }

    /// What keeps pods off a node.
    pub fn taint(&mut self) -> Taint {
        Taint {
            key: self.word(TAINT_KEYS),
            value: self.word(LABEL_VALUES),
            effect: self.word(EFFECTS),
            time_added: None,
        }
    }

    /// What pods may use of a node; now and then a resource is missing, 0, or as large as it goes.
    fn allocatable(&mut self) -> ResourceList {
        let mut list = ResourceList::new();
        let mut offer = |draw: &mut Self, name: &str, percent: u64, amounts: &[&str]| {
            if draw.chance(percent) {
                list.insert(name.to_owned(), quantity(&draw.word(amounts)));
            }
        };
        offer(
            self,
            "cpu",
            95,
            &["500m", "2", "4", "4", "8", "64", "0", "9E"],
        );
        offer(
            self,
            "memory",
            95,
            &["256Mi", "1Gi", "8Gi", "16Gi", "1T", "0", "9E"],
        );
        offer(self, "ephemeral-storage", 60, &["1Gi", "100Gi", "0"]);
        offer(self, "pods", 97, &["110", "110", "4", "1", "0"]);
        for name in EXTENDED {
            offer(self, name, 35, &["1", "2", "8", "512Mi", "0"]);
        }
        offer(self, "storage", 10, &["1Ti"]);
        list
    }

    fn node_image(&mut self) -> ContainerImage {
        let sizes = [0, 1, 41_943_040, 629_145_600, 4_194_304_000, i64::MAX / 4];
        ContainerImage {
            names: self.some(2, |draw| draw.word(IMAGES)),
            size_bytes: *self.pick(&sizes),
        }
    }
}

/// The quantity that a constant of these files spells.
pub(super) fn quantity(text: &str) -> Quantity {
    Quantity::parse(text).expect("the constants are quantities")
}
