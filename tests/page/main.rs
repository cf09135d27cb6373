//! The page in a real browser: what a person does on it, by mouse and by keyboard, on a desk and on a phone.
//!
//! `.ci/run browser` builds the page and sets `BERTH_PAGE`. Without it, or without a chromedriver, every test says so and
//! passes.
//!
//! | File | Holds |
//! |---|---|
//! | `visit` | a page that has started, with its server, and what one does on it |
//! | `first` | the first screen and a first touch need nothing but what is fetched for them |
//! | `stories` | from opening to sharing, by mouse |
//! | `editor` | errors out of sight, a text that is typed while something else is opened |
//! | `unfold` | groups that open in place |
//! | `keyboard` | the same by keyboard alone |
//! | `kept` | what was dropped or edited is not lost, and links say what they are |
//! | `access` | what axe says of every view |
//! | `room` | nothing lies on a text, no text is cut off, on any canvas |
//! | `speed` | how long frames and moments take; `.ci/bench page` prints it |
//! | `stills` | pictures of every view; `.ci/stills` takes them |

mod access;
mod editor;
mod first;
mod kept;
mod keyboard;
mod room;
mod speed;
mod stills;
mod stories;
mod unfold;
mod visit;
