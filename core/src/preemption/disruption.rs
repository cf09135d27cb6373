//! Which victims a PodDisruptionBudget would not let go.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{PodDisruptionBudget, Selector};
use crate::snapshot::{Listers, PodInfo};

/// The budgets that can protect a pod at all, with their selectors made ready.
#[derive(Clone, Debug, Default)]
pub(super) struct Budgets {
    budgets: Vec<(Arc<PodDisruptionBudget>, Selector)>,
}

impl Budgets {
    /// Reads the observed budgets. One whose selector is absent, empty or not valid protects nothing.
    pub(super) fn of(listers: &Listers) -> Self {
        let budgets = listers.pod_disruption_budgets.iter().filter_map(|budget| {
            let selector = Selector::compile(budget.spec.selector.as_ref()).ok()?;
            let protects = selector.has_requirements();
            protects.then(|| (budget.clone(), selector))
        });
        Self {
            budgets: budgets.collect(),
        }
    }

    /// Parts pods into those whose departure would violate a budget if they left in this order, and the others. Each
    /// part keeps the order.
    ///
    /// Every budget that selects a pod is charged for it, also when another one is violated.
    /// Source: spec, scheduling cycle 12.4, step 4.
    #[inline(never)]
    pub(super) fn split(&self, pods: Vec<Arc<PodInfo>>) -> (Vec<Arc<PodInfo>>, Vec<Arc<PodInfo>>) {
        let mut left: Vec<i32> = self
            .budgets
            .iter()
            .map(|(budget, _)| budget.status.disruptions_allowed)
            .collect();
        pods.into_iter().partition(|pod| {
            let mut is_violating = false;
            for ((budget, selector), left) in self.budgets.iter().zip(&mut left) {
                if is_charged(budget, selector, pod) {
                    *left = left.saturating_sub(1);
                    is_violating |= *left < 0;
                }
            }
            is_violating
        })
    }
}

/// Whether the budget is charged when the pod leaves. A pod without labels has no budget, and one whose disruption is
/// under way has been charged already.
fn is_charged(budget: &PodDisruptionBudget, selector: &Selector, pod: &PodInfo) -> bool {
    let metadata = &pod.pod.metadata;
    budget.metadata.namespace == metadata.namespace
        && !metadata.labels.is_empty()
        && selector.matches(&metadata.labels)
        && !budget.status.disrupted_pods.contains_key(&metadata.name)
}

#[cfg(test)]
mod tests;
