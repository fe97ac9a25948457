// SPDX-License-Identifier: MIT OR Apache-2.0
//! The state of every outstanding segment.
//!
//! Each segment has a record of 64 bytes, which is found by the segment's number. Counters yield the pipe (RFC 6675) in
//! O(1). The records are stored in blocks. As the window moves, blocks are allocated and freed, so the memory follows
//! the window without copies. A segment is visited once when it is SACKed, once when it is acknowledged, and at most
//! once per transmission when its loss is detected. Therefore, the work is linear in the number of segments for any
//! window. The exception is low-priority probes: every segment of a SACK block is visited if the ACK answers such a
//! probe, or while a segment that a probe delivered is outstanding.

use crate::intervals::Intervals;
use std::collections::VecDeque;
use units::Time;

/// The newest transmission of one outstanding segment.
#[derive(Clone, Copy, Debug, Default, saved::Plain)]
#[repr(C, align(64))]
pub(crate) struct Record {
    /// Time at which the segment was sent.
    pub(crate) sent_at: Time,
    /// Number of the transmission.
    pub(crate) tx: u64,
    /// Number of bytes that the connection had delivered when the segment was sent.
    pub(crate) delivered: u64,
    /// Time at which the number of delivered bytes reached `delivered`.
    pub(crate) delivered_at: Time,
    /// Sending time of the packet that had been acknowledged last when the segment was sent.
    pub(crate) first_sent_at: Time,
    /// Number of bytes that the connection had lost when the segment was sent.
    pub(crate) lost_at_send: u64,
    /// Number of segments in flight when the segment was sent, including this segment.
    pub(crate) in_flight: u32,
    /// Propagation RTT when the segment was sent, in nanoseconds, or [`Record::UNKNOWN`].
    pub(crate) propagation_ns: u32,
    /// Flags. The caller sets only [`Record::APP_LIMITED`] when the segment is sent. The scoreboard sets all other
    /// flags.
    pub(crate) flags: u8,
}

const _: () = assert!(size_of::<Record>() == 64, "a record is one cache line");

impl Record {
    /// The propagation RTT is unknown or longer than 4.29 s.
    pub(crate) const UNKNOWN: u32 = u32::MAX;
    /// The segment is SACKed.
    const SACKED: u8 = 1;
    /// The segment was declared lost. It may have been retransmitted since then.
    const LOST: u8 = 2;
    /// A retransmission of the segment is in flight.
    const REPAIRED: u8 = 4;
    /// The segment was retransmitted at least once (Karn's rule).
    const AMBIGUOUS: u8 = 8;
    /// The segment was sent while the application limited the rate.
    pub(crate) const APP_LIMITED: u8 = 16;
    /// A probe delivered the segment before its turn. The segment is SACKed, but this is not evidence of losses below
    /// it.
    const AHEAD: u8 = 32;
    /// A probe also carried the segment. If the segment arrives, this may be the arrival of the probe.
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

/// Number of records in a block.
const BLOCK: u64 = 16;

/// Records by segment number, stored in blocks. The first block contains the oldest outstanding segment.
#[derive(Clone, Debug, saved::Plain)]
struct Records {
    blocks: VecDeque<Box<[Record; BLOCK as usize]>>,
    /// Number of the first block: its first segment number divided by [`BLOCK`].
    first: u64,
    /// A freed block that can be used again.
    spare: Option<Box<[Record; BLOCK as usize]>>,
}

impl Records {
    const fn starting_at(seq: u64) -> Self {
        Self { blocks: VecDeque::new(), first: seq / BLOCK, spare: None }
    }
    /// Allocates blocks up to segment `seq`.
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
    /// Frees the blocks that contain only segments below `seq`, which are all acknowledged.
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
    /// Number of SACKed segments with the flag [`Record::AHEAD`].
    ahead_out: u64,
    lost_out: u64,
    repaired_out: u64,
    /// [`Self::mark_below_sacked`] has declared all segments below this number lost, except SACKed segments.
    frontier: u64,
    /// Lost segments in the order of their detection. Entries that are out of date are skipped.
    to_repair: VecDeque<u64>,
    /// Number of records that were visited. Tests use it to check that the work is linear.
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

    /// The oldest segment that is not cumulatively acknowledged.
    pub(crate) fn una(&self) -> u64 {
        self.una
    }
    /// The next new segment.
    pub(crate) fn next(&self) -> u64 {
        self.next
    }
    /// Number of segments that were sent but not cumulatively acknowledged (FlightSize).
    pub(crate) fn outstanding(&self) -> u64 {
        self.next - self.una
    }
    /// Number of SACKed segments above the cumulative acknowledgement.
    pub(crate) fn sacked_out(&self) -> u64 {
        self.sacked_out
    }
    /// Number of segments that were declared lost and are not yet acknowledged.
    pub(crate) fn lost_out(&self) -> u64 {
        self.lost_out
    }
    /// Number of retransmissions in flight.
    pub(crate) fn repaired_out(&self) -> u64 {
        self.repaired_out
    }
    /// Number of segments that are presumed to be in the network (RFC 6675, SetPipe).
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

    /// Adds a new segment, which is sent now.
    pub(crate) fn push(&mut self, record: Record) {
        self.records.reach(self.next);
        *self.record_mut(self.next) = record;
        self.next += 1;
    }

    /// Adds a segment that a probe has already delivered.
    pub(crate) fn push_ahead(&mut self, record: Record) {
        self.push(Record { flags: Record::SACKED | Record::AHEAD, ..record });
        self.sacked_out += 1;
        self.ahead_out += 1;
    }

    /// Removes a segment with these flags from the counters of lost and repaired segments.
    fn settle(&mut self, flags: u8) {
        self.lost_out -= u64::from(flags & Record::LOST != 0);
        self.repaired_out -= u64::from(flags & Record::REPAIRED != 0);
    }

    /// Records that a probe carries an outstanding segment.
    pub(crate) fn carry(&mut self, seq: u64) {
        self.record_mut(seq).flags |= Record::CARRIED;
    }

    /// Marks `[from, to)` as SACKed. `by_probe` is true if the acknowledgement of a probe reports these segments.
    /// `fresh` is called for each segment that was not SACKed before. Segments that a probe may have delivered are not
    /// evidence of losses below them.
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

    /// Processes a report that a segment was received twice. If a probe has delivered the segment, the data segment has
    /// now also arrived, which is evidence of losses below it. In this case, the record of the segment is returned the
    /// first time.
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

    /// Removes all segments below `to`, which are cumulatively acknowledged. `fresh` is called for each of them that
    /// was not SACKed before. Returns whether one of the SACKed segments among them had been retransmitted.
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

    /// Declares one outstanding segment lost. If it was retransmitted, the retransmission is also declared lost.
    /// Returns false if the segment is SACKed or already waits for repair.
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

    /// RFC 6675, IsLost(): declares a segment lost if `dup_thresh` segments above it are SACKed. Retransmissions are
    /// not checked again. `found` is called for each newly lost segment, in ascending order.
    pub(crate) fn mark_below_sacked(&mut self, dup_thresh: u32, mut found: impl FnMut(u64, &Record)) {
        let Some(bound) = self.sacked.highest(dup_thresh.into()) else { return };
        for seq in self.frontier..bound {
            if !self.record(seq).is(Record::LOST) && self.mark_lost(seq) {
                found(seq, self.record(seq));
            }
        }
        self.frontier = self.frontier.max(bound);
    }

    /// Processes a timeout. Every segment that is not SACKed is declared lost, including its retransmission, if
    /// `presumed` returns true for it. All lost segments will be repaired in ascending order. Returns the number of
    /// segments that were not declared lost before.
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

    /// Resets all outstanding segments to the state in flight, whether they were SACKed, lost or repaired. `sacked` is
    /// called for each segment that was SACKed.
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

    /// Processes a spurious episode. Segments that were declared lost, and their retransmissions, count as in flight
    /// again (Linux, `tcp_undo_cwnd_reduction()`). `found` is called for each segment that is not SACKed.
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

    /// Returns the next segment to repair.
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

    /// Records that a segment is retransmitted. `record` describes the new transmission.
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

    /// Recomputes the counters of SACKed, lost and repaired segments from the records.
    #[cfg(test)]
    pub(crate) fn recount(&self) -> [u64; 3] {
        let count = |flag| (self.una..self.next).filter(|&seq| self.record(seq).is(flag)).count() as u64;
        [count(Record::SACKED), count(Record::LOST), count(Record::REPAIRED)]
    }
    /// The stored counters of SACKed, lost and repaired segments.
    #[cfg(test)]
    pub(crate) fn counters(&self) -> [u64; 3] {
        [self.sacked_out, self.lost_out, self.repaired_out]
    }
}
