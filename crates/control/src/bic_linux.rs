// SPDX-License-Identifier: MIT OR Apache-2.0
//! BIC as in Linux (`net/ipv4/tcp_bic.c`), in the kernel's integer arithmetic.
//!
//! ```text
//! d = floor((W_max - W)/4)                              W grows by one segment per cnt segments acknowledged
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
//! All divisions round down. cnt is divided by the smoothed number of segments per ACK (in sixteenths, initially two
//! segments). cnt is computed again when the window has changed or 1/32 s has passed. There are four differences from
//! the paper. A round trip covers a quarter of the distance instead of half. Growth near `W_max` is 0.2 segments
//! instead of 0.01. The largest increment is half as large. After a loss, 0.8 of the window remains instead of 0.875.
//!
//! Linux 6.1 counts segments (`tcp_cong_avoid_ai`) *and* divides by the segments per ACK. With one ACK per two
//! segments, all increments are therefore twice as large as in the formulas. Linux 2.6.22, which TCP-Linux in ns-2
//! uses, counts ACKs. In this version, the division compensates for delayed ACKs, and one of cnt + 1 ACKs is not
//! counted (`bictcp_cong_avoid`).

use crate::bic::{BIC, FAST_CONVERGENCE};
use crate::catalogue::parts::{self, WINDOW_RULE, parts};
use crate::catalogue::{Entry, parameters};
use crate::linux::{AckRatio, Credit, READING, Reading};
use crate::loss_based::{LossBased, Parts, Reduction, Rule};
use crate::window::{Rescale, Window};
use crate::{Ack, Snapshot, Start};
use units::{Span, Time};

/// `BICTCP_B`: a round trip covers 1/B of the distance to `W_max`.
const B: u64 = 4;
/// beta in 1/1024: the fraction of the window that remains after a loss.
const BETA: u64 = 819;
/// The value 1 in the fixed-point format of [`BETA`].
const BETA_SCALE: u64 = 1024;
/// Time after which the count is computed again although the window has not changed.
const UPDATE_INTERVAL: Span = Span::from_nanos(1_000_000_000 / 32);
/// Largest count while no `W_max` is known.
const OPENING_COUNT: u64 = 20;

parameters! {
    /// Parameters of Linux's BIC: its module parameters.
    pub struct Parameters {
        reading: Reading as READING;
        /// up to this window the rule is Reno's
        low_window: u64 = number("segments", 14.0, 0.0..=1e6), "Linux net/ipv4/tcp_bic.c";
        /// largest growth per round trip
        max_increment: u64 = number("segments", 16.0, 1.0..=1e6),
            "Linux net/ipv4/tcp_bic.c (32 in its first versions)";
        /// number of round trips in which the window grows from W_max - 4 to W_max
        smooth_part: u64 = number("rounds", 20.0, 1.0..=1e6), "Linux net/ipv4/tcp_bic.c";
        fast_convergence: bool as FAST_CONVERGENCE;
        /// initial threshold; with 100, slow start does not overshoot, but flows on long paths are slow
        initial_ssthresh: f64 = number("segments", 0.0, 0.0..=1e9),
            "Linux net/ipv4/tcp_bic.c (0: unset; 100 in its first versions)";
    }
}

/// The window rule of Linux's BIC.
#[derive(Clone, Debug, saved::Plain)]
pub struct BicLinux {
    parameters: Parameters,
    /// `last_max_cwnd`; 0 means unknown.
    w_max: u64,
    /// Number of segments (or ACKs) after which the window grows by one segment (`cnt`).
    count: u64,
    computed: Option<(u64, Time)>,
    credit: Credit,
    ratio: AckRatio,
}

/// Linux's BIC with `parameters`, combined with `parts`.
pub const fn controller(parts: Parts, parameters: Parameters) -> LossBased<BicLinux> {
    let rule = BicLinux {
        parameters,
        w_max: 0,
        count: 1,
        computed: None,
        credit: Credit::NONE,
        ratio: AckRatio::NONE,
    };
    LossBased::new(rule, parts)
}

impl BicLinux {
    /// `cnt` above `low_window`, before the division by the number of segments per ACK.
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

    /// Computes the count for a window of `w` again, if the stored count is out of date.
    fn update(&mut self, w: u64, now: Time) {
        if self.computed.is_some_and(|(at, when)| at == w && now.since(when) <= UPDATE_INTERVAL) {
            return;
        }
        self.computed = Some((w, now));
        self.count = if w <= self.parameters.low_window { w } else { self.ratio.divide(self.search(w)) };
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
        let initial = self.parameters.initial_ssthresh;
        window.ssthresh = if initial > 0.0 { initial } else { f64::INFINITY };
    }

    fn observe(&mut self, ack: &Ack<'_>, window: &mut Window) {
        self.ratio.observe(ack, window.mss);
    }

    fn slow_start(&mut self, counted: f64, _window: &Window) -> f64 {
        self.parameters.reading.slow_start(counted)
    }

    fn avoidance(&mut self, ack: &Ack<'_>, acked: f64, window: &Window) -> f64 {
        self.update((window.w as u64).max(1), ack.now);
        self.credit.grow(self.parameters.reading, acked, self.count) as f64
    }

    // The module of Linux 2.6.22 does not define .min_cwnd.
    fn keeps_window_in_repair(&self) -> bool {
        true
    }

    fn reduce(&mut self, _event: &Reduction, window: &Window) -> f64 {
        self.credit.clear();
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
        self.ratio = AckRatio::NONE;
    }

    fn save(&self) {}
    fn restore(&mut self, (): ()) {}

    fn snapshot(&self, out: &mut Snapshot) {
        out.push(("w_max_segments", self.w_max as f64));
        out.push(("count", self.count as f64));
        out.push(("segments_per_ack", self.ratio.get()));
    }
}

pub(crate) const BIC_LINUX: Entry = Entry {
    name: "bic-linux",
    summary: "BIC as in Linux: integer arithmetic, a quarter of the distance per round trip",
    equations: "W grows by 1 per cnt segments acknowledged (ns-2: per cnt + 1 ACKs), cnt = n 16/delayed_ack\n\
                d = floor((W_max - W)/4)\n\
                n = W up to low_window (without delayed_ack); W/max_increment if d > max_increment; \
                smooth_part W/4 if d <= 1 or W_max <= W < W_max + 4; W/d below W_max; 3 W/(W - W_max) up to \
                W_max + 3 max_increment; W/max_increment beyond; at most 20 without W_max\n\
                delayed_ack += acked - floor(delayed_ack/16), 32 at the start\n\
                loss: W_max = W, or floor(1843 W/2048) if W < W_max; ssthresh = floor(819 W/1024), \
                floor(W/2) up to low_window, at least 2; timeout: likewise, W = 1, W_max forgotten",
    own: &[&Parameters::LIST.all, &[parts::no_growth_limit("Linux tcp_slow_start (no limit)")]],
    frame: WINDOW_RULE,
    sources: &["Linux 6.1 net/ipv4/tcp_bic.c", "ns-2.35 tcp/linux/src/tcp_bic.c (Linux 2.6.22)"],
    limits: "Every loss counts as congestion. Linux estimates the number of segments per ACK. With an ACK for each \
             segment, the estimate settles at 31/16. With an ACK for every two segments, the estimate settles at 2. \
             With reading = \"6.1\", the window then grows twice as fast as the equations for n specify. With reading \
             = \"ns-2\", it grows exactly as the equations specify. As in Linux, a loss reduces the window to a \
             fraction of the window, and not to a fraction of FlightSize. An undo restores the window and the \
             threshold, but not W_max. At W = ssthresh, slow start continues for one more ACK with reading = \
             \"ns-2\".",
    papers: BIC.papers,
    draws: false,
    construct: |settings| Box::new(controller(parts(settings), Parameters::read(settings))),
};
