//! A text with changes in the object that a pod comes from: as little of it as possible is written anew.

use berth_core::api::FieldPath;
use berth_core::api::decode::{Text, Value};
use berth_core::explain::{Change, amended};
use berth_core::sim::to_yaml;
use serde_json::Value as Json;

use crate::protocol::Part;

use super::part::cut;

/// The text with the changes in the object that is this part of it; nothing if that object holds no pod, or cannot be
/// written so that it reads as it should.
///
/// What stays has its comments and its own style. What is written anew is the innermost block around all that changes.
#[inline(never)]
pub(super) fn changed(text: &str, part: &Part, changes: &[Change]) -> Option<String> {
    let inner = part.inner(text);
    let read = Text::read("", inner.as_bytes());
    let (_, document) = read.documents().next()?;
    let old = document.to_json();
    let new = amended(&old, changes).filter(|new| *new != old)?;
    let mut paths = paths(&old, &new);
    while let Some((path, value)) = paths.pop() {
        let Some(block) = block_at(&inner, document.nearest(&path), &path) else {
            continue;
        };
        let written = block.put(&inner, &to_yaml(value));
        if reads_as(&written, &new) {
            return Some(part.put(text, &written));
        }
    }
    None
}

/// The block of a value; of the root all there is.
fn block_at(inner: &str, value: Value<'_>, path: &FieldPath) -> Option<Part> {
    if path.segments().is_empty() {
        return Some(Part {
            to: inner.len(),
            ..Part::default()
        });
    }
    cut(inner, value.line(), value.column(), String::new())
}

fn reads_as(text: &str, expected: &Json) -> bool {
    let read = Text::read("", text.as_bytes());
    let mut documents = read.documents();
    documents
        .next()
        .is_some_and(|(_, document)| document.to_json() == *expected)
}

/// The maps that hold all that differs, from the whole inwards, with what they are to be.
fn paths<'a>(old: &Json, new: &'a Json) -> Vec<(FieldPath, &'a Json)> {
    let mut paths = vec![(FieldPath::root(), new)];
    let (mut path, mut old, mut new) = (FieldPath::root(), old, new);
    loop {
        let next = match (old, new) {
            (Json::Object(one), Json::Object(two)) if one.len() == two.len() => {
                let mut differing = two
                    .iter()
                    .filter(|(key, value)| one.get(*key) != Some(value));
                match (differing.next(), differing.next()) {
                    (Some((key, value)), None) => one
                        .get(key)
                        .map(|old| (path.clone().field(key.as_str()), old, value)),
                    _ => None,
                }
            }
            (Json::Array(one), Json::Array(two)) if one.len() == two.len() => {
                let pairs = one.iter().zip(two).enumerate();
                let mut differing = pairs.filter(|(_, (one, two))| one != two);
                match (differing.next(), differing.next()) {
                    (Some((place, (old, value))), None) => {
                        Some((path.clone().index(place), old, value))
                    }
                    _ => None,
                }
            }
            _ => None,
        };
        let Some((deeper, its_old, its_new)) = next else {
            return paths;
        };
        (path, old, new) = (deeper, its_old, its_new);
        if old.is_object() && new.is_object() {
            paths.push((path.clone(), new));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::changed;
    use crate::engine::part::cut;
    use berth_core::explain::Change;

    fn tolerated(text: &str) -> String {
        let part = cut(text, 1, 1, String::new()).expect("it is a block");
        let change = Change::Tolerate {
            key: "gpu".to_owned(),
        };
        changed(text, &part, &[change]).expect("it holds a pod")
    }

    #[test]
    fn only_the_block_that_changes_is_written_anew() {
        let text = "kind: Pod # one\nmetadata:\n  # two\n  name: a\nspec:\n  schedulerName: x\n---\nkind: Node\n";
        let expected = "kind: Pod # one\nmetadata:\n  # two\n  name: a\nspec:\n  schedulerName: x\n  tolerations:\n  - key: gpu\n    operator: Exists\n---\nkind: Node\n";
        assert_eq!(tolerated(text), expected);
    }

    #[test]
    fn a_style_without_lines_becomes_one_with_lines() {
        let text = "kind: Pod\nspec: {schedulerName: x}\n";
        let found = tolerated(text);
        assert!(found.starts_with("kind: Pod\nspec:\n"), "{found}");
        assert!(found.contains("- key: gpu\n"), "{found}");
    }
}
