//! Corpora and equivalences: one module a corpus.

mod wasm;
