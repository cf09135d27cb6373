//! Builders of objects for tests: `pod("a").cpu("100m").node("n1").build()`.
//!
//! What is not said is as an API server would have it after admission. UIDs come from the names, so two builders of one
//! name make one pod. Text that is not a quantity panics where it stands.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{
    Affinity, Container, ContainerImage, ContainerPort, LabelSelector, Node, NodeAffinity,
    NodeSelector, NodeSelectorRequirement, NodeSelectorTerm, ObjectMeta,
    PersistentVolumeClaimVolumeSource, Pod, PodAffinityTerm, PodCondition, PodDisruptionBudget,
    PodSchedulingGate, PreferredSchedulingTerm, Quantity, ResourceList, Taint, Time, Toleration,
    TopologySpreadConstraint, Volume, WeightedPodAffinityTerm,
};

/// Begins a pod in the namespace `default` with one container that asks for nothing.
pub fn pod(name: &str) -> PodBuilder {
    let mut pod = Pod {
        metadata: ObjectMeta::namespaced("default", name),
        ..Pod::default()
    };
    pod.spec.scheduler_name = String::from("default-scheduler");
    pod.spec.containers.push(Container {
        name: String::from("main"),
        image: String::from("app"),
        ..Container::default()
    });
    pod.status.phase = String::from("Pending");
    PodBuilder { pod }
}

/// Begins a node that may hold 110 pods and has nothing else.
pub fn node(name: &str) -> NodeBuilder {
    let node = Node {
        metadata: ObjectMeta::named(name),
        ..Node::default()
    };
    NodeBuilder { node }
        .label("kubernetes.io/hostname", name)
        .pods(110)
}

/// Begins a budget in the namespace `default` that selects nothing and allows nothing.
pub fn disruption_budget(name: &str) -> DisruptionBudgetBuilder {
    let mut budget = PodDisruptionBudget {
        metadata: ObjectMeta::namespaced("default", name),
        ..PodDisruptionBudget::default()
    };
    budget.metadata.uid = ["default/", name].concat();
    DisruptionBudgetBuilder { budget }
}

/// A selector that wants one label.
#[must_use]
pub fn selector(key: &str, value: &str) -> LabelSelector {
    LabelSelector {
        match_labels: [(String::from(key), String::from(value))].into(),
        ..LabelSelector::default()
    }
}

/// A term of pod affinity: near, by `topology_key`, to pods with this label.
#[must_use]
pub fn affinity_term(topology_key: &str, key: &str, value: &str) -> PodAffinityTerm {
    PodAffinityTerm {
        label_selector: Some(selector(key, value)),
        topology_key: String::from(topology_key),
        ..PodAffinityTerm::default()
    }
}

/// A list of quantities by resource name.
#[must_use]
pub fn resources(amounts: &[(&str, &str)]) -> ResourceList {
    let amounts = amounts.iter();
    amounts
        .map(|(name, amount)| (String::from(*name), quantity(amount)))
        .collect()
}

fn quantity(text: &str) -> Quantity {
    Quantity::parse(text).unwrap_or_else(|error| panic!("{error}"))
}

fn container(name: &str, requests: &[(&str, &str)]) -> Container {
    let mut container = Container {
        name: String::from(name),
        image: String::from("app"),
        ..Container::default()
    };
    container.resources.requests = resources(requests);
    container
}

/// A pod to be.
#[derive(Clone, Debug)]
#[must_use = "a builder does nothing until `build`"]
pub struct PodBuilder {
    pod: Pod,
}

impl PodBuilder {
    /// The namespace.
    pub fn namespace(mut self, namespace: &str) -> Self {
        self.pod.metadata.namespace = String::from(namespace);
        self
    }

    /// The UID, in place of the one made from the names.
    pub fn uid(mut self, uid: &str) -> Self {
        self.pod.metadata.uid = String::from(uid);
        self
    }

    /// A label.
    pub fn label(mut self, key: &str, value: &str) -> Self {
        let labels = &mut self.pod.metadata.labels;
        labels.insert(String::from(key), String::from(value));
        self
    }

    /// An annotation.
    pub fn annotation(mut self, key: &str, value: &str) -> Self {
        let annotations = &mut self.pod.metadata.annotations;
        annotations.insert(String::from(key), String::from(value));
        self
    }

    /// When it was made, in seconds after the epoch.
    pub fn created(mut self, seconds: i64) -> Self {
        self.pod.metadata.creation_timestamp = Some(Time::from_micros(seconds * 1_000_000));
        self
    }

    /// When its deletion was asked for, in seconds after the epoch.
    pub fn terminating(mut self, seconds: i64) -> Self {
        self.pod.metadata.deletion_timestamp = Some(Time::from_micros(seconds * 1_000_000));
        self
    }

    /// CPU that its first container asks for.
    pub fn cpu(self, amount: &str) -> Self {
        self.request("cpu", amount)
    }

    /// Memory that its first container asks for.
    pub fn memory(self, amount: &str) -> Self {
        self.request("memory", amount)
    }

    /// Anything that its first container asks for.
    pub fn request(mut self, resource: &str, amount: &str) -> Self {
        let first = self.first_container();
        let requests = &mut first.resources.requests;
        requests.insert(String::from(resource), quantity(amount));
        self
    }

    /// The image of its first container.
    pub fn image(mut self, image: &str) -> Self {
        self.first_container().image = String::from(image);
        self
    }

    /// A TCP port of the node, on all addresses, that its first container takes.
    pub fn host_port(mut self, port: i32) -> Self {
        self.first_container().ports.push(ContainerPort {
            container_port: port,
            host_port: port,
            ..ContainerPort::default()
        });
        self
    }

    fn first_container(&mut self) -> &mut Container {
        let containers = &mut self.pod.spec.containers;
        containers.first_mut().expect("a pod has a container")
    }

    /// A further container.
    pub fn container(mut self, requests: &[(&str, &str)]) -> Self {
        let containers = &mut self.pod.spec.containers;
        containers.push(container("further", requests));
        self
    }

    /// An init container.
    pub fn init_container(mut self, requests: &[(&str, &str)]) -> Self {
        let containers = &mut self.pod.spec.init_containers;
        containers.push(container("init", requests));
        self
    }

    /// An init container that goes on running.
    pub fn sidecar(mut self, requests: &[(&str, &str)]) -> Self {
        let mut sidecar = container("sidecar", requests);
        sidecar.restart_policy = Some(String::from("Always"));
        self.pod.spec.init_containers.push(sidecar);
        self
    }

    /// What its runtime takes on top.
    pub fn overhead(mut self, amounts: &[(&str, &str)]) -> Self {
        self.pod.spec.overhead = resources(amounts);
        self
    }

    /// Its importance.
    pub fn priority(mut self, priority: i32) -> Self {
        self.pod.spec.priority = Some(priority);
        self
    }

    /// `PreemptLowerPriority` or `Never`.
    pub fn preemption_policy(mut self, policy: &str) -> Self {
        self.pod.spec.preemption_policy = Some(String::from(policy));
        self
    }

    /// The profile that is to place it.
    pub fn scheduler(mut self, name: &str) -> Self {
        self.pod.spec.scheduler_name = String::from(name);
        self
    }

    /// A scheduling gate.
    pub fn gate(mut self, name: &str) -> Self {
        self.pod.spec.scheduling_gates.push(PodSchedulingGate {
            name: String::from(name),
        });
        self
    }

    /// The node it is on, as running there.
    pub fn node(mut self, node: &str) -> Self {
        self.pod.spec.node_name = String::from(node);
        self.pod.status.phase = String::from("Running");
        self
    }

    /// The node that it is nominated to.
    pub fn nominated(mut self, node: &str) -> Self {
        self.pod.status.nominated_node_name = String::from(node);
        self
    }

    /// Its phase.
    pub fn phase(mut self, phase: &str) -> Self {
        self.pod.status.phase = String::from(phase);
        self
    }

    /// When its node accepted it, in seconds after the epoch.
    pub fn started(mut self, seconds: i64) -> Self {
        self.pod.status.start_time = Some(Time::from_micros(seconds * 1_000_000));
        self
    }

    /// A condition.
    pub fn condition(mut self, type_: &str, status: &str, reason: &str) -> Self {
        self.pod.status.conditions.push(PodCondition {
            type_: String::from(type_),
            status: String::from(status),
            reason: String::from(reason),
            ..PodCondition::default()
        });
        self
    }

    /// A label that its node must have.
    pub fn node_selector(mut self, key: &str, value: &str) -> Self {
        let selector = &mut self.pod.spec.node_selector;
        selector.insert(String::from(key), String::from(value));
        self
    }

    /// A taint that it puts up with; the empty value tolerates any.
    pub fn tolerates(mut self, key: &str, value: &str, effect: &str) -> Self {
        let operator = if value.is_empty() { "Exists" } else { "Equal" };
        self.pod.spec.tolerations.push(Toleration {
            key: String::from(key),
            operator: String::from(operator),
            value: String::from(value),
            effect: String::from(effect),
            toleration_seconds: None,
        });
        self
    }

    fn affinity(&mut self) -> &mut Affinity {
        let affinity = &mut self.pod.spec.affinity;
        affinity.get_or_insert_with(Affinity::default)
    }

    fn node_affinity(&mut self) -> &mut NodeAffinity {
        let affinity = &mut self.affinity().node_affinity;
        affinity.get_or_insert_with(NodeAffinity::default)
    }

    /// A further term of what its node must be; one term that holds is enough.
    pub fn needs_node(mut self, key: &str, operator: &str, values: &[&str]) -> Self {
        let required = &mut self
            .node_affinity()
            .required_during_scheduling_ignored_during_execution;
        let terms = &mut required
            .get_or_insert_with(NodeSelector::default)
            .node_selector_terms;
        terms.push(node_term(key, operator, values));
        self
    }

    /// What its node should be, and how much that is worth.
    pub fn prefers_node(mut self, weight: i32, key: &str, operator: &str, values: &[&str]) -> Self {
        let preferred = &mut self
            .node_affinity()
            .preferred_during_scheduling_ignored_during_execution;
        preferred.push(PreferredSchedulingTerm {
            weight,
            preference: node_term(key, operator, values),
        });
        self
    }

    /// Pods it must be near to.
    pub fn needs_pods(mut self, term: PodAffinityTerm) -> Self {
        let affinity = self.affinity().pod_affinity.get_or_insert_default();
        affinity
            .required_during_scheduling_ignored_during_execution
            .push(term);
        self
    }

    /// Pods it must be away from.
    pub fn avoids_pods(mut self, term: PodAffinityTerm) -> Self {
        let affinity = self.affinity().pod_anti_affinity.get_or_insert_default();
        affinity
            .required_during_scheduling_ignored_during_execution
            .push(term);
        self
    }

    /// Pods it should be near to, and how much that is worth.
    pub fn prefers_pods(mut self, weight: i32, pod_affinity_term: PodAffinityTerm) -> Self {
        let affinity = self.affinity().pod_affinity.get_or_insert_default();
        let preferred = &mut affinity.preferred_during_scheduling_ignored_during_execution;
        preferred.push(WeightedPodAffinityTerm {
            weight,
            pod_affinity_term,
        });
        self
    }

    /// Pods it should be away from, and how much that is worth.
    pub fn dislikes_pods(mut self, weight: i32, pod_affinity_term: PodAffinityTerm) -> Self {
        let affinity = self.affinity().pod_anti_affinity.get_or_insert_default();
        let preferred = &mut affinity.preferred_during_scheduling_ignored_during_execution;
        preferred.push(WeightedPodAffinityTerm {
            weight,
            pod_affinity_term,
        });
        self
    }

    /// A constraint on how pods with a label are spread: `DoNotSchedule` or `ScheduleAnyway`.
    pub fn spread(
        mut self,
        max_skew: i32,
        topology_key: &str,
        when_unsatisfiable: &str,
        label_selector: LabelSelector,
    ) -> Self {
        let constraints = &mut self.pod.spec.topology_spread_constraints;
        constraints.push(TopologySpreadConstraint {
            max_skew,
            topology_key: String::from(topology_key),
            when_unsatisfiable: String::from(when_unsatisfiable),
            label_selector: Some(label_selector),
            ..TopologySpreadConstraint::default()
        });
        self
    }

    /// A volume that is a claim.
    pub fn claim(mut self, claim: &str) -> Self {
        let source = PersistentVolumeClaimVolumeSource {
            claim_name: String::from(claim),
            ..PersistentVolumeClaimVolumeSource::default()
        };
        self.pod.spec.volumes.push(Volume {
            name: String::from(claim),
            persistent_volume_claim: Some(source),
            ..Volume::default()
        });
        self
    }

    /// Anything else.
    pub fn with(mut self, change: impl FnOnce(&mut Pod)) -> Self {
        change(&mut self.pod);
        self
    }

    /// The pod.
    #[must_use]
    pub fn build(mut self) -> Arc<Pod> {
        let metadata = &mut self.pod.metadata;
        if metadata.uid.is_empty() {
            metadata.uid = [&*metadata.namespace, "/", &metadata.name].concat();
        }
        Arc::new(self.pod)
    }
}

fn node_term(key: &str, operator: &str, values: &[&str]) -> NodeSelectorTerm {
    let requirement = NodeSelectorRequirement {
        key: String::from(key),
        operator: String::from(operator),
        values: values.iter().copied().map(String::from).collect(),
    };
    NodeSelectorTerm {
        match_expressions: alloc::vec![requirement],
        match_fields: Vec::new(),
    }
}

/// A node to be.
#[derive(Clone, Debug)]
#[must_use = "a builder does nothing until `build`"]
pub struct NodeBuilder {
    node: Node,
}

impl NodeBuilder {
    /// A label.
    pub fn label(mut self, key: &str, value: &str) -> Self {
        let labels = &mut self.node.metadata.labels;
        labels.insert(String::from(key), String::from(value));
        self
    }

    /// Its zone.
    pub fn zone(self, zone: &str) -> Self {
        self.label("topology.kubernetes.io/zone", zone)
    }

    /// Its region.
    pub fn region(self, region: &str) -> Self {
        self.label("topology.kubernetes.io/region", region)
    }

    /// CPU that it can give.
    pub fn cpu(self, amount: &str) -> Self {
        self.resource("cpu", amount)
    }

    /// Memory that it can give.
    pub fn memory(self, amount: &str) -> Self {
        self.resource("memory", amount)
    }

    /// How many pods it may hold.
    pub fn pods(mut self, pods: i64) -> Self {
        let pods = Quantity::from_units(pods, crate::api::Format::DecimalSi);
        for list in [
            &mut self.node.status.capacity,
            &mut self.node.status.allocatable,
        ] {
            list.insert(String::from("pods"), pods);
        }
        self
    }

    /// Anything that it can give.
    pub fn resource(mut self, resource: &str, amount: &str) -> Self {
        for list in [
            &mut self.node.status.capacity,
            &mut self.node.status.allocatable,
        ] {
            list.insert(String::from(resource), quantity(amount));
        }
        self
    }

    /// A taint.
    pub fn taint(mut self, key: &str, value: &str, effect: &str) -> Self {
        self.node.spec.taints.push(Taint {
            key: String::from(key),
            value: String::from(value),
            effect: String::from(effect),
            time_added: None,
        });
        self
    }

    /// Keeps new pods off.
    pub fn unschedulable(mut self) -> Self {
        self.node.spec.unschedulable = true;
        self
    }

    /// An image that it has.
    pub fn image(mut self, name: &str, size_bytes: i64) -> Self {
        self.node.status.images.push(ContainerImage {
            names: alloc::vec![String::from(name)],
            size_bytes,
        });
        self
    }

    /// A feature that it declares.
    pub fn feature(mut self, name: &str) -> Self {
        let features = &mut self.node.status.declared_features;
        features.push(String::from(name));
        self
    }

    /// Anything else.
    pub fn with(mut self, change: impl FnOnce(&mut Node)) -> Self {
        change(&mut self.node);
        self
    }

    /// The node.
    #[must_use]
    pub fn build(mut self) -> Arc<Node> {
        let metadata = &mut self.node.metadata;
        if metadata.uid.is_empty() {
            metadata.uid.clone_from(&metadata.name);
        }
        Arc::new(self.node)
    }
}

/// A PodDisruptionBudget to be.
#[derive(Clone, Debug)]
#[must_use = "a builder does nothing until `build`"]
pub struct DisruptionBudgetBuilder {
    budget: PodDisruptionBudget,
}

impl DisruptionBudgetBuilder {
    /// The namespace.
    pub fn namespace(mut self, namespace: &str) -> Self {
        self.budget.metadata.namespace = String::from(namespace);
        self
    }

    /// Which pods it protects.
    pub fn selects(mut self, selector: LabelSelector) -> Self {
        self.budget.spec.selector = Some(selector);
        self
    }

    /// How many of them may be disturbed now.
    pub fn allows(mut self, disruptions: i32) -> Self {
        self.budget.status.disruptions_allowed = disruptions;
        self
    }

    /// A pod whose disturbance is under way.
    pub fn disrupted(mut self, pod: &str) -> Self {
        let disrupted = &mut self.budget.status.disrupted_pods;
        disrupted.insert(String::from(pod), Time::from_micros(0));
        self
    }

    /// The budget.
    #[must_use]
    pub fn build(self) -> Arc<PodDisruptionBudget> {
        Arc::new(self.budget)
    }
}
