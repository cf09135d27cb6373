//! How a cluster looks as a scene.
//!
//! A picture is computed from the trace and the objects that were observed, and from nothing else. [`Film`] takes in
//! records and knows the state at every moment; a scene is one moment of it laid out for a canvas, in one view and one
//! language. Sentences are templates over records.
//!
//! | File | Answers |
//! |---|---|
//! | `timeline` | what the run looked like at a moment, and which moments matter |
//! | `scene` | what is on the canvas, as data |
//! | `palette`, `px`, `measure` | colours by role, lengths, widths of texts |

pub mod cast;
pub mod measure;
pub mod palette;
pub mod px;
pub mod scene;
pub mod sentences;
pub mod timeline;
pub mod verdicts;
