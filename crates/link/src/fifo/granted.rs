// SPDX-License-Identifier: MIT OR Apache-2.0
//! A link that sends in what demand assignment grants; see `dama`.
//!
//! What is granted in a superframe is known when it begins, so packets are held until then: a link with anything to send asks
//! for an event at the next superframe.

use super::Fifo;
use crate::dama::{Dama, Terminal};
use crate::flight::InFlight;
use crate::random_access::Contention;
use crate::{Packets, Parcel};
use units::{Bytes, Rate, Time};

/// The grants of a link, and the packet that is being sent.
#[derive(Debug)]
pub(crate) struct Slots {
    terminal: Terminal,
    /// There if it sends without asking while nothing is granted.
    contention: Option<Contention>,
    /// How many superframes later it learns what became of that.
    learns: u64,
    rate: Rate,
    /// From here until there the link may send in the superframe that goes on.
    free: Time,
    close: Time,
    /// Its transmission has begun, and so many of its bytes are to be sent in a later superframe.
    sending: Option<(Parcel, u64)>,
}

impl Slots {
    /// Of a link that sends at `rate` when it may.
    pub(crate) fn new(dama: Dama, rate: Rate, seed: u64) -> Self {
        let mut slots = Self {
            terminal: Terminal::new(dama),
            contention: dama.random.map(|access| Contention::new(access, seed)),
            learns: dama.delay_frames(),
            rate,
            free: Time::ZERO,
            close: Time::ZERO,
            sending: None,
        };
        let granted = slots.terminal.grant(rate, 0);
        slots.open(granted);
        slots
    }

    /// Opens what the superframe that begins grants, bytes.
    fn open(&mut self, granted: u64) {
        self.free = self.terminal.began();
        self.close = self.free + self.rate.time_for(Bytes::new(granted));
    }

    /// What of the bytes that wait is received though nothing was granted in this superframe.
    fn contend(&mut self, waiting: u64) -> u64 {
        let (frame, learns) = (self.terminal.frame(), self.learns);
        self.contention.as_mut().map_or(0, |contention| contention.send(frame, waiting, learns))
    }

    /// From now on the carrier sends at another rate; what this superframe grants stays as it is.
    pub(crate) fn set_rate(&mut self, rate: Rate) {
        self.rate = rate;
    }

    /// Whether a packet's transmission has begun and not all of it is granted.
    pub(crate) fn is_sending(&self) -> bool {
        self.sending.is_some()
    }

    /// Takes back the packet that is being sent.
    pub(crate) fn take_back(&mut self) -> Option<Parcel> {
        self.sending.take().map(|(parcel, _)| parcel)
    }

    /// When there is something to do next, if packets are `held`.
    pub(crate) fn next_event(&self, held: bool) -> Option<Time> {
        if held && self.free < self.close && self.sending.is_none() {
            return Some(self.free);
        }
        (held || self.sending.is_some()).then(|| self.terminal.next())
    }

    /// A packet comes.
    pub(crate) fn comes(&mut self, parcel: Parcel) {
        self.terminal.comes(parcel.size.into());
    }

    /// Sends what may be sent of a packet: when its last byte leaves, if it does.
    fn send(&mut self, left: u64) -> Result<Time, u64> {
        let end = self.free + self.rate.time_for(Bytes::new(left));
        if end <= self.close {
            self.free = end;
            return Ok(end);
        }
        let sent = self.rate.bytes_in(self.close.since(self.free)).get();
        self.free = self.close;
        Err(left - sent)
    }
}

impl Fifo {
    /// [`Fifo::serve`] on a link with demand assignment.
    pub(crate) fn serve_granted<P: Packets>(&mut self, now: Time, packets: &mut P) {
        // Taken off the link while both are at work.
        let Some(mut slots) = self.slots.take() else { return };
        loop {
            while slots.free < slots.close && self.send_next(&mut slots, now, packets) {}
            let held = self.held.as_ref().map_or(0, |held| held.bytes());
            let next = slots.terminal.next();
            if now < next {
                break;
            }
            let left = slots.sending.map_or(0, |(_, left)| left);
            if held + left == 0 {
                slots.terminal.skip_to(now);
            }
            let granted = slots.terminal.turn(slots.rate, held + left);
            let granted = if granted > 0 { granted } else { slots.contend(held + left) };
            slots.open(granted);
        }
        if now >= slots.close {
            // Who comes now has missed it.
            slots.free = slots.close;
        }
        self.slots = Some(slots);
    }

    /// Sends the packet that is next by `now` in what is granted, or a part of it; false if there is none.
    fn send_next<P: Packets>(&mut self, slots: &mut Slots, now: Time, packets: &mut P) -> bool {
        let (parcel, left) = if let Some(begun) = slots.sending.take() {
            begun
        } else {
            // What is granted ends right before it closes.
            let last = now.min(Time::from_nanos(slots.close.nanos() - 1));
            let Some((start, parcel)) = self.begin_held(slots.free, last, packets) else { return false };
            slots.free = start;
            (parcel, parcel.size.into())
        };
        let free = slots.free;
        let sent = slots.send(left);
        // What of the carrier it takes, superframe by superframe.
        self.transmit_ns += slots.free.since(free).nanos();
        self.busy_until = slots.free;
        match sent {
            Ok(departure) => self.pass_granted(departure, parcel),
            Err(left) => slots.sending = Some((parcel, left)),
        }
        true
    }

    /// Decides the passage of a packet whose last byte leaves at `departure`.
    fn pass_granted(&mut self, departure: Time, mut parcel: Parcel) {
        let arrival = if self.timed {
            self.leave_on_course(departure, &mut parcel).0
        } else {
            departure + self.delay_at(departure)
        };
        self.accepted += 1;
        self.accepted_bytes += u64::from(parcel.size);
        if self.reorder {
            self.flight.insert(InFlight { arrival, parcel });
        } else {
            self.last_arrival = arrival.max(self.last_arrival);
            self.flight.push(InFlight { arrival: self.last_arrival, parcel });
        }
    }
}

#[cfg(test)]
mod tests;
