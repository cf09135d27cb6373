//! What is served to whoever looks into a running scheduler: `/statusz`, `/flagz` and what is below `/debug/`.
//!
//! Source: spec, D.1.

use core::fmt::Write as _;

use http::{HeaderMap, Method, StatusCode, header};
use serde_json::json;

use crate::logging;

use super::{Answer, KUBERNETES_RELEASE, Served};

/// What `/statusz` says.
pub(super) fn statusz(served: &Served, headers: &HeaderMap) -> Answer {
    let up = served.started.elapsed();
    let emulated = berth_core::KUBERNETES_VERSION;
    match Form::asked_for(headers, "Statusz") {
        Form::Text => {
            let mut text = beginning("statusz");
            let minutes = up.as_secs() / 60;
            // Writing to a string cannot fail.
            let _ = write!(
                text,
                "\nStarted: {}\nUp: {} hr {:02} min {:02} sec\nImplementation: berth {}\nBinary version: {KUBERNETES_RELEASE}\n\
                 Emulation version: {emulated}\nPaths: {}\n",
                served.started_at,
                minutes / 60,
                minutes % 60,
                up.as_secs() % 60,
                env!("CARGO_PKG_VERSION"),
                PATHS.join(" "),
            );
            Answer::text(StatusCode::OK, &text)
        }
        Form::Structured(version) => {
            let body = json!({
                "kind": "Statusz",
                "apiVersion": format!("config.k8s.io/{version}"),
                "metadata": {"name": NAME},
                "startTime": served.started_at.to_string(),
                "uptimeSeconds": up.as_secs(),
                "binaryVersion": KUBERNETES_RELEASE,
                "emulationVersion": emulated,
                "paths": PATHS,
            });
            structured(&body, version, "Statusz")
        }
        Form::None => not_acceptable(),
    }
}

/// What `/flagz` says.
pub(super) fn flagz(served: &Served, headers: &HeaderMap) -> Answer {
    match Form::asked_for(headers, "Flagz") {
        Form::Text => {
            let mut text = beginning("flagz");
            for (name, value) in &served.flags {
                let _ = writeln!(text, "{name} {value}");
            }
            Answer::text(StatusCode::OK, &text)
        }
        Form::Structured(version) => {
            let flags = served.flags.iter();
            let flags: serde_json::Map<_, _> = flags
                .map(|(name, value)| (name.clone(), json!(value)))
                .collect();
            let body = json!({
                "kind": "Flagz",
                "apiVersion": format!("config.k8s.io/{version}"),
                "metadata": {"name": NAME},
                "flags": flags,
            });
            structured(&body, version, "Flagz")
        }
        Form::None => not_acceptable(),
    }
}

/// What is below `/debug/`, where profiling is on.
///
/// kube-scheduler's profiles are those of Go's runtime, which is not here: whoever asks for one is told so, and with what
/// to look instead.
pub(super) fn debug(path: &str, method: &Method, body: &[u8]) -> Option<Answer> {
    if path == "/debug/flags/v" {
        return Some(verbosity(method, body));
    }
    let profile = path.strip_prefix("/debug/pprof")?;
    Some(match profile.trim_start_matches('/') {
        "" => Answer::text(StatusCode::OK, PROFILES),
        "cmdline" => {
            let arguments: Vec<String> = std::env::args().collect();
            Answer::text(StatusCode::OK, &arguments.join("\0"))
        }
        "symbol" => Answer::text(StatusCode::OK, "num_symbols: 0\n"),
        name if GO_PROFILES.contains(&name) => {
            let text = format!("{name}: not supported\n\n{PROFILES}");
            Answer::text(StatusCode::NOT_IMPLEMENTED, &text)
        }
        _ => Answer::text(StatusCode::NOT_FOUND, "Unknown profile\n"),
    })
}

fn verbosity(method: &Method, body: &[u8]) -> Answer {
    if method != Method::PUT {
        return Answer::text(StatusCode::NOT_ACCEPTABLE, "unsupported http method\n");
    }
    let text = String::from_utf8_lossy(body);
    match text.trim().parse::<u8>() {
        Ok(verbosity) => {
            logging::set(verbosity);
            let said = format!("successfully set klog.logging.verbosity to {verbosity}");
            Answer::text(StatusCode::OK, &said)
        }
        Err(error) => {
            let said = format!("parsing {:?}: {error}", text.trim());
            Answer::text(StatusCode::BAD_REQUEST, &said)
        }
    }
}

/// In which form an answer is wanted.
enum Form {
    Text,
    /// As an object of this version of `config.k8s.io`.
    Structured(&'static str),
    /// In none that there is.
    None,
}

impl Form {
    fn asked_for(headers: &HeaderMap, kind: &str) -> Self {
        let accept = headers.get(header::ACCEPT).map(|value| value.to_str());
        let Some(Ok(accept)) = accept else {
            return Self::Text;
        };
        for range in accept.split(',') {
            let mut parts = range.split(';').map(str::trim);
            let media = parts.next().unwrap_or_default();
            let parameters: Vec<&str> = parts.collect();
            let version = ["v1beta1", "v1alpha1"]
                .into_iter()
                .find(|version| parameters.contains(&format!("v={version}").as_str()));
            let is_ours = parameters.contains(&"g=config.k8s.io")
                && parameters.contains(&format!("as={kind}").as_str());
            match (media, version) {
                ("application/json", Some(version)) if is_ours => return Self::Structured(version),
                ("text/plain" | "text/*" | "*/*" | "", _) => return Self::Text,
                _ => {}
            }
        }
        Self::None
    }
}

fn beginning(what: &str) -> String {
    format!(
        "\n{NAME} {what}\nWarning: This endpoint is not meant to be machine parseable, has no formatting compatibility \
         guarantees and is for debugging purposes only.\n"
    )
}

fn structured(body: &serde_json::Value, version: &str, kind: &str) -> Answer {
    let content_type = format!("application/json;g=config.k8s.io;v={version};as={kind}");
    Answer::new(StatusCode::OK, &content_type, body.to_string())
}

fn not_acceptable() -> Answer {
    let message = "only the following media types are accepted: application/json, text/plain";
    Answer::status(StatusCode::NOT_ACCEPTABLE, "NotAcceptable", message)
}

/// What this is in place of.
const NAME: &str = "kube-scheduler";
const PATHS: &[&str] = &[
    "/configz", "/flagz", "/healthz", "/livez", "/metrics", "/readyz", "/statusz",
];
const GO_PROFILES: &[&str] = &[
    "allocs",
    "block",
    "goroutine",
    "heap",
    "mutex",
    "profile",
    "threadcreate",
    "trace",
];
const PROFILES: &str = "\
/debug/pprof/

Berth is not a Go program and keeps no profiles of Go's runtime: allocs, block, goroutine, heap, mutex, profile,
threadcreate and trace are not supported. Served are cmdline and symbol (no symbols).

Where processor time goes: perf record -g -p PID. What is held in memory: send SIGUSR2 and read the log.
";
