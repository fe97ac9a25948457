// SPDX-License-Identifier: MIT OR Apache-2.0
//! A link that shares its transmitter with other links. For example, a beam sends to one terminal at a time, and a dish
//! to one satellite at a time.
//!
//! The link has its own queue, discipline, delay and losses. It holds every packet until its turn. A scheduler of the
//! transmitter calls the link. The scheduler passes the time from which the transmitter is free, and the link returns
//! the time until which the transmitter is busy. Between two turns, the link makes only arrival events. During the turn
//! of a link, the transmitter has the rate of the link.
//!
//! While a link carries nothing (an outage, a rate of zero), it does not request a turn ([`Link::closed`]). If such a
//! time interrupts a packet in transmission, the transmitter is free for other links until the transmission continues.

use crate::course::Cursor;
use crate::granted::Access;
use crate::{Config, Link, Packets, Parcel, Seeds};
use units::{Span, Time};

/// The state of the transmitter at the start of a link's turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub struct Free {
    /// Time from which the transmitter is free.
    pub from: Time,
    /// Bytes that may still be sent at this time. Present if the transmitter has opportunities and was used before.
    pub left: Option<u64>,
}

/// The result of a link's turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub struct Sent {
    /// Bytes that were sent, on the wire.
    pub bytes: u64,
    /// Time for which the transmitter is used.
    pub on_air: Span,
    /// State of the transmitter after the turn.
    pub free: Free,
    /// Present if a pause interrupted the transmission. The values are the time at which the rest of the packet begins
    /// to use the transmitter, and the duration of this use.
    pub rest: Option<(Time, Span)>,
}

impl Link {
    /// Like [`Link::new`], for a link that shares a transmitter.
    pub fn sharing(config: &Config, seeds: impl Into<Seeds>) -> Self {
        let mut link = Self::build(config, Some(Self::departure_queue(config)), seeds.into());
        link.access = Access::InTurn;
        link
    }

    /// Offers a packet at `now`. The packet waits for the link's turn, or is dropped. `free` is the time at which the
    /// packet would be sent if no other packet of this link waited. If `free` is not after `now`, the caller must give
    /// the link its turn immediately. If a low-priority packet finds the link without waiting packets and the
    /// transmitter free, the packet is sent in this call.
    ///
    /// # Panics
    /// Like [`Link::offer`].
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

    /// Takes this link's turn at `now`. The method chooses the next packet. Its transmission begins at `now`, or when
    /// the transmitter becomes free. The result is `None` if the discipline has dropped all waiting packets.
    ///
    /// # Panics
    /// Like [`Link::advance`].
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

    /// If the link carries nothing at `at`, returns the time at which it carries packets again. Otherwise, returns
    /// `None`.
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
