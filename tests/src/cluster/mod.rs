//! A real cluster for tests: its control plane, a way to speak to its API server, schedulers on it, and what must hold.

mod api;
mod control_plane;
mod kubelet;
mod machine;
mod proxy;
mod scheduler;

pub use api::Api;
pub use control_plane::ControlPlane;
pub use kubelet::Kubelet;
pub use machine::Machine;
pub use proxy::{Asked, Fault, Proxy, Rule};
pub use scheduler::{Scheduler, Usage};

/// Lets a real cluster go on for a while.
#[expect(
    clippy::disallowed_methods,
    reason = "a real cluster has a clock of its own"
)]
pub fn pass(time: core::time::Duration) {
    std::thread::sleep(time);
}

/// Prints a figure that a person wants to see beside the test's name.
#[expect(clippy::print_stdout, reason = "figures are what the run is for")]
pub fn tell(figure: &str) {
    println!("{figure}");
}
