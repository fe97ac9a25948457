// SPDX-License-Identifier: MIT OR Apache-2.0
//! TCP flows whose rate the receive window limits.

use super::in_words;
use engine::{Engine, Observer};
use hosts::Metered;
use hosts::meter::Delays;
use plan::{FlowPlan, Plan, memory_of};
use record::summary::{Finding, FindingKind};
use std::collections::BTreeMap;
use units::{Bytes, Rate, Span, Time};

/// If the window limited the sender for a smaller fraction of its active time, there is no finding.
const SHARE: f64 = 0.1;
/// Number of flows that a finding names.
const NAMED: usize = 3;

/// A flow whose receive window is smaller than the bandwidth-delay product of its path.
struct Limited {
    flow: usize,
    since: Time,
    lasted: Span,
    share: f64,
    rate: Rate,
    rtt: Span,
    bdp: f64,
}

/// The numbers of a flow and of its connection with the lowest rate. They differ if proxies split the flow.
#[derive(Clone, Copy)]
struct Place {
    flow: usize,
    connection: usize,
}

/// Returns a finding for each group of flows with the same controller and the same window. For each connection, `since`
/// is the time of the first check at which the window limited the sender.
pub(super) fn findings<E: Metered, O: Observer<E::Body>>(
    plan: &Plan,
    engine: &Engine<E, O>,
    since: impl Fn(usize) -> Option<Time>,
) -> Vec<Finding> {
    let mut groups: BTreeMap<(&str, u64, bool), Vec<Limited>> = BTreeMap::new();
    for (flow, flow_plan) in plan.flows.iter().take(plan.whole).enumerate() {
        if flow_plan.kind != "tcp" {
            continue;
        }
        let Some(number) = narrowest(plan, flow_plan, flow, engine.now()) else { continue };
        let its = &plan.flows[number];
        let Some((window, since)) = its.receive_window.zip(since(number)) else { continue };
        let Some(limited) = limited(plan, engine, Place { flow, connection: number }, window, since) else {
            continue;
        };
        let controller = its.controller.as_deref().unwrap_or(its.kind);
        let at_proxy = its.part.as_ref().is_some_and(|part| part.proxy.is_some());
        groups.entry((controller, window.get(), at_proxy)).or_default().push(limited);
    }
    let finding = |((controller, window, at_proxy), flows): ((&str, u64, bool), Vec<Limited>)| {
        // If several flows are limited for the same fraction, the first one counts.
        let worst = flows.iter().reduce(|worst, next| if next.share > worst.share { next } else { worst });
        worst.map(|worst| Finding {
            flow: flows[0].flow as u32,
            kind: FindingKind::ReceiveWindow,
            since_s: worst.since.secs_f64(),
            lasted_s: worst.lasted.secs_f64(),
            magnitude: worst.share,
            text: text(plan, controller, Bytes::new(window), at_proxy, &flows, worst),
        })
    };
    groups.into_iter().filter_map(finding).collect()
}

/// Returns the number of the flow's connection with the lowest rate. The windows of the other connections cannot limit
/// the flow: these windows close because the proxy behind them waits for the slowest connection.
fn narrowest(plan: &Plan, flow_plan: &FlowPlan, flow: usize, now: Time) -> Option<usize> {
    let rate = |number: usize| Some((plan.capacity(number, now, now)?.rate, number));
    flow_plan.connections(flow).into_iter().filter_map(rate).min().map(|(_, number)| number)
}

fn limited<E: Metered, O: Observer<E::Body>>(
    plan: &Plan,
    engine: &Engine<E, O>,
    Place { flow, connection }: Place,
    window: Bytes,
    since: Time,
) -> Option<Limited> {
    let (its, now) = (&plan.flows[connection], engine.now());
    let (source, sink) = (&engine.endpoints()[2 * connection], &engine.endpoints()[2 * connection + 1]);
    let transport = source.transport()?;
    let lasted = transport.receiver_limited_time(now)?;
    let end = transport.completed_at().or(its.stop).unwrap_or(now).min(now);
    // The window may have limited the sender between two checks, before the first check that noticed it.
    let since = since.min(Time::from_nanos(end.nanos().saturating_sub(lasted.nanos())));
    let share = lasted.secs_f64() / end.since(its.start).secs_f64().max(1e-9);
    // The round trip without the queue that the data themselves cause. It includes waiting times for grants.
    let mean_ms = |delays: Option<&Delays>| Some(delays?.distribution()?.mean);
    let rtt_s = 1e-3 * (mean_ms(source.rtt())? - mean_ms(sink.queueing())?);
    let rtt = Span::from_secs_f64(rtt_s.max(0.0));
    let from = Time::from_nanos(end.nanos().saturating_sub(memory_of(rtt).nanos()));
    let rate = plan.capacity(connection, from, end)?.rate;
    let bdp = rate.bytes_per_s() * rtt.secs_f64();
    let is_limited = share >= SHARE && (window.get() as f64) < bdp;
    is_limited.then_some(Limited { flow, since, lasted, share: share.min(1.0), rate, rtt, bdp })
}

/// Returns a number of bytes as text.
fn size(bytes: f64) -> String {
    if bytes < 1e6 { format!("{:.0} kB", bytes / 1e3) } else { format!("{:.2} MB", bytes / 1e6) }
}

fn text(
    plan: &Plan,
    controller: &str,
    window: Bytes,
    at_proxy: bool,
    flows: &[Limited],
    worst: &Limited,
) -> String {
    let name = |limited: &Limited| format!("\"{}\"", plan.flows[limited.flow].name);
    let (who, most) = if let [only] = flows {
        (format!("flow {}", name(only)), "")
    } else {
        let named: Vec<String> = flows.iter().take(NAMED).map(name).collect();
        let more = flows.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        (format!("{} flows, {}{more}", flows.len(), named.join(", ")), "up to ")
    };
    // The smallest multiple of 0.1 MB, or of 1 kB, that is at least the product.
    let unit = if worst.bdp < 1e6 { 1e3 } else { 1e5 };
    let enough = Bytes::new(((worst.bdp / unit).ceil() * unit) as u64);
    let fix = if at_proxy {
        format!("write buffer = \"{enough}\" or more for the proxies")
    } else {
        format!("write a receive window of {enough} or more: tcp = {{ receive_window = \"{enough}\" }}")
    };
    format!(
        "{who} ({controller}): the receive window stopped the sender for {most}{:.0} % of the active time ({}). The \
        window is at most {}, but the bandwidth-delay product of the path is {} ({:.3} Mbit/s x {:.0} ms without \
        queues). To use the rate of the path, {fix}",
        100.0 * worst.share,
        in_words(worst.lasted),
        size(window.get() as f64),
        size(worst.bdp),
        worst.rate.mbit_per_s(),
        worst.rtt.millis_f64(),
    )
}
