//! Which of the best nodes is taken.

use alloc::vec::Vec;

use crate::framework::trace::TieRule;
use crate::rng::Rng;

/// A node in the choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scored {
    /// Its total.
    pub(super) total: i64,
    /// Random for nodes that an extender scored, 0 for others; higher goes first among equal totals.
    pub(super) randomizer: u64,
}

/// The place of the chosen node in `nodes`, which are in search order; `None` when there is none.
///
/// With [`TieRule::SearchOrder`] it is the root of the binary heap that kube-scheduler lays over the list: among equal
/// nodes the first one met when the list, seen as an implicit tree (children of *i* at 2*i*+1 and 2*i*+2), is walked in
/// preorder. With [`TieRule::Seeded`] one of the best is drawn.
///
/// Source: spec, scheduling cycle 6.10.
pub(super) fn select_host(
    nodes: &[Scored],
    rule: TieRule,
    draw: &mut dyn FnMut(u64) -> u64,
) -> Option<usize> {
    let best = nodes
        .iter()
        .map(|node| (node.total, node.randomizer))
        .max()?;
    let is_best = |node: &Scored| match rule {
        TieRule::SearchOrder => (node.total, node.randomizer) == best,
        TieRule::Seeded => node.total == best.0,
    };
    if rule == TieRule::Seeded {
        let tied: Vec<usize> = (0..nodes.len())
            .filter(|place| nodes.get(*place).is_some_and(is_best))
            .collect();
        if tied.len() == 1 {
            return tied.first().copied();
        }
        let drawn = usize::try_from(draw(tied.len() as u64)).ok()?;
        return tied.get(drawn).copied();
    }
    first_in_preorder(nodes, is_best)
}

fn first_in_preorder(nodes: &[Scored], is_best: impl Fn(&Scored) -> bool) -> Option<usize> {
    let mut to_visit = alloc::vec![0];
    while let Some(place) = to_visit.pop() {
        let Some(node) = nodes.get(place) else {
            continue;
        };
        if is_best(node) {
            return Some(place);
        }
        to_visit.push(2 * place + 2);
        to_visit.push(2 * place + 1);
    }
    None
}

/// The places of all nodes in the order in which kube-scheduler's heap gives them out: best first, equal ones as the
/// layout of the heap has it after each is taken.
pub(super) fn pop_order(nodes: &[Scored]) -> Vec<usize> {
    let mut heap: Vec<usize> = (0..nodes.len()).collect();
    let better = |one: usize, two: usize| {
        let key = |place: usize| nodes.get(place).map(|node| (node.total, node.randomizer));
        key(one) > key(two)
    };
    for parent in (0..heap.len() / 2).rev() {
        sift_down(&mut heap, parent, &better);
    }
    let mut order = Vec::with_capacity(nodes.len());
    while !heap.is_empty() {
        order.push(heap.swap_remove(0));
        sift_down(&mut heap, 0, &better);
    }
    order
}

/// Moves the entry at `parent` down until no child is strictly better; of two equal children the left one moves up.
fn sift_down(heap: &mut [usize], mut parent: usize, better: &impl Fn(usize, usize) -> bool) {
    loop {
        let (left, right) = (2 * parent + 1, 2 * parent + 2);
        let Some(&at_left) = heap.get(left) else {
            return;
        };
        let (child, at_child) = match heap.get(right) {
            Some(&at_right) if better(at_right, at_left) => (right, at_right),
            _ => (left, at_left),
        };
        match heap.get(parent) {
            Some(&at_parent) if better(at_child, at_parent) => heap.swap(parent, child),
            _ => return,
        }
        parent = child;
    }
}

/// A non-negative random number for a node that an extender scored.
pub(super) fn randomizer(rng: &mut Rng) -> u64 {
    rng.next_u64() >> 1
}

#[cfg(test)]
mod tests;
