// SPDX-License-Identifier: MIT OR Apache-2.0
//! What can be said about one direction of a link.

use crate::chain::Law;
use crate::chance::is_open;
use crate::sight::BySight;
use crate::{
    Acks, Arq, Course, Dama, Delay, Discipline, Grants, Jitter, LossChain, LossList, Policer, Ramps,
    Recorded, Service,
};
use std::sync::Arc;
use units::{Bytes, Rate, Span, Time};

/// How much may wait in a queue, the packet in transmission not counted (as in ns-2, ns-3 and Linux).
#[derive(Clone, Copy, Debug, PartialEq, saved::Plain)]
pub enum QueueLimit {
    /// So many packets.
    Packets(u64),
    /// So many bytes on the wire.
    Bytes(Bytes),
    /// What the link sends in so long.
    Time(Span),
    /// So many bandwidth-delay products; resolved against the round trip of the path before a run.
    Bdp(f64),
    /// No limit.
    Unlimited,
}

/// What waits in front of a transmitter: how much of it, and who goes next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Queue {
    /// How much may wait.
    pub limit: QueueLimit,
    /// Who goes next, and what is dropped or marked.
    pub discipline: Discipline,
}

/// What happens to packets on the way.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Impairment {
    /// Nothing.
    #[default]
    None,
    /// Each packet is lost with this probability.
    PacketErrorRate(f64),
    /// Each bit is wrong with this probability; a packet with a wrong bit is lost: 1-(1-BER)^bits.
    BitErrorRate(f64),
    /// Losses come in bursts.
    Bursts(Bursts),
    /// States follow each other, each with a loss of its own.
    Chain(Arc<LossChain>),
}

/// Losses in bursts (Gilbert 1960, Elliott 1963): a chain of two states, good and bad, that moves once every `bin`. Its
/// steps depend on the link's stream and on time alone, whatever traffic there is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bursts {
    /// Time between two steps of the chain.
    pub bin: Span,
    /// Probability of a step from good to bad.
    pub to_bad: f64,
    /// Probability of a step from bad to good.
    pub to_good: f64,
    /// Each packet is lost with this probability in the bad state, and none in the good one.
    pub loss: f64,
}

/// TCP-Jersey's congestion warning: data packets are marked while the mean queue is above a threshold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CongestionWarning {
    /// Mean number of waiting packets above which a packet is marked.
    pub above: f64,
}

impl CongestionWarning {
    /// Weight of a new sample in the mean queue: RED's w_q (Floyd and Jacobson 1993), which Jersey's routers share.
    pub const WEIGHT: f64 = 0.002;
}

/// What changes with time on a link, whatever its path does.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes {
    /// Rate over time, in place of the link's.
    pub rate: Option<Service>,
    /// Probability of loss on top of the link's own from each of these times on, sorted; none before the first.
    pub loss: Arc<[(Time, f64)]>,
    /// Delay on top of the path's from each of these times on, sorted; none before the first.
    pub extra_delay: Arc<[(Time, Span)]>,
    /// Loss and delay on top that move linearly: in place of those two if a file has ramps among their steps.
    pub ramps: Ramps,
    /// From here on the link carries nothing.
    pub stop: Option<Time>,
    /// Files that say the same, until they are read.
    pub recorded: Option<Recorded>,
    /// What follows the satellite or the time of day, until it is looked up.
    pub sight: Option<Arc<BySight>>,
}

impl Changes {
    /// As a link goes by them; `None` if nothing changes.
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

/// Everything about one direction of a link but its path.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkSpec {
    /// Transmission rate; `None` transmits at once (an ideal wire). Nominal where it changes with time: the highest.
    pub rate: Option<Rate>,
    /// Queue in front of the transmitter.
    pub queue: Queue,
    /// Loss on the way.
    pub loss: Impairment,
    /// Repeats what arrives broken.
    pub arq: Option<Arq>,
    /// Losses before the queue, by number and by time.
    pub listed: Option<Arc<LossList>>,
    /// Drops before the queue what is out of profile; beside [`LinkSpec::rate`], which transmits.
    pub policer: Option<Policer>,
    /// Clears the ECN field of all packets before the queue.
    pub ecn_bleach: bool,
    /// Random delay on top, for each packet by itself; from a stream of its own.
    pub jitter: Option<Jitter>,
    /// Packets may overtake each other when the delay shrinks; otherwise order is kept.
    pub reorder: bool,
    /// Marks data packets when the queue grows long; a drop-tail queue, others warn of nothing.
    pub warning: Option<CongestionWarning>,
    /// What changes with time; `None`: nothing.
    pub changes: Option<Arc<Changes>>,
    /// Capacity is assigned on demand; needs a rate, and its course has no moments to send at.
    pub dama: Option<Dama>,
    /// Packets leave in bursts. Who makes a link of it puts them into its course, with a seed.
    pub grants: Option<Grants>,
    /// Acknowledgements are thinned or compressed; of a drop-tail queue.
    pub acks: Option<Acks>,
}

impl LinkSpec {
    /// A wire that transmits at once, queues without limit and loses nothing.
    pub const IDEAL: Self = Self {
        rate: None,
        queue: Queue::drop_tail(QueueLimit::Unlimited),
        loss: Impairment::None,
        arq: None,
        listed: None,
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

    /// How late a packet may be besides its queue: it waits for a grant, and jitter holds it up.
    pub fn lateness(&self) -> Span {
        let assigned = self.dama.map_or(Span::ZERO, |dama| dama.superframe * (dama.delay_frames() + 2));
        let granted = self.grants.map_or(Span::ZERO, |grants| grants.apart.max(grants.or.1));
        assigned + granted + self.jitter.map_or(Span::ZERO, Jitter::high)
    }

    /// What changes with time on it; `None`: nothing.
    pub fn course(&self) -> Option<Course> {
        self.changes.as_ref()?.course()
    }
}

/// One direction of a link over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// What stays.
    pub spec: LinkSpec,
    /// Propagation delay, evaluated when the last bit leaves.
    pub delay: Delay,
    /// What changes with time besides the delay; `None`: nothing.
    pub course: Option<Arc<Course>>,
}

impl Config {
    /// How late a packet that leaves at `at` may be, its queue and the path's delay left out.
    pub fn lateness(&self, at: Time) -> Span {
        self.spec.lateness() + self.course.as_ref().map_or(Span::ZERO, |course| course.delay_at(at))
    }

    /// Whether a packet may ever be late so.
    pub fn makes_late(&self) -> bool {
        self.spec.lateness() > Span::ZERO || self.spec.changes.is_some() || self.course.is_some()
    }

    /// A link on which only the delay changes, and what its spec says.
    pub fn new(spec: LinkSpec, delay: Delay) -> Self {
        let course = spec.course().map(Arc::new);
        Self { spec, delay, course }
    }
}

impl Impairment {
    /// Probability that a packet of `size` bytes is lost on the way, at any time; chains are apart.
    pub fn probability(&self, size: u16) -> f64 {
        match *self {
            Self::None | Self::Bursts(_) | Self::Chain(_) => 0.0,
            Self::PacketErrorRate(per) => per,
            // 1 - (1-BER)^(8 size), written so that a small BER keeps its digits.
            Self::BitErrorRate(ber) => -f64::exp_m1(8.0 * f64::from(size) * f64::ln_1p(-ber)),
        }
    }

    /// The share of packets of `size` bytes that is lost on the way in the long run.
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

    /// What it draws, in words; `None`: every packet has the same fate whatever is drawn.
    pub fn draws(&self) -> Option<&'static str> {
        let (open, what) = match self {
            Self::None => (false, ""),
            Self::PacketErrorRate(per) => (is_open(*per), "packet error rate"),
            Self::BitErrorRate(ber) => (is_open(*ber), "bit error rate"),
            Self::Bursts(bursts) => (Law::from(*bursts).draws(), "bursts of losses"),
            Self::Chain(chain) => (chain.law().draws(), chain.said().word()),
        };
        open.then_some(what)
    }

    /// Whether what is lost depends on what was lost before.
    pub const fn has_memory(&self) -> bool {
        matches!(self, Self::Bursts(_) | Self::Chain(_))
    }
}

impl Queue {
    /// First come, first served, up to a limit.
    #[must_use]
    pub const fn drop_tail(limit: QueueLimit) -> Self {
        Self { limit, discipline: Discipline::DropTail }
    }

    /// What it draws, in words; `None`: nothing.
    pub fn draws(&self) -> Option<&'static str> {
        let Self { limit: _, discipline } = self;
        discipline.draws().then(|| discipline.word())
    }

    /// As [`QueueLimit::resolve`].
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

    /// How many bytes may wait, as packets of one size, on a link of a rate. `None`: the limit has no bound, is in BDPs, or
    /// is a time and the rate is not known.
    pub fn bytes(self, packet: Bytes, rate: Option<Rate>) -> Option<f64> {
        match self {
            Self::Packets(packets) => Some(packets as f64 * packet.get() as f64),
            Self::Bytes(bytes) => Some(bytes.get() as f64),
            Self::Time(span) => rate.map(|rate| rate.bytes_per_s() * span.secs_f64()),
            Self::Bdp(_) | Self::Unlimited => None,
        }
    }
}
