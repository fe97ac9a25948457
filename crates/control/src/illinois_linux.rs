// SPDX-License-Identifier: MIT OR Apache-2.0
//! TCP-Illinois with the arithmetic of Linux 6.1 (`net/ipv4/tcp_illinois.c`): the setting `reading = "6.1"` of
//! [`illinois`](crate::illinois).
//!
//! alpha is in 1/128, beta is in 1/64, RTTs are whole microseconds, and all divisions round down. Four properties
//! change results:
//!
//! 1. The ACK that ends a recovery counts all segments that it covers, even if they were SACKed before
//!    (`tcp_illinois_acked`). The window grows by about alpha at once (`tcp_illinois_cong_avoid`).
//! 2. alpha and beta do not change during a recovery. When the recovery ends, both are computed from all RTTs of the
//!    recovery, and a new round trip begins.
//! 3. If an ACK acknowledges a retransmission, its RTT comes from TCP's timestamps, which have whole milliseconds
//!    (`sampled_rtt` in `linux`). RTTmin is therefore rounded down to a millisecond. On a short path, the code takes
//!    the removed fraction for a queueing delay. At 100 Mbit/s and 30 ms, this error is 0.12 ms, and d_1 is 0.15 ms.
//! 4. When the window grows, segments that were counted beyond the needed number are not counted again.

use crate::illinois::{ALPHA_BASE, BETA_BASE, Parameters};
use crate::linux::sampled_rtt;
use crate::loss_based::{LossBased, Parts, Reduction, Rule};
use crate::vegas::RoundTrip;
use crate::window::{Rescale, Window};
use crate::{Ack, Snapshot};
use units::{Bytes, Time};

/// `ALPHA_SCALE`: alpha is stored in 1/128.
const ALPHA_SCALE: f64 = 128.0;
/// `BETA_SCALE`: beta is stored in 1/64.
const BETA_SCALE: f64 = 64.0;
/// `RTT_MAX`, in microseconds: U32_MAX divided by `ALPHA_MAX`.
const RTT_MAX: u64 = 3_355_443;

/// RTTs of a round, in microseconds.
#[derive(Clone, Copy, Debug, Default, saved::Plain)]
struct Rtts {
    sum: u64,
    count: u64,
}

/// The window rule of Linux's TCP-Illinois.
#[derive(Clone, Debug, saved::Plain)]
pub struct IllinoisLinux {
    parameters: Parameters,
    /// alpha in 1/128.
    alpha: u64,
    /// beta in 1/64.
    beta: u64,
    /// `rtt_above` and `rtt_low`: whether the delay has exceeded d_1, and the number of rounds below d_1 since then.
    above: bool,
    low: u32,
    /// `base_rtt` and `max_rtt`, in microseconds.
    base: u64,
    max: u64,
    rtts: Rtts,
    round: RoundTrip,
    /// `pkts_acked` of the newest ACK: all segments that it covers cumulatively.
    acked: u64,
    /// `snd_cwnd_cnt`: segments counted since the window last grew.
    count: u64,
    /// Whether a recovery is in progress.
    recovering: bool,
    /// Whether the losses of a timeout are being repaired.
    timed_out: bool,
}

/// Linux's TCP-Illinois with `parameters`, combined with `parts`.
pub fn controller(parts: Parts, parameters: Parameters) -> LossBased<IllinoisLinux> {
    let rule = IllinoisLinux {
        parameters,
        alpha: fixed(parameters.alpha_max, ALPHA_SCALE),
        beta: fixed(BETA_BASE, BETA_SCALE),
        above: false,
        low: 0,
        base: u64::MAX,
        max: 0,
        rtts: Rtts::default(),
        round: RoundTrip::FIRST,
        acked: 0,
        count: 0,
        recovering: false,
        timed_out: false,
    };
    LossBased::new(rule, parts)
}

/// `value` in units of `1/scale`, rounded down.
fn fixed(value: f64, scale: f64) -> u64 {
    (value * scale) as u64
}

/// `fraction` times `whole`, rounded down.
fn share(whole: u64, fraction: f64) -> u64 {
    (whole as f64 * fraction) as u64
}

/// `alpha` for delays above `d1`, in 1/128. `da`, `dm` and `d1` are in microseconds, and `d1` < `da` <= `dm`.
fn alpha(curves: &Parameters, da: u64, dm: u64, d1: u64) -> u64 {
    let [min, max] = [curves.alpha_min, curves.alpha_max].map(|alpha| fixed(alpha, ALPHA_SCALE));
    let span = dm - d1;
    span * max / (span + (da - d1) * (max - min) / min.max(1))
}

/// `beta`, in 1/64. `da` and `dm` are in microseconds.
fn beta(curves: &Parameters, da: u64, dm: u64) -> u64 {
    let [min, max] = [curves.beta_min, curves.beta_max].map(|beta| fixed(beta, BETA_SCALE));
    let [d2, d3] = [share(dm, curves.eta2), share(dm, curves.eta3)];
    if da <= d2 {
        min
    } else if da >= d3 || d3 <= d2 {
        max
    } else {
        // k3 + k4 da, with a common denominator
        (min * d3 + max.saturating_sub(min) * da).saturating_sub(max * d2) / (d3 - d2)
    }
}

impl IllinoisLinux {
    /// `tcp_illinois_acked`: stores the number of segments and the RTT of an ACK.
    fn sample(&mut self, ack: &Ack<'_>, mss: u32) {
        self.acked = ack.advance().segments(mss) as u64;
        if let Some(rtt) = sampled_rtt(ack) {
            let rtt = (rtt.nanos() / 1000).min(RTT_MAX);
            self.base = self.base.min(rtt);
            self.max = self.max.max(rtt);
            self.rtts.sum += rtt;
            self.rtts.count += 1;
        }
    }

    /// `update_params`: updates alpha and beta at the end of a round trip.
    fn update(&mut self, window: &Window) {
        let rtts = std::mem::take(&mut self.rtts);
        if window.w.floor() < self.parameters.win_thresh {
            self.alpha = fixed(ALPHA_BASE, ALPHA_SCALE);
            self.beta = fixed(BETA_BASE, BETA_SCALE);
        } else if let Some(mean) = rtts.sum.checked_div(rtts.count) {
            let (da, dm) = (mean - self.base, self.max - self.base);
            self.update_alpha(da, dm);
            self.beta = beta(&self.parameters, da, dm);
        }
    }

    fn end_round(&mut self, now: Time, window: &Window) {
        self.update(window);
        self.round.restart(now);
    }

    fn update_alpha(&mut self, da: u64, dm: u64) {
        let curves = self.parameters;
        let d1 = share(dm, curves.eta1);
        if da > d1 {
            self.above = true;
            self.alpha = alpha(&curves, da, dm, d1);
            return;
        }
        if self.above {
            self.low += 1;
            if self.low < self.parameters.theta {
                return;
            }
            (self.above, self.low) = (false, 0);
        }
        self.alpha = fixed(curves.alpha_max, ALPHA_SCALE);
    }

    /// `tcp_illinois_cong_avoid` above the threshold. Returns the growth in segments.
    fn grown(&mut self, w: u64) -> u64 {
        self.count += self.acked;
        let grown = self.count * self.alpha / ALPHA_SCALE as u64 / w.max(1);
        if grown > 0 {
            self.count = 0;
        }
        grown
    }
}

/// The state contains only whole segments of any size, so it does not change.
impl Rescale for IllinoisLinux {
    fn rescale(&mut self, _factor: f64) {}
}

impl Rule for IllinoisLinux {
    /// `tcp_reno_undo_cwnd` restores only the window.
    type Memory = ();

    fn observe(&mut self, ack: &Ack<'_>, window: &mut Window) {
        self.sample(ack, window.mss);
        // tcp_cong_control: during a recovery, PRR sets the window, and Linux does not call the module.
        let asked = ack.advance() > Bytes::ZERO && (!ack.in_recovery || self.timed_out);
        if asked && self.round.ends(ack) {
            self.update(window);
        }
    }

    fn avoidance(&mut self, _ack: &Ack<'_>, _acked: f64, window: &Window) -> f64 {
        self.grown(window.w as u64) as f64
    }

    fn reduce(&mut self, event: &Reduction, window: &Window) -> f64 {
        if self.recovering {
            // At a second reduction, Linux first ends the recovery (tcp_fastretrans_alert), which also ends the round
            // trip.
            self.end_round(event.now, window);
        }
        // tcp_init_cwnd_reduction, tcp_enter_loss
        self.count = 0;
        self.timed_out = event.sent_at.is_none();
        self.recovering = !self.timed_out;
        // tcp_illinois_ssthresh
        let w = window.w as u64;
        (w - w * self.beta / BETA_SCALE as u64) as f64
    }

    /// `tcp_illinois_state`: a timeout.
    fn timeout_at(&mut self, now: Time) {
        (self.recovering, self.timed_out) = (false, true);
        self.count = 0;
        self.alpha = fixed(ALPHA_BASE, ALPHA_SCALE);
        self.beta = fixed(BETA_BASE, BETA_SCALE);
        (self.above, self.low) = (false, 0);
        self.rtts = Rtts::default();
        self.round.restart(now);
    }

    /// `tcp_cong_control`: Linux calls the module again for the ACK that ends a recovery. The module counts all
    /// segments that this ACK covers.
    fn repaired(&mut self, now: Time, window: &mut Window) {
        self.timed_out = false;
        if !std::mem::take(&mut self.recovering) {
            return;
        }
        self.end_round(now, window);
        if window.limited && !window.in_slow_start() {
            let grown = self.grown(window.w as u64);
            window.grow(grown as f64, f64::INFINITY);
        }
    }

    fn save(&self) {}
    fn restore(&mut self, (): ()) {}

    fn snapshot(&self, out: &mut Snapshot) {
        out.push(("alpha_segments", self.alpha as f64 / ALPHA_SCALE));
        out.push(("beta", self.beta as f64 / BETA_SCALE));
        out.push(("max_rtt_ms", self.max as f64 / 1e3));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::illinois::tests::CURVES;

    /// Computed by hand with dm = 9139 us and d1 = 91. For da = 148: 9048 * 1280/(9048 + 57 * 1242/38 = 1863) =
    /// 11581440/10911 = 1061, which is 8.29 segments. For da = dm: 11581440/(9048 + 9048 * 1242/38 = 295726) =
    /// 11581440/304774 = 38. For beta, d2 = 913 and d3 = 7311. For da = 4112: (8 * 7311 + 24 * 4112 - 32 * 913)/6398 =
    /// 127960/6398 = 20.
    #[test]
    fn the_kernels_arithmetic() {
        assert_eq!(alpha(&CURVES, 148, 9139, 91), 1061);
        assert_eq!(alpha(&CURVES, 9139, 9139, 91), 38);
        assert_eq!([913, 914, 4112, 7310, 7311].map(|da| beta(&CURVES, da, 9139)), [8, 8, 20, 31, 32]);
        assert_eq!(beta(&CURVES, 1, 0), 32);
    }
}
