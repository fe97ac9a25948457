// SPDX-License-Identifier: MIT OR Apache-2.0
//! A scenario after reading and checking: quantities are numbers, and every default is filled in.

use crate::{Budget, Call, OnOff, Origin, OwnTcp, QuicConfig};
use control::catalogue;
use link::{Carrier, Delay, Impairment, Legs, LinkSpec, LossList, Queue, TraceEnd, starlink};
use std::path::PathBuf;
use std::sync::Arc;
use topology::{ConstellationSpec, Site, Turns};
use units::{Bytes, Distance, Rate, Span, Time};

/// One scenario: a network, its flows, its proxies and what a run records.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Title of the scenario.
    pub name: String,
    /// How long the run lasts.
    pub duration: Span,
    /// Seed of all random streams.
    pub seed: u64,
    /// Length of the first part of the run, which the means in the summary exclude.
    pub warm_up: Span,
    /// The network.
    pub network: NetworkChoice,
    /// The preset that defines the network; `None` if the scenario describes the network itself.
    pub origin: Option<Origin>,
    /// How long before a path change the flows receive its notice.
    pub announce: Span,
    /// Largest error of the announced time, in either direction.
    pub announce_error: Span,
    /// The flows, in the order of the file; a flow with [`Flow::count`] above 1 is one entry.
    pub flows: Vec<Flow>,
    /// Proxies that split TCP connections.
    pub peps: Vec<Pep>,
    /// What a run records.
    pub record: Record,
}

/// The network, by kind.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "a scenario has one of them")]
pub enum NetworkChoice {
    /// A satellite constellation.
    Constellation {
        /// Satellites, links and rules of the constellation.
        spec: ConstellationSpec,
        /// The ground sites that flows use, each once, in order of first use.
        sites: Vec<Site>,
        /// Link budgets: user link up, user link down, feeder link up, feeder link down.
        budgets: [Option<Arc<Budget>>; 4],
    },
    /// Two routers and one bottleneck link, with the sites "left" and "right". Each direction has half of the
    /// round-trip delay.
    Dumbbell {
        /// Link from left to right.
        forward: Wire,
        /// Link from right to left.
        reverse: Wire,
    },
    /// Routers in a row, with the sites "0", "1", and so on. `links[i]` joins routers i and i + 1, and is the same in
    /// both directions.
    Chain {
        /// The links in order.
        links: Vec<Wire>,
    },
    /// A hub and its branches. Each entry of `branches` joins the hub to the site of that name, and is the same in both
    /// directions. The hub itself is the site "hub".
    Star {
        /// Name and link of each site.
        branches: Vec<(String, Wire)>,
        /// Carriers on which branches transmit to the hub.
        carriers: ReturnCarriers,
        /// Carriers on which the hub transmits to branches.
        forward: ForwardCarriers,
    },
    /// A path over Starlink, with the sites "dish" and "server".
    Starlink(Starlink),
}

/// Carriers on which branches transmit to the hub, in granted slots.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReturnCarriers {
    /// The name and the settings of each carrier; see [`link::Dama::carrier`].
    pub carriers: Vec<(String, Carrier)>,
    /// Rate of each branch in its slots, in the order of the branches. `None`: the branch uses the carrier's rate. The
    /// list is empty if all branches use the carrier's rate.
    pub paces: Vec<Option<WireService>>,
}

impl ReturnCarriers {
    /// Returns the rate of a branch in its slots. `None` if the branch uses the carrier's rate or shares no carrier.
    pub fn pace(&self, branch: usize) -> Option<&WireService> {
        self.paces.get(branch)?.as_ref()
    }

    /// Returns the rate of a branch in clear sky: the highest of its steps, or the rate of its budget without rain.
    /// `None` if the branch uses the carrier's rate or shares no carrier.
    pub fn clear_rate(&self, branch: usize) -> Option<Rate> {
        match self.pace(branch)? {
            WireService::Steps(schedule) => schedule.highest(),
            WireService::Budget(budget) => Some(budget.radio.clear_rate()),
            WireService::Constant
            | WireService::ByHour(_)
            | WireService::Trace(_)
            | WireService::PathTrace => None,
        }
    }
}

/// A carrier on which a hub transmits to branches, one packet after another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForwardCarrier {
    /// Name of the carrier.
    pub name: String,
    /// Rate with the highest modulation and code.
    pub rate: Rate,
    /// The quantity that each turn of a branch is charged for.
    pub turns: Turns,
}

/// All carriers on which a hub transmits to branches.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ForwardCarriers {
    /// The carriers, in the order of the file.
    pub carriers: Vec<ForwardCarrier>,
    /// Carrier, weight and class of each branch, in the order of the branches. Empty if no branch shares a carrier.
    pub turns: Vec<Option<ForwardTurn>>,
}

/// The carrier that a branch uses from the hub, and its weight and class there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForwardTurn {
    /// Index of the carrier.
    pub carrier: u16,
    /// Weight of the branch among the branches of the same class.
    pub weight: u16,
    /// Priority class: the hub serves branches of a higher class first.
    pub class: u8,
}

impl ForwardCarriers {
    /// Returns the carrier, weight and class of a branch. `None` if the branch has its own link from the hub.
    pub fn of(&self, branch: usize) -> Option<ForwardTurn> {
        *self.turns.get(branch)?
    }
}

/// A link of a plain network.
#[derive(Clone, Debug, PartialEq)]
pub struct Wire {
    /// Queue, losses and other settings. The rate in `spec` counts only if `service` is [`WireService::Constant`].
    pub spec: LinkSpec,
    /// Rate of the link.
    pub service: WireService,
    /// Propagation delay of the link.
    pub delay: WireDelay,
    /// The path trace: a file with the rate if `service` is `PathTrace`, with the delay if `delay` is `PathTrace`, and
    /// with losses over time.
    pub path_trace: Option<PathBuf>,
    /// What follows the end of the link's traces. `None`: the default of each trace.
    pub trace_end: Option<TraceEnd>,
}

/// Rate of a plain link, by kind.
#[derive(Clone, Debug, PartialEq)]
pub enum WireService {
    /// Constant rate.
    Constant,
    /// The rate changes in steps.
    Steps(link::RateSchedule),
    /// The rate follows the time of day.
    ByHour(link::sight::ByHour),
    /// The rate follows a mahimahi trace.
    Trace(PathBuf),
    /// The rate follows a link budget.
    Budget(Arc<Budget>),
    /// The rate follows the path trace.
    PathTrace,
}

/// Propagation delay of a plain link, by kind.
#[derive(Clone, Debug, PartialEq)]
pub enum WireDelay {
    /// The delay is constant or changes in steps.
    Given(Delay),
    /// The delay follows a file of delays.
    Trace(PathBuf),
    /// The delay follows the path trace.
    PathTrace,
}

/// Losses on a link.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Losses {
    /// Random loss with constant parameters.
    pub chance: Impairment,
    /// Packets that a list marks as lost.
    pub listed: Option<Arc<LossList>>,
    /// Additional random loss in steps: each entry is a time and the loss probability from that time on.
    pub steps: Arc<[(Time, f64)]>,
    /// The additional random loss if at least one of its steps is a ramp. In that case, `steps` is empty.
    pub ramps: Option<Legs<f64>>,
}

/// Settings of a path over Starlink.
#[derive(Clone, Debug, PartialEq)]
pub struct Starlink {
    /// Distributions of rate, delay and loss.
    pub preset: &'static starlink::Preset,
    /// Second of the minute at which the run starts.
    pub phase: Span,
    /// Round-trip time of the terrestrial part.
    pub rtt: Span,
    /// Queues of the uplink and the downlink.
    pub queues: [Queue; 2],
    /// Random loss on the uplink and the downlink outside the boundaries of the 15 s slots.
    pub losses: [Losses; 2],
}

/// Flows with the same settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Flow {
    /// Name in tables. If `count` exceeds 1, the index of the flow is appended.
    pub name: String,
    /// Number of flows.
    pub count: u32,
    /// Site of the sender of the data.
    pub from: String,
    /// Site of the receiver of the data.
    pub to: String,
    /// Link between each host and its site. Every sender and every receiver has such a link of its own.
    pub access: Option<AccessLink>,
    /// Great-circle distance between sender and receiver, if the file states one.
    pub distance: Option<Distance>,
    /// Whether queues of discipline "priority" send the packets of these flows first.
    pub urgent: bool,
    /// Time at which the first flow starts.
    pub start: Time,
    /// Interval between the starts of two consecutive flows.
    pub stagger: Span,
    /// Time at which the flows stop sending; `None`: the end of the run.
    pub stop: Option<Time>,
    /// Kind of flow, with the settings of this kind.
    pub kind: FlowKind,
}

/// Kinds of flows, with their settings.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "one per entry of a scenario; most are TCP")]
pub enum FlowKind {
    /// A TCP connection.
    Tcp {
        /// The controller and its parameters.
        controller: ControllerChoice,
        /// Transport settings.
        config: tcp::Config,
        /// What the application sends.
        transfer: tcp::Transfer,
    },
    /// One connection of a QUIC library.
    Quic {
        /// The controller and its parameters.
        controller: ControllerChoice,
        /// Settings of the connection.
        config: QuicConfig,
        /// What the application sends.
        transfer: tcp::Transfer,
    },
    /// Users at the site `to` who fetch data from servers at the site `from` over many connections.
    Application {
        /// Controller of the servers' connections. The users' connections, which carry requests, use the same
        /// controller.
        controller: ControllerChoice,
        /// Settings of every connection.
        transport: TransportConfig,
        /// Times at which visits start.
        begin: traffic::Begin,
        /// What happens in a visit.
        model: traffic::Model,
    },
    /// UDP at a constant bit rate.
    Cbr {
        /// Rate on the wire.
        rate: Rate,
        /// Packet size on the wire.
        packet: Bytes,
        /// Periods in which the flow sends; `None`: always.
        on_off: Option<OnOff>,
    },
    /// Echo packets: the receiver returns each packet.
    Ping {
        /// Interval between packets.
        interval: Span,
        /// Packet size on the wire, in both directions.
        packet: Bytes,
    },
    /// A call: frames in both directions.
    Call(Call),
    /// Packets of programs outside the simulator, in both directions. Only the emulator makes flows of this kind; a
    /// scenario file cannot contain one.
    Tap {
        /// Size of the largest packet, including its IP header.
        mtu: Bytes,
    },
}

/// Settings of the connections of an application, by transport protocol.
#[derive(Clone, Debug, PartialEq)]
pub enum TransportConfig {
    /// TCP.
    Tcp(tcp::Config),
    /// QUIC.
    Quic(QuicConfig),
}

/// A congestion controller, and the parameters that the scenario sets.
#[derive(Clone, Debug, PartialEq)]
pub struct ControllerChoice {
    /// Name of the controller in the controller catalogue (`control::catalogue`).
    pub name: String,
    /// Names and values of the parameters that the scenario sets, in the order of the file.
    pub parameters: Vec<(String, Value)>,
}

/// Value of a controller's parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// Text.
    Text(String),
    /// True or false.
    Flag(bool),
}

impl Value {
    /// Returns the value in the type that the controller catalogue accepts.
    pub fn of_catalogue(&self) -> catalogue::Value<'_> {
        match self {
            Self::Number(number) => catalogue::Value::Number(*number),
            Self::Text(text) => catalogue::Value::Text(text),
            Self::Flag(flag) => catalogue::Value::Flag(*flag),
        }
    }
}

/// Link between a host and its site, the same in both directions: the key `access` of a flow.
#[derive(Clone, Debug, PartialEq)]
pub struct AccessLink {
    /// Rate, queue and losses.
    pub link: LinkSpec,
    /// One-way delay.
    pub delay: Span,
}

/// Performance-enhancing proxies (RFC 3135) that split TCP connections: each connection ends at the proxy, and the
/// proxy opens another connection for the rest of the path.
#[derive(Clone, Debug, PartialEq)]
pub struct Pep {
    /// Places of the proxies: names of sites, or [`Pep::GATEWAY`]. The path of a flow passes one or two of them.
    pub at: Vec<String>,
    /// Largest number of buffered bytes for each flow. A byte is in the buffer from its arrival until the receiver of
    /// the next connection acknowledges it.
    pub buffer: Bytes,
    /// Controller of the connection that starts at the first proxy on a flow's path; `None`: the controller of the
    /// flow.
    pub controller: Option<ControllerChoice>,
    /// TCP settings of the proxies; `None`: the settings of the flow.
    pub tcp: Option<OwnTcp>,
    /// Names of the flows whose connections are split; `*` matches any text. Empty: all TCP flows on these paths.
    pub flows: Vec<String>,
    /// Times at which the proxies lose their state, in order.
    pub resets: Vec<Time>,
    /// Time until an application tries again after a proxy resets its connection; `None`: the application does not try
    /// again.
    pub retry: Option<Span>,
    /// What happens to a proxy at a gateway when the path changes to another gateway.
    pub on_handover: OnHandover,
}

impl Pep {
    /// Place of a proxy that is always at the gateway of the current path.
    pub const GATEWAY: &'static str = "gateway";

    /// Default of [`Pep::retry`]. The manual of curl, `--retry`, states one second before the first new attempt.
    pub const RETRY: Span = Span::from_secs(1);
}

/// What happens to a proxy at a gateway when the path changes to another gateway.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnHandover {
    /// The proxy at the new gateway does not know the connections, so they end with a reset.
    Reset,
    /// The state moves to the new gateway. The proxy works again after this span, counted from the handover.
    Move(Span),
}

/// Part of the run that is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Start of the part.
    pub from: Time,
    /// End of the part.
    pub to: Time,
}

/// What a run records.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Interval between samples of flows and links; `None`: no samples.
    pub interval: Option<Span>,
    /// Whether each loss, cut, phase change and path change is recorded, as one row.
    pub events: bool,
    /// Part of the run in which every packet is recorded; `None`: no packets.
    pub packets: Option<Window>,
    /// The flows and links whose packets are captured into files.
    pub capture: Capture,
}

/// Capture files of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Capture {
    /// Names of the flows whose packets are captured at both ends. Where proxies split a flow, the packets are captured
    /// at both ends of each connection.
    pub pcap: Vec<String>,
    /// Names of the links at whose ends packets are captured; `*` matches any text. If `pcap` is empty, all packets are
    /// captured.
    pub pcap_links: Vec<String>,
    /// Whether captured packets have IPv6 headers.
    pub ipv6: bool,
    /// Names of the TCP flows that write qlog files: one file for the sender of each connection.
    pub qlog: Vec<String>,
    /// Number of bytes that are kept of each packet; `None`: the headers.
    pub snap: Option<Bytes>,
}
