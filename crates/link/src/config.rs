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

/// Largest amount that may wait in a queue. The packet in transmission does not count toward the limit (as in ns-2,
/// ns-3 and Linux).
#[derive(Clone, Copy, Debug, PartialEq, saved::Plain)]
pub enum QueueLimit {
    /// This number of packets.
    Packets(u64),
    /// This number of bytes on the wire.
    Bytes(Bytes),
    /// The number of bytes that the link sends in this time.
    Time(Span),
    /// This number of bandwidth-delay products. Before a run, the limit is converted to bytes with the round-trip time
    /// of the path.
    Bdp(f64),
    /// No limit.
    Unlimited,
}

/// A queue in front of a transmitter: its limit and its discipline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Queue {
    /// Largest amount that may wait.
    pub limit: QueueLimit,
    /// The discipline decides which packet is sent next, and which packets are dropped or marked.
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
    /// Each bit is wrong with this probability (BER). A packet is lost if at least one bit is wrong. The probability of
    /// this loss is 1-(1-BER)^bits.
    BitErrorRate(f64),
    /// Losses occur in bursts.
    Bursts(Bursts),
    /// A Markov chain whose states have different losses.
    Chain(Arc<LossChain>),
}

/// Losses in bursts (Gilbert 1960, Elliott 1963). A chain of two states, good and bad, makes one step in every `bin`.
/// The steps depend only on the link's random stream and on time, not on the traffic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bursts {
    /// Interval between two steps of the chain.
    pub bin: Span,
    /// Probability of a step from good to bad.
    pub to_bad: f64,
    /// Probability of a step from bad to good.
    pub to_good: f64,
    /// Probability of loss in the bad state. In the good state, this probability is zero.
    pub loss: f64,
}

/// TCP-Jersey's congestion warning. The link marks data packets while the mean queue length is above a threshold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CongestionWarning {
    /// Threshold of the mean queue length, in packets. Packets are marked while the mean exceeds this threshold.
    pub above: f64,
}

impl CongestionWarning {
    /// Weight of a new sample in the mean queue length. This is the weight w_q of RED (Floyd and Jacobson 1993), which
    /// TCP-Jersey's routers also use.
    pub const WEIGHT: f64 = 0.002;
}

/// Changes of a link over time, except changes of its path.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes {
    /// Rate over time. This rate replaces [`LinkSpec::rate`].
    pub rate: Option<Service>,
    /// Probability of additional loss. Each entry applies from its time on. The entries are sorted by time, and the
    /// probability before the first entry is zero.
    pub loss: Arc<[(Time, f64)]>,
    /// Additional delay. Each entry applies from its time on. The entries are sorted by time, and the additional delay
    /// before the first entry is zero.
    pub extra_delay: Arc<[(Time, Span)]>,
    /// Additional loss and delay that change linearly. If a file contains both steps and ramps, these ramps replace
    /// `loss` and `extra_delay`.
    pub ramps: Ramps,
    /// Time from which on the link carries no packets.
    pub stop: Option<Time>,
    /// Files that contain such changes. This is `None` after the files have been read.
    pub recorded: Option<Recorded>,
    /// Values that depend on the position of the satellite or on the time of day. This is `None` after the values have
    /// been computed.
    pub sight: Option<Arc<BySight>>,
}

impl Changes {
    /// Returns the course of a link over time, or `None` if nothing changes.
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
    /// Transmission rate. With `None`, transmission takes no time (an ideal wire). If the rate changes with time, this
    /// is the highest rate.
    pub rate: Option<Rate>,
    /// Queue in front of the transmitter.
    pub queue: Queue,
    /// Random loss.
    pub loss: Impairment,
    /// Retransmission of frames that arrive with errors. With `None`, frames are not retransmitted.
    pub arq: Option<Arq>,
    /// Losses before the queue, listed by packet number or by time.
    pub listed: Option<Arc<LossList>>,
    /// Largest packet that the link carries, in bytes (MTU). With `None`, there is no limit. Larger packets are dropped
    /// before the policer.
    pub mtu: Option<u16>,
    /// Policer before the queue. The policer's rate is independent of the transmission rate [`LinkSpec::rate`].
    pub policer: Option<Policer>,
    /// Whether the link clears the ECN field of all packets before the queue.
    pub ecn_bleach: bool,
    /// Additional random delay. The delay of each packet is drawn independently, from a separate random stream.
    pub jitter: Option<Jitter>,
    /// Whether packets may overtake each other when the delay decreases. If not, packets arrive in the order in which
    /// they left.
    pub reorder: bool,
    /// Congestion warning of TCP-Jersey. Only a drop-tail queue can have a warning.
    pub warning: Option<CongestionWarning>,
    /// Changes over time, or `None` if nothing changes.
    pub changes: Option<Arc<Changes>>,
    /// Demand assignment. It requires a rate, and cannot be combined with `grants` or with recorded deliveries.
    pub dama: Option<Dama>,
    /// Grants at fixed intervals. Packets leave in bursts, one burst per grant. The creator of the link adds the grants
    /// to the course, with a seed.
    pub grants: Option<Grants>,
    /// Thinning or compression of acknowledgements. Only a drop-tail queue can thin or compress acknowledgements.
    pub acks: Option<Acks>,
}

impl LinkSpec {
    /// A wire that transmits packets in no time, with an unlimited queue and without loss.
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

    /// Largest delay that these settings can add to a packet, in addition to the wait in the queue. The delay consists
    /// of waits for a grant and of jitter.
    pub fn lateness(&self) -> Span {
        let assigned = self.dama.map_or(Span::ZERO, |dama| dama.superframe * (dama.delay_frames() + 2));
        let granted = self.grants.map_or(Span::ZERO, |grants| grants.apart.max(grants.or.1));
        assigned + granted + self.jitter.map_or(Span::ZERO, Jitter::high)
    }

    /// Returns the course of the link over time, or `None` if nothing changes.
    pub fn course(&self) -> Option<Course> {
        self.changes.as_ref()?.course()
    }
}

/// One direction of a link over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Settings that do not change with time.
    pub spec: LinkSpec,
    /// Propagation delay. It is evaluated when the last bit of a packet leaves.
    pub delay: Delay,
    /// Changes over time, except changes of the delay. `None` means that nothing changes.
    pub course: Option<Arc<Course>>,
}

impl Config {
    /// Largest delay that the link can add to a packet that leaves at `at`. The result contains neither the wait in the
    /// queue nor the delay of the path.
    pub fn lateness(&self, at: Time) -> Span {
        self.spec.lateness() + self.course.as_ref().map_or(Span::ZERO, |course| course.delay_at(at))
    }

    /// Whether [`Self::lateness`] is above zero at any time.
    pub fn makes_late(&self) -> bool {
        self.spec.lateness() > Span::ZERO || self.spec.changes.is_some() || self.course.is_some()
    }

    /// Creates the configuration of a link with this delay. The changes over time come from `spec`.
    pub fn new(spec: LinkSpec, delay: Delay) -> Self {
        let course = spec.course().map(Arc::new);
        Self { spec, delay, course }
    }
}

impl Impairment {
    /// Probability that a packet of `size` bytes is lost, if this probability does not change with time. For bursts and
    /// chains, the result is 0, because [`Course`] computes their losses.
    pub fn probability(&self, size: u16) -> f64 {
        match *self {
            Self::None | Self::Bursts(_) | Self::Chain(_) => 0.0,
            Self::PacketErrorRate(per) => per,
            // This expression equals 1 - (1-BER)^(8 size), and keeps full precision for a small BER.
            Self::BitErrorRate(ber) => -f64::exp_m1(8.0 * f64::from(size) * f64::ln_1p(-ber)),
        }
    }

    /// The fraction of packets of `size` bytes that are lost in the long run.
    pub fn mean(&self, size: u16) -> f64 {
        match self {
            // The factor of `loss` is the stationary probability of the bad state.
            Self::Bursts(bursts) if bursts.to_bad > 0.0 => {
                bursts.loss * bursts.to_bad / (bursts.to_bad + bursts.to_good)
            }
            Self::Chain(chain) => chain.mean_loss(),
            other => other.probability(size),
        }
    }

    /// Describes in words the random numbers that the link draws for these losses. `None` means that no draw changes
    /// whether a packet is lost.
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

    /// Describes in words the random numbers that the queue draws. `None` means that the queue draws nothing.
    pub fn draws(&self) -> Option<&'static str> {
        let Self { limit: _, discipline } = self;
        discipline.draws().then(|| discipline.word())
    }

    /// Converts a limit in bandwidth-delay products to bytes, like [`QueueLimit::resolve`].
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
    /// Converts a limit in bandwidth-delay products to bytes. The product is `rate` times `base_rtt`, the base
    /// round-trip time of the path over the link.
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

    /// Number of bytes that may wait on a link with this rate if all packets have this size. The result is `None` if
    /// there is no limit, if the limit is in BDP, or if the limit is a time and the rate is unknown.
    pub fn bytes(self, packet: Bytes, rate: Option<Rate>) -> Option<f64> {
        match self {
            Self::Packets(packets) => Some(packets as f64 * packet.get() as f64),
            Self::Bytes(bytes) => Some(bytes.get() as f64),
            Self::Time(span) => rate.map(|rate| rate.bytes_per_s() * span.secs_f64()),
            Self::Bdp(_) | Self::Unlimited => None,
        }
    }
}
