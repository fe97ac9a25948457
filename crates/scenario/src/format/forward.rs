// SPDX-License-Identifier: MIT OR Apache-2.0
//! The file format of carriers on which a hub sends to many branches; see `format`.

use crate::text::Q;
use crate::words::W;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use topology::Turns;
use units::Rate;

/// A carrier on which the hub sends to several branches, one packet after the other (TDM): their `forward` names it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ name = \"down\", rate = \"100 Mbit/s\" }"))]
pub struct ForwardCarrier {
    /// Its name.
    pub name: String,
    /// What it sends at where a branch says nothing slower: with the highest modulation and code.
    #[schemars(extend("x-min" = "1 bit/s"))]
    pub rate: Q<Rate>,
    /// What turns are charged with: "bytes", so that all who have enough to send get the same rate, or "time", so that all get the same
    /// time of the carrier, and one with a low rate takes nothing from others. Default "bytes".
    pub turns: Option<W<Turns>>,
}

/// The right of a branch to a carrier from the hub that it shares with others.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ carrier = \"down\" }"))]
pub struct Forward {
    /// Name of a carrier of `network.star.forward_carriers`.
    pub carrier: String,
    /// Its share of the carrier, against the others of its priority that have something to send. Default 1.
    #[schemars(range(min = 1, max = 100))]
    pub weight: Option<u16>,
    /// Branches of a higher priority go first. Default 0.
    #[schemars(range(min = 0, max = 7))]
    pub priority: Option<u8>,
}
