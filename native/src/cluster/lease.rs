//! Which of several instances schedules: the one that holds a Lease.
//!
//! A holder that stays silent for as long as its lease lasts loses it. Times written by other machines are never compared
//! with the clock of this one: what counts is when this instance saw the lease change last.
//!
//! Source: spec, D.4.

use core::hash::BuildHasher as _;
use core::sync::atomic::{AtomicBool, Ordering};
use core::time::Duration;
use std::hash::RandomState;
use std::sync::Arc;
use std::time::Instant;

use berth_core::config::LeaderElection;
use berth_core::time::Span;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::time::sleep;
use tracing::{debug, error, info, warn};

use super::client::{Call, CallError, Client};
use super::rights;
use super::time::{micro_time, now};

/// The part of a Lease that elections are made of, with what makes a write conditional.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
struct Lease {
    metadata: LeaseMeta,
    spec: LeaseSpec,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct LeaseMeta {
    uid: String,
    resource_version: String,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct LeaseSpec {
    holder_identity: Option<String>,
    lease_duration_seconds: Option<i64>,
    acquire_time: Option<String>,
    renew_time: Option<String>,
    lease_transitions: Option<i64>,
}

impl LeaseSpec {
    fn holder(&self) -> &str {
        self.holder_identity.as_deref().unwrap_or_default()
    }
}

/// Takes part in an election.
pub(super) struct Candidate {
    client: Client,
    election: LeaderElection,
    identity: String,
    /// Who is named as the source of events.
    component: String,
    /// The lease as last seen, and when it was last seen to change.
    seen: Option<(Lease, Instant)>,
    /// When this instance last renewed, while it leads.
    health: Health,
}

/// Whether the leader is as well as it should be, for whoever asks from outside.
#[derive(Clone, Default)]
pub(crate) struct Health {
    leads: Arc<AtomicBool>,
    renewed: Arc<std::sync::Mutex<Option<Instant>>>,
}

impl Health {
    /// Whether this instance leads.
    pub(crate) fn leads(&self) -> bool {
        self.leads.load(Ordering::Relaxed)
    }

    /// How long ago the lease was renewed, while this instance leads.
    pub(crate) fn since_renewal(&self) -> Option<Duration> {
        let renewed = *self
            .renewed
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        renewed.filter(|_| self.leads()).map(|at| at.elapsed())
    }

    fn renew(&self, at: Option<Instant>) {
        *self
            .renewed
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner) = at;
        self.leads.store(at.is_some(), Ordering::Relaxed);
    }

    /// Leads without an election.
    pub(super) fn lead_for_good(&self) {
        self.leads.store(true, Ordering::Relaxed);
    }
}

impl Candidate {
    /// A candidate under a name that no other process has.
    pub(super) fn new(
        client: Client,
        election: LeaderElection,
        host: &str,
        component: String,
        health: Health,
    ) -> Self {
        let random = |salt: u8| RandomState::new().hash_one((salt, std::process::id()));
        let (high, low) = (random(0), random(1));
        let uuid = format!(
            "{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}",
            high >> 32,
            (high >> 16) & 0xffff,
            high & 0xfff,
            0x8000 | ((low >> 48) & 0x3fff),
            low & 0xffff_ffff_ffff
        );
        Self {
            client,
            election,
            identity: format!("{host}_{uuid}"),
            component,
            seen: None,
            health,
        }
    }

    /// Waits until this instance leads.
    pub(super) async fn acquire(&mut self) {
        info!(
            "attempting to acquire leader lease {}/{}...",
            self.election.resource_namespace, self.election.resource_name
        );
        let mut reported_holder = String::new();
        loop {
            if self.try_once().await {
                break;
            }
            if let Some((lease, _)) = &self.seen
                && lease.spec.holder() != reported_holder
            {
                lease.spec.holder().clone_into(&mut reported_holder);
                info!("new leader elected: {reported_holder}");
            }
            // Candidates do not all ask at the same moment.
            let period = duration(self.election.retry_period);
            let extra = u64::try_from(period.as_micros()).unwrap_or_default() / 5;
            sleep(period + Duration::from_micros(super::watch::jitter(extra.max(1)))).await;
        }
        info!(
            "successfully acquired lease {}/{}",
            self.election.resource_namespace, self.election.resource_name
        );
        self.record_event("became leader").await;
    }

    /// Renews the lease until that has failed for as long as the deadline allows.
    pub(super) async fn renew(&mut self) {
        let deadline = duration(self.election.renew_deadline);
        let mut renewed = Instant::now();
        loop {
            sleep(duration(self.election.retry_period)).await;
            let left = deadline.saturating_sub(renewed.elapsed());
            // A process that was stopped for long finds out here that its time is over, before it asks anybody.
            let is_renewed = !left.is_zero()
                && tokio::time::timeout(left, self.try_once())
                    .await
                    .unwrap_or(false);
            if is_renewed {
                renewed = Instant::now();
            } else if renewed.elapsed() >= deadline || self.is_led_by_another() {
                self.health.renew(None);
                return;
            }
        }
    }

    fn is_led_by_another(&self) -> bool {
        self.seen.as_ref().is_some_and(|(lease, _)| {
            !lease.spec.holder().is_empty() && lease.spec.holder() != self.identity
        })
    }

    /// Lets go, so that another instance can follow at once.
    pub(super) async fn release(&mut self) {
        self.health.renew(None);
        let Some((lease, _)) = self.seen.clone() else {
            return;
        };
        if lease.spec.holder() != self.identity {
            return;
        }
        let time = micro_time(now());
        let spec = LeaseSpec {
            holder_identity: Some(String::new()),
            lease_duration_seconds: Some(1),
            acquire_time: Some(time.clone()),
            renew_time: Some(time),
            lease_transitions: lease.spec.lease_transitions,
        };
        match self.update(&lease, spec).await {
            Ok(_) => self.record_event("stopped leading").await,
            Err(error) => warn!(%error, "failed to release the lease"),
        }
    }

    /// One try to become or to stay leader.
    async fn try_once(&mut self) -> bool {
        let began = Instant::now();
        match self.try_to_hold().await {
            Ok(true) => {
                self.health.renew(Some(began));
                true
            }
            Ok(false) => false,
            Err((verb, error)) => {
                match rights::missing_on(&error, verb, "coordination.k8s.io", "leases") {
                    Some(text) => error!("{text}"),
                    None if error.code() == Some(409) => {
                        debug!(%error, "another instance was faster")
                    }
                    None => error!(%error, "failed to {verb} the lease"),
                }
                false
            }
        }
    }

    async fn try_to_hold(&mut self) -> Result<bool, (&'static str, CallError)> {
        // The usual case: the lease is ours and nobody else has written it.
        if let Some((lease, seen)) = self.seen.clone()
            && lease.spec.holder() == self.identity
            && seen.elapsed() < lasts(&lease.spec)
        {
            if let Ok(written) = self.update(&lease, self.renewed(&lease.spec)).await {
                self.see(written);
                return Ok(true);
            }
            let lease = &*self.election.resource_name;
            self.client.note("leader_election_slowpath_total", &[lease]);
        }
        let lease: Lease = match self.client.call(&self.within(Call::get(self.path()))).await {
            Ok(lease) => lease,
            Err(error) if error.code() == Some(404) => {
                let created = self.create().await.map_err(|error| ("create", error))?;
                self.see(created);
                return Ok(true);
            }
            Err(error) => return Err(("get", error)),
        };
        self.see(lease.clone());
        let is_ours = lease.spec.holder() == self.identity;
        let is_free = lease.spec.holder().is_empty();
        if !is_ours && !is_free && self.seen_for() < lasts(&lease.spec) {
            return Ok(false);
        }
        let spec = self.renewed(&lease.spec);
        let written = self.update(&lease, spec).await;
        self.see(written.map_err(|error| ("update", error))?);
        Ok(true)
    }

    /// How long ago the lease was last seen to change.
    fn seen_for(&self) -> Duration {
        self.seen
            .as_ref()
            .map_or(Duration::ZERO, |(_, at)| at.elapsed())
    }

    fn see(&mut self, lease: Lease) {
        let is_same = self
            .seen
            .as_ref()
            .is_some_and(|(seen, _)| seen.spec == lease.spec);
        if is_same {
            if let Some((seen, _)) = &mut self.seen {
                seen.metadata = lease.metadata;
            }
        } else {
            self.seen = Some((lease, Instant::now()));
        }
    }

    /// The record of this instance as holder, after that one.
    fn renewed(&self, before: &LeaseSpec) -> LeaseSpec {
        let time = micro_time(now());
        let was_ours = before.holder() == self.identity;
        let transitions = before.lease_transitions.unwrap_or(0);
        LeaseSpec {
            holder_identity: Some(self.identity.clone()),
            lease_duration_seconds: Some(self.election.lease_duration.as_secs()),
            acquire_time: if was_ours {
                before.acquire_time.clone()
            } else {
                Some(time.clone())
            },
            renew_time: Some(time),
            lease_transitions: Some(if was_ours {
                transitions
            } else {
                transitions + 1
            }),
        }
    }

    async fn create(&self) -> Result<Lease, CallError> {
        let mut spec = self.renewed(&LeaseSpec::default());
        spec.lease_transitions = Some(0);
        let body = json!({
            "apiVersion": "coordination.k8s.io/v1",
            "kind": "Lease",
            "metadata": {
                "namespace": self.election.resource_namespace,
                "name": self.election.resource_name,
            },
            "spec": spec,
        });
        self.client
            .call(&self.within(Call::post(self.collection(), &body)))
            .await
    }

    async fn update(&self, lease: &Lease, spec: LeaseSpec) -> Result<Lease, CallError> {
        let body = json!({
            "apiVersion": "coordination.k8s.io/v1",
            "kind": "Lease",
            "metadata": {
                "namespace": self.election.resource_namespace,
                "name": self.election.resource_name,
                "uid": lease.metadata.uid,
                "resourceVersion": lease.metadata.resource_version,
            },
            "spec": spec,
        });
        self.client
            .call(&self.within(Call::put(self.path(), &body)))
            .await
    }

    /// An event of the core API about the lease.
    async fn record_event(&self, what: &str) {
        let namespace = &self.election.resource_namespace;
        let time = now();
        let seconds = super::time::now_in_seconds().to_string();
        let body = json!({
            "apiVersion": "v1",
            "kind": "Event",
            "metadata": {
                "namespace": namespace,
                "name": format!("{}.{:x}", self.election.resource_name, time.as_micros() * 1000),
            },
            "involvedObject": {
                "apiVersion": "coordination.k8s.io/v1",
                "kind": "Lease",
                "namespace": namespace,
                "name": self.election.resource_name,
            },
            "reason": "LeaderElection",
            "message": format!("{} {what}", self.identity),
            "source": {"component": self.component},
            "reportingComponent": self.component,
            "firstTimestamp": seconds,
            "lastTimestamp": seconds,
            "count": 1,
            "type": "Normal",
        });
        let path = format!("/api/v1/namespaces/{namespace}/events");
        let call = self.within(Call::post(path, &body));
        if let Err(error) = self.client.call::<serde::de::IgnoredAny>(&call).await {
            debug!(%error, "the event about leadership is not written");
        }
    }

    /// The call with the time that an election has for one.
    fn within(&self, call: Call) -> Call {
        call.within((duration(self.election.renew_deadline) / 2).max(Duration::from_secs(1)))
    }

    fn collection(&self) -> String {
        format!(
            "/apis/coordination.k8s.io/v1/namespaces/{}/leases",
            self.election.resource_namespace
        )
    }

    fn path(&self) -> String {
        format!("{}/{}", self.collection(), self.election.resource_name)
    }
}

/// How long a lease lasts after its last change.
fn lasts(spec: &LeaseSpec) -> Duration {
    let seconds = spec.lease_duration_seconds.unwrap_or_default();
    Duration::from_secs(u64::try_from(seconds).unwrap_or_default())
}

pub(crate) fn duration(span: Span) -> Duration {
    Duration::from_micros(u64::try_from(span.as_micros()).unwrap_or_default())
}
