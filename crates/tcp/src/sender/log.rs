// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a sender counts and records.

use crate::event::{Event, SenderStats};
use units::Bytes;

#[derive(Clone, Debug, Default, saved::Plain)]
pub(super) struct Log {
    pub(super) stats: SenderStats,
    /// Since the beginning of the last call.
    pub(super) events: Vec<Event>,
    /// Cuts, timeouts, phases and the like are recorded, too.
    pub(super) recording: bool,
}

impl Log {
    /// Something has happened that is not always recorded.
    pub(super) fn note(&mut self, event: Event) {
        if self.recording {
            self.events.push(event);
        }
    }

    /// The window was `before`, and is `after`: was it cut?
    pub(super) fn note_cut(&mut self, before: Bytes, after: Bytes, mss: u32) {
        if after < before {
            self.note(Event::Cut { before: before.segments(mss), after: after.segments(mss) });
        }
    }

    /// The controller was in the phase `before`, and is in `after`.
    pub(super) fn note_phase(&mut self, before: &'static str, after: &'static str) {
        if self.recording && before != after {
            self.events.push(Event::Phase(after));
        }
    }
}
