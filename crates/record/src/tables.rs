// SPDX-License-Identifier: MIT OR Apache-2.0
//! The tables of a run. Intervals are half open: a sample at `time_s` covers the interval that ends there.

use crate::RecordError;
use crate::column::{
    Column, F32Opt, F64, F64Opt, Flag, Text, TextOpt, U32, U32Opt, U64, Word, WordOpt, field, table,
};
use crate::summary::Provenance;
use crate::table_file::{ROWS, TableFile};
use arrow_array::RecordBatch;
use arrow_schema::Schema;
use std::collections::HashMap;
use std::sync::Arc;

/// Key under which the schema of every table carries its provenance (JSON).
pub const PROVENANCE_KEY: &str = "bentpipe";

table! {
    /// One flow over one interval, from the interval in which the flow starts to the interval in which it ends. Later intervals have
    /// a row only if a packet of the flow still arrived or was dropped. The table `parts` has the same columns for one part of a flow that proxies split.
    /// For a split flow, goodput is that of the receiving host, retransmissions and losses are those of all parts, and
    /// all other values are those of the sending host (its first part).
    FlowTable of FlowRow<'a> {
        /// End of the interval.
        time_s: f64 as F64 in "s",
        /// Index of the flow.
        flow: u32 as U32,
        /// Name of the flow.
        name: &'a str as Word,
        /// Congestion window at the end of the interval.
        cwnd_segments: f64 as F64 in "segments",
        /// Slow-start threshold; missing while unset, and for controllers without slow start.
        ssthresh_segments: Option<f64> as F64Opt in "segments",
        /// Pacing rate; missing without pacing.
        pacing_mbit_s: Option<f64> as F64Opt in "Mbit/s",
        /// Sent and not yet known to have left the network.
        in_flight_segments: f64 as F64 in "segments",
        /// The sender's smoothed round-trip time.
        srtt_ms: Option<f64> as F64Opt in "ms",
        /// Mean of the round-trip times measured in the interval.
        rtt_ms: Option<f64> as F64Opt in "ms",
        /// Propagation delay of both directions; missing without a path.
        propagation_rtt_ms: Option<f64> as F64Opt in "ms",
        /// Mean true queueing delay of the data packets delivered in the interval.
        queueing_delay_ms: Option<f64> as F64Opt in "ms",
        /// New data that reached the receiver, in order or not.
        goodput_mbit_s: f64 as F64 in "Mbit/s",
        /// What left the sender, headers and retransmissions included.
        throughput_mbit_s: f64 as F64 in "Mbit/s",
        /// Data packets sent.
        sent_packets: u64 as U64 in "packets",
        /// Of these, retransmissions.
        retransmitted_packets: u64 as U64 in "packets",
        /// Data packets dropped by full queues.
        lost_queue: u64 as U64 in "packets",
        /// Data packets lost to link errors.
        lost_error: u64 as U64 in "packets",
        /// Data packets lost to outages and handovers.
        lost_outage: u64 as U64 in "packets",
        /// Data packets dropped by policers.
        lost_policer: u64 as U64 in "packets",
        /// Phase of the controller.
        phase: &'a str as Word,
    }
}

table! {
    /// One direction of a link over one interval; of a constellation's links only where something passed or waited.
    LinkTable of LinkRow<'a> {
        /// End of the interval.
        time_s: f64 as F64 in "s",
        /// Index of the link.
        link: u32 as U32,
        /// Name of the link.
        name: &'a str as Word,
        /// Packets waiting at the end of the interval.
        queue_packets: u64 as U64 in "packets",
        /// How long a packet that arrives now would wait.
        queue_ms: f64 as F64 in "ms",
        /// Share of the interval spent transmitting, 0 to 1.
        utilisation: f64 as F64,
        /// Packets that reached the far end.
        delivered_packets: u64 as U64 in "packets",
        /// Packets dropped by the full queue.
        dropped_queue: u64 as U64 in "packets",
        /// Packets lost to link errors.
        dropped_error: u64 as U64 in "packets",
        /// Packets lost to outages.
        dropped_outage: u64 as U64 in "packets",
        /// Packets that the policer dropped before the queue.
        dropped_policer: u64 as U64 in "packets",
        /// Packets whose ECN field was cleared before the queue (`ecn_bleach`), those lost afterwards included.
        bleached_packets: u64 as U64 in "packets",
    }
}

table! {
    /// The path between two sites that a flow uses, or back, at one moment: over satellites at every change and every second, in a
    /// network without satellites when it is another than a second before.
    PathTable of PathRow<'a> {
        /// When.
        time_s: f64 as F64 in "s",
        /// Site where the data comes from.
        from: &'a str as Word,
        /// Site where it goes.
        to: &'a str as Word,
        /// Number of links; 0 without a path.
        links: u32 as U32,
        /// Propagation delay of this direction; missing without a path.
        one_way_delay_ms: Option<f64> as F64Opt in "ms",
        /// Propagation delay there and back; missing without a path.
        propagation_rtt_ms: Option<f64> as F64Opt in "ms",
        /// Names of the nodes on the way, joined by " > ".
        via: &'a str as Text,
        /// Whether the route changed at this moment.
        changed: bool as Flag,
    }
}

table! {
    /// Something that happened to a flow or a link.
    EventTable of EventRow<'a> {
        /// When.
        time_s: f64 as F64 in "s",
        /// Index of the flow.
        flow: Option<u32> as U32Opt,
        /// Index of the link.
        link: Option<u32> as U32Opt,
        /// loss, mark (an ECN mark was answered), cut, timeout, spurious, phase, path, start, stop or complete.
        event: &'a str as Word,
        /// True cause of a loss: queue, error, outage, policer, or none where nothing was lost.
        cause: Option<&'a str> as WordOpt,
        /// What the controller took a loss for: congestion or link error.
        verdict: Option<&'a str> as WordOpt,
        /// The changed quantity before (of a cut, one for each loss episode, mark or timeout: the window in segments).
        before: Option<f64> as F64Opt,
        /// The changed quantity after.
        after: Option<f64> as F64Opt,
        /// More words, for example the name of the new phase.
        detail: Option<&'a str> as TextOpt,
    }
}

table! {
    /// Something that happened to a packet.
    PacketTable of PacketRow {
        /// When.
        time_s: f64 as F64 in "s",
        /// Index of the flow.
        flow: u32 as U32,
        /// Index of the link; missing at the endpoints.
        link: Option<u32> as U32Opt,
        /// Sequence number of the segment, or of what the ACK acknowledges.
        sequence: u64 as U64,
        /// data, ack, probe, probe ack, syn, syn ack or handshake ack.
        kind: &'static str as Word,
        /// enqueue, deliver, or a drop with its cause.
        event: &'static str as Word,
        /// Size on the wire.
        bytes: u32 as U32 in "B",
        /// How long the packet has waited in queues so far.
        queued_ms: f64 as F64 in "ms",
    }
}

table! {
    /// One of a controller's named numbers at the end of an interval.
    SnapshotTable of SnapshotRow<'a> {
        /// End of the interval.
        time_s: f64 as F64 in "s",
        /// Index of the flow.
        flow: u32 as U32,
        /// Name of the number; its unit is part of it.
        name: &'a str as Word,
        /// The number.
        value: f64 as F64,
    }
}

table! {
    /// A visit of an application flow: a transfer, a page, a film, a request with its answer. One that is over has its row
    /// when it ends, the others theirs when the run does.
    VisitTable of VisitRow<'a> {
        /// Index of the flow.
        flow: u32 as U32,
        /// Name of the flow.
        name: &'a str as Word,
        /// Number of the visit in its flow, from 0 in the order in which they began.
        visit: u64 as U64,
        /// The user of the visit; missing in an open loop (`arrivals`).
        user: Option<u32> as U32Opt,
        /// When it began.
        began_s: f64 as F64 in "s",
        /// When it was over; missing if the run ended first.
        ended_s: Option<f64> as F64Opt in "s",
        /// Bytes of the answers that it asked for; of a film those that came.
        bytes: u64 as U64 in "B",
        /// Bytes of the answers that arrived in order, including those of TLS.
        received_bytes: u64 as U64 in "B",
        /// The time that counts: until the last byte of a transfer, a page or an exchange, until a film plays.
        took_s: Option<f64> as F64Opt in "s",
        /// The least that it could have taken on an empty path; missing where that is not known.
        ideal_s: Option<f64> as F64Opt in "s",
        /// The one over the other.
        slow_down: Option<f64> as F64Opt,
        /// Until the first byte of the first answer.
        first_byte_s: Option<f64> as F64Opt in "s",
        /// Of an exchange: from a request until the last byte of its answer, the mean.
        answer_s: Option<f64> as F64Opt in "s",
        /// Objects of a page.
        objects: Option<u32> as U32Opt,
        /// Of a film: how often it stood still after it had begun to play.
        stalls: Option<u32> as U32Opt,
        /// Of a film: for how long in all.
        stalled_s: Option<f64> as F64Opt in "s",
        /// Of a film: how often the quality changed.
        switches: Option<u32> as U32Opt,
        /// Of a film: mean rate of what was fetched.
        quality_mbit_s: Option<f64> as F64Opt in "Mbit/s",
        /// Of a film: highest rate of the ladder that an empty path carries without a stall; missing if none.
        sustainable_mbit_s: Option<f64> as F64Opt in "Mbit/s",
        /// Of a film: how much of it was played.
        played_s: Option<f64> as F64Opt in "s",
    }
}

table! {
    /// How a link with a budget stands in the weather, in stretches of time in which nothing changes; of a constellation's links
    /// those that carried something.
    WeatherTable of WeatherRow<'a> {
        /// From when.
        time_s: f64 as F64 in "s",
        /// Until when; another stretch need not follow.
        until_s: f64 as F64 in "s",
        /// Index of the link.
        link: u32 as U32,
        /// Name of the link.
        name: &'a str as Word,
        /// Rain attenuation on the way to the satellite; missing where the budget has no such hop.
        rain_up_db: Option<f64> as F64Opt in "dB",
        /// Rain attenuation on the way from it; missing where the budget has no such hop.
        rain_down_db: Option<f64> as F64Opt in "dB",
        /// What the rain takes of Es/N0, its noise included.
        fade_db: f64 as F64 in "dB",
        /// Energy of a symbol over the noise density, interference included, at the receiver.
        es_n0_db: f64 as F64 in "dB",
        /// Modulation and code that are sent; missing in an outage.
        modcod: Option<&'a str> as WordOpt,
        /// How far Es/N0 is above their threshold: with the margin in hand, or below zero where frames are lost.
        above_threshold_db: Option<f64> as F64Opt in "dB",
        /// How fast data flows.
        rate_mbit_s: f64 as F64 in "Mbit/s",
    }
}

table! {
    /// A node of the network.
    NodeTable of NodeRow<'a> {
        /// Index of the node.
        node: u32 as U32,
        /// Name of the node.
        name: &'a str as Text,
        /// satellite, gateway, pop (point of presence), site (where flows end), or router.
        kind: &'static str as Word,
        /// Of a satellite the name of its shell.
        shell: Option<&'a str> as WordOpt,
        /// Of what stands on the ground; missing in a network that lies nowhere.
        latitude_deg: Option<f64> as F64Opt in "deg",
        /// East is positive.
        longitude_deg: Option<f64> as F64Opt in "deg",
        /// Height over the ellipsoid.
        altitude_km: Option<f64> as F64Opt in "km",
    }
}

table! {
    /// Between which nodes a link leads: each direction of the links that the summary lists, and each pair of satellites of a
    /// constellation's grid.
    LinkEndTable of LinkEndRow {
        /// Index of the link; missing for a pair of the grid.
        link: Option<u32> as U32Opt,
        /// Index of the node it starts at.
        from_node: u32 as U32,
        /// Index of the node it leads to.
        to_node: u32 as U32,
    }
}

table! {
    /// Where a satellite is at one moment, in Earth-fixed axes; all missing once it has left. Between two moments a cubic
    /// Hermite polynomial through positions and velocities is within 1 km.
    PositionTable of PositionRow {
        /// When.
        time_s: f64 as F64 in "s",
        /// Index of the satellite's node.
        node: u32 as U32,
        /// Towards 0° N 0° E.
        x_km: Option<f32> as F32Opt in "km",
        /// Towards 0° N 90° E.
        y_km: Option<f32> as F32Opt in "km",
        /// Towards the north pole.
        z_km: Option<f32> as F32Opt in "km",
        /// How fast x grows.
        vx_km_s: Option<f32> as F32Opt in "km/s",
        /// How fast y grows.
        vy_km_s: Option<f32> as F32Opt in "km/s",
        /// How fast z grows.
        vz_km_s: Option<f32> as F32Opt in "km/s",
    }
}

/// The tables of a run folder, in its order.
const TABLES: [(&str, &[&str]); 12] = [
    ("flows", FlowTable::COLUMNS),
    ("parts", FlowTable::COLUMNS),
    ("links", LinkTable::COLUMNS),
    ("paths", PathTable::COLUMNS),
    ("events", EventTable::COLUMNS),
    ("snapshots", SnapshotTable::COLUMNS),
    ("packets", PacketTable::COLUMNS),
    ("visits", VisitTable::COLUMNS),
    ("weather", WeatherTable::COLUMNS),
    ("nodes", NodeTable::COLUMNS),
    ("link_ends", LinkEndTable::COLUMNS),
    ("positions", PositionTable::COLUMNS),
];

/// The columns of every table, by its name.
pub fn columns() -> &'static [(&'static str, &'static [&'static str])] {
    &TABLES
}

/// The tables of one run while it goes on: in memory, or on their way into a folder ([`crate::RunFolder::tables`]).
#[derive(Clone, Debug, Default)]
pub struct Tables {
    /// Flows over time.
    pub flows: FlowTable,
    /// The connections of flows that proxies split, over time.
    pub parts: FlowTable,
    /// Links over time.
    pub links: LinkTable,
    /// Paths over time.
    pub paths: PathTable,
    /// Events.
    pub events: EventTable,
    /// Packets.
    pub packets: PacketTable,
    /// The controllers' named numbers.
    pub snapshots: SnapshotTable,
    /// Visits of application flows.
    pub visits: VisitTable,
    /// Weather of links with budgets.
    pub weather: WeatherTable,
    /// Nodes.
    pub nodes: NodeTable,
    /// Between which nodes links lead.
    pub link_ends: LinkEndTable,
    /// Where satellites are.
    pub positions: PositionTable,
}

/// The tables of a finished run. One that was too long to be kept while it was written is in the folder alone: `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Batches {
    /// Flows over time.
    pub flows: Option<RecordBatch>,
    /// The connections of flows that proxies split, over time.
    pub parts: Option<RecordBatch>,
    /// Links over time.
    pub links: Option<RecordBatch>,
    /// Paths over time.
    pub paths: Option<RecordBatch>,
    /// Events.
    pub events: Option<RecordBatch>,
    /// Packets.
    pub packets: Option<RecordBatch>,
    /// The controllers' named numbers.
    pub snapshots: Option<RecordBatch>,
    /// Visits of application flows.
    pub visits: Option<RecordBatch>,
    /// Weather of links with budgets.
    pub weather: Option<RecordBatch>,
    /// Nodes.
    pub nodes: Option<RecordBatch>,
    /// Between which nodes links lead.
    pub link_ends: Option<RecordBatch>,
    /// Where satellites are.
    pub positions: Option<RecordBatch>,
}

impl Tables {
    /// Tables whose packets are written as those of a run folder are, and go nowhere: what it takes can be measured.
    pub fn discarding() -> Self {
        let nowhere = TableFile::new("/dev/null".into(), false);
        Self { packets: PacketTable::into_file(Some(nowhere)), ..Self::default() }
    }

    /// Whether rows can be written where they have to be.
    ///
    /// # Errors
    /// Why not.
    pub fn check(&mut self) -> Result<(), RecordError> {
        let failures = [
            self.flows.failure(),
            self.parts.failure(),
            self.links.failure(),
            self.paths.failure(),
            self.events.failure(),
            self.packets.failure(),
            self.snapshots.failure(),
            self.visits.failure(),
            self.weather.failure(),
            self.nodes.failure(),
            self.link_ends.failure(),
            self.positions.failure(),
        ];
        failures.into_iter().flatten().next().map_or(Ok(()), Err)
    }

    /// The tables as Arrow batches, written if they belong into a folder; every schema carries `provenance` as JSON under
    /// [`PROVENANCE_KEY`].
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn finish(self, provenance: &Provenance) -> Result<Batches, RecordError> {
        let metadata = HashMap::from([(PROVENANCE_KEY.to_owned(), provenance.to_json())]);
        Ok(Batches {
            flows: self.flows.finish(&metadata)?,
            parts: self.parts.finish(&metadata)?,
            links: self.links.finish(&metadata)?,
            paths: self.paths.finish(&metadata)?,
            events: self.events.finish(&metadata)?,
            packets: self.packets.finish(&metadata)?,
            snapshots: self.snapshots.finish(&metadata)?,
            visits: self.visits.finish(&metadata)?,
            weather: self.weather.finish(&metadata)?,
            nodes: self.nodes.finish(&metadata)?,
            link_ends: self.link_ends.finish(&metadata)?,
            positions: self.positions.finish(&metadata)?,
        })
    }
}

#[cfg(test)]
mod tests;
