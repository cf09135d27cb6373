//! Where rows stand: one a node, in the order of zones, as far apart as the figure is high.

use alloc::vec::Vec;

use crate::picture::px::{Px, px};
use crate::picture::verdicts::Row;

/// The rows of a figure.
#[derive(Clone, Debug)]
pub(in crate::picture) struct Rows {
    /// The middle of each row's berth.
    pub(in crate::picture) ys: Vec<Px>,
    /// From one row to the next.
    pub(in crate::picture) pitch: Px,
}

impl Rows {
    /// Lays rows out from `top`, at most `most` apart, into `room` if that is possible; zones are `gap` percent of that
    /// further apart.
    #[must_use]
    pub(in crate::picture) fn new(
        rows: &[Row],
        top: Px,
        room: Px,
        (most, least): (Px, Px),
        gap: i64,
    ) -> Self {
        let breaks = rows.windows(2).filter(|pair| is_break(pair)).count();
        let steps = rows.len().saturating_sub(1);
        let gap_of = |pitch: Px| pitch.share(gap, 100);
        let mut pitch = most;
        while pitch > least && pitch.each(steps) + gap_of(pitch).each(breaks) > room {
            pitch -= px(1);
        }
        let gap = gap_of(pitch);
        let mut ys = Vec::with_capacity(rows.len());
        let mut y = top;
        for (place, _) in rows.iter().enumerate() {
            if place > 0 {
                y += pitch;
                if rows.get(place - 1..=place).is_some_and(is_break) {
                    y += gap;
                }
            }
            ys.push(y);
        }
        Self { ys, pitch }
    }

    /// The middle of a row.
    #[must_use]
    pub(in crate::picture) fn y(&self, place: usize) -> Px {
        self.ys.get(place).copied().unwrap_or_default()
    }

    /// The last row's middle.
    #[must_use]
    pub(in crate::picture) fn last(&self) -> Px {
        self.ys.last().copied().unwrap_or_default()
    }

    /// Halfway between the first and the last row.
    #[must_use]
    pub(in crate::picture) fn middle(&self) -> Px {
        let first = self.ys.first().copied().unwrap_or_default();
        first + (self.last() - first).half()
    }

    /// Whether a node's name has a line of its own above its berth.
    #[must_use]
    pub(in crate::picture) fn has_names_above(&self) -> bool {
        self.pitch >= px(36)
    }
}

fn is_break(pair: &[Row]) -> bool {
    matches!(pair, [one, two] if one.node.zone != two.node.zone)
}
