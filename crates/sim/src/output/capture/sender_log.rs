// SPDX-License-Identifier: MIT OR Apache-2.0
//! The events of a TCP sender, in the terms of qlog.
//!
//! QUIC numbers each transmission, but TCP numbers bytes. Here, a packet number counts the packets of one end. An
//! acknowledgement acknowledges the newest transmission of each segment that it newly covers.

use super::stream::Stream;
use hosts::{TcpSource, Transport};
use record::CaptureFile;
use record::qlog::{Event, Frame, Header, Lost, Metrics, Packet, Parameters, Phase, Qlog, Raw};
use std::collections::BTreeMap;
use std::io::Result;
use tcp::{Config, Flags, Recovery, Segment, SegmentKind, Setup};
use units::{Span, Time};

/// The log of a sender.
#[derive(Debug)]
pub(super) struct SenderLog {
    log: Qlog<CaptureFile>,
    parameters: Parameters,
    counts_syn: bool,
    mss: u64,
    /// Trigger of losses, as qlog names it.
    trigger: &'static str,
    /// Whether a proxy may reset the connection, so that another connection follows.
    breaks: bool,
    /// Number of the present connection, counted from 0, and its state.
    number: u32,
    connection: Connection,
}

/// The state of a connection.
#[derive(Debug)]
struct Connection {
    stream: Stream,
    /// Number of packets that this end has sent, and number of packets that have arrived at it.
    sent: u64,
    received: u64,
    /// Packet number of the newest transmission of each segment that is not acknowledged.
    outstanding: BTreeMap<u64, u64>,
    metrics: Metrics,
    phase: Option<&'static str>,
}

impl Connection {
    fn new(mss: u32, counts_syn: bool) -> Self {
        Self {
            stream: Stream::new(mss, counts_syn),
            sent: 0,
            received: 0,
            outstanding: BTreeMap::new(),
            metrics: Metrics::default(),
            phase: None,
        }
    }

    /// Returns the numbers of the packets that an acknowledgement newly covers and does not ask for again.
    fn acknowledged(&mut self, ack: &Segment) -> Vec<u64> {
        let una = self.stream.expand(ack.seq);
        let above = self.outstanding.split_off(&una);
        let mut numbers: Vec<u64> = std::mem::replace(&mut self.outstanding, above).into_values().collect();
        let valid = usize::from(ack.sack_count).min(ack.sack.len());
        for [from, to] in &ack.sack[usize::from(ack.flags.has(Flags::DSACK)).min(valid)..valid] {
            let (from, to) = (self.stream.expand(*from), self.stream.expand(*to));
            let held: Vec<u64> =
                self.outstanding.range(from..to.max(from)).map(|(segment, _)| *segment).collect();
            numbers.extend(held.iter().filter_map(|segment| self.outstanding.remove(segment)));
        }
        numbers
    }
}

impl SenderLog {
    /// Creates the log of a sender with these settings. `breaks` states whether another connection may follow after a
    /// reset.
    pub(super) fn new(log: Qlog<CaptureFile>, config: &Config, breaks: bool) -> Result<Self> {
        let parameters = Parameters {
            reordering_threshold: config.dup_thresh,
            timer_granularity: u16::try_from(config.clock.nanos() / 1_000_000).unwrap_or(u16::MAX),
            max_datagram_size: config.mss,
            initial_congestion_window: u64::from(config.initial_window) * u64::from(config.mss),
        };
        let by_time = config.recovery == Recovery::RackTlp;
        let counts_syn = config.setup == Setup::Ns2Linux;
        let mut diary = Self {
            log,
            parameters,
            counts_syn,
            mss: config.mss.into(),
            trigger: if by_time { "time_threshold" } else { "reordering_threshold" },
            breaks,
            number: 0,
            connection: Connection::new(config.mss, counts_syn),
        };
        diary.note(Time::ZERO, &Event::Parameters(parameters))?;
        Ok(diary)
    }

    fn note(&mut self, at: Time, event: &Event) -> Result<()> {
        // The text counts connections from 1.
        let connection = self.breaks.then_some(self.number + 1);
        self.log.event(at, connection, event)
    }

    /// Records that the sender now uses the connection with this number.
    pub(super) fn turn_to(&mut self, now: Time, number: u32) -> Result<()> {
        if number == self.number {
            return Ok(());
        }
        self.number = number;
        self.connection = Connection::new(self.parameters.max_datagram_size, self.counts_syn);
        self.note(now, &Event::Parameters(self.parameters))
    }

    /// Returns the file of the log.
    pub(super) fn into_file(self) -> CaptureFile {
        self.log.into_inner()
    }

    /// Records a packet that the sender sends.
    pub(super) fn sent(&mut self, now: Time, segment: &Segment, size: u16) -> Result<()> {
        let connection = &mut self.connection;
        let number = connection.stream.note(segment);
        let packet_number = connection.sent;
        connection.sent += 1;
        let carries = segment.len > 0 || segment.flags.has(Flags::FIN);
        if carries && segment.kind != SegmentKind::Probe {
            connection.outstanding.insert(number, packet_number);
        }
        let payload = Raw { length: None, payload_length: Some(segment.len.into()) };
        let frames = carries.then(|| {
            [Frame::Stream {
                stream_id: 0,
                offset: connection.stream.offset(number),
                fin: segment.flags.has(Flags::FIN),
                raw: payload,
            }]
        });
        let raw = Raw { length: Some(size.into()), ..payload };
        let header = Header { packet_type: kind_of(segment), packet_number };
        self.note(now, &Event::Sent(Packet { header, frames, raw }))
    }

    /// Records a packet of connection `number` that has arrived at the sender. The sender has not processed the packet
    /// yet.
    pub(super) fn received(&mut self, now: Time, number: u32, segment: &Segment, size: u16) -> Result<()> {
        if number != self.number {
            // Packets of an earlier connection are ignored.
            return Ok(());
        }
        let header = Header { packet_type: kind_of(segment), packet_number: self.connection.received };
        self.connection.received += 1;
        let numbers = self.connection.acknowledged(segment);
        let frames = (!numbers.is_empty()).then(|| [Frame::Ack { acked_ranges: ranges(numbers) }]);
        let raw = Raw { length: Some(size.into()), payload_length: Some(0) };
        self.note(now, &Event::Received(Packet { header, frames, raw }))
    }

    /// Writes the sender's reports after it has processed an event or has sent all available packets.
    pub(super) fn acted(&mut self, now: Time, source: &mut TcpSource) -> Result<()> {
        for report in source.take_reports() {
            match report {
                tcp::Event::Loss { seq, .. } => {
                    if let Some(&packet_number) = self.connection.outstanding.get(&seq) {
                        let header = Header { packet_type: "1RTT", packet_number };
                        let lost = Lost { header, trigger: Some(self.trigger) };
                        self.note(now, &Event::Lost(lost))?;
                    }
                }
                tcp::Event::Timeout => {
                    let timer = Event::Timer { timer_type: "pto", event_type: "expired" };
                    self.note(now, &timer)?;
                }
                _ => {}
            }
        }
        let sender = source.sender();
        if !sender.is_established() {
            return Ok(());
        }
        let state = sender.state();
        if self.connection.phase != Some(state.phase) {
            let old = self.connection.phase.replace(state.phase);
            self.note(now, &Event::State(Phase { old, new: state.phase }))?;
        }
        let ms = |span: Span| span.nanos() as f64 / 1e6;
        let in_flight = sender.in_flight_segments();
        let metrics = Metrics {
            min_rtt: sender.min_rtt().map(ms),
            smoothed_rtt: state.srtt.map(ms),
            latest_rtt: sender.rtt_sample().map(ms).or(self.connection.metrics.latest_rtt),
            rtt_variance: sender.rtt_variation().map(ms),
            congestion_window: Some(state.cwnd.get()),
            bytes_in_flight: Some(in_flight * self.mss),
            ssthresh: state.ssthresh.map(units::Bytes::get),
            packets_in_flight: Some(in_flight),
            pacing_rate: state.pacing.map(units::Rate::bits_per_s),
        };
        if let Some(changed) = metrics.since(self.connection.metrics) {
            self.connection.metrics = metrics;
            self.note(now, &Event::Metrics(changed))?;
        }
        Ok(())
    }
}

fn kind_of(segment: &Segment) -> &'static str {
    match segment.kind {
        SegmentKind::Syn => "initial",
        SegmentKind::SynAck | SegmentKind::HandshakeAck => "handshake",
        SegmentKind::Data
        | SegmentKind::Probe
        | SegmentKind::Ack
        | SegmentKind::ProbeAck
        | SegmentKind::WindowProbe => "1RTT",
    }
}

/// Returns numbers as ranges (first and last), in ascending order.
fn ranges(mut numbers: Vec<u64>) -> Vec<[u64; 2]> {
    numbers.sort_unstable();
    let mut ranges: Vec<[u64; 2]> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some(last) if last[1] + 1 == number => last[1] = number,
            _ => ranges.push([number, number]),
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    #[test]
    fn ranges_by_hand() {
        assert_eq!(super::ranges(vec![5, 3, 4, 9]), [[3, 5], [9, 9]]);
        assert!(super::ranges(Vec::new()).is_empty());
    }
}
