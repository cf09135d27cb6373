//! How the scheduler is told to behave.
