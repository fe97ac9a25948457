// SPDX-License-Identifier: MIT OR Apache-2.0
//! The `pipe` of K. Fall and S. Floyd (1996), "Simulation-based Comparisons of Tahoe, Reno, and SACK TCP", ACM CCR
//! 26(3). It estimates the number of segments in the path while holes are repaired. This implementation follows ns-2's
//! `Agent/TCP/Sack1`.
//!
//! The estimate ignores losses. A segment counts from its transmission until it is SACKed or acknowledged. A
//! retransmission counts in addition. After a burst of losses, the sender therefore waits until duplicate ACKs have
//! removed as many segments as the reduction of the window. After that, it repairs as in slow start, because each
//! partial ACK releases two segments. RFC 6675 is faster: it removes lost segments immediately, and sends repairs
//! faster than ACKs arrive.

/// The estimate in one episode, in segments.
#[derive(Clone, Debug, saved::Plain)]
pub(crate) struct Pipe(u64);

impl Pipe {
    /// Begins an episode. `outstanding` segments are not cumulatively acknowledged, and `sacked` of them are SACKed.
    /// The fast retransmit has not been sent yet and does not count. The packets of ns-2 confirm this (see the test
    /// below).
    pub(crate) fn new(outstanding: u64, sacked: u64) -> Self {
        Self((outstanding - sacked).saturating_sub(1))
    }

    /// Processes an ACK. A duplicate ACK that reports new data removes one segment. A partial ACK removes two segments:
    /// the lost segment and its retransmission.
    pub(crate) fn on_ack(&mut self, partial: bool) {
        self.0 = self.0.saturating_sub(1 + u64::from(partial));
    }

    /// Records that a new or an old segment is sent.
    pub(crate) fn on_sent(&mut self) {
        self.0 += 1;
    }

    /// Number of segments in the path.
    pub(crate) fn segments(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected: the packets of Sack1 in ns-2 2.35 (20 Mbit/s, 100 ms, a queue of 167 packets), in each of the five
    /// recoveries in congestion avoidance. The window is about 409.5, and there is one loss. At the third duplicate
    /// ACK, 411 segments are outstanding, because limited transmit has sent two. The new window is 204. The first new
    /// segment is sent at the 205th duplicate ACK after that.
    #[test]
    fn new_data_follow_when_ns_2s_do() {
        let mut pipe = Pipe::new(411, 3);
        pipe.on_sent();
        for _ in 0..204 {
            pipe.on_ack(false);
        }
        assert_eq!(pipe.segments(), 204, "full");
        pipe.on_ack(false);
        assert_eq!(pipe.segments(), 203, "room for one");
    }

    /// Expected: the same run after its first slow start. There are 819 outstanding segments, 409 of them are lost, and
    /// the new window is 408. After 407 further duplicate ACKs, the sender sends 1, 2, 4, 8 and so on repairs per round
    /// trip.
    #[test]
    fn repairs_of_a_burst_double_each_round_trip_as_ns_2s() {
        let mut pipe = Pipe::new(819, 3);
        pipe.on_sent();
        for _ in 0..407 {
            pipe.on_ack(false);
            assert!(pipe.segments() >= 408, "nothing leaves");
        }
        let mut flying = 1;
        let mut sent = Vec::new();
        for _ in 0..5 {
            let arrived = std::mem::take(&mut flying);
            for _ in 0..arrived {
                pipe.on_ack(true);
                while pipe.segments() < 408 {
                    pipe.on_sent();
                    flying += 1;
                }
            }
            sent.push(flying);
        }
        assert_eq!(sent, [1, 2, 4, 8, 16]);
    }
}
