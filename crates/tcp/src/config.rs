// SPDX-License-Identifier: MIT OR Apache-2.0
//! The settings of the transport.

use crate::receiver::{initial_window, window_scale};
use crate::{Flags, Preset};
use control::{Platform, SavedPath, Signals};
use units::{Bytes, Rate, Span};

/// How the sender detects and repairs losses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub enum Recovery {
    /// RFC 5681: three duplicate ACKs indicate a loss, and duplicate ACKs inflate the window. The next new ACK ends the
    /// recovery.
    Reno,
    /// RFC 6582: like Reno, but the recovery continues until all data that were sent before the loss are acknowledged.
    NewReno,
    /// RFC 2018 and 6675: selective acknowledgements. The `pipe` estimates the data in flight.
    #[default]
    Sack,
    /// RFC 8985: SACK with time-based loss detection and with tail loss probes.
    RackTlp,
}

/// How many segments may be sent while losses are repaired with SACK, if PRR is not used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub enum Repair {
    /// RFC 6675: the difference between the window and the pipe. A lost segment is removed from the pipe immediately.
    #[default]
    Rfc6675,
    /// Fall and Floyd (ACM CCR 26(3), 1996), as in ns-2's `Agent/TCP/Sack1`. A segment counts in the pipe until it is
    /// SACKed or acknowledged. A retransmission counts in addition. A partial acknowledgement removes two segments from
    /// the pipe.
    FallFloyd,
    /// Rate halving (draft-mathis-tcp-ratehalving, 1999), as in Linux before PRR. Each ACK allows at most one segment,
    /// and every second ACK lowers the window.
    RateHalving,
}

/// How the retransmission timeout is computed, and how the sender reacts to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub enum Timeouts {
    /// RFC 6298 with timestamps: each acknowledgement is a sample. After a timeout, SACKed segments are not sent again
    /// (RFC 2018 would send them).
    #[default]
    Rfc6298,
    /// As in ns-2's `TcpAgent`, `Sack1` and `Newreno`. The sender times one segment at a time, in whole ticks of
    /// `clock` (V. Jacobson, "Congestion Avoidance and Control", SIGCOMM 1988, appendix A). After a timeout, all data
    /// are sent again, even if they were SACKed. SACKs are stored only during a recovery. Each timeout sets the
    /// threshold to half of the window, not to half of the data in flight.
    Ns2,
    /// As in ns-2's `Agent/TCP/Linux`. The timeout is that of RFC 6298, but each timeout sets a new threshold (its
    /// `enter_loss`). After two consecutive timeouts, the threshold is at its minimum.
    Ns2Linux,
}

/// Explicit congestion notification: how the receiver reports marks, and which codepoint data carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum Ecn {
    /// RFC 3168: after a mark, every acknowledgement carries ECE until the sender has reduced its window and has
    /// reported this with CWR.
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
    /// Whether every mark is reported to the sender.
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
    /// The codepoint of retransmitted data. In RFC 3168, section 6.1.5, it is Not-ECT. DCTCP and L4S use the codepoint
    /// of the first transmission, as in Linux (`tcp_ecn_send`). Retransmissions then wait in the same queue as all
    /// other data.
    pub const fn repeated(self) -> Flags {
        match self {
            Self::Classic | Self::Accurate => Flags::NONE,
            Self::Dctcp | Self::L4s | Self::AccurateL4s => self.codepoint(),
        }
    }
    /// The codepoint of segments without data, which are the segments of the set-up and acknowledgements. In RFC 3168,
    /// sections 6.1.1 and 6.1.4, it is Not-ECT. With the echo of DCTCP, it is the codepoint of data, as in Linux
    /// (`INET_ECN_xmit`).
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
    /// After a number of segments, or after a time.
    Every {
        /// Largest number of segments per acknowledgement.
        segments: u32,
        /// Longest delay of an ACK.
        at_most: Span,
    },
    /// As in Linux 6.1. The receiver acknowledges every segment at the start, while the window grows, after a pause and
    /// after a duplicate. At other times, it acknowledges every second segment, or a single segment after 40 ms. If
    /// several SACKs follow each other closely, the receiver combines them.
    Linux,
}

impl DelayedAck {
    /// The longest delay of an ACK (`TCP_DELACK_MAX`).
    pub const fn at_most(self) -> Span {
        match self {
            Self::Every { at_most, .. } => at_most,
            Self::Linux => Span::from_millis(200),
        }
    }
}

/// The receive window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub enum ReceiveWindow {
    /// The window is unlimited.
    #[default]
    Unlimited,
    /// The window has a constant size in bytes.
    Fixed(Bytes),
    /// The window begins at 64 kB, and grows as data arrive.
    Growing(GrowingWindow),
}

impl ReceiveWindow {
    /// Upper bound of the window, or `None` if the window is unlimited.
    pub const fn at_most(self) -> Option<Bytes> {
        match self {
            Self::Unlimited => None,
            Self::Fixed(bytes) => Some(bytes),
            Self::Growing(growing) => Some(growing.at_most),
        }
    }
}

/// A window that grows as in Linux 6.1. Each segment that arrives increases it by two segments (`tcp_grow_window`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub struct GrowingWindow {
    /// Upper bound of the window. It is half of the largest buffer (`tcp_rmem[2]`).
    pub at_most: Bytes,
    /// Whether the buffer grows with the amount that the application reads per round trip (`tcp_rcv_space_adjust`). If
    /// so, the buffer begins with 128 KiB. If not, it has its full size from the start.
    pub autotuned: bool,
}

/// How a connection begins. The side that sends data opens the connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub enum Setup {
    /// The connection already exists when the flow starts. The receiver is not informed when the connection ends.
    #[default]
    None,
    /// RFC 9293, section 3.5: the handshake is SYN, SYN-ACK and ACK, and data follow immediately. The last segment of a
    /// transfer carries FIN. If all data have already been sent when the application closes, FIN follows in a separate
    /// segment.
    Handshake,
    /// RFC 7413, with a valid cookie. The SYN carries the first data. All other data wait for the SYN-ACK.
    FastOpen,
    /// As in ns-2's `Agent/TCP` with `syn_`: the handshake is SYN and SYN-ACK. Data answer the SYN-ACK, and there is no
    /// FIN.
    Ns2,
    /// As in ns-2's `Agent/TCP/Linux`: the SYN is the first segment of the stream. It takes a place in the window, and
    /// is acknowledged by its number. Data are sent together with it. There is no FIN.
    Ns2Linux,
}

/// Effects of an expired SYN timer on the connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub enum AfterLostSyn {
    /// The initial window is one segment (RFC 5681, section 3.1), and the first timeout of data is 3 s (RFC 6298,
    /// section 5.7). A SYN-ACK echoes the timestamp of the newest SYN (RFC 7323, section 4.3).
    #[default]
    Rfc,
    /// The initial window is one segment only after two or more expirations, and only if the SYN-ACK does not echo the
    /// first SYN (`tcp_init_transfer()`, `tcp_try_undo_spurious_syn()`). The timeout of data is computed from the echo
    /// (`tcp_ack_update_rtt()`). A SYN-ACK echoes the timestamp of the first SYN that arrived.
    Linux,
}

/// What happens to a window that the sender has not used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub enum AfterIdle {
    /// The window does not change.
    #[default]
    Keep,
    /// RFC 5681, section 4.1: if the sender has sent nothing for more than a timeout, the window is reduced to the
    /// restart window, min(IW, cwnd).
    Rfc5681,
    /// Linux, `tcp_slow_start_after_idle`. The window is halved for each timeout that a pause lasts, but not below
    /// min(IW, cwnd) (`tcp_cwnd_restart()`). If the application sends less than the window allows, the window is
    /// reduced once per timeout. Its new value is the mean of the window and its used part
    /// (`tcp_cwnd_application_limited()`). The threshold is at least 3/4 of the old window.
    Linux,
    /// RFC 7661. The window is kept. It may grow only if the path has carried half of the window within three round
    /// trips (at least one second), or if the complete window is used. While neither is the case, a loss or a mark sets
    /// the window to half of the amount that the path has carried. The window is also halved every five minutes, down
    /// to the initial window. The threshold is at least 3/4 of the window.
    Rfc7661,
}

/// The amount of data that the application sends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub enum Transfer {
    /// The data are endless.
    #[default]
    Endless,
    /// The flow is complete after this number of bytes.
    Finite(Bytes),
}

/// An application that writes data at a fixed rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub struct Trickle {
    /// Rate at which the application writes data.
    pub rate: Rate,
    /// Time from the start of the connection until the application begins to write at `rate`. Before this time, the
    /// application writes as much as can be sent.
    pub begins: Span,
    /// Duration for which the application writes at `rate`. After this time, all remaining data are available
    /// immediately. [`Span::MAX`] means that the application writes at `rate` without end.
    pub lasts: Span,
}

/// Size of the timestamps option with its padding, in bytes (RFC 7323, appendix A).
pub const TIMESTAMPS: u32 = 12;

/// Settings of one TCP connection.
#[derive(Clone, Debug, PartialEq, saved::Plain)]
#[expect(clippy::struct_excessive_bools, reason = "each is an independent switch of a scenario")]
pub struct Config {
    /// The preset on which the settings are based.
    pub preset: Preset,
    /// Payload of a full segment, in bytes.
    pub mss: u32,
    /// Size of the headers of every packet, in bytes (IP 20 + TCP 20 + timestamps 12).
    pub header: u32,
    /// Initial window, in segments (RFC 6928: 10).
    pub initial_window: u32,
    /// Largest number of segments that one ACK counts in slow start. It applies to controllers with the parameter
    /// `growth_limit`. With `None`, the controller's default applies.
    pub growth_limit: Option<u32>,
    /// How losses are detected and repaired.
    pub recovery: Recovery,
    /// Whether recovery uses proportional rate reduction (RFC 9937) instead of the rule in `repair`. With `None`, PRR
    /// is used only with RACK, for which it is recommended (RFC 8985, section 9.3; RFC 9937, section 5).
    pub prr: Option<bool>,
    /// How many segments may be sent while losses are repaired without PRR.
    pub repair: Repair,
    /// How timeouts are computed, and how the sender reacts to them.
    pub timeouts: Timeouts,
    /// Whether the sender uses limited transmit (RFC 3042).
    pub limited_transmit: bool,
    /// Whether a reduction is undone if timestamps or DSACK show that it was spurious.
    pub undo: bool,
    /// Whether the sender uses forward RTO-recovery (RFC 5682). Acknowledgements after a timeout then also show whether
    /// the timeout was spurious.
    pub f_rto: bool,
    /// Whether segments carry timestamps (RFC 7323). A timestamp is the sending time of a segment. The receiver uses it
    /// to reject old duplicates.
    pub timestamps: bool,
    /// Delayed acknowledgements. With `None`, the receiver acknowledges every segment.
    pub delayed_ack: Option<DelayedAck>,
    /// Explicit congestion notification. With `None`, queues drop packets instead of marking them.
    pub ecn: Option<Ecn>,
    /// Lower bound of the retransmission timeout. RFC 6298 has 1 s, and Linux and ns-2 have 0.2 s.
    pub min_rto: Span,
    /// Upper bound of the retransmission timeout.
    pub max_rto: Span,
    /// Timeout before the first RTT sample.
    pub initial_rto: Span,
    /// G of RFC 6298, (2.3): the lower bound of 4 RTTVAR in the timeout. G is at most `min_rto`. In Linux, G is
    /// TCP_RTO_MIN. In a simulator without noise, RTTVAR decays to zero. If G were near zero, every fast recovery on a
    /// path longer than `min_rto` would then end in a timeout.
    pub clock: Span,
    /// Number of duplicate ACKs, or of SACKed segments above a hole, that indicates a loss.
    pub dup_thresh: u32,
    /// The receiver's window.
    pub receive_window: ReceiveWindow,
    /// State that an earlier connection over this path has saved (Careful Resume, RFC 9959).
    pub saved_path: Option<SavedPath>,
    /// An application that writes slowly for some time. With `None`, all its data are available from the start.
    pub trickle: Option<Trickle>,
    /// How the connection begins.
    pub setup: Setup,
    /// Size of the headers of SYN and SYN-ACK, in bytes. In Linux, the parts are IP 20, TCP 20, MSS 4, SACK permitted
    /// and timestamps 12, and window scale 4.
    pub syn_header: u32,
    /// Effects of an expired SYN timer on the connection.
    pub after_lost_syn: AfterLostSyn,
    /// Whether a segment with FIN is sent regardless of the congestion window, after all earlier segments were sent
    /// (Linux, `tcp_cwnd_test()`).
    pub fin_beyond_window: bool,
    /// What happens to a window that the sender has not used.
    pub slow_start_after_idle: AfterIdle,
    /// Whether segmentation offload is on. New data are then sent in bursts of about a millisecond (Linux,
    /// `tcp_tso_autosize()`).
    pub tso: bool,
    /// Whether a recovery reduces the window only once (Linux, `tcp_fastretrans_alert()`). Data sent after the
    /// reduction, including retransmissions, may also be lost. If this setting is true, such a loss reduces the window
    /// only after the recovery, and only if the data are still missing then. If this setting is false, the sending
    /// times that RACK stores decide when the window is reduced again.
    pub one_cut_per_recovery: bool,
    /// Whether a SACK can restart the retransmission timer (Linux, `tcp_clean_rtx_queue()`). The SACKed data must have
    /// been sent before the last transmission of the oldest outstanding segment.
    pub sack_restarts_timer: bool,
    /// Delay of RACK's timer after the segment that it waits for is overdue (Linux, `tcp_rack_mark_lost()`:
    /// `TCP_TIMEOUT_MIN_US`, 2 ms). If an acknowledgement arrives in this time, the acknowledgement itself detects the
    /// loss.
    pub reordering_timer_slack: Span,
    /// Whether the tail loss probe has a latest time (Linux, `tcp_schedule_loss_probe()`). This time is one timeout
    /// after the oldest outstanding segment was sent.
    pub tail_probe_by_oldest: bool,
    /// Whether SACKed data also grow the window after strong reordering (Linux, `tcp_may_raise_cwnd()`). Reordering is
    /// strong if more than `dup_thresh` segments have overtaken a segment.
    pub growth_when_reordered: bool,
    /// Whether a packet that is sent later than its pacing time shortens the wait after it (Linux,
    /// `tcp_update_skb_after_send()`). The wait is shortened by at most half.
    pub pacing_credit: bool,
    /// Seed of the random choices of the controller.
    pub seed: u64,
}

impl Default for Config {
    fn default() -> Self {
        Preset::default().config()
    }
}

impl Config {
    /// The settings that are common to all presets, before a preset changes some of them.
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

    /// Combines the settings of two hosts. The connection carries data from a host with these settings to a host with
    /// the settings `to`. Returns the settings of the sending half and of the receiving half.
    ///
    /// The size of segments is the smaller MSS (RFC 9293, section 3.7.1), and headers contain the options of both ends.
    /// The sender decides the set-up of the connection, the loss detection (and therefore SACK), and whether marks are
    /// echoed. The receiver uses these settings of the sender. The receiver decides its window and its delayed
    /// acknowledgements. The sender knows both.
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

    /// Payload of a full segment, and size of the headers. If the two ends do not agree on timestamps, the payload
    /// takes the bytes of the option.
    fn sizes(&self, timestamps: bool) -> (u32, u32) {
        let room = if self.timestamps && !timestamps { TIMESTAMPS.min(self.header) } else { 0 };
        (self.mss + room, self.header - room)
    }

    /// The signals that a sender with these settings provides to a controller. Without SACK, the acknowledgements of
    /// probes would look like duplicate ACKs, so there are no probes. With the echo of DCTCP and with AccECN, each mark
    /// is reported.
    pub fn platform(&self) -> Platform {
        let selective =
            matches!(self.recovery, Recovery::Sack | Recovery::RackTlp) && self.timeouts != Timeouts::Ns2;
        let ecn = if self.ecn.is_some_and(Ecn::tells_each) { Signals::ECN } else { Signals::NONE };
        let plain = if selective { Platform::TCP } else { Platform::TCP.without(Signals::PROBE) };
        plain.with(ecn).limiting_growth(self.growth_limit)
    }

    /// Number of bytes that fit into a SYN. It is the size of a full packet minus the longest headers (IP 20, TCP 60),
    /// as in Linux (`tcp_send_syn_data()`). If the application writes its data gradually, no data are available for the
    /// SYN.
    pub(crate) fn syn_room(&self) -> u32 {
        const LONGEST_HEADERS: u32 = 80;
        let fast = self.setup == Setup::FastOpen && self.trickle.is_none();
        if fast { (self.mss + self.header).saturating_sub(LONGEST_HEADERS).min(self.mss) } else { 0 }
    }

    /// Whether recovery uses PRR.
    pub fn uses_prr(&self) -> bool {
        self.prr.unwrap_or(self.recovery == Recovery::RackTlp)
    }

    /// The shift of the window field in the header (RFC 7323, section 2.3). It is large enough for the receiver's
    /// largest window, and at most 14.
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

    /// The receive window at the start, in whole segments. It is at least one. An unlimited window is represented by
    /// 2^30 segments. This is larger than any window, and at most half of the range of 32-bit sequence numbers.
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
