//! DefaultBinder: the API server is asked to bind the pod.

use alloc::sync::Arc;

use crate::config::{ConfigError, Gates, PluginArgs};
use crate::framework::cycle_state::CycleState;
use crate::framework::extension::{Bind, BindContext, Plugin};
use crate::framework::status::PluginName;
use crate::framework::work::Work;
use crate::snapshot::PodInfo;

/// Binds a pod by creating its `binding` subresource.
///
/// Source: spec, plugins 3.9; Kubernetes v1.36 `plugins/defaultbinder/default_binder.go`.
#[derive(Clone, Copy, Debug)]
pub struct DefaultBinder;

impl DefaultBinder {
    /// The name under which it is configured.
    pub const NAME: PluginName = PluginName("DefaultBinder");

    pub(super) fn build(_: &PluginArgs, _: &Gates) -> Result<Arc<dyn Plugin>, ConfigError> {
        Ok(Arc::new(Self))
    }
}

impl Plugin for DefaultBinder {
    fn name(&self) -> PluginName {
        Self::NAME
    }

    fn as_bind(&self) -> Option<&dyn Bind> {
        Some(self)
    }
}

impl Bind for DefaultBinder {
    fn bind(
        &self,
        _cx: &BindContext<'_>,
        _state: &CycleState,
        pod: &PodInfo,
        node: &str,
    ) -> Option<Work> {
        Some(Work::Bind {
            pod: pod.reference.clone(),
            node: Arc::from(node),
        })
    }
}

#[cfg(test)]
mod tests;
