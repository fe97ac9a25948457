// SPDX-License-Identifier: MIT OR Apache-2.0
//! Turns of links that share a transmitter.
//!
//! A link that shares its transmitter has events only for its arrivals. A *turn* is the moment at which the next
//! waiting link begins to transmit. The next turn on a transmitter, or of a total (a joint rate limit of several
//! transmitters), is an event of the link that transmitted last (the *bearer*). Therefore turns need no event sources
//! of their own. There is one event per transmission, for any number of waiting links.
//!
//! For a link with its own transmitter, this costs one branch per offered packet and one branch per arrival. If a link
//! does not carry data for some time, it gets no turns during that time. Therefore a handover of one link does not
//! delay other links.

use crate::sharing::{Scheduling, Sharing, Turns};
use crate::{Endpoint, Engine, Observer};
use link::{Free, Parcel, RateSchedule, Sent};
use units::{Rate, Time};

impl<E: Endpoint, O: Observer<E::Body>> Engine<E, O> {
    /// Registers a link, created by [`link::Link::sharing`], with the transmitter that has this number.
    pub fn share(&mut self, transmitter: usize, link: u32, scheduling: Scheduling) {
        self.sharing.add_link(transmitter, link, scheduling);
    }

    /// Sets the unit in which turns on a transmitter are charged. The default is bytes. This function must be called
    /// before the first turn.
    pub fn charge(&mut self, transmitter: usize, turns: Turns) {
        self.sharing.charge(transmitter, turns);
    }

    /// Registers a transmitter with a total (a joint rate limit of several transmitters). If the total does not exist,
    /// it is created with this rate.
    pub fn limit(&mut self, transmitter: usize, total: usize, rate: Rate, scheduling: Scheduling) {
        self.sharing.part(transmitter, total, rate, scheduling);
    }

    /// Replaces the constant rate of a total (a joint rate limit) by a rate over time. This function must be called
    /// before the first turn.
    ///
    /// # Panics
    /// If the total does not exist.
    pub fn vary_total(&mut self, total: usize, rate: RateSchedule) {
        self.sharing.totals[total].vary(rate);
    }

    /// Gives turns on a transmitter, and on all transmitters of its total, until no further turn is possible now. Then
    /// schedules the next turn.
    #[inline(never)]
    pub(crate) fn attend(&mut self, transmitter: usize) {
        match self.sharing.transmitters[transmitter].part {
            None => while self.serve(transmitter) {},
            Some((total, member)) => {
                let (now, wakes) = (self.now(), self.sharing.transmitters[transmitter].wakes());
                self.sharing.totals[total].note(member, wakes, now);
                while self.serve_total(total) {}
            }
        }
        // The next turn is an event of the bearer.
        if let Some((bearer, at)) = self.sharing.next_turn(transmitter) {
            let own = self.link(bearer as usize).next_event();
            self.set_event(bearer as usize, Some(own.map_or(at, |own| own.min(at))));
        }
    }

    /// Schedules the next event of a link that shares its transmitter, after an event of this link. `own` is the time
    /// of the link's own next event. If the transmitter is free, gives turns.
    #[inline(never)]
    pub(crate) fn attend_arrival(&mut self, link: usize, own: Option<Time>, transmitter: usize) {
        if !self.sharing.is_busy(transmitter, self.now()) {
            self.set_event(link, own);
            self.attend(transmitter);
            return;
        }
        let turn = self.sharing.next_turn(transmitter).filter(|&(bearer, _)| bearer as usize == link);
        self.set_event(link, own.into_iter().chain(turn.map(|(_, at)| at)).min());
    }

    /// Gives one turn on a transmitter without a total. Returns false if no turn is possible now.
    fn serve(&mut self, transmitter: usize) -> bool {
        let now = self.now();
        let shared = &mut self.sharing.transmitters[transmitter];
        shared.wake(now);
        let free = shared.free;
        if free.from > now {
            return false;
        }
        let Some((entry, link)) = shared.next() else { return false };
        self.send(transmitter, entry, link, free);
        true
    }

    /// Gives one turn on a total. Returns false if no turn is possible now.
    fn serve_total(&mut self, total: usize) -> bool {
        let now = self.now();
        let Sharing { totals, transmitters, .. } = &mut self.sharing;
        let Some((member, transmitter)) = totals[total].next(now) else { return false };
        let shared = &mut transmitters[transmitter];
        shared.wake(now);
        let (begins, free) = (shared.free.from.max(now), shared.free);
        let sent = match shared.next() {
            Some((entry, link)) => self.send(transmitter, entry, link, free),
            None => None,
        };
        let Sharing { totals, transmitters, .. } = &mut self.sharing;
        if let Some(sent) = sent {
            totals[total].after(member, sent, now, begins);
        }
        totals[total].note(member, transmitters[transmitter].wakes(), now);
        true
    }

    /// Lets a link use its turn on a transmitter. If the link does not carry data now, sets the link aside and returns
    /// `None`.
    fn send(&mut self, transmitter: usize, entry: usize, link: u32, free: Free) -> Option<Sent> {
        let now = self.now();
        let (wire, mut packets) = self.at(link);
        if let Some(until) = wire.closed(free.from.max(now)) {
            self.sharing.set_aside(transmitter, entry, link, until);
            return None;
        }
        let sent = wire.send(now, free, &mut packets);
        self.had_turn(transmitter, entry, link, sent);
        sent
    }

    /// Offers a packet to a link that shares its transmitter.
    #[inline(never)]
    pub(crate) fn enter_shared(&mut self, link: u32, transmitter: usize, entry: usize, parcel: Parcel) {
        let now = self.now();
        // If the transmitter has just become free, links that already wait for it precede this packet.
        if !self.sharing.is_busy(transmitter, now) {
            self.attend(transmitter);
        }
        let free = self.sharing.opens(transmitter, now, parcel.is_low());
        let (wire, mut packets) = self.at(link);
        let from = wire.closed(free.from.max(now)).unwrap_or(free.from);
        let begins = from.max(now);
        let sent = wire.offer_shared(now, Free { from, ..free }, parcel, &mut packets);
        self.had_turn(transmitter, entry, link, sent);
        if let (Some(sent), Some((total, member))) = (sent, self.sharing.transmitters[transmitter].part) {
            self.sharing.totals[total].after(member, sent, now, begins);
        }
        self.attend(transmitter);
    }

    /// Updates the state after a link was asked to send. If the link sent, it becomes the bearer. The next turn is then
    /// no longer an event of the previous bearer.
    fn had_turn(&mut self, transmitter: usize, entry: usize, link: u32, sent: Option<Sent>) {
        let wire = self.link(link as usize);
        let (waits, next) = (wire.waits(), wire.next_event());
        self.sharing.transmitters[transmitter].after(entry, sent, waits);
        self.set_event(link as usize, next);
        if sent.is_none() {
            return;
        }
        let before = self.sharing.bearer(transmitter).replace(link);
        if let Some(before) = before.filter(|&before| before != link) {
            let next = self.link(before as usize).next_event();
            self.set_event(before as usize, next);
        }
    }

    /// Updates the state after the waiting packets of a link were removed.
    pub(crate) fn leave_shared(&mut self, link: u32) {
        if let Some((transmitter, entry)) = self.sharing.of(link) {
            self.sharing.transmitters[transmitter].after(entry, None, false);
            self.attend(transmitter);
        }
    }

    /// Updates the state after a link changed.
    pub(crate) fn attend_changed(&mut self, link: u32) {
        if let Some((transmitter, entry)) = self.sharing.of(link) {
            self.sharing.transmitters[transmitter].ask_again(entry);
            self.attend(transmitter);
        }
    }
}

impl Sharing {
    /// Returns whether a transmitter gives no turn at `now`, and its state does not change at `now`. For a transmitter
    /// of a total, the result is false.
    fn is_busy(&self, transmitter: usize, now: Time) -> bool {
        let shared = &self.transmitters[transmitter];
        shared.part.is_none() && shared.is_busy(now)
    }

    /// Returns the bearer. The next turn is an event of this link.
    fn bearer(&mut self, transmitter: usize) -> &mut Option<u32> {
        match self.transmitters[transmitter].part {
            None => &mut self.transmitters[transmitter].bearer,
            Some((total, _)) => &mut self.totals[total].bearer,
        }
    }

    /// Sets a waiting link aside. `until` is the time from which the link carries data again.
    fn set_aside(&mut self, transmitter: usize, entry: usize, link: u32, until: Time) {
        self.transmitters[transmitter].set_aside(entry, until);
        self.bearer(transmitter).get_or_insert(link);
    }

    /// Returns when the transmitter is free for a packet that arrives at a link without waiting packets.
    fn opens(&self, transmitter: usize, now: Time, low: bool) -> Free {
        let shared = &self.transmitters[transmitter];
        let Some((total, member)) = shared.part else { return shared.free };
        let total = &self.totals[total];
        if total.is_open(member, now) && !(low && shared.free.from > now) {
            return Free { from: shared.free.from.min(now), ..shared.free };
        }
        Free { from: shared.free.from.max(total.free), ..shared.free }
    }

    /// Returns the bearer and the time of the next turn.
    fn next_turn(&self, transmitter: usize) -> Option<(u32, Time)> {
        let shared = &self.transmitters[transmitter];
        match shared.part {
            None => Some((shared.bearer?, shared.wakes()?.max(shared.free.from))),
            Some((total, _)) => Some((self.totals[total].bearer?, self.totals[total].wakes()?)),
        }
    }
}
