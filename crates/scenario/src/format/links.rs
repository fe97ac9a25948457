// SPDX-License-Identifier: MIT OR Apache-2.0
//! The file format of plain networks and of links; see `format`.

use super::{
    Arq, Budget, Carrier, Forward, ForwardCarrier, LandMobile, LossChain, Netem, ReturnLink, TwoState,
};
use crate::queue::Queue;
use crate::text::{Q, Unlimited};
use crate::words::W;
use link::TraceEnd;
use link::sight::Clock;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use units::{Bytes, Rate, Span};

/// What every link has besides its rate and its delay. A new key of links is written here.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Medium {
    /// Queue in front of the link. What it is by default stands in the description of the table.
    pub queue: Option<Queue>,
    /// Loss on the way. Default: none.
    pub loss: Option<Loss>,
    /// What arrives broken is repeated by the link: losses become delay. Default: nothing is.
    pub arq: Option<Arq>,
    /// A token bucket before the queue that drops what is out of profile, and delays nothing. Default: none.
    pub policer: Option<Policer>,
    /// A middlebox before the queue clears the ECN field of all packets: queues from here on drop where they would mark, and
    /// marks from before are lost. Default false.
    pub ecn_bleach: Option<bool>,
    /// Delay on top over time: `[{ at = "20 s", delay = "5 ms" }, { at = "40 s", delay = "0 s" }]`. Default: none.
    pub extra_delay: Option<Vec<DelayStep>>,
    /// Random delay on top, drawn for each packet by itself. Default: none.
    pub jitter: Option<Jitter>,
    /// Packets may overtake each other when the delay shrinks, or by their jitter. Default false: a packet waits for the one
    /// before it.
    pub reorder: Option<bool>,
    /// Data is marked with a congestion warning (TCP-Jersey) while the mean queue is above so many packets. Default: never.
    #[schemars(range(min = 0.0, max = 1e9))]
    pub warn_above: Option<f64>,
}

/// A policer of one rate (RFC 2697 with one bucket): a packet passes if the bucket holds its bytes, and takes them out;
/// else it is dropped. The bucket is full when the run begins; nothing waits for it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ rate = \"10 Mbit/s\", burst = \"64 kB\" }"))]
pub struct Policer {
    /// Rate at which the bucket fills: what passes in the long run, in bytes of IP packets as the link's own rate.
    #[schemars(extend("x-min" = "1 bit/s"))]
    pub rate: Q<Rate>,
    /// What the bucket holds, and so what passes at once after silence: at least the largest packet of the flows.
    #[schemars(extend("x-min" = "64 B", "x-max" = "1 GB"))]
    pub burst: Q<Bytes>,
}

/// The distribution of a random delay: one of them.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ uniform = \"5 ms\" }"))]
#[schemars(extend("x-needs" = [{
    "keys": ["uniform", "normal", "log_normal"],
    "why": "it says no distribution",
    "fix": "write uniform = \"5 ms\", normal = { mean = \"10 ms\", deviation = \"3 ms\" } or \
            log_normal = { median = \"10 ms\", sigma = 0.5 }",
}]))]
pub struct Jitter {
    /// Anything from zero to this, each as likely.
    #[schemars(extend("x-max" = "1 min"))]
    pub uniform: Option<Q<Span>>,
    /// Normal; what is below zero is drawn again.
    #[schemars(extend("x-excludes" = [{ "keys": ["uniform"] }]))]
    pub normal: Option<NormalJitter>,
    /// Log-normal.
    #[schemars(extend("x-excludes" = [{ "keys": ["uniform", "normal"] }]))]
    pub log_normal: Option<LogNormalJitter>,
}

/// A normal distribution that is cut off at zero: its own mean and deviation are those of what is not cut off.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ mean = \"10 ms\", deviation = \"3 ms\" }"))]
pub struct NormalJitter {
    /// Mean before the cut.
    #[schemars(extend("x-max" = "1 min"))]
    pub mean: Q<Span>,
    /// Standard deviation before the cut.
    #[schemars(extend("x-max" = "1 min"))]
    pub deviation: Q<Span>,
}

/// A log-normal distribution.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ median = \"10 ms\", sigma = 0.5 }"))]
pub struct LogNormalJitter {
    /// Median.
    #[schemars(extend("x-max" = "1 min"))]
    pub median: Q<Span>,
    /// Standard deviation of the natural logarithm.
    #[schemars(range(min = 0.0, max = 3.0))]
    pub sigma: f64,
}

/// A link whose delay comes from the geometry. What it does not say is the preset's; without a preset it must say its rate,
/// and its queue is "50 packets".
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
pub struct MovingLink {
    /// Rate. Required if there is no preset.
    #[schemars(extend("x-min" = "1 bit/s"))]
    pub rate: Option<Q<Unlimited<Rate>>>,
    /// Rate over time, instead of rate, the same on every link of the kind: `[{ at = "0 s", rate = "50 Mbit/s" }, { at =
    /// "15 s", rate = "20 Mbit/s" }]`.
    #[schemars(extend("x-excludes" = [{ "keys": ["rate"] }]))]
    pub rate_steps: Option<Vec<RateStep>>,
    #[serde(flatten)]
    pub sight: BySight,
    #[serde(flatten)]
    pub recorded: Recorded,
    #[serde(flatten)]
    pub medium: Medium,
}

/// A link between a site and its satellites; how the site comes to send is of the way up. What it does not say is the preset's;
/// without a preset it must say its rate, and its queue is "50 packets".
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
pub struct UserLink {
    #[serde(flatten)]
    pub moving: MovingLink,
    #[serde(flatten)]
    pub return_link: ReturnLink,
}

/// What follows the satellite at the other end, looked up at every route step.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct BySight {
    /// Rate over the elevation of the satellite, instead of rate: `[["25 deg", "50 Mbit/s"], ["60 deg", "150 Mbit/s"]]`. Linear
    /// in between, and beyond the ends as there.
    #[schemars(extend("x-excludes" = [{ "keys": ["rate", "rate_steps", "trace", "budget"] }]))]
    pub rate_by_elevation: Option<Vec<Vec<Cell>>>,
    /// Rate over the distance of the other end, instead of rate: `[["550 km", "150 Mbit/s"], ["1100 km", "50 Mbit/s"]]`.
    #[schemars(extend("x-excludes" = [{ "keys": ["rate", "rate_steps", "trace", "budget", "rate_by_elevation"] }]))]
    pub rate_by_range: Option<Vec<Vec<Cell>>>,
    /// Link budget, instead of rate, between a satellite and the ground: `down` of a downlink, `up` of an uplink, both of user_link and
    /// feeder. Elevation, distance and latitude are those of the sky; rain has a cell for each site or gateway, if none is named.
    #[schemars(extend("x-excludes" = [{ "keys": ["rate", "rate_steps", "trace"] }]))]
    pub budget: Option<Budget>,
    /// Rate over the time of day; where the satellite's elevation or distance says a rate, too, the lower one holds.
    #[schemars(extend("x-excludes" = [{ "keys": ["rate", "rate_steps", "trace", "budget"] }]))]
    pub rate_by_hour: Option<ByHour>,
    /// Probability of loss over the elevation of the satellite, on top of `loss`: `[["25 deg", 0.02], ["40 deg", 0.0]]`.
    pub loss_by_elevation: Option<Vec<Vec<Cell>>>,
    /// Probability of loss over the distance of the other end, on top of `loss`: `[["600 km", 0.0], ["1100 km", 0.02]]`.
    #[schemars(extend("x-excludes" = [{ "keys": ["loss_by_elevation"] }]))]
    pub loss_by_range: Option<Vec<Vec<Cell>>>,
    /// Delay of one way over the elevation of the satellite, on top of the path's: `[["25 deg", "8 ms"], ["60 deg", "2 ms"]]`.
    pub delay_by_elevation: Option<Vec<Vec<Cell>>>,
    /// Delay of one way over the distance of the other end, on top of the path's: `[["600 km", "0 ms"], ["1100 km", "4 ms"]]`.
    #[schemars(extend("x-excludes" = [{ "keys": ["delay_by_elevation"] }]))]
    pub delay_by_range: Option<Vec<Vec<Cell>>>,
    #[serde(flatten)]
    pub hours: ByDay,
}

/// Loss and delay that follow the time of day.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct ByDay {
    /// Probability of loss over the time of day, on top of `loss`.
    pub loss_by_hour: Option<LossByHour>,
    /// Delay of one way over the time of day, on top of the path's.
    pub delay_by_hour: Option<DelayByHour>,
}

/// A loss over the time of day.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ clock = \"local\", losses = [[\"6 h\", 0.0], [\"20 h\", 0.01]] }"))]
pub struct LossByHour {
    /// Whose time of day, as of a rate.
    pub clock: W<Clock>,
    /// Time of day in UTC when the run begins, as of a rate.
    #[schemars(extend("x-max" = "1 d"))]
    pub start: Option<Q<Span>>,
    /// Times of day and probabilities that a packet is lost: `[["6 h", 0.0], ["20 h", 0.01]]`. Linear in between, around midnight too.
    pub losses: Vec<Vec<Cell>>,
}

/// A delay over the time of day.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ clock = \"local\", delays = [[\"6 h\", \"0 ms\"], [\"20 h\", \"5 ms\"]] }"))]
pub struct DelayByHour {
    /// Whose time of day, as of a rate.
    pub clock: W<Clock>,
    /// Time of day in UTC when the run begins, as of a rate.
    #[schemars(extend("x-max" = "1 d"))]
    pub start: Option<Q<Span>>,
    /// Times of day and delays of one way: `[["6 h", "0 ms"], ["20 h", "5 ms"]]`. Linear in between, around midnight too.
    pub delays: Vec<Vec<Cell>>,
}

/// A rate over the time of day.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ clock = \"local\", rates = [[\"6 h\", \"150 Mbit/s\"], [\"20 h\", \"60 Mbit/s\"]] }"))]
pub struct ByHour {
    /// Whose time of day: that of "UTC", or "local" mean solar time of the place on the ground, four minutes later for each degree
    /// east. Of plain networks and links of hosts "UTC".
    pub clock: W<Clock>,
    /// Time of day in UTC when the run begins. Needed where no satellites have a date: with a Walker shell, in plain networks, on
    /// links of hosts.
    #[schemars(extend("x-max" = "1 d"))]
    pub start: Option<Q<Span>>,
    /// Times of day and rates: `[["6 h", "150 Mbit/s"], ["20 h", "60 Mbit/s"]]`. Linear in between, around midnight too.
    pub rates: Vec<Vec<Cell>>,
}

/// A place or a value in a table.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Cell {
    Text(String),
    Number(f64),
}

/// A host's link to its site, the same in both directions. Its queue is "unlimited" by default.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
pub struct AccessLink {
    /// Rate. Default "unlimited".
    #[schemars(extend("x-min" = "1 bit/s"))]
    pub rate: Option<Q<Unlimited<Rate>>>,
    /// Rate over time, instead of rate: `[{ at = "0 s", rate = "50 Mbit/s" }, { at = "15 s", rate = "20 Mbit/s" }]`.
    #[schemars(extend("x-excludes" = [{ "keys": ["rate"] }]))]
    pub rate_steps: Option<Vec<RateStep>>,
    /// Rate over the time of day, instead of rate.
    #[schemars(extend("x-excludes" = [{ "keys": ["rate", "rate_steps", "trace"] }]))]
    pub rate_by_hour: Option<ByHour>,
    #[serde(flatten)]
    pub hours: ByDay,
    /// Propagation delay of one way. Default "0 s".
    #[schemars(extend("x-max" = "1 h"))]
    pub delay: Option<Q<Span>>,
    #[serde(flatten)]
    pub recorded: Recorded,
    #[serde(flatten)]
    pub medium: Medium,
}

/// Recordings on a link whose delay comes from elsewhere: it is on top of that.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Recorded {
    /// Mahimahi trace of deliveries, instead of rate: a file, relative to the scenario's.
    #[schemars(extend("x-excludes" = [{ "keys": ["rate", "rate_steps"] }]))]
    pub trace: Option<String>,
    /// File of one-way delays on top of the link's own (LeoReplayer's), one in whole milliseconds for each 10 ms; relative to
    /// the scenario's file.
    pub delay_trace: Option<String>,
    /// Rate, delay and loss over time: a CSV file with the columns time_s and at least one of rate_mbit_s, delay_ms (one way)
    /// and loss_ratio, relative to the scenario's. Each row holds until the next. Its rate goes before `rate`, its delay is on
    /// top of the link's own, its loss on top of `loss`.
    pub path_trace: Option<String>,
    /// What follows where a trace ends: it begins again ("wrap"), its last value holds ("hold"), or the link carries nothing
    /// any more ("stop"). Default "wrap", of path_trace "hold"; deliveries cannot hold.
    #[schemars(extend("x-decides" = "a trace"))]
    pub trace_end: Option<W<TraceEnd>>,
}

/// The ways to give the rate of a link in a plain network.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Service {
    /// Rate.
    #[schemars(extend("x-min" = "1 bit/s"))]
    pub rate: Option<Q<Unlimited<Rate>>>,
    /// Rate over time, instead of rate: `[{ at = "0 s", rate = "50 Mbit/s" }, { at = "15 s", rate = "20 Mbit/s" }]`.
    #[schemars(extend("x-excludes" = [{ "keys": ["rate"] }]))]
    pub rate_steps: Option<Vec<RateStep>>,
    /// Rate over the time of day, instead of rate.
    #[schemars(extend("x-excludes" = [{ "keys": ["rate", "rate_steps"] }]))]
    pub rate_by_hour: Option<ByHour>,
    /// Mahimahi trace of deliveries, instead of rate: a file, relative to the scenario's.
    #[schemars(extend("x-excludes" = [{ "keys": ["rate", "rate_steps", "rate_by_hour"] }]))]
    pub trace: Option<String>,
    /// Link budget, instead of rate: the rate follows the weather.
    #[schemars(extend("x-excludes" = [{ "keys": ["rate", "rate_steps", "rate_by_hour", "trace"] }]))]
    pub budget: Option<Budget>,
}

/// The ways to give the delay of a link in a plain network.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Propagation {
    /// Propagation delay of one way.
    #[schemars(extend("x-max" = "1 h"))]
    pub delay: Option<Q<Span>>,
    /// Propagation delay of one way over time, instead of delay: `[["0 s", "30 ms"], ["15 s", "50 ms"]]`.
    #[schemars(extend("x-excludes" = [{ "keys": ["delay"] }]))]
    pub delay_steps: Option<Vec<Vec<Q<Span>>>>,
    /// File of one-way delays, one in whole milliseconds for each 10 ms, instead of delay; relative to the scenario's file.
    #[schemars(extend("x-excludes" = [{ "keys": ["delay", "delay_steps"] }]))]
    pub delay_trace: Option<String>,
}

/// Rate, delay and loss of a link in a plain network, from one file.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct PathTrace {
    /// Rate, delay and loss over time: a CSV file with the columns time_s and at least one of rate_mbit_s, delay_ms (one way)
    /// and loss_ratio, relative to the scenario's. Each row holds until the next. A column stands instead of the keys of
    /// rate or delay; its loss comes on top of `loss`.
    pub path_trace: Option<String>,
    /// What follows where a trace ends: it begins again ("wrap"), its last value holds ("hold"), or the link carries nothing
    /// any more ("stop"). Default "wrap", of path_trace "hold"; deliveries cannot hold.
    #[schemars(extend("x-decides" = "a trace"))]
    pub trace_end: Option<W<TraceEnd>>,
}

/// Loss on the way, one of `per`, `ber`, `bursts`, `chain`, `netem`, `land_mobile` and `two_state`; loss over time on top, `steps`;
/// and loss by a list, before the queue: `packets` and `spans`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ per = 1e-3 }"))]
pub struct Loss {
    /// Probability that a packet is lost.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub per: Option<f64>,
    /// Probability that a bit is wrong; a packet with a wrong bit is lost.
    #[schemars(range(min = 0.0, max = 1.0))]
    #[schemars(extend("x-excludes" = [{ "keys": ["per"] }]))]
    pub ber: Option<f64>,
    /// Losses come in bursts (Gilbert-Elliott).
    #[schemars(extend("x-excludes" = [{ "keys": ["per", "ber"] }]))]
    pub bursts: Option<Bursts>,
    /// States that last for a while, each with a loss of its own (a Markov chain in continuous time).
    #[schemars(extend("x-excludes" = [{ "keys": ["per", "ber", "bursts"] }]))]
    pub chain: Option<LossChain>,
    /// The four states of netem's `loss state`, which move with each packet.
    #[schemars(extend("x-excludes" = [{ "keys": ["per", "ber", "bursts", "chain"] }]))]
    pub netem: Option<Netem>,
    /// Stretches of clear view and of shadow on the way of a vehicle.
    #[schemars(extend("x-excludes" = [{ "keys": ["per", "ber", "bursts", "chain", "netem"] }]))]
    pub land_mobile: Option<LandMobile>,
    /// GOOD and BAD stretches on the way of a vehicle, as ITU-R P.681 has them.
    #[schemars(extend("x-excludes" = [{ "keys": ["per", "ber", "bursts", "chain", "netem", "land_mobile"] }]))]
    pub two_state: Option<TwoState>,
    /// Loss over time, on top of the others: `[{ at = "20 s", per = 1e-2 }, { at = "40 s", per = 0.0 }]`; none before the
    /// first.
    pub steps: Option<Vec<LossStep>>,
    /// Which data packets are lost when they come to the link, before its queue: their numbers, rising, in the order in
    /// which they come, over all flows, repeated ones included; the first is 1. Packets without payload (ACKs, probes) neither
    /// count nor are lost. Their true cause is "error".
    #[schemars(inner(range(min = 1)))]
    pub packets: Option<Vec<u64>>,
    /// The list `packets` begins again after so many data packets; at least its last number. Default: never.
    #[schemars(range(min = 1))]
    #[schemars(extend("x-needs" = [{
        "keys": ["packets"],
        "why": "it is the period of no list",
        "fix": "write packets = [400, 1400], or remove it",
    }]))]
    pub period: Option<u64>,
    /// From the one time on and before the other every packet that comes to the link is lost, set-up and ACKs too:
    /// `[["20 s", "22 s"], ["40 s", "41 s"]]`. Their true cause is "outage".
    pub spans: Option<Vec<Vec<Q<Span>>>>,
}

/// A chain of a good state without loss and a bad one, which moves once every `bin`.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ to_bad = 0.033, to_good = 0.84, loss = 0.14 }"))]
pub struct Bursts {
    /// Probability of a step from good to bad.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub to_bad: f64,
    /// Probability of a step from bad to good.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub to_good: f64,
    /// Probability that a packet is lost in the bad state.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub loss: f64,
    /// Time between two steps. Default "100 ms".
    #[schemars(extend("x-min" = "1 us", "x-max" = "1 h"))]
    pub bin: Option<Q<Span>>,
}

/// Two routers and the bottleneck between them. The delay is given once: rtt, delay, delay_steps, delay_trace or a column of
/// path_trace; the rate too: rate, rate_steps, rate_by_hour, trace, budget or a column of path_trace. The queue is "1 BDP" by default; loss is from left to right.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
#[schemars(extend("x-needs" = of_a_link(None, Some("rtt"), "rtt = \"50 ms\"")))]
pub struct Dumbbell {
    #[serde(flatten)]
    pub service: Service,
    /// Propagation delay there and back, half of it each way.
    #[schemars(extend("x-max" = "1 h"))]
    #[schemars(extend("x-excludes" = [{ "keys": ["delay", "delay_steps", "delay_trace"] }]))]
    pub rtt: Option<Q<Span>>,
    #[serde(flatten)]
    pub propagation: Propagation,
    #[serde(flatten)]
    pub path_trace: PathTrace,
    #[serde(flatten)]
    pub hours: ByDay,
    #[serde(flatten)]
    pub medium: Medium,
    #[serde(flatten)]
    pub return_link: ReturnLink,
    /// What differs from right to left. Default: the same rate, delay, queue and repetitions (none with a `dama` of its
    /// own), no loss, no `policer`, `ecn_bleach`, `dama`, `grants` or `acks`. Where rate or delay come from path_trace, its loss comes too.
    #[schemars(extend("x-partial" = true))]
    pub reverse: Option<Wire>,
}

/// A link with its delay, the same in both directions. Its queue is "unlimited" by default; on the way back of a dumbbell,
/// which says only what differs, that of the way there.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
#[schemars(rename = "Link")]
#[schemars(extend("x-needs" = of_a_link(None, None, "delay = \"25 ms\"")))]
pub struct Wire {
    #[serde(flatten)]
    pub service: Service,
    #[serde(flatten)]
    pub propagation: Propagation,
    #[serde(flatten)]
    pub path_trace: PathTrace,
    #[serde(flatten)]
    pub hours: ByDay,
    #[serde(flatten)]
    pub medium: Medium,
    #[serde(flatten)]
    pub return_link: ReturnLink,
}

/// From a time on, a rate.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ at = \"15 s\", rate = \"20 Mbit/s\" }"))]
pub struct RateStep {
    /// When it begins.
    pub at: Q<Span>,
    /// Rate; zero pauses.
    pub rate: Q<Rate>,
    /// Until the next one the rate moves linearly to this. Default: it stays.
    pub ramp_to: Option<Q<Rate>>,
}

/// From a time on, a probability of loss.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ at = \"20 s\", per = 1e-2 }"))]
pub struct LossStep {
    /// When it begins.
    pub at: Q<Span>,
    /// Probability that a packet is lost.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub per: f64,
    /// Until the next one the probability moves linearly to this. Default: it stays.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub ramp_to: Option<f64>,
}

/// From a time on, a delay on top of that of the path.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ at = \"20 s\", delay = \"5 ms\" }"))]
pub struct DelayStep {
    /// When it begins.
    pub at: Q<Span>,
    /// Delay of one way.
    #[schemars(extend("x-max" = "1 h"))]
    pub delay: Q<Span>,
    /// Until the next one the delay moves linearly to this. Default: it stays.
    #[schemars(extend("x-max" = "1 h"))]
    pub ramp_to: Option<Q<Span>>,
}

/// A path over Starlink: up from the site "dish" to the site "server", and down.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Starlink {
    /// "starlink-good", "starlink-far" or "starlink-isl".
    pub preset: String,
    /// Second of the minute at the start of the run: epochs begin at :12, :27, :42 and :57. Default "0 s".
    #[schemars(extend("x-max" = "1 min"))]
    pub phase: Option<Q<Span>>,
    /// Round-trip time of the terrestrial rest of the path. Default "0 s".
    #[schemars(extend("x-max" = "1 h"))]
    pub rtt: Option<Q<Span>>,
    /// Queues. Default: the preset's.
    pub queue: Option<StarlinkQueue>,
    /// Loss between the boundaries, by chance. Default: the preset's.
    pub loss: Option<StarlinkLoss>,
}

/// Queues of the two directions.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ up = \"500 packets\", down = \"2000 packets\" }"))]
pub struct StarlinkQueue {
    /// From the dish. Default: the preset's.
    pub up: Option<Queue>,
    /// To the dish. Default: the preset's.
    pub down: Option<Queue>,
}

/// Loss in the two directions at other times than around a boundary.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ up = { per = 2e-3 }, down = { per = 1e-4 } }"))]
pub struct StarlinkLoss {
    /// From the dish; `{}`: none. Default: the preset's.
    pub up: Option<Loss>,
    /// To the dish; `{}`: none. Default: the preset's.
    pub down: Option<Loss>,
}

/// Routers in a row.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Chain {
    /// How many links, all like `link`; or the links themselves.
    pub links: ChainLinks,
    /// One of the links, if `links` is a number.
    pub link: Option<Wire>,
}

/// Links of a chain.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum ChainLinks {
    Count(#[schemars(range(min = 1, max = 1000))] u32),
    Each(Vec<Wire>),
}

/// A hub and branches.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Star {
    /// The branches.
    pub branches: Vec<Branch>,
    /// Carriers that branches share on their way to the hub. Default: each branch has its own.
    pub carriers: Option<Vec<Carrier>>,
    /// Carriers on which the hub sends to branches that share them. Default: it sends to each branch at that branch's rate, whatever
    /// the others get.
    pub forward_carriers: Option<Vec<ForwardCarrier>>,
}

/// A site and its link to the hub, the same in both directions. Its queue is "unlimited" by default.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
#[schemars(extend("x-needs" = of_a_link(Some("forward"), None, "delay = \"25 ms\"")))]
pub struct Branch {
    /// Name of the site.
    pub site: String,
    /// The carrier from the hub that it shares with others. Its own `rate` (or `rate_steps`, or `budget`) is then that at which the
    /// carrier sends to it in its turn, at most the carrier's, which it is if nothing is said. Default: it shares none.
    #[schemars(extend("x-excludes" = [{
        "keys": ["warn_above"],
        "why": "a link that waits for its turn on a carrier sends no congestion warnings",
        "fix": "remove `warn_above`, or `forward`",
    }]))]
    pub forward: Option<Forward>,
    #[serde(flatten)]
    pub wire: Wire,
}

/// What a link of a plain network must say, its rate and its delay, each in one of several ways; `rate` and `delay` are
/// one more way.
fn of_a_link(rate: Option<&str>, delay: Option<&str>, example: &str) -> Json {
    let rates = ["rate", "rate_steps", "rate_by_hour", "trace", "budget", "path_trace"];
    let delays = ["delay", "delay_steps", "delay_trace", "path_trace"];
    let rates: Vec<&str> = rates.into_iter().chain(rate).collect();
    let delays: Vec<&str> = delay.into_iter().chain(delays).collect();
    json!([
        {
            "keys": rates,
            "at": "rate",
            "why": "`{table}` needs the key `rate`",
            "fix": "write rate = \"50 Mbit/s\", or \"unlimited\" for an ideal wire",
        },
        {
            "keys": delays,
            "at": example.split(' ').next(),
            "why": "`{table}` needs its propagation delay",
            "fix": format!("write {example}"),
        },
    ])
}
