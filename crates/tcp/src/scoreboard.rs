// SPDX-License-Identifier: MIT OR Apache-2.0
//! The state of every outstanding segment.
//!
//! There is one 64-byte record per segment, which is found by the segment's number. Counters give the pipe (RFC 6675)
//! in O(1). The records are in blocks of one page. Blocks are allocated and freed as the window moves, so the memory
//! follows the window without copies. Each segment is visited once when it is SACKed, once when it is acknowledged, and
//! at most once per transmission when its loss is detected. The work is therefore linear in segments for any window.
//! There is one exception: if probes have delivered segments, every reported segment is visited.

use crate::intervals::Intervals;
use std::collections::VecDeque;
use units::Time;

/// The newest transmission of one outstanding segment.
#[derive(Clone, Copy, Debug, Default, saved::Plain)]
#[repr(C, align(64))]
pub(crate) struct Record {
    /// When the segment was sent.
    pub(crate) sent_at: Time,
    /// Transmission number.
    pub(crate) tx: u64,
    /// The connection's delivered bytes when the segment was sent.
    pub(crate) delivered: u64,
    /// When `delivered` had reached this value.
    pub(crate) delivered_at: Time,
    /// Sending time of the packet whose acknowledgement was the newest when the segment was sent.
    pub(crate) first_sent_at: Time,
    /// The connection's lost bytes when the segment was sent.
    pub(crate) lost_at_send: u64,
    /// Segments in flight when the segment was sent, including itself.
    pub(crate) in_flight: u32,
    /// Propagation RTT when the segment was sent, in nanoseconds; [`Record::UNKNOWN`] if unknown.
    pub(crate) propagation_ns: u32,
    /// The caller sets only [`Record::APP_LIMITED`], at the sending. The scoreboard sets the other flags.
    pub(crate) flags: u8,
}

const _: () = assert!(size_of::<Record>() == 64, "a record is one cache line");

impl Record {
    /// The propagation RTT is unknown (or longer than 4.29 s).
    pub(crate) const UNKNOWN: u32 = u32::MAX;
    /// Selectively acknowledged.
    const SACKED: u8 = 1;
    /// Declared lost (and possibly retransmitted since then).
    const LOST: u8 = 2;
    /// A retransmission is in flight.
    const REPAIRED: u8 = 4;
    /// Was retransmitted at least once (Karn's rule).
    const AMBIGUOUS: u8 = 8;
    /// Sent while the application limited the rate.
    pub(crate) const APP_LIMITED: u8 = 16;
    /// A probe delivered the segment before its turn. It is SACKed, but it is not evidence of losses below it.
    const AHEAD: u8 = 32;
    /// A probe also carried the segment. The arrival of the segment may be the arrival of the probe.
    pub(crate) const CARRIED: u8 = 64;

    fn is(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }
    /// Whether the segment was ever retransmitted.
    pub(crate) fn is_ambiguous(&self) -> bool {
        self.is(Self::AMBIGUOUS)
    }
    pub(crate) fn is_sacked(&self) -> bool {
        self.is(Self::SACKED)
    }
    pub(crate) fn is_carried(&self) -> bool {
        self.is(Self::CARRIED)
    }
    pub(crate) fn is_app_limited(&self) -> bool {
        self.is(Self::APP_LIMITED)
    }
}

/// Number of records in a block, which is one page.
const BLOCK: u64 = 64;

/// Records by segment number, in blocks. The first block contains the oldest outstanding segment.
#[derive(Clone, Debug, saved::Plain)]
struct Records {
    blocks: VecDeque<Box<[Record; BLOCK as usize]>>,
    /// Number of the first block.
    first: u64,
    /// A freed block, for reuse.
    spare: Option<Box<[Record; BLOCK as usize]>>,
}

impl Records {
    const fn starting_at(seq: u64) -> Self {
        Self { blocks: VecDeque::new(), first: seq / BLOCK, spare: None }
    }
    /// Makes room up to `seq`.
    #[inline]
    fn reach(&mut self, seq: u64) {
        if seq / BLOCK - self.first >= self.blocks.len() as u64 {
            self.extend();
        }
    }
    fn extend(&mut self) {
        let block = self.spare.take().unwrap_or_else(|| Box::new([Record::default(); BLOCK as usize]));
        self.blocks.push_back(block);
    }
    /// All segments below `seq` are acknowledged.
    #[inline]
    fn forget_below(&mut self, seq: u64) {
        while self.first < seq / BLOCK && !self.blocks.is_empty() {
            self.spare = self.blocks.pop_front();
            self.first += 1;
        }
    }
    #[inline]
    fn get(&self, seq: u64) -> &Record {
        &self.blocks[(seq / BLOCK - self.first) as usize][(seq % BLOCK) as usize]
    }
    #[inline]
    fn get_mut(&mut self, seq: u64) -> &mut Record {
        &mut self.blocks[(seq / BLOCK - self.first) as usize][(seq % BLOCK) as usize]
    }
}

/// The outstanding segments `[una, next)`.
#[derive(Clone, Debug, saved::Plain)]
pub(crate) struct Scoreboard {
    records: Records,
    una: u64,
    next: u64,
    sacked: Intervals,
    sacked_out: u64,
    /// SACKed segments with the flag [`Record::AHEAD`].
    ahead_out: u64,
    lost_out: u64,
    repaired_out: u64,
    /// [`Self::mark_below_sacked`] has declared every segment below this number lost, unless it is SACKed.
    frontier: u64,
    /// Lost segments in the order of their detection. Entries that are out of date are skipped.
    to_repair: VecDeque<u64>,
    /// Number of records visited (tests use it to check that the work is linear).
    #[cfg(test)]
    pub(crate) visits: u64,
}

impl Scoreboard {
    pub(crate) fn new(first: u64) -> Self {
        Self {
            records: Records::starting_at(first),
            una: first,
            next: first,
            sacked: Intervals::default(),
            sacked_out: 0,
            ahead_out: 0,
            lost_out: 0,
            repaired_out: 0,
            frontier: first,
            to_repair: VecDeque::new(),
            #[cfg(test)]
            visits: 0,
        }
    }

    /// The oldest segment not acknowledged.
    pub(crate) fn una(&self) -> u64 {
        self.una
    }
    /// The next new segment.
    pub(crate) fn next(&self) -> u64 {
        self.next
    }
    /// Segments sent and not cumulatively acknowledged (FlightSize).
    pub(crate) fn outstanding(&self) -> u64 {
        self.next - self.una
    }
    /// Segments SACKed above the cumulative acknowledgement.
    pub(crate) fn sacked_out(&self) -> u64 {
        self.sacked_out
    }
    /// Segments declared lost and not yet acknowledged.
    pub(crate) fn lost_out(&self) -> u64 {
        self.lost_out
    }
    /// Retransmissions in flight.
    pub(crate) fn repaired_out(&self) -> u64 {
        self.repaired_out
    }
    /// Segments presumed to be in the network (RFC 6675, SetPipe).
    pub(crate) fn pipe(&self) -> u64 {
        self.outstanding() - self.sacked_out - self.lost_out + self.repaired_out
    }
    /// The record of an outstanding segment.
    pub(crate) fn record(&self, seq: u64) -> &Record {
        self.records.get(seq)
    }
    fn record_mut(&mut self, seq: u64) -> &mut Record {
        #[cfg(test)]
        {
            self.visits += 1;
        }
        self.records.get_mut(seq)
    }

    /// A new segment is sent.
    pub(crate) fn push(&mut self, record: Record) {
        self.records.reach(self.next);
        *self.record_mut(self.next) = record;
        self.next += 1;
    }

    /// A segment that a probe has already delivered enters the window.
    pub(crate) fn push_ahead(&mut self, record: Record) {
        self.push(Record { flags: Record::SACKED | Record::AHEAD, ..record });
        self.sacked_out += 1;
        self.ahead_out += 1;
    }

    /// Removes a segment from the counters of lost and repaired segments.
    fn settle(&mut self, flags: u8) {
        self.lost_out -= u64::from(flags & Record::LOST != 0);
        self.repaired_out -= u64::from(flags & Record::REPAIRED != 0);
    }

    /// A probe carries an outstanding segment.
    pub(crate) fn carry(&mut self, seq: u64) {
        self.record_mut(seq).flags |= Record::CARRIED;
    }

    /// `[from, to)` is SACKed, in the acknowledgement of a probe if `by_probe`. `fresh` receives each segment that was
    /// not SACKed before. Segments that a probe may have delivered are not evidence of losses below them.
    pub(crate) fn sack(&mut self, from: u64, to: u64, by_probe: bool, mut fresh: impl FnMut(u64, &Record)) {
        let (from, to) = (from.max(self.una), to.min(self.next));
        if from >= to {
            return;
        }
        if self.ahead_out == 0 && !by_probe {
            self.sack_range(from, to, fresh);
            return;
        }
        for seq in from..to {
            let record = self.record_mut(seq);
            let flags = record.flags;
            if flags & Record::SACKED != 0 {
                continue;
            }
            if by_probe && flags & Record::CARRIED != 0 {
                record.flags = (flags | Record::SACKED | Record::AHEAD) & !(Record::LOST | Record::REPAIRED);
                fresh(seq, record);
                self.settle(flags);
                self.sacked_out += 1;
                self.ahead_out += 1;
            } else {
                self.sack_range(seq, seq + 1, &mut fresh);
            }
        }
    }

    /// The segment was received twice. The data segment therefore arrived in addition to the probe, which is evidence
    /// of losses below it. Returns the record of the segment if this is new.
    pub(crate) fn confirm(&mut self, seq: u64) -> Option<Record> {
        if self.ahead_out == 0 || !(self.una..self.next).contains(&seq) || !self.record(seq).is(Record::AHEAD)
        {
            return None;
        }
        self.record_mut(seq).flags &= !Record::AHEAD;
        self.ahead_out -= 1;
        self.sacked.insert(seq, seq + 1, |_, _| {});
        Some(*self.record(seq))
    }

    fn sack_range(&mut self, from: u64, to: u64, mut fresh: impl FnMut(u64, &Record)) {
        let mut sacked = std::mem::take(&mut self.sacked);
        sacked.insert(from, to, |a, b| {
            for seq in a..b {
                let record = self.record_mut(seq);
                let flags = record.flags;
                record.flags = (flags | Record::SACKED) & !(Record::LOST | Record::REPAIRED);
                fresh(seq, record);
                self.settle(flags);
            }
            self.sacked_out += b - a;
        });
        self.sacked = sacked;
    }

    /// All segments below `to` are acknowledged. `fresh` receives each segment that was not SACKed before. Returns
    /// whether one of the SACKed segments had been retransmitted.
    pub(crate) fn acknowledge(&mut self, to: u64, mut fresh: impl FnMut(u64, &Record)) -> bool {
        let mut repeated = false;
        for seq in self.una..to {
            let record = self.record_mut(seq);
            if record.is_sacked() {
                let ahead = record.is(Record::AHEAD);
                repeated |= record.is_ambiguous();
                self.sacked_out -= 1;
                self.ahead_out -= u64::from(ahead);
            } else {
                let flags = record.flags;
                fresh(seq, record);
                self.settle(flags);
            }
        }
        self.una = to;
        self.records.forget_below(to);
        self.frontier = self.frontier.max(to);
        if !self.sacked.is_empty() {
            self.sacked.remove_below(to);
        }
        repeated
    }

    /// Declares one outstanding segment lost, including its retransmission, if any. Returns false if the segment is
    /// SACKed or already waits for repair.
    pub(crate) fn mark_lost(&mut self, seq: u64) -> bool {
        let record = self.record_mut(seq);
        let flags = record.flags;
        if flags & Record::SACKED != 0 || flags & (Record::LOST | Record::REPAIRED) == Record::LOST {
            return false;
        }
        record.flags = (flags | Record::LOST) & !Record::REPAIRED;
        self.lost_out += u64::from(flags & Record::LOST == 0);
        self.repaired_out -= u64::from(flags & Record::REPAIRED != 0);
        self.to_repair.push_back(seq);
        true
    }

    /// RFC 6675 IsLost(): a segment is lost when `dup_thresh` segments above it are SACKed. Retransmissions are not
    /// judged again. `found` receives each newly lost segment, in ascending order.
    pub(crate) fn mark_below_sacked(&mut self, dup_thresh: u32, mut found: impl FnMut(u64, &Record)) {
        let Some(bound) = self.sacked.highest(dup_thresh.into()) else { return };
        for seq in self.frontier..bound {
            if !self.record(seq).is(Record::LOST) && self.mark_lost(seq) {
                found(seq, self.record(seq));
            }
        }
        self.frontier = self.frontier.max(bound);
    }

    /// A timeout. Every segment that is not SACKed and for which `presumed` returns true is lost, including its
    /// retransmission. All lost segments will be repaired in ascending order. Returns the number of segments newly
    /// declared lost.
    pub(crate) fn mark_all_lost(&mut self, mut presumed: impl FnMut(u64, &Record) -> bool) -> u64 {
        self.to_repair.clear();
        let mut newly = 0;
        for seq in self.una..self.next {
            let record = self.record(seq);
            if record.is_sacked() {
                continue;
            }
            if record.is(Record::LOST) && !record.is(Record::REPAIRED) {
                self.to_repair.push_back(seq);
            } else if presumed(seq, record) {
                newly += u64::from(self.mark_lost(seq));
            }
        }
        newly
    }

    /// All outstanding segments count as in flight again, whether they were SACKed, lost or repaired. `sacked` receives
    /// each segment that was SACKed.
    pub(crate) fn forget(&mut self, mut sacked: impl FnMut(u64)) {
        for seq in self.una..self.next {
            let record = self.record_mut(seq);
            if record.is_sacked() {
                sacked(seq);
            }
            record.flags &= !(Record::SACKED | Record::LOST | Record::REPAIRED | Record::AHEAD);
        }
        (self.sacked_out, self.ahead_out, self.lost_out, self.repaired_out) = (0, 0, 0, 0);
        self.frontier = self.una;
        self.sacked = Intervals::default();
        self.to_repair.clear();
    }

    /// An episode proved spurious. Segments that were declared lost count as in flight, and their retransmissions too
    /// (Linux, `tcp_undo_cwnd_reduction()`). `found` receives each segment that is not SACKed.
    pub(crate) fn forgive(&mut self, mut found: impl FnMut(u64, &Record)) {
        for seq in self.una..self.next {
            let record = self.record_mut(seq);
            record.flags &= !Record::LOST;
            if !record.is_sacked() {
                found(seq, record);
            }
        }
        self.lost_out = 0;
        self.to_repair.clear();
        self.frontier = self.una;
    }

    /// The next segment to repair.
    pub(crate) fn next_repair(&mut self) -> Option<u64> {
        while let Some(&seq) = self.to_repair.front() {
            let waits = seq >= self.una
                && self.record(seq).flags & (Record::LOST | Record::REPAIRED | Record::SACKED)
                    == Record::LOST;
            if waits {
                return Some(seq);
            }
            self.to_repair.pop_front();
        }
        None
    }

    /// A segment is retransmitted; `record` describes the new transmission.
    pub(crate) fn retransmit(&mut self, seq: u64, record: Record) {
        if self.to_repair.front() == Some(&seq) {
            self.to_repair.pop_front();
        }
        let old = self.record_mut(seq);
        let flags = old.flags & (Record::LOST | Record::CARRIED);
        let was_repaired = old.is(Record::REPAIRED);
        *old = record;
        old.flags |= flags | Record::REPAIRED | Record::AMBIGUOUS;
        self.repaired_out += u64::from(!was_repaired);
    }

    /// Recomputes the counters from the records: sacked, lost, repaired.
    #[cfg(test)]
    pub(crate) fn recount(&self) -> [u64; 3] {
        let count = |flag| (self.una..self.next).filter(|&seq| self.record(seq).is(flag)).count() as u64;
        [count(Record::SACKED), count(Record::LOST), count(Record::REPAIRED)]
    }
    /// The stored counters.
    #[cfg(test)]
    pub(crate) fn counters(&self) -> [u64; 3] {
        [self.sacked_out, self.lost_out, self.repaired_out]
    }
}
