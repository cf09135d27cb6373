//! Which place of the canvas a part takes, from its marks alone.

use berth_core::picture::measure;
use berth_core::picture::px::{Point, Px, Rect, px};
use berth_core::picture::scene::{Anchor, Mark, Part, Role, Segment, Shape, TextStyle};

/// The smallest rectangle around all marks of a part; `None` if it has none.
#[must_use]
pub fn bounds(part: &Part) -> Option<Rect> {
    let all = part.marks.iter().filter_map(mark_bounds);
    all.reduce(|one, two| one.joined(&two))
}

/// Where a part can be pointed at: its bounds, at least 24 px wide and high.
#[must_use]
pub fn target(part: &Part) -> Option<Rect> {
    let bounds = bounds(part)?;
    let (w, h) = (bounds.w.max(SMALLEST), bounds.h.max(SMALLEST));
    Some(Rect::around(bounds.center(), w, h))
}

/// Whether a part is pointed at as a whole, not only where its marks are.
#[must_use]
pub fn is_area(part: &Part) -> bool {
    part.action.is_some() && !matches!(part.role, Role::Thread | Role::Rope)
}

fn mark_bounds(mark: &Mark) -> Option<Rect> {
    match &mark.shape {
        Shape::Rect { at, .. } => Some(*at),
        Shape::Circle { at, radius } | Shape::Ring { at, radius, .. } => Some(around(*at, *radius)),
        Shape::Hand { at, to, .. } => Some(around(*at, *to)),
        Shape::Path { segments } => path_bounds(segments),
        Shape::Text { at, text, style } => Some(text_bounds(*at, text, style)),
        Shape::Cells {
            at,
            pitch,
            rows,
            steps,
            ..
        } => {
            let rows = (*rows).max(1);
            let columns = steps.len().div_ceil(rows);
            Some(Rect::new(at.x, at.y, pitch.each(columns), pitch.each(rows)))
        }
    }
}

fn around(at: Point, radius: Px) -> Rect {
    Rect::around(at, radius.times(2), radius.times(2))
}

fn path_bounds(segments: &[Segment]) -> Option<Rect> {
    let mut points = Vec::new();
    for segment in segments {
        match segment {
            Segment::Move(to) | Segment::Line(to) => points.push(*to),
            Segment::Curve(one, two, to) => points.extend([*one, *two, *to]),
            Segment::Close => {}
        }
    }
    let boxes = points.into_iter();
    boxes
        .map(|at| Rect::new(at.x, at.y, Px::ZERO, Px::ZERO))
        .reduce(|one, two| one.joined(&two))
}

/// A text's place; of a turned one a square that holds it.
fn text_bounds(at: Point, text: &str, style: &TextStyle) -> Rect {
    let w = measure::width(text, style);
    let size = px(i32::from(style.size));
    let left = match style.anchor {
        Anchor::Start => at.x,
        Anchor::Middle => at.x - w.half(),
        Anchor::End => at.x - w,
    };
    if style.turn == 0 {
        return Rect::new(left, at.y - size.share(8, 10), w, size);
    }
    let end = |length: f64| Px((f64::from(w.0) * length) as i32);
    let turn = i32::from(style.turn);
    let tip = Point::new(at.x + end(sine(turn + 90)), at.y + end(sine(turn)));
    let start = Rect::around(at, size, size);
    start.joined(&Rect::around(tip, size, size))
}

/// The sine of an angle in degrees to two thousandths, which is less than half a pixel of the longest text: Bhaskara's formula,
/// for the sake of the page's size.
fn sine(degrees: i32) -> f64 {
    let turned = degrees.rem_euclid(360);
    let (half, sign) = if turned < 180 {
        (turned, 1.0)
    } else {
        (turned - 180, -1.0)
    };
    let product = f64::from(half * (180 - half));
    sign * 4.0 * product / (40_500.0 - product)
}

const SMALLEST: Px = px(24);

#[cfg(test)]
mod tests {
    use super::{bounds, sine, target};
    use berth_core::picture::px::{Point, Rect, px};
    use berth_core::picture::scene::{Mark, Part, Role, Shape};

    fn part(shapes: Vec<Shape>) -> Part {
        let marks = shapes.into_iter().map(|shape| Mark {
            shape,
            fill: None,
            stroke: None,
            opacity: 100,
        });
        Part {
            id: "x".to_owned(),
            role: Role::Note,
            links: Vec::new(),
            label: String::new(),
            action: None,
            trace: None,
            step: 0,
            marks: marks.collect(),
        }
    }

    #[test]
    fn a_part_takes_the_place_of_all_its_marks() {
        let circle = Shape::Circle {
            at: Point::new(px(10), px(10)),
            radius: px(4),
        };
        let rect = Shape::Rect {
            at: Rect::new(px(20), px(0), px(10), px(30)),
            radius: px(0),
        };
        let expected = Rect::new(px(6), px(0), px(24), px(30));
        assert_eq!(bounds(&part(vec![circle, rect])), Some(expected));
        assert_eq!(bounds(&part(Vec::new())), None);
    }

    #[test]
    fn a_small_mark_can_be_hit_by_a_finger() {
        let dot = Shape::Circle {
            at: Point::new(px(50), px(50)),
            radius: px(2),
        };
        let expected = Rect::new(px(38), px(38), px(24), px(24));
        assert_eq!(target(&part(vec![dot])), Some(expected));
    }

    #[test]
    fn a_sine_is_right_to_two_thousandths() {
        for degrees in -360..=360 {
            let exact = f64::from(degrees).to_radians().sin();
            assert!((sine(degrees) - exact).abs() < 0.002, "{degrees}");
        }
    }
}
