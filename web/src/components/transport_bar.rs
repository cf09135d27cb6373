//! Time by hand: play, pause, steps, speed, and the axis.

use leptos::prelude::*;

use crate::i18n::Word;
use crate::protocol::Target;
use crate::stage::decimal::Decimal;
use crate::transport::{clock, next_speed};

use super::live::{piece, text};
use super::{AxisView, Icon, Page};

/// The bar at the foot of the page.
#[component]
pub fn TransportBar() -> impl IntoView {
    let page = Page::get();
    view! {
        <section class="transport" aria-label=page.word(Word::Controls)>
            <div class="buttons">
                <StepButton icon="back" word=Word::StepBack target=Target::Event { by: -1 }/>
                <PlayButton/>
                <StepButton icon="event" word=Word::NextEvent target=Target::Event { by: 1 } text=Word::Event/>
                <span class="wide-only">
                    <StepButton icon="cycle" word=Word::NextCycle target=Target::Cycle { by: 1 } text=Word::Cycle/>
                </span>
            </div>
            <Slider/>
            <div class="pace">
                <SpeedButton/>
                <Clock/>
            </div>
        </section>
    }
}

#[component]
fn PlayButton() -> impl IntoView {
    let page = Page::get();
    let label = text(move || {
        page.say(if page.is_playing.get() {
            Word::Pause
        } else {
            Word::Play
        })
    });
    view! {
        <button class="play" id="play" aria-label=label on:click=move |_| page.toggle_play()>
            {piece(move || {
                let name = if page.is_playing.get() { "pause" } else { "play" };
                view! { <Icon name/> }.into_any()
            })}
        </button>
    }
}

#[component]
fn StepButton(
    icon: &'static str,
    word: Word,
    target: Target,
    #[prop(optional)] text: Option<Word>,
) -> impl IntoView {
    let page = Page::get();
    let class = if text.is_some() {
        "quiet step"
    } else {
        "quiet square step"
    };
    view! {
        <button class=class aria-label=page.word(word) on:click=move |_| page.step(target)>
            <Icon name=icon/>
            {text.map(|text| view! { <span class="word">{page.word(text)}</span> })}
        </button>
    }
}

/// The axis as something that takes keys and is read out.
#[component]
fn Slider() -> impl IntoView {
    let page = Page::get();
    let most = move || page.run.get().map_or(0, |run| run.moments).to_string();
    let value = move || page.now.get().moment.to_string();
    let place = move || {
        let now = page.now.get();
        let cycles = page.run.get().map_or(0, |run| run.cycles.len());
        format!(
            "{} {} / {cycles}, {}",
            page.say(Word::Cycle),
            now.cycle,
            clock(now.micros)
        )
    };
    view! {
        <div class="slider">
            <div
                class="thumb"
                id="slider"
                role="slider"
                tabindex="0"
                aria-label=page.word(Word::Timeline)
                aria-valuemin="0"
                aria-valuemax=text(most)
                aria-valuenow=text(value)
                aria-valuetext=text(place)
            ></div>
            <AxisView/>
        </div>
    }
}

/// How fast time passes.
#[component]
pub fn SpeedButton() -> impl IntoView {
    let page = Page::get();
    let change = move |is_faster| {
        page.speed
            .update(|speed| *speed = next_speed(*speed, is_faster))
    };
    view! {
        <div class="speed" role="group" aria-label=page.word(Word::Speed)>
            <button class="quiet" aria-label=page.word(Word::Slower) on:click=move |_| change(false)>"−"</button>
            <span class="speed-now">
                {text(move || format!("{}×", Decimal(page.speed.get())))}
                <span class="word">" "{page.word(Word::Speed)}</span>
            </span>
            <button class="quiet" aria-label=page.word(Word::Faster) on:click=move |_| change(true)>"+"</button>
        </div>
    }
}

#[component]
fn Clock() -> impl IntoView {
    let page = Page::get();
    let word = text(move || {
        page.say(if page.is_playing.get() {
            Word::SimulatedTime
        } else {
            Word::Paused
        })
    });
    view! {
        <div class="clock">
            <b>{text(move || clock(page.now.get().micros))}</b>
            <span class="soft small wide-only">{word}</span>
        </div>
    }
}
