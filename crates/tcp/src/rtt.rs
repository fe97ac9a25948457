// SPDX-License-Identifier: MIT OR Apache-2.0
//! The smoothed round-trip time, and the timeout that is computed from it.

use crate::{Config, Timeouts};
use units::{Span, Time};

/// The method that smooths the RTT.
#[derive(Clone, Debug, saved::Plain)]
pub(crate) enum RttEstimator {
    Rfc6298(Rfc6298),
    Ticks(Ticks),
}

impl RttEstimator {
    pub(crate) fn new(config: &Config) -> Self {
        let Config { clock, min_rto, .. } = *config;
        match config.timeouts {
            Timeouts::Ns2 => Self::Ticks(Ticks { tick: clock.nanos().max(1), ..Ticks::default() }),
            _ => Self::Rfc6298(Rfc6298 { granularity: clock.min(min_rto), ..Rfc6298::default() }),
        }
    }

    /// Processes an unambiguous sample. Returns the timeout without its bounds.
    pub(crate) fn sample(&mut self, rtt: Span) -> Span {
        match self {
            Self::Rfc6298(rfc) => rfc.sample(rtt),
            Self::Ticks(ticks) => ticks.sample(Time::ZERO, Time::ZERO + rtt),
        }
    }

    #[inline]
    pub(crate) fn srtt(&self) -> Option<Span> {
        match self {
            Self::Rfc6298(rfc) => rfc.srtt,
            Self::Ticks(ticks) => ticks.mean,
        }
    }

    /// RTTVAR of RFC 6298. The result is `None` for the estimator in ticks, whose variation has another definition.
    pub(crate) fn variation(&self) -> Option<Span> {
        match self {
            Self::Rfc6298(rfc) => rfc.srtt.map(|_| rfc.rttvar),
            Self::Ticks(_) => None,
        }
    }
}

/// The estimator of RFC 6298, section 2.
#[derive(Clone, Debug, Default, saved::Plain)]
pub(crate) struct Rfc6298 {
    srtt: Option<Span>,
    rttvar: Span,
    /// G: the smallest difference between the timeout and the smoothed RTT.
    granularity: Span,
}

impl Rfc6298 {
    /// Processes a sample. Returns the timeout.
    fn sample(&mut self, rtt: Span) -> Span {
        let srtt = match self.srtt {
            // RFC 6298 (2.2): SRTT <- R, RTTVAR <- R/2.
            None => {
                self.rttvar = rtt / 2;
                rtt
            }
            // RFC 6298 (2.3): RTTVAR <- 3/4 RTTVAR + 1/4 |SRTT - R'|, then SRTT <- 7/8 SRTT + 1/8 R'.
            Some(srtt) => {
                let error = srtt.nanos().abs_diff(rtt.nanos());
                self.rttvar = Span::from_nanos((3 * self.rttvar.nanos() + error) / 4);
                Span::from_nanos((7 * srtt.nanos() + rtt.nanos()) / 8)
            }
        };
        self.srtt = Some(srtt);
        // RFC 6298 (2.3): RTO <- SRTT + max(G, K RTTVAR), K = 4.
        srtt + (self.rttvar * 4).max(self.granularity)
    }
}

/// The estimator of V. Jacobson, "Congestion Avoidance and Control", SIGCOMM 1988, appendix A, in whole ticks. The mean
/// is stored in eighths of a tick, and the deviation in quarters of a tick.
#[derive(Clone, Debug, Default, saved::Plain)]
pub(crate) struct Ticks {
    /// Length of a tick, in nanoseconds.
    tick: u64,
    /// The mean, in eighths of a tick. With 0, the next sample counts as the first sample.
    srtt: u64,
    rttvar: u64,
    /// The mean after the newest sample, as a time.
    mean: Option<Span>,
}

impl Ticks {
    /// Processes the round trip of a segment that was sent at `sent` and acknowledged at `now`. Returns the timeout,
    /// SRTT + 4 RTTVAR.
    #[cold]
    pub(crate) fn sample(&mut self, sent: Time, now: Time) -> Span {
        let rtt = (now.nanos() / self.tick - sent.nanos() / self.tick).max(1);
        if self.srtt == 0 {
            (self.srtt, self.rttvar) = (rtt * 8, rtt * 2);
        } else {
            let error = rtt.cast_signed() - (self.srtt >> 3).cast_signed();
            self.srtt = self.srtt.saturating_add_signed(error).max(1);
            let change = error.abs() - (self.rttvar >> 2).cast_signed();
            self.rttvar = self.rttvar.saturating_add_signed(change).max(1);
        }
        self.mean = Some(Span::from_nanos(self.srtt * self.tick / 8));
        Span::from_nanos(((self.srtt + 8 * self.rttvar) >> 3) * self.tick)
    }

    /// Discards the mean. Until the next sample, the deviation contains the mean.
    pub(crate) fn doubt(&mut self) {
        self.rttvar += self.srtt >> 3;
        self.srtt = 0;
    }
}
