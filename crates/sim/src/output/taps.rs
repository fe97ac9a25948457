// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows and summaries of the connections of programs outside the simulator, from the counts of their taps.
//!
//! A pair of taps is one flow of the plan, of kind "tap", with all packets between the taps. In the results, each
//! connection between the taps is a separate flow. These flows are numbered after the flows and parts of the plan, in
//! the order of their first packets.

use super::summary::losses;
use crate::state::State;
use engine::{Cause, Observer};
use hosts::meter::{DelaySum, Delays};
use hosts::{Connection, Counts, Key, Metered, Protocol};
use plan::Plan;
use record::summary::{FlowSummary, Verdicts};
use record::tables::{FlowRow, FlowTable};
use std::collections::BTreeMap;
use units::{Rate, Span, Time};

/// A connection, as both of its taps counted it.
struct Both<'a> {
    /// The counts of the tap whose host sent more payload.
    sender: Option<&'a Connection>,
    /// The counts of the other tap.
    receiver: Option<&'a Connection>,
    /// Number of the connection's flow in the plan.
    flow: usize,
    /// Whether the data travel from the flow's second site to its first site.
    is_back: bool,
    first: Time,
    key: Key,
}

impl Both<'_> {
    fn counts(&self) -> [Counts; 2] {
        [self.sender, self.receiver].map(|end| end.map(|end| end.counts).unwrap_or_default())
    }

    fn last(&self) -> Time {
        let ends = [self.sender, self.receiver].into_iter().flatten();
        ends.map(|end| end.last).max().unwrap_or_default()
    }

    fn name(&self) -> String {
        let Key { protocol, local, remote } = self.key;
        if matches!(protocol, Protocol::Tcp | Protocol::Udp) {
            return format!("{protocol} {local} > {remote}");
        }
        format!("{protocol} {} > {}", local.ip(), remote.ip())
    }
}

/// Returns all connections, in the order of their first packets.
fn connections<'a, E: Metered>(plan: &Plan, endpoints: &'a [E]) -> Vec<Both<'a>> {
    let mut all = Vec::new();
    for flow in 0..plan.whole {
        let Some((near, far)) = endpoints[2 * flow].tap().zip(endpoints[2 * flow + 1].tap()) else {
            continue;
        };
        let mut pairs: BTreeMap<Key, [Option<&Connection>; 2]> = BTreeMap::new();
        for one in near.connections().iter() {
            pairs.entry(one.key).or_default()[0] = Some(one);
        }
        for one in far.connections().iter() {
            pairs.entry(one.key.reversed()).or_default()[1] = Some(one);
        }
        for (key, ends) in pairs {
            let payload = ends.map(|end| end.map_or(0, |end| end.counts.sent_payload));
            // If both hosts sent the same payload, for example echoes, the host that started counts as the sender.
            let firsts = ends.map(|end| end.map_or(Time::MAX, |end| end.first));
            let is_back = payload[1] > payload[0] || payload[1] == payload[0] && firsts[1] < firsts[0];
            let [sender, receiver] = if is_back { [ends[1], ends[0]] } else { ends };
            let key = if is_back { key.reversed() } else { key };
            let first = firsts[0].min(firsts[1]);
            all.push(Both { sender, receiver, flow, is_back, first, key });
        }
    }
    all.sort_by_key(|one| (one.first, one.flow, one.key));
    all
}

/// The counters of a connection at the end of the last interval.
#[derive(Clone, Copy, Debug, Default, saved::Plain)]
struct Mark {
    counts: [Counts; 2],
    rtt: DelaySum,
    queueing: DelaySum,
    is_back: bool,
}

/// The counters of all connections, in the same order.
#[derive(Clone, Debug, Default, saved::Plain)]
pub struct Marks(Vec<Mark>);

impl Marks {
    /// Writes a row for each connection that had packets in the interval that ends now. `interval` is its length in
    /// seconds.
    pub fn sample<E: Metered, O: Observer<E::Body>>(
        &mut self,
        state: &State<E, O>,
        interval: f64,
        table: &mut FlowTable,
    ) {
        let State { plan, engine, .. } = state;
        let now = engine.now();
        let connections = connections(plan, engine.endpoints());
        self.0.resize(connections.len(), Mark::default());
        for ((number, one), mark) in connections.iter().enumerate().zip(&mut self.0) {
            let of = |end: Option<&Connection>, delays: fn(&Connection) -> &Delays| {
                end.map(|end| delays(end).count_and_sum()).unwrap_or_default()
            };
            let after = Mark {
                counts: one.counts(),
                rtt: of(one.sender, |end| &end.rtt),
                queueing: of(one.receiver, |end| &end.queueing),
                is_back: one.is_back,
            };
            if after.is_back != mark.is_back {
                // The other host has now sent more data, so the directions are swapped. This interval's row has no
                // rates.
                *mark = after;
            }
            let [sent, arrived] = after.counts;
            let [sent_before, arrived_before] = mark.counts;
            let packets = sent.sent_packets - sent_before.sent_packets;
            if packets == 0 && arrived.received_packets == arrived_before.received_packets {
                continue;
            }
            let lost = |cause: Cause| sent.dropped[cause as usize] - sent_before.dropped[cause as usize];
            let socket = one.sender.and_then(|sender| sender.socket.as_ref());
            let in_flight = one.sender.map_or(0, Connection::in_flight) as f64;
            let bytes = |after: u64, before: u64| (after - before) as f64 * 8e-6 / interval;
            table.push_row(&FlowRow {
                time_s: now.secs_f64(),
                flow: (plan.flows.len() + number) as u32,
                name: &one.name(),
                cwnd_segments: socket.map_or(0.0, |socket| socket.cwnd.into()),
                ssthresh_segments: socket.and_then(|socket| socket.ssthresh).map(f64::from),
                pacing_mbit_s: socket.and_then(|socket| socket.pacing).map(Rate::mbit_per_s),
                in_flight_segments: socket.map_or(in_flight, |socket| socket.in_flight.into()),
                srtt_ms: socket.map(|socket| socket.srtt.millis_f64()),
                rtt_ms: after.rtt.mean_ms_since(mark.rtt),
                propagation_rtt_ms: plan.propagation_rtt(&plan.flows[one.flow], now).map(Span::millis_f64),
                queueing_delay_ms: after.queueing.mean_ms_since(mark.queueing),
                goodput_mbit_s: bytes(arrived.delivered, arrived_before.delivered),
                throughput_mbit_s: bytes(sent.sent_bytes, sent_before.sent_bytes),
                sent_packets: packets,
                retransmitted_packets: sent.retransmitted - sent_before.retransmitted,
                lost_queue: lost(Cause::Queue),
                lost_error: lost(Cause::Error),
                lost_outage: Cause::OUTAGES.into_iter().map(lost).sum(),
                lost_policer: lost(Cause::Policer),
                lost_too_large: lost(Cause::TooLarge),
                phase: socket.map_or("", |socket| socket.phase),
            });
            *mark = after;
        }
    }
}

/// Returns the summaries of all connections. Rates cover the time from the first packet of a connection to its last.
pub fn summaries<E: Metered, O: Observer<E::Body>>(state: &State<E, O>) -> Vec<FlowSummary> {
    let State { plan, engine, .. } = state;
    let connections = connections(plan, engine.endpoints());
    connections
        .iter()
        .enumerate()
        .map(|(number, one)| summary(plan, plan.flows.len() + number, one))
        .collect()
}

fn summary(plan: &Plan, number: usize, one: &Both<'_>) -> FlowSummary {
    let [sent, arrived] = one.counts();
    let active_s = one.last().since(one.first).secs_f64();
    let rate = |bytes: u64| (active_s > 0.0).then(|| bytes as f64 * 8e-6 / active_s);
    let site = |site: u16| plan.site_names[usize::from(site)].clone();
    let pair = &plan.flows[one.flow];
    let (from, to) = if one.is_back { (pair.to, pair.from) } else { (pair.from, pair.to) };
    let lost = |cause: Cause| sent.dropped[cause as usize];
    let (one_way, variation, jitter) =
        one.receiver.map(|end| end.one_way.distributions()).unwrap_or_default();
    let socket = one.sender.and_then(|sender| sender.socket.as_ref());
    FlowSummary {
        flow: number as u32,
        name: one.name(),
        kind: one.key.protocol.to_string(),
        controller: socket.map(|socket| socket.controller.clone()),
        tcp: None,
        quic: None,
        from: site(from),
        to: site(to),
        start_s: one.first.secs_f64(),
        stop_s: None,
        completed_at_s: None,
        goodput_mbit_s: rate(arrived.delivered),
        throughput_mbit_s: rate(sent.sent_bytes),
        sent_packets: sent.sent_packets,
        delivered_packets: arrived.received_packets,
        delivery_ratio: (sent.sent_packets > 0)
            .then(|| arrived.received_packets as f64 / sent.sent_packets as f64),
        retransmitted_packets: sent.retransmitted,
        probe_packets: 0,
        losses: losses(lost),
        loss_ratio: None,
        outages: None,
        handovers: None,
        losses_detected: 0,
        timeouts: 0,
        cuts: 0,
        ecn_cuts: 0,
        marked_packets: arrived.marked,
        reported_marks: 0,
        spurious_undone: 0,
        verdicts: Verdicts::default(),
        rtt_ms: one.sender.and_then(|end| end.rtt.distribution()),
        queueing_delay_ms: one.receiver.and_then(|end| end.queueing.distribution()),
        one_way_delay_ms: one_way,
        delay_variation_ms: variation,
        jitter_ms: jitter,
        longest_recovery_s: None,
        longest_recovery_rtts: None,
        receiver_limited: false,
        app_limited_share: None,
        receiver_limited_share: None,
        saved_path: None,
        visits: None,
        call: None,
    }
}
