// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parts that the twins of Linux's modules share: which kernel a twin follows, and how this kernel counts segments
//! until the window grows by one.
//!
//! [`Reading::Linux`] is Linux 6.1 (`net/ipv4/`). [`Reading::Ns2`] is Linux 2.6.22 as TCP-Linux runs it in ns-2.35
//! (`tcp/linux/src/`, `tcp/tcp-linux.cc`), which papers of that time used. It counts ACKs where Linux 6.1 counts
//! segments, also in slow start. ns-2 does not inform a module when a recovery ends.

use crate::Ack;
use crate::catalogue::parameters::{kinds::word, parameter};
use crate::catalogue::{Parameter, words};
use units::{Bytes, Span, Time};

/// The kernel that a twin follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum Reading {
    /// Linux 6.1.
    Linux,
    /// Linux 2.6.22 in ns-2.35.
    Ns2,
}

words! { Reading { Linux = "6.1", Ns2 = "ns-2" } }

/// Whether the controller follows the paper or Linux's code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum PaperOrLinux {
    /// The paper.
    Paper,
    /// Linux 6.1.
    Linux,
}

words! { PaperOrLinux { Paper = "paper", Linux = "6.1" } }

/// The source of [`READING`].
pub(crate) const READING_SOURCE: &str = "Linux 6.1; Linux 2.6.22 as TCP-Linux runs it in ns-2.35 (ns-2)";

/// `reading`: one of the two kernels.
pub(crate) const READING: Parameter = parameter(
    "reading",
    &word::<Reading>("6.1"),
    READING_SOURCE,
    "\"ns-2\" follows ns-2's TCP-Linux, which counts ACKs where today's kernel counts segments",
);

impl Reading {
    /// Number of segments that an ACK counts in slow start, of `counted` segments (`tcp_slow_start`; in ns-2 with
    /// `sysctl_tcp_abc` = 1).
    pub(crate) fn slow_start(self, counted: f64) -> f64 {
        if self == Self::Ns2 { counted.min(1.0) } else { counted }
    }
}

/// Segments counted since the window last grew (`snd_cwnd_cnt`).
#[derive(Clone, Copy, Debug, saved::Plain)]
pub(crate) struct Credit(u64);

impl Credit {
    /// No segment counted.
    pub(crate) const NONE: Self = Self(0);

    /// Returns the segments by which an ACK of `acked` segments grows a window that grows by one per `count` segments.
    pub(crate) fn grow(&mut self, reading: Reading, acked: f64, count: u64) -> u64 {
        let count = count.max(1);
        match reading {
            Reading::Linux => {
                // tcp_cong_avoid_ai: segments counted at a larger `count` are worth one segment in total.
                // segment.
                let gentle = u64::from(self.0 >= count);
                if gentle == 1 {
                    self.0 = 0;
                }
                self.0 += acked as u64;
                let grown = self.0 / count;
                self.0 %= count;
                gentle + grown
            }
            Reading::Ns2 => {
                // bictcp_cong_avoid of 2.6.22: the ACK that grows the window is not counted.
                let grown = u64::from(self.0 >= count);
                self.0 = if grown == 1 { 0 } else { self.0 + 1 };
                grown
            }
        }
    }

    /// Clears the count at a reduction or a timeout (`tcp_init_cwnd_reduction`, `tcp_enter_loss`;
    /// `tcp_fastretrans_alert` of ns-2).
    pub(crate) const fn clear(&mut self) {
        self.0 = 0;
    }
}

/// A millisecond of TCP's timestamps (`TCP_TS_HZ` = 1000), ns.
const TIMESTAMP_NS: u64 = 1_000_000;

/// The RTT that `pkts_acked` of a module receives (`tcp_clean_rtx_queue`, `tcp_ack_update_rtt`).
///
/// An ACK that covers a retransmission has no RTT sample of its own. The kernel then uses the difference of two
/// timestamps. Timestamps count milliseconds, and the difference is at least 1 ms. In a recovery, every ACK that
/// advances covers a retransmission. ACKs that name each packet are unambiguous (RFC 9002, section 4.2).
pub(crate) fn sampled_rtt(ack: &Ack<'_>) -> Option<Span> {
    let rtt = ack.rtt?;
    if !ack.in_recovery || ack.cumulative.is_none_or(|cumulative| cumulative == Bytes::ZERO) {
        return Some(rtt);
    }
    let [now, sent] =
        [ack.now.nanos(), ack.now.since(Time::ZERO).saturating_sub(rtt).nanos()].map(|at| at / TIMESTAMP_NS);
    Some(Span::from_nanos((now - sent).max(1) * TIMESTAMP_NS))
}

/// One segment per ACK, in the fixed point of [`AckRatio`] (`1 << ACK_RATIO_SHIFT`).
const ACK_RATIO: u64 = 16;

/// Smoothed segments per ACK in sixteenths (`delayed_ack`), used by BIC and by the first CUBIC.
#[derive(Clone, Copy, Debug, saved::Plain)]
pub(crate) struct AckRatio(u64);

impl AckRatio {
    /// Two segments per ACK, the initial value.
    pub(crate) const NONE: Self = Self(2 * ACK_RATIO);

    /// Processes an ACK; segments have `mss` bytes (`bictcp_acked`, in state Open).
    pub(crate) fn observe(&mut self, ack: &Ack<'_>, mss: u32) {
        if !ack.in_recovery && ack.advance() > Bytes::ZERO {
            // delayed_ack += acked - delayed_ack / 16
            self.0 = self.0 - self.0 / ACK_RATIO + ack.advance().segments(mss) as u64;
        }
    }

    /// Converts `count` segments to ACKs; at least 1.
    pub(crate) fn divide(self, count: u64) -> u64 {
        (count * ACK_RATIO / self.0.max(1)).max(1)
    }

    /// Segments per ACK.
    pub(crate) fn get(self) -> f64 {
        self.0 as f64 / ACK_RATIO as f64
    }
}
