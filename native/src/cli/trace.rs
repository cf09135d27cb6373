//! The trace as a file: one record a line.

use std::fs::{self, File};
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
    /// Makes the file, or makes it empty. None of the files that were read is taken, by whatever name.
    pub(crate) fn create(name: &str, inputs: &[String]) -> Result<Self, Error> {
        check_apart(name, inputs)?;
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

/// Refuses to write over what was read.
fn check_apart(name: &str, inputs: &[String]) -> Result<(), Error> {
    let Some(output) = Identity::of(name) else {
        return Ok(());
    };
    let taken = inputs.iter().find(|input| {
        let input = if *input == "-" { STANDARD_INPUT } else { input };
        Identity::of(input).is_some_and(|input| input == output)
    });
    match taken {
        None => Ok(()),
        Some(input) => Err(Error::Usage(format!(
            "--trace {name}: this file was read as {input}; expected one of its own"
        ))),
    }
}

/// What tells that two names are of one file.
#[derive(PartialEq)]
enum Identity {
    /// Device and number on it, which links share.
    #[cfg(unix)]
    Number(u64, u64),
    /// The path without links.
    #[cfg(not(unix))]
    Path(std::path::PathBuf),
}

impl Identity {
    /// None of what is not there and of what is no file, such as a pipe or a terminal, which keeps nothing.
    fn of(name: &str) -> Option<Self> {
        let metadata = fs::metadata(name).ok().filter(fs::Metadata::is_file)?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt as _;
            Some(Self::Number(metadata.dev(), metadata.ino()))
        }
        #[cfg(not(unix))]
        {
            let _ = metadata;
            fs::canonicalize(name).ok().map(Self::Path)
        }
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

/// Where the system shows what standard input was redirected from.
const STANDARD_INPUT: &str = "/dev/stdin";
