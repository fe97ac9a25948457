// SPDX-License-Identifier: MIT OR Apache-2.0
//! A store of items whose timers are in one event queue.

use engine::queue::{EventQueue, Leaf, Source};
use saved::{Damaged, Each as _, Plain as _, Reader, Saved, Writer};
use units::Time;

#[derive(Clone)]
struct Place<T> {
    leaf: Leaf,
    armed: Time,
    item: Option<Box<T>>,
}

/// Items, each stored in a place. The place that was freed last is reused first. Memory is therefore proportional to
/// the largest number of simultaneous items.
#[derive(Clone)]
pub(crate) struct Timed<T> {
    places: Vec<Place<T>>,
    free: Vec<u32>,
    timers: EventQueue,
}

impl<T> Default for Timed<T> {
    fn default() -> Self {
        Self { places: Vec::new(), free: Vec::new(), timers: EventQueue::default() }
    }
}

impl<T> Timed<T> {
    /// Adds an item without a timer and returns its place.
    pub fn insert(&mut self, item: Box<T>) -> u32 {
        if let Some(place) = self.free.pop() {
            self.places[place as usize].item = Some(item);
            return place;
        }
        self.places.push(Place { leaf: Leaf::NONE, armed: Time::MAX, item: Some(item) });
        (self.places.len() - 1) as u32
    }

    /// Removes and returns the item at a place, together with its timer.
    pub fn remove(&mut self, place: u32) -> Option<Box<T>> {
        self.arm(place, Time::MAX);
        let item = self.places[place as usize].item.take()?;
        self.free.push(place);
        Some(item)
    }

    /// Returns the item at a place.
    pub fn get(&mut self, place: u32) -> Option<&mut T> {
        self.places.get_mut(place as usize)?.item.as_deref_mut()
    }

    /// Returns the item at a place for reading.
    pub fn look(&self, place: u32) -> Option<&T> {
        self.places.get(place as usize)?.item.as_deref()
    }

    /// Returns all items in the order of their places.
    pub fn all(&self) -> impl Iterator<Item = &T> {
        self.places.iter().filter_map(|place| place.item.as_deref())
    }

    /// Returns the number of items.
    pub fn len(&self) -> usize {
        self.places.len() - self.free.len()
    }

    /// Returns the number of places.
    pub fn places(&self) -> usize {
        self.places.len()
    }

    /// Sets the timer of a place. [`Time::MAX`] removes the timer.
    pub fn arm(&mut self, place: u32, next: Time) {
        let source = Source { priority: 0, rank: 0, number: place };
        let place = &mut self.places[place as usize];
        if next != place.armed {
            place.armed = next;
            self.timers.set(source, &mut place.leaf, next);
        }
    }

    /// Returns the time at which the next timer expires.
    pub fn next_timeout(&self) -> Time {
        self.timers.peek().map_or(Time::MAX, |(at, _)| at)
    }

    /// Returns the next place whose timer has expired, and clears this timer.
    pub fn next_due(&mut self, now: Time) -> Option<u32> {
        let (_, Source { number: place, .. }) = self.timers.peek().filter(|&(at, _)| at <= now)?;
        self.arm(place, Time::MAX);
        Some(place)
    }
}

impl<T: Saved> Timed<T> {
    /// Writes all items and their timers.
    pub fn save_items(&self, to: &mut Writer) {
        self.places.len().save_to(to);
        for Place { leaf, armed, item } in &self.places {
            leaf.save_to(to);
            armed.save_to(to);
            item.save_each(to);
        }
        self.free.save_to(to);
        self.timers.save_to(to);
    }

    /// Reads the items that [`Self::save_items`] wrote. For each stored item, `make` creates an item whose state is
    /// then read.
    pub fn load_items(&mut self, from: &mut Reader<'_>, make: impl Fn() -> Box<T>) -> Result<(), Damaged> {
        let length = from.length::<Self>()?;
        self.places.clear();
        for _ in 0..length {
            let mut place = Place { leaf: Leaf::read_from(from)?, armed: Time::read_from(from)?, item: None };
            saved::load_or(&mut place.item, from, &make)?;
            self.places.push(place);
        }
        self.free.load_from(from)?;
        self.timers.load_from(from)
    }
}
