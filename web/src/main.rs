//! Mounts the page.

fn main() {
    berth_web::app::mount();
}
