// SPDX-License-Identifier: MIT OR Apache-2.0
//! CoDel (RFC 8289): a FIFO that drops at its head while packets wait longer than a target for longer than an interval.
//!
//! The names of the state are those of the RFC's pseudo-code (section 5). Packets are dropped, never marked: there is no
//! ECN here.

use crate::{CoDel, Lost, Parcel};
use std::collections::VecDeque;
use units::{Span, Time};

/// What an Ethernet frame holds: with not more than this behind it a packet is never dropped (RFC 8289, section 4.4).
const MTU: u64 = 1514;
/// A queue that stands again within so many intervals is dropped from as fast as last time (RFC 8289, section 5.5).
const MEMORY: u64 = 16;

/// A waiting packet, with the time it was offered.
pub(crate) type Entry = (Time, Parcel);

/// A queue under CoDel.
#[derive(Debug, Default)]
pub(crate) struct CoDelQueue {
    waiting: VecDeque<Entry>,
    bytes: u64,
    /// When packets will have waited too long for an interval; `None`: they do not.
    first_above_time: Option<Time>,
    dropping: bool,
    drop_next: Time,
    /// Drops since dropping began.
    count: u32,
    /// What `count` was then.
    lastcount: u32,
}

impl CoDelQueue {
    pub(crate) fn len(&self) -> usize {
        self.waiting.len()
    }
    pub(crate) const fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(crate) fn push(&mut self, now: Time, parcel: Parcel) {
        self.bytes += u64::from(parcel.size);
        self.waiting.push_back((now, parcel));
    }

    /// Takes the oldest packet out, whatever CoDel says.
    pub(crate) fn pop_head(&mut self) -> Option<Entry> {
        let head = self.waiting.pop_front()?;
        self.bytes -= u64::from(head.1.size);
        Some(head)
    }

    /// The packet that may leave at `now`; those that CoDel drops before it go to `dropped`.
    // RFC 8289, section 5.5 (`deque`).
    pub(crate) fn pop(
        &mut self,
        now: Time,
        settings: &CoDel,
        dropped: &mut Vec<(Parcel, Lost)>,
    ) -> Option<Entry> {
        let (mut head, mut ok_to_drop) = self.do_dequeue(now, settings);
        if self.dropping {
            self.dropping = ok_to_drop;
            while self.dropping && now >= self.drop_next {
                dropped.extend(head.map(|(_, parcel)| (parcel, Lost::Managed)));
                self.count += 1;
                (head, ok_to_drop) = self.do_dequeue(now, settings);
                self.dropping = ok_to_drop;
                if ok_to_drop {
                    self.drop_next = control_law(self.drop_next, settings.interval, self.count);
                }
            }
        } else if ok_to_drop {
            dropped.extend(head.map(|(_, parcel)| (parcel, Lost::Managed)));
            (head, _) = self.do_dequeue(now, settings);
            self.dropping = true;
            let delta = self.count - self.lastcount;
            let recent = now.since(self.drop_next) < settings.interval * MEMORY;
            self.count = if delta > 1 && recent { delta } else { 1 };
            self.drop_next = control_law(now, settings.interval, self.count);
            self.lastcount = self.count;
        }
        head
    }

    /// The oldest packet, and whether it may be dropped.
    // RFC 8289, section 5.5 (`dodequeue`).
    fn do_dequeue(&mut self, now: Time, settings: &CoDel) -> (Option<Entry>, bool) {
        let Some((offered, parcel)) = self.pop_head() else {
            self.first_above_time = None;
            return (None, false);
        };
        let below = now.since(offered) < settings.target || self.bytes <= MTU.max(u64::from(parcel.size));
        let ok_to_drop = match self.first_above_time {
            _ if below => {
                self.first_above_time = None;
                false
            }
            None => {
                self.first_above_time = Some(now + settings.interval);
                false
            }
            Some(time) => now >= time,
        };
        (Some((offered, parcel)), ok_to_drop)
    }
}

/// When to drop next.
// RFC 8289, section 5.6: t + INTERVAL / sqrt(count).
fn control_law(t: Time, interval: Span, count: u32) -> Time {
    t + interval.mul_f64(1.0 / f64::from(count).sqrt())
}

#[cfg(test)]
mod tests;
