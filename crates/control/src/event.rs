// SPDX-License-Identifier: MIT OR Apache-2.0
//! The events that a controller receives: one struct per event.
//!
//! Unknown values are `None`, never zero. Transmission numbers (`tx`) are counted per connection and never reused. A
//! retransmission is a new transmission with a new number. (QUIC's packet number has this property. TCP platforms keep
//! a separate counter.)
//!
//! An *episode* is the set of losses that one reduction answers. The next episode begins with the loss of a packet that
//! was sent after the reduction. At most one episode begins per round trip (QUIC's rule, RFC 9002, section 7.3.2). The
//! lost packet may be a retransmission.
//!
//! - TCP with RACK reports the next episode at once, while the recovery continues. TCP with SACK alone reports the next
//!   episode after the end of the recovery (RFC 6675).
//! - A controller that owns recovery receives one episode for each recovery.
//! - `on_recovery_exit` is called once, when all losses are repaired.
//! - An undo applies to the newest episode. The undo restores the state from before the reduction of this episode.
//! - Linux does not report a second episode during a recovery with PRR. RFC 8985, section 9.3, can be read as allowing
//!   this behaviour of Linux. RFC 5681, section 4.3, does not allow it.
//!
//! When the segment size changes, a window keeps its number of bytes (RFC 8899, section 3), but contains at least two
//! new segments (RFC 9002, section 7.2). Settings in segments then mean segments of the new size.
//!
//! # Platforms without cumulative acknowledgements
//!
//! TCP acknowledges all data up to a number. QUIC acknowledges each packet by its own number. On a platform that
//! acknowledges each packet ([`Platform::DATAGRAMS`](crate::Platform::DATAGRAMS)), [`Ack::cumulative`] and
//! [`Ack::duplicate`] are `None`, and [`Ack::advance`] is the amount that the ACK newly acknowledges. Windows grow by
//! this amount in slow start and in congestion avoidance (RFC 9002, section 7.3.1 and appendix B.5). The parts below
//! read [`Ack::cumulative`] or [`Ack::duplicate`]. Each entry names the replacement on a platform without cumulative
//! ACKs:
//!
//! - Growth of every window rule, and of Prague's rate: the window or rate grows on an ACK that advances (RFC 5681,
//!   section 3.1; Linux, `tcp_may_raise_cwnd`). Replacement: an ACK of new data (RFC 9002, appendix B.5).
//! - Round trips of Linux's Vegas and Illinois: a round trip ends with an ACK that advances (`tcp_vegas_cong_avoid`).
//!   Replacement: an ACK of new data.
//! - Segments per ACK of Linux's BIC, CUBIC and Illinois: the advance (`pkts_acked`). Replacement: the newly
//!   acknowledged amount.
//! - Segments per ACK of Westwood and Jersey (`AckedCount`): a duplicate counts one segment, and the next advance
//!   counts the rest. Replacement: the newly acknowledged amount, which is exact.
//! - RTT samples during a recovery, in the controllers that follow Linux exactly ([`linux`](crate::linux)): whole
//!   milliseconds, from timestamps. Replacement: the RTT sample itself, because a packet number is sent only once (RFC
//!   9002, section 4.2).
//! - A hole before its loss is known ([`Ack::shows_hole`], Veno): a duplicate or selective ACK. Replacement: none. The
//!   loss itself is the first sign of the hole.
//!
//! No controller of the catalogue requires cumulative ACKs. A controller that requires them declares
//! [`Signals::CUMULATIVE_ACK`]. A platform without cumulative ACKs refuses this controller.
//!
//! # Persistent congestion
//!
//! When a timer expires, datagram platforms send probes (RFC 9002, section 6.2) and do not presume that data are lost.
//! These platforms therefore never send [`Timeout`]. If every packet of a long enough period was declared lost (RFC
//! 9002, section 7.6), the platform calls
//! [`Controller::on_persistent_congestion`](crate::Controller::on_persistent_congestion). This call comes after the
//! [`Loss`] that establishes persistent congestion. The verdict of the controller on that loss does not matter. The
//! call lists no packets. It ends the current repair: later ACKs are not [`in_recovery`](Ack::in_recovery) (appendix
//! B.8, `congestion_recovery_start_time = 0`). The platform calls `on_recovery_exit` when a packet that was sent after
//! this call is acknowledged. TCP never makes this call. The controllers answer as follows:
//!
//! - Rules of [`loss_based`](crate::loss_based): W = min(W, 2), the minimum window (RFC 9002, sections 7.2 and 7.6.2).
//!   The threshold keeps the value that the losses set, and slow start begins at once. The rule forgets the same state
//!   as at a timeout. An undo of the losses restores the state from before the losses. Some of these rules also set the
//!   threshold to 2, as after a timeout. These rules are LEDBAT, which does not use slow start, and Peach, Peach+ and
//!   Cherry, which continue with a Sudden Start.
//! - The handover verdict (StarQUIC): within the window around a handover, persistent congestion is a link error and
//!   causes no reaction. A timeout is judged in the same way.
//! - Careful Resume ends (RFC 9959, section 3.6).
//! - BBRv1, LeoCC and BBRv3: W = min(W, 4), BBR's own minimum (`BBRMinPipeCwnd`; msquic's BBR uses the same minimum).
//!   When recovery ends, W returns to the saved window. The model is unchanged.
//! - Copa: W = min(W, 2) and slow start, as at a timeout.
//! - Vivace does not use a window. By the paper's rules, the rate is halved, as at a timeout (section 4.3). By the
//!   rules of PCC-Uspace, the losses count in the utility, and nothing else happens.

use crate::Signals;
use units::{Bytes, Rate, Span, Time};

/// The connection starts.
#[derive(Clone, Debug)]
pub struct Start {
    /// Time of the event.
    pub now: Time,
    /// Payload bytes of a full segment.
    pub mss: u32,
    /// Initial window in segments.
    pub initial_window: u32,
    /// The signals that this platform gives.
    pub provided: Signals,
    /// What is known about the path before the connection starts.
    pub path: PathState,
    /// State saved from an earlier connection (Careful Resume, RFC 9959).
    pub saved: Option<SavedPath>,
    /// Round-trip time of the exchange that opened the connection; `None` without such an exchange. This value also
    /// seeds SRTT, but does not count in the smallest RTT, which is measured on data packets only.
    pub rtt: Option<Span>,
    /// Seed for the random choices of a controller (BBR's phase). The platform sets the seed, so that a run can be
    /// repeated.
    pub seed: u64,
}

impl Start {
    /// A connection with an initial window of `initial_window` segments of `mss` bytes. Its platform gives no signals
    /// and knows nothing about the path.
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
    /// Great-circle distance between the endpoints, in metres.
    pub distance_m: Option<f64>,
    /// Rate of the slowest link.
    pub capacity: Option<Rate>,
    /// Links on the forward path.
    pub hops: Option<u32>,
}

/// A path that an earlier connection has saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub struct SavedPath {
    /// Measured capacity: bytes acknowledged in one round trip.
    pub cwnd: Bytes,
    /// Smallest measured RTT.
    pub rtt: Span,
    /// Age of the measurement.
    pub age: Span,
}

/// What a transmission carries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub enum PacketKind {
    /// New data.
    #[default]
    Data,
    /// Data that were sent before.
    Retransmission,
    /// A low-priority probe (dummy, NIL or supplement segment).
    Probe,
}

/// A packet left the sender. Only controllers that use [`Signals::SENT`] receive this event.
#[derive(Clone, Copy, Debug)]
pub struct Sent {
    /// Time of the event.
    pub now: Time,
    /// Transmission number.
    pub tx: u64,
    /// Payload bytes.
    pub bytes: u32,
    /// What the packet carries.
    pub kind: PacketKind,
    /// Bytes in flight, including this packet.
    pub in_flight: Bytes,
    /// Whether the flow had been idle (nothing in flight) before this packet.
    pub after_idle: bool,
}

/// One delivery-rate sample (draft-ietf-ccwg-bbr, "Delivery Rate Sampling").
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RateSample {
    /// Bytes delivered over `interval`.
    pub delivered: Bytes,
    /// The longer of two times: the time between sendings and the time between ACKs (max(send elapsed, ack elapsed)).
    pub interval: Span,
    /// The connection's total of delivered bytes when the acknowledged packet was sent.
    pub prior_delivered: Bytes,
    /// Bytes in flight when the acknowledged packet was sent, including this packet.
    pub tx_in_flight: Bytes,
    /// Bytes declared lost from the sending of this packet until now.
    pub lost: Bytes,
    /// Whether the application limited the rate while the sample was taken.
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
    /// Number of the packet's newest transmission.
    pub tx: u64,
    /// Payload bytes.
    pub bytes: u32,
    /// What the newest transmission carried.
    pub kind: PacketKind,
    /// When the newest transmission was sent.
    pub sent_at: Time,
    /// Propagation RTT of the path at `sent_at`.
    pub propagation_rtt: Option<Span>,
}

/// An acknowledgement arrived and was processed. If it reveals losses, a [`Loss`] follows.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about one ACK, each named")]
pub struct Ack<'a> {
    /// Time of the event.
    pub now: Time,
    /// Bytes that this acknowledgement newly covers, cumulatively or selectively.
    pub acked: Bytes,
    /// Bytes by which the cumulative acknowledgement advanced; `None` on a platform without cumulative ACKs.
    pub cumulative: Option<Bytes>,
    /// Whether this is a duplicate ACK, which does not advance the cumulative acknowledgement although data are
    /// outstanding. `None` on a platform without cumulative ACKs.
    pub duplicate: Option<bool>,
    /// RTT sample of the newest acknowledged packet; `None` if the sample is ambiguous because of a retransmission
    /// (Karn's rule).
    pub rtt: Option<Span>,
    /// Smoothed RTT (RFC 6298), including this sample.
    pub srtt: Option<Span>,
    /// Smallest RTT of the connection.
    pub min_rtt: Option<Span>,
    /// By how much the receiver delayed this acknowledgement, as the receiver reports.
    pub ack_delay: Option<Span>,
    /// One-way delay of the newest acknowledged packet, in nanoseconds. The clock of the receiver has an arbitrary
    /// offset.
    pub one_way_delay_ns: Option<i64>,
    /// When the newest acknowledged packet was sent.
    pub sent_at: Option<Time>,
    /// Propagation RTT of the path at `sent_at`.
    pub propagation_rtt: Option<Span>,
    /// Total bytes sent on this connection.
    pub total_sent: Bytes,
    /// Total bytes delivered.
    pub total_delivered: Bytes,
    /// Total bytes declared lost.
    pub total_lost: Bytes,
    /// Delivery-rate sample, if the controller needs it and a sample exists.
    pub rate: Option<RateSample>,
    /// Bytes in flight before this acknowledgement.
    pub in_flight_before: Bytes,
    /// Bytes in flight after this acknowledgement.
    pub in_flight: Bytes,
    /// Number of the current round trip.
    pub round: u64,
    /// Whether this acknowledgement began the current round.
    pub round_start: bool,
    /// Whether the platform repairs a loss episode, or has answered a mark (ECN) less than a round trip ago.
    pub in_recovery: bool,
    /// Whether the window, and not the application or the receiver, limited sending since the last round began.
    pub cwnd_limited: bool,
    /// Whether the application limited sending when the acknowledged packet was sent.
    pub app_limited: bool,
    /// The receiver's window limits sending.
    pub receiver_limited: bool,
    /// Newly acknowledged bytes that carried an ECN mark. With [`Signals::ECN`], the number is exact. Otherwise, it
    /// counts all bytes that are acknowledged by ACKs with ECE.
    pub ce: Bytes,
    /// Whether the receiver echoed a congestion-warning mark of a router.
    pub congestion_warning: bool,
    /// Number of newly acknowledged probes.
    pub probes: u32,
    /// The packets, if the controller uses [`Signals::PER_PACKET`].
    pub packets: &'a [AckedPacket],
    /// Whether some packets are known to have arrived after the time at which they would count as lost. If so,
    /// selectively acknowledged data also grow the window (Linux, `tcp_may_raise_cwnd()`).
    pub reordered: bool,
}

impl Ack<'_> {
    /// Bytes by which the acknowledgement advanced: the cumulative advance. On a platform without cumulative ACKs, this
    /// method returns the newly acknowledged bytes (RFC 9002, appendix B.5: `acked_packet.sent_bytes`).
    pub fn advance(&self) -> Bytes {
        self.cumulative.unwrap_or(self.acked)
    }

    /// Whether a hole precedes the data that this ACK covers. A hole exists if the ACK is a duplicate or acknowledges
    /// selectively (Linux, `tcp_try_keep_open`: state Disorder). Without cumulative ACKs, the platform does not know
    /// whether a hole exists, and this method returns false.
    pub fn shows_hole(&self) -> bool {
        self.duplicate == Some(true) || self.cumulative.is_some_and(|cumulative| self.acked > cumulative)
    }

    /// An empty acknowledgement at `now`, without cumulative ACKs, for a flow that is limited by its window. Callers
    /// fill in the other fields.
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

/// How a loss was detected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LossTrigger {
    /// Later packets were acknowledged (duplicate ACKs, SACK, RACK).
    Reordering,
    /// An ECN mark. No packet is lost. The event begins a new episode, and requests the same reduction as a loss (RFC
    /// 3168, section 5), or a smaller reduction (RFC 8257, RFC 8511). The event comes at most once per window of data,
    /// and never during a repair. If the controller [answers each mark](crate::Controller::answers_each_mark), the
    /// event comes more often. A controller that ignores marks returns
    /// [`LossVerdict::LinkError`](crate::LossVerdict::LinkError).
    Ecn,
}

/// One packet declared lost.
#[derive(Clone, Copy, Debug, Default, saved::Plain)]
pub struct LostPacket {
    /// Transmission number.
    pub tx: u64,
    /// Payload bytes.
    pub bytes: u32,
    /// What the packet carried.
    pub kind: PacketKind,
    /// When the packet was sent.
    pub sent_at: Time,
    /// Bytes in flight when the packet was sent, including this packet.
    pub tx_in_flight: Bytes,
    /// The connection's total of lost bytes when the packet was sent.
    pub lost_at_send: Bytes,
}

/// Packets were declared lost.
#[derive(Clone, Debug)]
pub struct Loss<'a> {
    /// Time of the event.
    pub now: Time,
    /// How the loss was detected.
    pub trigger: LossTrigger,
    /// Bytes newly declared lost.
    pub lost: Bytes,
    /// Whether the loss begins a new episode. Loss-based controllers react only to such a loss.
    ///
    /// An episode is the set of losses that one reduction answers: all losses of packets that were sent before the
    /// reduction. If a packet that is sent after the reduction is lost, its loss belongs to the next episode. This
    /// packet may be a retransmission (RFC 5681, section 4.3; RFC 9002, section 7.3.2). There is therefore at most one
    /// episode per round trip. An episode may begin while the platform still repairs the previous episode. If the
    /// controller owns recovery, the complete repair is one episode.
    pub new_episode: bool,
    /// Number of the episode (for [`Spurious`]).
    pub episode: u32,
    /// Bytes in flight before the loss was subtracted.
    pub in_flight_before: Bytes,
    /// Number of discontiguous ranges among the lost packets.
    pub ranges: u32,
    /// The lost packets: with [`Signals::PER_PACKET`] all of them, otherwise at least the first one. At an ECN mark:
    /// the newest packet that the ACK covers.
    pub packets: &'a [LostPacket],
}

impl Loss<'_> {
    /// A new episode without packets at `now`. Callers fill in the other fields.
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

/// The retransmission timer expired: all data in flight are presumed lost.
#[derive(Clone, Copy, Debug)]
pub struct Timeout {
    /// Time of the event.
    pub now: Time,
    /// Number of timeouts in a row (1 = first).
    pub consecutive: u32,
    /// Bytes in flight before the timeout.
    pub in_flight_before: Bytes,
    /// Number of the episode (for [`Spurious`]).
    pub episode: u32,
}

/// An episode proved spurious (Eifel, DSACK): its packets were not lost.
#[derive(Clone, Copy, Debug)]
pub struct Spurious {
    /// Time of the event.
    pub now: Time,
    /// The episode to undo.
    pub episode: u32,
}

/// What stops the sender from sending, apart from its window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum Limit {
    /// The application has nothing to send.
    Application,
    /// The receiver's window is full.
    Receiver,
}

/// Sending became limited by something other than the window.
#[derive(Clone, Copy, Debug)]
pub struct Limited {
    /// Time of the event.
    pub now: Time,
    /// What limits sending.
    pub by: Limit,
}

/// The first packet after an idle period is about to be sent.
#[derive(Clone, Copy, Debug)]
pub struct Idle {
    /// Time of the event.
    pub now: Time,
    /// How long no data were in flight.
    pub idle_for: Span,
}

/// The flow did not use its window for a while, and the platform requests a smaller window. There are three causes: the
/// flow paused (RFC 5681, section 4.1), the application sends less than the window allows, or congestion occurs while
/// the window is not validated (RFC 7661). An [`Idle`] event follows when sending resumes.
#[derive(Clone, Copy, Debug)]
pub struct Unused {
    /// Time of the event.
    pub now: Time,
    /// Upper bound of the new window.
    pub cwnd: Bytes,
    /// Lower bound of the new slow-start threshold; `None` means no lower bound.
    pub ssthresh: Option<Bytes>,
    /// Upper bound of the new slow-start threshold; `None` means no upper bound.
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
    /// Time at which the controller receives this event.
    pub now: Time,
    /// When the change happens (equal to `now` if it is happening now).
    pub at: Time,
    /// Uncertainty of `at`.
    pub uncertainty: Span,
    /// How long the change lasts, if this is known (for example the length of an outage).
    pub lasts: Option<Span>,
    /// What changes.
    pub kind: PathKind,
    /// The path after the change.
    pub after: PathState,
}

/// The size of a full segment changes, because the platform has determined the path MTU again (RFC 8899; quinn's
/// `on_mtu_update`, Linux's `tcp_sync_mss`).
///
/// The window keeps its number of bytes. RFC 8899, section 3, requires that a new size "MUST NOT increase the
/// congestion window measured in bytes", and that a window that limits a number of packets "SHOULD adapt this limit".
/// The threshold and every stored amount or rate of data keep their bytes too. The window contains at least two
/// segments of the new size (RFC 9002, section 7.2, minimum window). If the window was one segment, it contains one
/// segment (RFC 5681's loss window).
///
/// Settings in segments mean segments of the new size. Examples are growth of one segment per round trip, CUBIC's C,
/// Vegas's alpha, and an initial window of ten. RFC 9002, section 7.2, requires this for the initial window. The RFC
/// also resets the window to the initial window if the size changes during the handshake. Bentpipe does not implement
/// this reset.
///
/// Amounts in later events are in bytes, as before. Packets that were sent earlier keep the old size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewMss {
    /// Time of the event.
    pub now: Time,
    /// Payload bytes of a full segment after this event, at least 1.
    pub mss: u32,
}

/// A timer of [`Control::timers`](crate::Control::timers) fired.
#[derive(Clone, Copy, Debug)]
pub struct TimerFired {
    /// Time of the event.
    pub now: Time,
    /// Index of the timer that fired.
    pub id: usize,
}

/// The geometry of a path as a function of time. The geometry is computed from known orbits and not measured.
pub trait Ephemeris: Send + Sync {
    /// Returns what is known about the path at the time `at`.
    fn path(&self, at: Time) -> PathState;
    /// Propagation RTT alone. If a controller needs the propagation RTT, this method is called for every packet.
    fn propagation_rtt(&self, at: Time) -> Option<Span> {
        self.path(at).propagation_rtt
    }
}
