// SPDX-License-Identifier: MIT OR Apache-2.0
//! A queue that marks while it is long, as data-centre switches do for DCTCP (RFC 8257) and routers for L4S (RFC 9331):
//! no mean, no chance, no memory. What cannot be marked it takes as drop-tail does.

use super::tail::Tail;
use super::{ActiveQueue, Amount, Desk, Entry, Settings};
use crate::{Lost, Parcel, QueueLimit};
use units::{Rate, Span};

/// Settings of a queue that marks above a threshold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Threshold {
    /// Packets or bytes: what comes is marked if more than this waits before it (the K of RFC 8257, section 3.1). A time:
    /// what waited longer than this is marked when it leaves.
    pub above: QueueLimit,
}

impl Settings for Threshold {
    // Alizadeh et al. 2010 (DCTCP), equation 13: K > C x RTT / 7, or the link runs empty.
    const DEFAULT: Self = Self { above: QueueLimit::Bdp(0.15) };
    const ONLY_MARKS: bool = true;
    fn queue(self) -> Box<dyn ActiveQueue> {
        Box::new(ThresholdQueue { settings: self, tail: Tail::default() })
    }
    fn resolve(self, rate: Option<Rate>, base_rtt: Span) -> Self {
        Self { above: self.above.resolve(rate, base_rtt) }
    }
}

#[derive(Debug)]
struct ThresholdQueue {
    settings: Threshold,
    tail: Tail,
}

impl ActiveQueue for ThresholdQueue {
    // RFC 8257, section 3.1: an arriving packet is marked if the queue occupancy is greater than K.
    fn push(&mut self, parcel: Parcel, _sender: u64, desk: &mut Desk<'_>) -> Result<(), Lost> {
        let (packets, bytes) = self.tail.amount();
        let long = match self.settings.above {
            QueueLimit::Packets(above) => packets as u64 > above,
            QueueLimit::Bytes(above) => bytes > above.get(),
            QueueLimit::Time(_) | QueueLimit::Bdp(_) | QueueLimit::Unlimited => false,
        };
        if long {
            desk.mark(parcel);
        }
        self.tail.push(desk.now(), parcel);
        Ok(())
    }

    // As Linux's `ce_threshold` (codel_impl.h): the packet's own wait, when it leaves.
    fn pop(&mut self, desk: &mut Desk<'_>) -> Option<Entry> {
        let (offered, parcel) = self.tail.pop()?;
        if let QueueLimit::Time(above) = self.settings.above
            && desk.now().since(offered) > above
        {
            desk.mark(parcel);
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
mod tests;
