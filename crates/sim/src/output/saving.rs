// SPDX-License-Identifier: MIT OR Apache-2.0
//! Saves the state of a run with its records as bytes, and restores the run from them.

use super::run::{Options, Run, turn_weather};
use crate::SimError;
use crate::error::Unsaved;
use crate::saving::{misfit, open};
use engine::NoObserver;
use plan::{Plan, Stop};
use record::Tables;
use saved::{Damaged, Each as _, Reader, Saved as _};

impl Run {
    /// Returns an error if the run cannot be saved.
    ///
    /// # Errors
    /// The same as for [`Run::save`].
    pub fn check_saved(&self) -> Result<(), SimError> {
        if !self.recorder.tables().can_be_saved() {
            return Err(SimError::NoSave(Unsaved::Rows));
        }
        self.session.check_saved()
    }

    /// Returns the present state of the run. [`Run::restore`] continues from this state. Before this function returns,
    /// it forces the rows in journals ([`record::RunFolder::journalled_tables`]) onto the disk.
    ///
    /// # Errors
    /// The same as for [`crate::Session::save`]. Also [`SimError::NoSave`] if rows of a table were written to a file
    /// without a journal, and [`SimError::Record`] if a journal cannot be written.
    pub fn save(&self) -> Result<Vec<u8>, SimError> {
        self.check_saved()?;
        let Self { session, recorder, baseline, guard, peaks, weather, moments, places: _ } = self;
        recorder.tables().sync()?;
        session.save_with(|to| {
            recorder.save_to(to);
            baseline.save_to(to);
            guard.save_to(to);
            peaks.save_to(to);
            weather.save_each(to);
            moments.save_to(to);
        })
    }

    /// Returns the run of a plan at the time when [`Run::save`] wrote its state. The restored run continues exactly as
    /// the saved run. `options` and `tables` must be as for the saved run: journals have the same paths.
    ///
    /// # Errors
    /// The same as for [`crate::Session::restore`], and [`SimError::Record`] if a journal is damaged.
    pub fn restore(
        plan: Plan,
        options: &Options,
        tables: Tables,
        stop: Stop<'_>,
        saved: &[u8],
    ) -> Result<Self, SimError> {
        let (_, mut from) = open(saved, &plan.scenario)?;
        let mut run = Self::begin(plan, options, tables, NoObserver, stop)?;
        run.places = options.interval.is_some();
        let Self { session, weather, .. } = &mut run;
        session.load(&mut from, stop, |plan, page| turn_weather(weather, plan, page.start))?;
        run.load_records(&mut from).map_err(misfit)?;
        run.recorder.tables_mut().reopen()?;
        Ok(run)
    }

    fn load_records(&mut self, from: &mut Reader<'_>) -> Result<(), Damaged> {
        let Self { recorder, baseline, guard, peaks, weather, moments, .. } = self;
        recorder.load_from(from)?;
        baseline.load_from(from)?;
        guard.load_from(from)?;
        peaks.load_from(from)?;
        weather.load_each(from)?;
        moments.load_from(from)?;
        from.end::<Self>()
    }
}
