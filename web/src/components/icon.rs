//! The few signs of the page, as paths in a square of 16.

use leptos::prelude::*;

/// A sign.
#[component]
pub fn Icon(
    /// Its name; an unknown one draws nothing.
    name: &'static str,
) -> impl IntoView {
    let (line, solid) = paths(name);
    view! {
        <svg class="icon" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
            <path d=line class="icon-line"></path>
            <path d=solid class="icon-solid"></path>
        </svg>
    }
}

/// What is stroked, and what is filled.
fn paths(name: &str) -> (&'static str, &'static str) {
    match name {
        "play" => ("", "M4 2.5l9.5 5.5L4 13.5z"),
        "pause" => ("", "M3.5 2.5h3v11h-3zM9.5 2.5h3v11h-3z"),
        "back" => ("M3.5 3v10M12.5 3.5L6 8l6.5 4.5z", ""),
        "event" => ("M12.5 3v10M3.5 3.5L10 8l-6.5 4.5z", ""),
        "cycle" => ("M14 3v10M2 3.5L7 8l-5 4.5zM7.5 3.5L12.5 8l-5 4.5z", ""),
        "file" => ("M1.5 12.5v-10h4.5l1.5 2h7v8z", ""),
        "edit" => ("M2.5 13.5l.8-3.4 7.4-7.4 2.6 2.6-7.4 7.4z", ""),
        "share" => ("M3 8.5v5h10v-5M8 10.5v-8M5 5.2l3-3 3 3", ""),
        "moon" => ("M12.8 9.6A5.4 5.4 0 1 1 6.6 3a4.4 4.4 0 0 0 6.2 6.6z", ""),
        "sun" => (
            "M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6M8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M3.4 12.6l.7-.7M11.9 4.1l.7-.7",
            "",
        ),
        "threads" => (
            "M1 8h4c3 0 2-4 5-4M5 8c3 0 2 4 5 4",
            "M10 2h4v4h-4zM10 10h4v4h-4z",
        ),
        "more" => ("", "M2 6.5h3v3h-3zM6.5 6.5h3v3h-3zM11 6.5h3v3h-3z"),
        "close" => ("M4 4l8 8M12 4l-8 8", ""),
        _ => ("", ""),
    }
}
