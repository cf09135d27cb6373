//! HTTP/1.1 over a socket, as much as a WebDriver speaks: one request, one answer with JSON in it.

use core::time::Duration;
use std::io::{self, Read, Write};
use std::net::TcpStream;

use serde_json::Value;

/// Sends a request and returns the value in the answer.
pub(super) fn call(port: u16, method: &str, path: &str, body: Option<&Value>) -> io::Result<Value> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_read_timeout(Some(Duration::from_secs(120)))?;
    let body = body.map(Value::to_string).unwrap_or_default();
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )?;
    let mut answer = Vec::new();
    let mut piece = [0_u8; 65536];
    // The driver may keep the connection open; the length says where the answer ends.
    while !is_whole(&answer) {
        let read = stream.read(&mut piece)?;
        if read == 0 {
            break;
        }
        answer.extend_from_slice(piece.get(..read).unwrap_or_default());
    }
    let start = end_of_head(&answer).unwrap_or(answer.len());
    let json: Value = serde_json::from_slice(answer.get(start..).unwrap_or_default())?;
    let value = json.get("value").cloned().unwrap_or(Value::Null);
    match value.get("error") {
        Some(error) if !error.is_null() => Err(io::Error::other(format!("{error}: {value}"))),
        _ => Ok(value),
    }
}

fn is_whole(answer: &[u8]) -> bool {
    let Some(start) = end_of_head(answer) else {
        return false;
    };
    let head = String::from_utf8_lossy(answer.get(..start).unwrap_or_default()).to_lowercase();
    let length = head.lines().find_map(|line| {
        line.strip_prefix("content-length:")?
            .trim()
            .parse::<usize>()
            .ok()
    });
    length.is_some_and(|length| answer.len() >= start + length)
}

fn end_of_head(bytes: &[u8]) -> Option<usize> {
    bytes
        .windows(4)
        .position(|four| four == b"\r\n\r\n")
        .map(|at| at + 4)
}
