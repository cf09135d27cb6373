//! Messages on their way: what arrives is what was sent, or nothing.

use core::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{FORM, decode, encode, fingerprint};
use crate::protocol::{FromWorker, Target, ToWorker};

/// Holds a message to what arrives of it.
pub(crate) fn assert_arrives<T: Serialize + DeserializeOwned + PartialEq + Debug>(message: &T) {
    let bytes = encode(message).expect("a message can be written");
    assert_eq!(decode::<T>(&bytes).as_ref(), Some(message));
}

#[test]
fn a_message_survives_the_way_to_the_worker() {
    let link = "https://example.invalid/#s1=é".to_owned();
    for message in [
        ToWorker::Seek {
            target: Target::Event { by: -1 },
        },
        ToWorker::Seek {
            target: Target::End,
        },
        ToWorker::Open { link },
        ToWorker::Write,
    ] {
        assert_arrives(&message);
    }
}

#[test]
fn a_message_of_another_version_is_not_taken_for_one() {
    let message = FromWorker::Ready {
        examples: Vec::new(),
    };
    let mut bytes = encode(&message).expect("a message can be written");
    for at in 0..FORM.len() {
        bytes[at] ^= 1;
        assert_eq!(decode::<FromWorker>(&bytes), None);
        bytes[at] ^= 1;
    }
    assert_eq!(
        decode::<FromWorker>(br#"{"tell":"ready","examples":[]}"#),
        None
    );
    assert_eq!(decode::<FromWorker>(&[]), None);
    assert_eq!(decode(&bytes), Some(message));
}

#[test]
fn the_fingerprint_is_fnv_1a() {
    let hash = |texts: &[&str]| u64::from_le_bytes(fingerprint(texts));
    assert_eq!(hash(&[]), 0xcbf2_9ce4_8422_2325);
    assert_eq!(hash(&["foo", "bar"]), 0x8594_4171_f739_67e8);
}
