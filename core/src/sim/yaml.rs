//! How a document is written as YAML: block style, the fields that say what it is first, nothing that reads as another type.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::order;
use serde_json::Value;

/// A value as YAML text that reads back as the same value.
#[must_use]
pub fn to_yaml(value: &Value) -> String {
    let mut text = String::new();
    match value {
        Value::Object(map) if !map.is_empty() => write_map(&mut text, value, 0),
        Value::Array(values) if !values.is_empty() => write_list(&mut text, values, 0),
        scalar => {
            write_scalar(&mut text, scalar);
            text.push('\n');
        }
    }
    text
}

fn write_map(text: &mut String, value: &Value, depth: usize) {
    for (index, (key, value)) in in_order(value).into_iter().enumerate() {
        // The first field stands on the line of a list's dash.
        if index > 0 || text.is_empty() || text.ends_with('\n') {
            indent(text, depth);
        }
        write_text(text, key);
        text.push(':');
        write_below(text, value, depth);
    }
}

fn write_list(text: &mut String, values: &[Value], depth: usize) {
    for value in values {
        indent(text, depth);
        text.push('-');
        match value {
            Value::Object(map) if !map.is_empty() => {
                text.push(' ');
                write_map(text, value, depth + 1);
            }
            Value::Array(inner) if !inner.is_empty() => {
                text.push('\n');
                write_list(text, inner, depth + 1);
            }
            scalar => {
                text.push(' ');
                write_scalar(text, scalar);
                text.push('\n');
            }
        }
    }
}

fn write_below(text: &mut String, value: &Value, depth: usize) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            text.push('\n');
            write_map(text, value, depth + 1);
        }
        // A list may stand as deep as its key.
        Value::Array(values) if !values.is_empty() => {
            text.push('\n');
            write_list(text, values, depth);
        }
        Value::String(block) if is_block(block) => write_block(text, block, depth + 1),
        scalar => {
            text.push(' ');
            write_scalar(text, scalar);
            text.push('\n');
        }
    }
}

fn write_scalar(text: &mut String, value: &Value) {
    match value {
        Value::String(scalar) => write_text(text, scalar),
        Value::Array(_) => text.push_str("[]"),
        Value::Object(_) => text.push_str("{}"),
        other => text.push_str(&other.to_string()),
    }
}

/// Text plain where it can only be text, in quotes elsewhere.
fn write_text(text: &mut String, scalar: &str) {
    if is_plain(scalar) {
        text.push_str(scalar);
    } else {
        // JSON's quotes are YAML's, too.
        text.push_str(&Value::from(scalar).to_string());
    }
}

fn is_plain(scalar: &str) -> bool {
    let is_safe = |b: u8| {
        b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b'/' | b' ' | b'(' | b')')
    };
    let starts_well = scalar
        .bytes()
        .next()
        .is_some_and(|b| b.is_ascii_alphabetic() || b == b'_' || b == b'/');
    let is_word = matches!(
        scalar.to_ascii_lowercase().as_str(),
        "true" | "false" | "yes" | "no" | "on" | "off" | "null" | "y" | "n"
    );
    starts_well && !scalar.ends_with(' ') && scalar.bytes().all(is_safe) && !is_word
}

fn is_block(scalar: &str) -> bool {
    scalar.contains('\n')
        && !scalar.starts_with([' ', '\n', '\t'])
        && scalar.lines().all(|line| !line.ends_with([' ', '\t']))
        && scalar.chars().all(|c| c == '\n' || !c.is_control())
        && !scalar.ends_with("\n\n")
}

fn write_block(text: &mut String, scalar: &str, depth: usize) {
    text.push_str(if scalar.ends_with('\n') {
        " |\n"
    } else {
        " |-\n"
    });
    for line in scalar.lines() {
        if !line.is_empty() {
            indent(text, depth);
            text.push_str(line);
        }
        text.push('\n');
    }
}

fn indent(text: &mut String, depth: usize) {
    for _ in 0..depth {
        text.push_str("  ");
    }
}

/// Fields with those first that say what the object is.
fn in_order(value: &Value) -> Vec<(&String, &Value)> {
    let mut fields: Vec<(&String, &Value)> = value.as_object().into_iter().flatten().collect();
    let rank = |name: &str| {
        let first = FIRST.iter().position(|first| *first == name);
        first.unwrap_or(FIRST.len())
    };
    order::sort_by_key(&mut fields, |(name, _)| rank(name));
    fields
}

const FIRST: &[&str] = &[
    "apiVersion",
    "kind",
    "at",
    "group",
    "metadata",
    "name",
    "namespace",
    "spec",
    "status",
];

#[cfg(test)]
mod tests;
