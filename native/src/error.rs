//! What ends the program early, and with which exit code.

use core::fmt;
use std::borrow::Cow;
use std::io;
use std::process::ExitCode;

use berth_core::api::Located;
use berth_core::config::ConfigError;
use berth_core::sim::{InputError, ShareError};

use crate::cli::{Format, visible};

/// Why the program ends without having done what it was asked.
#[derive(Debug)]
pub(crate) enum Error {
    /// The input is wrong.
    Input(Vec<Located<InputError>>),
    /// A configuration is wrong.
    Config(ConfigError),
    /// A link is wrong.
    Link(ShareError),
    /// The arguments do not go together, or name what is not there.
    Usage(String),
    /// Flags of kube-scheduler are wrong, for which its callers expect its exit code.
    Flags(String),
    /// A file could not be reached.
    File {
        /// Its name.
        name: String,
        /// What the system says.
        error: io::Error,
    },
    /// A cluster could not be reached, or cannot be spoken to as things are.
    #[cfg(feature = "cluster")]
    Cluster(String),
    /// Another instance leads, or could.
    #[cfg(feature = "cluster")]
    LeaseLost,
    /// A second signal came before all was brought to an end.
    #[cfg(feature = "cluster")]
    Interrupted,
    /// The pod that was asked about stays pending.
    Pending,
    /// One of the others, to be said whole however long that is.
    Whole(Box<Self>),
}

impl Error {
    /// Says what is wrong on standard error and gives the exit code that goes with it.
    pub(crate) fn report(&self) -> ExitCode {
        let text = self.to_string();
        if !text.is_empty() {
            eprintln!("{}", visible(&text));
        }
        ExitCode::from(self.code())
    }

    /// The error as it is said beside output of that format: people get the first few of many, programs all.
    pub(crate) fn beside(self, format: Format) -> Self {
        match format {
            Format::Text => self,
            Format::Json | Format::Yaml => Self::Whole(Box::new(self)),
        }
    }

    /// The exit codes that other programs build on.
    const fn code(&self) -> u8 {
        match self {
            Self::Input(_) | Self::Config(_) | Self::Link(_) => 1,
            Self::Usage(_) => 2,
            Self::File { .. } => 3,
            #[cfg(feature = "cluster")]
            Self::Cluster(_) => 3,
            Self::Flags(_) => 1,
            #[cfg(feature = "cluster")]
            Self::LeaseLost | Self::Interrupted => 1,
            Self::Pending => 4,
            Self::Whole(error) => error.code(),
        }
    }
}

impl core::error::Error for Error {}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(errors) => {
                let errors = errors.iter().map(|error| placed(error).to_string());
                write_errors(f, &errors.collect::<Vec<_>>())
            }
            Self::Config(error) => {
                let errors = error.clone().into_list();
                let errors = errors.iter().map(ToString::to_string);
                write_errors(f, &errors.collect::<Vec<_>>())
            }
            Self::Whole(error) => write!(f, "{error:#}"),
            Self::Link(error) => error.fmt(f),
            Self::Usage(text) => write!(f, "error: {text}"),
            Self::File { name, error } => write!(f, "{name}: {error}"),
            Self::Flags(text) => f.write_str(text.trim_end()),
            #[cfg(feature = "cluster")]
            Self::Cluster(text) => write!(f, "error: {text}"),
            #[cfg(feature = "cluster")]
            Self::LeaseLost => f.write_str("error: leader election lost"),
            #[cfg(feature = "cluster")]
            Self::Interrupted => f.write_str("error: ended by a second signal"),
            Self::Pending => Ok(()),
        }
    }
}

impl From<Vec<Located<InputError>>> for Error {
    fn from(errors: Vec<Located<InputError>>) -> Self {
        Self::Input(errors)
    }
}

impl From<ConfigError> for Error {
    fn from(error: ConfigError) -> Self {
        Self::Config(error)
    }
}

impl From<ShareError> for Error {
    fn from(error: ShareError) -> Self {
        match error {
            ShareError::Invalid(errors) => Self::Input(errors),
            other => Self::Link(other),
        }
    }
}

/// One error a line: the first few for people, all of them with `{:#}`.
fn write_errors(f: &mut fmt::Formatter<'_>, errors: &[String]) -> fmt::Result {
    let most = if f.alternate() {
        errors.len()
    } else {
        MAX_ERRORS
    };
    let shown = errors.get(..most).unwrap_or(errors);
    f.write_str(&shown.join("\n"))?;
    match errors.len() - shown.len() {
        0 => Ok(()),
        more => write!(f, "\n… and {more} more; berth simulate -o json prints all"),
    }
}

/// An error about a file as a whole stands at its beginning, so that every message has the same form.
fn placed(error: &Located<InputError>) -> Cow<'_, Located<InputError>> {
    if error.line == 0 && !error.source.is_empty() {
        let mut placed = error.clone();
        (placed.line, placed.column) = (1, 1);
        return Cow::Owned(placed);
    }
    Cow::Borrowed(error)
}

/// More than anybody mends before looking again.
const MAX_ERRORS: usize = 20;
