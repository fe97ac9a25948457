// SPDX-License-Identifier: MIT OR Apache-2.0
//! The file format of losses with a memory; see `format`.

use crate::text::{Fraction, Q};
use crate::words::W;
use link::Surroundings;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use units::{Decibels, Distance, Span, Speed};

/// A Markov chain in continuous time. It is the same in every run with the same seed, for any traffic, and begins in
/// its stationary state.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ states = [{ lasts = \"20 s\" }, { lasts = \"500 ms\", loss = 0.3 }] }"))]
pub struct LossChain {
    /// The states, 2 to 16. Every state must be reachable from every other state, directly or over other states.
    pub states: Vec<LossState>,
}

/// A state of a chain of losses.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ lasts = \"500 ms\", loss = 0.3 }"))]
pub struct LossState {
    /// Mean time in the state, exponentially distributed.
    #[schemars(extend("x-min" = "1 us", "x-max" = "1000 h"))]
    pub lasts: Q<Span>,
    /// Probability that a packet is lost in this state. Default 0.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub loss: Option<Fraction>,
    /// For each state, in the order of the states, the probability that it is the next state; 0.0 for the state itself.
    /// Default with two states: the other state.
    #[schemars(inner(range(min = 0.0, max = 1.0)))]
    pub next: Option<Vec<Fraction>>,
}

/// netem's `loss state P13 P31 P32 P23 P14`, as probabilities instead of percentages: state 1 receives, 3 loses in a
/// burst, 2 receives within a burst, 4 loses a single packet.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ p13 = 0.01, p31 = 0.25 }"))]
pub struct Netem {
    /// Probability of a step from reception into a burst of losses.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub p13: Fraction,
    /// Probability of a step from a burst back to reception. Default 1 - p13: single losses, independent of each other.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub p31: Option<Fraction>,
    /// Probability of a step from loss to reception within a burst. Default 0.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub p32: Option<Fraction>,
    /// Probability of a step from reception to loss within a burst. Default 1.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub p23: Option<Fraction>,
    /// Probability of a step from reception to a single loss. Default 0.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub p14: Option<Fraction>,
}

/// A vehicle that passes stretches with a clear view of the satellite and stretches in shadow (Lutz and others 1991).
/// Powers are relative to the direct path. Both directions of a link between the same two nodes have the same
/// stretches.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ speed = \"50 km/h\", margin = \"6 dB\", good = { … }, bad = { … } }"))]
pub struct LandMobile {
    /// Speed of the vehicle.
    #[schemars(extend("x-min" = "0.1 m/s", "x-max" = "1000 m/s"))]
    pub speed: Q<Speed>,
    /// Margin of the direct path alone over the power that is needed. A packet is lost when the power falls below what
    /// is needed.
    #[schemars(extend("x-min" = "-20 dB", "x-max" = "60 dB"))]
    pub margin: Q<Decibels>,
    /// Stretches with a clear view.
    pub good: GoodStretch,
    /// Stretches in shadow.
    pub bad: BadStretch,
}

/// Stretches with a clear view of the satellite: the direct path and its echoes (Rice).
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ lasts = \"200 m\", rice_factor = \"10 dB\" }"))]
pub struct GoodStretch {
    /// Mean length, exponentially distributed.
    #[schemars(extend("x-min" = "0.01 m", "x-max" = "1000 km"))]
    pub lasts: Q<Distance>,
    /// Power of the direct path over the power of its echoes: Lutz' c.
    #[schemars(extend("x-min" = "-20 dB", "x-max" = "30 dB"))]
    pub rice_factor: Q<Decibels>,
}

/// Stretches in shadow: echoes alone (Rayleigh), with a log-normal mean power that is drawn once for each stretch.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ lasts = \"50 m\", mean = \"-9 dB\", deviation = \"5 dB\" }"))]
pub struct BadStretch {
    /// Mean length, exponentially distributed.
    #[schemars(extend("x-min" = "0.01 m", "x-max" = "1000 km"))]
    pub lasts: Q<Distance>,
    /// Mean of the mean power: Lutz' mu.
    #[schemars(extend("x-min" = "-60 dB", "x-max" = "20 dB"))]
    pub mean: Q<Decibels>,
    /// Standard deviation of the mean power: Lutz' sigma.
    #[schemars(extend("x-min" = "0 dB", "x-max" = "20 dB"))]
    pub deviation: Q<Decibels>,
}

/// A vehicle that passes the two states of ITU-R P.681 (section 6): GOOD and BAD stretches of log-normal length. In
/// each stretch the power has Loo's distribution about a level that is drawn for the stretch. Levels are relative to an
/// unobstructed path. Both directions of a link between the same two nodes have the same stretches and levels.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ speed = \"50 km/h\", margin = \"6 dB\", surroundings = \"urban-45\" }"))]
#[schemars(extend("x-needs" = [
    {
        "keys": ["good", "surroundings"],
        "at": "good",
        "why": "the channel needs the key `good`, or `surroundings`",
        "fix": "write surroundings = \"urban-45\"",
    },
    {
        "keys": ["bad", "surroundings"],
        "at": "bad",
        "why": "the channel needs the key `bad`, or `surroundings`",
        "fix": "write surroundings = \"urban-45\"",
    },
]))]
pub struct TwoState {
    /// Speed of the vehicle.
    #[schemars(extend("x-min" = "0.1 m/s", "x-max" = "1000 m/s"))]
    pub speed: Q<Speed>,
    /// Margin of an unobstructed path over the power that is needed. A packet is lost when the power falls below what
    /// is needed.
    #[schemars(extend("x-min" = "-20 dB", "x-max" = "60 dB"))]
    pub margin: Q<Decibels>,
    /// Environment and elevation of the satellite in degrees: both states are taken from the tables of P.681 (1.5 to 3
    /// GHz). Without it `good` and `bad` are required; with it, they replace the tables' states.
    pub surroundings: Option<W<Surroundings>>,
    /// The state with the better view.
    pub good: Option<LooState>,
    /// The state behind obstacles.
    pub bad: Option<LooState>,
}

/// A state of the channel of ITU-R P.681, with the symbols of the recommendation.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ log_mean = 3.06, log_deviation = 1.7, shortest = \"10 m\", level = \"-1.8 dB\", level_deviation = \"1.1 dB\", echoes = [0.0, -14.7], direct = [0.0, 1.2], correlation = \"1.8 m\" }"))]
pub struct LooState {
    /// Mean of the natural logarithm of a stretch's length in metres: mu.
    #[schemars(range(min = -7.0, max = 14.0))]
    pub log_mean: f64,
    /// Standard deviation of that logarithm: sigma.
    #[schemars(range(min = 0.0, max = 4.0))]
    pub log_deviation: f64,
    /// Shortest length of a stretch: dur_min.
    #[schemars(extend("x-min" = "0.01 m", "x-max" = "1000 km"))]
    pub shortest: Q<Distance>,
    /// Mean, over the stretches, of the direct path's mean level M_A: mu_MA.
    #[schemars(extend("x-min" = "-60 dB", "x-max" = "20 dB"))]
    pub level: Q<Decibels>,
    /// Standard deviation, over the stretches, of M_A: sigma_MA.
    #[schemars(extend("x-min" = "0 dB", "x-max" = "20 dB"))]
    pub level_deviation: Q<Decibels>,
    /// M_A is drawn between its quantiles with these two probabilities: p_min and p_max. Default [0.0, 1.0].
    #[schemars(inner(range(min = 0.0, max = 1.0)))]
    pub level_between: Option<[Fraction; 2]>,
    /// Mean power of the echoes, MP = h1 M_A + h2 dB: h1 and h2.
    #[schemars(inner(range(min = -100.0, max = 100.0)))]
    pub echoes: [f64; 2],
    /// Standard deviation of the direct path's level within a stretch, Sigma_A = g1 M_A + g2 dB, 0 where that is negative:
    /// g1 and g2.
    #[schemars(inner(range(min = -100.0, max = 100.0)))]
    pub direct: [f64; 2],
    /// Correlation distance of the direct path's level (to 1/e): L_corr.
    #[schemars(extend("x-min" = "0.1 m", "x-max" = "1000 km"))]
    pub correlation: Q<Distance>,
}

/// Selective repeat on the link: a frame (a packet) that arrives with errors is sent again, and later frames wait for
/// it, unless the link may `reorder`. Retransmissions take time on the link; requests for them are never lost.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ repeats = 3 }"))]
pub struct Arq {
    /// Most retransmissions of a frame; after them it is lost.
    #[schemars(range(min = 1, max = 64))]
    pub repeats: u16,
    /// Time from one transmission of a frame to the next. Default: twice the link's propagation delay.
    #[schemars(extend("x-min" = "1 us", "x-max" = "1 min"))]
    pub delay: Option<Q<Span>>,
}
