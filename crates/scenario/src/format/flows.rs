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

/// TCP settings: a preset, and differences from it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tcp {
    /// The TCP implementation that determines the defaults of the other keys. If the table `tcp` of a flow names a
    /// preset, this table replaces the whole table `tcp` of the scenario. The descriptions of the other keys give the
    /// defaults of "bentpipe-0.1". Default "bentpipe-0.1".
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
    /// Largest number of segments that slow start counts for one ACK. The parameter `growth_limit` of the controller,
    /// if it is set, replaces this key. Default: the value of the controller, usually 1 (RFC 5681, section 3.1).
    #[schemars(range(min = 1, max = 1_000_000_000))]
    pub growth_limit: Option<u32>,
    /// How losses are detected: "reno" (RFC 5681), "newreno" (RFC 6582), "sack" (RFC 6675) or "rack" (RFC 8985).
    /// Default "sack".
    pub recovery: Option<W<Recovery>>,
    /// Whether the sender uses proportional rate reduction (RFC 9937). Default true with recovery "rack", otherwise
    /// false.
    pub prr: Option<bool>,
    /// How much may be sent while losses are repaired with SACK and without prr. "rfc6675": the window minus the pipe,
    /// which is the data in flight without lost segments. "fall-floyd": the pipe counts a lost segment until it is
    /// acknowledged, in addition to its retransmission (K. Fall and S. Floyd, ACM CCR 26(3), 1996; ns-2's Sack1).
    /// "rate-halving": at most one segment per ACK, then slow start to the threshold (draft-mathis-tcp-ratehalving,
    /// 1999; Linux before PRR). Default "rfc6675".
    pub repair: Option<W<Repair>>,
    /// How the retransmission timeout is computed, and what follows a timeout. "rfc6298": each acknowledgement is an
    /// RTT sample, and SACKed segments are not sent again. "ns-2": one segment at a time is timed, in ticks of `clock`
    /// (V. Jacobson, SIGCOMM 1988, appendix A); after a timeout, all segments are sent again, and the threshold is half
    /// of the window. "ns-2-linux": as "rfc6298", but each of several consecutive timeouts lowers the threshold.
    /// Default "rfc6298".
    pub timeouts: Option<W<Timeouts>>,
    /// Limited transmit (RFC 3042). Default true.
    pub limited_transmit: Option<bool>,
    /// Whether reductions of the window are undone if they turn out to be spurious. Default true.
    pub undo: Option<bool>,
    /// Whether the sender uses F-RTO (RFC 5682) with SACK: ACKs after a timeout can then also show that the timeout was
    /// spurious. Default false.
    pub f_rto: Option<bool>,
    /// Whether segments carry timestamps (RFC 7323). Both ends must use them. Without timestamps, only DSACK or F-RTO
    /// can show that a recovery was spurious. A retransmitted segment gives no RTT sample, and old duplicates are not
    /// rejected by age. Headers are 12 bytes shorter and segments 12 bytes longer, unless `header` or `mss` is set.
    /// Default true.
    pub timestamps: Option<bool>,
    /// Delayed acknowledgements. true: every second segment is acknowledged, at most 40 ms late. "linux" (as Linux
    /// 6.1): every segment is acknowledged while the window grows, and later every second segment; SACKs are delayed by
    /// up to 1 ms and sent together. Default false.
    pub delayed_ack: Option<DelayedAck>,
    /// Explicit congestion notification: "classic" (RFC 3168), "dctcp" (echo of RFC 8257) or "accurate" (marks are
    /// counted, RFC 9768). "l4s" is the same as "dctcp", and "accurate-l4s" the same as "accurate", but packets carry
    /// ECT(1) (RFC 9331). true means "classic". ECN has an effect only if a queue on the path marks. Default false.
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
    /// Granularity G of RFC 6298, (2.3): lower bound of the term with RTTVAR in the timeout. G itself is at most
    /// `min_rto`. Default "200 ms", as Linux.
    #[schemars(extend("x-max" = "1 h"))]
    pub clock: Option<Q<Span>>,
    /// Number of duplicate ACKs that indicate a loss. Default 3.
    #[schemars(range(min = 1, max = 1000))]
    pub dup_thresh: Option<u32>,
    /// The window of the receiver: its constant size, or a table for a window that grows. Default "unlimited".
    pub receive_window: Option<ReceiveWindow>,
    /// How the connection starts. The side that sends data opens it. "none": the connection exists when the flow
    /// starts. "handshake": SYN, SYN-ACK, ACK, then data (RFC 9293). "fast-open": the SYN carries the first data (RFC
    /// 7413). "ns-2": data follow the SYN-ACK directly, and there is no FIN (`Agent/TCP`). "ns-2-linux": the SYN is the
    /// first segment of the stream, and data are sent together with it (`Agent/TCP/Linux`). Default "none".
    pub setup: Option<W<Setup>>,
    /// Header of SYN and SYN-ACK. Default "60 B" (IP 20, TCP 20, MSS 4, SACK permitted and timestamps 12, window scale
    /// 4).
    #[schemars(extend("x-max" = "500 B"))]
    pub syn_header: Option<Q<Bytes>>,
    /// What follows when the timer of the SYN has expired. "rfc": the initial window is one segment (RFC 5681), and
    /// data start with a timeout of 3 s (RFC 6298). "linux": the initial window is one segment only after two
    /// expirations that were not spurious, and data start with the measured timeout. Default "rfc".
    pub after_lost_syn: Option<W<AfterLostSyn>>,
    /// If true, the last segment of a transfer is sent directly after the segment before it, even if this segment
    /// exceeds the congestion window (Linux). The last segment contains the FIN if the connection has a handshake.
    /// Default false.
    pub fin_beyond_window: Option<bool>,
    /// How the congestion window changes while it is not used. "rfc5681": after a pause longer than the timeout, the
    /// window becomes the smaller of its old value and the initial window (RFC 5681, section 4.1). "linux": the window
    /// is halved for each timeout of the pause, but not below the smaller of its old value and the initial window;
    /// while the application sends less than the window allows, the window decreases towards the used part
    /// (`tcp_slow_start_after_idle`). "rfc7661": the window is kept for five minutes. The window grows only if half of
    /// it was acknowledged recently or if all of it is used. After a loss, the window is half of its used part (RFC
    /// 7661). "keep": the window does not change. Controllers with a model of the path (BBR, Copa, Vivace) always keep
    /// their window. Default "keep".
    pub slow_start_after_idle: Option<W<AfterIdle>>,
    /// If true, new data are sent in bursts of at least two segments, as with segmentation offload on Linux. A burst
    /// contains the data of about one millisecond at the pacing rate (`tcp_tso_autosize`). If an ACK that is expected
    /// within one millisecond would allow a larger burst, the sender waits for this ACK (`tcp_tso_should_defer`). If
    /// false, each segment is sent as soon as possible. Default false.
    pub tso: Option<bool>,
    /// What happens if a segment that was sent after a cut, or a retransmission, is lost. true: this loss causes a cut
    /// only after the end of the recovery, and only if the segment is still missing (Linux). false: the sending times
    /// of RACK determine the next cut (`recovery = "rack"`). Default false.
    pub one_cut_per_recovery: Option<bool>,
    /// If true, a SACK restarts the retransmission timer if its segment was sent before the last transmission of the
    /// oldest outstanding segment (Linux). If false, only an acknowledgement that advances restarts the timer. Default
    /// false.
    pub sack_restarts_timer: Option<bool>,
    /// Time from the moment at which a segment is overdue until the reordering timer of RACK expires (Linux: 2 ms).
    /// Default "0 s".
    #[schemars(extend("x-max" = "1 s"))]
    pub reordering_timer_slack: Option<Q<Span>>,
    /// If true, a tail loss probe is due at the latest one timeout after the transmission of the oldest outstanding
    /// segment, when new data are sent (Linux). If false, the probe is due after two smoothed round-trip times or with
    /// the timeout (RFC 8985). Default false.
    pub tail_probe_by_oldest: Option<bool>,
    /// If true, after a segment arrived behind more than `dup_thresh` later segments, selective acknowledgements also
    /// increase the window (Linux). If false, only acknowledgements that advance increase the window (RFC 5681).
    /// Default false.
    pub growth_when_reordered: Option<bool>,
    /// If true, a paced packet that is sent late shortens the wait after it, at most by half (Linux). Default false.
    pub pacing_credit: Option<bool>,
    /// State that an earlier connection saved about this path (Careful Resume, RFC 9959). Default: none.
    pub saved_path: Option<SavedPath>,
}

/// QUIC settings.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Quic {
    /// Source of the controllers' code. "bentpipe": every controller of the catalogue that a QUIC library can run.
    /// "library": the QUIC library's own "reno" and "cubic" (the library's "bbr3" is excluded, because its runs are not
    /// reproducible). Default "bentpipe".
    pub controllers: Option<W<ControllerSource>>,
    /// Largest UDP payload at the start. Default "1200 B" (RFC 9000, section 14.1).
    #[schemars(extend("x-min" = "1200 B", "x-max" = "65000 B"))]
    pub datagram: Option<Q<Bytes>>,
    /// Largest UDP payload that path MTU discovery tries. If it equals `datagram`, there is no discovery. Default "1452
    /// B".
    #[schemars(extend("x-min" = "1200 B", "x-max" = "65000 B"))]
    pub largest_datagram: Option<Q<Bytes>>,
    /// Initial window in datagrams. Default 10 (RFC 9002, section 7.2).
    #[schemars(range(min = 1, max = 100_000))]
    pub initial_window: Option<u32>,
    /// When the receiver acknowledges: every N packets, or after the given delay (ACK frequency extension). Default:
    /// every second packet, at most 25 ms late (RFC 9000).
    pub ack_frequency: Option<AckRule>,
    /// Round-trip time that the sender assumes before the first sample. If this value is smaller than the real
    /// round-trip time, packets of the handshake are sent again. Default "333 ms" (RFC 9002, section 6.2.2).
    #[schemars(extend("x-min" = "1 ms", "x-max" = "1 min"))]
    pub initial_rtt: Option<Q<Span>>,
    /// Flow control of the connection: largest number of bytes that the receiver accepts before its application reads
    /// them. Default "unlimited".
    #[schemars(extend("x-min" = "1 B"))]
    pub receive_window: Option<Q<Unlimited<Bytes>>>,
    /// Flow control of each stream. Default "unlimited".
    #[schemars(extend("x-min" = "1 B"))]
    pub stream_window: Option<Q<Unlimited<Bytes>>>,
    /// Largest number of bytes that the sender stores until they are acknowledged. Default "unlimited".
    #[schemars(extend("x-min" = "1 B"))]
    pub send_window: Option<Q<Unlimited<Bytes>>>,
    /// Number of bytes of each stream. A transfer uses several streams, one after another. A library closes a
    /// connection if a stream has too many gaps (noq: 1,024). A single long stream reaches this number after a large
    /// overshoot. "unlimited": all data are in one stream. Default "1 MB".
    #[schemars(extend("x-min" = "1 kB"))]
    pub stream_size: Option<Q<Unlimited<Bytes>>>,
    /// If true, packets carry ECT(0), as the library sends them. Queues that support ECN then mark packets instead of
    /// dropping them. If false, the ECN field is cleared. Default true.
    pub ecn: Option<bool>,
    /// If true, the first packet carries data (0-RTT): the side that opens a connection has a session ticket of an
    /// earlier connection. In an application, every user has such a ticket for each connection. Default false.
    pub zero_rtt: Option<bool>,
    /// If true, the library spaces packets over a round trip when the controller has no pacing rate. Default true.
    pub pacing: Option<bool>,
    /// "real": TLS 1.3 encrypts all packets. "null": the handshake is real, and later packets are not encrypted. Times
    /// and sizes of all packets are the same, and the run is faster. Default "real".
    pub keys: Option<W<Keys>>,
    /// State that an earlier connection saved about this path (Careful Resume, RFC 9959). Default: none.
    pub saved_path: Option<SavedPath>,
}

/// State of a path that an earlier connection saved.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SavedPath {
    /// Number of bytes that were acknowledged in one round trip.
    #[schemars(extend("x-min" = "1 B"))]
    pub cwnd: Q<Bytes>,
    /// Smallest round-trip time.
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
    /// Largest number of segments without an acknowledgement.
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
    /// As Linux 6.1.
    LikeLinux { Linux = "linux" }
}

/// The window that the receiver announces.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum ReceiveWindow {
    Fixed(#[schemars(extend("x-min" = "1 B"))] Q<Unlimited<Bytes>>),
    Growing(GrowingWindow),
}

/// A window that grows as in Linux: 64 kB at the start, and two more segments for each segment that arrives.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GrowingWindow {
    /// Largest window, which is half of the largest buffer. Default "3145728 B" (tcp_rmem of 6 MiB).
    #[schemars(extend("x-min" = "4 kB", "x-max" = "1 GB"))]
    pub at_most: Option<Q<Bytes>>,
    /// If true, the buffer starts with 128 KiB and grows with the data that arrive in a round trip. If false, the
    /// buffer has its largest size from the start. Default false.
    pub autotuned: Option<bool>,
}

/// Flows with the same settings.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Flow {
    /// Name of the flows in tables. Default: the name of the controller; for a call, its profile; for other flows, the
    /// kind.
    pub name: Option<String>,
    /// "tcp" (one connection of TCP or QUIC, see `transport`), "cbr" (UDP at a constant bit rate), "ping" (echoes),
    /// "call" (audio, video or a game, in both directions), or an application. Applications are "transfers", "web",
    /// "video" and "requests": users at the site `to` fetch data from servers at the site `from` over many connections.
    /// Default "tcp".
    #[schemars(extend("default" = "tcp", "x-decides" = "a flow of kind"))]
    pub kind: Option<Kind>,
    /// Protocol of a flow of kind "tcp" or of an application: "tcp", or "quic" for connections of a real QUIC library.
    /// With QUIC, an application opens one connection instead of several TCP connections, and each request and its
    /// answer are one stream (not HTTP/3). Default "tcp".
    #[schemars(extend("default" = "tcp", "x-decides" = "a flow over",
        "x-only" = { "kind": ["tcp", "transfers", "web", "video", "requests"] }))]
    pub transport: Option<W<TransportProtocol>>,
    /// Number of flows. Default 1.
    #[schemars(range(min = 1, max = 100_000))]
    pub count: Option<u32>,
    /// Site of the sender of the data. `*` matches any text. With `*` in `from` or `to`, there is a flow for each pair
    /// of matching sites, called "NAME 1", "NAME 2" and so on. In a constellation, only the sites in `sites` match. In
    /// every network preset, the ends also have the names "terminal" and "server". Default: "server" with a preset or
    /// with Starlink, "left" in a dumbbell, the first site of a chain.
    pub from: Option<String>,
    /// Site of the receiver of the data. Default: "terminal" with a preset, "dish" with Starlink, "right" in a
    /// dumbbell, the last site of a chain.
    pub to: Option<String>,
    /// Start of the first flow. Default "0 s".
    pub start: Option<Q<Span>>,
    /// Interval between the starts of two consecutive flows of the table, including flows that a `*` in `from` or `to`
    /// creates. Default "0 s".
    pub stagger: Option<Q<Span>>,
    /// Time at which the flows stop sending. An application starts no visits after this time. Default: the end of the
    /// run.
    pub stop: Option<Q<Span>>,
    /// TCP: number of bytes to send; by default, the transfer has no end. Transfers: number of bytes of each transfer,
    /// or the law from which it is drawn.
    #[schemars(extend("x-only" = { "kind": ["tcp", "transfers"] }))]
    pub size: Option<Sizes>,
    /// TCP: the application writes at a limited rate. Default: all data are available from the start.
    #[schemars(extend("x-only" = { "kind": ["tcp"], "transport": ["tcp"] }))]
    pub trickle: Option<Trickle>,
    /// CBR: rate on the wire during on periods.
    #[schemars(extend("x-min" = "1 bit/s", "x-only" = { "kind": ["cbr"] }))]
    pub rate: Option<Q<Rate>>,
    /// CBR: length of on periods, in which the flow sends. The value is a time, or a law with a mean. Default: always
    /// on.
    #[schemars(extend("x-only" = { "kind": ["cbr"] }))]
    #[schemars(extend("x-needs" = [{
        "keys": ["off"], "why": "`on` needs `off`, the length of the periods without packets", "fix": "write off = \"1 s\"",
    }]))]
    pub on: Option<Period>,
    /// CBR: length of off periods, in which the flow sends nothing.
    #[schemars(extend("x-only" = { "kind": ["cbr"] }))]
    #[schemars(extend("x-needs" = [{
        "keys": ["on"], "why": "`off` needs `on`, the length of the periods with packets", "fix": "write on = \"1 s\"",
    }]))]
    pub off: Option<Period>,
    /// CBR, ping: packet size on the wire. Default "1000 B" for CBR, and "84 B" for ping (56 B of data, ICMP 8, IP 20,
    /// as on Linux).
    #[schemars(extend("x-min" = "1 B", "x-max" = "65535 B", "x-only" = { "kind": ["cbr", "ping"] }))]
    pub packet: Option<Q<Bytes>>,
    /// Ping: interval between packets. Default "10 ms".
    #[schemars(extend("x-min" = "1 us", "x-max" = "1 h", "x-only" = { "kind": ["ping"] }))]
    pub interval: Option<Q<Span>>,
    /// Call: "voice" (G.711), "video-call" (720p) or "game" (a shooter: `from` is the player, and `to` is the server).
    /// Default "voice".
    #[schemars(extend("x-only" = { "kind": ["call"] }))]
    pub profile: Option<W<Profile>>,
    /// Call: playout delay of a frame. The delay begins at the time when the frame would arrive with the smallest delay
    /// of all frames so far. A frame is late if it is incomplete at its playout time. Default: the value of the
    /// profile.
    #[schemars(extend("x-max" = "10 s", "x-only" = { "kind": ["call"] }))]
    pub playout: Option<Q<Span>>,
    /// Call: frames from `from` to `to`. Default: the frames of the profile.
    #[schemars(extend("x-only" = { "kind": ["call"] }))]
    pub there: Option<Media>,
    /// Call: frames from `to` to `from`. Default: the frames of the profile.
    #[schemars(extend("x-only" = { "kind": ["call"] }))]
    pub back: Option<Media>,
    /// TCP and applications: name of the controller, or a table with its name and parameters.
    #[schemars(extend("x-only" = { "kind": ["tcp", "transfers", "web", "video", "requests"] }))]
    pub controller: Option<Controller>,
    /// Link between each host and its site. If this key is set, every flow has such a link at both ends. Default: the
    /// hosts are at the sites, without such links.
    pub access: Option<AccessLink>,
    /// If true, queues of discipline "priority" send the packets of these flows first, in both directions. Default
    /// false.
    pub urgent: Option<bool>,
    /// TCP and applications: great-circle distance between the ends, for controllers that use it. Default: the distance
    /// between the sites in a constellation; unknown in other networks.
    #[schemars(extend("x-min" = "0 km", "x-max" = "20038 km",
        "x-only" = { "kind": ["tcp", "transfers", "web", "video", "requests"] }))]
    pub distance: Option<Q<Distance>>,
    /// TCP and applications: TCP settings of these flows. Connections of applications start with a handshake.
    #[schemars(extend("x-only" = { "kind": ["tcp", "transfers", "web", "video", "requests"], "transport": ["tcp"] }))]
    pub tcp: Option<Tcp>,
    /// QUIC: QUIC settings of these flows.
    #[schemars(extend("x-only" = { "transport": ["quic"] }))]
    pub quic: Option<Quic>,
    /// Applications: number of users (closed loop). Each user has one visit at a time and thinks before the next visit.
    #[schemars(range(min = 1, max = 1_000_000), extend("x-only" = { "kind": ["transfers", "web", "video", "requests"] }))]
    pub users: Option<u32>,
    /// Think time of a user. Default: exponential with a mean of 30 s (our choice).
    #[schemars(extend("x-only" = { "kind": ["transfers", "web", "video", "requests"] }))]
    #[schemars(extend("x-needs" = [{
        "keys": ["users"], "why": "`think` has no effect without `users`", "fix": "write users = 40, or remove \
            `think`",
    }]))]
    pub think: Option<Times>,
    /// Applications: the times at which visits start, instead of `users` (open loop).
    #[schemars(extend("x-only" = { "kind": ["transfers", "web", "video", "requests"] }))]
    #[schemars(extend("x-excludes" = [{
        "keys": ["users"],
        "why": "`users` and `arrivals` contradict each other: users begin a visit after a think time, but arrivals \
        begin whether or not earlier visits are over",
    }]))]
    pub arrivals: Option<Arrivals>,
    /// Applications: load, instead of a rate in `arrivals`. The load is the mean traffic of the visits as a fraction of
    /// the smallest link rate on the path. Headers count as if all segments were full. The load determines the rate at
    /// which visits start. If the table creates several flows, each of them has this load. If the loads on a link add
    /// up to more than 1, the backlog of the link grows without bound.
    #[schemars(range(min = 1e-6, max = 100.0), extend("x-only" = { "kind": ["transfers", "web", "video", "requests"] }))]
    #[schemars(extend("x-excludes" = [{
        "keys": ["users"],
        "why": "`users` and `load` contradict each other: users begin a visit after a think time, but `load` sets a \
        rate of arrivals whether or not earlier visits are over",
    }]))]
    pub load: Option<Fraction>,
    /// Web: the page, as a name or as a table. Default "median-2024".
    #[schemars(extend("x-only" = { "kind": ["web"] }))]
    pub page: Option<Page>,
    /// Video: the video and its player. Default: the defaults of the table.
    #[schemars(extend("x-only" = { "kind": ["video"] }))]
    pub video: Option<Video>,
    /// Requests: the requests and answers.
    #[schemars(extend("x-only" = { "kind": ["requests"] }))]
    pub request: Option<Request>,
    /// Applications over TCP: TLS 1.3 on each connection, which takes one round trip before the first request. QUIC
    /// always contains TLS. Default false.
    #[schemars(extend("x-only" = { "kind": ["transfers", "web", "video", "requests"], "transport": ["tcp"] }))]
    pub tls: Option<Tls>,
}

/// Performance-enhancing proxies (RFC 3135) at one or two sites. A TCP connection ends at a proxy, and the proxy opens
/// another connection. Each connection has its own acknowledgements, retransmissions and controller. A proxy answers a
/// SYN at once, and then opens the next connection.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pep {
    /// The site of the proxy, or the two sites at the ends of a hop: `["left", "right"]`. `*` matches any text, as in
    /// `from` of flows: `["user *"]` is a proxy at each user's site. A flow passes one or two of these sites. A proxy
    /// at an end of a flow splits the flow only if it has access links. Over satellites, the place is a site or
    /// "gateway". For a flow between a dish and a site on fibre, "gateway" is the gateway that serves at the time.
    pub at: Vec<String>,
    /// Largest buffer for a connection in a proxy. A byte is in the buffer from its arrival until the receiver of the
    /// next connection acknowledges it. A TCP flow has one connection. Each connection of an application has its own
    /// buffer. The total of these buffers has no limit.
    #[schemars(extend("x-min" = "64 B", "x-max" = "4 GB"))]
    pub buffer: Q<Bytes>,
    /// Controller of the connection that starts at the first proxy on a flow's path. With two proxies, this is the
    /// connection between them. Default: the controller of the flow.
    pub controller: Option<Controller>,
    /// TCP settings of the proxies, for sending and receiving. If `preset` is set here, no setting of the flow applies.
    /// Otherwise, keys that are not set here have the values of the flow. `receive_window` is the largest window that a
    /// proxy announces; by default, it is the free part of its buffer. A connection uses the smaller `mss` of its two
    /// ends. Default: the settings of the flow.
    pub tcp: Option<Tcp>,
    /// Names of the flows that are split. `*` matches any text. Default: all TCP flows on these paths.
    pub flows: Option<Vec<String>>,
    /// Times at which the proxies lose their state, in order. The connections through them end, and data in their
    /// buffers are lost.
    pub resets: Option<Vec<Q<Span>>>,
    /// Time between the reset of a connection (when its host receives the reset) and the application's next attempt. A
    /// transfer asks the receiver which data have arrived, and sends the rest. Users of other applications request
    /// incomplete answers again. "off": a transfer gives up, but users still try again. Default "1 s" (as curl before
    /// its first `--retry`).
    #[schemars(extend("x-min" = "0 s", "x-max" = "10 min"))]
    pub retry: Option<Q<Off<Span>>>,
    /// What happens to a proxy at the "gateway" when the path changes to another gateway. "reset": the proxy at the new
    /// gateway does not know the connections, so they end. "move": the state moves to the new gateway. Default "reset".
    #[schemars(extend("default" = "reset", "x-decides" = "on_handover"))]
    pub on_handover: Option<W<AtHandover>>,
    /// With "move": time after a handover for which the proxy is absent. Packets to it are lost.
    #[schemars(extend("x-min" = "0 s", "x-max" = "1 min", "x-only" = { "on_handover": ["move"] }))]
    pub move_time: Option<Q<Span>>,
}

/// What happens to a proxy at a gateway when the path changes to another gateway.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtHandover {
    /// The proxy at the new gateway does not know the connections.
    Reset,
    /// The state moves to the new gateway.
    Move,
}

words! {
    /// What happens to a proxy at a gateway when the path changes to another gateway.
    AtHandover { Reset = "reset", Move = "move" }
}

/// Flows between many sites. The table also accepts all keys of a flow except `from` and `to`. These keys apply to each
/// flow. The name of a flow consists of its two sites; if `name` is set, it comes first.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
pub struct Traffic {
    /// Which sites send to which sites: "pairs" (the pairs in the key `pairs`), "permutation" (random pairs of sites,
    /// which send to each other), "gravity" (`flows` random pairs; the probability of a pair is proportional to the
    /// product of the two populations) or "file".
    #[schemars(extend("x-decides" = "the matrix"))]
    pub matrix: W<Matrix>,
    /// The pairs, from and to: `[["Wuhan", "Madrid"], ["Tehran", "Madrid"]]`.
    #[schemars(extend("x-only" = { "matrix": ["pairs"] }))]
    pub pairs: Option<Vec<Vec<String>>>,
    /// The sites of a "permutation" or "gravity" matrix.
    #[schemars(extend("x-only" = { "matrix": ["permutation", "gravity"] }))]
    pub sites: Option<Vec<String>>,
    /// Instead of `sites`: number of cities to use, the largest of the built-in list.
    #[schemars(range(min = 2, max = 1000), extend("x-only" = { "matrix": ["permutation", "gravity"] }))]
    #[schemars(extend("x-excludes" = [{ "keys": ["sites"] }]))]
    pub top: Option<u32>,
    /// Gravity: number of flows to draw.
    #[schemars(range(min = 1, max = 100_000), extend("x-only" = { "matrix": ["gravity"] }))]
    pub flows: Option<u32>,
    /// CSV file with the columns from and to, and optionally count, start and size. The file name is relative to the
    /// scenario's file. A size is a quantity. For transfers, it may also be a measured law ("web-search") or the table
    /// of a law, with single quotes: "{ law = 'exponential', mean = '10 kB' }".
    #[schemars(extend("x-only" = { "matrix": ["file"] }))]
    pub file: Option<String>,
    /// Seed of the random pairs. The seed of the run does not change the pairs. Default 1.
    #[schemars(range(min = 0), extend("x-only" = { "matrix": ["permutation", "gravity"] }))]
    pub seed: Option<i64>,
    /// Settings of the flows.
    #[serde(flatten)]
    pub flow: Flow,
}

/// Which sites send to which sites.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matrix {
    Pairs,
    Permutation,
    Gravity,
    File,
}

words! {
    /// Which sites send to which sites.
    Matrix { Pairs = "pairs", Permutation = "permutation", Gravity = "gravity", File = "file" }
}

/// An application that writes at a limited rate, either for a period or always. Data before and after this period are
/// available at once.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Trickle {
    /// Rate at which the application writes. A segment may be sent when it is completely written.
    #[schemars(extend("x-min" = "1 bit/s"))]
    pub rate: Q<Rate>,
    /// Time from the start of the flow until the application writes at `rate`. Before this time, all data that TCP can
    /// send are available. Default "0 s".
    #[schemars(extend("x-max" = "30 d"))]
    pub begins: Option<Q<Span>>,
    /// Length of the period in which the application writes at `rate`. Afterwards, all remaining data are available.
    /// Default: until the end of the flow.
    #[schemars(extend("x-max" = "30 d"))]
    pub lasts: Option<Q<Span>>,
}

/// Kinds of flows.
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
    /// Name of a built-in controller (`bentpipe controllers` lists them) or of your own controller.
    pub name: String,
    /// Parameters whose values differ from the defaults in the catalogue: numbers, words, true or false.
    #[serde(flatten)]
    #[schemars(with = "BTreeMap<String, Parameter>")]
    pub parameters: toml::map::Map<String, toml::Value>,
}

/// Value of a controller's parameter.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only a type in the schema")]
enum Parameter {
    Number(f64),
    Text(String),
    Flag(bool),
}
