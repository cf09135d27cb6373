use serde_json::json;

use super::{bearer_token, user_of_review};

#[test]
fn a_token_is_what_follows_its_scheme() {
    assert_eq!(bearer_token("Bearer abc"), Some("abc"));
    assert_eq!(bearer_token("bearer  abc "), Some("abc"));
    for none in ["", "Bearer", "Bearer ", "Basic abc"] {
        assert_eq!(bearer_token(none), None, "{none:?}");
    }
}

#[test]
fn whom_a_review_names_has_shown_who_they_are() {
    let user = user_of_review(&json!({"username": "u", "extra": {"scopes": ["s"]}})).unwrap();
    assert_eq!((user.username.as_str(), user.uid.as_str()), ("u", ""));
    assert_eq!(user.groups, ["system:authenticated"]);
    assert_eq!(user.extra, json!({"scopes": ["s"]}));
    assert_eq!(user_of_review(&json!({"groups": ["system:masters"]})), None);
}
