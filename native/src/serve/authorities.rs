//! Who signs the certificates of clients and of proxies: files that are named, and what the cluster publishes.
//!
//! What the cluster publishes is watched, files are read again from time to time. Each part counts on its own: one that
//! cannot be read stays as it was, and holds up no other.
//!
//! Source: spec, D.3: the ConfigMap `kube-system/extension-apiserver-authentication`.

use core::time::Duration;
use std::fs;
use std::sync::{Arc, PoisonError, RwLock};

use serde_json::Value;
use tokio::sync::mpsc::channel;
use tokio::task::JoinSet;
use tracing::warn;

use crate::cluster::Reviewer;
use crate::error::Error;

use super::access::AccessOptions;
use super::identity::{Authority, RequestHeaders};

/// Who is believed at a time.
#[derive(Clone, Debug, Default)]
pub(super) struct Trusted {
    /// Who signs client certificates: the file's, else the cluster's.
    pub(super) clients: Option<Authority>,
    /// Who signs proxies' certificates, if any proxy is believed.
    pub(super) proxies: Option<Authority>,
    /// Which proxies are believed, and in which headers they say for whom they ask.
    pub(super) headers: RequestHeaders,
}

/// Who is believed, kept up to date.
pub(super) struct Authorities(Arc<RwLock<Arc<Trusted>>>);

impl Authorities {
    /// Reads the files, looks up the cluster, and keeps at it.
    ///
    /// # Errors
    ///
    /// A file that cannot be used; a lookup that fails, where that is not to be tolerated.
    pub(super) async fn new(
        options: &AccessOptions,
        reviewer: Option<Arc<Reviewer>>,
        tasks: &mut JoinSet<()>,
    ) -> Result<Self, Error> {
        let reviewer = reviewer.filter(|_| options.looks_up);
        let mut sources = Sources::new(options);
        if let Some(fault) = sources.read_files().pop() {
            return Err(Error::Cluster(fault));
        }
        if let Some(reviewer) = &reviewer {
            let faults = match reviewer.get(&format!("{COLLECTION}/{NAME}")).await {
                Ok(map) => sources.take(&map),
                Err(error) => vec![format!(
                    "unable to get configmap/{NAME} in kube-system; usually fixed by a RoleBinding to the Role \
                     extension-apiserver-authentication-reader: {error}"
                )],
            };
            for fault in faults {
                if !options.tolerates_failed_lookup {
                    return Err(Error::Cluster(fault));
                }
                warn!("{fault}; who is known by it is not recognised yet");
            }
        }
        let current = Arc::new(RwLock::new(Arc::new(sources.trusted())));
        let writer = current.clone();
        let (told, mut maps) = channel(1);
        if let Some(reviewer) = reviewer {
            tasks.spawn(async move { reviewer.follow(COLLECTION, NAME, &told).await });
        }
        tasks.spawn(async move {
            loop {
                let faults = tokio::select! {
                    Some(map) = maps.recv() => sources.take(&map),
                    () = tokio::time::sleep(BETWEEN_LOOKS) => sources.read_files(),
                };
                for fault in faults {
                    warn!("{fault}; what was known before stays");
                }
                *writer.write().unwrap_or_else(PoisonError::into_inner) =
                    Arc::new(sources.trusted());
            }
        });
        Ok(Self(current))
    }

    /// Who is believed now.
    pub(super) fn now(&self) -> Arc<Trusted> {
        self.0
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

/// Where it is found out, and what was found there.
struct Sources {
    client_ca_file: String,
    proxy_ca_file: String,
    found: Trusted,
}

impl Sources {
    fn new(options: &AccessOptions) -> Self {
        Self {
            client_ca_file: options.client_ca_file.clone(),
            proxy_ca_file: options.proxy_ca_file.clone(),
            found: Trusted {
                headers: options.headers.clone(),
                ..Trusted::default()
            },
        }
    }

    /// Reads the files that are named; says what cannot be read.
    fn read_files(&mut self) -> Vec<String> {
        let found = &mut self.found;
        let files = [
            (&self.client_ca_file, &mut found.clients),
            (&self.proxy_ca_file, &mut found.proxies),
        ];
        let named = files.into_iter().filter(|(name, _)| !name.is_empty());
        let read = named.map(|(name, place)| {
            let pem = fs::read(name).map_err(|error| format!("{name}: {error}"))?;
            let authority = Authority::read(&pem).map_err(|error| format!("{name}: {error}"))?;
            *place = Some(authority);
            Ok(())
        });
        read.filter_map(Result::err).collect()
    }

    /// Takes over what the cluster publishes, unless a file is named for it; says what cannot be read.
    fn take(&mut self, map: &Value) -> Vec<String> {
        let (data, found) = (&map["data"], &mut self.found);
        let mut results = Vec::new();
        if self.client_ca_file.is_empty() {
            results.push(published(data, "client-ca-file", &mut found.clients));
        }
        if self.proxy_ca_file.is_empty() {
            let key = "requestheader-client-ca-file";
            let mut proxies = found.proxies.clone();
            let signer = published(data, key, &mut proxies);
            match (headers(data), &signer) {
                (Ok(headers), Ok(())) => {
                    found.headers = headers;
                    found.proxies = proxies;
                }
                // Nobody is believed by half: a new signer waits for its names, and names for theirs; one that is gone is gone.
                (headers, _) => {
                    if proxies.is_none() {
                        found.proxies = None;
                    }
                    results.push(headers.map(drop));
                }
            }
            results.push(signer);
        }
        results.into_iter().filter_map(Result::err).collect()
    }

    fn trusted(&self) -> Trusted {
        self.found.clone()
    }
}

/// Puts in its place who signs certificates by a key of the ConfigMap; nobody where it is not there.
fn published(data: &Value, key: &str, place: &mut Option<Authority>) -> Result<(), String> {
    let pem = data[key].as_str().filter(|pem| !pem.trim().is_empty());
    let read = pem.map(|pem| Authority::read(pem.as_bytes())).transpose();
    *place = read.map_err(|error| fault(key, &error))?;
    Ok(())
}

/// How proxies say for whom they ask: all of it or nothing, since half of it may let in too many.
fn headers(data: &Value) -> Result<RequestHeaders, String> {
    let names = |key: &str| names(&data[key]).map_err(|error| fault(key, &error));
    Ok(RequestHeaders {
        allowed_names: names("requestheader-allowed-names")?,
        username: names("requestheader-username-headers")?,
        uid: names("requestheader-uid-headers")?,
        group: names("requestheader-group-headers")?,
        extra_prefix: names("requestheader-extra-headers-prefix")?,
    })
}

fn fault(key: &str, error: &str) -> String {
    format!("configmap/{NAME} in kube-system: {key}: {error}")
}

/// A list of names, which is JSON in a text.
fn names(value: &Value) -> Result<Vec<String>, String> {
    let text = value.as_str().filter(|text| !text.is_empty());
    text.map_or_else(
        || Ok(Vec::new()),
        |text| serde_json::from_str(text).map_err(|error| error.to_string()),
    )
}

const COLLECTION: &str = "/api/v1/namespaces/kube-system/configmaps";
const NAME: &str = "extension-apiserver-authentication";
/// How often files are read again.
const BETWEEN_LOOKS: Duration = Duration::from_secs(60);

#[cfg(test)]
mod tests;
