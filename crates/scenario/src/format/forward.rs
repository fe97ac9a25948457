// SPDX-License-Identifier: MIT OR Apache-2.0
//! The file format of carriers on which a hub transmits to many branches; see `format`.

use crate::text::Q;
use crate::words::W;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use topology::Turns;
use units::Rate;

/// A carrier on which the hub transmits to several branches, one packet after another (TDM). Branches name it in the
/// table `forward`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ name = \"down\", rate = \"100 Mbit/s\" }"))]
pub struct ForwardCarrier {
    /// Name of the carrier.
    pub name: String,
    /// Rate with the highest modulation and code, for branches without a lower rate.
    #[schemars(extend("x-min" = "1 bit/s"))]
    pub rate: Q<Rate>,
    /// How turns are measured. "bytes": branches with enough data get the same rate. "time": branches with enough data
    /// get the same time of the carrier, so a branch with a low rate does not slow down the other branches. Default
    /// "bytes".
    pub turns: Option<W<Turns>>,
}

/// The carrier from the hub that a branch shares with others, and its weight and priority there.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ carrier = \"down\" }"))]
pub struct Forward {
    /// Name of a carrier of `network.star.forward_carriers`.
    pub carrier: String,
    /// Weight of the branch on the carrier, among branches of the same priority that have data to send. Default 1.
    #[schemars(range(min = 1, max = 100))]
    pub weight: Option<u16>,
    /// Branches of a higher priority are served first. Default 0.
    #[schemars(range(min = 0, max = 7))]
    pub priority: Option<u8>,
}
