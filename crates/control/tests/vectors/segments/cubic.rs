// SPDX-License-Identifier: MIT OR Apache-2.0
//! CUBIC in whole numbers, written from Linux (`net/ipv4/tcp_cubic.c`): time in 1/1024 s, fractions in 1/1024.
//!
//! ```text
//! K = cbrt(2^40 / (41 * 10) * (W_max - W)), 1/1024 s       C = 41 * 10 / 1024 = 0.4004 segments/s^3
//! target = W_max -+ (41 * 10 * |t + RTT_min - K|^3) / 2^40
//! one segment of growth per W / (target - W) acknowledged, or per 100 W at and beyond the target; at least 2
//! Reno's window: one segment per 15 W / 8 acknowledged;  if it is ahead by d: at most W / d per segment of growth
//! loss: W_max = W, or W (1024 + 717) / 2048 if W < W_max;  ssthresh = 717 W / 1024
//! ```
//!
//! All divisions round down. Differences from Linux:
//!
//! 1. The cube root is exact to the unit. In Linux, a table and one step of Newton's method have a mean error of 0.2 %.
//! 2. A decrease starts from `FlightSize` (see [`super`]). `W_max` is the window.
//! 3. `HyStart` is off, so slow start ends at a loss.
//! 4. As in Linux, t does not count the time in which sending stops completely. It counts other application-limited
//!    time.
//! 5. The clock ticks in milliseconds (HZ = 1000).

use super::Module;
use bentpipe_control::Snapshot;
use units::{Span, Time};

/// `BICTCP_BETA_SCALE`.
const SCALE: u64 = 1024;
/// Number of fractional bits of a second in the unit of t and K (`BICTCP_HZ`).
const SECOND_BITS: u32 = 10;
/// 2^(10 + 3 * 10): the fixed-point format of C times the cube of t.
const CUBE_BITS: u32 = 40;
/// Ticks of the clock in a second.
const HZ: u64 = 1000;

/// Parameters of the module. Linux uses [`Parameters::LINUX`].
#[derive(Clone, Debug)]
pub struct Parameters {
    /// The fraction of the window that remains after a loss, in 1/1024.
    pub beta: u64,
    /// C in 10/1024 segments/s^3.
    pub bic_scale: u64,
    pub fast_convergence: bool,
}

impl Parameters {
    pub const LINUX: Self = Self { beta: 717, bic_scale: 41, fast_convergence: true };
}

/// An epoch of congestion avoidance.
#[derive(Clone, Debug)]
struct Epoch {
    /// Start of the epoch, in ticks.
    start: u64,
    /// K in 1/1024 s.
    k: u64,
    /// `bic_origin_point`.
    origin: u64,
    /// Segments acknowledged since Reno's window last grew, and Reno's window.
    acked: u64,
    reno: u64,
    /// The time at which the count was computed, and the window at this time.
    computed: Option<(u64, u64)>,
    /// Number of acknowledged segments per segment of growth, before the comparison with Reno's window.
    count: u64,
}

/// The module CUBIC.
#[derive(Clone, Debug)]
pub struct Cubic {
    parameters: Parameters,
    last_max: u64,
    /// Smallest RTT, in ticks.
    delay_min: Option<u64>,
    epoch: Option<Epoch>,
}

fn ticks(span: Span) -> u64 {
    span.nanos() / (1_000_000_000 / HZ)
}

fn now_ticks(now: Time) -> u64 {
    ticks(now.since(Time::ZERO))
}

/// The largest integer whose cube is at most `a`. Newton's method starts above the result.
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

impl Cubic {
    pub const fn new(parameters: Parameters) -> Self {
        Self { parameters, last_max: 0, delay_min: None, epoch: None }
    }

    fn begin(&self, now: u64, acked: u64, cwnd: u64) -> Epoch {
        let gap = self.last_max.saturating_sub(cwnd);
        let per_segment = (1 << CUBE_BITS) / (self.parameters.bic_scale * 10);
        Epoch {
            start: now,
            k: cubic_root(per_segment * gap),
            origin: self.last_max.max(cwnd),
            acked,
            reno: cwnd,
            computed: None,
            count: 0,
        }
    }
}

impl Module for Cubic {
    fn rtt(&mut self, rtt: Span) {
        let rtt = ticks(rtt).max(1);
        self.delay_min = Some(self.delay_min.map_or(rtt, |least| least.min(rtt)));
    }

    fn count(&mut self, now: Time, acked: u64, cwnd: u64) -> u64 {
        let now = now_ticks(now);
        let fresh = self.begin(now, 0, cwnd);
        let epoch = self.epoch.get_or_insert(fresh);
        epoch.acked += acked;
        // The count is computed at most once per tick. If the window has not changed, it is computed at most once in
        // 1/32 s.
        let due = epoch.computed.is_none_or(|(at, w)| now != at && (w != cwnd || now - at > HZ / 32));
        if due {
            epoch.computed = Some((now, cwnd));
            let t = ((now - epoch.start + self.delay_min.unwrap_or(0)) << SECOND_BITS) / HZ;
            let cube = t.abs_diff(epoch.k).pow(3);
            let delta = (self.parameters.bic_scale * 10 * cube) >> CUBE_BITS;
            let target = if t < epoch.k { epoch.origin - delta } else { epoch.origin + delta };
            epoch.count = if target > cwnd { cwnd / (target - cwnd) } else { 100 * cwnd };
        }
        // "TCP friendliness": alpha = 3 (1 - beta)/(1 + beta), computed as the number of acknowledged segments in
        // eighths of a window.
        let beta = self.parameters.beta;
        let per_window = 8 * (SCALE + beta) / 3 / (SCALE - beta);
        let per_segment = (cwnd * per_window) >> 3;
        while epoch.acked > per_segment {
            epoch.acked -= per_segment;
            epoch.reno += 1;
        }
        let ahead = epoch.reno.saturating_sub(cwnd);
        let most = cwnd.checked_div(ahead).unwrap_or(u64::MAX);
        epoch.count.min(most).max(2)
    }

    fn ssthresh(&mut self, flight: u64, cwnd: u64) -> u64 {
        let Parameters { beta, fast_convergence, .. } = self.parameters;
        let shrinking = fast_convergence && cwnd < self.last_max;
        self.last_max = if shrinking { cwnd * (SCALE + beta) / (2 * SCALE) } else { cwnd };
        self.epoch = None;
        flight * beta / SCALE
    }

    fn lost(&mut self) {
        // bictcp_reset
        *self = Self::new(self.parameters.clone());
    }

    fn resume(&mut self, now: Time, idle: Span) {
        if let Some(epoch) = &mut self.epoch {
            epoch.start = (epoch.start + ticks(idle)).min(now_ticks(now));
        }
    }

    fn numbers(&self, out: &mut Snapshot) {
        if let Some(epoch) = &self.epoch {
            out.push(("w_max_segments", epoch.origin as f64));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::cubic_root;

    /// Tests exact cubes, and the integers before and after each cube.
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
