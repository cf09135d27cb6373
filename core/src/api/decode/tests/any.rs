//! Whatever the bytes are, reading ends and does not panic; what was written is read back.

use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use proptest::prelude::*;

use crate::api::decode::{Text, read_objects};

fn any_json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        any::<u64>().prop_map(Into::into),
        (-1e9..1e9f64).prop_map(Into::into),
        ".*".prop_map(Into::into),
        "(0x|0b|0o|-|[+]|[.])?[0-9_.e]{0,6}".prop_map(Into::into),
        prop::sample::select(vec![
            "yes", "~", "null", "<<", "- a", "{", "#", "a: b", "---"
        ])
        .prop_map(Into::into),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Into::into),
            prop::collection::btree_map(".{0,8}", inner, 0..6)
                .prop_map(|pairs| serde_json::Value::Object(pairs.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn json_is_read_back(value in any_json()) {
        for text in [serde_json::to_string(&value).unwrap(), serde_json::to_string_pretty(&value).unwrap()] {
            // A list or map makes sure that the text is taken for JSON.
            let text = ["[", &text, "]"].concat();
            let read = Text::read("", text.as_bytes());
            prop_assert_eq!(read.errors().count(), 0);
            let documents: Vec<_> = read.documents().map(|(_, document)| document.to_json()).collect();
            prop_assert_eq!(documents, [serde_json::Value::Array([value.clone()].into())]);
        }
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = read_objects("", &bytes);
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "([ \t\n\"'{}\\[\\],:&*!|>%#-]|<<|a|\\\\|---|kind: Pod\n|metadata:|0x1|é){0,60}") {
        let _ = read_objects("", text.as_bytes());
    }

    #[test]
    fn no_slip_in_an_object_makes_the_reader_panic(at in 0..OBJECT.len(), length in 0..20usize, insert in "[ \n\t:{}\"'a-]{0,3}") {
        let end = (at + length).min(OBJECT.len());
        let text: String = [OBJECT.get(..at).unwrap(), &insert, OBJECT.get(end..).unwrap()].concat();
        let decoded = read_objects("f", text.as_bytes());
        for error in &decoded.errors {
            prop_assert!(error.to_string().starts_with("f:"), "{}", error);
        }
    }
}

const OBJECT: &str = "apiVersion: v1
kind: Pod
metadata: {name: a, labels: {app: web}}
spec:
  containers:
  - name: c
    image: \"i:1\"
    resources:
      requests: {cpu: 100m, memory: 1Gi}
  tolerations:
  - {key: k, operator: Exists, tolerationSeconds: 5}
";
