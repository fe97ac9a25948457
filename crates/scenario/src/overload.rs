// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares the load of links from all flows that share them with the capacity of these links.
//!
//! Demand is the sum over the flows that are active at the same time. It consists of lower bounds, so a warning is
//! never false. Some demand of a visit comes later than its start: the rest of a video, or the next requests of an
//! exchange. If visits start evenly, demand rises to its mean while the first visits continue.

use crate::document::{Flow, FlowKind, Scenario};
use crate::path_load::{links_on_path, narrowest};
use crate::text::Written;
use std::collections::BTreeMap;
use traffic::Begin;
use units::{Rate, Span, Time};

/// Relative rounding error of a sum of fractions of a rate.
const ROUNDING: f64 = 1e-9;

/// The demand on one link.
#[derive(Debug, Default)]
struct Demand<'a> {
    carries: f64,
    /// Flows, with the demand of each single flow in bit/s and the number of such flows on this link.
    flows: Vec<(&'a Flow, f64, u32)>,
}

/// The largest demand.
#[derive(Clone, Copy, Debug, Default)]
struct Peak {
    bit_s: f64,
    at: Time,
    /// If demand rose until `at`, the time from which it exceeds the link's capacity.
    rising_since: Option<Time>,
}

impl<'a> Demand<'a> {
    /// Returns the largest demand over time. Flows start and stop, and demand of their visits comes later.
    fn peak(&self, end: Time) -> Peak {
        // At each time, the jump of the sum, and the change of its slope per second.
        let mut changes: BTreeMap<Time, (f64, f64)> = BTreeMap::new();
        let mut change = |at: Time, jump: f64, slope: f64| {
            let here = changes.entry(at).or_default();
            *here = (here.0 + jump, here.1 + slope);
        };
        for &(flow, bit_s, count) in &self.flows {
            let stop = flow.stop.map_or(end, |stop| stop.min(end));
            let (at_once, over_s) = spread(flow);
            let slope = if over_s > 0.0 { bit_s * (1.0 - at_once) / over_s } else { 0.0 };
            let mut start = flow.start;
            for _ in 0..count {
                if start >= stop {
                    break;
                }
                let there_s = stop.since(start).secs_f64();
                change(start, bit_s * at_once, slope);
                if over_s < there_s {
                    change(start + Span::from_secs_f64(over_s), 0.0, -slope);
                    change(stop, -bit_s * at_once - slope * over_s, 0.0);
                } else {
                    change(stop, -bit_s * at_once - slope * there_s, -slope);
                }
                start += flow.stagger;
            }
        }
        let (mut sum, mut slope, mut last) = (0.0, 0.0, Time::ZERO);
        let (mut most, mut over) = (Peak::default(), None);
        let is_more = |sum: f64, than: f64| sum > than * (1.0 + ROUNDING);
        for (at, (jump, bend)) in changes {
            let before = sum + slope * at.since(last).secs_f64();
            if over.is_none() && is_more(before, self.carries) {
                let free_s = ((self.carries - sum) / slope).max(0.0);
                over = Some(last + Span::from_secs_f64(free_s));
            }
            if is_more(before, most.bit_s) {
                most = Peak { bit_s: before, at, rising_since: over };
            }
            (sum, slope, last) = (before + jump, slope + bend, at);
            if is_more(sum, most.bit_s) {
                most = Peak { bit_s: sum, at, rising_since: None };
            }
            over = if is_more(sum, self.carries) { over.or(Some(at)) } else { None };
        }
        most
    }

    /// Returns the warning about the link if demand exceeds its capacity and visits are part of the demand.
    fn overload(&self, name: &str, end: Time) -> Option<String> {
        let Peak { bit_s: sum, at: since, rising_since } = self.peak(end);
        // A rising demand is largest at the end of the period in which its flows are active.
        let is_there = |flow: &Flow| match rising_since {
            None => flow.start <= since && flow.stop.is_none_or(|stop| stop > since),
            Some(_) => flow.start < since && flow.stop.is_none_or(|stop| stop >= since),
        };
        let there: Vec<&'a Flow> =
            self.flows.iter().map(|(flow, ..)| *flow).filter(|flow| is_there(flow)).collect();
        let open: Vec<&Flow> = there.iter().copied().filter(|flow| begins_come_what_may(flow)).collect();
        if open.is_empty() || sum <= self.carries * (1.0 + ROUNDING) {
            return None;
        }
        let is_all = |&(flow, bit_s, _): &(&Flow, f64, u32)| {
            !is_there(flow) || flow.demand().is_some_and(|(_, asked)| bit_s <= asked * (1.0 + ROUNDING))
        };
        let named = open.iter().map(|flow| format!("\"{}\"", flow.name)).collect::<Vec<_>>().join(", ");
        let flows = if open.len() == 1 { "flow" } else { "flows" };
        if self.carries <= 0.0 {
            return Some(format!(
                "{flows} {named}: the rate of \"{name}\" is 0 during the whole run, so no visit can end, but visits \
                continue to begin (write a rate above 0, or a rate step before the end of the run)"
            ));
        }
        // A video may need more than its lowest rate, and small answers may need more than their headers.
        let least = if self.flows.iter().all(is_all) { "" } else { "at least " };
        let (asks, carries) = (rate_text(sum), rate_text(self.carries));
        let load = units::short((1e3 * sum / self.carries).round() / 1e3);
        let grows = bytes_text((sum - self.carries) / 8.0);
        let visits = match there.len() - open.len() {
            0 => "visits".to_owned(),
            1 => "visits and one other flow".to_owned(),
            others => format!("visits and {others} other flows"),
        };
        let asked = match rising_since {
            None => {
                let from = if since == Time::ZERO { String::new() } else { format!("from {since} on, ") };
                format!(
                    "{from}{visits} offer {least}{asks} to \"{name}\", which carries {carries} (load {load}). \
                    Visits begin whether or not earlier visits are over, so the backlog grows by {grows}"
                )
            }
            Some(full) => format!(
                "from {} on at the latest, {visits} offer more than \"{name}\" carries ({carries}). Visits begin \
                 whether or not earlier visits are over. At {}, the offered load is {least}{asks} (load {load}), and \
                 the backlog grows by up to {grows}",
                tenths(full, f64::ceil),
                tenths(since, f64::floor),
            ),
        };
        Some(format!(
            "{flows} {named}: {asked}. The later a visit begins, the longer it takes, so more and more visits stay \
             unfinished"
        ))
    }
}

/// Returns a time rounded to tenths of a second.
fn tenths(at: Time, round: fn(f64) -> f64) -> String {
    // A time that differs from a tenth only by a rounding error counts as this tenth.
    let tenths = 10.0 * at.secs_f64();
    let near = tenths.round();
    format!("{} s", if (tenths - near).abs() < 1e-3 { near } else { round(tenths) } / 10.0)
}

/// Returns the fraction of a flow's demand that exists when its visits start, and the seconds until the rest has come.
fn spread(flow: &Flow) -> (f64, f64) {
    match &flow.kind {
        FlowKind::Application { begin: Begin::Open(_), model, .. } => model.spread(),
        _ => (1.0, 0.0),
    }
}

const fn begins_come_what_may(flow: &Flow) -> bool {
    matches!(flow.kind, FlowKind::Application { begin: Begin::Open(_), .. })
}

/// Returns the warning about open-loop visits without a mean size.
fn without_mean(flow: &Flow) -> Option<String> {
    let FlowKind::Application { begin: Begin::Open(_), model, .. } = &flow.kind else { return None };
    (model.least_mean_bytes().is_none() || model.mean_answers().is_none()).then(|| {
        format!(
            "flow \"{}\": the visits have no mean size, because {}. Therefore, the load grows with the length of the \
             run, and means over seeds do not converge",
            flow.name,
            crate::model::why_no_mean(model),
        )
    })
}

impl Scenario {
    /// Returns the load of a flow, including headers, as a fraction of the smallest link rate on its path; `None` if
    /// either is unknown.
    pub fn load(&self, flow: &Flow) -> Option<f64> {
        let (_, asked) = flow.demand()?;
        let rate = narrowest(&self.network, flow, Time::ZERO + self.duration).ok()?;
        Some(asked / rate)
    }

    /// Returns warnings about links whose load exceeds their capacity because of applications with open-loop visits.
    /// The demand of all flows that are active at the same time counts.
    pub fn overloads(&self) -> Vec<String> {
        let end = Time::ZERO + self.duration;
        let without_mean = self.flows.iter().filter_map(without_mean);
        let mut asked: BTreeMap<(String, Option<usize>), Demand<'_>> = BTreeMap::new();
        for (number, flow) in self.flows.iter().enumerate() {
            let Some(bit_s) = flow.least_demand() else { continue };
            for (name, rate) in links_on_path(&self.network, flow, end) {
                let Ok(carries) = rate else { continue };
                // Each host has a separate access link.
                let own = name.starts_with("access of ");
                let link = asked.entry((name, own.then_some(number))).or_default();
                link.carries = carries;
                link.flows.push((flow, bit_s, if own { 1 } else { flow.count }));
            }
        }
        without_mean.chain(asked.iter().filter_map(|((name, _), asked)| asked.overload(name, end))).collect()
    }
}

/// Rounds to 1 kbit/s, or to 1 bit/s below 1 Mbit/s.
fn rate_text(bit_s: f64) -> String {
    let step = if bit_s < 1e6 { 1.0 } else { 1e3 };
    Rate::from_bits_per_s(((bit_s / step).round() * step) as u64).write()
}

/// Rounds to three digits after the decimal point.
fn bytes_text(bytes_s: f64) -> String {
    match bytes_s {
        1e4.. => format!("{:.3} MB/s", bytes_s / 1e6),
        10.0.. => format!("{:.3} kB/s", bytes_s / 1e3),
        _ => format!("{bytes_s:.3} B/s"),
    }
}
