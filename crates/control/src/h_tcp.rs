// SPDX-License-Identifier: MIT OR Apache-2.0
//! H-TCP (R. Shorten, D. Leith, H-TCP: TCP for high-speed and long-distance networks, PFLDnet 2004), with the details
//! of Linux's `net/ipv4/tcp_htcp.c`. Note that beta is the fraction of the window that *remains* after a loss.
//!
//! ```text
//! f(D)  = 1 for D <= 1 s, else 1 + 10 (D - 1) + ((D - 1)/2)^2     D: time since the newest congestion event in which
//!                                                                    the window limited sending
//! alpha = 2 (1 - beta) max(1, f(D) scale)                         scale = RTTmin/100 ms within [0.1, 2]
//! beta  = RTTmin/RTTmax within [0.5, 0.8]
//! avoidance: W += min(alpha / W, 1) per acknowledged segment      loss: W = beta W
//! ```
//!
//! There are three cases in which beta is 0.5: at the first event, while RTTmin is at most 10 ms, and after a change of
//! the throughput. In the third case, the largest throughput B differs by more than a fifth between two consecutive
//! events. The path or its load has then changed.
//!
//! This code has these details of Linux:
//!
//! - D stops while an episode is repaired.
//! - A sample raises RTTmax only if it is at most 20 ms larger than RTTmax. At each event, RTTmax loses 5 % of its
//!   distance from RTTmin.
//! - B is measured over a window of segments, but over at least RTTmin, and is smoothed by (3 B + sample)/4. For four
//!   RTTmin after an event, each sample replaces B.
//!
//! The paper assumes a sender that always has data. Like CUBIC's t (RFC 9438, section 5.8), D does not count the time
//! in which the application, the receiver or an idle period limited sending. Growth is at most one segment per
//! acknowledged segment, as in Linux (`htcp_cong_avoid`). `reading = "6.1"` counts all time, as Linux does.
//!
//! `reading = "6.1"` also uses the kernel's arithmetic. f, scale and therefore alpha are computed in whole numbers, and
//! alpha changes only when the window grows. A segment is added when the number of counted segments times alpha reaches
//! W. The count then restarts from zero, and the ACK that added the segment is not counted. This arithmetic slows the
//! growth most if few ACKs are enough for a segment of growth.

use crate::catalogue::parts::{WINDOW_RULE, parts};
use crate::catalogue::{Entry, parameters};
use crate::linux::PaperOrLinux;
use crate::loss_based::{LossBased, Parts, Reduction, Rule};
use crate::window::{Rescale, Window};
use crate::{Ack, Snapshot, Start};
use units::{Span, Time};

/// `Delta_L`: time after an event in which the growth equals Reno's growth, s (2004 paper).
const DELTA_L: f64 = 1.0;
/// Lower bound of beta (2004 paper).
const BETA_MIN: f64 = 0.5;
/// Upper bound of beta (2004 paper).
const BETA_MAX: f64 = 0.8;
/// The RTT at which scale is 1 (Linux).
const REFERENCE_RTT_S: f64 = 0.1;
/// If RTTmin is at most this value, the RTT does not show the queue (Linux).
const SHORT_RTT: Span = Span::from_millis(10);
/// Largest increase of RTTmax by one sample (Linux).
const MAX_RTT_STEP: Span = Span::from_millis(20);
/// Fraction of the distance between RTTmax and RTTmin that remains after an event (Linux).
const MAX_RTT_KEPT: f64 = 0.95;
/// If the largest throughput changes by more than this fraction, the adaptive backoff is off (2004 paper).
const THROUGHPUT_CHANGE: f64 = 0.2;

parameters! {
    /// Parameters of H-TCP.
    pub struct Parameters {
        /// "6.1" uses the kernel's integer arithmetic, which slows down growth on long paths, where each segment of
        /// growth needs few ACKs
        reading: PaperOrLinux = word("paper"),
            "Shorten and Leith 2004 (paper); Linux 6.1 net/ipv4/tcp_htcp.c";
        /// makes growth proportional to the RTT, within 0.1 to 2 times the growth at 100 ms, so that flows of different
        /// RTT have more equal shares
        rtt_scaling: bool = flag(true), "Shorten and Leith 2004; Linux (use_rtt_scaling)";
        /// halves the window at a loss if the throughput has changed, so that new flows get a share
        bandwidth_switch: bool = flag(true), "Shorten and Leith 2004; Linux (use_bandwidth_switch)";
    }
}

/// The largest throughput between two congestion events.
#[derive(Clone, Copy, Debug, saved::Plain)]
struct Throughput {
    /// Segments acknowledged since `from`.
    acked: f64,
    from: Time,
    /// Smoothed throughput, segments/s.
    smoothed: f64,
    /// The largest `smoothed` since the newest event.
    largest: f64,
    /// The largest `smoothed` before the newest event.
    previous: f64,
}

/// State that an undo restores.
#[derive(Clone, Copy, Debug, saved::Plain)]
pub struct Memory {
    since: Time,
    last_event: Time,
    max_rtt: Span,
    beta: f64,
    adaptive: bool,
    previous: f64,
}

/// The window rule of H-TCP.
#[derive(Clone, Debug, saved::Plain)]
pub struct HTcp {
    parameters: Parameters,
    /// Time on the window's clock at which D was zero.
    since: Time,
    /// Time on the clock of the connection at which D was zero (`last_cong`).
    last_event: Time,
    max_rtt: Span,
    beta: f64,
    alpha: f64,
    /// Whether beta adapts. This is the case if the throughput had not changed at the newest event.
    adaptive: bool,
    throughput: Throughput,
    /// Segments counted since the last growth (`snd_cwnd_cnt`). Used only with whole numbers.
    counted: f64,
}

/// H-TCP with `parameters`, combined with `parts`.
pub const fn controller(parts: Parts, parameters: Parameters) -> LossBased<HTcp> {
    let rule = HTcp {
        parameters,
        since: Time::ZERO,
        last_event: Time::ZERO,
        max_rtt: Span::ZERO,
        beta: BETA_MIN,
        alpha: 1.0,
        adaptive: false,
        throughput: Throughput { acked: 0.0, from: Time::ZERO, smoothed: 0.0, largest: 0.0, previous: 0.0 },
        counted: 0.0,
    };
    LossBased::new(rule, parts)
}

/// f(D): segments of growth per round trip, before scale and beta.
fn f(d: f64) -> f64 {
    // 2004 paper: 1 + 10 (D - Delta_L) + ((D - Delta_L)/2)^2.
    let late = (d - DELTA_L).max(0.0);
    1.0 + 10.0 * late + 0.25 * late * late
}

/// The factor of [`f`] that depends on the RTT.
fn scale(min_rtt: Span) -> f64 {
    (min_rtt.secs_f64() * (1.0 / REFERENCE_RTT_S)).clamp(0.1, 2.0)
}

/// f(D) times scale in the kernel's whole numbers, at least 1 (`htcp_alpha_update`, with ticks of 1 ms).
fn factor(d: Span, min_rtt: Option<Span>) -> u64 {
    let millis = |span: Span| span.nanos() / 1_000_000;
    let late = millis(d).saturating_sub(1000);
    let factor = if late == 0 { 1 } else { 1 + (10 * late + (late / 2) * (late / 2) / 1000) / 1000 };
    // 8/scale. [`REFERENCE_RTT_S`] gives 8.
    let Some(eighths) = min_rtt.and_then(|rtt| 8000_u64.checked_div(10 * millis(rtt))) else { return factor };
    (8 * factor / eighths.clamp(4, 80)).max(1)
}

impl Throughput {
    /// Processes `acked` segments. A sample covers at least `needed` segments and at least the time `min_rtt`. If
    /// `fresh` is true, the sample replaces the smoothed throughput.
    fn observe(&mut self, now: Time, acked: f64, needed: f64, min_rtt: Span, fresh: bool) {
        self.acked += acked;
        if self.acked < needed {
            return;
        }
        let elapsed = now.since(self.from);
        if min_rtt == Span::ZERO || elapsed < min_rtt {
            return;
        }
        let sample = self.acked / elapsed.secs_f64();
        if fresh {
            (self.smoothed, self.largest) = (sample, sample);
        } else {
            self.smoothed = (3.0 * self.smoothed + sample) / 4.0;
            self.largest = self.largest.max(self.smoothed);
        }
        self.restart(now);
    }

    const fn restart(&mut self, now: Time) {
        self.acked = 0.0;
        self.from = now;
    }

    /// Called at an event. Returns true if the largest throughput has changed by more than a fifth since the previous
    /// event.
    fn has_changed(&mut self) -> bool {
        let previous = std::mem::replace(&mut self.previous, self.largest);
        (self.largest - previous).abs() > THROUGHPUT_CHANGE * previous
    }
}

impl HTcp {
    /// Whether values are whole numbers, as in Linux.
    fn is_whole(&self) -> bool {
        self.parameters.reading == PaperOrLinux::Linux
    }

    /// Sets D to 0.
    const fn restart(&mut self, now: Time, window: &Window) {
        (self.since, self.last_event) = (window.clock, now);
        self.throughput.restart(now);
    }

    /// The fraction of the flight that remains after an event.
    fn backoff(&mut self, min_rtt: Span) -> f64 {
        if self.parameters.bandwidth_switch && self.throughput.has_changed() {
            self.adaptive = false;
            return BETA_MIN;
        }
        if !self.adaptive || min_rtt <= SHORT_RTT || self.max_rtt == Span::ZERO {
            self.adaptive = true;
            return BETA_MIN;
        }
        // 2004 paper: beta = RTTmin / RTTmax. With this fraction, the path is still full when the queue has drained.
        (min_rtt.secs_f64() / self.max_rtt.secs_f64()).clamp(BETA_MIN, BETA_MAX)
    }
}

impl Rescale for Throughput {
    fn rescale(&mut self, factor: f64) {
        self.acked.rescale(factor);
        self.smoothed.rescale(factor);
        self.largest.rescale(factor);
        self.previous.rescale(factor);
    }
}

impl Rescale for Memory {
    fn rescale(&mut self, factor: f64) {
        self.previous.rescale(factor);
    }
}

impl Rescale for HTcp {
    fn rescale(&mut self, factor: f64) {
        self.throughput.rescale(factor);
    }
}

impl Rule for HTcp {
    type Memory = Memory;

    fn start(&mut self, event: &Start, window: &mut Window) {
        self.restart(event.now, window);
    }

    fn observe(&mut self, ack: &Ack<'_>, window: &mut Window) {
        if ack.in_recovery {
            self.restart(ack.now, window);
            return;
        }
        let min_rtt = window.min_rtt.unwrap_or(Span::ZERO);
        self.max_rtt = self.max_rtt.max(min_rtt);
        if let Some(rtt) = ack.rtt
            && rtt > self.max_rtt
            && rtt <= self.max_rtt + MAX_RTT_STEP
        {
            self.max_rtt = rtt;
        }
        if self.parameters.bandwidth_switch {
            let fresh = ack.now.since(self.last_event) < min_rtt * 4;
            let needed = window.w - self.alpha.max(1.0);
            self.throughput.observe(ack.now, ack.acked.segments(window.mss), needed, min_rtt, fresh);
        }
    }

    fn avoidance(&mut self, ack: &Ack<'_>, acked: f64, window: &Window) -> f64 {
        if self.is_whole() {
            // htcp_cong_avoid
            if self.counted * self.alpha < window.w {
                self.counted += acked;
                return 0.0;
            }
            let min_rtt = window.min_rtt.filter(|_| self.parameters.rtt_scaling);
            self.alpha = 2.0 * (1.0 - self.beta) * factor(ack.now.since(self.last_event), min_rtt) as f64;
            self.counted = 0.0;
            return 1.0;
        }
        let scale = if self.parameters.rtt_scaling { window.min_rtt.map_or(1.0, scale) } else { 1.0 };
        // 2004 paper: alpha = 2 (1 - beta) f(D). At D <= Delta_L, H-TCP is friendly to Reno.
        let d = window.clock.since(self.since).secs_f64();
        self.alpha = 2.0 * (1.0 - self.beta) * (f(d) * scale).max(1.0);
        // htcp_cong_avoid: at most one segment per ACK. In the paper, each ACK acknowledges one segment.
        (self.alpha / window.w).min(1.0) * acked
    }

    // The module of Linux 2.6.22 does not define .min_cwnd.
    fn keeps_window_in_repair(&self) -> bool {
        true
    }

    fn reduce(&mut self, event: &Reduction, window: &Window) -> f64 {
        let min_rtt = window.min_rtt.unwrap_or(Span::ZERO);
        self.beta = self.backoff(min_rtt);
        self.counted = 0.0;
        let above = self.max_rtt.saturating_sub(min_rtt);
        self.max_rtt = min_rtt + Span::from_secs_f64(above.secs_f64() * MAX_RTT_KEPT);
        if self.is_whole() {
            // htcp_param_update runs before the time of the event is stored.
            let scaled = window.min_rtt.filter(|_| self.parameters.rtt_scaling);
            self.alpha = 2.0 * (1.0 - self.beta) * factor(event.now.since(self.last_event), scaled) as f64;
        }
        self.restart(event.now, window);
        let kept = event.flight * self.beta;
        if self.is_whole() { kept.floor() } else { kept }
    }

    fn save(&self) -> Memory {
        Memory {
            since: self.since,
            last_event: self.last_event,
            max_rtt: self.max_rtt,
            beta: self.beta,
            adaptive: self.adaptive,
            previous: self.throughput.previous,
        }
    }

    fn restore(&mut self, memory: Memory) {
        Memory {
            since: self.since,
            last_event: self.last_event,
            max_rtt: self.max_rtt,
            beta: self.beta,
            adaptive: self.adaptive,
            previous: self.throughput.previous,
        } = memory;
    }

    fn snapshot(&self, out: &mut Snapshot) {
        out.push(("alpha_segments", self.alpha));
        out.push(("beta", self.beta));
        out.push(("max_rtt_ms", self.max_rtt.secs_f64() * 1e3));
        out.push(("throughput_segments_per_s", self.throughput.largest));
    }
}

pub(crate) const H_TCP: Entry = Entry {
    name: "h-tcp",
    summary: "H-TCP (Shorten and Leith 2004) with Linux's details",
    equations: "f(D) = 1 for D <= 1 s, else 1 + 10 (D - 1) + ((D - 1)/2)^2; D: time since the newest event's repair in \
                which the window limited sending (6.1: all time)\n\
                alpha = 2 (1 - beta) max(1, f(D) min(max(RTTmin/100 ms, 0.1), 2))\n\
                avoidance: W += acked min(alpha/W, 1)\n\
                6.1: W += 1 at the ACK after which segments counted times alpha reach W, counted again from 0; alpha in \
                whole numbers f and 8 x 100 ms/RTTmin\n\
                loss: beta = RTTmin/RTTmax within [0.5, 0.8]; 0.5 at the first event, at RTTmin <= 10 ms, \
                or if the largest throughput changed by more than 20 %\n\
                ssthresh = max(beta FlightSize, 2), W = ssthresh; timeout: ssthresh likewise, W = 1\n\
                RTTmax follows samples at most 20 ms above it, and keeps 95 % of RTTmax - RTTmin at an event",
    own: &[&Parameters::LIST.all],
    frame: WINDOW_RULE,
    sources: &["Shorten and Leith, PFLDnet 2004", "Linux 6.1 net/ipv4/tcp_htcp.c"],
    limits: "Every loss counts as congestion. RTTmin is the smallest RTT of the whole connection. After a handover to \
             a longer path, beta (the fraction of the window that remains after a loss) therefore stays small. The \
             RTT scaling is at most 2, which it reaches at an RTT of 200 ms. Over GEO, the window therefore grows \
             more slowly than with unlimited scaling. With reading = \"6.1\", the time D since the last loss includes \
             times in which the window did not limit sending, as in Linux (htcp_cong_time). After a long idle or \
             application-limited time, the window then grows by a segment per ACK. We did not have the paper itself, \
             so the implementation follows the Linux code. With reading = \"paper\", the arithmetic uses \
             floating-point numbers, and not the kernel's integers. If a reduction of the window is undone, beta is \
             also restored.",
    papers: &["R. Shorten, D. Leith, H-TCP: TCP for high-speed and long-distance networks, PFLDnet 2004"],
    draws: false,
    construct: |settings| Box::new(controller(parts(settings), Parameters::read(settings))),
};

#[cfg(test)]
mod tests {
    use super::*;

    /// 2004 paper with beta = 0.5, so that 2 (1 - beta) = 1: 1 + 10 + 1/4, 1 + 40 + 4, 1 + 100 + 25.
    #[test]
    fn growth_after_2_5_and_11_seconds() {
        assert_eq!([0.0, 1.0, 2.0, 5.0, 11.0].map(f), [1.0, 1.0, 11.25, 45.0, 126.0]);
    }

    /// Linux 6.1, by hand. 6 s after an event, the factor is 1 + (50000 + 2500^2/1000)/1000 = 1 + 56 = 57. An RTT of
    /// 100 ms gives 8000/1000 = 8 eighths, so the result is 57. 101 ms gives 7, so 57 * 8/7 = 65. 600 ms gives 1, which
    /// is raised to 4, so 114. 10 ms gives 80, so 5.
    #[test]
    fn whole_numbers() {
        let at = |s, ms| factor(Span::from_secs(s), Some(Span::from_millis(ms)));
        assert_eq!([at(6, 100), at(6, 101), at(6, 600), at(6, 10), at(1, 10)], [57, 65, 114, 5, 1]);
        assert_eq!(factor(Span::from_secs(6), None), 57);
    }

    /// Linux: RTTmin/100 ms, limited to [0.1, 2].
    #[test]
    fn scaling_with_the_rtt() {
        for (ms, wanted) in [(1, 0.1), (50, 0.5), (100, 1.0), (600, 2.0)] {
            assert!((scale(Span::from_millis(ms)) - wanted).abs() < 1e-12, "{ms} ms");
        }
    }
}
