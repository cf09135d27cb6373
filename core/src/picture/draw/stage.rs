//! What every part of a figure is drawn from: the state, the attempt, the verdicts, the voice, and where columns are.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::explain::Truth;
use crate::picture::measure;
use crate::picture::px::{Px, px};
use crate::picture::scene::{Badge, Extent, Form, Lang, TextStyle, View};
use crate::picture::sentences::{Arg, Key, Voice, label, text};
use crate::picture::timeline::{Attempt, Film, PodFacts, PodNow, Still};
use crate::picture::verdicts::{GateKind, Row, Sift};

/// What to draw.
#[derive(Clone, Debug)]
pub struct Shot {
    /// How much is unfolded.
    pub view: View,
    /// The width of the canvas.
    pub width: Px,
    /// Its height; the scene is higher if it must be.
    pub height: Px,
    /// The language.
    pub lang: Lang,
    /// How many moments have passed.
    pub moment: usize,
    /// The scenario's name.
    pub title: String,
    /// The seed of the run.
    pub seed: Option<u64>,
    /// Whether rows fold by verdict.
    pub fold: Fold,
    /// What was opened in place.
    pub open: Option<Opened>,
    /// What the rules that were not run say when they are asked, for View::Why.
    pub truth: Option<Truth>,
    /// How much of it the matrix shows.
    pub extent: Extent,
    /// Whether the host can write a suggested change into what is loaded.
    pub can_apply: bool,
    /// Whether the host lays buttons over both ends of the time axis, so that nothing is drawn there.
    pub has_controls: bool,
}

impl Default for Shot {
    fn default() -> Self {
        Self {
            view: View::Story,
            width: px(1440),
            height: px(900),
            lang: Lang::En,
            moment: usize::MAX,
            title: String::new(),
            seed: None,
            fold: Fold::ByCount,
            open: None,
            truth: None,
            extent: Extent::WholeTruth,
            can_apply: false,
            has_controls: false,
        }
    }
}

/// Whether rows fold by verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fold {
    /// From 25 nodes on; on a phone from 13.
    #[default]
    ByCount,
    /// Always.
    Always,
}

/// What was opened in place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opened {
    /// A cell of the matrix.
    Cell {
        /// The node.
        node: String,
        /// The plugin.
        plugin: String,
    },
    /// A group of nodes, with the first of them.
    Group(String),
    /// A group of nodes, with all of them.
    Whole(String),
}

/// What can be opened in place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Openings {
    /// Groups; the beginning of a name will do.
    pub groups: Vec<String>,
    /// Nodes that have cells.
    pub nodes: Vec<String>,
    /// Plugins that have cells.
    pub plugins: Vec<String>,
}

impl Openings {
    /// Whether it is among them.
    #[must_use]
    pub fn contains(&self, open: &Opened) -> bool {
        match open {
            Opened::Group(id) | Opened::Whole(id) => {
                self.groups.iter().any(|group| group.starts_with(id))
            }
            Opened::Cell { node, plugin } => {
                self.nodes.contains(node) && self.plugins.contains(plugin)
            }
        }
    }
}

/// What a figure is drawn from.
pub(in crate::picture) struct Stage<'a> {
    /// The run.
    pub(in crate::picture) film: &'a Film,
    /// What was asked for.
    pub(in crate::picture) shot: &'a Shot,
    /// The state.
    pub(in crate::picture) still: Still,
    /// The attempt under way or the last one, as far as it has come.
    pub(in crate::picture) attempt: Option<Attempt<'a>>,
    /// Its verdicts so far.
    pub(in crate::picture) sift: Sift,
    /// Its verdicts at its end, so that gates do not move while it goes on.
    pub(in crate::picture) whole: Sift,
    /// Whether some node passed in the end, or may still.
    pub(in crate::picture) finds: bool,
    /// Who speaks.
    pub(in crate::picture) voice: Voice,
    /// Pods by node.
    pub(in crate::picture) by_node: BTreeMap<Arc<str>, Vec<Arc<PodNow>>>,
    /// The layout.
    pub(in crate::picture) form: Form,
    /// What node names end with, all alike.
    suffix: String,
}

impl<'a> Stage<'a> {
    /// Gathers what a shot of a film shows.
    pub(in crate::picture) fn new(film: &'a Film, shot: &'a Shot) -> Self {
        let still = film.at(shot.moment);
        let place = film.cycle_at(still.moment);
        let attempt = place.and_then(|place| film.attempt(place, still.moment));
        let whole = place.and_then(|place| film.attempt(place, usize::MAX));
        let rows = Sift::rows_of(&still);
        let sift = Sift::of_rows(rows.clone(), &still, attempt.as_ref());
        let whole_sift = Sift::of_rows(rows, &still, whole.as_ref());
        let finds = whole
            .as_ref()
            .is_none_or(|whole| whole.choice.is_some() || whole_sift.passed > 0);
        let by_node = still.by_node();
        let voice = Voice::new(shot.lang, &still.zones());
        let suffix = common_domain(&still);
        Self {
            form: form_of(shot.width, shot.view),
            film,
            shot,
            still,
            attempt,
            sift,
            whole: whole_sift,
            finds,
            voice,
            by_node,
            suffix,
        }
    }

    /// Whether the canvas is held in a hand.
    pub(in crate::picture) fn is_in_hand(&self) -> bool {
        self.shot.width < HAND
    }

    /// How far everything keeps from the edges of the canvas.
    pub(in crate::picture) fn margin(&self) -> Px {
        match self.form {
            Form::Phone if self.is_in_hand() => px(16),
            _ => px(40),
        }
    }

    /// What the rules that were not run say, if the matrix is to show it.
    pub(in crate::picture) fn shown_truth(&self) -> Option<&Truth> {
        let truth = self.shot.truth.as_ref();
        truth.filter(|_| self.shot.extent == Extent::WholeTruth)
    }

    /// A label.
    pub(in crate::picture) fn label(&self, key: Key) -> String {
        label(self.shot.lang, key)
    }

    /// A label with arguments.
    pub(in crate::picture) fn text(&self, key: Key, args: &[(&str, Arg)]) -> String {
        text(self.shot.lang, key, args)
    }

    /// What a pod looks like.
    pub(in crate::picture) fn badge(&self, facts: &PodFacts) -> Badge {
        self.film.cast().badge(&facts.workload)
    }

    /// The pod of the attempt, if it is still there.
    pub(in crate::picture) fn subject(&self) -> Option<&Arc<PodNow>> {
        self.still.pod(&self.attempt.as_ref()?.pod.uid)
    }

    /// What the pod of the attempt is, also when it is gone.
    pub(in crate::picture) fn subject_facts(&self) -> Option<Arc<PodFacts>> {
        let attempt = self.attempt.as_ref()?;
        let span = self.film.cycles().get(attempt.place)?;
        self.subject()
            .map(|now| now.facts.clone())
            .or_else(|| span.facts.clone())
    }

    /// A node's name without what all end with.
    pub(in crate::picture) fn node_name<'b>(&self, name: &'b str) -> &'b str {
        name.strip_suffix(self.suffix.as_str()).unwrap_or(name)
    }

    /// A node's name, shortened to fit; its end tells it from others.
    pub(in crate::picture) fn node_label(&self, name: &str, style: &TextStyle, most: Px) -> String {
        measure::ending(self.node_name(name), style, most)
    }

    /// The chosen node, from the choice on.
    pub(in crate::picture) fn chosen(&self) -> Option<&Arc<str>> {
        let (choice, _, _) = self.attempt.as_ref()?.choice?;
        Some(&choice.node)
    }

    /// The row of a node.
    pub(in crate::picture) fn row(&self, node: &str) -> Option<&Row> {
        self.sift.rows.iter().find(|row| *row.node.name == *node)
    }

    /// Whether nodes with one verdict fold into one row.
    pub(in crate::picture) fn is_folded(&self) -> bool {
        let rows = self.sift.rows.len();
        let most = match self.form {
            Form::Phone => (self.shot.height - AROUND_ROWS)
                .fits(px(36))
                .clamp(MOST_ROWS_ON_A_PHONE, MOST_ROWS),
            _ => MOST_ROWS,
        };
        self.shot.fold == Fold::Always || rows > most
    }

    /// Whether there are too many nodes for threads.
    pub(in crate::picture) fn is_dense(&self) -> bool {
        self.shot.fold != Fold::Always && self.sift.rows.len() > MOST_THREADS
    }

    /// The gates that stand in the figure, with their places: those that ran, or all of them.
    pub(in crate::picture) fn standing_gates(&self, all: bool) -> Vec<usize> {
        let gates = self.whole.gates.iter().enumerate();
        gates
            .filter(|(_, gate)| all || gate.cut > 0 || gate.kind == GateKind::Filter)
            .map(|(place, _)| place)
            .collect()
    }

    /// The largest CPU capacity among the nodes, in milli-cores, at least one core.
    pub(in crate::picture) fn largest_node(&self) -> i64 {
        let nodes = self.sift.rows.iter();
        nodes
            .map(|row| row.node.allocatable.milli_cpu)
            .fold(1000, i64::max)
    }
}

/// The layout for a canvas. What needs every gate stays a table on a tablet; the story is better told with the gates that
/// cut alone there.
#[must_use]
pub fn form_of(width: Px, view: View) -> Form {
    let needs_all = matches!(view, View::Everything | View::Why);
    if width >= px(1200) {
        Form::Wide
    } else if width >= px(1000) || (needs_all && width >= HAND) {
        Form::Narrow
    } else {
        Form::Phone
    }
}

/// The domain that all node names end with, dot included.
fn common_domain(still: &Still) -> String {
    let mut names = still.nodes().map(|node| &*node.name);
    let Some(first) = names.next() else {
        return String::new();
    };
    let Some(dot) = first.find('.') else {
        return String::new();
    };
    let domain = first.get(dot..).unwrap_or_default();
    if names.all(|name| name.ends_with(domain)) {
        domain.to_string()
    } else {
        String::new()
    }
}

/// Where the columns of the stage stand, in the figure's own coordinates.
#[derive(Clone, Copy, Debug)]
pub(in crate::picture) struct Columns {
    /// Waiting: from and to, if it is a column.
    pub(in crate::picture) waiting: Option<(Px, Px)>,
    /// The pod in its turn: from and to.
    pub(in crate::picture) turn: (Px, Px),
    /// The first and the last place of a gate.
    pub(in crate::picture) gates: (Px, Px),
    /// Where the head of Filter ends.
    pub(in crate::picture) filter_end: Px,
    /// Where Score begins; the scores of nodes, if some fit.
    pub(in crate::picture) score: Px,
    /// Where Bind begins.
    pub(in crate::picture) bind: Px,
    /// The nodes: from and to.
    pub(in crate::picture) nodes: (Px, Px),
}

impl Columns {
    /// The columns for a width; without Score and Bind where nothing fits.
    pub(in crate::picture) fn new(width: Px, form: Form, finds: bool) -> Self {
        let margin = px(40);
        let right = width - margin;
        let spare = width - px(1440);
        let (nodes_width, left) = match form {
            Form::Wide => (px(364) + spare.share(40, 100), px(296)),
            _ => ((width.share(31, 100)).max(px(230)).min(px(364)), px(0)),
        };
        let nodes = right - nodes_width;
        let bind = nodes - px(88);
        let score = nodes - px(188);
        let turn = left + margin;
        let filter = turn + px(188);
        let filter_end = if finds {
            score - px(24)
        } else {
            nodes - px(36)
        };
        let last_gate = if finds {
            filter_end - px(24)
        } else {
            filter + (filter_end - filter).share(60, 100)
        };
        Self {
            waiting: (form == Form::Wide).then_some((margin, px(296))),
            turn: (turn, turn + px(164)),
            gates: (filter, last_gate),
            filter_end,
            score,
            bind,
            nodes: (nodes, right),
        }
    }
}

/// A canvas that is narrower than this is held in a hand.
const HAND: Px = px(700);
/// Up to this many nodes each have a row.
const MOST_ROWS: usize = 24;
/// And up to this many on a phone, or as many as its height has room for.
const MOST_ROWS_ON_A_PHONE: usize = 12;
/// What stands above and below the rows of a phone.
const AROUND_ROWS: Px = px(400);
/// Up to this many nodes each have a thread.
const MOST_THREADS: usize = 300;
