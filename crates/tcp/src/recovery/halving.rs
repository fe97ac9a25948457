// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rate halving (M. Mathis, J. Semke, J. Mahdavi, K. Lahey, "The Rate-Halving Algorithm for TCP Congestion Control",
//! Internet-Draft draft-mathis-tcp-ratehalving-00, 1999). This implementation follows TCP-Linux of ns-2.35, which uses
//! rate halving instead of the rule that Linux had before PRR (tcp/tcp-linux.cc: `send_much`, `next_pkts_in_flight_`).
//! RFC 6937, section 2, describes the differences between rate halving and PRR.
//!
//! While losses are repaired, an ACK releases at most one segment, and every second ACK releases no segment. This ends
//! when the data in flight have fallen to the least window of the controller's module (the threshold or half of it).
//! This amount may always be in flight. When the losses are repaired, the window becomes the data in flight plus three
//! segments (`tcp_moderate_cwnd()`). A slow start then increases the window to the threshold. If the least window of a
//! module is the threshold, the window stays at the threshold.

/// Number of segments beyond the data in flight that the window allows when the losses are repaired.
const MAX_BURST: u64 = 3;

/// The window during one episode and during the slow start after it, in segments.
#[derive(Clone, Debug, saved::Plain)]
pub(crate) struct RateHalving {
    /// Number of segments that may always be in flight during repairs.
    least: u64,
    /// During repairs, the number of segments that may be in flight according to rate halving. After the repairs, the
    /// window.
    cwnd: u64,
    repairing: bool,
}

impl RateHalving {
    /// Begins an episode with `in_flight` segments in flight.
    pub(crate) fn new(in_flight: u64, least: u64) -> Self {
        Self { least, cwnd: in_flight + 1, repairing: true }
    }

    /// Processes an acknowledgement. After it, `in_flight` segments are in flight. `advanced` is true if the cumulative
    /// acknowledgement advanced.
    pub(crate) fn on_ack(&mut self, advanced: bool, in_flight: u64) {
        if self.repairing {
            self.cwnd = self.cwnd.min(in_flight + 1);
        } else {
            // RFC 5681, equation 2. Each ACK counts as one segment.
            self.cwnd += u64::from(advanced);
        }
    }

    /// Records that a segment was sent. `in_flight` includes this segment.
    pub(crate) fn on_sent(&mut self, in_flight: u64) {
        if self.repairing {
            self.cwnd = self.cwnd.min(in_flight.saturating_sub(1).max(1));
        }
    }

    /// Processes the end of the repairs, with `in_flight` segments in flight. Returns the state of the slow start that
    /// follows (TCP-Linux's tcp_moderate_cwnd()), or `None` if the least window is not below the threshold.
    pub(crate) fn repaired(self, in_flight: u64, ssthresh: u64) -> Option<Self> {
        (self.least < ssthresh).then(|| Self { repairing: false, cwnd: in_flight + MAX_BURST, ..self })
    }

    /// Whether rate halving has ended, because the slow start has reached the controller's window.
    pub(crate) fn is_over(&self, window: u64) -> bool {
        !self.repairing && self.cwnd >= window
    }

    /// The window that applies. `window` is the controller's window, which equals the threshold while losses are
    /// repaired.
    pub(crate) fn window(&self, window: u64) -> u64 {
        if self.repairing { self.cwnd.max(self.least) } else { self.cwnd.min(window) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns how many segments are sent at each ACK. Each element of `acks` is the number of segments that this ACK
    /// removes from the flight.
    fn sent(halving: &mut RateHalving, in_flight: &mut u64, acks: &[u64]) -> Vec<u64> {
        let mut rows = Vec::new();
        for gone in acks {
            *in_flight -= gone;
            halving.on_ack(false, *in_flight);
            let mut left = 0;
            while *in_flight < halving.window(10) {
                *in_flight += 1;
                halving.on_sent(*in_flight);
                left += 1;
            }
            rows.push(left);
        }
        rows
    }

    #[test]
    fn one_loss_lets_a_segment_out_for_every_second_ack() {
        // As the name of the draft implies, the sender halves its rate. The window is 20 segments, and the fast
        // retransmit uses the last segment of the window.
        let mut in_flight = 19;
        let mut halving = RateHalving::new(in_flight, 5);
        in_flight += 1;
        halving.on_sent(in_flight);
        let rows = sent(&mut halving, &mut in_flight, &[1; 16]);
        assert_eq!(rows, [0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1]);
        assert_eq!(in_flight, 12);
    }

    #[test]
    fn losses_let_out_one_segment_per_ack() {
        // Each ACK reports one delivered segment and one more lost segment. Two segments leave the path, and the sender
        // sends one segment.
        let mut in_flight = 100;
        let mut halving = RateHalving::new(in_flight, 25);
        in_flight += 1;
        halving.on_sent(in_flight);
        assert_eq!(sent(&mut halving, &mut in_flight, &[2; 20]), [1; 20]);
        assert_eq!(in_flight, 81);
        // Slow start begins at the remaining window and ends at the threshold.
        let mut halving = halving.repaired(80, 50).expect("its least window is below the threshold");
        assert_eq!(halving.window(100), 83);
        halving.on_ack(true, 80);
        halving.on_ack(false, 79);
        assert_eq!(halving.window(100), 84);
        assert!(halving.is_over(84) && !halving.is_over(85));
    }
    #[test]
    fn the_least_window_is_always_let_out() {
        // In tcp-linux.cc, the condition is: while (packets_in_flight() < max(win, next_pkts_in_flight_)). 60 of 100
        // segments were lost at the same time.
        let mut in_flight = 40;
        let mut halving = RateHalving::new(in_flight, 50);
        assert_eq!(sent(&mut halving, &mut in_flight, &[0, 1, 1, 3]), [10, 1, 1, 3]);
        // The least window is the threshold, so the window does not change.
        assert!(halving.repaired(20, 50).is_none());
    }
}
