// SPDX-License-Identifier: MIT OR Apache-2.0
//! The tables of a run. A sample at `time_s` describes the interval that ends at this time. An interval does not
//! include its end.

use crate::RecordError;
use crate::column::{
    Column, F32Opt, F64, F64Opt, Flag, Rows, Text, TextOpt, U32, U32Opt, U64, Word, WordOpt, field, table,
};
use crate::summary::Provenance;
use crate::table_file::{ROWS, TableFile};
use arrow_array::RecordBatch;
use arrow_schema::Schema;
use arrow_select::concat::concat_batches;
use saved::{Damaged, Each as _, Reader, Saved, Writer};
use std::collections::HashMap;
use std::sync::Arc;

/// Key of the provenance (JSON) in the schema of every table.
pub const PROVENANCE_KEY: &str = "bentpipe";

table! {
    /// One flow over one interval. There is a row for every interval from the start of the flow to its end. Later
    /// intervals have a row only if a packet of the flow still arrived or was dropped. The table `parts` has the same
    /// columns for each part of a flow that proxies split. For a split flow, goodput is measured at the receiving host.
    /// Retransmissions and losses are sums over all parts. All other values are measured at the sending host (the first
    /// part).
    FlowTable of FlowRow<'a> {
        /// End of the interval.
        time_s: f64 as F64 in "s",
        /// Index of the flow.
        flow: u32 as U32,
        /// Name of the flow.
        name: &'a str as Word,
        /// Congestion window at the end of the interval.
        cwnd_segments: f64 as F64 in "segments",
        /// Slow-start threshold; missing if it has no value yet, and for controllers without slow start.
        ssthresh_segments: Option<f64> as F64Opt in "segments",
        /// Pacing rate; missing without pacing.
        pacing_mbit_s: Option<f64> as F64Opt in "Mbit/s",
        /// Segments that were sent and that, as far as the sender knows, have not left the network.
        in_flight_segments: f64 as F64 in "segments",
        /// The sender's smoothed round-trip time.
        srtt_ms: Option<f64> as F64Opt in "ms",
        /// Mean of the round-trip times measured in the interval.
        rtt_ms: Option<f64> as F64Opt in "ms",
        /// Propagation delay of both directions; missing without a path.
        propagation_rtt_ms: Option<f64> as F64Opt in "ms",
        /// Mean true queueing delay of the data packets delivered in the interval.
        queueing_delay_ms: Option<f64> as F64Opt in "ms",
        /// Rate of new data that reached the receiver, in order or not.
        goodput_mbit_s: f64 as F64 in "Mbit/s",
        /// Rate at which the sender sent, with headers and retransmissions.
        throughput_mbit_s: f64 as F64 in "Mbit/s",
        /// Data packets sent.
        sent_packets: u64 as U64 in "packets",
        /// The part of `sent_packets` that was retransmitted.
        retransmitted_packets: u64 as U64 in "packets",
        /// Data packets dropped by queues.
        lost_queue: u64 as U64 in "packets",
        /// Data packets lost to link errors.
        lost_error: u64 as U64 in "packets",
        /// Data packets lost to outages and handovers.
        lost_outage: u64 as U64 in "packets",
        /// Data packets dropped by policers.
        lost_policer: u64 as U64 in "packets",
        /// Data packets larger than the MTU of a link.
        lost_too_large: u64 as U64 in "packets",
        /// Phase of the controller.
        phase: &'a str as Word,
    }
}

table! {
    /// One direction of a link over one interval. Links of a constellation have a row only if a packet passed or
    /// waited.
    LinkTable of LinkRow<'a> {
        /// End of the interval.
        time_s: f64 as F64 in "s",
        /// Index of the link.
        link: u32 as U32,
        /// Name of the link.
        name: &'a str as Word,
        /// Packets waiting at the end of the interval.
        queue_packets: u64 as U64 in "packets",
        /// Time that a packet would wait if it arrived at the end of the interval.
        queue_ms: f64 as F64 in "ms",
        /// Share of the interval in which the link transmitted, 0 to 1.
        utilisation: f64 as F64,
        /// Packets that reached the far end.
        delivered_packets: u64 as U64 in "packets",
        /// Packets dropped because the queue was full, or by active queue management (AQM).
        dropped_queue: u64 as U64 in "packets",
        /// Packets lost to link errors.
        dropped_error: u64 as U64 in "packets",
        /// Packets lost to outages.
        dropped_outage: u64 as U64 in "packets",
        /// Packets that the policer dropped in front of the queue.
        dropped_policer: u64 as U64 in "packets",
        /// Packets larger than the MTU of the link, dropped in front of the queue.
        dropped_too_large: u64 as U64 in "packets",
        /// Packets whose ECN field was cleared in front of the queue (`ecn_bleach`), including packets that were lost
        /// later.
        bleached_packets: u64 as U64 in "packets",
    }
}

table! {
    /// The path of a flow between two sites, in one direction, at one time. Over satellites, there is a row at every
    /// change and every second. In a network without satellites, there is a row only if the path differs from the path
    /// one second earlier.
    PathTable of PathRow<'a> {
        /// Time from the start of the run.
        time_s: f64 as F64 in "s",
        /// Site at the start of the path.
        from: &'a str as Word,
        /// Site at the end of the path.
        to: &'a str as Word,
        /// Number of links; 0 without a path.
        links: u32 as U32,
        /// Propagation delay of this direction; missing without a path.
        one_way_delay_ms: Option<f64> as F64Opt in "ms",
        /// Propagation delay of both directions; missing without a path.
        propagation_rtt_ms: Option<f64> as F64Opt in "ms",
        /// Names of the nodes on the path, joined by " > ".
        via: &'a str as Text,
        /// Whether the route changed at this time.
        changed: bool as Flag,
    }
}

table! {
    /// Something that happened to a flow or a link.
    EventTable of EventRow<'a> {
        /// Time from the start of the run.
        time_s: f64 as F64 in "s",
        /// Index of the flow.
        flow: Option<u32> as U32Opt,
        /// Index of the link.
        link: Option<u32> as U32Opt,
        /// Type of the event: loss, mark (the response to an ECN mark), cut, timeout, spurious, unused, phase, path,
        /// start, stop or complete.
        event: &'a str as Word,
        /// True cause of a loss: queue, error, outage, policer, too_large, or none if nothing was lost.
        cause: Option<&'a str> as WordOpt,
        /// Cause of a loss that the controller assumed: congestion or link error.
        verdict: Option<&'a str> as WordOpt,
        /// The changed quantity before the event. For a cut, it is the window in segments; there is one cut per loss
        /// episode, mark or timeout.
        before: Option<f64> as F64Opt,
        /// The changed quantity after the event.
        after: Option<f64> as F64Opt,
        /// Further details, for example the name of the new phase.
        detail: Option<&'a str> as TextOpt,
    }
}

table! {
    /// Something that happened to a packet.
    PacketTable of PacketRow {
        /// Time from the start of the run.
        time_s: f64 as F64 in "s",
        /// Index of the flow.
        flow: u32 as U32,
        /// Index of the link; missing at the endpoints.
        link: Option<u32> as U32Opt,
        /// Sequence number of the segment; for an ACK, the acknowledged sequence number.
        sequence: u64 as U64,
        /// data, ack, probe, probe ack, syn, syn ack or handshake ack.
        kind: &'static str as Word,
        /// enqueue, deliver, or a drop with its cause.
        event: &'static str as Word,
        /// Size on the wire.
        bytes: u32 as U32 in "B",
        /// Time that the packet has waited in queues so far.
        queued_ms: f64 as F64 in "ms",
    }
}

table! {
    /// A named number of a controller at the end of an interval.
    SnapshotTable of SnapshotRow<'a> {
        /// End of the interval.
        time_s: f64 as F64 in "s",
        /// Index of the flow.
        flow: u32 as U32,
        /// Name of the number, with its unit.
        name: &'a str as Word,
        /// The number.
        value: f64 as F64,
    }
}

table! {
    /// A visit of an application flow: a transfer, a page, a film, or a request with its answer. The row of a visit is
    /// written at the end of the visit, or at the end of the run.
    VisitTable of VisitRow<'a> {
        /// Index of the flow.
        flow: u32 as U32,
        /// Name of the flow.
        name: &'a str as Word,
        /// Number of the visit in its flow, counted from 0 in the order in which visits began.
        visit: u64 as U64,
        /// The user of the visit; missing in an open loop (`arrivals`).
        user: Option<u32> as U32Opt,
        /// Time at which the visit began.
        began_s: f64 as F64 in "s",
        /// Time at which the visit ended; missing if the run ended first.
        ended_s: Option<f64> as F64Opt in "s",
        /// Bytes of the requested answers; for a film, bytes of the answers that arrived.
        bytes: u64 as U64 in "B",
        /// Bytes of the answers that arrived in order, including bytes of TLS.
        received_bytes: u64 as U64 in "B",
        /// Duration of the visit: until the last byte of a transfer, a page or an exchange has arrived, or until a film
        /// plays.
        took_s: Option<f64> as F64Opt in "s",
        /// Shortest possible duration on an empty path; missing if it is not known.
        ideal_s: Option<f64> as F64Opt in "s",
        /// `took_s` divided by `ideal_s`.
        slow_down: Option<f64> as F64Opt,
        /// Time until the first byte of the first answer arrives.
        first_byte_s: Option<f64> as F64Opt in "s",
        /// For an exchange: mean time from a request until the last byte of its answer arrives.
        answer_s: Option<f64> as F64Opt in "s",
        /// Number of objects of a page.
        objects: Option<u32> as U32Opt,
        /// For a film: number of stalls after it began to play.
        stalls: Option<u32> as U32Opt,
        /// For a film: total duration of its stalls.
        stalled_s: Option<f64> as F64Opt in "s",
        /// For a film: number of changes of quality.
        switches: Option<u32> as U32Opt,
        /// For a film: mean rate of the fetched segments.
        quality_mbit_s: Option<f64> as F64Opt in "Mbit/s",
        /// For a film: highest rate of the ladder that an empty path carries without a stall; missing if there is no
        /// such rate.
        sustainable_mbit_s: Option<f64> as F64Opt in "Mbit/s",
        /// For a film: played time.
        played_s: Option<f64> as F64Opt in "s",
    }
}

table! {
    /// State of a link with a budget over an interval in which nothing changes. Links of a constellation have rows only
    /// if they carried packets.
    WeatherTable of WeatherRow<'a> {
        /// Start of the interval.
        time_s: f64 as F64 in "s",
        /// End of the interval. The next interval may begin later.
        until_s: f64 as F64 in "s",
        /// Index of the link.
        link: u32 as U32,
        /// Name of the link.
        name: &'a str as Word,
        /// Rain attenuation on the hop to the satellite; missing if the budget has no such hop.
        rain_up_db: Option<f64> as F64Opt in "dB",
        /// Rain attenuation on the hop from the satellite; missing if the budget has no such hop.
        rain_down_db: Option<f64> as F64Opt in "dB",
        /// Reduction of Es/N0 by rain, including the noise of the rain.
        fade_db: f64 as F64 in "dB",
        /// Energy of a symbol divided by the noise density, including interference, at the receiver.
        es_n0_db: f64 as F64 in "dB",
        /// Modulation and code of the sender; missing in an outage.
        modcod: Option<&'a str> as WordOpt,
        /// Es/N0 minus the threshold of this modulation and code (without margin). The value is negative if frames are
        /// lost.
        above_threshold_db: Option<f64> as F64Opt in "dB",
        /// Data rate.
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
        /// For a satellite: name of its shell.
        shell: Option<&'a str> as WordOpt,
        /// Latitude of a node on the ground; missing in a network without positions.
        latitude_deg: Option<f64> as F64Opt in "deg",
        /// Longitude, positive to the east.
        longitude_deg: Option<f64> as F64Opt in "deg",
        /// Height above the ellipsoid.
        altitude_km: Option<f64> as F64Opt in "km",
    }
}

table! {
    /// The two nodes of a link. There is a row for each direction of the links in the summary, and for each pair of
    /// satellites in the grid of a constellation.
    LinkEndTable of LinkEndRow {
        /// Index of the link; missing for a pair of the grid.
        link: Option<u32> as U32Opt,
        /// Index of the node at the start of the link.
        from_node: u32 as U32,
        /// Index of the node at the end of the link.
        to_node: u32 as U32,
    }
}

table! {
    /// Position of a satellite at one time, in Earth-fixed axes. After the satellite has left, all values are missing.
    /// Between two rows, a cubic Hermite polynomial through positions and velocities is accurate to 1 km.
    PositionTable of PositionRow {
        /// Time from the start of the run.
        time_s: f64 as F64 in "s",
        /// Index of the satellite's node.
        node: u32 as U32,
        /// Position along the axis towards 0° N 0° E.
        x_km: Option<f32> as F32Opt in "km",
        /// Position along the axis towards 0° N 90° E.
        y_km: Option<f32> as F32Opt in "km",
        /// Position along the axis towards the north pole.
        z_km: Option<f32> as F32Opt in "km",
        /// Velocity along x.
        vx_km_s: Option<f32> as F32Opt in "km/s",
        /// Velocity along y.
        vy_km_s: Option<f32> as F32Opt in "km/s",
        /// Velocity along z.
        vz_km_s: Option<f32> as F32Opt in "km/s",
    }
}

/// The tables of a run folder, in order.
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

/// The columns of every table, by the name of the table.
pub fn columns() -> &'static [(&'static str, &'static [&'static str])] {
    &TABLES
}

/// The tables of a run in progress, in memory or in a folder ([`crate::RunFolder::tables`]).
#[derive(Clone, Debug, Default, saved::Saved)]
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
    /// Named numbers of controllers.
    pub snapshots: SnapshotTable,
    /// Visits of application flows.
    pub visits: VisitTable,
    /// Weather of links with budgets.
    pub weather: WeatherTable,
    /// Nodes.
    pub nodes: NodeTable,
    /// Nodes of links.
    pub link_ends: LinkEndTable,
    /// Positions of satellites.
    pub positions: PositionTable,
}

/// The tables of a finished run. `None` for a table that was too long for memory and is only in the folder.
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
    /// Named numbers of controllers.
    pub snapshots: Option<RecordBatch>,
    /// Visits of application flows.
    pub visits: Option<RecordBatch>,
    /// Weather of links with budgets.
    pub weather: Option<RecordBatch>,
    /// Nodes.
    pub nodes: Option<RecordBatch>,
    /// Nodes of links.
    pub link_ends: Option<RecordBatch>,
    /// Positions of satellites.
    pub positions: Option<RecordBatch>,
}

impl Tables {
    /// Returns tables that encode rows as in a run folder but discard the result, to measure the cost.
    pub fn discarding() -> Self {
        let nowhere = TableFile::new("/dev/null".into(), false);
        Self { packets: PacketTable::into_file(Some(nowhere)), ..Self::default() }
    }

    /// Checks that all rows so far could be written.
    ///
    /// # Errors
    /// If rows could not be written.
    pub fn check(&mut self) -> Result<(), RecordError> {
        self.all_mut().into_iter().find_map(Rows::failure).map_or(Ok(()), Err)
    }

    /// Returns whether the saved state of the tables is complete: no row was written to a file without a journal.
    pub fn can_be_saved(&self) -> bool {
        self.all().into_iter().all(Rows::can_be_saved)
    }

    /// Forces the rows in journals onto the disk.
    ///
    /// # Errors
    /// If a journal cannot be written.
    pub fn sync(&self) -> Result<(), RecordError> {
        self.all().into_iter().try_for_each(Rows::sync)
    }

    /// Opens the journals after the state of the tables was loaded, and removes the rows that were added to them later.
    ///
    /// # Errors
    /// [`RecordError::JournalDamaged`], or if a journal cannot be read or written.
    pub fn reopen(&mut self) -> Result<(), RecordError> {
        self.all_mut().into_iter().try_for_each(Rows::reopen)
    }

    fn all(&self) -> [&dyn Rows; TABLES.len()] {
        [
            &self.flows,
            &self.parts,
            &self.links,
            &self.paths,
            &self.events,
            &self.packets,
            &self.snapshots,
            &self.visits,
            &self.weather,
            &self.nodes,
            &self.link_ends,
            &self.positions,
        ]
    }

    fn all_mut(&mut self) -> [&mut dyn Rows; TABLES.len()] {
        [
            &mut self.flows,
            &mut self.parts,
            &mut self.links,
            &mut self.paths,
            &mut self.events,
            &mut self.packets,
            &mut self.snapshots,
            &mut self.visits,
            &mut self.weather,
            &mut self.nodes,
            &mut self.link_ends,
            &mut self.positions,
        ]
    }

    /// Returns the rows that a run in progress has added since the last call, without a copy; `None` for a table
    /// without such rows. Rows that were written to a file between two calls are missing, so the caller must call
    /// before every table has 65,536 new rows.
    pub fn fresh(&mut self) -> Batches {
        Batches {
            packets: self.packets.fresh(),
            flows: self.flows.fresh(),
            parts: self.parts.fresh(),
            links: self.links.fresh(),
            paths: self.paths.fresh(),
            events: self.events.fresh(),
            snapshots: self.snapshots.fresh(),
            visits: self.visits.fresh(),
            weather: self.weather.fresh(),
            nodes: self.nodes.fresh(),
            link_ends: self.link_ends.fresh(),
            positions: self.positions.fresh(),
        }
    }

    /// Returns the tables as Arrow batches. Tables of a run folder are also written to their files. Every schema
    /// contains `provenance` as JSON, under [`PROVENANCE_KEY`].
    ///
    /// # Errors
    /// If a file cannot be written.
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
