// SPDX-License-Identifier: MIT OR Apache-2.0
//! Transmitters that several links share: the order of turns.
//!
//! Links with data to send take turns. Turns are charged in bytes, or in transmission time if the scenario sets this.
//! Each link has a credit. The link sends while its credit is positive. Otherwise, it moves to the end of the row and
//! gets another quantum. This is deficit round robin (Shreedhar and Varghese 1995) as in RFC 8290, section 4.2. In this
//! form, a link may overdraw its credit, and repays the overdraft in the next round. Therefore the size of a packet
//! need not be known before the packet is sent.
//!
//! A link of weight n gets n times the quantum. If links always have data to send, they share the transmitter in
//! proportion to their weights, to within a packet and a quantum. Links of a higher class always precede links of a
//! lower class, but a transmission that has begun is not interrupted. If a link does not carry data for some time, it
//! takes no turns during that time.
//!
//! If turns are charged by time on the air, the charge is the transmission time. A link with a low rate then gets as
//! much time as each other link, but no more. This is proportional fairness (Kelly 1997): let the links get shares t of
//! the time, at rates r. For any rates, the sum of log(r t) is largest if all t are equal. The quantum is then the
//! shortest transmission time of a full packet on the transmitter so far.

use crate::total::Total;
use link::{Free, Sent};
use std::collections::{BTreeMap, VecDeque};
use units::{Rate, Span, Time};

/// Quantum of a link of weight 1, in bytes. It is a full packet, so that equal links take turns packet by packet.
pub(crate) const QUANTUM: i64 = 1500;

/// Upper bound of a charged transmission time, in nanoseconds. It is one day; a hundred times this bound does not
/// overflow.
const LONGEST: i64 = 86_400_000_000_000;

/// The unit in which turns on a transmitter are charged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub enum Turns {
    /// Bytes.
    #[default]
    Bytes,
    /// Time on the air, in nanoseconds.
    Time,
}

/// Weight and class of a link at a shared transmitter, or of a transmitter in a total.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub struct Scheduling {
    /// Weight, which determines the share among the links of the same class. It is not zero.
    pub weight: u16,
    /// Priority class. Links of a higher class precede links of a lower class.
    pub class: u8,
}

/// State of a link in the order of turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
enum Stance {
    /// The link has nothing to send.
    Rests,
    /// The link waits in the row of its class.
    Waits,
    /// The link has data to send, but carries no data until this time. The number is the position of the link in the
    /// order in which links left the row.
    Aside(Time, u64),
}

#[derive(Clone, Debug, saved::Plain)]
struct Taken {
    link: u32,
    scheduling: Scheduling,
    credit: i64,
    stance: Stance,
}

/// A shared transmitter.
#[derive(Clone, Debug, saved::Plain)]
pub(crate) struct Transmitter {
    /// Time from which the transmitter is free.
    pub(crate) free: Free,
    /// The total (joint rate limit) that the transmitter uses, and the transmitter's member number in this total.
    pub(crate) part: Option<(usize, usize)>,
    /// The link whose event starts the next turn (the bearer). It is [`None`] if no link has sent or waited yet.
    pub(crate) bearer: Option<u32>,
    turns: Turns,
    /// Quantum of a link of weight 1, in the unit in which turns are charged.
    quantum: i64,
    entries: Vec<Taken>,
    /// For each class, the waiting links in the order of their turns. The highest class is first.
    rows: Vec<(u8, VecDeque<usize>)>,
    /// The links that were set aside, by the time of their return. If two links return at the same time, the link that
    /// left the row first returns first.
    aside: BTreeMap<(Time, u64), usize>,
    stepped_aside: u64,
    /// For each stopped transmission: the time from which its remaining part occupies the transmitter, and the duration
    /// of this part.
    rests: BTreeMap<Time, Span>,
}

impl Default for Transmitter {
    fn default() -> Self {
        Self {
            free: Free::default(),
            part: None,
            bearer: None,
            turns: Turns::Bytes,
            quantum: QUANTUM,
            entries: Vec::new(),
            rows: Vec::new(),
            aside: BTreeMap::new(),
            stepped_aside: 0,
            rests: BTreeMap::new(),
        }
    }
}

impl Transmitter {
    /// Sets the unit in which turns are charged. This function must be called before the first turn.
    fn charge(&mut self, turns: Turns) {
        self.turns = turns;
        self.quantum = match turns {
            Turns::Bytes => QUANTUM,
            // This value applies until the first packet is sent. No link has an overdraft before that.
            Turns::Time => 1,
        };
    }

    /// Adds a link and returns the number of its entry.
    fn take(&mut self, link: u32, scheduling: Scheduling) -> usize {
        self.entries.push(Taken { link, scheduling, credit: 0, stance: Stance::Rests });
        if let Err(at) = self.rows.binary_search_by(|row| scheduling.class.cmp(&row.0)) {
            self.rows.insert(at, (scheduling.class, VecDeque::new()));
        }
        self.entries.len() - 1
    }

    /// Returns the earliest time at which a link has something to send while the transmitter is free. [`Time::ZERO`]
    /// means now. A link that was set aside has something to send from its return on.
    pub(crate) fn wakes(&self) -> Option<Time> {
        if self.rows.iter().any(|(_, row)| !row.is_empty()) {
            return Some(Time::ZERO);
        }
        self.aside.first_key_value().map(|(&(until, _), _)| until)
    }

    /// Returns whether a packet is in transmission, no link was set aside, and no transmission was stopped.
    pub(crate) fn is_busy(&self, now: Time) -> bool {
        self.free.from > now && self.aside.is_empty() && self.rests.is_empty()
    }

    /// Updates the state to `now`. Links that were set aside return to the row, and stopped transmissions continue.
    pub(crate) fn wake(&mut self, now: Time) {
        while let Some(first) = self.aside.first_entry().filter(|first| first.key().0 <= now) {
            let at = first.remove();
            self.come_back(at);
        }
        while let Some(rest) = self.rests.first_entry().filter(|rest| *rest.key() <= now) {
            let (goes_on, lasts) = rest.remove_entry();
            self.free = Free { from: self.free.from.max(goes_on) + lasts, left: None };
        }
    }

    /// Returns the entry and the link of the next turn.
    pub(crate) fn next(&mut self) -> Option<(usize, u32)> {
        let (_, row) = self.rows.iter_mut().find(|(_, row)| !row.is_empty())?;
        loop {
            for _ in 0..row.len() {
                let at = *row.front()?;
                let taken = &mut self.entries[at];
                if taken.credit > 0 {
                    return Some((at, taken.link));
                }
                taken.credit += self.quantum * i64::from(taken.scheduling.weight);
                row.rotate_left(1);
            }
            // Rounds in which no link gets a turn are skipped in one step. There can be many such rounds, because a
            // packet may be long compared with the quantum.
            let quantum = |taken: &Taken| self.quantum * i64::from(taken.scheduling.weight);
            let lacks = |taken: &Taken| (-taken.credit).max(0) / quantum(taken);
            let rounds = row.iter().map(|&at| lacks(&self.entries[at])).min()?;
            for &at in row.iter() {
                let taken = &mut self.entries[at];
                taken.credit += rounds * self.quantum * i64::from(taken.scheduling.weight);
            }
        }
    }

    /// Returns the amount by which a transmission is charged.
    fn charged(&mut self, sent: &Sent) -> i64 {
        match self.turns {
            Turns::Bytes => sent.bytes.cast_signed(),
            Turns::Time => {
                let on_air = i64::try_from(sent.on_air.nanos()).unwrap_or(i64::MAX).min(LONGEST);
                let full = (i128::from(on_air) * i128::from(QUANTUM) / i128::from(sent.bytes.max(1))) as i64;
                let shorter = self.quantum == 1 || full < self.quantum;
                self.quantum = if shorter { full.clamp(1, LONGEST) } else { self.quantum };
                on_air
            }
        }
    }

    /// Updates the entry after the link sent, or had nothing to send. `waits` states whether the link has more data.
    pub(crate) fn after(&mut self, at: usize, sent: Option<Sent>, waits: bool) {
        if let Some(sent) = sent {
            let Sent { free, rest, .. } = sent;
            self.free = free;
            self.entries[at].credit -= self.charged(&sent);
            if let Some((goes_on, lasts)) = rest {
                let rest = self.rests.entry(goes_on).or_default();
                *rest = *rest + lasts;
            }
        }
        match (waits, self.entries[at].stance) {
            (true, Stance::Rests) => {
                let taken = &mut self.entries[at];
                // A link that joins again gets one quantum. It loses any credit from before.
                taken.credit = self.quantum * i64::from(taken.scheduling.weight);
                self.come_back(at);
            }
            (false, Stance::Waits | Stance::Aside(..)) => self.step_out(at, Stance::Rests),
            _ => {}
        }
    }

    /// Sets a waiting link aside. `until` is the time from which the link carries data again.
    pub(crate) fn set_aside(&mut self, at: usize, until: Time) {
        self.stepped_aside += 1;
        let place = (until, self.stepped_aside);
        self.step_out(at, Stance::Aside(place.0, place.1));
        self.aside.insert(place, at);
    }

    /// Puts a link that was set aside back into the row, because the link changed. The link is then asked again whether
    /// it carries data.
    pub(crate) fn ask_again(&mut self, at: usize) {
        if let Stance::Aside(..) = self.entries[at].stance {
            self.step_out(at, Stance::Rests);
            self.come_back(at);
        }
    }

    /// Returns the row of the class of an entry.
    fn row(&mut self, at: usize) -> &mut VecDeque<usize> {
        let class = self.entries[at].scheduling.class;
        let place = self.rows.binary_search_by(|row| class.cmp(&row.0));
        let Ok(place) = place else { unreachable!("an entry has its row") };
        &mut self.rows[place].1
    }

    fn come_back(&mut self, at: usize) {
        self.entries[at].stance = Stance::Waits;
        self.row(at).push_back(at);
    }

    fn step_out(&mut self, at: usize, stance: Stance) {
        match std::mem::replace(&mut self.entries[at].stance, stance) {
            Stance::Waits => self.row(at).retain(|&other| other != at),
            Stance::Aside(until, number) => {
                self.aside.remove(&(until, number));
            }
            Stance::Rests => {}
        }
    }
}

/// All shared transmitters, all totals, and the entries of the links.
#[derive(Clone, Debug, Default, saved::Saved)]
pub(crate) struct Sharing {
    pub(crate) transmitters: Vec<Transmitter>,
    #[saved(each)]
    pub(crate) totals: Vec<Total>,
    /// Transmitter and entry of each link. The list ends at the last link that shares a transmitter.
    entries: Vec<Option<(u32, u32)>>,
}

impl Sharing {
    /// Returns the transmitter and the entry of a link; [`None`] if the link has its own transmitter.
    #[inline]
    pub(crate) fn of(&self, link: u32) -> Option<(usize, usize)> {
        let &(transmitter, entry) = self.entries.get(link as usize)?.as_ref()?;
        Some((transmitter as usize, entry as usize))
    }

    /// Returns the transmitter with this number. Creates it if it does not exist.
    fn transmitter(&mut self, number: usize) -> &mut Transmitter {
        let count = self.transmitters.len().max(number + 1);
        self.transmitters.resize_with(count, Transmitter::default);
        &mut self.transmitters[number]
    }

    /// Sets the unit in which turns on a transmitter are charged.
    pub(crate) fn charge(&mut self, transmitter: usize, turns: Turns) {
        self.transmitter(transmitter).charge(turns);
    }

    /// Adds a link to a transmitter.
    pub(crate) fn add_link(&mut self, transmitter: usize, link: u32, scheduling: Scheduling) {
        let place = self.transmitter(transmitter).take(link, scheduling);
        let links = self.entries.len().max(link as usize + 1);
        self.entries.resize(links, None);
        self.entries[link as usize] = Some((transmitter as u32, place as u32));
    }

    /// Registers a transmitter with a total. If the total does not exist, it is created.
    pub(crate) fn part(&mut self, transmitter: usize, total: usize, rate: Rate, scheduling: Scheduling) {
        let count = self.totals.len().max(total + 1);
        self.totals.resize_with(count, || Total::new(rate));
        let member = self.totals[total].take(transmitter, scheduling);
        self.transmitter(transmitter).part = Some((total, member));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the bytes that each entry sends in `turns` turns. Every entry always has packets to send. All packets of
    /// an entry have the same size.
    fn shares(entries: &[(Scheduling, u64)], turns: usize) -> Vec<u64> {
        let mut transmitter = Transmitter::default();
        for (link, &(scheduling, _)) in (0..).zip(entries) {
            transmitter.take(link, scheduling);
        }
        for at in 0..entries.len() {
            transmitter.after(at, None, true);
        }
        let mut bytes = vec![0; entries.len()];
        for _ in 0..turns {
            let (at, link) = transmitter.next().expect("all have something to send");
            assert_eq!(at, link as usize);
            bytes[at] += entries[at].1;
            let free = Free { from: Time::ZERO + Span::from_secs(1), left: None };
            let sent = Sent { bytes: entries[at].1, on_air: Span::ZERO, free, rest: None };
            transmitter.after(at, Some(sent), true);
        }
        bytes
    }

    const fn scheduling(weight: u16, class: u8) -> Scheduling {
        Scheduling { weight, class }
    }

    #[test]
    fn shares_are_bytes_not_packets() {
        // For any packet sizes, all links send the same number of bytes, to within a quantum and a packet (Shreedhar
        // and Varghese, theorem 3).
        let bytes =
            shares(&[(scheduling(1, 0), 1500), (scheduling(1, 0), 100), (scheduling(1, 0), 576)], 20_000);
        let most = bytes.iter().max().unwrap_or(&0) - bytes.iter().min().unwrap_or(&0);
        assert!(most <= 1500 + 1500, "{bytes:?}");
    }

    #[test]
    fn shares_are_like_weights() {
        let bytes =
            shares(&[(scheduling(1, 0), 1500), (scheduling(2, 0), 1500), (scheduling(5, 0), 400)], 40_000);
        let each: Vec<u64> = bytes.iter().zip([1, 2, 5]).map(|(bytes, weight)| bytes / weight).collect();
        assert!(
            each.iter().max().unwrap_or(&0) - each.iter().min().unwrap_or(&0) <= 1500 + 1500,
            "{bytes:?}"
        );
    }

    #[test]
    fn a_higher_class_goes_first_until_it_has_nothing_left() {
        assert_eq!(
            shares(&[(scheduling(9, 0), 1500), (scheduling(1, 3), 1500), (scheduling(1, 1), 1500)], 100),
            [0, 150_000, 0]
        );
        let mut transmitter = Transmitter::default();
        for (link, class) in [(7, 0), (8, 2)] {
            transmitter.take(link, scheduling(1, class));
        }
        assert!(transmitter.wakes().is_none() && transmitter.next().is_none());
        transmitter.after(0, None, true);
        assert_eq!(transmitter.next(), Some((0, 7)));
        transmitter.after(1, None, true);
        assert_eq!(transmitter.next(), Some((1, 8)));
        transmitter.after(1, None, false);
        assert_eq!(transmitter.next(), Some((0, 7)));
    }

    #[test]
    fn who_stands_aside_waits_again_in_time_and_what_had_to_stop_goes_on_then() {
        let at = |secs| Time::ZERO + Span::from_secs(secs);
        let mut transmitter = Transmitter::default();
        for link in [7, 8] {
            transmitter.take(link, scheduling(1, 0));
        }
        transmitter.after(0, None, true);
        transmitter.after(1, None, true);
        transmitter.set_aside(0, at(5));
        assert_eq!((transmitter.next(), transmitter.wakes()), (Some((1, 8)), Some(Time::ZERO)));
        // The transmission stops at 2 s. Its remaining part takes one second, from 4 s on.
        let free = Free { from: at(2), left: None };
        transmitter.after(
            1,
            Some(Sent { bytes: 1500, on_air: Span::ZERO, free, rest: Some((at(4), Span::from_secs(1))) }),
            false,
        );
        assert_eq!((transmitter.next(), transmitter.wakes()), (None, Some(at(5))));
        transmitter.wake(at(3));
        assert_eq!(transmitter.free.from, at(2));
        transmitter.wake(at(4));
        assert_eq!((transmitter.free.from, transmitter.next()), (at(5), None));
        transmitter.wake(at(5));
        assert_eq!(transmitter.next(), Some((0, 7)));
        // The link was changed, or its waiting packets were removed.
        transmitter.set_aside(0, at(9));
        transmitter.ask_again(0);
        assert_eq!(transmitter.next(), Some((0, 7)));
        transmitter.set_aside(0, at(9));
        transmitter.after(0, None, false);
        assert_eq!((transmitter.next(), transmitter.wakes()), (None, None));
    }
}
