use core::cmp::Ordering;

use super::*;
use crate::make::pod;
use crate::snapshot::PodInfo;
use crate::time::Timestamp;

fn check(one: (Option<i32>, i64), two: (Option<i32>, i64), expected: Ordering) {
    let info = |priority: Option<i32>| {
        let pod = pod("a");
        PodInfo::new(match priority {
            None => pod.build(),
            Some(priority) => pod.priority(priority).build(),
        })
    };
    let (first, second) = (info(one.0), info(two.0));
    let place = |pod, at| QueuePlace {
        pod,
        timestamp: Timestamp::from_micros(at),
    };
    let found = PrioritySort.compare(place(&first, one.1), place(&second, two.1));
    assert_eq!(found, expected, "{one:?} {two:?}");
}

#[test]
fn priority_comes_before_age_and_no_priority_is_zero() {
    check((Some(2), 9), (Some(1), 1), Ordering::Less);
    check((Some(-1), 1), (None, 9), Ordering::Greater);
    check((None, 1), (Some(0), 2), Ordering::Less);
    check((None, 2), (Some(0), 2), Ordering::Equal);
}
