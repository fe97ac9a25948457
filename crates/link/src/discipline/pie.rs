// SPDX-License-Identifier: MIT OR Apache-2.0
//! PIE (RFC 8033). Arriving packets are dropped or marked at random. A controller with a proportional and an integral
//! term adjusts the probability, so that packets wait for the target time.
//!
//! The code follows the pseudo-code of appendix A. It also has the optional parts of appendix B that change which
//! packets are dropped: marks (section 5.1), the departure rate (5.2), derandomization (5.4) and bounded steps (5.5).
//! PIE is always active. Section 5.3 is not implemented, because the burst allowance has the same effect. Names in
//! capital letters and names that end with `_` are those of the RFC.
//!
//! As in Linux (`sch_pie`), the wait in an empty queue is zero. According to the pseudo-code alone, the wait of the
//! last packet that left would be kept. The drop probability would then grow while the link is idle.

use super::tail::Tail;
use super::{ActiveQueue, Amount, Entry, QueueContext, Settings};
use crate::{Lost, Parcel};
use units::{Span, Time};

/// Settings of PIE.
#[derive(Clone, Copy, Debug, PartialEq, saved::Plain)]
pub struct Pie {
    /// QDELAY_REF: target of the waiting time.
    pub target: Span,
    /// T_UPDATE: interval between two updates of the probability.
    pub update: Span,
    /// Weight of the difference between the wait and its target, in 1/s.
    pub alpha: f64,
    /// Weight of the change of the wait, in 1/s.
    pub beta: f64,
    /// MAX_BURST: time without drops after the queue has been short.
    pub burst: Span,
    /// MAX_ECNTH: if the probability is at least this value, ECN-capable packets are dropped instead of marked.
    pub mark_below: f64,
    /// Method that measures the wait.
    pub estimate: WaitEstimate,
}

/// Method that a queue uses to measure the wait of packets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub enum WaitEstimate {
    /// The wait of the packet that left last (RFC 8033, section 4.3).
    #[default]
    Timestamp,
    /// The waiting bytes divided by the departure rate (section 5.2).
    DepartureRate,
}

impl Settings for Pie {
    // RFC 8033, appendices A and B.
    const DEFAULT: Self = Self {
        target: Span::from_millis(15),
        update: Span::from_millis(15),
        alpha: 0.125,
        beta: 1.25,
        burst: Span::from_millis(150),
        mark_below: 0.1,
        estimate: WaitEstimate::Timestamp,
    };
    fn draws(&self) -> bool {
        // If both weights are zero, the probability stays zero.
        self.alpha > 0.0 || self.beta > 0.0
    }
    fn queue(self) -> Box<dyn ActiveQueue> {
        Box::new(PieQueue::new(self))
    }
}

/// The RFC does not specify MEAN_PKTSIZE. As in Linux, it is the size of an Ethernet frame. While at most two such
/// frames wait, no packet is dropped.
const MEAN_PKTSIZE: u64 = 1514;
/// Number of bytes in one measurement of the departure rate.
const DQ_THRESHOLD: u64 = 1 << 14;

/// A queue that PIE controls.
#[derive(Clone, Debug, saved::Plain)]
struct PieQueue {
    settings: Pie,
    tail: Tail,
    /// Time of the next update of the probability.
    update_at: Time,
    drop_prob: f64,
    /// Sum of the probabilities of the packets since the last drop.
    accu_prob: f64,
    /// Wait of the packet that left last, or zero if the queue is empty.
    current_qdelay: Span,
    qdelay_old: Span,
    burst_allowance: Span,
    rate: DepartureRate,
}

/// Measurement of the departure rate, as in RFC 8033.
#[derive(Clone, Debug, Default, saved::Plain)]
struct DepartureRate {
    /// Start of the current measurement, and number of bytes that have left since then.
    measurement: Option<(Time, u64)>,
    /// Mean time for DQ_THRESHOLD bytes, in seconds, or 0 if it is not known yet.
    avg_dq_time: f64,
}

impl DepartureRate {
    // RFC 8033, appendix B (`deque`). `waiting` is the number of bytes that remain in the queue.
    fn departed(&mut self, now: Time, size: u16, waiting: u64) {
        if let Some((start, dq_count)) = &mut self.measurement {
            *dq_count += u64::from(size);
            if *dq_count >= DQ_THRESHOLD {
                let dq_time = now.since(*start).secs_f64();
                let weight = DQ_THRESHOLD as f64 / 65_536.0;
                self.avg_dq_time = if self.avg_dq_time == 0.0 {
                    dq_time
                } else {
                    dq_time * weight + self.avg_dq_time * (1.0 - weight)
                };
                self.measurement = None;
            }
        }
        if waiting >= DQ_THRESHOLD && self.measurement.is_none() {
            self.measurement = Some((now, 0));
        }
    }
}

impl PieQueue {
    fn new(settings: Pie) -> Self {
        Self {
            settings,
            tail: Tail::default(),
            update_at: Time::ZERO + settings.update,
            drop_prob: 0.0,
            accu_prob: 0.0,
            current_qdelay: Span::ZERO,
            qdelay_old: Span::ZERO,
            burst_allowance: Span::ZERO,
            rate: DepartureRate::default(),
        }
    }

    /// Performs all updates of the probability that are due by `now`. Their inputs do not change between two events of
    /// a link, so the updates can be computed afterwards.
    fn catch_up(&mut self, now: Time) {
        while self.update_at <= now {
            self.calculate_drop_prob();
            let quiet =
                self.drop_prob == 0.0 && self.qdelay_old == Span::ZERO && self.tail.amount().packets == 0;
            let steps =
                if quiet { now.since(self.update_at).nanos() / self.settings.update.nanos() } else { 0 };
            self.update_at += self.settings.update * (steps + 1);
        }
    }

    // RFC 8033, appendix A (`calculate_drop_prob`), with the bound of section 5.5.
    fn calculate_drop_prob(&mut self) {
        let Pie { target, alpha, beta, update, estimate, .. } = self.settings;
        if estimate == WaitEstimate::DepartureRate {
            let waiting = self.tail.amount().bytes;
            self.current_qdelay =
                Span::from_secs_f64(waiting as f64 * self.rate.avg_dq_time / DQ_THRESHOLD as f64);
        }
        let (current, old) = (self.current_qdelay.secs_f64(), self.qdelay_old.secs_f64());
        let mut p = alpha * (current - target.secs_f64()) + beta * (current - old);
        p /= scale(self.drop_prob);
        if self.drop_prob >= 0.1 {
            p = p.min(0.02);
        }
        self.drop_prob += p;
        if self.current_qdelay == Span::ZERO && self.qdelay_old == Span::ZERO {
            self.drop_prob *= 0.98;
        }
        self.drop_prob = self.drop_prob.clamp(0.0, 1.0);
        self.qdelay_old = self.current_qdelay;
        self.burst_allowance = self.burst_allowance.saturating_sub(update);
    }

    // RFC 8033, appendix B (`drop_early`). Returns whether to drop or mark the arriving packet.
    fn drop_early(&mut self, context: &mut QueueContext<'_>) -> bool {
        let short = self.qdelay_old < self.settings.target / 2 && self.drop_prob < 0.2;
        if short || self.tail.amount().bytes <= 2 * MEAN_PKTSIZE {
            return false;
        }
        if self.drop_prob == 0.0 {
            self.accu_prob = 0.0;
        }
        self.accu_prob += self.drop_prob;
        if self.accu_prob < 0.85 {
            return false;
        }
        let drop = self.accu_prob >= 8.5 || context.random() < self.drop_prob;
        if drop {
            self.accu_prob = 0.0;
        }
        drop
    }
}

/// Factor that reduces the steps of a small probability.
// RFC 8033, section 4.2.
fn scale(drop_prob: f64) -> f64 {
    const TABLE: [(f64, f64); 6] =
        [(1e-6, 2048.0), (1e-5, 512.0), (1e-4, 128.0), (1e-3, 32.0), (1e-2, 8.0), (1e-1, 2.0)];
    TABLE.into_iter().find(|&(below, _)| drop_prob < below).map_or(1.0, |(_, by)| by)
}

impl ActiveQueue for PieQueue {
    // RFC 8033, appendix A (`enque`), with the marks of appendix B.
    fn push(&mut self, parcel: Parcel, _sender: u64, context: &mut QueueContext<'_>) -> Result<(), Lost> {
        self.catch_up(context.now());
        let half = self.settings.target / 2;
        if self.drop_prob == 0.0 && self.current_qdelay < half && self.qdelay_old < half {
            self.burst_allowance = self.settings.burst;
        }
        if self.burst_allowance == Span::ZERO && self.drop_early(context) {
            let may_mark = self.drop_prob < self.settings.mark_below;
            if !(may_mark && context.mark(parcel)) {
                return Err(Lost::Refused);
            }
        }
        self.tail.push(context.now(), parcel);
        Ok(())
    }

    // RFC 8033, appendices A and B (`deque`).
    fn pop(&mut self, context: &mut QueueContext<'_>) -> Option<Entry> {
        let now = context.now();
        self.catch_up(now);
        let (offered, parcel) = self.tail.pop()?;
        let Amount { packets, bytes } = self.tail.amount();
        match self.settings.estimate {
            WaitEstimate::Timestamp => {
                self.current_qdelay = if packets == 0 { Span::ZERO } else { now.since(offered) };
            }
            WaitEstimate::DepartureRate => self.rate.departed(now, parcel.size, bytes),
        }
        Some((offered, parcel))
    }

    fn amount(&self) -> Amount {
        self.tail.amount()
    }

    fn drain(&mut self) -> Vec<Entry> {
        self.tail.drain()
    }
}

#[cfg(test)]
mod linux;
#[cfg(test)]
mod tests;
