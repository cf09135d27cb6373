use alloc::vec::Vec;

use crate::framework::trace::TieRule;

use super::{Scored, pop_order, select_host};

fn nodes(totals: &[i64]) -> Vec<Scored> {
    totals
        .iter()
        .map(|&total| Scored {
            total,
            randomizer: 0,
        })
        .collect()
}

/// Go's `container/heap.Init` with a strict comparison, whose root kube-scheduler takes.
fn heap_root(totals: &[i64]) -> usize {
    let mut heap: Vec<usize> = (0..totals.len()).collect();
    let better = |one: usize, two: usize| totals[one] > totals[two];
    for start in (0..totals.len() / 2).rev() {
        let mut parent = start;
        loop {
            let mut child = 2 * parent + 1;
            if child >= heap.len() {
                break;
            }
            if child + 1 < heap.len() && better(heap[child + 1], heap[child]) {
                child += 1;
            }
            if !better(heap[child], heap[parent]) {
                break;
            }
            heap.swap(parent, child);
            parent = child;
        }
    }
    heap[0]
}

#[test]
fn the_choice_is_the_root_of_the_heap_that_kube_scheduler_builds() {
    let mut seed = 1_u64;
    for round in 0..20_000 {
        let totals: Vec<i64> = (0..1 + round % 40)
            .map(|_| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                i64::try_from(seed >> 62).unwrap()
            })
            .collect();
        let chosen = select_host(
            &nodes(&totals),
            TieRule::SearchOrder,
            &mut |_| unreachable!(),
        );
        assert_eq!(chosen, Some(heap_root(&totals)), "{totals:?}");
    }
}

#[test]
fn nodes_leave_the_heap_best_first_and_the_choice_is_the_first_to_leave() {
    assert_eq!(pop_order(&nodes(&[1, 3, 2])), [1, 2, 0]);
    assert_eq!(pop_order(&nodes(&[5, 5, 5])), [0, 2, 1]);
    let totals = nodes(&[1, 1, 4, 4, 2, 4]);
    let first = pop_order(&totals)[0];
    assert_eq!(
        select_host(&totals, TieRule::SearchOrder, &mut |_| 0),
        Some(first)
    );
}

#[test]
fn a_seeded_choice_draws_only_among_the_best() {
    let mut asked = Vec::new();
    let chosen = select_host(&nodes(&[1, 3, 2, 3]), TieRule::Seeded, &mut |bound| {
        asked.push(bound);
        1
    });
    assert_eq!((chosen, asked), (Some(3), alloc::vec![2]));
    let chosen = select_host(&nodes(&[1, 3]), TieRule::Seeded, &mut |_| unreachable!());
    assert_eq!(chosen, Some(1));
}

#[test]
fn without_nodes_nothing_is_chosen() {
    assert_eq!(select_host(&[], TieRule::SearchOrder, &mut |_| 0), None);
}
