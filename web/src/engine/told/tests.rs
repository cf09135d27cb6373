use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::{Told, hole, is_han, translate};
use crate::engine::Engine;
use crate::protocol::{FromWorker, Said, ToWorker, Wrong};

const TABLE: &str = include_str!("../told.tsv");

/// The names of the holes of a sentence, without the sign that they are told, too.
fn names(sentence: &str) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    let mut rest = sentence;
    while let Some((_, name, after)) = hole(rest) {
        names.insert(name.trim_end_matches('!'));
        rest = after;
    }
    names
}

#[test]
fn every_line_says_the_same_in_both_languages() {
    let told = Told::of(TABLE);
    assert!(told.sentences.len() > 80 && told.parts.len() > 80);
    let mut seen = BTreeSet::new();
    for (en, zh) in told.sentences.iter().chain(&told.parts) {
        assert!(seen.insert(en), "{en:?} stands there twice");
        assert!(!zh.contains('\t') && !zh.is_empty(), "{en:?}");
        let extra: Vec<&str> = names(zh).difference(&names(en)).copied().collect();
        assert!(extra.is_empty(), "{en:?} has no {extra:?}");
    }
    let lines = TABLE.lines().filter(|line| !line.starts_with('#'));
    let odd: Vec<&str> = lines
        .filter(|line| *line != "---" && line.matches('\t').count() != 1)
        .collect();
    assert!(odd.is_empty(), "{odd:#?}");
}

#[test]
fn sentences_are_told_with_what_stands_in_them() {
    let cases = [
        (
            "\"1x\" is not a quantity; expected a number with an optional suffix such as 500m or 2",
            "\"1x\" 不是数量；应为数字，可带后缀，例如 500m 或 2",
        ),
        (
            "this is a list; expected a number, or a percentage such as 25%",
            "这是列表；应为数字，或百分比，例如 25%",
        ),
        (
            "its pod is refused: spec.containers[0].image: nothing is given; expected the image to run",
            "它的 Pod 被拒绝：spec.containers[0].image：没有给出；应有要运行的镜像",
        ),
        (
            "the scenario is too large for a link: 70000 characters; expected at most 60000",
            "场景太大，放不进链接：70000 个字符；最多 60000",
        ),
        (
            "\"Sometimes\" is not known; expected Always, OnFailure or Never",
            "未知的 \"Sometimes\"；应为 Always, OnFailure 或 Never",
        ),
        (
            "spec.nodeName: there is no node n-7 (3 pods in all)",
            "spec.nodeName：没有节点 n-7（共 3 个 Pod）",
        ),
        (
            "cpu is forbidden; expected cpu or memory beside it",
            "不允许 cpu；应同时请求 cpu 或 memory",
        ),
    ];
    let told = Told::of(TABLE);
    for (en, expected) in cases {
        assert_eq!(told.in_chinese(en, false).as_deref(), Some(expected));
    }
    // What kube-scheduler says stays as it is, also where a mere phrase would fit.
    for en in [
        "initializing plugin \"NodeResourcesFit\": Invalid value or type",
        "0/3 nodes are available: 3 Insufficient cpu.",
    ] {
        assert_eq!(told.in_chinese(en, false), None);
    }
}

#[test]
fn what_is_wrong_with_a_text_is_told_in_chinese() {
    let pod = |rest: &str| {
        format!("apiVersion: v1\nkind: Pod\nmetadata: {{name: a}}\nspec: {{{rest}}}\n")
    };
    let texts = [
        "\0".to_owned(),
        String::new(),
        "a: [".to_owned(),
        "a: 1\na: 2\n".to_owned(),
        "- 1".to_owned(),
        "kind: Pod\n\tname: a\n".to_owned(),
        "{\"kind\": \"Pod\",, }".to_owned(),
        "apiVersion: v1\nkind: Pod\nmetadata: {name: Upper}\n".to_owned(),
        pod("containers: []"),
        pod("containers: [{name: a}]"),
        pod("containers: [{name: a, image: a, resources: {requests: {cpu: 1x}}}]"),
        pod("containers: [{name: a, image: a}], restartPolicy: Sometimes"),
        pod("containers: [{name: a, image: a}], priority: high"),
        pod("containers: 3"),
        "apiVersion: berth.dev/v1alpha1\nkind: Scenario\nspec: {seeds: 3}\n".to_owned(),
        "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n---\napiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n".to_owned(),
    ];
    for text in texts {
        let mut engine = Engine::default();
        let mut answers = engine.take(ToWorker::Load {
            name: "a.yaml".to_owned(),
            text: text.clone(),
        });
        let answer = answers
            .first_mut()
            .unwrap_or_else(|| panic!("{text:?} is taken"));
        translate(answer, TABLE);
        let FromWorker::Errors { errors, .. } = answer else {
            panic!("{text:?}: {answer:?}");
        };
        for Wrong { message, .. } in errors {
            assert!(message.zh.contains(is_han), "{text:?}: {message:?}");
        }
    }
}

#[test]
fn why_a_link_cannot_be_opened_is_told_in_chinese() {
    for link in ["hello", "s1=abc", "s1=abc.zzzzzz", "s9=abc.zzzzzz"] {
        let mut engine = Engine::default();
        let link = link.to_owned();
        let mut answers = engine.take(ToWorker::Open { link });
        translate(&mut answers[0], TABLE);
        let FromWorker::BadLink { message } = &answers[0] else {
            panic!("{answers:?}");
        };
        assert!(message.zh.contains(is_han), "{message:?}");
    }
    let english = Said::from("x".to_owned());
    assert_eq!(english.words(berth_core::picture::scene::Lang::Zh), "x");
}

/// Nothing that the core says of texts and runs is left out of the table.
#[test]
fn the_table_has_what_the_core_says() {
    let core = Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/src");
    let told = Told::of(TABLE);
    let all = told.sentences.iter().chain(&told.parts);
    let known: Vec<String> = all.map(|(en, _)| plain(en)).collect();
    let mut missing = Vec::new();
    let mut found = 0;
    for folder in FOLDERS {
        for file in sources(&core.join(folder)) {
            let name = file
                .strip_prefix(&core)
                .unwrap_or(&file)
                .display()
                .to_string();
            if NOT_SAID.iter().any(|other| name == *other) {
                continue;
            }
            let text = fs::read_to_string(&file).expect("a source can be read");
            for literal in literals(&text).into_iter().filter(|it| is_sentence(it)) {
                found += 1;
                let is_told = told.in_chinese(&literal, true).is_some();
                let literal = plain(&literal);
                let literal = literal.trim();
                let is_part = known.iter().any(|known| known.contains(literal));
                if !is_told && !is_part && !NOT_WORDS.contains(&literal) {
                    missing.push(format!("{name}: {literal}"));
                }
            }
        }
    }
    assert!(found > 100, "{found}");
    assert!(missing.is_empty(), "{missing:#?}");
}

fn sources(place: &Path) -> Vec<PathBuf> {
    if place.is_file() {
        return vec![place.to_owned()];
    }
    let entries = fs::read_dir(place).expect("the folder is there").flatten();
    let mut files: Vec<PathBuf> = entries.flat_map(|entry| sources(&entry.path())).collect();
    files.retain(|file| {
        let path = file.display().to_string();
        path.ends_with(".rs") && !path.contains("test")
    });
    files.sort();
    files
}

/// The texts in a source that are no comments, reasons of lints or proofs.
fn literals(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    let code: String = source
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .map(|line| line.replace("'\"'", "' '"))
        .collect::<Vec<String>>()
        .join("\n");
    let mut rest = code.as_str();
    while let Some((before, tail)) = rest.split_once('"') {
        let mut end = 0;
        let bytes = tail.as_bytes();
        while end < bytes.len() && bytes[end] != b'"' {
            end += if bytes[end] == b'\\' { 2 } else { 1 };
        }
        let end = end.min(tail.len());
        let before = before.trim_end();
        if !before.ends_with("reason =") && !before.ends_with("expect(") {
            found.push(unescaped(&tail[..end]));
        }
        rest = tail.get(end + 1..).unwrap_or_default();
    }
    found
}

fn unescaped(literal: &str) -> String {
    let mut text = String::new();
    let mut lines = literal.split("\\\n");
    text.push_str(lines.next().unwrap_or_default());
    for line in lines {
        text.push_str(line.trim_start());
    }
    text.replace("\\\"", "\"").replace("\\\\", "\\")
}

/// The text with all holes alike.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, _, after)) = hole(rest) {
        plain.push_str(before);
        plain.push_str("{}");
        rest = after;
    }
    plain + rest
}

/// Whether somebody reads it as words: some of it beside its holes.
fn is_sentence(literal: &str) -> bool {
    let plain = plain(literal).replace("{}", " ");
    let words = plain.split(' ').filter(|word| {
        word.len() > 1
            && word
                .chars()
                .all(|c| c.is_ascii_lowercase() || c == ',' || c == ';')
    });
    literal.contains(' ') && words.count() > 1
}

/// Where what people write is read, checked and run.
const FOLDERS: [&str; 7] = [
    "sim",
    "api/decode",
    "api/meta.rs",
    "api/quantity.rs",
    "api/schema.rs",
    "config/decode/older.rs",
    "config/decode/profile.rs",
];
/// What an API server or an extender would say in a run, which stays English, and texts that nobody is told.
const NOT_SAID: [&str; 6] = [
    "sim/extenders.rs",
    "sim/faults.rs",
    "sim/world/effects.rs",
    "sim/world/store.rs",
    "sim/run/happen.rs",
    "sim/yaml.rs",
];
/// What Kubernetes or the command line says, what a proof says, and a frame whose parts are told.
const NOT_WORDS: [&str; 7] = [
    "it is not among the objects",
    "Scheduling is blocked due to non-empty scheduling gates",
    "{}; expected an object with apiVersion and kind",
    "decides nothing here; ignored",
    "is not supported; ignored",
    "a field's name is ASCII",
    "algorithm provider \"{}\" is not registered; expected DefaultProvider or ClusterAutoscalerProvider",
];
