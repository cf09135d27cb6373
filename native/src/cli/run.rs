//! `berth run`: schedules a real cluster, with kube-scheduler's configuration file and flags.

mod accepted;
mod flagz;
mod legacy;
mod serving;

use std::fs;

use berth_core::config::{
    ClientConnection, Configuration, Gates, LeaderElection, OlderVersions, ReadConfiguration,
    ReadOptions, read_text, to_v1,
};
use berth_core::plugins;
use berth_core::rng::Seed;
use berth_core::scheduler::Scheduler;
use berth_core::sim::to_yaml;
use berth_core::time::Span;
use clap::{ArgAction, ArgMatches};

use crate::cluster;
use crate::error::Error;
use crate::logging;
use crate::serve::KUBERNETES_RELEASE;

use super::input::parse_span;
use super::output;

use accepted::AcceptedArguments;
use legacy::LegacyArguments;
use serving::ServingArguments;

/// Schedule a real cluster: a drop-in for kube-scheduler
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    berth run --config scheduler.yaml\n  \
    berth run --kubeconfig ~/.kube/config --leader-elect=false --scheduler-name my-scheduler")]
pub(crate) struct Arguments {
    /// A KubeSchedulerConfiguration; --kubeconfig and --kube-api-* are ignored with it
    #[arg(long, value_name = "FILE")]
    config: Option<String>,
    /// A kubeconfig; without one, the service account of the pod in which this runs
    #[arg(
        long,
        value_name = "FILE",
        default_value = "",
        hide_default_value = true
    )]
    kubeconfig: String,
    /// The context of the kubeconfig, if not its current one
    #[arg(long, value_name = "NAME")]
    context: Option<String>,
    /// The address of the API server, if not the kubeconfig's
    #[arg(
        long,
        value_name = "URL",
        default_value = "",
        hide_default_value = true
    )]
    master: String,
    /// Requests a second
    #[arg(long, value_name = "N")]
    kube_api_qps: Option<f64>,
    /// Requests at once
    #[arg(long, value_name = "N")]
    kube_api_burst: Option<i32>,
    /// Serve profiles, where there are any; ignored with --config
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    profiling: Option<bool>,
    /// Kept in the configuration; nothing here waits for a lock; ignored with --config
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    contention_profiling: Option<bool>,
    /// How long a pod may be unschedulable before it is tried again without a reason
    #[arg(long, value_name = "DUR", value_parser = parse_span, default_value = "5m0s")]
    pod_max_in_unschedulable_pods_duration: Span,
    /// Optional behaviours, as Name=true,Name=false
    #[arg(long, value_name = "GATES")]
    feature_gates: Vec<String>,
    /// Have one of several instances act
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    leader_elect: Option<bool>,
    /// How long a leader that is silent stays leader
    #[arg(long, value_name = "DUR", value_parser = parse_span)]
    leader_elect_lease_duration: Option<Span>,
    /// How long a leader tries to renew before it gives up
    #[arg(long, value_name = "DUR", value_parser = parse_span)]
    leader_elect_renew_deadline: Option<Span>,
    /// The wait between tries
    #[arg(long, value_name = "DUR", value_parser = parse_span)]
    leader_elect_retry_period: Option<Span>,
    /// The kind of lock: leases
    #[arg(long, value_name = "KIND")]
    leader_elect_resource_lock: Option<String>,
    /// The name of the Lease
    #[arg(long, value_name = "NAME", alias = "lock-object-name")]
    leader_elect_resource_name: Option<String>,
    /// The namespace of the Lease
    #[arg(long, value_name = "NAME", alias = "lock-object-namespace")]
    leader_elect_resource_namespace: Option<String>,
    /// Write the whole configuration, as kubescheduler.config.k8s.io/v1, and end
    #[arg(long, value_name = "FILE")]
    write_config_to: Option<String>,
    /// What randomness starts from
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// How to log: text or json
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    logging_format: logging::Format,
    /// How much to log; 0 to 10
    #[arg(short, long, value_name = "N", default_value_t = 0, action = ArgAction::Set)]
    v: u8,
    /// Print the Kubernetes version whose scheduler this is, and end; raw adds Berth's own
    #[arg(long, value_name = "true|raw", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    version: Option<String>,
    #[command(flatten)]
    serving: ServingArguments,
    #[command(flatten)]
    legacy: LegacyArguments,
    #[command(flatten)]
    accepted: AcceptedArguments,
}

/// Runs as the arguments say; `matches` are the same arguments with how each was given.
pub(crate) fn run(arguments: Arguments, matches: &ArgMatches) -> Result<(), Error> {
    match arguments.version.as_deref() {
        None | Some("false") => {}
        Some(how) => return print_version(how),
    }
    logging::start(arguments.logging_format, arguments.v);
    arguments.accepted.check()?;
    for flag in flagz::without_effect(matches) {
        tracing::warn!("--{flag} has no effect here");
    }
    let configuration = configuration(&arguments)?;
    if let Some(name) = &arguments.write_config_to {
        return write(name, &configuration);
    }
    cluster::run(cluster::Setup {
        configuration,
        serve: arguments.serving.options(flagz::flags(matches)),
        context: arguments.context,
        master: arguments.master,
        seed: Seed(arguments.seed),
    })
}

/// What `kubectl` and installers look for.
fn print_version(how: &str) -> Result<(), Error> {
    let kubernetes = format!("Kubernetes v{KUBERNETES_RELEASE}");
    match how {
        "true" => output::print(&format!("{kubernetes}\n")),
        "raw" => output::print(&format!(
            "{kubernetes}, as berth {}\n",
            env!("CARGO_PKG_VERSION")
        )),
        _ => Err(Error::Flags(format!(
            "--version={how}: expected true, false or raw"
        ))),
    }
}

/// Writes a configuration down, if a scheduler can be made of it.
fn write(name: &str, configuration: &Configuration) -> Result<(), Error> {
    Scheduler::new(configuration.clone(), &plugins::in_tree(), Seed(0))?;
    let (document, _) = to_v1(configuration);
    fs::write(name, to_yaml(&document)).map_err(|error| Error::File {
        name: name.to_owned(),
        error,
    })
}

/// The file with the flags that go over it, or the default with all flags.
///
/// Source: spec, A.9.
fn configuration(arguments: &Arguments) -> Result<Configuration, Error> {
    let gates = Gates::parse(&arguments.feature_gates.join(","))?;
    let flags = arguments.legacy.flags();
    let mut read = match &arguments.config {
        Some(name) => read(name, gates)?,
        None => {
            let mut read = ReadConfiguration {
                configuration: Configuration::for_gates(gates),
                notes: Vec::new(),
                policy: None,
                written_plugins: Vec::new(),
                chooses_plugins: false,
            };
            overlay_connection(&mut read.configuration, arguments);
            flags.apply_to_profile(&mut read.configuration);
            read
        }
    };
    let connection = read.configuration.client_connection.clone();
    let server = cluster::ServerOptions {
        connection: &connection,
        context: arguments.context.as_deref(),
        master: &arguments.master,
    };
    legacy::apply(&flags, &mut read, &server)?;
    for note in &read.notes {
        tracing::warn!("{note}");
    }
    let mut configuration = read.configuration;
    overlay_election(&mut configuration.leader_election, arguments);
    configuration.pod_max_in_unschedulable_pods_duration =
        arguments.pod_max_in_unschedulable_pods_duration;
    check_election(&configuration.leader_election)?;
    Ok(configuration)
}

fn read(name: &str, gates: Gates) -> Result<ReadConfiguration, Error> {
    let bytes = fs::read(name).map_err(|error| Error::File {
        name: name.to_owned(),
        error,
    })?;
    let options = ReadOptions {
        gates,
        older: OlderVersions::Convert,
        ..ReadOptions::default()
    };
    Ok(read_text(name, &bytes, options)?)
}

fn overlay_connection(configuration: &mut Configuration, arguments: &Arguments) {
    if let Some(profiling) = arguments.profiling {
        configuration.enable_profiling = profiling;
        configuration.enable_contention_profiling &= profiling;
    }
    if let Some(profiling) = arguments.contention_profiling {
        configuration.enable_contention_profiling = profiling;
    }
    let connection: &mut ClientConnection = &mut configuration.client_connection;
    connection.kubeconfig.clone_from(&arguments.kubeconfig);
    if let Some(qps) = arguments.kube_api_qps {
        // Thousandths of a request are as fine as anybody needs.
        connection.qps_milli = (qps * 1000.0) as i64;
    }
    if let Some(burst) = arguments.kube_api_burst {
        connection.burst = burst;
    }
    if let Some(content_type) = &arguments.accepted.kube_api_content_type {
        connection.content_type.clone_from(content_type);
    }
}

fn overlay_election(election: &mut LeaderElection, arguments: &Arguments) {
    fn overlay<T: Clone>(value: &mut T, flag: Option<&T>) {
        if let Some(given) = flag {
            value.clone_from(given);
        }
    }
    overlay(&mut election.leader_elect, arguments.leader_elect.as_ref());
    let durations = [
        (
            &mut election.lease_duration,
            &arguments.leader_elect_lease_duration,
        ),
        (
            &mut election.renew_deadline,
            &arguments.leader_elect_renew_deadline,
        ),
        (
            &mut election.retry_period,
            &arguments.leader_elect_retry_period,
        ),
    ];
    for (value, flag) in durations {
        overlay(value, flag.as_ref());
    }
    let names = [
        (
            &mut election.resource_lock,
            &arguments.leader_elect_resource_lock,
        ),
        (
            &mut election.resource_name,
            &arguments.leader_elect_resource_name,
        ),
        (
            &mut election.resource_namespace,
            &arguments.leader_elect_resource_namespace,
        ),
    ];
    for (value, flag) in names {
        overlay(value, flag.as_ref());
    }
}

/// What the file's own check cannot know of the flags.
fn check_election(election: &LeaderElection) -> Result<(), Error> {
    if !election.leader_elect {
        return Ok(());
    }
    let is_positive = |span: Span| !span.is_negative() && !span.is_zero();
    let fault = if election.resource_lock != "leases" {
        "resourceLock value must be \"leases\""
    } else if ![
        election.lease_duration,
        election.renew_deadline,
        election.retry_period,
    ]
    .into_iter()
    .all(is_positive)
    {
        "leaseDuration, renewDeadline and retryPeriod must be greater than zero"
    } else if election.lease_duration <= election.renew_deadline {
        "leaseDuration must be greater than renewDeadline"
    } else if election.renew_deadline.as_micros() * 5 <= election.retry_period.as_micros() * 6 {
        "renewDeadline must be greater than retryPeriod*JitterFactor"
    } else if election.resource_name.is_empty() || election.resource_namespace.is_empty() {
        "resourceName and resourceNamespace are required"
    } else {
        return Ok(());
    };
    Err(Error::Usage(format!("leaderElection: {fault}")))
}
