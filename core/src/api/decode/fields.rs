//! Fields of Kubernetes' objects that are not read: which decide nothing, and which could.
//!
//! The tables are of Kubernetes 1.36. A field that is in none of them is unknown.

use super::error::KindMeaning;
use super::typed::FieldUse;
use crate::api::Kind;

/// What a field that is not read means, by its path without item numbers.
pub(super) fn field_use(kind: Kind, pattern: &str) -> FieldUse {
    let (kind, pattern) = reduce(kind, pattern);
    let (parent, name) = pattern.rsplit_once('.').unwrap_or(("", pattern));
    if harmless(kind, parent).contains(&name) {
        FieldUse::Harmless
    } else if kind == Kind::Pod && parent == "spec" && UNSUPPORTED_POD_SPEC.contains(&name) {
        FieldUse::Unsupported
    } else {
        FieldUse::Unknown
    }
}

/// What an object of a kind that is not read means.
pub(super) fn kind_meaning(api_version: &str, kind: &str) -> KindMeaning {
    let group = api_version.split_once('/').map_or("", |(group, _)| group);
    if !is_built_in(group) {
        KindMeaning::Unknown
    } else if UNSUPPORTED_KINDS.contains(&kind) {
        KindMeaning::Unsupported
    } else if HARMLESS_KINDS.contains(&kind) {
        KindMeaning::Harmless
    } else {
        KindMeaning::Unknown
    }
}

/// Whether an API group is Kubernetes' own.
pub(super) fn is_built_in(group: &str) -> bool {
    !group.contains('.') || group.ends_with(".k8s.io")
}

/// A part of an object that is itself an object of another kind, seen as that.
fn reduce(kind: Kind, pattern: &str) -> (Kind, &str) {
    let (inner, prefix) = match kind {
        Kind::ReplicationController
        | Kind::ReplicaSet
        | Kind::Deployment
        | Kind::DaemonSet
        | Kind::Job
        | Kind::StatefulSet => (Kind::Pod, "spec.template."),
        Kind::Pod => (
            Kind::PersistentVolumeClaim,
            "spec.volumes[].ephemeral.volumeClaimTemplate.",
        ),
        Kind::ResourceClaimTemplate => (Kind::ResourceClaim, "spec."),
        Kind::VolumeAttachment => (Kind::PersistentVolume, "spec.source.inlineVolumeSpec."),
        _ => return (kind, pattern),
    };
    if let Some(rest) = pattern.strip_prefix(prefix) {
        return reduce(inner, rest);
    }
    match pattern.strip_prefix("spec.volumeClaimTemplates[].") {
        Some(rest) => (Kind::PersistentVolumeClaim, rest),
        None => (kind, pattern),
    }
}

/// The fields below `parent` that decide nothing.
fn harmless(kind: Kind, parent: &str) -> &'static [&'static str] {
    match (kind, parent) {
        (Kind::Namespace, "") => &["apiVersion", "kind", "spec"],
        (Kind::ConfigMap, "") => &["apiVersion", "binaryData", "kind"],
        (_, "") => &["apiVersion", "kind", "status"],
        (_, "metadata") => &["managedFields", "selfLink"],
        (_, "status.conditions[]") => &["lastProbeTime", "lastHeartbeatTime", "lastUpdateTime"],
        (Kind::Pod, "spec") => POD_SPEC,
        (Kind::Pod, "spec.containers[]" | "spec.initContainers[]") => CONTAINER,
        (Kind::Pod, "status") => POD_STATUS,
        (Kind::Pod, "status.containerStatuses[]" | "status.initContainerStatuses[]") => {
            CONTAINER_STATUS
        }
        (Kind::Node, "spec") => &["configSource", "externalID", "podCIDR", "podCIDRs"],
        (Kind::Node, "status") => NODE_STATUS,
        (Kind::Namespace, "status") => &["conditions"],
        (Kind::Service, "spec") => SERVICE_SPEC,
        (Kind::ReplicaSet | Kind::Deployment, "status") => &["terminatingReplicas"],
        (Kind::DaemonSet, "status") => &["collisionCount", "conditions"],
        (Kind::Job, "status") => &[
            "failedIndexes",
            "observedGeneration",
            "terminating",
            "uncountedTerminatedPods",
        ],
        (Kind::CronJob, "spec") => CRON_JOB_SPEC,
        (Kind::PersistentVolume, "spec") => &["mountOptions"],
        (Kind::PersistentVolume, "spec.csi") => PERSISTENT_CSI,
        (Kind::PersistentVolume, "spec.claimRef") => &["fieldPath"],
        (Kind::PersistentVolumeClaim, "status") => PERSISTENT_VOLUME_CLAIM_STATUS,
        (Kind::CSIDriver, "spec") => CSI_DRIVER_SPEC,
        (Kind::VolumeAttachment, "status") => &["attachError", "attachmentMetadata", "detachError"],
        _ => &[],
    }
}

const POD_SPEC: &[&str] = &[
    "automountServiceAccountToken",
    "dnsConfig",
    "dnsPolicy",
    "enableServiceLinks",
    "ephemeralContainers",
    "hostAliases",
    "hostIPC",
    "hostPID",
    "hostnameOverride",
    "imagePullSecrets",
    "readinessGates",
    "securityContext",
    "serviceAccount",
    "serviceAccountName",
    "setHostnameAsFQDN",
    "shareProcessNamespace",
];

const CONTAINER: &[&str] = &[
    "args",
    "command",
    "env",
    "envFrom",
    "imagePullPolicy",
    "lifecycle",
    "livenessProbe",
    "readinessProbe",
    "resizePolicy",
    "securityContext",
    "startupProbe",
    "stdin",
    "stdinOnce",
    "terminationMessagePath",
    "terminationMessagePolicy",
    "tty",
    "volumeDevices",
    "volumeMounts",
    "workingDir",
];

const POD_STATUS: &[&str] = &[
    "ephemeralContainerStatuses",
    "hostIP",
    "hostIPs",
    "podIP",
    "podIPs",
];

const CONTAINER_STATUS: &[&str] = &[
    "allocatedResourcesStatus",
    "containerID",
    "image",
    "imageID",
    "lastState",
    "ready",
    "restartCount",
    "started",
    "state",
    "stopSignal",
    "user",
    "volumeMounts",
];

const NODE_STATUS: &[&str] = &[
    "addresses",
    "config",
    "daemonEndpoints",
    "features",
    "nodeInfo",
    "phase",
    "runtimeHandlers",
    "volumesAttached",
    "volumesInUse",
];

const SERVICE_SPEC: &[&str] = &[
    "allocateLoadBalancerNodePorts",
    "clusterIP",
    "clusterIPs",
    "externalIPs",
    "externalName",
    "externalTrafficPolicy",
    "healthCheckNodePort",
    "internalTrafficPolicy",
    "ipFamilies",
    "ipFamilyPolicy",
    "loadBalancerClass",
    "loadBalancerIP",
    "loadBalancerSourceRanges",
    "ports",
    "publishNotReadyAddresses",
    "sessionAffinity",
    "sessionAffinityConfig",
    "trafficDistribution",
];

const CRON_JOB_SPEC: &[&str] = &[
    "concurrencyPolicy",
    "failedJobsHistoryLimit",
    "startingDeadlineSeconds",
    "successfulJobsHistoryLimit",
    "timeZone",
];

const PERSISTENT_CSI: &[&str] = &[
    "controllerExpandSecretRef",
    "controllerPublishSecretRef",
    "nodeExpandSecretRef",
    "nodePublishSecretRef",
    "nodeStageSecretRef",
];

const PERSISTENT_VOLUME_CLAIM_STATUS: &[&str] = &[
    "allocatedResourceStatuses",
    "allocatedResources",
    "currentVolumeAttributesClassName",
    "modifyVolumeStatus",
];

const CSI_DRIVER_SPEC: &[&str] = &[
    "requiresRepublish",
    "seLinuxMount",
    "serviceAccountTokenInSecrets",
    "tokenRequests",
];

/// What could decide where a pod goes in some version of Kubernetes, and does not here.
const UNSUPPORTED_POD_SPEC: &[&str] = &["workloadRef"];

const UNSUPPORTED_KINDS: &[&str] = &[
    "DeviceTaintRule",
    "LimitRange",
    "ResourceQuota",
    "RuntimeClass",
    "Workload",
];

const HARMLESS_KINDS: &[&str] = &[
    "APIService",
    "Binding",
    "CertificateSigningRequest",
    "ClusterRole",
    "ClusterRoleBinding",
    "ClusterTrustBundle",
    "ComponentStatus",
    "ControllerRevision",
    "CustomResourceDefinition",
    "EndpointSlice",
    "Endpoints",
    "Event",
    "FlowSchema",
    "HorizontalPodAutoscaler",
    "IPAddress",
    "Ingress",
    "IngressClass",
    "Lease",
    "LeaseCandidate",
    "MutatingAdmissionPolicy",
    "MutatingAdmissionPolicyBinding",
    "MutatingWebhookConfiguration",
    "NetworkPolicy",
    "NodeMetrics",
    "PodMetrics",
    "PodTemplate",
    "PriorityLevelConfiguration",
    "Role",
    "RoleBinding",
    "Secret",
    "ServiceAccount",
    "ServiceCIDR",
    "StorageVersion",
    "ValidatingAdmissionPolicy",
    "ValidatingAdmissionPolicyBinding",
    "ValidatingWebhookConfiguration",
    "VolumeAttributesClass",
];
