//! The four states of a cell.

use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use super::{Matrix, NotRun, Saw};
use crate::explain::watch::{Attempt, PodWatch, Search};
use crate::framework::reason::Reason;
use crate::framework::status::{PluginName, Status};
use crate::framework::trace::{Observer, Record, Visit};
use crate::snapshot::PodRef;
use crate::time::Timestamp;

const NAME: PluginName = PluginName("NodeName");
const TAINT: PluginName = PluginName("TaintToleration");
const FIT: PluginName = PluginName("NodeResourcesFit");

fn attempt(record: Record) -> Attempt {
    let mut watch = PodWatch::new("default", "web");
    let pod = PodRef {
        namespace: Arc::from("default"),
        name: Arc::from("web"),
        uid: Arc::from("1"),
    };
    let started = Record::CycleStarted {
        pod,
        attempt: 1,
        profile: Arc::from("default-scheduler"),
        nodes: 3,
        cycle: 1,
    };
    watch.record(Timestamp::ZERO, started);
    watch.record(Timestamp::ZERO, record);
    watch.last().cloned().unwrap()
}

fn nodes() -> Vec<Arc<str>> {
    vec![Arc::from("a"), Arc::from("b"), Arc::from("c")]
}

#[test]
fn a_plugin_behind_the_rejecting_one_was_not_run() {
    let rejected = Status::unresolvable(Reason::NodeNameMismatch).by(TAINT);
    let visit = |node: &str, rejected| Visit {
        node: Arc::from(node),
        rejected,
        with_nominated: false,
    };
    let attempt = attempt(Record::Searched {
        start: 0,
        listed: 3,
        wanted: 1,
        visits: vec![visit("a", Some(rejected.clone())), visit("b", None)],
        skipped: vec![NAME],
        plugins: vec![NAME, TAINT, FIT],
        nominated_only: false,
    });
    let matrix = Matrix::of(&attempt, &nodes());
    let states = |node: &str| -> Vec<Saw> {
        let row = matrix.row(node).unwrap();
        row.cells.iter().map(|cell| cell.saw.clone()).collect()
    };
    let before = NotRun::RejectedBefore { plugin: TAINT };
    assert_eq!(
        states("a"),
        [
            Saw::Skipped,
            Saw::Rejected { status: rejected },
            Saw::NotRun { why: before }
        ]
    );
    assert_eq!(states("b"), [Saw::Skipped, Saw::Passed, Saw::Passed]);
    let why = NotRun::EnoughFound;
    assert_eq!(
        states("c"),
        [
            Saw::Skipped,
            Saw::NotRun { why: why.clone() },
            Saw::NotRun { why }
        ]
    );
    assert!(matrix.row("b").unwrap().is_feasible());
}

#[test]
fn a_pod_that_prefilter_rejected_has_no_search() {
    let attempt = attempt(Record::PreFiltered {
        plugin: FIT,
        status: Status::unresolvable(Reason::NoNodes),
        narrowed_to: None,
    });
    assert_eq!(attempt.search, None::<Search>);
    let matrix = Matrix::of(&attempt, &nodes());
    let why = NotRun::PodRejected { plugin: FIT };
    assert_eq!(matrix.row("a").unwrap().cells[0].saw, Saw::NotRun { why });
}
