// SPDX-License-Identifier: MIT OR Apache-2.0
//! The connections of a host: found by number, their timers in one event queue, those that may have something to send in a row.

use super::connection::{Connection, Own};
use control::PathChange;
use engine::queue::{EventQueue, Leaf};
use std::collections::{BTreeMap, VecDeque};
use tcp::Segment;
use units::Time;

/// A place for a connection; it is used again.
struct Slot<S> {
    leaf: Leaf,
    armed: Time,
    /// It stands in the row of those that may send.
    is_ready: bool,
    connection: Option<Box<Connection<S>>>,
}

/// The connections of a host.
pub(super) struct Connections<S> {
    slots: Vec<Slot<S>>,
    /// Free places; the one that was left last is used first.
    free: Vec<u32>,
    by_number: BTreeMap<u32, u32>,
    timers: EventQueue,
    ready: VecDeque<u32>,
}

/// What leaves next, and who sends it.
pub(super) struct Leaving {
    pub slot: u32,
    pub segment: Segment,
    /// It is of the half that receives.
    pub is_answer: bool,
    /// It was sent before.
    pub repeated: bool,
}

impl<S> Default for Connections<S> {
    fn default() -> Self {
        Self {
            slots: Vec::new(),
            free: Vec::new(),
            by_number: BTreeMap::new(),
            timers: EventQueue::new(0),
            ready: VecDeque::new(),
        }
    }
}

impl<S: Own> Connections<S> {
    /// Takes in a connection: its place. It may send at once.
    pub fn insert(&mut self, connection: Box<Connection<S>>) -> u32 {
        let number = connection.number;
        let slot = if let Some(slot) = self.free.pop() {
            self.slots[slot as usize].connection = Some(connection);
            slot
        } else {
            self.timers.add_source();
            let connection = Some(connection);
            self.slots.push(Slot { leaf: Leaf::NONE, armed: Time::MAX, is_ready: false, connection });
            (self.slots.len() - 1) as u32
        };
        self.by_number.insert(number, slot);
        self.wake(slot);
        slot
    }

    /// Frees a connection, by number; of one that is gone nothing happens.
    pub fn remove(&mut self, number: u32) {
        let Some(slot) = self.by_number.remove(&number) else { return };
        self.slots[slot as usize].connection = None;
        self.arm(slot, Time::MAX);
        self.free.push(slot);
    }

    /// Place of a connection.
    pub fn find(&self, number: u32) -> Option<u32> {
        self.by_number.get(&number).copied()
    }

    /// The connection at a place.
    pub fn get(&mut self, slot: u32) -> Option<&mut Connection<S>> {
        self.slots.get_mut(slot as usize)?.connection.as_deref_mut()
    }

    /// Tells all that are established that the path changes.
    pub fn path_changed(&mut self, change: &PathChange) {
        let slots: Vec<u32> = self.by_number.values().copied().collect();
        for slot in slots {
            if let Some(connection) = self.get(slot).filter(|connection| connection.sender.is_established()) {
                connection.sender.path_changed(change);
                self.wake(slot);
            }
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.by_number.len()
    }

    /// How many places there are.
    pub fn places(&self) -> usize {
        self.slots.len()
    }

    /// It may have something to send, and its timers may have changed.
    pub fn wake(&mut self, slot: u32) {
        let place = &mut self.slots[slot as usize];
        if !place.is_ready {
            place.is_ready = true;
            self.ready.push_back(slot);
        }
    }

    /// The next segment that leaves, acknowledgements of a connection first. Who has nothing more to send goes by its timers.
    pub fn poll_transmit(&mut self, now: Time) -> Option<Leaving> {
        while let Some(&slot) = self.ready.front() {
            if let Some(connection) = &mut self.slots[slot as usize].connection {
                if let Some(segment) = connection.receiver.poll_transmit(now) {
                    return Some(Leaving { slot, segment, is_answer: true, repeated: false });
                }
                let before = connection.sender.stats().retransmitted;
                if let Some(segment) = connection.sender.poll_transmit(now) {
                    let repeated = connection.sender.stats().retransmitted != before;
                    return Some(Leaving { slot, segment, is_answer: false, repeated });
                }
                let next = connection.next_timeout();
                self.arm(slot, next);
            }
            self.ready.pop_front();
            self.slots[slot as usize].is_ready = false;
        }
        None
    }

    fn arm(&mut self, slot: u32, next: Time) {
        let place = &mut self.slots[slot as usize];
        if next != place.armed {
            place.armed = next;
            self.timers.set(slot as usize, &mut place.leaf, next, 0);
        }
    }

    /// When the next timer runs out.
    pub fn next_timeout(&self) -> Time {
        self.timers.peek().map_or(Time::MAX, |(at, _)| at)
    }

    /// The next connection whose timer has run out. It is woken.
    pub fn next_due(&mut self, now: Time) -> Option<u32> {
        let (at, slot) = self.timers.peek()?;
        if at > now {
            return None;
        }
        self.arm(slot as u32, Time::MAX);
        self.wake(slot as u32);
        Some(slot as u32)
    }
}
