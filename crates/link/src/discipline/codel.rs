// SPDX-License-Identifier: MIT OR Apache-2.0
//! CoDel (RFC 8289), a FIFO that drops packets at its head. Dropping begins after packets have waited longer than a
//! target for a whole interval. ECN-capable packets are marked instead of dropped.
//!
//! The names of the state variables are those of the RFC's pseudo-code (section 5).

use super::tail::Tail;
use super::{ActiveQueue, Amount, Entry, QueueContext, Settings};
use crate::{Ecn, Lost, Parcel};
use units::{Span, Time};

/// Settings of CoDel (RFC 8289).
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub struct CoDel {
    /// Target of the waiting time (section 4.4: 5 to 10 % of the interval).
    pub target: Span,
    /// Time for which the wait must exceed the target before a packet is dropped (section 4.3: about a round trip).
    pub interval: Span,
    /// A second threshold of the waiting time. ECN-capable packets that waited longer are marked, in addition to
    /// CoDel's marks. With `None`, there are no additional marks.
    pub ce_threshold: Option<CeThreshold>,
}

/// A shallow threshold for senders that respond to the fraction of marked packets (Linux: `ce_threshold`,
/// `ce_threshold_selector`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub struct CeThreshold {
    /// A packet is marked if its wait exceeds this time.
    pub above: Span,
    /// Whether only packets with ECT(1), the codepoint of L4S (RFC 9331), are marked. If not, all ECN-capable packets
    /// are marked.
    pub only_ect1: bool,
}

impl CeThreshold {
    // As in Linux (codel_impl.h), the threshold applies to the wait of the packet itself when it leaves. The code is in
    // a separate function, because most queues do not have this threshold.
    #[cold]
    #[inline(never)]
    fn look_at(self, leaving: Option<Entry>, context: &mut QueueContext<'_>) {
        if let Some((offered, parcel)) = leaving
            && context.now().since(offered) > self.above
            && (!self.only_ect1 || context.ecn(parcel) == Ecn::Ect1)
        {
            context.mark(parcel);
        }
    }
}

impl Settings for CoDel {
    // RFC 8289, sections 4.3 and 4.4.
    const DEFAULT: Self =
        Self { target: Span::from_millis(5), interval: Span::from_millis(100), ce_threshold: None };
    fn draws(&self) -> bool {
        false
    }
    fn queue(self) -> Box<dyn ActiveQueue> {
        Box::new(CoDelQueue::new(self))
    }
}

/// Size of an Ethernet frame. If at most this number of bytes waits behind a packet, the packet is never dropped (RFC
/// 8289, section 4.4).
const MTU: u64 = 1514;
/// If dropping begins again within this number of intervals, it continues with the last drop rate (RFC 8289, section
/// 5.5).
const MEMORY: u64 = 16;

/// A queue that CoDel controls.
#[derive(Clone, Debug, saved::Plain)]
pub(super) struct CoDelQueue {
    settings: CoDel,
    tail: Tail,
    /// Time at which packets will have waited too long for a whole interval, or `None` if they do not wait too long.
    first_above_time: Option<Time>,
    dropping: bool,
    drop_next: Time,
    /// Number of drops since dropping last began.
    count: u32,
    /// The value of `count` when dropping last began.
    lastcount: u32,
}

impl CoDelQueue {
    pub(super) fn new(settings: CoDel) -> Self {
        Self {
            settings,
            tail: Tail::default(),
            first_above_time: None,
            dropping: false,
            drop_next: Time::ZERO,
            count: 0,
            lastcount: 0,
        }
    }

    /// Removes and returns the oldest packet. CoDel makes no decision about this packet.
    pub(super) fn pop_head(&mut self) -> Option<Entry> {
        self.tail.pop()
    }

    /// Removes the oldest packet. Returns the packet, and whether it may be dropped.
    // RFC 8289, section 5.5 (`dodequeue`).
    fn do_dequeue(&mut self, now: Time) -> (Option<Entry>, bool) {
        let Some((offered, parcel)) = self.tail.pop() else {
            self.first_above_time = None;
            return (None, false);
        };
        let waiting = self.tail.amount().bytes;
        let below = now.since(offered) < self.settings.target || waiting <= MTU.max(u64::from(parcel.size));
        let ok_to_drop = match self.first_above_time {
            _ if below => {
                self.first_above_time = None;
                false
            }
            None => {
                self.first_above_time = Some(now + self.settings.interval);
                false
            }
            Some(time) => now >= time,
        };
        (Some((offered, parcel)), ok_to_drop)
    }
}

impl ActiveQueue for CoDelQueue {
    fn push(&mut self, parcel: Parcel, _sender: u64, context: &mut QueueContext<'_>) -> Result<(), Lost> {
        self.tail.push(context.now(), parcel);
        Ok(())
    }

    // RFC 8289, section 5.5 (`deque`). A packet is marked at the same step of the algorithm as in Linux (codel_impl.h).
    // The marked packet then leaves.
    fn pop(&mut self, context: &mut QueueContext<'_>) -> Option<Entry> {
        let (now, interval) = (context.now(), self.settings.interval);
        let (mut head, mut ok_to_drop) = self.do_dequeue(now);
        if self.dropping {
            self.dropping = ok_to_drop;
            while let Some((_, parcel)) = head.filter(|_| self.dropping && now >= self.drop_next) {
                self.count += 1;
                let marked = context.mark(parcel);
                if !marked {
                    context.drop(parcel);
                    (head, ok_to_drop) = self.do_dequeue(now);
                    self.dropping = ok_to_drop;
                }
                if ok_to_drop {
                    self.drop_next = control_law(self.drop_next, interval, self.count);
                }
                if marked {
                    break;
                }
            }
        } else if let Some((_, parcel)) = head.filter(|_| ok_to_drop) {
            if !context.mark(parcel) {
                context.drop(parcel);
                (head, _) = self.do_dequeue(now);
            }
            self.dropping = true;
            let delta = self.count - self.lastcount;
            let recent = now.since(self.drop_next) < interval * MEMORY;
            self.count = if delta > 1 && recent { delta } else { 1 };
            self.drop_next = control_law(now, interval, self.count);
            self.lastcount = self.count;
        }
        if let Some(threshold) = self.settings.ce_threshold {
            threshold.look_at(head, context);
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

/// Returns the time of the next drop.
// RFC 8289, section 5.6: t + INTERVAL / sqrt(count).
fn control_law(t: Time, interval: Span, count: u32) -> Time {
    t + interval.mul_f64(1.0 / f64::from(count).sqrt())
}

#[cfg(test)]
mod tests;
