// SPDX-License-Identifier: MIT OR Apache-2.0
//! RED (Floyd and Jacobson 1993, "Random early detection gateways for congestion avoidance", figure 2). Arriving
//! packets are marked or dropped with a probability that grows with the mean queue length. Above the upper threshold,
//! the gentle variant is available (Floyd 2000, "Recommendation on using the gentle_ variant of RED").
//!
//! The names of the state variables are those of the figure. The figure counts the arriving packet, but section 7 of
//! the paper does not. The code follows section 7, so the distance between two drops is uniform on 1, 2, …, 1/p_b. Some
//! packets must be dropped: those above the upper threshold or, with gentle, above twice the upper threshold. As in
//! ns-2, these packets are not marked (RFC 3168, section 7). The drop probability does not depend on the size of a
//! packet.

use super::tail::Tail;
use super::{ActiveQueue, Amount, Entry, QueueContext, Settings};
use crate::{Lost, Parcel, QueueLimit};
use units::{Bytes, Rate, Span, Time};

/// Settings of RED.
#[derive(Clone, Copy, Debug, PartialEq, saved::Plain)]
pub struct Red {
    /// min_th: while the mean queue length is below this value, no packet is dropped. The unit of the threshold
    /// (packets, bytes or time) is also the unit of the mean.
    pub min_threshold: QueueLimit,
    /// max_th: the upper threshold, in the unit of `min_threshold`.
    pub max_threshold: QueueLimit,
    /// w_q: weight of a new sample in the mean queue length.
    pub weight: f64,
    /// max_p: probability of a drop when the mean queue length reaches the upper threshold.
    pub max_p: f64,
    /// Whether the probability grows linearly to one between the upper threshold and twice the upper threshold. If not,
    /// it jumps to one at the upper threshold.
    pub gentle: bool,
}

impl Settings for Red {
    // Floyd 1997 ("RED: discussions of setting parameters") recommends a min_th of 5 packets, a max_th of three times
    // min_th, a w_q of 0.002 and a max_p of 0.1 (0.02 in the paper of 1993). Floyd 2000 recommends gentle.
    const DEFAULT: Self = Self {
        min_threshold: QueueLimit::Packets(5),
        max_threshold: QueueLimit::Packets(15),
        weight: 0.002,
        max_p: 0.1,
        gentle: true,
    };
    fn draws(&self) -> bool {
        self.max_p > 0.0 || self.gentle
    }
    fn queue(self) -> Box<dyn ActiveQueue> {
        Box::new(RedQueue::new(self))
    }
    fn resolve(self, rate: Option<Rate>, base_rtt: Span) -> Self {
        Self {
            min_threshold: self.min_threshold.resolve(rate, base_rtt),
            max_threshold: self.max_threshold.resolve(rate, base_rtt),
            ..self
        }
    }
}

/// A queue that RED controls.
#[derive(Clone, Debug, saved::Plain)]
struct RedQueue {
    settings: Red,
    min_th: f64,
    max_th: f64,
    tail: Tail,
    /// The mean queue length, in the unit of the thresholds.
    avg: f64,
    /// Number of packets since the last drop or mark, or since the mean queue length exceeded the lower threshold.
    count: u32,
    /// q_time: time since which no packet waits and no packet is sent.
    idle_since: Option<Time>,
    /// Time of the last update of the mean queue length.
    averaged_at: Time,
}

/// The decision about an arriving packet.
enum Verdict {
    Take,
    /// Mark the packet, or drop it if it cannot be marked.
    Signal,
    Drop,
}

impl RedQueue {
    fn new(settings: Red) -> Self {
        Self {
            settings,
            min_th: size_of(settings.min_threshold),
            max_th: size_of(settings.max_threshold),
            tail: Tail::default(),
            avg: 0.0,
            count: 0,
            idle_since: Some(Time::ZERO),
            averaged_at: Time::ZERO,
        }
    }

    /// The current queue length, in the unit of the thresholds.
    fn queued(&self, rate: Option<Rate>) -> f64 {
        let Amount { packets, bytes } = self.tail.amount();
        match self.settings.min_threshold {
            QueueLimit::Bytes(_) => bytes as f64,
            QueueLimit::Time(_) => rate.map_or(0.0, |rate| rate.time_for(Bytes::new(bytes)).secs_f64()),
            QueueLimit::Packets(_) | QueueLimit::Bdp(_) | QueueLimit::Unlimited => packets as f64,
        }
    }

    // Figure 2, "calculate the new average queue size". According to section 4, m = (time - q_time) / s packets could
    // have been sent while the queue was idle, where s is the transmission time of the arriving packet.
    fn average(&mut self, now: Time, size: u16, rate: Option<Rate>) {
        let w_q = self.settings.weight;
        if let Some(q_time) = self.idle_since.take() {
            let s = rate.map_or(Span::ZERO, |rate| rate.time_for(Bytes::new(size.into())));
            let m = if s > Span::ZERO { now.since(q_time).secs_f64() / s.secs_f64() } else { f64::INFINITY };
            self.avg *= (1.0 - w_q).powf(m);
        } else {
            self.avg += w_q * (self.queued(rate) - self.avg);
        }
        self.averaged_at = now;
    }

    /// Returns p_b. If p_b is above 1, the packet must be dropped.
    fn initial_probability(&self) -> f64 {
        let Red { max_p, gentle, .. } = self.settings;
        if self.avg < self.max_th {
            max_p * (self.avg - self.min_th) / (self.max_th - self.min_th)
        } else if gentle && self.avg < 2.0 * self.max_th {
            // Floyd 2000: the probability grows from max_p at max_th to 1 at twice max_th.
            max_p + (1.0 - max_p) * (self.avg - self.max_th) / self.max_th
        } else {
            f64::INFINITY
        }
    }

    // Figure 2, "if min_th <= avg < max_th".
    fn judge(&mut self, context: &mut QueueContext<'_>) -> Verdict {
        if self.avg < self.min_th {
            self.count = 0;
            return Verdict::Take;
        }
        let p_b = self.initial_probability();
        if p_b > 1.0 {
            self.count = 0;
            return Verdict::Drop;
        }
        // Section 7, method 2: p_a = p_b / (1 - count p_b).
        let rest = 1.0 - f64::from(self.count) * p_b;
        if context.random() * rest < p_b {
            self.count = 0;
            return Verdict::Signal;
        }
        self.count += 1;
        Verdict::Take
    }
}

/// Returns a threshold as a number in its unit. A threshold in BDPs or without a limit is never reached.
fn size_of(threshold: QueueLimit) -> f64 {
    match threshold {
        QueueLimit::Packets(packets) => packets as f64,
        QueueLimit::Bytes(bytes) => bytes.get() as f64,
        QueueLimit::Time(span) => span.secs_f64(),
        QueueLimit::Bdp(_) | QueueLimit::Unlimited => f64::INFINITY,
    }
}

impl ActiveQueue for RedQueue {
    fn push(&mut self, parcel: Parcel, _sender: u64, context: &mut QueueContext<'_>) -> Result<(), Lost> {
        let (now, rate) = (context.now(), context.rate());
        self.average(now, parcel.size, rate);
        match self.judge(context) {
            Verdict::Drop => return Err(Lost::Refused),
            Verdict::Signal if !context.mark(parcel) => return Err(Lost::Refused),
            Verdict::Signal | Verdict::Take => {}
        }
        self.tail.push(now, parcel);
        Ok(())
    }

    fn pop(&mut self, context: &mut QueueContext<'_>) -> Option<Entry> {
        let head = self.tail.pop();
        if head.is_none() {
            // Figure 2, "when queue becomes empty": the transmitter is free and no packet waits. Packets that arrived
            // since then and were dropped have already updated the mean.
            self.idle_since.get_or_insert(context.now().max(self.averaged_at));
        }
        head
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
