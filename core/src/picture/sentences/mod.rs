//! What the picture says, in English and Chinese: templates over records.
//!
//! A template is chosen by a [`Key`] and a [`Lang`]; the match is total, so a language cannot lack a sentence, and a test
//! holds both to the same arguments. In a template, `{name}` is an argument, `{name:one|many}` chooses by a count, and
//! `[words]` are the marked words.

mod clauses;
mod en;
mod key;
mod words;
mod zh;

use alloc::string::String;
use alloc::vec::Vec;

use super::scene::{Badge, Lang, Piece, Sentence, Underline};

pub use clauses::{
    Clause, Voice, amount, gate_link, node_link, short_resource, short_taint, shortage, sum,
};
pub use key::Key;
pub use words::{
    clock_text, cpu, gib, grouped, memory, milli_cpu, moment_text, number_word, ordinal, plain,
    seconds, short_plugin, signed,
};

/// What stands for a name in a template.
#[derive(Clone, Debug)]
pub enum Arg {
    /// A text as it is.
    Text(String),
    /// A count, in words up to twelve where the language writes small counts so.
    Count(usize),
    /// A number in digits.
    Number(i64),
    /// A pod with its chip.
    Pod(Badge, String),
    /// Pieces made before.
    Pieces(Vec<Piece>),
}

impl From<&str> for Arg {
    fn from(text: &str) -> Self {
        Self::Text(String::from(text))
    }
}

impl From<String> for Arg {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<usize> for Arg {
    fn from(count: usize) -> Self {
        Self::Count(count)
    }
}

/// How the marked words of a template are underlined, and what they are linked to.
#[derive(Clone, Debug)]
pub struct Marking {
    /// The underline.
    pub underline: Underline,
    /// The link.
    pub link: String,
}

/// The template of a key.
#[must_use]
pub const fn template(lang: Lang, key: Key) -> &'static str {
    match lang {
        Lang::En => en::template(key),
        Lang::Zh => zh::template(key),
    }
}

/// Fills a template. Without `marking`, marked words are plain.
#[must_use]
pub fn say(lang: Lang, key: Key, args: &[(&str, Arg)], marking: Option<&Marking>) -> Vec<Piece> {
    let mut filler = Filler {
        lang,
        args,
        marking,
        pieces: Vec::new(),
        open: None,
    };
    filler.fill(template(lang, key));
    let mut pieces = filler.pieces;
    if lang == Lang::Zh {
        words::set_apart(&mut pieces);
    }
    pieces
}

/// Fills a template as plain text.
#[must_use]
pub fn text(lang: Lang, key: Key, args: &[(&str, Arg)]) -> String {
    plain(&say(lang, key, args, None))
}

/// A label without arguments.
#[must_use]
pub fn label(lang: Lang, key: Key) -> String {
    text(lang, key, &[])
}

struct Filler<'a> {
    lang: Lang,
    args: &'a [(&'a str, Arg)],
    marking: Option<&'a Marking>,
    pieces: Vec<Piece>,
    /// Marked words under way.
    open: Option<String>,
}

impl Filler<'_> {
    fn fill(&mut self, template: &str) {
        let mut rest = template;
        while let Some(at) = rest.find(['{', '[', ']']) {
            let (text, tail) = rest.split_at(at);
            self.push_text(text);
            rest = match tail.as_bytes().first() {
                Some(b'{') => {
                    let end = tail.find('}').unwrap_or(tail.len());
                    self.push_arg(tail.get(1..end).unwrap_or_default());
                    tail.get(end + 1..).unwrap_or_default()
                }
                Some(b'[') => {
                    self.open = Some(String::new());
                    tail.get(1..).unwrap_or_default()
                }
                _ => {
                    self.close();
                    tail.get(1..).unwrap_or_default()
                }
            };
        }
        self.push_text(rest);
        self.close();
    }

    fn close(&mut self) {
        let Some(words) = self.open.take() else {
            return;
        };
        match self.marking {
            Some(marking) => self.pieces.push(Piece::Marked {
                text: words,
                underline: marking.underline,
                link: marking.link.clone(),
            }),
            None => self.push_text(&words),
        }
    }

    fn push_text(&mut self, text: &str) {
        if let Some(open) = &mut self.open {
            open.push_str(text);
        } else if !text.is_empty() {
            push_text(&mut self.pieces, text);
        }
    }

    fn push_arg(&mut self, name: &str) {
        let (name, forms) = match name.split_once(':') {
            Some((name, forms)) => (name, Some(forms)),
            None => (name, None),
        };
        let Some((_, arg)) = self.args.iter().find(|(known, _)| *known == name) else {
            debug_assert!(false, "a template asks for {name:?}, which nobody gave");
            return;
        };
        if let Some(forms) = forms {
            let (one, many) = forms.split_once('|').unwrap_or((forms, forms));
            let is_one = matches!(arg, Arg::Count(1) | Arg::Number(1));
            return self.push_text(if is_one { one } else { many });
        }
        match arg.clone() {
            Arg::Text(text) => self.push_text(&text),
            Arg::Count(count) => self.push_text(&number_word(self.lang, count)),
            Arg::Number(number) => self.push_text(&signed(number)),
            Arg::Pod(badge, name) => {
                self.pieces.push(Piece::Chip { badge });
                self.pieces.push(Piece::Strong { text: name });
            }
            Arg::Pieces(pieces) => {
                for piece in pieces {
                    match piece {
                        Piece::Text { text } => self.push_text(&text),
                        other => self.pieces.push(other),
                    }
                }
            }
        }
    }
}

/// Adds plain words to pieces.
pub fn push_text(pieces: &mut Vec<Piece>, words: &str) {
    if let Some(Piece::Text { text }) = pieces.last_mut() {
        text.push_str(words);
    } else {
        pieces.push(Piece::Text {
            text: String::from(words),
        });
    }
}

/// A sentence whose first letter is a capital.
#[must_use]
pub fn sentence(mut pieces: Vec<Piece>) -> Sentence {
    capitalize(&mut pieces);
    Sentence { pieces }
}

/// Makes the first letter a capital.
pub fn capitalize(pieces: &mut [Piece]) {
    if let Some(Piece::Text { text } | Piece::Marked { text, .. }) = pieces.first_mut() {
        let mut chars = text.chars();
        if let Some(first) = chars.next() {
            let rest = String::from(chars.as_str());
            *text = first.to_uppercase().collect();
            text.push_str(&rest);
        }
    }
}

#[cfg(test)]
mod tests;
