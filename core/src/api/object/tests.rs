//! Objects written down and found again.

use alloc::string::ToString;

use super::{Kind, Object, ObjectKey};
use crate::api::{Node, Pod};

#[test]
fn an_object_is_written_with_its_kind_and_without_what_is_empty() {
    let mut pod = Pod::default();
    pod.metadata.name = "web".into();
    pod.spec.affinity = Some(Default::default());
    let json = serde_json::to_string(&Object::from(pod)).unwrap();
    assert_eq!(
        json,
        r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web"},"spec":{"affinity":{}}}"#
    );
}

#[test]
fn null_reads_like_absent() {
    let text = r#"{"metadata":{"labels":null,"creationTimestamp":null},"spec":{"containers":null,"nodeName":null}}"#;
    assert_eq!(serde_json::from_str::<Pod>(text).unwrap(), Pod::default());
}

#[test]
fn keys_name_kind_namespace_and_name() {
    let key = ObjectKey::new(Kind::Pod, "default", "web");
    assert_eq!(key.to_string(), "Pod default/web");
    let mut node = Node::default();
    node.metadata.namespace = "stray".into();
    node.metadata.name = "n1".into();
    assert_eq!(Object::from(node).key().to_string(), "Node n1");
}

#[test]
fn kinds_are_found_by_name_and_plural() {
    assert_eq!(Kind::by_name("pod"), Some(Kind::Pod));
    assert_eq!(
        Kind::by_name("persistentvolumeclaims"),
        Some(Kind::PersistentVolumeClaim)
    );
    assert_eq!(Kind::by_name("Secret"), None);
    assert_eq!(Kind::ReplicaSet.group(), "apps");
    assert_eq!(Kind::Pod.group(), "");
}
