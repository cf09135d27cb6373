//! The page as a figure in another page: without header, queues and shortcuts. It never plays by itself.
//!
//! The verbs that a host page may call come with the embedding contract; this module holds what both need today.

use crate::route::Looks;

/// Whether the page listens to keys: a figure in another page does so only while it has the focus.
#[must_use]
pub const fn listens_to_keys(looks: &Looks, has_focus: bool) -> bool {
    !looks.is_embedded || has_focus
}

#[cfg(test)]
mod tests {
    use super::listens_to_keys;
    use crate::route::Looks;

    #[test]
    fn a_figure_in_another_page_leaves_keys_alone_until_it_is_focused() {
        let embedded = Looks {
            is_embedded: true,
            ..Looks::default()
        };
        assert!(!listens_to_keys(&embedded, false));
        assert!(listens_to_keys(&embedded, true));
        assert!(listens_to_keys(&Looks::default(), false));
    }
}
