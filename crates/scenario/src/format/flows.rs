// SPDX-License-Identifier: MIT OR Apache-2.0
//! The file format of flows and of TCP; see `format`.

use super::applications::{Arrivals, Page, Request, Sizes, Times, Tls, Video};
use super::calls::{Media, Period};
use super::links::AccessLink;
use crate::call::Profile;
use crate::text::{Off, Q, Unlimited};
use crate::words::{W, words};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tcp::{AfterIdle, AfterLostSyn, Preset, Recovery, Repair, Setup, Timeouts};
use units::{Bytes, Distance, Rate, Span};

/// Settings of TCP: a preset, and what differs from it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tcp {
    /// Whose TCP it is; the other keys take the place of its settings. One of a flow takes the place of the whole table
    /// `tcp` of the scenario. The defaults named below are those of "bentpipe-0.1". Default "bentpipe-0.1".
    pub preset: Option<W<Preset>>,
    /// Payload of a full segment. Default "1448 B".
    #[schemars(extend("x-min" = "64 B", "x-max" = "65000 B"))]
    pub mss: Option<Q<Bytes>>,
    /// Header of every packet. Default "52 B" (IP 20, TCP 20, timestamps 12).
    #[schemars(extend("x-max" = "500 B"))]
    pub header: Option<Q<Bytes>>,
    /// Initial window in segments. Default 10.
    #[schemars(range(min = 1, max = 100_000))]
    pub initial_window: Option<u32>,
    /// Most segments that one ACK counts in slow start, where the controller does not say (its own `growth_limit`).
    /// Default: the controller's, mostly 1 (RFC 5681, section 3.1).
    #[schemars(range(min = 1, max = 1_000_000_000))]
    pub growth_limit: Option<u32>,
    /// How losses are found: reno (RFC 5681), newreno (RFC 6582), sack (RFC 6675), rack (RFC 8985). Default "sack".
    pub recovery: Option<W<Recovery>>,
    /// Proportional rate reduction (RFC 9937). Default true with recovery "rack", else false.
    pub prr: Option<bool>,
    /// How much may leave while losses are repaired with SACK and without prr. "rfc6675": as much as the pipe leaves of the
    /// window, and what is lost is not in the pipe. "fall-floyd": it is until it is acknowledged, and its retransmission
    /// besides (K. Fall and S. Floyd, ACM CCR 26(3), 1996; ns-2's Sack1). "rate-halving": at most one segment per ACK, then
    /// slow start to the threshold (draft-mathis-tcp-ratehalving, 1999; Linux before PRR). Default "rfc6675".
    pub repair: Option<W<Repair>>,
    /// How the retransmission timeout is reckoned, and what follows one. "rfc6298": each acknowledgement is a sample, and what
    /// was SACKed is not sent again. "ns-2": one segment at a time is timed, in ticks of `clock` (V. Jacobson, SIGCOMM 1988,
    /// appendix A); all is sent again, and the threshold is half of the window each time.
    /// "ns-2-linux": as "rfc6298", but each timeout in a row lowers the threshold. Default "rfc6298".
    pub timeouts: Option<W<Timeouts>>,
    /// Limited transmit (RFC 3042). Default true.
    pub limited_transmit: Option<bool>,
    /// Undo reductions that prove spurious. Default true.
    pub undo: Option<bool>,
    /// F-RTO (RFC 5682), with SACK: what comes back after a timeout tells, too, whether the timeout was spurious. Default false.
    pub f_rto: Option<bool>,
    /// Timestamps (RFC 7323). Without them an episode proves spurious by DSACK or F-RTO alone, a repeated segment gives no
    /// sample of the RTT, and old duplicates are not rejected by their age; headers are 12 bytes shorter and segments 12 bytes
    /// longer unless `header` or `mss` say otherwise. Both ends must have them. Default true.
    pub timestamps: Option<bool>,
    /// Delayed acknowledgements; true is every 2 segments, at most 40 ms late; "linux" is what Linux 6.1 does: each segment
    /// while the window grows, then every second one, and SACKs held together for 1 ms. Default false.
    pub delayed_ack: Option<DelayedAck>,
    /// Explicit congestion notification: "classic" (RFC 3168), "dctcp" (its echo, RFC 8257), "accurate" (marks are counted,
    /// RFC 9768); "l4s" and "accurate-l4s" are the last two of packets that carry ECT(1) (RFC 9331); true is "classic". A
    /// queue must mark. Default false.
    pub ecn: Option<Ecn>,
    /// Lower bound of the retransmission timeout. Default "200 ms".
    #[schemars(extend("x-min" = "1 ms", "x-max" = "1 h"))]
    pub min_rto: Option<Q<Span>>,
    /// Upper bound of the retransmission timeout. Default "1 min".
    #[schemars(extend("x-min" = "1 ms", "x-max" = "1 h"))]
    pub max_rto: Option<Q<Span>>,
    /// Timeout before the first RTT sample. Default "1 s".
    #[schemars(extend("x-min" = "1 ms", "x-max" = "1 h"))]
    pub initial_rto: Option<Q<Span>>,
    /// Granularity G of RFC 6298, (2.3): RTTVAR counts for at least so much in the timeout, but not for more than `min_rto`.
    /// Default "200 ms", as Linux.
    #[schemars(extend("x-max" = "1 h"))]
    pub clock: Option<Q<Span>>,
    /// Duplicate ACKs that mean a loss. Default 3.
    #[schemars(range(min = 1, max = 1000))]
    pub dup_thresh: Option<u32>,
    /// The receiver's window: so much from the start, or a table for one that grows. Default "unlimited".
    pub receive_window: Option<ReceiveWindow>,
    /// How the connection begins; the side that sends data opens. "none": it exists when the flow starts. "handshake": SYN,
    /// SYN-ACK, ACK, then data (RFC 9293). "fast-open": the SYN carries the first data (RFC 7413). "ns-2": data answer the
    /// SYN-ACK, and there is no FIN (`Agent/TCP`). "ns-2-linux": the SYN is the first segment of the stream, and data leave with
    /// it (`Agent/TCP/Linux`). Default "none".
    pub setup: Option<W<Setup>>,
    /// Header of SYN and SYN-ACK. Default "60 B" (IP 20, TCP 20, MSS 4, SACK permitted and timestamps 12, window scale 4).
    #[schemars(extend("x-max" = "500 B"))]
    pub syn_header: Option<Q<Bytes>>,
    /// When the SYN's timer has expired. "rfc": an initial window of one segment (RFC 5681), data begin with a timeout of
    /// 3 s (RFC 6298). "linux": one segment after two expirations that were no mistake, the timeout as measured.
    /// Default "rfc".
    pub after_lost_syn: Option<W<AfterLostSyn>>,
    /// The last segment of a transfer, which carries FIN if the connection was set up, leaves when its turn comes,
    /// whatever the congestion window says (Linux). Default false.
    pub fin_beyond_window: Option<bool>,
    /// What becomes of the congestion window when it is not used. "rfc5681": after a pause longer than the timeout it is the initial
    /// window, or what it was if that is less (RFC 5681, section 4.1). "linux": it is halved for each timeout of the pause, down
    /// to the same, and falls towards what is used while the application sends less than it allows
    /// (`tcp_slow_start_after_idle`). "rfc7661": it is kept for five minutes, but does not grow unless half of it was carried of late or
    /// all of it is used, and a loss then halves what was used (RFC 7661). "keep": it stands. Controllers with a model of the path (BBR, Copa, Vivace) keep
    /// theirs. Default "keep".
    pub slow_start_after_idle: Option<W<AfterIdle>>,
    /// Segmentation offload, as on Linux: new data leave the host in bursts of about a millisecond of the pacing rate, of two
    /// segments at least, and wait shortly for the window to hold one (`tcp_tso_autosize`, `tcp_tso_should_defer`). Default
    /// false: each segment leaves as soon as it may.
    pub tso: Option<bool>,
    /// A loss of what was sent after the cut, a retransmission or not, cuts only when the recovery is over, if it is still
    /// missing then (Linux). Otherwise it cuts at once where RACK dates it (`recovery = "rack"`). Default false.
    pub one_cut_per_recovery: Option<bool>,
    /// A SACK of what was sent before the oldest outstanding segment last left restarts the retransmission timer (Linux).
    /// Otherwise only an acknowledgement that advances does. Default false.
    pub sack_restarts_timer: Option<bool>,
    /// RACK's timer expires this long after the segment that it waits for is overdue (Linux: 2 ms). Default "0 s".
    #[schemars(extend("x-max" = "1 s"))]
    pub reordering_timer_slack: Option<Q<Span>>,
    /// When new data leave, a tail loss probe comes no later than the timeout would that counts from when the oldest outstanding
    /// segment left (Linux). Otherwise after two smoothed round trips, or with the timeout (RFC 8985). Default false.
    pub tail_probe_by_oldest: Option<bool>,
    /// Once a segment came late by more than `dup_thresh` others, what is acknowledged selectively widens the window, too (Linux).
    /// Otherwise only acknowledgements that advance do (RFC 5681). Default false.
    pub growth_when_reordered: Option<bool>,
    /// Where sending is paced, a packet that leaves later than it might have shortens the wait after it, by half at most
    /// (Linux). Default false.
    pub pacing_credit: Option<bool>,
    /// What an earlier connection over this path left (Careful Resume, RFC 9959). Default: nothing.
    pub saved_path: Option<SavedPath>,
}

/// A path remembered from an earlier connection.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SavedPath {
    /// Bytes acknowledged in one round trip.
    #[schemars(extend("x-min" = "1 B"))]
    pub cwnd: Q<Bytes>,
    /// Smallest RTT.
    #[schemars(extend("x-min" = "1 us", "x-max" = "1 h"))]
    pub rtt: Q<Span>,
    /// How old this is. Default "0 s".
    pub age: Option<Q<Span>>,
}

/// Delayed acknowledgements.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum DelayedAck {
    Switch(bool),
    Word(W<LikeLinux>),
    Rule(AckRule),
}

/// Explicit congestion notification.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Ecn {
    Switch(bool),
    Echo(W<tcp::Ecn>),
}

/// When an acknowledgement may wait.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ every = 2, at_most = \"40 ms\" }"))]
pub struct AckRule {
    /// Acknowledge at least every so many segments.
    #[schemars(range(min = 1, max = 1000))]
    pub every: u32,
    /// Hold an acknowledgement back at most so long.
    #[schemars(extend("x-max" = "10 s"))]
    pub at_most: Q<Span>,
}

/// Rules of a kernel instead of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LikeLinux {
    Linux,
}

words! {
    /// Whose rules.
    LikeLinux { Linux = "linux" }
}

/// What the receiver can take.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum ReceiveWindow {
    Fixed(#[schemars(extend("x-min" = "1 B"))] Q<Unlimited<Bytes>>),
    Growing(GrowingWindow),
}

/// A window that grows as Linux's does: 64 kB at the start, two segments more for each that comes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GrowingWindow {
    /// Upper bound, half of the largest buffer. Default "3145728 B" (tcp_rmem of 6 MiB).
    #[schemars(extend("x-min" = "4 kB", "x-max" = "1 GB"))]
    pub at_most: Option<Q<Bytes>>,
    /// The buffer, 128 KiB at the start, grows with what arrives per round trip; else it is that large from the start.
    /// Default false.
    pub autotuned: Option<bool>,
}

/// Flows of one kind.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Flow {
    /// Name for tables. Default: the controller's name; the profile of a call; of others the kind.
    pub name: Option<String>,
    /// "tcp", "cbr" (constant-bit-rate UDP), "ping" (echoes) or "call" (audio, video or a game, both ways); or an application,
    /// whose users at `to` fetch from servers at `from` over many connections: "transfers", "web", "video", "requests".
    /// Default "tcp".
    #[schemars(extend("default" = "tcp", "x-decides" = "a flow of kind"))]
    pub kind: Option<Kind>,
    /// How many of them. Default 1.
    #[schemars(range(min = 1, max = 100_000))]
    pub count: Option<u32>,
    /// Site where the data comes from. Default: "left" of a dumbbell, the first of a chain, the "dish" of Starlink.
    pub from: Option<String>,
    /// Site where it goes. Default: "right" of a dumbbell, the last of a chain, the "server" of Starlink.
    pub to: Option<String>,
    /// When the first of them starts. Default "0 s".
    pub start: Option<Q<Span>>,
    /// The next one starts so much later. Default "0 s".
    pub stagger: Option<Q<Span>>,
    /// When they stop sending; of an application no visit begins after it. Default: at the end.
    pub stop: Option<Q<Span>>,
    /// TCP: bytes to send. Default: without end. Transfers: bytes of each, or the law by which they are drawn.
    #[schemars(extend("x-only" = { "kind": ["tcp", "transfers"] }))]
    pub size: Option<Sizes>,
    /// TCP: the application writes at a rate. Default: all its data is there from the start.
    #[schemars(extend("x-only" = { "kind": ["tcp"] }))]
    pub trickle: Option<Trickle>,
    /// CBR: rate on the wire, while it is on.
    #[schemars(extend("x-min" = "1 bit/s", "x-only" = { "kind": ["cbr"] }))]
    pub rate: Option<Q<Rate>>,
    /// CBR: it sends for so long, then it is silent for `off`, and so on; a time, or a law with a mean. Default: always on.
    #[schemars(extend("x-only" = { "kind": ["cbr"] }))]
    #[schemars(extend("x-needs" = [{
        "keys": ["off"], "why": "`on` needs `off`, the length of the periods between", "fix": "write off = \"1 s\"",
    }]))]
    pub on: Option<Period>,
    /// CBR: how long it is silent after each period of `on`.
    #[schemars(extend("x-only" = { "kind": ["cbr"] }))]
    #[schemars(extend("x-needs" = [{
        "keys": ["on"], "why": "`off` needs `on`, the length of the periods between", "fix": "write on = \"1 s\"",
    }]))]
    pub off: Option<Period>,
    /// CBR, ping: packet on the wire. Default "1000 B" (CBR), "84 B" (ping: 56 B of data, ICMP 8, IP 20, as on Linux).
    #[schemars(extend("x-min" = "1 B", "x-max" = "65535 B", "x-only" = { "kind": ["cbr", "ping"] }))]
    pub packet: Option<Q<Bytes>>,
    /// Ping: one leaves every so often. Default "10 ms".
    #[schemars(extend("x-min" = "1 us", "x-max" = "1 h", "x-only" = { "kind": ["ping"] }))]
    pub interval: Option<Q<Span>>,
    /// Call: "voice" (G.711), "video-call" (720p) or "game" (a shooter: `from` plays, `to` serves). Default "voice".
    #[schemars(extend("x-only" = { "kind": ["call"] }))]
    pub profile: Option<W<Profile>>,
    /// Call: a frame is played so long after the fastest one so far would have been there; what is not whole by then is
    /// late. Default: the profile's.
    #[schemars(extend("x-max" = "10 s", "x-only" = { "kind": ["call"] }))]
    pub playout: Option<Q<Span>>,
    /// Call: what goes from `from` to `to`. Default: the profile's.
    #[schemars(extend("x-only" = { "kind": ["call"] }))]
    pub there: Option<Media>,
    /// Call: what comes back. Default: the profile's.
    #[schemars(extend("x-only" = { "kind": ["call"] }))]
    pub back: Option<Media>,
    /// TCP and applications: the controller's name, or a table of its name and parameters.
    #[schemars(extend("x-only" = { "kind": ["tcp", "transfers", "web", "video", "requests"] }))]
    pub controller: Option<Controller>,
    /// Link of each host to its site, one of its own per flow and end. Default: none.
    pub access: Option<AccessLink>,
    /// Its packets, of both directions, go before all others where they wait in a queue of discipline "priority". Default
    /// false.
    pub urgent: Option<bool>,
    /// TCP and applications: great-circle distance between the ends, for controllers that go by it. Default: that of the sites of a
    /// constellation; not known in plain shapes.
    #[schemars(extend("x-min" = "0 km", "x-max" = "20038 km",
        "x-only" = { "kind": ["tcp", "transfers", "web", "video", "requests"] }))]
    pub distance: Option<Q<Distance>>,
    /// TCP and applications: settings of these flows. Connections of applications begin with a handshake.
    #[schemars(extend("x-only" = { "kind": ["tcp", "transfers", "web", "video", "requests"] }))]
    pub tcp: Option<Tcp>,
    /// Applications: so many users, each of whom has one visit at a time and thinks before the next.
    #[schemars(range(min = 1, max = 1_000_000), extend("x-only" = { "kind": ["transfers", "web", "video", "requests"] }))]
    pub users: Option<u32>,
    /// For how long a user thinks. Default: exponential with a mean of 30 s, which is ours.
    #[schemars(extend("x-only" = { "kind": ["transfers", "web", "video", "requests"] }))]
    #[schemars(extend("x-needs" = [{
        "keys": ["users"], "why": "only users think", "fix": "write users = 40, or remove it",
    }]))]
    pub think: Option<Times>,
    /// Applications: instead of `users`, visits that begin come what may.
    #[schemars(extend("x-only" = { "kind": ["transfers", "web", "video", "requests"] }))]
    #[schemars(extend("x-excludes" = [{
        "keys": ["users"],
        "why": "`users` and `arrivals` contradict each other: users begin a visit when they have \
                thought, whatever comes of the one before decides",
    }]))]
    pub arrivals: Option<Arrivals>,
    /// Applications: instead of a rate of `arrivals` so many that, in the mean, they ask for this share of the smallest link rate
    /// on the way, headers of full segments counted; each of `count` and each of a matrix for this share of its own. Where all
    /// that share a link ask for more than 1 the backlog grows for ever.
    #[schemars(range(min = 1e-6, max = 100.0), extend("x-only" = { "kind": ["transfers", "web", "video", "requests"] }))]
    #[schemars(extend("x-excludes" = [{
        "keys": ["users"],
        "why": "`users` and `load` contradict each other: users begin a visit when they have thought, \
                whatever comes of the one before decides",
    }]))]
    pub load: Option<f64>,
    /// Web: the page, by its name or as a table. Default "median-2024".
    #[schemars(extend("x-only" = { "kind": ["web"] }))]
    pub page: Option<Page>,
    /// Video: the film and its player. Default: all defaults of the table.
    #[schemars(extend("x-only" = { "kind": ["video"] }))]
    pub video: Option<Video>,
    /// Requests: what is asked and answered.
    #[schemars(extend("x-only" = { "kind": ["requests"] }))]
    pub request: Option<Request>,
    /// Applications: TLS 1.3 on each connection, one round trip before the first request. Default false.
    #[schemars(extend("x-only" = { "kind": ["transfers", "web", "video", "requests"] }))]
    pub tls: Option<Tls>,
}

/// Performance-enhancing proxies (RFC 3135) at one site or two: a TCP connection that passes ends there and a new one
/// begins, each with acknowledgements, retransmissions and a controller of its own. A proxy answers a SYN at once, and calls on.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pep {
    /// The site, or the two at the ends of a hop: `["left", "right"]`. At an end of a flow it splits only a flow with access
    /// links. Over satellites it stands there, or at the "gateway": of a flow between a dish and a site on fibre the one that
    /// serves at the time.
    pub at: Vec<String>,
    /// What a proxy holds of a flow at most: it came in and is not acknowledged by the next connection's receiver.
    #[schemars(extend("x-min" = "64 B", "x-max" = "4 GB"))]
    pub buffer: Q<Bytes>,
    /// Controller of the connection that begins at the first proxy on a flow's way: of two, the one between them. Default: the
    /// flow's.
    pub controller: Option<Controller>,
    /// TCP of the proxies, for what they send and for what they receive: a preset that is named here takes the place of all the
    /// flow's settings, else what is not said is the flow's. `receive_window` is what a proxy tells at most, by default what is
    /// free of its buffer; a connection's segments are the smaller of both ends' `mss`. Default: the flow's.
    pub tcp: Option<Tcp>,
    /// Names of the flows that are split; `*` stands for anything. Default: all TCP flows that pass.
    pub flows: Option<Vec<String>>,
    /// When the proxies lose their state, in order: the connections through them end, and what they hold is lost.
    pub resets: Option<Vec<Q<Span>>>,
    /// How long an application waits whose connection a proxy broke, once its host was told, before it tries again: that of a
    /// transfer asks the receiver what has come and sends the rest, users of others ask again for what is not whole. "off": it
    /// gives up, which users do not. Default "1 s" (curl waits as long before its first `--retry`).
    #[schemars(extend("x-min" = "0 s", "x-max" = "10 min"))]
    pub retry: Option<Q<Off<Span>>>,
    /// What happens to a proxy at the "gateway" when the path hands over to another one: the one there knows nothing of the
    /// connections and they end ("reset"), or its state is moved ("move"). Default "reset".
    #[schemars(extend("default" = "reset", "x-decides" = "on_handover"))]
    pub on_handover: Option<W<AtHandover>>,
    /// With "move": for so long after a handover no proxy is there, and what comes to it is lost.
    #[schemars(extend("x-min" = "0 s", "x-max" = "1 min", "x-only" = { "on_handover": ["move"] }))]
    pub move_time: Option<Q<Span>>,
}

/// What happens to a proxy at a gateway when the path hands over to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtHandover {
    /// The proxy at the other gateway knows nothing of the connections.
    Reset,
    /// The state is moved there.
    Move,
}

words! {
    /// What happens to a proxy at a gateway when the path hands over to another.
    AtHandover { Reset = "reset", Move = "move" }
}

/// Flows between many sites. Besides the keys here it takes those of a flow, for each of them, but for `from` and `to`;
/// flows are named after their ends, with `name` in front if there is one.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
pub struct Traffic {
    /// Who sends to whom: "pairs" (those of `pairs`), "permutation" (the sites are paired off by chance, both send to
    /// each other), "gravity" (so many `flows`, drawn by the product of the populations), "file".
    #[schemars(extend("x-decides" = "the matrix"))]
    pub matrix: W<Matrix>,
    /// The pairs, from and to: `[["Wuhan", "Madrid"], ["Tehran", "Madrid"]]`.
    #[schemars(extend("x-only" = { "matrix": ["pairs"] }))]
    pub pairs: Option<Vec<Vec<String>>>,
    /// The sites of a permutation or of gravity.
    #[schemars(extend("x-only" = { "matrix": ["permutation", "gravity"] }))]
    pub sites: Option<Vec<String>>,
    /// Instead of `sites`: so many of the largest cities of the list.
    #[schemars(range(min = 2, max = 1000), extend("x-only" = { "matrix": ["permutation", "gravity"] }))]
    #[schemars(extend("x-excludes" = [{ "keys": ["sites"] }]))]
    pub top: Option<u32>,
    /// Gravity: how many flows are drawn.
    #[schemars(range(min = 1, max = 100_000), extend("x-only" = { "matrix": ["gravity"] }))]
    pub flows: Option<u32>,
    /// File, relative to the scenario's: CSV with the columns from, to, and if wanted count, start, size. A size is a quantity; of
    /// transfers also a measured law ("web-search") or the table of a law, with single quotes: "{ law = 'exponential', mean = '10 kB' }".
    #[schemars(extend("x-only" = { "matrix": ["file"] }))]
    pub file: Option<String>,
    /// Of the draw; the run's own seed does not change who sends to whom. Default 1.
    #[schemars(range(min = 0), extend("x-only" = { "matrix": ["permutation", "gravity"] }))]
    pub seed: Option<i64>,
    /// What the flows are.
    #[serde(flatten)]
    pub flow: Flow,
}

/// Who sends to whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matrix {
    Pairs,
    Permutation,
    Gravity,
    File,
}

words! {
    /// Who sends to whom.
    Matrix { Pairs = "pairs", Permutation = "permutation", Gravity = "gravity", File = "file" }
}

/// An application that writes at a rate, for a while or always; what comes before and after is there at once.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Trickle {
    /// Rate at which it writes: a segment may leave when all of it is written.
    #[schemars(extend("x-min" = "1 bit/s"))]
    pub rate: Q<Rate>,
    /// Time from the start of the flow until the application writes at `rate`; before that it writes as much as TCP sends. Default "0 s".
    #[schemars(extend("x-max" = "30 d"))]
    pub begins: Option<Q<Span>>,
    /// Time from then until all the rest is there. Default: never, the application writes on.
    #[schemars(extend("x-max" = "30 d"))]
    pub lasts: Option<Q<Span>>,
}

/// What a flow is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Tcp,
    Cbr,
    Ping,
    Transfers,
    Web,
    Video,
    Requests,
    Call,
}

/// A controller.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Controller {
    Name(String),
    Table(ControllerTable),
}

/// A controller and its parameters.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("x-write" = "{ name = \"cubic\", beta = 0.7 }"))]
pub struct ControllerTable {
    /// Name in the catalogue.
    pub name: String,
    /// Parameters that differ from the catalogue's: numbers, words, switches.
    #[serde(flatten)]
    #[schemars(with = "BTreeMap<String, Parameter>")]
    pub parameters: toml::map::Map<String, toml::Value>,
}

/// A parameter's value, for the schema alone.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "stands for a type in the schema")]
enum Parameter {
    Number(f64),
    Text(String),
    Flag(bool),
}
