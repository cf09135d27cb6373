//! Carries out the scheduler's effects and reports what came of them.
//!
//! Calls about one pod are made one after another, in the order of the effects; calls about different pods side by side,
//! a limited number at a time. A report is never in the way of a call: reports wait in a line of their own, so that the
//! scheduler may stop listening for a moment.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use berth_core::framework::work::Outcome;
use berth_core::scheduler::{Effect, Ticket};
use tokio::sync::mpsc::{Receiver, Sender};
use tokio::task::JoinSet;

use super::calls::{self, StatusPatch};
use super::client::Client;
use super::extender::Extenders;
use crate::driver::{Order, Wake};

/// The carrier; see the module.
pub(super) struct Carrier {
    client: Client,
    extenders: Arc<Extenders>,
    /// Calls that have not begun, by the UID of the pod they are about. A pod is in here as long as one of its calls is
    /// under way or waits in `ready`.
    lines: HashMap<Arc<str>, VecDeque<Job>>,
    /// Whose turn it is, in order.
    ready: VecDeque<Arc<str>>,
    calls: JoinSet<Done>,
    reports: VecDeque<(Ticket, Outcome)>,
}

/// One effect on its way, with what its call needs.
struct Job {
    ticket: Ticket,
    order: Order,
}

/// A call that came back.
struct Done {
    subject: Arc<str>,
    ticket: Ticket,
    outcome: Outcome,
}

impl Carrier {
    /// A carrier that has nothing to do yet.
    pub(super) fn new(client: Client, extenders: Extenders) -> Self {
        Self {
            client,
            extenders: Arc::new(extenders),
            lines: HashMap::new(),
            ready: VecDeque::new(),
            calls: JoinSet::new(),
            reports: VecDeque::new(),
        }
    }

    /// Carries out orders until none can come any more and all are done.
    pub(super) async fn run(mut self, mut orders: Receiver<Order>, wake: Sender<Wake>) {
        let (mut is_open, mut is_heard) = (true, true);
        while is_open || !self.lines.is_empty() || !self.reports.is_empty() {
            self.begin_calls();
            if !is_heard {
                // Calls under way are ended properly, also when nobody asks what came of them.
                self.reports.clear();
            }
            tokio::select! {
                order = orders.recv(), if is_open => match order {
                    Some(order) => self.accept(order),
                    None => is_open = false,
                },
                Some(done) = self.calls.join_next() => {
                    if let Ok(done) = done {
                        self.finish(done);
                    }
                }
                permit = wake.reserve(), if !self.reports.is_empty() => {
                    is_heard = permit.is_ok();
                    if let Ok(permit) = permit
                        && let Some((ticket, outcome)) = self.reports.pop_front()
                    {
                        permit.send(Wake::Settled(ticket, outcome));
                    }
                }
            }
        }
    }

    fn accept(&mut self, order: Order) {
        let Some(ticket) = order.effect.ticket() else {
            return;
        };
        let subject = subject(&order.effect, ticket);
        if !self.lines.contains_key(&subject) {
            self.ready.push_back(subject.clone());
        }
        let line = self.lines.entry(subject).or_default();
        line.push_back(Job { ticket, order });
    }

    fn begin_calls(&mut self) {
        while self.calls.len() < MOST_CALLS {
            let Some(subject) = self.ready.pop_front() else {
                return;
            };
            let Some(job) = self.lines.get_mut(&subject).and_then(VecDeque::pop_front) else {
                continue;
            };
            let (client, extenders) = (self.client.clone(), self.extenders.clone());
            self.calls.spawn(async move {
                let outcome = carry_out(&client, &extenders, job.order).await;
                Done {
                    subject,
                    ticket: job.ticket,
                    outcome,
                }
            });
        }
    }

    fn finish(&mut self, done: Done) {
        self.reports.push_back((done.ticket, done.outcome));
        match self.lines.get(&done.subject) {
            Some(line) if line.is_empty() => {
                self.lines.remove(&done.subject);
            }
            Some(_) => self.ready.push_back(done.subject),
            None => {}
        }
    }
}

/// Whose turn a call takes: that of the pod it is about. Volumes and their claims belong to the pod that waits for them,
/// but nothing else is asked for that pod meanwhile, so they have turns of their own. A pod that is entered among a resource
/// claim's users may be taken out before the answer is there: it must be in before it is out.
fn subject(effect: &Effect, ticket: Ticket) -> Arc<str> {
    match effect {
        Effect::Bind { pod, .. }
        | Effect::PatchPodStatus { pod, .. }
        | Effect::DeletePod { pod, .. }
        | Effect::UnreserveResourceClaim { pod, .. } => pod.uid.clone(),
        Effect::UpdateResourceClaim { claim, .. } => {
            let users = claim.status.reserved_for.iter();
            Arc::from(users.last().map_or("", |user| &*user.uid))
        }
        _ => Arc::from(format!("ticket {}", ticket.0)),
    }
}

async fn carry_out(client: &Client, extenders: &Extenders, order: Order) -> Outcome {
    match order.effect {
        Effect::Bind { pod, node, .. } => calls::bind(client, &pod, &node).await,
        Effect::PatchPodStatus {
            pod,
            condition,
            nominated_node_name,
            ..
        } => {
            let patch = StatusPatch {
                pod,
                condition,
                nominated_node_name,
                observed: order.observed,
            };
            calls::patch_status(client, &patch).await
        }
        Effect::DeletePod { pod, .. } => calls::delete_pod(client, &pod).await,
        Effect::UpdateVolumes {
            volumes, claims, ..
        } => calls::update_volumes(client, &volumes, &claims).await,
        Effect::UpdateResourceClaim { claim, .. } => {
            calls::update_resource_claim(client, &claim).await
        }
        Effect::UnreserveResourceClaim { claim, pod, .. } => {
            calls::unreserve_resource_claim(client, &claim, &pod).await
        }
        Effect::AskExtender { extender, call, .. } => {
            extenders.ask(extender, &call, &order.attached).await
        }
        Effect::RecordEvent { .. } => Outcome::Done,
    }
}

/// How many calls are under way at once.
const MOST_CALLS: usize = 64;
