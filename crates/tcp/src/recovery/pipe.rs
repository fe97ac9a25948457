// SPDX-License-Identifier: MIT OR Apache-2.0
//! The `pipe` of Fall and Floyd, "Simulation-based Comparisons of Tahoe, Reno, and SACK TCP", ACM CCR 26(3), 1996, section 3.4: how
//! many segments are in the path while holes are repaired, as ns-2's `Agent/TCP/Sack1` estimates it.
//!
//! It knows of no losses: a segment sent counts until it is reported or acknowledged, a retransmission counts besides. So
//! after a burst of losses the sender waits until the duplicate ACKs have taken as many segments out as the new
//! window holds fewer, and then repairs as in a slow start: each partial ACK lets two segments out. RFC 6675
//! takes lost segments out at once and repairs them at the rate of the ACKs.

/// The estimate of one episode, in segments.
#[derive(Clone, Debug)]
pub(crate) struct Pipe(u64);

impl Pipe {
    /// An episode begins with `outstanding` segments that are not cumulatively acknowledged, `sacked` of them SACKed.
    pub(crate) fn new(outstanding: u64, sacked: u64) -> Self {
        Self(outstanding - sacked)
    }

    /// "Decremented by one when the sender receives a dup ACK packet with a SACK option reporting that new data has been
    /// received"; "for partial ACKs [...] decremented by two": the segment that was lost, and its retransmission.
    pub(crate) fn on_ack(&mut self, partial: bool) {
        self.0 = self.0.saturating_sub(1 + u64::from(partial));
    }

    /// "Incremented by one when the sender either sends a new packet or retransmits an old packet."
    pub(crate) fn on_sent(&mut self) {
        self.0 += 1;
    }

    /// Segments in the path.
    pub(crate) fn segments(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repairs_of_a_burst_double_each_round_trip() {
        // Window 16, of which every second segment is lost, so ssthresh 8. Limited transmit sent two more: 18 are outstanding
        // when the third duplicate ACK comes: pipe 18 - 3 = 15, and 16 with the fast retransmit. 7 duplicates
        // more (5 of the window, 2 for what limited transmit sent): 9. Nothing fits into 8.
        let mut pipe = Pipe::new(18, 3);
        pipe.on_sent();
        for _ in 0..7 {
            pipe.on_ack(false);
        }
        assert_eq!(pipe.segments(), 9);
        // Seven holes are left. The first repair's partial ACK leaves 7: one segment goes out. From then on each partial ACK
        // takes two off and lets two out: 1, 1, 2, 4 repairs per round trip, which with the first are all eight.
        let mut flying = 1;
        let mut sent = Vec::new();
        for _ in 0..3 {
            let arrived = std::mem::take(&mut flying);
            for _ in 0..arrived {
                pipe.on_ack(true);
                while pipe.segments() < 8 {
                    pipe.on_sent();
                    flying += 1;
                }
            }
            sent.push(flying);
        }
        assert_eq!(sent, [1, 2, 4]);
    }
}
