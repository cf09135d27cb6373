use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use serde_json::json;

use super::{TermKind, terms_of};
use crate::api::{Node, Pod, Selector};
use crate::node_set::NodeIndex;
use crate::order::SortedMap;
use crate::rng::{Rng, Seed};
use crate::snapshot::{DomainColumn, Namespaces, NodeInfo, PodInfo, Snapshot};

const INDEX: &str = "apps.kubernetes.io/pod-index";
const KEYS: [&str; 3] = [
    "topology.kubernetes.io/zone",
    "rack",
    "kubernetes.io/hostname",
];

#[test]
fn counts_that_follow_changes_equal_counts_over_all_pods() {
    for seed in 0..30 {
        let mut world = World::new(seed);
        for _ in 0..60 {
            world.change();
            check(&world.snapshot);
        }
    }
}

#[test]
fn asking_what_would_be_leaves_the_counts_alone() {
    let mut world = World::new(3);
    for _ in 0..40 {
        world.change();
    }
    let row = NodeIndex::new(0);
    let other = Arc::new(NodeInfo::new(
        world.snapshot.node(row).node.clone().expect("listed"),
    ));
    world.snapshot.with_row(row, other, |_| ());
    check(&world.snapshot);
}

/// A snapshot that changes as a cache would change it.
struct World {
    rng: Rng,
    rows: Vec<Arc<NodeInfo>>,
    snapshot: Snapshot,
    made: u32,
}

impl World {
    fn new(seed: u64) -> Self {
        Self {
            rng: Rng::new(Seed(seed)),
            rows: Vec::new(),
            snapshot: Snapshot::default(),
            made: 0,
        }
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.rng.below(bound as u64)).expect("small")
    }

    fn change(&mut self) {
        let choice = self.below(10);
        if self.rows.is_empty() || choice == 0 {
            let node = self.node(None);
            let place = self.below(self.rows.len() + 1);
            self.rows
                .insert(place, Arc::new(NodeInfo::new(Arc::new(node))));
            self.relist();
        } else if choice == 1 {
            let place = self.below(self.rows.len());
            self.rows.remove(place);
            let (from, to) = (
                self.below(self.rows.len().max(1)),
                self.below(self.rows.len().max(1)),
            );
            if !self.rows.is_empty() {
                self.rows.swap(from, to);
                // A node that came twice with different zones is listed twice.
                if self.below(4) == 0 {
                    self.rows.insert(to, self.rows[from].clone());
                }
            }
            self.relist();
        } else {
            let place = self.below(self.rows.len());
            let mut info = NodeInfo::clone(&self.rows[place]);
            match choice {
                2 => info.set_node(Arc::new(self.node(Some(info.name())))),
                3 | 4 if !info.pods.is_empty() => {
                    let victim = self.below(info.pods.len());
                    let uid = info.pods[victim].reference.uid.clone();
                    info.remove_pod(&uid);
                }
                _ => {
                    for _ in 0..=self.below(3) {
                        info.add_pod(Arc::new(PodInfo::new(Arc::new(self.pod()))));
                    }
                }
            }
            self.rows[place] = Arc::new(info);
            // Now and then a change is seen only together with a change of the list.
            if choice != 9 {
                self.snapshot
                    .set_row(NodeIndex::new(place), self.rows[place].clone());
            } else {
                self.relist();
            }
        }
    }

    fn relist(&mut self) {
        self.snapshot.set_rows(self.rows.clone());
    }

    fn node(&mut self, name: Option<&str>) -> Node {
        self.made += 1;
        let name = name.map_or_else(|| format!("node-{}", self.made), ToString::to_string);
        let mut labels = SortedMap::from([("kubernetes.io/hostname".to_string(), name.clone())]);
        for key in &KEYS[..2] {
            let value = self.below(4);
            if value > 0 {
                labels.insert((*key).to_string(), format!("v{value}"));
            }
        }
        let node = json!({"metadata": {"name": name, "labels": labels}});
        serde_json::from_value(node).expect("a node")
    }

    fn pod(&mut self) -> Pod {
        self.made += 1;
        let term = json!({
            "topologyKey": KEYS[self.below(3)],
            "labelSelector": {"matchLabels": {"app": format!("a{}", self.below(2))}},
        });
        let weighted = json!({"weight": 1 + self.below(2), "podAffinityTerm": term});
        let list = match self.below(4) {
            0 => {
                json!({"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term, term]}})
            }
            1 => {
                json!({"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}})
            }
            2 => json!({
                "podAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [weighted]},
                "podAntiAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [weighted]},
            }),
            _ => json!({}),
        };
        let mut pod = json!({
            "metadata": {
                "name": format!("pod-{}", self.made),
                "namespace": format!("ns{}", self.below(2)),
                "uid": format!("uid-{}", self.made),
                "labels": {"app": format!("a{}", self.below(3)), INDEX: format!("{}", self.below(3))},
            },
            "spec": {"affinity": list},
        });
        if self.below(5) == 0 {
            pod["metadata"]["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
        }
        serde_json::from_value(pod).expect("a pod")
    }
}

type Counts = BTreeMap<String, BTreeMap<NodeIndex, u32>>;

fn check(snapshot: &Snapshot) {
    let mut pods = Counts::new();
    let mut terms = Counts::new();
    for (row, info) in snapshot.iter() {
        for pod in &info.pods {
            *pods.entry(looks(pod)).or_default().entry(row).or_default() += 1;
            for (kind, weight, term) in terms_of(pod) {
                let key = format!("{kind:?} {weight} {term:?}");
                *terms.entry(key).or_default().entry(row).or_default() += 1;
            }
        }
    }
    let census = snapshot.census();
    let counted: Counts = census
        .pods()
        .map(|(pod, rows)| (looks(pod), rows.iter().collect()))
        .collect();
    assert_eq!(counted, pods);
    for namespace in ["ns0", "ns1", "ns2"] {
        let there = census.pods_in(namespace).count();
        assert_eq!(
            there,
            pods.keys()
                .filter(|looks| looks.starts_with(namespace))
                .count()
        );
    }
    let kinds = [
        TermKind::Required,
        TermKind::RequiredAnti,
        TermKind::Preferred,
        TermKind::PreferredAnti,
    ];
    let counted: Counts = kinds
        .iter()
        .flat_map(|kind| census.terms(*kind))
        .map(|counts| {
            let key = format!("{:?} {} {:?}", counts.kind, counts.weight, counts.term);
            (key, counts.rows.iter().collect())
        })
        .collect();
    assert_eq!(counted, terms);
    for key in KEYS {
        check_column(snapshot, key);
    }
    for (key, value) in [("app", "a1"), (INDEX, "1")] {
        check_count(snapshot, key, value);
    }
}

/// A count by label is that of all pods, also by a label that each pod has for itself.
fn check_count(snapshot: &Snapshot, key: &str, value: &str) {
    let labels = SortedMap::from([(key.to_string(), value.to_string())]);
    let selector = Selector::from_labels(&labels);
    let names = ["ns0"];
    for namespaces in [Namespaces::All, Namespaces::These(&names)] {
        let is_meant = |pod: &PodInfo| selector.matches(&pod.pod.metadata.labels);
        let mut counted: BTreeMap<NodeIndex, u32> = BTreeMap::new();
        snapshot.count_pods(namespaces, [&selector], is_meant, |row, pods| {
            *counted.entry(row).or_default() += pods;
        });
        let mut plain: BTreeMap<NodeIndex, u32> = BTreeMap::new();
        for (row, info) in snapshot.iter() {
            for pod in &info.pods {
                if namespaces.contain(&pod.reference.namespace) && is_meant(pod) {
                    *plain.entry(row).or_default() += 1;
                }
            }
        }
        assert_eq!(counted, plain);
    }
}

/// A kept column says of each two nodes what a new one says, and of each node what its label says.
fn check_column(snapshot: &Snapshot, key: &str) {
    let kept = snapshot.domains(key);
    let rows: Vec<_> = snapshot.iter().map(|(_, info)| info.clone()).collect();
    let made = DomainColumn::of(key, &rows);
    assert_eq!(kept.is_complete(), made.is_complete());
    assert_eq!(kept.inhabited().count(), made.inhabited().count());
    for (row, info) in snapshot.iter() {
        assert_eq!(
            kept.at(row),
            info.label(key).and_then(|value| kept.of_value(value))
        );
        assert_eq!(kept.at(row).is_some(), info.label(key).is_some());
        for (other, _) in snapshot.iter() {
            assert_eq!(
                kept.at(row) == kept.at(other),
                made.at(row) == made.at(other)
            );
        }
    }
}

fn looks(pod: &PodInfo) -> String {
    let metadata = &pod.pod.metadata;
    let mut labels = metadata.labels.clone();
    labels.remove(INDEX);
    let is_terminating = metadata.is_terminating();
    format!("{} {is_terminating} {labels:?}", metadata.namespace)
}
