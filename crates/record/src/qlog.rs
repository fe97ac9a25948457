// SPDX-License-Identifier: MIT OR Apache-2.0
//! Writer for qlog files of a transport, with one record per line (draft-ietf-quic-qlog-main-schema-14, JSON text
//! sequences). The records are events of QUIC that also exist in TCP (draft-ietf-quic-qlog-quic-events-13).
//!
//! The crate `qlog` is not used, because it implements an earlier draft of the events. It would also add eight
//! dependencies for these seven records.

use serde::Serialize;
use std::io::{self, Write};
use units::Time;

/// Description of a file.
#[derive(Clone, Copy, Debug)]
pub struct About<'a> {
    /// Title of the file.
    pub title: &'a str,
    /// What the file logs, and how to read it.
    pub description: &'a str,
    /// Name of the endpoint that logs.
    pub end: &'a str,
    /// Side of this endpoint in the connection.
    pub side: Side,
}

/// A side of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The side that opens the connection.
    Client,
    /// The side that accepts the connection.
    Server,
}

impl Side {
    /// The name in qlog.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Client => "client",
            Self::Server => "server",
        }
    }
}

/// An event.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "name", content = "data")]
pub enum Event {
    /// The settings of loss detection and congestion control.
    #[serde(rename = "quic:recovery_parameters_set")]
    Parameters(Parameters),
    /// A packet was sent.
    #[serde(rename = "quic:packet_sent")]
    Sent(Packet),
    /// A packet was received.
    #[serde(rename = "quic:packet_received")]
    Received(Packet),
    /// A packet was declared lost.
    #[serde(rename = "quic:packet_lost")]
    Lost(Lost),
    /// Numbers of congestion control that have changed.
    #[serde(rename = "quic:recovery_metrics_updated")]
    Metrics(Metrics),
    /// The controller entered another phase.
    #[serde(rename = "quic:congestion_state_updated")]
    State(Phase),
    /// A timer expired.
    #[serde(rename = "quic:timer_updated")]
    Timer {
        /// "pto": the retransmission timer.
        timer_type: &'static str,
        /// "expired".
        event_type: &'static str,
    },
}

/// A change of the controller's phase.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Phase {
    /// The previous phase.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<&'static str>,
    /// The new phase.
    pub new: &'static str,
}

/// Settings of a connection.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Parameters {
    /// Number of later packets after which a packet is declared lost.
    pub reordering_threshold: u32,
    /// Granularity of timers, ms.
    pub timer_granularity: u16,
    /// Size of a full segment, bytes.
    pub max_datagram_size: u32,
    /// Window at the start of the connection, bytes.
    pub initial_congestion_window: u64,
}

/// A packet that was sent or received.
#[derive(Clone, Debug, Serialize)]
pub struct Packet {
    /// Type and number of the packet.
    pub header: Header,
    /// Content of the packet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frames: Option<[Frame; 1]>,
    /// Length of the packet.
    pub raw: Raw,
}

/// A packet that was declared lost.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Lost {
    /// Type and number of the packet.
    pub header: Header,
    /// How the loss was detected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trigger: Option<&'static str>,
}

/// Identification of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Header {
    /// "initial", "handshake" or "1RTT".
    pub packet_type: &'static str,
    /// Number of the packet, counted from zero over all packets of the sending endpoint.
    pub packet_number: u64,
}

/// Lengths in bytes.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Raw {
    /// Length with headers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<u64>,
    /// Length without headers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payload_length: Option<u64>,
}

/// Content of a packet.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "frame_type", rename_all = "lowercase")]
pub enum Frame {
    /// Bytes of the stream.
    Stream {
        /// Always 0, because TCP has one stream.
        stream_id: u64,
        /// Offset of the first byte in the stream.
        offset: u64,
        /// Whether the stream ends with these bytes.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        fin: bool,
        /// Number of bytes.
        raw: Raw,
    },
    /// Numbers of acknowledged packets.
    Ack {
        /// Ranges (first and last number) in ascending order.
        acked_ranges: Vec<[u64; 2]>,
    },
}

/// Numbers of congestion control. Numbers that have not changed are left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Metrics {
    /// Smallest round-trip time, ms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_rtt: Option<f64>,
    /// Smoothed round-trip time, ms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub smoothed_rtt: Option<f64>,
    /// Last measured round-trip time, ms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latest_rtt: Option<f64>,
    /// Variation of the round-trip time, ms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rtt_variance: Option<f64>,
    /// Congestion window, bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub congestion_window: Option<u64>,
    /// Data in flight, bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_in_flight: Option<u64>,
    /// Slow-start threshold, bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ssthresh: Option<u64>,
    /// Data in flight, segments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub packets_in_flight: Option<u64>,
    /// Pacing rate, bits per second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pacing_rate: Option<u64>,
}

impl Metrics {
    /// The numbers that differ from `before`; `None` if all are equal.
    pub fn since(self, before: Self) -> Option<Self> {
        fn other<T: PartialEq + Copy>(now: Option<T>, before: Option<T>) -> Option<T> {
            if now == before { None } else { now }
        }
        let changed = Self {
            min_rtt: other(self.min_rtt, before.min_rtt),
            smoothed_rtt: other(self.smoothed_rtt, before.smoothed_rtt),
            latest_rtt: other(self.latest_rtt, before.latest_rtt),
            rtt_variance: other(self.rtt_variance, before.rtt_variance),
            congestion_window: other(self.congestion_window, before.congestion_window),
            bytes_in_flight: other(self.bytes_in_flight, before.bytes_in_flight),
            ssthresh: other(self.ssthresh, before.ssthresh),
            packets_in_flight: other(self.packets_in_flight, before.packets_in_flight),
            pacing_rate: other(self.pacing_rate, before.pacing_rate),
        };
        (changed != Self::default()).then_some(changed)
    }
}

/// The first record of a file (`QlogFileSeq`).
#[derive(Serialize)]
struct Top<'a> {
    file_schema: &'static str,
    serialization_format: &'static str,
    title: &'a str,
    description: &'a str,
    trace: Trace<'a>,
}

#[derive(Serialize)]
struct Trace<'a> {
    title: &'a str,
    common_fields: Common,
    vantage_point: Vantage<'a>,
    event_schemas: [&'static str; 1],
}

#[derive(Serialize)]
struct Common {
    time_format: &'static str,
    reference_time: Reference,
}

#[derive(Serialize)]
struct Reference {
    clock_type: &'static str,
    epoch: &'static str,
}

#[derive(Serialize)]
struct Vantage<'a> {
    name: &'a str,
    r#type: &'static str,
}

#[derive(Serialize)]
struct Timed<'a> {
    /// Time since the start of the run, in ms.
    time: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    group_id: Option<String>,
    #[serde(flatten)]
    event: &'a Event,
}

/// A log that is being written.
#[derive(Debug)]
pub struct Qlog<W> {
    out: W,
    /// The record that is being written.
    record: Vec<u8>,
}

impl<W: Write> Qlog<W> {
    /// Begins a file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn begin(out: W, about: &About<'_>) -> io::Result<Self> {
        let mut log = Self { out, record: Vec::new() };
        log.write(&Top {
            file_schema: "urn:ietf:params:qlog:file:sequential",
            serialization_format: "application/qlog+json-seq",
            title: about.title,
            description: about.description,
            trace: Trace {
                title: about.title,
                common_fields: Common {
                    time_format: "relative_to_epoch",
                    // The clock shows virtual time, which begins at the start of the run.
                    reference_time: Reference { clock_type: "monotonic", epoch: "unknown" },
                },
                vantage_point: Vantage { name: about.end, r#type: about.side.name() },
                event_schemas: ["urn:ietf:params:qlog:events:quic-13"],
            },
        })?;
        Ok(log)
    }

    /// Writes an event. `connection` is the number of the connection if the flow has several connections.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn event(&mut self, at: Time, connection: Option<u32>, event: &Event) -> io::Result<()> {
        let group_id = connection.map(|number| number.to_string());
        self.write(&Timed { time: at.nanos() as f64 / 1e6, group_id, event })
    }

    /// Returns the writer.
    pub fn into_inner(self) -> W {
        self.out
    }

    /// Writes a record in the format of RFC 7464: record separator, JSON, line feed.
    fn write(&mut self, value: &impl Serialize) -> io::Result<()> {
        self.record.clear();
        self.record.push(0x1E);
        serde_json::to_writer(&mut self.record, value)?;
        self.record.push(b'\n');
        self.out.write_all(&self.record)
    }
}
