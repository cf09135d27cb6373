//! Going back in a run.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::Recording;
use crate::framework::trace::Record;
use crate::sim::testing::{NODE, simulation};
use crate::time::Timestamp;

/// A cluster in which enough happens for several keyframes.
fn busy() -> String {
    let mut text = String::from(NODE);
    for number in 0..200 {
        text.push_str(&format!(
            "\n---\n{{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{{\"name\":\"p{number:03}\"}},\
             \"spec\":{{\"containers\":[{{\"name\":\"c\",\"image\":\"i\",\"resources\":{{\"requests\":{{\"cpu\":\"1\"}}}}}}]}}}}"
        ));
    }
    text
}

#[test]
fn any_step_is_reached_again_with_the_same_state() {
    let mut straight = simulation(&busy());
    let mut digests = Vec::new();
    loop {
        digests.push(straight.digest());
        if straight.step(&mut ()).is_none() {
            break;
        }
    }
    let steps = straight.steps();
    assert!(steps > 512, "several keyframes are needed: {steps}");
    let mut recording = Recording::new(simulation(&busy()));
    while recording.step(&mut ()).is_some() {}
    assert_eq!(recording.reached(), steps);
    for target in [0, 1, 255, 256, 257, steps, 300, steps - 1, 700, 10] {
        recording.seek(target);
        assert_eq!(recording.at().steps(), target);
        let place = usize::try_from(target).unwrap();
        assert_eq!(recording.at().digest(), digests[place], "{target}");
    }
}

#[test]
fn a_fork_goes_on_exactly_as_the_original() {
    let mut recording = Recording::new(simulation(&busy()));
    recording.seek(300);
    let mut fork = recording.fork();
    let mut records: Vec<(Timestamp, Record)> = Vec::new();
    fork.run(&mut records);
    let mut again: Vec<(Timestamp, Record)> = Vec::new();
    while recording.step(&mut again).is_some() {}
    assert_eq!(records, again);
    assert_eq!(fork.digest(), recording.at().digest());
}

#[test]
fn an_instant_is_reached_from_both_sides() {
    let text = format!(
        "{NODE}\n---\n{}",
        r#"{"apiVersion":"berth/v1","kind":"Scenario","spec":{"timeline":[
            {"at":1,"apply":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"containers":[{"name":"c","image":"i"}]}}},
            {"at":5,"apply":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"b"},"spec":{"containers":[{"name":"c","image":"i"}]}}}]}}"#
    );
    let mut recording = Recording::new(simulation(&text));
    let count = |recording: &Recording| crate::sim::testing::pods(recording.at()).len();
    recording.seek_time(Timestamp::from_secs(2));
    assert_eq!(count(&recording), 1);
    recording.seek_time(Timestamp::from_secs(6));
    assert_eq!(count(&recording), 2);
    recording.seek_time(Timestamp::ZERO);
    assert_eq!(count(&recording), 0);
    recording.seek_time(Timestamp::from_secs(3));
    assert_eq!(count(&recording), 1);
}

/// What is over before the run's end is over only at the end.
#[test]
fn the_clock_stays_before_the_horizon_although_nothing_more_is_due() {
    let text = format!(
        "{}\n---\n{{\"apiVersion\":\"berth/v1\",\"kind\":\"Scenario\",\"spec\":{{\"until\":\"400s\"}}}}",
        busy()
    );
    let mut recording = Recording::new(simulation(&text));
    recording.seek_time(Timestamp::from_micros(20_000_000));
    assert!(recording.at().now() <= Timestamp::from_micros(20_000_000));
    recording.seek_time(Timestamp::from_micros(400_000_000));
    assert_eq!(recording.at().now(), Timestamp::from_micros(400_000_000));
}
