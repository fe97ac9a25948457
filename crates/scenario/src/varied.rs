// SPDX-License-Identifier: MIT OR Apache-2.0
//! Links with data that are computed for each run: recordings, and values that follow the satellite.

use crate::ScenarioError;
use crate::check::Source;
use crate::{queue, sight};
use link::sight::BySight;
use link::{Changes, LinkSpec, Recorded};
use std::sync::Arc;

/// Returns the recordings of the link.
pub fn recorded_of(link: &LinkSpec) -> Option<&Recorded> {
    link.changes.as_ref()?.recorded.as_ref()
}

/// Returns whether the link has no constant rate: the rate comes from a recording or from the satellite's position, or
/// should come from there.
pub fn has_no_rate(link: &LinkSpec) -> bool {
    recorded_of(link).is_some_and(|recorded| recorded.deliveries.is_some() || recorded.needs_rate)
        || sight::of_link(link).is_some_and(|sight| sight.has_rate())
}

/// Returns the link with recordings.
pub fn with_recorded(
    link: LinkSpec,
    recorded: Option<Recorded>,
    source: &Source<'_>,
    path: &str,
) -> Result<LinkSpec, ScenarioError> {
    let Some(recorded) = recorded else { return Ok(link) };
    queue::needs_no_rate(link.queue, source, &format!("{path}.queue"))?;
    let mut changes = link.changes.as_deref().cloned().unwrap_or_default();
    let rate = if recorded.deliveries.is_some() {
        changes.rate = None;
        None
    } else {
        link.rate
    };
    Ok(LinkSpec { rate, changes: Some(Arc::new(Changes { recorded: Some(recorded), ..changes })), ..link })
}

/// Returns the link with values that follow its satellite.
pub fn with_sight(
    link: LinkSpec,
    sight: Option<BySight>,
    source: &Source<'_>,
    path: &str,
) -> Result<LinkSpec, ScenarioError> {
    let Some(sight) = sight else { return Ok(link) };
    let mut changes = link.changes.as_deref().cloned().unwrap_or_default();
    let mut rate = link.rate;
    if sight.has_rate() {
        queue::needs_no_rate(link.queue, source, &format!("{path}.queue"))?;
        (rate, changes.rate) = (sight.highest(), None);
    }
    Ok(LinkSpec {
        rate,
        changes: Some(Arc::new(Changes { sight: Some(Arc::new(sight)), ..changes })),
        ..link
    })
}

/// Returns the link without recordings, and without values that follow the satellite.
pub fn unvaried(base: &LinkSpec) -> LinkSpec {
    let changes =
        base.changes.as_ref().map(|changes| Changes { recorded: None, sight: None, ..(**changes).clone() });
    LinkSpec { changes: changes.filter(|changes| changes.course().is_some()).map(Arc::new), ..base.clone() }
}
