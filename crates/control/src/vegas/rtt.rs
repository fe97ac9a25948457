// SPDX-License-Identifier: MIT OR Apache-2.0
//! The RTT samples of Vegas and derived controllers: the RTT of a round, and the RTT of the empty path.

use crate::Ack;
use units::{Bytes, Span, Time};

/// Segments that wait on the path: W (RTT - BaseRTT) / RTT. Brakmo and Peterson write (Expected - Actual) BaseRTT, and
/// Fu and Liew write N. RTTs are in s.
pub fn backlog(w: f64, rtt: f64, base: f64) -> f64 {
    if rtt > base { w * (rtt - base) / rtt } else { 0.0 }
}

/// The RTT that represents a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum RttOfRound {
    /// The mean of the samples (Brakmo and Peterson; ns-2). With the mean, the flow's own bursts look like a queue.
    Mean,
    /// The smallest sample (Linux, because of delayed ACKs). The smallest sample does not include the flow's own
    /// bursts, because the first packet of a burst meets no queue.
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
    /// No samples yet.
    pub const NONE: Self = Self { sum_ns: 0, count: 0, min: Span::MAX };

    /// Adds a sample.
    pub fn add(&mut self, rtt: Span) {
        self.sum_ns = self.sum_ns.saturating_add(rtt.nanos());
        self.count = self.count.saturating_add(1);
        self.min = self.min.min(rtt);
    }

    /// Number of samples.
    pub const fn count(&self) -> u32 {
        self.count
    }

    /// The smallest sample; [`Span::MAX`] without samples.
    pub const fn min(&self) -> Span {
        self.min
    }

    /// Mean of the samples; `None` without samples.
    pub fn mean(&self) -> Option<Span> {
        (self.count > 0).then(|| Span::from_nanos(self.sum_ns / u64::from(self.count)))
    }

    /// The RTT that represents the samples, s; `None` without samples.
    pub fn value(&self, which: RttOfRound) -> Option<f64> {
        (self.count > 0).then(|| match which {
            RttOfRound::Mean => self.sum_ns as f64 / f64::from(self.count) / 1e9,
            RttOfRound::Min => self.min.secs_f64(),
        })
    }
}

/// Round trips that can be restarted. A round trip ends with the first acknowledgement of a packet that was sent during
/// the round trip (Linux `tcp_vegas.c`: `beg_snd_nxt`).
#[derive(Clone, Copy, Debug, saved::Plain)]
pub struct RoundTrip {
    since: Time,
}

impl RoundTrip {
    /// The first round trip of the connection. The first acknowledgement ends it.
    pub const FIRST: Self = Self { since: Time::ZERO };

    /// A new round trip begins at `now`.
    pub const fn restart(&mut self, now: Time) {
        self.since = now;
    }

    /// Whether `ack` ends the round trip. If so, the next round trip begins.
    pub fn ends(&mut self, ack: &Ack<'_>) -> bool {
        let ends = ack.advance() > Bytes::ZERO && ack.sent_at.is_some_and(|sent_at| sent_at >= self.since);
        if ends {
            self.since = ack.now;
        }
        ends
    }
}

/// Largest number of samples that a refresh may average.
pub const MAX_REFRESH_SAMPLES: usize = 64;

/// Which value replaces `BaseRTT` after a jump of the RTT.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum RefreshTo {
    /// The sample that jumped. The minimum continues from this sample.
    Newest,
    /// The smallest of the m samples after the jump.
    MinOfNext,
}

/// Vegas-W's surveillance of the route: if `RTT_now` > n mean(m previous RTTs), `BaseRTT` is replaced.
#[derive(Clone, Copy, Debug, saved::Plain)]
pub struct Refresh {
    /// n (Vegas-W, section IV.B: 2), a number without unit. A smaller jump counts as congestion.
    pub factor: f64,
    /// m (Vegas-W, section IV.B: 20), a number of samples, at most [`MAX_REFRESH_SAMPLES`].
    pub samples: usize,
    /// Which value replaces `BaseRTT`. The paper does not define this value.
    pub to: RefreshTo,
}

/// The previous samples, with which a new sample is compared.
#[derive(Clone, Debug, saved::Plain)]
struct Surveillance {
    refresh: Refresh,
    ring_ns: [u64; MAX_REFRESH_SAMPLES],
    next: usize,
    filled: usize,
    sum_ns: u64,
    /// After a jump: number of samples that are still required, and the smallest sample since the jump.
    gathering: Option<(usize, Span)>,
    refreshes: u64,
}

impl Surveillance {
    /// Whether `rtt` is a jump, compared with the previous samples.
    fn jumped(&self, rtt: Span) -> bool {
        self.filled == self.refresh.samples
            && rtt.nanos() as f64 > self.refresh.factor * self.sum_ns as f64 / self.filled as f64
    }

    fn push(&mut self, rtt: Span) {
        // A sample counts as at most one hour, so that the sum cannot overflow.
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

/// `BaseRTT`: the smallest RTT of the connection. After a refresh, the smallest RTT since the refresh.
#[derive(Clone, Debug, saved::Plain)]
pub struct BaseRtt {
    min: Option<Span>,
    surveillance: Option<Box<Surveillance>>,
}

impl BaseRtt {
    /// The state before the first sample. `refresh` is Vegas-W's refresh; `None` without it.
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

    /// `BaseRTT` in s; `None` before the first sample.
    pub fn get(&self) -> Option<f64> {
        self.min.map(Span::secs_f64)
    }

    /// Forgets the minimum.
    pub const fn reset(&mut self) {
        self.min = None;
    }

    /// Processes a sample. If `watch` is true, a jump may replace the minimum.
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

    /// Number of refreshes; `None` without Vegas-W's refresh.
    pub fn refreshes(&self) -> Option<u64> {
        self.surveillance.as_ref().map(|surveillance| surveillance.refreshes)
    }
}
