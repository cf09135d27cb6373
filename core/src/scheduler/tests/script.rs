//! Plugins `A`, `B` and `C`, which answer what their arguments say.
//!
//! ```json
//! {"preFilter": {"code": "Unschedulable", "reason": "no", "nodes": ["n1"]},
//!  "filter": {"n1": "Unschedulable"}, "preScore": "Skip", "score": {"n1": 7},
//!  "reserve": "Error", "permit": {"code": "Wait", "seconds": 5}, "preFlight": "Success", "preBind": "Error",
//!  "room": 1, "sign": true,
//!  "postFilter": {"code": "Unschedulable", "reason": "no way", "nominate": "n1"}, "skipBind": true}
//! ```
//!
//! An extension point that the arguments do not name answers success (PreFilter too, so that Filter runs).

use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use serde_json::{Value, json};

use crate::config::{ConfigError, Gates, PluginArgs};
use crate::framework::cycle_state::CycleState;
use crate::framework::extension::{
    Bind, BindContext, CycleContext, Filter, NominatingInfo, Permit, Permitted, Plugin, PostFilter,
    PostFilterStep, PostFiltered, PreBind, PreBindStep, PreEnqueue, PreFilter, PreFiltered,
    PreFlight, PreScore, QueueContext, Reserve, Score, Signature,
};
use crate::framework::handle::Handle;
use crate::framework::reason::Reason;
use crate::framework::registry::{PluginFactory, Registry};
use crate::framework::status::{Code, NodeStatuses, PluginError, PluginName, Status};
use crate::framework::work::{Outcome, Work};
use crate::make::pod;
use crate::node_set::NodeIndex;
use crate::plugins;
use crate::snapshot::{Listers, PluginMemory, PodInfo, PodRef};
use crate::time::{Span, Timestamp};

struct Script {
    name: PluginName,
    says: Value,
}

/// The in-tree plugins with `A`, `B` and `C`.
pub(super) fn registry() -> Registry {
    let mut registry = plugins::in_tree();
    let table: [(PluginName, PluginFactory); 3] = [
        (PluginName("A"), |args, _| build("A", args)),
        (PluginName("B"), |args, _| build("B", args)),
        (PluginName("C"), |args, _| build("C", args)),
    ];
    registry.merge(&Registry::of(&table)).unwrap();
    registry
}

fn build(name: &'static str, args: &PluginArgs) -> Result<Arc<dyn Plugin>, ConfigError> {
    let says = match args {
        PluginArgs::Other(value) => value.clone(),
        _ => Value::Null,
    };
    Ok(Arc::new(Script {
        name: PluginName(name),
        says,
    }))
}

impl Script {
    fn status(&self, says: &Value) -> Status {
        let code = says
            .get("code")
            .unwrap_or(says)
            .as_str()
            .unwrap_or("Success");
        let reason = says
            .get("reason")
            .and_then(Value::as_str)
            .unwrap_or("because");
        let reason = || Reason::from(reason);
        match code {
            "Success" => Status::success(),
            "Skip" => Status::skip(),
            "Wait" => Status::with(Code::Wait, reason()),
            "Unschedulable" => Status::unschedulable(reason()),
            "UnschedulableAndUnresolvable" => Status::unresolvable(reason()),
            "Pending" => Status::with(Code::Pending, reason()),
            "Error" => Status::error("broken"),
            other => panic!("no such code: {other}"),
        }
    }

    fn names(&self, says: &Value, key: &str) -> Option<Vec<String>> {
        let names = says.get(key)?.as_array()?;
        Some(
            names
                .iter()
                .filter_map(Value::as_str)
                .map(ToString::to_string)
                .collect(),
        )
    }
}

impl Plugin for Script {
    fn name(&self) -> PluginName {
        self.name
    }

    fn sign(&self, _listers: &Listers, pod: &PodInfo) -> Signature {
        match self.says["sign"].as_bool() {
            Some(true) => Signature::Parts([("labels", json!(pod.pod.metadata.labels))].to_vec()),
            _ => Signature::Unsupported,
        }
    }

    fn as_pre_enqueue(&self) -> Option<&dyn PreEnqueue> {
        Some(self)
    }

    fn as_pre_filter(&self) -> Option<&dyn PreFilter> {
        Some(self)
    }

    fn as_filter(&self) -> Option<&dyn Filter> {
        Some(self)
    }

    fn as_post_filter(&self) -> Option<&dyn PostFilter> {
        Some(self)
    }

    fn as_pre_score(&self) -> Option<&dyn PreScore> {
        Some(self)
    }

    fn as_score(&self) -> Option<&dyn Score> {
        Some(self)
    }

    fn as_reserve(&self) -> Option<&dyn Reserve> {
        Some(self)
    }

    fn as_permit(&self) -> Option<&dyn Permit> {
        Some(self)
    }

    fn as_pre_bind(&self) -> Option<&dyn PreBind> {
        Some(self)
    }

    fn as_bind(&self) -> Option<&dyn Bind> {
        Some(self)
    }
}

impl PreEnqueue for Script {
    fn pre_enqueue(&self, _cx: &QueueContext<'_>, _pod: &PodInfo) -> Status {
        self.status(&self.says["preEnqueue"])
    }
}

impl PreFilter for Script {
    fn pre_filter(
        &self,
        _cx: &CycleContext<'_>,
        _state: &mut CycleState,
        _pod: &PodInfo,
    ) -> PreFiltered {
        let says = &self.says["preFilter"];
        PreFiltered {
            status: self.status(says),
            nodes: self
                .names(says, "nodes")
                .map(|names| names.iter().map(|name| Arc::from(name.as_str())).collect()),
        }
    }
}

impl Filter for Script {
    fn filter_node(
        &self,
        cx: &CycleContext<'_>,
        _state: &CycleState,
        _pod: &PodInfo,
        node: NodeIndex,
    ) -> Status {
        let room = self.says["room"].as_u64();
        if room.is_some_and(|room| cx.snapshot.node(node).pods.len() as u64 >= room) {
            return Status::unschedulable(Reason::from("full"));
        }
        let says = &self.says["filter"];
        let by_node = says
            .get(&**cx.snapshot.name(node))
            .or_else(|| says.get("*"));
        by_node.map_or_else(Status::success, |says| self.status(says))
    }
}

impl PostFilter for Script {
    fn post_filter(
        &self,
        _handle: &mut Handle<'_>,
        _state: &CycleState,
        _pod: &PodInfo,
        _statuses: &NodeStatuses,
    ) -> PostFilterStep {
        let says = &self.says["postFilter"];
        let status = if says.is_null() {
            Status::unschedulable(Reason::from("nothing to do"))
        } else {
            self.status(says)
        };
        PostFilterStep::Done(PostFiltered {
            status,
            nominating: says
                .get("nominate")
                .and_then(Value::as_str)
                .map(|node| NominatingInfo::Override(node.into())),
            evict: None,
        })
    }
}

impl PreScore for Script {
    fn pre_score(
        &self,
        _cx: &CycleContext<'_>,
        _state: &mut CycleState,
        _pod: &PodInfo,
        _nodes: &[NodeIndex],
    ) -> Status {
        self.status(&self.says["preScore"])
    }
}

impl Score for Script {
    fn score_node(
        &self,
        cx: &CycleContext<'_>,
        _state: &CycleState,
        _pod: &PodInfo,
        node: NodeIndex,
    ) -> Result<i64, PluginError> {
        match &self.says["score"] {
            Value::String(message) => Err(PluginError::new(message.as_str())),
            says => Ok(says
                .get(&**cx.snapshot.name(node))
                .and_then(Value::as_i64)
                .unwrap_or(0)),
        }
    }
}

impl Reserve for Script {
    fn reserve(
        &self,
        _cx: &BindContext<'_>,
        _memory: &mut PluginMemory,
        _state: &mut CycleState,
        _pod: &PodInfo,
        _node: &str,
    ) -> Status {
        self.status(&self.says["reserve"])
    }

    /// Leaves its name behind, numbered, so that a test can see who was asked and in which order.
    fn unreserve(
        &self,
        _cx: &BindContext<'_>,
        memory: &mut PluginMemory,
        _state: &mut CycleState,
        _pod: &PodInfo,
        _node: &str,
    ) -> Vec<Work> {
        let number = memory.claims_in_flight.len();
        memory
            .claims_in_flight
            .insert(Arc::from([&number.to_string(), self.name.0].concat()));
        Vec::new()
    }
}

impl Permit for Script {
    fn permit(
        &self,
        _cx: &BindContext<'_>,
        _state: &mut CycleState,
        _pod: &PodInfo,
        _node: &str,
    ) -> Permitted {
        let says = &self.says["permit"];
        Permitted {
            status: self.status(says),
            timeout: Span::from_secs(says.get("seconds").and_then(Value::as_i64).unwrap_or(0)),
            allow: self
                .names(says, "allow")
                .unwrap_or_default()
                .iter()
                .map(|uid| Arc::from(uid.as_str()))
                .collect(),
            activate: named_pods(says),
        }
    }
}

/// The pods of the default namespace that an answer wants tried.
fn named_pods(says: &Value) -> Vec<PodRef> {
    let name = says.get("activate").and_then(Value::as_str);
    name.map(|name| PodRef::of(&pod(name).build()))
        .into_iter()
        .collect()
}

impl PreBind for Script {
    fn pre_flight(
        &self,
        _cx: &BindContext<'_>,
        _state: &CycleState,
        _pod: &PodInfo,
        _node: &str,
    ) -> PreFlight {
        let says = &self.says["preFlight"];
        PreFlight {
            status: if says.is_null() {
                Status::skip()
            } else {
                self.status(says)
            },
            allow_parallel: says.get("parallel").is_some(),
        }
    }

    fn pre_bind(
        &self,
        cx: &BindContext<'_>,
        _memory: &mut PluginMemory,
        state: &mut CycleState,
        _pod: &PodInfo,
        _node: &str,
    ) -> PreBindStep {
        let says = &self.says["preBind"];
        state.pods_to_activate.extend(named_pods(says));
        match says.get("seconds").and_then(Value::as_i64) {
            Some(seconds) => PreBindStep::WaitUntil(cx.now + Span::from_secs(seconds)),
            None if says.get("work").is_some() => PreBindStep::Work(Work::UpdateVolumes {
                volumes: Vec::new(),
                claims: Vec::new(),
            }),
            None => PreBindStep::Done(self.status(says)),
        }
    }

    fn resume(
        &self,
        _cx: &BindContext<'_>,
        _memory: &mut PluginMemory,
        _state: &mut CycleState,
        _pod: &PodInfo,
        _node: &str,
        outcome: Option<&Outcome>,
    ) -> PreBindStep {
        match outcome {
            Some(Outcome::Failed(failure)) => {
                PreBindStep::Done(Status::error(failure.message.as_str()))
            }
            _ => PreBindStep::Done(Status::success()),
        }
    }
}

impl Bind for Script {
    fn bind(
        &self,
        _cx: &BindContext<'_>,
        _state: &CycleState,
        _pod: &PodInfo,
        _node: &str,
    ) -> Option<Work> {
        None
    }
}

/// Where tests begin.
pub(super) const START: Timestamp = Timestamp::ZERO;

/// The gates of a test.
pub(super) fn gates() -> Gates {
    Gates::default()
}
