//! The flags that say where health and metrics are served, and to whom.
//!
//! Source: spec, C.1 and D.3.

use core::net::IpAddr;
use core::time::Duration;

use berth_core::time::Span;

use crate::cli::input::parse_span;
use crate::cluster;
use crate::serve::{AccessOptions, Certificate, RequestHeaders, ServeOptions, TlsVersion};

/// Where and how to serve.
#[derive(clap::Args)]
#[command(next_help_heading = "Health and metrics")]
pub(super) struct ServingArguments {
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
    /// Where a certificate that is made here is kept, as kube-scheduler.crt and .key; empty keeps it in memory
    #[arg(
        long,
        value_name = "DIR",
        default_value = "",
        hide_default_value = true
    )]
    cert_dir: String,
    /// The oldest TLS that is spoken: VersionTLS12, as without it, or VersionTLS13; still older ones never are
    #[arg(long, value_name = "VERSION", hide_possible_values = true)]
    tls_min_version: Option<TlsVersion>,
    #[command(flatten)]
    authentication: AuthenticationArguments,
    #[command(flatten)]
    proxy: ProxyArguments,
    #[command(flatten)]
    authorization: AuthorizationArguments,
}

/// How it is found out who asks.
#[derive(clap::Args)]
struct AuthenticationArguments {
    /// The kubeconfig by which bearer tokens are reviewed; without one, the service account, if there is one
    #[arg(
        long,
        value_name = "FILE",
        default_value = "",
        hide_default_value = true
    )]
    authentication_kubeconfig: String,
    /// Do not look up in the cluster who signs client certificates
    #[arg(long, num_args = 0..=1, require_equals = true, default_value = "false", default_missing_value = "true", action = clap::ArgAction::Set)]
    authentication_skip_lookup: bool,
    /// Only warn when that cannot be looked up
    #[arg(long, num_args = 0..=1, require_equals = true, default_value = "true", default_missing_value = "true", action = clap::ArgAction::Set)]
    authentication_tolerate_lookup_failure: bool,
    /// How long the review of a token is good
    #[arg(long, value_name = "DUR", value_parser = parse_span, default_value = "10s")]
    authentication_token_webhook_cache_ttl: Span,
    /// Who signs client certificates, in PEM, in place of those of the cluster
    #[arg(
        long,
        value_name = "FILE",
        default_value = "",
        hide_default_value = true
    )]
    client_ca_file: String,
}

/// Which proxies are believed when they say who asks.
#[derive(clap::Args)]
struct ProxyArguments {
    /// Who signs the certificates of such proxies, in PEM, in place of those of the cluster
    #[arg(
        long,
        value_name = "FILE",
        default_value = "",
        hide_default_value = true
    )]
    requestheader_client_ca_file: String,
    /// The common names of such proxies; none for every name
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    requestheader_allowed_names: Vec<String>,
    /// The headers that hold the user's name
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        default_value = "x-remote-user"
    )]
    requestheader_username_headers: Vec<String>,
    /// The headers that hold the user's UID
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    requestheader_uid_headers: Vec<String>,
    /// The headers that hold the user's groups
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        default_value = "x-remote-group"
    )]
    requestheader_group_headers: Vec<String>,
    /// What headers begin with that hold anything else about the user
    #[arg(
        long,
        value_name = "PREFIXES",
        value_delimiter = ',',
        default_value = "x-remote-extra-"
    )]
    requestheader_extra_headers_prefix: Vec<String>,
}

/// How it is found out who may ask for what.
#[derive(clap::Args)]
struct AuthorizationArguments {
    /// The kubeconfig by which it is asked who may read metrics; without one, the service account, if there is one
    #[arg(
        long,
        value_name = "FILE",
        default_value = "",
        hide_default_value = true
    )]
    authorization_kubeconfig: String,
    /// Paths that everybody may ask for; one that ends in * is a prefix
    #[arg(
        long,
        value_name = "PATHS",
        value_delimiter = ',',
        default_value = "/healthz,/readyz,/livez"
    )]
    authorization_always_allow_paths: Vec<String>,
    /// How long a yes is good
    #[arg(long, value_name = "DUR", value_parser = parse_span, default_value = "10s")]
    authorization_webhook_cache_authorized_ttl: Span,
    /// How long a no is good
    #[arg(long, value_name = "DUR", value_parser = parse_span, default_value = "10s")]
    authorization_webhook_cache_unauthorized_ttl: Span,
}

impl ServingArguments {
    /// The options; `flags` is what `/flagz` says.
    pub(super) fn options(self, flags: Vec<(String, String)>) -> ServeOptions {
        let certificate = match (self.tls_cert_file, self.tls_private_key_file) {
            (Some(certificate), Some(key)) => Certificate::Files { certificate, key },
            _ => Certificate::SelfSigned {
                folder: Some(self.cert_dir).filter(|folder| !folder.is_empty()),
            },
        };
        let (who, proxy, may) = (self.authentication, self.proxy, self.authorization);
        let headers = RequestHeaders {
            allowed_names: proxy.requestheader_allowed_names,
            username: proxy.requestheader_username_headers,
            uid: proxy.requestheader_uid_headers,
            group: proxy.requestheader_group_headers,
            extra_prefix: proxy.requestheader_extra_headers_prefix,
        };
        ServeOptions {
            bind_address: self.bind_address,
            secure_port: self.secure_port,
            plain_port: self.plain_port,
            certificate,
            tls_min_version: self.tls_min_version.unwrap_or(TlsVersion::Tls12),
            access: AccessOptions {
                authentication_kubeconfig: who.authentication_kubeconfig,
                authorization_kubeconfig: may.authorization_kubeconfig,
                always_allow_paths: may.authorization_always_allow_paths,
                looks_up: !who.authentication_skip_lookup,
                tolerates_failed_lookup: who.authentication_tolerate_lookup_failure,
                client_ca_file: who.client_ca_file,
                proxy_ca_file: proxy.requestheader_client_ca_file,
                headers,
                token_is_good_for: duration(who.authentication_token_webhook_cache_ttl),
                yes_is_good_for: duration(may.authorization_webhook_cache_authorized_ttl),
                no_is_good_for: duration(may.authorization_webhook_cache_unauthorized_ttl),
            },
            flags,
        }
    }
}

fn duration(span: Span) -> Duration {
    cluster::duration(span)
}
