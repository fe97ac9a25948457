// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a flow of kind "call" says beside the keys of all flows, and the on and off periods of kind "cbr".

use crate::call::Profile;
use crate::on_off::Law;
use crate::text::Q;
use crate::words::{W, words};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use units::{Bytes, Rate, Span};

words! {
    /// What a call is.
    Profile { Voice = "voice", VideoCall = "video-call", Game = "game" }
    /// A law of chance.
    Law { Exponential = "exponential" }
}

/// One direction of a call: a frame every so often, in as many packets as it takes, all at once.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Media {
    /// A frame leaves every so often. Default: the profile's.
    #[schemars(extend("x-min" = "100 us", "x-max" = "1 min"))]
    pub interval: Option<Q<Span>>,
    /// Bytes of a frame; the mean, where key frames are larger. Default: the profile's.
    #[schemars(extend("x-min" = "1 B", "x-max" = "10 MB"))]
    pub frame: Option<Q<Bytes>>,
    /// Instead of `frame`: mean rate of the frames, without headers.
    #[schemars(extend("x-min" = "1 bit/s"))]
    #[schemars(extend("x-excludes" = [{ "keys": ["frame"], "fix": "keep one: a rate is a frame per interval" }]))]
    pub rate: Option<Q<Rate>>,
    /// Bytes of a frame that a packet takes at most. Default "1200 B".
    #[schemars(extend("x-min" = "1 B", "x-max" = "65000 B"))]
    pub payload: Option<Q<Bytes>>,
    /// Headers of a packet. Default: the profile's, "40 B" (RTP 12, UDP 8, IP 20) or "28 B" (without RTP).
    #[schemars(extend("x-max" = "500 B"))]
    pub header: Option<Q<Bytes>>,
    /// Every so manyth frame is a key frame, the first one is; 1: all are alike. Default: the profile's.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub key_every: Option<u32>,
    /// A key frame has so many times the bytes of the others. Default: the profile's.
    #[schemars(range(min = 1.0, max = 1000.0))]
    pub key_ratio: Option<f64>,
}

/// How long a period lasts: always the same, or by a law.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Period {
    Constant(#[schemars(extend("x-min" = "1 us", "x-max" = "30 d"))] Q<Span>),
    Drawn(DrawnPeriod),
}

/// A period of random length.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ law = \"exponential\", mean = \"1 s\" }"))]
pub struct DrawnPeriod {
    /// "exponential".
    pub law: W<Law>,
    /// Its mean.
    #[schemars(extend("x-min" = "1 us", "x-max" = "30 d"))]
    pub mean: Q<Span>,
}
