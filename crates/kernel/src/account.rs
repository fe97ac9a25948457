// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows and a summary of traced connections, from the reports of the kernel.
//!
//! The kernel of the sending host knows what was acknowledged, but neither where packets were dropped nor when they
//! arrived. Therefore losses by cause are 0, delays other than round trips are `null`, and goodput counts acknowledged
//! bytes ([`NOTE`]). Connections that sent no data are left out.

use crate::record::{Counters, Kind, Record, State};
use hdrhistogram::Histogram;
use record::Tables;
use record::summary::{Distribution, FlowSummary, Losses, Totals, Verdicts};
use record::tables::{EventRow, FlowRow};
use std::collections::BTreeMap;

/// The limits of a trace, for `path_notes` of the summary.
pub const NOTE: &str = "the trace contains only what the sending host sees: goodput counts acknowledged bytes, and the causes of losses \
     are unknown";
/// Name of the protocol in tables.
const TCP: &str = "tcp";
/// Significant digits of percentiles.
const DIGITS: u8 = 3;

/// Distribution of round-trip times in microseconds.
#[derive(Debug)]
struct RoundTrips {
    histogram: Histogram<u64>,
    sum_us: u64,
}

impl RoundTrips {
    fn new() -> Self {
        Self { histogram: Histogram::new(DIGITS).expect("three digits are possible"), sum_us: 0 }
    }

    fn add(&mut self, rtt_us: u32) {
        // The histogram grows. It fails only for values that 32 bits cannot have.
        self.histogram.record(rtt_us.into()).expect("below 2^32");
        self.sum_us += u64::from(rtt_us);
    }

    fn distribution(&self) -> Option<Distribution> {
        let samples = self.histogram.len();
        let percentile = |q: f64| self.histogram.value_at_quantile(q) as f64 / 1e3;
        (samples > 0).then(|| Distribution {
            samples,
            mean: self.sum_us as f64 / samples as f64 / 1e3,
            p5: percentile(0.05),
            p50: percentile(0.5),
            p95: percentile(0.95),
            p99: percentile(0.99),
            min: self.histogram.min() as f64 / 1e3,
            max: self.histogram.max() as f64 / 1e3,
        })
    }
}

/// A recovery: its duration, and its duration in round trips.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Recovery {
    seconds: f64,
    round_trips: Option<f64>,
}

/// A connection that sent data.
#[derive(Debug)]
struct Flow {
    /// The first report, from which counters are differences.
    first: Record,
    /// The newest report.
    last: Record,
    /// Counters at the end of the last interval.
    before: Counters,
    /// Sum in microseconds and number of the round-trip times in this interval.
    rtts: (u64, u64),
    round_trips: RoundTrips,
    state: State,
    /// Time at which the present recovery began, and the smoothed round trip at that time.
    recovery: Option<(u64, Option<u32>)>,
    longest: Recovery,
    timeouts: u64,
    cuts: u64,
    ecn_cuts: u64,
    is_closed: bool,
    /// Whether the row of the connection's last interval was written.
    is_over: bool,
}

const fn since(after: Counters, before: Counters) -> Counters {
    Counters {
        bytes_acked: after.bytes_acked - before.bytes_acked,
        bytes_sent: after.bytes_sent - before.bytes_sent,
        delivered: after.delivered.wrapping_sub(before.delivered),
        marked: after.marked.wrapping_sub(before.marked),
        lost: after.lost.wrapping_sub(before.lost),
        sent: after.sent.wrapping_sub(before.sent),
        retransmitted: after.retransmitted.wrapping_sub(before.retransmitted),
    }
}

fn milliseconds(us: Option<u32>) -> Option<f64> {
    us.map(|us| f64::from(us) / 1e3)
}

impl Flow {
    fn new(first: Record) -> Self {
        Self {
            first,
            last: first,
            before: first.counters,
            rtts: (0, 0),
            round_trips: RoundTrips::new(),
            state: State::Open,
            recovery: None,
            longest: Recovery::default(),
            timeouts: 0,
            cuts: 0,
            ecn_cuts: 0,
            is_closed: false,
            is_over: false,
        }
    }

    fn name(&self) -> String {
        format!("{TCP} {} > {}", self.first.local, self.first.remote)
    }

    /// Bytes on the wire.
    fn wire_bytes(&self, counters: Counters) -> u64 {
        counters.bytes_sent + u64::from(counters.sent) * u64::from(self.last.header_bytes)
    }

    fn add(&mut self, record: Record) {
        // A measurement is new if something was acknowledged.
        if let Some(rtt_us) = record.rtt_us
            && record.counters.delivered != self.last.counters.delivered
        {
            self.rtts = (self.rtts.0 + u64::from(rtt_us), self.rtts.1 + 1);
            self.round_trips.add(rtt_us);
        }
        self.last = record;
        match record.kind {
            Kind::Opened | Kind::Acked => {}
            Kind::Closed => {
                self.end_recovery(record.time_ns);
                self.is_closed = true;
            }
            Kind::State(state) => self.enter(state, &record),
        }
    }

    fn enter(&mut self, state: State, record: &Record) {
        if state.is_reduced() && state != self.state {
            // A timeout in a recovery reduces the window again.
            self.cuts += 1;
            self.ecn_cuts += u64::from(state == State::Cwr);
            self.timeouts += u64::from(state == State::Loss);
        }
        match state {
            State::Recovery | State::Loss => {
                self.recovery.get_or_insert((record.time_ns, record.srtt_us));
            }
            State::Open | State::Disorder | State::Cwr => self.end_recovery(record.time_ns),
        }
        self.state = state;
    }

    fn end_recovery(&mut self, now_ns: u64) {
        if let Some((began_ns, srtt_us)) = self.recovery.take() {
            let seconds = now_ns.saturating_sub(began_ns) as f64 / 1e9;
            if seconds > self.longest.seconds {
                let round_trips = srtt_us.map(|us| seconds / (f64::from(us) / 1e6));
                self.longest = Recovery { seconds, round_trips };
            }
        }
    }
}

/// The connections of a trace.
#[derive(Debug)]
pub struct Account {
    start_ns: u64,
    interval_ns: u64,
    /// End of the present interval.
    until_ns: u64,
    controller: String,
    tables: Tables,
    flows: Vec<Flow>,
    numbers: BTreeMap<u64, usize>,
    /// Connections that have not sent data yet.
    idle: BTreeMap<u64, Record>,
    records: u64,
}

impl Account {
    /// A trace that begins at a time on the monotonic clock. There is a row for each connection and interval.
    pub fn new(start_ns: u64, interval_ns: u64, controller: &str, tables: Tables) -> Self {
        Self {
            start_ns,
            interval_ns,
            until_ns: start_ns + interval_ns,
            controller: controller.to_owned(),
            tables,
            flows: Vec::new(),
            numbers: BTreeMap::new(),
            idle: BTreeMap::new(),
            records: 0,
        }
    }

    /// Number of reports so far.
    pub fn records(&self) -> u64 {
        self.records
    }

    fn seconds(&self, at_ns: u64) -> f64 {
        at_ns.saturating_sub(self.start_ns) as f64 / 1e9
    }

    /// Adds a report. Reports arrive in the order of their times.
    pub fn add(&mut self, record: Record) {
        self.advance(record.time_ns);
        self.records += 1;
        let number = if let Some(&number) = self.numbers.get(&record.connection) {
            number
        } else {
            if record.counters.sent == 0 {
                match record.kind {
                    Kind::Closed => drop(self.idle.remove(&record.connection)),
                    _ => drop(self.idle.entry(record.connection).or_insert(record)),
                }
                return;
            }
            let number = self.flows.len();
            let first = self.idle.remove(&record.connection).unwrap_or(record);
            self.numbers.insert(record.connection, number);
            self.flows.push(Flow::new(first));
            self.event(number, first.time_ns, "start", None, None);
            number
        };
        if self.flows[number].is_closed {
            return;
        }
        self.flows[number].add(record);
        match record.kind {
            Kind::State(state) => {
                let window = Some(f64::from(record.cwnd));
                match state {
                    State::Recovery => self.event(number, record.time_ns, "loss", window, None),
                    State::Loss => self.event(number, record.time_ns, "timeout", window, None),
                    State::Cwr => self.event(number, record.time_ns, "mark", window, None),
                    State::Open | State::Disorder => {}
                }
                self.event(number, record.time_ns, "phase", None, Some(state.name()));
            }
            Kind::Closed => self.event(number, record.time_ns, "stop", None, None),
            Kind::Opened | Kind::Acked => {}
        }
    }

    fn event(&mut self, flow: usize, at_ns: u64, event: &str, before: Option<f64>, detail: Option<&str>) {
        self.tables.events.push_row(&EventRow {
            time_s: at_ns.saturating_sub(self.start_ns) as f64 / 1e9,
            flow: Some(flow as u32),
            link: None,
            event,
            cause: None,
            verdict: None,
            before,
            after: None,
            detail,
        });
    }

    /// Writes the rows of all intervals that end until `now_ns`.
    pub fn advance(&mut self, now_ns: u64) {
        while self.until_ns <= now_ns {
            self.end_interval(self.until_ns, self.interval_ns as f64 / 1e9);
            self.until_ns += self.interval_ns;
        }
    }

    fn end_interval(&mut self, at_ns: u64, length_s: f64) {
        let time_s = self.seconds(at_ns);
        for (number, flow) in self.flows.iter_mut().enumerate().filter(|(_, flow)| !flow.is_over) {
            let (last, now) = (flow.last, flow.last.counters);
            let new = since(now, flow.before);
            let rate = |bytes: u64| bytes as f64 * 8e-6 / length_s;
            self.tables.flows.push_row(&FlowRow {
                time_s,
                flow: number as u32,
                name: &flow.name(),
                cwnd_segments: last.cwnd.into(),
                ssthresh_segments: last.ssthresh.map(f64::from),
                pacing_mbit_s: last.pacing_bytes_s.map(|bytes| bytes as f64 * 8e-6),
                in_flight_segments: last.in_flight.into(),
                srtt_ms: milliseconds(last.srtt_us),
                rtt_ms: (flow.rtts.1 > 0).then(|| flow.rtts.0 as f64 / flow.rtts.1 as f64 / 1e3),
                propagation_rtt_ms: None,
                queueing_delay_ms: None,
                goodput_mbit_s: rate(new.bytes_acked),
                throughput_mbit_s: rate(flow.wire_bytes(new)),
                sent_packets: new.sent.into(),
                retransmitted_packets: new.retransmitted.into(),
                lost_queue: 0,
                lost_error: 0,
                lost_outage: 0,
                lost_policer: 0,
                lost_too_large: 0,
                phase: flow.state.name(),
            });
            (flow.before, flow.rtts, flow.is_over) = (now, (0, 0), flow.is_closed);
        }
    }

    /// Ends the trace. Returns its tables, its duration in seconds, its flows and their totals.
    pub fn finish(mut self, end_ns: u64) -> (Tables, f64, Vec<FlowSummary>, Totals) {
        self.advance(end_ns);
        let rest_ns = end_ns.saturating_sub(self.until_ns - self.interval_ns);
        if rest_ns > 0 {
            self.end_interval(end_ns, rest_ns as f64 / 1e9);
        }
        for flow in &mut self.flows {
            flow.end_recovery(end_ns);
        }
        let duration_s = self.seconds(end_ns);
        let summaries: Vec<FlowSummary> =
            self.flows.iter().enumerate().map(|(number, flow)| self.summary(number, flow, end_ns)).collect();
        let totals = totals(&self.flows, &summaries, duration_s, self.records);
        (self.tables, duration_s, summaries, totals)
    }

    fn summary(&self, number: usize, flow: &Flow, end_ns: u64) -> FlowSummary {
        let counters = since(flow.last.counters, flow.first.counters);
        let end_ns = if flow.is_closed { flow.last.time_ns } else { end_ns };
        let active_s = end_ns.saturating_sub(flow.first.time_ns) as f64 / 1e9;
        let rate = |bytes: u64| (active_s > 0.0).then(|| bytes as f64 * 8e-6 / active_s);
        let (sent, delivered) = (u64::from(counters.sent), u64::from(counters.delivered));
        // The SYN counts as delivered.
        let delivered = delivered.min(sent);
        let has_recovered = flow.longest.seconds > 0.0;
        FlowSummary {
            flow: number as u32,
            name: flow.name(),
            kind: TCP.to_owned(),
            controller: Some(self.controller.clone()),
            tcp: None,
            quic: None,
            from: flow.first.local.ip().to_string(),
            to: flow.first.remote.ip().to_string(),
            start_s: self.seconds(flow.first.time_ns),
            stop_s: flow.is_closed.then(|| self.seconds(flow.last.time_ns)),
            completed_at_s: None,
            goodput_mbit_s: rate(counters.bytes_acked),
            throughput_mbit_s: rate(flow.wire_bytes(counters)),
            sent_packets: sent,
            delivered_packets: delivered,
            delivery_ratio: (sent > 0).then(|| delivered as f64 / sent as f64),
            retransmitted_packets: counters.retransmitted.into(),
            probe_packets: 0,
            losses: Losses::default(),
            loss_ratio: None,
            outages: None,
            handovers: None,
            losses_detected: counters.lost.into(),
            timeouts: flow.timeouts,
            cuts: flow.cuts,
            ecn_cuts: flow.ecn_cuts,
            marked_packets: counters.marked.into(),
            reported_marks: counters.marked.into(),
            spurious_undone: 0,
            verdicts: Verdicts::default(),
            rtt_ms: flow.round_trips.distribution(),
            queueing_delay_ms: None,
            one_way_delay_ms: None,
            delay_variation_ms: None,
            jitter_ms: None,
            longest_recovery_s: has_recovered.then_some(flow.longest.seconds),
            longest_recovery_rtts: flow.longest.round_trips,
            receiver_limited: false,
            receiver_limited_share: None,
            app_limited_share: None,
            saved_path: None,
            visits: None,
            call: None,
        }
    }
}

fn totals(flows: &[Flow], summaries: &[FlowSummary], duration_s: f64, records: u64) -> Totals {
    let mut bytes = (0, 0);
    for flow in flows {
        let counters = since(flow.last.counters, flow.first.counters);
        bytes = (bytes.0 + counters.bytes_acked, bytes.1 + flow.wire_bytes(counters));
    }
    let rate = |bytes: u64| (duration_s > 0.0 && !flows.is_empty()).then(|| bytes as f64 * 8e-6 / duration_s);
    let goodputs: Vec<f64> = summaries.iter().filter_map(|flow| flow.goodput_mbit_s).collect();
    let squares: f64 = goodputs.iter().map(|x| x * x).sum();
    Totals {
        delivered_mbit_s: rate(bytes.0),
        sent_mbit_s: rate(bytes.1),
        sent_packets: summaries.iter().map(|flow| flow.sent_packets).sum(),
        delivered_packets: summaries.iter().map(|flow| flow.delivered_packets).sum(),
        // Jain, Chiu, Hawe 1984: (sum x)^2 / (n sum x^2)
        jain_index: (squares > 0.0)
            .then(|| goodputs.iter().sum::<f64>().powi(2) / (goodputs.len() as f64 * squares)),
        events: records,
        ..Totals::default()
    }
}

#[cfg(test)]
mod tests;
