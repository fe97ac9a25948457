// SPDX-License-Identifier: MIT OR Apache-2.0
//! TCP endpoints with the meters of their flow.

use super::losses::{Losses, SegmentId};
use super::{FlowEvent, FlowEventKind, Held, Metered, Received, SourceTotals, Transport, TransportState};
use crate::meter::{Delays, OneWay};
use crate::{AnyBody, Packet};
use control::{Overrides, PathChange, SavedPath, Snapshot};
use engine::{Cause, Endpoint};
use tcp::{Event, Receiver, Segment, SegmentKind, Sender};
use units::{Bytes, Span, Time};

/// Returns whether a segment counts as a packet of the flow. Data, a FIN, and a SYN that carries data count.
#[inline]
pub(super) fn is_counted(segment: &Segment) -> bool {
    segment.kind == SegmentKind::Data || (segment.kind == SegmentKind::Syn && segment.len > 0)
}

/// Returns the size on the wire of a sender's segment, in bytes. A SYN with data also has a cookie option of 2 + 8
/// bytes, padded to 12 bytes (RFC 7413, section 4.1.1; as in Linux).
pub(super) fn size_of_sent(segment: &Segment, header: u16, syn_header: u16) -> u16 {
    const COOKIE: u16 = 12;
    let len = segment.len as u16;
    match segment.kind {
        SegmentKind::Syn if len > 0 => syn_header + COOKIE + len,
        SegmentKind::Syn => syn_header,
        _ => header + len,
    }
}

/// Exchanges data between the two connections of a proxy. Data that arrived on the first connection become available to
/// the second connection. Data that are acknowledged on the second connection leave the buffer. When the first
/// connection is opened by its peer, the second connection starts immediately. At this time, the first connection has
/// already answered.
pub(super) fn exchange(now: Time, sink: &mut TcpSink, source: &mut TcpSource) {
    source.sender.supply(sink.receiver.stats().delivered_bytes);
    if !source.started && source.start == Time::MAX && sink.receiver.was_called() {
        source.start = now;
        source.handle_timeout(now);
    }
    sink.receiver.release(source.sender.acknowledged_bytes());
    sink.most_held = sink.most_held.max(sink.receiver.held_bytes());
}

/// The sending side of TCP.
#[derive(Clone, saved::Saved)]
pub struct TcpSource {
    sender: Sender,
    header: u16,
    syn_header: u16,
    start: Time,
    stop: Time,
    started: bool,
    totals: SourceTotals,
    rtt: Delays,
    losses: Losses,
    /// Number of this connection in the sequence of connections that replace each other.
    stream: u32,
    /// Announcements of path changes that arrived before the connection was established.
    announced: Vec<PathChange>,
    log: Option<Vec<FlowEvent>>,
    scratch: Vec<Event>,
    /// Events that are stored for a capture.
    #[saved(fixed)]
    reports: Option<Vec<Event>>,
    /// Number of marks that were reported to earlier connections.
    earlier_marks: u64,
}

impl TcpSource {
    /// Creates a sender that starts at `start` and stops at `stop`. If `log` is true, a row is stored for every event.
    pub fn new(mut sender: Sender, config: &tcp::Config, start: Time, stop: Option<Time>, log: bool) -> Self {
        sender.record_events(true); // cuts, timeouts and undone reductions are counted, logged or not
        Self {
            sender,
            header: config.header as u16,
            syn_header: config.syn_header as u16,
            start,
            stop: stop.unwrap_or(Time::MAX),
            started: false,
            totals: SourceTotals::default(),
            rtt: Delays::default(),
            losses: Losses::default(),
            stream: 0,
            announced: Vec::new(),
            log: log.then(Vec::new),
            scratch: Vec::new(),
            reports: None,
            earlier_marks: 0,
        }
    }

    /// Replaces the connection by another connection that starts at `start`. The counters continue.
    pub(super) fn again(&mut self, mut sender: Sender, start: Time) {
        sender.record_events(true);
        let held = self.sender.overrides();
        if held != Overrides::default() {
            sender.command(start, held);
        }
        self.earlier_marks += self.sender.stats().marks;
        (self.sender, self.started, self.start) = (sender, false, start);
        self.stream += 1;
        self.announced.clear();
    }

    /// Like [`crate::AnyEndpoint::can_be_saved`].
    pub(super) fn can_be_saved(&self) -> bool {
        self.sender.can_be_saved()
    }

    /// Returns whether the connection has started.
    pub(super) fn is_started(&self) -> bool {
        self.started
    }

    /// Returns the events that the connection has reported since the last call. Events are stored only after the first
    /// call.
    pub fn take_reports(&mut self) -> Vec<Event> {
        self.reports.replace(Vec::new()).unwrap_or_default()
    }

    /// Applies commands, like [`Sender::command`].
    pub fn command(&mut self, now: Time, overrides: Overrides) {
        self.sender.command(now, overrides);
    }

    /// Returns the connection.
    pub fn sender(&self) -> &Sender {
        &self.sender
    }

    fn note(&mut self, at: Time, what: FlowEventKind) {
        if let Some(log) = &mut self.log {
            log.push(FlowEvent { at, what });
        }
    }

    /// Processes the events that the connection reports.
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

    /// Passes earlier announcements to a connection that was just established.
    fn pass_on(&mut self, now: Time) {
        if self.sender.is_established() {
            for change in std::mem::take(&mut self.announced) {
                if change.at > now {
                    self.path_changed(&PathChange { now, ..change });
                }
            }
        }
    }

    /// Counts a segment without data and returns its size on the wire.
    #[cold]
    fn size_without_data(&mut self, segment: &Segment) -> u16 {
        self.totals.sent_packets += u64::from(is_counted(segment));
        self.totals.probes += u64::from(segment.kind == SegmentKind::Probe);
        size_of_sent(segment, self.header, self.syn_header)
    }

    #[cold]
    fn book(&mut self, now: Time, event: Event) {
        if let Some(reports) = &mut self.reports {
            reports.push(event);
        }
        self.totals.book(now, self.stream, event, &mut self.losses, &mut self.log);
    }
}

impl Endpoint for TcpSource {
    type Body = AnyBody;
    fn handle(&mut self, now: Time, packet: Packet) {
        let segment = packet.body.segment();
        self.sender.handle(now, segment);
        if segment.kind == SegmentKind::SynAck {
            self.collect(now);
            self.pass_on(now);
            return;
        }
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
            self.pass_on(now);
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
    fn poll_transmit(&mut self, now: Time) -> Option<(AnyBody, u16)> {
        if !self.started {
            return None;
        }
        let before = self.sender.stats().retransmitted;
        let segment = self.sender.poll_transmit(now)?;
        if self.sender.has_events() {
            self.collect(now); // a window that was not used is smaller now
        }
        let size = if segment.kind == SegmentKind::Data {
            self.totals.sent_packets += 1;
            segment.len as u16 + self.header
        } else {
            self.size_without_data(&segment)
        };
        self.totals.sent_bytes += u64::from(size);
        if self.sender.stats().retransmitted != before {
            self.totals.retransmitted += 1;
            self.losses.repeated(now, SegmentId { stream: self.stream, seq: segment.seq });
        }
        Some((AnyBody::Segment(segment), size))
    }
    #[inline]
    fn next_timeout(&self) -> Time {
        if self.started { self.sender.next_timeout().min(self.stop) } else { self.start }
    }
    fn path_changed(&mut self, change: &PathChange) {
        if change.at == change.now {
            self.note(change.now, FlowEventKind::Path);
        }
        if self.sender.is_established() {
            self.sender.path_changed(change);
            self.collect(change.now);
        } else {
            self.announced.push(*change);
        }
    }
    fn dropped(&mut self, at: Time, packet: Packet, cause: Cause) {
        let segment = packet.body.segment();
        if is_counted(segment) {
            self.totals.dropped[cause as usize] += 1;
        }
        if segment.kind == SegmentKind::Data && packet.stream == self.stream {
            self.losses.dropped(at, SegmentId { stream: packet.stream, seq: segment.seq }, cause);
        }
    }
    fn settle(&mut self, before: Time) {
        let Self { losses, totals, log, stream, .. } = self;
        losses.settle(before, totals, log, |open| open == *stream);
    }
}

impl Metered for TcpSource {
    fn totals(&self) -> SourceTotals {
        let reported_marks = self.earlier_marks + self.sender.stats().marks;
        SourceTotals { reported_marks, ..self.totals }
    }
    fn rtt(&self) -> Option<&Delays> {
        Some(&self.rtt)
    }
    fn transport(&self) -> Option<&dyn Transport> {
        Some(&self.sender)
    }
    fn forget_delays(&mut self, _now: Time) {
        self.rtt.forget();
    }
    fn take_events(&mut self) -> Vec<FlowEvent> {
        self.losses.release(&mut self.log)
    }
}

impl Transport for Sender {
    fn state(&self) -> TransportState {
        let control = self.control();
        TransportState {
            cwnd: control.cwnd,
            // A threshold of zero is the command "never in slow start", so a plot must not draw it.
            ssthresh: control.ssthresh.filter(|&threshold| threshold > Bytes::ZERO),
            pacing: control.pacing,
            in_flight_segments: self.in_flight_segments() as f64,
            srtt: self.srtt(),
            phase: control.phase,
        }
    }
    fn snapshot(&self, out: &mut Snapshot) {
        self.snapshot(out);
    }
    fn completed_at(&self) -> Option<Time> {
        self.completed_at()
    }
    fn app_limited_time(&self, now: Time) -> Span {
        self.app_limited_time(now)
    }
    fn is_receiver_limited(&self) -> bool {
        self.stats().receiver_limited > 0
    }
    fn receiver_limited_time(&self, now: Time) -> Option<Span> {
        Some(self.receiver_limited_time(now))
    }
    fn longest_recovery(&self, now: Time) -> (Span, f64) {
        self.longest_recovery(now)
    }
    fn unanswered_syns(&self) -> u64 {
        if self.is_established() { 0 } else { self.stats().syns }
    }
    fn saved_path(&self) -> Option<SavedPath> {
        self.control().save
    }
}

/// The receiving side of TCP.
#[derive(Clone, Debug, saved::Plain)]
pub struct TcpSink {
    receiver: Receiver,
    header: u16,
    syn_header: u16,
    queueing: Delays,
    one_way: OneWay,
    received_packets: u64,
    last_arrival: Time,
    /// `whole` is the size of the transfer in bytes, if the time of its end is needed. `whole_at` is the time at which
    /// all bytes had arrived.
    whole: u64,
    whole_at: Option<Time>,
    /// Used at a proxy: the largest number of in-order bytes that have waited here so far.
    most_held: u64,
    earlier: Earlier,
}

/// Counts of earlier connections.
#[derive(Clone, Copy, Debug, Default, saved::Plain)]
struct Earlier {
    marked: u64,
    /// Number of bytes that were delivered in order. Data that were not in order must be sent again.
    delivered: u64,
    /// Number of bytes that were counted when they first arrived.
    counted: u64,
}

impl TcpSink {
    /// Creates a receiver with its meters.
    pub fn new(receiver: Receiver, config: &tcp::Config) -> Self {
        Self {
            receiver,
            header: config.header as u16,
            syn_header: config.syn_header as u16,
            queueing: Delays::default(),
            one_way: OneWay::default(),
            received_packets: 0,
            last_arrival: Time::ZERO,
            whole: u64::MAX,
            whole_at: None,
            most_held: 0,
            earlier: Earlier::default(),
        }
    }

    /// Replaces the connection by another connection, which carries the data that have not arrived in order. The
    /// counters continue.
    pub(super) fn again(&mut self, receiver: Receiver) {
        let delivered = self.delivered_bytes();
        self.earlier = Earlier {
            marked: self.marked(),
            delivered: self.earlier.delivered + delivered,
            counted: self.counted(),
        };
        if self.whole < u64::MAX {
            self.whole -= delivered;
        }
        self.receiver = receiver;
    }

    /// Returns the number of bytes that this connection has delivered in order.
    pub(super) fn delivered_bytes(&self) -> u64 {
        self.receiver.stats().delivered_bytes
    }

    /// Returns whether the transfer has arrived completely.
    pub(super) fn is_whole(&self) -> bool {
        self.whole_at.is_some()
    }

    fn marked(&self) -> u64 {
        self.earlier.marked + self.receiver.stats().marked
    }

    /// Returns the number of bytes that arrived for the first time. Out-of-order data that were lost together with
    /// their connection count only once, at their first arrival.
    fn counted(&self) -> u64 {
        self.earlier.counted.max(self.earlier.delivered + self.receiver.stats().received_bytes)
    }

    /// Sets the size of the transfer. The time of its complete arrival is then recorded.
    pub fn expects(&mut self, bytes: Bytes) {
        self.whole = bytes.get();
    }
}

impl Endpoint for TcpSink {
    type Body = AnyBody;
    fn handle(&mut self, now: Time, packet: Packet) {
        let segment = packet.body.segment();
        if is_counted(segment) {
            self.last_arrival = now;
            self.received_packets += 1;
            self.queueing.add(Span::from_nanos(packet.queued_ns));
            self.one_way.add(now.since(segment.timestamp));
        } else if segment.kind == SegmentKind::Probe {
            self.last_arrival = now;
        }
        self.receiver.handle(now, segment);
        if self.receiver.stats().delivered_bytes >= self.whole {
            (self.whole, self.whole_at) = (u64::MAX, Some(now));
        }
    }
    fn handle_timeout(&mut self, now: Time) {
        self.receiver.handle_timeout(now);
    }
    #[inline]
    fn poll_transmit(&mut self, now: Time) -> Option<(AnyBody, u16)> {
        let segment = self.receiver.poll_transmit(now)?;
        let is_syn = segment.kind == SegmentKind::SynAck;
        Some((AnyBody::Segment(segment), if is_syn { self.syn_header } else { self.header }))
    }
    #[inline]
    fn next_timeout(&self) -> Time {
        self.receiver.next_timeout()
    }
    fn path_changed(&mut self, _change: &PathChange) {}
    fn dropped(&mut self, _now: Time, _packet: Packet, _cause: Cause) {}
}

impl Metered for TcpSink {
    fn received(&self) -> Received {
        Received {
            packets: self.received_packets,
            marked: self.marked(),
            delivered: Bytes::new(self.counted()),
            last_arrival: self.last_arrival,
            whole_at: self.whole_at,
        }
    }
    fn held(&self) -> Option<Held> {
        let most = Bytes::new(self.most_held);
        Some(Held { most, most_of_one: most, now: Bytes::new(self.receiver.held_bytes()) })
    }
    fn queueing(&self) -> Option<&Delays> {
        Some(&self.queueing)
    }
    fn one_way(&self) -> Option<&OneWay> {
        Some(&self.one_way)
    }
    fn forget_delays(&mut self, _now: Time) {
        self.queueing.forget();
        self.one_way.forget();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use control::{
        Ack, Control, Controller, Loss, LossVerdict, NewMss, PathKind, PathState, Signals, Snapshot,
        Spurious, Timeout,
    };
    use std::sync::{Arc, Mutex};
    use tcp::Transfer;

    /// Records each change of which the controller was informed, and the time.
    #[derive(Clone, saved::Saved)]
    struct Notices(#[saved(fixed)] Arc<Mutex<Vec<(Time, Time)>>>);

    impl Controller for Notices {
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
        fn on_persistent_congestion(&mut self, _: Time, _: &mut Control) {
            unreachable!("TCP does not know it");
        }
        fn on_timeout(&mut self, _: &Timeout, _: &mut Control) {}
        fn on_spurious(&mut self, _: &Spurious, _: &mut Control) {}
        fn on_mss(&mut self, _: &NewMss, _: &mut Control) {}
        fn snapshot(&self, _: &mut Snapshot) {}
    }

    /// The flow starts at 5 s. At 1 s, changes at 3 s and 10 s were announced. Expected: when the flow starts, it is
    /// informed of the change at 10 s.
    #[test]
    fn what_was_announced_before_the_start_is_told_at_the_start() {
        let at = |s| Time::ZERO + Span::from_secs(s);
        let told = Arc::<Mutex<Vec<(Time, Time)>>>::default();
        let config = tcp::Config::default();
        let sender = Sender::new(config.clone(), Box::new(Notices(told.clone())), Transfer::Endless, None);
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
