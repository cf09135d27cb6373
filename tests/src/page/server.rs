//! Serves a folder on a free port and remembers what was asked for.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// A server that lives as long as the test.
pub struct Server {
    port: u16,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Serves a folder.
    ///
    /// # Errors
    ///
    /// No port is free.
    pub fn start(folder: &Path) -> std::io::Result<Self> {
        Self::start_without(folder, "")
    }

    /// Serves a folder as if a file of it were not there.
    ///
    /// # Errors
    ///
    /// No port is free.
    pub fn start_without(folder: &Path, missing: &'static str) -> std::io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let port = listener.local_addr()?.port();
        let asked: Arc<Mutex<Vec<String>>> = Arc::default();
        let (folder, log) = (folder.to_path_buf(), asked.clone());
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (folder, log) = (folder.clone(), log.clone());
                thread::spawn(move || {
                    // A browser that hangs up needs no answer.
                    let _ = answer(stream, &folder, missing, &log);
                });
            }
        });
        Ok(Self { port, asked })
    }

    /// Where the page is.
    #[must_use]
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// The paths that were asked for, in order.
    #[must_use]
    pub fn asked(&self) -> Vec<String> {
        self.asked
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

fn answer(
    mut stream: TcpStream,
    folder: &Path,
    missing: &str,
    log: &Mutex<Vec<String>>,
) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let first = lines.next().transpose()?.unwrap_or_default();
    while lines
        .next()
        .transpose()?
        .is_some_and(|line| !line.is_empty())
    {}
    let path = first.split(' ').nth(1).unwrap_or("/").to_owned();
    log.lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push(path.clone());
    let name = path
        .split('?')
        .next()
        .unwrap_or_default()
        .trim_start_matches('/');
    let name = if name.is_empty() { "index.html" } else { name };
    let file: PathBuf = folder.join(name);
    match std::fs::read(&file) {
        Ok(bytes) if !name.contains("..") && name != missing => {
            write!(
                stream,
                "HTTP/1.1 200 OK\r\nContent-Type: {}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n\
                 Connection: close\r\n\r\n",
                kind_of(name),
                bytes.len()
            )?;
            stream.write_all(&bytes)
        }
        _ => write!(
            stream,
            "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        ),
    }
}

fn kind_of(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript",
        Some("css") => "text/css",
        Some("wasm") => "application/wasm",
        _ => "application/octet-stream",
    }
}
