// SPDX-License-Identifier: MIT OR Apache-2.0
//! The models of the papers.

use crate::answers::{answer, json};
use crate::error::Failure;
use crate::table::{Table, table};
use arrow_array::{ArrayRef, Float64Array, StringArray};
use fluid::{Answer, Cells, Count, Given, MODELS, Marks, Model, ModelError, Parameter, Scale};
use pyo3::prelude::*;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::sync::Arc;

impl From<ModelError> for Failure {
    fn from(error: ModelError) -> Self {
        Self::new(error.code(), &error)
    }
}

/// The catalogue of models as a JSON array.
#[pyfunction]
pub fn models() -> String {
    json(&MODELS.iter().map(ModelEntry::new).collect::<Vec<_>>())
}

answer! {
    /// A model of the catalogue.
    ModelEntry(model: &Model) {
        name: &'static str = model.name,
        about: &'static str = model.about,
        source: &'static str = model.source,
        parameters: Vec<ModelParameter> = model.parameters.iter().map(ModelParameter::new).collect(),
    }
}

answer! {
    /// A parameter of a model.
    ModelParameter(parameter: &Parameter) {
        name: &'static str = parameter.name,
        unit: &'static str = parameter.unit,
        default: &'static [f64] = parameter.default,
        bounds: String = parameter.domain(),
        about: &'static str = parameter.about,
    }
}

/// A value that a user gives for a parameter: numbers, or text with numbers.
#[derive(FromPyObject)]
pub enum UserValue {
    Numbers(Vec<f64>),
    Text(String),
}

/// Computes a model. Returns facts, notes and panels as JSON, and the results as a table.
#[pyfunction]
pub fn model(py: Python<'_>, name: &str, parameters: Vec<(String, UserValue)>) -> PyResult<(String, Table)> {
    let given: Vec<(String, Given)> = parameters
        .into_iter()
        .map(|(name, wish)| match wish {
            UserValue::Numbers(numbers) => (name, Given::Numbers(numbers)),
            UserValue::Text(text) => (name, Given::Text(text)),
        })
        .collect();
    let compute = || {
        let given: Vec<(&str, Given)> =
            given.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
        fluid::compute(name, &given).map_err(Failure::from)
    };
    let answer = py.detach(compute)?;
    Ok((json(&ModelAnswer::new(&answer)), columns(&answer)))
}

answer! {
    /// The answer of a model, without its table.
    ModelAnswer(answer: &Answer) {
        #[serde(serialize_with = "in_order")]
        #[schemars(with = "BTreeMap<String, Numbers>")]
        parameters: Vec<(&'static str, Numbers)> = answer
            .parameters
            .iter()
            .map(|(parameter, numbers)| used(parameter, numbers))
            .collect(),
        /// Single numbers. Each name ends in the unit.
        #[serde(serialize_with = "in_order")]
        #[schemars(with = "BTreeMap<String, f64>")]
        facts: Vec<(String, f64)> = answer.facts.clone(),
        notes: Vec<String> = answer.notes.clone(),
        /// The columns of the table.
        #[serde(serialize_with = "in_order")]
        #[schemars(with = "BTreeMap<String, String>")]
        labels: Vec<(&'static str, &'static str)> =
            answer.columns.iter().map(|column| (column.name, column.label)).collect(),
        panels: Vec<Panel> = answer.panels.iter().map(Panel::new).collect(),
    }
}

/// A number, or a list of numbers.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum Numbers {
    One(f64),
    List(Vec<f64>),
}

/// Returns name and value of a parameter that the computation used.
fn used(parameter: &Parameter, numbers: &[f64]) -> (&'static str, Numbers) {
    let one = matches!(parameter.count, Count::One | Count::Whole);
    (parameter.name, if one { Numbers::One(numbers[0]) } else { Numbers::List(numbers.to_vec()) })
}

/// Serialises pairs as an object in their order.
fn in_order<S: Serializer>(pairs: &[(impl Serialize, impl Serialize)], to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(pairs.iter().map(|(key, value)| (key, value)))
}

answer! {
    /// A panel of the picture of a model.
    Panel(panel: &fluid::Panel) {
        title: &'static str = panel.title,
        /// Column on the horizontal axis.
        x: &'static str = panel.x,
        /// Columns on the vertical axis.
        y: Vec<&'static str> = panel.y.clone(),
        y_label: &'static str = panel.y_label,
        /// Column whose values have separate curves; `null` if all rows form one curve.
        by: Option<&'static str> = panel.by,
        /// Scale of the horizontal axis: "log" or "linear".
        x_scale: &'static str = scale(panel.x_scale),
        /// Scale of the vertical axis: "log" or "linear".
        y_scale: &'static str = scale(panel.y_scale),
        /// Whether values are drawn as bars instead of lines.
        bars: bool = panel.marks == Marks::Bars,
    }
}

fn scale(scale: Scale) -> &'static str {
    if scale == Scale::Logarithmic { "log" } else { "linear" }
}

fn columns(answer: &Answer) -> Table {
    table(
        answer
            .columns
            .iter()
            .map(|column| {
                let cells: ArrayRef = match &column.cells {
                    Cells::Numbers(numbers) => Arc::new(numbers.iter().copied().collect::<Float64Array>()),
                    Cells::Words(words) => Arc::new(StringArray::from_iter_values(words)),
                };
                (column.name, cells)
            })
            .collect(),
    )
}
