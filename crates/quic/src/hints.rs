// SPDX-License-Identifier: MIT OR Apache-2.0
//! Data about the path that comes from outside the connection.

use control::{Ephemeris, PathChange, PathState, Signals};
use std::collections::VecDeque;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use units::{Span, Time};

/// Largest number of announced changes that are stored for controllers which have not read them yet.
const KEPT: usize = 64;

/// Data about the path that comes from outside the connection: the propagation RTT, the distance, and changes before
/// they happen. All clones of this handle share the same data. A program keeps one clone and updates the data while
/// connections run.
///
/// Controllers read the data of the path at each sent packet, and announced changes at the next packet or ACK.
#[derive(Clone)]
pub struct Hints(Arc<Shared>);

struct Shared {
    signals: Signals,
    path: RwLock<Arc<dyn Ephemeris>>,
    changes: Mutex<VecDeque<PathChange>>,
    announced: AtomicU64,
}

/// A path whose data do not change.
struct Still(PathState);

impl Ephemeris for Still {
    fn path(&self, _at: Time) -> PathState {
        self.0
    }
}

impl Hints {
    /// Creates hints whose data stay the same until [`Hints::update`]. The hints provide a signal for each known field
    /// of `path`, and announcements of changes.
    pub fn new(path: PathState) -> Self {
        Self::following(Arc::new(Still(path)))
    }

    /// Creates hints whose data are a function of time, for example because orbits are known. The hints provide a
    /// signal for each field that is known at time 0 ([`Setup::epoch`](crate::Setup::epoch)), and announcements of
    /// changes.
    pub fn following(ephemeris: Arc<dyn Ephemeris>) -> Self {
        let path = ephemeris.path(Time::ZERO);
        let given = |known: bool, signal| if known { signal } else { Signals::NONE };
        let signals = Signals::PATH_CHANGE
            | given(path.propagation_rtt.is_some(), Signals::PROPAGATION)
            | given(path.distance_m.is_some(), Signals::DISTANCE);
        Self(Arc::new(Shared {
            signals,
            path: RwLock::new(ephemeris),
            changes: Mutex::default(),
            announced: AtomicU64::new(0),
        }))
    }

    /// Returns the signals that these hints provide.
    pub fn signals(&self) -> Signals {
        self.0.signals
    }

    /// Replaces the data by `path`, until the next update. This does not announce a change.
    pub fn update(&self, path: PathState) {
        *self.0.path.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(Still(path));
    }

    /// Announces a change to the controllers. Its times are measured from [`Setup::epoch`](crate::Setup::epoch). A
    /// controller receives the change at its next packet or ACK, and [`PathChange::now`] is then the time of that
    /// event.
    pub fn announce(&self, change: PathChange) {
        let mut changes = self.0.changes.lock().unwrap_or_else(PoisonError::into_inner);
        if changes.len() == KEPT {
            changes.pop_front();
        }
        changes.push_back(change);
        self.0.announced.fetch_add(1, Ordering::Release);
    }

    /// Returns the path at `at`.
    pub(crate) fn path(&self, at: Time) -> PathState {
        self.0.path.read().unwrap_or_else(PoisonError::into_inner).path(at)
    }

    /// Returns the propagation RTT at `at`.
    pub(crate) fn propagation_rtt(&self, at: Time) -> Option<Span> {
        self.0.path.read().unwrap_or_else(PoisonError::into_inner).propagation_rtt(at)
    }

    /// Returns the number of changes announced so far.
    pub(crate) fn announced(&self) -> u64 {
        self.0.announced.load(Ordering::Acquire)
    }

    /// Appends the changes from number `first` on to `heard`. Returns the number of changes announced so far.
    #[cold]
    pub(crate) fn changes_since(&self, first: u64, heard: &mut Vec<PathChange>) -> u64 {
        let changes = self.0.changes.lock().unwrap_or_else(PoisonError::into_inner);
        let announced = self.announced();
        let news = usize::try_from(announced.saturating_sub(first)).unwrap_or(usize::MAX);
        heard.extend(changes.iter().skip(changes.len().saturating_sub(news)));
        announced
    }
}

impl fmt::Debug for Hints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hints").field("signals", &self.0.signals).finish_non_exhaustive()
    }
}
