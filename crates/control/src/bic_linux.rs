// SPDX-License-Identifier: MIT OR Apache-2.0
//! BIC as Linux builds it (`net/ipv4/tcp_bic.c`, while it counted ACKs), in its own whole numbers.
//!
//! ```text
//! d = floor((W_max - W)/4)                              W grows by one segment per cnt ACKs
//! W <= 14:                cnt = W                       as Reno
//! W < W_max, d > 16:      cnt = W/16
//! W < W_max, d <= 1:      cnt = 20 W/4                  0.2 segments per round trip
//! W < W_max otherwise:    cnt = W/d
//! W < W_max + 4:          cnt = 20 W/4
//! W < W_max + 48:         cnt = 3 W/(W - W_max)
//! beyond:                 cnt = W/16
//! no W_max known:         cnt <= 20                     5 % per round trip
//! loss: W_max = W, or W (1024 + 819)/2048 if W < W_max; ssthresh = 819 W/1024, W/2 if W <= 14
//! ```
//!
//! All divisions round down, and cnt is divided by the smoothed number of segments per ACK (in sixteenths, 2 at the
//! start). It is recomputed when the window or 1/32 s has moved on. The differences from the paper: a quarter of the
//! distance instead of half, 0.2 segments instead of 0.01 beside `W_max`, half the largest increment, and a kept share
//! of 0.8 instead of 0.875.

use crate::loss_based::{LossBased, Parts, Reduction, Rule};
use crate::window::{Rescale, Window};
use crate::{Ack, Snapshot, Start};
use units::{Bytes, Span, Time};

/// `BICTCP_B`: the share of the distance that a round trip covers is 1/B.
const B: u64 = 4;
/// beta in 1/1024: the share kept.
const BETA: u64 = 819;
/// One in the fixed point of [`BETA`].
const BETA_SCALE: u64 = 1024;
/// One segment per ACK, in the fixed point of the delayed-ACK estimate.
const ACK_RATIO: u64 = 16;
/// How long an unchanged window's count is kept.
const UPDATE_INTERVAL: Span = Span::from_nanos(1_000_000_000 / 32);
/// Largest count while no `W_max` is known.
const OPENING_COUNT: u64 = 20;

/// What can be chosen about Linux's BIC: its module parameters.
#[derive(Clone, Copy, Debug)]
pub struct Parameters {
    /// Reno up to this window, segments (14).
    pub low_window: u64,
    /// Largest increment per round trip, segments (16; 32 in the first versions).
    pub max_increment: u64,
    /// Rounds from `W_max` - 4 to `W_max` (20).
    pub smooth_part: u64,
    /// Release capacity for new flows (on).
    pub fast_convergence: bool,
    /// The first threshold, segments; `None` leaves it unset (as in later kernels; 100 in the first).
    pub initial_ssthresh: Option<f64>,
}

/// The rule.
#[derive(Clone, Debug)]
pub struct BicLinux {
    parameters: Parameters,
    /// `last_max_cwnd`; 0 while unknown.
    w_max: u64,
    /// ACKs per segment of growth (`cnt`), and the window and the time that it was computed at.
    count: u64,
    computed: Option<(u64, Time)>,
    /// ACKs counted towards the next segment (`snd_cwnd_cnt`).
    acks: u64,
    /// Segments per ACK in sixteenths.
    delayed_ack: u64,
}

/// Linux's BIC with `parameters`, surrounded by `parts`.
pub const fn controller(parts: Parts, parameters: Parameters) -> LossBased<BicLinux> {
    let rule =
        BicLinux { parameters, w_max: 0, count: 1, computed: None, acks: 0, delayed_ack: 2 * ACK_RATIO };
    LossBased::new(rule, parts)
}

impl BicLinux {
    /// ACKs per segment of growth, before delayed ACKs, above `low_window`.
    fn search(&self, w: u64) -> u64 {
        let linear = w / self.parameters.max_increment;
        let smooth = w * self.parameters.smooth_part / B;
        let count = if w < self.w_max {
            let d = (self.w_max - w) / B;
            match d {
                0 | 1 => smooth,
                _ if d > self.parameters.max_increment => linear,
                _ => w / d,
            }
        } else if w < self.w_max + B {
            smooth
        } else if w < self.w_max + self.parameters.max_increment * (B - 1) {
            w * (B - 1) / (w - self.w_max)
        } else {
            linear
        };
        if self.w_max == 0 { count.min(OPENING_COUNT) } else { count }
    }

    /// Recomputes the count for a window of `w`, if need be.
    fn update(&mut self, w: u64, now: Time) {
        if self.computed.is_some_and(|(at, when)| at == w && now.since(when) <= UPDATE_INTERVAL) {
            return;
        }
        self.computed = Some((w, now));
        self.count = if w <= self.parameters.low_window {
            w
        } else {
            (self.search(w) * ACK_RATIO / self.delayed_ack.max(1)).max(1)
        };
    }
}

impl Rescale for BicLinux {
    fn rescale(&mut self, factor: f64) {
        self.w_max = (self.w_max as f64 * factor) as u64;
        // The count was computed for another window.
        self.computed = None;
    }
}

impl Rule for BicLinux {
    type Memory = ();

    fn start(&mut self, _event: &Start, window: &mut Window) {
        window.ssthresh = self.parameters.initial_ssthresh.unwrap_or(f64::INFINITY);
    }

    fn observe(&mut self, ack: &Ack<'_>, window: &mut Window) {
        if !ack.in_recovery && ack.acked > Bytes::ZERO {
            // delayed_ack += acked - delayed_ack / 16
            let acked = ack.acked.segments(window.mss) as u64;
            self.delayed_ack = self.delayed_ack - self.delayed_ack / ACK_RATIO + acked;
        }
    }

    fn avoidance(&mut self, ack: &Ack<'_>, _acked: f64, window: &Window) -> f64 {
        self.update((window.w as u64).max(1), ack.now);
        // tcp_cong_avoid_ai, counting one per ACK: what was counted at a larger cnt is worth one segment.
        let mut grown = 0;
        if self.acks >= self.count {
            self.acks = 0;
            grown = 1;
        }
        self.acks += 1;
        if self.acks >= self.count {
            grown += self.acks / self.count;
            self.acks %= self.count;
        }
        grown as f64
    }

    fn reduce(&mut self, _event: &Reduction, window: &Window) -> f64 {
        let w = window.w as u64;
        let shrinking = self.parameters.fast_convergence && w < self.w_max;
        self.w_max = if shrinking { w * (BETA_SCALE + BETA) / (2 * BETA_SCALE) } else { w };
        let kept = if w <= self.parameters.low_window { w / 2 } else { w * BETA / BETA_SCALE };
        kept as f64
    }

    fn timeout(&mut self) {
        // State Loss: bictcp_reset.
        self.w_max = 0;
        self.computed = None;
        self.delayed_ack = 2 * ACK_RATIO;
    }

    fn save(&self) {}
    fn restore(&mut self, (): ()) {}

    fn snapshot(&self, out: &mut Snapshot) {
        out.push(("w_max_segments", self.w_max as f64));
        out.push(("acks_per_segment", self.count as f64));
        out.push(("segments_per_ack", self.delayed_ack as f64 / ACK_RATIO as f64));
    }
}
