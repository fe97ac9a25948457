// SPDX-License-Identifier: MIT OR Apache-2.0
//! Checks whether the visits of an application make progress, including visits in the warm-up. If no visit finishes,
//! the flow has no durations that could show the problem.

use super::super::measured::no_delivery::closed;
use hosts::VisitRow;
use plan::{FlowPlan, Plan};
use record::summary::{Finding, FindingKind};
use scenario::{Flow, FlowKind};
use traffic::Begin;
use units::{Span, Time};

/// The results of all visits of one flow.
#[derive(Clone, Copy, Debug, Default, saved::Plain)]
pub struct Progress {
    begun: u64,
    done: u64,
    first: Option<(Time, Option<Span>)>,
}

impl Progress {
    /// Adds a visit. `known` states whether the duration that counts for its user is known.
    pub fn add(&mut self, visit: &VisitRow, known: bool) {
        self.begun += 1;
        self.done += u64::from(known);
        if self.first.is_none_or(|(began, _)| visit.began < began) {
            self.first = Some((visit.began, visit.ideal.filter(|ideal| *ideal > Span::ZERO)));
        }
    }

    /// Returns a finding at the end of the run if no visit made progress. The run may have any length. If the first
    /// visit had less time than an empty path needs, the finding advises a longer run. Otherwise, it advises a better
    /// path or a lower load.
    pub fn finding(&self, flow: u32, plan: &Plan, asked: &Flow, end: Time) -> Option<Finding> {
        let flow_plan = &plan.flows[flow as usize];
        let (kind, since, text) = match self.first {
            None if flow_plan.start < end => {
                (FindingKind::NoVisitBegun, flow_plan.start, never_began(flow_plan, asked, end))
            }
            Some((first, ideal)) if self.done == 0 => {
                let needs = ideal.map_or(String::new(), |ideal| {
                    format!(", and a visit over an empty path needs {:.2} s", ideal.secs_f64())
                });
                let had = end.since(first);
                let connections = flow_plan.connections(flow as usize);
                let fix = closed(plan, &connections, [first, end]).unwrap_or_else(|| {
                    let fix = if ideal.is_some_and(|ideal| ideal > had) {
                        "write a longer `duration`, smaller visits or a higher rate"
                    } else {
                        "write a longer `duration`, a lower load or `loss`, or a higher rate"
                    };
                    fix.to_owned()
                });
                let text = format!(
                    "no visit finished. {} visits began, the first of them {:.1} s before the end{needs} ({fix})",
                    self.begun,
                    had.secs_f64()
                );
                (FindingKind::NoVisitDone, first, text)
            }
            _ => return None,
        };
        let controller = flow_plan.controller.as_deref().unwrap_or(flow_plan.kind);
        Some(Finding {
            flow,
            kind,
            since_s: since.secs_f64(),
            lasted_s: end.since(since).secs_f64(),
            magnitude: self.begun as f64,
            text: format!("flow \"{}\" ({controller}): {text}", flow_plan.name),
        })
    }
}

/// Returns why no visit started between the flow's start and the end of the run, and what to change.
fn never_began(flow_plan: &FlowPlan, asked: &Flow, end: Time) -> String {
    let until = flow_plan.stop.map_or(end, |stop| stop.min(end));
    let had_s = until.since(flow_plan.start).secs_f64();
    let (why, fix) = match &asked.kind {
        FlowKind::Application { begin: Begin::Closed { think, .. }, .. } => {
            let mean = think.mean().map_or(String::new(), |mean_s| format!(", for {mean_s:.1} s on average"));
            (format!("users think before their first visit{mean}"), "a shorter `think`")
        }
        _ => ("`arrivals` decides when visits begin".to_owned(), "a higher rate of `arrivals`"),
    };
    let longer = if until < end { "a later `stop`" } else { "a longer `duration`" };
    let earlier = if flow_plan.start > Time::ZERO { ", an earlier `start`" } else { "" };
    format!("no visit began in {had_s:.1} s: {why} (write {fix}{earlier} or {longer})")
}
