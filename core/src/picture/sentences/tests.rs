use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec;

use super::{Arg, Key, Lang, say, template, text};
use crate::picture::sentences::plain;

/// The arguments a template asks for.
fn arguments(template: &str) -> BTreeSet<String> {
    let parts = template.split('{').skip(1);
    parts
        .filter_map(|part| part.split(['}', ':']).next())
        .map(String::from)
        .collect()
}

#[test]
fn both_languages_say_everything_from_the_same_arguments() {
    for key in Key::ALL {
        let (en, zh) = (template(Lang::En, *key), template(Lang::Zh, *key));
        assert!(!en.is_empty() && !zh.is_empty(), "{key:?}");
        let extra: BTreeSet<String> = arguments(zh).difference(&arguments(en)).cloned().collect();
        assert!(
            extra.is_empty(),
            "{key:?} asks for {extra:?} in Chinese only"
        );
        assert_eq!(
            en.matches('[').count(),
            zh.matches('[').count(),
            "{key:?} marks other words"
        );
        assert!(en.matches('[').count() <= 1, "{key:?} marks too much");
    }
}

#[test]
fn counts_choose_the_form_of_a_word() {
    let carry = |n: usize| {
        let clause = say(Lang::En, Key::CTaint, &[("n", Arg::Count(n))], None);
        let args = [("n", Arg::Count(n)), ("clause", Arg::Pieces(clause))];
        text(Lang::En, Key::CFirst, &args)
    };
    assert_eq!(carry(1), "one node carries a taint it does not tolerate");
    assert_eq!(carry(3), "three nodes carry a taint it does not tolerate");
    assert_eq!(carry(15), "15 nodes carry a taint it does not tolerate");
}

#[test]
fn chinese_and_latin_are_set_apart() {
    let args = vec![("n", Arg::Count(15)), ("clause", Arg::from("带有污点"))];
    assert_eq!(
        plain(&say(Lang::Zh, Key::CFirst, &args, None)),
        "15 个节点带有污点"
    );
}

#[test]
fn amounts_are_short() {
    use super::{clock_text, cpu, memory, milli_cpu, moment_text, ordinal};
    use crate::time::Span;
    assert_eq!(cpu(1850), "1.85");
    assert_eq!(cpu(3920), "3.92");
    assert_eq!(milli_cpu(500), "500m");
    assert_eq!(milli_cpu(2000), "2");
    assert_eq!(memory(512 << 20), "512 Mi");
    assert_eq!(memory(14 << 30), "14 Gi");
    assert_eq!(clock_text(Span::from_millis(298_400)), "4:59");
    assert_eq!(moment_text(1_184_000), "1.184 s");
    assert_eq!(ordinal(Lang::En, 22), "22nd");
}
