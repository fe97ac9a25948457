// SPDX-License-Identifier: MIT OR Apache-2.0
//! FQ-CoDel (RFC 8290). Each sender has its own queue. The queues are served by deficit round robin, and each queue has
//! its own CoDel state.
//!
//! The RFC assigns queues by a hash. This implementation numbers senders in the order in which they appear (see
//! [`FqCoDel::flows`]). If the limit is exceeded, packets are dropped one by one from the head of the queue with most
//! bytes, until there is room. To save time, Linux drops half of this queue at once, but at most 64 packets. CoDel
//! never drops a packet if less than an MTU waits behind it. For this rule, each queue counts its own bytes, because
//! the RFC has a separate CoDel for each queue. Linux counts the bytes of all queues.

use super::codel::{CoDel, CoDelQueue};
use super::{ActiveQueue, Amount, Coming, Entry, QueueContext, Settings};
use crate::{Lost, Parcel};
use std::collections::{BTreeMap, VecDeque};
use units::Bytes;

/// Whether the sender number belongs to a stream that will end.
pub(super) const fn passes(sender: u64) -> bool {
    sender >> 32 != 0
}

/// Settings of FQ-CoDel (RFC 8290).
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub struct FqCoDel {
    /// Settings of CoDel. They are equal for all queues.
    pub codel: CoDel,
    /// Number of queues. The n-th sender on the link uses queue n modulo this number. Therefore, two senders share a
    /// queue if there are more senders than queues, and never otherwise. With a hash, senders would collide at random.
    /// After a stream has ended, its queue is free for the next stream as soon as the queue is empty.
    pub flows: u32,
    /// Number of bytes that a queue may send in a turn.
    pub quantum: Bytes,
}

impl Settings for FqCoDel {
    // RFC 8290, section 5.2: there are 1024 queues, and the quantum is the size of an Ethernet frame.
    const DEFAULT: Self = Self { codel: CoDel::DEFAULT, flows: 1024, quantum: Bytes::new(1514) };
    const OVERTAKES: bool = true;
    fn draws(&self) -> bool {
        false
    }
    fn queue(self) -> Box<dyn ActiveQueue> {
        Box::new(FqCoDelQueue::new(self))
    }
}

/// The queue of a sender.
#[derive(Clone, Debug, saved::Plain)]
struct Flow {
    queue: CoDelQueue,
    /// Number of bytes that the queue may send before the next queue has its turn. The value is negative after the
    /// queue has sent more.
    deficit: i64,
    /// Whether this queue is in the list of new or of old queues.
    active: bool,
    /// Streams that will end. They use the queue until it is empty.
    ending_streams: Vec<u64>,
    /// Number of senders that use the queue for the whole run.
    permanent_senders: u32,
}

/// The queues of a link.
#[derive(Clone, Debug, saved::Plain)]
struct FqCoDelQueue {
    settings: FqCoDel,
    /// The queues, in the order in which their senders first appeared.
    flows: Vec<Flow>,
    /// Index in `flows` of each sender's queue.
    flow_of: BTreeMap<u64, usize>,
    /// Number of times that a sender needed a queue and no queue was unused.
    seen: usize,
    /// Indices of unused queues.
    spare: Vec<usize>,
    /// Indices in `flows` of the queues that have just begun to send (the new queues of the RFC). The next field has
    /// the old queues.
    new: VecDeque<usize>,
    old: VecDeque<usize>,
    amount: Amount,
}

impl FqCoDelQueue {
    fn new(settings: FqCoDel) -> Self {
        Self {
            settings,
            flows: Vec::new(),
            flow_of: BTreeMap::new(),
            seen: 0,
            spare: Vec::new(),
            new: VecDeque::new(),
            old: VecDeque::new(),
            amount: Amount::default(),
        }
    }

    fn flow(&mut self, sender: u64) -> usize {
        // The lookup comes first, because a sender is new only once but is looked up for each packet.
        if let Some(&flow) = self.flow_of.get(&sender) {
            return flow;
        }
        let flow = self.spare.pop().unwrap_or_else(|| {
            self.seen += 1;
            (self.seen - 1) % self.settings.flows as usize
        });
        self.flow_of.insert(sender, flow);
        if flow == self.flows.len() {
            let queue = CoDelQueue::new(self.settings.codel);
            self.flows.push(Flow {
                queue,
                deficit: 0,
                active: false,
                ending_streams: Vec::new(),
                permanent_senders: 0,
            });
        }
        if passes(sender) {
            self.flows[flow].ending_streams.push(sender);
        } else {
            self.flows[flow].permanent_senders += 1;
        }
        flow
    }

    /// Removes the ended streams of an empty queue.
    #[cold]
    fn release_streams(&mut self, at: usize) {
        let flow = &mut self.flows[at];
        for guest in flow.ending_streams.drain(..) {
            self.flow_of.remove(&guest);
        }
        if flow.permanent_senders == 0 {
            self.spare.push(at);
        }
    }
}

impl ActiveQueue for FqCoDelQueue {
    // RFC 8290, section 4.1.
    fn push(&mut self, parcel: Parcel, sender: u64, context: &mut QueueContext<'_>) -> Result<(), Lost> {
        let at = self.flow(sender);
        let flow = &mut self.flows[at];
        flow.queue.push(parcel, sender, context)?;
        self.amount = self.amount + Amount::of(parcel);
        if !flow.active {
            flow.active = true;
            flow.deficit = self.settings.quantum.get().cast_signed();
            self.new.push_back(at);
        }
        Ok(())
    }

    // RFC 8290, section 4.2.
    fn pop(&mut self, context: &mut QueueContext<'_>) -> Option<Entry> {
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
            let before = flow.queue.amount();
            let entry = flow.queue.pop(context);
            self.amount = self.amount - (before - flow.queue.amount());
            let Some((offered, parcel)) = entry else {
                list.pop_front();
                // An empty new queue becomes an old queue before it is removed. Otherwise, it could stay new and starve
                // the old queues.
                if is_new {
                    self.old.push_back(at);
                } else {
                    flow.active = false;
                    if !flow.ending_streams.is_empty() {
                        self.release_streams(at);
                    }
                }
                continue;
            };
            flow.deficit -= i64::from(parcel.size);
            return Some((offered, parcel));
        }
    }

    fn amount(&self) -> Amount {
        self.amount
    }

    fn drain(&mut self) -> Vec<Entry> {
        let mut all: Vec<Entry> = self.flows.iter_mut().flat_map(|flow| flow.queue.drain()).collect();
        all.sort_by_key(|&(offered, _)| offered);
        self.amount = Amount::default();
        all
    }

    fn makes_room(&self) -> bool {
        true
    }

    /// Removes and returns the head of the queue that would have most bytes after the arrival. The result is `None` if
    /// this queue would contain only the arriving packet. If several queues have equally many bytes, the queue whose
    /// sender appeared first is chosen.
    fn make_room(&mut self, coming: Coming) -> Option<Parcel> {
        let comes_to = self.flow(coming.sender);
        let mut fattest = (0, 0);
        for (at, flow) in self.flows.iter().enumerate() {
            let bytes = flow.queue.amount().bytes + if at == comes_to { u64::from(coming.size) } else { 0 };
            if bytes > fattest.1 {
                fattest = (at, bytes);
            }
        }
        let (_, parcel) = self.flows[fattest.0].queue.pop_head()?;
        self.amount = self.amount - Amount::of(parcel);
        Some(parcel)
    }
}

#[cfg(test)]
mod tests;
