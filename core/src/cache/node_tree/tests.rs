//! Tests of the order of nodes.
