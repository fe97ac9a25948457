// SPDX-License-Identifier: MIT OR Apache-2.0
//! A scenario after reading and checking: quantities are numbers, every default is filled in.

use crate::{Budget, Call, OnOff, Origin, OwnTcp, QuicConfig};
use control::catalogue;
use link::{Carrier, Delay, Impairment, Legs, LinkSpec, LossList, Queue, TraceEnd, starlink};
use std::path::PathBuf;
use std::sync::Arc;
use topology::{ConstellationSpec, Site, Turns};
use units::{Bytes, Distance, Rate, Span, Time};

/// One experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Title.
    pub name: String,
    /// How long the run lasts.
    pub duration: Span,
    /// Root of all random streams.
    pub seed: u64,
    /// Time at the start of the run that the summary's means leave out.
    pub warm_up: Span,
    /// The network.
    pub network: NetworkChoice,
    /// The preset that the network comes from, if any.
    pub origin: Option<Origin>,
    /// Flows learn of path changes this long before they happen.
    pub announce: Span,
    /// Largest error of the announced time, in either direction.
    pub announce_error: Span,
    /// The flows, in the order of the file; a flow with [`Flow::count`] above 1 is one entry.
    pub flows: Vec<Flow>,
    /// Proxies that split connections.
    pub peps: Vec<Pep>,
    /// What is recorded.
    pub record: Record,
}

/// Which network.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "a scenario has one of them")]
pub enum NetworkChoice {
    /// Satellites.
    Constellation {
        /// Satellites, links, rules.
        spec: ConstellationSpec,
        /// The ground sites that flows use, each once, in order of first use.
        sites: Vec<Site>,
        /// Budgets of the user links up and down, and of the feeder links up and down.
        budgets: [Option<Arc<Budget>>; 4],
    },
    /// Two routers and one bottleneck; sites "left" and "right". The delay is half the round trip per direction.
    Dumbbell {
        /// Link from left to right.
        forward: Wire,
        /// Link from right to left.
        reverse: Wire,
    },
    /// Routers in a row: `links[i]` joins router i and i+1, the same in both directions; sites "0", "1", ….
    Chain {
        /// The links in order.
        links: Vec<Wire>,
    },
    /// A hub and branches: `branches[i]` joins the hub to the site of that name, the same in both directions.
    /// The hub itself is the site "hub".
    Star {
        /// Site name and link.
        branches: Vec<(String, Wire)>,
        /// Carriers that they share towards the hub.
        carriers: ReturnCarriers,
        /// Carriers that they share from the hub.
        forward: ForwardCarriers,
    },
    /// A path over Starlink: sites "dish" and "server".
    Starlink(Starlink),
}

/// Carriers on which branches transmit to the hub, in granted slots.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReturnCarriers {
    /// The carriers with their names; see [`link::Dama::carrier`].
    pub carriers: Vec<(String, Carrier)>,
    /// Rate of each branch in its slots, in order; `None`: the carrier's rate. Empty if all use the carrier's rate.
    pub paces: Vec<Option<WireService>>,
}

impl ReturnCarriers {
    /// The rate in its slots of the branch at that place; `None`: the carrier's rate, or the branch shares no carrier.
    pub fn pace(&self, branch: usize) -> Option<&WireService> {
        self.paces.get(branch)?.as_ref()
    }

    /// The rate of that branch in clear sky: the highest of its steps, or its budget's rate without rain; `None`: the
    /// carrier's rate, or the branch shares no carrier.
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

/// A carrier on which a hub transmits to branches, one packet after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForwardCarrier {
    /// Its name.
    pub name: String,
    /// The rate with the highest modulation and code.
    pub rate: Rate,
    /// What a turn is charged by.
    pub turns: Turns,
}

/// Carriers on which a hub transmits to branches.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ForwardCarriers {
    /// The carriers, in the order of the file.
    pub carriers: Vec<ForwardCarrier>,
    /// Carrier, weight and priority of each branch, in order. Empty if no branch shares a carrier.
    pub turns: Vec<Option<ForwardTurn>>,
}

/// A branch's place on a carrier from the hub.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForwardTurn {
    /// Index of the carrier.
    pub carrier: u16,
    /// Share, against others of the same class.
    pub weight: u16,
    /// Branches of a higher class go first.
    pub class: u8,
}

impl ForwardCarriers {
    /// The carrier, weight and priority of that branch; `None`: its link from the hub is its own.
    pub fn of(&self, branch: usize) -> Option<ForwardTurn> {
        *self.turns.get(branch)?
    }
}

/// A link of a plain network.
#[derive(Clone, Debug, PartialEq)]
pub struct Wire {
    /// Queue, loss and the rest; its rate counts where `service` is [`WireService::Constant`].
    pub spec: LinkSpec,
    /// Its rate.
    pub service: WireService,
    /// Propagation.
    pub delay: WireDelay,
    /// File of the rate or delay that `service` and `delay` leave to it, and of loss over time.
    pub path_trace: Option<PathBuf>,
    /// What follows at the end of its traces; `None`: each trace's default.
    pub trace_end: Option<TraceEnd>,
}

/// Rate of a plain link.
#[derive(Clone, Debug, PartialEq)]
pub enum WireService {
    /// Constant.
    Constant,
    /// Changes in steps.
    Steps(link::RateSchedule),
    /// Follows the time of day.
    ByHour(link::sight::ByHour),
    /// Follows a mahimahi trace.
    Trace(PathBuf),
    /// Follows a link budget.
    Budget(Arc<Budget>),
    /// Follows the path trace.
    PathTrace,
}

/// Propagation delay of a plain link.
#[derive(Clone, Debug, PartialEq)]
pub enum WireDelay {
    /// Constant or in steps.
    Given(Delay),
    /// Follows a file of delays.
    Trace(PathBuf),
    /// Follows the path trace.
    PathTrace,
}

/// Losses of a link.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Losses {
    /// Random loss with constant parameters.
    pub chance: Impairment,
    /// Listed losses.
    pub listed: Option<Arc<LossList>>,
    /// Additional random loss, with these probabilities from these times on.
    pub steps: Arc<[(Time, f64)]>,
    /// The same if one of the steps is a ramp; `steps` is empty then.
    pub ramps: Option<Legs<f64>>,
}

/// A path over Starlink.
#[derive(Clone, Debug, PartialEq)]
pub struct Starlink {
    /// Distributions of rate, delay and loss.
    pub preset: &'static starlink::Preset,
    /// Second of the minute at the start of the run.
    pub phase: Span,
    /// Round-trip time of the terrestrial part.
    pub rtt: Span,
    /// Queues up and down.
    pub queues: [Queue; 2],
    /// Random loss away from the boundaries, up and down.
    pub losses: [Losses; 2],
}

/// Flows with the same settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Flow {
    /// Name for tables; the index is appended where `count` is more than one.
    pub name: String,
    /// Number of flows.
    pub count: u32,
    /// Site where the data comes from: a name of the network's sites.
    pub from: String,
    /// Site where the data goes.
    pub to: String,
    /// Link of each sender and each receiver to its site (one of its own per flow and end).
    pub access: Option<AccessLink>,
    /// Great-circle distance between the ends, if the file has it.
    pub distance: Option<Distance>,
    /// Whether its packets go first in queues of discipline "priority".
    pub urgent: bool,
    /// When the first of them starts.
    pub start: Time,
    /// Time between the starts of two flows.
    pub stagger: Span,
    /// When they stop sending, if before the end of the run.
    pub stop: Option<Time>,
    /// Kind, with the settings of that kind.
    pub kind: FlowKind,
}

/// Kinds of flows.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "one per entry of a scenario; most are TCP")]
pub enum FlowKind {
    /// TCP.
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
    /// Users at the site `to`, who fetch from servers at `from`, over many connections.
    Application {
        /// The controller of the servers' connections and, for requests, of the users' connections.
        controller: ControllerChoice,
        /// Settings of each connection.
        transport: TransportConfig,
        /// When visits begin.
        begin: traffic::Begin,
        /// What a visit is.
        model: traffic::Model,
    },
    /// Constant-bit-rate UDP.
    Cbr {
        /// Rate on the wire.
        rate: Rate,
        /// Packet size on the wire.
        packet: Bytes,
        /// When it sends; `None`: always.
        on_off: Option<OnOff>,
    },
    /// Echoes: the other end returns each packet.
    Ping {
        /// Interval between packets.
        interval: Span,
        /// Packet size on the wire, both ways.
        packet: Bytes,
    },
    /// A call: frames both ways.
    Call(Call),
    /// Packets of programs outside the simulator, both ways. Only the emulator makes flows of this kind; a file has
    /// none.
    Tap {
        /// Largest packet, with its IP header.
        mtu: Bytes,
    },
}

/// Settings of the connections of an application.
#[derive(Clone, Debug, PartialEq)]
pub enum TransportConfig {
    /// TCP.
    Tcp(tcp::Config),
    /// QUIC.
    Quic(QuicConfig),
}

/// A controller by name, with its parameters other than the defaults.
#[derive(Clone, Debug, PartialEq)]
pub struct ControllerChoice {
    /// Name in the catalogue.
    pub name: String,
    /// Parameters in the order of the file.
    pub parameters: Vec<(String, Value)>,
}

/// A parameter's value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// A word.
    Text(String),
    /// True or false.
    Flag(bool),
}

impl Value {
    /// The value as the catalogue of controllers takes it.
    pub fn of_catalogue(&self) -> catalogue::Value<'_> {
        match self {
            Self::Number(number) => catalogue::Value::Number(*number),
            Self::Text(text) => catalogue::Value::Text(text),
            Self::Flag(flag) => catalogue::Value::Flag(*flag),
        }
    }
}

/// Link of a host to its site, the same in both directions: the key `access` of a flow.
#[derive(Clone, Debug, PartialEq)]
pub struct AccessLink {
    /// Rate, queue, loss.
    pub link: LinkSpec,
    /// One-way delay.
    pub delay: Span,
}

/// Performance-enhancing proxies (RFC 3135) that split TCP connections: each connection ends there, and a new one
/// begins.
#[derive(Clone, Debug, PartialEq)]
pub struct Pep {
    /// The places of the proxies: sites, or [`Pep::GATEWAY`]. A flow passes one or two of them.
    pub at: Vec<String>,
    /// Largest buffer for a flow: bytes that arrived and that the next connection's receiver has not acknowledged.
    pub buffer: Bytes,
    /// Controller of the connection that begins at the first proxy on a flow's path; `None`: the flow's.
    pub controller: Option<ControllerChoice>,
    /// TCP settings of the proxies; `None`: the flow's.
    pub tcp: Option<OwnTcp>,
    /// Names of the flows that are split, `*` matches anything; empty: all TCP flows on these paths.
    pub flows: Vec<String>,
    /// Times at which they lose their state, in order.
    pub resets: Vec<Time>,
    /// Time before an application retries after a proxy reset its connection; `None`: it does not retry.
    pub retry: Option<Span>,
    /// What happens to a proxy at a gateway at a handover to another gateway.
    pub on_handover: OnHandover,
}

impl Pep {
    /// The place "at the gateway of the path", whichever gateway that is at the time.
    pub const GATEWAY: &'static str = "gateway";

    /// Default time before an application retries. curl's manual, `--retry`: before the first retry of a transfer it
    /// waits one second.
    pub const RETRY: Span = Span::from_secs(1);
}

/// What happens to a proxy at a gateway at a handover to another gateway.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnHandover {
    /// The proxy at the new gateway has no state of the connections: they end.
    Reset,
    /// The state moves to the new gateway, and the proxy works again this long after the handover.
    Move(Span),
}

/// Part of the run that is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Start.
    pub from: Time,
    /// End.
    pub to: Time,
}

/// What is recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Interval of the samples of flows and links; `None` records no series.
    pub interval: Option<Span>,
    /// Whether losses, cuts, phase changes and path changes are recorded, one row each.
    pub events: bool,
    /// Part of the run in which every packet is recorded.
    pub packets: Option<Window>,
    /// Flows that are captured.
    pub capture: Capture,
}

/// Captures into files of the run folder.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Capture {
    /// Names of the flows whose packets are captured, at both ends of each part where proxies split them.
    pub pcap: Vec<String>,
    /// Names of the links at whose ends packets are captured (all packets, if no flow is named); `*` matches anything.
    pub pcap_links: Vec<String>,
    /// Whether captured packets have IPv6 headers.
    pub ipv6: bool,
    /// Names of the TCP flows that write a qlog, one for the sender of each part.
    pub qlog: Vec<String>,
    /// Bytes kept of each packet; `None`: its headers.
    pub snap: Option<Bytes>,
}
