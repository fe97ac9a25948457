// SPDX-License-Identifier: MIT OR Apache-2.0
//! Prague, the controller of L4S (RFC 9330): DCTCP made fit for the internet.
//!
//! ```text
//! once per round: M = marked / acknowledged, alpha = (1 - g) alpha + g M         not before the first mark
//! mark:   W = W / 2 the first time, then W = W (1 - alpha/2), at most once per round
//! ACK:    W += a n / W for the n segments that it says were not marked, behind a mark, too, but not during a repair
//!         a = 1; below the virtual round trip R_v of 25 ms a = (R / R_v)^2, and "once per round" is once per R_v
//! loss, timeout: as Reno                                 pacing: 1.036 W / R, twice that in slow start
//! ```
//!
//! In the balance each round gives 1 - p and takes W p / 2: W = 2 (1 - p) / p where marks come just when they may be
//! answered, (1 + sqrt 3) (1 - p) / p where they come by chance (`crates/tcp/tests/prague.rs`). Below R_v the rate that
//! follows, W / R, is that of a flow whose round trip is R_v.
//!
//! After draft-briscoe-iccrg-prague-congestion-control and its reference, L4S's Linux (`net/ipv4/tcp_prague.c`, version
//! 0.7 of 2024), in real numbers. It differs from that module in this: the window comes down at once, not by a segment
//! for each ACK, and the first mark halves in slow start, too, where the module's next unmarked ACK can take the
//! fraction back; bursts are of a segment, not of 0.25 ms; a round adds a segment whatever its size, not 1500 bytes; and
//! there is no mode of rates for windows of up to 6000 bytes (`prague_cwnd_mode` is always 0 here): no pacing of 3 %
//! above and below, no packets of down to 150 bytes, no least rate of 100 kbit/s, and the smallest window is 2 segments.
//! Version 0.6 (2021) and the draft wait for 500 rounds before the virtual round trip counts, and 0.6's alpha is 1 at
//! the first mark, so that the marks behind it cut by almost half as well: `transition` and `initial_alpha`.

use crate::catalogue::parts::{OWN_MARKS, number, pacing, parts_with_own_marks, time};
use crate::catalogue::{Domain, Entry, Parameter, Value};
use crate::loss_based::{LossBased, PACING_GAIN_SLOW_START, Parts, Reduction, Rule};
use crate::reno::halve;
use crate::window::{Rescale, Window};
use crate::{Ack, Control, Loss, Signals, Snapshot};
use units::{Span, Time};

/// Pacing in avoidance, windows for each smoothed round trip. Linux (`prague_update_pacing_rate`) takes the window in
/// packets of 1500 bytes and paces their 1448 bytes of data, so that the window and not the pacing limits what is under
/// way.
const PACING_GAIN: f64 = 1500.0 / 1448.0;

/// What the first mark takes, whatever alpha is.
const FIRST_CUT: f64 = 0.5;

/// What can be chosen about Prague.
#[derive(Clone, Debug)]
pub struct Parameters {
    /// What surrounds the rule.
    pub parts: Parts,
    /// g, the weight of a round in alpha.
    pub g: f64,
    /// alpha until the first round with a mark is over.
    pub initial_alpha: f64,
    /// R_v; zero: the round trip is what it is.
    pub virtual_rtt: Span,
    /// Rounds after slow start from which R_v counts.
    pub transition: u32,
}

/// The rule.
#[derive(Clone, Debug)]
pub struct Prague {
    g: f64,
    virtual_rtt: Span,
    transition: u32,
    /// The estimated share of what is marked.
    alpha: f64,
    /// A queue has marked something.
    seen: bool,
    /// Segments acknowledged, and marked, since alpha was last reckoned, and when that was.
    acked: f64,
    marked: f64,
    updated_at: Time,
    /// Of the newest ACK: the share that was not marked.
    unmarked: f64,
    /// Rounds since slow start.
    rounds: u32,
    /// When a mark was last answered.
    reduced_at: Option<Time>,
    /// The share that the mark being answered takes from the window.
    cut: f64,
}

/// Prague with `parameters`.
pub fn controller(parameters: Parameters) -> LossBased<Prague> {
    let Parameters { parts, g, initial_alpha, virtual_rtt, transition } = parameters;
    let prague = Prague {
        g,
        virtual_rtt,
        transition,
        alpha: initial_alpha,
        seen: false,
        acked: 0.0,
        marked: 0.0,
        updated_at: Time::ZERO,
        unmarked: 1.0,
        rounds: 0,
        reduced_at: None,
        cut: FIRST_CUT,
    };
    LossBased::new(prague, parts)
}

impl Prague {
    /// Whether so much time has passed that a round of R_v is over, where that counts.
    fn is_round_over(&self, now: Time, since: Time, window: &Window) -> bool {
        !self.is_virtual(window) || now.since(since) >= self.virtual_rtt
    }

    /// Linux, `prague_is_rtt_indep`.
    fn is_virtual(&self, window: &Window) -> bool {
        !window.in_slow_start() && self.rounds >= self.transition
    }

    /// a: growth of a round in segments. The draft, "Reduced RTT-Dependence": "the increase in cwnd per packet has to
    /// be (1/M^2) * (1/cwnd)", with M = `RTT_ref` / RTT.
    fn gain(&self, window: &Window) -> f64 {
        match window.srtt {
            Some(srtt) if self.is_virtual(window) && srtt < self.virtual_rtt => {
                (srtt.secs_f64() / self.virtual_rtt.secs_f64()).powi(2)
            }
            _ => 1.0,
        }
    }
}

impl Rescale for Prague {
    fn rescale(&mut self, factor: f64) {
        self.acked.rescale(factor);
        self.marked.rescale(factor);
    }
}

impl Rule for Prague {
    type Memory = ();

    fn requires(&self) -> Signals {
        Signals::ECN
    }

    fn answers_each_mark(&self) -> bool {
        true
    }

    fn observe(&mut self, ack: &Ack<'_>, window: &mut Window) {
        let (acked, marked) = (ack.acked.segments(window.mss), ack.ce.segments(window.mss));
        self.seen |= marked > 0.0;
        self.acked += acked;
        self.marked += marked;
        self.unmarked = if acked > 0.0 { (1.0 - marked / acked).max(0.0) } else { 0.0 };
        if !ack.round_start || !self.is_round_over(ack.now, self.updated_at, window) {
            return;
        }
        if self.seen && self.acked > 0.0 {
            // The draft, "Moving Average of ECN Feedback": alpha += g * (frac - alpha).
            self.alpha += self.g * ((self.marked / self.acked).min(1.0) - self.alpha);
        }
        (self.acked, self.marked, self.updated_at) = (0.0, 0.0, ack.now);
        self.rounds = if window.in_slow_start() { self.rounds } else { self.rounds.saturating_add(1) };
    }

    fn slow_start(&mut self, counted: f64, _window: &Window) -> f64 {
        counted * self.unmarked
    }

    fn avoidance(&mut self, _ack: &Ack<'_>, acked: f64, window: &Window) -> f64 {
        // The draft, "Additive Increase": cwnd += (acked_sacked - ece_delta) * ai_per_rtt / cwnd.
        self.gain(window) * acked * self.unmarked / window.w
    }

    fn takes_mark(&mut self, event: &Loss<'_>, window: &Window) -> bool {
        let answers = self.reduced_at.is_none_or(|reduced_at| {
            // What was sent before knew nothing of the last reduction.
            let is_news = event.packets.first().is_some_and(|packet| packet.sent_at >= reduced_at);
            is_news && self.is_round_over(event.now, reduced_at, window)
        });
        if answers {
            // The draft, "Multiplicative Decrease on ECN Feedback": ssthresh = (1 - alpha/2) * cwnd. Linux 0.7
            // (`prague_update_cwnd`, `prague_alpha_mode` 0): half of it at the first mark.
            self.cut = if self.reduced_at.is_none() { FIRST_CUT } else { self.alpha / 2.0 };
            self.reduced_at = Some(event.now);
        }
        answers
    }

    fn reduce(&mut self, event: &Reduction, window: &Window) -> f64 {
        if event.marked {
            window.w * (1.0 - self.cut)
        } else {
            // RFC 9331, section 4.3: to losses as Reno.
            halve(event.flight)
        }
    }

    fn command(&mut self, window: &Window, control: &mut Control) {
        if control.pacing.is_some() {
            let slow = window.w < window.ssthresh / 2.0;
            control.pacing = window.pace(PACING_GAIN * if slow { PACING_GAIN_SLOW_START } else { 1.0 });
        }
    }

    fn save(&self) {}
    fn restore(&mut self, (): ()) {}

    fn snapshot(&self, out: &mut Snapshot) {
        out.push(("alpha", self.alpha));
    }
}

const DRAFT: &str = "draft-briscoe-iccrg-prague-congestion-control; L4S's Linux net/ipv4/tcp_prague.c 0.7";

pub(crate) const PRAGUE: Entry = Entry {
    name: "prague",
    summary: "Prague: DCTCP for the internet, with L4S; needs tcp.ecn = \"accurate-l4s\" and a queue that marks early",
    equations: "once per round R, after slow start and 4 rounds once per R_v if that is longer: M = marked/acknowledged, \
                alpha += g (M - alpha), from the first mark on, from 0\n\
                first mark: ssthresh = max(W/2, 2), W = ssthresh; others: ssthresh = max(W (1 - alpha/2), 2), W = ssthresh, \
                at most once per round\n\
                slow start (W < ssthresh): W += u min(acked, L) per ACK, u the share of it that was not marked; avoidance: \
                W += a u acked / W, behind a mark, too\n\
                a = 1; after slow start and 4 rounds (R / R_v)^2 where R < R_v\n\
                loss: ssthresh = max(FlightSize/2, 2), W = ssthresh; timeout: the same threshold, W = 1\n\
                pacing: 1.036 W / R, twice that while W < ssthresh/2",
    own: &[
        number(
            "g",
            "none",
            (0.0625, 1.0 / 1024.0, 1.0),
            DRAFT,
            "weight of a round in alpha: 1/16; a small one forgets slowly",
        ),
        number(
            "initial_alpha",
            "none",
            (0.0, 0.0, 1.0),
            "L4S's Linux net/ipv4/tcp_prague.c 0.7 (prague_alpha_mode 0)",
            "alpha until the first round with a mark is over; with 1, as in version 0.6, the marks behind the first one cut by \
             almost half, too, and it takes 16 rounds to forget",
        ),
        time(
            "virtual_rtt",
            ("25 ms", Span::ZERO, Span::from_secs(10)),
            DRAFT,
            "flows with shorter round trips get the rate of one with this; \"0 s\": none is treated so",
        ),
        Parameter {
            name: "transition",
            unit: "rounds",
            default: Value::Number(4.0),
            domain: Domain::Number(0.0, 1e6),
            source: "L4S's Linux net/ipv4/tcp_prague.c 0.7 (DEFAULT_RTT_TRANSITION); 500 in 0.6 and in the draft",
            why: "rounds after slow start before the virtual round trip counts, so that short flows are not slowed",
        },
        pacing(true),
    ],
    frame: OWN_MARKS,
    sources: &[DRAFT, "RFC 9331, section 4.3", "RFC 8257"],
    limits: "Beside others in one queue that takes all alike it takes their share or loses its own: it needs DualPI2, or a queue \
             for each. Slow start ends with the first mark, which may be the first window's; from there it takes a round trip for \
             a segment: over 600 ms and 40 Mbit/s 20 minutes. Alpha follows the marks slowly: 16 rounds.",
    papers: &[
        "K. De Schepper, O. Tilmans, B. Briscoe, V. Goel, Prague Congestion Control, Internet-Draft, 2024",
    ],
    construct: |settings| {
        Box::new(controller(Parameters {
            parts: parts_with_own_marks(settings),
            g: settings.number("g"),
            initial_alpha: settings.number("initial_alpha"),
            virtual_rtt: settings.time("virtual_rtt"),
            transition: settings.number("transition") as u32,
        }))
    },
};
