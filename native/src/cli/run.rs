//! `berth run`: schedules a real cluster, with kube-scheduler's configuration file and flags.

use core::net::IpAddr;
use std::fs;

use berth_core::config::{
    ClientConnection, Configuration, Gates, LeaderElection, OlderVersions, ReadOptions, read_text,
    to_v1,
};
use berth_core::plugins;
use berth_core::rng::Seed;
use berth_core::scheduler::Scheduler;
use berth_core::sim::to_yaml;
use berth_core::time::Span;
use clap::ArgAction;

use crate::cluster;
use crate::error::Error;
use crate::logging;
use crate::serve::{AccessOptions, Certificate, ServeOptions};

use super::input::parse_span;

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
    #[arg(long, value_name = "FILE", default_value = "")]
    kubeconfig: String,
    /// The context of the kubeconfig, if not its current one
    #[arg(long, value_name = "NAME")]
    context: Option<String>,
    /// The address of the API server, if not the kubeconfig's
    #[arg(long, value_name = "URL", default_value = "")]
    master: String,
    /// The name that pods choose this scheduler by; with --config, the file names it
    #[arg(long, value_name = "NAME", conflicts_with = "config")]
    scheduler_name: Option<String>,
    /// Requests a second
    #[arg(long, value_name = "N")]
    kube_api_qps: Option<f64>,
    /// Requests at once
    #[arg(long, value_name = "N")]
    kube_api_burst: Option<i32>,
    /// Accepted for kube-scheduler's sake: JSON is spoken
    #[arg(long, value_name = "TYPE")]
    kube_api_content_type: Option<String>,
    /// How long a pod may be unschedulable before it is tried again without a reason
    #[arg(long, value_name = "DUR", value_parser = parse_span, default_value = "5m0s")]
    pod_max_in_unschedulable_pods_duration: Span,
    /// Optional behaviours, as Name=true,Name=false
    #[arg(long, value_name = "GATES", default_value = "")]
    feature_gates: String,
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
    #[arg(long, value_name = "NAME")]
    leader_elect_resource_name: Option<String>,
    /// The namespace of the Lease
    #[arg(long, value_name = "NAME")]
    leader_elect_resource_namespace: Option<String>,
    /// Write the whole configuration, as kubescheduler.config.k8s.io/v1, and end
    #[arg(long, value_name = "FILE")]
    write_config_to: Option<String>,
    /// The address on which health and metrics are served
    #[arg(long, value_name = "IP", default_value = "0.0.0.0")]
    bind_address: IpAddr,
    /// The port on which health and metrics are served with TLS; 0 for none
    #[arg(long, value_name = "PORT", default_value_t = 10259)]
    secure_port: u16,
    /// A port on loopback without TLS on which everybody may ask for everything, for trying; 0 for none
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    plain_port: u16,
    /// The certificate to serve with, in PEM; read again when it changes
    #[arg(long, value_name = "FILE", requires = "tls_private_key_file")]
    tls_cert_file: Option<String>,
    /// Its key
    #[arg(long, value_name = "FILE", requires = "tls_cert_file")]
    tls_private_key_file: Option<String>,
    /// The kubeconfig by which bearer tokens are reviewed
    #[arg(long, value_name = "FILE", default_value = "")]
    authentication_kubeconfig: String,
    /// The kubeconfig by which it is asked who may read metrics
    #[arg(long, value_name = "FILE", default_value = "")]
    authorization_kubeconfig: String,
    /// Paths that everybody may ask for
    #[arg(
        long,
        value_name = "PATHS",
        value_delimiter = ',',
        default_value = "/healthz,/readyz,/livez"
    )]
    authorization_always_allow_paths: Vec<String>,
    /// What randomness starts from
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// How to log: text or json
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    logging_format: logging::Format,
    /// How much to log; 0 to 10
    #[arg(short, long, value_name = "N", default_value_t = 0, action = ArgAction::Set)]
    v: u8,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Error> {
    logging::start(arguments.logging_format, arguments.v);
    let configuration = configuration(&arguments)?;
    if let Some(name) = &arguments.write_config_to {
        return write(name, &configuration);
    }
    let certificate = match (arguments.tls_cert_file, arguments.tls_private_key_file) {
        (Some(certificate), Some(key)) => Certificate::Files { certificate, key },
        _ => Certificate::SelfSigned,
    };
    let serve = ServeOptions {
        bind_address: arguments.bind_address,
        secure_port: arguments.secure_port,
        plain_port: arguments.plain_port,
        certificate,
        access: AccessOptions {
            authentication_kubeconfig: arguments.authentication_kubeconfig,
            authorization_kubeconfig: arguments.authorization_kubeconfig,
            always_allow_paths: arguments.authorization_always_allow_paths,
        },
    };
    cluster::run(cluster::Setup {
        configuration,
        serve,
        context: arguments.context,
        master: arguments.master,
        seed: Seed(arguments.seed),
    })
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
    let gates = Gates::parse(&arguments.feature_gates)?;
    let mut configuration = match &arguments.config {
        Some(name) => read(name, gates)?,
        None => {
            let mut configuration = Configuration::for_gates(gates);
            overlay_connection(&mut configuration.client_connection, arguments);
            if let Some(name) = &arguments.scheduler_name {
                for profile in &mut configuration.profiles {
                    profile.scheduler_name.clone_from(name);
                }
            }
            configuration
        }
    };
    overlay_election(&mut configuration.leader_election, arguments);
    configuration.pod_max_in_unschedulable_pods_duration =
        arguments.pod_max_in_unschedulable_pods_duration;
    check_election(&configuration.leader_election)?;
    Ok(configuration)
}

fn read(name: &str, gates: Gates) -> Result<Configuration, Error> {
    let bytes = fs::read(name).map_err(|error| Error::File {
        name: name.to_owned(),
        error,
    })?;
    let options = ReadOptions {
        gates,
        older: OlderVersions::Convert,
        ..ReadOptions::default()
    };
    let read = read_text(name, &bytes, options)?;
    for note in &read.notes {
        tracing::warn!("{note}");
    }
    Ok(read.configuration)
}

fn overlay_connection(connection: &mut ClientConnection, arguments: &Arguments) {
    connection.kubeconfig.clone_from(&arguments.kubeconfig);
    if let Some(qps) = arguments.kube_api_qps {
        // Thousandths of a request are as fine as anybody needs.
        connection.qps_milli = (qps * 1000.0) as i64;
    }
    if let Some(burst) = arguments.kube_api_burst {
        connection.burst = burst;
    }
    if let Some(content_type) = &arguments.kube_api_content_type {
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
