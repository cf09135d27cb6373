//! What keeps pods off a node, and which pods put up with it.

use alloc::string::String;

use super::meta::Time;
use super::schema::objects;

objects! {
    /// What keeps pods off a node.
    pub struct Taint {
        /// What it is about.
        pub key: String,
        /// More about it.
        pub value: String,
        /// `NoSchedule`, `PreferNoSchedule` or `NoExecute`.
        pub effect: String,
        /// When it was put there.
        pub time_added: Option<Time>,
    }

    /// What a pod puts up with.
    pub struct Toleration {
        /// The taint's key; empty for any.
        pub key: String,
        /// `Equal` (also when empty), `Exists`, `Gt` or `Lt`.
        pub operator: String,
        /// What the taint's value is compared with.
        pub value: String,
        /// The taint's effect; empty for any.
        pub effect: String,
        /// For how long a running pod stays; placement does not look at it.
        pub toleration_seconds: Option<i64>,
    }
}
