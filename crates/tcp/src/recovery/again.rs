// SPDX-License-Identifier: MIT OR Apache-2.0
//! Repairs that were lost as well, as TCP-Linux of ns-2.35 finds them (tcp/scoreboard1.cc: `UpdateScoreBoard`).
//!
//! A repair is lost again once new data that left after it was reported, or another repair that left more than four
//! repairs later.

use crate::scoreboard::{Record, Scoreboard};
use std::collections::VecDeque;

/// dupack_threshold + 1 of TCP-Linux: a repair may be overtaken by so many.
const OVERTAKEN_BY: usize = 4;

/// The repairs on their way.
#[derive(Clone, Debug, Default)]
pub(crate) struct LostAgain {
    /// Segment and transmission, in the order of sending.
    sent: VecDeque<(u64, u64)>,
    /// Repairs of earlier transmissions than this one are lost.
    bound: u64,
}

impl LostAgain {
    /// A repair left.
    pub(crate) fn on_repair(&mut self, seq: u64, tx: u64) {
        self.sent.push_back((seq, tx));
    }

    /// The newest segment that an acknowledgement reports.
    pub(crate) fn on_delivered(&mut self, record: &Record) {
        let bound = if record.is_ambiguous() {
            let place = self.sent.partition_point(|&(_, tx)| tx < record.tx);
            place.checked_sub(OVERTAKEN_BY).and_then(|last| self.sent.get(last)).map_or(0, |&(_, tx)| tx)
        } else {
            record.tx
        };
        self.bound = self.bound.max(bound);
    }

    /// Declares lost what is; `found` sees each, in the order of sending.
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

    /// A timeout: all is lost, and will be repaired anew.
    pub(crate) fn forget(&mut self) {
        self.sent.clear();
    }
}
