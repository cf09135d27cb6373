//! The first screen and a first touch need nothing but the files that are weighed for them.

use berth_tests::page::{Keys, Looks};

use crate::visit::visit_without_rest;

#[test]
fn the_first_screen_steps_without_the_rest_of_the_worker() {
    for looks in [Looks::DESK, Looks::PHONE] {
        visit_without_rest(looks, |visit| {
            let first = visit.moment()?;
            visit.browser.press(Keys::RIGHT)?;
            let next = visit.moment_after(first)?;
            assert!(next > first, "{next} after {first}");
            visit.browser.press(Keys::LEFT)?;
            assert_eq!(visit.moment_after(next)?, first);
            Ok(())
        });
    }
}

#[test]
fn without_the_rest_of_the_worker_the_page_says_what_is_wrong() {
    visit_without_rest(Looks::DESK, |visit| {
        visit.turn_to(
            "example=preemption-101",
            "document.querySelector('.trouble')",
        )
    });
}
