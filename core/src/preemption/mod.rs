//! Which pods would have to leave for this one.
