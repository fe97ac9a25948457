// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads and writes which satellite a site uses, and the effects of a handover.

use super::key::at;
use crate::ScenarioError;
use crate::check::Source;
use crate::format;
use crate::text::Q;
use crate::words::W;
use topology::{Handover, Policy, SatelliteChoice, Slot};
use units::{Angle, Code, Span};

/// Starlink assigns satellites at :12, :27, :42 and :57 of every minute (Pan et al., ICC 2024; Tanveer et al., CoNEXT
/// 2023).
const STARLINK_SLOT: Slot = Slot { period: Span::from_secs(15), phase: Span::from_secs(12) };

impl format::Access {
    /// Reads which satellite a site uses. `dated` states whether the satellites have a date, so that slots follow the
    /// clock.
    pub fn read(
        &self,
        old: Option<SatelliteChoice>,
        dated: bool,
        source: &Source<'_>,
    ) -> Result<SatelliteChoice, ScenarioError> {
        let old = old.unwrap_or(SatelliteChoice {
            policy: Policy::LowestDelay,
            slot: None,
            hysteresis: Angle::from_deg(0.0),
        });
        let known =
            |period| if dated && period == STARLINK_SLOT.period { STARLINK_SLOT.phase } else { Span::ZERO };
        let slot = match (self.slot, self.phase) {
            (Some(Q(period)), phase) => Some(Slot { period, phase: phase.map_or(known(period), |q| q.0) }),
            (None, None) => old.slot,
            (None, Some(Q(phase))) => {
                let Some(slot) = old.slot else {
                    let message = "`phase` has no effect without `slot`";
                    return Err(source
                        .error(Code::ScenarioMissingKey, &at("access.phase"), message)
                        .fix("write slot = \"15 s\""));
                };
                Some(Slot { phase, ..slot })
            }
        };
        let policy = self.policy.map_or(old.policy, |word| word.0);
        let access =
            SatelliteChoice { policy, slot, hysteresis: self.hysteresis.map_or(old.hysteresis, |q| q.0) };
        if self.hysteresis.is_some() && !chooses_anew(&access) {
            let message = "`hysteresis` has no effect: with this policy, a site does not leave a satellite for a better one \
                 while it can still use the old one";
            return Err(source
                .error(Code::ScenarioValue, &at("access.hysteresis"), message)
                .fix("write slot = \"15 s\" or policy = \"highest-elevation\", or remove `hysteresis`"));
        }
        Ok(access)
    }

    /// Returns the text form of these settings.
    pub fn of(access: &SatelliteChoice) -> Self {
        Self {
            policy: Some(W(access.policy)),
            slot: access.slot.map(|slot| Q(slot.period)),
            phase: access.slot.map(|slot| Q(slot.phase)),
            hysteresis: chooses_anew(access).then_some(Q(access.hysteresis)),
        }
    }
}

/// Returns whether a site may leave a satellite in use for a better one. With the policy "lowest-delay", all satellites
/// in view are in use at once. With "longest-visible", a satellite is kept until it sets, unless there are slots.
const fn chooses_anew(access: &SatelliteChoice) -> bool {
    access.slot.is_some() || matches!(access.policy, Policy::HighestElevation | Policy::Nearest)
}

impl format::Handover {
    /// Reads the effects of a handover.
    pub fn read(&self, old: Option<Handover>, source: &Source<'_>) -> Result<Handover, ScenarioError> {
        let old = old.unwrap_or_default();
        if self.during.is_some() && self.outage.is_none() && old.outage == Span::ZERO {
            let message = "`during` has no effect without `outage`";
            return Err(source
                .error(Code::ScenarioMissingKey, &at("handover.during"), message)
                .fix("write outage = \"100 ms\", or remove `during`"));
        }
        Ok(Handover {
            outage: self.outage.map_or(old.outage, |q| q.0),
            during: self.during.map_or(old.during, |word| word.0),
        })
    }

    /// Returns the text form of these settings.
    pub fn of(handover: &Handover) -> Self {
        Self { outage: Some(Q(handover.outage)), during: Some(W(handover.during)) }
    }
}
