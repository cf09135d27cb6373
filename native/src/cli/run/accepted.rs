//! Flags of kube-scheduler that change nothing here. Whoever gives one is told so in the log.
//!
//! Source: spec, C.1, the rows marked A.

use berth_core::time::Span;

use crate::cli::input::parse_span;
use crate::error::Error;

/// The heading of these flags in the help text, by which they are also found again.
pub(super) const HEADING: &str = "Accepted for kube-scheduler's sake, without effect";

/// Flags without effect.
#[derive(clap::Args)]
#[command(next_help_heading = HEADING)]
pub(super) struct AcceptedArguments {
    /// JSON is spoken
    #[arg(long, value_name = "TYPE")]
    pub(super) kube_api_content_type: Option<String>,
    /// HTTP/1.1 is served
    #[arg(long, value_name = "N")]
    http2_max_streams_per_connection: Option<u32>,
    /// HTTP/1.1 is served
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    disable_http2_serving: Option<bool>,
    /// The port is ours alone
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    permit_port_sharing: Option<bool>,
    /// The address can always be taken again
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    permit_address_sharing: Option<bool>,
    /// Only suites that are held to be safe are ever used
    #[arg(long, value_name = "SUITES", value_delimiter = ',')]
    tls_cipher_suites: Vec<String>,
    /// Only curves that are held to be safe are ever used
    #[arg(long, value_name = "CURVES", value_delimiter = ',')]
    tls_curve_preferences: Vec<String>,
    /// One certificate is served under every name
    #[arg(long, value_name = "FILES")]
    tls_sni_cert_key: Vec<String>,
    /// One verbosity for everything
    #[arg(long, value_name = "PATTERNS")]
    vmodule: Option<String>,
    /// The log is written at once
    #[arg(long, value_name = "DUR", value_parser = parse_span)]
    log_flush_frequency: Option<Span>,
    /// The log goes to standard error
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    log_text_split_stream: Option<bool>,
    /// The log is written at once
    #[arg(long, value_name = "SIZE")]
    log_text_info_buffer_size: Option<String>,
    /// The log goes to standard error
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    log_json_split_stream: Option<bool>,
    /// The log is written at once
    #[arg(long, value_name = "SIZE")]
    log_json_info_buffer_size: Option<String>,
    /// No metric is hidden
    #[arg(long, value_name = "VERSION")]
    show_hidden_metrics_for_version: Option<String>,
    /// Every metric is served
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    disabled_metrics: Vec<String>,
    /// Every label is served
    #[arg(long, value_name = "LABELS")]
    allow_metric_labels: Vec<String>,
    /// Every label is served
    #[arg(long, value_name = "FILE")]
    allow_metric_labels_manifest: Option<String>,
    /// A version to act as, of the last four; Kubernetes 1.36 is what is acted as
    #[arg(long, value_name = "VERSION", value_delimiter = ',')]
    emulated_version: Vec<String>,
    /// The oldest version to get on with, of the last four
    #[arg(long, value_name = "VERSION", value_delimiter = ',')]
    min_compatibility_version: Vec<String>,
    /// Health without TLS, as in 1.21; --plain-port serves it on loopback
    #[arg(long, value_name = "IP")]
    address: Option<String>,
    /// Health without TLS, as in 1.21; --plain-port serves it on loopback
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
}

impl AcceptedArguments {
    /// # Errors
    ///
    /// A version that is none, or none of the last four.
    pub(super) fn check(&self) -> Result<(), Error> {
        for (what, versions) in [
            ("emulation", &self.emulated_version),
            ("minCompatibility", &self.min_compatibility_version),
        ] {
            for version in versions {
                // `kube=1.35` names the component.
                let number = version
                    .rsplit_once('=')
                    .map_or(&**version, |(_, number)| number);
                let minor = number
                    .trim_start_matches('v')
                    .strip_prefix("1.")
                    .and_then(|rest| rest.split('.').next()?.parse::<u32>().ok());
                if !minor.is_some_and(|minor| (OLDEST_MINOR..=MINOR).contains(&minor)) {
                    return Err(Error::Flags(format!(
                        "{what} version {number} is not between [1.{OLDEST_MINOR}, 1.{MINOR}]"
                    )));
                }
            }
        }
        Ok(())
    }
}

const MINOR: u32 = 36;
const OLDEST_MINOR: u32 = 33;
