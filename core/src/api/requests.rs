//! How much a pod asks for, all its containers taken together.

use alloc::string::ToString;

use super::pod::{Container, ContainerStatus, Pod};
use super::quantity::{Format, Quantity};
use super::resources::{CPU, MEMORY, ResourceList, is_pod_level_resource};

/// What counts as a request.
///
/// The named sets are those that the built-in plugins use; a feature gate that is not at its default changes one field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RequestOptions {
    /// Whether a container's status can ask for more than its spec, as while it is resized.
    pub use_status: bool,
    /// Whether requests of the pod as a whole replace the sum over containers; gate `PodLevelResources`.
    pub pod_level: bool,
    /// Whether the pod's status can ask for more than that; gate `InPlacePodLevelResourcesVerticalScaling`.
    pub pod_level_status: bool,
    /// Whether claims that take of the node's own resources count; gate `DRANodeAllocatableResources`.
    pub claim_resources: bool,
    /// Whether a container that does not mention CPU or memory counts as asking for a little.
    pub floor: Floor,
}

/// What a container counts for that does not mention CPU or memory. An explicit 0 is a mention.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Floor {
    /// Nothing.
    #[default]
    None,
    /// [`DEFAULT_MILLI_CPU`] and [`DEFAULT_MEMORY`].
    PerContainer,
}

impl RequestOptions {
    /// A pod on a node.
    pub const PLACED: Self = Self {
        use_status: true,
        pod_level: true,
        pod_level_status: true,
        claim_resources: false,
        floor: Floor::None,
    };
    /// A pod on a node, for scores.
    pub const PLACED_NON_ZERO: Self = Self {
        floor: Floor::PerContainer,
        ..Self::PLACED
    };
    /// A pod that is to be placed.
    pub const INCOMING: Self = Self {
        use_status: false,
        ..Self::PLACED
    };
    /// A pod that is to be placed, for the scores of NodeResourcesFit.
    ///
    /// QUIRK: requests of the pod as a whole do not count here, although they do for pods already placed. A pod that has
    /// no others is scored as if each container asked for the floor.
    pub const INCOMING_NON_ZERO: Self = Self {
        use_status: false,
        pod_level: false,
        floor: Floor::PerContainer,
        ..Self::PLACED
    };
}

/// What the pod asks for, by resource name; exact.
///
/// Containers that run together are added up. Each plain init container runs alone beside the restartable ones before it,
/// so the total is the larger of the sum and of the largest such moment. Limits play no part.
/// Source: spec, plugins 2.4.
#[must_use]
pub fn pod_requests(pod: &Pod, options: RequestOptions) -> ResourceList {
    match (
        options.floor,
        options.pod_level && has_pod_level_requests(pod),
    ) {
        (Floor::None, _) => total(pod, options, &[]),
        (Floor::PerContainer, false) => total(pod, options, &FLOOR),
        // The floor holds only for what nobody mentions at all.
        (Floor::PerContainer, true) => {
            let mentioned = total(pod, options, &[]);
            match (mentioned.contains_key(CPU), mentioned.contains_key(MEMORY)) {
                (true, true) => mentioned,
                (false, true) => total(pod, options, &[CPU_FLOOR]),
                (true, false) => total(pod, options, &[MEMORY_FLOOR]),
                (false, false) => total(pod, options, &FLOOR),
            }
        }
    }
}

/// Whether the pod as a whole asks for something that then replaces the sum over its containers.
#[must_use]
pub fn has_pod_level_requests(pod: &Pod) -> bool {
    let resources = pod.spec.resources.as_ref();
    resources.is_some_and(|resources| {
        resources
            .requests
            .keys()
            .any(|name| is_pod_level_resource(name))
    })
}

fn total(pod: &Pod, options: RequestOptions, floor: &[FloorEntry]) -> ResourceList {
    let mut sum = container_total(pod, options, floor);
    if options.claim_resources {
        for status in &pod.status.node_allocatable_resource_claim_statuses {
            add(&mut sum, &status.resources);
        }
    }
    if options.pod_level {
        replace_by_pod_level(&mut sum, pod, options);
    }
    add(&mut sum, &pod.spec.overhead);
    sum
}

fn container_total(pod: &Pod, options: RequestOptions, floor: &[FloorEntry]) -> ResourceList {
    let statuses = |list| if options.use_status { list } else { &[][..] };
    let main_statuses = statuses(pod.status.container_statuses.as_slice());
    let init_statuses = statuses(pod.status.init_container_statuses.as_slice());
    let is_infeasible = is_resize_infeasible(pod);
    let mut sum = ResourceList::new();
    for container in &pod.spec.containers {
        add_container(&mut sum, container, main_statuses, is_infeasible, floor);
    }
    if pod.spec.init_containers.is_empty() {
        return sum;
    }
    let mut sidecars = ResourceList::new();
    let mut peak = ResourceList::new();
    for container in &pod.spec.init_containers {
        if container.is_restartable() {
            add_container(&mut sum, container, init_statuses, is_infeasible, floor);
            add_container(
                &mut sidecars,
                container,
                init_statuses,
                is_infeasible,
                floor,
            );
            raise(&mut peak, &sidecars);
        } else {
            let mut moment = sidecars.clone();
            add_container(&mut moment, container, &[], is_infeasible, floor);
            raise(&mut peak, &moment);
        }
    }
    raise(&mut sum, &peak);
    sum
}

/// Adds what one container asks for: its spec, or what its status says if that is more.
fn add_container(
    sum: &mut ResourceList,
    container: &Container,
    statuses: &[ContainerStatus],
    is_infeasible: bool,
    floor: &[FloorEntry],
) {
    let wanted = &container.resources.requests;
    let status = statuses.iter().find(|status| status.name == container.name);
    let actuated = status.and_then(|status| Some((status, status.resources.as_ref()?)));
    let in_force;
    let requests = match actuated {
        None => wanted,
        Some((status, resources)) => {
            in_force = effective(
                wanted,
                &resources.requests,
                &status.allocated_resources,
                is_infeasible,
            );
            &in_force
        }
    };
    add(sum, requests);
    for (name, quantity) in floor {
        if !requests.contains_key(*name) {
            add_one(sum, name, *quantity);
        }
    }
}

/// The larger of what is wanted, in force and granted. What the node can never grant is not waited for.
fn effective(
    wanted: &ResourceList,
    actuated: &ResourceList,
    granted: &ResourceList,
    is_infeasible: bool,
) -> ResourceList {
    let mut requests = actuated.clone();
    raise(&mut requests, granted);
    if !is_infeasible {
        raise(&mut requests, wanted);
    }
    requests
}

fn replace_by_pod_level(sum: &mut ResourceList, pod: &Pod, options: RequestOptions) {
    let Some(resources) = &pod.spec.resources else {
        return;
    };
    let wanted = &resources.requests;
    let in_force;
    let requests = match &pod.status.resources {
        Some(actuated) if options.use_status && options.pod_level_status => {
            let granted = &pod.status.allocated_resources;
            in_force = effective(
                wanted,
                &actuated.requests,
                granted,
                is_resize_infeasible(pod),
            );
            &in_force
        }
        _ => wanted,
    };
    for name in wanted.keys().filter(|name| is_pod_level_resource(name)) {
        let quantity = requests.get(name).copied().unwrap_or_default();
        sum.insert(name.clone(), quantity);
    }
}

/// Whether the node has said that it can never grant the size that is wanted.
fn is_resize_infeasible(pod: &Pod) -> bool {
    pod.condition("PodResizePending")
        .is_some_and(|condition| condition.reason == "Infeasible")
}

fn add(sum: &mut ResourceList, list: &ResourceList) {
    for (name, quantity) in list {
        add_one(sum, name, *quantity);
    }
}

fn add_one(sum: &mut ResourceList, name: &str, quantity: Quantity) {
    match sum.get_mut(name) {
        Some(present) => *present += quantity,
        None => {
            sum.insert(name.to_string(), quantity);
        }
    }
}

/// Takes the larger amount of each resource.
fn raise(list: &mut ResourceList, other: &ResourceList) {
    for (name, quantity) in other {
        match list.get_mut(name) {
            Some(present) => *present = (*present).max(*quantity),
            None => {
                list.insert(name.clone(), *quantity);
            }
        }
    }
}

type FloorEntry = (&'static str, Quantity);

/// What a container that does not mention CPU counts for, in milli-cores.
pub const DEFAULT_MILLI_CPU: i64 = 100;
/// What a container that does not mention memory counts for, in bytes.
pub const DEFAULT_MEMORY: i64 = 200 * 1024 * 1024;
const CPU_FLOOR: FloorEntry = (CPU, Quantity::from_millis(DEFAULT_MILLI_CPU));
const MEMORY_FLOOR: FloorEntry = (
    MEMORY,
    Quantity::from_units(DEFAULT_MEMORY, Format::BinarySi),
);
const FLOOR: [FloorEntry; 2] = [CPU_FLOOR, MEMORY_FLOOR];

#[cfg(test)]
mod tests;
