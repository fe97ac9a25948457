// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a controller needs and no library reports: totals, rounds, delivery-rate samples (draft-ietf-ccwg-bbr, "Delivery
//! Rate Sampling"), and RTT including the newest sample.
//!
//! noq and quinn hand out their smoothed RTT as it was before the ACK that they report: the newest sample is added here.

use control::RateSample;
use units::{Bytes, Span, Time};

/// What is kept of a packet from when it is sent until it is acknowledged or lost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Record {
    /// Counted over the connection. The library's own numbers repeat: each packet number space starts at 0.
    pub(crate) tx: u64,
    /// The library's number.
    pub(crate) number: u64,
    pub(crate) bytes: u32,
    pub(crate) sent_at: Time,
    /// In flight when it was sent, itself included.
    pub(crate) in_flight: u64,
    /// P.delivered, P.delivered_time, P.first_send_time.
    pub(crate) delivered: u64,
    pub(crate) delivered_at: Time,
    pub(crate) first_sent_at: Time,
    pub(crate) lost_at_send: u64,
    /// The application had nothing to send before it.
    pub(crate) app_limited: bool,
    pub(crate) propagation_rtt: Option<Span>,
}

/// The library's smoothed RTT.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Smoothed {
    /// Before the newest sample.
    Before(Span),
    /// With the newest sample.
    #[cfg_attr(not(feature = "s2n"), expect(dead_code, reason = "s2n-quic alone has it"))]
    After(Span),
}

/// The accounts of a connection. Amounts are bytes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Book {
    pub(crate) next_tx: u64,
    pub(crate) in_flight: u64,
    pub(crate) sent: u64,
    pub(crate) delivered: u64,
    pub(crate) lost: u64,
    delivered_at: Time,
    first_sent_at: Time,
    /// C.app_limited: samples are marked until `delivered` passes this; 0 is unmarked.
    app_limited_until: u64,
    pub(crate) round: u64,
    next_round_delivered: u64,
    pub(crate) min_rtt: Option<Span>,
    pub(crate) rtt_samples: u64,
    pub(crate) rtt: Option<Span>,
    pub(crate) srtt: Option<Span>,
}

impl Book {
    /// A packet leaves.
    pub(crate) fn send(
        &mut self,
        now: Time,
        number: u64,
        bytes: u32,
        propagation_rtt: Option<Span>,
    ) -> Record {
        if self.in_flight == 0 {
            (self.first_sent_at, self.delivered_at) = (now, now);
        }
        self.in_flight += u64::from(bytes);
        self.sent += u64::from(bytes);
        let tx = self.next_tx;
        self.next_tx += 1;
        Record {
            tx,
            number,
            bytes,
            sent_at: now,
            in_flight: self.in_flight,
            delivered: self.delivered,
            delivered_at: self.delivered_at,
            first_sent_at: self.first_sent_at,
            lost_at_send: self.lost,
            app_limited: self.app_limited_until > 0,
            propagation_rtt,
        }
    }

    /// `bytes` were delivered, `newest` the most recently sent packet among them. `app_limited`: the application had
    /// nothing to send before that. Returns whether a round begins.
    pub(crate) fn deliver(&mut self, now: Time, bytes: u64, newest: &Record, app_limited: bool) -> bool {
        self.delivered += bytes;
        (self.delivered_at, self.first_sent_at) = (now, newest.sent_at);
        if app_limited {
            self.app_limited_until = (self.delivered + self.in_flight).max(1);
        } else if self.delivered > self.app_limited_until {
            self.app_limited_until = 0;
        }
        let round_start = newest.delivered >= self.next_round_delivered;
        if round_start {
            (self.round, self.next_round_delivered) = (self.round + 1, self.delivered);
        }
        round_start
    }

    /// Adds an RTT sample, with what the library has of the smoothed RTT.
    pub(crate) fn sample_rtt(&mut self, rtt: Span, library: Smoothed) {
        self.min_rtt = Some(self.min_rtt.map_or(rtt, |min| min.min(rtt)));
        // RFC 9002, section 5.3. The delay of the acknowledgement is not known, and so it is not subtracted here. The
        // first sample replaces the library's initial RTT, which nobody measured.
        let updated = |srtt: Span| (srtt * 7 + rtt) / 8;
        self.srtt = Some(match (self.srtt, library) {
            (_, Smoothed::After(srtt)) => srtt,
            (None, _) => rtt,
            (Some(_), Smoothed::Before(srtt)) => updated(srtt),
        });
        self.rtt = Some(rtt);
        self.rtt_samples += 1;
    }

    /// GenerateRateSample(), after [`Self::deliver`]. `None` if the interval is shorter than any round trip.
    pub(crate) fn sample_rate(&self, newest: &Record) -> Option<RateSample> {
        let send_elapsed = newest.sent_at.since(newest.first_sent_at);
        let ack_elapsed = self.delivered_at.since(newest.delivered_at);
        let interval = send_elapsed.max(ack_elapsed);
        if self.min_rtt.is_some_and(|min| interval < min) {
            return None;
        }
        Some(RateSample {
            delivered: Bytes::new(self.delivered - newest.delivered),
            interval,
            prior_delivered: Bytes::new(newest.delivered),
            tx_in_flight: Bytes::new(newest.in_flight),
            lost: Bytes::new(self.lost - newest.lost_at_send),
            app_limited: newest.app_limited,
        })
    }
}
