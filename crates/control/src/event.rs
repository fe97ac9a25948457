// SPDX-License-Identifier: MIT OR Apache-2.0
//! The events that a controller receives: one struct per event.
//!
//! Unknown values are `None`, never zero. Transmission numbers (`tx`) are counted per connection and never reused: a
//! retransmission is a new transmission (QUIC's packet number; TCP platforms keep a counter of their own).
//!
//! An *episode* is the set of losses that one reduction answers. A loss of a packet that was sent after the reduction
//! begins the next episode, at most once in a round trip (QUIC's rule, RFC 9002, section 7.3.2). The packet may be a
//! retransmission.
//!
//! - TCP with RACK reports the next episode at once, while the recovery continues. With SACK alone it waits for the
//!   end of the recovery (RFC 6675).
//! - A controller that owns recovery gets one episode for each recovery.
//! - `on_recovery_exit` is called once, when everything is repaired.
//! - An undo concerns the newest episode, and restores the state before its reduction.
//! - Linux reports no second episode during a recovery with PRR. RFC 8985, section 9.3, can be read to allow that;
//!   RFC 5681, section 4.3, cannot.
//!
//! When the segment size changes, a window keeps its bytes (RFC 8899, section 3) with at least two new segments (RFC
//! 9002, section 7.2). Settings in segments then mean segments of the new size.
//!
//! # Platforms without cumulative acknowledgements
//!
//! TCP acknowledges all data up to a number, QUIC each packet by its own number. On a platform of the second kind
//! ([`Platform::DATAGRAMS`](crate::Platform::DATAGRAMS)) [`Ack::cumulative`] and [`Ack::duplicate`] are `None`, and
//! [`Ack::advance`] is the amount that the ACK newly acknowledges. Windows grow by that amount in slow start and in
//! congestion avoidance (RFC 9002, section 7.3.1 and appendix B.5). These parts use the two fields, or without
//! cumulative ACKs a replacement:
//!
//! - Growth of every window rule, and of Prague's rate: on an ACK that advances (RFC 5681, section 3.1; Linux,
//!   `tcp_may_raise_cwnd`). Replacement: an ACK of new data (RFC 9002, appendix B.5).
//! - Round trips of Linux's Vegas and Illinois: end with an ACK that advances (`tcp_vegas_cong_avoid`). Replacement: an
//!   ACK of new data.
//! - Segments per ACK of Linux's BIC, CUBIC and Illinois: the advance (`pkts_acked`). Replacement: the newly
//!   acknowledged amount.
//! - Segments per ACK of Westwood and Jersey (`AckedCount`): a duplicate is one, and the next advance counts the rest.
//!   Replacement: the newly acknowledged amount, which is exact.
//! - RTT samples during a recovery in Linux's twins: whole milliseconds, from timestamps. Replacement: the sample,
//!   because a number is sent once (RFC 9002, section 4.2).
//! - A hole before its loss is known ([`Ack::shows_hole`], Veno): a duplicate or selective ACK. Replacement: none; the
//!   loss itself is the first sign.
//!
//! No controller of the catalogue requires cumulative ACKs. A controller that does declares [`Signals::CUMULATIVE_ACK`]
//! and is refused on such a platform.
//!
//! # Persistent congestion
//!
//! Datagram platforms probe when a timer expires (RFC 9002, section 6.2) and presume nothing lost: they do not send
//! [`Timeout`]. They call [`Controller::on_persistent_congestion`](crate::Controller::on_persistent_congestion)
//! instead, when every packet of a long enough period was declared lost (RFC 9002, section 7.6). The call comes after
//! the [`Loss`] that establishes it, whatever the verdict on that loss was, and has no packets of its own. The present
//! repair is then over: ACKs that follow are not [`in_recovery`](Ack::in_recovery) (appendix B.8,
//! `congestion_recovery_start_time = 0`), and `on_recovery_exit` comes when something sent afterwards is acknowledged.
//! TCP never makes this call. The answers:
//!
//! - Rules of [`loss_based`](crate::loss_based): W = min(W, 2), the minimum window (RFC 9002, sections 7.2 and 7.6.2).
//!   The threshold stays where the losses put it, slow start continues at once, and the rule forgets what it forgets at
//!   a timeout. An undo of the losses restores the state before them. Of these rules LEDBAT, which has no slow start,
//!   and Peach, Peach+ and Cherry, which follow with a Sudden Start, also set the threshold to 2, as after a timeout.
//! - The handover verdict (StarQUIC): no reaction within the window around a handover, as at a timeout: a link error.
//! - Careful Resume ends (RFC 9959, section 3.6).
//! - BBRv1, LeoCC and BBRv3: W = min(W, 4), BBR's own minimum (`BBRMinPipeCwnd`; msquic's BBR does the same), until
//!   recovery ends with the window that was saved. The model is unchanged.
//! - Copa: W = min(W, 2) and slow start, as at a timeout.
//! - Vivace has no window. By the paper's rules the rate is halved, as at a timeout (section 4.3). By those of
//!   PCC-Uspace the losses count in the utility, and nothing else happens.

use crate::Signals;
use units::{Bytes, Rate, Span, Time};

/// The connection starts.
#[derive(Clone, Debug)]
pub struct Start {
    /// When.
    pub now: Time,
    /// Payload bytes of a full segment.
    pub mss: u32,
    /// Initial window in segments.
    pub initial_window: u32,
    /// The signals this platform gives.
    pub provided: Signals,
    /// What is known of the path beforehand.
    pub path: PathState,
    /// State saved from an earlier connection (Careful Resume, RFC 9959).
    pub saved: Option<SavedPath>,
    /// Round trip of the exchange that opened the connection; `None` if there was none. It also seeds SRTT; the
    /// smallest RTT counts data only.
    pub rtt: Option<Span>,
    /// Seed for a controller's random choices (BBR's phase). The platform sets it, so that a run can be repeated.
    pub seed: u64,
}

impl Start {
    /// A connection of `initial_window` segments of `mss` bytes on a platform without signals or knowledge of the path.
    pub const fn new(mss: u32, initial_window: u32) -> Self {
        let path = PathState { propagation_rtt: None, distance_m: None, capacity: None, hops: None };
        let (provided, saved, rtt) = (Signals::NONE, None, None);
        Self { now: Time::ZERO, mss, initial_window, provided, path, saved, rtt, seed: 0 }
    }
}

/// What is known about the path from outside the connection (ephemeris, configuration).
#[derive(Clone, Copy, Debug, Default, PartialEq, saved::Plain)]
pub struct PathState {
    /// Propagation delay of the whole round trip, without serialisation and queueing.
    pub propagation_rtt: Option<Span>,
    /// Great-circle distance between the endpoints in metres.
    pub distance_m: Option<f64>,
    /// Rate of the slowest link.
    pub capacity: Option<Rate>,
    /// Links on the forward path.
    pub hops: Option<u32>,
}

/// A path remembered from an earlier connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub struct SavedPath {
    /// Capacity seen: bytes acknowledged in one round trip.
    pub cwnd: Bytes,
    /// Smallest RTT seen.
    pub rtt: Span,
    /// How old the observation is.
    pub age: Span,
}

/// What a transmission carries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub enum PacketKind {
    /// New data.
    #[default]
    Data,
    /// Data sent before.
    Retransmission,
    /// A low-priority probe (dummy, NIL or supplement segment).
    Probe,
}

/// A packet left the sender. Delivered only to controllers that need [`Signals::SENT`].
#[derive(Clone, Copy, Debug)]
pub struct Sent {
    /// When.
    pub now: Time,
    /// Transmission number.
    pub tx: u64,
    /// Payload bytes.
    pub bytes: u32,
    /// What it carries.
    pub kind: PacketKind,
    /// Bytes in flight with this packet.
    pub in_flight: Bytes,
    /// Whether the flow had been idle (nothing in flight) before this packet.
    pub after_idle: bool,
}

/// One delivery-rate sample (draft-ietf-ccwg-bbr, "Delivery Rate Sampling").
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RateSample {
    /// Bytes delivered over `interval`.
    pub delivered: Bytes,
    /// max(send elapsed, ack elapsed).
    pub interval: Span,
    /// Connection's `delivered` when the acknowledged packet was sent.
    pub prior_delivered: Bytes,
    /// Bytes in flight when the acknowledged packet was sent, itself included.
    pub tx_in_flight: Bytes,
    /// Bytes lost between that packet's sending and now.
    pub lost: Bytes,
    /// The application limited the rate while the sample was taken.
    pub app_limited: bool,
}

impl RateSample {
    /// The delivery rate in bytes/s; `None` for an empty interval.
    pub fn bytes_per_s(&self) -> Option<f64> {
        (self.interval > Span::ZERO).then(|| self.delivered.get() as f64 / self.interval.secs_f64())
    }
}

/// One packet that an acknowledgement newly covers, in the order of sending.
#[derive(Clone, Copy, Debug, Default, saved::Plain)]
pub struct AckedPacket {
    /// Transmission number of its newest transmission.
    pub tx: u64,
    /// Payload bytes.
    pub bytes: u32,
    /// What that transmission carried.
    pub kind: PacketKind,
    /// When that transmission was sent.
    pub sent_at: Time,
    /// Propagation RTT of the path when it was sent.
    pub propagation_rtt: Option<Span>,
}

/// An acknowledgement arrived and was accounted for; losses that it reveals follow as [`Loss`].
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about one ACK, each named")]
pub struct Ack<'a> {
    /// When.
    pub now: Time,
    /// Bytes that this acknowledgement newly covers, cumulatively or selectively.
    pub acked: Bytes,
    /// Bytes by which the cumulative acknowledgement advanced; `None` on a platform without cumulative ACKs.
    pub cumulative: Option<Bytes>,
    /// No cumulative advance and data outstanding (a duplicate ACK); `None` on a platform without cumulative ACKs.
    pub duplicate: Option<bool>,
    /// RTT sample of the newest acknowledged packet; none from an ambiguous retransmission (Karn).
    pub rtt: Option<Span>,
    /// Smoothed RTT (RFC 6298), including this sample.
    pub srtt: Option<Span>,
    /// Smallest RTT of the connection.
    pub min_rtt: Option<Span>,
    /// How long the receiver says it held the acknowledgement back.
    pub ack_delay: Option<Span>,
    /// One-way delay of the newest acknowledged packet (receiver's clock, arbitrary offset), nanoseconds.
    pub one_way_delay_ns: Option<i64>,
    /// When the newest acknowledged packet was sent.
    pub sent_at: Option<Time>,
    /// Propagation RTT of the path at `sent_at`.
    pub propagation_rtt: Option<Span>,
    /// Total bytes sent, delivered and lost on this connection.
    pub total_sent: Bytes,
    /// Total bytes delivered.
    pub total_delivered: Bytes,
    /// Total bytes declared lost.
    pub total_lost: Bytes,
    /// Delivery-rate sample, if the controller needs it and there is one.
    pub rate: Option<RateSample>,
    /// Bytes in flight before this acknowledgement.
    pub in_flight_before: Bytes,
    /// Bytes in flight after it.
    pub in_flight: Bytes,
    /// Number of the current round trip.
    pub round: u64,
    /// This acknowledgement began that round.
    pub round_start: bool,
    /// A loss episode is being repaired, or a mark (ECN) was answered less than a round trip ago.
    pub in_recovery: bool,
    /// The window, not the application or the receiver, limited sending since the last round began.
    pub cwnd_limited: bool,
    /// The application limited sending when the acknowledged packet was sent.
    pub app_limited: bool,
    /// The receiver's window limits sending.
    pub receiver_limited: bool,
    /// Newly acknowledged bytes that carried an ECN mark: exactly with [`Signals::ECN`], else those of every ACK with ECE.
    pub ce: Bytes,
    /// A router's congestion-warning mark was echoed.
    pub congestion_warning: bool,
    /// Probes newly acknowledged.
    pub probes: u32,
    /// The packets, if the controller needs [`Signals::PER_PACKET`].
    pub packets: &'a [AckedPacket],
    /// Packets arrive later than the time after which they count as lost: selectively acknowledged data grows the
    /// window too (Linux, `tcp_may_raise_cwnd()`).
    pub reordered: bool,
}

impl Ack<'_> {
    /// Bytes by which the acknowledgement advanced: the cumulative advance, or, where no ACK is cumulative, the newly
    /// acknowledged bytes (RFC 9002, appendix B.5: `acked_packet.sent_bytes`).
    pub fn advance(&self) -> Bytes {
        self.cumulative.unwrap_or(self.acked)
    }

    /// Whether a hole precedes the data that it covers: it is a duplicate, or acknowledges selectively (Linux,
    /// `tcp_try_keep_open`: state Disorder). False without cumulative ACKs, where this is not known.
    pub fn shows_hole(&self) -> bool {
        self.duplicate == Some(true) || self.cumulative.is_some_and(|cumulative| self.acked > cumulative)
    }

    /// An empty acknowledgement at `now` of a flow that its window limits, without cumulative ACKs: a base for complete
    /// ones.
    pub const fn at(now: Time) -> Self {
        Self {
            now,
            acked: Bytes::ZERO,
            cumulative: None,
            duplicate: None,
            rtt: None,
            srtt: None,
            min_rtt: None,
            ack_delay: None,
            one_way_delay_ns: None,
            sent_at: None,
            propagation_rtt: None,
            total_sent: Bytes::ZERO,
            total_delivered: Bytes::ZERO,
            total_lost: Bytes::ZERO,
            rate: None,
            in_flight_before: Bytes::ZERO,
            in_flight: Bytes::ZERO,
            round: 0,
            round_start: false,
            in_recovery: false,
            cwnd_limited: true,
            app_limited: false,
            receiver_limited: false,
            ce: Bytes::ZERO,
            congestion_warning: false,
            probes: 0,
            packets: &[],
            reordered: false,
        }
    }
}

/// How a loss was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LossTrigger {
    /// Later packets were acknowledged (duplicate ACKs, SACK, RACK).
    Reordering,
    /// An ECN mark. Nothing is lost; the event is a new episode and asks for a reduction as at a loss (RFC 3168,
    /// section 5) or a smaller one (RFC 8257, RFC 8511). It comes at most once per window of data (more often if the
    /// controller [answers each](crate::Controller::answers_each_mark)) and never during a repair. A controller that
    /// ignores marks answers "link error".
    Ecn,
}

/// One packet declared lost.
#[derive(Clone, Copy, Debug, Default, saved::Plain)]
pub struct LostPacket {
    /// Transmission number.
    pub tx: u64,
    /// Payload bytes.
    pub bytes: u32,
    /// What it carried.
    pub kind: PacketKind,
    /// When it was sent.
    pub sent_at: Time,
    /// Bytes in flight when it was sent, itself included.
    pub tx_in_flight: Bytes,
    /// The connection's total of lost bytes when it was sent.
    pub lost_at_send: Bytes,
}

/// Packets were declared lost.
#[derive(Clone, Debug)]
pub struct Loss<'a> {
    /// When.
    pub now: Time,
    /// How it was found.
    pub trigger: LossTrigger,
    /// Bytes newly declared lost.
    pub lost: Bytes,
    /// First loss of a new episode: the one event to which loss-based controllers react.
    ///
    /// An episode is the set of losses that one reduction answers: all losses of what was sent before it. A loss of
    /// what is sent after the reduction, or of a retransmission, belongs to the next episode (RFC 5681, section 4.3;
    /// RFC 9002, section 7.3.2), so there is at most one for each round trip. An episode may begin while the one before
    /// is still being repaired. If the controller owns recovery, the repair is one episode.
    pub new_episode: bool,
    /// Number of the episode (for [`Spurious`]).
    pub episode: u32,
    /// Bytes in flight before the loss was subtracted.
    pub in_flight_before: Bytes,
    /// Discontiguous ranges among the lost packets.
    pub ranges: u32,
    /// The packets; always at least the first, all of them with [`Signals::PER_PACKET`]. At an ECN mark: the newest
    /// packet that the ACK covers.
    pub packets: &'a [LostPacket],
}

impl Loss<'_> {
    /// A new episode without packets at `now`: a base for complete ones.
    pub const fn at(now: Time) -> Self {
        Self {
            now,
            trigger: LossTrigger::Reordering,
            lost: Bytes::ZERO,
            new_episode: true,
            episode: 1,
            in_flight_before: Bytes::ZERO,
            ranges: 1,
            packets: &[],
        }
    }
}

/// The retransmission timer expired: everything in flight is presumed lost.
#[derive(Clone, Copy, Debug)]
pub struct Timeout {
    /// When.
    pub now: Time,
    /// How many times in a row (1 = first).
    pub consecutive: u32,
    /// Bytes in flight before.
    pub in_flight_before: Bytes,
    /// Number of the episode (for [`Spurious`]).
    pub episode: u32,
}

/// An episode proved spurious (Eifel, DSACK): the packets had not been lost.
#[derive(Clone, Copy, Debug)]
pub struct Spurious {
    /// When.
    pub now: Time,
    /// The episode to undo.
    pub episode: u32,
}

/// What keeps the sender from sending.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum Limit {
    /// The application has nothing to send.
    Application,
    /// The receiver's window is full.
    Receiver,
}

/// The sender became limited by something other than its window.
#[derive(Clone, Copy, Debug)]
pub struct Limited {
    /// When.
    pub now: Time,
    /// By what.
    pub by: Limit,
}

/// The first packet after idling is about to be sent.
#[derive(Clone, Copy, Debug)]
pub struct Idle {
    /// When.
    pub now: Time,
    /// How long nothing was in flight.
    pub idle_for: Span,
}

/// The window was not used for a while, and the platform asks for a smaller one. This happens after a pause (RFC 5681,
/// section 4.1), if the application sends less than the window allows, or if congestion met a window that was not
/// validated (RFC 7661). [`Idle`] follows when sending resumes.
#[derive(Clone, Copy, Debug)]
pub struct Unused {
    /// When.
    pub now: Time,
    /// Upper bound of the new window.
    pub cwnd: Bytes,
    /// Lower bound of the new slow-start threshold, if there is one; `None`: it is unchanged.
    pub ssthresh: Option<Bytes>,
    /// Upper bound of the new slow-start threshold; `None`: no bound.
    pub most: Option<Bytes>,
}

/// What happens to the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum PathKind {
    /// Another satellite serves a ground site.
    Handover,
    /// The route through the constellation changes.
    Reroute,
    /// The rate of a link changes.
    RateChange,
    /// No path exists.
    Outage,
}

/// The path changes or will change.
#[derive(Clone, Copy, Debug, saved::Plain)]
pub struct PathChange {
    /// When the controller is told.
    pub now: Time,
    /// When it happens (equal to `now` when it is happening).
    pub at: Time,
    /// Uncertainty of `at`.
    pub uncertainty: Span,
    /// How long it lasts, where known (an outage).
    pub lasts: Option<Span>,
    /// What happens.
    pub kind: PathKind,
    /// The path after the change.
    pub after: PathState,
}

/// A full segment has another size from now on: the path MTU was found again (RFC 8899; quinn's `on_mtu_update`,
/// Linux's `tcp_sync_mss`).
///
/// The window keeps its bytes. RFC 8899, section 3: a new size "MUST NOT increase the congestion window measured in
/// bytes", and a window that limits a number of packets "SHOULD adapt this limit". The same holds for the threshold and
/// for every amount or rate of data that a controller stores. Two segments of the new size always stay (RFC 9002,
/// section 7.2, minimum window), or one if the window was one (RFC 5681's loss window).
///
/// Settings that are stated in segments (growth of one segment per round trip, CUBIC's C, Vegas's alpha, an initial
/// window of ten) mean segments of the present size. RFC 9002, section 7.2, asks this of the initial window. Its reset
/// of the window to the initial one during the handshake is not implemented.
///
/// Amounts in later events are in bytes as before; packets sent before still have their old size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewMss {
    /// When.
    pub now: Time,
    /// Payload bytes of a full segment from now on, at least 1.
    pub mss: u32,
}

/// A timer of [`Control::timers`](crate::Control::timers) fired.
#[derive(Clone, Copy, Debug)]
pub struct TimerFired {
    /// When.
    pub now: Time,
    /// Which of the timers.
    pub id: usize,
}

/// The geometry of a path as a function of time: known orbits, no measurement.
pub trait Ephemeris: Send + Sync {
    /// The path at `at`, as far as it is known.
    fn path(&self, at: Time) -> PathState;
    /// Propagation RTT alone (called for every packet of a controller that needs it).
    fn propagation_rtt(&self, at: Time) -> Option<Span> {
        self.path(at).propagation_rtt
    }
}
