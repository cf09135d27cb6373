//! The frames: runs a plan by moving a few elements, and leaves the page as the scene says.
//!
//! Only `transform`, `opacity`, dash offsets and one edge's width change, so a frame lays nothing out anew. A plan can be
//! ended at any time; then everything is at its place at once.

use core::cell::RefCell;
use std::rc::Rc;

use berth_core::picture::palette::Token;
use berth_core::picture::scene::Flight;
use wasm_bindgen::JsCast as _;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, Window};

use super::decimal::Decimal;
use super::marks;
use super::path::Walk;
use super::tween::{self, Ease, Kind, Motion, Plan};

/// Finds the element of a part.
pub type Find<'a> = &'a dyn Fn(&str) -> Option<Element>;

/// Plays one plan at a time.
#[derive(Clone, Default)]
pub struct Player {
    playing: Rc<RefCell<Option<Playing>>>,
    frame: Rc<RefCell<Frame>>,
}

/// What the browser calls before it paints, while there is something to play.
type Frame = Option<Closure<dyn FnMut(f64)>>;

struct Playing {
    began: Option<f64>,
    stretch: f64,
    moving: Vec<Moving>,
    flying: Option<Flying>,
}

struct Moving {
    element: Element,
    motion: Motion,
    /// Lines that are drawn from their beginning; everything else of the part fades.
    lines: Vec<Element>,
    rest: Vec<Element>,
}

struct Flying {
    walk: Walk,
    layer: Element,
    trail: Element,
    images: Vec<Element>,
    pod: Element,
    scale: f64,
    /// What appears when the pod lands.
    hidden: Vec<Element>,
    edge: Option<Element>,
    is_landed: bool,
}

impl Player {
    /// Starts a plan in place of the one that is played.
    pub fn start(&self, plan: Plan, svg: &Element, find: Find<'_>) {
        self.finish();
        if plan.motions.is_empty() && plan.flight.is_none() {
            return;
        }
        let moving = plan.motions.into_iter();
        let moving = moving.filter_map(|motion| Moving::new(find(&motion.id)?, motion));
        let flying = plan
            .flight
            .and_then(|flight| Flying::new(&flight, svg, find));
        let mut playing = Playing {
            began: None,
            stretch: plan.stretch,
            moving: moving.collect(),
            flying,
        };
        playing.show(0.0);
        *self.playing.borrow_mut() = Some(playing);
        self.ask_for_frame();
    }

    /// Puts everything at its place.
    pub fn finish(&self) {
        if let Some(mut playing) = self.playing.borrow_mut().take() {
            playing.end();
        }
    }

    fn ask_for_frame(&self) {
        let Some(window) = web_sys::window() else {
            return self.finish();
        };
        if self.frame.borrow().is_none() {
            let player = self.clone();
            let frame = Closure::new(move |at: f64| player.on_frame(at));
            *self.frame.borrow_mut() = Some(frame);
        }
        request(&window, &self.frame);
    }

    fn on_frame(&self, at: f64) {
        let is_over = {
            let mut playing = self.playing.borrow_mut();
            let Some(playing) = playing.as_mut() else {
                return;
            };
            let began = *playing.began.get_or_insert(at);
            playing.show((at - began) / playing.stretch)
        };
        if is_over {
            self.finish();
        } else {
            self.ask_for_frame();
        }
    }
}

fn request(window: &Window, frame: &RefCell<Frame>) {
    if let Some(frame) = frame.borrow().as_ref() {
        // A window that is gone needs no frame.
        let _ = window.request_animation_frame(frame.as_ref().unchecked_ref());
    }
}

impl Playing {
    /// Draws the state after some milliseconds at 1x; says whether nothing moves any more.
    fn show(&mut self, elapsed: f64) -> bool {
        let mut is_over = true;
        for moving in &self.moving {
            let motion = &moving.motion;
            let share = (elapsed - motion.delay) / motion.length.max(1.0);
            is_over &= share >= 1.0;
            moving.show(tween::eased(motion.ease, share));
        }
        if let Some(flying) = &mut self.flying {
            is_over &= flying.show(elapsed);
        }
        is_over
    }

    fn end(&mut self) {
        for moving in &self.moving {
            moving.end();
        }
        if let Some(flying) = &mut self.flying {
            flying.end();
        }
    }
}

impl Moving {
    fn new(element: Element, motion: Motion) -> Option<Self> {
        let (mut lines, mut rest) = (Vec::new(), Vec::new());
        if motion.kind == Kind::Draw {
            let children = element.children();
            for place in 0..children.length() {
                let child = children.item(place)?;
                let is_line = child.tag_name() == "path"
                    && child.get_attribute("fill").as_deref() == Some("none")
                    && !child.has_attribute("stroke-dasharray");
                if is_line {
                    set(&child, "pathLength", "1");
                    lines.push(child);
                } else {
                    rest.push(child);
                }
            }
        }
        Some(Self {
            element,
            motion,
            lines,
            rest,
        })
    }

    fn show(&self, done: f64) {
        let element = &self.element;
        match self.motion.kind {
            Kind::Fade => set(element, "opacity", &Decimal(done).to_string()),
            Kind::Draw => {
                for line in &self.lines {
                    set(line, "stroke-dasharray", "1 1");
                    set(line, "stroke-dashoffset", &Decimal(1.0 - done).to_string());
                }
                for other in &self.rest {
                    set(
                        other,
                        "visibility",
                        if done < 0.7 { "hidden" } else { "visible" },
                    );
                }
            }
            Kind::Grow { left } => {
                let (done, there, back) = (Decimal(done), Decimal(left), Decimal(-left));
                let scale = format!("translate({there} 0) scale({done} 1) translate({back} 0)");
                set(element, "transform", &scale);
            }
            Kind::Slide { x, y } => {
                let rest = 1.0 - done;
                let shift = translate(x * rest, y * rest);
                set(element, "transform", &shift);
            }
        }
    }

    fn end(&self) {
        match self.motion.kind {
            Kind::Fade => unset(&self.element, "opacity"),
            Kind::Grow { .. } | Kind::Slide { .. } => unset(&self.element, "transform"),
            Kind::Draw => {
                for line in &self.lines {
                    unset(line, "stroke-dasharray");
                    unset(line, "stroke-dashoffset");
                    unset(line, "pathLength");
                }
                for other in &self.rest {
                    unset(other, "visibility");
                }
            }
        }
    }
}

impl Flying {
    fn new(flight: &Flight, svg: &Element, find: Find<'_>) -> Option<Self> {
        let walk = Walk::along(&flight.path);
        let (fill, edge) = (Token::Fill(flight.badge.hue), Token::Edge(flight.badge.hue));
        let layer = element(svg, "g", &[("class", "flight"), ("aria-hidden", "true")])?;
        let length = Decimal(walk.length().max(1.0));
        let trail = element(
            svg,
            "path",
            &[
                ("d", &marks::path(&flight.path)),
                ("fill", "none"),
                ("stroke", &marks::paint(fill)),
                ("stroke-width", "18"),
                ("stroke-dasharray", &format!("{length} {length}")),
            ],
        )?;
        lay_under_threads(svg, &trail);
        let block = |parent: &Element, fill: &str| block(parent, flight, fill, edge);
        let mut images = Vec::new();
        for (share, _) in tween::AFTER_IMAGES {
            let image = block(&layer, "none")?;
            let (x, y) = walk.at(share);
            set(&image, "transform", &translate(x, y));
            set(&image, "opacity", "0");
            images.push(image);
        }
        let pod = element(&layer, "g", &[])?;
        block(&pod, &marks::paint(fill))?;
        let code = [
            ("text-anchor", "middle"),
            ("y", "4"),
            ("class", "sans bold"),
            ("font-size", "12"),
            ("fill", &marks::paint(Token::Ink)),
        ];
        element(&pod, "text", &code)?.set_text_content(Some(&flight.badge.code));
        let hidden = hidden_until_landing(flight, svg, find);
        for part in &hidden {
            set(part, "visibility", "hidden");
        }
        let edge = find(&flight.berth).and_then(|berth| landing_edge(&berth));
        let scale = f64::from(flight.from.w.0) / f64::from(flight.to.w.0.max(1));
        Some(Self {
            walk,
            layer,
            trail,
            images,
            pod,
            scale,
            hidden,
            edge,
            is_landed: false,
        })
    }

    fn show(&mut self, elapsed: f64) -> bool {
        let shrunk = tween::eased(Ease::Out, elapsed / tween::SHRINK);
        let run = tween::eased(Ease::Flight, (elapsed - tween::SHRINK) / tween::RUN);
        let landing = (elapsed - tween::SHRINK - tween::RUN) / tween::LANDING;
        let (x, y) = self.walk.at(run);
        let scale = self.scale + (1.0 - self.scale) * shrunk;
        set(
            &self.pod,
            "transform",
            &format!("{} scale({})", translate(x, y), Decimal(scale)),
        );
        let behind = self.walk.length() * (1.0 - run);
        set(
            &self.trail,
            "stroke-dashoffset",
            &Decimal(behind).to_string(),
        );
        for (image, (share, strength)) in self.images.iter().zip(tween::AFTER_IMAGES) {
            let is_passed = run >= share && landing < 1.0;
            set(
                image,
                "opacity",
                &Decimal(if is_passed { strength } else { 0.0 }).to_string(),
            );
        }
        if landing >= 0.0 {
            self.land(landing);
        }
        landing >= 1.0
    }

    fn land(&mut self, landing: f64) {
        if !self.is_landed {
            self.is_landed = true;
            for part in &self.hidden {
                unset(part, "visibility");
            }
            set(&self.pod, "visibility", "hidden");
        }
        let strength = 1.0 - 0.45 * tween::eased(Ease::Out, landing);
        set(&self.trail, "opacity", &Decimal(strength).to_string());
        if let Some(edge) = &self.edge {
            let width = tween::landing_edge(landing.min(1.0));
            set(edge, "stroke-width", &Decimal(width).to_string());
        }
    }

    fn end(&mut self) {
        for part in &self.hidden {
            unset(part, "visibility");
        }
        if let Some(edge) = &self.edge {
            set(edge, "stroke-width", "2");
        }
        self.layer.remove();
        self.trail.remove();
    }
}

fn translate(x: f64, y: f64) -> String {
    format!("translate({} {})", Decimal(x), Decimal(y))
}

/// Threads, and the words at the pod's place, stay readable on the trail.
fn lay_under_threads(svg: &Element, trail: &Element) {
    let first = svg.query_selector("[data-role='thread'], [data-role='rope']");
    if let Some(first) = first.ok().flatten() {
        // Both are children of the figure, so this cannot fail.
        let _ = svg.insert_before(trail, Some(&first));
    }
}

/// The pod as it flies: a block as large as it will be, around the origin.
fn block(parent: &Element, flight: &Flight, fill: &str, edge: Token) -> Option<Element> {
    let (w, h) = (
        f64::from(flight.to.w.0) / 10.0,
        f64::from(flight.to.h.0) / 10.0,
    );
    element(
        parent,
        "rect",
        &[
            ("x", &Decimal(-w / 2.0).to_string()),
            ("y", &Decimal(-h / 2.0).to_string()),
            ("width", &Decimal(w).to_string()),
            ("height", &Decimal(h).to_string()),
            ("rx", "3"),
            ("fill", fill),
            ("stroke", &marks::paint(edge)),
        ],
    )
}

/// What is struck when the pod lands: the bound edge of its berth, else the berth.
fn landing_edge(berth: &Element) -> Option<Element> {
    let bound = berth.query_selector("[stroke='var(--bound)']");
    bound
        .ok()
        .flatten()
        .or_else(|| berth.query_selector("rect").ok().flatten())
}

/// The pod in its berth and the trail that stays.
fn hidden_until_landing(flight: &Flight, svg: &Element, find: Find<'_>) -> Vec<Element> {
    let mut hidden: Vec<Element> = find(&flight.pod).into_iter().collect();
    if let Ok(trails) = svg.query_selector_all("[data-role='trail']") {
        for place in 0..trails.length() {
            hidden.extend(
                trails
                    .item(place)
                    .and_then(|node| node.dyn_into::<Element>().ok()),
            );
        }
    }
    hidden
}

/// Makes an SVG element inside another.
pub fn element(parent: &Element, tag: &str, attributes: &[(&str, &str)]) -> Option<Element> {
    let document = parent.owner_document()?;
    let element = document.create_element_ns(Some(SVG), tag).ok()?;
    for (name, value) in attributes {
        set(&element, name, value);
    }
    parent.append_child(&element).ok()?;
    Some(element)
}

/// Sets an attribute; names here are never empty or wrong, the only way this fails.
pub fn set(element: &Element, name: &str, value: &str) {
    let _ = element.set_attribute(name, value);
}

fn unset(element: &Element, name: &str) {
    let _ = element.remove_attribute(name);
}

const SVG: &str = "http://www.w3.org/2000/svg";
