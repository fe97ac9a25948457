// SPDX-License-Identifier: MIT OR Apache-2.0
//! TCP-Jersey and TCP-NJ: when routers warn of congestion, the window follows the estimated bandwidth.
//!
//! ```text
//! R_n = (T R_(n-1) + L_n)/((t_n - t_(n-1)) + T),  T = K RTT     L_n: segments that ACK n stands for
//! ownd = RTTmin R_n
//! an ACK with a warning:           ssthresh = max(2, ownd), W = min(W, ssthresh)     (rate control)
//! a loss, warned of:               the same
//! a loss without a warning:        repaired, W is unchanged     (crate::loss_verdict::Warning)
//! timeout:                         ssthresh = max(2, ownd), W = 1
//! slow start and avoidance as Reno
//! ```
//!
//! t_n is the time at which the ACK arrived (Jersey), or the time at which the receiver received the packet (NJ). The
//! return path does not affect the receiver's time. Sources: K. Xu, Y. Tian, N. Ansari, IEEE JSAC 22(4), 2004 (Jersey),
//! and, by the same authors, "Improving TCP performance in integrated wireless communications networks", Computer
//! Networks 47(2), 2005 (NJ).

use crate::catalogue::parts::{self, WINDOW_RULE, parts};
use crate::catalogue::{Entry, Parameter, parameters};
use crate::estimate::bandwidth::AckedSegments;
use crate::loss_based::{LossBased, Parts, Reduction, Rule};
use crate::reno;
use crate::window::{MAX_WINDOW_SEGMENTS, MIN_SSTHRESH_SEGMENTS, Rescale, Window};
use crate::{Ack, Signals, Snapshot};

/// The clock that gives t_n.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum Clock {
    /// The sender's clock, at the arrival of the ACK.
    Sender,
    /// The receiver's clock, at the arrival of the packet.
    Receiver,
}

parameters! {
    /// Parameters of Jersey.
    pub struct Parameters {
        /// memory of the bandwidth estimate; a longer memory smooths bursts, but the estimate lags behind a change of
        /// the rate
        memory_rtts: f64 = number("round trips", 1.0, 0.01..=100.0),
            "Xu, Tian and Ansari 2004 (K = 1; from memory)";
    }
}

/// The window rule of Jersey and NJ.
#[derive(Clone, Debug, saved::Plain)]
pub struct Jersey {
    clock: Clock,
    memory_rtts: f64,
    segments: AckedSegments,
    /// t_n of the previous ACK, in ns of the chosen clock. The zero of this clock is arbitrary.
    last_ns: Option<i64>,
    /// Segments of ACKs that have no t_n.
    untimed: f64,
    /// R, segments/s.
    rate: Option<f64>,
}

/// Jersey or NJ with `parameters`, combined with `parts`. The two controllers differ only in `clock`.
pub fn controller(parts: Parts, clock: Clock, parameters: Parameters) -> LossBased<Jersey> {
    let Parameters { memory_rtts } = parameters;
    let segments = AckedSegments::default();
    let rule = Jersey { clock, memory_rtts, segments, last_ns: None, untimed: 0.0, rate: None };
    LossBased::new(rule, parts)
}

impl Jersey {
    /// t_n, ns.
    fn time_ns(&self, ack: &Ack<'_>) -> Option<i64> {
        match self.clock {
            Clock::Sender => i64::try_from(ack.now.nanos()).ok(),
            // The offset between the two clocks is the same for every t_n.
            Clock::Receiver => i64::try_from(ack.sent_at?.nanos()).ok()?.checked_add(ack.one_way_delay_ns?),
        }
    }

    fn estimate(&mut self, ack: &Ack<'_>, window: &Window) {
        let segments = self.untimed + self.segments.count(ack, window.mss);
        if segments <= 0.0 {
            return;
        }
        let (Some(at), Some(rtt)) = (self.time_ns(ack), window.srtt) else {
            self.untimed = segments;
            return;
        };
        self.untimed = 0.0;
        let Some(last) = self.last_ns else {
            self.last_ns = Some(at);
            return;
        };
        // If a packet was overtaken, its time is earlier. The gap then counts as zero.
        let gap = at.saturating_sub(last).max(0) as f64 * 1e-9;
        self.last_ns = Some(at.max(last));
        // Xu et al. 2004: R_n = (RTT R_(n-1) + L_n) / ((t_n - t_(n-1)) + RTT).
        let memory = (self.memory_rtts * rtt.secs_f64()).max(1e-6);
        self.rate = Some((memory * self.rate.unwrap_or(0.0) + segments) / (gap + memory));
    }

    /// ownd = RTTmin R, segments.
    fn ownd(&self, window: &Window) -> Option<f64> {
        Some(self.rate? * window.min_rtt?.secs_f64())
    }
}

impl Rescale for Jersey {
    fn rescale(&mut self, factor: f64) {
        self.segments.rescale(factor);
        self.untimed.rescale(factor);
        self.rate.rescale(factor);
    }
}

impl Rule for Jersey {
    type Memory = ();

    fn requires(&self) -> Signals {
        match self.clock {
            Clock::Sender => Signals::CONGESTION_WARNING,
            Clock::Receiver => Signals::CONGESTION_WARNING.and(Signals::ONE_WAY_DELAY),
        }
    }

    fn observe(&mut self, ack: &Ack<'_>, window: &mut Window) {
        self.estimate(ack, window);
        if ack.congestion_warning
            && let Some(ownd) = self.ownd(window)
        {
            window.ssthresh = ownd.clamp(MIN_SSTHRESH_SEGMENTS, MAX_WINDOW_SEGMENTS);
            window.w = window.w.min(window.ssthresh);
        }
    }

    fn avoidance(&mut self, _ack: &Ack<'_>, acked: f64, window: &Window) -> f64 {
        reno::increase(acked, window.w)
    }

    fn reduce(&mut self, event: &Reduction, window: &Window) -> f64 {
        self.ownd(window).unwrap_or_else(|| reno::halve(event.flight))
    }

    fn save(&self) {}
    fn restore(&mut self, (): ()) {}

    fn snapshot(&self, out: &mut Snapshot) {
        if let Some(rate) = self.rate {
            out.push(("bandwidth_segments_per_s", rate));
        }
    }
}

const LOSS_VERDICT: Parameter = parts::loss_verdict(
    "warning",
    "Xu, Tian and Ansari 2004",
    "\"congestion\" treats every loss as congestion, which shows the effect of the estimate alone",
);

pub(crate) const JERSEY: Entry = Entry {
    name: "jersey",
    summary: "TCP-Jersey: after a router's warning of congestion, the window follows the estimated bandwidth",
    equations: "R_n = (T R_n-1 + L_n)/((t_n - t_n-1) + T), T = memory_rtts RTT; ownd = RTTmin R_n\n\
                slow start and avoidance as Reno\n\
                an ACK with a warning: ssthresh = max(2, ownd), W = min(W, ssthresh)\n\
                loss: the same if a warning was echoed since the lost packet was sent, else W is unchanged\n\
                timeout: ssthresh = max(2, ownd), W = 1",
    own: &[&Parameters::LIST.all, &[LOSS_VERDICT]],
    frame: WINDOW_RULE,
    sources: &["Xu, Tian and Ansari 2004 (from memory)"],
    limits: "Every router must mark packets, with a threshold below the limit of its queue. Otherwise, losses \
             by congestion count as link errors. Rate control only lowers the window. In the paper, rate \
             control may also raise the window to ownd, which is RTTmin times the estimated rate R. A pause of \
             the flow lowers R. R starts from zero, so ownd is too small in the first round trip. RTTmin is the \
             smallest RTT of the whole connection, so ownd is too small after a change to a longer path.",
    papers: &["K. Xu, Y. Tian, N. Ansari, TCP-Jersey for wireless IP communications, IEEE JSAC 22(4), 2004"],
    draws: false,
    construct: |settings| Box::new(controller(parts(settings), Clock::Sender, Parameters::read(settings))),
};

pub(crate) const NJ: Entry = Entry {
    name: "nj",
    summary: "TCP-NJ: Jersey with the receiver's arrival times, which congestion on the return path does not change",
    sources: &["Xu, Tian and Ansari 2005 (from memory)"],
    limits: "The receiver's clock is assumed to be exact, but the paper's timestamps have a resolution of \
             milliseconds. RTT and RTTmin still include the return path. The limits of jersey apply.",
    papers: &[
        "K. Xu, Y. Tian, N. Ansari, Improving TCP performance in integrated wireless communications networks, \
         Computer Networks 47(2), 2005",
    ],
    draws: false,
    construct: |settings| Box::new(controller(parts(settings), Clock::Receiver, Parameters::read(settings))),
    ..JERSEY
};
