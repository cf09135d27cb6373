//! How much of each resource something has or wants, as integers.

use alloc::sync::Arc;

use serde::Serialize;

use crate::api::Quantity;
use crate::api::{ResourceClass, ResourceList};
use crate::order::SortedMap;

/// A vector of resources: kube-scheduler's `framework.Resource`.
///
/// Units: CPU in milli-cores, memory and ephemeral storage in bytes, scalars in whole units. Sums saturate, which no
/// quantity that survives API validation reaches.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Resource {
    /// `cpu`, milli-cores.
    pub milli_cpu: i64,
    /// `memory`, bytes.
    pub memory: i64,
    /// `ephemeral-storage`, bytes.
    pub ephemeral_storage: i64,
    /// `pods` on the node's side; always 0 in a pod's request.
    pub allowed_pods: i64,
    /// Extended resources, huge pages and attachable volumes by name, in name order.
    pub scalars: SortedMap<Arc<str>, i64>,
}

impl Resource {
    /// The vector of a list of quantities; names that no scheduler counts are dropped.
    #[must_use]
    pub fn from_list(list: &ResourceList) -> Self {
        let mut resource = Self::default();
        for (name, quantity) in list {
            resource.set(name, quantity);
        }
        resource
    }

    fn set(&mut self, name: &str, quantity: &Quantity) {
        match ResourceClass::of(name) {
            ResourceClass::Cpu => self.milli_cpu = quantity.milli_value(),
            ResourceClass::Memory => self.memory = quantity.value(),
            ResourceClass::EphemeralStorage => self.ephemeral_storage = quantity.value(),
            ResourceClass::Pods => self.allowed_pods = quantity.value(),
            ResourceClass::Scalar => {
                self.scalars.insert(Arc::from(name), quantity.value());
            }
            ResourceClass::Ignored => {}
        }
    }

    /// Adds a request; `allowed_pods` is left alone.
    pub fn add(&mut self, other: &Self) {
        self.milli_cpu = self.milli_cpu.saturating_add(other.milli_cpu);
        self.memory = self.memory.saturating_add(other.memory);
        self.ephemeral_storage = self
            .ephemeral_storage
            .saturating_add(other.ephemeral_storage);
        for (name, amount) in &other.scalars {
            let sum = self.scalars.entry(name.clone()).or_default();
            *sum = sum.saturating_add(*amount);
        }
    }

    /// Takes a request away that was added before. A scalar that falls to 0 stays listed with 0.
    pub fn subtract(&mut self, other: &Self) {
        self.milli_cpu = self.milli_cpu.saturating_sub(other.milli_cpu);
        self.memory = self.memory.saturating_sub(other.memory);
        self.ephemeral_storage = self
            .ephemeral_storage
            .saturating_sub(other.ephemeral_storage);
        for (name, amount) in &other.scalars {
            let sum = self.scalars.entry(name.clone()).or_default();
            *sum = sum.saturating_sub(*amount);
        }
    }

    /// The amount of a scalar resource; 0 when it is not named.
    #[must_use]
    pub fn scalar(&self, name: &str) -> i64 {
        self.scalars.get(name).copied().unwrap_or(0)
    }

    /// The amount of any resource by name, in that resource's unit; 0 for one that is not counted.
    #[must_use]
    pub fn amount(&self, name: &str) -> i64 {
        match ResourceClass::of(name) {
            ResourceClass::Cpu => self.milli_cpu,
            ResourceClass::Memory => self.memory,
            ResourceClass::EphemeralStorage => self.ephemeral_storage,
            ResourceClass::Pods => self.allowed_pods,
            ResourceClass::Scalar => self.scalar(name),
            ResourceClass::Ignored => 0,
        }
    }
}

/// CPU and memory with a floor for containers that name neither: what scores are computed from.
///
/// Units: milli-cores and bytes. Defaults: 100 milli-cores and 200 MiB a container.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct NonZeroRequest {
    /// `cpu`, milli-cores.
    pub milli_cpu: i64,
    /// `memory`, bytes.
    pub memory: i64,
}

impl NonZeroRequest {
    /// Adds another.
    pub fn add(&mut self, other: Self) {
        self.milli_cpu = self.milli_cpu.saturating_add(other.milli_cpu);
        self.memory = self.memory.saturating_add(other.memory);
    }

    /// Takes another away.
    pub fn subtract(&mut self, other: Self) {
        self.milli_cpu = self.milli_cpu.saturating_sub(other.milli_cpu);
        self.memory = self.memory.saturating_sub(other.memory);
    }
}
