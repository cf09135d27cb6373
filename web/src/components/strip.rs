//! What unfolds under the header: the link, the keys, a place to paste, a place to search, what is not supported.

use leptos::html::{Input, Textarea};
use leptos::prelude::*;

use crate::i18n::{KEYS, Word, key_meaning, say};
use crate::protocol::Wrong;
use crate::state::Strip;

use super::header::{LanguageButton, Ways};
use super::live::{piece, text, when};
use super::transport_bar::SpeedButton;
use super::{Icon, Page};

/// The strip that is open, if one is.
#[component]
pub fn StripView() -> impl IntoView {
    let page = Page::get();
    let content = move |strip| match strip {
        Strip::Share => view! { <Share/> }.into_any(),
        Strip::Keys => view! { <Keys/> }.into_any(),
        Strip::Paste => view! { <Paste/> }.into_any(),
        Strip::Find => view! { <Find/> }.into_any(),
        Strip::Unsupported => view! { <Unsupported/> }.into_any(),
        Strip::More => view! {
            <div class="more-ways"><Ways/><LanguageButton/><SpeedButton/></div>
        }
        .into_any(),
    };
    piece(move || {
        let Some(strip) = page.strip.get() else {
            return ().into_any();
        };
        view! {
            <section class="strip" aria-label=page.word(name(strip))>
                {content(strip)}
                <button
                    class="quiet square close"
                    aria-label=page.word(Word::Close)
                    on:click=move |_| page.strip.set(None)
                >
                    <Icon name="close"/>
                </button>
            </section>
        }
        .into_any()
    })
}

const fn name(strip: Strip) -> Word {
    match strip {
        Strip::Share => Word::LinkHead,
        Strip::Keys => Word::KeysHead,
        Strip::Paste => Word::PasteHead,
        Strip::Find => Word::Find,
        Strip::Unsupported => Word::Unsupported,
        Strip::More => Word::More,
    }
}

#[component]
fn Share() -> impl IntoView {
    let page = Page::get();
    let is_copied = RwSignal::new(false);
    let has_errors = move || page.errors.with(|errors| !errors.is_empty());
    let of_last_good = move || {
        view! { <p class="wrong last-good-link">{page.word(Word::LinkOfLastGood)}</p> }.into_any()
    };
    let field = NodeRef::<Input>::new();
    let copy = move |link: String| {
        if let Some(field) = field.get() {
            field.select();
        }
        // A browser that forbids it leaves the link selected, to be copied by hand.
        let _ = window().navigator().clipboard().write_text(&link);
        is_copied.set(true);
    };
    let body = piece(move || match page.link.get() {
        None => view! { <p class="soft">"…"</p> }.into_any(),
        Some(Err(message)) => {
            let told = message.words(page.lang.get()).to_owned();
            view! { <p class="wrong">{told}</p> }.into_any()
        }
        Some(Ok(link)) => {
            let length = format!("{} {}", link.len(), page.say(Word::LinkLength));
            let copied = link.clone();
            view! {
                <div class="line">
                    <input
                        id="link"
                        node_ref=field
                        class="mono"
                        readonly
                        aria-label=page.say(Word::LinkHead)
                        prop:value=link
                    />
                    <button class="solid" on:click=move |_| copy(copied.clone())>
                        {text(move || page.say(if is_copied.get() { Word::Copied } else { Word::Copy }))}
                    </button>
                    <span class="soft small">{length}</span>
                </div>
            }
            .into_any()
        }
    });
    view! {
        <h2>{page.word(Word::LinkHead)}</h2>
        {when(has_errors, of_last_good)}
        {body}
        <p class="soft small">{page.word(Word::LinkPrivate)}</p>
    }
}

#[component]
fn Keys() -> impl IntoView {
    let page = Page::get();
    let groups = move || {
        let lang = page.lang.get();
        let groups = KEYS.iter();
        groups
            .map(|(head, keys)| {
                let rows = keys.iter().map(|key| {
                    view! { <div><dt><kbd>{key.0}</kbd></dt><dd>{key_meaning(lang, key)}</dd></div> }
                });
                view! {
                    <section>
                        <h2>{say(lang, *head)}</h2>
                        <dl>{rows.collect_view()}</dl>
                    </section>
                }
            })
            .collect_view()
    };
    view! {
        <div class="keys">{groups}</div>
        <label class="check">
            <input
                type="checkbox"
                prop:checked=move || page.has_letters.get()
                on:change=move |_| page.has_letters.update(|on| *on = !*on)
            />
            {page.word(Word::LettersOn)}
        </label>
    }
}

#[component]
fn Paste() -> impl IntoView {
    let page = Page::get();
    let field = NodeRef::<Textarea>::new();
    Effect::new(move |_| {
        if let Some(field) = field.get() {
            // A field that is on the page takes the focus.
            let _ = field.focus();
        }
    });
    let open = move || {
        let text = field.get().map(|field| field.value()).unwrap_or_default();
        if !text.trim().is_empty() {
            page.open_text(text);
        }
    };
    view! {
        <h2>{page.word(Word::PasteHead)}</h2>
        <textarea
            id="paste"
            node_ref=field
            class="mono"
            rows="6"
            spellcheck="false"
            aria-label=page.word(Word::PasteHere)
        ></textarea>
        <div class="line">
            <button class="solid" on:click=move |_| open()>{page.word(Word::ShowMe)}</button>
            <span class="soft small">{page.word(Word::NothingUploaded)}</span>
        </div>
    }
}

/// Finds parts of the figure by their names and points at them.
#[component]
fn Find() -> impl IntoView {
    let page = Page::get();
    let wanted = RwSignal::new(String::new());
    let field = NodeRef::<Input>::new();
    Effect::new(move |_| {
        if let Some(field) = field.get() {
            // A field that is on the page takes the focus.
            let _ = field.focus();
        }
    });
    let found = move || {
        // Names of Kubernetes are ASCII, and no other script here has small letters.
        let wanted = wanted.get().to_ascii_lowercase();
        let scene = page.scene.get();
        let parts = scene
            .map(|scene| scene.figure.parts.clone())
            .unwrap_or_default()
            .into_iter();
        let labelled = parts.filter(|part| !part.label.is_empty());
        let matching = labelled
            .filter(|part| !wanted.is_empty() && part.label.to_ascii_lowercase().contains(&wanted));
        matching
            .take(8)
            .map(|part| {
                let link = part.links.first().cloned();
                let action = part.action.clone();
                view! {
                    <li>
                        <button
                            class="link"
                            on:focus=move |_| page.hot.set(link.clone())
                            on:click=move |_| {
                                if let Some(action) = &action {
                                    page.act(action);
                                }
                            }
                        >
                            {part.label}
                        </button>
                    </li>
                }
            })
            .collect_view()
    };
    view! {
        <input
            node_ref=field
            class="mono"
            aria-label=page.word(Word::Find)
            on:input:target=move |event| wanted.set(event.target().value())
        />
        <ul class="found">{found}</ul>
    }
}

#[component]
fn Unsupported() -> impl IntoView {
    let page = Page::get();
    let rows = move || {
        let run = page.run.get();
        let warnings = run.map(|run| run.warnings.clone()).unwrap_or_default();
        let rows = warnings.into_iter();
        rows.map(|wrong| wrong_row(page, wrong)).collect_view()
    };
    let more = move || {
        let more = page.run.get().map_or(0, |run| run.more_warnings);
        (more > 0).then(|| view! { <p class="soft">{more}" "{page.say(Word::More)}</p> })
    };
    view! {
        <h2>{page.word(Word::Unsupported)}</h2>
        <ul class="wrongs">{rows}</ul>
        {more}
    }
}

/// One thing that is wrong or left out, at its place.
pub fn wrong_row(page: Page, wrong: Wrong) -> impl IntoView {
    let lang = page.lang.get();
    let (path, message) = (wrong.path.words(lang), wrong.message.words(lang));
    let (path, message) = (path.to_owned(), message.to_owned());
    let place = match wrong.line {
        0 => wrong.source,
        line => format!("{}:{line}:{}", wrong.source, wrong.column),
    };
    view! {
        <li>
            <code>{place}</code>
            <code class="path">{path}</code>
            <span>{message}</span>
        </li>
    }
}
