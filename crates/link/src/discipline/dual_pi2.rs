// SPDX-License-Identifier: MIT OR Apache-2.0
//! DualPI2 (RFC 9332, appendix A): one queue for packets of L4S senders (ECT(1), RFC 9331), and one queue for all other
//! packets, called classic. L4S packets are marked early and often. One base probability couples the two queues.
//! Classic packets are dropped or marked with the square of this probability. As a result, both kinds of senders get
//! about the same rate.
//!
//! The code follows the pseudo-code of the second pass (appendix A.2: low rates, overload). It is deterministic,
//! because a running sum spaces the marks and drops evenly (`recur`). Two options of appendix A.1 are not implemented:
//! the wait is not measured behind the head, and drops are not suppressed while the two queues contain fewer than two
//! packets. Names are those of the RFC. The two queues are `l` and `c`.

use super::tail::Tail;
use super::{ActiveQueue, Amount, Entry, QueueContext, Settings};
use crate::{Ecn, Lost, Parcel};
use units::{Span, Time};

/// Settings of DualPI2.
#[derive(Clone, Copy, Debug, PartialEq, saved::Plain)]
pub struct DualPi2 {
    /// Target of the waiting time in the classic queue.
    pub target: Span,
    /// RTT_max: the longest expected round-trip time.
    pub rtt_max: Span,
    /// k: the coupling factor. The marking probability of L4S is k times the base probability.
    pub coupling: f64,
    /// minTh: the wait at which the ramp begins to mark L4S packets. The ramp does not depend on the classic queue.
    pub ramp_from: Span,
    /// range: the length of the ramp. L4S packets that wait longer than the end of the ramp are always marked. Zero
    /// turns the ramp into a step.
    pub ramp_range: Span,
    /// Rule that selects the next queue.
    pub scheduler: DualScheduler,
}

/// Rule that selects which of the two queues sends next.
#[derive(Clone, Copy, Debug, PartialEq, saved::Plain)]
pub enum DualScheduler {
    /// Weighted round robin by bytes. While both queues contain packets, the classic queue gets this share of the link.
    Weighted {
        /// The share is above 0 and below 1.
        classic_share: f64,
    },
    /// The queue whose oldest packet has waited longest. A shift is added to the wait of L4S packets.
    TimeShifted {
        /// tshift: the shift that is added to the wait of L4S packets.
        shift: Span,
    },
}

impl DualScheduler {
    /// The weights of RFC 9332, appendix A.2.
    pub const WEIGHTED: Self = Self::Weighted { classic_share: 1.0 / 16.0 };
    /// The shift of RFC 9332, appendix A.2.
    pub const TIME_SHIFTED: Self = Self::TimeShifted { shift: Span::from_millis(50) };
}

impl Settings for DualPi2 {
    // RFC 9332, figure 2.
    const DEFAULT: Self = Self {
        target: Span::from_millis(15),
        rtt_max: Span::from_millis(100),
        coupling: 2.0,
        ramp_from: Span::from_micros(800),
        ramp_range: Span::from_micros(400),
        scheduler: DualScheduler::WEIGHTED,
    };
    const OVERTAKES: bool = true;
    fn draws(&self) -> bool {
        false
    }
    fn queue(self) -> Box<dyn ActiveQueue> {
        Box::new(DualPi2Queue::new(self))
    }
}

/// Size of an Ethernet frame, in bytes.
const MTU: f64 = 1514.0;
/// Th_len: if the L4S queue contains at most this number of packets, its own wait does not cause marks.
const TH_LEN: usize = 1;
const P_LMAX: f64 = 1.0;

/// A queue, and the running sum that spaces its marks and drops evenly.
#[derive(Clone, Debug, Default, saved::Plain)]
struct Side {
    tail: Tail,
    count: f64,
}

impl Side {
    // RFC 9332, figure 4 (`recur`).
    fn recur(&mut self, likelihood: f64) -> bool {
        self.count += likelihood;
        let due = self.count > 1.0;
        if due {
            self.count -= 1.0;
        }
        due
    }

    /// Wait of the oldest packet, or zero if the queue is empty.
    fn time(&self, now: Time) -> Span {
        self.tail.oldest().map_or(Span::ZERO, |(offered, _)| now.since(offered))
    }

    fn is_empty(&self) -> bool {
        self.tail.amount().packets == 0
    }
}

/// The two queues of a link.
#[derive(Clone, Debug, saved::Plain)]
struct DualPi2Queue {
    settings: DualPi2,
    l: Side,
    c: Side,
    tupdate: Span,
    update_at: Time,
    /// p': the base probability.
    p: f64,
    prevq: Span,
    /// Bytes that L4S has sent beyond its share while classic packets waited. If the credit is zero or negative, L4S
    /// sends next.
    credit: f64,
}

impl DualPi2Queue {
    fn new(settings: DualPi2) -> Self {
        // RFC 9332, figure 2, line 12.
        let tupdate = settings.target.min(settings.rtt_max / 3);
        let mut queue = Self {
            settings,
            l: Side::default(),
            c: Side::default(),
            tupdate,
            update_at: Time::ZERO + tupdate,
            p: 0.0,
            prevq: Span::ZERO,
            credit: 0.0,
        };
        queue.reset_credit();
        queue
    }

    /// Performs all updates of the probability that are due by `now`. Between two events of a link, only the waits
    /// change, so the updates can be computed afterwards.
    fn catch_up(&mut self, now: Time) {
        while self.update_at <= now {
            self.update();
            let quiet = self.p == 0.0 && self.prevq == Span::ZERO && self.amount().packets == 0;
            let steps = if quiet { now.since(self.update_at).nanos() / self.tupdate.nanos() } else { 0 };
            self.update_at += self.tupdate * (steps + 1);
        }
    }

    // RFC 9332, figure 8 (`dualpi2_update`); figure 2, lines 13 and 14.
    fn update(&mut self) {
        let at = self.update_at;
        let rtt_max = self.settings.rtt_max.secs_f64();
        let alpha = 0.1 * self.tupdate.secs_f64() / (rtt_max * rtt_max);
        let beta = 0.3 / rtt_max;
        let curq = self.c.time(at).max(self.l.time(at));
        let (now, target, before) = (curq.secs_f64(), self.settings.target.secs_f64(), self.prevq.secs_f64());
        self.p = (self.p + alpha * (now - target) + beta * (now - before)).clamp(0.0, 1.0);
        self.prevq = curq;
    }

    // RFC 9332, figure 5.
    fn laqm(&self, wait: Span) -> f64 {
        let DualPi2 { ramp_from, ramp_range, .. } = self.settings;
        if wait >= ramp_from + ramp_range {
            1.0
        } else if wait > ramp_from {
            wait.saturating_sub(ramp_from).secs_f64() / ramp_range.secs_f64()
        } else {
            0.0
        }
    }

    // RFC 9332, appendix A.1: when the link becomes idle, the credit is reset so that L4S is preferred.
    fn reset_credit(&mut self) {
        self.credit = match self.settings.scheduler {
            DualScheduler::Weighted { classic_share } => MTU * (2.0 * classic_share - 1.0).min(0.0),
            DualScheduler::TimeShifted { .. } => 0.0,
        };
    }

    /// Whether an L4S packet is sent next. At least one packet must wait.
    fn l_is_next(&self, now: Time) -> bool {
        if self.l.is_empty() || self.c.is_empty() {
            return !self.l.is_empty();
        }
        match self.settings.scheduler {
            DualScheduler::Weighted { .. } => self.credit <= 0.0,
            // RFC 9332, figure 10, line 29.
            DualScheduler::TimeShifted { shift } => self.l.time(now) + shift >= self.c.time(now),
        }
    }

    /// Removes and returns the next packet. Also returns whether it is an L4S packet.
    fn schedule(&mut self, now: Time) -> Option<(Entry, bool)> {
        if self.l.is_empty() && self.c.is_empty() {
            self.reset_credit();
            return None;
        }
        let is_l = self.l_is_next(now);
        let contended = !self.l.is_empty() && !self.c.is_empty();
        let (offered, parcel) = if is_l { self.l.tail.pop() } else { self.c.tail.pop() }?;
        // RFC 9332, appendix A.1: the credit changes only while both queues contain packets. The change is computed as
        // in Linux (`sch_dualpi2`).
        if let (true, DualScheduler::Weighted { classic_share }) = (contended, self.settings.scheduler) {
            let change = if is_l { classic_share } else { classic_share - 1.0 };
            self.credit += change * f64::from(parcel.size);
        }
        Some(((offered, parcel), is_l))
    }

    /// Signals congestion to an L4S sender, by a mark or (in overload) by a drop. Returns false if the packet must be
    /// dropped.
    // RFC 9332, figure 7, lines 4b to 8j.
    fn signal_l(&mut self, wait: Span, parcel: Parcel, context: &mut QueueContext<'_>) -> bool {
        let p_cl = self.p * self.settings.coupling;
        if p_cl < P_LMAX {
            let own = if self.l.tail.amount().packets > TH_LEN { self.laqm(wait) } else { 0.0 };
            if self.l.recur(own.max(p_cl)) {
                context.mark(parcel);
            }
            return true;
        }
        if self.l.recur(self.p * self.p) {
            return false;
        }
        // Lines 8h and 8i: p_CL is 1 or more, so every packet that is not dropped is marked.
        context.mark(parcel);
        true
    }

    /// Signals congestion to a classic sender. Returns false if the packet must be dropped.
    // RFC 9332, figure 7, lines 11 to 17.
    fn signal_c(&mut self, parcel: Parcel, context: &mut QueueContext<'_>) -> bool {
        let p_c = self.p * self.p;
        if !self.c.recur(p_c) {
            return true;
        }
        // Figure 2, line 11.
        let p_cmax = (1.0 / (self.settings.coupling * self.settings.coupling)).min(1.0);
        p_c < p_cmax && context.mark(parcel)
    }
}

impl ActiveQueue for DualPi2Queue {
    // RFC 9332, figure 3.
    fn push(&mut self, parcel: Parcel, _sender: u64, context: &mut QueueContext<'_>) -> Result<(), Lost> {
        let now = context.now();
        self.catch_up(now);
        let side = if matches!(context.ecn(parcel), Ecn::Ect1 | Ecn::Ce) { &mut self.l } else { &mut self.c };
        side.tail.push(now, parcel);
        Ok(())
    }

    // RFC 9332, figure 7.
    fn pop(&mut self, context: &mut QueueContext<'_>) -> Option<Entry> {
        let now = context.now();
        self.catch_up(now);
        loop {
            let ((offered, parcel), is_l) = self.schedule(now)?;
            let kept = if is_l {
                self.signal_l(now.since(offered), parcel, context)
            } else {
                self.signal_c(parcel, context)
            };
            if kept {
                return Some((offered, parcel));
            }
            context.drop(parcel);
        }
    }

    fn amount(&self) -> Amount {
        self.l.tail.amount() + self.c.tail.amount()
    }

    fn drain(&mut self) -> Vec<Entry> {
        Tail::drain_all([&mut self.l.tail, &mut self.c.tail])
    }
}

#[cfg(test)]
mod linux;
#[cfg(test)]
mod tests;
