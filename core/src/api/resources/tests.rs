//! Which class a resource's name belongs to.

use super::{ResourceClass, is_dra_extended_resource, is_extended_resource, is_native_resource};

#[test]
fn names_decide_how_a_resource_is_counted() {
    let check = |name, class| assert_eq!(ResourceClass::of(name), class, "{name}");
    check("cpu", ResourceClass::Cpu);
    check("memory", ResourceClass::Memory);
    check("ephemeral-storage", ResourceClass::EphemeralStorage);
    check("pods", ResourceClass::Pods);
    check("hugepages-2Mi", ResourceClass::Scalar);
    check("attachable-volumes-aws-ebs", ResourceClass::Scalar);
    check("example.com/gpu", ResourceClass::Scalar);
    check("foo.kubernetes.io/bar", ResourceClass::Scalar);
    check(
        "deviceclass.resource.kubernetes.io/gpu",
        ResourceClass::Scalar,
    );
    check("storage", ResourceClass::Ignored);
    check("foo", ResourceClass::Ignored);
    check("requests.example.com/gpu", ResourceClass::Ignored);
    check("UPPER.com/gpu", ResourceClass::Ignored);
    check("a/b/c", ResourceClass::Ignored);
}

#[test]
fn extended_resources_are_those_of_somebody_else() {
    assert!(is_extended_resource("example.com/gpu"));
    assert!(!is_extended_resource("kubernetes.io/gpu"));
    assert!(is_native_resource("cpu"));
    assert!(is_dra_extended_resource(
        "deviceclass.resource.kubernetes.io/gpu"
    ));
    assert!(!is_extended_resource(
        "deviceclass.resource.kubernetes.io/gpu"
    ));
}
