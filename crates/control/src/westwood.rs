// SPDX-License-Identifier: MIT OR Apache-2.0
//! Westwood, Westwood+ and LogWestwood+: a loss sets the window to the amount that fills the path without a queue.
//!
//! ```text
//! loss:    ssthresh = max(2, B RTTmin), W = min(W, ssthresh)     B: crate::estimate::bandwidth
//! timeout: ssthresh = max(2, B RTTmin), W = 1
//! slow start and avoidance as Reno; LogWestwood+ in avoidance, per acknowledged segment, W_max: window at the loss:
//!   W < W_max: W += max((W_max - W)/(alpha W), 1/W)              W >= W_max: W += 1 (or 1/W)
//! ```
//!
//! Sources: S. Mascolo et al., "TCP Westwood", MobiCom 2001; L. Grieco, S. Mascolo, ACM CCR 34(2), 2004 (Westwood+); D.
//! Kliazovich, F. Granelli, D. Miorandi, "Logarithmic window increase for TCP Westwood+ for improvement in high speed,
//! long distance networks", Computer Networks 52(12), 2008.
//!
//! Before the first bandwidth sample, B = 0 would leave only two segments after a loss. Until then, a loss therefore
//! halves the flight, as in Reno.
//!
//! Linux's Westwood+ uses B RTTmin at other times than the papers do:
//!
//! ```text
//! Linux 6.1 (net/ipv4/tcp_westwood.c)                  ns-2.35 (tcp_westwood.c of 2.6.22, tcp-linux.cc)
//! loss:     ssthresh = W/2, and PRR down to it         W = B RTTmin, ssthresh = W/2
//! repaired: ssthresh = W = max(2, B RTTmin)            slow start from there if W < ssthresh
//! timeout:  ssthresh = max(2, B RTTmin), W = 1,        ssthresh = W/2, W = 1
//!           RTTmin forgotten
//! RTT:      of the newest ACK                          smoothed
//! ```

use crate::catalogue::parts::{WINDOW_RULE, parts};
use crate::catalogue::{Entry, Parameter, parameters, words};
use crate::estimate::bandwidth::{AckedSegments, RttBwe, RttFilter, Silence, TickedBwe, TustinBwe};
use crate::linux::{READING_SOURCE, Reading, sampled_rtt};
use crate::loss_based::{LossBased, Parts, Reduction, Rule};
use crate::reno;
use crate::window::{MAX_WINDOW_SEGMENTS, MIN_SSTHRESH_SEGMENTS, Rescale, Window};
use crate::{Ack, Snapshot, Start};
use units::{Span, Time};

/// The estimator of B.
#[derive(Clone, Debug, saved::Plain)]
pub enum Bandwidth {
    /// Westwood: one sample per ACK.
    PerAck(TustinBwe),
    /// Westwood+: one sample per round trip.
    PerRtt(RttBwe),
    /// Westwood+ and its RTTmin in a kernel's ticks and whole bytes.
    Ticked(TickedBwe),
}

/// Growth above W_max.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum Probing {
    /// One segment per acknowledged segment.
    Exponential,
    /// One segment per window.
    Reno,
}

words! { Probing { Exponential = "exponential", Reno = "reno" } }
words! { RttFilter { Cascade = "cascade", Tustin = "tustin" } }
words! { Silence { Clamp = "clamp", NullSamples = "null_samples" } }

/// Growth in avoidance.
#[derive(Clone, Copy, Debug, PartialEq, saved::Plain)]
pub enum Increase {
    /// 1/W per acknowledged segment.
    Reno,
    /// LogWestwood+: growth is fast far below the window of the last loss, and slow near this window.
    Logarithmic {
        /// In a round trip, the window closes the fraction 1/alpha of the gap to W_max (to first order).
        alpha: f64,
        /// Growth above W_max.
        probing: Probing,
    },
}

/// At which event the window is set to B RTTmin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum Cut {
    /// At a loss, as in the papers.
    AtLoss,
    /// At the events at which this kernel sets the window.
    Kernel(Reading),
}

/// Parameters of Westwood.
#[derive(Clone, Debug, saved::Plain)]
pub struct Parameters {
    /// At which event the window is set to the estimate.
    pub cut: Cut,
    /// How the bandwidth is estimated.
    pub bandwidth: Bandwidth,
    /// Growth in avoidance.
    pub increase: Increase,
    /// Parts of the frame.
    pub parts: Parts,
}

/// The window rule of Westwood.
#[derive(Clone, Debug, saved::Plain)]
pub struct Westwood {
    cut: Cut,
    bandwidth: Bandwidth,
    increase: Increase,
    segments: AckedSegments,
    /// RTTmin of the connection. In Linux 6.1, RTTmin since the newest timeout.
    min_rtt: Option<Span>,
    /// Whether a reduction because of a loss (and not because of a timeout) is being repaired.
    completes: bool,
    /// W_max, segments; `None` before the first loss.
    w_max: Option<f64>,
}

/// Westwood with `parameters`.
pub fn controller(parameters: Parameters) -> LossBased<Westwood> {
    let Parameters { cut, bandwidth, increase, parts } = parameters;
    let rule = Westwood {
        cut,
        bandwidth,
        increase,
        segments: AckedSegments::default(),
        min_rtt: None,
        completes: false,
        w_max: None,
    };
    LossBased::new(rule, parts)
}

impl Westwood {
    /// B, segments/s.
    fn rate(&self) -> Option<f64> {
        match &self.bandwidth {
            Bandwidth::PerAck(bandwidth) => bandwidth.get(),
            Bandwidth::PerRtt(bandwidth) => bandwidth.get(),
            Bandwidth::Ticked(bandwidth) => bandwidth.get(),
        }
    }

    /// B RTTmin, segments; `None` before the first sample.
    fn pipe(&self) -> Option<f64> {
        if let Bandwidth::Ticked(bandwidth) = &self.bandwidth {
            return bandwidth.pipe();
        }
        // "TCP Westwood", section 3: BWE * RTTmin / seg_size.
        Some(self.rate()? * self.min_rtt?.secs_f64())
    }

    /// Returns the RTT of an ACK from which the bandwidth is estimated. Also updates RTTmin.
    fn sample(&mut self, ack: &Ack<'_>, window: &Window) -> Option<Span> {
        let Cut::Kernel(reading) = self.cut else {
            self.min_rtt = window.min_rtt;
            return ack.rtt;
        };
        // tcp_westwood_pkts_acked: 6.1 uses the RTT sample, and 2.6.22 uses the smoothed RTT. update_rtt_min stores
        // RTTmin.
        let rtt = if reading == Reading::Ns2 { ack.rtt.and(ack.srtt) } else { sampled_rtt(ack) };
        self.min_rtt = rtt.map_or(self.min_rtt, |rtt| Some(self.min_rtt.map_or(rtt, |min| min.min(rtt))));
        rtt
    }
}

impl Rescale for Westwood {
    fn rescale(&mut self, factor: f64) {
        match &mut self.bandwidth {
            Bandwidth::PerAck(bandwidth) => bandwidth.rescale(factor),
            Bandwidth::PerRtt(bandwidth) => bandwidth.rescale(factor),
            Bandwidth::Ticked(bandwidth) => bandwidth.rescale(factor),
        }
        self.segments.rescale(factor);
        self.w_max.rescale(factor);
    }
}

impl Rule for Westwood {
    /// W_max.
    type Memory = Option<f64>;

    fn start(&mut self, event: &Start, _window: &mut Window) {
        if let Bandwidth::Ticked(bandwidth) = &mut self.bandwidth {
            bandwidth.start(event.now, event.mss);
        }
    }

    fn observe(&mut self, ack: &Ack<'_>, window: &mut Window) {
        let rtt = self.sample(ack, window);
        let segments = self.segments.count(ack, window.mss);
        if segments > 0.0 {
            match &mut self.bandwidth {
                Bandwidth::PerAck(bandwidth) => bandwidth.on_ack(ack.now, segments),
                Bandwidth::PerRtt(bandwidth) => bandwidth.on_ack(ack.now, segments, rtt),
                Bandwidth::Ticked(bandwidth) => bandwidth.on_ack(ack.now, segments, rtt),
            };
        }
    }

    fn avoidance(&mut self, _ack: &Ack<'_>, acked: f64, window: &Window) -> f64 {
        let w = window.w;
        match (self.increase, self.w_max) {
            (Increase::Logarithmic { alpha, .. }, Some(w_max)) if w < w_max => {
                // Kliazovich et al. 2008: (W_max - W)/(alpha W). If W_max is closer than alpha segments, this step
                // would be smaller than Reno's step, and W would never reach W_max.
                ((w_max - w) / alpha).max(1.0) / w * acked
            }
            (Increase::Logarithmic { probing: Probing::Exponential, .. }, Some(_)) => acked,
            _ => reno::increase(acked, w),
        }
    }

    fn reduce(&mut self, event: &Reduction, window: &Window) -> f64 {
        self.w_max = Some(window.w);
        // CA_EVENT_COMPLETE_CWR occurs at the end of a repair, but not after a timeout.
        self.completes = self.cut == Cut::Kernel(Reading::Linux) && event.sent_at.is_some();
        match (self.cut, event.sent_at) {
            // tcp_reno_ssthresh
            (Cut::Kernel(Reading::Ns2), _) | (Cut::Kernel(Reading::Linux), Some(_)) => reno::halve(window.w),
            _ => self.pipe().unwrap_or_else(|| reno::halve(event.flight)),
        }
    }

    fn window_after_loss(&self, window: &Window) -> f64 {
        match self.cut {
            // .min_cwnd is tcp_westwood_bw_rttmin. tcp_fastretrans_alert of ns-2 sets the window to this value.
            Cut::Kernel(Reading::Ns2) => self.pipe().unwrap_or(window.ssthresh).max(MIN_SSTHRESH_SEGMENTS),
            _ => window.w.min(window.ssthresh),
        }
    }

    fn keeps_window_in_repair(&self) -> bool {
        self.cut == Cut::Kernel(Reading::Ns2)
    }

    fn timeout(&mut self) {
        self.completes = false;
        if self.cut == Cut::Kernel(Reading::Linux) {
            // CA_EVENT_LOSS: the next ACK sets RTTmin.
            self.min_rtt = None;
            if let Bandwidth::Ticked(bandwidth) = &mut self.bandwidth {
                bandwidth.forget_min_rtt();
            }
        }
    }

    fn repaired(&mut self, _now: Time, window: &mut Window) {
        let completes = std::mem::take(&mut self.completes);
        if let Some(pipe) = self.pipe().filter(|_| completes) {
            window.ssthresh = pipe.clamp(MIN_SSTHRESH_SEGMENTS, MAX_WINDOW_SEGMENTS);
            window.w = window.ssthresh;
        }
    }

    fn save(&self) -> Option<f64> {
        self.w_max
    }
    fn restore(&mut self, w_max: Option<f64>) {
        self.w_max = w_max;
    }

    fn snapshot(&self, out: &mut Snapshot) {
        if let Some(rate) = self.rate() {
            out.push(("bandwidth_segments_per_s", rate));
        }
        if let (Increase::Logarithmic { .. }, Some(w_max)) = (self.increase, self.w_max) {
            out.push(("w_max_segments", w_max));
        }
    }
}

const WESTWOOD_PAPER: &str = "S. Mascolo, C. Casetti, M. Gerla, M. Y. Sanadidi, R. Wang, TCP Westwood: bandwidth \
     estimation for enhanced transport over wireless links, MobiCom 2001";
const WESTWOOD_PLUS_PAPER: &str = "L. A. Grieco, S. Mascolo, Performance evaluation and comparison of Westwood+, \
     New Reno, and Vegas TCP congestion control, ACM CCR 34(2), 2004";

parameters! {
    /// How Westwood estimates the bandwidth.
    struct AckSamples {
        /// time constant of the bandwidth filter; if it is below the round trip, the estimate follows bursts; if it is
        /// above the round trip, the estimate lags behind
        tau: Span = time("500 ms", Span::from_millis(1)..=Span::from_secs(60)),
            "TCP Westwood in ns-2 (0.5 s; from memory)";
        /// what happens if no ACK arrives for longer than 2 tau, where the filter is not defined; null samples
        /// decrease the estimate during this time
        silence: Silence = word("clamp"),
            "TCP Westwood, section 2 (null_samples, every tau/2); Bentpipe (clamp)";
    }
}

pub(crate) const WESTWOOD: Entry = Entry {
    name: "westwood",
    summary: "TCP Westwood: after a loss the window is the estimated bandwidth times the smallest RTT",
    equations: "b_k = d_k/D_k (D_k: time between two ACKs, d_k: segments that the second ACK counts)\n\
                B_k = a_k B_k-1 + (1 - a_k)/2 (b_k + b_k-1), a_k = (2 tau - D_k)/(2 tau + D_k)\n\
                slow start and avoidance as Reno\n\
                loss: ssthresh = max(2, B RTTmin), W = min(W, ssthresh); timeout: ssthresh likewise, W = 1",
    own: &[&AckSamples::LIST.all],
    frame: WINDOW_RULE,
    sources: &["Mascolo et al., MobiCom 2001", "Linux net/ipv4/tcp_westwood.c (segments per ACK)"],
    limits: "Compressed ACKs raise the estimate B of the bandwidth. RTTmin is the smallest RTT of the whole \
             connection, so the window B RTTmin is too small after a change to a longer path. The default of tau is \
             from memory. ACKs less than 1 us apart count as one ACK. The first sample initialises the filter. If a \
             loss occurs before this sample, the window becomes half of the data in flight.",
    papers: &[WESTWOOD_PAPER],
    draws: false,
    construct: |settings| {
        let AckSamples { tau, silence } = AckSamples::read(settings);
        Box::new(controller(Parameters {
            cut: Cut::AtLoss,
            bandwidth: Bandwidth::PerAck(TustinBwe::new(tau, silence)),
            increase: Increase::Reno,
            parts: parts(settings),
        }))
    },
};

parameters! {
    /// How Westwood+ estimates the bandwidth.
    struct RttSamples {
        /// cascade: two averages with the weight 1/8 in series; tustin: the trapezoidal rule with the weight 0.9;
        /// cascade needs twice as many round trips as tustin
        bandwidth_filter: RttFilter = word("cascade"),
            "Linux net/ipv4/tcp_westwood.c (cascade); ns-3 TcpWestwoodPlus (tustin)";
        /// shortest time over which a bandwidth sample is taken; it affects only shorter round trips
        min_bandwidth_window: Span = time("50 ms", Span::ZERO..=Span::from_secs(10)),
            "Linux net/ipv4/tcp_westwood.c (TCP_WESTWOOD_RTT_MIN)";
    }
}

impl RttSamples {
    fn bandwidth(&self) -> Bandwidth {
        Bandwidth::PerRtt(RttBwe::new(self.bandwidth_filter, self.min_bandwidth_window))
    }
}

/// The source of the rules of Westwood+.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
enum PlusReading {
    Linux,
    Ns2,
    Paper,
}

words! { PlusReading { Linux = "6.1", Ns2 = "ns-2", Paper = "paper" } }

parameters! {
    /// Parameters of Westwood+, in addition to the parameters of its filter.
    struct PlusParameters {
        /// paper: the loss reduces the window to B RTTmin, and the repair uses this window; 6.1: as in Linux; ns-2: as
        /// in ns-2's TCP-Linux
        reading: PlusReading = word("6.1"), READING_SOURCE;
        /// the kernel's unit of time, used with reading = "6.1" and the cascade; RTTmin is rounded up to this unit
        /// (30.1 ms to 32 ms)
        tick: Span = time("4 ms", Span::from_millis(1)..=Span::from_millis(10)),
            "Linux (CONFIG_HZ = 250, Debian's and upstream's default)";
    }
}

const READING: Parameter = PlusParameters::LIST.get("reading");

pub(crate) const WESTWOOD_PLUS: Entry = Entry {
    name: "westwood-plus",
    summary: "Westwood+: Westwood with one bandwidth sample per round trip, as in Linux",
    equations: "b = segments acknowledged / length of the window (a round trip, at least min_bandwidth_window)\n\
                B1 += (b - B1)/8, B += (B1 - B)/8 (cascade), or B = 0.9 B + 0.1 (b + b_before)/2 (tustin)\n\
                6.1 with the cascade: time in ticks, RTT rounded up, b, B1 and B in bytes/tick, B RTTmin in segments, \
                all rounded down; RTTs of retransmissions in ms\n\
                slow start and avoidance as Reno\n\
                loss: ssthresh = W = W/2; when it is repaired ssthresh = W = max(2, B RTTmin)\n\
                timeout: ssthresh = max(2, B RTTmin), W = 1, RTTmin forgotten\n\
                ns-2: loss: W = max(2, B RTTmin), ssthresh = W/2, so that slow start may follow; timeout: ssthresh = \
                W/2, W = 1; RTT is the smoothed one\n\
                paper: loss: ssthresh = max(2, B RTTmin), W = min(W, ssthresh); timeout: ssthresh likewise, W = 1",
    own: &[&[READING], &RttSamples::LIST.all, &PlusParameters::LIST.all],
    frame: WINDOW_RULE,
    sources: &[
        "Linux 6.1 net/ipv4/tcp_westwood.c",
        "ns-2.35 tcp/linux/src/tcp_westwood.c (Linux 2.6.22), tcp/tcp-linux.cc",
        "Grieco and Mascolo 2004",
    ],
    limits: "RTTmin is the smallest RTT of the whole connection. With reading = \"6.1\", a timeout deletes RTTmin. \
             After a change to a longer path, the window B RTTmin is too small. B, the estimate of the bandwidth, \
             lags behind the rate: while slow start doubles the window in each round, B is only 5 % of the newest \
             sample (14 % with bandwidth_filter = \"tustin\"). A loss in slow start therefore reduces the window far \
             below the capacity. With reading = \"6.1\", RTTmin is rounded up to ticks of the kernel. B RTTmin can \
             then exceed the capacity of the path by the data of one tick. At the end of a repair, Linux sets the \
             window to B RTTmin, even if the reduction was undone. If a loss occurs before the first sample, Linux \
             sets the window to two segments. This controller then halves the data in flight.",
    papers: &[WESTWOOD_PLUS_PAPER],
    draws: false,
    construct: |settings| {
        let samples = RttSamples::read(settings);
        let PlusParameters { reading, tick } = PlusParameters::read(settings);
        Box::new(controller(Parameters {
            cut: match reading {
                PlusReading::Linux => Cut::Kernel(Reading::Linux),
                PlusReading::Ns2 => Cut::Kernel(Reading::Ns2),
                PlusReading::Paper => Cut::AtLoss,
            },
            bandwidth: match (reading, samples.bandwidth_filter) {
                (PlusReading::Linux, RttFilter::Cascade) => {
                    Bandwidth::Ticked(TickedBwe::new(tick, samples.min_bandwidth_window))
                }
                _ => samples.bandwidth(),
            },
            increase: Increase::Reno,
            parts: parts(settings),
        }))
    },
};

parameters! {
    /// Parameters of LogWestwood+, in addition to the parameters of its filter.
    struct LogParameters {
        /// with a larger alpha, the gap to W_max closes more slowly
        alpha: f64 = number("none", 2.0, 1.0..=100.0), "Kliazovich et al. 2008 (2; from memory)";
        /// growth above W_max, where the capacity of the path is not known; exponential growth soon finds new capacity,
        /// but overshoots by a window
        probing: Probing = word("exponential"),
            "Kliazovich et al. 2008, abstract (exponential); a port to ns-3 (reno)";
    }
}

pub(crate) const LOG_WESTWOOD_PLUS: Entry = Entry {
    name: "log-westwood-plus",
    summary: "LogWestwood+: Westwood+ that closes the gap to the window at the last loss logarithmically",
    equations: "B as Westwood+; W_max = W at a loss; slow start as Reno\n\
                avoidance: W += acked max((W_max - W)/(alpha W), 1/W) while W < W_max\n\
                beyond W_max: W += acked (exponential) or acked/W (reno); before any loss acked/W\n\
                loss: ssthresh = max(2, B RTTmin), W = min(W, ssthresh); timeout: ssthresh likewise, W = 1",
    own: &[&RttSamples::LIST.all, &LogParameters::LIST.all],
    frame: WINDOW_RULE,
    sources: &["Kliazovich, Granelli and Miorandi 2008 (abstract)", "Grieco and Mascolo 2004"],
    limits: "The implementation follows the abstract. alpha is fixed. Citations say that the paper adapts alpha \
             to duplicate ACKs. Each step is at least as large as Reno's step, because otherwise the window \
             would never reach W_max. The limits of westwood-plus apply.",
    papers: &[
        "D. Kliazovich, F. Granelli, D. Miorandi, Logarithmic window increase for TCP Westwood+ for improvement \
         in high speed, long distance networks, Computer Networks 52(12), 2008",
    ],
    draws: false,
    construct: |settings| {
        let LogParameters { alpha, probing } = LogParameters::read(settings);
        Box::new(controller(Parameters {
            cut: Cut::AtLoss,
            bandwidth: RttSamples::read(settings).bandwidth(),
            increase: Increase::Logarithmic { alpha, probing },
            parts: parts(settings),
        }))
    },
};
