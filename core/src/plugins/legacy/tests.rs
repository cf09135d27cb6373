//! What the removed plugins decide, on clusters small enough to do the sums by hand.

use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use serde_json::{Value, json};

use super::{NodeLabel, NodePreferAvoidPods, NodeResources, SelectorSpread, ServiceAffinity};
use crate::api::{Object, OwnerReference, ReplicaSet, Service};
use crate::config::{
    Gates, LegacyArgs, NodeLabelArgs, PluginArgs, RequestedToCapacityRatioArgs, ResourceSpec,
    ServiceAffinityArgs, UtilizationShapePoint, default_resources,
};
use crate::framework::cycle_state::CycleState;
use crate::framework::extension::{CycleContext, Plugin};
use crate::framework::registry::PluginFactory;
use crate::framework::status::{Code, Status};
use crate::make::{NodeBuilder, PodBuilder, node, pod};
use crate::node_set::NodeIndex;
use crate::snapshot::{Listers, NodeInfo, PluginMemory, PodInfo, Snapshot};
use crate::time::Timestamp;

/// Nodes with the pods whose builders name them.
#[derive(Default)]
struct Cluster {
    snapshot: Snapshot,
    listers: Listers,
    memory: PluginMemory,
}

impl Cluster {
    fn new(nodes: Vec<NodeBuilder>, pods: Vec<PodBuilder>) -> Self {
        let mut rows: Vec<NodeInfo> = nodes
            .into_iter()
            .map(|node| NodeInfo::new(node.build()))
            .collect();
        for pod in pods {
            let pod = Arc::new(PodInfo::new(pod.build()));
            let row = rows.iter_mut();
            let mut row = row.filter(|info| info.name() == pod.pod.spec.node_name);
            row.next().expect("the node is there").add_pod(pod);
        }
        let mut snapshot = Snapshot::default();
        snapshot.set_rows(rows.into_iter().map(Arc::new).collect());
        snapshot.refresh_lists();
        Self {
            snapshot,
            ..Self::default()
        }
    }

    fn service(mut self, name: &str, selector: Value) -> Self {
        let service: Service = serde_json::from_value(json!({
            "metadata": {"name": name, "namespace": "default"}, "spec": {"selector": selector},
        }))
        .expect("a service");
        self.listers.insert(&Object::from(service));
        self
    }

    fn cx(&self) -> CycleContext<'_> {
        CycleContext {
            now: Timestamp::default(),
            snapshot: &self.snapshot,
            listers: &self.listers,
            memory: &self.memory,
        }
    }

    /// What each node's answer is, from the set and from the plain twin.
    fn filter(&self, plugin: &dyn Plugin, pod: &PodBuilder) -> Vec<(Code, String)> {
        let pod = PodInfo::new(pod.clone().build());
        let mut state = CycleState::default();
        if let Some(pre_filter) = plugin.as_pre_filter() {
            pre_filter.pre_filter(&self.cx(), &mut state, &pod);
        }
        let filter = plugin.as_filter().expect("a Filter plugin");
        let answer = |state: &CycleState, row| filter.filter_node(&self.cx(), state, &pod, row);
        let rows = self.snapshot.iter().map(|(row, _)| row);
        rows.map(|row| {
            let status = answer(&state, row);
            assert_eq!(status, answer(&CycleState::default(), row));
            (status.code, status.message())
        })
        .collect()
    }

    /// Normalised scores of all nodes; raw ones must be those of the plain twin.
    fn score(&self, plugin: &dyn Plugin, pod: &PodBuilder) -> Vec<i64> {
        let (cx, pod) = (self.cx(), PodInfo::new(pod.clone().build()));
        let rows: Vec<NodeIndex> = self.snapshot.iter().map(|(row, _)| row).collect();
        let mut state = CycleState::default();
        if let Some(pre_score) = plugin.as_pre_score()
            && pre_score.pre_score(&cx, &mut state, &pod, &rows).is_skip()
        {
            return vec![];
        }
        let score = plugin.as_score().expect("a Score plugin");
        let mut column = vec![0; rows.len()];
        score
            .score(&cx, &state, &pod, &rows, &mut column)
            .expect("scores");
        let twin = rows.iter().map(|row| {
            let state = CycleState::default();
            score.score_node(&cx, &state, &pod, *row).expect("a score")
        });
        assert_eq!(column, twin.collect::<Vec<_>>());
        if score.has_normalize() {
            score
                .normalize(&cx, &state, &pod, &rows, &mut column)
                .expect("scores");
        }
        column
    }
}

fn build(factory: PluginFactory, args: LegacyArgs) -> Arc<dyn Plugin> {
    factory(&PluginArgs::Legacy(args), &Gates::default()).expect("these arguments are fine")
}

fn strings(list: &[&str]) -> Vec<String> {
    list.iter().map(ToString::to_string).collect()
}

fn specs(list: &[(&str, i64)]) -> Vec<ResourceSpec> {
    let specs = list.iter();
    specs
        .map(|(name, weight)| ResourceSpec::new(*name, *weight))
        .collect()
}

fn owned_by(pod: PodBuilder, kind: &str, name: &str) -> PodBuilder {
    let api_version = if kind == "ReplicationController" {
        "v1"
    } else {
        "apps/v1"
    };
    let owner = OwnerReference {
        api_version: api_version.to_string(),
        kind: kind.to_string(),
        name: name.to_string(),
        uid: [name, "-uid"].concat(),
        controller: Some(true),
        block_owner_deletion: None,
    };
    pod.with(move |pod| pod.metadata.owner_references.push(owner))
}

const PASSES: (Code, String) = (Code::Success, String::new());

#[test]
fn node_label_wants_every_present_label_and_no_absent_one() {
    let plugin = build(
        NodeLabel::build,
        LegacyArgs::NodeLabel(NodeLabelArgs {
            present_labels: strings(&["rack", "power"]),
            absent_labels: strings(&["retired"]),
            ..NodeLabelArgs::default()
        }),
    );
    let both = |name| node(name).label("rack", "7").label("power", "");
    let cluster = Cluster::new(
        vec![
            both("both"),
            node("one").label("rack", "7"),
            both("retired").label("retired", "false"),
            node("none"),
        ],
        vec![],
    );
    let refused = (
        Code::UnschedulableAndUnresolvable,
        "node(s) didn't have the requested labels".to_string(),
    );
    assert_eq!(
        cluster.filter(&*plugin, &pod("p")),
        [PASSES, refused.clone(), refused.clone(), refused]
    );
}

#[test]
fn node_label_scores_the_share_of_preferences_that_hold() {
    let plugin = build(
        NodeLabel::build,
        LegacyArgs::NodeLabel(NodeLabelArgs {
            present_labels_preference: strings(&["ssd", "fast"]),
            absent_labels_preference: strings(&["retired"]),
            ..NodeLabelArgs::default()
        }),
    );
    let cluster = Cluster::new(
        vec![
            node("all").label("ssd", "").label("fast", ""),
            node("two").label("ssd", ""),
            node("one"),
            node("none").label("retired", ""),
        ],
        vec![],
    );
    assert_eq!(cluster.score(&*plugin, &pod("p")), [100, 66, 33, 0]);
    let nothing = build(
        NodeLabel::build,
        LegacyArgs::NodeLabel(NodeLabelArgs::default()),
    );
    assert_eq!(cluster.score(&*nothing, &pod("p")), [0, 0, 0, 0]);
}

fn together() -> Arc<dyn Plugin> {
    build(
        ServiceAffinity::build,
        LegacyArgs::ServiceAffinity(ServiceAffinityArgs {
            affinity_labels: strings(&["region", "rack"]),
            ..ServiceAffinityArgs::default()
        }),
    )
}

fn in_rack(name: &str, region: &str, rack: &str) -> NodeBuilder {
    node(name).label("region", region).label("rack", rack)
}

fn racks() -> Vec<NodeBuilder> {
    vec![
        in_rack("a", "eu", "1"),
        in_rack("b", "eu", "2"),
        in_rack("c", "us", "1"),
        node("d"),
    ]
}

#[test]
fn a_service_stays_where_its_first_pod_is() {
    let web = pod("new").label("app", "web");
    let first = pod("old").label("app", "web").label("v", "1").node("b");
    let refused = (
        Code::Unschedulable,
        "node(s) didn't match service affinity".to_string(),
    );
    let refused = || refused.clone();
    let selects = || json!({"app": "web"});
    let cluster = Cluster::new(racks(), vec![first.clone()]).service("web", selects());
    let plugin = together();
    assert_eq!(
        cluster.filter(&*plugin, &web),
        [refused(), PASSES, refused(), refused()]
    );
    // What the pod's own node selector says comes first; only the rest is copied.
    let choosy = web.clone().node_selector("region", "us");
    let cluster_on_a =
        Cluster::new(racks(), vec![first.clone().node("a")]).service("web", selects());
    assert_eq!(
        cluster_on_a.filter(&*plugin, &choosy),
        [refused(), refused(), PASSES, refused()]
    );
    // Without a service, without a placed pod with all the labels, or in another namespace, nothing is copied.
    let free = [PASSES, PASSES, PASSES, PASSES];
    let alone = Cluster::new(racks(), vec![first.clone()]).service("db", json!({"app": "db"}));
    assert_eq!(alone.filter(&*plugin, &web), free);
    let other = web.clone().label("tier", "front");
    assert_eq!(cluster.filter(&*plugin, &other), free);
    let elsewhere = Cluster::new(racks(), vec![first.namespace("other")]).service("web", selects());
    assert_eq!(elsewhere.filter(&*plugin, &web), free);
    // A label that the example's node lacks is not asked for.
    let on_d =
        Cluster::new(racks(), vec![web.clone().uid("x").node("d")]).service("web", selects());
    assert_eq!(on_d.filter(&*plugin, &web), free);
}

#[test]
fn an_evicted_pod_is_no_example_for_its_own_node() {
    let web = pod("new").label("app", "web");
    let old = web.clone().uid("old").node("b");
    let mut cluster = Cluster::new(racks(), vec![old]).service("web", json!({"app": "web"}));
    let plugin = together();
    let (pre_filter, filter) = (
        plugin.as_pre_filter().expect("PreFilter"),
        plugin.as_filter().expect("Filter"),
    );
    let pod = PodInfo::new(web.build());
    let mut state = CycleState::default();
    pre_filter.pre_filter(&cluster.cx(), &mut state, &pod);
    let row = NodeIndex::new(1);
    let answer = |cluster: &Cluster, state: &CycleState, row| {
        filter.filter_node(&cluster.cx(), state, &pod, row).code
    };
    let mut info = NodeInfo::clone(cluster.snapshot.node(row));
    let gone = info.remove_pod("old").expect("it is there");
    // RemovePod forgets it for every node.
    let mut without = state.clone();
    pre_filter.remove_pod(&cluster.cx(), &mut without, &pod, &gone, &info);
    assert_eq!(answer(&cluster, &without, NodeIndex::new(0)), Code::Success);
    pre_filter.add_pod(&cluster.cx(), &mut without, &pod, &gone, &info);
    assert_eq!(
        answer(&cluster, &without, NodeIndex::new(0)),
        Code::Unschedulable
    );
    // Even without that, the node that is looked at does not count a pod that it does not show.
    cluster.snapshot.set_row(row, Arc::new(info));
    assert_eq!(answer(&cluster, &state, row), Code::Success);
    assert_eq!(
        answer(&cluster, &state, NodeIndex::new(0)),
        Code::Unschedulable
    );
}

#[test]
fn service_affinity_without_labels_has_nothing_to_check() {
    let plugin = build(
        ServiceAffinity::build,
        LegacyArgs::ServiceAffinity(ServiceAffinityArgs::default()),
    );
    let cluster = Cluster::new(racks(), vec![]);
    let pod = PodInfo::new(pod("p").build());
    let pre_filter = plugin.as_pre_filter().expect("PreFilter");
    let answer = pre_filter.pre_filter(&cluster.cx(), &mut CycleState::default(), &pod);
    assert_eq!(answer.status, Status::skip());
}

#[test]
fn service_affinity_spreads_a_service_over_the_values_of_a_label() {
    let plugin = |labels: &[&str]| {
        build(
            ServiceAffinity::build,
            LegacyArgs::ServiceAffinity(ServiceAffinityArgs {
                anti_affinity_labels_preference: strings(labels),
                ..ServiceAffinityArgs::default()
            }),
        )
    };
    let web = |name: &str| pod(name).label("app", "web");
    let cluster = Cluster::new(
        racks(),
        vec![
            web("1").node("a"),
            web("2").node("b"),
            web("3").node("d"),
            web("4").node("c").terminating(1),
            pod("5").label("app", "db").node("c"),
        ],
    )
    .service("web", json!({"app": "web"}));
    // Three pods: two in eu, none in us, one where there is no region.
    assert_eq!(
        cluster.score(&*plugin(&["region"]), &web("new")),
        [33, 33, 100, 0]
    );
    // Racks 1: one pod, 2: one pod. (33.3 + 66.6) / 2, which floats leave just below 50.
    assert_eq!(
        cluster.score(&*plugin(&["region", "rack"]), &web("new")),
        [49, 49, 83, 0]
    );
    // No service, no pods: every node with the label is as good.
    assert_eq!(
        cluster.score(&*plugin(&["region"]), &pod("other")),
        [100, 100, 100, 0]
    );
    assert_eq!(cluster.score(&*plugin(&[]), &web("new")), [0, 0, 0, 0]);
}

#[test]
fn the_first_service_by_name_counts() {
    let plugin = build(
        ServiceAffinity::build,
        LegacyArgs::ServiceAffinity(ServiceAffinityArgs {
            anti_affinity_labels_preference: strings(&["region"]),
            ..ServiceAffinityArgs::default()
        }),
    );
    let cluster = Cluster::new(
        racks(),
        vec![pod("1").label("app", "web").label("v", "1").node("a")],
    )
    .service("b-narrow", json!({"app": "web", "v": "2"}))
    .service("a-wide", json!({"app": "web"}));
    let new = pod("new").label("app", "web").label("v", "2");
    assert_eq!(cluster.score(&*plugin, &new), [0, 0, 100, 0]);
}

#[test]
fn a_controller_is_kept_off_nodes_that_ask_for_it() {
    let asks = |kind: &str, uid: &str| {
        let signature = json!({"podController": {"kind": kind, "uid": uid}});
        json!({"preferAvoidPods": [{"podSignature": {}}, {"podSignature": signature}]}).to_string()
    };
    let annotated = |name: &str, text: String| {
        node(name).with(move |node| {
            let key = "scheduler.alpha.kubernetes.io/preferAvoidPods".to_string();
            node.metadata.annotations.insert(key, text);
        })
    };
    let cluster = Cluster::new(
        vec![
            annotated("asks", asks("ReplicaSet", "web-uid")),
            annotated("kind", asks("ReplicationController", "web-uid")),
            annotated("uid", asks("ReplicaSet", "other-uid")),
            annotated("broken", "{".to_string()),
            node("silent"),
        ],
        vec![],
    );
    let plugin = NodePreferAvoidPods::build(&PluginArgs::None, &Gates::default()).expect("built");
    let score = |pod| cluster.score(&*plugin, &pod);
    assert_eq!(
        score(owned_by(pod("p"), "ReplicaSet", "web")),
        [0, 100, 100, 100, 100]
    );
    assert_eq!(
        score(owned_by(pod("p"), "ReplicationController", "web")),
        [100, 0, 100, 100, 100]
    );
    for other in [owned_by(pod("p"), "StatefulSet", "web"), pod("p")] {
        assert_eq!(score(other), [100; 5]);
    }
}

#[test]
fn selector_spread_weighs_a_zone_twice_as_much_as_a_node() {
    let web = |name: &str| pod(name).label("app", "web");
    let nodes = || {
        vec![
            node("a1").zone("a"),
            node("a2").zone("a"),
            node("b1").zone("b"),
            node("none"),
        ]
    };
    let pods = || {
        vec![
            web("1").node("a1"),
            web("2").node("a1"),
            web("3").node("a1"),
            web("4").node("a2"),
            web("5").node("b1"),
            web("6").node("b1").terminating(1),
            web("7").node("b1").namespace("other"),
            pod("8").label("app", "db").node("b1"),
        ]
    };
    let plugin = SelectorSpread::build(&PluginArgs::None, &Gates::default()).expect("built");
    let cluster = Cluster::new(nodes(), pods()).service("web", json!({"app": "web"}));
    // Nodes 3 1 1 0 of at most 3: 0 66.6 66.6 100. Zones 4 and 1 of at most 4: 0 and 75.
    // a2: 66.6 / 3 = 22.2; b1: 22.2 + 50; the node without a zone counts by itself.
    assert_eq!(cluster.score(&*plugin, &web("new")), [0, 22, 72, 100]);
    // A pod of no service or controller spreads over nothing.
    assert_eq!(cluster.score(&*plugin, &pod("p")), [100; 4]);
    let own = web("new").spread(1, "zone", "ScheduleAnyway", crate::make::selector("a", "b"));
    assert_eq!(cluster.score(&*plugin, &own), Vec::<i64>::new());
    // A ReplicaSet's selector does as well as a service's.
    let mut of_controller = Cluster::new(nodes(), pods());
    let set: ReplicaSet = serde_json::from_value(json!({
        "metadata": {"name": "web", "namespace": "default"},
        "spec": {"selector": {"matchLabels": {"app": "web"}}},
    }))
    .expect("a ReplicaSet");
    of_controller.listers.insert(&Object::from(set));
    let owned = owned_by(pod("new"), "ReplicaSet", "web");
    assert_eq!(of_controller.score(&*plugin, &owned), [0, 22, 72, 100]);
}

/// Of the spec's worked example, plugins 14.1, and a node that is overcommitted.
fn half_full() -> Cluster {
    Cluster::new(
        vec![
            node("n1").cpu("4").memory("8Gi"),
            node("n2").cpu("8").memory("16Gi"),
            node("small").cpu("150m").memory("8Gi"),
            node("bare"),
        ],
        vec![
            pod("1").cpu("1").memory("1Gi").node("n1"),
            pod("2").cpu("2").memory("4Gi").node("n2"),
            // Asks for nothing: counts as 100m and 200Mi.
            pod("3").node("small"),
        ],
    )
}

#[test]
fn least_allocated_counts_what_is_left() {
    let plugin = build(
        NodeResources::least_allocated,
        LegacyArgs::NodeResourcesLeastAllocated(default_resources()),
    );
    assert_eq!(plugin.name().0, "NodeResourcesLeastAllocated");
    // n1: (62 + 75) / 2; n2: (68 + 68) / 2; small: no CPU left, memory (8192 - 1224) / 8192 = 85; bare: nothing at all.
    assert_eq!(
        half_full().score(&*plugin, &pod("p").cpu("500m").memory("1Gi")),
        [68, 68, 42, 0]
    );
    let weighted = build(
        NodeResources::least_allocated,
        LegacyArgs::NodeResourcesLeastAllocated(specs(&[("cpu", 3), ("memory", 1)])),
    );
    // n1: (3·62 + 75) / 4; small: 85 / 4.
    assert_eq!(
        half_full().score(&*weighted, &pod("p").cpu("500m").memory("1Gi")),
        [65, 68, 21, 0]
    );
}

#[test]
fn most_allocated_gives_nothing_for_what_is_overcommitted() {
    let plugin = build(
        NodeResources::most_allocated,
        LegacyArgs::NodeResourcesMostAllocated(default_resources()),
    );
    // n1: (37 + 25) / 2; n2: (31 + 31) / 2; small: 0 for CPU where today's strategy gives 100, and 14 / 2.
    assert_eq!(
        half_full().score(&*plugin, &pod("p").cpu("500m").memory("1Gi")),
        [31, 31, 7, 0]
    );
    assert_eq!(
        half_full().score(&*plugin, &pod("p")),
        // n1: 1100m of 4 is 27, 1224Mi of 8Gi is 14; n2: 26 and 26; small: 200m of 150m is 0, 400Mi is 4.
        [20, 26, 2, 0]
    );
}

#[test]
fn a_curve_counts_a_resource_that_a_node_lacks_as_used_up() {
    let shape = vec![
        UtilizationShapePoint {
            utilization: 0,
            score: 0,
        },
        UtilizationShapePoint {
            utilization: 100,
            score: 10,
        },
    ];
    let plugin = |resources: Vec<ResourceSpec>| {
        build(
            NodeResources::requested_to_capacity_ratio,
            LegacyArgs::RequestedToCapacityRatio(RequestedToCapacityRatioArgs {
                shape: shape.clone(),
                resources,
            }),
        )
    };
    let incoming = pod("p").cpu("500m").memory("1Gi");
    // n1: (37 + 25) / 2; small: (100 + 14) / 2; bare: 100 for both.
    assert_eq!(
        half_full().score(&*plugin(default_resources()), &incoming),
        [31, 31, 57, 100]
    );
    // 37 and 25 with weights 3 and 1 is 34; a mean of 31.5 would be 32: halves go up.
    let weighted = plugin(specs(&[("cpu", 3), ("memory", 1), ("example.com/gpu", 4)]));
    // The GPUs that no node has: (3·37 + 25 + 4·100) / 8 = 67.
    assert_eq!(half_full().score(&*weighted, &incoming), [67, 66, 89, 100]);
}

#[test]
fn scalars_count_though_the_pod_does_not_ask_for_them() {
    let plugin = build(
        NodeResources::most_allocated,
        LegacyArgs::NodeResourcesMostAllocated(specs(&[("example.com/gpu", 1)])),
    );
    let cluster = Cluster::new(
        vec![node("n").resource("example.com/gpu", "4"), node("none")],
        vec![pod("1").request("example.com/gpu", "1").node("n")],
    );
    assert_eq!(cluster.score(&*plugin, &pod("p")), [25, 0]);
    let one = pod("p").request("example.com/gpu", "1");
    assert_eq!(cluster.score(&*plugin, &one), [50, 0]);
}
