//! Keeps SVG elements in step with the parts of a panel: one group a part, found again by its id.
//!
//! A part that did not change keeps its elements, its focus and its place; only what differs is made anew.

use std::collections::BTreeMap;

use berth_core::order::SortedMap;
use berth_core::picture::scene::{Action, Panel, Part, Role, Shape};
use wasm_bindgen::JsCast as _;
use web_sys::{Element, Node, SvgElement};

use crate::stage::raf::{element, set};
use crate::stage::{focus, hit, marks};

/// The elements of a panel.
#[derive(Default)]
pub(super) struct Painter {
    drawn: BTreeMap<String, (Element, Part)>,
    /// The part that the tab key reaches in each region.
    stops: SortedMap<focus::Region, String>,
}

impl Painter {
    /// Draws a panel in place of the one before.
    pub(super) fn paint(&mut self, svg: &Element, panel: &Panel) {
        let (w, h) = (panel.frame.w, panel.frame.h);
        set(svg, "viewBox", &format!("0 0 {w} {h}"));
        set(svg, "width", &w.to_string());
        set(svg, "height", &h.to_string());
        if self.drawn.is_empty() {
            // The element may be that of a painter before this one.
            svg.set_text_content(None);
        }
        let mut before = core::mem::take(&mut self.drawn);
        let mut next = svg.first_child();
        for part in &panel.parts {
            let group = match before.remove(&part.id) {
                Some((group, old)) => {
                    if old != *part {
                        fill(&group, part);
                    }
                    group
                }
                None => match element(svg, "g", &[]) {
                    Some(group) => {
                        fill(&group, part);
                        group
                    }
                    None => continue,
                },
            };
            let node: &Node = group.unchecked_ref();
            if next.as_ref() == Some(node) {
                next = node.next_sibling();
            } else {
                // Both are children of the panel, so this cannot fail.
                let _ = svg.insert_before(node, next.as_ref());
            }
            self.drawn.insert(part.id.clone(), (group, part.clone()));
        }
        for (group, _) in before.into_values() {
            group.remove();
        }
        self.set_stops(panel);
    }

    /// One tab stop a region; the others are reached with arrows.
    fn set_stops(&mut self, panel: &Panel) {
        let order = focus::order(panel);
        let mut stops = SortedMap::default();
        for (region, place) in &order {
            let Some(part) = panel.parts.get(*place) else {
                continue;
            };
            let is_kept = self.stops.get(region) == Some(&part.id);
            if is_kept || !stops.contains_key(region) {
                stops.insert(*region, part.id.clone());
            }
        }
        for (region, place) in order {
            let part = panel.parts.get(place).map(|part| part.id.as_str());
            let Some((group, _)) = part.and_then(|id| self.drawn.get(id)) else {
                continue;
            };
            let is_stop = stops.get(&region).map(String::as_str) == part;
            set(group, "tabindex", if is_stop { "0" } else { "-1" });
        }
        self.stops = stops;
    }

    /// The element of a part.
    pub(super) fn find(&self, id: &str) -> Option<Element> {
        self.drawn.get(id).map(|(group, _)| group.clone())
    }

    /// A part as it was drawn.
    pub(super) fn part(&self, id: &str) -> Option<&Part> {
        self.drawn.get(id).map(|(_, part)| part)
    }

    /// Makes a part the tab stop of its region and returns its element, to be given the focus by whoever no longer holds
    /// this painter: the focus is told of at once, and who is told looks here.
    pub(super) fn make_stop(&mut self, id: &str) -> Option<SvgElement> {
        let (group, part) = self.drawn.get(id)?;
        if let Some(region) = focus::region(part) {
            let before = self.stops.insert(region, id.to_owned());
            if let Some((old, _)) = before.and_then(|old| self.drawn.get(&old)) {
                set(old, "tabindex", "-1");
            }
        }
        set(group, "tabindex", "0");
        group.dyn_ref().cloned()
    }

    /// Marks what belongs to a link; without one nothing is marked.
    pub(super) fn point_at(&self, svg: &Element, link: Option<&str>) {
        let mut is_known = false;
        for (group, part) in self.drawn.values() {
            let is_hot = link.is_some_and(|link| part.links.iter().any(|own| own == link));
            is_known |= is_hot;
            // Names of classes here have no spaces, the only way this fails.
            let _ = group.class_list().toggle_with_force("hot", is_hot);
        }
        let _ = svg.class_list().toggle_with_force("dimming", is_known);
    }

    /// The first link of the part with this id.
    pub(super) fn link_of(&self, id: &str) -> Option<String> {
        self.part(id)?.links.first().cloned()
    }
}

/// Makes a group say and show what its part is.
fn fill(group: &Element, part: &Part) {
    group.set_text_content(None);
    set(group, "data-id", &part.id);
    set(group, "data-role", role_name(part));
    let optional = [
        ("data-links", part.links.join(" ")),
        ("aria-label", name_of(part)),
    ];
    for (name, value) in optional {
        if value.is_empty() {
            let _ = group.remove_attribute(name);
        } else {
            set(group, name, &value);
        }
    }
    let is_reachable = focus::region(part).is_some();
    match (is_reachable, part.action.is_some()) {
        (true, true) => set(group, "role", "button"),
        (true, false) => set(group, "role", "img"),
        (false, _) => {
            set(group, "aria-hidden", "true");
        }
    }
    if is_reachable {
        let _ = group.remove_attribute("aria-hidden");
    }
    match part.role {
        Role::Choice => set(group, "aria-pressed", "false"),
        Role::Chosen => set(group, "aria-pressed", "true"),
        _ => {}
    }
    let action = if part.action.is_some() { "yes" } else { "no" };
    set(group, "data-acts", action);
    if part.role == Role::Group {
        let is_open = part.action == Some(Action::Close);
        set(group, "aria-expanded", &is_open.to_string());
    }
    if hit::is_area(part) || is_reachable {
        add_target(group, part);
    }
    for mark in &part.marks {
        for drawn in marks::drawn(mark) {
            let attributes: Vec<(&str, &str)> = drawn
                .attributes
                .iter()
                .map(|(name, value)| (*name, value.as_str()))
                .collect();
            let made = element(group, drawn.tag, &attributes);
            if let (Some(made), Some(text)) = (made, &drawn.text) {
                made.set_text_content(Some(text));
                // Texts are words of their own for whoever reads the page by machine.
                let _ = group.append_with_str_1(" ");
            }
        }
    }
}

/// What is read out. The name of what can be chosen has in it what is seen, so that whoever speaks to the page can name it;
/// a line of the record is nothing but that.
fn name_of(part: &Part) -> String {
    if part.action.is_none() || part.label.is_empty() {
        return part.label.clone();
    }
    let texts = part.marks.iter().filter_map(|mark| match &mark.shape {
        Shape::Text { text, .. } => Some(text.as_str()),
        _ => None,
    });
    let seen = texts.collect::<Vec<_>>().join(" ");
    if part.role == Role::Record {
        seen
    } else if seen.is_empty() || format!(" {} ", part.label).contains(&format!(" {seen} ")) {
        part.label.clone()
    } else {
        format!("{seen}, {}", part.label)
    }
}

/// An invisible rectangle that takes clicks and shows the focus.
fn add_target(group: &Element, part: &Part) {
    let Some(at) = hit::target(part) else {
        return;
    };
    let numbers = [at.x, at.y, at.w, at.h].map(|length| length.to_string());
    let [x, y, w, h] = &numbers;
    element(
        group,
        "rect",
        &[
            ("class", "target"),
            ("x", x),
            ("y", y),
            ("width", w),
            ("height", h),
            ("rx", "4"),
        ],
    );
}

/// The role as the style sheet knows it.
fn role_name(part: &Part) -> &'static str {
    match part.role {
        Role::Heading => "heading",
        Role::Lane => "lane",
        Role::Waiting => "waiting",
        Role::Link => "link",
        Role::Turn => "turn",
        Role::Count => "count",
        Role::Gate => "gate",
        Role::Thread => "thread",
        Role::Rope => "rope",
        Role::Verdict => "verdict",
        Role::Reason => "reason",
        Role::Score => "score",
        Role::Step => "step",
        Role::Trail => "trail",
        Role::Berth => "berth",
        Role::Pod => "pod",
        Role::Zone => "zone",
        Role::Group => "group",
        Role::DryRun => "dry-run",
        Role::Criterion => "criterion",
        Role::Record => "record",
        Role::Chain => "chain",
        Role::Numbers => "numbers",
        Role::Cycle => "cycle",
        Role::Event => "event",
        Role::Playhead => "playhead",
        Role::Choice | Role::Chosen => "choice",
        Role::Legend => "legend",
        Role::Note => "note",
    }
}
