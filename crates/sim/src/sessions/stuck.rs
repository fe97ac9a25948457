// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether the users of an application get anywhere, the warm-up included: a flow of which no session is ever over has no
//! times that could look wrong.

use crate::endpoint::SessionRow;
use crate::wire::FlowPlan;
use record::summary::{Finding, FindingKind};
use units::{Span, Time};

/// That no session is done says something once one has waited so many times what an empty path needs.
const TIMES: u64 = 10;
/// Where that is not known (films, proxies), so long. The number is ours.
const LONG: Span = Span::from_secs(10);

/// What came of all sessions of one flow.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    begun: u64,
    done: u64,
    first: Option<Time>,
    /// Whether one has waited too long.
    waits: bool,
}

impl Progress {
    /// Adds a session as it stands at `now`; `known` is whether the time that counts for its user is.
    pub fn add(&mut self, session: &SessionRow, known: bool, now: Time) {
        self.begun += 1;
        self.done += u64::from(known);
        self.first = Some(self.first.map_or(session.began, |first| first.min(session.began)));
        let long = session.ideal.filter(|ideal| *ideal > Span::ZERO).map_or(LONG, |ideal| ideal * TIMES);
        self.waits |= !known && now.since(session.began) > long;
    }

    /// What is to be said of the flow at the end of the run, if its users got nowhere.
    pub fn finding(&self, (flow, plan): (u32, &FlowPlan), end: Time) -> Option<Finding> {
        let (kind, since, text) = match self.first {
            None if plan.start < end => {
                (FindingKind::NoSessionBegun, plan.start, "no session ever began".to_owned())
            }
            Some(first) if self.done == 0 && self.waits => (
                FindingKind::NoSessionDone,
                first,
                format!(
                    "no session was ever done: {} began, the first at {:.1} s",
                    self.begun,
                    first.secs_f64()
                ),
            ),
            _ => return None,
        };
        let controller = plan.controller.as_deref().unwrap_or(plan.kind);
        Some(Finding {
            flow,
            kind,
            since_s: since.secs_f64(),
            lasted_s: end.since(since).secs_f64(),
            magnitude: self.begun as f64,
            text: format!("flow \"{}\" ({controller}): {text}", plan.name),
        })
    }
}
