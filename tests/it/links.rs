//! Links that were made once open for ever, and lead to the same run.

use std::fs;

use berth_core::plugins;
use berth_core::sim::{Limits, LinkView, Loaded, decode_link, encode_link, prepare};
use berth_tests::root;

#[test]
fn every_link_ever_made_runs_to_its_digest() {
    let folder = root().join("tests/links");
    let text = fs::read_to_string(folder.join("s1.txt")).expect("the links are there");
    let mut links = 0;
    for line in text.lines() {
        let (digest, link) = line.split_once(' ').expect("a digest and a link");
        let (scenario, _) = decode_link(link).unwrap_or_else(|error| panic!("{digest}: {error}"));
        let again = encode_link("https://berth.example", &scenario, &LinkView::default());
        assert!(again.is_ok(), "{digest}: it can be shared again");
        let loaded = Loaded {
            scenario,
            ..Loaded::default()
        };
        let prepared = prepare(&loaded, None, Limits::PAGE, &plugins::in_tree());
        let mut simulation = prepared
            .unwrap_or_else(|errors| panic!("{digest}: {}", errors[0]))
            .simulation;
        simulation.run(&mut ());
        assert_eq!(simulation.digest(), digest, "{link}");
        links += 1;
    }
    assert!(links >= 5, "{links} links");
}
