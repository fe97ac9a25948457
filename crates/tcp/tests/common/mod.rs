// SPDX-License-Identifier: MIT OR Apache-2.0
//! A small deterministic path between a sender and a receiver, for the tests of this crate.

#![allow(dead_code, reason = "each test file uses its part")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use bentpipe_tcp::{Config, Event, Flags, Receiver, Segment, Sender, Transfer};
use control::{
    Ack, Control, Controller, Loss, LossVerdict, NewMss, Signals, Snapshot, Spurious, Start, Timeout, Unused,
};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use units::{Bytes, Span, Time};

pub const MSS: u32 = 1000;

pub const fn ms(ms: u64) -> Time {
    Time::from_nanos(ms * 1_000_000)
}

/// The events that a controller received, in the form that the tests need.
#[derive(Debug, Default)]
pub struct Recorded {
    pub losses: Vec<(Time, u64, bool, u32)>,
    pub exits: Vec<Time>,
    pub timeouts: Vec<(Time, u32)>,
    pub spurious: Vec<u32>,
    pub limited: Vec<control::Limit>,
    /// (now, window, lower bound of the threshold, upper bound of the threshold), in segments
    pub unused: Vec<(Time, u64, Option<u64>, Option<u64>)>,
    /// (now, rtt, cwnd_limited, in_recovery, in_flight in segments, duplicate)
    pub acks: Vec<(Time, Option<Span>, bool, bool, u64, bool)>,
    pub rates: Vec<control::RateSample>,
    pub rounds: u64,
}

/// A controller with a constant window, which it halves at each episode. A timeout sets the window to one segment. Each
/// acknowledgement then increases the window by one segment, up to the threshold. An undo restores the window.
#[derive(Clone, saved::Saved)]
pub struct Halving {
    #[saved(fixed)]
    pub told: Arc<Mutex<Recorded>>,
    pub verdict: LossVerdict,
    pub uses: Signals,
    window: u64,
    threshold: u64,
    saved: u64,
    pacing: Option<units::Rate>,
}

impl Halving {
    pub fn new(window: u64) -> (Self, Arc<Mutex<Recorded>>) {
        let told = Arc::<Mutex<Recorded>>::default();
        let verdict = LossVerdict::Congestion;
        let uses = Signals::RATE_SAMPLE;
        let me = Self {
            told: told.clone(),
            verdict,
            uses,
            window,
            threshold: window,
            saved: window,
            pacing: None,
        };
        (me, told)
    }
    pub fn paced(mut self, rate: units::Rate) -> Self {
        self.pacing = Some(rate);
        self
    }
    fn write(&self, control: &mut Control) {
        control.cwnd = Bytes::new(self.window * u64::from(MSS));
        control.ssthresh = Some(Bytes::new(self.threshold * u64::from(MSS)));
        control.pacing = self.pacing;
    }
}

impl Controller for Halving {
    fn uses(&self) -> Signals {
        self.uses
    }
    fn on_start(&mut self, _: &Start, control: &mut Control) {
        self.write(control);
    }
    fn on_ack(&mut self, ack: &Ack<'_>, control: &mut Control) {
        if !ack.in_recovery && ack.acked > Bytes::ZERO {
            self.window = (self.window + 1).min(self.threshold);
        }
        self.write(control);
        let mut told = self.told.lock().unwrap();
        let in_flight = ack.in_flight.get() / u64::from(MSS);
        told.acks.push((
            ack.now,
            ack.rtt,
            ack.cwnd_limited,
            ack.in_recovery,
            in_flight,
            ack.duplicate == Some(true),
        ));
        told.rates.extend(ack.rate);
        told.rounds = ack.round;
    }
    fn on_loss(&mut self, loss: &Loss<'_>, control: &mut Control) -> LossVerdict {
        assert!(!loss.packets.is_empty());
        let segments = loss.lost.get() / u64::from(MSS);
        self.told.lock().unwrap().losses.push((loss.now, segments, loss.new_episode, loss.episode));
        if loss.new_episode && self.verdict == LossVerdict::Congestion {
            self.saved = self.window;
            self.window = (self.window / 2).max(2);
            self.threshold = self.window;
        }
        self.write(control);
        self.verdict
    }
    fn on_recovery_exit(&mut self, now: Time, _: &mut Control) {
        self.told.lock().unwrap().exits.push(now);
    }
    fn on_mss(&mut self, _: &NewMss, _: &mut Control) {}
    fn on_persistent_congestion(&mut self, _: Time, _: &mut Control) {
        unreachable!("TCP does not report this event");
    }
    fn on_timeout(&mut self, timeout: &Timeout, control: &mut Control) {
        self.told.lock().unwrap().timeouts.push((timeout.now, timeout.consecutive));
        if timeout.consecutive == 1 {
            self.saved = self.window;
            self.threshold = (self.window / 2).max(2);
        }
        self.window = 1;
        self.write(control);
    }
    fn on_spurious(&mut self, spurious: &Spurious, control: &mut Control) {
        self.told.lock().unwrap().spurious.push(spurious.episode);
        (self.window, self.threshold) = (self.saved, self.saved);
        self.write(control);
    }
    fn on_unused(&mut self, unused: &Unused, control: &mut Control) {
        let segments = |bytes: Bytes| bytes.get() / u64::from(MSS);
        let (cwnd, least, most) =
            (segments(unused.cwnd), unused.ssthresh.map(segments), unused.most.map(segments));
        self.told.lock().unwrap().unused.push((unused.now, cwnd, least, most));
        self.window = self.window.min(cwnd);
        self.threshold = self.threshold.max(least.unwrap_or(0)).min(most.unwrap_or(u64::MAX));
        self.write(control);
    }
    fn on_limited(&mut self, limited: &control::Limited, _: &mut Control) {
        self.told.lock().unwrap().limited.push(limited.by);
    }
    fn snapshot(&self, out: &mut Snapshot) {
        out.push(("window_segments", self.window as f64));
    }
}

/// The treatment of one transmission by the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    Drop,
    /// The packet arrives with a mark, if it is ECN-capable.
    Mark,
    /// The packet arrives later by this time.
    Late(Span),
    /// The packet arrives twice. The second copy arrives later by this time.
    Twice(Span),
}

/// A sender, a receiver, and a path with a constant delay and without a queue. Tests set the fate of single
/// transmissions by their number. The first transmission has number 0.
pub struct World {
    pub now: Time,
    pub sender: Sender,
    pub receiver: Receiver,
    pub one_way: Span,
    pub fates: BTreeMap<u64, Fate>,
    pub ack_fates: BTreeMap<u64, Fate>,
    pub told: Arc<Mutex<Recorded>>,
    /// (time, segment) in the order of sending.
    pub sent: Vec<(Time, u32)>,
    pub acks: Vec<Segment>,
    pub events: Vec<(Time, Event)>,
    wire: BTreeMap<(Time, u64), Segment>,
    packets: u64,
}

impl World {
    pub fn new(config: &Config, window: u64, transfer: Transfer, rtt_ms: u64) -> Self {
        let (controller, told) = Halving::new(window);
        Self::with(config, controller, told, transfer, rtt_ms, 0)
    }

    pub fn with(
        config: &Config,
        controller: Halving,
        told: Arc<Mutex<Recorded>>,
        transfer: Transfer,
        rtt_ms: u64,
        first: u64,
    ) -> Self {
        let mut sender = Sender::starting_at(first, config.clone(), Box::new(controller), transfer, None);
        sender.record_events(true);
        Self {
            now: Time::ZERO,
            sender,
            receiver: Receiver::starting_at(first, config),
            one_way: Span::from_nanos(rtt_ms * 500_000),
            fates: BTreeMap::new(),
            ack_fates: BTreeMap::new(),
            told,
            sent: Vec::new(),
            acks: Vec::new(),
            events: Vec::new(),
            wire: BTreeMap::new(),
            packets: 0,
        }
    }

    pub fn drop(mut self, transmissions: &[u64]) -> Self {
        self.fates.extend(transmissions.iter().map(|&tx| (tx, Fate::Drop)));
        self
    }

    fn carry(&mut self, mut segment: Segment, fate: Option<Fate>) {
        let marked = fate == Some(Fate::Mark) && segment.flags.is_markable();
        segment.flags |= Flags::when(marked, Flags::CE);
        let mut deliver = |extra: Span| {
            self.packets += 1;
            self.wire.insert((self.now + self.one_way + extra, self.packets), segment);
        };
        match fate {
            Some(Fate::Drop) => {}
            Some(Fate::Late(extra)) => deliver(extra),
            Some(Fate::Twice(extra)) => {
                deliver(Span::ZERO);
                deliver(extra);
            }
            Some(Fate::Mark) | None => deliver(Span::ZERO),
        }
    }

    fn pump(&mut self) {
        let now = self.now;
        self.events.extend(self.sender.events().map(|event| (now, event)));
        while let Some(segment) = self.sender.poll_transmit(now) {
            let fate = self.fates.get(&(self.sent.len() as u64)).copied();
            self.sent.push((now, segment.seq));
            self.carry(segment, fate);
        }
        self.events.extend(self.sender.events().map(|event| (now, event)));
        while let Some(ack) = self.receiver.poll_transmit(now) {
            let fate = self.ack_fates.get(&(self.acks.len() as u64)).copied();
            self.acks.push(ack);
            self.carry(ack, fate);
        }
    }

    pub fn start(&mut self) {
        self.sender.start(self.now);
        self.pump();
    }

    /// The application writes at `at`, after all events before `at`.
    pub fn write(&mut self, at: Time, bytes: u64) {
        while self.step(at) {}
        self.now = at;
        self.sender.write(bytes);
        self.pump();
    }

    /// Handles the next event. Returns false if there is no event up to `until`.
    pub fn step(&mut self, until: Time) -> bool {
        let arrival = self.wire.keys().next().map_or(Time::MAX, |key| key.0);
        let next = arrival.min(self.sender.next_timeout()).min(self.receiver.next_timeout());
        if next > until || next == Time::MAX {
            return false;
        }
        assert!(next >= self.now, "time runs backwards");
        self.now = next;
        if arrival == next {
            let (_, segment) = self.wire.pop_first().unwrap();
            match segment.kind {
                bentpipe_tcp::SegmentKind::Ack => self.sender.handle(next, &segment),
                _ => self.receiver.handle(next, &segment),
            }
        } else {
            if self.sender.next_timeout() <= next {
                self.sender.handle_timeout(next);
            }
            self.receiver.handle_timeout(next);
        }
        self.pump();
        true
    }

    pub fn run(&mut self, until: Time) {
        while self.step(until) {}
    }

    /// Starts the transfer, and runs until it is complete. Returns the time of completion.
    pub fn complete(&mut self) -> Time {
        self.start();
        self.run(Time::from_nanos(1_000_000_000_000));
        self.sender.completed_at().expect("the transfer completes")
    }

    /// Returns the times at which `seq` was sent.
    pub fn sendings(&self, seq: u32) -> Vec<Time> {
        self.sent.iter().filter(|sent| sent.1 == seq).map(|sent| sent.0).collect()
    }

    pub fn told(&self) -> std::sync::MutexGuard<'_, Recorded> {
        self.told.lock().unwrap()
    }
}

pub fn config(recovery: bentpipe_tcp::Recovery) -> Config {
    Config { mss: MSS, recovery, ..Config::default() }
}

pub fn segments(n: u64) -> Transfer {
    Transfer::Finite(Bytes::new(n * u64::from(MSS)))
}
