//! When no node fits: PostFilter plugins look for a way out, and the attempt ends with what they found.
//!
//! Source: spec, scheduling cycle 7.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::config::{ExtensionPoint, Gate};
use crate::framework::extension::{Candidate, NominatingInfo, PostFilterStep, PostFiltered};
use crate::framework::fit_error::FitError;
use crate::framework::status::{Code, PluginName, Status};
use crate::framework::trace::{Observer, Record};

use super::Scheduler;
use super::attempt::{Attempt, Paused, Stage};
use super::cycle::{framework, handle};
use super::known::Io;

impl Scheduler {
    /// No node fits: PostFilter plugins look for a way out, one after another.
    ///
    /// Source: spec, scheduling cycle 7.
    pub(super) fn no_node_fits<O: Observer>(&mut self, attempt: Box<Attempt>, io: &mut Io<'_, O>) {
        self.post_filter_from(attempt, None, io);
    }

    /// Runs the PostFilter plugins after `after`, or all of them.
    fn post_filter_from<O: Observer>(
        &mut self,
        mut attempt: Box<Attempt>,
        after: Option<PluginName>,
        io: &mut Io<'_, O>,
    ) {
        let profiles = self.known.profiles.clone();
        let framework = framework(&profiles, &attempt);
        let pod = attempt.queued.pod.clone();
        let names: Vec<PluginName> = framework
            .post_filter()
            .map(|plugin| plugin.name())
            .collect();
        let skip = after
            .and_then(|after| names.iter().position(|name| *name == after))
            .map_or(0, |place| place + 1);
        let consults = self.has_preempt_extender(&pod);
        for plugin in framework.post_filter().skip(skip) {
            let name = plugin.name();
            let mut handle = handle(
                framework,
                &self.known,
                &mut self.snapshot,
                &self.queue,
                &mut self.rng,
                io,
            );
            handle.consults_extenders = consults;
            let step = plugin.post_filter(
                &mut handle,
                &attempt.state,
                &pod,
                &attempt.diagnosis.statuses,
            );
            let told = handle.take_told(&attempt.state);
            io.tell(told, framework);
            match step {
                PostFilterStep::Consult(candidates) => {
                    return self.ask_preempt_extenders(attempt, name, 0, candidates, io);
                }
                PostFilterStep::Done(done) => {
                    if self.take_post_filter(&mut attempt, name, done, io) {
                        break;
                    }
                }
            }
        }
        self.post_filter_done(attempt, io);
    }

    /// Goes on with the candidates that extenders left to a PostFilter plugin.
    pub(super) fn choose_candidate<O: Observer>(
        &mut self,
        mut attempt: Box<Attempt>,
        name: PluginName,
        candidates: Result<Vec<Candidate>, Status>,
        io: &mut Io<'_, O>,
    ) {
        let profiles = self.known.profiles.clone();
        let framework = framework(&profiles, &attempt);
        let pod = attempt.queued.pod.clone();
        let done = match candidates {
            Err(status) => PostFiltered {
                status,
                ..PostFiltered::default()
            },
            Ok(candidates) => {
                let mut handle = handle(
                    framework,
                    &self.known,
                    &mut self.snapshot,
                    &self.queue,
                    &mut self.rng,
                    io,
                );
                let plugin = framework.post_filter().find(|plugin| plugin.name() == name);
                let step = plugin.map(|plugin| plugin.choose(&mut handle, &pod, candidates));
                let told = handle.take_told(&attempt.state);
                io.tell(told, framework);
                match step {
                    Some(PostFilterStep::Done(done)) => done,
                    _ => PostFiltered::default(),
                }
            }
        };
        if self.take_post_filter(&mut attempt, name, done, io) {
            self.post_filter_done(attempt, io);
        } else {
            self.post_filter_from(attempt, Some(name), io);
        }
    }

    /// Takes in the answer of one PostFilter plugin; true when no other is asked.
    fn take_post_filter<O: Observer>(
        &self,
        attempt: &mut Attempt,
        plugin: PluginName,
        done: PostFiltered,
        io: &mut Io<'_, O>,
    ) -> bool {
        io.note(|| Record::PostFiltered {
            plugin,
            status: done.status.clone(),
            nominating: done.nominating.clone(),
        });
        let so_far = &mut attempt.post_filter;
        match done.status.code {
            Code::Success | Code::UnschedulableAndUnresolvable => {
                so_far.status = Some(done.status.by(plugin));
                so_far.nominating = done.nominating;
                so_far.evict = done.evict;
                true
            }
            Code::Unschedulable | Code::Pending => {
                match &mut so_far.status {
                    Some(status) => status.reasons.extend(done.status.reasons),
                    None => so_far.status = Some(done.status.by(plugin)),
                }
                so_far.nominating = done.nominating.or_else(|| so_far.nominating.take());
                false
            }
            _ => {
                so_far.status = Some(done.status.by(plugin));
                so_far.nominating = None;
                true
            }
        }
    }

    /// All PostFilter plugins that had a say have had it. Victims that one of them chose are asked to leave: in the
    /// background, or before the attempt ends.
    fn post_filter_done<O: Observer>(&mut self, mut attempt: Box<Attempt>, io: &mut Io<'_, O>) {
        let Some(candidate) = attempt.post_filter.evict.take() else {
            return self.search_failed(attempt, io);
        };
        let (pod, profile) = (attempt.queued.pod.clone(), attempt.profile.clone());
        if self.config.gates.enabled(Gate::SchedulerAsyncPreemption) {
            self.start_eviction(pod, profile, candidate, io);
            return self.search_failed(attempt, io);
        }
        let stage = Stage::Evict;
        self.paused = Some(Paused { attempt, stage });
        self.start_eviction(pod, profile, candidate, io);
    }

    /// No node fits, and that is the last word of this attempt.
    pub(super) fn search_failed<O: Observer>(
        &mut self,
        mut attempt: Box<Attempt>,
        io: &mut Io<'_, O>,
    ) {
        self.algorithm_done(&attempt, io);
        let profiles = self.known.profiles.clone();
        let framework = framework(&profiles, &attempt);
        let has_post_filter = framework.post_filter().next().is_some();
        let so_far = core::mem::take(&mut attempt.post_filter);
        let code = so_far
            .status
            .as_ref()
            .map_or(Code::Success, |status| status.code);
        if has_post_filter {
            io.point(ExtensionPoint::PostFilter.name(), code, framework.name());
        }
        let mut diagnosis = core::mem::take(&mut attempt.diagnosis);
        diagnosis.post_filter_message = so_far
            .status
            .map(|status| status.message())
            .unwrap_or_default();
        let fit = FitError {
            nodes: self.snapshot.len(),
            diagnosis,
        };
        let nominating = if has_post_filter {
            so_far.nominating.unwrap_or_default()
        } else {
            NominatingInfo::Override(Arc::from(""))
        };
        self.pod_unschedulable(attempt, Code::Unschedulable, fit, nominating, io);
    }
}
