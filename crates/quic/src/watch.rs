// SPDX-License-Identifier: MIT OR Apache-2.0
//! A handle into a running controller, for the program that runs its connection.

use crate::driver::Driver;
use crate::setup::Admitted;
use control::{Control, LossVerdict, Overrides, PathKind, SavedPath, Snapshot};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use units::{Bytes, Span, Time};

/// A handle into the newest controller that a factory built ([`Setup::watch`](crate::Setup::watch)), and into its clone
/// when the connection migrates. Before a controller is built, there is nothing to see.
///
/// A watched controller locks a mutex at each call of the library. A controller without a watch has none.
#[derive(Clone, Default)]
pub struct Watch {
    newest: Arc<Mutex<Option<Arc<Mutex<Driver>>>>>,
    recording: bool,
}

impl Watch {
    /// A watch that keeps state and counters, but no events.
    pub fn new() -> Self {
        Self::default()
    }

    /// A watch that records events too. They take memory until [`Watch::take_events`].
    pub fn recording() -> Self {
        Self { recording: true, ..Self::default() }
    }

    /// The state after the last call of the library.
    pub fn state(&self) -> Option<State> {
        self.read(|driver| driver.state())
    }

    /// The numbers that a program needs at each packet. They cost less than [`Watch::state`].
    pub fn brief(&self) -> Brief {
        self.read(|driver| driver.brief()).unwrap_or_default()
    }

    /// The counters.
    pub fn counters(&self) -> Option<Counters> {
        self.read(|driver| driver.counters())
    }

    /// The controller's named numbers. The unit is part of the name.
    pub fn snapshot(&self) -> Snapshot {
        self.read(|driver| driver.snapshot()).unwrap_or_default()
    }

    /// Moves the events since the last call to the end of `events`, in the order in which they happened.
    pub fn take_events(&self, events: &mut Vec<Event>) {
        self.read(|driver| driver.take_events(events));
    }

    /// Replaces values of the controller by those in `overrides`, at once. Each replacement holds until a later call
    /// omits its value. Returns false if there is no controller yet.
    pub fn command(&self, overrides: Overrides) -> bool {
        self.read(|driver| driver.command(overrides)).is_some()
    }

    /// Tells the controller that it is `now`, a time since [`Setup::epoch`](crate::Setup::epoch): due timers
    /// ([`State::next_timer`]) fire, and announced changes are heard. Without this call both happen with the next packet
    /// or ACK.
    pub fn advance(&self, now: Time) {
        self.read(|driver| driver.advance(now));
    }

    fn read<T>(&self, read: impl FnOnce(&mut Driver) -> T) -> Option<T> {
        let driver = lock(&self.newest).clone()?;
        Some(read(&mut lock(&driver)))
    }

    /// Shows `driver` from now on.
    fn show(&self, mut driver: Driver) -> Arc<Mutex<Driver>> {
        driver.record_events(self.recording);
        let shared = Arc::new(Mutex::new(driver));
        *lock(&self.newest) = Some(shared.clone());
        shared
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").field("recording", &self.recording).finish_non_exhaustive()
    }
}

/// Who owns a driver: the library's connection alone, or a watch beside it.
pub(crate) enum Held {
    /// The connection alone.
    Own(Box<Driver>),
    /// A watch beside it.
    Shared(Arc<Mutex<Driver>>, Watch),
}

impl Held {
    /// The driver of a connection that starts at `now`, with datagrams of `mtu` bytes.
    pub(crate) fn start(admitted: &Admitted, now: Time, mtu: u16) -> Self {
        Self::new(Driver::start(admitted, now, mtu.into()), admitted.setup.watch.as_ref())
    }

    fn new(driver: Driver, watch: Option<&Watch>) -> Self {
        match watch {
            None => Self::Own(Box::new(driver)),
            Some(watch) => Self::Shared(watch.show(driver), watch.clone()),
        }
    }

    /// For a call of the library.
    pub(crate) fn call<T>(&mut self, call: impl FnOnce(&mut Driver) -> T) -> T {
        match self {
            Self::Own(driver) => call(driver),
            Self::Shared(driver, _) => call(&mut lock(driver)),
        }
    }

    /// For a question of the library.
    pub(crate) fn ask<T>(&self, ask: impl FnOnce(&Driver) -> T) -> T {
        match self {
            Self::Own(driver) => ask(driver),
            Self::Shared(driver, _) => ask(&lock(driver)),
        }
    }
}

/// The clone is another controller. A watch shows the clone from then on.
impl Clone for Held {
    fn clone(&self) -> Self {
        match self {
            Self::Own(driver) => Self::Own(driver.clone()),
            Self::Shared(driver, watch) => Self::new(lock(driver).clone(), Some(watch)),
        }
    }
}

/// A controller that panicked is in an unknown state, but its numbers can still be read.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The state of a controller and of its connection.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// What the controller commands, after overrides.
    pub control: Control,
    /// Largest datagram in bytes; the controller's segment.
    pub mss: u32,
    /// Bytes in flight, as the library or the book has them.
    pub in_flight: Bytes,
    /// The newest RTT sample.
    pub rtt: Option<Span>,
    /// The smoothed RTT, with that sample.
    pub srtt: Option<Span>,
    /// The smallest RTT.
    pub min_rtt: Option<Span>,
    /// Number of the current round trip.
    pub round: u64,
    /// When the loss or mark was answered whose repair is not yet acknowledged.
    pub recovering_since: Option<Time>,
    /// Number of the newest episode of losses or marks.
    pub episode: u32,
    /// The application had nothing to send when the last ACK arrived, and has sent nothing since.
    pub app_limited: bool,
    /// The library's number of the packet that was sent last. Numbers of Initial and Handshake packets are counted
    /// apart, so they occur again.
    pub last_number: Option<u64>,
    /// When that packet was sent.
    pub last_sent_at: Option<Time>,
    /// The earliest timer of the controller ([`Watch::advance`]).
    pub next_timer: Option<Time>,
}

impl State {
    /// What is worth saving for a later connection over the same path ([`Setup::saved_path`](crate::Setup::saved_path)).
    pub fn saved(&self) -> Option<SavedPath> {
        self.control.save
    }
}

/// The part of [`State`] and [`Counters`] that a program needs at each packet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Brief {
    /// Congestion window.
    pub cwnd: Bytes,
    /// Largest datagram in bytes.
    pub mss: u32,
    /// Bytes in flight.
    pub in_flight: Bytes,
    /// Number of RTT samples so far.
    pub rtt_samples: u64,
    /// The newest RTT sample.
    pub rtt: Option<Span>,
    /// The smoothed RTT.
    pub srtt: Option<Span>,
    /// Number of packets sent that ask for an acknowledgement.
    pub sent: u64,
    /// The library's number of the newest of them, and when it was sent.
    pub last_sent: Option<(u64, Time)>,
    /// The earliest timer of the controller; [`Time::MAX`] if none is set.
    pub next_timer: Time,
}

impl Default for Brief {
    fn default() -> Self {
        Self {
            cwnd: Bytes::ZERO,
            mss: 0,
            in_flight: Bytes::ZERO,
            rtt_samples: 0,
            rtt: None,
            srtt: None,
            sent: 0,
            last_sent: None,
            next_timer: Time::MAX,
        }
    }
}

/// A number of packets and their bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Total {
    /// Packets.
    pub packets: u64,
    /// Bytes of these packets, with the headers of QUIC but without those of UDP and IP.
    pub bytes: u64,
}

impl Total {
    pub(crate) fn add(&mut self, bytes: u64) {
        self.packets += 1;
        self.bytes += bytes;
    }
}

/// What happened to a connection so far. Packets are those that ask for an acknowledgement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Sent.
    pub sent: Total,
    /// Acknowledged.
    pub delivered: Total,
    /// Declared lost, also those that were acknowledged later.
    pub lost: Total,
    /// ACKs that acknowledged a packet.
    pub acks: u64,
    /// Episodes of losses that the controller answered.
    pub episodes: u64,
    /// Lost packets that the controller judged as link errors.
    pub link_errors: u64,
    /// Episodes that proved spurious.
    pub spurious: u64,
    /// Persistent congestion (RFC 9002, section 7.6).
    pub persistent_congestions: u64,
    /// Reductions of the window that answered an episode or a mark.
    pub cuts: u64,
    /// Reductions that answered marks.
    pub ecn_cuts: u64,
    /// ACKs that reported marks.
    pub marked_acks: u64,
    /// Packets sent after nothing had been in flight.
    pub idles: u64,
    /// Time in which the application had nothing to send, as far as ACKs arrived in it.
    pub app_limited: Span,
    /// Length of the longest finished recovery.
    pub longest_recovery: Span,
    /// Acknowledged or lost packets that the book did not know: the library never reported that it sent them.
    pub unknown: u64,
}

/// Something that happened to a connection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// When, since [`Setup::epoch`](crate::Setup::epoch).
    pub at: Time,
    /// What.
    pub kind: EventKind,
}

/// The kinds of events.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EventKind {
    /// A packet was declared lost.
    Loss {
        /// The library's number of the packet.
        number: u64,
        /// Number of the transmission, counted from 0 over the connection.
        tx: u64,
        /// Its bytes.
        bytes: u32,
        /// When it was sent.
        sent_at: Time,
        /// The controller's verdict, if it was asked: one loss of an episode is judged, and the rest follow it.
        verdict: Option<LossVerdict>,
    },
    /// A mark (ECN) was answered by a reduction. A cut follows.
    Marked,
    /// The controller reduced the window: the first reduction that answers an episode or a mark.
    Cut {
        /// Window before.
        before: Bytes,
        /// Window after.
        after: Bytes,
    },
    /// Everything sent before the newest reduction is acknowledged or lost.
    Recovered,
    /// All packets of a long enough period were lost.
    PersistentCongestion {
        /// Window before.
        before: Bytes,
        /// Window after.
        after: Bytes,
    },
    /// The newest episode proved spurious.
    Spurious,
    /// Sending resumes after nothing was in flight for this long.
    Idle(Span),
    /// The application has nothing to send.
    AppLimited,
    /// The largest datagram has this size from now on, in bytes.
    Mss(u32),
    /// The controller heard of a change of the path.
    Path {
        /// What changes.
        kind: PathKind,
        /// When.
        at: Time,
    },
    /// The phase of the controller has changed.
    Phase(&'static str),
}
