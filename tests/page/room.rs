//! Nothing lies on a text and no text is cut off: every view, on four canvases, in both themes and both languages.

use std::collections::BTreeMap;
use std::io;

use berth_tests::page::{Keys, Looks};

use crate::visit::{Visit, visit};

/// What is in the way of texts, as sentences.
const CROWDED: &str = include_str!("crowded.js");

/// A view and how one gets there.
struct Sight {
    name: &'static str,
    hash: &'static str,
    acts: fn(&Visit) -> io::Result<()>,
}

const SIGHTS: [Sight; 13] = [
    Sight {
        name: "the first screen",
        hash: "",
        acts: |_| Ok(()),
    },
    Sight {
        name: "a failure",
        hash: "#example=shop&v=story",
        acts: |_| Ok(()),
    },
    Sight {
        name: "a landing",
        hash: "#example=shop&v=story",
        acts: cycles_on,
    },
    Sight {
        name: "everything",
        hash: "#example=shop&v=everything",
        acts: cycles_on,
    },
    Sight {
        name: "why",
        hash: "#example=shop&v=why",
        acts: |_| Ok(()),
    },
    Sight {
        name: "why, a cell open",
        hash: "#example=shop&v=why",
        acts: |visit| {
            visit
                .browser
                .click("svg.figure [data-role=verdict][data-acts=yes]")
        },
    },
    Sight {
        name: "folded rows",
        hash: "#example=fleet-120&v=story",
        acts: |visit| {
            visit
                .browser
                .click("svg.figure [data-role=group][data-acts=yes]")
        },
    },
    Sight {
        name: "folded rows, everything",
        hash: "#example=fleet-120&v=everything",
        acts: |_| Ok(()),
    },
    Sight {
        name: "preemption",
        hash: "#example=preemption-101&v=story",
        acts: |visit| visit.browser.press("f"),
    },
    Sight {
        name: "queues",
        hash: "#example=three-queues&v=story",
        acts: cycles_on,
    },
    Sight {
        name: "the density picture",
        hash: "#example=fleet-1000&v=story",
        acts: |_| Ok(()),
    },
    Sight {
        name: "the gallery",
        hash: "#gallery",
        acts: |_| Ok(()),
    },
    Sight {
        name: "the editor",
        hash: "#example=spread-zones&v=story",
        acts: |visit| {
            visit.browser.press("e")?;
            visit
                .browser
                .wait_for("document.querySelector('#yaml')?.value.length > 100")
        },
    },
];

fn cycles_on(visit: &Visit) -> io::Result<()> {
    for _ in 0..6 {
        visit.browser.press_with(Keys::SHIFT, Keys::RIGHT)?;
    }
    Ok(())
}

#[test]
fn nothing_lies_on_a_text_and_none_is_cut_off() {
    let mut faults: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut looked = 0;
    visit(Looks::DESK, |visit| {
        for (width, height) in [(1440, 900), (1024, 768), (768, 1024), (390, 844)] {
            visit.browser.look(Looks::of(width, height))?;
            for lang in ["en", "zh"] {
                for sight in &SIGHTS {
                    visit.go(&format!("?lang={lang}&theme=light{}", sight.hash))?;
                    (sight.acts)(visit)?;
                    visit.settle()?;
                    for theme in ["light", "dark"] {
                        let found = visit.browser.run(CROWDED)?;
                        for fault in found.as_array().into_iter().flatten() {
                            let fault = fault.as_str().unwrap_or_default().to_owned();
                            let place = format!("{} at {width}, {lang}, {theme}", sight.name);
                            faults.entry(fault).or_default().push(place);
                        }
                        looked += 1;
                        visit.browser.press("t")?;
                    }
                }
            }
        }
        Ok(())
    });
    let told: Vec<String> = faults
        .iter()
        .map(|(fault, places)| format!("{fault}\n    {}", places.join("; ")))
        .collect();
    assert!(
        told.is_empty(),
        "{looked} looks, {} faults\n{}",
        told.len(),
        told.join("\n")
    );
}
