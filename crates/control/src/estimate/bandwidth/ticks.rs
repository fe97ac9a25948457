// SPDX-License-Identifier: MIT OR Apache-2.0
//! Westwood+'s estimate in the units of a kernel (Linux 6.1 `net/ipv4/tcp_westwood.c`): time in ticks, data in whole
//! bytes.

use crate::window::Rescale;
use units::{Span, Time};

/// The cascade of [`RttBwe`](super::RttBwe) in ticks and bytes per tick, and the smallest RTT that Linux stores for
/// this module.
#[derive(Clone, Debug, saved::Plain)]
pub struct TickedBwe {
    tick: Span,
    /// `TCP_WESTWOOD_RTT_MIN`, ticks.
    min_window: u64,
    /// Payload bytes of a segment (`mss_cache`).
    mss: f64,
    /// `rtt_win_sx`: when the window opened, ticks.
    opened: u64,
    /// `bk`: bytes acknowledged since `opened`.
    acked: f64,
    /// `rtt`, in ticks. `None` before the first sample (where the kernel uses 20 s).
    rtt: Option<u64>,
    /// `rtt_min`, in ticks. `None` before the first sample and after a timeout (`reset_rtt_min`).
    min_rtt: Option<u64>,
    /// `bw_ns_est` and `bw_est`, in bytes/tick. `None` before the first sample.
    filtered: Option<[u64; 2]>,
}

impl TickedBwe {
    /// An estimator with ticks of length `tick`, which must not be zero. Its windows last one round trip, but at least
    /// `min_window`.
    pub fn new(tick: Span, min_window: Span) -> Self {
        debug_assert!(tick > Span::ZERO, "a tick must have a length");
        Self {
            tick,
            min_window: min_window.nanos() / tick.nanos(),
            mss: 1.0,
            opened: 0,
            acked: 0.0,
            rtt: None,
            min_rtt: None,
            filtered: None,
        }
    }

    /// The connection starts (`tcp_westwood_init`). Segments have `mss` bytes.
    pub fn start(&mut self, now: Time, mss: u32) {
        self.opened = self.ticks(now);
        self.mss = f64::from(mss.max(1));
    }

    /// Converts a time to ticks (`tcp_jiffies32`).
    fn ticks(&self, now: Time) -> u64 {
        now.nanos() / self.tick.nanos()
    }

    /// B in segments/s; `None` before the first sample.
    pub fn get(&self) -> Option<f64> {
        self.filtered.map(|[_, rate]| rate as f64 / self.mss / self.tick.secs_f64())
    }

    /// B times RTTmin in whole segments (`tcp_westwood_bw_rttmin`). `None` before the first sample. After a timeout,
    /// `None` until the next RTT sample.
    pub fn pipe(&self) -> Option<f64> {
        let [_, rate] = self.filtered?;
        Some((rate as f64 * self.min_rtt? as f64 / self.mss).floor())
    }

    /// A timeout (`CA_EVENT_LOSS`): the next ACK sets RTTmin.
    pub const fn forget_min_rtt(&mut self) {
        self.min_rtt = None;
    }

    /// Processes an ACK of `segments`, with its RTT sample if there is one (`tcp_westwood_ack`). Returns true if this
    /// ACK gave a bandwidth sample.
    pub fn on_ack(&mut self, now: Time, segments: f64, rtt: Option<Span>) -> bool {
        // tcp_westwood_pkts_acked: usecs_to_jiffies rounds up.
        self.rtt = rtt.map(|rtt| rtt.nanos().div_ceil(self.tick.nanos())).or(self.rtt);
        // westwood_update_window
        let now = self.ticks(now);
        let window = now.saturating_sub(self.opened);
        let closes = self.rtt.is_some_and(|rtt| window > rtt.max(self.min_window));
        if closes {
            self.take((self.acked / window as f64) as u64);
            (self.acked, self.opened) = (0.0, now);
        }
        self.acked += segments * self.mss;
        // update_rtt_min
        if let Some(rtt) = self.rtt {
            self.min_rtt = Some(self.min_rtt.map_or(rtt, |min| min.min(rtt)));
        }
        closes
    }

    /// `westwood_filter`: adds the sample `b`, in bytes/tick.
    fn take(&mut self, b: u64) {
        self.filtered = Some(match self.filtered {
            // The kernel treats a filter as empty if both values are zero.
            None | Some([0, 0]) => [b, b],
            Some([first, rate]) => {
                let first = (7 * first + b) / 8;
                [first, (7 * rate + first) / 8]
            }
        });
    }
}

/// Amounts in bytes are unchanged. Only the number of bytes in a segment changes.
impl Rescale for TickedBwe {
    fn rescale(&mut self, factor: f64) {
        self.mss /= factor;
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn at(ms: u64) -> Time {
        Time::ZERO + Span::from_millis(ms)
    }

    /// Ticks of 4 ms, segments of 1448 bytes, RTT 100.1 ms, which is 26 ticks. ACKs of one segment arrive every 10 ms
    /// from 104 ms on. The window of tick 0 closes at the first ACK after tick 26. This ACK arrives at 114 ms (tick
    /// 28), and one segment was acknowledged before it: floor(1448/28) = 51. The window of tick 28 closes at 224 ms
    /// (tick 56), because 214 ms is tick 53, only 25 ticks later. This window contains eleven segments: floor(15928/28)
    /// = 568. first = floor((7*51 + 568)/8) = 115, B = floor((7*51 + 115)/8) = 59. B RTTmin = floor(59*26/1448) = 1.
    #[test]
    fn by_hand() {
        let mut bwe = TickedBwe::new(Span::from_millis(4), Span::from_millis(50));
        bwe.start(Time::ZERO, 1448);
        let closed: Vec<u64> = (0..13_u64)
            .map(|k| 104 + 10 * k)
            .filter(|&ms| bwe.on_ack(at(ms), 1.0, Some(Span::from_micros(100_100))))
            .collect();
        assert_eq!(closed, [114, 224]);
        assert_eq!(bwe.filtered, Some([115, 59]));
        assert_eq!(bwe.pipe(), Some(1.0));
        assert!((bwe.get().unwrap() - 59.0 * 250.0 / 1448.0).abs() < 1e-9);
    }

    /// Both 30.147 ms and 30 ms are rounded up to 8 ticks (32 ms). The shortest window is more than 12 ticks, because
    /// 50/4 = 12.5.
    #[test]
    fn short_paths() {
        let mut bwe = TickedBwe::new(Span::from_millis(4), Span::from_millis(50));
        bwe.start(Time::ZERO, 1000);
        assert!(!bwe.on_ack(at(48), 1.0, Some(Span::from_micros(30_147))));
        assert!(bwe.on_ack(at(52), 1.0, Some(Span::from_millis(30))));
        assert_eq!(bwe.min_rtt, Some(8));
    }

    /// An empty filter is initialised, and so is a filter with two zeros. After a timeout, the next ACK sets RTTmin.
    #[test]
    fn empty_and_forgotten() {
        let mut bwe = TickedBwe::new(Span::from_millis(4), Span::ZERO);
        bwe.take(0);
        bwe.take(800);
        assert_eq!(bwe.filtered, Some([800, 800]));
        bwe.on_ack(at(0), 1.0, Some(Span::from_millis(8)));
        bwe.forget_min_rtt();
        bwe.on_ack(at(0), 1.0, Some(Span::from_millis(80)));
        assert_eq!(bwe.min_rtt, Some(20));
    }
}
