//! Folded rows when everything is shown: all gates by name, the counts at the foot, and the record below.

use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use crate::picture::measure;
use crate::picture::palette::Token;
use crate::picture::px::{Px, px};
use crate::picture::scene::{Part, Role, Shape, TextStyle, View};
use crate::picture::sentences::gate_link;
use crate::picture::verdicts::GateKind;

use super::brush::{Space, words};
use super::everything::gate_places;
use super::gates::{Post, gate_says, lines};
use super::record::{Line, lines as lines_of, record};
use super::stage::{Columns, Stage};

/// What stands around folded rows when everything is shown.
pub(super) struct Whole {
    records: Vec<Line>,
}

impl Whole {
    /// Where rows begin, below the turned names of gates.
    pub(super) const FIRST_TOP: Px = px(176);

    /// What there is to show, if everything is asked for.
    pub(super) fn of(stage: &Stage<'_>) -> Option<Self> {
        (stage.shot.view == View::Everything).then(|| Self {
            records: lines_of(stage),
        })
    }

    /// How much room the record needs.
    pub(super) fn height(&self) -> Px {
        if self.records.is_empty() {
            Px::ZERO
        } else {
            px(56) + px(17).each(self.records.len().min(6))
        }
    }

    /// Every gate, those that ran further apart.
    pub(super) fn posts(stage: &Stage<'_>, columns: &Columns) -> Vec<Post> {
        let (from, to) = columns.gates;
        let places = gate_places(stage, (from - px(54), to + px(49)));
        let gates = stage.whole.gates.iter().zip(places).enumerate();
        gates
            .map(|(gate, (info, x))| Post {
                gate,
                x,
                cuts: info.cut > 0,
            })
            .collect()
    }

    /// The gates: their names, turned, and their lines.
    pub(super) fn gates(
        stage: &Stage<'_>,
        posts: &[Post],
        reach: impl Fn(&Post) -> Px,
        space: &Space,
    ) -> Vec<Part> {
        let mut parts = names(stage, posts, Self::FIRST_TOP - px(14));
        let mut drawn = lines(stage, posts, reach, Self::FIRST_TOP - px(8), space);
        for part in &mut drawn {
            part.marks
                .retain(|mark| matches!(mark.shape, Shape::Path { .. }));
        }
        parts.extend(drawn);
        parts
    }

    /// The counts and the record.
    pub(super) fn foot(
        &self,
        stage: &Stage<'_>,
        columns: &Columns,
        posts: &[Post],
        y: Px,
        bottom: Px,
    ) -> Vec<Part> {
        let edges = (columns.gates.0, columns.nodes.1);
        let mut parts = alloc::vec![counts(stage, columns, posts, y)];
        parts.extend(record(stage, &self.records, edges, y + px(30), bottom));
        parts
    }
}

/// The names of all gates, turned.
fn names(stage: &Stage<'_>, posts: &[Post], y: Px) -> Vec<Part> {
    let named = posts
        .iter()
        .filter_map(|post| Some((post, stage.whole.gates.get(post.gate)?)));
    // Where gates stand too close for all names, those that cut have theirs first.
    let mut taken: Vec<Px> = Vec::new();
    let mut is_free = |x: Px| {
        let is_free = taken
            .iter()
            .all(|other| (x - *other).0.abs() >= NAMES_APART.0);
        if is_free {
            taken.push(x);
        }
        is_free
    };
    let (cutting, quiet): (Vec<_>, Vec<_>) = named.partition(|(post, _)| post.cuts);
    cutting
        .into_iter()
        .chain(quiet)
        .filter(|(post, _)| is_free(post.x))
        .map(|(post, gate)| {
            let style = TextStyle::sans(12).turned(-53).bold_if(gate.cut > 0);
            let token = if gate.kind == GateKind::Skipped {
                Token::Soft
            } else {
                Token::Ink
            };
            let name = measure::shortened(&gate.name, &style, px(126));
            Part::new(format!("gate/{}/name", gate.id()), Role::Gate)
                .link(gate_link(&gate.name))
                .labelled(gate_says(stage, gate))
                .with(words(post.x + px(2), y, name, style, token))
        })
        .collect()
}

/// How many nodes are left behind each cut.
fn counts(stage: &Stage<'_>, columns: &Columns, posts: &[Post], y: Px) -> Part {
    let style = TextStyle::sans(12).bold();
    let mut part = Part::new("counts", Role::Count);
    let asked = stage.whole.asked.to_string();
    part.add(words(columns.turn.0 + px(4), y, asked, style, Token::Ink));
    let cutting: Vec<&Post> = posts.iter().filter(|post| post.cuts).collect();
    let mut taken = Px::ZERO;
    for (place, post) in cutting.iter().enumerate() {
        let Some(gate) = stage.whole.gates.get(post.gate) else {
            continue;
        };
        let cut = format!("−{}", gate.cut);
        let width = measure::width(&cut, &style);
        // Gates can stand closer than their numbers are wide.
        if post.x - width.half() > taken {
            part.add(words(post.x, y, cut, style.middle(), Token::Unsched));
            taken = post.x + width.half() + px(4);
        }
        let next = cutting.get(place + 1).map_or(columns.score, |next| next.x);
        if next - post.x >= px(56) {
            let left = (gate.before - gate.cut).to_string();
            let x = post.x + (next - post.x).half();
            part.add(words(x, y, left, style.middle(), Token::Ink));
        }
    }
    part
}

/// Turned names closer than this lie on each other.
const NAMES_APART: Px = px(13);
