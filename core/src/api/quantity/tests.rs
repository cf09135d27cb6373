//! The vectors of quantities, and what they leave out.

use alloc::string::ToString;
use alloc::vec::Vec;

use proptest::prelude::*;

use super::{Format, Quantity};

#[derive(serde::Deserialize)]
struct Vectors {
    cases: Vec<Case>,
}

#[derive(serde::Deserialize)]
struct Case {
    input: alloc::string::String,
    #[serde(default)]
    error: bool,
    #[serde(default)]
    overflow: bool,
    value: Option<i64>,
    milli_value: Option<i64>,
    canonical: Option<alloc::string::String>,
}

#[test]
fn every_vector_is_read_and_printed_as_kubernetes_does() {
    let text = include_str!("../../../../tests/vectors/quantity.json");
    let vectors: Vectors = serde_json::from_str(text).unwrap();
    assert!(vectors.cases.len() > 80);
    for case in vectors.cases {
        let parsed = Quantity::parse(&case.input);
        assert_eq!(parsed.is_err(), case.error, "{}", case.input);
        let Ok(quantity) = parsed else { continue };
        if let Some(canonical) = case.canonical {
            assert_eq!(quantity.to_string(), canonical, "{}", case.input);
            assert_eq!(Quantity::parse(&canonical), Ok(quantity), "{}", case.input);
        }
        if case.overflow {
            assert_eq!(quantity.value(), i64::MAX, "{}", case.input);
            continue;
        }
        assert_eq!(Some(quantity.value()), case.value, "{}", case.input);
        if let Some(milli) = case.milli_value {
            assert_eq!(quantity.milli_value(), milli, "{}", case.input);
        }
    }
}

#[test]
fn exponents_beyond_the_range_saturate() {
    assert_eq!(Quantity::parse("1e400").unwrap().value(), i64::MAX);
    assert_eq!(
        Quantity::parse("-1e9223372036854775807").unwrap().value(),
        i64::MIN
    );
    assert_eq!(Quantity::parse("1e-400").unwrap().nanos(), 1);
    assert_eq!(Quantity::parse("0e400").unwrap().nanos(), 0);
    assert_eq!(Quantity::parse("-0.1n").unwrap().nanos(), -1);
    assert_eq!(Quantity::parse("9Ei").unwrap().value(), i64::MAX);
    assert_eq!(
        Quantity::parse("0.0000000000000000001Ki").unwrap().nanos(),
        1
    );
}

#[test]
fn sums_are_exact_and_rounded_once() {
    let half = Quantity::parse("500u").unwrap();
    assert_eq!((half + half).milli_value(), 1);
    let mut sum = Quantity::ZERO;
    sum += Quantity::parse("1Ki").unwrap();
    sum += Quantity::parse("1k").unwrap();
    assert_eq!(sum.value(), 2024);
    assert_eq!(sum.format(), Format::BinarySi);
}

#[test]
fn equal_amounts_are_equal_however_written() {
    assert_eq!(Quantity::parse("1000m"), Quantity::parse("1"));
    assert!(Quantity::parse("1Gi").unwrap() > Quantity::parse("1G").unwrap());
}

#[test]
fn json_numbers_and_null_are_quantities() {
    let read = |text| serde_json::from_str::<Quantity>(text).unwrap().to_string();
    assert_eq!(read("2"), "2");
    assert_eq!(read("0.1"), "100m");
    assert_eq!(read("1e3"), "1k");
    assert_eq!(read("null"), "0");
    assert_eq!(read("\" 5 \""), "5");
    assert!(serde_json::from_str::<Quantity>("\"1x\"").is_err());
    assert!(serde_json::from_str::<Quantity>("true").is_err());
}

proptest! {
    #[test]
    fn what_is_printed_is_read_back(nanos in any::<i128>(), shift in 0..100u32, family in 0..3usize) {
        let format = [Format::DecimalSi, Format::BinarySi, Format::DecimalExponent][family];
        let quantity = Quantity::from_nanos(nanos >> shift, format);
        let is_in_range = format != Format::BinarySi || quantity.nanos().unsigned_abs() < 1 << 92;
        prop_assume!(is_in_range);
        prop_assert_eq!(Quantity::parse(&quantity.to_string()), Ok(quantity));
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in "[+-]?[0-9.]{0,50}([eE][+-]?[0-9]{0,20}|[numkMGTPEKi]{0,3})") {
        if let Ok(quantity) = Quantity::parse(&text) {
            let _ = (quantity.value(), quantity.milli_value(), quantity.to_string());
        }
    }
}
