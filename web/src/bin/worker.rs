//! Mounts the worker, in which the core runs.

use berth_web as _;

fn main() {}
