use super::{Page, Paint, visible};

#[test]
fn only_the_pages_own_colours_steer_a_terminal() {
    let mut page = Page::new(Paint::Colour);
    page.bad("\x1b[2Jx");
    page.plain("\u{9b}1m\u{202e}\u{7f}\r 名\t\n");
    assert_eq!(
        page.into_text(),
        "\x1b[31m\\u001b[2Jx\x1b[0m\\u009b1m\\u202e\\u007f\\u000d 名\t\n"
    );
    let mut page = Page::new(Paint::Plain);
    page.bold("\x1b[1m");
    assert_eq!(page.into_text(), "\\u001b[1m");
}

#[test]
fn what_json_quotes_means_the_same_afterwards() {
    let text = "\u{9b}\u{202e}\u{7f}";
    let json = serde_json::to_string(text).expect("text is JSON");
    let safe = visible(&json);
    assert_ne!(safe, json);
    assert_eq!(
        serde_json::from_str::<String>(&safe).ok().as_deref(),
        Some(text)
    );
}
