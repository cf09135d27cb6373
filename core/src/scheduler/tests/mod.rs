//! The scheduler as a whole, on clusters small enough to reason about, with plugins that say what a test tells them.

mod batch;
mod binding;
mod cycle;
mod evict;
mod extender;
mod failure;
mod host;
mod legacy;
mod observe;
mod permit;
mod profiles;
mod script;
