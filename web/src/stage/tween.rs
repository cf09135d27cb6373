//! What moves between two scenes, for how long, and how. Pure: it compares ids and gives a list.
//!
//! Rows, gates, heads, narrator and transport never move. Parts that are new fade in or grow in their place; a pod that is
//! elsewhere in the queues goes there; a pod that was bound flies, once.

use berth_core::order::SortedMap;
use berth_core::picture::scene::{Flight, Panel, Part, Role, Scene};

use super::hit;

/// What one part does.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    /// The part.
    pub id: String,
    /// What it does.
    pub kind: Kind,
    /// When it begins, in milliseconds.
    pub delay: f64,
    /// How long it takes.
    pub length: f64,
    /// Its pace.
    pub ease: Ease,
}

/// What a part does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// Appears.
    Fade,
    /// Is drawn from its beginning to its end.
    Draw,
    /// Grows to the right from its left edge, in pixels.
    Grow {
        /// The left edge.
        left: f64,
    },
    /// Comes from elsewhere, in pixels.
    Slide {
        /// From how far to the right.
        x: f64,
        /// From how far below.
        y: f64,
    },
}

/// The pace of a motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ease {
    /// Quick, then slow.
    Out,
    /// Slow, quick, slow.
    InOut,
    /// The flight's own: a start with weight, a long way down.
    Flight,
}

/// Everything that moves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// Parts of the figure.
    pub motions: Vec<Motion>,
    /// The pod that flies.
    pub flight: Option<Flight>,
    /// How long a second of motion takes: 1 divided by the speed.
    pub stretch: f64,
}

/// How a scene was reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cause {
    /// Whether it is the next event after the scene before.
    pub is_step: bool,
    /// Whether something was opened or closed in place.
    pub is_unfolding: bool,
    /// The speed.
    pub speed: f64,
    /// Whether the reader wants no motion.
    pub is_reduced: bool,
}

/// What moves from one scene to the next.
#[must_use]
pub fn plan(old: &Scene, new: &Scene, cause: Cause) -> Plan {
    let is_still = cause.is_reduced || cause.speed >= crate::transport::STILL_SPEED;
    let is_other = old.view != new.view || old.form != new.form || old.lang != new.lang;
    if is_still || is_other || !(cause.is_step || cause.is_unfolding) {
        return Plan::default();
    }
    let stretch = if cause.is_step {
        1.0 / cause.speed
    } else {
        1.0
    };
    let mut motions = changes(&old.figure, &new.figure);
    if cause.is_unfolding {
        for motion in &mut motions {
            (motion.delay, motion.length) = (0.0, UNFOLD);
        }
    }
    Plan {
        motions,
        flight: new.flight.clone().filter(|_| cause.is_step),
        stretch,
    }
}

fn changes(old: &Panel, new: &Panel) -> Vec<Motion> {
    let before: SortedMap<&str, &Part> = old
        .parts
        .iter()
        .map(|part| (part.id.as_str(), part))
        .collect();
    let parts = new.parts.iter();
    parts
        .filter_map(|part| change(before.get(part.id.as_str()).copied(), part))
        .collect()
}

fn change(old: Option<&Part>, new: &Part) -> Option<Motion> {
    let step = f64::from(new.step) * GATE_APART;
    let of = |kind, delay, length, ease| Motion {
        id: new.id.clone(),
        kind,
        delay,
        length,
        ease,
    };
    let is_same = old.is_some_and(|old| old.marks == new.marks);
    if is_same {
        return None;
    }
    match (new.role, old) {
        (Role::Thread | Role::Rope, _) => Some(of(Kind::Draw, 0.0, REACH + step, Ease::Out)),
        (Role::Verdict | Role::Reason | Role::Criterion, None) => {
            Some(of(Kind::Fade, REACH * 0.6 + step, QUICK, Ease::Out))
        }
        (Role::Count, _) => Some(of(Kind::Fade, REACH * 0.6 + step, QUICK, Ease::Out)),
        (Role::Score, None) => {
            let left = hit::bounds(new).map_or(0, |bounds| bounds.x.0);
            let left = f64::from(left) / 10.0;
            Some(of(Kind::Grow { left }, 0.0, GROW, Ease::Out))
        }
        (Role::DryRun, None) => Some(of(
            Kind::Fade,
            f64::from(new.step) * VICTIM_APART,
            REACH,
            Ease::Out,
        )),
        (Role::Waiting | Role::Turn, Some(old)) => {
            slide(old, new).map(|kind| of(kind, 0.0, LANE, Ease::InOut))
        }
        (Role::Waiting | Role::Turn | Role::Step | Role::Link, None) => {
            Some(of(Kind::Fade, 0.0, QUICK, Ease::Out))
        }
        (Role::Chain | Role::Berth | Role::Group, None) => {
            Some(of(Kind::Fade, 0.0, UNFOLD, Ease::Out))
        }
        _ => None,
    }
}

/// How far the part has to come, if it is elsewhere now.
fn slide(old: &Part, new: &Part) -> Option<Kind> {
    let (from, to) = (hit::bounds(old)?, hit::bounds(new)?);
    let (x, y) = (from.x - to.x, from.y - to.y);
    if x.0 == 0 && y.0 == 0 {
        return None;
    }
    Some(Kind::Slide {
        x: f64::from(x.0) / 10.0,
        y: f64::from(y.0) / 10.0,
    })
}

/// How far a motion is after a share of its time.
#[must_use]
pub fn eased(ease: Ease, share: f64) -> f64 {
    let t = share.clamp(0.0, 1.0);
    match ease {
        Ease::Out => 1.0 - (1.0 - t).powi(3),
        Ease::InOut => {
            if t < 0.5 {
                4.0 * t * t * t
            } else {
                1.0 - (-2.0 * t + 2.0).powi(3) / 2.0
            }
        }
        Ease::Flight => bezier(t),
    }
}

/// `cubic-bezier(.45, 0, .15, 1)`: the height at the place `x`, by halving.
fn bezier(x: f64) -> f64 {
    let at = |one: f64, two: f64, t: f64| {
        let u = 1.0 - t;
        3.0 * u * u * t * one + 3.0 * u * t * t * two + t * t * t
    };
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..24 {
        let middle = (low + high) / 2.0;
        if at(0.45, 0.15, middle) < x {
            low = middle;
        } else {
            high = middle;
        }
    }
    at(0.0, 1.0, (low + high) / 2.0)
}

/// The flight's parts in milliseconds at 1x: the pod shrinks, runs, lands.
pub const SHRINK: f64 = 240.0;
/// Along the thread.
pub const RUN: f64 = 900.0;
/// The edge of the berth goes 2, 5, 2 px.
pub const LANDING: f64 = 400.0;
/// After-images: at which share of the way, and how strong.
pub const AFTER_IMAGES: [(f64, f64); 3] = [(0.26, 0.35), (0.45, 0.55), (0.66, 0.8)];

/// The width of the berth's edge after a share of the landing.
#[must_use]
pub fn landing_edge(share: f64) -> f64 {
    let peak = 0.25;
    if share < peak {
        2.0 + 3.0 * share / peak
    } else {
        5.0 - 3.0 * eased(Ease::Out, (share - peak) / (1.0 - peak))
    }
}

const REACH: f64 = 240.0;
const GATE_APART: f64 = 40.0;
const GROW: f64 = 200.0;
const LANE: f64 = 320.0;
const UNFOLD: f64 = 200.0;
const QUICK: f64 = 120.0;
const VICTIM_APART: f64 = 160.0;

#[cfg(test)]
mod tests {
    use super::{Ease, Kind, changes, eased, landing_edge};
    use berth_core::picture::px::{Rect, px};
    use berth_core::picture::scene::{Mark, Panel, Part, Role, Shape};

    fn part(id: &str, role: Role, x: i32, y: i32) -> Part {
        let shape = Shape::Rect {
            at: Rect::new(px(x), px(y), px(26), px(18)),
            radius: px(3),
        };
        Part {
            id: id.to_owned(),
            role,
            links: Vec::new(),
            label: String::new(),
            action: None,
            trace: None,
            step: 0,
            marks: vec![Mark {
                shape,
                fill: None,
                stroke: None,
                opacity: 100,
            }],
        }
    }

    fn panel(parts: Vec<Part>) -> Panel {
        Panel {
            parts,
            ..Panel::default()
        }
    }

    #[test]
    fn what_stays_does_not_move() {
        let one = panel(vec![
            part("gate/a", Role::Gate, 0, 0),
            part("pod/x", Role::Waiting, 5, 5),
        ]);
        assert_eq!(changes(&one, &one), []);
        let other = panel(vec![
            part("gate/a", Role::Gate, 9, 0),
            part("pod/x", Role::Waiting, 5, 5),
        ]);
        assert_eq!(changes(&one, &other), [], "gates never move");
    }

    #[test]
    fn a_pod_that_changed_its_lane_comes_from_where_it_was() {
        let one = panel(vec![part("pod/x", Role::Waiting, 58, 92)]);
        let two = panel(vec![part("pod/x", Role::Waiting, 58, 204)]);
        let motions = changes(&one, &two);
        assert_eq!(motions.len(), 1);
        assert_eq!(motions[0].kind, Kind::Slide { x: 0.0, y: -112.0 });
        assert_eq!((motions[0].length, motions[0].ease), (320.0, Ease::InOut));
    }

    #[test]
    fn every_pace_begins_at_nothing_and_ends_at_all() {
        for ease in [Ease::Out, Ease::InOut, Ease::Flight] {
            assert!(eased(ease, 0.0).abs() < 1e-3, "{ease:?}");
            assert!((eased(ease, 1.0) - 1.0).abs() < 1e-3, "{ease:?}");
            let steps = (0..=100).map(|step| eased(ease, f64::from(step) / 100.0));
            let steps: Vec<f64> = steps.collect();
            assert!(
                steps.windows(2).all(|pair| pair[0] <= pair[1] + 1e-9),
                "{ease:?}"
            );
        }
    }

    #[test]
    fn the_edge_is_struck_once() {
        assert_eq!(landing_edge(0.0), 2.0);
        assert_eq!(landing_edge(0.25), 5.0);
        assert!((landing_edge(1.0) - 2.0).abs() < 1e-9);
    }
}
