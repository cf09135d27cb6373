//! Corpora and equivalences: one module a corpus.

mod equivalence;
mod wasm;
