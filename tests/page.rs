//! The page in a real browser: what a person does on it, by mouse and by keyboard, on a desk and on a phone.
//!
//! `.ci/run browser` builds the page and sets `BERTH_PAGE`. Without it, or without a chromedriver, every test says so and
//! passes.

use std::io;
use std::path::PathBuf;

use berth_core::plugins;
use berth_core::sim::{Limits, Report, ReportInput, SourceText, load, prepare};
use berth_tests::page::{Browser, Keys, Looks, Server, built_page, chromedriver};
use berth_tests::root;

/// The built page and the driver, or nothing, said on standard error.
fn ground() -> Option<(PathBuf, PathBuf)> {
    match (built_page(), chromedriver()) {
        (Ok(page), Ok(driver)) => Some((page, driver)),
        (Err(why), _) | (_, Err(why)) => {
            eprintln!("skipped: {why}");
            None
        }
    }
}

/// A page that has started, with its server.
struct Visit {
    browser: Browser,
    server: Server,
}

impl Visit {
    fn new(looks: Looks) -> Option<io::Result<Self>> {
        let (page, driver) = ground()?;
        Some(Self::start(&page, &driver, looks))
    }

    fn start(page: &std::path::Path, driver: &std::path::Path, looks: Looks) -> io::Result<Self> {
        let server = Server::start(page)?;
        let browser = Browser::start(driver, looks)?;
        browser.open(&server.address())?;
        browser.wait_for("document.querySelector('svg.figure [data-role=berth]')")?;
        Ok(Self { browser, server })
    }

    fn moment(&self) -> io::Result<String> {
        self.browser
            .text("return document.querySelector('#slider').getAttribute('aria-valuenow')")
    }

    /// Waits until the moment is another one and returns it.
    fn moment_after(&self, before: &str) -> io::Result<String> {
        self.browser.wait_for(&format!(
            "document.querySelector('#slider').getAttribute('aria-valuenow') !== '{before}'"
        ))?;
        self.moment()
    }

    /// Neither a message nor a request that should not be.
    fn is_quiet(&self) -> io::Result<()> {
        let messages = self.browser.console()?;
        assert!(messages.is_empty(), "the console says: {messages:#?}");
        let mut asked = self.server.asked();
        asked.sort();
        let expected = [
            "/",
            "/boot.js",
            "/page.js",
            "/page_bg.wasm",
            "/style.css",
            "/worker.js",
            "/worker_bg.wasm",
            "/worker_boot.js",
        ];
        assert_eq!(asked, expected, "requests");
        Ok(())
    }
}

fn visit(looks: Looks, story: impl FnOnce(&Visit) -> io::Result<()>) {
    let Some(visit) = Visit::new(looks) else {
        return;
    };
    let visit = visit.expect("the browser starts");
    story(&visit).expect("the browser does as told");
}

fn digest_of_shop() -> String {
    let path = root().join("tests/real/shop/cluster.yaml");
    let bytes = std::fs::read(path).expect("the recorded cluster is there");
    let loaded = load(&[SourceText {
        name: "cluster.yaml",
        bytes: &bytes,
    }]);
    let registry = plugins::in_tree();
    let mut prepared = prepare(&loaded, None, Limits::PAGE, &registry).expect("it can run");
    prepared.simulation.run(&mut ());
    Report::of(&prepared.simulation, ReportInput::default()).digest
}

/// Plays with a high speed until the end.
fn play_to_the_end(visit: &Visit) -> io::Result<()> {
    for _ in 0..6 {
        visit.browser.press("+")?;
    }
    visit.browser.press(" ")?;
    visit.browser.wait_for(
        "(s => s.getAttribute('aria-valuenow') === s.getAttribute('aria-valuemax'))(document.querySelector('#slider'))",
    )
}

#[test]
fn shop_plays_to_its_end_with_the_digest_of_the_command_line() {
    for looks in [Looks::DESK, Looks::PHONE] {
        visit(looks, |visit| {
            play_to_the_end(visit)?;
            if looks.width == Looks::DESK.width {
                let digest = visit
                    .browser
                    .text("return document.querySelector('#digest').textContent")?;
                assert_eq!(digest, digest_of_shop());
            }
            visit.is_quiet()
        });
    }
}

#[test]
fn steps_go_on_and_back_by_keyboard_alone() {
    visit(Looks::DESK, |visit| {
        let first = visit.moment()?;
        visit.browser.press(Keys::RIGHT)?;
        let second = visit.moment_after(&first)?;
        visit.browser.press(Keys::LEFT)?;
        assert_eq!(visit.moment_after(&second)?, first);
        visit.browser.press(Keys::END)?;
        let end = visit.moment_after(&first)?;
        visit.browser.press(Keys::HOME)?;
        let start = visit.moment_after(&end)?;
        visit.browser.press("f")?;
        assert_eq!(
            visit.moment_after(&start)?,
            first,
            "the first failure is where the page began"
        );
        visit.browser.press("?")?;
        visit.browser.wait_for("document.querySelector('.keys')")?;
        visit.browser.press(Keys::ESCAPE)?;
        visit.browser.wait_for("!document.querySelector('.keys')")?;
        visit.is_quiet()
    });
}

#[test]
fn a_place_on_the_axis_is_a_moment() {
    for looks in [Looks::DESK, Looks::PHONE] {
        visit(looks, |visit| {
            let first = visit.moment()?;
            visit.browser.run(
                "const axis = document.querySelector('.axis svg'); const at = axis.getBoundingClientRect();\
                 axis.dispatchEvent(new PointerEvent('pointerdown', {bubbles: true, pointerId: 1,\
                 clientX: at.left + at.width * 0.8, clientY: at.top + at.height / 2}))",
            )?;
            let there = visit.moment_after(&first)?;
            assert!(there.parse::<usize>().unwrap_or(0) > first.parse::<usize>().unwrap_or(0));
            visit.is_quiet()
        });
    }
}

#[test]
fn a_cell_opens_to_its_chain_and_closes() {
    visit(Looks::DESK, |visit| {
        visit.browser.press("w")?;
        visit
            .browser
            .wait_for("document.querySelector('svg.figure [data-role=verdict][data-acts=yes]')")?;
        visit
            .browser
            .click("svg.figure [data-role=verdict][data-acts=yes]")?;
        visit
            .browser
            .wait_for("document.querySelector('svg.figure [data-role=chain]')")?;
        visit.browser.press(Keys::ESCAPE)?;
        visit
            .browser
            .wait_for("!document.querySelector('svg.figure [data-role=chain]')")?;
        visit.is_quiet()
    });
}

#[test]
fn a_text_with_an_error_is_told_at_its_line_and_the_picture_stays() {
    visit(Looks::DESK, |visit| {
        visit.browser.press("e")?;
        visit
            .browser
            .wait_for("document.querySelector('#yaml')?.value.length > 1000")?;
        let before = visit
            .browser
            .text("return document.querySelector('#twin, h1').textContent")?;
        visit.browser.run(
            "const field = document.querySelector('#yaml'); field.value = field.value.replace(/cpu: .*/, 'cpu: 1x');\
             field.dispatchEvent(new Event('input', {bubbles: true}))",
        )?;
        visit.browser.wait_for("document.querySelector('.fault')")?;
        let fault = visit
            .browser
            .text("return document.querySelector('.fault').textContent")?;
        assert!(fault.contains("1x"), "{fault}");
        assert_eq!(
            visit
                .browser
                .text("return document.querySelector('#twin, h1').textContent")?,
            before
        );
        visit.is_quiet()
    });
}

#[test]
fn a_link_opens_in_a_fresh_profile_with_the_same_digest() {
    visit(Looks::DESK, |visit| {
        visit.browser.press(Keys::RIGHT)?;
        visit
            .browser
            .wait_for("document.querySelector('#digest')")?;
        let digest = visit
            .browser
            .text("return document.querySelector('#digest').textContent")?;
        visit.browser.click(".masthead [aria-expanded]")?;
        visit
            .browser
            .wait_for("document.querySelector('#link')?.value.length > 100")?;
        let link = visit
            .browser
            .text("return document.querySelector('#link').value")?;
        let (_, driver) = ground().expect("it was there before");
        let other = Browser::start(&driver, Looks::DESK)?;
        other.open(&link)?;
        other.wait_for("document.querySelector('#digest')")?;
        assert_eq!(
            other.text("return document.querySelector('#digest').textContent")?,
            digest
        );
        other.open("about:blank")?;
        other.open(link.get(..link.len() / 2).unwrap_or_default())?;
        other.wait_for("document.querySelector('.trouble .wrong')")?;
        let why = other.text("return document.querySelector('.trouble .wrong').textContent")?;
        assert!(why.contains("cut"), "{why}");
        Ok(())
    });
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
            visit.browser.run(&axe)?;
            for key in ["", Keys::RIGHT, "2", "w", "x", "?"] {
                if !key.is_empty() {
                    visit.browser.press(key)?;
                    visit.browser.let_motions_end();
                }
                let found = visit.browser.run_later(
                    "const done = arguments[arguments.length - 1];\
                     axe.run(document).then(result => done(result.violations.map(v => v.id + ': ' + v.nodes.map(n => n.html).slice(0, 3).join(' | '))))",
                )?;
                assert_eq!(
                    found,
                    serde_json::json!([]),
                    "after {key:?} at {}",
                    looks.width
                );
            }
            Ok(())
        });
    }
}

/// Texts of the figure that leave it or lie on each other, as sentences.
const CROWDED: &str = "
    const svg = document.querySelector('svg.figure');
    const frame = svg.getBoundingClientRect();
    const texts = [...svg.querySelectorAll('text')].filter(t => t.textContent.trim() && !t.hasAttribute('transform'));
    const boxes = texts.map(t => ({box: t.getBoundingClientRect(), says: t.textContent, part: t.closest('[data-id]')?.dataset.id}));
    const faults = [];
    boxes.forEach((one, at) => {
        if (one.box.right > frame.right + 1 || one.box.left < frame.left - 1) faults.push('outside: ' + one.says);
        for (const two of boxes.slice(at + 1)) {
            const wide = Math.min(one.box.right, two.box.right) - Math.max(one.box.left, two.box.left);
            const high = Math.min(one.box.bottom, two.box.bottom) - Math.max(one.box.top, two.box.top);
            if (wide > 1.5 && high > 4) faults.push(one.says + ' lies on ' + two.says);
        }
    });
    const clipped = [...document.querySelectorAll('.masthead *, .caption *, .transport *')]
        .filter(e => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX === 'hidden'
            && getComputedStyle(e).textOverflow !== 'ellipsis' && !e.classList.contains('unseen'));
    clipped.forEach(e => faults.push('clipped: ' + e.textContent.slice(0, 60)));
    if (document.documentElement.scrollWidth > innerWidth) faults.push('the page is wider than its window');
    return faults;";

#[test]
fn no_text_is_clipped_and_none_lies_on_another() {
    for (width, height) in [(1440, 900), (1024, 768), (768, 1024), (390, 844)] {
        let looks = Looks {
            width,
            height,
            is_dark: false,
        };
        visit(looks, |visit| {
            for (key, view) in [
                ("", "the first screen"),
                (Keys::RIGHT, "the story"),
                ("2", "everything"),
                ("w", "why"),
            ] {
                if !key.is_empty() {
                    visit.browser.press(key)?;
                    visit.browser.let_motions_end();
                }
                for lang in ["en", "zh"] {
                    if lang == "zh" {
                        visit.browser.click("#language")?;
                        visit.browser.let_motions_end();
                    }
                    let faults = visit.browser.run(CROWDED)?;
                    assert_eq!(faults, serde_json::json!([]), "{view} at {width}, {lang}");
                }
                visit.browser.click("#language")?;
            }
            Ok(())
        });
    }
}

/// Milliseconds between frames, the 95th of a hundred, over four seconds.
const FRAMES: &str = "
    const done = arguments[arguments.length - 1];
    const times = [];
    let last = performance.now();
    const next = at => {
        times.push(at - last);
        last = at;
        if (times.length < 240) return requestAnimationFrame(next);
        times.sort((one, two) => one - two);
        done(times[Math.floor(times.length * 0.95)]);
    };
    requestAnimationFrame(next);";

/// Not a test of the machine: it prints what it measures, and fails only where playing stands still.
#[test]
fn frames_are_short_while_shop_plays() {
    visit(Looks::DESK, |visit| {
        visit.browser.press(Keys::HOME)?;
        visit.browser.press(" ")?;
        let slow = visit.browser.run_later(FRAMES)?;
        for _ in 0..4 {
            visit.browser.press("+")?;
        }
        let fast = visit.browser.run_later(FRAMES)?;
        eprintln!("p95 of a frame in ms: {slow} at 1x, {fast} at 20x");
        assert!(slow.as_f64().is_some_and(|ms| ms < 250.0), "{slow}");
        Ok(())
    });
}
