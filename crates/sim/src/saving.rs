// SPDX-License-Identifier: MIT OR Apache-2.0
//! Saves the state of a session as bytes, and restores a session from them.
//!
//! The bytes contain only state that changes with time. A restored session takes everything else from its plan. If the
//! network is computed page by page, the bytes contain the times at which pages were computed. A restored session first
//! computes the same pages again. The bytes begin with:
//!
//! | length in bytes | content |
//! |---|---|
//! | 8 | "bentpipe" |
//! | 8 | checksum of all following bytes |
//! | text | fingerprint of the build |
//! | text | identity of the run: scenario, content of its files, seed |
//! | 8 | time of the run |
//!
//! The state of the parts follows in a fixed order. Only the build that wrote the bytes can read them.

use crate::error::{Unread, Unsaved};
use crate::state::State;
use crate::{Session, Settings, SimError, fingerprint};
use engine::Observer;
use hosts::AnyBody;
use plan::{FlowPlan, Plan, Stop};
use record::checksum;
use saved::{Damaged, Plain as _, Reader, Saved as _, Writer};
use scenario::{Identity, Scenario};
use std::ops::Range;
use units::Time;

const MAGIC: &[u8; 8] = b"bentpipe";

/// Returns the time of a run whose state [`Session::save`] or [`crate::Run::save`] wrote.
///
/// # Errors
/// [`SimError::NoRestore`] if the bytes are damaged or come from another build or another run.
pub fn saved_time(saved: &[u8], scenario: &Scenario) -> Result<Time, SimError> {
    open(saved, scenario).map(|(time, _)| time)
}

impl<O: Observer<AnyBody>> Session<O> {
    /// Returns the present state of the run without its observer. [`Session::restore`] continues from this state.
    ///
    /// # Errors
    /// [`SimError::NoSave`] in each of these cases:
    /// - The state of a controller cannot be written, for example of a controller in Python.
    /// - A flow uses QUIC.
    /// - Endpoints were added that are not part of the plan.
    pub fn save(&self) -> Result<Vec<u8>, SimError> {
        self.save_with(|_| {})
    }

    /// Does the same as [`Self::save`]. `save` adds the state of the records.
    pub(crate) fn save_with(&self, save: impl FnOnce(&mut Writer)) -> Result<Vec<u8>, SimError> {
        self.check_saved()?;
        let mut to = Writer::default();
        to.put(MAGIC);
        // The checksum is known at the end.
        to.put(&[0; size_of::<u64>()]);
        fingerprint().save_to(&mut to);
        identity(&self.state.plan.scenario).save_to(&mut to);
        self.state.engine.now().save_to(&mut to);
        let Self {
            state: State { engine, shared, handovers, .. },
            routes,
            breaks,
            connections,
            turns,
            crowd,
            ..
        } = self;
        turns.save_to(&mut to);
        engine.save_to(&mut to);
        shared.save_to(&mut to);
        handovers.save_to(&mut to);
        routes.save_to(&mut to);
        breaks.save_to(&mut to);
        connections.save_to(&mut to);
        crowd.save_to(&mut to);
        save(&mut to);
        let mut bytes = to.into_bytes();
        let (head, content) = bytes.split_at_mut(MAGIC.len() + size_of::<u64>());
        head[MAGIC.len()..].copy_from_slice(&checksum(content).to_le_bytes());
        Ok(bytes)
    }

    /// Returns the run of a plan at the time when [`Session::save`] wrote its state. The restored run continues exactly
    /// as the saved run. Flows record events if the flows of the saved run recorded events. The other settings, the
    /// observer and `stop` have the same meaning as in [`Session::new`].
    ///
    /// # Errors
    /// The same as for [`Session::new`], and [`SimError::NoRestore`] if the bytes are damaged or come from another
    /// build or another run.
    pub fn restore(
        plan: Plan,
        settings: Settings,
        observer: O,
        stop: Stop<'_>,
        saved: &[u8],
    ) -> Result<Self, SimError> {
        let (_, mut from) = open(saved, &plan.scenario)?;
        let mut session = Self::new(plan, settings, observer, stop)?;
        session.load(&mut from, stop, |_, _| {})?;
        from.end::<Self>().map_err(misfit)?;
        Ok(session)
    }

    /// Loads the state into a session at time zero. `laid` receives the plan and the period of each page that is
    /// computed again.
    pub(crate) fn load(
        &mut self,
        from: &mut Reader<'_>,
        stop: Stop<'_>,
        mut laid: impl FnMut(&mut Plan, Range<Time>),
    ) -> Result<(), SimError> {
        for now in Vec::<Time>::read_from(from).map_err(misfit)? {
            self.state.engine.skip_to(now);
            self.turn_page(now, stop)?;
            let page = self.take_page().ok_or_else(|| misfit(from.damaged::<Self>()))?;
            laid(&mut self.state.plan, page);
        }
        self.load_state(from).map_err(misfit)
    }

    fn load_state(&mut self, from: &mut Reader<'_>) -> Result<(), Damaged> {
        let Self {
            state: State { engine, shared, handovers, .. }, routes, breaks, connections, crowd, ..
        } = self;
        engine.load_from(from)?;
        shared.load_from(from)?;
        handovers.load_from(from)?;
        routes.load_from(from)?;
        breaks.load_from(from)?;
        connections.load_from(from)?;
        crowd.load_from(from)
    }

    /// Returns an error if the state cannot be saved.
    ///
    /// # Errors
    /// The same as for [`Session::save`].
    pub(crate) fn check_saved(&self) -> Result<(), SimError> {
        self.unsaved().map_or(Ok(()), |why| Err(SimError::NoSave(why)))
    }

    fn unsaved(&self) -> Option<Unsaved> {
        let State { plan, engine, .. } = &self.state;
        if engine.endpoints().len() > plan.attachments.len() {
            return Some(Unsaved::Endpoints);
        }
        let endpoint = engine.endpoints().iter().position(|endpoint| !endpoint.can_be_saved())?;
        let FlowPlan { name, controller, .. } = &plan.flows[endpoint / 2];
        if engine.endpoints()[endpoint].is_quic() {
            return Some(Unsaved::Quic { flow: name.clone() });
        }
        let controller = controller.clone().unwrap_or_default();
        Some(Unsaved::Controller { flow: name.clone(), controller })
    }
}

/// Returns the error for bytes that do not fit the run.
pub(crate) fn misfit(damaged: Damaged) -> SimError {
    SimError::NoRestore(Unread::Misfit(damaged))
}

/// Returns the identity of a run.
fn identity(scenario: &Scenario) -> String {
    Identity::of(scenario, &scenario.named_files(), &fingerprint(), &[]).run(scenario.seed)
}

/// Returns the time of the saved run and a reader of its state, if the state belongs to this build and this scenario.
pub(crate) fn open<'a>(saved: &'a [u8], scenario: &Scenario) -> Result<(Time, Reader<'a>), SimError> {
    try_open(saved, scenario).map_err(SimError::NoRestore)
}

fn try_open<'a>(saved: &'a [u8], scenario: &Scenario) -> Result<(Time, Reader<'a>), Unread> {
    let content = saved.strip_prefix(MAGIC).ok_or(Unread::Foreign)?;
    let (sum, content) = content.split_first_chunk().ok_or(Unread::Damaged)?;
    if u64::from_le_bytes(*sum) != checksum(content) {
        return Err(Unread::Damaged);
    }
    let mut from = Reader::new(content);
    let mut text = || String::read_from(&mut from).map_err(Unread::Misfit);
    let (saved_by, run) = (text()?, text()?);
    if saved_by != fingerprint() {
        return Err(Unread::Build { saved_by });
    }
    if run != identity(scenario) {
        return Err(Unread::Scenario);
    }
    let time = Time::read_from(&mut from).map_err(Unread::Misfit)?;
    Ok((time, from))
}
