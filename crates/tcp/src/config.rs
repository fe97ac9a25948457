// SPDX-License-Identifier: MIT OR Apache-2.0
//! The settings of the transport.

use crate::receiver::{initial_window, window_scale};
use crate::{Flags, Preset};
use control::{Platform, SavedPath, Signals};
use units::{Bytes, Rate, Span};

/// How losses are found and repaired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub enum Recovery {
    /// RFC 5681: three duplicate ACKs, window inflation, leave on the next new ACK.
    Reno,
    /// RFC 6582: as Reno, but stay until everything sent before the loss is acknowledged.
    NewReno,
    /// RFC 2018 and 6675: selective acknowledgements, pipe.
    #[default]
    Sack,
    /// RFC 8985: SACK with time-based detection and tail loss probes.
    RackTlp,
}

/// How much may leave while losses are repaired with SACK (PRR has its own rule).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub enum Repair {
    /// RFC 6675: as much as the window exceeds the pipe; lost segments leave the pipe at once.
    #[default]
    Rfc6675,
    /// Fall and Floyd (ACM CCR 26(3), 1996), as ns-2's `Agent/TCP/Sack1`: a sent segment is in the pipe until it is
    /// reported or acknowledged, a retransmission counts in addition, and a partial acknowledgement removes two.
    FallFloyd,
    /// Rate halving (draft-mathis-tcp-ratehalving, 1999), as Linux before PRR: at most one segment per ACK, and one ACK in
    /// two lowers the window.
    RateHalving,
}

/// How the retransmission timeout is computed, and the reaction to a timeout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub enum Timeouts {
    /// RFC 6298 with timestamps: each acknowledgement is a sample. SACKed segments are not sent again (RFC 2018 would
    /// send them).
    #[default]
    Rfc6298,
    /// As ns-2's `TcpAgent`, `Sack1` and `Newreno`. One segment at a time is timed, in whole ticks of `clock` (V.
    /// Jacobson, "Congestion Avoidance and Control", SIGCOMM 1988, appendix A). After a timeout all is sent again, even
    /// if SACKed. SACKs count for one recovery. The threshold after each timeout is half of the window, not of the data
    /// in flight.
    Ns2,
    /// As ns-2's `Agent/TCP/Linux`: RFC 6298, but each timeout sets a new threshold (its `enter_loss`), so that after
    /// two in a row the threshold is at its minimum.
    Ns2Linux,
}

/// Explicit congestion notification: how the receiver reports marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum Ecn {
    /// RFC 3168: after a mark every acknowledgement reports it, until the sender says that it has reduced its window.
    Classic,
    /// RFC 8257: every acknowledgement says whether the data that it acknowledges were marked.
    Dctcp,
    /// As [`Ecn::Dctcp`], with packets that carry ECT(1), the sign of L4S (RFC 9331).
    L4s,
    /// RFC 9768: every acknowledgement has the last three bits of the number of marked packets.
    Accurate,
    /// As [`Ecn::Accurate`], with packets that carry ECT(1).
    AccurateL4s,
}

impl Ecn {
    /// Whether each mark is reported.
    pub const fn tells_each(self) -> bool {
        !matches!(self, Self::Classic)
    }
    /// Whether marks are counted (RFC 9768).
    pub const fn is_accurate(self) -> bool {
        matches!(self, Self::Accurate | Self::AccurateL4s)
    }
    /// The codepoint of new data.
    pub const fn codepoint(self) -> Flags {
        match self {
            Self::Classic | Self::Dctcp | Self::Accurate => Flags::ECT,
            Self::L4s | Self::AccurateL4s => Flags::ECT1,
        }
    }
    /// The codepoint of retransmitted data: none (RFC 3168, section 6.1.5). DCTCP and L4S keep that of the first
    /// transmission, as in Linux (`tcp_ecn_send`), so that retransmissions wait in the same queue as the other data.
    pub const fn repeated(self) -> Flags {
        match self {
            Self::Classic | Self::Accurate => Flags::NONE,
            Self::Dctcp | Self::L4s | Self::AccurateL4s => self.codepoint(),
        }
    }
    /// The codepoint of segments without data, which are those of the set-up and acknowledgements: none (RFC 3168,
    /// sections 6.1.1 and 6.1.4), except with DCTCP's echo, as in Linux (`INET_ECN_xmit`).
    pub const fn control(self) -> Flags {
        match self {
            Self::Classic | Self::Accurate | Self::AccurateL4s => Flags::NONE,
            Self::Dctcp | Self::L4s => self.codepoint(),
        }
    }
}

/// Delayed acknowledgements (RFC 1122, 5681).
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum DelayedAck {
    /// By count and time.
    Every {
        /// Most segments per acknowledgement.
        segments: u32,
        /// The longest time that an ACK is held back.
        at_most: Span,
    },
    /// As in Linux 6.1: an ACK for every segment at the start, while the window grows, and after a pause or a
    /// duplicate; otherwise for every second segment or after 40 ms. SACKs that follow closely are held together.
    Linux,
}

impl DelayedAck {
    /// The longest time that an ACK is held back (`TCP_DELACK_MAX`).
    pub const fn at_most(self) -> Span {
        match self {
            Self::Every { at_most, .. } => at_most,
            Self::Linux => Span::from_millis(200),
        }
    }
}

/// The window of the receiver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub enum ReceiveWindow {
    /// No limit.
    #[default]
    Unlimited,
    /// A fixed number of bytes from the start.
    Fixed(Bytes),
    /// 64 kB at the start, then growing as data arrive.
    Growing(GrowingWindow),
}

impl ReceiveWindow {
    /// Its upper bound; `None` is unlimited.
    pub const fn at_most(self) -> Option<Bytes> {
        match self {
            Self::Unlimited => None,
            Self::Fixed(bytes) => Some(bytes),
            Self::Growing(growing) => Some(growing.at_most),
        }
    }
}

/// A window that opens as in Linux 6.1: by two segments for each that arrives (`tcp_grow_window`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub struct GrowingWindow {
    /// Its upper bound: half of the largest buffer (`tcp_rmem[2]`).
    pub at_most: Bytes,
    /// The buffer, 128 KiB at the start, grows with what the application reads per round trip (`tcp_rcv_space_adjust`);
    /// otherwise it has its full size from the start.
    pub autotuned: bool,
}

/// How a connection begins. The side that sends data opens it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub enum Setup {
    /// The connection exists when the flow starts, and the receiver is not told of its end.
    #[default]
    None,
    /// RFC 9293, section 3.5: SYN, SYN-ACK, ACK, then data at once. The last segment of a transfer carries FIN. If all
    /// data have already left when the application closes, FIN follows in a segment of its own.
    Handshake,
    /// RFC 7413, with a valid cookie: the SYN carries the first data, and the rest waits for the SYN-ACK.
    FastOpen,
    /// As ns-2's `Agent/TCP` with `syn_`: SYN and SYN-ACK; data answer the SYN-ACK. No FIN.
    Ns2,
    /// As ns-2's `Agent/TCP/Linux`: the SYN is the first segment. It takes a place in the window, is acknowledged by
    /// number, and data leave together with it. No FIN.
    Ns2Linux,
}

/// The reaction to an expired timer of the SYN.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub enum AfterLostSyn {
    /// The initial window is one segment (RFC 5681, section 3.1) and the first timeout of data 3 s (RFC 6298, section 5.7).
    /// A SYN-ACK echoes the newest SYN (RFC 7323, section 4.3).
    #[default]
    Rfc,
    /// One segment only after two expirations or more, and not if the SYN-ACK echoes the first SYN
    /// (`tcp_init_transfer()`, `tcp_try_undo_spurious_syn()`). The timeout of data follows from the echo
    /// (`tcp_ack_update_rtt()`). A SYN-ACK echoes the first SYN that arrived.
    Linux,
}

/// The change of a window that was not used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub enum AfterIdle {
    /// The window is unchanged.
    #[default]
    Keep,
    /// RFC 5681, section 4.1: after more than a timeout without sending, it becomes the restart window, min(IW, cwnd).
    Rfc5681,
    /// Linux, `tcp_slow_start_after_idle`: it is halved for each timeout of the pause, but not below min(IW, cwnd)
    /// (`tcp_cwnd_restart()`). Where the application sends less than the window allows, it becomes once per timeout the
    /// mean of the window and its used part (`tcp_cwnd_application_limited()`). The threshold is at least 3/4 of the
    /// window before.
    Linux,
    /// RFC 7661: it is kept, but grows only if the path has carried half of it within three round trips (at least a
    /// second), or if all of it is used. Otherwise congestion halves the amount that was carried, and each five minutes
    /// halve it, down to the initial window. The threshold is at least 3/4 of the window.
    Rfc7661,
}

/// The data that the application sends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub enum Transfer {
    /// Endless data.
    #[default]
    Endless,
    /// The number of bytes after which the flow is complete.
    Finite(Bytes),
}

/// An application that writes at a rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub struct Trickle {
    /// Rate at which data becomes available.
    pub rate: Rate,
    /// Time from the connection's start until the application writes at `rate`; before that it writes all that can be sent.
    pub begins: Span,
    /// Time from then until all the rest is available at once; [`Span::MAX`]: never.
    pub lasts: Span,
}

/// Bytes of the timestamps option with its padding (RFC 7323, appendix A).
pub const TIMESTAMPS: u32 = 12;

/// Settings of one TCP connection.
#[derive(Clone, Debug, PartialEq, saved::Plain)]
#[expect(clippy::struct_excessive_bools, reason = "each is an independent switch of a scenario")]
pub struct Config {
    /// The preset of the settings.
    pub preset: Preset,
    /// Payload bytes of a full segment.
    pub mss: u32,
    /// Header bytes of every packet (IP 20 + TCP 20 + timestamps 12).
    pub header: u32,
    /// Initial window in segments (RFC 6928: 10).
    pub initial_window: u32,
    /// Most segments that one ACK counts in slow start, for controllers that leave it open (their `growth_limit`);
    /// `None`: the controller's default.
    pub growth_limit: Option<u32>,
    /// Loss detection and repair.
    pub recovery: Recovery,
    /// Proportional rate reduction (RFC 9937) instead of the plain pipe rule; `None`: with RACK, for which it is
    /// recommended (RFC 8985, section 9.3; RFC 9937, section 5).
    pub prr: Option<bool>,
    /// How much may leave while losses are repaired, without PRR.
    pub repair: Repair,
    /// How timeouts are computed, and the reaction to a timeout.
    pub timeouts: Timeouts,
    /// Limited transmit (RFC 3042).
    pub limited_transmit: bool,
    /// Undo reductions that prove spurious (timestamps, DSACK).
    pub undo: bool,
    /// Forward RTO-recovery (RFC 5682): acknowledgements after a timeout also show whether it was spurious.
    pub f_rto: bool,
    /// Timestamps (RFC 7323): they give the sending time of a segment, and reject old duplicates.
    pub timestamps: bool,
    /// Delayed acknowledgements; `None` acknowledges every segment.
    pub delayed_ack: Option<DelayedAck>,
    /// Explicit congestion notification; `None`: queues drop.
    pub ecn: Option<Ecn>,
    /// Lower bound of the retransmission timeout (RFC 6298 says 1 s; Linux and ns-2 0.2 s).
    pub min_rto: Span,
    /// Upper bound of the retransmission timeout.
    pub max_rto: Span,
    /// Timeout before the first RTT sample.
    pub initial_rto: Span,
    /// G of RFC 6298, (2.3): lower bound of 4 RTTVAR in the timeout (at most `min_rto`). Linux's is TCP_RTO_MIN. In a
    /// simulator without noise RTTVAR decays to zero: with G near zero every fast recovery on a path longer than
    /// `min_rto` would end in a timeout.
    pub clock: Span,
    /// Duplicate ACKs (SACKed segments above a hole) that mean a loss.
    pub dup_thresh: u32,
    /// The receiver's window.
    pub receive_window: ReceiveWindow,
    /// State that an earlier connection over this path saved (Careful Resume, RFC 9959).
    pub saved_path: Option<SavedPath>,
    /// The application writes slowly at first; `None`: all its data is available from the start.
    pub trickle: Option<Trickle>,
    /// How the connection begins.
    pub setup: Setup,
    /// Header bytes of SYN and SYN-ACK (as Linux: IP 20, TCP 20, MSS 4, SACK permitted and timestamps 12, window scale 4).
    pub syn_header: u32,
    /// The reaction to an expired timer of the SYN.
    pub after_lost_syn: AfterLostSyn,
    /// The segment with FIN leaves in its turn, regardless of the congestion window (Linux, `tcp_cwnd_test()`).
    pub fin_beyond_window: bool,
    /// The change of a window that was not used.
    pub slow_start_after_idle: AfterIdle,
    /// Segmentation offload: new data leave in bursts of about a millisecond (Linux, `tcp_tso_autosize()`).
    pub tso: bool,
    /// A loss of data sent after the reduction, retransmissions included, reduces the window only after the recovery,
    /// and only if the data are then still missing (Linux, `tcp_fastretrans_alert()`). Otherwise RACK's sending times
    /// decide when to reduce again.
    pub one_cut_per_recovery: bool,
    /// A SACK of data sent before the last transmission of the oldest outstanding segment restarts the retransmission
    /// timer (Linux, `tcp_clean_rtx_queue()`).
    pub sack_restarts_timer: bool,
    /// Time between the moment when the segment that RACK waits for is overdue and the expiration of its timer (Linux,
    /// `tcp_rack_mark_lost()`: `TCP_TIMEOUT_MIN_US`, 2 ms). An acknowledgement that arrives earlier finds the segment
    /// lost in time.
    pub reordering_timer_slack: Span,
    /// A tail loss probe leaves no later than the timeout counted from the sending of the oldest outstanding segment
    /// (Linux, `tcp_schedule_loss_probe()`).
    pub tail_probe_by_oldest: bool,
    /// Once a segment was overtaken by more than `dup_thresh` others, SACKed data grow the window too (Linux,
    /// `tcp_may_raise_cwnd()`).
    pub growth_when_reordered: bool,
    /// A packet that leaves later than its pacing time shortens the wait after it, by half at most (Linux,
    /// `tcp_update_skb_after_send()`).
    pub pacing_credit: bool,
    /// Seed of a controller's random choices.
    pub seed: u64,
}

impl Default for Config {
    fn default() -> Self {
        Preset::default().config()
    }
}

impl Config {
    /// The settings on which every preset builds.
    pub(crate) const fn bare() -> Self {
        Self {
            preset: Preset::Bentpipe01,
            mss: 1448,
            header: 52,
            initial_window: 10,
            growth_limit: None,
            recovery: Recovery::Sack,
            prr: None,
            repair: Repair::Rfc6675,
            timeouts: Timeouts::Rfc6298,
            limited_transmit: true,
            undo: true,
            f_rto: false,
            timestamps: true,
            delayed_ack: None,
            ecn: None,
            min_rto: Span::from_millis(200),
            max_rto: Span::from_secs(60),
            initial_rto: Span::from_secs(1),
            clock: Span::from_millis(200),
            dup_thresh: 3,
            receive_window: ReceiveWindow::Unlimited,
            saved_path: None,
            trickle: None,
            setup: Setup::None,
            syn_header: 60,
            after_lost_syn: AfterLostSyn::Rfc,
            fin_beyond_window: false,
            slow_start_after_idle: AfterIdle::Keep,
            tso: false,
            one_cut_per_recovery: false,
            sack_restarts_timer: false,
            reordering_timer_slack: Span::ZERO,
            tail_probe_by_oldest: false,
            growth_when_reordered: false,
            pacing_credit: false,
            seed: 0,
        }
    }

    /// Settings of both halves of a connection that carries data from a host with these settings to a host with those
    /// of `to`: of the sending half, and of the receiving half.
    ///
    /// Segments are as large as the smaller MSS (RFC 9293, section 3.7.1), and headers hold the options of both ends.
    /// The sender decides the set-up of the connection, the loss detection (and so SACKs), and whether marks are
    /// echoed; the receiver follows. The receiver decides its window and delayed acknowledgements; the sender knows
    /// them.
    #[must_use]
    pub fn towards(&self, to: &Self) -> [Self; 2] {
        let timestamps = self.timestamps && to.timestamps;
        let [own, other] = [self, to].map(|end| end.sizes(timestamps));
        let (mss, header) = (own.0.min(other.0), own.1.min(other.1));
        let (receive_window, delayed_ack) = (to.receive_window, to.delayed_ack);
        let sends = Self { mss, header, timestamps, delayed_ack, receive_window, ..self.clone() };
        let Self { recovery, ecn, setup, .. } = *self;
        let receives = Self { mss, header, recovery, timestamps, ecn, setup, ..to.clone() };
        [sends, receives]
    }

    /// Payload of a full segment and header: without agreed timestamps, segments use the room of the option.
    fn sizes(&self, timestamps: bool) -> (u32, u32) {
        let room = if self.timestamps && !timestamps { TIMESTAMPS.min(self.header) } else { 0 };
        (self.mss + room, self.header - room)
    }

    /// The platform that a sender with these settings is for a controller. Without SACK the answers to probes look like
    /// three duplicate ACKs, so there are no probes. DCTCP's echo and AccECN report each single mark.
    pub fn platform(&self) -> Platform {
        let selective =
            matches!(self.recovery, Recovery::Sack | Recovery::RackTlp) && self.timeouts != Timeouts::Ns2;
        let ecn = if self.ecn.is_some_and(Ecn::tells_each) { Signals::ECN } else { Signals::NONE };
        let plain = if selective { Platform::TCP } else { Platform::TCP.without(Signals::PROBE) };
        plain.with(ecn).limiting_growth(self.growth_limit)
    }

    /// Bytes that fit into a SYN: a full packet less the longest headers, IP 20 and TCP 60, as in Linux
    /// (`tcp_send_syn_data()`). Data that an application writes piece by piece are not available yet.
    pub(crate) fn syn_room(&self) -> u32 {
        const LONGEST_HEADERS: u32 = 80;
        let fast = self.setup == Setup::FastOpen && self.trickle.is_none();
        if fast { (self.mss + self.header).saturating_sub(LONGEST_HEADERS).min(self.mss) } else { 0 }
    }

    /// Whether recovery follows PRR.
    pub fn uses_prr(&self) -> bool {
        self.prr.unwrap_or(self.recovery == Recovery::RackTlp)
    }

    /// The shift of a header's window field (RFC 7323, section 2.3) with which the largest window of the receiver fits,
    /// at most 14.
    pub fn window_scale(&self) -> u32 {
        const LARGEST: u32 = 14;
        match self.receive_window {
            ReceiveWindow::Unlimited => LARGEST,
            ReceiveWindow::Fixed(bytes) => {
                (0..LARGEST).find(|shift| u16::try_from(bytes.get() >> shift).is_ok()).unwrap_or(LARGEST)
            }
            ReceiveWindow::Growing(growing) => window_scale(growing),
        }
    }

    /// The receiver's window at the start in whole segments, at least one. "Unlimited" is 2^30 segments: more than any
    /// window, and half of the range that 32-bit sequence numbers distinguish.
    pub fn window_segments(&self) -> u32 {
        const UNLIMITED: u64 = 1 << 30;
        let segments = match self.receive_window {
            ReceiveWindow::Unlimited => UNLIMITED,
            ReceiveWindow::Fixed(bytes) => bytes.get() / u64::from(self.mss),
            ReceiveWindow::Growing(growing) => initial_window(growing, self) / u64::from(self.mss),
        };
        segments.clamp(1, UNLIMITED) as u32
    }
}
