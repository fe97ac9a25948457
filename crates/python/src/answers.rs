// SPDX-License-Identifier: MIT OR Apache-2.0
//! JSON that functions return to Python, and its schema, from which `make docs` writes `scenario/answers.py`.

use crate::ask::{ConstellationEntry, ControllerEntry};
use crate::budget::{LinkBudget, StandingBudget};
use crate::model::{ModelAnswer, ModelEntry};
use crate::path::PathFacts;
use crate::sky::SkyFacts;
use pyo3::prelude::*;
use scenario::{PresetFile, TcpPreset};
use schemars::JsonSchema;
use serde::Serialize;

/// Defines a struct that Python gets as JSON, and its function `new`, with the type and the value of each key.
macro_rules! answer {
    (
        $(#[$about:meta])*
        $name:ident($($from:ident: $of:ty),*) {
            $($(#[$note:meta])* $key:ident: $kind:ty = $value:expr,)*
        }
    ) => {
        $(#[$about])*
        #[derive(serde::Serialize, schemars::JsonSchema)]
        pub struct $name {
            $($(#[$note])* $key: $kind,)*
        }
        impl $name {
            pub fn new($($from: $of),*) -> Self {
                Self { $($key: $value,)* }
            }
        }
    };
}
pub(crate) use answer;

/// Types of the JSON that functions of `_core` return, by the names of the functions.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Answers {
    controllers: Vec<ControllerEntry>,
    tcp_presets: Vec<TcpPreset>,
    network_presets: Vec<PresetFile>,
    constellations: Vec<ConstellationEntry>,
    describe: SkyFacts,
    models: Vec<ModelEntry>,
    model: ModelAnswer,
    path_series: PathFacts,
    link_budget: LinkBudget,
    link_budgets: Vec<StandingBudget>,
}

/// JSON Schema of the JSON that functions return.
#[pyfunction]
pub fn answers_schema() -> String {
    record::schema_of::<Answers>()
}

/// The JSON of an answer.
pub fn json(answer: &impl Serialize) -> String {
    serde_json::to_string(answer).expect("numbers, text and lists have a JSON form")
}
