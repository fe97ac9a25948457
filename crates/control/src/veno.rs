// SPDX-License-Identifier: MIT OR Apache-2.0
//! Veno (Fu and Liew, IEEE JSAC 21(2), 2003): Reno that uses Vegas's estimate of the number of segments that wait on
//! the path.
//!
//! ```text
//! N = W (RTT - BaseRTT)/RTT          of the newest ACK; fewer than beta (3) segments: not congested
//! avoidance: W += acked/W            N >= beta: half of it
//! loss:      ssthresh = W/2          N <  beta: 4/5 W, the loss is random; W = ssthresh
//! slow start, timeout: as Reno
//! ```
//!
//! The paper's "+1/W for every other ACK" is implemented as 0.5/W for every ACK, which gives the same growth after two
//! ACKs. As in Linux (`net/ipv4/tcp_veno.c`), N is computed at the last ACK outside a repair, because samples during a
//! repair belong to another flight. The repair begins with an ACK that shows a hole (`tcp_veno_state`), long before the
//! loss is certain. As in Linux, N is not known before three samples. A loss before the third sample counts as
//! congestion in this code, and as random in Linux.

use crate::catalogue::parts::{WINDOW_RULE, parts};
use crate::catalogue::{Entry, parameters};
use crate::loss_based::{LossBased, Parts, Reduction, Rule};
use crate::vegas::{BaseRtt, backlog};
use crate::window::{Rescale, Window};
use crate::{Ack, Snapshot, reno};
use units::Time;

/// Smallest number of samples from which N is computed (Linux).
const ENOUGH_SAMPLES: u32 = 3;

parameters! {
    /// Parameters of Veno.
    pub struct Parameters {
        /// if fewer segments than this wait on the path, a loss counts as random
        beta: f64 = number("segments", 3.0, 0.0..=1e6), "Fu and Liew 2003; Linux";
        /// fraction of the window that remains after a loss without a queue
        kept_at_random_loss: f64 = number("none", 0.8, 0.5..=1.0), "Fu and Liew 2003; Linux";
        /// true resets BaseRTT at every loss: the flow then adapts to a longer path, but does not detect a standing
        /// queue
        reset_base_rtt: bool = flag(false), "Linux (false); Fu and Liew 2003 (true)";
    }
}

/// The window rule of Veno.
#[derive(Clone, Debug, saved::Plain)]
pub struct Veno {
    beta: f64,
    kept_at_random_loss: f64,
    reset_base_rtt: bool,
    base: BaseRtt,
    samples: u32,
    /// N, segments.
    backlog: Option<f64>,
}

/// Veno with `parameters`, combined with `parts`.
pub fn controller(parts: Parts, parameters: Parameters) -> LossBased<Veno> {
    let Parameters { beta, kept_at_random_loss, reset_base_rtt } = parameters;
    let base = BaseRtt::new(None);
    let rule = Veno { beta, kept_at_random_loss, reset_base_rtt, base, samples: 0, backlog: None };
    LossBased::new(rule, parts)
}

impl Veno {
    /// Whether few segments wait on the path; `None` if N is not known.
    fn uncongested(&self) -> Option<bool> {
        self.backlog.map(|backlog| backlog < self.beta)
    }

    fn forget(&mut self) {
        if self.reset_base_rtt {
            self.base.reset();
            self.samples = 0;
        }
    }
}

impl Rescale for Veno {
    fn rescale(&mut self, factor: f64) {
        self.backlog.rescale(factor);
    }
}

impl Rule for Veno {
    type Memory = ();

    fn observe(&mut self, ack: &Ack<'_>, window: &mut Window) {
        let Some(rtt) = ack.rtt else { return };
        self.base.observe(rtt, false);
        self.samples = self.samples.saturating_add(1);
        if ack.in_recovery || ack.shows_hole() {
            return;
        }
        if let Some(base) = self.base.get().filter(|_| self.samples >= ENOUGH_SAMPLES) {
            self.backlog = Some(backlog(window.w, rtt.secs_f64(), base));
        }
    }

    fn avoidance(&mut self, _ack: &Ack<'_>, acked: f64, window: &Window) -> f64 {
        let increase = reno::increase(acked, window.w);
        // Section II.C: "else if (N >= beta) ... set cwnd = cwnd + 1/cwnd for every other new ACK".
        if self.uncongested() == Some(false) { increase / 2.0 } else { increase }
    }

    // The module of Linux 2.6.22 does not define .min_cwnd.
    fn keeps_window_in_repair(&self) -> bool {
        true
    }

    fn reduce(&mut self, event: &Reduction, _window: &Window) -> f64 {
        let random = event.sent_at.is_some() && self.uncongested() == Some(true);
        self.forget();
        if random { event.flight * self.kept_at_random_loss } else { reno::halve(event.flight) }
    }

    fn idle(&mut self, _now: Time, _window: &mut Window) {
        // As in Linux, the measurement restarts, because the queue that N describes does not exist any more.
        self.base.reset();
        self.samples = 0;
        self.backlog = None;
    }

    fn save(&self) {}
    fn restore(&mut self, (): ()) {}

    fn snapshot(&self, out: &mut Snapshot) {
        if let Some(base) = self.base.get() {
            out.push(("base_rtt_ms", base * 1e3));
        }
        if let Some(backlog) = self.backlog {
            out.push(("backlog_segments", backlog));
        }
    }
}

pub(crate) const VENO: Entry = Entry {
    name: "veno",
    summary: "Veno: Reno that reduces the window by only a fifth at a loss without a queue",
    equations: "N = W (RTT - BaseRTT)/RTT of the newest ACK\n\
                slow start and timeout as Reno; avoidance: W += acked/W, half of it if N >= beta\n\
                loss: ssthresh = max(4/5 W, 2) if N < beta, else max(W/2, 2); W = ssthresh",
    own: &[&Parameters::LIST.all],
    frame: WINDOW_RULE,
    sources: &["Fu and Liew, IEEE JSAC 21(2), 2003", "Linux net/ipv4/tcp_veno.c"],
    limits: "BaseRTT is kept after a loss, as in Linux. The paper resets BaseRTT after each loss (from memory; \
             set reset_base_rtt = true). After a change to a longer path, every loss counts as congestion. A \
             loss before three RTT samples is congestion (in Linux, such a loss is random). After an idle \
             period, BaseRTT is measured again, as in Linux.",
    papers: &[
        "C. P. Fu, S. C. Liew, TCP Veno: TCP enhancement for transmission over wireless access networks, \
         IEEE JSAC 21(2), 2003",
    ],
    draws: false,
    construct: |settings| Box::new(controller(parts(settings), Parameters::read(settings))),
};
