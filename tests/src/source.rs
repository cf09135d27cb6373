//! Rust text as the tidy test reads it: which parts are code, and which names they mention.

/// Returns `text` with every comment and every literal's content replaced by spaces. Line breaks stay, so that line
/// numbers hold.
#[must_use]
pub fn code_only(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = blank_length(rest, code.chars().next_back());
        if length == 0 {
            code.push(first);
            rest = &rest[first.len_utf8()..];
        } else {
            let blank = rest[..length].chars();
            code.extend(blank.map(|c| if c == '\n' { '\n' } else { ' ' }));
            rest = &rest[length..];
        }
    }
    code
}

/// How many bytes of `rest` are one comment or literal; 0 where code begins.
fn blank_length(rest: &str, before: Option<char>) -> usize {
    let in_name = before.is_some_and(is_name);
    if rest.starts_with("//") {
        rest.find('\n').unwrap_or(rest.len())
    } else if rest.starts_with("/*") {
        block_comment(rest)
    } else if rest.starts_with('"') {
        quoted(rest, '"')
    } else if !in_name && (rest.starts_with("r\"") || rest.starts_with("r#")) {
        raw(&rest[1..]).map_or(0, |length| length + 1)
    } else if !in_name && (rest.starts_with("br\"") || rest.starts_with("br#")) {
        raw(&rest[2..]).map_or(0, |length| length + 2)
    } else if rest.starts_with('\'') {
        character(rest)
    } else {
        0
    }
}

fn block_comment(rest: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < rest.len() {
        if rest[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += rest[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    rest.len()
}

/// The length of a literal that begins and ends with `quote` and in which a backslash protects the next character.
fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}

/// The length of a raw string whose hashes and quote `rest` begins with; nothing for a raw identifier.
fn raw(rest: &str) -> Option<usize> {
    let hashes = rest.len() - rest.trim_start_matches('#').len();
    let body = rest[hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let length = body.find(&end).map_or(body.len(), |at| at + end.len());
    Some(hashes + 1 + length)
}

/// The length of a character literal; 0 for a lifetime.
fn character(rest: &str) -> usize {
    let mut chars = rest.chars().skip(1);
    match (chars.next(), chars.next()) {
        (Some('\\'), _) => quoted(rest, '\''),
        (Some(c), Some('\'')) => 2 + c.len_utf8(),
        _ => 0,
    }
}

/// The names that directly follow `prefix` in `code`, one by one or in braces, with their lines.
///
/// With the prefix `crate::`, `use crate::{api::Pod, queue};` gives `api` and `queue`.
#[must_use]
pub fn names_after(code: &str, prefix: &str) -> Vec<(usize, String)> {
    let mut names = Vec::new();
    for (at, _) in code.match_indices(prefix) {
        if code[..at]
            .chars()
            .next_back()
            .is_some_and(|c| is_name(c) || c == ':')
        {
            continue;
        }
        let line = line_of(code, at);
        let after = code[at + prefix.len()..].trim_start();
        match after.strip_prefix('{') {
            Some(group) => names.extend(heads_of_group(group).map(|name| (line, name))),
            None => names.extend(name_at(after).map(|name| (line, name))),
        }
    }
    names
}

/// The first name of each entry of a group whose opening brace was read.
fn heads_of_group(group: &str) -> impl Iterator<Item = String> {
    let mut depth = 1_usize;
    let mut heads = vec![String::new()];
    for c in group.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => heads.push(String::new()),
            _ => {}
        }
        if depth == 0 {
            break;
        }
        if let Some(head) = heads.last_mut()
            && c != ','
        {
            head.push(c);
        }
    }
    heads
        .into_iter()
        .filter_map(|head| name_at(head.trim_start()))
}

fn name_at(text: &str) -> Option<String> {
    let name: String = text.chars().take_while(|c| is_name(*c)).collect();
    (!name.is_empty()).then_some(name)
}

/// Whether `c` may stand in a name.
#[must_use]
pub fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The line, counted from 1, of the byte `at`.
#[must_use]
pub fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

#[cfg(test)]
mod tests;
