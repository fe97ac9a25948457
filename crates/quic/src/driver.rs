// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs a controller. The driver converts the reports of a library to the events of [`control::event`], in the order
//! that the controller expects. It also stores the commands of the controller.
//!
//! At one ACK, the order of events is: spurious losses, RTT and rounds, end of a recovery, [`Ack`], then [`Loss`],
//! persistent congestion, marks. An episode begins with the loss of a packet that was sent after the newest reduction.
//! If a batch contains losses from before and after this reduction, it is reported in two parts.

use crate::Hints;
use crate::book::{Book, Record, Smoothed};
use crate::setup::Admitted;
use crate::watch::{Brief, Counters, Event, EventKind, State};
use control::{
    Ack, AckedPacket, Control, Controller, Idle, Limit, Limited, Loss, LossTrigger, LossVerdict, LostPacket,
    NewMss, Overrides, OwnCommands, PacketKind, PathChange, PathState, Sent, Signals, Snapshot, Spurious,
    Start, TimerFired,
};
use units::{Bytes, Span, Time};

/// RFC 9002, section 7.2: the initial window is at most this many bytes, and at most this many datagrams.
const INITIAL_WINDOW: (u64, u32) = (14_720, 10);
/// RFC 9002, section 7.2: the smallest window, and the smallest initial window.
const LEAST_DATAGRAMS: u32 = 2;

/// The data at the end of an ACK.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AckEnd {
    /// Bytes in flight now, before losses are subtracted; `None` if the library does not report them.
    pub(crate) in_flight: Option<u64>,
    /// Whether the application had nothing to send before the ACK.
    pub(crate) app_limited: bool,
    /// The smoothed RTT of the library, if the ACK gives an RTT sample. The ACK gives a sample if the newest
    /// acknowledged packet is the newest packet that was ever acknowledged. Otherwise `None`.
    pub(crate) rtt_sample: Option<Smoothed>,
    /// Marked bytes in this ACK.
    pub(crate) ce: u64,
}

/// A controller, together with the state of its connection.
#[derive(Clone)]
pub(crate) struct Driver {
    controller: Box<dyn Controller>,
    control: Control,
    uses: Signals,
    /// Commands from outside. `own` contains the values of the controller that these commands replace.
    overrides: Overrides,
    own: OwnCommands,
    hearing: Option<Hearing>,
    initial: u64,
    mss: u32,
    now: Time,
    book: Book,
    batch: Batch,
    found: Found,
    recovery: Recovery,
    usage: Usage,
    log: Log,
}

/// The packets that one ACK acknowledges.
#[derive(Clone, Default)]
struct Batch {
    packets: Vec<AckedPacket>,
    bytes: u64,
    newest: Option<Record>,
}

/// Packets that were declared lost, but were not reported to the controller yet.
#[derive(Clone, Default)]
struct Found {
    packets: Vec<LostPacket>,
    numbers: Vec<u64>,
}

#[derive(Clone, Copy, Default)]
struct Recovery {
    episode: u32,
    /// Number of the first packet after the newest reduction.
    reduced_at: u64,
    /// Time of the newest reduction; `None` if all packets sent before it are acknowledged or lost.
    since: Option<Time>,
    /// Whether persistent congestion ended the recovery early.
    is_over: bool,
    /// Whether a mark caused the reduction.
    marked: bool,
    /// Whether the newest episode can still turn out to be spurious.
    can_be_spurious: bool,
}

/// How much the window and the application limit sending.
#[derive(Clone, Copy, Default)]
struct Usage {
    /// Number of the first packet after the window was last full. Earlier packets were sent before that.
    full_until: u64,
    /// Largest number of bytes in flight, in this round trip and in the previous round trip.
    peaks: [u64; 2],
    app_limited: bool,
    /// Time from which the application has had nothing to send; `None` if it has data.
    app_limited_since: Option<Time>,
    idle_since: Time,
    last_sent: Option<(u64, Time)>,
    last_ack_at: Time,
    /// The newest packet of the newest ACK, and the time at which this packet was sent.
    newest_acked: (u64, Time),
}

/// The announced changes of the path.
#[derive(Clone)]
struct Hearing {
    hints: Hints,
    heard: u64,
    news: Vec<PathChange>,
}

#[derive(Clone, Default)]
struct Log {
    counters: Counters,
    events: Vec<Event>,
    recording: bool,
    /// The newest episode for which a cut was counted.
    cut_for: Option<u32>,
}

impl Driver {
    /// Creates the driver of a connection that starts with datagrams of `mss` bytes.
    pub(crate) fn start(admitted: &Admitted, now: Time, mss: u32) -> Self {
        let setup = &admitted.setup;
        let controller = admitted.controller.clone();
        let (most_bytes, most) = INITIAL_WINDOW;
        let initial = match setup.initial_window {
            Some(datagrams) => u64::from(datagrams.max(1)) * u64::from(mss),
            None => u64::from(most * mss).min(most_bytes.max(u64::from(LEAST_DATAGRAMS * mss))),
        };
        let hearing = setup.hints.clone().map(|hints| {
            let heard = hints.announced();
            Hearing { hints, heard, news: Vec::new() }
        });
        let start = Start {
            now,
            mss,
            initial_window: (initial / u64::from(mss)) as u32,
            provided: admitted.provided,
            path: hearing.as_ref().map_or_else(PathState::default, |hearing| hearing.hints.path(now)),
            saved: setup.saved,
            rtt: None,
            seed: setup.seed,
        };
        let mut driver = Self {
            uses: controller.uses() | controller.requires(),
            controller,
            control: Control::new(Bytes::new(initial)),
            overrides: Overrides::default(),
            own: OwnCommands::default(),
            hearing,
            initial,
            mss,
            now,
            book: Book::default(),
            batch: Batch::default(),
            found: Found::default(),
            recovery: Recovery::default(),
            usage: Usage { idle_since: now, last_ack_at: now, ..Usage::default() },
            log: Log::default(),
        };
        driver.tell(|controller, control| controller.on_start(&start, control));
        driver
    }

    // ---- reports of the library -----------------------------------------------------------------------------------

    /// Records that a packet that requires an acknowledgement is sent. The caller must pass the returned record to
    /// [`Self::acked`] or [`Self::lost`] later.
    pub(crate) fn sent(&mut self, now: Time, number: u64, bytes: u32) -> Record {
        self.advance(now);
        let after_idle = self.book.in_flight == 0;
        if after_idle && self.book.next_tx > 0 {
            let idle_for = now.since(self.usage.idle_since);
            self.log.counters.idles += 1;
            self.note(EventKind::Idle(idle_for));
            self.tell(|controller, control| controller.on_idle(&Idle { now, idle_for }, control));
        }
        let needs_propagation = self.uses.contains(Signals::PROPAGATION);
        let propagation_rtt = self
            .hearing
            .as_ref()
            .filter(|_| needs_propagation)
            .and_then(|hearing| hearing.hints.propagation_rtt(now));
        let record = self.book.send(now, number, bytes, propagation_rtt);
        self.log.counters.sent.add(bytes.into());
        let usage = &mut self.usage;
        usage.peaks[0] = usage.peaks[0].max(record.in_flight);
        usage.last_sent = Some((number, now));
        if let Some(since) = usage.app_limited_since.take() {
            let limited = &mut self.log.counters.app_limited;
            *limited = *limited + now.since(since);
        }
        usage.app_limited = false;
        if self.uses.contains(Signals::SENT) {
            let event = Sent {
                now,
                tx: record.tx,
                bytes,
                kind: PacketKind::Data,
                in_flight: Bytes::new(record.in_flight),
                after_idle,
            };
            self.tell(|controller, control| controller.on_sent(&event, control));
        }
        if self.book.in_flight + u64::from(self.mss) > self.control.cwnd.get() {
            self.window_is_full();
        }
        record
    }

    /// Records that data wait, but that the window has no room for another datagram.
    pub(crate) const fn window_is_full(&mut self) {
        self.usage.full_until = self.book.next_tx;
    }

    /// Records that the present ACK acknowledges `bytes` of the packet with this record. [`Self::end_acks`] ends this
    /// ACK.
    pub(crate) fn acked(&mut self, record: &Record, bytes: u64) {
        self.batch.bytes += bytes;
        self.log.counters.delivered.add(bytes);
        if self.batch.newest.is_none_or(|newest| record.tx > newest.tx) {
            self.batch.newest = Some(*record);
        }
        if self.uses.contains(Signals::PER_PACKET) || self.uses.contains(Signals::PROPAGATION) {
            self.batch.packets.push(AckedPacket {
                tx: record.tx,
                bytes: bytes as u32,
                kind: PacketKind::Data,
                sent_at: record.sent_at,
                propagation_rtt: record.propagation_rtt,
            });
        }
    }

    /// Returns the newest packet of the present ACK.
    pub(crate) const fn newest_acked(&self) -> Option<&Record> {
        self.batch.newest.as_ref()
    }

    /// The ACK is complete.
    pub(crate) fn end_acks(&mut self, now: Time, end: AckEnd) {
        self.advance(now);
        let acked = std::mem::take(&mut self.batch.bytes);
        let in_flight = end.in_flight.unwrap_or(self.book.in_flight.saturating_sub(acked));
        let was_idle = std::mem::replace(&mut self.book.in_flight, in_flight) == 0;
        if in_flight == 0 && !was_idle {
            self.usage.idle_since = now;
        }
        self.note_application(now, end.app_limited);
        self.usage.last_ack_at = now;
        let Some(newest) = self.batch.newest.take() else { return };
        self.log.counters.acks += 1;
        if let Some(smoothed) = end.rtt_sample {
            self.book.sample_rtt(now.since(newest.sent_at), smoothed);
        }
        let round_start = self.book.deliver(now, acked, &newest, end.app_limited);
        if round_start {
            self.usage.peaks = [in_flight, self.usage.peaks[0]];
        }
        if self.recovery.since.is_some() && newest.tx >= self.recovery.reduced_at {
            self.end_recovery(now);
            self.tell(|controller, control| controller.on_recovery_exit(now, control));
        }
        let mut packets = std::mem::take(&mut self.batch.packets);
        // The controller expects packets in the order of sending. The library may report them in another order.
        packets.sort_unstable_by_key(|packet| packet.tx);
        let uses_rate = self.uses.contains(Signals::RATE_SAMPLE);
        let event = Ack {
            acked: Bytes::new(acked),
            rtt: end.rtt_sample.and(self.book.rtt),
            srtt: self.book.srtt,
            min_rtt: self.book.min_rtt,
            sent_at: Some(newest.sent_at),
            propagation_rtt: newest.propagation_rtt,
            total_sent: Bytes::new(self.book.sent),
            total_delivered: Bytes::new(self.book.delivered),
            total_lost: Bytes::new(self.book.lost),
            rate: if uses_rate { self.book.sample_rate(&newest) } else { None },
            in_flight_before: Bytes::new(in_flight + acked),
            in_flight: Bytes::new(in_flight),
            round: self.book.round,
            round_start,
            in_recovery: self.recovery.since.is_some() && !self.recovery.is_over,
            cwnd_limited: self.is_window_limited(&newest),
            app_limited: newest.app_limited,
            ce: Bytes::new(end.ce),
            packets: &packets,
            ..Ack::at(now)
        };
        self.tell(|controller, control| controller.on_ack(&event, control));
        packets.clear();
        self.batch.packets = packets;
        self.usage.newest_acked = (newest.tx, newest.sent_at);
    }

    /// Records that a packet was declared lost. [`Self::end_losses`] reports it to the controller.
    pub(crate) fn lost(&mut self, record: &Record, bytes: u64) {
        self.log.counters.lost.add(bytes);
        self.found.numbers.push(record.number);
        self.found.packets.push(LostPacket {
            tx: record.tx,
            bytes: bytes as u32,
            kind: PacketKind::Data,
            sent_at: record.sent_at,
            tx_in_flight: Bytes::new(record.in_flight),
            lost_at_send: Bytes::new(record.lost_at_send),
        });
    }

    /// Reports the packets that were declared lost at this time, because all of them are known.
    pub(crate) fn end_losses(&mut self, now: Time, persistent: bool) {
        self.advance(now);
        let mut found = std::mem::take(&mut self.found);
        let reduced_at = self.recovery.reduced_at;
        // RFC 8257, section 3.5: DCTCP reacts to a loss as TCP does, even if marks have already reduced the window.
        let beside_marks = self.recovery.marked && self.controller.requires().contains(Signals::ECN);
        let later = found.packets.iter().position(|packet| beside_marks || packet.tx >= reduced_at);
        let (old, new) = found.packets.split_at(later.unwrap_or(found.packets.len()));
        let (old_numbers, new_numbers) = found.numbers.split_at(old.len());
        self.report(now, old, old_numbers, false);
        let one_episode = self.control.owns_recovery && self.recovery.since.is_some();
        self.report(now, new, new_numbers, !one_episode);
        found.packets.clear();
        found.numbers.clear();
        self.found = found;
        if self.book.in_flight == 0 {
            self.usage.idle_since = now;
        }
        if persistent {
            self.persistent_congestion(now);
        }
    }

    /// The newest ACK contained marks.
    pub(crate) fn marked(&mut self, now: Time) {
        self.advance(now);
        let newest = LostPacket {
            tx: self.usage.newest_acked.0,
            sent_at: self.usage.newest_acked.1,
            ..LostPacket::default()
        };
        self.log.counters.marked_acks += 1;
        // If a mark also required the reduction, the reduction is not undone.
        self.recovery.can_be_spurious = false;
        let answers_each = self.controller.answers_each_mark();
        if self.recovery.since.is_some() || (newest.tx < self.recovery.reduced_at && !answers_each) {
            return;
        }
        let before = self.control.cwnd;
        let event = Loss {
            trigger: LossTrigger::Ecn,
            episode: self.recovery.episode + 1,
            in_flight_before: Bytes::new(self.book.in_flight),
            ranges: 0,
            packets: &[newest],
            ..Loss::at(now)
        };
        if self.tell(|controller, control| controller.on_loss(&event, control)) == LossVerdict::LinkError {
            return;
        }
        if self.control.cwnd < before {
            self.log.counters.ecn_cuts += 1;
            self.note(EventKind::Marked);
        }
        self.note_cut(event.episode, before);
        if !answers_each {
            self.begin_recovery(now, true);
        }
    }

    /// Records that the packets of the newest episode were not lost. The library does not report the time, so the time
    /// of the last event is used.
    pub(crate) fn spurious(&mut self) {
        if !std::mem::take(&mut self.recovery.can_be_spurious) {
            return;
        }
        let (now, episode) = (self.now, self.recovery.episode);
        self.log.counters.spurious += 1;
        self.end_recovery(now);
        self.note(EventKind::Spurious);
        self.tell(|controller, control| controller.on_spurious(&Spurious { now, episode }, control));
    }

    /// Records that the largest datagram has `mss` bytes from now on. The library does not report the time, so the time
    /// of the last event is used.
    pub(crate) fn set_mss(&mut self, mss: u32) {
        if mss == self.mss {
            return;
        }
        self.mss = mss;
        let event = NewMss { now: self.now, mss };
        self.note(EventKind::Mss(mss));
        self.tell(|controller, control| controller.on_mss(&event, control));
    }

    /// Records that packets left the flight, where the library does not report whether they arrived (s2n-quic:
    /// discarded keys).
    #[cfg_attr(not(feature = "s2n"), expect(dead_code, reason = "only s2n-quic reports this"))]
    pub(crate) fn forget(&mut self, bytes: u64) {
        self.book.in_flight = self.book.in_flight.saturating_sub(bytes);
    }

    /// Counts a packet that the library reported as acknowledged or lost, but that the book does not contain.
    pub(crate) const fn count_unknown(&mut self) {
        self.log.counters.unknown += 1;
    }

    /// Sets the time to `now`: fires timers that are due, and passes announced changes to the controller.
    pub(crate) fn advance(&mut self, now: Time) {
        self.now = self.now.max(now);
        for id in 0..self.control.timers.len() {
            if self.control.timers[id].take_if(|at| *at <= now).is_some() {
                self.tell(|controller, control| controller.on_timer(&TimerFired { now, id }, control));
            }
        }
        if self.hearing.as_ref().is_some_and(|hearing| hearing.hints.announced() != hearing.heard) {
            self.hear(now);
        }
    }

    // ---- queries of the library and of the watch ------------------------------------------------------------------

    pub(crate) const fn control(&self) -> &Control {
        &self.control
    }

    pub(crate) const fn initial_window(&self) -> u64 {
        self.initial
    }

    #[cfg_attr(not(feature = "s2n"), expect(dead_code, reason = "only s2n-quic needs it from the driver"))]
    pub(crate) const fn in_flight(&self) -> u64 {
        self.book.in_flight
    }

    #[cfg_attr(not(feature = "s2n"), expect(dead_code, reason = "only s2n-quic needs it from the driver"))]
    pub(crate) const fn srtt(&self) -> Option<Span> {
        self.book.srtt
    }

    #[cfg_attr(not(feature = "s2n"), expect(dead_code, reason = "only s2n-quic needs it from the driver"))]
    pub(crate) const fn mss(&self) -> u32 {
        self.mss
    }

    /// Returns whether a recovery began at exactly `now`.
    #[cfg_attr(not(feature = "s2n"), expect(dead_code, reason = "only s2n-quic calls it"))]
    pub(crate) fn has_reduced(&self, now: Time) -> bool {
        self.recovery.since == Some(now)
    }

    pub(crate) fn state(&self) -> State {
        State {
            control: self.control.clone(),
            mss: self.mss,
            in_flight: Bytes::new(self.book.in_flight),
            rtt: self.book.rtt,
            srtt: self.book.srtt,
            min_rtt: self.book.min_rtt,
            round: self.book.round,
            recovering_since: self.recovery.since,
            episode: self.recovery.episode,
            app_limited: self.usage.app_limited,
            last_number: self.usage.last_sent.map(|(number, _)| number),
            last_sent_at: self.usage.last_sent.map(|(_, at)| at),
            next_timer: self.control.timers.iter().flatten().min().copied(),
        }
    }

    pub(crate) fn brief(&self) -> Brief {
        Brief {
            cwnd: self.control.cwnd,
            mss: self.mss,
            in_flight: Bytes::new(self.book.in_flight),
            rtt_samples: self.book.rtt_samples,
            rtt: self.book.rtt,
            srtt: self.book.srtt,
            sent: self.log.counters.sent.packets,
            last_sent: self.usage.last_sent,
            next_timer: self.control.timers.iter().flatten().min().copied().unwrap_or(Time::MAX),
        }
    }

    pub(crate) const fn counters(&self) -> Counters {
        self.log.counters
    }

    pub(crate) fn snapshot(&self) -> Snapshot {
        let mut numbers = Snapshot::new();
        self.controller.snapshot(&mut numbers);
        numbers
    }

    pub(crate) fn take_events(&mut self, events: &mut Vec<Event>) {
        events.append(&mut self.log.events);
    }

    pub(crate) const fn record_events(&mut self, recording: bool) {
        self.log.recording = recording;
    }

    /// Replaces the commands from outside. If a command is withdrawn, the value of the controller applies again.
    pub(crate) fn command(&mut self, overrides: Overrides) {
        overrides.replace(&self.overrides, &mut self.own, &mut self.control);
        self.overrides = overrides;
        overrides.apply(&mut self.control);
    }

    // ---- internal functions ---------------------------------------------------------------------------------------

    /// Calls the controller, and then applies the commands from outside.
    fn tell<T>(&mut self, event: impl FnOnce(&mut dyn Controller, &mut Control) -> T) -> T {
        let phase = self.control.phase;
        let answer = event(self.controller.as_mut(), &mut self.control);
        self.overrides.apply(&mut self.control);
        if self.control.phase != phase {
            self.note(EventKind::Phase(self.control.phase));
        }
        answer
    }

    fn note(&mut self, kind: EventKind) {
        if self.log.recording {
            self.log.events.push(Event { at: self.now, kind });
        }
    }

    /// If the window is smaller than `before`, counts a cut for this episode, unless a cut was already counted. BBR and
    /// Rapid Start lower the window in many steps for one episode.
    fn note_cut(&mut self, episode: u32, before: Bytes) {
        let after = self.control.cwnd;
        if after < before && self.log.cut_for != Some(episode) {
            self.log.cut_for = Some(episode);
            self.log.counters.cuts += 1;
            self.note(EventKind::Cut { before, after });
        }
    }

    /// Records whether the application had nothing to send before this ACK.
    fn note_application(&mut self, now: Time, limited: bool) {
        let usage = &mut self.usage;
        if limited && usage.app_limited_since.is_none() {
            let last_sent_at = usage.last_sent.map_or(now, |(_, at)| at);
            usage.app_limited_since = Some(last_sent_at.max(usage.last_ack_at));
        }
        if limited && !std::mem::replace(&mut usage.app_limited, limited) {
            self.note(EventKind::AppLimited);
            let event = Limited { now, by: Limit::Application };
            self.tell(|controller, control| controller.on_limited(&event, control));
        }
    }

    /// Returns whether the window limited sending in the round trip that ends with this ACK. In slow start, half of the
    /// window is enough (Linux, `tcp_is_cwnd_limited()`). A paced window is full only at the end of a round trip.
    fn is_window_limited(&self, newest: &Record) -> bool {
        let slow_start = self.control.ssthresh.is_none_or(|ssthresh| self.control.cwnd < ssthresh);
        let peak = self.usage.peaks[0].max(self.usage.peaks[1]);
        newest.tx < self.usage.full_until || (slow_start && self.control.cwnd.get() < 2 * peak)
    }

    /// Reports losses to the controller. Either all or none of the packets were sent after the newest reduction.
    fn report(&mut self, now: Time, packets: &[LostPacket], numbers: &[u64], new_episode: bool) {
        if packets.is_empty() {
            return;
        }
        let lost: u64 = packets.iter().map(|packet| u64::from(packet.bytes)).sum();
        self.book.lost += lost;
        let before = self.control.cwnd;
        let gaps = packets.windows(2).filter(|pair| pair[1].tx != pair[0].tx + 1).count();
        let event = Loss {
            lost: Bytes::new(lost),
            new_episode,
            episode: self.recovery.episode + u32::from(new_episode),
            in_flight_before: Bytes::new(self.book.in_flight),
            ranges: 1 + gaps as u32,
            packets,
            ..Loss::at(now)
        };
        let events = self.log.events.len();
        let verdict = self.tell(|controller, control| controller.on_loss(&event, control));
        self.book.in_flight = self.book.in_flight.saturating_sub(lost);
        if verdict == LossVerdict::LinkError {
            self.log.counters.link_errors += packets.len() as u64;
        }
        if self.log.recording {
            let losses = packets.iter().zip(numbers).enumerate().map(|(index, (packet, &number))| {
                let verdict = (new_episode && index == 0).then_some(verdict);
                let LostPacket { tx, bytes, sent_at, .. } = *packet;
                Event { at: now, kind: EventKind::Loss { number, tx, bytes, sent_at, verdict } }
            });
            // Loss events must precede the change of phase that they caused.
            self.log.events.splice(events..events, losses);
        }
        self.note_cut(event.episode, before);
        if verdict == LossVerdict::Congestion && new_episode {
            self.log.counters.episodes += 1;
            self.begin_recovery(now, false);
        }
    }

    fn persistent_congestion(&mut self, now: Time) {
        let before = self.control.cwnd;
        self.log.counters.persistent_congestions += 1;
        self.tell(|controller, control| controller.on_persistent_congestion(now, control));
        self.note(EventKind::PersistentCongestion { before, after: self.control.cwnd });
        // RFC 9002, appendix B.8: congestion_recovery_start_time = 0. An acknowledgement of a packet that is sent from
        // now on ends the recovery.
        self.recovery.since = self.recovery.since.or(Some(now));
        (self.recovery.reduced_at, self.recovery.is_over) = (self.book.next_tx, true);
    }

    fn begin_recovery(&mut self, now: Time, marked: bool) {
        self.recovery = Recovery {
            episode: self.recovery.episode + 1,
            reduced_at: self.book.next_tx,
            since: Some(now),
            is_over: false,
            marked,
            can_be_spurious: !marked,
        };
    }

    /// Ends a recovery, because it is complete or was not necessary.
    fn end_recovery(&mut self, now: Time) {
        if let Some(since) = self.recovery.since.take() {
            let longest = &mut self.log.counters.longest_recovery;
            *longest = (*longest).max(now.since(since));
            self.note(EventKind::Recovered);
        }
        (self.recovery.is_over, self.recovery.marked) = (false, false);
    }

    #[cold]
    fn hear(&mut self, now: Time) {
        let Some(hearing) = &mut self.hearing else { return };
        let mut news = std::mem::take(&mut hearing.news);
        hearing.heard = hearing.hints.changes_since(hearing.heard, &mut news);
        for change in news.drain(..) {
            let change = PathChange { now, ..change };
            self.note(EventKind::Path { kind: change.kind, at: change.at });
            self.tell(|controller, control| controller.on_path(&change, control));
        }
        if let Some(hearing) = &mut self.hearing {
            hearing.news = news;
        }
    }
}
