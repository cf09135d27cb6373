//! Mounts the page.

use berth_web as _;

fn main() {}
