//! What a cluster would do: a simulated API server, kubelets and controllers around the scheduler, on a virtual clock.
//!
//! | File | Answers |
//! |---|---|
//! | `scenario`, `expand` | what a document says, and which objects come of it |
//! | `settings`, `faults` | how the simulated world behaves, and what goes wrong in it |
//! | `defaults`, `validate`, `patch` | what the API server fills in, refuses and merges |
//! | `world` | the API server: objects, versions, what effects do |
//! | `kubelet`, `controllers` | who else changes objects |
//! | `extenders` | what extenders answer, where they are reached |
//! | `prepare`, `locate` | from what was read to a run, and back from a fault to its line |
//! | `run` | what happens when |
//! | `keyframe` | how any instant is reached again |
//! | `report` | what came out |
//! | `share` | how a scenario fits into a link |
//! | `yaml` | how a document is written for people |
//! | `digest`, `names` | fingerprints, and names that follow from them |
//! | `error` | what can be wrong with the input |
//!
//! The scheduler is driven only through its inputs, and its effects are carried out only here, so nothing in this module
//! can decide where a pod goes.

mod controllers;
mod defaults;
mod digest;
mod error;
mod expand;
mod extenders;
mod faults;
mod keyframe;
mod kubelet;
mod locate;
mod names;
mod patch;
mod prepare;
mod report;
mod run;
mod scenario;
mod settings;
mod share;
#[cfg(test)]
mod testing;
mod validate;
mod world;
mod yaml;

pub use digest::Fnv;
pub use error::{Fault, Faults, InputError};
pub use expand::{Placed, check_limits, expand};
pub use extenders::answer as extender_answer;
pub use faults::{EffectKind, FaultOutcome, FaultRule};
pub use keyframe::Recording;
pub use locate::{Refusal, locate};
pub use patch::strategic_merge;
pub use prepare::{Prepared, load_configuration, prepare};
pub use report::{
    EventReport, NodeReport, PodReport, PodState, PreemptedReport, Report, ReportInput, Seconds,
};
pub use run::{EventRecord, LATEST_END, PodStats, Simulation, Step};
pub use scenario::{
    API_VERSION, Action, Content, Entry, Group, KIND, Limits, Loaded, Scenario, SourceText,
    TimelineEntry, Warning, Written, load, load_events, nowhere,
};
pub use settings::Settings;
pub use share::{LinkView, ShareError, decode_link, encode_link};
pub use world::{Gone, Preempted, Subresource, Trouble, World};
pub use yaml::to_yaml;
