// SPDX-License-Identifier: MIT OR Apache-2.0
//! A link and its packets for tests. The counters of the link are checked after every call.

use crate::discipline::{ActiveQueue, Coming, DisciplineState, QueueContext};
use crate::{Ack, Arrival, Config, Course, Delay, Ecn, Link, Lost, Packets, Parcel};
use random::{SeedableRng as _, Xoshiro256PlusPlus};
use std::collections::{BTreeMap, BTreeSet};
use units::{Rate, Span, Time};

/// The events of packets that the link has reported.
#[derive(Debug, Default)]
pub(crate) struct Log {
    /// Sender of each packet. The default is 0.
    pub senders: BTreeMap<u32, u64>,
    /// Packets without payload.
    pub bare: Vec<u32>,
    /// ECN codepoint of each packet. The default is Not-ECT.
    pub ecn: BTreeMap<u32, Ecn>,
    /// Urgent packets.
    pub urgent: BTreeSet<u32>,
    /// Fields of pure acknowledgements.
    pub acks: BTreeMap<u32, Ack>,
    pub entered: Vec<u32>,
    pub dropped: Vec<(u32, Lost)>,
    pub marked: Vec<u32>,
    pub bleached: Vec<u32>,
    pub warned: Vec<u32>,
    /// The last reported wait of each packet.
    pub waits: BTreeMap<u32, Span>,
    /// The last reported start of each packet's transmission.
    pub begins: BTreeMap<u32, Time>,
}

impl Packets for Log {
    fn sender(&self, handle: u32) -> u64 {
        self.senders.get(&handle).copied().unwrap_or(0)
    }
    fn carries_data(&self, handle: u32) -> bool {
        !self.bare.contains(&handle)
    }
    fn ecn(&self, handle: u32) -> Ecn {
        self.ecn.get(&handle).copied().unwrap_or_default()
    }
    fn is_urgent(&self, handle: u32) -> bool {
        self.urgent.contains(&handle)
    }
    fn ack(&self, handle: u32) -> Option<Ack> {
        self.acks.get(&handle).copied()
    }
    fn mark(&mut self, handle: u32) {
        assert!(self.ecn(handle).is_capable(), "a packet that is not ECN-capable was marked");
        self.ecn.insert(handle, Ecn::Ce);
        self.marked.push(handle);
    }
    fn bleach(&mut self, handle: u32) {
        assert!(self.ecn(handle).is_capable(), "a packet was bleached that had nothing to clear");
        self.ecn.insert(handle, Ecn::NotEct);
        self.bleached.push(handle);
    }
    fn warn(&mut self, handle: u32) {
        self.warned.push(handle);
    }
    fn waits(&mut self, handle: u32, wait: Span) {
        let sum = self.waits.entry(handle).or_default();
        *sum = *sum + wait;
    }
    fn spared(&mut self, handle: u32, wait: Span) {
        let sum = self.waits.entry(handle).or_default();
        assert!(*sum >= wait, "more wait is spared than was reported");
        *sum = sum.saturating_sub(wait);
    }
    fn entered(&mut self, parcel: Parcel) {
        self.begins.remove(&parcel.handle);
        self.entered.push(parcel.handle);
    }
    fn begins(&mut self, handle: u32, at: Time) {
        self.begins.insert(handle, at);
    }
    fn dropped(&mut self, parcel: Parcel, why: Lost) {
        self.dropped.push((parcel.handle, why));
    }
}

/// The context of a queue that is tested without a link.
#[derive(Debug)]
pub(crate) struct Table {
    pub log: Log,
    pub state: DisciplineState,
    pub rate: Option<Rate>,
}

impl Table {
    pub(crate) fn new() -> Self {
        let random = Xoshiro256PlusPlus::seed_from_u64(1);
        let state = DisciplineState { random, dropped: Vec::new(), marked: 0, refused: 0, thinned: 0 };
        Self { log: Log::default(), state, rate: None }
    }

    /// The name of a packet's codepoint, as the rows of `vectors/queues` write it.
    fn word(&self, handle: u32) -> &'static str {
        let ecn = self.log.ecn.get(&handle).copied().unwrap_or_default();
        WORDS.iter().find(|(_, it)| *it == ecn).map_or("", |(word, _)| word)
    }

    pub(crate) fn context(&mut self, now: Time) -> QueueContext<'_> {
        QueueContext { now, rate: self.rate, packets: &mut self.log, state: &mut self.state }
    }
}

/// Makes the calls in the rows of `vectors/queues` at 12 Mbit/s, and compares the results with the rows. The expected
/// results are computed from the pseudo-code of the papers and RFCs (`tests/oracles/queues_by_the_book.py`).
pub(crate) fn replay(queue: &mut dyn ActiveQueue, rows: &str) {
    replay_within(queue, usize::MAX, rows);
}

/// Like [`replay`], for a queue with a limit of `limit` packets. Packets of sender 0 are urgent.
pub(crate) fn replay_within(queue: &mut dyn ActiveQueue, limit: usize, rows: &str) {
    let mut table = Table::new();
    table.rate = Some(Rate::from_bits_per_s(12_000_000));
    let mut calls = 0;
    for row in rows.lines().skip(1) {
        let [at, call, packet, size, sender, ecn, answer] = row.split(',').collect::<Vec<_>>()[..] else {
            panic!("a row of seven columns: {row}");
        };
        let number = |text: &str| text.parse::<u64>().unwrap_or_else(|_| panic!("{row}"));
        let now = Time::from_nanos(number(at));
        let got = if call == "enque" {
            let (handle, size) = (number(packet) as u32, number(size) as u16);
            table
                .log
                .ecn
                .insert(handle, WORDS.iter().find(|(word, _)| *word == ecn).map_or(Ecn::NotEct, |it| it.1));
            let (parcel, sender) = (Parcel { handle, size, site: 0 }, number(sender));
            let urgent = sender == 0;
            if urgent {
                table.log.urgent.insert(handle);
            }
            let mut told = Vec::new();
            while queue.amount().packets >= limit
                && let Some(out) = queue.make_room(Coming { sender, size, urgent, ack: None })
            {
                told.push(format!("drop {}", out.handle));
            }
            let taken =
                queue.amount().packets < limit && queue.push(parcel, sender, &mut table.context(now)).is_ok();
            told.push(if taken { table.word(handle) } else { "refused" }.to_owned());
            told.join(" ")
        } else {
            let entry = queue.pop(&mut table.context(now));
            let mut told: Vec<String> = std::mem::take(&mut table.state.dropped)
                .iter()
                .map(|(parcel, _)| format!("drop {}", parcel.handle))
                .collect();
            told.push(entry.map_or_else(
                || "nothing".to_owned(),
                |(_, parcel)| format!("{} {}", parcel.handle, table.word(parcel.handle)),
            ));
            told.join(" ")
        };
        assert_eq!(got, answer, "{row}");
        calls += 1;
    }
    assert!(calls > 1000, "{calls} calls only");
}

/// Names of the codepoints in the rows.
const WORDS: [(&str, Ecn); 4] =
    [("not-ect", Ecn::NotEct), ("ect0", Ecn::Ect0), ("ect1", Ecn::Ect1), ("ce", Ecn::Ce)];

/// A link, its reports, and the numbers of packets that were offered to it and handed back by it.
#[derive(Debug)]
pub(crate) struct Rig {
    pub link: Link,
    pub log: Log,
    /// Arrivals that were not yet returned, with their times.
    arrivals: Vec<(Time, Arrival)>,
    offered: u64,
    arrived: u64,
    handed_back: u64,
}

impl Rig {
    pub(crate) fn new(config: &Config, seed: u64) -> Self {
        Self::of(Link::new(config, seed))
    }

    pub(crate) fn of(link: Link) -> Self {
        Self { link, log: Log::default(), arrivals: Vec::new(), offered: 0, arrived: 0, handed_back: 0 }
    }

    /// Handles all events before `now`, and offers a packet. Returns the wait of the packet, if it is already known, or
    /// `None` if the packet is dropped.
    pub(crate) fn offer(&mut self, now: Time, parcel: Parcel) -> Option<Span> {
        self.catch_up(now);
        let (entered, next) = (self.log.entered.len(), self.link.next_event());
        self.log.waits.insert(parcel.handle, Span::ZERO);
        self.offered += 1;
        let told = self.link.offer(now, parcel, &mut self.log);
        let taken = self.log.entered.len() > entered;
        // The result of `offer` must be sufficient to know the next event. If an event was already due, it may have no
        // effect.
        if taken {
            assert!(told.or(next) == self.link.next_event());
        }
        self.check();
        taken.then(|| self.log.waits[&parcel.handle])
    }

    /// Like [`Self::offer`], for a packet of this sender.
    pub(crate) fn offer_from(&mut self, now: Time, parcel: Parcel, sender: u64) -> Option<Span> {
        self.log.senders.insert(parcel.handle, sender);
        self.offer(now, parcel)
    }

    /// Handles all events before `now`.
    fn catch_up(&mut self, now: Time) {
        while self.link.next_event().is_some_and(|due| due < now) {
            self.advance();
        }
    }

    pub(crate) fn set_rate(&mut self, now: Time, rate: Option<Rate>) {
        self.catch_up(now);
        let next = self.link.set_rate(now, rate, &mut self.log);
        assert_eq!(next, self.link.next_event());
        self.check();
    }

    pub(crate) fn set_course(&mut self, now: Time, course: &Course) {
        self.catch_up(now);
        self.link.set_course(now, course);
        self.check();
    }

    pub(crate) fn set_delay(&mut self, now: Time, delay: Delay) {
        self.catch_up(now);
        let next = self.link.set_delay(now, delay, &mut self.log);
        assert_eq!(next, self.link.next_event());
        self.check();
    }

    /// Handles the next event.
    fn advance(&mut self) {
        let Some(now) = self.link.next_event() else { return };
        let advance = self.link.advance(now, &mut self.log);
        assert_eq!(advance.next, self.link.next_event());
        if let Some(arrival) = advance.arrived {
            self.arrivals.push((now, arrival));
            match arrival.lost {
                None => self.arrived += 1,
                Some(why) => self.log.dropped.push((arrival.parcel.handle, why)),
            }
        }
        self.check();
    }

    /// Handles all events up to `until`. Returns the arrivals since the last call, with their times.
    pub(crate) fn run(&mut self, until: Time) -> Vec<(Time, Arrival)> {
        while self.link.next_event().is_some_and(|due| due <= until) {
            self.advance();
        }
        std::mem::take(&mut self.arrivals)
    }

    /// Like [`Self::run`], until no event is left.
    pub(crate) fn finish(&mut self) -> Vec<(Time, Arrival)> {
        self.run(Time::MAX)
    }

    /// Like [`Self::run`], but returns handles and times in milliseconds.
    pub(crate) fn order(&mut self, until: Time) -> Vec<(u32, f64)> {
        let arrivals = self.run(until).into_iter();
        arrivals.map(|(at, arrival)| (arrival.parcel.handle, at.nanos() as f64 / 1e6)).collect()
    }

    pub(crate) fn recall(&mut self, now: Time, lose: bool) -> Vec<Parcel> {
        self.catch_up(now);
        let back = self.link.recall(now, lose, &mut self.log);
        self.handed_back += back.len() as u64;
        self.check();
        back
    }

    /// Handles of the packets that were dropped so far.
    pub(crate) fn dropped(&self) -> Vec<u32> {
        self.log.dropped.iter().map(|&(handle, _)| handle).collect()
    }

    /// Asserts that offered = arrived + handed back + dropped + stored. The numbers come from the reports and from the
    /// counters of the link.
    fn check(&self) {
        let stored = self.link.in_flight() as u64;
        assert_eq!(self.offered, self.arrived + self.handed_back + self.log.dropped.len() as u64 + stored);
        let counters = self.link.counters();
        assert_eq!(counters.delivered, self.arrived);
        let dropped = counters.dropped_queue
            + counters.too_large
            + counters.policed
            + counters.dropped_error
            + counters.dropped_outage;
        assert_eq!(dropped, self.log.dropped.len() as u64);
    }
}
