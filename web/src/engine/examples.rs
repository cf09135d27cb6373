//! Which scenarios come with the page. Their texts are part of the worker, so nothing is fetched for them.

use berth_core::order;
use berth_core::sim::{SourceText, load};

use crate::protocol::Example;

/// The list of the gallery: the recorded shop, then what lies in `static/scenarios`, by name.
pub(super) fn list() -> Vec<Example> {
    let examples = SCENARIOS.iter().map(|(name, text)| describe(name, text));
    let mut examples: Vec<Example> = examples.collect();
    order::sort_by_key(&mut examples, |example| example.name != SHOP);
    examples
}

/// The text of an example.
pub(super) fn text(name: &str) -> Option<&'static str> {
    let found = SCENARIOS.iter().find(|(known, _)| *known == name);
    found.map(|(_, text)| *text)
}

/// What a scenario says of itself: its description begins with the question that it answers.
fn describe(name: &str, text: &str) -> Example {
    // What it is stands before what is in it; the rest is read when it is opened.
    let head = text
        .find("\nspec:")
        .and_then(|end| text.get(..=end))
        .unwrap_or(text);
    let loaded = load(&[SourceText {
        name,
        bytes: head.as_bytes(),
    }]);
    let scenario = loaded.scenario;
    let description = scenario.description.trim();
    let (question, about) = match description.find('?') {
        Some(end) => description.split_at(end + 1),
        None => ("", description),
    };
    Example {
        name: name.to_owned(),
        title: if scenario.title.is_empty() {
            name.to_owned()
        } else {
            scenario.title
        },
        question: question.trim().to_owned(),
        about: about.trim().to_owned(),
    }
}

const SHOP: &str = "shop";

/// Names and texts of the files in `static/scenarios`.
const SCENARIOS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/scenarios.rs"));

#[cfg(test)]
mod tests {
    use super::{describe, list, text};

    #[test]
    fn every_example_has_a_text() {
        for example in list() {
            assert!(text(&example.name).is_some(), "{}", example.name);
        }
    }

    #[test]
    fn the_question_stands_first_in_the_description() {
        let text = "apiVersion: berth/v1\nkind: Scenario\nmetadata: {name: a, title: A, description: \"Why? Because. Two lines.\"}\nspec: {}\n";
        let example = describe("a", text);
        assert_eq!(
            (example.title.as_str(), example.question.as_str()),
            ("A", "Why?")
        );
        assert_eq!(example.about, "Because. Two lines.");
    }
}
