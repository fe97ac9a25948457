// SPDX-License-Identifier: MIT OR Apache-2.0
//! What happens to a TCP sender, in the terms of qlog.
//!
//! QUIC numbers each transmission, TCP the bytes. A packet number here counts what an end has sent, and an acknowledgement
//! acknowledges the newest transmission of each segment that it newly covers.

use super::stream::Stream;
use crate::endpoint::{TcpSource, Transport};
use record::CaptureFile;
use record::qlog::{Event, Frame, Header, Lost, Metrics, Packet, Parameters, Phase, Qlog, Raw};
use std::collections::BTreeMap;
use std::io::Result;
use tcp::{Config, Flags, Recovery, Segment, SegmentKind, Setup};
use units::{Span, Time};

/// The log of one flow.
#[derive(Debug)]
pub(super) struct Diary {
    log: Qlog<CaptureFile>,
    stream: Stream,
    mss: u64,
    /// What tells of losses.
    trigger: &'static str,
    /// Packets that this end has sent, and that have come to it.
    sent: u64,
    received: u64,
    /// The newest transmission of each segment that is not acknowledged.
    outstanding: BTreeMap<u64, u64>,
    metrics: Metrics,
    phase: Option<&'static str>,
}

impl Diary {
    pub(super) fn new(mut log: Qlog<CaptureFile>, config: &Config) -> Result<Self> {
        let parameters = Parameters {
            reordering_threshold: config.dup_thresh,
            timer_granularity: u16::try_from(config.clock.nanos() / 1_000_000).unwrap_or(u16::MAX),
            max_datagram_size: config.mss,
            initial_congestion_window: u64::from(config.initial_window) * u64::from(config.mss),
        };
        log.event(Time::ZERO, &Event::Parameters(parameters))?;
        let by_time = config.recovery == Recovery::RackTlp;
        Ok(Self {
            log,
            stream: Stream::new(config.mss, config.setup == Setup::Ns2Linux),
            mss: config.mss.into(),
            trigger: if by_time { "time_threshold" } else { "reordering_threshold" },
            sent: 0,
            received: 0,
            outstanding: BTreeMap::new(),
            metrics: Metrics::default(),
            phase: None,
        })
    }

    /// What the log is written to.
    pub(super) fn into_file(self) -> CaptureFile {
        self.log.into_inner()
    }

    /// The sender sends.
    pub(super) fn sent(&mut self, now: Time, segment: &Segment, size: u16) -> Result<()> {
        let number = self.stream.note(segment);
        let packet_number = self.sent;
        self.sent += 1;
        let carries = segment.len > 0 || segment.flags.has(Flags::FIN);
        if carries && segment.kind != SegmentKind::Probe {
            self.outstanding.insert(number, packet_number);
        }
        let payload = Raw { length: None, payload_length: segment.len.into() };
        let frames = carries.then(|| {
            [Frame::Stream {
                stream_id: 0,
                offset: self.stream.offset(number),
                fin: segment.flags.has(Flags::FIN),
                raw: payload,
            }]
        });
        let raw = Raw { length: Some(size.into()), ..payload };
        let header = Header { packet_type: kind_of(segment), packet_number };
        self.log.event(now, &Event::Sent(Packet { header, frames, raw }))
    }

    /// Something has come to the sender, which has not seen it yet.
    pub(super) fn received(&mut self, now: Time, segment: &Segment, size: u16) -> Result<()> {
        let header = Header { packet_type: kind_of(segment), packet_number: self.received };
        self.received += 1;
        let numbers = self.acknowledged(segment);
        let frames = (!numbers.is_empty()).then(|| [Frame::Ack { acked_ranges: ranges(numbers) }]);
        let raw = Raw { length: Some(size.into()), payload_length: 0 };
        self.log.event(now, &Event::Received(Packet { header, frames, raw }))
    }

    /// Numbers of the packets that an acknowledgement newly covers, and does not ask for.
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

    /// The sender has taken in what happened, or has sent what may leave: what it tells of it.
    pub(super) fn acted(&mut self, now: Time, source: &mut TcpSource) -> Result<()> {
        for report in source.take_reports() {
            match report {
                tcp::Event::Loss { seq, .. } => {
                    if let Some(&packet_number) = self.outstanding.get(&seq) {
                        let header = Header { packet_type: "1RTT", packet_number };
                        let lost = Lost { header, trigger: Some(self.trigger) };
                        self.log.event(now, &Event::Lost(lost))?;
                    }
                }
                tcp::Event::Timeout => {
                    let timer = Event::Timer { timer_type: "pto", event_type: "expired" };
                    self.log.event(now, &timer)?;
                }
                _ => {}
            }
        }
        let sender = source.sender();
        if !sender.is_established() {
            return Ok(());
        }
        let state = sender.state();
        if self.phase != Some(state.phase) {
            let old = self.phase.replace(state.phase);
            self.log.event(now, &Event::State(Phase { old, new: state.phase }))?;
        }
        let ms = |span: Span| span.nanos() as f64 / 1e6;
        let in_flight = sender.in_flight_segments();
        let metrics = Metrics {
            min_rtt: sender.min_rtt().map(ms),
            smoothed_rtt: state.srtt.map(ms),
            latest_rtt: sender.rtt_sample().map(ms).or(self.metrics.latest_rtt),
            rtt_variance: sender.rtt_variation().map(ms),
            congestion_window: Some(state.cwnd.get()),
            bytes_in_flight: Some(in_flight * self.mss),
            ssthresh: state.ssthresh.map(units::Bytes::get),
            packets_in_flight: Some(in_flight),
            pacing_rate: state.pacing.map(units::Rate::bits_per_s),
        };
        if let Some(changed) = metrics.since(self.metrics) {
            self.metrics = metrics;
            self.log.event(now, &Event::Metrics(changed))?;
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
        | SegmentKind::WindowProbe
        | SegmentKind::Back => "1RTT",
    }
}

/// Numbers as ranges, from and to, in ascending order.
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
