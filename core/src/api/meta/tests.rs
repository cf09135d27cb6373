//! Times read and written, owners found.

use alloc::string::ToString;

use super::{ObjectMeta, OwnerReference, Time};

#[track_caller]
fn check(text: &str, micros: i64, printed: &str) {
    let time = Time::parse(text).expect(text);
    assert_eq!(time.as_micros(), micros, "{text}");
    assert_eq!(time.to_string(), printed, "{text}");
}

#[test]
fn times_are_read_and_printed_in_utc() {
    check("1970-01-01T00:00:00Z", 0, "1970-01-01T00:00:00Z");
    check(
        "2026-11-30T09:22:05Z",
        1_796_030_525_000_000,
        "2026-11-30T09:22:05Z",
    );
    check(
        "2024-02-29T23:59:59.5Z",
        1_709_251_199_500_000,
        "2024-02-29T23:59:59.500000Z",
    );
    check(
        "2024-03-01T01:00:00+02:00",
        1_709_247_600_000_000,
        "2024-02-29T23:00:00Z",
    );
    check(
        "1969-12-31T23:59:59.999999999Z",
        -1,
        "1969-12-31T23:59:59.999999Z",
    );
    check(
        "0001-01-01T00:00:00Z",
        -62_135_596_800_000_000,
        "0001-01-01T00:00:00Z",
    );
}

#[test]
fn what_is_not_a_time_is_refused() {
    for text in [
        "",
        "2026-11-30",
        "2026-02-29T00:00:00Z",
        "2026-11-30T24:00:00Z",
        "2026-11-30T09:22:05",
        "2026-11-30T09:22:05.Z",
        "yesterday at noon, more or less",
    ] {
        assert!(Time::parse(text).is_err(), "{text}");
    }
}

#[test]
fn only_the_managing_owner_is_the_controller() {
    let owner = |uid: &str, controller| OwnerReference {
        uid: uid.into(),
        controller,
        ..OwnerReference::default()
    };
    let meta = ObjectMeta {
        owner_references: [owner("a", None), owner("b", Some(true))].into(),
        ..ObjectMeta::default()
    };
    assert_eq!(
        meta.controller_owner().map(|owner| owner.uid.as_str()),
        Some("b")
    );
    assert!(meta.is_controlled_by("b") && !meta.is_controlled_by("a"));
}
