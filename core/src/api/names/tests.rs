//! Names that may be used, and Kubernetes' words for those that may not.

use alloc::string::String;

use super::{
    dns_label_faults, dns_subdomain_faults, join_faults, label_value_faults, qualified_name_faults,
};

#[test]
fn good_names_have_no_faults() {
    for key in ["app", "app.kubernetes.io/name", "A_b-c.1", "x/y"] {
        assert_eq!(qualified_name_faults(key), [], "{key}");
    }
    for value in ["", "a", "v1.2_3-x"] {
        assert_eq!(label_value_faults(value), [], "{value}");
    }
    assert_eq!(dns_subdomain_faults("a.b-c.1"), []);
    assert_eq!(dns_label_faults("a-1"), []);
}

#[test]
fn faults_are_named_in_the_words_of_kubernetes() {
    let long = "a".repeat(64);
    assert_eq!(
        join_faults(&label_value_faults(&long)),
        "must be no more than 63 bytes"
    );
    let text = join_faults(&qualified_name_faults("/"));
    assert!(
        text.starts_with(
            "prefix part must be non-empty; name part must be non-empty; name part must consist"
        ),
        "{text}"
    );
    let text = join_faults(&qualified_name_faults("a/b/c"));
    assert!(
        text.starts_with("a qualified name must consist")
            && text.ends_with("(e.g. 'example.com/MyName')"),
        "{text}"
    );
    let text = join_faults(&qualified_name_faults("UP/x"));
    assert!(
        text.starts_with("prefix part a lowercase RFC 1123 subdomain must"),
        "{text}"
    );
}

#[test]
fn borders_of_the_forms_are_checked() {
    for value in ["-a", "a-", "a b", "zürich", "."] {
        assert_eq!(label_value_faults(value).len(), 1, "{value}");
    }
    for name in ["", "Upper", "a..b", "a.-b", "a_b"] {
        assert_eq!(dns_subdomain_faults(name).len(), 1, "{name}");
    }
    assert_eq!(dns_subdomain_faults(&"a.".repeat(127)).len(), 2);
    assert_eq!(dns_label_faults("a.b").len(), 1);
    assert_eq!(join_faults(&[]), String::new());
}
