//! Who signs the certificates of clients and of proxies: files that are named, and what the cluster publishes.
//!
//! Source: spec, D.3: the ConfigMap `kube-system/extension-apiserver-authentication`. It is read again now and then, as are
//! the files.

use core::time::Duration;
use std::fs;
use std::sync::{Arc, PoisonError, RwLock};

use serde_json::Value;
use tokio::task::JoinSet;
use tracing::warn;

use crate::cluster::Reviewer;
use crate::error::Error;

use super::access::AccessOptions;
use super::identity::{Authority, RequestHeaders};

/// Who is believed at a time.
#[derive(Clone, Debug, Default)]
pub(super) struct Trusted {
    /// Who signs client certificates: those of the file, else those of the cluster; one of them is enough.
    pub(super) clients: Vec<Authority>,
    /// Who signs proxies' certificates, if any proxy is believed.
    pub(super) proxies: Option<Authority>,
    /// Which proxies are believed, and in which headers they say for whom they ask.
    pub(super) headers: RequestHeaders,
}

/// Who is believed, kept up to date.
pub(super) struct Authorities(Arc<RwLock<Arc<Trusted>>>);

impl Authorities {
    /// Reads the files, looks up the cluster, and does so again from time to time.
    ///
    /// # Errors
    ///
    /// A file that cannot be used; a lookup that fails, where that is not to be tolerated.
    pub(super) async fn new(
        options: &AccessOptions,
        reviewer: Option<Arc<Reviewer>>,
        tasks: &mut JoinSet<()>,
    ) -> Result<Self, Error> {
        let source = Source {
            reviewer: reviewer.filter(|_| options.looks_up),
            options: options.clone(),
        };
        let trusted = match source.read().await {
            Ok(trusted) => trusted,
            Err(Fault::Lookup(text)) if options.tolerates_failed_lookup => {
                warn!("{text}; client certificates that the cluster signs are not recognised yet");
                source.read_files().map_err(Error::Cluster)?
            }
            Err(Fault::Lookup(text) | Fault::File(text)) => return Err(Error::Cluster(text)),
        };
        let current = Arc::new(RwLock::new(Arc::new(trusted)));
        let writer = current.clone();
        tasks.spawn(async move {
            loop {
                tokio::time::sleep(BETWEEN_LOOKS).await;
                match source.read().await {
                    Ok(trusted) => {
                        *writer.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(trusted);
                    }
                    // What was known stays; what files say does not depend on the cluster.
                    Err(Fault::Lookup(text)) => {
                        warn!("{text}");
                        let mut current = writer.write().unwrap_or_else(PoisonError::into_inner);
                        match source.read_files_over(&current) {
                            Ok(trusted) => *current = Arc::new(trusted),
                            Err(text) => warn!("{text}"),
                        }
                    }
                    Err(Fault::File(text)) => warn!("{text}"),
                }
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

/// Where it is found out.
struct Source {
    reviewer: Option<Arc<Reviewer>>,
    options: AccessOptions,
}

enum Fault {
    File(String),
    Lookup(String),
}

impl Source {
    fn read_files(&self) -> Result<Trusted, String> {
        let read = |name: &str| {
            let pem = fs::read(name).map_err(|error| format!("{name}: {error}"))?;
            Authority::read(&pem).map_err(|error| format!("{name}: {error}"))
        };
        let named = |name: &str| (!name.is_empty()).then(|| read(name)).transpose();
        Ok(Trusted {
            clients: named(&self.options.client_ca_file)?.into_iter().collect(),
            proxies: named(&self.options.proxy_ca_file)?,
            headers: self.options.headers.clone(),
        })
    }

    /// What files say, and of the rest what was known.
    fn read_files_over(&self, known: &Trusted) -> Result<Trusted, String> {
        let mut trusted = self.read_files()?;
        if self.options.client_ca_file.is_empty() {
            trusted.clients.clone_from(&known.clients);
        }
        if self.options.proxy_ca_file.is_empty() {
            trusted.proxies.clone_from(&known.proxies);
            trusted.headers.clone_from(&known.headers);
        }
        Ok(trusted)
    }

    async fn read(&self) -> Result<Trusted, Fault> {
        let mut trusted = self.read_files().map_err(Fault::File)?;
        let Some(reviewer) = &self.reviewer else {
            return Ok(trusted);
        };
        let map = reviewer.get(PATH).await.map_err(|error| {
            Fault::Lookup(format!(
                "unable to get configmap/extension-apiserver-authentication in kube-system; usually fixed by a RoleBinding to \
                 the Role extension-apiserver-authentication-reader: {error}"
            ))
        })?;
        let data = &map["data"];
        let fault = |key: &str, error: &str| Fault::Lookup(format!("{PATH}: {key}: {error}"));
        let authority = |key: &str| {
            let pem = data[key].as_str().filter(|pem| !pem.trim().is_empty());
            let read = pem.map(|pem| Authority::read(pem.as_bytes()));
            read.transpose().map_err(|error| fault(key, &error))
        };
        if self.options.client_ca_file.is_empty() {
            trusted.clients.extend(authority("client-ca-file")?);
        }
        if self.options.proxy_ca_file.is_empty() {
            trusted.proxies = authority("requestheader-client-ca-file")?;
            let names = |key: &str| names(&data[key]).map_err(|error| fault(key, &error));
            trusted.headers = RequestHeaders {
                allowed_names: names("requestheader-allowed-names")?,
                username: names("requestheader-username-headers")?,
                uid: names("requestheader-uid-headers")?,
                group: names("requestheader-group-headers")?,
                extra_prefix: names("requestheader-extra-headers-prefix")?,
            };
        }
        Ok(trusted)
    }
}

/// A list of names, which is JSON in a text.
fn names(value: &Value) -> Result<Vec<String>, String> {
    let text = value.as_str().filter(|text| !text.is_empty());
    text.map_or_else(
        || Ok(Vec::new()),
        |text| serde_json::from_str(text).map_err(|error| error.to_string()),
    )
}

const PATH: &str = "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication";
/// How often it is looked again.
const BETWEEN_LOOKS: Duration = Duration::from_secs(60);
