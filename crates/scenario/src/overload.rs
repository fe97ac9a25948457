// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is asked of links by all flows that share them, held against what they carry.
//!
//! Demand is summed over the flows that are present at a time, from lower bounds, so a warning is never false.

use crate::document::{Flow, FlowKind, Scenario};
use crate::text::Written;
use crate::way::{narrowest, way};
use std::collections::BTreeMap;
use traffic::Begin;
use units::{Rate, Time};

/// Sums of fractions of a rate are that rate but for rounding.
const ROUNDING: f64 = 1e-9;

/// What is asked of one link.
#[derive(Debug, Default)]
struct Asked<'a> {
    carries: f64,
    /// Flows, what one of each asks for in bit/s, and how many of them pass here.
    flows: Vec<(&'a Flow, f64, u32)>,
}

impl<'a> Asked<'a> {
    /// The most that is asked for at a time, and since when. Flows come and go.
    fn peak(&self, end: Time) -> (f64, Time) {
        let mut changes: BTreeMap<Time, f64> = BTreeMap::new();
        let mut change = |at: Time, by: f64| *changes.entry(at).or_default() += by;
        for &(flow, bit_s, count) in &self.flows {
            let stop = flow.stop.unwrap_or(end);
            let mut start = flow.start;
            for _ in 0..count {
                if start >= stop {
                    break;
                }
                change(start, bit_s);
                change(stop, -bit_s);
                start += flow.stagger;
            }
        }
        let (mut sum, mut most) = (0.0, (0.0, Time::ZERO));
        for (at, by) in changes {
            sum += by;
            if sum > most.0 * (1.0 + ROUNDING) {
                most = (sum, at);
            }
        }
        most
    }

    /// What to know of it, if it is too much and visits are part of that.
    fn overload(&self, name: &str, end: Time) -> Option<String> {
        let (sum, since) = self.peak(end);
        let is_there = |flow: &Flow| flow.start <= since && flow.stop.is_none_or(|stop| stop > since);
        let there: Vec<&'a Flow> =
            self.flows.iter().map(|(flow, ..)| *flow).filter(|flow| is_there(flow)).collect();
        let open: Vec<&Flow> = there.iter().copied().filter(|flow| begins_come_what_may(flow)).collect();
        if open.is_empty() || sum <= self.carries * (1.0 + ROUNDING) {
            return None;
        }
        let is_all = |&(flow, bit_s, _): &(&Flow, f64, u32)| {
            !is_there(flow) || flow.asks_for().is_some_and(|(_, asked)| bit_s <= asked * (1.0 + ROUNDING))
        };
        let named = open.iter().map(|flow| format!("\"{}\"", flow.name)).collect::<Vec<_>>().join(", ");
        Some(format!(
            "{} {named}: visits begin come what may and{} ask for {}{} of \"{name}\", which carries {} (load {}): the backlog \
             grows by {}, visits take longer the later they begin, and more and more are unfinished",
            if open.len() == 1 { "flow" } else { "flows" },
            if since == Time::ZERO { String::new() } else { format!(", from {since} on,") },
            // A film may ask for more than its lowest rung, small answers for more than their headers.
            if self.flows.iter().all(is_all) { "" } else { "at least " },
            rate_text(sum),
            rate_text(self.carries),
            units::short((1e3 * sum / self.carries).round() / 1e3),
            bytes_text((sum - self.carries) / 8.0),
        ))
    }
}

const fn begins_come_what_may(flow: &Flow) -> bool {
    matches!(flow.kind, FlowKind::Application { begin: Begin::Open(_), .. })
}

/// What to know of visits that begin come what may and have no mean size.
fn without_mean(flow: &Flow) -> Option<String> {
    let FlowKind::Application { begin: Begin::Open(_), model, .. } = &flow.kind else { return None };
    (model.least_mean_bytes().is_none() || model.mean_answers().is_none()).then(|| {
        format!(
            "flow \"{}\": its visits have no mean size: the longer the run, the larger the load, and no mean over seeds \
             settles ({})",
            flow.name,
            crate::model::why_no_mean(model),
        )
    })
}

impl Scenario {
    /// The share of the smallest link rate on its way that a flow asks for, headers counted; `None` where either is not known.
    pub fn load(&self, flow: &Flow) -> Option<f64> {
        let (_, asked) = flow.asks_for()?;
        let rate = narrowest(&self.network, flow, Time::ZERO + self.duration).ok()?;
        Some(asked / rate)
    }

    /// What to know of links that are asked for more than they carry, by applications whose visits begin come what may: a
    /// sentence each. What all flows ask of a link at the same time counts.
    pub fn overloads(&self) -> Vec<String> {
        let end = Time::ZERO + self.duration;
        let without_mean = self.flows.iter().filter_map(without_mean);
        let mut asked: BTreeMap<(String, Option<usize>), Asked<'_>> = BTreeMap::new();
        for (number, flow) in self.flows.iter().enumerate() {
            let Some(bit_s) = flow.asks_at_least() else { continue };
            for (name, rate) in way(&self.network, flow, end) {
                let Ok(carries) = rate else { continue };
                // Every host has an access link of its own.
                let own = name.starts_with("access of ");
                let link = asked.entry((name, own.then_some(number))).or_default();
                link.carries = carries;
                link.flows.push((flow, bit_s, if own { 1 } else { flow.count }));
            }
        }
        without_mean.chain(asked.iter().filter_map(|((name, _), asked)| asked.overload(name, end))).collect()
    }
}

/// Rounded to 1 kbit/s; below 1 Mbit/s to 1 bit/s.
fn rate_text(bit_s: f64) -> String {
    let step = if bit_s < 1e6 { 1.0 } else { 1e3 };
    Rate::from_bits_per_s(((bit_s / step).round() * step) as u64).write()
}

/// With three digits behind the point of its unit.
fn bytes_text(bytes_s: f64) -> String {
    match bytes_s {
        1e4.. => format!("{:.3} MB/s", bytes_s / 1e6),
        10.0.. => format!("{:.3} kB/s", bytes_s / 1e3),
        _ => format!("{bytes_s:.3} B/s"),
    }
}
