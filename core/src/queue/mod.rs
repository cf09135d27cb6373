//! Which pod is tried next, and what makes a waiting pod worth another try.
