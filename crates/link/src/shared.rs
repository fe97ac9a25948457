// SPDX-License-Identifier: MIT OR Apache-2.0
//! A link with a shared transmitter: a beam sends to one terminal at a time, a dish to one satellite.
//!
//! The link has its own queue, discipline, delay and losses, and holds every packet until its turn. The scheduler of
//! the transmitter passes the time from which the transmitter is free, and gets the time until which it is busy.
//! Between two turns the link makes only arrival events. The rate of the link is the rate of the transmitter during the
//! link's turn.
//!
//! While a link carries nothing (an outage, a rate of zero), it does not ask for a turn ([`Link::closed`]). If this
//! interrupts a packet in transmission, the transmitter is free until the transmission continues.

use crate::course::Cursor;
use crate::granted::Access;
use crate::{Config, Link, Packets, Parcel, Seeds};
use units::{Span, Time};

/// The state in which the next link finds the transmitter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub struct Free {
    /// Time from which the transmitter is free.
    pub from: Time,
    /// Bytes that may still leave at this time, if the transmitter has opportunities and has been used.
    pub left: Option<u64>,
}

/// What a link has sent in its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub struct Sent {
    /// Bytes on the wire.
    pub bytes: u64,
    /// Time on the transmitter.
    pub on_air: Span,
    /// State of the transmitter after the turn.
    pub free: Free,
    /// If a pause interrupted the transmission: the time from which the rest of the packet uses the transmitter, and
    /// for how long.
    pub rest: Option<(Time, Span)>,
}

impl Link {
    /// Like [`Link::new`], but without its own transmitter.
    pub fn sharing(config: &Config, seeds: impl Into<Seeds>) -> Self {
        let mut link = Self::build(config, Some(Self::departure_queue(config)), seeds.into());
        link.access = Access::InTurn;
        link
    }

    /// Offers a packet at `now`. The packet waits for its turn, or is dropped. `free` is the time at which the packet
    /// would be sent if no other packet of this link waited. If `free` is not after `now`, the link's turn follows at
    /// once. A low-priority packet that finds the link and the transmitter free is sent in this call.
    ///
    /// # Panics
    /// As [`Link::offer`].
    pub fn offer_shared<P: Packets>(
        &mut self,
        now: Time,
        free: Free,
        parcel: Parcel,
        packets: &mut P,
    ) -> Option<Sent> {
        self.tick(now);
        if !self.admits(now, parcel, packets) {
            return None;
        }
        self.in_turn(now, free, |link| {
            if let Err(why) = link.hold(now, parcel, packets) {
                link.totals.dropped_queue += 1;
                packets.dropped(parcel, why);
            }
            link.hand_out_dropped(packets);
        })
    }

    /// Takes this link's turn at `now`. The next packet is chosen, and its transmission begins at `now`, or when the
    /// transmitter is free. `None`: the discipline has dropped all waiting packets.
    ///
    /// # Panics
    /// As [`Link::advance`].
    pub fn send<P: Packets>(&mut self, now: Time, free: Free, packets: &mut P) -> Option<Sent> {
        self.tick(now);
        if let Some(course) = &mut self.course {
            course.resume(free);
        }
        self.in_turn(now, free, |link| {
            if let Some((_, parcel)) = link.begin_held(now, now, packets) {
                let begins = link.transmitter.busy_until.max(now);
                if begins > now {
                    packets.waits(parcel.handle, begins.since(now));
                    packets.begins(parcel.handle, begins);
                }
                link.pass(now, begins, parcel);
            }
            link.hand_out_dropped(packets);
        })
    }

    /// Whether packets wait for the link's turn.
    pub fn waits(&self) -> bool {
        self.held.as_ref().is_some_and(|held| held.len() > 0)
    }

    /// If the link carries nothing at `at`: the time at which it carries packets again. [`None`]: the link carries
    /// packets.
    pub fn closed(&self, at: Time) -> Option<Time> {
        self.course.as_ref()?.stands_still(at)
    }

    fn in_turn(&mut self, now: Time, free: Free, what: impl FnOnce(&mut Self)) -> Option<Sent> {
        debug_assert!(self.access.slots().is_none(), "a link with demand assignment shares no transmitter");
        let (own, before) = (self.transmitter.busy_until, self.totals.accepted_bytes);
        self.transmitter.busy_until = free.from;
        what(self);
        let bytes = self.totals.accepted_bytes - before;
        if bytes == 0 {
            self.transmitter.busy_until = own;
            return None;
        }
        let (begins, ends) = (free.from.max(now), self.transmitter.busy_until);
        let course = self.course.as_deref();
        let left = course.and_then(Cursor::left);
        Some(match course.and_then(|course| course.stop(begins, ends)) {
            Some((stop, goes_on)) => {
                let lasts = ends.since(goes_on);
                let on_air = stop.since(begins) + lasts;
                Sent { bytes, on_air, free: Free { from: stop, left }, rest: Some((goes_on, lasts)) }
            }
            None => Sent { bytes, on_air: ends.since(begins), free: Free { from: ends, left }, rest: None },
        })
    }
}
