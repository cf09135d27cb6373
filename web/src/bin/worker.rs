//! Mounts the worker, in which the core runs.

fn main() {}
