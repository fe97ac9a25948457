// SPDX-License-Identifier: MIT OR Apache-2.0
//! The file format of a terminal's return link; see `format`.

use super::{Budget, RateStep};
use crate::acks::ThinningWord;
use crate::random_access::AccessWord;
use crate::text::{Fraction, Q, Unlimited};
use crate::words::W;
use link::Sharing;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use units::{Bytes, Rate, Span};

/// How a terminal gets to transmit. The keys apply to one direction: in a dumbbell from left to right (`reverse` has
/// its own), in a chain to the higher number, from a branch to the hub, from a site to its satellite.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct ReturnLink {
    /// Demand assignment as in DVB-RCS2: the terminal requests capacity and transmits in what is granted. It needs a
    /// rate; a rate that changes is constant within a superframe. It applies to one direction: in a dumbbell from left
    /// to right (`reverse` has its own), in a chain to the higher number, from a branch to the hub, from a site to its
    /// satellite (after a handover the terminal requests again).
    #[schemars(extend("x-excludes" = [{
        "keys": ["arq"], "why": crate::return_link::NO_REPETITION, "fix": "keep one of `dama` and `arq`",
    }]))]
    pub dama: Option<Dama>,
    /// Fixed times of a shared medium at which everything that is ready leaves: Starlink's uplink. As `dama`, this key
    /// applies to one direction.
    #[schemars(extend("x-excludes" = [{
        "keys": ["dama"], "why": crate::return_link::TWO_GRANTS, "fix": "keep one of `dama` and `grants`",
    }]))]
    pub grants: Option<Grants>,
    /// Waiting acknowledgements are thinned, or compressed on the wire (RFC 3449, section 5). The queue must be
    /// drop-tail. As `dama`, this key applies to one direction.
    #[schemars(extend("x-excludes" = [{
        "keys": ["warn_above"], "why": crate::acks::NO_WARNINGS, "fix": "remove `warn_above`, or `acks`",
    }]))]
    pub acks: Option<Acks>,
}

/// How a narrow link treats TCP's pure acknowledgements. At least one of thinning and compressed is required.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ thinning = \"filter\" }"))]
#[schemars(extend("x-needs" = [{
    "keys": ["thinning", "compressed"],
    "why": "`acks` has no effect without `thinning` or `compressed`",
    "fix": "write thinning = \"filter\", compressed = \"8 B\", or both",
}]))]
pub struct Acks {
    /// Which of the waiting acknowledgements are dropped. "filter": an older one where a newer one of the same
    /// connection has all of its information; two are kept (cake's `ack-filter`). "filter-aggressive": as "filter", but
    /// one is kept. "decimate": the oldest of a connection with more than `keep` waiting, whatever its content.
    /// Default: none.
    #[schemars(extend("x-decides" = "thinning"))]
    pub thinning: Option<W<ThinningWord>>,
    /// Decimate: the number of acknowledgements of a connection that may wait. Default 1.
    #[schemars(range(min = 1, max = 100_000), extend("x-only" = { "thinning": ["decimate"] }))]
    #[schemars(extend("x-needs" = [{
        "keys": ["thinning"],
        "why": "`keep` has an effect only with thinning = \"decimate\"",
        "fix": "write thinning = \"decimate\", or remove it",
    }]))]
    pub keep: Option<u32>,
    /// Size of an acknowledgement on this link with compressed headers; a smaller one is unchanged. Default: no
    /// compression.
    #[schemars(extend("x-min" = "1 B", "x-max" = "60 B"))]
    pub compressed: Option<Q<Bytes>>,
}

/// Demand assignment. The terminal sends a request at the start of each superframe; its grant is at the beginning of a
/// superframe. At least one of cra, rbdc, vbdc and fca is required; capacity is assigned in this order.
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
        "why": "the terminal would never get a grant",
        "fix": "write at least one of cra, rbdc, vbdc and fca, such as vbdc = \"unlimited\"",
    },
]))]
pub struct Dama {
    /// For a branch: name of a carrier of `network.star.carriers` that the terminal shares with others. Superframe,
    /// latency and rate are then the carrier's; the branch's own rate is for the direction from the hub. Default: a
    /// carrier of its own.
    pub carrier: Option<String>,
    /// Rate in the terminal's slots of a shared carrier, at most the carrier's rate: the terminal's own modulation and
    /// code. At a lower rate, the terminal needs more time of the carrier for the same bytes. Only with `carrier`.
    /// Default: the carrier's rate.
    #[schemars(extend("x-min" = "1 bit/s"))]
    #[schemars(extend("x-needs" = on_carrier("rate")))]
    pub rate: Option<Q<Rate>>,
    /// This rate over time, instead of rate: `[{ at = "0 s", rate = "2 Mbit/s" }, { at = "60 s", rate = "500 kbit/s"
    /// }]`.
    #[schemars(extend("x-excludes" = [{ "keys": ["rate"] }]))]
    #[schemars(extend("x-needs" = on_carrier("rate_steps")))]
    pub rate_steps: Option<Vec<RateStep>>,
    /// Link budget of the uplink, instead of rate.
    #[schemars(extend("x-excludes" = [{ "keys": ["rate", "rate_steps"] }]))]
    #[schemars(extend("x-needs" = on_carrier("budget")))]
    pub budget: Option<Budget>,
    /// Length of a superframe. Required without `carrier`.
    #[schemars(extend("x-min" = "5 ms", "x-max" = "10 s"))]
    #[schemars(extend("x-excludes" = [{
        "keys": ["carrier"],
        "why": "`superframe` belongs to the carrier, because its terminals share it",
        "fix": "write it in the table of the carrier",
    }]))]
    pub superframe: Option<Q<Span>>,
    /// Time from a request to its grant, rounded up to whole superframes: a round trip of the satellite and the
    /// computation. Required without `carrier`.
    #[schemars(extend("x-max" = "10 s"))]
    #[schemars(extend("x-excludes" = [{
        "keys": ["carrier"], "why": "`latency` belongs to the carrier, because its terminals share it",
        "fix": "write it in the table of the carrier",
    }]))]
    pub latency: Option<Q<Span>>,
    /// Constant rate assignment: capacity without requests. Default: none.
    #[schemars(extend("x-min" = "1 bit/s"))]
    pub cra: Option<Q<Rate>>,
    /// Rate-based dynamic capacity: the terminal requests the rate of the data that arrived during the last superframe,
    /// up to this rate. Default: no such requests.
    #[schemars(extend("x-min" = "1 bit/s"))]
    pub rbdc: Option<Q<Unlimited<Rate>>>,
    /// Volume-based dynamic capacity: the terminal requests the bytes that wait. Grants for these requests are bounded
    /// by this rate. Default: no such requests.
    #[schemars(extend("x-min" = "1 bit/s"))]
    pub vbdc: Option<Q<Unlimited<Rate>>>,
    /// Free capacity assignment: the terminal's fraction of the capacity that no terminal requested. Default 0.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub fca: Option<Fraction>,
    /// Without a grant, the terminal transmits in slots that other terminals also use. This key excludes cra and fca,
    /// which always grant something. Default: the terminal waits for its grant.
    #[schemars(extend("x-excludes" = [{
        "keys": ["carrier"],
        "why": "terminals on a shared carrier transmit only in grants: collisions of their bursts are not modelled",
        "fix": "remove it, or `carrier`",
    }]))]
    pub random_access: Option<RandomAccess>,
}

/// A carrier that branches of a star share towards the hub: their `dama` names it. Each superframe is assigned by
/// category (cra, rbdc, vbdc, fca), each for all terminals before the next.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ name = \"up\", rate = \"2 Mbit/s\", superframe = \"40 ms\", latency = \"560 ms\" }"))]
pub struct Carrier {
    /// Its name.
    pub name: String,
    /// Rate with the highest modulation and code, for terminals without a lower rate.
    #[schemars(extend("x-min" = "1 bit/s"))]
    pub rate: Q<Rate>,
    /// Length of a superframe.
    #[schemars(extend("x-min" = "5 ms", "x-max" = "10 s"))]
    pub superframe: Q<Span>,
    /// Time from a request to its grant, rounded up to whole superframes: a round trip of the satellite and the
    /// computation.
    #[schemars(extend("x-min" = "1 ns", "x-max" = "10 s"))]
    pub latency: Q<Span>,
    /// How capacity is shared if more rbdc or vbdc is requested than is left. "max-min": the same time for each
    /// terminal, but not more than it requests. "proportional": the same fraction of each request. Default "max-min".
    pub sharing: Option<W<Sharing>>,
}

/// Random access. Each superframe has slots for it; a burst is lost if another burst is sent in the same slot. A burst
/// that was not received is sent again after the latency and a back-off, or in a grant if one comes first.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ scheme = \"crdsa\", load = 0.3, burst = \"500 B\" }"))]
pub struct RandomAccess {
    /// "slotted-aloha": a burst is sent once. "crdsa": a burst is sent several times. When one copy is received, the
    /// other copies are cancelled from their slots, so that more bursts are received (successive interference
    /// cancellation).
    #[schemars(extend("x-decides" = "scheme"))]
    pub scheme: W<AccessWord>,
    /// CRDSA: number of copies of a burst in a superframe. Default 2.
    #[schemars(range(min = 2, max = 8), extend("x-only" = { "scheme": ["crdsa"] }))]
    pub replicas: Option<u32>,
    /// Slots of a superframe. Default 64.
    #[schemars(range(min = 1, max = 10_000))]
    pub slots: Option<u32>,
    /// Mean number of bursts per slot from all other terminals: G of the closed form S = G exp(-G).
    #[schemars(range(min = 0.0, max = 10.0))]
    pub load: f64,
    /// Bytes of a burst.
    #[schemars(extend("x-min" = "1 B", "x-max" = "65535 B"))]
    pub burst: Q<Bytes>,
    /// Most bursts that the terminal sends in a superframe. Default 1.
    #[schemars(range(min = 1, max = 1000))]
    pub bursts: Option<u32>,
    /// Largest number of superframes that the terminal additionally waits after a burst that was not received; the
    /// number is uniform. Default 8.
    #[schemars(range(min = 0, max = 10_000))]
    pub back_off: Option<u32>,
}

/// Times at which everything that has been sent at the link's rate leaves; the first is the start of the run.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ period = \"4 ms\", long_period = \"8 ms\", long_share = 0.08 }"))]
pub struct Grants {
    /// Interval before the next grant.
    #[schemars(extend("x-min" = "100 us", "x-max" = "10 s"))]
    pub period: Q<Span>,
    /// Interval before the next grant, for the fraction `long_share` of grants. Default: all intervals are `period`.
    #[schemars(extend("x-min" = "100 us", "x-max" = "10 s"))]
    #[schemars(extend("x-needs" = [{
        "keys": ["long_share"],
        "why": "`long_period` has no effect without `long_share`",
        "fix": "write long_share = 0.08, or remove it",
    }]))]
    pub long_period: Option<Q<Span>>,
    /// Fraction of grants that `long_period` precedes; drawn independently each time.
    #[schemars(range(min = 0.0, max = 1.0))]
    #[schemars(extend("x-needs" = [{
        "keys": ["long_period"],
        "why": "`long_share` has no effect without `long_period`",
        "fix": "write long_period = \"8 ms\", or remove it",
    }]))]
    pub long_share: Option<Fraction>,
}

/// The shared carrier, without which a terminal has no rate of its own.
fn on_carrier(key: &str) -> Json {
    let why = "a terminal with its own carrier sends at the rate of the link";
    let fix = format!("move `{key}` out of `dama`, or add the `carrier` of a star that the terminal shares");
    json!([{ "keys": ["carrier"], "why": why, "fix": fix }])
}
