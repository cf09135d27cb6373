use crate::framework::trace::{Observer, Place, Record};
use crate::make;
use crate::queue::QueueCall;
use crate::time::Timestamp;

use super::world::{
    CLASS_ADD, CSI_NODE_ADD, FIT, NODE_ADD, SILENT, VOLUMES, World, call, class, node_that_helps,
};

/// Counts what is told and keeps nothing.
#[derive(Default)]
struct Count {
    hints: usize,
    moves: usize,
}

impl Observer for Count {
    fn record(&mut self, _: Timestamp, record: Record) {
        match record {
            Record::Hinted { .. } => self.hints += 1,
            Record::Moved { .. } => self.moves += 1,
            _ => {}
        }
    }
}

/// Ten thousand pods that a change of nodes cannot help, and three that it can.
fn crowded() -> World {
    let mut world = World::new();
    for number in 0..10_000_u32 {
        let name = alloc::string::ToString::to_string(&number);
        let rejector = if number % 2 == 0 { VOLUMES } else { SILENT };
        world.park_named(&name, &[rejector]);
        world.records.clear();
    }
    for name in ["x", "y", "z"] {
        world.park_named(name, &[FIT]);
    }
    world.add(&make::pod("gated").label("gate.GateA", "yes").build());
    world.records.clear();
    world
}

#[test]
fn ten_thousand_parked_pods_are_not_looked_at_for_an_event_that_cannot_concern_them() {
    let mut world = crowded();
    let mut count = Count::default();
    let mut looked_at = core::cell::Cell::new(0);
    let node = node_that_helps(&[]);
    let mut call = QueueCall {
        now: world.now,
        profiles: &world.profiles,
        listers: &world.listers,
        memory: &world.memory,
        observer: &mut count,
    };
    let pre_check = |_: &crate::snapshot::PodInfo| {
        looked_at.set(looked_at.get() + 1);
        true
    };
    for event in [NODE_ADD, CSI_NODE_ADD] {
        world.queue.move_all_to_active_or_backoff_queue(
            &mut call,
            event,
            None,
            Some(&node),
            Some(&pre_check),
        );
    }
    // The three, and the gated one for its gate's event.
    assert_eq!(*looked_at.get_mut(), 4);
    assert_eq!((count.hints, count.moves), (4, 0));
    assert_eq!(world.place("x"), Place::Unschedulable);
}

#[test]
fn an_event_moves_all_that_it_can_help_and_no_other() {
    let mut world = crowded();
    world.happen(CLASS_ADD, &class());
    let (_, summary) = world.queue.pending_pods();
    assert_eq!(summary, "activeQ:0; backoffQ:5000; unschedulablePods:5004");
    call!(&mut world, flush_backoff_q_completed);
    assert_eq!(world.queue.backoff_q(&world.profiles).len(), 5_000);
}
