//! Tests of how a pod is held back, of what DefaultPreemption says, and of dry runs with the real plugins.

mod dry_run;

use alloc::string::String;

use crate::api::Pod;
use crate::framework::status::Code;
use crate::make::pod;
use crate::snapshot::memory::LastVictim;
use crate::snapshot::{Listers, PluginMemory};
use crate::time::Timestamp;

use super::*;

fn plugin(gates: Gates) -> Arc<dyn Plugin> {
    let args = PluginArgs::default_for("DefaultPreemption", gates).unwrap();
    DefaultPreemption::build(&args, &gates).unwrap()
}

fn synchronous() -> Gates {
    Gates::parse("SchedulerAsyncPreemption=false").unwrap()
}

/// Whether the pod `high` is held back.
fn is_held(gates: Gates, memory: &PluginMemory, observed: &[Arc<Pod>]) -> bool {
    let mut listers = Listers::default();
    for pod in observed {
        listers.pods.insert(pod.clone());
    }
    let cx = QueueContext {
        now: Timestamp::ZERO,
        listers: &listers,
        memory,
    };
    let plugin = plugin(gates);
    let gate = plugin.as_pre_enqueue().unwrap();
    let status = gate.pre_enqueue(&cx, &PodInfo::new(pod("high").build()));
    if status.is_success() {
        return false;
    }
    assert_eq!(status.code, Code::UnschedulableAndUnresolvable);
    assert_eq!(
        status.message(),
        "waiting for the preemption for this pod to be finished"
    );
    true
}

fn preempting(last: Option<&str>) -> PluginMemory {
    let mut memory = PluginMemory::default();
    let last = last.map(|name| LastVictim {
        namespace: Arc::from("default"),
        name: Arc::from(name),
        uid: Arc::from(["default/", name].concat()),
    });
    memory.preempting.insert(Arc::from("default/high"), last);
    memory
}

#[test]
fn a_pod_is_held_while_its_victims_are_being_removed() {
    let gates = Gates::default();
    assert!(!is_held(gates, &PluginMemory::default(), &[]));
    assert!(is_held(gates, &preempting(None), &[]));
    let victim = pod("victim").node("n1");
    assert!(is_held(
        gates,
        &preempting(Some("victim")),
        &[victim.build()]
    ));
}

#[test]
fn a_pod_is_let_go_once_its_last_victim_is_leaving_or_gone() {
    let gates = Gates::default();
    let memory = preempting(Some("victim"));
    let victim = || pod("victim").node("n1");
    assert!(!is_held(gates, &memory, &[]));
    assert!(!is_held(gates, &memory, &[victim().terminating(3).build()]));
    // Another pod of that name is not the victim.
    assert!(!is_held(gates, &memory, &[victim().uid("again").build()]));
}

#[test]
fn other_pods_are_not_held() {
    let mut memory = PluginMemory::default();
    memory.preempting.insert(Arc::from("default/other"), None);
    assert!(!is_held(Gates::default(), &memory, &[]));
}

#[test]
fn without_asynchronous_preemption_nothing_is_held_or_waited_for() {
    assert!(!is_held(synchronous(), &preempting(None), &[]));
    assert_eq!(plugin(synchronous()).events(), Some(&[][..]));
}

#[test]
fn the_deletion_of_a_pod_never_queues() {
    let plugin = plugin(Gates::default());
    let events = plugin.events().unwrap();
    let event = ClusterEvent::new(EventResource::Pod, ActionType::DELETE);
    assert_eq!(events.len(), 1);
    assert_eq!(events[0].event, event);
    let (listers, memory) = (Listers::default(), PluginMemory::default());
    let cx = QueueContext {
        now: Timestamp::ZERO,
        listers: &listers,
        memory: &memory,
    };
    let pod = PodInfo::new(pod("high").build());
    let hint = plugin.queueing_hint(&cx, &event, &pod, None, None);
    assert_eq!(hint, Ok(QueueingHint::QueueSkip));
}

#[test]
fn what_is_said_says_where_it_comes_from() {
    let say = |status| match signed(PostFilterStep::Done(PostFiltered {
        status,
        ..PostFiltered::default()
    })) {
        PostFilterStep::Done(done) => (done.status.code, done.status.message()),
        PostFilterStep::Consult(_) => panic!("nothing to consult about"),
    };
    let no = Status::unschedulable(Reason::from("no"));
    assert_eq!(
        say(no),
        (Code::Unschedulable, String::from("preemption: no"))
    );
    assert_eq!(
        say(Status::error("bad")),
        (Code::Error, String::from("preemption: bad"))
    );
    assert_eq!(say(Status::success()), (Code::Success, String::new()));
}
