//! Which scenarios come with the page. Their texts are part of the worker, so nothing is fetched for them.

use berth_core::order;
use berth_core::picture::scene::Lang;
use berth_core::sim::{SourceText, load};

use crate::protocol::{Example, Told};

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

/// A title in a language: that of an example, however it came, else as it is.
pub(super) fn title(title: &str, lang: Lang) -> String {
    let is_it = |text: &&str| {
        text.split('\n')
            .any(|line| line.strip_prefix("  title: ") == Some(title))
    };
    let texts = SCENARIOS.iter().map(|(_, text)| head(text));
    let found = match lang {
        Lang::En => None,
        Lang::Zh => texts
            .into_iter()
            .find(is_it)
            .and_then(|text| note(text, TITLE)),
    };
    found.unwrap_or(title).to_owned()
}

/// What a scenario says of itself: its description begins with the question that it answers.
fn describe(name: &str, text: &str) -> Example {
    let head = head(text);
    let loaded = load(&[SourceText {
        name,
        bytes: head.as_bytes(),
    }]);
    let scenario = loaded.scenario;
    let title = if scenario.title.is_empty() {
        name
    } else {
        &scenario.title
    };
    let en = told(title, &scenario.description, '?');
    let zh = match (note(head, TITLE), note(head, DESCRIPTION)) {
        (Some(title), Some(description)) => told(title, description, '？'),
        _ => en.clone(),
    };
    Example {
        name: name.to_owned(),
        told: [en, zh],
        figure: figure(name).unwrap_or_default().to_owned(),
    }
}

/// What the runs' test wrote down of a scenario's figure.
fn figure(name: &str) -> Option<&'static str> {
    let mut lines = FIGURES.split('\n');
    lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(' '))
}

fn told(title: &str, description: &str, mark: char) -> Told {
    let description = description.trim();
    let end = description.find(mark).map_or(0, |at| at + mark.len_utf8());
    let (question, about) = description.split_at(end);
    Told {
        title: title.to_owned(),
        question: question.to_owned(),
        about: about.trim_start().to_owned(),
    }
}

/// What a scenario is stands before what is in it; the rest is read when it is opened.
fn head(text: &str) -> &str {
    let end = text.find("\nspec:");
    end.and_then(|end| text.get(..=end)).unwrap_or(text)
}

/// An annotation of a head, which the scheduler's own reader leaves out: plain words on one line.
fn note<'t>(head: &'t str, key: &str) -> Option<&'t str> {
    let mut lines = head.split('\n');
    lines.find_map(|line| line.trim_start().strip_prefix(key))
}

const SHOP: &str = "shop";
const FIGURES: &str = include_str!("figures.txt");
const TITLE: &str = "berth/title.zh: ";
const DESCRIPTION: &str = "berth/description.zh: ";

/// Names and texts of the files in `static/scenarios`.
const SCENARIOS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/scenarios.rs"));

#[cfg(test)]
mod tests {
    use berth_core::picture::scene::Lang;

    use super::{describe, list, text, title};

    #[test]
    fn every_example_has_a_text_and_asks_in_both_languages() {
        for example in list() {
            assert!(text(&example.name).is_some(), "{}", example.name);
            assert!(example.figure.contains(' '), "{}", example.name);
            let [en, zh] = &example.told;
            assert!(en.question.ends_with('?'), "{en:?}");
            assert!(zh.question.ends_with('？'), "{zh:?}");
            for (en, zh) in [(&en.title, &zh.title), (&en.about, &zh.about)] {
                assert!(en.is_ascii() && !en.is_empty(), "{en}");
                assert!(zh.chars().any(|c| ('一'..'龥').contains(&c)), "{zh}");
            }
            assert_eq!(title(&en.title, Lang::Zh), zh.title);
        }
    }

    #[test]
    fn a_title_that_is_nobodys_stays() {
        assert_eq!(title("mine", Lang::Zh), "mine");
        assert_eq!(title("Preemption", Lang::En), "Preemption");
    }

    #[test]
    fn the_question_stands_first_in_the_description() {
        let text = "apiVersion: berth/v1\nkind: Scenario\nmetadata: {name: a, title: A, description: \"Why? Because. Two lines.\"}\nspec: {}\n";
        let example = describe("a", text);
        let en = example.told(Lang::En);
        assert_eq!((en.title.as_str(), en.question.as_str()), ("A", "Why?"));
        assert_eq!(en.about, "Because. Two lines.");
        assert_eq!(example.told(Lang::Zh), en);
    }
}
