// SPDX-License-Identifier: MIT OR Apache-2.0
//! Controllers for noq-proto, and therefore also for noq.
//!
//! noq's interface does not provide everything that a controller needs. This module handles the gaps as follows (lines
//! of noq-proto 1.4.0, `src`):
//!
//! - When noq reports an ACK, its RTT estimator does not include the sample of this ACK yet (`connection/mod.rs:3054`
//!   and `3074`). The book adds the sample.
//! - The numbers of packets in the three packet number spaces collide. A packet is identified by its number, its send
//!   time and its size.
//! - noq reports `app_limited` for the time of an ACK. The book marks each packet when it is sent.
//! - noq does not report that packets left the flight because their keys were discarded or because they were lost MTU
//!   probes. Therefore the bytes in flight are taken from `on_end_acks`.
//! - noq reports losses in batches. An episode may have several batches.
//! - noq reports a spurious loss when all packets of its batch are acknowledged. It does not report the time.
//! - noq does not report probe timeouts. A probe timeout does not declare packets lost.
//! - noq reports that an ACK contained marks, but not their number. It reports the ACK first. Therefore the window
//!   grows before it is reduced.
//! - noq does not report that a packet was acknowledged after it was declared lost. Such a packet counts as lost in all
//!   totals.
//!
//! noq paces every connection. [`Pacing`] determines the rate.

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

/// The highest rate that noq's pacer gets, in bytes per second. At a higher rate, the pacer's delay for the last
/// missing byte would be rounded to zero. In virtual time, no token would then ever be added (`connection/pacing.rs`,
/// `delay_at_rate`).
const MOST: u64 = 1_000_000_000;

impl Setup {
    /// Returns the controller factory for noq: `TransportConfig::congestion_controller_factory(Arc::new(factory))`.
    ///
    /// # Errors
    /// [`Refused::Signals`] if the controller requires a signal that neither noq nor the hints provide.
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
    /// Creates the controller of a connection that starts at `now`.
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

/// The packets that are neither acknowledged nor declared lost.
#[derive(Clone, Default)]
struct Outstanding {
    by_number: BTreeMap<u64, Record>,
    /// Packets whose number was used again later, in another packet number space.
    hidden: Vec<Record>,
}

impl Outstanding {
    fn insert(&mut self, record: Record) {
        self.hidden.extend(self.by_number.insert(record.number, record));
    }

    /// Removes and returns the packet with this number for which `is_it` returns true. If there is no such packet and
    /// `or_newest` is true, removes the newest packet with this number.
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

/// A controller of Bentpipe in a noq connection.
#[derive(Clone)]
pub(crate) struct NoqController {
    driver: Held,
    outstanding: Outstanding,
    clock: Clock,
    /// The smoothed RTT of the library, without the sample of the present ACK.
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
        // Packets that contain only acknowledgements are reported with size 0. They were never reported as sent.
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
