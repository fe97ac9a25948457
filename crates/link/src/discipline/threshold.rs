// SPDX-License-Identifier: MIT OR Apache-2.0
//! A queue that marks while it is long, as data-centre switches do for DCTCP (RFC 8257) and routers for L4S (RFC 9331):
//! no mean, no chance, no memory. Packets without ECN are taken as by drop-tail.
//!
//! Disciplines that otherwise drop only when full can have the same threshold: each class of priority, each sender of
//! deficit round robin and the front of drop-front.

use super::tail::Tail;
use super::{ActiveQueue, Amount, Entry, QueueContext, Settings};
use crate::{Lost, Parcel, QueueLimit};
use units::{Rate, Span, Time};

/// A threshold above which a queue marks; the settings of a queue that does nothing else.
#[derive(Clone, Copy, Debug, PartialEq, saved::Plain)]
pub struct Threshold {
    /// Packets or bytes: an arriving packet is marked if more than this waits before it (the K of RFC 8257, section
    /// 3.1). A time: a packet that waited longer is marked when it leaves.
    pub above: QueueLimit,
}

impl Threshold {
    /// Whether this many packets or bytes are more than the threshold; false if it is a time.
    const fn is_below(self, waiting: Amount) -> bool {
        match self.above {
            QueueLimit::Packets(above) => waiting.packets as u64 > above,
            QueueLimit::Bytes(above) => waiting.bytes > above.get(),
            QueueLimit::Time(_) | QueueLimit::Bdp(_) | QueueLimit::Unlimited => false,
        }
    }

    /// Marks a packet that arrives, or leaves, with this amount before it, or behind it.
    // RFC 8257, section 3.1: an arriving packet is marked if the queue occupancy is greater than K.
    pub(super) fn meet(self, parcel: Parcel, waiting: Amount, context: &mut QueueContext<'_>) {
        if self.is_below(waiting) {
            context.mark(parcel);
        }
    }

    /// Marks a packet that leaves, if it waited too long.
    // Bai et al. 2016 (TCN, "Enabling ECN over generic packet scheduling"): a packet's own wait, for any order. As
    // Linux's `ce_threshold` (codel_impl.h).
    pub(super) fn release(self, offered: Time, parcel: Parcel, context: &mut QueueContext<'_>) {
        if let QueueLimit::Time(above) = self.above
            && context.now().since(offered) > above
        {
            context.mark(parcel);
        }
    }
}

impl Settings for Threshold {
    // Alizadeh et al. 2010 (DCTCP), equation 13: K > C x RTT / 7, or the link runs empty.
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
