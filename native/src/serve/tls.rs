//! With which certificate the scheduler serves: one from files, read again when they change, or one that it makes itself.

use core::net::IpAddr;
use core::time::Duration;
use std::fs;
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::SystemTime;

use axum::extract::connect_info::Connected;
use axum::serve::IncomingStream;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{Receiver, channel};
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_rustls::rustls::version::{TLS12, TLS13};
use tokio_rustls::rustls::{ServerConfig, SupportedProtocolVersion};
use tokio_rustls::server::TlsStream;
use tracing::{error, info};

use crate::error::Error;

use super::identity::{AnyCertificate, Chain};

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
    /// Made here, for this machine only: at every start, or once where it is kept in a folder.
    SelfSigned {
        /// The folder, for `kube-scheduler.crt` and `.key`.
        folder: Option<String>,
    },
}

/// The oldest TLS that is spoken, by Go's names. What is older than 1.2 never is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum TlsVersion {
    /// 1.2, as this and older ones ask for.
    #[value(name = "VersionTLS12", aliases = ["VersionTLS10", "VersionTLS11"])]
    Tls12,
    /// 1.3.
    #[value(name = "VersionTLS13")]
    Tls13,
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
        oldest: TlsVersion,
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
        let versions: &[&SupportedProtocolVersion] = match oldest {
            TlsVersion::Tls12 => &[&TLS12, &TLS13],
            TlsVersion::Tls13 => &[&TLS13],
        };
        let config = ServerConfig::builder_with_provider(provider).with_protocol_versions(versions);
        let mut config = config
            .map_err(|error| Error::Cluster(error.to_string()))?
            .with_client_cert_verifier(Arc::new(AnyCertificate::new()))
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

/// What a client has shown when it connected.
#[derive(Clone, Debug, Default)]
pub(super) struct Shown(pub(super) Arc<Chain>);

impl Connected<IncomingStream<'_, TlsListener>> for Shown {
    fn connect_info(stream: IncomingStream<'_, TlsListener>) -> Self {
        let (_, session) = stream.io().get_ref();
        let chain = session.peer_certificates().unwrap_or_default();
        let chain = chain
            .iter()
            .map(|certificate| certificate.clone().into_owned());
        Self(Arc::new(chain.collect()))
    }
}

impl Connected<IncomingStream<'_, TcpListener>> for Shown {
    fn connect_info(_stream: IncomingStream<'_, TcpListener>) -> Self {
        Self::default()
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
        Certificate::SelfSigned { folder: None } => made(bind_address)?.into_der()?,
        Certificate::SelfSigned {
            folder: Some(folder),
        } => return load(&kept(folder, bind_address)?, bind_address),
    };
    let provider = ring::default_provider();
    CertifiedKey::from_der(chain, key, &provider).map_err(|error| Error::Cluster(error.to_string()))
}

/// A certificate that was made here, in PEM.
struct Made {
    certificate: String,
    key: String,
}

impl Made {
    fn into_der(self) -> Result<(Vec<CertificateDer<'static>>, PrivateKeyDer<'static>), Error> {
        let fault =
            |what: &dyn core::fmt::Display| Error::Cluster(format!("{CANNOT_MAKE}: {what}"));
        let certificate = CertificateDer::from_pem_slice(self.certificate.as_bytes());
        let key = PrivateKeyDer::from_pem_slice(self.key.as_bytes());
        let certificate = certificate.map_err(|what| fault(&what))?;
        Ok((vec![certificate], key.map_err(|what| fault(&what))?))
    }
}

/// For `localhost`, loopback and the address that is bound.
fn made(bind_address: IpAddr) -> Result<Made, Error> {
    let names = [
        "localhost".to_owned(),
        "127.0.0.1".to_owned(),
        bind_address.to_string(),
    ];
    let made = rcgen::generate_simple_self_signed(names);
    let made = made.map_err(|what| Error::Cluster(format!("{CANNOT_MAKE}: {what}")))?;
    Ok(Made {
        certificate: made.cert.pem(),
        key: made.signing_key.serialize_pem(),
    })
}

/// The files of a folder, which are made when they are not there. The key is for its owner's eyes.
fn kept(folder: &str, bind_address: IpAddr) -> Result<Certificate, Error> {
    let path = |name: &str| Path::new(folder).join(name);
    let (certificate, key) = (path("kube-scheduler.crt"), path("kube-scheduler.key"));
    if !certificate.exists() || !key.exists() {
        let made = made(bind_address)?;
        let write = |path: &Path, text: &str, mode: u32| {
            let mut options = fs::OpenOptions::new();
            let file = options
                .write(true)
                .create(true)
                .truncate(true)
                .mode(mode)
                .open(path);
            let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
            written.map_err(|error| Error::File {
                name: path.display().to_string(),
                error,
            })
        };
        fs::create_dir_all(folder).map_err(|error| Error::File {
            name: folder.to_owned(),
            error,
        })?;
        write(&certificate, &made.certificate, 0o644)?;
        write(&key, &made.key, 0o600)?;
    }
    Ok(Certificate::Files {
        certificate: certificate.display().to_string(),
        key: key.display().to_string(),
    })
}

const CANNOT_MAKE: &str = "unable to generate self signed cert";
/// Connections that may wait to be served.
const CONNECTIONS: usize = 64;
/// How long a handshake may take.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// How often the files are looked at.
const BETWEEN_LOOKS: Duration = Duration::from_secs(30);
