// SPDX-License-Identifier: MIT OR Apache-2.0
//! The connections of a host. Each connection has a number, which packets carry, and a place, which is its index in the
//! store. One event queue contains the timers of all connections. A queue contains the connections that may have data
//! to send.

use super::connection::{Connection, Maker, Own};
use super::timed::Timed;
use crate::Transport;
use control::PathChange;
use saved::{Damaged, Plain, Reader, Saved as _, SavedBy, Writer};
use std::collections::{BTreeMap, VecDeque};
use tcp::Segment;
use units::Time;

/// The connections of a host.
#[derive(Clone)]
pub(super) struct Connections<S> {
    slots: Timed<Connection<S>>,
    by_number: BTreeMap<u32, u32>,
    /// `ready` is a queue of the places of connections that may send. Each place is in the queue at most once.
    /// `is_ready` states for each place whether it is in the queue.
    ready: VecDeque<u32>,
    is_ready: Vec<bool>,
    /// Announced changes of the path that have not happened yet.
    announced: Vec<PathChange>,
}

/// The next segment that leaves, and the connection that sends it.
pub(super) struct Leaving {
    pub slot: u32,
    pub segment: Segment,
    /// Whether the receiving half sends the segment.
    pub is_answer: bool,
    /// Whether the segment is a retransmission.
    pub repeated: bool,
}

impl<S> Default for Connections<S> {
    fn default() -> Self {
        Self {
            slots: Timed::default(),
            by_number: BTreeMap::new(),
            ready: VecDeque::new(),
            is_ready: Vec::new(),
            announced: Vec::new(),
        }
    }
}

impl<S: Own> Connections<S> {
    /// Adds a connection and returns its place. The connection may send immediately.
    pub fn insert(&mut self, now: Time, connection: Box<Connection<S>>) -> u32 {
        let (number, is_established) = (connection.number, connection.sender.is_established());
        let slot = self.slots.insert(connection);
        self.is_ready.resize(self.slots.places(), false);
        self.by_number.insert(number, slot);
        if is_established {
            self.established(now, slot);
        }
        self.wake(slot);
        slot
    }

    /// Frees the connection with this number. If it does not exist, this method does nothing.
    pub fn remove(&mut self, number: u32) {
        if let Some(slot) = self.by_number.remove(&number) {
            self.slots.remove(slot);
        }
    }

    /// Returns the place of the connection with this number, or `None` if it does not exist.
    pub fn find(&self, number: u32) -> Option<u32> {
        self.by_number.get(&number).copied()
    }

    /// Returns the numbers of all connections in ascending order.
    pub fn numbers(&self) -> impl Iterator<Item = u32> {
        self.by_number.keys().copied()
    }

    /// Returns the connection with this number for reading.
    pub fn look(&self, number: u32) -> Option<&Connection<S>> {
        self.slots.look(self.find(number)?)
    }

    /// Returns the connection at a place.
    pub fn get(&mut self, slot: u32) -> Option<&mut Connection<S>> {
        self.slots.get(slot)
    }

    /// Handles a sending half that was just established. The half is informed of changes that were announced earlier
    /// and have not happened yet.
    pub fn established(&mut self, now: Time, slot: u32) {
        let Some(connection) = self.slots.get(slot) else { return };
        for change in self.announced.iter().filter(|change| change.at > now) {
            connection.sender.path_changed(&PathChange { now, ..*change });
        }
    }

    /// Informs all established connections of a change of the path. All other connections are informed when they are
    /// established.
    pub fn path_changed(&mut self, change: &PathChange) {
        self.announced.retain(|announced| announced.at > change.now);
        self.announced.push(*change);
        let slots: Vec<u32> = self.by_number.values().copied().collect();
        for slot in slots {
            if let Some(connection) = self.get(slot).filter(|connection| connection.sender.is_established()) {
                connection.sender.path_changed(change);
                self.wake(slot);
            }
        }
    }

    /// Calls `show` for each connection, in ascending order of the numbers.
    pub fn each(&self, show: &mut dyn FnMut(u32, &dyn Transport, u64)) {
        for (&number, &slot) in &self.by_number {
            if let Some(connection) = self.slots.look(slot) {
                show(number, &connection.sender, connection.sender.stats().timeouts);
            }
        }
    }

    /// Returns the number of connections.
    pub fn len(&self) -> usize {
        self.by_number.len()
    }

    /// Returns the number of places.
    pub fn places(&self) -> usize {
        self.slots.places()
    }

    /// Marks a connection whose data to send or whose timers may have changed.
    pub fn wake(&mut self, slot: u32) {
        if !std::mem::replace(&mut self.is_ready[slot as usize], true) {
            self.ready.push_back(slot);
        }
    }

    /// Returns the next segment that leaves. A connection sends its acknowledgements before its data. When a connection
    /// has nothing more to send, it leaves the queue and waits for its timers.
    pub fn poll_transmit(&mut self, now: Time) -> Option<Leaving> {
        while let Some(&slot) = self.ready.front() {
            if let Some(connection) = self.slots.get(slot) {
                if let Some(segment) = connection.receiver.poll_transmit(now) {
                    return Some(Leaving { slot, segment, is_answer: true, repeated: false });
                }
                let before = connection.sender.stats().retransmitted;
                if let Some(segment) = connection.sender.poll_transmit(now) {
                    let repeated = connection.sender.stats().retransmitted != before;
                    return Some(Leaving { slot, segment, is_answer: false, repeated });
                }
                let next = connection.next_timeout();
                self.slots.arm(slot, next);
            }
            self.ready.pop_front();
            self.is_ready[slot as usize] = false;
        }
        None
    }

    /// Returns the time at which the next timer expires.
    pub fn next_timeout(&self) -> Time {
        self.slots.next_timeout()
    }

    /// Returns the next connection whose timer has expired, and marks this connection.
    pub fn next_due(&mut self, now: Time) -> Option<u32> {
        let slot = self.slots.next_due(now)?;
        self.wake(slot);
        Some(slot)
    }
}

impl<S: Own + Plain + Default> SavedBy<Maker> for Connections<S> {
    fn save_made(&self, to: &mut Writer) {
        let Self { slots, by_number, ready, is_ready, announced } = self;
        slots.save_items(to);
        by_number.save_to(to);
        ready.save_to(to);
        is_ready.save_to(to);
        announced.save_to(to);
    }

    fn load_made(&mut self, from: &mut Reader<'_>, maker: &Maker) -> Result<(), Damaged> {
        let Self { slots, by_number, ready, is_ready, announced } = self;
        slots.load_items(from, || maker.connection(0, S::default(), false))?;
        by_number.load_from(from)?;
        ready.load_from(from)?;
        is_ready.load_from(from)?;
        announced.load_from(from)
    }
}
