//! Who is at the other end of a connection, by certificate: itself, or a proxy that says for whom it asks.
//!
//! Any certificate is taken when a connection is made, as kube-scheduler does; what it is worth is found out when
//! something is asked for, by who signs certificates at that time.
//!
//! Source: spec, D.3.

use std::sync::Arc;

use http::HeaderMap;
use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};
use tokio_rustls::rustls::client::danger::HandshakeSignatureValid;
use tokio_rustls::rustls::crypto::{WebPkiSupportedAlgorithms, ring};
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, UnixTime};
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use tokio_rustls::rustls::{
    DigitallySignedStruct, DistinguishedName, Error as TlsError, RootCertStore, SignatureScheme,
};
use x509_parser::prelude::{FromDer as _, X509Certificate};

use super::access::User;

/// The certificates that a client has shown, its own first.
pub(super) type Chain = Vec<CertificateDer<'static>>;

/// Those who sign certificates of one kind.
#[derive(Clone, Debug)]
pub(super) struct Authority(Arc<dyn ClientCertVerifier>);

impl Authority {
    /// Reads certificates in PEM; none is an error, as nobody could then be who they say.
    pub(super) fn read(pem: &[u8]) -> Result<Self, String> {
        let mut roots = RootCertStore::empty();
        for certificate in CertificateDer::pem_slice_iter(pem) {
            let certificate = certificate.map_err(|error| error.to_string())?;
            roots.add(certificate).map_err(|error| error.to_string())?;
        }
        let provider = Arc::new(ring::default_provider());
        let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider);
        let verifier = verifier.build().map_err(|error| error.to_string())?;
        Ok(Self(verifier))
    }

    /// Whether a chain leads to one of them and is good now.
    pub(super) fn verify(&self, chain: &Chain) -> Result<(), String> {
        let Some((own, others)) = chain.split_first() else {
            return Err("there is no certificate".to_owned());
        };
        self.0
            .verify_client_cert(own, others, UnixTime::now())
            .map(|_| ())
            .map_err(|error| error.to_string())
    }
}

/// Whom a verified certificate is for: the common name, with the organizations as groups. None without a name.
pub(super) fn user_of(chain: &Chain) -> Option<User> {
    let own = chain.first()?;
    let (_, certificate) = X509Certificate::from_der(own).ok()?;
    let subject = certificate.subject();
    let name = subject.iter_common_name().next()?.as_str().ok()?;
    if name.is_empty() {
        return None;
    }
    let organizations = subject.iter_organization();
    let groups = organizations.filter_map(|group| group.as_str().ok());
    Some(User {
        username: name.to_owned(),
        uid: String::new(),
        groups: groups.map(str::to_owned).collect(),
        extra: Value::Null,
    })
}

/// In which headers a proxy says for whom it asks.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RequestHeaders {
    /// The common names of such proxies; none for every name.
    pub(crate) allowed_names: Vec<String>,
    /// The user's name; the first one that is there counts.
    pub(crate) username: Vec<String>,
    /// The user's UID, likewise.
    pub(crate) uid: Vec<String>,
    /// The user's groups; all that are there count.
    pub(crate) group: Vec<String>,
    /// What headers begin with that hold anything else; the rest is the key.
    pub(crate) extra_prefix: Vec<String>,
}

impl RequestHeaders {
    /// Whether a proxy of that name is believed.
    pub(super) fn allow(&self, name: &str) -> bool {
        self.allowed_names.is_empty() || self.allowed_names.iter().any(|allowed| allowed == name)
    }

    /// For whom a proxy asks; none when it does not say.
    pub(super) fn user(&self, headers: &HeaderMap) -> Option<User> {
        let first = |names: &[String]| {
            let values = names.iter().filter_map(|name| headers.get(name));
            values
                .filter_map(|value| value.to_str().ok())
                .find(|value| !value.is_empty())
                .map(str::to_owned)
        };
        let username = first(&self.username)?;
        let groups = self.group.iter().flat_map(|name| headers.get_all(name));
        let groups = groups.filter_map(|value| value.to_str().ok());
        let mut extra: Map<String, Value> = Map::new();
        for (name, value) in headers {
            let key = self
                .extra_prefix
                .iter()
                .find_map(|prefix| name.as_str().strip_prefix(&*prefix.to_lowercase()));
            let (Some(key), Ok(value)) = (key, value.to_str()) else {
                continue;
            };
            // Keys hold what names of headers cannot, such as `/`, percent-encoded.
            let key = percent_decode_str(key).decode_utf8_lossy();
            let values = extra.entry(key).or_insert_with(|| Value::Array(Vec::new()));
            if let Value::Array(values) = values {
                values.push(value.into());
            }
        }
        Some(User {
            username,
            uid: first(&self.uid).unwrap_or_default(),
            groups: groups.map(str::to_owned).collect(),
            extra: Value::Object(extra),
        })
    }
}

/// Asks for a certificate and takes whatever comes, as long as the client has its key.
#[derive(Debug)]
pub(super) struct AnyCertificate(WebPkiSupportedAlgorithms);

impl AnyCertificate {
    pub(super) fn new() -> Self {
        Self(ring::default_provider().signature_verification_algorithms)
    }
}

impl ClientCertVerifier for AnyCertificate {
    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        &[]
    }

    fn client_auth_mandatory(&self) -> bool {
        false
    }

    fn verify_client_cert(
        &self,
        _own: &CertificateDer<'_>,
        _others: &[CertificateDer<'_>],
        _now: UnixTime,
    ) -> Result<ClientCertVerified, TlsError> {
        Ok(ClientCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, TlsError> {
        tokio_rustls::rustls::crypto::verify_tls12_signature(
            message,
            certificate,
            signature,
            &self.0,
        )
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, TlsError> {
        tokio_rustls::rustls::crypto::verify_tls13_signature(
            message,
            certificate,
            signature,
            &self.0,
        )
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.supported_schemes()
    }
}

#[cfg(test)]
pub(super) mod tests;
