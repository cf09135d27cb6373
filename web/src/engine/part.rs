//! Where in a text the one object stands that a moment is about: the pod, or what made it.

use berth_core::picture::timeline::PodFacts;
use berth_core::sim::{Action, Content, Entry, Scenario};

use crate::protocol::Part;

/// The object behind a pod: the pod itself, the group it is one of, its controller, or the controller's.
pub(super) fn find(text: &str, scenario: &Scenario, pod: &PodFacts) -> Option<Part> {
    let meta = &pod.pod().metadata;
    let top = pod.workload.key.rsplit('/').nth(1).unwrap_or_default();
    let owner = meta.controller_owner();
    let wanted = [
        Some(("Pod", meta.name.as_str())),
        owner.map(|owner| (owner.kind.as_str(), owner.name.as_str())),
        Some((top, pod.workload.name.as_str())),
    ];
    let later = scenario
        .timeline
        .iter()
        .filter_map(|entry| match &entry.action {
            Action::Apply(entries) => Some(entries),
            _ => None,
        });
    let entries = || scenario.objects.iter().chain(later.clone().flatten());
    let mut found = wanted.into_iter().flatten().filter_map(|(kind, name)| {
        entries().find(|entry| is_it(entry, kind, &meta.namespace, name))
    });
    let entry = found.next()?;
    let name = name_of(entry);
    cut(text, entry.origin.line, entry.origin.column, name)
}

fn is_it(entry: &Entry, kind: &str, namespace: &str, name: &str) -> bool {
    match &entry.content {
        Content::Object(object) => {
            let key = object.key();
            let its = if key.namespace.is_empty() {
                "default"
            } else {
                &key.namespace
            };
            key.kind.to_string() == kind && its == namespace && key.name == name
        }
        Content::Group(group) => {
            let (before, after) = group.name.split_once("{i}").unwrap_or((&group.name, ""));
            let number = name
                .strip_prefix(before)
                .and_then(|rest| rest.strip_suffix(after));
            let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
            group.template["kind"] == kind && number.is_some_and(is_number)
        }
    }
}

fn name_of(entry: &Entry) -> String {
    match &entry.content {
        Content::Object(object) => {
            let key = object.key();
            format!("{} {}", key.kind, key.name)
        }
        Content::Group(group) => {
            let kind = group.template["kind"].as_str().unwrap_or_default();
            format!("{kind} {}", group.name)
        }
    }
}

/// The block that begins at a place, as far as its lines are indented like it. Only for block style, whose lines say where
/// they belong.
pub(super) fn cut(text: &str, line: u32, column: u32, name: String) -> Option<Part> {
    let pad = column.checked_sub(1)? as usize;
    let skipped = text
        .split_inclusive('\n')
        .take(line.checked_sub(1)? as usize);
    let start: usize = skipped.map(str::len).sum();
    let mut lines = text.get(start..)?.split_inclusive('\n');
    let first = lines.next()?;
    let is_alone = first
        .get(..pad)?
        .bytes()
        .all(|byte| matches!(byte, b' ' | b'-'));
    if !is_alone || text.trim_start().starts_with('{') {
        return None;
    }
    let (mut at, mut end) = (start + first.len(), start + first.len());
    for line in lines {
        let words = line.trim_start_matches(' ');
        let is_blank = words.trim_end().is_empty() || words.starts_with('#');
        let is_over = line.len() - words.len() < pad || line.starts_with("---");
        if is_over && !is_blank {
            break;
        }
        at += line.len();
        if !is_blank {
            end = at;
        }
    }
    Some(Part {
        name,
        from: start + pad,
        to: end,
        pad,
        line,
    })
}

#[cfg(test)]
mod tests {
    use super::cut;

    fn told(text: &str, line: u32, column: u32) -> Option<String> {
        let part = cut(text, line, column, String::new())?;
        Some(part.inner(text))
    }

    #[test]
    fn a_block_ends_where_its_indentation_ends() {
        let text = "items:\n  - kind: A\n    b:\n    - c\n\n    d: 1\n\n  # Two.\n  - kind: B\n";
        assert_eq!(
            told(text, 2, 5).as_deref(),
            Some("kind: A\nb:\n- c\n\nd: 1\n")
        );
        assert_eq!(told(text, 9, 5).as_deref(), Some("kind: B\n"));
        assert_eq!(
            told("a: 1\n---\nb: 2\n---\nc: 3", 3, 1).as_deref(),
            Some("b: 2\n")
        );
        assert_eq!(told("a: 1\n- {at: 1s, apply: {kind: Pod}}\n", 2, 18), None);
        assert_eq!(told("{\n \"items\": [\n  {\n", 3, 3), None);
    }

    #[test]
    fn what_is_written_into_a_part_is_written_into_the_whole() {
        let text = "items:\n- kind: A\n  b: 1\n- kind: B\n";
        let part = cut(text, 2, 3, String::new()).expect("it is a block");
        let inner = part.inner(text);
        assert_eq!(part.put(text, &inner), text);
        assert_eq!(
            part.put(text, "kind: A\nb:\n\n- 2\n"),
            "items:\n- kind: A\n  b:\n\n  - 2\n- kind: B\n"
        );
    }
}
