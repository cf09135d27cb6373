//! Which containers have to ask for less of a resource for the pod to ask for less of it in all.
//!
//! A pod asks for the sum of the containers that run together or, where that is more, for what an init container takes
//! while it runs beside the restartable ones before it; requests of the pod as a whole stand in place of both. So the
//! change is named where it counts: on whoever is too large, as few as possible, none down to nothing.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::api::{
    CPU, Container, Format, PodSpec, Quantity, ResourceList, ResourceRequirements,
    is_extended_resource, is_hugepages, is_pod_level_resource,
};
use crate::order;

/// Whose request it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Whose {
    /// The pod's as a whole.
    Pod,
    /// A container's, by its name.
    Container(String),
    /// An init container's, by its name.
    InitContainer(String),
}

impl Whose {
    /// Where its requests stand in a pod's spec, as far as `requests`: `containers[main].`.
    #[must_use]
    pub fn path(&self) -> String {
        match self {
            Self::Pod => String::from("resources."),
            Self::Container(name) => format!("containers[{name}]."),
            Self::InitContainer(name) => format!("initContainers[{name}]."),
        }
    }
}

/// One request that is to be smaller, in the resource's unit (milli-cores for CPU).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Whose.
    pub whose: Whose,
    /// What it is.
    pub from: i64,
    /// What it is to be; more than nothing.
    pub to: i64,
}

impl Cut {
    /// Changes a pod's spec. A limit that has to be as large as the request goes with it.
    pub(super) fn apply(&self, spec: &mut PodSpec, resource: &str) {
        let named = |list: &mut Vec<Container>, name: &str| {
            for container in list.iter_mut().filter(|one| one.name == *name) {
                self.lower(&mut container.resources, resource);
            }
        };
        match &self.whose {
            Whose::Pod => {
                if let Some(own) = &mut spec.resources {
                    self.lower(own, resource);
                }
            }
            Whose::Container(name) => named(&mut spec.containers, name),
            Whose::InitContainer(name) => named(&mut spec.init_containers, name),
        }
    }

    fn lower(&self, own: &mut ResourceRequirements, resource: &str) {
        let lists = [&own.requests, &own.limits].into_iter();
        let known = lists.filter_map(|list| list.get(resource)).next();
        let format = known.map_or(Format::DecimalSi, |known| known.format());
        let less = if resource == CPU {
            Quantity::from_millis(self.to)
        } else {
            Quantity::from_units(self.to, format)
        };
        // A request that is not written down is as large as the limit.
        own.requests.insert(String::from(resource), less);
        let is_exact = is_extended_resource(resource) || is_hugepages(resource);
        if let (true, Some(limit)) = (is_exact, own.limits.get_mut(resource)) {
            *limit = less;
        }
    }
}

/// A container with its request.
struct Entry {
    whose: Whose,
    /// Whether it runs to its end before the others begin.
    is_before: bool,
    from: i64,
    to: i64,
}

/// The requests that have to be smaller for the pod to ask for no more than `to` of a resource in all; nothing if none can.
///
/// Units: as in [`Cut`]. What the runtime takes on top of the containers stays.
#[must_use]
pub(super) fn cuts(spec: &PodSpec, resource: &str, to: i64) -> Option<Vec<Cut>> {
    let room = to.saturating_sub(asked(&spec.overhead, resource));
    if room <= 0 {
        return None;
    }
    let mut cuts = Vec::new();
    let own = spec
        .resources
        .as_ref()
        .map_or(0, |own| asked(&own.requests, resource));
    if is_pod_level_resource(resource) && own > room {
        cuts.push(Cut {
            whose: Whose::Pod,
            from: own,
            to: room,
        });
    }
    let mut entries = entries(spec, resource);
    level(&mut entries, room)?;
    let mut beside = 0_i64;
    for entry in entries.iter_mut() {
        match &entry.whose {
            Whose::InitContainer(_) if entry.is_before => {
                entry.to = entry.to.min(room.saturating_sub(beside));
                if entry.from > 0 && entry.to <= 0 {
                    return None;
                }
            }
            Whose::InitContainer(_) => beside = beside.saturating_add(entry.to),
            _ => {}
        }
    }
    let lower = entries.into_iter().filter(|entry| entry.to < entry.from);
    cuts.extend(lower.map(|entry| Cut {
        whose: entry.whose,
        from: entry.from,
        to: entry.to,
    }));
    (!cuts.is_empty()).then_some(cuts)
}

fn entries(spec: &PodSpec, resource: &str) -> Vec<Entry> {
    let entry = |container: &Container, whose: fn(String) -> Whose, is_before: bool| {
        let from = asked(&container.resources.requests, resource);
        Entry {
            whose: whose(container.name.clone()),
            is_before,
            from,
            to: from,
        }
    };
    let main = spec
        .containers
        .iter()
        .map(|one| entry(one, Whose::Container, false));
    let init = spec.init_containers.iter();
    let init = init.map(|one| entry(one, Whose::InitContainer, !one.is_restartable()));
    main.chain(init).collect()
}

/// Lowers the largest of those that run together until there is room for all: as few as can bear it, to one height.
fn level(entries: &mut [Entry], room: i64) -> Option<()> {
    let mut together: Vec<&mut Entry> = entries
        .iter_mut()
        .filter(|entry| !entry.is_before)
        .collect();
    order::sort_by_key(&mut together, |entry| Reverse(entry.from));
    let sum = together
        .iter()
        .fold(0_i64, |sum, entry| sum.saturating_add(entry.from));
    if sum <= room {
        return Some(());
    }
    let mut largest = 0_i64;
    for place in 0..together.len() {
        largest = largest.saturating_add(together.get(place)?.from);
        let count = i64::try_from(place).unwrap_or(i64::MAX).saturating_add(1);
        let height = (room - (sum - largest)).div_euclid(count);
        if height > 0 {
            // The others keep what they ask for, also where that is more.
            for entry in together.iter_mut().take(place + 1) {
                entry.to = entry.from.min(height);
            }
            return Some(());
        }
    }
    None
}

/// How much a list asks for.
fn asked(list: &ResourceList, resource: &str) -> i64 {
    list.get(resource).map_or(0, |quantity| {
        if resource == CPU {
            quantity.milli_value()
        } else {
            quantity.value()
        }
    })
}

#[cfg(test)]
mod tests;
