// SPDX-License-Identifier: MIT OR Apache-2.0
//! Counters and events of a sender.

use crate::event::{Event, SenderStats};
use units::Bytes;

#[derive(Clone, Debug, Default, saved::Plain)]
pub(super) struct Log {
    pub(super) stats: SenderStats,
    /// Events since the beginning of the last call of the sender.
    pub(super) events: Vec<Event>,
    /// Whether cuts, timeouts, phases and similar events are recorded, in addition to losses.
    pub(super) recording: bool,
    /// The newest episode for which a cut was recorded.
    cut_for: u32,
}

impl Log {
    /// Records an event of a kind that is not always recorded.
    pub(super) fn note(&mut self, event: Event) {
        if self.recording {
            self.events.push(event);
        }
    }

    /// Processes a change of the window from `before` to `after` by a new loss episode, a mark or a timeout. If `after`
    /// is smaller, the change is recorded as a cut.
    pub(super) fn note_cut(&mut self, episode: u32, before: Bytes, after: Bytes, mss: u32) {
        if after < before {
            self.cut_for = episode;
            self.note(Event::Cut { before: before.segments(mss), after: after.segments(mss) });
        }
    }

    /// Like [`Self::note_cut`], for a further loss of a known `episode`. The change is a cut only if no cut was
    /// recorded for this episode before. Rapid Start and BBR reduce the window in many steps, which all answer one
    /// congestion event.
    pub(super) fn note_late_cut(&mut self, episode: u32, before: Bytes, after: Bytes, mss: u32) {
        if episode != self.cut_for {
            self.note_cut(episode, before, after, mss);
        }
    }

    /// Records a change of the controller's phase from `before` to `after`.
    pub(super) fn note_phase(&mut self, before: &'static str, after: &'static str) {
        if self.recording && before != after {
            self.events.push(Event::Phase(after));
        }
    }
}
