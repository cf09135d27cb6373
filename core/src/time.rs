//! What an instant and a length of time are. There is no clock.
