// SPDX-License-Identifier: MIT OR Apache-2.0
//! The settings of the transport.

use crate::receiver::{initial_window, window_scale};
use crate::{Flags, Preset};
use control::{Platform, SavedPath, Signals};
use units::{Bytes, Rate, Span};

/// How losses are detected and repaired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub enum Recovery {
    /// RFC 5681: three duplicate ACKs, window inflation. The next new ACK ends the recovery.
    Reno,
    /// RFC 6582: like Reno, but the recovery continues until all data sent before the loss are acknowledged.
    NewReno,
    /// RFC 2018 and 6675: selective acknowledgements, and the pipe as the estimate of the data in flight.
    #[default]
    Sack,
    /// RFC 8985: SACK with time-based detection and tail loss probes.
    RackTlp,
}

/// How much may be sent while losses are repaired with SACK. PRR has its own rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub enum Repair {
    /// RFC 6675: the difference between window and pipe. Lost segments leave the pipe at once.
    #[default]
    Rfc6675,
    /// Fall and Floyd (ACM CCR 26(3), 1996), as in ns-2's `Agent/TCP/Sack1`. A segment is in the pipe until it is
    /// reported or acknowledged. A retransmission counts additionally. A partial acknowledgement removes two segments
    /// from the pipe.
    FallFloyd,
    /// Rate halving (draft-mathis-tcp-ratehalving, 1999), as in Linux before PRR: at most one segment per ACK. Every
    /// second ACK lowers the window.
    RateHalving,
}

/// How the retransmission timeout is computed, and the reaction to a timeout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub enum Timeouts {
    /// RFC 6298 with timestamps: each acknowledgement is a sample. SACKed segments are not sent again after a timeout
    /// (RFC 2018 would send them).
    #[default]
    Rfc6298,
    /// As in ns-2's `TcpAgent`, `Sack1` and `Newreno`. One segment at a time is timed, in whole ticks of `clock` (V.
    /// Jacobson, "Congestion Avoidance and Control", SIGCOMM 1988, appendix A). After a timeout, all data are sent
    /// again, even if they were SACKed. SACKs count only during one recovery. After each timeout, the threshold is half
    /// of the window, not half of the data in flight.
    Ns2,
    /// As in ns-2's `Agent/TCP/Linux`: RFC 6298, but each timeout sets a new threshold (its `enter_loss`). After two
    /// timeouts in a row, the threshold is at its minimum.
    Ns2Linux,
}

/// Explicit congestion notification: how the receiver reports marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum Ecn {
    /// RFC 3168: after a mark, every acknowledgement reports it until the sender reports (CWR) that it has reduced its
    /// window.
    Classic,
    /// RFC 8257: every acknowledgement reports whether the data that it acknowledges were marked.
    Dctcp,
    /// Like [`Ecn::Dctcp`], but packets carry ECT(1), the codepoint of L4S (RFC 9331).
    L4s,
    /// RFC 9768: every acknowledgement contains the last three bits of the number of marked packets.
    Accurate,
    /// Like [`Ecn::Accurate`], but packets carry ECT(1).
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
    /// The codepoint of retransmitted data: none (RFC 3168, section 6.1.5). DCTCP and L4S use the codepoint of the
    /// first transmission, as in Linux (`tcp_ecn_send`), so that retransmissions wait in the same queue as the other
    /// data.
    pub const fn repeated(self) -> Flags {
        match self {
            Self::Classic | Self::Accurate => Flags::NONE,
            Self::Dctcp | Self::L4s | Self::AccurateL4s => self.codepoint(),
        }
    }
    /// The codepoint of segments without data (segments of the set-up, and acknowledgements): none (RFC 3168, sections
    /// 6.1.1 and 6.1.4). DCTCP's echo uses the codepoint of data, as in Linux (`INET_ECN_xmit`).
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
    /// By number of segments and by time.
    Every {
        /// Most segments per acknowledgement.
        segments: u32,
        /// The longest time by which an ACK is delayed.
        at_most: Span,
    },
    /// As in Linux 6.1. The receiver acknowledges every segment at the start, while the window grows, and after a pause
    /// or a duplicate. Otherwise it acknowledges every second segment, or after 40 ms. SACKs that follow closely are
    /// held together.
    Linux,
}

impl DelayedAck {
    /// The longest time by which an ACK is delayed (`TCP_DELACK_MAX`).
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
    /// A fixed number of bytes.
    Fixed(Bytes),
    /// 64 kB at the start. The window grows as data arrive.
    Growing(GrowingWindow),
}

impl ReceiveWindow {
    /// Upper bound of the window; `None`: unlimited.
    pub const fn at_most(self) -> Option<Bytes> {
        match self {
            Self::Unlimited => None,
            Self::Fixed(bytes) => Some(bytes),
            Self::Growing(growing) => Some(growing.at_most),
        }
    }
}

/// A window that grows as in Linux 6.1: by two segments for each segment that arrives (`tcp_grow_window`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub struct GrowingWindow {
    /// Upper bound of the window: half of the largest buffer (`tcp_rmem[2]`).
    pub at_most: Bytes,
    /// Whether the buffer grows with the amount that the application reads per round trip (`tcp_rcv_space_adjust`). It
    /// then has 128 KiB at the start. Otherwise it has its full size from the start.
    pub autotuned: bool,
}

/// How a connection begins. The side that sends data opens the connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub enum Setup {
    /// The connection exists when the flow starts. The receiver is not informed of its end.
    #[default]
    None,
    /// RFC 9293, section 3.5: SYN, SYN-ACK, ACK, and then data at once. The last segment of a transfer carries FIN. If
    /// all data have already been sent when the application closes, FIN follows in a separate segment.
    Handshake,
    /// RFC 7413, with a valid cookie. The SYN carries the first data. The other data wait for the SYN-ACK.
    FastOpen,
    /// As in ns-2's `Agent/TCP` with `syn_`: SYN and SYN-ACK. The SYN-ACK is answered with data. There is no FIN.
    Ns2,
    /// As in ns-2's `Agent/TCP/Linux`: the SYN is the first segment. It uses a place in the window, is acknowledged by
    /// its number, and data are sent together with it. There is no FIN.
    Ns2Linux,
}

/// The reaction to an expired timer of the SYN.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub enum AfterLostSyn {
    /// The initial window is one segment (RFC 5681, section 3.1), and the first timeout of data is 3 s (RFC 6298,
    /// section 5.7). A SYN-ACK echoes the newest SYN (RFC 7323, section 4.3).
    #[default]
    Rfc,
    /// The initial window is one segment only after two or more expirations, and only if the SYN-ACK does not echo the
    /// first SYN (`tcp_init_transfer()`, `tcp_try_undo_spurious_syn()`). The timeout of data is computed from the echo
    /// (`tcp_ack_update_rtt()`). A SYN-ACK echoes the first SYN that arrived.
    Linux,
}

/// What happens to a window that was not used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub enum AfterIdle {
    /// The window is unchanged.
    #[default]
    Keep,
    /// RFC 5681, section 4.1: if the sender sent nothing for more than a timeout, the window becomes the restart
    /// window, min(IW, cwnd).
    Rfc5681,
    /// Linux, `tcp_slow_start_after_idle`. For each timeout of a pause, the window is halved, but not below min(IW,
    /// cwnd) (`tcp_cwnd_restart()`). If the application sends less than the window allows, the window becomes the mean
    /// of the window and its used part, once per timeout (`tcp_cwnd_application_limited()`). The threshold is at least
    /// 3/4 of the old window.
    Linux,
    /// RFC 7661. The window is kept, but it grows only if the path has carried half of it within three round trips (at
    /// least one second), or if all of it is used. Otherwise, congestion reduces it to half of the amount that was
    /// carried. Each five minutes halve it, down to the initial window. The threshold is at least 3/4 of the window.
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

/// An application that writes data at a fixed rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub struct Trickle {
    /// Rate at which data becomes available.
    pub rate: Rate,
    /// Time from the connection's start until the application writes at `rate`. Before, it writes as much as can be
    /// sent.
    pub begins: Span,
    /// Time that the application writes at `rate`. Then all remaining data are available at once. [`Span::MAX`]: never.
    pub lasts: Span,
}

/// Bytes of the timestamps option with its padding (RFC 7323, appendix A).
pub const TIMESTAMPS: u32 = 12;

/// Settings of one TCP connection.
#[derive(Clone, Debug, PartialEq, saved::Plain)]
#[expect(clippy::struct_excessive_bools, reason = "each is an independent switch of a scenario")]
pub struct Config {
    /// The preset on which the settings are based.
    pub preset: Preset,
    /// Payload bytes of a full segment.
    pub mss: u32,
    /// Header bytes of every packet (IP 20 + TCP 20 + timestamps 12).
    pub header: u32,
    /// Initial window in segments (RFC 6928: 10).
    pub initial_window: u32,
    /// Most segments that one ACK counts in slow start, for controllers with the parameter `growth_limit`. `None`: the
    /// controller's default.
    pub growth_limit: Option<u32>,
    /// Loss detection and repair.
    pub recovery: Recovery,
    /// Whether recovery uses proportional rate reduction (RFC 9937) instead of the plain pipe rule. `None`: only with
    /// RACK, for which PRR is recommended (RFC 8985, section 9.3; RFC 9937, section 5).
    pub prr: Option<bool>,
    /// How much may be sent while losses are repaired without PRR.
    pub repair: Repair,
    /// How timeouts are computed, and the reaction to a timeout.
    pub timeouts: Timeouts,
    /// Limited transmit (RFC 3042).
    pub limited_transmit: bool,
    /// Whether reductions that prove spurious are undone (timestamps, DSACK).
    pub undo: bool,
    /// Forward RTO-recovery (RFC 5682): acknowledgements after a timeout also show whether the timeout was spurious.
    pub f_rto: bool,
    /// Timestamps (RFC 7323). They contain the sending time of a segment. The receiver rejects old duplicates by their
    /// timestamps.
    pub timestamps: bool,
    /// Delayed acknowledgements. `None`: the receiver acknowledges every segment.
    pub delayed_ack: Option<DelayedAck>,
    /// Explicit congestion notification. `None`: queues drop packets instead of marking them.
    pub ecn: Option<Ecn>,
    /// Lower bound of the retransmission timeout (RFC 6298: 1 s; Linux and ns-2: 0.2 s).
    pub min_rto: Span,
    /// Upper bound of the retransmission timeout.
    pub max_rto: Span,
    /// Timeout before the first RTT sample.
    pub initial_rto: Span,
    /// G of RFC 6298, (2.3): lower bound of 4 RTTVAR in the timeout (at most `min_rto`). In Linux, G is TCP_RTO_MIN. In
    /// a simulator without noise, RTTVAR decays to zero. With G near zero, every fast recovery on a path longer than
    /// `min_rto` would then end in a timeout.
    pub clock: Span,
    /// Number of duplicate ACKs (or of SACKed segments above a hole) that indicate a loss.
    pub dup_thresh: u32,
    /// The receiver's window.
    pub receive_window: ReceiveWindow,
    /// State that an earlier connection over this path saved (Careful Resume, RFC 9959).
    pub saved_path: Option<SavedPath>,
    /// An application that writes slowly at first. `None`: all its data are available from the start.
    pub trickle: Option<Trickle>,
    /// How the connection begins.
    pub setup: Setup,
    /// Header bytes of SYN and SYN-ACK (as Linux: IP 20, TCP 20, MSS 4, SACK permitted and timestamps 12, window scale 4).
    pub syn_header: u32,
    /// The reaction to an expired timer of the SYN.
    pub after_lost_syn: AfterLostSyn,
    /// Whether the segment with FIN is sent regardless of the congestion window when its turn comes (Linux,
    /// `tcp_cwnd_test()`).
    pub fin_beyond_window: bool,
    /// What happens to a window that was not used.
    pub slow_start_after_idle: AfterIdle,
    /// Whether segmentation offload is on: new data are sent in bursts of about a millisecond (Linux,
    /// `tcp_tso_autosize()`).
    pub tso: bool,
    /// Whether a recovery reduces the window only once (Linux, `tcp_fastretrans_alert()`). Data sent after the
    /// reduction (including retransmissions) may be lost too. Such a loss reduces the window only after the recovery,
    /// and only if the data are then still missing. If false, RACK's sending times decide when the window is reduced
    /// again.
    pub one_cut_per_recovery: bool,
    /// Whether a SACK restarts the retransmission timer, if the SACKed data were sent before the last transmission of
    /// the oldest outstanding segment (Linux, `tcp_clean_rtx_queue()`).
    pub sack_restarts_timer: bool,
    /// Time from the moment at which the segment that RACK waits for is overdue until RACK's timer expires (Linux,
    /// `tcp_rack_mark_lost()`: `TCP_TIMEOUT_MIN_US`, 2 ms). If an acknowledgement arrives in this time, it detects the
    /// loss itself.
    pub reordering_timer_slack: Span,
    /// Whether a tail loss probe is sent at the latest when the timeout, counted from the sending of the oldest
    /// outstanding segment, is over (Linux, `tcp_schedule_loss_probe()`).
    pub tail_probe_by_oldest: bool,
    /// Whether SACKed data also grow the window after a segment was overtaken by more than `dup_thresh` other segments
    /// (Linux, `tcp_may_raise_cwnd()`).
    pub growth_when_reordered: bool,
    /// Whether a packet that is sent later than its pacing time shortens the wait after it, by at most half (Linux,
    /// `tcp_update_skb_after_send()`).
    pub pacing_credit: bool,
    /// Seed of the controller's random choices.
    pub seed: u64,
}

impl Default for Config {
    fn default() -> Self {
        Preset::default().config()
    }
}

impl Config {
    /// The settings on which every preset is based.
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

    /// Settings of the two halves of a connection that carries data from a host with these settings to a host with the
    /// settings `to`. Returns the settings of the sending half and of the receiving half.
    ///
    /// Segments are as large as the smaller MSS (RFC 9293, section 3.7.1), and headers contain the options of both
    /// ends. The sender decides the set-up of the connection, the loss detection (and therefore SACK), and whether
    /// marks are echoed. The receiver follows these decisions. The receiver decides its window and delayed
    /// acknowledgements, and the sender knows both.
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

    /// Payload of a full segment, and header. If timestamps are not agreed, the payload uses the bytes of the option.
    fn sizes(&self, timestamps: bool) -> (u32, u32) {
        let room = if self.timestamps && !timestamps { TIMESTAMPS.min(self.header) } else { 0 };
        (self.mss + room, self.header - room)
    }

    /// The platform that a sender with these settings is for a controller. Without SACK, the answers to probes look
    /// like three duplicate ACKs, so there are no probes. DCTCP's echo and AccECN report each mark.
    pub fn platform(&self) -> Platform {
        let selective =
            matches!(self.recovery, Recovery::Sack | Recovery::RackTlp) && self.timeouts != Timeouts::Ns2;
        let ecn = if self.ecn.is_some_and(Ecn::tells_each) { Signals::ECN } else { Signals::NONE };
        let plain = if selective { Platform::TCP } else { Platform::TCP.without(Signals::PROBE) };
        plain.with(ecn).limiting_growth(self.growth_limit)
    }

    /// Bytes that fit into a SYN: a full packet minus the longest headers, IP 20 and TCP 60, as in Linux
    /// (`tcp_send_syn_data()`). If the application writes its data gradually, no data are available yet.
    pub(crate) fn syn_room(&self) -> u32 {
        const LONGEST_HEADERS: u32 = 80;
        let fast = self.setup == Setup::FastOpen && self.trickle.is_none();
        if fast { (self.mss + self.header).saturating_sub(LONGEST_HEADERS).min(self.mss) } else { 0 }
    }

    /// Whether recovery follows PRR.
    pub fn uses_prr(&self) -> bool {
        self.prr.unwrap_or(self.recovery == Recovery::RackTlp)
    }

    /// The shift of a header's window field (RFC 7323, section 2.3) that is large enough for the largest window of the
    /// receiver; at most 14.
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

    /// The receiver's window at the start, in whole segments; at least one. "Unlimited" is 2^30 segments, which is more
    /// than any window, and half of the range of 32-bit sequence numbers.
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
