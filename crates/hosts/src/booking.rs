// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a sender reports of its inner life, counted, and its verdicts beside the truth.

use super::{FlowEventKind, SourceTotals};
use control::LossVerdict;
use engine::Cause;
use std::collections::HashMap;
use tcp::Event;

impl SourceTotals {
    /// Counts an event; `truth` has the true cause of the drop of each segment whose newest transmission was dropped. What it
    /// is in the table of events.
    #[cold]
    pub(super) fn book(&mut self, event: Event, truth: &mut HashMap<u32, Cause>) -> FlowEventKind {
        match event {
            Event::Loss { seq, verdict, .. } => {
                self.losses_detected += 1;
                let cause = truth.remove(&(seq as u32));
                if let Some(count) = self.cell(cause, verdict) {
                    *count += 1;
                }
                FlowEventKind::Loss(cause, verdict)
            }
            Event::Marked => {
                self.ecn_cuts += 1;
                FlowEventKind::Marked
            }
            Event::Cut { before, after } => {
                self.cuts += 1;
                FlowEventKind::Cut(before, after)
            }
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
        }
    }

    /// Where a judgement counts.
    fn cell(&mut self, cause: Option<Cause>, verdict: Option<LossVerdict>) -> Option<&mut u64> {
        let verdicts = &mut self.verdicts;
        match (cause, verdict) {
            (_, None) | (Some(Cause::Listed | Cause::Switched | Cause::Gone | Cause::NoPath), _) => None,
            (Some(Cause::Queue), Some(LossVerdict::Congestion)) => {
                Some(&mut verdicts.congestion_as_congestion)
            }
            (Some(Cause::Queue), Some(LossVerdict::LinkError)) => Some(&mut verdicts.congestion_as_error),
            (Some(Cause::Error), Some(LossVerdict::LinkError)) => Some(&mut verdicts.error_as_error),
            (Some(Cause::Error), Some(LossVerdict::Congestion)) => Some(&mut verdicts.error_as_congestion),
            (None, _) => Some(&mut verdicts.spurious),
        }
    }
}
