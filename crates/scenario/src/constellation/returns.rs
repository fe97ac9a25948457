// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads and writes how sites transmit to their satellites: demand assignment, grants, and thinning of
//! acknowledgements.

use super::key::at;
use crate::ScenarioError;
use crate::check::Source;
use crate::document::WireService;
use crate::format::ReturnLink;
use crate::return_link::goes_with_dama;
use crate::varied::has_no_rate;
use link::{LinkSpec, Service};
use topology::Shared;
use units::Code;

/// The keys of return links: of the table of user links (`both`), and of the table of uplinks (`up`). Keys of uplinks
/// take precedence.
pub struct Returns {
    pub both: ReturnLink,
    pub up: ReturnLink,
}

impl Returns {
    /// Returns the uplink with these settings. Each key uses the final rate of the link.
    pub fn over(self, mut spec: LinkSpec, source: &Source<'_>) -> Result<LinkSpec, ScenarioError> {
        let Self { both, up } = self;
        let dama = up.dama.map(|it| ("uplink", it)).or(both.dama.map(|it| ("user_link", it)));
        let acks = up.acks.map(|it| ("uplink", it)).or(both.acks.map(|it| ("user_link", it)));
        let service = service(&spec);
        if let Some(grants) = up.grants.or(both.grants) {
            spec.grants = Some(grants.read());
        }
        if let Some((key, acks)) = acks {
            let varies = has_no_rate(&spec) || service.is_none();
            let sends_at_once = spec.rate.is_none() && !varies;
            spec.acks = Some(acks.read(&spec, sends_at_once, source, &at(&format!("{key}.acks")))?);
        }
        if let Some((key, dama)) = dama {
            let path = at(&format!("{key}.dama"));
            let Some(service) = service else {
                let message = "demand assignment needs a rate that is known when the scenario is read, but the rate \
                    of this link depends on its satellite, on the time of day or on a recording";
                return Err(source
                    .error(Code::ScenarioValue, &path, message)
                    .fix("write rate or rate_steps instead, or remove `dama`"));
            };
            spec.dama = Some(dama.read(&spec, &service, source, &path)?);
            goes_with_dama(&spec, source, &path)?;
        }
        Ok(spec)
    }
}

/// Returns the rate of a link, as far as it is known when the scenario is read.
fn service(spec: &LinkSpec) -> Option<WireService> {
    let changes = spec.changes.as_deref();
    let recorded = changes.is_some_and(|changes| changes.recorded.is_some());
    if recorded || has_no_rate(spec) {
        return None;
    }
    match changes.and_then(|changes| changes.rate.as_ref()) {
        Some(Service::Schedule(schedule)) => Some(WireService::Steps(schedule.clone())),
        Some(Service::Opportunities(_)) => None,
        None => Some(WireService::Constant),
    }
}

/// Refuses uplinks that wait both for a grant and for their turn on a shared transmitter.
pub fn refuse_two_schedulers(
    uplink: &LinkSpec,
    shared: &Shared,
    source: &Source<'_>,
) -> Result<(), ScenarioError> {
    if uplink.dama.is_none() || (shared.uplink.is_none() && shared.totals.uplink.is_none()) {
        return Ok(());
    }
    let message = "each uplink with demand assignment has its own carrier, so an uplink cannot also share a transmitter";
    Err(source.error(Code::ScenarioValue, &at("uplink.dama"), message).fix(
        "remove `shared.uplink` and `shared.uplink_total`, or remove `dama`; to let terminals share a carrier with \
         demand assignment, use the branches of a network.star",
    ))
}
