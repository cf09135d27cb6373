//! How fast upstream's workloads run here, natively and in wasm. `make bench` runs this; arguments are names to look for.
//!
//! `--scenario NAME` prints a workload as a scenario for `berth simulate`.
//! Without arguments it prints pods a second and peak memory of SchedulingBasic on both hosts, what 10,000 parked pods cost
//! a stream of plain ones, and what the workloads of affinity and spreading cost beside SchedulingBasic.
//!
//! Times are those of the busy thread where the system counts them, so that other load on the machine counts little; they
//! are printed with the machine's description and gate nothing. Each run has a process of its own, so that its peak of
//! memory is its own. A figure of ours stands for the scheduler with a simulated API server beside it; upstream's has a
//! real one, so the two do not compare.

use std::env;
use std::fs;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use berth_tests::wasm_module;
use berth_tests::workloads::{BASIC, Measurement, Workload, measure, parked};

/// How often a run is repeated; the quickest counts.
const REPEATS: usize = 3;

/// How many pods are parked.
const PARKED: u64 = 10_000;

/// With this argument and the name of a workload a process only prints the workload as a scenario.
const SCENARIO: &str = "--scenario";

/// With this argument a process runs the one scenario that it is given, and answers in one line.
const ONE_RUN: &str = "--one-run";

fn main() {
    // Cargo says `--bench` to every bench.
    let arguments = env::args().skip(1);
    let arguments: Vec<String> = arguments.filter(|argument| argument != "--bench").collect();
    if arguments.iter().any(|argument| argument == ONE_RUN) {
        return run_here();
    }
    if let [option, name] = arguments.as_slice()
        && option == SCENARIO
    {
        return print_scenario(name);
    }
    let is_name = |argument: &&String| !argument.starts_with("--");
    let names: Vec<&String> = arguments.iter().filter(is_name).collect();
    say(&format!("{}, {}", machine(), clock_name()));
    let module = wasm_module();
    if !names.is_empty() {
        for workload in Workload::all() {
            if names.iter().any(|name| workload.name().contains(*name)) {
                on_both_hosts(&workload, module.as_deref());
            }
        }
        return;
    }
    let basic = Workload::named(BASIC);
    let Some(plain) = on_both_hosts(&basic, module.as_deref()) else {
        return;
    };
    beside_parked_pods(&plain);
    beside_basic(&plain);
}

fn print_scenario(name: &str) {
    match Workload::named(name).scenario() {
        Ok(scenario) => say(&scenario.to_string()),
        Err(why) => panic!("{name}: {why}"),
    }
}

/// Runs a workload natively and in wasm, and says how it went.
fn on_both_hosts(workload: &Workload, module: Option<&Path>) -> Option<Run> {
    let name = workload.name();
    let scenario = match workload.scenario() {
        Ok(scenario) => scenario.to_string(),
        Err(why) => {
            say(&format!("{name}: skipped, {why}"));
            return None;
        }
    };
    let native = best(|| natively(&scenario));
    say(&format!(
        "{name}: {} nodes, {}",
        workload.nodes(),
        native.outcome()
    ));
    let floor = workload.floor().map_or_else(String::new, |floor| {
        format!("; upstream's floor, with a real API server, is {floor}")
    });
    say(&format!("  native {}{floor}", native.figures()));
    if let Some(module) = module {
        let wasm = best(|| in_wasm(module, &scenario));
        let is_same = wasm.measured.digest == native.measured.digest;
        say(&format!(
            "  wasm   {}; {:.2} times the time, {:.2} times the memory, {}",
            wasm.figures(),
            wasm.per_pod() / native.per_pod(),
            wasm.mebibytes / native.mebibytes,
            if is_same {
                "the same decisions"
            } else {
                "OTHER DECISIONS"
            },
        ));
    }
    Some(native)
}

fn beside_parked_pods(plain: &Run) {
    let scenario = parked(PARKED).to_string();
    let beside = best(|| natively(&scenario));
    say(&format!(
        "parked: {PARKED} pods that fit nowhere beside {}: {}, {:.2} times the time of the stream alone",
        beside.outcome(),
        beside.figures(),
        beside.per_pod() / plain.per_pod(),
    ));
}

/// The workloads of affinity and spreading on clusters as large as that of SchedulingBasic, by what a pod costs.
fn beside_basic(plain: &Run) {
    say("affinity and spreading, the time of a pod in times of SchedulingBasic's:");
    let mut worst: Option<(String, f64)> = None;
    for workload in Workload::all() {
        if !workload.is_about_other_pods() || workload.nodes() < 5_000 {
            continue;
        }
        let Ok(scenario) = workload.scenario() else {
            continue;
        };
        let run = best(|| natively(&scenario.to_string()));
        let times = run.per_pod() / plain.per_pod();
        say(&format!(
            "  {times:5.2}  {}: {}, {}",
            workload.name(),
            run.outcome(),
            run.figures()
        ));
        if worst.as_ref().is_none_or(|(_, most)| times > *most) {
            worst = Some((workload.name().to_owned(), times));
        }
    }
    if let Some((name, times)) = worst {
        say(&format!("  the worst is {name} with {times:.2}"));
    }
}

/// One run and the most memory that its process had.
struct Run {
    measured: Measurement,
    mebibytes: f64,
}

impl Run {
    /// Seconds a pod.
    fn per_pod(&self) -> f64 {
        let pods = u32::try_from(self.measured.bound).expect("pods are counted in thousands");
        self.measured.seconds / f64::from(pods)
    }

    fn outcome(&self) -> String {
        format!(
            "{} of {} pods bound",
            self.measured.bound, self.measured.pods
        )
    }

    fn figures(&self) -> String {
        format!(
            "{:.0} pods/s ({:.3} s), peak {:.0} MiB",
            1.0 / self.per_pod(),
            self.measured.seconds,
            self.mebibytes
        )
    }
}

/// The quickest of several runs, which must all decide alike.
fn best(run: impl Fn() -> Run) -> Run {
    let runs: Vec<Run> = (0..REPEATS).map(|_| run()).collect();
    let digests = runs.iter().map(|run| &run.measured.digest);
    assert!(
        digests.clone().eq(digests.cycle().skip(1).take(REPEATS)),
        "a run does not repeat"
    );
    let quickest = |one: &Run, two: &Run| one.measured.seconds.total_cmp(&two.measured.seconds);
    let quickest = runs.into_iter().min_by(quickest);
    quickest.expect("there is at least one run")
}

/// Runs a scenario in another process of this program.
fn natively(scenario: &str) -> Run {
    let this = env::current_exe().expect("this program is a file");
    ask(Command::new(this).arg(ONE_RUN), scenario)
}

/// Runs a scenario in Node. The memory is that of the module.
fn in_wasm(module: &Path, scenario: &str) -> Run {
    let script = "const fs = require('fs');\
        const busy = '/proc/self/schedstat';\
        const clock = fs.existsSync(busy)\
            ? () => Number(fs.readFileSync(busy, 'utf8').split(' ')[0]) / 1e9\
            : () => performance.now() / 1e3;\
        const text = fs.readFileSync(0, 'utf8');\
        process.stdout.write(require(process.argv[1]).measure(text, clock))";
    let mut node = Command::new("node");
    node.args(["--eval", script]).arg(module);
    ask(&mut node, scenario)
}

/// Gives a process the scenario: `bound pods seconds digest mebibytes` comes back.
fn ask(command: &mut Command, scenario: &str) -> Run {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program is there");
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    stdin
        .write_all(scenario.as_bytes())
        .expect("it reads its input");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    assert!(
        output.status.success(),
        "the run failed: {:?}",
        output.status
    );
    let text = String::from_utf8(output.stdout).expect("it answers in text");
    let parts: Vec<&str> = text.split_whitespace().collect();
    let [bound, pods, seconds, digest, mebibytes] = parts[..] else {
        panic!("five words: {text}")
    };
    Run {
        measured: Measurement {
            bound: bound.parse().expect("a count"),
            pods: pods.parse().expect("a count"),
            seconds: seconds.parse().expect("a number"),
            digest: digest.to_owned(),
        },
        mebibytes: mebibytes.parse().expect("a number"),
    }
}

/// The other end of [`natively`].
fn run_here() {
    let mut scenario = String::new();
    std::io::stdin()
        .read_to_string(&mut scenario)
        .expect("the scenario is text");
    let start = Instant::now();
    let clock = || busy_seconds().unwrap_or_else(|| start.elapsed().as_secs_f64());
    let measured = measure(&scenario, &clock);
    say(&format!("{} {}", measured.to_line(), peak_mebibytes()));
}

/// How long this thread has been running, where the system counts it.
fn busy_seconds() -> Option<f64> {
    let text = fs::read_to_string("/proc/self/schedstat").ok()?;
    let nanoseconds: u64 = text.split(' ').next()?.parse().ok()?;
    Some(nanoseconds as f64 / 1e9)
}

fn clock_name() -> &'static str {
    match busy_seconds() {
        Some(_) => "times of the busy thread",
        None => "times of the clock on the wall",
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
