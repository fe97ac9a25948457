// SPDX-License-Identifier: MIT OR Apache-2.0
//! YeAH-TCP (A. Baiocchi, A. P. Castellani, F. Vacirca, YeAH-TCP: Yet Another Highspeed TCP, PFLDnet 2007), with the
//! numbers of Linux's `net/ipv4/tcp_yeah.c`. An author of the paper wrote this module.
//!
//! ```text
//! once per round trip; RTT: smallest of the round, RTTbase: smallest of the connection:
//! Q = W (RTT - RTTbase)/RTT segments, L = (RTT - RTTbase)/RTTbase
//! fast mode (Q <= 80 and L <= 1/8):  W += 1/min(W, 100) per acknowledged segment, as Scalable TCP
//! slow mode (otherwise):             W += 1/W, as Reno
//! decongestion (Q > 80, W > W_reno): W = max(W - min(Q/gamma, W/2), W_reno), ssthresh = W       gamma = 1
//! W_reno: W/2 at the first slow round, + 1 at each further slow round; 2 after more than 50 fast rounds; half at a loss
//! loss: W -= max(min(Q, W/2), W/8);  W/2 if the last 16 rounds were slow (Reno flows compete)
//! ```

use crate::catalogue::parts::{WINDOW_RULE, parts};
use crate::catalogue::{Entry, parameters};
use crate::loss_based::{LossBased, Parts, Reduction, Rule};
use crate::vegas::{RoundTrip, Samples, backlog};
use crate::window::{Rescale, Window};
use crate::{Ack, Snapshot, reno, stcp};
use units::{Span, Time};

/// Smallest `W_reno`, in segments. `W_reno` has this value while the flow knows of no competing flows.
const MIN_RENO: f64 = 2.0;
/// Smallest number of RTT samples in a round from which Q is computed. If there are fewer samples, all of them may come
/// from delayed ACKs.
const MIN_SAMPLES: u32 = 3;

parameters! {
    /// Parameters of YeAH.
    pub struct Parameters {
        /// largest number of segments that the flow may keep in the queue
        q_max: f64 = number("segments", 80.0, 1.0..=1e6), "Linux net/ipv4/tcp_yeah.c (alpha)";
        /// the queueing delay may be 1/phi of the base RTT; on long paths, q_max is reached first
        phi: f64 = number("none", 8.0, 0.1..=1e6), "Linux net/ipv4/tcp_yeah.c (phy)";
        /// a decongestion reduces the window by Q/gamma
        gamma: f64 = number("none", 1.0, 1.0..=1e3), "Linux net/ipv4/tcp_yeah.c";
        /// largest fraction by which a decongestion reduces the window
        decongestion_limit: f64 = number("none", 0.5, 0.01..=0.9),
            "Linux net/ipv4/tcp_yeah.c (epsilon = 1, a power of two)";
        /// smallest fraction by which a loss reduces the window
        min_decrease: f64 = number("none", 0.125, 0.01..=0.5),
            "Linux net/ipv4/tcp_yeah.c (delta = 3, a power of two)";
        /// number of consecutive slow rounds after which a loss halves the window, because Reno flows compete
        rho: u32 = number("rounds", 16.0, 0.0..=1e6), "Linux net/ipv4/tcp_yeah.c";
        /// number of fast rounds after which the flow stops assuming competing Reno flows
        zeta: u32 = number("rounds", 50.0, 0.0..=1e6), "Linux net/ipv4/tcp_yeah.c";
        /// acknowledged segments per segment of growth in fast mode
        ai_cnt: f64 = number("segments", 100.0, 1.0..=1e6), "Linux net/ipv4/tcp_yeah.c";
    }
}

/// State that an undo restores.
#[derive(Clone, Copy, Debug, saved::Plain)]
pub struct Memory {
    reno_window: f64,
    fast_rounds: u32,
}

/// The window rule of YeAH.
#[derive(Clone, Debug, saved::Plain)]
pub struct Yeah {
    parameters: Parameters,
    round: RoundTrip,
    /// RTTs of this round.
    samples: Samples,
    /// Q of the newest round, segments.
    queue: f64,
    /// Number of consecutive slow rounds; 0 in fast mode.
    slow_rounds: u32,
    /// Number of fast rounds since the newest loss, or since `W_reno` was reset.
    fast_rounds: u32,
    /// `W_reno`: the window that a competing Reno flow would have, segments.
    reno_window: f64,
}

/// `YeAH` with `parameters`, combined with `parts`.
pub const fn controller(parts: Parts, parameters: Parameters) -> LossBased<Yeah> {
    let rule = Yeah {
        parameters,
        round: RoundTrip::FIRST,
        samples: Samples::NONE,
        queue: 0.0,
        slow_rounds: 0,
        fast_rounds: 0,
        reno_window: MIN_RENO,
    };
    LossBased::new(rule, parts)
}

impl Yeah {
    /// Begins a round, and discards earlier samples (Linux `tcp_vegas.c`: `vegas_enable`).
    const fn restart(&mut self, now: Time) {
        self.round.restart(now);
        self.samples = Samples::NONE;
    }

    /// Makes the decision at the end of a round trip. `rtt` is the smallest RTT of this round trip.
    fn update(&mut self, rtt: Span, window: &mut Window) {
        let base = window.min_rtt.unwrap_or(rtt);
        let delay = rtt.saturating_sub(base).secs_f64();
        // 2007 paper: Q = RTTqueue G with G = cwnd / RTTmin, and L = RTTqueue / RTTbase.
        self.queue = backlog(window.w, rtt.secs_f64(), base.secs_f64());
        if self.queue > self.parameters.q_max || delay * self.parameters.phi > base.secs_f64() {
            if self.queue > self.parameters.q_max && window.w > self.reno_window {
                let taken =
                    (self.queue / self.parameters.gamma).min(window.w * self.parameters.decongestion_limit);
                window.w = (window.w - taken).max(self.reno_window);
                window.ssthresh = window.w;
            }
            self.reno_window = if self.reno_window <= MIN_RENO {
                reno::halve(window.w).max(MIN_RENO)
            } else {
                self.reno_window + 1.0
            };
            self.slow_rounds = self.slow_rounds.saturating_add(1);
        } else {
            self.fast_rounds += 1;
            if self.fast_rounds > self.parameters.zeta {
                self.reno_window = MIN_RENO;
                self.fast_rounds = 0;
            }
            self.slow_rounds = 0;
        }
    }
}

/// Converts `W_reno` to segments of another size. The smallest value means that nothing is known, so it does not
/// change.
fn reno_rescaled(reno_window: f64, factor: f64) -> f64 {
    if reno_window > MIN_RENO { (reno_window * factor).max(MIN_RENO) } else { reno_window }
}

impl Rescale for Memory {
    fn rescale(&mut self, factor: f64) {
        self.reno_window = reno_rescaled(self.reno_window, factor);
    }
}

impl Rescale for Yeah {
    fn rescale(&mut self, factor: f64) {
        self.queue.rescale(factor);
        self.reno_window = reno_rescaled(self.reno_window, factor);
    }
}

impl Rule for Yeah {
    type Memory = Memory;

    fn observe(&mut self, ack: &Ack<'_>, window: &mut Window) {
        if ack.in_recovery {
            return;
        }
        if let Some(rtt) = ack.rtt.filter(|rtt| *rtt > Span::ZERO) {
            self.samples.add(rtt);
        }
        if ack.cwnd_limited && self.round.ends(ack) {
            if self.samples.count() >= MIN_SAMPLES {
                self.update(self.samples.min(), window);
            }
            self.samples = Samples::NONE;
        }
    }

    fn avoidance(&mut self, _ack: &Ack<'_>, acked: f64, window: &Window) -> f64 {
        if self.slow_rounds == 0 {
            stcp::increase(acked, window.w, self.parameters.ai_cnt)
        } else {
            reno::increase(acked, window.w)
        }
    }

    fn reduce(&mut self, event: &Reduction, _window: &Window) -> f64 {
        self.fast_rounds = 0;
        self.reno_window = reno::halve(self.reno_window).max(MIN_RENO);
        let half = reno::halve(event.flight);
        if self.slow_rounds < self.parameters.rho {
            // 2007 paper: a loss reduces the window by the queue, but by at least 1/8 and at most 1/2 of the window.
            event.flight - self.queue.min(half).max(event.flight * self.parameters.min_decrease)
        } else {
            half
        }
    }

    /// Linux `tcp_vegas.c`, `tcp_vegas_state`: a round begins when all losses are repaired.
    fn repaired(&mut self, now: Time, _window: &mut Window) {
        self.restart(now);
    }

    /// Linux `tcp_vegas.c`, `tcp_vegas_cwnd_event`: a round also begins when sending resumes.
    fn idle(&mut self, now: Time, _window: &mut Window) {
        self.restart(now);
    }

    fn save(&self) -> Memory {
        Memory { reno_window: self.reno_window, fast_rounds: self.fast_rounds }
    }

    fn restore(&mut self, memory: Memory) {
        Memory { reno_window: self.reno_window, fast_rounds: self.fast_rounds } = memory;
    }

    fn snapshot(&self, out: &mut Snapshot) {
        out.push(("queue_segments", self.queue));
        out.push(("slow_rounds", f64::from(self.slow_rounds)));
        out.push(("reno_window_segments", self.reno_window));
    }
}

pub(crate) const YEAH: Entry = Entry {
    name: "yeah",
    summary: "YeAH-TCP (Baiocchi, Castellani and Vacirca 2007) with Linux's defaults",
    equations: "once per round trip of 3 samples or more, RTT its smallest: Q = W (RTT - RTTmin)/RTT\n\
                slow if Q > q_max or RTT - RTTmin > RTTmin/phi, else fast\n\
                avoidance: W += acked/min(W, ai_cnt) in fast mode, acked/W in slow mode\n\
                slow round: if Q > q_max and W > W_reno, W = max(W - min(Q/gamma, decongestion_limit W), W_reno), \
                ssthresh = W; then W_reno = W/2 at the first, W_reno + 1 at every other\n\
                more than zeta fast rounds: W_reno = 2\n\
                loss: ssthresh = FlightSize - max(min(Q, FlightSize/2), min_decrease FlightSize), FlightSize/2 \
                after rho slow rounds in a row, at least 2; W = ssthresh; W_reno = max(W_reno/2, 2)\n\
                timeout: ssthresh likewise, W = 1",
    own: &[&Parameters::LIST.all],
    frame: WINDOW_RULE,
    sources: &["Linux net/ipv4/tcp_yeah.c", "A. Baiocchi, A. P. Castellani, F. Vacirca, PFLDnet 2007"],
    limits: "RTTmin is the smallest RTT of the whole connection and never expires. If the path became longer by an \
             eighth, the flow therefore stays in slow mode. (Linux measures RTTmin again when sending resumes after \
             an idle period.) A round is not judged if the window does not limit sending, or if a loss is being \
             repaired. A new round begins when the repair ends. We did not have the paper itself, so the \
             implementation follows the Linux code. The arithmetic uses floating-point numbers; Linux counts whole \
             segments.",
    papers: &["A. Baiocchi, A. P. Castellani, F. Vacirca, YeAH-TCP: Yet Another Highspeed TCP, PFLDnet 2007"],
    draws: false,
    construct: |settings| Box::new(controller(parts(settings), Parameters::read(settings))),
};
