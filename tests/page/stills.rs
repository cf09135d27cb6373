//! Pictures of every view, in both themes, on a desk and on a phone. `.ci/stills FOLDER` takes them.

use core::time::Duration;
use std::io;
use std::path::Path;

use berth_tests::page::{Keys, Looks};

use crate::visit::{Visit, visit};

/// What is seen, and how one gets there.
struct Still {
    name: &'static str,
    /// The address, after language and theme.
    address: &'static str,
    /// What is done there.
    acts: fn(&Visit) -> io::Result<()>,
}

const STILLS: [Still; 13] = [
    Still {
        name: "open",
        address: "",
        acts: |_| Ok(()),
    },
    Still {
        name: "stage",
        address: "#example=shop&v=story",
        acts: bound,
    },
    Still {
        name: "flight",
        address: "#example=shop&v=story",
        acts: in_flight,
    },
    Still {
        name: "everything",
        address: "#example=shop&v=everything",
        acts: bound,
    },
    Still {
        name: "mid",
        address: "#example=fleet-120&v=story",
        acts: mid,
    },
    Still {
        name: "ropes",
        address: "#example=fleet-120&v=story",
        acts: ropes,
    },
    Still {
        name: "preempt",
        address: "#example=preemption-101&v=story",
        acts: preempting,
    },
    Still {
        name: "why",
        address: "",
        acts: why,
    },
    Still {
        name: "edit",
        address: "#example=spread-zones&v=story",
        acts: edit,
    },
    Still {
        name: "gallery",
        address: "#gallery",
        acts: |_| Ok(()),
    },
    Still {
        name: "density",
        address: "#example=fleet-1000&v=story",
        acts: |_| Ok(()),
    },
    Still {
        name: "queues",
        address: "#example=three-queues&v=story",
        acts: |visit| step_until(visit, Keys::RIGHT, "backoff", 40),
    },
    Still {
        name: "zh",
        address: "#example=shop&v=story",
        acts: bound,
    },
];

#[test]
fn stills_of_every_view() {
    let Some(folder) = std::env::var_os("BERTH_STILLS") else {
        eprintln!("skipped: BERTH_STILLS names no folder; `.ci/stills` sets it");
        return;
    };
    let only = std::env::var("BERTH_STILLS_ONLY").unwrap_or_default();
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder).expect("the folder can be made");
    for (size, looks) in [("", Looks::DESK), ("-phone", Looks::PHONE.sharp())] {
        visit(looks, |visit| {
            for still in &STILLS {
                let is_wanted = only.is_empty() || only.split(',').any(|name| name == still.name);
                if !is_wanted {
                    continue;
                }
                for theme in ["light", "dark"] {
                    let name = format!("{}{size}-{theme}.png", still.name);
                    let lang = if still.name == "zh" { "zh" } else { "en" };
                    let address = format!("?lang={lang}&theme={theme}{}", still.address);
                    visit.go(&address)?;
                    (still.acts)(visit)
                        .map_err(|error| io::Error::other(format!("{name}: {error}")))?;
                    if still.name != "flight" {
                        visit.settle()?;
                    }
                    visit.browser.shoot(&folder.join(&name))?;
                }
            }
            Ok(())
        });
    }
}

/// Steps with a key until the narrator says something.
fn step_until(visit: &Visit, key: &str, says: &str, most: usize) -> io::Result<()> {
    for _ in 0..most {
        if visit.sentence()?.contains(says) {
            return Ok(());
        }
        let before = visit.moment()?;
        visit.browser.press(key)?;
        visit.moment_after(before)?;
    }
    Err(io::Error::other(format!(
        "the narrator never says {says:?}"
    )))
}

/// The moment a web pod lands after a taint and its zones had their say.
fn bound(visit: &Visit) -> io::Result<()> {
    for _ in 0..53 {
        let said = visit.sentence()?;
        if ["zone", "可用区"].iter().any(|word| said.contains(word)) {
            return Ok(());
        }
        let before = visit.moment()?;
        visit.browser.press_with(Keys::SHIFT, Keys::RIGHT)?;
        visit.moment_after(before)?;
    }
    Err(io::Error::other("no pod is placed by its zones"))
}

/// The same moment while the pod flies.
fn in_flight(visit: &Visit) -> io::Result<()> {
    bound(visit)?;
    let landed = visit.moment()?;
    visit.browser.press(Keys::LEFT)?;
    visit.moment_after(landed)?;
    visit.settle()?;
    visit.browser.press(Keys::RIGHT)?;
    visit
        .browser
        .wait_for("document.querySelector('.flight')")?;
    visit.browser.let_pass(Duration::from_millis(820));
    Ok(())
}

/// Ropes to nodes of which one is chosen.
fn ropes(visit: &Visit) -> io::Result<()> {
    for _ in 0..60 {
        let before = visit.moment()?;
        visit.browser.press_with(Keys::SHIFT, Keys::LEFT)?;
        visit.moment_after(before)?;
    }
    Ok(())
}

/// Ropes that are all cut, with a group opened.
fn mid(visit: &Visit) -> io::Result<()> {
    visit
        .browser
        .click("svg.figure [data-role=group][data-acts=yes]")
}

fn preempting(visit: &Visit) -> io::Result<()> {
    let before = visit.moment()?;
    visit.browser.press(Keys::HOME)?;
    // The sentence of the moment that is left may say it too.
    visit.moment_after(before)?;
    step_until(visit, Keys::RIGHT, "push", 60)
}

fn why(visit: &Visit) -> io::Result<()> {
    visit.browser.press("w")?;
    visit
        .browser
        .wait_for("document.querySelector('svg.figure [data-role=verdict]')")
}

/// A text with an error at a quantity.
fn edit(visit: &Visit) -> io::Result<()> {
    visit.browser.press("e")?;
    visit
        .browser
        .wait_for("document.querySelector('#yaml')?.value.length > 100")?;
    visit.browser.run(
        "const field = document.querySelector('#yaml');\
         field.value = field.value.replace(/(requests: \\{cpu: )[^,}\\n]*/, '$11x');\
         field.dispatchEvent(new Event('input', {bubbles: true}))",
    )?;
    visit.browser.wait_for("document.querySelector('.fault')")
}
