// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parts that the *twins* of Linux's modules share. A twin is a controller that follows a module of Linux exactly. The
//! parts define which kernel a twin follows, and how this kernel counts segments until the window grows by one.
//!
//! [`Reading::Linux`] is Linux 6.1 (`net/ipv4/`). [`Reading::Ns2`] is Linux 2.6.22 as TCP-Linux runs it in ns-2.35
//! (`tcp/linux/src/`, `tcp/tcp-linux.cc`). Papers of that time used ns-2.35. Where Linux 6.1 counts segments, Linux
//! 2.6.22 counts ACKs, also in slow start. ns-2 does not inform a module when a recovery ends.

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

/// The parameter `reading`: the kernel that the twin follows.
pub(crate) const READING: Parameter = parameter(
    "reading",
    &word::<Reading>("6.1"),
    READING_SOURCE,
    "\"ns-2\" follows ns-2's TCP-Linux and counts ACKs; \"6.1\" counts segments",
);

impl Reading {
    /// How many of `counted` segments an ACK counts in slow start (`tcp_slow_start`; in ns-2 with `sysctl_tcp_abc` =
    /// 1).
    pub(crate) fn slow_start(self, counted: f64) -> f64 {
        if self == Self::Ns2 { counted.min(1.0) } else { counted }
    }
}

/// Segments counted since the window last grew (`snd_cwnd_cnt`).
#[derive(Clone, Copy, Debug, saved::Plain)]
pub(crate) struct Credit(u64);

impl Credit {
    /// No segments counted.
    pub(crate) const NONE: Self = Self(0);

    /// Processes an ACK of `acked` segments for a window that grows by one segment per `count` segments. Returns the
    /// growth in segments.
    pub(crate) fn grow(&mut self, reading: Reading, acked: f64, count: u64) -> u64 {
        let count = count.max(1);
        match reading {
            Reading::Linux => {
                // tcp_cong_avoid_ai: if `count` has shrunk, all segments counted so far grow the window by one.
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
                // bictcp_cong_avoid of 2.6.22 does not count the ACK that grows the window.
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

/// One millisecond, the unit of TCP's timestamps (`TCP_TS_HZ` = 1000), in ns.
const TIMESTAMP_NS: u64 = 1_000_000;

/// Returns the RTT that the function `pkts_acked` of a module receives (`tcp_clean_rtx_queue`, `tcp_ack_update_rtt`).
///
/// An ACK that covers a retransmission does not give an RTT sample by itself. The kernel then uses the difference of
/// two timestamps. Timestamps count milliseconds, and the difference is at least 1 ms. In a recovery, every ACK that
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

/// One segment per ACK in the fixed-point format of [`AckRatio`] (`1 << ACK_RATIO_SHIFT`).
const ACK_RATIO: u64 = 16;

/// Smoothed number of segments per ACK in sixteenths (`delayed_ack`), used by BIC and by the first CUBIC.
#[derive(Clone, Copy, Debug, saved::Plain)]
pub(crate) struct AckRatio(u64);

impl AckRatio {
    /// Two segments per ACK, the initial value.
    pub(crate) const NONE: Self = Self(2 * ACK_RATIO);

    /// Processes an ACK (`bictcp_acked`, in state Open). Segments have `mss` bytes.
    pub(crate) fn observe(&mut self, ack: &Ack<'_>, mss: u32) {
        if !ack.in_recovery && ack.advance() > Bytes::ZERO {
            // delayed_ack += acked - delayed_ack / 16
            self.0 = self.0 - self.0 / ACK_RATIO + ack.advance().segments(mss) as u64;
        }
    }

    /// Converts `count` segments to a number of ACKs, at least 1.
    pub(crate) fn divide(self, count: u64) -> u64 {
        (count * ACK_RATIO / self.0.max(1)).max(1)
    }

    /// Segments per ACK.
    pub(crate) fn get(self) -> f64 {
        self.0 as f64 / ACK_RATIO as f64
    }
}
