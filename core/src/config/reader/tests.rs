use alloc::string::{String, ToString};

use serde_json::{Value, json};

use super::{At, Reader, edits};
use crate::config::ConfigError;

fn read(value: &Value, take: impl FnOnce(&mut Reader, &At<'_>)) -> String {
    let mut reader = Reader::default();
    let at = At {
        value,
        path: String::new(),
    };
    take(&mut reader, &at);
    let (_, errors) = reader.close(alloc::vec![]);
    match ConfigError::check(errors) {
        Ok(()) => String::new(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_field_nobody_took_is_unknown() {
    let value = json!({"a": {"weight": 1, "Name": "x", "zzz": 0}});
    let text = read(&value, |reader, at| {
        let mut fields = reader.fields(at);
        let inner = fields.take("a").unwrap();
        let mut inner = reader.fields(&inner);
        reader.i32(inner.take("weight"));
        reader.string(inner.take("name"));
        reader.finish(inner);
        reader.finish(fields);
    });
    assert_eq!(
        text,
        "[a.Name: unknown field \"Name\"; did you mean \"name\"?, \
         a.zzz: unknown field \"zzz\"; expected one of weight, name]"
    );
}

#[test]
fn a_value_of_another_kind_is_named() {
    let value = json!({"a": 1.5, "b": "x", "c": 7, "d": [1], "e": {}, "f": 3_000_000_000_i64});
    let text = read(&value, |reader, at| {
        let mut fields = reader.fields(at);
        reader.i64(fields.take("a"));
        reader.bool(fields.take("b"));
        reader.span(fields.take("c"));
        reader.strings(fields.take("d"));
        reader.list(fields.take("e"));
        reader.i32(fields.take("f"));
    });
    assert_eq!(
        text,
        "[a: 1.5 was found; expected a whole number, b: \"x\" was found; expected true or false, \
         c: 7 was found; expected a duration such as 15s or 1h30m, d[0]: 1 was found; expected a text; put it in \
         quotes, e: an object was found; expected a list, f: 3000000000 was found; expected a whole number of at most \
         32 bits]"
    );
}

#[test]
fn null_is_absent() {
    let value = json!({"a": null});
    let text = read(&value, |reader, at| {
        let mut fields = reader.fields(at);
        assert_eq!(reader.i64(fields.take("a")), None);
        reader.finish(fields);
    });
    assert_eq!(text, "");
}

#[test]
fn edits_are_counted() {
    assert_eq!(edits("", "abc"), 3);
    assert_eq!(edits("nodes", "node"), 1);
    assert_eq!(edits("abc", "abd"), 1);
    assert_eq!(edits("same", "same"), 0);
}
