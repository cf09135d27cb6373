//! Places written down.

use alloc::string::ToString;
use alloc::sync::Arc;

use super::{FieldPath, Located};

#[test]
fn paths_read_like_the_fields_they_name() {
    let path = FieldPath::of(&["spec", "containers"])
        .index(0)
        .field("resources")
        .field("requests")
        .field("cpu");
    assert_eq!(
        path.to_string(),
        "spec.containers[0].resources.requests.cpu"
    );
    let label = FieldPath::of(&["metadata", "labels", "app.kubernetes.io/name"]);
    assert_eq!(label.to_string(), "metadata.labels[app.kubernetes.io/name]");
    assert_eq!(
        FieldPath::root().index(3).field("kind").to_string(),
        "[3].kind"
    );
}

#[test]
fn what_is_not_known_of_a_place_is_left_out() {
    let mut located = Located {
        source: Arc::from("a.yaml"),
        line: 3,
        column: 7,
        path: FieldPath::of(&["spec"]),
        object: "Pod web".into(),
        error: "is wrong",
    };
    assert_eq!(located.to_string(), "a.yaml:3:7: spec: is wrong (Pod web)");
    located.line = 0;
    located.object = "".into();
    assert_eq!(located.to_string(), "a.yaml: spec: is wrong");
    located.path = FieldPath::root();
    located.source = Arc::from("");
    assert_eq!(located.to_string(), "is wrong");
}
