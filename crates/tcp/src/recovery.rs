// SPDX-License-Identifier: MIT OR Apache-2.0
//! Independent parts of loss recovery: how much may be sent (PRR and its predecessors), losses by time (RACK), and
//! whether a loss was spurious (undo).

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

/// The rule that lets segments out during an episode instead of RFC 6675's pipe.
#[derive(Clone, Debug, saved::Plain)]
pub(crate) enum Release {
    Prr(Prr),
    FallFloyd(Pipe),
    RateHalving(RateHalving),
}

/// The news of an acknowledgement about the losses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct News {
    /// Segments that it newly covers.
    pub segments: u64,
    /// Whether it was cumulative.
    pub advanced: bool,
    /// Whether it showed a loss.
    pub lost: bool,
    /// Whether it began the episode.
    pub first: bool,
}

impl Release {
    /// Begins an episode with these numbers of segments outstanding, SACKed and in flight; `None` means RFC 6675. Rate
    /// halving leaves at least `least` in flight.
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

    /// An acknowledgement brought news; afterwards `in_flight` segments are in flight under a window of `window`
    /// segments.
    pub(crate) fn on_ack(&mut self, news: News, in_flight: u64, window: u64) {
        match self {
            Self::Prr(prr) => prr.on_ack(news.segments, in_flight, window, news.advanced && !news.lost),
            _ if news.first => {}
            Self::FallFloyd(pipe) => pipe.on_ack(news.advanced),
            Self::RateHalving(halving) => halving.on_ack(news.advanced, in_flight),
        }
    }

    /// A segment was sent; with it this number is in flight.
    pub(crate) fn on_sent(&mut self, in_flight: u64) {
        match self {
            Self::Prr(prr) => prr.on_sent(),
            Self::FallFloyd(pipe) => pipe.on_sent(),
            Self::RateHalving(halving) => halving.on_sent(in_flight),
        }
    }

    /// Whether one segment more may leave under a window of `window` segments.
    pub(crate) fn lets_out(&self, in_flight: u64, window: u64) -> bool {
        match self {
            Self::Prr(prr) => prr.budget() > 0,
            Self::FallFloyd(pipe) => pipe.segments() < window,
            Self::RateHalving(halving) => in_flight < halving.window(window),
        }
    }

    /// Segments that may be sent at once, if one may.
    pub(crate) fn segments(&self) -> u64 {
        match self {
            Self::Prr(prr) => prr.budget(),
            Self::FallFloyd(_) | Self::RateHalving(_) => 1,
        }
    }

    /// Number of SACKed segments above a hole that mean it is lost, if it differs from the setting. For Fall and
    /// Floyd's sender every hole below a SACKed segment is missing (measured: ns-2 repairs one with two SACKed above
    /// it).
    pub(crate) fn dup_thresh(&self) -> Option<u32> {
        matches!(self, Self::FallFloyd(_)).then_some(1)
    }

    /// The rule that continues when the losses are repaired.
    pub(crate) fn repaired(self, in_flight: u64, window: u64) -> Option<Self> {
        match self {
            Self::Prr(_) | Self::FallFloyd(_) => None,
            Self::RateHalving(halving) => halving.repaired(in_flight, window).map(Self::RateHalving),
        }
    }

    /// Whether the controller's window alone counts again.
    pub(crate) fn is_over(&self, window: u64) -> bool {
        matches!(self, Self::RateHalving(halving) if halving.is_over(window))
    }
}
