// SPDX-License-Identifier: MIT OR Apache-2.0
//! Medium access: who may send when. What demand assignment grants; see `dama`.
//!
//! What is granted in a superframe is known when it begins, so packets are held until then: a link with anything to send asks
//! for an event at the next superframe.
//!
//! Where the rate of the carrier changes with time, a superframe is planned and sent at the rate that holds when it begins: a
//! burst keeps the modulation and code that its plan gave it.

use crate::carrier::{Copies, Seat, Stretch};
use crate::dama::{Dama, Terminal};
use crate::random_access::Contention;
use crate::{Link, Packets, Parcel};
use units::{Bytes, Rate, Span, Time};

/// When a link may send.
#[derive(Clone, Debug, Default, saved::Saved)]
pub(crate) enum Access {
    /// At any time.
    #[default]
    Always,
    /// In the capacity that is assigned to it.
    Granted(Box<Slots>),
    /// In its turn on a transmitter that is another's: see [`crate::shared`].
    InTurn,
}

impl Access {
    pub(crate) fn slots(&self) -> Option<&Slots> {
        if let Self::Granted(slots) = self { Some(slots) } else { None }
    }
    pub(crate) fn slots_mut(&mut self) -> Option<&mut Slots> {
        if let Self::Granted(slots) = self { Some(slots) } else { None }
    }
}

/// Whose the carrier is.
#[derive(Clone, Debug, saved::Saved)]
enum Carrier {
    Own(Terminal),
    Shared(Seat),
}

/// The grants of a link, and the packet that is being sent.
#[derive(Clone, Debug, saved::Saved)]
pub(crate) struct Slots {
    carrier: Carrier,
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
        let mut terminal = Terminal::new(dama);
        let granted = terminal.grant(rate, 0);
        let mut slots = Self {
            carrier: Carrier::Own(terminal),
            contention: dama.random.map(|access| Contention::new(access, seed)),
            learns: dama.delay_frames(),
            rate,
            free: Time::ZERO,
            close: Time::ZERO,
            sending: None,
        };
        slots.open(Time::ZERO, granted);
        slots
    }

    /// Takes a copy in place of a carrier that other links share.
    pub(crate) fn separate(&mut self, copies: &mut Copies) {
        if let Carrier::Shared(seat) = &mut self.carrier {
            seat.separate(copies);
        }
    }

    /// Of a link that sends on a carrier when others do not.
    pub(crate) fn sharing(seat: Seat) -> Self {
        let Stretch { from, bytes, rate } = seat.stretch();
        let mut slots = Self {
            carrier: Carrier::Shared(seat),
            contention: None,
            learns: 0,
            rate,
            free: Time::ZERO,
            close: Time::ZERO,
            sending: None,
        };
        slots.open(from, bytes);
        slots
    }

    /// Opens what the superframe that goes on grants, bytes, from when on it lies there.
    fn open(&mut self, begins: Time, granted: u64) {
        self.free = begins;
        // At rate zero nothing is granted, and nothing takes no time.
        let lasts = if granted == 0 { Span::ZERO } else { self.rate.time_for(Bytes::new(granted)) };
        self.close = begins + lasts;
    }

    /// When the next superframe begins.
    fn next(&self) -> Time {
        match &self.carrier {
            Carrier::Own(terminal) => terminal.next(),
            Carrier::Shared(seat) => seat.next(),
        }
    }

    /// Goes on to the next superframe, or to one by `now` where nothing happens before it; so many bytes wait. `pace`: the rate
    /// at a moment of a carrier that is the terminal's own, where it changes.
    fn turn(&mut self, now: Time, waiting: u64, pace: impl Fn(Time) -> Option<Rate>) {
        let (begins, granted) = match &mut self.carrier {
            Carrier::Own(terminal) => {
                if waiting == 0 {
                    terminal.skip_to(now);
                }
                if let Some(rate) = pace(terminal.next()) {
                    self.rate = rate;
                }
                let mut granted = terminal.turn(self.rate, waiting);
                if granted == 0
                    && let Some(contention) = &mut self.contention
                {
                    // Received though nothing was granted.
                    granted = contention.send(terminal.frame(), waiting, self.learns);
                }
                (terminal.began(), granted)
            }
            Carrier::Shared(seat) => {
                let Stretch { from, bytes, rate } = seat.turn(now, waiting);
                self.rate = rate;
                (from, bytes)
            }
        };
        self.open(begins, granted);
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
        let waits = held || self.sending.is_some();
        waits.then(|| if self.free < self.close { self.free } else { self.next() })
    }

    /// A packet comes.
    pub(crate) fn comes(&mut self, parcel: Parcel) {
        match &mut self.carrier {
            Carrier::Own(terminal) => terminal.comes(parcel.size.into()),
            Carrier::Shared(seat) => seat.comes(parcel.size.into()),
        }
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

impl Link {
    /// [`Link::serve`] on a link with demand assignment; its `slots` are taken off it while both are at work.
    pub(crate) fn serve_granted<P: Packets>(&mut self, slots: &mut Slots, now: Time, packets: &mut P) {
        loop {
            // A stretch may lie ahead.
            while slots.free < slots.close && slots.free <= now && self.send_next(slots, now, packets) {}
            if now < slots.next() {
                break;
            }
            let held = self.held.as_ref().map_or(0, |held| held.bytes());
            let left = slots.sending.map_or(0, |(_, left)| left);
            let course = self.course.as_deref();
            slots.turn(now, held + left, |at| course?.rate_at(at));
        }
        if now >= slots.close {
            // Who comes now has missed it.
            slots.free = slots.close;
        }
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
        self.totals.transmit_ns += slots.free.since(free).nanos();
        self.transmitter.busy_until = slots.free;
        match sent {
            Ok(departure) => self.pass_granted(departure, parcel),
            Err(left) => slots.sending = Some((parcel, left)),
        }
        true
    }

    /// Decides the passage of a packet whose last byte leaves at `departure`.
    fn pass_granted(&mut self, departure: Time, mut parcel: Parcel) {
        let arrival = if self.course.is_some() {
            self.leave_on_course(departure, &mut parcel).0
        } else {
            departure + self.propagation.delay_at(departure)
        };
        self.totals.accept(parcel.size);
        self.propagation.send(arrival, parcel);
    }
}

#[cfg(test)]
mod tests;
