//! A fingerprint of what happened: 64 bits of FNV-1a over records in a fixed form.
//!
//! Written here, because it must stay the same for as long as links and reports exist.

use alloc::format;
use alloc::string::String;

/// FNV-1a with 64 bits, fed with numbers and texts that cannot run into each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fnv(u64);

impl Fnv {
    /// The empty fingerprint.
    #[must_use]
    pub const fn new() -> Self {
        Self(OFFSET)
    }

    /// Adds bytes.
    pub fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(PRIME);
        }
    }

    /// Adds a text; its length goes in first.
    pub fn write_str(&mut self, text: &str) {
        self.write_u64(text.len() as u64);
        self.write(text.as_bytes());
    }

    /// Adds a number.
    pub fn write_u64(&mut self, number: u64) {
        self.write(&number.to_le_bytes());
    }

    /// The fingerprint of what was added.
    #[must_use]
    pub const fn finish(self) -> u64 {
        self.0
    }

    /// The fingerprint as 16 hexadecimal digits.
    #[must_use]
    pub fn to_hex(self) -> String {
        format!("{:016x}", self.0)
    }
}

impl Default for Fnv {
    fn default() -> Self {
        Self::new()
    }
}

const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

#[cfg(test)]
mod tests {
    use super::Fnv;

    #[test]
    fn the_fingerprint_is_fnv_1a() {
        let mut fnv = Fnv::new();
        assert_eq!(fnv.finish(), 0xcbf2_9ce4_8422_2325);
        fnv.write(b"a");
        assert_eq!(fnv.finish(), 0xaf63_dc4c_8601_ec8c);
        fnv.write(b"b");
        assert_eq!(fnv.to_hex(), "089c4407b545986a");
    }
}
