// SPDX-License-Identifier: MIT OR Apache-2.0
//! Hybla as in Linux (`net/ipv4/tcp_hybla.c`), in the kernel's fixed-point arithmetic.
//!
//! Each of these differences from the 2004 paper changes results:
//!
//! 1. rho is in eighths, at least 1, and is computed from the smallest *smoothed* RTT. Queueing therefore never raises
//!    rho.
//! 2. The connection begins with floor(rho) segments, computed from the handshake's round trip. The initial window has
//!    no effect. Without a handshake, the connection begins with 2 segments until the first RTT sample.
//! 3. The window grows per ACK and not per segment, so delayed ACKs halve the growth.
//! 4. 2^rho is `2^min(floor(rho), 16)` times a table of 2^(k/8) in 1/128. Fractions of 1/128 segment are carried to
//!    later increments.
//! 5. The window is at most 65 535 segments.
//! 6. The initial threshold is not estimated, and the flow is paced only if the host's queue (fq) paces. At rho >= 16
//!    (RTT >= 400 ms), the first ACK adds 65 535 segments. Linux does the same.
//! 7. While the kernel is not in state Open, the window grows as in Reno. This code implements state Loss (the repair
//!    after a timeout), but not state Disorder (duplicate ACKs before a loss is declared).
//! 8. If an increment rounds to zero, the window grows by one segment per window of ACKs. Linux 2.6.22, which TCP-Linux
//!    in ns-2 uses, does not do this. In that version, a window above 128 rho^2 segments does not grow in avoidance at
//!    all.

use crate::catalogue::parts::PACING;
use crate::catalogue::{Entry, parameters};
use crate::hybla::RTT0;
use crate::linux::{Credit, READING, Reading};
use crate::loss_based::{LossBased, Parts, Reduction, Rule};
use crate::window::{Rescale, Window};
use crate::{Ack, Snapshot, Start};
use units::{Span, Time};

/// The value 1 in the fixed-point format of increments (1/128 segment).
const ONE: u64 = 128;
/// round(128 * 2^(k/8)) for k from 0 to 7, as in the kernel.
const FRACTIONS: [u64; 8] = [128, 139, 152, 165, 181, 197, 215, 234];
/// Largest window in segments (`snd_cwnd_clamp`).
const CLAMP: u64 = 65_535;
/// Largest integer part of rho in 2^rho. The oldest kernels had no such limit, and overflowed from rho = 25 on.
const MAX_EXPONENT: u64 = 16;
/// Window before the first RTT sample.
const FIRST_WINDOW: f64 = 2.0;

parameters! {
    /// Parameters of Linux's Hybla.
    pub struct Parameters {
        reading: Reading as READING;
        rtt0: Span as RTT0;
        /// initial threshold; on a long path, nothing else limits the first burst
        initial_ssthresh: f64 = number("segments", 0.0, 0.0..=1e9),
            "Linux (0: unset); ns-2's TCP-Linux (its window_)";
        pacing: bool as PACING;
    }
}

/// The window rule of Linux's Hybla.
#[derive(Clone, Debug, saved::Plain)]
pub struct HyblaLinux {
    reading: Reading,
    rtt0: Span,
    initial_ssthresh: f64,
    /// rho in eighths; 0 before the first sample.
    rho_3ls: u64,
    min_srtt: Option<Span>,
    /// Fractions of a segment, in 1/128, that have not been added to the window yet.
    cents: u64,
    /// ACKs since the window last grew (`snd_cwnd_cnt`).
    count: u64,
    /// Segments counted since the window last grew, while the window grows as Reno.
    reno: Credit,
    /// Whether the holes after a timeout are being filled (state Loss).
    repairing: bool,
}

/// Linux's Hybla with `parameters`.
pub fn controller(parameters: Parameters) -> LossBased<HyblaLinux> {
    let Parameters { reading, rtt0, initial_ssthresh, pacing } = parameters;
    let rule = HyblaLinux {
        reading,
        rtt0,
        initial_ssthresh,
        rho_3ls: 0,
        min_srtt: None,
        cents: 0,
        count: 0,
        reno: Credit::NONE,
        repairing: false,
    };
    LossBased::new(rule, Parts { pacing, ..Parts::classic(f64::INFINITY) })
}

/// `((1 << min(rho, 16)) * fraction - 128`: the increment in slow start, in 1/128 segment.
const fn slow_start_increment(rho_3ls: u64) -> u64 {
    let (whole, eighths) = (rho_3ls >> 3, rho_3ls & 7);
    let exponent = if whole < MAX_EXPONENT { whole } else { MAX_EXPONENT };
    (1 << exponent) * FRACTIONS[eighths as usize] - ONE
}

/// `(rho << 7) / window`: the increment in congestion avoidance, in 1/128 segment.
const fn avoidance_increment(rho_3ls: u64, w: u64) -> u64 {
    // rho^2 in 1/128: (rho * 8)^2 * 2.
    ((rho_3ls * rho_3ls) << 1) / w
}

impl HyblaLinux {
    /// Adds `increment` (1/128 segment) to a window of `w` segments, with the kernel's carries. Returns the new window.
    fn add(&mut self, w: u64, increment: u64, limit: u64) -> u64 {
        let mut grown = w + increment / ONE;
        self.cents += increment % ONE;
        if self.cents >= ONE {
            grown += self.cents / ONE;
            self.cents %= ONE;
            self.count = 0;
        }
        if self.reading == Reading::Linux && increment == 0 && self.count >= grown {
            grown += 1;
            self.count = 0;
        }
        grown.min(limit).min(CLAMP)
    }

    /// Computes rho from the smallest smoothed RTT (`hybla_recalc_param`).
    fn learn(&mut self, srtt: Span) {
        self.min_srtt = Some(srtt);
        // rho_3ls = max(srtt << 3 / rtt0, 8)
        self.rho_3ls = (srtt.nanos().saturating_mul(8) / self.rtt0.nanos()).clamp(8, 1 << 20);
    }

    /// When the connection begins, the window is at least floor(rho) segments.
    fn opening(&self, w: u64, window: &Window) -> u64 {
        if window.initial { w.max(self.rho_3ls >> 3) } else { w }
    }
}

impl Rescale for HyblaLinux {
    fn rescale(&mut self, _factor: f64) {}
}

impl Rule for HyblaLinux {
    type Memory = ();

    fn start(&mut self, event: &Start, window: &mut Window) {
        window.w = FIRST_WINDOW;
        // hybla_init: snd_cwnd = rho, at least 1.
        if let Some(rtt) = event.rtt {
            self.learn(rtt);
            window.w = (self.rho_3ls >> 3) as f64;
        }
        let initial = self.initial_ssthresh;
        window.ssthresh = if initial > 0.0 { initial } else { f64::INFINITY };
    }

    fn observe(&mut self, ack: &Ack<'_>, _window: &mut Window) {
        if let Some(srtt) = ack.srtt
            && self.min_srtt.is_none_or(|min| srtt < min)
        {
            self.learn(srtt);
        }
    }

    fn slow_start(&mut self, counted: f64, window: &Window) -> f64 {
        if self.repairing {
            return self.reading.slow_start(counted).min(CLAMP as f64 - window.w);
        }
        let w = self.opening(window.w as u64, window);
        let limit = if window.ssthresh.is_finite() { window.ssthresh as u64 } else { CLAMP };
        self.add(w, slow_start_increment(self.rho_3ls.max(8)), limit) as f64 - window.w
    }

    fn avoidance(&mut self, _ack: &Ack<'_>, acked: f64, window: &Window) -> f64 {
        let w = window.w as u64;
        if self.repairing {
            // tcp_reno_cong_avoid. In ns-2, the function of 2.6.22 counts bytes (sysctl_tcp_abc = 1).
            let grown = w + self.reno.grow(Reading::Linux, acked, w);
            return grown.min(CLAMP) as f64 - window.w;
        }
        let increment = avoidance_increment(self.rho_3ls.max(8), w);
        if increment < ONE {
            self.count += 1;
        }
        self.add(w, increment, CLAMP) as f64 - window.w
    }

    fn reduce(&mut self, _event: &Reduction, window: &Window) -> f64 {
        // tcp_init_cwnd_reduction, tcp_enter_loss
        (self.count, self.reno) = (0, Credit::NONE);
        // tcp_reno_ssthresh: max(cwnd >> 1, 2)
        ((window.w as u64) >> 1) as f64
    }
    fn timeout(&mut self) {
        self.repairing = true;
    }
    fn repaired(&mut self, _now: Time, _window: &mut Window) {
        self.repairing = false;
    }
    fn save(&self) {}
    fn restore(&mut self, (): ()) {
        self.repairing = false;
    }
    fn snapshot(&self, out: &mut Snapshot) {
        out.push(("rho", self.rho_3ls as f64 / 8.0));
    }
}

pub(crate) const HYBLA_LINUX: Entry = Entry {
    name: "hybla-linux",
    summary: "Hybla as in Linux: fixed-point arithmetic, growth per ACK, no initial threshold",
    equations: "rho8 = max(8 SRTTmin/RTT0, 8), in eighths; first W = floor(rho)\n\
                slow start: W += (2^min(floor(rho), 16) table[rho8 mod 8] - 128)/128 per ACK, up to ssthresh\n\
                avoidance: W += (2 rho8^2 / W)/128 per ACK; fractions of 1/128 are carried; zero adds 1 per W ACKs (not in ns-2)\n\
                W <= 65535; loss: ssthresh = max(floor(W/2), 2), W = ssthresh; timeout: W = 1",
    own: &[&Parameters::LIST.all],
    frame: &[],
    sources: &["Linux 6.1 net/ipv4/tcp_hybla.c", "ns-2.35 tcp/linux/src/tcp_hybla.c (Linux 2.6.22)"],
    limits: "If the RTT is 400 ms or more, the first ACK adds 65535 segments. Linux's state Disorder is not \
             modelled. A kernel measures the RTT in the handshake and begins with floor(rho) segments. Without \
             a simulated handshake, the first flight is 2 segments. In ns-2, the variable window_ also bounds \
             the window. To reproduce this bound, set the receiver's buffer to window_.",
    papers: &["C. Caini, R. Firrincieli, TCP Hybla: a TCP enhancement for heterogeneous networks, 2004"],
    draws: false,
    construct: |settings| Box::new(controller(Parameters::read(settings))),
};

#[cfg(test)]
mod tests {
    use super::*;

    /// 400 ms / 25 ms = 16. (2^16 * 128 - 128) / 128 = 65 535 segments. A larger rho gives the same result.
    #[test]
    fn first_increment_at_400_ms() {
        assert_eq!(slow_start_increment(16 * 8), 65_535 * 128);
        assert_eq!(slow_start_increment(24 * 8), 65_535 * 128);
    }

    /// rho = 1 gives Reno's increment: 2^1 - 1 = 1 segment. rho = 2.5 gives 2^2 * 181 - 128 = 596/128 = 4.656 (the
    /// exact value of 2^2.5 - 1 is 4.657).
    #[test]
    fn increments_of_small_rho() {
        assert_eq!(slow_start_increment(8), 128);
        assert_eq!(slow_start_increment(20), 596);
        // rho = 1, W = 10: 128 / 10 = 12; rho = 2.5, W = 10: 6.25 * 128 / 10 = 80.
        assert_eq!(avoidance_increment(8, 10), 12);
        assert_eq!(avoidance_increment(20, 10), 80);
    }
}
