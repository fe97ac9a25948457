// SPDX-License-Identifier: MIT OR Apache-2.0
//! What can be chosen about the transport.

use crate::Preset;
use control::{SavedPath, Signals};
use units::{Bytes, Rate, Span};

/// How losses are found and repaired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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

/// Explicit congestion notification: how marks come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ecn {
    /// RFC 3168: every acknowledgement says that something was marked, until the sender says that it has cut.
    Classic,
    /// RFC 8257: every acknowledgement says whether what it acknowledges was marked.
    Dctcp,
}

/// Delayed acknowledgements (RFC 1122, 5681).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DelayedAck {
    /// Acknowledge at least every so many segments.
    pub every: u32,
    /// Hold an ACK back at most so long.
    pub at_most: Span,
}

/// What the application sends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Transfer {
    /// Data without end.
    #[default]
    Endless,
    /// So many bytes, then the flow is complete.
    Finite(Bytes),
}

/// An application that writes slowly at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trickle {
    /// Rate at which data becomes available.
    pub rate: Rate,
    /// So long after the connection's start all the rest is there at once.
    pub lasts: Span,
}

/// Settings of one TCP connection.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Where the settings began.
    pub preset: Preset,
    /// Payload bytes of a full segment.
    pub mss: u32,
    /// Header bytes of every packet (IP 20 + TCP 20 + timestamps 12).
    pub header: u32,
    /// Initial window in segments (RFC 6928: 10).
    pub initial_window: u32,
    /// Loss detection and repair.
    pub recovery: Recovery,
    /// Proportional rate reduction (RFC 9937) instead of the plain pipe rule; `None`: with RACK, for which it is
    /// recommended (RFC 8985, section 9.3; RFC 9937, section 5).
    pub prr: Option<bool>,
    /// Limited transmit (RFC 3042).
    pub limited_transmit: bool,
    /// Undo reductions that prove spurious (timestamps, DSACK).
    pub undo: bool,
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
    /// G of RFC 6298, (2.3): 4 RTTVAR counts for no less in the timeout (nor for more than `min_rto`, if that is smaller).
    /// Linux's is TCP_RTO_MIN. In a simulator without noise RTTVAR decays to nothing: with G near zero every fast recovery
    /// on a path longer than `min_rto` would end in a timeout.
    pub clock: Span,
    /// Duplicate ACKs (SACKed segments above a hole) that mean a loss.
    pub dup_thresh: u32,
    /// The receiver's window; `None` is unlimited.
    pub receive_window: Option<Bytes>,
    /// What an earlier connection over this path left (Careful Resume, RFC 9959).
    pub saved_path: Option<SavedPath>,
    /// The application writes slowly at first; `None`: all its data is there from the start.
    pub trickle: Option<Trickle>,
    /// For what a controller leaves to chance.
    pub seed: u64,
}

impl Default for Config {
    fn default() -> Self {
        Preset::default().config()
    }
}

impl Config {
    /// The settings that every preset begins from.
    pub(crate) const fn bare() -> Self {
        Self {
            preset: Preset::Bentpipe01,
            mss: 1448,
            header: 52,
            initial_window: 10,
            recovery: Recovery::Sack,
            prr: None,
            limited_transmit: true,
            undo: true,
            delayed_ack: None,
            ecn: None,
            min_rto: Span::from_millis(200),
            max_rto: Span::from_secs(60),
            initial_rto: Span::from_secs(1),
            clock: Span::from_millis(200),
            dup_thresh: 3,
            receive_window: None,
            saved_path: None,
            trickle: None,
            seed: 0,
        }
    }

    /// Signals that a sender with these settings gives: without SACK what a probe brings looks like three duplicate
    /// ACKs, so there are no probes; each single mark is reported by DCTCP's echo alone.
    pub fn provides(&self) -> Signals {
        let selective = matches!(self.recovery, Recovery::Sack | Recovery::RackTlp);
        let ecn = if self.ecn == Some(Ecn::Dctcp) { Signals::ECN } else { Signals::NONE };
        let plain = if selective { crate::PROVIDES } else { crate::PROVIDES.missing_from(Signals::PROBE) };
        plain | ecn
    }

    /// Whether recovery follows PRR.
    pub fn uses_prr(&self) -> bool {
        self.prr.unwrap_or(self.recovery == Recovery::RackTlp)
    }

    /// The receiver's window in whole segments, at least one. "Unlimited" is 2^30 segments: more than any window,
    /// and half of what 32-bit sequence numbers can tell apart.
    pub(crate) fn window_segments(&self) -> u32 {
        const UNLIMITED: u64 = 1 << 30;
        let segments = self.receive_window.map_or(UNLIMITED, |bytes| bytes.get() / u64::from(self.mss));
        segments.clamp(1, UNLIMITED) as u32
    }
}
