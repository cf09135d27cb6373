//! From opening to sharing by keyboard alone: no script touches the page but to read it.

use berth_tests::page::{Keys, Looks};

use crate::visit::visit;

#[test]
fn steps_go_on_and_back() {
    visit(Looks::DESK, |visit| {
        let first = visit.moment()?;
        visit.browser.press(Keys::RIGHT)?;
        let second = visit.moment_after(first)?;
        visit.browser.press(Keys::LEFT)?;
        assert_eq!(visit.moment_after(second)?, first);
        visit.browser.press(Keys::END)?;
        let end = visit.moment_after(first)?;
        visit.browser.press(Keys::HOME)?;
        let start = visit.moment_after(end)?;
        visit.browser.press("f")?;
        let failure = visit.moment_after(start)?;
        assert!(failure <= first, "the page begins at a failure");
        visit.browser.press_with(Keys::SHIFT, Keys::RIGHT)?;
        let cycle = visit.moment_after(failure)?;
        assert!(cycle > failure);
        visit.browser.press("?")?;
        visit.browser.wait_for("document.querySelector('.keys')")?;
        visit.browser.press(Keys::ESCAPE)?;
        visit.browser.wait_for("!document.querySelector('.keys')")?;
        visit.is_quiet()
    });
}

#[test]
fn everything_can_be_done_without_a_pointer() {
    for looks in [Looks::DESK, Looks::PHONE] {
        visit(looks, |visit| {
            let browser = &visit.browser;
            // Paste a cluster into the place for it.
            visit.tab_to(".paste, .ways-in button")?;
            browser.press(Keys::ENTER)?;
            browser.wait_for("document.activeElement?.matches('.strip textarea')")?;
            browser.write(CLUSTER)?;
            visit.tab_to(".strip .solid")?;
            browser.press(Keys::ENTER)?;
            visit.shows("pasted.yaml")?;
            let failed = visit.sentence()?;
            assert!(failed.contains("fits on no node"), "{failed}");
            // Play, stop, and open a cell of the matrix.
            let before = visit.moment()?;
            visit.tab_to(".play")?;
            browser.press(Keys::ENTER)?;
            visit.moment_after(before)?;
            browser.press(Keys::ENTER)?;
            browser.press_with(Keys::SHIFT, "f")?;
            browser.press("w")?;
            browser.wait_for(
                "document.querySelector('svg.figure [data-role=verdict][data-acts=yes]')",
            )?;
            visit.tab_to("svg.figure [data-role=berth]")?;
            for _ in 0..20 {
                browser.press(Keys::DOWN)?;
                if browser.run("return document.activeElement.matches('[data-role=verdict]')")?
                    == true
                {
                    break;
                }
            }
            browser.press(Keys::ENTER)?;
            browser.wait_for("document.querySelector('svg.figure [data-role=chain]')")?;
            browser.press(Keys::ESCAPE)?;
            browser.wait_for("!document.querySelector('svg.figure [data-role=chain]')")?;
            // An error in the text, and back.
            browser.press("e")?;
            browser.wait_for("document.querySelector('#yaml')?.value.length > 60")?;
            visit.tab_to("#yaml")?;
            browser.press_with(Keys::CONTROL, Keys::HOME)?;
            browser.write("nonsense: [")?;
            browser.wait_for("document.querySelector('.fault')")?;
            browser.press(Keys::ESCAPE)?;
            browser.wait_for("document.querySelector('main.stage')")?;
            // A link.
            visit.tab_to(".masthead [aria-expanded]")?;
            browser.press(Keys::ENTER)?;
            browser.wait_for("document.querySelector('#link')?.value.length > 100")?;
            visit.is_quiet()
        });
    }
}

/// As short as a hand types it: a pod that fits nowhere, and two that do.
const CLUSTER: &str = "\
apiVersion: v1
kind: Node
metadata: {name: north}
status: {allocatable: {cpu: '2', memory: 4Gi, pods: '9'}}
---
apiVersion: v1
kind: Node
metadata: {name: south}
status: {allocatable: {cpu: '2', memory: 4Gi, pods: '9'}}
---
apiVersion: v1
kind: Pod
metadata: {name: large}
spec: {containers: [{name: main, image: main, resources: {requests: {cpu: '3'}}}]}
---
apiVersion: v1
kind: Pod
metadata: {name: small}
spec: {containers: [{name: main, image: main, resources: {requests: {cpu: '1'}}}]}
---
apiVersion: v1
kind: Pod
metadata: {name: smaller}
spec: {containers: [{name: main, image: main, resources: {requests: {cpu: 500m}}}]}
";
