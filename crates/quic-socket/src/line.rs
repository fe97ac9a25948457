// SPDX-License-Identifier: MIT OR Apache-2.0
//! One connection with its controller, its log and the data for its report.

use crate::log::Log;
use crate::socket::Socket;
use crate::tls::random;
use crate::{Report, Request, SocketError};
use noq_proto::{
    Connection, ConnectionHandle, Endpoint, EndpointConfig, PathId, Transmit, TransportConfig, VarInt,
};
use quic::control::SavedPath;
use quic::{Library, Setup, Watch};
use record::summary::SavedPathSummary;
use std::io;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use units::{Code, Span};

/// Flow-control windows of a receiver in bytes. 64 MiB allow 850 Mbit/s at an RTT of 600 ms.
const STREAM_WINDOW: u32 = 64 << 20;

/// Smallest size of the send buffer in bytes.
const SEND_BUFFER: u64 = 1 << 20;

/// Largest number of datagrams per system call. noq paces at most this number of datagrams at once.
const BATCH: usize = 10;

/// Largest number of system calls per turn. This limit leaves time for other connections if one connection is fast.
const CALLS_IN_A_TURN: usize = 16;

/// The controller of new connections.
#[derive(Clone, Debug)]
pub(crate) struct Controllers {
    setup: Setup,
    label: String,
    degraded: Option<String>,
}

impl Controllers {
    /// Creates the controllers.
    ///
    /// # Errors
    /// If the controller requires a signal that the library does not provide.
    pub(crate) fn new(setup: Setup, label: String) -> Result<Self, SocketError> {
        let refused = |error: quic::Refused| SocketError::new(error.code(), error.to_string());
        let lacking = setup.degraded(Library::Noq).map_err(refused)?;
        let degraded = (!lacking.is_empty()).then(|| lacking.to_string());
        Ok(Self { setup, label, degraded })
    }

    /// Returns the report of a connection that ended with its first packet.
    pub(crate) fn refused(&self, peer: String, error: String) -> Report {
        Report {
            peer,
            controller: self.label.clone(),
            degraded: self.degraded.clone(),
            handshake_s: None,
            duration_s: 0.0,
            zero_rtt: false,
            saved_path: None,
            bytes: 0,
            requests: Vec::new(),
            rtt_ms: None,
            min_rtt_ms: None,
            cwnd_bytes: None,
            datagram_bytes: 0,
            sent_packets: 0,
            lost_packets: 0,
            marked_acks: 0,
            cuts: 0,
            error: Some(error),
        }
    }

    /// Returns the settings of a connection that starts now, and the watch for its controller.
    pub(crate) fn transport(
        &self,
        saved_path: Option<SavedPath>,
        idle: Duration,
    ) -> Result<(TransportConfig, Started), SocketError> {
        let watch = Watch::recording();
        let opened = Instant::now();
        let seed = u64::from_le_bytes(random()?);
        let setup = self.setup.clone().seed(seed).epoch(opened).saved_path(saved_path).watch(watch.clone());
        let factory = setup.noq().map_err(|error| SocketError::new(error.code(), error.to_string()))?;
        let mut transport = TransportConfig::default();
        transport.congestion_controller_factory(Arc::new(factory)).receive_window(VarInt::MAX);
        // A timeout is never above 2^62 ms.
        transport.max_idle_timeout(idle.try_into().ok());
        transport.max_concurrent_uni_streams(VarInt::from_u32(0));
        Ok((transport, Started { watch, opened, saved_path }))
    }
}

/// The data of a connection that are known before the connection exists.
pub(crate) struct Started {
    watch: Watch,
    opened: Instant,
    saved_path: Option<SavedPath>,
}

/// Sets the settings of an endpoint that receives files.
pub(crate) fn receives(transport: &mut TransportConfig) {
    transport.stream_receive_window(VarInt::from_u32(STREAM_WINDOW));
    transport.max_concurrent_bidi_streams(VarInt::from_u32(0));
}

/// Returns the settings that client and server share: a reset key from the system's random numbers.
pub(crate) fn endpoint_config() -> Result<Arc<EndpointConfig>, SocketError> {
    let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, &random::<32>()?);
    Ok(Arc::new(EndpointConfig::new(Arc::new(key))))
}

/// A connection.
pub(crate) struct Line {
    pub connection: Connection,
    handle: ConnectionHandle,
    pub peer: String,
    watch: Watch,
    pub opened: Instant,
    saved_path: Option<SavedPath>,
    pub handshake: Option<Duration>,
    log: Option<Log>,
    send_buffer: u64,
    pub is_drained: bool,
}

impl Line {
    /// Creates a connection, and begins its log.
    ///
    /// # Errors
    /// If the log cannot be written.
    pub(crate) fn new(
        handle: ConnectionHandle,
        connection: Connection,
        peer: String,
        started: Started,
        qlog: Option<(&Path, record::qlog::Side)>,
    ) -> Result<Self, SocketError> {
        let Started { watch, opened, saved_path } = started;
        let log = match qlog {
            Some((folder, side)) => Some(Log::begin(folder, side, &peer, opened)?),
            None => None,
        };
        let is_drained = false;
        Ok(Self {
            connection,
            handle,
            peer,
            watch,
            opened,
            saved_path,
            handshake: None,
            log,
            send_buffer: 0,
            is_drained,
        })
    }

    /// Records that the handshake is complete.
    pub(crate) fn connected(&mut self) {
        self.handshake = Some(self.opened.elapsed());
    }

    /// Passes events between connection and endpoint.
    pub(crate) fn exchange(&mut self, endpoint: &mut Endpoint) {
        while let Some(event) = self.connection.poll_endpoint_events() {
            self.is_drained |= event.is_drained();
            if let Some(event) = endpoint.handle_event(self.handle, event) {
                self.connection.handle_event(event);
            }
        }
    }

    /// Sets the send buffer to twice the window. A smaller buffer would limit the connection, and a larger buffer would
    /// waste memory.
    pub(crate) fn size_send_buffer(&mut self) {
        let size = SEND_BUFFER.max(2 * self.watch.brief().cwnd.get());
        if size != self.send_buffer {
            self.send_buffer = size;
            self.connection.set_send_window(size);
        }
    }

    /// Sends the packets that may leave now. Returns true if more packets may leave.
    pub(crate) fn send(&mut self, socket: &Socket, buffer: &mut Vec<u8>) -> Result<bool, SocketError> {
        // With a log, each call sends one packet, because the log has an entry for each packet.
        let batch = if self.log.is_some() { 1 } else { socket.batch().min(BATCH) };
        let batch = NonZeroUsize::new(batch).unwrap_or(NonZeroUsize::MIN);
        for _ in 0..CALLS_IN_A_TURN {
            buffer.clear();
            let Some(sent) = self.connection.poll_transmit(Instant::now(), batch, buffer) else {
                return Ok(false);
            };
            if let Some(log) = &mut self.log {
                log.sent(&self.watch, self.handshake.is_some(), sent.size)?;
            }
            self.transmit(socket, &sent, buffer)?;
        }
        Ok(true)
    }

    /// Sends datagrams. If sending fails, the datagrams count as lost in the network. If a client has not completed the
    /// handshake, the failure is an error, because no server is listening.
    fn transmit(&self, socket: &Socket, sent: &Transmit, bytes: &[u8]) -> Result<(), SocketError> {
        match socket.send(sent, bytes) {
            Err(error) if self.handshake.is_none() && self.connection.side().is_client() => {
                Err(unreachable(&self.peer, &error))
            }
            _ => Ok(()),
        }
    }

    /// Writes the events since the last call to the log.
    pub(crate) fn write_log(&mut self) -> Result<(), SocketError> {
        match &mut self.log {
            Some(log) => log.update(&self.watch),
            None => Ok(()),
        }
    }

    /// Completes the log.
    pub(crate) fn end_log(&mut self) -> Result<(), SocketError> {
        self.write_log()?;
        match self.log.take() {
            Some(log) => log.end(),
            None => Ok(()),
        }
    }

    /// The path state that the controller saved for later connections over the same path.
    pub(crate) fn saved(&self) -> Option<SavedPath> {
        self.watch.state()?.saved()
    }

    /// Returns the report with these requests.
    pub(crate) fn report(
        &mut self,
        of: &Controllers,
        requests: Vec<Request>,
        error: Option<String>,
    ) -> Report {
        let state = self.watch.state();
        let counters = self.watch.counters().unwrap_or_default();
        let stats = self.connection.path_stats(PathId::ZERO);
        let ms = |span: Span| span.nanos() as f64 / 1e6;
        Report {
            peer: self.peer.clone(),
            controller: of.label.clone(),
            degraded: of.degraded.clone(),
            handshake_s: self.handshake.map(|span| span.as_secs_f64()),
            duration_s: self.opened.elapsed().as_secs_f64(),
            // For a client, the library reports whether 0-RTT was accepted. A server has 0-RTT keys only if it accepted
            // 0-RTT.
            zero_rtt: if self.connection.side().is_client() {
                self.connection.accepted_0rtt()
            } else {
                self.connection.has_0rtt()
            },
            saved_path: self
                .saved_path
                .map(|path| SavedPathSummary { cwnd_bytes: path.cwnd.get(), rtt_ms: path.rtt.millis_f64() }),
            bytes: requests.iter().map(|request| request.bytes).sum(),
            requests,
            rtt_ms: state.as_ref().and_then(|state| state.srtt).map(ms),
            min_rtt_ms: state.as_ref().and_then(|state| state.min_rtt).map(ms),
            cwnd_bytes: state.as_ref().map(|state| state.control.cwnd.get()),
            datagram_bytes: self.connection.current_mtu(),
            sent_packets: stats.as_ref().map_or(counters.sent.packets, |stats| stats.sent_packets),
            lost_packets: counters.lost.packets,
            marked_acks: counters.marked_acks,
            cuts: counters.cuts,
            error,
        }
    }
}

/// Returns the error for a server address at which no server is listening.
pub(crate) fn unreachable(peer: &str, error: &io::Error) -> SocketError {
    let why = match error.kind() {
        io::ErrorKind::ConnectionRefused => {
            "nothing listens there (start the server, or check host and port)".to_owned()
        }
        _ => format!("{error} (check host, port and network)"),
    };
    SocketError::new(Code::AddressUnusable, format!("cannot reach {peer}: {why}"))
}
