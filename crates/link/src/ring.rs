// SPDX-License-Identifier: MIT OR Apache-2.0
//! Queues in a ring of memory.

use saved::{Damaged, Plain, Reader, Saved, Writer};

/// Number of places of the first ring.
const FEW: usize = 4;

/// A queue in a ring of memory. It takes 24 bytes itself, 8 fewer than `VecDeque`, so that the fields that a link uses
/// for each packet need fewer cache lines. It grows by half, not to twice its size.
#[derive(Clone, Debug)]
pub(crate) struct Ring<T> {
    /// Places of which the first entry uses the place `first`. Unused places contain copies of old entries.
    places: Box<[T]>,
    first: u32,
    len: u32,
}

impl<T> Default for Ring<T> {
    fn default() -> Self {
        Self { places: Box::default(), first: 0, len: 0 }
    }
}

impl<T: Copy> Ring<T> {
    #[inline]
    pub(crate) const fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether the next entry needs more memory.
    #[inline]
    const fn is_filled(&self) -> bool {
        self.len as usize == self.places.len()
    }

    /// Returns the place of entry `at`, counted from the first entry.
    #[inline]
    const fn place(&self, at: usize) -> usize {
        let place = self.first as usize + at;
        if place >= self.places.len() { place - self.places.len() } else { place }
    }

    #[inline]
    pub(crate) fn get(&self, at: usize) -> Option<&T> {
        if at < self.len() { self.places.get(self.place(at)) } else { None }
    }

    #[inline]
    pub(crate) fn front(&self) -> Option<&T> {
        self.get(0)
    }

    #[inline]
    pub(crate) fn back(&self) -> Option<&T> {
        self.get(self.len().wrapping_sub(1))
    }

    pub(crate) fn back_mut(&mut self) -> Option<&mut T> {
        let last = self.len().checked_sub(1)?;
        let place = self.place(last);
        self.places.get_mut(place)
    }

    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        (0..self.len()).map(|at| &self.places[self.place(at)])
    }

    #[inline]
    pub(crate) fn push_back(&mut self, entry: T) {
        if self.is_filled() {
            self.grow(entry);
        }
        let place = self.place(self.len());
        self.places[place] = entry;
        self.len += 1;
    }

    pub(crate) fn push_front(&mut self, entry: T) {
        if self.is_filled() {
            self.grow(entry);
        }
        let places = self.places.len() as u32;
        self.first = if self.first == 0 { places - 1 } else { self.first - 1 };
        self.len += 1;
        self.places[self.first as usize] = entry;
    }

    /// Adds an entry at the position `at`, counted from the first entry.
    pub(crate) fn insert(&mut self, at: usize, entry: T) {
        self.push_back(entry);
        for later in (at..self.len() - 1).rev() {
            let (from, to) = (self.place(later), self.place(later + 1));
            self.places.swap(from, to);
        }
    }

    #[inline]
    pub(crate) fn pop_front(&mut self) -> Option<T> {
        let first = *self.front()?;
        self.first = self.place(1) as u32;
        self.len -= 1;
        Some(first)
    }

    /// Returns the number of first entries for which `is_first` is true. It must be false for all entries behind them.
    pub(crate) fn partition_point(&self, is_first: impl Fn(&T) -> bool) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            if self.get(middle).is_some_and(&is_first) { low = middle + 1 } else { high = middle }
        }
        low
    }

    /// Removes and returns all entries.
    pub(crate) fn drain(&mut self) -> impl Iterator<Item = T> {
        std::iter::from_fn(|| self.pop_front())
    }

    /// Makes room for more entries. New places contain copies of `filler`.
    #[cold]
    fn grow(&mut self, filler: T) {
        let places = self.places.len() + (self.places.len() / 2).max(FEW);
        let mut entries = Vec::with_capacity(places);
        entries.extend(self.iter().copied());
        entries.resize(places, filler);
        (self.places, self.first) = (entries.into_boxed_slice(), 0);
    }
}

impl<T: Copy + Plain> Saved for Ring<T> {
    fn save_to(&self, to: &mut Writer) {
        self.len().save_to(to);
        self.iter().for_each(|entry| entry.save_to(to));
    }
    fn load_from(&mut self, from: &mut Reader<'_>) -> Result<(), Damaged> {
        *self = Self::read_from(from)?;
        Ok(())
    }
}

impl<T: Copy + Plain> Plain for Ring<T> {
    fn read_from(from: &mut Reader<'_>) -> Result<Self, Damaged> {
        let mut ring = Self::default();
        for _ in 0..from.length::<Self>()? {
            ring.push_back(T::read_from(from)?);
        }
        Ok(ring)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::VecDeque;

    proptest! {
        /// Expected: the entries of a `VecDeque` after the same calls.
        #[test]
        fn as_a_deque(calls in prop::collection::vec((0u8..6, any::<u32>()), 0..300)) {
            let (mut ring, mut deque) = (Ring::default(), VecDeque::new());
            for (call, number) in calls {
                match call {
                    0..3 => {
                        ring.push_back(number);
                        deque.push_back(number);
                    }
                    3 => {
                        ring.push_front(number);
                        deque.push_front(number);
                    }
                    4 => {
                        let at = number as usize % (deque.len() + 1);
                        ring.insert(at, number);
                        deque.insert(at, number);
                    }
                    _ => prop_assert_eq!(ring.pop_front(), deque.pop_front()),
                }
                prop_assert_eq!(ring.iter().collect::<Vec<_>>(), deque.iter().collect::<Vec<_>>());
                prop_assert_eq!((ring.front(), ring.back()), (deque.front(), deque.back()));
                prop_assert_eq!(ring.len(), deque.len());
            }
            let mut to = Writer::default();
            ring.save_to(&mut to);
            let bytes = to.into_bytes();
            let mut read = Ring::<u32>::default();
            prop_assert!(read.load_from(&mut Reader::new(&bytes)).is_ok());
            prop_assert_eq!(read.drain().collect::<Vec<_>>(), Vec::from(deque));
        }
    }
}
