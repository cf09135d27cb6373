//! What a line of YAML is made of, for its colours. No parser: a line is told by itself, as a person reads it.

/// What a piece of a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Signs and blanks.
    Plain,
    /// The name of a field, with its colon.
    Key,
    /// A value.
    Text,
    /// A value that is a number or a quantity.
    Number,
    /// From `#` to the end.
    Comment,
}

impl Kind {
    /// The style sheet's name for it.
    #[must_use]
    pub(super) const fn class(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Key => "key",
            Self::Text => "text",
            Self::Number => "number",
            Self::Comment => "comment",
        }
    }
}

/// The pieces of a line; together they are the line.
#[must_use]
pub(super) fn pieces(line: &str) -> Vec<(Kind, &str)> {
    let mut pieces = Vec::new();
    let mut rest = line;
    while !rest.is_empty() {
        let (kind, length) = first(rest, pieces.is_empty());
        let (piece, after) = rest.split_at(length);
        pieces.push((kind, piece));
        rest = after;
    }
    pieces
}

/// What a text begins with, and how many bytes of it.
fn first(text: &str, is_start: bool) -> (Kind, usize) {
    let signs = text.len() - text.trim_start_matches(SIGNS).len();
    if signs > 0 {
        return (Kind::Plain, signs);
    }
    // A dash is a sign of its own only before a blank.
    if text == "-" || text.starts_with("- ") {
        return (Kind::Plain, 1);
    }
    if text.starts_with('#') {
        return (Kind::Comment, text.len());
    }
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''));
    let end = match quote {
        Some(quote) => text
            .char_indices()
            .skip(1)
            .find(|(_, c)| *c == quote)
            .map_or(text.len(), |(at, c)| at + c.len_utf8()),
        None => word_end(text),
    };
    let after = text.get(end..).unwrap_or_default();
    if after.starts_with(": ") || after == ":" {
        return (Kind::Key, end + 1);
    }
    let word = text.get(..end).unwrap_or_default();
    let is_number = word.starts_with(|c: char| c.is_ascii_digit()) && !word.contains(' ');
    let kind = match (is_number, is_start) {
        (true, _) => Kind::Number,
        (false, true) => Kind::Plain,
        (false, false) => Kind::Text,
    };
    (kind, end)
}

/// Where a word without quotes ends: before a sign of flow style, a comment, or the colon after a key.
fn word_end(text: &str) -> usize {
    let ends = text.char_indices().find(|(at, c)| {
        let after = text.get(at + c.len_utf8()..).unwrap_or_default();
        match c {
            ',' | '}' | ']' => true,
            ':' => after.is_empty() || after.starts_with(' '),
            ' ' => after.starts_with('#'),
            _ => false,
        }
    });
    let end = ends.map_or(text.len(), |(at, _)| at);
    // A piece is never empty, or the line would never end.
    end.max(text.chars().next().map_or(0, char::len_utf8))
}

/// What stands between words.
const SIGNS: [char; 8] = [' ', '\t', '{', '}', '[', ']', ',', '|'];

#[cfg(test)]
mod tests {
    use super::{Kind, pieces};

    fn told(line: &str) -> Vec<(Kind, &str)> {
        let all = pieces(line);
        assert_eq!(all.iter().map(|(_, text)| *text).collect::<String>(), line);
        let words = all.into_iter().filter(|(kind, _)| *kind != Kind::Plain);
        words.collect()
    }

    #[test]
    fn a_line_is_keys_and_values() {
        use Kind::{Comment, Key, Number, Text};
        assert_eq!(
            told("  - {cpu: 500m, name: \"a: b\"} # so"),
            [
                (Key, "cpu:"),
                (Number, "500m"),
                (Key, "name:"),
                (Text, "\"a: b\""),
                (Comment, "# so")
            ]
        );
        assert_eq!(
            told("image: registry.example/web:42"),
            [(Key, "image:"), (Text, "registry.example/web:42")]
        );
        assert_eq!(told("spec:"), [(Key, "spec:")]);
        assert_eq!(told("\"open"), []);
        assert_eq!(told("- - -1"), [(Text, "-1")]);
    }
}
