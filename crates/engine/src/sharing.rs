// SPDX-License-Identifier: MIT OR Apache-2.0
//! Transmitters that several links share: whose turn it is.
//!
//! Links with something to send take turns by bytes: each has a credit, sends while that is positive, and gets a quantum more
//! when it comes to the end of the row. This is deficit round robin (Shreedhar and Varghese 1995) as RFC 8290, section
//! 4.2, has it: a packet need not be looked at before it is sent, what a link overdraws by a part of a packet it gives back in
//! the next round. A link with n times the weight has n times the quantum, so while two links have something to send they get
//! shares like their weights, to a packet and a quantum. Links of a higher class go first, always; a transmission that has
//! begun is not interrupted.

use link::Sent;
use std::collections::VecDeque;
use units::Time;

/// What a link of weight 1 gets in a round: a full packet, so that equals take turns packet by packet.
const QUANTUM: i64 = 1500;

/// The right of a link to a transmitter that it shares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seat {
    /// Share of the transmitter, against the others of its class; not zero.
    pub weight: u16,
    /// Links of a higher class go first.
    pub class: u8,
}

#[derive(Debug)]
struct Taken {
    link: u32,
    seat: Seat,
    credit: i64,
    /// It has something to send, and stands in the row of its class.
    waits: bool,
}

/// A transmitter.
#[derive(Debug, Default)]
pub(crate) struct Transmitter {
    /// From when on it is free.
    pub(crate) free: Time,
    /// The link that used it last; [`None`]: none has.
    pub(crate) last: Option<u32>,
    seats: Vec<Taken>,
    /// Those that wait, in the order of their turns, by class, the highest first.
    rows: Vec<(u8, VecDeque<usize>)>,
}

impl Transmitter {
    /// One link more; gives the number of its seat.
    fn take(&mut self, link: u32, seat: Seat) -> usize {
        self.seats.push(Taken { link, seat, credit: 0, waits: false });
        if let Err(at) = self.rows.binary_search_by(|row| seat.class.cmp(&row.0)) {
            self.rows.insert(at, (seat.class, VecDeque::new()));
        }
        self.seats.len() - 1
    }

    /// Whether some link has something to send.
    pub(crate) fn is_asked_for(&self) -> bool {
        self.rows.iter().any(|(_, row)| !row.is_empty())
    }

    /// Whose turn it is: the seat and its link.
    pub(crate) fn next(&mut self) -> Option<(usize, u32)> {
        let (_, row) = self.rows.iter_mut().find(|(_, row)| !row.is_empty())?;
        loop {
            let at = *row.front()?;
            let taken = &mut self.seats[at];
            if taken.credit > 0 {
                return Some((at, taken.link));
            }
            taken.credit += QUANTUM * i64::from(taken.seat.weight);
            row.rotate_left(1);
        }
    }

    /// A link has sent, or had nothing left after all; `waits`: there is more.
    pub(crate) fn after(&mut self, at: usize, sent: Option<Sent>, waits: bool) {
        let taken = &mut self.seats[at];
        if let Some(Sent { bytes, free }) = sent {
            self.free = free;
            self.last = Some(taken.link);
            taken.credit -= bytes.cast_signed();
        }
        if waits == taken.waits {
            return;
        }
        taken.waits = waits;
        let place = self.rows.binary_search_by(|row| taken.seat.class.cmp(&row.0));
        let Ok(class) = place else { unreachable!("a seat has its row") };
        let row = &mut self.rows[class].1;
        if waits {
            // Who comes anew has one quantum, whatever it had before: credit is not saved.
            taken.credit = QUANTUM * i64::from(taken.seat.weight);
            row.push_back(at);
        } else {
            row.retain(|&other| other != at);
        }
    }
}

/// All of them, and the seats of links.
#[derive(Debug, Default)]
pub(crate) struct Sharing {
    pub(crate) transmitters: Vec<Transmitter>,
    /// Transmitter and seat by link; shorter where the links behind have none.
    seats: Vec<Option<(u32, u32)>>,
}

impl Sharing {
    /// Where a link sits; [`None`]: its transmitter is its own.
    #[inline]
    pub(crate) fn of(&self, link: u32) -> Option<(usize, usize)> {
        let &(transmitter, seat) = self.seats.get(link as usize)?.as_ref()?;
        Some((transmitter as usize, seat as usize))
    }

    /// Gives a link a seat at a transmitter, which is made if there is none of that number.
    pub(crate) fn seat(&mut self, transmitter: usize, link: u32, seat: Seat) {
        let count = self.transmitters.len().max(transmitter + 1);
        self.transmitters.resize_with(count, Transmitter::default);
        let place = self.transmitters[transmitter].take(link, seat);
        let links = self.seats.len().max(link as usize + 1);
        self.seats.resize(links, None);
        self.seats[link as usize] = Some((transmitter as u32, place as u32));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use units::Span;

    /// Which of the seats, all of which always have packets of their own size to send, gets how many bytes of `rounds`.
    fn shares(seats: &[(Seat, u64)], turns: usize) -> Vec<u64> {
        let mut transmitter = Transmitter::default();
        for (link, &(seat, _)) in (0..).zip(seats) {
            transmitter.take(link, seat);
        }
        for at in 0..seats.len() {
            transmitter.after(at, None, true);
        }
        let mut bytes = vec![0; seats.len()];
        for _ in 0..turns {
            let (at, link) = transmitter.next().expect("all have something to send");
            assert_eq!(at, link as usize);
            bytes[at] += seats[at].1;
            let sent = Sent { bytes: seats[at].1, free: Time::ZERO + Span::from_secs(1) };
            transmitter.after(at, Some(sent), true);
        }
        bytes
    }

    const fn seat(weight: u16, class: u8) -> Seat {
        Seat { weight, class }
    }

    #[test]
    fn shares_are_bytes_not_packets() {
        // Whatever the sizes: each has what the others have, to a quantum and a packet (Shreedhar and Varghese, theorem 3).
        let bytes = shares(&[(seat(1, 0), 1500), (seat(1, 0), 100), (seat(1, 0), 576)], 20_000);
        let most = bytes.iter().max().unwrap_or(&0) - bytes.iter().min().unwrap_or(&0);
        assert!(most <= 1500 + 1500, "{bytes:?}");
    }

    #[test]
    fn shares_are_like_weights() {
        let bytes = shares(&[(seat(1, 0), 1500), (seat(2, 0), 1500), (seat(5, 0), 400)], 40_000);
        let each: Vec<u64> = bytes.iter().zip([1, 2, 5]).map(|(bytes, weight)| bytes / weight).collect();
        assert!(
            each.iter().max().unwrap_or(&0) - each.iter().min().unwrap_or(&0) <= 1500 + 1500,
            "{bytes:?}"
        );
    }

    #[test]
    fn a_higher_class_goes_first_until_it_has_nothing_left() {
        assert_eq!(
            shares(&[(seat(9, 0), 1500), (seat(1, 3), 1500), (seat(1, 1), 1500)], 100),
            [0, 150_000, 0]
        );
        let mut transmitter = Transmitter::default();
        for (link, class) in [(7, 0), (8, 2)] {
            transmitter.take(link, seat(1, class));
        }
        assert!(!transmitter.is_asked_for() && transmitter.next().is_none());
        transmitter.after(0, None, true);
        assert_eq!(transmitter.next(), Some((0, 7)));
        transmitter.after(1, None, true);
        assert_eq!(transmitter.next(), Some((1, 8)));
        transmitter.after(1, None, false);
        assert_eq!(transmitter.next(), Some((0, 7)));
    }
}
