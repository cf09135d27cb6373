//! Which pods have a signature, and which ones share it.

use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use serde_json::{Value, json};

use crate::api::{DeviceClass, Object, Pod, Volume};
use crate::config::{
    Configuration, DefaultingType, InterPodAffinityArgs, PluginArgs, PluginConfig,
    PodTopologySpreadArgs,
};
use crate::framework::profiles::Profiles;
use crate::make::{PodBuilder, affinity_term, pod, selector};
use crate::plugins::in_tree;
use crate::snapshot::{Listers, PodInfo};

fn profiles(args: Vec<(&str, PluginArgs)>) -> Profiles {
    let mut config = Configuration::default();
    for (name, args) in args {
        let config = &mut config.profiles[0].plugin_config;
        config.retain(|entry| entry.name != name);
        config.push(PluginConfig {
            name: name.to_string(),
            args,
        });
    }
    Profiles::new(&config.profiles, &in_tree(), &config.gates).expect("this profile is fine")
}

/// The default plugins, but no pod is spread that does not say so.
fn unspread() -> (&'static str, PluginArgs) {
    let args = PodTopologySpreadArgs {
        default_constraints: Vec::new(),
        defaulting_type: DefaultingType::List,
    };
    ("PodTopologySpread", PluginArgs::PodTopologySpread(args))
}

fn sign(profiles: &Profiles, pod: PodBuilder) -> Option<String> {
    let pod = PodInfo::new(pod.build());
    profiles.first().sign(&Listers::default(), &pod)
}

fn plain(name: &str) -> PodBuilder {
    pod(name).cpu("500m").memory("256Mi").label("app", "web")
}

#[test]
fn with_the_default_configuration_no_pod_has_a_signature() {
    let profiles = profiles(Vec::new());
    assert_eq!(sign(&profiles, pod("a")), None);
    assert_eq!(sign(&profiles, plain("a")), None);
}

#[test]
fn the_parts_have_kube_schedulers_names() {
    let text = sign(&profiles([unspread()].into()), plain("a")).expect("a signature");
    let signature: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(
        signature,
        json!({
            "v1.Pod.Labels": {"app": "web"},
            "v1.Pod.Spec.Affinity.NodeAffinity": null,
            "v1.Pod.Spec.Affinity.NodeSelector": {},
            "v1.Pod.Spec.CanonicalImageNames()": ["app:latest"],
            "v1.Pod.Spec.ContainerRequestsAndOverheads()": {
                "milli_cpu": 500, "memory": 268_435_456, "ephemeral_storage": 0, "allowed_pods": 0, "scalars": {},
            },
            "v1.Pod.Spec.HostPorts()": [],
            "v1.Pod.Spec.NodeName": "",
            "v1.Pod.Spec.RequiredFeatures()": [],
            "v1.Pod.Spec.SchedulerName": "default-scheduler",
            "v1.Pod.Spec.Tolerations": [],
            "v1.Pod.Spec.Volumes.NonSyntheticSources()": [],
        })
    );
}

#[test]
fn pods_that_differ_only_in_name_or_order_share_a_signature() {
    let profiles = profiles([unspread()].into());
    let same = |one: PodBuilder, two: PodBuilder| {
        let signature = sign(&profiles, one);
        assert!(signature.is_some());
        assert_eq!(signature, sign(&profiles, two));
    };
    same(
        plain("a"),
        plain("b").namespace("other").created(9).priority(7),
    );
    same(
        plain("a")
            .tolerates("a", "1", "")
            .tolerates("b", "", "NoSchedule"),
        plain("b")
            .tolerates("b", "", "NoSchedule")
            .tolerates("a", "1", ""),
    );
    same(
        plain("a")
            .needs_node("x", "In", &["1", "2"])
            .needs_node("y", "Exists", &[]),
        plain("b")
            .needs_node("y", "Exists", &[])
            .needs_node("x", "In", &["2", "1"]),
    );
    same(
        plain("a")
            .prefers_node(1, "x", "Exists", &[])
            .prefers_node(2, "y", "Exists", &[]),
        plain("b")
            .prefers_node(2, "y", "Exists", &[])
            .prefers_node(1, "x", "Exists", &[]),
    );
    same(
        plain("a").host_port(1).host_port(2),
        plain("b").host_port(2).host_port(1),
    );
    same(
        plain("a").image("registry/web"),
        plain("b").image("registry/web:latest"),
    );
    same(
        plain("a"),
        plain("b").with(volumes(json!([
            {"name": "v", "configMap": {"name": "c"}}, {"name": "w", "secret": {"secretName": "s"}},
        ]))),
    );
    same(
        plain("a").with(volumes(
            json!([{"name": "v", "emptyDir": {}}, {"name": "w", "nfs": {"path": "/"}}]),
        )),
        plain("b").with(volumes(
            json!([{"name": "x", "nfs": {"path": "/"}}, {"name": "y", "emptyDir": {}}]),
        )),
    );
}

fn volumes(volumes: Value) -> impl FnOnce(&mut Pod) {
    let volumes: Vec<Volume> = serde_json::from_value(volumes).expect("volumes");
    move |pod| pod.spec.volumes = volumes
}

#[test]
fn pods_that_a_plugin_tells_apart_do_not_share_a_signature() {
    let profiles = profiles([unspread()].into());
    let variants = [
        plain("a"),
        plain("a").cpu("501m"),
        plain("a").request("example.com/gpu", "1"),
        plain("a").overhead(&[("memory", "1Mi")]),
        plain("a").label("app", "db"),
        plain("a").tolerates("dedicated", "db", "NoSchedule"),
        plain("a").image("other"),
        plain("a").init_container(&[]).with(|pod| {
            pod.spec.init_containers[0].image = "other".to_string();
        }),
        plain("a").host_port(80),
        plain("a").host_port(81),
        plain("a").node_selector("disk", "ssd"),
        plain("a").needs_node("disk", "In", &["ssd"]),
        plain("a").prefers_node(1, "disk", "In", &["ssd"]),
        plain("a").prefers_node(2, "disk", "In", &["ssd"]),
        plain("a").claim("data"),
        plain("a").claim("logs"),
        plain("a").with(volumes(json!([{"name": "v", "emptyDir": {}}]))),
        plain("a").with(|pod| {
            pod.spec.host_network = true;
            pod.spec.host_users = Some(false);
        }),
        plain("a").node("n1"),
    ];
    let mut signatures: Vec<String> = variants
        .into_iter()
        .map(|pod| sign(&profiles, pod).expect("a signature"))
        .collect();
    let count = signatures.len();
    signatures.sort();
    signatures.dedup();
    assert_eq!(signatures.len(), count);
}

#[test]
fn pods_whose_place_depends_on_other_pods_have_no_signature() {
    let profiles = profiles([unspread()].into());
    let term = || affinity_term("zone", "app", "web");
    let claims = json!([{"name": "gpu", "resourceClaimName": "c"}]);
    for refused in [
        plain("a").needs_pods(term()),
        plain("a").avoids_pods(term()),
        plain("a").prefers_pods(1, term()),
        plain("a").spread(1, "zone", "ScheduleAnyway", selector("app", "web")),
        plain("a").with(|pod| {
            pod.spec.resource_claims = serde_json::from_value(claims).expect("claims");
        }),
    ] {
        assert_eq!(sign(&profiles, refused), None);
    }
}

#[test]
fn labels_do_not_count_where_preferences_of_other_pods_do_not() {
    let args = InterPodAffinityArgs {
        ignore_preferred_terms_of_existing_pods: true,
        ..InterPodAffinityArgs::default()
    };
    let affinity = ("InterPodAffinity", PluginArgs::InterPodAffinity(args));
    let profiles = profiles([unspread(), affinity].into());
    let signature = sign(&profiles, plain("a"));
    assert!(signature.is_some());
    assert_eq!(signature, sign(&profiles, plain("b").label("app", "db")));
}

#[test]
fn a_resource_that_devices_stand_for_leaves_no_signature() {
    let profiles = profiles([unspread()].into());
    let class: DeviceClass = serde_json::from_value(json!({
        "metadata": {"name": "gpu"}, "spec": {"extendedResourceName": "example.com/gpu"},
    }))
    .expect("a class");
    let mut listers = Listers::default();
    listers.insert(&Object::DeviceClass(Arc::new(class)));
    let sign = |pod: PodBuilder| {
        let pod = PodInfo::new(pod.build());
        profiles.first().sign(&listers, &pod)
    };
    assert_eq!(sign(plain("a").request("example.com/gpu", "1")), None);
    assert!(sign(plain("a").request("example.com/gpu", "0")).is_some());
    assert!(sign(plain("a").request("example.com/nic", "1")).is_some());
}
