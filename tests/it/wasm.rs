//! Whether the core in a wasm module is the core.
//!
//! `BERTH_FORMULAS=10000000 .ci/test --test it float_formulas` compares ten million random inputs of every formula that
//! computes in floats; 100,000 by default.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use berth_tests::{formulas, wasm_module};

/// Calls `function` of the module with `argument` in Node and returns what it returned.
pub(crate) fn call(module: &PathBuf, function: &str, argument: &str) -> String {
    let script = "const [module, name] = process.argv.slice(1);\
        const argument = require('fs').readFileSync(0, 'utf8');\
        process.stdout.write(require(module)[name](argument))";
    let mut child = Command::new("node")
        .args(["--eval", script])
        .arg(module)
        .arg(function)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("node is on the path");
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    stdin
        .write_all(argument.as_bytes())
        .expect("node reads its input");
    drop(stdin);
    let output = child.wait_with_output().expect("node ends");
    assert!(
        output.status.success(),
        "{function} failed in node: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).expect("the module returns UTF-8")
}

#[test]
fn text_crosses_into_wasm_and_back_unharmed() {
    let Some(module) = wasm_module() else {
        return;
    };
    let text = "pod/web-1 → node-2, 节点";
    assert_eq!(call(&module, "echo", text), text);
}

#[test]
fn float_formulas_give_the_same_bits_in_wasm() {
    let Some(module) = wasm_module() else {
        return;
    };
    let inputs = std::env::var("BERTH_FORMULAS").unwrap_or_else(|_| "100000".to_owned());
    let argument = format!("36 {inputs}");
    assert_eq!(
        call(&module, "formulas", &argument),
        formulas::answer(&argument)
    );
}
