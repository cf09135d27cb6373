//! The story of one attempt: pop, skip rules, PreFilter, Filter, Score, a host; or no host.
//!
//! Source: spec, scheduling cycle 4 to 7.

use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::config::ExtensionPoint;
use crate::framework::cycle_state::CycleState;
use crate::framework::fit_error::Diagnosis;
use crate::framework::handle::{Counts, Handle};
use crate::framework::reason::Reason;
use crate::framework::run::{PreFilterResult, ScoreColumns, Scores};
use crate::framework::runtime::Framework;
use crate::framework::status::{Code, Status};
use crate::framework::trace::{Choice, MetricValue, Observer, Record, TieRule, Visit};
use crate::node_set::NodeIndex;
use crate::order::SortedMap;
use crate::queue::{QueuedPodInfo, SchedulingQueue};
use crate::rng::Rng;
use crate::snapshot::Snapshot;

use super::Scheduler;
use super::attempt::{Attempt, PostFilterSoFar};
use super::known::{Io, Known, failed_scheduling};
use super::search::{nodes_to_find, search};
use super::select::{Scored, randomizer, select_host};

impl Scheduler {
    /// Pops a pod and runs its attempt as far as it goes.
    pub(super) fn schedule_one<O: Observer>(&mut self, io: &mut Io<'_, O>) {
        if self.paused.is_some() {
            return;
        }
        let Some(queued) = self.queue.pop(&mut self.known.queue_call(io)) else {
            return;
        };
        if self.is_skipped(&queued, io) {
            self.queue
                .done(&mut self.known.queue_call(io), &queued.pod.reference.uid);
            return;
        }
        let mut attempt = Box::new(Attempt {
            profile: Arc::from(queued.pod.pod.spec.scheduler_name.as_str()),
            queued,
            state: CycleState::default(),
            diagnosis: Diagnosis::default(),
            started: io.now,
            narrowed: None,
            feasible: Vec::new(),
            scores: Scores::default(),
            priorities: SortedMap::new(),
            signature: None,
            hint: None,
            post_filter: PostFilterSoFar::default(),
        });
        let updated = self.cache.update_snapshot(&mut self.snapshot);
        io.note(|| Record::CycleStarted {
            pod: attempt.queued.pod.reference.clone(),
            attempt: attempt.queued.attempts,
            profile: attempt.profile.clone(),
            nodes: self.snapshot.len(),
            cycle: self.queue.scheduling_cycle(),
        });
        if let Err(error) = updated {
            return self.algorithm_failed(attempt, Status::error(error.to_string()), io);
        }
        if self.snapshot.is_empty() {
            return self.algorithm_failed(attempt, Status::unresolvable(Reason::NoNodes), io);
        }
        match self.pre_filter(&mut attempt, io) {
            Err(status) => self.algorithm_failed(attempt, status, io),
            Ok(PreFilterVerdict::Rejected) => self.no_node_fits(attempt, io),
            Ok(PreFilterVerdict::Search) if self.try_promising_node(&mut attempt, io) => {
                self.nominated_node_fits(attempt, io);
            }
            Ok(PreFilterVerdict::Search) => self.search_all(attempt, io),
        }
    }

    /// The search for a node failed with something else than that no node fits.
    pub(super) fn algorithm_failed<O: Observer>(
        &mut self,
        attempt: Box<Attempt>,
        status: Status,
        io: &mut Io<'_, O>,
    ) {
        self.algorithm_done(&attempt, io);
        self.fail(attempt, status, io);
    }

    /// Pods that are not tried at all.
    ///
    /// Source: spec, scheduling cycle 5.
    fn is_skipped<O: Observer>(&self, queued: &QueuedPodInfo, io: &mut Io<'_, O>) -> bool {
        let pod = &queued.pod.pod;
        if self.known.profiles.get(&pod.spec.scheduler_name).is_none() {
            io.trouble(|| {
                [
                    "profile not found for scheduler name \"",
                    &pod.spec.scheduler_name,
                    "\"",
                ]
                .concat()
            });
            return true;
        }
        if pod.is_terminating() {
            let note = ["skip schedule deleting pod: ", &pod.full_name()].concat();
            let profile = Arc::from(pod.spec.scheduler_name.as_str());
            io.event(failed_scheduling(
                queued.pod.reference.clone(),
                note,
                profile,
            ));
            return true;
        }
        self.cache.is_assumed_pod(&pod.metadata.uid)
    }

    /// Runs PreFilter and notes what it comes to.
    fn pre_filter<O: Observer>(
        &mut self,
        attempt: &mut Attempt,
        io: &mut Io<'_, O>,
    ) -> Result<PreFilterVerdict, Status> {
        let profiles = self.known.profiles.clone();
        let framework = framework(&profiles, attempt);
        let pod = attempt.queued.pod.clone();
        let handle = handle(
            framework,
            &self.known,
            &mut self.snapshot,
            &self.queue,
            &mut self.rng,
            io,
        );
        let result = framework.run_pre_filter(
            &handle.context(),
            &mut attempt.state,
            &pod,
            |plugin, status, narrowed_to| {
                io.note(|| Record::PreFiltered {
                    plugin,
                    status: status.clone(),
                    narrowed_to,
                });
                if !status.is_skip() {
                    io.evaluated(ExtensionPoint::PreFilter, framework.name(), [(plugin, 1)]);
                }
            },
        );
        io.point(
            ExtensionPoint::PreFilter.name(),
            result.status.code,
            framework.name(),
        );
        if !result.status.is_success() && !result.status.is_rejected() {
            return Err(result.status);
        }
        Ok(self.apply_pre_filter(attempt, result))
    }

    fn apply_pre_filter(&self, attempt: &mut Attempt, result: PreFilterResult) -> PreFilterVerdict {
        let diagnosis = &mut attempt.diagnosis;
        if result.status.is_rejected() {
            diagnosis.pre_filter_message = result.status.message();
            diagnosis.add_plugin(&result.status);
            if result.status.plugin.is_none() {
                diagnosis.unschedulable_plugins.extend(result.narrowed_by);
            }
            diagnosis.statuses.absent = Some(result.status);
            return PreFilterVerdict::Rejected;
        }
        if let Some(names) = &result.nodes {
            let mut rows: Vec<NodeIndex> = names
                .iter()
                .filter_map(|name| self.snapshot.row(name))
                .collect();
            rows.sort_unstable();
            attempt.narrowed = Some(rows);
            let plugins = result.plugin_names();
            diagnosis.statuses.absent =
                Some(Status::unresolvable(Reason::NotInPreFilterSet { plugins }));
        }
        PreFilterVerdict::Search
    }

    /// Asks one promising node alone: the nominated one, else the one that the ranking of the pod before suggests. True
    /// when it is feasible, extenders aside.
    ///
    /// Source: spec, scheduling cycle 6.3.
    fn try_promising_node<O: Observer>(
        &mut self,
        attempt: &mut Attempt,
        io: &mut Io<'_, O>,
    ) -> bool {
        let pod = attempt.queued.pod.clone();
        let name = &pod.pod.status.nominated_node_name;
        let hint = self.node_hint(attempt, io);
        let row = if name.is_empty() {
            hint
        } else {
            attempt.hint = None;
            self.snapshot.row(name)
        };
        let Some(row) = row else {
            if !name.is_empty() {
                io.trouble(|| ["nominated node \"", name, "\" is not in the snapshot"].concat());
            }
            return false;
        };
        let profiles = self.known.profiles.clone();
        let framework = framework(&profiles, attempt);
        let mut handle = handle(
            framework,
            &self.known,
            &mut self.snapshot,
            &self.queue,
            &mut self.rng,
            io,
        );
        let (status, with_nominated) = handle.filter_with_nominated(&attempt.state, &pod, row);
        let node = handle.snapshot.name(row).clone();
        handle.note(|| Record::Searched {
            start: row.as_usize(),
            listed: 1,
            wanted: 1,
            visits: alloc::vec![Visit {
                node,
                rejected: (!status.is_success()).then(|| status.clone()),
                with_nominated,
            }],
            skipped: attempt.state.skip_filter.to_vec(),
            plugins: framework.filter().map(|plugin| plugin.name()).collect(),
            nominated_only: true,
        });
        let told = handle.take_told(&attempt.state);
        io.tell(told, framework);
        note_filter(framework, &status, io);
        if status.is_success() {
            attempt.feasible.push(row);
            return true;
        }
        if status.is_rejected() {
            attempt.diagnosis.add_plugin(&status);
            attempt.diagnosis.statuses.set(row, status);
        } else {
            io.trouble(|| ["asking a promising node alone: ", &status.message()].concat());
        }
        false
    }

    /// Searches the list of nodes from where the last search stopped.
    pub(super) fn search_all<O: Observer>(
        &mut self,
        mut attempt: Box<Attempt>,
        io: &mut Io<'_, O>,
    ) {
        let profiles = self.known.profiles.clone();
        let framework = framework(&profiles, &attempt);
        let listed = attempt
            .narrowed
            .as_ref()
            .map_or(self.snapshot.len(), Vec::len);
        let wanted = self.wanted(framework, listed);
        let start = self.next_start;
        let mut handle = handle(
            framework,
            &self.known,
            &mut self.snapshot,
            &self.queue,
            &mut self.rng,
            io,
        );
        let outcome = search(&mut handle, &mut attempt, start % listed.max(1), wanted);
        let told = handle.take_told(&attempt.state);
        io.tell(told, framework);
        let status = outcome
            .as_ref()
            .map_or_else(Status::clone, |()| Status::success());
        note_filter(framework, &status, io);
        let processed = attempt.feasible.len() + attempt.diagnosis.statuses.len();
        self.next_start = (self.next_start + processed) % self.snapshot.len();
        match outcome {
            Err(status) => self.algorithm_failed(attempt, status, io),
            Ok(()) => self.ask_filter_extenders(attempt, io),
        }
    }

    fn wanted(&self, framework: &Framework, listed: usize) -> usize {
        let percentage = framework
            .percentage_of_nodes_to_score()
            .unwrap_or(self.config.percentage_of_nodes_to_score);
        let extenders = &self.config.extenders;
        let filters = extenders
            .iter()
            .any(|extender| !extender.filter_verb.is_empty());
        let prioritizes = extenders
            .iter()
            .any(|extender| !extender.prioritize_verb.is_empty());
        let nothing_scores = !filters && !prioritizes && framework.score().next().is_none();
        nodes_to_find(listed, percentage, nothing_scores)
    }

    /// Goes on with the nodes that plugins and extenders left.
    pub(super) fn feasible_nodes_found<O: Observer>(
        &mut self,
        mut attempt: Box<Attempt>,
        io: &mut Io<'_, O>,
    ) {
        match attempt.feasible.as_slice() {
            [] => self.no_node_fits(attempt, io),
            [only] => {
                let row = *only;
                self.host_chosen(attempt, (row, 0), &[], &[], io);
            }
            _ => match self.score(&mut attempt, io) {
                Err(status) => self.algorithm_failed(attempt, status, io),
                Ok(()) => self.ask_prioritize_extenders(attempt, io),
            },
        }
    }

    fn score<O: Observer>(
        &mut self,
        attempt: &mut Attempt,
        io: &mut Io<'_, O>,
    ) -> Result<(), Status> {
        let profiles = self.known.profiles.clone();
        let framework = framework(&profiles, attempt);
        let pod = attempt.queued.pod.clone();
        let handle = handle(
            framework,
            &self.known,
            &mut self.snapshot,
            &self.queue,
            &mut self.rng,
            io,
        );
        let cx = handle.context();
        let profile = framework.name();
        let prepared = framework.run_pre_score(
            &cx,
            &mut attempt.state,
            &pod,
            &attempt.feasible,
            |plugin, code| {
                io.note(|| Record::PreScored { plugin, code });
                if code != Code::Skip {
                    io.evaluated(ExtensionPoint::PreScore, profile, [(plugin, 1)]);
                }
            },
        );
        io.point(ExtensionPoint::PreScore.name(), code_of(&prepared), profile);
        prepared?;
        let columns = if O::IS_LISTENING {
            ScoreColumns::Kept
        } else {
            ScoreColumns::AddedUp
        };
        let scored = framework.run_score(&cx, &attempt.state, &pod, &attempt.feasible, columns);
        io.point(ExtensionPoint::Score.name(), code_of(&scored), profile);
        attempt.scores = scored?;
        let nodes = attempt.feasible.len() as u64;
        let asked = framework.score().map(|plugin| plugin.name());
        let asked = asked.filter(|name| !attempt.state.skip_score.contains(name));
        io.evaluated(
            ExtensionPoint::Score,
            profile,
            asked.map(|name| (name, nodes)),
        );
        Ok(())
    }

    /// Adds the scores up and takes the best node.
    ///
    /// Source: spec, scheduling cycle 6.9 and 6.10.
    pub(super) fn choose_host<O: Observer>(
        &mut self,
        mut attempt: Box<Attempt>,
        io: &mut Io<'_, O>,
    ) {
        let extenders = self.extender_contributions(&attempt);
        let totals = self.totals(&mut attempt, &extenders);
        let rng = &mut self.rng;
        let scored: Vec<Scored> = totals
            .iter()
            .enumerate()
            .map(|(place, total)| Scored {
                total: *total,
                randomizer: extenders
                    .get(place)
                    .copied()
                    .flatten()
                    .map_or(0, |_| randomizer(rng)),
            })
            .collect();
        io.note(|| Record::Scored {
            nodes: self.node_names(&attempt.feasible),
            columns: attempt.scores.columns.clone(),
            extenders: (0..totals.len())
                .map(|place| extenders.get(place).copied().flatten().unwrap_or(0))
                .collect(),
            totals: totals.clone(),
        });
        let rng = &mut self.rng;
        let place = select_host(&scored, self.tie_rule, &mut |bound| {
            let value = rng.below(bound);
            io.note(|| Record::Drawn {
                purpose: "tie",
                bound,
                value,
            });
            value
        });
        let chosen =
            place.and_then(|place| Some((*attempt.feasible.get(place)?, *totals.get(place)?)));
        let Some(chosen) = chosen else {
            return self.algorithm_failed(attempt, Status::error("empty priorityList"), io);
        };
        self.host_chosen(attempt, chosen, &totals, &scored, io);
    }

    /// The total of each feasible node: what plugins give it by their weights, and what extenders add.
    fn totals(&self, attempt: &mut Attempt, extenders: &[Option<i64>]) -> Vec<i64> {
        let mut totals = core::mem::take(&mut attempt.scores.totals);
        if attempt.scores.plugins == 0 && self.config.extenders.is_empty() {
            totals.fill(1);
        }
        for (total, score) in totals.iter_mut().zip(extenders) {
            *total = total.saturating_add(score.unwrap_or(0));
        }
        totals
    }

    /// `totals` and `scored` are empty when the only feasible node was taken without scoring it.
    fn host_chosen<O: Observer>(
        &mut self,
        attempt: Box<Attempt>,
        (row, score): (NodeIndex, i64),
        totals: &[i64],
        scored: &[Scored],
        io: &mut Io<'_, O>,
    ) {
        let node = self.snapshot.name(row).clone();
        io.note(|| {
            let best = attempt.feasible.iter().zip(totals);
            let best = best.filter(|(_, total)| **total == score);
            let mut tied: Vec<NodeIndex> = best.map(|(row, _)| *row).collect();
            if totals.is_empty() {
                tied.push(row);
            }
            Record::Chosen {
                pod: attempt.queued.pod.reference.clone(),
                choice: Choice {
                    node: node.clone(),
                    score,
                    tied: self.node_names(&tied),
                    tie_rule: if tied.len() > 1 {
                        self.tie_rule
                    } else {
                        TieRule::SearchOrder
                    },
                },
                evaluated: attempt.feasible.len() + attempt.diagnosis.statuses.len(),
                feasible: attempt.feasible.len(),
            }
        });
        self.algorithm_done(&attempt, io);
        self.store_ranking(&attempt, row, scored, io);
        self.reserve(attempt, row, node, io);
    }

    pub(super) fn algorithm_done<O: Observer>(&self, attempt: &Attempt, io: &mut Io<'_, O>) {
        let time = MetricValue::Time(io.now.since(attempt.started));
        io.metric("scheduling_algorithm_duration_seconds", &[], time);
    }
}

/// The profile of an attempt.
///
/// # Panics
///
/// Never: an attempt begins only for a pod whose profile exists, and profiles do not change.
pub(super) fn framework<'a>(
    profiles: &'a crate::framework::profiles::Profiles,
    attempt: &Attempt,
) -> &'a Framework {
    profiles
        .get(&attempt.profile)
        .expect("an attempt has a profile")
}

/// What the serial part of an attempt works on.
pub(super) fn handle<'a, O: Observer>(
    framework: &'a Framework,
    known: &'a Known,
    snapshot: &'a mut Snapshot,
    queue: &'a SchedulingQueue,
    rng: &'a mut Rng,
    io: &Io<'_, O>,
) -> Handle<'a> {
    Handle {
        framework,
        now: io.now,
        snapshot,
        listers: &known.listers,
        memory: &known.memory,
        nominated: queue,
        rng,
        consults_extenders: false,
        records: io.records(),
        counts: O::IS_COUNTING.then(Counts::default),
    }
}

/// Filter is through with all nodes that it was asked about; without a Filter plugin it was not asked.
fn note_filter<O: Observer>(framework: &Framework, status: &Status, io: &mut Io<'_, O>) {
    if framework.filter().next().is_some() {
        let code = match status.code {
            Code::Error => Code::Error,
            _ => Code::Success,
        };
        io.point(ExtensionPoint::Filter.name(), code, framework.name());
    }
}

fn code_of<T>(result: &Result<T, Status>) -> Code {
    result
        .as_ref()
        .map_or_else(|status| status.code, |_| Code::Success)
}

/// What PreFilter comes to for the pod as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PreFilterVerdict {
    /// Nodes are looked at, all of them or those in a set; the set may name none that exists.
    Search,
    /// No node is looked at.
    Rejected,
}

/// A counter goes up by one.
pub(super) const ONE: MetricValue = MetricValue::Add(1);
