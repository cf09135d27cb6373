//! What one scheduling attempt sees of the cluster.
