//! Which selectors an API server would take.

use super::{parse_namespace, parse_selector};

#[test]
fn what_kubectl_takes_is_taken() {
    for selector in [
        "",
        "app",
        "!app",
        "app=web",
        "app==web,tier!=cache",
        "example.com/app=",
        "app in (web, api),tier notin (cache),x",
        "size>3,size<9",
        " app = web , tier in (a) ",
    ] {
        let read = parse_selector(selector);
        assert_eq!(read.as_deref(), Ok(selector), "{selector}");
    }
}

#[test]
fn what_an_api_server_would_refuse_is_refused_and_named() {
    for selector in [
        "!!",
        "=web",
        "app=a b",
        "app in web",
        "app (web)",
        "app in (a b)",
        "-app",
        "size>big",
        "a,,b",
        "app in (a",
        "a/b/c",
    ] {
        let error = parse_selector(selector).expect_err(selector);
        assert!(error.contains("expected labels as in app=web"), "{error}");
    }
    assert!(parse_namespace("BAD/ns").is_err());
    assert_eq!(parse_namespace("good-ns").as_deref(), Ok("good-ns"));
}
