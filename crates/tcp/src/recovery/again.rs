// SPDX-License-Identifier: MIT OR Apache-2.0
//! Detects lost repairs as in TCP-Linux of ns-2.35 (tcp/scoreboard1.cc: `UpdateScoreBoard`). A repair is a
//! retransmission of a lost segment.
//!
//! A repair is lost if new data that were sent after it are reported. It is also lost if a later repair is reported
//! that was sent more than four repairs after it.

use crate::scoreboard::{Record, Scoreboard};
use std::collections::VecDeque;

/// dupack_threshold + 1 of TCP-Linux: the number of repairs that may overtake a repair before it counts as lost.
const OVERTAKEN_BY: usize = 4;

/// The repairs in flight.
#[derive(Clone, Debug, Default, saved::Plain)]
pub(crate) struct LostAgain {
    /// Segment number and transmission number of each repair, in the order of sending.
    sent: VecDeque<(u64, u64)>,
    /// Repairs with a smaller transmission number than this value are lost.
    bound: u64,
}

impl LostAgain {
    /// Records that a repair was sent.
    pub(crate) fn on_repair(&mut self, seq: u64, tx: u64) {
        self.sent.push_back((seq, tx));
    }

    /// Processes the most recently sent segment that an acknowledgement reports.
    pub(crate) fn on_delivered(&mut self, record: &Record) {
        let bound = if record.is_ambiguous() {
            let place = self.sent.partition_point(|&(_, tx)| tx < record.tx);
            place.checked_sub(OVERTAKEN_BY).and_then(|last| self.sent.get(last)).map_or(0, |&(_, tx)| tx)
        } else {
            record.tx
        };
        self.bound = self.bound.max(bound);
    }

    /// Declares repairs lost. `found` is called for each lost repair, in the order of sending.
    pub(crate) fn detect(&mut self, board: &mut Scoreboard, mut found: impl FnMut(u64, &Record)) {
        while let Some(&(seq, tx)) = self.sent.front() {
            let settled = seq < board.una() || {
                let record = board.record(seq);
                record.tx != tx || record.is_sacked()
            };
            if !settled {
                if tx >= self.bound {
                    break;
                }
                if board.mark_lost(seq) {
                    found(seq, board.record(seq));
                }
            }
            self.sent.pop_front();
        }
    }

    /// Clears the list at a timeout: all segments then count as lost and will be repaired again.
    pub(crate) fn forget(&mut self) {
        self.sent.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(tx: u64) -> Record {
        Record { tx, ..Record::default() }
    }

    /// A scoreboard for tests. Segments 0 to 9 are sent as transmissions 0 to 9. The first `lost` segments are repaired
    /// as transmissions 10 and higher.
    fn repaired(lost: u64) -> (Scoreboard, LostAgain) {
        let (mut board, mut again) = (Scoreboard::new(0), LostAgain::default());
        for seq in 0..10 {
            board.push(record(seq));
        }
        for seq in 0..lost {
            assert!(board.mark_lost(seq));
            assert_eq!(board.next_repair(), Some(seq));
            board.retransmit(seq, record(10 + seq));
            again.on_repair(seq, 10 + seq);
        }
        (board, again)
    }

    fn found(board: &mut Scoreboard, again: &mut LostAgain) -> Vec<u64> {
        let mut seqs = Vec::new();
        again.detect(board, |seq, _| seqs.push(seq));
        seqs
    }

    #[test]
    fn new_data_that_left_later_shows_a_lost_repair() {
        let (mut board, mut again) = repaired(2);
        board.push(record(12));
        // A report of data that were sent before the repairs contains no information about the repairs.
        again.on_delivered(&record(9));
        assert!(found(&mut board, &mut again).is_empty());
        again.on_delivered(&record(12));
        assert_eq!(found(&mut board, &mut again), [0, 1]);
        assert!(found(&mut board, &mut again).is_empty());
    }

    #[test]
    fn a_repair_that_left_five_repairs_later_does_too() {
        // The condition in scoreboard1.cc is GetRtx() + dupack_threshold + 1 < acked_rtx_id_, counted from 0.
        let (mut board, mut again) = repaired(7);
        again.on_delivered(board.record(4));
        assert!(found(&mut board, &mut again).is_empty());
        again.on_delivered(board.record(6));
        assert_eq!(found(&mut board, &mut again), [0, 1]);
    }
}
