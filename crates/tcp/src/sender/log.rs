// SPDX-License-Identifier: MIT OR Apache-2.0
//! Counters and events of a sender.

use crate::event::{Event, SenderStats};
use units::Bytes;

#[derive(Clone, Debug, Default, saved::Plain)]
pub(super) struct Log {
    pub(super) stats: SenderStats,
    /// Events since the beginning of the last call.
    pub(super) events: Vec<Event>,
    /// Whether cuts, timeouts, phases and similar events are recorded too.
    pub(super) recording: bool,
    /// The newest episode whose cut was noted.
    cut_for: u32,
}

impl Log {
    /// Records an event that is not always recorded.
    pub(super) fn note(&mut self, event: Event) {
        if self.recording {
            self.events.push(event);
        }
    }

    /// A new loss episode, a mark or a timeout changed the window from `before` to `after`. If `after` is less, this is
    /// a cut.
    pub(super) fn note_cut(&mut self, episode: u32, before: Bytes, after: Bytes, mss: u32) {
        if after < before {
            self.cut_for = episode;
            self.note(Event::Cut { before: before.segments(mss), after: after.segments(mss) });
        }
    }

    /// Like [`Self::note_cut`], for a further loss of a known `episode`. It counts as a cut only if the window was not
    /// reduced in this episode before. Rapid Start and BBR reduce the window in many steps that answer one congestion
    /// event.
    pub(super) fn note_late_cut(&mut self, episode: u32, before: Bytes, after: Bytes, mss: u32) {
        if episode != self.cut_for {
            self.note_cut(episode, before, after, mss);
        }
    }

    /// The phase of the controller was `before` and is now `after`.
    pub(super) fn note_phase(&mut self, before: &'static str, after: &'static str) {
        if self.recording && before != after {
            self.events.push(Event::Phase(after));
        }
    }
}
