// SPDX-License-Identifier: MIT OR Apache-2.0
//! Controllers for s2n-quic.
//!
//! s2n-quic-core stores a record for each packet, and counts marks. It asks the controller when the next packet may be
//! sent. Therefore this module contains the pacer. s2n-quic-core reports acknowledged bytes as sums, and each lost
//! packet separately. It does not report spurious losses. The interface needs the feature
//! `unstable-congestion-controller` of s2n-quic.
//!
//! Timestamps of s2n-quic-core have no common epoch. Time 0 is the first call for a connection, and [`Setup::epoch`]
//! has no effect.

use crate::book::{Record, Smoothed};
use crate::clock::span;
use crate::driver::AckEnd;
use crate::setup::Admitted;
use crate::watch::Held;
use crate::{Library, Pacing, Refused, Setup};
use s2n_quic_core::random;
use s2n_quic_core::recovery::RttEstimator;
use s2n_quic_core::recovery::congestion_controller::{CongestionController, Endpoint, PathInfo, Publisher};
use s2n_quic_core::time::Timestamp;
use std::fmt;
use std::time::Duration;
use units::{Bytes, Rate, Span, Time};

/// Number of datagrams that may be sent back to back if the controller sets no quantum (RFC 9002, section 7.7: at most
/// the initial window).
const BURST: u64 = 10;
/// Number of windows per smoothed RTT if the controller sets no rate (RFC 9002, section 7.7).
const GAIN: f64 = 1.25;

impl Setup {
    /// Returns the congestion controllers for s2n-quic: `Server::builder().with_congestion_controller(endpoint)`.
    ///
    /// # Errors
    /// [`Refused::Signals`] if the controller requires a signal that neither s2n-quic nor the hints provide.
    pub fn s2n(&self) -> Result<S2nEndpoint, Refused> {
        Ok(S2nEndpoint(self.admitted(Library::S2n)?))
    }
}

/// Builds the controllers of s2n-quic's connections ([`Setup::s2n`]).
#[derive(Clone, Debug)]
pub struct S2nEndpoint(Admitted);

impl Endpoint for S2nEndpoint {
    type CongestionController = S2nController;

    fn new_congestion_controller(&mut self, path_info: PathInfo<'_>) -> S2nController {
        S2nController {
            driver: Held::start(&self.0, Time::ZERO, path_info.max_datagram_size),
            epoch: None,
            is_paced: self.0.setup.pacing != Pacing::Off,
            app_limited: false,
            rtt_sample: None,
            marked: 0,
            must_retransmit: false,
            persistent_at: None,
            departure: None,
            budget: 0,
        }
    }
}

/// The record that s2n-quic stores for a packet.
#[derive(Clone, Copy, Debug)]
pub struct Packet(Option<Record>);

/// A controller of Bentpipe in an s2n-quic connection.
#[derive(Clone)]
pub struct S2nController {
    driver: Held,
    epoch: Option<Timestamp>,
    is_paced: bool,
    app_limited: bool,
    /// The smoothed RTT, if the next ACK gives an RTT sample.
    rtt_sample: Option<Smoothed>,
    /// Marked packets that were not reported to the controller with an ACK yet.
    marked: u64,
    must_retransmit: bool,
    persistent_at: Option<Time>,
    /// Time at which the next packet may be sent.
    departure: Option<Timestamp>,
    /// Number of bytes that may be sent back to back.
    budget: u64,
}

impl S2nController {
    fn time(&mut self, at: Timestamp) -> Time {
        let epoch = *self.epoch.get_or_insert(at);
        Time::ZERO + span(at.saturating_duration_since(epoch))
    }

    /// Computes when the next packet may be sent, after a packet of `bytes`.
    fn pace(&mut self, now: Timestamp, bytes: u64) {
        let (rate, burst) = self.driver.ask(|driver| {
            let control = driver.control();
            let windows = |srtt: Span| GAIN * control.cwnd.get() as f64 / srtt.secs_f64();
            let spread = driver.srtt().filter(|srtt| *srtt > Span::ZERO).map(windows);
            let rate = control.pacing.or_else(|| spread.map(Rate::from_bytes_per_s));
            (rate, control.quantum.map_or(BURST * u64::from(driver.mss()), Bytes::get))
        });
        let Some(rate) = rate.filter(|_| self.is_paced) else {
            self.departure = None;
            return;
        };
        let departure = self.departure.map_or(now, |departure| departure.max(now));
        if departure == now && self.budget == 0 {
            self.budget = burst;
        }
        self.budget = self.budget.saturating_sub(bytes);
        self.departure = if self.budget == 0 {
            let pause = Duration::from_nanos(rate.time_for(Bytes::new(burst)).nanos());
            self.budget = burst;
            departure.checked_add(pause)
        } else {
            Some(departure)
        };
    }
}

impl CongestionController for S2nController {
    type PacketInfo = Packet;

    fn congestion_window(&self) -> u32 {
        self.driver.ask(|driver| u32::try_from(driver.control().cwnd.get()).unwrap_or(u32::MAX))
    }

    fn bytes_in_flight(&self) -> u32 {
        self.driver.ask(|driver| u32::try_from(driver.in_flight()).unwrap_or(u32::MAX))
    }

    fn is_congestion_limited(&self) -> bool {
        self.driver.ask(|driver| driver.in_flight() + u64::from(driver.mss()) > driver.control().cwnd.get())
    }

    fn requires_fast_retransmission(&self) -> bool {
        self.must_retransmit
    }

    fn on_packet_sent<Pub: Publisher>(
        &mut self,
        time_sent: Timestamp,
        sent_bytes: usize,
        app_limited: Option<bool>,
        _rtt_estimator: &RttEstimator,
        _publisher: &mut Pub,
    ) -> Packet {
        let now = self.time(time_sent);
        // The packet contains only acknowledgements.
        if sent_bytes == 0 {
            return Packet(None);
        }
        self.app_limited = app_limited.unwrap_or(self.app_limited);
        self.must_retransmit = false;
        let bytes = u32::try_from(sent_bytes).unwrap_or(u32::MAX);
        let record = self.driver.call(|driver| driver.sent(now, 0, bytes));
        self.pace(time_sent, bytes.into());
        Packet(Some(record))
    }

    fn on_rtt_update<Pub: Publisher>(
        &mut self,
        _time_sent: Timestamp,
        _now: Timestamp,
        rtt_estimator: &RttEstimator,
        _publisher: &mut Pub,
    ) {
        self.rtt_sample = Some(Smoothed::After(span(rtt_estimator.smoothed_rtt())));
    }

    fn on_ack<Pub: Publisher>(
        &mut self,
        _newest_acked_time_sent: Timestamp,
        bytes_acknowledged: usize,
        newest_acked_packet_info: Packet,
        _rtt_estimator: &RttEstimator,
        _random_generator: &mut dyn random::Generator,
        ack_receive_time: Timestamp,
        _publisher: &mut Pub,
    ) {
        let now = self.time(ack_receive_time);
        let (app_limited, rtt_sample) = (self.app_limited, self.rtt_sample.take());
        let marked = std::mem::take(&mut self.marked);
        let bytes = bytes_acknowledged as u64;
        self.driver.call(|driver| {
            if let Some(record) = newest_acked_packet_info.0 {
                driver.acked(&record, bytes);
            }
            let ce = (marked * u64::from(driver.mss())).min(bytes);
            driver.end_acks(now, AckEnd { in_flight: None, app_limited, rtt_sample, ce });
        });
    }

    fn on_packet_lost<Pub: Publisher>(
        &mut self,
        lost_bytes: u32,
        packet_info: Packet,
        persistent_congestion: bool,
        _new_loss_burst: bool,
        _random_generator: &mut dyn random::Generator,
        timestamp: Timestamp,
        _publisher: &mut Pub,
    ) {
        let now = self.time(timestamp);
        let Some(record) = packet_info.0 else { return };
        // s2n-quic reports persistent congestion with each lost packet of the period. Only the first report counts.
        let is_news = persistent_congestion && self.persistent_at.replace(now) != Some(now);
        self.must_retransmit |= self.driver.call(|driver| {
            driver.lost(&record, lost_bytes.into());
            driver.end_losses(now, is_news);
            driver.has_reduced(now)
        });
    }

    fn on_explicit_congestion<Pub: Publisher>(
        &mut self,
        ce_count: u64,
        event_time: Timestamp,
        _publisher: &mut Pub,
    ) {
        let now = self.time(event_time);
        self.marked += ce_count;
        self.driver.call(|driver| driver.marked(now));
    }

    fn on_mtu_update<Pub: Publisher>(&mut self, max_data_size: u16, _publisher: &mut Pub) {
        self.driver.call(|driver| driver.set_mss(max_data_size.into()));
    }

    fn on_packet_discarded<Pub: Publisher>(&mut self, bytes_sent: usize, _publisher: &mut Pub) {
        self.driver.call(|driver| driver.forget(bytes_sent as u64));
    }

    fn earliest_departure_time(&self) -> Option<Timestamp> {
        self.departure
    }

    fn send_quantum(&self) -> Option<usize> {
        self.driver.ask(|driver| driver.control().quantum.map(|quantum| quantum.get() as usize))
    }
}

impl fmt::Debug for S2nController {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("S2nController").finish_non_exhaustive()
    }
}
