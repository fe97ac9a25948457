// SPDX-License-Identifier: MIT OR Apache-2.0
//! Links of a constellation whose rate, delay or loss is found besides the network: from recordings.
//!
//! The network says which links these are and when switches interrupt them; here they get their spec and their course. A
//! scenario in which nothing varies has none of this.

use crate::SimError;
use crate::replay::Replay;
use link::{Course, LinkSpec, TraceEnd};
use scenario::{NetworkChoice, Scenario};
use std::sync::Arc;
use topology::{ConstellationSpec, During, Medium, Network, Page, Seen};

/// What varies, by kind of link.
#[derive(Debug)]
pub(crate) struct Vary {
    /// In the order of [`Medium::ALL`], with files read; `None`: there is no such link.
    media: [Option<LinkSpec>; 4],
    during: During,
}

/// The specs of a constellation's links, in the order of [`Medium::ALL`].
fn media(spec: &ConstellationSpec) -> [Option<&LinkSpec>; 4] {
    let isl = spec.isl.as_ref().map(|isl| &isl.link);
    [Some(&spec.uplink), Some(&spec.downlink), Some(&spec.feeder), isl]
}

/// Whether something stands in a link's spec that has to be found.
fn varies(spec: &LinkSpec) -> bool {
    spec.changes.as_ref().is_some_and(|changes| changes.recorded.is_some())
}

impl Vary {
    /// What varies on a scenario's constellation; `None`: nothing does.
    pub fn of(scenario: &Scenario, replay: &mut Replay) -> Result<Option<Self>, SimError> {
        let NetworkChoice::Constellation { spec, .. } = &scenario.network else { return Ok(None) };
        let links = media(spec);
        if !links.iter().flatten().any(|link| varies(link)) {
            return Ok(None);
        }
        let mut read = [const { None }; 4];
        for (read, link) in read.iter_mut().zip(links) {
            *read = link.map(|link| replay.over(link)).transpose()?;
        }
        Ok(Some(Self { media: read, during: spec.handover.during }))
    }

    /// What is laid out for the duration of a run, and would be missing in one without end.
    pub fn refuse_endless(scenario: &Scenario) -> Result<(), SimError> {
        let hosts = scenario.flows.iter().filter_map(|flow| Some(&flow.access.as_ref()?.link));
        let moving = match &scenario.network {
            NetworkChoice::Constellation { spec, .. } => media(spec),
            _ => [None; 4],
        };
        let links = moving.into_iter().flatten().chain(hosts);
        let recorded = links.filter_map(|link| link.changes.as_ref()?.recorded.as_ref());
        let wraps =
            |file: bool, end: Option<TraceEnd>, default| file && end.unwrap_or(default) == TraceEnd::Wrap;
        let mut laid = recorded.filter(|it| {
            wraps(it.path.is_some(), it.end, TraceEnd::OF_PATH)
                || wraps(it.delays.is_some(), it.end, TraceEnd::OF_DELAYS)
        });
        match laid.next() {
            Some(_) => {
                let what = "a trace of delays or of a path that begins again and again";
                Err(SimError::Unending { name: scenario.name.clone(), what })
            }
            None => Ok(()),
        }
    }

    /// Gives the links of a network that was laid out whole what varies.
    pub fn network(&self, network: &mut Network) {
        for (link, seen) in &network.seen {
            let plan = &mut network.links[*link as usize];
            let (spec, course) = self.found(seen);
            (plan.config.spec, plan.config.course) = (spec, Some(course));
        }
    }

    /// As [`Self::network`], of a page that follows on a network.
    pub fn page(&self, page: &mut Page, network: &Network) {
        let known = network.links.len() as u32;
        for (link, seen) in &page.seen {
            let (spec, course) = self.found(seen);
            match link.checked_sub(known) {
                Some(new) => {
                    let config = &mut page.links[new as usize].config;
                    (config.spec, config.course) = (spec, Some(course));
                }
                None => match page.courses.iter_mut().find(|(number, _)| number == link) {
                    Some((_, old)) => *old = course,
                    None => {}
                },
            }
        }
    }

    fn found(&self, seen: &Seen) -> (LinkSpec, Arc<Course>) {
        let Some(spec) = &self.media[seen.medium as usize] else {
            unreachable!("a network has only the links of its constellation")
        };
        (spec.clone(), Arc::new(topology::course(&seen.outages, spec, self.during)))
    }
}
