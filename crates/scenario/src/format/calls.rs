// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys that only flows of kind "call" have, and the on and off periods of kind "cbr".

use crate::call::Profile;
use crate::on_off::Law;
use crate::text::Q;
use crate::words::{W, words};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use units::{Bytes, Rate, Span};

words! {
    /// Kinds of calls.
    Profile { Voice = "voice", VideoCall = "video-call", Game = "game" }
    /// Probability distribution.
    Law { Exponential = "exponential" }
}

/// One direction of a call: one frame per interval. All packets of a frame leave at once.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Media {
    /// Interval between frames. Default: the value of the profile.
    #[schemars(extend("x-min" = "100 us", "x-max" = "1 min"))]
    pub interval: Option<Q<Span>>,
    /// Size of a frame. If key frames are larger, this is the mean size. Default: the value of the profile.
    #[schemars(extend("x-min" = "1 B", "x-max" = "10 MB"))]
    pub frame: Option<Q<Bytes>>,
    /// Mean rate of the frames without headers, instead of `frame`.
    #[schemars(extend("x-min" = "1 bit/s"))]
    #[schemars(extend("x-excludes" = [{ "keys": ["frame"], "fix": "remove `frame` or `rate`: the rate is the frame \
        divided by the interval" }]))]
    pub rate: Option<Q<Rate>>,
    /// Largest number of bytes of a frame in one packet. Default "1200 B".
    #[schemars(extend("x-min" = "1 B", "x-max" = "65000 B"))]
    pub payload: Option<Q<Bytes>>,
    /// Length of the headers of a packet. Default: the value of the profile, which is "40 B" (RTP 12, UDP 8, IP 20) or
    /// "28 B" (without RTP).
    #[schemars(extend("x-max" = "500 B"))]
    pub header: Option<Q<Bytes>>,
    /// Every `key_every`-th frame is a key frame, starting with the first frame. With 1, all frames have the same size.
    /// Default: the value of the profile.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub key_every: Option<u32>,
    /// Size of a key frame divided by the size of the other frames. Default: the value of the profile.
    #[schemars(range(min = 1.0, max = 1000.0))]
    pub key_ratio: Option<f64>,
}

/// Length of a period: constant, or drawn from a law.
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
    /// Name of the law: "exponential".
    pub law: W<Law>,
    /// Mean length.
    #[schemars(extend("x-min" = "1 us", "x-max" = "30 d"))]
    pub mean: Q<Span>,
}
