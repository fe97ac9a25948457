// SPDX-License-Identifier: MIT OR Apache-2.0
//! The file format of applications: what their users fetch, and when. See `format`.

use super::links::Cell;
use crate::law::{PlainLaw, SizeLaw};
use crate::text::{Fraction, Q};
use crate::words::{W, words};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use traffic::Between;
use units::{Bytes, Rate, Span};

/// A value, or a law from which values are drawn. A plain value is constant. A law is a table.
macro_rules! laws {
    ($($(#[doc = $doc:literal])+ $law:ident, $table:ident of $value:ty, $words:ty,
        bounds ($($bounds:tt)*), most ($($most:tt)*), write $write:literal;)+) => {
        $(
            $(#[doc = $doc])+
            #[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
            #[serde(untagged)]
            pub enum $law {
                Always(#[schemars($($bounds)*)] $value),
                Table($table),
            }

            $(#[doc = $doc])+
            #[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
            #[serde(deny_unknown_fields)]
            #[schemars(extend("x-write" = $write))]
            pub struct $table {
                /// Name of the law.
                #[schemars(extend("x-decides" = "the law"))]
                pub law: W<$words>,
                /// Mean value. It can replace `median` of "log-normal" and `least` of "pareto".
                #[schemars($($bounds)*, extend("x-only" = { "law": ["exponential", "log-normal", "pareto"] }))]
                pub mean: Option<$value>,
                /// Median: half of the drawn values are below it.
                #[schemars($($bounds)*, extend("x-only" = { "law": ["log-normal"] }))]
                #[schemars(extend("x-excludes" = [{
                    "keys": ["mean"], "why": "`median` and `mean` both set the scale of the law, so one of the two \
                     keys is enough",
                }]))]
                pub median: Option<$value>,
                /// Standard deviation of the natural logarithm.
                #[schemars(range(min = 0.0, max = 20.0), extend("x-only" = { "law": ["log-normal"] }))]
                pub sigma: Option<f64>,
                /// Shape of the tail: a smaller shape means a heavier tail. If the shape is 1 or less, the law has a
                /// mean only with `most`.
                #[schemars(range(min = 0.01, max = 100.0), extend("x-only" = { "law": ["pareto"] }))]
                pub shape: Option<f64>,
                /// Smallest value.
                #[schemars($($bounds)*, extend("x-only" = { "law": ["pareto"] }))]
                #[schemars(extend("x-excludes" = [{
                    "keys": ["mean"], "why": "`least` and `mean` both set the scale of the law, so one of the two keys \
                     is enough",
                }]))]
                pub least: Option<$value>,
                /// Largest value. Default: no limit.
                #[schemars($($most)*, extend("x-only" = { "law": ["pareto"] }))]
                pub most: Option<$value>,
                /// Pairs of a value and the probability that a drawn value is at most this value. Values and
                /// probabilities must not decrease, and the last probability must be 1.
                #[schemars(extend("x-only" = { "law": ["points"] }))]
                pub points: Option<Vec<Vec<Cell>>>,
                /// CSV file with pairs as in `points`. The file name is relative to the scenario's file. The values are
                /// plain numbers of bytes or seconds.
                #[schemars(extend("x-only" = { "law": ["file"] }))]
                pub file: Option<String>,
                /// Interpolation between two points: the probability is linear in the value ("linear") or in its
                /// logarithm ("log-linear"), or the probability of larger values is a power of the value ("power").
                /// Default "linear".
                #[schemars(extend("x-only" = { "law": ["points", "file"] }))]
                pub between: Option<W<Between>>,
            }
        )+
    };
}

laws! {
    /// A size, or the law from which sizes are drawn.
    Sizes, SizesTable of Q<Bytes>, SizeLaw,
        bounds (extend("x-min" = "1 B", "x-max" = "1 TB")), most (extend("x-min" = "1 B", "x-max" = "1 PB")),
        write "{ law = \"pareto\", mean = \"100 kB\", shape = 1.2 }";
    /// A time, or the law from which times are drawn.
    Times, TimesTable of Q<Span>, PlainLaw,
        bounds (extend("x-max" = "30 d")), most (extend("x-max" = "30 d")),
        write "{ law = \"exponential\", mean = \"30 s\" }";
    /// A number, or the law from which numbers are drawn. Drawn numbers are rounded and at least 1.
    Counts, CountsTable of f64, PlainLaw,
        bounds (range(min = 0.0, max = 1e6)), most (range(min = 0.0, max = 1e6)),
        write "{ law = \"log-normal\", median = 70, sigma = 0.5 }";
}

/// When visits start. Visits start even if earlier visits are in progress (open loop).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ law = \"poisson\", rate = 12.5 }"))]
pub struct Arrivals {
    /// "poisson" (independent arrivals), "regular" (equal intervals) or "on-off" (as "poisson" in on periods, no
    /// arrivals in off periods).
    #[schemars(extend("x-decides" = "arrivals of law"))]
    pub law: W<ArrivalLaw>,
    /// Visits per second. For "on-off", this is the rate in on periods. `load` can replace this key.
    #[schemars(range(min = 1e-9, max = 1e6))]
    pub rate: Option<f64>,
    /// Length of on periods.
    #[schemars(extend("x-only" = { "law": ["on-off"] }))]
    pub on: Option<Times>,
    /// Length of off periods.
    #[schemars(extend("x-only" = { "law": ["on-off"] }))]
    pub off: Option<Times>,
}

/// When visits start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ArrivalLaw {
    #[default]
    Poisson,
    Regular,
    OnOff,
}

/// How a video player chooses its rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChoiceWord {
    Buffer,
    Rate,
}

/// The protocol of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProtocolWord {
    Http1,
    Http2,
    Http2Interleaved,
}

/// Built-in pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageName {
    Median2024,
}

words! {
    /// Interpolation between two points.
    Between { Linear = "linear", LogLinear = "log-linear", Power = "power" }
    /// When visits start.
    ArrivalLaw { Poisson = "poisson", Regular = "regular", OnOff = "on-off" }
    /// How a player chooses its rate.
    ChoiceWord { Buffer = "buffer", Rate = "rate" }
    /// The protocol of a page.
    ProtocolWord { Http1 = "http1", Http2 = "http2", Http2Interleaved = "http2-interleaved" }
    /// Built-in pages.
    PageName { Median2024 = "median-2024" }
}

/// A web page: its name, or a table.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Page {
    Name(W<PageName>),
    Table(Box<PageTable>),
}

/// A web page. Without `objects`, the objects are those of the page `preset`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ objects = 70, size = \"25 kB\" }"))]
pub struct PageTable {
    /// Built-in page. Default "median-2024".
    pub preset: Option<W<PageName>>,
    /// Number of objects in addition to the document, or the law from which the number is drawn; or a list of single
    /// objects, with `after` for objects that depend on others.
    pub objects: Option<PageObjects>,
    /// Size of the document, which is fetched first. Default: the value of `size`.
    pub first: Option<Sizes>,
    /// Size of each other object.
    pub size: Option<Sizes>,
    /// Number of stages of equal size. Each object of a stage waits for an object of the stage before. Default 1.
    #[schemars(range(min = 1, max = 100))]
    pub stages: Option<u32>,
    /// "http1": up to `connections` connections with one request at a time on each. "http2": one connection; all known
    /// objects are requested at once and answered in the order of the requests. "http2-interleaved": as "http2", but
    /// answers alternate in frames of 16 kB. Default "http2".
    #[schemars(extend("default" = "http2", "x-decides" = "a page over"))]
    pub protocol: Option<W<ProtocolWord>>,
    /// Largest number of connections. Default 6, as in browsers.
    #[schemars(range(min = 1, max = 64), extend("x-only" = { "protocol": ["http1"] }))]
    pub connections: Option<u8>,
    /// Size of each request. Default "400 B".
    #[schemars(extend("x-min" = "1 B", "x-max" = "1 MB"))]
    pub request: Option<Q<Bytes>>,
    /// Time that the server needs for each answer. Default "0 s".
    #[schemars(extend("x-max" = "1 h"))]
    pub wait: Option<Q<Span>>,
}

/// The objects of a page.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum PageObjects {
    Always(#[schemars(range(min = 0.0, max = 1e4))] f64),
    Table(CountsTable),
    Listed(Vec<PageObject>),
}

/// An object of a page.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PageObject {
    /// Name of the object.
    pub name: String,
    /// Size of the object.
    #[schemars(extend("x-min" = "1 B", "x-max" = "1 TB"))]
    pub size: Q<Bytes>,
    /// Names of the objects that must arrive before the browser knows this object. Default: none.
    pub after: Option<Vec<String>>,
    /// Time between the moment at which the browser knows this object and its request. Default "0 s".
    #[schemars(extend("x-max" = "1 h"))]
    pub think: Option<Q<Span>>,
}

/// A video (DASH or HLS) and its player.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ ladder = [\"1 Mbit/s\", \"5 Mbit/s\"] }"))]
pub struct Video {
    /// Rates in which each segment is available, from the lowest to the highest. Default: the ten rates of Netflix
    /// until 2015, 235 kbit/s to 5.8 Mbit/s.
    pub ladder: Option<Vec<Q<Rate>>>,
    /// Length of a segment. Default "4 s".
    #[schemars(extend("x-min" = "100 ms", "x-max" = "1 h"))]
    pub segment: Option<Q<Span>>,
    /// Playing time of the video. Default "10 min" (our choice).
    pub length: Option<Times>,
    /// Playback starts when the buffer contains this playing time. Default: two segments.
    #[schemars(extend("x-max" = "1 h"))]
    pub startup: Option<Q<Span>>,
    /// After a stall, playback continues when the buffer contains this playing time. Default: as `startup`.
    #[schemars(extend("x-max" = "1 h"))]
    pub resume: Option<Q<Span>>,
    /// Size of the buffer. The player requests a segment when the segment fits. Default "240 s".
    #[schemars(extend("x-min" = "100 ms", "x-max" = "2 h"))]
    pub buffer: Option<Q<Span>>,
    /// How the player chooses the rate of the next segment: "buffer": by the buffer level (BBA-0 of Huang et al.,
    /// SIGCOMM 2014). "rate": by the harmonic mean of the last throughputs. Default "buffer".
    #[schemars(extend("default" = "buffer", "x-decides" = "a player with choice"))]
    pub choice: Option<W<ChoiceWord>>,
    /// Buffer level up to which the player chooses the lowest rate. Default: 90/240 of `buffer`.
    #[schemars(extend("x-max" = "1 h", "x-only" = { "choice": ["buffer"] }))]
    pub reservoir: Option<Q<Span>>,
    /// Range of buffer levels above `reservoir` in which the rate rises to the highest rate. Default: 126/240 of
    /// `buffer`.
    #[schemars(extend("x-max" = "1 h", "x-only" = { "choice": ["buffer"] }))]
    pub cushion: Option<Q<Span>>,
    /// Number of segments in the harmonic mean. Default 5.
    #[schemars(range(min = 1, max = 1000), extend("x-only" = { "choice": ["rate"] }))]
    pub segments: Option<u32>,
    /// Factor for the harmonic mean: the player chooses the highest rate that is at most the product. Default 0.9.
    #[schemars(range(min = 0.01, max = 10.0), extend("x-only" = { "choice": ["rate"] }))]
    pub safety: Option<Fraction>,
}

/// Alternating requests and answers on one connection.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ answer = \"2 kB\" }"))]
pub struct Request {
    /// Size of a request. Default "400 B".
    pub size: Option<Sizes>,
    /// Size of an answer.
    pub answer: Sizes,
    /// Time that the server needs for an answer. Default "0 s".
    pub wait: Option<Times>,
    /// Number of requests in a visit. Default 1.
    pub count: Option<Counts>,
    /// Think time of the user between an answer and the next request of the visit. Default "0 s".
    pub think: Option<Times>,
}

/// TLS 1.3 on each connection, which takes one round trip before the first request (RFC 8446).
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Tls {
    Switch(bool),
    Table(TlsTable),
}

/// Sizes of the messages in a TLS handshake.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ answer = \"4 kB\" }"))]
pub struct TlsTable {
    /// Size of the client's first flight. Default "517 B".
    #[schemars(extend("x-min" = "1 B", "x-max" = "1 MB"))]
    pub hello: Option<Q<Bytes>>,
    /// Size of the server's flight with its certificates. Default "4 kB".
    #[schemars(extend("x-min" = "1 B", "x-max" = "1 MB"))]
    pub answer: Option<Q<Bytes>>,
    /// Time that the server needs for its computations. Default "0 s".
    #[schemars(extend("x-max" = "1 min"))]
    pub wait: Option<Q<Span>>,
}
