//! What a picture needs of a pod or a node, read once from the object.

use alloc::string::String;
use alloc::sync::Arc;

use crate::api::{Node, Pod};
use crate::picture::cast::Workload;
use crate::snapshot::{PodInfo, Resource};

/// A pod.
#[derive(Clone, Debug)]
pub struct PodFacts {
    /// The pod with its totals.
    pub info: PodInfo,
    /// Its workload.
    pub workload: Workload,
}

impl PodFacts {
    /// Reads a pod.
    #[must_use]
    pub fn new(pod: &Arc<Pod>) -> Self {
        Self {
            info: PodInfo::new(pod.clone()),
            workload: Workload::of(pod),
        }
    }

    /// The object.
    #[must_use]
    pub fn pod(&self) -> &Pod {
        &self.info.pod
    }

    /// Its name, short: what tells it from others of its workload after the workload's own name.
    ///
    /// `web-bcd48bc87-t68sz` is `web-…-t68sz`; names up to 14 characters stay as they are.
    #[must_use]
    pub fn short_name(&self) -> String {
        let name = &*self.info.reference.name;
        let Some(rest) = name.strip_prefix(self.workload.name.as_str()) else {
            return String::from(name);
        };
        match rest.rsplit_once('-') {
            Some((middle, tail)) if !middle.is_empty() && name.len() > 14 => {
                [self.workload.name.as_str(), "-…-", tail].concat()
            }
            _ => String::from(name),
        }
    }

    /// The end of its name, for narrow places: `t68sz`.
    #[must_use]
    pub fn last_name(&self) -> String {
        let name = &*self.info.reference.name;
        match name.strip_prefix(self.workload.name.as_str()) {
            Some(rest) if rest.len() > 1 && name.len() > 6 => {
                String::from(rest.rsplit('-').next().unwrap_or(rest))
            }
            _ if name.len() > 6 => String::from(name.rsplit('-').next().unwrap_or(name)),
            _ => String::from(name),
        }
    }

    /// Whether anything that can be seen differs: what it asks for, where it is, whether it is leaving.
    #[must_use]
    pub fn looks_like(&self, other: &Self) -> bool {
        let (one, two) = (self.pod(), other.pod());
        one.spec.node_name == two.spec.node_name
            && one.spec.scheduling_gates == two.spec.scheduling_gates
            && one.is_terminating() == two.is_terminating()
            && self.info.requests == other.info.requests
            && one.spec.tolerations == two.spec.tolerations
            && one.metadata.labels == two.metadata.labels
    }
}

/// A node.
#[derive(Clone, Debug)]
pub struct NodeFacts {
    /// The object.
    pub node: Arc<Node>,
    /// Its name.
    pub name: Arc<str>,
    /// Its zone; empty if it has none.
    pub zone: String,
    /// What it can give.
    pub allocatable: Resource,
}

impl NodeFacts {
    /// Reads a node.
    #[must_use]
    pub fn new(node: &Arc<Node>) -> Self {
        let zone = node.metadata.labels.get("topology.kubernetes.io/zone");
        Self {
            name: Arc::from(node.metadata.name.as_str()),
            zone: zone.cloned().unwrap_or_default(),
            allocatable: Resource::from_list(&node.status.allocatable),
            node: node.clone(),
        }
    }

    /// The value of one of its labels.
    #[must_use]
    pub fn label(&self, key: &str) -> Option<&str> {
        self.node.metadata.labels.get(key).map(String::as_str)
    }

    /// Whether anything that can be seen differs.
    #[must_use]
    pub fn looks_like(&self, other: &Self) -> bool {
        self.zone == other.zone
            && self.allocatable == other.allocatable
            && self.node.spec == other.node.spec
            && self.node.metadata.labels == other.node.metadata.labels
    }
}

/// Orders names as people do: runs of digits by their value.
///
/// Cost: no allocation; a picture of thousands of nodes compares names tens of thousands of times.
#[must_use]
pub fn natural_order(one: &str, two: &str) -> core::cmp::Ordering {
    if one == two {
        return core::cmp::Ordering::Equal;
    }
    Chunks(one).cmp(Chunks(two)).then_with(|| one.cmp(two))
}

/// Pieces of a name: text, then the number that follows it.
struct Chunks<'a>(&'a str);

impl<'a> Iterator for Chunks<'a> {
    type Item = (&'a str, u64);

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let bytes = self.0.bytes();
        let digits_at = bytes.take_while(|byte| !byte.is_ascii_digit()).count();
        let (text, tail) = self.0.split_at_checked(digits_at)?;
        let digits_end = tail.bytes().take_while(u8::is_ascii_digit).count();
        let (digits, tail) = tail.split_at_checked(digits_end)?;
        self.0 = tail;
        Some((text, digits.parse().unwrap_or(0)))
    }
}
