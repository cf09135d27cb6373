//! Dry runs with the plugins of the default profile: what they promise holds when it is done.

use alloc::string::ToString;

use crate::cache::SchedulerCache;
use crate::config::Profile;
use crate::config::defaults::default_plugins;
use crate::framework::extension::{NominatingInfo, Victims};
use crate::framework::handle::{Counts, NominatedPods};
use crate::framework::runtime::Framework;
use crate::make::{NodeBuilder, PodBuilder, affinity_term, node, selector};
use crate::plugins::in_tree;
use crate::rng::{Rng, Seed};
use crate::snapshot::Snapshot;

use super::*;

struct Nobody;

impl NominatedPods for Nobody {
    fn is_empty(&self) -> bool {
        true
    }

    fn nominated_pods_for_node(&self, _: &str) -> Vec<Arc<PodInfo>> {
        Vec::new()
    }
}

/// A cluster with the default profile.
struct Cluster {
    nodes: Vec<NodeBuilder>,
    pods: Vec<PodBuilder>,
}

/// What PostFilter said, and what was told on the way.
type Said = (PostFiltered, Vec<Metric>);

impl Cluster {
    fn with_handle<R>(&self, pod: &PodBuilder, act: impl FnOnce(&mut Handle<'_>) -> R) -> R {
        let mut cache = SchedulerCache::new(None);
        for node in &self.nodes {
            cache.add_node(node.clone().build());
        }
        let mut listers = Listers::default();
        for pod in self.pods.iter().chain([pod]) {
            let pod = pod.clone().build();
            listers.pods.insert(pod.clone());
            if pod.is_assigned() {
                cache.add_pod(pod).unwrap();
            }
        }
        let mut snapshot = Snapshot::default();
        cache.update_snapshot(&mut snapshot).unwrap();
        let profile = Profile {
            scheduler_name: "default-scheduler".into(),
            plugins: default_plugins(Gates::default()),
            ..Profile::default()
        };
        let framework = Framework::new(&profile, &in_tree(), &Gates::default()).unwrap();
        act(&mut Handle {
            framework: &framework,
            now: Timestamp::ZERO,
            snapshot: &mut snapshot,
            listers: &listers,
            memory: &PluginMemory::default(),
            nominated: &Nobody,
            rng: &mut Rng::new(Seed(0)),
            consults_extenders: false,
            records: None,
            counts: Some(Counts::default()),
        })
    }

    /// Why each node refuses the pod.
    fn statuses(handle: &mut Handle<'_>, pod: &PodInfo) -> (CycleState, NodeStatuses) {
        let mut state = CycleState::default();
        let framework = handle.framework;
        framework.run_pre_filter(&handle.context(), &mut state, pod, |_, _, _| ());
        let mut statuses = NodeStatuses::default();
        for row in handle.snapshot.all().iter() {
            let (status, _) = handle.filter_with_nominated(&state, pod, row);
            if !status.is_success() {
                statuses.set(row, status);
            }
        }
        (state, statuses)
    }

    fn post_filter(&self, pod: &PodBuilder) -> Said {
        let info = PodInfo::new(pod.clone().build());
        self.with_handle(pod, |handle| {
            let (state, statuses) = Self::statuses(handle, &info);
            let plugin = handle.framework.plugin(DefaultPreemption::NAME).unwrap();
            let post_filter = plugin.as_post_filter().unwrap();
            match post_filter.post_filter(handle, &state, &info, &statuses) {
                PostFilterStep::Done(done) => (done, handle.take_told(&state).metrics),
                PostFilterStep::Consult(_) => panic!("there are no extenders"),
            }
        })
    }

    /// Whether the pod fits on the node once `gone` have left.
    fn fits_without(&self, gone: &[&str], pod: &PodBuilder, node: &str) -> bool {
        let mut after = Self {
            nodes: self.nodes.clone(),
            pods: self.pods.clone(),
        };
        after
            .pods
            .retain(|pod| !gone.contains(&pod.clone().build().metadata.name.as_str()));
        let info = PodInfo::new(pod.clone().build());
        after.with_handle(pod, |handle| {
            let row = handle.snapshot.row(node).unwrap();
            let (_, statuses) = Self::statuses(handle, &info);
            statuses.get(row).is_none()
        })
    }

    /// The victims on the node that was chosen; `None` when preemption does not help.
    fn victims(&self, pod: &PodBuilder) -> Option<(String, Victims)> {
        let (done, _) = self.post_filter(pod);
        let chosen = done.evict?;
        Some((chosen.node.to_string(), chosen.victims))
    }
}

fn names(victims: &Victims) -> Vec<&str> {
    let pods = victims.pods.iter();
    pods.map(|pod| &*pod.reference.name).collect()
}

fn check(cluster: &Cluster, pod: &PodBuilder, expected: &[&str]) {
    let (_, victims) = cluster.victims(pod).unwrap();
    assert_eq!(names(&victims), expected);
}

#[test]
fn every_call_is_counted_as_an_attempt() {
    let cluster = Cluster {
        nodes: [node("n1").cpu("1")].to_vec(),
        pods: Vec::new(),
    };
    let never = pod("high").cpu("2").preemption_policy("Never");
    for pod in [pod("high").cpu("2"), never] {
        let (_, told) = cluster.post_filter(&pod);
        let names: Vec<&str> = told.iter().map(|metric| metric.name).collect();
        assert_eq!(names, ["preemption_attempts_total"]);
    }
}

#[test]
fn a_port_is_taken_from_whoever_holds_it() {
    let low = |name: &str| pod(name).node("n1").cpu("100m").started(1);
    let cluster = Cluster {
        nodes: [node("n1").cpu("4")].to_vec(),
        pods: [low("holder").host_port(80), low("other").host_port(81)].to_vec(),
    };
    check(
        &cluster,
        &pod("high").priority(1).host_port(80),
        &["holder"],
    );
}

#[test]
fn anti_affinity_is_mended_in_both_directions() {
    let low = |name: &str| pod(name).node("n1").started(1).label("app", name);
    let apart = |app: &str| affinity_term("kubernetes.io/hostname", "app", app);
    let cluster = Cluster {
        nodes: [node("n1").cpu("4")].to_vec(),
        pods: [low("a"), low("b").avoids_pods(apart("high")), low("c")].to_vec(),
    };
    let high = pod("high").priority(1).label("app", "high");
    check(&cluster, &high.clone().avoids_pods(apart("a")), &["a", "b"]);
    check(&cluster, &high, &["b"]);
}

#[test]
fn a_pod_that_wants_to_be_near_its_victim_finds_no_candidate() {
    let cluster = Cluster {
        nodes: [node("n1").cpu("1")].to_vec(),
        pods: [pod("a").node("n1").cpu("1").label("app", "a").started(1)].to_vec(),
    };
    let near = affinity_term("kubernetes.io/hostname", "app", "a");
    let high = pod("high").priority(1).cpu("1").needs_pods(near);
    let (done, _) = cluster.post_filter(&high);
    assert_eq!(
        done.status.message(),
        "preemption: 0/1 nodes are available: 1 node(s) didn't match pod affinity rules."
    );
    assert_eq!(
        done.nominating,
        Some(NominatingInfo::Override(Arc::from("")))
    );
}

#[test]
fn spreading_is_mended_by_those_that_are_too_many() {
    let zoned = |name: &str, zone: &str| node(name).zone(zone).cpu("8");
    let web = |name: &str, node: &str| {
        let web = pod(name).node(node).cpu("100m").label("app", "web");
        web.started(1)
    };
    let cluster = Cluster {
        nodes: [zoned("n1", "a"), zoned("n2", "b").unschedulable()].to_vec(),
        pods: [web("a", "n1"), web("b", "n1"), web("c", "n2")].to_vec(),
    };
    let zone = "topology.kubernetes.io/zone";
    let high = pod("high").priority(1).label("app", "web").spread(
        1,
        zone,
        "DoNotSchedule",
        selector("app", "web"),
    );
    check(&cluster, &high, &["b"]);
}

/// Random clusters of two nodes, with everything on the nodes that a departure can mend. No two pods share a port of a
/// node: that one port is then free when the first of them goes is a quirk of its own.
fn random(seed: u64) -> (Cluster, PodBuilder) {
    let mut rng = Rng::new(Seed(seed));
    let mut any = |bound: u64| i32::try_from(rng.below(bound)).unwrap();
    let nodes = ["n1", "n2"].map(|name| node(name).zone(name).cpu("3").pods(8));
    let decorated = |made: PodBuilder, port: i32, any: &mut dyn FnMut(u64) -> i32| {
        let app = ["a", "b", "c"][usize::try_from(any(3)).unwrap()];
        let other = ["a", "b", "c"][usize::try_from(any(3)).unwrap()];
        let key = ["kubernetes.io/hostname", "topology.kubernetes.io/zone"];
        let key = key[usize::try_from(any(2)).unwrap()];
        let mut made = made
            .label("app", app)
            .cpu(&[any(9).to_string(), "00m".into()].concat());
        if any(3) == 0 {
            made = made.avoids_pods(affinity_term(key, "app", other));
        }
        if any(3) == 0 {
            made = made.host_port(80 + port);
        }
        if any(4) == 0 {
            made = made.spread(1 + any(2), key, "DoNotSchedule", selector("app", app));
        }
        made
    };
    let mut pods = Vec::new();
    for number in 0..any(12) {
        let on = ["n1", "n2"][usize::try_from(any(2)).unwrap()];
        let made = pod(&["p", &number.to_string()].concat());
        let made = made.node(on).priority(any(4)).started(i64::from(any(5)));
        pods.push(decorated(made, number, &mut any));
    }
    let port = any(12);
    let high = decorated(pod("high").priority(2), port, &mut any);
    let cluster = Cluster {
        nodes: nodes.to_vec(),
        pods,
    };
    (cluster, high)
}

#[test]
fn victims_are_enough_and_all_of_them_are_needed() {
    let mut found = 0;
    for seed in 0..300 {
        let (cluster, high) = random(seed);
        let Some((node, victims)) = cluster.victims(&high) else {
            continue;
        };
        found += 1;
        let gone = names(&victims);
        assert!(
            cluster.fits_without(&gone, &high, &node),
            "seed {seed}: {gone:?} are not enough on {node}"
        );
        for kept in &gone {
            let others: Vec<&str> = gone.iter().copied().filter(|name| name != kept).collect();
            assert!(
                !cluster.fits_without(&others, &high, &node),
                "seed {seed}: {kept} of {gone:?} need not leave {node}"
            );
        }
    }
    assert!(found > 50, "only {found} clusters had victims");
}
