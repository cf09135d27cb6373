//! Whether the tree is as the house style says.
