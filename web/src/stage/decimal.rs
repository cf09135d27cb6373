//! How the page writes a fraction: with four digits at most, which no eye tells from more, and so without the tables and the
//! long arithmetic that writing any number exactly takes.

use core::fmt;

/// A number on the page. Halves are rounded away from zero, and zeros at the end are left out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decimal(pub f64);

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // What is no number is written as zero, and what is too large as the largest that can be.
        let parts = (self.0.abs() * UNIT as f64 + 0.5) as u64;
        let sign = if self.0 < 0.0 && parts > 0 { "-" } else { "" };
        write!(f, "{sign}{}", parts / UNIT)?;
        let (mut rest, mut width) = (parts % UNIT, DIGITS);
        if rest == 0 {
            return Ok(());
        }
        while rest.is_multiple_of(10) {
            rest /= 10;
            width -= 1;
        }
        write!(f, ".{rest:0width$}")
    }
}

const DIGITS: usize = 4;
const UNIT: u64 = 10_000;

#[cfg(test)]
mod tests {
    use super::Decimal;

    #[test]
    fn a_fraction_is_written_as_svg_reads_it() {
        for (value, text) in [
            (0.0, "0"),
            (-0.000_04, "0"),
            (0.25, "0.25"),
            (1.0 / 3.0, "0.3333"),
            (-2.0 / 3.0, "-0.6667"),
            (12.000_5, "12.0005"),
            (0.999_96, "1"),
            (1440.0, "1440"),
            (f64::NAN, "0"),
        ] {
            assert_eq!(Decimal(value).to_string(), text);
        }
    }
}
