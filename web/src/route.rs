//! What the address says: which scenario, which moment, which view, which looks.
//!
//! Everything about the cluster stands after `#`, which browsers keep to themselves. Language, theme and embedding may
//! stand before it.

use berth_core::picture::scene::Lang;

/// What the part after `#` names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Nothing: the first screen.
    First,
    /// A link with a scenario in it.
    Link(String),
    /// An example that comes with the page, and what of it as the fields of a link say it.
    Example(String, String),
    /// The list of examples.
    Gallery,
    /// What was dropped, pasted or edited in this tab, by the name it is kept under.
    Mine(String),
}

/// What the part before `#` asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Looks {
    /// The language, if it names one.
    pub lang: Option<Lang>,
    /// The theme, if it names one: whether it is dark.
    pub is_dark: Option<bool>,
    /// Whether the page is a figure in another page.
    pub is_embedded: bool,
}

/// Reads the part after `#`; the sign itself may be there.
#[must_use]
pub fn place(hash: &str) -> Place {
    let text = hash.trim_start_matches('#');
    if text.is_empty() {
        return Place::First;
    }
    if text == "gallery" {
        return Place::Gallery;
    }
    if let Some(name) = text.strip_prefix(MINE) {
        return Place::Mine(name.to_owned());
    }
    match text.strip_prefix("example=") {
        Some(rest) => {
            let (name, fields) = rest.split_once('&').unwrap_or((rest, ""));
            Place::Example(name.to_owned(), fields.to_owned())
        }
        None => Place::Link(text.to_owned()),
    }
}

/// The value of a field after `#`, such as `t` or `v`.
#[must_use]
pub fn field<'a>(hash: &'a str, name: &str) -> Option<&'a str> {
    let text = hash.trim_start_matches('#');
    let mut parts = text.split('&').filter_map(|part| part.split_once('='));
    parts.find(|(key, _)| *key == name).map(|(_, value)| value)
}

/// The part after `#` of a link that stands alone in a text, also where a mail has broken it into lines.
#[must_use]
pub fn link_in(text: &str) -> Option<String> {
    let text = text.trim();
    let stands_alone = text.starts_with("http") || !text.contains('\n');
    let (_, fragment) = text.split_once('#').filter(|_| stands_alone)?;
    // What follows an empty line is of the mail.
    let fragment = fragment.split("\n\n").next()?;
    let fragment = fragment.split("\r\n\r\n").next()?;
    let whole: String = fragment.split_whitespace().collect();
    whole.starts_with("s1=").then_some(whole)
}

/// What stands after `#` before the name of what is kept in this tab.
pub const MINE: &str = "mine=";

/// The part before `#` with another value of a field; everything else in it stays.
#[must_use]
pub fn with_look(query: &str, name: &str, value: &str) -> String {
    let parts = query.trim_start_matches('?').split('&');
    let is_other = |part: &&str| !part.is_empty() && part.split('=').next() != Some(name);
    let mut changed = String::from("?");
    for part in parts.filter(is_other) {
        changed.push_str(part);
        changed.push('&');
    }
    changed + name + "=" + value
}

/// Reads the part before `#`; the question mark may be there.
#[must_use]
pub fn looks(query: &str) -> Looks {
    let mut looks = Looks::default();
    for part in query.trim_start_matches('?').split('&') {
        match part.split_once('=').unwrap_or((part, "")) {
            ("lang", value) if value.starts_with("zh") => looks.lang = Some(Lang::Zh),
            ("lang", value) if value.starts_with("en") => looks.lang = Some(Lang::En),
            ("theme", "dark") => looks.is_dark = Some(true),
            ("theme", "light") => looks.is_dark = Some(false),
            ("embed", "1" | "") => looks.is_embedded = true,
            _ => {}
        }
    }
    looks
}

#[cfg(test)]
mod tests {
    use super::{Looks, Place, field, link_in, looks, place, with_look};
    use berth_core::picture::scene::Lang;

    #[test]
    fn the_part_after_the_hash_says_what_is_shown() {
        assert_eq!(place(""), Place::First);
        assert_eq!(place("#gallery"), Place::Gallery);
        assert_eq!(place("#mine=17"), Place::Mine("17".to_owned()));
        assert_eq!(
            place("#example=shop&t=1"),
            Place::Example("shop".to_owned(), "t=1".to_owned())
        );
        assert_eq!(
            place("#s1=abc.defghi&t=1.5"),
            Place::Link("s1=abc.defghi&t=1.5".to_owned())
        );
        assert_eq!(field("#s1=abc.defghi&t=1.5&v=why", "v"), Some("why"));
    }

    #[test]
    fn a_link_is_mended_where_a_mail_broke_it() {
        let link = link_in(" https://example.org/#s1=abc\r\n d.efghi&t=1 \n");
        assert_eq!(link.as_deref(), Some("s1=abcd.efghi&t=1"));
        assert_eq!(link_in("kind: Pod # see #s1=abc\nmetadata: {}"), None);
    }

    #[test]
    fn what_was_chosen_takes_the_place_of_what_the_address_asked_for() {
        assert_eq!(with_look("", "theme", "dark"), "?theme=dark");
        assert_eq!(
            with_look("?theme=dark&embed=1", "theme", "light"),
            "?embed=1&theme=light"
        );
    }

    #[test]
    fn the_part_before_the_hash_says_how_it_looks() {
        let expected = Looks {
            lang: Some(Lang::Zh),
            is_dark: Some(true),
            is_embedded: true,
        };
        assert_eq!(looks("?lang=zh-CN&theme=dark&embed=1"), expected);
        assert_eq!(looks(""), Looks::default());
    }
}
