//! Names and amounts of what pods ask for and nodes have.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::names::qualified_name_faults;
use super::quantity::Quantity;
use super::schema::objects;

use crate::order::SortedMap;

/// Amounts by resource name.
pub type ResourceList = SortedMap<String, Quantity>;

objects! {
    /// What is asked for and what may be used.
    pub struct ResourceRequirements {
        /// What is asked for; placement goes by this.
        pub requests: ResourceList,
        /// What may be used at most; placement does not look at it.
        pub limits: ResourceList,
        /// Devices, by the names of `spec.resourceClaims`.
        pub claims: Vec<ContainerResourceClaim>,
    }

    /// A device that a container uses.
    pub struct ContainerResourceClaim {
        /// An entry of `spec.resourceClaims`.
        pub name: String,
        /// One request of the claim, empty for all.
        pub request: String,
    }
}

/// How a resource is treated, by its name.
///
/// Source: spec, plugins 2.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResourceClass {
    /// `cpu`, counted in thousandths.
    Cpu,
    /// `memory`, in bytes.
    Memory,
    /// `ephemeral-storage`, in bytes.
    EphemeralStorage,
    /// `pods`: how many a node takes; pods themselves do not ask for it.
    Pods,
    /// Any other that is counted, in whole units.
    Scalar,
    /// Not counted at all.
    Ignored,
}

impl ResourceClass {
    /// The class of the resource of that name.
    #[must_use]
    pub fn of(name: &str) -> Self {
        match name {
            CPU => Self::Cpu,
            MEMORY => Self::Memory,
            EPHEMERAL_STORAGE => Self::EphemeralStorage,
            PODS => Self::Pods,
            _ if is_scalar_resource(name) => Self::Scalar,
            _ => Self::Ignored,
        }
    }
}

/// Whether a resource other than the well-known ones is counted.
#[must_use]
pub fn is_scalar_resource(name: &str) -> bool {
    is_hugepages(name)
        || name.contains(NATIVE_DOMAIN)
        || name.starts_with("attachable-volumes-")
        || is_extended_resource(name)
}

/// Whether the name belongs to Kubernetes itself.
#[must_use]
pub fn is_native_resource(name: &str) -> bool {
    !name.contains('/') || name.contains(NATIVE_DOMAIN)
}

/// Whether the name is somebody else's, such as `example.com/gpu`, and can stand in a quota.
#[must_use]
pub fn is_extended_resource(name: &str) -> bool {
    if is_native_resource(name) || name.starts_with(QUOTA_PREFIX) {
        return false;
    }
    qualified_name_faults(&format!("{QUOTA_PREFIX}{name}")).is_empty()
}

/// Whether devices can stand in for the resource.
#[must_use]
pub fn is_dra_extended_resource(name: &str) -> bool {
    is_extended_resource(name) || name.starts_with(DEVICE_CLASS_PREFIX)
}

/// Whether the resource is huge pages of some size.
#[must_use]
pub fn is_hugepages(name: &str) -> bool {
    name.starts_with("hugepages-")
}

/// Whether a request of the pod as a whole replaces the sum over its containers.
#[must_use]
pub fn is_pod_level_resource(name: &str) -> bool {
    name == CPU || name == MEMORY || is_hugepages(name)
}

/// Processor time.
pub const CPU: &str = "cpu";
/// Main memory.
pub const MEMORY: &str = "memory";
/// Disk that lives as long as the pod.
pub const EPHEMERAL_STORAGE: &str = "ephemeral-storage";
/// Places for pods.
pub const PODS: &str = "pods";
/// What the resources that stand for a class of devices start with.
pub const DEVICE_CLASS_PREFIX: &str = "deviceclass.resource.kubernetes.io/";
const NATIVE_DOMAIN: &str = "kubernetes.io/";
const QUOTA_PREFIX: &str = "requests.";

#[cfg(test)]
mod tests;
