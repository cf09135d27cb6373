//! Mounts the page: context, theme, language, size of the canvas, and the page that is shown.

use berth_core::picture::scene::{Lang, View};
use leptos::ev;
use leptos::mount::mount_to;
use leptos::prelude::*;
use wasm_bindgen::JsCast as _;
use web_sys::HtmlElement;

use crate::components::live::piece;
use crate::components::{BusyBar, DropZone, Masthead, Page, StripView, listen};
use crate::i18n::Word;
use crate::pages::{EditPage, GalleryPage, StagePage, TroublePage};
use crate::state::Screen;
use crate::{kept, route};

/// Mounts the page into the element `app`, behind the still that is there first.
pub fn mount() {
    let app = document().get_element_by_id("app");
    if let Some(app) = app.and_then(|app| app.dyn_into::<HtmlElement>().ok()) {
        mount_to(app, App).forget();
    }
}

/// The page.
#[component]
pub fn App() -> impl IntoView {
    let page = new_page();
    provide_context(page);
    follow_theme(page);
    follow_language(page);
    follow_size(page);
    follow_hash(page);
    follow_title(page);
    ask_before_leaving(page);
    drop_still(page);
    listen(page);
    page.start();
    // The page is made anew only when it is another one.
    let shown = Memo::new(move |_| page.screen.get());
    let screen = piece(move || match shown.get() {
        Screen::Stage => view! { <StagePage/> }.into_any(),
        Screen::Edit => view! { <EditPage/> }.into_any(),
        Screen::Gallery => view! { <GalleryPage/> }.into_any(),
        Screen::Trouble => view! { <TroublePage/> }.into_any(),
    });
    view! {
        <a class="skip" href="#main" on:click=skip>{page.word(Word::SkipToFigure)}</a>
        {(!page.is_embedded).then(|| view! { <Masthead/> })}
        {page.is_embedded.then(|| view! { <BusyBar/> })}
        <StripView/>
        {screen}
        <DropZone/>
    }
}

/// Goes to the figure without a change of the address, which names the scenario.
fn skip(event: ev::MouseEvent) {
    event.prevent_default();
    let first = document().query_selector("main [tabindex='0'], main button");
    let first = first.ok().flatten();
    if let Some(first) = first.and_then(|first| first.dyn_into::<web_sys::SvgElement>().ok()) {
        // What was just found can take the focus.
        let _ = first.focus();
    }
}

fn new_page() -> Page {
    let query = window().location().search().unwrap_or_default();
    let dark = window().match_media("(prefers-color-scheme: dark)");
    let prefers_dark = dark.ok().flatten().is_some_and(|query| query.matches());
    let language = window().navigator().language().unwrap_or_default();
    let speaks = if language.starts_with("zh") {
        Lang::Zh
    } else {
        Lang::En
    };
    Page::new(&route::looks(&query), prefers_dark, speaks)
}

fn root() -> Option<web_sys::Element> {
    document().document_element()
}

fn follow_theme(page: Page) {
    Effect::new(move |_| {
        let theme = if page.is_dark.get() { "dark" } else { "light" };
        if let Some(root) = root() {
            // The name of the attribute is right, the only way this fails.
            let _ = root.set_attribute("data-theme", theme);
        }
    });
}

fn follow_language(page: Page) {
    Effect::new(move |_| {
        let lang = match page.lang.get() {
            Lang::En => "en",
            Lang::Zh => "zh-CN",
        };
        if let Some(root) = root() {
            // The name of the attribute is right, the only way this fails.
            let _ = root.set_attribute("lang", lang);
        }
    });
}

/// The canvas is as large as the window, less the editor where that is shown.
fn follow_size(page: Page) {
    let measure = move || {
        let side =
            |value: Result<wasm_bindgen::JsValue, _>| value.ok().and_then(|value| value.as_f64());
        let width = side(window().inner_width()).unwrap_or(1440.0);
        let height = side(window().inner_height()).unwrap_or(900.0);
        // A low and narrow window is a large one at 200 %, or a hand's on its side: the phone's form takes over.
        let is_low = height < LOW && width < NARROW;
        let width = if is_low { width.min(HAND) } else { width };
        let (editor, line) = match page.screen.get() {
            Screen::Edit if width >= 1200.0 => (EDITOR_WIDTH, STATE_LINE),
            Screen::Edit => (0.0, STATE_LINE),
            _ => (0.0, 0.0),
        };
        let canvas = ((width - editor) as i32, (height - line) as i32);
        if page.canvas.get_untracked() != canvas {
            page.canvas.set(canvas);
            page.show();
        }
    };
    Effect::new(move |_| measure());
    let handle = window_event_listener(ev::resize, move |_| untrack(measure));
    on_cleanup(move || handle.remove());
}

fn follow_hash(page: Page) {
    let handle = window_event_listener(ev::hashchange, move |_| page.follow_address());
    on_cleanup(move || handle.remove());
}

/// The tab is named after what it shows.
fn follow_title(page: Page) {
    let name = Memo::new(move |_| match page.screen.get() {
        Screen::Gallery => page.say(Word::Gallery).to_owned(),
        _ if page.view.get() == View::Open => String::new(),
        _ => {
            let scene = page.scene.get();
            scene.map_or_else(String::new, |scene| scene.header.title.clone())
        }
    });
    Effect::new(move |_| {
        let name = name.get();
        document().set_title(&if name.is_empty() {
            page.say(Word::FirstTitle).to_owned()
        } else {
            name + " · Berth"
        });
    });
}

/// Whoever leaves is asked, if something would be lost.
fn ask_before_leaving(page: Page) {
    let handle = window_event_listener(ev::beforeunload, move |event| {
        let is_typed = page.past.with_untracked(|past| !past.is_empty());
        let typed = page.text.get_untracked().filter(|_| is_typed);
        if kept::is_at_risk(typed.as_deref()) {
            event.prevent_default();
        }
    });
    on_cleanup(move || handle.remove());
}

/// The still of the first frame goes when there is something to show.
fn drop_still(page: Page) {
    Effect::new(move |_| {
        let is_there = page.scene.with(Option::is_some)
            || page.trouble.with(Option::is_some)
            || page.screen.get() != Screen::Stage;
        if !is_there {
            return;
        }
        if let Some(still) = document().get_element_by_id("still") {
            still.remove();
        }
        if let Some(root) = root() {
            // The name of the class is right, the only way this fails.
            let _ = root.class_list().add_1("ready");
        }
    });
}

/// Lower windows that are not wider than [`NARROW`] are shown as in a hand, as the style sheet does, too.
const LOW: f64 = 560.0;
const NARROW: f64 = 1000.0;
/// The widest canvas in a hand.
const HAND: f64 = 699.0;
/// As wide as the style sheet makes the editor.
const EDITOR_WIDTH: f64 = 600.0;
/// As high as the style sheet makes the line above the picture beside the editor.
const STATE_LINE: f64 = 44.0;
