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

/// How a terminal gains access to the channel. The keys apply to one direction: from left to right in a dumbbell
/// (`reverse` has its own keys), to the higher number in a chain, from a branch to the hub, from a site to its
/// satellite.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct ReturnLink {
    /// Demand assignment as in DVB-RCS2: the terminal requests capacity, and transmits only in granted slots. The link
    /// needs a rate. A rate that changes is constant within a superframe. The key applies to one direction: left to
    /// right in a dumbbell (`reverse` has its own key), lower to higher number in a chain, branch to hub in a star,
    /// and site to satellite in a constellation. After a handover, the terminal requests capacity again.
    #[schemars(extend("x-excludes" = [{
        "keys": ["arq"], "why": crate::return_link::NO_REPETITION, "fix": "keep one of `dama` and `arq`",
    }]))]
    pub dama: Option<Dama>,
    /// Fixed times of a shared medium at which all waiting packets are sent, as on Starlink's uplink. This key applies
    /// to the same direction as `dama`.
    #[schemars(extend("x-excludes" = [{
        "keys": ["dama"], "why": crate::return_link::TWO_GRANTS, "fix": "keep one of `dama` and `grants`",
    }]))]
    pub grants: Option<Grants>,
    /// The link thins waiting acknowledgements, or compresses their headers (RFC 3449, section 5). The queue must be
    /// drop-tail. This key applies to the same direction as `dama`.
    #[schemars(extend("x-excludes" = [{
        "keys": ["warn_above"], "why": crate::acks::NO_WARNINGS, "fix": "remove `warn_above`, or `acks`",
    }]))]
    pub acks: Option<Acks>,
}

/// How a narrow link treats pure TCP acknowledgements.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ thinning = \"filter\" }"))]
#[schemars(extend("x-needs" = [{
    "keys": ["thinning", "compressed"],
    "why": "`acks` has no effect without `thinning` or `compressed`",
    "fix": "write thinning = \"filter\", compressed = \"8 B\", or both",
}]))]
pub struct Acks {
    /// Which of the waiting acknowledgements are dropped. "filter": an older acknowledgement is dropped if a newer
    /// acknowledgement of the same connection contains all of its information; two are kept (`ack-filter` of cake).
    /// "filter-aggressive": as "filter", but only one is kept. "decimate": if more than `keep` acknowledgements of a
    /// connection wait, the oldest is dropped, whatever its content. Default: none.
    #[schemars(extend("x-decides" = "thinning"))]
    pub thinning: Option<W<ThinningWord>>,
    /// Decimate: number of acknowledgements of a connection that may wait. Default 1.
    #[schemars(range(min = 1, max = 100_000), extend("x-only" = { "thinning": ["decimate"] }))]
    #[schemars(extend("x-needs" = [{
        "keys": ["thinning"],
        "why": "`keep` has an effect only with thinning = \"decimate\"",
        "fix": "write thinning = \"decimate\", or remove `keep`",
    }]))]
    pub keep: Option<u32>,
    /// Size of an acknowledgement with compressed headers on this link. Smaller acknowledgements do not change.
    /// Default: no compression.
    #[schemars(extend("x-min" = "1 B", "x-max" = "60 B"))]
    pub compressed: Option<Q<Bytes>>,
}

/// Demand assignment. The terminal sends a request at the start of each superframe. Its grant is at the start of a
/// later superframe. Capacity is assigned in the order cra, rbdc, vbdc, fca.
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
        "why": "without cra, rbdc, vbdc and fca, the terminal would never get a grant",
        "fix": "write at least one of cra, rbdc, vbdc and fca, such as vbdc = \"unlimited\"",
    },
]))]
pub struct Dama {
    /// For a branch: name of a carrier in `network.star.carriers` that the terminal shares with others. Superframe,
    /// latency and rate are then those of the carrier, and the branch's own rate applies only to the direction from the
    /// hub. Default: the terminal has its own carrier.
    pub carrier: Option<String>,
    /// Rate in the terminal's slots of a shared carrier: the rate of its own modulation and code, at most the
    /// carrier's rate. At a lower rate, the terminal needs more time of the carrier for the same bytes. Only with
    /// `carrier`. Default: the carrier's rate.
    #[schemars(extend("x-min" = "1 bit/s"))]
    #[schemars(extend("x-needs" = on_carrier("rate")))]
    pub rate: Option<Q<Rate>>,
    /// Rate in the terminal's slots over time, instead of `rate`: `[{ at = "0 s", rate = "2 Mbit/s" }, { at = "60 s",
    /// rate = "500 kbit/s" }]`.
    #[schemars(extend("x-excludes" = [{ "keys": ["rate"] }]))]
    #[schemars(extend("x-needs" = on_carrier("rate_steps")))]
    pub rate_steps: Option<Vec<RateStep>>,
    /// Link budget of the uplink, instead of `rate`.
    #[schemars(extend("x-excludes" = [{ "keys": ["rate", "rate_steps"] }]))]
    #[schemars(extend("x-needs" = on_carrier("budget")))]
    pub budget: Option<Budget>,
    /// Length of a superframe. Required without `carrier`.
    #[schemars(extend("x-min" = "5 ms", "x-max" = "10 s"))]
    #[schemars(extend("x-excludes" = [{
        "keys": ["carrier"],
        "why": "the terminals of a carrier share its superframe, so `superframe` belongs to the table of the carrier",
        "fix": "write it in the table of the carrier",
    }]))]
    pub superframe: Option<Q<Span>>,
    /// Time from a request to its grant, rounded up to whole superframes. It consists of a round trip over the
    /// satellite and the computation. Required without `carrier`.
    #[schemars(extend("x-max" = "10 s"))]
    #[schemars(extend("x-excludes" = [{
        "keys": ["carrier"], "why": "the terminals of a carrier share its latency, so `latency` belongs to the table \
            of the carrier",
        "fix": "write it in the table of the carrier",
    }]))]
    pub latency: Option<Q<Span>>,
    /// Constant rate assignment: capacity without requests. Default: none.
    #[schemars(extend("x-min" = "1 bit/s"))]
    pub cra: Option<Q<Rate>>,
    /// Rate-based dynamic capacity: the terminal requests the rate at which data arrived in the last superframe, up to
    /// this rate. Default: no such requests.
    #[schemars(extend("x-min" = "1 bit/s"))]
    pub rbdc: Option<Q<Unlimited<Rate>>>,
    /// Volume-based dynamic capacity: the terminal requests the bytes that wait. This rate limits the grants for these
    /// requests. Default: no such requests.
    #[schemars(extend("x-min" = "1 bit/s"))]
    pub vbdc: Option<Q<Unlimited<Rate>>>,
    /// Free capacity assignment: the terminal's fraction of the capacity that no terminal requested. Default 0.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub fca: Option<Fraction>,
    /// If the terminal has no grant, it transmits in slots that other terminals also use. This key excludes cra and
    /// fca, which always grant something. Default: the terminal waits for its grant.
    #[schemars(extend("x-excludes" = [{
        "keys": ["carrier"],
        "why": "terminals on a shared carrier transmit only in grants: collisions of their bursts are not modelled",
        "fix": "remove `random_access` or `carrier`",
    }]))]
    pub random_access: Option<RandomAccess>,
}

/// A carrier that branches of a star share towards the hub. Their table `dama` names it. The capacity of each
/// superframe is assigned by category (cra, rbdc, vbdc, fca). Each category is assigned for all terminals before the
/// next category.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ name = \"up\", rate = \"2 Mbit/s\", superframe = \"40 ms\", latency = \"560 ms\" }"))]
pub struct Carrier {
    /// Name of the carrier.
    pub name: String,
    /// Rate with the highest modulation and code, for terminals without a lower rate.
    #[schemars(extend("x-min" = "1 bit/s"))]
    pub rate: Q<Rate>,
    /// Length of a superframe.
    #[schemars(extend("x-min" = "5 ms", "x-max" = "10 s"))]
    pub superframe: Q<Span>,
    /// Time from a request to its grant, rounded up to whole superframes. It consists of a round trip over the
    /// satellite and the computation.
    #[schemars(extend("x-min" = "1 ns", "x-max" = "10 s"))]
    pub latency: Q<Span>,
    /// How capacity is shared if more rbdc or vbdc is requested than is available. "max-min": each terminal gets the
    /// same time, but not more than it requests. "proportional": each terminal gets the same fraction of its request.
    /// Default "max-min".
    pub sharing: Option<W<Sharing>>,
}

/// Random access. Each superframe has slots for it. A burst is lost if another burst is sent in the same slot. A burst
/// that was not received is sent again after the latency and a back-off, or in a grant if a grant comes first.
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
    /// Number of slots in a superframe. Default 64.
    #[schemars(range(min = 1, max = 10_000))]
    pub slots: Option<u32>,
    /// Mean number of bursts per slot from all other terminals: G in the formula S = G exp(-G).
    #[schemars(range(min = 0.0, max = 10.0))]
    pub load: f64,
    /// Size of a burst in bytes.
    #[schemars(extend("x-min" = "1 B", "x-max" = "65535 B"))]
    pub burst: Q<Bytes>,
    /// Largest number of bursts that the terminal sends in a superframe. Default 1.
    #[schemars(range(min = 1, max = 1000))]
    pub bursts: Option<u32>,
    /// Largest back-off in superframes after a burst that was not received. The back-off is uniformly distributed.
    /// Default 8.
    #[schemars(range(min = 0, max = 10_000))]
    pub back_off: Option<u32>,
}

/// Times of grants. Packets that the link has sent at its rate wait for the next grant, and leave together at this
/// time. The first grant is at the start of the run.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ period = \"4 ms\", long_period = \"8 ms\", long_share = 0.08 }"))]
pub struct Grants {
    /// Interval before the next grant.
    #[schemars(extend("x-min" = "100 us", "x-max" = "10 s"))]
    pub period: Q<Span>,
    /// Interval before a grant, for the fraction `long_share` of the grants. Default: all intervals are `period`.
    #[schemars(extend("x-min" = "100 us", "x-max" = "10 s"))]
    #[schemars(extend("x-needs" = [{
        "keys": ["long_share"],
        "why": "`long_period` has no effect without `long_share`",
        "fix": "write long_share = 0.08, or remove `long_period`",
    }]))]
    pub long_period: Option<Q<Span>>,
    /// Fraction of grants that follow an interval of `long_period`. Each grant is drawn independently.
    #[schemars(range(min = 0.0, max = 1.0))]
    #[schemars(extend("x-needs" = [{
        "keys": ["long_period"],
        "why": "`long_share` has no effect without `long_period`",
        "fix": "write long_period = \"8 ms\", or remove `long_share`",
    }]))]
    pub long_share: Option<Fraction>,
}

/// Returns the rule that a key needs a shared carrier, because otherwise the terminal has no rate of its own.
fn on_carrier(key: &str) -> Json {
    let why = "this key is for terminals that share a carrier; a terminal with its own carrier sends at the rate of \
        the link";
    let fix = format!("move `{key}` out of `dama`, or add the `carrier` of a star that the terminal shares");
    json!([{ "keys": ["carrier"], "why": why, "fix": fix }])
}
