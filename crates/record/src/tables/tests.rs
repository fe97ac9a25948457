// SPDX-License-Identifier: MIT OR Apache-2.0
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::*;
use crate::summary::SCHEMA_VERSION;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type, UInt32Type};
use arrow_array::{Array, StringArray};
use arrow_schema::DataType;

fn provenance() -> Provenance {
    Provenance {
        bentpipe_version: "9.9.9".into(),
        build: "0+abc".into(),
        platform: "packet simulator".into(),
        scenario_name: "two \"quoted\" words".into(),
        seed: 7,
        duration_s: 1.5,
        warm_up_s: 0.0,
        schema_version: SCHEMA_VERSION,
        ..Provenance::default()
    }
}

#[test]
fn cells_come_out_where_they_went_in() {
    let mut tables = Tables::default();
    let mut row = EventRow {
        time_s: 0.25,
        flow: Some(3),
        link: None,
        event: "loss",
        cause: Some("queue"),
        verdict: None,
        before: None,
        after: Some(7.5),
        detail: None,
    };
    tables.events.push_row(&row);
    (row.time_s, row.event, row.detail, row.flow) = (0.5, "phase", Some("slow start"), None);
    tables.events.push_row(&row);
    (row.event, row.cause) = ("loss", None);
    tables.events.push_row(&row);
    assert_eq!((tables.events.len(), tables.flows.is_empty()), (3, true));

    let events = tables.finish(&provenance()).unwrap().events.unwrap();
    assert_eq!(events.num_rows(), 3);
    let column = |name: &str| events.column_by_name(name).unwrap();
    assert_eq!(column("time_s").as_primitive::<Float64Type>().values(), &[0.25, 0.5, 0.5]);
    let flow = column("flow").as_primitive::<UInt32Type>();
    assert_eq!((flow.value(0), flow.is_null(1)), (3, true));
    assert_eq!(column("link").null_count(), 3);
    // A dictionary contains each word once, in the order of first use.
    let event = column("event").as_dictionary::<Int32Type>();
    assert_eq!(event.keys().values(), &[0, 1, 0]);
    assert_eq!(event.values().as_string::<i32>().iter().flatten().collect::<Vec<_>>(), ["loss", "phase"]);
    assert_eq!(column("cause").null_count(), 1);
    assert_eq!(column("detail").as_string::<i32>().value(1), "slow start");
}

#[test]
fn schemas_carry_units_and_provenance() {
    let batches = Tables::default().finish(&provenance()).unwrap();
    for (name, batch) in [
        ("flows", batches.flows),
        ("parts", batches.parts),
        ("links", batches.links),
        ("paths", batches.paths),
        ("events", batches.events),
        ("snapshots", batches.snapshots),
        ("visits", batches.visits),
        ("weather", batches.weather),
        ("nodes", batches.nodes),
        ("link_ends", batches.link_ends),
        ("positions", batches.positions),
        ("packets", batches.packets),
    ] {
        let batch = batch.unwrap();
        let schema = batch.schema();
        let read: Provenance = serde_json::from_str(&schema.metadata()[PROVENANCE_KEY]).unwrap();
        assert_eq!(read, provenance(), "{name}");
        for field in schema.fields() {
            assert!(!field.metadata()["meaning"].is_empty(), "{name}.{}", field.name());
            // If a name ends in a unit, its metadata have the same unit.
            let unit = field.metadata().get("unit").map(String::as_str);
            for (suffix, expected) in [("_s", "s"), ("_ms", "ms"), ("_segments", "segments"), ("_db", "dB")] {
                if field.name().ends_with(suffix)
                    && !field.name().ends_with("mbit_s")
                    && !field.name().ends_with("km_s")
                {
                    assert_eq!(unit, Some(expected), "{name}.{}", field.name());
                }
            }
            if field.name().ends_with("_mbit_s") {
                assert_eq!(unit, Some("Mbit/s"), "{name}.{}", field.name());
            }
        }
    }
}

/// Readers of the tables depend on these names.
#[test]
fn columns_are_named_as_published() {
    let batches = Tables::default().finish(&provenance()).unwrap();
    let names = |batch: &Option<RecordBatch>| {
        let schema = batch.as_ref().unwrap().schema();
        let mark = |nullable| if nullable { "?" } else { "" };
        let names: Vec<_> =
            schema.fields().iter().map(|f| format!("{}{}", f.name(), mark(f.is_nullable()))).collect();
        names.join(" ")
    };
    assert_eq!(
        names(&batches.flows),
        "time_s flow name cwnd_segments ssthresh_segments? pacing_mbit_s? in_flight_segments srtt_ms? rtt_ms? \
         propagation_rtt_ms? queueing_delay_ms? goodput_mbit_s throughput_mbit_s sent_packets \
         retransmitted_packets lost_queue lost_error lost_outage lost_policer lost_too_large phase"
    );
    assert_eq!(
        names(&batches.links),
        "time_s link name queue_packets queue_ms utilisation delivered_packets dropped_queue dropped_error \
         dropped_outage dropped_policer dropped_too_large bleached_packets"
    );
    assert_eq!(
        names(&batches.paths),
        "time_s from to links one_way_delay_ms? propagation_rtt_ms? via changed"
    );
    assert_eq!(names(&batches.events), "time_s flow? link? event cause? verdict? before? after? detail?");
    assert_eq!(names(&batches.packets), "time_s flow link? sequence kind event bytes queued_ms");
    assert_eq!(names(&batches.snapshots), "time_s flow name value");
    assert_eq!(
        names(&batches.visits),
        "flow name visit user? began_s ended_s? bytes received_bytes took_s? ideal_s? slow_down? first_byte_s? answer_s? objects? \
         stalls? stalled_s? switches? quality_mbit_s? sustainable_mbit_s? played_s?"
    );
    assert_eq!(
        names(&batches.weather),
        "time_s until_s link name rain_up_db? rain_down_db? fade_db es_n0_db modcod? above_threshold_db? rate_mbit_s"
    );
    assert_eq!(names(&batches.nodes), "node name kind shell? latitude_deg? longitude_deg? altitude_km?");
    assert_eq!(names(&batches.link_ends), "link? from_node to_node");
    assert_eq!(names(&batches.positions), "time_s node x_km? y_km? z_km? vx_km_s? vy_km_s? vz_km_s?");
    let dictionary = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    assert_eq!(batches.flows.unwrap().schema().field_with_name("phase").unwrap().data_type(), &dictionary);
}

#[test]
fn rows_that_were_handed_out_stay_in_the_table() {
    let row = |number: u32| EventRow {
        time_s: f64::from(number),
        flow: None,
        link: None,
        event: ["loss", "cut", "mark"][number as usize % 3],
        cause: None,
        verdict: None,
        before: None,
        after: None,
        detail: None,
    };
    let mut tables = Tables::default();
    let mut handed_out = Vec::new();
    for part in [0..2, 2..2, 2..5] {
        part.for_each(|number| tables.events.push_row(&row(number)));
        handed_out.push(tables.fresh().events);
    }
    tables.events.push_row(&row(5));
    assert_eq!(
        handed_out.iter().map(|batch| batch.as_ref().map(RecordBatch::num_rows)).collect::<Vec<_>>(),
        [Some(2), None, Some(3)]
    );
    assert_eq!(
        handed_out[2].as_ref().unwrap().column(0).as_primitive::<Float64Type>().values(),
        &[2.0, 3.0, 4.0]
    );
    assert_eq!(tables.events.len(), 6);
    for tables in std::iter::once(tables.clone()).chain(std::iter::once(tables)) {
        let events = tables.finish(&provenance()).unwrap().events.unwrap();
        let column = |name: &str| events.column_by_name(name).unwrap();
        assert_eq!(column("time_s").as_primitive::<Float64Type>().values(), &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
        let words = column("event").as_dictionary::<Int32Type>().downcast_dict::<StringArray>().unwrap();
        let words: Vec<_> = words.into_iter().flatten().collect();
        assert_eq!(words, ["loss", "cut", "mark", "loss", "cut", "mark"]);
        assert!(events.schema().metadata().contains_key(PROVENANCE_KEY));
    }
}
