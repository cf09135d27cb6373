use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{Object, Pod};
use crate::framework::cluster_event::ClusterEvent;
use crate::framework::profiles::Profiles;
use crate::framework::trace::{Place, Record};
use crate::make;
use crate::queue::{LegacyQueue, QueueCall, QueueClosed, QueueOptions, QueuedPodInfo};
use crate::snapshot::{Listers, PluginMemory};
use crate::time::{Span, Timestamp};

use super::world::{NODE_ADD, options, profiles};

struct Old {
    now: Timestamp,
    profiles: Profiles,
    listers: Listers,
    memory: PluginMemory,
    records: Vec<(Timestamp, Record)>,
    queue: LegacyQueue,
}

macro_rules! call {
    ($old:expr, $operation:ident $(, $argument:expr)* $(,)?) => {{
        let old: &mut Old = $old;
        let mut call = QueueCall {
            now: old.now,
            profiles: &old.profiles,
            listers: &old.listers,
            memory: &old.memory,
            observer: &mut old.records,
        };
        old.queue.$operation(&mut call $(, $argument)*)
    }};
}

impl Old {
    fn new() -> Self {
        Self::with(QueueOptions::default())
    }

    fn with(options: QueueOptions) -> Self {
        Self {
            now: options.started_at,
            profiles: profiles(),
            listers: Listers::default(),
            memory: PluginMemory::default(),
            records: Vec::new(),
            queue: LegacyQueue::new(options),
        }
    }

    fn at(&mut self, millis: i64) -> &mut Self {
        self.now = Timestamp::from_millis(millis);
        self
    }

    fn add(&mut self, pod: &Arc<Pod>) {
        self.listers.insert(&Object::Pod(pod.clone()));
        call!(self, add, pod);
    }

    fn pop(&mut self) -> QueuedPodInfo {
        call!(self, pop).unwrap().expect("a pod is in activeQ")
    }

    fn give_back(&mut self, info: QueuedPodInfo) {
        let cycle = self.queue.scheduling_cycle();
        call!(self, add_unschedulable_if_not_present, info, cycle).unwrap();
    }

    fn park(&mut self, pod: &Arc<Pod>) {
        self.add(pod);
        let info = self.pop();
        self.give_back(info);
    }

    fn happen(&mut self) {
        call!(self, move_all_to_active_or_backoff_queue, NODE_ADD);
    }

    fn place(&self, name: &str) -> Place {
        let waiting = self.queue.get("default", name);
        waiting.map_or(Place::Nowhere, |(_, place)| place)
    }

    fn run_until(&mut self, millis: i64) {
        let end = Timestamp::from_millis(millis);
        while let Some(due) = self.queue.next_deadline().filter(|due| *due <= end) {
            self.now = due;
            call!(self, on_tick);
        }
        self.now = end;
    }
}

#[test]
fn pods_are_popped_by_priority_and_counted() {
    let mut old = Old::new();
    old.add(&make::pod("a").build());
    old.add(&make::pod("b").priority(1).build());
    assert_eq!(old.queue.scheduling_cycle(), 0);
    let info = old.pop();
    assert_eq!((&*info.pod.reference.name, info.attempts), ("b", 1));
    assert_eq!(old.queue.scheduling_cycle(), 1);
}

#[test]
fn a_closed_queue_fails_once_it_is_empty() {
    let mut old = Old::new();
    assert_eq!(call!(&mut old, pop), Ok(None));
    old.add(&make::pod("a").build());
    old.queue.close();
    assert!(call!(&mut old, pop).unwrap().is_some());
    assert_eq!(call!(&mut old, pop), Err(QueueClosed));
    assert_eq!(QueueClosed.to_string(), "scheduling queue is closed");
}

#[test]
fn a_failed_pod_is_parked_when_nobody_asked_pods_to_move() {
    let mut old = Old::new();
    old.park(&make::pod("a").build());
    assert_eq!(old.place("a"), Place::Unschedulable);
    assert_eq!(old.queue.num_unschedulable_pods(), 1);
}

#[test]
fn a_request_to_move_pods_in_its_cycle_or_later_sends_a_failed_pod_to_backoff() {
    let mut old = Old::new();
    old.add(&make::pod("a").build());
    old.add(&make::pod("b").build());
    let (a, b) = (old.pop(), old.pop());
    old.happen();
    call!(&mut old, add_unschedulable_if_not_present, a, 2).unwrap();
    call!(&mut old, add_unschedulable_if_not_present, b, 3).unwrap();
    assert_eq!(old.place("a"), Place::Backoff);
    assert_eq!(old.place("b"), Place::Unschedulable);
}

#[test]
fn a_pod_that_waits_already_is_not_taken_back() {
    let mut old = Old::new();
    old.add(&make::pod("a").build());
    let info = old.pop();
    old.add(&make::pod("a").build());
    let error = call!(&mut old, add_unschedulable_if_not_present, info, 1).unwrap_err();
    assert_eq!(
        error.to_string(),
        "Pod default/a is already present in the active queue"
    );
}

#[test]
fn adding_takes_a_pod_out_of_the_other_queues() {
    let mut old = Old::new();
    let pod = make::pod("a").build();
    old.park(&pod);
    old.add(&pod);
    assert_eq!(old.place("a"), Place::Active);
    assert_eq!(old.queue.num_unschedulable_pods(), 0);
    let is_trouble = |(_, record): &(_, Record)| matches!(record, Record::Trouble { .. });
    assert_eq!(
        old.records
            .iter()
            .filter(|record| is_trouble(record))
            .count(),
        1
    );
}

#[test]
fn whatever_happens_moves_every_parked_pod() {
    let mut old = Old::new();
    old.park(&make::pod("a").build());
    old.at(500).park(&make::pod("b").build());
    // The backoff of the first one is over at this very instant.
    old.at(1_000).happen();
    assert_eq!(old.place("a"), Place::Active);
    assert_eq!(old.place("b"), Place::Backoff);
}

#[test]
fn a_placed_pod_moves_those_that_want_to_be_near_it() {
    let near = make::affinity_term("zone", "app", "web");
    let placed = make::pod("p").label("app", "web").node("n").build();
    for is_update in [false, true] {
        let mut old = Old::new();
        old.park(&make::pod("near").needs_pods(near.clone()).build());
        old.park(&make::pod("other").build());
        old.at(5_000);
        if is_update {
            call!(&mut old, assigned_pod_updated, &placed);
        } else {
            call!(&mut old, assigned_pod_added, &placed);
        }
        assert_eq!(old.place("near"), Place::Active);
        assert_eq!(old.place("other"), Place::Unschedulable);
    }
}

#[test]
fn an_update_moves_a_parked_pod_when_more_than_its_status_changed() {
    let pod = make::pod("a").build();
    let status = make::pod("a")
        .condition("PodScheduled", "False", "why")
        .build();
    let labels = make::pod("a").label("a", "b").build();
    let mut old = Old::new();
    old.park(&pod);
    call!(&mut old, update, Some(&pod), &status);
    assert_eq!(old.place("a"), Place::Unschedulable);
    call!(&mut old, update, Some(&status), &labels);
    assert_eq!(old.place("a"), Place::Backoff);
    old.at(500);
    call!(&mut old, update, Some(&labels), &pod);
    assert_eq!(old.place("a"), Place::Backoff, "there it stays");

    let mut old = Old::new();
    old.park(&pod);
    old.at(1_000);
    call!(&mut old, update, Some(&pod), &labels);
    assert_eq!(old.place("a"), Place::Active);
}

#[test]
fn an_update_of_an_unknown_pod_adds_it_and_one_in_active_q_stays() {
    let mut old = Old::new();
    let pod = make::pod("a").build();
    call!(&mut old, update, Some(&pod), &pod);
    assert_eq!(old.place("a"), Place::Active);
    old.add(&make::pod("b").build());
    call!(
        &mut old,
        update,
        Some(&pod),
        &make::pod("a").priority(-1).build()
    );
    assert_eq!(&*old.pop().pod.reference.name, "b");
}

#[test]
fn deleting_takes_a_pod_and_its_nomination_out() {
    let mut old = Old::new();
    let pod = make::pod("a").nominated("n").build();
    old.park(&pod);
    assert!(old.queue.nominated_node(&pod.metadata.uid).is_some());
    call!(&mut old, delete, &pod);
    assert_eq!(old.place("a"), Place::Nowhere);
    assert_eq!(old.queue.nominated_node(&pod.metadata.uid), None);
}

#[test]
fn pending_pods_are_active_then_backing_off_then_parked() {
    let mut old = Old::new();
    old.park(&make::pod("backing-off").build());
    old.happen();
    old.park(&make::pod("parked").build());
    old.add(&make::pod("active").build());
    let names: Vec<String> = (old.queue.pending_pods().iter())
        .map(|pod| pod.reference.name.to_string())
        .collect();
    assert_eq!(names, ["active", "backing-off", "parked"]);
}

#[test]
fn backoff_counts_attempts_and_is_over_at_the_instant_itself() {
    let mut old = Old::new();
    old.add(&make::pod("a").build());
    let mut now = 0;
    for wait in [1_000, 2_000, 4_000, 8_000, 10_000, 10_000] {
        let info = old.pop();
        old.happen();
        let cycle = old.queue.scheduling_cycle();
        call!(&mut old, add_unschedulable_if_not_present, info, cycle).unwrap();
        old.run_until(now + wait - 1);
        assert_eq!(old.place("a"), Place::Backoff);
        now += wait;
        old.run_until(now);
        assert_eq!(old.place("a"), Place::Active);
    }
}

#[test]
fn an_initial_backoff_above_the_maximum_holds_for_one_attempt() {
    let mut old = Old::with(options(|options| {
        options.initial_backoff = Span::from_secs(20)
    }));
    old.add(&make::pod("a").build());
    for seconds in [20, 10] {
        let info = old.pop();
        old.happen();
        old.give_back(info);
        let expiry = old.queue.get("default", "a").unwrap().0.backoff_expiration;
        assert_eq!(expiry, Some(old.now + Span::from_secs(seconds)));
        let later = old.now.as_micros() / 1_000 + 20_000;
        old.run_until(later);
    }
}

#[test]
fn a_pod_leaves_unschedulable_q_after_more_than_sixty_seconds() {
    let mut old = Old::new();
    old.park(&make::pod("a").build());
    old.run_until(60_000);
    assert_eq!(old.place("a"), Place::Unschedulable);
    old.run_until(90_000);
    assert_eq!(old.place("a"), Place::Active);
    assert_eq!(old.queue.next_deadline(), None);
}

#[test]
fn a_pod_that_comes_late_is_not_flushed_by_an_earlier_beat() {
    let mut old = Old::new();
    old.at(100_300).park(&make::pod("a").build());
    assert_eq!(old.queue.next_deadline(), Some(Timestamp::from_secs(120)));
    old.happen();
    assert_eq!(old.queue.next_deadline(), Some(Timestamp::from_secs(101)));
    old.run_until(102_000);
    assert_eq!(old.place("a"), Place::Active);
}

#[test]
fn a_closed_queue_asks_for_no_tick() {
    let mut old = Old::new();
    old.park(&make::pod("a").build());
    old.queue.close();
    assert_eq!(old.queue.next_deadline(), None);
    old.at(90_000);
    call!(&mut old, on_tick);
    assert_eq!(old.place("a"), Place::Unschedulable);
}

#[test]
fn the_events_of_moves_are_counted_under_their_labels() {
    let mut old = Old::new();
    old.park(&make::pod("a").build());
    let label = |(_, record): &(Timestamp, Record)| match record {
        Record::Metric(metric) if metric.name == "queue_incoming_pods_total" => {
            metric.labels.last().map(|(_, value)| value.to_string())
        }
        _ => None,
    };
    old.at(5_000).happen();
    let labels: Vec<_> = old.records.iter().filter_map(label).collect();
    let events = [
        ClusterEvent::UNSCHEDULABLE_POD_ADD,
        ClusterEvent::SCHEDULE_ATTEMPT_FAILURE,
        NODE_ADD,
    ];
    assert_eq!(labels, events.map(|event| event.label()));
}
