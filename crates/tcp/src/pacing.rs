// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pacing: bursts of one quantum are sent on a schedule. After an idle time, only the next burst is sent at once. In
//! Linux, a burst that is sent late shortens the wait after it by at most half.

use units::{Bytes, Rate, Span, Time};

/// Release schedule of one sender.
#[derive(Clone, Debug, Default, saved::Plain)]
pub(crate) struct Pacer {
    /// When the next burst may start.
    due: Time,
    /// The part of the current burst that may still be sent.
    burst_left: u64,
    /// The delay of the burst after its due time, minus the time by which waits have already been shortened.
    credit: Span,
    /// Rate and length of the last packet, and its transmission time. The cache saves a 128-bit division per packet.
    cached: (Rate, u32, Span),
}

impl Pacer {
    /// When the next packet may be sent. If this time is not in the future, the packet may be sent at once.
    pub(crate) fn release(&self) -> Time {
        if self.burst_left > 0 { Time::ZERO } else { self.due }
    }

    /// Allows the next packet, because it belongs to a burst that has begun.
    pub(crate) fn let_out(&mut self) {
        self.burst_left = self.burst_left.max(1);
    }

    /// The end of the wait for all packets that were sent.
    pub(crate) fn due(&self) -> Time {
        self.due
    }

    /// A packet of `len` bytes is sent at `now`. With `credits`, a packet that is sent late shortens the wait after it.
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

    // 1000 B at 8 Mbit/s take 1 ms.
    const RATE: Rate = Rate::from_bits_per_s(8_000_000);

    /// Send times of `n` packets of 1000 B from a sender that always has data.
    fn releases(pacer: &mut Pacer, from_ms: u64, n: usize, quantum: u64) -> Vec<u64> {
        releases_us(pacer, from_ms, n, quantum, false).iter().map(|us| us / 1000).collect()
    }

    /// The same times in microseconds, with or without credit.
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

    /// The rule of Linux, worked by hand: 1 ms per packet. The second packet could be sent at 6 ms. At 6.2 it is 0.2
    /// late, so the third may be sent at 6.2 + 1 - 0.2 = 7.0. At 10, this packet is 3 late, so the fourth may be sent
    /// at 10 + 1 - 0.5 = 10.5, and the fifth at 11.5.
    #[test]
    fn lateness_shortens_the_next_wait_by_half_at_most() {
        let mut pacer = Pacer::default();
        let late = |pacer: &mut Pacer, us: u64| {
            let now = Time::from_nanos(us * 1000);
            assert!(pacer.release() <= now);
            pacer.sent(now, 1000, RATE, Bytes::new(1000), true);
            pacer.release().nanos() / 1000
        };
        // The delay of the first packet is unlimited: the wait is halved.
        assert_eq!(late(&mut pacer, 5_500), 6_000);
        assert_eq!(late(&mut pacer, 6_200), 7_000);
        assert_eq!(late(&mut pacer, 10_000), 10_500);
        assert_eq!(late(&mut pacer, 10_500), 11_500);
        // A burst of three packets is one buffer: 3 ms minus half of this time.
        assert_eq!(releases_us(&mut pacer, 100, 4, 3000, true), [100_000, 100_000, 100_000, 101_500]);
    }
}
