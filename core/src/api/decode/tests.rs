//! Texts read, and what is said of those that cannot be.

mod any;
mod wrong;
#[cfg(feature = "yaml")]
mod yaml;
