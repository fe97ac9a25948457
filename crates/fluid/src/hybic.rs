// SPDX-License-Identifier: MIT OR Apache-2.0
//! HYBIC as computed in the paper (Bisu, Gallant and Sun, IEEE Future Networks World Forum 2024): windows as functions
//! of time, and the numbers of Table I.

pub(crate) mod readings;
pub(crate) mod slow_start;
pub(crate) mod table;
pub(crate) mod window;

use crate::error::ModelError;
use crate::hybla::{hybla_segments, hybla_switch_s};
use crate::model::Settings;
use crate::parameter::Parameter;

const RTT_SAT: Parameter = Parameter::one(
    "rtt_sat_ms",
    "ms",
    &[2287.0],
    1.0..=100_000.0,
    "round trip of the satellite path (section III, measured)",
);
const RTT_REF: Parameter = Parameter::one(
    "rtt_ref_ms",
    "ms",
    &[100.0],
    1.0..=10_000.0,
    "round trip of the reference path (section III)",
);
const GAMMA: Parameter =
    Parameter::one("gamma", "segments", &[128.0], 2.0..=1e6, "slow-start threshold (section III)");
const SCALING: Parameter = Parameter::one(
    "scaling_segments_s3",
    "segments/s^3",
    &[0.4],
    1e-3..=1e3,
    "A, the scaling factor of the cubic (\"usually 0.4\")",
);
const MSS: Parameter =
    Parameter::one("mss_bytes", "bytes", &[1448.0], 1.0..=65_535.0, "segment (section III)");
const CAPACITY: Parameter = Parameter::one(
    "capacity_mbit_s",
    "Mbit/s",
    &[5000.0],
    0.01..=1e7,
    "capacity of the bottleneck (section III)",
);
const DURATION: Parameter =
    Parameter::one("duration_s", "s", &[60.0], 0.01..=3600.0, "duration (section III)");
const STEP: Parameter =
    Parameter::one("step_ms", "ms", &[200.0], 0.1..=10_000.0, "interval of samples (section III)");
const PARAMETERS: &[Parameter] = &[RTT_SAT, RTT_REF, GAMMA, SCALING, MSS, CAPACITY, DURATION, STEP];

/// Inputs of the window functions. Round trips are in s, the threshold gamma in segments, and A in segments/s^3.
#[derive(Clone, Copy, Debug)]
struct Setting {
    rtt_sat_s: f64,
    rtt_ref_s: f64,
    gamma: f64,
    scaling: f64,
}

/// Inputs for the conversion of windows to rates.
#[derive(Clone, Copy, Debug)]
struct Link {
    segment_bits: f64,
    capacity_bit_s: f64,
}

impl Setting {
    /// Reads the inputs from the parameters. Returns an error if the round trip is shorter than the reference round
    /// trip.
    fn new(settings: &Settings<'_>) -> Result<Self, ModelError> {
        let (sat_ms, ref_ms) = (settings.number("rtt_sat_ms"), settings.number("rtt_ref_ms"));
        if sat_ms < ref_ms {
            return Err(settings.contradiction(format!(
                "rtt_sat_ms = {sat_ms} is shorter than rtt_ref_ms = {ref_ms}: rho would be below 1 (swap \
                 them, or lower the reference)"
            )));
        }
        Ok(Self::at(settings, sat_ms))
    }

    /// Reads the inputs from the parameters, for a round trip of `sat_ms`.
    fn at(settings: &Settings<'_>, sat_ms: f64) -> Self {
        Self {
            rtt_sat_s: sat_ms / 1e3,
            rtt_ref_s: settings.number("rtt_ref_ms") / 1e3,
            gamma: settings.number("gamma"),
            scaling: settings.number("scaling_segments_s3"),
        }
    }

    /// Returns rho = RTTsat/RTTref (below (4)).
    fn rho(self) -> f64 {
        self.rtt_sat_s / self.rtt_ref_s
    }

    /// Returns the time of the change to congestion avoidance by (8), in s: t = RTTref log2(rho) + RTTref log2(gamma).
    fn switch_s(self) -> f64 {
        self.rtt_ref_s * (self.rho().log2() + self.gamma.log2())
    }

    /// Returns the window of HYBIC after `t` s, in segments: (4) with K = 0 (because nothing was lost) and `W_max` =
    /// rho gamma. In the second branch, t counts from the change to congestion avoidance.
    fn hybic_segments(self, t: f64) -> f64 {
        if t < self.switch_s() {
            self.rho() * (t / self.rtt_ref_s).exp2()
        } else {
            self.rho() * self.gamma + self.scaling * (t - self.switch_s()).powi(3)
        }
    }

    /// Returns the window of CUBIC, in segments, as the paper probably computed it: A t^3 + gamma from the start.
    fn cubic_segments(self, t: f64) -> f64 {
        self.gamma + self.scaling * t.powi(3)
    }

    /// Returns the window of Hybla, in segments. From t_0 = RTTref log2(gamma) on, it is rho (rho (t - t_0)/RTT +
    /// gamma).
    fn hybla_segments(self, t: f64) -> f64 {
        hybla_segments(t, self.rtt_sat_s, self.rtt_ref_s, self.gamma)
    }

    /// Returns the end of Hybla's slow start, in s.
    fn hybla_switch_s(self) -> f64 {
        hybla_switch_s(self.rtt_ref_s, self.gamma)
    }
}

impl Link {
    fn new(settings: &Settings<'_>) -> Self {
        Self {
            segment_bits: 8.0 * settings.number("mss_bytes"),
            capacity_bit_s: settings.number("capacity_mbit_s") * 1e6,
        }
    }

    /// Converts segments to megabytes of payload.
    fn megabytes(self, segments: f64) -> f64 {
        segments * self.segment_bits / 8e6
    }

    /// Converts a window per round trip of `rtt_s` to a rate in Mbit/s (5).
    fn mbit_s(self, segments: f64, rtt_s: f64) -> f64 {
        segments * self.segment_bits / rtt_s / 1e6
    }
}

/// Returns the mean of `f` over `times`.
fn mean(times: &[f64], f: impl Fn(f64) -> f64) -> f64 {
    times.iter().map(|t| f(*t)).sum::<f64>() / times.len() as f64
}
