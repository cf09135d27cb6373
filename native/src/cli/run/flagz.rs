//! The flags as they are in force: what `/flagz` says, and which of those given have no effect.

use clap::parser::ValueSource;
use clap::{ArgMatches, Args as _, Command};

use super::{Arguments, accepted};

/// Every flag by name with its value, as kube-scheduler writes them: lists in brackets, nothing for what is not set.
pub(super) fn flags(matches: &ArgMatches) -> Vec<(String, String)> {
    let command = command();
    let mut flags: Vec<(String, String)> = command
        .get_arguments()
        .filter_map(|argument| {
            let name = argument.get_long()?;
            let given: Vec<String> = matches
                .try_get_raw(argument.get_id().as_str())
                .ok()?
                .into_iter()
                .flatten()
                .map(|value| value.to_string_lossy().into_owned())
                .collect();
            let is_list = argument.get_value_delimiter().is_some();
            let value = match given.as_slice() {
                values if is_list => format!("[{}]", values.join(",")),
                [] => unset(name).to_owned(),
                values => values.join(","),
            };
            Some((name.to_owned(), value))
        })
        .collect();
    flags.push(("help".to_owned(), "false".to_owned()));
    flags.sort_unstable();
    flags
}

/// Those of the flags that were given which change nothing.
pub(super) fn without_effect(matches: &ArgMatches) -> Vec<String> {
    let command = command();
    let is_given = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
    command
        .get_arguments()
        .filter(|argument| argument.get_help_heading() == Some(accepted::HEADING))
        .filter(|argument| is_given(argument.get_id().as_str()))
        .filter_map(|argument| argument.get_long().map(str::to_owned))
        .collect()
}

fn command() -> Command {
    Arguments::augment_args(Command::new("run"))
}

/// What a flag stands at when it is not given, where the configuration has the value. `/configz` says what is in force.
fn unset(name: &str) -> &'static str {
    match name {
        "contention-profiling" | "leader-elect" | "profiling" => "true",
        "disable-http2-serving"
        | "log-json-split-stream"
        | "log-text-split-stream"
        | "permit-address-sharing"
        | "permit-port-sharing"
        | "version" => "false",
        "http2-max-streams-per-connection"
        | "log-json-info-buffer-size"
        | "log-text-info-buffer-size" => "0",
        "kube-api-burst" => "100",
        "kube-api-content-type" => "application/vnd.kubernetes.protobuf",
        "kube-api-qps" => "50",
        "leader-elect-lease-duration" => "15s",
        "leader-elect-renew-deadline" => "10s",
        "leader-elect-resource-lock" => "leases",
        "leader-elect-resource-name" => "kube-scheduler",
        "leader-elect-resource-namespace" => "kube-system",
        "leader-elect-retry-period" => "2s",
        "log-flush-frequency" => "5s",
        "allow-metric-labels" | "tls-sni-cert-key" => "[]",
        _ => "",
    }
}
