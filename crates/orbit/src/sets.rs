// SPDX-License-Identifier: MIT OR Apache-2.0
//! Selection of the element sets of a catalogue that a run uses. For each object, the set that is nearest to the start
//! of the run is used. The default start is the newest epoch.

use crate::OrbitError;
use crate::elements::{Catalogue, Record, name};
use crate::fleet::{constants, moment, utc};
use crate::objects::{self, Objects};
use sgp4::Elements;
use sgp4::chrono::{NaiveDateTime, TimeDelta};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// An epoch is not used as the default start if it exceeds the median epoch of the catalogue by more than this time.
/// From such a start, most sets would be so old that their accuracy is unknown.
const BEYOND: TimeDelta = TimeDelta::days(30);

impl Catalogue {
    /// Returns the newest epoch of the catalogue, in RFC 3339. It is the default start of a run. Only objects that
    /// `objects` selects are considered.
    pub fn newest_epoch(&self, objects: Objects) -> String {
        utc(self.newest(objects))
    }

    /// Returns, for each catalogue number, the time between the start (UTC, RFC 3339) and the nearest set, in
    /// nanoseconds.
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

    /// Returns the default start of a run: the newest epoch among the newest sets of the used satellites. An epoch that
    /// exceeds the median of these epochs by more than [`BEYOND`] is ignored. Such an epoch is a mistake or an
    /// exception, and all other sets would be used far from their epochs. If no satellite can be propagated, returns
    /// the newest epoch of all sets.
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

    /// Selects, for each object, the record that is nearest to the start. The records are in the order of the text.
    /// Also returns the names of the dropped records. If the selected record has no name, or was made before the object
    /// was identified, it gets the name of the object's newest record with a name.
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

    /// Returns, for each object, the index of the record with the smallest `rank`, and the indices of all records of
    /// the object, in the order of the text.
    fn best_of_each<R: Ord>(&self, rank: impl Fn(&Record) -> R) -> Vec<(usize, Vec<usize>)> {
        let best = |object: Vec<usize>| {
            let best = object.iter().copied().min_by_key(|&index| rank(&self.records[index]))?;
            Some((best, object))
        };
        let mut found: Vec<_> = self.objects().into_iter().filter_map(best).collect();
        found.sort_unstable_by_key(|&(best, _)| best);
        found
    }

    /// Returns the indices of the records of each object. Records with the same catalogue number belong to the same
    /// object. If the number is 0 (missing), records with the same name belong to the same object. A record without
    /// number and name is a separate object.
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

/// The records that a run uses, one for each object.
#[derive(Default)]
pub(crate) struct Nearest {
    /// The records, in the order of the objects in the text.
    pub records: Vec<Record>,
    /// The names of the dropped sets.
    pub dropped: Vec<String>,
    /// Names of the objects that have two contradicting sets with the same epoch.
    pub contradicting: Vec<String>,
}

/// Returns whether two sets of one object give different positions at the same epoch.
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

/// Returns a sort key: the time between a set and the start, and then the epoch. If two sets are equally near, the
/// older set sorts first.
fn distance(record: &Record, start: NaiveDateTime) -> (TimeDelta, NaiveDateTime) {
    ((start - record.set.datetime).abs(), record.set.datetime)
}
