// SPDX-License-Identifier: MIT OR Apache-2.0
//! Controllers for quinn-proto, and therefore also for quinn.
//!
//! quinn's interface is narrower than noq's. It reports bytes and the times at which they were sent, without packet
//! numbers, and the bytes of a batch of losses in one sum. All packets of one instant are therefore one packet here. It
//! takes a window and no rate, and spreads each window over the smoothed RTT: a controller that sets a pacing rate runs
//! [degraded](Setup::degraded). Spurious losses are not reported.

use crate::book::{Record, Smoothed};
use crate::clock::{Clock, span};
use crate::driver::{AckEnd, Driver};
use crate::setup::Admitted;
use crate::watch::Held;
use crate::{Library, Refused, Setup};
use quinn_proto::RttEstimator;
use quinn_proto::congestion::{Controller, ControllerFactory, ControllerMetrics};
use std::any::Any;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;
use units::{Bytes, Span, Time};

/// A packet is removed from the records if it was sent more than this number of smoothed RTTs before the newest
/// acknowledged packet. quinn reports packets that contain only acknowledgements as sent, but never as acknowledged or
/// lost.
const FORGET_AFTER: u64 = 8;

impl Setup {
    /// Returns the controller factory for quinn: `TransportConfig::congestion_controller_factory(Arc::new(factory))`.
    ///
    /// # Errors
    /// [`Refused::Signals`] if the controller requires a signal that neither quinn nor the hints provide. If only the
    /// signal for pacing is missing, the controller runs degraded instead.
    pub fn quinn(&self) -> Result<QuinnFactory, Refused> {
        Ok(QuinnFactory(self.admitted(Library::Quinn)?))
    }
}

/// Builds the controllers of quinn's connections ([`Setup::quinn`]).
#[derive(Clone, Debug)]
pub struct QuinnFactory(Admitted);

impl ControllerFactory for QuinnFactory {
    fn build(self: Arc<Self>, now: Instant, current_mtu: u16) -> Box<dyn Controller> {
        let clock = Clock::starting(&self.0.setup, now);
        Box::new(QuinnController {
            driver: Held::start(&self.0, clock.time(now), current_mtu),
            outstanding: BTreeMap::new(),
            clock,
            srtt: Span::ZERO,
            largest: None,
        })
    }
}

/// A controller of Bentpipe in a quinn connection.
#[derive(Clone)]
struct QuinnController {
    driver: Held,
    /// The packets that were sent, by time.
    outstanding: BTreeMap<Time, Record>,
    clock: Clock,
    /// The smoothed RTT of the library, without the sample of the present ACK.
    srtt: Span,
    /// The newest packet that was ever acknowledged.
    largest: Option<u64>,
}

impl Controller for QuinnController {
    fn on_sent(&mut self, now: Instant, bytes: u64, last_packet_number: u64) {
        let now = self.clock.time(now);
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        let record = self.driver.call(|driver| driver.sent(now, last_packet_number, bytes));
        self.outstanding.entry(now).or_insert(record);
    }

    fn on_ack(&mut self, _now: Instant, sent: Instant, bytes: u64, _app_limited: bool, rtt: &RttEstimator) {
        let record = self.outstanding.get(&self.clock.time(sent));
        self.srtt = span(rtt.get());
        self.driver.call(|driver| match record {
            Some(record) => driver.acked(record, bytes),
            None => driver.count_unknown(),
        });
    }

    fn on_end_acks(&mut self, now: Instant, in_flight: u64, app_limited: bool, _largest: Option<u64>) {
        let now = self.clock.time(now);
        let (before, largest) = (Smoothed::Before(self.srtt), self.largest);
        let newest = self.driver.call(|driver| {
            let newest = driver.newest_acked().map(|newest| (newest.tx, newest.sent_at));
            let rtt_sample = newest.filter(|(tx, _)| largest.is_none_or(|largest| *tx >= largest));
            // The application had data, so the window or the pacer limited sending (RFC 9002, section 7.8).
            if !app_limited {
                driver.window_is_full();
            }
            let rtt_sample = rtt_sample.map(|_| before);
            driver.end_acks(now, AckEnd { in_flight: Some(in_flight), app_limited, rtt_sample, ce: 0 });
            newest
        });
        if in_flight == 0 {
            self.outstanding.clear();
        } else if let Some((tx, sent_at)) = newest {
            self.largest = self.largest.max(Some(tx));
            let forgotten = Time::ZERO + sent_at.since(Time::ZERO).saturating_sub(self.srtt * FORGET_AFTER);
            while self.outstanding.first_entry().is_some_and(|oldest| *oldest.key() < forgotten) {
                self.outstanding.pop_first();
            }
        }
    }

    fn on_congestion_event(
        &mut self,
        now: Instant,
        sent: Instant,
        is_persistent_congestion: bool,
        lost_bytes: u64,
    ) {
        let now = self.clock.time(now);
        let record = self.outstanding.get(&self.clock.time(sent));
        self.driver.call(|driver| {
            if lost_bytes == 0 {
                return driver.marked(now);
            }
            match record {
                Some(record) => driver.lost(record, lost_bytes),
                None => driver.count_unknown(),
            }
            driver.end_losses(now, is_persistent_congestion);
        });
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
            metrics.pacing_rate = control.pacing.map(units::Rate::bits_per_s);
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
