//! A random walk through the cache: totals are those of a recomputation, and a snapshot that was brought up to date
//! step by step is the one that is made in one step.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::ToString;

use crate::make::{NodeBuilder, affinity_term, node, pod};
use crate::rng::{Rng, Seed};
use crate::snapshot::Snapshot;

use super::*;

/// Adds up every node of the cache again from its pods.
pub(super) fn check_totals(cache: &SchedulerCache) {
    let mut pods = 0;
    for entry in cache.nodes.iter() {
        let info = &entry.info;
        let mut again = info
            .node
            .clone()
            .map_or_else(NodeInfo::default, NodeInfo::new);
        for pod in &info.pods {
            assert_eq!(pod.pod.spec.node_name, *entry.name);
            assert!(cache.get_pod(&pod.reference.uid).is_some());
            again.add_pod(pod.clone());
        }
        pods += info.pods.len();
        let mut kept = NodeInfo::clone(info);
        kept.image_states = again.image_states.clone();
        kept.generation = again.generation;
        sort(&mut kept);
        sort(&mut again);
        // A resource that nobody uses any more stays listed with 0, ports shared by two pods go with the first.
        kept.requested.scalars.retain(|_, amount| *amount != 0);
        if info.node.is_none() {
            kept.allocatable = again.allocatable.clone();
            kept.declared_features.clear();
        }
        assert_eq!(kept, again, "{}", entry.name);
        assert!(info.node.is_some() || !info.pods.is_empty());
    }
    assert_eq!(pods, cache.sizes().pods);
    assert_eq!(cache.assumed_pods().count(), cache.sizes().assumed_pods);
}

fn sort(info: &mut NodeInfo) {
    for list in [
        &mut info.pods,
        &mut info.pods_with_affinity,
        &mut info.pods_with_required_anti_affinity,
    ] {
        list.sort_by(|one, two| one.reference.cmp(&two.reference));
    }
}

/// Two snapshots are one in every respect that a plugin can see, the order of pods on a node and counts of images, which
/// depend on history, aside.
fn check_same(one: &Snapshot, two: &Snapshot, is_order_told: bool) {
    assert_eq!(one.len(), two.len());
    for (row, info) in one.iter() {
        let other = if is_order_told {
            row
        } else {
            two.row(one.name(row)).unwrap()
        };
        assert_eq!(one.name(row), two.name(other));
        assert_eq!(one.columns().room(row), two.columns().room(other));
        let (mut mine, mut theirs) = (NodeInfo::clone(info), NodeInfo::clone(two.node(other)));
        for info in [&mut mine, &mut theirs] {
            info.image_states = Arc::default();
            sort(info);
        }
        assert_eq!(mine, theirs);
    }
    if is_order_told {
        assert_eq!(one.columns(), two.columns());
        assert_eq!(one.with_affinity(), two.with_affinity());
        let anti = one.with_required_anti_affinity();
        assert_eq!(anti, two.with_required_anti_affinity());
    }
    for claim in 0..CLAIMS {
        let claim = ["default/c", &claim.to_string()].concat();
        assert_eq!(one.is_claim_used(&claim), two.is_claim_used(&claim));
    }
}

/// Columns and lists say what the rows say.
fn check_inside(snapshot: &Snapshot) {
    for (row, info) in snapshot.iter() {
        let room = snapshot.columns().room(row);
        assert_eq!(room.requested_milli_cpu, info.requested.milli_cpu);
        assert_eq!(room.requested_memory, info.requested.memory);
        assert_eq!(room.requested_ephemeral, info.requested.ephemeral_storage);
        assert_eq!(room.non_zero_milli_cpu, info.non_zero_requested.milli_cpu);
        assert_eq!(room.non_zero_memory, info.non_zero_requested.memory);
        assert_eq!(room.allocatable_milli_cpu, info.allocatable.milli_cpu);
        assert_eq!(room.allocatable_memory, info.allocatable.memory);
        assert_eq!(
            room.allocatable_ephemeral,
            info.allocatable.ephemeral_storage
        );
        assert_eq!(room.allowed_pods, info.allocatable.allowed_pods);
        assert_eq!(usize::try_from(room.pods), Ok(info.pods.len()));
        let has_affinity = snapshot.with_affinity().contains(&row);
        assert_eq!(has_affinity, !info.pods_with_affinity.is_empty());
        let has_anti = snapshot.with_required_anti_affinity().contains(&row);
        assert_eq!(has_anti, !info.pods_with_required_anti_affinity.is_empty());
        assert_eq!(snapshot.row(snapshot.name(row)), Some(row));
    }
    assert!(snapshot.with_affinity().is_sorted());
    assert!(snapshot.with_required_anti_affinity().is_sorted());
}

/// Whether the walk does what makes the order of a snapshot a matter of history.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quirks {
    /// Zones of nodes change, and nodes may come back between two snapshots.
    Provoked,
    /// Neither.
    Avoided,
}

/// The cache, a snapshot that follows it, and what was done, as plainly as can be.
struct Walk {
    rng: Rng,
    quirks: Quirks,
    cache: SchedulerCache,
    snapshot: Snapshot,
    nodes: BTreeMap<String, Arc<Node>>,
    /// Zones in their order with nodes in theirs: the tree without any cleverness.
    tree: Vec<(String, Vec<String>)>,
    /// The order that the snapshot should have.
    order: Vec<String>,
    pods: BTreeMap<String, (Arc<Pod>, bool)>,
    made: u64,
}

const CLAIMS: u64 = 4;

impl Walk {
    fn new(seed: u64, quirks: Quirks) -> Self {
        Self {
            rng: Rng::new(Seed(seed)),
            quirks,
            cache: SchedulerCache::new(None),
            snapshot: Snapshot::default(),
            nodes: BTreeMap::new(),
            tree: Vec::new(),
            order: Vec::new(),
            pods: BTreeMap::new(),
            made: 0,
        }
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.rng.below(bound)
    }

    fn name(&mut self, prefix: &str, bound: u64) -> String {
        [prefix, &self.below(bound).to_string()].concat()
    }

    fn zone_of(node: &Node) -> String {
        let zone = node.metadata.labels.get("topology.kubernetes.io/zone");
        zone.cloned().unwrap_or_default()
    }

    fn any_node(&mut self, name: &str, zone: &str) -> Arc<Node> {
        let cpu = self.name("", 8);
        let mut made: NodeBuilder = node(name).cpu(&cpu).memory("8Gi");
        if !zone.is_empty() {
            made = made.zone(zone);
        }
        if self.below(4) == 0 {
            made = made.unschedulable();
        }
        for effect in ["NoSchedule", "NoExecute", "PreferNoSchedule"] {
            if self.below(4) == 0 {
                made = made.taint("key", "value", effect);
            }
        }
        for image in ["x", "y", "z"] {
            if self.below(2) == 0 {
                made = made.image(image, 10);
            }
        }
        made.build()
    }

    fn any_pod(&mut self, name: &str, node: &str) -> Arc<Pod> {
        let cpu = [&self.name("", 900), "m"].concat();
        let mut made = pod(name).node(node).cpu(&cpu).request("memory", "1Mi");
        if self.below(3) == 0 {
            made = made.prefers_pods(1, affinity_term("zone", "a", "b"));
        }
        if self.below(3) == 0 {
            made = made.avoids_pods(affinity_term("zone", "a", "b"));
        }
        if self.below(3) == 0 {
            made = made.claim(&self.name("c", CLAIMS));
        }
        if self.below(3) == 0 {
            made = made.request("example.com/gpu", "1");
        }
        made.build()
    }

    fn plant(&mut self, node: &Node) {
        let (zone, name) = (Self::zone_of(node), node.metadata.name.clone());
        match self.tree.iter_mut().find(|(key, _)| *key == zone) {
            Some((_, names)) => names.push(name),
            None => self.tree.push((zone, alloc::vec![name])),
        }
    }

    fn uproot(&mut self, name: &str) {
        for (_, names) in &mut self.tree {
            names.retain(|other| other != name);
        }
        self.tree.retain(|(_, names)| !names.is_empty());
    }

    fn tree_order(&self) -> Vec<String> {
        let longest = self.tree.iter().map(|(_, names)| names.len()).max();
        let rounds = 0..longest.unwrap_or(0);
        rounds
            .flat_map(|round| {
                self.tree
                    .iter()
                    .filter_map(move |(_, names)| names.get(round))
            })
            .cloned()
            .collect()
    }

    fn step(&mut self) {
        match self.below(12) {
            0 | 1 => self.add_or_update_node(),
            2 => self.remove_node(),
            3..=5 => self.assume(),
            6 => self.forget(),
            7 | 8 => self.add(),
            9 => self.update(),
            10 => self.remove(),
            _ => self.refuse(),
        }
    }

    fn add_or_update_node(&mut self) {
        let name = self.name("n", 9);
        let zones = if self.quirks == Quirks::Provoked {
            3
        } else {
            1
        };
        let by_name = ["", "a", "b"][name.len() % 3];
        let zone = match self.below(zones) {
            0 => by_name,
            1 => "c",
            _ => "d",
        };
        let node = self.any_node(&name, zone);
        if let Some(old) = self.nodes.insert(name.clone(), node.clone()) {
            if Self::zone_of(&old) != Self::zone_of(&node) {
                self.uproot(&name);
                self.plant(&node);
            }
            self.cache.update_node(&old, node);
        } else {
            self.plant(&node);
            self.cache.add_node(node);
        }
    }

    fn remove_node(&mut self) {
        let name = self.name("n", 9);
        if let Some(node) = self.nodes.remove(&name) {
            self.uproot(&name);
            self.cache.remove_node(&node).unwrap();
            if self.quirks == Quirks::Avoided {
                self.follow();
            }
        }
    }

    fn new_pod(&mut self) -> (String, Arc<Pod>) {
        self.made += 1;
        let name = ["p", &self.made.to_string()].concat();
        let node = self.name("n", 10);
        let pod = self.any_pod(&name, &node);
        (name, pod)
    }

    fn assume(&mut self) {
        let (name, pod) = self.new_pod();
        self.cache
            .assume_pod(Arc::new(PodInfo::new(pod.clone())))
            .unwrap();
        self.pods.insert(name, (pod, true));
    }

    fn pick(&mut self, is_wanted: impl Fn(bool) -> bool) -> Option<(String, Arc<Pod>)> {
        let wanted: Vec<_> = self
            .pods
            .iter()
            .filter(|(_, (_, is_assumed))| is_wanted(*is_assumed))
            .map(|(name, (pod, _))| (name.clone(), pod.clone()))
            .collect();
        let place = self.rng.below(wanted.len().max(1) as u64);
        wanted.get(usize::try_from(place).unwrap()).cloned()
    }

    fn forget(&mut self) {
        if let Some((name, pod)) = self.pick(|is_assumed| is_assumed) {
            self.cache.forget_pod(&pod).unwrap();
            self.pods.remove(&name);
        }
    }

    /// Confirms an assumed pod, on its node or another, or adds one that is new.
    fn add(&mut self) {
        let assumed = self.pick(|is_assumed| is_assumed);
        let (name, pod) = match assumed {
            Some((name, assumed)) => {
                let mut node = assumed.spec.node_name.clone();
                if self.below(4) == 0 {
                    node = self.name("n", 10);
                }
                let pod = self.any_pod(&name, &node);
                (name, pod)
            }
            None => self.new_pod(),
        };
        self.cache.add_pod(pod.clone()).unwrap();
        self.pods.insert(name, (pod, false));
    }

    fn update(&mut self) {
        if let Some((name, old)) = self.pick(|is_assumed| !is_assumed) {
            let new = self.any_pod(&name, &old.spec.node_name);
            self.cache.update_pod(&old, new.clone()).unwrap();
            self.pods.insert(name, (new, false));
        }
    }

    fn remove(&mut self) {
        if let Some((name, pod)) = self.pick(|_| true) {
            self.cache.remove_pod(&pod).unwrap();
            self.pods.remove(&name);
        }
    }

    /// What is refused changes nothing.
    fn refuse(&mut self) {
        let before = self.cache.sizes();
        if let Some((_, pod)) = self.pick(|_| true) {
            let again = Arc::new(PodInfo::new(pod));
            self.cache.assume_pod(again).unwrap_err();
        }
        if let Some((_, added)) = self.pick(|is_assumed| !is_assumed) {
            self.cache.add_pod(added.clone()).unwrap_err();
            self.cache.forget_pod(&added).unwrap_err();
        }
        self.cache
            .remove_node(&node("unknown").build())
            .unwrap_err();
        assert_eq!(self.cache.sizes(), before);
    }

    /// Brings the snapshot up to date and holds it against one that is made at once.
    fn follow(&mut self) {
        self.cache.update_snapshot(&mut self.snapshot).unwrap();
        let before: BTreeSet<String> = self.order.iter().cloned().collect();
        let now: BTreeSet<String> = self.nodes.keys().cloned().collect();
        if before != now {
            self.order = self.tree_order();
        }
        let rows = self.snapshot.iter();
        let names: Vec<&str> = rows.map(|(row, _)| &**self.snapshot.name(row)).collect();
        assert_eq!(names, self.order);
        check_inside(&self.snapshot);
        let mut scratch = Snapshot::default();
        self.cache.clone().update_snapshot(&mut scratch).unwrap();
        check_inside(&scratch);
        let is_order_told = self.quirks == Quirks::Avoided;
        check_same(&self.snapshot, &scratch, is_order_told);
    }

    fn check_pods(&self) {
        assert_eq!(self.cache.sizes().pods, self.pods.len());
        for (name, (pod, is_assumed)) in &self.pods {
            let uid = ["default/", name].concat();
            assert_eq!(self.cache.is_assumed_pod(&uid), *is_assumed);
            assert!(Arc::ptr_eq(&self.cache.get_pod(&uid).unwrap().pod, pod));
        }
    }
}

fn walk(quirks: Quirks) {
    for seed in 0..20 {
        let mut walk = Walk::new(seed, quirks);
        for _ in 0..300 {
            walk.step();
            check_totals(&walk.cache);
            if walk.below(3) == 0 {
                walk.follow();
            }
        }
        walk.check_pods();
        walk.follow();
    }
}

#[test]
fn a_followed_snapshot_is_the_one_made_at_once_in_order_too() {
    walk(Quirks::Avoided);
}

#[test]
fn a_followed_snapshot_keeps_its_order_until_a_node_comes_or_goes() {
    walk(Quirks::Provoked);
}
