// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bottlenecks of a scenario, at which flows will compete, computed without a run.

use crate::error::Failure;
use crate::job::Job;
use crate::runs::away;
use crate::table::Table;
use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray, UInt32Array};
use plan::bottlenecks::{Bottleneck, among, of_flows};
use pyo3::prelude::*;
use std::sync::Arc;
use topology::{Site, sites as list};
use units::Rate;

/// Pairs of paths that share a link. The paths are the paths of the scenario's flows, or the paths
/// between `sites`, or the paths between the `top` largest cities.
#[pyfunction]
pub fn bottlenecks(
    py: Python<'_>,
    job: &Job,
    sites: Option<Vec<String>>,
    top: Option<usize>,
    keep: usize,
) -> PyResult<Table> {
    let scenario = job.checked()?.scenario;
    let find = move || -> Result<Vec<Bottleneck>, Failure> {
        let sites: Vec<Site> = match (sites, top) {
            (Some(names), _) => {
                names.iter().map(|name| list::find(name)).collect::<Result<_, topology::TopologyError>>()?
            }
            (None, Some(top)) => list::all().take(top).collect(),
            (None, None) => return Ok(of_flows(&scenario, keep)?),
        };
        Ok(among(&scenario, &sites, keep)?)
    };
    Ok(table(&away(py, find)?))
}

fn table(rows: &[Bottleneck]) -> Table {
    let text = |cell: fn(&Bottleneck) -> &str| -> ArrayRef {
        Arc::new(StringArray::from_iter_values(rows.iter().map(cell)))
    };
    let number = |cell: fn(&Bottleneck) -> Option<f64>| -> ArrayRef {
        Arc::new(rows.iter().map(cell).collect::<Float64Array>())
    };
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("long_from", text(|row| &row.long[0])),
        ("long_to", text(|row| &row.long[1])),
        ("short_from", text(|row| &row.short[0])),
        ("short_to", text(|row| &row.short[1])),
        ("shared_s", number(|row| Some(row.time.secs_f64()))),
        ("long_rtt_ms", number(|row| Some(row.long_rtt.millis_f64()))),
        ("short_rtt_ms", number(|row| Some(row.short_rtt.millis_f64()))),
        ("rtt_ratio", number(|row| Some(row.ratio()))),
        ("link", text(|row| &row.link)),
        ("kind", text(|row| row.kind)),
        ("link_s", number(|row| Some(row.link_time.secs_f64()))),
        ("rate_mbit_s", number(|row| row.rate.map(Rate::mbit_per_s))),
        ("links", Arc::new(UInt32Array::from_iter_values(rows.iter().map(|row| row.links as u32)))),
    ];
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, column)| (name, column, true)))
        .expect("the columns are made from the same rows")
        .into()
}
