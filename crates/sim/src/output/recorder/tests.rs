// SPDX-License-Identifier: MIT OR Apache-2.0
//! A transport other than TCP fills the same columns.

use super::*;
use crate::output::summary::{Baseline, draw_up};
use crate::transmitters::Shared;
use control::{PathChange, SavedPath};
use engine::{Attachment, Body, Endpoint, Engine, Forwarding, NoObserver};
use hosts::{Received, SourceTotals, TransportState};
use scenario::Scenario;
use std::collections::BTreeMap;

/// A packet of the transport, which is not a TCP segment.
#[derive(Debug)]
struct Frame;

impl Body for Frame {
    fn warn(&mut self) {}
    fn is_low_priority(&self) -> bool {
        false
    }
}

/// Both ends of a connection that sent and received everything at 100 ms.
#[derive(Debug, Default)]
struct Quic {
    worked: bool,
    rtt: Delays,
    queueing: Delays,
}

impl Endpoint for Quic {
    type Body = Frame;
    fn handle(&mut self, _now: Time, _packet: Packet<Frame>) {}
    fn handle_timeout(&mut self, _now: Time) {
        self.worked = true;
        self.rtt.add(Span::from_millis(41));
        self.rtt.add(Span::from_millis(43));
        self.queueing.add(Span::from_millis(2));
    }
    fn poll_transmit(&mut self, _now: Time) -> Option<(Frame, u16)> {
        None
    }
    fn next_timeout(&self) -> Time {
        if self.worked { Time::MAX } else { ms(100) }
    }
    fn path_changed(&mut self, _change: &PathChange) {}
    fn dropped(&mut self, _now: Time, _packet: Packet<Frame>, _cause: Cause) {}
}

impl Metered for Quic {
    fn totals(&self) -> SourceTotals {
        let done = SourceTotals {
            sent_packets: 20,
            sent_bytes: 25_000,
            retransmitted: 1,
            ..SourceTotals::default()
        };
        if self.worked {
            SourceTotals { dropped: [1, 2, 0, 1, 1, 1, 3, 0], cuts: 4, ..done }
        } else {
            SourceTotals::default()
        }
    }
    fn received(&self) -> Received {
        if !self.worked {
            return Received::default();
        }
        Received {
            packets: 7,
            marked: 0,
            delivered: Bytes::new(10_000),
            last_arrival: ms(100),
            whole_at: None,
        }
    }
    fn rtt(&self) -> Option<&Delays> {
        Some(&self.rtt)
    }
    fn queueing(&self) -> Option<&Delays> {
        Some(&self.queueing)
    }
    fn transport(&self) -> Option<&dyn Transport> {
        Some(self)
    }
    fn take_events(&mut self) -> Vec<FlowEvent> {
        vec![FlowEvent { at: ms(100), what: FlowEventKind::Complete }]
    }
}

impl Transport for Quic {
    fn state(&self) -> TransportState {
        TransportState {
            cwnd: Bytes::new(5000),
            ssthresh: Some(Bytes::new(2500)),
            pacing: Some(Rate::from_bits_per_s(8_000_000)),
            in_flight_segments: 3.5,
            srtt: Some(Span::from_millis(40)),
            phase: "probing",
        }
    }
    fn snapshot(&self, out: &mut Snapshot) {
        out.push(("path_validated", 1.0));
    }
    fn completed_at(&self) -> Option<Time> {
        Some(ms(160))
    }
    fn app_limited_time(&self, now: Time) -> Span {
        now.since(Time::ZERO) / 4
    }
    fn is_receiver_limited(&self) -> bool {
        true
    }
    fn saved_path(&self) -> Option<SavedPath> {
        Some(SavedPath { cwnd: Bytes::new(7000), rtt: Span::from_millis(39), age: Span::ZERO })
    }
}

fn ms(ms: u64) -> Time {
    Time::ZERO + Span::from_millis(ms)
}

/// Creates a run of this transport over a dumbbell. Segments in tables have 1000 B, because the flow of the scenario
/// has this size.
fn dumbbell() -> State<Quic, NoObserver> {
    let text = "duration = \"200 ms\"\nnetwork.dumbbell = { rate = \"10 Mbit/s\", rtt = \"38 ms\" }\n\
                flows = [{ name = \"measured\", kind = \"cbr\", rate = \"1 Mbit/s\", packet = \"1000 B\" }]\n";
    let scenario = Scenario::from_toml(text, "quic.toml").unwrap_or_else(|error| panic!("{error}"));
    let plan = Plan::new(&scenario).unwrap_or_else(|error| panic!("{error}"));
    let network = &plan.network;
    let links = network.links.iter().map(|link| (link::Link::new(&link.config, 0), link.to)).collect();
    let at = |site: u16| Attachment { peer: u32::from(1 - site), site, up: NO_LINK, down: NO_LINK };
    let forwarding = Forwarding::new(network.nodes.len(), network.sites.len());
    let ends = vec![Quic::default(), Quic::default()];
    let engine = Engine::new(links, forwarding, network.sites.clone(), ends, vec![at(0), at(1)], NoObserver);
    State { plan, engine, shared: Shared::default(), degraded: vec![Vec::new()], handovers: BTreeMap::new() }
}

#[test]
fn the_table_of_flows_shows_any_transport() {
    let mut state = dumbbell();
    state.engine.advance(ms(200));
    let State { plan, engine, .. } = &state;
    let propagation = plan.propagation_rtt(&plan.flows[0], ms(200));
    let measured =
        MeasuredFlow { plan: &plan.flows[0], number: 0, name: &plan.flows[0].name, connections: &[0] };
    let row = |mark: &FlowMark| flow_row(engine.endpoints(), measured, ms(200), 0.2, mark, propagation);
    let (mut first, after) = row(&FlowMark::default());
    for rate in [&mut first.goodput_mbit_s, &mut first.throughput_mbit_s] {
        *rate = (*rate * 1e9).round() / 1e9;
    }
    let expected = FlowRow {
        time_s: 0.2,
        flow: 0,
        name: "measured",
        cwnd_segments: 5.0,
        ssthresh_segments: Some(2.5),
        pacing_mbit_s: Some(8.0),
        in_flight_segments: 3.5,
        srtt_ms: Some(40.0),
        rtt_ms: Some(42.0),
        propagation_rtt_ms: Some(38.0),
        queueing_delay_ms: Some(2.0),
        // 10 kB arrived at each of the two ends. Both count, because echoes count where they return.
        goodput_mbit_s: 0.8,
        throughput_mbit_s: 1.0,
        sent_packets: 20,
        retransmitted_packets: 1,
        // Packets dropped in both directions.
        lost_queue: 2,
        lost_error: 4,
        lost_outage: 6,
        lost_policer: 6,
        lost_too_large: 0,
        phase: "probing",
    };
    assert_eq!(first, expected);
    // Nothing happened in this interval.
    let (row, _) = row(&after);
    assert_eq!((row.sent_packets, row.lost_queue, row.rtt_ms, row.goodput_mbit_s), (0, 0, None, 0.0));
    let mut recorder = Recorder::new(&state.plan, Tables::default(), Time::ZERO, &Options::default());
    recorder.sample(&mut state);
    let tables = recorder.finish();
    let rows = [tables.flows.len(), tables.snapshots.len(), tables.events.len(), tables.links.len()];
    assert_eq!(rows, [1, 1, 2, 2]);
}

#[test]
fn the_summary_knows_any_transport() {
    let mut state = dumbbell();
    let baseline = Baseline::take(&mut state);
    state.engine.advance(ms(200));
    let summary = draw_up(&state, &baseline, None, Vec::new(), &[]);
    let flow = &summary.flows[0];
    assert_eq!((flow.completed_at_s, flow.receiver_limited), (Some(0.16), true));
    // A quarter of the flow's whole time.
    assert_eq!(flow.app_limited_share, Some(0.25));
    assert_eq!(flow.saved_path.as_ref().map(|saved| (saved.cwnd_bytes, saved.rtt_ms)), Some((7000, 39.0)));
    assert_eq!(flow.rtt_ms.map(|rtt| (rtt.samples, rtt.mean)), Some((2, 42.0)));
    assert_eq!((flow.sent_packets, flow.cuts, flow.losses.error), (20, 4, 4));
    // 20 kB in the 160 ms of the transfer.
    assert!(
        (flow.goodput_mbit_s.unwrap_or(f64::NAN) - 1.0).abs() < 1e-12,
        "{}",
        flow.goodput_mbit_s.unwrap_or(f64::NAN)
    );
}
