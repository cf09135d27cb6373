//! The table of metrics: kube-scheduler's names, labels, buckets and stability.
//!
//! Source: spec, E.1 to E.3.

/// A metric under all its labels.
pub(super) struct Family {
    pub(super) name: &'static str,
    pub(super) kind: FamilyKind,
    /// `ALPHA`, `BETA` or `STABLE`, as the help text says it.
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
}

impl Buckets {
    pub(super) fn bounds(self) -> impl Iterator<Item = f64> {
        let (start, factor, count) = match self {
            Self::None => (0.0, 1.0, 0),
            Self::Exponential(start, factor, count) => (start, factor, count),
        };
        // Multiplied one after another, as Prometheus' client does, so that the texts of the bounds are the same.
        core::iter::successors(Some(start), move |bound| Some(bound * factor)).take(count)
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
        "Number of pods that were successfully scheduled after being flushed from unschedulablePods due to timeout.",
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
        "Latency for getting the schedule results.",
    ),
    histogram(
        "scheduler_queueing_hint_execution_duration_seconds",
        "ALPHA",
        &["plugin", "event", "hint"],
        (0.00001, 1.5, 20),
        "Latency for evaluating a QueueingHint of a plugin.",
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
    gauge(
        "leader_election_master_status",
        "ALPHA",
        &["name"],
        "Gauge of if the reporting system is master of the relevant lease, 0 indicates backup, 1 indicates master. 'name' is the string used to identify the lease. Please make sure to group by name.",
    ),
    gauge(
        "kubernetes_build_info",
        "ALPHA",
        &["git_version", "platform"],
        "A metric with a constant '1' value labeled by version and platform from which it was built.",
    ),
    counter(
        "process_cpu_seconds_total",
        "ALPHA",
        &[],
        "Total user and system CPU time spent in seconds.",
    ),
    gauge(
        "process_resident_memory_bytes",
        "ALPHA",
        &[],
        "Resident memory size in bytes.",
    ),
];
