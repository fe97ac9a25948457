// SPDX-License-Identifier: MIT OR Apache-2.0
//! The counters of a link.

use units::Span;

/// Counts since the start of the run.
#[derive(Clone, Debug, Default, saved::Plain)]
#[repr(C)]
pub(crate) struct Totals {
    pub(crate) accepted: u64,
    pub(crate) accepted_bytes: u64,
    pub(crate) wait_ns: u64,
    /// Time for which the transmitter is occupied by all accepted packets, including pauses.
    pub(crate) transmit_ns: u64,
    pub(crate) unwaited_ns: u64,
    pub(crate) recalled: u64,
    pub(crate) dropped_queue: u64,
    pub(crate) dropped_error: u64,
    pub(crate) dropped_outage: u64,
    /// Packets that were dropped while they were in transmission or in flight.
    pub(crate) lost_flying: u64,
    /// Packets that left while the link carried nothing.
    pub(crate) lost_cut: u64,
}

impl Totals {
    #[inline]
    pub(crate) fn accept(&mut self, size: u16) {
        self.accepted += 1;
        self.accepted_bytes += u64::from(size);
    }

    #[inline]
    pub(crate) fn wait(&mut self, wait: Span) {
        // The sum saturates, because it can overflow: millions of packets may wait for days.
        self.wait_ns = self.wait_ns.saturating_add(wait.nanos());
    }
}
