use super::{code_only, names_after};

#[test]
fn comments_and_literals_are_not_code() {
    let cases = [
        ("a // b\nc", "a     \nc"),
        ("a /* b /* c */ d */ e", "a                   e"),
        (r#"f("x \" y") + 1"#, "f(        ) + 1"),
        ("f(r#\"x \" y\"#) + 1", "f(          ) + 1"),
        ("'a'..='\\'' 'life", "   ..=     'life"),
        ("r#type", "r#type"),
    ];
    for (text, expected) in cases {
        assert_eq!(code_only(text), expected, "of {text}");
    }
}

#[test]
fn every_entry_of_a_group_is_named() {
    let code =
        "use crate::{api::{Pod, Node}, queue};\nfn f(_: crate::sim::World, _: notcrate::x) {}";
    let names = names_after(code, "crate::");
    assert_eq!(
        names,
        [(1, "api".into()), (1, "queue".into()), (2, "sim".into())]
    );
}
