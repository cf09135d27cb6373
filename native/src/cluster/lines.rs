//! The lines of an answer that goes on, each borrowed from one buffer.

use http_body_util::BodyExt as _;
use kube::client::Body;

use super::client::CallError;

/// An answer as lines.
pub(super) struct Lines {
    body: Body,
    buffer: Vec<u8>,
    /// Where the line that was given out last ends.
    start: usize,
}

impl Lines {
    /// The lines of an answer.
    pub(super) const fn new(body: Body) -> Self {
        Self {
            body,
            buffer: Vec::new(),
            start: 0,
        }
    }

    /// The next line without its end; none at the end of the answer. What follows the last end of line is left out: it
    /// was cut.
    pub(super) async fn next(&mut self) -> Result<Option<&[u8]>, CallError> {
        let mut searched = self.start;
        loop {
            let found = self.buffer.get(searched..).unwrap_or_default();
            if let Some(length) = found.iter().position(|byte| *byte == b'\n') {
                let (start, end) = (self.start, searched + length);
                self.start = end + 1;
                return Ok(self.buffer.get(start..end));
            }
            self.buffer.drain(..self.start);
            self.start = 0;
            searched = self.buffer.len();
            let Some(frame) = self.body.frame().await else {
                return Ok(None);
            };
            let frame = frame.map_err(|error| CallError::Unreachable(error.to_string()))?;
            if let Some(data) = frame.data_ref() {
                self.buffer.extend_from_slice(data);
            }
            // One large object must not hold its room for ever.
            if searched == 0 {
                self.buffer.shrink_to(KEPT);
            }
        }
    }
}

/// How much room a quiet stream keeps.
const KEPT: usize = 64 * 1024;
