// SPDX-License-Identifier: MIT OR Apache-2.0
//! Westwood, Westwood+ and LogWestwood+: after a loss, the window that fills the path without a queue.
//!
//! ```text
//! loss:    ssthresh = max(2, B RTTmin), W = min(W, ssthresh)     B: crate::estimate::bandwidth
//! timeout: ssthresh = max(2, B RTTmin), W = 1
//! slow start and avoidance as Reno; LogWestwood+ in avoidance, per acknowledged segment, W_max: window at the loss:
//!   W < W_max: W += max((W_max - W)/(alpha W), 1/W)              W >= W_max: W += 1 (or 1/W)
//! ```
//!
//! Sources: S. Mascolo et al., "TCP Westwood", MobiCom 2001; L. Grieco, S. Mascolo, ACM CCR 34(2), 2004 (Westwood+);
//! D. Kliazovich, F. Granelli, D. Miorandi, "Logarithmic window increase for TCP Westwood+ for improvement in high
//! speed, long distance networks", Computer Networks 52(12), 2008. Before the first bandwidth sample a loss halves the
//! flight as in Reno: with B = 0 it would leave two segments.

use crate::estimate::bandwidth::{AckedSegments, RttBwe, TustinBwe};
use crate::loss_based::{LossBased, Parts, Reduction, Rule};
use crate::reno;
use crate::window::{Rescale, Window};
use crate::{Ack, Snapshot};

/// B, in one of its two forms.
#[derive(Clone, Debug)]
pub enum Bandwidth {
    /// Westwood: one sample per ACK.
    PerAck(TustinBwe),
    /// Westwood+: one sample per round trip.
    PerRtt(RttBwe),
}

/// Growth beyond W_max.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probing {
    /// One segment per acknowledged segment.
    Exponential,
    /// One segment per window.
    Reno,
}

/// Growth in avoidance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Increase {
    /// 1/W per acknowledged segment.
    Reno,
    /// LogWestwood+: fast when far below the window of the last loss, slow when near.
    Logarithmic {
        /// The share 1/alpha of the gap to W_max is closed in a round trip, to first order.
        alpha: f64,
        /// Beyond W_max.
        probing: Probing,
    },
}

/// What can be chosen about Westwood.
#[derive(Clone, Debug)]
pub struct Parameters {
    /// How the bandwidth is estimated.
    pub bandwidth: Bandwidth,
    /// Growth in avoidance.
    pub increase: Increase,
    /// What surrounds the rule.
    pub parts: Parts,
}

/// The rule.
#[derive(Clone, Debug)]
pub struct Westwood {
    bandwidth: Bandwidth,
    increase: Increase,
    segments: AckedSegments,
    /// W_max, segments; `None` before the first loss.
    w_max: Option<f64>,
}

/// Westwood with `parameters`.
pub fn controller(parameters: Parameters) -> LossBased<Westwood> {
    let Parameters { bandwidth, increase, parts } = parameters;
    let rule = Westwood { bandwidth, increase, segments: AckedSegments::default(), w_max: None };
    LossBased::new(rule, parts)
}

impl Westwood {
    /// B, segments/s.
    fn rate(&self) -> Option<f64> {
        match &self.bandwidth {
            Bandwidth::PerAck(bandwidth) => bandwidth.get(),
            Bandwidth::PerRtt(bandwidth) => bandwidth.get(),
        }
    }
}

impl Rescale for Westwood {
    fn rescale(&mut self, factor: f64) {
        match &mut self.bandwidth {
            Bandwidth::PerAck(bandwidth) => bandwidth.rescale(factor),
            Bandwidth::PerRtt(bandwidth) => bandwidth.rescale(factor),
        }
        self.segments.rescale(factor);
        self.w_max.rescale(factor);
    }
}

impl Rule for Westwood {
    /// W_max.
    type Memory = Option<f64>;

    fn observe(&mut self, ack: &Ack<'_>, window: &mut Window) {
        let segments = self.segments.count(ack, window.mss);
        if segments > 0.0 {
            match &mut self.bandwidth {
                Bandwidth::PerAck(bandwidth) => bandwidth.on_ack(ack.now, segments),
                Bandwidth::PerRtt(bandwidth) => bandwidth.on_ack(ack.now, segments, ack.rtt),
            };
        }
    }

    fn avoidance(&mut self, _ack: &Ack<'_>, acked: f64, window: &Window) -> f64 {
        let w = window.w;
        match (self.increase, self.w_max) {
            (Increase::Logarithmic { alpha, .. }, Some(w_max)) if w < w_max => {
                // Kliazovich et al. 2008: (W_max - W)/(alpha W); within alpha segments of W_max it would fall below
                // Reno's step, and never get there.
                ((w_max - w) / alpha).max(1.0) / w * acked
            }
            (Increase::Logarithmic { probing: Probing::Exponential, .. }, Some(_)) => acked,
            _ => reno::increase(acked, w),
        }
    }

    fn reduce(&mut self, event: &Reduction, window: &Window) -> f64 {
        self.w_max = Some(window.w);
        match (self.rate(), window.min_rtt) {
            // "TCP Westwood", section 3: ssthresh = BWE * RTTmin / seg_size.
            (Some(rate), Some(min_rtt)) => rate * min_rtt.secs_f64(),
            _ => reno::halve(event.flight),
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
