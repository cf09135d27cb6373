//! Which objects are meant: label selectors and node selectors, as written and made ready.

mod error;
mod label;
mod node;

use alloc::string::String;
use alloc::vec::Vec;

use super::meta::StringMap;
use super::schema::objects;

pub use error::{RequirementError, SelectorError};
pub use label::{Requirement, Selector, Test};
pub use node::{NAME_FIELD, NodeMatcher, PreferredNodes, RequiredNodeAffinity};

objects! {
    /// Which objects are meant, by label. An absent one matches nothing, an empty one everything.
    pub struct LabelSelector {
        /// Labels with the values they must have.
        pub match_labels: StringMap,
        /// Further requirements; all must hold.
        pub match_expressions: Vec<LabelSelectorRequirement>,
    }

    /// One requirement on one label.
    pub struct LabelSelectorRequirement {
        /// The label.
        pub key: String,
        /// `In`, `NotIn`, `Exists` or `DoesNotExist`.
        pub operator: String,
        /// What the operator compares with.
        pub values: Vec<String>,
    }

    /// Which nodes are meant: those that match at least one term.
    pub struct NodeSelector {
        /// The terms.
        pub node_selector_terms: Vec<NodeSelectorTerm>,
    }

    /// Which nodes are meant: those that meet every requirement. An empty term matches none.
    pub struct NodeSelectorTerm {
        /// Requirements on labels.
        pub match_expressions: Vec<NodeSelectorRequirement>,
        /// Requirements on fields; `metadata.name` is the only one.
        pub match_fields: Vec<NodeSelectorRequirement>,
    }

    /// One requirement on one label or field of a node.
    pub struct NodeSelectorRequirement {
        /// The label or field.
        pub key: String,
        /// `In`, `NotIn`, `Exists`, `DoesNotExist`, `Gt` or `Lt`.
        pub operator: String,
        /// What the operator compares with.
        pub values: Vec<String>,
    }
}

#[cfg(test)]
mod tests;
