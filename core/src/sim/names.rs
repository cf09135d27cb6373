//! Names that servers and controllers make up: the same for the same reasons, with Kubernetes' letters.

use alloc::string::{String, ToString};

use super::digest::Fnv;

/// `prefix` with five letters that follow from it and from `reasons`.
pub(super) fn generated(prefix: &str, reasons: &[&str]) -> String {
    let mut fnv = Fnv::new();
    fnv.write_str(prefix);
    for reason in reasons {
        fnv.write_str(reason);
    }
    let mut name: String = prefix.chars().take(MAX_PREFIX).collect();
    letters(&mut name, fnv.finish(), 5);
    name
}

/// The hash in the name of a ReplicaSet that stands for one template.
pub(super) fn template_hash(json: &str, collisions: i32) -> String {
    let mut fnv = Fnv::new();
    fnv.write_str(json);
    fnv.write_str(&collisions.to_string());
    let mut hash = String::new();
    letters(&mut hash, fnv.finish(), 10);
    hash
}

fn letters(text: &mut String, mut bits: u64, count: usize) {
    // The low bits of FNV are its weaker ones: fold the halves first.
    bits ^= bits >> 29;
    for _ in 0..count {
        let index = usize::try_from(bits % LETTERS.len() as u64).unwrap_or(0);
        text.push(char::from(LETTERS.get(index).copied().unwrap_or(b'x')));
        bits /= LETTERS.len() as u64;
    }
}

/// No vowels and nothing that looks like another letter, so that no words come out.
const LETTERS: &[u8] = b"bcdfghjklmnpqrstvwxz2456789";
/// Names may have 63 characters in many places, five of which are made up.
const MAX_PREFIX: usize = 58;
