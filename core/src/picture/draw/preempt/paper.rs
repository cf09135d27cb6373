//! Who is lifted out on a node, and who is put back.

use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::framework::trace::DryRun;
use crate::picture::measure;
use crate::picture::palette::Token;
use crate::picture::px::{Point, Px, Rect, px};
use crate::picture::scene::{Mark, Part, Role, Segment, TextStyle};
use crate::picture::sentences::{Key, node_link};
use crate::picture::timeline::{PodFacts, PodNow};
use crate::snapshot::PodRef;

use super::super::brush::{fitted, level, words};
use super::super::pod::{body, code, holds_code};
use super::super::stage::Stage;
use super::columns::Columns;
use super::{Node, is_candidate};

/// The dry run of one node: who is lifted out, who is put back, who is not.
pub(super) fn on_paper(stage: &Stage<'_>, columns: &Columns, node: &Node<'_>) -> Vec<Part> {
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
fn named_block(stage: &Stage<'_>, facts: &PodFacts, at: Rect) -> Vec<Mark> {
    let badge = stage.badge(facts);
    let style = TextStyle::sans(12).bold().middle();
    let name = facts.short_name();
    let mut marks = body(&badge, at);
    if measure::width(&name, &style) <= at.w - px(6) {
        let center = at.center();
        marks.push(words(center.x, center.y + px(4), name, style, Token::Ink));
    } else if holds_code(&badge, at) {
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

/// Who is lifted out, put back, and not.
pub(in crate::picture) fn read_out(stage: &Stage<'_>, run: &DryRun) -> String {
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
