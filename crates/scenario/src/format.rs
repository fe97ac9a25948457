// SPDX-License-Identifier: MIT OR Apache-2.0
//! The file format: keys, types and bounds of every table. Reading, printing and the published JSON Schema all use
//! these types. Their doc comments are the descriptions that an editor shows. In addition to the keywords of the
//! standard, the schema has
//!
//! - `x-min` and `x-max`: bounds of quantities;
//! - `x-write`: an example of how to write a value;
//! - `x-only`, on a key that belongs only to tables of some kind: the key that determines the kind, and the words that
//!   this key must have;
//! - `x-decides`, on the key that determines the kind: what it determines, in words;
//! - `x-excludes`, on a key: rules about keys of the same table that contradict it, declared at one of the two keys;
//! - `x-needs`, on a key or a table: rules about keys, at least one of which must be present;
//! - `x-partial`, on a key: its table contains only differences, so `x-needs` of the table does not apply.
//!
//! A rule has its `keys`, the reason `why`, the `fix`, and `at`, the key that is reported as missing; see
//! `check::rules`. Rules that compute with values are in the code that reads these values.

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

/// A scenario for Bentpipe: one network, its flows, and what a run records.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Bentpipe scenario")]
pub struct Document {
    /// Title. Default "untitled".
    pub name: Option<String>,
    /// How long the run lasts. Default "60 s".
    #[schemars(extend("x-min" = "1 us", "x-max" = "30 d"))]
    pub duration: Option<Q<Span>>,
    /// Seed of all random streams. Default 1.
    #[schemars(range(min = 0))]
    pub seed: Option<i64>,
    /// Length of the first part of the run, which averages and counts leave out. Default "0 s".
    pub warm_up: Option<Q<Span>>,
    /// The network: exactly one of constellation, dumbbell, chain, star and starlink, or a preset.
    pub network: Network,
    /// TCP settings of all flows.
    pub tcp: Option<Tcp>,
    /// The flows; at least one flow is needed, here or in `traffic`.
    pub flows: Option<Vec<Flow>>,
    /// Flows between many sites, expanded into single flows when the file is read.
    pub traffic: Option<Vec<Traffic>>,
    /// Performance-enhancing proxies that split TCP connections (RFC 3135).
    pub peps: Option<Vec<Pep>>,
    /// What a run records.
    pub record: Option<Record>,
}

/// Exactly one of constellation, dumbbell, chain, star and starlink, or a preset that has one of them.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-needs" = [{
    "keys": ["constellation", "dumbbell", "chain", "star", "starlink", "preset"],
    "why": "a scenario needs a network",
    "fix": "write [network.constellation], [network.dumbbell], [network.chain], [network.star] or [network.starlink], \
    or [network] with a preset",
}]))]
pub struct Network {
    /// A network by name (`bentpipe presets`). Every preset has the sites "terminal" and "server". Other keys of the
    /// network replace values of the preset. Tables are merged key by key. Lists, and the keys queue, loss, arq,
    /// jitter, dama, grants and budget, are replaced as a whole. The value "off" removes the preset's value.
    pub preset: Option<String>,
    /// Satellites.
    pub constellation: Option<Constellation>,
    /// Two routers and a bottleneck between the sites "left" and "right".
    #[schemars(extend("x-excludes" = other_networks(&["constellation"])))]
    pub dumbbell: Option<Dumbbell>,
    /// Routers in a row, with the sites "0", "1", ….
    #[schemars(extend("x-excludes" = other_networks(&["constellation", "dumbbell"])))]
    pub chain: Option<Chain>,
    /// A hub and branches. Each branch has a site. The hub is the site "hub".
    #[schemars(extend("x-excludes" = other_networks(&["constellation", "dumbbell", "chain"])))]
    pub star: Option<Star>,
    /// A path over Starlink between the sites "dish" and "server". By default, flows send to the dish.
    #[schemars(extend("x-excludes" = other_networks(&["constellation", "dumbbell", "chain", "star"])))]
    pub starlink: Option<Starlink>,
    /// Time from the notice that flows receive about a path change to the change itself. Default "0 s": flows receive
    /// the notice when the path changes.
    #[schemars(extend("x-max" = "1 h"))]
    pub announce: Option<Q<Span>>,
    /// Largest error of the announced time, in either direction. Flows know this limit. Default "0 s".
    #[schemars(extend("x-max" = "1 h"))]
    pub announce_error: Option<Q<Span>>,
    /// Only in a resolved scenario: the preset that the network comes from.
    #[schemars(extend("x-excludes" = [{
        "keys": ["preset"],
        "fix": "keep `preset`: `origin` is only for resolved scenarios",
    }]))]
    pub origin: Option<Origin>,
}

/// The preset that the network of a resolved scenario comes from. It has no effect.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ preset = \"oneweb\" }"))]
pub struct Origin {
    /// Name of the preset.
    pub preset: String,
    /// Keys of the network that the scenario itself sets. Default: none.
    pub own: Option<Vec<String>>,
}

/// What a run records.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Interval between samples of flows and links, or "off". Default "100 ms".
    #[schemars(extend("x-min" = "1 us"))]
    pub interval: Option<Q<Off<Span>>>,
    /// Whether a row is written for each loss, cut, phase change and path change. Default true.
    pub events: Option<bool>,
    /// Whether a row is written for every packet: true, false, or a table with a part of the run. Default false.
    pub packets: Option<Packets>,
    /// Names of flows whose packets are captured (pcapng files in the folder `captures` of the run folder), at both
    /// hosts and at both sides of proxies that split the flow. If several flows share the name, all of them are
    /// captured; "NAME 2" means the second of them. Default: none.
    pub pcap: Option<Vec<String>>,
    /// Names of TCP flows that write qlog files into the same folder. If proxies split the flow, there is one file for
    /// the sender of each part. Default: none.
    pub qlog: Option<Vec<String>>,
    /// Names of links (as in tables) at whose ends packets are captured. All packets go into one file in the same
    /// folder, with one interface for each end. `*` matches any text, so "*" means every link. Only packets of the
    /// flows in `pcap` are captured. If `pcap` is empty, packets of all flows are captured. Default: none.
    pub pcap_links: Option<Vec<String>>,
    /// Whether captured packets have IPv6 headers instead of IPv4 headers. Default false.
    pub ipv6: Option<bool>,
    /// Number of bytes that are kept of each captured packet. Default: only the headers are kept.
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
    /// Start of the part.
    pub from: Q<Span>,
    /// End of the part.
    pub to: Q<Span>,
}

/// Returns the rule that a network excludes all other networks.
fn other_networks(keys: &[&str]) -> Json {
    let fix = "keep one of [network.constellation], [network.dumbbell], [network.chain], \
               [network.star], [network.starlink]";
    json!([{ "keys": keys, "why": "a scenario has exactly one network", "fix": fix }])
}
