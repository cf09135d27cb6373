//! Where to begin on the first screen: a ring around a mark that answers the question, and words beside it where there is
//! room. It is quieter than the button beside the question, so that one thing alone asks to be pressed.

use crate::picture::measure;
use crate::picture::palette::Token;
use crate::picture::px::{Point, Px, Rect, px};
use crate::picture::scene::{Action, Form, Mark, Part, Role, TextStyle, View};
use crate::picture::sentences::{Key, gate_link};

use super::brush::{level, words};
use super::rows::Rows;
use super::stage::Stage;

/// The ring, at the row it is best seen at. `x_of` says where a gate stands.
pub(in crate::picture) fn start_here(
    stage: &Stage<'_>,
    rows: &Rows,
    x_of: impl Fn(usize) -> Option<Px>,
) -> Option<Part> {
    if stage.shot.view != View::Open || stage.finds {
        return None;
    }
    let (gate, info) = stage.sift.cuts().last()?;
    let cut = stage.sift.rows.iter().enumerate();
    let mut cut = cut.filter(|(_, row)| row.verdict.gate() == Some(gate));
    let count = cut.clone().count();
    let (place, row) = cut.nth(count.min(3).saturating_sub(1))?;
    let center = Point::new(x_of(gate)?, rows.y(place));
    let says = stage.label(Key::StartHere);
    let mut part = Part::new("open/start", Role::Note)
        .link(gate_link(&info.name))
        .labelled(says.clone())
        .does(Action::OpenCell {
            node: row.node.name.as_ref().into(),
            plugin: info.name.clone(),
        })
        .with(Mark::rect(Rect::around(center, px(26), px(26)), px(8)).edged(Token::Ink, px(2)));
    if stage.form == Form::Phone {
        return Some(part);
    }
    let style = TextStyle::sans(12);
    let width = measure::width(&says, &style) + px(20);
    let room = stage.shot.width - stage.margin() - px(364) - center.x;
    let is_right = room >= width + px(44) || stage.form == Form::Wide;
    let (x, line) = if is_right {
        (center.x + px(26), (center.x + px(13), center.x + px(26)))
    } else {
        let x = center.x - px(26) - width;
        (x, (x + width, center.x - px(13)))
    };
    let at = Rect::new(x, center.y - px(13), width, px(26));
    part.add(level(line.0, line.1, center.y).edged(Token::Ink, px(1)));
    part.add(
        Mark::rect(at, px(6))
            .filled(Token::Sheet)
            .edged(Token::Ink, px(1)),
    );
    part.add(words(x + px(10), center.y + px(4), says, style, Token::Ink));
    Some(part)
}
