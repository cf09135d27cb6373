//! How much each domain has been given: kube-scheduler's map from (topology key, value) to a number.

use alloc::sync::Arc;
use alloc::vec::Vec;

use smallvec::SmallVec;

use crate::node_set::NodeIndex;
use crate::snapshot::{Domain, DomainColumn, NodeInfo, Snapshot};

/// A number for each pair of topology key and value. A pair with 0 is as one that is not there.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairs {
    keys: SmallVec<[KeyPairs; 1]>,
    /// How many pairs are not 0.
    pairs: usize,
}

/// The pairs of one topology key.
#[derive(Clone, Debug)]
pub(super) struct KeyPairs {
    column: Arc<DomainColumn>,
    by_domain: Vec<i64>,
}

impl KeyPairs {
    /// The topology key.
    pub(super) fn key(&self) -> &Arc<str> {
        self.column.key()
    }

    /// The number of the domain in which the node of a row is; `None` when it lacks the key.
    pub(super) fn at(&self, row: NodeIndex) -> Option<i64> {
        Some(self.of(self.column.at(row)?))
    }

    /// The number of a value of the key.
    pub(super) fn of_value(&self, value: &str) -> i64 {
        self.column
            .of_value(value)
            .map_or(0, |domain| self.of(domain))
    }

    fn of(&self, domain: Domain) -> i64 {
        let count = self.by_domain.get(domain.as_usize());
        count.copied().unwrap_or(0)
    }

    /// Adds to a domain; says by how many the number of pairs that are not 0 grew or shrank.
    fn add(&mut self, domain: Domain, amount: i64) -> isize {
        let Some(slot) = self.by_domain.get_mut(domain.as_usize()) else {
            return 0;
        };
        let before = *slot;
        *slot = before.saturating_add(amount);
        match (before, *slot) {
            (0, after) if after != 0 => 1,
            (before, 0) if before != 0 => -1,
            _ => 0,
        }
    }
}

/// Takes amounts for the pairs of one key.
pub(super) struct Adder<'a> {
    pairs: &'a mut KeyPairs,
    grown: isize,
    touched: Touched,
}

impl Adder<'_> {
    /// Adds to the domain of a row; a row that lacks the key is passed over.
    pub(super) fn add(&mut self, row: NodeIndex, amount: i64) {
        if let Some(domain) = self.pairs.column.at(row) {
            self.grown += self.pairs.add(domain, amount);
            self.touched = Touched::Yes;
        }
    }
}

/// Whether any pair was added to, be it 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Touched {
    /// None was.
    #[default]
    No,
    /// At least one was.
    Yes,
}

impl Pairs {
    /// Whether every pair is 0.
    pub(super) const fn is_empty(&self) -> bool {
        self.pairs == 0
    }

    /// The pairs of each key.
    pub(super) fn keys(&self) -> &[KeyPairs] {
        &self.keys
    }

    /// The pairs of a key, if any may have been added to.
    pub(super) fn get(&self, topology_key: &str) -> Option<&KeyPairs> {
        self.keys
            .iter()
            .find(|pairs| **pairs.key() == *topology_key)
    }

    /// Adds amounts to the pairs of a key: those that `tell` gives to the [`Adder`].
    pub(super) fn add_rows(
        &mut self,
        snapshot: &Snapshot,
        topology_key: &str,
        tell: impl FnOnce(&mut Adder<'_>),
    ) -> Touched {
        let mut adder = Adder {
            pairs: self.entry(snapshot, topology_key),
            grown: 0,
            touched: Touched::No,
        };
        tell(&mut adder);
        let Adder { grown, touched, .. } = adder;
        self.pairs = self.pairs.saturating_add_signed(grown);
        touched
    }

    /// Adds an amount to the pair of one node that is in the snapshot.
    pub(super) fn add_node(
        &mut self,
        snapshot: &Snapshot,
        topology_key: &str,
        info: &NodeInfo,
        amount: i64,
    ) {
        let pairs = self.entry(snapshot, topology_key);
        if let Some(domain) = pairs.column.of_node(info) {
            let grown = pairs.add(domain, amount);
            self.pairs = self.pairs.saturating_add_signed(grown);
        }
    }

    fn entry(&mut self, snapshot: &Snapshot, topology_key: &str) -> &mut KeyPairs {
        let known = self
            .keys
            .iter()
            .position(|pairs| **pairs.key() == *topology_key);
        let place = known.unwrap_or_else(|| {
            let column = snapshot.domains(topology_key);
            let by_domain = alloc::vec![0; column.len()];
            self.keys.push(KeyPairs { column, by_domain });
            self.keys.len() - 1
        });
        self.keys
            .get_mut(place)
            .expect("the place was found or made above")
    }
}
