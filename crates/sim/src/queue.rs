// SPDX-License-Identifier: MIT OR Apache-2.0
//! The event queue: a tournament with one leaf per source of events (a link, an endpoint).
//!
//! A source has at most one next event, so the queue never grows: it holds the leaves and, above them, the earliest of
//! every four, up to the one that is next. Giving a source a new time replays its path to the top, and stops where
//! nothing changes. Four siblings are one cache line, and the minimum of the three others does not wait for the
//! level below: a step costs one comparison on the critical path, and no branch depends on which event wins.

use units::Time;

/// (time, priority, sequence, leaf), most significant first, in one number; [`NEVER`] if the leaf has no event.
type Key = u128;

/// Bits of a key below its time.
const TIME_SHIFT: u32 = 64;
/// Bits of a key below its priority.
const PRIORITY_SHIFT: u32 = 56;
/// The key of a leaf without an event: later than any time but `Time::MAX`, which is never stored.
const NEVER: Key = Key::MAX;
/// Where the winner of all stands.
const ROOT: usize = 3;

/// Four siblings, in one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Siblings([Key; 4]);

/// Next event of each of a fixed number of leaves, in the strict order (time, priority, sequence), where the sequence
/// counts the calls of [`EventQueue::set`].
#[derive(Clone, Debug)]
pub struct EventQueue {
    /// Nodes, four to an entry: node 3 is the root, the children of node `n` are entry `n - 2`; the leaves are last.
    nodes: Vec<Siblings>,
    /// Node of leaf 0.
    first_leaf: usize,
    leaves: usize,
    /// Bits of a key that hold the leaf.
    leaf_bits: u32,
    /// Next sequence number.
    sequence: u64,
}

impl EventQueue {
    /// A queue of leaves 0 to `leaves - 1`, none with an event.
    ///
    /// # Panics
    /// If there are more than 2^32 leaves.
    pub fn new(leaves: usize) -> Self {
        assert!(leaves as u64 <= 1 << 32, "{leaves} leaves: at most 2^32 leave room for sequence numbers");
        // Each inner node turns four nodes into one: `inner` of them leave the root alone.
        let inner = leaves.saturating_sub(1).div_ceil(3);
        Self {
            nodes: vec![Siblings([NEVER; 4]); inner + 1],
            first_leaf: ROOT + inner,
            leaves,
            leaf_bits: leaves.next_power_of_two().trailing_zeros(),
            sequence: 0,
        }
    }

    /// Sets the next event of `leaf`, in place of the one it had; `Time::MAX` leaves it without one.
    ///
    /// # Panics
    /// If there is no such leaf.
    #[inline]
    pub fn set(&mut self, leaf: usize, time: Time, priority: u8) {
        assert!(leaf < self.leaves, "leaf {leaf} of {}", self.leaves);
        let key = if time == Time::MAX {
            NEVER
        } else {
            if self.sequence >> (PRIORITY_SHIFT - self.leaf_bits) != 0 {
                self.renumber();
            }
            let sequence = self.sequence;
            self.sequence += 1;
            let order = u64::from(priority) << PRIORITY_SHIFT | sequence << self.leaf_bits | leaf as u64;
            Key::from(time.nanos()) << TIME_SHIFT | Key::from(order)
        };
        self.place(leaf, key);
    }

    /// The next event of all: its time and its leaf. It stays until its leaf is set anew.
    #[inline]
    pub fn peek(&self) -> Option<(Time, usize)> {
        let key = self.nodes[0].0[ROOT];
        let leaf = key as usize & ((1 << self.leaf_bits) - 1);
        (key != NEVER).then_some((Time::from_nanos((key >> TIME_SHIFT) as u64), leaf))
    }

    /// Writes a leaf's key and plays its games anew, up to where the winner stays.
    #[inline]
    fn place(&mut self, leaf: usize, key: Key) {
        let mut node = self.first_leaf + leaf;
        let mut winner = key;
        loop {
            let (entry, place) = (node / 4, node % 4);
            let siblings = &mut self.nodes[entry].0;
            if siblings[place] == winner {
                return;
            }
            siblings[place] = winner;
            if node == ROOT {
                return;
            }
            let others = siblings[place ^ 1].min(siblings[place ^ 2]).min(siblings[place ^ 3]);
            winner = winner.min(others);
            node = entry + 2;
        }
    }

    /// Starts the sequence numbers anew, in the order that stands. Comes once in 2^56 / leaves calls of `set`.
    #[cold]
    fn renumber(&mut self) {
        let node = |leaf| self.first_leaf + leaf;
        let mut keys: Vec<(Key, usize)> =
            (0..self.leaves).map(|leaf| (self.nodes[node(leaf) / 4].0[node(leaf) % 4], leaf)).collect();
        keys.retain(|(key, _)| *key != NEVER);
        keys.sort_unstable();
        self.sequence = 0;
        for (key, leaf) in keys {
            let time_and_priority = key >> PRIORITY_SHIFT << PRIORITY_SHIFT;
            self.place(leaf, time_and_priority | Key::from(self.sequence << self.leaf_bits | leaf as u64));
            self.sequence += 1;
        }
    }
}
