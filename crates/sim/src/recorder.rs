// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is written down while a run goes on: samples at an interval, events, packets on request.

use crate::Cause;
use crate::endpoint::{AnyEndpoint, FlowEvent, FlowEventKind, FlowTotals, kind_name};
use crate::engine::{Engine, NO_LINK, Observer};
use crate::meter::Delays;
use crate::packet::Packet;
use crate::wire::Layout;
use control::{LossVerdict, Snapshot};
use record::tables::{EventRow, FlowRow, LinkRow, PacketRow, PathRow, SnapshotRow, Tables};
use scenario::Window;
use units::{Bytes, Span, Time};

/// Writes a row for every packet in a window of time.
#[derive(Debug)]
pub struct PacketLog {
    window: Option<Window>,
    rows: Vec<PacketRow>,
}

impl PacketLog {
    /// Logs packets in `window`; `None` logs nothing.
    pub fn new(window: Option<Window>) -> Self {
        Self { window, rows: Vec::new() }
    }

    #[inline]
    fn row(&mut self, now: Time, link: u32, packet: &Packet, size: u16, event: &'static str) {
        if self.window.is_some_and(|window| (window.from..window.to).contains(&now)) {
            self.rows.push(PacketRow {
                time_s: now.secs_f64(),
                flow: packet.from / 2,
                link: (link != NO_LINK).then_some(link),
                sequence: u64::from(packet.body.seq),
                kind: kind_name(&packet.body),
                event,
                bytes: u32::from(size),
                queued_ms: packet.queued_ns as f64 / 1e6,
            });
        }
    }
}

impl Observer for PacketLog {
    #[inline]
    fn entered(&mut self, now: Time, link: u32, packet: &Packet, size: u16) {
        self.row(now, link, packet, size, "enqueue");
    }
    fn dropped(&mut self, now: Time, link: u32, packet: &Packet, size: u16, cause: Cause) {
        self.row(now, link, packet, size, cause.drop_name());
    }
    #[inline]
    fn delivered(&mut self, now: Time, packet: &Packet, size: u16) {
        self.row(now, NO_LINK, packet, size, "deliver");
    }
}

/// A flow's running numbers at the end of the last interval.
#[derive(Clone, Copy, Debug, Default)]
struct FlowMark {
    delivered: Bytes,
    sent_packets: u64,
    sent_bytes: u64,
    retransmitted: u64,
    dropped: [u64; 3],
    rtt: (u64, u128),
    queueing: (u64, u128),
}

/// A link's running numbers at the end of the last interval.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct LinkMark {
    delivered: u64,
    dropped_queue: u64,
    dropped_error: u64,
    dropped_outage: u64,
    busy: Span,
}

/// The tables of one run, filled as it goes.
#[derive(Debug)]
pub struct Recorder {
    tables: Tables,
    flow_marks: Vec<FlowMark>,
    link_marks: Vec<LinkMark>,
    /// Links have rows only for intervals in which something passed or waited.
    sparse: bool,
    last: Time,
    snapshot: Snapshot,
}

fn mean_ms(now: (u64, u128), before: (u64, u128)) -> Option<f64> {
    let count = now.0.checked_sub(before.0).filter(|&count| count > 0)?;
    Some(now.1.saturating_sub(before.1) as f64 / count as f64 / 1e6)
}

impl Recorder {
    /// Empty tables for a layout.
    pub fn new(layout: &Layout) -> Self {
        Self {
            tables: Tables::default(),
            flow_marks: vec![FlowMark::default(); layout.flows.len()],
            link_marks: vec![LinkMark::default(); layout.network.links.len()],
            sparse: layout.is_constellation(),
            last: Time::ZERO,
            snapshot: Snapshot::new(),
        }
    }

    /// Samples every flow and every link of the network; of a constellation, which has thousands, those that carried
    /// something.
    pub fn sample<O: Observer>(&mut self, layout: &Layout, engine: &mut Engine<AnyEndpoint, O>) {
        let now = engine.now();
        let interval = now.since(self.last).secs_f64();
        if interval <= 0.0 {
            return;
        }
        self.last = now;
        for (flow, mark) in self.flow_marks.iter_mut().enumerate() {
            let plan = &layout.flows[flow];
            let segment = f64::from(plan.mss);
            let (source, sink) = (&engine.endpoints()[2 * flow], &engine.endpoints()[2 * flow + 1]);
            let FlowTotals { sent: totals, received } = FlowTotals::of(engine.endpoints(), flow);
            let delivered = received.delivered;
            let queueing = sink.queueing().map_or((0, 0), Delays::count_and_sum);
            let sender = source.tcp().map(tcp_state);
            let rtt = source.rtt().map_or((0, 0), Delays::count_and_sum);
            let mut row = FlowRow {
                time_s: now.secs_f64(),
                flow: flow as u32,
                cwnd_segments: 0.0,
                ssthresh_segments: None,
                pacing_mbit_s: None,
                in_flight_segments: 0.0,
                srtt_ms: None,
                rtt_ms: mean_ms(rtt, mark.rtt),
                propagation_rtt_ms: layout.propagation_rtt(plan, now).map(Span::millis_f64),
                queueing_delay_ms: mean_ms(queueing, mark.queueing),
                goodput_mbit_s: (delivered - mark.delivered).get() as f64 * 8e-6 / interval,
                throughput_mbit_s: (totals.sent_bytes - mark.sent_bytes) as f64 * 8e-6 / interval,
                sent_packets: totals.sent_packets - mark.sent_packets,
                retransmitted_packets: totals.retransmitted - mark.retransmitted,
                lost_queue: totals.dropped[Cause::Queue as usize] - mark.dropped[Cause::Queue as usize],
                lost_error: totals.dropped[Cause::Error as usize] - mark.dropped[Cause::Error as usize],
                lost_outage: totals.dropped[Cause::Outage as usize] - mark.dropped[Cause::Outage as usize],
                phase: plan.kind,
            };
            if let Some(state) = sender {
                row.cwnd_segments = state.cwnd / segment;
                row.ssthresh_segments = state.ssthresh.map(|bytes| bytes / segment);
                row.pacing_mbit_s = state.pacing_mbit_s;
                row.in_flight_segments = state.in_flight;
                row.srtt_ms = state.srtt_ms;
                row.phase = state.phase;
            }
            *mark = FlowMark {
                delivered,
                sent_packets: totals.sent_packets,
                sent_bytes: totals.sent_bytes,
                retransmitted: totals.retransmitted,
                dropped: totals.dropped,
                rtt,
                queueing,
            };
            self.tables.flows.push_row(&row);
            if let Some(source) = engine.endpoints()[2 * flow].tcp() {
                self.snapshot.clear();
                source.snapshot(&mut self.snapshot);
                for &(name, value) in &self.snapshot {
                    self.tables.snapshots.push_row(&SnapshotRow {
                        time_s: now.secs_f64(),
                        flow: flow as u32,
                        name,
                        value,
                    });
                }
            }
        }
        for (link, mark) in self.link_marks.iter_mut().enumerate() {
            let fifo = engine.link_mut(link);
            let counters = fifo.counters();
            let busy = fifo.busy_time(now);
            let after = LinkMark {
                delivered: counters.delivered,
                dropped_queue: counters.dropped_queue,
                dropped_error: counters.dropped_error,
                dropped_outage: counters.dropped_outage,
                busy,
            };
            if self.sparse && after == *mark && fifo.in_flight() == 0 {
                continue;
            }
            self.tables.links.push_row(&LinkRow {
                time_s: now.secs_f64(),
                link: link as u32,
                name: &layout.network.links[link].name,
                queue_packets: fifo.waiting_packets(now) as u64,
                queue_ms: fifo.backlog(now).millis_f64(),
                utilisation: busy.saturating_sub(mark.busy).secs_f64() / interval,
                delivered_packets: counters.delivered - mark.delivered,
                dropped_queue: counters.dropped_queue - mark.dropped_queue,
                dropped_error: counters.dropped_error - mark.dropped_error,
                dropped_outage: counters.dropped_outage - mark.dropped_outage,
            });
            *mark = after;
        }
        self.drain_events(engine);
    }

    /// Moves the flows' events into their table, in order of time.
    pub fn drain_events<O: Observer>(&mut self, engine: &mut Engine<AnyEndpoint, O>) {
        let mut events: Vec<(u32, FlowEvent)> = Vec::new();
        for (index, endpoint) in engine.endpoints_mut().iter_mut().enumerate() {
            events.extend(endpoint.take_events().into_iter().map(|event| (index as u32 / 2, event)));
        }
        events.sort_by_key(|&(flow, event)| (event.at, flow));
        for (flow, event) in events {
            self.tables.events.push_row(&event_row(flow, event));
        }
    }

    /// The paths of all pairs of sites over the run: at every change and every second.
    pub fn paths(&mut self, layout: &Layout, duration: Span) {
        let network = &layout.network;
        for path in &network.paths {
            let mut times: Vec<(Time, bool)> = path.pieces.iter().map(|piece| (piece.from, true)).collect();
            let seconds = duration.nanos() / 1_000_000_000;
            times.extend((0..=seconds).map(|s| (Time::ZERO + Span::from_secs(s), false)));
            times.sort_by_key(|&(at, changed)| (at, !changed));
            times.dedup_by_key(|&mut (at, _)| at);
            for (at, changed) in times.into_iter().filter(|&(at, _)| at <= Time::ZERO + duration) {
                let piece = path.piece(at);
                let back = layout.path(path.to, path.from).and_then(|reverse| reverse.delay(at));
                let delay = path.delay(at);
                self.tables.paths.push_row(&PathRow {
                    time_s: at.secs_f64(),
                    from: &layout.site_names[usize::from(path.from)],
                    to: &layout.site_names[usize::from(path.to)],
                    links: piece.links.len() as u32,
                    one_way_delay_ms: delay.map(Span::millis_f64),
                    propagation_rtt_ms: delay.zip(back).map(|(there, back)| (there + back).millis_f64()),
                    via: &layout.via(piece),
                    changed,
                });
            }
        }
    }

    /// The finished tables.
    pub fn finish(mut self, packets: Option<PacketLog>) -> Tables {
        for row in packets.into_iter().flat_map(|log| log.rows) {
            self.tables.packets.push_row(&row);
        }
        self.tables
    }
}

/// What the table of flows shows of a connection.
struct TcpState {
    cwnd: f64,
    ssthresh: Option<f64>,
    pacing_mbit_s: Option<f64>,
    in_flight: f64,
    srtt_ms: Option<f64>,
    phase: &'static str,
}

fn tcp_state(sender: &tcp::Sender) -> TcpState {
    let control = sender.control();
    TcpState {
        cwnd: control.cwnd.get() as f64,
        ssthresh: control.ssthresh.map(|bytes| bytes.get() as f64),
        pacing_mbit_s: control.pacing.map(units::Rate::mbit_per_s),
        in_flight: sender.in_flight_segments() as f64,
        srtt_ms: sender.srtt().map(Span::millis_f64),
        phase: control.phase,
    }
}

fn event_row(flow: u32, event: FlowEvent) -> EventRow<'static> {
    let mut row = EventRow {
        time_s: event.at.secs_f64(),
        flow: Some(flow),
        link: None,
        event: "start",
        cause: None,
        verdict: None,
        before: None,
        after: None,
        detail: None,
    };
    match event.what {
        FlowEventKind::Start => {}
        FlowEventKind::Stop => row.event = "stop",
        FlowEventKind::Loss(cause, verdict) => {
            row.event = "loss";
            row.cause = Some(cause.map_or("none", Cause::name));
            row.verdict = verdict.map(|verdict| match verdict {
                LossVerdict::Congestion => "congestion",
                LossVerdict::LinkError => "link error",
            });
        }
        FlowEventKind::Cut(before, after) => {
            row.event = "cut";
            (row.before, row.after) = (Some(before), Some(after));
        }
        FlowEventKind::Timeout => row.event = "timeout",
        FlowEventKind::Spurious => row.event = "spurious",
        FlowEventKind::Phase(phase) => {
            row.event = "phase";
            row.detail = Some(phase);
        }
        FlowEventKind::Path => row.event = "path",
        FlowEventKind::Complete => row.event = "complete",
    }
    row
}
