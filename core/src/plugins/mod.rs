//! Which plugins there are.
