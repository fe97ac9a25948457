// SPDX-License-Identifier: MIT OR Apache-2.0
//! Segmentation offload. New data are sent in bursts, as in Linux 6.1 (`tcp_write_xmit`).
//!
//! The window still counts segments, and the path carries single packets. Only the sending times change, and the last
//! packet of a burst carries PSH. Repairs are sent as without offload. Here, the application's data are one piece,
//! whereas Linux also divides them at every 64 kB. If an application writes its data slowly, the data are sent as they
//! are written.

use super::Sender;
use crate::Flags;
use crate::recovery::Release;
use units::{Bytes, Span, Time};

/// Largest payload of a burst: `GSO_LEGACY_MAX_SIZE` minus (`MAX_TCP_HEADER` + 1) (`sk_dst_gso_max_size`).
const LARGEST: u64 = 65_536 - 257;
/// Smallest number of segments in a burst, if the window allows it (`tcp_min_tso_segs`).
const LEAST: u64 = 2;
/// Determines how much larger a burst may be on a short path (`tcp_tso_rtt_log`).
const RTT_LOG: u32 = 9;
/// If this part of the window (1/3) is free, a burst does not wait (`tcp_tso_win_divisor`).
const WINDOW_DIVISOR: u64 = 3;
/// At the pacing rate, a burst lasts 2^-10 s (`sk_pacing_shift`, `sock_init_data`).
const PACING_SHIFT: u32 = 10;
/// Pacing rate in percent of the window per round trip (`tcp_pacing_ss_ratio` and `tcp_pacing_ca_ratio`).
const IN_SLOW_START: u64 = 200;
const IN_AVOIDANCE: u64 = 120;
/// A burst does not wait if the next ACK is expected after a longer time, or if nothing was sent for this time
/// (`tcp_tso_should_defer`).
const PATIENCE: Span = Span::from_millis(1);

/// The burst that is being sent.
#[derive(Clone, Copy, Debug, Default, saved::Plain)]
pub(super) struct Burst {
    /// Number of segments of the burst that must still be sent.
    left: u64,
    /// Whether the burst has more than one segment.
    many: bool,
    /// Whether the segment that is sent now is the last segment of the burst.
    ends: bool,
}

impl Sender {
    /// Returns the next segment that the windows allow, as a part of a burst.
    #[inline(never)]
    pub(super) fn choose_in_burst(&mut self, now: Time) -> Option<u64> {
        let mut burst = self.pacing.burst.unwrap_or_default();
        let chosen = self.choose(now);
        burst.ends = false;
        match chosen {
            None => burst.left = 0,
            Some(seq) if self.recovery.forced.is_some() || seq < self.board.next() => {}
            Some(_) => {
                if burst.left == 0 {
                    // A new burst waits until the pacing time of the complete previous burst has passed.
                    let release = self.cc.release(self.pacing.pacer.due());
                    if release > now {
                        self.pacing.blocked_until = release;
                        return None;
                    }
                    let size = self.burst_size(now);
                    if size == 0 {
                        return None;
                    }
                    burst = Burst { left: size, many: size > 1, ends: false };
                }
                burst.left -= 1;
                burst.ends = burst.left == 0 && burst.many;
                self.pacing.pacer.let_out();
            }
        }
        self.pacing.burst = Some(burst);
        chosen
    }

    /// Returns PSH if the segment that is sent now is the last segment of a burst of several segments
    /// (`__tcp_transmit_skb`).
    #[cold]
    pub(super) fn push(&self) -> Flags {
        Flags::when(self.pacing.burst.is_some_and(|burst| burst.ends), Flags::PSH)
    }

    /// Number of segments in the burst that may begin at `now`. With 0, the burst waits until the window has more room.
    fn burst_size(&mut self, now: Time) -> u64 {
        let (next, room) = (self.board.next(), self.room());
        let queued = self.buffer.end - next;
        if room == 0 || queued == 1 || self.config.trickle.is_some() {
            return 1;
        }
        let window = self.flow.limit - next;
        let most = self.most();
        if self.defers(now, room.min(window), most, queued) {
            // The burst waits for the window, so the window counts as limiting (`is_cwnd_limited`; tcp_cwnd_validate).
            if room < window {
                self.cc.use_window(true, &self.board);
            }
            return 0;
        }
        // At least two bursts should be in flight (tcp_cwnd_test).
        let quota = u64::midpoint(self.board.pipe(), room).max(1).min(room);
        quota.min(most).min(window).min(queued)
    }

    /// Largest number of segments in a burst (`tcp_tso_segs`, `tcp_tso_autosize`).
    fn most(&self) -> u64 {
        let mss = u64::from(self.config.mss);
        if let Some(quantum) = self.cc.control.quantum {
            // The controller's quantum replaces the computed size (BBR: `bbr_min_tso_segs`).
            return (quantum.get().min(LARGEST) / mss).max(1);
        }
        let paced = self.rate_of_bursts() >> PACING_SHIFT;
        let shift = self.timer.min_rtt.map_or(u64::MAX, |rtt| (rtt.nanos() / 1000) >> RTT_LOG);
        let near = if shift < 32 { LARGEST >> shift } else { 0 };
        ((paced + near).min(LARGEST) / mss).max(LEAST)
    }

    /// The pacing rate in bytes per second. If the controller sets no rate, it is computed as in
    /// `tcp_update_pacing_rate`.
    fn rate_of_bursts(&self) -> u64 {
        if let Some(rate) = self.cc.control.pacing {
            return rate.bits_per_s() / 8;
        }
        let Some(srtt) = self.timer.rtt.srtt().filter(|&srtt| srtt > Span::ZERO) else {
            return LARGEST << PACING_SHIFT;
        };
        let cwnd = self.cc.control.cwnd;
        let starting = self.cc.control.ssthresh.is_none_or(|ssthresh| cwnd < Bytes::new(ssthresh.get() / 2));
        let percent = if starting { IN_SLOW_START } else { IN_AVOIDANCE };
        let window = self.bytes_of(self.cc.window.max(self.board.outstanding())).get();
        let rate = u128::from(window) * u128::from(percent) * 10_000_000 / u128::from(srtt.nanos());
        u64::try_from(rate).unwrap_or(u64::MAX)
    }

    /// Number of further segments that congestion control allows.
    fn room(&self) -> u64 {
        if !self.window_open() {
            return 0;
        }
        let by_window = || self.inflated_window().saturating_sub(self.board.pipe()).max(1);
        self.recovery.release.as_ref().map_or_else(by_window, Release::segments)
    }

    /// Whether the burst waits, although `limit` of at most `most` segments could be sent now (`tcp_tso_should_defer`).
    fn defers(&self, now: Time, limit: u64, most: u64, queued: u64) -> bool {
        let (pipe, outstanding) = (self.board.pipe(), self.board.outstanding());
        let receiver = self.flow.limit - self.board.una();
        let chunk = receiver.min(pipe + self.room());
        if self.recovery.is_repairing()
            || outstanding == 0
            || now.since(self.sent.last_at) > PATIENCE
            || limit >= most
            || limit > queued
            || WINDOW_DIVISOR * limit >= chunk
        {
            return false;
        }
        // The time at which the next ACK is expected.
        let Some(srtt) = self.timer.rtt.srtt() else { return false };
        let expected = self.board.record(self.board.una()).sent_at + srtt;
        expected.since(now) <= (srtt / 2).min(PATIENCE)
    }
}
