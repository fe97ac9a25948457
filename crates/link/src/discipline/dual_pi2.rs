// SPDX-License-Identifier: MIT OR Apache-2.0
//! DualPI2 (RFC 9332, appendix A): a queue for senders of L4S (ECT(1), RFC 9331) and a queue for all others. L4S
//! packets are marked early and often. Other packets are dropped or marked with the square of the probability that
//! couples the two queues. Both kinds of senders therefore get about the same rate.
//!
//! The code follows the pseudo-code of the second pass (appendix A.2: low rates, overload). It is deterministic: a sum
//! spreads marks and drops (`recur`). Two options of appendix A.1 are left out: measuring the wait behind the head, and
//! no drops below two packets in both queues together. Names are those of the RFC; `l` and `c` are the two queues.

use super::tail::Tail;
use super::{ActiveQueue, Amount, Entry, QueueContext, Settings};
use crate::{Ecn, Lost, Parcel};
use units::{Span, Time};

/// Settings of DualPI2.
#[derive(Clone, Copy, Debug, PartialEq, saved::Plain)]
pub struct DualPi2 {
    /// Target of the wait in the classic queue.
    pub target: Span,
    /// RTT_max: the longest expected round trip.
    pub rtt_max: Span,
    /// k: the marking probability of L4S is k times the base probability.
    pub coupling: f64,
    /// minTh: wait from which the ramp marks L4S packets, independent of the classic queue.
    pub ramp_from: Span,
    /// range: length of the ramp. Above the ramp, L4S packets are always marked. Zero: a step.
    pub ramp_range: Span,
    /// Which queue goes next.
    pub scheduler: DualScheduler,
}

/// Which of two queues goes next.
#[derive(Clone, Copy, Debug, PartialEq, saved::Plain)]
pub enum DualScheduler {
    /// Weighted round robin by bytes. While both queues have packets, the classic queue has this share of the link.
    Weighted {
        /// Above 0, below 1.
        classic_share: f64,
    },
    /// The packet with the longest wait, where the wait of L4S packets counts longer by a shift.
    TimeShifted {
        /// tshift.
        shift: Span,
    },
}

impl DualScheduler {
    /// RFC 9332, appendix A.2.
    pub const WEIGHTED: Self = Self::Weighted { classic_share: 1.0 / 16.0 };
    /// RFC 9332, appendix A.2.
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

/// An Ethernet frame.
const MTU: f64 = 1514.0;
/// Th_len: if the L4S queue has no more packets than this, its own wait causes no marks.
const TH_LEN: usize = 1;
const P_LMAX: f64 = 1.0;

/// A queue, and the sum that spreads its marks and drops.
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

    /// Wait of the oldest packet; zero if the queue is empty.
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
    /// Bytes that L4S has sent beyond its share while classic packets waited. If it is zero or negative, L4S is next.
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

    /// Computes the updates that are due by `now`. Between two events of a link, only the waits change.
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

    // RFC 9332, appendix A.1: the credit is reset in favour of L4S when the link is idle.
    fn reset_credit(&mut self) {
        self.credit = match self.settings.scheduler {
            DualScheduler::Weighted { classic_share } => MTU * (2.0 * classic_share - 1.0).min(0.0),
            DualScheduler::TimeShifted { .. } => 0.0,
        };
    }

    /// Whether an L4S packet goes next. At least one packet must wait.
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

    /// Takes a packet out of the queue that goes next. Returns the packet, and whether it is an L4S packet.
    fn schedule(&mut self, now: Time) -> Option<(Entry, bool)> {
        if self.l.is_empty() && self.c.is_empty() {
            self.reset_credit();
            return None;
        }
        let is_l = self.l_is_next(now);
        let contended = !self.l.is_empty() && !self.c.is_empty();
        let (offered, parcel) = if is_l { self.l.tail.pop() } else { self.c.tail.pop() }?;
        // RFC 9332, appendix A.1: the credit changes only while both queues have packets. It is counted as in Linux
        // (`sch_dualpi2`).
        if let (true, DualScheduler::Weighted { classic_share }) = (contended, self.settings.scheduler) {
            let change = if is_l { classic_share } else { classic_share - 1.0 };
            self.credit += change * f64::from(parcel.size);
        }
        Some(((offered, parcel), is_l))
    }

    /// Signals to L4S by a mark or, in overload, by a drop. Returns false if the packet is dropped.
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
        // Lines 8h and 8i: p_CL is 1 or more, so all remaining packets are marked.
        context.mark(parcel);
        true
    }

    /// Signals to classic senders. Returns false if the packet is dropped.
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
