use alloc::vec::Vec;

use super::{Cast, Workload};
use crate::make::pod;
use crate::picture::palette::Hue;
use crate::picture::scene::Corner;

fn workload(name: &str) -> Workload {
    Workload::of(&pod(name).build())
}

#[test]
fn bare_pods_that_differ_by_a_number_are_one_workload() {
    assert_eq!(workload("web-1"), workload("web-22"));
    assert_ne!(workload("edge-a").key, workload("edge-b").key);
    assert_eq!(workload("edge-a").corner, Corner::Cut);
}

#[test]
fn a_new_workload_changes_no_other() {
    let names = [
        "api", "web", "edge-a", "edge-b", "crunch", "pg", "search", "trainer",
    ];
    let workloads: Vec<Workload> = names.iter().map(|name| workload(name)).collect();
    let mut cast = Cast::default();
    cast.admit(&workloads);
    let before = cast.roles().to_vec();
    cast.admit(&[workload("aaa"), workload("web-3")]);
    assert_eq!(&cast.roles()[..before.len()], &before[..]);
    assert_eq!(cast.roles().len(), before.len() + 1);
}

#[test]
fn codes_differ_and_the_tenth_hue_has_a_double_edge() {
    let names = ["web", "wet", "we", "wemo", "a", "b", "c", "d", "e", "f"];
    let workloads: Vec<Workload> = names.iter().map(|name| workload(name)).collect();
    let mut cast = Cast::default();
    cast.admit(&workloads);
    let mut codes: Vec<&str> = cast.roles().iter().map(|role| role.code.as_str()).collect();
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), names.len());
    let doubled = cast.roles().iter().filter(|role| role.is_doubled).count();
    assert_eq!(doubled, 1);
    assert!(cast.roles().iter().all(|role| role.hue != Hue::System));
}
