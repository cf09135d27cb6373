//! The picture of real runs: nothing overlaps, nothing is cut off, every number is the trace's.

mod advice;
mod golden;
mod layout;
mod moments;
mod numbers;
mod runs;
mod small;
