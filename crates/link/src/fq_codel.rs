// SPDX-License-Identifier: MIT OR Apache-2.0
//! FQ-CoDel (RFC 8290): a queue for each sender, served by deficit round robin, each under CoDel of its own.
//!
//! Where the RFC hashes, senders are numbered as they appear (see [`FqCoDel::flows`]). When the limit is exceeded, one
//! packet after the other is dropped from the head of the queue that holds most bytes, until there is room; Linux drops
//! half of that queue at once, at most 64 packets, to save time.

use crate::codel::{CoDelQueue, Entry};
use crate::{FqCoDel, Lost, Parcel};
use std::collections::{BTreeMap, VecDeque};
use units::Time;

/// The queue of a sender.
#[derive(Debug, Default)]
struct Flow {
    queue: CoDelQueue,
    /// Bytes that it may send before it is another's turn; negative once it sent more.
    deficit: i64,
    /// It is in one of the lists.
    active: bool,
}

/// The queues of a link.
#[derive(Debug)]
pub(crate) struct FqCoDelQueue {
    settings: FqCoDel,
    /// In the order in which senders appeared.
    flows: Vec<Flow>,
    /// Place of each sender's queue.
    flow_of: BTreeMap<u32, usize>,
    /// Those that began to send, and those that went on: places in `flows`.
    new: VecDeque<usize>,
    old: VecDeque<usize>,
    len: usize,
    bytes: u64,
}

impl FqCoDelQueue {
    pub(crate) const fn new(settings: FqCoDel) -> Self {
        Self {
            settings,
            flows: Vec::new(),
            flow_of: BTreeMap::new(),
            new: VecDeque::new(),
            old: VecDeque::new(),
            len: 0,
            bytes: 0,
        }
    }

    pub(crate) const fn len(&self) -> usize {
        self.len
    }
    pub(crate) const fn bytes(&self) -> u64 {
        self.bytes
    }

    fn flow(&mut self, sender: u32) -> usize {
        let seen = self.flow_of.len();
        let flow = *self.flow_of.entry(sender).or_insert(seen % self.settings.flows as usize);
        if flow == self.flows.len() {
            self.flows.push(Flow::default());
        }
        flow
    }

    // RFC 8290, section 4.1.
    pub(crate) fn push(&mut self, now: Time, sender: u32, parcel: Parcel) {
        let at = self.flow(sender);
        self.len += 1;
        self.bytes += u64::from(parcel.size);
        let flow = &mut self.flows[at];
        flow.queue.push(now, parcel);
        if !flow.active {
            flow.active = true;
            flow.deficit = self.settings.quantum.get().cast_signed();
            self.new.push_back(at);
        }
    }

    /// The packet that may leave at `now`; those that CoDel drops before it go to `dropped`.
    // RFC 8290, section 4.2.
    pub(crate) fn pop(&mut self, now: Time, dropped: &mut Vec<(Parcel, Lost)>) -> Option<Entry> {
        loop {
            let is_new = !self.new.is_empty();
            let list = if is_new { &mut self.new } else { &mut self.old };
            let at = *list.front()?;
            let flow = &mut self.flows[at];
            if flow.deficit <= 0 {
                flow.deficit += self.settings.quantum.get().cast_signed();
                list.pop_front();
                self.old.push_back(at);
                continue;
            }
            let (len, bytes) = (flow.queue.len(), flow.queue.bytes());
            let entry = flow.queue.pop(now, &self.settings.codel, dropped);
            self.len -= len - flow.queue.len();
            self.bytes -= bytes - flow.queue.bytes();
            let Some((offered, parcel)) = entry else {
                list.pop_front();
                // A new one goes through the old ones once more: else it could stay new and starve them.
                if is_new {
                    self.old.push_back(at);
                } else {
                    flow.active = false;
                }
                continue;
            };
            flow.deficit -= i64::from(parcel.size);
            return Some((offered, parcel));
        }
    }

    /// Takes the head of the queue that would hold most bytes if `size` bytes came from `sender`; `None` if these are
    /// all that it would hold. Of equals the one that appeared first.
    pub(crate) fn pop_fattest(&mut self, sender: u32, size: u16) -> Option<Parcel> {
        let comes_to = self.flow(sender);
        let mut fattest = (0, 0);
        for (at, flow) in self.flows.iter().enumerate() {
            let bytes = flow.queue.bytes() + if at == comes_to { u64::from(size) } else { 0 };
            if bytes > fattest.1 {
                fattest = (at, bytes);
            }
        }
        let (_, parcel) = self.flows[fattest.0].queue.pop_head()?;
        self.len -= 1;
        self.bytes -= u64::from(parcel.size);
        Some(parcel)
    }

    /// Takes everything out, oldest first.
    pub(crate) fn drain(&mut self) -> Vec<Entry> {
        let mut all: Vec<Entry> = Vec::with_capacity(self.len);
        for flow in &mut self.flows {
            all.extend(std::iter::from_fn(|| flow.queue.pop_head()));
        }
        all.sort_by_key(|&(offered, _)| offered);
        (self.len, self.bytes) = (0, 0);
        all
    }
}

#[cfg(test)]
mod tests;
