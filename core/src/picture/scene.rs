//! The scene: one figure as data. The command line prints it, the page draws it and animates from one to the next.
//!
//! A [`Scene`] is made of panels, a [`Panel`] of [`Part`]s, a part of [`Mark`]s. A part is what a person would name: a
//! node's berth, a thread, a gate, a pod in a queue. Its id stays the same from scene to scene, so the page finds what
//! moved by comparing ids; the marks of a part come in a fixed order for its role and are compared by position.
//!
//! Geometry is in tenths of a pixel from the upper left corner of the panel's frame. Colours are [`Token`]s. Words of
//! sentences and parts that belong together carry the same link: pointing at one dims what has another.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::time::Timestamp;

use super::palette::{Hue, Token};
use super::px::{Point, Px, Rect, Size};

/// How much of the figure is unfolded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum View {
    /// What happened, in as few marks as tell it.
    #[default]
    Story,
    /// Every plugin, every number, the record and the full time axis.
    Everything,
    /// Why one pod waits: every node by every rule.
    Why,
    /// The first screen: stopped at a failure, with a question.
    Open,
}

/// How much of the matrix of [`View::Why`] is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Extent {
    /// What kube-scheduler evaluated, and hatched what every other rule says when Berth asks it.
    #[default]
    WholeTruth,
    /// What kube-scheduler evaluated, and nothing else.
    SchedulerSaw,
}

/// Which layout the canvas is wide enough for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Form {
    /// All columns, from 1200 px.
    #[default]
    Wide,
    /// Queues as four counts, from 700 px.
    Narrow,
    /// One hand, below 700 px.
    Phone,
}

/// In which language sentences and labels are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Simplified Chinese.
    Zh,
}

/// Everything that is on the canvas at one moment of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scene {
    /// How much is unfolded.
    pub view: View,
    /// Which layout.
    pub form: Form,
    /// The language of its texts.
    pub lang: Lang,
    /// The whole canvas; higher than asked for when the figure needs it.
    pub size: Size,
    /// How many moments of the film have passed.
    pub moment: usize,
    /// The instant.
    pub at: Timestamp,
    /// What is shown: the scenario and its facts.
    pub header: Header,
    /// The narrator.
    pub caption: Caption,
    /// The figure.
    pub figure: Panel,
    /// What stands right of the figure of [`View::Why`].
    pub aside: Option<Panel>,
    /// The time axis.
    pub axis: Panel,
    /// The pod on its way, at the moment it is bound.
    pub flight: Option<Flight>,
    /// The same as text.
    pub twin: Twin,
}

/// What is shown.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The scenario's name.
    pub title: String,
    /// How large it is, which profile, which seed.
    pub facts: String,
    /// The two as marks.
    pub panel: Panel,
}

/// The narrator: one sentence and what stands around it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Caption {
    /// What came just before, in a soft line above.
    pub before: Option<Sentence>,
    /// What happened and why.
    pub said: Sentence,
    /// kube-scheduler's own message, in View::Why.
    pub message: Option<Sentence>,
    /// Guesses to choose from, in View::Open.
    pub guesses: Vec<Guess>,
    /// All of it as marks, for whoever has no text layout.
    pub panel: Panel,
}

/// One guess at a question; the right one is linked to what proves it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guess {
    /// What it says.
    pub text: String,
    /// Whether it is right.
    pub is_right: bool,
    /// What to look at.
    pub link: String,
}

/// A sentence as pieces to be set one after another.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sentence {
    /// The pieces; spaces are in their text.
    pub pieces: Vec<Piece>,
}

/// A piece of a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Piece {
    /// Plain words.
    Text {
        /// The words.
        text: String,
    },
    /// A name in bold.
    Strong {
        /// The name.
        text: String,
    },
    /// The code of a workload in its shape and hue.
    Chip {
        /// Its looks.
        badge: Badge,
    },
    /// Words linked to marks of the figure.
    Marked {
        /// The words.
        text: String,
        /// How they are underlined.
        underline: Underline,
        /// The link they share with parts.
        link: String,
    },
}

/// How a marked word is underlined, so that it can be told without its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Underline {
    /// The chosen node: solid, Bound.
    Chosen,
    /// A rejection: dashed, Unsched.
    Rejected,
    /// A rejection by a taint: dotted, Unsched.
    Taint,
    /// A victim or a nomination: dashed, Preempt.
    Victim,
    /// A queue or a time: solid, Backoff.
    Queue,
}

/// What a workload's marks look like.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Badge {
    /// One or two characters.
    pub code: String,
    /// Its hue.
    pub hue: Hue,
    /// Whether the hue is shared, which a double edge tells.
    pub is_doubled: bool,
    /// Whose pods they are.
    pub corner: Corner,
}

/// The corner of a pod's block tells its owner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Corner {
    /// ReplicaSet or Job: rounded.
    #[default]
    Rounded,
    /// StatefulSet: a heavy base.
    Base,
    /// DaemonSet: a pill.
    Pill,
    /// A bare pod: a cut corner.
    Cut,
}

/// A place on the canvas with what is in it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Panel {
    /// Where on the canvas.
    pub frame: Rect,
    /// What is in it, in the order of focus; later parts lie above earlier ones.
    pub parts: Vec<Part>,
}

/// One thing that a person would name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// Unique in its panel, and the same in every scene that has it.
    pub id: String,
    /// What it is.
    pub role: Role,
    /// What it belongs with.
    pub links: Vec<String>,
    /// What is read out when it is focused; empty for decoration.
    pub label: String,
    /// What happens when it is chosen.
    pub action: Option<Action>,
    /// The moment of the film whose record it comes from.
    pub trace: Option<usize>,
    /// Its place among things that appear one after another: gates, victims.
    pub step: u8,
    /// What to draw.
    pub marks: Vec<Mark>,
}

/// What a part is. The page takes motion, cursor and focus from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Role {
    /// The head of a column with its rule.
    Heading,
    /// The head of a queue.
    Lane,
    /// A pod, or a stack of alike pods, in a queue.
    Waiting,
    /// The arrow to or from the pod in its turn, and between queues.
    Link,
    /// The pod in its turn.
    Turn,
    /// A number of nodes that are left, with its arrow.
    Count,
    /// A rule.
    Gate,
    /// The way from the pod to one node.
    Thread,
    /// The ways to a group of nodes with one verdict.
    Rope,
    /// A node's verdict at a gate.
    Verdict,
    /// Why a node was rejected.
    Reason,
    /// A node's score.
    Score,
    /// A step from the chosen node to the bound pod.
    Step,
    /// Where the flight went.
    Trail,
    /// A node.
    Berth,
    /// A pod on a node.
    Pod,
    /// A zone of nodes.
    Zone,
    /// The head of a group of nodes.
    Group,
    /// A dry run of preemption on one node.
    DryRun,
    /// A criterion of preemption.
    Criterion,
    /// A line of the record.
    Record,
    /// A cell of the matrix, opened.
    Chain,
    /// A table of numbers.
    Numbers,
    /// A cycle on the time axis.
    Cycle,
    /// An event on the time axis.
    Event,
    /// Where on the time axis.
    Playhead,
    /// One of several ways to show something, of which another one is shown.
    Choice,
    /// The one that is shown.
    Chosen,
    /// What marks mean.
    Legend,
    /// Anything else in words.
    Note,
}

/// What happens when a part is chosen.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Action {
    /// Opens a cell of the matrix below its row.
    OpenCell {
        /// The node.
        node: String,
        /// The plugin.
        plugin: String,
    },
    /// Opens a group of nodes in its place.
    OpenGroup {
        /// The group.
        group: String,
    },
    /// Shows all nodes of an open group, not only the first ones.
    OpenWhole {
        /// The group.
        group: String,
    },
    /// Closes what is open.
    Close,
    /// Shows why a pod waits.
    Why {
        /// `namespace/name`.
        pod: String,
    },
    /// Goes to a moment.
    Seek {
        /// How many moments have passed.
        moment: usize,
    },
    /// Unfolds all plugins.
    Unfold,
    /// Shows what the scores are made of.
    Numbers,
    /// Writes a suggested change into what is loaded.
    Apply {
        /// Which suggestion, from 0.
        place: usize,
    },
    /// Shows as much of the matrix.
    See {
        /// How much.
        extent: Extent,
    },
}

/// One drawn thing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    /// Its form.
    pub shape: Shape,
    /// What fills it.
    pub fill: Option<Token>,
    /// Its edge.
    pub stroke: Option<Stroke>,
    /// From 0 to 100.
    pub opacity: u8,
}

/// A line's looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stroke {
    /// Its colour.
    pub token: Token,
    /// Its width.
    pub width: Px,
    /// Length of dashes and of gaps between them; none for a solid line.
    pub dash: Option<(Px, Px)>,
    /// Whether its ends are round.
    pub is_round: bool,
}

/// The form of a mark.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Shape {
    /// A rectangle.
    Rect {
        /// Where.
        at: Rect,
        /// The radius of its corners.
        radius: Px,
    },
    /// A circle.
    Circle {
        /// Its middle.
        at: Point,
        /// Its radius.
        radius: Px,
    },
    /// A part of a circle's line, clockwise from 12 o'clock.
    Ring {
        /// Its middle.
        at: Point,
        /// Its radius.
        radius: Px,
        /// How much of it, in thousandths.
        share: u16,
    },
    /// A line from the middle of a clock.
    Hand {
        /// The middle.
        at: Point,
        /// From how far out.
        from: Px,
        /// To how far out.
        to: Px,
        /// Where it points, in thousandths of a turn from 12 o'clock.
        turn: u16,
    },
    /// Lines and curves.
    Path {
        /// One after another.
        segments: Vec<Segment>,
    },
    /// A text.
    Text {
        /// Where its baseline begins, ends or has its middle.
        at: Point,
        /// What it says.
        text: String,
        /// How it is set.
        style: TextStyle,
    },
    /// Many small cells of one size, for the density picture.
    Cells {
        /// The upper left corner of the first.
        at: Point,
        /// From one to the next.
        pitch: Px,
        /// How large each is.
        cell: Size,
        /// How many stand one below another before the next column begins.
        rows: usize,
        /// The step of each, column by column: 0 full to 5 free.
        steps: Vec<u8>,
    },
}

/// A step of a path, in absolute coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Segment {
    /// Goes there without a line.
    Move(Point),
    /// A straight line.
    Line(Point),
    /// A curve with two control points.
    Curve(Point, Point, Point),
    /// Back to where it began.
    Close,
}

/// How a text is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TextStyle {
    /// In pixels.
    pub size: u8,
    /// Which typeface.
    pub family: Family,
    /// How heavy.
    pub weight: Weight,
    /// What stands at its place.
    pub anchor: Anchor,
    /// How far it is turned about its place, in degrees clockwise.
    pub turn: i16,
    /// Whether it is underlined, as what can be chosen is.
    pub is_underlined: bool,
}

/// Which typeface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Family {
    /// What the page says.
    Serif,
    /// Labels.
    Sans,
    /// Names, fields, messages.
    Mono,
}

/// How heavy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Weight {
    /// 400.
    Regular,
    /// 600.
    Bold,
}

/// What of a text stands at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Anchor {
    /// Its beginning.
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

impl TextStyle {
    /// A label.
    #[must_use]
    pub const fn sans(size: u8) -> Self {
        Self::of(size, Family::Sans)
    }

    /// A name.
    #[must_use]
    pub const fn mono(size: u8) -> Self {
        Self::of(size, Family::Mono)
    }

    /// Speech.
    #[must_use]
    pub const fn serif(size: u8) -> Self {
        Self::of(size, Family::Serif)
    }

    const fn of(size: u8, family: Family) -> Self {
        Self {
            size,
            family,
            weight: Weight::Regular,
            anchor: Anchor::Start,
            turn: 0,
            is_underlined: false,
        }
    }

    /// The same in bold.
    #[must_use]
    pub const fn bold(self) -> Self {
        Self {
            weight: Weight::Bold,
            ..self
        }
    }

    /// The same, bold or not.
    #[must_use]
    pub const fn bold_if(self, is_bold: bool) -> Self {
        if is_bold { self.bold() } else { self }
    }

    /// The same, centred.
    #[must_use]
    pub const fn middle(self) -> Self {
        Self {
            anchor: Anchor::Middle,
            ..self
        }
    }

    /// The same, ending at its place.
    #[must_use]
    pub const fn end(self) -> Self {
        Self {
            anchor: Anchor::End,
            ..self
        }
    }

    /// The same, turned.
    #[must_use]
    pub const fn turned(self, degrees: i16) -> Self {
        Self {
            turn: degrees,
            ..self
        }
    }

    /// The same, underlined.
    #[must_use]
    pub const fn underlined(self) -> Self {
        Self {
            is_underlined: true,
            ..self
        }
    }
}

/// The pod on its way to its node: it shrinks at its place and runs along its thread.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Flight {
    /// The part of the pod in its berth, which appears when it lands.
    pub pod: String,
    /// The part of its node, which is struck when it lands.
    pub berth: String,
    /// What flies.
    pub badge: Badge,
    /// How large it is at its place.
    pub from: Size,
    /// How large it is on its way.
    pub to: Size,
    /// The way of its middle.
    pub path: Vec<Segment>,
}

/// The scene as text: what a screen reader is given beside the figure.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Twin {
    /// The narrator's sentence.
    pub sentence: String,
    /// Queues, gates, scores, nodes.
    pub sections: Vec<TwinSection>,
}

/// A list with its heading.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TwinSection {
    /// The heading.
    pub heading: String,
    /// The items.
    pub items: Vec<String>,
}
