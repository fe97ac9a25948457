// SPDX-License-Identifier: MIT OR Apache-2.0
//! The retransmission timer (RFC 6298): its timeout, and the time at which it expires.

use crate::Config;
use crate::rtt::RttEstimator;
use units::{Span, Time};

/// After more consecutive expirations than this number, the smoothed RTT is discarded (as in the timers of 4.3BSD and
/// ns-2).
const BACKOFFS_BELIEVED: u32 = 3;

/// The timer, and the round trips from which its timeout is computed.
#[derive(Clone, Debug, saved::Plain)]
pub(crate) struct RetransmissionTimer {
    pub(crate) rtt: RttEstimator,
    pub(crate) min_rtt: Option<Span>,
    /// Round-trip time of the handshake. The segments of the handshake are shorter than segments with data.
    pub(crate) handshake_rtt: Option<Span>,
    /// The timeout without back-off, limited by its bounds.
    timeout: Span,
    backoff: u32,
    min_rto: Span,
    max_rto: Span,
    /// Time at which the timer expires, or [`Time::MAX`] if it is not running.
    pub(crate) due: Time,
    /// Number of expirations since the cumulative acknowledgement last advanced.
    pub(crate) expirations: u32,
}

impl RetransmissionTimer {
    pub(crate) fn new(config: &Config) -> Self {
        let Config { initial_rto, min_rto, max_rto, .. } = *config;
        Self {
            rtt: RttEstimator::new(config),
            min_rtt: None,
            handshake_rtt: None,
            timeout: initial_rto.min(max_rto),
            backoff: 0,
            min_rto,
            max_rto,
            due: Time::MAX,
            expirations: 0,
        }
    }

    /// Processes an unambiguous sample. This also ends any back-off (Karn's rule).
    pub(crate) fn sample(&mut self, rtt: Span) {
        self.note(rtt);
        let timeout = self.rtt.sample(rtt);
        self.last_for(timeout);
    }

    /// The smallest round-trip time of the connection, including the handshake.
    pub(crate) fn least_rtt(&self) -> Span {
        let least = self.handshake_rtt.into_iter().chain(self.min_rtt).min();
        least.unwrap_or_default()
    }

    /// Processes a round-trip time that is not a sample for the timeout.
    pub(crate) fn note(&mut self, rtt: Span) {
        self.min_rtt = Some(self.min_rtt.map_or(rtt, |min| min.min(rtt)));
    }

    /// Processes the round-trip time, in ticks, of a timed segment that is acknowledged.
    #[cold]
    pub(crate) fn sample_timed(&mut self, sent: Time, now: Time) {
        if let RttEstimator::Ticks(ticks) = &mut self.rtt {
            let timeout = ticks.sample(sent, now);
            self.last_for(timeout);
        }
    }

    /// RFC 6298 (2.4, 2.5): sets the timeout after a sample, limited by its bounds.
    fn last_for(&mut self, timeout: Span) {
        self.timeout = timeout.max(self.min_rto).min(self.max_rto);
        self.backoff = 0;
    }

    /// Ends the back-off.
    pub(crate) fn end_back_off(&mut self) {
        self.backoff = 0;
    }

    /// RFC 6298 (5.5): doubles the timeout.
    pub(crate) fn back_off(&mut self) {
        self.backoff = (self.backoff + 1).min(32);
        if let RttEstimator::Ticks(ticks) = &mut self.rtt
            && self.backoff > BACKOFFS_BELIEVED
        {
            ticks.doubt();
        }
    }

    /// RFC 6298 (5.7): makes the first timeout of data at least `timeout`, regardless of the samples, because the timer
    /// of the SYN has expired.
    pub(crate) fn begin_with(&mut self, timeout: Span) {
        self.timeout = self.timeout.max(timeout).min(self.max_rto);
    }

    /// The retransmission timeout with its back-off.
    pub(crate) fn rto(&self) -> Span {
        (self.timeout * (1 << self.backoff)).min(self.max_rto)
    }

    /// Restarts the timer. It then expires after one timeout.
    pub(crate) fn restart(&mut self, now: Time) {
        self.due = now + self.rto();
    }

    pub(crate) fn stop(&mut self) {
        self.due = Time::MAX;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Timeouts;

    const fn ms(ms: u64) -> Span {
        Span::from_millis(ms)
    }

    fn timer_within(min_rto: Span, max_rto: Span) -> RetransmissionTimer {
        RetransmissionTimer::new(&Config { initial_rto: ms(1000), min_rto, max_rto, ..Config::default() })
    }

    #[test]
    fn rfc_6298_by_hand() {
        let mut timer = timer_within(ms(200), Span::from_secs(60));
        assert_eq!(timer.rto(), ms(1000));
        // R = 800: SRTT 800, RTTVAR 400, RTO = 800 + 4*400 = 2400.
        timer.sample(ms(800));
        assert_eq!(
            (timer.rtt.srtt(), timer.rtt.variation(), timer.rto()),
            (Some(ms(800)), Some(ms(400)), ms(2400))
        );
        // R' = 1600: RTTVAR = 3/4*400 + 1/4*800 = 500; SRTT = 7/8*800 + 1/8*1600 = 900; RTO = 900 + 2000.
        timer.sample(ms(1600));
        assert_eq!(
            (timer.rtt.srtt(), timer.rtt.variation(), timer.rto()),
            (Some(ms(900)), Some(ms(500)), ms(2900))
        );
        // R' = 100: RTTVAR = 375 + 200 = 575; SRTT = 787.5 + 12.5 = 800; RTO = 800 + 2300.
        timer.sample(ms(100));
        assert_eq!(
            (timer.rtt.srtt(), timer.rtt.variation(), timer.rto()),
            (Some(ms(800)), Some(ms(575)), ms(3100))
        );
        assert_eq!(timer.min_rtt, Some(ms(100)));
    }

    #[test]
    fn backs_off_to_the_upper_bound_and_recovers_with_a_sample() {
        let mut timer = timer_within(ms(200), ms(5000));
        for expected in [2000, 4000, 5000, 5000] {
            timer.back_off();
            assert_eq!(timer.rto(), ms(expected));
        }
        // R = 100: RTO = 100 + 4*50 = 300.
        timer.sample(ms(100));
        assert_eq!(timer.rto(), ms(300));
    }

    #[test]
    fn a_steady_path_keeps_a_margin() {
        let mut timer = timer_within(ms(200), Span::from_secs(60));
        for _ in 0..1000 {
            timer.sample(ms(600));
        }
        // Linux: srtt + max(200 ms, 4 rttvar).
        assert_eq!(timer.rto(), ms(800));
        let mut rfc = timer_within(ms(1000), Span::from_secs(60));
        for _ in 0..1000 {
            rfc.sample(ms(100));
        }
        // RFC 6298 (2.4): the timeout is rounded up to one second.
        assert_eq!(rfc.rto(), ms(1000));
        // RFC 6298 (2.3) with G = 100 ms, which is above `min_rto` here: the timeout is 2 s + max(100 ms, 0).
        let config = Config { clock: ms(100), min_rto: ms(1000), ..Config::default() };
        let mut far = RetransmissionTimer::new(&config);
        for _ in 0..1000 {
            far.sample(ms(2000));
        }
        assert_eq!(far.rto(), ms(2100));
    }

    /// Jacobson's program, computed by hand in ticks of 10 ms. At first, sa = 8 m and sv = 2 m. Then m -= sa >> 3, sa
    /// += m, |m| -= sv >> 2, sv += m, and rto = (sa + 8 sv) >> 3. (ns-2 stores the deviation in quarters, and uses four
    /// times the deviation.)
    #[test]
    fn ticks_by_hand() {
        let config = Config {
            timeouts: Timeouts::Ns2,
            clock: Span::from_millis(10),
            initial_rto: ms(3000),
            ..Config::default()
        };
        let mut timer = RetransmissionTimer::new(&config);
        assert_eq!(timer.rto(), ms(3000));
        // m = 10: sa = 80, sv = 20, rto = (80 + 160) >> 3 = 30.
        timer.sample(ms(100));
        assert_eq!((timer.rtt.srtt(), timer.rto()), (Some(ms(100)), ms(300)));
        // m = 20: m - 10 = 10, so sa = 90. 10 - 5 = 5, so sv = 25. rto = (90 + 200) >> 3 = 36. SRTT = 90 / 8 = 11.25.
        timer.sample(ms(200));
        assert_eq!((timer.rtt.srtt(), timer.rto()), (Some(Span::from_micros(112_500)), ms(360)));
        // On a path with a constant delay, three quarters of a tick remain as deviation. The timeout is then three
        // ticks above the mean.
        for _ in 0..200 {
            timer.sample(ms(400));
        }
        assert_eq!(timer.rto(), ms(430));
        // After four back-offs, the mean is discarded, so the next sample is used as a first sample.
        let mut doubted = RetransmissionTimer::new(&config);
        doubted.sample(ms(100));
        for expected in [600, 1200, 2400, 4800] {
            doubted.back_off();
            assert_eq!(doubted.rto(), ms(expected));
        }
        doubted.sample(ms(50));
        assert_eq!(doubted.rtt.srtt(), Some(ms(50)));
    }
}
