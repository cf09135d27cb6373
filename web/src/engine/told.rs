//! What the core says of files, links and runs in English, in Chinese: by a table of sentences with holes.
//!
//! The table is a file of its own, which `.ci/split.mjs` puts beside the functions that come after the first screen: what is
//! wrong with a file nobody waits for then. Sentences that it does not have stay as they are, as those of kube-scheduler do.

use crate::protocol::{FromWorker, Said, Wrong};

/// Says in Chinese, too, what a message says in English.
#[inline(never)]
pub(super) fn translate(message: &mut FromWorker, table: &str) {
    let told = Told::of(table);
    match message {
        FromWorker::Loaded { run } => told.all(&mut run.warnings),
        FromWorker::Errors { errors, .. } => told.all(errors),
        FromWorker::BadLink { message, .. } | FromWorker::Link { message, .. } => told.add(message),
        _ => {}
    }
}

/// Whether a message quotes the core.
pub(super) fn is_told(message: &FromWorker) -> bool {
    match message {
        FromWorker::Loaded { run } => !run.warnings.is_empty(),
        FromWorker::Errors { .. } | FromWorker::BadLink { .. } => true,
        FromWorker::Link { link, .. } => link.is_none(),
        _ => false,
    }
}

/// Sentences and parts of sentences, each with its Chinese.
struct Told<'a> {
    sentences: Vec<(&'a str, &'a str)>,
    parts: Vec<(&'a str, &'a str)>,
}

impl<'a> Told<'a> {
    fn of(table: &'a str) -> Self {
        let (sentences, parts) = table.split_once("\n---\n").unwrap_or((table, ""));
        let lines = |text: &'a str| {
            let lines = text.lines().filter(|line| !line.starts_with('#'));
            lines.filter_map(|line| line.split_once('\t')).collect()
        };
        Self {
            sentences: lines(sentences),
            parts: lines(parts),
        }
    }

    fn all(&self, wrongs: &mut [Wrong]) {
        for wrong in wrongs {
            self.add(&mut wrong.path);
            self.add(&mut wrong.message);
        }
    }

    fn add(&self, said: &mut Said) {
        said.zh = self.in_chinese(&said.en, false).unwrap_or_default();
    }

    /// A sentence in Chinese; one that is part of another can be a mere phrase.
    fn in_chinese(&self, said: &str, is_part: bool) -> Option<String> {
        let parts = self.parts.iter().filter(|_| is_part);
        let mut all = self.sentences.iter().chain(parts);
        all.find_map(|(en, zh)| {
            let holes = holes(en, said)?;
            Some(self.fill(zh, &holes))
        })
    }

    fn fill(&self, zh: &str, holes: &[(&str, &str)]) -> String {
        let mut filled = String::new();
        let mut rest = zh;
        while let Some((before, name, after)) = hole(rest) {
            filled.push_str(before);
            let plain = name.trim_end_matches('!');
            let known = holes.iter().find(|(known, _)| *known == plain);
            let what = known.map_or("", |(_, what)| what);
            let told = (plain != name)
                .then(|| self.in_chinese(what, true))
                .flatten();
            let what = told.as_deref().unwrap_or(what);
            // A space between the scripts, as everywhere.
            let ends_in_han = filled.chars().next_back().is_some_and(is_han);
            if ends_in_han && what.starts_with(|c: char| c.is_ascii_alphanumeric()) {
                filled.push(' ');
            }
            filled.push_str(what);
            rest = after;
        }
        filled + rest
    }
}

fn is_han(c: char) -> bool {
    matches!(c, '\u{4E00}'..='\u{9FFF}')
}

/// What stands in the holes of a sentence, if it fits all of a text.
fn holes<'a>(sentence: &'a str, text: &'a str) -> Option<Vec<(&'a str, &'a str)>> {
    let Some((before, name, after)) = hole(sentence) else {
        return (sentence == text).then(Vec::new);
    };
    let text = text.strip_prefix(before)?;
    let next = hole(after).map_or(after, |(next, ..)| next);
    if next.is_empty() {
        return after.is_empty().then(|| vec![(name, text)]);
    }
    // The first place that fits; at the end of the sentence the last one.
    let is_last = next.len() == after.len();
    let at = if is_last {
        text.len().checked_sub(next.len())?
    } else {
        text.find(next)?
    };
    let mut found = vec![(name, text.get(..at)?)];
    found.extend(holes(after, text.get(at..)?)?);
    Some(found)
}

/// What stands before the first hole of a sentence, the hole's name, and what stands behind it.
fn hole(sentence: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = sentence.split_once('{')?;
    let (name, after) = rest.split_once('}')?;
    Some((before, name, after))
}

#[cfg(test)]
mod tests;
