// SPDX-License-Identifier: MIT OR Apache-2.0
//! Round-trip times and the retransmission timeout (RFC 6298).

use crate::{Config, Timeouts};
use units::{Span, Time};

/// After more expirations than these in a row the smoothed RTT is no longer believed (4.3BSD's and ns-2's timers).
const BACKOFFS_BELIEVED: u32 = 3;

/// V. Jacobson, "Congestion Avoidance and Control", SIGCOMM 1988, appendix A: the estimator in whole ticks, with
/// eighths of the mean and quarters of the deviation.
#[derive(Clone, Debug, Default)]
struct Ticks {
    srtt: u64,
    rttvar: u64,
}

impl Ticks {
    /// Takes a sample; returns the timeout, SRTT + 4 RTTVAR, in ticks.
    fn sample(&mut self, rtt: u64) -> u64 {
        if self.srtt == 0 {
            (self.srtt, self.rttvar) = (rtt * 8, rtt * 2);
        } else {
            let error = rtt.cast_signed() - (self.srtt >> 3).cast_signed();
            self.srtt = self.srtt.saturating_add_signed(error).max(1);
            let change = error.abs() - (self.rttvar >> 2).cast_signed();
            self.rttvar = self.rttvar.saturating_add_signed(change).max(1);
        }
        (self.srtt + 8 * self.rttvar) >> 3
    }

    /// The next sample starts anew; until then the deviation holds the mean.
    fn doubt(&mut self) {
        self.rttvar += self.srtt >> 3;
        self.srtt = 0;
    }
}

/// Smoothed RTT, its variation and the timeout that follows from them.
#[derive(Clone, Debug)]
pub(crate) struct RttEstimator {
    srtt: Option<Span>,
    rttvar: Span,
    min: Option<Span>,
    timeout: Span,
    backoff: u32,
    clock: Span,
    min_rto: Span,
    max_rto: Span,
    ticks: Option<Ticks>,
}

impl RttEstimator {
    pub(crate) fn new(config: &Config) -> Self {
        let Config { initial_rto, clock, min_rto, max_rto, .. } = *config;
        let timeout = initial_rto.min(max_rto);
        let ticks = (config.timeouts == Timeouts::Ns2).then(Ticks::default);
        Self {
            srtt: None,
            rttvar: Span::ZERO,
            min: None,
            timeout,
            backoff: 0,
            clock,
            min_rto,
            max_rto,
            ticks,
        }
    }

    /// Takes a sample that is not ambiguous; ends any back-off (Karn).
    pub(crate) fn sample(&mut self, rtt: Span) {
        self.note(rtt);
        if self.ticks.is_some() {
            return self.time(Time::ZERO, Time::ZERO + rtt);
        }
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
        // RFC 6298 (2.3, 2.4): RTO <- SRTT + max(G, K RTTVAR), K = 4, within the bounds.
        let variation = (self.rttvar * 4).max(self.clock.min(self.min_rto));
        self.timeout = (srtt + variation).max(self.min_rto).min(self.max_rto);
        self.backoff = 0;
    }

    /// A round trip that is no sample for the timeout.
    pub(crate) fn note(&mut self, rtt: Span) {
        self.min = Some(self.min.map_or(rtt, |min| min.min(rtt)));
    }

    /// The segment that was timed is acknowledged; its round trip counts in ticks.
    #[cold]
    pub(crate) fn time(&mut self, sent: Time, now: Time) {
        let Some(ticks) = &mut self.ticks else { return };
        let tick = self.clock.nanos().max(1);
        let timeout = ticks.sample((now.nanos() / tick - sent.nanos() / tick).max(1));
        self.timeout = Span::from_nanos(timeout * tick).max(self.min_rto).min(self.max_rto);
        self.srtt = Some(Span::from_nanos(ticks.srtt * tick / 8));
        self.backoff = 0;
    }

    /// The next timeout is not backed off.
    pub(crate) fn end_back_off(&mut self) {
        self.backoff = 0;
    }

    /// RFC 6298 (5.5): doubles the timeout.
    pub(crate) fn back_off(&mut self) {
        self.backoff = (self.backoff + 1).min(32);
        if let Some(ticks) = &mut self.ticks
            && self.backoff > BACKOFFS_BELIEVED
        {
            ticks.doubt();
        }
    }

    /// RFC 6298 (5.7): the timer of the SYN has expired, so data begin with at least this timeout, whatever was sampled.
    pub(crate) fn begin_with(&mut self, timeout: Span) {
        self.timeout = self.timeout.max(timeout).min(self.max_rto);
    }

    /// The retransmission timeout with its back-off.
    pub(crate) fn rto(&self) -> Span {
        (self.timeout * (1 << self.backoff)).min(self.max_rto)
    }

    /// The smallest RTT is that of the samples from now on.
    pub(crate) fn forget_min(&mut self) {
        self.min = None;
    }

    pub(crate) fn srtt(&self) -> Option<Span> {
        self.srtt
    }

    pub(crate) fn variation(&self) -> Option<Span> {
        // The estimator in ticks has one of its own.
        self.srtt.filter(|_| self.ticks.is_none()).map(|_| self.rttvar)
    }

    pub(crate) fn min(&self) -> Option<Span> {
        self.min
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Span {
        Span::from_millis(ms)
    }

    fn estimator(min_rto: Span, max_rto: Span) -> RttEstimator {
        RttEstimator::new(&Config { initial_rto: ms(1000), min_rto, max_rto, ..Config::default() })
    }

    #[test]
    fn rfc_6298_by_hand() {
        let mut rtt = estimator(ms(200), Span::from_secs(60));
        assert_eq!(rtt.rto(), ms(1000));
        // R = 800: SRTT 800, RTTVAR 400, RTO = 800 + 4*400 = 2400.
        rtt.sample(ms(800));
        assert_eq!((rtt.srtt(), rtt.rttvar, rtt.rto()), (Some(ms(800)), ms(400), ms(2400)));
        // R' = 1600: RTTVAR = 3/4*400 + 1/4*800 = 500; SRTT = 7/8*800 + 1/8*1600 = 900; RTO = 900 + 2000.
        rtt.sample(ms(1600));
        assert_eq!((rtt.srtt(), rtt.rttvar, rtt.rto()), (Some(ms(900)), ms(500), ms(2900)));
        // R' = 100: RTTVAR = 375 + 200 = 575; SRTT = 787.5 + 12.5 = 800; RTO = 800 + 2300.
        rtt.sample(ms(100));
        assert_eq!((rtt.srtt(), rtt.rttvar, rtt.rto()), (Some(ms(800)), ms(575), ms(3100)));
        assert_eq!(rtt.min(), Some(ms(100)));
    }

    #[test]
    fn backs_off_to_the_upper_bound_and_recovers_with_a_sample() {
        let mut rtt = estimator(ms(200), ms(5000));
        for expected in [2000, 4000, 5000, 5000] {
            rtt.back_off();
            assert_eq!(rtt.rto(), ms(expected));
        }
        // R = 100: RTO = 100 + 4*50 = 300.
        rtt.sample(ms(100));
        assert_eq!(rtt.rto(), ms(300));
    }

    #[test]
    fn a_steady_path_keeps_a_margin() {
        let mut rtt = estimator(ms(200), Span::from_secs(60));
        for _ in 0..1000 {
            rtt.sample(ms(600));
        }
        // Linux: srtt + max(200 ms, 4 rttvar).
        assert_eq!(rtt.rto(), ms(800));
        let mut rfc = estimator(ms(1000), Span::from_secs(60));
        for _ in 0..1000 {
            rfc.sample(ms(100));
        }
        // RFC 6298 (2.4): rounded up to one second.
        assert_eq!(rfc.rto(), ms(1000));
        // (2.3) with G = 100 ms, above the bound: 2 s + max(100 ms, 0).
        let config = Config { clock: ms(100), min_rto: ms(1000), ..Config::default() };
        let mut far = RttEstimator::new(&config);
        for _ in 0..1000 {
            far.sample(ms(2000));
        }
        assert_eq!(far.rto(), ms(2100));
    }

    /// Jacobson's program by hand, in ticks of 10 ms: sa = 8 m, sv = 2 m at first; then m -= sa >> 3, sa += m, |m| -= sv >> 2,
    /// sv += m, rto = (sa + 8 sv) >> 3 (ns-2 keeps quarters of the deviation, and takes it four times).
    #[test]
    fn ticks_by_hand() {
        let config = Config {
            timeouts: Timeouts::Ns2,
            clock: Span::from_millis(10),
            initial_rto: ms(3000),
            ..Config::default()
        };
        let mut rtt = RttEstimator::new(&config);
        assert_eq!(rtt.rto(), ms(3000));
        // m = 10: sa = 80, sv = 20, rto = (80 + 160) >> 3 = 30.
        rtt.sample(ms(100));
        assert_eq!((rtt.srtt(), rtt.rto()), (Some(ms(100)), ms(300)));
        // m = 20: m - 10 = 10, sa = 90; 10 - 5 = 5, sv = 25; rto = (90 + 200) >> 3 = 36. SRTT = 90 / 8 = 11.25.
        rtt.sample(ms(200));
        assert_eq!((rtt.srtt(), rtt.rto()), (Some(Span::from_micros(112_500)), ms(360)));
        // A steady path leaves a deviation of three quarters of a tick: three ticks above the mean.
        for _ in 0..200 {
            rtt.sample(ms(400));
        }
        assert_eq!(rtt.rto(), ms(430));
        // Backed off four times the mean is doubted: the next sample is taken as a first one.
        let mut doubted = RttEstimator::new(&config);
        doubted.sample(ms(100));
        for expected in [600, 1200, 2400, 4800] {
            doubted.back_off();
            assert_eq!(doubted.rto(), ms(expected));
        }
        doubted.sample(ms(50));
        assert_eq!(doubted.srtt(), Some(ms(50)));
    }
}
