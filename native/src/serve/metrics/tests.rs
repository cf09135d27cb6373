use super::*;

#[test]
fn a_histogram_counts_in_the_first_bucket_that_is_large_enough_and_in_all_after_it() {
    let metrics = Metrics::default();
    for observed in [1.0, 2.0, 2.5, 100.0] {
        metrics.observe("scheduler_pod_scheduling_attempts", &[], observed);
    }
    let text = metrics.to_text();
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("scheduler_pod_scheduling_attempts"))
        .collect();
    assert_eq!(
        lines,
        [
            "scheduler_pod_scheduling_attempts_bucket{le=\"1\"} 1",
            "scheduler_pod_scheduling_attempts_bucket{le=\"2\"} 2",
            "scheduler_pod_scheduling_attempts_bucket{le=\"4\"} 3",
            "scheduler_pod_scheduling_attempts_bucket{le=\"8\"} 3",
            "scheduler_pod_scheduling_attempts_bucket{le=\"16\"} 3",
            "scheduler_pod_scheduling_attempts_bucket{le=\"+Inf\"} 4",
            "scheduler_pod_scheduling_attempts_sum 105.5",
            "scheduler_pod_scheduling_attempts_count 4",
        ]
    );
}

#[test]
fn what_has_no_labels_is_served_from_the_start_and_what_has_some_when_they_are_known() {
    let metrics = Metrics::default();
    assert!(
        metrics
            .to_text()
            .contains("\nscheduler_preemption_attempts_total 0\n")
    );
    assert!(!metrics.to_text().contains("scheduler_pending_pods"));
    metrics.add("scheduler_pending_pods", &["active"], 2.0);
    metrics.add("scheduler_pending_pods", &["active"], -1.0);
    assert!(
        metrics
            .to_text()
            .contains("\nscheduler_pending_pods{queue=\"active\"} 1\n")
    );
}

#[test]
fn a_reset_forgets_counters_and_keeps_gauges() {
    let metrics = Metrics::default();
    metrics.add("scheduler_pending_pods", &["active"], 1.0);
    metrics.add(
        "scheduler_schedule_attempts_total",
        &["error", "a \"b\""],
        1.0,
    );
    assert!(metrics.to_text().contains("profile=\"a \\\"b\\\"\"} 1\n"));
    metrics.reset();
    let text = metrics.to_text();
    assert!(text.contains("scheduler_pending_pods{queue=\"active\"} 1"));
    assert!(!text.contains("result=\"error\""));
}

#[test]
fn numbers_are_written_as_go_writes_them() {
    for (number, text) in [
        (0.0, "0"),
        (1.0, "1"),
        (0.0001, "0.0001"),
        (0.00001, "1e-05"),
        (0.000_015_000_000_000_000_002, "1.5000000000000002e-05"),
        (262_144.0, "262144"),
        (1_048_576.0, "1.048576e+06"),
        (5242.88, "5242.88"),
        (-3.0, "-3"),
    ] {
        assert_eq!(go_number(number), text);
    }
}
