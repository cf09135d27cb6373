//! Who said no to which node, as the figure counts it: gates in their order, each with how many nodes reach it and how
//! many it cuts; and every node of the cluster with its verdict.

use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::framework::reason::Reason;
use crate::framework::status::Status;
use crate::order::{self, SortedMap};

use crate::snapshot::PodInfo;
use crate::snapshot::affinity::AffinityTerm;

use super::timeline::{Attempt, NodeFacts, PodNow, Still, natural_order};

/// What became of a node in an attempt.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Not asked, or not yet.
    NotAsked,
    /// Every gate let it pass.
    Passed,
    /// A gate cut it.
    Rejected {
        /// The gate's place.
        gate: usize,
        /// The answer.
        status: Status,
    },
}

impl Verdict {
    /// The gate that cut the node.
    #[must_use]
    pub const fn gate(&self) -> Option<usize> {
        match self {
            Self::Rejected { gate, .. } => Some(*gate),
            _ => None,
        }
    }

    /// The first reason of a rejection.
    #[must_use]
    pub fn reason(&self) -> Option<&Reason> {
        match self {
            Self::Rejected { status, .. } => status.reasons.first(),
            _ => None,
        }
    }
}

/// What kind of gate it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GateKind {
    /// PreFilter plugins cut nodes before any was asked.
    PreFilter,
    /// A Filter plugin.
    Filter,
    /// A Filter plugin that had nothing to check.
    Skipped,
    /// An extender.
    Extender,
}

/// A rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Gate {
    /// The plugin or extender.
    pub name: String,
    /// What kind.
    pub kind: GateKind,
    /// How many nodes reach it.
    pub before: usize,
    /// How many of them it cuts.
    pub cut: usize,
}

impl Gate {
    /// Its name among the gates: a plugin that narrows the search may stand among them once more, as a filter.
    #[must_use]
    pub fn id(&self) -> String {
        match self.kind {
            GateKind::PreFilter => [self.name.as_str(), "/PreFilter"].concat(),
            _ => self.name.clone(),
        }
    }
}

/// A node with its verdict.
#[derive(Clone, Debug)]
pub struct Row {
    /// The node.
    pub node: Arc<NodeFacts>,
    /// Its verdict.
    pub verdict: Verdict,
    /// Whether pods nominated to it were counted in.
    pub with_nominated: bool,
    /// The pod in its domain on whose account it was rejected, if it was for the sake of neighbours.
    pub neighbour: Option<Arc<PodNow>>,
    /// How many such pods there are.
    pub neighbours: usize,
}

/// An attempt's search, counted.
#[derive(Clone, Debug, Default)]
pub struct Sift {
    /// The gates in their order.
    pub gates: Vec<Gate>,
    /// All nodes by zone and name.
    pub rows: Vec<Row>,
    /// How many nodes were in the game: those asked, and those that PreFilter cut.
    pub asked: usize,
    /// How many passed.
    pub passed: usize,
    /// Whether the search is over.
    pub is_done: bool,
    /// Whether only one node was asked, because it was nominated or alike pods were placed there.
    pub is_single: bool,
}

impl Sift {
    /// Counts an attempt. Nodes that are gone by now are left out.
    #[must_use]
    pub fn of(still: &Still, attempt: Option<&Attempt<'_>>) -> Self {
        Self::of_rows(Self::rows_of(still), still, attempt)
    }

    /// The nodes in their order, of which nothing is known yet.
    pub(super) fn rows_of(still: &Still) -> Vec<Row> {
        let mut rows: Vec<Row> = still
            .nodes()
            .map(|node| Row {
                node: node.clone(),
                verdict: Verdict::NotAsked,
                with_nominated: false,
                neighbour: None,
                neighbours: 0,
            })
            .collect();
        order::sort_by(&mut rows, |one, two| {
            natural_order(&one.node.zone, &two.node.zone)
                .then_with(|| natural_order(&one.node.name, &two.node.name))
        });
        rows
    }

    /// Counts an attempt over nodes in their order.
    pub(super) fn of_rows(rows: Vec<Row>, still: &Still, attempt: Option<&Attempt<'_>>) -> Self {
        let mut sift = Self {
            rows,
            ..Self::default()
        };
        if let Some(attempt) = attempt {
            sift.judge(attempt);
            sift.find_neighbours(still, attempt);
        }
        sift
    }

    fn judge(&mut self, attempt: &Attempt<'_>) {
        let places: SortedMap<Arc<str>, usize> = self
            .rows
            .iter()
            .enumerate()
            .map(|(place, row)| (row.node.name.clone(), place))
            .collect();
        self.take_pre_filter(attempt, &places);
        if let Some(search) = &attempt.search {
            self.take_search(search, &places);
        }
        for (extender, rejected) in &attempt.extenders {
            let gate = self.gates.len();
            self.gates.push(gate_of(extender, GateKind::Extender));
            for (node, status) in *rejected {
                self.set(&places, node, gate, status);
            }
        }
        self.is_done = attempt.choice.is_some()
            || attempt.failure.is_some()
            || attempt.search.is_some()
            || attempt.preemption.is_some();
        self.count();
    }

    /// A PreFilter plugin that rejects the pod cuts every node; one that narrows the search cuts those outside.
    fn take_pre_filter(&mut self, attempt: &Attempt<'_>, places: &SortedMap<Arc<str>, usize>) {
        let rejected = attempt.pre_filter.iter().find(|(_, status, _)| {
            status.is_rejected() || status.code == crate::framework::status::Code::Error
        });
        if let Some((plugin, status, _)) = rejected {
            self.gates.push(gate_of(plugin.0, GateKind::PreFilter));
            for row in &mut self.rows {
                row.verdict = Verdict::Rejected {
                    gate: 0,
                    status: (*status).clone(),
                };
            }
            return;
        }
        let narrowing: Vec<&str> = attempt
            .pre_filter
            .iter()
            .filter(|(_, _, narrowed)| narrowed.is_some())
            .map(|(plugin, _, _)| plugin.0)
            .collect();
        let (Some(first), Some(search)) = (narrowing.first(), &attempt.search) else {
            return;
        };
        if search.nominated_only || search.listed >= self.rows.len() {
            return;
        }
        self.gates.push(gate_of(first, GateKind::PreFilter));
        let status = Status::unresolvable(Reason::NotInPreFilterSet {
            plugins: narrowing.iter().map(|name| Arc::from(*name)).collect(),
        });
        let visited: Vec<usize> = search
            .visits
            .iter()
            .filter_map(|visit| places.get(&visit.node).copied())
            .collect();
        if visited.len() < search.listed {
            // The search stopped early: who was outside and who was not asked cannot be told apart.
            return;
        }
        for row in &mut self.rows {
            row.verdict = Verdict::Rejected {
                gate: 0,
                status: status.clone(),
            };
        }
        for place in visited {
            if let Some(row) = self.rows.get_mut(place) {
                row.verdict = Verdict::NotAsked;
            }
        }
    }

    fn take_search(
        &mut self,
        search: &super::timeline::Search<'_>,
        places: &SortedMap<Arc<str>, usize>,
    ) {
        self.is_single = search.nominated_only;
        let first = self.gates.len();
        for plugin in search.plugins {
            let kind = if search.skipped.contains(plugin) {
                GateKind::Skipped
            } else {
                GateKind::Filter
            };
            self.gates.push(gate_of(plugin.0, kind));
        }
        for visit in search.visits {
            let Some(row) = places
                .get(&visit.node)
                .and_then(|place| self.rows.get_mut(*place))
            else {
                continue;
            };
            row.with_nominated = visit.with_nominated;
            row.verdict = match &visit.rejected {
                None => Verdict::Passed,
                Some(status) => {
                    let by = status.plugin;
                    let gate = search.plugins.iter().position(|name| Some(*name) == by);
                    Verdict::Rejected {
                        gate: first + gate.unwrap_or(0),
                        status: status.clone(),
                    }
                }
            };
        }
    }

    /// Looks up which pod stands in the way where anti-affinity rejected: the record names the domain, not the pod.
    fn find_neighbours(&mut self, still: &Still, attempt: &Attempt<'_>) {
        let keys = self
            .rows
            .iter()
            .filter_map(|row| match row.verdict.reason() {
                Some(
                    Reason::PodAntiAffinity { topology_key }
                    | Reason::ExistingPodAntiAffinity { topology_key },
                ) => Some(topology_key.clone()),
                _ => None,
            });
        let mut keys: Vec<Arc<str>> = keys.collect();
        keys.sort_unstable();
        keys.dedup();
        let Some(subject) = still.pod(&attempt.pod.uid) else {
            return;
        };
        let subject = &subject.facts.info;
        for key in keys {
            let mut own: SortedMap<&str, (&Arc<PodNow>, usize)> = SortedMap::new();
            let mut others: SortedMap<&str, (&Arc<PodNow>, usize)> = SortedMap::new();
            for pod in still.pods() {
                let node = pod.on.as_ref().and_then(|(node, _)| still.node(node));
                let Some(domain) = node.and_then(|node| node.label(&key)) else {
                    continue;
                };
                let info = &pod.facts.info;
                let means = |terms: &[AffinityTerm], other: &PodInfo| {
                    let terms = terms.iter().filter(|term| term.topology_key == key);
                    terms
                        .into_iter()
                        .any(|term| term.matches(&other.pod, &NO_LABELS))
                };
                if means(&subject.affinity.required_anti, info) {
                    own.entry(domain).or_insert((pod, 0)).1 += 1;
                }
                if means(&info.affinity.required_anti, subject) {
                    others.entry(domain).or_insert((pod, 0)).1 += 1;
                }
            }
            for row in &mut self.rows {
                let table = match row.verdict.reason() {
                    Some(Reason::PodAntiAffinity { topology_key }) if *topology_key == key => &own,
                    Some(Reason::ExistingPodAntiAffinity { topology_key })
                        if *topology_key == key =>
                    {
                        &others
                    }
                    _ => continue,
                };
                let domain = row.node.label(&key).unwrap_or_default();
                if let Some((pod, count)) = table.get(domain) {
                    row.neighbour = Some(Arc::clone(pod));
                    row.neighbours = *count;
                }
            }
        }
    }

    fn set(
        &mut self,
        places: &SortedMap<Arc<str>, usize>,
        node: &str,
        gate: usize,
        status: &Status,
    ) {
        let place = places.get(node);
        if let Some(row) = place.and_then(|place| self.rows.get_mut(*place)) {
            row.verdict = Verdict::Rejected {
                gate,
                status: status.clone(),
            };
        }
    }

    fn count(&mut self) {
        self.passed = 0;
        let mut cuts = alloc::vec![0_usize; self.gates.len()];
        for row in &self.rows {
            match &row.verdict {
                Verdict::Passed => self.passed += 1,
                Verdict::Rejected { gate, .. } => {
                    if let Some(cut) = cuts.get_mut(*gate) {
                        *cut += 1;
                    }
                }
                Verdict::NotAsked => {}
            }
        }
        self.asked = self.passed + cuts.iter().sum::<usize>();
        let mut left = self.asked;
        for (gate, cut) in self.gates.iter_mut().zip(cuts) {
            gate.before = left;
            gate.cut = cut;
            left -= cut;
        }
    }

    /// The name of a gate; empty if there is none at that place.
    #[must_use]
    pub fn gate_name(&self, gate: usize) -> &str {
        self.gates.get(gate).map_or("", |gate| gate.name.as_str())
    }

    /// The gates that cut something, with their places.
    pub fn cuts(&self) -> impl Iterator<Item = (usize, &Gate)> {
        let numbered = self.gates.iter().enumerate();
        numbered.filter(|(_, gate)| gate.cut > 0)
    }

    /// How many plugins and extenders the gates are of.
    #[must_use]
    pub fn rules(&self) -> usize {
        let mut names: Vec<&str> = self.gates.iter().map(|gate| gate.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        names.len()
    }

    /// Nodes that nobody asked.
    #[must_use]
    pub fn not_asked(&self) -> usize {
        self.rows.len() - self.asked
    }

    /// The rejected rows of a gate.
    pub fn rejected_at(&self, gate: usize) -> impl Iterator<Item = &Row> {
        self.rows
            .iter()
            .filter(move |row| row.verdict.gate() == Some(gate))
    }
}

fn gate_of(name: &str, kind: GateKind) -> Gate {
    Gate {
        name: name.to_string(),
        kind,
        before: 0,
        cut: 0,
    }
}

/// Namespaces are not part of a film: a term that selects namespaces by label finds no neighbour here.
static NO_LABELS: SortedMap<String, String> = SortedMap::new();
