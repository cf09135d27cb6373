//! The arguments of a plugin as they are written.

use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use serde_json::{Map, Value, json};

use crate::config::version::ApiVersion;
use crate::config::{
    LegacyArgs, NodeResourcesFitArgs, PluginArgs, ResourceSpec, ScoringStrategyType,
    UtilizationShapePoint, VolumeBindingArgs,
};

/// The arguments with their kind and version; null when there are none.
pub(super) fn args(args: &PluginArgs) -> Value {
    let fields = match args {
        PluginArgs::None => return Value::Null,
        PluginArgs::Other(value) => return value.clone(),
        PluginArgs::DefaultPreemption(args) => json!({
            "minCandidateNodesPercentage": args.min_candidate_nodes_percentage,
            "minCandidateNodesAbsolute": args.min_candidate_nodes_absolute,
        }),
        PluginArgs::DynamicResources(args) => {
            let mut map = Map::new();
            for (name, span) in [
                ("filterTimeout", args.filter_timeout),
                ("bindingTimeout", args.binding_timeout),
            ] {
                if let Some(span) = span {
                    map.insert(name.to_string(), format!("{span}").into());
                }
            }
            map.into()
        }
        PluginArgs::InterPodAffinity(args) => json!({
            "hardPodAffinityWeight": args.hard_pod_affinity_weight,
            "ignorePreferredTermsOfExistingPods": args.ignore_preferred_terms_of_existing_pods,
        }),
        PluginArgs::NodeAffinity(args) => match &args.added_affinity {
            Some(added) => json!({"addedAffinity": object(added)}),
            None => json!({}),
        },
        PluginArgs::NodeResourcesBalancedAllocation(args) => {
            json!({"resources": resources(&args.resources)})
        }
        PluginArgs::NodeResourcesFit(args) => fit(args),
        PluginArgs::PodTopologySpread(args) => {
            let mut fields = json!({"defaultingType": args.defaulting_type.name()});
            if let (Some(map), false) =
                (fields.as_object_mut(), args.default_constraints.is_empty())
            {
                let list = args.default_constraints.iter().map(object);
                map.insert("defaultConstraints".to_string(), list.collect());
            }
            fields
        }
        PluginArgs::VolumeBinding(args) => volumes(args),
        PluginArgs::Legacy(args) => legacy(args),
    };
    with_kind(fields, args)
}

fn with_kind(mut fields: Value, args: &PluginArgs) -> Value {
    if let (Some(map), Some(kind)) = (fields.as_object_mut(), args.kind()) {
        map.insert("kind".to_string(), kind.into());
        map.insert("apiVersion".to_string(), ApiVersion::V1.text().into());
    }
    fields
}

fn fit(args: &NodeResourcesFitArgs) -> Value {
    let strategy = &args.scoring_strategy;
    let mut written = json!({
        "type": strategy.kind.name(),
        "resources": resources(&strategy.resources),
    });
    let is_ratio = strategy.kind == ScoringStrategyType::RequestedToCapacityRatio;
    if let (Some(map), true) = (written.as_object_mut(), is_ratio) {
        let curve = json!({"shape": shape(&strategy.shape)});
        map.insert("requestedToCapacityRatio".to_string(), curve);
    }
    let mut map = Map::new();
    for (name, list) in [
        ("ignoredResources", &args.ignored_resources),
        ("ignoredResourceGroups", &args.ignored_resource_groups),
    ] {
        if !list.is_empty() {
            map.insert(name.to_string(), list.clone().into());
        }
    }
    map.insert("scoringStrategy".to_string(), written);
    map.into()
}

fn volumes(args: &VolumeBindingArgs) -> Value {
    let mut fields = json!({"bindTimeoutSeconds": args.bind_timeout_seconds});
    if let (Some(map), false) = (fields.as_object_mut(), args.shape.is_empty()) {
        map.insert("shape".to_string(), shape(&args.shape));
    }
    fields
}

fn legacy(args: &LegacyArgs) -> Value {
    match args {
        LegacyArgs::NodeLabel(args) => json!({
            "presentLabels": args.present_labels,
            "absentLabels": args.absent_labels,
            "presentLabelsPreference": args.present_labels_preference,
            "absentLabelsPreference": args.absent_labels_preference,
        }),
        LegacyArgs::ServiceAffinity(args) => json!({
            "affinityLabels": args.affinity_labels,
            "antiAffinityLabelsPreference": args.anti_affinity_labels_preference,
        }),
        LegacyArgs::NodeResourcesLeastAllocated(list)
        | LegacyArgs::NodeResourcesMostAllocated(list) => json!({"resources": resources(list)}),
        LegacyArgs::RequestedToCapacityRatio(args) => json!({
            "shape": shape(&args.shape),
            "resources": resources(&args.resources),
        }),
    }
}

fn resources(list: &[ResourceSpec]) -> Value {
    let entry = |resource: &ResourceSpec| json!({"name": resource.name, "weight": resource.weight});
    list.iter().map(entry).collect::<Vec<_>>().into()
}

fn shape(points: &[UtilizationShapePoint]) -> Value {
    let entry = |point: &UtilizationShapePoint| json!({"utilization": point.utilization, "score": point.score});
    points.iter().map(entry).collect::<Vec<_>>().into()
}

/// An object of Kubernetes' API, which always has a text.
fn object(object: &impl serde::Serialize) -> Value {
    serde_json::to_value(object).unwrap_or_default()
}
