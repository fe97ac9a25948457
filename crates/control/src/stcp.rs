// SPDX-License-Identifier: MIT OR Apache-2.0
//! Scalable TCP (T. Kelly, Scalable TCP: Improving Performance in Highspeed Wide Area Networks, CCR 33(2), 2003).
//!
//! ```text
//! avoidance: W += a per acknowledged segment      a = 0.01, b = 0.125
//! loss:      W -= b W
//! W < lwnd:  as Reno                              lwnd = 16
//! ```
//!
//! After a loss at any window, the window returns to its old size in ln(1/(1 - b)) / ln(1 + a) = 13.4 round trips.
//!
//! Linux (`net/ipv4/tcp_scalable.c`) stores 1/a as a number of segments, uses min(W, 1/a) instead of Kelly's lwnd, and
//! reduces a window of any size by b.

use crate::catalogue::parts::{WINDOW_RULE, parts};
use crate::catalogue::{Entry, parameters, words};
use crate::loss_based::{LossBased, Parts, Reduction, Rule};
use crate::window::{Rescale, Window};
use crate::{Ack, reno};

/// The rule for small windows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum SmallWindows {
    /// Kelly: below `low_window`, the rule is Reno's.
    Kelly,
    /// Linux: growth never exceeds Reno's growth, and a loss reduces every window by b.
    Linux,
}

words! { SmallWindows { Kelly = "kelly", Linux = "linux" } }

parameters! {
    /// Parameters of Scalable TCP.
    pub struct Parameters {
        /// rule for small windows; "linux" does not use low_window: growth never exceeds Reno's growth, and decrease
        /// applies to every window
        small_windows: SmallWindows = word("kelly"),
            "Kelly 2003; Linux net/ipv4/tcp_scalable.c";
        /// number of acknowledged segments per segment of growth; if growth is per ACK, 50 compensates for delayed ACKs
        ai_cnt: f64 = number("segments", 100.0, 1.0..=1e6),
            "Kelly 2003 (a = 0.01 = 1/100); Linux 6.1 (100; 50 while it counted ACKs)";
        /// fraction by which a loss reduces the window; with a smaller fraction, the flow recovers sooner, but other
        /// flows get their share more slowly
        decrease: f64 = number("none", 0.125, 0.01..=0.9), "Kelly 2003 (b); Linux";
        /// with small_windows = "kelly": below this window, the rule is Reno's
        low_window: f64 = number("segments", 16.0, 1.0..=1e6), "Kelly 2003 (lwnd)";
    }
}

/// The window rule of Scalable TCP.
#[derive(Clone, Debug, saved::Plain)]
pub struct Stcp {
    parameters: Parameters,
}

/// Scalable TCP with `parameters`, combined with `parts`.
pub const fn controller(parts: Parts, parameters: Parameters) -> LossBased<Stcp> {
    LossBased::new(Stcp { parameters }, parts)
}

/// Linux: one segment of growth per min(W, `ai_cnt`) acknowledged segments.
pub fn increase(acked: f64, w: f64, ai_cnt: f64) -> f64 {
    acked / w.min(ai_cnt)
}

impl Stcp {
    /// Whether the rule for a window of `w` segments is Reno's.
    fn is_legacy(&self, w: f64) -> bool {
        self.parameters.small_windows == SmallWindows::Kelly && w < self.parameters.low_window
    }
}

impl Rescale for Stcp {
    fn rescale(&mut self, _factor: f64) {}
}

impl Rule for Stcp {
    type Memory = ();

    fn avoidance(&mut self, _ack: &Ack<'_>, acked: f64, window: &Window) -> f64 {
        match self.parameters.small_windows {
            SmallWindows::Linux => increase(acked, window.w, self.parameters.ai_cnt),
            SmallWindows::Kelly if self.is_legacy(window.w) => reno::increase(acked, window.w),
            // Kelly: cwnd += a.
            SmallWindows::Kelly => acked / self.parameters.ai_cnt,
        }
    }
    fn reduce(&mut self, event: &Reduction, _window: &Window) -> f64 {
        if self.is_legacy(event.flight) {
            reno::halve(event.flight)
        } else {
            // Kelly: cwnd -= b cwnd.
            event.flight * (1.0 - self.parameters.decrease)
        }
    }
    fn save(&self) {}
    fn restore(&mut self, (): ()) {}
}

pub(crate) const STCP: Entry = Entry {
    name: "stcp",
    summary: "Scalable TCP (Kelly 2003), or as in Linux",
    equations: "avoidance: W += acked/ai_cnt; acked/W if W < low_window\n\
                linux: W += acked/min(W, ai_cnt) at every window\n\
                loss: ssthresh = max((1 - decrease) FlightSize, 2), W = ssthresh; FlightSize/2 below low_window\n\
                linux: (1 - decrease) FlightSize at every window\n\
                timeout: ssthresh likewise, W = 1",
    own: &[&Parameters::LIST.all],
    frame: WINDOW_RULE,
    sources: &["T. Kelly, CCR 33(2), 2003", "Linux net/ipv4/tcp_scalable.c"],
    limits: "Increase and decrease are multiplicative, so flows that lose packets at the same time never converge to \
             equal shares. Every loss counts as congestion. At a loss probability p, the mean window is therefore \
             0.075/p to 0.08/p segments. This controller keeps fractions of a segment; Linux counts ACKs. Kelly's \
             paper was not available, so its constants are parameters.",
    papers: &["T. Kelly, Scalable TCP: Improving Performance in Highspeed Wide Area Networks, \
         ACM SIGCOMM CCR 33(2), 2003"],
    draws: false,
    construct: |settings| Box::new(controller(parts(settings), Parameters::read(settings))),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Control, Controller, Loss, Start};
    use units::{Bytes, Time};

    const MSS: u32 = 1_000_000;

    /// Kelly: for every window, the recovery from a loss takes ln(1/0.875)/ln(1.01) = 0.1335314/0.0099503 = 13.42 round
    /// trips.
    #[test]
    fn recovery_takes_13_42_round_trips_at_every_window() {
        for window in [100, 1_000, 100_000] {
            let parts = Parts::classic(1.0);
            let small_windows = SmallWindows::Kelly;
            let parameters = Parameters { small_windows, ai_cnt: 100.0, decrease: 0.125, low_window: 16.0 };
            let mut stcp = controller(parts, parameters);
            let mut control = Control::new(Bytes::ZERO);
            stcp.on_start(&Start::new(MSS, window), &mut control);
            let full = control.cwnd.segments(MSS);
            stcp.on_loss(&Loss { in_flight_before: control.cwnd, ..Loss::at(Time::ZERO) }, &mut control);
            stcp.on_recovery_exit(Time::ZERO, &mut control);
            let mut rounds = 0.0;
            let rounds = loop {
                let before = control.cwnd;
                stcp.on_ack(&Ack { acked: before, ..Ack::at(Time::ZERO) }, &mut control);
                if control.cwnd.segments(MSS) >= full {
                    let (before, after) = (before.segments(MSS), control.cwnd.segments(MSS));
                    break rounds + (full / before).ln() / (after / before).ln();
                }
                rounds += 1.0;
            };
            assert!((rounds - 13.42).abs() < 5e-3, "{rounds} from {window}");
        }
    }
}
