//! Mounts the worker, in which the core runs.

fn main() {
    berth_web::engine::listen();
}
