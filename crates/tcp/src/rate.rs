// SPDX-License-Identifier: MIT OR Apache-2.0
//! Delivery-rate sampling and round counting (draft-ietf-ccwg-bbr, "Delivery Rate Sampling").

use crate::scoreboard::Record;
use control::RateSample;
use units::{Bytes, Span, Time};

/// The connection's delivery state (the draft's `C.*`), and its count of rounds. Amounts are in bytes.
#[derive(Clone, Debug, Default, saved::Plain)]
pub(crate) struct RateSampler {
    /// C.delivered.
    pub(crate) delivered: u64,
    /// C.delivered_time.
    pub(crate) delivered_at: Time,
    /// C.first_send_time: sending time of the packet that was acknowledged last.
    pub(crate) first_sent_at: Time,
    /// C.lost.
    pub(crate) lost: u64,
    /// C.app_limited: samples are marked until `delivered` exceeds this value; 0: samples are not marked.
    app_limited_until: u64,
    /// BBR.round_count.
    pub(crate) round: u64,
    /// BBR.next_round_delivered.
    next_round_delivered: u64,
}

impl RateSampler {
    /// No data are in flight and a packet is about to be sent: the interval restarts.
    pub(crate) fn restart(&mut self, now: Time) {
        self.first_sent_at = now;
        self.delivered_at = now;
    }

    /// The application has nothing to send although the window has room; `in_flight` in bytes.
    pub(crate) fn app_limited(&mut self, in_flight: u64) {
        self.app_limited_until = (self.delivered + in_flight).max(1);
    }

    /// Whether a packet that is sent now gets the application-limited mark.
    pub(crate) fn is_app_limited(&self) -> bool {
        self.app_limited_until > 0
    }

    /// `bytes` were delivered; `newest` is the most recently sent packet among them. Returns whether a round begins.
    pub(crate) fn delivered(&mut self, now: Time, bytes: u64, newest: &Record) -> bool {
        self.delivered += bytes;
        self.delivered_at = now;
        self.first_sent_at = newest.sent_at;
        if self.delivered > self.app_limited_until {
            self.app_limited_until = 0;
        }
        let round_start = newest.delivered >= self.next_round_delivered;
        if round_start {
            self.next_round_delivered = self.delivered;
            self.round += 1;
        }
        round_start
    }

    /// GenerateRateSample(); must be called after [`Self::delivered`]. `None` if the interval is shorter than the
    /// smallest RTT, which happens with an ambiguous retransmission.
    pub(crate) fn sample(&self, newest: &Record, mss: u32, min_rtt: Option<Span>) -> Option<RateSample> {
        let send_elapsed = newest.sent_at.since(newest.first_sent_at);
        let ack_elapsed = self.delivered_at.since(newest.delivered_at);
        let interval = send_elapsed.max(ack_elapsed);
        if min_rtt.is_some_and(|min| interval < min) {
            return None;
        }
        Some(RateSample {
            delivered: Bytes::new(self.delivered - newest.delivered),
            interval,
            prior_delivered: Bytes::new(newest.delivered),
            tx_in_flight: Bytes::new(u64::from(newest.in_flight) * u64::from(mss)),
            lost: Bytes::new(self.lost - newest.lost_at_send),
            app_limited: newest.is_app_limited(),
        })
    }
}
