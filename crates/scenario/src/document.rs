// SPDX-License-Identifier: MIT OR Apache-2.0
//! A scenario after reading and checking: no text left where a quantity belongs, every default filled in.

use crate::{Budget, Call, OnOff, Origin, OwnTcp};
use control::catalogue;
use link::{Carrier, Delay, Impairment, Legs, LinkSpec, LossList, Queue, TraceEnd, starlink};
use std::path::PathBuf;
use std::sync::Arc;
use topology::{ConstellationSpec, Site, Turns};
use units::{Bytes, Distance, Rate, Span, Time};

/// One experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Title for people.
    pub name: String,
    /// How long the run lasts.
    pub duration: Span,
    /// Root of all random streams.
    pub seed: u64,
    /// Left out of the summary's means at the start of the run.
    pub warm_up: Span,
    /// The network.
    pub network: NetworkChoice,
    /// Where the network comes from, if it is a preset's.
    pub origin: Option<Origin>,
    /// Flows are told of path changes so long before they happen.
    pub announce: Span,
    /// The announced time is off by up to so much, either way.
    pub announce_error: Span,
    /// The flows, in the order of the file; `count` already multiplied out by [`Flow::count`] readers.
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
        /// Left to right.
        forward: Wire,
        /// Right to left.
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
        /// Carriers that they share on the way to the hub.
        carriers: ReturnCarriers,
        /// Carriers that they share on the way from the hub.
        forward: ForwardCarriers,
    },
    /// A path over Starlink: sites "dish" and "server".
    Starlink(Starlink),
}

/// Carriers on which branches send to the hub, in what they are granted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReturnCarriers {
    /// They, with their names; see [`link::Dama::carrier`].
    pub carriers: Vec<(String, Carrier)>,
    /// Of each branch, in their order: how fast it sends in its slots; `None`: at the carrier's rate. Empty where all do.
    pub paces: Vec<Option<WireService>>,
}

impl ReturnCarriers {
    /// How fast the branch of that place sends in its slots; `None`: at the carrier's rate, or it shares none.
    pub fn pace(&self, branch: usize) -> Option<&WireService> {
        self.paces.get(branch)?.as_ref()
    }

    /// What it sends at there in clear sky: the highest of its steps, or what its budget has without rain; `None`: the carrier's
    /// rate, or it shares none.
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

/// A carrier on which a hub sends to branches, one packet after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForwardCarrier {
    /// Its name.
    pub name: String,
    /// What it sends at with the highest modulation and code.
    pub rate: Rate,
    /// What a turn is charged with.
    pub turns: Turns,
}

/// Carriers on which a hub sends to branches.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ForwardCarriers {
    /// They, in the order of the file.
    pub carriers: Vec<ForwardCarrier>,
    /// Of each branch, in their order: which it shares, and with what right. Empty where none does.
    pub turns: Vec<Option<ForwardTurn>>,
}

/// The right of a branch to a carrier from the hub.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForwardTurn {
    /// Place of the carrier among them.
    pub carrier: u16,
    /// Share, against others of its class.
    pub weight: u16,
    /// Branches of a higher class go first.
    pub class: u8,
}

impl ForwardCarriers {
    /// The right of the branch of that place; `None`: the way to it is its own.
    pub fn of(&self, branch: usize) -> Option<ForwardTurn> {
        *self.turns.get(branch)?
    }
}

/// A link of a plain network.
#[derive(Clone, Debug, PartialEq)]
pub struct Wire {
    /// Queue, loss and the rest; its rate counts where `service` is [`WireService::Constant`].
    pub spec: LinkSpec,
    /// How fast it sends.
    pub service: WireService,
    /// Propagation.
    pub delay: WireDelay,
    /// The file of what the two leave to it, and of loss over time.
    pub path_trace: Option<PathBuf>,
    /// What follows where its traces end; `None`: as each of them has it.
    pub trace_end: Option<TraceEnd>,
}

/// How fast a plain link sends.
#[derive(Clone, Debug, PartialEq)]
pub enum WireService {
    /// At one rate.
    Constant,
    /// At rates that change in steps.
    Steps(link::RateSchedule),
    /// By the time of day.
    ByHour(link::sight::ByHour),
    /// As a mahimahi trace says.
    Trace(PathBuf),
    /// As a link budget says.
    Budget(Arc<Budget>),
    /// As the path trace says.
    PathTrace,
}

/// Propagation delay of a plain link.
#[derive(Clone, Debug, PartialEq)]
pub enum WireDelay {
    /// Constant or in steps.
    Given(Delay),
    /// As a file of delays says.
    Trace(PathBuf),
    /// As the path trace says.
    PathTrace,
}

/// Losses of a link.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Losses {
    /// By chance, always the same.
    pub chance: Impairment,
    /// Listed ones.
    pub listed: Option<Arc<LossList>>,
    /// By chance on top, with these probabilities from these times on.
    pub steps: Arc<[(Time, f64)]>,
    /// The same where one of the steps is a ramp; then there are no others.
    pub ramps: Option<Legs<f64>>,
}

/// A path over Starlink.
#[derive(Clone, Debug, PartialEq)]
pub struct Starlink {
    /// Distributions of rate, delay and loss.
    pub preset: &'static starlink::Preset,
    /// How far into a minute the run begins.
    pub phase: Span,
    /// Round-trip time of the terrestrial rest.
    pub rtt: Span,
    /// Queues up and down.
    pub queues: [Queue; 2],
    /// Loss between the boundaries, up and down.
    pub losses: [Losses; 2],
}

/// Flows of one kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Flow {
    /// Name for tables; the index is appended where `count` is more than one.
    pub name: String,
    /// How many of them.
    pub count: u32,
    /// Site where the data comes from: a name of the network's sites.
    pub from: String,
    /// Site where it goes.
    pub to: String,
    /// Link of each sender and each receiver to its site (one of its own per flow and end).
    pub access: Option<AccessLink>,
    /// Great-circle distance between the ends, where it is stated.
    pub distance: Option<Distance>,
    /// Whether its packets go first in queues of discipline "priority".
    pub urgent: bool,
    /// When the first of them starts.
    pub start: Time,
    /// The next one starts so much later.
    pub stagger: Span,
    /// When they stop sending, if before the end.
    pub stop: Option<Time>,
    /// What they are.
    pub kind: FlowKind,
}

/// What a flow is.
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
    /// Users at the site where the data goes, who fetch from servers where it comes from, over many connections.
    Application {
        /// The controller of the servers' connections and, of requests, of the users'.
        controller: ControllerChoice,
        /// Transport settings of each connection.
        config: tcp::Config,
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
    /// Echoes: what arrives comes back.
    Ping {
        /// One leaves every so often.
        interval: Span,
        /// Packet size on the wire, both ways.
        packet: Bytes,
    },
    /// A call: frames both ways.
    Call(Call),
}

/// A controller by name, with parameters that differ from its preset.
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
    /// A switch.
    Flag(bool),
}

impl Value {
    /// As the catalogue of controllers takes it.
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

/// Performance-enhancing proxies (RFC 3135) that split TCP connections: each ends there, and a new one begins.
#[derive(Clone, Debug, PartialEq)]
pub struct Pep {
    /// The places where they stand, one or two: sites, or [`Pep::GATEWAY`].
    pub at: Vec<String>,
    /// What each holds of a flow at most: bytes that came in and are not acknowledged by the next connection's receiver.
    pub buffer: Bytes,
    /// Controller of the connection that begins at the first of them on a flow's way; `None`: the flow's.
    pub controller: Option<ControllerChoice>,
    /// What they say of TCP; `None`: theirs is the flow's.
    pub tcp: Option<OwnTcp>,
    /// Names of the flows that are split, `*` for anything; empty: all TCP flows that pass.
    pub flows: Vec<String>,
    /// When they lose their state, in order.
    pub resets: Vec<Time>,
    /// How long an application waits before it begins anew what a proxy broke; `None`: it does not.
    pub retry: Option<Span>,
    /// What happens to one at a gateway when the path hands over to another.
    pub on_handover: OnHandover,
}

impl Pep {
    /// The place that is the gateway of the path, whichever that is at the time.
    pub const GATEWAY: &'static str = "gateway";

    /// How long an application waits unless it is said. curl's manual, `--retry`: before it retries a transfer it waits one
    /// second at first.
    pub const RETRY: Span = Span::from_secs(1);
}

/// What happens to a proxy at a gateway when the path hands over to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnHandover {
    /// The proxy at the other gateway knows nothing of the connections: they end.
    Reset,
    /// Its state moves there and is at work again so long after the handover.
    Move(Span),
}

/// Part of the run for which something is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// From.
    pub from: Time,
    /// To.
    pub to: Time,
}

/// What is recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Interval of the samples of flows and links; `None` records no series.
    pub interval: Option<Span>,
    /// Losses, cuts, phase and path changes, one row each.
    pub events: bool,
    /// Every packet, in this window.
    pub packets: Option<Window>,
    /// Flows that are captured.
    pub capture: Capture,
}

/// What is captured of which flows, into files of their own in the run folder.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Capture {
    /// Names of the flows whose packets are captured, at both ends of each part where proxies split them.
    pub pcap: Vec<String>,
    /// Names of the links at whose ends they are captured (all packets, where no flow is named); `*` stands for anything.
    pub pcap_links: Vec<String>,
    /// Whether hosts speak IPv6 in the captures.
    pub ipv6: bool,
    /// Names of the TCP flows that write a qlog, one for the sender of each part.
    pub qlog: Vec<String>,
    /// Bytes of a packet that are kept; `None`: its headers.
    pub snap: Option<Bytes>,
}
