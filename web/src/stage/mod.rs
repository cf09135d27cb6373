//! How a scene becomes marks on the page, and how one scene becomes the next.
//!
//! | File | Answers |
//! |---|---|
//! | `marks` | which SVG element a mark is |
//! | `hit` | which place of the canvas a part takes |
//! | `focus` | in which order parts are reached by keyboard |
//! | `decimal` | how a fraction is written |
//! | `path` | where on a path something is |
//! | `tween` | what moves between two scenes, for how long, and how |
//! | `raf` | the frames: the only file that calls the browser |
//!
//! All but `raf` are pure and tested on the host.

pub mod decimal;
pub mod focus;
pub mod hit;
pub mod marks;
pub mod path;
pub mod raf;
pub mod tween;
