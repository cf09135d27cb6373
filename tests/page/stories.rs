//! From opening to sharing, by mouse, on a desk and on a phone.

use core::time::Duration;
use std::time::Instant;

use berth_tests::page::{Browser, Keys, Looks};

use crate::visit::{digest_of_shop, ground, shop, visit};

/// The issue's own promise: so long after a drop the first pod that fails is shown.
const FIRST_FAILURE: Duration = Duration::from_secs(2);

#[test]
fn a_dropped_cluster_shows_its_first_failure_soon_and_has_the_digest_of_the_command_line() {
    let expected = digest_of_shop();
    for looks in [Looks::DESK, Looks::PHONE] {
        visit(looks, |visit| {
            let loaded = visit.server.asked().len();
            let mut shortest = Duration::MAX;
            for _ in 0..3 {
                let began = visit.drop_file(&shop())?;
                visit.shows("cluster.yaml")?;
                visit.browser.wait_for(
                    "/fits on no node/.test(document.querySelector('.said')?.textContent)",
                )?;
                shortest = shortest.min(began.elapsed());
                if shortest <= FIRST_FAILURE {
                    break;
                }
                visit.go("")?;
            }
            eprintln!(
                "first failure {shortest:?} after the drop, {} px wide",
                looks.width
            );
            assert!(shortest <= FIRST_FAILURE, "{shortest:?}");
            assert_eq!(visit.digest()?, expected);
            visit.play_to_the_end()?;
            visit.is_quiet()?;
            visit.asked_nothing_since(loaded);
            Ok(())
        });
    }
}

#[test]
fn a_place_on_the_axis_is_a_moment() {
    for looks in [Looks::DESK, Looks::PHONE] {
        visit(looks, |visit| {
            let first = visit.moment()?;
            visit.browser.run(
                "const axis = document.querySelector('.axis svg'); const at = axis.getBoundingClientRect();\
                 axis.dispatchEvent(new PointerEvent('pointerdown', {bubbles: true, pointerId: 1,\
                 clientX: at.left + at.width * 0.8, clientY: at.top + at.height / 2}))",
            )?;
            let there = visit.moment_after(first)?;
            assert!(there > first, "{there} after {first}");
            visit.is_quiet()
        });
    }
}

#[test]
fn buttons_play_pause_and_step() {
    for looks in [Looks::DESK, Looks::PHONE] {
        visit(looks, |visit| {
            let first = visit.moment()?;
            visit.browser.tap(".buttons .step:last-of-type")?;
            let next = visit.moment_after(first)?;
            assert!(next > first);
            visit.browser.tap(".buttons .step:first-of-type")?;
            assert_eq!(visit.moment_after(next)?, first);
            visit.browser.tap(".play")?;
            let playing = visit.moment_after(first)?;
            visit.browser.tap(".play")?;
            assert!(playing > first);
            visit.is_quiet()
        });
    }
}

#[test]
fn a_guess_at_the_first_question_is_answered_in_the_figure() {
    for looks in [Looks::DESK, Looks::PHONE] {
        visit(looks, |visit| {
            let before = visit.sentence()?;
            assert!(before.starts_with("Why is"), "{before}");
            visit.browser.tap("#show-me")?;
            visit
                .browser
                .wait_for("document.querySelector('.view-why svg.figure [data-role=verdict]')")?;
            // The sentence may follow the figure by a moment.
            visit.browser.wait_for(
                "document.querySelector('.said').textContent.includes('fits on no node')",
            )?;
            visit.is_quiet()
        });
    }
}

#[test]
fn a_cell_opens_to_its_chain_and_closes() {
    for looks in [Looks::DESK, Looks::PHONE] {
        visit(looks, |visit| {
            visit.browser.press("w")?;
            // The cell that tells most is open already; another one opens in its stead.
            visit
                .browser
                .wait_for("document.querySelector('.view-why svg.figure [data-role=chain]')")?;
            visit
                .browser
                .click("svg.figure [data-id='cell/ip-10-0-1-14/InterPodAffinity']")?;
            visit.browser.wait_for(
                "document.querySelector('svg.figure [data-role=chain]')?.textContent.includes('ip-10-0-1-14')",
            )?;
            let chain = visit.browser.text(
                "return document.querySelector('svg.figure [data-role=chain]').textContent",
            )?;
            assert!(chain.chars().any(|c| c.is_ascii_digit()), "{chain}");
            visit.browser.press(Keys::ESCAPE)?;
            visit
                .browser
                .wait_for("!document.querySelector('svg.figure [data-role=chain]')")?;
            visit.is_quiet()
        });
    }
}

#[test]
fn a_suggested_change_is_applied_and_taken_back() {
    for looks in [Looks::DESK, Looks::PHONE] {
        visit(looks, |visit| {
            let says = |words: &str| {
                format!("document.querySelector('.said').textContent.includes('{words}')")
            };
            visit.browser.press("w")?;
            visit
                .browser
                .wait_for("document.querySelector('svg.aside [data-id=\"apply/0\"]')")?;
            if looks.width == Looks::DESK.width {
                // The comparison is seen to its end without scrolling.
                visit.browser.wait_for(
                    "document.querySelector('svg.aside [data-id=\"scores/total\"]').getBoundingClientRect().bottom <= document.querySelector('.transport').getBoundingClientRect().top",
                )?;
            }
            visit.browser.click("svg.aside [data-id='apply/0']")?;
            visit.browser.wait_for(&says("goes to ip-10-0-2-2"))?;
            visit.browser.click(".undo")?;
            visit.browser.wait_for(&says("fits on no node"))?;
            visit.browser.wait_for("!document.querySelector('.undo')")?;
            visit.is_quiet()
        });
    }
}

#[test]
fn the_matrix_shows_what_the_scheduler_saw_or_the_whole_truth() {
    for looks in [Looks::DESK, Looks::PHONE] {
        visit(looks, |visit| {
            let browser = &visit.browser;
            browser.press("w")?;
            let pressed = |id: &str| {
                format!(
                    "document.querySelector('svg.figure [data-id=\"extent/{id}\"]')?.getAttribute('aria-pressed') == 'true'"
                )
            };
            let hatched = "[...document.querySelectorAll('svg.figure [data-role=verdict] *')].some(mark => mark.outerHTML.includes('hatch'))";
            browser.wait_for(&pressed("truth"))?;
            browser.wait_for(hatched)?;
            // By keyboard there, and back by pointer.
            visit.tab_to("svg.figure [data-role=choice]")?;
            browser.press(Keys::ENTER)?;
            browser.wait_for(&pressed("saw"))?;
            browser.wait_for(&format!("!{hatched}"))?;
            browser.click("svg.figure [data-id='extent/truth']")?;
            browser.wait_for(&pressed("truth"))?;
            browser.wait_for(hatched)?;
            visit.is_quiet()
        });
    }
}

/// Changes the text in the editor, as if it were typed.
pub(crate) fn replace(browser: &Browser, pattern: &str, by: &str) -> std::io::Result<()> {
    browser.run(&format!(
        "const field = document.querySelector('#yaml'); field.value = field.value.replace({pattern}, {});\
         field.dispatchEvent(new Event('input', {{bubbles: true}}))",
        serde_json::json!(by)
    ))?;
    Ok(())
}

/// Where pods are, as the text twin says it.
const NODES: &str = "return [...document.querySelectorAll('#twin section')].pop()?.textContent ?? document.querySelector('.said').textContent";

#[test]
fn a_text_with_an_error_is_told_at_its_line_and_the_picture_stays() {
    for looks in [Looks::DESK, Looks::PHONE] {
        visit(looks, |visit| {
            let browser = &visit.browser;
            visit.go("#example=spread-zones&v=story")?;
            let said = visit.sentence()?;
            visit.edit_all()?;
            let line = browser.text(
                "return String(document.querySelector('#yaml').value.split('\\n').findIndex(line => /cpu: /.test(line)) + 1)",
            )?;
            replace(browser, "/cpu: [^,}\\n]*/", "cpu: 1x")?;
            browser.wait_for("document.querySelector('.fault')")?;
            let fault = browser.text("return document.querySelector('.fault').textContent")?;
            assert!(
                fault.contains("1x") && fault.contains(&line),
                "line {line}: {fault}"
            );
            browser.wait_for("document.querySelector('.last-good')")?;
            assert_eq!(visit.sentence()?, said, "the last good picture stays");
            replace(browser, "/cpu: 1x/", "cpu: \"2\"")?;
            browser.wait_for(
                "!document.querySelector('.fault') && !document.querySelector('.last-good')",
            )?;
            visit.is_quiet()
        });
    }
}

#[test]
fn an_object_is_edited_by_itself_and_undone() {
    for looks in [Looks::DESK, Looks::PHONE] {
        visit(looks, |visit| {
            let browser = &visit.browser;
            const TEXT: &str = "return document.querySelector('#yaml').value";
            visit.go("#example=spread-zones&v=story")?;
            let digest = visit.digest()?;
            browser.press("e")?;
            browser
                .wait_for("document.querySelector('#yaml')?.value.startsWith('apiVersion: v1')")?;
            let object = browser.text(TEXT)?;
            let name = browser.text("return document.querySelector('.bar b').textContent")?;
            assert_eq!(name, "Pod web-{i}");
            // An error is told at its line of the file.
            replace(browser, "/maxSkew: 1/", "maxSkew: x")?;
            browser.wait_for("document.querySelector('.fault')")?;
            let place = browser.text("return document.querySelector('.fault b').textContent")?;
            browser.tap("#whole")?;
            browser.wait_for("document.querySelector('#yaml').value.includes('kind: Scenario')")?;
            let line = browser.text(
                "return String(document.querySelector('#yaml').value.split('\\n').findIndex(line => /maxSkew: x/.test(line)) + 1)",
            )?;
            assert!(place.contains(&line), "{place}, line {line}");
            browser.tap("#undo")?;
            browser.wait_for(
                "!document.querySelector('.fault') && document.querySelector('#undo').disabled",
            )?;
            assert!(!browser.text(TEXT)?.contains("maxSkew: x"));
            // What is typed is a change; the field's own way back and the button both lead back.
            browser.tap(".bar .segment:first-child")?;
            browser
                .wait_for("document.querySelector('#yaml').value.startsWith('apiVersion: v1')")?;
            assert_eq!(browser.text(TEXT)?, object);
            let changed = format!("document.querySelector('#digest').textContent !== '{digest}'");
            let same = format!("document.querySelector('#digest').textContent === '{digest}'");
            browser.run(
                "const field = document.querySelector('#yaml'); const at = field.value.indexOf('maxSkew: ') + 9;\
                 field.focus(); field.setSelectionRange(at, at + 1)",
            )?;
            browser.write("6")?;
            browser.wait_for(&changed)?;
            browser.press_with(Keys::CONTROL, "z")?;
            browser.wait_for(&same)?;
            assert_eq!(browser.text(TEXT)?, object, "the field's own undo");
            browser.run(
                "const field = document.querySelector('#yaml'); const at = field.value.indexOf('maxSkew: ') + 9;\
                 field.focus(); field.setSelectionRange(at, at + 1)",
            )?;
            browser.write("5")?;
            browser.wait_for(&changed)?;
            browser.tap("#undo")?;
            browser.wait_for(&same)?;
            assert_eq!(browser.text(TEXT)?, object, "the button");
            browser.press_with(Keys::CONTROL, "z")?;
            browser.wait_for(&changed)?;
            visit.is_quiet()
        });
    }
}

#[test]
fn another_scheduler_configuration_runs_at_once_and_decides_otherwise() {
    visit(Looks::DESK, |visit| {
        let browser = &visit.browser;
        visit.go("#example=spread-or-pack&v=story")?;
        let spread = visit.digest()?;
        visit.edit_all()?;
        replace(browser, "/MostAllocated/", "LeastAllocated")?;
        browser.wait_for(&format!(
            "document.querySelector('#digest').textContent !== '{spread}'"
        ))?;
        let other = visit.digest()?;
        replace(browser, "/LeastAllocated/", "SomeAllocated")?;
        browser.wait_for("document.querySelector('.fault')")?;
        let fault = browser.text("return document.querySelector('.fault').textContent")?;
        assert!(fault.contains("SomeAllocated"), "{fault}");
        assert_eq!(visit.digest()?, other, "the last good run stays");
        replace(browser, "/SomeAllocated/", "MostAllocated")?;
        browser.wait_for(&format!(
            "document.querySelector('#digest').textContent === '{spread}'"
        ))?;
        browser.text(NODES)?;
        visit.is_quiet()
    });
}

#[test]
fn a_link_opens_in_a_fresh_profile_at_the_same_moment_with_the_same_digest() {
    for looks in [Looks::DESK, Looks::PHONE] {
        visit(looks, |visit| {
            visit.browser.press_with(Keys::SHIFT, Keys::RIGHT)?;
            visit.browser.press(Keys::RIGHT)?;
            visit.settle()?;
            let (digest, moment, said) = (visit.digest()?, visit.moment()?, visit.sentence()?);
            visit.browser.tap(".masthead [aria-expanded]")?;
            visit
                .browser
                .wait_for("document.querySelector('#link')?.value.length > 100")?;
            let link = visit
                .browser
                .text("return document.querySelector('#link').value")?;
            let length = visit
                .browser
                .text("return document.querySelector('.strip .line').textContent")?;
            assert!(length.contains(&link.len().to_string()), "{length}");
            visit.is_quiet()?;
            let (_, driver) = ground().expect("it was there before");
            let other = Browser::start(&driver, looks)?;
            other.open(&link)?;
            other.wait_for("document.querySelector('#digest')?.textContent")?;
            let text =
                |script: &str| other.text(&format!("return document.querySelector({script}"));
            assert_eq!(text("'#digest').textContent")?, digest);
            assert_eq!(
                text("'#slider').getAttribute('aria-valuenow')")?,
                moment.to_string()
            );
            assert_eq!(text("'.said').textContent")?, said);
            for (link, why) in [
                (
                    link.get(..link.len() / 2).unwrap_or_default().to_owned(),
                    "cut",
                ),
                (link.replace("#s1=", "#s9="), "too new"),
                (link.replacen("#s1=", "#s1=A", 1), "broken"),
                (format!("{link}{}", "&x=".repeat(60_000)), "too large"),
            ] {
                other.open("about:blank")?;
                other.open(&link)?;
                other.wait_for("document.querySelector('.trouble .wrong')")?;
                let told = text("'.trouble .wrong').textContent")?;
                assert!(told.contains(why), "{why}: {told}");
            }
            assert_eq!(other.console()?, Vec::<String>::new());
            Ok(())
        });
    }
}

#[test]
fn a_large_dump_is_read_with_progress_and_can_be_stopped() {
    visit(Looks::DESK, |visit| {
        let dump = large_dump();
        let said = visit.sentence()?;
        visit.drop_file(&dump)?;
        visit
            .browser
            .wait_for("document.querySelector('.busy progress')")?;
        let told = visit
            .browser
            .text("return document.querySelector('.busy').textContent")?;
        assert!(!told.is_empty());
        visit.browser.click(".busy button")?;
        visit.browser.wait_for("!document.querySelector('.busy')")?;
        let began = Instant::now();
        visit.browser.press(Keys::RIGHT)?;
        visit.browser.wait_for(&format!(
            "document.querySelector('.said').textContent !== {}",
            serde_json::json!(said)
        ))?;
        assert!(
            began.elapsed() < Duration::from_secs(5),
            "what was loaded before is still there"
        );
        std::fs::remove_file(dump)?;
        // What was cancelled is not read on: it would take the place of what is shown, or miss its file.
        visit.settle()?;
        let shown = visit.sentence()?;
        visit.browser.let_pass(Duration::from_secs(2));
        assert_eq!(visit.sentence()?, shown);
        visit.is_quiet()
    });
}

#[test]
fn a_file_that_is_no_cluster_is_told_so_and_what_was_there_is_still_there() {
    visit(Looks::DESK, |visit| {
        let file = std::env::temp_dir().join(format!("berth-picture-{}.png", std::process::id()));
        std::fs::write(&file, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")?;
        let said = visit.sentence()?;
        for (lang, expected) in [("en", "this is no text"), ("zh", "这不是文本")] {
            visit.go(&format!("?lang={lang}"))?;
            visit.drop_file(&file)?;
            visit
                .browser
                .wait_for("document.querySelector('.trouble .wrongs li')")?;
            let told = visit
                .browser
                .text("return document.querySelector('.trouble').textContent")?;
            assert!(told.contains(expected), "{told}");
            visit.browser.tap(".trouble .solid")?;
            visit
                .browser
                .wait_for("document.querySelector('svg.figure [data-id]')")?;
        }
        std::fs::remove_file(file)?;
        assert!(!said.is_empty());
        visit.is_quiet()
    });
}

#[test]
fn the_gallery_asks_in_both_languages_with_a_figure_each() {
    for looks in [Looks::DESK, Looks::PHONE] {
        visit(looks, |visit| {
            let text = |script: &str| visit.browser.text(script);
            const FIGURES: &str = "return String([...document.querySelectorAll('.gallery li')].every(li => li.querySelectorAll('svg.small-figure path[d^=M]').length >= 3))";
            const TEXTS: &str = "return [...document.querySelectorAll('.exhibit')].map(found => [...found.children].slice(1).map(part => part.textContent).join(' ')).join('\\n')";
            visit.go("?lang=en#gallery")?;
            assert_eq!(text(FIGURES)?, "true");
            assert!(text(TEXTS)?.contains("Why is one of the eight api pods still waiting?"));
            visit.go("?lang=zh#gallery")?;
            let told = text(TEXTS)?;
            for line in told.lines() {
                let is_chinese = line.chars().filter(|c| ('一'..'龥').contains(c)).count();
                assert!(is_chinese > 20, "{line}");
            }
            visit.browser.tap(".gallery li:nth-child(2) button")?;
            visit.shows("同类中的第一个")?;
            visit.is_quiet()
        });
    }
}

/// Some 50 MB, as `kubectl get -o yaml` writes it: thousands of pods with fields that nobody here reads.
fn large_dump() -> std::path::PathBuf {
    let text = std::fs::read_to_string(shop()).expect("the recorded cluster is there");
    let padding = format!("    annotations: {{note: \"{}\"}}\n", "x".repeat(9_000));
    let mut dump = String::with_capacity(52_000_000);
    dump.push_str(&text);
    let mut count = 0;
    while dump.len() < 50_000_000 {
        dump.push_str("---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n");
        dump.push_str(&format!(
            "    name: filler-{count}\n    namespace: default\n{padding}"
        ));
        count += 1;
    }
    let file = std::env::temp_dir().join(format!("berth-dump-{}.yaml", std::process::id()));
    std::fs::write(&file, dump).expect("a file can be written");
    file
}

#[test]
fn the_way_back_of_the_browser_leads_back() {
    visit(Looks::DESK, |visit| {
        visit.turn_to(
            "gallery",
            "document.querySelectorAll('.gallery li').length >= 8",
        )?;
        visit.browser.tap(".gallery li:nth-child(2) button")?;
        visit
            .browser
            .wait_for("document.querySelector('.view-story svg.figure [data-id]')")?;
        visit.browser.run("history.back()")?;
        visit
            .browser
            .wait_for("document.querySelector('.gallery li')")?;
        visit.browser.run("history.back()")?;
        visit
            .browser
            .wait_for("document.querySelector('.view-open svg.figure [data-id]')")?;
        visit.is_quiet()
    });
}
