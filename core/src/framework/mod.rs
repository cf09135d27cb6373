//! What a plugin is, what it sees and what it may answer.
//!
//! | File | Answers |
//! |---|---|
//! | `extension` | what a plugin may be asked: one trait an extension point |
//! | `status`, `reason` | what it may answer, and why |
//! | `answers` | the same for many nodes at once |
//! | `cluster_event` | what it may wait for |
//! | `events_of` | what a change of an object means to those who wait |
//! | `cycle_state` | what it may keep within one attempt |
//! | `work`, `extender` | what it, or an extender, may have the host do |
//! | `registry` | which plugins there are |
//! | `runtime`, `profiles` | a profile, and all of them |
//! | `run` | how each point runs a profile's plugins |
//! | `handle` | what an attempt works on |
//! | `fit_error` | how the failure of a search reads |
//! | `trace` | what is told to whoever listens |
//!
//! Every answer's meaning is decided in `run`; plugins know nothing of each other. The module does not know the
//! queue, the cache or the order of a cycle's steps.

pub mod answers;
pub mod cluster_event;
pub mod cycle_state;
pub mod events_of;
pub mod extender;
pub mod extension;
pub mod fit_error;
pub mod handle;
pub mod profiles;
pub mod reason;
pub mod registry;
pub mod run;
pub mod runtime;
pub mod status;
pub mod trace;
pub mod work;
