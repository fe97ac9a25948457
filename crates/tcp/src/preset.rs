// SPDX-License-Identifier: MIT OR Apache-2.0
//! Presets: settings that belong to one TCP stack, and the source of each setting.

use crate::{
    AfterIdle, AfterLostSyn, Config, DelayedAck, GrowingWindow, ReceiveWindow, Recovery, Repair, Setup,
    Timeouts,
};
use units::{Bytes, Span};

/// The settings of a stack that is or was in use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub enum Preset {
    /// Linux 6.1 with its default sysctls.
    Linux,
    /// The recommendations of current RFCs.
    Rfc,
    /// ns-2.35's `Agent/TCP/Sack1` with its defaults.
    Ns2Sack1,
    /// ns-2.35's `Agent/TCP/Newreno` with its defaults.
    Ns2Newreno,
    /// ns-2.35's `Agent/TCP/Linux` with its defaults.
    Ns2Linux,
    /// The settings of scenarios before presets existed.
    #[default]
    Bentpipe01,
}

/// The source of a preset's value for a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The key of a scenario's table `tcp`.
    pub key: &'static str,
    /// The source of the value.
    pub source: &'static str,
    /// Whether the preset fixes the value of the key. If so, any other value is refused.
    pub is_fixed: bool,
}

const fn set(key: &'static str, source: &'static str) -> Reason {
    Reason { key, source, is_fixed: false }
}

const fn fixed(key: &'static str, source: &'static str) -> Reason {
    Reason { key, source, is_fixed: true }
}

impl Preset {
    /// All presets.
    pub const ALL: [Self; 6] =
        [Self::Linux, Self::Rfc, Self::Ns2Sack1, Self::Ns2Newreno, Self::Ns2Linux, Self::Bentpipe01];

    /// A description of the preset in one sentence.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Linux => "Linux 6.1 with default sysctls, segmentation offload off.",
            Self::Rfc => "Recommendations of current RFCs, each with its number.",
            Self::Ns2Sack1 => "Agent/TCP/Sack1 of ns-2.35 with its defaults (a window of 20 packets).",
            Self::Ns2Newreno => "Agent/TCP/Newreno of ns-2.35 with its defaults (a window of 20 packets).",
            Self::Ns2Linux => {
                "Agent/TCP/Linux of ns-2.35 with its defaults; its controllers are those with `reading = \"ns-2\"`."
            }
            Self::Bentpipe01 => {
                "A minimal TCP: an ACK for every segment, no set-up, and no limit by the receiver, so that \
                only the controller has an effect. It is the default of scenarios without a preset."
            }
        }
    }

    /// The settings of the preset.
    pub fn config(self) -> Config {
        let old = Config { preset: self, ..Config::bare() };
        match self {
            Self::Bentpipe01 => old,
            Self::Linux => Config {
                growth_limit: Some(1_000_000_000),
                recovery: Recovery::RackTlp,
                delayed_ack: Some(DelayedAck::Linux),
                max_rto: Span::from_secs(120),
                receive_window: ReceiveWindow::Growing(GrowingWindow {
                    at_most: Bytes::new(3 << 20),
                    autotuned: true,
                }),
                setup: Setup::Handshake,
                after_lost_syn: AfterLostSyn::Linux,
                fin_beyond_window: true,
                slow_start_after_idle: AfterIdle::Linux,
                one_cut_per_recovery: true,
                f_rto: true,
                sack_restarts_timer: true,
                reordering_timer_slack: Span::from_millis(2),
                tail_probe_by_oldest: true,
                growth_when_reordered: true,
                pacing_credit: true,
                ..old
            },
            Self::Rfc => Config {
                slow_start_after_idle: AfterIdle::Rfc5681,
                f_rto: true,
                recovery: Recovery::RackTlp,
                delayed_ack: Some(DelayedAck::Every { segments: 2, at_most: Span::from_millis(500) }),
                setup: Setup::Handshake,
                min_rto: Span::from_secs(1),
                clock: Span::from_millis(100),
                ..old
            },
            Self::Ns2Sack1 => Config {
                recovery: Recovery::Sack,
                repair: Repair::FallFloyd,
                timeouts: Timeouts::Ns2,
                ..old.with_ns2_defaults()
            },
            Self::Ns2Newreno => {
                Config { recovery: Recovery::NewReno, timeouts: Timeouts::Ns2, ..old.with_ns2_defaults() }
            }
            Self::Ns2Linux => Config {
                header: 50,
                recovery: Recovery::Sack,
                repair: Repair::RateHalving,
                timeouts: Timeouts::Ns2Linux,
                clock: Span::from_millis(1),
                setup: Setup::Ns2Linux,
                ..old.with_ns2_defaults()
            },
        }
    }

    /// The source of each setting that differs from the minimal TCP, or that may be unexpected for a reader.
    pub fn reasons(self) -> impl Iterator<Item = &'static Reason> {
        let (own, shared): (_, &[_]) = match self {
            Self::Linux => (LINUX, &[]),
            Self::Rfc => (RFC, &[]),
            Self::Ns2Sack1 => (NS2_SACK1, NS2),
            Self::Ns2Newreno => (NS2_NEWRENO, NS2),
            Self::Ns2Linux => (NS2_LINUX, NS2),
            Self::Bentpipe01 => (BARE, &[]),
        };
        own.iter().chain(shared)
    }
}

impl Config {
    /// Sets the defaults that all agents of ns-2 share (`tcl/lib/ns-default.tcl` of 2.35).
    fn with_ns2_defaults(self) -> Self {
        const PACKET: u32 = 1000;
        // The default of window_ is 20 packets.
        const WINDOW: Bytes = Bytes::new(20_000);
        Self {
            mss: PACKET,
            header: 40,
            initial_window: 2,
            undo: false,
            initial_rto: Span::from_secs(3),
            clock: Span::from_millis(10),
            receive_window: ReceiveWindow::Fixed(WINDOW),
            setup: Setup::Ns2,
            syn_header: 40,
            ..self
        }
    }
}

const LINUX: &[Reason] = &[
    set("initial_window", "TCP_INIT_CWND, 10 (RFC 6928)"),
    set("growth_limit", "tcp_slow_start: all segments that an ACK acknowledges"),
    set("recovery", "net.ipv4.tcp_recovery = 1: RACK and tail loss probes (RFC 8985)"),
    set(
        "prr",
        "tcp_cwnd_reduction: proportional rate reduction. Here it is RFC 9937's, which starts from the data \
        in flight, not from the window",
    ),
    set("min_rto", "TCP_RTO_MIN, 200 ms"),
    set("max_rto", "TCP_RTO_MAX, 120 s"),
    set("initial_rto", "TCP_TIMEOUT_INIT, 1 s (RFC 6298)"),
    set("clock", "4 RTTVAR is at least TCP_RTO_MIN (tcp_rtt_estimator, __tcp_set_rto)"),
    set(
        "delayed_ack",
        "__tcp_ack_snd_check: each segment while the window grows, then every second segment or after 40 ms",
    ),
    set(
        "receive_window",
        "tcp_rmem = 4096 131072 6291456: autotuned, half of it is window (tcp_adv_win_scale)",
    ),
    set("setup", "a handshake, because net.ipv4.tcp_fastopen needs a request by the application"),
    set("syn_header", "IP 20, TCP 20, MSS 4, SACK permitted and timestamps 12, window scale 4"),
    set("after_lost_syn", "tcp_init_transfer: a window of one segment after two expirations"),
    set("fin_beyond_window", "tcp_cwnd_test: FIN does not wait for the window"),
    set(
        "tso",
        "off, as in the traces of the comparison; true corresponds to ethtool's tcp-segmentation-offload",
    ),
    set("one_cut_per_recovery", "tcp_fastretrans_alert: no recovery begins during another recovery"),
    set("slow_start_after_idle", "net.ipv4.tcp_slow_start_after_idle = 1"),
    set("f_rto", "net.ipv4.tcp_frto = 2: with SACK (RFC 5682, section 3)"),
    set("timestamps", "net.ipv4.tcp_timestamps = 1"),
    set(
        "sack_restarts_timer",
        "tcp_clean_rtx_queue: a SACK of data sent before the oldest segment restarts the timer",
    ),
    set("reordering_timer_slack", "tcp_rack_mark_lost: TCP_TIMEOUT_MIN_US"),
    set(
        "tail_probe_by_oldest",
        "tcp_schedule_loss_probe: at the latest when the timeout of the oldest segment is over",
    ),
    set(
        "growth_when_reordered",
        "tcp_may_raise_cwnd: after strong reordering, SACKed data also increase the window",
    ),
    set(
        "pacing_credit",
        "tcp_update_skb_after_send: a late packet shortens the wait after it by at most half",
    ),
    set("ecn", "net.ipv4.tcp_ecn = 2: a sender does not request ECN (ecn = true is 1)"),
    set("header", "IP 20, TCP 20, timestamps 12"),
];

const RFC: &[Reason] = &[
    set("initial_window", "RFC 6928: 10"),
    set("recovery", "RFC 8985, with SACK (RFC 2018)"),
    set("prr", "RFC 9937"),
    set("limited_transmit", "RFC 3042"),
    set("undo", "RFC 4015; detected by RFC 3522 and 3708, which are experimental"),
    set("slow_start_after_idle", "RFC 5681, section 4.1"),
    set("f_rto", "RFC 5682, section 3: with SACK"),
    set("timestamps", "RFC 7323"),
    set("min_rto", "RFC 6298, (2.4): 1 s"),
    set("max_rto", "RFC 6298, (2.5): at least 60 s"),
    set("initial_rto", "RFC 6298, (2.1): 1 s"),
    set("clock", "RFC 6298, section 4: clocks of 100 ms and finer do somewhat better than coarser ones"),
    set("dup_thresh", "RFC 5681, section 3.2: 3"),
    set(
        "delayed_ack",
        "RFC 5681, section 4.2: every second segment, within 500 ms. This is the upper bound, because no RFC \
            recommends a time",
    ),
    set("receive_window", "no limit, because no RFC gives a size"),
    set("setup", "RFC 9293, section 3.5"),
    set("syn_header", "MSS (RFC 9293), SACK permitted (RFC 2018), timestamps and window scale (RFC 7323)"),
    set("after_lost_syn", "RFC 5681, section 3.1: one segment; RFC 6298, (5.7): 3 s"),
    set("ecn", "RFC 3168, only on request (ecn = true)"),
    set("header", "IP 20, TCP 20, timestamps 12 (RFC 7323)"),
];

/// Settings of all three ns-2 agents.
const NS2: &[Reason] = &[
    set("mss", "packetSize_ 1000"),
    set("initial_window", "windowInit_ 2"),
    set("receive_window", "window_ 20 packets"),
    set("syn_header", "tcpip_base_hdr_size_ 40"),
    set("undo", "not available"),
    fixed("timestamps", "each packet of ns-2 carries its sending time (`hdr_tcp::ts_`)"),
    set("slow_start_after_idle", "QOption_ 0"),
    set("min_rto", "minrto_ 0.2"),
    set("max_rto", "maxrto_ 60"),
    set("initial_rto", "rtxcur_init_ 3.0"),
    set("dup_thresh", "numdupacks_ 3"),
    set("delayed_ack", "TCPSink: an ACK for every packet"),
];

const NS2_SACK1: &[Reason] = &[
    fixed("recovery", "Agent/TCP/Sack1 (RFC 2018)"),
    fixed(
        "repair",
        "the pipe of Fall and Floyd 1996; the fast retransmit does not count (Sack1TcpAgent::dupack_action)",
    ),
    fixed(
        "timeouts",
        "TcpAgent::newack, rtt_update and timeout, Sack1TcpAgent::timeout: one segment is timed per round \
         trip. A timeout deletes SACKs, sends all data again, and halves the window each time",
    ),
    fixed("prr", "not available"),
    set("header", "tcpip_base_hdr_size_ 40"),
    set("setup", "syn_ true: data answer the SYN-ACK, and neither end closes"),
    set("after_lost_syn", "after one lost SYN, the window is one segment (measured)"),
    set("limited_transmit", "singledup_ 1"),
    set("clock", "tcpTick_ 0.01"),
];

const NS2_NEWRENO: &[Reason] = &[
    fixed("recovery", "Agent/TCP/Newreno (RFC 6582)"),
    fixed(
        "timeouts",
        "TcpAgent::newack, rtt_update and timeout, RenoTcpAgent::timeout: one segment is timed per round \
         trip. A timeout halves the window each time",
    ),
    fixed("prr", "not available"),
    set("header", "tcpip_base_hdr_size_ 40"),
    set("setup", "syn_ true: data answer the SYN-ACK, and neither end closes"),
    set("after_lost_syn", "after one lost SYN, the window is one segment (measured)"),
    set("limited_transmit", "singledup_ 1: after a timeout, old data are sent too"),
    set("clock", "tcpTick_ 0.01"),
];

const NS2_LINUX: &[Reason] = &[
    fixed("recovery", "Agent/TCP/Linux: a scoreboard of Linux 2.6.22 with SACK"),
    fixed("prr", "not available in Linux 2.6.22 (only from 3.2 on)"),
    fixed("repair", "rate halving (tcp_cwnd_down() of its time)"),
    fixed("timeouts", "LinuxTcpAgent::enter_loss: a new threshold at each timeout"),
    set("header", "tcpip_base_hdr_size_ 40, timestamps 10 (ts_option_size_)"),
    set(
        "setup",
        "the first data are sent together with the SYN, which uses a place in the first window (measured)",
    ),
    set("clock", "tcpTick_ 0.001, set by TCP-Linux"),
];

const BARE: &[Reason] = &[
    set("initial_window", "RFC 6928: 10"),
    set("recovery", "RFC 6675"),
    set("min_rto", "200 ms, as Linux and ns-2"),
    set("clock", "4 RTTVAR is at least 200 ms, as in Linux, because RTTVAR decays to zero without noise"),
    set("delayed_ack", "none, so that the controller gets every ACK"),
    set("receive_window", "no limit: only the controller bounds the window"),
    set("slow_start_after_idle", "none: only the controller sets the window"),
    set("header", "IP 20, TCP 20, timestamps 12"),
];
