// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sessions whose 1-RTT packets are not encrypted. The handshake is real. Packets have the size of encrypted packets,
//! because the tag of 16 bytes is kept. The times and sizes of all packets are therefore those of a run with real keys.

use bytes::BytesMut;
use noq_proto::crypto::{
    ClientConfig, CryptoError, ExportKeyingMaterialError, HeaderKey, KeyPair, Keys, PacketKey, ServerConfig,
    Session, UnsupportedVersion,
};
use noq_proto::transport_parameters::TransportParameters;
use noq_proto::{ConnectError, ConnectionId, PathId, Side, TransportError};
use std::any::Any;
use std::sync::Arc;

/// Length of the tag of AES-GCM, in bytes.
const TAG: usize = 16;

/// The level of the 1-RTT keys among the keys that the handshake provides. Levels count from 1, and handshake keys come
/// first.
const ONE_RTT: u8 = 2;

/// A server with null keys.
pub struct NullServer(pub Arc<dyn ServerConfig>);

/// A client with null keys.
pub struct NullClient(pub Arc<dyn ClientConfig>);

struct NullSession {
    inner: Box<dyn Session>,
    /// Number of key sets that were provided so far.
    levels: u8,
}

impl ClientConfig for NullClient {
    fn start_session(
        &self,
        version: u32,
        server_name: &str,
        params: &TransportParameters,
    ) -> Result<Box<dyn Session>, ConnectError> {
        let inner = self.0.start_session(version, server_name, params)?;
        Ok(Box::new(NullSession { inner, levels: 0 }))
    }
}

impl ServerConfig for NullServer {
    fn initial_keys(&self, version: u32, dst_cid: ConnectionId) -> Result<Keys, UnsupportedVersion> {
        self.0.initial_keys(version, dst_cid)
    }
    fn retry_tag(&self, version: u32, orig_dst_cid: ConnectionId, packet: &[u8]) -> [u8; 16] {
        self.0.retry_tag(version, orig_dst_cid, packet)
    }
    fn start_session(&self, version: u32, params: &TransportParameters) -> Box<dyn Session> {
        Box::new(NullSession { inner: self.0.start_session(version, params), levels: 0 })
    }
}

/// A key that does not encrypt.
struct NullKey;

impl PacketKey for NullKey {
    fn encrypt(&self, _: PathId, _: u64, _: &mut [u8], _: usize) {}
    fn decrypt(&self, _: PathId, _: u64, _: &[u8], payload: &mut BytesMut) -> Result<(), CryptoError> {
        let len = payload.len().checked_sub(TAG).ok_or(CryptoError)?;
        payload.truncate(len);
        Ok(())
    }
    fn tag_len(&self) -> usize {
        TAG
    }
    fn confidentiality_limit(&self) -> u64 {
        // The limit of RFC 9001, section 6.6, for AES-GCM.
        1 << 23
    }
    fn integrity_limit(&self) -> u64 {
        1 << 52
    }
}

impl HeaderKey for NullKey {
    fn decrypt(&self, _: usize, _: &mut [u8]) {}
    fn encrypt(&self, _: usize, _: &mut [u8]) {}
    fn sample_size(&self) -> usize {
        TAG
    }
}

fn null_packet_keys() -> KeyPair<Box<dyn PacketKey>> {
    KeyPair { local: Box::new(NullKey), remote: Box::new(NullKey) }
}

impl Session for NullSession {
    fn initial_keys(&self, dst_cid: ConnectionId, side: Side) -> Keys {
        self.inner.initial_keys(dst_cid, side)
    }
    fn handshake_data(&self) -> Option<Box<dyn Any>> {
        self.inner.handshake_data()
    }
    fn peer_identity(&self) -> Option<Box<dyn Any>> {
        self.inner.peer_identity()
    }
    fn early_crypto(&self) -> Option<(Box<dyn HeaderKey>, Box<dyn PacketKey>)> {
        self.inner.early_crypto()
    }
    fn early_data_accepted(&self) -> Option<bool> {
        self.inner.early_data_accepted()
    }
    fn is_handshaking(&self) -> bool {
        self.inner.is_handshaking()
    }
    fn read_handshake(&mut self, bytes: &[u8]) -> Result<bool, TransportError> {
        self.inner.read_handshake(bytes)
    }
    fn transport_parameters(&self) -> Result<Option<TransportParameters>, TransportError> {
        self.inner.transport_parameters()
    }
    fn write_handshake(&mut self, bytes: &mut Vec<u8>) -> Option<Keys> {
        let keys = self.inner.write_handshake(bytes)?;
        self.levels += 1;
        if self.levels < ONE_RTT {
            return Some(keys);
        }
        let header = KeyPair { local: Box::new(NullKey) as _, remote: Box::new(NullKey) as _ };
        Some(Keys { header, packet: null_packet_keys() })
    }
    fn next_1rtt_keys(&mut self) -> Option<KeyPair<Box<dyn PacketKey>>> {
        self.inner.next_1rtt_keys().map(|_| null_packet_keys())
    }
    fn is_valid_retry(&self, orig_dst_cid: ConnectionId, header: &[u8], payload: &[u8]) -> bool {
        self.inner.is_valid_retry(orig_dst_cid, header, payload)
    }
    fn export_keying_material(
        &self,
        output: &mut [u8],
        label: &[u8],
        context: &[u8],
    ) -> Result<(), ExportKeyingMaterialError> {
        self.inner.export_keying_material(output, label, context)
    }
}
