//! Which SVG element a mark is: its tag, its attributes, its text. Nothing here touches a document.

use core::fmt::Write as _;

use berth_core::picture::palette::Token;
use berth_core::picture::px::{Point, Px};
use berth_core::picture::scene::{Anchor, Family, Mark, Segment, Shape, Stroke, TextStyle, Weight};

use super::decimal::Decimal;

/// An element to be made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawn {
    /// Its tag.
    pub tag: &'static str,
    /// Its attributes.
    pub attributes: Vec<(&'static str, String)>,
    /// Its text, if it is one.
    pub text: Option<String>,
}

impl Drawn {
    fn of(tag: &'static str, attributes: Vec<(&'static str, String)>) -> Self {
        Self {
            tag,
            attributes,
            text: None,
        }
    }
}

/// The elements of a mark; most are one.
#[must_use]
pub fn drawn(mark: &Mark) -> Vec<Drawn> {
    let mut elements = shape(&mark.shape);
    let is_cells = matches!(mark.shape, Shape::Cells { .. });
    for element in &mut elements {
        if !is_cells {
            let fill = mark.fill.map_or_else(|| "none".to_owned(), paint);
            element.attributes.push(("fill", fill));
        }
        if let Some(stroke) = &mark.stroke {
            element.attributes.extend(stroke_attributes(stroke));
        }
        if mark.opacity < 100 {
            let opacity = Decimal(f64::from(mark.opacity) / 100.0);
            element.attributes.push(("opacity", opacity.to_string()));
        }
    }
    elements
}

/// A colour as an attribute says it.
#[must_use]
pub fn paint(token: Token) -> String {
    match token {
        Token::Hatch(_) => format!("url(#{})", token.name()),
        _ => format!("var(--{})", token.name()),
    }
}

fn stroke_attributes(stroke: &Stroke) -> Vec<(&'static str, String)> {
    let mut attributes = vec![
        ("stroke", paint(stroke.token)),
        ("stroke-width", stroke.width.to_string()),
    ];
    if let Some((dash, gap)) = stroke.dash {
        attributes.push(("stroke-dasharray", format!("{dash} {gap}")));
    }
    if stroke.is_round {
        attributes.push(("stroke-linecap", "round".to_owned()));
    }
    attributes
}

fn shape(shape: &Shape) -> Vec<Drawn> {
    let one = match shape {
        Shape::Rect { at, radius } => Drawn::of(
            "rect",
            vec![
                ("x", at.x.to_string()),
                ("y", at.y.to_string()),
                ("width", at.w.max(Px::ZERO).to_string()),
                ("height", at.h.max(Px::ZERO).to_string()),
                ("rx", radius.to_string()),
            ],
        ),
        Shape::Circle { at, radius } => Drawn::of(
            "circle",
            vec![
                ("cx", at.x.to_string()),
                ("cy", at.y.to_string()),
                ("r", radius.to_string()),
            ],
        ),
        // Round ends would make a point of it.
        Shape::Ring { share: 0, .. } => return Vec::new(),
        Shape::Ring { at, radius, share } => ring(*at, *radius, *share),
        Shape::Hand { at, from, to, turn } => hand(*at, *from, *to, *turn),
        Shape::Path { segments } => Drawn::of("path", vec![("d", path(segments))]),
        Shape::Text { at, text, style } => {
            let mut element = Drawn::of("text", text_attributes(*at, style));
            element.text = Some(text.clone());
            element
        }
        Shape::Cells {
            at,
            pitch,
            cell,
            rows,
            steps,
        } => return cells(*at, *pitch, (cell.w, cell.h), *rows, steps),
    };
    vec![one]
}

/// The path of segments, as SVG writes it.
#[must_use]
pub fn path(segments: &[Segment]) -> String {
    let mut text = String::new();
    for segment in segments {
        // Writing to a string cannot fail.
        let _ = match segment {
            Segment::Move(to) => write!(text, "M{} {}", to.x, to.y),
            Segment::Line(to) => write!(text, "L{} {}", to.x, to.y),
            Segment::Curve(one, two, to) => write!(
                text,
                "C{} {} {} {} {} {}",
                one.x, one.y, two.x, two.y, to.x, to.y
            ),
            Segment::Close => write!(text, "Z"),
        };
    }
    text
}

/// A circle's line from 12 o'clock on, clockwise: a dash of as many thousandths of it, so that no place on it is worked out.
fn ring(at: Point, radius: Px, share: u16) -> Drawn {
    let (x, y) = (at.x, at.y);
    Drawn::of(
        "circle",
        vec![
            ("cx", x.to_string()),
            ("cy", y.to_string()),
            ("r", radius.to_string()),
            ("pathLength", "1000".to_owned()),
            ("stroke-dasharray", format!("{share} 1000")),
            ("transform", format!("rotate(-90 {x} {y})")),
        ],
    )
}

/// A line that stands on 12 o'clock and is turned by as many thousandths of a turn.
fn hand(at: Point, from: Px, to: Px, turn: u16) -> Drawn {
    let (x, y) = (at.x, at.y);
    let degrees = Decimal(f64::from(turn) * 0.36);
    let line = format!("M{x} {}V{}", y - from, y - to);
    let turned = format!("rotate({degrees} {x} {y})");
    Drawn::of("path", vec![("d", line), ("transform", turned)])
}

fn text_attributes(at: Point, style: &TextStyle) -> Vec<(&'static str, String)> {
    let mut class = String::from(match style.family {
        Family::Serif => "serif",
        Family::Sans => "sans",
        Family::Mono => "mono",
    });
    if style.weight == Weight::Bold {
        class.push_str(" bold");
    }
    if style.is_underlined {
        class.push_str(" underlined");
    }
    let mut attributes = vec![
        ("x", at.x.to_string()),
        ("y", at.y.to_string()),
        ("class", class),
        ("font-size", style.size.to_string()),
    ];
    match style.anchor {
        Anchor::Start => {}
        Anchor::Middle => attributes.push(("text-anchor", "middle".to_owned())),
        Anchor::End => attributes.push(("text-anchor", "end".to_owned())),
    }
    if style.turn != 0 {
        let turn = format!("rotate({} {} {})", style.turn, at.x, at.y);
        attributes.push(("transform", turn));
    }
    attributes
}

/// Cells of one step are one path, so that thousands of them are six elements.
fn cells(at: Point, pitch: Px, (w, h): (Px, Px), rows: usize, steps: &[u8]) -> Vec<Drawn> {
    let mut paths: [String; 6] = Default::default();
    let rows = rows.max(1);
    for (place, step) in steps.iter().enumerate() {
        let x = at.x + pitch.each(place / rows);
        let y = at.y + pitch.each(place % rows);
        if let Some(path) = paths.get_mut(usize::from(*step)) {
            // Writing to a string cannot fail.
            let _ = write!(path, "M{x} {y}h{w}v{h}h-{w}z");
        }
    }
    let numbered = paths
        .into_iter()
        .zip(0_u8..)
        .filter(|(path, _)| !path.is_empty());
    numbered
        .map(|(path, step)| {
            Drawn::of(
                "path",
                vec![("d", path), ("fill", paint(Token::Fleet(step)))],
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{drawn, path};
    use berth_core::picture::palette::{Hatched, Token};
    use berth_core::picture::px::{Point, Rect, Size, px};
    use berth_core::picture::scene::{Mark, Segment, Shape};

    fn mark(shape: Shape, fill: Token) -> Mark {
        Mark {
            shape,
            fill: Some(fill),
            stroke: None,
            opacity: 100,
        }
    }

    fn attribute<'a>(mark: &'a super::Drawn, name: &str) -> &'a str {
        let mut found = mark.attributes.iter().filter(|(key, _)| *key == name);
        found.next().map_or("", |(_, value)| value.as_str())
    }

    #[test]
    fn colours_are_variables_and_hatching_is_a_pattern() {
        let shape = Shape::Rect {
            at: Rect::new(px(1), px(2), px(3), px(4)),
            radius: px(0),
        };
        let plain = drawn(&mark(shape.clone(), Token::Ink));
        assert_eq!(attribute(&plain[0], "fill"), "var(--ink)");
        let hatched = drawn(&mark(shape, Token::Hatch(Hatched::Bound)));
        assert_eq!(attribute(&hatched[0], "fill"), "url(#hatch-bound)");
    }

    #[test]
    fn a_path_is_written_as_svg_writes_it() {
        let at = |x, y| Point::new(px(x), px(y));
        let segments = [
            Segment::Move(at(0, 0)),
            Segment::Curve(at(1, 0), at(2, 3), at(4, 3)),
            Segment::Line(at(9, 3)),
            Segment::Close,
        ];
        assert_eq!(path(&segments), "M0 0C1 0 2 3 4 3L9 3Z");
    }

    #[test]
    fn a_ring_is_as_much_of_its_circle_as_it_shares() {
        let at = Point::new(px(10), px(10));
        let (radius, share) = (px(5), 250);
        let quarter = drawn(&mark(Shape::Ring { at, radius, share }, Token::Line));
        assert_eq!(attribute(&quarter[0], "pathLength"), "1000");
        assert_eq!(attribute(&quarter[0], "stroke-dasharray"), "250 1000");
    }

    #[test]
    fn a_hand_points_up_and_is_turned() {
        let at = Point::new(px(10), px(10));
        let (from, to, turn) = (px(1), px(5), 250);
        let hand = drawn(&mark(Shape::Hand { at, from, to, turn }, Token::Line));
        assert_eq!(attribute(&hand[0], "d"), "M10 9V5");
        assert_eq!(attribute(&hand[0], "transform"), "rotate(90 10 10)");
    }

    #[test]
    fn thousands_of_cells_are_one_element_a_step() {
        let shape = Shape::Cells {
            at: Point::default(),
            pitch: px(9),
            cell: Size { w: px(7), h: px(7) },
            rows: 18,
            steps: (0..5000_u32)
                .map(|place| u8::try_from(place % 6).unwrap_or(0))
                .collect(),
        };
        assert_eq!(drawn(&mark(shape, Token::Ink)).len(), 6);
    }
}
