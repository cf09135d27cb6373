//! In which order parts are reached by keyboard: one tab stop a region, arrows inside.

use berth_core::order::sort_by_key;
use berth_core::picture::scene::{Panel, Part, Role};

/// A region of the figure, in the order of focus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Region {
    /// Pods that wait.
    Waiting,
    /// The pod in its turn.
    Turn,
    /// How much is shown.
    Choices,
    /// Rules.
    Gates,
    /// Cells, rows, nodes.
    Rows,
    /// Groups of rows.
    Groups,
    /// Scores and what they are made of.
    Scores,
    /// The record.
    Record,
    /// The time axis.
    Axis,
    /// Anything else that can be chosen.
    Other,
}

/// The region of a part, if it can be reached.
#[must_use]
pub fn region(part: &Part) -> Option<Region> {
    if part.label.is_empty() {
        return None;
    }
    let region = match part.role {
        Role::Lane | Role::Waiting => Region::Waiting,
        Role::Turn => Region::Turn,
        Role::Choice | Role::Chosen => Region::Choices,
        Role::Gate | Role::Criterion => Region::Gates,
        Role::Berth | Role::Verdict | Role::DryRun | Role::Chain => Region::Rows,
        Role::Group => Region::Groups,
        Role::Score | Role::Numbers => Region::Scores,
        Role::Record => Region::Record,
        Role::Cycle | Role::Event => Region::Axis,
        _ if part.action.is_some() => Region::Other,
        _ => return None,
    };
    Some(region)
}

/// The parts that can be reached: their places in the panel by region, in order.
#[must_use]
pub fn order(panel: &Panel) -> Vec<(Region, usize)> {
    let numbered = panel.parts.iter().enumerate();
    let mut order: Vec<(Region, usize)> = numbered
        .filter_map(|(place, part)| Some((region(part)?, place)))
        .collect();
    sort_by_key(&mut order, |(region, _)| *region);
    order
}

/// The part that an arrow leads to, inside the region of `from`; it stays at the ends.
#[must_use]
pub fn neighbour(panel: &Panel, from: &str, by: i32) -> Option<String> {
    let order = order(panel);
    let place_of = |place: usize| panel.parts.get(place).map(|part| part.id.as_str());
    let at = order
        .iter()
        .position(|(_, place)| place_of(*place) == Some(from))?;
    let (region, _) = order.get(at)?;
    let next = if by < 0 { at.checked_sub(1)? } else { at + 1 };
    let (found, place) = order.get(next)?;
    (found == region).then(|| place_of(*place).map(str::to_owned))?
}

#[cfg(test)]
mod tests {
    use super::{neighbour, order};
    use berth_core::picture::scene::{Panel, Part, Role};

    fn part(id: &str, role: Role, label: &str) -> Part {
        Part {
            id: id.to_owned(),
            role,
            links: Vec::new(),
            label: label.to_owned(),
            action: None,
            trace: None,
            step: 0,
            marks: Vec::new(),
        }
    }

    fn panel() -> Panel {
        Panel {
            parts: vec![
                part("gate/a", Role::Gate, "a"),
                part("berth/1", Role::Berth, "1"),
                part("thread/1", Role::Thread, ""),
                part("pod/x", Role::Waiting, "x"),
                part("berth/2", Role::Berth, "2"),
            ],
            ..Panel::default()
        }
    }

    #[test]
    fn regions_follow_the_journey_and_decoration_is_left_out() {
        let places: Vec<usize> = order(&panel())
            .into_iter()
            .map(|(_, place)| place)
            .collect();
        assert_eq!(places, [3, 0, 1, 4]);
    }

    #[test]
    fn arrows_stay_in_their_region() {
        let panel = panel();
        assert_eq!(neighbour(&panel, "berth/1", 1).as_deref(), Some("berth/2"));
        assert_eq!(neighbour(&panel, "berth/2", 1), None);
        assert_eq!(neighbour(&panel, "gate/a", -1), None);
    }
}
