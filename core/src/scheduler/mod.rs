//! What happens next, given what just happened.
