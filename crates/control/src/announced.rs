// SPDX-License-Identifier: MIT OR Apache-2.0
//! Time spans around announced events, for controllers that behave differently during a disruption.

use units::Time;

/// Number of spans that are kept. Controllers test a time that is at most a few round trips ago, and events are seconds
/// apart.
const KEPT: usize = 8;

/// The newest time spans. A span includes both of its ends. Spans may overlap.
#[derive(Clone, Debug, Default, saved::Plain)]
pub struct Announced {
    spans: [Option<(Time, Time)>; KEPT],
    next: usize,
}

impl Announced {
    /// Adds the span from `from` to `until`, which replaces the oldest span. If the span is already stored, nothing
    /// changes.
    pub fn add(&mut self, from: Time, until: Time) {
        let span = Some((from, until));
        if !self.spans.contains(&span) {
            self.spans[self.next] = span;
            self.next = (self.next + 1) % KEPT;
        }
    }

    /// Whether one of the spans covers `at`.
    pub fn covers(&self, at: Time) -> bool {
        self.spans.iter().flatten().any(|(from, until)| (*from..=*until).contains(&at))
    }
}
