//! The API server of a real cluster: what is read from it and what is written to it.
//!
//! | File | Answers |
//! |---|---|
//! | `client`, `bucket`, `lines` | how a request is made, how often, and how its answer is read |
//! | `kubeconfig` | which file says where the server is, and what in it cannot be used |
//! | `resources`, `watch` | which objects are read, and how changes of them arrive |
//! | `carrier`, `calls`, `extender` | how an effect becomes a call, and its answer a settled ticket |
//! | `events` | what people are told |
//! | `lease` | which of several instances schedules |
//! | `rights` | what to say when a right is missing |
//! | `capture` | a cluster as a scenario |
//! | `review` | who somebody else is, and what they may |
//! | `policy` | a Policy that is kept in the cluster |
//! | `time` | what the calendar says |
//!
//! It decides nothing: the scheduler does, in the thread of `driver`.

mod bucket;
mod calls;
mod capture;
mod carrier;
mod client;
mod events;
mod extender;
mod kubeconfig;
mod lease;
mod lines;
mod policy;
mod resources;
mod review;
mod rights;
mod time;
mod watch;

use core::time::Duration;
use std::thread;
use std::time::Instant;

use berth_core::api::Kind;
use berth_core::config::{Configuration, Gate, to_v1};
use berth_core::rng::Seed;
use berth_core::scheduler::Scheduler;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc::{Sender, channel};
use tokio::sync::oneshot;
use tokio::sync::watch as latest;
use tokio::task::JoinSet;
use tracing::{error, info};

use crate::driver::{Driver, Order, Wake};
use crate::error::Error;
use crate::serve::{self, Checks, Counter, Metrics, ServeOptions, Served, Zpages};

use carrier::Carrier;
use client::Client;
use events::Recorder;
use extender::Extenders;
use lease::Candidate;

pub(crate) use capture::{CaptureOptions, capture};
pub(crate) use events::{EventSink, Told};
pub(crate) use extender::Attached;
pub(crate) use lease::{Health, duration};
pub(crate) use policy::{ServerOptions, config_map_value};
pub(crate) use review::{Reviewer, reviewer};

/// What a scheduler of a real cluster is started with.
pub(crate) struct Setup {
    /// The configuration, complete.
    pub(crate) configuration: Configuration,
    /// The kubeconfig's context, if not its current one.
    pub(crate) context: Option<String>,
    /// The address of the API server, if not the kubeconfig's.
    pub(crate) master: String,
    /// What randomness starts from.
    pub(crate) seed: Seed,
    /// Where and how to serve health and metrics.
    pub(crate) serve: ServeOptions,
}

/// Schedules until a signal comes or leadership is lost.
pub(crate) fn run(setup: Setup) -> Result<(), Error> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let runtime = runtime.map_err(|error| Error::Cluster(error.to_string()))?;
    runtime.block_on(go(setup))
}

async fn go(setup: Setup) -> Result<(), Error> {
    let configuration = setup.configuration;
    let limits = &configuration.client_connection;
    let config =
        client::connection(&limits.kubeconfig, setup.context.as_deref(), &setup.master).await?;
    let metrics = Metrics::default();
    let started_at = time::now_in_seconds();
    metrics.set_constants(configuration.gates, started_at);
    let client = |part| Client::new(&config, limits, part).map(|client| client.counted(&metrics));
    let (main, for_events) = (client("scheduler")?, client("events")?);
    let for_lease = client("leader-election")?;
    let extenders = Extenders::new(&configuration.extenders).await?;
    let kinds = resources::watched(&configuration);
    let scheduler = Scheduler::new(configuration.clone(), &serve::registry(), setup.seed)?;
    metrics.set_zeroes(scheduler.profiles());

    let host = host_name();
    let (wake, inbox) = channel::<Wake>(MOST_WAKES);
    let (orders, ordered) = channel::<Order>(MOST_ORDERS);
    let (synced, has_synced) = latest::channel(false);
    let (recorder, sink) = Recorder::new(for_events, host.clone());
    let counter = Counter::new(metrics.clone());
    let driver = Driver::new(scheduler, counter, &kinds, inbox, orders, sink, synced);

    let health = Health::default();
    let checks = checks(&configuration, has_synced.clone());
    let served = Served {
        metrics,
        checks: checks.clone(),
        health: health.clone(),
        configz: configz(&configuration),
        profiling: configuration.enable_profiling,
        zpages: Zpages {
            flagz: configuration.gates.enabled(Gate::ComponentFlagz),
            statusz: configuration.gates.enabled(Gate::ComponentStatusz),
        },
        flags: setup.serve.flags.clone(),
        started_at,
        started: Instant::now(),
        wake: wake.clone(),
    };
    let mut servers = JoinSet::new();
    serve::start(&setup.serve, served, &mut servers).await?;
    let mut writers = JoinSet::new();
    writers.spawn(Carrier::new(main.clone(), extenders).run(ordered, wake.clone()));
    writers.spawn(recorder.run());
    let (thread, thread_ended) = start_thread(driver)?;
    let mut candidate = candidate(&configuration, for_lease, &host, &health);
    let mut running = Running {
        delays: configuration.delay_cache_until_active,
        client: main,
        kinds,
        health,
        checks,
        wake,
        has_synced,
        thread: Some(thread),
        watches: JoinSet::new(),
        writers,
        servers,
    };
    let ended = tokio::select! {
        ended = running.lead(candidate.as_mut()) => ended,
        () = terminated() => End::Signal,
        _ = thread_ended => End::Panic,
    };
    tokio::select! {
        () = running.shut_down(candidate) => ended.into_result(),
        () = terminated() => Err(Error::Interrupted),
    }
}

/// The configuration as kube-scheduler serves it, which writes weights of 0 and leaves out what is false by default.
fn configz(configuration: &Configuration) -> String {
    let (mut document, _) = to_v1(configuration);
    if document["delayCacheUntilActive"] == false
        && let Some(fields) = document.as_object_mut()
    {
        fields.remove("delayCacheUntilActive");
    }
    let profiles = document["profiles"].as_array_mut().into_iter().flatten();
    let points = profiles.filter_map(|profile| profile["plugins"].as_object_mut());
    for point in points.flat_map(|points| points.values_mut()) {
        let lists = point.as_object_mut().into_iter().flatten();
        for plugin in lists.filter_map(|(_, list)| list.as_array_mut()).flatten() {
            if plugin["weight"].is_null() {
                plugin["weight"] = 0.into();
            }
        }
    }
    serde_json::json!({"componentconfig": document}).to_string()
}

/// The checks behind the health endpoints.
fn checks(configuration: &Configuration, has_synced: latest::Receiver<bool>) -> Checks {
    let election = &configuration.leader_election;
    let lease = election.leader_elect.then(|| {
        let lasts = duration(election.lease_duration);
        (election.resource_name.clone(), lasts)
    });
    Checks::new(lease, has_synced)
}

/// This instance as a candidate, where there is an election.
fn candidate(
    configuration: &Configuration,
    client: Client,
    host: &str,
    health: &Health,
) -> Option<Candidate> {
    let election = configuration.leader_election.clone();
    let component = configuration.profiles.first();
    let component = component.map_or_else(String::new, |profile| profile.scheduler_name.clone());
    election
        .leader_elect
        .then(|| Candidate::new(client, election, host, component, health.clone()))
}

/// Gives the scheduler a thread of its own. The receiver hears when that has ended, however it did.
fn start_thread(
    driver: Driver<Counter>,
) -> Result<(thread::JoinHandle<()>, oneshot::Receiver<()>), Error> {
    let fault = |error: std::io::Error| Error::Cluster(error.to_string());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .map_err(fault)?;
    let (alive, thread_ended) = oneshot::channel::<()>();
    let thread = thread::Builder::new()
        .name("scheduler".to_owned())
        .spawn(move || {
            runtime.block_on(driver.run());
            drop(alive);
        });
    Ok((thread.map_err(fault)?, thread_ended))
}

/// A scheduler that is at work, and what must be brought to an end with it.
struct Running {
    /// Whether nothing is watched before this instance leads.
    delays: bool,
    client: Client,
    kinds: Vec<Kind>,
    health: Health,
    checks: Checks,
    wake: Sender<Wake>,
    has_synced: latest::Receiver<bool>,
    thread: Option<thread::JoinHandle<()>>,
    watches: JoinSet<()>,
    writers: JoinSet<()>,
    servers: JoinSet<()>,
}

impl Running {
    /// Leads when it may; returns when it no longer may.
    async fn lead(&mut self, candidate: Option<&mut Candidate>) -> End {
        self.watches.spawn(dump_when_asked(self.wake.clone()));
        let Some(candidate) = candidate else {
            self.watch();
            self.wait_until_synced().await;
            self.health.lead_for_good();
            return self.begin(core::future::pending()).await;
        };
        if !self.delays {
            self.watch();
            self.wait_until_synced().await;
        }
        candidate.acquire().await;
        if self.delays {
            self.watch();
        }
        self.begin(candidate.renew()).await
    }

    fn watch(&mut self) {
        for kind in &self.kinds {
            watch::spawn(*kind, &self.client, &self.wake, &mut self.watches);
        }
    }

    async fn wait_until_synced(&mut self) {
        if self.has_synced.wait_for(|synced| *synced).await.is_ok() {
            info!("caches are synced");
        }
    }

    /// Has pods scheduled until leadership ends.
    async fn begin(&self, leadership: impl Future<Output = ()>) -> End {
        // Where the thread is gone nobody hears it, and that is noticed elsewhere.
        let _ = self.wake.send(Wake::Lead).await;
        leadership.await;
        error!("leaderelection lost");
        End::LeaseLost
    }

    /// Tries no further pod, lets calls under way come to their end, lets go of the lease.
    async fn shut_down(&mut self, candidate: Option<Candidate>) {
        info!("shutting down");
        self.checks.end();
        let _ = self.wake.send(Wake::Stop).await;
        if let Some(thread) = self.thread.take() {
            let stopped = tokio::task::spawn_blocking(move || thread.join());
            let _ = tokio::time::timeout(LAST_CALLS, stopped).await;
        }
        self.watches.shutdown().await;
        let last_calls = async { while self.writers.join_next().await.is_some() {} };
        let _ = tokio::time::timeout(LAST_CALLS, last_calls).await;
        self.writers.shutdown().await;
        self.servers.shutdown().await;
        if let Some(mut candidate) = candidate {
            candidate.release().await;
        }
    }
}

/// Why the scheduler stops.
enum End {
    Signal,
    LeaseLost,
    Panic,
}

impl End {
    fn into_result(self) -> Result<(), Error> {
        match self {
            Self::Signal => Ok(()),
            Self::LeaseLost => Err(Error::LeaseLost),
            Self::Panic => Err(Error::Cluster(
                "the scheduling thread has ended; see above".to_owned(),
            )),
        }
    }
}

/// Waits for a signal that asks for an end.
async fn terminated() {
    let (terminate, interrupt) = (
        signal(SignalKind::terminate()),
        signal(SignalKind::interrupt()),
    );
    let (Ok(mut terminate), Ok(mut interrupt)) = (terminate, interrupt) else {
        return core::future::pending().await;
    };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
}

/// Has what the scheduler holds written to the log at each SIGUSR2.
async fn dump_when_asked(wake: Sender<Wake>) {
    let Ok(mut asked) = signal(SignalKind::user_defined2()) else {
        return;
    };
    while asked.recv().await.is_some() && wake.send(Wake::Dump).await.is_ok() {}
}

/// The name of this machine, or of the pod in which this runs.
fn host_name() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname");
    let name = name.ok().or_else(|| std::env::var("HOSTNAME").ok());
    name.map_or_else(|| "localhost".to_owned(), |name| name.trim().to_lowercase())
}

/// Wakes that may wait for the scheduling thread; then watches wait.
const MOST_WAKES: usize = 4096;
/// Orders that may wait for their calls; then the scheduling thread waits.
const MOST_ORDERS: usize = 1024;
/// How long calls under way may take at the end, and before that the attempt: whoever follows must not wait, and what is cut
/// off is found in the cluster as far as it came.
const LAST_CALLS: Duration = Duration::from_millis(400);
