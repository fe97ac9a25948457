// SPDX-License-Identifier: MIT OR Apache-2.0
//! Controllers as flows name them, and the signals that they get on a path.

use super::Assembly;
use crate::SimError;
use control::{Controller, Ephemeris, Signals, catalogue};
use plan::FlowPlan;
use scenario::ControllerChoice;
use std::sync::Arc;

impl Assembly<'_> {
    /// A controller as a flow names it, and what it gets there.
    pub(super) fn controlled(
        &self,
        flow: &FlowPlan,
        controller: &ControllerChoice,
        config: &tcp::Config,
    ) -> Result<(Box<dyn Controller>, Given), SimError> {
        let built = make(controller, config).map_err(|source| SimError::Controller {
            flow: flow.name.clone(),
            pep: flow.pep(),
            source,
        })?;
        let ephemeris = self.plan.ephemeris(flow, &self.laid);
        let mut provided = config.provides();
        if ephemeris.is_some() {
            provided = provided | Signals::PROPAGATION | Signals::PATH_CHANGE;
        }
        if self.plan.network.distance_m.is_some() || flow.distance.is_some() {
            provided = provided | Signals::DISTANCE;
        }
        if self.warns {
            provided = provided | Signals::CONGESTION_WARNING;
        }
        refuse_missing(&flow.name, flow.pep(), &controller.name, built.requires(), provided)?;
        let degraded = built.uses().missing_from(provided);
        Ok((built, Given { provided, degraded, ephemeris }))
    }
}

/// What a controller gets on a path.
pub(super) struct Given {
    pub(super) provided: Signals,
    /// What it would use besides.
    pub(super) degraded: Signals,
    pub(super) ephemeris: Option<Arc<dyn Ephemeris>>,
}

/// A controller of the catalogue with the settings of a flow.
pub(super) fn make(
    controller: &ControllerChoice,
    config: &tcp::Config,
) -> Result<Box<dyn Controller>, catalogue::ControlError> {
    let mut parameters: Vec<(&str, catalogue::Value<'_>)> =
        controller.parameters.iter().map(|(key, value)| (key.as_str(), value.of_catalogue())).collect();
    if let Some(limit) = config.growth_limit
        && takes_growth_limit(&controller.name)
        && parameters.iter().all(|(key, _)| *key != GROWTH_LIMIT)
    {
        parameters.push((GROWTH_LIMIT, catalogue::Value::Number(limit.into())));
    }
    catalogue::build(&controller.name, &parameters)
}

/// Most segments that an ACK counts in slow start.
const GROWTH_LIMIT: &str = "growth_limit";

/// Whether a controller leaves that open.
fn takes_growth_limit(controller: &str) -> bool {
    let has = |entry: &catalogue::Entry| entry.parameters().any(|parameter| parameter.name == GROWTH_LIMIT);
    catalogue::entry(controller).is_ok_and(has)
}

/// A controller that needs what the ground cannot give is refused: it would be another controller.
fn refuse_missing(
    flow: &str,
    pep: Option<usize>,
    controller: &str,
    requires: Signals,
    provided: Signals,
) -> Result<(), SimError> {
    let signals = requires.missing_from(provided);
    if signals.is_empty() {
        return Ok(());
    }
    Err(SimError::SignalMissing { flow: flow.to_owned(), pep, controller: controller.to_owned(), signals })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_controller_without_its_signals_is_refused() {
        assert!(refuse_missing("f", None, "c", Signals::PACING | Signals::SENT, tcp::PROVIDES).is_ok());
        let needs = Signals::PACING | Signals::TELEMETRY | Signals::ECN;
        let error =
            refuse_missing("bulk", None, "orbcc", needs, tcp::PROVIDES).expect_err("it must be refused");
        assert_eq!(error.code().as_str(), "signal-missing");
        assert_eq!(
            error.to_string(),
            "flow \"bulk\": controller \"orbcc\" needs ECN marks, per-hop telemetry, which this network cannot \
             give (choose another controller, or a preset that does without)"
        );
    }
}
