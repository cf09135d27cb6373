use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use serde_json::{Value, json};

use super::VolumeBinding;
use crate::api::{
    Node, Object, ObjectKey, PersistentVolume, PersistentVolumeClaim, Pod, StorageClass,
};
use crate::framework::cycle_state::CycleState;
use crate::framework::extension::{
    BindContext, CycleContext, Filter, PreBind, PreBindStep, PreFilter, Reserve, Verdicts,
};
use crate::framework::status::{Code, Status};
use crate::framework::work::{Failure, FailureKind, Outcome, Work};
use crate::rng::{Rng, Seed};
use crate::snapshot::{Listers, NodeInfo, PluginMemory, PodInfo, Snapshot};
use crate::time::{Span, Timestamp};

fn read<T: serde::de::DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).expect("an object")
}

fn plugin() -> VolumeBinding {
    VolumeBinding {
        bind_timeout: Span::from_secs(10),
        curve: None,
    }
}

fn class(name: &str, provisioner: &str) -> Object {
    read::<StorageClass>(json!({
        "metadata": {"name": name},
        "provisioner": provisioner,
        "volumeBindingMode": "WaitForFirstConsumer",
    }))
    .into()
}

fn claim(name: &str, class: &str, size: &str) -> Value {
    json!({
        "metadata": {
            "name": name, "namespace": "default", "uid": name, "resourceVersion": "1",
            "annotations": {"made-by": "a person"},
        },
        "spec": {
            "storageClassName": class,
            "accessModes": ["ReadWriteOnce"],
            "resources": {"requests": {"storage": size}},
        },
    })
}

fn volume(name: &str, size: &str, node: Option<&str>) -> Value {
    let mut volume = json!({
        "metadata": {"name": name, "resourceVersion": "1"},
        "spec": {
            "storageClassName": "local",
            "accessModes": ["ReadWriteOnce"],
            "capacity": {"storage": size},
        },
        "status": {"phase": "Available"},
    });
    if let Some(node) = node {
        volume["spec"]["nodeAffinity"] = json!({"required": {"nodeSelectorTerms": [{
            "matchExpressions": [{"key": "kubernetes.io/hostname", "operator": "In", "values": [node]}],
        }]}});
    }
    volume
}

fn pod(claims: &[&str]) -> Arc<PodInfo> {
    let volumes: Vec<Value> = claims
        .iter()
        .map(|name| json!({"name": name, "persistentVolumeClaim": {"claimName": name}}))
        .collect();
    let pod: Pod = read(json!({
        "metadata": {"name": "p", "namespace": "default", "uid": "p"},
        "spec": {"volumes": volumes},
    }));
    Arc::new(PodInfo::new(Arc::new(pod)))
}

/// A binding under way on `node-1`.
struct Bench {
    listers: Listers,
    memory: PluginMemory,
    state: CycleState,
    pod: Arc<PodInfo>,
    now: Timestamp,
}

impl Bench {
    fn new(objects: Vec<Object>, claims: &[&str]) -> Self {
        let pod = pod(claims);
        let mut listers = Listers::default();
        for object in objects {
            listers.insert(&object);
        }
        listers.insert(&Object::Pod(pod.pod.clone()));
        let node =
            json!({"metadata": {"name": "node-1", "labels": {"kubernetes.io/hostname": "node-1"}}});
        listers.insert(&Object::from(read::<Node>(node)));
        Self {
            listers,
            memory: PluginMemory::default(),
            state: CycleState::default(),
            pod,
            now: Timestamp::default(),
        }
    }

    fn reserve(&mut self) -> Status {
        let cx = BindContext {
            now: self.now,
            listers: &self.listers,
        };
        plugin().reserve(&cx, &mut self.memory, &mut self.state, &self.pod, "node-1")
    }

    fn unreserve(&mut self) {
        let cx = BindContext {
            now: self.now,
            listers: &self.listers,
        };
        let undo = plugin().unreserve(&cx, &mut self.memory, &mut self.state, &self.pod, "node-1");
        assert!(undo.is_empty(), "what is written is not taken back");
    }

    fn pre_flight(&self) -> Status {
        let cx = BindContext {
            now: self.now,
            listers: &self.listers,
        };
        plugin()
            .pre_flight(&cx, &self.state, &self.pod, "node-1")
            .status
    }

    /// Begins and returns what is to be written.
    fn pre_bind(&mut self) -> (Vec<Arc<PersistentVolume>>, Vec<Arc<PersistentVolumeClaim>>) {
        let cx = BindContext {
            now: self.now,
            listers: &self.listers,
        };
        let step = plugin().pre_bind(&cx, &mut self.memory, &mut self.state, &self.pod, "node-1");
        match step {
            PreBindStep::Work(Work::UpdateVolumes { volumes, claims }) => (volumes, claims),
            other => panic!("{other:?}"),
        }
    }

    /// Goes on after `seconds`: `waits`, `bound`, or the text of the failure.
    fn resume(&mut self, seconds: i64, outcome: Option<Outcome>) -> String {
        self.now += Span::from_secs(seconds);
        let cx = BindContext {
            now: self.now,
            listers: &self.listers,
        };
        let (memory, state) = (&mut self.memory, &mut self.state);
        let step = plugin().resume(&cx, memory, state, &self.pod, "node-1", outcome.as_ref());
        match step {
            PreBindStep::WaitUntil(at) => {
                assert!(at > self.now && at <= self.now + Span::from_secs(1));
                "waits".to_string()
            }
            PreBindStep::Done(status) if status.is_success() => "bound".to_string(),
            PreBindStep::Done(status) => {
                assert_eq!(status.code, Code::Error);
                status.message()
            }
            other => panic!("{other:?}"),
        }
    }

    fn observe(&mut self, object: Object) {
        self.listers.insert(&object);
        self.memory.volumes.observe(&object);
    }

    fn is_assumed(&self, volume: &str) -> bool {
        let volume = self.memory.volumes.volume(&self.listers, volume);
        volume.is_some_and(|volume| volume.spec.claim_ref.is_some())
    }
}

fn with_local_volume() -> Bench {
    let objects = alloc::vec![
        class("local", "kubernetes.io/no-provisioner"),
        read::<PersistentVolumeClaim>(claim("c", "local", "1Gi")).into(),
        read::<PersistentVolume>(volume("pv", "1Gi", Some("node-1"))).into(),
    ];
    Bench::new(objects, &["c"])
}

fn with_provisioner() -> Bench {
    let objects = alloc::vec![
        class("made", "a.example.com"),
        read::<PersistentVolumeClaim>(claim("c", "made", "1Gi")).into(),
    ];
    Bench::new(objects, &["c"])
}

#[test]
fn a_local_volume_is_given_to_the_claim_and_awaited() {
    let mut bench = with_local_volume();
    assert!(bench.reserve().is_success());
    assert!(bench.is_assumed("pv"));
    assert!(bench.pre_flight().is_success());
    let (volumes, claims) = bench.pre_bind();
    assert!(claims.is_empty());
    let [written] = volumes.as_slice() else {
        panic!("one volume is written");
    };
    let given = written.spec.claim_ref.clone().expect("given to the claim");
    assert_eq!(
        (&*given.namespace, &*given.name, &*given.uid),
        ("default", "c", "c")
    );
    assert_eq!(
        written.metadata.annotations["pv.kubernetes.io/bound-by-controller"],
        "yes"
    );
    assert_eq!(bench.resume(0, Some(Outcome::Done)), "waits");
    let mut stored = PersistentVolume::clone(written);
    stored.metadata.resource_version = String::from("2");
    bench.observe(stored.into());
    assert_eq!(bench.resume(1, None), "waits");
    let mut bound = claim("c", "local", "1Gi");
    bound["spec"]["volumeName"] = json!("pv");
    bound["metadata"]["annotations"] = json!({"pv.kubernetes.io/bind-completed": "yes"});
    bench.observe(read::<PersistentVolumeClaim>(bound).into());
    assert_eq!(bench.resume(1, None), "bound");
}

#[test]
fn a_volume_is_made_for_the_node_that_was_chosen() {
    let mut bench = with_provisioner();
    assert!(bench.reserve().is_success());
    let (volumes, claims) = bench.pre_bind();
    assert!(volumes.is_empty());
    let [written] = claims.as_slice() else {
        panic!("one claim is written");
    };
    assert_eq!(
        written.metadata.annotations["volume.kubernetes.io/selected-node"],
        "node-1"
    );
    assert_eq!(bench.resume(0, Some(Outcome::Done)), "waits");
    let mut made = PersistentVolumeClaim::clone(written);
    made.metadata.resource_version = String::from("2");
    bench.observe(made.clone().into());
    assert_eq!(bench.resume(1, None), "waits");
    made.metadata.resource_version = String::from("3");
    made.spec.volume_name = String::from("new");
    let complete = String::from("pv.kubernetes.io/bind-completed");
    made.metadata
        .annotations
        .insert(complete, String::from("yes"));
    bench.observe(made.into());
    assert_eq!(
        bench.resume(1, None),
        "waits",
        "the new volume is not seen yet"
    );
    bench.observe(read::<PersistentVolume>(volume("new", "1Gi", Some("node-1"))).into());
    assert_eq!(bench.resume(1, None), "bound");
}

#[test]
fn binding_is_given_up_in_upstreams_words() {
    type Spoil = fn(&mut Bench);
    type SpoilClaim = fn(&mut Value);
    let of_volume: [(Spoil, &str); 3] = [
        (
            |bench| {
                let reset = read::<PersistentVolume>({
                    let mut reset = volume("pv", "1Gi", Some("node-1"));
                    reset["metadata"]["resourceVersion"] = json!("2");
                    reset
                });
                bench.observe(reset.into());
            },
            "binding volumes: ClaimRef got reset for pv \"pv\"",
        ),
        (
            |bench| {
                let moved = read::<PersistentVolume>({
                    let mut moved = volume("pv", "1Gi", Some("node-2"));
                    moved["metadata"]["resourceVersion"] = json!("2");
                    moved
                });
                bench.observe(moved.into());
            },
            "binding volumes: pv \"pv\" node affinity doesn't match node \"node-1\": no matching NodeSelectorTerms",
        ),
        (
            |bench| {
                let key = ObjectKey::new(crate::api::Kind::Pod, "default", "p");
                bench.listers.remove(&key);
            },
            "binding volumes: pod does not exist any more: pod \"p\" not found",
        ),
    ];
    for (spoil, text) in of_volume {
        let mut bench = with_local_volume();
        bench.reserve();
        bench.pre_bind();
        spoil(&mut bench);
        assert_eq!(bench.resume(0, Some(Outcome::Done)), text);
    }
    let of_claim: [(SpoilClaim, &str); 2] = [
        (
            |claim| claim["metadata"]["annotations"] = Value::Null,
            "binding volumes: selectedNode annotation reset for PVC \"c\"",
        ),
        (|_| {}, "binding volumes: provisioning failed for PVC \"c\""),
    ];
    for (spoil, text) in of_claim {
        let mut bench = with_provisioner();
        bench.reserve();
        bench.pre_bind();
        let mut changed = claim("c", "made", "1Gi");
        changed["metadata"]["resourceVersion"] = json!("2");
        spoil(&mut changed);
        bench.observe(read::<PersistentVolumeClaim>(changed).into());
        assert_eq!(bench.resume(0, Some(Outcome::Done)), text);
    }
}

#[test]
fn binding_waits_no_longer_than_it_may() {
    let mut bench = with_local_volume();
    bench.reserve();
    bench.pre_bind();
    assert_eq!(bench.resume(0, Some(Outcome::Done)), "waits");
    assert_eq!(bench.resume(9, None), "waits");
    assert_eq!(
        bench.resume(1, None),
        "binding volumes: context deadline exceeded"
    );
}

#[test]
fn a_write_that_fails_is_passed_on() {
    let mut bench = with_local_volume();
    bench.reserve();
    bench.pre_bind();
    let failure = Failure {
        kind: FailureKind::Conflict,
        message: String::from("the object has been modified"),
    };
    assert_eq!(
        bench.resume(0, Some(Outcome::Failed(failure))),
        "the object has been modified"
    );
    bench.unreserve();
    assert!(!bench.is_assumed("pv"));
}

#[test]
fn two_pods_do_not_take_one_volume() {
    let mut bench = with_local_volume();
    bench
        .listers
        .insert(&read::<PersistentVolumeClaim>(claim("d", "local", "1Gi")).into());
    assert!(bench.reserve().is_success());
    let first = bench.state.clone();
    bench.pod = pod(&["d"]);
    bench.state = CycleState::default();
    let status = bench.reserve();
    assert!(status.is_rejected(), "{status:?}");
    assert_eq!(
        status.message(),
        "node(s) didn't find available persistent volumes to bind"
    );
    bench.state = first;
    bench.unreserve();
    bench.state = CycleState::default();
    assert!(bench.reserve().is_success());
}

#[test]
fn nothing_is_done_for_claims_that_have_their_volumes() {
    let mut bound = claim("c", "local", "1Gi");
    bound["spec"]["volumeName"] = json!("pv");
    bound["metadata"]["annotations"] = json!({"pv.kubernetes.io/bind-completed": "yes"});
    let objects = alloc::vec![
        class("local", "kubernetes.io/no-provisioner"),
        read::<PersistentVolumeClaim>(bound).into(),
        read::<PersistentVolume>(volume("pv", "1Gi", None)).into(),
    ];
    for (mut bench, claims) in [
        (Bench::new(objects, &["c"]), true),
        (Bench::new(Vec::new(), &[]), false),
    ] {
        assert!(bench.reserve().is_success(), "{claims}");
        assert!(bench.pre_flight().is_skip());
    }
    let bench = with_local_volume();
    assert_eq!(
        bench.pre_flight().message(),
        "no pod volume found for node \"node-1\""
    );
}

#[test]
fn many_candidates_are_looked_up_as_they_would_be_tried() {
    for seed in 0..100 {
        let mut rng = Rng::new(Seed(seed));
        let mut listers = Listers::default();
        listers.insert(&class("local", "kubernetes.io/no-provisioner"));
        let names: Vec<String> = (0..5).map(|number| format!("node-{number}")).collect();
        let rows = names.iter().map(|name| {
            let labels = json!({"kubernetes.io/hostname": name});
            let node: Node = read(json!({"metadata": {"name": name, "labels": labels}}));
            Arc::new(NodeInfo::new(Arc::new(node)))
        });
        let rows = rows.collect();
        let mut snapshot = Snapshot::default();
        snapshot.set_rows(rows);
        for number in 0..80 {
            let node = rng.below(6);
            let node = names
                .get(usize::try_from(node).expect("small"))
                .map(String::as_str);
            let size = format!("{}Gi", 1 + rng.below(3));
            // A volume anywhere is rare: it would serve every node.
            let is_left_out = node.is_none() && rng.below(4) > 0;
            if is_left_out || rng.below(2) == 0 {
                continue;
            }
            let volume = volume(&format!("pv-{number:02}"), &size, node);
            listers.insert(&read::<PersistentVolume>(volume).into());
        }
        let claims = ["a", "b", "c"];
        for name in claims {
            let size = format!("{}Gi", 1 + rng.below(3));
            let claim = claim(name, "local", &size);
            listers.insert(&read::<PersistentVolumeClaim>(claim).into());
        }
        let pod = pod(&claims);
        let memory = PluginMemory::default();
        let cx = CycleContext {
            now: Timestamp::default(),
            snapshot: &snapshot,
            listers: &listers,
            memory: &memory,
        };
        let mut state = CycleState::default();
        assert!(
            plugin()
                .pre_filter(&cx, &mut state, &pod)
                .status
                .is_success()
        );
        let mut set = snapshot.all();
        plugin().filter(&cx, &state, &pod, &mut set, &mut Verdicts::default());
        for row in snapshot.all().iter() {
            let alone = plugin().filter_node(&cx, &state, &pod, row);
            assert_eq!(alone.is_success(), set.contains(row), "seed {seed}");
        }
    }
}
