// SPDX-License-Identifier: MIT OR Apache-2.0
//! Geo-Reno: Reno whose growth is proportional to the distance between the endpoints (Muppalaneni, Gupta and
//! Vaddiraju, "Congestion Control on LEO Satellite Networks using Hypatia", slides).
//!
//! ```text
//! avoidance: W += alpha d / W per ACK        d: geodesic distance, alpha: "normalizing constant (based on minimum RTT)"
//! ```
//!
//! The slides say "For every Ack". With `byte_counting = false`, this code counts one segment per ACK. The default
//! counts acknowledged segments. The bounds of the gain (0.1 and `gain_max`) and of the growth (one segment per
//! acknowledged segment) are choices of this laboratory.
//!
//! Everything else is as in Reno. The gain is the number alpha d. The slides do not give a value of alpha, so its
//! possible readings are parameters. The slides assume "RTT proportional to distance", which is false for short paths.
//! The slides give two round trips: Wuhan to Washington (12 201 km, 105 ms) and Toronto to Washington (567 km, 11 ms).
//! The ratio of these distances is 21.5, but the ratio of the RTTs is 9.5.

use crate::catalogue::parts::{WINDOW_RULE, parts};
use crate::catalogue::{Entry, parameters, words};
use crate::loss_based::{LossBased, Parts, Reduction, Rule};
use crate::window::{Rescale, Window};
use crate::{Ack, PathChange, Signals, Snapshot, Start, reno};
use units::Span;

/// Smallest gain. With this gain, a path of length zero still probes for capacity.
const MIN_GAIN: f64 = 0.1;

/// How the gain is computed.
#[derive(Clone, Copy, Debug, PartialEq, saved::Plain)]
pub enum Gain {
    /// d divided by a reference distance, in m. The reference is the distance of the competing flow with the smallest
    /// RTT, or one distance for all flows. `None` means the flow's own first distance. A single flow then behaves as
    /// Reno.
    Distance(Option<f64>),
    /// The expected RTT of the distance, divided by a reference RTT, both in s: `rtt_per_m` d / `reference_s`.
    ExpectedRtt {
        /// Seconds of RTT per metre of distance.
        rtt_per_m: f64,
        /// RTT at which the flow behaves as Reno.
        reference_s: f64,
    },
    /// The flow's smallest RTT divided by this reference RTT, in s. This variant does not need a distance.
    MeasuredRtt(f64),
}

/// The quantity from which the gain is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum GainSource {
    /// The distance between the endpoints.
    Geodesic,
    /// The smallest RTT.
    Rtt,
}

words! { GainSource { Geodesic = "geodesic", Rtt = "rtt" } }

/// The meaning of alpha, which the slides call "normalizing constant".
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum AlphaMode {
    /// 1/(distance of the competing flow with the smallest RTT).
    MinDistance,
    /// The expected RTT of a distance, divided by a reference RTT.
    MinRtt,
    /// 1/(a distance that is the same for all flows).
    ReferenceDistance,
}

words! {
    AlphaMode {
        MinDistance = "min-distance",
        MinRtt = "min-rtt",
        ReferenceDistance = "reference-distance",
    }
}

parameters! {
    /// Parameters of Geo-Reno.
    pub struct Parameters {
        /// source of the gain: rtt uses RTTmin/rtt_ref; geodesic uses the distance, which underestimates the RTT of
        /// short paths
        gain_source: GainSource = word("geodesic"),
            "the slides (geodesic); Bentpipe (rtt)";
        /// min-distance: alpha is 1/d_min_km, so the flow with the smallest RTT behaves as Reno; min-rtt: alpha is
        /// rtt_per_km/rtt_ref; reference-distance: alpha is the same for all flows
        alpha_mode: AlphaMode = word("min-distance"),
            "readings of the slides' \"normalizing constant (based on minimum RTT)\"";
        /// with alpha_mode = "min-distance": distance of the competing flow with the smallest RTT; with 0, the flow
        /// uses its own distance and behaves as Reno
        d_min_km: f64 = number("km", 0.0, 0.0..=21_000.0), "the slides' paths (Toronto to Washington: 567 km)";
        /// with alpha_mode = "reference-distance": distance at which the flow behaves as Reno
        d_ref_km: f64 = number("km", 1000.0, 1.0..=21_000.0), "Bentpipe";
        /// with alpha_mode = "min-rtt": RTT per kilometre of distance (light in vacuum, both directions: 6671 ns)
        rtt_per_km: Span = time("8606 ns", Span::from_micros(1)..=Span::from_millis(1)),
            "the slides' long path: 105 ms over 12 201 km";
        /// with alpha_mode = "min-rtt" or gain_source = "rtt": RTT at which the flow behaves as Reno
        rtt_ref: Span = time("11 ms", Span::from_millis(1)..=Span::from_secs(10)), "the slides' shorter path";
        /// false counts one segment per ACK, as the slides do ("For every Ack"): delayed ACKs then halve the growth in
        /// avoidance
        byte_counting: bool = flag(true), "RFC 3465 (true); the slides, and ns-3's TcpNewReno (false)";
        /// upper bound of the gain, which limits the effect of a wrong distance
        gain_max: f64 = number("none", 25.0, 1.0..=1000.0), "Bentpipe";
    }
}

impl Gain {
    fn new(parameters: &Parameters) -> Self {
        let reference_s = parameters.rtt_ref.secs_f64();
        match (parameters.gain_source, parameters.alpha_mode) {
            (GainSource::Rtt, _) => Self::MeasuredRtt(reference_s),
            (_, AlphaMode::MinRtt) => {
                Self::ExpectedRtt { rtt_per_m: parameters.rtt_per_km.secs_f64() / 1e3, reference_s }
            }
            (_, AlphaMode::ReferenceDistance) => Self::Distance(Some(parameters.d_ref_km * 1e3)),
            (_, AlphaMode::MinDistance) => {
                Self::Distance(Some(parameters.d_min_km * 1e3).filter(|d| *d > 0.0))
            }
        }
    }
}

/// The window rule of Geo-Reno.
#[derive(Clone, Debug, saved::Plain)]
pub struct GeoReno {
    gain: Gain,
    max_gain: f64,
    byte_counting: bool,
    /// The newest distance, m.
    distance_m: Option<f64>,
    /// The `RTTmin` for which the gain was computed.
    min_rtt: Option<Span>,
    /// alpha d. It is 1 until the distance or the RTT, whichever `gain` uses, is known.
    value: f64,
}

/// Geo-Reno with `parameters`, combined with `parts`.
pub fn controller(parts: Parts, parameters: Parameters) -> LossBased<GeoReno> {
    let Parameters { gain_max: max_gain, byte_counting, .. } = parameters;
    let gain = Gain::new(&parameters);
    let rule = GeoReno { gain, max_gain, byte_counting, distance_m: None, min_rtt: None, value: 1.0 };
    LossBased::new(rule, parts)
}

impl GeoReno {
    fn on_distance(&mut self, distance_m: Option<f64>) {
        let Some(distance_m) = distance_m.filter(|d| d.is_finite()) else { return };
        self.distance_m = Some(distance_m);
        self.value = match self.gain {
            Gain::Distance(reference_m) => {
                let reference_m = reference_m.unwrap_or(distance_m);
                self.gain = Gain::Distance(Some(reference_m));
                self.bounded(distance_m, reference_m)
            }
            Gain::ExpectedRtt { rtt_per_m, reference_s } => self.bounded(rtt_per_m * distance_m, reference_s),
            Gain::MeasuredRtt(_) => self.value,
        };
    }

    /// `value`/`reference`, limited to the bounds of the gain. If the reference is zero, 1.
    fn bounded(&self, value: f64, reference: f64) -> f64 {
        if reference > 0.0 { (value / reference).clamp(MIN_GAIN, self.max_gain) } else { 1.0 }
    }
}

impl Rescale for GeoReno {
    fn rescale(&mut self, _factor: f64) {}
}

impl Rule for GeoReno {
    type Memory = ();

    fn requires(&self) -> Signals {
        match self.gain {
            Gain::Distance(_) | Gain::ExpectedRtt { .. } => Signals::DISTANCE,
            Gain::MeasuredRtt(_) => Signals::NONE,
        }
    }
    fn start(&mut self, event: &Start, _window: &mut Window) {
        self.on_distance(event.path.distance_m);
    }
    fn observe(&mut self, _ack: &Ack<'_>, window: &mut Window) {
        if let Gain::MeasuredRtt(reference_s) = self.gain
            && let Some(rtt) = window.min_rtt
            && self.min_rtt != window.min_rtt
        {
            self.min_rtt = window.min_rtt;
            self.value = self.bounded(rtt.secs_f64(), reference_s);
        }
    }
    fn avoidance(&mut self, _ack: &Ack<'_>, acked: f64, window: &Window) -> f64 {
        // Slides: CWND += alpha d / CWND. Growth is limited to one segment per acknowledged segment, as in slow start.
        let counted = if self.byte_counting { acked } else { 1.0 };
        reno::increase(self.value * counted, window.w).min(acked)
    }
    fn reduce(&mut self, event: &Reduction, _window: &Window) -> f64 {
        reno::halve(event.flight)
    }
    fn path(&mut self, event: &PathChange, _window: &mut Window) {
        self.on_distance(event.after.distance_m);
    }
    fn save(&self) {}
    fn restore(&mut self, (): ()) {}
    fn snapshot(&self, out: &mut Snapshot) {
        out.push(("gain", self.value));
        if let Some(distance_m) = self.distance_m {
            out.push(("distance_km", distance_m / 1e3));
        }
    }
}

pub(crate) const GEO_RENO: Entry = Entry {
    name: "geo-reno",
    summary: "Geo-Reno: Reno whose growth is proportional to the distance between the endpoints",
    equations: "gain g = alpha d = d/d_min, or (RTT per km) d/RTT_ref, or d/d_ref; or RTTmin/RTT_ref; 0.1 <= g <= gain_max\n\
                avoidance: W += acked min(g/W, 1); without byte_counting min(g/W, acked) per ACK\n\
                slow start, loss and timeout as Reno",
    own: &[&Parameters::LIST.all],
    frame: WINDOW_RULE,
    sources: &[
        "S. Muppalaneni, E. Gupta, M. K. Vaddiraju, Congestion Control on LEO Satellite Networks using Hypatia, slides",
    ],
    limits: "The slides do not give the constant alpha of the gain g = alpha d. alpha_mode chooses one of its possible \
             readings. With alpha_mode = \"min-distance\" and d_min_km = 0 (both are defaults), a flow behaves as \
             Reno. The ratio of two distances is larger than the ratio of the RTTs (21.5 and 9.5 in the slides' \
             example). For equal shares, the gain g would have to be the square of the RTT ratio. If g is only the \
             RTT ratio, half of the bias remains. If a path change is announced, the gain changes at the time of the \
             announcement.",
    papers: &[
        "S. Muppalaneni, E. Gupta, M. K. Vaddiraju, Congestion Control on LEO Satellite Networks using Hypatia, \
         course presentation CS538",
    ],
    draws: false,
    construct: |settings| Box::new(controller(parts(settings), Parameters::read(settings))),
};

#[cfg(test)]
mod tests {
    use super::*;

    /// With the gain 1, the result is bit-identical to Reno.
    #[test]
    fn gain_one_is_reno() {
        let mut rule = GeoReno {
            gain: Gain::Distance(None),
            max_gain: 25.0,
            byte_counting: true,
            distance_m: None,
            min_rtt: None,
            value: 0.0,
        };
        rule.on_distance(Some(12_201e3));
        let ack = Ack::at(units::Time::ZERO);
        for (acked, w) in [(1.0, 1.0), (1.0, 3.0), (2.0, 7.1), (0.3, 1e6), (100.0, 10.0)] {
            assert_eq!(rule.avoidance(&ack, acked, &Window::new(w, 1)), reno::increase(acked, w));
        }
    }
}
