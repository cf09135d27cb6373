//! What a person sees, one component a file.

pub mod busy;
pub mod caption;
mod context;
pub mod drop;
mod figure;
pub mod header;
pub mod icon;
mod keys;
pub mod live;
pub mod narrator;
pub mod panel;
pub mod small;
pub mod strip;
pub mod transport_bar;
pub mod twin;
pub mod welcome;

pub use busy::BusyBar;
pub use caption::CaptionView;
pub use context::Page;
pub use drop::DropZone;
pub use header::Masthead;
pub use icon::Icon;
pub use keys::listen;
pub use narrator::Narrator;
pub use panel::{AsideView, AxisView, FigureView};
pub use small::SmallFigure;
pub use strip::{StripView, wrong_row};
pub use transport_bar::TransportBar;
pub use twin::TwinView;
pub use welcome::{WaysIn, Welcome};
