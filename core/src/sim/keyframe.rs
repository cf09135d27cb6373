//! How any instant of a run is reached again: copies of the whole run every few hundred inputs, and replay from there.
//!
//! A simulation is a pure function of its state, so replaying from a copy gives the same inputs, decisions and digest.

use alloc::vec::Vec;

use crate::framework::trace::Observer;
use crate::time::Timestamp;

use super::run::{Simulation, Step};

/// A run that can be gone back in. The cursor stands after a number of inputs.
#[derive(Clone, Debug)]
pub struct Recording {
    /// Copies by the number of inputs before them, ascending; the first is the start.
    keyframes: Vec<Simulation>,
    /// The run as it is at the cursor.
    cursor: Simulation,
    /// When each input that was ever reached was given.
    instants: Vec<Timestamp>,
    spacing: u64,
}

impl Recording {
    /// A recording that stands at the start of a run.
    #[must_use]
    pub fn new(start: Simulation) -> Self {
        Self {
            keyframes: [start.clone()].into(),
            cursor: start,
            instants: Vec::new(),
            spacing: SPACING,
        }
    }

    /// The run as it is at the cursor.
    #[must_use]
    pub const fn at(&self) -> &Simulation {
        &self.cursor
    }

    /// A run of its own that starts from the cursor.
    #[must_use]
    pub fn fork(&self) -> Simulation {
        self.cursor.clone()
    }

    /// How many inputs have been reached so far, wherever the cursor stands.
    #[must_use]
    pub fn reached(&self) -> u64 {
        self.instants.len() as u64
    }

    /// Moves the cursor over the next input.
    pub fn step<O: Observer>(&mut self, observer: &mut O) -> Option<Step> {
        self.step_until(Timestamp::MAX, observer)
    }

    fn step_until<O: Observer>(&mut self, horizon: Timestamp, observer: &mut O) -> Option<Step> {
        let step = self.cursor.step_until(horizon, observer)?;
        let steps = self.cursor.steps();
        if steps > self.reached() {
            self.instants.push(step.at);
            let newest = self.keyframes.last().map_or(0, Simulation::steps);
            if steps >= newest + self.spacing {
                self.keyframes.push(self.cursor.clone());
                self.thin_out();
            }
        }
        Some(step)
    }

    /// Moves the cursor to where `steps` inputs have been given, or to the end if there are not as many.
    ///
    /// Cost: the inputs since the nearest copy before; records of replayed inputs go to nobody.
    pub fn seek(&mut self, steps: u64) {
        let is_behind = |frame: &Simulation| frame.steps() <= steps;
        let place = self.keyframes.partition_point(is_behind);
        let frame = place
            .checked_sub(1)
            .and_then(|place| self.keyframes.get(place));
        if let Some(frame) = frame {
            let is_nearer = self.cursor.steps() <= steps && self.cursor.steps() >= frame.steps();
            if !is_nearer {
                self.cursor = frame.clone();
            }
        }
        while self.cursor.steps() < steps {
            if self.step(&mut ()).is_none() {
                return;
            }
        }
    }

    /// Moves the cursor to after everything that happens at `at` or before.
    pub fn seek_time(&mut self, at: Timestamp) {
        let known = self.instants.partition_point(|instant| *instant <= at);
        self.seek(known as u64);
        while self.step_until(at, &mut ()).is_some() {}
    }

    /// Long runs keep fewer copies for the same memory: every other one goes, and new ones come half as often.
    fn thin_out(&mut self) {
        if self.keyframes.len() <= MAX_KEYFRAMES {
            return;
        }
        let mut place = 0;
        self.keyframes.retain(|_| {
            place += 1;
            place % 2 == 1
        });
        self.spacing *= 2;
    }
}

/// A few hundred inputs are replayed in well under a tenth of a second.
const SPACING: u64 = 256;
const MAX_KEYFRAMES: usize = 256;

#[cfg(test)]
mod tests;
