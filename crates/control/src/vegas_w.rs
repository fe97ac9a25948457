// SPDX-License-Identifier: MIT OR Apache-2.0
//! Vegas-W (J. Qu, "An enhanced TCP Vegas algorithm based on route surveillance and bandwidth estimation over GEO
//! satellite networks"). It is Vegas with three additions: Westwood's estimate, a `BaseRTT` that is replaced when the
//! route becomes longer, and a classification of losses.
//!
//! ```text
//! b_k = d_k / D_k,  B_k = a B_(k-1) + (1 - a)/2 (b_k + b_(k-1)),  a = (2 tau/D_k - 1)/(2 tau/D_k + 1)     (2)-(5)
//! slow start ends if diff > gamma and W >= B RTTmin; W unchanged                               section IV.A
//! avoidance as Vegas (1); BaseRTT = RTT_now if RTT_now > n mean(RTTs of the m packets before)  section IV.B
//! loss: congestion iff the two packets before the hole were sent closer together than acknowledged; then
//!       ssthresh = B RTTmin, W = ssthresh; a link error changes nothing                        section IV.C
//! timeout: slow start
//! ```
//!
//! The paper does not define some points, or contradicts itself. `vegas-w-paper` follows the printed text, and
//! `vegas-w` corrects it:
//!
//! 1. "Congestion window smaller than bandwidth" compares amounts in segments: W with B `RTTmin`. RTTmin and `BaseRTT`
//!    are both the smallest RTT since the last refresh.
//! 2. The paper does not give tau. If B is averaged over a round trip or more, it equals W/RTT and never keeps the flow
//!    in slow start. Vegas-W would then be the same as Vegas. The estimate works because the ACKs of one burst arrive
//!    with the spacing of the bottleneck. tau must therefore be much smaller than the RTT.
//! 3. The first ACK after the pause between two bursts has b_k near zero and halves B. The round is judged at this ACK.
//!    The printed text uses the newest B ([`Memory::Newest`]). The correction uses the largest B of the last two
//!    rounds.
//! 4. In avoidance, "bandwidth size will not be estimated" (IV.B), but a loss in avoidance needs B (IV.C). By the
//!    printed text, the value from slow start is kept. The correction continues to estimate B. After an interruption,
//!    the filter starts again.
//! 5. By the printed text, W = ssthresh may increase the window. The correction only reduces the window, as Westwood
//!    does.
//! 6. alpha "1 kb/s" and beta "3 kb/s" are below a tenth of a segment of 1000 bytes at 0.54 s. The paper defines diff
//!    as a number of packets, so alpha and beta are 1 and 3 segments.
//! 7. This code judges a loss when the transport declares the loss. The paper judges at the first duplicate ACK (IV.C).
//!    [`Gap`](crate::loss_verdict::Gap) lists the differences.
//! 8. After a timeout, ssthresh is also B `RTTmin`, and W equals Vegas's window after a timeout. Without an estimate,
//!    Vegas's values apply to both.

use crate::catalogue::parts::{self, WINDOW_RULE, parts};
use crate::catalogue::{Entry, Parameter, Value, parameters, words};
use crate::estimate::bandwidth::{Silence, TustinBwe};
use crate::loss_based::{LossBased, Parts, Reduction, Rule};
use crate::vegas::entry::RefreshParameters;
use crate::vegas::{self, RuleParameters, Vegas};
use crate::window::{Rescale, Window};
use crate::{Ack, Signals, Snapshot};
use units::{Bytes, Span, Time};

/// Which estimate of the bandwidth is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum Memory {
    /// The newest estimate.
    Newest,
    /// The largest estimate of this round and the previous round.
    TwoRounds,
}

words! { Memory { Newest = "newest", TwoRounds = "two-rounds" } }

parameters! {
    /// Parameters of Vegas-W, in addition to the parameters of Vegas and of its refresh.
    pub struct Parameters {
        /// time constant of the bandwidth filter; if tau is near the RTT, the estimate is W/RTT, which never exceeds
        /// the window, so slow start ends as in Vegas
        tau: Span = time("50 ms", Span::from_millis(1)..=Span::from_secs(10)),
            "Bentpipe (Vegas-W gives none; ns-2's Westwood has 0.5 s to 1 s)";
        /// which bandwidth estimate is used; newest: the estimate at the start of a round, which the pause before this
        /// round has halved; two-rounds: the largest estimate of two rounds
        bandwidth_memory: Memory = word("two-rounds"),
            "Vegas-W, section IV.A (newest estimate); Bentpipe (largest estimate of two rounds)";
        /// true estimates the bandwidth in avoidance too; with false, a loss uses the estimate of slow start, even if
        /// the bandwidth has changed since then
        estimate_in_avoidance: bool = flag(true), "Vegas-W, section IV.B (false); section IV.C, which needs a new \
                                        estimate (true)";
        /// true sets W to B RTTmin at a loss, even if B RTTmin is larger than W
        jump: bool = flag(false), "Vegas-W, section IV.C (true); Westwood (false)";
    }
}

/// The window rule of Vegas-W.
#[derive(Clone, Debug, saved::Plain)]
pub struct VegasW {
    vegas: Vegas,
    tau: Span,
    memory: Memory,
    estimate_in_avoidance: bool,
    jump: bool,
    filter: TustinBwe,
    /// Whether the filter processed the newest ACK.
    estimating: bool,
    /// The newest B, segments/s.
    newest: Option<f64>,
    /// Largest B of this round and of the previous round, segments/s.
    largest: [f64; 2],
}

/// Vegas-W with `parameters`, combined with `parts`. In `vegas`, `kept_at_exit` must be 1, and `refresh` must be set.
pub fn controller(parts: Parts, vegas: RuleParameters, parameters: Parameters) -> LossBased<VegasW> {
    let Parameters { tau, bandwidth_memory: memory, estimate_in_avoidance, jump } = parameters;
    let rule = VegasW {
        vegas: Vegas::new(vegas),
        tau,
        memory,
        estimate_in_avoidance,
        jump,
        filter: filter(tau),
        estimating: false,
        newest: None,
        largest: [0.0; 2],
    };
    LossBased::new(rule, parts)
}

/// If D exceeds 2 tau, the `a` of the paper would be negative. This code then uses zero.
fn filter(tau: Span) -> TustinBwe {
    TustinBwe::new(tau, Silence::Clamp)
}

impl VegasW {
    fn estimate(&mut self, ack: &Ack<'_>, window: &Window) {
        let estimating = self.estimate_in_avoidance || window.in_slow_start();
        if estimating && !self.estimating {
            self.filter = filter(self.tau);
        }
        self.estimating = estimating;
        if estimating
            && ack.acked > Bytes::ZERO
            && self.filter.on_ack(ack.now, ack.acked.segments(window.mss))
        {
            self.newest = self.filter.get();
            self.largest[0] = self.largest[0].max(self.newest.unwrap_or(0.0));
        }
    }

    /// B in segments/s.
    fn rate(&self) -> Option<f64> {
        self.newest.map(|newest| match self.memory {
            Memory::Newest => newest,
            Memory::TwoRounds => self.largest[0].max(self.largest[1]),
        })
    }

    /// B `RTTmin`, segments.
    fn capacity(&self) -> Option<f64> {
        self.rate().zip(self.vegas.base_rtt()).map(|(rate, rtt_min)| rate * rtt_min)
    }
}

impl Rescale for VegasW {
    fn rescale(&mut self, factor: f64) {
        self.vegas.rescale(factor);
        self.filter.rescale(factor);
        self.newest.rescale(factor);
        self.largest.rescale(factor);
    }
}

impl Rule for VegasW {
    type Memory = <Vegas as Rule>::Memory;

    fn requires(&self) -> Signals {
        self.vegas.requires()
    }

    fn observe(&mut self, ack: &Ack<'_>, window: &mut Window) {
        self.estimate(ack, window);
        self.vegas.follow(ack, window, self.capacity().unwrap_or(0.0));
        if ack.round_start && self.estimating {
            self.largest = [0.0, self.largest[0]];
        }
    }

    fn slow_start(&mut self, counted: f64, window: &Window) -> f64 {
        self.vegas.slow_start(counted, window)
    }

    fn avoidance(&mut self, ack: &Ack<'_>, acked: f64, window: &Window) -> f64 {
        self.vegas.avoidance(ack, acked, window)
    }

    fn reduce(&mut self, event: &Reduction, window: &Window) -> f64 {
        let vegas = self.vegas.reduce(event, window);
        // Section IV.C: ssthresh is "the product of the estimation value of bandwidth and the minimum of RTT".
        self.capacity().unwrap_or(vegas)
    }

    fn window_after_loss(&self, window: &Window) -> f64 {
        if self.jump { window.ssthresh } else { window.w.min(window.ssthresh) }
    }

    fn timeout(&mut self) {
        self.vegas.timeout();
    }

    fn window_after_timeout(&self) -> f64 {
        self.vegas.window_after_timeout()
    }

    fn repaired(&mut self, now: Time, window: &mut Window) {
        self.vegas.repaired(now, window);
    }

    fn idle(&mut self, now: Time, window: &mut Window) {
        self.vegas.idle(now, window);
        // A pause of the sender does not give a sample of the path.
        self.estimating = false;
    }

    fn save(&self) -> Self::Memory {
        self.vegas.save()
    }

    fn restore(&mut self, memory: Self::Memory) {
        self.vegas.restore(memory);
    }

    fn snapshot(&self, out: &mut Snapshot) {
        if let Some(rate) = self.rate() {
            out.push(("bandwidth_segments_per_s", rate));
        }
        self.vegas.snapshot(out);
    }
}

const LOSS_VERDICT: Parameter = parts::loss_verdict(
    "gap",
    "Vegas-W, section IV.C",
    "\"congestion\" treats every loss as congestion, which shows the effect of the other parts alone",
);

pub(crate) const VEGAS_W: Entry = Entry {
    name: "vegas-w",
    summary: "Vegas-W, corrected: Westwood's estimate determines slow start and losses, and BaseRTT follows the route",
    equations: "B: Westwood's filter per ACK; as vegas, except that\n\
                slow start ends if diff > gamma and W >= B RTTmin, with W unchanged\n\
                avoidance: BaseRTT = RTT if RTT > refresh_factor mean(refresh_samples RTTs before)\n\
                loss: congestion iff sent(s-1) - sent(s-2) < acked(s-1) - acked(s-2), s the lost packet\n\
                then ssthresh = max(B RTTmin, 2), W = min(W, ssthresh) (jump: ssthresh); a link error changes nothing\n\
                timeout: ssthresh = max(B RTTmin, 2), W = 2",
    own: &[
        &vegas::Parameters::LIST.all,
        &Parameters::LIST.all,
        &RefreshParameters::LIST.all,
        &[LOSS_VERDICT],
    ],
    frame: WINDOW_RULE,
    sources: &[
        "J. Qu, Vegas-W",
        "Brakmo and Peterson 1995",
        "ns-2 tcp/tcp-vegas.cc",
        "Westwood, MobiCom 2001",
    ],
    limits: "This controller differs from the paper in three points: it uses the largest estimate of two rounds, it \
             continues to estimate in avoidance, and a loss never increases its window. vegas-w-paper follows the \
             paper in all three points. The paper does not give tau. The loss verdict compares the time between \
             sending two segments with the time between their ACKs. The verdict is weak, because the ACK clock of a \
             single steady flow makes both times equal. Overflows that this flow causes are therefore treated as \
             link errors. The paper does not test this case. A route that adds less than a whole RTT does not \
             refresh BaseRTT. In the paper, the flow needs 6.4 s to fill 15 Mbit/s at an RTT of 0.54 s. This takes \
             ten doublings, so the window must double in each round. kept_at_loss applies only before the first \
             estimate of the bandwidth. Compressed ACKs raise the estimate. After a refresh to a shorter path, the \
             window falls by one segment per round.",
    papers: &[
        "J. Qu, An enhanced TCP Vegas algorithm based on route surveillance and bandwidth estimation over \
         GEO satellite networks",
    ],
    draws: false,
    construct: |settings| {
        let vegas = RuleParameters {
            kept_at_exit: 1.0,
            refresh: RefreshParameters::read(settings).refresh(),
            ..RuleParameters::new(vegas::Parameters::read(settings))
        };
        Box::new(controller(parts(settings), vegas, Parameters::read(settings)))
    },
};

pub(crate) const VEGAS_W_PAPER: Entry = Entry {
    name: "vegas-w-paper",
    summary: "Vegas-W exactly as printed: congestion avoidance does not estimate the bandwidth (it uses the last \
              estimate of slow start), and a loss sets W = B RTTmin",
    own: &[
        &vegas::Parameters::LIST.all,
        &Parameters::LIST
            .preset("bandwidth_memory", Value::Text("newest"))
            .preset("estimate_in_avoidance", Value::Flag(false))
            .preset("jump", Value::Flag(true))
            .all,
        &RefreshParameters::LIST.all,
        &[LOSS_VERDICT],
    ],
    limits: "The paper does not give tau. If tau is near the RTT, this controller behaves as Vegas without the \
             reduction of the window to 7/8. A loss can increase the window. Avoidance uses the bandwidth that slow \
             start measured. After a change of the rate, a loss therefore restores the old window. Before each \
             round, the flow pauses. This pause halves the estimate that the flow uses at the start of the round. \
             The loss verdict compares the time between sending two segments with the time between their ACKs. The \
             verdict is weak, because the ACK clock of a single steady flow makes both times equal. A route that \
             adds less than a whole RTT does not refresh BaseRTT. In the paper, the flow needs 6.4 s to fill 15 \
             Mbit/s, so the window must double in each round.",
    ..VEGAS_W
};
