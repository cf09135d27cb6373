//! What axe says of every view.

use std::io;

use berth_tests::page::{Keys, Looks};
use serde_json::{Value, json};

use crate::visit::{Visit, shop, visit};

/// Runs axe over the page as it is.
const AXE: &str = "const done = arguments[arguments.length - 1];\
    axe.run(document).then(result => done(result.violations.map(v => v.id + ': ' + v.nodes.map(n => n.html).slice(0, 3).join(' | '))))";

fn check(visit: &Visit, axe: &str, what: &str) -> io::Result<()> {
    if visit.browser.run("return Boolean(window.axe)")? != Value::Bool(true) {
        visit.browser.run(axe)?;
    }
    visit.settle()?;
    let found = visit.browser.run_later(AXE)?;
    assert_eq!(found, json!([]), "{what}");
    Ok(())
}

#[test]
fn axe_finds_nothing_on_any_view() {
    let Some(axe) = std::env::var_os("BERTH_AXE") else {
        eprintln!("skipped: BERTH_AXE does not name axe.min.js; `.ci/setup browser` installs it");
        return;
    };
    let axe = std::fs::read_to_string(axe).expect("axe can be read");
    for looks in [Looks::DESK, Looks::PHONE] {
        visit(looks, |visit| {
            let width = looks.width;
            for (theme, lang) in [("light", "en"), ("dark", "zh")] {
                let query = format!("?theme={theme}&lang={lang}");
                visit.go(&query)?;
                check(visit, &axe, &format!("the first screen, {width}, {theme}"))?;
                for (key, view) in [
                    (Keys::RIGHT, "the story"),
                    ("2", "everything"),
                    ("w", "why"),
                    ("x", "the text twin"),
                    ("?", "the keys"),
                    ("/", "the search"),
                ] {
                    visit.browser.press(key)?;
                    if key != Keys::RIGHT {
                        // The search takes the focus into its field.
                        visit.browser.run("document.activeElement?.blur()")?;
                    }
                    check(visit, &axe, &format!("{view}, {width}, {theme}"))?;
                }
                for (address, view) in [
                    ("#example=preemption-101&e=9999", "preemption"),
                    ("#example=fleet-120&v=story", "folded rows"),
                    ("#example=fleet-1000&v=story", "the density picture"),
                    ("#gallery", "the gallery"),
                    ("#s1=abc", "a cut link"),
                ] {
                    visit.go(&format!("{query}{address}"))?;
                    check(visit, &axe, &format!("{view}, {width}, {theme}"))?;
                }
                visit.go(&format!("{query}#example=spread-zones&v=story"))?;
                visit.browser.press("e")?;
                visit
                    .browser
                    .wait_for("document.querySelector('#yaml')?.value.length > 100")?;
                check(visit, &axe, &format!("the editor, {width}, {theme}"))?;
                visit.drop_file(&shop())?;
                visit.shows("cluster.yaml")?;
                check(visit, &axe, &format!("a dropped file, {width}, {theme}"))?;
            }
            Ok(())
        });
    }
}
