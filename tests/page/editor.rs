//! The editor where a person would be lost: errors out of sight, and a text that is typed while something else is opened.

use core::time::Duration;

use berth_tests::page::Looks;

use crate::stories::replace;
use crate::visit::{digest_of_shop, shop, visit};

#[test]
fn an_error_is_led_to_where_it_stands() {
    visit(Looks::DESK, |visit| {
        let browser = &visit.browser;
        // What is wrong stands far to the right of a long line, in what is seen of the field.
        const IS_SEEN: &str = "(() => { const word = document.querySelector('.squiggle')?.getBoundingClientRect();\
             const field = document.querySelector('#yaml').getBoundingClientRect();\
             return word && word.left >= field.left && word.right <= field.right && word.top >= field.top && word.bottom <= field.bottom; })()";
        visit.go("#example=spread-zones&v=story")?;
        browser.press("e")?;
        browser.wait_for("document.querySelector('#yaml')?.value.startsWith('apiVersion: v1')")?;
        replace(browser, "/(requests: \\{cpu: )[^,}\\n]*/", "$11x")?;
        browser.wait_for("document.querySelector('.fault')")?;
        browser.wait_for(IS_SEEN)?;
        // A quote that is not closed is found where the next one stands: outside of the object, in the whole file.
        browser.tap("#undo")?;
        browser.wait_for("!document.querySelector('.fault')")?;
        replace(browser, "/maxSkew: 1/", "maxSkew: \"1")?;
        browser.wait_for("document.querySelector('.fault')")?;
        let place = browser.text("return document.querySelector('.fault b').textContent")?;
        let line: usize = place
            .split([' ', ','])
            .find_map(|word| word.parse().ok())
            .expect("a line is named");
        let last = browser.text(
            "return [...document.querySelectorAll('.gutter')].pop().textContent.trim().split('\\n').pop()",
        )?;
        let last: usize = last.parse().expect("lines have numbers");
        assert!(last < line, "{place} lies behind line {last}");
        browser.tap(".fault")?;
        browser
            .wait_for("document.querySelector('#whole').getAttribute('aria-pressed') === 'true'")?;
        let cursor = format!(
            "(field => field.value.slice(0, field.selectionStart).split('\\n').length === {line})(document.querySelector('#yaml'))"
        );
        browser.wait_for(&cursor)?;
        browser.wait_for(
            "(bad => { const field = document.querySelector('#yaml').getBoundingClientRect(), at = bad?.getBoundingClientRect();\
             return bad && at.top >= field.top && at.bottom <= field.bottom; })(document.querySelector('.paint .bad'))",
        )?;
        visit.is_quiet()
    });
}

#[test]
fn what_was_typed_just_before_a_file_is_dropped_does_not_come_after_it() {
    visit(Looks::DESK, |visit| {
        let browser = &visit.browser;
        visit.go("#example=spread-zones&v=story")?;
        visit.edit_all()?;
        let text = serde_json::json!(std::fs::read_to_string(shop())?);
        browser.run(&format!(
            "const field = document.querySelector('#yaml'); field.value = field.value.replace('maxSkew: 1', 'maxSkew: 3');\
             field.dispatchEvent(new Event('input', {{bubbles: true}}));\
             const data = new DataTransfer(); data.items.add(new File([{text}], 'dropped.yaml'));\
             document.body.dispatchEvent(new DragEvent('drop', {{bubbles: true, cancelable: true, dataTransfer: data}}))"
        ))?;
        visit.shows("dropped.yaml")?;
        let digest = visit.digest()?;
        assert_eq!(digest, digest_of_shop());
        // Longer than anybody waits for a pause in typing.
        browser.let_pass(Duration::from_secs(1));
        visit.settle()?;
        visit.shows("dropped.yaml")?;
        assert_eq!(visit.digest()?, digest);
        // A file that cannot be read leaves what was typed: it runs.
        visit.go("#example=spread-zones&v=story")?;
        visit.edit_all()?;
        let before = visit.digest()?;
        browser.run(
            "const field = document.querySelector('#yaml'); field.value = field.value.replace('maxSkew: 1', 'maxSkew: 3');\
             field.dispatchEvent(new Event('input', {bubbles: true}));\
             const data = new DataTransfer(); data.items.add(new File(['a: ['], 'broken.yaml'));\
             document.body.dispatchEvent(new DragEvent('drop', {bubbles: true, cancelable: true, dataTransfer: data}))",
        )?;
        browser.wait_for("document.querySelector('.trouble .wrongs li')")?;
        browser.tap(".trouble .solid")?;
        browser.wait_for(&format!(
            "document.querySelector('#digest') && document.querySelector('#digest').textContent !== '{before}'"
        ))?;
        visit.is_quiet()
    });
}
