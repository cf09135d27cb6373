//! JSON text → tree, with places. Quick, because dumps of whole clusters are JSON.
//!
//! Columns count bytes, which is the same as letters wherever a line is ASCII.

use alloc::format;
use alloc::string::{String, ToString};

use super::build::{Builder, Position};
use super::error::DecodeError;
use super::scalar::{self, Scalar};
use super::tree::narrow;

/// What stopped the reader, and where.
pub(super) type Stop = (Position, DecodeError);

/// Reads values one after another until the text ends.
#[inline(never)]
pub(super) fn read(text: &str, line: u32, builder: &mut Builder<'_>) -> Result<(), Stop> {
    let mut reader = Reader {
        text,
        at: 0,
        line,
        line_start: 0,
    };
    loop {
        reader.skip_space();
        if reader.peek().is_none() {
            return Ok(());
        }
        reader.document(builder)?;
    }
}

/// A place in a JSON text.
struct Reader<'t> {
    text: &'t str,
    at: usize,
    line: u32,
    line_start: usize,
}

impl<'t> Reader<'t> {
    /// Reads one value with all that is in it. Lists and maps are kept track of by the builder, not by calling again.
    fn document(&mut self, builder: &mut Builder<'_>) -> Result<(), Stop> {
        loop {
            self.skip_space();
            let position = self.position();
            match self.peek() {
                Some(b'{') => self.open(builder, true, b'}')?,
                Some(b'[') => self.open(builder, false, b']')?,
                Some(b'"') => {
                    self.string(builder)?;
                    self.after_value(builder)?;
                }
                Some(_) => {
                    self.bare(builder)?;
                    self.after_value(builder)?;
                }
                None => return Err((position, early_end())),
            }
            if builder.is_between_documents() {
                return Ok(());
            }
        }
    }

    /// Begins a list or map; an empty one also ends here.
    fn open(&mut self, builder: &mut Builder<'_>, is_map: bool, closing: u8) -> Result<(), Stop> {
        let position = self.position();
        builder
            .begin(position, is_map)
            .map_err(|error| (position, error))?;
        self.at += 1;
        self.skip_space();
        if self.peek() == Some(closing) {
            self.at += 1;
            builder.end();
            return self.after_value(builder);
        }
        if is_map { self.key(builder) } else { Ok(()) }
    }

    fn key(&mut self, builder: &mut Builder<'_>) -> Result<(), Stop> {
        self.skip_space();
        if self.peek() != Some(b'"') {
            return Err(self.unexpected("a key in double quotes"));
        }
        self.string(builder)?;
        self.skip_space();
        self.expect(b':', "a colon after the key")
    }

    /// Goes on to the next value, ending lists and maps on the way.
    fn after_value(&mut self, builder: &mut Builder<'_>) -> Result<(), Stop> {
        loop {
            if builder.is_between_documents() {
                return Ok(());
            }
            self.skip_space();
            let is_map = builder.is_in_map();
            match self.peek() {
                Some(b',') => {
                    self.at += 1;
                    return if is_map { self.key(builder) } else { Ok(()) };
                }
                Some(b'}') if is_map => self.at += 1,
                Some(b']') if !is_map => self.at += 1,
                _ if is_map => return Err(self.unexpected("a comma or a closing brace")),
                _ => return Err(self.unexpected("a comma or a closing bracket")),
            }
            builder.end();
        }
    }

    /// A number or one of the words `true`, `false` and `null`.
    fn bare(&mut self, builder: &mut Builder<'_>) -> Result<(), Stop> {
        let position = self.position();
        let rest = self.rest();
        let end = rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.')))
            .unwrap_or(rest.len());
        let (word, _) = rest.split_at(end);
        let value = match word {
            "null" => Scalar::Null,
            "true" => Scalar::Bool(true),
            "false" => Scalar::Bool(false),
            _ => scalar::json_number(word).ok_or_else(|| self.unexpected("a value"))?,
        };
        builder.scalar(position, value.content());
        self.at += end;
        Ok(())
    }

    fn string(&mut self, builder: &mut Builder<'_>) -> Result<(), Stop> {
        let position = self.position();
        self.at += 1;
        let start = self.at;
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(self.at) {
                Some(b'"') => {
                    builder.text(position, self.text.get(start..self.at).unwrap_or(""));
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => return self.escaped(builder, position, start),
                Some(0..0x20) => {
                    return Err(self.unexpected("no line break or control character in a string"));
                }
                Some(_) => self.at += 1,
                None => return Err((position, early_end())),
            }
        }
    }

    /// The rest of a string that has an escape.
    fn escaped(
        &mut self,
        builder: &mut Builder<'_>,
        position: Position,
        start: usize,
    ) -> Result<(), Stop> {
        let mut decoded = String::from(self.text.get(start..self.at).unwrap_or(""));
        loop {
            let Some(next) = self.rest().chars().next() else {
                return Err((position, early_end()));
            };
            match next {
                '"' => {
                    builder.text(position, &decoded);
                    self.at += 1;
                    return Ok(());
                }
                '\\' => decoded.push(self.escape()?),
                '\0'..='\x1f' => {
                    return Err(self.unexpected("no line break or control character in a string"));
                }
                _ => {
                    decoded.push(next);
                    self.at += next.len_utf8();
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, Stop> {
        let known = match self.text.as_bytes().get(self.at + 1) {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\x08',
            Some(b'f') => '\x0c',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode(),
            _ => return Err(self.unexpected("an escape that JSON knows")),
        };
        self.at += 2;
        Ok(known)
    }

    /// `\u0041`, or two of them for characters beyond the first 65,536. A half of such a pair reads as U+FFFD.
    fn unicode(&mut self) -> Result<char, Stop> {
        let first = self.hex(self.at + 2)?;
        self.at += 6;
        if !(0xd800..0xdc00).contains(&first)
            || self.text.as_bytes().get(self.at..self.at + 2) != Some(b"\\u")
        {
            return Ok(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        let second = self.hex(self.at + 2)?;
        if !(0xdc00..0xe000).contains(&second) {
            return Ok(char::REPLACEMENT_CHARACTER);
        }
        self.at += 6;
        let code = 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00);
        Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn hex(&self, at: usize) -> Result<u32, Stop> {
        let digits = self
            .text
            .get(at..at + 4)
            .filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
        digits
            .and_then(|digits| u32::from_str_radix(digits, 16).ok())
            .ok_or_else(|| self.unexpected("four hexadecimal digits after \\u"))
    }

    fn expect(&mut self, wanted: u8, name: &str) -> Result<(), Stop> {
        if self.peek() == Some(wanted) {
            self.at += 1;
            Ok(())
        } else {
            Err(self.unexpected(name))
        }
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
            if self.text.as_bytes().get(self.at - 1) == Some(&b'\n') {
                self.line += 1;
                self.line_start = self.at;
            }
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn position(&self) -> Position {
        Position {
            line: self.line,
            column: narrow(self.at - self.line_start) + 1,
        }
    }

    fn unexpected(&self, expected: &str) -> Stop {
        let error = match self.rest().chars().next() {
            Some(found) => DecodeError::Syntax {
                problem: format!("{found:?} cannot stand here; expected {expected}"),
            },
            None => early_end(),
        };
        (self.position(), error)
    }
}

fn early_end() -> DecodeError {
    DecodeError::Syntax {
        problem: "the text ends in the middle of a value; is it cut?".to_string(),
    }
}
