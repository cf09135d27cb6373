//! The table of metrics: kube-scheduler's names, labels, buckets and stability.
//!
//! Source: spec, E.1 to E.3.

/// A metric under all its labels.
pub(super) struct Family {
    pub(super) name: &'static str,
    pub(super) kind: FamilyKind,
    /// `ALPHA`, `BETA` or `STABLE`, as the help text says it; empty where it does not.
    pub(super) stability: &'static str,
    pub(super) help: &'static str,
    pub(super) labels: &'static [&'static str],
    pub(super) buckets: Buckets,
}

/// What a metric counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FamilyKind {
    Counter,
    Gauge,
    Histogram,
}

/// Upper bounds of a histogram's buckets.
#[derive(Clone, Copy)]
pub(super) enum Buckets {
    /// None: not a histogram.
    None,
    /// The first bound, what each is multiplied by to get the next, and how many there are.
    Exponential(f64, f64, usize),
    /// These.
    Listed(&'static [f64]),
}

impl Buckets {
    pub(super) fn bounds(self) -> impl Iterator<Item = f64> {
        let (start, factor, count) = match self {
            Self::None | Self::Listed(_) => (0.0, 1.0, 0),
            Self::Exponential(start, factor, count) => (start, factor, count),
        };
        let listed = match self {
            Self::Listed(bounds) => bounds,
            _ => &[],
        };
        // Multiplied one after another, as Prometheus' client does, so that the texts of the bounds are the same.
        core::iter::successors(Some(start), move |bound| Some(bound * factor))
            .take(count)
            .chain(listed.iter().copied())
    }
}

const fn counter(
    name: &'static str,
    stability: &'static str,
    labels: &'static [&'static str],
    help: &'static str,
) -> Family {
    Family {
        name,
        kind: FamilyKind::Counter,
        stability,
        help,
        labels,
        buckets: Buckets::None,
    }
}

const fn gauge(
    name: &'static str,
    stability: &'static str,
    labels: &'static [&'static str],
    help: &'static str,
) -> Family {
    Family {
        name,
        kind: FamilyKind::Gauge,
        stability,
        help,
        labels,
        buckets: Buckets::None,
    }
}

const fn histogram(
    name: &'static str,
    stability: &'static str,
    labels: &'static [&'static str],
    (start, factor, count): (f64, f64, usize),
    help: &'static str,
) -> Family {
    let buckets = Buckets::Exponential(start, factor, count);
    Family {
        name,
        kind: FamilyKind::Histogram,
        stability,
        help,
        labels,
        buckets,
    }
}

/// A histogram whose bounds follow no rule.
const fn listed(
    name: &'static str,
    labels: &'static [&'static str],
    bounds: &'static [f64],
    help: &'static str,
) -> Family {
    Family {
        name,
        kind: FamilyKind::Histogram,
        stability: "ALPHA",
        help,
        labels,
        buckets: Buckets::Listed(bounds),
    }
}

/// Of client-go, in seconds.
const CLIENT_SECONDS: &[f64] = &[
    0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0,
];
/// Of client-go, in bytes.
const CLIENT_BYTES: &[f64] = &[
    64.0,
    256.0,
    512.0,
    1024.0,
    4096.0,
    16384.0,
    65536.0,
    262_144.0,
    1_048_576.0,
    4_194_304.0,
    16_777_216.0,
];

/// Every metric that is served, in the order in which it is.
pub(super) const FAMILIES: &[Family] = &[
    counter(
        "scheduler_schedule_attempts_total",
        "STABLE",
        &["result", "profile"],
        "Number of attempts to schedule pods, by the result. 'unschedulable' means a pod could not be scheduled, while 'error' means an internal scheduler problem.",
    ),
    histogram(
        "scheduler_scheduling_attempt_duration_seconds",
        "STABLE",
        &["result", "profile"],
        (0.001, 2.0, 15),
        "Scheduling attempt latency in seconds (scheduling algorithm + binding)",
    ),
    histogram(
        "scheduler_scheduling_algorithm_duration_seconds",
        "ALPHA",
        &[],
        (0.001, 2.0, 15),
        "Scheduling algorithm latency in seconds",
    ),
    histogram(
        "scheduler_event_handling_duration_seconds",
        "ALPHA",
        &["event"],
        (0.0001, 2.0, 12),
        "Event handling latency in seconds.",
    ),
    histogram(
        "scheduler_preemption_victims",
        "STABLE",
        &[],
        (1.0, 2.0, 7),
        "Number of selected preemption victims",
    ),
    counter(
        "scheduler_preemption_attempts_total",
        "STABLE",
        &[],
        "Total preemption attempts in the cluster till now",
    ),
    gauge(
        "scheduler_pending_pods",
        "STABLE",
        &["queue"],
        "Number of pending pods, by the queue type. 'active' means number of pods in activeQ; 'backoff' means number of pods in backoffQ; 'unschedulable' means number of pods in unschedulablePods that the scheduler attempted to schedule and failed; 'gated' is the number of unschedulable pods that the scheduler never attempted to schedule because they are gated.",
    ),
    histogram(
        "scheduler_pod_scheduling_sli_duration_seconds",
        "BETA",
        &["attempts"],
        (0.01, 2.0, 20),
        "E2e latency for a pod being scheduled, from the time the pod enters the scheduling queue and might involve multiple scheduling attempts.",
    ),
    histogram(
        "scheduler_pod_scheduling_attempts",
        "STABLE",
        &[],
        (1.0, 2.0, 5),
        "Number of attempts to successfully schedule a pod.",
    ),
    counter(
        "scheduler_pod_scheduled_after_flush_total",
        "ALPHA",
        &[],
        "Number of pods that were successfully scheduled after being flushed from unschedulablePods due to timeout. This metric helps detect potential queueing hint misconfigurations or event handling issues.",
    ),
    histogram(
        "scheduler_framework_extension_point_duration_seconds",
        "STABLE",
        &["extension_point", "status", "profile"],
        (0.0001, 2.0, 12),
        "Latency for running all plugins of a specific extension point.",
    ),
    histogram(
        "scheduler_plugin_execution_duration_seconds",
        "ALPHA",
        &["plugin", "extension_point", "status"],
        (0.00001, 1.5, 20),
        "Duration for running a plugin at a specific extension point.",
    ),
    counter(
        "scheduler_queue_incoming_pods_total",
        "STABLE",
        &["queue", "event"],
        "Number of pods added to scheduling queues by event and queue type.",
    ),
    gauge(
        "scheduler_goroutines",
        "BETA",
        &["operation"],
        "Number of running goroutines split by the work they do such as binding.",
    ),
    histogram(
        "scheduler_permit_wait_duration_seconds",
        "BETA",
        &["result"],
        (0.001, 2.0, 15),
        "Duration of waiting on permit.",
    ),
    gauge(
        "scheduler_cache_size",
        "ALPHA",
        &["type"],
        "Number of nodes, pods, and assumed (bound) pods in the scheduler cache.",
    ),
    gauge(
        "scheduler_unschedulable_pods",
        "BETA",
        &["plugin", "profile"],
        "The number of unschedulable pods broken down by plugin name. A pod will increment the gauge for all plugins that caused it to not schedule and so this metric have meaning only when broken down by plugin.",
    ),
    counter(
        "scheduler_plugin_evaluation_total",
        "BETA",
        &["plugin", "extension_point", "profile"],
        "Number of attempts to schedule pods by each plugin and the extension point (available only in PreFilter, Filter, PreScore, and Score).",
    ),
    counter(
        "scheduler_batch_attempts_total",
        "ALPHA",
        &["profile", "result"],
        "Counts of results when we attempt to use batching.",
    ),
    counter(
        "scheduler_batch_cache_flushed_total",
        "ALPHA",
        &["profile", "reason"],
        "Counts of cache flushes by reason.",
    ),
    histogram(
        "scheduler_get_node_hint_duration_seconds",
        "ALPHA",
        &["hinted", "profile"],
        (0.00001, 2.0, 12),
        "Latency for getting a node hint.",
    ),
    histogram(
        "scheduler_store_schedule_results_duration_seconds",
        "ALPHA",
        &["profile"],
        (0.00001, 2.0, 12),
        "Latency for getting a no.",
    ),
    histogram(
        "scheduler_queueing_hint_execution_duration_seconds",
        "ALPHA",
        &["plugin", "event", "hint"],
        (0.00001, 1.5, 20),
        "Duration for running a queueing hint function of a plugin.",
    ),
    gauge(
        "scheduler_inflight_events",
        "ALPHA",
        &["event"],
        "Number of events currently tracked in the scheduling queue.",
    ),
    histogram(
        "scheduler_preemption_goroutines_duration_seconds",
        "ALPHA",
        &["result"],
        (0.01, 2.0, 20),
        "Duration in seconds for running goroutines for the preemption.",
    ),
    counter(
        "scheduler_preemption_goroutines_execution_total",
        "ALPHA",
        &["result"],
        "Number of preemption goroutines executed.",
    ),
    counter(
        "scheduler_volume_scheduling_stage_error_total",
        "ALPHA",
        &["operation"],
        "Volume scheduling stage error count",
    ),
    gauge(
        "leader_election_master_status",
        "ALPHA",
        &["name"],
        "Gauge of if the reporting system is master of the relevant lease, 0 indicates backup, 1 indicates master. 'name' is the string used to identify the lease. Please make sure to group by name.",
    ),
    gauge(
        "kubernetes_build_info",
        "BETA",
        &[
            "build_date",
            "compiler",
            "git_commit",
            "git_tree_state",
            "git_version",
            "go_version",
            "major",
            "minor",
            "platform",
        ],
        "A metric with a constant '1' value labeled by major, minor, git version, git commit, git tree state, build date, Go version, and compiler from which Kubernetes was built, and platform on which it is running.",
    ),
    counter(
        "leader_election_slowpath_total",
        "ALPHA",
        &["name"],
        "Total number of slow path exercised in renewing leader leases. 'name' is the string used to identify the lease. Please make sure to group by name.",
    ),
    counter(
        "rest_client_requests_total",
        "ALPHA",
        &["code", "host", "method"],
        "Number of HTTP requests, partitioned by status code, method, and host.",
    ),
    counter(
        "rest_client_request_retries_total",
        "ALPHA",
        &["code", "host", "verb"],
        "Number of request retries, partitioned by status code, verb, and host.",
    ),
    listed(
        "rest_client_request_duration_seconds",
        &["host", "verb"],
        CLIENT_SECONDS,
        "Request latency in seconds. Broken down by verb, and host.",
    ),
    listed(
        "rest_client_rate_limiter_duration_seconds",
        &["host", "verb"],
        CLIENT_SECONDS,
        "Client side rate limiter latency in seconds. Broken down by verb, and host.",
    ),
    listed(
        "rest_client_request_size_bytes",
        &["host", "verb"],
        CLIENT_BYTES,
        "Request size in bytes. Broken down by verb and host.",
    ),
    listed(
        "rest_client_response_size_bytes",
        &["host", "verb"],
        CLIENT_BYTES,
        "Response size in bytes. Broken down by verb and host.",
    ),
    gauge(
        "kubernetes_feature_enabled",
        "BETA",
        &["name", "stage"],
        "This metric records the data about the stage and enablement of a k8s feature.",
    ),
    gauge(
        "version_info",
        "ALPHA",
        &["binary", "component", "emulation", "min_compat"],
        "Provides the compatibility version info of the component. The component label is the name of the component, usually kube, but is relevant for aggregated-apiservers.",
    ),
    counter(
        "disabled_metrics_total",
        "BETA",
        &[],
        "The count of disabled metrics.",
    ),
    counter(
        "hidden_metrics_total",
        "BETA",
        &[],
        "The count of hidden metrics.",
    ),
    counter(
        "process_cpu_seconds_total",
        "",
        &[],
        "Total user and system CPU time spent in seconds.",
    ),
    gauge(
        "process_resident_memory_bytes",
        "",
        &[],
        "Resident memory size in bytes.",
    ),
    gauge(
        "process_virtual_memory_bytes",
        "",
        &[],
        "Virtual memory size in bytes.",
    ),
    gauge(
        "process_start_time_seconds",
        "",
        &[],
        "Start time of the process since unix epoch in seconds.",
    ),
    gauge(
        "process_open_fds",
        "",
        &[],
        "Number of open file descriptors.",
    ),
    gauge(
        "process_max_fds",
        "",
        &[],
        "Maximum number of open file descriptors.",
    ),
];
