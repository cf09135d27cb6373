//! What is in the way of a text in a panel.
//!
//! Of a text counts what is between the height of small letters and the baseline: a line there is a line through it. A
//! line under something filled, on which the text lies, is not seen.

use berth_core::picture::palette::Token;
use berth_core::picture::px::{Point, Px, Rect, px};
use berth_core::picture::scene::{Mark, Panel, Segment, Shape};

/// A text with the space it takes.
struct Text<'a> {
    place: usize,
    part: &'a str,
    text: &'a str,
    /// All of it.
    whole: Vec<Rect>,
    /// Where a line would be seen.
    core: Vec<Rect>,
}

/// A mark that is no text, in the order of drawing.
struct Drawn<'a> {
    place: usize,
    part: &'a str,
    mark: &'a Mark,
    bounds: Rect,
    line: Vec<Point>,
}

/// Everything that is wrong in a panel.
pub(super) fn faults_in(panel: &Panel) -> Vec<String> {
    let (texts, marks) = sorted(panel);
    let mut faults = Vec::new();
    for (at, one) in texts.iter().enumerate() {
        faults.extend(cut_off(panel, one));
        for two in texts.iter().skip(at + 1) {
            let meets = |rect: &Rect| two.whole.iter().any(|other| rect.overlaps(other));
            if one.whole.iter().any(meets) {
                faults.push(format!(
                    "{:?} of {} meets {:?} of {}",
                    one.text, one.part, two.text, two.part
                ));
            }
        }
        for mark in &marks {
            if let Some(how) = in_the_way(one, mark, &marks) {
                faults.push(format!(
                    "{} {how} {:?} of {}",
                    mark.part, one.text, one.part
                ));
            }
        }
    }
    faults
}

fn sorted(panel: &Panel) -> (Vec<Text<'_>>, Vec<Drawn<'_>>) {
    let (mut texts, mut marks) = (Vec::new(), Vec::new());
    let all = panel.parts.iter();
    let all = all.flat_map(|part| part.marks.iter().map(move |mark| (part, mark)));
    for (place, (part, mark)) in all.enumerate() {
        let part = part.id.as_str();
        match &mark.shape {
            Shape::Text { at, text, style } => {
                // Two texts may touch.
                let whole = mark
                    .boxes()
                    .iter()
                    .map(|rect| rect.grown(Px(-12)))
                    .collect();
                let core = if style.turn == 0 {
                    let bounds = mark.bounds();
                    let high = px(i32::from(style.size)).share(48, 100);
                    vec![Rect::new(
                        bounds.x + Px(15),
                        at.y - high,
                        bounds.w - px(3),
                        high,
                    )]
                } else {
                    mark.boxes()
                        .iter()
                        .map(|rect| rect.grown(Px(-22)))
                        .collect()
                };
                texts.push(Text {
                    place,
                    part,
                    text,
                    whole,
                    core,
                });
            }
            _ => marks.push(Drawn {
                place,
                part,
                mark,
                bounds: mark.bounds(),
                line: outline(mark),
            }),
        }
    }
    (texts, marks)
}

fn cut_off(panel: &Panel, text: &Text<'_>) -> Option<String> {
    let frame = panel.frame;
    let is_out = |rect: &&Rect| {
        rect.x < Px(-5)
            || rect.right() > frame.w + Px(5)
            || rect.y < Px(-5)
            || rect.bottom() > frame.h + Px(5)
    };
    let rect = text.whole.iter().find(is_out)?;
    let at = format!("{},{} of {}x{}", rect.x, rect.y, frame.w, frame.h);
    Some(format!(
        "{:?} of {} is cut off at {at}",
        text.text, text.part
    ))
}

fn in_the_way(text: &Text<'_>, drawn: &Drawn<'_>, marks: &[Drawn<'_>]) -> Option<&'static str> {
    let core = |point: &Point| text.core.iter().any(|rect| holds(rect, *point));
    let is_near = text
        .core
        .iter()
        .any(|rect| drawn.bounds.grown(px(1)).overlaps(rect));
    if !is_near {
        return None;
    }
    if drawn.place > text.place
        && is_solid(drawn.mark)
        && text
            .core
            .iter()
            .any(|rect| covers(drawn.mark, rect.center()))
    {
        return Some("covers");
    }
    let is_seen = |point: &&Point| {
        core(point)
            && !marks.iter().any(|other| {
                other.place > drawn.place
                    && other.place < text.place
                    && is_solid(other.mark)
                    && covers(other.mark, **point)
            })
    };
    drawn.line.iter().find(is_seen).map(|_| "runs through")
}

fn holds(rect: &Rect, point: Point) -> bool {
    point.x > rect.x && point.x < rect.right() && point.y > rect.y && point.y < rect.bottom()
}

/// Whether nothing is seen through its filling.
fn is_solid(mark: &Mark) -> bool {
    mark.opacity > 60
        && mark
            .fill
            .is_some_and(|fill| !matches!(fill, Token::Hatch(_)))
}

fn covers(mark: &Mark, point: Point) -> bool {
    match &mark.shape {
        Shape::Rect { at, .. } => holds(at, point),
        Shape::Circle { at, radius } => {
            let (x, y) = (i64::from((point.x - at.x).0), i64::from((point.y - at.y).0));
            x * x + y * y < i64::from(radius.0) * i64::from(radius.0)
        }
        Shape::Path { .. } => holds(&mark.bounds(), point),
        _ => false,
    }
}

/// Points of a mark's line, close together; none for a mark without one.
fn outline(mark: &Mark) -> Vec<Point> {
    let Some(stroke) = mark.stroke else {
        return Vec::new();
    };
    if mark.opacity < 10 || matches!(stroke.token, Token::Paper | Token::Sheet) {
        return Vec::new();
    }
    match &mark.shape {
        Shape::Rect { at, .. } => {
            let corners = [
                Point::new(at.x, at.y),
                Point::new(at.right(), at.y),
                Point::new(at.right(), at.bottom()),
                Point::new(at.x, at.bottom()),
                Point::new(at.x, at.y),
            ];
            let sides = corners.windows(2);
            sides.flat_map(|pair| straight(pair[0], pair[1])).collect()
        }
        Shape::Circle { at, radius } | Shape::Ring { at, radius, .. } => (0..32)
            .map(|step| {
                let angle = f64::from(step) * core::f64::consts::TAU / 32.0;
                let far = f64::from(radius.0);
                let (x, y) = ((angle.cos() * far) as i32, (angle.sin() * far) as i32);
                Point::new(at.x + Px(x), at.y + Px(y))
            })
            .collect(),
        Shape::Path { segments } => path(segments),
        _ => Vec::new(),
    }
}

fn path(segments: &[Segment]) -> Vec<Point> {
    let (mut points, mut at, mut start) = (Vec::new(), Point::default(), Point::default());
    for segment in segments {
        match *segment {
            Segment::Move(to) => (at, start) = (to, to),
            Segment::Line(to) => {
                points.extend(straight(at, to));
                at = to;
            }
            Segment::Curve(one, two, to) => {
                points.extend(
                    (0..=48).map(|step| curved([at, one, two, to], f64::from(step) / 48.0)),
                );
                at = to;
            }
            Segment::Close => {
                points.extend(straight(at, start));
                at = start;
            }
        }
    }
    points
}

fn straight(from: Point, to: Point) -> Vec<Point> {
    let (x, y) = ((to.x - from.x).0, (to.y - from.y).0);
    let steps = (x.abs().max(y.abs()) / 20).max(1);
    let step = |at: i32| Point::new(from.x + Px(x * at / steps), from.y + Px(y * at / steps));
    (0..=steps).map(step).collect()
}

fn curved(points: [Point; 4], t: f64) -> Point {
    let u = 1.0 - t;
    let shares = [u * u * u, 3.0 * u * u * t, 3.0 * u * t * t, t * t * t];
    let along = |of: fn(&Point) -> Px| -> Px {
        let places = points.iter().zip(shares);
        Px(places
            .map(|(point, share)| f64::from(of(point).0) * share)
            .sum::<f64>() as i32)
    };
    Point::new(along(|point| point.x), along(|point| point.y))
}
