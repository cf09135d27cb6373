//! Berth's core: a Kubernetes scheduler as a state machine.
//!
//! It is a pure function of configuration, seed and a log of timed inputs. It reads no clock, file, socket or
//! environment. A host feeds inputs and carries out effects, so the same log gives the same decisions in a browser tab,
//! in a test and in a cluster.
//!
//! # Code map
//!
//! | Module | Answers |
//! |---|---|
//! | `time` | what an instant and a length of time are |
//! | `rng` | which random number comes next |
//! | `node_set` | which rows of a snapshot are meant |
//! | `num` | what integer arithmetic does when it overflows |
//! | `order` | how little code a sort can take |
//! | `make` | builders of pods and nodes for tests |
//! | `api` | what Kubernetes' objects look like |
//! | `config` | how the scheduler is told to behave |
//! | `snapshot` | what one attempt sees of the cluster |
//! | `framework` | what a plugin is, what it sees and what it may answer |
//! | `queue` | which pod is tried next |
//! | `cache` | what the cluster looks like with decisions under way counted in |
//! | `plugins` | which plugins there are |
//! | `preemption` | which pods would have to leave for this one |
//! | `scheduler` | what happens next, given what just happened |
//! | `explain` | why a pod is where it is, or is not |
//! | `sim` | what a cluster would do |
//! | `picture` | how a cluster looks as a scene |
//!
//! Imports go one way: `api ← config ← snapshot ← framework ← {queue, cache} ← preemption ← plugins ← scheduler ←
//! {sim, explain} ← picture`. The files without a folder import no folder and may be imported by all; `make` alone
//! builds on `api`.
//!
//! `#[inline(never)]` marks what a first screen of the page does not need and a function that it needs calls once: inlined
//! there, it would be fetched by everybody, and not by who needs it. `.ci/split.mjs` says how.

#![no_std]
// Decisions must not depend on a host's floats, on a silent cut of a number or on an index nobody checked. These lints
// are the core's alone: a host may measure pixels as it likes.
#![warn(
    clippy::float_arithmetic,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss
)]
// A test that unwraps fails where it should.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::indexing_slicing))]

extern crate alloc;
#[cfg(any(test, feature = "yaml"))]
extern crate std;

pub mod api;
pub mod cache;
pub mod config;
pub mod explain;
pub mod framework;
#[cfg(any(test, feature = "test-util"))]
pub mod make;
pub mod node_set;
pub mod num;
pub mod order;
pub mod picture;
pub mod plugins;
pub mod preemption;
pub mod queue;
pub mod rng;
pub mod scheduler;
pub mod sim;
pub mod snapshot;
pub mod time;

/// The Kubernetes release whose scheduler this one follows.
pub const KUBERNETES_VERSION: &str = "1.36";
