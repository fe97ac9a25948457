// SPDX-License-Identifier: MIT OR Apache-2.0
//! Low-priority probes to be sent, and the segments that they have delivered ahead of the window.
//!
//! A probe is outside the window: no timer guards it, and its loss is never declared. With copies (TCP-Peach,
//! TCP-Peach+) it carries the oldest unacknowledged segments again. With new data (TCP-Cherry) it carries segments
//! beyond the window. Segments that the receiver keeps are not sent again when the window gets there.

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
    /// The next segment to carry.
    cursor: u64,
    /// One above the highest segment that was ever carried ahead of the window.
    pub(crate) reached: u64,
    /// Beyond the window, at the receiver.
    pub(crate) ahead: Intervals,
}

impl Probing {
    /// A new request replaces the rest of the request before.
    pub(crate) fn request(&mut self, now: Time, request: ProbeRequest) {
        (self.left, self.gap, self.new_data) = (request.count, request.gap, request.new_data);
        self.next_at = now + request.gap;
    }

    /// When the next one leaves; [`Time::MAX`]: none.
    pub(crate) fn due(&self) -> Time {
        if self.left == 0 { Time::MAX } else { self.next_at }
    }

    /// A probe leaves at `now`. Returns the segment that it carries, of those in `[una, next)` or up to `end`. `None`
    /// if there is nothing to carry; the request is then given up.
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
