// SPDX-License-Identifier: MIT OR Apache-2.0
//! Independent parts of loss recovery: how many segments may be sent (PRR and its predecessors), loss detection by time
//! (RACK), and detection of spurious losses (undo).

pub(crate) mod again;
pub(crate) mod fall_floyd;
pub(crate) mod halving;
pub(crate) mod prr;
pub(crate) mod rack;
pub(crate) mod undo;

use crate::Repair;
use fall_floyd::Pipe;
use halving::RateHalving;
use prr::Prr;

/// The rule that decides how many segments may be sent during an episode, if this is not RFC 6675's rule.
#[derive(Clone, Debug, saved::Plain)]
pub(crate) enum Release {
    Prr(Prr),
    FallFloyd(Pipe),
    RateHalving(RateHalving),
}

/// The information about losses in one acknowledgement.
#[derive(Clone, Copy, Debug)]
pub(crate) struct News {
    /// Number of segments that the acknowledgement newly covers.
    pub segments: u64,
    /// Whether the cumulative acknowledgement advanced.
    pub advanced: bool,
    /// Whether the acknowledgement shows a further loss.
    pub lost: bool,
    /// Whether the acknowledgement begins the episode.
    pub first: bool,
}

impl Release {
    /// Creates the rule at the beginning of an episode. The arguments are the numbers of segments that are outstanding,
    /// SACKed and in flight. The result is `None` for RFC 6675. With rate halving, at least `least` segments may always
    /// be in flight.
    pub(crate) fn of_repair(
        repair: Repair,
        outstanding: u64,
        sacked: u64,
        in_flight: u64,
        least: u64,
    ) -> Option<Self> {
        match repair {
            Repair::Rfc6675 => None,
            Repair::FallFloyd => Some(Self::FallFloyd(Pipe::new(outstanding, sacked))),
            Repair::RateHalving => Some(Self::RateHalving(RateHalving::new(in_flight, least))),
        }
    }

    /// Processes an acknowledgement. After this acknowledgement, `in_flight` segments are in flight. The window is
    /// `window` segments.
    pub(crate) fn on_ack(&mut self, news: News, in_flight: u64, window: u64) {
        match self {
            Self::Prr(prr) => prr.on_ack(news.segments, in_flight, window, news.advanced && !news.lost),
            _ if news.first => {}
            Self::FallFloyd(pipe) => pipe.on_ack(news.advanced),
            Self::RateHalving(halving) => halving.on_ack(news.advanced, in_flight),
        }
    }

    /// Records that a segment was sent. `in_flight` includes this segment.
    pub(crate) fn on_sent(&mut self, in_flight: u64) {
        match self {
            Self::Prr(prr) => prr.on_sent(),
            Self::FallFloyd(pipe) => pipe.on_sent(),
            Self::RateHalving(halving) => halving.on_sent(in_flight),
        }
    }

    /// Whether one more segment may be sent, if the window is `window` segments.
    pub(crate) fn lets_out(&self, in_flight: u64, window: u64) -> bool {
        match self {
            Self::Prr(prr) => prr.budget() > 0,
            Self::FallFloyd(pipe) => pipe.segments() < window,
            Self::RateHalving(halving) => in_flight < halving.window(window),
        }
    }

    /// Number of segments that may be sent at once, if at least one segment may be sent.
    pub(crate) fn segments(&self) -> u64 {
        match self {
            Self::Prr(prr) => prr.budget(),
            Self::FallFloyd(_) | Self::RateHalving(_) => 1,
        }
    }

    /// Number of SACKed segments above a hole that indicates a loss, if this number differs from the setting. For Fall
    /// and Floyd's sender, every hole below a SACKed segment is a loss. This was measured: ns-2 repairs a hole when two
    /// segments above it are SACKed.
    pub(crate) fn dup_thresh(&self) -> Option<u32> {
        matches!(self, Self::FallFloyd(_)).then_some(1)
    }

    /// Returns the rule that applies after the losses are repaired.
    pub(crate) fn repaired(self, in_flight: u64, window: u64) -> Option<Self> {
        match self {
            Self::Prr(_) | Self::FallFloyd(_) => None,
            Self::RateHalving(halving) => halving.repaired(in_flight, window).map(Self::RateHalving),
        }
    }

    /// Whether this rule has ended, so that only the controller's window limits sending.
    pub(crate) fn is_over(&self, window: u64) -> bool {
        matches!(self, Self::RateHalving(halving) if halving.is_over(window))
    }
}
