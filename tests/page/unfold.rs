//! Groups of nodes that open in place.

use berth_tests::page::{Keys, Looks};

use crate::visit::visit;

#[test]
fn a_folded_group_opens_in_place_in_a_hand() {
    visit(Looks::PHONE, |visit| {
        let browser = &visit.browser;
        const GROUPS: &str = "svg.figure [data-role=group]";
        const TOPS: &str = "return [...document.querySelectorAll('svg.figure [data-role=group] .target')].map(one => one.getBBox().y)";
        let names = || {
            browser.run(
                "return [...document.querySelectorAll('svg.figure [data-id^=\"node/\"] text.mono')].map(one => one.textContent)",
            )
        };
        visit.go("#example=fleet-120&v=story")?;
        let small = browser.run(
            "return [...document.querySelectorAll('svg.figure [data-role=group] .target')].map(one => one.getBoundingClientRect()).filter(at => at.width < 44 || at.height < 44).length",
        )?;
        assert_eq!(small, 0, "a finger needs 44 px");
        let closed = browser.run(TOPS)?;
        // Its nodes stand below it, nearest first; what is below them moves down.
        browser.tap(GROUPS)?;
        browser.wait_for("document.querySelector('svg.figure [data-id^=\"open/\"]')")?;
        visit.settle()?;
        let open = browser.run(TOPS)?;
        assert_eq!(open[0], closed[0], "what is opened stays");
        assert!(open[1].as_f64() > closed[1].as_f64(), "{closed} {open}");
        let three = names()?;
        assert_eq!(three.as_array().map(Vec::len), Some(3), "{three}");
        let said = browser.text(
            "return document.querySelector('svg.figure [data-id^=\"open/\"][data-acts=yes]').textContent.trim()",
        )?;
        assert_eq!(said, "87 more");
        let is_seen = "(at => at && at.bottom <= document.querySelector('.scroll').getBoundingClientRect().bottom + 1)\
             (document.querySelector('svg.figure [data-id^=\"open/\"][data-acts=yes]')?.getBoundingClientRect())";
        browser.wait_for(is_seen)?;
        // At most one is open.
        browser.run("document.querySelectorAll('svg.figure [data-role=group]')[1].dispatchEvent(new MouseEvent('click', {bubbles: true}))")?;
        browser.wait_for(
            "document.querySelectorAll('svg.figure [data-role=group]')[1].getAttribute('aria-expanded') === 'true'",
        )?;
        visit.settle()?;
        assert_eq!(
            browser.run(
                "return document.querySelectorAll('svg.figure [aria-expanded=true]').length"
            )?,
            1
        );
        browser.press(Keys::ESCAPE)?;
        browser.wait_for("!document.querySelector('svg.figure [data-id^=\"open/\"]')")?;
        visit.settle()?;
        assert_eq!(browser.run(TOPS)?, closed);
        // By keyboard: the group, its rest, and closed again.
        visit.tab_to(GROUPS)?;
        browser.press(Keys::ENTER)?;
        browser.wait_for("document.querySelector('svg.figure [data-id^=\"open/\"]')")?;
        assert_eq!(names()?, three);
        visit.tab_to("svg.figure [data-id^='open/']")?;
        browser.press(Keys::ENTER)?;
        browser.wait_for(
            "document.querySelectorAll('svg.figure [data-id^=\"node/\"]').length === 90",
        )?;
        let all = names()?;
        assert_eq!(
            all.as_array().map(|all| all[..3].to_vec()),
            three.as_array().cloned()
        );
        browser.press(Keys::ESCAPE)?;
        browser.wait_for("!document.querySelector('svg.figure [data-id^=\"open/\"]')")?;
        // As text.
        browser.press("x")?;
        visit.tab_to(GROUPS)?;
        browser.press(Keys::ENTER)?;
        browser.wait_for("/2 Gi short|memory-0/.test([...document.querySelectorAll('#twin section')].pop()?.textContent)")?;
        visit.is_quiet()
    });
}
