//! The panels of a scene: the figure with its motion, what stands beside it, and the time axis.

use core::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use berth_core::picture::scene::{Panel, Scene};
use leptos::prelude::*;
use leptos::svg::Svg;
use wasm_bindgen::JsCast as _;
use web_sys::{Element, KeyboardEvent};

use crate::i18n::Word;
use crate::protocol::{Open, Target};
use crate::stage::raf::Player;
use crate::stage::{focus, hit, tween};

use super::Page;
use super::figure::Painter;
use super::live::Text;

type Shared = Rc<RefCell<Painter>>;
type Choose = fn(&Scene) -> Option<&Panel>;

/// The figure. It moves from one scene to the next.
#[component]
pub fn FigureView() -> impl IntoView {
    let page = Page::get();
    let node = NodeRef::<Svg>::new();
    let painter: Shared = Rc::default();
    move_with_scenes(page, node, painter.clone());
    point_with(page, node, painter.clone());
    let listeners = Listeners::new(page, painter, |scene| Some(&scene.figure));
    let label = page.word(Word::Figure);
    listeners.attach(node, "figure", label)
}

/// What stands right of the figure of View::Why.
#[component]
pub fn AsideView() -> impl IntoView {
    still_panel("aside", |scene| scene.aside.as_ref(), Word::Figure)
}

/// The time axis; it can be dragged.
#[component]
pub fn AxisView() -> impl IntoView {
    let page = Page::get();
    let is_down = RwSignal::new(false);
    let seek = move |event: &web_sys::PointerEvent| {
        let Some(scene) = page.scene.get_untracked() else {
            return;
        };
        let Some(svg) = event
            .current_target()
            .and_then(|at| at.dyn_into::<Element>().ok())
        else {
            return;
        };
        let shown = svg.get_bounding_client_rect();
        let share = (f64::from(event.client_x()) - shown.left()) / shown.width().max(1.0);
        let cycles = page
            .run
            .get_untracked()
            .map(|run| run.cycles.clone())
            .unwrap_or_default();
        if let Some(moment) = moment_at(&scene.axis, share, &cycles) {
            page.step(Target::Moment { moment });
        }
    };
    let down = move |event: web_sys::PointerEvent| {
        is_down.set(true);
        if let Some(at) = event
            .current_target()
            .and_then(|at| at.dyn_into::<Element>().ok())
        {
            // Without capture dragging ends at the edge, which is no harm.
            let _ = at.set_pointer_capture(event.pointer_id());
        }
        seek(&event);
    };
    let drag = move |event: web_sys::PointerEvent| {
        if is_down.get_untracked() {
            seek(&event);
        }
    };
    view! {
        <div
            class="axis"
            on:pointerdown=down
            on:pointermove=drag
            on:pointerup=move |_| is_down.set(false)
            on:pointercancel=move |_| is_down.set(false)
        >
            {still_panel("axis-panel", |scene| Some(&scene.axis), Word::Timeline)}
        </div>
    }
}

/// The moment at a share of the axis: the end of the nearest cycle, as the axis draws it, or by its number along the line.
fn moment_at(axis: &Panel, share: f64, cycles: &[usize]) -> Option<usize> {
    use berth_core::picture::scene::{Action, Role};
    let x = f64::from(axis.frame.w.0) * share;
    let drawn = axis.parts.iter().filter(|part| part.role == Role::Cycle);
    let places = drawn.filter_map(|part| match &part.action {
        Some(Action::Seek { moment }) => Some((hit::bounds(part)?.center().x, *moment)),
        _ => None,
    });
    let distance = |at: i32| (f64::from(at) - x).abs();
    let nearest = places.min_by(|(one, _), (two, _)| distance(one.0).total_cmp(&distance(two.0)));
    if let Some((_, moment)) = nearest {
        return Some(moment);
    }
    let line = axis
        .parts
        .iter()
        .find(|part| part.id == LINE)
        .and_then(hit::bounds)?;
    let along = (x - f64::from(line.x.0)) / f64::from(line.w.0.max(1));
    let count = (along.clamp(0.0, 1.0) * cycles.len() as f64).round() as usize;
    cycles.get(count.saturating_sub(1)).copied()
}

/// The part of the axis that is as long as the run.
const LINE: &str = "axis/line";

fn still_panel(class: &'static str, choose: Choose, label: Word) -> impl IntoView {
    let page = Page::get();
    let node = NodeRef::<Svg>::new();
    let painter: Shared = Rc::default();
    {
        let painter = painter.clone();
        Effect::new(move |_| {
            let (Some(svg), Some(scene)) = (node.get(), page.scene.get()) else {
                return;
            };
            if let Some(panel) = choose(&scene) {
                painter.borrow_mut().paint(svg.unchecked_ref(), panel);
            }
        });
    }
    point_with(page, node, painter.clone());
    let label = page.word(label);
    Listeners::new(page, painter, choose).attach(node, class, label)
}

/// Draws each scene, and plays what moves.
fn move_with_scenes(page: Page, node: NodeRef<Svg>, painter: Shared) {
    let player = Player::default();
    Effect::new(move |before: Option<Option<(Arc<Scene>, Option<Open>)>>| {
        let (svg, scene) = (node.get()?, page.scene.get()?);
        let svg: &Element = svg.unchecked_ref();
        let open = page.open.get_untracked();
        player.finish();
        painter.borrow_mut().paint(svg, &scene.figure);
        if let Some(Some((old, was_open))) = before {
            let cause = tween::Cause {
                is_step: page.now.get_untracked().is_step,
                is_unfolding: was_open != open,
                speed: page.speed.get_untracked(),
                is_reduced: prefers_reduced_motion(),
            };
            let plan = tween::plan(&old, &scene, cause);
            let painter = painter.borrow();
            player.start(plan, svg, &|id| painter.find(id));
            if cause.is_unfolding {
                let parts = scene.figure.parts.iter().rev();
                let last = parts
                    .map(|part| &part.id)
                    .find(|id| id.starts_with("open/"));
                if let Some(last) = last.and_then(|id| painter.find(id)) {
                    bring_into_view(&last);
                }
            }
        }
        Some((scene, open))
    });
}

/// Scrolls the figure until the end of what was opened is seen, if there is room for it.
fn bring_into_view(last: &Element) {
    let Some(holder) = last.closest(".scroll").ok().flatten() else {
        return;
    };
    let (window, opened) = (
        holder.get_bounding_client_rect(),
        last.get_bounding_client_rect(),
    );
    let hidden = opened.bottom() - window.bottom();
    if hidden > 0.0 && opened.height() < window.height() {
        holder.set_scroll_top(holder.scroll_top() + hidden as i32 + 16);
    }
}

/// Dims what does not belong to what is pointed at.
fn point_with(page: Page, node: NodeRef<Svg>, painter: Shared) {
    Effect::new(move |_| {
        let link = page.hot.get();
        page.scene.track();
        if let Some(svg) = node.get() {
            painter
                .borrow()
                .point_at(svg.unchecked_ref(), link.as_deref());
        }
    });
}

/// What a panel does when it is pointed at, clicked, or reached by keyboard.
struct Listeners {
    page: Page,
    painter: Shared,
    choose: Choose,
}

impl Listeners {
    fn new(page: Page, painter: Shared, choose: Choose) -> Self {
        Self {
            page,
            painter,
            choose,
        }
    }

    fn attach(self, node: NodeRef<Svg>, class: &'static str, label: Text) -> impl IntoView {
        let Self {
            page,
            painter,
            choose,
        } = self;
        let (clicked, over, focused) = (painter.clone(), painter.clone(), painter.clone());
        let click = move |event: web_sys::MouseEvent| {
            let id = id_under(event.target());
            let action = id.and_then(|id| clicked.borrow().part(&id)?.action.clone());
            if let Some(action) = action {
                page.act(&action);
            }
        };
        let point = move |event: web_sys::PointerEvent| {
            let id = id_under(event.target());
            page.hot.set(id.and_then(|id| over.borrow().link_of(&id)));
        };
        let focus_in = move |event: web_sys::FocusEvent| {
            let id = id_under(event.target());
            page.hot
                .set(id.and_then(|id| focused.borrow().link_of(&id)));
        };
        let key = move |event: KeyboardEvent| on_key(page, &painter, choose, &event);
        // A picture that listens to the focus would be a stop of its own, so its holder does.
        view! {
            <div class="holder" on:focusin=focus_in on:focusout=move |_| page.hot.set(None) on:keydown=key>
                <svg
                    node_ref=node
                    class=class
                    role="group"
                    aria-label=label
                    on:click=click
                    on:pointerover=point
                    on:pointerleave=move |_| page.hot.set(None)
                ></svg>
            </div>
        }
    }
}

fn on_key(page: Page, painter: &Shared, choose: Choose, event: &KeyboardEvent) {
    let Some(id) = id_under(event.target()) else {
        return;
    };
    let by = match event.key().as_str() {
        "ArrowUp" => -1,
        "ArrowDown" => 1,
        "Enter" => {
            let action = painter
                .borrow()
                .part(&id)
                .and_then(|part| part.action.clone());
            if let Some(action) = action {
                event.prevent_default();
                event.stop_propagation();
                page.act(&action);
            }
            return;
        }
        _ => return,
    };
    event.prevent_default();
    event.stop_propagation();
    let Some(scene) = page.scene.get_untracked() else {
        return;
    };
    let next = choose(&scene).and_then(|panel| focus::neighbour(panel, &id, by));
    let stop = next.and_then(|next| painter.borrow_mut().make_stop(&next));
    if let Some(stop) = stop {
        // An element that was just found can take the focus.
        let _ = stop.focus();
    }
}

/// The id of the part that holds an element.
fn id_under(target: Option<web_sys::EventTarget>) -> Option<String> {
    let element = target?.dyn_into::<Element>().ok()?;
    element.closest("[data-id]").ok()??.get_attribute("data-id")
}

/// Whether the reader wants no motion.
fn prefers_reduced_motion() -> bool {
    let query = window().match_media("(prefers-reduced-motion: reduce)");
    query.ok().flatten().is_some_and(|query| query.matches())
}
