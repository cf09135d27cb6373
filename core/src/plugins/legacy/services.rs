//! Which services a pod belongs to.

use alloc::sync::Arc;

use crate::api::{Pod, Service};
use crate::plugins::owner_selector::is_part_of;
use crate::snapshot::Listers;

/// The services of the pod's namespace whose selector means the pod, by name. One without a selector means no pod.
pub(super) fn services_of<'a>(
    listers: &'a Listers,
    pod: &'a Pod,
) -> impl Iterator<Item = &'a Arc<Service>> {
    let services = listers.services.in_namespace(&pod.metadata.namespace);
    services.filter(|service| {
        let selector = service.spec.selector.as_ref();
        selector.is_some_and(|selector| is_part_of(selector, &pod.metadata.labels))
    })
}
