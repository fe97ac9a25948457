// SPDX-License-Identifier: MIT OR Apache-2.0
//! Propagation: packets on their way to the far end, and their delay.

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
    /// The current piece of the delay.
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

    /// The delay of a packet that leaves at `at`. Packets leave in order of time, so a piece of the curve serves many
    /// packets.
    #[inline]
    pub(crate) fn delay_at(&mut self, at: Time) -> Span {
        match &self.delay {
            Delay::Constant(delay) => *delay,
            Delay::Curve(_) => self.piece.at(at).unwrap_or_else(|| self.turn(at)),
            Delay::Steps(_) | Delay::Trace(_) => self.delay.at(at),
        }
    }

    /// Moves on to the piece of the curve at `at`, and returns the delay.
    #[cold]
    fn turn(&mut self, at: Time) -> Span {
        self.piece = self.delay.piece(at);
        self.delay.at(at)
    }

    /// Prefetches the delay, which the next offer reads.
    #[inline]
    pub(crate) fn prefetch_delay(&self) {
        prefetch(&self.last_arrival);
    }

    /// From `now` on the link has another delay.
    pub(crate) fn set_delay(&mut self, now: Time, delay: Delay) {
        self.piece = delay.piece(now.max(delay.from()));
        self.delay = delay;
    }

    /// Sends a packet that must not overtake others. It arrives at `arrival`, but not before the packet ahead of it.
    /// Returns its arrival time if it is the first packet on the link.
    #[inline]
    pub(crate) fn send_in_order(&mut self, arrival: Time, parcel: Parcel) -> Option<Time> {
        // If the delay decreases, the packet must not overtake the packet ahead of it.
        let arrival = arrival.max(self.last_arrival);
        self.last_arrival = arrival;
        self.flight.push(InFlight { arrival, parcel }).then_some(arrival)
    }

    /// Sends a packet on any link, also on a link on which packets may overtake.
    pub(crate) fn send(&mut self, arrival: Time, parcel: Parcel) -> Option<Time> {
        if self.reorder {
            return self.flight.insert(InFlight { arrival, parcel }).then_some(arrival);
        }
        self.send_in_order(arrival, parcel)
    }

    /// Adapts the order after packets were taken off: the next packet follows the last packet that is left.
    pub(crate) fn close_ranks(&mut self) {
        self.last_arrival = self.flight.last().map_or(Time::ZERO, |last| last.arrival);
    }
}
