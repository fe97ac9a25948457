// SPDX-License-Identifier: MIT OR Apache-2.0
//! A link whose transmitter is not its own: a beam sends to one terminal at a time, a dish to one satellite.
//!
//! The link keeps its own queue, discipline, delay and losses, and holds every packet until it is its turn. Whoever shares
//! the transmitter out says from when on it is free, and is told until when it is busy then; between two turns the link
//! makes no event but arrivals. Its rate is that at which the transmitter sends when it is this link's turn.

use crate::{Config, Link, Packets, Parcel, Seeds};
use units::Time;

/// What a link has sent in its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    /// Bytes on the wire.
    pub bytes: u64,
    /// From when on the transmitter is free again.
    pub free: Time,
}

impl Link {
    /// As [`Link::new`], without a transmitter of its own.
    pub fn sharing(config: &Config, seeds: impl Into<Seeds>) -> Self {
        let mut link = Self::build(config, Some(config.spec.queue.discipline.held()), seeds.into());
        link.fifo.shares = true;
        link
    }

    /// Offers a packet at `now`, while the transmitter is free from `free` on and nobody else waits for it if that is by now:
    /// the packet is sent at once, waits or is dropped.
    ///
    /// # Panics
    /// As [`Link::offer`].
    pub fn offer_shared<P: Packets>(
        &mut self,
        now: Time,
        free: Time,
        parcel: Parcel,
        packets: &mut P,
    ) -> Option<Sent> {
        self.tick(now);
        if self.fifo.is_struck(now, parcel, packets) {
            return None;
        }
        self.in_turn(free, |fifo| {
            if let Err(why) = fifo.hold(now, parcel, packets) {
                fifo.dropped_queue += 1;
                packets.dropped(parcel, why);
            }
            fifo.hand_out_dropped(packets);
            fifo.serve_now(now, packets);
        })
    }

    /// It is this link's turn at `now`, on a transmitter that is free since `free`: a packet begins to be sent. `None`: the
    /// discipline has dropped all that waited.
    ///
    /// # Panics
    /// As [`Link::advance`].
    pub fn send<P: Packets>(&mut self, now: Time, free: Time, packets: &mut P) -> Option<Sent> {
        self.tick(now);
        self.in_turn(free, |fifo| fifo.serve_now(now, packets))
    }

    /// Whether packets wait for its turn.
    pub fn waits(&self) -> bool {
        self.fifo.held.as_ref().is_some_and(|held| held.len() > 0)
    }

    fn in_turn(&mut self, free: Time, what: impl FnOnce(&mut crate::fifo::Fifo)) -> Option<Sent> {
        let fifo = &mut self.fifo;
        let (own, before) = (fifo.busy_until, fifo.accepted_bytes);
        fifo.busy_until = free;
        what(fifo);
        let bytes = fifo.accepted_bytes - before;
        if bytes == 0 {
            fifo.busy_until = own;
            return None;
        }
        Some(Sent { bytes, free: fifo.busy_until })
    }
}
