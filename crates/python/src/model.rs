// SPDX-License-Identifier: MIT OR Apache-2.0
//! The models of the papers.

use crate::error::Failure;
use crate::table::{Table, table};
use arrow_array::{ArrayRef, Float64Array, StringArray};
use fluid::{Answer, Cells, Count, Given, MODELS, Marks, Model, ModelError, Panel, Parameter, Scale};
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::sync::Arc;

impl From<ModelError> for Failure {
    fn from(error: ModelError) -> Self {
        Self::new(error.code(), &error)
    }
}

/// The catalogue of models as a JSON array.
#[pyfunction]
pub fn models() -> String {
    Value::from(MODELS.iter().map(entry).collect::<Vec<_>>()).to_string()
}

fn entry(model: &Model) -> Value {
    json!({
        "name": model.name,
        "about": model.about,
        "source": model.source,
        "parameters": model.parameters.iter().map(parameter).collect::<Vec<_>>(),
    })
}

fn parameter(parameter: &Parameter) -> Value {
    json!({
        "name": parameter.name,
        "unit": parameter.unit,
        "default": parameter.default,
        "bounds": parameter.domain(),
        "about": parameter.about,
    })
}

/// What a user gives for a parameter: numbers, or text to be read as numbers.
#[derive(FromPyObject)]
pub enum Wish {
    Numbers(Vec<f64>),
    Text(String),
}

/// What a model answers: facts, notes and panels as JSON, and its table.
#[pyfunction]
pub fn model(py: Python<'_>, name: &str, parameters: Vec<(String, Wish)>) -> PyResult<(String, Table)> {
    let given: Vec<(String, Given)> = parameters
        .into_iter()
        .map(|(name, wish)| match wish {
            Wish::Numbers(numbers) => (name, Given::Numbers(numbers)),
            Wish::Text(text) => (name, Given::Text(text)),
        })
        .collect();
    let compute = || {
        let given: Vec<(&str, Given)> =
            given.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
        fluid::compute(name, &given).map_err(Failure::from)
    };
    let answer = py.detach(compute)?;
    Ok((rest(&answer).to_string(), columns(&answer)))
}

/// All but the columns.
fn rest(answer: &Answer) -> Value {
    let labels: serde_json::Map<String, Value> =
        answer.columns.iter().map(|column| (column.name.to_owned(), column.label.into())).collect();
    let facts: serde_json::Map<String, Value> =
        answer.facts.iter().map(|(name, value)| (name.clone(), (*value).into())).collect();
    let parameters: serde_json::Map<String, Value> = answer
        .parameters
        .iter()
        .map(|(parameter, numbers)| {
            let one = matches!(parameter.count, Count::One | Count::Whole);
            (parameter.name.to_owned(), if one { numbers[0].into() } else { numbers.clone().into() })
        })
        .collect();
    json!({
        "parameters": parameters,
        "facts": facts,
        "notes": answer.notes,
        "labels": labels,
        "panels": answer.panels.iter().map(panel).collect::<Vec<_>>(),
    })
}

fn panel(panel: &Panel) -> Value {
    let scale = |scale| if scale == Scale::Logarithmic { "log" } else { "linear" };
    json!({
        "title": panel.title,
        "x": panel.x,
        "y": panel.y,
        "y_label": panel.y_label,
        "by": panel.by,
        "x_scale": scale(panel.x_scale),
        "y_scale": scale(panel.y_scale),
        "bars": panel.marks == Marks::Bars,
    })
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
