// SPDX-License-Identifier: MIT OR Apache-2.0
//! Counts the events of a sender, and compares its loss verdicts with the true causes of losses.
//!
//! A sender cannot know where a packet was dropped. The engine stores drops, and reports them at the end of each
//! advance. Until then, [`Losses`] stores the declared losses and the retransmissions of the sender. Each declared loss
//! is then matched with the last drop of that segment before the declaration.

use super::{FlowEvent, FlowEventKind, SourceTotals};
use control::LossVerdict;
use engine::Cause;
use std::collections::HashMap;
use tcp::Event;
use units::Time;

/// Identifies a segment by the stream of its connection and by its number on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, saved::Plain)]
pub(super) struct SegmentId {
    pub stream: u32,
    pub seq: u32,
}

/// An action of a sender that affects the cause of a loss.
#[derive(Clone, Copy, Debug, saved::Plain)]
enum Act {
    /// The sender declared the segment lost. `row` is the index of this event in the log.
    Declared { segment: SegmentId, verdict: Option<LossVerdict>, row: Option<usize> },
    /// The sender retransmitted the segment. Drops of earlier copies can no longer explain a loss.
    Repeated(SegmentId),
}

/// Number of entries for which memory is kept.
const FEW: usize = 16;

/// Declared losses and drops that are not matched yet.
#[derive(Clone, Debug, Default, saved::Plain)]
pub(super) struct Losses {
    acts: Vec<(Time, Act)>,
    drops: Vec<(Time, SegmentId, Cause)>,
    /// The true cause of the drop, for each segment whose newest transmission was dropped.
    truth: HashMap<SegmentId, Cause>,
}

impl Losses {
    /// Records a retransmission.
    pub fn repeated(&mut self, at: Time, segment: SegmentId) {
        self.acts.push((at, Act::Repeated(segment)));
    }

    /// Records that a copy of a segment was dropped. Drops must be reported in order of time.
    pub fn dropped(&mut self, at: Time, segment: SegmentId, cause: Cause) {
        self.drops.push((at, segment, cause));
    }

    /// Counts the verdicts about all losses that were declared before `before`, and writes their causes into the log.
    /// `is_open` returns whether the connection of a stream still exists.
    ///
    /// If an action of the sender and a drop have the same time, the action comes first. There are two reasons. A copy
    /// that is dropped at the entry of its first link was sent before the drop. No sender declares a loss at the time
    /// of the drop.
    pub fn settle(
        &mut self,
        before: Time,
        totals: &mut SourceTotals,
        log: &mut Option<Vec<FlowEvent>>,
        is_open: impl Fn(u32) -> bool,
    ) {
        if self.acts.is_empty() && self.drops.is_empty() {
            return;
        }
        let later = self.drops.partition_point(|drop| drop.0 < before);
        let mut drops = self.drops.drain(..later).peekable();
        let later = self.acts.partition_point(|act| act.0 < before);
        for (at, act) in self.acts.drain(..later) {
            while let Some((_, segment, cause)) = drops.next_if(|drop| drop.0 < at) {
                self.truth.insert(segment, cause);
            }
            match act {
                Act::Repeated(segment) => {
                    self.truth.remove(&segment);
                }
                Act::Declared { segment, verdict, row } => {
                    let cause = self.truth.remove(&segment);
                    if let Some(count) = totals.verdict(cause, verdict) {
                        *count += 1;
                    }
                    let row = log.as_mut().zip(row).and_then(|(log, row)| log.get_mut(row));
                    if let Some(FlowEvent { what: FlowEventKind::Loss(of_row, _), .. }) = row {
                        *of_row = cause;
                    }
                }
            }
        }
        self.truth.extend(drops.map(|(_, segment, cause)| (segment, cause)));
        self.truth.retain(|segment, _| is_open(segment.stream));
        // The memory for a burst of losses is not kept.
        self.acts.shrink_to(FEW);
        self.drops.shrink_to(FEW);
        self.truth.shrink_to(FEW);
    }

    /// Removes and returns the rows of the log that are complete, because their causes are known.
    pub fn release(&mut self, log: &mut Option<Vec<FlowEvent>>) -> Vec<FlowEvent> {
        let Some(log) = log else { return Vec::new() };
        let rows = self.acts.iter_mut().filter_map(|(_, act)| match act {
            Act::Declared { row, .. } => row.as_mut(),
            Act::Repeated(_) => None,
        });
        let mut known = log.len();
        for (number, row) in rows.enumerate() {
            known = if number == 0 { *row } else { known };
            *row -= known;
        }
        let open = log.split_off(known);
        std::mem::replace(log, open)
    }
}

impl SourceTotals {
    /// Counts an event of a stream's connection, and adds it to the log. The cause of a loss is added later by
    /// [`Losses::settle`].
    #[cold]
    pub(super) fn book(
        &mut self,
        at: Time,
        stream: u32,
        event: Event,
        losses: &mut Losses,
        log: &mut Option<Vec<FlowEvent>>,
    ) {
        let what = match event {
            Event::Loss { seq, verdict, .. } => {
                self.losses_detected += 1;
                let (segment, row) = (SegmentId { stream, seq: seq as u32 }, log.as_ref().map(Vec::len));
                losses.acts.push((at, Act::Declared { segment, verdict, row }));
                FlowEventKind::Loss(None, verdict)
            }
            Event::Marked => {
                self.ecn_cuts += 1;
                FlowEventKind::Marked
            }
            Event::Cut { before, after } => {
                self.cuts += 1;
                FlowEventKind::Cut(before, after)
            }
            Event::Unused { before, after } => FlowEventKind::Unused(before, after),
            Event::Timeout => {
                self.timeouts += 1;
                FlowEventKind::Timeout
            }
            Event::Spurious => {
                self.undone += 1;
                FlowEventKind::Spurious
            }
            Event::Phase(phase) => FlowEventKind::Phase(phase),
            Event::Complete => FlowEventKind::Complete,
        };
        if let Some(log) = log {
            log.push(FlowEvent { at, what });
        }
    }

    /// Returns the counter for a combination of true cause and verdict.
    fn verdict(&mut self, cause: Option<Cause>, verdict: Option<LossVerdict>) -> Option<&mut u64> {
        let verdicts = &mut self.verdicts;
        match (cause, verdict) {
            (_, None)
            | (Some(Cause::Listed | Cause::Switched | Cause::Gone | Cause::NoPath | Cause::TooLarge), _) => {
                None
            }
            (Some(Cause::Queue | Cause::Policer), Some(LossVerdict::Congestion)) => {
                Some(&mut verdicts.congestion_as_congestion)
            }
            (Some(Cause::Queue | Cause::Policer), Some(LossVerdict::LinkError)) => {
                Some(&mut verdicts.congestion_as_error)
            }
            (Some(Cause::Error), Some(LossVerdict::LinkError)) => Some(&mut verdicts.error_as_error),
            (Some(Cause::Error), Some(LossVerdict::Congestion)) => Some(&mut verdicts.error_as_congestion),
            (None, _) => Some(&mut verdicts.spurious),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> Time {
        Time::from_nanos(ms * 1_000_000)
    }

    const fn segment(seq: u32) -> SegmentId {
        SegmentId { stream: 7, seq }
    }

    /// A record of one connection. Its losses are declared as link errors.
    #[derive(Default)]
    struct Record {
        totals: SourceTotals,
        losses: Losses,
        log: Option<Vec<FlowEvent>>,
    }

    impl Record {
        fn declare(&mut self, ms: u64, seq: u64) {
            let verdict = Some(LossVerdict::LinkError);
            let event = Event::Loss { seq, tx: 0, verdict };
            self.totals.book(at(ms), 7, event, &mut self.losses, &mut self.log);
        }
        fn settle(&mut self, ms: u64) {
            let Self { totals, losses, log } = self;
            losses.settle(at(ms), totals, log, |stream| stream == 7);
        }
        fn causes(&mut self) -> Vec<Option<Cause>> {
            let events = self.losses.release(&mut self.log);
            let cause = |event: FlowEvent| match event.what {
                FlowEventKind::Loss(cause, _) => Some(cause),
                _ => None,
            };
            events.into_iter().filter_map(cause).collect()
        }
    }

    #[test]
    fn a_loss_meets_the_drop_of_the_newest_copy_before_it() {
        let mut record = Record { log: Some(Vec::new()), ..Record::default() };
        record.losses.dropped(at(10), segment(1), Cause::Error);
        record.declare(30, 1);
        // The segment is retransmitted immediately and dropped on its first link. The next copy is not dropped.
        record.losses.repeated(at(30), segment(1));
        record.losses.dropped(at(30), segment(1), Cause::Queue);
        record.declare(60, 1);
        record.losses.repeated(at(60), segment(1));
        record.declare(90, 1);
        // This segment was not dropped before it was declared lost.
        record.declare(95, 2);
        record.losses.dropped(at(100), segment(2), Cause::Error);
        // This segment belongs to another connection and has the same number on the wire.
        record.losses.dropped(at(100), SegmentId { stream: 8, seq: 3 }, Cause::Error);
        record.declare(110, 3);
        record.settle(200);
        assert_eq!(record.causes(), [Some(Cause::Error), Some(Cause::Queue), None, None, None]);
        let verdicts = record.totals.verdicts;
        assert_eq!((verdicts.error_as_error, verdicts.congestion_as_error, verdicts.spurious), (1, 1, 3));
        assert_eq!(record.totals.losses_detected, 5);
    }

    /// The result must not depend on the times at which the record is settled.
    #[test]
    fn when_it_is_settled_makes_no_difference() {
        let play = |settled: &[u64]| {
            let mut record = Record { log: Some(Vec::new()), ..Record::default() };
            let mut causes = Vec::new();
            for ms in 0..40 {
                if settled.contains(&ms) {
                    record.settle(ms);
                    causes.extend(record.causes());
                }
                let seq = (ms % 5) as u32;
                if ms % 4 == 1 {
                    // An action and a drop of the same segment have the same time.
                    record.losses.dropped(at(ms), segment(seq), Cause::Error);
                }
                match ms % 7 {
                    0 | 3 => record.losses.dropped(at(ms), segment(seq), Cause::Queue),
                    1 | 4 => record.declare(ms, u64::from(seq)),
                    2 => record.losses.repeated(at(ms), segment(seq)),
                    _ => record.losses.dropped(at(ms), segment(seq), Cause::Error),
                }
                if settled.contains(&ms) {
                    // Actions and drops at exactly this time are not settled yet.
                    record.settle(ms);
                    causes.extend(record.causes());
                }
            }
            record.settle(u64::MAX / 1_000_000);
            causes.extend(record.causes());
            (causes, record.totals.verdicts)
        };
        let (causes, verdicts) = play(&[]);
        assert!(causes.contains(&None) && causes.contains(&Some(Cause::Error)), "{causes:?}");
        let all: Vec<u64> = (0..40).collect();
        for settled in [&[1_u64, 4, 9, 22][..], &[25], &all] {
            assert_eq!(play(settled), (causes.clone(), verdicts), "{settled:?}");
        }
    }
}
