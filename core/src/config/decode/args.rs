//! Reads `pluginConfig[].args`.
//!
//! Arguments are strict for every plugin that has a kind for them, and opaque for the others.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::config::reader::{At, Fields, Reader, child};
use crate::config::version::{ApiVersion, GROUP};
use crate::config::{
    ConfigError, DefaultPreemptionArgs, DefaultingType, DynamicResourcesArgs, Gates,
    InterPodAffinityArgs, LegacyArgs, NodeAffinityArgs, NodeLabelArgs,
    NodeResourcesBalancedAllocationArgs, NodeResourcesFitArgs, PLUGINS_WITH_ARGS, PluginArgs,
    PodTopologySpreadArgs, RequestedToCapacityRatioArgs, ResourceSpec, ScoringStrategy,
    ScoringStrategyType, ServiceAffinityArgs, UtilizationShapePoint, VolumeBindingArgs,
    default_resources,
};

use super::affinity::{read_constraint, read_node_affinity};

/// Reads the arguments of `plugin`; absent ones are all defaults.
pub(super) fn read_args(
    reader: &mut Reader,
    plugin: &str,
    at: Option<At<'_>>,
    version: ApiVersion,
    gates: Gates,
) -> PluginArgs {
    let is_typed = PLUGINS_WITH_ARGS.contains(&plugin)
        || version < ApiVersion::V1 && LEGACY_PLUGINS_WITH_ARGS.contains(&plugin);
    let Some(at) = at else {
        return absent_args(plugin, version, gates);
    };
    if !is_typed {
        return PluginArgs::Other(at.value.clone());
    }
    let mut fields = reader.fields(&at);
    read_header(reader, plugin, &mut fields, version);
    let args = read_typed(reader, plugin, &mut fields, version, gates);
    reader.finish(fields);
    args
}

fn absent_args(plugin: &str, version: ApiVersion, gates: Gates) -> PluginArgs {
    let default = PluginArgs::default_for(plugin, gates);
    default.unwrap_or_else(|| match plugin {
        "NodeResourcesLeastAllocated" if version < ApiVersion::V1 => {
            PluginArgs::Legacy(LegacyArgs::NodeResourcesLeastAllocated(default_resources()))
        }
        "NodeResourcesMostAllocated" if version < ApiVersion::V1 => {
            PluginArgs::Legacy(LegacyArgs::NodeResourcesMostAllocated(default_resources()))
        }
        _ => PluginArgs::None,
    })
}

/// Plugins of older versions whose arguments have a kind.
const LEGACY_PLUGINS_WITH_ARGS: [&str; 5] = [
    "NodeLabel",
    "NodeResourcesLeastAllocated",
    "NodeResourcesMostAllocated",
    "RequestedToCapacityRatio",
    "ServiceAffinity",
];

/// Checks `apiVersion` and `kind`, which may be left out.
fn read_header(reader: &mut Reader, plugin: &str, fields: &mut Fields<'_>, version: ApiVersion) {
    let api_version = reader.string(fields.take("apiVersion"));
    let kind = reader.string(fields.take("kind"));
    let path = String::from(fields.path());
    let want = format!("{plugin}Args");
    let kind = kind.unwrap_or_else(|| want.clone());
    if let Some(text) = api_version {
        let found = ApiVersion::parse(&text);
        if found.is_none_or(|found| found != version && found != ApiVersion::V1) {
            let what = format!(
                "no kind \"{kind}\" is registered for version \"{text}\"; expected \"{}\"",
                version.text()
            );
            return reader.problem(&path, what);
        }
    }
    if kind != want {
        let what =
            format!("args for plugin {plugin} were not of type {want}.{GROUP}, got {kind}.{GROUP}");
        reader.problem(&path, what);
    }
}

fn read_typed(
    reader: &mut Reader,
    plugin: &str,
    fields: &mut Fields<'_>,
    version: ApiVersion,
    gates: Gates,
) -> PluginArgs {
    match plugin {
        "DefaultPreemption" => PluginArgs::DefaultPreemption(read_preemption(reader, fields)),
        "DynamicResources" => PluginArgs::DynamicResources(read_devices(reader, fields, gates)),
        "InterPodAffinity" => PluginArgs::InterPodAffinity(read_pod_affinity(reader, fields)),
        "NodeAffinity" => PluginArgs::NodeAffinity(NodeAffinityArgs {
            added_affinity: fields
                .take("addedAffinity")
                .map(|at| read_node_affinity(reader, &at)),
        }),
        "NodeResourcesBalancedAllocation" => {
            PluginArgs::NodeResourcesBalancedAllocation(NodeResourcesBalancedAllocationArgs {
                resources: read_resources(reader, fields),
            })
        }
        "NodeResourcesFit" => PluginArgs::NodeResourcesFit(read_fit(reader, fields)),
        "PodTopologySpread" => PluginArgs::PodTopologySpread(read_spread(reader, fields, version)),
        "VolumeBinding" => PluginArgs::VolumeBinding(read_volumes(reader, fields, gates)),
        _ => PluginArgs::Legacy(read_legacy(reader, plugin, fields)),
    }
}

fn read_legacy(reader: &mut Reader, plugin: &str, fields: &mut Fields<'_>) -> LegacyArgs {
    match plugin {
        "NodeLabel" => LegacyArgs::NodeLabel(NodeLabelArgs {
            present_labels: reader.strings(fields.take("presentLabels")),
            absent_labels: reader.strings(fields.take("absentLabels")),
            present_labels_preference: reader.strings(fields.take("presentLabelsPreference")),
            absent_labels_preference: reader.strings(fields.take("absentLabelsPreference")),
        }),
        "ServiceAffinity" => LegacyArgs::ServiceAffinity(ServiceAffinityArgs {
            affinity_labels: reader.strings(fields.take("affinityLabels")),
            anti_affinity_labels_preference: reader
                .strings(fields.take("antiAffinityLabelsPreference")),
        }),
        "NodeResourcesLeastAllocated" => {
            LegacyArgs::NodeResourcesLeastAllocated(read_resources(reader, fields))
        }
        "NodeResourcesMostAllocated" => {
            LegacyArgs::NodeResourcesMostAllocated(read_resources(reader, fields))
        }
        _ => LegacyArgs::RequestedToCapacityRatio(RequestedToCapacityRatioArgs {
            shape: read_shape(reader, fields.take("shape")),
            resources: read_resources(reader, fields),
        }),
    }
}

fn read_preemption(reader: &mut Reader, fields: &mut Fields<'_>) -> DefaultPreemptionArgs {
    let default = DefaultPreemptionArgs::default();
    DefaultPreemptionArgs {
        min_candidate_nodes_percentage: reader
            .i32(fields.take("minCandidateNodesPercentage"))
            .unwrap_or(default.min_candidate_nodes_percentage),
        min_candidate_nodes_absolute: reader
            .i32(fields.take("minCandidateNodesAbsolute"))
            .unwrap_or(default.min_candidate_nodes_absolute),
    }
}

fn read_devices(
    reader: &mut Reader,
    fields: &mut Fields<'_>,
    gates: Gates,
) -> DynamicResourcesArgs {
    let default = DynamicResourcesArgs::for_gates(gates);
    DynamicResourcesArgs {
        filter_timeout: reader
            .span(fields.take("filterTimeout"))
            .or(default.filter_timeout),
        binding_timeout: reader
            .span(fields.take("bindingTimeout"))
            .or(default.binding_timeout),
    }
}

fn read_pod_affinity(reader: &mut Reader, fields: &mut Fields<'_>) -> InterPodAffinityArgs {
    let default = InterPodAffinityArgs::default();
    InterPodAffinityArgs {
        hard_pod_affinity_weight: reader
            .i32(fields.take("hardPodAffinityWeight"))
            .unwrap_or(default.hard_pod_affinity_weight),
        ignore_preferred_terms_of_existing_pods: reader
            .bool(fields.take("ignorePreferredTermsOfExistingPods"))
            .unwrap_or(default.ignore_preferred_terms_of_existing_pods),
    }
}

fn read_volumes(reader: &mut Reader, fields: &mut Fields<'_>, gates: Gates) -> VolumeBindingArgs {
    let mut args = VolumeBindingArgs::for_gates(gates);
    if let Some(seconds) = reader.i64(fields.take("bindTimeoutSeconds")) {
        args.bind_timeout_seconds = seconds;
    }
    let shape = read_shape(reader, fields.take("shape"));
    if !shape.is_empty() {
        args.shape = shape;
    }
    args
}

fn read_fit(reader: &mut Reader, fields: &mut Fields<'_>) -> NodeResourcesFitArgs {
    NodeResourcesFitArgs {
        ignored_resources: reader.strings(fields.take("ignoredResources")),
        ignored_resource_groups: reader.strings(fields.take("ignoredResourceGroups")),
        scoring_strategy: match fields.take("scoringStrategy") {
            Some(at) => read_strategy(reader, &at),
            None => ScoringStrategy::default(),
        },
    }
}

fn read_strategy(reader: &mut Reader, at: &At<'_>) -> ScoringStrategy {
    let mut fields = reader.fields(at);
    // QUIRK: a strategy without a type has an empty one, which is refused; only a missing strategy is defaulted.
    let name = reader.string(fields.take("type")).unwrap_or_default();
    let kind = ScoringStrategyType::ALL
        .into_iter()
        .find(|k| k.name() == name);
    if kind.is_none() {
        let names = ScoringStrategyType::ALL.map(ScoringStrategyType::name);
        reader.violation(ConfigError::unsupported(
            child(fields.path(), "type"),
            name,
            names.to_vec(),
        ));
    }
    let resources = read_resources(reader, &mut fields);
    let ratio = fields.take("requestedToCapacityRatio");
    let is_ratio = kind == Some(ScoringStrategyType::RequestedToCapacityRatio);
    if let (Some(at), Some(_), false) = (&ratio, kind, is_ratio) {
        reader.violation(ConfigError::invalid(
            &at.path,
            at.value,
            "must be nil when type is not RequestedToCapacityRatio",
        ));
    }
    let shape = ratio.map(|at| {
        let mut fields = reader.fields(&at);
        let shape = read_shape(reader, fields.take("shape"));
        reader.finish(fields);
        shape
    });
    reader.finish(fields);
    ScoringStrategy {
        kind: kind.unwrap_or_default(),
        resources,
        shape: shape.filter(|_| is_ratio).unwrap_or_default(),
    }
}

/// `resources`; none written means CPU and memory, and no weight written means 1.
pub(in crate::config) fn read_resources(
    reader: &mut Reader,
    fields: &mut Fields<'_>,
) -> Vec<ResourceSpec> {
    let list = reader.list(fields.take("resources"));
    if list.is_empty() {
        return default_resources();
    }
    let mut resources = Vec::new();
    for at in list {
        let mut fields = reader.fields(&at);
        let name = reader.string(fields.take("name")).unwrap_or_default();
        let weight = reader.i64(fields.take("weight")).unwrap_or(0);
        reader.finish(fields);
        let weight = if weight == 0 { 1 } else { weight };
        resources.push(ResourceSpec { name, weight });
    }
    resources
}

pub(in crate::config) fn read_shape(
    reader: &mut Reader,
    at: Option<At<'_>>,
) -> Vec<UtilizationShapePoint> {
    let mut shape = Vec::new();
    for at in reader.list(at) {
        let mut fields = reader.fields(&at);
        shape.push(UtilizationShapePoint {
            utilization: reader.i32(fields.take("utilization")).unwrap_or(0),
            score: reader.i32(fields.take("score")).unwrap_or(0),
        });
        reader.finish(fields);
    }
    shape
}

fn read_spread(
    reader: &mut Reader,
    fields: &mut Fields<'_>,
    version: ApiVersion,
) -> PodTopologySpreadArgs {
    let list = reader.list(fields.take("defaultConstraints"));
    let default_constraints: Vec<_> = list.iter().map(|at| read_constraint(reader, at)).collect();
    let name = reader.string(fields.take("defaultingType"));
    let path = child(fields.path(), "defaultingType");
    let defaulting_type = match name.as_deref().filter(|name| !name.is_empty()) {
        Some(name) => {
            let mut all = DefaultingType::ALL.into_iter();
            all.find(|kind| kind.name() == name).unwrap_or_else(|| {
                let names = DefaultingType::ALL.map(DefaultingType::name).to_vec();
                reader.violation(ConfigError::unsupported(&path, name, names));
                DefaultingType::List
            })
        }
        None if version <= ApiVersion::V1Beta1 && !default_constraints.is_empty() => {
            reader.note(
                &path,
                "defaultingType is List, as it was when constraints were written",
            );
            DefaultingType::List
        }
        None => DefaultingType::System,
    };
    PodTopologySpreadArgs {
        default_constraints,
        defaulting_type,
    }
}
