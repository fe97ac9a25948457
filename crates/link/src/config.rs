// SPDX-License-Identifier: MIT OR Apache-2.0
//! The settings of one direction of a link.

use crate::chain::Law;
use crate::chance::is_open;
use crate::sight::BySight;
use crate::{
    Acks, Arq, Course, Dama, Delay, Discipline, Grants, Jitter, LossChain, LossList, Policer, Ramps,
    Recorded, Service,
};
use std::sync::Arc;
use units::{Bytes, Rate, Span, Time};

/// Largest amount that may wait in a queue. The packet in transmission does not count (as in ns-2, ns-3 and Linux).
#[derive(Clone, Copy, Debug, PartialEq, saved::Plain)]
pub enum QueueLimit {
    /// Packets.
    Packets(u64),
    /// Bytes on the wire.
    Bytes(Bytes),
    /// The bytes that the link sends in this time.
    Time(Span),
    /// Bandwidth-delay products. Before a run they are converted to bytes with the round trip of the path.
    Bdp(f64),
    /// No limit.
    Unlimited,
}

/// A queue in front of a transmitter: its limit and its discipline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Queue {
    /// Largest amount that may wait.
    pub limit: QueueLimit,
    /// Which packet goes next, and which packets are dropped or marked.
    pub discipline: Discipline,
}

/// Random losses of packets.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Impairment {
    /// No losses.
    #[default]
    None,
    /// Each packet is lost with this probability.
    PacketErrorRate(f64),
    /// Each bit is wrong with this probability. A packet with a wrong bit is lost, with probability 1-(1-BER)^bits.
    BitErrorRate(f64),
    /// Losses come in bursts.
    Bursts(Bursts),
    /// A chain of states with their own losses.
    Chain(Arc<LossChain>),
}

/// Losses in bursts (Gilbert 1960, Elliott 1963): a chain of two states, good and bad, with one step in every `bin`.
/// The steps depend only on the link's random stream and on time, not on the traffic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bursts {
    /// Time between two steps of the chain.
    pub bin: Span,
    /// Probability of a step from good to bad.
    pub to_bad: f64,
    /// Probability of a step from bad to good.
    pub to_good: f64,
    /// Loss probability in the bad state; zero in the good state.
    pub loss: f64,
}

/// TCP-Jersey's congestion warning: data packets are marked while the mean queue is above a threshold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CongestionWarning {
    /// Threshold of the mean queue, in packets. Above it, packets are marked.
    pub above: f64,
}

impl CongestionWarning {
    /// Weight of a new sample in the mean queue: RED's w_q (Floyd and Jacobson 1993), which Jersey's routers also use.
    pub const WEIGHT: f64 = 0.002;
}

/// Changes over time of a link, independent of its path.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes {
    /// Rate over time, which replaces the link's rate.
    pub rate: Option<Service>,
    /// Probability of additional loss from each of these times on, sorted; zero before the first.
    pub loss: Arc<[(Time, f64)]>,
    /// Additional delay from each of these times on, sorted; zero before the first.
    pub extra_delay: Arc<[(Time, Span)]>,
    /// Additional loss and delay that change linearly. They replace `loss` and `extra_delay` if a file has ramps among
    /// its steps.
    pub ramps: Ramps,
    /// Time from which the link carries nothing.
    pub stop: Option<Time>,
    /// Files with such changes; `None` after they have been read.
    pub recorded: Option<Recorded>,
    /// Values that follow the satellite or the time of day; `None` after they have been computed.
    pub sight: Option<Arc<BySight>>,
}

impl Changes {
    /// The course of a link; `None` if nothing changes.
    pub fn course(&self) -> Option<Course> {
        let changes = *self != Self::default();
        changes.then(|| Course {
            service: self.rate.clone(),
            loss: self.loss.clone(),
            extra_delay: self.extra_delay.clone(),
            ramps: self.ramps.clone(),
            cut: self.stop.into_iter().map(|at| (at, true)).collect(),
            ..Course::default()
        })
    }
}

/// All settings of one direction of a link, except its path.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkSpec {
    /// Transmission rate; `None`: the link transmits at once (an ideal wire). If the rate changes with time, this is
    /// the highest rate.
    pub rate: Option<Rate>,
    /// Queue in front of the transmitter.
    pub queue: Queue,
    /// Random loss.
    pub loss: Impairment,
    /// Retransmission of frames that arrive with errors; `None`: no retransmission.
    pub arq: Option<Arq>,
    /// Losses before the queue, listed by packet number and by time.
    pub listed: Option<Arc<LossList>>,
    /// Largest packet that the link carries, in bytes (MTU); `None`: no limit. Larger packets are dropped before the policer.
    pub mtu: Option<u16>,
    /// Policer before the queue. Its rate is independent of [`LinkSpec::rate`], at which the link transmits.
    pub policer: Option<Policer>,
    /// Whether the ECN field of all packets is cleared before the queue.
    pub ecn_bleach: bool,
    /// Additional random delay, independent for each packet, from a separate random stream.
    pub jitter: Option<Jitter>,
    /// Whether packets may overtake each other when the delay decreases. Otherwise the order is kept.
    pub reorder: bool,
    /// Marks on data packets while the mean queue is long. Only drop-tail queues can have them.
    pub warning: Option<CongestionWarning>,
    /// Changes over time; `None`: none.
    pub changes: Option<Arc<Changes>>,
    /// Demand assignment. It needs a rate, and cannot be combined with grants or recorded deliveries.
    pub dama: Option<Dama>,
    /// Grants at fixed intervals, at which packets leave in bursts. The creator of the link adds them to the course,
    /// with a seed.
    pub grants: Option<Grants>,
    /// Thinning or compression of acknowledgements. Only drop-tail queues can have it.
    pub acks: Option<Acks>,
}

impl LinkSpec {
    /// A wire that transmits at once, with an unlimited queue and without loss.
    pub const IDEAL: Self = Self {
        rate: None,
        queue: Queue::drop_tail(QueueLimit::Unlimited),
        loss: Impairment::None,
        arq: None,
        listed: None,
        mtu: None,
        policer: None,
        ecn_bleach: false,
        jitter: None,
        reorder: false,
        warning: None,
        changes: None,
        dama: None,
        grants: None,
        acks: None,
    };

    /// Largest delay of a packet other than the wait in the queue: waits for a grant, and jitter.
    pub fn lateness(&self) -> Span {
        let assigned = self.dama.map_or(Span::ZERO, |dama| dama.superframe * (dama.delay_frames() + 2));
        let granted = self.grants.map_or(Span::ZERO, |grants| grants.apart.max(grants.or.1));
        assigned + granted + self.jitter.map_or(Span::ZERO, Jitter::high)
    }

    /// The changes over time; `None` if nothing changes.
    pub fn course(&self) -> Option<Course> {
        self.changes.as_ref()?.course()
    }
}

/// One direction of a link over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Constant settings.
    pub spec: LinkSpec,
    /// Propagation delay, evaluated when the last bit leaves.
    pub delay: Delay,
    /// Changes over time other than the delay; `None`: none.
    pub course: Option<Arc<Course>>,
}

impl Config {
    /// Largest delay of a packet that leaves at `at`, without the wait in the queue and without the delay of the path.
    pub fn lateness(&self, at: Time) -> Span {
        self.spec.lateness() + self.course.as_ref().map_or(Span::ZERO, |course| course.delay_at(at))
    }

    /// Whether [`Self::lateness`] is above zero at any time.
    pub fn makes_late(&self) -> bool {
        self.spec.lateness() > Span::ZERO || self.spec.changes.is_some() || self.course.is_some()
    }

    /// A link with this delay and the changes over time of its settings.
    pub fn new(spec: LinkSpec, delay: Delay) -> Self {
        let course = spec.course().map(Arc::new);
        Self { spec, delay, course }
    }
}

impl Impairment {
    /// Probability that a packet of `size` bytes is lost, at any time. It is 0 for bursts and chains, which [`Course`]
    /// computes.
    pub fn probability(&self, size: u16) -> f64 {
        match *self {
            Self::None | Self::Bursts(_) | Self::Chain(_) => 0.0,
            Self::PacketErrorRate(per) => per,
            // 1 - (1-BER)^(8 size), written so that a small BER keeps its digits.
            Self::BitErrorRate(ber) => -f64::exp_m1(8.0 * f64::from(size) * f64::ln_1p(-ber)),
        }
    }

    /// The fraction of packets of `size` bytes lost in the long run.
    pub fn mean(&self, size: u16) -> f64 {
        match self {
            // The stationary share of the bad state.
            Self::Bursts(bursts) if bursts.to_bad > 0.0 => {
                bursts.loss * bursts.to_bad / (bursts.to_bad + bursts.to_good)
            }
            Self::Chain(chain) => chain.mean_loss(),
            other => other.probability(size),
        }
    }

    /// What the link draws for these losses, in words. `None` if no draw changes the fate of a packet.
    pub fn draws(&self) -> Option<&'static str> {
        let (open, what) = match self {
            Self::None => (false, ""),
            Self::PacketErrorRate(per) => (is_open(*per), "packet error rate"),
            Self::BitErrorRate(ber) => (is_open(*ber), "bit error rate"),
            Self::Bursts(bursts) => (Law::from(*bursts).draws(), "bursts of losses"),
            Self::Chain(chain) => (chain.law().draws(), chain.spec().word()),
        };
        open.then_some(what)
    }

    /// Whether losses depend on earlier losses.
    pub const fn has_memory(&self) -> bool {
        matches!(self, Self::Bursts(_) | Self::Chain(_))
    }
}

impl Queue {
    /// A drop-tail queue: first in, first out, up to a limit.
    #[must_use]
    pub const fn drop_tail(limit: QueueLimit) -> Self {
        Self { limit, discipline: Discipline::DropTail }
    }

    /// What the queue draws, in words; `None` if it draws nothing.
    pub fn draws(&self) -> Option<&'static str> {
        let Self { limit: _, discipline } = self;
        discipline.draws().then(|| discipline.word())
    }

    /// Converts bandwidth-delay products to bytes, like [`QueueLimit::resolve`].
    #[must_use]
    pub fn resolve(self, rate: Option<Rate>, base_rtt: Span) -> Self {
        Self {
            limit: self.limit.resolve(rate, base_rtt),
            discipline: self.discipline.resolve(rate, base_rtt),
        }
    }
}

impl From<QueueLimit> for Queue {
    fn from(limit: QueueLimit) -> Self {
        Self::drop_tail(limit)
    }
}

impl QueueLimit {
    /// Turns a limit in BDPs into bytes, given the link's rate and the base round-trip time of the path over it.
    #[must_use]
    pub fn resolve(self, rate: Option<Rate>, base_rtt: Span) -> Self {
        match (self, rate) {
            (Self::Bdp(factor), Some(rate)) => {
                Self::Bytes(Bytes::new((rate.bytes_in(base_rtt).get() as f64 * factor).round() as u64))
            }
            (Self::Bdp(_), None) => Self::Unlimited,
            (other, _) => other,
        }
    }

    /// Bytes that may wait on a link with this rate, if all packets have this size. `None` if there is no limit, if the
    /// limit is in BDP, or if the limit is a time and the rate is unknown.
    pub fn bytes(self, packet: Bytes, rate: Option<Rate>) -> Option<f64> {
        match self {
            Self::Packets(packets) => Some(packets as f64 * packet.get() as f64),
            Self::Bytes(bytes) => Some(bytes.get() as f64),
            Self::Time(span) => rate.map(|rate| rate.bytes_per_s() * span.secs_f64()),
            Self::Bdp(_) | Self::Unlimited => None,
        }
    }
}
