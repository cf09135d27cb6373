//! Reads the parts of plugin arguments that a pod could have too: strictly, unlike in a pod.

use alloc::vec::Vec;

use crate::api::{
    LabelSelector, NodeAffinity, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm,
    PreferredSchedulingTerm, TopologySpreadConstraint,
};
use crate::config::reader::{At, Reader};

/// Reads a default constraint of PodTopologySpread.
pub(super) fn read_constraint(reader: &mut Reader, at: &At<'_>) -> TopologySpreadConstraint {
    let mut fields = reader.fields(at);
    let mut text = |reader: &mut Reader, name| reader.string(fields.take(name));
    let topology_key = text(reader, "topologyKey").unwrap_or_default();
    let when_unsatisfiable = text(reader, "whenUnsatisfiable").unwrap_or_default();
    let node_affinity_policy = text(reader, "nodeAffinityPolicy");
    let node_taints_policy = text(reader, "nodeTaintsPolicy");
    let constraint = TopologySpreadConstraint {
        max_skew: reader.i32(fields.take("maxSkew")).unwrap_or(0),
        topology_key,
        when_unsatisfiable,
        // Any selector is refused, so what it selects does not matter.
        label_selector: fields
            .take("labelSelector")
            .map(|_| LabelSelector::default()),
        min_domains: reader.i32(fields.take("minDomains")),
        node_affinity_policy,
        node_taints_policy,
        match_label_keys: reader.strings(fields.take("matchLabelKeys")),
    };
    reader.finish(fields);
    constraint
}

/// Reads a node affinity.
pub(super) fn read_node_affinity(reader: &mut Reader, at: &At<'_>) -> NodeAffinity {
    let mut fields = reader.fields(at);
    let required = fields.take("requiredDuringSchedulingIgnoredDuringExecution");
    let required = required.map(|at| {
        let mut fields = reader.fields(&at);
        let terms = reader.list(fields.take("nodeSelectorTerms"));
        reader.finish(fields);
        NodeSelector {
            node_selector_terms: terms.iter().map(|at| read_term(reader, at)).collect(),
        }
    });
    let preferred = fields.take("preferredDuringSchedulingIgnoredDuringExecution");
    let preferred = reader.list(preferred).into_iter().map(|at| {
        let mut fields = reader.fields(&at);
        let term = PreferredSchedulingTerm {
            weight: reader.i32(fields.take("weight")).unwrap_or(0),
            preference: fields
                .take("preference")
                .map(|at| read_term(reader, &at))
                .unwrap_or_default(),
        };
        reader.finish(fields);
        term
    });
    let preferred = preferred.collect();
    reader.finish(fields);
    NodeAffinity {
        required_during_scheduling_ignored_during_execution: required,
        preferred_during_scheduling_ignored_during_execution: preferred,
    }
}

fn read_term(reader: &mut Reader, at: &At<'_>) -> NodeSelectorTerm {
    let mut fields = reader.fields(at);
    let mut requirements = |reader: &mut Reader, name| -> Vec<NodeSelectorRequirement> {
        let list = reader.list(fields.take(name));
        let read = |at: &At<'_>| read_requirement(reader, at);
        list.iter().map(read).collect()
    };
    let term = NodeSelectorTerm {
        match_expressions: requirements(reader, "matchExpressions"),
        match_fields: requirements(reader, "matchFields"),
    };
    reader.finish(fields);
    term
}

fn read_requirement(reader: &mut Reader, at: &At<'_>) -> NodeSelectorRequirement {
    let mut fields = reader.fields(at);
    let requirement = NodeSelectorRequirement {
        key: reader.string(fields.take("key")).unwrap_or_default(),
        operator: reader.string(fields.take("operator")).unwrap_or_default(),
        values: reader.strings(fields.take("values")),
    };
    reader.finish(fields);
    requirement
}
