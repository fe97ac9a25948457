// SPDX-License-Identifier: MIT OR Apache-2.0
//! Links that share a transmitter: the engine gives them their turns.
//!
//! Such a link makes events for its arrivals alone. That the transmitter is free is an event of the link that used it last,
//! while another (or the same) has something to send: so turns need no sources of events of their own, and one event a
//! transmission however many links wait.

use crate::sharing::Seat;
use crate::{Endpoint, Engine, Observer};
use link::{Parcel, Sent};

impl<E: Endpoint, O: Observer<E::Body>> Engine<E, O> {
    /// A link that was made by [`link::Link::sharing`] shares the transmitter of that number from now on.
    pub fn share(&mut self, transmitter: usize, link: u32, seat: Seat) {
        self.sharing.seat(transmitter, link, seat);
    }

    /// Gives a free transmitter to whose turn it is, and notes when it is free again.
    #[inline(never)]
    pub(crate) fn attend(&mut self, transmitter: usize) {
        let now = self.now();
        loop {
            let shared = &mut self.sharing.transmitters[transmitter];
            let free = shared.free;
            if free > now {
                break;
            }
            let Some((seat, link)) = shared.next() else { break };
            let (wire, mut packets) = self.at(link);
            let sent = wire.send(now, free, &mut packets);
            self.had_turn((transmitter, seat), link, sent);
        }
        self.note_free(transmitter);
    }

    /// The link that used the transmitter last has an event when that is free, if somebody waits.
    fn note_free(&mut self, transmitter: usize) {
        let shared = &self.sharing.transmitters[transmitter];
        if let Some(last) = shared.last.filter(|_| shared.is_asked_for()) {
            let own = self.link(last as usize).next_event();
            let next = own.map_or(shared.free, |own| own.min(shared.free));
            self.set_event(last as usize, Some(next));
        }
    }

    /// A packet is offered to a link that shares its transmitter.
    #[inline(never)]
    pub(crate) fn enter_shared(&mut self, link: u32, (transmitter, seat): (usize, usize), parcel: Parcel) {
        // Those that wait for a transmitter that is free just now were there before.
        self.attend(transmitter);
        let now = self.now();
        let free = self.sharing.transmitters[transmitter].free;
        let (wire, mut packets) = self.at(link);
        let sent = wire.offer_shared(now, free, parcel, &mut packets);
        self.had_turn((transmitter, seat), link, sent);
        self.note_free(transmitter);
    }

    /// A link was asked to send. If it did, the one before it has no event for the transmitter any more.
    fn had_turn(&mut self, (transmitter, seat): (usize, usize), link: u32, sent: Option<Sent>) {
        let before = self.sharing.transmitters[transmitter].last;
        let wire = self.link(link as usize);
        let (waits, next) = (wire.waits(), wire.next_event());
        self.sharing.transmitters[transmitter].after(seat, sent, waits);
        self.set_event(link as usize, next);
        if let Some(before) = before.filter(|&before| before != link && sent.is_some()) {
            let next = self.link(before as usize).next_event();
            self.set_event(before as usize, next);
        }
    }

    /// What waited on a link is gone.
    pub(crate) fn leave_shared(&mut self, link: u32) {
        if let Some((transmitter, seat)) = self.sharing.of(link) {
            self.sharing.transmitters[transmitter].after(seat, None, false);
            self.note_free(transmitter);
        }
    }
}
