//! Nodes with the same verdict as one row: which groups there are, in which order, and how high they stand.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::order;
use crate::picture::px::{Px, px};
use crate::picture::scene::{Action, Form};
use crate::picture::sentences::{Arg, Key, amount, shortage, signed};
use crate::picture::verdicts::{Row, Verdict};

use super::score::{Board, segment_name};
use super::stage::{Opened, Stage};

/// What a group is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::picture) enum Kind {
    /// The chosen node.
    Chosen,
    /// A node that ties with it.
    Tied,
    /// Nodes that fit, with scores near the best.
    Fits,
    /// Nodes that fit, but that a preference sets back.
    SetBack,
    /// Nodes that nobody asked.
    NotAsked,
    /// Nodes that a gate cut for one reason.
    Rejected(usize),
}

/// A row of the folded figure.
#[derive(Clone, Debug)]
pub(in crate::picture) struct Group<'a> {
    /// The same in every scene that has the group.
    pub(in crate::picture) id: String,
    /// What it is made of.
    pub(in crate::picture) kind: Kind,
    /// Its nodes, nearest miss first.
    pub(in crate::picture) rows: Vec<&'a Row>,
    /// What it says in bold or beside its bar.
    pub(in crate::picture) title: String,
    /// What it says below.
    pub(in crate::picture) detail: String,
}

impl Group<'_> {
    /// Whether it is one node with a row of its own.
    #[must_use]
    pub(in crate::picture) const fn is_single(&self) -> bool {
        matches!(self.kind, Kind::Chosen | Kind::Tied)
    }

    /// How many of its nodes were opened.
    #[must_use]
    pub(in crate::picture) fn shown(&self, stage: &Stage<'_>) -> usize {
        let is_meant = |id: &str| !self.is_single() && !id.is_empty() && self.id.starts_with(id);
        match &stage.shot.open {
            Some(Opened::Group(id)) if is_meant(id) => self.rows.len().min(FIRST),
            Some(Opened::Whole(id)) if is_meant(id) => self.rows.len(),
            _ => 0,
        }
    }

    /// What choosing its head does: it opens the group, or closes it again.
    #[must_use]
    pub(in crate::picture) fn action(&self, is_open: bool) -> Action {
        if is_open {
            Action::Close
        } else {
            Action::OpenGroup {
                group: self.id.clone(),
            }
        }
    }
}

/// The group that was opened, by its place, and how many of its nodes: at most one is, the first that is meant.
#[must_use]
pub(in crate::picture) fn opened_among(
    groups: &[Group<'_>],
    stage: &Stage<'_>,
) -> Option<(usize, usize)> {
    let shown = groups.iter().map(|group| group.shown(stage));
    shown.enumerate().find(|(_, shown)| *shown > 0)
}

/// The groups of a search from top to bottom: the chosen node, its ties, what fits, what does not, last gate first.
pub(in crate::picture) fn groups<'a>(stage: &'a Stage<'_>) -> Vec<Group<'a>> {
    let mut groups = Vec::new();
    let rows = &stage.sift.rows;
    let chosen = stage.chosen();
    let tied: Vec<&str> = stage
        .attempt
        .as_ref()
        .and_then(|attempt| attempt.choice)
        .map(|(choice, _, _)| choice.tied.iter().map(|name| &**name).collect())
        .unwrap_or_default();
    let mut fits: Vec<&Row> = Vec::new();
    let mut ties = 0;
    // A phone has no room for rows of ties: they count among those that fit.
    let most = if stage.form == Form::Phone {
        0
    } else {
        MOST_TIES
    };
    let mut singles = Vec::new();
    for row in rows.iter().filter(|row| row.verdict == Verdict::Passed) {
        let name = &row.node.name;
        if chosen == Some(name) {
            singles.insert(0, single(stage, row, Kind::Chosen));
        } else if tied.contains(&&**name) && ties < most {
            ties += 1;
            singles.push(single(stage, row, Kind::Tied));
        } else {
            fits.push(row);
        }
    }
    groups.extend(singles);
    groups.extend(fitting(stage, fits));
    groups.extend(not_asked(stage));
    let mut rejected = rejected(stage);
    rejected.reverse();
    groups.extend(rejected);
    groups
}

fn single<'a>(stage: &Stage<'_>, row: &'a Row, kind: Kind) -> Group<'a> {
    Group {
        id: format!("node/{}", row.node.name),
        kind,
        rows: alloc::vec![row],
        title: stage.node_name(&row.node.name).to_string(),
        detail: String::new(),
    }
}

/// Nodes that fit but were not chosen, those set back by a preference apart.
fn fitting<'a>(stage: &Stage<'_>, fits: Vec<&'a Row>) -> Vec<Group<'a>> {
    if fits.is_empty() {
        return Vec::new();
    }
    let Some(board) = Board::of(stage) else {
        let n = [("n", Arg::Number(as_number(fits.len())))];
        return alloc::vec![Group {
            id: String::from("fits"),
            kind: Kind::Fits,
            title: stage.text(Key::FitUnscored, &n),
            detail: String::new(),
            rows: fits,
        }];
    };
    let total = |row: &Row| {
        board
            .nodes
            .get(&row.node.name)
            .map_or(0, |(_, total)| *total)
    };
    let best = board
        .nodes
        .values()
        .map(|(_, total)| *total)
        .max()
        .unwrap_or(0);
    let (mut near, mut far): (Vec<&Row>, Vec<&Row>) = fits
        .into_iter()
        .partition(|row| total(row) > best - SET_BACK);
    if near.is_empty() {
        core::mem::swap(&mut near, &mut far);
    }
    let mut groups = Vec::new();
    for (id, kind, mut rows) in [("fits", Kind::Fits, near), ("setback", Kind::SetBack, far)] {
        if rows.is_empty() {
            continue;
        }
        order::sort_by_key(&mut rows, |row| core::cmp::Reverse(total(row)));
        let high = rows.first().map_or(0, |row| total(row));
        let low = rows.last().map_or(0, |row| total(row));
        let (range, same) = match kind {
            Kind::Fits => (Key::FewMore, Key::FewMoreSame),
            _ => (Key::SetBack, Key::SetBackSame),
        };
        let args = [
            ("n", Arg::Number(as_number(rows.len()))),
            ("low", Arg::Number(low)),
            ("high", Arg::Number(high)),
        ];
        let detail = if kind == Kind::SetBack {
            set_back_by(stage, &board, rows.first().copied()).unwrap_or_default()
        } else {
            String::new()
        };
        groups.push(Group {
            id: String::from(id),
            kind,
            title: stage.text(if low == high { same } else { range }, &args),
            detail,
            rows,
        });
    }
    groups
}

/// The preference that costs a node most.
fn set_back_by(stage: &Stage<'_>, board: &Board, row: Option<&Row>) -> Option<String> {
    let (own, _) = board.nodes.get(&row?.node.name)?;
    let (best, _) = board.nodes.get(stage.chosen()?)?;
    let (place, points) = best
        .iter()
        .zip(own)
        .map(|(best, own)| best - own)
        .enumerate()
        .max_by_key(|(_, points)| *points)?;
    let (_, plugin) = board.segments.get(place)?;
    let args = [
        ("plugin", segment_name(stage, plugin).into()),
        ("points", Arg::Number(points)),
    ];
    Some(stage.text(Key::SetBackSays, &args))
}

fn not_asked<'a>(stage: &'a Stage<'_>) -> Option<Group<'a>> {
    let asked = stage.sift.rows.iter();
    let rows: Vec<&Row> = asked
        .filter(|row| row.verdict == Verdict::NotAsked)
        .collect();
    if rows.is_empty() {
        return None;
    }
    let detail = if stage.sift.is_single {
        stage.label(Key::NotAskedFirst)
    } else if stage.sift.is_done {
        let found = Arg::Number(as_number(stage.sift.passed));
        stage.text(Key::NotAskedSays, &[("found", found)])
    } else {
        stage.label(Key::NotAskedYet)
    };
    let n = [("n", Arg::Number(as_number(rows.len())))];
    Some(Group {
        id: String::from("notasked"),
        kind: Kind::NotAsked,
        title: stage.text(Key::NodesNotAsked, &n),
        detail,
        rows,
    })
}

/// Rejected nodes by gate, reason without its numbers, and object; in the order of the gates.
fn rejected<'a>(stage: &'a Stage<'_>) -> Vec<Group<'a>> {
    let mut groups: Vec<(usize, String, Vec<&Row>)> = Vec::new();
    for row in &stage.sift.rows {
        let Some(gate) = row.verdict.gate() else {
            continue;
        };
        let object = object_of(stage, row);
        let known = groups
            .iter_mut()
            .find(|(at, known, _)| *at == gate && *known == object);
        match known {
            Some((_, _, rows)) => rows.push(row),
            None => groups.push((gate, object, alloc::vec![row])),
        }
    }
    order::sort_by(&mut groups, |(one, _, few), (two, _, many)| {
        (one, few.len()).cmp(&(two, many.len()))
    });
    groups
        .into_iter()
        .map(|(gate, object, mut rows)| {
            order::sort_by_key(&mut rows, |row| row.verdict.reason().and_then(shortage));
            let plugin = stage.sift.gate_name(gate);
            let n = Arg::Number(as_number(rows.len()));
            let args = [("n", n), ("reason", Arg::from(object.as_str()))];
            let is_phone = stage.form == Form::Phone;
            Group {
                id: format!("{plugin}/{object}"),
                kind: Kind::Rejected(gate),
                title: stage.text(
                    if is_phone {
                        Key::NodesRejectedShort
                    } else {
                        Key::NodesRejected
                    },
                    &args,
                ),
                detail: if is_phone {
                    nearest(stage, &rows)
                } else {
                    range_of(stage, &rows)
                },
                rows,
            }
        })
        .collect()
}

/// The reason without its numbers, with its object.
fn object_of(stage: &Stage<'_>, row: &Row) -> String {
    use crate::framework::reason::Reason;
    match row.verdict.reason() {
        Some(Reason::UntoleratedTaint { taint }) => {
            let taint = taint.split(':').next().unwrap_or(taint);
            if stage.form == Form::Phone {
                let taint = taint.rsplit('/').next().unwrap_or(taint);
                return stage.text(Key::LTaint, &[("taint", taint.into())]);
            }
            stage.text(Key::DTaint, &[("taint", taint.into())])
        }
        Some(Reason::Insufficient { resource, .. }) => {
            let resource = crate::picture::sentences::short_resource(resource);
            stage.text(Key::GInsufficient, &[("resource", resource.into())])
        }
        Some(Reason::TopologySpread { topology_key, .. }) => {
            stage.voice.domain(topology_key, &row.node)
        }
        Some(Reason::TooManyPods { .. }) => stage.label(Key::GTooManyPods),
        Some(Reason::PodAntiAffinity { .. }) => stage.label(Key::LPodAnti),
        Some(Reason::ExistingPodAntiAffinity { .. }) => stage.label(Key::LExistingAnti),
        _ => stage.voice.label(row),
    }
}

/// How little was missing at the node that came closest.
fn nearest(stage: &Stage<'_>, rows: &[&Row]) -> String {
    use crate::framework::reason::Reason;
    let first = rows.first().and_then(|row| row.verdict.reason());
    match first {
        Some(reason @ Reason::Insufficient { resource, .. }) => {
            let short = amount(resource, shortage(reason).unwrap_or(0));
            stage.text(Key::NearestMiss, &[("short", short.into())])
        }
        Some(Reason::TopologySpread { .. }) => rows
            .first()
            .map_or_else(String::new, |row| stage.voice.short(row)),
        _ => String::new(),
    }
}

/// The numbers of a group: `want 500m, have 170m to 420m`.
fn range_of(stage: &Stage<'_>, rows: &[&Row]) -> String {
    use crate::framework::reason::Reason;
    let Some(first) = rows.first() else {
        return String::new();
    };
    match first.verdict.reason() {
        Some(Reason::Insufficient {
            resource,
            requested,
            ..
        }) => {
            let free = rows.iter().filter_map(|row| match row.verdict.reason() {
                Some(Reason::Insufficient {
                    used, allocatable, ..
                }) => Some(allocatable - used),
                _ => None,
            });
            let free: Vec<i64> = free.collect();
            let low = free.iter().copied().min().unwrap_or(0);
            let high = free.iter().copied().max().unwrap_or(0);
            let args = [
                ("want", Arg::from(amount(resource, *requested))),
                ("low", amount(resource, low).into()),
                ("high", amount(resource, high).into()),
                ("have", amount(resource, low).into()),
                (
                    "resource",
                    Arg::from(crate::picture::sentences::short_resource(resource)),
                ),
            ];
            let key = if low == high {
                Key::DInsufficient
            } else {
                Key::DInsufficientRange
            };
            stage.text(key, &args)
        }
        Some(Reason::TopologySpread {
            count,
            minimum,
            max_skew,
            ..
        }) => format!(
            "{count} − {minimum} = {} > maxSkew {}",
            signed(count - minimum),
            max_skew
        ),
        _ => String::new(),
    }
}

fn as_number(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// From one thread of a rope to the next, a multiple of half a pixel so that ropes do not beat.
#[must_use]
pub(in crate::picture) fn rope_pitch(nodes: usize) -> Px {
    let tenths = 1800 / i32::try_from(nodes.max(1)).unwrap_or(i32::MAX);
    Px((tenths / 5 * 5).clamp(5, 30))
}

/// A group in its place.
#[derive(Clone, Debug)]
pub(in crate::picture) struct Placed<'a> {
    /// The group.
    pub(in crate::picture) group: Group<'a>,
    /// The middle of its rope.
    pub(in crate::picture) y: Px,
    /// How high its rope is.
    pub(in crate::picture) rope: Px,
    /// Where its opened nodes begin.
    pub(in crate::picture) below: Px,
    /// How many of its nodes are shown when it is open.
    pub(in crate::picture) shown: usize,
    /// How much room they take.
    pub(in crate::picture) unfolded: Px,
}

/// Puts groups one below another. Returns them and where they end.
pub(in crate::picture) fn place<'a>(
    stage: &Stage<'_>,
    groups: Vec<Group<'a>>,
    top: Px,
) -> (Vec<Placed<'a>>, Px) {
    let pitch = rope_pitch(stage.sift.rows.len());
    let mut placed = Vec::new();
    let mut y = top;
    let open = opened_among(&groups, stage);
    for (number, group) in groups.into_iter().enumerate() {
        let rope = pitch.each(group.rows.len()).max(px(3));
        let height = if group.is_single() {
            px(26)
        } else {
            (rope + px(10)).max(px(42))
        };
        let shown = open.filter(|(open, _)| *open == number);
        let shown = shown.map_or(0, |(_, shown)| shown);
        let middle = y + height.half();
        y += height;
        let below = y + px(4);
        let unfolded = match shown {
            0 => Px::ZERO,
            _ if group.rows.len() > shown => px(22).each(shown) + px(30),
            _ => px(22).each(shown) + px(10),
        };
        y += unfolded;
        placed.push(Placed {
            group,
            y: middle,
            rope,
            below,
            shown,
            unfolded,
        });
    }
    (placed, y)
}

/// So many nodes of a group are shown when it is opened, those that came nearest.
const FIRST: usize = 3;
/// Nodes that tie with the chosen one and have rows of their own, at most.
const MOST_TIES: usize = 4;
/// Points behind the best from which a node counts as set back.
const SET_BACK: i64 = 100;
