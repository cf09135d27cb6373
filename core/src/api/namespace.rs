//! Namespaces, and what lives in them beside pods and their controllers.

use alloc::string::String;

use super::meta::{ObjectMeta, StringMap};
use super::schema::objects;

objects! {
    /// A namespace.
    pub struct Namespace {
        /// Name and labels.
        pub metadata: ObjectMeta,
        /// What it is.
        pub status: NamespaceStatus,
    }

    /// What a namespace is.
    pub struct NamespaceStatus {
        /// `Active` or `Terminating`.
        pub phase: String,
    }

    /// A name under which pods are reached.
    pub struct Service {
        /// Name and labels.
        pub metadata: ObjectMeta,
        /// Which pods it is for.
        pub spec: ServiceSpec,
    }

    /// Which pods a service is for.
    pub struct ServiceSpec {
        /// The labels of its pods; none if somebody else manages its endpoints.
        pub selector: Option<StringMap>,
        /// `ClusterIP`, `NodePort`, `LoadBalancer` or `ExternalName`.
        #[name = "type"]
        pub type_: String,
    }

    /// Named pieces of text.
    pub struct ConfigMap {
        /// Name and labels.
        pub metadata: ObjectMeta,
        /// The pieces.
        pub data: StringMap,
        /// Whether they may change.
        pub immutable: Option<bool>,
    }
}
