//! The plugins that only algorithm providers and Policies of Kubernetes 1.21 enable, and what they decided then.
//!
//! | File | Answers |
//! |---|---|
//! | `node_label` | which nodes have the labels that a Policy names |
//! | `node_prefer_avoid_pods` | which nodes ask a controller to send its pods elsewhere |
//! | `node_resources` | how full a node is: `NodeResourcesLeastAllocated`, `NodeResourcesMostAllocated`, `RequestedToCapacityRatio` |
//! | `selector_spread` | which nodes and zones have fewest pods of the same controller or service |
//! | `service_affinity` | which nodes keep the pods of a service together, and which apart |
//! | `services` | which services a pod belongs to |
//!
//! A document of a version that is served today cannot name them. They have no signature: a profile with one of them
//! tries each pod by itself.
//!
//! Source: spec, configuration B.8; Kubernetes v1.21.

mod node_label;
mod node_prefer_avoid_pods;
pub(super) mod node_resources;
mod selector_spread;
mod service_affinity;
mod services;

pub use node_label::NodeLabel;
pub use node_prefer_avoid_pods::NodePreferAvoidPods;
pub use node_resources::NodeResources;
pub use selector_spread::SelectorSpread;
pub use service_affinity::ServiceAffinity;

#[cfg(test)]
mod tests;
