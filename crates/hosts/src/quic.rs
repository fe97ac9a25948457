// SPDX-License-Identifier: MIT OR Apache-2.0
//! A real QUIC library (noq) as an endpoint of the simulator, in virtual time.
//!
//! The library is a pure state machine: it gets datagrams and times, and returns datagrams and the time of its next
//! timer. Its packets have real bytes, with TLS 1.3, and use the same links and queues as TCP. The sender of a flow opens
//! the connection and sends data in streams that follow each other; the receiver checks every byte.
//!
//! Runs repeat byte for byte: all random bytes come from the stream of the endpoint ([`draws`]), certificates and keys
//! are fixed ([`tls`]), and instants count from time zero ([`clock`]). An additional flow does not change the bytes of
//! other flows.
//!
//! The state of a connection cannot be saved or copied, because the library offers neither.

mod clock;
mod content;
mod controlled;
mod draws;
mod library;
mod null_keys;
mod sink;
mod source;
mod tls;

pub use self::sink::QuicSink;
pub use self::source::{QuicSource, Sending};

use control::catalogue::Value;
use library::{Host, earlier_connection};
use quic::{Hints, Pacing, Refused, Setup, Watch};
use random::stream_seed;
use saved::{Damaged, Reader, Saved, Writer};
use scenario::{Keys, QuicConfig};
use std::sync::Arc;
use units::{Span, Time};

/// The QUIC library and its version.
pub const LIBRARY: &str = "noq-proto 1.4.0";

/// The end of a connection that the library closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Closed {
    /// Time.
    pub at: Time,
    /// Reason in the library's words.
    pub reason: String,
}

/// Counts of a sender that only QUIC has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QuicCounts {
    /// Time from the start of the flow until the handshake was complete; `None` before.
    pub handshake: Option<Span>,
    /// Largest UDP payload that the path carried, in bytes.
    pub datagram: u32,
    /// Number of times that flow control of the connection or of a stream stopped the sender.
    pub blocked: u64,
    /// Number of persistent congestions (RFC 9002, section 7.6).
    pub persistent_congestions: u64,
    /// Number of congestion events that proved spurious, as the library counts them.
    pub spurious: u64,
}

/// A QUIC connection between two endpoints.
pub struct Pair {
    /// The side that opens the connection and sends.
    pub source: QuicSource,
    /// The side that accepts the connection and receives.
    pub sink: QuicSink,
}

/// The controller of a QUIC connection.
#[derive(Clone, Debug)]
pub struct QuicController<'a> {
    /// Name in the catalogue.
    pub name: &'a str,
    /// Parameters that differ from the catalogue's.
    pub parameters: &'a [(&'a str, Value<'a>)],
    /// Knowledge about the path for controllers that use it.
    pub hints: Option<Hints>,
}

impl QuicController<'_> {
    /// The controller for connections with `config`. A controller that draws random numbers uses `seed`.
    ///
    /// # Errors
    /// The controller requires a signal that the library does not give.
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
    /// Creates both ends of a flow. Each end has a random stream of its own, derived from `seed`.
    ///
    /// # Errors
    /// The controller requires a signal that the library does not give.
    ///
    /// # Panics
    /// If the TLS library refuses the fixed certificate: a defect of this crate.
    pub fn new(
        config: &QuicConfig,
        controller: &QuicController<'_>,
        sending: Sending,
        seed: u64,
    ) -> Result<Self, Refused> {
        #[expect(clippy::expect_used, reason = "certificate and cipher suite are fixed")]
        let configs = tls::configs(config.keys == Keys::Real).expect("the TLS configuration is valid");
        let of = |name| stream_seed(seed, name);
        if config.zero_rtt {
            earlier_connection(config, &configs, of("earlier connection"));
        }
        let watch = Watch::recording();
        let setup = controller.setup(config, seed)?.watch(watch.clone());
        let factory = Arc::new(setup.noq()?);
        let client = Host::client(config, &configs, Some(factory), of("client"));
        let server = Host::server(config, &configs, None, of("server"));
        let source = QuicSource::new(client, watch, controller.hints.clone(), config.clone(), sending);
        let sink = QuicSink::new(server, config.stream_size, sending.transfer);
        Ok(Self { source, sink })
    }
}

macro_rules! neither_copied_nor_saved {
    ($($end:ty),+) => {
        $(
            /// A session with QUIC is not copied: `Session::fork` refuses it.
            impl Clone for $end {
                fn clone(&self) -> Self {
                    unreachable!("a QUIC connection was copied")
                }
            }

            /// A session with QUIC is not saved: `Session::save` refuses it.
            impl Saved for $end {
                fn save_to(&self, _to: &mut Writer) {}
                fn load_from(&mut self, from: &mut Reader<'_>) -> Result<(), Damaged> {
                    Err(from.damaged::<Self>())
                }
            }
        )+
    };
}

neither_copied_nor_saved!(QuicSource, QuicSink);
