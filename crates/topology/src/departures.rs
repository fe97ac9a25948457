// SPDX-License-Identifier: MIT OR Apache-2.0
//! Satellites that leave during a run, because SGP4 can propagate them to its start but not to its end.

use crate::sky::{GONE, Sky, may_leave};
use std::collections::BTreeSet;
use units::Time;

/// Largest number of satellites whose names a note lists.
const NAMES: usize = 3;

/// The satellites that left. For each satellite that no note has reported yet, the time at which it was first missing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Departures {
    gone: BTreeSet<u32>,
    unreported: Vec<(Time, u32)>,
}

impl Departures {
    /// Records the satellites that are missing at `at`. Calls must be in order of time.
    pub fn watch(&mut self, sky: &Sky, at: Time, positions: &[[f64; 3]]) {
        if sky.spec.shells.iter().any(may_leave) {
            for (satellite, _) in (0..).zip(positions).filter(|&(_, &position)| position == GONE) {
                if self.gone.insert(satellite) {
                    self.unreported.push((at, satellite));
                }
            }
        }
    }

    /// Returns a note on the satellites that left since the last note; `None` if none left. The note lists the names of
    /// the first few satellites.
    pub fn note(&mut self, sky: &Sky) -> Option<String> {
        // The list is in the order in which missing satellites were found: by time, then by satellite.
        let left = std::mem::take(&mut self.unreported);
        let named = left.iter().take(NAMES);
        let names: Vec<String> =
            named.map(|&(at, satellite)| format!("{} (gone at {at})", sky.name(satellite))).collect();
        let more = if left.len() > NAMES { ", ..." } else { "" };
        let (who, them) = match left.len() {
            1 => ("1 satellite leaves".to_owned(), "it"),
            count => (format!("{count} satellites leave"), "them"),
        };
        (!left.is_empty()).then(|| {
            format!(
                "{who} during the run, because SGP4 cannot propagate {them} to the end of the run: {}{more}",
                names.join(", ")
            )
        })
    }
}
