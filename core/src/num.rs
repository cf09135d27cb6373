//! What integer arithmetic does when it overflows, and the only float arithmetic.
