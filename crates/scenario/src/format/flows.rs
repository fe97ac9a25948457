// SPDX-License-Identifier: MIT OR Apache-2.0
//! The file format of flows and of TCP; see `format`.

use super::applications::{Arrivals, Page, Request, Sizes, Times, Tls, Video};
use super::calls::{Media, Period};
use super::links::AccessLink;
use crate::call::Profile;
use crate::quic::{ControllerSource, Keys, TransportProtocol};
use crate::text::{Fraction, Off, Q, Unlimited};
use crate::words::{W, words};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tcp::{AfterIdle, AfterLostSyn, Preset, Recovery, Repair, Setup, Timeouts};
use units::{Bytes, Distance, Rate, Span};

/// Settings of TCP: a preset, and differences from it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tcp {
    /// The TCP implementation whose settings are the defaults of the other keys. A preset in a flow replaces the
    /// scenario's whole table `tcp`. The defaults named below are those of "bentpipe-0.1". Default "bentpipe-0.1".
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
    /// Most segments that one ACK counts for in slow start, if the controller's own `growth_limit` is not set. Default:
    /// the controller's, mostly 1 (RFC 5681, section 3.1).
    #[schemars(range(min = 1, max = 1_000_000_000))]
    pub growth_limit: Option<u32>,
    /// How losses are detected: "reno" (RFC 5681), "newreno" (RFC 6582), "sack" (RFC 6675) or "rack" (RFC 8985).
    /// Default "sack".
    pub recovery: Option<W<Recovery>>,
    /// Proportional rate reduction (RFC 9937). Default true with recovery "rack", else false.
    pub prr: Option<bool>,
    /// How much may be sent while losses are repaired with SACK and without prr. "rfc6675": the window minus the pipe,
    /// which leaves out lost segments. "fall-floyd": a lost segment stays in the pipe until it is acknowledged, in
    /// addition to its retransmission (K. Fall and S. Floyd, ACM CCR 26(3), 1996; ns-2's Sack1). "rate-halving": at
    /// most one segment per ACK, then slow start to the threshold (draft-mathis-tcp-ratehalving, 1999; Linux before
    /// PRR). Default "rfc6675".
    pub repair: Option<W<Repair>>,
    /// How the retransmission timeout is computed, and what follows a timeout. "rfc6298": each acknowledgement is a
    /// sample; SACKed segments are not sent again. "ns-2": one segment at a time is timed, in ticks of `clock` (V.
    /// Jacobson, SIGCOMM 1988, appendix A); all segments are sent again, and each timeout sets the threshold to half of
    /// the window. "ns-2-linux": as "rfc6298", but each of several timeouts in a row lowers the threshold. Default
    /// "rfc6298".
    pub timeouts: Option<W<Timeouts>>,
    /// Limited transmit (RFC 3042). Default true.
    pub limited_transmit: Option<bool>,
    /// Whether reductions of the window are undone if they turn out to be spurious. Default true.
    pub undo: Option<bool>,
    /// F-RTO (RFC 5682), with SACK: ACKs after a timeout also show whether the timeout was spurious. Default false.
    pub f_rto: Option<bool>,
    /// Timestamps (RFC 7323); both ends must use them. Without timestamps only DSACK or F-RTO can show that an episode
    /// was spurious, a retransmitted segment gives no RTT sample, and old duplicates are not rejected by age. Headers
    /// are then 12 bytes shorter and segments 12 bytes longer, unless `header` or `mss` is set. Default true.
    pub timestamps: Option<bool>,
    /// Delayed acknowledgements. true: every 2 segments, at most 40 ms late. "linux", as Linux 6.1: every segment while
    /// the window grows, then every second one; SACKs are held together for 1 ms. Default false.
    pub delayed_ack: Option<DelayedAck>,
    /// Explicit congestion notification: "classic" (RFC 3168), "dctcp" (echo of RFC 8257) or "accurate" (marks are
    /// counted, RFC 9768); "l4s" and "accurate-l4s" are the last two with packets that carry ECT(1) (RFC 9331). true
    /// means "classic". ECN has an effect only if a queue on the path marks. Default false.
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
    /// Granularity G of RFC 6298, (2.3): lower bound of RTTVAR's term in the timeout, itself at most `min_rto`. Default
    /// "200 ms", as Linux.
    #[schemars(extend("x-max" = "1 h"))]
    pub clock: Option<Q<Span>>,
    /// Number of duplicate ACKs that indicate a loss. Default 3.
    #[schemars(range(min = 1, max = 1000))]
    pub dup_thresh: Option<u32>,
    /// The receiver's window: its size from the start, or a table for a window that grows. Default "unlimited".
    pub receive_window: Option<ReceiveWindow>,
    /// How the connection begins; the side that sends data opens it. "none": the connection exists when the flow
    /// starts. "handshake": SYN, SYN-ACK, ACK, then data (RFC 9293). "fast-open": the SYN carries the first data (RFC
    /// 7413). "ns-2": data answer the SYN-ACK, and FIN is not used (`Agent/TCP`). "ns-2-linux": the SYN is the first
    /// segment of the stream, and data leave with it (`Agent/TCP/Linux`). Default "none".
    pub setup: Option<W<Setup>>,
    /// Header of SYN and SYN-ACK. Default "60 B" (IP 20, TCP 20, MSS 4, SACK permitted and timestamps 12, window scale 4).
    #[schemars(extend("x-max" = "500 B"))]
    pub syn_header: Option<Q<Bytes>>,
    /// What follows when the SYN's timer has expired. "rfc": an initial window of one segment (RFC 5681), and data
    /// start with a timeout of 3 s (RFC 6298). "linux": one segment after two expirations that were not spurious, and
    /// the measured timeout. Default "rfc".
    pub after_lost_syn: Option<W<AfterLostSyn>>,
    /// The last segment of a transfer (with FIN, if the connection was set up) leaves in its turn, even if it exceeds
    /// the congestion window (Linux). Default false.
    pub fin_beyond_window: Option<bool>,
    /// How the congestion window changes while it is not used. "rfc5681": after a pause longer than the timeout it is
    /// the initial window, or its old value if smaller (RFC 5681, section 4.1). "linux": it is halved for each timeout
    /// of the pause, down to that value; while the application sends less than the window allows, it falls towards what
    /// is used (`tcp_slow_start_after_idle`). "rfc7661": it is kept for five minutes. It grows only if half of it was
    /// acknowledged recently or all of it is used; a loss then halves what was used (RFC 7661). "keep": it stays.
    /// Controllers with a model of the path (BBR, Copa, Vivace) keep theirs. Default "keep".
    pub slow_start_after_idle: Option<W<AfterIdle>>,
    /// Segmentation offload, as on Linux. New data leave in bursts of at least two segments. A burst holds the data of
    /// about one millisecond at the pacing rate (`tcp_tso_autosize`). If an ACK that is expected within one millisecond
    /// would allow a larger burst, the sender waits for this ACK (`tcp_tso_should_defer`). Default false: each segment
    /// leaves as soon as it may.
    pub tso: Option<bool>,
    /// Whether a lost segment that was sent after a cut, retransmitted or not, causes the next cut only after the end
    /// of the recovery, and only if it is still missing (Linux). Otherwise RACK's sending times decide when the next
    /// cut follows (`recovery = "rack"`). Default false.
    pub one_cut_per_recovery: Option<bool>,
    /// A SACK for a segment that was sent before the last transmission of the oldest outstanding segment restarts the
    /// retransmission timer (Linux). Otherwise only an acknowledgement that advances restarts it. Default false.
    pub sack_restarts_timer: Option<bool>,
    /// RACK's timer expires this long after the segment that it waits for is overdue (Linux: 2 ms). Default "0 s".
    #[schemars(extend("x-max" = "1 s"))]
    pub reordering_timer_slack: Option<Q<Span>>,
    /// When new data leave, a tail loss probe is due no later than a timeout counted from the transmission of the
    /// oldest outstanding segment (Linux). Otherwise it is due after two smoothed round trips, or with the timeout (RFC
    /// 8985). Default false.
    pub tail_probe_by_oldest: Option<bool>,
    /// After a segment came late by more than `dup_thresh` others, selective acknowledgements widen the window, too
    /// (Linux). Otherwise only acknowledgements that advance widen it (RFC 5681). Default false.
    pub growth_when_reordered: Option<bool>,
    /// With pacing, a packet that leaves late shortens the wait after it, by half at most (Linux). Default false.
    pub pacing_credit: Option<bool>,
    /// State saved by an earlier connection over this path (Careful Resume, RFC 9959). Default: none.
    pub saved_path: Option<SavedPath>,
}

/// Settings of QUIC.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Quic {
    /// Source of the controllers' code: "bentpipe" (every controller of the catalogue that a QUIC library can run) or
    /// "library" (the QUIC library's own "reno" and "cubic"; runs with the library's "bbr3" would not be reproducible).
    /// Default "bentpipe".
    pub controllers: Option<W<ControllerSource>>,
    /// Largest UDP payload at the start. Default "1200 B" (RFC 9000, section 14.1).
    #[schemars(extend("x-min" = "1200 B", "x-max" = "65000 B"))]
    pub datagram: Option<Q<Bytes>>,
    /// Largest UDP payload that path MTU discovery tries; with the value of `datagram` it tries none. Default "1452 B".
    #[schemars(extend("x-min" = "1200 B", "x-max" = "65000 B"))]
    pub largest_datagram: Option<Q<Bytes>>,
    /// Initial window in datagrams. Default 10 (RFC 9002, section 7.2).
    #[schemars(range(min = 1, max = 100_000))]
    pub initial_window: Option<u32>,
    /// The receiver acknowledges every N packets, or after the given delay (ACK frequency extension). Default: every
    /// second packet, at most 25 ms late (RFC 9000).
    pub ack_frequency: Option<AckRule>,
    /// Round-trip time that is assumed before the first sample; if it is smaller than the real one, the handshake is
    /// repeated. Default "333 ms" (RFC 9002, section 6.2.2).
    #[schemars(extend("x-min" = "1 ms", "x-max" = "1 min"))]
    pub initial_rtt: Option<Q<Span>>,
    /// Flow control of the connection: most bytes that the receiver accepts beyond those that its application has read.
    /// Default "unlimited".
    #[schemars(extend("x-min" = "1 B"))]
    pub receive_window: Option<Q<Unlimited<Bytes>>>,
    /// Flow control of each stream. Default "unlimited".
    #[schemars(extend("x-min" = "1 B"))]
    pub stream_window: Option<Q<Unlimited<Bytes>>>,
    /// Most bytes that the sender stores until they are acknowledged. Default "unlimited".
    #[schemars(extend("x-min" = "1 B"))]
    pub send_window: Option<Q<Unlimited<Bytes>>>,
    /// Bytes of each stream: a transfer is sent over several streams, one after the other. A library closes a
    /// connection if a stream has too many gaps (noq: 1,024), which one long stream has after a large overshoot.
    /// "unlimited": all data are in one stream. Default "1 MB".
    #[schemars(extend("x-min" = "1 kB"))]
    pub stream_size: Option<Q<Unlimited<Bytes>>>,
    /// Whether packets carry ECT(0), as the library sends them: a queue that marks then marks them instead of dropping
    /// them. false: the field is cleared. Default true.
    pub ecn: Option<bool>,
    /// The first data leave with the first packet (0-RTT): the side that opens a connection has a session ticket of an
    /// earlier connection. In an application, every user has such a ticket for each connection. Default false.
    pub zero_rtt: Option<bool>,
    /// Whether packets of a controller without a pacing rate are spaced over a round trip, as the library does. Default
    /// true.
    pub pacing: Option<bool>,
    /// "real": TLS 1.3 encrypts all packets. "null": the handshake is real, and later packets are not encrypted; times
    /// and sizes of all packets are the same, and the run is faster. Default "real".
    pub keys: Option<W<Keys>>,
    /// State saved by an earlier connection over this path (Careful Resume, RFC 9959). Default: none.
    pub saved_path: Option<SavedPath>,
}

/// State of a path, saved by an earlier connection.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SavedPath {
    /// Bytes acknowledged in one round trip.
    #[schemars(extend("x-min" = "1 B"))]
    pub cwnd: Q<Bytes>,
    /// Smallest RTT.
    #[schemars(extend("x-min" = "1 us", "x-max" = "1 h"))]
    pub rtt: Q<Span>,
    /// Age of this state. Default "0 s".
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

/// When the receiver may delay an acknowledgement.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("x-write" = "{ every = 2, at_most = \"40 ms\" }"))]
pub struct AckRule {
    /// Most segments without an acknowledgement.
    #[schemars(range(min = 1, max = 1000))]
    pub every: u32,
    /// Longest delay of an acknowledgement.
    #[schemars(extend("x-max" = "10 s"))]
    pub at_most: Q<Span>,
}

/// The rules of a kernel instead of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LikeLinux {
    Linux,
}

words! {
    /// The kernel.
    LikeLinux { Linux = "linux" }
}

/// The window that the receiver announces.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum ReceiveWindow {
    Fixed(#[schemars(extend("x-min" = "1 B"))] Q<Unlimited<Bytes>>),
    Growing(GrowingWindow),
}

/// A window that grows as in Linux: 64 kB at the start, two segments more for each segment that arrives.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GrowingWindow {
    /// Upper bound, half of the largest buffer. Default "3145728 B" (tcp_rmem of 6 MiB).
    #[schemars(extend("x-min" = "4 kB", "x-max" = "1 GB"))]
    pub at_most: Option<Q<Bytes>>,
    /// The buffer starts with 128 KiB and grows with the data that arrive in a round trip; otherwise it has its largest
    /// size from the start. Default false.
    pub autotuned: Option<bool>,
}

/// Flows with the same settings.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Flow {
    /// Name for tables. Default: the controller's name; for a call its profile; for other flows the kind.
    pub name: Option<String>,
    /// "tcp" (one connection, of TCP or of QUIC: `transport`), "cbr" (constant-bit-rate UDP), "ping" (echoes) or "call" (audio, video or a game, both ways); or an
    /// application, whose users at `to` fetch from servers at `from` over many connections: "transfers", "web", "video"
    /// or "requests". Default "tcp".
    #[schemars(extend("default" = "tcp", "x-decides" = "a flow of kind"))]
    pub kind: Option<Kind>,
    /// Protocol of a flow of kind "tcp" or of an application: "tcp", or "quic" for connections of a real QUIC library. An
    /// application then opens one connection where it would open connections of TCP, and each request and its answer are
    /// a stream (not HTTP/3). Default "tcp".
    #[schemars(extend("default" = "tcp", "x-decides" = "a flow over",
        "x-only" = { "kind": ["tcp", "transfers", "web", "video", "requests"] }))]
    pub transport: Option<W<TransportProtocol>>,
    /// Number of flows. Default 1.
    #[schemars(range(min = 1, max = 100_000))]
    pub count: Option<u32>,
    /// Site where the data comes from. With `*`, which matches anything, in `from` or `to` there is a flow for each
    /// pair of sites that match, called "NAME 1", "NAME 2" and so on; in a constellation, only the sites in `sites`
    /// match. In every network preset, the ends also have the names "terminal" and "server". Default: "server" of a
    /// preset and with Starlink, "left" in a dumbbell, the first of a chain.
    pub from: Option<String>,
    /// Site where the data goes. Default: the preset's "terminal", "dish" with Starlink, "right" in a dumbbell, the last
    /// of a chain.
    pub to: Option<String>,
    /// Start of the first flow. Default "0 s".
    pub start: Option<Q<Span>>,
    /// Time between the starts of two successive flows of the table, including flows that `*` in an end creates.
    /// Default "0 s".
    pub stagger: Option<Q<Span>>,
    /// Time after which the flows send nothing; an application begins no visit after it. Default: the end of the run.
    pub stop: Option<Q<Span>>,
    /// TCP: bytes to send; default: without end. Transfers: bytes of each, or the law from which they are drawn.
    #[schemars(extend("x-only" = { "kind": ["tcp", "transfers"] }))]
    pub size: Option<Sizes>,
    /// TCP: the application writes at a rate. Default: all data are there from the start.
    #[schemars(extend("x-only" = { "kind": ["tcp"], "transport": ["tcp"] }))]
    pub trickle: Option<Trickle>,
    /// CBR: rate on the wire during on periods.
    #[schemars(extend("x-min" = "1 bit/s", "x-only" = { "kind": ["cbr"] }))]
    pub rate: Option<Q<Rate>>,
    /// CBR: length of on periods, in which the flow sends, a time or a law with a mean. Default: always on.
    #[schemars(extend("x-only" = { "kind": ["cbr"] }))]
    #[schemars(extend("x-needs" = [{
        "keys": ["off"], "why": "`on` needs `off`, the length of the periods in between", "fix": "write off = \"1 s\"",
    }]))]
    pub on: Option<Period>,
    /// CBR: length of off periods, in which the flow sends nothing.
    #[schemars(extend("x-only" = { "kind": ["cbr"] }))]
    #[schemars(extend("x-needs" = [{
        "keys": ["on"], "why": "`off` needs `on`, the length of the periods in between", "fix": "write on = \"1 s\"",
    }]))]
    pub off: Option<Period>,
    /// CBR, ping: packet size on the wire. Default "1000 B" (CBR), "84 B" (ping: 56 B of data, ICMP 8, IP 20, as on
    /// Linux).
    #[schemars(extend("x-min" = "1 B", "x-max" = "65535 B", "x-only" = { "kind": ["cbr", "ping"] }))]
    pub packet: Option<Q<Bytes>>,
    /// Ping: interval between packets. Default "10 ms".
    #[schemars(extend("x-min" = "1 us", "x-max" = "1 h", "x-only" = { "kind": ["ping"] }))]
    pub interval: Option<Q<Span>>,
    /// Call: "voice" (G.711), "video-call" (720p) or "game" (a shooter: `from` plays, `to` serves). Default "voice".
    #[schemars(extend("x-only" = { "kind": ["call"] }))]
    pub profile: Option<W<Profile>>,
    /// Call: playout delay of a frame, after the moment at which the fastest frame so far would have arrived. A frame
    /// that is incomplete by then is late. Default: the profile's.
    #[schemars(extend("x-max" = "10 s", "x-only" = { "kind": ["call"] }))]
    pub playout: Option<Q<Span>>,
    /// Call: frames from `from` to `to`. Default: the profile's.
    #[schemars(extend("x-only" = { "kind": ["call"] }))]
    pub there: Option<Media>,
    /// Call: frames from `to` to `from`. Default: the profile's.
    #[schemars(extend("x-only" = { "kind": ["call"] }))]
    pub back: Option<Media>,
    /// TCP and applications: the controller's name, or a table with name and parameters.
    #[schemars(extend("x-only" = { "kind": ["tcp", "transfers", "web", "video", "requests"] }))]
    pub controller: Option<Controller>,
    /// Link of each host to its site, one for each flow and end. Default: none.
    pub access: Option<AccessLink>,
    /// Packets of these flows, in both directions, go first in queues of discipline "priority". Default false.
    pub urgent: Option<bool>,
    /// TCP and applications: great-circle distance between the ends, for controllers that use it. Default: the distance
    /// of the sites in a constellation; unknown in plain shapes.
    #[schemars(extend("x-min" = "0 km", "x-max" = "20038 km",
        "x-only" = { "kind": ["tcp", "transfers", "web", "video", "requests"] }))]
    pub distance: Option<Q<Distance>>,
    /// TCP and applications: settings of these flows. Connections of applications begin with a handshake.
    #[schemars(extend("x-only" = { "kind": ["tcp", "transfers", "web", "video", "requests"], "transport": ["tcp"] }))]
    pub tcp: Option<Tcp>,
    /// QUIC: settings of these flows.
    #[schemars(extend("x-only" = { "transport": ["quic"] }))]
    pub quic: Option<Quic>,
    /// Applications: number of users (closed loop). Each has one visit at a time and thinks before the next.
    #[schemars(range(min = 1, max = 1_000_000), extend("x-only" = { "kind": ["transfers", "web", "video", "requests"] }))]
    pub users: Option<u32>,
    /// Think time of a user. Default: exponential with a mean of 30 s (our choice).
    #[schemars(extend("x-only" = { "kind": ["transfers", "web", "video", "requests"] }))]
    #[schemars(extend("x-needs" = [{
        "keys": ["users"], "why": "`think` has no effect without `users`", "fix": "write users = 40, or remove it",
    }]))]
    pub think: Option<Times>,
    /// Applications: when visits begin, instead of `users` (open loop).
    #[schemars(extend("x-only" = { "kind": ["transfers", "web", "video", "requests"] }))]
    #[schemars(extend("x-excludes" = [{
        "keys": ["users"],
        "why": "`users` and `arrivals` contradict each other: users begin a visit after a think time, but arrivals \
        begin whether or not earlier visits are over",
    }]))]
    pub arrivals: Option<Arrivals>,
    /// Applications: load, instead of a rate in `arrivals`. Visits begin at the rate at which their mean traffic, with
    /// the headers of full segments, is this fraction of the smallest link rate on the path. Each of `count` flows and
    /// each flow of a matrix has this load. If the loads on a link add up to more than 1, the backlog grows without
    /// bound.
    #[schemars(range(min = 1e-6, max = 100.0), extend("x-only" = { "kind": ["transfers", "web", "video", "requests"] }))]
    #[schemars(extend("x-excludes" = [{
        "keys": ["users"],
        "why": "`users` and `load` contradict each other: users begin a visit after a think time, but `load` sets a \
        rate of arrivals whether or not earlier visits are over",
    }]))]
    pub load: Option<Fraction>,
    /// Web: the page, by name or as a table. Default "median-2024".
    #[schemars(extend("x-only" = { "kind": ["web"] }))]
    pub page: Option<Page>,
    /// Video: the video and its player. Default: all defaults of the table.
    #[schemars(extend("x-only" = { "kind": ["video"] }))]
    pub video: Option<Video>,
    /// Requests: requests and answers.
    #[schemars(extend("x-only" = { "kind": ["requests"] }))]
    pub request: Option<Request>,
    /// Applications over TCP: TLS 1.3 on each connection, one round trip before the first request. QUIC always has its
    /// own. Default false.
    #[schemars(extend("x-only" = { "kind": ["transfers", "web", "video", "requests"], "transport": ["tcp"] }))]
    pub tls: Option<Tls>,
}

/// Performance-enhancing proxies (RFC 3135) at one site or at two. A TCP connection ends at a proxy and a new one
/// begins there; each has its own acknowledgements, retransmissions and controller. A proxy answers a SYN at once, then
/// opens the next connection.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pep {
    /// The site, or the two at the ends of a hop: `["left", "right"]`. `*` matches anything, as in `from` of flows:
    /// `["user *"]` is a proxy at each user's site. A flow passes one or two of the sites. At an end of a flow a proxy
    /// splits only flows with access links. Over satellites the place is a site, or "gateway": for a flow between a dish
    /// and a site on fibre, the gateway that serves at the time.
    pub at: Vec<String>,
    /// Largest buffer for a connection in a proxy: bytes that arrived and that the next connection's receiver has not
    /// acknowledged. A TCP flow is one connection; the connections of an application have a buffer each, without a
    /// limit on their total.
    #[schemars(extend("x-min" = "64 B", "x-max" = "4 GB"))]
    pub buffer: Q<Bytes>,
    /// Controller of the connection that begins at the first proxy on a flow's path; with two proxies that is the
    /// connection between them. Default: the flow's.
    pub controller: Option<Controller>,
    /// TCP settings of the proxies, for sending and receiving. If `preset` is set here, no setting of the flow applies.
    /// Otherwise keys that are not set here have the flow's values. `receive_window` is the largest window that a proxy
    /// announces, by default the free part of its buffer. A connection uses the smaller `mss` of its two ends. Default:
    /// the flow's.
    pub tcp: Option<Tcp>,
    /// Names of the flows that are split; `*` matches anything. Default: all TCP flows on these paths.
    pub flows: Option<Vec<String>>,
    /// Times at which the proxies lose their state, in order: the connections through them end, and data in them are
    /// lost.
    pub resets: Option<Vec<Q<Span>>>,
    /// Time between the reset of a connection by a proxy (as its host learns of it) and the application's next attempt.
    /// A transfer asks the receiver what has arrived and sends the rest; users of other applications request again what
    /// is incomplete. "off": a transfer gives up, users still retry. Default "1 s" (curl waits as long before its first
    /// `--retry`).
    #[schemars(extend("x-min" = "0 s", "x-max" = "10 min"))]
    pub retry: Option<Q<Off<Span>>>,
    /// What happens to a proxy at the "gateway" at a handover to another gateway. "reset": the new proxy has no state
    /// of the connections, so they end. "move": the state moves to it. Default "reset".
    #[schemars(extend("default" = "reset", "x-decides" = "on_handover"))]
    pub on_handover: Option<W<AtHandover>>,
    /// With "move": for this long after a handover the proxy is absent, and packets to it are lost.
    #[schemars(extend("x-min" = "0 s", "x-max" = "1 min", "x-only" = { "on_handover": ["move"] }))]
    pub move_time: Option<Q<Span>>,
}

/// What happens to a proxy at a gateway at a handover to another gateway.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtHandover {
    /// The proxy at the new gateway has no state of the connections.
    Reset,
    /// The state moves to the new gateway.
    Move,
}

words! {
    /// What happens to a proxy at a gateway at a handover to another gateway.
    AtHandover { Reset = "reset", Move = "move" }
}

/// Flows between many sites. The table also takes all keys of a flow except `from` and `to`, for each of its flows.
/// Flows are named after their ends, with `name` in front if there is one.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
pub struct Traffic {
    /// Which site sends to which site: "pairs" (the pairs of `pairs`), "permutation" (random pairs of sites, which send
    /// to each other), "gravity" (`flows` random pairs, with probabilities proportional to the product of the
    /// populations) or "file".
    #[schemars(extend("x-decides" = "the matrix"))]
    pub matrix: W<Matrix>,
    /// The pairs, from and to: `[["Wuhan", "Madrid"], ["Tehran", "Madrid"]]`.
    #[schemars(extend("x-only" = { "matrix": ["pairs"] }))]
    pub pairs: Option<Vec<Vec<String>>>,
    /// The sites of a permutation or of gravity.
    #[schemars(extend("x-only" = { "matrix": ["permutation", "gravity"] }))]
    pub sites: Option<Vec<String>>,
    /// Instead of `sites`: the number of largest cities to take from the list.
    #[schemars(range(min = 2, max = 1000), extend("x-only" = { "matrix": ["permutation", "gravity"] }))]
    #[schemars(extend("x-excludes" = [{ "keys": ["sites"] }]))]
    pub top: Option<u32>,
    /// Gravity: number of flows to draw.
    #[schemars(range(min = 1, max = 100_000), extend("x-only" = { "matrix": ["gravity"] }))]
    pub flows: Option<u32>,
    /// File, relative to the scenario's: CSV with the columns from and to, and optionally count, start and size. A size
    /// is a quantity; for transfers also a measured law ("web-search") or the table of a law, with single quotes: "{
    /// law = 'exponential', mean = '10 kB' }".
    #[schemars(extend("x-only" = { "matrix": ["file"] }))]
    pub file: Option<String>,
    /// Seed of the draw; the seed of the run does not change which site sends to which site. Default 1.
    #[schemars(range(min = 0), extend("x-only" = { "matrix": ["permutation", "gravity"] }))]
    pub seed: Option<i64>,
    /// Settings of the flows.
    #[serde(flatten)]
    pub flow: Flow,
}

/// Which site sends to which site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matrix {
    Pairs,
    Permutation,
    Gravity,
    File,
}

words! {
    /// Which site sends to which site.
    Matrix { Pairs = "pairs", Permutation = "permutation", Gravity = "gravity", File = "file" }
}

/// An application that writes at a rate, for a while or always; data before and after that time are there at once.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Trickle {
    /// Rate at which it writes; a segment may leave when all of it is written.
    #[schemars(extend("x-min" = "1 bit/s"))]
    pub rate: Q<Rate>,
    /// Time from the start of the flow until the application writes at `rate`; before, it writes as much as TCP sends.
    /// Default "0 s".
    #[schemars(extend("x-max" = "30 d"))]
    pub begins: Option<Q<Span>>,
    /// Time from then until all remaining data are there. Default: the application writes at `rate` without end.
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
    /// Name of a built-in controller, as `bentpipe controllers` lists it, or of a controller of your own.
    pub name: String,
    /// Parameters that differ from the catalogue's: numbers, words, true or false.
    #[serde(flatten)]
    #[schemars(with = "BTreeMap<String, Parameter>")]
    pub parameters: toml::map::Map<String, toml::Value>,
}

/// A parameter's value, for the schema alone.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only a type in the schema")]
enum Parameter {
    Number(f64),
    Text(String),
    Flag(bool),
}
