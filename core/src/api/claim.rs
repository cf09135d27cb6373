//! Devices: what nodes offer, what pods claim, what was given (`resource.k8s.io/v1`).

use alloc::string::String;
use alloc::vec::Vec;

use super::meta::{Condition, ObjectMeta, Time};
use super::quantity::Quantity;
use super::schema::{Opaque, objects};
use super::selector::NodeSelector;

use crate::order::SortedMap;

objects! {
    /// Who wants devices.
    pub struct ResourceClaim {
        /// Name, owners, annotations.
        pub metadata: ObjectMeta,
        /// What is wanted.
        pub spec: ResourceClaimSpec,
        /// What was given.
        pub status: ResourceClaimStatus,
    }

    /// What a claim wants.
    pub struct ResourceClaimSpec {
        /// The devices.
        pub devices: DeviceClaim,
    }

    /// Devices that are wanted together.
    pub struct DeviceClaim {
        /// What is wanted; all of it must be given.
        pub requests: Vec<DeviceRequest>,
        /// What the devices must have in common or not.
        pub constraints: Vec<DeviceConstraint>,
        /// What drivers need to know.
        pub config: Vec<DeviceClaimConfiguration>,
    }

    /// One kind of device that is wanted: exactly one way, or the first of several that can be had.
    pub struct DeviceRequest {
        /// Unique within the claim.
        pub name: String,
        /// One way.
        pub exactly: Option<ExactDeviceRequest>,
        /// Several ways in order of preference.
        pub first_available: Vec<DeviceSubRequest>,
    }

    /// Which devices, and how many.
    pub struct ExactDeviceRequest {
        /// The class.
        pub device_class_name: String,
        /// What each device must be.
        pub selectors: Vec<DeviceSelector>,
        /// `ExactCount` (also when empty) or `All`.
        pub allocation_mode: String,
        /// How many; 1 if 0.
        pub count: i64,
        /// Whether devices in use will do.
        pub admin_access: Option<bool>,
        /// Taints of devices that are put up with.
        pub tolerations: Vec<DeviceToleration>,
        /// How much of each device.
        pub capacity: Option<CapacityRequirements>,
    }

    /// One of several ways.
    pub struct DeviceSubRequest {
        /// Unique within the request.
        pub name: String,
        /// The class.
        pub device_class_name: String,
        /// What each device must be.
        pub selectors: Vec<DeviceSelector>,
        /// `ExactCount` (also when empty) or `All`.
        pub allocation_mode: String,
        /// How many; 1 if 0.
        pub count: i64,
        /// Taints of devices that are put up with.
        pub tolerations: Vec<DeviceToleration>,
        /// How much of each device.
        pub capacity: Option<CapacityRequirements>,
    }

    /// What a device must be.
    pub struct DeviceSelector {
        /// In the Common Expression Language.
        pub cel: Option<CELDeviceSelector>,
    }

    /// What a device must be, in the Common Expression Language.
    pub struct CELDeviceSelector {
        /// True for devices that will do.
        pub expression: String,
    }

    /// How much of each device is wanted.
    pub struct CapacityRequirements {
        /// By the name of the capacity.
        pub requests: SortedMap<String, Quantity>,
    }

    /// A taint of a device that is put up with.
    pub struct DeviceToleration {
        /// The taint's key; empty for any.
        pub key: String,
        /// `Equal` (also when empty) or `Exists`.
        pub operator: String,
        /// What the taint's value is compared with.
        pub value: String,
        /// The taint's effect; empty for any.
        pub effect: String,
        /// For how long a running pod stays.
        pub toleration_seconds: Option<i64>,
    }

    /// What devices must have in common or not.
    pub struct DeviceConstraint {
        /// The requests it is about; empty is all.
        pub requests: Vec<String>,
        /// The attribute in which they must agree.
        pub match_attribute: Option<String>,
        /// The attribute in which they must differ.
        pub distinct_attribute: Option<String>,
    }

    /// What a driver needs to know about a claim.
    pub struct DeviceClaimConfiguration {
        /// The requests it is about; empty is all.
        pub requests: Vec<String>,
        /// What it needs to know.
        pub opaque: Option<OpaqueDeviceConfiguration>,
    }

    /// What a driver needs to know.
    pub struct OpaqueDeviceConfiguration {
        /// The driver.
        pub driver: String,
        /// What only the driver understands.
        pub parameters: Opaque,
    }

    /// What was given to a claim.
    pub struct ResourceClaimStatus {
        /// The devices.
        pub allocation: Option<AllocationResult>,
        /// Who may use them.
        pub reserved_for: Vec<ResourceClaimConsumerReference>,
        /// What drivers say about them.
        pub devices: Vec<AllocatedDeviceStatus>,
    }

    /// Devices that were given.
    pub struct AllocationResult {
        /// The devices.
        pub devices: DeviceAllocationResult,
        /// Nodes from which they can be used; absent is every node.
        pub node_selector: Option<NodeSelector>,
        /// When they were given.
        pub allocation_timestamp: Option<Time>,
    }

    /// Devices that were given, and how they are set up.
    pub struct DeviceAllocationResult {
        /// The devices.
        pub results: Vec<DeviceRequestAllocationResult>,
        /// How they are set up.
        pub config: Vec<DeviceAllocationConfiguration>,
    }

    /// A device that was given for a request.
    pub struct DeviceRequestAllocationResult {
        /// The request, `parent/sub` for one of several ways.
        pub request: String,
        /// The device's driver.
        pub driver: String,
        /// The device's pool.
        pub pool: String,
        /// The device.
        pub device: String,
        /// Whether it is in use by somebody else too.
        pub admin_access: Option<bool>,
        /// Taints that were put up with.
        pub tolerations: Vec<DeviceToleration>,
        /// Conditions that must become true before the pod is bound.
        pub binding_conditions: Vec<String>,
        /// Conditions that must not.
        pub binding_failure_conditions: Vec<String>,
        /// Which share of a shared device.
        #[name = "shareID"]
        pub share_id: Option<String>,
        /// How much of a shared device.
        pub consumed_capacity: SortedMap<String, Quantity>,
    }

    /// How given devices are set up.
    pub struct DeviceAllocationConfiguration {
        /// `FromClass` or `FromClaim`.
        pub source: String,
        /// The requests it is about; empty is all.
        pub requests: Vec<String>,
        /// What the driver needs to know.
        pub opaque: Option<OpaqueDeviceConfiguration>,
    }

    /// Who may use a claim.
    pub struct ResourceClaimConsumerReference {
        /// The user's API group; empty for pods.
        pub api_group: String,
        /// The user's resource: `pods`.
        pub resource: String,
        /// The user's name.
        pub name: String,
        /// The user's identity.
        pub uid: String,
    }

    /// What a driver says about a given device.
    pub struct AllocatedDeviceStatus {
        /// The device's driver.
        pub driver: String,
        /// The device's pool.
        pub pool: String,
        /// The device.
        pub device: String,
        /// Which share of a shared device.
        #[name = "shareID"]
        pub share_id: Option<String>,
        /// One entry an aspect.
        pub conditions: Vec<Condition>,
        /// What only the driver understands.
        pub data: Option<Opaque>,
        /// How it is reached over the network.
        pub network_data: Option<Opaque>,
    }

    /// How claims are made for pods.
    pub struct ResourceClaimTemplate {
        /// Its name.
        pub metadata: ObjectMeta,
        /// The claim.
        pub spec: ResourceClaimTemplateSpec,
    }

    /// How a claim is made.
    pub struct ResourceClaimTemplateSpec {
        /// Labels and annotations of the claim.
        pub metadata: ObjectMeta,
        /// What it wants.
        pub spec: ResourceClaimSpec,
    }

    /// A kind of device.
    pub struct DeviceClass {
        /// Its name.
        pub metadata: ObjectMeta,
        /// What belongs to it.
        pub spec: DeviceClassSpec,
    }

    /// What belongs to a class of devices.
    pub struct DeviceClassSpec {
        /// What each device must be.
        pub selectors: Vec<DeviceSelector>,
        /// How devices are set up.
        pub config: Vec<DeviceClassConfiguration>,
        /// The extended resource that stands for a device of the class.
        pub extended_resource_name: Option<String>,
    }

    /// How devices of a class are set up.
    pub struct DeviceClassConfiguration {
        /// What the driver needs to know.
        pub opaque: Option<OpaqueDeviceConfiguration>,
    }

    /// Devices that a driver offers: a part of a pool.
    pub struct ResourceSlice {
        /// Its name.
        pub metadata: ObjectMeta,
        /// The devices.
        pub spec: ResourceSliceSpec,
    }

    /// Devices that a driver offers in one place.
    pub struct ResourceSliceSpec {
        /// The driver.
        pub driver: String,
        /// The pool it is a part of.
        pub pool: ResourcePool,
        /// The one node from which they can be used.
        pub node_name: Option<String>,
        /// The nodes from which they can be used.
        pub node_selector: Option<NodeSelector>,
        /// Whether they can be used from every node.
        pub all_nodes: Option<bool>,
        /// The devices.
        pub devices: Vec<Device>,
        /// Whether each device says for itself from where it can be used.
        pub per_device_node_selection: Option<bool>,
        /// What devices of the pool share.
        pub shared_counters: Vec<CounterSet>,
    }

    /// Which pool a slice is a part of.
    pub struct ResourcePool {
        /// The pool.
        pub name: String,
        /// Which edition; only slices of the newest count.
        pub generation: i64,
        /// How many slices the edition has.
        pub resource_slice_count: i64,
    }

    /// A device.
    pub struct Device {
        /// Unique within the pool.
        pub name: String,
        /// What it is.
        pub attributes: SortedMap<String, DeviceAttribute>,
        /// How much it has.
        pub capacity: SortedMap<String, DeviceCapacity>,
        /// What it takes of what the pool shares.
        pub consumes_counters: Vec<DeviceCounterConsumption>,
        /// The one node from which it can be used.
        pub node_name: Option<String>,
        /// The nodes from which it can be used.
        pub node_selector: Option<NodeSelector>,
        /// Whether it can be used from every node.
        pub all_nodes: Option<bool>,
        /// What keeps claims off it.
        pub taints: Vec<DeviceTaint>,
        /// Whether a claim that has it can be used from one node only.
        pub binds_to_node: Option<bool>,
        /// Conditions that must become true before a pod with it is bound.
        pub binding_conditions: Vec<String>,
        /// Conditions that must not.
        pub binding_failure_conditions: Vec<String>,
        /// Whether several claims can have it.
        pub allow_multiple_allocations: Option<bool>,
        /// What it takes of the node's own resources.
        pub node_allocatable_resource_mappings: Option<Opaque>,
    }

    /// What a device is in one respect; one of the fields is set.
    pub struct DeviceAttribute {
        /// A number.
        pub int: Option<i64>,
        /// Yes or no.
        pub bool: Option<bool>,
        /// Text.
        pub string: Option<String>,
        /// A semantic version.
        pub version: Option<String>,
        /// Numbers.
        pub ints: Vec<i64>,
        /// Several times yes or no.
        pub bools: Vec<bool>,
        /// Texts.
        pub strings: Vec<String>,
        /// Semantic versions.
        pub versions: Vec<String>,
    }

    /// How much a device has in one respect.
    pub struct DeviceCapacity {
        /// How much.
        pub value: Quantity,
        /// How it can be shared out.
        pub request_policy: Option<CapacityRequestPolicy>,
    }

    /// How a capacity can be shared out.
    pub struct CapacityRequestPolicy {
        /// What a claim gets that does not say.
        pub default: Option<Quantity>,
        /// The amounts that can be had.
        pub valid_values: Vec<Quantity>,
        /// The amounts that can be had, as a range.
        pub valid_range: Option<CapacityRequestPolicyRange>,
    }

    /// Amounts that can be had.
    pub struct CapacityRequestPolicyRange {
        /// The least.
        pub min: Option<Quantity>,
        /// The most.
        pub max: Option<Quantity>,
        /// How far amounts are apart.
        pub step: Option<Quantity>,
    }

    /// What a device takes of what its pool shares.
    pub struct DeviceCounterConsumption {
        /// Which set of counters.
        pub counter_set: String,
        /// How much of each.
        pub counters: SortedMap<String, Counter>,
    }

    /// What devices of a pool share.
    pub struct CounterSet {
        /// Its name.
        pub name: String,
        /// How much of each there is.
        pub counters: SortedMap<String, Counter>,
    }

    /// An amount.
    pub struct Counter {
        /// How much.
        pub value: Quantity,
    }

    /// What keeps claims off a device.
    pub struct DeviceTaint {
        /// What it is about.
        pub key: String,
        /// More about it.
        pub value: String,
        /// `NoSchedule`, `NoExecute` or `None`.
        pub effect: String,
        /// When it was put there.
        pub time_added: Option<Time>,
    }
}
