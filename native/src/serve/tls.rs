//! With which certificate the scheduler serves: one from files, read again when they change, or one that it makes itself.

use core::net::IpAddr;
use core::time::Duration;
use std::fs;
use std::io;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::SystemTime;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{Receiver, channel};
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_rustls::server::TlsStream;
use tracing::{error, info};

use crate::error::Error;

/// Where the certificate comes from.
#[derive(Clone, Debug)]
pub(crate) enum Certificate {
    /// From files in PEM.
    Files {
        /// The certificate and those that signed it.
        certificate: String,
        /// The key.
        key: String,
    },
    /// Made at every start, for this machine only.
    SelfSigned,
}

/// A port with TLS.
pub(super) struct TlsListener {
    connections: Receiver<(TlsStream<TcpStream>, core::net::SocketAddr)>,
    address: core::net::SocketAddr,
}

impl TlsListener {
    /// Begins to accept connections.
    pub(super) fn new(
        listener: TcpListener,
        certificate: &Certificate,
        bind_address: IpAddr,
        tasks: &mut JoinSet<()>,
    ) -> Result<Self, Error> {
        let key = Arc::new(Current(RwLock::new(Arc::new(load(
            certificate,
            bind_address,
        )?))));
        if let Certificate::Files { .. } = certificate {
            tasks.spawn(reload(certificate.clone(), bind_address, key.clone()));
        }
        let provider = Arc::new(ring::default_provider());
        let config =
            ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let mut config = config
            .map_err(|error| Error::Cluster(error.to_string()))?
            .with_no_client_auth()
            .with_cert_resolver(key);
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let address = listener
            .local_addr()
            .map_err(|error| Error::Cluster(error.to_string()))?;
        let (sender, connections) = channel(CONNECTIONS);
        tasks.spawn(async move {
            let mut handshakes = JoinSet::new();
            loop {
                // Those that came to their end are taken off.
                while handshakes.try_join_next().is_some() {}
                let Ok((stream, peer)) = listener.accept().await else {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                };
                let (acceptor, sender) = (acceptor.clone(), sender.clone());
                handshakes.spawn(async move {
                    let handshake = tokio::time::timeout(HANDSHAKE, acceptor.accept(stream)).await;
                    if let Ok(Ok(stream)) = handshake {
                        // Whoever serves may have gone.
                        let _ = sender.send((stream, peer)).await;
                    }
                });
            }
        });
        Ok(Self {
            connections,
            address,
        })
    }
}

impl axum::serve::Listener for TlsListener {
    type Io = TlsStream<TcpStream>;
    type Addr = core::net::SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        match self.connections.recv().await {
            Some(connection) => connection,
            // The task that accepts is gone, which it is only at the end.
            None => core::future::pending().await,
        }
    }

    fn local_addr(&self) -> io::Result<Self::Addr> {
        Ok(self.address)
    }
}

/// The key that is in force.
#[derive(Debug)]
struct Current(RwLock<Arc<CertifiedKey>>);

impl ResolvesServerCert for Current {
    fn resolve(&self, _hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(
            self.0
                .read()
                .unwrap_or_else(PoisonError::into_inner)
                .clone(),
        )
    }
}

/// Reads the files again when they change.
async fn reload(certificate: Certificate, bind_address: IpAddr, current: Arc<Current>) {
    let mut seen = changed(&certificate);
    loop {
        tokio::time::sleep(BETWEEN_LOOKS).await;
        let now = changed(&certificate);
        if now == seen {
            continue;
        }
        seen = now;
        match load(&certificate, bind_address) {
            Ok(key) => {
                *current.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(key);
                info!("the certificate was read again");
            }
            Err(error) => {
                error!("the certificate has changed and cannot be read; the old one stays: {error}")
            }
        }
    }
}

fn changed(certificate: &Certificate) -> Vec<Option<SystemTime>> {
    let Certificate::Files { certificate, key } = certificate else {
        return Vec::new();
    };
    let time = |name: &String| {
        fs::metadata(name)
            .and_then(|metadata| metadata.modified())
            .ok()
    };
    [certificate, key].map(time).to_vec()
}

fn load(certificate: &Certificate, bind_address: IpAddr) -> Result<CertifiedKey, Error> {
    let (chain, key) = match certificate {
        Certificate::Files { certificate, key } => {
            let fault = |name: &str, what: &dyn core::fmt::Display| {
                Error::Cluster(format!("{name}: {what}"))
            };
            let chain = CertificateDer::pem_file_iter(certificate)
                .and_then(Iterator::collect::<Result<Vec<_>, _>>)
                .map_err(|what| fault(certificate, &what))?;
            let key = PrivateKeyDer::from_pem_file(key).map_err(|what| fault(key, &what))?;
            (chain, key)
        }
        Certificate::SelfSigned => self_signed(bind_address).map_err(|what| {
            Error::Cluster(format!("unable to generate self signed cert: {what}"))
        })?,
    };
    let provider = ring::default_provider();
    CertifiedKey::from_der(chain, key, &provider).map_err(|error| Error::Cluster(error.to_string()))
}

/// For `localhost`, loopback and the address that is bound.
fn self_signed(
    bind_address: IpAddr,
) -> Result<(Vec<CertificateDer<'static>>, PrivateKeyDer<'static>), rcgen::Error> {
    let names = [
        "localhost".to_owned(),
        "127.0.0.1".to_owned(),
        bind_address.to_string(),
    ];
    let made = rcgen::generate_simple_self_signed(names)?;
    let key = PrivateKeyDer::try_from(made.signing_key.serialize_der());
    let key = key.map_err(|_| rcgen::Error::CouldNotParseKeyPair)?;
    Ok((vec![made.cert.der().clone()], key))
}

/// Connections that may wait to be served.
const CONNECTIONS: usize = 64;
/// How long a handshake may take.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// How often the files are looked at.
const BETWEEN_LOOKS: Duration = Duration::from_secs(30);
