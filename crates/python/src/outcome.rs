// SPDX-License-Identifier: MIT OR Apache-2.0
//! The outcome of a run.

use crate::table::Table;
use pyo3::prelude::*;
use record::Batches;
use record::summary::{
    Bottleneck, BreakSummary, Finding, FlowSummary, LinkSummary, Provenance, ProxySummary, Summary, Totals,
    TransmitterSummary,
};
use serde::Serialize;

/// The outcome of a run. A table is None if it was too long for memory; it is then only in the run folder.
#[pyclass(frozen, get_all, name = "Result", module = "bentpipe._core")]
pub struct Outcome {
    summary: String,
    scenario: String,
    flows: Option<Py<Table>>,
    parts: Option<Py<Table>>,
    links: Option<Py<Table>>,
    paths: Option<Py<Table>>,
    events: Option<Py<Table>>,
    snapshots: Option<Py<Table>>,
    visits: Option<Py<Table>>,
    weather: Option<Py<Table>>,
    packets: Option<Py<Table>>,
    nodes: Option<Py<Table>>,
    link_ends: Option<Py<Table>>,
    positions: Option<Py<Table>>,
}

/// The parts of the outcome that the caller needs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// An [`Outcome`].
    All,
    /// The part of the summary that a store keeps.
    LeanSummary,
}

impl Wanted {
    /// Returns the summary as text.
    pub fn text(self, summary: &Summary) -> String {
        match self {
            Self::All => summary.to_json(),
            Self::LeanSummary => {
                serde_json::to_string(&LeanSummary::from(summary)).expect("a summary has a JSON form")
            }
        }
    }
}

/// A summary without links except the busiest link. It is shorter, because a constellation has hundreds of links.
#[derive(Serialize)]
struct LeanSummary<'a> {
    provenance: &'a Provenance,
    findings: &'a [Finding],
    flows: &'a [FlowSummary],
    totals: &'a Totals,
    bottleneck: Option<&'a Bottleneck>,
    #[serde(skip_serializing_if = "Option::is_none")]
    busiest_link: Option<&'a LinkSummary>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    transmitters: &'a [TransmitterSummary],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    parts: &'a [FlowSummary],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    proxies: &'a [ProxySummary],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    breaks: &'a [BreakSummary],
}

impl<'a> From<&'a Summary> for LeanSummary<'a> {
    fn from(summary: &'a Summary) -> Self {
        let Summary {
            provenance,
            findings,
            flows,
            totals,
            bottleneck,
            busiest_link,
            transmitters,
            links: _,
            parts,
            proxies,
            breaks,
        } = summary;
        let (bottleneck, busiest_link) = (bottleneck.as_ref(), busiest_link.as_ref());
        Self {
            provenance,
            findings,
            flows,
            totals,
            bottleneck,
            busiest_link,
            transmitters,
            parts,
            proxies,
            breaks,
        }
    }
}

/// The outcome before its conversion to Python objects. For [`Wanted::LeanSummary`], it contains only the summary, on
/// one line.
pub struct RawOutcome {
    pub summary: String,
    pub scenario: String,
    pub batches: Batches,
}

impl RawOutcome {
    /// Converts the outcome to Python objects.
    pub fn into_python(self, py: Python<'_>) -> PyResult<Outcome> {
        let Self { summary, scenario, batches } = self;
        let table = |batch: Option<_>| batch.map(|batch| Py::new(py, Table::from(batch))).transpose();
        Ok(Outcome {
            summary,
            scenario,
            flows: table(batches.flows)?,
            parts: table(batches.parts)?,
            links: table(batches.links)?,
            paths: table(batches.paths)?,
            events: table(batches.events)?,
            snapshots: table(batches.snapshots)?,
            visits: table(batches.visits)?,
            weather: table(batches.weather)?,
            packets: table(batches.packets)?,
            nodes: table(batches.nodes)?,
            link_ends: table(batches.link_ends)?,
            positions: table(batches.positions)?,
        })
    }
}
