// SPDX-License-Identifier: MIT OR Apache-2.0
//! Saves the state of a session as bytes, and restores a session from them.
//!
//! The bytes contain only state that changes with time. A restored session takes everything else from its plan. The
//! bytes begin with:
//!
//! | length in bytes | content |
//! |---|---|
//! | 8 | "bentpipe" |
//! | 8 | checksum of all following bytes |
//! | text | fingerprint of the build |
//! | text | identity of the run: scenario, content of its files, seed |
//!
//! The state of the parts follows in a fixed order. Only the build that wrote the bytes can read them.

use crate::error::{Unread, Unsaved};
use crate::state::State;
use crate::{Session, Settings, SimError, fingerprint};
use engine::Observer;
use hosts::AnyBody;
use plan::{FlowPlan, Plan, Stop};
use saved::{Damaged, Plain as _, Reader, Saved as _, Writer};
use scenario::{Identity, Scenario};

const MAGIC: &[u8; 8] = b"bentpipe";

impl<O: Observer<AnyBody>> Session<O> {
    /// Returns the present state of the run without its observer. [`Session::restore`] continues from this state.
    ///
    /// # Errors
    /// [`SimError::NoSave`] in each of these cases:
    /// - The network is laid out page by page.
    /// - The state of a controller cannot be written, for example of a controller in Python.
    /// - A flow uses QUIC.
    /// - Endpoints were added that are not part of the plan.
    pub fn save(&self) -> Result<Vec<u8>, SimError> {
        self.check_saved().map_err(SimError::NoSave)?;
        let mut to = Writer::default();
        fingerprint().save_to(&mut to);
        identity(&self.state.plan.scenario).save_to(&mut to);
        let Self {
            state: State { engine, shared, handovers, .. }, routes, breaks, connections, crowd, ..
        } = self;
        engine.save_to(&mut to);
        shared.save_to(&mut to);
        handovers.save_to(&mut to);
        routes.save_to(&mut to);
        breaks.save_to(&mut to);
        connections.save_to(&mut to);
        crowd.save_to(&mut to);
        let content = to.into_bytes();
        Ok([&MAGIC[..], &checksum(&content).to_le_bytes(), &content].concat())
    }

    /// Returns the run of a plan at the time when [`Session::save`] wrote its state. The restored run continues exactly
    /// as the saved run. Flows record events if the flows of the saved run did. The other settings, the observer and
    /// `stop` have the same meaning as in [`Session::new`].
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
        let mut from = open(saved, &plan.scenario).map_err(SimError::NoRestore)?;
        let mut session = Self::new(plan, settings, observer, stop)?;
        session.load(&mut from).map_err(|damaged| SimError::NoRestore(Unread::Misfit(damaged)))?;
        Ok(session)
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), Damaged> {
        let Self {
            state: State { engine, shared, handovers, .. }, routes, breaks, connections, crowd, ..
        } = self;
        engine.load_from(from)?;
        shared.load_from(from)?;
        handovers.load_from(from)?;
        routes.load_from(from)?;
        breaks.load_from(from)?;
        connections.load_from(from)?;
        crowd.load_from(from)?;
        from.end::<Self>()
    }

    fn check_saved(&self) -> Result<(), Unsaved> {
        let State { plan, engine, .. } = &self.state;
        if plan.is_paged() {
            return Err(Unsaved::Pages);
        }
        if engine.endpoints().len() > plan.attachments.len() {
            return Err(Unsaved::Endpoints);
        }
        match engine.endpoints().iter().position(|endpoint| !endpoint.can_be_saved()) {
            Some(endpoint) => {
                let FlowPlan { name, controller, .. } = &plan.flows[endpoint / 2];
                if engine.endpoints()[endpoint].is_quic() {
                    return Err(Unsaved::Quic { flow: name.clone() });
                }
                let controller = controller.clone().unwrap_or_default();
                Err(Unsaved::Controller { flow: name.clone(), controller })
            }
            None => Ok(()),
        }
    }
}

/// Returns the identity of a run.
fn identity(scenario: &Scenario) -> String {
    Identity::of(scenario, &scenario.named_files(), &fingerprint(), &[]).run(scenario.seed)
}

/// Returns a reader of the saved state, if the state belongs to this build and this scenario.
fn open<'a>(saved: &'a [u8], scenario: &Scenario) -> Result<Reader<'a>, Unread> {
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
    if run == identity(scenario) { Ok(from) } else { Err(Unread::Scenario) }
}

/// FNV-1a with 64 bits. It detects every change of a single byte.
fn checksum(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3))
}
