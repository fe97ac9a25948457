// SPDX-License-Identifier: MIT OR Apache-2.0
//! The endpoints that the simulator knows, each wrapped with the meters of its flow.

use crate::Cause;
use crate::engine::Endpoint;
use crate::meter::{Delays, OneWay};
use crate::packet::Packet;
use crate::ping::{PingSink, PingSource};
use control::{LossVerdict, PathChange};
use std::collections::HashMap;
use tcp::{Cbr, Event, Receiver, Segment, SegmentKind, Sender};
use units::{Bytes, Rate, Span, Time};

/// Any endpoint of the simulator. They lie in one row, not behind pointers: one cache miss less per packet.
#[expect(
    clippy::large_enum_variant,
    reason = "there are as many senders as receivers; room is cheaper than a pointer"
)]
pub enum AnyEndpoint {
    /// TCP, the side that sends data.
    TcpSource(TcpSource),
    /// TCP, the side that acknowledges.
    TcpSink(TcpSink),
    /// Constant-bit-rate UDP.
    CbrSource(CbrSource),
    /// Its receiver.
    CbrSink(CbrSink),
    /// Echoes, the side that times them.
    PingSource(PingSource),
    /// The side that sends them back.
    PingSink(PingSink),
}

static NOTHING_SENT: SourceTotals = SourceTotals::NONE;

impl AnyEndpoint {
    /// Running totals of a sender; zeros for a receiver.
    pub fn totals(&self) -> &SourceTotals {
        match self {
            Self::TcpSource(source) => &source.totals,
            Self::CbrSource(source) => &source.totals,
            Self::PingSource(source) => source.totals(),
            Self::TcpSink(_) | Self::CbrSink(_) | Self::PingSink(_) => &NOTHING_SENT,
        }
    }
    /// The TCP connection of a sender.
    pub fn tcp(&self) -> Option<&Sender> {
        match self {
            Self::TcpSource(source) => Some(&source.sender),
            _ => None,
        }
    }
    /// RTT samples of a sender of TCP or echoes.
    pub fn rtt(&self) -> Option<&Delays> {
        match self {
            Self::TcpSource(source) => Some(&source.rtt),
            Self::PingSource(source) => Some(source.rtt()),
            _ => None,
        }
    }
    /// What a receiver got; of echoes, what came back to their sender.
    pub fn received(&self) -> Received {
        match self {
            Self::PingSource(source) => source.received(),
            Self::TcpSink(sink) => Received {
                packets: sink.received_packets,
                delivered: Bytes::new(sink.receiver.stats().received_bytes),
                last_arrival: sink.last_arrival,
            },
            Self::CbrSink(sink) => Received {
                packets: sink.received_packets,
                delivered: sink.received,
                last_arrival: sink.last_arrival,
            },
            Self::TcpSource(_) | Self::CbrSource(_) | Self::PingSink(_) => Received::default(),
        }
    }
    /// Queueing delays of the data packets that a receiver got.
    pub fn queueing(&self) -> Option<&Delays> {
        match self {
            Self::TcpSink(sink) => Some(&sink.queueing),
            Self::CbrSink(sink) => Some(&sink.queueing),
            Self::PingSink(sink) => Some(sink.queueing()),
            Self::TcpSource(_) | Self::CbrSource(_) | Self::PingSource(_) => None,
        }
    }
    /// One-way delays of the data packets that a receiver got.
    pub fn one_way(&self) -> Option<&OneWay> {
        match self {
            Self::TcpSink(sink) => Some(&sink.one_way),
            Self::CbrSink(sink) => Some(&sink.one_way),
            Self::PingSink(sink) => Some(sink.one_way()),
            Self::TcpSource(_) | Self::CbrSource(_) | Self::PingSource(_) => None,
        }
    }
    /// Forgets the delays so far (the warm-up is over).
    pub fn forget_delays(&mut self) {
        match self {
            Self::TcpSource(source) => source.rtt.forget(),
            Self::TcpSink(sink) => {
                sink.queueing.forget();
                sink.one_way.forget();
            }
            Self::CbrSink(sink) => {
                sink.queueing.forget();
                sink.one_way.forget();
            }
            Self::PingSource(source) => source.forget_delays(),
            Self::PingSink(sink) => sink.forget_delays(),
            Self::CbrSource(_) => {}
        }
    }
    /// Takes the events since the last call.
    pub fn take_events(&mut self) -> Vec<FlowEvent> {
        match self {
            Self::TcpSource(source) => source.log.as_mut().map(std::mem::take).unwrap_or_default(),
            _ => Vec::new(),
        }
    }
}

/// What one flow has sent and got so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct FlowTotals {
    /// Of the sender; packets dropped on either way.
    pub sent: SourceTotals,
    /// Of the receiver.
    pub received: Received,
}

impl FlowTotals {
    /// The totals of flow number `flow`, whose endpoints are numbers `2 flow` and `2 flow + 1`.
    pub fn of(endpoints: &[AnyEndpoint], flow: usize) -> Self {
        let (source, sink) = (&endpoints[2 * flow], &endpoints[2 * flow + 1]);
        match sink {
            AnyEndpoint::PingSink(sink) => {
                let (mut sent, back) = (*source.totals(), sink.dropped());
                sent.dropped = std::array::from_fn(|cause| sent.dropped[cause] + back[cause]);
                Self { sent, received: source.received() }
            }
            _ => Self { sent: *source.totals(), received: sink.received() },
        }
    }
}

/// What a receiver got.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Received {
    /// Data packets that arrived.
    pub packets: u64,
    /// New payload bytes: first copies, in order or not.
    pub delivered: Bytes,
    /// When the last of them came.
    pub last_arrival: Time,
}

/// Something worth a row in the table of events.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlowEvent {
    /// When.
    pub at: Time,
    /// What.
    pub what: FlowEventKind,
}

/// What happened to a flow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FlowEventKind {
    /// It began.
    Start,
    /// It stops sending new data.
    Stop,
    /// A packet was declared lost: the true cause (`None`: it was not lost) and the controller's verdict, if it was
    /// asked for one.
    Loss(Option<Cause>, Option<LossVerdict>),
    /// The window was cut: segments before and after.
    Cut(f64, f64),
    /// The retransmission timer expired.
    Timeout,
    /// A reduction was undone.
    Spurious,
    /// The controller changed its phase.
    Phase(&'static str),
    /// The path changed.
    Path,
    /// Every byte of the transfer is acknowledged.
    Complete,
}

/// How the controller's verdicts compare with the truth, one count per judgement (`truth_as_verdict`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verdicts {
    /// Judged congestion, and it was dropped by a queue.
    pub congestion_as_congestion: u64,
    /// Queue losses judged link error.
    pub congestion_as_error: u64,
    /// Link errors judged link error.
    pub error_as_error: u64,
    /// Link errors judged congestion.
    pub error_as_congestion: u64,
    /// Judged, but the packet was not lost.
    pub spurious: u64,
}

/// Running totals of a sender.
#[derive(Clone, Copy, Debug, Default)]
pub struct SourceTotals {
    /// Data packets sent.
    pub sent_packets: u64,
    /// Bytes sent, on the wire, probes included.
    pub sent_bytes: u64,
    /// Of the packets, those sent before.
    pub retransmitted: u64,
    /// Low-priority probes sent besides.
    pub probes: u64,
    /// Data packets dropped on the way, by [`Cause`].
    pub dropped: [u64; 3],
    /// Packets declared lost.
    pub losses_detected: u64,
    /// Retransmission timeouts.
    pub timeouts: u64,
    /// Reductions of the window.
    pub cuts: u64,
    /// Reductions undone.
    pub undone: u64,
    /// Verdicts against truth.
    pub verdicts: Verdicts,
}

impl SourceTotals {
    const NONE: Self = Self {
        sent_packets: 0,
        sent_bytes: 0,
        retransmitted: 0,
        probes: 0,
        dropped: [0; 3],
        losses_detected: 0,
        timeouts: 0,
        cuts: 0,
        undone: 0,
        verdicts: Verdicts {
            congestion_as_congestion: 0,
            congestion_as_error: 0,
            error_as_error: 0,
            error_as_congestion: 0,
            spurious: 0,
        },
    };
}

/// TCP's sending side.
pub struct TcpSource {
    sender: Sender,
    header: u16,
    start: Time,
    stop: Time,
    started: bool,
    totals: SourceTotals,
    rtt: Delays,
    /// True cause of the drop of each segment whose newest transmission was dropped.
    truth: HashMap<u32, Cause>,
    /// What was announced before the start.
    announced: Vec<PathChange>,
    log: Option<Vec<FlowEvent>>,
    scratch: Vec<Event>,
}

impl TcpSource {
    /// A sender that starts and stops at given times; `log` keeps a row for every event.
    pub fn new(mut sender: Sender, config: &tcp::Config, start: Time, stop: Option<Time>, log: bool) -> Self {
        sender.record_events(true); // cuts, timeouts and undone reductions are counted, logged or not
        Self {
            sender,
            header: config.header as u16,
            start,
            stop: stop.unwrap_or(Time::MAX),
            started: false,
            totals: SourceTotals::default(),
            rtt: Delays::default(),
            truth: HashMap::new(),
            announced: Vec::new(),
            log: log.then(Vec::new),
            scratch: Vec::new(),
        }
    }

    fn note(&mut self, at: Time, what: FlowEventKind) {
        if let Some(log) = &mut self.log {
            log.push(FlowEvent { at, what });
        }
    }

    /// Books what the connection reports of its inner life.
    #[inline]
    fn collect(&mut self, now: Time) {
        self.scratch.extend(self.sender.events());
        if !self.scratch.is_empty() {
            let mut events = std::mem::take(&mut self.scratch);
            for event in events.drain(..) {
                self.book(now, event);
            }
            self.scratch = events;
        }
    }

    #[cold]
    fn book(&mut self, now: Time, event: Event) {
        let totals = &mut self.totals;
        match event {
            Event::Loss { seq, verdict, .. } => {
                totals.losses_detected += 1;
                let cause = self.truth.remove(&(seq as u32));
                let cell = match (cause, verdict) {
                    (_, None) | (Some(Cause::Outage), _) => None,
                    (Some(Cause::Queue), Some(LossVerdict::Congestion)) => {
                        Some(&mut totals.verdicts.congestion_as_congestion)
                    }
                    (Some(Cause::Queue), Some(LossVerdict::LinkError)) => {
                        Some(&mut totals.verdicts.congestion_as_error)
                    }
                    (Some(Cause::Error), Some(LossVerdict::LinkError)) => {
                        Some(&mut totals.verdicts.error_as_error)
                    }
                    (Some(Cause::Error), Some(LossVerdict::Congestion)) => {
                        Some(&mut totals.verdicts.error_as_congestion)
                    }
                    (None, _) => Some(&mut totals.verdicts.spurious),
                };
                if let Some(count) = cell {
                    *count += 1;
                }
                self.note(now, FlowEventKind::Loss(cause, verdict));
            }
            Event::Cut { before, after } => {
                totals.cuts += 1;
                self.note(now, FlowEventKind::Cut(before, after));
            }
            Event::Timeout => {
                totals.timeouts += 1;
                self.note(now, FlowEventKind::Timeout);
            }
            Event::Spurious => {
                totals.undone += 1;
                self.note(now, FlowEventKind::Spurious);
            }
            Event::Phase(phase) => self.note(now, FlowEventKind::Phase(phase)),
            Event::Complete => self.note(now, FlowEventKind::Complete),
        }
    }
}

impl Endpoint for TcpSource {
    fn handle(&mut self, now: Time, packet: &Packet) {
        self.sender.handle(now, &packet.body);
        if let Some(rtt) = self.sender.rtt_sample() {
            self.rtt.add(rtt);
        }
        self.collect(now);
    }
    fn handle_timeout(&mut self, now: Time) {
        if !self.started && now >= self.start {
            self.started = true;
            self.note(now, FlowEventKind::Start);
            self.sender.start(now);
            self.collect(now); // the next call clears what this one reports
            for change in std::mem::take(&mut self.announced) {
                if change.at > now {
                    self.path_changed(&PathChange { now, ..change });
                }
            }
        }
        if now >= self.stop {
            self.stop = Time::MAX;
            self.note(now, FlowEventKind::Stop);
            self.sender.stop(now);
        }
        self.sender.handle_timeout(now);
        self.collect(now);
    }
    #[inline]
    fn poll_transmit(&mut self, now: Time) -> Option<(Segment, u16)> {
        if !self.started {
            return None;
        }
        let before = self.sender.stats().retransmitted;
        let segment = self.sender.poll_transmit(now)?;
        let size = segment.len as u16 + self.header;
        match segment.kind {
            SegmentKind::Probe => self.totals.probes += 1,
            _ => self.totals.sent_packets += 1,
        }
        self.totals.sent_bytes += u64::from(size);
        if self.sender.stats().retransmitted != before {
            self.totals.retransmitted += 1;
            if !self.truth.is_empty() {
                self.truth.remove(&segment.seq);
            }
        }
        Some((segment, size))
    }
    #[inline]
    fn next_timeout(&self) -> Time {
        if self.started { self.sender.next_timeout().min(self.stop) } else { self.start }
    }
    fn path_changed(&mut self, change: &PathChange) {
        if change.at == change.now {
            self.note(change.now, FlowEventKind::Path);
        }
        if self.started {
            self.sender.path_changed(change);
            self.collect(change.now);
        } else {
            self.announced.push(*change);
        }
    }
    fn dropped(&mut self, _now: Time, packet: &Packet, cause: Cause) {
        if packet.body.kind == SegmentKind::Data {
            self.totals.dropped[cause as usize] += 1;
            self.truth.insert(packet.body.seq, cause);
        }
    }
}

/// TCP's receiving side.
#[derive(Debug)]
pub struct TcpSink {
    receiver: Receiver,
    header: u16,
    queueing: Delays,
    one_way: OneWay,
    received_packets: u64,
    last_arrival: Time,
}

impl TcpSink {
    /// A receiver with its meters.
    pub fn new(receiver: Receiver, config: &tcp::Config) -> Self {
        Self {
            receiver,
            header: config.header as u16,
            queueing: Delays::default(),
            one_way: OneWay::default(),
            received_packets: 0,
            last_arrival: Time::ZERO,
        }
    }
}

impl Endpoint for TcpSink {
    fn handle(&mut self, now: Time, packet: &Packet) {
        self.last_arrival = now;
        if packet.body.kind == SegmentKind::Data {
            self.received_packets += 1;
            self.queueing.add(Span::from_nanos(packet.queued_ns));
            self.one_way.add(now.since(packet.body.timestamp));
        }
        self.receiver.handle(now, &packet.body);
    }
    fn handle_timeout(&mut self, now: Time) {
        self.receiver.handle_timeout(now);
    }
    #[inline]
    fn poll_transmit(&mut self, now: Time) -> Option<(Segment, u16)> {
        self.receiver.poll_transmit(now).map(|segment| (segment, self.header))
    }
    #[inline]
    fn next_timeout(&self) -> Time {
        self.receiver.next_timeout()
    }
    fn path_changed(&mut self, _change: &PathChange) {}
    fn dropped(&mut self, _now: Time, _packet: &Packet, _cause: Cause) {}
}

/// Constant-bit-rate UDP.
#[derive(Debug)]
pub struct CbrSource {
    cbr: Cbr,
    start: Time,
    stop: Time,
    totals: SourceTotals,
}

impl CbrSource {
    /// Packets of `packet` bytes on the wire at `rate`, from `start` to `stop`.
    pub fn new(rate: Rate, packet: Bytes, start: Time, stop: Option<Time>) -> Self {
        let cbr = Cbr::new(rate, packet.get() as u32);
        Self { cbr, start, stop: stop.unwrap_or(Time::MAX), totals: SourceTotals::default() }
    }
}

impl Endpoint for CbrSource {
    fn handle(&mut self, _now: Time, _packet: &Packet) {}
    fn handle_timeout(&mut self, now: Time) {
        if now >= self.start {
            self.start = Time::MAX;
            self.cbr.start(now);
        }
        if now >= self.stop {
            self.stop = Time::MAX;
            self.cbr.stop(now);
        }
    }
    fn poll_transmit(&mut self, now: Time) -> Option<(Segment, u16)> {
        let segment = self.cbr.poll_transmit(now)?;
        self.totals.sent_packets += 1;
        self.totals.sent_bytes += u64::from(segment.len);
        Some((segment, segment.len as u16))
    }
    fn next_timeout(&self) -> Time {
        self.cbr.next_timeout().min(self.start).min(self.stop)
    }
    fn path_changed(&mut self, _change: &PathChange) {}
    fn dropped(&mut self, _now: Time, _packet: &Packet, cause: Cause) {
        self.totals.dropped[cause as usize] += 1;
    }
}

/// Counts what arrives.
#[derive(Debug, Default)]
pub struct CbrSink {
    received_packets: u64,
    received: Bytes,
    queueing: Delays,
    one_way: OneWay,
    last_arrival: Time,
}

impl Endpoint for CbrSink {
    fn handle(&mut self, now: Time, packet: &Packet) {
        self.received_packets += 1;
        self.last_arrival = now;
        self.received += Bytes::new(u64::from(packet.body.len));
        self.queueing.add(Span::from_nanos(packet.queued_ns));
        self.one_way.add(now.since(packet.body.timestamp));
    }
    fn handle_timeout(&mut self, _now: Time) {}
    fn poll_transmit(&mut self, _now: Time) -> Option<(Segment, u16)> {
        None
    }
    fn next_timeout(&self) -> Time {
        Time::MAX
    }
    fn path_changed(&mut self, _change: &PathChange) {}
    fn dropped(&mut self, _now: Time, _packet: &Packet, _cause: Cause) {}
}

/// Name of what a segment carries, for tables.
pub const fn kind_name(segment: &Segment) -> &'static str {
    match segment.kind {
        SegmentKind::Data => "data",
        SegmentKind::Probe => "probe",
        SegmentKind::Ack => "ack",
        SegmentKind::ProbeAck => "probe ack",
    }
}

macro_rules! each {
    ($self:ident, $endpoint:ident => $call:expr) => {
        match $self {
            AnyEndpoint::TcpSource($endpoint) => $call,
            AnyEndpoint::TcpSink($endpoint) => $call,
            AnyEndpoint::CbrSource($endpoint) => $call,
            AnyEndpoint::CbrSink($endpoint) => $call,
            AnyEndpoint::PingSource($endpoint) => $call,
            AnyEndpoint::PingSink($endpoint) => $call,
        }
    };
}

impl Endpoint for AnyEndpoint {
    #[inline]
    fn handle(&mut self, now: Time, packet: &Packet) {
        each!(self, endpoint => endpoint.handle(now, packet));
    }
    fn handle_timeout(&mut self, now: Time) {
        each!(self, endpoint => endpoint.handle_timeout(now));
    }
    #[inline]
    fn poll_transmit(&mut self, now: Time) -> Option<(Segment, u16)> {
        each!(self, endpoint => endpoint.poll_transmit(now))
    }
    #[inline]
    fn next_timeout(&self) -> Time {
        each!(self, endpoint => endpoint.next_timeout())
    }
    fn path_changed(&mut self, change: &PathChange) {
        each!(self, endpoint => endpoint.path_changed(change));
    }
    fn dropped(&mut self, now: Time, packet: &Packet, cause: Cause) {
        each!(self, endpoint => endpoint.dropped(now, packet, cause));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use control::{
        Ack, Control, Controller, Loss, NewMss, PathKind, PathState, Signals, Snapshot, Spurious, Timeout,
    };
    use std::sync::{Arc, Mutex};
    use tcp::Transfer;

    /// Notes when it was told of which change.
    #[derive(Clone)]
    struct Told(Arc<Mutex<Vec<(Time, Time)>>>);

    impl Controller for Told {
        fn requires(&self) -> Signals {
            Signals::NONE
        }
        fn on_start(&mut self, _: &control::Start, _: &mut Control) {}
        fn on_path(&mut self, change: &PathChange, _: &mut Control) {
            if let Ok(mut told) = self.0.lock() {
                told.push((change.now, change.at));
            }
        }
        fn on_ack(&mut self, _: &Ack<'_>, _: &mut Control) {}
        fn on_loss(&mut self, _: &Loss<'_>, _: &mut Control) -> LossVerdict {
            LossVerdict::Congestion
        }
        fn on_mss(&mut self, _: &NewMss, _: &mut Control) {}
        fn on_timeout(&mut self, _: &Timeout, _: &mut Control) {}
        fn on_spurious(&mut self, _: &Spurious, _: &mut Control) {}
        fn snapshot(&self, _: &mut Snapshot) {}
    }

    /// The flow starts at 5 s. Changes at 3 and 10 s were announced at 1 s: it hears of the second, when it starts.
    #[test]
    fn what_was_announced_before_the_start_is_told_at_the_start() {
        let at = |s| Time::ZERO + Span::from_secs(s);
        let told = Arc::<Mutex<Vec<(Time, Time)>>>::default();
        let config = tcp::Config::default();
        let sender = Sender::new(config.clone(), Box::new(Told(told.clone())), Transfer::Endless, None);
        let mut source = TcpSource::new(sender, &config, at(5), None, false);
        let change = |now, when| PathChange {
            now: at(now),
            at: at(when),
            uncertainty: Span::ZERO,
            lasts: None,
            kind: PathKind::Reroute,
            after: PathState::default(),
        };
        source.path_changed(&change(1, 3));
        source.path_changed(&change(1, 10));
        source.handle_timeout(at(5));
        source.path_changed(&change(6, 12));
        assert_eq!(told.lock().map(|told| told.clone()).ok(), Some(vec![(at(5), at(10)), (at(6), at(12))]));
    }
}
