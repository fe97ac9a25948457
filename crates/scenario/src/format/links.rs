// SPDX-License-Identifier: MIT OR Apache-2.0
//! The file format of plain networks and of links; see `format`.

use super::{
    Arq, Budget, Carrier, Forward, ForwardCarrier, LandMobile, LossChain, Netem, ReturnLink, TwoState,
};
use crate::queue::Queue;
use crate::text::{Fraction, Q, Unlimited};
use crate::words::W;
use link::TraceEnd;
use link::sight::Clock;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use units::{Bytes, Rate, Span};

/// Settings of every link, except its rate and its delay. New keys of links belong here.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Medium {
    /// Queue in front of the link. The description of this table contains the default.
    pub queue: Option<Queue>,
    /// Random or listed loss. Default: none.
    pub loss: Option<Loss>,
    /// The link retransmits packets that arrive with errors. Losses then become delay. Default: no retransmission.
    pub arq: Option<Arq>,
    /// Maximum transmission unit: size of the largest IP packet that the link carries. The link drops larger packets
    /// before its queue. It does not fragment packets, and sends no ICMP messages. Default: unlimited.
    #[schemars(extend("x-min" = "68 B", "x-max" = "65535 B"))]
    pub mtu: Option<Q<Bytes>>,
    /// A token bucket before the queue. It drops packets above its rate and does not delay packets. Default: none.
    pub policer: Option<Policer>,
    /// If true, a middlebox before the queue clears the ECN field of all packets. Queues after this point then drop
    /// packets instead of marking them, and earlier marks are lost. Default false.
    pub ecn_bleach: Option<bool>,
    /// Additional delay over time: `[{ at = "20 s", delay = "5 ms" }, { at = "40 s", delay = "0 s" }]`. Default: none.
    pub extra_delay: Option<Vec<DelayStep>>,
    /// Additional random delay, drawn independently for each packet. Default: none.
    pub jitter: Option<Jitter>,
    /// If true, packets may overtake each other when the delay decreases, or because of their jitter. If false, a
    /// packet waits for the packet before it. Default false.
    pub reorder: Option<bool>,
    /// While the mean queue is longer than this number of packets, data packets get a congestion warning (TCP-Jersey).
    /// Default: never.
    #[schemars(range(min = 0.0, max = 1e9))]
    pub warn_above: Option<f64>,
}

/// A policer with one rate (RFC 2697 with one bucket). If the bucket contains enough bytes for a packet, the packet
/// passes and its bytes are removed from the bucket. Otherwise, the packet is dropped. The bucket is full at the start
/// of the run. No packet waits at the policer.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ rate = \"10 Mbit/s\", burst = \"64 kB\" }"))]
pub struct Policer {
    /// Rate at which the bucket fills. In the long term, packets pass at most at this rate. Like the link's own rate,
    /// it counts the bytes of IP packets.
    #[schemars(extend("x-min" = "1 bit/s"))]
    pub rate: Q<Rate>,
    /// Size of the bucket: the number of bytes that pass at once after a pause. It must be at least the largest packet
    /// of the flows.
    #[schemars(extend("x-min" = "64 B", "x-max" = "1 GB"))]
    pub burst: Q<Bytes>,
}

/// The distribution of a random delay.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ uniform = \"5 ms\" }"))]
#[schemars(extend("x-needs" = [{
    "keys": ["uniform", "normal", "log_normal"],
    "why": "`jitter` needs a distribution",
    "fix": "write for example uniform = \"5 ms\", normal = { mean = \"10 ms\", deviation = \"3 ms\" } or log_normal \
        = { median = \"10 ms\", sigma = 0.5 }",
}]))]
pub struct Jitter {
    /// Uniform distribution between zero and this value.
    #[schemars(extend("x-max" = "1 min"))]
    pub uniform: Option<Q<Span>>,
    /// Normal distribution. Negative values are drawn again.
    #[schemars(extend("x-excludes" = [{ "keys": ["uniform"] }]))]
    pub normal: Option<NormalJitter>,
    /// Log-normal distribution.
    #[schemars(extend("x-excludes" = [{ "keys": ["uniform", "normal"] }]))]
    pub log_normal: Option<LogNormalJitter>,
}

/// A normal distribution without its negative values. `mean` and `deviation` describe the distribution before its
/// negative values are removed.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ mean = \"10 ms\", deviation = \"3 ms\" }"))]
pub struct NormalJitter {
    /// Mean, before negative values are removed.
    #[schemars(extend("x-max" = "1 min"))]
    pub mean: Q<Span>,
    /// Standard deviation, before negative values are removed.
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

/// A link whose delay follows from geometry. Keys that are missing have the values of the preset. Without a preset, a
/// rate is required, and the default queue is "50 packets".
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
pub struct MovingLink {
    /// Rate of the link. Required without a preset.
    #[schemars(extend("x-min" = "1 bit/s"))]
    pub rate: Option<Q<Unlimited<Rate>>>,
    /// Rate over time, instead of `rate`. It is the same on every link of this kind: `[{ at = "0 s", rate = "50 Mbit/s"
    /// }, { at = "15 s", rate = "20 Mbit/s" }]`.
    #[schemars(extend("x-excludes" = [{ "keys": ["rate"] }]))]
    pub rate_steps: Option<Vec<RateStep>>,
    #[serde(flatten)]
    pub sight: BySight,
    #[serde(flatten)]
    pub recorded: Recorded,
    #[serde(flatten)]
    pub medium: Medium,
}

/// A link between a site and its satellites. `dama`, `grants` and `acks` apply to the uplink. Keys that are missing
/// have the values of the preset. Without a preset, a rate is required, and the default queue is "50 packets".
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
pub struct UserLink {
    #[serde(flatten)]
    pub moving: MovingLink,
    #[serde(flatten)]
    pub return_link: ReturnLink,
}

/// Values that follow the satellite at the other end. They are updated at every route step.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct BySight {
    /// Rate over the elevation of the satellite, instead of `rate`: `[["25 deg", "50 Mbit/s"], ["60 deg", "150
    /// Mbit/s"]]`. The rate is linear between points, and constant below the first and above the last point.
    #[schemars(extend("x-excludes" = [{ "keys": ["rate", "rate_steps", "trace", "budget"] }]))]
    pub rate_by_elevation: Option<Vec<Vec<Cell>>>,
    /// Rate over the distance of the other end, instead of `rate`: `[["550 km", "150 Mbit/s"], ["1100 km", "50
    /// Mbit/s"]]`.
    #[schemars(extend("x-excludes" = [{ "keys": ["rate", "rate_steps", "trace", "budget", "rate_by_elevation"] }]))]
    pub rate_by_range: Option<Vec<Vec<Cell>>>,
    /// Link budget between a satellite and the ground, instead of `rate`. It has the table `down` for a downlink, `up`
    /// for an uplink, and both for user_link and feeder. Elevation, distance and latitude follow from the satellite and
    /// the place. Each site or gateway has its own rain cell, unless the budget names a cell.
    #[schemars(extend("x-excludes" = [{ "keys": ["rate", "rate_steps", "trace"] }]))]
    pub budget: Option<Budget>,
    /// Rate over the time of day. If elevation or distance also determine a rate, the lower rate applies.
    #[schemars(extend("x-excludes" = [{ "keys": ["rate", "rate_steps", "trace", "budget"] }]))]
    pub rate_by_hour: Option<ByHour>,
    /// Probability of loss over the elevation of the satellite, in addition to `loss`: `[["25 deg", 0.02], ["40 deg",
    /// 0.0]]`.
    pub loss_by_elevation: Option<Vec<Vec<Cell>>>,
    /// Probability of loss over the distance of the other end, in addition to `loss`: `[["600 km", 0.0], ["1100 km",
    /// 0.02]]`.
    #[schemars(extend("x-excludes" = [{ "keys": ["loss_by_elevation"] }]))]
    pub loss_by_range: Option<Vec<Vec<Cell>>>,
    /// Additional one-way delay over the elevation of the satellite: `[["25 deg", "8 ms"], ["60 deg", "2 ms"]]`.
    pub delay_by_elevation: Option<Vec<Vec<Cell>>>,
    /// Additional one-way delay over the distance of the other end: `[["600 km", "0 ms"], ["1100 km", "4 ms"]]`.
    #[schemars(extend("x-excludes" = [{ "keys": ["delay_by_elevation"] }]))]
    pub delay_by_range: Option<Vec<Vec<Cell>>>,
    #[serde(flatten)]
    pub hours: ByDay,
}

/// Loss and delay that follow the time of day.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct ByDay {
    /// Probability of loss over the time of day, in addition to `loss`.
    pub loss_by_hour: Option<LossByHour>,
    /// Additional one-way delay over the time of day.
    pub delay_by_hour: Option<DelayByHour>,
}

/// Loss probability over the time of day.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ clock = \"local\", losses = [[\"6 h\", 0.0], [\"20 h\", 0.01]] }"))]
pub struct LossByHour {
    /// The clock, as in `rate_by_hour`.
    pub clock: W<Clock>,
    /// Time of day in UTC at the start of the run, as in `rate_by_hour`.
    #[schemars(extend("x-max" = "1 d"))]
    pub start: Option<Q<Span>>,
    /// Times of day and loss probabilities: `[["6 h", 0.0], ["20 h", 0.01]]`. The probability is linear between points,
    /// also across midnight.
    pub losses: Vec<Vec<Cell>>,
}

/// Delay over the time of day.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ clock = \"local\", delays = [[\"6 h\", \"0 ms\"], [\"20 h\", \"5 ms\"]] }"))]
pub struct DelayByHour {
    /// The clock, as in `rate_by_hour`.
    pub clock: W<Clock>,
    /// Time of day in UTC at the start of the run, as in `rate_by_hour`.
    #[schemars(extend("x-max" = "1 d"))]
    pub start: Option<Q<Span>>,
    /// Times of day and one-way delays: `[["6 h", "0 ms"], ["20 h", "5 ms"]]`. The delay is linear between points, also
    /// across midnight.
    pub delays: Vec<Vec<Cell>>,
}

/// Rate over the time of day.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ clock = \"local\", rates = [[\"6 h\", \"150 Mbit/s\"], [\"20 h\", \"60 Mbit/s\"]] }"))]
pub struct ByHour {
    /// The clock: "UTC", or "local", which is the mean solar time of the place on the ground (four minutes later for
    /// each degree east). Plain networks and links of hosts accept only "UTC".
    pub clock: W<Clock>,
    /// Time of day in UTC at the start of the run. Required if satellites have no date (Walker shells), in plain
    /// networks, and on links of hosts.
    #[schemars(extend("x-max" = "1 d"))]
    pub start: Option<Q<Span>>,
    /// Times of day and rates: `[["6 h", "150 Mbit/s"], ["20 h", "60 Mbit/s"]]`. The rate is linear between points,
    /// also across midnight.
    pub rates: Vec<Vec<Cell>>,
}

/// A position or a value in a table.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Cell {
    Text(String),
    Number(f64),
}

/// A link between a host and its site, the same in both directions. The default queue is "unlimited".
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
pub struct AccessLink {
    /// Rate of the link. Default "unlimited".
    #[schemars(extend("x-min" = "1 bit/s"))]
    pub rate: Option<Q<Unlimited<Rate>>>,
    /// Rate over time, instead of `rate`: `[{ at = "0 s", rate = "50 Mbit/s" }, { at = "15 s", rate = "20 Mbit/s" }]`.
    #[schemars(extend("x-excludes" = [{ "keys": ["rate"] }]))]
    pub rate_steps: Option<Vec<RateStep>>,
    /// Rate over the time of day, instead of `rate`.
    #[schemars(extend("x-excludes" = [{ "keys": ["rate", "rate_steps", "trace"] }]))]
    pub rate_by_hour: Option<ByHour>,
    #[serde(flatten)]
    pub hours: ByDay,
    /// One-way propagation delay. Default "0 s".
    #[schemars(extend("x-max" = "1 h"))]
    pub delay: Option<Q<Span>>,
    #[serde(flatten)]
    pub recorded: Recorded,
    #[serde(flatten)]
    pub medium: Medium,
}

/// Recordings on a link that has its own delay. Recorded delays are added to this delay.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Recorded {
    /// File with a Mahimahi trace of deliveries, instead of `rate`. The file name is relative to the scenario's file.
    #[schemars(extend("x-excludes" = [{ "keys": ["rate", "rate_steps"] }]))]
    pub trace: Option<String>,
    /// File of one-way delays (as for LeoReplayer) in whole milliseconds, one for each 10 ms. They are added to the
    /// link's own delay. The file name is relative to the scenario's file.
    pub delay_trace: Option<String>,
    /// CSV file with rate, delay and loss over time. The file name is relative to the scenario's file. The columns are
    /// time_s and at least one of rate_mbit_s, delay_ms (one way) and loss_ratio. Each row applies until the next row.
    /// The rate replaces `rate`, the delay is added to the link's own delay, and the loss is added to `loss`.
    pub path_trace: Option<String>,
    /// What follows the end of a trace: the trace starts again ("wrap"), its last value stays ("hold"), or the link
    /// stops carrying packets ("stop"). Default "wrap", but "hold" for path_trace. A trace of deliveries cannot have
    /// "hold".
    #[schemars(extend("x-decides" = "a trace"))]
    pub trace_end: Option<W<TraceEnd>>,
}

/// The keys for the rate of a link in a plain network.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Service {
    /// Constant rate.
    #[schemars(extend("x-min" = "1 bit/s"))]
    pub rate: Option<Q<Unlimited<Rate>>>,
    /// Rate over time, instead of `rate`: `[{ at = "0 s", rate = "50 Mbit/s" }, { at = "15 s", rate = "20 Mbit/s" }]`.
    #[schemars(extend("x-excludes" = [{ "keys": ["rate"] }]))]
    pub rate_steps: Option<Vec<RateStep>>,
    /// Rate over the time of day, instead of `rate`.
    #[schemars(extend("x-excludes" = [{ "keys": ["rate", "rate_steps"] }]))]
    pub rate_by_hour: Option<ByHour>,
    /// File with a Mahimahi trace of deliveries, instead of `rate`. The file name is relative to the scenario's file.
    #[schemars(extend("x-excludes" = [{ "keys": ["rate", "rate_steps", "rate_by_hour"] }]))]
    pub trace: Option<String>,
    /// Link budget, instead of `rate`: the rate follows the weather.
    #[schemars(extend("x-excludes" = [{ "keys": ["rate", "rate_steps", "rate_by_hour", "trace"] }]))]
    pub budget: Option<Budget>,
}

/// The keys for the delay of a link in a plain network.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Propagation {
    /// One-way propagation delay.
    #[schemars(extend("x-max" = "1 h"))]
    pub delay: Option<Q<Span>>,
    /// One-way propagation delay over time, instead of `delay`: `[["0 s", "30 ms"], ["15 s", "50 ms"]]`.
    #[schemars(extend("x-excludes" = [{ "keys": ["delay"] }]))]
    pub delay_steps: Option<Vec<Vec<Q<Span>>>>,
    /// File of one-way delays in whole milliseconds, one for each 10 ms, instead of `delay`. The file name is relative
    /// to the scenario's file.
    #[schemars(extend("x-excludes" = [{ "keys": ["delay", "delay_steps"] }]))]
    pub delay_trace: Option<String>,
}

/// Rate, delay and loss of a link in a plain network, from one file.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct PathTrace {
    /// CSV file with rate, delay and loss over time. The file name is relative to the scenario's file. The columns are
    /// time_s and at least one of rate_mbit_s, delay_ms (one way) and loss_ratio. Each row applies until the next row.
    /// The rate and the delay replace the keys for rate and delay, and the loss is added to `loss`.
    pub path_trace: Option<String>,
    /// What follows the end of a trace: the trace starts again ("wrap"), its last value stays ("hold"), or the link
    /// stops carrying packets ("stop"). Default "wrap", but "hold" for path_trace. A trace of deliveries cannot have
    /// "hold".
    #[schemars(extend("x-decides" = "a trace"))]
    pub trace_end: Option<W<TraceEnd>>,
}

/// Random loss: one of `per`, `ber`, `bursts`, `chain`, `netem`, `land_mobile` and `two_state`. `steps` adds loss over
/// time. `packets` and `spans` list losses before the queue.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ per = 1e-3 }"))]
pub struct Loss {
    /// Probability that a packet is lost.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub per: Option<Fraction>,
    /// Probability that a bit is wrong. A packet with a wrong bit is lost.
    #[schemars(range(min = 0.0, max = 1.0))]
    #[schemars(extend("x-excludes" = [{ "keys": ["per"] }]))]
    pub ber: Option<Fraction>,
    /// Bursts of losses (Gilbert-Elliott model).
    #[schemars(extend("x-excludes" = [{ "keys": ["per", "ber"] }]))]
    pub bursts: Option<Bursts>,
    /// States with their own loss probabilities (a Markov chain in continuous time).
    #[schemars(extend("x-excludes" = [{ "keys": ["per", "ber", "bursts"] }]))]
    pub chain: Option<LossChain>,
    /// The four states of netem's `loss state`, which may change with each packet.
    #[schemars(extend("x-excludes" = [{ "keys": ["per", "ber", "bursts", "chain"] }]))]
    pub netem: Option<Netem>,
    /// Intervals of clear view and of shadow on the path of a vehicle.
    #[schemars(extend("x-excludes" = [{ "keys": ["per", "ber", "bursts", "chain", "netem"] }]))]
    pub land_mobile: Option<LandMobile>,
    /// GOOD and BAD intervals on the path of a vehicle, as in ITU-R P.681.
    #[schemars(extend("x-excludes" = [{ "keys": ["per", "ber", "bursts", "chain", "netem", "land_mobile"] }]))]
    pub two_state: Option<TwoState>,
    /// Loss over time, in addition to the other losses: `[{ at = "20 s", per = 1e-2 }, { at = "40 s", per = 0.0 }]`.
    /// Before the first step, this key causes no loss.
    pub steps: Option<Vec<LossStep>>,
    /// Numbers of the data packets that are lost, in rising order. Data packets of all flows are counted from 1 in the
    /// order in which they reach the link, including retransmissions. The packets are lost before the queue of the
    /// link. Packets without payload (ACKs, probes) are neither counted nor lost. The recorded cause of these losses is
    /// "error".
    #[schemars(inner(range(min = 1)))]
    pub packets: Option<Vec<u64>>,
    /// Number of data packets after which the list `packets` starts again. It must be at least the last number of the
    /// list. Default: never.
    #[schemars(range(min = 1))]
    #[schemars(extend("x-needs" = [{
        "keys": ["packets"],
        "why": "`period` has no effect without `packets`",
        "fix": "write packets = [400, 1400], or remove `period`",
    }]))]
    pub period: Option<u64>,
    /// Intervals in which every packet that reaches the link is lost, including handshake packets and ACKs: `[["20 s",
    /// "22 s"], ["40 s", "41 s"]]`. The end is not part of an interval. The recorded cause of these losses is "outage".
    pub spans: Option<Vec<Vec<Q<Span>>>>,
}

/// A chain with a good state without loss and a bad state. It may change its state once in every `bin`.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ to_bad = 0.033, to_good = 0.84, loss = 0.14 }"))]
pub struct Bursts {
    /// Probability of a change from good to bad.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub to_bad: Fraction,
    /// Probability of a change from bad to good.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub to_good: Fraction,
    /// Probability that a packet is lost in the bad state.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub loss: Fraction,
    /// Interval between two possible changes. Default "100 ms".
    #[schemars(extend("x-min" = "1 us", "x-max" = "1 h"))]
    pub bin: Option<Q<Span>>,
}

/// Two routers and the bottleneck link between them. Exactly one key determines the delay: rtt, delay, delay_steps,
/// delay_trace, or path_trace with a column of delays. Exactly one key determines the rate: rate, rate_steps,
/// rate_by_hour, trace, budget, or path_trace with a column of rates. The default queue is "1 BDP". `loss` applies only
/// to packets from left to right.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
#[schemars(extend("x-needs" = of_a_link(None, Some("rtt"), "rtt = \"50 ms\"")))]
pub struct Dumbbell {
    #[serde(flatten)]
    pub service: Service,
    /// Round-trip propagation delay. Each direction has half of it.
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
    /// The link from right to left. The rate, the delay, `queue`, `mtu` and `arq` are those of the other direction,
    /// unless this table sets them (`dama` also removes `arq`). `loss`, `policer`, `ecn_bleach`, `dama`, `grants` and
    /// `acks` are not copied. If the rate or the delay comes from path_trace, the loss of the trace also applies.
    #[schemars(extend("x-partial" = true))]
    pub reverse: Option<Wire>,
}

/// A link with its delay, the same in both directions. The default queue is "unlimited". The table `reverse` of a
/// dumbbell lists only differences, so its default queue is that of the link from left to right.
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

/// A rate from a time on.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ at = \"15 s\", rate = \"20 Mbit/s\" }"))]
pub struct RateStep {
    /// Start of the step.
    pub at: Q<Span>,
    /// Rate. While the rate is zero, packets wait.
    pub rate: Q<Rate>,
    /// The rate changes linearly to this value until the next step. Default: the rate stays constant.
    pub ramp_to: Option<Q<Rate>>,
}

/// A probability of loss from a time on.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ at = \"20 s\", per = 1e-2 }"))]
pub struct LossStep {
    /// Start of the step.
    pub at: Q<Span>,
    /// Probability that a packet is lost.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub per: Fraction,
    /// The probability changes linearly to this value until the next step. Default: the probability stays constant.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub ramp_to: Option<Fraction>,
}

/// An additional delay from a time on.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ at = \"20 s\", delay = \"5 ms\" }"))]
pub struct DelayStep {
    /// Start of the step.
    pub at: Q<Span>,
    /// One-way delay.
    #[schemars(extend("x-max" = "1 h"))]
    pub delay: Q<Span>,
    /// The delay changes linearly to this value until the next step. Default: the delay stays constant.
    #[schemars(extend("x-max" = "1 h"))]
    pub ramp_to: Option<Q<Span>>,
}

/// A path over Starlink: uplink from the site "dish" to the site "server", and downlink.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Starlink {
    /// "starlink-good", "starlink-far" or "starlink-isl".
    pub preset: String,
    /// Second of the minute at which the run starts. Epochs are the 15 s between two reconfigurations of Starlink.
    /// They start 12, 27, 42 and 57 s after the start of each minute. Default "0 s".
    #[schemars(extend("x-max" = "1 min"))]
    pub phase: Option<Q<Span>>,
    /// Round-trip time of the terrestrial part of the path. Default "0 s".
    #[schemars(extend("x-max" = "1 h"))]
    pub rtt: Option<Q<Span>>,
    /// Queues of both directions. Default: the queues of the preset.
    pub queue: Option<StarlinkQueue>,
    /// Random loss, except at the boundaries of epochs. Default: the loss of the preset.
    pub loss: Option<StarlinkLoss>,
}

/// Queues of the two directions.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ up = \"500 packets\", down = \"2000 packets\" }"))]
pub struct StarlinkQueue {
    /// Queue of the link from the dish. Default: the queue of the preset.
    pub up: Option<Queue>,
    /// Queue of the link to the dish. Default: the queue of the preset.
    pub down: Option<Queue>,
}

/// Random loss in the two directions, except at the boundaries of epochs.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ up = { per = 2e-3 }, down = { per = 1e-4 } }"))]
pub struct StarlinkLoss {
    /// Loss on the link from the dish; `{}` means no loss. Default: the loss of the preset.
    pub up: Option<Loss>,
    /// Loss on the link to the dish; `{}` means no loss. Default: the loss of the preset.
    pub down: Option<Loss>,
}

/// Routers in a row.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Chain {
    /// The number of links, which all have the settings of `link`; or a list of links.
    pub links: ChainLinks,
    /// The link, if `links` is a number.
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
    /// Carriers that branches share towards the hub. Default: each branch has its own carrier.
    pub carriers: Option<Vec<Carrier>>,
    /// Carriers that branches share from the hub. Default: the hub transmits to each branch independently, at the rate
    /// of the branch.
    pub forward_carriers: Option<Vec<ForwardCarrier>>,
}

/// A site and its link to the hub, the same in both directions. The default queue is "unlimited".
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
#[schemars(extend("x-needs" = of_a_link(Some("forward"), None, "delay = \"25 ms\"")))]
pub struct Branch {
    /// Name of the site.
    pub site: String,
    /// Number of equal branches. Their sites are called "SITE 1", "SITE 2" and so on. Default: one branch, whose site
    /// is called SITE. Rain at the sites of equal branches is independent, unless the rain names a `cell`. The rain at
    /// the hub is the same for all of them.
    #[schemars(range(min = 1, max = 10_000))]
    pub count: Option<u32>,
    /// The carrier from the hub that the branch shares with others. In the turns of the branch, the carrier sends at
    /// the branch's own `rate` (or `rate_steps`, or `budget`), which is at most the rate of the carrier. Without such a
    /// key, the carrier sends at its own rate. Default: the branch shares no carrier.
    #[schemars(extend("x-excludes" = [{
        "keys": ["warn_above"],
        "why": "a link that takes turns on a carrier sends no congestion warnings",
        "fix": "remove `warn_above`, or `forward`",
    }]))]
    pub forward: Option<Forward>,
    #[serde(flatten)]
    pub wire: Wire,
}

/// Returns the rule for the required keys of a link in a plain network: its rate and its delay, each in one of several
/// forms. `rate` and `delay` are additional forms.
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
            "why": "`{table}` needs a propagation delay",
            "fix": format!("write {example}"),
        },
    ])
}
