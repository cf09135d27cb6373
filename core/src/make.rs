//! Builders of pods and nodes for tests.
