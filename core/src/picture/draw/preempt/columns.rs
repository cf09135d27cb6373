//! Where the columns stand, what they are called, and how many are left in each.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::picture::measure;
use crate::picture::palette::Token;
use crate::picture::px::{Point, Px, px};
use crate::picture::scene::{Form, Mark, Part, Role, TextStyle};
use crate::picture::sentences::{Arg, Key, gate_link};
use crate::picture::timeline::Preemption;

use super::super::brush::{arrow_head, fitted, heading, level, upright, words};
use super::super::stage::Stage;
use super::{first_of, is_candidate};

/// Where the columns stand.
pub(super) struct Columns {
    pub(super) waiting: Option<(Px, Px)>,
    pub(super) turn: Px,
    pub(super) gate: Px,
    pub(super) paper: (Px, Px),
    pub(super) criteria: (Px, Px),
    pub(super) nodes: (Px, Px),
}

impl Columns {
    pub(super) fn new(stage: &Stage<'_>, width: Px) -> Self {
        let is_wide = stage.form == Form::Wide;
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

pub(super) fn headings(stage: &Stage<'_>, columns: &Columns) -> Vec<Part> {
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

pub(super) fn counts(
    stage: &Stage<'_>,
    columns: &Columns,
    found: &Preemption<'_>,
    bottom: Px,
) -> Vec<Part> {
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

fn fitted_middle(x: Px, y: Px, text: &str, style: TextStyle, most: Px) -> Mark {
    words(
        x,
        y,
        measure::shortened(text, &style, most),
        style,
        Token::Ink,
    )
}
