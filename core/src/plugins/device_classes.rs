//! Which extended resources devices stand for.

use alloc::sync::Arc;

use crate::api::{DEVICE_CLASS_PREFIX, DeviceClass};
use crate::order::{SortedMap, SortedSet};
use crate::snapshot::Listers;

/// Extended resources that a DeviceClass has taken on.
///
/// Source: spec, plugins 12.10.
pub(super) struct DeviceClasses<'a> {
    by_resource: SortedMap<&'a str, &'a Arc<DeviceClass>>,
    /// Classes that lost their resource to another.
    losers: SortedSet<&'a str>,
    listers: &'a Listers,
}

impl<'a> DeviceClasses<'a> {
    /// Reads the classes. Of two that claim one resource, the one created later has it, then the one named first.
    pub(super) fn of(listers: &'a Listers) -> Self {
        let mut by_resource: SortedMap<&str, &Arc<DeviceClass>> = SortedMap::new();
        let mut losers = SortedSet::new();
        for class in listers.device_classes.iter() {
            let Some(resource) = class.spec.extended_resource_name.as_deref() else {
                continue;
            };
            let Some(known) = by_resource.get(resource).copied() else {
                by_resource.insert(resource, class);
                continue;
            };
            // Classes come in name order, so one that is not newer loses.
            let is_newer = class.metadata.creation_timestamp > known.metadata.creation_timestamp;
            let (winner, loser) = if is_newer {
                (class, known)
            } else {
                (known, class)
            };
            by_resource.insert(resource, winner);
            losers.insert(loser.metadata.name.as_str());
        }
        Self {
            by_resource,
            losers,
            listers,
        }
    }

    /// Whether a class has taken on the resource, under its own name or under the class's.
    ///
    /// QUIRK: a class that lost its resource does not stand for its implicit name either while the clash lasts.
    pub(super) fn stand_for(&self, resource: &str) -> bool {
        if self.by_resource.contains_key(resource) {
            return true;
        }
        let class = resource.strip_prefix(DEVICE_CLASS_PREFIX);
        class.is_some_and(|class| {
            self.listers.device_classes.get("", class).is_some() && !self.losers.contains(class)
        })
    }
}

#[cfg(test)]
mod tests;
