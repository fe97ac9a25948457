// SPDX-License-Identifier: MIT OR Apache-2.0
//! Fair queueing by deficit round robin (Shreedhar and Varghese 1995, "Efficient fair queueing using deficit round
//! robin", figure 3). Each sender has its own queue. In each round, a queue may send one quantum plus its unused
//! deficit. If the limit is exceeded, the newest packet of the queue with most bytes is dropped (section 3.1 of the
//! paper: buffer stealing after McKenney).
//!
//! If there is a threshold, each sender's queue marks separately, like the classes of [`Priority`](super::Priority).
//! The threshold is constant and equal for all queues. The remark on MQ-ECN in `priority` also applies here.
//!
//! Names in capital letters are those of the paper.

use super::fq_codel::passes;
use super::tail::Tail;
use super::{ActiveQueue, Amount, Coming, Entry, QueueContext, Settings, Threshold};
use crate::{Lost, Parcel};
use std::collections::{BTreeMap, VecDeque};
use units::{Bytes, Rate, Span};

/// Settings of deficit round robin.
#[derive(Clone, Copy, Debug, PartialEq, saved::Plain)]
pub struct Drr {
    /// Number of bytes that a sender may send in a round. If the quantum is at least the size of the largest packet,
    /// the cost of a decision does not depend on the number of senders (theorem 2 of the paper).
    pub quantum: Bytes,
    /// Marking threshold of each sender's queue. With `None`, packets are not marked.
    pub mark_above: Option<Threshold>,
}

impl Settings for Drr {
    // The size of an Ethernet frame, as in FQ-CoDel (RFC 8290, section 5.2).
    const DEFAULT: Self = Self { quantum: Bytes::new(1514), mark_above: None };
    const SIGNALS: bool = false;
    const OVERTAKES: bool = true;
    fn threshold(&self) -> Option<Threshold> {
        self.mark_above
    }
    fn draws(&self) -> bool {
        false
    }
    fn queue(self) -> Box<dyn ActiveQueue> {
        Box::new(DrrQueue::new(self))
    }
    fn resolve(self, rate: Option<Rate>, base_rtt: Span) -> Self {
        Self { mark_above: self.mark_above.map(|threshold| threshold.resolve(rate, base_rtt)), ..self }
    }
}

/// The queue of a sender.
#[derive(Clone, Debug, Default, saved::Plain)]
struct Flow {
    queue: Tail,
    /// DC: number of bytes that the queue may still send in this round.
    deficit: u64,
    /// Whether this queue is in `active`, the list of queues with packets.
    active: bool,
    /// The sender of the queue.
    sender: u64,
}

/// The queues of a link.
#[derive(Clone, Debug, saved::Plain)]
struct DrrQueue {
    settings: Drr,
    /// The queues, in the order in which their senders first appeared.
    flows: Vec<Flow>,
    /// Index in `flows` of each sender's queue.
    flow_of: BTreeMap<u64, usize>,
    /// Indices of unused queues. After a stream has ended, its queue becomes unused as soon as it is empty.
    spare: Vec<usize>,
    /// ActiveList: indices in `flows` of the queues with packets.
    active: VecDeque<usize>,
    /// Whether the first queue in `active` has already received its quantum for this round.
    begun: bool,
    amount: Amount,
}

impl DrrQueue {
    fn new(settings: Drr) -> Self {
        Self {
            settings,
            flows: Vec::new(),
            flow_of: BTreeMap::new(),
            spare: Vec::new(),
            active: VecDeque::new(),
            begun: false,
            amount: Amount::default(),
        }
    }

    fn flow(&mut self, sender: u64) -> usize {
        // The lookup comes first, because a sender is new only once but is looked up for each packet.
        if let Some(&flow) = self.flow_of.get(&sender) {
            return flow;
        }
        let at = self.spare.pop().unwrap_or_else(|| {
            self.flows.push(Flow::default());
            self.flows.len() - 1
        });
        self.flows[at].sender = sender;
        self.flow_of.insert(sender, at);
        at
    }

    fn forget(&mut self, parcel: Parcel) {
        self.amount = self.amount - Amount::of(parcel);
    }
}

impl ActiveQueue for DrrQueue {
    // Figure 3, Enqueuing module.
    fn push(&mut self, parcel: Parcel, sender: u64, context: &mut QueueContext<'_>) -> Result<(), Lost> {
        let at = self.flow(sender);
        let flow = &mut self.flows[at];
        if !flow.active {
            (flow.active, flow.deficit) = (true, 0);
            self.active.push_back(at);
        }
        if let Some(threshold) = self.settings.mark_above {
            threshold.meet(parcel, flow.queue.amount(), context);
        }
        flow.queue.push(context.now(), parcel);
        self.amount = self.amount + Amount::of(parcel);
        Ok(())
    }

    // Figure 3, Dequeuing module. Each call returns one packet.
    fn pop(&mut self, context: &mut QueueContext<'_>) -> Option<Entry> {
        loop {
            let at = *self.active.front()?;
            let flow = &mut self.flows[at];
            if !self.begun {
                flow.deficit += self.settings.quantum.get();
                self.begun = true;
            }
            let head = flow.queue.oldest();
            if let Some(next) = head.filter(|(_, parcel)| u64::from(parcel.size) <= flow.deficit) {
                flow.queue.pop();
                flow.deficit -= u64::from(next.1.size);
                self.forget(next.1);
                if let Some(threshold) = self.settings.mark_above {
                    threshold.release(next.0, next.1, context);
                }
                return head;
            }
            self.active.pop_front();
            self.begun = false;
            if head.is_some() {
                self.active.push_back(at);
            } else {
                (flow.active, flow.deficit) = (false, 0);
                if passes(flow.sender) {
                    self.flow_of.remove(&flow.sender);
                    self.spare.push(at);
                }
            }
        }
    }

    fn amount(&self) -> Amount {
        self.amount
    }

    fn drain(&mut self) -> Vec<Entry> {
        self.amount = Amount::default();
        Tail::drain_all(self.flows.iter_mut().map(|flow| &mut flow.queue))
    }

    fn makes_room(&self) -> bool {
        true
    }

    /// Removes and returns the newest packet of the queue that would have most bytes after the arrival. The result is
    /// `None` if this is the queue of the arriving packet. If several queues have equally many bytes, the queue whose
    /// sender appeared first is chosen.
    fn make_room(&mut self, coming: Coming) -> Option<Parcel> {
        let own = self.flow_of.get(&coming.sender).copied();
        let held = |at: usize| self.flows[at].queue.amount().bytes;
        let mut longest = own;
        let mut most = own.map_or(0, held) + u64::from(coming.size);
        for at in 0..self.flows.len() {
            if held(at) > most {
                (longest, most) = (Some(at), held(at));
            }
        }
        let longest = longest.filter(|_| longest != own)?;
        let parcel = self.flows[longest].queue.pop_newest()?;
        self.forget(parcel);
        Some(parcel)
    }
}

#[cfg(test)]
mod tests;
