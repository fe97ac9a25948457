// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pacing: bursts of one quantum, released on a schedule. Idle time earns nothing beyond the next burst.

use units::{Bytes, Rate, Span, Time};

/// Release schedule of one sender.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pacer {
    /// When the next burst may start.
    due: Time,
    /// What may still leave of the burst that has started.
    burst_left: u64,
    /// Rate and length of the last packet, and how long it took: a 128-bit division saved per packet.
    cached: (Rate, u32, Span),
}

impl Pacer {
    /// When the next packet may leave; not later than now means at once.
    pub(crate) fn release(&self) -> Time {
        if self.burst_left > 0 { Time::ZERO } else { self.due }
    }

    /// The next packet belongs to a burst that has begun.
    pub(crate) fn let_out(&mut self) {
        self.burst_left = self.burst_left.max(1);
    }

    /// When what has left is paid for.
    pub(crate) fn due(&self) -> Time {
        self.due
    }

    /// A packet of `len` bytes leaves at `now`.
    pub(crate) fn sent(&mut self, now: Time, len: u32, rate: Rate, quantum: Bytes) {
        if now >= self.due {
            self.due = now;
            self.burst_left = quantum.get();
        }
        if self.cached.0 != rate || self.cached.1 != len {
            self.cached = (rate, len, rate.time_for(Bytes::new(len.into())));
        }
        self.burst_left = self.burst_left.saturating_sub(len.into());
        self.due += self.cached.2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // 1000 B at 8 Mbit/s take 1 ms.
    const RATE: Rate = Rate::from_bits_per_s(8_000_000);

    /// Release times of `n` packets of 1000 B by a sender that always has data.
    fn releases(pacer: &mut Pacer, from_ms: u64, n: usize, quantum: u64) -> Vec<u64> {
        let mut now = Time::from_nanos(from_ms * 1_000_000);
        (0..n)
            .map(|_| {
                now = now.max(pacer.release());
                pacer.sent(now, 1000, RATE, Bytes::new(quantum));
                now.nanos() / 1_000_000
            })
            .collect()
    }

    #[test]
    fn one_segment_at_a_time() {
        let mut pacer = Pacer::default();
        assert_eq!(releases(&mut pacer, 5, 4, 1000), [5, 6, 7, 8]);
        // After idling nothing has accumulated.
        assert_eq!(releases(&mut pacer, 100, 3, 1000), [100, 101, 102]);
    }

    #[test]
    fn bursts_of_a_quantum_keep_the_rate() {
        let mut pacer = Pacer::default();
        assert_eq!(releases(&mut pacer, 0, 7, 3000), [0, 0, 0, 3, 3, 3, 6]);
    }
}
