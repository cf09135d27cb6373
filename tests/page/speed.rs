//! How long frames and moments take. `.ci/bench page` prints what is measured; here only what is far too long fails,
//! since wall time is a fact about the machine.

use core::fmt::Write as _;
use core::time::Duration;
use std::io;
use std::path::PathBuf;

use berth_tests::page::{Keys, Looks};
use serde_json::Value;

use crate::visit::{Visit, visit};

/// Milliseconds between frames over so many of them: the middle one, the 95th of a hundred, the longest.
const FRAMES: &str = "
    const [count, done] = [COUNT, arguments[arguments.length - 1]];
    const times = [];
    let last;
    const next = at => {
        if (last !== undefined) times.push(at - last);
        last = at;
        if (times.length < count) return requestAnimationFrame(next);
        times.sort((one, two) => one - two);
        const of = share => times[Math.min(times.length - 1, Math.floor(times.length * share))];
        done([of(0.5), of(0.95), of(1)]);
    };
    requestAnimationFrame(next);";

/// Milliseconds from asking for a moment to its frame, for places all over the run: the middle one and the longest.
const SCRUB: &str = "
    const done = arguments[arguments.length - 1];
    const axis = document.querySelector('.axis svg'), slider = document.querySelector('#slider');
    const times = [], places = Array.from({length: 40}, (_, at) => 0.18 + 0.62 * ((at * 17) % 40) / 40);
    const next = () => {
        const place = places.pop();
        if (place === undefined) {
            times.sort((one, two) => one - two);
            return done([times[Math.floor(times.length / 2)], times[times.length - 1], times.length]);
        }
        const at = axis.getBoundingClientRect(), began = performance.now(), before = slider.getAttribute('aria-valuenow');
        const ask = kind => axis.dispatchEvent(new PointerEvent(kind, {bubbles: true, pointerId: 1,
            clientX: at.left + at.width * place, clientY: at.top + at.height / 2}));
        const look = () => {
            if (slider.getAttribute('aria-valuenow') !== before) {
                times.push(performance.now() - began);
                return next();
            }
            if (performance.now() - began > 2000) return next();
            requestAnimationFrame(look);
        };
        ask('pointerdown');
        ask('pointerup');
        requestAnimationFrame(look);
    };
    next();";

fn numbers(value: &Value) -> Vec<f64> {
    let values = value.as_array().into_iter().flatten();
    values.filter_map(Value::as_f64).collect()
}

fn frames(visit: &Visit, count: usize) -> io::Result<Vec<f64>> {
    let script = FRAMES.replace("COUNT", &count.to_string());
    Ok(numbers(&visit.browser.run_later(&script)?))
}

fn say(what: &str, ms: &[f64], names: &[&str]) -> f64 {
    let mut line = format!("{what}:");
    for (name, ms) in names.iter().zip(ms) {
        write!(line, " {name} {ms:.1}").expect("a text takes everything");
    }
    eprintln!("{line} ms");
    ms.get(1).copied().unwrap_or(f64::INFINITY)
}

const OF_FRAMES: [&str; 3] = ["median", "p95", "longest"];

#[test]
fn frames_are_short_while_shop_plays() {
    visit(Looks::DESK, |visit| {
        visit.browser.press(Keys::HOME)?;
        visit.browser.press(" ")?;
        let slow = frames(visit, 600)?;
        let slow = say("a frame while shop plays at 1x", &slow, &OF_FRAMES);
        for _ in 0..4 {
            visit.browser.press("+")?;
        }
        let fast = frames(visit, 300)?;
        let fast = say("a frame while shop plays at 20x", &fast, &OF_FRAMES);
        assert!(slow < 100.0 && fast < 200.0, "{slow} and {fast}");
        Ok(())
    });
}

#[test]
fn any_of_two_thousand_events_is_there_at_once() {
    visit(Looks::DESK, |visit| {
        let file = many_events();
        visit.drop_file(&file)?;
        visit
            .browser
            .wait_for("document.querySelector('.scenario b')?.textContent === 'many.yaml'")?;
        visit.settle()?;
        let cycles = visit
            .browser
            .text("return document.querySelector('#slider').getAttribute('aria-valuetext')")?;
        let times = numbers(&visit.browser.run_later(SCRUB)?);
        eprintln!("many.yaml: {cycles}");
        let longest = say("a moment of 2,000 events", &times, &["median", "longest"]);
        assert!(longest < 1000.0, "{longest}");
        Ok(())
    });
}

#[test]
fn five_thousand_nodes_stay_usable() {
    visit(Looks::DESK, |visit| {
        let file = fleet();
        visit.drop_file(&file)?;
        visit.browser.wait_a_while_for(
            "document.querySelector('.scenario b')?.textContent === 'fleet.yaml'",
            Duration::from_secs(240),
        )?;
        visit.settle()?;
        visit.browser.press(" ")?;
        let slow = frames(visit, 300)?;
        let slow = say("a frame while 5,000 nodes play at 1x", &slow, &OF_FRAMES);
        for _ in 0..4 {
            visit.browser.press("+")?;
        }
        let fast = frames(visit, 120)?;
        let fast = say("a frame while 5,000 nodes play at 20x", &fast, &OF_FRAMES);
        visit.browser.press(" ")?;
        let times = numbers(&visit.browser.run_later(SCRUB)?);
        say("a moment of 5,000 nodes", &times, &["median", "longest"]);
        assert!(slow < 200.0 && fast < 500.0, "{slow} and {fast}");
        Ok(())
    });
}

/// A file below the folder for such, named as the page shows it.
fn written(name: &str, text: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("berth-speed-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for files can be made");
    let file = folder.join(name);
    std::fs::write(&file, text).expect("a file can be written");
    file
}

/// A run of some more than 2,000 events: 12 nodes, and pods of which the last find no place.
fn many_events() -> PathBuf {
    written(
        "many.yaml",
        "apiVersion: berth/v1
kind: Scenario
spec:
  objects:
  - group: {count: 12, name: \"node-{i}\", zones: [a, b, c]}
    template: {kind: Node, status: {allocatable: {cpu: \"16\", memory: 64Gi, pods: \"110\"}}}
  - group: {count: 420, name: \"web-{i}\"}
    template: {kind: Pod, spec: {containers: [{name: web, image: registry.example/web:1, resources: {requests: {cpu: 460m, memory: 1Gi}}}]}}
",
    )
}

/// 5,000 nodes and 30,000 pods, of which 300 are still to be placed.
fn fleet() -> PathBuf {
    let mut text = String::from(
        "apiVersion: berth/v1
kind: Scenario
spec:
  objects:
  - group: {count: 5000, name: \"node-{i}\", zones: [a, b, c]}
    template: {kind: Node, status: {allocatable: {cpu: \"4\", memory: 16Gi, pods: \"58\"}}}
",
    );
    for layer in 0..6 {
        let count = if layer == 5 { 4700 } else { 5000 };
        let cpu = [500, 750, 250, 900, 100, 400][layer];
        writeln!(
            text,
            "  - group: {{count: {count}, name: \"layer-{layer}-{{i}}\"}}
    template: {{kind: Pod, spec: {{nodeName: \"node-{{i}}\", containers: [{{name: a, image: registry.example/a:1, resources: {{requests: {{cpu: {cpu}m}}}}}}]}}}}"
        )
        .expect("a text takes everything");
    }
    text.push_str(
        "  - group: {count: 300, name: \"crunch-{i}\"}
    template: {kind: Pod, spec: {containers: [{name: crunch, image: registry.example/crunch:1, resources: {requests: {cpu: 900m}}}]}}
",
    );
    written("fleet.yaml", &text)
}
