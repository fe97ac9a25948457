// SPDX-License-Identifier: MIT OR Apache-2.0
//! Creates the controllers that flows name, and determines the signals that are available to them on a path.

use super::Assembly;
use crate::SimError;
use control::{Controller, Ephemeris, Platform, Signals, catalogue};
use plan::FlowPlan;
use scenario::ControllerChoice;
use std::sync::Arc;

impl Assembly<'_> {
    /// Creates the controller of a flow, and determines the signals that are available on `platform` and on the path.
    pub(super) fn controlled(
        &self,
        flow: &FlowPlan,
        controller: &ControllerChoice,
        mut platform: Platform,
    ) -> Result<(Box<dyn Controller>, Given), SimError> {
        let built = make(controller, platform).map_err(|source| SimError::Controller {
            flow: flow.name.clone(),
            pep: flow.pep(),
            source,
        })?;
        let ephemeris = self.plan.ephemeris(flow, &self.laid);
        if ephemeris.is_some() {
            platform = platform.with(Signals::PROPAGATION | Signals::PATH_CHANGE);
        }
        if self.plan.network.distance_m.is_some() || flow.distance.is_some() {
            platform = platform.with(Signals::DISTANCE);
        }
        if self.warns {
            platform = platform.with(Signals::CONGESTION_WARNING);
        }
        let degraded = platform.admit(built.as_ref()).map_err(|signals| SimError::SignalMissing {
            flow: flow.name.clone(),
            pep: flow.pep(),
            controller: controller.name.clone(),
            signals,
        })?;
        Ok((built, Given { provided: platform.signals(), degraded, ephemeris }))
    }
}

/// Data that a controller receives on a path.
pub(super) struct Given {
    pub(super) provided: Signals,
    /// Signals that the controller would use but that are not available.
    pub(super) degraded: Signals,
    pub(super) ephemeris: Option<Arc<dyn Ephemeris>>,
}

/// Creates a controller of the catalogue with the settings of a flow, on `platform`.
pub(super) fn make(
    controller: &ControllerChoice,
    platform: Platform,
) -> Result<Box<dyn Controller>, catalogue::ControlError> {
    let mut parameters: Vec<(&str, catalogue::Value<'_>)> =
        controller.parameters.iter().map(|(key, value)| (key.as_str(), value.of_catalogue())).collect();
    if let Some(limit) = platform.growth_limit()
        && takes_growth_limit(&controller.name)
        && parameters.iter().all(|(key, _)| *key != GROWTH_LIMIT)
    {
        parameters.push((GROWTH_LIMIT, catalogue::Value::Number(limit.into())));
    }
    catalogue::build(&controller.name, &parameters)
}

/// Parameter name: largest number of segments that one ACK counts in slow start.
const GROWTH_LIMIT: &str = "growth_limit";

/// Returns whether the controller has this limit as a parameter.
fn takes_growth_limit(controller: &str) -> bool {
    let has = |entry: &catalogue::Entry| entry.parameters().any(|parameter| parameter.name == GROWTH_LIMIT);
    catalogue::entry(controller).is_ok_and(has)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_names_the_missing_signals() {
        let (flow, controller) = ("bulk".to_owned(), "orbcc".to_owned());
        let signals = Signals::TELEMETRY | Signals::ECN;
        let error = SimError::SignalMissing { flow, pep: None, controller, signals };
        assert_eq!(error.code().as_str(), "signal-missing");
        assert_eq!(
            error.to_string(),
            "flow \"bulk\": controller \"orbcc\" needs ECN marks, per-hop telemetry, but this network does \
             not provide these signals (choose another controller, or a preset that needs fewer signals)"
        );
    }
}
