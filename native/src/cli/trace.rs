//! The trace as a file: one record a line.

use std::fs::File;
use std::io::{self, BufWriter, Write};

use berth_core::framework::trace::{Observer, Record};
use berth_core::num::seconds;
use berth_core::time::Timestamp;

use crate::error::Error;

/// Writes each record as a line of JSON. The first failure is kept and ends the writing.
pub(crate) struct TraceFile {
    name: String,
    file: BufWriter<File>,
    failure: Option<io::Error>,
}

/// A record with its instant.
#[derive(serde::Serialize)]
struct Line<'a> {
    at: f64,
    #[serde(flatten)]
    record: &'a Record,
}

impl TraceFile {
    pub(crate) fn create(name: &str) -> Result<Self, Error> {
        let file = File::create(name).map_err(|error| Error::File {
            name: name.to_owned(),
            error,
        })?;
        Ok(Self {
            name: name.to_owned(),
            file: BufWriter::new(file),
            failure: None,
        })
    }

    /// Says whether everything was written.
    pub(crate) fn finish(mut self) -> Result<(), Error> {
        let flushed = self.file.flush();
        let failure = self.failure.map_or(flushed, Err);
        failure.map_err(|error| Error::File {
            name: self.name,
            error,
        })
    }

    fn write(&mut self, line: &Line<'_>) -> io::Result<()> {
        let text = serde_json::to_string(line).map_err(io::Error::other)?;
        writeln!(self.file, "{text}")
    }
}

impl Observer for TraceFile {
    fn record(&mut self, at: Timestamp, record: Record) {
        if self.failure.is_some() {
            return;
        }
        let line = Line {
            at: seconds(at - Timestamp::ZERO),
            record: &record,
        };
        if let Err(error) = self.write(&line) {
            self.failure = Some(error);
        }
    }
}
