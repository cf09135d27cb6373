//! What all components share: the signals, and what a person can do.

use core::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use berth_core::picture::scene::{Action, Extent, Lang, Scene, View};
use gloo_timers::callback::Timeout;
use leptos::prelude::*;
use web_sys::{Blob, File, FileList};

use crate::editor;
use crate::i18n::{Word, say};
use crate::kept::{self, Found};
use crate::port::{self, Port};
use crate::protocol::{
    Example, Frame, FromWorker, Now, Open, Part, RunFacts, Said, Target, ToWorker, Wrong,
};
use crate::route::{self, Place};
use crate::state::{Busy, FIRST, Screen, Strip, Trouble, form_name, view_name, view_named};
use crate::transport;

use super::live::{Text, text};

/// The page's signals.
#[derive(Clone, Copy)]
pub struct Page {
    /// Which page is shown.
    pub screen: RwSignal<Screen>,
    /// What is unfolded under the header.
    pub strip: RwSignal<Option<Strip>>,
    /// The picture.
    pub scene: RwSignal<Option<Arc<Scene>>>,
    /// What moment it shows.
    pub now: RwSignal<Now>,
    /// What is loaded.
    pub run: RwSignal<Option<Arc<RunFacts>>>,
    /// The examples.
    pub examples: RwSignal<Vec<Example>>,
    /// The language.
    pub lang: RwSignal<Lang>,
    /// Whether the theme is dark.
    pub is_dark: RwSignal<bool>,
    /// How much is unfolded.
    pub view: RwSignal<View>,
    /// What is opened in place.
    pub open: RwSignal<Option<Open>>,
    /// Whom View::Why is about.
    pub pod: RwSignal<Option<String>>,
    /// How much of its matrix is shown.
    pub extent: RwSignal<Extent>,
    /// Whether time goes on by itself.
    pub is_playing: RwSignal<bool>,
    /// How fast.
    pub speed: RwSignal<f64>,
    /// What is pointed at.
    pub hot: RwSignal<Option<String>>,
    /// Whether the text twin is shown.
    pub is_text: RwSignal<bool>,
    /// Whether letters are keys.
    pub has_letters: RwSignal<bool>,
    /// What the worker is busy with.
    pub busy: RwSignal<Option<Busy>>,
    /// Why nothing can be shown.
    pub trouble: RwSignal<Option<Trouble>>,
    /// The link, or why there is none.
    pub link: RwSignal<Option<Result<String, Said>>>,
    /// The whole text in the editor; who listens is told when somebody else than the editor changes it.
    pub text: RwSignal<Option<String>>,
    /// The one object of it that the editor shows, if it does not show all.
    pub part: RwSignal<Option<Part>>,
    /// The texts before each change, oldest first.
    pub past: RwSignal<Vec<String>>,
    /// What is wrong with the edited text.
    pub errors: RwSignal<Arc<Vec<Wrong>>>,
    /// The canvas, in pixels.
    pub canvas: RwSignal<(i32, i32)>,
    /// The guess that was made.
    pub guess: RwSignal<Option<usize>>,
    /// Whether the page is a figure in another page.
    pub is_embedded: bool,
}

impl Page {
    /// The page as an address asks for it.
    #[must_use]
    pub fn new(looks: &route::Looks, prefers_dark: bool, speaks: Lang) -> Self {
        Self {
            screen: RwSignal::new(Screen::Stage),
            strip: RwSignal::new(None),
            scene: RwSignal::new(None),
            now: RwSignal::new(Now::default()),
            run: RwSignal::new(None),
            examples: RwSignal::new(Vec::new()),
            lang: RwSignal::new(looks.lang.unwrap_or(speaks)),
            is_dark: RwSignal::new(looks.is_dark.unwrap_or(prefers_dark)),
            view: RwSignal::new(View::Story),
            open: RwSignal::new(None),
            pod: RwSignal::new(None),
            extent: RwSignal::new(Extent::default()),
            is_playing: RwSignal::new(false),
            speed: RwSignal::new(1.0),
            hot: RwSignal::new(None),
            is_text: RwSignal::new(false),
            has_letters: RwSignal::new(true),
            busy: RwSignal::new(None),
            trouble: RwSignal::new(None),
            link: RwSignal::new(None),
            text: RwSignal::new(None),
            part: RwSignal::new(None),
            past: RwSignal::new(Vec::new()),
            errors: RwSignal::new(Arc::default()),
            canvas: RwSignal::new((1440, 900)),
            guess: RwSignal::new(None),
            is_embedded: looks.is_embedded,
        }
    }

    /// The page of the component.
    #[must_use]
    pub fn get() -> Self {
        expect_context()
    }

    /// A word in the page's language.
    #[must_use]
    pub fn say(self, word: Word) -> &'static str {
        say(self.lang.get(), word)
    }

    /// A word that follows the page's language.
    pub fn word(self, word: Word) -> Text {
        text(move || self.say(word))
    }

    /// Starts the worker.
    pub fn start(self) {
        let receive: port::Receive = Rc::new(move |message| match message {
            Ok(message) => self.take(message),
            Err(silence) => self.fail(Trouble::Worker(silence)),
        });
        port::keep(Port::open(receive));
    }

    /// Takes what the worker tells.
    fn take(self, message: FromWorker) {
        match message {
            FromWorker::Ready { examples } => {
                let is_first = self.examples.get_untracked().is_empty();
                self.examples.set(examples);
                self.show();
                if is_first {
                    self.follow_address();
                }
            }
            FromWorker::Progress { work, done, total } => {
                self.busy.set(Some(Busy { work, done, total }));
            }
            FromWorker::Loaded { run } => self.loaded(*run),
            FromWorker::Scene { scene, now } => {
                // What is pointed at belongs to what is shown: a gate of another pod is another gate.
                let same = |old: &Option<Arc<Scene>>| {
                    let old = old.as_ref();
                    old.is_some_and(|old| (old.view, old.moment) == (scene.view, scene.moment))
                };
                if !self.scene.with_untracked(same) {
                    self.hot.set(None);
                }
                self.now.set(now);
                self.scene.set(Some(Arc::from(scene)));
                port::with(Port::arrived);
                self.go_on();
            }
            FromWorker::Errors {
                errors,
                more,
                is_edit,
            } => {
                self.busy.set(None);
                let errors = Arc::new(errors);
                if is_edit {
                    self.errors.set(errors);
                } else if let Some(text) = kept::to_mend(&self.mine().unwrap_or_default()) {
                    self.mend(text, errors);
                } else {
                    self.fail(Trouble::Input(errors, more));
                    editor::go_on(self);
                }
            }
            FromWorker::BadLink { message } => {
                self.fail(Trouble::Link(message));
                editor::go_on(self);
            }
            FromWorker::Link { link, message } => self.link.set(Some(link.ok_or(message))),
            FromWorker::Text { text, part } => {
                // What was typed meanwhile is newer, and the part is one of another text.
                let is_old = |known: &Option<String>| known.as_ref().is_some_and(|it| *it != text);
                if !self.text.with_untracked(is_old) {
                    kept::save(&self.run_name(), &text);
                    self.part.set(part);
                    self.text.set(Some(text));
                }
            }
            FromWorker::Applied { old, text, pod } => {
                // The pod stays in view when it is placed, and when that is undone.
                self.pod.set(Some(pod));
                self.show();
                editor::put(self, old, text);
            }
            FromWorker::Cancelled => {
                kept::give(None);
                self.busy.set(None);
                editor::go_on(self);
            }
        }
    }

    fn loaded(self, run: RunFacts) {
        self.busy.set(None);
        self.errors.set(Arc::default());
        self.link.set(None);
        if self.strip.get_untracked() == Some(Strip::Share) {
            self.share();
        }
        if !run.is_edit {
            editor::forget();
            self.trouble.set(None);
            self.hot.set(None);
            if let Some(name) = kept::loaded(&run.called, self.mine()) {
                self.name_address(&name);
                if run.is_editable {
                    // Its text is kept, too.
                    self.ask(&ToWorker::Write);
                }
            }
            self.part.set(None);
            self.text.set(None);
            self.past.set(Vec::new());
            self.guess.set(None);
            self.pod.set(run.pod.clone());
            self.pause();
            if let Some(view) = &run.view {
                self.view.set(view_named(view));
            }
            let is_why = self.view.get_untracked() == View::Why;
            self.open.set(is_why.then_some(Open::Telling));
            self.screen.set(Screen::Stage);
        }
        self.run.set(Some(Arc::new(run)));
    }

    /// Shows a text with errors that was kept, so that it can be mended. Its last good version is not known any more.
    fn mend(self, text: String, errors: Arc<Vec<Wrong>>) {
        editor::forget();
        self.scene.set(None);
        self.run.set(None);
        self.part.set(None);
        self.past.set(Vec::new());
        self.text.set(Some(text));
        self.errors.set(errors);
        self.trouble.set(None);
        self.screen.set(Screen::Edit);
    }

    fn fail(self, trouble: Trouble) {
        kept::give(None);
        self.busy.set(None);
        self.pause();
        self.trouble.set(Some(trouble));
        self.screen.set(Screen::Trouble);
    }

    /// Shows what the address names.
    pub fn follow_address(self) {
        kept::give(None);
        match self.place() {
            Place::First => self.open_example(FIRST.to_owned(), "v=open".to_owned()),
            Place::Gallery => {
                self.pause();
                self.screen.set(Screen::Gallery);
            }
            Place::Example(name, fields) => self.open_example(name, fields),
            Place::Link(link) => self.ask(&ToWorker::Open { link }),
            Place::Mine(name) => self.open_kept(&name),
        }
    }

    fn place(self) -> Place {
        route::place(&window().location().hash().unwrap_or_default())
    }

    /// The name of what the address says is kept in this tab, if it says so.
    fn mine(self) -> Option<String> {
        match self.place() {
            Place::Mine(name) => Some(name),
            _ => None,
        }
    }

    /// Shows what is kept in this tab: as it was left, if it is still loaded.
    fn open_kept(self, name: &str) {
        self.leave_first();
        if kept::is_loaded(name) && self.run.get_untracked().is_some() {
            // What was asked for meanwhile is not wanted any more.
            if self.busy.get_untracked().is_some() {
                self.cancel();
            }
            self.trouble.set(None);
            self.screen.set(Screen::Stage);
            return;
        }
        match kept::find(name) {
            Some(Found::Text(name, text)) => self.ask(&ToWorker::Load { name, text }),
            Some(Found::File(name, blob)) => {
                editor::hold();
                port::with(|port| port.send_blob(&ToWorker::LoadBlob { name }, &blob));
            }
            None => self.fail(Trouble::Gone),
        }
    }

    fn run_name(self) -> String {
        let run = self.run.get_untracked();
        run.map_or_else(String::new, |run| run.name.clone())
    }

    /// Goes to what a part after `#` names, so that the browser's own way back leads here again.
    pub fn go(self, hash: &str) {
        let location = window().location();
        if location.hash().unwrap_or_default().trim_start_matches('#') == hash {
            self.follow_address();
        } else {
            // Writing a part after `#` cannot fail.
            let _ = location.set_hash(hash);
        }
    }

    fn open_example(self, name: String, fields: String) {
        self.view.set(View::Story);
        self.show();
        self.ask(&ToWorker::Example { name, fields });
    }

    /// The address is that of what is kept under a name from here on.
    fn name_address(self, name: &str) {
        if self.mine().as_deref() != Some(name) {
            let address = format!("#{}{name}", route::MINE);
            if let Ok(history) = window().history() {
                // An address of the same page is never refused.
                let _ =
                    history.push_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some(&address));
            }
        }
    }

    /// Keeps how the page looks in its address, so that a reload leaves it so.
    fn keep_look(self, name: &str, value: &str) {
        let location = window().location();
        let query = location.search().unwrap_or_default();
        let address = route::with_look(&query, name, value) + &location.hash().unwrap_or_default();
        if let Ok(history) = window().history() {
            // An address of the same page is never refused.
            let _ =
                history.replace_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some(&address));
        }
    }

    /// Light instead of dark, or the other way round.
    pub fn other_theme(self) {
        let is_dark = !self.is_dark.get_untracked();
        self.is_dark.set(is_dark);
        self.keep_look("theme", if is_dark { "dark" } else { "light" });
    }

    /// Chinese instead of English, or the other way round.
    pub fn other_language(self) {
        let (lang, name) = match self.lang.get_untracked() {
            Lang::En => (Lang::Zh, "zh"),
            Lang::Zh => (Lang::En, "en"),
        };
        self.lang.set(lang);
        self.keep_look("lang", name);
        self.show();
    }

    /// Opens files: several are one cluster.
    pub fn open_files(self, files: &FileList) {
        let files: Vec<File> = (0..files.length())
            .filter_map(|place| files.get(place))
            .collect();
        if let [file] = files.as_slice() {
            self.open_blob(file.name(), file);
            return;
        }
        let names: Vec<String> = files.iter().map(|file| file.name()).collect();
        let parts = js_sys::Array::new();
        for file in &files {
            parts.push(file);
            parts.push(&"\n---\n".into());
        }
        if let Ok(whole) = Blob::new_with_blob_sequence(&parts) {
            self.open_blob(names.join(" + "), &whole);
        }
    }

    /// Opens a file.
    fn open_blob(self, name: String, blob: &Blob) {
        self.leave_first();
        editor::hold();
        kept::give(Some((name.clone(), blob.clone())));
        port::with(|port| port.send_blob(&ToWorker::LoadBlob { name }, blob));
    }

    /// Opens a text that was pasted or typed: a link or a document.
    pub fn open_text(self, text: String) {
        self.leave_first();
        self.strip.set(None);
        let link = route::link_in(&text);
        if let Some(link) = link {
            self.go(&link);
            return;
        }
        let parts = js_sys::Array::of1(&text.into());
        if let Ok(blob) = Blob::new_with_str_sequence(&parts) {
            self.open_blob("pasted.yaml".to_owned(), &blob);
        }
    }

    /// The first screen is left for the story.
    fn leave_first(self) {
        self.pause();
        if self.view.get_untracked() == View::Open {
            self.view.set(View::Story);
            self.show();
        }
    }

    /// Sends a message to the worker.
    pub fn ask(self, message: &ToWorker) {
        if let ToWorker::Edit { text } = message {
            let name = kept::edited(&self.run_name(), text);
            self.name_address(&name);
        } else if message.is_another() {
            editor::hold();
        }
        port::with(|port| port.send(message));
    }

    /// Asks for another moment.
    pub fn seek(self, target: Target) {
        if self.run.get_untracked().is_some() {
            port::with(|port| port.seek(target));
        }
    }

    /// Steps by hand: playing ends, and the first screen becomes the story.
    pub fn step(self, target: Target) {
        self.pause();
        self.leave_first();
        self.close_open();
        self.seek(target);
    }

    /// Tells the worker how the moment is shown.
    pub fn show(self) {
        let (width, height) = self.canvas.get_untracked();
        let frame = Frame {
            view: self.view.get_untracked(),
            width,
            height,
            lang: self.lang.get_untracked(),
            open: self.open.get_untracked(),
            pod: self.pod.get_untracked(),
            extent: self.extent.get_untracked(),
        };
        self.ask(&ToWorker::Show { frame });
    }

    /// Changes how much is unfolded.
    pub fn turn_to(self, view: View) {
        if view != View::Why {
            self.pod.set(None);
        }
        self.open.set((view == View::Why).then_some(Open::Telling));
        self.view.set(view);
        self.show();
    }

    /// Plays or pauses.
    pub fn toggle_play(self) {
        if self.is_playing.get_untracked() {
            self.pause();
            return;
        }
        self.leave_first();
        if self.view.get_untracked() == View::Why {
            self.turn_to(View::Story);
        }
        self.close_open();
        self.is_playing.set(true);
        let target = if self.now.get_untracked().is_end {
            Target::Start
        } else {
            Target::Event { by: 1 }
        };
        self.seek(target);
    }

    /// Stops playing.
    pub fn pause(self) {
        self.is_playing.set(false);
        TICK.with(|tick| tick.borrow_mut().take());
    }

    /// While playing: asks for what follows when the moment was looked at long enough.
    fn go_on(self) {
        if !self.is_playing.get_untracked() {
            return;
        }
        let now = self.now.get_untracked();
        if now.is_end {
            self.pause();
            return;
        }
        let (wait, by) = transport::pace(&now, self.speed.get_untracked());
        let timeout = Timeout::new(wait as u32, move || {
            if self.is_playing.get_untracked() {
                self.seek(Target::Event { by });
            }
        });
        TICK.with(|tick| *tick.borrow_mut() = Some(timeout));
    }

    /// Does what a part is for.
    pub fn act(self, action: &Action) {
        match action {
            Action::OpenCell { node, plugin } => self.unfold(Open::Cell {
                node: node.clone(),
                plugin: plugin.clone(),
            }),
            Action::OpenGroup { group } => self.unfold(Open::Group {
                group: group.clone(),
            }),
            Action::OpenWhole { group } => self.unfold(Open::Whole {
                group: group.clone(),
            }),
            Action::Close => self.close_open(),
            Action::Why { pod } => {
                self.pause();
                self.pod.set(Some(pod.clone()));
                self.turn_to(View::Why);
            }
            Action::Seek { moment } => self.step(Target::Moment { moment: *moment }),
            Action::Unfold | Action::Numbers => self.turn_to(View::Everything),
            Action::Apply { place } => self.ask(&ToWorker::Apply { place: *place }),
            Action::See { extent } => {
                self.extent.set(*extent);
                self.show();
            }
        }
    }

    /// Opens something in its place; closes it if it is open.
    fn unfold(self, open: Open) {
        self.pause();
        let is_open = self.open.get_untracked().as_ref() == Some(&open);
        self.open.set((!is_open).then_some(open));
        self.show();
    }

    /// Closes what is opened in place.
    pub fn close_open(self) {
        if self.open.get_untracked().is_some() {
            self.open.set(None);
            self.show();
        }
    }

    /// Unfolds a strip under the header, or folds it.
    pub fn toggle_strip(self, strip: Strip) {
        let is_open = self.strip.get_untracked() == Some(strip);
        self.strip.set((!is_open).then_some(strip));
        if strip == Strip::Share && !is_open {
            self.share();
        }
    }

    /// Folds what the header has no room for in a hand, once something of it was chosen.
    pub fn fold_more(self) {
        if self.strip.get_untracked() == Some(Strip::More) {
            self.strip.set(None);
        }
    }

    fn share(self) {
        self.link.set(None);
        let location = window().location();
        let origin = location.origin().unwrap_or_default();
        let path = location.pathname().unwrap_or_default();
        let base = format!("{origin}{path}");
        self.ask(&ToWorker::Share { base });
    }

    /// Shows the editor, or leaves it.
    pub fn toggle_editor(self) {
        if self.screen.get_untracked() == Screen::Edit {
            self.screen.set(Screen::Stage);
            return;
        }
        self.pause();
        self.leave_first();
        // A text with errors is known here alone.
        if self.errors.with_untracked(|errors| errors.is_empty()) {
            self.ask(&ToWorker::Write);
        }
        self.screen.set(Screen::Edit);
    }

    /// Stops the worker in the middle of its work.
    pub fn cancel(self) {
        self.busy.set(None);
        kept::give(None);
        if self.run.get_untracked().is_some() {
            self.ask(&ToWorker::Cancel);
        } else {
            port::with(Port::restart);
        }
    }

    /// What the style sheet knows of the view and of its layout.
    #[must_use]
    pub fn looks(self) -> String {
        let form = self
            .scene
            .with(|scene| scene.as_ref().map(|scene| scene.form));
        let form = form_name(form.unwrap_or_default());
        format!("view-{} form-{form}", view_name(self.view.get()))
    }
}

thread_local! {
    static TICK: RefCell<Option<Timeout>> = const { RefCell::new(None) };
}
