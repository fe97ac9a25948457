// SPDX-License-Identifier: MIT OR Apache-2.0
//! TLS 1.3 in virtual time. Messages and keys are real, but their randomness is drawn from the seed of the run.
//!
//! The provider takes random bytes and ephemeral keys from [`draws`](super::draws), and its clock has a constant time.
//! Its certificate is also constant. It must therefore never be used outside a simulation. This module is private to
//! this crate, and the crate for real applications does not depend on this crate.

use super::draws::fill;
use super::null_keys::{NullClient, NullServer};
use noq_proto::crypto;
use noq_proto::crypto::rustls::{QuicClientConfig, QuicServerConfig};
use rustls::NamedGroup;
use rustls::client::{ClientSessionStore, Resumption, Tls12ClientSessionValue, Tls13ClientSessionValue};
use rustls::crypto::ring::cipher_suite::TLS13_AES_128_GCM_SHA256;
use rustls::crypto::{ActiveKeyExchange, GetRandomFailed, SecureRandom, SharedSecret, SupportedKxGroup};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer, ServerName, UnixTime};
use rustls::server::StoresServerSessions;
use rustls::time_provider::TimeProvider;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Self-signed certificate of the server "server": Ed25519 with the private key of [`KEY_SEED`], serial number 1, valid
/// from 2020 to 2119.
const CERTIFICATE: &[u8] = include_bytes!("certificate.der");

/// Private Ed25519 key of the certificate. The key does not have to be secret, because the certificate is not used to
/// prove an identity.
const KEY_SEED: [u8; 32] = [42; 32];

/// PKCS #8 header of an Ed25519 private key (RFC 8410, section 7).
const PKCS8_HEADER: [u8; 16] =
    [0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20];

/// Name of the server in its certificate.
pub const SERVER_NAME: &str = "server";

/// Application protocol of both ends. It is the token of the interoperability tests (RFC 7301).
const ALPN: &[u8] = b"hq-interop";

/// The time of all handshakes: 1 January 2026.
const NOW: Duration = Duration::from_secs(1_767_225_600);

/// Random bytes from the random stream that is lent to the thread.
#[derive(Debug)]
struct Seeded;

impl SecureRandom for Seeded {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), GetRandomFailed> {
        fill(bytes);
        Ok(())
    }
}

/// X25519 (RFC 7748) with ephemeral keys from the lent stream. The library's own implementation cannot be used, because
/// it draws its keys by itself.
#[derive(Debug)]
struct X25519;

struct Ephemeral {
    secret: x25519_dalek::StaticSecret,
    public: x25519_dalek::PublicKey,
}

impl SupportedKxGroup for X25519 {
    fn start(&self) -> Result<Box<dyn ActiveKeyExchange>, rustls::Error> {
        let mut key = [0; 32];
        fill(&mut key);
        let secret = x25519_dalek::StaticSecret::from(key);
        Ok(Box::new(Ephemeral { public: (&secret).into(), secret }))
    }
    fn name(&self) -> NamedGroup {
        NamedGroup::X25519
    }
}

impl ActiveKeyExchange for Ephemeral {
    fn complete(self: Box<Self>, peer: &[u8]) -> Result<SharedSecret, rustls::Error> {
        let peer: [u8; 32] = peer.try_into().map_err(|_| rustls::PeerMisbehaved::InvalidKeyShare)?;
        Ok(SharedSecret::from(&self.secret.diffie_hellman(&peer.into()).as_bytes()[..]))
    }
    fn pub_key(&self) -> &[u8] {
        self.public.as_bytes()
    }
    fn group(&self) -> NamedGroup {
        NamedGroup::X25519
    }
}

/// A clock with a constant time. Certificates and session tickets therefore never expire during a run.
#[derive(Debug)]
pub struct FixedClock;

impl TimeProvider for FixedClock {
    fn current_time(&self) -> Option<UnixTime> {
        Some(UnixTime::since_unix_epoch(NOW))
    }
}

impl noq_proto::TimeSource for FixedClock {
    fn now(&self) -> std::time::SystemTime {
        std::time::SystemTime::UNIX_EPOCH + NOW
    }
}

/// The secrets of connections in the format of `SSLKEYLOGFILE` (RFC 9850), for captures. Before [`KeyLog::keep`] there
/// are no captures, and secrets are not kept. Both ends learn the same secrets; each secret is kept once.
#[derive(Debug, Default)]
pub struct KeyLog(Mutex<Option<Secrets>>);

#[derive(Debug, Default)]
struct Secrets {
    /// Lines that only one end has learned so far.
    seen: BTreeSet<String>,
    /// Lines that were not returned yet.
    news: String,
}

impl KeyLog {
    fn secrets(&self) -> MutexGuard<'_, Option<Secrets>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps the secrets of later handshakes until they are taken.
    pub fn keep(&self) {
        self.secrets().get_or_insert_default();
    }

    /// Removes and returns the lines since the last call.
    pub fn take(&self) -> String {
        self.secrets().as_mut().map(|secrets| std::mem::take(&mut secrets.news)).unwrap_or_default()
    }

    /// Calls `handshake`, whose secrets are not kept.
    pub fn without(&self, handshake: impl FnOnce()) {
        let kept = self.secrets().take();
        handshake();
        *self.secrets() = kept;
    }
}

impl rustls::KeyLog for KeyLog {
    fn will_log(&self, _label: &str) -> bool {
        self.secrets().is_some()
    }
    fn log(&self, label: &str, client_random: &[u8], secret: &[u8]) {
        use std::fmt::Write as _;
        let hex = |bytes: &[u8]| {
            bytes.iter().fold(String::new(), |mut text, byte| {
                let _ = write!(text, "{byte:02x}");
                text
            })
        };
        let line = format!("{label} {} {}\n", hex(client_random), hex(secret));
        let mut secrets = self.secrets();
        let Some(secrets) = &mut *secrets else { return };
        if !secrets.seen.remove(&line) {
            secrets.news += &line;
            secrets.seen.insert(line);
        }
    }
}

/// The configurations of both ends of a connection. They also apply to later connections between the same hosts.
pub struct Configs {
    pub server: Arc<dyn crypto::ServerConfig>,
    pub client: Arc<dyn crypto::ClientConfig>,
    pub keys: Arc<KeyLog>,
    /// The session tickets of the client. If there are no tickets, every connection performs a full handshake.
    pub tickets: Arc<Tickets>,
}

/// The session tickets of a client. Each ticket is used once (RFC 8446, appendix C.4). The newest ticket is used first.
#[derive(Default)]
pub struct Tickets(Mutex<Vec<Tls13ClientSessionValue>>);

impl Tickets {
    /// Largest number of tickets that a client stores. The library's own store has the same limit.
    const MOST: usize = 8;

    fn all(&self) -> MutexGuard<'_, Vec<Tls13ClientSessionValue>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether there is no ticket.
    pub fn is_empty(&self) -> bool {
        self.all().is_empty()
    }
}

impl fmt::Debug for Tickets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tickets").field("count", &self.all().len()).finish()
    }
}

impl ClientSessionStore for Tickets {
    fn set_kx_hint(&self, _server: ServerName<'static>, _group: NamedGroup) {}
    fn kx_hint(&self, _server: &ServerName<'_>) -> Option<NamedGroup> {
        None
    }
    fn set_tls12_session(&self, _server: ServerName<'static>, _session: Tls12ClientSessionValue) {}
    fn tls12_session(&self, _server: &ServerName<'_>) -> Option<Tls12ClientSessionValue> {
        None
    }
    fn remove_tls12_session(&self, _server: &ServerName<'static>) {}
    fn insert_tls13_ticket(&self, _server: ServerName<'static>, ticket: Tls13ClientSessionValue) {
        let mut all = self.all();
        if all.len() == Self::MOST {
            all.remove(0);
        }
        all.push(ticket);
    }
    fn take_tls13_ticket(&self, _server: &ServerName<'static>) -> Option<Tls13ClientSessionValue> {
        self.all().pop()
    }
}

/// The sessions of a server, until a client resumes them. If there are too many sessions, the server removes the oldest
/// session. A later connection with the ticket of this session performs a full handshake, and its early data are
/// refused.
#[derive(Debug, Default)]
struct Sessions(Mutex<Stored>);

#[derive(Debug, Default)]
struct Stored {
    by_key: BTreeMap<Vec<u8>, Vec<u8>>,
    /// The newest keys, oldest first. The keys of resumed sessions remain in this list.
    keys: VecDeque<Vec<u8>>,
}

impl Sessions {
    /// Largest number of sessions that a server stores. It is OpenSSL's default (`SSL_SESSION_CACHE_MAX_SIZE_DEFAULT`).
    const MOST: usize = 20 * 1024;

    fn all(&self) -> MutexGuard<'_, Stored> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl StoresServerSessions for Sessions {
    fn put(&self, key: Vec<u8>, session: Vec<u8>) -> bool {
        let Stored { by_key, keys } = &mut *self.all();
        if keys.len() == Self::MOST
            && let Some(oldest) = keys.pop_front()
        {
            by_key.remove(&oldest);
        }
        keys.push_back(key.clone());
        by_key.insert(key, session);
        true
    }
    fn get(&self, key: &[u8]) -> Option<Vec<u8>> {
        self.all().by_key.get(key).cloned()
    }
    fn take(&self, key: &[u8]) -> Option<Vec<u8>> {
        self.all().by_key.remove(key)
    }
    fn can_cache(&self) -> bool {
        true
    }
}

/// Returns the configurations of the two hosts of a flow. If `encrypts` is false, packets after the handshake are not
/// encrypted. If `resumes` is true, clients resume sessions with early data.
///
/// # Errors
/// If the fixed certificate or the cipher suite is refused. This would be a defect of this crate.
pub fn configs(encrypts: bool, resumes: bool) -> Result<Configs, rustls::Error> {
    let mut provider = rustls::crypto::ring::default_provider();
    provider.cipher_suites = vec![TLS13_AES_128_GCM_SHA256];
    provider.kx_groups = vec![&X25519];
    provider.secure_random = &Seeded;
    let provider = Arc::new(provider);
    let certificate = CertificateDer::from(CERTIFICATE);
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from([&PKCS8_HEADER[..], &KEY_SEED].concat()));
    let keys = Arc::new(KeyLog::default());

    let mut server = rustls::ServerConfig::builder_with_details(provider.clone(), Arc::new(FixedClock))
        .with_protocol_versions(&[&rustls::version::TLS13])?
        .with_no_client_auth()
        .with_single_cert(vec![certificate.clone()], key)?;
    server.alpn_protocols = vec![ALPN.to_vec()];
    server.key_log = keys.clone();
    if resumes {
        server.max_early_data_size = u32::MAX;
        server.session_storage = Arc::new(Sessions::default());
    }

    let mut roots = rustls::RootCertStore::empty();
    roots.add(certificate)?;
    let verifier =
        rustls::client::WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider.clone())
            .build()
            .map_err(|error| rustls::Error::General(error.to_string()))?;
    let mut client = rustls::ClientConfig::builder_with_details(provider, Arc::new(FixedClock))
        .with_protocol_versions(&[&rustls::version::TLS13])?
        .with_webpki_verifier(verifier)
        .with_no_client_auth();
    client.alpn_protocols = vec![ALPN.to_vec()];
    client.key_log = keys.clone();
    let tickets = Arc::new(Tickets::default());
    client.enable_early_data = resumes;
    client.resumption = if resumes { Resumption::store(tickets.clone()) } else { Resumption::disabled() };

    let suite = || {
        let suite = TLS13_AES_128_GCM_SHA256.tls13().and_then(rustls::Tls13CipherSuite::quic_suite);
        suite.ok_or_else(|| rustls::Error::General("the suite has no QUIC keys".to_owned()))
    };
    let refused = |error: crypto::rustls::NoInitialCipherSuite| rustls::Error::General(error.to_string());
    let server: Arc<dyn crypto::ServerConfig> =
        Arc::new(QuicServerConfig::with_initial(Arc::new(server), suite()?).map_err(refused)?);
    let client: Arc<dyn crypto::ClientConfig> =
        Arc::new(QuicClientConfig::with_initial(Arc::new(client), suite()?).map_err(refused)?);
    Ok(if encrypts {
        Configs { server, client, keys, tickets }
    } else {
        Configs { server: Arc::new(NullServer(server)), client: Arc::new(NullClient(client)), keys, tickets }
    })
}

/// Creates a key from a seed. The key protects data that only one server reads: reset tokens and address tokens.
pub fn hmac_key(seed: &[u8; 32]) -> Arc<dyn crypto::HmacKey> {
    Arc::new(ring::hmac::Key::new(ring::hmac::HMAC_SHA256, seed))
}

/// Address tokens that are never accepted, because no Retry and no NEW_TOKEN frame is sent.
pub struct NoTokens;

impl crypto::HandshakeTokenKey for NoTokens {
    fn seal(&self, _nonce: u128, _data: &mut Vec<u8>) -> Result<(), crypto::CryptoError> {
        Err(crypto::CryptoError)
    }
    fn open<'a>(&self, _nonce: u128, _data: &'a mut [u8]) -> Result<&'a [u8], crypto::CryptoError> {
        Err(crypto::CryptoError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_stores_the_newest_sessions() {
        let sessions = Sessions::default();
        for number in 0..100_000_u32 {
            assert!(sessions.put(number.to_be_bytes().to_vec(), vec![7; 200]));
            // Clients resume every fourth session immediately.
            assert!(number % 4 != 0 || sessions.take(&number.to_be_bytes()).is_some());
        }
        let stored = sessions.all();
        assert_eq!((stored.keys.len(), stored.by_key.len()), (20_480, 20_480 / 4 * 3));
        assert!(stored.by_key.contains_key(&79_521_u32.to_be_bytes()[..]));
        assert!(!stored.by_key.contains_key(&79_519_u32.to_be_bytes()[..]));
    }
}
