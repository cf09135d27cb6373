//! Stand-ins for what `snapshot` needs of selectors, ports and requests, until the real ones land: delete this file then.
//! The names and shapes here are the ones that the rest of the core is written against.
#![expect(missing_docs, reason = "goes away")]
use super::*;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Selector;
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectorError;
impl Selector {
    pub fn compile(_: Option<&LabelSelector>) -> Result<Self, SelectorError> {
        Ok(Self)
    }
    pub fn matches(&self, _: &BTreeMap<String, String>) -> bool {
        true
    }
}
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct HostPort;
pub struct RequestOptions;
impl RequestOptions {
    pub const PLACED: Self = Self;
    pub const PLACED_NON_ZERO: Self = Self;
}
pub fn pod_requests(_: &Pod, _: RequestOptions) -> ResourceList {
    ResourceList::new()
}
pub enum ResourceClass {
    Cpu,
    Memory,
    EphemeralStorage,
    Pods,
    Scalar,
    Ignored,
}
impl ResourceClass {
    pub fn of(_: &str) -> Self {
        Self::Cpu
    }
}
impl Pod {
    pub fn host_ports(&self) -> Vec<HostPort> {
        Vec::new()
    }
}
