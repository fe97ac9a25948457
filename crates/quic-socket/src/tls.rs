// SPDX-License-Identifier: MIT OR Apache-2.0
//! Certificates, and TLS 1.3 for both sides.

use crate::{ALPN, SocketError};
use noq_proto::crypto;
use noq_proto::crypto::rustls::{QuicClientConfig, QuicServerConfig};
use ring::rand::{SecureRandom, SystemRandom};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{Resumption, WebPkiServerVerifier};
use rustls::crypto::ring::cipher_suite::TLS13_AES_128_GCM_SHA256;
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::{DigitallySignedStruct, RootCertStore, SignatureScheme};
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use units::Code;

/// Largest number of sessions that a client stores, one per server.
const SESSIONS: usize = 64;

/// The certificate of a server and its private key.
#[derive(Debug)]
pub struct Identity {
    chain: Vec<CertificateDer<'static>>,
    key: PrivateKeyDer<'static>,
    /// The certificate in PEM, if it was generated here.
    pem: Option<String>,
}

impl Identity {
    /// Generates a key and a self-signed certificate for `localhost`, the loopback addresses and `address`.
    ///
    /// # Errors
    /// If the system provides no random numbers.
    pub fn generate(address: IpAddr) -> Result<Self, SocketError> {
        let mut names = vec!["localhost".to_owned(), "127.0.0.1".to_owned(), "::1".to_owned()];
        if !address.is_loopback() && !address.is_unspecified() {
            names.push(address.to_string());
        }
        let failed = |error: rcgen::Error| {
            SocketError::new(
                Code::CertificateRefused,
                format!("cannot make a certificate: {error} (give --cert and --key)"),
            )
        };
        let made = rcgen::generate_simple_self_signed(names).map_err(failed)?;
        let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).map_err(|error| {
            SocketError::new(Code::CertificateRefused, format!("cannot make a key: {error}"))
        })?;
        Ok(Self { chain: vec![made.cert.der().clone()], key, pem: Some(made.cert.pem()) })
    }

    /// Reads the certificate of the server, the chain of certificates that follows it, and the private key of the
    /// server (PEM).
    ///
    /// # Errors
    /// If a file cannot be read, or contains no certificate or key.
    pub fn read(certificates: &Path, key: &Path) -> Result<Self, SocketError> {
        let chain = read_certificates("--cert", certificates)?;
        let key = PrivateKeyDer::from_pem_file(key).map_err(|error| {
            let why =
                format!("--key {}: {} (give the private key of --cert in PEM)", key.display(), plain(&error));
            SocketError::new(Code::ArgumentValue, why)
        })?;
        Ok(Self { chain, key, pem: None })
    }

    /// Returns the certificate in PEM if it was generated here.
    pub fn pem(&self) -> Option<&str> {
        self.pem.as_deref()
    }
}

/// How a client checks the certificate of a server.
#[derive(Clone, Debug)]
pub enum Trust {
    /// The certificate must be in this file (PEM), or be issued by a certificate in it.
    Authorities(PathBuf),
    /// The certificate is not checked.
    Anyone,
}

/// Returns the error of the PEM reader in plain words.
fn plain(error: &rustls::pki_types::pem::Error) -> String {
    use rustls::pki_types::pem::Error;
    match error {
        Error::NoItemsFound => "the file contains no such item in PEM".to_owned(),
        Error::Io(error) => error.to_string(),
        other => other.to_string(),
    }
}

fn read_certificates(option: &str, file: &Path) -> Result<Vec<CertificateDer<'static>>, SocketError> {
    let wrong = |why: &str| {
        let why = format!("{option} {}: {why} (give a file with certificates in PEM)", file.display());
        SocketError::new(Code::ArgumentValue, why)
    };
    let found: Result<Vec<_>, _> = CertificateDer::pem_file_iter(file).and_then(Iterator::collect);
    let found = found.map_err(|error| wrong(&plain(&error)))?;
    if found.is_empty() { Err(wrong("the file contains no certificate")) } else { Ok(found) }
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(rustls::crypto::ring::default_provider())
}

/// Returns the cipher suite of Initial packets (RFC 9001, section 5.2).
fn initial() -> Result<rustls::quic::Suite, SocketError> {
    let suite = TLS13_AES_128_GCM_SHA256.tls13().and_then(rustls::Tls13CipherSuite::quic_suite);
    suite.ok_or_else(|| refused("the suite of Initial packets is missing"))
}

fn refused(why: impl std::fmt::Display) -> SocketError {
    SocketError::new(Code::CertificateRefused, format!("TLS cannot be set up: {why}"))
}

/// Returns the TLS configuration of a server. It stores sessions in memory, so that clients can resume them with 0-RTT.
pub(crate) fn server(identity: Identity) -> Result<Arc<dyn crypto::ServerConfig>, SocketError> {
    let mut config = rustls::ServerConfig::builder_with_provider(provider())
        .with_protocol_versions(&[&rustls::version::TLS13])
        .map_err(refused)?
        .with_no_client_auth()
        .with_single_cert(identity.chain, identity.key)
        .map_err(|error| {
            let why = format!("--cert and --key: {error} (give the key of the first certificate)");
            SocketError::new(Code::ArgumentValue, why)
        })?;
    config.alpn_protocols = vec![ALPN.into()];
    // Required by QUIC (RFC 9001, section 4.6.1).
    config.max_early_data_size = u32::MAX;
    Ok(Arc::new(QuicServerConfig::with_initial(Arc::new(config), initial()?).map_err(refused)?))
}

/// Returns the TLS configuration of a client. It stores sessions in memory.
pub(crate) fn client(trust: &Trust) -> Result<Arc<dyn crypto::ClientConfig>, SocketError> {
    let builder = rustls::ClientConfig::builder_with_provider(provider())
        .with_protocol_versions(&[&rustls::version::TLS13])
        .map_err(refused)?;
    let mut config = match trust {
        Trust::Authorities(file) => {
            let mut roots = RootCertStore::empty();
            for certificate in read_certificates("--ca", file)? {
                roots.add(certificate).map_err(|error| {
                    let why =
                        format!("--ca {}: {error} (give certificates of authorities in PEM)", file.display());
                    SocketError::new(Code::ArgumentValue, why)
                })?;
            }
            let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider());
            builder.with_webpki_verifier(verifier.build().map_err(refused)?).with_no_client_auth()
        }
        Trust::Anyone => builder
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(Unchecked(provider())))
            .with_no_client_auth(),
    };
    config.alpn_protocols = vec![ALPN.into()];
    config.enable_early_data = true;
    config.resumption = Resumption::in_memory_sessions(SESSIONS);
    Ok(Arc::new(QuicClientConfig::with_initial(Arc::new(config), initial()?).map_err(refused)?))
}

/// Accepts every certificate. Signatures are still checked, so the server must have the key of its certificate.
#[derive(Debug)]
struct Unchecked(Arc<CryptoProvider>);

impl ServerCertVerifier for Unchecked {
    fn verify_server_cert(
        &self,
        _end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, cert, dss, &self.0.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, cert, dss, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}

/// Returns random bytes of the system.
///
/// # Errors
/// If the system provides no random numbers.
pub(crate) fn random<const N: usize>() -> Result<[u8; N], SocketError> {
    let mut bytes = [0; N];
    SystemRandom::new().fill(&mut bytes).map_err(|_| refused("the system gives no random numbers"))?;
    Ok(bytes)
}
