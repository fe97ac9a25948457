// SPDX-License-Identifier: MIT OR Apache-2.0
//! Detects a token-bucket policer on the path (Linux, "long-term" sampling). If two intervals have much loss and nearly
//! the same throughput, the path contains a policer. For 48 rounds of PROBE_BW, this throughput then replaces the
//! bandwidth estimate.

use units::{Bytes, Time};

/// Smallest number of rounds in an interval (Linux `bbr_lt_intvl_min_rtts`). If an interval has more than four times
/// this number, it is discarded.
const MIN_ROUNDS: u32 = 4;
/// Smallest ratio of lost to delivered data in a lossy interval: 19.5 % (Linux `bbr_lt_loss_thresh`, 50/256).
const LOSS_RATIO: f64 = 50.0 / 256.0;
/// Two throughputs are equal if their relative difference is at most this value (Linux `bbr_lt_bw_ratio`).
const SAME_RATIO: f64 = 0.125;
/// Two throughputs are equal if their difference is at most this value, 4 kbit/s (Linux `bbr_lt_bw_diff`). The larger
/// of the two limits applies.
const SAME_BYTES_PER_S: f64 = 500.0;
/// Rounds in PROBE_BW after which the policer is forgotten (Linux `bbr_lt_bw_max_rtts`).
const MAX_ROUNDS: u32 = 48;
/// Shortest interval, s. An interval does not end before this time.
const MIN_INTERVAL_S: f64 = 1e-3;

/// What an ACK with a delivery-rate sample reports.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about one ACK, each named")]
pub struct Report {
    /// Time of the ACK.
    pub now: Time,
    /// Bytes delivered so far.
    pub delivered: Bytes,
    /// Bytes lost so far.
    pub total_lost: Bytes,
    /// Whether a packet was lost since the last report.
    pub lost: bool,
    /// Whether the application or PROBE_RTT limited the sample.
    pub held_back: bool,
    /// Whether a round began.
    pub round_start: bool,
    /// Whether the state is PROBE_BW.
    pub probing: bool,
}

/// The detector (Linux, `bbr_lt_bw_sampling()`). Rates are bytes/s.
#[derive(Clone, Debug, Default, saved::Plain)]
pub struct Policer {
    /// Start of the interval, and the totals of delivered and lost bytes at this time. `None` before the first loss.
    since: Option<(Time, Bytes, Bytes)>,
    rounds: u32,
    /// Throughput of the previous interval.
    last: Option<f64>,
    /// The rate of the detected policer.
    rate: Option<f64>,
    /// Time of the last report, and the totals of delivered and lost bytes in this report.
    newest: (Time, Bytes, Bytes),
}

impl Policer {
    /// The policer's rate, bytes/s; `None` if no policer is detected.
    pub const fn rate(&self) -> Option<f64> {
        self.rate
    }

    /// Processes a timeout of the retransmission timer, at which `presumed` bytes are presumed lost (Linux,
    /// `bbr_set_state()`). The timeout counts as a round with a loss at the time of the last ACK. The next ACK does not
    /// count these losses again. Returns the same value as [`Self::update`].
    pub fn time_out(&mut self, presumed: Bytes, probing: bool) -> bool {
        let (now, delivered, lost) = self.newest;
        let total_lost = lost + presumed;
        self.update(&Report {
            now,
            delivered,
            total_lost,
            lost: true,
            held_back: false,
            round_start: true,
            probing,
        })
    }

    /// Processes a report. Returns true if the detected policer was forgotten at this report.
    pub fn update(&mut self, report: &Report) -> bool {
        self.newest = (report.now, report.delivered, report.total_lost);
        if self.rate.is_some() {
            self.rounds += u32::from(report.probing && report.round_start);
            let over = self.rounds >= MAX_ROUNDS;
            if over {
                self.reset();
            }
            return over;
        }
        // The first loss begins the interval, because the bucket is then empty.
        if self.since.is_none() && !report.lost {
            return false;
        }
        let (began, delivered, lost) =
            *self.since.get_or_insert((report.now, report.delivered, report.total_lost));
        if report.held_back {
            self.reset();
            return false;
        }
        self.rounds += u32::from(report.round_start);
        if self.rounds > 4 * MIN_ROUNDS {
            self.reset();
        } else if self.rounds >= MIN_ROUNDS && report.lost {
            let delivered = report.delivered.saturating_sub(delivered).get() as f64;
            let lost = report.total_lost.saturating_sub(lost).get() as f64;
            let interval = report.now.since(began).secs_f64();
            if delivered > 0.0 && lost >= LOSS_RATIO * delivered && interval >= MIN_INTERVAL_S {
                self.end(delivered / interval, report);
            }
        }
        false
    }

    /// Discards the interval and the detected policer. Sampling begins again at the next loss (Linux,
    /// `bbr_reset_lt_bw_sampling()`).
    pub fn reset(&mut self) {
        *self = Self { newest: self.newest, ..Self::default() };
    }

    /// Ends a lossy interval with the throughput `rate`.
    fn end(&mut self, rate: f64, report: &Report) {
        let same = |last: f64| (rate - last).abs() <= (SAME_RATIO * last).max(SAME_BYTES_PER_S);
        self.rate = self.last.filter(|last| same(*last)).map(|last| f64::midpoint(rate, last));
        self.last = Some(rate);
        self.since = Some((report.now, report.delivered, report.total_lost));
        self.rounds = 0;
    }
}
