//! Preemption: a second try on paper. On each candidate every pod of lower priority is lifted out and put back if it can
//! be; who cannot is a victim. Then criteria are applied, one after another, until one candidate is left.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::Time;
use crate::framework::reason::Reason;
use crate::framework::trace::{Criterion, CriterionKind, DryRun};
use crate::order;
use crate::picture::measure;
use crate::picture::palette::Token;
use crate::picture::px::{Point, Px, Rect, px};
use crate::picture::scene::{Mark, Panel, Part, Role, Segment, TextStyle};
use crate::picture::sentences::{Arg, Key, cpu, gate_link, node_link, seconds, signed};
use crate::picture::timeline::{Phase, PodNow, Preemption};
use crate::snapshot::PodRef;

use super::berths::{BerthStyle, berth, room};
use super::brush::{arrow_head, cross, fitted, heading, level, upright, words};
use super::pod::{code, outline};
use super::stage::Stage;
use super::story::Figure;
use super::threads::way;
use super::turn::{TURN, links, turn};
use super::waiting::waiting;

/// Whether the figure shows preemption: a node was found, and the attempt has come that far.
pub(in crate::picture) fn is_shown(stage: &Stage<'_>) -> bool {
    stage.form != crate::picture::scene::Form::Phone && found(stage).is_some()
}

/// What preemption found, if it found a node and the attempt has come that far.
fn found<'a>(stage: &'a Stage<'_>) -> Option<Preemption<'a>> {
    let attempt = stage.attempt.as_ref()?;
    let found = attempt.preemption?;
    (attempt.phase >= Phase::Preempting && found.chosen.is_some()).then_some(found)
}

/// What the second try said of a node, in a few words: who must go, or why the node is dearer; where there is no room for
/// the try itself. The second is whether the node was chosen.
pub(in crate::picture) fn verdict_on(stage: &Stage<'_>, node: &str) -> Option<(String, bool)> {
    let found = found(stage)?;
    let run = found.dry_runs.iter().find(|run| *run.node == *node)?;
    if found.chosen == Some(&run.node) {
        let names: Vec<&str> = run.victims.iter().map(|pod| &*pod.name).collect();
        let args = [("names", first_of(&names).into())];
        return Some((stage.text(Key::PMustGo, &args), true));
    }
    if !is_candidate(run) {
        let key = if run.lower.is_empty() {
            Key::PNobodyLower
        } else {
            Key::PNotHelped
        };
        return Some((stage.label(key), false));
    }
    let dropped = found.criteria.iter().find(|criterion| {
        value_of(criterion, node).is_some() && !criterion.kept.iter().any(|kept| **kept == *node)
    })?;
    let value = shown(dropped, value_of(dropped, node)?);
    let name = stage.label(criterion_name(dropped.kind));
    let args = [("criterion", name.into()), ("value", value.into())];
    Some((stage.text(Key::PDearer, &args), false))
}

const fn criterion_name(kind: CriterionKind) -> Key {
    match kind {
        CriterionKind::PdbViolations => Key::PBudgets,
        CriterionKind::HighestPriority => Key::PTopPriority,
        CriterionKind::PrioritySum => Key::PPrioritySum,
        CriterionKind::VictimCount => Key::PHowMany,
        CriterionKind::StartTime => Key::PStarted,
        CriterionKind::First => Key::PFirst,
    }
}

/// Where the columns stand.
struct Columns {
    waiting: Option<(Px, Px)>,
    turn: Px,
    gate: Px,
    paper: (Px, Px),
    criteria: (Px, Px),
    nodes: (Px, Px),
}

impl Columns {
    fn new(stage: &Stage<'_>, width: Px) -> Self {
        let is_wide = stage.form == crate::picture::scene::Form::Wide;
        let left = if is_wide { px(336) } else { px(40) };
        let right = width - px(40);
        let spare = right - left - px(1064);
        let extra = spare.max(-px(260));
        let paper = left + px(230);
        let paper_to = paper + px(234) + extra.share(20, 100);
        let criteria_to = paper_to + px(212) + extra.share(20, 100);
        Self {
            waiting: is_wide.then_some((px(40), px(296))),
            turn: left,
            gate: left + px(172),
            paper: (paper, paper_to),
            criteria: (paper_to + px(24), criteria_to),
            nodes: (criteria_to + px(24), right),
        }
    }
}

/// One node of the figure.
struct Node<'a> {
    run: &'a DryRun,
    y: Px,
    is_chosen: bool,
}

/// Draws the figure into a frame.
pub(in crate::picture) fn preempt(stage: &Stage<'_>, frame: Rect) -> Figure {
    let mut panel = Panel::at(frame);
    let Some(found) = found(stage) else {
        return Figure {
            panel,
            flight: None,
        };
    };
    let columns = Columns::new(stage, frame.w);
    let nodes = nodes(stage, &found, frame.h);
    let middle = match (nodes.first(), nodes.last()) {
        (Some(first), Some(last)) => first.y + (last.y - first.y).half(),
        _ => px(300),
    };
    let bottom = nodes.last().map_or(px(300), |node| node.y + px(112));
    panel.frame.h = frame.h.max(bottom + px(30));
    panel.parts.extend(headings(stage, &columns));
    let column = columns
        .waiting
        .map(|(from, to)| waiting(stage, from, to, panel.frame.h));
    let anchors = column.as_ref().map(|column| column.anchors.clone());
    panel
        .parts
        .extend(column.map(|column| column.parts).unwrap_or_default());
    panel.parts.extend(counts(stage, &columns, &found, bottom));
    panel
        .parts
        .extend(criteria_lines(stage, &columns, &found, &nodes));
    let start = Point::new(columns.turn + px(4) + TURN.0, middle);
    for node in &nodes {
        panel.parts.extend(first_try(stage, &columns, node, start));
        panel.parts.extend(on_paper(stage, &columns, node));
        panel.parts.extend(criteria(stage, &columns, &found, node));
        panel.parts.extend(berth_of(stage, &columns, node));
    }
    let left_out = found.dry_runs.len() - nodes.len();
    panel.parts.extend(more(stage, &columns, left_out, bottom));
    let x = columns.turn + px(4);
    panel.parts.extend(turn(stage, x, middle, px(112)));
    if let Some((_, to)) = columns.waiting {
        let anchors = anchors.unwrap_or_default();
        panel
            .parts
            .extend(links(stage, &anchors, to, Point::new(x, middle)));
    }
    Figure {
        panel,
        flight: None,
    }
}

/// The nodes that have a row: the chosen one and the first others, as many as fit.
fn nodes<'a>(stage: &Stage<'_>, found: &Preemption<'a>, height: Px) -> Vec<Node<'a>> {
    let is_chosen = |run: &DryRun| found.chosen == Some(&run.node);
    let mut runs: Vec<&DryRun> = found.dry_runs.iter().filter(|run| is_chosen(run)).collect();
    let candidates = |run: &&DryRun| !is_chosen(run) && is_candidate(run);
    runs.extend(found.dry_runs.iter().filter(candidates));
    runs.extend(
        found
            .dry_runs
            .iter()
            .filter(|run| !is_chosen(run) && !is_candidate(run)),
    );
    runs.truncate(MOST_ROWS);
    let order = |run: &DryRun| {
        stage
            .sift
            .rows
            .iter()
            .position(|row| row.node.name == run.node)
    };
    order::sort_by_key(&mut runs, |run| order(run));
    let pitch = (height - px(250) - PROMISE)
        .over(i32::try_from(runs.len().max(2) - 1).unwrap_or(1))
        .min(px(126))
        .max(px(104));
    let mut y = px(178);
    let mut nodes = Vec::new();
    for run in runs {
        let is_chosen = is_chosen(run);
        nodes.push(Node { run, y, is_chosen });
        y += if is_chosen { pitch + PROMISE } else { pitch };
    }
    nodes
}

fn is_candidate(run: &DryRun) -> bool {
    run.rejected.is_none() && !run.victims.is_empty()
}

fn headings(stage: &Stage<'_>, columns: &Columns) -> Vec<Part> {
    let mut parts = Vec::new();
    if let Some((from, to)) = columns.waiting {
        parts.push(heading("waiting", stage.label(Key::Waiting), from, to));
    }
    let turn = stage.label(Key::ItsTurn);
    parts.push(heading("turn", turn, columns.turn, columns.turn + px(108)));
    let filter = stage.label(Key::FilterHeadShort);
    let from = columns.gate - px(40);
    parts.push(heading("filter", filter, from, columns.gate + px(34)));
    let (from, to) = columns.paper;
    parts.push(heading("paper", stage.label(Key::OnPaper), from, to));
    let (from, to) = columns.criteria;
    parts.push(heading("criteria", stage.label(Key::CostsLeast), from, to));
    let (from, to) = columns.nodes;
    parts.push(heading("nodes", stage.label(Key::NodesHead), from, to));
    parts
}

fn number(count: usize) -> Arg {
    Arg::Number(i64::try_from(count).unwrap_or(i64::MAX))
}

fn counts(stage: &Stage<'_>, columns: &Columns, found: &Preemption<'_>, bottom: Px) -> Vec<Part> {
    let big = TextStyle::serif(34);
    let style = TextStyle::sans(12);
    let asked = stage.whole.asked;
    let mut part = Part::new("counts", Role::Count);
    let y = px(76);
    part.add(words(
        columns.gate - px(58),
        y,
        asked.to_string(),
        big.middle(),
        Token::Ink,
    ));
    let cut = TextStyle::sans(14).bold().middle();
    part.add(words(
        columns.gate,
        px(69),
        format!("−{asked}"),
        cut,
        Token::Unsched,
    ));
    part.add(words(
        columns.gate + px(46),
        y,
        "0",
        big.middle(),
        Token::Ink,
    ));
    let cuts = stage.whole.cuts();
    let gates: Vec<&str> = cuts.map(|(_, gate)| gate.name.as_str()).collect();
    let name = first_of(&gates);
    let bold = style.bold().middle();
    part.add(fitted_middle(columns.gate, px(98), &name, bold, px(126)));
    let candidates = found
        .dry_runs
        .iter()
        .filter(|run| is_candidate(run))
        .count();
    let x = columns.paper.0 + px(70);
    part.add(words(x, y, candidates.to_string(), big.end(), Token::Ink));
    let says = stage.text(Key::PCandidates, &[("n", number(candidates))]);
    let from = x + px(10);
    let end = from + measure::width(&says, &style) + px(8);
    part.add(words(from, px(70), says, style, Token::Soft));
    let to = columns.paper.1 + px(14);
    if to - end > px(24) {
        part.add(level(end, to, px(64)).edged(Token::Soft, Px(15)));
        part.add(arrow_head(Point::new(to, px(64)), Token::Soft));
    }
    part.add(words(columns.nodes.0, y, "1", big, Token::Preempt));
    let subject = stage.subject_facts();
    let subject = subject.map_or_else(String::new, |facts| facts.short_name());
    let says = stage.text(Key::PKeep, &[("n", number(1)), ("name", subject.into())]);
    let x = columns.nodes.0 + px(26);
    part.add(fitted(
        x,
        px(70),
        &says,
        style,
        columns.nodes.1 - x,
        Token::Soft,
    ));
    let mut gate = Part::new("gate/all", Role::Gate).with(
        upright(columns.gate, px(108), bottom - px(82))
            .edged(Token::Unsched, Px(15))
            .faded(55),
    );
    gate.links = gates.iter().map(|name| gate_link(name)).collect();
    alloc::vec![part, gate]
}

/// The first name, and how many more there are.
fn first_of(names: &[&str]) -> String {
    match names {
        [one] => (*one).to_string(),
        [first, rest @ ..] => format!("{first} +{}", rest.len()),
        [] => String::new(),
    }
}

fn fitted_middle(x: Px, y: Px, text: &str, style: TextStyle, most: Px) -> Mark {
    words(
        x,
        y,
        measure::shortened(text, &style, most),
        style,
        Token::Ink,
    )
}

/// The failed first try: the thread, its cut, and why.
fn first_try(stage: &Stage<'_>, columns: &Columns, node: &Node<'_>, start: Point) -> Vec<Part> {
    let name = &node.run.node;
    let thread = Part::new(format!("thread/{name}"), Role::Thread)
        .link(node_link(name))
        .with(
            Mark::path(way(start, node.y, columns.gate - px(8), px(56)))
                .edged(Token::Soft, Px(15))
                .faded(70),
        );
    let mut cut = Part::new(format!("verdict/{name}"), Role::Verdict).link(node_link(name));
    let center = Point::new(columns.gate, node.y);
    cut.marks
        .extend(cross(center, px(16), Token::Unsched, Token::Sheet));
    let says = stage.row(name).map_or_else(String::new, |row| {
        sum_of(row.verdict.reason()).unwrap_or_else(|| stage.voice.label(row))
    });
    let style = TextStyle::sans(12).middle();
    let says = measure::shortened(&says, &style, px(104));
    let mark = words(columns.gate, node.y + px(25), says, style, Token::Soft);
    let ground = mark.bounds().grown(px(2));
    cut.add(Mark::rect(ground, Px::ZERO).filled(Token::Paper));
    cut.add(mark);
    alloc::vec![thread, cut]
}

/// `3 + 1 > 3`, where amounts are compared.
fn sum_of(reason: Option<&Reason>) -> Option<String> {
    match reason? {
        Reason::Insufficient {
            resource,
            requested,
            used,
            allocatable,
        } => {
            let show = |amount: i64| match &**resource {
                "cpu" => cpu(amount),
                other => crate::picture::sentences::amount(other, amount),
            };
            Some(format!(
                "{} + {} > {}",
                show(*used),
                show(*requested),
                show(*allocatable)
            ))
        }
        Reason::TooManyPods { pods, allowed } => Some(format!("{pods} + 1 > {allowed}")),
        _ => None,
    }
}

/// The dry run of one node: who is lifted out, who is put back, who is not.
fn on_paper(stage: &Stage<'_>, columns: &Columns, node: &Node<'_>) -> Vec<Part> {
    let name = &node.run.node;
    let (from, to) = columns.paper;
    let mut part = Part::new(format!("dryrun/{name}"), Role::DryRun)
        .link(node_link(name))
        .labelled(read_out(stage, node.run));
    let y = node.y;
    if !is_candidate(node.run) {
        let key = if node.run.lower.is_empty() {
            Key::PNobodyLower
        } else {
            Key::PNotHelped
        };
        let says = stage.label(key);
        let style = TextStyle::sans(12);
        part.add(
            level(columns.gate + px(12), columns.nodes.0 - px(8), y)
                .edged(Token::Line, Px(15))
                .dashed(1, 5)
                .round(),
        );
        let mark = fitted(
            from,
            y + px(4),
            &says,
            style,
            columns.criteria.1 - from,
            Token::Soft,
        );
        let ground = mark.bounds().grown(px(5));
        part.add(Mark::rect(ground, Px::ZERO).filled(Token::Paper));
        part.add(mark);
        return alloc::vec![part];
    }
    part.add(level(columns.gate + px(10), from, y).edged(Token::Preempt, Px(14)));
    let bar = Rect::new(from, y - px(16), to - from - px(24), px(32));
    part.add(
        Mark::rect(bar, px(4))
            .filled(Token::Sheet)
            .edged(Token::Line, px(1)),
    );
    let paper = Paper::new(stage, node.run, bar);
    part.marks.extend(paper.marks(stage, bar));
    part.marks
        .extend(paper.says(stage, node.run, bar, to - px(6)));
    if node.is_chosen {
        part.links.push(String::from("victims"));
    }
    alloc::vec![part]
}

/// A pod with its place on paper.
struct Lifted {
    pod: Arc<PodNow>,
    is_victim: bool,
    above: Rect,
    back: Option<Rect>,
}

/// A node on paper.
struct Paper {
    subject: Rect,
    kept: Vec<(Arc<PodNow>, Rect)>,
    lifted: Vec<Lifted>,
}

impl Paper {
    fn new(stage: &Stage<'_>, run: &DryRun, bar: Rect) -> Self {
        let all = stage
            .still
            .node(&run.node)
            .map_or(1, |node| node.allocatable.milli_cpu.max(1));
        let width = |milli: i64| bar.w.share(milli.clamp(0, all), all).max(px(8));
        let is_in = |list: &[PodRef], pod: &PodNow| {
            list.iter().any(|other| other.uid == pod.reference().uid)
        };
        let on_node = stage.by_node.get(&run.node).map_or(&[][..], Vec::as_slice);
        let asked = stage
            .subject_facts()
            .map_or(0, |facts| facts.info.requests.milli_cpu);
        let top = bar.y - px(42);
        let mut x = bar.x + px(2);
        let subject = Rect::new(x, bar.y + px(3), width(asked) - px(4), bar.h - px(6));
        x += width(asked);
        let mut above = bar.x + px(2);
        let mut kept = Vec::new();
        let mut lifted = Vec::new();
        for pod in on_node {
            let w = width(pod.milli_cpu());
            let is_victim = is_in(&run.victims, pod);
            let stays = !is_in(&run.lower, pod) && !is_victim;
            let at = Rect::new(x, bar.y + px(3), w - px(4), bar.h - px(6));
            let fits = at.right() <= bar.right() + px(2);
            if stays {
                kept.push((pod.clone(), at));
                x += w;
                continue;
            }
            let outline = Rect::new(above, top, w - px(4), px(24));
            above += w;
            let back = (!is_victim && fits).then_some(at);
            if back.is_some() {
                x += w;
            }
            lifted.push(Lifted {
                pod: pod.clone(),
                is_victim,
                above: outline,
                back,
            });
        }
        Self {
            subject,
            kept,
            lifted,
        }
    }

    fn marks(&self, stage: &Stage<'_>, bar: Rect) -> Vec<Mark> {
        let mut marks = Vec::new();
        if let Some(facts) = stage.subject_facts() {
            marks.extend(named_block(stage, &facts, self.subject));
        }
        for (pod, at) in &self.kept {
            marks.extend(named_block(stage, &pod.facts, *at));
        }
        for lifted in &self.lifted {
            if lifted.above.right() > bar.right() + px(6) {
                continue;
            }
            let (token, width, opacity) = if lifted.is_victim {
                (Token::Preempt, Px(16), 100)
            } else {
                (Token::Soft, px(1), 55)
            };
            marks.push(
                Mark::rect(lifted.above, px(3))
                    .filled(Token::Paper)
                    .edged(token, width)
                    .dashed(4, 3)
                    .faded(opacity),
            );
            let style = TextStyle::sans(12).middle().bold_if(lifted.is_victim);
            let says = name_for(stage, &lifted.pod, lifted.above.w - px(6), &style);
            let center = lifted.above.center();
            let token = if lifted.is_victim {
                Token::Preempt
            } else {
                Token::Soft
            };
            marks.push(words(center.x, center.y + px(4), says, style, token));
            if let Some(back) = lifted.back {
                marks.extend(named_block(stage, &lifted.pod.facts, back));
                marks.extend(put_back(lifted.above, back));
            }
        }
        marks
    }

    /// Who was put back and who is not, below the bar.
    fn says(&self, stage: &Stage<'_>, run: &DryRun, bar: Rect, to: Px) -> Vec<Mark> {
        let names = |victims: bool| {
            let chosen = self
                .lifted
                .iter()
                .filter(|lifted| lifted.is_victim == victims);
            let names: Vec<String> = chosen.map(|lifted| lifted.pod.facts.short_name()).collect();
            match names.as_slice() {
                [one, two, rest @ ..] if !rest.is_empty() => {
                    format!("{one}, {two} +{}", rest.len())
                }
                few => few.join(", "),
            }
        };
        let style = TextStyle::sans(12);
        let mut y = bar.bottom() + px(18);
        let mut marks = Vec::new();
        let back = names(false);
        if !back.is_empty() {
            let says = stage.text(Key::PPutBack, &[("names", back.into())]);
            marks.push(fitted(bar.x, y, &says, style, to - bar.x, Token::Bound));
            y += px(16);
        }
        let _ = run;
        let says = stage.text(Key::PVictim, &[("names", names(true).into())]);
        marks.push(fitted(bar.x, y, &says, style, to - bar.x, Token::Preempt));
        marks
    }
}

/// A pod's name if it fits, else its code.
fn name_for(stage: &Stage<'_>, pod: &PodNow, room: Px, style: &TextStyle) -> String {
    let name = pod.facts.short_name();
    if measure::width(&name, style) <= room {
        return name;
    }
    let code = stage.badge(&pod.facts).code;
    if measure::width(&code, style) <= room {
        code
    } else {
        String::new()
    }
}

/// A block with the pod's name in it.
fn named_block(
    stage: &Stage<'_>,
    facts: &crate::picture::timeline::PodFacts,
    at: Rect,
) -> Vec<Mark> {
    let badge = stage.badge(facts);
    let style = TextStyle::sans(12).bold().middle();
    let name = facts.short_name();
    let mut marks = super::pod::body(&badge, at);
    if measure::width(&name, &style) <= at.w - px(6) {
        let center = at.center();
        marks.push(words(center.x, center.y + px(4), name, style, Token::Ink));
    } else if super::pod::holds_code(&badge, at) {
        marks.push(code(&badge, at));
    }
    marks
}

/// The green arrow from where a pod was lifted to where it is put back.
fn put_back(from: Rect, to: Rect) -> [Mark; 2] {
    let start = Point::new(from.center().x, from.bottom() + px(1));
    let tip = Point::new(to.center().x, to.y - px(1));
    let middle = start.y + (tip.y - start.y).half();
    let head = |x: Px| Point::new(tip.x + x, tip.y - px(5));
    [
        Mark::path(alloc::vec![
            Segment::Move(start),
            Segment::Curve(Point::new(start.x, middle), Point::new(tip.x, middle), tip),
        ])
        .edged(Token::Bound, Px(18)),
        Mark::path(alloc::vec![
            Segment::Move(head(-px(4))),
            Segment::Line(tip),
            Segment::Line(head(px(4))),
        ])
        .edged(Token::Bound, Px(18)),
    ]
}

fn read_out(stage: &Stage<'_>, run: &DryRun) -> String {
    let names = |pods: &[PodRef]| {
        let names: Vec<&str> = pods.iter().map(|pod| &*pod.name).collect();
        if names.is_empty() {
            stage.label(Key::XNone)
        } else {
            names.join(", ")
        }
    };
    stage.text(
        Key::XDryRun,
        &[
            ("node", stage.node_name(&run.node).into()),
            ("lower", names(&run.lower).into()),
            ("back", names(&run.reprieved).into()),
            ("victims", names(&run.victims).into()),
        ],
    )
}

fn criterion_x(columns: &Columns, place: usize, count: usize) -> Px {
    let (from, to) = columns.criteria;
    // Turned names need room at the right.
    let (from, to) = (from + px(14), to - px(34));
    let steps = i64::try_from(count.max(2) - 1).unwrap_or(1);
    from + (to - from).share(i64::try_from(place).unwrap_or(0), steps)
}

/// The gates of the second try: a line a criterion, bold where it dropped somebody.
fn criteria_lines(
    stage: &Stage<'_>,
    columns: &Columns,
    found: &Preemption<'_>,
    nodes: &[Node<'_>],
) -> Vec<Part> {
    let count = found.criteria.len();
    if count == 0 {
        return Vec::new();
    }
    let mut parts = Vec::new();
    for (place, criterion) in found.criteria.iter().enumerate() {
        let x = criterion_x(columns, place, count);
        let drops = criterion.kept.len() < criterion.values.len();
        let last = nodes
            .iter()
            .filter(|node| value_of(criterion, &node.run.node).is_some())
            .map(|node| node.y)
            .max();
        let name = stage.label(criterion_name(criterion.kind));
        let style = TextStyle::sans(12).turned(-52).bold_if(drops);
        let token = if drops { Token::Ink } else { Token::Soft };
        let mut part = Part::new(format!("criterion/{place}"), Role::Criterion)
            .stepped(place)
            .labelled(says(stage, criterion, &name))
            .with(words(x + px(2), px(110), name, style, token));
        let line = upright(x, px(116), last.unwrap_or(px(140)) + px(14));
        part.add(if drops {
            line.edged(Token::Preempt, Px(16)).faded(80)
        } else {
            line.edged(Token::Preempt, px(1)).faded(35)
        });
        parts.push(part);
    }
    parts
}

fn says(stage: &Stage<'_>, criterion: &Criterion, name: &str) -> String {
    let values = criterion.values.iter();
    let values: Vec<String> = values
        .map(|(node, value)| format!("{} {}", stage.node_name(node), shown(criterion, *value)))
        .collect();
    stage.text(
        Key::XCriterion,
        &[
            ("criterion", name.into()),
            ("values", values.join(", ").into()),
        ],
    )
}

fn value_of(criterion: &Criterion, node: &str) -> Option<i64> {
    let values = criterion.values.iter();
    let mut values = values.filter(|(name, _)| **name == *node);
    values.next().map(|(_, value)| *value)
}

/// A criterion's value as people read it.
pub(in crate::picture) fn shown(criterion: &Criterion, value: i64) -> String {
    match criterion.kind {
        CriterionKind::StartTime if value == i64::MAX => String::from("–"),
        CriterionKind::StartTime => {
            let text = Time::from_micros(value).to_string();
            text.get(11..19).map_or_else(|| text.clone(), String::from)
        }
        // kube-scheduler adds 2³¹ for each victim so that sums of negative priorities work out.
        CriterionKind::PrioritySum => {
            let shifts = (value + (1 << 30)) >> 31;
            signed(value - (shifts << 31))
        }
        _ => signed(value),
    }
}

/// The dots of one candidate on the criteria, and where it dropped out.
fn criteria(
    stage: &Stage<'_>,
    columns: &Columns,
    found: &Preemption<'_>,
    node: &Node<'_>,
) -> Option<Part> {
    if !is_candidate(node.run) {
        return None;
    }
    let name = &node.run.node;
    let count = found.criteria.len();
    let from = columns.paper.1 - px(24);
    let mut part = Part::new(format!("criteria/{name}"), Role::Criterion).link(node_link(name));
    let dropped = found.criteria.iter().position(|criterion| {
        value_of(criterion, name).is_some() && !criterion.kept.contains(name)
    });
    let end = match dropped {
        Some(place) => criterion_x(columns, place, count) - px(8),
        None if node.is_chosen => columns.nodes.0,
        None => columns.criteria.1,
    };
    let width = if node.is_chosen { px(3) } else { Px(14) };
    part.add(level(from, end, node.y).edged(Token::Preempt, width));
    for (place, criterion) in found.criteria.iter().enumerate() {
        let Some(value) = value_of(criterion, name) else {
            continue;
        };
        let center = Point::new(criterion_x(columns, place, count), node.y);
        let drops = criterion.kept.len() < criterion.values.len();
        let is_dropped = dropped == Some(place);
        let style = TextStyle::sans(12).middle().bold_if(drops);
        let token = match (is_dropped, drops) {
            (true, _) => Token::Preempt,
            (_, true) => Token::Ink,
            _ => Token::Soft,
        };
        if is_dropped {
            part.marks
                .extend(cross(center, px(16), Token::Paper, Token::Preempt));
            if let Some(square) = part.marks.iter_mut().rev().nth(1) {
                *square = square.clone().edged(Token::Preempt, px(2));
            }
        } else {
            let radius = if node.is_chosen { Px(45) } else { Px(35) };
            part.add(Mark::circle(center, radius).filled(Token::Preempt));
        }
        let mark = words(
            center.x,
            node.y + px(22),
            shown(criterion, value),
            style,
            token,
        );
        part.add(Mark::rect(mark.bounds().grown(px(1)), Px::ZERO).filled(Token::Paper));
        part.add(mark);
        if is_dropped {
            break;
        }
    }
    let decides = found
        .criteria
        .iter()
        .position(|criterion| criterion.kept.len() == 1 && criterion.values.len() > 1);
    if let (true, Some(place)) = (node.is_chosen, decides) {
        let x = criterion_x(columns, place, count);
        part.marks.extend(decides_here(stage, columns, x, node.y));
    }
    Some(part)
}

/// The words below the criterion that left one candidate.
fn decides_here(stage: &Stage<'_>, columns: &Columns, x: Px, y: Px) -> [Mark; 3] {
    let style = TextStyle::sans(12).bold();
    let says = stage.label(Key::PDecides);
    let left = (x - measure::width(&says, &style).half())
        .max(columns.criteria.0)
        .min(columns.nodes.0 - px(4) - measure::width(&says, &style));
    let mark = words(left, y + px(48), says, style, Token::Preempt);
    let tick = upright(x, y + px(28), y + px(37))
        .edged(Token::Preempt, px(1))
        .dashed(2, 3);
    let paper = Mark::rect(mark.bounds().grown(px(2)), Px::ZERO).filled(Token::Paper);
    [tick, paper, mark]
}

/// The node as it is, with its victims hatched, and the promise below the chosen one.
fn berth_of(stage: &Stage<'_>, columns: &Columns, node: &Node<'_>) -> Vec<Part> {
    let Some(facts) = stage.still.node(&node.run.node).cloned() else {
        return Vec::new();
    };
    let (from, to) = columns.nodes;
    let style = BerthStyle {
        has_memory: false,
        ..BerthStyle::new(stage, to - from - px(88), px(92), px(32))
    };
    let (drawn, mut parts) = berth(stage, &facts, Point::new(from, node.y), style);
    let frame = parts.first_mut().and_then(|part| part.marks.first_mut());
    if let (true, Some(mark)) = (node.is_chosen, frame) {
        *mark = mark.clone().edged(Token::Preempt, px(2));
    }
    let name_style = TextStyle::mono(12).bold_if(node.is_chosen);
    let name = stage.node_label(&node.run.node, &name_style, px(150));
    let after = from + measure::width(&name, &name_style) + px(12);
    let mut title = Part::new(format!("node/{}", node.run.node), Role::Note)
        .link(node_link(&node.run.node))
        .with(words(from, node.y - px(24), name, name_style, Token::Ink));
    let says = room(stage, &facts, Key::NodeCpu);
    title.add(fitted(
        after,
        node.y - px(24),
        &says,
        TextStyle::sans(12),
        to - after,
        Token::Soft,
    ));
    parts.push(title);
    if node.is_chosen {
        parts.extend(grace(stage, node, &drawn, to));
        parts.extend(promise(stage, node, &drawn, to));
    }
    parts
}

/// How long the victims may still take.
fn grace(stage: &Stage<'_>, node: &Node<'_>, drawn: &super::berths::Berth, to: Px) -> Option<Part> {
    let victim = node.run.victims.first()?;
    let leaving = stage.still.pod(&victim.uid)?.leaving?;
    let gone = stage.still.at.since(leaving.since);
    let left = leaving.grace - gone;
    let args = [
        ("t", Arg::from(seconds(left))),
        ("grace", seconds(leaving.grace).into()),
    ];
    let says = stage.text(Key::GraceLeft, &args);
    let x = drawn.bar.right() + px(12);
    let style = TextStyle::sans(12);
    let mut part = Part::new("grace", Role::Note).link("victims");
    for (place, line) in measure::wrapped(&says, &style, to - x)
        .into_iter()
        .take(3)
        .enumerate()
    {
        let style = style.bold_if(place == 0);
        let token = if place == 0 {
            Token::Preempt
        } else {
            Token::Soft
        };
        part.add(words(
            x,
            node.y - px(4) + px(16).each(place),
            line,
            style,
            token,
        ));
    }
    Some(part)
}

/// The place that is promised: an outline of the pod below its victims.
fn promise(stage: &Stage<'_>, node: &Node<'_>, drawn: &super::berths::Berth, to: Px) -> Vec<Part> {
    let Some(facts) = stage.subject_facts() else {
        return Vec::new();
    };
    let badge = stage.badge(&facts);
    let bar = drawn.bar;
    let all = stage
        .still
        .node(&node.run.node)
        .map_or(1, |node| node.allocatable.milli_cpu.max(1));
    let asked = facts.info.requests.milli_cpu;
    let w = bar.w.share(asked.clamp(0, all), all).max(px(30));
    let x = bar.right() - px(2) - w;
    let slot = Rect::new(x, bar.bottom() + px(18), w, px(24));
    let edge = super::pod::colors(badge.hue).1;
    let corner = |x: Px, y: Px| Point::new(x, bar.bottom() + y);
    let mut part = Part::new("slot", Role::Berth)
        .link(node_link(&node.run.node))
        .with(
            Mark::path(alloc::vec![
                Segment::Move(corner(x, px(6))),
                Segment::Line(corner(x, px(11))),
                Segment::Line(corner(x + w, px(11))),
                Segment::Line(corner(x + w, px(6))),
            ])
            .edged(edge, Px(15)),
        )
        .with(outline(&badge, slot, (3, 2)));
    let style = TextStyle::sans(12).bold().middle();
    let name = facts.short_name();
    let shown = if measure::width(&name, &style) <= w - px(6) {
        name
    } else {
        badge.code.clone()
    };
    let center = slot.center();
    part.add(words(center.x, center.y + px(4), shown, style, Token::Ink));
    let args = [("node", stage.node_name(&node.run.node).into())];
    let says = stage.text(Key::PNominated, &args);
    let bold = TextStyle::sans(12).bold();
    let left = bar.x;
    let y = bar.bottom() + px(26);
    let mut note = Part::new("promise", Role::Note).link(node_link(&node.run.node));
    let most = (x - px(10) - left).max(px(60));
    let is_beside = measure::width(&says, &bold) <= most;
    let (at, most) = if is_beside {
        (Point::new(left, y), most)
    } else {
        (Point::new(left, y + px(34)), to - left)
    };
    note.add(fitted(at.x, at.y, &says, bold, most, Token::Ink));
    let soft = stage.label(Key::PPromiseNotBind);
    note.add(fitted(
        at.x,
        at.y + px(16),
        &soft,
        TextStyle::sans(12),
        most,
        Token::Soft,
    ));
    alloc::vec![part, note]
}

/// What is not drawn, and what the signs mean.
fn more(stage: &Stage<'_>, columns: &Columns, left_out: usize, y: Px) -> Vec<Part> {
    let style = TextStyle::sans(12);
    let mut part = Part::new("preempt/legend", Role::Legend).with(fitted(
        columns.nodes.0,
        y,
        &stage.label(Key::PDashed),
        style,
        columns.nodes.1 - columns.nodes.0,
        Token::Soft,
    ));
    if left_out > 0 {
        let says = stage.text(Key::PMoreTried, &[("n", Arg::Count(left_out))]);
        part.add(words(columns.paper.0, y, says, style, Token::Soft));
    }
    alloc::vec![part]
}

/// The chosen node and this many others have rows.
const MOST_ROWS: usize = 4;
/// The promise below the chosen node's berth takes so much more.
const PROMISE: Px = px(26);
