//! Values written as YAML and read again.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::to_yaml;

#[test]
fn a_document_is_written_as_a_person_would() {
    let value = json!({
        "spec": {"objects": [{"metadata": {"name": "a"}, "kind": "Pod"}], "seed": 7, "empty": {}},
        "kind": "Scenario", "apiVersion": "berth/v1",
        "metadata": {"title": "yes", "description": "one\n\ntwo", "name": "1.5"},
    });
    let expected = "apiVersion: berth/v1\nkind: Scenario\nmetadata:\n  name: \"1.5\"\n  description: |-\n    one\n\n    two\n  \
                    title: \"yes\"\nspec:\n  empty: {}\n  objects:\n  - kind: Pod\n    metadata:\n      name: a\n  seed: 7\n";
    assert_eq!(to_yaml(&value), expected);
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "[ -~\n]{0,12}".prop_map(Value::from),
        "\\PC{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-z0-9./-]{1,6}", inner, 0..4)
                .prop_map(|map| map.into_iter().collect()),
        ]
    })
}

proptest! {
    #[cfg(feature = "yaml")]
    #[test]
    fn what_is_written_reads_back_as_the_same(value in any_value().prop_filter("a document", |v| v.is_object() || v.is_array())) {
        let text = to_yaml(&value);
        let read = crate::api::decode::Text::read("", text.as_bytes());
        let errors: alloc::vec::Vec<_> = read.errors().map(|error| alloc::format!("{error}")).collect();
        prop_assert!(errors.is_empty(), "{errors:?}\n{text}");
        let (_, document) = read.documents().next().expect("there is a document");
        prop_assert_eq!(document.to_json(), value, "{}", text);
    }
}
