//! A real cluster for tests: its control plane, a way to speak to its API server, schedulers on it, and what must hold.

mod api;
mod control_plane;
mod kubelet;
mod proxy;
mod scheduler;

pub use api::Api;
pub use control_plane::ControlPlane;
pub use kubelet::Kubelet;
pub use proxy::{Asked, Fault, Proxy, Rule};
pub use scheduler::{Scheduler, Usage};
