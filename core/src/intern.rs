//! Which strings are the same. The order of symbols decides nothing.
