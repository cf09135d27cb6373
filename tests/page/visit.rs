//! A page that has started, with its server, and what one does on it.

use core::time::Duration;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use berth_core::plugins;
use berth_core::sim::{Limits, Report, ReportInput, SourceText, load, prepare};
use berth_tests::page::{Browser, Keys, Looks, Server, built_page, chromedriver};
use berth_tests::root;

/// The built page and the driver, or nothing, said on standard error.
pub(crate) fn ground() -> Option<(PathBuf, PathBuf)> {
    match (built_page(), chromedriver()) {
        (Ok(page), Ok(driver)) => Some((page, driver)),
        (Err(why), _) | (_, Err(why)) => {
            eprintln!("skipped: {why}");
            None
        }
    }
}

/// A page that has started, with its server.
pub(crate) struct Visit {
    pub(crate) browser: Browser,
    pub(crate) server: Server,
}

impl Visit {
    fn start(page: &Path, driver: &Path, looks: Looks) -> io::Result<Self> {
        let server = Server::start(page)?;
        let browser = Browser::start(driver, looks)?;
        let visit = Self { browser, server };
        visit.go("")?;
        Ok(visit)
    }

    /// A page whose server does not have the rest of the worker.
    fn start_without_rest(page: &Path, driver: &Path, looks: Looks) -> io::Result<Self> {
        let server = Server::start_without(page, REST)?;
        let browser = Browser::start(driver, looks)?;
        let visit = Self { browser, server };
        visit.show("")?;
        Ok(visit)
    }

    /// Opens the page anew with an address, such as `?theme=dark#example=shop`, and waits until it is loaded: its figure is
    /// there, and the last file is asked for.
    pub(crate) fn go(&self, address: &str) -> io::Result<()> {
        let before = self.server.asked().len();
        self.show(address)?;
        for _ in 0..200 {
            let asked = self.server.asked();
            let since = asked.get(before..).unwrap_or_default();
            if since
                .iter()
                .any(|path| path.trim_start_matches('/') == REST)
            {
                return Ok(());
            }
            self.browser.let_pass(Duration::from_millis(50));
        }
        Err(io::Error::other(format!("nobody asked for {REST}")))
    }

    /// Opens the page anew and waits for its figure.
    fn show(&self, address: &str) -> io::Result<()> {
        // A new part after `#` alone would not load the page anew.
        self.browser.open("about:blank")?;
        self.browser
            .open(&format!("{}{address}", self.server.address()))?;
        self.browser.wait_for(
            "document.querySelector('svg.figure [data-id]') || document.querySelector('.gallery li, .trouble .wrong')",
        )
    }

    /// Changes the part after `#`, as a link on the page does, and waits for what is behind it.
    pub(crate) fn turn_to(&self, hash: &str, condition: &str) -> io::Result<()> {
        self.browser
            .run(&format!("location.hash = {}", serde_json::json!(hash)))?;
        self.browser.wait_for(condition)
    }

    /// How many records have passed.
    pub(crate) fn moment(&self) -> io::Result<usize> {
        let text = self
            .browser
            .text("return document.querySelector('#slider').getAttribute('aria-valuenow')")?;
        text.parse().map_err(io::Error::other)
    }

    /// Waits until the moment is another one and returns it.
    pub(crate) fn moment_after(&self, before: usize) -> io::Result<usize> {
        self.browser.wait_for(&format!(
            "document.querySelector('#slider').getAttribute('aria-valuenow') !== '{before}'"
        ))?;
        self.moment()
    }

    /// What the narrator says.
    pub(crate) fn sentence(&self) -> io::Result<String> {
        self.browser
            .text("return document.querySelector('.said').textContent")
    }

    /// The digest that the header shows.
    pub(crate) fn digest(&self) -> io::Result<String> {
        self.browser
            .wait_for("document.querySelector('#digest')?.textContent")?;
        self.browser
            .text("return document.querySelector('#digest').textContent")
    }

    /// Waits until a file of that name is shown.
    pub(crate) fn shows(&self, title: &str) -> io::Result<()> {
        let condition = format!(
            "document.querySelector('.scenario b')?.textContent === {}",
            serde_json::json!(title)
        );
        self.browser.wait_for(&condition)
    }

    /// Waits until nothing moves any more: two looks at the page in a row are the same.
    pub(crate) fn settle(&self) -> io::Result<()> {
        const LOOK: &str = "return document.querySelector('#app').innerHTML";
        let mut last = self.browser.text(LOOK)?;
        for _ in 0..60 {
            self.browser.let_pass(Duration::from_millis(80));
            let now = self.browser.text(LOOK)?;
            if now == last {
                return Ok(());
            }
            last = now;
        }
        Err(io::Error::other("the page does not come to rest"))
    }

    /// Neither a message nor a request that should not be.
    pub(crate) fn is_quiet(&self) -> io::Result<()> {
        let messages = self.browser.console()?;
        assert!(messages.is_empty(), "the console says: {messages:#?}");
        let asked = self.server.asked();
        let expected = [
            "/",
            "/boot.js",
            "/page.js",
            "/page_bg.wasm",
            "/style.css",
            "/worker.js",
            "/worker_boot.js",
            "/worker_rest.wasm",
        ];
        let mut asked: Vec<&str> = asked
            .iter()
            .map(|path| path.split('?').next().unwrap_or_default())
            .collect();
        asked.sort_unstable();
        asked.dedup();
        assert_eq!(asked, expected, "requests");
        Ok(())
    }

    /// No request since `before` of them had come.
    pub(crate) fn asked_nothing_since(&self, before: usize) {
        let asked = self.server.asked();
        assert_eq!(asked.get(before..), Some(&[][..]), "requests after load");
    }

    /// Plays with the highest speed to the end.
    pub(crate) fn play_to_the_end(&self) -> io::Result<()> {
        for _ in 0..6 {
            self.browser.press("+")?;
        }
        self.browser.press(" ")?;
        self.browser.wait_for(
            "(s => s.getAttribute('aria-valuenow') === s.getAttribute('aria-valuemax'))(document.querySelector('#slider'))",
        )
    }

    /// Opens the editor with the whole text.
    pub(crate) fn edit_all(&self) -> io::Result<()> {
        self.browser.press("e")?;
        self.browser
            .wait_for("document.querySelector('#yaml')?.value")?;
        self.browser.click("#whole")?;
        self.browser
            .wait_for("document.querySelector('#yaml')?.value.length > 500")
    }

    /// Drops a file onto the page, and says when.
    pub(crate) fn drop_file(&self, file: &Path) -> io::Result<Instant> {
        self.browser.drop_file(file, (200, 400))
    }

    /// Presses Tab until the focus is on what a selector finds.
    pub(crate) fn tab_to(&self, selector: &str) -> io::Result<()> {
        let is_there = format!(
            "return Boolean(document.activeElement?.matches({}))",
            serde_json::json!(selector)
        );
        for _ in 0..90 {
            self.browser.press(Keys::TAB)?;
            if self.browser.run(&is_there)? == serde_json::Value::Bool(true) {
                return Ok(());
            }
        }
        Err(io::Error::other(format!("no way by Tab to {selector}")))
    }
}

/// Visits the page in a browser of its own, and tells a story there.
pub(crate) fn visit(looks: Looks, story: impl FnOnce(&Visit) -> io::Result<()>) {
    let Some((page, driver)) = ground() else {
        return;
    };
    let visit = Visit::start(&page, &driver, looks).expect("the browser starts");
    story(&visit).expect("the browser does as told");
}

/// Visits the page whose server does not have the rest of the worker.
pub(crate) fn visit_without_rest(looks: Looks, story: impl FnOnce(&Visit) -> io::Result<()>) {
    let Some((page, driver)) = ground() else {
        return;
    };
    let visit = Visit::start_without_rest(&page, &driver, looks).expect("the browser starts");
    story(&visit).expect("the browser does as told");
}

/// What of the worker comes after the first screen.
const REST: &str = "worker_rest.wasm";

/// The recorded cluster that is dropped on the page.
pub(crate) fn shop() -> PathBuf {
    root().join("tests/real/shop/cluster.yaml")
}

/// The digest of the recorded cluster, as `berth simulate` prints it.
pub(crate) fn digest_of_shop() -> String {
    let bytes = std::fs::read(shop()).expect("the recorded cluster is there");
    let loaded = load(&[SourceText {
        name: "cluster.yaml",
        bytes: &bytes,
    }]);
    let registry = plugins::in_tree();
    let mut prepared = prepare(&loaded, None, Limits::PAGE, &registry).expect("it can run");
    prepared.simulation.run(&mut ());
    Report::of(&prepared.simulation, ReportInput::default()).digest
}
