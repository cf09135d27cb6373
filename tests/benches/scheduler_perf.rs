//! How fast upstream's workloads run here, natively and in wasm. `make bench` runs this; arguments are names to look for.
//!
//! Times are printed with the machine's description and gate nothing. A figure of ours stands for the scheduler with a
//! simulated API server beside it; upstream's has a real one, so the two do not compare.

use std::env;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use berth_tests::wasm_module;
use berth_tests::workloads::{Measurement, Workload, measure};

/// What is run when no name is given.
const WORKLOADS: &[&str] = &[
    "SchedulingBasic/5000Nodes",
    "SchedulingBasic/5000Nodes_10000Pods_QueueingHintsEnabled",
];

fn main() {
    let wanted: Vec<String> = env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with("--"))
        .collect();
    let workloads: Vec<Workload> = if wanted.is_empty() {
        WORKLOADS.iter().map(|name| Workload::named(name)).collect()
    } else {
        let is_wanted =
            |workload: &Workload| wanted.iter().any(|part| workload.name().contains(part));
        Workload::all().into_iter().filter(is_wanted).collect()
    };
    say(&machine());
    let module = wasm_module();
    for workload in &workloads {
        run(workload, module.as_deref());
    }
    say(&format!(
        "peak memory of this process: {} MiB",
        peak_mebibytes()
    ));
}

fn run(workload: &Workload, module: Option<&Path>) {
    let scenario = match workload.scenario() {
        Ok(scenario) => scenario.to_string(),
        Err(why) => return say(&format!("{}: skipped, {why}", workload.name())),
    };
    let start = Instant::now();
    let clock = || start.elapsed().as_secs_f64();
    let native = measure(&scenario, &clock);
    let floor = workload.floor().map_or_else(String::new, |floor| {
        format!(", upstream's floor with a real API server is {floor}")
    });
    say(&format!(
        "{}: {} nodes, {} of {} pods bound in {:.3} s: {:.0} pods/s native{floor}",
        workload.name(),
        workload.nodes(),
        native.bound,
        native.pods,
        native.seconds,
        rate(&native),
    ));
    let Some(module) = module else { return };
    let wasm = in_wasm(module, &scenario);
    let same = if wasm.digest == native.digest {
        "the same decisions"
    } else {
        "OTHER DECISIONS"
    };
    say(&format!(
        "{}: {:.0} pods/s in wasm, {:.2} times native's time, {same}",
        workload.name(),
        rate(&wasm),
        wasm.seconds / native.seconds,
    ));
}

fn rate(measurement: &Measurement) -> f64 {
    let bound = u32::try_from(measurement.bound).expect("pods are counted in thousands");
    f64::from(bound) / measurement.seconds
}

/// Runs the scenario in Node: `bound pods seconds digest` comes back.
fn in_wasm(module: &Path, scenario: &str) -> Measurement {
    let script = "const text = require('fs').readFileSync(0, 'utf8');\
        process.stdout.write(require(process.argv[1]).measure(text))";
    let mut child = Command::new("node")
        .args(["--eval", script])
        .arg(module)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("node is on the path");
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    stdin
        .write_all(scenario.as_bytes())
        .expect("node reads its input");
    drop(stdin);
    let output = child.wait_with_output().expect("node ends");
    assert!(output.status.success(), "the module failed in node");
    let text = String::from_utf8(output.stdout).expect("it answers in text");
    let parts: Vec<&str> = text.split(' ').collect();
    let [bound, pods, seconds, digest] = parts[..] else {
        panic!("four words: {text}")
    };
    Measurement {
        bound: bound.parse().expect("a count"),
        pods: pods.parse().expect("a count"),
        seconds: seconds.parse().expect("a number"),
        digest: digest.to_owned(),
    }
}

/// The processor and how many of it there are.
fn machine() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let models: Vec<&str> = info
        .lines()
        .filter_map(|line| line.strip_prefix("model name")?.split_once(':'))
        .map(|(_, model)| model.trim())
        .collect();
    match models.first() {
        Some(model) => format!("machine: {} × {model}", models.len()),
        None => format!("machine: {}", env::consts::ARCH),
    }
}

/// The most memory that the process ever had, where the system says so.
fn peak_mebibytes() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line.and_then(|line| line.trim().split(' ').next()?.parse::<u64>().ok());
    kibibytes.unwrap_or_default() / 1024
}

#[expect(clippy::print_stdout, reason = "a bench is there to be read")]
fn say(line: &str) {
    println!("{line}");
}
