// SPDX-License-Identifier: MIT OR Apache-2.0
//! The layouts that were measured against the one in `crates/engine/src/queue.rs`. Each is as short as
//! its measurement allows.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hint::select_unpredictable;

/// (time, sequence and leaf).
type Key = (u64, u64);

const NEVER: Key = (u64::MAX, u64::MAX);

/// The smaller key, without a branch.
#[inline]
fn earlier(a: Key, b: Key) -> Key {
    let first = (a.0 < b.0) | ((a.0 == b.0) & (a.1 < b.1));
    (select_unpredictable(first, a.0, b.0), select_unpredictable(first, a.1, b.1))
}

/// One operation of the hold model: the earliest event, moved to a later time.
pub trait Hold {
    fn new(leaves: usize) -> Self;
    fn set(&mut self, leaf: usize, time: u64);
    fn peek(&self) -> (u64, usize);
}

/// The queue of the engine, and the leaves of its sources.
pub struct Product(crate::queue::EventQueue, Vec<crate::queue::Leaf>);

impl Hold for Product {
    fn new(leaves: usize) -> Self {
        Self(crate::queue::EventQueue::default(), vec![crate::queue::Leaf::NONE; leaves])
    }
    #[inline]
    fn set(&mut self, leaf: usize, time: u64) {
        let source = crate::queue::Source { priority: 0, rank: 0, number: leaf as u32 };
        self.0.set(source, &mut self.1[leaf], units::Time::from_nanos(time));
    }
    #[inline]
    fn peek(&self) -> (u64, usize) {
        let (time, source) = self.0.peek().expect("never empty");
        (time.nanos(), source.number as usize)
    }
}

/// `std`'s binary heap of (time, sequence, leaf); `set` is only right for the leaf that `peek` shows (pop, then push).
pub struct Std {
    heap: BinaryHeap<Reverse<(u64, u64, u32)>>,
    sequence: u64,
    filled: usize,
    leaves: usize,
}

impl Hold for Std {
    fn new(leaves: usize) -> Self {
        Self { heap: BinaryHeap::with_capacity(leaves + 1), sequence: 0, filled: 0, leaves }
    }
    #[inline]
    fn set(&mut self, leaf: usize, time: u64) {
        if self.filled == self.leaves {
            self.heap.pop();
        } else {
            self.filled += 1;
        }
        self.heap.push(Reverse((time, self.sequence, leaf as u32)));
        self.sequence += 1;
    }
    #[inline]
    fn peek(&self) -> (u64, usize) {
        let Reverse((time, _, leaf)) = *self.heap.peek().expect("never empty");
        (time, leaf as usize)
    }
}

/// `std`'s binary heap with `peek_mut`: the top is overwritten and sifted down.
pub struct StdReplaceTop(Std);

impl Hold for StdReplaceTop {
    fn new(leaves: usize) -> Self {
        Self(Std::new(leaves))
    }
    #[inline]
    fn set(&mut self, leaf: usize, time: u64) {
        let heap = &mut self.0;
        if heap.filled < heap.leaves {
            heap.set(leaf, time);
            return;
        }
        *heap.heap.peek_mut().expect("never empty") = Reverse((time, heap.sequence, leaf as u32));
        heap.sequence += 1;
    }
    #[inline]
    fn peek(&self) -> (u64, usize) {
        self.0.peek()
    }
}

/// Binary winner tree, keys in the nodes, full replay (no early exit).
pub struct BinaryKeys {
    nodes: Vec<Key>,
    first_leaf: usize,
    sequence: u64,
}

impl Hold for BinaryKeys {
    fn new(leaves: usize) -> Self {
        let first_leaf = leaves.next_power_of_two();
        Self { nodes: vec![NEVER; 2 * first_leaf], first_leaf, sequence: 0 }
    }
    #[inline]
    fn set(&mut self, leaf: usize, time: u64) {
        let mut winner = (time, self.sequence << 20 | leaf as u64);
        self.sequence += 1;
        let mut node = self.first_leaf + leaf;
        self.nodes[node] = winner;
        while node > 1 {
            winner = earlier(winner, self.nodes[node ^ 1]);
            node /= 2;
            self.nodes[node] = winner;
        }
    }
    #[inline]
    fn peek(&self) -> (u64, usize) {
        (self.nodes[1].0, self.nodes[1].1 as usize & 0xF_FFFF)
    }
}

/// Binary winner tree, leaf indices in the nodes, keys at the leaves only.
pub struct BinaryIndices {
    nodes: Vec<u32>,
    keys: Vec<Key>,
    sequence: u64,
}

impl Hold for BinaryIndices {
    fn new(leaves: usize) -> Self {
        let wide = leaves.next_power_of_two();
        let mut nodes = vec![0; 2 * wide];
        for leaf in 0..wide {
            nodes[wide + leaf] = leaf as u32;
        }
        for node in (1..wide).rev() {
            nodes[node] = nodes[2 * node];
        }
        Self { nodes, keys: vec![NEVER; wide], sequence: 0 }
    }
    #[inline]
    fn set(&mut self, leaf: usize, time: u64) {
        let mut best = (time, self.sequence);
        self.sequence += 1;
        self.keys[leaf] = best;
        let mut winner = leaf as u32;
        let mut node = self.keys.len() + leaf;
        while node > 1 {
            let rival = self.nodes[node ^ 1];
            let key = self.keys[rival as usize];
            let first = (key.0 < best.0) | ((key.0 == best.0) & (key.1 < best.1));
            winner = select_unpredictable(first, rival, winner);
            best = earlier(best, key);
            node /= 2;
            self.nodes[node] = winner;
        }
    }
    #[inline]
    fn peek(&self) -> (u64, usize) {
        let leaf = self.nodes[1] as usize;
        (self.keys[leaf].0, leaf)
    }
}

/// A tournament of `WAY` siblings, keys in the nodes; with or without early exit.
pub struct Wide<const WAY: usize, const EXIT: bool> {
    nodes: Vec<[Key; WAY]>,
    first_leaf: usize,
    sequence: u64,
}

impl<const WAY: usize, const EXIT: bool> Hold for Wide<WAY, EXIT> {
    fn new(leaves: usize) -> Self {
        let inner = leaves.saturating_sub(1).div_ceil(WAY - 1);
        Self { nodes: vec![[NEVER; WAY]; inner + 1], first_leaf: WAY - 1 + inner, sequence: 0 }
    }
    #[inline]
    fn set(&mut self, leaf: usize, time: u64) {
        let mut winner = (time, self.sequence << 20 | leaf as u64);
        self.sequence += 1;
        let mut node = self.first_leaf + leaf;
        loop {
            let (entry, place) = (node / WAY, node % WAY);
            let siblings = &mut self.nodes[entry];
            if EXIT && siblings[place] == winner {
                return;
            }
            siblings[place] = winner;
            if entry == 0 {
                return;
            }
            let mut others = siblings[place ^ 1];
            for other in 2..WAY {
                others = earlier(others, siblings[place ^ other]);
            }
            winner = earlier(winner, others);
            node = entry + WAY - 2;
        }
    }
    #[inline]
    fn peek(&self) -> (u64, usize) {
        let key = self.nodes[0][WAY - 1];
        (key.0, key.1 as usize & 0xF_FFFF)
    }
}
