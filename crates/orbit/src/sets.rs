// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which of a catalogue's element sets a run uses: the newest ones say when it starts, those nearest to the start fly.

use crate::OrbitError;
use crate::elements::{Catalogue, Record, name};
use crate::fleet::{constants, moment, utc};
use crate::objects::{self, Objects};
use sgp4::chrono::{NaiveDateTime, TimeDelta};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// An epoch that is so long after the median of a catalogue does not say when its runs start: no accuracy is known of sets
/// that are older.
const BEYOND: TimeDelta = TimeDelta::days(30);

impl Catalogue {
    /// Its newest epoch, as RFC 3339: where a run over it starts if nothing else is said. Objects that do not fly have no
    /// part in it.
    pub fn newest_epoch(&self, objects: Objects) -> String {
        utc(self.newest(objects))
    }

    /// How far the nearest set of each catalogue number is from a start (UTC, RFC 3339), in nanoseconds.
    ///
    /// # Errors
    /// [`OrbitError::StartSyntax`].
    pub fn distances(&self, start: &str) -> Result<BTreeMap<u64, i64>, OrbitError> {
        let start = moment(start)?;
        let mut found = BTreeMap::new();
        for record in &self.records {
            let far = distance(record, start).0.num_nanoseconds().unwrap_or(i64::MAX);
            let nearest = found.entry(record.set.norad_id).or_insert(far);
            *nearest = far.min(*nearest);
        }
        Ok(found)
    }

    /// The moment at which a run starts if nothing says it: the newest epoch among the newest sets of the satellites that
    /// fly. A set whose epoch is [`BEYOND`] after the median of them is a slip of the pen or a satellite apart, and all
    /// others would fly far from their epochs; it has no say. If nothing flies, the newest epoch of all.
    pub(crate) fn newest(&self, objects: Objects) -> NaiveDateTime {
        let newest_sets = self.one_of_each(|record| Reverse(record.set.datetime));
        let all = newest_sets.iter().map(|record| record.set.datetime).max().unwrap_or_default();
        let satellites = match objects {
            Objects::All => newest_sets,
            Objects::Satellites => objects::part(newest_sets).0,
        };
        let flies = |record: &&Record| {
            constants(&record.set).is_ok() && record.decay.is_none_or(|decay| decay > record.set.datetime)
        };
        let mut epochs: Vec<_> = satellites.iter().filter(flies).map(|record| record.set.datetime).collect();
        epochs.sort_unstable();
        let Some(&median) = epochs.get(epochs.len().saturating_sub(1) / 2) else { return all };
        epochs.into_iter().rfind(|&epoch| epoch <= median + BEYOND).unwrap_or(all)
    }

    /// The record of each object that is nearest to the start, in the order of the text, and the names of the sets that
    /// were dropped. A set without a name of its own, or of a time at which nobody had identified the object, has the name
    /// of its newest set that has one.
    pub(crate) fn nearest(&self, start: NaiveDateTime) -> (Vec<Record>, Vec<String>) {
        let mut kept = self.one_of_each(|record| distance(record, start));
        let named = |record: &Record| record.set.object_name.is_some() && !objects::unidentified(record);
        let mut names: BTreeMap<u64, (NaiveDateTime, &Option<String>)> = BTreeMap::new();
        for record in self.records.iter().filter(|record| record.set.norad_id != 0 && named(record)) {
            let newest = (record.set.datetime, &record.set.object_name);
            let known = names.entry(record.set.norad_id).or_insert(newest);
            *known = newest.max(*known);
        }
        for record in kept.iter_mut().filter(|record| !named(record)) {
            if let Some((_, name)) = names.get(&record.set.norad_id) {
                record.set.object_name = (*name).clone();
                record.kind = None;
            }
        }
        let of = |record: &Record| (object(record), record.set.datetime);
        let mut there: BTreeSet<_> = kept.iter().map(of).collect();
        let is_dropped = |record: &&Record| !there.remove(&of(record));
        let dropped = self.records.iter().filter(is_dropped).map(|record| name(&record.set)).collect();
        (kept, dropped)
    }

    /// The record of each object with the least `rank`, in the order of the text.
    fn one_of_each<R: Ord>(&self, rank: impl Fn(&Record) -> R) -> Vec<Record> {
        let mut best: BTreeMap<_, usize> = BTreeMap::new();
        for (index, record) in self.records.iter().enumerate() {
            let kept = best.entry(object(record)).or_insert(index);
            if rank(record) < rank(&self.records[*kept]) {
                *kept = index;
            }
        }
        let mut kept: Vec<usize> = best.into_values().collect();
        kept.sort_unstable();
        kept.into_iter().map(|index| self.records[index].clone()).collect()
    }
}

/// What tells objects apart: their numbers. Number 0 is no number: there names do.
fn object(record: &Record) -> (u64, Option<String>) {
    let number = record.set.norad_id;
    (number, if number == 0 { record.set.object_name.clone() } else { None })
}

/// How far a set is from the start; of two that are as far the older is nearer.
fn distance(record: &Record, start: NaiveDateTime) -> (TimeDelta, NaiveDateTime) {
    ((start - record.set.datetime).abs(), record.set.datetime)
}
