//! What the cluster looks like once decisions under way are counted in.
