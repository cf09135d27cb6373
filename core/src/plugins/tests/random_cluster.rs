//! Small random clusters on which plugins are held to a plain reading of their rules.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use serde_json::{Value, json};

use crate::api::{Namespace, Node, Object, Pod};
use crate::framework::extension::CycleContext;
use crate::node_set::NodeIndex;
use crate::rng::{Rng, Seed};
use crate::snapshot::{Listers, NodeInfo, PluginMemory, PodInfo, Snapshot};
use crate::time::Timestamp;

/// Nodes with pods, and what else plugins look up.
pub(in crate::plugins) struct Cluster {
    pub(in crate::plugins) rng: Rng,
    pub(in crate::plugins) snapshot: Snapshot,
    pub(in crate::plugins) listers: Listers,
    memory: PluginMemory,
    made: u32,
}

impl Cluster {
    /// A cluster of up to seven nodes and twenty pods.
    pub(in crate::plugins) fn new(seed: u64) -> Self {
        let mut cluster = Self {
            rng: Rng::new(Seed(seed)),
            snapshot: Snapshot::default(),
            listers: Listers::default(),
            memory: PluginMemory::default(),
            made: 0,
        };
        for (name, team) in [("ns0", "red"), ("ns1", "blue")] {
            let namespace: Namespace = serde_json::from_value(
                json!({"metadata": {"name": name, "labels": {"team": team}}}),
            )
            .expect("a namespace");
            cluster.listers.insert(&Object::from(namespace));
        }
        let mut rows: Vec<NodeInfo> = (0..=cluster.below(7))
            .map(|_| NodeInfo::new(Arc::new(cluster.node())))
            .collect();
        for _ in 0..cluster.below(20) {
            let place = cluster.below(rows.len());
            let pod = cluster.pod();
            rows[place].add_pod(pod);
        }
        cluster
            .snapshot
            .set_rows(rows.into_iter().map(Arc::new).collect());
        cluster.snapshot.refresh_lists();
        cluster
    }

    pub(in crate::plugins) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.rng.below(bound as u64)).expect("small")
    }

    fn one_in(&mut self, bound: usize) -> bool {
        self.below(bound) == 0
    }

    pub(in crate::plugins) fn cx(&self) -> CycleContext<'_> {
        CycleContext {
            now: Timestamp::default(),
            snapshot: &self.snapshot,
            listers: &self.listers,
            memory: &self.memory,
        }
    }

    /// Puts a pod on a node and returns it.
    pub(in crate::plugins) fn place(&mut self, row: NodeIndex) -> Arc<PodInfo> {
        let pod = self.pod();
        let mut info = NodeInfo::clone(self.snapshot.node(row));
        info.add_pod(pod.clone());
        self.snapshot.set_row(row, Arc::new(info));
        pod
    }

    /// Takes a pod off a node.
    pub(in crate::plugins) fn take(&mut self, row: NodeIndex, pod: &PodInfo) {
        let mut info = NodeInfo::clone(self.snapshot.node(row));
        info.remove_pod(&pod.reference.uid)
            .expect("the pod is there");
        self.snapshot.set_row(row, Arc::new(info));
    }

    fn node(&mut self) -> Node {
        self.made += 1;
        let name = format!("node-{}", self.made);
        let mut labels = BTreeMap::new();
        if !self.one_in(6) {
            labels.insert("kubernetes.io/hostname".to_string(), name.clone());
        }
        for key in ["topology.kubernetes.io/zone", "rack"] {
            let value = self.below(5);
            if value > 0 {
                // An empty value is a value.
                let value = ["", "", "a", "b", "c"][value];
                labels.insert(key.to_string(), value.to_string());
            }
        }
        let mut node = json!({"metadata": {"name": name, "labels": labels}});
        if self.one_in(4) {
            let effect = ["NoSchedule", "PreferNoSchedule"][self.below(2)];
            node["spec"] = json!({"taints": [{"key": "dedicated", "effect": effect}]});
        }
        serde_json::from_value(node).expect("a node")
    }

    /// A pod with constraints and terms of every form.
    pub(in crate::plugins) fn pod(&mut self) -> Arc<PodInfo> {
        self.made += 1;
        let constraints: Vec<Value> = (0..self.below(4)).map(|_| self.constraint()).collect();
        let mut pod = json!({
            "metadata": {
                "name": format!("pod-{}", self.made),
                "namespace": format!("ns{}", self.below(2)),
                "uid": format!("uid-{}", self.made),
                "labels": {"app": self.app(), "tier": self.app()},
            },
            "spec": {
                "topologySpreadConstraints": constraints,
                "affinity": {
                    "podAffinity": self.affinity(),
                    "podAntiAffinity": self.affinity(),
                },
            },
        });
        if self.one_in(4) {
            pod["spec"]["nodeSelector"] = json!({"rack": "a"});
        }
        if self.one_in(3) {
            pod["spec"]["tolerations"] = json!([{"key": "dedicated", "operator": "Exists"}]);
        }
        if self.one_in(6) {
            pod["metadata"]["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
        }
        let pod: Pod = serde_json::from_value(pod).expect("a pod");
        Arc::new(PodInfo::new(Arc::new(pod)))
    }

    fn app(&mut self) -> String {
        format!("app{}", self.below(2))
    }

    fn key(&mut self) -> &'static str {
        [
            "topology.kubernetes.io/zone",
            "rack",
            "kubernetes.io/hostname",
        ][self.below(3)]
    }

    fn selector(&mut self) -> Value {
        match self.below(6) {
            0 => Value::Null,
            1 => json!({}),
            2 => {
                json!({"matchExpressions": [{"key": "app", "operator": "NotIn", "values": [self.app()]}]})
            }
            3 => json!({"matchLabels": {"app": self.app(), "tier": self.app()}}),
            _ => json!({"matchLabels": {"app": self.app()}}),
        }
    }

    fn constraint(&mut self) -> Value {
        let policies = ["Honor", "Ignore"];
        let kinds = ["DoNotSchedule", "ScheduleAnyway"];
        let mut constraint = json!({
            "maxSkew": 1 + self.below(2),
            "topologyKey": self.key(),
            "whenUnsatisfiable": kinds[self.below(2)],
            "labelSelector": self.selector(),
            "nodeAffinityPolicy": policies[self.below(2)],
            "nodeTaintsPolicy": policies[self.below(2)],
        });
        if self.one_in(3) {
            constraint["minDomains"] = json!(1 + self.below(4));
        }
        if self.one_in(3) {
            constraint["matchLabelKeys"] = json!(["tier", "absent"]);
        }
        constraint
    }

    fn affinity(&mut self) -> Value {
        let required: Vec<Value> = (0..self.below(3) / 2 * 2).map(|_| self.term()).collect();
        let preferred: Vec<Value> = (0..self.below(2))
            .map(|_| json!({"weight": 1 + self.below(50), "podAffinityTerm": self.term()}))
            .collect();
        json!({
            "requiredDuringSchedulingIgnoredDuringExecution": required,
            "preferredDuringSchedulingIgnoredDuringExecution": preferred,
        })
    }

    fn term(&mut self) -> Value {
        let mut term = json!({"topologyKey": self.key(), "labelSelector": self.selector()});
        match self.below(6) {
            0 => term["namespaces"] = json!(["ns0", "ns1"]),
            1 => term["namespaceSelector"] = json!({}),
            2 => term["namespaceSelector"] = json!({"matchLabels": {"team": "red"}}),
            3 => {
                term["namespaceSelector"] = json!({
                    "matchExpressions": [{"key": "team", "operator": "NotIn", "values": ["red"]}],
                });
            }
            _ => {}
        }
        term
    }
}
