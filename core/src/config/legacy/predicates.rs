//! Which plugins stand for a predicate.

use crate::config::ExtensionPoint;

use ExtensionPoint as P;

/// A predicate, the plugins that stand for it, and where they run.
pub(super) struct Predicate {
    pub(super) name: &'static str,
    pub(super) plugins: &'static [(&'static str, &'static [ExtensionPoint])],
}

/// Another name of a predicate that old files use.
pub(super) const PORTS_ALIAS: (&str, &str) = ("PodFitsPorts", "PodFitsHostPorts");

/// What custom predicates with labels become.
pub(super) const LABEL_PRESENCE: &str = "CheckNodeLabelPresence";
/// What custom predicates with service affinity become.
pub(super) const SERVICE_AFFINITY: &str = "CheckServiceAffinity";

/// Predicates that are added to every Policy.
pub(super) const MANDATORY: [&str; 2] = ["PodToleratesNodeTaints", "CheckNodeUnschedulable"];

/// Predicates of a Policy that lists none.
pub(super) const DEFAULTS: [&str; 12] = [
    "NoVolumeZoneConflict",
    "MaxEBSVolumeCount",
    "MaxGCEPDVolumeCount",
    "MaxAzureDiskVolumeCount",
    "MaxCSIVolumeCountPred",
    "MatchInterPodAffinity",
    "NoDiskConflict",
    "GeneralPredicates",
    "PodToleratesNodeTaints",
    "CheckVolumeBinding",
    "CheckNodeUnschedulable",
    "EvenPodsSpread",
];

/// In the order of evaluation, which is the order of the Filter plugins whatever the Policy says.
pub(super) const PREDICATES: [Predicate; 19] = [
    predicate("CheckNodeUnschedulable", &[("NodeUnschedulable", FILTER)]),
    predicate(
        "GeneralPredicates",
        &[
            ("NodeResourcesFit", BOTH),
            ("NodeName", FILTER),
            ("NodePorts", BOTH),
            ("NodeAffinity", BOTH),
        ],
    ),
    predicate("HostName", &[("NodeName", FILTER)]),
    predicate("PodFitsHostPorts", &[("NodePorts", BOTH)]),
    predicate("MatchNodeSelector", &[("NodeAffinity", BOTH)]),
    predicate("PodFitsResources", &[("NodeResourcesFit", BOTH)]),
    predicate("NoDiskConflict", &[("VolumeRestrictions", FILTER)]),
    predicate("PodToleratesNodeTaints", &[("TaintToleration", FILTER)]),
    predicate(LABEL_PRESENCE, &[("NodeLabel", FILTER)]),
    predicate(SERVICE_AFFINITY, &[("ServiceAffinity", BOTH)]),
    predicate("MaxEBSVolumeCount", &[("EBSLimits", FILTER)]),
    predicate("MaxGCEPDVolumeCount", &[("GCEPDLimits", FILTER)]),
    predicate("MaxCSIVolumeCountPred", &[("NodeVolumeLimits", FILTER)]),
    predicate("MaxAzureDiskVolumeCount", &[("AzureDiskLimits", FILTER)]),
    predicate("MaxCinderVolumeCount", &[("CinderLimits", FILTER)]),
    predicate("CheckVolumeBinding", &[("VolumeBinding", VOLUMES)]),
    predicate("NoVolumeZoneConflict", &[("VolumeZone", FILTER)]),
    predicate("EvenPodsSpread", &[("PodTopologySpread", BOTH)]),
    predicate("MatchInterPodAffinity", &[("InterPodAffinity", BOTH)]),
];

const FILTER: &[ExtensionPoint] = &[P::Filter];
const BOTH: &[ExtensionPoint] = &[P::PreFilter, P::Filter];
const VOLUMES: &[ExtensionPoint] = &[P::PreFilter, P::Filter, P::Reserve, P::PreBind];

const fn predicate(
    name: &'static str,
    plugins: &'static [(&'static str, &'static [ExtensionPoint])],
) -> Predicate {
    Predicate { name, plugins }
}

/// Whether a predicate of this name is built in.
pub(super) fn is_predicate(name: &str) -> bool {
    PREDICATES.iter().any(|predicate| predicate.name == name)
}
