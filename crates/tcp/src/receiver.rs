// SPDX-License-Identifier: MIT OR Apache-2.0
//! The receiving half of a connection. It handles the order of data, duplicates and acknowledgements. The module
//! `setup` answers SYNs.

mod setup;

mod ecn;

mod acks;
mod linux;
mod relay;
mod round_trip;
mod window;

pub(crate) use window::{initial as initial_window, scale as window_scale};

use self::linux::{Kind, Linux};
use self::relay::Relay;
use crate::intervals::Intervals;
use crate::segment::{Flags, expand};
use crate::{Config, DelayedAck, Recovery, Segment, SegmentKind, Timeouts};
use setup::Listening;
use units::Time;

/// Converts a time to ticks of the timestamp clock. A tick is one millisecond (RFC 7323, section 5.4: between 1 ms and
/// 1 s; Linux, `TCP_TS_HZ`).
const fn ticks(time: Time) -> u64 {
    time.nanos() / 1_000_000
}

/// Counters of one receiver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub struct ReceiverStats {
    /// Number of segments that were delivered in order to the application.
    pub delivered: u64,
    /// Payload of the segments in `delivered`, in bytes.
    pub delivered_bytes: u64,
    /// Payload that was received for the first time, in order or not, in bytes.
    pub received_bytes: u64,
    /// Number of segments that were received more than once.
    pub duplicates: u64,
    /// Number of segments that arrived while an earlier segment was missing.
    pub out_of_order: u64,
    /// Number of segments that carried a mark (ECN).
    pub marked: u64,
    /// Number of acknowledgements that were sent.
    pub acks: u64,
}

/// The TCP options that the connection uses.
#[derive(Clone, Copy, Debug, saved::Plain)]
struct Options {
    /// Whether out-of-order segments are reported (SACK).
    selective: bool,
    /// Whether old segments are rejected by their timestamps (PAWS).
    protects: bool,
}

/// The receiving half of a TCP connection. The application reads in-order data immediately. At a proxy
/// ([`Receiver::relaying`]), a buffer stores the data instead.
#[derive(Clone, Debug, saved::Plain)]
pub struct Receiver {
    mss: u32,
    options: Options,
    delayed: Option<DelayedAck>,
    /// The announced window: the number of segments that may arrive, beginning with `next`.
    window: u32,
    linux: Option<Box<Linux>>,
    /// The buffer in which a proxy stores data.
    relay: Option<Box<Relay>>,
    /// The next expected segment (RCV.NXT).
    next: u64,
    early: Intervals,
    /// The early intervals that changed last, newest first (RFC 2018 section 4). Early data are data that arrived
    /// before missing data. An entry that is empty or below `next` is not valid.
    recent: [(u64, u64); 3],
    duplicate: Option<(u64, u64)>,
    /// Early segments that are not full, with their lengths. These are the last segment of a transfer, and its FIN.
    short: Vec<(u64, u32)>,
    /// TS.Recent and Last.ACK.sent (RFC 7323 section 4.3).
    echo: Time,
    last_ack: u64,
    /// Whether a congestion warning must be echoed.
    warned: bool,
    ecn: ecn::EcnReceiver,
    /// Number of segments that were received but not yet acknowledged.
    pending: u32,
    due: Time,
    ack_now: bool,
    /// Number of probes that must be answered.
    probe_acks: u32,
    /// One-way delay of the newest data segment, measured by the receiver's clock, in nanoseconds.
    one_way_delay_ns: u32,
    listening: Listening,
    stats: ReceiverStats,
}

impl Receiver {
    /// Creates a receiver whose first expected segment is 0.
    pub fn new(config: &Config) -> Self {
        Self::starting_at(0, config)
    }

    /// Creates a receiver whose first expected segment is `first`.
    pub fn starting_at(first: u64, config: &Config) -> Self {
        Self {
            mss: config.mss,
            options: Options {
                selective: matches!(config.recovery, Recovery::Sack | Recovery::RackTlp),
                protects: config.timestamps && config.timeouts == Timeouts::Rfc6298,
            },
            delayed: config.delayed_ack,
            window: config.window_segments(),
            linux: Linux::new(first, config),
            relay: None,
            next: first,
            early: Intervals::default(),
            recent: [(0, 0); 3],
            duplicate: None,
            short: Vec::new(),
            echo: Time::ZERO,
            last_ack: first,
            warned: false,
            ecn: ecn::EcnReceiver::new(config),
            pending: 0,
            due: Time::MAX,
            ack_now: false,
            probe_acks: 0,
            one_way_delay_ns: 0,
            listening: Listening::new(config),
            stats: ReceiverStats::default(),
        }
    }

    /// Handles a segment that arrived.
    pub fn handle(&mut self, now: Time, segment: &Segment) {
        let in_stream = || segment.kind == SegmentKind::Syn && self.listening.is_in_stream();
        if segment.kind != SegmentKind::Data && !in_stream() {
            self.handle_without_data(now, segment);
            return;
        }
        if self.listening.due != Time::MAX {
            // Data also acknowledge the SYN-ACK, and so end the handshake.
            self.establish(now);
        }
        self.one_way_delay_ns = u32::try_from(now.since(segment.timestamp).nanos()).unwrap_or(u32::MAX);
        let seq = expand(segment.seq, self.next);
        if seq >= self.next + u64::from(self.window) {
            // A segment outside the window is not accepted, but it is answered (RFC 9293 section 3.10.7.4).
            self.ack_now = true;
            return;
        }
        if segment.timestamp < self.echo && self.is_too_old(segment) {
            self.reject_old(now, segment, seq);
            return;
        }
        if self.ecn.kind().is_some() {
            self.look_for_marks(segment);
        }
        // RFC 7323 section 4.3: store the timestamp of the segment at the left edge of the window. Section 5.3: do not
        // store the timestamp of a segment outside the window (R2 comes before R3). In Linux (tcp_sequence()), the last
        // acknowledged segment is not outside the window.
        let left = if self.linux.is_some() { self.last_ack.saturating_sub(1) } else { self.next };
        if seq <= self.last_ack && seq >= left && segment.timestamp >= self.echo {
            self.echo = segment.timestamp;
        }
        self.warned |= segment.flags.has(Flags::WARNED);
        let had_early = !self.early.is_empty();
        if seq == self.next {
            self.stats.received_bytes += u64::from(segment.len);
            self.take(had_early, segment.len);
            // RFC 5681 section 4.2: acknowledge immediately if a gap is filled. Otherwise, acknowledge after a number
            // of segments. A FIN is also acknowledged immediately, because the application then closes too, and its own
            // FIN carries the ACK.
            self.pending += 1;
            if self.linux.is_some() {
                self.follow_linux(
                    now,
                    segment,
                    Kind::InOrder { from: seq, filled: had_early && self.early.is_empty() },
                );
                return;
            }
            match self.delayed {
                Some(DelayedAck::Every { segments, at_most })
                    if !had_early && self.pending < segments && !segment.flags.has(Flags::FIN) =>
                {
                    self.due = self.due.min(now + at_most);
                }
                _ => self.ack_now = true,
            }
        } else {
            let mut is_new = false;
            let told = self.linux.is_some() && self.tell_held(now, seq);
            if seq > self.next {
                if segment.len < self.mss {
                    self.note_short(seq, segment.len);
                }
                let (from, to) = self.early.insert(seq, seq + 1, |_, _| is_new = true);
                self.touch(from, to);
            }
            if is_new {
                self.stats.received_bytes += u64::from(segment.len);
                self.stats.out_of_order += 1;
            } else {
                self.stats.duplicates += 1;
                self.duplicate = Some((seq, seq + 1));
            }
            if self.linux.is_some() {
                let kind = if seq < self.next { Kind::Old } else { Kind::Early { is_new, told } };
                self.follow_linux(now, segment, kind);
            } else {
                self.ack_now = true;
            }
        }
    }

    /// Whether a segment is too old: its timestamp is older than the stored timestamp by at least one tick of the
    /// clock.
    #[cold]
    fn is_too_old(&self, segment: &Segment) -> bool {
        // Linux, tcp_paws_discard(): the tolerance TCP_PAWS_WINDOW is one tick.
        let tolerance = u64::from(self.linux.is_some());
        self.options.protects && ticks(segment.timestamp) + tolerance < ticks(self.echo)
    }

    /// Rejects a segment whose timestamp is older than the stored timestamp (PAWS; RFC 7323, section 5.3, R1). The
    /// segment is answered. If it was received before, it is reported as a duplicate (Linux, `tcp_send_dupack()`).
    #[cold]
    fn reject_old(&mut self, now: Time, segment: &Segment, seq: u64) {
        if seq < self.next {
            self.stats.duplicates += 1;
            self.duplicate = Some((seq, seq + 1));
            if self.linux.is_some() {
                self.follow_linux(now, segment, Kind::Old);
                return;
            }
        }
        self.ack_now = true;
    }

    /// Handles segments that are not data of the stream: probes, segments of the set-up and window probes.
    #[cold]
    fn handle_without_data(&mut self, now: Time, segment: &Segment) {
        match segment.kind {
            SegmentKind::Probe => self.handle_probe(segment),
            SegmentKind::Syn | SegmentKind::HandshakeAck => self.handle_setup(now, segment),
            // RFC 9293, section 3.8.6.1: the answer to a window probe contains the next expected number and the window.
            SegmentKind::WindowProbe => self.ack_now = true,
            SegmentKind::Data | SegmentKind::Ack | SegmentKind::ProbeAck | SegmentKind::SynAck => {}
        }
    }

    /// Handles a probe. A separate acknowledgement answers it. If its data are new, they are stored.
    fn handle_probe(&mut self, segment: &Segment) {
        self.probe_acks += 1;
        let seq = expand(segment.seq, self.next);
        if seq < self.next || seq >= self.next + u64::from(self.window) {
            return;
        }
        let mut is_new = seq == self.next;
        if is_new {
            self.take(!self.early.is_empty(), segment.len);
        } else {
            if segment.len < self.mss {
                self.note_short(seq, segment.len);
            }
            let (from, to) = self.early.insert(seq, seq + 1, |_, _| is_new = true);
            self.touch(from, to);
        }
        if is_new {
            self.stats.received_bytes += u64::from(segment.len);
            if self.linux.is_some() {
                self.follow_probe(seq);
            }
        }
    }

    /// Accepts the next expected segment, which has `len` bytes, and the early data that follow it.
    #[inline]
    fn take(&mut self, had_early: bool, len: u32) {
        self.next += 1;
        self.stats.delivered += 1;
        self.stats.delivered_bytes += u64::from(len);
        if had_early {
            self.join();
        }
        if self.relay.is_some() {
            self.settle_window();
        }
    }

    /// Accepts the early data that follow the segment that has just arrived.
    fn join(&mut self) {
        let from = self.next;
        if let Some((first, to)) = self.early.first()
            && first <= self.next
        {
            self.next = to;
            self.early.remove_below(to);
        }
        let segments = self.next - from;
        self.stats.delivered += segments;
        self.stats.delivered_bytes += segments * u64::from(self.mss);
        if !self.short.is_empty() {
            self.settle_short();
        }
    }

    #[cold]
    fn note_short(&mut self, seq: u64, len: u32) {
        if !self.short.iter().any(|short| short.0 == seq) {
            self.short.push((seq, len));
        }
    }

    #[cold]
    fn settle_short(&mut self) {
        let (next, mss) = (self.next, self.mss);
        for (_, len) in self.short.extract_if(.., |short| short.0 < next) {
            self.stats.delivered_bytes -= u64::from(mss - len);
        }
    }

    /// Makes the early interval `[from, to)` the first interval to report. Intervals that it contains, and intervals
    /// that are complete, are removed.
    fn touch(&mut self, from: u64, to: u64) {
        let apart = |old: &(u64, u64)| old.0 > self.next && (old.1 < from || to < old.0);
        let mut kept = self.recent.into_iter().filter(apart);
        self.recent = [(from, to), kept.next().unwrap_or_default(), kept.next().unwrap_or_default()];
    }

    /// Returns the acknowledgement that is sent at `now`, or `None` if nothing must be sent.
    #[inline]
    pub fn poll_transmit(&mut self, now: Time) -> Option<Segment> {
        if self.ack_now {
            if self.ecn.kind().is_some() || self.linux.is_some() {
                return Some(self.acknowledge_with_care(now));
            }
            self.ack_now = false;
            return Some(self.acknowledge(now, SegmentKind::Ack));
        }
        if self.probe_acks > 0 || self.listening.answers {
            return Some(self.answer(now));
        }
        None
    }

    /// Returns the next acknowledgement, if the rules of Linux or ECN apply. In these cases, another acknowledgement
    /// may have to be sent first.
    #[inline(never)]
    fn acknowledge_with_care(&mut self, now: Time) -> Segment {
        if let Some(ack) = self.acknowledge_before() {
            return ack;
        }
        self.ack_now = false;
        let held = self.linux.as_mut().and_then(|linux| linux.held.take());
        held.unwrap_or_else(|| self.acknowledge(now, SegmentKind::Ack))
    }

    /// Returns the answer to a probe or to a SYN.
    #[cold]
    fn answer(&mut self, now: Time) -> Segment {
        if self.probe_acks == 0 {
            return self.answer_syn(now);
        }
        self.probe_acks -= 1;
        self.acknowledge(now, SegmentKind::ProbeAck)
    }

    #[inline]
    fn acknowledge(&mut self, now: Time, kind: SegmentKind) -> Segment {
        if kind == SegmentKind::Ack {
            self.pending = 0;
            self.due = Time::MAX;
        }
        self.last_ack = self.next;
        self.stats.acks += 1;
        let stamp = self.linux.as_mut().map_or(0, |linux| linux.on_sent(now, kind, self.next));
        if let Some(relay) = &mut self.relay {
            relay.on_told(self.next, self.window);
        }
        let mut ack = Segment {
            timestamp: self.echo,
            seq: self.next as u32,
            window: self.window,
            len: self.one_way_delay_ns,
            kind,
            stamp,
            // An acknowledgement of a probe does not echo the warning, because routers drop such acknowledgements
            // first.
            flags: Flags::when(kind == SegmentKind::Ack && std::mem::take(&mut self.warned), Flags::WARNED)
                | self.ecn.now(),
            ..Segment::default()
        };
        if self.options.selective {
            self.report(&mut ack);
        }
        if let Some(counters) = self.ecn.option() {
            // RFC 9768, section 3.2.3.3: SACK blocks for which the option leaves no space are omitted.
            ack.sack_count = ack.sack_count.min(2);
            ack.sack[2] = counters;
        }
        ack
    }

    /// Fills the SACK blocks. The first block reports a duplicate, if there is one (RFC 2883). The next blocks are the
    /// intervals that changed last.
    fn report(&mut self, ack: &mut Segment) {
        let mut add = |from: u64, to: u64| {
            if let Some(block) = ack.sack.get_mut(usize::from(ack.sack_count)) {
                *block = [from as u32, to as u32];
                ack.sack_count += 1;
            }
        };
        if let Some((from, to)) = self.duplicate.take() {
            add(from, to);
            ack.flags |= Flags::DSACK;
        }
        if self.early.is_empty() {
            return;
        }
        for &(from, to) in self.recent.iter().filter(|interval| interval.0 > self.next) {
            add(from, to);
        }
    }

    /// Time at which [`Receiver::handle_timeout`] must be called next, or [`Time::MAX`] if no call is needed.
    pub fn next_timeout(&self) -> Time {
        self.due.min(self.listening.due)
    }

    /// Handles a timeout. Either a delayed acknowledgement is due, or a SYN-ACK was not acknowledged in time.
    pub fn handle_timeout(&mut self, now: Time) {
        if self.due <= now {
            self.due = Time::MAX;
            self.ack_now = true;
            if self.linux.is_some() {
                self.time_out_linux();
            }
        }
        if self.listening.due <= now {
            self.listening.handle_timeout();
        }
    }

    /// The counters of this receiver.
    pub fn stats(&self) -> &ReceiverStats {
        &self.stats
    }
}
