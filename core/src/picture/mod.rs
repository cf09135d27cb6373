//! How a cluster looks as a scene.
