// SPDX-License-Identifier: MIT OR Apache-2.0
//! Propagation: packets on their way to the far end, and how long that takes.

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
    /// What a delay that follows a curve is at present.
    piece: Piece,
    #[saved(fixed)]
    pub(crate) delay: Delay,
    /// Packets may overtake.
    reorder: bool,
}

impl Propagation {
    pub(crate) fn new(config: &Config) -> Self {
        let (delay, reorder) = (config.delay.clone(), config.spec.reorder);
        let piece = delay.piece(delay.from());
        Self { flight: Flight::default(), last_arrival: Time::ZERO, piece, delay, reorder }
    }

    /// The delay of a packet that leaves at `at`. Packets leave in order of time: a curve's piece lasts for many.
    #[inline]
    pub(crate) fn delay_at(&mut self, at: Time) -> Span {
        match &self.delay {
            Delay::Constant(delay) => *delay,
            Delay::Curve(_) => self.piece.at(at).unwrap_or_else(|| self.turn(at)),
            Delay::Steps(_) | Delay::Trace(_) => self.delay.at(at),
        }
    }

    /// Goes on to the piece of the curve that holds at `at`.
    #[cold]
    fn turn(&mut self, at: Time) -> Span {
        self.piece = self.delay.piece(at);
        self.delay.at(at)
    }

    /// An offer is near: fetches what it will read of the delay.
    #[inline]
    pub(crate) fn prefetch_delay(&self) {
        prefetch(&self.last_arrival);
    }

    /// From `now` on the delay is another one.
    pub(crate) fn set_delay(&mut self, now: Time, delay: Delay) {
        self.piece = delay.piece(now.max(delay.from()));
        self.delay = delay;
    }

    /// A packet that may overtake none is on its way, and arrives at `arrival`, or with the one before it; when, if it is the
    /// first.
    #[inline]
    pub(crate) fn send_in_order(&mut self, arrival: Time, parcel: Parcel) -> Option<Time> {
        // A shrinking delay must not let a packet overtake the one before it.
        let arrival = arrival.max(self.last_arrival);
        self.last_arrival = arrival;
        self.flight.push(InFlight { arrival, parcel }).then_some(arrival)
    }

    /// The same, where packets may overtake, too.
    pub(crate) fn send(&mut self, arrival: Time, parcel: Parcel) -> Option<Time> {
        if self.reorder {
            return self.flight.insert(InFlight { arrival, parcel }).then_some(arrival);
        }
        self.send_in_order(arrival, parcel)
    }

    /// Packets were taken off: what comes next follows on what is left.
    pub(crate) fn close_ranks(&mut self) {
        self.last_arrival = self.flight.last().map_or(Time::ZERO, |last| last.arrival);
    }
}
