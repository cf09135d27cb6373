//! Short ways to make parts and marks.

use alloc::string::String;
use alloc::vec::Vec;

use crate::picture::measure;
use crate::picture::palette::Token;
use crate::picture::px::{Point, Px, Rect, px};
use crate::picture::scene::{
    Action, Anchor, Mark, Panel, Part, Role, Segment, Shape, Stroke, TextStyle,
};

impl Part {
    /// A part without marks.
    #[must_use]
    pub fn new(id: impl Into<String>, role: Role) -> Self {
        Self {
            id: id.into(),
            role,
            links: Vec::new(),
            label: String::new(),
            action: None,
            trace: None,
            step: 0,
            marks: Vec::new(),
        }
    }

    /// The same, belonging with something.
    #[must_use]
    pub fn link(mut self, link: impl Into<String>) -> Self {
        self.links.push(link.into());
        self
    }

    /// The same, read out so.
    #[must_use]
    pub fn labelled(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// The same, doing something when chosen.
    #[must_use]
    pub fn does(mut self, action: Action) -> Self {
        self.action = Some(action);
        self
    }

    /// The same, coming from a moment's record.
    #[must_use]
    pub const fn traced(mut self, moment: usize) -> Self {
        self.trace = Some(moment);
        self
    }

    /// The same, with its place among things that appear one after another.
    #[must_use]
    pub fn stepped(mut self, step: usize) -> Self {
        self.step = u8::try_from(step).unwrap_or(u8::MAX);
        self
    }

    /// The same with one more mark.
    #[must_use]
    pub fn with(mut self, mark: Mark) -> Self {
        self.marks.push(mark);
        self
    }

    /// Adds a mark.
    pub fn add(&mut self, mark: Mark) -> &mut Self {
        self.marks.push(mark);
        self
    }
}

impl Mark {
    const fn of(shape: Shape) -> Self {
        Self {
            shape,
            fill: None,
            stroke: None,
            opacity: 100,
        }
    }

    /// A rectangle with rounded corners.
    #[must_use]
    pub const fn rect(at: Rect, radius: Px) -> Self {
        Self::of(Shape::Rect { at, radius })
    }

    /// A circle.
    #[must_use]
    pub const fn circle(at: Point, radius: Px) -> Self {
        Self::of(Shape::Circle { at, radius })
    }

    /// A part of a circle's line.
    #[must_use]
    pub const fn ring(at: Point, radius: Px, share: u16) -> Self {
        Self::of(Shape::Ring { at, radius, share })
    }

    /// A path.
    #[must_use]
    pub const fn path(segments: Vec<Segment>) -> Self {
        Self::of(Shape::Path { segments })
    }

    /// A straight line.
    #[must_use]
    pub fn line(from: Point, to: Point) -> Self {
        Self::path(alloc::vec![Segment::Move(from), Segment::Line(to)])
    }

    /// Text in ink.
    #[must_use]
    pub fn text(at: Point, text: impl Into<String>, style: TextStyle) -> Self {
        Self::of(Shape::Text {
            at,
            text: text.into(),
            style,
        })
        .filled(Token::Ink)
    }

    /// The same, filled.
    #[must_use]
    pub const fn filled(mut self, token: Token) -> Self {
        self.fill = Some(token);
        self
    }

    /// The same with an edge.
    #[must_use]
    pub const fn edged(mut self, token: Token, width: Px) -> Self {
        self.stroke = Some(Stroke {
            token,
            width,
            dash: None,
            is_round: false,
        });
        self
    }

    /// The same with a dashed edge.
    #[must_use]
    pub const fn dashed(mut self, dash: i32, gap: i32) -> Self {
        if let Some(stroke) = &mut self.stroke {
            stroke.dash = Some((px(dash), px(gap)));
        }
        self
    }

    /// The same with round line ends.
    #[must_use]
    pub const fn round(mut self) -> Self {
        if let Some(stroke) = &mut self.stroke {
            stroke.is_round = true;
        }
        self
    }

    /// The same, faded.
    #[must_use]
    pub const fn faded(mut self, opacity: u8) -> Self {
        self.opacity = opacity;
        self
    }

    /// Rectangles that cover the mark more closely than [`Self::bounds`]: a turned text is a row of small ones.
    #[must_use]
    pub fn boxes(&self) -> Vec<Rect> {
        match &self.shape {
            Shape::Text { at, text, style } if style.turn != 0 => turned_boxes(*at, text, style),
            _ => alloc::vec![self.bounds()],
        }
    }

    /// The upright rectangle around the mark, strokes left out.
    #[must_use]
    pub fn bounds(&self) -> Rect {
        match &self.shape {
            Shape::Rect { at, .. } => *at,
            Shape::Circle { at, radius } | Shape::Ring { at, radius, .. } => {
                Rect::around(*at, radius.times(2), radius.times(2))
            }
            Shape::Hand { at, to, .. } => Rect::around(*at, to.times(2), to.times(2)),
            Shape::Path { segments } => path_bounds(segments),
            Shape::Text { at, text, style } => text_bounds(*at, text, style),
            Shape::Cells {
                at,
                pitch,
                rows,
                steps,
                ..
            } => {
                let columns = steps.len().div_ceil((*rows).max(1));
                Rect::new(at.x, at.y, pitch.each(columns), pitch.each(*rows))
            }
        }
    }
}

/// Text in a colour.
#[must_use]
pub fn words(x: Px, y: Px, text: impl Into<String>, style: TextStyle, token: Token) -> Mark {
    Mark::text(Point::new(x, y), text, style).filled(token)
}

/// A level line.
#[must_use]
pub fn level(x: Px, to: Px, y: Px) -> Mark {
    Mark::line(Point::new(x, y), Point::new(to, y))
}

/// An upright line.
#[must_use]
pub fn upright(x: Px, y: Px, to: Px) -> Mark {
    Mark::line(Point::new(x, y), Point::new(x, to))
}

/// The head of an arrow that points right, with its tip at a point.
#[must_use]
pub fn arrow_head(tip: Point, token: Token) -> Mark {
    let back = |y: Px| Point::new(tip.x - px(6), tip.y + y);
    Mark::path(alloc::vec![
        Segment::Move(back(-px(4))),
        Segment::Line(tip),
        Segment::Line(back(px(4))),
    ])
    .edged(token, Px(15))
}

/// A square with a cross: rejected.
#[must_use]
pub fn cross(center: Point, side: Px, fill: Token, line: Token) -> [Mark; 2] {
    let arm = side.share(3, 16);
    [
        Mark::rect(Rect::around(center, side, side), px(3)).filled(fill),
        cross_lines(center, arm, line),
    ]
}

/// A cross alone.
#[must_use]
pub fn cross_lines(center: Point, arm: Px, token: Token) -> Mark {
    let at = |x: Px, y: Px| Point::new(center.x + x, center.y + y);
    Mark::path(alloc::vec![
        Segment::Move(at(-arm, -arm)),
        Segment::Line(at(arm, arm)),
        Segment::Move(at(arm, -arm)),
        Segment::Line(at(-arm, arm)),
    ])
    .edged(token, if arm.0 < 25 { Px(14) } else { px(2) })
    .round()
}

/// The head of a column with its rule.
#[must_use]
pub fn heading(id: &str, text: String, x: Px, to: Px) -> Part {
    let style = TextStyle::serif(17).bold();
    let shown = fitted(x, px(22), &text, style, to - x, Token::Ink);
    Part::new(["head/", id].concat(), Role::Heading)
        .labelled(text)
        .with(shown)
        .with(level(x, to, px(32)).edged(Token::Line, px(1)))
}

/// Text that is as wide as there is room; shortened in the middle if need be.
#[must_use]
pub fn fitted(x: Px, y: Px, text: &str, style: TextStyle, most: Px, token: Token) -> Mark {
    words(x, y, measure::shortened(text, &style, most), style, token)
}

/// Where the last mark of some parts ends.
#[must_use]
pub fn bottom_of(parts: &[Part]) -> Px {
    let marks = parts.iter().flat_map(|part| &part.marks);
    let ends = marks.map(|mark| mark.bounds().bottom());
    ends.max().unwrap_or(Px::ZERO)
}

/// Space that is taken, so that optional texts find out whether they fit.
#[derive(Clone, Debug, Default)]
pub struct Space {
    taken: Vec<Rect>,
}

impl Space {
    /// Takes the space of a rectangle.
    pub fn take(&mut self, rect: Rect) {
        self.taken.push(rect);
    }

    /// Takes the space of the texts of a part.
    pub fn take_texts(&mut self, part: &Part) {
        for mark in &part.marks {
            if matches!(mark.shape, Shape::Text { .. }) {
                self.taken.extend(mark.boxes());
            }
        }
    }

    /// Whether nothing is where a mark would be.
    #[must_use]
    pub fn is_free_for(&self, mark: &Mark) -> bool {
        mark.boxes().iter().all(|rect| self.is_free(rect))
    }

    /// Whether nothing is there.
    #[must_use]
    pub fn is_free(&self, rect: &Rect) -> bool {
        !self.taken.iter().any(|taken| taken.overlaps(rect))
    }

    /// Takes the space of a mark if nothing is there.
    pub fn claim(&mut self, mark: &Mark) -> bool {
        let rect = mark.bounds();
        let is_free = self.is_free(&rect);
        if is_free {
            self.take(rect);
        }
        is_free
    }

    /// What is taken.
    #[must_use]
    pub fn taken(&self) -> &[Rect] {
        &self.taken
    }
}

impl Panel {
    /// A panel with nothing in it.
    #[must_use]
    pub const fn at(frame: Rect) -> Self {
        Self {
            frame,
            parts: Vec::new(),
        }
    }
}

fn path_bounds(segments: &[Segment]) -> Rect {
    let mut points = segments.iter().flat_map(|segment| match segment {
        Segment::Move(one) | Segment::Line(one) => alloc::vec![*one],
        Segment::Curve(one, two, three) => alloc::vec![*one, *two, *three],
        Segment::Close => Vec::new(),
    });
    let Some(first) = points.next() else {
        return Rect::default();
    };
    let start = Rect::new(first.x, first.y, Px::ZERO, Px::ZERO);
    points.fold(start, |rect, point| {
        rect.joined(&Rect::new(point.x, point.y, Px::ZERO, Px::ZERO))
    })
}

fn text_bounds(at: Point, text: &str, style: &TextStyle) -> Rect {
    let width = measure::width(text, style);
    let size = px(i32::from(style.size));
    let (ascent, height) = (size.share(78, 100), size);
    let left = match style.anchor {
        Anchor::Start => Px::ZERO,
        Anchor::Middle => -width.half(),
        Anchor::End => -width,
    };
    if style.turn == 0 {
        return Rect::new(at.x + left, at.y - ascent, width, height);
    }
    let (sine, cosine) = sine_cosine(style.turn);
    let corner = |x: Px, y: Px| {
        Point::new(
            at.x + x.share(cosine, 1000) - y.share(sine, 1000),
            at.y + x.share(sine, 1000) + y.share(cosine, 1000),
        )
    };
    let corners = [
        corner(left, -ascent),
        corner(left + width, -ascent),
        corner(left, height - ascent),
        corner(left + width, height - ascent),
    ];
    let [first, rest @ ..] = corners;
    let start = Rect::new(first.x, first.y, Px::ZERO, Px::ZERO);
    rest.iter().fold(start, |rect, point| {
        rect.joined(&Rect::new(point.x, point.y, Px::ZERO, Px::ZERO))
    })
}

/// A turned text in stretches of a few pixels.
fn turned_boxes(at: Point, text: &str, style: &TextStyle) -> Vec<Rect> {
    let width = measure::width(text, style);
    let size = px(i32::from(style.size));
    let left = match style.anchor {
        Anchor::Start => Px::ZERO,
        Anchor::Middle => -width.half(),
        Anchor::End => -width,
    };
    let (sine, cosine) = sine_cosine(style.turn);
    let steps = i32::try_from(width.fits(px(6))).unwrap_or(0) + 1;
    (0..steps)
        .map(|step| {
            let along = left + px(6).times(step) + px(3);
            let above = -size.share(30, 100);
            let center = Point::new(
                at.x + along.share(cosine, 1000) - above.share(sine, 1000),
                at.y + along.share(sine, 1000) + above.share(cosine, 1000),
            );
            Rect::around(center, px(9), px(9))
        })
        .collect()
}

/// Sine and cosine in thousandths of the few angles at which texts are turned.
const fn sine_cosine(degrees: i16) -> (i64, i64) {
    match degrees {
        -90 => (-1000, 0),
        90 => (1000, 0),
        -76 => (-970, 242),
        -53 | -52 => (-799, 602),
        -48 => (-743, 669),
        _ => (0, 1000),
    }
}
