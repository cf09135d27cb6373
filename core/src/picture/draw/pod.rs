//! A pod as a block: width by its request, corner by its owner, hue and code by its workload.

use alloc::vec::Vec;

use crate::picture::measure;
use crate::picture::palette::{Hue, Token};
use crate::picture::px::{Point, Px, Rect, px};
use crate::picture::scene::{Badge, Corner, Mark, Segment, TextStyle};

/// The block of a pod with its code, if there is room for it.
#[must_use]
pub fn block(badge: &Badge, at: Rect) -> Vec<Mark> {
    let mut marks = body(badge, at);
    if holds_code(badge, at) {
        marks.push(code(badge, at));
    }
    marks
}

/// Whether a block is wide enough for the code of its workload.
#[must_use]
pub fn holds_code(badge: &Badge, at: Rect) -> bool {
    at.w >= px(18).max(code_width(badge) + px(3))
}

fn code_width(badge: &Badge) -> Px {
    measure::width(&badge.code, &TextStyle::sans(12).bold())
}

/// The block without its code.
#[must_use]
pub fn body(badge: &Badge, at: Rect) -> Vec<Mark> {
    let (fill, edge) = colors(badge.hue);
    let mut marks = alloc::vec![shape(badge.corner, at).filled(fill).edged(edge, px(1))];
    // A second edge, where it keeps clear of the code.
    let is_clear = at.h >= px(16) && (at.w < px(18) || at.w >= code_width(badge) + px(9));
    if badge.is_doubled && at.w >= px(8) && is_clear {
        marks.push(
            Mark::rect(at.grown(-Px(25)), px(2))
                .edged(edge, Px(8))
                .faded(70),
        );
    }
    if badge.corner == Corner::Base {
        let y = at.bottom() - Px(5);
        let (from, to) = (at.x - Px(5), at.right() + Px(5));
        marks.push(Mark::line(Point::new(from, y), Point::new(to, y)).edged(edge, px(3)));
    }
    marks
}

/// The outline of a pod that is not there: reserved, or gone.
#[must_use]
pub fn outline(badge: &Badge, at: Rect, dash: (i32, i32)) -> Mark {
    let edge = colors(badge.hue).1;
    shape(badge.corner, at)
        .edged(edge, Px(15))
        .dashed(dash.0, dash.1)
}

/// The code of a workload in the middle of a block.
#[must_use]
pub fn code(badge: &Badge, at: Rect) -> Mark {
    let size = if at.h >= px(40) { 17 } else { 12 };
    let style = TextStyle::sans(size).bold().middle();
    let center = at.center();
    let down = px(i32::from(size)).share(36, 100);
    Mark::text(
        Point::new(center.x, center.y + down),
        badge.code.as_str(),
        style,
    )
}

/// A pod that asks for nothing: a wedge, 5 by 9.
#[must_use]
pub fn wedge(badge: &Badge, foot: Point) -> Mark {
    let (fill, edge) = colors(badge.hue);
    Mark::path(alloc::vec![
        Segment::Move(foot),
        Segment::Line(Point::new(foot.x, foot.y - px(9))),
        Segment::Line(Point::new(foot.x + px(5), foot.y)),
        Segment::Close,
    ])
    .filled(fill)
    .edged(edge, px(1))
}

/// The form of a block by its owner.
#[must_use]
pub fn shape(corner: Corner, at: Rect) -> Mark {
    match corner {
        Corner::Rounded => Mark::rect(at, px(3).min(at.w.half())),
        Corner::Base => Mark::rect(at, px(1)),
        Corner::Pill => Mark::rect(at, at.h.min(at.w).half()),
        Corner::Cut => {
            let cut = px(6).min(at.w.over(4)).min(at.h.half());
            Mark::path(alloc::vec![
                Segment::Move(Point::new(at.x, at.y)),
                Segment::Line(Point::new(at.right() - cut, at.y)),
                Segment::Line(Point::new(at.right(), at.y + cut)),
                Segment::Line(Point::new(at.right(), at.bottom())),
                Segment::Line(Point::new(at.x, at.bottom())),
                Segment::Close,
            ])
        }
    }
}

/// Fill and edge of a hue.
#[must_use]
pub const fn colors(hue: Hue) -> (Token, Token) {
    (Token::Fill(hue), Token::Edge(hue))
}

/// The width of a chip in a text of labels.
#[must_use]
pub fn chip_width(badge: &Badge) -> Px {
    let text = measure::width(&badge.code, &TextStyle::sans(12).bold());
    (text + px(11)).max(px(27))
}

/// Blocks of alike pods, one behind the other; the last one shows the code. Returns where it ends.
#[must_use]
pub fn stack(badge: &Badge, count: usize, at: Point, h: Px) -> (Vec<Mark>, Px) {
    let shown = count.clamp(1, MOST_IN_STACK);
    let pitch = if count > MOST_IN_STACK { px(7) } else { px(9) };
    let mut marks = Vec::new();
    let mut x = at.x;
    for _ in 1..shown {
        marks.extend(body(badge, Rect::new(x, at.y, px(9), h)));
        x += pitch;
    }
    let last = Rect::new(x, at.y, px(26), h);
    marks.extend(block(badge, last));
    (marks, last.right())
}

/// More alike pods than this are not drawn one by one; their number says it.
const MOST_IN_STACK: usize = 12;
