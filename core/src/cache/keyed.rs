//! Maps from text that is compared often, found by a hash that is the same on every host and in every run.

use alloc::sync::Arc;
use core::hash::{BuildHasherDefault, Hasher};

use indexmap::IndexMap;

/// A map whose order is that of insertion, but for removals, which move the last entry into the gap.
pub(super) type Keyed<V> = IndexMap<Arc<str>, V, BuildHasherDefault<TextHasher>>;

/// Eight bytes at a time: rotate, mix in, multiply. Not meant to withstand somebody who chooses the keys: they are names
/// and UIDs that an API server has accepted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TextHasher(u64);

impl TextHasher {
    fn mix(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
}

impl Hasher for TextHasher {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            for (slot, byte) in word.iter_mut().zip(chunk) {
                *slot = *byte;
            }
            self.mix(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, byte: u8) {
        self.mix(u64::from(byte));
    }

    /// The upper half is the better mixed one, and tables look at the lower bits.
    fn finish(&self) -> u64 {
        self.0.rotate_left(32)
    }
}

/// The hash of a text.
pub(super) fn hash(text: &str) -> u64 {
    let mut hasher = TextHasher::default();
    hasher.write(text.as_bytes());
    hasher.finish()
}
