// SPDX-License-Identifier: MIT OR Apache-2.0
//! A set of sequence numbers, stored as intervals `[from, to)`. The intervals are sorted, and they neither overlap nor
//! touch.
//!
//! Both ends of a connection use such a set. The sender stores the SACKed segments, and the receiver stores the
//! segments that arrived out of order. Most segments extend the last interval or fill the first hole. Both cases have a
//! cost of O(1). In all other cases, the cost is a binary search plus a shift of the intervals on the shorter side.

use std::collections::VecDeque;

/// Intervals that are sorted, and that neither overlap nor touch.
#[derive(Clone, Debug, Default, saved::Plain)]
pub(crate) struct Intervals {
    spans: VecDeque<(u64, u64)>,
}

impl Intervals {
    /// Whether the set is empty.
    pub(crate) fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// Index of the first interval with `to > seq`.
    fn first_ending_after(&self, seq: u64) -> usize {
        match self.spans.back() {
            None => 0,
            Some(&(from, to)) if from <= seq => self.spans.len() - usize::from(seq < to),
            Some(_) => self.spans.partition_point(|&(_, to)| to <= seq),
        }
    }

    /// Adds `[from, to)`, which must not be empty. Calls `fresh` for each part that was not yet in the set, in
    /// ascending order. Returns the interval that now contains `[from, to)`.
    pub(crate) fn insert(&mut self, from: u64, to: u64, mut fresh: impl FnMut(u64, u64)) -> (u64, u64) {
        debug_assert!(from < to, "an empty interval");
        // The intervals that overlap or touch [from, to) have span.to >= from and span.from <= to.
        let first = if from == 0 { 0 } else { self.first_ending_after(from - 1) };
        let (mut low, mut high, mut cursor, mut last) = (from, to, from, first);
        while let Some(&(a, b)) = self.spans.get(last).filter(|span| span.0 <= to) {
            if cursor < a {
                fresh(cursor, a);
            }
            cursor = cursor.max(b);
            low = low.min(a);
            high = high.max(b);
            last += 1;
        }
        if cursor < to {
            fresh(cursor, to);
        }
        match last - first {
            0 => self.spans.insert(first, (low, high)),
            n => {
                self.spans[first] = (low, high);
                match n {
                    1 => {}
                    2 => drop(self.spans.remove(first + 1)),
                    _ => drop(self.spans.drain(first + 1..last)),
                }
            }
        }
        (low, high)
    }

    /// Removes all members below `seq`.
    pub(crate) fn remove_below(&mut self, seq: u64) {
        while let Some(front) = self.spans.front_mut() {
            if front.1 <= seq {
                self.spans.pop_front();
            } else {
                front.0 = front.0.max(seq);
                return;
            }
        }
    }

    /// All intervals in ascending order.
    pub(crate) fn spans(&self) -> &VecDeque<(u64, u64)> {
        &self.spans
    }

    /// The first interval.
    pub(crate) fn first(&self) -> Option<(u64, u64)> {
        self.spans.front().copied()
    }

    /// The `k`-th highest member. For `k` = 1, this is the highest member.
    pub(crate) fn highest(&self, k: u64) -> Option<u64> {
        let mut left = k.max(1);
        for &(from, to) in self.spans.iter().rev() {
            if to - from >= left {
                return Some(to - left);
            }
            left -= to - from;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn agrees_with_a_plain_set() {
        let mut state = 12345_u64;
        let mut draw = |bound: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % bound
        };
        for _ in 0..50 {
            let (mut set, mut plain) = (Intervals::default(), BTreeSet::new());
            for _ in 0..200 {
                let from = draw(120);
                let to = from + 1 + draw(8);
                let mut fresh = Vec::new();
                let (low, high) = set.insert(from, to, |a, b| fresh.extend(a..b));
                let expected: Vec<u64> = (from..to).filter(|&s| plain.insert(s)).collect();
                assert_eq!(fresh, expected);
                assert!((low..high).all(|s| plain.contains(&s)) && !plain.contains(&high));
                assert!(low <= from && to <= high && (low == 0 || !plain.contains(&(low - 1))));
                if draw(10) == 0 {
                    let bound = draw(60);
                    set.remove_below(bound);
                    plain.retain(|&s| s >= bound);
                }
                let members: Vec<u64> = set.spans.iter().flat_map(|&(a, b)| a..b).collect();
                assert_eq!(members, plain.iter().copied().collect::<Vec<_>>());
                assert!(set.spans.iter().zip(set.spans.iter().skip(1)).all(|(x, y)| x.1 < y.0));
                assert_eq!(set.highest(3), plain.iter().rev().nth(2).copied());
            }
        }
    }
}
