use alloc::string::String;

use super::*;
use crate::api::PodResourceClaim;
use crate::framework::status::Code;
use crate::make::{node, pod};
use crate::plugins::tests::World;

const PLUGIN: DynamicResources = DynamicResources {
    has_extended_resources: true,
};

#[test]
fn a_pod_without_claims_is_skipped_and_has_none_to_deallocate() {
    let world = World::new(&[node("n").build()], &[]);
    let pod = PodInfo::new(pod("a").build());
    assert!(world.filter(&PLUGIN, &pod, "n").is_skip());
    let mut state = CycleState::default();
    PLUGIN.pre_filter(&world.cycle(), &mut state, &pod);
    let status = after_filter(&state, &pod);
    assert_eq!(status.code, Code::Unschedulable);
    assert_eq!(status.message(), "no new claims to deallocate");
}

#[test]
fn an_attempt_that_ended_before_it_leaves_not_found() {
    let pod = PodInfo::new(pod("a").build());
    let status = after_filter(&CycleState::default(), &pod);
    assert_eq!(
        (status.code, &*status.message()),
        (Code::Error, "not found")
    );
}

#[test]
fn a_pod_with_claims_is_not_placed_as_if_it_had_none() {
    let mut world = World::new(&[node("n").build()], &[]);
    world.listers.insert(&claim("g").into());
    let status = world.filter(&PLUGIN, &wanting("a", &["g"]), "n");
    assert_eq!(status.code, Code::UnschedulableAndUnresolvable);
    assert_eq!(
        status.message(),
        "resource claims are not allocated by this scheduler yet"
    );
}

fn claim(name: &str) -> ResourceClaim {
    ResourceClaim {
        metadata: crate::api::ObjectMeta::namespaced("default", name),
        ..ResourceClaim::default()
    }
}

/// A claim with a device that can be used from a node, or from everywhere.
fn allocated(name: &str, node: Option<&str>) -> ResourceClaim {
    let field = |node: &str| crate::api::NodeSelectorRequirement {
        key: "metadata.name".into(),
        operator: "In".into(),
        values: alloc::vec![node.into()],
    };
    let selector = node.map(|node| crate::api::NodeSelector {
        node_selector_terms: alloc::vec![crate::api::NodeSelectorTerm {
            match_fields: alloc::vec![field(node)],
            ..Default::default()
        }],
    });
    let mut claim = claim(name);
    claim.status.allocation = Some(crate::api::AllocationResult {
        node_selector: selector,
        ..Default::default()
    });
    claim
}

fn wanting(name: &str, claims: &[&str]) -> PodInfo {
    let entry = |claim: &&str| PodResourceClaim {
        name: (*claim).into(),
        resource_claim_name: Some((*claim).into()),
        ..PodResourceClaim::default()
    };
    let claims: Vec<PodResourceClaim> = claims.iter().map(entry).collect();
    PodInfo::new(
        pod(name)
            .with(|pod| pod.spec.resource_claims = claims)
            .build(),
    )
}

#[test]
fn allocated_claims_are_usable_from_their_nodes_and_the_pod_becomes_their_user() {
    let mut world = World::new(&[node("m").build(), node("n").build()], &[]);
    world.listers.insert(&allocated("everywhere", None).into());
    world.listers.insert(&allocated("bound", Some("n")).into());
    let pod = wanting("a", &["everywhere", "bound"]);
    assert!(world.filter(&PLUGIN, &pod, "n").is_success());
    assert_eq!(
        world.filter(&PLUGIN, &pod, "m").message(),
        "resourceclaim not available on the node"
    );
    let mut state = CycleState::default();
    PLUGIN.pre_filter(&world.cycle(), &mut state, &pod);
    let mut memory = PluginMemory::default();
    let mut users = Vec::new();
    let cx = BindContext {
        now: crate::time::Timestamp::ZERO,
        listers: &world.listers,
    };
    let flight = PLUGIN.pre_flight(&cx, &state, &pod, "n");
    assert!(flight.status.is_success() && flight.allow_parallel);
    let mut step = PLUGIN.pre_bind(&cx, &mut memory, &mut state, &pod, "n");
    while let PreBindStep::Work(Work::UpdateResourceClaim { claim }) = step {
        let last = claim.status.reserved_for.last().expect("a user");
        users.push((claim.metadata.name.clone(), last.uid.clone()));
        let done = Outcome::Done;
        step = PLUGIN.resume(&cx, &mut memory, &mut state, &pod, "n", Some(&done));
    }
    assert!(matches!(step, PreBindStep::Done(status) if status.is_success()));
    let uid = String::from(&*pod.reference.uid);
    assert_eq!(
        users,
        [
            ("everywhere".into(), uid.clone()),
            ("bound".into(), uid.clone())
        ]
    );
    let undo = PLUGIN.unreserve(&cx, &mut memory, &mut state, &pod, "n");
    assert_eq!(left(&undo), ["everywhere", "bound"]);
}

/// The claims whose users the pod leaves.
fn left(undo: &[Work]) -> Vec<&str> {
    let mut names = Vec::new();
    for work in undo {
        let Work::UnreserveResourceClaim { claim, .. } = work else {
            panic!("{work:?} undoes nothing");
        };
        names.push(claim.metadata.name.as_str());
    }
    names
}

#[test]
fn a_pod_leaves_the_users_of_claims_that_it_was_among_or_was_to_be_entered_in() {
    let mut world = World::new(&[node("n").build()], &[]);
    let pod = wanting("a", &["first", "second", "third"]);
    let user = || ResourceClaimConsumerReference {
        uid: (*pod.reference.uid).into(),
        ..ResourceClaimConsumerReference::default()
    };
    for name in ["first", "second", "third"] {
        let mut claim = allocated(name, None);
        if name == "third" {
            claim.status.reserved_for.push(user());
        }
        world.listers.insert(&claim.into());
    }
    let mut state = CycleState::default();
    PLUGIN.pre_filter(&world.cycle(), &mut state, &pod);
    let mut memory = PluginMemory::default();
    let cx = BindContext {
        now: crate::time::Timestamp::ZERO,
        listers: &world.listers,
    };
    let undo = PLUGIN.unreserve(&cx, &mut memory, &mut state, &pod, "n");
    assert_eq!(left(&undo), ["third"], "nothing was written yet");
    // The answer has not come, or was lost: the pod may be in.
    let step = PLUGIN.pre_bind(&cx, &mut memory, &mut state, &pod, "n");
    assert!(matches!(step, PreBindStep::Work(_)));
    let undo = PLUGIN.unreserve(&cx, &mut memory, &mut state, &pod, "n");
    assert_eq!(left(&undo), ["first", "third"]);
}

#[test]
fn a_pod_that_is_a_user_already_is_entered_once() {
    let mut world = World::new(&[node("n").build()], &[]);
    let pod = wanting("a", &["g"]);
    let mut claim = allocated("g", None);
    for uid in [&*pod.reference.uid, "other"] {
        claim
            .status
            .reserved_for
            .push(ResourceClaimConsumerReference {
                uid: uid.into(),
                ..ResourceClaimConsumerReference::default()
            });
    }
    world.listers.insert(&claim.into());
    let mut state = CycleState::default();
    PLUGIN.pre_filter(&world.cycle(), &mut state, &pod);
    let cx = BindContext {
        now: crate::time::Timestamp::ZERO,
        listers: &world.listers,
    };
    let step = PLUGIN.pre_bind(&cx, &mut PluginMemory::default(), &mut state, &pod, "n");
    let PreBindStep::Work(Work::UpdateResourceClaim { claim }) = step else {
        panic!("{step:?} enters nobody");
    };
    let users = claim.status.reserved_for.iter().map(|user| &*user.uid);
    assert_eq!(
        users.collect::<Vec<_>>(),
        ["other", &*pod.reference.uid],
        "last, as the one who is meant"
    );
}

#[test]
fn a_claim_that_is_not_there_keeps_a_pod_out_of_the_queue_and_the_reason_is_in_words() {
    let mut world = World::new(&[node("n").build()], &[]);
    let check = |world: &World, pod: &PodInfo, expected: &str| {
        let status = PLUGIN.pre_enqueue(&world.queue(), pod);
        assert_eq!(status.message(), expected);
        assert_eq!(world.filter(&PLUGIN, pod, "n").message(), expected);
    };
    let by_name = wanting("a", &["g"]);
    let missing = "could not find ResourceClaim \"default/g\"";
    check(&world, &by_name, missing);
    let made = |name: Option<&str>| {
        let name = name.map(|name| crate::api::PodResourceClaimStatus {
            name: "gpu".into(),
            resource_claim_name: Some(name.into()),
        });
        PodInfo::new(
            pod("a")
                .with(|pod| {
                    pod.spec.resource_claims.push(PodResourceClaim {
                        name: "gpu".into(),
                        resource_claim_template_name: Some("t".into()),
                        ..PodResourceClaim::default()
                    });
                    pod.status.resource_claim_statuses.extend(name);
                })
                .build(),
        )
    };
    let not_yet = "pod \"default/a\": ResourceClaim not created yet";
    check(&world, &made(None), not_yet);
    world.listers.insert(&allocated("g", None).into());
    assert!(PLUGIN.pre_enqueue(&world.queue(), &by_name).is_success());
    let foreign = "ResourceClaim default/g was not created for Pod default/a (Pod is not owner)";
    check(&world, &made(Some("g")), foreign);
    let mut going = allocated("g", None);
    going.metadata.deletion_timestamp = Some(crate::api::Time::default());
    world.listers.insert(&going.into());
    check(&world, &by_name, "resourceclaim \"g\" is being deleted");
    let mut neither = Pod::clone(&wanting("a", &["g"]).pod);
    neither.spec.resource_claims[0].resource_claim_name = None;
    check(
        &world,
        &PodInfo::new(Arc::new(neither)),
        "pod \"default/a\", spec.resourceClaim \"g\": none of the supported fields are set",
    );
}

#[test]
fn a_resource_that_only_devices_could_give_is_not_given_silently() {
    let mut world = World::new(
        &[
            node("listed").resource("example.com/gpu", "2").build(),
            node("devices").build(),
        ],
        &[],
    );
    let wanting = PodInfo::new(pod("a").request("example.com/gpu", "1").build());
    let check = |world: &World, pod: &PodInfo, node: &str| world.filter(&PLUGIN, pod, node);
    assert!(check(&world, &wanting, "devices").is_skip());
    let class = crate::api::DeviceClass {
        metadata: crate::api::ObjectMeta::named("gpu"),
        spec: crate::api::DeviceClassSpec {
            extended_resource_name: Some("example.com/gpu".into()),
            ..Default::default()
        },
    };
    world.listers.insert(&class.into());
    assert!(check(&world, &wanting, "listed").is_success());
    let status = check(&world, &wanting, "devices");
    assert_eq!(status.code, Code::UnschedulableAndUnresolvable);
    assert_eq!(
        status.message(),
        "devices for example.com/gpu are not allocated by this scheduler yet"
    );
    let other = PodInfo::new(pod("b").request("example.com/disk", "1").build());
    assert!(check(&world, &other, "devices").is_skip());
    let mut state = CycleState::default();
    PLUGIN.pre_filter(&world.cycle(), &mut state, &wanting);
    assert_eq!(
        after_filter(&state, &wanting).message(),
        "still not schedulable"
    );
}
