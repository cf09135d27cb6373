//! What several plugins read from the feature gates when they are built.

use crate::api::{ComparisonOperators, RequestOptions};
use crate::config::{Gate, Gates};

/// Whether tolerations compare numbers.
pub(super) fn comparison_operators(gates: Gates) -> ComparisonOperators {
    if gates.enabled(Gate::TaintTolerationComparisonOperators) {
        ComparisonOperators::On
    } else {
        ComparisonOperators::Off
    }
}

/// `options` without what a gate turns off.
pub(super) fn requests(options: RequestOptions, gates: Gates) -> RequestOptions {
    let has_status = gates.enabled(Gate::InPlacePodLevelResourcesVerticalScaling);
    RequestOptions {
        pod_level: options.pod_level && gates.enabled(Gate::PodLevelResources),
        pod_level_status: options.pod_level_status && has_status,
        claim_resources: gates.enabled(Gate::DRANodeAllocatableResources),
        ..options
    }
}
