//! The figure for one hand: the pod at the left, only gates that cut, berths at the right with the score or the reason in
//! words, queues as four counts.
//!
//! | File | Answers |
//! |---|---|
//! | `single` | one row a node |
//! | `folded` | nodes folded by verdict |
//! | `below` | the queues as four counts, and the time axis |

mod below;
mod folded;
mod single;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::order;
use crate::picture::measure;
use crate::picture::palette::Token;
use crate::picture::px::{Px, Rect, px};
use crate::picture::scene::{Mark, Panel, Part, Role, TextStyle, View};
use crate::picture::sentences::{Key, gate_link, short_plugin};

use super::begin::start_here;
use super::brush::{Space, upright, words};
use super::gates::pieces;
use super::landing::Course;
use super::pod::{block, colors};
use super::rows::Rows;
use super::stage::Stage;
use super::story::Figure;
use super::threads::way;
use super::turn::small_block;

pub(in crate::picture) use below::{phone_axis, queues};

/// A gate that cuts, on a phone.
struct Post {
    gate: usize,
    id: String,
    link: String,
    name: String,
    x: Px,
    cut: usize,
    after: usize,
}

/// The figure's measures on a phone.
struct Frame {
    nodes: (Px, Px),
    posts: Vec<Post>,
    /// The pod in its turn: its left edge and its size.
    turn: (Px, Px, Px),
    start: Px,
    reach: Px,
    /// The most that a CPU and the distance of two rows take.
    most: (Px, Px),
}

impl Frame {
    fn new(stage: &Stage<'_>, width: Px) -> Self {
        let margin = stage.margin();
        let is_in_hand = stage.is_in_hand();
        let right = width - margin;
        let cuts: Vec<(usize, &crate::picture::verdicts::Gate)> = stage.whole.cuts().collect();
        // One gate leaves more room for names and reasons.
        let (least, share) = if cuts.len() < 2 { (190, 49) } else { (228, 58) };
        let nodes = px(least).max(width.share(share, 100)).min(right - px(140));
        let (w, h) = if is_in_hand {
            (px(36), px(32))
        } else {
            (px(64), px(44))
        };
        let reach = if is_in_hand { px(40) } else { px(64) };
        let (inset, outset) = match cuts.len() {
            2 => (px(24), px(44)),
            3 => (px(12), px(38)),
            _ => (px(12), px(22)),
        };
        let (from, to) = (margin + w + reach + inset, nodes - outset);
        let count = i64::try_from(cuts.len()).unwrap_or(1);
        let posts = cuts.iter().enumerate().map(|(place, (gate, info))| {
            let x = if count == 1 {
                from + (to - from).half()
            } else {
                let place = i64::try_from(place).unwrap_or(0);
                from + (to - from).share(place, count - 1)
            };
            Post {
                gate: *gate,
                id: info.id(),
                link: gate_link(&info.name),
                name: short_plugin(&info.name).to_string(),
                x,
                cut: info.cut,
                after: info.before - info.cut,
            }
        });
        Self {
            nodes: (nodes, right),
            posts: posts.collect(),
            turn: (margin, w, h),
            start: margin + w,
            reach,
            most: if is_in_hand {
                (px(20), px(42))
            } else {
                (px(46), px(46))
            },
        }
    }

    fn post(&self, gate: usize) -> Option<&Post> {
        self.posts.iter().find(|post| post.gate == gate)
    }
}

/// Draws the figure of a phone into a frame.
pub(in crate::picture) fn phone(stage: &Stage<'_>, frame: Rect) -> Figure {
    let frames = Frame::new(stage, frame.w);
    let mut panel = Panel::at(frame);
    let bottom;
    let mut flight = None;
    if stage.is_folded() {
        bottom = folded::folded(stage, &frames, frame.h - px(92), &mut panel);
    } else {
        let room = (frame.h - px(152)).max(px(120));
        let most = if stage.sift.rows.len() > FEW {
            frames.most.1
        } else {
            px(64)
        };
        let rows = Rows::new(&stage.sift.rows, px(56), room, (most, px(36)), 24);
        bottom = rows.last() + px(20);
        flight = single::single_rows(stage, &frames, &rows, &mut panel);
        let x_of = |gate| frames.post(gate).map(|post| post.x);
        panel.parts.extend(start_here(stage, &rows, x_of));
    }
    panel.parts.extend(heads(stage, &frames));
    if stage.shot.view == View::Open {
        panel.frame.h = frame.h.max(bottom + px(4));
    } else {
        let strip = (frame.h - px(76)).max(bottom + px(16));
        let edges = (stage.margin(), frame.w - stage.margin());
        panel.parts.extend(queues(stage, edges, strip));
        panel.frame.h = frame.h.max(strip + px(76));
    }
    Figure { panel, flight }
}

fn turn(stage: &Stage<'_>, frames: &Frame, middle: Px) -> Vec<Part> {
    let (x, w, h) = frames.turn;
    let at = Rect::new(x, middle - h.half(), w, h);
    let mut parts: Vec<Part> = small_block(stage, at).into_iter().collect();
    if let Some(facts) = stage.subject_facts() {
        let style = TextStyle::mono(12).bold();
        // Threads leave to the right of it.
        let most = w + px(6);
        let last = facts.last_name();
        let names = [facts.short_name(), format!("…{last}"), last.clone()];
        let fits = |name: &String| measure::width(name, &style) <= most;
        let name = if last.len() > 2 {
            names.into_iter().find(fits)
        } else {
            names.into_iter().next().filter(fits)
        };
        let name =
            name.unwrap_or_else(|| measure::ending(&facts.info.reference.name, &style, most));
        let y = at.bottom() + px(16);
        parts.push(Part::new("turn/facts", Role::Note).with(words(x, y, name, style, Token::Ink)));
    }
    parts
}

/// The chosen pod's way: trail, thread, and the pod where it has come to.
fn chosen_way(stage: &Stage<'_>, course: &Course, scale: Px) -> Vec<Part> {
    let Some(facts) = stage.subject_facts() else {
        return Vec::new();
    };
    let badge = stage.badge(&facts);
    let (fill, edge) = colors(badge.hue);
    let to = course.berth.bar.x;
    let is_bound = course.trail(stage, scale, &[], Px::ZERO).is_some();
    let mut part = Part::new("thread/chosen", Role::Thread).link("win");
    if is_bound {
        part.add(Mark::path(way(course.start, course.y, to, course.reach)).edged(fill, px(12)));
    }
    part.add(Mark::path(way(course.start, course.y, to, course.reach)).edged(edge, px(3)));
    let mut parts = alloc::vec![part];
    if !is_bound {
        let at = Rect::new(to - px(34), course.y - px(9), px(22), px(18));
        let mut pod = Part::new("turn/arriving", Role::Step).link("win");
        pod.marks.extend(block(&badge, at));
        parts.push(pod);
    }
    parts
}

fn gate_lines(frames: &Frame, bottom: impl Fn(&Post) -> Px) -> Vec<Part> {
    let posts = frames.posts.iter();
    posts
        .map(|post| {
            let mut part = Part::new(format!("gate/{}", post.id), Role::Gate)
                .link(post.link.clone())
                .stepped(post.gate);
            for (from, to) in pieces(post.x, px(26), bottom(post), &Space::default()) {
                part.add(
                    upright(post.x, from, to)
                        .edged(Token::Unsched, Px(15))
                        .faded(55),
                );
            }
            part
        })
        .collect()
}

/// The counts and the gates' short names above the figure.
fn heads(stage: &Stage<'_>, frames: &Frame) -> Vec<Part> {
    let mut part = Part::new("counts", Role::Count);
    let style = TextStyle::serif(17).middle();
    let name_style = TextStyle::sans(12).bold().middle();
    let y = px(16);
    let asked = stage.whole.asked.max(if stage.whole.is_done {
        0
    } else {
        stage.still.nodes().len()
    });
    // Names in the order of what they cut, as long as there is room; a name that has none is told by its cuts.
    let mut space = Space::default();
    let mut named: Vec<&Post> = frames.posts.iter().collect();
    order::sort_by_key(&mut named, |post| core::cmp::Reverse(post.cut));
    for post in named {
        let mark = words(post.x, y, post.name.as_str(), name_style, Token::Ink);
        if space.is_free(&mark.bounds().grown(px(4))) {
            space.take(mark.bounds());
            part.add(mark);
        }
    }
    let first = frames.posts.first();
    let asked_at = first.map_or(frames.start + px(22), |first| {
        let half = measure::width(&first.name, &name_style).half();
        (frames.start + px(22)).min(first.x - half - px(25))
    });
    let mut counts = alloc::vec![(asked_at, asked)];
    for pair in frames.posts.windows(2) {
        if let [one, two] = pair {
            counts.push((one.x + (two.x - one.x).half(), one.after));
        }
    }
    for (x, count) in counts {
        let mark = words(x, y, count.to_string(), style, Token::Ink);
        if space.is_free(&mark.bounds().grown(px(3))) {
            space.take(mark.bounds());
            part.add(mark);
        }
    }
    let last = frames.posts.last().map_or(asked, |post| post.after);
    let (says, token) = if last == 0 && stage.whole.is_done {
        (stage.text(Key::WNoneFit, &[]), Token::Unsched)
    } else if stage.chosen().is_some() {
        (format!("{last} → 1"), Token::Ink)
    } else {
        (last.to_string(), Token::Ink)
    };
    let style = if last == 0 {
        TextStyle::sans(12).bold().end()
    } else {
        TextStyle::serif(17).end()
    };
    part.add(words(frames.nodes.1, y, says, style, token));
    alloc::vec![part]
}

/// Up to this many rows stand far enough apart for a line of words below each.
const FEW: usize = 8;
