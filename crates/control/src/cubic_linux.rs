// SPDX-License-Identifier: MIT OR Apache-2.0
//! CUBIC as in Linux (`net/ipv4/tcp_cubic.c`), in the kernel's integer arithmetic.
//!
//! ```text
//! one segment of growth per cnt acknowledged; t and K in 1/1024 s, C = 410/1024
//! K = cbrt((W_max - W)/C), 0 from W_max on      target = W_max -+ C |t + RTTmin - K|^3
//! cnt = W/(target - W), 100 W at and beyond the target; at most 20 while no W_max is known
//! W_est += 1 per 15 W/8 acknowledged (alpha = 8/15); W_est > W: cnt <= W/(W_est - W);  cnt >= 2
//! loss: W_max = W, or W (1024 + 717)/2048 if W < W_max; ssthresh = 717 W/1024       timeout: all forgotten
//! ```
//!
//! All divisions round down. cnt is computed again when the window has changed or 1/32 s has passed. Each of these
//! differences from RFC 9438 changes results:
//!
//! 1. Before the first loss, the window grows by at least 5 % of the acknowledged segments. By the RFC, a curve begins
//!    instead.
//! 2. The curve is evaluated at t + RTTmin and not at t + SRTT.
//! 3. alpha stays below 1 after `W_est` has reached the window of the last loss.
//! 4. Linux's `HyStart` ends slow start. The RFC recommends `HyStart++`.
//! 5. t includes time in which the application or the receiver limited sending. After an idle period, the curve is
//!    shifted by the time since the newest ACK (`cubictcp_cwnd_event`, `CA_EVENT_TX_START`). Linux 2.6.22 does not
//!    shift the curve.
//!
//! t counts from the first ACK of congestion avoidance after the repair of a loss (`bictcp_update`, `epoch_start`).
//!
//! Linux 2.6.22 (`reading = "ns-2"`) differs further. beta is 819/1024, and there is no `HyStart`. ACKs are counted,
//! and cnt is divided by the smoothed number of segments per ACK. Before the first loss, cnt is 50. Above `W_max`,
//! growth is at most 16 segments in 100 ms.

use crate::catalogue::parts::{self, WINDOW_RULE, parts};
use crate::catalogue::{Entry, parameters};
use crate::cubic::CUBIC;
use crate::linux::{AckRatio, Credit, READING, Reading};
use crate::loss_based::{LossBased, Parts, Reduction, Rule};
use crate::slow_start::SlowStart;
use crate::window::{Rescale, Window};
use crate::{Ack, Snapshot};
use units::{Span, Time};

/// `BICTCP_BETA_SCALE`.
const SCALE: u64 = 1024;
/// C in 1/1024 segments/s^3 (`bic_scale` * 10).
const C: u64 = 410;
/// Number of units of t and K in a second (`BICTCP_HZ`).
const UNITS_PER_S: u128 = 1024;
/// 2^(10 + 3 * 10): the fixed-point format of C times the cube of t.
const CUBE_BITS: u32 = 40;
/// Time after which the count is computed again although the window has not changed.
const UPDATE_INTERVAL: Span = Span::from_nanos(1_000_000_000 / 32);
/// Smallest number of acknowledged segments per segment of growth.
const MIN_COUNT: u64 = 2;
/// `max_increment` of 2.6.22: largest growth above `W_max` within [`INCREMENT_TIME`], in segments.
const MAX_INCREMENT: u128 = 16;
/// The time in which the window may grow by [`MAX_INCREMENT`], in ns.
const INCREMENT_TIME: u128 = 100_000_000;

parameters! {
    /// Parameters of Linux's CUBIC.
    pub struct Parameters {
        reading: Reading as READING;
        /// releases capacity to new flows; a single flow does better without it
        fast_convergence: bool = flag(true), "Linux 6.1 net/ipv4/tcp_cubic.c";
        /// true makes growth at least as fast as Reno's, which decides the growth on short paths and at small windows
        tcp_friendliness: bool = flag(true), "Linux 6.1 net/ipv4/tcp_cubic.c";
    }
}

/// A stage of congestion avoidance.
#[derive(Clone, Copy, Debug, saved::Plain)]
struct Epoch {
    start: Time,
    /// K in 1/1024 s.
    k: u64,
    /// `bic_origin_point`: the plateau.
    origin: u64,
    /// Segments acknowledged since the last growth of `W_est` (`ack_cnt`), and `W_est` (`tcp_cwnd`).
    acked: u64,
    w_est: u64,
}

/// The window rule of Linux's CUBIC.
#[derive(Clone, Debug, saved::Plain)]
pub struct CubicLinux {
    parameters: Parameters,
    /// `last_max_cwnd`; 0 means unknown.
    w_max: u64,
    epoch: Option<Epoch>,
    /// `cnt`. `computed` contains the window and the time at which `cnt` was computed.
    count: u64,
    computed: Option<(u64, Time)>,
    credit: Credit,
    /// Used only in the reading of 2.6.22.
    ratio: AckRatio,
    /// Time of the newest ACK.
    last_ack: Time,
}

/// Linux's CUBIC with `parameters`, combined with `parts`.
pub const fn controller(parts: Parts, parameters: Parameters) -> LossBased<CubicLinux> {
    let rule = CubicLinux {
        parameters,
        w_max: 0,
        epoch: None,
        count: 1,
        computed: None,
        credit: Credit::NONE,
        ratio: AckRatio::NONE,
        last_ack: Time::ZERO,
    };
    LossBased::new(rule, parts)
}

/// `cubic_root`, rounded down exactly. (The kernel's result has a mean error of 0.2 %.)
fn cubic_root(a: u64) -> u64 {
    if a == 0 {
        return 0;
    }
    let mut x = 1_u64 << ((u64::BITS - a.leading_zeros()) / 3 + 1);
    loop {
        let next = (2 * x + a / (x * x)) / 3;
        if next >= x {
            return x;
        }
        x = next;
    }
}

impl CubicLinux {
    /// beta in 1/1024: the fraction of the window that remains after a loss.
    const fn beta(&self) -> u64 {
        match self.parameters.reading {
            Reading::Linux => 717,
            Reading::Ns2 => 819,
        }
    }

    /// `bictcp_update` for an ACK of `acked` segments at a window of `w` segments.
    fn update(&mut self, now: Time, acked: u64, w: u64, min_rtt: Option<Span>) {
        if let Some(epoch) = &mut self.epoch {
            epoch.acked += acked;
        }
        if self.computed.is_some_and(|(at, when)| at == w && now.since(when) <= UPDATE_INTERVAL) {
            return;
        }
        self.computed = Some((w, now));
        let mut epoch = self.epoch.unwrap_or_else(|| {
            // K = cbrt((W_max - W)/C), in 1/1024 s.
            let k = cubic_root((1 << CUBE_BITS) / C * self.w_max.saturating_sub(w));
            Epoch { start: now, k, origin: self.w_max.max(w), acked, w_est: w }
        });
        let ahead = now.since(epoch.start) + min_rtt.unwrap_or(Span::ZERO);
        let t = (u128::from(ahead.nanos()) * UNITS_PER_S / 1_000_000_000) as u64;
        // C |t + RTTmin - K|^3, in u128, so that epochs of years do not overflow. The kernel's 64 bits overflow 347 s
        // from K.
        let offset = u128::from(t.abs_diff(epoch.k));
        let delta =
            u64::try_from((u128::from(C) * offset * offset * offset) >> CUBE_BITS).unwrap_or(u64::MAX);
        let target =
            if t < epoch.k { epoch.origin.saturating_sub(delta) } else { epoch.origin.saturating_add(delta) };
        let mut count = if target > w { w / (target - w) } else { 100 * w };
        match self.parameters.reading {
            Reading::Linux if self.w_max == 0 => count = count.min(20),
            Reading::Linux => {}
            Reading::Ns2 => {
                if let Some(rtt) = min_rtt.filter(|rtt| *rtt > Span::ZERO && t >= epoch.k) {
                    // min_cnt: max_increment segments in 100 ms
                    let least = u128::from(w) * INCREMENT_TIME / (MAX_INCREMENT * u128::from(rtt.nanos()));
                    count = count.max(least as u64);
                }
                if self.w_max == 0 {
                    count = 50;
                }
            }
        }
        if self.parameters.tcp_friendliness {
            let beta = self.beta();
            // alpha = 3 (1 - beta)/(1 + beta), computed as the number of acknowledged segments in eighths of a window.
            let per_segment = ((w * (8 * (SCALE + beta) / 3 / (SCALE - beta))) >> 3).max(1);
            // while ack_cnt > delta
            let grown = epoch.acked.saturating_sub(1) / per_segment;
            epoch.acked -= grown * per_segment;
            epoch.w_est += grown;
            if let Some(most) = w.checked_div(epoch.w_est.saturating_sub(w)) {
                count = count.min(most);
            }
        }
        self.epoch = Some(epoch);
        self.count = match self.parameters.reading {
            Reading::Linux => count.max(MIN_COUNT),
            Reading::Ns2 => self.ratio.divide(count),
        };
    }
}

impl Rescale for CubicLinux {
    fn rescale(&mut self, factor: f64) {
        self.w_max = (self.w_max as f64 * factor) as u64;
        // The curve was computed for another window.
        (self.epoch, self.computed) = (None, None);
    }
}

impl Rule for CubicLinux {
    type Memory = ();

    fn observe(&mut self, ack: &Ack<'_>, window: &mut Window) {
        self.ratio.observe(ack, window.mss);
        self.last_ack = ack.now;
    }

    fn idle(&mut self, now: Time, _window: &mut Window) {
        // cubictcp_cwnd_event, CA_EVENT_TX_START
        if let Some(epoch) = self.epoch.as_mut().filter(|_| self.parameters.reading == Reading::Linux) {
            epoch.start += now.since(self.last_ack);
        }
    }

    fn slow_start(&mut self, counted: f64, _window: &Window) -> f64 {
        self.parameters.reading.slow_start(counted)
    }

    fn avoidance(&mut self, ack: &Ack<'_>, acked: f64, window: &Window) -> f64 {
        let counted = if self.parameters.reading == Reading::Ns2 { 1.0 } else { acked };
        self.update(ack.now, counted as u64, (window.w as u64).max(1), window.min_rtt);
        self.credit.grow(self.parameters.reading, counted, self.count) as f64
    }

    // The module of Linux 2.6.22 does not define .min_cwnd.
    fn keeps_window_in_repair(&self) -> bool {
        true
    }

    fn reduce(&mut self, _event: &Reduction, window: &Window) -> f64 {
        self.credit.clear();
        self.epoch = None;
        let (w, beta) = (window.w as u64, self.beta());
        let shrinking = self.parameters.fast_convergence && w < self.w_max;
        self.w_max = if shrinking { w * (SCALE + beta) / (2 * SCALE) } else { w };
        (w * beta / SCALE) as f64
    }

    fn timeout(&mut self) {
        // State Loss: bictcp_reset
        (self.w_max, self.epoch, self.computed) = (0, None, None);
        self.ratio = AckRatio::NONE;
    }

    fn save(&self) {}
    fn restore(&mut self, (): ()) {}

    fn snapshot(&self, out: &mut Snapshot) {
        out.push(("w_max_segments", self.w_max as f64));
        out.push(("count", self.count as f64));
        if let Some(epoch) = &self.epoch {
            out.push(("w_est_segments", epoch.w_est as f64));
            out.push(("k_s", epoch.k as f64 / UNITS_PER_S as f64));
        }
    }
}

pub(crate) const CUBIC_LINUX: Entry = Entry {
    name: "cubic-linux",
    summary: "CUBIC as in Linux: integer arithmetic, HyStart, 5 % per round trip before the first loss",
    equations: "slow start: W += acked, ended by HyStart (delay of a round, or a train of ACKs)\n\
                K = cbrt((W_max - W)/C), 0 if W >= W_max; target = W_max -+ C |t + RTTmin - K|^3, C = 410/1024; \
                t from the first ACK of avoidance, without idle time (ns-2: with it)\n\
                avoidance: W += 1 per cnt acknowledged, cnt = floor(W/(target - W)), 100 W at the target; at most 20 \
                without W_max; at most floor(W/(W_est - W)) if W_est > W; at least 2\n\
                W_est += 1 per floor(15 W/8) acknowledged\n\
                loss: W_max = W, or floor(1741 W/2048) if W < W_max; ssthresh = max(floor(717 W/1024), 2), W = ssthresh\n\
                timeout: ssthresh likewise, W = 1, W_max forgotten\n\
                ns-2: 819 for 717 and 23 for 15; per ACK, cnt divided by the segments per ACK; cnt = 50 without W_max; \
                at least W 100 ms/(16 RTTmin) from W_max on, not at least 2; slow start: W += 1 per ACK",
    own: &[
        &[
            READING,
            parts::slow_start(
                "hystart",
                "Linux 6.1 net/ipv4/tcp_cubic.c",
                "with reading = \"ns-2\", \"hystart\" has the effect of \"classic\", because the kernel of ns-2 \
                 (2.6.22) had no HyStart",
            ),
            parts::no_growth_limit("Linux tcp_slow_start (no limit)"),
        ],
        &Parameters::LIST.all,
    ],
    frame: WINDOW_RULE,
    sources: &["Linux 6.1 net/ipv4/tcp_cubic.c", "ns-2.35 tcp/linux/src/tcp_cubic.c (Linux 2.6.22)"],
    limits: "Every loss counts as congestion. Times are exact; Linux counts ticks (4 ms in many builds). The \
             cube root is exact; Linux's cube root has a mean error of 0.2 %. As in Linux, the time t of the \
             growth curve includes times in which the application or the receiver limited sending \
             (cubictcp_cong_avoid returns, and epoch_start is unchanged). After such a time, the window grows \
             by up to half of the acknowledged segments. With reading = \"ns-2\", the window grows by all \
             acknowledged segments. HyStart acts only in the first slow start; in Linux, HyStart starts again \
             after a timeout. As in Linux, a loss reduces the window to a fraction of the window, and not to a \
             fraction of FlightSize. An undo restores the window and the threshold, but not W_max.",
    papers: CUBIC.papers,
    draws: false,
    construct: |settings| {
        let parameters = Parameters::read(settings);
        let mut parts = parts(settings);
        if parameters.reading == Reading::Ns2 && matches!(parts.slow_start, SlowStart::HyStartLinux { .. }) {
            parts.slow_start = SlowStart::Classic { limit: 1.0 };
        }
        Box::new(controller(parts, parameters))
    },
};

#[cfg(test)]
mod tests {
    use super::cubic_root;

    /// Tests exact cubes, and the numbers before and after each cube.
    #[test]
    fn the_cube_root_is_exact_to_the_unit() {
        for x in [1_u64, 2, 3, 7, 100, 9_303, 65_535, 2_000_000] {
            let cube = x * x * x;
            assert_eq!([cubic_root(cube - 1), cubic_root(cube), cubic_root(cube + 1)], [x - 1, x, x], "{x}");
        }
        // RFC 9438, figure 2, for a loss at 1000 segments: cbrt(300/0.4) = 9.0856 s. With C = 0.4004, the result is
        // 9.0826 s.
        assert_eq!(cubic_root((1 << 40) / 410 * 300), (9.082_6 * 1024.0) as u64);
    }
}
