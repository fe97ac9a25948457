// SPDX-License-Identifier: MIT OR Apache-2.0
//! Geo-Reno: Reno whose growth is proportional to the distance between the endpoints (Muppalaneni, Gupta and
//! Vaddiraju, "Congestion Control on LEO Satellite Networks using Hypatia", slides).
//!
//! ```text
//! avoidance: W += alpha d / W per ACK        d: geodesic distance, alpha: "normalizing constant (based on minimum RTT)"
//! ```
//!
//! Everything else is Reno's. alpha d is a number, the gain; the slides give no value of alpha, so its readings are
//! here. The premise "RTT proportional to distance" is false for short paths: with the slides' round trips, Wuhan to
//! Washington (12 201 km, 105 ms) and Toronto to Washington (567 km, 11 ms), distances are as 21.5 to 1, RTTs as 9.5.

use crate::catalogue::parts::{WINDOW_RULE, parts};
use crate::catalogue::{Domain, Entry, Parameter, Value};
use crate::loss_based::{LossBased, Parts, Reduction, Rule};
use crate::window::{Rescale, Window};
use crate::{Ack, PathChange, Signals, Snapshot, Start, reno};
use units::Span;

/// Smallest gain: a path of no length still probes.
const MIN_GAIN: f64 = 0.1;

/// How the gain is found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gain {
    /// d over this distance, m; over the flow's own first distance if `None` (a lone flow is then Reno).
    /// The distance is that of the competing flow with the smallest RTT, or one for all.
    Distance(Option<f64>),
    /// The RTT that the distance lets expect over a reference, both in s: `rtt_per_m` d / `reference_s`.
    ExpectedRtt {
        /// Seconds of RTT per metre of distance.
        rtt_per_m: f64,
        /// RTT of the flow that is Reno.
        reference_s: f64,
    },
    /// The flow's smallest RTT over this, s; no distance is needed.
    MeasuredRtt(f64),
}

/// What can be chosen about Geo-Reno.
#[derive(Clone, Debug)]
pub struct Parameters {
    /// What surrounds the rule.
    pub parts: Parts,
    /// How the gain is found.
    pub gain: Gain,
    /// Largest gain.
    pub max_gain: f64,
}

/// The rule.
#[derive(Clone, Debug)]
pub struct GeoReno {
    gain: Gain,
    max_gain: f64,
    /// Newest distance, m.
    distance_m: Option<f64>,
    /// `RTTmin` that the gain was found for.
    min_rtt: Option<Span>,
    /// alpha d; 1 while nothing is known.
    value: f64,
}

/// Geo-Reno with `parameters`.
pub fn controller(parameters: Parameters) -> LossBased<GeoReno> {
    let Parameters { parts, gain, max_gain } = parameters;
    LossBased::new(GeoReno { gain, max_gain, distance_m: None, min_rtt: None, value: 1.0 }, parts)
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

    /// `value`/`reference` within the bounds; 1 if there is nothing to compare with.
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
        // Slides: CWND += alpha d / CWND; at most a segment per segment, which is slow start.
        reno::increase(self.value * acked, window.w).min(acked)
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
                avoidance: W += acked min(g/W, 1)\n\
                slow start, loss and timeout as Reno",
    own: &[
        Parameter {
            name: "gain_source",
            unit: "none",
            default: Value::Text("geodesic"),
            domain: Domain::Choice(&["geodesic", "rtt"]),
            source: "the slides (geodesic); this laboratory (rtt)",
            why: "short paths are longer than their distance says; rtt takes RTTmin/rtt_ref, and no oracle is needed",
        },
        Parameter {
            name: "alpha_mode",
            unit: "none",
            default: Value::Text("min-distance"),
            domain: Domain::Choice(&["min-distance", "min-rtt", "reference-distance"]),
            source: "readings of \"normalizing constant (based on minimum RTT)\"",
            why: "1/d_min_km makes the flow of the smallest RTT Reno; min-rtt is rtt_per_km/rtt_ref; a reference distance is one for all",
        },
        Parameter {
            name: "d_min_km",
            unit: "km",
            default: Value::Number(0.0),
            domain: Domain::Number(0.0, 21_000.0),
            source: "the slides' paths (Toronto to Washington: 567 km)",
            why: "min-distance: distance of the competing flow with the smallest RTT; 0 takes the flow's own, which is Reno",
        },
        Parameter {
            name: "d_ref_km",
            unit: "km",
            default: Value::Number(1000.0),
            domain: Domain::Number(1.0, 21_000.0),
            source: "this laboratory",
            why: "reference-distance: distance at which the flow is Reno",
        },
        Parameter {
            name: "rtt_per_km",
            unit: "time",
            default: Value::Text("8606 ns"),
            domain: Domain::Time(Span::from_micros(1), Span::from_millis(1)),
            source: "the slides' long path: 105 ms over 12 201 km",
            why: "min-rtt: RTT that a kilometre of distance stands for (light in vacuum, there and back: 6671 ns)",
        },
        Parameter {
            name: "rtt_ref",
            unit: "time",
            default: Value::Text("11 ms"),
            domain: Domain::Time(Span::from_millis(1), Span::from_secs(10)),
            source: "the slides' shorter path",
            why: "min-rtt, and gain_source rtt: RTT at which the flow is Reno",
        },
        Parameter {
            name: "gain_max",
            unit: "none",
            default: Value::Number(25.0),
            domain: Domain::Number(1.0, 1000.0),
            source: "this laboratory",
            why: "bounds what a wrong distance can do",
        },
    ],
    frame: WINDOW_RULE,
    sources: &[
        "S. Muppalaneni, E. Gupta, M. K. Vaddiraju, Congestion Control on LEO Satellite Networks using Hypatia, slides",
    ],
    limits: "The constant is not given: its readings are parameters, and by default a flow is Reno until d_min_km is said. \
             Distance overstates the RTT ratio of a long and a short path (21.5 for 9.5 in the slides' example). \
             Equal shares would need the square of the RTT ratio: with g as the RTT ratio half the bias stays. \
             An announced path change counts when it is announced.",
    papers: &[
        "S. Muppalaneni, E. Gupta, M. K. Vaddiraju, Congestion Control on LEO Satellite Networks using Hypatia, \
         course presentation CS538",
    ],
    draws: false,
    construct: |settings| {
        let km = |name| settings.number(name) * 1e3;
        let rtt_ref = settings.time("rtt_ref").secs_f64();
        let gain = match (settings.text("gain_source"), settings.text("alpha_mode")) {
            ("rtt", _) => Gain::MeasuredRtt(rtt_ref),
            (_, "min-rtt") => Gain::ExpectedRtt {
                rtt_per_m: settings.time("rtt_per_km").secs_f64() / 1e3,
                reference_s: rtt_ref,
            },
            (_, "reference-distance") => Gain::Distance(Some(km("d_ref_km"))),
            _ => Gain::Distance(Some(km("d_min_km")).filter(|d| *d > 0.0)),
        };
        Box::new(controller(Parameters {
            parts: parts(settings),
            gain,
            max_gain: settings.number("gain_max"),
        }))
    },
};

#[cfg(test)]
mod tests {
    use super::*;

    /// Gain 1 is Reno to the last bit.
    #[test]
    fn gain_one_is_reno() {
        let mut rule = GeoReno {
            gain: Gain::Distance(None),
            max_gain: 25.0,
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
