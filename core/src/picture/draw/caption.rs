//! Sets sentences in lines: the narrator, the soft line above, a quoted message.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::picture::measure;
use crate::picture::palette::Token;
use crate::picture::px::{Point, Px, Rect, px};
use crate::picture::scene::{
    Badge, Family, Lang, Mark, Part, Piece, Role, Sentence, Shape, TextStyle, Underline,
};

use super::brush::level;
use super::pod::{body, code};

/// How a sentence is set.
#[derive(Clone, Copy, Debug)]
pub(in crate::picture) struct Setting {
    /// The style of plain words.
    pub(in crate::picture) style: TextStyle,
    /// From one baseline to the next.
    pub(in crate::picture) leading: Px,
    /// The colour of words.
    pub(in crate::picture) token: Token,
    /// How wide lines may be.
    pub(in crate::picture) width: Px,
}

impl Setting {
    /// The narrator at a size.
    #[must_use]
    pub(in crate::picture) fn narrator(lang: Lang, size: u8, width: Px) -> Self {
        let leading = match lang {
            Lang::En => 136,
            Lang::Zh => 150,
        };
        Self {
            style: TextStyle::serif(size),
            leading: px(i32::from(size)).share(leading, 100),
            token: Token::Ink,
            width,
        }
    }

    /// A soft line.
    #[must_use]
    pub(in crate::picture) fn soft(size: u8, width: Px) -> Self {
        Self {
            style: TextStyle::serif(size),
            leading: px(i32::from(size)).share(136, 100),
            token: Token::Soft,
            width,
        }
    }
}

/// What a line is made of.
enum Word {
    Text(String, TextStyle, Option<(Underline, String)>),
    Chip(Badge),
}

/// Sets a sentence; returns its part and how many lines it has.
pub(in crate::picture) fn set(
    id: &str,
    sentence: &Sentence,
    at: Point,
    setting: Setting,
) -> (Part, usize) {
    let words = words_of(sentence, setting);
    let mut part =
        Part::new(id, Role::Note).labelled(super::super::sentences::plain(&sentence.pieces));
    let mut pen = Point::new(at.x, at.y);
    let mut lines = 1;
    let mut place = 0;
    while place < words.len() {
        let run = unbroken(&words, place);
        let width: Px = run.iter().map(|word| width_of(word, setting, false)).sum();
        let visible: Px = trimmed_width(run, setting);
        if pen.x > at.x && pen.x + visible > at.x + setting.width {
            pen = Point::new(at.x, pen.y + setting.leading);
            lines += 1;
        }
        for word in run {
            draw(word, pen, setting, &mut part);
            pen.x += width_of(word, setting, false);
        }
        let _ = width;
        place += run.len();
    }
    (joined(part), lines)
}

/// How many lines a sentence takes.
#[must_use]
pub(in crate::picture) fn line_count(sentence: &Sentence, setting: Setting) -> usize {
    set("", sentence, Point::default(), setting).1
}

/// Words from a place on that must stand on one line: a chip keeps to the name after it.
fn unbroken(words: &[Word], from: usize) -> &[Word] {
    let mut to = from + 1;
    while let Some(last) = words.get(to - 1) {
        let keeps = match last {
            Word::Chip(_) => true,
            Word::Text(text, ..) => !text.ends_with(' ') && !breaks_after(text, words.get(to)),
        };
        if !keeps || to >= words.len() {
            break;
        }
        to += 1;
    }
    words.get(from..to).unwrap_or_default()
}

/// Whether a line may end between a piece and the next, although there is no space.
fn breaks_after(text: &str, next: Option<&Word>) -> bool {
    let Some(Word::Text(next, ..)) = next else {
        return matches!(next, Some(Word::Chip(_))) && text.chars().any(|c| c as u32 > 0x2E80);
    };
    let mut both = String::from(text);
    let end = both.len();
    both.push_str(next);
    let mut at = 0;
    for word in measure::words(&both) {
        at += word.len();
        if at == end {
            return true;
        }
        if at > end {
            return false;
        }
    }
    false
}

fn words_of(sentence: &Sentence, setting: Setting) -> Vec<Word> {
    let mut words = Vec::new();
    for piece in &sentence.pieces {
        match piece {
            Piece::Text { text } => {
                for word in measure::words(text) {
                    words.push(Word::Text(word.to_string(), setting.style, None));
                }
            }
            Piece::Strong { text } => {
                words.push(Word::Text(text.clone(), setting.style.bold(), None));
            }
            Piece::Chip { badge } => words.push(Word::Chip(badge.clone())),
            Piece::Marked {
                text,
                underline,
                link,
            } => {
                for word in measure::words(text) {
                    let mark = Some((*underline, link.clone()));
                    words.push(Word::Text(word.to_string(), setting.style, mark));
                }
            }
        }
    }
    words
}

fn width_of(word: &Word, setting: Setting, trims: bool) -> Px {
    match word {
        Word::Text(text, style, _) => {
            let text = if trims {
                text.trim_end()
            } else {
                text.as_str()
            };
            measure::width(text, style)
        }
        Word::Chip(badge) => chip_box(badge, setting).0 + px(6),
    }
}

fn trimmed_width(run: &[Word], setting: Setting) -> Px {
    let last = run.len().saturating_sub(1);
    run.iter()
        .enumerate()
        .map(|(place, word)| width_of(word, setting, place == last))
        .sum()
}

/// The width and height of a chip in a sentence, and how far its top is above the baseline.
fn chip_box(badge: &Badge, setting: Setting) -> (Px, Px, Px) {
    let text = measure::width(&badge.code, &TextStyle::sans(12).bold());
    let width = (text + px(11)).max(px(26));
    let raise = if setting.style.size >= 30 {
        px(20)
    } else {
        px(15)
    };
    (width, px(18), raise)
}

fn draw(word: &Word, pen: Point, setting: Setting, part: &mut Part) {
    match word {
        Word::Chip(badge) => {
            let (w, h, raise) = chip_box(badge, setting);
            let at = Rect::new(pen.x + Px(5), pen.y - raise, w, h);
            part.marks.extend(body(badge, at));
            part.add(code(badge, at));
        }
        Word::Text(text, style, mark) => {
            if let (Some((underline, _)), Family::Mono) = (mark, style.family) {
                let width = measure::width(text, style);
                part.add(ground_of(*underline, pen, width));
                part.add(Mark::text(pen, text.as_str(), *style));
                return;
            }
            part.add(Mark::text(pen, text.as_str(), *style).filled(setting.token));
            if let Some((underline, _)) = mark {
                let width = measure::width(text.trim_end(), style);
                let line = underline_of(*underline, pen, width, setting.style.size);
                let gap = measure::width(" ", style) + px(1);
                if !lengthened(part, &line, gap) {
                    part.add(line);
                }
            }
        }
    }
}

/// Lengthens the underline of the words before instead, if it ends where this one begins.
fn lengthened(part: &mut Part, line: &Mark, gap: Px) -> bool {
    let mut marks = part.marks.iter_mut().rev();
    let Some(before) = marks.find(|mark| mark.stroke.is_some()) else {
        return false;
    };
    let (known, new) = (before.bounds(), line.bounds());
    let is_same = before.stroke.is_some()
        && before.stroke == line.stroke
        && matches!(before.shape, Shape::Path { .. })
        && known.y == new.y
        && new.x - known.right() <= gap;
    if is_same {
        let joined = known.joined(&new);
        before.shape = level(joined.x, joined.right(), joined.y).shape;
    }
    is_same
}

/// The ground of marked words in a quotation.
fn ground_of(underline: Underline, pen: Point, width: Px) -> Mark {
    let at = Rect::new(pen.x - px(2), pen.y - px(12), width + px(3), px(16));
    let token = match underline {
        Underline::Taint => Token::TaintWash,
        _ => Token::RejectWash,
    };
    Mark::rect(at, Px::ZERO).filled(token)
}

fn underline_of(underline: Underline, pen: Point, width: Px, size: u8) -> Mark {
    let y = pen.y + px(i32::from(size)).share(25, 100);
    let line = level(pen.x, pen.x + width, y);
    match underline {
        Underline::Chosen => line.edged(Token::Bound, px(2)),
        Underline::Rejected => line.edged(Token::Unsched, px(2)).dashed(6, 4),
        Underline::Taint => line.edged(Token::Unsched, px(2)).dashed(2, 2),
        Underline::Victim => line.edged(Token::Preempt, px(2)).dashed(6, 4),
        Underline::Queue => line.edged(Token::Backoff, px(2)),
    }
}

/// Words of one line and style as one text, so that the reader's font sets the spaces between them.
fn joined(mut part: Part) -> Part {
    let mut marks: Vec<Mark> = Vec::new();
    for mark in core::mem::take(&mut part.marks) {
        if let (
            Some(Mark {
                shape:
                    Shape::Text {
                        at: before,
                        text: so_far,
                        style: known,
                    },
                ..
            }),
            Shape::Text { at, text, style },
        ) = (marks.last_mut(), &mark.shape)
        {
            if before.y == at.y && known == style && so_far.ends_with(' ') {
                so_far.push_str(text);
                continue;
            }
            if before.y == at.y && known == style && !so_far.is_ascii() {
                so_far.push_str(text);
                continue;
            }
        }
        marks.push(mark);
    }
    part.marks = marks;
    part
}
