use alloc::vec::Vec;

use crate::queue::entries::SlotId;
use crate::rng::{Rng, Seed};

use super::Heap;

/// A heap of slots ordered by a key for each slot.
#[derive(Default)]
struct Keyed {
    heap: Heap,
    keys: Vec<i64>,
}

impl Keyed {
    fn push(&mut self, key: i64) {
        let slot = SlotId(u32::try_from(self.keys.len()).unwrap());
        self.keys.push(key);
        let keys = &self.keys;
        self.heap.push(slot, &|one, two| {
            keys[one.as_usize()] < keys[two.as_usize()]
        });
    }

    fn remove(&mut self, slot: SlotId) -> bool {
        let keys = &self.keys;
        self.heap.remove(slot, &|one, two| {
            keys[one.as_usize()] < keys[two.as_usize()]
        })
    }

    fn change(&mut self, slot: SlotId, key: i64) {
        self.keys[slot.as_usize()] = key;
        let keys = &self.keys;
        self.heap.fix(slot, &|one, two| {
            keys[one.as_usize()] < keys[two.as_usize()]
        });
    }

    fn pop(&mut self) -> Option<SlotId> {
        let first = self.heap.peek()?;
        assert!(self.remove(first));
        Some(first)
    }

    fn layout(&self) -> Vec<u32> {
        self.heap.iter().map(|slot| slot.0).collect()
    }

    fn check(&self) {
        let order: Vec<SlotId> = self.heap.iter().collect();
        for (at, slot) in order.iter().enumerate() {
            assert_eq!(self.heap.place(*slot), Some(at));
            let parent = order[at.saturating_sub(1) / 2];
            assert!(self.keys[parent.as_usize()] <= self.keys[slot.as_usize()]);
        }
    }
}

#[test]
fn slots_come_out_by_their_keys() {
    let mut heap = Keyed::default();
    for key in [5, 3, 8, 1, 9, 2] {
        heap.push(key);
    }
    let order: Vec<i64> = core::iter::from_fn(|| heap.pop())
        .map(|slot| [5, 3, 8, 1, 9, 2][slot.as_usize()])
        .collect();
    assert_eq!(order, [1, 2, 3, 5, 8, 9]);
}

#[test]
fn equal_slots_come_out_as_from_the_heap_of_go() {
    // Worked out by hand from the documented algorithm: the last one takes the place of the first and stays there.
    let mut heap = Keyed::default();
    for _ in 0..5 {
        heap.push(0);
    }
    assert_eq!(heap.layout(), [0, 1, 2, 3, 4]);
    let order: Vec<u32> = core::iter::from_fn(|| heap.pop())
        .map(|slot| slot.0)
        .collect();
    assert_eq!(order, [0, 4, 3, 2, 1]);
}

#[test]
fn taking_out_of_the_middle_sifts_down_or_up() {
    // 0      100 is the last of a long branch; putting it below 0's other branch sifts it up.
    let mut heap = Keyed::default();
    for key in [0, 10, 1, 11, 12, 2, 3] {
        heap.push(key);
    }
    assert!(heap.remove(SlotId(3)));
    assert_eq!(heap.layout(), [0, 6, 2, 1, 4, 5]);
    heap.check();
    assert!(!heap.remove(SlotId(3)));
    assert_eq!(heap.heap.len(), 6);
}

#[test]
fn a_changed_key_puts_a_slot_where_it_belongs() {
    let mut heap = Keyed::default();
    for key in [1, 2, 3, 4] {
        heap.push(key);
    }
    heap.change(SlotId(3), 0);
    assert_eq!(heap.heap.peek(), Some(SlotId(3)));
    heap.change(SlotId(3), 9);
    assert_eq!(heap.heap.peek(), Some(SlotId(0)));
    heap.check();
}

#[test]
fn a_heap_stays_a_heap_whatever_is_done_to_it() {
    let mut rng = Rng::new(Seed(7));
    for _ in 0..300 {
        let mut heap = Keyed::default();
        let mut here: Vec<SlotId> = Vec::new();
        for _ in 0..60 {
            let key = i64::try_from(rng.below(9)).unwrap();
            let any = |rng: &mut Rng, here: &[SlotId]| {
                usize::try_from(rng.below(here.len() as u64)).unwrap()
            };
            match rng.below(4) {
                _ if here.is_empty() => {}
                0 => heap.change(here[any(&mut rng, &here)], key),
                1 => assert!(heap.remove(here.swap_remove(any(&mut rng, &here)))),
                2 => {
                    let least = here.iter().map(|slot| heap.keys[slot.as_usize()]).min();
                    let first = heap.pop().unwrap();
                    assert_eq!(Some(heap.keys[first.as_usize()]), least);
                    here.retain(|slot| *slot != first);
                }
                _ => {}
            }
            here.push(SlotId(u32::try_from(heap.keys.len()).unwrap()));
            heap.push(key);
            heap.check();
            assert_eq!(heap.heap.len(), here.len());
            assert_eq!(heap.heap.is_empty(), here.is_empty());
        }
    }
}
