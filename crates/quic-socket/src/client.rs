// SPDX-License-Identifier: MIT OR Apache-2.0
//! The client.

use crate::line::{Controllers, Line, endpoint_config, receives, unreachable};
use crate::socket::{Datagram, LONGEST_WAIT, Socket};
use crate::{Observer, Report, Request, SocketError, Trust, Url, tls};
use bytes::Bytes;
use noq_proto::crypto;
use noq_proto::{
    ClientConfig, ConnectionError, DatagramEvent, Dir, Endpoint, Event, ReadError, StreamEvent, StreamId,
    VarInt,
};
use quic::Setup;
use record::qlog::Side;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};
use units::Code;

/// Destination of the content of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// The content is counted and discarded.
    Nowhere,
    /// Standard output.
    Stdout,
    /// A file. It appears under its name only when it is complete. If the path is a device or a pipe, the content is
    /// written directly.
    File(PathBuf),
}

/// The files to fetch, and the settings.
#[derive(Debug)]
pub struct Get {
    /// The files, each with the destination of its content.
    pub files: Vec<(Url, Output)>,
    /// How the client checks the certificate of the server.
    pub trust: Trust,
    /// The controller of all connections.
    pub controller: Setup,
    /// The controller with its settings, for reports.
    pub label: String,
    /// Whether each file is fetched over a separate connection. Then all connections to a server except the first
    /// resume the session of this server, and send the request in 0-RTT packets.
    pub resume: bool,
    /// Idle timeout: a connection on which no packets arrive ends after this time.
    pub timeout: Duration,
    /// Folder for a qlog file of each connection.
    pub qlog: Option<PathBuf>,
}

/// The result of fetching files.
#[derive(Clone, Debug)]
pub struct Got {
    /// The reports of the connections, in order.
    pub reports: Vec<Report>,
    /// The first error. If a connection fails, the remaining files are not fetched.
    pub failure: Option<SocketError>,
    /// Whether the observer stopped the client.
    pub stopped: bool,
}

/// Fetches files. Consecutive files of the same server are fetched over the same connection, unless [`Get::resume`] is
/// true.
///
/// # Errors
/// If the certificates or the controller cannot be used. Other errors are in [`Got::failure`].
pub fn get(options: Get, observer: &mut impl Observer) -> Result<Got, SocketError> {
    let controllers = Controllers::new(options.controller, options.label)?;
    let tls = tls::client(&options.trust)?;
    let mut got = Got { reports: Vec::new(), failure: None, stopped: false };
    let mut files = options.files.into_iter().peekable();
    while let Some(first) = files.next() {
        let mut fetches = vec![Fetch::new(first.0, first.1)];
        while !options.resume
            && let Some(next) =
                files.next_if(|(url, _)| url.host == fetches[0].url.host && url.port == fetches[0].url.port)
        {
            fetches.push(Fetch::new(next.0, next.1));
        }
        let url = fetches[0].url.clone();
        let Some(addresses) = unless_stopped(observer, move || url.resolve()) else {
            got.stopped = true;
            return Ok(got);
        };
        let qlog = options.qlog.as_deref();
        let fetched = addresses.and_then(|addresses| {
            Client::fetch(&controllers, &tls, fetches, addresses, options.timeout, qlog, observer)
        });
        let (mut client, failure) = match fetched {
            Ok(fetched) => fetched,
            Err(error) => {
                got.failure.get_or_insert(error);
                return Ok(got);
            }
        };
        got.stopped = client.is_stopped;
        let is_lost = failure.is_some();
        let failure = failure.or_else(|| client.failure.take());
        if let Err(error) = client.line.end_log() {
            got.failure.get_or_insert(error);
        }
        let requests = client.fetches.iter().map(Fetch::request).collect();
        got.reports.push(client.line.report(
            &controllers,
            requests,
            failure.as_ref().map(ToString::to_string),
        ));
        if let Some(failure) = failure {
            got.failure.get_or_insert(failure);
        }
        if is_lost || got.stopped {
            return Ok(got);
        }
    }
    Ok(got)
}

/// Calls `work`, which may block, in a thread. Returns `None` if the observer stops before `work` returns; the thread then
/// ends after `work`.
fn unless_stopped<T: Send + 'static>(
    observer: &mut impl Observer,
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let (done, result) = mpsc::channel();
    let worker = std::thread::spawn(move || done.send(work()));
    while !observer.stops() {
        match result.recv_timeout(LONGEST_WAIT) {
            Ok(value) => return Some(value),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                let panicked = worker.join().err().unwrap_or_else(|| unreachable!("a result was sent"));
                std::panic::resume_unwind(panicked)
            }
        }
    }
    None
}

/// A file that is being fetched.
struct Fetch {
    url: Url,
    output: Output,
    writer: Option<Writer>,
    bytes: u64,
    since: Option<Instant>,
    duration: Option<Duration>,
    reset: Option<VarInt>,
    is_over: bool,
}

impl Fetch {
    fn new(url: Url, output: Output) -> Self {
        Self { url, output, writer: None, bytes: 0, since: None, duration: None, reset: None, is_over: false }
    }

    fn request(&self) -> Request {
        Request {
            path: self.url.to_string(),
            bytes: self.bytes,
            duration_s: self.duration.map(|span| span.as_secs_f64()),
            reset: self.reset.map(VarInt::into_inner),
        }
    }

    fn writer(&mut self) -> Result<&mut Writer, SocketError> {
        if self.writer.is_none() {
            self.writer = Some(Writer::new(&self.output)?);
        }
        self.writer.as_mut().ok_or_else(|| SocketError::new(Code::OutputUnwritable, "no output"))
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), SocketError> {
        self.bytes += bytes.len() as u64;
        self.writer()?.write(bytes)
    }

    fn complete(&mut self) -> Result<(), SocketError> {
        self.is_over = true;
        self.duration = self.since.map(|since| since.elapsed());
        self.writer()?.complete()
    }
}

/// Writes the content of a file.
enum Writer {
    Nowhere,
    Stdout,
    /// A device or a pipe.
    Direct(File, PathBuf),
    /// A file that has a temporary name until it is complete.
    Part {
        file: File,
        part: PathBuf,
        target: PathBuf,
        is_complete: bool,
    },
}

impl Writer {
    fn new(output: &Output) -> Result<Self, SocketError> {
        match output {
            Output::Nowhere => Ok(Self::Nowhere),
            Output::Stdout => Ok(Self::Stdout),
            Output::File(target) => {
                let is_special = target.metadata().is_ok_and(|known| !known.is_file());
                if is_special {
                    let file = File::options()
                        .write(true)
                        .open(target)
                        .map_err(|error| unwritable(target, &error))?;
                    return Ok(Self::Direct(file, target.clone()));
                }
                let mut part = target.clone().into_os_string();
                part.push(format!(".{}.part", std::process::id()));
                let part = PathBuf::from(part);
                let file = File::create(&part).map_err(|error| unwritable(target, &error))?;
                Ok(Self::Part { file, part, target: target.clone(), is_complete: false })
            }
        }
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), SocketError> {
        match self {
            Self::Nowhere => Ok(()),
            Self::Stdout => io::stdout()
                .write_all(bytes)
                .map_err(|error| unwritable(Path::new("standard output"), &error)),
            Self::Direct(file, target) | Self::Part { file, target, .. } => {
                file.write_all(bytes).map_err(|error| unwritable(target, &error))
            }
        }
    }

    fn complete(&mut self) -> Result<(), SocketError> {
        match self {
            Self::Nowhere | Self::Direct(..) => Ok(()),
            Self::Stdout => {
                io::stdout().flush().map_err(|error| unwritable(Path::new("standard output"), &error))
            }
            Self::Part { part, target, is_complete, .. } => {
                std::fs::rename(part, &*target).map_err(|error| unwritable(target, &error))?;
                *is_complete = true;
                Ok(())
            }
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        if let Self::Part { part, is_complete: false, .. } = self {
            // If removing fails too, the incomplete file keeps its temporary name.
            let _ = std::fs::remove_file(part);
        }
    }
}

fn unwritable(target: &Path, error: &io::Error) -> SocketError {
    let why = format!("cannot write {}: {error} (choose another --out)", target.display());
    SocketError::new(Code::OutputUnwritable, why)
}

/// A connection to a server.
struct Client {
    line: Line,
    socket: Socket,
    endpoint: Endpoint,
    fetches: Vec<Fetch>,
    /// For each open stream, the index of its file in `fetches`.
    streams: BTreeMap<StreamId, usize>,
    /// Index of the next file to request.
    next: usize,
    tried_0rtt: bool,
    /// The first request that failed.
    failure: Option<SocketError>,
    is_stopped: bool,
}

impl Client {
    /// Fetches files from the first of `addresses` at which a server answers. Returns the connection and the
    /// error that ended it.
    ///
    /// # Errors
    /// If no connection could be opened.
    fn fetch(
        controllers: &Controllers,
        tls: &Arc<dyn crypto::ClientConfig>,
        mut fetches: Vec<Fetch>,
        addresses: Vec<SocketAddr>,
        timeout: Duration,
        qlog: Option<&Path>,
        observer: &mut impl Observer,
    ) -> Result<(Self, Option<SocketError>), SocketError> {
        let url = fetches[0].url.clone();
        let mut addresses = addresses.into_iter().peekable();
        loop {
            // The list is never empty.
            let address = addresses.next().unwrap_or_else(|| SocketAddr::from(([0; 4], 0)));
            let mut client = match Self::open(controllers, tls, &url, address, timeout, qlog) {
                Err(error) if error.code() == Code::AddressUnusable && addresses.peek().is_some() => continue,
                opened => opened?,
            };
            client.fetches = fetches;
            let failure = client.run(observer).err();
            let is_silent = failure.as_ref().is_some_and(|error| error.code() == Code::AddressUnusable);
            if !is_silent || addresses.peek().is_none() {
                return Ok((client, failure));
            }
            fetches = client.fetches;
        }
    }

    fn open(
        controllers: &Controllers,
        tls: &Arc<dyn crypto::ClientConfig>,
        url: &Url,
        address: SocketAddr,
        timeout: Duration,
        qlog: Option<&Path>,
    ) -> Result<Self, SocketError> {
        let peer = url.authority();
        let socket = Socket::connect(address).map_err(|error| unreachable(&peer, &error))?;
        let mut endpoint = Endpoint::new(endpoint_config()?, None, socket.allows_larger_datagrams());
        let (mut transport, started) = controllers.transport(None, timeout)?;
        receives(&mut transport);
        let mut config = ClientConfig::new(tls.clone());
        config.transport_config(Arc::new(transport));
        let (handle, connection) =
            endpoint.connect(Instant::now(), config, address, &url.host).map_err(|error| {
                SocketError::new(Code::ArgumentValue, format!("{url}: {error} (check host and port)"))
            })?;
        let tried_0rtt = connection.has_0rtt();
        let line = Line::new(handle, connection, peer, started, qlog.map(|folder| (folder, Side::Client)))?;
        Ok(Self {
            line,
            socket,
            endpoint,
            fetches: Vec::new(),
            streams: BTreeMap::new(),
            next: 0,
            tried_0rtt,
            failure: None,
            is_stopped: false,
        })
    }

    /// Fetches all files.
    ///
    /// # Errors
    /// If the connection failed, or if content cannot be written.
    fn run(&mut self, observer: &mut impl Observer) -> Result<(), SocketError> {
        let mut buffer = Vec::new();
        loop {
            if observer.stops() {
                self.is_stopped = true;
                return self.close(b"interrupted");
            }
            self.receive()?;
            let now = Instant::now();
            if self.line.connection.poll_timeout().is_some_and(|due| due <= now) {
                self.line.connection.handle_timeout(now);
            }
            self.line.exchange(&mut self.endpoint);
            while let Some(event) = self.line.connection.poll() {
                if let Err(error) = self.handle(event) {
                    // After the connection is closed, the server sends no more data.
                    self.close(b"")?;
                    return Err(error);
                }
            }
            self.line.write_log()?;
            self.ask();
            if self.fetches.iter().all(|fetch| fetch.is_over) {
                return self.close(b"");
            }
            let has_more = self.line.send(&self.socket, &mut buffer)?;
            self.line.exchange(&mut self.endpoint);
            self.socket.wait(if has_more { Some(now) } else { self.line.connection.poll_timeout() });
        }
    }

    /// Closes the connection and sends the last packet.
    fn close(&mut self, reason: &'static [u8]) -> Result<(), SocketError> {
        self.line.connection.close(Instant::now(), VarInt::from_u32(0), Bytes::from_static(reason));
        self.line.send(&self.socket, &mut Vec::new())?;
        Ok(())
    }

    fn receive(&mut self) -> Result<(), SocketError> {
        let mut arrived = Vec::new();
        loop {
            match self.socket.receive(|datagram| arrived.push(datagram)) {
                Ok(true) if arrived.len() < 256 => {}
                // After the handshake, errors are ignored, because a forged ICMP message must not end a connection (RFC
                // 9000, section 14.2.1).
                Err(error) if self.line.handshake.is_none() => {
                    return Err(unreachable(&self.line.peer, &error));
                }
                Ok(_) | Err(_) => break,
            }
        }
        for Datagram { path, ecn, bytes } in arrived {
            let mut response = Vec::new();
            match self.endpoint.handle(Instant::now(), path, ecn, bytes, &mut response) {
                Some(DatagramEvent::ConnectionEvent(_, event)) => self.line.connection.handle_event(event),
                // If the response cannot be sent, it counts as lost in the network.
                Some(DatagramEvent::Response(sent)) => drop(self.socket.send(&sent, &response)),
                _ => {}
            }
        }
        Ok(())
    }

    /// Opens a stream for each remaining request, up to the number of streams that the server allows.
    fn ask(&mut self) {
        while self.next < self.fetches.len() {
            let Some(id) = self.line.connection.streams().open(Dir::Bi) else { return };
            let fetch = &mut self.fetches[self.next];
            let request = format!("GET {}\r\n", fetch.url.path);
            let mut stream = self.line.connection.send_stream(id);
            // A request is smaller than any window. If the connection has failed, its end reports the reason.
            let _ = stream.write(request.as_bytes());
            let _ = stream.finish();
            fetch.since = Some(Instant::now());
            self.streams.insert(id, self.next);
            self.next += 1;
        }
    }

    fn handle(&mut self, event: Event) -> Result<(), SocketError> {
        match event {
            Event::Connected => {
                self.line.connected();
                if self.tried_0rtt && !self.line.connection.accepted_0rtt() {
                    // The server rejected 0-RTT and knows nothing of these streams. All files are requested again.
                    self.streams.clear();
                    self.next = 0;
                }
            }
            Event::Stream(StreamEvent::Readable { id }) => self.read(id)?,
            Event::ConnectionLost { reason } => return Err(self.lost(&reason)),
            _ => {}
        }
        Ok(())
    }

    fn lost(&self, reason: &ConnectionError) -> SocketError {
        let peer = &self.line.peer;
        SocketError::of_connection(peer, reason).unwrap_or_else(|| {
            let why = format!(
                "{peer}: the server closed the connection before the end of the file (request it again)"
            );
            SocketError::new(Code::ConnectionFailed, why)
        })
    }

    fn read(&mut self, id: StreamId) -> Result<(), SocketError> {
        let Some(&place) = self.streams.get(&id) else { return Ok(()) };
        let fetch = &mut self.fetches[place];
        let mut stream = self.line.connection.recv_stream(id);
        // Chunks are read in order, because the library can lose data otherwise.
        let Ok(mut chunks) = stream.read(true) else { return Ok(()) };
        let result = loop {
            match chunks.next(usize::MAX) {
                Ok(Some(chunk)) => {
                    if let Err(error) = fetch.write(&chunk.bytes) {
                        break Err(error);
                    }
                }
                Ok(None) => {
                    self.streams.remove(&id);
                    break fetch.complete();
                }
                Err(ReadError::Blocked) => break Ok(()),
                Err(ReadError::Reset(code)) => {
                    fetch.is_over = true;
                    fetch.reset = Some(code);
                    fetch.writer = None;
                    self.failure.get_or_insert_with(|| SocketError::of_stream(&fetch.url.to_string(), code));
                    self.streams.remove(&id);
                    break Ok(());
                }
            }
        };
        // Packets that this makes necessary are sent at the end of each turn.
        let _ = chunks.finalize();
        result
    }
}

#[cfg(test)]
mod tests {
    use super::{Observer, unless_stopped};
    use std::sync::mpsc;

    struct Stops(bool);

    impl Observer for Stops {
        fn stops(&mut self) -> bool {
            self.0
        }
    }

    /// The look-up of a name may block for longer than a user waits after Ctrl-C.
    #[test]
    fn blocked_work_does_not_delay_the_end() {
        let (answer, question) = mpsc::channel::<()>();
        assert_eq!(unless_stopped(&mut Stops(true), move || question.recv()), None);
        drop(answer);
        assert_eq!(unless_stopped(&mut Stops(false), || 7), Some(7));
    }
}
