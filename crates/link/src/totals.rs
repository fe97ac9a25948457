// SPDX-License-Identifier: MIT OR Apache-2.0
//! The counters of a link that change rarely.

/// Counts since the start of the run.
#[derive(Clone, Debug, Default, saved::Plain)]
pub(crate) struct Totals {
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
