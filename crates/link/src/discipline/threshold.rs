// SPDX-License-Identifier: MIT OR Apache-2.0
//! A queue that marks packets while it is long. Data-centre switches do this for DCTCP (RFC 8257), and routers for L4S
//! (RFC 9331). The queue uses no mean, no random numbers and no memory. For packets without ECN, it is a drop-tail
//! queue.
//!
//! Some disciplines that otherwise drop only when the queue is full can use the same threshold. It then applies to each
//! class of `priority`, to each sender of `drr`, or to the front of `drop-front`.

use super::tail::Tail;
use super::{ActiveQueue, Amount, Entry, QueueContext, Settings};
use crate::{Lost, Parcel, QueueLimit};
use units::{Rate, Span, Time};

/// A threshold above which a queue marks packets. It is also the only setting of the discipline `threshold`.
#[derive(Clone, Copy, Debug, PartialEq, saved::Plain)]
pub struct Threshold {
    /// If the threshold is in packets or bytes, an arriving packet is marked if more than this amount waits before it
    /// (K of RFC 8257, section 3.1). If the threshold is a time, a packet that leaves is marked if it waited longer.
    pub above: QueueLimit,
}

impl Threshold {
    /// Whether the threshold is below this amount. The result is false if the threshold is a time.
    const fn is_below(self, waiting: Amount) -> bool {
        match self.above {
            QueueLimit::Packets(above) => waiting.packets as u64 > above,
            QueueLimit::Bytes(above) => waiting.bytes > above.get(),
            QueueLimit::Time(_) | QueueLimit::Bdp(_) | QueueLimit::Unlimited => false,
        }
    }

    /// Marks a packet if the amount `waiting` exceeds the threshold. `waiting` is the amount before an arriving packet,
    /// or the amount behind a leaving packet.
    // RFC 8257, section 3.1: an arriving packet is marked if the queue occupancy is greater than K.
    pub(super) fn meet(self, parcel: Parcel, waiting: Amount, context: &mut QueueContext<'_>) {
        if self.is_below(waiting) {
            context.mark(parcel);
        }
    }

    /// Marks a leaving packet if it waited longer than the threshold.
    // As in TCN (Bai et al. 2016, "Enabling ECN over generic packet scheduling"), the threshold applies to the wait of
    // the packet itself. This is correct for any order of packets. Linux's `ce_threshold` (codel_impl.h) does the same.
    pub(super) fn release(self, offered: Time, parcel: Parcel, context: &mut QueueContext<'_>) {
        if let QueueLimit::Time(above) = self.above
            && context.now().since(offered) > above
        {
            context.mark(parcel);
        }
    }
}

impl Settings for Threshold {
    // Alizadeh et al. 2010 (DCTCP), equation 13: K must exceed C x RTT / 7. Otherwise the link becomes idle.
    const DEFAULT: Self = Self { above: QueueLimit::Bdp(0.15) };
    const SIGNALS: bool = false;
    fn threshold(&self) -> Option<Threshold> {
        Some(*self)
    }
    fn draws(&self) -> bool {
        false
    }
    fn queue(self) -> Box<dyn ActiveQueue> {
        Box::new(ThresholdQueue { settings: self, tail: Tail::default() })
    }
    fn resolve(self, rate: Option<Rate>, base_rtt: Span) -> Self {
        Self { above: self.above.resolve(rate, base_rtt) }
    }
}

#[derive(Clone, Debug, saved::Plain)]
struct ThresholdQueue {
    settings: Threshold,
    tail: Tail,
}

impl ActiveQueue for ThresholdQueue {
    fn push(&mut self, parcel: Parcel, _sender: u64, context: &mut QueueContext<'_>) -> Result<(), Lost> {
        self.settings.meet(parcel, self.tail.amount(), context);
        self.tail.push(context.now(), parcel);
        Ok(())
    }

    fn pop(&mut self, context: &mut QueueContext<'_>) -> Option<Entry> {
        let head = self.tail.pop()?;
        self.settings.release(head.0, head.1, context);
        Some(head)
    }

    fn amount(&self) -> Amount {
        self.tail.amount()
    }

    fn drain(&mut self) -> Vec<Entry> {
        self.tail.drain()
    }
}

#[cfg(test)]
mod tests;
