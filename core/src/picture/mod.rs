//! How a cluster looks as a scene.
//!
//! A picture is computed from the trace and the objects that were observed, and from nothing else. [`Film`] takes in
//! records and knows the state at every moment; a [`Scene`] is one moment of it laid out for a canvas, in one view and
//! one language. Sentences are templates over records.
//!
//! | File | Answers |
//! |---|---|
//! | `timeline` | what the run looked like at a moment, and which moments matter |
//! | `verdicts` | which gate cut which node |
//! | `cast` | which code and hue a workload has |
//! | `sentences`, `narrator` | what is said, in English and Chinese |
//! | `draw`, `compose` | where everything stands |
//! | `scene` | what is on the canvas, as data |
//! | `svg`, `alt` | the scene as a file, and as text |
//! | `palette`, `px`, `measure` | colours by role, lengths, widths of texts |

pub mod alt;
pub mod cast;
mod compose;
pub mod draw;
pub mod measure;
mod narrator;
pub mod palette;
pub mod px;
pub mod scene;
pub mod sentences;
pub mod svg;
pub mod timeline;
pub mod verdicts;

pub use draw::stage::{Fold, Opened, Openings, Shot};
pub use scene::Scene;
pub use timeline::Film;
