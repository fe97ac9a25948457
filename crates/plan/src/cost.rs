// SPDX-License-Identifier: MIT OR Apache-2.0
//! The cost of a run, estimated before the run from rates, durations and intervals; no packet is sent.
//!
//! - Every flow sends at the rate of its narrowest link. Shared links are divided by demand, and among TCP flows in
//!   proportion to one over the round trip. Chance losses bound a flow as they bound Reno (Mathis, Semke, Mahdavi, Ott
//!   1997: 1.22 segments per round trip over the square root of the loss probability), times two, because most
//!   controllers do better; controllers that do not respond to loss are not bounded.
//! - A packet costs work at its ends and on every link (a packet-hop). The path is the one at the start.
//! - A visit of an application sets up its connections and requests its answers: packets and work of its own
//!   (`visits.rs`). Visits that begin and are not served stay open, and take memory.
//! - Samples make a row per flow, per link that carries packets, and per number that a controller reports. One packet
//!   in twenty is taken to be lost or to make a controller act: a row of the events.
//! - A row takes little on the disk if it equals the row before: between two packets of a flow nothing changes.
//! - A captured packet takes a block where it leaves, and one where it arrives, of each host and link.
//! - A flow that proxies split is several connections, and the slowest sets the rate: each of its packets costs work at
//!   the ends of each of them, and at each proxy.
//! - Routes are computed at every step, over all satellites.
//!
//! The estimate ignores timeouts and slow starts. It is meant to tell seconds from hours: it is within a factor of
//! three.

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

/// CPU time of a packet at a link, in nanoseconds. With [`END_NS`] 66 on a dumbbell, and 135 with a thousand flows, by `make
/// bench` (benches/README.md, "By flows and by window"); builds that check their own assertions and busy machines take up
/// to four times that.
const HOP_NS: f64 = 40.0;
/// CPU time of a packet at its ends.
const END_NS: f64 = 40.0;
/// Additional CPU time of a packet at a proxy: its bytes move from one connection to the other.
const RELAY_NS: f64 = 200.0;
/// Additional CPU time of a packet of an application: its connection is short, and other connections evict its state
/// from the cache.
const APPLICATION_NS: f64 = 200.0;
/// CPU time of an answer: its request, its connection that is set up or reused, its place in the visit. Visits of 2 kB
/// to 200 kB at 100 Mbit/s take 6 to 13 µs on a machine on which a packet takes the times above, and objects of pages
/// about 3 µs (`benches/cost.py` measures so).
const ANSWER_NS: f64 = 7000.0;
/// CPU time of a row.
const ROW_NS: f64 = 200.0;
/// CPU time of a captured packet at a place: its block and its checksums.
const CAPTURED_NS: f64 = 1000.0;
/// CPU time before the first packet.
const START_S: f64 = 0.001;
/// Round trip of a path without length.
const LEAST_RTT_S: f64 = 1e-4;
/// Seconds that a packet may wait in a queue, roughly.
const QUEUE_S: f64 = 0.05;
/// Share of a link that responsive flows keep beside unresponsive ones.
const LEFT: f64 = 0.05;
/// Rounds of the division of a link's rate.
const ROUNDS: usize = 10;
/// Events per packet.
const EVENTS: f64 = 0.05;
/// CPU time of a satellite at a step of routes: its position, its links, its visit by the search.
const ROUTE_STEP_NS: f64 = 1200.0;
/// Bytes of a row in memory, of a flow (18 columns of up to 8 bytes) and of all others.
const FLOW_ROW_BYTES: f64 = 150.0;
/// Links, packets and paths have about half as many columns.
const ROW_BYTES: f64 = 80.0;
/// Most bytes that rows of flows, and of all others, take on their way into a folder: 65,536 rows of a table, and its
/// row group.
const STREAMED_BYTES: f64 = 50e6;
/// Bytes of a row on the disk if no other constant applies: most columns compress to a fraction.
const STORED_BYTES: f64 = 25.0;
/// For a sample of a flow, of a link, and of a number of a controller: if a packet arrived since the sample before, and
/// if none did. Measured with 100 CUBIC flows on 100 and on 10 Mbit/s, every 100 ms: 17.7 and 1.4 for flows, 3.5 and
/// 0.8 for numbers; with 50 flows every 1 ms: 1.1 and 0.4 for flows, 0.3 for numbers, 3.5 and 2.7 for links.
const STORED_SAMPLE_BYTES: Stored = Stored { flow: [12.0, 0.4], link: [5.0, 0.5], number: [2.5, 0.1] };
/// The time of a sample, in each of the tables of flows, links and numbers: measured 5.7 to 7.3 (one flow every microsecond).
const STORED_TIME_BYTES: f64 = 3.0 * 6.0;
/// For an event: measured 7.7 to 9.6.
const STORED_EVENT_BYTES: f64 = 9.0;
/// For a visit: measured 42 to 62.
const STORED_VISIT_BYTES: f64 = 45.0;
/// For a folder with hardly a row: its summary, and the metadata of tables.
const STORED_LEAST_BYTES: f64 = 30e3;
/// For a row of a packet, which repeats much of the row before.
const STORED_PACKET_BYTES: f64 = 8.0;
/// Bytes of a captured packet in addition to its kept part: its block (draft-ietf-opsawg-pcapng, section 4.3) with the
/// direction.
const BLOCK_BYTES: f64 = 44.0;
/// Headers of a packet of TCP over IPv4, with timestamps; IPv6 takes 20 more.
const HEADER_BYTES: f64 = 52.0;
/// Bytes of a packet in a qlog, with the changes that it causes.
const LOGGED_BYTES: f64 = 400.0;
/// Memory of a process before any run.
const BASE_BYTES: f64 = 60e6;
/// A packet in flight or queued (benches/README.md, "By flows and by window").
const PACKET_BYTES: f64 = 264.0;
/// One end of an open connection of an application: measured 4.7 kB with 200,000 whose SYN waits; a growing window of
/// more segments takes more.
const CONNECTION_BYTES: f64 = 4800.0;
/// One end of a QUIC connection: measured 50 kB, from the memory of 100 and of 400 idle connections after a request of
/// each. What a window needs is counted with its packets.
const QUIC_CONNECTION_BYTES: f64 = 50e3;
/// The path is the first one within this time.
const START: Span = Span::from_secs(1);
/// Number of links of a path that does not exist then.
const LINKS_UNKNOWN: usize = 6;
/// Rate of an unlimited path, bit/s.
const UNBOUNDED_BIT_S: f64 = 1e10;

/// Memory of one end of an open connection, in bytes.
pub const fn connection_bytes(is_quic: bool) -> f64 {
    if is_quic { QUIC_CONNECTION_BYTES } else { CONNECTION_BYTES }
}

/// Memory of a packet on the network, in bytes. A packet of QUIC has the bytes of its datagram, `datagram` at most.
pub fn packet_bytes(datagram: Option<u32>) -> f64 {
    PACKET_BYTES + f64::from(datagram.unwrap_or(0))
}

/// The estimated cost of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// Packets with data, echoes included.
    pub packets: f64,
    /// Acknowledgements and answers.
    pub answers: f64,
    /// Packets times links.
    pub hops: f64,
    /// Rows of all tables.
    pub rows: f64,
    /// Cost of writing them, in rows of the table of packets.
    pub written: f64,
    /// Satellites times steps of routes.
    pub looks: f64,
    /// Seconds of CPU time, without writing rows into a folder.
    pub cpu_s: f64,
    /// Bytes of memory, if rows stay in memory.
    pub kept_bytes: f64,
    /// Bytes of memory, if rows are streamed to a folder.
    pub streamed_bytes: f64,
    /// Packets written to captures and logs, counted at each place.
    pub captured: f64,
    /// Bytes of the run folder.
    pub disk_bytes: f64,
    /// Bytes of memory for open connections of applications and of QUIC flows.
    pub connection_bytes: f64,
}

/// Bytes of rows of samples on the disk: of a row that differs from the row before, and of a row that does not.
struct Stored {
    flow: [f64; 2],
    link: [f64; 2],
    number: [f64; 2],
}

/// Bytes of rows of samples on the disk, of which a share differs from the row before.
fn stored(rows: f64, share: f64, [new, same]: [f64; 2]) -> f64 {
    rows * (share * new + (1.0 - share) * same)
}

/// Flows of one entry on their path.
struct Stream<'a> {
    flow: &'a Flow,
    links: Vec<&'a Config>,
    /// The connections of each flow.
    lanes: Vec<Lane<'a>>,
    /// Bits that each sends over the run.
    bits: f64,
    /// Bits that each would send over the run on an unlimited network.
    asked_bits: f64,
    /// Its weight on shared links: one over the round trip in seconds.
    weight: f64,
    /// Bytes of a packet.
    packet: f64,
    /// Sending time.
    seconds: f64,
    /// Its round trip in seconds, without queues.
    rtt: f64,
}

/// Estimates the cost of a scenario.
///
/// # Errors
/// If its network cannot be laid out.
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
    // Bytes of packets on the network, and packets that proxies relay.
    let (mut in_network, mut relayed) = (0.0, 0.0);
    // Visits, answers in them, and packets with data of applications.
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
        // Both ends of each connection.
        let open = if matches!(stream.flow.kind, FlowKind::Quic { .. }) { 1.0 } else { own.open };
        cost.connection_bytes += 2.0 * connections * count * open * connection_bytes(quic.is_some());
        if matches!(stream.flow.kind, FlowKind::Application { .. }) {
            of_applications += connections * packets;
        }
        cost.packets += connections * packets;
        cost.answers += connections * answers;
        cost.hops += (packets + answers) * links;
        relayed += (connections - 1.0) * packets;
        in_network += packets / length * packet_bytes(quic.map(|config| config.largest_datagram));
    }
    // A flow that is split has a row, and one for each part.
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
    // Of a flow, the share of samples before which a packet was sent or received.
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
    // Rows that are not samples.
    let mut other_rows = 0.0;
    if scenario.record.interval.is_some() {
        other_rows += path_rows(&network, scenario, length);
        other_rows += (network.nodes.len() + network.links.len() + position_rows(&network, scenario)) as f64;
        if weathered {
            // Rain changes every second.
            other_rows += length * links;
        }
    }
    disk += other_rows * STORED_BYTES;
    other_rows += samples * links + shown;
    if scenario.record.events {
        // The end of a visit is an event, in addition to its own row.
        let events = EVENTS * cost.packets + visits;
        disk += events * STORED_EVENT_BYTES + visits * STORED_VISIT_BYTES;
        other_rows += events;
    } else {
        visits = 0.0;
    }
    let mut of_packets = 0.0;
    if let Some(window) = scenario.record.packets {
        // Each packet once for each link, and once on arrival.
        let part = window.to.since(window.from).secs_f64().min(length) / length;
        of_packets = part * (cost.hops + cost.packets + cost.answers);
        other_rows += of_packets;
    }
    cost.rows = flow_rows + visits + other_rows;
    cost.written = (flow_rows + visits) * FLOW_ROW_BYTES / ROW_BYTES + other_rows;
    cost.looks = looks(scenario, length);
    let (captured, bytes) = captured(scenario, &network, &sites, &streams);
    cost.captured = captured;
    cost.cpu_s = START_S
        + 1e-9
            * ((cost.packets + cost.answers) * END_NS
                + cost.hops * HOP_NS
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

/// The number of packets that are captured or logged, and their bytes on the disk.
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
            // One, or one for each part.
            let connections = 1 + scenario.proxies(flow, index).len();
            let mut places = if pcap.contains(&number) { [connections; 2] } else { [0; 2] };
            if at_links.contains(&number) {
                places[0] += ways[0] + of_host(["sender up", "receiver down"]);
                places[1] += ways[1] + of_host(["receiver up", "sender down"]);
            }
            // Each at both ends.
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

/// The network at the start, and whether links have budgets.
fn brief(scenario: &Scenario) -> Result<(Network, Vec<String>, bool), PlanError> {
    if matches!(scenario.network, NetworkChoice::Constellation { .. }) {
        let mut laid = open_network(scenario, Time::ZERO + START, None, &never)?;
        // Courses are known up to the end of the first page.
        for link in &mut laid.network.links {
            link.config.course = None;
        }
        return Ok((laid.network, laid.site_names, !laid.states.is_empty()));
    }
    let laid = lay_network(scenario, &never)?;
    Ok((laid.network, laid.site_names, !laid.states.is_empty()))
}

/// The links between two sites, at the first time at which there are any.
fn links(network: &Network, from: u16, to: u16) -> &[u32] {
    let pieces = network.path(from, network.address(from, to)).map_or(&[][..], |path| &path.pieces);
    pieces.iter().map(|piece| piece.links.as_slice()).find(|links| !links.is_empty()).unwrap_or_default()
}

fn path(network: &Network, from: u16, to: u16) -> Vec<&Config> {
    links(network, from, to).iter().map(|&link| &network.links[link as usize].config).collect()
}

/// Rate of the links between ground and satellites, bit/s; the faster of up and down.
fn ground(scenario: &Scenario) -> f64 {
    let NetworkChoice::Constellation { spec, .. } = &scenario.network else { return UNBOUNDED_BIT_S };
    let rates = [&spec.uplink, &spec.downlink].into_iter().filter_map(|link| link.rate);
    rates.map(|rate| rate.bits_per_s() as f64).reduce(f64::max).unwrap_or(UNBOUNDED_BIT_S)
}

/// A flow on its own; `ground` is the rate of its path if there is none at the start.
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

/// Demand of visits, bit/s, where the scenario has no explicit rate: at most the demand of users who think, and whose
/// visits take no time; videos are fetched at the highest rate.
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

/// Packets per second of Reno with these chance losses.
fn reno(spec: &LinkSpec, packet: f64, rtt: f64) -> f64 {
    let lost = |once: f64| spec.arq.map_or(once, |arq| arq.residual(once));
    let single = |once: f64| 1.22 / (rtt * lost(once).sqrt());
    match &spec.loss {
        // The effect of bursts depends on their length.
        Impairment::Bursts(_) | Impairment::Chain(_) if spec.arq.is_some() => f64::INFINITY,
        Impairment::None => f64::INFINITY,
        Impairment::PacketErrorRate(per) => single(*per),
        Impairment::BitErrorRate(ber) => single((ber * 8.0 * packet).min(1.0)),
        // The number of cuts per second is the number of bursts per second: that number over the packet rate is the
        // loss probability, solved for the rate.
        Impairment::Bursts(bursts) => (1.22 / rtt).powi(2) * bursts.bin.secs_f64() / bursts.to_bad,
        Impairment::Chain(chain) => match chain.onsets() {
            Onsets::PerPacket(begins) if begins > 0.0 => single(begins),
            Onsets::PerSecond(begin) if begin > 0.0 => (1.22 / rtt).powi(2) / begin,
            // It always loses, at varying rates.
            _ => single(chain.mean_loss()),
        },
    }
}

/// Rate of a link over the run in bit/s: the mean if it changes, at most the policer's rate.
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

/// For links that share a transmitter or a carrier: the first of them.
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

/// Divides links that flows share. Unresponsive flows get their demand; the others share the rest by demand and weight;
/// and no flow gets more than its demand.
fn share(streams: &mut [Stream<'_>], length: f64, sharers: &Sharers) {
    let whose = |link: &Config| *sharers.get(&std::ptr::from_ref(link)).unwrap_or(&std::ptr::from_ref(link));
    let mut served: Vec<bool> = streams
        .iter()
        .map(|stream| {
            matches!(stream.flow.kind, FlowKind::Cbr { .. } | FlowKind::Ping { .. } | FlowKind::Call(_))
        })
        .collect();
    for _ in 0..ROUNDS {
        // For each link: the bits assigned, and the weighted bits in demand.
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

/// Packets per acknowledgement. An echo is answered each time; a constant-bit-rate flow never; a call by its other
/// half.
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

/// Packets that a flow sends and receives over the run.
fn moves(stream: &Stream<'_>) -> f64 {
    stream.bits / 8.0 / stream.packet * (1.0 + 1.0 / per_answer(stream.flow))
}

/// Rows of paths: over satellites every second, including the first and the last; otherwise those of flows in both
/// directions, once if no delay changes.
fn path_rows(network: &Network, scenario: &Scenario, length: f64) -> f64 {
    let seconds = 1.0 + length.floor();
    if matches!(scenario.network, NetworkChoice::Constellation { .. }) {
        return network.paths.len() as f64 * seconds;
    }
    let stands = network.links.iter().all(|link| matches!(link.config.delay, Delay::Constant(_)));
    2.0 * scenario.flows.len() as f64 * if stands { 1.0 } else { seconds }
}

/// Links with a row in every sample: all of a plain network; in a constellation, both directions of the paths in use.
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

/// Number of satellites times steps of routes.
fn looks(scenario: &Scenario, length: f64) -> f64 {
    let NetworkChoice::Constellation { spec, .. } = &scenario.network else { return 0.0 };
    let step = match spec.route_times {
        RouteTimes::Steps => spec.route_step,
        // Computed every second, and to a millisecond at changes.
        RouteTimes::Events => Span::from_secs(1),
    };
    satellites(spec) * (1.0 + length / step.secs_f64())
}

fn satellites(spec: &ConstellationSpec) -> f64 {
    let shell = |orbits: &Orbits| match orbits {
        Orbits::Walker(walker) | Orbits::Elements { walker, .. } => walker.len() as f64,
        // Two or three lines of 70 characters each.
        Orbits::Catalogue { file, .. } => {
            std::fs::metadata(file).map_or(0.0, |data| data.len() as f64 / 168.0)
        }
    };
    spec.shells.iter().map(|one| shell(&one.orbits)).sum()
}

/// Texts for people.
impl Cost {
    /// An amount of bytes for people.
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
