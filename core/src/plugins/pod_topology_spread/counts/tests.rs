use alloc::sync::Arc;
use alloc::vec::Vec;

use super::DomainCounts;
use crate::make::node;
use crate::rng::{Rng, Seed};
use crate::snapshot::{DomainColumn, NodeInfo};

#[test]
fn the_least_count_is_the_least_after_every_change() {
    let rows: Vec<_> = ["a", "b", "c", "d"]
        .map(|name| Arc::new(NodeInfo::new(node(name).build())))
        .into();
    let column = DomainColumn::of("kubernetes.io/hostname", &rows);
    let domains: Vec<_> = column.inhabited().collect();
    let mut rng = Rng::new(Seed(1));
    let mut counts = DomainCounts::with_room(column.len());
    let mut plain = [0; 4];
    domains.iter().for_each(|domain| counts.enter(*domain));
    counts.settle();
    for _ in 0..500 {
        let place = usize::try_from(rng.below(4)).expect("small");
        let by = [1, -1][usize::try_from(rng.below(2)).expect("small")];
        counts.change(domains[place], by);
        plain[place] += by;
        assert_eq!(counts.minimum(4), *plain.iter().min().expect("four"));
        assert_eq!(counts.minimum(5), 0);
        assert_eq!(counts.get(domains[place]), plain[place]);
    }
}
