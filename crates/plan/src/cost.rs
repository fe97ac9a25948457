// SPDX-License-Identifier: MIT OR Apache-2.0
//! Estimates the cost of a run before it starts, from rates, durations and intervals. The estimate simulates no
//! packets.
//!
//! - Every flow sends at the rate of its narrowest link. On a shared link, flows without congestion control receive
//!   their demand. The other flows share the rest in proportion to demand, and to the reciprocal of the round-trip
//!   time.
//! - Random loss limits a flow to twice the rate of Reno (Mathis, Semke, Mahdavi, Ott 1997: 1.22 segments per round
//!   trip over the square root of the loss probability). The factor is two because most controllers are faster than
//!   Reno. Controllers that do not respond to loss have no such limit.
//! - A packet costs CPU time at its ends and on every link (a packet-hop). The path is the one at the start of the run.
//! - A visit of an application sets up connections and requests answers, with additional packets and CPU time
//!   (`visits.rs`). Visits that start and are not served stay open, and need memory.
//! - A sample writes a row per flow, per link that carries packets, and per value that a controller reports. One packet
//!   in twenty is assumed to be lost or to change a controller's state, which writes a row of the table of events.
//! - A row needs little disk space if it equals the row before. Between two packets of a flow, its rows are equal.
//! - A captured packet is written once where it leaves and once where it arrives, at every captured host and link.
//! - If proxies split a flow, the flow consists of several connections. The slowest connection determines the rate.
//!   Each packet costs CPU time at the ends of every connection and at every proxy.
//! - Routes are computed at every route step, over all satellites.
//!
//! The estimate ignores timeouts and slow start. Its purpose is to distinguish seconds from hours. It is within a
//! factor of three.

use crate::lay::{lay_network, open_network};
use crate::positions::position_rows;
use crate::{PlanError, never};
use lanes::{Lane, lanes};
use link::{Config, Delay, Impairment, LinkSpec, Onsets, Service};
use scenario::{Flow, FlowKind, NetworkChoice, OnOff, QuicConfig, Scenario, TransportConfig, link_matches};
use std::collections::{BTreeMap, BTreeSet};
use tcp::{DelayedAck, Transfer};
use topology::{ConstellationSpec, Network, Orbits, RouteTimes};
use traffic::{Begin, Model};
use units::{Bytes, Span, Time};
use visits::Visits;

mod lanes;
mod visits;

/// CPU time of a packet on a link, in nanoseconds. Together with [`END_NS`], `make bench` measures 66 on a dumbbell,
/// and 135 with a thousand flows (benches/README.md, "By flows and by window"). Builds with assertions and busy
/// machines need up to four times as much.
const HOP_NS: f64 = 40.0;
/// CPU time of a packet at its two ends, in nanoseconds.
const END_NS: f64 = 40.0;
/// Additional CPU time of a QUIC packet or of its acknowledgement at both ends, in nanoseconds: encryption, frames and
/// loss detection of the library. Measured with one flow of CUBIC and of BBRv3 on 20 Mbit/s and 40 ms, on a machine on
/// which a packet takes the times above: 3670 and 3660 for a packet and half an acknowledgement, instead of 147 for
/// TCP. Without encryption (`keys = "null"`), 3140.
const QUIC_NS: f64 = 2350.0;
/// Additional CPU time of a packet at a proxy, in nanoseconds: its bytes move from one connection to the next.
const RELAY_NS: f64 = 200.0;
/// Additional CPU time of a packet of an application, in nanoseconds. Its connection is short, and other connections
/// evict its state from the CPU cache.
const APPLICATION_NS: f64 = 200.0;
/// CPU time of an answer, in nanoseconds: its request, the setup or reuse of its connection, and its part of the visit.
/// Measured with `benches/cost.py` on a machine on which a packet takes the times above: visits of 2 kB to 200 kB at
/// 100 Mbit/s take 6 to 13 µs, and objects of pages take about 3 µs.
const ANSWER_NS: f64 = 7000.0;
/// CPU time of a row, in nanoseconds.
const ROW_NS: f64 = 200.0;
/// CPU time of a captured packet at one place, in nanoseconds: its block in the file and its checksums.
const CAPTURED_NS: f64 = 1000.0;
/// CPU time before the first packet, in seconds.
const START_S: f64 = 0.001;
/// Smallest round-trip time of a path, in seconds.
const LEAST_RTT_S: f64 = 1e-4;
/// Rough waiting time of a packet in a queue, in seconds.
const QUEUE_S: f64 = 0.05;
/// Fraction of a link that responsive flows always receive, even if unresponsive flows fill the link.
const LEFT: f64 = 0.05;
/// Largest number of iterations when a link's rate is divided.
const ROUNDS: usize = 10;
/// Number of events per packet.
const EVENTS: f64 = 0.05;
/// CPU time of a satellite at a route step, in nanoseconds: its position, its links and the path search.
const ROUTE_STEP_NS: f64 = 1200.0;
/// Memory of a row of the table of flows (18 columns of up to 8 bytes), in bytes.
const FLOW_ROW_BYTES: f64 = 150.0;
/// Memory of any other row, in bytes. Links, packets and paths have about half as many columns.
const ROW_BYTES: f64 = 80.0;
/// Largest memory of rows that wait to be written to the folder, in bytes, for each of the two kinds of rows. It
/// consists of 65,536 rows of a table and its row group.
const STREAMED_BYTES: f64 = 50e6;
/// Disk space of a row for which no other constant applies, in bytes. Most columns compress well.
const STORED_BYTES: f64 = 25.0;
/// Disk space of a sample of a flow, of a link and of a controller's value, in bytes. The first value applies if a
/// packet arrived since the previous sample, and the second if no packet arrived. Measured with 100 CUBIC flows every
/// 100 ms: at 100 Mbit/s, 17.7 for flows and 3.5 for values; at 10 Mbit/s, 1.4 for flows and 0.8 for values. Measured
/// with 50 flows every 1 ms: 1.1 and 0.4 for flows, 0.3 for values, 3.5 and 2.7 for links.
const STORED_SAMPLE_BYTES: Stored = Stored { flow: [12.0, 0.4], link: [5.0, 0.5], number: [2.5, 0.1] };
/// Disk space of the time of a sample in the three tables of flows, links and values, in bytes. Measured: 5.7 to 7.3
/// per table (one flow, a sample every microsecond).
const STORED_TIME_BYTES: f64 = 3.0 * 6.0;
/// Disk space of an event, in bytes. Measured: 7.7 to 9.6.
const STORED_EVENT_BYTES: f64 = 9.0;
/// Disk space of a visit, in bytes. Measured: 42 to 62.
const STORED_VISIT_BYTES: f64 = 45.0;
/// Disk space of a folder with almost no rows, in bytes: its summary, and the metadata of tables.
const STORED_LEAST_BYTES: f64 = 30e3;
/// Disk space of a row of a packet, in bytes. It repeats much of the row before.
const STORED_PACKET_BYTES: f64 = 8.0;
/// Disk space of a captured packet in addition to its kept bytes, in bytes: its block (draft-ietf-opsawg-pcapng,
/// section 4.3) including the direction.
const BLOCK_BYTES: f64 = 44.0;
/// Length of the headers of TCP over IPv4 with timestamps, in bytes. With IPv6 they are 20 bytes longer.
const HEADER_BYTES: f64 = 52.0;
/// Disk space of a packet in a qlog with the changes that it causes, in bytes.
const LOGGED_BYTES: f64 = 400.0;
/// Memory of a process before any run, in bytes.
const BASE_BYTES: f64 = 60e6;
/// Memory of a packet in flight or in a queue, in bytes (benches/README.md, "By flows and by window").
const PACKET_BYTES: f64 = 264.0;
/// Memory of one end of an open connection of an application, in bytes. Measured: 4.7 kB, with 200,000 connections
/// whose SYN waits. A window of more segments needs more.
const CONNECTION_BYTES: f64 = 4800.0;
/// Memory of one end of a QUIC connection, in bytes. Measured: 50 kB, from 100 and from 400 idle connections that each
/// had one request. The memory of a window is part of the memory of its packets.
const QUIC_CONNECTION_BYTES: f64 = 50e3;
/// The estimate uses the first path that exists within this time.
const START: Span = Span::from_secs(1);
/// Assumed number of links if there is no path within this time.
const LINKS_UNKNOWN: usize = 6;
/// Assumed rate of a path without a rate limit, in bit/s.
const UNBOUNDED_BIT_S: f64 = 1e10;

/// Returns the memory of one end of an open connection, in bytes.
pub const fn connection_bytes(is_quic: bool) -> f64 {
    if is_quic { QUIC_CONNECTION_BYTES } else { CONNECTION_BYTES }
}

/// Returns the memory of a packet on the network, in bytes. A QUIC packet also needs the bytes of its datagram, of
/// which `datagram` is the largest size.
pub fn packet_bytes(datagram: Option<u32>) -> f64 {
    PACKET_BYTES + f64::from(datagram.unwrap_or(0))
}

/// Returns the terms of packets of visits, CPU time, memory and disk space as text, with the constants of the model.
pub fn terms() -> [(&'static str, String); 4] {
    let us = |ns: f64| ns / 1e3;
    let cpu = format!(
        "{END_NS} ns per packet + {HOP_NS} ns per packet and link + {} us per packet of QUIC + {RELAY_NS} ns per packet \
        and proxy + {APPLICATION_NS} ns per packet of an application + {} us per answer + {ROW_NS} ns per row + {} us \
        per satellite and route step + {} us per captured packet and place",
        us(QUIC_NS),
        us(ANSWER_NS),
        us(ROUTE_STEP_NS),
        us(CAPTURED_NS),
    );
    let memory = format!(
        "{FLOW_ROW_BYTES} bytes per row of a flow or a visit, {ROW_BYTES} per other row (with --out at most {} MB for \
        each), {PACKET_BYTES} per packet in flight, {CONNECTION_BYTES} per end of an open connection of an application \
        ({QUIC_CONNECTION_BYTES} with QUIC)",
        STREAMED_BYTES / 1e6,
    );
    let Stored { flow, link, number } = STORED_SAMPLE_BYTES;
    let disk = format!(
        "{} kB + {STORED_TIME_BYTES} bytes per sample, {} per sample of a flow, {} of a link, {} of a number (at most {} \
        if no packet arrived since the last sample), {STORED_VISIT_BYTES} per visit, {STORED_EVENT_BYTES} per event, \
        {STORED_PACKET_BYTES} per row of a packet, {STORED_BYTES} per other row, {BLOCK_BYTES} plus the kept bytes per \
        captured packet and place, {LOGGED_BYTES} per logged packet",
        STORED_LEAST_BYTES / 1e3,
        flow[0],
        link[0],
        number[0],
        flow[1].max(link[1]).max(number[1]),
    );
    [("visit", visits::terms()), ("cpu", cpu), ("memory", memory), ("disk", disk)]
}

/// The estimated cost of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// Number of packets with data, including echoes.
    pub packets: f64,
    /// Number of acknowledgements and echo replies.
    pub answers: f64,
    /// Number of packet-hops: packets times links.
    pub hops: f64,
    /// Number of rows of all tables.
    pub rows: f64,
    /// Cost of writing the rows, in rows of the table of packets.
    pub written: f64,
    /// Number of satellites times number of route steps.
    pub looks: f64,
    /// CPU time in seconds, without writing rows into a folder.
    pub cpu_s: f64,
    /// Memory in bytes if rows stay in memory.
    pub kept_bytes: f64,
    /// Memory in bytes if rows are written to a folder during the run.
    pub streamed_bytes: f64,
    /// Number of packets written to captures and logs. A packet counts once for each place.
    pub captured: f64,
    /// Size of the run folder in bytes.
    pub disk_bytes: f64,
    /// Memory of open connections of applications and of QUIC flows, in bytes.
    pub connection_bytes: f64,
}

/// Disk space of samples, in bytes: first of a row that differs from the row before, then of an equal row.
struct Stored {
    flow: [f64; 2],
    link: [f64; 2],
    number: [f64; 2],
}

/// Returns the disk space of samples in bytes. `share` is the fraction of rows that differ from the row before.
fn stored(rows: f64, share: f64, [new, same]: [f64; 2]) -> f64 {
    rows * (share * new + (1.0 - share) * same)
}

/// The flows of one entry of the scenario, on their path.
struct Stream<'a> {
    flow: &'a Flow,
    links: Vec<&'a Config>,
    /// The connections of each flow.
    lanes: Vec<Lane<'a>>,
    /// Number of bits that each flow sends over the run.
    bits: f64,
    /// Number of bits that each flow would send over the run on an unlimited network.
    asked_bits: f64,
    /// Weight of each flow on shared links: the reciprocal of its round-trip time with queues, in 1/s.
    weight: f64,
    /// Size of a packet in bytes.
    packet: f64,
    /// Time for which each flow sends, in seconds.
    seconds: f64,
    /// Round-trip time in seconds, without queues.
    rtt: f64,
}

/// Estimates the cost of a scenario.
///
/// # Errors
/// If the network of the scenario cannot be computed.
pub fn cost(scenario: &Scenario) -> Result<Cost, PlanError> {
    let (network, sites, weathered) = brief(scenario)?;
    let site = |name: &str| sites.iter().position(|site| site == name).unwrap_or_default() as u16;
    let length = scenario.duration.secs_f64();
    let ground = ground(scenario);
    let streams = scenario.flows.iter().map(|flow| {
        let links = path(&network, site(&flow.from), site(&flow.to));
        stream(flow, links, lanes(scenario, flow, &network, site), length, ground)
    });
    let mut streams: Vec<_> = streams.collect();
    share(&mut streams, length, &sharers(&network));
    let mut cost = Cost::default();
    // Bytes of packets on the network, number of packets that proxies relay, and number of packets of QUIC.
    let (mut in_network, mut relayed, mut of_quic) = (0.0, 0.0, 0.0);
    // Numbers of visits, of answers in these visits, and of data packets of applications.
    let (mut visits, mut asked, mut of_applications) = (0.0, 0.0, 0.0);
    for stream in &streams {
        let count = f64::from(stream.flow.count);
        let hosts = if stream.flow.access.is_some() { 2 } else { 0 };
        let links = if stream.links.is_empty() { LINKS_UNKNOWN } else { stream.links.len() };
        let links = (links + hosts) as f64;
        let own = Visits::of(stream);
        let packets = count * (stream.bits / 8.0 / stream.packet + own.last_packets());
        let answers = packets / per_answer(stream.flow) + count * own.other_packets();
        let (connections, quic) = (stream.lanes.len() as f64, stream.flow.kind.quic());
        visits += count * own.begun;
        asked += connections * count * own.answers;
        // A connection has two ends.
        let open = if matches!(stream.flow.kind, FlowKind::Quic { .. }) { 1.0 } else { own.open };
        cost.connection_bytes += 2.0 * connections * count * open * connection_bytes(quic.is_some());
        let is_application = matches!(stream.flow.kind, FlowKind::Application { .. });
        of_applications += f64::from(is_application) * connections * packets;
        of_quic += f64::from(quic.is_some()) * connections * (packets + answers);
        cost.packets += connections * packets;
        cost.answers += connections * answers;
        cost.hops += (packets + answers) * links;
        relayed += (connections - 1.0) * packets;
        in_network += packets / length * packet_bytes(quic.map(|config| config.largest_datagram));
    }
    // A split flow has one row, and one more for each of its parts.
    let rows_of = |stream: &Stream<'_>| match stream.lanes.len() {
        1 => 1.0,
        parts => 1.0 + parts as f64,
    };
    let shown = |stream: &Stream<'_>| stream.lanes.iter().map(Lane::shown).sum::<usize>() as f64;
    let sum = |of: &dyn Fn(&Stream<'_>) -> f64| {
        streams.iter().map(|stream| f64::from(stream.flow.count) * of(stream)).sum::<f64>()
    };
    let samples = scenario.record.interval.map_or(0.0, |every| length / every.secs_f64());
    let flow_rows = samples * sum(&rows_of);
    let links = carrying(&network, &streams);
    // The fraction of a flow's samples before which a packet was sent or received.
    let moved = |stream: &Stream<'_>| (moves(stream) / samples.max(1.0)).min(1.0);
    let moved_rows = samples * sum(&|stream| rows_of(stream) * moved(stream));
    let moved_shown = samples * sum(&|stream| shown(stream) * moved(stream));
    let shown = samples * sum(&shown);
    let moved_links = (cost.hops / (links * samples).max(1.0)).min(1.0);
    let share = |some: f64, all: f64| if all > 0.0 { some / all } else { 0.0 };
    let mut disk = samples * STORED_TIME_BYTES
        + stored(flow_rows, share(moved_rows, flow_rows), STORED_SAMPLE_BYTES.flow)
        + stored(shown, share(moved_shown, shown), STORED_SAMPLE_BYTES.number)
        + stored(samples * links, moved_links, STORED_SAMPLE_BYTES.link);
    // Number of rows that are not samples of flows.
    let mut other_rows = 0.0;
    if scenario.record.interval.is_some() {
        other_rows += path_rows(&network, scenario, length);
        other_rows += (network.nodes.len() + network.links.len() + position_rows(&network, scenario)) as f64;
        if weathered {
            // The rain changes every second.
            other_rows += length * links;
        }
    }
    disk += other_rows * STORED_BYTES;
    other_rows += samples * links + shown;
    if scenario.record.events {
        // The end of a visit is an event, and also has a row in the table of visits.
        let events = EVENTS * cost.packets + visits;
        disk += events * STORED_EVENT_BYTES + visits * STORED_VISIT_BYTES;
        other_rows += events;
    } else {
        visits = 0.0;
    }
    let of_packets = packet_rows(scenario, &cost, length);
    other_rows += of_packets;
    cost.rows = flow_rows + visits + other_rows;
    cost.written = (flow_rows + visits) * FLOW_ROW_BYTES / ROW_BYTES + other_rows;
    cost.looks = looks(scenario, length);
    let (captured, bytes) = captured(scenario, &network, &sites, &streams);
    cost.captured = captured;
    cost.cpu_s = START_S
        + 1e-9
            * ((cost.packets + cost.answers) * END_NS
                + cost.hops * HOP_NS
                + of_quic * QUIC_NS
                + relayed * RELAY_NS
                + of_applications * APPLICATION_NS
                + asked * ANSWER_NS
                + cost.rows * ROW_NS
                + captured * CAPTURED_NS
                + cost.looks * ROUTE_STEP_NS);
    let rows = [flow_rows * FLOW_ROW_BYTES, visits * FLOW_ROW_BYTES, other_rows * ROW_BYTES];
    let rest = BASE_BYTES + in_network + cost.connection_bytes;
    cost.kept_bytes = rest + rows.iter().sum::<f64>();
    cost.streamed_bytes = rest + rows.iter().map(|bytes| bytes.min(STREAMED_BYTES)).sum::<f64>();
    cost.disk_bytes = STORED_LEAST_BYTES + disk + of_packets * STORED_PACKET_BYTES + bytes;
    Ok(cost)
}

/// Returns the number of rows of packets: each packet has one row per link, and one row on arrival.
fn packet_rows(scenario: &Scenario, cost: &Cost, length: f64) -> f64 {
    let Some(window) = scenario.record.packets else { return 0.0 };
    let part = window.to.since(window.from).secs_f64().min(length) / length;
    part * (cost.hops + cost.packets + cost.answers)
}

/// Returns the number of packets that are captured or logged, and their disk space in bytes.
fn captured(scenario: &Scenario, network: &Network, sites: &[String], streams: &[Stream<'_>]) -> (f64, f64) {
    let chosen = &scenario.record.capture;
    if chosen.is_empty() {
        return (0.0, 0.0);
    }
    let flows = &scenario.flows;
    let (pcap, at_links, qlog) = (chosen.pcap(flows), chosen.at_links(flows), chosen.qlog(flows));
    let wanted = |link: &str| chosen.pcap_links.iter().any(|pattern| link_matches(pattern, link));
    let site = |name: &str| sites.iter().position(|site| site == name).unwrap_or_default() as u16;
    let headers = HEADER_BYTES + if chosen.ipv6 { 20.0 } else { 0.0 };
    let snap = chosen.snap.map(|snap| snap.get() as f64);
    let block = |packet: f64| BLOCK_BYTES + snap.map_or(headers, |snap| snap.min(packet));
    let (mut count, mut bytes) = (0.0, 0.0);
    let mut number = 0;
    for stream in streams {
        let flow = stream.flow;
        let on = |from: &str, to: &str| {
            let links = links(network, site(from), site(to)).iter();
            links.filter(|&&link| wanted(&network.links[link as usize].name)).count()
        };
        let ways =
            if at_links.is_empty() { [0, 0] } else { [on(&flow.from, &flow.to), on(&flow.to, &flow.from)] };
        let packets = stream.bits / 8.0 / stream.packet;
        let answers = packets / per_answer(flow);
        for index in 0..flow.count {
            let of_host = |ends: [&str; 2]| {
                let name = flow.name_of(index);
                let there = |end: &&str| flow.access.is_some() && wanted(&format!("{name} {end}"));
                ends.iter().filter(|end| there(end)).count()
            };
            // The number of connections: one, or one for each part.
            let connections = 1 + scenario.proxies(flow, index).len();
            let mut places = if pcap.contains(&number) { [connections; 2] } else { [0; 2] };
            if at_links.contains(&number) {
                places[0] += ways[0] + of_host(["sender up", "receiver down"]);
                places[1] += ways[1] + of_host(["receiver up", "sender down"]);
            }
            // Each place is captured at both ends.
            let [there, back] = places.map(|places| 2.0 * places as f64);
            count += there * packets + back * answers;
            bytes += there * packets * block(stream.packet) + back * answers * block(headers);
            if qlog.contains(&number) {
                let logged = connections as f64 * (packets + answers);
                count += logged;
                bytes += logged * LOGGED_BYTES;
            }
            number += 1;
        }
    }
    (count, bytes)
}

/// Computes the start of the network. Returns the network, the names of its sites, and whether links have budgets.
fn brief(scenario: &Scenario) -> Result<(Network, Vec<String>, bool), PlanError> {
    if matches!(scenario.network, NetworkChoice::Constellation { .. }) {
        let mut laid = open_network(scenario, Time::ZERO + START, None, &never)?;
        // The courses end with the first page.
        for link in &mut laid.network.links {
            link.config.course = None;
        }
        return Ok((laid.network, laid.site_names, !laid.states.is_empty()));
    }
    let laid = lay_network(scenario, &never)?;
    Ok((laid.network, laid.site_names, !laid.states.is_empty()))
}

/// Returns the links between two sites, at the first time at which a path exists.
fn links(network: &Network, from: u16, to: u16) -> &[u32] {
    let pieces = network.path(from, network.address(from, to)).map_or(&[][..], |path| &path.pieces);
    pieces.iter().map(|piece| piece.links.as_slice()).find(|links| !links.is_empty()).unwrap_or_default()
}

fn path(network: &Network, from: u16, to: u16) -> Vec<&Config> {
    links(network, from, to).iter().map(|&link| &network.links[link as usize].config).collect()
}

/// Returns the rate of the links between ground and satellites in bit/s: the higher of uplink and downlink.
fn ground(scenario: &Scenario) -> f64 {
    let NetworkChoice::Constellation { spec, .. } = &scenario.network else { return UNBOUNDED_BIT_S };
    let rates = [&spec.uplink, &spec.downlink].into_iter().filter_map(|link| link.rate);
    rates.map(|rate| rate.bits_per_s() as f64).reduce(f64::max).unwrap_or(UNBOUNDED_BIT_S)
}

/// Returns the flows of an entry without regard to other flows. `ground` is the rate of the path if no path exists at
/// the start.
fn stream<'a>(
    flow: &'a Flow,
    links: Vec<&'a Config>,
    lanes: Vec<Lane<'a>>,
    length: f64,
    ground: f64,
) -> Stream<'a> {
    let end = flow.stop.map_or(length, |stop| stop.secs_f64().min(length));
    let start = flow.start.secs_f64() + flow.stagger.secs_f64() * f64::from(flow.count - 1) / 2.0;
    let seconds = (end - start).max(0.0);
    let access = flow.access.as_ref();
    let rtt = lanes.iter().map(|lane| lane.rtt).fold(0.0, f64::max);
    let narrowest =
        access.and_then(|access| access.link.rate).map_or(UNBOUNDED_BIT_S, |rate| rate.bits_per_s() as f64);
    let packet = flow.kind.packet().get() as f64;
    let bit_s = match &flow.kind {
        FlowKind::Cbr { rate, packet, on_off } => {
            let in_periods = |periods: &OnOff| periods.mean_bits_per_s(*rate, *packet);
            on_off.as_ref().map_or(rate.bits_per_s() as f64, in_periods)
        }
        FlowKind::Ping { interval, .. } => 8.0 * packet / interval.secs_f64(),
        FlowKind::Application { begin, model, .. } => {
            let asked = flow.demand().map_or_else(|| users_ask(begin, model), |(_, asked)| asked);
            narrowest.min(asked)
        }
        FlowKind::Call(call) => call.there.load().1,
        FlowKind::Tap { .. } => UNBOUNDED_BIT_S,
        FlowKind::Tcp { .. } | FlowKind::Quic { .. } => {
            let slowest = lanes.iter().map(|lane| lane.bit_s(packet));
            slowest.fold(narrowest, f64::min)
        }
    };
    let unknown = if links.is_empty() { ground } else { UNBOUNDED_BIT_S };
    let least = links.iter().map(|&link| rate(link, length)).fold(unknown, f64::min);
    let mut bits = seconds * bit_s.min(least);
    if let FlowKind::Tcp { transfer: Transfer::Finite(size), .. }
    | FlowKind::Quic { transfer: Transfer::Finite(size), .. } = &flow.kind
    {
        bits = bits.min(8.0 * size.get() as f64);
    }
    if let FlowKind::Tcp { config, .. } = &flow.kind
        && let Some(trickle) = config.trickle
    {
        let slow = trickle.lasts.secs_f64().min((seconds - trickle.begins.secs_f64()).max(0.0));
        let headers = packet / f64::from(config.mss);
        let written = trickle.rate.bits_per_s() as f64 * headers * slow;
        bits = bits.min(written + (seconds - slow) * bit_s.min(least));
    }
    let asked_bits = seconds * bit_s;
    Stream { flow, links, lanes, bits, asked_bits, weight: 1.0 / (rtt + QUEUE_S), packet, seconds, rtt }
}

/// Returns the demand of visits in bit/s if the scenario has no explicit rate. It is an upper bound: users think, and
/// their visits take no time. Videos are fetched at the highest rate.
fn users_ask(begin: &Begin, model: &Model) -> f64 {
    let (bytes, lasts_s) = match model {
        Model::Secured { inner, .. } => return users_ask(begin, inner),
        Model::Film(film) => {
            let length_s = film.length.mean().unwrap_or(f64::INFINITY);
            let rate = film.ladder.last().map_or(0.0, |rate| rate.bytes_per_s());
            (length_s * rate, length_s)
        }
        _ => (model.mean_bytes().unwrap_or(f64::INFINITY), 0.0),
    };
    let bit_s = match begin {
        Begin::Open(arrivals) => 8.0 * bytes * arrivals.mean_per_s().unwrap_or(f64::INFINITY),
        Begin::Closed { users, think } => {
            8.0 * bytes * f64::from(*users) / (lasts_s + think.mean().unwrap_or_default()).max(LEAST_RTT_S)
        }
    };
    if bit_s.is_finite() { bit_s } else { UNBOUNDED_BIT_S }
}

/// Returns the number of packets per second of Reno with the random loss of this link.
fn reno(spec: &LinkSpec, packet: f64, rtt: f64) -> f64 {
    let lost = |once: f64| spec.arq.map_or(once, |arq| arq.residual(once));
    let single = |once: f64| 1.22 / (rtt * lost(once).sqrt());
    match &spec.loss {
        // The effect of loss bursts depends on their length.
        Impairment::Bursts(_) | Impairment::Chain(_) if spec.arq.is_some() => f64::INFINITY,
        Impairment::None => f64::INFINITY,
        Impairment::PacketErrorRate(per) => single(*per),
        Impairment::BitErrorRate(ber) => single((ber * 8.0 * packet).min(1.0)),
        // The number of window reductions per second equals the number of bursts per second. Divided by the packet
        // rate, it is the loss probability. The expression is solved for the packet rate.
        Impairment::Bursts(bursts) => (1.22 / rtt).powi(2) * bursts.bin.secs_f64() / bursts.to_bad,
        Impairment::Chain(chain) => match chain.onsets() {
            Onsets::PerPacket(begins) if begins > 0.0 => single(begins),
            Onsets::PerSecond(begin) if begin > 0.0 => (1.22 / rtt).powi(2) / begin,
            // The chain loses packets in all states, with different probabilities.
            _ => single(chain.mean_loss()),
        },
    }
}

/// Returns the rate of a link over the run in bit/s. If the rate changes, this is the mean. A policer limits the
/// result.
fn rate(config: &Config, length: f64) -> f64 {
    let service = config.course.as_ref().and_then(|course| course.service.as_ref());
    let policed = config.spec.policer.map_or(f64::INFINITY, |policer| policer.rate.bits_per_s() as f64);
    policed.min(match (service, config.spec.rate) {
        (Some(Service::Schedule(schedule)), _) => {
            schedule.bits_until(Time::ZERO + Span::from_nanos((length * 1e9) as u64)) as f64 / length
        }
        (_, Some(rate)) => rate.bits_per_s() as f64,
        (_, None) => f64::INFINITY,
    })
}

/// For each link that shares a transmitter or a carrier: the first link that shares it.
type Sharers = BTreeMap<*const Config, *const Config>;

fn sharers(network: &Network) -> Sharers {
    let (mut transmitters, mut carriers) = (BTreeMap::new(), BTreeMap::new());
    let first = |link: &topology::LinkPlan| {
        let config = std::ptr::from_ref(&link.config);
        let first = match (&link.turn, link.config.spec.dama.and_then(|dama| dama.carrier)) {
            (Some(turn), _) => *transmitters.entry(turn.transmitter).or_insert(config),
            (None, Some(carrier)) => *carriers.entry(carrier).or_insert(config),
            (None, None) => return None,
        };
        Some((config, first))
    };
    network.links.iter().filter_map(first).collect()
}

/// Divides the rates of links that flows share. Unresponsive flows receive their demand. The other flows share the rest
/// in proportion to demand and weight. No flow receives more than its demand.
fn share(streams: &mut [Stream<'_>], length: f64, sharers: &Sharers) {
    let whose = |link: &Config| *sharers.get(&std::ptr::from_ref(link)).unwrap_or(&std::ptr::from_ref(link));
    let mut served: Vec<bool> = streams
        .iter()
        .map(|stream| {
            matches!(stream.flow.kind, FlowKind::Cbr { .. } | FlowKind::Ping { .. } | FlowKind::Call(_))
        })
        .collect();
    for _ in 0..ROUNDS {
        // For each link: the assigned bits, and the requested bits times their weights.
        let mut asked: BTreeMap<*const Config, (f64, f64)> = BTreeMap::new();
        for (stream, served) in streams.iter().zip(&served) {
            let bits = f64::from(stream.flow.count) * stream.bits;
            for &link in &stream.links {
                let (given, weighed) = asked.entry(whose(link)).or_default();
                *(if *served { &mut *given } else { &mut *weighed }) +=
                    if *served { bits } else { bits * stream.weight };
            }
        }
        let part = |stream: &Stream<'_>| {
            let of = |&link: &&Config| {
                let there = rate(link, length) * length;
                let (given, weighed) = asked[&whose(link)];
                stream.weight * (there - given).max(LEFT * there) / weighed
            };
            stream.links.iter().map(of).fold(1.0, f64::min)
        };
        let parts: Vec<f64> = streams.iter().map(part).collect();
        let content = |number: usize| !served[number] && parts[number] >= 1.0;
        let more: Vec<usize> = (0..streams.len()).filter(|&number| content(number)).collect();
        if more.is_empty() {
            for ((stream, part), _) in
                streams.iter_mut().zip(parts).zip(&served).filter(|(_, served)| !**served)
            {
                stream.bits *= part;
            }
            return;
        }
        for number in more {
            served[number] = true;
        }
    }
}

/// Returns the number of packets per acknowledgement. Each echo has one answer. A flow at a constant bit rate has none.
/// For a call, the other direction counts as answers.
fn per_answer(flow: &Flow) -> f64 {
    let every = |config: &tcp::Config| match config.delayed_ack {
        None => 1.0,
        Some(DelayedAck::Every { segments, .. }) => f64::from(segments),
        Some(DelayedAck::Linux) => 2.0,
    };
    let requested = |config: &QuicConfig| config.ack_frequency.map_or(2.0, |rule| f64::from(rule.every));
    match &flow.kind {
        FlowKind::Cbr { .. } => f64::INFINITY,
        FlowKind::Ping { .. } | FlowKind::Tap { .. } => 1.0,
        // The other direction of the call counts as answers.
        FlowKind::Call(call) => call.there.load().0 / call.back.load().0,
        FlowKind::Tcp { config, .. }
        | FlowKind::Application { transport: TransportConfig::Tcp(config), .. } => every(config),
        FlowKind::Quic { config, .. }
        | FlowKind::Application { transport: TransportConfig::Quic(config), .. } => requested(config),
    }
}

/// Returns the number of packets that a flow sends and receives over the run.
fn moves(stream: &Stream<'_>) -> f64 {
    stream.bits / 8.0 / stream.packet * (1.0 + 1.0 / per_answer(stream.flow))
}

/// Returns the number of rows of paths. With satellites, each path has a row every second, including the first and the
/// last second. Otherwise, each path of a flow has one row per direction if no delay changes.
fn path_rows(network: &Network, scenario: &Scenario, length: f64) -> f64 {
    let seconds = 1.0 + length.floor();
    if matches!(scenario.network, NetworkChoice::Constellation { .. }) {
        return network.paths.len() as f64 * seconds;
    }
    let stands = network.links.iter().all(|link| matches!(link.config.delay, Delay::Constant(_)));
    2.0 * scenario.flows.len() as f64 * if stands { 1.0 } else { seconds }
}

/// Returns the number of links with a row in every sample. In a plain network, these are all links. In a constellation,
/// these are the links of paths in use, in both directions.
fn carrying(network: &Network, streams: &[Stream<'_>]) -> f64 {
    let hosts: f64 = streams
        .iter()
        .filter(|one| one.flow.access.is_some())
        .map(|one| 4.0 * f64::from(one.flow.count))
        .sum();
    if network.nodes.iter().all(|node| node.kind != topology::NodeKind::Satellite) {
        return network.links.len() as f64 + hosts;
    }
    let used: BTreeSet<*const Config> =
        streams.iter().flat_map(|one| one.links.iter().map(|&link| std::ptr::from_ref(link))).collect();
    let unknown: usize = streams.iter().filter(|one| one.links.is_empty()).map(|_| LINKS_UNKNOWN).sum();
    2.0 * (used.len() + unknown) as f64 + hosts
}

/// Returns the number of satellites times the number of route steps.
fn looks(scenario: &Scenario, length: f64) -> f64 {
    let NetworkChoice::Constellation { spec, .. } = &scenario.network else { return 0.0 };
    let step = match spec.route_times {
        RouteTimes::Steps => spec.route_step,
        // Routes are computed every second, and to a millisecond at changes.
        RouteTimes::Events => Span::from_secs(1),
    };
    satellites(spec) * (1.0 + length / step.secs_f64())
}

fn satellites(spec: &ConstellationSpec) -> f64 {
    let shell = |orbits: &Orbits| match orbits {
        Orbits::Walker(walker) | Orbits::Elements { walker, .. } => walker.len() as f64,
        // Each satellite has two or three lines of 70 characters.
        Orbits::Catalogue { file, .. } => {
            std::fs::metadata(file).map_or(0.0, |data| data.len() as f64 / 168.0)
        }
    };
    spec.shells.iter().map(|one| shell(&one.orbits)).sum()
}

/// Texts for users.
impl Cost {
    /// Returns an amount of bytes as text for users.
    pub fn bytes(amount: f64) -> String {
        let unit = [(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")]
            .into_iter()
            .find(|(size, _)| amount >= *size);
        unit.map_or_else(
            || Bytes::new(amount as u64).to_string(),
            |(size, name)| format!("{:.1} {name}", amount / size),
        )
    }
}
