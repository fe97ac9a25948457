// SPDX-License-Identifier: MIT OR Apache-2.0
//! Loss verdicts: parts that distinguish link errors from losses to congestion, for any window rule.
//!
//! The frame requests a verdict at the first loss of a possible episode. After the verdict "link error", the packet is
//! retransmitted and the window is unchanged. The part then judges the next loss too. Without enough information, the
//! verdict is congestion.

mod backlog;
mod gap;
mod handover;
mod queueing;
mod warning;

pub use backlog::Backlog;
pub use gap::Gap;
pub use handover::{Handover, JudgedBy, Parameters as HandoverParameters, Schedule};
pub use queueing::{Parameters as QueueingParameters, Queueing};
pub use warning::Warning;

use crate::{Ack, Loss, LossTrigger, LossVerdict, PathChange, Signals, Snapshot};
use units::Time;

/// The part that judges losses.
#[derive(Clone, Debug, saved::Plain)]
pub enum LossJudge {
    /// Every loss is congestion.
    Congestion,
    /// Hybla-IM: compares the queueing delay before the hole with its long-run mean.
    QueueingDelay(Box<Queueing>),
    /// StarQUIC: whether the loss occurred close to a handover.
    Handover(Box<Handover>),
    /// TCP-Jersey: whether the routers have sent a warning.
    Warning(Warning),
    /// Veno: the number of segments that wait on the path.
    Backlog(Backlog),
    /// Vegas-W: compares the send gap with the ACK gap of the two packets before the hole.
    Gap(Box<Gap>),
}

impl LossJudge {
    /// Signals that the verdict requires.
    pub fn requires(&self) -> Signals {
        match self {
            Self::Congestion => Signals::NONE,
            Self::QueueingDelay(part) => part.requires(),
            Self::Handover(part) => part.requires(),
            Self::Warning(part) => part.requires(),
            Self::Backlog(part) => part.requires(),
            Self::Gap(part) => part.requires(),
        }
    }

    /// Processes an ACK.
    pub fn observe(&mut self, ack: &Ack<'_>) {
        match self {
            Self::Congestion | Self::Handover(_) => {}
            Self::QueueingDelay(part) => part.on_ack(ack),
            Self::Warning(part) => part.on_ack(ack),
            Self::Backlog(part) => part.on_ack(ack),
            Self::Gap(part) => part.on_ack(ack),
        }
    }

    /// Processes a change of the path.
    pub fn path(&mut self, event: &PathChange) {
        if let Self::Handover(part) = self {
            part.path(event);
        }
    }

    /// Judges the first loss of a possible episode. An ECN mark is always congestion.
    pub fn judge(&mut self, loss: &Loss<'_>) -> LossVerdict {
        if loss.trigger == LossTrigger::Ecn {
            return LossVerdict::Congestion;
        }
        match self {
            Self::Congestion => LossVerdict::Congestion,
            Self::QueueingDelay(part) => part.judge(loss),
            Self::Handover(part) => part.judge(loss),
            Self::Warning(part) => part.judge(loss),
            Self::Backlog(part) => part.judge(loss),
            Self::Gap(part) => part.judge(loss),
        }
    }

    /// Judges a timeout or persistent congestion at `now`. After the verdict "link error", window and threshold are
    /// unchanged.
    pub fn judge_timeout(&mut self, now: Time) -> LossVerdict {
        match self {
            Self::Handover(part) => part.judge_timeout(now),
            _ => LossVerdict::Congestion,
        }
    }

    /// Values for traces.
    pub fn snapshot(&self, out: &mut Snapshot) {
        match self {
            Self::Congestion => {}
            Self::QueueingDelay(part) => part.snapshot(out),
            Self::Handover(part) => part.snapshot(out),
            Self::Warning(part) => part.snapshot(out),
            Self::Backlog(part) => part.snapshot(out),
            Self::Gap(part) => part.snapshot(out),
        }
    }
}

/// How many times each verdict was given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub struct Verdicts {
    congestion: u64,
    link_error: u64,
}

impl Verdicts {
    /// No verdict yet.
    pub const NONE: Self = Self { congestion: 0, link_error: 0 };

    /// Counts `verdict` and returns it.
    pub const fn count(&mut self, verdict: LossVerdict) -> LossVerdict {
        match verdict {
            LossVerdict::Congestion => self.congestion += 1,
            LossVerdict::LinkError => self.link_error += 1,
        }
        verdict
    }

    /// Values for traces.
    pub fn snapshot(&self, out: &mut Snapshot) {
        out.push(("verdicts_congestion", self.congestion as f64));
        out.push(("verdicts_link_error", self.link_error as f64));
    }
}
