// SPDX-License-Identifier: MIT OR Apache-2.0
//! The round-trip time that the receiver measures. It is the time from an acknowledgement to the arrival of the first
//! data that were sent after this acknowledgement arrived.

use units::{Span, Time};

/// A tick of TCP's timestamp clock, which is a millisecond (Linux, `TCP_TS_HZ`).
const TICK_NS: u64 = 1_000_000;

/// An estimate of the round-trip time (Linux 6.1, `tcp_rcv_rtt_update`). A larger sample raises the estimate by 1/8 of
/// the difference. A smaller sample replaces the estimate.
///
/// Acknowledgements carry a stamp that data echo. In TCP, the stamp has 32 bits. Here, the stamp has eight bits, and it
/// changes only while every echo can belong to one acknowledgement. If a path is longer than 255 ms, a part of each
/// round trip therefore does not provide a sample.
#[derive(Clone, Debug, saved::Plain)]
pub(super) struct RoundTrip {
    /// For each stamp, the time in milliseconds at which its ACK was sent.
    left_ms: Box<[u64; 256]>,
    /// The newest stamp that was sent, and the newest stamp that came back. Both begin at 0, which means that there is
    /// none.
    stamp: u8,
    echoed: u8,
    /// Eight times the estimate, in microseconds. With 0, there is no estimate yet.
    estimate: u64,
    /// Used without timestamps: the right edge of a window, and the time at which it was announced. A complete window
    /// takes at least a round trip.
    mark: Option<(u64, Time)>,
}

impl RoundTrip {
    pub(super) fn new() -> Self {
        Self { left_ms: Box::new([0; 256]), stamp: 0, echoed: 0, estimate: 0, mark: None }
    }

    /// The estimate, or `None` before the first sample.
    pub(super) fn get(&self) -> Option<Span> {
        (self.estimate > 0).then(|| Span::from_nanos(self.estimate * 1000 / 8))
    }

    /// Returns the stamp of an acknowledgement that is sent now.
    pub(super) fn stamp(&mut self, now: Time) -> u8 {
        let (next, now_ms) = (self.stamp.wrapping_add(1), now.nanos() / TICK_NS);
        let is_later = self.stamp == 0 && self.echoed == 0 || now_ms > self.left_ms[usize::from(self.stamp)];
        if is_later && next != self.echoed {
            self.stamp = next;
            self.left_ms[usize::from(next)] = now_ms;
        }
        self.stamp
    }

    /// Processes data that echo this stamp (`tcp_rcv_rtt_measure_ts`).
    pub(super) fn on_echo(&mut self, now: Time, stamp: u8) {
        let ahead = stamp.wrapping_sub(self.echoed);
        if ahead == 0 || ahead > self.stamp.wrapping_sub(self.echoed) {
            return;
        }
        self.echoed = stamp;
        let ms = (now.nanos() / TICK_NS - self.left_ms[usize::from(stamp)]).max(1);
        self.update(ms * 1000, false);
    }

    /// Processes in-order data up to byte `next`, with a window of `window` bytes (`tcp_rcv_rtt_measure`).
    pub(super) fn on_window(&mut self, now: Time, next: u64, window: u64) {
        if let Some((end, since)) = self.mark {
            if next < end {
                return;
            }
            self.update((now.since(since).nanos() / 1000).max(1), true);
        }
        self.mark = Some((next + window, now));
    }

    fn update(&mut self, sample_us: u64, by_window: bool) {
        let sample = 8 * sample_us;
        if self.estimate == 0 || sample < self.estimate {
            self.estimate = sample;
        } else if !by_window {
            self.estimate = self.estimate - self.estimate / 8 + sample_us;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RoundTrip;
    use units::{Span, Time};

    const fn ms(ms: u64) -> Time {
        Time::from_nanos(ms * 1_000_000)
    }

    #[test]
    fn takes_the_shorter_at_once_and_an_eighth_of_the_longer() {
        let mut rtt = RoundTrip::new();
        let first = rtt.stamp(ms(10));
        assert_eq!(rtt.stamp(ms(10)), first, "the same millisecond");
        let second = rtt.stamp(ms(30));
        assert_ne!(first, second);
        rtt.on_echo(ms(110), first);
        assert_eq!(rtt.get(), Some(Span::from_millis(100)));
        // The second packet with this stamp may be late for any reason, so it is not a sample.
        rtt.on_echo(ms(115), first);
        assert_eq!(rtt.get(), Some(Span::from_millis(100)));
        // The new estimate is 100 + (180 - 100) / 8.
        rtt.on_echo(ms(210), second);
        assert_eq!(rtt.get(), Some(Span::from_millis(110)));
        let third = rtt.stamp(ms(300));
        rtt.on_echo(ms(350), third);
        assert_eq!(rtt.get(), Some(Span::from_millis(50)));
        // The echo of an older stamp is ignored.
        rtt.on_echo(ms(360), second);
        assert_eq!(rtt.get(), Some(Span::from_millis(50)));
    }

    #[test]
    fn on_long_paths_stamps_wait_for_their_echo() {
        let mut rtt = RoundTrip::new();
        let stamps: Vec<u8> = (0..600).map(|i| rtt.stamp(ms(1000 + i))).collect();
        assert_eq!((stamps[0], stamps[254], stamps[599]), (1, 255, 255));
        rtt.on_echo(ms(1600), stamps[0]);
        assert_eq!(rtt.get(), Some(Span::from_millis(600)));
        rtt.on_echo(ms(1854), stamps[254]);
        assert_eq!(rtt.get(), Some(Span::from_millis(600)));
        assert_eq!(rtt.stamp(ms(1855)), 0, "round the corner");
        rtt.on_echo(ms(2355), 0);
        assert_eq!(rtt.get(), Some(Span::from_millis(500)));
    }

    #[test]
    fn a_whole_window_is_a_bound_from_above() {
        let mut rtt = RoundTrip::new();
        rtt.on_window(ms(0), 1000, 10_000);
        rtt.on_window(ms(50), 10_999, 20_000);
        assert_eq!(rtt.get(), None);
        rtt.on_window(ms(60), 11_000, 20_000);
        assert_eq!(rtt.get(), Some(Span::from_millis(60)));
        rtt.on_window(ms(160), 31_000, 20_000);
        assert_eq!(rtt.get(), Some(Span::from_millis(60)), "only the minimum");
    }
}
