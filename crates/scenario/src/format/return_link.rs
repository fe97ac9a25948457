// SPDX-License-Identifier: MIT OR Apache-2.0
//! The file format of how a terminal comes to send; see `format`.

use super::{Budget, RateStep};
use crate::acks::ThinningWord;
use crate::random_access::AccessWord;
use crate::text::{Q, Unlimited};
use crate::words::W;
use link::Sharing;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use units::{Bytes, Rate, Span};

/// How a terminal comes to send, one way: of a dumbbell from left to right (`reverse` says its own), of a link of
/// a chain to the higher number, of a branch to the hub, of a site to its satellite.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct ReturnLink {
    /// Demand assignment as in DVB-RCS2: the terminal asks for capacity and sends in what it is granted. Needs a rate; one that
    /// changes holds for whole superframes. One way: of a dumbbell from left to right (`reverse` has its own), of a chain to the higher
    /// number, of a branch to the hub, of a site to its satellite (where each satellite is asked anew).
    #[schemars(extend("x-excludes" = [{
        "keys": ["arq"], "why": crate::return_link::NO_REPETITION, "fix": "keep one of `dama` and `arq`",
    }]))]
    pub dama: Option<Dama>,
    /// Moments of a shared medium at which all that is ready leaves: the uplink of Starlink. One way, as `dama`, and instead of
    /// it.
    #[schemars(extend("x-excludes" = [{
        "keys": ["dama"], "why": crate::return_link::TWO_GRANTS, "fix": "keep one of `dama` and `grants`",
    }]))]
    pub grants: Option<Grants>,
    /// Acknowledgements that wait are thinned, or are compressed on the wire (RFC 3449, section 5). Of a drop-tail queue. One
    /// way, as `dama`.
    #[schemars(extend("x-excludes" = [{
        "keys": ["warn_above"], "why": crate::acks::NO_WARNINGS, "fix": "remove `warn_above`, or `acks`",
    }]))]
    pub acks: Option<Acks>,
}

/// What a narrow link does with TCP's pure acknowledgements. At least one of thinning and compressed.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ thinning = \"filter\" }"))]
#[schemars(extend("x-needs" = [{
    "keys": ["thinning", "compressed"],
    "why": "nothing would become of acknowledgements",
    "fix": "write thinning = \"filter\", compressed = \"8 B\", or both",
}]))]
pub struct Acks {
    /// Which of those that wait go: "filter" takes an older one out where a newer one of the same connection says all that it
    /// says, and keeps two (cake's `ack-filter`); "filter-aggressive" keeps one; "decimate" takes out the oldest of a connection
    /// where more than `keep` wait, whatever it says. Default: none.
    #[schemars(extend("x-decides" = "thinning"))]
    pub thinning: Option<W<ThinningWord>>,
    /// Decimate: so many acknowledgements of a connection may wait. Default 1.
    #[schemars(range(min = 1, max = 100_000), extend("x-only" = { "thinning": ["decimate"] }))]
    #[schemars(extend("x-needs" = [{
        "keys": ["thinning"],
        "why": "only decimation keeps so many",
        "fix": "write thinning = \"decimate\", or remove it",
    }]))]
    pub keep: Option<u32>,
    /// Bytes of an acknowledgement on this link with its headers compressed; one that is smaller stays as it is. Default: they
    /// are not compressed.
    #[schemars(extend("x-min" = "1 B", "x-max" = "60 B"))]
    pub compressed: Option<Q<Bytes>>,
}

/// Demand assignment. At the start of each superframe the terminal asks; what it is granted lies at the beginning of a superframe.
/// At least one of cra, rbdc, vbdc and fca; capacity is handed out in this order.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ superframe = \"40 ms\", latency = \"560 ms\", vbdc = \"unlimited\" }"))]
#[schemars(extend("x-needs" = [
    {
        "keys": ["superframe", "carrier"], "at": "superframe",
        "why": "`{table}` needs the key `superframe`",
        "fix": "write superframe = \"40 ms\"",
    },
    {
        "keys": ["latency", "carrier"], "at": "latency",
        "why": "`{table}` needs the key `latency`",
        "fix": "write latency = \"560 ms\"",
    },
    {
        "keys": ["cra", "rbdc", "vbdc", "fca"],
        "why": "nothing would ever be granted",
        "fix": "write at least one of cra, rbdc, vbdc and fca, such as vbdc = \"unlimited\"",
    },
]))]
pub struct Dama {
    /// Name of a carrier of `network.star.carriers` that the terminal shares with others, of a branch. Superframe, latency and rate
    /// are the carrier's then; the branch's own rate is that of the way back. Default: a carrier of its own.
    pub carrier: Option<String>,
    /// What it sends at in its slots of a carrier that it shares, at most the carrier's rate: its own modulation and code. For the same
    /// bytes it needs more of the carrier's time. Only with `carrier`. Default: the carrier's rate.
    #[schemars(extend("x-min" = "1 bit/s"))]
    #[schemars(extend("x-needs" = on_carrier("rate")))]
    pub rate: Option<Q<Rate>>,
    /// The same over time, instead of rate: `[{ at = "0 s", rate = "2 Mbit/s" }, { at = "60 s", rate = "500 kbit/s" }]`.
    #[schemars(extend("x-excludes" = [{ "keys": ["rate"] }]))]
    #[schemars(extend("x-needs" = on_carrier("rate_steps")))]
    pub rate_steps: Option<Vec<RateStep>>,
    /// Link budget of the way up, instead of rate.
    #[schemars(extend("x-excludes" = [{ "keys": ["rate", "rate_steps"] }]))]
    #[schemars(extend("x-needs" = on_carrier("budget")))]
    pub budget: Option<Budget>,
    /// Length of a superframe. Needed without `carrier`.
    #[schemars(extend("x-min" = "5 ms", "x-max" = "10 s"))]
    #[schemars(extend("x-excludes" = [{
        "keys": ["carrier"],
        "why": "`superframe` is the carrier's",
        "fix": "say it there, for all of its terminals",
    }]))]
    pub superframe: Option<Q<Span>>,
    /// From a request to its grant, rounded up to whole superframes: a round trip of the satellite and the reckoning. Needed
    /// without `carrier`.
    #[schemars(extend("x-max" = "10 s"))]
    #[schemars(extend("x-excludes" = [{
        "keys": ["carrier"], "why": "`latency` is the carrier's", "fix": "say it there, for all of its terminals",
    }]))]
    pub latency: Option<Q<Span>>,
    /// Constant rate assignment: capacity without asking. Default: none.
    #[schemars(extend("x-min" = "1 bit/s"))]
    pub cra: Option<Q<Rate>>,
    /// Rate-based dynamic capacity: the terminal asks for the rate of what came during the last superframe, up to this. Default:
    /// it does not ask.
    #[schemars(extend("x-min" = "1 bit/s"))]
    pub rbdc: Option<Q<Unlimited<Rate>>>,
    /// Volume-based dynamic capacity: the terminal asks for the bytes that wait, and is given them up to this rate. Default: it does
    /// not ask.
    #[schemars(extend("x-min" = "1 bit/s"))]
    pub vbdc: Option<Q<Unlimited<Rate>>>,
    /// Free capacity assignment: the share of what nobody asked for that the terminal is given. Default 0.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub fca: Option<f64>,
    /// While nothing is granted the terminal sends without asking, in slots that others use as well. Not with cra or fca, which
    /// always grant something. Default: it waits for its grant.
    #[schemars(extend("x-excludes" = [{
        "keys": ["carrier"],
        "why": "terminals that share a carrier send nothing without a grant: how their bursts would \
                meet is not modelled",
        "fix": "remove it, or `carrier`",
    }]))]
    pub random_access: Option<RandomAccess>,
}

/// A carrier that branches of a star share on the way to the hub: their `dama` names it. Each superframe is handed out by category,
/// cra, rbdc, vbdc, fca, of all terminals before the next.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ name = \"up\", rate = \"2 Mbit/s\", superframe = \"40 ms\", latency = \"560 ms\" }"))]
pub struct Carrier {
    /// Its name.
    pub name: String,
    /// What it sends at where a terminal says nothing slower: with the highest modulation and code.
    #[schemars(extend("x-min" = "1 bit/s"))]
    pub rate: Q<Rate>,
    /// Length of a superframe.
    #[schemars(extend("x-min" = "5 ms", "x-max" = "10 s"))]
    pub superframe: Q<Span>,
    /// From a request to its grant, rounded up to whole superframes: a round trip of the satellite and the reckoning.
    #[schemars(extend("x-min" = "1 ns", "x-max" = "10 s"))]
    pub latency: Q<Span>,
    /// Who gets how much where more is asked for of rbdc, or of vbdc, than is left: "max-min" gives each as much time, but nobody more
    /// than it asks for; "proportional" gives each the same part of what it asks for. Default "max-min".
    pub sharing: Option<W<Sharing>>,
}

/// Random access. Each superframe has slots for it; a burst is lost where another is sent in its slot. What is not received is
/// sent again after the latency and a back-off, or in what is granted by then.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ scheme = \"crdsa\", load = 0.3, burst = \"500 B\" }"))]
pub struct RandomAccess {
    /// "slotted-aloha": a burst is sent once. "crdsa": it is sent several times, and where one of them is received the others are
    /// taken out of their slots, so that more are (successive interference cancellation).
    #[schemars(extend("x-decides" = "scheme"))]
    pub scheme: W<AccessWord>,
    /// CRDSA: so many times a burst is sent in a superframe. Default 2.
    #[schemars(range(min = 2, max = 8), extend("x-only" = { "scheme": ["crdsa"] }))]
    pub replicas: Option<u32>,
    /// Slots of a superframe. Default 64.
    #[schemars(range(min = 1, max = 10_000))]
    pub slots: Option<u32>,
    /// Bursts that all other terminals offer in a slot, in the mean: G of the closed form S = G exp(-G).
    #[schemars(range(min = 0.0, max = 10.0))]
    pub load: f64,
    /// Bytes of a burst.
    #[schemars(extend("x-min" = "1 B", "x-max" = "65535 B"))]
    pub burst: Q<Bytes>,
    /// The most bursts that the terminal sends in a superframe. Default 1.
    #[schemars(range(min = 1, max = 1000))]
    pub bursts: Option<u32>,
    /// After a burst that was not received the terminal waits for up to so many superframes more, uniformly. Default 8.
    #[schemars(range(min = 0, max = 10_000))]
    pub back_off: Option<u32>,
}

/// Moments at which all that has been sent at the link's rate leaves; the first at the start of the run.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ period = \"4 ms\", long_period = \"8 ms\", long_share = 0.08 }"))]
pub struct Grants {
    /// From one to the next.
    #[schemars(extend("x-min" = "100 us", "x-max" = "10 s"))]
    pub period: Q<Span>,
    /// From one to the next, of a share of them. Default: all are one period apart.
    #[schemars(extend("x-min" = "100 us", "x-max" = "10 s"))]
    #[schemars(extend("x-needs" = [{
        "keys": ["long_share"],
        "why": "`long_period` is nothing without `long_share`",
        "fix": "write long_share = 0.08, or remove it",
    }]))]
    pub long_period: Option<Q<Span>>,
    /// That share, drawn anew each time.
    #[schemars(range(min = 0.0, max = 1.0))]
    #[schemars(extend("x-needs" = [{
        "keys": ["long_period"],
        "why": "`long_share` is nothing without `long_period`",
        "fix": "write long_period = \"8 ms\", or remove it",
    }]))]
    pub long_share: Option<f64>,
}

/// The carrier on which alone a terminal has a rate of its own.
fn on_carrier(key: &str) -> Json {
    let why = "a terminal with a carrier of its own sends at the link's rate";
    let fix = format!("write `{key}` beside `dama`, or the `carrier` of a star that it shares");
    json!([{ "keys": ["carrier"], "why": why, "fix": fix }])
}
