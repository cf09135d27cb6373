use super::*;

#[test]
fn a_burst_goes_through_at_once_and_the_rest_at_the_rate() {
    let bucket = Bucket::new(50_000, 3).expect("a limit");
    let start = bucket.state.lock().expect("no panic").at;
    let waits: Vec<u128> = (0..6).map(|_| bucket.reserve(start).as_millis()).collect();
    assert_eq!(waits, [0, 0, 0, 20, 40, 60]);
    // A second later the debt is paid and the bucket is full again, but no fuller.
    let later = start + Duration::from_secs(1);
    let waits: Vec<u128> = (0..4).map(|_| bucket.reserve(later).as_millis()).collect();
    assert_eq!(waits, [0, 0, 0, 20]);
}

#[test]
fn a_negative_rate_is_no_limit_and_zeros_are_the_defaults() {
    assert!(Bucket::new(-1, 100).is_none());
    let bucket = Bucket::new(0, 0).expect("a limit");
    assert_eq!((bucket.qps, bucket.burst), (50.0, 100.0));
}
