//! Lays a moment out for a canvas.
//!
//! | File | Answers |
//! |---|---|
//! | `stage` | what a figure is drawn from, and where its columns are |
//! | `story` | the stage as a story |
//! | `rows`, `threads`, `gates`, `score`, `landing`, `berths` | its columns |
//! | `fold`, `fold_all`, `groups`, `zones` | the same with nodes folded by verdict |
//! | `everything`, `record` | all plugins, all numbers, what happened line by line |
//! | `preempt` | the second try, on paper |
//! | `why`, `aside`, `advice` | every node by every rule, what stands beside it, and what would have to change |
//! | `lanes`, `waiting`, `turn` | the queues and the pod in its turn |
//! | `begin` | where to begin on the first screen |
//! | `phone`, `density` | for one hand, and for more nodes than threads |
//! | `axis`, `axis_full`, `caption`, `speech` | time and words |
//! | `brush`, `pod` | short ways to draw |

pub(super) mod advice;
pub(super) mod aside;
pub(super) mod axis;
pub(super) mod axis_full;
mod begin;
pub(super) mod berths;
pub mod brush;
pub(super) mod caption;
pub(super) mod density;
pub(super) mod everything;
pub(super) mod fold;
mod fold_all;
pub(super) mod gates;
pub(super) mod groups;
pub(super) mod landing;
pub(super) mod lanes;
pub(super) mod phone;
pub mod pod;
pub(super) mod preempt;
pub(super) mod record;
pub(super) mod rows;
pub(super) mod score;
pub(super) mod speech;
pub mod stage;
pub(super) mod story;
pub(super) mod threads;
pub(super) mod turn;
pub(super) mod waiting;
pub(super) mod why;
pub(super) mod zones;
