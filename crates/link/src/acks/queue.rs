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
    /// The fields of a pure acknowledgement; `None`: another packet.
    ack: Option<Ack>,
}

/// A drop-tail queue that separates the packets of each connection.
#[derive(Clone, Debug, saved::Plain)]
pub(crate) struct AckQueue {
    thinning: Option<Thinning>,
    /// Packets, oldest first. A place is empty after its packet was taken out.
    places: VecDeque<Option<Waiting>>,
    /// Number of the first place in `places`.
    first: u64,
    /// Numbers of the places of each sender's packets, oldest first.
    of: BTreeMap<u64, VecDeque<u64>>,
    amount: Amount,
    /// Whether thinning has dropped a packet for the next one.
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

    /// Takes out the packet that thinning drops for an arriving acknowledgement of `sender`.
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

    /// In a full queue, an arriving acknowledgement takes the place of the dropped acknowledgement.
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
