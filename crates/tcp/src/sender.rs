// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sending half: what may leave (`transmit`), what an acknowledgement means (`ack`), what is lost (`loss`),
//! and how the connection comes to be (`setup`).

mod ack;
pub mod ecn;
mod loss;
mod messages;
mod ns2;
mod persist;
mod relay;
mod setup;
#[cfg(test)]
mod tests;
mod transmit;
mod tso;

use crate::event::{Event, SenderStats};
use crate::pacing::Pacer;
use crate::probing::Probing;
use crate::rate::RateSampler;
use crate::recovery::{Release, again::LostAgain, rack::Rack, undo::Undo};
use crate::rtt::RttEstimator;
use crate::scoreboard::Scoreboard;
use crate::{Config, Recovery, Repair, Setup, Timeouts, Transfer};
use control::{
    AckedPacket, Control, Controller, Ephemeris, Limit, LostPacket, PathChange, Signals, Snapshot,
};
use setup::Opening;
use std::sync::Arc;
use units::{Bytes, Span, Time};

/// Signals of a sender that is created with an ephemeris, if the engine announces path changes.
const PATH_SIGNALS: Signals = Signals::PROPAGATION.and(Signals::PATH_CHANGE);
/// The most bytes in flight, whatever a controller's window says: no receiver can open more (RFC 7323, section 2.3).
const MOST_IN_FLIGHT: u64 = 1 << 30;

/// The sending half of a TCP connection with its congestion controller.
///
/// Call [`Sender::poll_transmit`] until it returns `None` after each of `start`, `handle` and `handle_timeout`.
/// [`Config::platform`] says which signals a controller gets; one that requires more must be refused before.
pub struct Sender {
    config: Config,
    sizes: Sizes,
    controller: Box<dyn Controller>,
    control: Control,
    path: Option<Arc<dyn Ephemeris>>,
    uses: Signals,
    /// Signals of the network's routers.
    from_network: Signals,
    /// `control.cwnd` in whole segments, no more than can be in flight, and what it was computed from.
    window: (u64, Bytes),
    /// The receiver's stamp on the newest ACK, to be echoed.
    stamp: u8,

    board: Scoreboard,
    rtt: RttEstimator,
    rates: RateSampler,
    pacer: Pacer,
    /// With segmentation offload: the burst that is leaving.
    burst_of: Option<tso::Burst>,
    usage: WindowUsage,

    mode: Mode,
    /// When the recovery began that goes on now, and the smoothed RTT then.
    recovery_began: Option<(Time, Option<Span>)>,
    /// Everything below was sent before the newest episode began.
    recover: u64,
    /// Number of the newest episode.
    episode: u32,
    /// First transmission after the newest reduction: what is lost of those before it was lost with it.
    reduced_at: u64,
    /// Segments that the acknowledgement of now newly covers.
    newly: u64,
    /// First loss beyond `recover` while the episode lasts: the next one, if it is not repaired with it.
    late: Option<(u64, LostPacket)>,
    ns2: Option<Box<ns2::Ns2>>,
    probing: Probing,
    undo: Undo,
    ecn: ecn::EcnSender,
    /// Where the window alone does not say what may leave.
    release: Option<Release>,
    rack: Rack,
    /// Which repairs are lost, too: TCP-Linux alone asks.
    again: Option<Box<LostAgain>>,
    tail: TailProbe,
    /// Without SACK: duplicate ACKs in a row and the segments that they let out beyond the window.
    duplicates: u32,
    inflation: i64,
    /// NewReno: the timer was restarted by the first partial acknowledgement.
    partial_seen: bool,
    /// To be sent next, whatever the window says.
    forced: Option<Forced>,
    persist: persist::Persist,
    timeouts_in_a_row: u32,

    /// SACK blocks of the last ACK, as they came.
    last_blocks: [[u32; 2]; 3],
    /// The receiver takes segments below this.
    receive_limit: u64,
    next_tx: u64,
    last_sent_at: Time,
    idle_since: Time,
    limited: Option<Limit>,
    /// Since when.
    limited_since: Time,

    rto_at: Time,
    reorder_at: Time,
    blocked_until: Time,

    stage: Stage,
    opening: Opening,
    /// When the connection began, and with which segment.
    began: (Time, u64),
    /// The application has closed, and what waited then goes with FIN.
    closed: bool,
    completed_at: Option<Time>,
    last_rtt: Option<Span>,
    stats: SenderStats,
    events: Vec<Event>,
    recording: bool,
    found: Found,
    packets: Vec<AckedPacket>,
}

/// What the sender is repairing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Nothing, or link errors only.
    Open,
    /// Nothing, but a mark has lowered the window (Linux's CWR).
    Reduction,
    /// A loss episode.
    Recovery,
    /// A retransmission timeout.
    Timeout,
}

/// Whether data may leave: not before `Running`, no new data afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    /// Not started, or stopped before it was established.
    Created,
    /// SYN-SENT.
    Opening,
    /// An ACK for the SYN-ACK leaves first.
    Answered,
    Running,
    Stopped,
}

/// A segment that leaves whatever the window says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Forced {
    /// Fast retransmit, or a tail loss probe of old data.
    Repair(u64),
    /// A tail loss probe of new data.
    New,
}

/// How long segments are.
#[derive(Clone, Debug)]
struct Sizes {
    mss: u32,
    /// One above the last segment, that of a FIN without data included; of a proxy, above the last that has come to it.
    end: u64,
    /// One above the last segment with data, and its length.
    data_end: u64,
    last_len: u32,
    /// The first segment, and its length if it is not the last: with Fast Open, what fits into a SYN.
    first: (u64, u32),
    /// The segment with FIN, or with the SYN if that is one of them ([`Setup::Ns2Linux`]); [`u64::MAX`]: none.
    control: u64,
    /// What an application writes piece by piece; then no segment counts as full before it was looked up.
    messages: Option<Box<messages::Messages>>,
}

impl Sizes {
    fn new(config: &Config, first: u64, transfer: Transfer) -> Self {
        let mss = config.mss;
        let room = if config.syn_room() > 0 { config.syn_room() } else { mss };
        // It counts for a full one, as in ns-2, which counts packets.
        let syn = config.setup == Setup::Ns2Linux;
        match transfer {
            Transfer::Endless => {
                let (end, control) = (u64::MAX, if syn { first } else { u64::MAX });
                Self { mss, end, data_end: end, last_len: mss, first: (first, room), control, messages: None }
            }
            Transfer::Finite(bytes) => {
                let rest = bytes.get().saturating_sub(room.into());
                let more = rest.div_ceil(mss.into());
                let last_len =
                    if more > 0 { rest - (more - 1) * u64::from(mss) } else { bytes.get().min(room.into()) };
                let segments = more + u64::from(bytes.get() > 0) + u64::from(syn);
                let control = match config.setup {
                    Setup::None | Setup::Ns2 => u64::MAX,
                    Setup::Handshake | Setup::FastOpen => (first + segments).wrapping_sub(1),
                    Setup::Ns2Linux => first,
                };
                let first_len = if more > 0 { room } else { mss };
                let (end, last_len) = (first + segments, last_len as u32);
                Self { mss, end, data_end: end, last_len, first: (first, first_len), control, messages: None }
            }
        }
    }
    #[inline]
    fn len(&self, seq: u64) -> u32 {
        if self.are_full(seq, seq + 1) { self.mss } else { self.len_at_an_end(seq) }
    }
    #[cold]
    fn len_at_an_end(&self, seq: u64) -> u32 {
        if let Some(messages) = &self.messages {
            return messages.len(seq, self.mss);
        }
        match seq {
            _ if seq >= self.data_end => 0,
            _ if seq + 1 == self.data_end => self.last_len,
            _ if seq == self.first.0 => self.first.1,
            _ => self.mss,
        }
    }
    /// Bytes of the segments `[from, to)`.
    #[inline]
    fn bytes(&self, from: u64, to: u64) -> u64 {
        let full = (to - from) * u64::from(self.mss);
        if self.are_full(from, to) { full } else { full - self.short_of(from, to) }
    }
    /// Whether neither the first segment nor the last is among `[from, to)`.
    #[inline]
    fn are_full(&self, from: u64, to: u64) -> bool {
        from > self.first.0 && to < self.data_end
    }
    /// Bytes that the first segment and the last lack.
    #[cold]
    fn short_of(&self, from: u64, to: u64) -> u64 {
        if let Some(messages) = &self.messages {
            return messages.lack(from, to, self.mss);
        }
        let (first, first_len) = self.first;
        let mut short = if self.data_end <= to { self.short_at_end(from, to) } else { 0 };
        if from <= first && first < to {
            short += self.mss - first_len;
        }
        short.into()
    }
    /// What the last segments of `[from, to)` lack; `to` is at the end of the data or above.
    fn short_at_end(&self, from: u64, to: u64) -> u32 {
        let last = if from < self.data_end { self.mss - self.last_len } else { 0 };
        last + if from <= self.data_end && self.data_end < to { self.mss } else { 0 }
    }
    /// The application closes when all data have left: FIN is a segment of its own behind them.
    fn append_fin(&mut self) {
        self.control = self.data_end;
        self.end = self.data_end + 1;
    }
}

/// How far the window was used (Linux, `tcp_cwnd_validate()`).
#[derive(Clone, Copy, Debug, Default)]
struct WindowUsage {
    limited: bool,
    max_outstanding: u64,
    until: u64,
}

/// Tail loss probe (RFC 8985, section 7).
#[derive(Clone, Copy, Debug)]
struct TailProbe {
    /// PTO.
    due: Time,
    /// TLP.end_seq.
    end: Option<u64>,
    /// TLP.is_retrans: the segment that was sent again.
    repeated: Option<LostPacket>,
    /// The RTT was measured since the last probe (by its handshake, when the connection starts).
    sampled: bool,
}

impl TailProbe {
    /// None is due and none in flight (section 7.1).
    const NONE: Self = Self { due: Time::MAX, end: None, repeated: None, sampled: true };

    /// A recovery begins (section 7.1).
    const fn reset(&mut self) {
        (self.due, self.end, self.repeated) = (Time::MAX, None, None);
    }
}

/// Losses found by one event; reused.
#[derive(Debug, Default)]
struct Found {
    seqs: Vec<u64>,
    packets: Vec<LostPacket>,
}

impl Sender {
    /// A sender that starts with segment 0. The controller speaks first in [`Sender::start`].
    pub fn new(
        config: Config,
        controller: Box<dyn Controller>,
        transfer: Transfer,
        path: Option<Arc<dyn Ephemeris>>,
    ) -> Self {
        Self::starting_at(0, config, controller, transfer, path)
    }

    /// A sender whose first segment has the number `first` (the receiver must be told the same).
    pub fn starting_at(
        first: u64,
        config: Config,
        controller: Box<dyn Controller>,
        transfer: Transfer,
        path: Option<Arc<dyn Ephemeris>>,
    ) -> Self {
        let initial = Bytes::new(u64::from(config.initial_window) * u64::from(config.mss));
        let uses = controller.uses() | controller.requires();
        let mut config = config;
        // What a probe delivers looks like a repair that was not needed: with probes nothing is undone.
        config.undo &= !uses.contains(Signals::PROBE);
        Self {
            sizes: Sizes::new(&config, first, transfer),
            control: Control::new(initial),
            window: (config.initial_window.into(), initial),
            stamp: 0,
            board: Scoreboard::new(first),
            rtt: RttEstimator::new(&config),
            rates: RateSampler::default(),
            pacer: Pacer::default(),
            burst_of: config.tso.then(tso::Burst::default),
            usage: WindowUsage::default(),
            mode: Mode::Open,
            recovery_began: None,
            recover: first,
            episode: 0,
            reduced_at: 0,
            newly: 0,
            late: None,
            ns2: (config.timeouts == Timeouts::Ns2).then(Box::default),
            probing: Probing::default(),
            undo: Undo::default(),
            ecn: ecn::EcnSender::new(&config, controller.as_ref()),
            release: None,
            rack: Rack::default(),
            again: (config.repair == Repair::RateHalving).then(Box::default),
            tail: TailProbe::NONE,
            duplicates: 0,
            inflation: 0,
            partial_seen: false,
            forced: None,
            persist: persist::Persist::default(),
            timeouts_in_a_row: 0,
            last_blocks: [[0; 2]; 3],
            receive_limit: first + u64::from(config.window_segments()),
            next_tx: 0,
            last_sent_at: Time::MAX,
            idle_since: Time::ZERO,
            limited: None,
            limited_since: Time::ZERO,
            rto_at: Time::MAX,
            reorder_at: Time::MAX,
            blocked_until: Time::MAX,
            stage: Stage::Created,
            opening: Opening::default(),
            began: (Time::ZERO, first),
            closed: false,
            completed_at: None,
            last_rtt: None,
            stats: SenderStats::default(),
            events: Vec::new(),
            recording: false,
            found: Found::default(),
            packets: Vec::new(),
            config,
            controller,
            path,
            uses,
            from_network: Signals::NONE,
        }
    }

    /// The network gives these signals besides (congestion warnings); before the start.
    pub fn also_provides(&mut self, signals: Signals) {
        self.from_network = signals;
    }

    /// The path changes, or will: told to the controller.
    pub fn path_changed(&mut self, change: &PathChange) {
        self.tell(change.now, |controller, control| controller.on_path(change, control));
    }

    /// A timer is due. Calls before [`Sender::next_timeout`] change nothing.
    pub fn handle_timeout(&mut self, now: Time) {
        self.events.clear();
        self.newly = 0;
        if self.blocked_until <= now {
            self.blocked_until = Time::MAX;
        }
        for id in 0..self.control.timers.len() {
            if self.control.timers[id].is_some_and(|at| at <= now) {
                self.control.timers[id] = None;
                let event = control::TimerFired { now, id };
                self.tell(now, |controller, control| controller.on_timer(&event, control));
            }
        }
        if self.reorder_at <= now {
            self.detect_losses(now);
        }
        if self.tail.due <= now {
            self.probe_tail(now);
        } else if self.rto_at <= now {
            self.time_out(now);
        }
    }

    /// When [`Sender::handle_timeout`] must be called next; [`Time::MAX`] for never.
    pub fn next_timeout(&self) -> Time {
        let [a, b] = self.control.timers;
        let timers = a.unwrap_or(Time::MAX).min(b.unwrap_or(Time::MAX));
        let due = self.rto_at.min(self.reorder_at).min(self.tail.due).min(self.blocked_until).min(timers);
        due.min(self.probe_due())
    }

    /// Calls the controller and obeys what stands in its block afterwards.
    fn tell<R>(&mut self, now: Time, call: impl FnOnce(&mut dyn Controller, &mut Control) -> R) -> R {
        let phase = self.control.phase;
        let answer = call(self.controller.as_mut(), &mut self.control);
        self.obey(now);
        self.note_phase(phase);
        answer
    }

    /// Keeps the window in whole segments beside the one in bytes, and takes the request for probes.
    fn obey(&mut self, now: Time) {
        if let Some(request) = self.control.probes.take() {
            self.probing.request(now, request);
        }
        if self.control.cwnd != self.window.1 {
            let most = self.control.cwnd.get().min(MOST_IN_FLIGHT);
            self.window = (most / u64::from(self.config.mss), self.control.cwnd);
        }
    }

    fn complete_if_done(&mut self, now: Time) {
        if self.completed_at.is_none() && self.board.una() >= self.sizes.data_end {
            self.completed_at = Some(now);
            if self.recording {
                self.events.push(Event::Complete);
            }
        }
    }

    /// Whether holes are being repaired.
    fn is_repairing(&self) -> bool {
        matches!(self.mode, Mode::Recovery | Mode::Timeout)
    }

    /// Whether the receiver reports selectively.
    fn selective(&self) -> bool {
        matches!(self.config.recovery, Recovery::Sack | Recovery::RackTlp)
    }

    fn bytes_of(&self, segments: u64) -> Bytes {
        Bytes::new(segments * u64::from(self.config.mss))
    }

    /// What the controller commands.
    pub fn control(&self) -> &Control {
        &self.control
    }
    /// Counters.
    pub fn stats(&self) -> &SenderStats {
        &self.stats
    }
    /// The recovery that took the most round trips, how long and how many, as in [`SenderStats`], the one that goes on
    /// at `now` included.
    pub fn longest_recovery(&self, now: Time) -> (Span, f64) {
        let longest = (self.stats.longest_recovery, self.stats.longest_recovery_rtts);
        let Some((began, srtt)) = self.recovery_began else { return longest };
        let lasts = now.since(began);
        // Between a host and a proxy beside it nothing takes time.
        let rtts = srtt.map_or(0.0, |srtt| lasts.secs_f64() / srtt.max(Span::from_micros(1)).secs_f64());
        if (longest.1, longest.0) < (rtts, lasts) { (lasts, rtts) } else { longest }
    }
    /// Named numbers of the controller's inner state.
    pub fn snapshot(&self, out: &mut Snapshot) {
        self.controller.snapshot(out);
    }
    /// Smoothed RTT.
    pub fn srtt(&self) -> Option<Span> {
        self.rtt.srtt()
    }
    /// The smallest RTT since data flow.
    pub fn min_rtt(&self) -> Option<Span> {
        self.rtt.min()
    }
    /// RTTVAR of RFC 6298; `None` before the first sample.
    pub fn rtt_variation(&self) -> Option<Span> {
        self.rtt.variation()
    }
    /// RTT sample of the last [`Sender::handle`].
    pub fn rtt_sample(&self) -> Option<Span> {
        self.last_rtt
    }
    /// Segments presumed to be in the network.
    pub fn in_flight_segments(&self) -> u64 {
        self.board.pipe()
    }
    /// How long the application has limited sending until `now`, or until the transfer was complete.
    pub fn app_limited_time(&self, now: Time) -> Span {
        let end = self.completed_at.unwrap_or(now);
        let running = match self.limited {
            Some(Limit::Application) => end.since(self.limited_since),
            _ => Span::ZERO,
        };
        Span::from_nanos(self.stats.app_limited_ns) + running
    }
    /// Whether a finite transfer is acknowledged to its last byte.
    pub fn is_complete(&self) -> bool {
        self.completed_at.is_some()
    }
    /// When it was.
    pub fn completed_at(&self) -> Option<Time> {
        self.completed_at
    }
    /// Records cuts, timeouts, phases and the like besides losses.
    pub fn record_events(&mut self, yes: bool) {
        self.recording = yes;
    }
    /// What has happened since the beginning of the last `handle` or `handle_timeout`; cleared by the next one.
    pub fn events(&mut self) -> std::vec::Drain<'_, Event> {
        self.events.drain(..)
    }
}
