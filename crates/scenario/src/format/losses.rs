// SPDX-License-Identifier: MIT OR Apache-2.0
//! The file format of losses that depend on earlier losses; see `format`.

use crate::text::{Fraction, Q};
use crate::words::W;
use link::Surroundings;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use units::{Decibels, Distance, Span, Speed};

/// A Markov chain in continuous time. The chain does not depend on the traffic: its states are the same in every run
/// with the same seed. The first state is drawn from the stationary distribution of the chain.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ states = [{ lasts = \"20 s\" }, { lasts = \"500 ms\", loss = 0.3 }] }"))]
pub struct LossChain {
    /// The states, 2 to 16. Every state must be reachable from every other state, directly or through other states.
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
    /// For each state, in the order of the states, the probability that it is the next state. It is 0.0 for the state
    /// itself. Default with two states: the other state.
    #[schemars(inner(range(min = 0.0, max = 1.0)))]
    pub next: Option<Vec<Fraction>>,
}

/// The four states of `loss state P13 P31 P32 P23 P14` in netem, with probabilities instead of percentages. State 1
/// receives. State 3 loses packets in a burst. State 2 receives packets within a burst. State 4 loses a single packet.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ p13 = 0.01, p31 = 0.25 }"))]
pub struct Netem {
    /// Probability of a step from reception into a burst of losses.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub p13: Fraction,
    /// Probability of a step from a burst back to reception. Default 1 - p13: single losses that are independent of
    /// each other.
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

/// A vehicle on a path with intervals of clear view of the satellite and intervals of shadow (Lutz and others 1991).
/// Powers are relative to the direct path. Both directions of a link between the same two nodes have the same
/// intervals.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ speed = \"50 km/h\", margin = \"6 dB\", good = { … }, bad = { … } }"))]
pub struct LandMobile {
    /// Speed of the vehicle.
    #[schemars(extend("x-min" = "0.1 m/s", "x-max" = "1000 m/s"))]
    pub speed: Q<Speed>,
    /// Margin of the direct path alone above the required power. A packet is lost while the power is below the required
    /// power.
    #[schemars(extend("x-min" = "-20 dB", "x-max" = "60 dB"))]
    pub margin: Q<Decibels>,
    /// Intervals with a clear view.
    pub good: GoodStretch,
    /// Intervals in shadow.
    pub bad: BadStretch,
}

/// Intervals with a clear view of the satellite: the direct path and its echoes (Rice distribution).
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ lasts = \"200 m\", rice_factor = \"10 dB\" }"))]
pub struct GoodStretch {
    /// Mean length of an interval, exponentially distributed.
    #[schemars(extend("x-min" = "0.01 m", "x-max" = "1000 km"))]
    pub lasts: Q<Distance>,
    /// Power of the direct path divided by the power of its echoes: c in Lutz.
    #[schemars(extend("x-min" = "-20 dB", "x-max" = "30 dB"))]
    pub rice_factor: Q<Decibels>,
}

/// Intervals in shadow: only echoes (Rayleigh distribution). Their mean power is log-normal, and is drawn once for each
/// interval.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ lasts = \"50 m\", mean = \"-9 dB\", deviation = \"5 dB\" }"))]
pub struct BadStretch {
    /// Mean length of an interval, exponentially distributed.
    #[schemars(extend("x-min" = "0.01 m", "x-max" = "1000 km"))]
    pub lasts: Q<Distance>,
    /// Mean, over the intervals, of the mean power in dB: mu in Lutz.
    #[schemars(extend("x-min" = "-60 dB", "x-max" = "20 dB"))]
    pub mean: Q<Decibels>,
    /// Standard deviation, over the intervals, of the mean power in dB: sigma in Lutz.
    #[schemars(extend("x-min" = "0 dB", "x-max" = "20 dB"))]
    pub deviation: Q<Decibels>,
}

/// A vehicle that passes the two states of ITU-R P.681 (section 6): GOOD and BAD intervals of log-normal length. In
/// each interval, the power has a Loo distribution around a level that is drawn for the interval. Levels are relative
/// to an unobstructed path. Both directions of a link between the same two nodes have the same intervals and levels.
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
    /// Margin of an unobstructed path above the required power. A packet is lost while the power is below the required
    /// power.
    #[schemars(extend("x-min" = "-20 dB", "x-max" = "60 dB"))]
    pub margin: Q<Decibels>,
    /// Environment, and elevation of the satellite in degrees. The tables of P.681 (1.5 to 3 GHz) then define both
    /// states. Without this key, `good` and `bad` are required. With this key, `good` or `bad` replaces a state of the
    /// tables.
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
    /// Mean of the natural logarithm of an interval's length in metres: mu.
    #[schemars(range(min = -7.0, max = 14.0))]
    pub log_mean: f64,
    /// Standard deviation of that logarithm: sigma.
    #[schemars(range(min = 0.0, max = 4.0))]
    pub log_deviation: f64,
    /// Shortest length of an interval: dur_min.
    #[schemars(extend("x-min" = "0.01 m", "x-max" = "1000 km"))]
    pub shortest: Q<Distance>,
    /// Mean over the intervals of M_A, the mean level of the direct path: mu_MA.
    #[schemars(extend("x-min" = "-60 dB", "x-max" = "20 dB"))]
    pub level: Q<Decibels>,
    /// Standard deviation of M_A over the intervals: sigma_MA.
    #[schemars(extend("x-min" = "0 dB", "x-max" = "20 dB"))]
    pub level_deviation: Q<Decibels>,
    /// M_A is drawn between its quantiles at these two probabilities: p_min and p_max. Default [0.0, 1.0].
    #[schemars(inner(range(min = 0.0, max = 1.0)))]
    pub level_between: Option<[Fraction; 2]>,
    /// Coefficients h1 and h2 of the mean power of the echoes, MP = h1 M_A + h2 dB.
    #[schemars(inner(range(min = -100.0, max = 100.0)))]
    pub echoes: [f64; 2],
    /// Coefficients g1 and g2 of Sigma_A = g1 M_A + g2 dB, the standard deviation of the direct path's level within an
    /// interval. Negative values count as 0.
    #[schemars(inner(range(min = -100.0, max = 100.0)))]
    pub direct: [f64; 2],
    /// Correlation distance of the direct path's level (to 1/e): L_corr.
    #[schemars(extend("x-min" = "0.1 m", "x-max" = "1000 km"))]
    pub correlation: Q<Distance>,
}

/// Selective repeat on the link: a frame (a packet) that arrives with errors is sent again. Unless `reorder` is true
/// for the link, later frames wait for this frame. Retransmissions take time on the link. Requests for retransmissions
/// are never lost.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ repeats = 3 }"))]
pub struct Arq {
    /// Largest number of retransmissions of a frame. After them, the frame is lost.
    #[schemars(range(min = 1, max = 64))]
    pub repeats: u16,
    /// Time from one transmission of a frame to the next. Default: twice the link's propagation delay.
    #[schemars(extend("x-min" = "1 us", "x-max" = "1 min"))]
    pub delay: Option<Q<Span>>,
}
