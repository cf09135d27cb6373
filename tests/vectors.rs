//! Whether the plugins answer their vectors as kube-scheduler does.
//!
//! `BERTH_VECTORS` names another folder of vectors.

use std::io::Write as _;

use berth_core::plugins::NOT_BUILT_YET;
use berth_tests::vectors::{Report, folder};

#[test]
fn every_vector_is_answered_as_by_kube_scheduler() {
    let folder = folder();
    let report = Report::of(&folder, |plugin| {
        let is_missing = NOT_BUILT_YET.contains(&plugin);
        is_missing.then_some("the plugin is not built yet")
    });
    // Straight to the handle: the counts are worth seeing also when nothing is wrong.
    let mut stderr = std::io::stderr();
    write!(stderr, "{}:\n{report}", folder.display()).expect("standard error can be written to");
    assert!(
        report.disagreements.is_empty(),
        "{} disagreements:\n{}",
        report.disagreements.len(),
        report.disagreements.join("\n")
    );
    assert!(!report.counts.is_empty(), "nothing was compared");
}
