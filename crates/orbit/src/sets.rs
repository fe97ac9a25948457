// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which of a catalogue's element sets a run uses: the newest epoch sets its start, and the sets nearest to the start
//! are used.

use crate::OrbitError;
use crate::elements::{Catalogue, Record, name};
use crate::fleet::{constants, moment, utc};
use crate::objects::{self, Objects};
use sgp4::Elements;
use sgp4::chrono::{NaiveDateTime, TimeDelta};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// An epoch this long after the median of a catalogue does not set the start of runs: no accuracy is known for older
/// sets.
const BEYOND: TimeDelta = TimeDelta::days(30);

impl Catalogue {
    /// Its newest epoch, as RFC 3339: the default start of a run. Only objects that are used count.
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

    /// The default start of a run: the newest epoch among the newest sets of the satellites used. A set whose epoch is
    /// [`BEYOND`] after their median is a mistake or a single exception, and all others would be used far from their
    /// epochs; it does not count. If nothing flies, the newest epoch of all.
    pub(crate) fn newest(&self, objects: Objects) -> NaiveDateTime {
        let newest_sets = self.best_of_each(|record| Reverse(record.set.datetime));
        let newest_sets: Vec<_> = newest_sets.iter().map(|&(best, _)| self.records[best].clone()).collect();
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

    /// The record of each object that is nearest to the start, in the order of the text, and the names of the dropped
    /// ones. A set without its own name, or from a time before the object was identified, gets the name of its newest
    /// set that has one.
    pub(crate) fn nearest(&self, start: NaiveDateTime) -> Nearest {
        let named = |record: &&Record| record.set.object_name.is_some() && !objects::unidentified(record);
        let mut found = Nearest::default();
        for (best, object) in self.best_of_each(|record| distance(record, start)) {
            let (best, sets) = (&self.records[best], || object.iter().map(|&index| &self.records[index]));
            let mut kept = best.clone();
            if !named(&best)
                && let Some(newest) = sets().filter(named).max_by_key(|record| record.set.datetime)
            {
                kept.set.object_name.clone_from(&newest.set.object_name);
                kept.kind = None;
            }
            let others = || sets().filter(|record| !std::ptr::eq(*record, best));
            found.dropped.extend(others().map(|record| name(&record.set)));
            if others().any(|other| contradict(&other.set, &best.set)) {
                found.contradicting.push(name(&kept.set));
            }
            found.records.push(kept);
        }
        found
    }

    /// For each object the index of the record with the least `rank`, and the indices of all its records; in the order
    /// of the text.
    fn best_of_each<R: Ord>(&self, rank: impl Fn(&Record) -> R) -> Vec<(usize, Vec<usize>)> {
        let best = |object: Vec<usize>| {
            let best = object.iter().copied().min_by_key(|&index| rank(&self.records[index]))?;
            Some((best, object))
        };
        let mut found: Vec<_> = self.objects().into_iter().filter_map(best).collect();
        found.sort_unstable_by_key(|&(best, _)| best);
        found
    }

    /// Indices of the records of each object. Numbers identify objects. Number 0 is a missing number: then names
    /// identify them, and a set without either is an object of its own.
    fn objects(&self) -> Vec<Vec<usize>> {
        let mut known: BTreeMap<(u64, Option<&str>), usize> = BTreeMap::new();
        let mut found: Vec<Vec<usize>> = Vec::new();
        for (index, Record { set, .. }) in self.records.iter().enumerate() {
            let name = if set.norad_id == 0 { set.object_name.as_deref() } else { None };
            let place = match known.entry((set.norad_id, name)) {
                Entry::Occupied(one) if set.norad_id != 0 || name.is_some() => *one.get(),
                _ => found.len(),
            };
            known.insert((set.norad_id, name), place);
            if place == found.len() {
                found.push(Vec::new());
            }
            found[place].push(index);
        }
        found
    }
}

/// The set of each object that a run uses.
#[derive(Default)]
pub(crate) struct Nearest {
    /// In the order of objects in the text.
    pub records: Vec<Record>,
    /// The names of the sets that were dropped.
    pub dropped: Vec<String>,
    /// Objects with two sets of the same epoch that contradict each other.
    pub contradicting: Vec<String>,
}

/// Whether two sets of one object give two positions at the same time.
fn contradict(one: &Elements, other: &Elements) -> bool {
    let orbit = |set: &Elements| {
        [
            set.inclination,
            set.right_ascension,
            set.eccentricity,
            set.argument_of_perigee,
            set.mean_anomaly,
            set.mean_motion,
        ]
    };
    one.datetime == other.datetime && orbit(one) != orbit(other)
}

/// Distance of a set from the start; of two equally near ones the older is nearer.
fn distance(record: &Record, start: NaiveDateTime) -> (TimeDelta, NaiveDateTime) {
    ((start - record.set.datetime).abs(), record.set.datetime)
}
