// SPDX-License-Identifier: MIT OR Apache-2.0
//! The transmitter: the time at which it becomes free, and the transmission times of packets.

use units::{Bytes, Rate, Span, Time};

#[derive(Clone, Debug, saved::Plain)]
#[repr(C)]
pub(crate) struct Transmitter {
    pub(crate) busy_until: Time,
    /// Transmission times of the packet sizes that the link caches.
    pub(crate) times: [Span; 2],
    pub(crate) rate: Option<Rate>,
}

impl Transmitter {
    pub(crate) const fn new(rate: Option<Rate>) -> Self {
        Self { busy_until: Time::ZERO, times: [Span::ZERO; 2], rate }
    }

    /// Transmission time at the link's own rate.
    pub(crate) fn time_for(&self, bytes: u64) -> Span {
        self.rate.map_or(Span::ZERO, |rate| rate.time_for(Bytes::new(bytes)))
    }
}
