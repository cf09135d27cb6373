//! What takes its time, how far it is, and a way to stop it.

use leptos::prelude::*;

use crate::i18n::Word;
use crate::protocol::Work;
use crate::state::Busy;

use super::Page;
use super::live::piece;

/// What the header says while the worker reads or runs.
#[component]
pub fn BusyBar() -> impl IntoView {
    let page = Page::get();
    let words = move |busy: Busy| {
        let what = page.say(match busy.work {
            Work::Reading => Word::Reading,
            Work::Running => Word::Running,
        });
        match (busy.work, busy.hundredths()) {
            (_, Some(share)) => format!("{what}: {share} %"),
            (Work::Reading, None) => what.to_owned(),
            (Work::Running, None) => format!("{what}: {}", busy.done),
        }
    };
    piece(move || {
        let Some(busy) = page.busy.get() else {
            return ().into_any();
        };
        view! {
            <div class="busy" role="status">
                <span>{words(busy)}</span>
                <progress max="100" value=busy.hundredths().map(|share| share.to_string())></progress>
                <button class="outlined" on:click=move |_| page.cancel()>{page.say(Word::Cancel)}</button>
            </div>
        }
        .into_any()
    })
}
