//! A program without std that links the core. It need not do much: if anything below the core pulled std in,
//! the two panic handlers would meet and the build would fail.

#![no_std]
#![no_main]

extern crate alloc;

use core::alloc::{GlobalAlloc, Layout};
use core::cell::UnsafeCell;
use core::ffi::c_int;
use core::panic::PanicInfo;
use core::ptr::null_mut;

/// Hands out memory from one block and takes none back.
struct Bump(UnsafeCell<State>);

struct State {
    used: usize,
    block: [u8; BLOCK_BYTES],
}

const BLOCK_BYTES: usize = 1 << 20;

// SAFETY: the program has one thread.
unsafe impl Sync for Bump {}

// SAFETY: blocks do not overlap, since `used` only grows, and each is aligned as asked.
unsafe impl GlobalAlloc for Bump {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let state = self.0.get();
        // SAFETY: one thread, and no reference to the state outlives this call.
        unsafe {
            let base = (&raw mut (*state).block).cast::<u8>();
            let start =
                (base.addr() + (*state).used).next_multiple_of(layout.align()) - base.addr();
            let Some(end) = start
                .checked_add(layout.size())
                .filter(|end| *end <= BLOCK_BYTES)
            else {
                return null_mut();
            };
            (*state).used = end;
            base.add(start)
        }
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

#[global_allocator]
static ALLOCATOR: Bump = Bump(UnsafeCell::new(State {
    used: 0,
    block: [0; BLOCK_BYTES],
}));

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    loop {}
}

/// Rust's own libraries were compiled for unwinding and name the function that would do it. Nothing calls it.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}

// The C library starts the program and brings what memory is copied and compared with.
#[link(name = "c")]
unsafe extern "C" {}

/// Exits with 0 when the core answered.
#[unsafe(no_mangle)]
extern "C" fn main(_: c_int, _: *const *const u8) -> c_int {
    c_int::from(berth_core::KUBERNETES_VERSION.is_empty())
}
