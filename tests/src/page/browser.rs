//! A Chromium of its own with a fresh profile, driven through WebDriver.

use core::time::Duration;
use std::io;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use serde_json::{Value, json};

use super::http::call;

/// How the browser looks at the page.
#[derive(Clone, Copy, Debug)]
pub struct Looks {
    /// The width of the window's inside.
    pub width: u32,
    /// Its height.
    pub height: u32,
    /// Whether the system's theme is dark.
    pub is_dark: bool,
    /// How many dots of the screen a pixel has.
    pub scale: u32,
}

impl Looks {
    /// A desk.
    pub const DESK: Self = Self {
        width: 1440,
        height: 900,
        is_dark: false,
        scale: 1,
    };
    /// A phone.
    pub const PHONE: Self = Self {
        width: 390,
        height: 844,
        is_dark: false,
        scale: 1,
    };

    /// A canvas of another size.
    #[must_use]
    pub const fn of(width: u32, height: u32) -> Self {
        Self {
            width,
            height,
            is_dark: false,
            scale: 1,
        }
    }

    /// The same on a screen with twice as many dots.
    #[must_use]
    pub const fn sharp(self) -> Self {
        Self { scale: 2, ..self }
    }
}

/// Keys that have no character, as WebDriver writes them.
pub struct Keys;

impl Keys {
    /// Enter.
    pub const ENTER: &str = "\u{E007}";
    /// Shift, to be held.
    pub const SHIFT: &str = "\u{E008}";
    /// Control, to be held.
    pub const CONTROL: &str = "\u{E009}";
    /// Escape.
    pub const ESCAPE: &str = "\u{E00C}";
    /// Home.
    pub const HOME: &str = "\u{E011}";
    /// End.
    pub const END: &str = "\u{E010}";
    /// Left.
    pub const LEFT: &str = "\u{E012}";
    /// Right.
    pub const RIGHT: &str = "\u{E014}";
    /// Down.
    pub const DOWN: &str = "\u{E015}";
    /// Tab.
    pub const TAB: &str = "\u{E004}";
}

/// A browser with one page.
pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
    profile: PathBuf,
}

impl Browser {
    /// Starts a browser.
    ///
    /// # Errors
    ///
    /// The driver or the browser does not start.
    pub fn start(chromedriver: &Path, looks: Looks) -> io::Result<Self> {
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let profile =
            std::env::temp_dir().join(format!("berth-page-{}-{port}", std::process::id()));
        let driver = Command::new(chromedriver)
            .arg(format!("--port={port}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let mut browser = Self {
            driver,
            port,
            session: String::new(),
            profile,
        };
        browser.wait_for_driver()?;
        browser.open_session(looks)?;
        browser.resize(looks)?;
        Ok(browser)
    }

    fn wait_for_driver(&self) -> io::Result<()> {
        let began = Instant::now();
        loop {
            match call(self.port, "GET", "/status", None) {
                Ok(_) => return Ok(()),
                Err(error) if began.elapsed() > Duration::from_secs(30) => return Err(error),
                Err(_) => pause(Duration::from_millis(50)),
            }
        }
    }

    fn open_session(&mut self, looks: Looks) -> io::Result<()> {
        let mut arguments = vec![
            "--headless=new".to_owned(),
            "--no-sandbox".to_owned(),
            "--disable-gpu".to_owned(),
            "--disable-background-networking".to_owned(),
            "--disable-dev-shm-usage".to_owned(),
            "--no-first-run".to_owned(),
            "--force-device-scale-factor=1".to_owned(),
            format!("--user-data-dir={}", self.profile.display()),
            format!("--window-size={},{}", looks.width, looks.height),
        ];
        if looks.is_dark {
            arguments.push("--blink-settings=preferredColorScheme=0".to_owned());
        }
        let wanted = json!({"capabilities": {"alwaysMatch": {
            "browserName": "chrome",
            "goog:chromeOptions": {"args": arguments},
            "goog:loggingPrefs": {"browser": "ALL"},
        }}});
        let answer = call(self.port, "POST", "/session", Some(&wanted))?;
        let id = answer.get("sessionId").and_then(Value::as_str);
        self.session = id.unwrap_or_default().to_owned();
        Ok(())
    }

    /// Makes the inside of the window exactly as large as wanted, which a window's own size does not.
    fn resize(&self, looks: Looks) -> io::Result<()> {
        let metrics = json!({"cmd": "Emulation.setDeviceMetricsOverride", "params": {
            "width": looks.width, "height": looks.height, "deviceScaleFactor": looks.scale, "mobile": looks.width < 700,
        }});
        self.post("goog/cdp/execute", &metrics).map(drop)
    }

    /// Changes how the browser looks at the page that is open.
    ///
    /// # Errors
    ///
    /// The browser is gone.
    pub fn look(&self, looks: Looks) -> io::Result<()> {
        self.resize(looks)
    }

    fn post(&self, path: &str, body: &Value) -> io::Result<Value> {
        let path = format!("/session/{}/{path}", self.session);
        call(self.port, "POST", &path, Some(body))
    }

    /// Opens an address.
    ///
    /// # Errors
    ///
    /// The browser is gone.
    pub fn open(&self, address: &str) -> io::Result<()> {
        self.post("url", &json!({"url": address})).map(drop)
    }

    /// Runs a script in the page and returns what it returns.
    ///
    /// # Errors
    ///
    /// The script fails.
    pub fn run(&self, script: &str) -> io::Result<Value> {
        self.post("execute/sync", &json!({"script": script, "args": []}))
    }

    /// Runs a script that calls its last argument with its result.
    ///
    /// # Errors
    ///
    /// The script fails.
    pub fn run_later(&self, script: &str) -> io::Result<Value> {
        self.post("execute/async", &json!({"script": script, "args": []}))
    }

    /// What a script returns, as text.
    ///
    /// # Errors
    ///
    /// The script fails.
    pub fn text(&self, script: &str) -> io::Result<String> {
        let value = self.run(script)?;
        Ok(value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned))
    }

    /// Waits until a script returns something true.
    ///
    /// # Errors
    ///
    /// It does not within half a minute.
    pub fn wait_for(&self, condition: &str) -> io::Result<()> {
        self.wait_a_while_for(condition, Duration::from_secs(30))
    }

    /// Waits until a script returns something true.
    ///
    /// # Errors
    ///
    /// It does not within the time.
    pub fn wait_a_while_for(&self, condition: &str, at_most: Duration) -> io::Result<()> {
        let script = format!("return Boolean({condition})");
        let began = Instant::now();
        while self.run(&script)? != Value::Bool(true) {
            if began.elapsed() > at_most {
                return Err(io::Error::other(format!("waited in vain for: {condition}")));
            }
            pause(Duration::from_millis(25));
        }
        Ok(())
    }

    /// Lets so much time pass on the page, for motions that take theirs.
    pub fn let_pass(&self, time: Duration) {
        pause(time);
    }

    /// Presses a key wherever the focus is.
    ///
    /// # Errors
    ///
    /// The browser is gone.
    pub fn press(&self, key: &str) -> io::Result<()> {
        let actions = json!({"actions": [{"type": "key", "id": "keyboard", "actions": [
            {"type": "keyDown", "value": key}, {"type": "keyUp", "value": key},
        ]}]});
        self.post("actions", &actions).map(drop)
    }

    /// Presses a key while another is held.
    ///
    /// # Errors
    ///
    /// The browser is gone.
    pub fn press_with(&self, held: &str, key: &str) -> io::Result<()> {
        let actions = json!({"actions": [{"type": "key", "id": "keyboard", "actions": [
            {"type": "keyDown", "value": held}, {"type": "keyDown", "value": key},
            {"type": "keyUp", "value": key}, {"type": "keyUp", "value": held},
        ]}]});
        self.post("actions", &actions).map(drop)
    }

    /// Types a text wherever the focus is, all at once, as an input method does.
    ///
    /// # Errors
    ///
    /// The browser is gone.
    pub fn write(&self, text: &str) -> io::Result<()> {
        let insert = json!({"cmd": "Input.insertText", "params": {"text": text}});
        self.post("goog/cdp/execute", &insert).map(drop)
    }

    /// Drags a file over the page, drops it at a place, and says when.
    ///
    /// # Errors
    ///
    /// The browser is gone.
    pub fn drop_file(&self, file: &Path, (x, y): (u32, u32)) -> io::Result<Instant> {
        let mut dropped = Instant::now();
        for kind in ["dragEnter", "dragOver", "dragOver", "drop"] {
            // The page answers by showing where to drop; only then it is asked whether that may be.
            pause(Duration::from_millis(150));
            dropped = Instant::now();
            let drag = json!({"cmd": "Input.dispatchDragEvent", "params": {"type": kind, "x": x, "y": y, "data": {
                "items": [], "files": [file.display().to_string()], "dragOperationsMask": 1,
            }}});
            self.post("goog/cdp/execute", &drag)?;
        }
        Ok(dropped)
    }

    /// Sends a command of Chromium's own protocol.
    ///
    /// # Errors
    ///
    /// The browser does not know it.
    pub fn command(&self, name: &str, params: &Value) -> io::Result<Value> {
        self.post("goog/cdp/execute", &json!({"cmd": name, "params": params}))
    }

    /// Clicks the first element that a selector finds.
    ///
    /// # Errors
    ///
    /// There is none.
    pub fn click(&self, selector: &str) -> io::Result<()> {
        let script = format!(
            "const found = document.querySelector({}); if (!found) return false;\
             found.dispatchEvent(new MouseEvent('click', {{bubbles: true, cancelable: true}})); return true",
            json!(selector)
        );
        match self.run(&script)? {
            Value::Bool(true) => Ok(()),
            _ => Err(io::Error::other(format!("nothing to click: {selector}"))),
        }
    }

    /// Clicks the middle of the first element that a selector finds, where a person would: what lies above it gets the
    /// click.
    ///
    /// # Errors
    ///
    /// There is none.
    pub fn tap(&self, selector: &str) -> io::Result<()> {
        let script = format!(
            "const found = document.querySelector({}); if (!found) return null;\
             found.scrollIntoView({{block: 'nearest'}}); const at = found.getBoundingClientRect();\
             return [at.left + at.width / 2, at.top + at.height / 2].map(Math.round)",
            json!(selector)
        );
        let place = self.run(&script)?;
        let (Some(x), Some(y)) = (place.get(0), place.get(1)) else {
            return Err(io::Error::other(format!("nothing to tap: {selector}")));
        };
        let actions = json!({"actions": [{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [
            {"type": "pointerMove", "x": x, "y": y}, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0},
        ]}]});
        self.post("actions", &actions).map(drop)
    }

    /// What the console was told since the last time.
    ///
    /// # Errors
    ///
    /// The browser is gone.
    pub fn console(&self) -> io::Result<Vec<String>> {
        let log = self.post("se/log", &json!({"type": "browser"}))?;
        let entries = log.as_array().cloned().unwrap_or_default().into_iter();
        Ok(entries
            .map(|entry| entry["message"].as_str().unwrap_or_default().to_owned())
            .collect())
    }

    /// Writes what is seen into a file.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn shoot(&self, path: &Path) -> io::Result<()> {
        let shot = json!({"cmd": "Page.captureScreenshot", "params": {"format": "png"}});
        let answer = self.post("goog/cdp/execute", &shot)?;
        let text = answer
            .get("data")
            .and_then(Value::as_str)
            .unwrap_or_default();
        std::fs::write(path, from_base64(text))
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Whatever fails here is gone already.
        let _ = call(
            self.port,
            "DELETE",
            &format!("/session/{}", self.session),
            None,
        );
        let _ = self.driver.kill();
        let _ = self.driver.wait();
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}

/// Reads base64 as WebDriver writes it.
fn from_base64(text: &str) -> Vec<u8> {
    let digits = text.bytes().filter_map(|byte| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    });
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0_u32, 0);
    for digit in digits {
        bits = (bits << 6) | u32::from(digit);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}

/// Lets the browser go on before it is asked again.
#[expect(
    clippy::disallowed_methods,
    reason = "a browser is another program, and WebDriver has no call that waits for it"
)]
fn pause(time: Duration) {
    std::thread::sleep(time);
}
