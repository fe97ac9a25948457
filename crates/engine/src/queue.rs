// SPDX-License-Identifier: MIT OR Apache-2.0
//! The event queue: a tournament with one leaf per source of events (a link, an endpoint).
//!
//! A source has at most one next event, so the queue holds no more than the leaves that were asked for and, above them,
//! the earliest of every four, up to the one that is next. A leaf is asked for when its source has its first event: of
//! the many links of a constellation few are used, and their leaves lie side by side. Giving a source a new time replays
//! its path to the top, and stops where nothing changes. Four siblings are one cache line, and the minimum of the three
//! others does not wait for the level below: a step costs one comparison on the critical path, and no branch depends on
//! which event wins.

use std::hint::select_unpredictable;
use units::Time;

/// Bits of `Key::order` below the priority.
const PRIORITY_SHIFT: u32 = 56;
/// The key of a leaf without an event: `Time::MAX` is never stored.
const NEVER: Key = Key { time: u64::MAX, order: u64::MAX };
/// Where the winner of all stands.
const ROOT: usize = 3;

/// The place of an event in the order of events; it names its leaf, and no two are equal but [`NEVER`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    /// Nanoseconds.
    time: u64,
    /// Priority, sequence and leaf, most significant first.
    order: u64,
}

impl Key {
    /// The lesser of two without a branch: which event wins is as good as random, and a wrong guess costs more than
    /// a step. One number of 128 bits compares by a subtraction with borrow; the choice is written out for each half,
    /// because the compiler makes branches of `Ord::min`.
    #[inline]
    fn earlier(self, other: Self) -> Self {
        let first = self.place() < other.place();
        Self {
            time: select_unpredictable(first, self.time, other.time),
            order: select_unpredictable(first, self.order, other.order),
        }
    }

    /// Time above order.
    #[inline]
    const fn place(self) -> u128 {
        (self.time as u128) << 64 | self.order as u128
    }
}

/// Four siblings, in one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Siblings([Key; 4]);

/// A winner on its way to the top, and the node that it comes to.
struct Climb {
    node: usize,
    winner: Key,
}

/// Place of a source of events in the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf(u32);

impl Leaf {
    /// Of a source that had no event yet.
    pub const NONE: Self = Self(u32::MAX);
}

/// Next event of each source, in the strict order (time, priority, sequence), where the sequence counts the calls of
/// [`EventQueue::set`].
#[derive(Clone, Debug)]
pub struct EventQueue {
    /// Nodes, four to an entry: node 3 is the root, the children of node `n` are entry `n - 2`; the leaves are last.
    nodes: Vec<Siblings>,
    /// Node of leaf 0.
    first_leaf: usize,
    /// Leaves handed out.
    leaves: usize,
    sources: usize,
    /// Bits of a key that hold the source.
    source_bits: u32,
    /// Next sequence number.
    sequence: u64,
}

impl EventQueue {
    /// A queue of sources 0 to `sources - 1`, none with an event.
    ///
    /// # Panics
    /// If there are more than 2^32 - 1 sources.
    pub fn new(sources: usize) -> Self {
        assert!(sources < 1 << 32, "{sources} sources: fewer than 2^32 leave room for sequence numbers");
        Self {
            nodes: vec![Siblings([NEVER; 4])],
            first_leaf: ROOT,
            leaves: 0,
            sources,
            source_bits: sources.next_power_of_two().trailing_zeros(),
            sequence: 0,
        }
    }

    /// One source more, with the next number and without an event.
    ///
    /// # Panics
    /// If there are more than 2^32 - 1 sources.
    pub fn add_source(&mut self) {
        self.sources += 1;
        assert!(
            self.sources < 1 << 32,
            "{} sources: fewer than 2^32 leave room for sequence numbers",
            self.sources
        );
        let source_bits = self.sources.next_power_of_two().trailing_zeros();
        if source_bits > self.source_bits {
            self.renumber(source_bits);
        }
    }

    /// Sets the next event of `source`, in place of the one it had; `Time::MAX` leaves it without one. The source keeps
    /// its `leaf` from call to call, [`Leaf::NONE`] before the first.
    ///
    /// # Panics
    /// If there is no such source.
    #[inline]
    pub fn set(&mut self, source: usize, leaf: &mut Leaf, time: Time, priority: u8) {
        assert!(source < self.sources, "source {source} of {}", self.sources);
        let key = if time == Time::MAX {
            NEVER
        } else {
            if self.sequence >> (PRIORITY_SHIFT - self.source_bits) != 0 {
                self.renumber(self.source_bits);
            }
            let sequence = self.sequence;
            self.sequence += 1;
            let order = u64::from(priority) << PRIORITY_SHIFT | sequence << self.source_bits | source as u64;
            Key { time: time.nanos(), order }
        };
        if *leaf == Leaf::NONE {
            *leaf = self.grow();
        }
        self.place(leaf.0 as usize, key);
    }

    /// One leaf more.
    #[cold]
    fn grow(&mut self) -> Leaf {
        let leaf = self.leaves;
        let inner = self.first_leaf - ROOT;
        // Each inner node turns four nodes into one: `inner` of them leave the root alone.
        if leaf > 3 * inner {
            let keys: Vec<Key> = (0..leaf).map(|leaf| self.key(leaf)).collect();
            let inner = 4 * inner + 1; // a level more
            self.nodes = vec![Siblings([NEVER; 4]); inner + 1];
            self.first_leaf = ROOT + inner;
            for (leaf, key) in keys.into_iter().enumerate() {
                self.place(leaf, key);
            }
        }
        self.leaves += 1;
        Leaf(leaf as u32)
    }

    fn key(&self, leaf: usize) -> Key {
        let node = self.first_leaf + leaf;
        self.nodes[node / 4].0[node % 4]
    }

    /// The next event of all: its time and its source. It stays until its source is set anew.
    #[inline]
    pub fn peek(&self) -> Option<(Time, usize)> {
        let key = self.nodes[0].0[ROOT];
        let source = key.order & ((1 << self.source_bits) - 1);
        (key.time != NEVER.time).then_some((Time::from_nanos(key.time), source as usize))
    }

    /// The events that lost to the next one in the last game, each with its time and source; the first of them are near.
    #[inline]
    pub fn contenders(&self) -> impl Iterator<Item = (Time, usize)> {
        let mask = (1 << self.source_bits) - 1;
        let next = self.nodes[0].0[ROOT];
        // The children of the root; with a single leaf there are none.
        let last = self.nodes.get(1).map_or([NEVER; 4], |siblings| siblings.0);
        let others = last.into_iter().filter(move |key| *key != NEVER && *key != next);
        others.map(move |key| (Time::from_nanos(key.time), (key.order & mask) as usize))
    }

    /// Writes a leaf's key and plays its games anew, up to where the winner stays.
    ///
    /// The games of 16,384 leaves stand in a row: in a loop the compiler makes branches of the choices, and a climb takes
    /// 1.6 times as long (measured; in a row 0.75 times that of a loop whose comparison is too long for branches).
    #[inline]
    fn place(&mut self, leaf: usize, key: Key) {
        let mut climb = Climb { node: self.first_leaf + leaf, winner: key };
        let done = self.play(&mut climb)
            || self.play(&mut climb)
            || self.play(&mut climb)
            || self.play(&mut climb)
            || self.play(&mut climb)
            || self.play(&mut climb)
            || self.play(&mut climb)
            || self.play(&mut climb);
        if !done {
            self.play_on(climb);
        }
    }

    #[cold]
    fn play_on(&mut self, mut climb: Climb) {
        while !self.play(&mut climb) {}
    }

    /// Writes the winner from below into its node and lets it play against its siblings. Whether it ends here.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "a call costs as much as the game")]
    fn play(&mut self, climb: &mut Climb) -> bool {
        let (entry, place) = (climb.node / 4, climb.node % 4);
        let siblings = &mut self.nodes[entry].0;
        if siblings[place] == climb.winner {
            return true;
        }
        siblings[place] = climb.winner;
        if climb.node == ROOT {
            return true;
        }
        let others = siblings[place ^ 1].earlier(siblings[place ^ 2]).earlier(siblings[place ^ 3]);
        climb.winner = climb.winner.earlier(others);
        climb.node = entry + 2;
        false
    }

    /// Starts the sequence numbers anew, in the order that stands, with room for sources of so many bits. Comes once in
    /// 2^56 / sources calls of `set`, and where sources are added.
    #[cold]
    fn renumber(&mut self, source_bits: u32) {
        let mut keys: Vec<(Key, usize)> = (0..self.leaves).map(|leaf| (self.key(leaf), leaf)).collect();
        keys.retain(|(key, _)| *key != NEVER);
        keys.sort_unstable();
        self.sequence = 0;
        let source_mask = (1 << self.source_bits) - 1;
        self.source_bits = source_bits;
        for (key, leaf) in keys {
            let priority = key.order >> PRIORITY_SHIFT << PRIORITY_SHIFT;
            let order = priority | self.sequence << source_bits | key.order & source_mask;
            self.place(leaf, Key { time: key.time, order });
            self.sequence += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn at(ns: u64) -> Time {
        Time::from_nanos(ns)
    }

    /// A queue and the leaves of its sources.
    struct Sources {
        queue: EventQueue,
        leaves: Vec<Leaf>,
    }

    impl Sources {
        fn new(sources: usize) -> Self {
            Self { queue: EventQueue::new(sources), leaves: vec![Leaf::NONE; sources] }
        }
        fn set(&mut self, source: usize, time: Time, priority: u8) {
            while source >= self.leaves.len() {
                self.queue.add_source();
                self.leaves.push(Leaf::NONE);
            }
            self.queue.set(source, &mut self.leaves[source], time, priority);
        }
        fn peek(&self) -> Option<(Time, usize)> {
            self.queue.peek()
        }
        /// Takes the next event and leaves its source without one.
        fn pop(&mut self) -> Option<(u64, usize)> {
            let (time, source) = self.peek()?;
            self.set(source, Time::MAX, 0);
            Some((time.nanos(), source))
        }
        fn drain(&mut self) -> Vec<(u64, usize)> {
            std::iter::from_fn(|| self.pop()).collect()
        }
    }

    #[test]
    fn empty_and_single() {
        assert_eq!(Sources::new(0).peek(), None);
        let mut queue = Sources::new(1);
        assert_eq!(queue.peek(), None);
        queue.set(0, at(7), 3);
        assert_eq!(queue.peek(), Some((at(7), 0)));
        queue.set(0, Time::MAX, 0);
        assert_eq!(queue.peek(), None);
    }

    #[test]
    fn ties_go_by_priority_then_by_the_order_of_calls() {
        let mut queue = Sources::new(5);
        queue.set(4, at(10), 1);
        queue.set(2, at(10), 1);
        queue.set(0, at(10), 2);
        queue.set(3, at(10), 0);
        queue.set(1, at(9), 255);
        assert_eq!(queue.drain(), [(9, 1), (10, 3), (10, 4), (10, 2), (10, 0)]);
    }

    #[test]
    fn set_anew_goes_behind_its_equals() {
        let mut queue = Sources::new(2);
        queue.set(0, at(1), 0);
        queue.set(1, at(1), 0);
        queue.set(0, at(1), 0);
        assert_eq!(queue.drain(), [(1, 1), (1, 0)]);
    }

    #[test]
    fn sequence_numbers_start_anew_in_the_order_that_stands() {
        let mut queue = Sources::new(3);
        queue.queue.sequence = (1 << (PRIORITY_SHIFT - queue.queue.source_bits)) - 2;
        queue.set(2, at(1), 0);
        queue.set(1, at(1), 0); // the last number there is
        queue.set(0, at(1), 0);
        assert_eq!(queue.queue.sequence, 3);
        assert_eq!(queue.drain(), [(1, 2), (1, 1), (1, 0)]);
    }

    #[test]
    #[should_panic(expected = "source 3 of 3")]
    fn no_such_source() {
        EventQueue::new(3).set(3, &mut Leaf::NONE.clone(), at(1), 0);
    }

    proptest! {
        /// Against a map sorted by (time, priority, number of the call). Few times, so that ties are common. Sources that
        /// the queue did not begin with are added when they come.
        #[test]
        fn as_a_sorted_map(
            (sources, begun_with) in (1_usize..90).prop_flat_map(|all| (Just(all), 0..=all)),
            calls in prop::collection::vec(
                (0_usize..90, prop_oneof![4 => 0_u64..6, 1 => Just(u64::MAX)], 0_u8..3),
                1..300,
            ),
        ) {
            let mut queue = Sources::new(begun_with);
            let mut sorted = BTreeMap::new();
            let mut key_of = vec![None; sources];
            for (number, (source, time, priority)) in calls.into_iter().enumerate() {
                let source = source % sources;
                queue.set(source, at(time), priority);
                if let Some(key) = key_of[source].take() {
                    sorted.remove(&key);
                }
                if time != u64::MAX {
                    key_of[source] = Some((time, priority, number));
                    sorted.insert((time, priority, number), source);
                }
                let first = sorted.first_key_value().map(|(&(time, _, _), &source)| (at(time), source));
                prop_assert_eq!(queue.peek(), first);
            }
            let rest: Vec<_> = sorted.into_iter().map(|((time, _, _), source)| (time, source)).collect();
            prop_assert_eq!(queue.drain(), rest);
        }
    }
}
