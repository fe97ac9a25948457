// SPDX-License-Identifier: MIT OR Apache-2.0
//! The file format: what may be written where. Reading, printing and the published JSON Schema all come from here;
//! doc comments are the descriptions that an editor shows. Besides the standard's words the schema has
//!
//! - `x-min` and `x-max`: bounds of quantities;
//! - `x-write`: how a value is written;
//! - `x-only`, on a key that belongs only to tables of some kind: the key that decides and the words it must hold;
//!   `x-decides` there says of what it decides;
//! - `x-excludes`, on a key: rules about keys of the same table that cannot stand beside it, declared at one of the two;
//! - `x-needs`, on a key or a table: rules about keys of which one must be there. A table behind a key with `x-partial`
//!   says only what differs, and its own needs do not count.
//!
//! A rule has its `keys`, `why` it holds, the `fix`, and `at`, the key that is called missing; see `check::rules`. Rules that
//! compute with values stand where they are read.

mod applications;
mod budget;
mod calls;
mod flows;
mod forward;
mod links;
mod losses;
mod return_link;
mod satellites;

pub use applications::*;
pub use budget::*;
pub use calls::*;
pub use flows::*;
pub use forward::*;
pub use links::*;
pub use losses::*;
pub use return_link::*;
pub use satellites::*;

use crate::text::{Off, Q};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use units::{Bytes, Span};

/// A scenario for Bentpipe: one network, its flows, what is recorded.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Bentpipe scenario")]
pub struct Document {
    /// Title for people. Default "untitled".
    pub name: Option<String>,
    /// How long the run lasts. Default "60 s".
    #[schemars(extend("x-min" = "1 us", "x-max" = "30 d"))]
    pub duration: Option<Q<Span>>,
    /// Root of all random streams. Default 1.
    #[schemars(range(min = 0))]
    pub seed: Option<i64>,
    /// Left out of means and counts at the start of the run. Default "0 s".
    pub warm_up: Option<Q<Span>>,
    /// The network: exactly one of constellation, dumbbell, chain, star, starlink.
    pub network: Network,
    /// TCP settings of all flows.
    pub tcp: Option<Tcp>,
    /// The flows; at least one here or in `traffic`.
    pub flows: Option<Vec<Flow>>,
    /// Flows between many sites, written out one by one when the file is read.
    pub traffic: Option<Vec<Traffic>>,
    /// Performance-enhancing proxies that split TCP connections (RFC 3135).
    pub peps: Option<Vec<Pep>>,
    /// What is recorded.
    pub record: Option<Record>,
}

/// Exactly one of constellation, dumbbell, chain, star, starlink, or a preset that has it.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-needs" = [{
    "keys": ["constellation", "dumbbell", "chain", "star", "starlink", "preset"],
    "why": "a scenario needs a network",
    "fix": "write [network.constellation], [network.dumbbell], [network.chain], [network.star] or [network.starlink], or \
            [network] with a preset",
}]))]
pub struct Network {
    /// A network by name (`bentpipe presets`). Other keys of the network take the place of its own: tables are merged key by key;
    /// lists, queues, losses, arq, jitter, dama, grants and budgets are taken whole; "off" takes away what the preset says there.
    pub preset: Option<String>,
    /// Satellites.
    pub constellation: Option<Constellation>,
    /// Two routers and a bottleneck between the sites "left" and "right".
    #[schemars(extend("x-excludes" = other_networks(&["constellation"])))]
    pub dumbbell: Option<Dumbbell>,
    /// Routers in a row: sites "0", "1", ….
    #[schemars(extend("x-excludes" = other_networks(&["constellation", "dumbbell"])))]
    pub chain: Option<Chain>,
    /// A hub and branches: the sites of the branches, and "hub".
    #[schemars(extend("x-excludes" = other_networks(&["constellation", "dumbbell", "chain"])))]
    pub star: Option<Star>,
    /// A path over Starlink between the sites "dish" and "server".
    #[schemars(extend("x-excludes" = other_networks(&["constellation", "dumbbell", "chain", "star"])))]
    pub starlink: Option<Starlink>,
    /// Flows are told of path changes so long before they happen. Default "0 s": when they happen.
    #[schemars(extend("x-max" = "1 h"))]
    pub announce: Option<Q<Span>>,
    /// The time that an announcement names is off by up to this, earlier or later, and the flow knows that bound. Default "0 s".
    #[schemars(extend("x-max" = "1 h"))]
    pub announce_error: Option<Q<Span>>,
    /// In a resolved scenario the preset that the network came from.
    #[schemars(extend("x-excludes" = [{
        "keys": ["preset"],
        "fix": "keep `preset`: `origin` is of resolved scenarios",
    }]))]
    pub origin: Option<Origin>,
}

/// Written into a resolved scenario: the preset that its network came from. Nothing is taken from it.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ preset = \"oneweb\" }"))]
pub struct Origin {
    /// Name of the preset.
    pub preset: String,
    /// Keys of the network that the scenario said itself. Default: none.
    pub own: Option<Vec<String>>,
}

/// What is recorded.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Interval of the samples of flows and links, or "off". Default "100 ms".
    #[schemars(extend("x-min" = "1 us"))]
    pub interval: Option<Q<Off<Span>>>,
    /// A row for each loss, cut, phase and path change. Default true.
    pub events: Option<bool>,
    /// A row for every packet: true, or a part of the run. Default false.
    pub packets: Option<Packets>,
    /// Flows whose packets are captured at both hosts (pcapng), by their names, into `captures` of the run folder, and at both
    /// sides of the proxies that split them. A name that several flows share means all of them; one is "NAME 2". Default: none.
    pub pcap: Option<Vec<String>>,
    /// TCP flows that write a qlog there, one for the sender of each part where proxies split them. Default: none.
    pub qlog: Option<Vec<String>>,
    /// Links at whose ends packets are captured, by their names as in tables, into one file there, an interface for each end. `*`
    /// stands for anything: "*" are all links. The packets are those of the flows in `pcap`, or of all flows where it names none.
    /// Default: none.
    pub pcap_links: Option<Vec<String>>,
    /// Captured packets are of IPv6, not of IPv4. Default false.
    pub ipv6: Option<bool>,
    /// Bytes kept of each captured packet. Default: its headers.
    #[schemars(extend("x-min" = "80 B", "x-max" = "65535 B"))]
    pub snap: Option<Q<Bytes>>,
}

/// Whether packets are recorded.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Packets {
    Switch(bool),
    Part(Part),
}

/// A part of the run.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Where the part begins.
    pub from: Q<Span>,
    /// Where the part ends.
    pub to: Q<Span>,
}

/// The networks beside which one cannot stand.
fn other_networks(keys: &[&str]) -> Json {
    let fix = "keep one of [network.constellation], [network.dumbbell], [network.chain], \
               [network.star], [network.starlink]";
    json!([{ "keys": keys, "why": "a scenario has exactly one network", "fix": fix }])
}
