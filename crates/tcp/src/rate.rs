// SPDX-License-Identifier: MIT OR Apache-2.0
//! Samples of the delivery rate, and the count of rounds (draft-ietf-ccwg-bbr, "Delivery Rate Sampling").

use crate::scoreboard::Record;
use control::RateSample;
use units::{Bytes, Span, Time};

/// The delivery state of the connection (`C.*` of the draft), and the count of rounds. Amounts are in bytes.
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
    /// C.app_limited: samples are marked as application-limited until `delivered` exceeds this value. With 0, samples
    /// are not marked.
    app_limited_until: u64,
    /// BBR.round_count.
    pub(crate) round: u64,
    /// BBR.next_round_delivered.
    next_round_delivered: u64,
}

impl RateSampler {
    /// Restarts the sampling interval, because a packet is about to be sent while no data are in flight.
    pub(crate) fn restart(&mut self, now: Time) {
        self.first_sent_at = now;
        self.delivered_at = now;
    }

    /// Records that the application has nothing to send, although the window has room. `in_flight` is in bytes.
    pub(crate) fn app_limited(&mut self, in_flight: u64) {
        self.app_limited_until = (self.delivered + in_flight).max(1);
    }

    /// Whether a packet that is sent now is marked as application-limited.
    pub(crate) fn is_app_limited(&self) -> bool {
        self.app_limited_until > 0
    }

    /// Records that `bytes` bytes were delivered. `newest` is the most recently sent of their packets. Returns whether
    /// a new round begins.
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

    /// GenerateRateSample(). It must be called after [`Self::delivered`]. Returns `None` if the interval is shorter
    /// than the smallest RTT. This can happen if a retransmission is ambiguous.
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
