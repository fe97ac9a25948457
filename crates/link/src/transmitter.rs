// SPDX-License-Identifier: MIT OR Apache-2.0
//! The transmitter: the time at which it becomes free, the transmission times of packets, and what it has accepted.

use units::{Span, Time};

#[derive(Clone, Debug, Default, saved::Plain)]
#[repr(C)]
pub(crate) struct Transmitter {
    pub(crate) busy_until: Time,
    /// Transmission times of the packet sizes that the link caches.
    pub(crate) times: [Span; 2],
    pub(crate) accepted: u64,
    pub(crate) accepted_bytes: u64,
    /// Time for which the transmitter is occupied by all accepted packets, including pauses.
    pub(crate) transmit_ns: u64,
}

impl Transmitter {
    #[inline]
    pub(crate) fn accept(&mut self, size: u16) {
        self.accepted += 1;
        self.accepted_bytes += u64::from(size);
    }
}
