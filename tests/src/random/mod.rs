//! Random clusters and pods, the same for the same seed.
//!
//! Words are few on purpose: labels, taints, ports and images must meet. Sizes are small where size shows nothing and
//! now and then as large as a number goes. What an API server would refuse (a term that cannot be read, a node without
//! room for a single pod) comes up too, since the core must not trip over it.
//!
//! | File | Draws |
//! |---|---|
//! | `node` | a node: labels, taints, room, images, features |
//! | `pod` | a pod: containers, requests, ports, tolerations, statuses |
//! | `affinity` | what a pod wants near it |
//! | `storage` | claims, volumes, classes, and what nodes can attach |
//! | `cluster` | nodes, the pods on them, and what is beside them |

mod affinity;
mod cluster;
mod node;
mod pod;
mod storage;

use berth_core::rng::{Rng, Seed};

pub use cluster::{Cluster, Sizes};

/// A source of choices.
#[derive(Clone, Debug)]
pub struct Draw {
    rng: Rng,
}

impl Draw {
    /// The choices that follow from `seed`.
    #[must_use]
    pub fn new(seed: Seed) -> Self {
        Self {
            rng: Rng::new(seed),
        }
    }

    /// A number below `bound`, which is above 0.
    pub fn below(&mut self, bound: usize) -> usize {
        let drawn = self.rng.below(bound as u64);
        usize::try_from(drawn).expect("it is below a usize")
    }

    /// A number from `least` to `most`, both included.
    pub fn between(&mut self, least: usize, most: usize) -> usize {
        least + self.below(most - least + 1)
    }

    /// True in `percent` of a hundred cases.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.rng.below(100) < percent
    }

    /// One of some things.
    ///
    /// # Panics
    ///
    /// When there are none.
    pub fn pick<'a, T>(&mut self, things: &'a [T]) -> &'a T {
        &things[self.below(things.len())]
    }

    /// One of some words.
    pub fn word(&mut self, words: &[&str]) -> String {
        (*self.pick(words)).to_owned()
    }

    /// Up to `most` things, each drawn anew.
    pub fn some<T>(&mut self, most: usize, mut draw: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let count = self.below(most + 1);
        (0..count).map(|_| draw(self)).collect()
    }

    /// A thing in `percent` of a hundred cases.
    pub fn maybe<T>(&mut self, percent: u64, draw: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.chance(percent).then(|| draw(self))
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.rng.next_u64()
    }
}

const NAMESPACES: &[&str] = &["default", "team-a", "team-b"];
const REPLICA_SET: &str = "replica-set";
const ZONE: &str = "topology.kubernetes.io/zone";
const HOSTNAME: &str = "kubernetes.io/hostname";
const ZONES: &[&str] = &["z1", "z2", "z3"];
const LABEL_KEYS: &[&str] = &["app", "tier", "cores", "example.com/pool"];
const LABEL_VALUES: &[&str] = &["web", "db", "8", "16", ""];
const TAINT_KEYS: &[&str] = &["dedicated", "gpu", "node.kubernetes.io/unschedulable"];
const EFFECTS: &[&str] = &["NoSchedule", "PreferNoSchedule", "NoExecute"];
const IMAGES: &[&str] = &[
    "app",
    "app:latest",
    "registry.example.com:5000/db",
    "registry.example.com:5000/db:latest",
    "gcr.io/tools@sha256:0123",
    "side:2",
];
const EXTENDED: &[&str] = &["example.com/gpu", "example.com/fpga", "hugepages-2Mi"];
const FEATURES: &[&str] = &[
    "RestartAllContainersOnContainerExits",
    "UserNamespacesHostNetworkSupport",
    "SomethingUnheardOf",
];
