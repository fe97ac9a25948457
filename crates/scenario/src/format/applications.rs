// SPDX-License-Identifier: MIT OR Apache-2.0
//! The file format of applications: what their users fetch, and when; see `format`.

use super::links::Cell;
use crate::law::{PlainLaw, SizeLaw};
use crate::text::Q;
use crate::words::{W, words};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use traffic::Between;
use units::{Bytes, Rate, Span};

/// A law of chance for one kind of value: a value alone is always that, others are tables.
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
                /// "exponential", "log-normal", "pareto", "points", "file"; of sizes also a measured one: "web-search", for example.
                #[schemars(extend("x-decides" = "the law"))]
                pub law: W<$words>,
                /// Its mean. Of "log-normal" instead of `median`, of "pareto" instead of `least`.
                #[schemars($($bounds)*, extend("x-only" = { "law": ["exponential", "log-normal", "pareto"] }))]
                pub mean: Option<$value>,
                /// Half of what is drawn is below.
                #[schemars($($bounds)*, extend("x-only" = { "law": ["log-normal"] }))]
                #[schemars(extend("x-excludes" = [{
                    "keys": ["mean"], "why": "`median` and `mean` contradict each other: one follows from the other",
                }]))]
                pub median: Option<$value>,
                /// Standard deviation of the natural logarithm.
                #[schemars(range(min = 0.0, max = 20.0), extend("x-only" = { "law": ["log-normal"] }))]
                pub sigma: Option<f64>,
                /// The smaller, the heavier the tail; at 1 and below there is no mean without `most`.
                #[schemars(range(min = 0.01, max = 100.0), extend("x-only" = { "law": ["pareto"] }))]
                pub shape: Option<f64>,
                /// Nothing is below.
                #[schemars($($bounds)*, extend("x-only" = { "law": ["pareto"] }))]
                #[schemars(extend("x-excludes" = [{
                    "keys": ["mean"], "why": "`least` and `mean` contradict each other: one follows from the other",
                }]))]
                pub least: Option<$value>,
                /// Nothing is above. Default: without bound.
                #[schemars($($most)*, extend("x-only" = { "law": ["pareto"] }))]
                pub most: Option<$value>,
                /// Pairs of a value and the probability of it or less; both never fall, the last probability is 1.
                #[schemars(extend("x-only" = { "law": ["points"] }))]
                pub points: Option<Vec<Vec<Cell>>>,
                /// File of those pairs, relative to the scenario's: CSV, the values as bare numbers of bytes or seconds.
                #[schemars(extend("x-only" = { "law": ["file"] }))]
                pub file: Option<String>,
                /// How the curve goes between two points: straight over the value ("linear"), over its logarithm ("log-linear"), or
                /// with the share above as a power of the value ("power"). Default "linear".
                #[schemars(extend("x-only" = { "law": ["points", "file"] }))]
                pub between: Option<W<Between>>,
            }
        )+
    };
}

laws! {
    /// A size, or the law by which sizes are drawn.
    Sizes, SizesTable of Q<Bytes>, SizeLaw,
        bounds (extend("x-min" = "1 B", "x-max" = "1 TB")), most (extend("x-min" = "1 B", "x-max" = "1 PB")),
        write "{ law = \"pareto\", mean = \"100 kB\", shape = 1.2 }";
    /// A time, or the law by which times are drawn.
    Times, TimesTable of Q<Span>, PlainLaw,
        bounds (extend("x-max" = "30 d")), most (extend("x-max" = "30 d")),
        write "{ law = \"exponential\", mean = \"30 s\" }";
    /// A number, or the law by which numbers are drawn; rounded, 1 at least.
    Counts, CountsTable of f64, PlainLaw,
        bounds (range(min = 0.0, max = 1e6)), most (range(min = 0.0, max = 1e6)),
        write "{ law = \"log-normal\", median = 70, sigma = 0.5 }";
}

/// When visits begin, come what may.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ law = \"poisson\", rate = 12.5 }"))]
pub struct Arrivals {
    /// "poisson" (independently of each other), "regular" (all gaps alike), "on-off" (poisson for a while, then none).
    #[schemars(extend("x-decides" = "arrivals of law"))]
    pub law: W<ArrivalLaw>,
    /// Visits per second; of "on-off" while it is on. `load` says it instead.
    #[schemars(range(min = 1e-9, max = 1e6))]
    pub rate: Option<f64>,
    /// For how long it is on.
    #[schemars(extend("x-only" = { "law": ["on-off"] }))]
    pub on: Option<Times>,
    /// For how long it is off.
    #[schemars(extend("x-only" = { "law": ["on-off"] }))]
    pub off: Option<Times>,
}

/// When visits begin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ArrivalLaw {
    #[default]
    Poisson,
    Regular,
    OnOff,
}

/// Rates of a film by its buffer or by what the network gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChoiceWord {
    Buffer,
    Rate,
}

/// Over which protocol a page comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProtocolWord {
    Http1,
    Http2,
    Http2Interleaved,
}

/// Pages with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageName {
    Median2024,
}

words! {
    /// How the curve goes between two points.
    Between { Linear = "linear", LogLinear = "log-linear", Power = "power" }
    /// When visits begin.
    ArrivalLaw { Poisson = "poisson", Regular = "regular", OnOff = "on-off" }
    /// How a player chooses its rate.
    ChoiceWord { Buffer = "buffer", Rate = "rate" }
    /// Over which protocol a page comes.
    ProtocolWord { Http1 = "http1", Http2 = "http2", Http2Interleaved = "http2-interleaved" }
    /// A page with a name.
    PageName { Median2024 = "median-2024" }
}

/// A web page: its name, or a table.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Page {
    Name(W<PageName>),
    Table(Box<PageTable>),
}

/// A web page. Without `objects` those of the page `preset`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ objects = 70, size = \"25 kB\" }"))]
pub struct PageTable {
    /// The page with a name. Default "median-2024".
    pub preset: Option<W<PageName>>,
    /// How many objects there are beside the document, or the law by which that is drawn; or each object by itself, with `after`
    /// the names of those that must have come before it is known.
    pub objects: Option<PageObjects>,
    /// Bytes of the document, which comes first. Default: as `size`.
    pub first: Option<Sizes>,
    /// Bytes of each other object.
    pub size: Option<Sizes>,
    /// They come in so many stages of equal numbers: each of a later stage waits for one of the stage before. Default 1.
    #[schemars(range(min = 1, max = 100))]
    pub stages: Option<u32>,
    /// "http1": up to `connections` of them, one request at a time on each. "http2": one connection, all that is known is asked
    /// for at once, answers come in the order asked. "http2-interleaved": they take turns, a frame of 16 kB each. Default "http2".
    #[schemars(extend("default" = "http2", "x-decides" = "a page over"))]
    pub protocol: Option<W<ProtocolWord>>,
    /// How many connections at most. Default 6, as browsers open them.
    #[schemars(range(min = 1, max = 64), extend("x-only" = { "protocol": ["http1"] }))]
    pub connections: Option<u8>,
    /// Bytes of each request. Default "400 B".
    #[schemars(extend("x-min" = "1 B", "x-max" = "1 MB"))]
    pub request: Option<Q<Bytes>>,
    /// How long the server takes for each. Default "0 s".
    #[schemars(extend("x-max" = "1 h"))]
    pub wait: Option<Q<Span>>,
}

/// What a page is made of.
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
    /// Its name.
    pub name: String,
    /// Its bytes.
    #[schemars(extend("x-min" = "1 B", "x-max" = "1 TB"))]
    pub size: Q<Bytes>,
    /// Names of those that must have come before it is known. Default: none.
    pub after: Option<Vec<String>>,
    /// How long the browser then takes before it asks. Default "0 s".
    #[schemars(extend("x-max" = "1 h"))]
    pub think: Option<Q<Span>>,
}

/// A film, as DASH and HLS stream it, and its player.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ ladder = [\"1 Mbit/s\", \"5 Mbit/s\"] }"))]
pub struct Video {
    /// Rates at which each segment can be had, from the lowest to the highest. Default: the ten of Netflix until 2015, 235 kbit/s to
    /// 5.8 Mbit/s.
    pub ladder: Option<Vec<Q<Rate>>>,
    /// Length of a segment. Default "4 s".
    #[schemars(extend("x-min" = "100 ms", "x-max" = "1 h"))]
    pub segment: Option<Q<Span>>,
    /// For how long it plays. Default "10 min", which is ours.
    pub length: Option<Times>,
    /// It begins to play with so much in the buffer. Default: two segments.
    #[schemars(extend("x-max" = "1 h"))]
    pub startup: Option<Q<Span>>,
    /// After a stall it goes on with so much. Default: as `startup`.
    #[schemars(extend("x-max" = "1 h"))]
    pub resume: Option<Q<Span>>,
    /// The player asks for a segment when it fits into a buffer of so much. Default "240 s".
    #[schemars(extend("x-min" = "100 ms", "x-max" = "2 h"))]
    pub buffer: Option<Q<Span>>,
    /// How the player chooses the rate of the next segment: "buffer" by what is in the buffer (BBA-0 of Huang et al., SIGCOMM
    /// 2014), "rate" by the harmonic mean of the last throughputs. Default "buffer".
    #[schemars(extend("default" = "buffer", "x-decides" = "a player with choice"))]
    pub choice: Option<W<ChoiceWord>>,
    /// With so much in the buffer or less it takes the lowest rate. Default: 90/240 of `buffer`.
    #[schemars(extend("x-max" = "1 h", "x-only" = { "choice": ["buffer"] }))]
    pub reservoir: Option<Q<Span>>,
    /// From there to the highest rate. Default: 126/240 of `buffer`.
    #[schemars(extend("x-max" = "1 h", "x-only" = { "choice": ["buffer"] }))]
    pub cushion: Option<Q<Span>>,
    /// The harmonic mean is of so many segments. Default 5.
    #[schemars(range(min = 1, max = 1000), extend("x-only" = { "choice": ["rate"] }))]
    pub segments: Option<u32>,
    /// It takes the highest rate below this share of it. Default 0.9.
    #[schemars(range(min = 0.01, max = 10.0), extend("x-only" = { "choice": ["rate"] }))]
    pub safety: Option<f64>,
}

/// Requests and answers in turn, on one connection.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ answer = \"2 kB\" }"))]
pub struct Request {
    /// Bytes of a request. Default "400 B".
    pub size: Option<Sizes>,
    /// Bytes of an answer.
    pub answer: Sizes,
    /// How long the server takes. Default "0 s".
    pub wait: Option<Times>,
    /// How many requests a visit has. Default 1.
    pub count: Option<Counts>,
    /// For how long the user thinks between an answer and the next request of the visit. Default "0 s".
    pub think: Option<Times>,
}

/// TLS 1.3 on each connection: one round trip before the first request (RFC 8446).
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Tls {
    Switch(bool),
    Table(TlsTable),
}

/// The bytes of a TLS handshake.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ answer = \"4 kB\" }"))]
pub struct TlsTable {
    /// The user's first flight. Default "517 B".
    #[schemars(extend("x-min" = "1 B", "x-max" = "1 MB"))]
    pub hello: Option<Q<Bytes>>,
    /// The server's flight with its certificates. Default "4 kB".
    #[schemars(extend("x-min" = "1 B", "x-max" = "1 MB"))]
    pub answer: Option<Q<Bytes>>,
    /// How long the server reckons. Default "0 s".
    #[schemars(extend("x-max" = "1 min"))]
    pub wait: Option<Q<Span>>,
}
