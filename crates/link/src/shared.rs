// SPDX-License-Identifier: MIT OR Apache-2.0
//! A link whose transmitter is not its own: a beam sends to one terminal at a time, a dish to one satellite.
//!
//! The link keeps its own queue, discipline, delay and losses, and holds every packet until it is its turn. Whoever shares
//! the transmitter out says from when on it is free, and is told until when it is busy then; between two turns the link
//! makes no event but arrivals. Its rate is that at which the transmitter sends when it is this link's turn.
//!
//! While a link carries nothing (an outage, a rate of zero) it asks for no turn ([`Link::closed`]), and what it was sending
//! then gives the transmitter free until it goes on.

use crate::course::Cursor;
use crate::{Config, Link, Packets, Parcel, Seeds};
use units::{Span, Time};

/// A transmitter as who uses it next finds it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Free {
    /// From when on it is free.
    pub from: Time,
    /// Bytes that may still leave at that moment, where the transmitter sends at moments and has been used.
    pub left: Option<u64>,
}

/// What a link has sent in its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    /// Bytes on the wire.
    pub bytes: u64,
    /// Time for which they take the transmitter.
    pub on_air: Span,
    /// How the transmitter is left.
    pub free: Free,
    /// The link stopped in the middle: from then on the rest takes the transmitter for so long.
    pub rest: Option<(Time, Span)>,
}

impl Link {
    /// As [`Link::new`], without a transmitter of its own.
    pub fn sharing(config: &Config, seeds: impl Into<Seeds>) -> Self {
        let mut link = Self::build(config, Some(Self::waiting_room(config)), seeds.into());
        link.fifo.shares = true;
        link
    }

    /// Offers a packet at `now`: it waits for its turn, or is dropped. `free`: when it would be sent if nothing of this link
    /// waited; by `now`: its turn follows at once. Low priority that finds all free is sent here.
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
        if self.fifo.is_struck(now, parcel, packets) {
            return None;
        }
        self.in_turn(now, free, |fifo| {
            if let Err(why) = fifo.hold(now, parcel, packets) {
                fifo.dropped_queue += 1;
                packets.dropped(parcel, why);
            }
            fifo.hand_out_dropped(packets);
        })
    }

    /// It is this link's turn at `now`: who goes next is decided, and begins to be sent then, or when the transmitter is free.
    /// `None`: the discipline has dropped all that waited.
    ///
    /// # Panics
    /// As [`Link::advance`].
    pub fn send<P: Packets>(&mut self, now: Time, free: Free, packets: &mut P) -> Option<Sent> {
        self.tick(now);
        if let Some(course) = self.fifo.course_mut() {
            course.resume(free);
        }
        self.in_turn(now, free, |fifo| {
            if let Some((_, parcel)) = fifo.begin_held(now, now, packets) {
                let begins = fifo.busy_until.max(now);
                if begins > now {
                    packets.waits(parcel.handle, begins.since(now));
                    packets.begins(parcel.handle, begins);
                }
                fifo.pass(now, begins, parcel);
            }
            fifo.hand_out_dropped(packets);
        })
    }

    /// Whether packets wait for its turn.
    pub fn waits(&self) -> bool {
        self.fifo.held.as_ref().is_some_and(|held| held.len() > 0)
    }

    /// The link carries nothing at `at`: until when; [`None`]: it does.
    pub fn closed(&self, at: Time) -> Option<Time> {
        self.fifo.course()?.stands_still(at)
    }

    fn in_turn(&mut self, now: Time, free: Free, what: impl FnOnce(&mut crate::fifo::Fifo)) -> Option<Sent> {
        let fifo = &mut self.fifo;
        debug_assert!(fifo.slots.is_none(), "who is granted capacity shares no transmitter");
        let (own, before) = (fifo.busy_until, fifo.accepted_bytes);
        fifo.busy_until = free.from;
        what(fifo);
        let bytes = fifo.accepted_bytes - before;
        if bytes == 0 {
            fifo.busy_until = own;
            return None;
        }
        let (begins, ends) = (free.from.max(now), fifo.busy_until);
        let course = fifo.course();
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
