//! How a message becomes bytes and the bytes a message again: postcard's, which hold values in their order and no names.
//!
//! Bytes without names of another version could be taken for something that nobody said. So every message begins with the
//! `FORM` of all messages, and what begins otherwise is not read.

use js_sys::{Array, Uint8Array};
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::{JsCast as _, JsValue};

/// A message as an array that belongs to nobody else, so that its bytes can change hands.
///
/// `None` is said of no message: each is made of lists whose length is known.
#[must_use]
pub fn pack(message: &impl Serialize) -> Option<Uint8Array> {
    encode(message).map(|bytes| Uint8Array::from(bytes.as_slice()))
}

/// What changes hands when the array is posted, instead of being copied.
#[must_use]
pub fn handed_over(packed: &Uint8Array) -> Array {
    Array::of1(&packed.buffer())
}

/// The message of an array; `None` if it is none of this version.
#[must_use]
pub fn unpack<T: DeserializeOwned>(data: &JsValue) -> Option<T> {
    decode(&data.dyn_ref::<Uint8Array>()?.to_vec())
}

fn encode(message: &impl Serialize) -> Option<Vec<u8>> {
    postcard::to_extend(message, FORM.to_vec()).ok()
}

fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    postcard::from_bytes(bytes.strip_prefix(&FORM)?).ok()
}

/// A fingerprint of all that says which values a message has: two versions that differ in them differ here.
const FORM: [u8; 8] = fingerprint(&[
    include_str!("protocol.rs"),
    include_str!("../../core/src/picture/scene.rs"),
    include_str!("../../core/src/picture/palette.rs"),
    include_str!("../../core/src/picture/px.rs"),
    include_str!("../../core/src/time.rs"),
]);

/// 64 bits of FNV-1a, worked out when the page is built.
const fn fingerprint(texts: &[&str]) -> [u8; 8] {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut text = 0;
    while text < texts.len() {
        let bytes = texts[text].as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            hash = (hash ^ bytes[at] as u64).wrapping_mul(0x0000_0100_0000_01b3);
            at += 1;
        }
        text += 1;
    }
    hash.to_le_bytes()
}

#[cfg(test)]
pub(crate) mod tests;
