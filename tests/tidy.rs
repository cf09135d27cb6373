//! Whether the tree is as the house style says, as far as no compiler and no lint can tell.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use berth_tests::root;
use berth_tests::source::{code_only, is_name, line_of, names_after};

/// The core's modules from low to high. A module may import those on lower rows; those on one row do not know each other.
const ROWS: &[&[&str]] = &[
    &["api"],
    &["config"],
    &["snapshot"],
    &["framework"],
    &["queue", "cache"],
    &["preemption"],
    &["plugins"],
    &["scheduler"],
    &["sim", "explain"],
    &["picture"],
];

/// Arrows inside a row: who, whom. Each came with a commit of its own that says why.
const SIDEWAYS: &[(&str, &str)] = &[];

/// Files that everyone may import, and that import only each other.
const LEAVES: &[&str] = &["time", "rng", "node_set", "num", "order"];

/// Builders for tests: everyone's tests may import them, and they build on `api`.
const BUILDERS: &str = "make";

/// Modules in which text is never put together: what they have to say is a record or a reason.
const WITHOUT_TEXT: &[&str] = &["queue", "cache", "snapshot", "plugins", "scheduler"];

/// Folders of data as others wrote it.
const DATA: &[&str] = &[
    "tests/vectors/",
    "tests/cases/",
    "tests/real/",
    "tests/workloads/",
];

#[test]
fn nothing_in_rust_is_named_core() {
    let why = "it would shadow the language's `core` and break derives";
    let mut faults = Vec::new();
    for (path, text) in texts(|path| path.ends_with("Cargo.toml")) {
        let mut section = "";
        for (number, line) in numbered(&text) {
            if line.starts_with('[') {
                section = line.trim();
            }
            let (key, value) = line
                .split_once('=')
                .map_or((line, ""), |(k, v)| (k.trim(), v.trim()));
            let is_package = key == "name" && value == "\"core\"";
            let is_dependency =
                section.contains("dependencies") && (key == "core" || key.starts_with("core."));
            if is_package || is_dependency || section.ends_with("dependencies.core]") {
                faults.push(format!("{path}:{number}: `{}`: {why}", line.trim()));
            }
        }
    }
    for (path, text) in texts(is_rust) {
        let code = code_only(&text);
        for words in ["mod core", "as core"] {
            for at in whole_words(&code, words) {
                faults.push(format!("{path}:{}: `{words}`: {why}", line_of(&code, at)));
            }
        }
    }
    report(&faults);
}

#[test]
fn imports_inside_the_core_go_one_way() {
    let mut faults = Vec::new();
    for (path, text) in texts(|path| is_rust(path) && path.starts_with("core/src/")) {
        let modules = module_path(&path);
        let Some(from) = modules.first() else {
            continue;
        };
        let code = code_only(&text);
        let mut names = names_after(&code, "crate::");
        for ups in modules.len()..modules.len() + 2 {
            names.extend(names_after(&code, &"super::".repeat(ups)));
        }
        names.retain(|(_, to)| to != from && is_module(to));
        for (line, to) in names {
            if !may_import(from, &to) {
                faults.push(format!(
                    "{path}:{line}: `{from}` imports `{to}`, which is not below it; move what is shared down, or \
                     propose the arrow in a commit of its own"
                ));
            }
        }
    }
    report(&faults);
}

#[test]
fn every_module_of_the_core_has_a_place_in_the_order() {
    let unplaced = core_modules().into_iter().filter(|name| !is_module(name));
    report(&collect(unplaced.map(|name| {
        format!("core/src: `{name}` is in no row of ROWS in tests/tidy.rs; say what it may import")
    })));
}

#[test]
fn every_rust_file_is_reached_by_a_mod() {
    let files: BTreeSet<PathBuf> = texts(is_rust).into_keys().map(PathBuf::from).collect();
    let mut reached = BTreeSet::new();
    let mut open: Vec<(PathBuf, bool)> = crate_roots(&files)
        .into_iter()
        .map(|path| (path, true))
        .collect();
    while let Some((path, is_root)) = open.pop() {
        if !reached.insert(path.clone()) {
            continue;
        }
        let folder = if is_root || path.ends_with("mod.rs") {
            path.with_file_name("")
        } else {
            path.with_extension("")
        };
        let code = code_only(&read(&path));
        for (_, name) in names_after(&code, "mod ") {
            let candidates = [
                folder.join(format!("{name}.rs")),
                folder.join(&name).join("mod.rs"),
            ];
            open.extend(
                candidates
                    .into_iter()
                    .filter(|path| files.contains(path))
                    .map(|path| (path, false)),
            );
        }
    }
    report(&collect(files.difference(&reached).map(|path| {
        format!(
            "{}: no `mod` reaches it, so it is not compiled; name it or delete it",
            path.display()
        )
    })));
}

#[test]
fn nothing_is_left_to_be_done() {
    let marks = [concat!("FIX", "ME"), concat!("todo", "!(")];
    let mut faults = Vec::new();
    for (path, text) in texts(is_ours) {
        for (number, line) in numbered(&text) {
            for mark in marks.iter().filter(|mark| line.contains(**mark)) {
                faults.push(format!(
                    "{path}:{number}: `{mark}` is left; do it or file it"
                ));
            }
        }
    }
    report(&faults);
}

#[test]
fn no_line_ends_in_space() {
    let mut faults = Vec::new();
    for (path, text) in texts(is_ours) {
        let lines = numbered(&text).filter(|(_, line)| line.ends_with([' ', '\t', '\r']));
        faults.extend(lines.map(|(number, _)| format!("{path}:{number}: ends in space")));
        if !text.is_empty() && !text.ends_with('\n') {
            faults.push(format!("{path}: has no line break at its end"));
        }
    }
    report(&faults);
}

#[test]
fn every_markdown_file_has_a_title() {
    let untitled = texts(|path| path.ends_with(".md"))
        .into_iter()
        .filter(|(_, text)| {
            let first = text.lines().find(|line| !line.trim().is_empty());
            !first.is_some_and(|line| line.starts_with("# "))
        });
    report(&collect(untitled.map(|(path, _)| {
        format!("{path}: does not begin with a title; its first line should be `# ` and what it is about")
    })));
}

#[test]
fn no_path_of_one_machine_is_written_down() {
    let folders = [
        concat!("/wo", "rk/"),
        concat!("/ro", "ot/"),
        concat!("/ho", "me/"),
    ];
    let mut faults = Vec::new();
    for (path, text) in texts(is_ours) {
        for folder in folders {
            for (at, _) in text.match_indices(folder) {
                let before = text[..at].chars().next_back();
                let after = text[at + folder.len()..].chars().next();
                let begins = !before.is_some_and(|c| is_name(c) || "./-}~".contains(c));
                if begins && after.is_some_and(is_name) {
                    let line = line_of(&text, at);
                    faults.push(format!("{path}:{line}: `{folder}…` exists on one machine only; say it relative to the checkout"));
                }
            }
        }
    }
    report(&faults);
}

#[test]
fn decisions_put_no_text_together() {
    let mut faults = Vec::new();
    let is_decision = |path: &str| {
        is_rust(path)
            && !is_unit_test(path)
            && WITHOUT_TEXT
                .iter()
                .any(|module| path.starts_with(&format!("core/src/{module}")))
    };
    for (path, text) in texts(is_decision) {
        let code = code_only(&text);
        for at in whole_words(&code, "format!") {
            let line = line_of(&code, at);
            faults.push(format!("{path}:{line}: `format!`; return a Reason or emit a record, its Display is the text"));
        }
    }
    report(&faults);
}

#[test]
fn every_rule_is_held_by_a_test_that_is_there() {
    let sources = texts(is_rust);
    let tests: BTreeSet<&str> = sources
        .values()
        .flat_map(|text| text.lines())
        .filter_map(|line| line.trim_start().strip_prefix("fn ")?.split('(').next())
        .collect();
    let mut faults = Vec::new();
    for (path, text) in texts(|path| path.starts_with("tests/rules") && path.ends_with(".tsv")) {
        for (number, line) in numbered(text.trim_end()) {
            match line.split('\t').collect::<Vec<_>>()[..] {
                [section, rule, test] if !section.is_empty() && !rule.is_empty() => {
                    // A rule of something that Berth does not have is held by none, and the line says so.
                    if test != "-" && !tests.contains(test) {
                        faults.push(format!("{path}:{number}: there is no test `{test}`"));
                    }
                }
                _ => faults.push(format!(
                    "{path}:{number}: expected section, rule and test, parted by tabs"
                )),
            }
        }
    }
    report(&faults);
}

#[test]
fn the_code_map_names_what_is_there() {
    let text = read(Path::new("core/src/lib.rs"));
    let mapped: BTreeSet<String> = text
        .lines()
        .filter_map(|line| line.strip_prefix("//! | `")?.split_once('`'))
        .map(|(name, _)| name.to_owned())
        .collect();
    let there = core_modules();
    let missing = there.difference(&mapped);
    let gone = mapped.difference(&there);
    let faults = missing
        .map(|name| format!("core/src/lib.rs: the code map lacks `{name}`"))
        .chain(gone.map(|name| {
            format!("core/src/lib.rs: the code map names `{name}`, which is not in core/src")
        }));
    report(&collect(faults));
}

#[test]
fn the_tools_are_of_the_versions_that_the_page_is_built_with() {
    let versions = read(Path::new(".ci/versions"));
    let pinned = |name: &str| {
        let line = versions
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
        line.unwrap_or_else(|| panic!(".ci/versions does not set {name}"))
    };
    let bindgen = pinned("WASM_BINDGEN_VERSION");
    let binaryen = pinned("BINARYEN_VERSION")
        .split('.')
        .next()
        .unwrap_or_default();
    let expected = [
        ("Cargo.toml", format!("wasm-bindgen = \"={bindgen}\"")),
        (".trunk.toml", format!("wasm_bindgen = \"{bindgen}\"")),
        (".trunk.toml", format!("wasm_opt = \"version_{binaryen}\"")),
    ];
    let wrong = expected
        .iter()
        .filter(|(path, line)| !read(Path::new(path)).lines().any(|found| found == line));
    report(&collect(wrong.map(|(path, line)| {
        format!("{path}: lacks `{line}`, which .ci/versions asks for")
    })));
}

/// Whether the order lets `from` import `to`, both modules of the core.
fn may_import(from: &str, to: &str) -> bool {
    if LEAVES.contains(&to) || (to == BUILDERS && !LEAVES.contains(&from)) {
        return true;
    }
    if from == BUILDERS {
        return to == "api";
    }
    match (row(from), row(to)) {
        (Some(from_row), Some(to_row)) => to_row < from_row || SIDEWAYS.contains(&(from, to)),
        _ => false,
    }
}

fn row(module: &str) -> Option<usize> {
    ROWS.iter().position(|row| row.contains(&module))
}

fn is_module(name: &str) -> bool {
    LEAVES.contains(&name) || name == BUILDERS || row(name).is_some()
}

/// The files and folders directly under the core's source, without `lib`.
fn core_modules() -> BTreeSet<String> {
    let paths = texts(|path| is_rust(path) && path.starts_with("core/src/")).into_keys();
    paths
        .filter_map(|path| module_path(&path).into_iter().next())
        .collect()
}

/// The module that a file of the core is, from the crate's root: `core/src/queue/heap.rs` is `queue`, `heap`.
fn module_path(path: &str) -> Vec<String> {
    let path = path.trim_start_matches("core/src/").trim_end_matches(".rs");
    let names = path
        .split('/')
        .filter(|name| *name != "mod" && *name != "lib");
    names.map(str::to_owned).collect()
}

/// Where a compiler starts to read: what a manifest names, and where cargo looks by itself.
fn crate_roots(files: &BTreeSet<PathBuf>) -> Vec<PathBuf> {
    let mut roots = Vec::new();
    for (manifest, text) in texts(|path| path.ends_with("/Cargo.toml")) {
        let folder = Path::new(&manifest).with_file_name("");
        let named = text
            .lines()
            .filter_map(|line| line.strip_prefix("path = \"")?.strip_suffix('"'));
        roots.extend(named.map(|path| folder.join(path)));
        roots.extend(["src/lib.rs", "src/main.rs", "build.rs"].map(|path| folder.join(path)));
        let found = ["src/bin", "benches", "examples"].map(|path| folder.join(path));
        roots.extend(
            files
                .iter()
                .filter(|path| found.iter().any(|folder| path.parent() == Some(folder)))
                .cloned(),
        );
    }
    roots.retain(|path| files.contains(path));
    roots
}

/// Where `words` stand in `code` and are not part of a longer name.
fn whole_words(code: &str, words: &str) -> Vec<usize> {
    let found = code.match_indices(words).map(|(at, _)| at);
    found
        .filter(|at| !code[..*at].chars().next_back().is_some_and(is_name))
        .filter(|at| !code[at + words.len()..].chars().next().is_some_and(is_name))
        .collect()
}

fn is_rust(path: &str) -> bool {
    Path::new(path)
        .extension()
        .is_some_and(|extension| extension == "rs")
}

fn is_unit_test(path: &str) -> bool {
    path.ends_with("/tests.rs") || path.contains("/tests/")
}

/// Whether we wrote it: not data that others wrote, and not what a tool or a lawyer did.
fn is_ours(path: &str) -> bool {
    !DATA.iter().any(|folder| path.starts_with(folder))
        && !path.ends_with(".lock")
        && path != "LICENSE"
}

/// The text files of the checkout that `is_wanted` picks, by path from the root. Others than text are left out.
fn texts(is_wanted: impl Fn(&str) -> bool) -> BTreeMap<String, String> {
    let output = Command::new("git")
        .args([
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ])
        .current_dir(root())
        .output()
        .expect("git is on the path");
    assert!(
        output.status.success(),
        "git ls-files: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let paths = String::from_utf8(output.stdout).expect("paths are UTF-8");
    let wanted = paths.split_terminator('\0').filter(|path| is_wanted(path));
    wanted
        .filter_map(|path| Some((path.to_owned(), fs::read_to_string(root().join(path)).ok()?)))
        .collect()
}

fn read(path: &Path) -> String {
    fs::read_to_string(root().join(path))
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split('\n')
        .enumerate()
        .map(|(index, line)| (index + 1, line))
}

fn collect(faults: impl Iterator<Item = String>) -> Vec<String> {
    faults.collect()
}

/// Fails with all of `faults`, if there are any.
fn report(faults: &[String]) {
    assert!(
        faults.is_empty(),
        "{} found:\n{}",
        faults.len(),
        faults.join("\n")
    );
}
