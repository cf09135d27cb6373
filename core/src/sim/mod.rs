//! What a cluster would do, without a cluster.
