// SPDX-License-Identifier: MIT OR Apache-2.0
//! Low-priority probes, and the segments beyond the window that probes have delivered.
//!
//! A probe does not count in the window. It has no timer, and is never declared lost. If probes carry copies
//! (TCP-Peach, TCP-Peach+), they carry the oldest unacknowledged segments again. If probes carry new data (TCP-Cherry),
//! they carry segments beyond the window. If the receiver stores such a segment, the sender does not send it again when
//! the window reaches it.

use crate::intervals::Intervals;
use control::ProbeRequest;
use units::{Span, Time};

/// The requested probes, and the segments beyond the window that probes have delivered.
#[derive(Clone, Debug, Default, saved::Plain)]
pub(crate) struct Probing {
    left: u32,
    gap: Span,
    new_data: bool,
    next_at: Time,
    /// The segment that the next probe carries.
    cursor: u64,
    /// One more than the highest segment beyond the window that a probe has carried.
    pub(crate) reached: u64,
    /// Segments that the receiver has stored although they are beyond the window.
    pub(crate) ahead: Intervals,
}

impl Probing {
    /// Stores a request for probes. It replaces the rest of the previous request.
    pub(crate) fn request(&mut self, now: Time, request: ProbeRequest) {
        (self.left, self.gap, self.new_data) = (request.count, request.gap, request.new_data);
        self.next_at = now + request.gap;
    }

    /// Time at which the next probe is due, or [`Time::MAX`] if no probe is requested.
    pub(crate) fn due(&self) -> Time {
        if self.left == 0 { Time::MAX } else { self.next_at }
    }

    /// Takes the next probe, which is sent at `now`, and returns the segment that it carries. The segment is in `[una,
    /// next)` or, with new data, in `[next, end)`. If there is no such segment, the request is canceled and `None` is
    /// returned.
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
