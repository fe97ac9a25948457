// SPDX-License-Identifier: MIT OR Apache-2.0
//! Low-priority probes to be sent, and the segments beyond the window that they have delivered.
//!
//! A probe is not part of the window. It has no timer, and its loss is never declared. With copies (TCP-Peach,
//! TCP-Peach+), probes carry the oldest unacknowledged segments again. With new data (TCP-Cherry), probes carry
//! segments beyond the window. If the receiver keeps such a segment, the segment is not sent again when the window
//! reaches it.

use crate::intervals::Intervals;
use control::ProbeRequest;
use units::{Span, Time};

/// Probes to be sent, and the segments beyond the window that they have delivered.
#[derive(Clone, Debug, Default, saved::Plain)]
pub(crate) struct Probing {
    left: u32,
    gap: Span,
    new_data: bool,
    next_at: Time,
    /// The next segment that a probe carries.
    cursor: u64,
    /// One more than the highest segment that a probe carried beyond the window.
    pub(crate) reached: u64,
    /// Segments beyond the window that the receiver has.
    pub(crate) ahead: Intervals,
}

impl Probing {
    /// Stores a request. It replaces the rest of the previous request.
    pub(crate) fn request(&mut self, now: Time, request: ProbeRequest) {
        (self.left, self.gap, self.new_data) = (request.count, request.gap, request.new_data);
        self.next_at = now + request.gap;
    }

    /// When the next probe is sent; [`Time::MAX`]: never.
    pub(crate) fn due(&self) -> Time {
        if self.left == 0 { Time::MAX } else { self.next_at }
    }

    /// A probe is sent at `now`. Returns the segment that it carries, from `[una, next)` or, with new data, from
    /// `[next, end)`. If there is no such segment, returns `None` and cancels the request.
    pub(crate) fn take(&mut self, now: Time, una: u64, next: u64, end: u64) -> Option<u64> {
        let (first, last) = if self.new_data { (next, end) } else { (una, next) };
        if !(first..last).contains(&self.cursor) {
            self.cursor = first;
        }
        if self.cursor >= last {
            self.left = 0;
            return None;
        }
        let seq = self.cursor;
        self.cursor += 1;
        if self.new_data {
            self.reached = self.reached.max(self.cursor);
        }
        self.left -= 1;
        self.next_at = now + self.gap;
        Some(seq)
    }
}
