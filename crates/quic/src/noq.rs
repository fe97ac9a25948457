// SPDX-License-Identifier: MIT OR Apache-2.0
//! Controllers for noq-proto, and so for noq.
//!
//! What noq's interface leaves open, and the answer here (lines of noq-proto 1.4.0, `src`):
//!
//! - The RTT estimator is that from before the ACK (`connection/mod.rs:3054` and `3074`): the newest sample is added.
//! - Packet numbers of the three packet number spaces collide: a packet is known by number, send time and size.
//! - `app_limited` is that of the ACK: the mark of a packet is that of its sending.
//! - Discarded keys and lost MTU probes leave the flight untold: bytes in flight are those of `on_end_acks`.
//! - Losses come in batches, more than one in an episode.
//! - A spurious loss is known when all of its batch is acknowledged, and comes without a time.
//! - A probe timeout is not told; it presumes no loss.
//! - An ACK that reports marks does not say how many, and grows the window before it reduces it.
//! - A spuriously lost packet is not reported as acknowledged: it stays among the lost in all totals.
//!
//! noq paces every connection. [`Pacing`] says which rate it is given.

use crate::book::{Record, Smoothed};
use crate::clock::{Clock, span};
use crate::driver::{AckEnd, Driver};
use crate::setup::Admitted;
use crate::watch::Held;
use crate::{Library, Pacing, Refused, Setup};
use noq_proto::RttEstimator;
use noq_proto::congestion::{Controller, ControllerFactory, ControllerMetrics};
use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Instant;
use units::{Bytes, Span};

/// The highest rate that noq's pacer is given, in bytes per second. Above it, the pacer's delay for the last missing byte
/// rounds to no time at all, and in virtual time no token is ever added (`connection/pacing.rs`, `delay_at_rate`).
const MOST: u64 = 1_000_000_000;

impl Setup {
    /// The controller factory for noq: `TransportConfig::congestion_controller_factory(Arc::new(factory))`.
    ///
    /// # Errors
    /// [`Refused::Signals`] if the controller requires a signal that neither noq nor the hints give.
    pub fn noq(&self) -> Result<NoqFactory, Refused> {
        Ok(NoqFactory(self.admitted(Library::Noq)?))
    }
}

/// Builds the controllers of noq's connections ([`Setup::noq`]).
#[derive(Clone, Debug)]
pub struct NoqFactory(Admitted);

impl ControllerFactory for NoqFactory {
    fn build(self: Arc<Self>, now: Instant, current_mtu: u16) -> Box<dyn Controller> {
        Box::new(NoqController::start(&self.0, now, current_mtu))
    }
}

impl NoqController {
    /// The controller of a connection that starts at `now`.
    pub(crate) fn start(admitted: &Admitted, now: Instant, mtu: u16) -> Self {
        let clock = Clock::starting(&admitted.setup, now);
        Self {
            driver: Held::start(admitted, clock.time(now), mtu),
            outstanding: Outstanding::default(),
            clock,
            srtt: Span::ZERO,
            is_unpaced: admitted.setup.pacing == Pacing::Off,
        }
    }
}

/// The packets that are neither acknowledged nor lost.
#[derive(Clone, Default)]
struct Outstanding {
    by_number: BTreeMap<u64, Record>,
    /// Those whose number another packet number space has used since.
    hidden: Vec<Record>,
}

impl Outstanding {
    fn insert(&mut self, record: Record) {
        self.hidden.extend(self.by_number.insert(record.number, record));
    }

    /// Removes the packet of this number for which `is_it` holds; if there is none and `or_newest`, the newest of this
    /// number.
    fn take(&mut self, number: u64, or_newest: bool, is_it: impl Fn(&Record) -> bool) -> Option<Record> {
        let newest = self.by_number.get(&number)?;
        if !is_it(newest) {
            let hidden = self.hidden.iter().position(|record| record.number == number && is_it(record));
            match hidden {
                Some(place) => return Some(self.hidden.swap_remove(place)),
                None if !or_newest => return None,
                None => {}
            }
        }
        self.by_number.remove(&number)
    }

    fn clear(&mut self) {
        self.by_number.clear();
        self.hidden.clear();
    }
}

/// A controller of Bentpipe in a connection of noq.
#[derive(Clone)]
pub(crate) struct NoqController {
    driver: Held,
    outstanding: Outstanding,
    clock: Clock,
    /// The library's smoothed RTT from before the present ACK.
    srtt: Span,
    is_unpaced: bool,
}

impl Controller for NoqController {
    fn on_packet_sent(&mut self, now: Instant, bytes: u16, pn: u64) {
        let now = self.clock.time(now);
        let record = self.driver.call(|driver| driver.sent(now, pn, bytes.into()));
        self.outstanding.insert(record);
    }

    fn on_cwnd_limited(&mut self) {
        self.driver.call(Driver::window_is_full);
    }

    fn on_ack(
        &mut self,
        _now: Instant,
        sent: Instant,
        bytes: u64,
        pn: u64,
        _app_limited: bool,
        rtt: &RttEstimator,
    ) {
        let sent_at = self.clock.time(sent);
        let is_it = |record: &Record| record.sent_at == sent_at && u64::from(record.bytes) == bytes;
        let record = self.outstanding.take(pn, false, is_it);
        self.srtt = span(rtt.get());
        self.driver.call(|driver| match record {
            Some(record) => driver.acked(&record, bytes),
            None => driver.count_unknown(),
        });
    }

    fn on_end_acks(&mut self, now: Instant, in_flight: u64, app_limited: bool, largest: Option<u64>) {
        let now = self.clock.time(now);
        if in_flight == 0 {
            self.outstanding.clear();
        }
        let before = Smoothed::Before(self.srtt);
        self.driver.call(|driver| {
            let is_largest = driver.newest_acked().is_some_and(|newest| largest == Some(newest.number));
            let rtt_sample = is_largest.then_some(before);
            driver.end_acks(now, AckEnd { in_flight: Some(in_flight), app_limited, rtt_sample, ce: 0 });
        });
    }

    fn on_packet_lost(&mut self, lost_bytes: u16, pn: u64, _now: Instant) {
        // Packets of acknowledgements alone have no size here, and were never reported as sent.
        if lost_bytes == 0 {
            return;
        }
        let record = self.outstanding.take(pn, true, |record| record.bytes == u32::from(lost_bytes));
        self.driver.call(|driver| match record {
            Some(record) => driver.lost(&record, lost_bytes.into()),
            None => driver.count_unknown(),
        });
    }

    fn on_congestion_event(
        &mut self,
        now: Instant,
        _sent: Instant,
        is_persistent_congestion: bool,
        is_ecn: bool,
        _lost_bytes: u64,
        _largest_lost_pn: u64,
    ) {
        let now = self.clock.time(now);
        self.driver.call(|driver| {
            if is_ecn { driver.marked(now) } else { driver.end_losses(now, is_persistent_congestion) }
        });
    }

    fn on_spurious_congestion_event(&mut self) {
        self.driver.call(Driver::spurious);
    }

    fn on_mtu_update(&mut self, new_mtu: u16) {
        self.driver.call(|driver| driver.set_mss(new_mtu.into()));
    }

    fn window(&self) -> u64 {
        self.driver.ask(|driver| driver.control().cwnd.get().max(1))
    }

    fn metrics(&self) -> ControllerMetrics {
        self.driver.ask(|driver| {
            let control = driver.control();
            let mut metrics = ControllerMetrics::default();
            metrics.congestion_window = control.cwnd.get().max(1);
            metrics.ssthresh = control.ssthresh.map(Bytes::get);
            if self.is_unpaced {
                metrics.pacing_rate = Some(MOST);
            } else {
                metrics.pacing_rate = control.pacing.map(|rate| (rate.bytes_per_s() as u64).min(MOST));
                metrics.send_quantum = control.quantum.map(Bytes::get);
            }
            metrics
        })
    }

    fn clone_box(&self) -> Box<dyn Controller> {
        Box::new(self.clone())
    }

    fn initial_window(&self) -> u64 {
        self.driver.ask(Driver::initial_window)
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

impl fmt::Debug for NoqController {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NoqController").finish_non_exhaustive()
    }
}
