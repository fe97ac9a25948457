// SPDX-License-Identifier: MIT OR Apache-2.0
//! Medium access: when a link may send. This module is the sending side of demand assignment (see `dama`).
//!
//! The grant of a superframe is known only when the superframe begins. Packets are therefore held until then. A link
//! with packets to send requests an event for the start of the next superframe.
//!
//! If the rate of the carrier changes with time, the rate at the start of a superframe applies to the whole superframe.
//! The modulation and code of a burst are those of the plan.

use crate::carrier::{CarrierTerminal, Copies, Stretch};
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
    /// Only in the link's grants.
    Granted(Box<Slots>),
    /// Only in the link's turns on a shared transmitter (see [`crate::shared`]).
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

/// The carrier of a link.
#[derive(Clone, Debug, saved::Saved)]
enum Carrier {
    Own(Terminal),
    Shared(CarrierTerminal),
}

/// The grants of a link, and the packet whose transmission has begun.
#[derive(Clone, Debug, saved::Saved)]
pub(crate) struct Slots {
    carrier: Carrier,
    /// Random access. Present if the link may send without a grant.
    contention: Option<Contention>,
    /// Number of superframes after which the terminal learns whether a burst of random access was received.
    learns: u64,
    rate: Rate,
    /// Start of the part of the current grant that is still unused.
    free: Time,
    close: Time,
    /// A packet whose transmission has begun, and the number of its bytes that must wait for a later superframe.
    sending: Option<(Parcel, u64)>,
}

impl Slots {
    /// Creates the grants of a link with its own carrier. The link sends at `rate` in its grants.
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

    /// If the carrier is shared with other links, replaces the carrier by a copy.
    pub(crate) fn separate(&mut self, copies: &mut Copies) {
        if let Carrier::Shared(terminal) = &mut self.carrier {
            terminal.separate(copies);
        }
    }

    /// Creates the grants of a link on a shared carrier.
    pub(crate) fn sharing(terminal: CarrierTerminal) -> Self {
        let Stretch { from, bytes, rate } = terminal.stretch();
        let mut slots = Self {
            carrier: Carrier::Shared(terminal),
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

    /// Opens the grant of the current superframe. The grant begins at `begins` and has `granted` bytes.
    fn open(&mut self, begins: Time, granted: u64) {
        self.free = begins;
        // At rate zero, no bytes are granted, and `time_for` has no result.
        let lasts = if granted == 0 { Span::ZERO } else { self.rate.time_for(Bytes::new(granted)) };
        self.close = begins + lasts;
    }

    /// Start of the next superframe.
    fn next(&self) -> Time {
        match &self.carrier {
            Carrier::Own(terminal) => terminal.next(),
            Carrier::Shared(terminal) => terminal.next(),
        }
    }

    /// Moves on to the next superframe. If no bytes wait and no request is pending, moves directly to the superframe at
    /// `now`. `waiting` is the number of waiting bytes. `pace` is the rate over time of the terminal's own carrier, if
    /// this rate changes.
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
                    // Bytes that are received without a grant are treated as granted.
                    granted = contention.send(terminal.frame(), waiting, self.learns);
                }
                (terminal.began(), granted)
            }
            Carrier::Shared(terminal) => {
                let Stretch { from, bytes, rate } = terminal.turn(now, waiting);
                self.rate = rate;
                (from, bytes)
            }
        };
        self.open(begins, granted);
    }

    /// Changes the rate of the carrier from now on. The grant of the current superframe does not change.
    pub(crate) fn set_rate(&mut self, rate: Rate) {
        self.rate = rate;
    }

    /// Whether the transmission of a packet has begun and the rest of the packet waits for a grant.
    pub(crate) fn is_sending(&self) -> bool {
        self.sending.is_some()
    }

    /// Takes back the packet in transmission.
    pub(crate) fn take_back(&mut self) -> Option<Parcel> {
        self.sending.take().map(|(parcel, _)| parcel)
    }

    /// The time of the next event of the link, apart from arrivals. `held` is true if packets wait.
    pub(crate) fn next_event(&self, held: bool) -> Option<Time> {
        let waits = held || self.sending.is_some();
        waits.then(|| if self.free < self.close { self.free } else { self.next() })
    }

    /// Counts an arriving packet.
    pub(crate) fn comes(&mut self, parcel: Parcel) {
        match &mut self.carrier {
            Carrier::Own(terminal) => terminal.comes(parcel.size.into()),
            Carrier::Shared(terminal) => terminal.comes(parcel.size.into()),
        }
    }

    /// Sends the `left` bytes of a packet, or as many of them as are granted. If all bytes are sent, returns the time
    /// at which the last byte leaves. Otherwise returns the number of bytes that are still left.
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
    /// [`Link::serve`] on a link with demand assignment. The caller has moved `slots` out of the link, because this
    /// method changes both.
    pub(crate) fn serve_granted<P: Packets>(&mut self, slots: &mut Slots, now: Time, packets: &mut P) {
        loop {
            // The loop checks `slots.free <= now`, because the grant may begin later than `now`.
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
            // A packet that arrives after `now` can no longer use this grant.
            slots.free = slots.close;
        }
    }

    /// Sends the next packet, or a part of it, if the transmission can begin in the grant by `now`. Returns false if
    /// there is no such packet.
    fn send_next<P: Packets>(&mut self, slots: &mut Slots, now: Time, packets: &mut P) -> bool {
        let (parcel, left) = if let Some(begun) = slots.sending.take() {
            begun
        } else {
            // The end of a grant does not belong to the grant.
            let last = now.min(Time::from_nanos(slots.close.nanos() - 1));
            let Some((start, parcel)) = self.begin_held(slots.free, last, packets) else { return false };
            slots.free = start;
            (parcel, parcel.size.into())
        };
        let free = slots.free;
        let sent = slots.send(left);
        // Each fragment of a packet adds its time on the carrier.
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
