// SPDX-License-Identifier: MIT OR Apache-2.0
//! The server.

use crate::line::{Controllers, Line, endpoint_config};
use crate::root::{LONGEST_REQUEST, Root};
use crate::socket::{Datagram, Socket};
use crate::{Identity, Observer, Request, SocketError, error::stream_code, tls};
use bytes::{Bytes, BytesMut};
use noq_proto::{
    ConnectionError, DatagramEvent, Dir, Endpoint, Event, Incoming, ReadError, ServerConfig, StreamEvent,
    StreamId, Transmit, VarInt,
};
use quic::Setup;
use quic::control::SavedPath;
use record::qlog::Side;
use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::io::Read;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use units::{Code, Span};

/// Idle timeout of a connection.
const IDLE: Duration = Duration::from_secs(30);

/// Largest number of connections at the same time.
const MOST_CONNECTIONS: usize = 1024;

/// Largest number of client addresses whose paths are stored.
const MOST_PATHS: usize = 1024;

/// Largest number of requests at the same time on a connection.
const STREAMS: VarInt = VarInt::from_u32(100);

/// Flow-control window of a request.
const REQUEST_WINDOW: VarInt = VarInt::from_u32(2 * LONGEST_REQUEST as u32);

/// Number of bytes per read from a file.
const CHUNK: usize = 1 << 16;

/// Largest number of datagrams that are received before datagrams are sent.
const RECEIVED_IN_A_TURN: usize = 64;

/// The folder to serve, and the settings.
#[derive(Debug)]
pub struct Serve {
    /// The folder.
    pub root: PathBuf,
    /// Address at which to listen. With port 0, the system chooses a free port.
    pub listen: SocketAddr,
    /// Certificate and key.
    pub identity: Identity,
    /// The controller of all connections.
    pub controller: Setup,
    /// The controller with its settings, for reports.
    pub label: String,
    /// Folder for a qlog file of each connection.
    pub qlog: Option<PathBuf>,
    /// Whether to end after the first connection.
    pub once: bool,
}

/// Serves until `observer` stops the server. If [`Serve::once`] is true, serves until the end of the first connection.
///
/// # Errors
/// If the folder, the certificate or the controller cannot be used, if the port is in use, or if a log cannot be
/// written. If [`Serve::once`] is true, also if the connection failed.
pub fn serve(options: Serve, observer: &mut impl Observer) -> Result<(), SocketError> {
    let root = Root::new(&options.root)?;
    let controllers = Controllers::new(options.controller, options.label)?;
    let config = ServerConfig::with_crypto(tls::server(options.identity)?);
    let socket = Socket::bind(options.listen).map_err(|error| not_bound(options.listen, &error))?;
    let address = socket.address().map_err(|error| not_bound(options.listen, &error))?;
    let endpoint =
        Endpoint::new(endpoint_config()?, Some(Arc::new(config.clone())), socket.allows_larger_datagrams());
    observer.listening(address);
    let mut server = Server {
        root,
        controllers,
        config,
        socket,
        endpoint,
        connections: BTreeMap::new(),
        paths: Paths::default(),
        qlog: options.qlog,
        responses: Vec::new(),
        refused: Vec::new(),
        buffer: Vec::new(),
    };
    server.run(options.once, observer)
}

fn not_bound(address: SocketAddr, error: &std::io::Error) -> SocketError {
    let fix = match error.kind() {
        std::io::ErrorKind::AddrInUse => {
            "another program uses the port: choose another port with --listen ADDRESS:PORT, or end that program"
        }
        std::io::ErrorKind::AddrNotAvailable => {
            "this machine does not have the address: choose another address with --listen"
        }
        std::io::ErrorKind::PermissionDenied => {
            "ports below 1024 need a privilege: choose another port with --listen"
        }
        _ => "choose another address with --listen",
    };
    SocketError::new(Code::AddressUnusable, format!("cannot listen on {address}: {error} ({fix})"))
}

/// Paths to clients, for Careful Resume (RFC 9959).
#[derive(Default)]
struct Paths {
    by_address: BTreeMap<IpAddr, (SavedPath, Instant)>,
    /// Addresses by the time at which they were first stored, oldest first.
    order: VecDeque<IpAddr>,
}

impl Paths {
    fn save(&mut self, address: IpAddr, path: SavedPath) {
        if self.by_address.insert(address, (path, Instant::now())).is_none() {
            self.order.push_back(address);
        }
        if self.order.len() > MOST_PATHS
            && let Some(oldest) = self.order.pop_front()
        {
            self.by_address.remove(&oldest);
        }
    }

    fn of(&self, address: IpAddr) -> Option<SavedPath> {
        let (path, since) = self.by_address.get(&address)?;
        let age = Span::from_nanos(path.age.nanos().saturating_add(since.elapsed().as_nanos() as u64));
        Some(SavedPath { age, ..*path })
    }
}

struct Server {
    root: Root,
    controllers: Controllers,
    config: ServerConfig,
    socket: Socket,
    endpoint: Endpoint,
    /// Connections by the handle of the library.
    connections: BTreeMap<usize, Served>,
    paths: Paths,
    qlog: Option<PathBuf>,
    /// Datagrams that the endpoint itself sends.
    responses: Vec<(Transmit, Vec<u8>)>,
    /// Connections that ended with their first packet, and the reasons.
    refused: Vec<(String, ConnectionError)>,
    buffer: Vec<u8>,
}

impl Server {
    fn run(&mut self, once: bool, observer: &mut impl Observer) -> Result<(), SocketError> {
        loop {
            if observer.stops() {
                return self.stop(observer);
            }
            self.receive()?;
            if let Some(failure) = self.tell_refused(observer)
                && once
            {
                self.respond();
                return Err(failure);
            }
            let now = Instant::now();
            let due: Vec<usize> = self
                .connections
                .iter()
                .filter(|(_, served)| served.is_due(now))
                .map(|(key, _)| *key)
                .collect();
            for key in due {
                let Some(served) = self.connections.get_mut(&key) else { continue };
                served.line.connection.handle_timeout(now);
                served.turn(&self.root, &mut self.endpoint, &self.socket, &mut self.buffer)?;
                if let Some(reason) = served.ended.take() {
                    let failure = self.report(key, Some(&reason), observer)?;
                    if once {
                        return failure.map_or(Ok(()), Err);
                    }
                }
                self.connections.retain(|_, served| !served.line.is_drained);
            }
            self.respond();
            self.socket.wait(self.connections.values().filter_map(Served::due).min());
        }
    }

    /// Sends the datagrams of the endpoint itself. If sending fails, a datagram counts as lost in the network.
    fn respond(&mut self) {
        for (sent, bytes) in self.responses.drain(..) {
            let _ = self.socket.send(&sent, &bytes);
        }
    }

    /// Reports connections that ended with their first packet to the observer. Returns the first error.
    fn tell_refused(&mut self, observer: &mut impl Observer) -> Option<SocketError> {
        let mut first = None;
        for (peer, reason) in self.refused.drain(..) {
            if let Some(error) = SocketError::of_connection(&peer, &reason) {
                observer.closed(self.controllers.refused(peer, error.to_string()));
                first.get_or_insert(error);
            }
        }
        first
    }

    /// Receives datagrams and passes them to their connections.
    fn receive(&mut self) -> Result<(), SocketError> {
        let mut arrived = Vec::new();
        for _ in 0..RECEIVED_IN_A_TURN {
            // An error is caused by an earlier datagram that could not be delivered. It is ignored.
            if !self.socket.receive(|datagram| arrived.push(datagram)).unwrap_or(false) {
                break;
            }
        }
        for Datagram { path, ecn, bytes } in arrived {
            let now = Instant::now();
            let mut response = Vec::new();
            match self.endpoint.handle(now, path, ecn, bytes, &mut response) {
                Some(DatagramEvent::ConnectionEvent(handle, event)) => {
                    if let Some(served) = self.connections.get_mut(&handle.0) {
                        served.line.connection.handle_event(event);
                        served.is_touched = true;
                    }
                }
                Some(DatagramEvent::NewConnection(incoming)) => self.accept(incoming, now)?,
                Some(DatagramEvent::Response(sent)) => self.responses.push((sent, response)),
                None => {}
            }
        }
        Ok(())
    }

    fn accept(&mut self, incoming: Incoming, now: Instant) -> Result<(), SocketError> {
        let mut response = Vec::new();
        if self.connections.len() >= MOST_CONNECTIONS {
            let sent = self.endpoint.refuse(incoming, &mut response);
            self.responses.push((sent, response));
            return Ok(());
        }
        let peer = incoming.remote_address();
        let (mut transport, started) = self.controllers.transport(self.paths.of(peer.ip()), IDLE)?;
        transport.max_concurrent_bidi_streams(STREAMS).stream_receive_window(REQUEST_WINDOW);
        let mut config = self.config.clone();
        config.transport_config(Arc::new(transport));
        match self.endpoint.accept(incoming, now, &mut response, Some(Arc::new(config))) {
            Ok((handle, connection)) => {
                let qlog = self.qlog.as_deref().map(|folder| (folder, Side::Server));
                let line = Line::new(handle, connection, peer.to_string(), started, qlog)?;
                self.connections.insert(handle.0, Served::new(line, peer.ip()));
            }
            Err(refused) => {
                if let Some(sent) = refused.response {
                    self.responses.push((sent, response));
                }
                self.refused.push((peer.to_string(), refused.cause));
            }
        }
        Ok(())
    }

    /// Reports a connection that has ended to the observer, and stores its path. Returns the error that ended the
    /// connection.
    fn report(
        &mut self,
        key: usize,
        reason: Option<&ConnectionError>,
        observer: &mut impl Observer,
    ) -> Result<Option<SocketError>, SocketError> {
        let Some(served) = self.connections.get_mut(&key) else { return Ok(None) };
        if let Some(path) = served.line.saved() {
            self.paths.save(served.address, path);
        }
        let failure = reason.and_then(|reason| SocketError::of_connection(&served.line.peer, reason));
        served.line.end_log()?;
        let requests = std::mem::take(&mut served.requests);
        let told = failure.as_ref().map(ToString::to_string);
        observer.closed(served.line.report(&self.controllers, requests, told));
        Ok(failure)
    }

    /// Closes all connections.
    fn stop(&mut self, observer: &mut impl Observer) -> Result<(), SocketError> {
        let keys: Vec<usize> = self.connections.keys().copied().collect();
        for key in keys {
            let Some(served) = self.connections.get_mut(&key) else { continue };
            if served.is_over {
                continue;
            }
            served.line.connection.close(
                Instant::now(),
                VarInt::from_u32(0),
                Bytes::from_static(b"the server ends"),
            );
            served.line.send(&self.socket, &mut self.buffer)?;
            self.report(key, None, observer)?;
        }
        Ok(())
    }
}

/// A request that is being read or answered.
enum Stream {
    Reading(Vec<u8>),
    Writing {
        file: File,
        left: u64,
        chunk: Bytes,
        place: usize,
        since: Instant,
    },
    /// All bytes are written, but not all are acknowledged.
    Finished {
        place: usize,
        since: Instant,
    },
}

/// A connection of the server.
struct Served {
    line: Line,
    address: IpAddr,
    streams: BTreeMap<StreamId, Stream>,
    requests: Vec<Request>,
    /// Whether packets arrived, or more packets may be sent at once.
    is_touched: bool,
    /// Whether the connection has ended; its last packets may still arrive.
    is_over: bool,
    /// Reason for the end, until the observer got it.
    ended: Option<ConnectionError>,
}

impl Served {
    fn new(line: Line, address: IpAddr) -> Self {
        Self {
            line,
            address,
            streams: BTreeMap::new(),
            requests: Vec::new(),
            is_touched: true,
            is_over: false,
            ended: None,
        }
    }

    fn due(&self) -> Option<Instant> {
        if self.is_touched { Some(self.line.opened) } else { self.line.connection.poll_timeout() }
    }

    fn is_due(&self, now: Instant) -> bool {
        self.due().is_some_and(|due| due <= now)
    }

    fn turn(
        &mut self,
        root: &Root,
        endpoint: &mut Endpoint,
        socket: &Socket,
        buffer: &mut Vec<u8>,
    ) -> Result<(), SocketError> {
        self.line.exchange(endpoint);
        while let Some(event) = self.line.connection.poll() {
            self.handle(event, root);
        }
        self.line.write_log()?;
        self.line.size_send_buffer();
        self.write();
        self.is_touched = self.line.send(socket, buffer)?;
        self.line.exchange(endpoint);
        Ok(())
    }

    fn handle(&mut self, event: Event, root: &Root) {
        match event {
            Event::Connected => self.line.connected(),
            Event::Stream(StreamEvent::Opened { dir: Dir::Bi }) => {
                while let Some(id) = self.line.connection.streams().accept(Dir::Bi) {
                    self.streams.insert(id, Stream::Reading(Vec::new()));
                    self.read(id, root);
                }
            }
            Event::Stream(StreamEvent::Readable { id }) => self.read(id, root),
            Event::Stream(StreamEvent::Finished { id }) => {
                if let Some(Stream::Finished { place, since }) = self.streams.remove(&id) {
                    self.requests[place].duration_s = Some(since.elapsed().as_secs_f64());
                }
            }
            Event::Stream(StreamEvent::Stopped { id, error_code }) => {
                if let Some(Stream::Writing { place, .. } | Stream::Finished { place, .. }) =
                    self.streams.remove(&id)
                {
                    self.requests[place].reset = Some(error_code.into_inner());
                }
            }
            Event::ConnectionLost { reason } => {
                self.streams.clear();
                self.is_over = true;
                self.ended = Some(reason);
            }
            _ => {}
        }
    }

    /// Reads a request. Answers the request when it is complete.
    fn read(&mut self, id: StreamId, root: &Root) {
        let Some(Stream::Reading(request)) = self.streams.get_mut(&id) else { return };
        let mut stream = self.line.connection.recv_stream(id);
        let Ok(mut chunks) = stream.read(true) else { return };
        let is_complete = loop {
            match chunks.next(LONGEST_REQUEST) {
                Ok(Some(chunk)) => request.extend_from_slice(&chunk.bytes),
                Ok(None) => break true,
                Err(ReadError::Blocked) => break false,
                Err(ReadError::Reset(_)) => {
                    let _ = chunks.finalize();
                    self.streams.remove(&id);
                    return;
                }
            }
            if request.len() > LONGEST_REQUEST {
                break true;
            }
        };
        // Packets that this makes necessary are sent at the end of each turn.
        let _ = chunks.finalize();
        if is_complete {
            let request = std::mem::take(request);
            self.answer(id, &request, root);
        }
    }

    fn answer(&mut self, id: StreamId, request: &[u8], root: &Root) {
        let (path, found) = if request.len() > LONGEST_REQUEST {
            // The client may send more of the request.
            let _ = self.line.connection.recv_stream(id).stop(stream_code::BAD_REQUEST);
            ("(too long)".to_owned(), Err(stream_code::BAD_REQUEST))
        } else {
            root.open(request)
        };
        let place = self.requests.len();
        let mut told = Request { path, bytes: 0, duration_s: None, reset: None };
        match found {
            Ok((file, left)) => {
                let stream =
                    Stream::Writing { file, left, chunk: Bytes::new(), place, since: Instant::now() };
                self.streams.insert(id, stream);
            }
            Err(code) => {
                told.reset = Some(code.into_inner());
                self.reset(id, code);
            }
        }
        self.requests.push(told);
    }

    fn reset(&mut self, id: StreamId, code: VarInt) {
        // A stream that is already closed needs no reset.
        let _ = self.line.connection.send_stream(id).reset(code);
        self.streams.remove(&id);
    }

    /// Writes as many bytes of the files as the connection accepts.
    fn write(&mut self) {
        let ids: Vec<StreamId> = self.streams.keys().copied().collect();
        for id in ids {
            if let Err(code) = self.write_to(id) {
                if let Some(Stream::Writing { place, .. }) = self.streams.get(&id) {
                    self.requests[*place].reset = Some(code.into_inner());
                }
                self.reset(id, code);
            }
        }
    }

    /// Writes as many bytes of a file as the connection accepts.
    ///
    /// # Errors
    /// If the file cannot be read: the code with which to reset the stream.
    fn write_to(&mut self, id: StreamId) -> Result<(), VarInt> {
        let Some(Stream::Writing { file, left, chunk, place, since }) = self.streams.get_mut(&id) else {
            return Ok(());
        };
        let (place, since) = (*place, *since);
        loop {
            if chunk.is_empty() {
                if *left == 0 {
                    // The stream is open and was not reset, so this does not fail.
                    let _ = self.line.connection.send_stream(id).finish();
                    self.streams.insert(id, Stream::Finished { place, since });
                    return Ok(());
                }
                let mut bytes = BytesMut::zeroed(CHUNK.min(usize::try_from(*left).unwrap_or(CHUNK)));
                let size = file.read(&mut bytes).map_err(|_| stream_code::UNREADABLE)?;
                if size == 0 {
                    // The file has become shorter.
                    return Err(stream_code::UNREADABLE);
                }
                bytes.truncate(size);
                *chunk = bytes.freeze();
            }
            let mut chunks = [std::mem::take(chunk)];
            let taken = self.line.connection.send_stream(id).write_chunks(&mut &mut chunks[..]);
            let [rest] = chunks;
            *chunk = rest;
            let Ok(taken) = taken else { return Ok(()) };
            *left -= taken as u64;
            self.requests[place].bytes += taken as u64;
        }
    }
}
