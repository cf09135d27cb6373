//! How full a node may be to be the better fit.

use alloc::vec::Vec;

use crate::config::{ScoringStrategy, ScoringStrategyType, UtilizationShapePoint};
use crate::num;
use crate::plugins::scored_resources::Fill;

/// From how full each resource is to a score of the node.
///
/// Source: spec, plugins 4.3; Kubernetes v1.36 `plugins/noderesources/{least_allocated,most_allocated,
/// requested_to_capacity_ratio}.go`.
#[derive(Clone, Debug)]
pub(in crate::plugins) enum Strategy {
    /// The emptier the better.
    LeastAllocated,
    /// The fuller the better.
    MostAllocated,
    /// By a curve over utilization.
    RequestedToCapacityRatio(Curve),
}

/// Straight lines between points: score from 0 to 100 over utilization in percent.
#[derive(Clone, Debug)]
pub(in crate::plugins) struct Curve {
    points: Vec<(i64, i64)>,
}

impl Strategy {
    /// Reads the arguments.
    pub(super) fn new(strategy: &ScoringStrategy) -> Self {
        match strategy.kind {
            ScoringStrategyType::LeastAllocated => Self::LeastAllocated,
            ScoringStrategyType::MostAllocated => Self::MostAllocated,
            ScoringStrategyType::RequestedToCapacityRatio => {
                Self::RequestedToCapacityRatio(Curve::new(&strategy.shape))
            }
        }
    }

    /// The score of a node whose resources are this full; 0 when none counts.
    pub(in crate::plugins) fn score(&self, fills: impl Iterator<Item = Fill>) -> i64 {
        match self {
            Self::LeastAllocated => weighted_mean(fills, |fill| {
                let requested = fill.with_incoming();
                if requested > fill.capacity {
                    return 0;
                }
                num::percent_of(fill.capacity - requested, fill.capacity)
            }),
            // Requests may exceed the capacity because those that ask for nothing count for a little.
            Self::MostAllocated => weighted_mean(fills, |fill| {
                num::percent_of(fill.with_incoming().min(fill.capacity), fill.capacity)
            }),
            Self::RequestedToCapacityRatio(curve) => curve.score(fills),
        }
    }
}

impl Curve {
    /// Reads a shape: scores of 0 to 10 become 0 to 100.
    pub(in crate::plugins) fn new(shape: &[UtilizationShapePoint]) -> Self {
        let points = shape
            .iter()
            .map(|point| (i64::from(point.utilization), 10 * i64::from(point.score)));
        Self {
            points: points.collect(),
        }
    }

    /// The mean over resources, rounded. One that a node has none of counts as used up.
    ///
    /// QUIRK: a resource that scores exactly 0 drops out of the weights, which lifts the mean of the others.
    pub(in crate::plugins) fn score(&self, fills: impl Iterator<Item = Fill>) -> i64 {
        let (mut sum, mut weights) = (0, 0);
        for fill in fills {
            let requested = fill.with_incoming();
            let utilization = if fill.capacity == 0 || requested > fill.capacity {
                100
            } else {
                num::percent_of(requested, fill.capacity)
            };
            let score = self.at(utilization);
            if score > 0 {
                sum += score * fill.weight;
                weights += fill.weight;
            }
        }
        num::rounded_mean(sum, weights)
    }

    /// The score at a utilization: the first point's before it, the last point's after it.
    pub(in crate::plugins) fn at(&self, utilization: i64) -> i64 {
        let mut before: Option<(i64, i64)> = None;
        for &(at, score) in &self.points {
            if utilization <= at {
                return before.map_or(score, |(from, base)| {
                    base + (score - base) * (utilization - from) / (at - from)
                });
            }
            before = Some((at, score));
        }
        before.map_or(0, |(_, score)| score)
    }
}

/// Σ score·weight / Σ weight, truncated; 0 when nothing has weight.
pub(in crate::plugins) fn weighted_mean(
    fills: impl Iterator<Item = Fill>,
    score: impl Fn(&Fill) -> i64,
) -> i64 {
    let (mut sum, mut weights) = (0, 0);
    for fill in fills {
        sum += score(&fill) * fill.weight;
        weights += fill.weight;
    }
    if weights == 0 { 0 } else { sum / weights }
}
