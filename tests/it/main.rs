//! Corpora and equivalences: one module a corpus.

mod cases;
mod equivalence;
mod gallery;
mod links;
mod plugin;
mod real;
mod replay;
mod wasm;
mod workloads;
