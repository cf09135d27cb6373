//! Corpora and equivalences: one module a corpus.
