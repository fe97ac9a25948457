// SPDX-License-Identifier: MIT OR Apache-2.0
//! A FIFO queue that thins acknowledgements.

use super::{Ack, Thinning};
use crate::discipline::{ActiveQueue, Amount, Coming, Entry, QueueContext};
use crate::{Lost, Parcel};
use std::collections::{BTreeMap, VecDeque};

#[derive(Clone, Copy, Debug, saved::Plain)]
struct Waiting {
    entry: Entry,
    sender: u64,
    /// The fields of a pure acknowledgement, or `None` for any other packet.
    ack: Option<Ack>,
}

/// A drop-tail queue that also lists the packets of each connection separately.
#[derive(Clone, Debug, saved::Plain)]
pub(crate) struct AckQueue {
    thinning: Option<Thinning>,
    /// Waiting packets, oldest first. If a packet is removed from the middle, its place is `None`.
    places: VecDeque<Option<Waiting>>,
    /// Number of the place at the front of `places`. Numbers count all places since the start.
    first: u64,
    /// For each sender, the numbers of the places of its packets, oldest first.
    of: BTreeMap<u64, VecDeque<u64>>,
    amount: Amount,
    /// Whether thinning has already dropped a packet for the packet that arrives next.
    thinned: bool,
}

impl AckQueue {
    pub(crate) fn new(thinning: Option<Thinning>) -> Self {
        Self {
            thinning,
            places: VecDeque::new(),
            first: 0,
            of: BTreeMap::new(),
            amount: Amount::default(),
            thinned: false,
        }
    }

    fn at(&self, number: u64) -> Option<&Waiting> {
        self.places.get((number - self.first) as usize)?.as_ref()
    }

    /// Removes and returns the packet that thinning drops because of an arriving acknowledgement of `sender`.
    fn thin(&mut self, sender: u64, newest: &Ack) -> Option<Parcel> {
        let numbers = self.of.get(&sender)?;
        let acks = numbers.iter().map(|&number| self.at(number).and_then(|waiting| waiting.ack.as_ref()));
        let place = self.thinning?.victim(acks, newest)?;
        let number = self.of.get_mut(&sender)?.remove(place)?;
        let gone = self.places.get_mut((number - self.first) as usize)?.take()?;
        self.forget(gone.entry.1);
        Some(gone.entry.1)
    }

    fn forget(&mut self, parcel: Parcel) {
        self.amount = self.amount - Amount::of(parcel);
    }
}

impl ActiveQueue for AckQueue {
    fn push(&mut self, parcel: Parcel, sender: u64, context: &mut QueueContext<'_>) -> Result<(), Lost> {
        let ack = context.ack(parcel);
        if !std::mem::take(&mut self.thinned)
            && let Some(older) = ack.and_then(|newest| self.thin(sender, &newest))
        {
            context.thin(older);
        }
        self.of.entry(sender).or_default().push_back(self.first + self.places.len() as u64);
        self.places.push_back(Some(Waiting { entry: (context.now(), parcel), sender, ack }));
        self.amount = self.amount + Amount::of(parcel);
        Ok(())
    }

    fn pop(&mut self, _context: &mut QueueContext<'_>) -> Option<Entry> {
        loop {
            let place = self.places.pop_front()?;
            self.first += 1;
            let Some(waiting) = place else { continue };
            if let Some(numbers) = self.of.get_mut(&waiting.sender) {
                numbers.pop_front();
            }
            self.forget(waiting.entry.1);
            return Some(waiting.entry);
        }
    }

    fn amount(&self) -> Amount {
        self.amount
    }

    fn drain(&mut self) -> Vec<Entry> {
        self.of.clear();
        self.amount = Amount::default();
        self.first += self.places.len() as u64;
        self.places.drain(..).flatten().map(|waiting| waiting.entry).collect()
    }

    fn makes_room(&self) -> bool {
        true
    }

    /// Makes room in a full queue for an arriving acknowledgement: removes and returns the acknowledgement that it
    /// replaces, if there is one.
    fn make_room(&mut self, coming: Coming) -> Option<Parcel> {
        let newest = coming.ack.filter(|_| !self.thinned)?;
        let older = self.thin(coming.sender, &newest)?;
        self.thinned = true;
        Some(older)
    }

    fn thins(&self) -> bool {
        true
    }
}
