//! What the README says of the command line, done: its files are written as they stand there, its commands are run.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use berth_tests::binary::binary;
use berth_tests::root;

/// Sections whose commands need a cluster, a browser or hours.
const ELSEWHERE: [&str; 2] = ["## In a cluster", "## Longer runs"];

/// A block of code in the README.
struct Block {
    section: String,
    language: String,
    text: String,
}

fn blocks() -> Vec<Block> {
    let readme = fs::read_to_string(root().join("README.md")).expect("there is a README");
    let mut blocks: Vec<Block> = Vec::new();
    let (mut section, mut is_open) = (String::new(), false);
    for line in readme.lines() {
        if let Some(language) = line.strip_prefix("```") {
            is_open = !is_open;
            if is_open {
                blocks.push(Block {
                    section: section.clone(),
                    language: language.to_owned(),
                    text: String::new(),
                });
            }
        } else if is_open {
            let block = blocks.last_mut().expect("a block is open");
            block.text.push_str(line);
            block.text.push('\n');
        } else if line.starts_with("## ") {
            line.clone_into(&mut section);
        }
    }
    blocks
}

/// A folder with the README's files, and with a cluster where the README has kubectl write one.
fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("readme");
    fs::create_dir_all(&folder).expect("the folder can be made");
    for block in blocks() {
        let name = block
            .text
            .lines()
            .next()
            .and_then(|line| line.strip_prefix("# "));
        if let (Some(name), "yaml") = (name, block.language.as_str()) {
            fs::write(folder.join(name), &block.text).expect("the file can be written");
        }
    }
    let cluster = "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\nstatus: {allocatable: {cpu: '2', pods: '9'}}\n---\n\
                   apiVersion: v1\nkind: Pod\nmetadata: {name: web-1}\nspec: {containers: [{name: c, image: i}]}\n";
    fs::write(folder.join("cluster.yaml"), cluster).expect("the file can be written");
    folder
}

#[test]
fn every_command_of_the_readme_does_what_it_is_there_for() {
    let folder = folder();
    let mut count = 0;
    for block in blocks() {
        if block.language != "sh" || ELSEWHERE.contains(&block.section.as_str()) {
            continue;
        }
        for line in block.text.lines() {
            let line = line.replace("cargo run --release -p berth --", "berth");
            if !line.starts_with("berth ") {
                continue;
            }
            let script = format!("set -e; berth() {{ \"$BERTH\" \"$@\"; }}; {line}");
            let output = Command::new("sh")
                .args(["-c", &script])
                .env("BERTH", binary())
                .current_dir(&folder)
                .output()
                .expect("there is a shell");
            let code = output.status.code().expect("it ends by itself");
            let stderr = String::from_utf8_lossy(&output.stderr);
            // A pod that stays pending is what `explain` is for.
            let is_well = code == 0 || (code == 4 && line.starts_with("berth explain"));
            assert!(is_well, "{line}\n{code}: {stderr}");
            assert!(!stderr.contains("warning"), "{line}\n{stderr}");
            count += 1;
        }
    }
    assert!(count >= 10, "the README shows {count} commands");
}

#[test]
fn the_files_of_the_readme_are_used_without_a_warning() {
    let folder = folder();
    for block in blocks() {
        let name = block
            .text
            .lines()
            .next()
            .and_then(|line| line.strip_prefix("# "));
        let is_scenario = block.text.contains("kind: Scenario");
        if let (Some(name), "yaml", true) = (name, block.language.as_str(), is_scenario) {
            let output = Command::new(binary())
                .args(["simulate", "-o", "json", name])
                .current_dir(&folder)
                .output()
                .expect("it starts");
            let report: serde_json::Value =
                serde_json::from_slice(&output.stdout).expect("it is JSON");
            assert_eq!(report["warnings"], serde_json::json!([]), "{name}");
            let states: Vec<_> = report["pods"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|pod| pod["state"].as_str().unwrap_or_default())
                .collect();
            assert!(states.contains(&"Bound"), "{states:?}");
        }
    }
}

#[test]
fn the_other_configuration_of_the_readme_makes_a_difference() {
    let folder = folder();
    let waiting = |more: &[&str]| -> Vec<String> {
        let output = Command::new(binary())
            .args(["simulate", "-o", "json", "shop.yaml"])
            .args(more)
            .current_dir(&folder)
            .output()
            .expect("it starts");
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
        let pods = report["pods"].as_array().into_iter().flatten();
        pods.filter(|pod| pod["state"] == "Unschedulable")
            .map(|pod| pod["name"].as_str().unwrap_or_default().to_owned())
            .collect()
    };
    assert_eq!(waiting(&[]), Vec::<String>::new());
    assert_eq!(waiting(&["--config", "scheduler.yaml"]), ["web-6"]);
}

#[test]
fn the_readme_shows_every_command() {
    let text: String = blocks()
        .into_iter()
        .filter(|block| block.language == "sh")
        .map(|block| block.text)
        .collect();
    for command in [
        "simulate",
        "explain",
        "render",
        "share",
        "open",
        "config check",
        "config convert",
        "run",
        "capture",
        "--events",
    ] {
        let is_shown =
            text.contains(&format!("berth {command} ")) || text.contains(&format!(" {command} "));
        assert!(is_shown, "the README shows no `{command}`");
    }
}
