//! Where on a path something is: curves as short straight pieces with their lengths.

use berth_core::picture::px::Point;
use berth_core::picture::scene::Segment;

/// A path that can be walked along.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Walk {
    /// Points in pixels, each with the length of the way to it.
    points: Vec<(f64, f64, f64)>,
}

impl Walk {
    /// Cuts a path into pieces.
    #[must_use]
    pub fn along(segments: &[Segment]) -> Self {
        let mut walk = Self::default();
        for segment in segments {
            match segment {
                Segment::Move(to) | Segment::Line(to) => walk.go(pixels(*to)),
                Segment::Curve(one, two, to) => walk.bend(pixels(*one), pixels(*two), pixels(*to)),
                Segment::Close => {}
            }
        }
        walk
    }

    fn go(&mut self, (x, y): (f64, f64)) {
        let length = self
            .points
            .last()
            .map_or(0.0, |(px, py, length)| length + (x - px).hypot(y - py));
        self.points.push((x, y, length));
    }

    fn bend(&mut self, one: (f64, f64), two: (f64, f64), to: (f64, f64)) {
        let Some((x, y, _)) = self.points.last().copied() else {
            return self.go(to);
        };
        for piece in 1..=PIECES {
            let t = f64::from(piece) / f64::from(PIECES);
            let u = 1.0 - t;
            let mix = |a: f64, b: f64, c: f64, d: f64| {
                u * u * u * a + 3.0 * u * u * t * b + 3.0 * u * t * t * c + t * t * t * d
            };
            self.go((mix(x, one.0, two.0, to.0), mix(y, one.1, two.1, to.1)));
        }
    }

    /// How long the whole way is, in pixels.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.points.last().map_or(0.0, |(_, _, length)| *length)
    }

    /// The place after a share of the way, 0 to 1.
    #[must_use]
    pub fn at(&self, share: f64) -> (f64, f64) {
        let wanted = self.length() * share.clamp(0.0, 1.0);
        let after = self
            .points
            .partition_point(|(_, _, length)| *length < wanted);
        let end = self.points.get(after).or_else(|| self.points.last());
        let Some((x, y, length)) = end.copied() else {
            return (0.0, 0.0);
        };
        let Some((px, py, before)) = after
            .checked_sub(1)
            .and_then(|at| self.points.get(at).copied())
        else {
            return (x, y);
        };
        let piece = length - before;
        let part = if piece > 0.0 {
            (wanted - before) / piece
        } else {
            1.0
        };
        (px + (x - px) * part, py + (y - py) * part)
    }
}

fn pixels(at: Point) -> (f64, f64) {
    (f64::from(at.x.0) / 10.0, f64::from(at.y.0) / 10.0)
}

/// A thread's bend is smooth enough for the eye in this many pieces.
const PIECES: i32 = 24;

#[cfg(test)]
mod tests {
    use super::Walk;
    use berth_core::picture::px::{Point, px};
    use berth_core::picture::scene::Segment;

    fn at(x: i32, y: i32) -> Point {
        Point::new(px(x), px(y))
    }

    #[test]
    fn half_of_the_way_is_half_of_its_length() {
        let walk = Walk::along(&[
            Segment::Move(at(0, 0)),
            Segment::Line(at(30, 0)),
            Segment::Line(at(30, 10)),
        ]);
        assert_eq!(walk.length(), 40.0);
        assert_eq!(walk.at(0.5), (20.0, 0.0));
        assert_eq!(walk.at(1.0), (30.0, 10.0));
        assert_eq!(walk.at(0.0), (0.0, 0.0));
    }

    #[test]
    fn a_bend_ends_where_it_should() {
        let walk = Walk::along(&[
            Segment::Move(at(0, 0)),
            Segment::Curve(at(50, 0), at(50, 100), at(100, 100)),
        ]);
        assert_eq!(walk.at(1.0), (100.0, 100.0));
        let (x, y) = walk.at(0.5);
        assert!((x - 50.0).abs() < 0.5 && (y - 50.0).abs() < 0.5, "{x} {y}");
    }
}
