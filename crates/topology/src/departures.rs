// SPDX-License-Identifier: MIT OR Apache-2.0
//! Satellites that leave during a run: SGP4 follows them at its start, but not to its end.

use crate::sky::{Sky, may_leave};
use std::collections::BTreeMap;
use units::Time;

/// Where a satellite stands that left: nothing sees the centre of the Earth.
pub(crate) const GONE: [f64; 3] = [0.0; 3];
/// How many satellites a note names.
const NAMES: usize = 3;

/// Which satellites left, and when each was first found gone.
#[derive(Debug, Default)]
pub(crate) struct Departures(BTreeMap<u32, Time>);

impl Departures {
    /// Takes down who is gone at `at`. To be called in order of time.
    pub fn watch(&mut self, sky: &Sky<'_>, at: Time, positions: &[[f64; 3]]) {
        if sky.spec.shells.iter().any(may_leave) {
            for (satellite, _) in (0..).zip(positions).filter(|&(_, &position)| position == GONE) {
                self.0.entry(satellite).or_insert(at);
            }
        }
    }

    /// What a user should know of it, if anything: the first to leave by name.
    pub fn note(&self, sky: &Sky<'_>) -> Option<String> {
        let mut left: Vec<(Time, u32)> = self.0.iter().map(|(&satellite, &at)| (at, satellite)).collect();
        left.sort_unstable();
        let named = left.iter().take(NAMES);
        let names: Vec<String> =
            named.map(|&(at, satellite)| format!("{} (gone at {at})", sky.name(satellite))).collect();
        let more = if left.len() > NAMES { ", ..." } else { "" };
        (!left.is_empty()).then(|| {
            format!(
                "{} satellites leave during the run, SGP4 cannot follow them to its end: {}{more}",
                left.len(),
                names.join(", ")
            )
        })
    }
}
