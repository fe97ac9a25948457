// SPDX-License-Identifier: MIT OR Apache-2.0
//! The course of a link: its changes over time, except changes of its path. These are changes of the rate, of the extra
//! delay and of the loss, and the grants of a shared medium.
//!
//! A course is the change of a link's settings over time. Its effects on a packet are decided together with the
//! packet's passage (start of transmission, departure, arrival). They apply to the time at which the packet leaves the
//! transmitter. A link without a course needs one additional branch per packet. In measurements, this branch cost 2 to
//! 5 % of the time of a packet-hop.
//!
//! Cursors look up the grants, delays and losses at the time of leaving. A cursor only moves forward. A link with a
//! course draws the losses of a packet when the passage is decided.

use crate::arq::Repeater;
use crate::chain::{Law, Walk};
use crate::chance::is_open;
use crate::service::{Cursor as ServiceCursor, Service};
use crate::{Config, Free, Impairment, Ramps, Seeds, jitter};
use random::{Draw as _, SeedableRng as _, Xoshiro256PlusPlus};
use std::sync::Arc;
use units::{Rate, Span, Time};

/// The changes of a link over time, except changes of its path.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Course {
    /// Rate over time. With `None`, the rate of the link applies at all times.
    pub service: Option<Service>,
    /// Grants, and the seed of the random stream that chooses between their intervals.
    pub grants: Option<(Grants, u64)>,
    /// Additional delay. Each entry applies from its time on. The entries are sorted by time, and the additional delay
    /// before the first entry is zero.
    pub extra_delay: Arc<[(Time, Span)]>,
    /// Probability of additional loss. Each entry applies from its time on. The entries are sorted by time, and the
    /// probability before the first entry is zero.
    pub loss: Arc<[(Time, f64)]>,
    /// Additional loss and delay that change linearly.
    pub ramps: Ramps,
    /// Outages. Each entry states whether the link carries nothing from its time on. The entries are sorted by time,
    /// and the link carries packets before the first entry. Packets that leave during an outage are lost.
    pub cut: Arc<[(Time, bool)]>,
}

impl Course {
    /// The additional delay at a time.
    pub fn delay_at(&self, at: Time) -> Span {
        let begun = self.extra_delay.partition_point(|&(from, _)| from <= at);
        let steps = begun.checked_sub(1).map_or(Span::ZERO, |index| self.extra_delay[index].1);
        steps + self.ramps.delay(at)
    }
}

/// Grants of a shared medium. A packet that is ready to leave waits until the next grant.
#[derive(Clone, Copy, Debug, PartialEq, saved::Plain)]
pub struct Grants {
    /// Usual interval from one grant to the next.
    pub apart: Span,
    /// Another interval that is drawn instead of `apart`: its probability and its length.
    pub or: (f64, Span),
}

impl Grants {
    /// Whether intervals are drawn at random.
    pub fn draws(self) -> bool {
        let Self { apart, or: (odds, other) } = self;
        is_open(odds) && other != apart
    }
}

/// A value that changes in steps, and the position in the list of steps.
#[derive(Clone, Debug, saved::Saved)]
struct Steps<T> {
    #[saved(fixed)]
    steps: Arc<[(Time, T)]>,
    /// Number of steps that have begun so far.
    begun: usize,
}

impl<T: Copy> Steps<T> {
    const fn new(steps: Arc<[(Time, T)]>) -> Self {
        Self { steps, begun: 0 }
    }

    fn at(&mut self, at: Time) -> Option<T> {
        while self.steps.get(self.begun).is_some_and(|&(from, _)| from <= at) {
            self.begun += 1;
        }
        // After the queue of a link was recalled, the time of the next query can be earlier than the time of the last
        // query.
        while self.begun > 0 && self.steps[self.begun - 1].0 > at {
            self.begun -= 1;
        }
        Some(self.steps[self.begun.checked_sub(1)?].1)
    }
}

#[derive(Clone, Debug, saved::Plain)]
struct GrantCursor {
    /// The grants, and the seed of the random stream.
    grants: (Grants, u64),
    random: Xoshiro256PlusPlus,
    next: Time,
}

impl GrantCursor {
    fn new(grants: Grants, seed: u64) -> Self {
        Self { grants: (grants, seed), random: Xoshiro256PlusPlus::seed_from_u64(seed), next: Time::ZERO }
    }

    /// Returns the time of the first grant at `sent` or later.
    fn after(&mut self, sent: Time) -> Time {
        let Grants { apart, or: (odds, other) } = self.grants.0;
        while self.next < sent {
            self.next += if chance(&mut self.random, odds) { other } else { apart };
        }
        self.next
    }
}

/// Returns true with this probability.
fn chance(random: &mut Xoshiro256PlusPlus, probability: f64) -> bool {
    random.word() < (probability * 2f64.powi(64)) as u64
}

/// How a packet leaves a link that has a course.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leaving {
    /// Time at which the packet leaves the transmitter. If the packet waits for a grant, this time is later than the
    /// end of its transmission.
    pub(crate) at: Time,
    /// Delay that is added to the delay of the path.
    pub(crate) extra: Span,
    /// Whether the link carries nothing when the packet leaves.
    pub(crate) cut: bool,
}

/// A course at run time.
#[derive(Clone, Debug, saved::Saved)]
pub(crate) struct Cursor {
    #[saved(each)]
    service: Option<ServiceCursor>,
    /// Sum of the pauses in the transmissions of packets. Pauses that are already decided but still in the future are
    /// included.
    paused: Span,
    grants: Option<GrantCursor>,
    extra_delay: Steps<Span>,
    loss: Steps<f64>,
    #[saved(fixed)]
    ramps: Option<Box<Ramps>>,
    cut: Steps<bool>,
    #[saved(each)]
    chain: Option<Walk>,
    jitter: Option<jitter::Stream>,
    random: Xoshiro256PlusPlus,
    #[saved(each)]
    arq: Option<Box<Repeater>>,
}

/// The outcome of a frame. If the frame is retransmitted, the outcome is that of its last transmission.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Fate {
    /// Whether the frame arrives with errors.
    pub(crate) broken: bool,
    /// Whether the link carries nothing when the frame leaves.
    pub(crate) cut: bool,
    /// Number of retransmissions.
    pub(crate) repeats: u16,
    /// Time from the first to the last transmission.
    pub(crate) later: Span,
}

/// Returns the ramps, or `None` if there are no ramps.
fn moving(ramps: Ramps) -> Option<Box<Ramps>> {
    (!ramps.is_empty()).then(|| Box::new(ramps))
}

/// Separates the random stream of the chain from that of single packets. The traffic therefore does not change the
/// chain.
const CHAIN_STREAM: u64 = 0x6275_7273_7473;

impl Cursor {
    /// Creates the run-time state. Returns `None` if nothing changes with time.
    pub(crate) fn new(config: &Config, seeds: Seeds) -> Option<Self> {
        let law = match &config.spec.loss {
            Impairment::Bursts(bursts) => Some(Law::from(*bursts)),
            Impairment::Chain(chain) => Some(chain.law().clone()),
            _ => None,
        };
        let chain_seed = match &law {
            Some(law) if law.both_ways => seeds.both_ways,
            _ => seeds.own,
        };
        let by_time = law.as_ref().filter(|law| law.goes_by_time());
        let by_time = by_time.map(|law| (law, chain_seed ^ CHAIN_STREAM));
        let arq = config.spec.arq.map(|arq| Box::new(Repeater::new(arq, by_time, seeds.own)));
        let chain = law.map(|law| Walk::new(law, chain_seed ^ CHAIN_STREAM));
        let jitter = config.spec.jitter.map(|jitter| jitter::Stream::new(jitter, seeds.own));
        if config.course.is_none() && chain.is_none() && arq.is_none() && jitter.is_none() {
            return None;
        }
        let course = config.course.as_deref().cloned().unwrap_or_default();
        Some(Self {
            service: course.service.map(ServiceCursor::new),
            paused: Span::ZERO,
            grants: course.grants.map(|(grants, seed)| GrantCursor::new(grants, seed)),
            extra_delay: Steps::new(course.extra_delay),
            loss: Steps::new(course.loss),
            ramps: moving(course.ramps),
            cut: Steps::new(course.cut),
            chain,
            jitter,
            random: Xoshiro256PlusPlus::seed_from_u64(seeds.own),
            arq,
        })
    }

    /// Whether the course replaces the rate of the link.
    pub(crate) const fn has_service(&self) -> bool {
        self.service.is_some()
    }

    /// The rate at a time, or `None` if the course does not replace the rate of the link.
    pub(crate) fn rate_at(&self, at: Time) -> Option<Rate> {
        self.service.as_ref()?.rate_at(at)
    }

    /// Continues from the state in which the previous link left the transmitter.
    pub(crate) fn resume(&mut self, free: Free) {
        if let Some(service) = &mut self.service {
            service.resume(free);
        }
    }

    /// Bytes that may still be sent at the time of the last departure, or `None` if the course has no recorded
    /// deliveries.
    pub(crate) fn left(&self) -> Option<u64> {
        self.service.as_ref()?.left_of_moment()
    }

    /// Returns the end of the pause in which the rate is at `at`. Returns `None` if there is no pause at `at`.
    pub(crate) fn stands_still(&self, at: Time) -> Option<Time> {
        self.service.as_ref()?.stands_still(at)
    }

    /// Start and end of the first pause between two times.
    pub(crate) fn stop(&self, from: Time, to: Time) -> Option<(Time, Time)> {
        self.service.as_ref()?.stop(from, to)
    }

    /// Time at which `size` bytes have been sent if their transmission begins at `start`. `transmit` is the
    /// transmission time at the link's own rate. `idle` is true if the transmitter was free directly before `start`.
    pub(crate) fn sent(&mut self, start: Time, idle: bool, size: u16, transmit: Span) -> Time {
        match &mut self.service {
            Some(service) => service.departure(start, idle, size, &mut self.paused),
            None => start + transmit,
        }
    }

    /// Decides how a packet leaves. The transmission of the packet ends at `sent`.
    pub(crate) fn leave(&mut self, sent: Time) -> Leaving {
        let at = self.grants.as_mut().map_or(sent, |grants| grants.after(sent));
        let cut = self.cut.at(at).unwrap_or(false);
        let jitter = self.jitter.as_mut().map_or(Span::ZERO, jitter::Stream::draw);
        let ramps = self.ramps.as_ref().map_or(Span::ZERO, |ramps| ramps.delay(at));
        Leaving { at, extra: self.extra_delay.at(at).unwrap_or(Span::ZERO) + ramps + jitter, cut }
    }

    /// Draws whether a packet that leaves at `leaves` has errors. `own_loss` is the probability that does not change
    /// with time. The draw must also be made for packets that are lost in an outage. Otherwise outages would shift the
    /// random stream.
    pub(crate) fn breaks(&mut self, leaves: Time, own_loss: f64) -> bool {
        let chain = self.chain.as_mut().map_or(0.0, |chain| chain.loss(leaves));
        let loss = self.in_all(leaves, own_loss, chain);
        chance(&mut self.random, loss)
    }

    /// The probability that at least one of several independent causes loses a packet. The causes are the link's own
    /// loss, the chain, the additional loss and the ramps.
    fn in_all(&mut self, leaves: Time, own_loss: f64, chain: f64) -> f64 {
        let window = self.loss.at(leaves).unwrap_or(0.0);
        let passes = (1.0 - own_loss) * (1.0 - window) * (1.0 - chain);
        match &self.ramps {
            Some(ramps) => 1.0 - passes * (1.0 - ramps.loss(leaves)),
            None => 1.0 - passes,
        }
    }

    /// Decides the outcome of a frame with its retransmissions. `first` describes how the first transmission leaves.
    /// `broken` is true if the first transmission has errors. `round_trip` is the round-trip time of the link.
    pub(crate) fn repeat(&mut self, first: Leaving, broken: bool, own_loss: f64, round_trip: Span) -> Fate {
        let mut fate = Fate { broken, cut: first.cut, ..Fate::default() };
        let Some(mut repeater) = self.arq.take() else { return fate };
        while (fate.broken || fate.cut) && fate.repeats < repeater.most() {
            fate.repeats += 1;
            let leaves = repeater.leaves(first.at, fate.repeats, round_trip);
            let chain = repeater.chain(fate.repeats, leaves);
            let chain = chain.or_else(|| self.chain.as_mut().map(|chain| chain.loss(leaves)));
            let loss = self.in_all(leaves, own_loss, chain.unwrap_or(0.0));
            fate.broken = chance(repeater.random(), loss);
            fate.cut = self.cut.at(leaves).unwrap_or(false);
            fate.later = leaves.since(first.at);
        }
        self.arq = Some(repeater);
        fate
    }

    /// Time from the first to the last transmission of a frame that has `repeats` retransmissions.
    pub(crate) fn later(&self, repeats: u16, round_trip: Span) -> Span {
        let last = |repeater: &Repeater| repeater.leaves(Time::ZERO, repeats, round_trip).since(Time::ZERO);
        self.arq.as_deref().map_or(Span::ZERO, last)
    }

    /// Replaces the course. The random streams and the remainder of a schedule continue.
    pub(crate) fn turn_to(&mut self, course: Course) {
        self.service = match (self.service.take(), course.service) {
            (Some(old), Some(new)) => Some(old.turned_to(new)),
            (_, new) => new.map(ServiceCursor::new),
        };
        if self.grants.as_ref().map(|it| it.grants) != course.grants {
            self.grants = course.grants.map(|(grants, seed)| GrantCursor::new(grants, seed));
        }
        self.extra_delay = Steps::new(course.extra_delay);
        self.loss = Steps::new(course.loss);
        self.ramps = moving(course.ramps);
        self.cut = Steps::new(course.cut);
    }

    /// Sum of the pauses in transmissions until `now`. `free` is the time until which the transmitter is busy.
    pub(crate) fn paused(&self, now: Time, free: Time) -> Span {
        let ahead = self.service.as_ref().map_or(Span::ZERO, |service| service.paused(now, free));
        self.paused.saturating_sub(ahead)
    }

    /// Reverts passages that would have begun at `at` or later. `free` is the time at which the last of these
    /// transmissions would have ended.
    pub(crate) fn rewind(&mut self, at: Time, free: Time) {
        self.paused = self.paused(at, free);
        if let Some(service) = &mut self.service {
            service.rewind(at);
        }
        self.rewind_grants();
    }

    /// Prepares the state for deciding the last `packets` packets again, from an earlier time on.
    pub(crate) fn leave_again(&mut self, packets: u64) {
        self.rewind_grants();
        if let Some(jitter) = &mut self.jitter {
            jitter.go_back(packets);
        }
    }

    fn rewind_grants(&mut self) {
        self.grants = self.grants.take().map(|it| GrantCursor::new(it.grants.0, it.grants.1));
    }
}

#[cfg(test)]
mod tests;
