//! From the chosen node to the bound pod: the steps on the thread, the trail of the flight, the place where it lands.

use alloc::format;
use alloc::vec::Vec;

use crate::picture::palette::Token;
use crate::picture::px::{Point, Px, Rect, Size, px};
use crate::picture::scene::{Flight, Mark, Part, Role, Segment, TextStyle};
use crate::picture::sentences::{Key, node_link};
use crate::picture::timeline::Phase;

use super::berths::{Berth, landing};
use super::brush::{Space, words};
use super::gates::Post;
use super::pod::colors;
use super::stage::{Columns, Stage};
use super::threads::way;
use super::turn::TURN;

/// What the way of the chosen pod is drawn from.
pub(in crate::picture) struct Course {
    /// Where the thread begins.
    pub(in crate::picture) start: Point,
    /// How far it bends.
    pub(in crate::picture) reach: Px,
    /// The row of the chosen node.
    pub(in crate::picture) y: Px,
    /// Its berth.
    pub(in crate::picture) berth: Berth,
}

impl Course {
    /// Where on its berth the pod lands: the middle of its place.
    fn target(&self, stage: &Stage<'_>, scale: Px) -> Option<Rect> {
        let facts = stage.subject_facts()?;
        let width = (scale.share(facts.info.requests.milli_cpu, 1000) - px(1)).max(px(5));
        let is_counted = stage.subject().is_some_and(|pod| pod.on.is_some());
        let end = self.berth.filled_to.min(self.berth.bar.right());
        let x = if is_counted { end - width - px(1) } else { end };
        let x = x
            .min(self.berth.bar.right() - width - px(1))
            .max(self.berth.bar.x);
        Some(Rect::new(
            x,
            self.berth.bar.y + px(2),
            width,
            self.berth.bar.h - px(4),
        ))
    }

    /// The way of the pod's middle, from its place to its berth.
    fn flight_path(&self, to: Px) -> Vec<Segment> {
        let mut path = way(self.start, self.y, to, self.reach);
        path.insert(
            0,
            Segment::Move(Point::new(self.start.x - TURN.0.half(), self.start.y)),
        );
        if let Some(first) = path.get_mut(1) {
            *first = Segment::Line(self.start);
        }
        path
    }

    /// The band behind the pod with what is left of it on its way, once it is bound.
    pub(in crate::picture) fn trail(
        &self,
        stage: &Stage<'_>,
        scale: Px,
        posts: &[Post],
        to_score: Px,
    ) -> Option<Part> {
        let attempt = stage.attempt.as_ref()?;
        if !matches!(attempt.phase, Phase::Binding | Phase::Bound) {
            return None;
        }
        let facts = stage.subject_facts()?;
        let badge = stage.badge(&facts);
        let (fill, edge) = colors(badge.hue);
        let target = self.target(stage, scale)?;
        let band = px(18).min(self.berth.bar.h);
        let mut part = Part::new("trail", Role::Trail)
            .link("win")
            .with(Mark::path(self.flight_path(target.x)).edged(fill, band));
        let stops = core::iter::once(self.start.x + self.reach + px(8))
            .chain(posts.iter().map(|post| post.x))
            .chain([to_score]);
        let stops: Vec<Px> = stops.collect();
        let gaps = stops.windows(2).filter_map(|pair| match pair {
            [one, two] if *two - *one >= px(58) => Some(*one + (*two - *one).half()),
            _ => None,
        });
        for (x, opacity) in gaps.take(4).zip([35, 50, 65, 80]) {
            let center = Point::new(x, self.y);
            part.add(
                Mark::rect(Rect::around(center, px(22), band), px(3))
                    .edged(edge, Px(15))
                    .faded(opacity),
            );
        }
        Some(part)
    }

    /// The flight itself, at the moment of the binding.
    pub(in crate::picture) fn flight(&self, stage: &Stage<'_>, scale: Px) -> Option<Flight> {
        let attempt = stage.attempt.as_ref()?;
        let beat = stage.film.beat_at(stage.still.moment)?;
        let is_asked = attempt
            .binding_at
            .is_some_and(|moment| (beat.from..beat.to).contains(&moment));
        if !is_asked {
            return None;
        }
        let facts = stage.subject_facts()?;
        let target = self.target(stage, scale)?;
        Some(Flight {
            pod: format!("pod/{}", attempt.pod.uid),
            berth: format!("berth/{}", stage.chosen()?),
            badge: stage.badge(&facts),
            from: Size {
                w: TURN.0,
                h: TURN.1,
            },
            to: Size {
                w: target.w.max(px(22)),
                h: target.h,
            },
            path: self.flight_path(target.center().x),
        })
    }

    /// The steps on the thread: Reserve, Permit, PreBind, Bind, each full once it is done.
    pub(in crate::picture) fn steps(
        &self,
        stage: &Stage<'_>,
        columns: &Columns,
        space: &mut Space,
    ) -> Vec<Part> {
        let Some(attempt) = &stage.attempt else {
            return Vec::new();
        };
        let reached = match attempt.phase {
            Phase::Chosen => 0,
            Phase::Reserved | Phase::Waiting => 1,
            Phase::Binding => 3,
            Phase::Bound => 4,
            _ => return Vec::new(),
        };
        let places = [
            ("Reserve", px(0)),
            ("Permit", px(18)),
            ("PreBind", px(36)),
            ("Bind", px(80)),
        ];
        let style = TextStyle::sans(12).turned(-52);
        let labels: Vec<Mark> = places
            .iter()
            .take(3)
            .map(|(name, x)| {
                let at = Point::new(columns.bind + *x - px(1), self.y - px(11));
                Mark::text(at, *name, style)
            })
            .collect();
        let is_free = labels.iter().all(|mark| space.is_free_for(mark));
        let mut parts = Vec::new();
        for (place, (name, x)) in places.iter().enumerate() {
            let center = Point::new(columns.bind + *x, self.y);
            let is_done = place < reached;
            let is_waiting = attempt.phase == Phase::Waiting && place == 1;
            let (fill, edge) = if is_done {
                (Token::Bound, Token::Bound)
            } else if is_waiting {
                (Token::Sheet, Token::Backoff)
            } else {
                (Token::Sheet, Token::Bound)
            };
            let mut part = Part::new(format!("step/{name}"), Role::Step)
                .link("win")
                .stepped(place)
                .with(Mark::circle(center, px(5)).filled(fill).edged(edge, px(2)));
            if is_free {
                part.marks.extend(labels.get(place).cloned());
            }
            parts.push(part);
        }
        if is_free {
            for mark in &labels {
                space.take(mark.bounds());
            }
        }
        parts.extend(self.bind_word(stage, columns, space));
        parts
    }

    fn bind_word(&self, stage: &Stage<'_>, columns: &Columns, space: &mut Space) -> Option<Part> {
        let style = TextStyle::sans(12).bold().end();
        let says = stage.label(Key::BindHead);
        let x = columns.bind + px(86);
        let mark = words(x, self.y + px(21), says, style, Token::Bound);
        space
            .claim(&mark)
            .then(|| Part::new("step/word", Role::Step).link("win").with(mark))
    }

    /// The place on the berth: the dashed slot, and what is said beside it.
    pub(in crate::picture) fn slot(
        &self,
        stage: &Stage<'_>,
        scale: Px,
        right: Px,
        space: &Space,
    ) -> Option<Part> {
        let attempt = stage.attempt.as_ref()?;
        let facts = stage.subject_facts()?;
        let badge = stage.badge(&facts);
        let node = stage.chosen()?;
        let width = scale.share(facts.info.requests.milli_cpu, 1000);
        let mut part = Part::new("slot", Role::Berth)
            .link("win")
            .link(node_link(node));
        let is_counted = stage.subject().is_some_and(|pod| pod.on.is_some());
        // Whoever left its node again has no place there, and another pod may have taken it.
        if !is_counted && matches!(attempt.phase, Phase::Bound | Phase::Failed) {
            return None;
        }
        let end = if is_counted {
            self.berth.filled_to
        } else {
            let (mark, end) = landing(&badge, &self.berth, width);
            part.add(mark);
            end
        };
        let key = match attempt.phase {
            Phase::Waiting => Key::WaitsHere,
            Phase::Bound => Key::IsHere,
            Phase::Binding => Key::BindingNow,
            _ => Key::LandsHere,
        };
        let says = stage.label(key);
        let style = TextStyle::sans(12);
        let inside = words(
            end + px(8),
            self.y + px(4),
            says.as_str(),
            style,
            Token::Bound,
        );
        let outside = words(
            self.berth.bar.right() + px(10),
            self.y + px(4),
            says.as_str(),
            style.bold(),
            Token::Bound,
        );
        let has_wedges = stage
            .by_node
            .get(node)
            .is_some_and(|pods| pods.iter().any(|pod| pod.milli_cpu() == 0));
        if inside.bounds().right() <= self.berth.bar.right() - px(6) && !has_wedges {
            part.add(inside);
        } else if outside.bounds().right() <= right && space.is_free(&outside.bounds()) {
            part.add(outside);
        }
        (!part.marks.is_empty()).then_some(part)
    }
}
