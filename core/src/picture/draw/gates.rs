//! Gates: where they stand, how far down they reach, and how many nodes are left behind each.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::order;
use crate::picture::measure;
use crate::picture::palette::Token;
use crate::picture::px::{Point, Px, px};
use crate::picture::scene::{Mark, Part, Role, TextStyle};
use crate::picture::sentences::{Arg, Key, gate_link, grouped, short_plugin};
use crate::picture::verdicts::{Gate, GateKind, Sift};

use super::brush::{Space, arrow_head, level, upright, words};
use super::stage::{Columns, Stage};

/// A gate in the figure.
#[derive(Clone, Debug)]
pub(in crate::picture) struct Post {
    /// Its place among all gates.
    pub(in crate::picture) gate: usize,
    /// Where it stands.
    pub(in crate::picture) x: Px,
    /// Whether it cuts, now or in the end.
    pub(in crate::picture) cuts: bool,
}

/// Places gates from left to right: those that cut as far apart as their names need, those that do not close together.
#[must_use]
pub(in crate::picture) fn place_posts(
    sift: &Sift,
    gates: &[usize],
    columns: &Columns,
) -> Vec<Post> {
    let (from, to) = columns.gates;
    let cuts = |gate: &usize| sift.gates.get(*gate).is_some_and(|gate| gate.cut > 0);
    // Runs of gates that do not cut stand together; each run and each cutting gate is one stop on the way.
    let mut stops: Vec<Vec<usize>> = Vec::new();
    for gate in gates {
        match stops.last_mut() {
            Some(stop) if !cuts(gate) && stop.iter().all(|gate| !cuts(gate)) => stop.push(*gate),
            _ => stops.push(alloc::vec![*gate]),
        }
    }
    let leads_soft = stops.first().is_some_and(|stop| !stop.iter().any(cuts));
    let lead = if leads_soft {
        stops.first().map_or(0, Vec::len)
    } else {
        0
    };
    let pitch = SOFT_PITCH.min(
        (to - from)
            .over(4)
            .over(i32::try_from(lead.max(1)).unwrap_or(1)),
    );
    let start = if leads_soft {
        from + pitch.each(lead.saturating_sub(1))
    } else {
        from
    };
    let steps = stops.len() - usize::from(leads_soft && !stops.is_empty());
    let mut posts = Vec::new();
    let mut step = 0_usize;
    for (place, stop) in stops.iter().enumerate() {
        let is_lead = leads_soft && place == 0;
        step += usize::from(!is_lead);
        let center = if is_lead {
            from + (start - from).half()
        } else {
            start + (to - start).share(as_i64(step), as_i64(steps.max(1)))
        };
        let width = pitch.each(stop.len() - 1);
        for (offset, gate) in stop.iter().enumerate() {
            posts.push(Post {
                gate: *gate,
                x: center - width.half() + pitch.each(offset),
                cuts: cuts(gate),
            });
        }
    }
    posts
}

fn as_i64(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// How gate names are set on top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::picture) enum Naming {
    /// In full.
    Full,
    /// In short.
    Short,
}

impl Naming {
    /// The longest names that have room on top.
    pub(in crate::picture) fn choose(sift: &Sift, posts: &[Post], style: &TextStyle) -> Self {
        let cutting: Vec<(&Post, &Gate)> = posts
            .iter()
            .filter(|post| post.cuts)
            .filter_map(|post| Some((post, sift.gates.get(post.gate)?)))
            .collect();
        let fits = cutting.windows(2).all(|pair| match pair {
            [(one, first), (two, second)] => {
                let need = measure::width(&first.name, style).half()
                    + measure::width(&second.name, style).half()
                    + px(8);
                two.x - one.x >= need
            }
            _ => true,
        });
        if fits { Self::Full } else { Self::Short }
    }

    /// A gate's name.
    pub(in crate::picture) fn name(self, gate: &Gate) -> &str {
        match self {
            Self::Full => &gate.name,
            Self::Short => short_plugin(&gate.name),
        }
    }
}

/// The counts above the gates: how many are asked, how many are left behind each cut, and one at the end.
fn counts(stage: &Stage<'_>, columns: &Columns, posts: &[Post]) -> Vec<Part> {
    // Before the first pod had its turn nobody is asked.
    if stage.attempt.is_none() {
        return Vec::new();
    }
    let cutting: Vec<&Post> = posts.iter().filter(|post| post.cuts).collect();
    let total = if stage.whole.is_done {
        stage.whole.asked
    } else {
        stage.still.nodes().len()
    };
    let start = columns.turn.1 - px(26);
    let end = if stage.finds {
        columns.score + px(16)
    } else {
        columns.filter_end - px(100)
    };
    let mut places = alloc::vec![(start, total, Token::Ink)];
    let mut left = total;
    for (place, post) in cutting.iter().enumerate() {
        let cut = stage.whole.gates.get(post.gate).map_or(0, |gate| gate.cut);
        left -= cut.min(left);
        let x = match cutting.get(place + 1) {
            Some(next) => post.x + (next.x - post.x).half(),
            None => end,
        };
        let token = if left == 0 {
            Token::Unsched
        } else {
            Token::Ink
        };
        places.push((x, left, token));
    }
    let size = count_size(stage, &cutting, &places);
    let mut parts = Vec::new();
    for (place, (x, count, token)) in places.iter().enumerate() {
        // Where even small ones do not fit, the first and the last tell enough.
        let is_end = place == 0 || place + 1 == places.len();
        if size < 17 && !is_end {
            continue;
        }
        let style = TextStyle::serif(size).middle();
        parts.push(
            Part::new(format!("count/{place}"), Role::Count)
                .stepped(place)
                .with(words(*x, px(76), grouped(*count), style, *token)),
        );
    }
    parts.extend(cut_labels(stage, &cutting, &places, size));
    if stage.finds {
        parts.push(one_chosen(stage, columns, &places, size));
    }
    parts
}

/// The largest size at which the counts keep clear of what is cut between them.
fn count_size(stage: &Stage<'_>, cutting: &[&Post], places: &[(Px, usize, Token)]) -> u8 {
    let cut_style = TextStyle::sans(14).bold();
    let half_cut = |post: &Post| {
        let cut = stage.whole.gates.get(post.gate).map_or(0, |gate| gate.cut);
        measure::width(&format!("−{}", grouped(cut)), &cut_style).half()
    };
    let fits = |size: u8| {
        cutting.iter().enumerate().all(|(place, post)| {
            let beside = [places.get(place), places.get(place + 1)];
            beside.into_iter().flatten().all(|(x, count, _)| {
                let half = measure::width(&grouped(*count), &TextStyle::serif(size)).half();
                Px((post.x - *x).0.abs()) >= half + half_cut(post) + px(5)
            })
        })
    };
    [34, 24, 17]
        .into_iter()
        .find(|size| fits(*size))
        .unwrap_or(14)
}

/// `−3` above each cutting gate, with the arrow on which it stands.
fn cut_labels(
    stage: &Stage<'_>,
    cutting: &[&Post],
    places: &[(Px, usize, Token)],
    size: u8,
) -> Vec<Part> {
    let style = TextStyle::sans(14).bold().middle();
    let mut parts = Vec::new();
    for (place, post) in cutting.iter().enumerate() {
        let Some(gate) = stage.whole.gates.get(post.gate) else {
            continue;
        };
        let says = format!("−{}", grouped(gate.cut));
        let half = measure::width(&says, &style).half() + px(8);
        let link = gate_link(&gate.name);
        let mut part = Part::new(format!("cut/{}", gate.id()), Role::Count)
            .link(link)
            .stepped(place + 1)
            .with(words(post.x, px(69), says, style, Token::Unsched));
        let half_of = |place: usize| {
            places.get(place).map_or(Px::ZERO, |(_, count, _)| {
                measure::width(&grouped(*count), &TextStyle::serif(size)).half()
            }) + px(10)
        };
        let before = places.get(place).map_or(Px::ZERO, |(x, _, _)| *x) + half_of(place);
        let after = places.get(place + 1).map_or(Px::ZERO, |(x, _, _)| *x) - half_of(place + 1);
        if post.x - half - before >= px(8) {
            part.add(level(before, post.x - half, px(64)).edged(Token::Soft, Px(15)));
        }
        if after - post.x - half >= px(14) {
            part.add(level(post.x + half, after, px(64)).edged(Token::Soft, Px(15)));
            part.add(arrow_head(Point::new(after, px(64)), Token::Soft));
        }
        parts.push(part);
    }
    parts
}

/// The arrow from the last count to the one node that is chosen.
fn one_chosen(
    stage: &Stage<'_>,
    columns: &Columns,
    places: &[(Px, usize, Token)],
    size: u8,
) -> Part {
    let x = columns.bind + px(36);
    let (from, count) = places
        .last()
        .map_or((columns.score, 0), |(x, count, _)| (*x, *count));
    let half = measure::width(&grouped(count), &TextStyle::serif(size)).half();
    let from = from + half + px(10);
    let is_chosen = stage.chosen().is_some();
    let mut part = Part::new("count/chosen", Role::Count).link("win");
    if x - px(20) - from >= px(14) {
        part.add(level(from, x - px(20), px(64)).edged(Token::Soft, Px(15)));
        part.add(arrow_head(Point::new(x - px(20), px(64)), Token::Soft));
    }
    let style = TextStyle::serif(size).middle();
    let mark = words(x, px(76), "1", style, Token::Bound);
    part.add(if is_chosen { mark } else { mark.faded(28) });
    part
}

/// The gates: how many nodes come to each and leave it, and their lines.
pub(in crate::picture) fn gate_parts(
    stage: &Stage<'_>,
    columns: &Columns,
    posts: &[Post],
    reach: impl Fn(&Post) -> Px,
    top: Px,
    space: &Space,
) -> Vec<Part> {
    let mut parts = counts(stage, columns, posts);
    parts.extend(lines(stage, posts, reach, top, space));
    parts
}

/// The lines of the gates with their names, with gaps where a text stands.
pub(in crate::picture) fn lines(
    stage: &Stage<'_>,
    posts: &[Post],
    reach: impl Fn(&Post) -> Px,
    top: Px,
    space: &Space,
) -> Vec<Part> {
    let style = TextStyle::sans(12).bold().middle();
    let naming = Naming::choose(&stage.whole, posts, &style);
    let named = named(stage, posts, naming, &style);
    let mut parts = Vec::new();
    for post in posts {
        let Some(gate) = stage.whole.gates.get(post.gate) else {
            continue;
        };
        let mut part = Part::new(format!("gate/{}", gate.id()), Role::Gate)
            .link(gate_link(&gate.name))
            .stepped(post.gate)
            .labelled(gate_says(stage, gate));
        for (from, to) in pieces(post.x, top, reach(post), space) {
            let line = upright(post.x, from, to);
            part.add(if post.cuts {
                line.edged(Token::Unsched, Px(15)).faded(55)
            } else {
                line.edged(Token::Line, px(1))
            });
        }
        if named.contains(&post.gate) {
            part.add(words(
                post.x,
                top - px(10),
                naming.name(gate),
                style,
                Token::Ink,
            ));
        }
        parts.push(part);
    }
    parts
}

/// The cutting gates whose names have room on top, those that cut most first.
fn named(stage: &Stage<'_>, posts: &[Post], naming: Naming, style: &TextStyle) -> Vec<usize> {
    let gates = posts.iter().filter(|post| post.cuts);
    let mut gates: Vec<(&Post, &Gate)> = gates
        .filter_map(|post| Some((post, stage.whole.gates.get(post.gate)?)))
        .collect();
    order::sort_by_key(&mut gates, |(_, gate)| core::cmp::Reverse(gate.cut));
    let mut taken: Vec<(Px, Px)> = Vec::new();
    let mut named = Vec::new();
    for (post, gate) in gates {
        let half = measure::width(naming.name(gate), style).half() + px(3);
        let (from, to) = (post.x - half, post.x + half);
        if taken
            .iter()
            .all(|(left, right)| to <= *left || *right <= from)
        {
            taken.push((from, to));
            named.push(post.gate);
        }
    }
    named
}

/// What a gate did, as text: `TaintToleration: 10 to 7`.
pub(in crate::picture) fn gate_says(stage: &Stage<'_>, gate: &Gate) -> String {
    let n = Arg::Number(as_i64(gate.before));
    let name = Arg::from(gate.name.as_str());
    match gate.kind {
        GateKind::Skipped => stage.text(Key::XGateSkipped, &[("plugin", name)]),
        _ if gate.cut == 0 => stage.text(Key::XGatePass, &[("plugin", name), ("n", n)]),
        _ => {
            let after = Arg::Number(as_i64(gate.before - gate.cut));
            stage.text(
                Key::EGateCounts,
                &[("plugin", name), ("before", n), ("after", after)],
            )
        }
    }
}

/// The pieces of an upright line that no text covers.
pub(in crate::picture) fn pieces(x: Px, from: Px, to: Px, space: &Space) -> Vec<(Px, Px)> {
    let mut gaps: Vec<(Px, Px)> = space
        .taken()
        .iter()
        .map(|rect| rect.grown(px(2)))
        .filter(|rect| rect.x < x && x < rect.right())
        .map(|rect| (rect.y, rect.bottom()))
        .collect();
    gaps.sort_unstable();
    let mut pieces = Vec::new();
    let mut at = from;
    for (gap_from, gap_to) in gaps {
        if gap_from > at {
            pieces.push((at, gap_from.min(to)));
        }
        at = at.max(gap_to);
    }
    if at < to {
        pieces.push((at, to));
    }
    pieces.retain(|(from, to)| *to - *from >= px(3));
    pieces
}

/// The names of gates that cut nothing, at the foot: each run of them under its middle.
pub(in crate::picture) fn foot_names(
    stage: &Stage<'_>,
    posts: &[Post],
    y: Px,
    bounds: (Px, Px),
    space: &mut Space,
) -> Part {
    let style = TextStyle::sans(12).middle();
    let mut part = Part::new("gates/foot", Role::Note);
    let mut runs: Vec<Vec<&Post>> = Vec::new();
    for post in posts {
        match runs.last_mut() {
            Some(run) if !post.cuts && run.iter().all(|post| !post.cuts) => run.push(post),
            _ => runs.push(alloc::vec![post]),
        }
    }
    for run in runs.iter().filter(|run| run.iter().all(|post| !post.cuts)) {
        let names: Vec<&str> = run
            .iter()
            .filter_map(|post| stage.whole.gates.get(post.gate))
            .map(|gate| gate.name.as_str())
            .collect();
        let (Some(first), Some(last)) = (run.first(), run.last()) else {
            continue;
        };
        let center = first.x + (last.x - first.x).half();
        add_foot(&mut part, &names, center, y, bounds, style, space);
    }
    part
}

fn add_foot(
    part: &mut Part,
    names: &[&str],
    center: Px,
    y: Px,
    bounds: (Px, Px),
    style: TextStyle,
    space: &mut Space,
) {
    let shown: Vec<String> = if names.len() <= 2 {
        names.iter().map(|name| String::from(*name)).collect()
    } else {
        let first = names.first().copied().unwrap_or_default();
        alloc::vec![String::from(first), format!("+{}", names.len() - 1)]
    };
    let width = shown
        .iter()
        .map(|name| measure::width(name, &style))
        .max()
        .unwrap_or(Px::ZERO);
    let x = center
        .max(bounds.0 + width.half())
        .min(bounds.1 - width.half());
    for (line, name) in shown.iter().enumerate() {
        let mark = words(x, y + px(16).each(line), name.as_str(), style, Token::Soft);
        if space.claim(&grown(&mark)) {
            part.add(mark);
        }
    }
}

/// A mark that takes a little more room than it is wide.
fn grown(mark: &Mark) -> Mark {
    Mark::rect(mark.bounds().grown(px(1)), Px::ZERO)
}

/// Gates that cut nothing stand this close together.
const SOFT_PITCH: Px = px(16);
