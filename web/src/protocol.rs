//! Every message between page and worker: one closed enum each way, sent as bytes, see [`wire`](crate::wire).
//!
//! The page asks, the worker answers in the order of the questions. A file travels beside its message as a blob, so that
//! its bytes are never copied into a text by the page.

use berth_core::picture::scene::{Extent, Lang, Scene, View};
use serde::{Deserialize, Serialize};

/// What the page asks of the worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ToWorker {
    /// Reads a text and runs it.
    Load {
        /// What it is called.
        name: String,
        /// The text.
        text: String,
    },
    /// Reads the blob that is sent beside this message and runs it.
    LoadBlob {
        /// What it is called.
        name: String,
    },
    /// Opens an example that comes with the page.
    Example {
        /// Its name.
        name: String,
        /// What of it, as the fields of a link say it.
        fields: String,
    },
    /// Opens a link, or its part after `#`.
    Open {
        /// The link.
        link: String,
    },
    /// Runs an edited text in place of what is loaded; a text with errors changes nothing.
    Edit {
        /// The text.
        text: String,
    },
    /// Shows another moment.
    Seek {
        /// Which.
        target: Target,
    },
    /// Shows the same moment in another way.
    Show {
        /// In which.
        frame: Frame,
    },
    /// Makes a link.
    Share {
        /// Where the page is.
        base: String,
    },
    /// Writes what is loaded as text, to be edited.
    Write,
    /// Writes a suggested change into that text; nothing runs until the text comes back as an edit.
    Apply {
        /// Which suggestion, from 0.
        place: usize,
    },
    /// Stops reading or running; what was loaded before stays.
    Cancel,
}

impl ToWorker {
    /// Whether it takes the place of what is being read.
    #[must_use]
    pub const fn is_another(&self) -> bool {
        matches!(
            self,
            Self::Load { .. }
                | Self::LoadBlob { .. }
                | Self::Example { .. }
                | Self::Open { .. }
                | Self::Edit { .. }
                | Self::Cancel
        )
    }
}

/// Which moment is meant.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Target {
    /// The moment after that many records.
    Moment {
        /// How many.
        moment: usize,
    },
    /// The end of an instant, in microseconds from the start.
    Time {
        /// The instant.
        micros: i64,
    },
    /// So many events on; back if negative.
    Event {
        /// How many.
        by: i32,
    },
    /// So many attempts on; back if negative.
    Cycle {
        /// How many.
        by: i32,
    },
    /// The next failure, or the one before.
    Failure {
        /// Whether backwards.
        is_back: bool,
    },
    /// The beginning.
    Start,
    /// The end.
    End,
}

/// How the moment is shown.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    /// How much is unfolded.
    pub view: View,
    /// The width of the canvas in pixels.
    pub width: i32,
    /// Its height.
    pub height: i32,
    /// The language.
    pub lang: Lang,
    /// What is opened in place.
    pub open: Option<Open>,
    /// Whom View::Why is about, `namespace/name`; the pod of the moment if nobody.
    pub pod: Option<String>,
    /// How much of its matrix is shown.
    pub extent: Extent,
}

/// What is opened in place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Open {
    /// The cell of the matrix that tells most.
    Telling,
    /// A cell of the matrix.
    Cell {
        /// The node.
        node: String,
        /// The plugin.
        plugin: String,
    },
    /// A group of nodes, with the first of them.
    Group {
        /// Its name.
        group: String,
    },
    /// A group of nodes, with all of them.
    Whole {
        /// Its name.
        group: String,
    },
}

/// What the worker tells the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum FromWorker {
    /// The worker is there, with the examples it brings.
    Ready {
        /// The examples.
        examples: Vec<Example>,
    },
    /// Something takes its time.
    Progress {
        /// What is done.
        work: Work,
        /// How far it is.
        done: u64,
        /// Of how much; 0 if that is not known.
        total: u64,
    },
    /// A scenario is loaded and its run is over.
    Loaded {
        /// What it is.
        run: Box<RunFacts>,
    },
    /// A moment of the run.
    Scene {
        /// The picture.
        scene: Box<Scene>,
        /// What the moment is.
        now: Now,
    },
    /// What was given is wrong.
    Errors {
        /// Where and how.
        errors: Vec<Wrong>,
        /// How many more there are.
        more: usize,
        /// Whether it came from the editor.
        is_edit: bool,
    },
    /// A link cannot be opened.
    BadLink {
        /// Why not.
        message: Said,
    },
    /// The link that was asked for.
    Link {
        /// The link, if the scenario fits into one.
        link: Option<String>,
        /// Why it does not.
        message: Said,
    },
    /// The text that was asked for.
    Text {
        /// The text.
        text: String,
        /// Where in it the object stands that the moment is about.
        part: Option<Part>,
    },
    /// The text with the change that was asked for.
    Applied {
        /// The text before.
        old: String,
        /// The text with it.
        text: String,
        /// The pod it was suggested for, `namespace/name`.
        pod: String,
    },
    /// Reading or running was stopped.
    Cancelled,
}

/// What takes its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Work {
    /// A text is read, in bytes.
    Reading,
    /// The cluster runs, in inputs.
    Running,
}

/// An example that comes with the page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Example {
    /// Its name.
    pub name: String,
    /// What it says of itself, in English and in Chinese.
    pub told: [Told; 2],
    /// Its figure at the moment it opens at, as a line of `engine/figures.txt`.
    pub figure: String,
}

impl Example {
    /// What it says of itself in a language.
    #[must_use]
    pub fn told(&self, lang: Lang) -> &Told {
        let [en, zh] = &self.told;
        match lang {
            Lang::En => en,
            Lang::Zh => zh,
        }
    }
}

/// What an example says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Told {
    /// Its title.
    pub title: String,
    /// The question it answers.
    pub question: String,
    /// Two lines about it.
    pub about: String,
}

/// One object in a text: a block of lines that are indented alike.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Part {
    /// Its kind and name.
    pub name: String,
    /// Where it begins, in bytes.
    pub from: usize,
    /// Where it ends, after the break of its last line.
    pub to: usize,
    /// How far it is indented.
    pub pad: usize,
    /// Its first line, from 1.
    pub line: u32,
}

impl Part {
    /// The object without its indentation.
    #[must_use]
    pub fn inner(&self, text: &str) -> String {
        let block = text.get(self.from..self.to).unwrap_or_default();
        let indent = " ".repeat(self.pad);
        let lines = block.split_inclusive('\n');
        lines
            .map(|line| line.strip_prefix(&indent).unwrap_or(line))
            .collect()
    }

    /// The text with another object in its place.
    #[must_use]
    pub fn put(&self, text: &str, inner: &str) -> String {
        let (before, after) = (text.get(..self.from), text.get(self.to..));
        let mut whole = before.unwrap_or_default().to_owned();
        for (place, line) in inner.split_inclusive('\n').enumerate() {
            if place > 0 && !line.trim().is_empty() {
                whole.push_str(&" ".repeat(self.pad));
            }
            whole.push_str(line);
        }
        let after = after.unwrap_or_default();
        if !after.is_empty() && !whole.ends_with('\n') {
            whole.push('\n');
        }
        whole + after
    }
}

/// What a run is, whatever moment is shown.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunFacts {
    /// The scenario's name.
    pub name: String,
    /// What it was called by whoever gave it.
    pub called: String,
    /// How many records the run has.
    pub moments: usize,
    /// The instant of its last record, in microseconds.
    pub end_micros: i64,
    /// How many nodes there are in the end.
    pub nodes: usize,
    /// How many pods there are in the end.
    pub pods: usize,
    /// The ends of the attempts.
    pub cycles: Vec<usize>,
    /// The moments after failures.
    pub failures: Vec<usize>,
    /// The fingerprint of all decisions.
    pub digest: String,
    /// What is not supported, and what the cluster refused.
    pub warnings: Vec<Wrong>,
    /// How many more there are.
    pub more_warnings: usize,
    /// Whether it came from the editor.
    pub is_edit: bool,
    /// Whether the scenario is small enough for the editor.
    pub is_editable: bool,
    /// The view that the link asked for.
    pub view: Option<String>,
    /// The pod that the link asked for, `namespace/name`.
    pub pod: Option<String>,
}

/// What the moment of a scene is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Now {
    /// How many records have passed.
    pub moment: usize,
    /// The instant in microseconds.
    pub micros: i64,
    /// The attempt, from 1; 0 before the first.
    pub cycle: usize,
    /// What kind of event came last.
    pub beat: BeatWord,
    /// How much simulated time passes until the next event, in microseconds.
    pub gap_micros: i64,
    /// Whether nothing follows.
    pub is_end: bool,
    /// Whether the moment came by stepping on, so that it may be animated.
    pub is_step: bool,
    /// Whether a pod flies to its node.
    pub flies: bool,
}

/// What kind of event it was, as far as pace and motion tell it apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum BeatWord {
    /// Nothing to look at for long.
    #[default]
    Quiet,
    /// A pod's turn came.
    Turn,
    /// Nodes were filtered.
    Filtered,
    /// Nodes were scored.
    Scored,
    /// A second try by preemption.
    Preempting,
    /// On the way to the node.
    Reserving,
    /// The pod flies.
    Bound,
    /// No node fits.
    Failed,
    /// A pod changed its queue.
    Moved,
}

/// Something wrong, at its place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wrong {
    /// The file.
    pub source: String,
    /// The line, from 1; 0 if there is none.
    pub line: u32,
    /// The column, from 1; 0 if there is none.
    pub column: u32,
    /// The field, or what it is about.
    pub path: Said,
    /// What was found and what was expected.
    pub message: Said,
}

/// What the core says, in both languages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    /// In English.
    pub en: String,
    /// In Chinese; empty where only the English is known.
    pub zh: String,
}

impl Said {
    /// The words for a language.
    #[must_use]
    pub fn words(&self, lang: Lang) -> &str {
        if lang == Lang::Zh && !self.zh.is_empty() {
            &self.zh
        } else {
            &self.en
        }
    }
}

impl From<String> for Said {
    fn from(en: String) -> Self {
        Self {
            en,
            zh: String::new(),
        }
    }
}
