//! Durations read and written as Go does.

use alloc::string::ToString;

use super::{Span, Timestamp};

#[track_caller]
fn check(text: &str, micros: i64, printed: &str) {
    let span = Span::parse(text).expect(text);
    assert_eq!(span.as_micros(), micros, "{text}");
    assert_eq!(span.to_string(), printed, "{text}");
}

#[test]
fn durations_are_read_and_printed_as_go_does() {
    check("0", 0, "0s");
    check("0s", 0, "0s");
    check("5m", 300_000_000, "5m0s");
    check("1h", 3_600_000_000, "1h0m0s");
    check("1h0m0.5s", 3_600_500_000, "1h0m0.5s");
    check("1.5s", 1_500_000, "1.5s");
    check(".5s", 500_000, "500ms");
    check("1.s", 1_000_000, "1s");
    check("100ms", 100_000, "100ms");
    check("1500ms", 1_500_000, "1.5s");
    check("1.25ms", 1_250, "1.25ms");
    check("10us", 10, "10µs");
    check("10µs", 10, "10µs");
    check("1500ns", 1, "1µs");
    check("1.5h", 5_400_000_000, "1h30m0s");
    check("-1m30s", -90_000_000, "-1m30s");
    check("0.333333333333m", 19_999_999, "19.999999s");
}

#[test]
fn what_is_not_a_duration_is_refused() {
    for text in [
        "",
        "-",
        "5",
        "1.5",
        "s",
        ".s",
        "1x",
        "1 s",
        "1m 30s",
        "1e3s",
        "9223372036854775807h",
    ] {
        assert!(Span::parse(text).is_err(), "{text}");
    }
    assert_eq!(
        Span::parse("5").unwrap_err().to_string(),
        "\"5\" is not a duration; expected numbers with units such as 1m30s or 500ms"
    );
}

#[test]
fn a_second_is_cut_downwards_also_before_the_epoch() {
    assert_eq!(
        Timestamp::from_micros(1_999_999).floor_to_second(),
        Timestamp::from_secs(1)
    );
    assert_eq!(
        Timestamp::from_micros(-1).floor_to_second(),
        Timestamp::from_secs(-1)
    );
    assert_eq!(
        Timestamp::from_secs(2).floor_to_second(),
        Timestamp::from_secs(2)
    );
}

#[test]
fn instants_saturate() {
    assert_eq!(Timestamp::MAX + Span::SECOND, Timestamp::MAX);
    assert_eq!(
        Timestamp::from_secs(5) - Timestamp::from_secs(7),
        Span::from_secs(-2)
    );
}
