// SPDX-License-Identifier: MIT OR Apache-2.0
//! Propagation: the packets on their way to the far end, and the delay.

use crate::delay::Piece;
use crate::flight::{Flight, InFlight};
use crate::prefetch::prefetch;
use crate::{Config, Delay, Parcel};
use units::{Span, Time};

#[derive(Clone, Debug, saved::Saved)]
#[repr(C)]
pub(crate) struct Propagation {
    pub(crate) flight: Flight,
    last_arrival: Time,
    /// The piece of the delay curve that was used last.
    piece: Piece,
    #[saved(fixed)]
    pub(crate) delay: Delay,
    /// Whether packets may overtake each other.
    reorder: bool,
}

impl Propagation {
    pub(crate) fn new(config: &Config) -> Self {
        let (delay, reorder) = (config.delay.clone(), config.spec.reorder);
        let piece = delay.piece(delay.from());
        Self { flight: Flight::default(), last_arrival: Time::ZERO, piece, delay, reorder }
    }

    /// The delay of a packet that leaves at `at`. Packets leave in order of time, so one piece of the curve applies to
    /// many packets.
    #[inline]
    pub(crate) fn delay_at(&mut self, at: Time) -> Span {
        match &self.delay {
            Delay::Constant(delay) => *delay,
            Delay::Curve(_) => self.piece.at(at).unwrap_or_else(|| self.turn(at)),
            Delay::Steps(_) | Delay::Trace(_) => self.delay.at(at),
        }
    }

    /// Looks up the piece of the delay curve that contains `at`, and returns the delay.
    #[cold]
    fn turn(&mut self, at: Time) -> Span {
        self.piece = self.delay.piece(at);
        self.delay.at(at)
    }

    /// Prefetches the data of the delay, which the next offer reads.
    #[inline]
    pub(crate) fn prefetch_delay(&self) {
        prefetch(&self.last_arrival);
    }

    /// Replaces the delay from `now` on.
    pub(crate) fn set_delay(&mut self, now: Time, delay: Delay) {
        self.piece = delay.piece(now.max(delay.from()));
        self.delay = delay;
    }

    /// Sends a packet that must not overtake other packets. The packet arrives at `arrival`, but not before the packet
    /// ahead of it. Returns the packet's arrival time if it is the first packet on the link.
    #[inline]
    pub(crate) fn send_in_order(&mut self, arrival: Time, parcel: Parcel) -> Option<Time> {
        // If the delay has decreased, the packet must not overtake the packet ahead of it.
        let arrival = arrival.max(self.last_arrival);
        self.last_arrival = arrival;
        self.flight.push(InFlight { arrival, parcel }).then_some(arrival)
    }

    /// Sends a packet on a link of either kind: packets may overtake, or they must keep their order.
    pub(crate) fn send(&mut self, arrival: Time, parcel: Parcel) -> Option<Time> {
        if self.reorder {
            return self.flight.insert(InFlight { arrival, parcel }).then_some(arrival);
        }
        self.send_in_order(arrival, parcel)
    }

    /// Adapts the order after packets were taken off the link. The next packet then follows the last remaining packet.
    pub(crate) fn close_ranks(&mut self) {
        self.last_arrival = self.flight.last().map_or(Time::ZERO, |last| last.arrival);
    }
}
