//! Berth in the browser: a page that shows, a worker that decides.
//!
//! | Module | Answers |
//! |---|---|
//! | `protocol`, `wire` | what page and worker tell each other, and how it becomes bytes |
//! | `engine` | what the worker does with it |
//! | `port` | how the page reaches the worker |
//! | `kept` | what was dropped, pasted or edited, and has an address in this tab alone |
//! | `app`, `pages`, `components`, `editor` | what a person sees |
//! | `stage` | how a scene becomes marks and motion |
//! | `state`, `transport`, `route`, `i18n`, `embed` | what the page shows, how fast it plays, what the address says, its words |

pub mod app;
pub mod components;
pub mod editor;
pub mod embed;
pub mod engine;
pub mod i18n;
pub mod kept;
pub mod pages;
pub mod port;
pub mod protocol;
pub mod route;
pub mod stage;
pub mod state;
pub mod transport;
pub mod wire;
