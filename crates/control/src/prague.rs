// SPDX-License-Identifier: MIT OR Apache-2.0
//! Prague, the congestion control of L4S (RFC 9330): DCTCP adapted to the internet.
//!
//! ```text
//! once per round, from the first mark on: M = marked / acknowledged, alpha = (1 - g) alpha + g M
//! mark:   W = W / 2 at the first mark, then W = W (1 - alpha/2), at most once per round
//! ACK:    W += a n / W for the n segments that were not marked, also after a mark, but not during a repair
//!         a = 1; if R is below the virtual round trip R_v of 25 ms: a = (R / R_v)^2, and once per round means once
//!         per R_v
//! loss, timeout: as Reno                                 pacing: 1.036 W / R, twice that in slow start
//!
//! if the window is at most 4 segments, something was marked and R_v applies, a rate r replaces the window:
//! ACK:    r += n / (V ceil(r V)), V = max(R, R_v)        so the amount sent in V grows by one segment in each V
//! mark:   r = max(r (1 - alpha/2), 100 kbit/s)           loss: r = r / 2
//! W = max(r R, 2), rounded up; pacing: 1.036 r, 3 % above in the first half of each V, 3 % below in the second half
//! ```
//!
//! In equilibrium, each round adds 1 - p and subtracts W p / 2. If each mark arrives exactly when it may be answered, W
//! is 2 (1 - p) / p. If marks arrive at random, W is (1 + sqrt 3) (1 - p) / p (`crates/tcp/tests/prague.rs`). Below
//! R_v, the resulting rate W / R equals the rate of a flow whose round trip is R_v.
//!
//! A window of 2 segments over 1 ms is 24 Mbit/s. The rate r can be lower. r follows the law of the window, about 1/p -
//! 1 Mbit/s with segments of 1500 bytes, down to 100 kbit/s.
//!
//! The sources are draft-briscoe-iccrg-prague-congestion-control and its reference implementation in L4S's Linux
//! (`net/ipv4/tcp_prague.c`, version 0.7 of 2024). This code uses real numbers. In two points, this code follows the
//! draft and not the module:
//!
//! - The window is reduced at once. The module reduces it by one segment for each ACK.
//! - A round adds one segment of any size. In the module, a round adds 1500 bytes. The rate therefore replaces a window
//!   of up to 4 segments here, and a window of up to 6000 bytes in the module.
//!
//! The rate is implemented as in the module (`prague_cwnd_mode` 2). Other differences from the module:
//!
//! - The first mark halves the window in slow start. In the module, the next unmarked ACK can undo this reduction.
//! - Bursts are one segment. In the module, bursts last 0.25 ms.
//! - The segment size is constant. Below 1 Mbit/s, the module sends smaller segments, down to 150 bytes, so that R_v
//!   contains two segments.
//! - R is the smoothed round trip. In the module, R is the mean over 128 rounds.
//! - A timeout deletes the rate. The module halves the rate.
//! - The rate grows while the application does not limit sending. In the module, the rate grows only while the window
//!   limits sending.
//! - 100 kbit/s is a lower bound of the rate only. In the module, this bound also applies to the pacing rate of a
//!   window.
//!
//! UDP Prague (`L4STeam/udp_prague`, `prague_cc.cpp`) uses the rate if the round trip is at most 2 ms, or at most the
//! time between two packets, for any window. Version 0.6 (2021) and the draft use the virtual round trip only after 500
//! rounds. In version 0.6, alpha is 1 at the first mark, so each later mark also reduces the window by almost half.
//! This version does not use a rate. The parameters `transition`, `initial_alpha` and `rate_below` select these
//! variants.

use crate::catalogue::parts::{OWN_MARKS, pacing, parts_with_own_marks};
use crate::catalogue::{Entry, parameters};
use crate::loss_based::{LossBased, PACING_GAIN_SLOW_START, Parts, Reduction, Rule};
use crate::reno::halve;
use crate::window::{MIN_SSTHRESH_SEGMENTS, Rescale, Window};
use crate::{Ack, Control, Loss, Signals, Snapshot};
use units::{Bytes, Rate, Span, Time};

/// Pacing rate in avoidance, in windows per smoothed round trip. Linux (`prague_update_pacing_rate`) counts the window
/// in packets of 1500 bytes, and paces their 1448 bytes of data. The window therefore limits the data in flight, and
/// pacing does not.
const PACING_GAIN: f64 = 1500.0 / 1448.0;

/// Relative offset of the pacing rate from r, first above r, then below r (Linux, RATE_OFFSET: 4/128). If a queue marks
/// above a step, it then marks some packets of each round. Without the offset, it would mark all packets of one round
/// and no packets of the next.
const RATE_OFFSET: f64 = 4.0 / 128.0;

/// Lower bound of the rate when marks reduce it (Linux, MINIMUM_RATE).
const MIN_RATE_BYTES_PER_S: f64 = 12_500.0;

/// Fraction by which the first mark reduces the window, for every alpha.
const FIRST_CUT: f64 = 0.5;

parameters! {
    /// Parameters of Prague.
    pub struct Parameters {
        /// weight of a round in alpha: 1/16; with a small weight, alpha changes slowly
        g: f64 = number("none", 0.0625, 1.0 / 1024.0..=1.0), DRAFT;
        /// alpha until the end of the first round with a mark; with 1, as in version 0.6, the marks after the first
        /// mark also reduce the window by almost half, and alpha needs 16 rounds to decrease
        initial_alpha: f64 = number("none", 0.0, 0.0..=1.0),
            "L4S's Linux net/ipv4/tcp_prague.c 0.7 (prague_alpha_mode 0)";
        /// a flow with a shorter round trip gets the rate of a flow with this round trip; "0 s" turns this off
        virtual_rtt: Span = time("25 ms", Span::ZERO..=Span::from_secs(10)), DRAFT;
        /// number of rounds after slow start before the virtual round trip applies, so that the virtual round trip does
        /// not slow down short flows
        transition: u32 = number("rounds", 4.0, 0.0..=1e6),
            "L4S's Linux net/ipv4/tcp_prague.c 0.7 (DEFAULT_RTT_TRANSITION); 500 in 0.6 and in the draft";
        /// if pacing is on and the window is this size or smaller, a rate replaces the window, because a window of 2
        /// segments is too large over a short round trip; with 0, the rate is not used
        rate_below: f64 = number("segments", 4.0, 0.0..=1e6),
            "L4S's Linux net/ipv4/tcp_prague.c 0.7 (prague_cwnd_transit); no rate in 0.6";
    }
}

/// The window rule of Prague.
#[derive(Clone, Debug, saved::Plain)]
pub struct Prague {
    g: f64,
    virtual_rtt: Span,
    transition: u32,
    /// The estimated fraction of marked data.
    alpha: f64,
    /// Whether any data have been marked.
    seen: bool,
    /// Segments acknowledged and segments marked since alpha was last updated, and the time of this update.
    acked: f64,
    marked: f64,
    updated_at: Time,
    /// The fraction of the newest ACK's data that was not marked.
    unmarked: f64,
    /// Rounds since slow start.
    rounds: u32,
    /// When a mark was last answered.
    reduced_at: Option<Time>,
    /// The fraction by which the current mark reduces the window.
    cut: f64,
    rate_below: f64,
    /// r, segments/s. `None` while the window is in use.
    rate: Option<f64>,
    /// Time of the newest ACK.
    now: Time,
}

/// Prague with `parameters`, combined with `parts`.
pub const fn controller(parts: Parts, parameters: Parameters) -> LossBased<Prague> {
    let Parameters { g, initial_alpha, virtual_rtt, transition, rate_below } = parameters;
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
        rate_below,
        rate: None,
        now: Time::ZERO,
    };
    LossBased::new(prague, parts)
}

impl Prague {
    /// Whether a round has passed since `since`. While the virtual round trip is in use, the round lasts at least R_v.
    fn is_round_over(&self, now: Time, since: Time, window: &Window) -> bool {
        !self.is_virtual(window) || now.since(since) >= self.virtual_rtt
    }

    /// Whether the virtual round trip is in use (Linux, `prague_is_rtt_indep`).
    fn is_virtual(&self, window: &Window) -> bool {
        !window.in_slow_start() && self.rounds >= self.transition
    }

    /// a: growth per round in segments. The draft, "Reduced RTT-Dependence", says: "the increase in cwnd per packet has
    /// to be (1/M^2) * (1/cwnd)", with M = `RTT_ref` / RTT.
    fn gain(&self, window: &Window) -> f64 {
        match window.srtt {
            Some(srtt) if self.is_virtual(window) && srtt < self.virtual_rtt => {
                (srtt.secs_f64() / self.virtual_rtt.secs_f64()).powi(2)
            }
            _ => 1.0,
        }
    }

    /// V = max(R, R_v), s (Linux, `prague_virtual_rtt`).
    fn virtual_s(&self, srtt: Span) -> f64 {
        srtt.max(self.virtual_rtt).secs_f64()
    }

    /// The window that the rate requires, in whole segments (Linux, `prague_frac_cwnd_to_snd_cwnd`).
    fn whole(w: f64) -> f64 {
        w.ceil().max(MIN_SSTHRESH_SEGMENTS)
    }

    /// Decides whether the rate or the window is in use from now on (Linux, `prague_cong_control`, mode 2). After a
    /// change, the new quantity starts from the current value of the old quantity.
    fn choose(&mut self, window: &Window) {
        let small = self.seen && Self::whole(window.w) <= self.rate_below && self.is_virtual(window);
        let srtt = window.srtt.filter(|srtt| small && *srtt > Span::ZERO);
        self.rate = srtt.map(|srtt| self.rate.unwrap_or(window.w / srtt.secs_f64()));
    }

    /// Grows the rate and the window that the rate requires. Pacing limits sending, and the window does not.
    fn grow_rate(&mut self, ack: &Ack<'_>, acked: f64, window: &mut Window) {
        let (Some(rate), Some(srtt)) = (self.rate, window.srtt) else { return };
        if ack.in_recovery || ack.app_limited || ack.receiver_limited || ack.advance() == Bytes::ZERO {
            return;
        }
        // Linux, `prague_update_cwnd`: rate_bytes += acked MTU / virtual RTT / ceil(rate_bytes virtual RTT / MTU).
        let virtual_s = self.virtual_s(srtt);
        let grown = rate + acked * self.unmarked / (virtual_s * (rate * virtual_s).ceil());
        self.rate = Some(grown);
        window.grow(grown * srtt.secs_f64() - window.w, f64::INFINITY);
    }
}

impl Rescale for Prague {
    fn rescale(&mut self, factor: f64) {
        self.acked.rescale(factor);
        self.marked.rescale(factor);
        self.rate.rescale(factor);
    }
}

impl Rule for Prague {
    /// The rate r.
    type Memory = Option<f64>;

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
        self.now = ack.now;
        self.grow_rate(ack, acked, window);
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
        if self.rate.is_some() {
            return 0.0;
        }
        // The draft, "Additive Increase": cwnd += (acked_sacked - ece_delta) * ai_per_rtt / cwnd.
        self.gain(window) * acked * self.unmarked / window.w
    }

    fn takes_mark(&mut self, event: &Loss<'_>, window: &Window) -> bool {
        let answers = self.reduced_at.is_none_or(|reduced_at| {
            // The last reduction does not affect packets that were sent before it, so their marks are not answered.
            let is_news = event.packets.first().is_some_and(|packet| packet.sent_at >= reduced_at);
            is_news && self.is_round_over(event.now, reduced_at, window)
        });
        if answers {
            // The draft, "Multiplicative Decrease on ECN Feedback": ssthresh = (1 - alpha/2) * cwnd. Linux 0.7
            // (`prague_update_cwnd`, `prague_alpha_mode` 0): half of cwnd at the first mark.
            self.cut = if self.reduced_at.is_none() { FIRST_CUT } else { self.alpha / 2.0 };
            self.reduced_at = Some(event.now);
        }
        answers
    }

    fn reduce(&mut self, event: &Reduction, window: &Window) -> f64 {
        if let (Some(rate), Some(srtt)) = (&mut self.rate, window.srtt) {
            // Linux, `prague_enter_cwr` and `prague_enter_loss`.
            let least = MIN_RATE_BYTES_PER_S / (PACING_GAIN * f64::from(window.mss));
            *rate = if event.marked { (*rate * (1.0 - self.cut)).max(least) } else { halve(*rate) };
            *rate * srtt.secs_f64()
        } else if event.marked {
            window.w * (1.0 - self.cut)
        } else {
            // RFC 9331, section 4.3: Prague answers losses as Reno does.
            halve(event.flight)
        }
    }

    fn command(&mut self, window: &Window, control: &mut Control) {
        if control.pacing.is_none() {
            return;
        }
        self.choose(window);
        if let (Some(rate), Some(srtt)) = (self.rate, window.srtt) {
            control.cwnd = Bytes::from_segments(Self::whole(window.w), window.mss);
            let is_second_half = self.now.since(self.updated_at).secs_f64() >= self.virtual_s(srtt) / 2.0;
            let offset = if is_second_half { -RATE_OFFSET } else { RATE_OFFSET };
            let bytes_per_s = PACING_GAIN * (1.0 + offset) * rate * f64::from(window.mss);
            control.pacing = Some(Rate::from_bytes_per_s(bytes_per_s));
        } else {
            let slow = window.w < window.ssthresh / 2.0;
            control.pacing = window.pace(PACING_GAIN * if slow { PACING_GAIN_SLOW_START } else { 1.0 });
        }
    }

    fn save(&self) -> Option<f64> {
        self.rate
    }
    fn restore(&mut self, rate: Option<f64>) {
        // Linux, `prague_cwnd_undo`.
        self.rate = self.rate.zip(rate).map(|(now, before)| now.max(before));
    }

    fn snapshot(&self, out: &mut Snapshot) {
        out.push(("alpha", self.alpha));
        out.push(("rate_segments_per_s", self.rate.unwrap_or(0.0)));
    }
}

const DRAFT: &str = "draft-briscoe-iccrg-prague-congestion-control; L4S's Linux net/ipv4/tcp_prague.c 0.7";

pub(crate) const PRAGUE: Entry = Entry {
    name: "prague",
    summary: "Prague: DCTCP for the internet, with L4S; needs tcp.ecn = \"accurate-l4s\" and a queue that marks early",
    equations: "from the first mark on, once per round R (after slow start and 4 rounds: once per max(R, R_v)): \
                M = marked/acknowledged, alpha += g (M - alpha), starting from alpha = 0\n\
                first mark: ssthresh = max(W/2, 2), W = ssthresh; others: ssthresh = max(W (1 - alpha/2), 2), W = ssthresh, \
                at most once per round\n\
                slow start (W < ssthresh): W += u min(acked, L) per ACK, where u is the share of acked that was not marked; \
                avoidance: W += a u acked / W, also after a mark\n\
                a = 1; after slow start and 4 rounds, if R < R_v: a = (R / R_v)^2\n\
                loss: ssthresh = max(FlightSize/2, 2), W = ssthresh; timeout: the same threshold, W = 1\n\
                pacing: 1.036 W / R, twice that while W < ssthresh/2\n\
                after the first mark, slow start and 4 rounds, while max(W, 2) rounded up is at most 4, with V = max(R, R_v): \
                r += u acked / (V ceil(r V)); mark: r = max(r (1 - alpha/2), 100 kbit/s); loss: r = r/2; W = max(r R, 2) rounded up; \
                pacing: 1.036 r, 3.1 % more until V/2 after alpha was updated, then 3.1 % less",
    own: &[&Parameters::LIST.all, &[pacing(true)]],
    frame: OWN_MARKS,
    sources: &[DRAFT, "RFC 9331, section 4.3", "RFC 8257"],
    limits: "Prague needs DualPI2, or a queue for each flow. If Prague shares a queue that treats all flows alike, it \
             takes the share of the other flows or loses its own share. Slow start ends with the first mark, which \
             may come in the first window. After this mark, the window grows by only one segment per round trip: over \
             600 ms and 40 Mbit/s, the flow then needs 20 minutes to fill the path. alpha, the smoothed fraction of \
             marked data, needs 16 rounds to follow the marks.",
    papers: &[
        "K. De Schepper, O. Tilmans, B. Briscoe, V. Goel, Prague Congestion Control, Internet-Draft, 2024",
    ],
    draws: false,
    construct: |settings| Box::new(controller(parts_with_own_marks(settings), Parameters::read(settings))),
};
