//! Text for people: what others wrote in it cannot steer a terminal.

use core::fmt::{self, Display, Write as _};
use std::borrow::Cow;
use std::io::{self, IsTerminal};

/// Whether and how words are coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Paint {
    /// Not at all.
    Plain,
    /// With the terminal's own colours.
    Colour,
}

impl Paint {
    /// Colours on a terminal, unless the environment says `NO_COLOR`.
    pub(crate) fn for_stdout() -> Self {
        let is_unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        if io::stdout().is_terminal() && !is_unwanted {
            Self::Colour
        } else {
            Self::Plain
        }
    }
}

/// A text that grows. Only its own colours are control sequences; all else goes through [`visible`].
#[derive(Debug)]
pub(crate) struct Page {
    text: String,
    paint: Paint,
}

impl Page {
    /// An empty text.
    pub(crate) const fn new(paint: Paint) -> Self {
        Self {
            text: String::new(),
            paint,
        }
    }

    /// Adds words as they are.
    pub(crate) fn plain(&mut self, words: impl Display) {
        // Writing to a string does not fail.
        let _ = write!(self, "{words}");
    }

    /// Adds words that head others.
    pub(crate) fn bold(&mut self, words: impl Display) {
        self.wrap("1", words);
    }

    /// Adds words about what went well.
    pub(crate) fn good(&mut self, words: impl Display) {
        self.wrap("32", words);
    }

    /// Adds words about what did not.
    pub(crate) fn bad(&mut self, words: impl Display) {
        self.wrap("31", words);
    }

    /// Adds words that stand back.
    pub(crate) fn dim(&mut self, words: impl Display) {
        self.wrap("2", words);
    }

    /// The text with its colours.
    pub(crate) fn into_text(self) -> String {
        self.text
    }

    fn wrap(&mut self, code: &str, words: impl Display) {
        if self.paint == Paint::Plain {
            return self.plain(words);
        }
        self.text.push_str("\x1b[");
        self.text.push_str(code);
        self.text.push('m');
        self.plain(words);
        self.text.push_str("\x1b[0m");
    }
}

impl fmt::Write for Page {
    fn write_str(&mut self, words: &str) -> fmt::Result {
        self.text.push_str(&visible(words));
        Ok(())
    }
}

/// Text with characters that would steer a terminal, or turn the order of what is read, as JSON escapes them.
///
/// Inside of quotes JSON and YAML still mean the same.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    let steers = |c: char| {
        (c.is_control() && !matches!(c, '\n' | '\t'))
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if !text.contains(steers) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        if steers(c) {
            let _ = write!(safe, "\\u{:04x}", u32::from(c));
        } else {
            safe.push(c);
        }
    }
    Cow::Owned(safe)
}

#[cfg(test)]
mod tests;
