//! Names and amounts of what pods ask for and nodes have.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use super::quantity::Quantity;
use super::schema::objects;

/// Amounts by resource name.
pub type ResourceList = BTreeMap<String, Quantity>;

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
