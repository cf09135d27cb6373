//! What every object carries: names, labels, owners, times.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use super::decode::{Read, Typed};
use super::schema::{Wire, objects, through_json};

use crate::order::SortedMap;

/// Labels, annotations, selectors written as a plain map.
pub type StringMap = SortedMap<String, String>;

objects! {
    /// What every object carries.
    pub struct ObjectMeta {
        /// Unique among objects of the kind in the namespace.
        pub name: String,
        /// A prefix from which a server makes the name.
        pub generate_name: String,
        /// Empty for kinds without a namespace.
        pub namespace: String,
        /// Unique among all objects ever.
        pub uid: String,
        /// Changes with every write; opaque.
        pub resource_version: String,
        /// Counts changes of the wanted state.
        pub generation: i64,
        /// When it was made.
        pub creation_timestamp: Option<Time>,
        /// When its deletion was asked for.
        pub deletion_timestamp: Option<Time>,
        /// How long it may take to stop after that.
        pub deletion_grace_period_seconds: Option<i64>,
        /// What selectors look at.
        pub labels: StringMap,
        /// What selectors do not look at.
        pub annotations: StringMap,
        /// On whose behalf it exists.
        pub owner_references: Vec<OwnerReference>,
        /// What must happen before it can go.
        pub finalizers: Vec<String>,
    }

    /// On whose behalf an object exists.
    pub struct OwnerReference {
        /// The owner's API group and version.
        pub api_version: String,
        /// The owner's kind.
        pub kind: String,
        /// The owner's name.
        pub name: String,
        /// The owner's identity.
        pub uid: String,
        /// Whether the owner manages the object; at most one does.
        pub controller: Option<bool>,
        /// Whether the owner waits for the object when it is deleted.
        pub block_owner_deletion: Option<bool>,
    }

    /// A pointer to another object.
    pub struct ObjectReference {
        /// Its API group and version.
        pub api_version: String,
        /// Its kind.
        pub kind: String,
        /// Its namespace.
        pub namespace: String,
        /// Its name.
        pub name: String,
        /// Its identity, empty if any will do.
        pub uid: String,
        /// The version meant.
        pub resource_version: String,
    }

    /// One aspect of an object's state, as controllers report it.
    pub struct Condition {
        /// Which aspect.
        #[name = "type"]
        pub type_: String,
        /// `True`, `False` or `Unknown`.
        pub status: String,
        /// Why, in one word.
        pub reason: String,
        /// Why, in a sentence.
        pub message: String,
        /// The generation it speaks of.
        pub observed_generation: i64,
        /// When the status last changed.
        pub last_transition_time: Option<Time>,
    }
}

impl ObjectMeta {
    /// Metadata with a name and nothing else.
    #[must_use]
    pub fn named(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            ..Self::default()
        }
    }

    /// Metadata with a namespace and a name and nothing else.
    #[must_use]
    pub fn namespaced(namespace: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            namespace: namespace.into(),
            ..Self::named(name)
        }
    }

    /// The owner that manages the object.
    #[must_use]
    pub fn controller_owner(&self) -> Option<&OwnerReference> {
        self.owner_references
            .iter()
            .find(|owner| owner.controller == Some(true))
    }

    /// Whether `uid` is the identity of the object's managing owner.
    #[must_use]
    pub fn is_controlled_by(&self, uid: &str) -> bool {
        self.controller_owner()
            .is_some_and(|owner| owner.uid == uid)
    }

    /// Whether its deletion was asked for.
    #[must_use]
    pub const fn is_terminating(&self) -> bool {
        self.deletion_timestamp.is_some()
    }
}

/// An instant as the API writes it, in microseconds since the Unix epoch; RFC 3339 in text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(i64);

impl Time {
    /// The instant `micros` microseconds after the Unix epoch.
    #[must_use]
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// Microseconds since the Unix epoch.
    #[must_use]
    pub const fn as_micros(self) -> i64 {
        self.0
    }

    /// Reads RFC 3339 text such as `2026-01-31T08:00:00Z`, with a fraction and an offset if need be.
    ///
    /// Units: what is finer than a microsecond is cut off.
    /// Errors: text of another form, or a day that does not exist.
    pub fn parse(text: &str) -> Result<Self, ParseTimeError> {
        parse_rfc3339(text)
            .map(Self)
            .ok_or_else(|| ParseTimeError { text: text.into() })
    }
}

/// RFC 3339 in UTC, with six digits of fraction if there is one.
impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (days, micros) = (
            self.0.div_euclid(MICROS_PER_DAY),
            self.0.rem_euclid(MICROS_PER_DAY),
        );
        let (year, month, day) = civil_from_days(days);
        let (seconds, micros) = (micros / 1_000_000, micros % 1_000_000);
        let (hour, minute, second) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
        write!(
            f,
            "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}"
        )?;
        if micros > 0 {
            write!(f, ".{micros:06}")?;
        }
        f.write_str("Z")
    }
}

impl Wire for Time {
    fn read(&mut self, from: Typed<'_, '_, '_>) -> Read {
        let text = from.text("a time such as 2026-01-31T08:00:00Z")?;
        *self = Self::parse(text).map_err(|error| from.problem(error.to_string()))?;
        Ok(())
    }

    /// The epoch is an instant like any other.
    fn is_absent(&self) -> bool {
        false
    }

    fn write(&self) -> serde_json::Value {
        self.to_string().into()
    }
}

through_json!(Time);

/// Text that is not a time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a time; expected RFC 3339 such as 2026-01-31T08:00:00Z")]
pub struct ParseTimeError {
    /// What was found.
    pub text: String,
}

fn parse_rfc3339(text: &str) -> Option<i64> {
    let (date, rest) = text.split_at_checked(10)?;
    let rest = rest.strip_prefix(['T', 't', ' '])?;
    let (clock, rest) = rest.split_at_checked(8)?;
    let [year, month, day] = numbers(date, '-', [4, 2, 2])?;
    let [hour, minute, second] = numbers(clock, ':', [2, 2, 2])?;
    let is_day = (1..=12).contains(&month) && (1..=days_in_month(year, month)).contains(&day);
    let is_clock = hour < 24 && minute < 60 && second <= 60;
    if !is_day || !is_clock {
        return None;
    }
    let (micros, rest) = match rest.strip_prefix('.') {
        Some(rest) => parse_fraction(rest)?,
        None => (0, rest),
    };
    let offset = match rest {
        "Z" | "z" => 0,
        _ => {
            let (sign, rest) = match rest.strip_prefix('-') {
                Some(rest) => (-1, rest),
                None => (1, rest.strip_prefix('+')?),
            };
            let [hours, minutes] = numbers(rest, ':', [2, 2])?;
            sign * (hours * 3_600 + minutes * 60)
        }
    };
    let seconds =
        days_from_civil(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second - offset;
    Some(seconds * 1_000_000 + micros)
}

/// Numbers of exactly the given widths, parted by `separator`.
fn numbers<const N: usize>(text: &str, separator: char, widths: [usize; N]) -> Option<[i64; N]> {
    let mut parts = text.split(separator);
    let mut found = [0; N];
    for (slot, width) in found.iter_mut().zip(widths) {
        let part = parts.next()?;
        if part.len() != width || !part.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        *slot = part.parse().ok()?;
    }
    parts.next().is_none().then_some(found)
}

/// The digits after a dot as microseconds, and what follows them.
fn parse_fraction(text: &str) -> Option<(i64, &str)> {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let (digits, rest) = text.split_at_checked(end)?;
    if digits.is_empty() {
        return None;
    }
    let mut scale = 1_000_000;
    let mut micros = 0;
    for digit in digits.bytes() {
        scale /= 10;
        micros += scale * i64::from(digit - b'0');
    }
    Some((micros, rest))
}

const fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

const fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days since 1970-01-01 of a day in the Gregorian calendar. Years start in March here, so that a leap day comes last.
const fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * DAYS_PER_ERA + day_of_era - DAYS_BEFORE_EPOCH
}

/// The inverse of [`days_from_civil`].
const fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + DAYS_BEFORE_EPOCH;
    let era = days.div_euclid(DAYS_PER_ERA);
    let day_of_era = days.rem_euclid(DAYS_PER_ERA);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 {
        shifted_month + 3
    } else {
        shifted_month - 9
    };
    let year = year_of_era + era * 400;
    (if month <= 2 { year + 1 } else { year }, month, day)
}

const MICROS_PER_DAY: i64 = 86_400_000_000;
const DAYS_PER_ERA: i64 = 146_097;
/// From 0000-03-01 to 1970-01-01.
const DAYS_BEFORE_EPOCH: i64 = 719_468;

#[cfg(test)]
mod tests;
