// SPDX-License-Identifier: MIT OR Apache-2.0
//! A real QUIC library (noq) as an endpoint of the simulator, in virtual time.
//!
//! The library is a pure state machine. It accepts datagrams and times, and returns datagrams and the time of its next
//! timer. Its packets contain real bytes with TLS 1.3, and use the same links and queues as TCP.
//!
//! - A flow is one connection ([`Pair`]). Its sender opens the connection, and sends data in streams that follow each
//!   other.
//! - An application has one endpoint of the library at each host, with many connections ([`Hosts`]). The users open
//!   QUIC connections where they would otherwise open TCP connections, and make the same visits ([`traffic::Model`]).
//!   Each request is the users' half of a bidirectional stream, and its answer is the servers' half. This is not
//!   HTTP/3, because no headers are sent. Packets carry the number of their connection as their stream, which queues
//!   and captures use.
//!
//! Receivers check every byte. If the library closes a connection of a visit, the visit repeats its open requests on
//! another connection, and a finding counts the closed connection.
//!
//! Runs repeat byte for byte. All random bytes come from the random stream of the endpoint ([`draws`]), certificates
//! and keys are constant ([`tls`]), and instants count from time zero ([`clock`]). An additional flow does not change
//! the bytes of other flows.
//!
//! The state of a connection cannot be saved or copied, because the library supports neither.

mod arrivals;
mod clock;
mod connections;
mod content;
mod controlled;
mod draws;
mod library;
mod log;
mod null_keys;
mod servers;
mod sink;
mod source;
mod streams;
mod tls;
mod users;

pub use self::servers::QuicServers;
pub use self::sink::QuicSink;
pub use self::source::{QuicSource, Sending};
pub(crate) use self::tls::KeyLog;
pub use self::users::QuicUsers;

use crate::application::Application;
use control::catalogue::Value;
use controlled::Controlled;
use library::{Host, earlier_connection};
use log::LibraryLog;
use quic::{Hints, NoqOwn, NoqOwnFactory, Pacing, Refused, Setup, Watch};
use random::{Draw as _, SeedableRng as _, SplitMix64, stream_seed};
use saved::{Damaged, Reader, Saved, Writer};
use scenario::{ControllerSource, Keys, QuicConfig};
use std::sync::Arc;
use streams::Requests;
use units::{Span, Time};

/// The QUIC library and its version.
pub const LIBRARY: &str = "noq-proto 1.4.0";

/// Information about connections that the library closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Closed {
    /// Time at which the first of these connections was closed.
    pub at: Time,
    /// Reason of the first closed connection, in the words of the library.
    pub reason: String,
    /// Number of connections that the library closed.
    pub connections: u64,
}

/// Counts that exist only for a sender of QUIC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QuicCounts {
    /// Time from the start of the flow until the handshake was complete, or `None` if it is not complete yet.
    pub handshake: Option<Span>,
    /// Largest UDP payload that the path has carried, in bytes.
    pub datagram: u32,
    /// Number of times that flow control of the connection or of a stream has stopped the sender.
    pub blocked: u64,
    /// Number of times that persistent congestion was established (RFC 9002, section 7.6).
    pub persistent_congestions: u64,
    /// Number of congestion events that proved to be spurious, as counted by the library.
    pub spurious: u64,
}

impl QuicCounts {
    /// Returns the sum of the counts of two connections. The time of the handshake is omitted.
    const fn and(self, other: &Self) -> Self {
        Self {
            handshake: None,
            datagram: if self.datagram > other.datagram { self.datagram } else { other.datagram },
            blocked: self.blocked + other.blocked,
            persistent_congestions: self.persistent_congestions + other.persistent_congestions,
            spurious: self.spurious + other.spurious,
        }
    }
}

/// A QUIC connection between two endpoints.
pub struct Pair {
    /// The side that opens the connection and sends data.
    pub source: QuicSource,
    /// The side that accepts the connection and receives data.
    pub sink: QuicSink,
}

/// The controller of a QUIC connection.
#[derive(Clone, Debug)]
pub struct QuicController<'a> {
    /// Name of the controller in the catalogue.
    pub name: &'a str,
    /// Parameters whose values differ from those in the catalogue.
    pub parameters: &'a [(&'a str, Value<'a>)],
    /// Information about the path, for controllers that use it.
    pub hints: Option<Hints>,
}

impl QuicController<'_> {
    /// Returns the controller for connections with `config`. A controller that draws random numbers uses `seed`.
    ///
    /// # Errors
    /// If the controller requires a signal that the library does not provide.
    pub fn setup(&self, config: &QuicConfig, seed: u64) -> Result<Setup, Refused> {
        let pacing = if config.pacing { Pacing::Controller } else { Pacing::Off };
        let setup = Setup::new(self.name, self.parameters)?
            .seed(seed)
            .epoch(clock::zero())
            .initial_window(config.initial_window)
            .saved_path(config.saved_path)
            .pacing(pacing);
        Ok(match &self.hints {
            Some(hints) => setup.hints(hints.clone()),
            None => setup,
        })
    }
}

impl Pair {
    /// Creates both ends of a flow. Each end has its own random stream, which is derived from `seed`.
    ///
    /// # Errors
    /// If the controller requires a signal that the library does not provide.
    ///
    /// # Panics
    /// If the TLS library refuses the fixed certificate. This would be a defect of this crate.
    pub fn new(
        config: &QuicConfig,
        controller: &QuicController<'_>,
        sending: Sending,
        seed: u64,
    ) -> Result<Self, Refused> {
        #[expect(clippy::expect_used, reason = "certificate and cipher suite are fixed")]
        let configs =
            tls::configs(config.keys == Keys::Real, config.zero_rtt).expect("the TLS configuration is valid");
        let of = |name| stream_seed(seed, name);
        if config.zero_rtt {
            earlier_connection(config, &configs, of("earlier connection"));
        }
        let watch = Watch::recording();
        let factory: library::Factory = match (config.controllers, controller.name) {
            (ControllerSource::Library, name) => {
                let own = if name == "cubic" { NoqOwn::Cubic } else { NoqOwn::NewReno };
                let initial = Some(config.initial_window);
                Arc::new(NoqOwnFactory::new(own, initial, clock::zero(), watch.clone())?)
            }
            (ControllerSource::Bentpipe, _) => {
                Arc::new(controller.setup(config, seed)?.watch(watch.clone()).noq()?)
            }
        };
        let qlog = LibraryLog::default();
        let client = Host::client(config, &configs, Some(factory), Some(qlog.clone()), of("client"));
        let server = Host::server(config, &configs, None, of("server"));
        let source = QuicSource::new(client, watch, qlog, controller.hints.clone(), config.clone(), sending);
        let sink = QuicSink::new(server, config.stream_size, sending.transfer);
        Ok(Self { source, sink })
    }
}

/// The hosts of an application over QUIC.
pub struct Hosts {
    /// The side that sends answers.
    pub servers: QuicServers,
    /// The side that opens connections and sends requests.
    pub users: QuicUsers,
}

impl Hosts {
    /// Creates both hosts. `answers` controls what the servers send, and `requests` controls what the users send. Each
    /// host has its own random stream, which is derived from `seed`. If `log` is true, the servers store a row for
    /// every event.
    ///
    /// # Errors
    /// If a controller requires a signal that the library does not provide.
    ///
    /// # Panics
    /// If the TLS library refuses the fixed certificate. This would be a defect of this crate.
    pub fn new(
        config: &QuicConfig,
        [answers, requests]: [&QuicController<'_>; 2],
        application: Application,
        seed: u64,
        log: bool,
    ) -> Result<Self, Refused> {
        #[expect(clippy::expect_used, reason = "certificate and cipher suite are fixed")]
        let configs =
            tls::configs(config.keys == Keys::Real, config.zero_rtt).expect("the TLS configuration is valid");
        let (config, configs) = (Arc::new(config.clone()), Arc::new(configs));
        let of = |name| stream_seed(seed, name);
        let maker = |controller: &QuicController<'_>, name| {
            let (setup, hints) = (controller.setup(&config, seed)?, controller.hints.clone());
            setup.noq()?;
            Ok(Maker { config: config.clone(), configs: configs.clone(), setup, hints, seed: of(name) })
        };
        let asked = Requests::default();
        let resumed = config.zero_rtt.then(|| Resumed::new(of("earlier connections")));
        Ok(Self {
            servers: QuicServers::new(
                maker(answers, "controllers of answers")?,
                asked.clone(),
                of("server"),
                log,
            ),
            users: QuicUsers::new(
                application,
                maker(requests, "controllers of requests")?,
                asked,
                resumed,
                of("client"),
            ),
        })
    }
}

/// The settings from which a host of an application creates its connections.
struct Maker {
    config: Arc<QuicConfig>,
    configs: Arc<tls::Configs>,
    setup: Setup,
    hints: Option<Hints>,
    /// Seed of the random choices of controllers.
    seed: u64,
}

impl Maker {
    /// Creates the controller of connection `number`, and a view of this controller.
    fn controller(&self, number: u32) -> (library::Factory, Controlled) {
        let seed = SplitMix64::seed_from_u64(self.seed ^ u64::from(number)).word();
        let watch = Watch::recording();
        let setup = self.setup.clone().seed(seed).watch(watch.clone());
        // The same setup has succeeded before, so it cannot be refused.
        let factory = setup.noq().unwrap_or_else(|refused| unreachable!("{refused}"));
        (Arc::new(factory), Controlled::new(watch, &self.config))
    }
}

/// Earlier connections of clients, which left session tickets. They took place outside of the simulated network.
struct Resumed {
    seed: u64,
    count: u64,
}

impl Resumed {
    const fn new(seed: u64) -> Self {
        Self { seed, count: 0 }
    }

    /// Performs an earlier connection if the client has no ticket.
    fn replenish(&mut self, maker: &Maker) {
        if maker.configs.tickets.is_empty() {
            self.count += 1;
            earlier_connection(&maker.config, &maker.configs, self.seed.wrapping_add(self.count));
        }
    }
}

macro_rules! neither_copied_nor_saved {
    ($($end:ty),+) => {
        $(
            /// A session with QUIC is never copied, because `Session::fork` refuses it.
            impl Clone for $end {
                fn clone(&self) -> Self {
                    unreachable!("a QUIC connection was copied")
                }
            }

            /// A session with QUIC is never saved, because `Session::save` refuses it.
            impl Saved for $end {
                fn save_to(&self, _to: &mut Writer) {}
                fn load_from(&mut self, from: &mut Reader<'_>) -> Result<(), Damaged> {
                    Err(from.damaged::<Self>())
                }
            }
        )+
    };
}

neither_copied_nor_saved!(QuicSource, QuicSink, QuicServers, QuicUsers);
