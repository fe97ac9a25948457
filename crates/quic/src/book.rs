// SPDX-License-Identifier: MIT OR Apache-2.0
//! The data that a controller needs and that no library reports: totals, rounds, delivery-rate samples
//! (draft-ietf-ccwg-bbr, "Delivery Rate Sampling"), and the RTT including the newest sample.
//!
//! When noq and quinn report an ACK, their smoothed RTT does not include the sample of this ACK yet. This module (the
//! book) adds the sample.

use control::RateSample;
use units::{Bytes, Span, Time};

/// The data of a packet that are kept until the packet is acknowledged or lost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Record {
    /// Number of the packet, counted over the connection. The numbers of the library are not unique, because each
    /// packet number space starts at 0.
    pub(crate) tx: u64,
    /// Number of the packet in the library.
    pub(crate) number: u64,
    pub(crate) bytes: u32,
    pub(crate) sent_at: Time,
    /// Bytes in flight after this packet was sent, including this packet.
    pub(crate) in_flight: u64,
    /// P.delivered, P.delivered_time and P.first_send_time of the draft.
    pub(crate) delivered: u64,
    pub(crate) delivered_at: Time,
    pub(crate) first_sent_at: Time,
    pub(crate) lost_at_send: u64,
    /// Whether the application had nothing to send before this packet.
    pub(crate) app_limited: bool,
    pub(crate) propagation_rtt: Option<Span>,
}

/// The smoothed RTT of the library.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Smoothed {
    /// Without the newest sample.
    Before(Span),
    /// Including the newest sample.
    #[cfg_attr(not(feature = "s2n"), expect(dead_code, reason = "only s2n-quic reports it"))]
    After(Span),
}

/// The counters of a connection. Amounts are in bytes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Book {
    pub(crate) next_tx: u64,
    pub(crate) in_flight: u64,
    pub(crate) sent: u64,
    pub(crate) delivered: u64,
    pub(crate) lost: u64,
    delivered_at: Time,
    first_sent_at: Time,
    /// C.app_limited of the draft. Samples are marked until `delivered` exceeds this value; 0 means that samples are
    /// not marked.
    app_limited_until: u64,
    pub(crate) round: u64,
    next_round_delivered: u64,
    pub(crate) min_rtt: Option<Span>,
    pub(crate) rtt_samples: u64,
    pub(crate) rtt: Option<Span>,
    pub(crate) srtt: Option<Span>,
}

impl Book {
    /// Records a sent packet.
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

    /// Records that `bytes` were delivered. `newest` is the delivered packet that was sent last. `app_limited` is
    /// whether the application had nothing to send before the ACK. Returns whether a round trip begins.
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

    /// Adds an RTT sample. `library` is the smoothed RTT of the library.
    pub(crate) fn sample_rtt(&mut self, rtt: Span, library: Smoothed) {
        self.min_rtt = Some(self.min_rtt.map_or(rtt, |min| min.min(rtt)));
        // RFC 9002, section 5.3. The ACK delay is not subtracted, because it is unknown here. The first sample replaces
        // the initial RTT of the library, which was not measured.
        let updated = |srtt: Span| (srtt * 7 + rtt) / 8;
        self.srtt = Some(match (self.srtt, library) {
            (_, Smoothed::After(srtt)) => srtt,
            (None, _) => rtt,
            (Some(_), Smoothed::Before(srtt)) => updated(srtt),
        });
        self.rtt = Some(rtt);
        self.rtt_samples += 1;
    }

    /// GenerateRateSample() of the draft. Must be called after [`Self::deliver`]. Returns `None` if the interval is
    /// shorter than the smallest RTT.
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
