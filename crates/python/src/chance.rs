// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a run draws at random, told before it is made.

use crate::job::Job;
use pyo3::prelude::*;

/// Something that a run draws: with another seed the run can differ.
#[pyclass(frozen, get_all, module = "bentpipe._core")]
pub struct Chance {
    /// The key that asks for the draw, as the resolved scenario has it.
    place: String,
    /// What is drawn, in words.
    what: String,
    /// "network", "traffic" or "controller".
    kind: &'static str,
}

#[pymethods]
impl Chance {
    fn __repr__(&self) -> String {
        let Self { place, what, kind } = self;
        format!("Chance(place={place:?}, what={what:?}, kind={kind:?})")
    }
}

/// What a run draws. Controllers in Python are left out: whether they draw is not known.
#[pyfunction]
pub fn chance(job: &Job) -> PyResult<Vec<Chance>> {
    let found = job.plan()?.scenario.chance();
    let typed = |scenario::Chance { place, what, kind }| Chance { place, what, kind: kind.word() };
    Ok(found.into_iter().map(typed).collect())
}
