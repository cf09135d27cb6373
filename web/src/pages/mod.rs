//! The pages: what the header stands above.

pub mod edit;
pub mod gallery;
pub mod stage;
pub mod trouble;

pub use edit::EditPage;
pub use gallery::GalleryPage;
pub use stage::StagePage;
pub use trouble::TroublePage;
