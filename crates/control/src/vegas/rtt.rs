// SPDX-License-Identifier: MIT OR Apache-2.0
//! The RTT samples of Vegas and its descendants: the round's RTT, and the RTT of the empty path.

use crate::Ack;
use units::{Bytes, Span, Time};

/// Segments that wait on the path: W (RTT - BaseRTT) / RTT, which is (Expected - Actual) BaseRTT of Brakmo and
/// Peterson and N of Fu and Liew. RTTs in s.
pub fn backlog(w: f64, rtt: f64, base: f64) -> f64 {
    if rtt > base { w * (rtt - base) / rtt } else { 0.0 }
}

/// The RTT that represents a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum RttOfRound {
    /// The mean of its samples (Brakmo and Peterson; ns-2): the flow's own burst looks like a queue.
    Mean,
    /// The smallest (Linux, against delayed ACKs): the first packet of a burst sees no queue.
    Min,
}

/// The samples of one round.
#[derive(Clone, Copy, Debug, saved::Plain)]
pub struct Samples {
    sum_ns: u64,
    count: u32,
    min: Span,
}

impl Samples {
    /// None yet.
    pub const NONE: Self = Self { sum_ns: 0, count: 0, min: Span::MAX };

    /// Takes one.
    pub fn add(&mut self, rtt: Span) {
        self.sum_ns = self.sum_ns.saturating_add(rtt.nanos());
        self.count = self.count.saturating_add(1);
        self.min = self.min.min(rtt);
    }

    /// How many.
    pub const fn count(&self) -> u32 {
        self.count
    }

    /// The smallest; [`Span::MAX`] of none.
    pub const fn min(&self) -> Span {
        self.min
    }

    /// Their mean; `None` of none.
    pub fn mean(&self) -> Option<Span> {
        (self.count > 0).then(|| Span::from_nanos(self.sum_ns / u64::from(self.count)))
    }

    /// The RTT that represents them, s; `None` without samples.
    pub fn value(&self, which: RttOfRound) -> Option<f64> {
        (self.count > 0).then(|| match which {
            RttOfRound::Mean => self.sum_ns as f64 / f64::from(self.count) / 1e9,
            RttOfRound::Min => self.min.secs_f64(),
        })
    }
}

/// Round trips that can restart: one ends with the first acknowledgement of what was sent since it began
/// (Linux `tcp_vegas.c`: `beg_snd_nxt`).
#[derive(Clone, Copy, Debug, saved::Plain)]
pub struct RoundTrip {
    since: Time,
}

impl RoundTrip {
    /// The connection's first, which the first acknowledgement ends.
    pub const FIRST: Self = Self { since: Time::ZERO };

    /// One begins at `now`, whatever the one before was.
    pub const fn restart(&mut self, now: Time) {
        self.since = now;
    }

    /// Whether `ack` ends it; the next one then begins.
    pub fn ends(&mut self, ack: &Ack<'_>) -> bool {
        let ends = ack.advance() > Bytes::ZERO && ack.sent_at.is_some_and(|sent_at| sent_at >= self.since);
        if ends {
            self.since = ack.now;
        }
        ends
    }
}

/// Most samples whose mean a refresh may look at.
pub const MAX_REFRESH_SAMPLES: usize = 64;

/// What replaces `BaseRTT` after a jump of the RTT.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum RefreshTo {
    /// The sample that jumped; the minimum goes on from there.
    Newest,
    /// The smallest of the m samples after it.
    MinOfNext,
}

/// Vegas-W's surveillance of the route: `BaseRTT` is replaced if `RTT_now` > n mean(m RTTs before it).
#[derive(Clone, Copy, Debug, saved::Plain)]
pub struct Refresh {
    /// n, no unit (Vegas-W, section IV.B: 2): a jump by less is congestion.
    pub factor: f64,
    /// m, samples (Vegas-W, section IV.B: 20), at most [`MAX_REFRESH_SAMPLES`].
    pub samples: usize,
    /// By what; the paper does not say.
    pub to: RefreshTo,
}

/// The samples that a refresh looks at.
#[derive(Clone, Debug, saved::Plain)]
struct Surveillance {
    refresh: Refresh,
    ring_ns: [u64; MAX_REFRESH_SAMPLES],
    next: usize,
    filled: usize,
    sum_ns: u64,
    /// Samples still to be seen after a jump, and the smallest since it.
    gathering: Option<(usize, Span)>,
    refreshes: u64,
}

impl Surveillance {
    /// Whether `rtt` jumped, judged by the samples before it.
    fn jumped(&self, rtt: Span) -> bool {
        self.filled == self.refresh.samples
            && rtt.nanos() as f64 > self.refresh.factor * self.sum_ns as f64 / self.filled as f64
    }

    fn push(&mut self, rtt: Span) {
        // An hour, so that the sum cannot overflow.
        let rtt_ns = rtt.nanos().min(3_600_000_000_000);
        let place = &mut self.ring_ns[self.next];
        if self.filled == self.refresh.samples {
            self.sum_ns -= *place;
        } else {
            self.filled += 1;
        }
        *place = rtt_ns;
        self.sum_ns += rtt_ns;
        self.next = (self.next + 1) % self.refresh.samples;
    }
}

/// `BaseRTT`: the smallest RTT seen, since a refresh if there is one.
#[derive(Clone, Debug, saved::Plain)]
pub struct BaseRtt {
    min: Option<Span>,
    surveillance: Option<Box<Surveillance>>,
}

impl BaseRtt {
    /// Before the first sample; `refresh` as Vegas-W has it.
    pub fn new(refresh: Option<Refresh>) -> Self {
        let surveillance = refresh.map(|refresh| {
            let samples = refresh.samples.clamp(1, MAX_REFRESH_SAMPLES);
            Box::new(Surveillance {
                refresh: Refresh { samples, ..refresh },
                ring_ns: [0; MAX_REFRESH_SAMPLES],
                next: 0,
                filled: 0,
                sum_ns: 0,
                gathering: None,
                refreshes: 0,
            })
        });
        Self { min: None, surveillance }
    }

    /// In s; `None` before the first sample.
    pub fn get(&self) -> Option<f64> {
        self.min.map(Span::secs_f64)
    }

    /// Forgets the minimum.
    pub const fn reset(&mut self) {
        self.min = None;
    }

    /// Takes a sample; `watch` allows a jump to replace the minimum.
    pub fn observe(&mut self, rtt: Span, watch: bool) {
        self.min = Some(self.min.map_or(rtt, |min| min.min(rtt)));
        let Some(surveillance) = &mut self.surveillance else { return };
        if let Some((left, least)) = surveillance.gathering {
            let least = least.min(rtt);
            surveillance.gathering = (left > 1).then_some((left - 1, least));
            if left <= 1 {
                self.min = Some(least);
                surveillance.refreshes += 1;
            }
        } else if watch && surveillance.jumped(rtt) {
            match surveillance.refresh.to {
                RefreshTo::Newest => {
                    self.min = Some(rtt);
                    surveillance.refreshes += 1;
                }
                RefreshTo::MinOfNext => {
                    surveillance.gathering = Some((surveillance.refresh.samples, Span::MAX));
                }
            }
        }
        surveillance.push(rtt);
    }

    /// How often a jump replaced it; `None` if none may.
    pub fn refreshes(&self) -> Option<u64> {
        self.surveillance.as_ref().map(|surveillance| surveillance.refreshes)
    }
}
