// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pacing. The packets of a burst of one quantum are sent without a pause. A schedule determines when the next burst
//! may start. After an idle time, only one burst is sent without a pause. In Linux, a burst that is sent late shortens
//! the wait after it by at most half.

use units::{Bytes, Rate, Span, Time};

/// The pacing schedule of one sender.
#[derive(Clone, Debug, Default, saved::Plain)]
pub(crate) struct Pacer {
    /// Time at which the next burst may start.
    due: Time,
    /// Number of bytes of the current burst that may still be sent.
    burst_left: u64,
    /// Time by which the current burst started late, minus the time by which waits have already been shortened.
    credit: Span,
    /// Rate and length of the last packet, and its transmission time. This cache saves a 128-bit division per packet.
    cached: (Rate, u32, Span),
}

impl Pacer {
    /// Time at which the next packet may be sent. If this time is not in the future, the packet may be sent
    /// immediately.
    pub(crate) fn release(&self) -> Time {
        if self.burst_left > 0 { Time::ZERO } else { self.due }
    }

    /// Allows the next packet in any case, because it belongs to a burst that has already begun.
    pub(crate) fn let_out(&mut self) {
        self.burst_left = self.burst_left.max(1);
    }

    /// End of the wait for all packets that have been sent.
    pub(crate) fn due(&self) -> Time {
        self.due
    }

    /// Records that a packet of `len` bytes is sent at `now`. If `credits` is true, a packet that is sent late shortens
    /// the wait after it.
    pub(crate) fn sent(&mut self, now: Time, len: u32, rate: Rate, quantum: Bytes, credits: bool) {
        if now >= self.due {
            self.credit = if credits { now.since(self.due) } else { Span::ZERO };
            self.due = now;
            self.burst_left = quantum.get();
        }
        if self.cached.0 != rate || self.cached.1 != len {
            self.cached = (rate, len, rate.time_for(Bytes::new(len.into())));
        }
        self.burst_left = self.burst_left.saturating_sub(len.into());
        let mut wait = self.cached.2;
        if self.credit > Span::ZERO {
            // Linux, tcp_update_skb_after_send(): len_ns - min(len_ns/2, credit).
            let spared = self.credit.min(wait / 2);
            self.credit = self.credit - spared;
            wait = wait - spared;
        }
        self.due += wait;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // At 8 Mbit/s, a packet of 1000 B takes 1 ms.
    const RATE: Rate = Rate::from_bits_per_s(8_000_000);

    /// Sending times of `n` packets of 1000 B in ms. The sender always has data.
    fn releases(pacer: &mut Pacer, from_ms: u64, n: usize, quantum: u64) -> Vec<u64> {
        releases_us(pacer, from_ms, n, quantum, false).iter().map(|us| us / 1000).collect()
    }

    /// Sending times in microseconds, with or without credit.
    fn releases_us(pacer: &mut Pacer, from_ms: u64, n: usize, quantum: u64, credits: bool) -> Vec<u64> {
        let mut now = Time::from_nanos(from_ms * 1_000_000);
        (0..n)
            .map(|_| {
                now = now.max(pacer.release());
                pacer.sent(now, 1000, RATE, Bytes::new(quantum), credits);
                now.nanos() / 1000
            })
            .collect()
    }

    #[test]
    fn one_segment_at_a_time() {
        let mut pacer = Pacer::default();
        assert_eq!(releases(&mut pacer, 5, 4, 1000), [5, 6, 7, 8]);
        // After an idle period, no credit has accumulated.
        assert_eq!(releases(&mut pacer, 100, 3, 1000), [100, 101, 102]);
    }

    #[test]
    fn bursts_of_a_quantum_keep_the_rate() {
        let mut pacer = Pacer::default();
        assert_eq!(releases(&mut pacer, 0, 7, 3000), [0, 0, 0, 3, 3, 3, 6]);
    }

    /// The rule of Linux, computed by hand. Each packet takes 1 ms. The second packet may be sent at 6 ms. It is sent
    /// at 6.2 ms, which is 0.2 ms late, so the third packet may be sent at 6.2 + 1 - 0.2 = 7.0 ms. The third packet is
    /// sent at 10 ms, which is 3 ms late. The fourth packet may therefore be sent at 10 + 1 - 0.5 = 10.5 ms, and the
    /// fifth packet at 11.5 ms.
    #[test]
    fn lateness_shortens_the_next_wait_by_half_at_most() {
        let mut pacer = Pacer::default();
        let late = |pacer: &mut Pacer, us: u64| {
            let now = Time::from_nanos(us * 1000);
            assert!(pacer.release() <= now);
            pacer.sent(now, 1000, RATE, Bytes::new(1000), true);
            pacer.release().nanos() / 1000
        };
        // The first packet may be late by any time, so the wait after it is halved.
        assert_eq!(late(&mut pacer, 5_500), 6_000);
        assert_eq!(late(&mut pacer, 6_200), 7_000);
        assert_eq!(late(&mut pacer, 10_000), 10_500);
        assert_eq!(late(&mut pacer, 10_500), 11_500);
        // A burst of three packets is one buffer. The wait after it is 3 ms minus half of this time.
        assert_eq!(releases_us(&mut pacer, 100, 4, 3000, true), [100_000, 100_000, 100_000, 101_500]);
    }
}
