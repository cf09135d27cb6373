//! What every page asks at once, and what a first touch asks: the messages by which `.ci/split.mjs` finds out which functions
//! of the worker everybody waits for.

use berth_core::picture::scene::View;

use crate::protocol::{Frame, Target, ToWorker};
use crate::state::FIRST;

/// The messages, in order; each is answered before the next is sent.
pub(super) fn messages() -> Vec<ToWorker> {
    let mut messages = vec![
        show(DESK, View::Story),
        ToWorker::Example {
            name: FIRST.to_owned(),
            fields: "v=open".to_owned(),
        },
    ];
    messages.extend(CANVASES.map(|canvas| show(canvas, View::Open)));
    for canvas in CANVASES {
        // Whoever steps or plays leaves the first screen for the story, watches some cycles, and goes back.
        messages.push(show(canvas, View::Story));
        messages.extend((0..PLAYED).map(|_| seek(Target::Event { by: 1 })));
        messages.push(seek(Target::Event { by: -1 }));
        messages.push(seek(Target::Cycle { by: -1 }));
        messages.push(seek(Target::Failure { is_back: true }));
    }
    messages
}

fn show((width, height): (i32, i32), view: View) -> ToWorker {
    ToWorker::Show {
        frame: Frame {
            view,
            width,
            height,
            ..Frame::default()
        },
    }
}

const fn seek(target: Target) -> ToWorker {
    ToWorker::Seek { target }
}

/// Width and height of a canvas on a desk.
const DESK: (i32, i32) = (1440, 900);
/// A canvas of every form, and some that are lower or higher than usual.
const CANVASES: [(i32, i32); 8] = [
    DESK,
    (1280, 720),
    (1920, 1080),
    (2560, 1440),
    (1024, 768),
    (768, 1024),
    (390, 844),
    (360, 640),
];
const PLAYED: usize = 60;
