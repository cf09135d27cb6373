use super::*;
use crate::api::{ObjectMeta, Time};

fn check(classes: &[(&str, &str, i64)], resource: &str, expected: bool) {
    let mut listers = Listers::default();
    for (name, stands_for, created) in classes {
        let mut class = DeviceClass {
            metadata: ObjectMeta::named(*name),
            ..DeviceClass::default()
        };
        class.metadata.creation_timestamp = Some(Time::from_micros(*created));
        if !stands_for.is_empty() {
            class.spec.extended_resource_name = Some((*stands_for).into());
        }
        listers.device_classes.insert(Arc::new(class));
    }
    let found = DeviceClasses::of(&listers).stand_for(resource);
    assert_eq!(found, expected, "{classes:?} {resource}");
}

#[test]
fn devices_stand_for_the_named_resource_and_for_the_class_itself() {
    let gpu = ("gpu", "example.com/gpu", 1);
    check(&[gpu], "example.com/gpu", true);
    check(&[gpu], "deviceclass.resource.kubernetes.io/gpu", true);
    check(
        &[("plain", "", 1)],
        "deviceclass.resource.kubernetes.io/plain",
        true,
    );
    check(&[gpu], "example.com/fpga", false);
}

#[test]
fn a_class_that_lost_its_resource_does_not_stand_for_itself_either() {
    let (old, new) = (("a", "example.com/gpu", 1), ("b", "example.com/gpu", 2));
    let implicit = |class: &str| [DEVICE_CLASS_PREFIX, class].concat();
    check(&[old, new], "example.com/gpu", true);
    check(&[old, new], &implicit("a"), false);
    check(&[old, new], &implicit("b"), true);
    // Of two of one age the first name wins.
    let twin = ("b", "example.com/gpu", 1);
    check(&[old, twin], &implicit("a"), true);
    check(&[old, twin], &implicit("b"), false);
}
