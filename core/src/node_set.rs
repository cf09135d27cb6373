//! Which rows of a snapshot are meant.
