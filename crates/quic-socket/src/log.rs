// SPDX-License-Identifier: MIT OR Apache-2.0
//! The qlog file of a connection, written from the watch for its controller.
//!
//! The file contains the packets that were sent after the handshake, the packets that were declared lost, and the
//! numbers and phases of congestion control. It does not contain packets of the handshake and packets that arrived.

use crate::SocketError;
use quic::{EventKind, Watch};
use record::qlog::{About, Event, Header, Lost, Metrics, Packet, Phase, Qlog, Raw, Side};
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;
use units::{Bytes, Code, Span, Time};

/// Largest number of files of one side in a folder.
const MOST_FILES: u32 = 1_000_000;

/// A log that is being written.
pub(crate) struct Log {
    file: PathBuf,
    qlog: Qlog<BufWriter<File>>,
    epoch: Instant,
    /// Number of packets sent before that require an acknowledgement.
    sent: u64,
    metrics: Metrics,
    phase: Option<&'static str>,
    events: Vec<quic::Event>,
}

impl Log {
    /// Begins a file in `folder`, with the first free name: `server-1.sqlog`, `server-2.sqlog`, …
    pub(crate) fn begin(folder: &Path, side: Side, peer: &str, epoch: Instant) -> Result<Self, SocketError> {
        std::fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
        let (name, file, out) = create(folder, side)?;
        let about = About {
            title: &name,
            description: &format!(
                "Connection with {peer}. Packets of the handshake and packets that arrived are not logged."
            ),
            end: side.name(),
            side,
        };
        let qlog = Qlog::begin(BufWriter::new(out), &about).map_err(|error| unwritable(&file, &error))?;
        Ok(Self { file, qlog, epoch, sent: 0, metrics: Metrics::default(), phase: None, events: Vec::new() })
    }

    fn note(&mut self, at: Time, event: &Event) -> Result<(), SocketError> {
        self.qlog.event(at, None, event).map_err(|error| unwritable(&self.file, &error))
    }

    fn now(&self) -> Time {
        Time::from_nanos(self.epoch.elapsed().as_nanos() as u64)
    }

    /// Records that a datagram of `size` bytes was sent. If it requires an acknowledgement, the watch contains its
    /// number.
    pub(crate) fn sent(
        &mut self,
        watch: &Watch,
        after_handshake: bool,
        size: usize,
    ) -> Result<(), SocketError> {
        self.take(watch)?;
        let brief = watch.brief();
        let is_new = brief.sent != self.sent;
        self.sent = brief.sent;
        let Some((number, at)) = brief.last_sent.filter(|_| is_new && after_handshake) else { return Ok(()) };
        let header = Header { packet_type: "1RTT", packet_number: number };
        let raw = Raw { length: Some(size as u64), payload_length: None };
        self.note(at, &Event::Sent(Packet { header, frames: None, raw }))
    }

    /// Writes the losses and phases since the last call.
    fn take(&mut self, watch: &Watch) -> Result<(), SocketError> {
        let mut events = std::mem::take(&mut self.events);
        watch.take_events(&mut events);
        for event in events.drain(..) {
            match event.kind {
                EventKind::Loss { number, .. } => {
                    let header = Header { packet_type: "1RTT", packet_number: number };
                    self.note(event.at, &Event::Lost(Lost { header, trigger: None }))?;
                }
                EventKind::Phase(new) => {
                    let old = self.phase.replace(new);
                    self.note(event.at, &Event::State(Phase { old, new }))?;
                }
                _ => {}
            }
        }
        self.events = events;
        Ok(())
    }

    /// Writes the events since the last call, and the present numbers of congestion control.
    pub(crate) fn update(&mut self, watch: &Watch) -> Result<(), SocketError> {
        self.take(watch)?;
        let Some(state) = watch.state() else { return Ok(()) };
        let ms = |span: Span| span.nanos() as f64 / 1e6;
        let metrics = Metrics {
            min_rtt: state.min_rtt.map(ms),
            smoothed_rtt: state.srtt.map(ms),
            latest_rtt: state.rtt.map(ms),
            rtt_variance: None,
            congestion_window: Some(state.control.cwnd.get()),
            bytes_in_flight: Some(state.in_flight.get()),
            ssthresh: state.control.ssthresh.map(Bytes::get),
            packets_in_flight: None,
            pacing_rate: state.control.pacing.map(|rate| (rate.bytes_per_s() * 8.0) as u64),
        };
        if let Some(changed) = metrics.since(self.metrics) {
            self.metrics = metrics;
            self.note(self.now(), &Event::Metrics(changed))?;
        }
        Ok(())
    }

    /// Completes the file.
    pub(crate) fn end(self) -> Result<(), SocketError> {
        let Self { file, qlog, .. } = self;
        qlog.into_inner().flush().map_err(|error| unwritable(&file, &error))
    }
}

fn create(folder: &Path, side: Side) -> Result<(String, PathBuf, File), SocketError> {
    for number in 1..=MOST_FILES {
        let name = format!("{}-{number}.sqlog", side.name());
        let file = folder.join(&name);
        match OpenOptions::new().write(true).create_new(true).open(&file) {
            Ok(out) => return Ok((name, file, out)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(unwritable(&file, &error)),
        }
    }
    Err(unwritable(folder, &io::Error::other("it contains too many logs")))
}

fn unwritable(file: &Path, error: &io::Error) -> SocketError {
    let why = format!("cannot write {}: {error} (choose another folder for --qlog)", file.display());
    SocketError::new(Code::OutputUnwritable, why)
}
