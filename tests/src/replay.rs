//! A run as bytes: every record and every decision, for holding one host against another and a run against itself.

use core::fmt::Write as _;

use berth_core::framework::trace::{Observer, Record};
use berth_core::plugins;
use berth_core::sim::{Fnv, Limits, SourceText, load, prepare};
use berth_core::time::Timestamp;

/// What a run came to, as text that is equal wherever the run is equal.
///
/// Lines: how many steps, the digest of decisions, how many records and the hash of all their bytes, then where each pod
/// was when the run ended.
///
/// # Panics
///
/// When the document is not a scenario that can run: the caller wrote it.
#[must_use]
pub fn answer(document: &str) -> String {
    let loaded = load(&[SourceText {
        name: "replay",
        bytes: document.as_bytes(),
    }]);
    assert!(loaded.errors.is_empty(), "{:?}", loaded.errors);
    let prepared = prepare(&loaded, None, Limits::COMMAND_LINE, &plugins::in_tree());
    let mut simulation = prepared.expect("the configuration is right").simulation;
    let mut bytes = Bytes::default();
    simulation.run(&mut bytes);
    let mut text = format!(
        "steps {}\ndigest {}\nrecords {} {}\n",
        simulation.steps(),
        simulation.digest(),
        bytes.records,
        bytes.hash.to_hex()
    );
    for object in simulation.world().list(berth_core::api::Kind::Pod) {
        if let berth_core::api::Object::Pod(pod) = object {
            let _ = writeln!(text, "{} {}", pod.full_name(), pod.spec.node_name);
        }
    }
    text
}

/// Hashes the bytes of every record.
#[derive(Debug)]
struct Bytes {
    hash: Fnv,
    records: u64,
}

impl Default for Bytes {
    fn default() -> Self {
        Self {
            hash: Fnv::new(),
            records: 0,
        }
    }
}

impl Observer for Bytes {
    fn record(&mut self, at: Timestamp, record: Record) {
        self.records += 1;
        self.hash.write(&at.as_micros().to_le_bytes());
        let text = serde_json::to_vec(&record).expect("records are data");
        self.hash.write(&text);
    }
}
