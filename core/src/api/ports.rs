//! Ports that pods take on their node.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Serialize;

use super::pod::{ContainerPort, Pod};

/// A port of a node, with what is left out filled in.
///
/// Source: spec, plugins 2.9.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct HostPort {
    /// The port.
    pub port: i32,
    /// `TCP` if nothing else was said.
    pub protocol: String,
    /// [`ANY_ADDRESS`] if nothing else was said.
    pub ip: String,
}

impl HostPort {
    /// The node's port that a container's port takes, if it takes one.
    #[must_use]
    pub fn of(port: &ContainerPort) -> Option<Self> {
        if port.host_port <= 0 {
            return None;
        }
        let or = |text: &str, default: &str| {
            if text.is_empty() {
                default.to_string()
            } else {
                text.to_string()
            }
        };
        Some(Self {
            port: port.host_port,
            protocol: or(&port.protocol, "TCP"),
            ip: or(&port.host_ip, ANY_ADDRESS),
        })
    }

    /// Whether the two cannot be taken at the same time.
    ///
    /// QUIRK: only `0.0.0.0` stands for every address. Two pods that take a port at `::` and at `::1` share a node.
    #[must_use]
    pub fn conflicts_with(&self, other: &Self) -> bool {
        self.port == other.port
            && self.protocol == other.protocol
            && (self.ip == other.ip || self.ip == ANY_ADDRESS || other.ip == ANY_ADDRESS)
    }
}

impl Pod {
    /// The node's ports that it takes: those of main containers and of init containers that go on running.
    #[must_use]
    pub fn host_ports(&self) -> Vec<HostPort> {
        let lasting = self
            .spec
            .init_containers
            .iter()
            .filter(|container| container.is_restartable());
        self.spec
            .containers
            .iter()
            .chain(lasting)
            .flat_map(|container| &container.ports)
            .filter_map(HostPort::of)
            .collect()
    }
}

/// Every address of a node.
pub const ANY_ADDRESS: &str = "0.0.0.0";

#[cfg(test)]
mod tests;
