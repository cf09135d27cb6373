//! What a length on the canvas is: whole tenths of a pixel, so that every host lays out alike.

use core::fmt;
use core::ops::{Add, AddAssign, Neg, Sub, SubAssign};

use serde::{Deserialize, Serialize};

/// A length or coordinate in tenths of a pixel. Arithmetic saturates.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Px(pub i32);

impl Px {
    /// No length.
    pub const ZERO: Self = Self(0);

    /// `pixels` whole pixels.
    #[must_use]
    pub const fn whole(pixels: i32) -> Self {
        Self(pixels.saturating_mul(10))
    }

    /// `count` whole pixels; more than fit become the longest length.
    #[must_use]
    pub fn count(count: usize) -> Self {
        Self::whole(i32::try_from(count).unwrap_or(i32::MAX))
    }

    /// This length `factor` times.
    #[must_use]
    pub const fn times(self, factor: i32) -> Self {
        Self(self.0.saturating_mul(factor))
    }

    /// This length once for each of `count`.
    #[must_use]
    pub fn each(self, count: usize) -> Self {
        self.times(i32::try_from(count).unwrap_or(i32::MAX))
    }

    /// This length cut into `parts` equal parts; of no parts it is the whole.
    #[must_use]
    pub const fn over(self, parts: i32) -> Self {
        if parts == 0 {
            self
        } else {
            Self(self.0 / parts)
        }
    }

    /// `part / whole` of this length; nothing of no whole.
    #[must_use]
    pub fn share(self, part: i64, whole: i64) -> Self {
        if whole == 0 {
            return Self::ZERO;
        }
        let length = i128::from(self.0) * i128::from(part) / i128::from(whole);
        Self(i32::try_from(length).unwrap_or(if length < 0 { i32::MIN } else { i32::MAX }))
    }

    /// Half of this length.
    #[must_use]
    pub const fn half(self) -> Self {
        self.over(2)
    }

    /// Whole pixels, cut towards zero.
    #[must_use]
    pub const fn pixels(self) -> i32 {
        self.0 / 10
    }

    /// How often `step` fits into this length.
    #[must_use]
    pub fn fits(self, step: Self) -> usize {
        if step.0 <= 0 || self.0 <= 0 {
            return 0;
        }
        usize::try_from(self.0 / step.0).unwrap_or(0)
    }
}

impl Add for Px {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Px {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Px {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl SubAssign for Px {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Neg for Px {
    type Output = Self;
    fn neg(self) -> Self {
        Self(self.0.saturating_neg())
    }
}

impl core::iter::Sum for Px {
    fn sum<I: Iterator<Item = Self>>(lengths: I) -> Self {
        lengths.fold(Self::ZERO, Add::add)
    }
}

/// Pixels with at most one digit after the point, as SVG and CSS write them.
impl fmt::Display for Px {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tenths = self.0.unsigned_abs();
        if self.0 < 0 {
            f.write_str("-")?;
        }
        write!(f, "{}", tenths / 10)?;
        match tenths % 10 {
            0 => Ok(()),
            rest => write!(f, ".{rest}"),
        }
    }
}

/// Whole pixels, for layout code that counts in them.
#[must_use]
pub const fn px(pixels: i32) -> Px {
    Px::whole(pixels)
}

/// A place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Point {
    /// From the left.
    pub x: Px,
    /// From the top.
    pub y: Px,
}

impl Point {
    /// A place.
    #[must_use]
    pub const fn new(x: Px, y: Px) -> Self {
        Self { x, y }
    }
}

/// Width and height.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Size {
    /// Width.
    pub w: Px,
    /// Height.
    pub h: Px,
}

/// An upright rectangle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Rect {
    /// The left edge.
    pub x: Px,
    /// The upper edge.
    pub y: Px,
    /// Width.
    pub w: Px,
    /// Height.
    pub h: Px,
}

impl Rect {
    /// A rectangle by its upper left corner.
    #[must_use]
    pub const fn new(x: Px, y: Px, w: Px, h: Px) -> Self {
        Self { x, y, w, h }
    }

    /// A rectangle around a point.
    #[must_use]
    pub fn around(center: Point, w: Px, h: Px) -> Self {
        Self::new(center.x - w.half(), center.y - h.half(), w, h)
    }

    /// The right edge.
    #[must_use]
    pub fn right(&self) -> Px {
        self.x + self.w
    }

    /// The lower edge.
    #[must_use]
    pub fn bottom(&self) -> Px {
        self.y + self.h
    }

    /// The middle.
    #[must_use]
    pub fn center(&self) -> Point {
        Point::new(self.x + self.w.half(), self.y + self.h.half())
    }

    /// The same rectangle with `margin` more on every side.
    #[must_use]
    pub fn grown(&self, margin: Px) -> Self {
        Self::new(
            self.x - margin,
            self.y - margin,
            self.w + margin.times(2),
            self.h + margin.times(2),
        )
    }

    /// Whether the two have more than an edge in common.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        self.x < other.right()
            && other.x < self.right()
            && self.y < other.bottom()
            && other.y < self.bottom()
    }

    /// The smallest rectangle around both.
    #[must_use]
    pub fn joined(&self, other: &Self) -> Self {
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        let (right, bottom) = (
            self.right().max(other.right()),
            self.bottom().max(other.bottom()),
        );
        Self::new(x, y, right - x, bottom - y)
    }

    /// The same rectangle elsewhere.
    #[must_use]
    pub fn moved(&self, x: Px, y: Px) -> Self {
        Self::new(self.x + x, self.y + y, self.w, self.h)
    }
}
