//! Which rules the arguments of a plugin break.

use alloc::format;
use alloc::vec::Vec;

use crate::api::TopologySpreadConstraint;
use crate::api::names::qualified_name_faults;
use crate::config::reader::{child, index};
use crate::config::{
    ConfigError, DefaultPreemptionArgs, DefaultingType, DynamicResourcesArgs, Gate, Gates,
    InterPodAffinityArgs, NodeResourcesFitArgs, PluginArgs, PodTopologySpreadArgs, ResourceSpec,
    ScoringStrategyType, UtilizationShapePoint, VolumeBindingArgs,
};
use crate::time::Span;

use super::selector;

impl PluginArgs {
    /// Whether the arguments keep their rules; paths begin at the arguments themselves.
    ///
    /// A plugin asks this when it is built, because arguments need not come from a file.
    pub fn validate(&self, gates: Gates) -> Result<(), ConfigError> {
        let mut errors = Vec::new();
        validate_args(self, "", gates, &mut errors);
        ConfigError::check(errors)
    }
}

/// Adds the broken rules of `args`.
pub(super) fn validate_args(
    args: &PluginArgs,
    path: &str,
    gates: Gates,
    errors: &mut Vec<ConfigError>,
) {
    match args {
        PluginArgs::DefaultPreemption(args) => preemption(args, path, errors),
        PluginArgs::DynamicResources(args) => devices(args, path, gates, errors),
        PluginArgs::InterPodAffinity(args) => pod_affinity(args, path, errors),
        PluginArgs::NodeAffinity(args) => {
            if let Some(affinity) = &args.added_affinity {
                let path = child(path, "addedAffinity");
                selector::node_affinity(affinity, &path, errors);
            }
        }
        PluginArgs::NodeResourcesBalancedAllocation(args) => {
            balanced(&args.resources, &child(path, "resources"), errors);
        }
        PluginArgs::NodeResourcesFit(args) => fit(args, path, errors),
        PluginArgs::PodTopologySpread(args) => spread(args, path, errors),
        PluginArgs::VolumeBinding(args) => volumes(args, path, gates, errors),
        PluginArgs::None | PluginArgs::Legacy(_) | PluginArgs::Other(_) => {}
    }
}

fn preemption(args: &DefaultPreemptionArgs, path: &str, errors: &mut Vec<ConfigError>) {
    let percentage = child(path, "minCandidateNodesPercentage");
    let absolute = child(path, "minCandidateNodesAbsolute");
    in_percent(&percentage, args.min_candidate_nodes_percentage, errors);
    if args.min_candidate_nodes_absolute < 0 {
        errors.push(ConfigError::invalid(
            &absolute,
            args.min_candidate_nodes_absolute,
            "not in valid range [0, inf)",
        ));
    }
    if args.min_candidate_nodes_percentage == 0 && args.min_candidate_nodes_absolute == 0 {
        let both = |path, other| {
            let detail = format!("cannot be zero at the same time as {other}");
            ConfigError::invalid(path, 0, detail)
        };
        errors.push(both(&percentage, "minCandidateNodesAbsolute"));
        errors.push(both(&absolute, "minCandidateNodesPercentage"));
    }
}

fn devices(args: &DynamicResourcesArgs, path: &str, gates: Gates, errors: &mut Vec<ConfigError>) {
    let mut timeout = |name, span: Option<Span>, needed: &[Gate], least: Span, detail| {
        let Some(span) = span else { return };
        let path = child(path, name);
        if let Some(gate) = needed.iter().find(|gate| !gates.enabled(**gate)) {
            let detail = format!("feature gate {gate} is disabled");
            errors.push(ConfigError::forbidden(path, detail));
        } else if span < least {
            errors.push(ConfigError::invalid(path, format!("\"{span}\""), detail));
        }
    };
    timeout(
        "bindingTimeout",
        args.binding_timeout,
        &[
            Gate::DRADeviceBindingConditions,
            Gate::DRAResourceClaimDeviceStatus,
        ],
        Span::SECOND,
        "must be at least 1 second",
    );
    timeout(
        "filterTimeout",
        args.filter_timeout,
        &[Gate::DRASchedulerFilterTimeout],
        Span::ZERO,
        "must be zero or positive",
    );
}

fn pod_affinity(args: &InterPodAffinityArgs, path: &str, errors: &mut Vec<ConfigError>) {
    let path = child(path, "hardPodAffinityWeight");
    in_percent(&path, args.hard_pod_affinity_weight, errors);
}

fn balanced(resources: &[ResourceSpec], path: &str, errors: &mut Vec<ConfigError>) {
    for (i, resource) in resources.iter().enumerate() {
        let path = index(path, i);
        let mut earlier = resources.iter().take(i);
        if earlier.any(|other| other.name == resource.name) {
            errors.push(ConfigError::duplicate(child(&path, "name"), &resource.name));
        }
        if resource.weight != 1 {
            let path = child(&path, "weight");
            errors.push(ConfigError::invalid(path, resource.weight, "must be 1"));
        }
    }
}

fn fit(args: &NodeResourcesFitArgs, path: &str, errors: &mut Vec<ConfigError>) {
    for (i, name) in args.ignored_resources.iter().enumerate() {
        label_name(&index(&child(path, "ignoredResources"), i), name, errors);
    }
    for (i, group) in args.ignored_resource_groups.iter().enumerate() {
        let path = index(&child(path, "ignoredResourceGroups"), i);
        if group.contains('/') {
            errors.push(ConfigError::invalid(
                &path,
                format!("\"{group}\""),
                "resource group name can't contain '/'",
            ));
        }
        label_name(&path, group, errors);
    }
    let path = child(path, "scoringStrategy");
    let strategy = &args.scoring_strategy;
    for (i, resource) in strategy.resources.iter().enumerate() {
        if !(1..=100).contains(&resource.weight) {
            let name = &resource.name;
            errors.push(ConfigError::invalid(
                format!("{path}.resources[{i}].weight"),
                resource.weight,
                format!("resource weight of {name} not in valid range (0, 100]"),
            ));
        }
    }
    let is_ratio = strategy.kind == ScoringStrategyType::RequestedToCapacityRatio;
    let path = child(&path, "requestedToCapacityRatio");
    match (is_ratio, strategy.shape.is_empty()) {
        (true, true) => errors.push(ConfigError::required(
            &path,
            "must be specified when type is RequestedToCapacityRatio; at least one point must be specified",
        )),
        (true, false) => shape(&strategy.shape, &child(&path, "shape"), errors),
        (false, true) => {}
        (false, false) => errors.push(ConfigError::invalid(
            &path,
            "shape",
            "must be nil when type is not RequestedToCapacityRatio",
        )),
    }
}

/// The rules for a curve from utilization to score.
pub(in crate::config) fn shape(
    points: &[UtilizationShapePoint],
    path: &str,
    errors: &mut Vec<ConfigError>,
) {
    if points.is_empty() {
        let detail = "at least one point must be specified";
        return errors.push(ConfigError::required(path, detail));
    }
    for (i, (point, next)) in points.iter().zip(points.iter().skip(1)).enumerate() {
        if point.utilization >= next.utilization {
            errors.push(ConfigError::invalid(
                format!("{path}[{}].utilization", i + 1),
                next.utilization,
                "values must be sorted in increasing order",
            ));
            break;
        }
    }
    for (i, point) in points.iter().enumerate() {
        let path = index(path, i);
        in_percent(&child(&path, "utilization"), point.utilization, errors);
        if !(0..=10).contains(&point.score) {
            let path = child(&path, "score");
            errors.push(ConfigError::invalid(
                path,
                point.score,
                "not in valid range [0, 10]",
            ));
        }
    }
}

fn spread(args: &PodTopologySpreadArgs, path: &str, errors: &mut Vec<ConfigError>) {
    if args.defaulting_type == DefaultingType::System && !args.default_constraints.is_empty() {
        errors.push(ConfigError::invalid(
            child(path, "defaultingType"),
            "\"System\"",
            "when .defaultConstraints are not empty",
        ));
    }
    let path = child(path, "defaultConstraints");
    let constraints = &args.default_constraints;
    for (i, constraint) in constraints.iter().enumerate() {
        let path = index(&path, i);
        default_constraint(constraint, &path, errors);
        let is_same = |other: &TopologySpreadConstraint| {
            other.topology_key == constraint.topology_key
                && other.when_unsatisfiable == constraint.when_unsatisfiable
        };
        if constraints.iter().take(i).any(is_same) {
            let (key, when) = (&constraint.topology_key, &constraint.when_unsatisfiable);
            errors.push(ConfigError::duplicate(&path, format!("{{{key}, {when}}}")));
        }
    }
}

fn default_constraint(
    constraint: &TopologySpreadConstraint,
    path: &str,
    errors: &mut Vec<ConfigError>,
) {
    if constraint.max_skew <= 0 {
        errors.push(ConfigError::invalid(
            child(path, "maxSkew"),
            constraint.max_skew,
            "not in valid range (0, inf)",
        ));
    }
    let key = child(path, "topologyKey");
    if constraint.topology_key.is_empty() {
        errors.push(ConfigError::required(key, "can not be empty"));
    } else {
        label_name(&key, &constraint.topology_key, errors);
    }
    let when = child(path, "whenUnsatisfiable");
    match constraint.when_unsatisfiable.as_str() {
        "DoNotSchedule" | "ScheduleAnyway" => {}
        "" => errors.push(ConfigError::required(when, "can not be empty")),
        other => errors.push(ConfigError::unsupported(
            when,
            other,
            alloc::vec!["DoNotSchedule", "ScheduleAnyway"],
        )),
    }
    if constraint.label_selector.is_some() {
        errors.push(ConfigError::forbidden(
            child(path, "labelSelector"),
            "constraint must not define a selector, as they deduced for each pod",
        ));
    }
}

fn volumes(args: &VolumeBindingArgs, path: &str, gates: Gates, errors: &mut Vec<ConfigError>) {
    if args.bind_timeout_seconds < 0 {
        errors.push(ConfigError::invalid(
            child(path, "bindTimeoutSeconds"),
            args.bind_timeout_seconds,
            "invalid BindTimeoutSeconds, should not be a negative value",
        ));
    }
    let path = child(path, "shape");
    if gates.enabled(Gate::StorageCapacityScoring) {
        shape(&args.shape, &path, errors);
    } else if !args.shape.is_empty() {
        errors.push(ConfigError::invalid(
            path,
            format!("{} points", args.shape.len()),
            "unexpected field `shape`, remove it or turn on the feature gate StorageCapacityScoring",
        ));
    }
}

fn in_percent(path: &str, number: i32, errors: &mut Vec<ConfigError>) {
    if !(0..=100).contains(&number) {
        errors.push(ConfigError::invalid(
            path,
            number,
            "not in valid range [0, 100]",
        ));
    }
}

/// Reports text that cannot be the key of a label.
pub(super) fn label_name(path: &str, name: &str, errors: &mut Vec<ConfigError>) {
    for fault in qualified_name_faults(name) {
        errors.push(ConfigError::invalid(
            path,
            format!("\"{name}\""),
            format!("{fault}"),
        ));
    }
}
