// SPDX-License-Identifier: MIT OR Apache-2.0
//! The event queue: a tournament tree with one leaf per source of events (a link or an endpoint).
//!
//! A source has at most one next event. The tree contains the used leaves. Each node above them contains the earliest
//! event of its four children, and the root contains the next event. A leaf is allocated at the first event of its
//! source. A constellation has many links, but a run uses few of them. The leaves of the used links are therefore
//! adjacent.
//!
//! If the time of a source changes, the comparisons on the path to the root are repeated, until a node does not change.
//! Four siblings share one cache line. The minimum of the three other siblings does not depend on the level below.
//! Therefore each level costs one comparison on the critical path, and there is no branch that depends on which event
//! is earlier.

use std::hint::select_unpredictable;
use units::Time;

/// Key of a leaf without an event. `Time::MAX` is never stored as a time.
const NEVER: Key = Key { time: u64::MAX, order: u64::MAX };
/// Node of the next event.
const ROOT: usize = 3;

/// Position of an event in the order of events. A key contains the number of its source. Therefore only [`NEVER`] can
/// occur twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, saved::Plain)]
struct Key {
    /// Time, in nanoseconds.
    time: u64,
    /// Priority, rank and number of the source, in this order from the most significant bits.
    order: u64,
}

impl Key {
    /// Returns the earlier of two keys without a branch. Which key is earlier is nearly random, and a wrong branch
    /// prediction costs more than one level. The keys are compared as 128-bit numbers, by a subtraction with borrow.
    /// The selection is written separately for each half, because the compiler turns `Ord::min` into branches.
    #[inline]
    fn earlier(self, other: Self) -> Self {
        let first = self.place() < other.place();
        Self {
            time: select_unpredictable(first, self.time, other.time),
            order: select_unpredictable(first, self.order, other.order),
        }
    }

    /// Returns the key as one number: the time in the upper half, the order in the lower half.
    #[inline]
    const fn place(self) -> u128 {
        (self.time as u128) << 64 | self.order as u128
    }
}

/// Four siblings in one cache line.
#[derive(Clone, Copy, Debug, saved::Plain)]
#[repr(align(64))]
struct Siblings([Key; 4]);

/// The event that an update moves towards the root of the tree, and the node that the event has reached.
struct Climb {
    node: usize,
    winner: Key,
}

/// A source of events. Simultaneous events are ordered by the priority, then the rank, then the number of their
/// sources. Lower values are first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Source {
    /// Priority, in 4 bits. Lower values are first.
    pub priority: u8,
    /// Rank among the sources of the same priority, in 28 bits. Higher bits are ignored.
    pub rank: u32,
    /// Number, which must be unique among the sources of the same priority.
    pub number: u32,
}

impl Source {
    const fn order(self) -> u64 {
        (self.priority as u64) << 60 | ((self.rank & 0xfff_ffff) as u64) << 32 | self.number as u64
    }
    const fn of(key: Key) -> Self {
        let Key { order, .. } = key;
        Self { priority: (order >> 60) as u8, rank: (order >> 32) as u32 & 0xfff_ffff, number: order as u32 }
    }
}

/// Leaf of a source in the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub struct Leaf(u32);

impl Leaf {
    /// Value for a source that has had no event yet.
    pub const NONE: Self = Self(u32::MAX);
}

/// The next event of each source, in a strict order: by time, then by priority, rank and number of the source. A source
/// has at most one event. Therefore no two events are equal. The order does not depend on when the events were set. If
/// parts of a network were simulated separately, their events would therefore have the same order.
#[derive(Clone, Debug, saved::Plain)]
pub struct EventQueue {
    /// Nodes, four per entry. Node 3 is the root. The children of node `n` are in entry `n - 2`. The leaves come last.
    nodes: Vec<Siblings>,
    /// Node of leaf 0.
    first_leaf: usize,
    /// Number of allocated leaves.
    leaves: usize,
}

impl Default for EventQueue {
    fn default() -> Self {
        Self { nodes: vec![Siblings([NEVER; 4])], first_leaf: ROOT, leaves: 0 }
    }
}

impl EventQueue {
    /// Replaces the next event of `source`. With `Time::MAX`, removes the event. The caller must store `leaf` between
    /// calls for a source. Before the first call, it is [`Leaf::NONE`].
    #[inline]
    pub fn set(&mut self, source: Source, leaf: &mut Leaf, time: Time) {
        let key = if time == Time::MAX { NEVER } else { Key { time: time.nanos(), order: source.order() } };
        if *leaf == Leaf::NONE {
            *leaf = self.grow();
        }
        self.place(leaf.0 as usize, key);
    }

    /// Adds a leaf.
    #[cold]
    fn grow(&mut self) -> Leaf {
        let leaf = self.leaves;
        let inner = self.first_leaf - ROOT;
        // Each inner node reduces four nodes to one. With `inner` inner nodes, only the root remains in the end.
        if leaf > 3 * inner {
            let keys: Vec<Key> = (0..leaf).map(|leaf| self.key(leaf)).collect();
            let inner = 4 * inner + 1; // one more level
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

    /// Returns the time and the source of the next event. The event stays in the queue until its source gets a new
    /// time.
    #[inline]
    pub fn peek(&self) -> Option<(Time, Source)> {
        let key = self.nodes[0].0[ROOT];
        (key.time != NEVER.time).then_some((Time::from_nanos(key.time), Source::of(key)))
    }

    /// Returns the events that lost the last comparison against the next event, each with its time and source. These
    /// events are likely to be next.
    #[inline]
    pub fn contenders(&self) -> impl Iterator<Item = (Time, Source)> {
        let next = self.nodes[0].0[ROOT];
        // The children of the root. If there is a single leaf, the root has no children.
        let last = self.nodes.get(1).map_or([NEVER; 4], |siblings| siblings.0);
        let others = last.into_iter().filter(move |key| *key != NEVER && *key != next);
        others.map(|key| (Time::from_nanos(key.time), Source::of(key)))
    }

    /// Writes the key of a leaf and repeats the comparisons upwards, until the earliest event of a node does not
    /// change.
    ///
    /// The loop is unrolled for 16,384 leaves (eight levels). In a loop, the compiler turns the selections into
    /// branches, and an update takes 1.6 times as long. A loop with a comparison that the compiler cannot turn into
    /// branches was also measured: the unrolled version takes 0.75 times its time.
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

    /// Writes the earliest event of the level below into its node, and compares it with its siblings. Returns whether
    /// the update stops here.
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    /// A queue with the leaves of its sources.
    #[derive(Default)]
    struct Sources {
        queue: EventQueue,
        leaves: BTreeMap<(u8, u32), Leaf>,
    }

    const fn source(priority: u8, rank: u32, number: u32) -> Source {
        Source { priority, rank, number }
    }

    impl Sources {
        fn set(&mut self, source: Source, time: u64) {
            let leaf = self.leaves.entry((source.priority, source.number)).or_insert(Leaf::NONE);
            self.queue.set(source, leaf, Time::from_nanos(time));
        }
        fn peek(&self) -> Option<(u64, Source)> {
            self.queue.peek().map(|(time, source)| (time.nanos(), source))
        }
        /// Returns the next event and removes it.
        fn pop(&mut self) -> Option<(u64, Source)> {
            let (time, source) = self.peek()?;
            self.set(source, u64::MAX);
            Some((time, source))
        }
        fn drain(&mut self) -> Vec<(u64, Source)> {
            std::iter::from_fn(|| self.pop()).collect()
        }
    }

    #[test]
    fn empty_and_single() {
        let mut queue = Sources::default();
        assert_eq!(queue.peek(), None);
        queue.set(source(3, 0, 0), 7);
        assert_eq!(queue.peek(), Some((7, source(3, 0, 0))));
        queue.set(source(3, 0, 0), u64::MAX);
        assert_eq!(queue.peek(), None);
    }

    #[test]
    fn ties_go_by_priority_rank_and_number_whenever_they_were_set() {
        let mut queue = Sources::default();
        let order = [source(0, 9, 9), source(1, 0, 4), source(1, 3, 2), source(1, 3, 5), source(2, 0, 0)];
        for at in [3, 1, 4, 0, 2, 1] {
            queue.set(order[at], 10);
        }
        queue.set(source(15, 0, 1), 9);
        assert_eq!(queue.pop(), Some((9, source(15, 0, 1))));
        assert_eq!(queue.drain(), order.map(|source| (10, source)));
    }

    #[test]
    fn the_highest_numbers_there_are() {
        let mut queue = Sources::default();
        let [last, first] = [source(15, 0xfff_ffff, u32::MAX), source(0, 0xfff_ffff, u32::MAX)];
        queue.set(last, u64::MAX - 1);
        queue.set(first, u64::MAX - 1);
        assert_eq!(queue.drain(), [(u64::MAX - 1, first), (u64::MAX - 1, last)]);
    }

    proptest! {
        /// Compares the queue with a set that is sorted by (time, priority, rank, number). The events have few
        /// different times and ranks. Therefore ties are common.
        #[test]
        fn as_a_sorted_set(
            calls in prop::collection::vec(
                (0_u32..90, prop_oneof![4 => 0_u64..6, 1 => Just(u64::MAX)], 0_u8..3),
                1..300,
            ),
        ) {
            let mut queue = Sources::default();
            let mut time_of = BTreeMap::new();
            for (number, time, priority) in calls {
                let source = source(priority, number % 5, number);
                queue.set(source, time);
                time_of.insert(source, time);
                let due = time_of.iter().filter(|(_, time)| **time != u64::MAX);
                prop_assert_eq!(queue.peek(), due.map(|(&source, &time)| (time, source)).min());
            }
            let due = time_of.into_iter().filter(|(_, time)| *time != u64::MAX);
            let mut rest: Vec<_> = due.map(|(source, time)| (time, source)).collect();
            rest.sort_unstable();
            prop_assert_eq!(queue.drain(), rest);
        }
    }
}
