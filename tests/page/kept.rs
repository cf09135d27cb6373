//! What was dropped, pasted or edited is not lost within its tab, and what a link or a title says is true.

use berth_tests::page::{Keys, Looks};

use crate::stories::replace;
use crate::visit::{Visit, shop, visit};

/// Loads the page anew, as F5 does, and waits until it shows something.
fn reload(visit: &Visit, condition: &str) -> std::io::Result<()> {
    visit
        .browser
        .run("window.isOld = true; location.reload()")?;
    visit
        .browser
        .wait_for(&format!("!window.isOld && ({condition})"))
}

const HAS_DIGEST: &str = "document.querySelector('#digest')?.textContent";

#[test]
fn an_edit_outlives_the_gallery_and_a_reload() {
    visit(Looks::DESK, |visit| {
        let browser = &visit.browser;
        visit.go("#example=spread-or-pack&v=story")?;
        let original = visit.digest()?;
        visit.edit_all()?;
        replace(browser, "/MostAllocated/", "LeastAllocated")?;
        browser.wait_for(&format!("{HAS_DIGEST} !== '{original}'"))?;
        let edited = visit.digest()?;
        let is_edited = format!("{HAS_DIGEST} === '{edited}'");
        browser.press(Keys::ESCAPE)?;
        visit.turn_to("gallery", "document.querySelector('.gallery li')")?;
        browser.run("history.back()")?;
        browser.wait_for(&format!(
            "{is_edited} && document.querySelector('svg.figure [data-id]')"
        ))?;
        reload(visit, &is_edited)?;
        // The browser's own way back leads to what was edited.
        browser.run("history.back()")?;
        browser.wait_for(&format!("{HAS_DIGEST} === '{original}'"))?;
        // A text with errors comes back to be mended.
        browser.run("history.forward()")?;
        browser.wait_for(&is_edited)?;
        visit.edit_all()?;
        replace(browser, "/LeastAllocated/", "SomeAllocated")?;
        browser.wait_for("document.querySelector('.fault')")?;
        reload(visit, "document.querySelector('.fault')")?;
        replace(browser, "/SomeAllocated/", "LeastAllocated")?;
        browser.wait_for(&is_edited)?;
        visit.is_quiet()
    });
}

#[test]
fn a_dropped_file_outlives_the_gallery_and_a_reload() {
    visit(Looks::DESK, |visit| {
        let browser = &visit.browser;
        visit.drop_file(&shop())?;
        visit.shows("cluster.yaml")?;
        let digest = visit.digest()?;
        let is_there = format!("{HAS_DIGEST} === '{digest}'");
        visit.turn_to("example=three-queues", &format!("!({is_there})"))?;
        browser.run("history.back()")?;
        browser.wait_for(&is_there)?;
        reload(visit, &is_there)?;
        visit.shows("cluster.yaml")?;
        // Another tab does not have it, and says so.
        browser.run("sessionStorage.clear()")?;
        reload(visit, "document.querySelector('.trouble .wrong')")?;
        let told = browser.text("return document.querySelector('.trouble').textContent")?;
        assert!(told.contains("not in this tab"), "{told}");
        visit.is_quiet()
    });
}

#[test]
fn two_files_are_one_cluster() {
    visit(Looks::DESK, |visit| {
        const NODE: &str = "apiVersion: v1\\nkind: Node\\nmetadata: {name: north}\\nstatus: {allocatable: {cpu: \"2\", memory: 4Gi, pods: \"9\"}}";
        const POD: &str = "apiVersion: v1\\nkind: Pod\\nmetadata: {name: large}\\nspec: {containers: [{name: main, image: main, resources: {requests: {cpu: \"3\"}}}]}";
        visit.browser.run(&format!(
            "const data = new DataTransfer(); data.items.add(new File(['{NODE}'], 'nodes.yaml')); data.items.add(new File(['{POD}'], 'pods.yaml'));\
             window.dispatchEvent(new DragEvent('drop', {{dataTransfer: data, bubbles: true, cancelable: true}}))"
        ))?;
        visit.shows("nodes.yaml + pods.yaml")?;
        let said = visit.sentence()?;
        assert!(
            said.contains("large") && said.contains("fits on no node"),
            "{said}"
        );
        visit.is_quiet()
    });
}

#[test]
fn a_link_beside_a_text_with_errors_says_of_what_it_is() {
    visit(Looks::DESK, |visit| {
        let browser = &visit.browser;
        visit.go("#example=spread-or-pack&v=story")?;
        visit.edit_all()?;
        replace(browser, "/MostAllocated/", "SomeAllocated")?;
        browser.wait_for("document.querySelector('.fault')")?;
        browser.tap(".masthead .outlined")?;
        browser.wait_for("document.querySelector('#link')?.value.length > 100")?;
        let told = browser.text("return document.querySelector('.last-good-link').textContent")?;
        assert!(told.contains("last good version"), "{told}");
        // The link of what is mended is made anew.
        replace(browser, "/SomeAllocated/", "LeastAllocated")?;
        browser.wait_for(
            "!document.querySelector('.last-good-link') && document.querySelector('#link')?.value.length > 100",
        )
    });
}

#[test]
fn a_link_without_a_moment_says_so_and_one_with_white_space_opens() {
    visit(Looks::DESK, |visit| {
        let browser = &visit.browser;
        for time in ["-5", "1e99", "NaN"] {
            visit.go(&format!("#example=shop&v=story&t={time}"))?;
            let said = visit.sentence()?;
            assert!(said.contains("fits on no node"), "{time}: {said}");
            browser.tap(".scenario .link")?;
            let told = browser.text("return document.querySelector('.wrongs').textContent")?;
            assert!(told.contains(&format!("t={time}")), "{told}");
        }
        visit.go("#example=three-queues&v=story")?;
        let digest = visit.digest()?;
        browser.tap(".masthead .outlined")?;
        browser.wait_for("document.querySelector('#link')?.value.length > 100")?;
        let link = browser.text("return document.querySelector('#link').value")?;
        let (_, fragment) = link.split_once('#').unwrap_or_default();
        let (head, tail) = fragment.split_at(60);
        visit.go(&format!("#{head}%20%0A{tail}"))?;
        assert_eq!(visit.digest()?, digest);
        visit.is_quiet()
    });
}

#[test]
fn the_theme_and_the_name_of_the_tab_are_kept() {
    visit(Looks::DESK, |visit| {
        let browser = &visit.browser;
        visit.go("?lang=en&theme=light#example=shop&v=story")?;
        browser.wait_for("document.querySelector('.scenario b')?.textContent")?;
        let title = browser.text("return document.querySelector('.scenario b').textContent")?;
        assert_eq!(
            browser.text("return document.title")?,
            format!("{title} · Berth")
        );
        browser.press("t")?;
        browser.tap(".language")?;
        browser.wait_for("document.documentElement.lang === 'zh-CN'")?;
        reload(
            visit,
            "document.documentElement.lang === 'zh-CN' && document.documentElement.dataset.theme === 'dark' && document.querySelector('.scenario b')?.textContent",
        )?;
        browser.tap(".brand")?;
        browser.wait_for("document.title.startsWith('Berth：')")?;
        visit.is_quiet()
    });
}

#[test]
fn what_was_guessed_is_marked_no_longer_than_its_moment_is_shown() {
    const IS_DIMMED: &str = "document.querySelector('.dimming')";
    visit(Looks::DESK, |visit| {
        let browser = &visit.browser;
        const GUESS: &str = "[...document.querySelectorAll('.guesses .outlined')].find(guess => guess.textContent.includes('neighbours'))";
        browser.run(&format!("{GUESS}.click()"))?;
        browser.wait_for(IS_DIMMED)?;
        browser.tap("#show-me")?;
        browser.wait_for(&format!(
            "document.querySelector('.view-why [data-role=verdict]') && !{IS_DIMMED}"
        ))?;
        visit.go("")?;
        browser.run(&format!("{GUESS}.click()"))?;
        browser.wait_for(IS_DIMMED)?;
        for key in ["1", "f", "2"] {
            browser.press(key)?;
        }
        browser.wait_for(&format!(
            "document.querySelector('.view-everything svg.figure [data-id]') && !{IS_DIMMED}"
        ))?;
        visit.is_quiet()
    });
}

#[test]
fn keys_lead_back_from_where_they_lead() {
    visit(Looks::DESK, |visit| {
        let browser = &visit.browser;
        // Without letters the list of the keys still opens.
        browser.press("?")?;
        browser.wait_for("document.querySelector('.check input')")?;
        browser.tap(".check input")?;
        browser.press(Keys::ESCAPE)?;
        browser.press("?")?;
        browser.wait_for("document.querySelector('.check input')?.checked === false")?;
        browser.tap(".check input")?;
        browser.press(Keys::ESCAPE)?;
        browser.wait_for("!document.querySelector('.keys')")?;
        // The text is where one looks.
        browser.press("2")?;
        browser.wait_for("document.querySelector('.view-everything svg.figure [data-id]')")?;
        browser.press("x")?;
        browser.wait_for(
            "document.activeElement?.id === 'twin' && document.querySelector('#twin h2').getBoundingClientRect().bottom < innerHeight - 138",
        )?;
        browser.press("x")?;
        // Nobody has had a turn: why is about the next pod that fails.
        browser.press(Keys::HOME)?;
        browser.wait_for(
            "document.querySelector('#slider').getAttribute('aria-valuetext').includes(' 0 /')",
        )?;
        browser.press("w")?;
        browser.wait_for("document.querySelector('.view-why svg.figure [data-role=chain]')")?;
        browser
            .wait_for("document.querySelector('.said').textContent.includes('fits on no node')")?;
        visit.is_quiet()
    });
}

#[test]
fn a_page_at_twice_its_size_has_room_for_everything() {
    let mut faults: Vec<String> = Vec::new();
    visit(Looks::DESK, |visit| {
        for (width, height) in [(720, 450), (960, 540), (768, 1024), (1024, 768)] {
            visit.browser.look(Looks::of(width, height))?;
            for view in ["story", "everything", "why"] {
                visit.go(&format!("?lang=en#example=shop&v={view}"))?;
                visit.settle()?;
                let found = visit.browser.run(CROWDED_TIME)?;
                for fault in found.as_array().into_iter().flatten() {
                    faults.push(format!("{view} at {width}x{height}: {fault}"));
                }
            }
        }
        Ok(())
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// What lies on the time axis, or outside of the window, as sentences.
const CROWDED_TIME: &str = "
const faults = [];
if (document.documentElement.scrollHeight > innerHeight + 1) faults.push('the page scrolls as a whole');
const box = found => found.getBoundingClientRect();
const meet = (one, two) => one.left < two.right && two.left < one.right && one.top < two.bottom && two.top < one.bottom;
const bar = document.querySelector('.transport');
if (box(bar).bottom > innerHeight + 1) faults.push('the time ends below the window');
const drawn = [...document.querySelectorAll('.axis-panel :is(path, rect, circle, line, text):not(.target)')].filter(mark => box(mark).width);
for (const control of document.querySelectorAll('.buttons button, .speed, .clock')) {
    if (!control.getClientRects().length) continue;
    const on = drawn.find(mark => meet(box(control), box(mark)));
    if (on) faults.push(`“${control.className}” lies on ${on.closest('[data-id]')?.dataset.id}`);
}
const title = document.querySelector('.scenario b');
if (title.scrollWidth > title.clientWidth + 1 && title.clientWidth < 120) faults.push(`the title has ${title.clientWidth} px`);
return faults;";
