//! Services outside the scheduler that are asked about nodes.

use alloc::string::String;
use alloc::vec::Vec;

use crate::time::Span;

/// One extender, complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extender {
    /// Where it listens; also its name. Without trailing slashes.
    pub url_prefix: String,
    /// The path for filtering; empty when it does not filter.
    pub filter_verb: String,
    /// The path for preemption; empty when it has no say in it.
    pub preempt_verb: String,
    /// The path for scoring; empty when it does not score.
    pub prioritize_verb: String,
    /// How much its scores count.
    pub weight: i64,
    /// The path for binding; empty when it does not bind.
    pub bind_verb: String,
    /// Whether it is reached through TLS.
    pub enable_https: bool,
    /// How TLS is set up.
    pub tls_config: Option<ExtenderTlsConfig>,
    /// The limit of one call.
    pub http_timeout: Span,
    /// Whether it knows nodes by name and needs no node objects.
    pub node_cache_capable: bool,
    /// The resources that make a pod its business; none is every pod.
    pub managed_resources: Vec<ExtenderManagedResource>,
    /// Whether its failure does not fail the pod.
    pub ignorable: bool,
}

/// A resource an extender looks after.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExtenderManagedResource {
    /// An extended resource.
    pub name: String,
    /// Whether NodeResourcesFit leaves the resource to the extender.
    pub ignored_by_scheduler: bool,
}

/// How TLS towards an extender is set up. Data beats file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExtenderTlsConfig {
    /// Whether the server's certificate is not checked.
    pub insecure: bool,
    /// The name the certificate must carry, instead of the host's.
    pub server_name: String,
    /// A file with the client's certificate.
    pub cert_file: String,
    /// A file with the client's key.
    pub key_file: String,
    /// A file with the authorities to trust.
    pub ca_file: String,
    /// The client's certificate.
    pub cert_data: Vec<u8>,
    /// The client's key.
    pub key_data: Vec<u8>,
    /// The authorities to trust.
    pub ca_data: Vec<u8>,
}

impl Default for Extender {
    fn default() -> Self {
        Self {
            url_prefix: String::new(),
            filter_verb: String::new(),
            preempt_verb: String::new(),
            prioritize_verb: String::new(),
            weight: 0,
            bind_verb: String::new(),
            enable_https: false,
            tls_config: None,
            http_timeout: Self::DEFAULT_TIMEOUT,
            node_cache_capable: false,
            managed_resources: Vec::new(),
            ignorable: false,
        }
    }
}

impl Extender {
    /// The limit of one call when none is written.
    pub const DEFAULT_TIMEOUT: Span = Span::from_secs(5);
}
