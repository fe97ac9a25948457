// SPDX-License-Identifier: MIT OR Apache-2.0
//! Access to a running controller, for the program that runs its connection.

use crate::driver::Driver;
use crate::setup::Admitted;
use control::{Control, LossVerdict, Overrides, PathKind, SavedPath, Snapshot};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use units::{Bytes, Span, Time};

/// Access to the newest controller that a factory built ([`Setup::watch`](crate::Setup::watch)). If the connection
/// migrates, the watch then shows the clone of the controller. Before a controller is built, a watch has no data.
///
/// With a watch, the controller locks a mutex at each call of the library. A controller without a watch has no mutex.
#[derive(Clone, Default)]
pub struct Watch {
    newest: Arc<Mutex<Option<Arc<Mutex<Driver>>>>>,
    recording: bool,
}

impl Watch {
    /// Creates a watch that provides state and counters, but no events.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a watch that also records events. The events stay in memory until [`Watch::take_events`].
    pub fn recording() -> Self {
        Self { recording: true, ..Self::default() }
    }

    /// Returns the state after the last call of the library.
    pub fn state(&self) -> Option<State> {
        self.read(|driver| driver.state())
    }

    /// Returns the numbers that a program needs at each packet. This takes less time than [`Watch::state`].
    pub fn brief(&self) -> Brief {
        self.read(|driver| driver.brief()).unwrap_or_default()
    }

    /// Returns the counters.
    pub fn counters(&self) -> Option<Counters> {
        self.read(|driver| driver.counters())
    }

    /// Returns the named numbers of the controller. Each name contains the unit.
    pub fn snapshot(&self) -> Snapshot {
        self.read(|driver| driver.snapshot()).unwrap_or_default()
    }

    /// Appends the events since the last call to `events`, in the order in which they happened.
    pub fn take_events(&self, events: &mut Vec<Event>) {
        self.read(|driver| driver.take_events(events));
    }

    /// Immediately replaces values of the controller by the values in `overrides`. A replacement applies until a later
    /// call omits this value. Returns false if there is no controller yet.
    pub fn command(&self, overrides: Overrides) -> bool {
        self.read(|driver| driver.command(overrides)).is_some()
    }

    /// Sets the time to `now`, measured from [`Setup::epoch`](crate::Setup::epoch). Timers that are due
    /// ([`State::next_timer`]) fire, and the controller receives announced changes. Without this call, both happen at
    /// the next packet or ACK.
    pub fn advance(&self, now: Time) {
        self.read(|driver| driver.advance(now));
    }

    fn read<T>(&self, read: impl FnOnce(&mut Driver) -> T) -> Option<T> {
        let driver = lock(&self.newest).clone()?;
        Some(read(&mut lock(&driver)))
    }

    /// Sets `driver` as the driver that the watch shows.
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

/// Owner of a driver: only the connection of the library, or the connection and a watch.
pub(crate) enum Held {
    /// Only the connection.
    Own(Box<Driver>),
    /// The connection and a watch.
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

    /// Changes the driver, for a call of the library.
    pub(crate) fn call<T>(&mut self, call: impl FnOnce(&mut Driver) -> T) -> T {
        match self {
            Self::Own(driver) => call(driver),
            Self::Shared(driver, _) => call(&mut lock(driver)),
        }
    }

    /// Reads the driver, for a query of the library.
    pub(crate) fn ask<T>(&self, ask: impl FnOnce(&Driver) -> T) -> T {
        match self {
            Self::Own(driver) => ask(driver),
            Self::Shared(driver, _) => ask(&lock(driver)),
        }
    }
}

/// The clone is a separate controller. From then on, a watch shows the clone.
impl Clone for Held {
    fn clone(&self) -> Self {
        match self {
            Self::Own(driver) => Self::Own(driver.clone()),
            Self::Shared(driver, watch) => Self::new(lock(driver).clone(), Some(watch)),
        }
    }
}

/// Locks a mutex, also if a controller panicked while it held the lock. The state of this controller is then unknown,
/// but its numbers can still be read.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The state of a controller and of its connection.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The commands of the controller, after overrides.
    pub control: Control,
    /// Size of the largest datagram in bytes, which is the segment size of the controller.
    pub mss: u32,
    /// Bytes in flight, as reported by the library or counted in `book`.
    pub in_flight: Bytes,
    /// The newest RTT sample.
    pub rtt: Option<Span>,
    /// The smoothed RTT, including the newest sample.
    pub srtt: Option<Span>,
    /// The smallest RTT.
    pub min_rtt: Option<Span>,
    /// Number of the current round trip.
    pub round: u64,
    /// Time of the newest reaction to a loss or a mark; `None` if its repair is complete.
    pub recovering_since: Option<Time>,
    /// Number of the newest episode of losses or marks, counted from 1.
    pub episode: u32,
    /// Whether the application had nothing to send when the last ACK arrived, and has sent nothing since then.
    pub app_limited: bool,
    /// Number of the last sent packet in the library. Initial and Handshake packets have separate numbers, so a number
    /// may occur several times.
    pub last_number: Option<u64>,
    /// Time at which that packet was sent.
    pub last_sent_at: Option<Time>,
    /// The earliest timer of the controller ([`Watch::advance`]).
    pub next_timer: Option<Time>,
}

impl State {
    /// Returns the path state that a later connection over the same path can use
    /// ([`Setup::saved_path`](crate::Setup::saved_path)).
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
    /// Number of sent packets that require an acknowledgement.
    pub sent: u64,
    /// Number of the newest sent packet that requires an acknowledgement, as in the library, and the time at which the
    /// packet was sent.
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
    /// Bytes of the packets, including headers of QUIC but not headers of UDP and IP.
    pub bytes: u64,
}

impl Total {
    pub(crate) fn add(&mut self, bytes: u64) {
        self.packets += 1;
        self.bytes += bytes;
    }
}

/// Counters of a connection. Only packets that require an acknowledgement count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Packets sent.
    pub sent: Total,
    /// Packets acknowledged.
    pub delivered: Total,
    /// Packets declared lost, including packets that were acknowledged later.
    pub lost: Total,
    /// ACKs that acknowledged at least one packet.
    pub acks: u64,
    /// Episodes of losses to which the controller reacted.
    pub episodes: u64,
    /// Lost packets whose loss the controller classified as a link error.
    pub link_errors: u64,
    /// Episodes that turned out to be spurious.
    pub spurious: u64,
    /// Persistent congestions (RFC 9002, section 7.6).
    pub persistent_congestions: u64,
    /// Reductions of the window after an episode or a mark.
    pub cuts: u64,
    /// Reductions of the window after a mark.
    pub ecn_cuts: u64,
    /// ACKs that contained marks.
    pub marked_acks: u64,
    /// Packets that were sent when nothing was in flight, without the first packet.
    pub idles: u64,
    /// Time in which the application had nothing to send, as far as ACKs showed it.
    pub app_limited: Span,
    /// Length of the longest finished recovery.
    pub longest_recovery: Span,
    /// Acknowledged or lost packets that are not in the book, because the library never reported them as sent.
    pub unknown: u64,
}

/// An event of a connection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// Time of the event, measured from [`Setup::epoch`](crate::Setup::epoch).
    pub at: Time,
    /// Kind of the event.
    pub kind: EventKind,
}

/// The kinds of events.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EventKind {
    /// A packet was declared lost.
    Loss {
        /// Number of the packet in the library.
        number: u64,
        /// Number of the transmission, counted from 0 over the connection.
        tx: u64,
        /// Bytes of the packet.
        bytes: u32,
        /// Time at which the packet was sent.
        sent_at: Time,
        /// The controller's verdict, for the first loss of an episode. The verdict applies to all losses of the
        /// episode; for later losses, this is `None`.
        verdict: Option<LossVerdict>,
    },
    /// The controller reduced the window because of an ECN mark. A cut follows.
    Marked,
    /// The controller reduced the window for the first time after an episode or a mark.
    Cut {
        /// Window before the reduction.
        before: Bytes,
        /// Window after the reduction.
        after: Bytes,
    },
    /// All data sent before the newest reduction is acknowledged or lost.
    Recovered,
    /// All packets in a sufficiently long period were lost.
    PersistentCongestion {
        /// Window before the reduction.
        before: Bytes,
        /// Window after the reduction.
        after: Bytes,
    },
    /// The newest episode turned out to be spurious.
    Spurious,
    /// Sending continues after nothing was in flight for this time.
    Idle(Span),
    /// The application has nothing to send.
    AppLimited,
    /// The largest datagram has this size, in bytes, from now on.
    Mss(u32),
    /// The controller received the announcement of a change of the path.
    Path {
        /// Kind of the change.
        kind: PathKind,
        /// Time of the change.
        at: Time,
    },
    /// The phase of the controller has changed.
    Phase(&'static str),
}
